//! What the command says when something is wrong: every message, as it was read and found good, in
//! `tests/complaints.txt`.
//!
//! `UPDATE_MESSAGES=1 cargo test -p carom-cli --test complaints` writes them anew; then read the difference.

#[path = "../common/mod.rs"]
mod common;
mod folders;
#[path = "../../../carom-scene/tests/messages/literals.rs"]
mod literals;
mod sweeps;
mod unseen;

use carom_data::{Crc, RunFolder};
use common::folder::{Folder, crowd};
use common::*;
use folders::{belongings, cut_off, folders, pictures};
use literals::{is_shown, sources};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use sweeps::{lammps, sweeps};

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
        let message = without_checksums(&message);
        writeln!(self.text, "$ carom {line}\n{}", shown(message)).unwrap();
    }
}

/// Checksums depend on every bit of what a run wrote: it is enough that they are eight digits, and not the same.
fn without_checksums(message: &str) -> String {
    let mut parts = message.split("its checksum is ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_sum = |sum: &str| sum.len() == 8 && sum.bytes().all(|b| b.is_ascii_hexdigit());
        let (found, rest) = part.split_once(" instead of ").expect("two of them");
        let (wanted, rest) = rest.split_at(8);
        assert!(
            is_sum(found) && is_sum(wanted) && found != wanted,
            "{message}"
        );
        plain += &format!("its checksum is SUM instead of SUM{rest}");
    }
    plain
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
        &["render", "x", "--at", "120%"],
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
        &["compare", &scene("bumper")],
        &["bench", "--fraction", "0.6"],
        &["bench", "--dimension", "4"],
        &["bench", &bat, "--balls", "3"],
        &["completions", "tcsh"],
        &["new"],
    ] {
        book.complaint(arguments, 2);
    }
}

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
    let bumpers = book.folder.write("bumpers.toml", BUMPERS);
    book.complaint(&["run", &bumpers], 1);
    // Forces refuse what gives back more than it gets.
    book.complaint(&["run", &bumpers, "--method", "forces"], 2);
    let spinning = book.folder.write("floor.toml", FLOOR);
    book.complaint(&["run", &spinning], 1);
    let press = book.folder.write("press.toml", PRESS);
    book.complaint(&["run", &press], 1);
}

/// Worlds with solids that turn which no method can run: one that is larger than half the periodic box, and one that a
/// thin wall cuts in two.
fn solids(book: &mut Book) {
    let book_of_one = |name: &str, more: &str| {
        format!(
            "version = 1\ndimension = 3\nrun.until = 1\n{more}[[bodies]]\nname = \"{name}\"\nshape = \"box\"\nsize = [1, 1, 1]\nposition = [5, 5, 5]\nmass = 1\n"
        )
    };
    let film = "[[bodies]]\nname = \"film\"\nshape = \"wall\"\npoint = [4.6, 0, 0]\nnormal = [1, 0, 0]\ntwo_sided = true\n";
    for (name, more) in [("round", "periodic = [2, 20, 20]\n"), ("caught", film)] {
        let path = (book.folder).write(&format!("{name}.toml"), &book_of_one(name, more));
        book.complaint(&["run", &path], 2);
        let spring = "forces.spring_time=1e-3";
        book.complaint(&["run", &path, "--method", "forces", "--set", spring], 2);
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
    sweeps(&mut book);
    lammps(&mut book);
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
