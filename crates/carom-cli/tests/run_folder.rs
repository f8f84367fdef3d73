//! Run folders end to end: what is in them, what is refused and how, what other commands make of them.

mod common;

use carom_data::{RunFolder, Stage};
use common::folder::{Folder, crowd, files};
use common::*;
use std::path::Path;

/// A run of a scene in a folder of its own.
fn recorded(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (out, path) = (folder.path(name), scene(name));
    let output = run(&[&["run", &path, "--out", &out][..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    out
}

fn summary_of(out: &str) -> serde_json::Value {
    let bytes = std::fs::read(Path::new(out).join("summary.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// What a command says on standard error, with the test's folder called `TMP`.
fn complaint(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    text(&output.stderr).replace(&folder.0.display().to_string(), "TMP")
}

#[test]
fn the_folder_has_everything_and_the_run_is_the_same_with_it_and_without() {
    let folder = Folder::new("everything");
    for name in ["break", "box_and_cylinder_3d", "shaken_floor"] {
        let out = recorded(&folder, name, &["--frames", "7"]);
        let expected = [
            "audit.parquet",
            "bodies.parquet",
            "events.parquet",
            "frames.parquet",
            "run.json",
            "scene.toml",
            "snapshot.bin",
            "summary.json",
        ];
        assert_eq!(files(out.as_ref()), expected);
        let (hits, bare) = events(name, &[]);
        let kept = summary_of(&out);
        for key in [
            "digest",
            "outcome",
            "collisions",
            "events",
            "audit",
            "bodies",
            "observables",
        ] {
            assert_eq!(kept[key], bare[key], "{name}: {key}");
        }
        let run = RunFolder::open(out.as_ref()).unwrap();
        assert_eq!(run.manifest().stage, Stage::Complete);
        let mut row = 0;
        let table = run.events().unwrap();
        let columns = [
            "number",
            "time",
            "a",
            "b",
            "mode",
            "energy_lost",
            "impulse_x",
            "point_y",
        ];
        table
            .each(&columns, |rows| {
                let [number, time, a, b, mode, lost, impulse, point] = &rows.values[..] else {
                    panic!("eight columns were asked for");
                };
                for at in 0..rows.len() {
                    let hit = &hits[row];
                    assert_eq!(hit["number"], number.integers()[at]);
                    assert_eq!(hit["time"], time.numbers()[at]);
                    assert_eq!(hit["mode"], *mode.texts()[at]);
                    assert_eq!(hit["energy_lost"], lost.numbers()[at]);
                    assert_eq!(hit["impulse"][0], impulse.numbers()[at]);
                    assert_eq!(hit["point"][1], point.numbers()[at]);
                    for (side, ids) in [("a", a), ("b", b)] {
                        let id = ids.integers()[at] as usize;
                        assert_eq!(hit[side], bare["bodies"][id]["name"]);
                    }
                    row += 1;
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(row, hits.len());
        let mut frames = Vec::new();
        run.each_frame(|frame| {
            frames.push((frame.number, frame.time));
            Ok(())
        })
        .unwrap();
        assert_eq!(frames.len(), 8);
        assert_eq!(frames[0], (0, 0.0));
        assert_eq!(Some(frames[7].1), bare["scene"]["until"].as_f64());
    }
}

/// The frames are the states that a run to that time ends with, to the bit.
/// The columns of `audit` say where all the energy went, with nothing left over: rolling and sliding (billiards), drag,
/// changes from outside, driven bodies, restitution above one, dampers (by forces), and steps (of rigid bodies).
#[test]
fn the_columns_of_the_audit_add_up() {
    let folder = Folder::new("adds up");
    let runs: [(&str, &[&str]); 9] = [
        ("table_roll", &[]),
        ("dice", &[]),
        ("drag", &[]),
        ("mars", &[]),
        ("laws_of_friction", &[]),
        ("slope", &[]),
        ("paddle", &[]),
        ("bumper", &[]),
        ("worked_example_1", &["--method", "forces"]),
    ];
    let mut causes = [0.0f64; 12];
    for (name, more) in runs {
        let out = recorded(&folder, name, more);
        let columns = [
            "energy",
            "in_contact",
            "energy_residual",
            "lost_to_restitution",
            "lost_to_friction",
            "lost_to_sliding",
            "lost_to_rolling",
            "lost_to_spinning",
            "lost_to_settling",
            "lost_to_dampers",
            "lost_to_fields",
            "lost_to_steps",
            "energy_added",
            "work_by_kinematic",
            "given",
        ];
        let mut first = None;
        let audit = RunFolder::open(out.as_ref()).unwrap().audit().unwrap();
        let check = |rows: &carom_data::Rows| {
            for row in 0..rows.len() {
                let at = |column: usize| rows.values[column].numbers()[row];
                let has = at(0) + at(1);
                let start = *first.get_or_insert(has - at(14));
                let lost: f64 = (3..12).map(at).sum();
                let got: f64 = (12..15).map(at).sum();
                for (cause, column) in causes.iter_mut().zip(3..15) {
                    *cause = cause.max(at(column).abs());
                }
                // The books' own imbalance, and the rounding of these few sums.
                let scale = start.abs() + at(0).abs() + lost.abs() + got.abs();
                let off = has - (start - lost + got) - at(2);
                assert!(
                    off.abs() <= 16.0 * f64::EPSILON * scale,
                    "{name}, row {row}: {off} J of {scale} J"
                );
            }
            Ok(())
        };
        audit.each(&columns, check).unwrap();
    }
    // Most causes took part, or the sums would say little.
    let seldom = ["settling", "spinning", "given"];
    let names = [
        "restitution",
        "friction",
        "sliding",
        "rolling",
        "spinning",
        "settling",
        "dampers",
        "fields",
        "steps",
        "put in",
        "work",
        "given",
    ];
    for (cause, most) in names.iter().zip(causes) {
        let took_part = most > 0.0 || seldom.contains(cause);
        assert!(took_part, "nothing went to {cause}");
    }
}

#[test]
fn frames_are_at_the_multiples_of_the_interval() {
    let folder = Folder::new("frames");
    let out = recorded(&folder, "break", &["--every", "0.7", "--until", "2"]);
    let run = RunFolder::open(out.as_ref()).unwrap();
    let mut count = 0;
    run.each_frame(|frame| {
        // The end has one of its own.
        let time = (f64::from(count) * 0.7).min(2.0);
        assert_eq!(frame.time, time);
        let (_, summary) = events("break", &["--until", &format!("{time:?}")]);
        let [body, x] = [&frame.rows.values[2], &frame.rows.values[3]];
        for (&id, &x) in body.integers().iter().zip(x.numbers()) {
            assert_eq!(summary["bodies"][id as usize]["position"][0], x);
        }
        assert_eq!(body.len(), 16);
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 4);
}

#[test]
fn overrides_and_seeds_are_kept() {
    let folder = Folder::new("set");
    let set = [
        "--set",
        "run.until=1",
        "--set",
        "bodies.cue.velocity=[4, 0]",
        "--seed",
        "12",
    ];
    let out = recorded(&folder, "break", &set);
    let kept = summary_of(&out);
    let expected = ["run.until=1", "bodies.cue.velocity=[4, 0]", "seed=12"];
    assert_eq!(kept["scene"]["overrides"], serde_json::json!(expected));
    assert_eq!(kept["scene"]["seed"], 12);
    assert_eq!(kept["outcome"]["time"], 1.0);
    let momentum = vector(&kept["audit"]["momentum_initial"]);
    // Half the speed of the scene, to the bit.
    let whole = summary("break");
    assert_eq!(
        2.0 * momentum[0],
        vector(&whole["audit"]["momentum_initial"])[0]
    );
}

#[test]
fn a_folder_is_not_overwritten_unless_asked_for() {
    let folder = Folder::new("force");
    let out = recorded(&folder, "bat", &[]);
    let (bat, cradle) = (scene("bat"), scene("newton_cradle"));
    assert_eq!(
        complaint(&folder, &["run", &cradle, "--out", &out], 2),
        "error: `TMP/bat` exists already: take another name, or replace it with --force\n"
    );
    assert_eq!(summary_of(&out)["scene"]["title"], "A bat and a ball");
    let output = run(&["run", &cradle, "--out", &out, "--force", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(summary_of(&out)["scene"]["title"], "Newton's cradle");
    // What others put there is not deleted.
    std::fs::write(Path::new(&out).join("notes.txt"), "mine").unwrap();
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &out, "--force"], 2),
        "error: `TMP/bat` is not replaced, not even with --force: it has `notes.txt` in it, which carom did not write, or which was changed since: move that away first\n"
    );
    let other = folder.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(Path::new(&other).join("thesis.tex"), "mine").unwrap();
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &other, "--force"], 2),
        "error: `TMP/other` is not replaced, not even with --force: `TMP/other` is not a run folder: it has no run.json\n"
    );
    assert_eq!(files(other.as_ref()), ["thesis.tex"]);
    // An empty folder is as good as none.
    let empty = folder.path("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(run(&["run", &bat, "--out", &empty]).status.success());
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", "/"], 2),
        "error: `/`: a run folder needs a name\n"
    );
    let file = folder.write("file", "mine");
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &file], 2),
        "error: `TMP/file` exists already: take another name, or replace it with --force\n"
    );
}

#[test]
fn what_is_no_run_folder_is_refused_with_a_reason() {
    let folder = Folder::new("foreign");
    let nowhere = folder.path("nowhere");
    let empty = folder.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let file = folder.write("file.txt", "x");
    for arguments in [&["resume"][..], &["explain"], &["convert", "--to", "csv"]] {
        let number: &[&str] = if arguments[0] == "explain" {
            &["1"]
        } else {
            &[]
        };
        let complain = |path: &str| {
            let (command, rest) = arguments.split_at(1);
            complaint(&folder, &[command, &[path], number, rest].concat(), 2)
        };
        assert_eq!(
            complain(&nowhere),
            "error: `TMP/nowhere` is not a run folder: there is no such folder\n"
        );
        assert_eq!(
            complain(&empty),
            "error: `TMP/empty` is not a run folder: it has no run.json\n"
        );
        assert_eq!(
            complain(&file),
            "error: `TMP/file.txt` is not a run folder: it has no run.json\n"
        );
        let manifest = Path::new(&empty).join("run.json");
        for (content, expected) in [
            (
                "{\"format\":\"package\",\"version\":1}",
                "error: `TMP/empty` is not a run folder: its run.json is of something else\n",
            ),
            (
                "[1, 2]",
                "error: `TMP/empty` is not a run folder: its run.json is of something else\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":7}",
                "error: `TMP/empty/run.json` has version 7, but this carom reads up to 3\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":1}",
                "error: `TMP/empty/run.json` is damaged: missing field `carom`\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":2}",
                "error: `TMP/empty/run.json` is damaged: its checksum does not fit\n",
            ),
            (
                "{\"format\":\"carom-r",
                "error: `TMP/empty/run.json` is damaged: EOF while parsing a string at line 1 column 18\n",
            ),
        ] {
            std::fs::write(&manifest, content).unwrap();
            assert_eq!(complain(&empty), expected);
        }
        std::fs::remove_file(&manifest).unwrap();
    }
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new("damaged");
    let out = recorded(&folder, "break", &[]);
    let file = |name: &str| Path::new(&out).join(name);
    let whole = std::fs::read(file("events.parquet")).unwrap();
    std::fs::write(file("events.parquet"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        "error: `TMP/break/events.parquet` is damaged: it is no whole Parquet file\n"
    );
    let frames = std::fs::read(file("frames.parquet")).unwrap();
    std::fs::write(file("events.parquet"), &frames).unwrap();
    let message = complaint(&folder, &["convert", &out, "--to", "csv"], 2);
    assert!(
        message.starts_with("error: `TMP/break/events.parquet` is damaged: its columns are `frame, time, body, x, y, angle,"),
        "{message}"
    );
    std::fs::remove_file(file("events.parquet")).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        "error: cannot read `TMP/break/events.parquet`: No such file or directory (os error 2)\n"
    );
    std::fs::write(file("events.parquet"), &whole).unwrap();
    let snapshot = std::fs::read(file("snapshot.bin")).unwrap();
    std::fs::write(file("snapshot.bin"), &snapshot[..100]).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        format!(
            "error: `TMP/break/snapshot.bin` is damaged: it has 100 bytes instead of {}\n",
            snapshot.len()
        )
    );
}

#[test]
fn a_cut_off_run_with_damaged_parts_is_refused_and_left_alone() {
    let folder = Folder::new("parts");
    let path = folder.write("crowd.toml", &crowd(1e6));
    let out = folder.path("run");
    let mut child = carom()
        .args([
            "run",
            &path,
            "--out",
            &out,
            "--checkpoint",
            "0.01",
            "--quiet",
        ])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // So many checkpoints that the one before the last has rows in this part as well: there is none to go back to.
    let manifest = || RunFolder::open(out.as_ref()).map(|run| run.manifest().checkpoint);
    while !manifest().is_ok_and(|number| number > 4) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Nobody else may write to it meanwhile.
    assert_eq!(
        complaint(&folder, &["resume", &out], 1),
        "error: another process is writing to `TMP/run`\n"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let part = Path::new(&out).join("events/part-000000.parquet");
    let whole = std::fs::read(&part).unwrap();
    std::fs::write(&part, &whole[..whole.len() - 3]).unwrap();
    assert_eq!(
        complaint(&folder, &["resume", &out], 2),
        "error: `TMP/run/events/part-000000.parquet` is damaged: it is no whole Parquet file\n"
    );
    std::fs::remove_file(&part).unwrap();
    assert_eq!(
        complaint(&folder, &["resume", &out], 2),
        "error: `TMP/run/events/part-000000.parquet` is damaged: it is missing\n"
    );
    // Put back, it is as good as before.
    std::fs::write(&part, &whole).unwrap();
    assert!(run(&["convert", &out, "--to", "csv"]).status.success());
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_an_error() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let folder = Folder::new("read-only");
    let locked = folder.path("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = carom();
    if std::fs::metadata(&locked).unwrap().uid() == 0 {
        // The superuser may write anywhere; nobody may not. It has to be able to read the command and the scene.
        command = std::process::Command::new(folder.path("carom"));
        std::fs::copy(env!("CARGO_BIN_EXE_carom"), folder.path("carom")).unwrap();
        command.uid(65534);
    }
    let path = folder.path("scene.toml");
    std::fs::copy(scene("bat"), &path).unwrap();
    let out = format!("{locked}/run");
    let output = command
        .args(["run", &path, "--out", &out])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr).replace(&folder.0.display().to_string(), "TMP"),
        "error: cannot write `TMP/locked/run`: Permission denied (os error 13)\n"
    );
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// C4: a contact of measurable duration and its end are in the table of events, and in the words.
#[test]
fn explain_tells_how_long_a_contact_lasted() {
    let folder = Folder::new("lasting");
    let out = recorded(&folder, "tandem", &[]);
    let told = |number: &str| text(&run(&["explain", &out, number]).stdout);
    let whole = told("1");
    assert!(
        whole.contains("  lasting   to be 0.0942257 s: the two stay in contact"),
        "{whole}"
    );
    assert!(
        whole.contains("after 0.0942257 s: its time was over\n"),
        "{whole}"
    );
    let cut = told("2");
    assert!(
        cut.contains("after 0.0500000 s: cut short by another body\n"),
        "{cut}"
    );
    let output = run(&["convert", &out, "--to", "csv"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows = std::fs::read_to_string(format!("{out}/csv/events.csv")).unwrap();
    let kinds = |kind: &str| rows.lines().filter(|row| row.contains(kind)).count();
    assert_eq!(
        (kinds(",collision,"), kinds(",released,")),
        (4, 4),
        "{rows}"
    );
    assert!(
        rows.lines()
            .next()
            .unwrap()
            .ends_with("gap,duration,approach_speed"),
        "{rows}"
    );
    // One that is not over when the run ends.
    let another = Folder::new("lasting_still");
    let out = recorded(&another, "tandem", &["--set", "run.until=0.09"]);
    let shown = text(&run(&["explain", &out, "1"]).stdout);
    assert!(shown.contains("not over when the run ended"), "{shown}");
}

#[test]
fn explain_tells_a_collision() {
    let folder = Folder::new("explain");
    let out = recorded(&folder, "two_discs", &[]);
    let shown = text(&run(&["explain", &out, "1"]).stdout);
    let (hits, _) = events("two_discs", &[]);
    let first = format!(
        "Collision 1 at t = {} s: {} and {}\n",
        number(&hits[0]["time"]),
        hits[0]["a"].as_str().unwrap(),
        hits[0]["b"].as_str().unwrap()
    );
    assert!(shown.starts_with(&first), "{shown}");
    for part in [
        "  law       coulomb",
        "  impulse   (",
        "  before    a velocity (",
        "J lost",
        "  approach  at ",
    ] {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
    let more = hits.len() + 1;
    assert_eq!(
        complaint(&folder, &["explain", &out, &more.to_string()], 2),
        format!(
            "error: there is no collision {more} in `TMP/two_discs`: it has {}\n",
            if hits.len() == 1 {
                "1 collision".to_owned()
            } else {
                format!("{} collisions", hits.len())
            }
        )
    );
    let bare = recorded(&folder, "bat", &["--no-events"]);
    assert_eq!(
        complaint(&folder, &["explain", &bare, "1"], 2),
        "error: `TMP/bat` was run with --no-events\n"
    );
    // Of the break, contacts that close at one instant are answered together.
    let out = recorded(&folder, "break", &[]);
    let shown = text(&run(&["explain", &out, "2"]).stdout);
    assert!(shown.contains("simultaneous with collisions"), "{shown}");
}

#[test]
fn resuming_what_is_done_does_nothing() {
    let folder = Folder::new("done");
    let out = recorded(&folder, "bat", &[]);
    let before = std::fs::read(Path::new(&out).join("events.parquet")).unwrap();
    let output = run(&["resume", &out]);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        format!("{out}: the run is complete; nothing is left to do\n")
    );
    let json = text(&run(&["resume", &out, "--json"]).stdout);
    assert_eq!(
        json,
        std::fs::read_to_string(Path::new(&out).join("summary.json")).unwrap()
    );
    assert_eq!(
        std::fs::read(Path::new(&out).join("events.parquet")).unwrap(),
        before
    );
}

#[test]
fn a_run_that_fails_leaves_its_folder() {
    let folder = Folder::new("failed");
    // Two balls meet on the way to a point where the force is not finite.
    let path = folder.write(
        "fall.toml",
        r#"
version = 1
dimension = 2
run.until = 20.0
fields.central = { centre = [0, 0], strength = 1 }

[[bodies]]
name = "comet"
shape = "ball"
radius = 0.1
mass = 1.0
position = [1.0, 0.0]

[[bodies]]
name = "other"
shape = "ball"
radius = 0.1
mass = 1.0
position = [1.3, 0.0]
velocity = [-0.5, 0.0]
"#,
    );
    let out = folder.path("run");
    let output = run(&["run", &path, "--out", &out]);
    assert_eq!(output.status.code(), Some(1));
    let kept = summary_of(&out);
    assert_eq!(kept["outcome"]["status"], "failed");
    let rows = RunFolder::open(out.as_ref())
        .unwrap()
        .events()
        .unwrap()
        .rows()
        .unwrap();
    assert_eq!(kept["collisions"]["total"], rows);
}

#[test]
fn new_writes_a_scene_that_runs() {
    let folder = Folder::new("new");
    let listed = text(&run(&["new", "--list"]).stdout);
    assert!(
        listed.contains("break") && listed.contains("Galperin's billiard"),
        "{listed}"
    );
    let path = folder.path("mine.toml");
    let output = run(&["new", "break", &path]);
    assert_eq!(
        text(&output.stdout),
        format!("{path}: written; to run it: carom run {path}\n")
    );
    assert!(run(&["run", &path]).status.success());
    assert_eq!(
        complaint(&folder, &["new", "bat", &path], 2),
        "error: `TMP/mine.toml` exists already: take another name, or replace a template that was not changed with --force\n"
    );
    assert!(run(&["new", "bat", &path, "--force"]).status.success());
    // Somebody's work is not replaced.
    std::fs::write(&path, "# mine\n").unwrap();
    assert_eq!(
        complaint(&folder, &["new", "bat", &path, "--force"], 2),
        "error: `TMP/mine.toml` is not a template as `carom new` writes it, and is not replaced: take another name, or remove it first\n"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# mine\n");
    let message = complaint(&folder, &["new", "brake", &path], 2);
    assert!(
        message.starts_with("error: there is no template `brake`\n  help: the templates are bat, "),
        "{message}"
    );
}

#[test]
fn bench_measures() {
    let output = run(&[
        "bench",
        "--balls",
        "100",
        "--collisions",
        "2000",
        "--repeat",
        "3",
        "--json",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["format"], "carom-bench");
    assert_eq!(figures["collisions"], 2000);
    assert_eq!(figures["repetitions"], 3);
    assert!(number(&figures["ns_per_collision"]) > 0.0);
    assert!(number(&figures["fastest_ns"]) <= number(&figures["slowest_ns"]));
    let of_scene = run(&["bench", &scene("galperin"), "--repeat", "2"]);
    let shown = text(&of_scene.stdout);
    assert!(
        shown.contains("314, 2 times") && shown.contains("collisions per second"),
        "{shown}"
    );
}

#[test]
fn pages_and_schema_are_printed() {
    let bash = text(&run(&["completions", "bash"]).stdout);
    assert!(bash.contains("--max-collisions") && bash.contains("explain"));
    let page = text(&run(&["man"]).stdout);
    assert!(page.contains(".TH carom 1") && page.contains("Exit status"));
    let folder = Folder::new("man");
    let out = folder.path("pages");
    assert!(run(&["man", "--out", &out]).status.success());
    assert!(files(out.as_ref()).contains(&"carom-run.1".to_owned()));
    let schema: serde_json::Value = serde_json::from_slice(&run(&["schema"]).stdout).unwrap();
    assert!(schema["properties"]["run"].is_object());
}

/// `carom run … --events --out … | head -1`: the reader goes away, but the folder is for whoever comes later.
#[test]
fn a_reader_that_goes_away_does_not_cut_the_folder_off() {
    let folder = Folder::new("reader");
    let path = folder.write("crowd.toml", &crowd(20.0));
    let out = folder.path("run");
    let mut child = carom()
        .args(["run", &path, "--events", "--out", &out])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(summary_of(&out)["outcome"]["status"], "completed");
}

/// Nothing of the progress bar goes where there is no terminal.
#[test]
fn there_is_no_bar_without_a_terminal() {
    let folder = Folder::new("bar");
    let path = folder.write("crowd.toml", &crowd(150.0));
    let output = run(&["run", &path]);
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}
