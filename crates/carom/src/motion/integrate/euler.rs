use super::{Departure, FlightError, Rates, error};
use crate::motion::{Curve, TrajectorySegment};
use crate::space::{Linear, Space};

/// One step of the source's explicit Euler: straight on with the velocity and the angular velocity of its start, for
/// `step` seconds.
///
/// ```text
/// x(t + h) = x(t) + h v(t),     v(t + h) = v(t) + h a(t, x(t), v(t)),     ω(t + h) = ω(t) + h α(t)
/// ```
///
/// The segment is the first of these. The new velocity and angular velocity are what
/// [`Integrator::arrival`](super::Integrator::arrival) says.
pub fn explicit_euler<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    step: f64,
) -> Result<TrajectorySegment<S>, FlightError> {
    error::positive("step", step)?;
    let (acceleration, twist) = rates.rates(
        start.time,
        start.position,
        start.velocity,
        start.angular_velocity,
    );
    if !(acceleration.is_finite()
        && twist.is_finite()
        && start.position.is_finite()
        && start.velocity.is_finite()
        && start.angular_velocity.is_finite())
    {
        return Err(error::not_finite(rates, start, acceleration));
    }
    Ok(TrajectorySegment {
        place: Curve::new(&[start.position, start.velocity]),
        angular_velocity: Curve::constant(start.angular_velocity),
        end: step,
    })
}

/// The state after `t` seconds of the step.
pub(super) fn arrival<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    t: f64,
) -> Departure<S> {
    let (acceleration, twist) = rates.rates(
        start.time,
        start.position,
        start.velocity,
        start.angular_velocity,
    );
    Departure {
        time: start.time + t,
        position: start.position + start.velocity * t,
        velocity: start.velocity + acceleration * t,
        angular_velocity: start.angular_velocity + twist * t,
    }
}
