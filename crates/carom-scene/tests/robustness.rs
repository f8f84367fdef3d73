//! Nothing that a file contains makes the reader panic, hang or fill the memory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn sample_scenes() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut scenes: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect();
    scenes.sort();
    assert!(scenes.len() >= 12);
    scenes
}

/// Ok or errors that can be shown; a panic fails the test.
fn read(text: &str) -> bool {
    match carom_scene::parse("scene.toml", text) {
        Ok(_) => true,
        Err(errors) => {
            let shown = errors.to_string();
            assert!(!errors.problems().is_empty());
            assert!(shown.contains("scene.toml"), "{shown}");
            assert!(!shown.contains('\u{1b}'), "{shown}");
            // 100 problems with windows of at most some 130 characters each, twice.
            assert!(shown.len() < 200_000, "{} bytes of message", shown.len());
            false
        }
    }
}

/// Marsaglia's xorshift: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

#[test]
fn every_sample_scene_is_accepted() {
    for (path, text) in sample_scenes() {
        // Under its own name: meshes and tables are looked for beside it.
        if let Err(errors) = carom_scene::parse(&path.display().to_string(), &text) {
            panic!("{}: {errors}", path.display());
        }
    }
}

#[test]
fn scenes_cut_off_at_any_byte_are_read_or_refused() {
    for (_, text) in sample_scenes() {
        // The break is long and repeats itself: every byte of its end would say nothing new.
        let ends = (0..text.len().min(2500)).filter(|&end| text.is_char_boundary(end));
        let refused = ends.filter(|&end| !read(&text[..end])).count();
        assert!(refused > 100, "cutting a scene must mostly break it");
    }
}

#[test]
fn mutated_scenes_are_read_or_refused() {
    let pieces = [
        "nan",
        "inf",
        "-",
        "1e308",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "\"\"\"",
        ".",
        ",",
        "=",
        "\n",
        "[[bodies]]",
        "\u{0}",
        "\u{1b}[2J",
        "é",
        "\u{202e}",
        "0x",
        "1979-05-27",
        "true",
        "#",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for (_, text) in sample_scenes() {
        for _ in 0..1500 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + random.next(4) {
                let at = random.next(bytes.len());
                match random.next(4) {
                    0 => bytes[at] ^= 1 << random.next(8),
                    1 => {
                        let end = (at + 1 + random.next(40)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    2 => {
                        let piece = pieces[random.next(pieces.len())];
                        bytes.splice(at..at, piece.bytes());
                    }
                    _ => {
                        let end = (at + random.next(200)).min(bytes.len());
                        let copy = bytes[at..end].to_vec();
                        let to = random.next(bytes.len());
                        bytes.splice(to..to, copy);
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b'x');
                }
            }
            read(&String::from_utf8_lossy(&bytes));
        }
    }
}

/// JSON as well: cut off anywhere, and with single bytes changed.
#[test]
fn broken_json_is_read_or_refused() {
    let text = include_str!("good/two_discs.json");
    let read = |text: &str| match carom_scene::parse("scene.json", text) {
        Ok(_) => true,
        Err(errors) => {
            assert!(errors.to_string().contains("scene.json"));
            false
        }
    };
    assert!(read(text));
    // All but the last line end.
    assert!((0..text.len() - 1).all(|end| !read(&text[..end])));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let pieces = [
        "{", "}", "[", "]", "\"", "\\", "\\u12", "null", ",", "-", "é", "\u{0}", "1e999",
    ];
    let mut refused = 0;
    for _ in 0..5000 {
        let mut bytes = text.as_bytes().to_vec();
        let at = random.next(bytes.len());
        match random.next(2) {
            0 => bytes[at] ^= 1 << random.next(8),
            _ => {
                let piece = pieces[random.next(pieces.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
        refused += u32::from(!read(&String::from_utf8_lossy(&bytes)));
    }
    assert!(refused > 2000, "{refused}");
}

/// The same scene in both forms is the same world, to the bit.
#[test]
fn json_and_toml_say_the_same() {
    let scenes = sample_scenes();
    let (_, toml) = scenes
        .iter()
        .find(|(path, _)| path.ends_with("two_discs.toml"))
        .unwrap();
    let toml = carom_scene::parse("a.toml", toml).unwrap();
    let json = carom_scene::parse("a.json", include_str!("good/two_discs.json")).unwrap();
    assert_eq!((&toml.title, toml.run), (&json.title, json.run));
    let bodies = |scene: &carom_scene::Scene| match &scene.world {
        carom_scene::AnyWorld::Two(world) => world.bodies().to_vec(),
        carom_scene::AnyWorld::Three(_) => panic!("the plane"),
    };
    assert_eq!(bodies(&toml), bodies(&json));
}

/// Whoever reads the scenes of strangers may set limits.
#[test]
fn limits_are_kept() {
    let limits = carom_scene::Limits {
        bodies: 3,
        tables: false,
        memory: None,
        empty: false,
    };
    let head = "version = 1\ndimension = 2\nrun.until = 1\n";
    let row = "[[generate]]\nkind = \"row\"\ncount = 3\nposition = [0, 0]\nstep = [1, 0]\nradius = 0.1\nmass = 1\n";
    let ball = "[[bodies]]\nshape = \"ball\"\nradius = 0.1\nmass = 1\nposition = [0, 5]\n";
    let table = "[[generate]]\nkind = \"csv\"\nfile = \"/etc/passwd\"\n";
    let read = |text: &str| {
        let scene = carom_scene::parse_within("a.toml", &format!("{head}{text}"), &[], &limits);
        scene
            .map(|scene| scene.world.len())
            .map_err(|errors| errors.to_string())
    };
    assert_eq!(read(row), Ok(3));
    let refused = |text: &str, said: &str| {
        let message = read(text).unwrap_err();
        assert!(message.contains(said), "{message}");
    };
    refused(&format!("{ball}{row}"), "at most 2 more are allowed");
    refused(&ball.repeat(4), "must be at most 3");
    refused(table, "may not be done here");
    let circle = "[[containers]]\nshape = \"circle\"\nposition = [0, 0]\nradius = 9\n";
    assert_eq!(read(&format!("{ball}{circle}")), Ok(2));
    let room = |sides: usize| {
        format!(
            "{ball}[[containers]]\nshape = \"regular_polygon\"\nsides = {sides}\nposition = [0, 5]\nradius = 1\n"
        )
    };
    refused(&room(3), "must be at most 3");
    refused(&room(4), "must be at most 3");
    let corners =
        "[[containers]]\nshape = \"polygon\"\ncorners = [[0, 0], [1, 0], [1, 1], [0, 1]]\n";
    refused(corners, "at most 3 of them");
}

/// Shapes of text that make a careless reader quadratic, deep or huge. Each must be done with in seconds: the bound is
/// far above what they take (well below one second each, optimised) and far below what quadratic time would.
#[test]
fn large_and_strange_texts_are_done_with_quickly() {
    const SIZE: usize = 2 << 20;
    let fill = |piece: &str| piece.repeat(SIZE / piece.len());
    let texts = [
        fill("["),
        fill("{a="),
        fill("a."),
        fill("\""),
        fill("x\n"),
        fill("=\n"),
        fill("[[bodies]]\n"),
        fill("[a]\n"),
        format!("a = [{}]", fill("[],")),
        format!("a = [{}]", fill("1,")),
        format!("version = 1\nrun.until = [{}]", fill("nan,")),
        (0..SIZE / 16).map(|i| format!("key{i} = {i}\n")).collect(),
        (0..SIZE / 24)
            .map(|i| format!("[materials.m{i}]\n"))
            .collect(),
        format!(
            "version = 1\ndimension = 2\n{}",
            fill("[[bodies]]\nshape = 1\n")
        ),
        // Smaller than the size above which the parser stops at its first error.
        "x\n".repeat(500_000),
        "a = [\n".repeat(150_000),
    ];
    for text in texts {
        let start = Instant::now();
        assert!(!read(&text));
        let taken = start.elapsed();
        let beginning: String = text.chars().take(40).collect();
        assert!(taken < Duration::from_secs(20), "{taken:?}: {beginning:?}");
    }
}

#[test]
fn more_bodies_than_are_allowed_are_refused_before_they_are_made() {
    let rules = [
        "kind = \"lattice\"\ncounts = [100000, 100000]\nposition = [0, 0]\nspacing = 1",
        "kind = \"lattice\"\ncounts = [9223372036854775807, 9223372036854775807]\nposition = [0, 0]\nspacing = 1",
        "kind = \"row\"\ncount = 20000001\nposition = [0, 0]\nstep = [1, 0]",
        "kind = \"rack\"\nrows = 10000\nposition = [0, 0]",
        "kind = \"random\"\ncount = 20000001\nregion = { from = [0, 0], to = [1, 1] }",
        "kind = \"random\"\nfraction = 0.1\nregion = { from = [0, 0], to = [1e9, 1e9] }",
    ];
    for rule in rules {
        let text = format!(
            "version = 1\ndimension = 2\nrun.until = 1\n[[generate]]\nradius = 0.1\nmass = 1\n{rule}\n"
        );
        let start = Instant::now();
        let errors = carom_scene::parse("scene.toml", &text).unwrap_err();
        let allowed = format!("at most {}", carom_scene::MOST_BODIES);
        assert!(errors.to_string().contains(&allowed), "{errors}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

/// Every pair overlaps, twelve million of them: the first hundred are reported, and only they are ever in memory.
#[test]
fn many_bodies_may_all_overlap() {
    let body = "[[bodies]]\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [0, 0]\n";
    let text = format!(
        "version = 1\ndimension = 2\nrun.until = 1\n{}",
        body.repeat(5000)
    );
    let errors = carom_scene::parse("scene.toml", &text).unwrap_err();
    assert_eq!(errors.problems().len(), 100);
    assert!(errors.to_string().contains("`ball 2` overlaps `ball 1`"));
}

/// The overlaps of a large scene are those of a small one: none is lost between the blocks that are compared.
#[test]
fn overlaps_are_found_wherever_they_are_in_the_file() {
    let count = 300;
    for (a, b) in [(0, 299), (63, 64), (127, 128), (5, 200), (298, 299)] {
        let mut text = "version = 1\ndimension = 2\nrun.until = 1\n".to_owned();
        for index in 0..count {
            let x = if index == b { 3 * a + 1 } else { 3 * index };
            text.push_str(&format!(
                "[[bodies]]\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [{x}, 0]\n"
            ));
        }
        let errors = carom_scene::parse("scene.toml", &text).unwrap_err();
        let expected = format!("`ball {}` overlaps `ball {}`", b + 1, a + 1);
        assert!(errors.to_string().contains(&expected), "{errors}");
        // The ball that was moved reaches its neighbour's neighbour, too, but nothing else.
        assert!(errors.problems().len() <= 2, "{errors}");
    }
}

#[test]
fn files_that_are_no_scenes_are_refused_in_words() {
    let message = |path: &Path| carom_scene::load(path).unwrap_err().to_string();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    assert!(message(&scenes).contains("is a directory"));
    let missing = message(&scenes.join("braek.toml"));
    assert!(missing.contains("there is no file"), "{missing}");
    assert!(missing.contains("break.toml`?"), "{missing}");
    if cfg!(unix) {
        assert!(message(Path::new("/dev/zero")).contains("not a plain file"));
    }
    let folder = std::env::temp_dir().join(format!("carom-scene-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let huge = folder.join("huge.toml");
    // Sparse: it has a size but takes no room.
    let file = std::fs::File::create(&huge).unwrap();
    file.set_len(1 << 40).unwrap();
    let refused = message(&huge);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused.contains("1099511627776 bytes"), "{refused}");
    assert!(refused.contains("at most 4194304"), "{refused}");
}

/// Found by the fuzz target (15 November 2026): a key that is not TOML, with an escape in it, was still taken for the
/// name of a variable, and the list of variables in the message about another one had the escape as it was.
#[test]
fn names_of_variables_are_made_safe_before_they_are_listed() {
    let scene = "version = 1\ndimension = 2\nrun.until = 1\n[variables]\nquadrat\u{1b}c = 0.02\nlinear = 0.2\n\
                 [[bodies]]\nshape = \"ball\"\nradius = \"$radius\"\nmass = \"$linaer\"\nposition = [0, 0]\n";
    let errors = carom_scene::parse("scene.toml", scene).unwrap_err();
    let shown = errors.to_string();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    for problem in errors.problems() {
        assert!(!problem.label.contains('\u{1b}'), "{problem:?}");
    }
    assert!(shown.contains("the variables are "), "{shown}");
}
