//! Every sample scene runs to its end, with the outcome that its physics demands.

mod common;

use carom::body::Kind;
use carom::prelude::*;
use carom::simulate::Settling;
use carom::simulate::{Exact, Rigid};
use carom::space::Space;
use carom_scene::AnyWorld;
use common::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// What balls lost that keep touching something, J.
fn lasting_losses(summary: &Value) -> f64 {
    let lasting = &summary["audit"]["losses"]["lasting"];
    let causes = ["sliding", "rolling", "spinning", "settling", "stepping"];
    causes.map(|cause| number(&lasting[cause])).iter().sum()
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
    let steps = match number(&audit["losses"]["lasting"]["stepping"]) != 0.0 {
        true => 240.0 * number(&summary["outcome"]["time"]) * number(&summary["scene"]["bodies"]),
        false => 0.0,
    };
    assert!(
        residual <= 32.0 * U * (1.0 + collisions + steps) * size,
        "{residual:e} of {size}"
    );
}

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
        "cradle_two",
        "dice",
        "dominoes",
        "drag",
        "drum",
        "features_3d",
        "frames",
        "galperin",
        "gas_3d",
        "gas_of_discs",
        "gas_piston",
        "gate",
        "grains",
        "granular_cooling",
        "groups",
        "hollow",
        "laws_of_friction",
        "magnus",
        "mars",
        "mixed_sizes",
        "moving_wall",
        "newton_cradle",
        "orbit",
        "paddle",
        "pile",
        "pinball",
        "right_angle",
        "room_box_3d",
        "room_circle",
        "room_cylinder_3d",
        "room_l_shape",
        "room_pentagon",
        "room_stadium",
        "segment",
        "shaken_floor",
        "slope",
        "solids_in_contact",
        "spin_beta",
        "stirrer",
        "table_roll",
        "tandem",
        "tumbling_book",
        "two_discs",
        "wall_of_boxes",
        "wind",
        "worked_example_1",
        "worked_example_2",
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

/// K6: 2V.
#[test]
fn a_bat_sends_a_ball_off_at_twice_its_speed() {
    let summary = summary("bat");
    check_books(&summary);
    assert_near(
        &vector(&body(&summary, "ball")["velocity"]),
        &[6.0, 0.0],
        4.0 * U * 6.0,
    );
    assert_eq!(vector(&body(&summary, "bat")["velocity"]), [3.0, 0.0]);
    assert_eq!(summary["collisions"]["total"], 1);
}

/// K3, C3: j = 0.0226666…, v = 43/600 and 53/300. All quantities are below one; a dozen roundings.
#[test]
fn two_discs_part_as_in_the_worked_example() {
    let (collisions, summary) = events("two_discs", &[]);
    check_books(&summary);
    assert_eq!(collisions.len(), 1);
    // They touch, but for the last digits of 0.45, 0.3, 0.1 and 0.05, which are no binary fractions; 0.15 m/s apart.
    assert_near(&[number(&collisions[0]["time"])], &[0.0], 0.9 * U / 0.15);
    assert_near(
        &[length(&vector(&collisions[0]["impulse"]))],
        &[0.068 / 3.0],
        12.0 * U,
    );
    let speed = |name| vector(&body(&summary, name)["velocity"]);
    assert_near(&speed("left"), &[43.0 / 600.0, 0.0], 12.0 * U);
    assert_near(&speed("right"), &[53.0 / 300.0, 0.0], 12.0 * U);
}

/// C4. The first pair is at one velocity for τ, and leaves as without it; the ball at the shelf keeps its velocity
/// along it; the second pair is cut short.
#[test]
fn in_tandem_for_the_contact_time() {
    let (collisions, summary) = events("tandem", &[]);
    check_books(&summary);
    let duration = 0.094_225_702_645_802_57;
    assert_eq!(collisions.len(), 4);
    for hit in &collisions {
        assert_eq!(number(&hit["duration"]), duration);
    }
    assert_eq!(summary["collisions"]["lasting"], 4);
    let released = serde_json::json!({"struck": 1, "time": 3});
    assert_eq!(summary["collisions"]["released"], released);
    assert_eq!(summary["audit"]["in_contact"]["contacts"], 0);
    let moving = |name| vector(&body(&summary, name)["velocity"]);
    assert_near(&moving("left"), &[43.0 / 600.0, 0.0], 12.0 * U);
    assert_near(&moving("right"), &[53.0 / 300.0, 0.0], 12.0 * U);
    assert_near(&moving("bouncer"), &[0.5, 0.7], 12.0 * U);
    // Where the method of forces has them at the end of the contact; then on for what is left of the second. Times and
    // places are about one.
    let place = |name| vector(&body(&summary, name)["position"]);
    let left = 1.0 - duration;
    let expected = 0.307_852_141_887_150_2 + left * 43.0 / 600.0;
    assert_near(&place("left"), &[expected, 0.0], 16.0 * U);
    let expected = 0.457_852_141_887_150_2 + left * 53.0 / 300.0;
    assert_near(&place("right"), &[expected, 0.0], 16.0 * U);
    let expected = [0.5, 1.1 + 0.7 * (0.5 - duration)];
    assert_near(&place("bouncer"), &expected, 32.0 * U);

    let output = run(&["run", &scene("tandem"), "--json", "--events"]);
    let releases: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["release"].clone())
        .filter(|release| release.is_object())
        .collect();
    assert_eq!(releases.len(), 4);
    let cut = &releases[0];
    assert_eq!(cut["a"], "upper left");
    assert_eq!(
        (&cut["b"], &cut["separation"]),
        (&"upper right".into(), &"struck".into())
    );
    // 3.2, 0.15 and the like are no binary fractions.
    assert_near(&[number(&cut["duration"])], &[0.05], 16.0 * U);
    let whole = &releases[1];
    assert_eq!((&whole["a"], &whole["number"]), (&"left".into(), &1.into()));
    assert_near(&[number(&whole["duration"])], &[duration], 2.0 * U);
    // The strike finds the ball at the velocity that it was to leave with.
    let strike = collisions.iter().find(|hit| hit["b"] == "third").unwrap();
    assert_eq!(strike["time"], cut["time"]);
    assert_near(
        &vector(&strike["before"][0]["velocity"]),
        &[43.0 / 600.0, 0.0],
        12.0 * U,
    );

    let shown = text(&run(&["run", &scene("tandem"), "--events"]).stdout);
    assert!(shown.contains("frictionless, lasts 0.0942257 s"), "{shown}");
    assert!(
        shown.contains(
            "upper left – upper right  released after 0.0500000 s: cut short by another body"
        ),
        "{shown}"
    );
    assert!(
        shown.contains("4 contacts of measurable duration, ended 1 by struck, 3 by time"),
        "{shown}"
    );

    // In the middle of it the pair is at one velocity, and what it is to leave with is in the books.
    let (_, summary) = self::events("tandem", &["--set", "run.until=0.04"]);
    check_books(&summary);
    for name in ["left", "right"] {
        assert_near(
            &vector(&body(&summary, name)["velocity"]),
            &[1.0 / 12.0, 0.0],
            4.0 * U,
        );
    }
    let held = &summary["audit"]["in_contact"];
    assert_eq!(held["contacts"], 2);
    // ½ μ (ε v)² each, with μ = 0.08/0.9 kg and 0.15 m/s.
    let expected = 0.08 / 0.9 * 0.105 * 0.105;
    assert_near(&[number(&held["energy"])], &[expected], 8.0 * U * 0.01);
}

/// C7. The largest number is the spin of 20 rad/s; some dozen roundings.
#[test]
fn a_spinning_ball_slides_by_the_courses_law_and_sticks_by_coulombs() {
    let (collisions, summary) = events("worked_example_2", &[]);
    check_books(&summary);
    let check = |name, velocity: [f64; 3], angular_velocity: [f64; 3]| {
        let body = body(&summary, name);
        assert_near(&vector(&body["velocity"]), &velocity, 16.0 * U * 2.0);
        assert_near(
            &vector(&body["angular_velocity"]),
            &angular_velocity,
            16.0 * U * 20.0,
        );
    };
    // In sevenths: 0.4114285… = 2.88/7, 1.1914285… = 8.34/7, and so on.
    check(
        "course",
        [-1.6, -2.88 / 7.0, -8.34 / 7.0],
        [0.0, -54.0 / 7.0, 68.0 / 7.0],
    );
    check(
        "coulomb",
        [-1.6, -4.0 / 7.0, -7.5 / 7.0],
        [0.0, -75.0 / 7.0, 40.0 / 7.0],
    );
    let mode = |name: &str| {
        let hit = collisions.iter().find(|hit| hit["a"] == name);
        hit.map(|hit| hit["mode"].clone())
    };
    assert_eq!(mode("course"), Some("slide".into()));
    assert_eq!(mode("coulomb"), Some("stick".into()));
}

/// The speeds are 1, 1.5, 0.75, 1.125, …: binary fractions, and the normal is an axis.
#[test]
fn a_bumper_gives_and_a_cushion_takes() {
    let (collisions, summary) = events("bumper", &[]);
    check_books(&summary);
    let speeds: Vec<f64> = collisions
        .iter()
        .map(|hit| length(&vector(&hit["after"][0]["velocity"])))
        .collect();
    let expected = [1.5, 0.75, 1.125, 0.5625, 0.84375, 0.421875];
    assert_near(&speeds, &expected, 8.0 * U);
    assert!(number(&collisions[0]["energy_lost"]) < 0.0);
    assert!(number(&collisions[1]["energy_lost"]) > 0.0);
}

/// Equal balls on an axis swap velocities exactly: 1 and 0, to the bit.
#[test]
fn a_cradle_passes_the_velocity_on() {
    let (collisions, summary) = events("newton_cradle", &[]);
    check_books(&summary);
    assert_eq!(collisions.len(), 4);
    // All at the instant at which the striker, 1 m - 2/16 m away at 1 m/s, arrives.
    assert!(collisions.iter().all(|hit| hit["time"] == 0.875));
    for name in ["striker", "first", "second", "third"] {
        assert_eq!(
            vector(&body(&summary, name)["velocity"]),
            [0.0, 0.0],
            "{name}"
        );
    }
    assert_eq!(vector(&body(&summary, "fourth")["velocity"]), [1.0, 0.0]);
    assert_eq!(vector(&body(&summary, "fourth")["position"]), [1.5, 0.0]);
}

/// In the coordinates (√M V, √m v) each ball–ball collision and wall bounce together turn the velocity by 2θ,
/// θ = atan √(m/M): after 157 of each the heavy ball has −cos(314 θ) and the light one 100 sin(314 θ). The light ball
/// is at up to 100 m/s, and each of 314 collisions rounds it.
#[test]
fn galperins_billiard_counts_the_digits_of_pi() {
    let summary = summary("galperin");
    check_books(&summary);
    assert_eq!(summary["collisions"]["total"], 314);
    assert_eq!(summary["collisions"]["by_shape"]["ball-wall"], 157);
    let angle = 314.0 * 0.01_f64.atan();
    let velocity = |name| vector(&body(&summary, name)["velocity"]);
    let tolerance = 314.0 * 4.0 * U;
    assert_near(&velocity("heavy"), &[-angle.cos(), 0.0], tolerance);
    assert_near(
        &velocity("light"),
        &[100.0 * angle.sin(), 0.0],
        100.0 * tolerance,
    );
}

/// The paddle strikes when its angle is π/2 − asin(r/d), at the distance √(d² − r²) from the pivot.
#[test]
fn a_paddle_strikes_when_and_as_hard_as_it_must() {
    let (collisions, summary) = events("paddle", &[]);
    check_books(&summary);
    assert_eq!(collisions.len(), 1);
    let time = (std::f64::consts::FRAC_PI_2 - (0.1_f64 / 0.6).asin()) / 2.0;
    assert_near(&[number(&collisions[0]["time"])], &[time], 16.0 * U);
    let speed = length(&vector(&body(&summary, "ball")["velocity"]));
    assert_near(&[speed], &[4.0 * 0.35_f64.sqrt()], 64.0 * U);
}

/// What holds in elastic rooms: the energy stays, and nobody is outside.
fn check_elastic_room(summary: &Value, radius_of_room: f64, radii: &[(&str, f64)]) {
    check_books(summary);
    let audit = &summary["audit"];
    let collisions = number(&summary["collisions"]["total"]);
    let [initial, now] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    let size = number(&audit["energy_initial"]["potential"]).abs() + initial.abs();
    // Each collision keeps the energy to a few dozen roundings of the speeds it changes.
    assert_near(
        &[now],
        &[initial],
        32.0 * U * (1.0 + collisions) * (size + now.abs()),
    );
    assert!(number(&audit["deepest_overlap"]) < 1e-13);
    for (name, radius) in radii {
        let distance = length(&vector(&body(summary, name)["position"]));
        assert!(distance + radius <= radius_of_room + 1e-13, "{name} is out");
        assert!(
            body(summary, name)["collisions"].as_u64() > Some(3),
            "{name}"
        );
    }
}

#[test]
fn a_round_room_keeps_its_balls_and_their_energy() {
    let summary = summary("room_circle");
    check_elastic_room(&summary, 1.0, &[("small", 0.05), ("large", 0.1)]);
    assert!(summary["collisions"]["by_shape"]["ball-ball"].as_u64() > Some(0));
    assert!(summary["collisions"]["by_shape"]["ball-hollow"].as_u64() > Some(20));
}

#[test]
fn obstacles_in_space_are_all_struck_and_keep_the_energy() {
    let summary = summary("box_and_cylinder_3d");
    let balls = [
        ("over the box", 0.1),
        ("over the cylinder", 0.15),
        ("over the triangle", 0.08),
        ("thrown", 0.1),
    ];
    check_elastic_room(&summary, 2.0, &balls);
    for kind in ["ball-box", "ball-cylinder", "ball-triangle", "ball-hollow"] {
        let count = summary["collisions"]["by_shape"][kind].as_u64();
        assert!(count > Some(0), "no {kind}");
    }
    // Smooth and round: the spin stays as it is.
    assert_eq!(
        vector(&body(&summary, "thrown")["angular_velocity"]),
        [5.0, 0.0, 0.0]
    );
}

/// P3 at each wall, with N into the room, U the tangent with U × N = +z: v⁺·N = −β v⁻·N and m r v·U − I θ̇ is
/// conserved.
#[test]
fn a_pentagon_obeys_the_law_of_one_number() {
    let (collisions, summary) = events("room_pentagon", &[]);
    check_books(&summary);
    assert!(collisions.len() > 5);
    let (mass, radius, beta) = (0.1, 0.05, 0.7);
    let inertia = 0.5 * mass * radius * radius;
    for hit in &collisions {
        assert_eq!(hit["mode"], "damped");
        let normal = vector(&hit["normal"]);
        let tangent = [normal[1], -normal[0]];
        let [before, after] = ["before", "after"].map(|when| {
            let side = &hit[when][0];
            (vector(&side["velocity"]), number(&side["angular_velocity"]))
        });
        let rebound = dot(&after.0, &normal) + beta * dot(&before.0, &normal);
        assert!(rebound.abs() < 32.0 * U * 4.0, "{rebound:e}");
        let kept = |(velocity, angular_velocity): &(Vec<f64>, f64)| {
            mass * radius * dot(velocity, &tangent) - inertia * angular_velocity
        };
        // m r v is at most 0.02 kg m²/s.
        assert_near(&[kept(&after)], &[kept(&before)], 32.0 * U * 0.02);
    }
    // Inside: every side is at least a radius away from the centre; the inner radius is cos 36°.
    let position = vector(&body(&summary, "ball")["position"]);
    for side in 0..5 {
        let angle = std::f64::consts::PI * (0.5 + 0.2 + 0.4 * f64::from(side));
        let out = dot(&position, &[angle.cos(), angle.sin()]);
        assert!(out + radius <= (std::f64::consts::PI / 5.0).cos() + 1e-14);
    }
}

/// In the frame of whatever is struck, each rebound has 0.9 of the closing speed: ε at every collision.
#[test]
fn a_shaken_floor_feeds_the_balls() {
    let (collisions, summary) = events("shaken_floor", &[]);
    check_books(&summary);
    assert!(summary["collisions"]["by_shape"]["ball-wall"].as_u64() > Some(10));
    assert!(number(&summary["audit"]["work_by_kinematic"]) > 0.0);
    assert!(number(&summary["audit"]["deepest_overlap"]) < 1e-13);
    for hit in &collisions {
        let normal = vector(&hit["normal"]);
        let closing = |when: &str| {
            let [a, b] = [0, 1].map(|side| vector(&hit[when][side]["velocity"]));
            dot(&a, &normal) - dot(&b, &normal)
        };
        let (before, after) = (closing("before"), closing("after"));
        assert!(before < 0.0);
        // Speeds stay below 10 m/s.
        assert_near(&[after], &[-0.9 * before], 32.0 * U * 10.0);
    }
}

/// A rack that touches, four cushions, friction: everyone stays on the table, and energy only goes.
#[test]
fn a_break_scatters_the_rack_and_stays_on_the_table() {
    let (collisions, summary) = events("break", &[]);
    check_books(&summary);
    assert!(
        collisions
            .iter()
            .all(|hit| number(&hit["energy_lost"]) >= -1e-15)
    );
    let times: Vec<f64> = collisions.iter().map(|hit| number(&hit["time"])).collect();
    assert!(times.is_sorted());
    assert!(number(&summary["audit"]["deepest_overlap"]) < 1e-14);
    let balls: Vec<&Value> = summary["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|body| body["motion"] == "free")
        .collect();
    assert_eq!(balls.len(), 16);
    for ball in balls {
        let [x, y] = vector(&ball["position"])[..] else {
            panic!("a place in the plane")
        };
        let radius = 0.028575 - 1e-13;
        assert!((radius..=2.54 - radius).contains(&x), "{ball}");
        assert!((radius..=1.27 - radius).contains(&y), "{ball}");
        assert!(length(&vector(&ball["velocity"])) > 0.0, "{ball}");
    }
}

/// Grains come to rest: on the floor, between the walls, no faster than a contact time of falling explains.
#[test]
fn grains_come_to_rest_with_a_contact_time() {
    let summary = summary("grains");
    check_books(&summary);
    assert!(number(&summary["audit"]["lost_in_collisions"]) > 0.0);
    assert!(number(&summary["audit"]["deepest_overlap"]) < 1e-14);
    let bodies = summary["bodies"].as_array().unwrap().iter();
    let grains: Vec<&Value> = bodies.filter(|body| body["motion"] == "free").collect();
    assert_eq!(grains.len(), 25);
    for grain in grains {
        let [x, y] = vector(&grain["position"])[..] else {
            panic!("a place in the plane")
        };
        // The radii are between 0.02 and 0.029 m; a heap of 25 between walls 0.4 m apart has at most five layers.
        assert!((0.02..=0.38).contains(&x), "{grain}");
        assert!((0.02..=5.0 * 0.058).contains(&y), "{grain}");
        // What falls for t_c has a speed of g t_c = 0.01 m/s; what a grain receives from its neighbours is of that
        // size.
        assert!(length(&vector(&grain["velocity"])) < 0.1, "{grain}");
    }
}

/// Every ball's place, radius and name.
fn free_balls(summary: &Value) -> Vec<(Vec<f64>, &str)> {
    let bodies = summary["bodies"].as_array().unwrap();
    let free = bodies.iter().filter(|body| body["motion"] == "free");
    let free: Vec<_> = free
        .map(|body| (vector(&body["position"]), body["name"].as_str().unwrap()))
        .collect();
    assert!(!free.is_empty(), "nobody is free");
    free
}

/// What holds in elastic rooms that stand still: each collision keeps the energy to a few dozen roundings of the speeds
/// it changes.
fn check_energy_stays(summary: &Value) {
    check_books(summary);
    let audit = &summary["audit"];
    let collisions = number(&summary["collisions"]["total"]);
    let [initial, now] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    let kinetic = number(&audit["energy_initial"]["translational"])
        + number(&audit["energy"]["translational"]);
    let size = number(&audit["energy_initial"]["potential"]).abs() + kinetic + now.abs();
    assert_near(&[now], &[initial], 32.0 * U * (1.0 + collisions) * size);
    assert!(number(&audit["deepest_overlap"]) < 1e-13);
}

/// P4. The joint is struck after 0.9 s, and the ball comes straight back.
#[test]
fn a_stadium_keeps_its_balls_and_its_joints_are_smooth() {
    let (collisions, summary) = events("room_stadium", &[]);
    check_energy_stays(&summary);
    let first = collisions
        .iter()
        .find(|hit| hit["a"] == "on the joint")
        .unwrap();
    assert_near(&[number(&first["time"])], &[0.9], 4.0 * U);
    let wall = first["b"].as_str().unwrap();
    assert!(
        ["stadium.wall 1", "stadium.wall 2"].contains(&wall),
        "{wall}"
    );
    // The joint's own place is rounded, and a ball of 0.1 m turns that into a tilt ten times as large.
    assert_near(
        &vector(&first["after"][0]["velocity"]),
        &[0.0, 1.0],
        64.0 * U,
    );
    for (place, name) in free_balls(&summary) {
        let radius = if name == "on the joint" { 0.1 } else { 0.05 };
        let from_spine = [place[0] - place[0].clamp(-1.0, 1.0), place[1]];
        assert!(length(&from_spine) + radius <= 1.0 + 1e-13, "{name} is out");
    }
    for kind in ["ball-segment", "ball-arc", "ball-ball"] {
        let count = summary["collisions"]["by_shape"][kind].as_u64();
        assert!(count > Some(0), "no {kind}");
    }
}

/// P4, K8: the corner that points inwards is struck too, and nobody gets into the notch behind it.
#[test]
fn an_l_shaped_room_keeps_its_balls() {
    let (collisions, summary) = events("room_l_shape", &[]);
    check_energy_stays(&summary);
    let at_corner = |hit: &&Value| {
        let point = vector(&hit["point"]);
        let away = [point[0] - 1.0, point[1] - 1.0];
        length(&away) < 1e-12
    };
    assert!(collisions.iter().filter(at_corner).count() > 0);
    for (place, name) in free_balls(&summary) {
        let [x, y] = place[..] else {
            panic!("a place in the plane")
        };
        let radius = 0.05 - 1e-13;
        let leg = (radius..=1.0 - radius).contains(&x) && (radius..=3.0 - radius).contains(&y);
        let foot = (radius..=3.0 - radius).contains(&x) && (radius..=1.0 - radius).contains(&y);
        assert!(leg || foot, "{name} is at {place:?}");
    }
}

/// P4, C7: the can drags the balls round in its own sense, about +x, and they stay in it.
#[test]
fn a_turning_can_carries_its_balls() {
    let (collisions, summary) = events("room_cylinder_3d", &[]);
    check_books(&summary);
    assert!(summary["collisions"]["by_shape"]["ball-tube"].as_u64() > Some(10));
    assert!(number(&summary["audit"]["deepest_overlap"]) < 1e-13);
    assert!(number(&summary["audit"]["work_by_kinematic"]) > 0.0);
    let cross = |a: &[f64], b: &[f64]| -> Vec<f64> {
        let part = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        vec![part(1, 2), part(2, 0), part(0, 1)]
    };
    let radius = |name: &str| match name {
        "low" => 0.1,
        "high" => 0.12,
        _ => 0.06,
    };
    let mut stuck = 0;
    for hit in collisions.iter().filter(|hit| hit["b"] == "can.wall 1") {
        let normal = vector(&hit["normal"]);
        assert!(normal[0].abs() < 8.0 * U);
        if hit["mode"] != "stick" {
            continue;
        }
        stuck += 1;
        // Whatever sticks moves along the wall as the wall does there: (2, 0, 0) rad/s about the axis.
        let arm: Vec<f64> = (normal.iter())
            .map(|n| -n * radius(hit["a"].as_str().unwrap()))
            .collect();
        let [velocity, angular_velocity] =
            ["velocity", "angular_velocity"].map(|key| vector(&hit["after"][0][key]));
        let surface = cross(&angular_velocity, &arm);
        let wall = cross(&[2.0, 0.0, 0.0], &vector(&hit["point"]));
        let slip: Vec<f64> = (0..3)
            .map(|axis| velocity[axis] + surface[axis] - wall[axis])
            .collect();
        let closing = dot(&slip, &normal);
        let across: Vec<f64> = (0..3)
            .map(|axis| slip[axis] - closing * normal[axis])
            .collect();
        // Speeds stay below 10 m/s.
        assert!(length(&across) < 64.0 * U * 10.0, "{across:?}");
    }
    assert!(stuck > 10, "{stuck}");
    for (place, name) in free_balls(&summary) {
        let radius = 0.06 - 1e-13;
        assert!(
            length(&place[1..]) <= 0.8 - radius,
            "{name} is at {place:?}"
        );
        assert!(place[0].abs() <= 0.75 - radius, "{name} is at {place:?}");
    }
}

/// P4, K3: each wall by its own number.
#[test]
fn a_box_has_a_soft_floor_and_a_lively_ceiling() {
    let (collisions, summary) = events("room_box_3d", &[]);
    check_books(&summary);
    let mut struck = BTreeSet::new();
    for hit in collisions.iter().filter(|hit| hit["b"] != "two") {
        let wall = hit["b"].as_str().unwrap();
        let ratio = match wall {
            "box.wall 5" => 0.5,
            "box.wall 6" => 2.0,
            _ => 1.0,
        };
        let normal = vector(&hit["normal"]);
        let along = |when: &str| dot(&vector(&hit[when][0]["velocity"]), &normal);
        // Speeds stay below 10 m/s.
        let expected = -ratio * along("before");
        assert_near(&[along("after")], &[expected], 16.0 * U * 10.0);
        struck.insert(wall);
    }
    assert_eq!(struck.len(), 6, "{struck:?}");
}

/// C1: 2V at each hit, and g (v − V) stays, as derived in the scene. All speeds are multiples of 2⁻³ m/s and therefore
/// exact.
#[test]
fn a_piston_heats_a_gas_of_one_molecule() {
    let (collisions, summary) = events("gas_piston", &[]);
    check_books(&summary);
    let hits: Vec<&Value> = collisions
        .iter()
        .filter(|hit| hit["b"] == "cylinder.wall 2")
        .collect();
    assert!(hits.len() > 30);
    // They first meet where 1 + t = 3.75 − t/8.
    let free = |time: f64| 3.5 - 0.125 * time;
    let product = free(2.75 / 1.125) * 1.125;
    for (count, hit) in (1..).zip(hits) {
        let speed = 1.0 + 0.25 * f64::from(count);
        assert_eq!(vector(&hit["after"][0]["velocity"]), [-speed, 0.0]);
        let now = free(number(&hit["time"])) * (speed - 0.125);
        assert_near(&[now], &[product], 64.0 * U * f64::from(count));
    }
}

/// K6: what turns without changing its place does nothing; the vanes do all the work.
#[test]
fn a_drum_throws_its_balls_with_its_vanes() {
    let (collisions, summary) = events("drum", &[]);
    check_books(&summary);
    let work = number(&summary["audit"]["work_by_kinematic"]);
    assert!(work != 0.0);
    let mut vanes = 0;
    for hit in &collisions {
        let wall = hit["b"].as_str().unwrap();
        let speed = |when: &str| length(&vector(&hit[when][0]["velocity"]));
        if wall == "drum.wall 1" {
            // Below 10 m/s.
            assert_near(&[speed("after")], &[speed("before")], 16.0 * U * 10.0);
        }
        vanes += usize::from(wall.starts_with("drum.vane"));
    }
    assert!(vanes > 3, "{vanes}");
    for (place, name) in free_balls(&summary) {
        assert!(length(&place) + 0.05 <= 1.0 + 1e-13, "{name} is out");
    }
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

/// The one collision of a ball: its time.
fn only_time(collisions: &[Value], name: &str) -> f64 {
    let of_ball = |hit: &&Value| hit["a"] == name || hit["b"] == name;
    let mut own = collisions.iter().filter(of_ball);
    let time = number(
        &own.next()
            .unwrap_or_else(|| panic!("{name} strikes nothing"))["time"],
    );
    assert!(own.next().is_none(), "{name} strikes twice");
    time
}

/// Falls from h: √(2h/g); then each flight is ε times as long as the one before, and as high by ε².
#[test]
fn a_ball_on_mars_bounces_for_longer_and_longer() {
    let (collisions, summary) = events("mars", &[]);
    check_books(&summary);
    let (g, height, restitution) = (3.71, 2.0_f64, 0.8);
    let fall = (2.0 * height / g).sqrt();
    assert_eq!(collisions.len(), 9);
    let (mut time, mut speed) = (fall, g * fall);
    for hit in &collisions {
        // Nine bounces at up to 8 s, each dated to a few roundings of the time and of the 2 m over the speed, which
        // falls to 0.5 m/s.
        assert_near(
            &[number(&hit["time"])],
            &[time],
            64.0 * U * (8.0 + 2.0 / speed),
        );
        speed *= restitution;
        time += 2.0 * speed / g;
        assert_near(
            &vector(&hit["after"][0]["velocity"]),
            &[0.5, speed],
            64.0 * U * 4.0,
        );
    }
}

/// P5: stopping to look changes nothing, to the bit.
#[test]
fn what_happens_on_mars_does_not_depend_on_how_often_one_looks() {
    let (mut once, _) = start("mars");
    assert_eq!(once.run_to(8.0), Ok(End::Time));
    for steps in [7, 60, 480] {
        let (mut often, world) = start("mars");
        for step in 1..=steps {
            let time = 8.0 * f64::from(step) / f64::from(steps);
            assert_eq!(often.run_to(time), Ok(End::Time));
        }
        assert_eq!(often.digest(), once.digest());
        let ball = world.find("ball").unwrap();
        assert_eq!(often.state(ball).position, once.state(ball).position);
    }
}

/// K4, and the truth that equal balls part at right angles. A dozen roundings of 2 m/s and of 4 m.
#[test]
fn equal_balls_part_at_right_angles() {
    let (collisions, summary) = events("right_angle", &[]);
    check_books(&summary);
    assert_near(&[only_time(&collisions, "cue")], &[1.6], 16.0 * U * 4.0);
    let velocity = |name| vector(&body(&summary, name)["velocity"]);
    assert_near(&velocity("cue"), &[0.72, 0.96], 32.0 * U * 2.0);
    assert_near(&velocity("target"), &[1.28, -0.96], 32.0 * U * 2.0);
    assert!(dot(&velocity("cue"), &velocity("target")).abs() < 64.0 * U * 2.0);
}

/// C1: v' = V − ε (v − V). Binary fractions all the way.
#[test]
fn moving_walls_mirror_in_their_own_frame() {
    let (collisions, summary) = events("moving_wall", &[]);
    check_books(&summary);
    for (name, time, velocity) in [
        ("elastic", 1.5, [-4.0, 0.0]),
        ("dull", 1.5, [-2.5, 0.0]),
        ("pursuer", 2.25, [0.0, 1.0]),
    ] {
        assert_near(&[only_time(&collisions, name)], &[time], 8.0 * U * 10.0);
        let after = vector(&body(&summary, name)["velocity"]);
        assert_near(&after, &velocity, 8.0 * U * 5.0);
    }
}

/// P3, by hand: 0.7·30 − 0.3/0.1·1 = 18 rad/s, and m r v·U − I θ̇ is kept.
#[test]
fn one_number_damps_the_rebound_and_pulls_the_spin() {
    let (collisions, summary) = events("spin_beta", &[]);
    check_books(&summary);
    assert_near(&[only_time(&collisions, "ball")], &[0.5], 8.0 * U);
    let ball = body(&summary, "ball");
    assert_near(&vector(&ball["velocity"]), &[0.4, 1.4], 32.0 * U * 2.0);
    assert_near(
        &[number(&ball["angular_velocity"])],
        &[18.0],
        32.0 * U * 30.0,
    );
}

/// C5–C7, by hand: with I = ⅛, α_t = 1/(1 + r²/I) = ⅓, j = 3; sticking takes α_t·3 = 1.
#[test]
fn each_law_of_friction_does_what_it_says() {
    let (collisions, summary) = events("laws_of_friction", &[]);
    check_books(&summary);
    for (name, along, angular_velocity, mode) in [
        ("slides", 2.7, -1.2, "slide"),
        ("sticks", 2.0, -4.0, "stick"),
        ("by the course", 2.5, -2.0, "slide"),
        ("by newton", 2.7, -1.2, "slide"),
    ] {
        // 2 m at 2 m/s.
        assert_near(&[only_time(&collisions, name)], &[1.0], 8.0 * U * 2.5);
        let ball = body(&summary, name);
        assert_near(&vector(&ball["velocity"]), &[along, 1.0], 32.0 * U * 3.0);
        assert_near(
            &[number(&ball["angular_velocity"])],
            &[angular_velocity],
            32.0 * U * 8.0,
        );
        let hit = collisions.iter().find(|hit| hit["a"] == name).unwrap();
        assert_eq!(hit["mode"], mode, "{name}");
    }
}

/// M1, M2, F1: `(3 − √(0.5² − 0.3²))/6` for the particles, `(distance − r)/speed` for the borders; each rounded a few
/// times.
#[test]
fn nothing_is_missed_between_two_frames() {
    let (collisions, summary) = events("frames", &[]);
    check_books(&summary);
    for (name, time) in [
        ("rightward", 2.6 / 6.0),
        ("leftward", 2.6 / 6.0),
        ("from the left", 0.75 / 3.0),
        ("from the right", 0.75 / 2.0),
        ("from above", 0.75 / 3.0),
        ("from below", 1.75 / 3.0),
    ] {
        assert_near(&[only_time(&collisions, name)], &[time], 32.0 * U * 5.0);
    }
    // Hit from either side, they go back.
    let velocity = |name| vector(&body(&summary, name)["velocity"]);
    assert_eq!(velocity("from the left"), [-3.0, 0.0]);
    assert_eq!(velocity("from the right"), [2.0, 0.0]);
    assert_eq!(velocity("from above"), [0.0, 3.0]);
    assert_eq!(velocity("from below"), [0.0, -3.0]);
}

/// K8: head-on from both sides and on the end; off centre at the other end, mirrored in the normal (−0.8, −0.6).
#[test]
fn a_segment_is_struck_from_both_sides_and_on_its_ends() {
    let (collisions, summary) = events("segment", &[]);
    check_books(&summary);
    for (name, time, velocity) in [
        ("from the left", 2.5, [-1.0, 0.0]),
        ("from the right", 2.5, [1.0, 0.0]),
        ("on the end", 2.5, [0.0, 1.0]),
        ("past the end", 3.6, [-0.28, -0.96]),
    ] {
        // The last meets its normal at a slope: the roundings of the time and of the place come in a few times.
        assert_near(&[only_time(&collisions, name)], &[time], 32.0 * U * 4.0);
        let after = vector(&body(&summary, name)["velocity"]);
        assert_near(&after, &velocity, 64.0 * U * 4.0);
    }
}

/// Two come in, two leave, all at one instant and to the bit.
#[test]
fn two_balls_of_a_cradle_send_off_two() {
    let (collisions, summary) = events("cradle_two", &[]);
    check_books(&summary);
    assert!(collisions.iter().all(|hit| hit["time"] == 0.875));
    let velocity = |name| vector(&body(&summary, name)["velocity"]);
    for name in ["striker 1", "striker 2", "ball 1"] {
        assert_eq!(velocity(name), [0.0, 0.0], "{name}");
    }
    for name in ["ball 2", "ball 3"] {
        assert_eq!(velocity(name), [1.0, 0.0], "{name}");
    }
}

/// Of a speed v the next ball, half as heavy, gets 4/3, and 1/3 is left. Each is rounded a few times.
#[test]
fn a_cradle_of_masses_ends_like_a_whip() {
    let (collisions, summary) = events("cradle_of_masses", &[]);
    check_books(&summary);
    assert_eq!(collisions.len(), 4);
    let mut speed = 1.0;
    for name in ["first", "second", "third", "fourth"] {
        let velocity = vector(&body(&summary, name)["velocity"]);
        assert_near(&velocity, &[speed / 3.0, 0.0], 32.0 * U * 3.0);
        speed *= 4.0 / 3.0;
    }
    let last = vector(&body(&summary, "last")["velocity"]);
    assert_near(&last, &[speed, 0.0], 32.0 * U * 4.0);
}

/// C14, C15: the centre of a ball that comes along the normal of a face, an edge, a corner or a rim from 3 steps away
/// is then 0.5 m from it; it goes back as it came. Coordinates of up to 50 m, at 1 m/s and faster.
#[test]
fn every_feature_of_the_solids_is_struck_head_on() {
    let (collisions, summary) = events("features_3d", &[]);
    check_books(&summary);
    assert_eq!(collisions.len(), 10);
    let (edge, corner) = (3.0 - 0.5 / 2.0_f64.sqrt(), 3.0 - 0.5 / 3.0_f64.sqrt());
    for (name, time, velocity) in [
        ("on a face", 2.5, [0.0, 0.0, 1.0]),
        ("on an edge", edge, [1.0, 0.0, 1.0]),
        ("on a corner", corner, [-1.0, -1.0, -1.0]),
        ("on an end", 2.5, [0.0, 0.0, 1.0]),
        ("on the side", 2.5, [1.0, 0.0, 0.0]),
        ("on a rim", edge, [-1.0, 0.0, -1.0]),
        ("from above", 2.5, [0.0, 0.0, 1.0]),
        ("from below", 2.5, [0.0, 0.0, -1.0]),
        ("on the triangle's edge", 3.5, [0.0, -1.0, 0.0]),
        ("on the triangle's corner", 3.5, [1.0, 0.0, 0.0]),
    ] {
        assert_near(&[only_time(&collisions, name)], &[time], 16.0 * U * 50.0);
        // The normal is known to a rounding of 50 m over 0.5 m.
        let after = vector(&body(&summary, name)["velocity"]);
        assert_near(&after, &velocity, 16.0 * U * 100.0);
    }
}

/// Balls touch the gate's faces at x = 2 and 3 with their radius of 0.25 m; the slow one comes back from 4.75 m.
#[test]
fn a_gate_notices_who_passes_and_when() {
    let (mut run, world) = start("gate");
    let mut seen = Vec::new();
    let end = run.run_until(10.0, |event| {
        match event {
            Event::Entered(passage) => seen.push((passage.ball, true, passage.time)),
            Event::Left(passage) => seen.push((passage.ball, false, passage.time)),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(End::Time));
    let (fast, slow) = (world.find("fast").unwrap(), world.find("slow").unwrap());
    let expected = [
        (fast, true, 0.875),
        (fast, false, 1.625),
        (slow, true, 1.75),
        (slow, false, 3.25),
        (slow, true, 6.25),
        (slow, false, 7.75),
    ];
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (seen, expected) in seen.iter().zip(expected) {
        assert_eq!((seen.0, seen.1), (expected.0, expected.1));
        assert_near(&[seen.2], &[expected.2], 16.0 * U * 8.0);
    }
    // The fast one meets only gates, and goes through the wall.
    assert_eq!(run.state(fast).position.x, 20.0);
    assert_eq!(run.collisions(), 1);
}

/// Red and blue pass through each other and come back from the walls; white takes over the velocity of the other red
/// one.
#[test]
fn groups_decide_who_meets_whom() {
    let (collisions, summary) = events("groups", &[]);
    check_books(&summary);
    let met: Vec<(&str, &str)> = collisions
        .iter()
        .map(|hit| (hit["a"].as_str().unwrap(), hit["b"].as_str().unwrap()))
        .collect();
    assert!(met.contains(&("red", "right wall")) && met.contains(&("blue", "left wall")));
    assert!(met.iter().all(|pair| *pair != ("red", "blue")));
    let between: Vec<_> = met.iter().filter(|(_, b)| !b.ends_with("wall")).collect();
    assert!(
        between
            .iter()
            .all(|pair| **pair == ("white", "another red"))
    );
    // Red: 6.5 m to the wall at 4.5 m, then back for 3.5 s; all binary fractions.
    assert_eq!(vector(&body(&summary, "red")["position"]), [1.0, 0.0]);
    assert_eq!(vector(&body(&summary, "blue")["position"]), [-1.0, 0.0]);
}

/// Enskog's collision rate of equal discs, diameter 1 and mass 1, at a temperature of 1: `2√π n χ` for each.
fn rate_of_discs(count: f64, area: f64, at_contact: f64) -> f64 {
    2.0 * PI.sqrt() * (count / area) * at_contact
}

/// Haff: each collision takes (1 − ε²) T on average, of N T in all, so that T = 1/(1 + t/τ)² with 1/τ = (1 − ε²) ω₀/4.
///
/// The fluctuations of 21,700 collisions are 1 % of the energy; that speeds are not quite Maxwell's (equal at first,
/// a₂ = −0.019 later) is worth another 1 %, and that neighbours come to move alike, which Haff leaves out, by some
/// more, the longer the run.
#[test]
fn a_granular_gas_cools_by_haffs_law() {
    let (mut run, world) = start("granular_cooling");
    assert_eq!(run.run_to(50.0), Ok(End::Time));
    let (count, fraction) = (1500.0, 1500.0 * PI / 4.0 / 8100.0);
    let at_contact = (1.0 - 7.0 / 16.0 * fraction) / ((1.0 - fraction) * (1.0 - fraction));
    let rate = rate_of_discs(count, 8100.0, at_contact);
    let loss = 1.0 - 0.95 * 0.95;
    let cooled = 1.0 / (1.0 + loss * rate / 4.0 * 50.0);
    let audit = run.audit();
    assert_near(&[audit.initial.translational], &[count], 1e-9);
    let temperature = audit.now.translational / count;
    assert_near(&[temperature / (cooled * cooled)], &[1.0], 0.05);
    let by_collisions = (-loss * run.collisions() as f64 / count).exp();
    assert_near(&[temperature / by_collisions], &[1.0], 0.05);
    assert_eq!(world.bodies().len(), 1500);
    assert!(audit.deepest_overlap < 1e-12);
}

/// Z = 1 + 2 η χ for discs, by Henderson. 20,900 collisions have fluctuations of 0.7 % or less: four of them.
#[test]
fn a_gas_of_discs_collides_as_henderson_says() {
    let (mut run, _) = start("gas_of_discs");
    assert_eq!(run.run_to(30.0), Ok(End::Time));
    let (count, area) = (600.0, 1600.0);
    let fraction = count * PI / 4.0 / area;
    let z = (1.0 + fraction * fraction / 8.0) / ((1.0 - fraction) * (1.0 - fraction));
    let rate = rate_of_discs(count, area, (z - 1.0) / (2.0 * fraction));
    let expected = 0.5 * count * rate * 30.0;
    assert_near(&[run.collisions() as f64 / expected], &[1.0], 0.03);
    assert_near(&[run.audit().now.translational], &[count], 1e-9);
}

/// Z = 1 + 4 η χ for spheres, by Carnahan and Starling; each collides `4√π n χ` times a second. Fluctuations as above.
#[test]
fn a_gas_of_spheres_collides_as_carnahan_and_starling_say() {
    let summary = summary("gas_3d");
    check_books(&summary);
    let (count, volume) = (800.0, 1728.0);
    let eta = count * PI / 6.0 / volume;
    let z = (1.0 + eta + eta * eta - eta * eta * eta) / ((1.0 - eta) * (1.0 - eta) * (1.0 - eta));
    let rate = 4.0 * PI.sqrt() * (count / volume) * (z - 1.0) / (4.0 * eta);
    let expected = 0.5 * count * rate * 12.0;
    let collisions = number(&summary["collisions"]["total"]);
    assert_near(&[collisions / expected], &[1.0], 0.03);
    assert_near(
        &[number(&summary["audit"]["energy"]["translational"])],
        &[1200.0],
        1e-9,
    );
}

/// Equipartition: the large discs, at rest at first, end up with the mean energy of all (but one, as the momentum is
/// fixed). Means over 60 discs at 40 times, of which some dozen are independent of each other: 1/√(60·12) is 4 %, and
/// four of those.
#[test]
fn large_and_small_discs_come_to_share_the_energy() {
    let (mut run, world) = start("mixed_sizes");
    let ids = |kind: &str| -> Vec<(BodyId, f64)> {
        let named = (0u32..).zip(world.bodies());
        let of_kind = named.filter(|(_, body)| body.name.starts_with(kind));
        of_kind
            .map(|(id, body)| match &body.kind {
                Kind::Free(free) => (BodyId(id), free.mass),
                _ => panic!("not free"),
            })
            .collect()
    };
    let (large, small) = (ids("large"), ids("small"));
    assert_eq!((large.len(), small.len()), (60, 600));
    let mean = |run: &Exact<Space2>, balls: &[(BodyId, f64)]| {
        let energy =
            |(id, mass): &(BodyId, f64)| 0.5 * mass * run.state(*id).velocity.length_squared();
        balls.iter().map(energy).sum::<f64>() / balls.len() as f64
    };
    assert_eq!(mean(&run, &large), 0.0);
    let (mut of_large, mut of_small) = (0.0, 0.0);
    let times = 40;
    for time in 0..times {
        assert_eq!(run.run_to(40.0 + f64::from(time)), Ok(End::Time));
        of_large += mean(&run, &large) / f64::from(times);
        of_small += mean(&run, &small) / f64::from(times);
    }
    let all = run.audit().initial.translational;
    let expected = all / 659.0;
    assert_near(&[of_large], &[expected], 0.16 * expected);
    assert_near(&[of_small], &[expected], 0.05 * expected);
    assert_near(&[run.audit().now.translational], &[all], 1e-9);
}

/// At each collision ε is that of the two materials: bumpers and the bottom kick by 1.3, rails, sides, arc and arm
/// take.
#[test]
fn pinball_gives_at_bumpers_and_takes_at_rails() {
    let (collisions, summary) = events("pinball", &[]);
    check_books(&summary);
    let mut bumps = 0;
    for hit in &collisions {
        let kicks = hit["b"].as_str().unwrap().starts_with("b");
        let restitution = if kicks { 1.3 } else { 0.8 };
        bumps += u32::from(kicks);
        let normal = vector(&hit["normal"]);
        // The arm turns: its velocity at the point of contact, from its spin about (0.5, 0.6).
        let point = vector(&hit["point"]);
        let turning = match hit["b"] == "arm" {
            true => [-3.0 * (point[1] - 0.6), 3.0 * (point[0] - 0.5)],
            false => [0.0, 0.0],
        };
        let closing = |when: &str| {
            let ball = vector(&hit[when][0]["velocity"]);
            dot(&ball, &normal) - dot(&turning, &normal)
        };
        assert!(closing("before") < 0.0);
        // Speeds of up to 5 m/s; the arm's point is known to the roundings of places of 1 m.
        let rebound = -restitution * closing("before");
        assert_near(&[closing("after")], &[rebound], 64.0 * U * 5.0);
    }
    assert!(bumps >= 5, "{bumps}");
    let [x, y] = vector(&body(&summary, "ball")["position"])[..] else {
        panic!("a place in the plane")
    };
    assert!((0.0135..=0.9865).contains(&x) && (0.0135..=1.9865).contains(&y));
}

/// All four bricks are struck, none is pushed; the speed changes only at the bat's ends, by a mirror image in its own
/// frame.
#[test]
fn breakout_strikes_all_bricks_and_the_bat_plays_on() {
    let (collisions, summary) = events("breakout", &[]);
    check_books(&summary);
    let struck: BTreeSet<&str> = collisions
        .iter()
        .filter_map(|hit| hit["b"].as_str())
        .collect();
    for name in [
        "bat", "brick 1", "brick 2", "brick 3", "brick 4", "left", "right",
    ] {
        assert!(struck.contains(name), "{name} is not struck");
    }
    for hit in &collisions {
        let bat = match hit["b"] == "bat" {
            true => vector(&hit["before"][1]["velocity"]),
            false => vec![0.0, 0.0],
        };
        let relative = |when: &str| {
            let ball = vector(&hit[when][0]["velocity"]);
            [ball[0] - bat[0], ball[1] - bat[1]]
        };
        let (before, after) = (relative("before"), relative("after"));
        let normal = vector(&hit["normal"]);
        let twice = 2.0 * dot(&before, &normal);
        let mirrored = [before[0] - twice * normal[0], before[1] - twice * normal[1]];
        // Speeds of up to 5 m/s, a dozen roundings.
        assert_near(&after, &mirrored, 32.0 * U * 5.0);
    }
}

/// P2: v = v_t tanh(g t/v_t) over v_t²/g · ln cosh(g t/v_t), and v = g τ (1 − exp(−t/τ)) over τ (g t − v).
///
/// A piece is within 10⁻¹² of 1 + what it flies or how fast it is, at most 1 + 7 here: of fewer than 100 pieces in 3 s,
/// 100 (1 + 3) 8 · 10⁻¹² at most.
#[test]
fn balls_fall_through_air_as_they_must() {
    let summary = summary("drag");
    check_flown(&summary);
    let (g, t, mass) = (9.81_f64, 3.0, 0.1);
    let tolerance = 3.2e-9;
    let top = (mass * g / 0.02).sqrt();
    let (speed, way) = (
        top * (g * t / top).tanh(),
        top * top / g * (g * t / top).cosh().ln(),
    );
    let ball = body(&summary, "quadratic");
    assert_near(&vector(&ball["velocity"]), &[0.0, -speed], tolerance);
    assert_near(&vector(&ball["position"]), &[-1.0, 20.0 - way], tolerance);
    let decay = mass / 0.2;
    let speed = g * decay * (1.0 - (-t / decay).exp());
    let way = decay * (g * t - speed);
    let ball = body(&summary, "linear");
    assert_near(&vector(&ball["velocity"]), &[0.0, -speed], tolerance);
    assert_near(&vector(&ball["position"]), &[1.0, 20.0 - way], tolerance);
    // What the weight gave and they do not have, the air has.
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    let lost = number(&audit["losses"]["fields"]);
    assert!(lost > 1.0, "{lost}");
    assert_near(&[before - after], &[lost], tolerance);
}

/// What holds of a flight through fields: it is complete, and the books balance within what the scenes' tolerance of
/// 10⁻¹² leaves of their energies, of some ten joules, and momenta, in fewer than a thousand pieces.
fn check_flown(summary: &Value) {
    assert_eq!(summary["outcome"]["status"], "completed");
    assert_eq!(summary["collisions"]["total"], 0);
    let audit = &summary["audit"];
    assert!(number(&audit["energy_residual"]).abs() < 1e-8);
    assert!(length(&vector(&audit["momentum_residual"])) < 1e-8);
}

/// P7, P2: w (1 − exp(−1/τ)) when the gust is over, and less by exp(−2/τ) in the end, where the ball is at w · 1 s − τ
/// v. Tolerance as above.
#[test]
fn a_gust_takes_a_ball_along_and_leaves_it() {
    let summary = summary("wind");
    check_flown(&summary);
    let decay = 0.2 / 0.25;
    let ball = body(&summary, "ball");
    let left = (1.0 - (-1.0_f64 / decay).exp()) * (-2.0_f64 / decay).exp();
    let velocity = [3.0 * left, left];
    assert_near(&vector(&ball["velocity"]), &velocity, 3.2e-9);
    let place = [3.0 - decay * velocity[0], 1.0 - decay * velocity[1]];
    assert_near(&vector(&ball["position"]), &place, 3.2e-9);
    // The air gave it all the momentum and energy that it has: m v, and ½ m v² as a loss below zero.
    let audit = &summary["audit"];
    let given = vector(&audit["momentum_from_fields"]);
    assert_near(&given, &velocity.map(|v| 0.2 * v), 3.2e-9);
    let energy = 0.1 * dot(&velocity, &velocity);
    assert_near(&[number(&audit["losses"]["fields"])], &[-energy], 3.2e-9);
}

/// m v′ = m g + C ω×v with Ω = C ω/m: a cycloid that drifts at g/Ω. At whole periods it is at rest again; the other
/// goes straight on. Tolerance as above: speeds below 5 m/s, ways below 8 m.
#[test]
fn lift_turns_a_fall_into_arches() {
    let summary = summary("magnus");
    check_flown(&summary);
    let drift = 9.81 / 4.0;
    let fallen = body(&summary, "let go");
    assert_near(&vector(&fallen["velocity"]), &[0.0, 0.0], 3.2e-9);
    assert_near(&vector(&fallen["position"]), &[drift * PI, 0.0], 3.2e-9);
    assert_eq!(fallen["angular_velocity"], 200.0);
    let carried = body(&summary, "carried");
    assert_near(&vector(&carried["velocity"]), &[drift, 0.0], 3.2e-9);
    assert_near(&vector(&carried["position"]), &[drift * PI, 1.0], 3.2e-9);
    // Across the way: lift does no work. Half-way through an arch it is 2 g/Ω² down, at twice the drift.
    assert_near(
        &[number(&summary["audit"]["losses"]["fields"])],
        &[0.0],
        1e-9,
    );
    let (_, lowest) = events("magnus", &["--set", "run.until=pi / 4"]);
    let fallen = body(&lowest, "let go");
    assert_near(&vector(&fallen["velocity"]), &[2.0 * drift, 0.0], 3.2e-9);
    let place = [drift * PI / 4.0, -9.81 / 8.0];
    assert_near(&vector(&fallen["position"]), &place, 3.2e-9);
}

/// Kepler: back after 2π s; half-way at a (1 + e) and v_p (1 − e)/(1 + e).
///
/// An error δv at speed v changes the energy by v δv and with it the period by 3 · 2π v δv, so that the satellite is
/// off by 6π v² δv < 57 δv; its acceleration there, 4 m/s², makes 4/1.7 of that of the velocity. Fewer than a hundred
/// pieces of 2 · 10⁻¹² m/s make 10⁻⁸ m at the very worst.
#[test]
fn a_satellite_comes_back_after_a_period() {
    let summary = summary("orbit");
    check_flown(&summary);
    let satellite = body(&summary, "satellite");
    assert_near(&vector(&satellite["position"]), &[0.5, 0.0], 1e-8);
    let speed = 3.0_f64.sqrt();
    assert_near(&vector(&satellite["velocity"]), &[0.0, speed], 3e-8);
    let (_, half) = events("orbit", &["--set", "run.until=pi"]);
    let satellite = body(&half, "satellite");
    assert_near(&vector(&satellite["position"]), &[-1.5, 0.0], 1e-8);
    assert_near(&vector(&satellite["velocity"]), &[0.0, -speed / 3.0], 1e-8);
    // −GM m/2a, all the way.
    assert_near(&[number(&half["audit"]["energy"]["total"])], &[-0.5], 1e-9);
}

/// P1: a disc that rolls has g sin a/(1 + ½), one that slides without friction g sin a. Speeds of 9 m/s and ways of 7
/// m, a few dozen roundings.
#[test]
fn a_disc_rolls_down_a_slope_and_ice_slides() {
    let summary = summary("slope");
    check_books(&summary);
    let (g, t, down) = (9.81, 1.5, [0.8, -0.6]);
    let tolerance = 64.0 * U * 9.0;
    for (name, acceleration, start) in [
        ("rolls", 0.4 * g, [0.06, 0.08]),
        ("slides", 0.6 * g, [0.86, -0.52]),
    ] {
        let ball = body(&summary, name);
        let (speed, way) = (acceleration * t, 0.5 * acceleration * t * t);
        let velocity = down.map(|along| along * speed);
        assert_near(&vector(&ball["velocity"]), &velocity, tolerance);
        let place = [start[0] + down[0] * way, start[1] + down[1] * way];
        assert_near(&vector(&ball["position"]), &place, tolerance);
    }
    // Clockwise, at v/r: ten times the roundings.
    let angular_velocity = number(&body(&summary, "rolls")["angular_velocity"]);
    assert_near(&[angular_velocity], &[-0.4 * g * t / 0.1], 10.0 * tolerance);
    assert_eq!(body(&summary, "slides")["angular_velocity"], 0.0);
    assert_eq!(lasting_losses(&summary), 0.0);
}

/// 2v/(7μg) over 12v²/(49μg) to grip, at 5/7 of the speed; then over v²/(2 μ_r g) to rest. Of ½mv² sliding takes 2/7,
/// rolling resistance the rest.
#[test]
fn a_billiard_ball_slides_rolls_and_stops() {
    let summary = summary("table_roll");
    check_books(&summary);
    let (g, speed, mass) = (9.81, 2.0, 0.17);
    let rolling = 5.0 / 7.0 * speed;
    let way = 12.0 * speed * speed / (49.0 * 0.2 * g) + rolling * rolling / (2.0 * 0.01 * g);
    let ball = body(&summary, "ball");
    // Ways of 11 m, a few dozen roundings.
    let place = vector(&ball["position"]);
    assert_near(&place, &[way, 0.0, 0.03], 64.0 * U * 11.0);
    assert_eq!(vector(&ball["velocity"]), [0.0, 0.0, 0.0]);
    assert_eq!(vector(&ball["angular_velocity"]), [0.0, 0.0, 0.0]);
    let lasting = &summary["audit"]["losses"]["lasting"];
    let all = 0.5 * mass * speed * speed;
    assert_near(
        &[number(&lasting["sliding"])],
        &[2.0 / 7.0 * all],
        64.0 * U * all,
    );
    assert_near(
        &[number(&lasting["rolling"])],
        &[5.0 / 7.0 * all],
        64.0 * U * all,
    );
    // It grips half-way through a run that ends then.
    let grips = 2.0 * speed / (7.0 * 0.2 * g);
    let until = format!("run.until={grips}");
    let (_, early) = events("table_roll", &["--set", &until]);
    let velocity = vector(&body(&early, "ball")["velocity"]);
    assert_near(&velocity, &[rolling, 0.0, 0.0], 64.0 * U * speed);
}

/// It grips at a third of the belt's speed after w/(3μg), and the other two thirds go to rolling resistance, at μ_r g.
#[test]
fn a_belt_carries_a_disc_along() {
    let summary = summary("belt");
    check_books(&summary);
    let (g, belt, end) = (9.81, 1.5, 10.0);
    let (friction, resistance) = (0.3 * g, 0.02 * g);
    let grips = belt / (3.0 * friction);
    let backwards = 2.0 / 3.0 * belt;
    let rolls = backwards / resistance;
    let way = 0.5 * friction * grips * grips + belt * rolls
        - backwards * backwards / (2.0 * resistance)
        + belt * (end - grips - rolls);
    let disc = body(&summary, "disc");
    // Ways of 15 m, a few dozen roundings.
    assert_near(&vector(&disc["position"]), &[way, 0.1], 64.0 * U * 15.0);
    assert_eq!(vector(&disc["velocity"]), [belt, 0.0]);
    assert_eq!(disc["angular_velocity"], 0.0);
    // The belt pushes with the same force over w t as the disc feels: m w² of work, of which the disc keeps half.
    let audit = &summary["audit"];
    assert_near(
        &[number(&audit["work_by_kinematic"])],
        &[belt * belt],
        64.0 * U * 3.0,
    );
    assert_near(
        &[lasting_losses(&summary)],
        &[0.5 * belt * belt],
        64.0 * U * 3.0,
    );
}

/// Nothing moves any more, everything is in the bin and on something, and the energy is accounted for.
#[test]
fn a_pile_of_discs_comes_to_rest() {
    let summary = summary("pile");
    assert_eq!(summary["outcome"]["status"], "stopped");
    let reason = summary["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("at rest"), "{reason}");
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    assert_eq!(number(&audit["energy"]["translational"]), 0.0);
    assert_eq!(number(&audit["energy"]["rotational"]), 0.0);
    // Thousands of collisions, each with a few dozen roundings of energies below the whole.
    let collisions = number(&summary["collisions"]["total"]);
    let tolerance = 32.0 * U * (1.0 + collisions) * before;
    assert_near(&[number(&audit["energy_residual"])], &[0.0], tolerance);
    let lost = number(&audit["lost_in_collisions"]) + lasting_losses(&summary);
    assert_near(&[before - after], &[lost], tolerance);
    assert!(lasting_losses(&summary) > 0.0);
    assert!(number(&audit["deepest_overlap"]) < 1e-11);
    let discs =
        (summary["bodies"].as_array().unwrap().iter()).filter(|body| body["shape"] == "ball");
    let places: Vec<Vec<f64>> = discs.map(|disc| vector(&disc["position"])).collect();
    assert_eq!(places.len(), 60);
    for place in &places {
        assert!((0.04 - 1e-9..=1.26 + 1e-9).contains(&place[0]), "{place:?}");
        // Within reach of the floor or of a disc that is lower.
        let rests = place[1] < 0.06 + 1e-9
            || places.iter().any(|other| {
                let apart = [other[0] - place[0], other[1] - place[1]];
                other[1] < place[1] && length(&apart) <= 0.12 + 1e-9
            });
        assert!(rests, "{place:?} hangs in the air");
    }
}

/// The summary for people has the new accounts where there is something in them, and only there.
#[test]
fn accounts_of_contacts_and_fields_are_shown_where_they_are_not_empty() {
    let shown = |name| text(&run(&["run", &scene(name)]).stdout);
    let rolled = shown("table_roll");
    assert!(
        rolled.contains("0.0971429 sliding, 0.242857 rolling)"),
        "{rolled}"
    );
    let fallen = shown("drag");
    assert!(fallen.contains("  fields     25.6009 J lost"), "{fallen}");
    let neither = shown("bat");
    assert!(!neither.contains("  contacts") && !neither.contains("  fields"));
}

/// Worked example 1 by impulses: the values of the course.
#[test]
fn worked_example_1() {
    let (collisions, summary) = events("worked_example_1", &[]);
    check_books(&summary);
    let collision = &collisions[0];
    assert_near(
        &vector(&collision["impulse"]),
        &[-0.068 / 3.0, 0.0],
        4.0 * U,
    );
    let speed = |name| vector(&body(&summary, name)["velocity"])[0];
    assert_near(
        &[speed("a"), speed("b")],
        &[0.215 / 3.0, 0.53 / 3.0],
        4.0 * U,
    );
}

/// Discs that rest on their springs: nothing has fallen through, the floor is near, and the books balance to what the
/// scheme leaves.
#[test]
fn bed_of_discs() {
    let (_, summary) = events("bed_of_discs", &[]);
    assert_eq!(summary["scene"]["method"], "forces");
    assert_eq!(summary["outcome"]["status"], "completed");
    let audit = &summary["audit"];
    let before = number(&audit["energy_initial"]["total"]);
    let lasting = &audit["losses"]["lasting"];
    assert!(number(&lasting["damping"]) > 0.1 * before);
    assert!(number(&lasting["sliding"]) > 0.01 * before);
    // Verlet with fifty steps to a contact: the dampers see a velocity that is half a step late, (ω dt/2) of what they
    // take.
    assert!(number(&audit["energy_residual"]).abs() < 0.03 * before);
    let discs = summary["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|body| body["shape"] == "ball");
    let places: Vec<Vec<f64>> = discs.map(|disc| vector(&disc["position"])).collect();
    assert_eq!(places.len(), 81);
    for place in &places {
        assert!(
            (0.02..0.98).contains(&place[0]) && place[1] > 0.02,
            "{place:?}"
        );
    }
    // 81 discs with a mean square radius of 0.0375² m² or so fill at most 0.9 of what they lie in.
    let highest = places.iter().map(|place| place[1]).fold(0.0, f64::max);
    assert!((0.3..0.7).contains(&highest), "{highest}");
}

/// Whether a body neither moves nor turns.
fn is_at_rest(summary: &Value, name: &str) -> bool {
    let body = body(summary, name);
    let angular_velocity = match body["angular_velocity"].as_array() {
        Some(_) => vector(&body["angular_velocity"]),
        None => vec![number(&body["angular_velocity"])],
    };
    vector(&body["velocity"])
        .iter()
        .chain(&angular_velocity)
        .all(|x| *x == 0.0)
}

/// The book turns about its middle axis, and flips: its second axis, which began along the spin, points the other way
/// at some time. The spin about it is never lost.
#[test]
fn tumbling_book() {
    let mut lowest = 1.0_f64;
    let AnyWorld::Three(world) = carom_scene::load(std::path::Path::new(&scene("tumbling_book")))
        .unwrap()
        .world
    else {
        panic!("in space");
    };
    let mut run = Rigid::new(world, &Settling::default()).unwrap();
    let book = run.find("book").unwrap();
    for k in 0..1000 {
        run.run_to(f64::from(k) * 0.01).unwrap();
        let axis = Space3::rotate(run.state(book).rotation, DVec3::Y);
        lowest = lowest.min(axis.y);
    }
    assert!(lowest < -0.9, "it flips: {lowest}");
    let (_, summary) = events("tumbling_book", &[]);
    check_books(&summary);
    let audit = &summary["audit"];
    let before = number(&audit["energy_initial"]["rotational"]);
    assert_near(&[number(&audit["energy"]["rotational"])], &[before], 1e-12);
}

/// The blow goes through the row: the last leaves with all of the speed, and everyone else stands.
#[test]
fn cradle_of_boxes() {
    let (collisions, summary) = events("cradle_of_boxes", &[]);
    assert_eq!(collisions.len(), 5);
    assert!(
        collisions
            .iter()
            .all(|c| c["time"] == collisions[0]["time"]),
        "all at one instant"
    );
    // At 1.5 m of way and 1 m/s.
    assert_near(&[number(&collisions[0]["time"])], &[1.5], 1e-12);
    let speed = |name: &str| vector(&body(&summary, name)["velocity"])[0];
    assert_near(&[speed("box 5")], &[1.0], 1e-12);
    for name in ["striker", "box 1", "box 2", "box 3", "box 4"] {
        assert!(speed(name).abs() < 1e-12, "{name}");
    }
    check_books(&summary);
}

/// Each falls upon the next, one after the other; in the end all lie, at rest.
#[test]
fn dominoes() {
    let (collisions, summary) = events("dominoes", &[]);
    check_books(&summary);
    let first_hit = |name: &str| {
        let is = |c: &&Value| {
            c["a"]["name"] == name || c["b"]["name"] == name || c["a"] == name || c["b"] == name
        };
        collisions.iter().find(is).map(|c| number(&c["time"]))
    };
    let mut last = 0.0;
    for k in 2..=12 {
        let name = format!("domino {k}");
        let time = first_hit(&name).unwrap_or_else(|| panic!("{name} was struck"));
        assert!(
            time > last,
            "{name} at {time} s, the one before at {last} s"
        );
        last = time;
        let angle = number(&body(&summary, &name)["orientation"]);
        assert!(angle < -0.5, "{name} lies: {angle}");
        assert!(is_at_rest(&summary, &name), "{name}");
    }
}

/// The ball breaks through the wall, whose far side is at 3 m: it comes to lie there, all boxes of the rows that it
/// struck (2 to 4, from 0.5 to 2 m) lie beyond, nothing is below the floor, and everything rests in the end.
#[test]
fn wall_of_boxes() {
    let (_, summary) = events("wall_of_boxes", &[]);
    check_books(&summary);
    let place = |name: &str| vector(&body(&summary, name)["position"]);
    assert!(place("ball")[0] + 0.5 > 3.0, "{:?}", place("ball"));
    for row in 2..=4 {
        for column in 1..=3 {
            let name = format!("box {row}.{column}");
            assert!(place(&name)[0] > 3.0, "{name}: {:?}", place(&name));
        }
    }
    let bodies = summary["bodies"].as_array().unwrap();
    for body in bodies.iter().filter(|body| body["motion"] == "free") {
        let name = body["name"].as_str().unwrap();
        assert!(is_at_rest(&summary, name), "{body}");
        let (turned, height) = (number(&body["orientation"]), vector(&body["position"])[1]);
        let below = match body["shape"].as_str().unwrap() {
            "ball" => 0.5,
            _ => 0.5 * turned.sin().abs() + 0.25 * turned.cos().abs(),
        };
        // What is pressed in is brought back to what the solver leaves before it sleeps.
        assert!(height - below > -1e-6, "{body}");
    }
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    assert!(after < before);
    let steps = number(&audit["losses"]["lasting"]["stepping"]);
    assert!(steps.abs() < 1e-3 * before, "steps cost {steps} J");
    let deepest = number(&audit["deepest_overlap"]);
    // Boxes that fly about in the heap are pressed in by 1.4 mm by the steps, 3 thousandths of the shorter side; at
    // rest, see above, it is nothing.
    assert!(deepest < 2e-3, "{deepest} m");
}

/// Each die lies flat on the table, at rest, within the tray.
#[test]
fn dice() {
    let (_, summary) = events("dice", &[]);
    check_books(&summary);
    for name in ["red", "green", "blue"] {
        assert!(is_at_rest(&summary, name), "{name}");
        let place = vector(&body(&summary, name)["position"]);
        // Half a side above the table, to what a solver leaves.
        assert!((place[2] - 0.008).abs() < 1e-6, "{name}: {place:?}");
        assert!(
            place[0].abs() < 0.2421 && place[1].abs() < 0.1921,
            "{name}: {place:?}"
        );
    }
}

/// A run folder has copies of the meshes that its scene reads, so that its copy of the scene runs by itself; a template
/// brings them along; a file that is missing is refused with status 2.
#[test]
fn meshes_go_with_their_scenes() {
    let folder = std::env::temp_dir().join(format!("carom-meshes-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let output = run(&["new", "hollow", &path("mine.toml")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mine = ["run", &path("mine.toml"), "--until", "0.1", "--quiet"];
    let output = run(&[&mine[..], &["--out", &path("out")]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for mesh in ["1-hollow.obj", "2-octahedron.obj"] {
        assert!(folder.join("out/tables").join(mesh).is_file(), "{mesh}");
    }
    let output = run(&["run", &path("out/scene.toml"), "--until", "0.1", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = path("picture.png");
    let output = run(&[
        "render",
        "--at",
        "0.05",
        &path("out"),
        "--out",
        &picture,
        "--size",
        "160x120",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::remove_file(folder.join("hollow.obj")).unwrap();
    let output = run(&mine);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no file `hollow.obj`"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two boxes travel as one for a fifth of a second, and all momenta are as they were.
#[test]
fn solids_in_contact() {
    let (collisions, summary) = events("solids_in_contact", &[]);
    check_books(&summary);
    assert!(!collisions.is_empty());
    assert_eq!(number(&collisions[0]["duration"]), 0.2);
    let audit = &summary["audit"];
    // Equal densities: 18 kg and 20 kg at 0.6 m/s against each other.
    let momentum = vector(&audit["momentum"]);
    assert!((momentum[0] + 1.2).abs() < 1e-12, "{momentum:?}");
    assert!(momentum[1].abs() < 1e-12 && momentum[2].abs() < 1e-12);
}

/// Nobody gets out of the bin, and the bar does work.
#[test]
fn stirrer() {
    let (_, summary) = events("stirrer", &[]);
    check_books(&summary);
    for name in ["first", "second", "third", "ball"] {
        let place = vector(&body(&summary, name)["position"]);
        assert!(
            place[0].abs() < 1.42 && place[1] > 0.05,
            "{name}: {place:?}"
        );
    }
    assert!(number(&summary["audit"]["work_by_kinematic"]) != 0.0);
}

/// Scenery and a solid from files: all end within the hollow, above its surface.
#[test]
fn hollow() {
    let (_, summary) = events("hollow", &[]);
    check_books(&summary);
    let bodies = summary["bodies"].as_array().unwrap();
    let shape = |name: &str| body(&summary, name)["shape"].clone();
    assert_eq!(shape("hollow"), "mesh");
    assert_eq!(shape("octahedron"), "polyhedron");
    for name in [
        "octahedron",
        "box",
        "first ball",
        "second ball",
        "third ball",
    ] {
        let [x, y, z] = vector(&body(&summary, name)["position"])[..] else {
            panic!("{bodies:?}");
        };
        // The rim is 1.2 m away from the middle; everyone was dropped within it and bounces at 0.3.
        assert!(x.abs() < 1.2 && y.abs() < 1.2, "{name}: {x} {y}");
        // The surface is nowhere below zero, and chords of a convex hollow are above it.
        assert!(z > 0.02 && z < 0.9, "{name}: {z}");
    }
}

/// The ball goes on, slower; most pins lie; those that stand stand where they stood.
#[test]
fn bowling() {
    let (_, summary) = events("bowling", &[]);
    check_books(&summary);
    let ball = body(&summary, "ball");
    let speed = vector(&ball["velocity"])[0];
    assert!((2.0..8.0).contains(&speed), "{speed}");
    // It rolls on the lane.
    assert!(
        (vector(&ball["position"])[2] - 0.108).abs() < 1e-5,
        "{ball}"
    );
    let height = |k: usize| vector(&body(&summary, &format!("pin {k}"))["position"])[2];
    let fallen = (1..=10).filter(|&k| height(k) < 0.1).count();
    assert!(fallen >= 6, "{fallen} of ten");
    for k in (1..=10).filter(|&k| height(k) > 0.1) {
        assert!((height(k) - 0.1905).abs() < 1e-5, "pin {k} stands");
    }
    // None is within the lane.
    assert!(
        (1..=10).all(|k| height(k) > 0.0449),
        "lying on its side a pin is 45 mm high"
    );
}
