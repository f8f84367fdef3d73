use super::{Flight, Pose};
use crate::space::{Linear, Space};
use thiserror::Error;

/// The motion of a kinematic body: a given function of time, and nothing pushes it back.
///
/// Times are those of the world's clock, in seconds; at time 0 the body is at the pose it was inserted with, except
/// that an oscillation starts at its phase, and a path or a swing where its knots say.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::{Shape2, Segment};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A paddle turns at 2 rad/s about one end, and strikes a ball at rest.
/// let mut world = World2::new();
/// let paddle = Segment::new(DVec2::ZERO, DVec2::new(1.0, 0.0))?;
/// let turning = Drive::Rotation { pivot: DVec2::ZERO, angular_velocity: 2.0 };
/// let shape = Shape::own(Shape2::Segment(paddle));
/// world.add(Body::kinematic(shape, turning))?;
/// let ball = world.add(Body::free(Shape::ball(0.1)?).mass(0.2).at(DVec2::new(0.0, 0.6)))?;
/// let mut run = Simulation::new(world)?;
/// run.run_until(1.5)?;
/// // Twice the speed of the point where it is struck, √(0.6² − 0.1²) m from the pivot.
/// let speed = run.state(ball).velocity.length();
/// assert!((speed - 4.0 * 0.35_f64.sqrt()).abs() < 1e-14);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Drive<S: Space> {
    /// A constant velocity, m/s: a conveyor, a piston, the bat of a breakout game.
    Uniform {
        /// m/s.
        velocity: S::Vector,
    },
    /// A rotation about a fixed point of the world: a paddle, a drum, a flipper.
    Rotation {
        /// The point that stays where it is, m.
        pivot: S::Vector,
        /// Angular velocity, rad/s.
        angular_velocity: S::Angular,
    },
    /// `x(t) = x₀ + amplitude · sin(2π frequency t + phase)`: a shaken floor.
    Oscillation {
        /// Largest displacement, m.
        amplitude: S::Vector,
        /// Hz.
        frequency: f64,
        /// rad.
        phase: f64,
    },
    /// Straight from knot to knot at constant velocity between them; at rest before the first and after the last.
    Path {
        /// Times (s), increasing, and displacements from the pose it was inserted with (m).
        knots: Vec<(f64, S::Vector)>,
    },
    /// Strokes about a fixed point of the world: a flipper, a gate. From knot to knot at a constant angular velocity;
    /// at rest before the first and after the last.
    Swing {
        /// The point that stays where it is, m.
        pivot: S::Vector,
        /// What it turns about: of length one, in 2-D 1 or −1.
        axis: S::Angular,
        /// Times (s), increasing, and angles from the pose it was inserted with (rad), in the sense of the axis.
        knots: Vec<(f64, f64)>,
    },
}

/// A part of a [swing](Drive::Swing) in which it turns at one angular velocity, or stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke<S: Space> {
    /// World time from which it is counted, s.
    pub since: f64,
    /// World time at which the next one begins, s.
    pub until: f64,
    /// Where the body is at `since`.
    pub pose: Pose<S>,
    pub pivot: S::Vector,
    /// rad/s; zero where it stands.
    pub angular_velocity: S::Angular,
}

impl<S: Space> Stroke<S> {
    /// The same as a rotation without end, whose time 0 is `since`; `None` where it stands.
    pub fn rotation(&self) -> Option<Drive<S>> {
        let (pivot, angular_velocity) = (self.pivot, self.angular_velocity);
        (angular_velocity != S::Angular::ZERO).then_some(Drive::Rotation {
            pivot,
            angular_velocity,
        })
    }

    fn state_at(&self, t: f64) -> KinematicState<S> {
        match self.rotation() {
            Some(rotation) => rotation.state_at(&self.pose, t - self.since),
            None => KinematicState {
                pose: self.pose,
                velocity: S::Vector::ZERO,
                angular_velocity: S::Angular::ZERO,
            },
        }
    }
}

/// Why a motion is invalid.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{field} is {value}, but must be {allowed}")]
#[non_exhaustive]
pub struct DriveError {
    /// The field at fault.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

/// How a kinematic body moves at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct KinematicState<S: Space> {
    /// Where it is.
    pub pose: Pose<S>,
    /// Of the origin of its frame, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}

impl<S: Space> Drive<S> {
    /// Refuses what is not finite, a path or swing without knots or with times that do not increase, a frequency below
    /// zero, an axis that is not of length one.
    pub fn check(&self) -> Result<(), DriveError> {
        let wrong = |field, value: String, allowed| {
            Err(DriveError {
                field,
                value,
                allowed,
            })
        };
        let finite = "made of finite numbers";
        match self {
            Drive::Uniform { velocity } if !velocity.is_finite() => {
                wrong("velocity", format!("{velocity:?}"), finite)
            }
            Drive::Rotation { pivot, .. } if !pivot.is_finite() => {
                wrong("pivot", format!("{pivot:?}"), finite)
            }
            Drive::Rotation {
                angular_velocity, ..
            } if !angular_velocity.is_finite() => {
                wrong("angular_velocity", format!("{angular_velocity:?}"), finite)
            }
            Drive::Oscillation { amplitude, .. } if !amplitude.is_finite() => {
                wrong("amplitude", format!("{amplitude:?}"), finite)
            }
            Drive::Oscillation { frequency, .. }
                if !(*frequency >= 0.0 && frequency.is_finite()) =>
            {
                wrong(
                    "frequency",
                    frequency.to_string(),
                    "a finite number of hertz, zero or above",
                )
            }
            Drive::Oscillation { phase, .. } if !phase.is_finite() => {
                wrong("phase", phase.to_string(), "a finite angle in radians")
            }
            Drive::Swing { pivot, .. } if !pivot.is_finite() => {
                wrong("pivot", format!("{pivot:?}"), finite)
            }
            Drive::Swing { axis, .. } if !((axis.length() - 1.0).abs() < 1e-12) => {
                wrong("axis", format!("{axis:?}"), "of length one")
            }
            Drive::Path { knots } => check_knots(
                knots,
                |place| place.is_finite(),
                "one or more pairs of a time and a displacement",
            ),
            Drive::Swing { knots, .. } => check_knots(
                knots,
                |angle| angle.is_finite(),
                "one or more pairs of a time and an angle",
            ),
            _ => Ok(()),
        }
    }

    /// The state at world time `t` of a body that was inserted at `start`.
    pub fn state_at(&self, start: &Pose<S>, t: f64) -> KinematicState<S> {
        let shifted = |offset, velocity| KinematicState {
            pose: Pose {
                position: start.position + offset,
                rotation: start.rotation,
            },
            velocity,
            angular_velocity: S::Angular::ZERO,
        };
        match self {
            Drive::Uniform { velocity } => shifted(*velocity * t, *velocity),
            Drive::Rotation {
                pivot,
                angular_velocity,
            } => {
                let turn = S::rotation_of(*angular_velocity, t);
                let arm = S::rotate(turn, start.position - *pivot);
                KinematicState {
                    pose: Pose {
                        position: *pivot + arm,
                        rotation: S::compose(turn, start.rotation),
                    },
                    velocity: S::surface_velocity(*angular_velocity, arm),
                    angular_velocity: *angular_velocity,
                }
            }
            Drive::Oscillation {
                amplitude,
                frequency,
                phase,
            } => {
                let rate = std::f64::consts::TAU * frequency;
                let (sin, cos) = libm::sincos(rate * t + phase);
                shifted(*amplitude * sin, *amplitude * (rate * cos))
            }
            Drive::Path { .. } => {
                let (flight, _) = self
                    .flight_at(start, t)
                    .expect("a path is straight between its knots");
                shifted(flight.position - start.position, flight.velocity)
            }
            Drive::Swing { .. } => {
                let stroke = self
                    .stroke_at(start, t)
                    .expect("a swing is made of strokes");
                stroke.state_at(t)
            }
        }
    }

    /// The acceleration of the origin of the body's frame at world time `t`, m/s²; none at the knots of a path or a
    /// swing.
    pub(crate) fn acceleration_at(&self, start: &Pose<S>, t: f64) -> S::Vector {
        let about = |pivot: S::Vector, state: &KinematicState<S>| {
            let arm = state.pose.position - pivot;
            S::surface_velocity(
                state.angular_velocity,
                S::surface_velocity(state.angular_velocity, arm),
            )
        };
        match self {
            Drive::Uniform { .. } | Drive::Path { .. } => S::Vector::ZERO,
            Drive::Rotation { pivot, .. } | Drive::Swing { pivot, .. } => {
                about(*pivot, &self.state_at(start, t))
            }
            Drive::Oscillation {
                amplitude,
                frequency,
                phase,
            } => {
                let rate = std::f64::consts::TAU * frequency;
                *amplitude * (-rate * rate * libm::sin(rate * t + phase))
            }
        }
    }

    /// The pose that the motion must be counted from for the body to be at a given one at world time `t`.
    pub fn start_of(&self, pose: &Pose<S>, t: f64) -> Pose<S> {
        let turned_back = |pivot: S::Vector, turn: S::Rotation| Pose {
            position: pivot + S::rotate(turn, pose.position - pivot),
            rotation: S::compose(turn, pose.rotation),
        };
        match self {
            Drive::Rotation {
                pivot,
                angular_velocity,
            } => turned_back(*pivot, S::rotation_of(-*angular_velocity, t)),
            Drive::Swing { pivot, axis, .. } => {
                turned_back(*pivot, S::rotation_of(-*axis, self.angle_at(t)))
            }
            Drive::Uniform { .. } | Drive::Oscillation { .. } | Drive::Path { .. } => {
                let offset = self.state_at(&Pose::at(S::Vector::ZERO), t).pose.position;
                Pose {
                    position: pose.position - offset,
                    rotation: pose.rotation,
                }
            }
        }
    }

    /// The angle of a swing at world time `t`, rad; zero for any other motion.
    pub fn angle_at(&self, t: f64) -> f64 {
        let Drive::Swing { knots, .. } = self else {
            return 0.0;
        };
        let next = knots.partition_point(|knot| knot.0 <= t);
        match (next.checked_sub(1).map(|i| knots[i]), knots.get(next)) {
            (Some((t0, a0)), Some((t1, a1))) => a0 + (a1 - a0) / (t1 - t0) * (t - t0),
            (Some((_, angle)), None) | (None, Some(&(_, angle))) => angle,
            (None, None) => 0.0,
        }
    }

    /// The stroke of a swing that world time `t` is in; `None` for any other motion.
    pub(crate) fn stroke_at(&self, start: &Pose<S>, t: f64) -> Option<Stroke<S>> {
        let Drive::Swing { pivot, axis, knots } = self else {
            return None;
        };
        let next = knots.partition_point(|knot| knot.0 <= t);
        let until = knots.get(next).map_or(f64::INFINITY, |knot| knot.0);
        let (since, angle, rate) = match (next.checked_sub(1).map(|i| knots[i]), knots.get(next)) {
            (Some((t0, a0)), Some((t1, a1))) => (t0, a0, (a1 - a0) / (t1 - t0)),
            (Some((t0, angle)), None) => (t0, angle, 0.0),
            (None, Some(&(_, angle))) => (t, angle, 0.0),
            (None, None) => (t, 0.0, 0.0),
        };
        let turn = S::rotation_of(*axis, angle);
        // At angle zero the pose is the one it was inserted with, to the bit.
        let pose = if angle == 0.0 {
            *start
        } else {
            Pose {
                position: *pivot + S::rotate(turn, start.position - *pivot),
                rotation: S::compose(turn, start.rotation),
            }
        };
        Some(Stroke {
            since,
            until,
            pose,
            pivot: *pivot,
            angular_velocity: *axis * rate,
        })
    }

    /// The same motion with its time counted from world time `t`, and the pose to count it from in place of `start`.
    pub fn go_on_from(&self, start: &mut Pose<S>, t: f64) -> Self {
        match self {
            Drive::Uniform { .. } | Drive::Rotation { .. } => {
                *start = self.state_at(start, t).pose;
                self.clone()
            }
            Drive::Oscillation {
                amplitude,
                frequency,
                phase,
            } => Drive::Oscillation {
                amplitude: *amplitude,
                frequency: *frequency,
                phase: std::f64::consts::TAU * frequency * t + phase,
            },
            Drive::Path { knots } => Drive::Path {
                knots: knots_from(knots, t),
            },
            Drive::Swing { pivot, axis, knots } => Drive::Swing {
                pivot: *pivot,
                axis: *axis,
                knots: knots_from(knots, t),
            },
        }
    }

    /// Where the motion is polynomial: the flight from world time `t` on, and the world time until which it is valid.
    pub fn flight_at(&self, start: &Pose<S>, t: f64) -> Option<(Flight<S>, f64)> {
        match self {
            Drive::Uniform { velocity } => Some((
                Flight::straight(start.position + *velocity * t, *velocity),
                f64::INFINITY,
            )),
            Drive::Path { knots } => {
                let next = knots.partition_point(|knot| knot.0 <= t);
                let end = knots.get(next).map_or(f64::INFINITY, |knot| knot.0);
                let flight = match (next.checked_sub(1).map(|i| knots[i]), knots.get(next)) {
                    (Some((t0, x0)), Some((t1, x1))) => {
                        let velocity = (*x1 - x0) * (1.0 / (t1 - t0));
                        Flight::straight(start.position + x0 + velocity * (t - t0), velocity)
                    }
                    (Some((_, last)), None) => Flight::rest(start.position + last),
                    (None, Some((_, first))) => Flight::rest(start.position + *first),
                    (None, None) => Flight::rest(start.position),
                };
                Some((flight, end))
            }
            Drive::Rotation { .. } | Drive::Oscillation { .. } | Drive::Swing { .. } => None,
        }
    }
}

fn check_knots<V: Copy + std::fmt::Debug>(
    knots: &[(f64, V)],
    is_finite: impl Fn(V) -> bool,
    one_or_more: &'static str,
) -> Result<(), DriveError> {
    let wrong = |value: String, allowed| {
        Err(DriveError {
            field: "knots",
            value,
            allowed,
        })
    };
    if knots.is_empty() {
        return wrong("empty".into(), one_or_more);
    }
    if let Some((time, place)) = knots.iter().find(|(t, x)| !t.is_finite() || !is_finite(*x)) {
        return wrong(format!("({time}, {place:?})"), "made of finite numbers");
    }
    match knots.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        Some(pair) => wrong(
            format!("{} after {}", pair[1].0, pair[0].0),
            "in order of time",
        ),
        None => Ok(()),
    }
}

/// The knots that still matter at world time `t`, with their times counted from there.
fn knots_from<V: Copy>(knots: &[(f64, V)], t: f64) -> Vec<(f64, V)> {
    // The way to the next knot starts at the last one that is past; rounding must not make two times one.
    let past = knots.partition_point(|knot| knot.0 <= t);
    let mut rest: Vec<(f64, V)> = Vec::new();
    for &(time, place) in &knots[past.saturating_sub(1)..] {
        let time = time - t;
        match rest.last_mut() {
            Some(last) if last.0 >= time => *last = (last.0, place),
            _ => rest.push((time, place)),
        }
    }
    rest
}

#[cfg(feature = "serde")]
crate::serial::checked!([S: Space] Drive<S>, Drive::<S>::check);
