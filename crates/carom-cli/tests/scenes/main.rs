//! Every sample scene runs to its end, with the outcome that its physics demands.

mod chains;
#[path = "../common/mod.rs"]
mod common;
mod flights;
mod games;
mod gases;
mod impacts;
mod joints;
mod lasting;
mod rigid;
mod rooms;

use carom::body::Kind;
use carom::prelude::*;
use carom::simulate::Exact;
use carom::simulate::Settling;
use carom::space::Space;
use carom_scene::AnyWorld;
use common::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// What balls lost that keep touching something, J.
fn lasting_losses(summary: &Value) -> f64 {
    let lasting = &summary["audit"]["losses"]["lasting"];
    let causes = [
        "sliding",
        "rolling",
        "spinning",
        "settling",
        "stepping",
        "projection",
    ];
    let lost: f64 = causes.map(|cause| number(&lasting[cause])).iter().sum();
    lost - number(&lasting["energy_added_by_friction"])
}

/// What holds of every run: it is complete, and its books balance to rounding.
fn check_books(summary: &Value) {
    assert_eq!(summary["outcome"]["status"], "completed");
    assert_eq!(summary["outcome"]["time"], summary["scene"]["until"]);
    let audit = &summary["audit"];
    let collisions = number(&summary["collisions"]["total"]);
    // Each collision rounds energies no larger than all that were ever in the books, a few dozen times.
    let potential = number(&audit["energy_initial"]["potential"]).abs()
        + number(&audit["energy"]["potential"]).abs();
    let moving = |of: &Value| number(&of["translational"]) + number(&of["rotational"]);
    let kinetic = moving(&audit["energy_initial"]) + moving(&audit["energy"]);
    let moved = number(&audit["lost_in_collisions"]).abs()
        + number(&audit["work_by_kinematic"]).abs()
        + lasting_losses(summary).abs()
        + number(&audit["in_contact"]["energy"]).abs()
        + number(&audit["losses"]["fields"]).abs();
    let size = potential + kinetic + moved;
    let residual = number(&audit["energy_residual"]).abs();
    // Steps of rigid bodies, 240 a second, enter a few dozen numbers for each of their points, each rounded.
    let steps = if number(&audit["losses"]["lasting"]["stepping"]) != 0.0 {
        240.0 * number(&summary["outcome"]["time"]) * number(&summary["scene"]["bodies"])
    } else {
        0.0
    };
    assert!(
        residual <= 32.0 * U * (1.0 + collisions + steps) * size,
        "{residual:e} of {size}"
    );
}

/// Longer than most: the list of all scenes.
#[test]
fn every_scene_has_a_test_here() {
    let tested: BTreeSet<&str> = BTreeSet::from([
        "bat",
        "bed_of_discs",
        "belt",
        "box_and_cylinder_3d",
        "break",
        "breakout",
        "bowling",
        "bumper",
        "cradle_of_boxes",
        "cradle_of_masses",
        "cradle_on_threads",
        "cradle_two",
        "dice",
        "dominoes",
        "drag",
        "drum",
        "earth_to_mars",
        "features_3d",
        "frames",
        "galperin",
        "galton",
        "gas_3d",
        "gas_of_discs",
        "gas_piston",
        "gate",
        "grains",
        "granular_cooling",
        "groups",
        "heated_gas",
        "hollow",
        "laws_of_friction",
        "magnus",
        "mars",
        "mixed_sizes",
        "moving_wall",
        "newton_cradle",
        "orbit",
        "paddle",
        "pendulum_wave",
        "pile",
        "pinball",
        "pool",
        "rag_doll",
        "right_angle",
        "room_box_3d",
        "room_circle",
        "room_cylinder_3d",
        "room_l_shape",
        "room_pentagon",
        "room_stadium",
        "segment",
        "shaken_floor",
        "shaken_gas",
        "shear_flow",
        "slope",
        "solids_in_contact",
        "spin_beta",
        "stirrer",
        "table_roll",
        "tandem",
        "tumbling_book",
        "two_discs",
        "viscoelastic_cooling",
        "wall_of_boxes",
        "wind",
        "worked_example_1",
        "worked_example_2",
        "wrecking_ball",
    ]);
    let there: BTreeSet<String> = std::fs::read_dir(root().join("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(tested, there);
    for name in tested {
        let text = std::fs::read_to_string(scene(name)).unwrap();
        assert!(text.contains("# Row"), "{name} does not name its rows");
    }
}

/// Every row of the physics that the engine of exact events has, but K1, which is a way of computing and no scene. The
/// rest asks for forces (C2, C8) or for solids that move freely (C11, C12).
#[test]
fn every_row_has_a_scene() {
    let mut named = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("scenes")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('#')) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            named.extend(words.map(str::to_owned));
        }
    }
    let rows = "K2 K3 K4 K5 K6 K7 K8 K9 M1 M2 F1 C1 C3 C4 C5 C6 C7 C9 C10 C13 C14 C15 P1 P2 P3 P4 P5 P6 P7 P8";
    let missing: Vec<&str> = rows
        .split(' ')
        .filter(|row| !named.contains(*row))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Of a scene in the plane: the run, before it begins.
fn start(name: &str) -> (Exact<Space2>, World2) {
    let path = scene(name);
    let scene = carom_scene::load(path.as_ref()).unwrap_or_else(|errors| panic!("{errors}"));
    let AnyWorld::Two(world) = scene.world else {
        panic!("{name} is not in the plane")
    };
    let run = Exact::new(world.clone()).unwrap_or_else(|errors| panic!("{errors:?}"));
    (run, world)
}
