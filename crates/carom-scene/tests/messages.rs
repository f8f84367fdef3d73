//! Every message of the reader is shown somewhere: beside the bad scenes in `tests/bad`, or in `tests/messages.txt`,
//! which has those that no file beside a message can have (what is set from outside, files that are no files, scenes of
//! thousands of lines).
//!
//! `UPDATE_MESSAGES=1 cargo test -p carom-scene` writes them anew; then read the difference.

#[path = "messages/literals.rs"]
mod literals;

use carom_scene::{Limits, load, parse_with, parse_within};
use literals::{is_shown, sources};
use std::fmt::Write;
use std::path::PathBuf;

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

const SCENE: &str = "\
version = 1
dimension = 2
run.until = 1.0
[variables]
speed = 3.0
[materials.ivory]
restitution = 0.9
[[bodies]]
name = \"cue\"
shape = \"ball\"
radius = 0.1
mass = 1.0
position = [0.0, 0.0]
[[bodies]]
shape = \"ball\"
radius = 0.1
mass = 1.0
position = [1.0, 0.0]
";

/// What is wrong with values that are set from outside.
fn set_from_outside(all: &mut String) {
    for (key, value) in [
        ("run.until", "-1"),
        ("run.utnil", "2"),
        ("bodies.cu.velocity", "[1, 0]"),
        ("bodies.zebra.velocity", "[1, 0]"),
        ("bodies.3.velocity", "[1, 0]"),
        ("bodies.0.velocity", "[1, 0]"),
        ("bodies.cue.velocity.3", "1"),
        ("bodies.cue.radius.x", "1"),
        ("bodies", "3"),
        ("bodies.cue.radius", "[1,"),
        ("bodies.cue.radius", ""),
        ("bodies.cue.radius", "1 2"),
        ("bodies.\"cue", "1"),
        ("", "1"),
        ("run..until", "1"),
        ("bodies.\"cue\"x", "1"),
        ("materials.ivroy.restitution", "1"),
        ("variables.speed", "\"$sped\""),
        ("bodies.cue.radius", "2 * $sped"),
    ] {
        let pairs = [(key.to_owned(), value.to_owned())];
        let message = match parse_with("scene.toml", SCENE, &pairs) {
            Ok(_) => "fine".to_owned(),
            Err(errors) => errors.to_string(),
        };
        writeln!(all, "--- --set '{key}={value}'\n{message}\n").unwrap();
    }
}

/// Files that are none, and those that are too large.
///
/// Longer than most: a list of files, and what is said of each.
fn files(all: &mut String) {
    let folder = std::env::temp_dir().join(format!("carom-messages-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("a_folder")).unwrap();
    std::fs::write(folder.join("cradle.toml"), SCENE).unwrap();
    std::fs::write(folder.join("huge.toml"), vec![b'#'; (4 << 20) + 1]).unwrap();
    std::fs::write(folder.join("zero.json"), b"{\0}").unwrap();
    let csv = |file: &str, content: &str, table: &str| {
        if !table.is_empty() {
            std::fs::write(folder.join("table.csv"), table).unwrap();
        }
        let scene = format!(
            "version = 1\ndimension = 2\nrun.until = 1.0\n[[generate]]\nkind = \"csv\"\n{content}\nfile = \"{file}\"\n"
        );
        std::fs::write(folder.join("csv.toml"), scene).unwrap();
    };
    let mut show = |what: &str, name: &str| {
        let message = load(&folder.join(name)).unwrap_err().to_string();
        let message = message.replace(&folder.display().to_string(), "TMP");
        // How much of a long name is shown depends on how long the name of the folder is.
        let message = message.split("xxxxxxxxxx").filter(|part| !part.is_empty());
        let message: Vec<&str> = message.map(|part| part.trim_start_matches('x')).collect();
        let message = message.join("xxx");
        writeln!(all, "--- {what}\n{message}\n").unwrap();
    };
    show("a folder", "a_folder");
    show("nothing there", "nowhere.toml");
    show("nearly its name", "cradel.toml");
    show("a file as a folder", "cradle.toml/x");
    show("a huge file", "huge.toml");
    show("JSON with a zero byte", "zero.json");
    show("a name that is too long", &"x".repeat(300));
    #[cfg(unix)]
    {
        let pipe = folder.join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&pipe).unwrap();
        show("a socket", "socket");
    }
    let looks = "radius = 0.1\nmass = 1.0";
    for (what, file, content, table) in [
        ("a table that is not there", "nowhere.csv", looks, ""),
        ("nearly its name", "tabel.csv", looks, "x,y\n1,2\n"),
        ("a table that is a folder", "a_folder", looks, ""),
        ("no rows", "table.csv", looks, "x,y\n# nothing\n"),
        (
            "columns",
            "table.csv",
            looks,
            "x,y,x,colour,vxx\n1,2,3,4,5\n",
        ),
        ("no y", "table.csv", looks, "x,vx\n1,2\n"),
        ("no radius, no mass", "table.csv", "", "x,y\n1,2\n"),
        (
            "values",
            "table.csv",
            looks,
            "x,y,radius,name\n1,2,-1,a\n1,2,three,b\n1,2,1\n5,6,1,\n5,6,1,c,7\n",
        ),
        (
            "a name twice",
            "table.csv",
            looks,
            "x,y,name\n1,2,a\n3,4,a\n",
        ),
        ("no text", "table.csv", looks, "x,y\n\u{0}\n"),
    ] {
        csv(file, content, table);
        show(&format!("a table of bodies: {what}"), "csv.toml");
    }
    csv("table.csv", looks, "");
    std::fs::write(folder.join("table.csv"), b"x,y\n\xff,2\n").unwrap();
    show("a table of bodies: not UTF-8", "csv.toml");
    // Nothing of it is written: the file has a length and no content.
    let huge = std::fs::File::create(folder.join("table.csv")).unwrap();
    huge.set_len((2 << 30) + 1).unwrap();
    show("a table of bodies: huge", "csv.toml");
    let scene = format!("{SCENE}[[generate]]\nkind = \"csv\"\n{looks}\nfile = \"table.csv\"\n");
    std::fs::write(folder.join("table.csv"), "x,y\n5,5\n6,6\n").unwrap();
    let name = folder.join("scene.toml").display().to_string();
    let three = Limits {
        bodies: 3,
        ..Limits::default()
    };
    let errors = parse_within(&name, &scene, &[], &three).unwrap_err();
    let message = errors
        .to_string()
        .replace(&folder.display().to_string(), "TMP");
    writeln!(
        all,
        "--- a table of bodies: more rows than there is room for\n{message}\n"
    )
    .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}

/// More than there may be.
fn too_many(all: &mut String) {
    let mut show = |what: &str, scene: &str, limits: &Limits| {
        let errors = parse_within("scene.toml", scene, &[], limits).unwrap_err();
        let message = errors.to_string();
        let shown: Vec<&str> = message.lines().take(12).collect();
        writeln!(all, "--- {what}\n{}\n", shown.join("\n")).unwrap();
    };
    let few = Limits {
        bodies: 1,
        tables: false,
        memory: None,
        empty: false,
    };
    show("more bodies than may be", SCENE, &few);
    let head = "version = 1\ndimension = 2\nrun.until = 1.0\n";
    let room =
        format!("{head}[[containers]]\nshape = \"rectangle\"\nlow = [0, 0]\nhigh = [1, 1]\n");
    show("more walls than may be", &room, &few);
    let row = "[[generate]]\nkind = \"row\"\nradius = 0.1\nmass = 1\ncount = 3\nposition = [0, 3]\nstep = [1, 0]\n";
    show(
        "more generated bodies than may be",
        &format!("{head}{row}"),
        &few,
    );
    // What there is for them: more than these need by far, and not for millions.
    let little = Limits {
        memory: Some(64 << 20),
        ..Limits::default()
    };
    let million = row.replace("count = 3", "count = 1000000");
    show(
        "more generated bodies than there is memory for",
        &format!("{head}{million}"),
        &little,
    );
    let listed = "[[bodies]]\nposition = [0, 0]\n".repeat(400_000);
    show(
        "more bodies one by one than there is memory to read",
        &format!("{head}{listed}"),
        &little,
    );
    let three = Limits { bodies: 4, ..few };
    show(
        "more generated bodies than there is room for",
        &format!("{SCENE}{row}"),
        &three,
    );
    let csv = "[[generate]]\nkind = \"csv\"\nfile = \"x.csv\"\nradius = 1\nmass = 1\n";
    show("no tables", &format!("{head}{csv}"), &few);
    let names = |table: &str, value: &str, count: usize| -> String {
        let lines = (0..count).map(|number| format!("n{number} = {value}\n"));
        format!("{SCENE}[{table}]\n{}", lines.collect::<String>())
    };
    let any = Limits::default();
    let variables = names("variables", "1", 1001).replace("[variables]\nspeed = 3.0\n", "");
    show("variables", &variables, &any);
    show("materials", &names("materials", "{}", 1001), &any);
    let values = vec!["1"; 100_001].join(",");
    show(
        "values of a variable",
        &SCENE.replace("speed = 3.0", &format!("speed = [{values}]")),
        &any,
    );
}

/// What is said of scenes that are good but use old names.
fn notes(all: &mut String) {
    let text = "version = 1\ndimension = 2\nrun.until = 1\nrun.max_events = 5\n\
        [[bodies]]\nname = \"a\"\nshape = \"ball\"\nradius = 0.1\nmass = 1\nposition = [0, 0]\nspin = 1\n\
        [[bodies]]\nname = \"b\"\nshape = \"ball\"\nradius = 0.1\nmass = 1\nposition = [1, 0]\nspin = 1\n\
        [[generate]]\nname = \"g\"\nkind = \"csv\"\nfile = \"tests/messages/old_column.csv\"\nradius = 0.1\nmass = 1\n";
    let set = [("bodies.b.meets".to_owned(), "[]".to_owned())];
    let name = here().join("old.toml").display().to_string();
    let scene =
        carom_scene::parse_with(&name, text, &set).unwrap_or_else(|errors| panic!("{errors}"));
    for note in scene.notes {
        *all += &format!("{}\n", note.replace(&name, "old.toml"));
    }
}

/// What is hardly meant; files of keys; plans that do not fit.
fn around_runs(all: &mut String) {
    let text = "version = 1\ndimension = 2\nrun.until = 1\ngravity = [0, -981]\n\
        [materials.m]\nrestitution = 95\nfriction = 20\n\
        [[bodies]]\nname = \"b\"\nshape = \"box\"\nsize = [1, 1]\nposition = [0, 0]\nangle = 45\n\
        [[when]]\ntime = 2\ndo = { set = \"b\", material = \"m\" }\n\
        [[when]]\ntime = 0.5\ndo = { add = \"b\" }\n";
    let scene = carom_scene::parse("odd.toml", text).unwrap_or_else(|errors| panic!("{errors}"));
    for warning in &scene.warnings {
        *all += &format!("{warning}\n");
    }
    for text in ["left", "1 hold left", "1 press"] {
        let (line, wrong) = carom_scene::parse_keys(text).unwrap_err();
        *all += &format!("{line}: {wrong}\n");
    }
    let missing = carom_scene::load_keys(&here().join("no keys.txt")).unwrap_err();
    let missing = missing.replace(&here().display().to_string(), "…");
    *all += &format!("{}\n", missing.split(" (os error").next().unwrap_or(""));
    let (carom_scene::AnyWorld::Two(mut world), carom_scene::AnyPlan::Two(plan)) =
        (scene.world, scene.plan)
    else {
        panic!("of dimension 2")
    };
    let another = world.bodies()[0].clone().named("another");
    world.add(another).unwrap();
    let unfit = plan.simulation(world, carom::simulate::Method::default());
    *all += &format!("{}\n", unfit.unwrap_err());
}

#[test]
fn messages_without_a_file_are_as_they_were() {
    let mut all = String::new();
    set_from_outside(&mut all);
    files(&mut all);
    too_many(&mut all);
    notes(&mut all);
    around_runs(&mut all);
    let path = here().join("tests/messages.txt");
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        std::fs::write(&path, &all).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (found, expected)) in (1..).zip(all.lines().zip(expected.lines())) {
        assert_eq!(found, expected, "line {line} of messages.txt");
    }
    assert_eq!(all, expected);
}

/// Texts that are no messages, or that no test can bring about, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    ("a rigid body: {other}", BACKSTOP),
    ("makes this body", BACKSTOP),
    ("in this container", BACKSTOP),
    ("nothing is named", BACKSTOP),
    ("c, N·m·s", PRESENT),
    ("the radii", PRESENT),
    (
        "`{shown}` may not be read: permission denied",
        "the superuser may read everything, and tests may be run by it",
    ),
    (
        "a string takes everything that is written to it",
        "of a panic that cannot come",
    ),
    ("`{shown}` has {number} triangles", LARGE),
    ("{error}, made {scale} times as large", OVERFLOW),
    ("this mesh", OVERFLOW),
    (
        "the bodies of `{}` do not fit into the {} of memory that are there: line {number} is one too many",
        ELSEWHERE,
    ),
    (
        "`{name}` is larger than {LARGEST} bytes",
        "needs a file of 50 MB",
    ),
    ("`{name}` (line {line}): {reason}", BACKSTOP),
    (
        "the scene has more than {} bodies",
        "needs twenty million bodies",
    ),
    (
        "a name without `*`: the scene has too many patterns for its many bodies",
        "needs a hundred million comparisons",
    ),
    ("as in [fields]", PRESENT),
    ("the name of a body, or a body", PRESENT),
    ("the name of a body with a hinge", PRESENT),
    ("the name of a body on a rail", PRESENT),
    ("the name of a ball", PRESENT),
    ("invalid literal", COMPARED),
    ("invalid multi", COMPARED),
    (", expected ", COMPARED),
    ("string values must be quoted", COMPARED),
];
const BACKSTOP: &str =
    "said where the library refuses what the reader has let pass, which it does not";
const LARGE: &str = "needs a file of half a million triangles";
const OVERFLOW: &str =
    "a scale that takes corners beyond the largest number, of a mesh that is as large as that";
const PRESENT: &str = "a key that is only asked for where it is there";
const ELSEWHERE: &str = "needs a table of many rows, which generators.rs writes";
const COMPARED: &str = "what the parser of TOML says, put into other words";

/// A text in the sources with a blank in it is (part of) a message. A new one needs a bad scene that shows it.
#[test]
fn no_message_goes_unseen() {
    let mut snapshots = std::fs::read_to_string(here().join("tests/messages.txt")).unwrap();
    for entry in std::fs::read_dir(here().join("tests/bad")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            snapshots += &std::fs::read_to_string(path).unwrap();
        }
    }
    let mut unseen = Vec::new();
    let mut used = Vec::new();
    for (file, source) in sources(&here().join("src")) {
        // The schema's descriptions are no messages, and what is said of a collision is tested with the command.
        let described = ["forms", "schema", "explain"];
        if described.iter().any(|name| file.starts_with(name)) || file.ends_with("tests.rs") {
            continue;
        }
        for text in literals::literals(&source) {
            let words = text.trim().contains(' ') && text.chars().any(char::is_alphabetic);
            if !words || is_shown(&text, &snapshots) {
                continue;
            }
            match UNSEEN.iter().find(|(known, _)| *known == text) {
                Some((known, _)) => used.push(*known),
                None => unseen.push(format!("{file}: {text}")),
            }
        }
    }
    assert!(unseen.is_empty(), "shown nowhere:\n{}", unseen.join("\n"));
    let idle = UNSEEN.iter().filter(|(known, _)| !used.contains(known));
    let idle: Vec<_> = idle.collect();
    assert!(idle.is_empty(), "not needed any more: {idle:?}");
}

/// The check can fail: a text that nobody says is not found, one with other numbers in it is.
#[test]
fn texts_are_found_with_anything_in_the_place_of_their_values() {
    let source = "fn f() { let x = \"a {b} of {}, \\\n    then\"; } // \"no text\"\nfn g() -> char { '\"' }\n#[cfg(test)]\nmod tests { \"x y\" }";
    assert_eq!(literals::literals(source), ["a {b} of {}, then"]);
    assert!(is_shown("a {b} of {}, then", "--\n  a 3 of 4, then more"));
    assert!(!is_shown("a {b} of {}, then", "a 3 of 4\n, then"));
    assert!(is_shown("{{ {x} }}", "{ 1 }"));
}

/// Whoever adds bodies afterwards may leave them out, and learns which bits the groups have.
#[test]
fn a_scene_may_be_without_bodies_where_that_is_allowed() {
    let text = "version = 1\ndimension = 2\nrun.until = 1.0\n";
    assert!(carom_scene::parse("empty.toml", text).is_err());
    let limits = Limits {
        empty: true,
        ..Limits::default()
    };
    let scene = carom_scene::parse_within("empty.toml", text, &[], &limits);
    assert!(scene.is_ok_and(|scene| scene.world.is_empty() && scene.groups.is_empty()));
    let ball = "\n[[bodies]]\nshape = \"ball\"\nradius = 1.0\nmass = 1.0\nposition = [0.0, 0.0]\ngroups = [\"red\", \"blue\"]\n";
    let scene = carom_scene::parse("groups.toml", &format!("{text}{ball}"));
    assert!(scene.is_ok_and(|scene| scene.groups == ["red", "blue"]));
}
