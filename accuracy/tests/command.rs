//! The command's options and exit status.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_accuracy"))
        .args(arguments)
        .output()
        .expect("the command starts")
}

#[test]
fn mistakes_in_the_options_are_named() {
    for (arguments, expected) in [
        (&["--frobnicate"][..], "--frobnicate"),
        (&["--cases"], "needs a number of cases"),
        (&["--cases", "many"], "\"many\""),
        (&["--threads", "0"], "above 0"),
        (&["--kernel", "teapot"], "teapot"),
        (&["--explain", "2 1 2"], "cannot be read"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn a_small_table_is_printed() {
    let output = run(&[
        "--cases",
        "500",
        "--kernel",
        "ball-ball-2d-straight",
        "--markdown",
    ]);
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.starts_with("| kernel |"), "{table}");
    assert!(table.contains("| ball-ball-2d-straight | 500 |"), "{table}");
    assert!(
        table.contains("| ball-ball-2d-straight stored |"),
        "{table}"
    );
}

#[test]
fn help_and_list_answer() {
    let help = run(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&help.stdout).contains("--markdown"));
    let list = run(&["--list"]);
    assert!(String::from_utf8_lossy(&list.stdout).contains("ball-cylinder-3d-accelerated"));
}
