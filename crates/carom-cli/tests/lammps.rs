//! `carom convert --to lammps`: what LAMMPS makes of a scene is what carom makes of it.
//!
//! LAMMPS is that of the environment variable `CAROM_LAMMPS`, or `lmp`; the runs are left out where there is none.
//! `test.sh` installs Debian's (29 Sep 2021).

mod common;

use common::folder::Folder;
use common::*;
use serde_json::{Value, json};
use std::process::Command;

/// The program, if there is one.
fn lammps() -> Option<String> {
    let named = std::env::var("CAROM_LAMMPS").ok();
    let named = named.filter(|path| !path.is_empty());
    if let Some(path) = named {
        // It was installed for this: that it does not run is no reason to leave anything out.
        return Some(path);
    }
    let there = Command::new("lmp").arg("-h").output().is_ok();
    if !there {
        eprintln!("left out: there is no LAMMPS here");
    }
    there.then(|| "lmp".to_owned())
}

/// Position, velocity and angular velocity of a ball.
type State = [[f64; 3]; 3];

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

/// A scene run by both: the states of its free balls by LAMMPS and by carom, with the same steps.
fn both(lammps: &str, folder: &Folder, name: &str, scene: &Value) -> (Vec<State>, Vec<State>) {
    folder.write(&format!("{name}.json"), &scene.to_string());
    let (path, out) = (folder.path(&format!("{name}.json")), folder.path(name));
    let made = run(&["convert", &path, "--to", "lammps", "--out", &out]);
    assert!(made.status.success(), "{name}: {}", text(&made.stderr));
    let done = Command::new(lammps)
        .args(["-in", "in.lammps", "-log", "none"])
        .current_dir(&out)
        .output()
        .expect("LAMMPS runs");
    assert!(done.status.success(), "{name}: {}", text(&done.stdout));
    let script = std::fs::read_to_string(format!("{out}/in.lammps")).unwrap();
    let step = script
        .lines()
        .find_map(|line| line.strip_prefix("timestep "));
    let step = format!("forces.step={}", step.unwrap());
    let ours = run(&[
        "run",
        &path,
        "--method",
        "forces",
        "--json",
        "--set",
        "forces.integrator=verlet",
        "--set",
        "forces.lever_arm=radius",
        "--set",
        &step,
    ]);
    assert!(ours.status.success(), "{name}: {}", text(&ours.stderr));
    let ours: Value = serde_json::from_slice(&ours.stdout).unwrap();
    let bodies = ours["bodies"].as_array().unwrap();
    let names = std::fs::read_to_string(format!("{out}/names.csv")).unwrap();
    let dump = std::fs::read_to_string(format!("{out}/final.dump")).unwrap();
    let atoms = dump
        .lines()
        .skip_while(|line| !line.starts_with("ITEM: ATOMS"));
    let (mut theirs, mut own) = (Vec::new(), Vec::new());
    for (atom, name) in atoms.skip(1).zip(names.lines().skip(1)) {
        let number: usize = name.split(',').nth(1).unwrap().parse().unwrap();
        let body = &bodies[number - 1];
        if body["motion"] != "free" {
            continue;
        }
        let row: Vec<f64> = atom
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        theirs.push([1, 4, 7].map(|from| [row[from], row[from + 1], row[from + 2]]));
        let three = |value: &Value| match value {
            Value::Array(_) => {
                let mut all = vector(value);
                all.resize(3, 0.0);
                [all[0], all[1], all[2]]
            }
            angular => [0.0, 0.0, number_of(angular)],
        };
        own.push(["position", "velocity", "angular_velocity"].map(|key| three(&body[key])));
    }
    assert!(!own.is_empty() && own.len() == theirs.len());
    (theirs, own)
}

fn number_of(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The largest difference of positions (m), velocities (m/s) and angular velocities (rad/s).
fn apart((theirs, ours): &(Vec<State>, Vec<State>)) -> [f64; 3] {
    let mut most = [0.0_f64; 3];
    for (one, other) in theirs.iter().zip(ours) {
        for what in 0..3 {
            for axis in 0..3 {
                most[what] = most[what].max((one[what][axis] - other[what][axis]).abs());
            }
        }
    }
    most
}

fn world(dimension: u32, until: f64, material: Value, bodies: Value) -> Value {
    json!({
        "version": 1, "dimension": dimension, "run": {"until": until}, "materials": {"m": material}, "bodies": bodies,
    })
}

fn with(mut scene: Value, key: &str, value: Value) -> Value {
    scene[key] = value;
    scene
}

fn rubber() -> Value {
    json!({"restitution": 0.7, "friction": 0.3, "stiffness": 2e5})
}

fn ball(position: Value, velocity: Value) -> Value {
    json!({"shape": "ball", "radius": 0.1, "mass": 1, "material": "m", "position": position, "velocity": velocity})
}

fn floor(dimension: usize) -> Value {
    let mut normal = vec![0.0; dimension];
    normal[dimension - 1] = 1.0;
    json!({"shape": "wall", "point": vec![0.0; dimension], "normal": normal, "material": "m"})
}

/// Contacts with walls, and of balls without friction, are the same formulas in the same order of steps: 1e-9 leaves
/// room for rounding over some thousand steps. Measured: 2e-15 to 1e-11.
#[test]
fn walls_and_smooth_balls_are_the_same_to_rounding() {
    let Some(lammps) = lammps() else { return };
    let folder = Folder::new("lammps-walls");
    let down = |scene: Value| {
        let dimension = scene["dimension"].as_u64().unwrap();
        let gravity = if dimension == 2 {
            json!([0, -9.81])
        } else {
            json!([0, 0, -9.81])
        };
        with(scene, "gravity", gravity)
    };
    let spun = with(
        ball(json!([0, 0, 0.101]), json!([0.5, 0.2, -1])),
        "angular_velocity",
        json!([1, 2, 3]),
    );
    let rolls = with(
        ball(json!([0, 0, 0.1]), json!([1, 0, 0])),
        "angular_velocity",
        json!([0, 10, 5]),
    );
    let rolling = json!({"restitution": 0.7, "friction": 0.3, "stiffness": 2e5, "rolling_resistance": 0.05, "spinning_resistance": 0.02});
    let slanted = json!({"shape": "wall", "point": [0, 0], "normal": [0.3, 1], "material": "m"});
    let crate_ = json!({"shape": "box", "size": [0.4, 0.2], "position": [0, 0], "motion": "static", "material": "m"});
    let bowl = json!({"shape": "hollow", "radius": 1, "position": [0.1, 0.2], "motion": "static", "material": "m"});
    let drop = || ball(json!([0.25, 0.5]), json!([0, 0]));
    let timed = json!({"restitution": 0.6, "spring_time": 1e-3});
    let pair = json!([
        ball(json!([0.25, 0.5]), json!([1, 0.1])),
        with(ball(json!([0.75, 0.55]), json!([0, 0])), "mass", json!(2))
    ]);
    let elastic = json!({"restitution": 1, "stiffness": 2e5});
    let across = json!([
        ball(json!([0.25, 0.5]), json!([1, 0.1])),
        ball(json!([0.75, 0.55]), json!([-1, 0]))
    ]);
    let hertz =
        json!({"restitution": 0.7, "friction": 0.3, "youngs_modulus": 1e8, "poissons_ratio": 0.3});
    for (name, scene) in [
        ("oblique", world(3, 0.05, rubber(), json!([floor(3), spun]))),
        (
            "rolling",
            down(world(3, 0.4, rolling, json!([floor(3), rolls]))),
        ),
        (
            "slanted",
            down(world(2, 0.4, rubber(), json!([slanted, drop()]))),
        ),
        (
            "corner",
            down(world(2, 0.4, rubber(), json!([crate_, drop()]))),
        ),
        ("bowl", down(world(2, 0.8, rubber(), json!([bowl, drop()])))),
        ("masses", world(2, 1.0, timed, pair)),
        (
            "periodic",
            with(world(2, 1.5, elastic, across), "periodic", json!([1, 1])),
        ),
        (
            "hertz",
            world(
                3,
                0.05,
                hertz,
                json!([floor(3), ball(json!([0, 0, 0.101]), json!([0.5, 0, -1]))]),
            ),
        ),
    ] {
        let [x, v, w] = apart(&both(&lammps, &folder, name, &scene));
        assert!(
            x < 1e-9 && v < 1e-9 && w < 1e-8,
            "{name}: {x} m, {v} m/s, {w} rad/s"
        );
    }
}

/// Friction between two balls acts at the full radius in carom's `lever_arm = "radius"`, at the radius less half of the
/// overlap in LAMMPS: a thousand times as stiff, the overlap and the difference are a thirtieth.
#[test]
fn friction_of_balls_differs_by_the_overlap_alone() {
    let Some(lammps) = lammps() else { return };
    let folder = Folder::new("lammps-friction");
    let at = |name: &str, stiffness: f64| {
        let material = json!({"restitution": 0.7, "friction": 0.3, "stiffness": stiffness});
        let one = with(
            ball(json!([0, 0, 0]), json!([1, 0, 0])),
            "angular_velocity",
            json!([1, 2, 3]),
        );
        let other = json!({"shape": "ball", "radius": 0.05, "mass": 0.2, "material": "m", "position": [0.16, 0.05, 0.02]});
        let fixed = json!({"shape": "ball", "radius": 0.1, "material": "m", "motion": "static", "position": [0, 0.5, 0]});
        apart(&both(
            &lammps,
            &folder,
            name,
            &world(3, 0.05, material, json!([one, other, fixed])),
        ))
    };
    let (soft, stiff) = (at("soft", 2e5), at("stiff", 2e8));
    assert!(soft[1] < 2e-3 && soft[2] < 0.05, "{soft:?}");
    assert!(
        stiff[1] < 0.05 * soft[1] && stiff[2] < 0.05 * soft[2],
        "{soft:?} {stiff:?}"
    );
}

/// Balls of all sizes: one type, with dampers that LAMMPS makes of the sizes itself. They stay together until
/// collisions have magnified the difference of friction; what they all do together stays the same.
#[test]
fn a_bed_of_all_sizes_falls_in_the_same_way() {
    let Some(lammps) = lammps() else { return };
    let folder = Folder::new("lammps-bed");
    let bed = |name: &str, material: Value, until: f64| {
        let discs = json!([{
            "name": "g", "kind": "lattice", "counts": [8, 6], "position": [0.1, 0.1], "spacing": 0.1, "density": 100,
            "radius": {"from": 0.03, "to": 0.045}, "velocity": {"speed": 0.3}, "material": "m",
        }]);
        let scene = world(2, until, material, json!([floor(2)]));
        let scene = with(with(scene, "generate", discs), "gravity", json!([0, -9.81]));
        both(&lammps, &folder, name, &scene)
    };
    let hertz =
        json!({"restitution": 0.7, "friction": 0.3, "youngs_modulus": 1e8, "poissons_ratio": 0.3});
    let by_rate = json!({"friction": 0.3, "stiffness": 2e5, "damping_rate": 50});
    for (name, material) in [("linear", rubber()), ("hertz", hertz), ("rate", by_rate)] {
        let [x, ..] = apart(&bed(name, material, 0.08));
        // The discs are 80 mm across, and have fallen 30 mm.
        assert!(x < 1e-3, "{name}: {x} m");
    }
    let (theirs, ours) = bed("long", rubber(), 0.5);
    let height =
        |all: &[State]| all.iter().map(|state| state[0][1]).sum::<f64>() / all.len() as f64;
    let (theirs, ours) = (height(&theirs), height(&ours));
    assert!((theirs / ours - 1.0).abs() < 0.05, "{theirs} {ours}");
}

#[test]
fn what_lammps_cannot_do_is_refused_with_all_reasons() {
    let folder = Folder::new("lammps-refused");
    let scene = json!({
        "version": 1, "dimension": 2, "run": {"until": 1}, "gravity": [0, -9.81], "fields": {"drag": {"linear": 0.1}},
        "materials": {"m": {"restitution": 0.7, "stiffness": 1e5}},
        "bodies": [
            {"name": "rail", "shape": "segment", "from": [0, 0], "to": [1, 0], "material": "m"},
            {"name": "paddle", "shape": "box", "size": [1, 0.1], "position": [3, 0], "motion": {"velocity": [1, 0]}, "material": "m"},
            {"name": "book", "shape": "box", "size": [0.1, 0.1], "position": [6, 3], "mass": 1, "material": "m"},
            {"name": "hoop", "shape": "ball", "radius": 0.1, "mass": 1, "inertia": 0.01, "position": [0, 3], "material": "m"},
        ],
    });
    folder.write("scene.json", &scene.to_string());
    let (path, out) = (folder.path("scene.json"), folder.path("out"));
    let error = refused(&["convert", &path, "--to", "lammps", "--out", &out]);
    for reason in [
        "the field `drag`",
        "`rail` is a fixed segment",
        "`paddle` is kinematic",
        "`book` is a free box",
        "`hoop` has a moment of inertia of 0.01",
        "LAMMPS cannot run",
    ] {
        assert!(error.contains(reason), "{reason}: {error}");
    }
    assert!(!std::path::Path::new(&out).exists());
    let two = json!({"static_friction": 0.5, "kinetic_friction": 0.3, "stiffness": 1e5, "restitution": 0.8});
    folder.write(
        "two.json",
        &world(
            2,
            1.0,
            two,
            json!([floor(2), ball(json!([0, 1]), json!([0, 0]))]),
        )
        .to_string(),
    );
    let error = refused(&[
        "convert",
        &folder.path("two.json"),
        "--to",
        "lammps",
        "--out",
        &out,
    ]);
    assert!(error.contains("LAMMPS has one for both"), "{error}");
    let error = refused(&["convert", &path, "--to", "lammps"]);
    assert!(error.contains("needs --out"), "{error}");
    let error = refused(&["convert", &path, "--to", "lammps,csv", "--out", &out]);
    assert!(error.contains("one after the other"), "{error}");
    let error = refused(&["convert", &folder.path(""), "--to", "lammps", "--out", &out]);
    assert!(error.contains("is a folder"), "{error}");
}

/// What LAMMPS reads is whole or not there, and nothing of a user's is overwritten.
#[test]
fn files_that_are_there_stay() {
    let folder = Folder::new("lammps-files");
    let bodies = json!([floor(2), ball(json!([0, 1]), json!([0, 0]))]);
    folder.write("scene.json", &world(2, 1.0, rubber(), bodies).to_string());
    let (path, out) = (folder.path("scene.json"), folder.path("out"));
    std::fs::create_dir(&out).unwrap();
    folder.write("out/names.csv", "mine");
    let error = refused(&["convert", &path, "--to", "lammps", "--out", &out]);
    assert!(error.contains("exists already"), "{error}");
    assert!(!std::path::Path::new(&format!("{out}/in.lammps")).exists());
    let made = run(&["convert", &path, "--to", "lammps", "--out", &out, "--force"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(text(&made.stdout).lines().count(), 3);
}
