//! Rods, hinges and springs.

use super::*;

/// After 20 s each pendulum has swung a whole number of times, and is where it was let go.
#[test]
fn a_pendulum_wave_comes_back() {
    let (_, begins) = events("pendulum_wave", &["--until", "0"]);
    let ends = summary("pendulum_wave");
    assert_eq!(ends["outcome"]["status"], "completed");
    assert_eq!(ends["collisions"]["total"], 0);
    for number in 1..=12 {
        let name = format!("bob {number}");
        let place = |summary: &Value| vector(&body(summary, &name)["position"]);
        assert_near(&place(&ends), &place(&begins), 1e-8);
    }
    let audit = &ends["audit"];
    assert!(number(&audit["energy_residual"]).abs() < 1e-9);
}

/// The links hold, the ball goes through the wall of bricks, and the spring throws back what reaches it.
#[test]
fn a_wrecking_ball_swings_on_its_links() {
    let summary = summary("wrecking_ball");
    assert_eq!(summary["outcome"]["status"], "completed");
    let state = |name: &str| {
        let state = body(&summary, name);
        let place = vector(&state["position"]);
        (place[0], place[1], number(&state["orientation"]))
    };
    // A point of a link, so far along it.
    let along = |name: &str, far: f64| {
        let (x, y, angle) = state(name);
        [x + far * angle.cos(), y + far * angle.sin()]
    };
    assert_near(&along("upper", 0.5), &[0.0, 3.0], 1e-12);
    assert_near(&along("upper", -0.5), &along("lower", 0.5), 1e-12);
    let (end, ball) = (along("lower", -0.5), state("ball"));
    let rod = (ball.0 - end[0]).hypot(ball.1 - end[1]);
    assert!((rod - 0.35).abs() < 1e-12, "{rod}");
    // Some of the bricks have been thrown over the bumper's place or against it.
    let thrown = (1..=4).any(|row| state(&format!("brick {row}-2")).0 > 2.0);
    assert!(thrown, "{summary:#}");
    let audit = &summary["audit"];
    let energy = number(&audit["energy_initial"]["potential"]);
    assert!(number(&audit["energy_residual"]).abs() < 1e-2 * energy);
}

/// Two balls come down, two go up as high, and the three between them stay where they hang: a micrometre apart, they
/// are struck one after the other, each by one alone.
#[test]
fn two_balls_of_a_cradle_on_threads_send_two_off() {
    let at_collision = |count: &str| events("cradle_on_threads", &["--max-collisions", count]).1;
    let after = at_collision("6");
    let speed = |name: &str| length(&vector(&body(&after, name)["velocity"]));
    // From 40 degrees on threads that hang down so far. Gaps of a micrometre are 1e-5 of that.
    let drop = (0.2_f64.powi(2) - 0.08_f64.powi(2)).sqrt() * (1.0 - 40_f64.to_radians().cos());
    let expected = (2.0 * 9.81 * drop).sqrt();
    for name in ["ball 4", "ball 5"] {
        assert!(
            (speed(name) - expected).abs() < 1e-5 * expected,
            "{name}: {} {expected}",
            speed(name)
        );
    }
    for name in ["ball 1", "ball 2", "ball 3"] {
        assert!(speed(name) < 1e-5 * expected, "{name}: {}", speed(name));
    }
    let whole = summary("cradle_on_threads");
    assert_eq!(whole["outcome"]["status"], "completed");
    // No thread is longer or shorter than 0.2 m at the end.
    for number in 1..=5 {
        let place = vector(&body(&whole, &format!("ball {number}"))["position"]);
        let hook = f64::from(number - 1) * (2.0 * 0.02 + 1e-6);
        let thread = length(&[place[0] - hook, place[1] - 0.08, place[2]]);
        assert!((thread - 0.2).abs() < 1e-9, "{number}: {thread}");
    }
    assert!(number(&whole["audit"]["energy_residual"]).abs() < 1e-8);
}

/// It falls down the stairs in one piece, and sleeps at their foot.
#[test]
fn a_rag_doll_comes_to_rest_with_all_its_joints() {
    let summary = summary("rag_doll");
    assert_eq!(summary["outcome"]["status"], "completed");
    let place = |name: &str, local: [f64; 2]| {
        let state = body(&summary, name);
        let (place, angle) = (vector(&state["position"]), number(&state["orientation"]));
        let (s, c) = angle.sin_cos();
        [
            place[0] + c * local[0] - s * local[1],
            place[1] + s * local[0] + c * local[1],
        ]
    };
    // Where the hinges of neck and left knee are in the frames of their bodies, which began upright.
    let joined = [
        ("trunk", [0.0, 0.34], "head", [0.0, -0.14]),
        ("left thigh", [0.0, -0.17], "left shin", [0.0, 0.18]),
    ];
    for (a, at_a, b, at_b) in joined {
        assert_near(&place(a, at_a), &place(b, at_b), 1e-9);
    }
    for name in ["trunk", "head", "left shin", "right forearm"] {
        assert_eq!(
            length(&vector(&body(&summary, name)["velocity"])),
            0.0,
            "{name} sleeps"
        );
    }
    // At the foot of the stairs, 1.8 m below the top.
    assert!(place("trunk", [0.0, 0.0])[1] < -1.0);
    let audit = &summary["audit"];
    assert!(number(&audit["energy_residual"]).abs() < 1e-8);
    assert!(number(&audit["deepest_overlap"]) < 1e-6);
}
