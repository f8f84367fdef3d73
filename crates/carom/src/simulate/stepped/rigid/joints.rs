//! Joints by forces.
//!
//! A spring is a force like any other. A hinge or a rod is kept exactly: at each look the forces are found that let its
//! two ends accelerate alike (Lagrange multipliers: `J M⁻¹ Jᵀ λ = −(J v̇ + bias)`, with the accelerations `v̇` that
//! everything else causes), and after each step the places and velocities are put back onto what the joint allows, by
//! the shortest way in terms of the masses. So the order of the scheme stays what it is, no stiffness has to be chosen,
//! and a rod has its length to rounding at the end of every step (Hairer, Lubich and Wanner, Geometric Numerical
//! Integration, IV.4). What putting back costs in energy is of the order of the scheme's error, and stands in the
//! residual.

use super::super::bodies::ForceBodies;
use super::super::state::{DAMPERS, DRIVEN, Flow};
use super::advance::ForceStage;
use super::frame::{RigidFrame, bracket, turned};
use super::rates::RigidRates;
use super::rigid_bodies::{RigidBodies, TurningMass};
use crate::body::Kind;
use crate::impact::Strikable;
use crate::joint::{BodyMotion, Factored, Linkage, LinkedBody, Mass, Pull, Row};
use crate::shape::Shaped;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// How often places are put right after a step, at the most. Each time the error is squared.
const ROUNDS: usize = 8;

/// What all bodies are like at an instant.
fn motion_of<'a, S: Strikable>(
    (stage, cast): ForceStage<'a, S>,
    frame: &'a RigidFrame<S>,
    time: f64,
) -> impl Fn(LinkedBody) -> BodyMotion<S> + Copy + 'a {
    move |body| match body {
        LinkedBody::World => BodyMotion::rest(),
        LinkedBody::Free(slot) => {
            let slot = slot as usize;
            BodyMotion {
                pose: frame.pose[slot],
                velocity: frame.velocity[slot],
                angular_velocity: frame.angular_velocity(cast, slot),
                acceleration: S::Vector::ZERO,
            }
        }
        LinkedBody::Fixture(index) => {
            let fixture = &stage.fixtures[index as usize];
            let state = fixture.state_at(time);
            BodyMotion {
                pose: state.pose,
                velocity: state.velocity,
                angular_velocity: state.angular_velocity,
                acceleration: match &fixture.body.kind {
                    Kind::Kinematic(drive) => drive.acceleration_at(&fixture.body.pose, time),
                    _ => S::Vector::ZERO,
                },
            }
        }
    }
}

fn masses<S: Shaped>(cast: &RigidBodies<S>, frame: &RigidFrame<S>) -> Vec<Mass<S>> {
    (cast.free.iter().zip(&frame.pose))
        .map(|(player, pose)| Mass {
            inverse_mass: 1.0 / player.mass,
            inverse_inertia: player.inverse_inertia(pose.rotation),
        })
        .collect()
}

/// Adds what joints do to what acts on everyone.
pub(super) fn act<S: Strikable>(
    ground: ForceStage<'_, S>,
    linkage: &Linkage<S>,
    frame: &RigidFrame<S>,
    time: f64,
    all: &mut RigidRates<S>,
) {
    let cast = ground.1;
    let motion = motion_of(ground, frame, time);
    for pull in linkage.pulls(motion) {
        pull_on(cast, &pull, all);
    }
    if linkage.is_soft() {
        return;
    }
    let rows = linkage.rows(motion);
    let masses = masses(cast, frame);
    let turning: Vec<S::Angular> = (0..masses.len())
        .map(|slot| match cast.free[slot].weight {
            TurningMass::Unturning => S::Angular::ZERO,
            _ => {
                // ω̇ = I⁻¹ (τ − ω × L).
                let gyration = bracket::<S>(all.angular_velocity[slot], frame.turn[slot]);
                let torque = all.torque[slot] - gyration;
                S::angular_response(masses[slot].inverse_inertia, torque)
            }
        })
        .collect();
    let mut multipliers: Vec<f64> = (rows.iter())
        .map(|row| -(row.moved_by(|slot| (all.push[slot], turning[slot])) + row.bias))
        .collect();
    Factored::new(&rows, &masses).solve(&mut multipliers);
    for (row, &multiplier) in rows.iter().zip(&multipliers) {
        for side in [0, 1] {
            let slot = row.bodies[side];
            if slot != crate::joint::FIXED {
                let (force, torque) = row.on(side, multiplier);
                all.push[slot as usize] += force * masses[slot as usize].inverse_mass;
                turn(cast, slot as usize, torque, all);
            }
        }
        enter(row, multiplier, frame, &mut all.flow);
    }
}

/// A torque on a body, N·m.
fn turn<S: Space>(cast: &RigidBodies<S>, slot: usize, torque: S::Angular, all: &mut RigidRates<S>) {
    match cast.free[slot].weight {
        // Whatever keeps it turning as it does takes the torque up, and works against it.
        TurningMass::Unturning => {
            all.flow.angular[0] -= torque;
            all.flow.energy[DRIVEN] -= torque.dot(all.angular_velocity[slot]);
        }
        _ => all.torque[slot] += torque,
    }
}

/// What the world and fixtures give by a row: per second for a force, all of it for an impulse.
fn enter<S: Space>(row: &Row<S>, multiplier: f64, frame: &RigidFrame<S>, flow: &mut Flow<S>) {
    flow.energy[DRIVEN] -= multiplier * row.prescribed;
    for side in [0, 1] {
        if row.bodies[1 - side] == crate::joint::FIXED {
            let (force, torque) = row.on(side, multiplier);
            let place = frame.pose[row.bodies[side] as usize].position;
            flow.momentum[0] += force;
            flow.angular[0] += S::torque(place, force) + torque;
        }
    }
}

fn pull_on<S: Space>(cast: &RigidBodies<S>, pull: &Pull<S>, all: &mut RigidRates<S>) {
    all.flow.energy[DAMPERS] += pull.damper;
    for (side, force) in [(0, pull.force), (1, -pull.force)] {
        match pull.bodies[side] {
            LinkedBody::Free(slot) => {
                let slot = slot as usize;
                all.push[slot] += force * (1.0 / cast.free[slot].mass);
                turn(cast, slot, S::torque(pull.arms[side], force), all);
            }
            // What acts on it does not, and the free body at the other end has it from there.
            _ => {
                all.flow.momentum[0] -= force;
                all.flow.angular[0] -= S::torque(pull.points[1 - side], force);
                all.flow.energy[DRIVEN] -= force.dot(pull.velocities[side]);
            }
        }
    }
}

/// Puts places and velocities onto what hinges and rods allow, at a world time (s), and enters what the world and
/// fixtures give for it.
pub(super) fn put_right<S: Strikable>(
    ground: ForceStage<'_, S>,
    frame: &mut RigidFrame<S>,
    time: f64,
    flow: &mut Flow<S>,
) {
    let cast = ground.1;
    let Some(linkage) = cast.joints.as_ref().filter(|it| !it.is_soft()) else {
        return;
    };
    for _ in 0..ROUNDS {
        let rows = linkage.rows(motion_of(ground, frame, time));
        let is_right = |row: &Row<S>| row.error.abs() <= 4.0 * UNIT_ROUNDOFF * row.size;
        if rows.iter().all(is_right) || !rows.iter().all(|row| row.error.is_finite()) {
            break;
        }
        let masses = masses(cast, frame);
        let mut multipliers: Vec<f64> = rows.iter().map(|row| -row.error).collect();
        Factored::new(&rows, &masses).solve(&mut multipliers);
        let mut shifts = vec![(S::Vector::ZERO, S::Angular::ZERO); masses.len()];
        for (row, &multiplier) in rows.iter().zip(&multipliers) {
            for side in [0, 1] {
                if let Some((force, torque)) = shifts.get_mut(row.bodies[side] as usize) {
                    let (along, about) = row.on(side, multiplier);
                    *force += along;
                    *torque += about;
                }
            }
        }
        for (slot, (force, torque)) in shifts.into_iter().enumerate() {
            let pose = &mut frame.pose[slot];
            pose.position += force * masses[slot].inverse_mass;
            let vector = S::angular_response(masses[slot].inverse_inertia, torque);
            pose.rotation = turned::<S>(pose.rotation, vector);
        }
    }
    let rows = linkage.rows(motion_of(ground, frame, time));
    let masses = masses(cast, frame);
    let mut multipliers: Vec<f64> = rows.iter().map(|row| -row.rate).collect();
    Factored::new(&rows, &masses).solve(&mut multipliers);
    for (row, &multiplier) in rows.iter().zip(&multipliers) {
        for side in [0, 1] {
            let Some(mass) = masses.get(row.bodies[side] as usize) else {
                continue;
            };
            let slot = row.bodies[side] as usize;
            let (impulse, torque) = row.on(side, multiplier);
            frame.velocity[slot] += impulse * mass.inverse_mass;
            match cast.free[slot].weight {
                TurningMass::Unturning => {
                    flow.angular[0] -= torque;
                    flow.energy[DRIVEN] -= torque.dot(frame.turn[slot]);
                }
                _ => frame.turn[slot] += torque,
            }
        }
        enter(row, multiplier, frame, flow);
    }
}

/// What springs hold, J.
pub(super) fn stored<S: Strikable>(
    ground: ForceStage<'_, S>,
    frame: &RigidFrame<S>,
    time: f64,
) -> f64 {
    let linkage = ground.1.joints.iter();
    let pulls = linkage.flat_map(|linkage| linkage.pulls(motion_of(ground, frame, time)));
    pulls.map(|pull| pull.stored).sum()
}

/// So much of a radian a step may turn what swings on a joint, and of a spring's swing: a phase error of 10⁻⁷ by Runge
/// and Kutta.
const A_STEP: f64 = 0.05;

impl<S: Shaped> ForceBodies<S> {
    /// The longest step that follows joints well (s), and the longest that follows springs at all; infinite where
    /// nothing is known.
    pub(in super::super) fn steps_of_joints(&self) -> (f64, f64) {
        let Some((cast, linkage)) =
            (self.cast.as_ref()).and_then(|cast| Some((cast, cast.joints.as_ref()?)))
        else {
            return (f64::INFINITY, f64::INFINITY);
        };
        let gives_way = |(body, at): (LinkedBody, S::Vector)| match body {
            LinkedBody::Free(slot) => {
                let player = &cast.free[slot as usize];
                1.0 / player.mass + player.yields * far(at, player.reach)
            }
            _ => 0.0,
        };
        let (mut good, mut safe) = (f64::INFINITY, f64::INFINITY);
        for (stiffness, damping, ends) in linkage.springs() {
            let yields = gives_way(ends[0]) + gives_way(ends[1]);
            let frequency = (stiffness * yields).sqrt();
            let ratio = 0.5 * damping * (yields / stiffness).sqrt();
            // Central differences are bounded up to there; half of it is safe for all schemes.
            let bound = (1.0 + ratio * ratio).sqrt() - ratio;
            safe = safe.min(bound / frequency);
            good = good.min(A_STEP * bound / frequency);
        }
        let gravity = self.fields.gravity.length();
        for (bodies, arms) in linkage.arms() {
            let moves = bodies.iter().filter_map(|body| match body {
                LinkedBody::Free(slot) => {
                    let body = &self.bodies[self.grains[*slot as usize].id.0 as usize];
                    match &body.kind {
                        Kind::Free(free) => Some((free.velocity, free.angular_velocity)),
                        _ => None,
                    }
                }
                _ => None,
            });
            let moves: Vec<_> = moves.collect();
            let fastest = moves.iter().map(|it| it.0.length()).fold(0.0, f64::max);
            let turning = moves.iter().map(|it| it.1.length()).fold(0.0, f64::max);
            let shortest = arms
                .into_iter()
                .filter(|&arm| arm > 0.0)
                .fold(f64::INFINITY, f64::min);
            let swing = (gravity / shortest).sqrt();
            let rate = (swing * swing + turning * turning).sqrt() + 2.0 * fastest / shortest;
            if rate > 0.0 {
                good = good.min(0.4 * A_STEP / rate);
            }
        }
        (good, safe)
    }
}

/// How much more than at its farthest point a body gives way at a point of its frame.
fn far<V: Linear>(at: V, reach: f64) -> f64 {
    (at.length_squared() / (reach * reach)).max(0.0)
}
