//! What commands tell of a folder, and those that need none.

use super::*;
use std::io::Read;

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
    // It is written beside and renamed: what has the old one open goes on to read that.
    let mut open = std::fs::File::open(&path).unwrap();
    assert!(run(&["new", "bat", &path, "--force"]).status.success());
    let mut old = String::new();
    open.read_to_string(&mut old).unwrap();
    assert!(old.contains("break") && old != std::fs::read_to_string(&path).unwrap());
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
