//! `carom play`: what it is given is looked at before anything is served. The server itself is tested with the page,
//! in `web/tests/server.mjs`.

mod common;

use common::folder::Folder;
use common::{root, run, text};

fn refused(arguments: &[&str], reason: &str) {
    let mut all = vec!["play", "--no-open"];
    all.extend(arguments);
    let output = run(&all);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(error.contains(reason), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_scene_that_cannot_be_read_is_not_served() {
    let folder = Folder::new("play_bad");
    let path = folder.path("bad.toml");
    std::fs::write(&path, "version = 1\ndimension = 5\n").unwrap();
    refused(&[&path], "dimension");
    refused(&["no_such_scene.toml"], "there is no file");
}

#[test]
fn a_folder_that_is_no_run_is_not_served() {
    let scenes = root().join("scenes").display().to_string();
    refused(&[&scenes], "scenes");
}

#[test]
fn a_port_is_a_number() {
    refused(&["--port", "70000"], "70000");
}
