//! What the command says when something is wrong: every message, as it was read and found good, in
//! `tests/complaints.txt`.
//!
//! `UPDATE_MESSAGES=1 cargo test -p carom-cli --test complaints` writes them anew; then read the difference.

mod common;
#[path = "../../carom-scene/tests/messages/literals.rs"]
mod literals;

use carom_data::{Crc, RunFolder};
use common::folder::{Folder, crowd};
use common::*;
use literals::{is_shown, sources};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Complaints as they come, with the test's folder called `TMP`.
struct Book {
    folder: Folder,
    text: String,
    /// How many of them `check` made too.
    checked: usize,
}

/// What `check` is asked for what `run` was; `None` where `check` does not know some of the flags, which say nothing of
/// the scene.
fn asked_of_check<'a>(arguments: &[&'a str]) -> Option<Vec<&'a str>> {
    let [first, path, flags @ ..] = arguments else {
        return None;
    };
    let known = flags.chunks(2).all(|pair| {
        let sets = pair[0] == "--set" && pair.get(1).is_some_and(|pair| pair.contains('='));
        pair.len() == 2 && (sets || pair[0] == "--method")
    });
    (*first == "run" && known).then(|| [&["check", *path][..], flags].concat())
}

impl Book {
    fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    /// Runs a command that must fail with this status, and keeps what it says.
    #[track_caller]
    fn complaint(&mut self, arguments: &[&str], status: i32) {
        self.entry(arguments, status, |message| message);
    }

    /// The same, where numbers depend on when the run was killed.
    #[track_caller]
    fn complaint_without_numbers(&mut self, arguments: &[&str], status: i32) {
        self.entry(arguments, status, |message| {
            let mut last = ' ';
            let shown = message.chars().map(|letter| match letter {
                letter if letter.is_ascii_digit() => '#',
                letter => letter,
            });
            shown
                .filter(|&letter| {
                    let again = letter == '#' && last == '#';
                    last = letter;
                    !again
                })
                .collect()
        });
    }

    #[track_caller]
    fn entry(&mut self, arguments: &[&str], status: i32, shown: impl FnOnce(String) -> String) {
        let output = run(arguments);
        let message = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {message}"
        );
        // What `run` refuses before it starts `check` refuses in the same words.
        if let Some(asked) = asked_of_check(arguments).filter(|_| status == 2) {
            let output = run(&asked);
            let found = (output.status.code(), text(&output.stderr));
            assert_eq!(found, (Some(2), message.clone()), "{asked:?}");
            assert_eq!(text(&output.stdout), "", "{asked:?}");
            self.checked += 1;
        }
        let names = [
            (self.folder.0.display().to_string(), "TMP"),
            (root().display().to_string() + "/", ""),
        ];
        let plain = |text: String| {
            names
                .iter()
                .fold(text, |text, (from, to)| text.replace(from, to))
        };
        let (line, message) = (plain(arguments.join(" ")), plain(message));
        // Not one name more for each new scene.
        let message = match message.split_once("the templates are bat, ") {
            Some((before, _)) => format!("{before}the templates are bat, …\n"),
            None => message,
        };
        writeln!(self.text, "$ carom {line}\n{}", shown(message)).unwrap();
    }
}

/// Arguments that mean nothing.
fn arguments(book: &mut Book) {
    let (bat, example) = (scene("bat"), scene("worked_example_1"));
    for arguments in [
        &["rnu", &bat][..],
        &["run"],
        &["run", &bat, "--until", "-1"],
        &["run", &bat, "--max-collisions", "0"],
        &["run", &bat, "--set", "run.until"],
        &["run", &bat, "--every", "0"],
        &["run", &bat, "--out", "x", "--every", "0"],
        &["run", &bat, "--out", "x", "--every", "1", "--frames", "3"],
        &["run", &bat, "--out", "x", "--checkpoint", "1e7"],
        &["run", &bat, "--also", "csv"],
        &["run", &bat, "--jsn"],
        &["run", &bat, "--seed", "-1"],
        &["resume"],
        &["explain", "x", "0"],
        &["explain", "x", "three"],
        &["convert", "x"],
        &["convert", "x", "--to", "xlsx"],
        &["plot", "x", "--scale", "20"],
        &["render", "x", "--at", "-1"],
        &["render", "x", "--collision", "0"],
        &["render", "x", "--at", "1", "--collision", "2"],
        &["render", "x", "--fps", "500"],
        &["render", "x", "--speed", "0"],
        &["render", "x", "--trails=0"],
        &["render", "x", "--size", "9000x9000"],
        &["render", "x", "--size", "big"],
        &["render", "x", "--out", "film.avi"],
        &["render", "x", "--format", "webm"],
        &["render", "x", "--camera", "above"],
        &["render", "x", "--view", "1,2,1,3"],
        &["compare", &example, "--plot", "x.gif"],
        &["compare", &example, "--contact", "2"],
        &["compare", &bat],
        &["bench", "--fraction", "0.6"],
        &["bench", "--dimension", "4"],
        &["bench", &bat, "--balls", "3"],
        &["completions", "tcsh"],
        &["new"],
    ] {
        book.complaint(arguments, 2);
    }
}

/// A row that a ball pushes together, with ever more and ever smaller bounces.
const ROW: &str = r#"
version = 1
dimension = 2
run.until = 100.0
materials.default.restitution = 0.1
[[generate]]
kind = "row"
name = "disc"
count = 12
position = [0.0, 0.0]
step = [1.5, 0.0]
radius = 0.5
mass = 1.0
[[bodies]]
name = "left"
shape = "wall"
point = [-2.0, 0.0]
normal = [1.0, 0.0]
[[bodies]]
name = "cue"
shape = "ball"
radius = 0.5
mass = 1.0
position = [30.0, 0.0]
velocity = [-1.0, 0.0]
"#;

/// Two bumpers that throw a ball back ever faster.
const BUMPERS: &str = r#"
version = 1
dimension = 2
run.until = 10.0
materials.default.restitution = 1e40
[[bodies]]
name = "left"
shape = "wall"
point = [-1.0, 0.0]
normal = [1.0, 0.0]
[[bodies]]
name = "right"
shape = "wall"
point = [1.0, 0.0]
normal = [-1.0, 0.0]
[[bodies]]
name = "ball"
shape = "ball"
radius = 0.25
mass = 2.0
position = [0.0, 0.0]
velocity = [1.0, 0.0]
"#;

/// A floor that turns very fast, nearly about its own normal: it never comes up to the ball.
const FLOOR: &str = r#"
version = 1
dimension = 3
run.until = 1e3
[[bodies]]
name = "floor"
shape = "wall"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
motion = { pivot = [0.0, 0.0, 0.0], angular_velocity = [1e-3, 0.0, 1e9] }
[[bodies]]
name = "ball"
shape = "ball"
radius = 0.1
mass = 1.0
position = [0.0, 0.0, 5.0]
velocity = [1.0, 0.0, 0.0]
"#;

/// A wall comes down on a box that lies on another.
const PRESS: &str = r#"version = 1
dimension = 2
run.until = 2.0
gravity = [0.0, -9.81]
[[bodies]]
name = "floor"
shape = "wall"
point = [0.0, 0.0]
normal = [0.0, 1.0]
[[bodies]]
name = "press"
shape = "wall"
point = [0.0, 1.0]
normal = [0.0, -1.0]
motion = { velocity = [0.0, -0.6] }
[[bodies]]
name = "crate"
shape = "box"
size = [0.2, 0.2]
mass = 1.0
position = [0.5, 0.1]
"#;

/// Worlds that forces cannot run, and runs of either method that cannot go on.
fn runs(book: &mut Book) {
    let example = scene("worked_example_1");
    for changes in [
        &["forces.step=0.05"][..],
        &["pairs.1.damping=20"],
        &["pairs.1.restitution=1.2"],
        &["pairs.1.law=beta"],
        &["pairs.1.stiffness=inf"],
        &["pairs.1.stiffness=1e30"],
    ] {
        let mut arguments = vec!["run", &example, "--method", "forces"];
        changes
            .iter()
            .for_each(|change| arguments.extend(["--set", change]));
        book.complaint(&arguments, 2);
    }
    let spring = ["--method", "forces", "--set", "forces.spring_time=1e-3"];
    let tandem = scene("tandem");
    book.complaint(&[&["run", &tandem][..], &spring].concat(), 2);
    let alone = book.path("alone.toml");
    book.complaint(
        &["run", &alone, "--method", "forces", "--set", "forces={}"],
        2,
    );
    let soft = [
        "pairs.1.stiffness=1e-3",
        "pairs.1.damping=0",
        "forces.step=0.01",
    ];
    let mut arguments = vec!["run", &example, "--method", "forces", "--until", "10"];
    soft.iter()
        .for_each(|change| arguments.extend(["--set", change]));
    book.complaint(&arguments, 1);
    let magnus = scene("magnus");
    book.complaint(
        &[
            "run",
            &magnus,
            "--set",
            "bodies.let go.angular_velocity=1e20",
        ],
        1,
    );
    let crowded = book.folder.write("row.toml", ROW);
    book.complaint(&["run", &crowded], 1);
    let bumpers = book.folder.write("bumpers.toml", BUMPERS);
    book.complaint(&["run", &bumpers], 1);
    // Forces refuse what gives back more than it gets.
    book.complaint(&["run", &bumpers, "--method", "forces"], 2);
    let spinning = book.folder.write("floor.toml", FLOOR);
    book.complaint(&["run", &spinning], 1);
    let press = book.folder.write("press.toml", PRESS);
    book.complaint(&["run", &press], 1);
}

/// Worlds with solids that turn which no method can run. Both methods refuse some of them, `check` passed all of them.
fn solids(book: &mut Book) {
    let book_of_one = |name: &str, more: &str| {
        format!(
            "version = 1\ndimension = 3\nrun.until = 1\n{more}[[bodies]]\nname = \"{name}\"\nshape = \"box\"\nsize = [1, 1, 1]\nposition = [5, 5, 5]\nmass = 1\n"
        )
    };
    let room =
        "[[bodies]]\nname = \"hall\"\nshape = \"hollow\"\nradius = 9\nposition = [5, 5, 5]\n";
    let shaken = "[[bodies]]\nname = \"bat\"\nshape = \"box\"\nsize = [1, 1, 1]\nposition = [0, 0, 0]\nmotion = { amplitude = [0.1, 0, 0], frequency = 2 }\n";
    for (name, more) in [
        ("windy", "fields.drag = { linear = 1 }\n"),
        ("round", "periodic = [10, 10, 10]\n"),
        ("soft", "contact_time = 1e-3\n"),
        ("caught", room),
        ("struck", shaken),
    ] {
        let path = (book.folder).write(&format!("{name}.toml"), &book_of_one(name, more));
        book.complaint(&["run", &path], 2);
        if !["soft", "struck"].contains(&name) {
            let spring = "forces.spring_time=1e-3";
            book.complaint(&["run", &path, "--method", "forces", "--set", spring], 2);
        }
    }
}

/// Scenes and templates.
fn scenes(book: &mut Book) {
    let alone = "version = 1\ndimension = 2\nrun.until = 1.0\nforces.step = 0.01\n[[bodies]]\nname = \"a\"\nshape = \"ball\"\nradius = 0.1\nmass = 1.0\nposition = [0.0, 0.0]\n";
    let alone = book.folder.write("alone.toml", alone);
    let arguments = ["compare", &alone, "--contact", "1"];
    book.complaint(&arguments, 2);
    let nowhere = book.path("nowhere.toml");
    book.complaint(&["run", &nowhere], 2);
    book.complaint(&["run", &book.path("mars.toml")], 2);
    book.complaint(&["render", &scene("mars")], 2);
    let bat = scene("bat");
    let misspelt = bat.replace("bat.toml", "bta.toml");
    book.complaint(&["check", &misspelt], 2);
    book.complaint(&["run", &bat, "--set", "run.utnil=3"], 2);
    book.complaint(&["run", &bat, "--set", "bodies.bta.radius=3"], 2);
    book.complaint(&["new", "brake"], 2);
    let mine = book.path("mine.toml");
    assert!(run(&["new", "bat", &mine]).status.success());
    book.complaint(&["new", "bat", &mine], 2);
    std::fs::write(&mine, "# changed\n").unwrap();
    book.complaint(&["new", "bat", &mine, "--force"], 2);
    book.complaint(&["new", "bat", &book.path("nowhere/mine.toml")], 1);
    let quiet = "version = 1\ndimension = 2\nrun.until = 1\n[[bodies]]\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [0, 0]\n";
    let quiet = book.folder.write("quiet.toml", quiet);
    book.complaint(&["bench", &quiet], 1);
    book.complaint(&["man", "--out", &format!("{quiet}/pages")], 1);
    let comet = "version = 1\ndimension = 2\nrun.until = 3\nfields.central = { centre = [0, 0], strength = 1.0 }\n\
                 [[bodies]]\nname = \"comet\"\nshape = \"ball\"\nradius = 0.01\nmass = 1\nposition = [1, 0]\n";
    let comet = book.folder.write("comet.toml", comet);
    book.complaint_without_numbers(&["run", &comet, "--json"], 1);
}

/// Changes a manifest, and gives it the checksum that it has then.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut value);
    value.as_object_mut().unwrap().remove("crc32");
    let text = value.to_string();
    let sum = Crc::of(text.as_bytes());
    let text = text.strip_suffix('}').unwrap();
    std::fs::write(path, format!("{text},\"crc32\":\"{sum}\"}}\n")).unwrap();
}

/// What belongs to others, and what is not what it was.
fn belongings(book: &mut Book) {
    let bat = scene("bat");
    let out = book.path("kept");
    assert!(run(&["run", &bat, "--out", &out]).status.success());
    let file = |name: &str| Path::new(&out).join(name);
    std::fs::create_dir(file("plots")).unwrap();
    std::fs::write(file("plots/energy.svg"), "mine").unwrap();
    book.complaint(&["plot", &out, "--which", "energy"], 2);
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    std::fs::remove_file(file("plots/energy.svg")).unwrap();
    assert!(run(&["report", &out]).status.success());
    let list = std::fs::read(file("outputs.jsonl")).unwrap();
    std::fs::write(file("outputs.jsonl"), &list[..list.len() - 1]).unwrap();
    book.complaint(&["report", &out], 2);
    std::fs::write(file("outputs.jsonl"), "mine").unwrap();
    book.complaint(&["check", &out], 2);
    std::fs::write(file("outputs.jsonl"), &list).unwrap();
    #[cfg(unix)]
    {
        let link = book.path("link");
        std::os::unix::fs::symlink(&out, &link).unwrap();
        book.complaint(&["run", &bat, "--out", &link], 2);
    }
    let frames = ["--frames", "18446744073709551615"];
    let arguments = [&["run", &bat, "--out", "x"][..], &frames].concat();
    book.complaint(&arguments, 2);
    let interval = ["--set", "output.interval=1e-12"];
    book.complaint(&[&["run", &bat][..], &interval].concat(), 2);
    book.complaint(&[&["check", &bat][..], &interval].concat(), 2);
    // Bytes that are not what they were, in every part of a table.
    let whole = std::fs::read(file("events.parquet")).unwrap();
    let tail = whole.len() - 8;
    let footer = u32::from_le_bytes(whole[tail..tail + 4].try_into().unwrap()) as usize;
    for (at, value) in [
        (20, 0),
        (tail - footer + 8, 0),
        (tail + 2, 9),
        (tail, 0),
        (1, 0),
    ] {
        let mut changed = whole.clone();
        changed[at] = value;
        std::fs::write(file("events.parquet"), changed).unwrap();
        book.complaint(&["convert", &out, "--to", "csv"], 2);
    }
    let (two, other) = (scene("two_discs"), book.path("two"));
    assert!(run(&["run", &two, "--out", &other]).status.success());
    let events = Path::new(&other).join("events.parquet");
    std::fs::copy(events, file("events.parquet")).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("events.parquet"), &whole).unwrap();
    let summary = std::fs::read(file("summary.json")).unwrap();
    std::fs::write(file("summary.json"), &summary[1..]).unwrap();
    book.complaint_without_numbers(&["resume", &out, "--json"], 2);
    book.complaint_without_numbers(&["check", &out], 2);
    std::fs::write(file("summary.json"), &summary).unwrap();
    let manifest = std::fs::read(file("run.json")).unwrap();
    change(&file("run.json"), |manifest| {
        manifest["rows"]["events"] = json!(77)
    });
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("run.json"), &manifest[..manifest.len() - 1]).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("run.json"), "{\"format\":\"carom-run\",\"version\":2}").unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    // A folder of version 0.1.0.
    let mut old: Value = serde_json::from_slice(&manifest).unwrap();
    for key in ["crc32", "files", "framed"] {
        old.as_object_mut().unwrap().remove(key);
    }
    old["version"] = json!(1);
    std::fs::write(file("run.json"), old.to_string()).unwrap();
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    book.complaint(&["check", &out], 2);
    old["stage"] = json!("running");
    std::fs::write(file("run.json"), old.to_string()).unwrap();
    book.complaint(&["resume", &out], 2);
}

/// Folders that are none, and what is there already.
fn folders(book: &mut Book) {
    let bat = scene("bat");
    let out = book.path("out");
    assert!(run(&["run", &bat, "--out", &out]).status.success());
    book.complaint(&["run", &bat, "--out", &out], 2);
    book.complaint(&["run", &bat, "--out", "/"], 2);
    book.complaint(&["run", &bat, "--out", &format!("{bat}/run")], 2);
    book.complaint(&["explain", &out, "1000"], 2);
    book.complaint(&["convert", &out, "--to", "csv", "--out", &bat], 1);
    book.complaint(&["resume", &book.path("nowhere")], 2);
    book.complaint(&["resume", &bat], 2);
    std::fs::write(Path::new(&out).join("notes.txt"), "mine").unwrap();
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    std::fs::remove_file(Path::new(&out).join("notes.txt")).unwrap();
    let other = book.path("other");
    std::fs::create_dir(&other).unwrap();
    book.complaint(&["explain", &other, "1"], 2);
    std::fs::write(Path::new(&other).join("run.json"), "[]").unwrap();
    book.complaint(&["explain", &other, "1"], 2);
    let quiet = book.path("no-events");
    let arguments = ["run", &bat, "--out", &quiet, "--no-events"];
    assert!(run(&arguments).status.success());
    book.complaint(&["explain", &quiet, "1"], 2);
    // A complete folder with parts of others in it.
    let file = |name: &str| Path::new(&out).join(name);
    let cradle = book.path("cradle");
    let arguments = ["run", &scene("gas_3d"), "--out", &cradle];
    let solid = run(&arguments).status.success();
    let snapshot = std::fs::read(file("snapshot.bin")).unwrap();
    if solid {
        std::fs::copy(
            Path::new(&cradle).join("snapshot.bin"),
            file("snapshot.bin"),
        )
        .unwrap();
        book.complaint(&["explain", &out, "1"], 2);
    }
    let mut wrong = snapshot.clone();
    *wrong.last_mut().unwrap() ^= 1;
    for bytes in [&b"hello"[..], &snapshot[..50], &wrong] {
        std::fs::write(file("snapshot.bin"), bytes).unwrap();
        book.complaint(&["explain", &out, "1"], 2);
    }
    std::fs::write(file("snapshot.bin"), &snapshot).unwrap();
    std::fs::copy(file("audit.parquet"), file("events.parquet")).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("events.parquet"), "PAR1").unwrap();
    book.complaint(&["convert", &out, "--to", "csv"], 2);
    std::fs::remove_file(file("events.parquet")).unwrap();
    book.complaint(&["convert", &out, "--to", "csv"], 2);
    std::fs::remove_file(file("summary.json")).unwrap();
    book.complaint(&["resume", &out], 2);
    for (key, value) in [
        ("version", json!(9)),
        ("version", json!(1)),
        ("method", json!("magic")),
        ("method", json!("events")),
        ("snapshot", json!("../snapshot.bin")),
        ("stage", json!("asleep")),
    ] {
        change(&file("run.json"), |manifest| manifest[key] = value);
        if !["version", "method"].contains(&key) || RunFolder::open(out.as_ref()).is_err() {
            book.complaint(&["explain", &out, "1"], 2);
        }
    }
    std::fs::write(file("run.json"), "{").unwrap();
    book.complaint(&["explain", &out, "1"], 2);
}

/// Pictures that there are not.
fn pictures(book: &mut Book) {
    let (out, path) = (book.path("shown"), scene("two_discs"));
    assert!(run(&["run", &path, "--out", &out]).status.success());
    let frames = book.path("frames");
    std::fs::create_dir_all(&frames).unwrap();
    std::fs::write(Path::new(&frames).join("frame_00000.png"), "").unwrap();
    for arguments in [
        &["--at", "1e3"][..],
        &["--collision", "7"],
        &["--from", "2", "--to", "1"],
        &["--fps", "60"],
        &["--speed", "1e-6"],
        &["--view", "0,0,0,1,1,1"],
        &["--at", "1", "--out", "film.gif"],
        &["--out", "still.png"],
        &["--frames", &frames],
    ] {
        book.complaint(&[&["render", &out][..], arguments].concat(), 2);
    }
    let silent = book.path("silent");
    assert!(
        run(&["run", &path, "--out", &silent, "--until", "0"])
            .status
            .success()
    );
    book.complaint(&["render", &silent], 2);
    book.complaint(&["render", &silent, "--collision", "1"], 2);
    let copy = Path::new(&silent).join("scene.toml");
    std::fs::write(&copy, "version = 1\n").unwrap();
    book.complaint(&["render", &silent, "--at", "0"], 2);
    std::fs::remove_file(Path::new(&silent).join("bodies.parquet")).unwrap();
    book.complaint(&["render", &silent], 2);
    book.complaint(&["render", &book.path("nowhere")], 2);
}

/// A run that was cut off, with damage that resuming notices.
fn cut_off(book: &mut Book) {
    let scene = crowd(1e6) + "[observe]\nmsd_lags = 2\n";
    let path = book.folder.write("crowd.toml", &scene);
    let out = book.path("cut-off");
    let arguments = ["run", &path, "--out", &out, "--checkpoint", "0", "--quiet"];
    let mut child = carom()
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let rows = || RunFolder::open(out.as_ref()).map(|run| run.manifest().rows.events);
    while !rows().is_ok_and(|rows| rows > 0) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    book.complaint(&["resume", &out], 1);
    child.kill().unwrap();
    child.wait().unwrap();
    // Nothing to go back to.
    let _ = std::fs::remove_file(Path::new(&out).join("run-previous.json"));
    std::fs::write(Path::new(&out).join("summary.json"), "mine").unwrap();
    book.complaint(&["report", &out], 2);
    std::fs::remove_file(Path::new(&out).join("summary.json")).unwrap();
    let manifest = Path::new(&out).join("run.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    change(&manifest, |manifest| {
        manifest["tally"]["by_body"] = json!([1, 2]);
    });
    book.complaint(&["resume", &out], 2);
    // More rows than the part has.
    change(&manifest, |manifest| {
        *manifest = whole.clone();
        let rows = manifest["rows"]["audit"].as_u64().unwrap();
        manifest["rows"]["audit"] = json!(rows + 1000);
    });
    book.complaint_without_numbers(&["resume", &out], 2);
    change(&manifest, |manifest| *manifest = whole.clone());
    let snapshot = whole["snapshot"].as_str().unwrap();
    let averages = Path::new(&out).join(snapshot.replace(".bin", ".averages.bin"));
    let bytes = std::fs::read(&averages).unwrap();
    for bytes in [&bytes[..bytes.len() - 8], &bytes[1..], b""] {
        std::fs::write(&averages, bytes).unwrap();
        book.complaint_without_numbers(&["resume", &out], 2);
    }
    std::fs::remove_file(&averages).unwrap();
    book.complaint_without_numbers(&["resume", &out], 2);
    std::fs::write(&averages, &bytes).unwrap();
    // Whole, but of another run.
    let averages = averages.file_name().unwrap().to_str().unwrap().to_owned();
    let other = b"other";
    std::fs::write(Path::new(&out).join(&averages), other).unwrap();
    change(&manifest, |manifest| {
        let files = manifest["files"].as_array_mut().unwrap();
        for listed in files.iter_mut().filter(|l| l["file"] == averages.as_str()) {
            listed["bytes"] = json!(other.len());
            listed["crc32"] = json!(Crc::of(other).to_string());
        }
    });
    book.complaint_without_numbers(&["resume", &out], 2);
    std::fs::write(Path::new(&out).join(".lock"), "mine").unwrap();
    book.complaint(&["resume", &out], 2);
    std::fs::remove_file(Path::new(&out).join("frames/part-000000.parquet")).unwrap();
    book.complaint(&["plot", &out], 2);
}

#[test]
fn complaints_are_as_they_were() {
    let mut book = Book {
        folder: Folder::new("complaints"),
        text: String::new(),
        checked: 0,
    };
    arguments(&mut book);
    scenes(&mut book);
    runs(&mut book);
    solids(&mut book);
    folders(&mut book);
    belongings(&mut book);
    pictures(&mut book);
    cut_off(&mut book);
    assert!(book.checked >= 15, "{} of check", book.checked);
    let path = here().join("tests/complaints.txt");
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        std::fs::write(&path, &book.text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (found, expected)) in (1..).zip(book.text.lines().zip(expected.lines())) {
        assert_eq!(found, expected, "line {line} of complaints.txt");
    }
    assert_eq!(book.text, expected);
}

const FULL: &str = "of a full disk or a closed pipe: tested in command.rs and kill.rs";
const BACKSTOP: &str = "of files that are whole and yet wrong, which nothing writes";
const GOES_ON: &str = "a warning of a run that goes on: tested in data_of_users.rs";
const NO_MESSAGE: &str = "part of what is written or told when all is well";
const OTHER_VERSION: &str = "of run folders of another version, which nothing here writes";
const MEMORY: &str = "it depends on how much memory the machine has";

/// Texts that are no messages, or that this test cannot bring about, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    (
        "error: a run of {bodies} bodies takes about {} of memory more, and {} are there\n",
        MEMORY,
    ),
    ("a column has {} of {rows} rows", BACKSTOP),
    ("a column holds neither numbers nor words", BACKSTOP),
    ("it is no whole Parquet file ({})", BACKSTOP),
    ("its footer is of another file", BACKSTOP),
    ("its footer has no checksums", BACKSTOP),
    ("the footer has no place for its sum", BACKSTOP),
    ("a column of another kind", BACKSTOP),
    ("pages of {other}", BACKSTOP),
    ("a page of {bytes} bytes", BACKSTOP),
    ("pages of the second version", BACKSTOP),
    ("`{text}` is no checksum", BACKSTOP),
    (
        "it is of another kind of run than the manifest says",
        BACKSTOP,
    ),
    (
        "{error}; going on from the checkpoint before, at t = {} s (what is damaged has got a name that ends in .damaged)",
        GOES_ON,
    ),
    ("the columns are not the same", BACKSTOP),
    ("the next column holds no whole numbers", BACKSTOP),
    ("the next column holds no floats", BACKSTOP),
    ("the next column holds no words", BACKSTOP),
    (
        "error: the snapshot of the run folder is not that of its events\n",
        BACKSTOP,
    ),
    ("two repetitions are not the same to the bit", BACKSTOP),
    ("error: cannot write the output: {error}", FULL),
    (
        "another version of carom wrote it (snapshots of version {found}; this one reads {}): run the scene again",
        OTHER_VERSION,
    ),
    ("carom ob", NO_MESSAGE),
    ("slip reversed", NO_MESSAGE),
];

/// A text of the run folders' sources with a blank in it is (part of) a message, and of the command's one that begins
/// like one. A new one needs a case above that shows it.
#[test]
fn no_complaint_goes_unseen() {
    let snapshot = std::fs::read_to_string(here().join("tests/complaints.txt")).unwrap();
    let begins = |text: &str| {
        let beginnings = ["error: ", "must be ", "cannot ", "nothing ", "two "];
        beginnings.iter().any(|begin| text.starts_with(begin))
    };
    let (mut unseen, mut used) = (Vec::new(), Vec::new());
    for of_data in [true, false] {
        let folder = match of_data {
            true => here().join("../carom-data/src"),
            false => here().join("src"),
        };
        for (file, source) in sources(&folder) {
            // Writers of formats.
            if of_data && ["vtk.rs", "extxyz.rs", "npz.rs"].contains(&file.as_str()) {
                continue;
            }
            for text in literals::literals(&source) {
                let words = text.trim().contains(' ') && text.chars().any(char::is_alphabetic);
                if !words || !(of_data || begins(&text)) {
                    continue;
                }
                let lines: Vec<&str> = text.lines().collect();
                if lines.iter().all(|line| is_shown(line, &snapshot)) {
                    continue;
                }
                match UNSEEN.iter().find(|(known, _)| *known == text) {
                    Some((known, _)) => used.push(*known),
                    None => unseen.push(format!("{file}: {text}")),
                }
            }
        }
    }
    assert!(unseen.is_empty(), "shown nowhere:\n{}", unseen.join("\n"));
    let idle = UNSEEN.iter().filter(|(known, _)| !used.contains(known));
    let idle: Vec<_> = idle.collect();
    assert!(idle.is_empty(), "not needed any more: {idle:?}");
}
