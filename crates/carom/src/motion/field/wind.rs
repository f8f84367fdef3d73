use super::WindFunction;
use crate::space::{Linear, Space};
use std::f64::consts::TAU;

/// The velocity w(x, t) of the air.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Wind<S: Space> {
    /// None.
    #[default]
    Still,
    /// The same everywhere and at all times.
    Uniform {
        /// m/s.
        velocity: S::Vector,
    },
    /// One that grows with the height: `w = velocity + gradient · (normal·(x − point))`.
    Shear {
        /// Where it has the given velocity, m.
        point: S::Vector,
        /// m/s.
        velocity: S::Vector,
        /// The direction in which it changes, of length 1.
        normal: S::Vector,
        /// The rate of change in that direction, 1/s.
        gradient: S::Vector,
    },
    /// A wind from `start` (included) to `end` (not included), and none before and after. Both are declared jumps.
    Gust {
        /// World time, s.
        start: f64,
        /// World time, s.
        end: f64,
        /// m/s.
        velocity: S::Vector,
    },
    /// A vortex about an axis, `w = Γ/2π · axis×r / (|axis×r|² + core²)` with r the position from its centre: rigid
    /// rotation well within its core, Γ/2πρ at a distance ρ well outside (Kaufmann, 1962; Scully, 1975).
    Vortex {
        /// On the axis, m.
        centre: S::Vector,
        /// The direction of the axis, of length 1; in 2-D 1, or −1 for the opposite sense.
        axis: S::Angular,
        /// Γ, m²/s.
        circulation: f64,
        /// Where it is fastest, m; zero for a vortex that is singular on its axis.
        core: f64,
    },
    /// One's own.
    #[cfg_attr(feature = "serde", serde(skip))]
    Function(WindFunction<S>),
}

impl<S: Space> Wind<S> {
    /// The velocity of the air, m/s, at a position, m, and a world time, s.
    pub fn velocity(&self, position: S::Vector, time: f64) -> S::Vector {
        match self {
            Wind::Still => S::Vector::ZERO,
            Wind::Uniform { velocity } => *velocity,
            Wind::Shear {
                point,
                velocity,
                normal,
                gradient,
            } => *velocity + *gradient * normal.dot(position - *point),
            Wind::Gust {
                start,
                end,
                velocity,
            } => {
                if time >= *start && time < *end {
                    *velocity
                } else {
                    S::Vector::ZERO
                }
            }
            Wind::Vortex {
                centre,
                axis,
                circulation,
                core,
            } => {
                let around = S::surface_velocity(*axis, position - *centre);
                around * (circulation / (TAU * (around.length_squared() + core * core)))
            }
            Wind::Function(function) => (function.function)(position, time),
        }
    }

    /// The next instant after `time` at which it jumps, s; infinite where there is none.
    pub(super) fn next_jump(&self, time: f64) -> f64 {
        match self {
            Wind::Gust { start, .. } if *start > time => *start,
            Wind::Gust { end, .. } if *end > time => *end,
            Wind::Function(function) => function.next_jump(time),
            _ => f64::INFINITY,
        }
    }
}
