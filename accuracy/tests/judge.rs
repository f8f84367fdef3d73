//! The judge catches wrong answers and lets right ones pass.

use accuracy::case::{Case, Form, Motion, Track, no_rotation};
use accuracy::judge::{Agreement, Fault, examine_answer};
use accuracy::kernels::Limits;
use accuracy::library::Answer;

const LIMITS: Limits = Limits {
    time: 4.0,
    backward: 4.0,
    refined: None,
};

/// A ball of radius 1 at x, moving along x towards another at the origin.
fn approach(x: f64, speed: f64) -> Case {
    Case {
        dimension: 2,
        ball: Track {
            position: [x, 0.0, 0.0],
            velocity: [-speed, 0.0, 0.0],
            acceleration: [0.0; 3],
        },
        radius: 1.0,
        form: Form::Ball { radius: 2.0 },
        rotation: no_rotation(2),
        motion: Motion::Flight(Track::default()),
        horizon: 100.0,
    }
}

fn agreement(case: &Case, plain: Option<f64>) -> Agreement {
    let answer = Answer {
        plain,
        refined: None,
    };
    examine_answer(case, &LIMITS, answer).agreement
}

#[test]
fn a_contact_must_be_found_in_time() {
    // 7 m at 2 m/s.
    let case = approach(10.0, 2.0);
    assert_eq!(agreement(&case, Some(3.5)), Agreement::Same);
    assert_eq!(agreement(&case, None), Agreement::Wrong(Fault::Miss));
    assert_eq!(
        agreement(&case, Some(3.6)),
        Agreement::Wrong(Fault::Miss),
        "late"
    );
    assert_eq!(
        agreement(&case, Some(3.4)),
        Agreement::Wrong(Fault::FalseHit),
        "early"
    );
    // The exit, which the textbook's larger root is.
    assert_eq!(
        agreement(&case, Some(6.5)),
        Agreement::Wrong(Fault::FalseHit)
    );
}

#[test]
fn errors_are_measured_in_units_of_their_bounds() {
    let case = approach(10.0, 2.0);
    let off = 3.5 + 8.0 * f64::EPSILON;
    let answer = Answer {
        plain: Some(off),
        refined: None,
    };
    let finding = examine_answer(&case, &LIMITS, answer);
    // 8 ε is 4 ulp at 3.5, 16 u; the unit is u [3.5 + (10 + 3)/2]; the gap is off by 2 · 16 u, its unit u (10 + 3 + 7).
    assert_eq!(finding.time_ulps, Some(4.0));
    assert!((finding.time_scaled.expect("a hit") - 16.0 / 10.0).abs() < 1e-6);
    assert!((finding.backward.expect("a hit") - 32.0 / 20.0).abs() < 1e-6);
}

#[test]
fn touching_balls_that_part_are_not_hit() {
    let case = approach(3.0, -2.0);
    assert_eq!(agreement(&case, None), Agreement::Never);
    // What "the smallest root inside the interval" gives.
    assert_eq!(
        agreement(&case, Some(0.0)),
        Agreement::Wrong(Fault::FalseHit)
    );
}

#[test]
fn touching_balls_that_close_are_hit() {
    let case = approach(3.0, 2.0);
    assert_eq!(agreement(&case, Some(0.0)), Agreement::Same);
    assert_eq!(agreement(&case, None), Agreement::Wrong(Fault::Miss));
}

#[test]
fn a_grazing_within_rounding_may_go_either_way() {
    // Past the other ball at a height of 3 ± 1 ulp; the sum of the radii is 3.
    let pass = |height: f64| Case {
        ball: Track {
            position: [-10.0, height, 0.0],
            velocity: [1.0, 0.0, 0.0],
            acceleration: [0.0; 3],
        },
        ..approach(0.0, 0.0)
    };
    let ulp = 2.0 * f64::EPSILON;
    assert_eq!(agreement(&pass(3.0 - ulp), None), Agreement::Boundary);
    assert_eq!(agreement(&pass(3.0 + ulp), Some(10.0)), Agreement::Boundary);
    // A hundred ulp are no rounding error.
    assert_eq!(
        agreement(&pass(3.0 - 100.0 * ulp), None),
        Agreement::Wrong(Fault::Miss)
    );
    assert_eq!(
        agreement(&pass(3.0 + 100.0 * ulp), Some(10.0)),
        Agreement::Wrong(Fault::FalseHit)
    );
}
