use crate::space::{Linear, Space};

/// A body's centre between two events: `x(t) = position + velocity t + ½ acceleration t²`, in local time, t = 0 now.
///
/// Free flight and uniform gravity are exactly of this form.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::Flight;
///
/// // Thrown up at 3 m/s in a gravity of 2 m/s²: at the top after 1.5 s, back after 3 s.
/// let flight = Flight::<Space2> {
///     position: DVec2::ZERO,
///     velocity: DVec2::new(1.0, 3.0),
///     acceleration: DVec2::new(0.0, -2.0),
/// };
/// assert_eq!(flight.velocity_at(1.5), DVec2::new(1.0, 0.0));
/// assert_eq!(flight.position_at(3.0), DVec2::new(3.0, 0.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
pub struct Flight<S: Space> {
    /// At t = 0, m.
    pub position: S::Vector,
    /// At t = 0, m/s.
    pub velocity: S::Vector,
    /// Constant, m/s².
    pub acceleration: S::Vector,
}

impl<S: Space> Flight<S> {
    /// Standing still.
    pub fn rest(position: S::Vector) -> Self {
        Self::straight(position, S::Vector::ZERO)
    }

    /// Uniform motion.
    pub fn straight(position: S::Vector, velocity: S::Vector) -> Self {
        Flight {
            position,
            velocity,
            acceleration: S::Vector::ZERO,
        }
    }

    /// Uniform motion between two frames, in the unit of time that passes between them: the parameter
    /// goes from 0 at `from` to 1 at `to`.
    pub fn between(from: S::Vector, to: S::Vector) -> Self {
        Self::straight(from, to - from)
    }

    /// The position at time `t`, m.
    pub fn position_at(&self, t: f64) -> S::Vector {
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// The velocity at time `t`, m/s.
    pub fn velocity_at(&self, t: f64) -> S::Vector {
        self.velocity + self.acceleration * t
    }

    /// The same path, with its time counted from `t`.
    pub fn advanced(&self, t: f64) -> Self {
        Flight {
            position: self.position_at(t),
            velocity: self.velocity_at(t),
            acceleration: self.acceleration,
        }
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite() && self.acceleration.is_finite()
    }
}
