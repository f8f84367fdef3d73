use super::{Departure, Rates};
use crate::space::{Linear, Space};
use thiserror::Error;

/// Why there is no next segment. Vectors are given by components; in 2-D the third is zero.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FlightError {
    /// A setting or an argument is not allowed.
    #[error("{field} is {value}, but must be {allowed}")]
    Setting {
        /// The field at fault.
        field: &'static str,
        /// As given.
        value: f64,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// A force is not a finite number, or the state it is asked at is none.
    #[error(
        "{field} is not finite at time {time} s, position {position:?} m, velocity {velocity:?} m/s: the acceleration there is {acceleration:?} m/s²"
    )]
    NotFinite {
        /// What is at fault, where it is known.
        field: String,
        /// World time, s.
        time: f64,
        /// m.
        position: [f64; 3],
        /// m/s.
        velocity: [f64; 3],
        /// m/s².
        acceleration: [f64; 3],
    },
    /// The tolerance would need steps that the clock cannot resolve: there is a singular point ahead, or a jump that
    /// was not declared.
    #[error(
        "the trajectory from time {time} s, position {position:?} m, velocity {velocity:?} m/s would need a step below {least:e} s for the tolerance {tolerance:e} m; the last try, {step:e} s, was off by {error:e} times the tolerance"
    )]
    StepTooSmall {
        /// World time, s.
        time: f64,
        /// m.
        position: [f64; 3],
        /// m/s.
        velocity: [f64; 3],
        /// The last step tried, s.
        step: f64,
        /// The least step at this time, s.
        least: f64,
        /// The absolute tolerance, m.
        tolerance: f64,
        /// Of the last try, in units of the tolerance.
        error: f64,
    },
    /// The ball is on a border and pushed back to it from both sides.
    #[error(
        "the ball is caught on the border {border} at time {time} s, position {position:?} m: it is accelerated by {inside} m/s² from the inside and by {outside} m/s² from the outside"
    )]
    Caught {
        /// The border.
        border: String,
        /// World time, s.
        time: f64,
        /// m.
        position: [f64; 3],
        /// Outward, as the forces inside have it, m/s². Positive.
        inside: f64,
        /// Outward, as the forces outside have it, m/s². Negative.
        outside: f64,
    },
}

/// Refuses what is not a positive number of seconds.
pub(super) fn positive(field: &'static str, value: f64) -> Result<(), FlightError> {
    if value > 0.0 {
        Ok(())
    } else {
        Err(FlightError::Setting {
            field,
            value,
            allowed: "a positive number of seconds",
        })
    }
}

/// What is not finite at a state, said as well as it is known.
#[cold]
pub(super) fn not_finite<S: Space>(
    rates: &impl Rates<S>,
    at: &Departure<S>,
    acceleration: S::Vector,
) -> FlightError {
    let named = |name: &str| Some(name.to_owned());
    let field = if !at.time.is_finite() {
        named("the time")
    } else if !at.position.is_finite() {
        named("the position")
    } else if !at.velocity.is_finite() {
        named("the velocity")
    } else if !at.angular_velocity.is_finite() {
        named("the angular velocity")
    } else {
        rates.culprit(at.time, at.position, at.velocity, at.angular_velocity)
    };
    FlightError::NotFinite {
        field: field.unwrap_or_else(|| "a force".to_owned()),
        time: at.time,
        position: S::components(at.position),
        velocity: S::components(at.velocity),
        acceleration: S::components(acceleration),
    }
}
