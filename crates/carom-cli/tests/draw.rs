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
    assert_eq!(list.lines().count(), 13, "{list}");
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

/// In a folder of its own, with its temporary files in another.
fn run_in(folder: &Folder, arguments: &[&str]) -> std::process::Output {
    let temporary = folder.path("tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    let output = carom()
        .args(arguments)
        .current_dir(&folder.0)
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    // What was run for the pictures alone is gone, whatever came of it.
    assert_eq!(files(temporary.as_ref()), [""; 0], "{arguments:?}");
    output
}

#[test]
fn a_scene_is_run_first() {
    let folder = Folder::new("scenes-first");
    let bat = scene("bat");
    for (arguments, written) in [
        (
            &["plot", &bat, "--which", "energy"][..],
            "bat_plots/energy.svg",
        ),
        (
            &[
                "plot", &bat, "--which", "energy", "--format", "pdf", "--out", "here",
            ],
            "here/energy.pdf",
        ),
        (&["report", &bat, "--set", "run.until=0.5"], "bat.html"),
        (
            &["render", &bat, "--at", "50%", "--size", "96x64"],
            "bat_at_1.png",
        ),
        (
            &["render", &bat, "--size", "96", "--until", "0.2"],
            "bat.gif",
        ),
    ] {
        let output = run_in(&folder, arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), format!("{written}\n"));
        assert!(folder.0.join(written).is_file(), "{written}");
    }
    assert!(
        std::fs::read(folder.path("here/energy.pdf"))
            .unwrap()
            .starts_with(b"%PDF-1")
    );
    let page = std::fs::read_to_string(folder.path("bat.html")).unwrap();
    assert!(
        page.contains("bat.toml</code>") && !page.contains(&folder.path("")),
        "it speaks of the scene"
    );
    // A second time the file is there, and is not replaced unasked.
    let again = run_in(&folder, &["report", &bat]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        run_in(&folder, &["report", &bat, "--force"])
            .status
            .success()
    );
    // Mistakes in the scene are told as `carom run` tells them.
    let bad = run_in(&folder, &["report", &bat, "--set", "bodies.ball.mass=-1"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        !text(&bad.stderr).replace(&bat, "").contains("carom-"),
        "{}",
        text(&bad.stderr)
    );
    // What is in a run folder was run already.
    let out = recorded(&folder, "bat", &[]);
    let told = complaint(&folder, &["report", &out, "--until", "3"]);
    assert_eq!(
        told,
        "error: --until is for scenes, and `TMP/bat` is no scene file: what a run folder has was run already\n"
    );
}

#[test]
fn a_run_makes_a_film_a_report_and_plots() {
    let folder = Folder::new("run-pictures");
    let bat = scene("bat");
    let all = [
        "run", &bat, "--film", "f.gif", "--report", "r.html", "--plots", "p", "--until", "0.3",
    ];
    let output = run_in(&folder, &all);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("\nf.gif\nr.html\np/energy.svg\n"),
        "{stdout}"
    );
    assert!(
        !stdout.contains("folder"),
        "there is none to speak of: {stdout}"
    );
    for name in ["f.gif", "r.html", "p/energy.svg"] {
        assert!(folder.0.join(name).is_file(), "{name}");
    }
    // What is there already is refused before the run, and for programs there is the summary alone.
    let told = run_in(&folder, &all);
    assert_eq!(told.status.code(), Some(2));
    assert_eq!(text(&told.stdout), "");
    let json = run_in(
        &folder,
        &[&all[..], &["--json", "--force", "--quiet"]].concat(),
    );
    assert!(json.status.success(), "{}", text(&json.stderr));
    assert_eq!(text(&json.stdout).lines().count(), 1);
    let told = complaint(&folder, &["run", &bat, "--film", "f.png"]);
    assert!(told.contains("must end in .gif, .apng or .mp4"), "{told}");
}

#[test]
fn single_bodies_are_chosen_by_name() {
    let folder = Folder::new("single");
    let out = recorded(&folder, "break", &[]);
    let to = folder.path("to");
    let output = run(&[
        "plot", &out, "--which", "bodies", "--bodies", "cue,8", "--out", &to,
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let svg = std::fs::read_to_string(format!("{to}/bodies.svg")).unwrap();
    assert!(svg.contains(">cue</text>") && svg.contains(">8</text>") && !svg.contains(">9</text>"));
    let told = complaint(&folder, &["plot", &out, "--bodies", "nobody"]);
    assert_eq!(told, "error: `TMP/break` has no body `nobody`\n");
    let told = complaint(&folder, &["plot", &out, "--bodies", "head cushion"]);
    assert!(told.contains("does not move"), "{told}");
    for bad in [
        &["--follow", "nobody"][..],
        &["--follow", "head cushion"],
        &["--look-at", "1,2,3"],
        &["--show", "colours"],
    ] {
        complaint(&folder, &[&["render", &out][..], bad].concat());
    }
}

/// Only collisions could be asked for; of sensors and transitions there was no word.
#[test]
fn events_of_all_kinds_are_told() {
    let folder = Folder::new("all-events");
    let out = recorded(&folder, "table_roll", &[]);
    let list = text(&run(&["explain", &out, "--list"]).stdout);
    let line = |words: &str| {
        let found = list.lines().find(|line| line.ends_with(words));
        found
            .unwrap_or_else(|| panic!("{words}:\n{list}"))
            .trim_start()
    };
    let rolls = line("ball rolls on table");
    let number = rolls.split_whitespace().next().unwrap();
    let told = text(&run(&["explain", &out, "--event", number]).stdout);
    assert!(
        told.starts_with(&format!("Event {number} at t = 0.29")),
        "{told}"
    );
    assert!(
        told.contains("  a         ball: a free ball of cloth\n"),
        "{told}"
    );
    assert!(told.contains("  after     event "), "{told}");
    line("ball rests on table");
    let events = run(&["run", &scene("table_roll"), "--events", "--until", "1"]);
    assert!(text(&events.stdout).contains("s  ball rolls on table\n"));
    let json = run(&[
        "run",
        &scene("table_roll"),
        "--events",
        "--until",
        "1",
        "--json",
    ]);
    assert!(text(&json.stdout).contains("\"regime\":\"rolling\""));
    let told = complaint(&folder, &["explain", &out, "--event", "999"]);
    assert!(
        told.starts_with("error: there is no event 999 in `TMP/table_roll`: it has "),
        "{told}"
    );
}
