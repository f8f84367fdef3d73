//! When does a ball that overlaps a target come clear of it? What a sensor has to know.
//!
//! On a flight the gap is zero only where one of the features' polynomials is, and it opens where that one rises
//! through zero: a closing of its negative. As for contacts each such instant is checked against the distance from the
//! whole shape; a feature that opens deep inside the shape is thrown out by it. The first that remains is the instant
//! of clearance.
//!
//! Where it is too slow for rounding to tell whether the gap opens, the instant is taken: if the gap closes after all,
//! that is the next contact, and found as such.

use super::{Approach, Feature, Impact, MovingBall, Struck, Target, kinematic, on_course_or};
use crate::impact::Strikable;
use crate::roots::{Dd, Polynomial};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, UNIT_ROUNDOFF};

/// The first time in `[0, horizon)` at which a ball that overlaps a target does so no more: `Now` where it does not to
/// begin with.
pub fn first_clearance<S: Strikable>(
    ball: &MovingBall<S>,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    on_course_or(
        ball,
        target,
        horizon,
        |approach, horizon| on_flight(target.shape, approach, ball.radius, horizon),
        kinematic::first_clearance,
    )
}

fn on_flight<S: Strikable>(
    shape: &Shape<S>,
    approach: &Approach<S>,
    radius: f64,
    horizon: f64,
) -> Impact {
    let (gap, _, tolerance) = gap(shape, approach, radius, 0.0);
    if gap > tolerance {
        return Impact::within(0.0, horizon);
    }
    let mut first: Option<f64> = None;
    let mut look = |feature: Feature| {
        let negative = feature.polynomial * Dd::from(-1.0);
        negative.closings(first.unwrap_or(horizon), |closing| {
            let time = closing.time;
            if opens(shape, approach, radius, time) && first.is_none_or(|earlier| time < earlier) {
                first = Some(time);
            }
        });
    };
    match shape {
        // From within a bare wall either side may be the way out.
        Shape::HalfSpace(wall) if wall.two_sided => {
            for normal in [wall.normal, -wall.normal] {
                let height = approach.path().along(S::components(normal));
                let polynomial = height - Polynomial::constant(radius.into());
                look(Feature::new(polynomial, 1.0, radius));
            }
        }
        shape => shape.features(approach, radius, &mut look),
    }
    first.map_or(Impact::Never, |time| Impact::within(time, horizon))
}

/// The gap at a time (m), its rate (m/s), and what rounding makes of the gap (m).
fn gap<S: Shaped>(
    shape: &Shape<S>,
    approach: &Approach<S>,
    radius: f64,
    time: f64,
) -> (f64, f64, f64) {
    let closest = shape.closest(approach.flight.position_at(time));
    let reach = shape.reach();
    let size = approach.scale(time) + radius + if reach.is_finite() { reach } else { 0.0 };
    let rate = closest.normal.dot(approach.flight.velocity_at(time));
    (closest.distance - radius, rate, 16.0 * UNIT_ROUNDOFF * size)
}

/// Whether the gap is zero at a time, to rounding, and not plainly closing.
fn opens<S: Shaped>(shape: &Shape<S>, approach: &Approach<S>, radius: f64, time: f64) -> bool {
    let (gap, rate, tolerance) = gap(shape, approach, radius, time);
    let velocity = approach.flight.velocity_at(time).length();
    let blur = approach.approach_floor(time) + 2.0 * velocity * (tolerance / radius);
    gap.abs() <= tolerance && rate > -blur
}
