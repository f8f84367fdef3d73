//! Running the real command.
#![allow(dead_code)] // Each test file uses its part.

pub mod folder;

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

pub fn carom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn scene(name: &str) -> String {
    root()
        .join("scenes")
        .join(format!("{name}.toml"))
        .display()
        .to_string()
}

pub fn run(arguments: &[&str]) -> Output {
    carom()
        .args(arguments)
        .output()
        .expect("the command starts")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The summary of a scene that runs to its end.
pub fn summary(name: &str) -> Value {
    let (mut collisions, summary) = events(name, &[]);
    collisions.clear();
    summary
}

/// All collisions of a scene that runs to its end, and its summary.
pub fn events(name: &str, more: &[&str]) -> (Vec<Value>, Value) {
    let path = scene(name);
    let mut arguments = vec!["run", path.as_str(), "--json", "--events"];
    arguments.extend(more);
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let mut lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    let summary = lines.pop().expect("the summary is the last line");
    assert_eq!(summary["format"], "carom-summary");
    assert_eq!(summary["version"], 2);
    let collisions: Vec<Value> = lines
        .into_iter()
        .filter(|line| line.get("collision").is_some())
        .map(|line| line["collision"].clone())
        .collect();
    assert_eq!(
        summary["collisions"]["total"].as_u64(),
        Some(collisions.len() as u64)
    );
    (collisions, summary)
}

pub fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn vector(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is no array"))
        .iter()
        .map(number)
        .collect()
}

pub fn body<'s>(summary: &'s Value, name: &str) -> &'s Value {
    summary["bodies"]
        .as_array()
        .expect("bodies")
        .iter()
        .find(|body| body["name"] == name)
        .unwrap_or_else(|| panic!("no body {name}"))
}

#[track_caller]
pub fn assert_near(actual: &[f64], expected: &[f64], tolerance: f64) {
    let near = actual.len() == expected.len()
        && actual
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(near, "{actual:?} is not {expected:?} within {tolerance:e}");
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
