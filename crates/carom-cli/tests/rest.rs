//! Rest means rest, whoever looks on; and runs of rigid bodies that cannot go on say so.

mod common;

use common::folder::Folder;
use common::*;
use serde_json::{Value, json};

fn write(folder: &Folder, name: &str, scene: &Value) -> String {
    let path = folder.path(&format!("{name}.json"));
    std::fs::write(&path, scene.to_string()).unwrap();
    path
}

/// The summary of a run that is not refused.
fn summary_of(arguments: &[&str]) -> Value {
    let output = run(&[&["run"][..], arguments, &["--json", "--quiet"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_str(text(&output.stdout).trim()).unwrap()
}

fn fastest(summary: &Value) -> f64 {
    let free = summary["bodies"].as_array().unwrap().iter();
    let free = free.filter(|body| body["motion"] == "free");
    free.map(|body| length(&vector(&body["velocity"])))
        .fold(0.0, f64::max)
}

const FLOOR: &str = r#"{"shape": "wall", "point": [0, 0], "normal": [0, 1]}"#;

fn floor() -> Value {
    serde_json::from_str(FLOOR).unwrap()
}

/// Scenes that are to stop at rest: discs by events and by forces, boxes by events and by forces, with gravity and
/// without.
fn scenes() -> Vec<(&'static str, Value)> {
    let material = json!({"default": {"restitution": 0.4, "friction": 0.5}});
    let disc = |x: f64, y: f64, velocity: [f64; 2]| json!({"shape": "ball", "radius": 0.1, "mass": 0.1, "position": [x, y], "velocity": velocity});
    let block = |x: f64, y: f64, angular_velocity: f64| json!({"shape": "box", "size": [0.3, 0.2], "position": [x, y], "mass": 1, "velocity": [0.5, 0], "angular_velocity": angular_velocity});
    let springs = json!({"default": {"restitution": 0.4, "friction": 0.5, "stiffness": 4000.0}});
    vec![
        (
            "balls",
            json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "run": {"until": 20, "rest": 0.01}, "materials": material,
                "bodies": [floor(), disc(0.0, 1.0, [0.0, 0.0]), disc(1.0, 1.5, [0.0, 0.0])]}),
        ),
        (
            "balls without gravity",
            json!({"version": 1, "dimension": 2, "run": {"until": 20, "rest": 0.3}, "materials": material,
                "containers": [{"shape": "rectangle", "low": [-1, -1], "high": [1, 1]}],
                "bodies": [disc(0.0, 0.0, [3.0, 1.0]), disc(0.5, 0.3, [-1.0, 2.0])]}),
        ),
        (
            "boxes",
            json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "run": {"until": 20, "rest": 0.01}, "materials": material,
                "bodies": [floor(), block(0.0, 1.0, 2.0), block(0.1, 1.6, -1.0), block(2.0, 0.7, 0.0)]}),
        ),
        (
            "boxes without gravity",
            json!({"version": 1, "dimension": 2, "run": {"until": 20, "rest": 0.3}, "materials": material,
                "containers": [{"shape": "rectangle", "low": [-1, -1], "high": [1, 1]}],
                "bodies": [block(0.0, 0.0, 6.0), block(0.5, 0.5, -4.0)]}),
        ),
        (
            "balls by forces",
            json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "method": "forces", "forces": {"step": 1e-4}, "run": {"until": 5, "rest": 0.02}, "materials": springs,
                "bodies": [floor(), disc(0.0, 0.3, [0.0, 0.0]), disc(1.0, 0.5, [0.0, 0.0])]}),
        ),
        (
            "boxes by forces",
            json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "method": "forces", "forces": {"step": 1e-4}, "run": {"until": 5, "rest": 0.02}, "materials": springs,
                "bodies": [floor(), block(0.0, 0.3, 0.5)]}),
        ),
    ]
}

/// The end of a run was found where a frame happened to be: with 1,000 frames earlier than with 7. Nothing that is kept
/// of a run decides anything about it.
#[test]
fn where_a_run_ends_does_not_depend_on_its_frames() {
    let folder = Folder::new("rest and frames");
    for (name, scene) in scenes() {
        let path = write(&folder, name, &scene);
        let bare = summary_of(&[&path]);
        assert_eq!(bare["outcome"]["status"], "stopped", "{name}: {bare}");
        let limit = number(&scene["run"]["rest"]);
        assert!(fastest(&bare) <= limit, "{name}: {bare}");
        for frames in ["0", "7", "1000"] {
            let out = folder.path(&format!("{name} {frames}"));
            let kept = summary_of(&[&path, "--out", &out, "--frames", frames]);
            for key in ["outcome", "digest", "audit", "collisions"] {
                assert_eq!(kept[key], bare[key], "{name}, {frames} frames: {key}");
            }
        }
    }
}

/// A box in free fall. (Only balls were looked at: "everything is at rest" at 9.5 m/s, after the first collision, or at
/// the first frame.)
#[test]
fn a_falling_box_is_not_at_rest() {
    let folder = Folder::new("falling box");
    let scene = json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "run": {"until": 2, "rest": 0.01},
        "bodies": [floor(), {"shape": "box", "size": [0.2, 0.2], "position": [0, 5], "mass": 1, "velocity": [3, 0], "angular_velocity": 4.0}]});
    let path = write(&folder, "falls", &scene);
    for frames in ["0", "20"] {
        let out = folder.path(&format!("out {frames}"));
        let summary = summary_of(&[&path, "--out", &out, "--frames", frames]);
        // Elastic, it never comes to rest.
        assert_eq!(summary["outcome"]["status"], "completed", "{summary}");
        assert_eq!(summary["outcome"]["time"], 2.0);
    }
}

/// A body between fixtures that close in on it ends the run with status 1 and the names of the two. (They were
/// completed, with bodies outside of their rooms.)
#[test]
fn bodies_that_are_pressed_through_others_end_the_run() {
    let folder = Folder::new("squeezed");
    let room = |wall: u32, velocity: [f64; 2]| json!([{"shape": "rectangle", "low": [0, 0], "high": [1, 1], "walls": [{"wall": wall, "motion": {"velocity": velocity}}]}]);
    let pressed_down = json!({"version": 1, "dimension": 2, "gravity": [0, -9.81], "run": {"until": 2},
        "materials": {"default": {"restitution": 0.3, "friction": 0.5}}, "containers": room(3, [0.0, -0.6]),
        "bodies": [{"name": "crate", "shape": "box", "size": [0.2, 0.2], "mass": 1, "position": [0.5, 0.1]}]});
    let pushed = json!({"version": 1, "dimension": 2, "run": {"until": 2},
        "materials": {"default": {"restitution": 0.0}}, "containers": room(2, [-1.0, 0.0]),
        "bodies": [{"name": "crate", "shape": "box", "size": [0.2, 0.2], "mass": 1, "position": [0.5, 0.5], "angle": 0.1, "velocity": [0.3, 0.01]}]});
    for (name, scene) in [("pressed down", pressed_down), ("pushed", pushed)] {
        let path = write(&folder, name, &scene);
        let output = run(&["run", &path, "--json", "--quiet"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        let named = said.contains("crate is squeezed between") || said.contains("crate and");
        assert!(named, "{name}: {said}");
        assert!(said.contains("overlap by"), "{name}: {said}");
    }
}

/// How fast a box that turns came to the floor is known: its lowest corner, faster than its centre. (It was "not known
/// from the row".)
#[test]
fn explain_says_how_fast_a_box_came() {
    let folder = Folder::new("approach");
    let (speed, angular_velocity) = (1.0, 0.4);
    let scene = json!({"version": 1, "dimension": 2, "gravity": [0, -10], "run": {"until": 1.0},
        "bodies": [floor(), {"name": "crate", "shape": "box", "size": [2, 2], "position": [0, 3.5], "mass": 1, "angular_velocity": angular_velocity, "velocity": [0, -speed]}]});
    let path = write(&folder, "falls", &scene);
    let out = folder.path("out");
    summary_of(&[&path, "--out", &out]);
    // Turned by θ the lowest corner is cos θ + sin θ below the centre, which is at 3.5 − v t − 5 t².
    let height = |t: f64| {
        let turned = angular_velocity * t;
        3.5 - speed * t - 5.0 * t * t - turned.cos() - turned.sin()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if height(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let turned: f64 = angular_velocity * low;
    let closing = speed + 10.0 * low + angular_velocity * (turned.cos() - turned.sin());
    let output = run(&["explain", &out, "1"]);
    let said = text(&output.stdout);
    let line = said.lines().find(|line| line.starts_with("  approach"));
    let shown: f64 = (line.and_then(|line| line.split_whitespace().nth(2)))
        .and_then(|shown| shown.parse().ok())
        .unwrap_or_else(|| panic!("{said}"));
    // Six figures are shown.
    assert!((shown - closing).abs() < 1e-5 * closing, "{said}{closing}");
}

/// A ball that lay still in a hollow sphere was "at rest" while the sphere carried it along at 0.38 m/s, and the run
/// ended. It rests when the sphere does.
#[test]
fn who_is_carried_along_is_not_at_rest() {
    let folder = Folder::new("carried");
    let scene = json!({"version": 1, "dimension": 3, "gravity": [0, 0, -10], "run": {"until": 2.0, "rest": 0.01},
        "materials": {"default": {"friction": 0.4, "restitution": 0.2}},
        "bodies": [
            {"shape": "room", "radius": 1.0, "position": [0.2, -0.1, 0.2],
                "motion": {"path": [{"time": 0.0, "offset": [0, 0, 0]}, {"time": 0.6, "offset": [-0.08, 0.07, -0.2]}]}},
            {"shape": "ball", "radius": 0.2, "mass": 1.0, "inertia": "inf", "position": [0.3, 0.1, -0.5]}]});
    let summary = summary_of(&[&write(&folder, "carried", &scene)]);
    assert!(fastest(&summary) <= 0.01, "{summary}");
    assert_eq!(summary["outcome"]["status"], "stopped", "{summary}");
    assert!(
        summary["outcome"]["time"].as_f64().unwrap() >= 0.6,
        "{summary}"
    );
}
