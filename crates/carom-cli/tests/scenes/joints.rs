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
