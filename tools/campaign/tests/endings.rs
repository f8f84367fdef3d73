//! How a command ends is told apart, by commands that end in every way: crashes, hangs, refusals, failures.

use campaign::command::Carom;
use campaign::judge::{Again, Verdict, judge};
use campaign::make::scene;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

/// The verdict on a command that is a few lines of shell.
fn verdict(name: &str, script: &str) -> Verdict {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("campaign-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("command");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let carom = Carom {
        program,
        limit: Duration::from_millis(300),
        patience: Duration::from_secs(1),
    };
    let scene = scene(1, 0, None);
    let verdict = judge(&scene, &carom, &folder.join("run"), Again::default()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    verdict
}

fn cause(name: &str, script: &str) -> String {
    let verdict = verdict(name, script);
    let cause = verdict.cause().unwrap_or("nothing").to_owned();
    cause
        .split_once(": ")
        .map_or(cause.clone(), |(_, cause)| cause.to_owned())
}

#[test]
fn every_ending_has_its_name() {
    assert_eq!(cause("status", "exit 3"), "crash: exit status");
    assert_eq!(
        cause(
            "panic",
            "echo \"thread 'main' panicked at x.rs:1\" >&2; exit 101"
        ),
        "crash: panic"
    );
    assert_eq!(cause("killed", "kill -9 $$"), "crash: signal");
    assert_eq!(
        cause(
            "failed",
            "echo 'error: the trajectory of b3 cannot be continued: no' >&2; exit 1"
        ),
        "run failed: the trajectory of # cannot be continued"
    );
    assert_eq!(cause("silent", "exit 0"), "no summary");
    // Started in the background, a shell ignores interrupts and cannot stop ignoring them.
    let hang = "exec env --default-signal=INT sh -c 'while :; do :; done'";
    assert_eq!(cause("hang", hang), "hang");
    assert_eq!(
        cause("deaf", "trap '' INT; while :; do :; done"),
        "hang that ignores interrupts"
    );
    let refused = verdict(
        "refused",
        "echo 'error: `b1` overlaps `f2` by 1e-3 m' >&2; exit 2",
    );
    assert_eq!(refused.faults, []);
    assert_eq!(refused.refused.as_deref(), Some("# overlaps # by # m"));
}
