//! Plain words: what was retired from the vocabulary stays out of pages, help, messages, schema and public rustdoc.

use super::common::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A retired word or phrase, and what is said instead. Words are compared without regard to case; between backquotes
/// stands an old key or column.
const RETIRED: [(&str, &str); 60] = [
    // Bodies are not people.
    ("somebody", "something, another process, a listener"),
    ("someone", "something"),
    ("nobody", "nothing, no body"),
    ("anybody", "anything"),
    ("anyone", "anything"),
    ("everybody", "everything"),
    ("everyone", "all bodies"),
    ("who", "which, that"),
    ("whom", "which body"),
    // Energy and momentum.
    ("books", "energy (momentum) budget"),
    ("imbalance", "residual"),
    ("energy_imbalance", "energy_residual"),
    ("momentum_imbalance", "momentum_residual"),
    ("put in", "added"),
    ("puts in", "adds"),
    ("put_in", "energy_added"),
    ("work_by_driven", "work_by_kinematic"),
    // Bodies and the world.
    ("scenery", "fixtures"),
    ("prop", "fixture"),
    ("props", "fixtures"),
    ("driven", "kinematic"),
    ("prescribed", "kinematic, a given motion"),
    ("solids that turn", "rigid bodies"),
    ("room", "container; memory, space"),
    ("rooms", "containers"),
    ("crowd", "granular engine"),
    ("in the plane", "in 2-D"),
    ("in space", "in 3-D"),
    ("meets everyone", "collides with everything"),
    // Motion.
    ("ways", "trajectories"),
    ("turn_w", "orientation_w"),
    ("spins included", "rotation included"),
    ("foreseen", "predicted"),
    // Contacts.
    ("closing speed", "approach speed"),
    ("closing_speed", "approach_speed"),
    ("parting", "separation"),
    ("parting_speed", "separation_speed"),
    ("tandem", "sticking contact"),
    ("quick verdicts", "bounding-sphere tests"),
    ("verdict", "bounding-sphere test, outcome"),
    ("blow", "impulse, impact"),
    ("blows", "impulses, impacts"),
    // Running.
    ("gets on", "makes progress"),
    ("unless given", "default"),
    ("unless told", "by default"),
    ("a number that is none", "NaN"),
    ("leash", "safe distance"),
    ("roster", "registry"),
    // Old keys.
    ("`spin`", "`angular_velocity`"),
    ("`meets`", "`collides_with`"),
    ("`longest`", "`max_step`"),
    ("`max_events`", "`max_collisions`"),
    ("`young`", "`youngs_modulus`"),
    ("`poisson`", "`poissons_ratio`"),
    ("`looks`", "`samples`"),
    ("`shells`", "`bins`"),
    ("`arms`", "`lever_arm`"),
    ("`runner`", "`engine`"),
    ("`spin_drag`", "`rotational_drag`"),
    ("`solids`", "`rigid_bodies`"),
];

/// Where a retired word is the right one: terms of the field, idioms, and names of files.
const ALLOWED: [&str; 19] = [
    "event-driven",
    "in the plane of",
    "several ways",
    "blow up",
    "blows up",
    "rooms.rs",
    "rooms_moving.rs",
    "rooms.svg",
    "prescribed.svg",
    "tandem.svg",
    "gallery/tandem.png",
    "scenes/tandem.toml",
    "*scene* `tandem`",
    "ways_reference.rs",
    "kernels::solids",
    // The test of a page that says so itself: the module of kernels.
    "[`solids`]",
    "`solids` |",
    "while it blows",
    "--by crowd",
];

/// Headings of sections that are about old names.
const ABOUT_OLD_NAMES: [&str; 3] = [
    "Old names",
    "From version 1 to version 2",
    "Columns of earlier versions",
];

/// What of a line was retired, with what to say instead.
fn retired(line: &str) -> Vec<String> {
    let mut line = line.to_lowercase();
    for phrase in ALLOWED {
        line = line.replace(phrase, &" ".repeat(phrase.len()));
    }
    let mut found = Vec::new();
    for (word, instead) in RETIRED {
        let whole = |at: usize| {
            let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
        };
        if line.match_indices(word).any(|(at, _)| whole(at)) {
            found.push(format!("\"{word}\" (say: {instead})"));
        }
    }
    found
}

fn judge(faults: &mut Vec<String>, place: &str, number: usize, line: &str) {
    for fault in retired(line) {
        faults.push(format!("{place}:{number}: {fault}: {}", line.trim()));
    }
}

#[test]
fn retired_words_are_found() {
    assert_eq!(retired("Nobody knows.").len(), 1);
    assert_eq!(retired("the way whose end is event-driven").len(), 0);
    assert_eq!(retired("`spin` is a spinning resistance").len(), 1);
    assert_eq!(retired("room_box_3d and a roomy box").len(), 0);
    assert_eq!(
        retired("put in"),
        ["\"put in\" (say: added)"],
        "words of two"
    );
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

fn below_root(path: &Path) -> String {
    let name = path.strip_prefix(root()).unwrap_or(path);
    name.to_string_lossy().into_owned()
}

/// Pages for users and contributors, but for the sections about old names.
#[test]
fn pages_use_plain_words() {
    let mut paths = Vec::new();
    files(&root().join("docs"), ".md", &mut paths);
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        paths.push(root().join(name));
    }
    for folder in std::fs::read_dir(root().join("crates")).unwrap() {
        paths.push(folder.unwrap().path().join("README.md"));
    }
    files(&root().join("scenes"), ".toml", &mut paths);
    let mut faults = Vec::new();
    for path in &paths {
        let place = below_root(path);
        let mut about_old_names = false;
        for (number, line) in text(path).lines().enumerate() {
            if place.ends_with(".md") && line.starts_with('#') {
                let title = line.trim_start_matches('#').trim();
                about_old_names = ABOUT_OLD_NAMES.contains(&title);
            }
            if !about_old_names && !line.starts_with("**Old names.**") {
                judge(&mut faults, &place, number + 1, line);
            }
        }
    }
    assert!(paths.len() > 80, "{} pages", paths.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Old names of keys are still read, with a note; the sample scenes have none.
#[test]
fn sample_scenes_use_todays_keys() {
    let mut paths = Vec::new();
    files(&root().join("scenes"), ".toml", &mut paths);
    assert!(paths.len() > 50, "{} scenes", paths.len());
    for path in paths {
        let scene = carom_scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.notes, [""; 0], "{}", path.display());
    }
}

/// The rows of the physics have names of their own in tests and on one page; other pages name the thing itself.
#[test]
fn names_of_rows_are_on_one_page() {
    let mut paths = Vec::new();
    files(&root().join("docs"), ".md", &mut paths);
    paths.push(root().join("README.md"));
    let is_row = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|first| "KMFCP".contains(first))
            && matches!(letters.as_str().parse::<u32>(), Ok(1..=15))
    };
    let mut faults = Vec::new();
    for path in paths.iter().filter(|path| !path.ends_with("docs/rows.md")) {
        for (number, line) in text(path).lines().enumerate() {
            for word in line.split(|c: char| !c.is_alphanumeric()) {
                if is_row(word) {
                    faults.push(format!("{}:{}: {word}", below_root(path), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What `carom` says of itself, and the scene reference that it prints.
#[test]
fn help_uses_plain_words() {
    let carom = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        let output = command.args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let general = carom(&["--help"]);
    let commands: Vec<&str> = general
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 12, "{commands:?}");
    let mut faults = Vec::new();
    let mut judge_all = |place: &str, text: &str| {
        for (number, line) in text.lines().enumerate() {
            judge(&mut faults, place, number + 1, line);
        }
    };
    judge_all("carom --help", &general);
    for name in commands {
        judge_all(&format!("carom {name} --help"), &carom(&[name, "--help"]));
    }
    judge_all("carom schema", &carom(&["schema"]));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The part of a source file that is compiled into the library: without the tests at its end.
fn without_tests(text: &str) -> &str {
    let tests = text.find("#[cfg(test)]\nmod ");
    &text[..tests.unwrap_or(text.len())]
}

/// What stands between quotes on a line.
fn literals(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (c, start) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('"', None) => start = Some(at + 1),
            ('"', Some(from)) => {
                found.push(&line[from..at]);
                start = None;
            }
            _ => {}
        }
    }
    // A text that goes on in the next line.
    found.extend(start.map(|from| &line[from..]));
    found
}

fn sources() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(root().join("crates")).unwrap() {
        files(&folder.unwrap().path().join("src"), ".rs", &mut paths);
    }
    paths.retain(|path| !path.ends_with("tests.rs"));
    assert!(paths.len() > 300, "{} sources", paths.len());
    paths
}

/// Messages, labels and descriptions: every text in the sources that has a space in it.
#[test]
fn messages_use_plain_words() {
    let mut faults = Vec::new();
    for path in sources() {
        let place = below_root(&path);
        let source = text(&path);
        for (number, line) in without_tests(&source).lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for literal in literals(line).into_iter().filter(|text| text.contains(' ')) {
                // The list of old names is about them.
                if !literal.contains("column `spin`") {
                    judge(&mut faults, &place, number + 1, literal);
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Sources of the core whose items are not for users, though some are public within the crate.
const INTERNAL: &str = "crates/carom/src/simulate/";
/// What of these is.
const FOR_USERS: [&str; 14] = [
    "cancel.rs",
    "director/",
    "engine/view.rs",
    "error/",
    "exact/error.rs",
    "force_options.rs",
    "mod.rs",
    "query.rs",
    "refuse.rs",
    "simulation/",
    "subscribers.rs",
    "until.rs",
    "watchdog.rs",
    "stepped/granular/setup.rs",
];

/// The documentation of public items: comments above `pub`, above variants, and of modules.
#[test]
fn public_documentation_uses_plain_words() {
    let (mut faults, mut lines) = (Vec::new(), 0);
    for path in sources() {
        let place = below_root(&path);
        if let Some(name) = place.strip_prefix(INTERNAL)
            && !FOR_USERS.iter().any(|start| name.starts_with(start))
        {
            continue;
        }
        let source = text(&path);
        let mut above: Vec<(usize, &str)> = Vec::new();
        for (number, line) in without_tests(&source).lines().enumerate() {
            let line = line.trim_start();
            if line.starts_with("///") {
                above.push((number + 1, line));
            } else if !line.starts_with("#[") && !line.is_empty() {
                let public =
                    line.starts_with("pub ") || line.starts_with(|c: char| c.is_ascii_uppercase());
                for (number, line) in above.drain(..).filter(|_| public) {
                    lines += 1;
                    judge(&mut faults, &place, number, line);
                }
                if line.starts_with("//!") {
                    lines += 1;
                    judge(&mut faults, &place, number + 1, line);
                }
            }
        }
    }
    assert!(lines > 4000, "{lines} lines of documentation");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
