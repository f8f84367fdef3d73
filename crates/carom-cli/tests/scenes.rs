//! Every sample scene runs to its end, with the outcome that its physics demands.

mod common;

use common::*;
use serde_json::Value;
use std::collections::BTreeSet;

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// What holds of every run: it is complete, and its books balance to rounding.
fn check_books(summary: &Value) {
    assert_eq!(summary["outcome"]["status"], "completed");
    assert_eq!(summary["outcome"]["time"], summary["scene"]["until"]);
    let audit = &summary["audit"];
    let collisions = number(&summary["collisions"]["total"]);
    // Each collision rounds energies no larger than all that were ever in the books, a few dozen times.
    let potential = number(&audit["energy_initial"]["potential"]).abs()
        + number(&audit["energy"]["potential"]).abs();
    let kinetic = number(&audit["energy_initial"]["kinetic"]) + number(&audit["energy"]["kinetic"]);
    let moved = number(&audit["lost_in_collisions"]).abs() + number(&audit["work_by_driven"]).abs();
    let size = potential + kinetic + moved;
    let imbalance = number(&audit["energy_imbalance"]).abs();
    assert!(
        imbalance <= 32.0 * U * (1.0 + collisions) * size,
        "{imbalance:e} of {size}"
    );
}

#[test]
fn every_scene_has_a_test_here() {
    let tested: BTreeSet<&str> = BTreeSet::from([
        "bat",
        "box_and_cylinder_3d",
        "break",
        "bumper",
        "drum",
        "galperin",
        "gas_piston",
        "grains",
        "newton_cradle",
        "paddle",
        "room_box_3d",
        "room_circle",
        "room_cylinder_3d",
        "room_l_shape",
        "room_pentagon",
        "room_stadium",
        "shaken_floor",
        "two_discs",
        "worked_example_2",
    ]);
    let there: BTreeSet<String> = std::fs::read_dir(root().join("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(tested, there);
    for name in tested {
        let text = std::fs::read_to_string(scene(name)).unwrap();
        assert!(text.contains("# Row"), "{name} does not name its rows");
    }
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

/// C7. The largest number is the spin of 20 rad/s; some dozen roundings.
#[test]
fn a_spinning_ball_slides_by_the_courses_law_and_sticks_by_coulombs() {
    let (collisions, summary) = events("worked_example_2", &[]);
    check_books(&summary);
    let check = |name, velocity: [f64; 3], spin: [f64; 3]| {
        let body = body(&summary, name);
        assert_near(&vector(&body["velocity"]), &velocity, 16.0 * U * 2.0);
        assert_near(&vector(&body["spin"]), &spin, 16.0 * U * 20.0);
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
    assert!(summary["collisions"]["by_shape"]["ball-room"].as_u64() > Some(20));
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
    for kind in ["ball-box", "ball-cylinder", "ball-triangle", "ball-room"] {
        let count = summary["collisions"]["by_shape"][kind].as_u64();
        assert!(count > Some(0), "no {kind}");
    }
    // Smooth and round: the spin stays as it is.
    assert_eq!(vector(&body(&summary, "thrown")["spin"]), [5.0, 0.0, 0.0]);
}

/// P3 at each wall, with N into the room, U the tangent with U × N = +z: v⁺·N = −β v⁻·N and m r v·U − I θ̇ is conserved.
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
            (vector(&side["velocity"]), number(&side["spin"]))
        });
        let rebound = dot(&after.0, &normal) + beta * dot(&before.0, &normal);
        assert!(rebound.abs() < 32.0 * U * 4.0, "{rebound:e}");
        let kept = |(velocity, spin): &(Vec<f64>, f64)| {
            mass * radius * dot(velocity, &tangent) - inertia * spin
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
    assert!(number(&summary["audit"]["work_by_driven"]) > 0.0);
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
    let grains = summary["bodies"].as_array().unwrap();
    for grain in grains.iter().filter(|body| body["motion"] == "free") {
        let [x, y] = vector(&grain["position"])[..] else {
            panic!("a place in the plane")
        };
        // The radii are between 0.02 and 0.029 m; a heap of 25 between walls 0.4 m apart has at most five layers.
        assert!((0.02..=0.38).contains(&x), "{grain}");
        assert!((0.02..=5.0 * 0.058).contains(&y), "{grain}");
        // What falls for t_c has a speed of g t_c = 0.01 m/s; what a grain receives from its neighbours is of that size.
        assert!(length(&vector(&grain["velocity"])) < 0.1, "{grain}");
    }
}

/// Every ball's place, radius and name.
fn free_balls(summary: &Value) -> Vec<(Vec<f64>, &str)> {
    let bodies = summary["bodies"].as_array().unwrap();
    let free = bodies.iter().filter(|body| body["motion"] == "free");
    free.map(|body| (vector(&body["position"]), body["name"].as_str().unwrap()))
        .collect()
}

/// What holds in elastic rooms that stand still: each collision keeps the energy to a few dozen roundings of the speeds it changes.
fn check_energy_stays(summary: &Value) {
    check_books(summary);
    let audit = &summary["audit"];
    let collisions = number(&summary["collisions"]["total"]);
    let [initial, now] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    let kinetic = number(&audit["energy_initial"]["kinetic"]) + number(&audit["energy"]["kinetic"]);
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
    assert!(number(&summary["audit"]["work_by_driven"]) > 0.0);
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
        let [velocity, spin] = ["velocity", "spin"].map(|key| vector(&hit["after"][0][key]));
        let surface = cross(&spin, &arm);
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

/// C1: 2V at each hit, and g (v − V) stays, as derived in the scene. All speeds are multiples of 2⁻³ m/s and therefore exact.
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
    let work = number(&summary["audit"]["work_by_driven"]);
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
