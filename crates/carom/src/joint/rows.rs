//! The equations of a joint.
//!
//! Each row is one equation `C = 0` about two bodies. Its rate is `Ċ = J v`, and `C̈ = J v̇ + bias`, where the bias is
//! what turning and given motions contribute. A multiplier λ of the row is a force along it: on the first body
//! `along · λ` at the joint and the torque `about[0] · λ`, on the second `−along · λ` and `about[1] · λ`.
//!
//! With `d = p_a − p_b` for the two points, of which each moves by `ṗ = v + ω×r` and `p̈ = v̇ + ω̇×r + ω×(ω×r)`:
//!
//! * hinge: `C = d·e` for each axis e of the world;
//! * rod of length L: `C = (d² − L²)/(2L)`, `Ċ = d·ḋ/L`, `C̈ = (d·d̈ + ḋ²)/L`;
//! * axis of a hinge in 3-D: `C = u·k` for two directions u of the first body at right angles to its axis, k being the
//!   axis in the second: `Ċ = (ω_a − ω_b)·(u×k)`.

use crate::space::{Linear, Space};
use glam::DVec3;

/// In place of a body that does not answer: the world, or something static or kinematic.
pub(crate) const FIXED: u32 = u32::MAX;

/// How a body answers to forces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass<S: Space> {
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg·m²), in world axes.
    pub inverse_inertia: S::Inertia,
}

/// One equation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<S: Space> {
    /// By their places among those that move, or [`FIXED`].
    pub bodies: [u32; 2],
    pub along: S::Vector,
    pub about: [S::Angular; 2],
    /// C, m or rad.
    pub error: f64,
    /// Ċ, m/s or rad/s.
    pub rate: f64,
    /// Of the rate, what bodies contribute that do not answer.
    pub prescribed: f64,
    /// Of C̈, what does not follow from accelerations of bodies that answer.
    pub bias: f64,
    /// How large numbers are that the error is made of: below some roundings of it nothing is told from zero.
    pub size: f64,
}

/// How an end of a joint moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndMotion<S: Space> {
    /// By its place among those that move, or [`FIXED`].
    pub body: u32,
    /// Where the joint acts, m, and from the body's centre.
    pub point: S::Vector,
    pub arm: S::Vector,
    /// Of that point, m/s.
    pub velocity: S::Vector,
    pub angular_velocity: S::Angular,
    /// Of that point, as far as no acceleration of a body that answers makes it, m/s².
    pub bent: S::Vector,
}

impl<S: Space> Row<S> {
    /// Along a direction: `C` and the part of `C̈` that is not along it are given.
    pub fn along(
        [a, b]: [&EndMotion<S>; 2],
        along: S::Vector,
        error: f64,
        curved: f64,
        size: f64,
    ) -> Self {
        let speed = |end: &EndMotion<S>| along.dot(end.velocity);
        let fixed = |end: &EndMotion<S>| if end.body == FIXED { speed(end) } else { 0.0 };
        Row {
            bodies: [a.body, b.body],
            along,
            about: [S::torque(a.arm, along), -S::torque(b.arm, along)],
            error,
            rate: speed(a) - speed(b),
            prescribed: fixed(a) - fixed(b),
            bias: along.dot(a.bent - b.bent) + curved,
            size,
        }
    }

    /// The three (in 2-D two) rows that let two points coincide.
    pub fn pin(a: &EndMotion<S>, b: &EndMotion<S>) -> impl Iterator<Item = Self> {
        let (a, b) = (*a, *b);
        let apart = a.point - b.point;
        let size = a.point.length() + a.arm.length() + b.arm.length();
        (0..S::DIMENSION).map(move |axis| {
            let mut parts = [0.0; 3];
            parts[axis] = 1.0;
            let along = S::vector(parts);
            Row::along([&a, &b], along, along.dot(apart), 0.0, size)
        })
    }

    /// Keeps two points at a distance, m.
    pub fn rod(a: &EndMotion<S>, b: &EndMotion<S>, length: f64) -> Self {
        let (apart, parting) = (a.point - b.point, a.velocity - b.velocity);
        let error = 0.5 * (apart.length_squared() - length * length) / length;
        let curved = parting.length_squared() / length;
        let size = a.point.length() + b.point.length() + length;
        Row::along([a, b], apart * (1.0 / length), error, curved, size)
    }

    /// Keeps a direction of the first body at right angles to one of the second. Only in 3-D.
    pub fn square(a: &EndMotion<S>, b: &EndMotion<S>, [of_a, of_b]: [DVec3; 2]) -> Self {
        let spin = |end: &EndMotion<S>| {
            DVec3::from_array(S::angular_velocity_components(end.angular_velocity))
        };
        let across = of_a.cross(of_b);
        let turning = spin(a).cross(of_a).cross(of_b) + of_a.cross(spin(b).cross(of_b));
        let relative = spin(a) - spin(b);
        let about = S::angular_velocity(across.to_array());
        let fixed = |end: &EndMotion<S>| match end.body {
            FIXED => Linear::dot(spin(end), across),
            _ => 0.0,
        };
        Row {
            bodies: [a.body, b.body],
            along: S::Vector::ZERO,
            about: [about, -about],
            error: Linear::dot(of_a, of_b),
            rate: Linear::dot(relative, across),
            prescribed: fixed(a) - fixed(b),
            bias: Linear::dot(relative, turning),
            size: 1.0,
        }
    }

    /// What bodies that answer have in its rate, with velocities and angular velocities; or in `C̈` with accelerations.
    pub fn moved_by(&self, motion: impl Fn(usize) -> (S::Vector, S::Angular)) -> f64 {
        let of = |side: usize| match self.bodies[side] {
            FIXED => 0.0,
            body => {
                let (velocity, spin) = motion(body as usize);
                let along = self.along.dot(velocity);
                let along = if side == 0 { along } else { -along };
                along + self.about[side].dot(spin)
            }
        };
        of(0) + of(1)
    }

    /// What a multiplier of another row changes in this one.
    pub fn coupling(&self, other: &Self, masses: &[Mass<S>]) -> f64 {
        let mut sum = 0.0;
        for (i, &body) in self.bodies.iter().enumerate() {
            for (j, &its) in other.bodies.iter().enumerate() {
                if body == its && body != FIXED {
                    let mass = &masses[body as usize];
                    let along = self.along.dot(other.along) * mass.inverse_mass;
                    let turned = S::angular_response(mass.inverse_inertia, other.about[j]);
                    sum += if i == j { along } else { -along };
                    sum += self.about[i].dot(turned);
                }
            }
        }
        sum
    }

    /// Force (N) or impulse (N·s) and torque on one of its bodies for a multiplier.
    pub fn on(&self, side: usize, multiplier: f64) -> (S::Vector, S::Angular) {
        let sign = if side == 0 { multiplier } else { -multiplier };
        (self.along * sign, self.about[side] * multiplier)
    }
}
