//! The path of a ball's centre as its target sees it.

use super::MovingBall;
use crate::arrays::Each;
use crate::motion::Flight;
use crate::roots::{Dd, Expansion, Polynomial};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The path of a ball's centre in the frame of a target that does not turn.
///
/// It is kept twice: rounded, for geometry, and in double-double without any loss from the subtraction, for
/// polynomials.
#[derive(Clone, Copy, Debug)]
pub struct Approach<S: Space> {
    /// Rounded, in the target's frame.
    pub flight: Flight<S>,
    path: Path,
    /// Position, velocity and half the acceleration in world axes, exactly.
    world: [[Dd; 3]; 3],
    rotation: S::Rotation,
    ball: Flight<S>,
    target: Flight<S>,
    surface_speed: f64,
}

/// A point moving on a polynomial, by components, in double-double: position, velocity, half the acceleration.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    terms: [[Dd; 3]; 3],
    degree: usize,
}

impl<S: Space> Approach<S> {
    /// Of a ball to a target whose frame flies without turning.
    pub fn new(
        ball: &MovingBall<S>,
        target: &Flight<S>,
        rotation: S::Rotation,
        target_surface_speed: f64,
    ) -> Self {
        let difference = |a: S::Vector, b: S::Vector| {
            let (a, b) = (S::components(a), S::components(b));
            [0, 1, 2].each(|axis| Dd::difference(a[axis], b[axis]))
        };
        let mut terms = [
            difference(ball.flight.position, target.position),
            difference(ball.flight.velocity, target.velocity),
            difference(ball.flight.acceleration, target.acceleration)
                .each(|component| component.scaled(0.5)),
        ];
        let world = terms;
        if rotation != S::no_rotation() {
            let axes = S::axes(rotation);
            terms = terms.each(|vector| axes.each(|axis| dot_plain(&vector, &axis)));
        }
        let vanishes = |vector: &[Dd; 3]| vector.iter().all(|component| component.hi == 0.0);
        let degree = if !vanishes(&terms[2]) {
            2
        } else {
            usize::from(!vanishes(&terms[1]))
        };
        Approach {
            flight: rounded(&terms),
            path: Path { terms, degree },
            world,
            rotation,
            ball: ball.flight,
            target: *target,
            surface_speed: ball.surface_speed + target_surface_speed,
        }
    }

    /// The same approach with its time counted from `t`.
    pub fn from_time(&self, t: f64) -> Self {
        let (x, v) = self.path.at(t);
        let terms = [x, v, self.path.terms[2]];
        Approach {
            flight: rounded(&terms),
            path: Path { terms, ..self.path },
            ball: self.ball.advanced(t),
            target: self.target.advanced(t),
            ..*self
        }
    }

    /// The path about the origin of the target's frame.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Position, velocity and half the acceleration along a direction of the target's frame, without any rounding.
    ///
    /// The frame's axes are the rounded numbers that they are; the products of three are summed exactly.
    pub fn exactly_along(&self, direction: [f64; 3]) -> [Expansion; 3] {
        let axes = S::axes(self.rotation);
        self.world.map(|term| {
            let mut sum = Expansion::default();
            for (axis, component) in axes.iter().zip(direction) {
                for (&entry, &offset) in axis.iter().zip(&term) {
                    // Most entries are zero, and a product that is zero adds nothing.
                    if entry == 0.0 || component == 0.0 {
                        continue;
                    }
                    let factor = &Expansion::from(entry) * &Expansion::from(component);
                    sum = &sum + &(&factor * &Expansion::from(offset));
                }
            }
            sum
        })
    }

    /// The path about another point of the target's frame.
    pub fn path_about(&self, point: S::Vector) -> Path {
        let mut path = self.path;
        for (component, shift) in path.terms[0].iter_mut().zip(S::components(point)) {
            *component = *component - Dd::from(shift);
        }
        path
    }

    /// What approaching means at time `t`: faster than this, m/s, which is what rounding alone explains.
    pub fn approach_floor(&self, t: f64) -> f64 {
        let speeds = self.ball.velocity_at(t).length() + self.target.velocity_at(t).length();
        16.0 * UNIT_ROUNDOFF * (speeds + self.surface_speed)
    }

    /// The size of the numbers that the velocity at time `t` is computed from, m/s.
    pub fn speed_scale(&self, t: f64) -> f64 {
        self.flight.velocity.length() + self.flight.acceleration.length() * t
    }

    /// The size of the numbers that the position at time `t` is computed from, m: `u` times it is what one rounding
    /// costs.
    pub fn scale(&self, t: f64) -> f64 {
        let flight = &self.flight;
        flight.position.length()
            + (flight.velocity.length() + flight.acceleration.length() * (0.5 * t)) * t
    }
}

impl Path {
    /// Whether the relative motion is uniform.
    pub fn is_straight(&self) -> bool {
        self.degree < 2
    }

    /// The position and the velocity at time `t`.
    pub fn at(&self, t: f64) -> ([Dd; 3], [Dd; 3]) {
        let [x, v, a] = &self.terms;
        let position = [0, 1, 2].each(|axis| x[axis] + (v[axis] + a[axis] * t) * t);
        let velocity = [0, 1, 2].each(|axis| v[axis] + a[axis].scaled(2.0) * t);
        (position, velocity)
    }

    /// The relative position, velocity and half the relative acceleration, by components.
    pub fn terms(&self) -> &[[Dd; 3]; 3] {
        &self.terms
    }

    /// `x(t)·direction`.
    pub fn along(&self, direction: [f64; 3]) -> Polynomial {
        self.along_exact(direction.each(Dd::from))
    }

    /// `x(t)·direction`, for a direction that is itself in double-double.
    pub fn along_exact(&self, direction: [Dd; 3]) -> Polynomial {
        Polynomial::new(&self.terms.each(|term| dot(&term, &direction))[..=self.degree])
    }

    /// `x(t)·x(t)`.
    pub fn squared(&self) -> Polynomial {
        let [x, v, a] = &self.terms;
        let all = [
            dot(x, x),
            dot(x, v).scaled(2.0),
            dot(v, v) + dot(x, a).scaled(2.0),
            dot(v, a).scaled(2.0),
            dot(a, a),
        ];
        Polynomial::new(&all[..=2 * self.degree])
    }
}

/// The flight with these terms, in plain numbers.
fn rounded<S: Space>(terms: &[[Dd; 3]; 3]) -> Flight<S> {
    let vector = |term: [Dd; 3], scale: f64| S::vector(term.each(|component| scale * component.hi));
    Flight {
        position: vector(terms[0], 1.0),
        velocity: vector(terms[1], 1.0),
        acceleration: vector(terms[2], 2.0),
    }
}

/// The inner product of two vectors in double-double.
#[inline]
pub(super) fn dot(a: &[Dd; 3], b: &[Dd; 3]) -> Dd {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn dot_plain(a: &[Dd; 3], b: &[f64; 3]) -> Dd {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
