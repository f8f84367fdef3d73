//! Rows of balls, and truths that count collisions.

use super::*;

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
