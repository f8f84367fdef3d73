//! Pieces of a ball's way under forces that change on the way.
//!
//! A ball's motion is given by [`Rates`]: its acceleration, and the rate of change of its spin, as a function of time,
//! place, velocity and spin. [`segment`](fn@segment) makes of it one polynomial [`TrajectorySegment`] after the other,
//! each within a [`Tolerance`] of the true solution through its start, over the whole of its length and not only at its
//! end. [`explicit_euler`] is the method of the source, for comparison.
//!
//! Where the rates jump, the pieces end: at the instants that [`Rates::next_jump`] declares, and where the way crosses
//! one of the [`Rates::borders`]. What jumps without being declared is not wrong but slow: the pieces become short
//! there.

mod border;
mod error;
mod euler;
mod radau;
mod step;
mod tables;

pub(crate) use border::sides_at;
pub use border::{Border, Sides};
pub use error::FlightError;
pub use euler::explicit_euler;
pub use radau::fixed_segment;
pub use step::segment;

use super::TrajectorySegment;
use crate::space::Space;

/// What changes a ball's motion: the right-hand side of its equations of motion.
///
/// A pure function: the same arguments must give the same result, whenever and however often it is asked.
pub trait Rates<S: Space> {
    /// The acceleration, m/s², and the angular acceleration, rad/s², at a world time in s.
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular);

    /// The next instant strictly after `time` at which the rates jump, s; infinite where there is none.
    fn next_jump(&self, time: f64) -> f64 {
        let _ = time;
        f64::INFINITY
    }

    /// The surfaces across which the rates jump; at most [`Sides::MOST`].
    fn borders(&self) -> &[Border<S>] {
        &[]
    }

    /// The rates as they are on the given sides of the borders, continued smoothly to wherever the ball is asked to be.
    ///
    /// A step tries positions ahead of the ball, across a border too; the segment is then cut at the border, so that
    /// what it found beyond does not count. Whoever has borders must implement this.
    fn rates_beside(
        &self,
        sides: Sides,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let _ = sides;
        self.rates(time, position, velocity, angular_velocity)
    }

    /// The name of what is not a finite number at this state, where that is known.
    fn culprit(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Option<String> {
        let _ = (time, position, velocity, angular_velocity);
        None
    }
}

/// The state that a segment starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Departure<S: Space> {
    /// World time, s.
    pub time: f64,
    /// Of the centre, m.
    pub position: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}

impl<S: Space> Departure<S> {
    /// The state after `t` seconds on a segment that started here, as its polynomials have it.
    ///
    /// After a segment of [`explicit_euler`] ask [`Integrator::arrival`] instead.
    pub fn after(&self, segment: &TrajectorySegment<S>, t: f64) -> Self {
        Departure {
            time: self.time + t,
            position: segment.position_at(t),
            velocity: segment.velocity_at(t),
            angular_velocity: segment.angular_velocity_at(t),
        }
    }
}

/// How far a segment may be from the true solution through its start, anywhere on it (the local error).
///
/// With `e` for `absolute` and `r` for `relative`: the position is within `e + r · (distance travelled on the segment)`
/// metres, the velocity within `e + r |v|` metres per second and the angular velocity within `e + r |ω|` radians per
/// second.
///
/// Numbers have sixteen digits: of what is finer than 7·10⁻¹⁵ of the velocity and of the angular velocity, that much is
/// kept to.
///
/// The error is estimated, for smooth forces. At a kink in the force, as where a ball thrown straight up under
/// quadratic drag turns round, it can be up to three times that.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
#[non_exhaustive]
pub struct Tolerance {
    /// m, m/s and rad/s. Positive.
    pub absolute: f64,
    /// Not negative, and below 1.
    pub relative: f64,
    /// No segment is longer than this, s; may be infinite. For forces with features so narrow that a segment could step
    /// over them.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::number"))]
    pub max_step: f64,
}

impl Tolerance {
    /// The same number absolutely and relatively, segments of any length.
    pub fn of(size: f64) -> Self {
        Tolerance {
            absolute: size,
            relative: size,
            max_step: f64::INFINITY,
        }
    }

    /// With another relative one.
    #[must_use]
    pub fn with_relative(self, relative: f64) -> Self {
        Tolerance { relative, ..self }
    }

    /// With segments that are not longer than this, s.
    #[must_use]
    pub fn with_max_step(self, max_step: f64) -> Self {
        Tolerance { max_step, ..self }
    }

    /// Refuses what cannot be asked for.
    pub fn check(&self) -> Result<(), FlightError> {
        let wrong = |field, value, allowed| {
            Err(FlightError::Setting {
                field,
                value,
                allowed,
            })
        };
        if !(self.absolute > 0.0 && self.absolute.is_finite()) {
            return wrong(
                "tolerance.absolute",
                self.absolute,
                "a positive, finite number of metres",
            );
        }
        if !(self.relative >= 0.0 && self.relative < 1.0) {
            return wrong(
                "tolerance.relative",
                self.relative,
                "at least 0 and below 1",
            );
        }
        if !(self.max_step > 0.0) {
            return wrong(
                "tolerance.max_step",
                self.max_step,
                "a positive number of seconds, or infinite",
            );
        }
        Ok(())
    }
}

impl Default for Tolerance {
    /// 10⁻⁹, absolutely and relatively.
    fn default() -> Self {
        Tolerance::of(1e-9)
    }
}

/// How segments are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Integrator {
    /// By [`segment`](fn@segment): of order 15, with steps that keep the tolerance.
    Adaptive(Tolerance),
    /// By [`explicit_euler`], the source's method: of order 1, with whatever error that makes. It knows no jumps.
    ExplicitEuler {
        /// Length of a step, s.
        step: f64,
    },
}

impl Default for Integrator {
    fn default() -> Self {
        Integrator::Adaptive(Tolerance::default())
    }
}

impl Integrator {
    /// Refuses settings that cannot work.
    pub fn check(&self) -> Result<(), FlightError> {
        match self {
            Integrator::Adaptive(tolerance) => tolerance.check(),
            Integrator::ExplicitEuler { step } => error::positive("step", *step),
        }
    }

    /// The state after `t` seconds on a segment of [`next_segment`] that started at `start`; `t` may be less than its
    /// length, where something happens on the way.
    ///
    /// Euler's method moves on with the old velocity and changes it in the end, so that its segment, a straight line,
    /// does not give the new velocity.
    pub fn arrival<S: Space>(
        &self,
        rates: &impl Rates<S>,
        start: &Departure<S>,
        segment: &TrajectorySegment<S>,
        t: f64,
    ) -> Departure<S> {
        match self {
            Integrator::Adaptive(_) => start.after(segment, t),
            Integrator::ExplicitEuler { .. } => euler::arrival(rates, start, t),
        }
    }
}

/// The next segment from `start`, by either method, and a hint for the length of the one after it; see
/// [`segment`](fn@segment).
pub fn next_segment<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    integrator: &Integrator,
    step_hint: f64,
    latest_end: f64,
) -> Result<(TrajectorySegment<S>, f64), FlightError> {
    match integrator {
        Integrator::Adaptive(tolerance) => segment(rates, start, tolerance, step_hint, latest_end),
        Integrator::ExplicitEuler { step } => {
            error::positive("latest_end", latest_end)?;
            explicit_euler(rates, start, *step).map(|mut segment| {
                segment.end = segment.end.min(latest_end);
                (segment, *step)
            })
        }
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([] Tolerance, Tolerance::check);
#[cfg(feature = "serde")]
crate::serial::checked!([] Integrator, Integrator::check);
