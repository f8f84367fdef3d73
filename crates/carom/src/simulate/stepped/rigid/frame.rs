//! Where the free bodies are, how they are turned and how they move.
//!
//! What turns a body is kept as its angular momentum L about its centre, in world axes: `L′ = τ`, and nothing but
//! torque changes it. The spin follows from it, `ω = I(R)⁻¹ L`, and turns the body, `R′ = ω × R`: Euler's equations, in
//! a form in which L is conserved to rounding whatever the step.

use super::rigid_bodies::{Player, RigidBodies, TurningMass};
use crate::motion::Pose;
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use glam::DVec3;

/// By slot.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct RigidFrame<S: Space> {
    pub pose: Vec<Pose<S>>,
    /// m/s.
    pub velocity: Vec<S::Vector>,
    /// Angular momentum about the centre, kg·m²/s; for a ball that cannot be spun its spin, rad/s.
    pub turn: Vec<S::Angular>,
    /// Of the periodic box that each is in as its step begins, m: where its lower corner is. Bodies are never brought
    /// back; the fixtures of that box are what they meet.
    pub boxes: Vec<S::Vector>,
}

impl<S: Shaped> RigidFrame<S> {
    pub fn angular_velocity(&self, cast: &RigidBodies<S>, slot: usize) -> S::Angular {
        cast.free[slot].angular_velocity(self.pose[slot].rotation, self.turn[slot])
    }

    /// Notices in which of the boxes of some lengths (m) everyone is: how many box lengths each has gone on along each
    /// axis, for those that have.
    pub fn find_boxes(&mut self, periods: [f64; 3]) -> Vec<(u32, [i32; 3])> {
        self.boxes.resize(self.pose.len(), S::Vector::ZERO);
        let mut moved = Vec::new();
        if periods == [0.0; 3] {
            return moved;
        }
        for (slot, (pose, there)) in self.pose.iter().zip(&mut self.boxes).enumerate() {
            let number = |at: S::Vector, round: fn(f64) -> f64| {
                let along = S::components(at);
                [0, 1, 2].map(|axis| match periods[axis] {
                    length if length > 0.0 => round(along[axis] / length),
                    _ => 0.0,
                })
            };
            let (old, new) = (
                number(*there, f64::round),
                number(pose.position, f64::floor),
            );
            if new != old {
                *there = S::vector([0, 1, 2].map(|axis| new[axis] * periods[axis]));
                let gone = [0, 1, 2].map(|axis| (new[axis] - old[axis]) as i32);
                moved.push((slot as u32, gone));
            }
        }
        moved
    }

    /// The first body that is nowhere, or goes nowhere.
    pub fn lost_body(&self) -> Option<usize> {
        (0..self.pose.len()).find(|&slot| {
            let axes = S::axes(self.pose[slot].rotation);
            let turned = axes.iter().flatten().all(|x| x.is_finite());
            !(turned
                && self.pose[slot].position.is_finite()
                && self.velocity[slot].is_finite()
                && self.turn[slot].is_finite())
        })
    }
}

/// `u × w` of two spins; nothing in 2-D.
pub(super) fn bracket<S: Space>(u: S::Angular, w: S::Angular) -> S::Angular {
    let [u, w] = [u, w].map(|angular_velocity| {
        DVec3::from_array(S::angular_velocity_components(angular_velocity))
    });
    S::angular_velocity(u.cross(w).to_array())
}

/// How fast the rotation vector u of `R = exp(u) R₀` changes where the body spins with ω:
/// `u′ = ω − ½ u×ω + ¹⁄₁₂ u×(u×ω) − …`.
///
/// The next term is of the fourth order in u, so that what Runge and Kutta make of it is of order four (Munthe-Kaas,
/// 1998).
pub(super) fn rate_of_vector<S: Space>(u: S::Angular, angular_velocity: S::Angular) -> S::Angular {
    let once = bracket::<S>(u, angular_velocity);
    angular_velocity - once * 0.5 + bracket::<S>(u, once) * (1.0 / 12.0)
}

/// A rotation, turned on by a rotation vector (rad).
pub(super) fn turned<S: Space>(rotation: S::Rotation, vector: S::Angular) -> S::Rotation {
    if vector == S::Angular::ZERO {
        rotation
    } else {
        S::compose(S::rotation_of(vector, 1.0), rotation)
    }
}

/// How a body is turned after a time (s) without torque, to second order.
///
/// In 3-D the energy is `½Σ Π_i²/I_i` over the principal axes. Each of the three terms alone turns the body steadily
/// about its own axis, by `Π_i/I_i`; half of x, half of y, all of z, half of y, half of x is symmetric in time and
/// symplectic (Dullweber, Leimkuhler and McLachlan, 1997): L stays what it is, and the energy swings about its value by
/// the square of the step without drifting.
pub(super) fn drift<S: Shaped>(
    player: &Player<S>,
    rotation: S::Rotation,
    turn: S::Angular,
    time: f64,
) -> S::Rotation {
    let TurningMass::Solid { axes, moments } = player.weight else {
        return turned::<S>(rotation, player.angular_velocity(rotation, turn) * time);
    };
    if S::DIMENSION == 2 {
        return turned::<S>(rotation, turn * (time / moments.z));
    }
    if turn == S::Angular::ZERO {
        return rotation;
    }
    let momentum = DVec3::from_array(S::angular_velocity_components(turn));
    let mut rotation = rotation;
    for (axis, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
        let own = S::vector(axes.col(axis).to_array());
        let along = DVec3::from_array(S::components(S::rotate(rotation, own)));
        let rate = Linear::dot(momentum, along) / moments[axis];
        rotation = turned::<S>(
            rotation,
            S::angular_velocity((along * (rate * part * time)).to_array()),
        );
    }
    rotation
}
