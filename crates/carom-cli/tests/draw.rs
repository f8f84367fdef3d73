//! `carom plot` and `carom report`, end to end.

mod common;

use common::folder::{Folder, files};
use common::*;

fn recorded(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (out, path) = (folder.path(name), scene(name));
    let output = run(&[&["run", &path, "--out", &out][..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    out
}

fn complaint(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    stderr.replace(&folder.0.display().to_string(), "TMP")
}

#[test]
fn plots_are_written_and_named() {
    let folder = Folder::new("plots");
    let out = recorded(&folder, "break", &[]);
    let output = run(&["plot", &out, "--format", "svg,png", "--scale", "0.5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let plots = format!("{out}/plots");
    let made = files(plots.as_ref());
    let expected = ["contacts", "energy", "momentum", "rate", "trajectories"];
    let expected: Vec<String> = expected
        .iter()
        .flat_map(|name| [format!("{name}.png"), format!("{name}.svg")])
        .collect();
    assert_eq!(made, expected);
    // Each file is named on a line, and what was left out is on standard error, with why.
    let stdout = text(&output.stdout);
    assert_eq!(stdout.lines().count(), made.len());
    assert!(
        stdout
            .lines()
            .all(|path| std::path::Path::new(path).is_file())
    );
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("left out: speeds: 16 free balls: too few"),
        "{stderr}"
    );
    for name in made {
        let bytes = std::fs::read(format!("{plots}/{name}")).unwrap();
        if name.ends_with(".png") {
            assert!(bytes.starts_with(b"\x89PNG\r\n"))
        } else {
            assert!(bytes.starts_with(b"<svg ") && bytes.ends_with(b"</svg>\n"))
        }
    }
    // A folder with plots and a report can be replaced: nothing in it is a stranger.
    let output = run(&["report", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("{out}/report.html\n"));
    recorded(&folder, "break", &["--force"]);
}

#[test]
fn themes_change_colours_and_nothing_else() {
    let folder = Folder::new("themes");
    let out = recorded(&folder, "two_discs", &[]);
    let svg = |theme: &str| {
        let to = folder.path(theme);
        let output = run(&[
            "plot", &out, "--which", "energy", "--theme", theme, "--out", &to,
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(files(to.as_ref()), ["energy.svg"]);
        std::fs::read_to_string(format!("{to}/energy.svg")).unwrap()
    };
    let [auto, light, dark, print] = ["auto", "light", "dark", "print"].map(svg);
    assert!(auto.contains("prefers-color-scheme:dark"));
    for fixed in [&light, &dark, &print] {
        assert!(!fixed.contains("prefers-color-scheme"));
    }
    assert!(light.contains("#0072b2") && !print.contains("#0072b2") && !dark.contains("#0072b2"));
    let places = |svg: &str| -> Vec<String> {
        svg.split(" d=\"")
            .skip(1)
            .map(|path| path.split('"').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(places(&light), places(&dark));
    assert_eq!(places(&light), places(&print));
}

#[test]
fn the_list_says_what_makes_sense_and_why() {
    let folder = Folder::new("list");
    let out = recorded(&folder, "newton_cradle", &[]);
    let output = run(&["plot", &out, "--list"]);
    assert!(output.status.success());
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), 8, "{list}");
    let line = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line("energy").ends_with("yes"));
    assert!(
        line("speeds").contains("says little: 5 free balls: too few"),
        "{list}"
    );
    assert!(
        line("compare").contains("no: it has no compare.json"),
        "{list}"
    );
    assert!(!std::path::Path::new(&out).join("plots").exists());
}

/// `carom compare` had come to write version 2 of its format, and `carom plot` still read up to version 1: it refused
/// what the same program had written.
#[test]
fn a_comparison_that_was_written_can_be_drawn() {
    let folder = Folder::new("compare");
    let out = recorded(&folder, "worked_example_1", &[]);
    let (scene, file) = (scene("worked_example_1"), format!("{out}/compare.json"));
    assert!(run(&["compare", &scene, "--out", &file]).status.success());
    let output = run(&["plot", &out, "--which", "compare"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        std::path::Path::new(&out)
            .join("plots/compare.svg")
            .is_file()
    );
}

#[test]
fn bad_input_is_told_and_nothing_is_written() {
    let folder = Folder::new("bad");
    let empty = folder.path("");
    let nowhere = folder.path("nowhere");
    let to = folder.path("to");
    for command in ["plot", "report"] {
        let told = complaint(&folder, &[command, &nowhere]);
        assert_eq!(
            told,
            "error: `TMP/nowhere` is not a run folder: there is no such folder\n"
        );
        let told = complaint(&folder, &[command, &empty, "--out", &to]);
        assert!(
            told.contains("is not a run folder: it has no run.json"),
            "{told}"
        );
    }
    let out = recorded(&folder, "break", &["--frames", "0"]);
    let told = complaint(
        &folder,
        &["plot", &out, "--which", "rate,energy", "--out", &to],
    );
    assert_eq!(
        told,
        "error: `TMP/break` has no plot `energy`: it was run without frames (--frames 0); run it again with --every T or --frames N\n"
    );
    let told = complaint(&folder, &["plot", &out, "--which", "enrgy", "--out", &to]);
    assert!(
        told.contains("'energy'") && told.contains("similar"),
        "{told}"
    );
    let told = complaint(&folder, &["plot", &out, "--theme", "drak", "--out", &to]);
    assert!(told.contains("'dark'"), "{told}");
    for bad in ["0", "-1", "nan", "1000"] {
        complaint(&folder, &["plot", &out, "--scale", bad, "--out", &to]);
    }
    let bare = recorded(&folder, "two_discs", &["--frames", "0", "--no-events"]);
    let told = complaint(&folder, &["plot", &bare, "--out", &to]);
    assert!(
        told.starts_with(
            "error: `TMP/two_discs` has nothing to plot: energy: it was run without frames"
        ),
        "{told}"
    );
    assert!(!std::path::Path::new(&to).exists());
    assert_eq!(
        files(bare.as_ref())
            .iter()
            .filter(|name| name.starts_with("plot"))
            .count(),
        0
    );
}

#[test]
fn damaged_tables_are_named() {
    let folder = Folder::new("damaged");
    let out = recorded(&folder, "two_discs", &[]);
    let frames = format!("{out}/frames.parquet");
    let bytes = std::fs::read(&frames).unwrap();
    std::fs::write(&frames, &bytes[..bytes.len() / 2]).unwrap();
    for command in ["plot", "report"] {
        let told = complaint(&folder, &[command, &out]);
        assert!(told.contains("frames.parquet` is damaged"), "{told}");
    }
}

#[test]
fn a_report_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("unwritten");
    let out = recorded(&folder, "two_discs", &[]);
    let to = folder.path("no/such/folder/report.html");
    let output = run(&["report", &out, "--out", &to]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: cannot write `"));
    assert_eq!(text(&output.stdout), "");
}
