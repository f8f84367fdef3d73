//! Balls in closed rooms, at rest and moving.

use super::*;

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
