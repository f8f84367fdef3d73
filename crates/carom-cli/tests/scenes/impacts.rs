//! Single impacts: the rows of the physics, by hand.

use super::*;

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
///
/// Longer than most: three contacts, followed from their beginning to their end.
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
