//! The command as people and programs meet it: output, errors, exit status.

mod common;

use carom_scene::AnyWorld;
use common::folder::Folder;
use common::*;
use std::io::Read;
use std::process::Stdio;

/// A dropped ball that comes to rest: infinitely many bounces in a finite time.
const COMES_TO_REST: &str = r#"
version = 1
dimension = 2
gravity = [0.0, -10.0]
run.until = 100.0
materials.clay.restitution = 0.5

[[bodies]]
name = "floor"
shape = "wall"
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "clay"

[[bodies]]
name = "lump"
shape = "ball"
radius = 0.1
mass = 1.0
position = [0.0, 1.0]
material = "clay"
"#;

/// From 1 m at rest into a centre of unit strength, whose force is not finite there: after π/√8 s.
const FALLS_INTO_A_POINT: &str = r#"
version = 1
dimension = 2
run.until = 2.0
fields.central = { centre = [0, 0], strength = 1 }

[[bodies]]
name = "comet"
shape = "ball"
radius = 0.1
mass = 1.0
position = [1.0, 0.0]
"#;

#[test]
fn the_summary_for_people_says_what_happened() {
    let output = run(&["run", &scene("galperin")]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    let shown = text(&output.stdout);
    for part in [
        "Galperin's billiard\n",
        "3 bodies in 2-D, 2 of them free",
        "314 (157 ball-ball, 157 ball-wall)",
        "collisions per second of real time",
        "5000.00 J before, 5000.00 J after",
        "residual",
        "kg m²/s about the origin",
        "heavy at 0.999999 m/s",
        "digest",
        "velocity (m/s)",
    ] {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
}

#[test]
fn events_for_people_are_lines_before_the_summary() {
    let output = run(&["run", &scene("newton_cradle"), "--events"]);
    let shown = text(&output.stdout);
    let first = shown.lines().next().unwrap();
    assert_eq!(
        first.trim(),
        "1  t = 0.875 s  striker – first  impulse 1.00000 kg m/s, 0 J lost, frictionless"
    );
    assert_eq!(shown.lines().nth(4), Some("Newton's cradle"));
}

/// The numbers in the JSON are those of the library, to the bit.
#[test]
fn json_numbers_are_exact() {
    let summary = summary("break");
    let path = scene("break");
    let loaded = carom_scene::load(path.as_ref()).unwrap();
    let AnyWorld::Two(world) = loaded.world else {
        panic!("the break is in the plane")
    };
    let mut exact = carom::simulate::Exact::new(world).unwrap();
    exact.run_to(loaded.run.until).unwrap();
    for (id, body) in (0..).zip(summary["bodies"].as_array().unwrap()) {
        let state = exact.state(carom::world::BodyId(id));
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(
            bits(&vector(&body["position"])),
            bits(&state.position.to_array())
        );
        assert_eq!(
            bits(&vector(&body["velocity"])),
            bits(&state.velocity.to_array())
        );
        assert_eq!(
            number(&body["angular_velocity"]).to_bits(),
            state.angular_velocity.to_bits()
        );
    }
    assert_eq!(summary["digest"], format!("{:016x}", exact.digest()));
    assert_eq!(summary["scene"]["title"], loaded.title);
    let (audit, shown) = (exact.audit(), &summary["audit"]);
    for (kind, loss) in [
        ("between_balls", audit.losses.between_balls),
        ("with_fixtures", audit.losses.with_fixtures),
    ] {
        let shown = &shown["losses"][kind];
        assert_eq!(number(&shown["restitution"]), loss.restitution);
        assert_eq!(number(&shown["friction"]), loss.friction);
        assert_eq!(number(&shown["energy_added"]), loss.energy_added);
        assert!(loss.restitution > 0.0 && loss.friction > 0.0);
    }
    let (angular, shown) = (audit.angular_momentum.unwrap(), &shown["angular_momentum"]);
    for (key, value) in [
        ("initial", angular.initial),
        ("now", angular.now),
        ("from_fixtures", angular.from_fixtures),
        ("from_gravity", angular.from_gravity),
        ("residual", angular.residual),
    ] {
        assert_eq!(number(&shown[key]), value, "{key}");
    }
}

#[test]
fn the_same_run_has_the_same_digest_and_another_has_another() {
    let digest = |arguments: &[&str]| events("break", arguments).1["digest"].clone();
    assert_eq!(digest(&[]), digest(&[]));
    assert_ne!(digest(&[]), digest(&["--until", "4.9"]));
}

#[test]
fn flags_take_the_place_of_the_scenes_settings() {
    let (_, summary) = events("break", &["--until", "1.25"]);
    assert_eq!(number(&summary["outcome"]["time"]), 1.25);
    let (collisions, summary) = events("break", &["--max-collisions", "7"]);
    // Collisions that were answered together are not torn apart.
    assert!(collisions.len() >= 7);
    let same = |hit: &serde_json::Value| hit["time"] == collisions[6]["time"];
    assert!(collisions[7..].iter().all(same));
    assert_eq!(summary["outcome"]["status"], "stopped");
    assert_eq!(summary["outcome"]["reason"], "max_collisions = 7 reached");
    assert_eq!(summary["outcome"]["time"], collisions[6]["time"]);
}

#[test]
fn a_run_that_cannot_go_on_fails_with_a_summary_and_status_1() {
    let folder = Folder::new("fall");
    let path = folder.write("fall.toml", FALLS_INTO_A_POINT);
    let output = run(&["run", &path, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.starts_with(
            "error: the trajectory of comet cannot be continued: the trajectory from time 1.11072"
        ),
        "{message}"
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["outcome"]["status"], "failed");
    assert!(message.contains(summary["outcome"]["reason"].as_str().unwrap()));
    // Nothing after π/√8 s, when it has fallen into the point.
    assert!(number(&summary["outcome"]["time"]) < std::f64::consts::PI / 8.0_f64.sqrt());
    let shown = text(&run(&["run", &path]).stdout);
    assert!(shown.contains("FAILED"), "{shown}");
}

/// √(2h/g)·(1+ε)/(1−ε) with h = 0.9 m: the instant at which it has come to rest, though it bounces infinitely often. A
/// tenth of a second before, it still bounces; after, it stays where it is.
#[test]
fn a_ball_that_bounces_infinitely_often_comes_to_rest() {
    let folder = Folder::new("rest");
    let path = folder.write("rest.toml", COMES_TO_REST);
    let rest = (2.0 * 0.9 / 10.0_f64).sqrt() * 3.0;
    let energy = |until: f64| {
        let until = until.to_string();
        let output = run(&["run", &path, "--json", "--until", &until]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["outcome"]["status"], "completed");
        number(&summary["audit"]["energy"]["total"])
    };
    // On the floor its centre is at 0.1 m: 1 J. Of the 9 J above that each bounce leaves a quarter, and after the
    // fourth 0.106 s are left, after the fifth half of that.
    assert_near(&[energy(rest - 0.1)], &[1.0 + 9.0 / 256.0], 1e-14);
    assert_near(&[energy(rest + 1e-9), energy(100.0)], &[1.0, 1.0], 1e-14);
}

#[test]
fn grains_without_their_contact_time_come_to_rest_as_well() {
    let scene = std::fs::read_to_string(scene("grains")).unwrap();
    let folder = Folder::new("grains");
    let without = scene.replace("\ncontact_time =", "\n# contact_time =");
    assert_ne!(scene, without);
    let path = folder.write("grains.toml", &without);
    let output = run(&["run", &path, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // Slower than anything that could be seen: 4·10⁻¹³ m/s of a kilogram.
    let left = summary["audit"]["energy"]["translational"]
        .as_f64()
        .unwrap();
    assert!(left < 1e-25, "{left:e} J");
}

#[test]
fn bad_scenes_end_with_status_2_and_nothing_on_standard_output() {
    let folder = root().join("crates/carom-scene/tests/bad");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let name = path.display().to_string();
        let expected = std::fs::read_to_string(path.with_extension("txt")).unwrap();
        for arguments in [&["run", "--json", "--events", &name][..], &["check", &name]] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert_eq!(text(&output.stdout), "", "{name}");
            let file = path.file_name().unwrap().to_str().unwrap();
            assert_eq!(text(&output.stderr).replace(&name, file), expected);
        }
        count += 1;
    }
    assert!(count > 30);
}

#[test]
fn what_is_no_file_ends_with_status_2() {
    let folder = Folder::new("no-file");
    let directory = folder.0.display().to_string();
    let nowhere = folder.0.join("nowhere.toml").display().to_string();
    for path in [directory.as_str(), nowhere.as_str(), "", "\u{1b}[2J"] {
        let output = run(&["run", path, "--json"]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert_eq!(text(&output.stdout), "");
        let message = text(&output.stderr);
        assert!(message.contains("error: "), "{message}");
        assert!(!message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn bad_flags_end_with_status_2() {
    let path = scene("bat");
    for arguments in [
        &["run"][..],
        &["run", &path, "--until", "nan"],
        &["run", &path, "--until", "-1"],
        &["run", &path, "--until", "inf"],
        &["run", &path, "--until", "1e400"],
        &["run", &path, "--until"],
        &["run", &path, "--max-collisions", "0"],
        &["run", &path, "--max-collisions", "-3"],
        &["run", &path, "--max-collisions", "99999999999999999999"],
        &["run", &path, "--jsn"],
        &["rnu", &path],
        &["check"],
        &[],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
    let message = text(&run(&["run", &path, "--until", "-1"]).stderr);
    assert!(
        message.contains("must be a finite number of seconds"),
        "{message}"
    );
}

/// A gate reported who passed in JSON alone; a run that was read by people said nothing of it.
#[test]
fn sensors_are_told_of_in_words_and_for_programs() {
    let gate = scene("gate");
    let words = text(&run(&["run", &gate, "--events"]).stdout);
    assert!(
        words.contains("  sensors    switch: 1 entered, 1 left\n"),
        "{words}"
    );
    // (2 − 0.25)/1 s and (3 + 0.25)/1 s, as the scene says.
    assert!(
        words.contains("  t = 1.75 s  first enters switch\n"),
        "{words}"
    );
    assert!(
        words.contains("  t = 3.25 s  first leaves switch\n"),
        "{words}"
    );
    let lines = text(&run(&["run", &gate, "--events", "--json"]).stdout);
    let lines: Vec<serde_json::Value> = (lines.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let passages: Vec<_> = (lines.iter())
        .filter_map(|line| line.get("sensor_crossing"))
        .collect();
    assert_eq!(passages.len(), 2);
    let first =
        serde_json::json!({ "kind": "entered", "time": 1.75, "ball": "first", "sensor": "switch" });
    assert_eq!(*passages[0], first);
    let sensors = &lines.last().unwrap()["events"]["sensors"];
    let expected = serde_json::json!([{ "name": "switch", "entered": 1, "left": 1 }]);
    assert_eq!(*sensors, expected);
    // Where there is none, nothing is said of them.
    let words = text(&run(&["run", &scene("bat")]).stdout);
    assert!(!words.contains("sensors"), "{words}");
}

#[test]
fn check_says_good_and_bad() {
    let folder = Folder::new("check");
    let bad = folder.write("bad.toml", "version = 1\n");
    let good = scene("bat");
    let output = run(&["check", &good]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stdout),
        format!("{good}: good, 2 bodies in 2-D, 2 s\n")
    );
    let output = run(&["check", &good, &bad]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("bat.toml: good"));
    assert!(text(&output.stderr).contains("3 errors in"));
}

#[test]
fn help_has_examples_and_the_version_is_that_of_the_package() {
    for arguments in [&["--help"][..], &["run", "--help"], &["help", "run"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("Examples:"), "{arguments:?}");
    }
    // All that are listed, whatever comes.
    let help = text(&run(&["--help"]).stdout);
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names.iter().filter(|name| **name != "help") {
        let help = text(&run(&[name, "--help"]).stdout);
        assert!(help.contains("Example"), "{name}: {help}");
    }
    let version = text(&run(&["--version"]).stdout);
    assert_eq!(version, format!("carom {}\n", env!("CARGO_PKG_VERSION")));
}

/// `carom run … | head -1`: the reader goes away, and that is no reason to complain.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = carom()
        .args(["run", &scene("galperin"), "--json", "--events"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut some = [0; 16];
    stdout.read_exact(&mut some).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A disk that is full is an error, and is said to be one.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_ends_with_status_1() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = carom()
        .args(["run", &scene("bat")])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write the output"));
}

/// States and order of events of the break, to the bit: the release build prints the same digest as the test build,
/// which is optimised otherwise. A change that means to change the results changes this number, and says so.
#[test]
fn the_break_has_its_golden_digest() {
    assert_eq!(events("break", &[]).1["digest"], "7ad8c39fd3304ba6");
}
