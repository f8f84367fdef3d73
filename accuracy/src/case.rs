//! One question to a kernel, as plain numbers: every `f64` stands for itself, exactly.

use carom::space::{Space, Space2, Space3, Turn};
use glam::DQuat;

/// Components; in the plane the third is zero.
pub type Triple = [f64; 3];

/// `position + velocity t + ½ acceleration t²`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// m.
    pub position: Triple,
    /// m/s.
    pub velocity: Triple,
    /// m/s².
    pub acceleration: Triple,
}

/// A shape in its own frame; the fields are those of `carom::shape`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Form {
    Ball {
        radius: f64,
    },
    HalfSpace {
        normal: Triple,
        two_sided: bool,
    },
    Hollow {
        radius: f64,
    },
    Block {
        half: Triple,
    },
    Segment {
        ends: [Triple; 2],
    },
    Arc {
        centre: Triple,
        radius: f64,
        middle: Triple,
        cos_half: f64,
        ends: [Triple; 2],
    },
    Triangle {
        corners: [Triple; 3],
    },
    Cylinder {
        axis: Triple,
        half_length: f64,
        radius: f64,
    },
}

/// How the target's frame moves; the fields are those of `carom::motion::Drive`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Motion {
    /// On a flight.
    Flight(Track),
    /// A constant velocity, prescribed, from `start` at world time 0.
    Uniform {
        start: Triple,
        velocity: Triple,
        now: f64,
    },
    /// About a pivot; in the plane the spin is the third component.
    Rotation {
        start: Triple,
        pivot: Triple,
        angular_velocity: Triple,
        now: f64,
    },
    /// `start + amplitude sin(2π frequency t + phase)`.
    Oscillation {
        start: Triple,
        amplitude: Triple,
        frequency: f64,
        phase: f64,
        now: f64,
    },
}

/// A ball, a target, and how long to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// 2 or 3.
    pub dimension: usize,
    /// Of the ball's centre.
    pub ball: Track,
    /// Of the ball, m.
    pub radius: f64,
    /// The target, in its own frame.
    pub form: Form,
    /// Of the target's frame at world time 0: cosine and sine in the plane, a quaternion (x, y, z, w) in space.
    pub rotation: [f64; 4],
    /// Of the target's frame.
    pub motion: Motion,
    /// s; may be infinite.
    pub horizon: f64,
}

/// Not turned, in this dimension.
pub fn no_rotation(dimension: usize) -> [f64; 4] {
    if dimension == 2 {
        [1.0, 0.0, 0.0, 0.0]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// The axes of a turned frame, one row an axis, as the library defines them: `local = axes · (x − position)`.
pub fn axes(dimension: usize, rotation: [f64; 4]) -> [Triple; 3] {
    let [x, y, z, w] = rotation;
    if dimension == 2 {
        Space2::axes(Turn { cos: x, sin: y })
    } else {
        Space3::axes(DQuat::from_xyzw(x, y, z, w))
    }
}

/// The length of a vector.
pub fn norm(a: Triple) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

/// The inner product.
pub fn inner(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a + b · factor`.
pub fn along(a: Triple, b: Triple, factor: f64) -> Triple {
    [0, 1, 2].map(|i| a[i] + b[i] * factor)
}

impl Form {
    /// Size of the numbers that define the shape: no coordinate that enters a distance is larger. Zero where the
    /// shape has no size of its own.
    pub fn extent(&self) -> f64 {
        match *self {
            Form::Ball { radius } | Form::Hollow { radius } => radius,
            Form::HalfSpace { .. } => 0.0,
            Form::Block { half } => norm(half),
            Form::Segment { ends: [a, b] } => norm(a).max(norm(b)),
            Form::Arc { centre, radius, .. } => norm(centre) + radius,
            Form::Triangle { corners } => corners.into_iter().map(norm).fold(0.0, f64::max),
            Form::Cylinder {
                half_length,
                radius,
                ..
            } => half_length.hypot(radius),
        }
    }
}

impl Case {
    /// `|d| + R + |w| t + ½|a| t²`: the size of the numbers that cancel in the gap at time `t`, m. One rounding error
    /// in any of them changes the gap by at most `u` times this.
    ///
    /// `d`, `w`, `a` are relative position, velocity and acceleration, `R` the ball's radius and the size of the shape.
    /// A prescribed motion adds what its angle contributes: `|ω| T` or `|2πfT + φ|` roundings of the arm or amplitude,
    /// with T the world time.
    pub fn magnitude(&self, t: f64) -> f64 {
        let ball = &self.ball;
        let base = self.radius + self.form.extent();
        let difference = |a: Triple, b: Triple| norm(along(a, b, -1.0));
        match self.motion {
            Motion::Flight(target) => {
                base + difference(ball.position, target.position)
                    + difference(ball.velocity, target.velocity) * t
                    + 0.5 * difference(ball.acceleration, target.acceleration) * t * t
            }
            Motion::Uniform {
                start,
                velocity,
                now,
            } => {
                base + difference(ball.position, start)
                    + difference(ball.velocity, velocity) * t
                    + if now == 0.0 {
                        0.0
                    } else {
                        // Where it is by now is a rounded number.
                        norm(start) + norm(velocity) * now.abs()
                    }
                    + 0.5 * norm(ball.acceleration) * t * t
            }
            Motion::Rotation {
                start,
                pivot,
                angular_velocity,
                now,
            } => {
                let way = norm(ball.velocity) * t + 0.5 * norm(ball.acceleration) * t * t;
                let arm = difference(ball.position, pivot) + way;
                base + norm(pivot)
                    + difference(start, pivot)
                    + arm
                    + norm(angular_velocity) * (now.abs() + t) * (arm + difference(start, pivot))
            }
            Motion::Oscillation {
                start,
                amplitude,
                frequency,
                phase,
                now,
            } => {
                let angle = std::f64::consts::TAU * frequency * (now.abs() + t) + phase.abs();
                base + norm(start)
                    + difference(ball.position, start)
                    + norm(ball.velocity) * t
                    + 0.5 * norm(ball.acceleration) * t * t
                    + norm(amplitude) * (1.0 + angle)
            }
        }
    }

    /// The speeds of the two contact points at time `t`, added, m/s: what the closing floor is a multiple of.
    pub fn speeds(&self, t: f64) -> f64 {
        let ball = norm(along(self.ball.velocity, self.ball.acceleration, t));
        let target = match self.motion {
            Motion::Flight(track) => norm(along(track.velocity, track.acceleration, t)),
            Motion::Uniform { velocity, .. } => norm(velocity),
            Motion::Rotation {
                pivot,
                angular_velocity,
                ..
            } => {
                let place = along(
                    along(self.ball.position, self.ball.velocity, t),
                    self.ball.acceleration,
                    0.5 * t * t,
                );
                norm(angular_velocity) * (norm(along(place, pivot, -1.0)) + self.radius)
            }
            Motion::Oscillation {
                amplitude,
                frequency,
                ..
            } => std::f64::consts::TAU * frequency * norm(amplitude),
        };
        ball + target
    }
}
