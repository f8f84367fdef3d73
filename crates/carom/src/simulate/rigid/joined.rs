//! Joints of rigid bodies, and of balls that are joined with them.
//!
//! Whatever a joint holds is always in an island, with all that hang on it, whose steps keep hinges and rods as they
//! keep contacts apart (RATTLE: Andersen 1983; Hairer, Lubich and Wanner, Geometric Numerical Integration, VII.1):
//!
//! ```text
//! v ← v + (g + springs) τ/2
//! v ← v + M⁻¹ Jᵀ λ      so that hinges and rods fit at the end of the step
//! x ← x + v τ           straight on, turning freely
//! v ← v + (g + springs) τ/2
//! v ← v + M⁻¹ Jᵀ λ      so that Ċ = J v = 0
//! ```
//!
//! with contacts solved beside them in both halves. Hinges and rods are solved directly, all together, each time that
//! the points of contacts have been gone through (`contact_solver.rs`); the velocities for which they fit at the end
//! follow by Newton's method with the equations as they are at the beginning. So momentum and angular momentum are
//! kept to rounding, and the energy to second order in the step, without a drift. What the halves do to the energy,
//! and springs on the way, stands among what steps cost; over a step the halves nearly cancel.
//!
//! A step that is cut ends on a chord beside the arc: there bodies are put right as overlaps are (`project.rs`).
//!
//! An impact is answered by the masses that the joints leave it (`response/several.rs`), all points of it at once.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::island::Island;
use super::track::Track;
use crate::audit::Ledger;
use crate::joint::{BodyMotion, FIXED, Factored, Linkage, LinkedBody, Mass, Pull, Row};
use crate::motion::Pose;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// Joints of some bodies at an instant, by the places of these in a list.
pub(super) struct Bound<S: Space> {
    linkage: Linkage<S>,
    rows: Vec<Row<S>>,
    factored: Factored,
    centres: Vec<S::Vector>,
    /// Which are balls that cannot be spun.
    unturning: Vec<bool>,
    /// The rates to reach, m/s or rad/s.
    pub wanted: Vec<f64>,
    /// Multipliers that are not entered into the budget yet.
    pub given: Vec<f64>,
}

/// How often the damping of springs is worked out anew with what it does: each time the error is a few hundredths.
const DAMPINGS: usize = 4;

/// How often hinges and rods are aimed anew at the end of a step: each time leaves a share of the step's turning.
pub(super) const AIMS: usize = 30;

/// How far rows may be off, in terms of the numbers that they are made of.
const FITS: f64 = 64.0 * UNIT_ROUNDOFF;

/// Below which part of what bodies alone would do a direction is one that joints do not allow.
const HELD: f64 = 1e-12;

/// What turns on joints turns by no more than this in a step, rad: the error of a step is some hundredths of its cube.
const TURN: f64 = 0.05;

/// No step is shorter than this share of the usual one because of joints.
const SHORTEST: f64 = 1e-3;

impl<S: Shaped> RigidWorld<S> {
    /// Whether a joint holds a body.
    pub fn is_joined(&self, slot: u32) -> bool {
        let linkage = self.linkage.as_ref();
        linkage.is_some_and(|linkage| linkage.holds(LinkedBody::Free(slot)))
    }

    /// Whether two pass through each other because a joint holds them.
    pub(super) fn joint_keeps_apart(&self, a: u32, other: RigidBodyRef) -> bool {
        let Some(linkage) = &self.linkage else {
            return false;
        };
        let other = match other {
            RigidBodyRef::Body(b) => LinkedBody::Free(b),
            RigidBodyRef::Fixture(index) => LinkedBody::Fixture(index),
        };
        linkage.keeps_apart(LinkedBody::Free(a), other)
    }

    /// The pairs of bodies that joints hold together.
    pub(super) fn joined_pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let all = self.linkage.iter().flat_map(|linkage| linkage.pairs());
        all.filter_map(|pair| match pair {
            [LinkedBody::Free(a), LinkedBody::Free(b)] => Some((a, b)),
            _ => None,
        })
    }

    /// Whether joints hold some members to fixtures that move.
    pub(super) fn is_led(&self, members: &[u32]) -> bool {
        let mut all = self.linkage.iter().flat_map(|linkage| linkage.pairs());
        all.any(|pair| {
            let of = |body| match body {
                LinkedBody::Free(slot) => members.binary_search(&slot).is_ok(),
                _ => false,
            };
            let moves = |body| match body {
                LinkedBody::Fixture(index) => self.props[index as usize].moves(),
                _ => false,
            };
            pair.into_iter().any(of) && pair.into_iter().any(moves)
        })
    }

    /// What is given of how a body moves that does not answer.
    fn given_motion(&self, body: LinkedBody, t: f64) -> BodyMotion<S> {
        let LinkedBody::Fixture(index) = body else {
            return BodyMotion::rest();
        };
        let prop = &self.props[index as usize];
        let (velocity, angular_velocity) = prop.motion_at(t);
        BodyMotion {
            pose: prop.pose_at(t),
            velocity,
            angular_velocity,
            acceleration: S::Vector::ZERO,
        }
    }

    /// What springs hold with bodies at poses, by slot, J.
    pub fn stored_in_springs(&self, pose: impl Fn(u32) -> Pose<S>, t: f64) -> f64 {
        let Some(linkage) = &self.linkage else {
            return 0.0;
        };
        let motion = |body| match body {
            LinkedBody::Free(slot) => BodyMotion {
                pose: pose(slot),
                ..BodyMotion::rest()
            },
            other => self.given_motion(other, t),
        };
        linkage.pulls(motion).map(|pull| pull.stored).sum()
    }
}

impl<S: Shaped> RigidWorld<S> {
    /// What springs at members of an island hold more, from one set of poses to another at their times, J.
    pub(super) fn stretched(
        &self,
        members: &[u32],
        poses: [&[Pose<S>]; 2],
        times: [f64; 2],
    ) -> f64 {
        let Some(linkage) = &self.linkage else {
            return 0.0;
        };
        let place = |slot| members.binary_search(&slot).ok().map(|at| at as u32);
        let linkage = linkage.among(place);
        let stored = |side: usize| -> f64 {
            let motion = |body| match body {
                LinkedBody::Free(at) => BodyMotion {
                    pose: poses[side][at as usize],
                    ..BodyMotion::rest()
                },
                other => self.given_motion(other, times[side]),
            };
            linkage.pulls(motion).map(|pull| pull.stored).sum()
        };
        stored(1) - stored(0)
    }
}

impl<S: Shaped> Bound<S> {
    /// The joints of bodies, by their slots, at poses and with velocities in the order that `place` says.
    pub fn new(
        stage: &RigidWorld<S>,
        place: impl Fn(u32) -> Option<u32>,
        (poses, movers): (&[Pose<S>], &[Mover<S>]),
        t: f64,
    ) -> Option<Self> {
        let linkage = stage.linkage.as_ref()?.among(&place);
        linkage.pairs().next()?;
        let mut unturning = vec![false; movers.len()];
        for (slot, inert) in (0..).zip(&stage.inert) {
            if inert.is_held()
                && let Some(at) = place(slot)
            {
                unturning[at as usize] = true;
            }
        }
        let motion = |body| match body {
            LinkedBody::Free(at) => moving(poses[at as usize], &movers[at as usize]),
            other => stage.given_motion(other, t),
        };
        let rows = linkage.rows(motion);
        let masses: Vec<Mass<S>> = (movers.iter())
            .map(|mover| Mass {
                inverse_mass: mover.inverse_mass,
                inverse_inertia: mover.inverse_inertia,
            })
            .collect();
        Some(Bound {
            factored: Factored::new(&rows, &masses),
            wanted: vec![0.0; rows.len()],
            given: vec![0.0; rows.len()],
            centres: poses.iter().map(|pose| pose.position).collect(),
            unturning,
            linkage,
            rows,
        })
    }

    /// How fast each row changes, m/s or rad/s.
    pub fn rates(&self, movers: &[Mover<S>]) -> Vec<f64> {
        let motion = |at: usize| (movers[at].velocity, movers[at].angular_velocity);
        let rate = |row: &Row<S>| row.prescribed + row.moved_by(motion);
        self.rows.iter().map(rate).collect()
    }

    fn apply(&self, multipliers: &[f64], movers: &mut [Mover<S>]) -> f64 {
        let mut most = 0.0_f64;
        for (row, &multiplier) in self.rows.iter().zip(multipliers) {
            for side in [0, 1] {
                if row.bodies[side] == FIXED {
                    continue;
                }
                let mover = &mut movers[row.bodies[side] as usize];
                let (impulse, torque) = row.on(side, multiplier);
                mover.velocity += impulse * mover.inverse_mass;
                mover.angular_velocity += S::angular_response(mover.inverse_inertia, torque);
                most = most.max(impulse.length() * mover.inverse_mass);
            }
        }
        most
    }

    /// The multipliers with which joints answer to a change of velocities.
    fn answer_of(&self, change: &[Mover<S>]) -> Vec<f64> {
        let motion = |at: usize| (change[at].velocity, change[at].angular_velocity);
        let mut multipliers: Vec<f64> = self.rows.iter().map(|row| -row.moved_by(motion)).collect();
        self.factored.solve(&mut multipliers);
        multipliers
    }

    /// Lets joints answer to what has been changed, where `change` holds that alone.
    pub fn answer_to(&self, change: &mut [Mover<S>]) {
        self.apply(&self.answer_of(change), change);
    }

    /// How joints answer to unit impulses at a point of a contact, which is told how it gives way with them.
    fn answer_at(
        &self,
        row: &mut contact_solver::Row<S>,
        movers: &[Mover<S>],
    ) -> Option<Vec<Vec<f64>>> {
        let concerned = |row: &contact_solver::Row<S>| {
            let held = self.rows.iter().flat_map(|it| it.bodies);
            held.filter(|&body| body != FIXED)
                .any(|body| row.bodies.contains(&body))
        };
        if !concerned(row) {
            return None;
        }
        let still = |mover: &Mover<S>| Mover {
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
            ..*mover
        };
        let (mut answers, mut moved, mut free) = (Vec::new(), Vec::new(), 0.0_f64);
        for axis in 0..S::DIMENSION {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            let mut change: Vec<Mover<S>> = movers.iter().map(still).collect();
            row.push(&mut change, S::vector(unit));
            free = row.velocity(&change).length().max(free);
            let answer = self.answer_of(&change);
            self.apply(&answer, &mut change);
            moved.push(row.velocity(&change));
            answers.push(answer);
        }
        row.measure(|impulse| {
            let parts = S::components(impulse);
            let all = moved.iter().zip(parts).map(|(&moved, part)| moved * part);
            let sum = all.fold(S::Vector::ZERO, |sum, part| sum + part);
            // What is left of rounding is a direction that joints do not allow.
            if sum.length() > HELD * free {
                sum
            } else {
                S::Vector::ZERO
            }
        });
        Some(answers)
    }

    /// Lets hinges and rods act with multipliers; the largest change of a velocity, m/s.
    fn give(&mut self, multipliers: &[f64], movers: &mut [Mover<S>]) -> f64 {
        for (given, multiplier) in self.given.iter_mut().zip(multipliers) {
            *given += multiplier;
        }
        self.apply(multipliers, movers)
    }

    /// Gives everyone the velocities that are wanted; the square of the largest change of one, m²/s².
    pub fn answer(&mut self, movers: &mut [Mover<S>]) -> f64 {
        let mut multipliers: Vec<f64> = (self.rates(movers).iter().zip(&self.wanted))
            .map(|(rate, wanted)| wanted - rate)
            .collect();
        self.factored.solve(&mut multipliers);
        let change = self.give(&multipliers, movers);
        change * change
    }

    /// A first guess at the rates for which rows fit after a time, s.
    pub fn aim(&mut self, time: f64) {
        for (wanted, row) in self.wanted.iter_mut().zip(&self.rows) {
            *wanted = -row.error / time - 0.5 * time * row.bias;
        }
    }

    /// What is wrong with rows where bodies are at other poses at a time; `None` where they fit.
    pub fn misfit(&self, stage: &RigidWorld<S>, poses: &[Pose<S>], t: f64) -> Option<Vec<f64>> {
        let motion = |body| match body {
            LinkedBody::Free(at) => BodyMotion {
                pose: poses[at as usize],
                ..BodyMotion::rest()
            },
            other => stage.given_motion(other, t),
        };
        let rows = self.linkage.rows(motion);
        let wrong = |row: &Row<S>| !(row.error.abs() <= FITS * row.size);
        (rows.iter().any(wrong)).then(|| rows.iter().map(|row| row.error).collect())
    }

    /// Wants what is wrong at the moment to be put right: displacements in place of velocities.
    pub fn put_right(&mut self) {
        for (wanted, row) in self.wanted.iter_mut().zip(&self.rows) {
            *wanted = row.prescribed - row.error;
        }
    }

    /// Aims anew where rows do not fit at the end of a time (s); whether there are such.
    pub fn aim_again(&mut self, misfit: Option<Vec<f64>>, time: f64) -> bool {
        let Some(misfit) = misfit else {
            return false;
        };
        for (wanted, error) in self.wanted.iter_mut().zip(misfit) {
            *wanted -= error / time;
        }
        true
    }

    /// Enters what hinges and rods have done since their rows had these rates.
    pub fn enter(&mut self, before: &[f64], movers: &[Mover<S>], books: &mut Ledger<S>) {
        let after = self.rates(movers);
        for (k, row) in self.rows.iter().enumerate() {
            let given = std::mem::take(&mut self.given[k]);
            if given == 0.0 {
                continue;
            }
            books.stepping.add(-0.5 * given * (before[k] + after[k]));
            if row.prescribed != 0.0 {
                books.work_by_kinematic.add(-given * row.prescribed);
            }
            for side in [0, 1] {
                if row.bodies[side] == FIXED {
                    continue;
                }
                let at = row.bodies[side] as usize;
                let (impulse, torque) = row.on(side, given);
                if self.unturning[at] {
                    books.held(torque, movers[at].angular_velocity);
                }
                if row.bodies[1 - side] == FIXED {
                    let still = S::Vector::ZERO;
                    books.push(self.centres[at], impulse, torque, still);
                }
            }
        }
    }

    /// Lets springs pull for a time, s, at the mean of how bodies moved before anything acted in it and after all has.
    pub fn pull(
        &self,
        stage: &RigidWorld<S>,
        (poses, unkicked): (&[Pose<S>], &[Mover<S>]),
        movers: &mut [Mover<S>],
        (time, t): (f64, f64),
        books: &mut Ledger<S>,
    ) {
        if self.linkage.springs().next().is_none() {
            return;
        }
        let before = movers.to_vec();
        let pulls_between = |from: &[Mover<S>], to: &[Mover<S>]| -> Vec<Pull<S>> {
            let motion = |body| match body {
                LinkedBody::Free(at) => {
                    let (from, to) = (&from[at as usize], &to[at as usize]);
                    let mean = Mover {
                        velocity: (from.velocity + to.velocity) * 0.5,
                        angular_velocity: (from.angular_velocity + to.angular_velocity) * 0.5,
                        ..*to
                    };
                    moving(poses[at as usize], &mean)
                }
                other => stage.given_motion(other, t),
            };
            self.linkage.pulls(motion).collect()
        };
        let mut pulls = Vec::new();
        for _ in 0..DAMPINGS {
            pulls = pulls_between(unkicked, movers);
            movers.copy_from_slice(&before);
            for pull in &pulls {
                for (side, force) in [(0, pull.force), (1, -pull.force)] {
                    if let LinkedBody::Free(at) = pull.bodies[side] {
                        movers[at as usize].push(pull.arms[side], force * time);
                    }
                }
            }
        }
        let means = pulls_between(&before, movers);
        for (pull, mean) in pulls.iter().zip(means) {
            let work = pull.force.dot(mean.velocities[0] - mean.velocities[1]) * time;
            let damped = pull.damper * time;
            books.stepping.add(-(work + damped));
            books.damped(damped);
            for (side, force) in [(0, pull.force * time), (1, -pull.force * time)] {
                match pull.bodies[side] {
                    LinkedBody::Free(at) if self.unturning[at as usize] => {
                        let torque = S::torque(pull.arms[side], force);
                        books.held(torque, movers[at as usize].angular_velocity);
                    }
                    LinkedBody::Free(_) => {}
                    // What acts on it does not, and the free body at the other end has it from there.
                    _ => {
                        let (place, velocity) = (pull.points[1 - side], pull.velocities[side]);
                        books.push(place, -force, S::Angular::ZERO, velocity);
                    }
                }
            }
        }
    }
}

fn moving<S: Space>(pose: Pose<S>, mover: &Mover<S>) -> BodyMotion<S> {
    BodyMotion {
        pose,
        velocity: mover.velocity,
        angular_velocity: mover.angular_velocity,
        acceleration: S::Vector::ZERO,
    }
}

/// Solves the points of contacts, and the joints beside them; the largest change of a velocity that was left, m/s.
pub(super) fn solve<S: Shaped>(
    rows: &mut [contact_solver::Row<S>],
    movers: &mut [Mover<S>],
    bound: &mut Option<Bound<S>>,
    (tolerance, rounds): (f64, usize),
) -> f64 {
    let Some(bound) = bound else {
        return contact_solver::solve(rows, movers, tolerance, rounds);
    };
    if rows.is_empty() {
        bound.answer(movers);
        return bound.answer(movers).sqrt();
    }
    let fastest = movers.iter().map(|mover| mover.velocity.length());
    let rounding = 1e-14 * fastest.fold(0.0, f64::max);
    let answers = (rows.iter_mut())
        .map(|row| bound.answer_at(row, movers))
        .collect();
    // What rows begin with has been given already.
    bound.answer(movers);
    let mut beside = Answering { bound, answers };
    let asked = (tolerance.max(rounding), rounds);
    contact_solver::solve_beside(rows, movers, &mut beside, asked)
}

/// Joints beside points of contacts: the multipliers with which they answer to a unit of impulse along each axis at a
/// point; none where it concerns nothing that they hold.
struct Answering<'a, S: Space> {
    bound: &'a mut Bound<S>,
    answers: Vec<Option<Vec<Vec<f64>>>>,
}

impl<S: Shaped> contact_solver::Beside<S> for Answering<'_, S> {
    fn follow(&mut self, row: usize, impulse: S::Vector, movers: &mut [Mover<S>]) {
        if let Some(answers) = &self.answers[row] {
            let mut multipliers = vec![0.0; self.bound.rows.len()];
            for (answer, part) in answers.iter().zip(S::components(impulse)) {
                for (multiplier, unit) in multipliers.iter_mut().zip(answer) {
                    *multiplier += unit * part;
                }
            }
            self.bound.give(&multipliers, movers);
        }
    }

    fn settle(&mut self, movers: &mut [Mover<S>]) -> f64 {
        self.bound.answer(movers)
    }
}

impl<S: Shaped> Core<S> {
    /// The joints of the members of an island, which move as these movers do, at a time.
    pub(super) fn bound(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        movers: &[Mover<S>],
        t: f64,
    ) -> Option<Bound<S>> {
        stage.linkage.as_ref()?;
        let poses = self.poses(island, t);
        bound_at(stage, &island.members, (&poses, movers), t)
    }

    /// Where the members of an island are at a time.
    pub(super) fn poses(&self, island: &Island<S>, t: f64) -> Vec<Pose<S>> {
        let tracks = (island.members.iter()).map(|&slot| &self.moving[slot as usize].track);
        tracks.map(|track| track.pose_at(t)).collect()
    }

    /// How long a step of an island can be for what joints make of it, s.
    pub(super) fn span_of_joints(&self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) -> f64 {
        let Some(linkage) = &stage.linkage else {
            return f64::INFINITY;
        };
        let place = |slot| island.members.binary_search(&slot).ok().map(|at| at as u32);
        let linkage = linkage.among(place);
        let mover = |at: u32| self.mover(stage, RigidBodyRef::Body(island.members[at as usize]), t);
        let mut fastest = 0.0_f64;
        for (stiffness, damping, ends) in linkage.springs() {
            let yields = ends.map(|(body, at)| match body {
                LinkedBody::Free(place) => {
                    let slot = island.members[place as usize];
                    let track = &self.moving[slot as usize].track;
                    yields(&mover(place), S::rotate(track.pose_at(t).rotation, at))
                }
                _ => 0.0,
            });
            let yields = yields[0] + yields[1];
            let frequency = (stiffness * yields).sqrt();
            let ratio = 0.5 * damping * (yields / stiffness).sqrt();
            fastest = fastest.max(frequency * ((1.0 + ratio * ratio).sqrt() + ratio));
        }
        for (bodies, [_, _, rod]) in linkage.arms() {
            let (mut speed, mut turning, mut pull) = (0.0, 0.0_f64, 0.0_f64);
            for body in bodies {
                if let LinkedBody::Free(at) = body {
                    let mover = mover(at);
                    speed += mover.velocity.length();
                    turning = turning.max(mover.angular_velocity.length());
                    pull = pull.max(stage.pull(island.members[at as usize], t));
                }
            }
            fastest = fastest.max(turning);
            if rod > 0.0 {
                fastest = fastest.max(speed / rod + (pull / rod).sqrt());
            }
        }
        (TURN / fastest).max(SHORTEST * stage.settling.step)
    }
}

/// The joints of members of an island, which are at poses and move as these movers do, at a time.
pub(super) fn bound_at<S: Shaped>(
    stage: &RigidWorld<S>,
    members: &[u32],
    at: (&[Pose<S>], &[Mover<S>]),
    t: f64,
) -> Option<Bound<S>> {
    let place = |slot| members.binary_search(&slot).ok().map(|at| at as u32);
    Bound::new(stage, place, at, t)
}

/// Where bodies are after a time if they go on as they move, each free.
pub(super) fn poses_after<S: Shaped>(
    stage: &RigidWorld<S>,
    members: &[u32],
    (poses, movers): (&[Pose<S>], &[Mover<S>]),
    times: (f64, f64),
) -> Vec<Pose<S>> {
    let of = |((&slot, &pose), mover): ((&u32, &Pose<S>), &Mover<S>)| {
        let inert = &stage.inert[slot as usize];
        let (velocity, spin) = (mover.velocity, mover.angular_velocity);
        Track::flight(inert, times, pose, velocity, spin, S::Vector::ZERO).pose_at(times.1)
    };
    members.iter().zip(poses).zip(movers).map(of).collect()
}

/// A bound from above on how much a body gives way at the end of an arm, 1/kg.
fn yields<S: Space>(mover: &Mover<S>, arm: S::Vector) -> f64 {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let turned = |axis: [f64; 3]| {
        let axis = S::vector(axis);
        let spin = S::angular_response(mover.inverse_inertia, S::torque(arm, axis));
        axis.dot(S::surface_velocity(spin, arm))
    };
    let all = axes.into_iter().take(S::DIMENSION);
    mover.inverse_mass + all.map(turned).sum::<f64>()
}
