//! Where the members of an island are: brought to a time on their tracks, and moved apart there, with what that did to
//! the energy and the angular momentum entered.

use super::project::{Beside, Projected, deepest_of, project};
use super::{Hold, Island, Neighbours};
use crate::motion::Pose;
use crate::shape::Shaped;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::track::Track;
use crate::space::Linear;

impl<S: Shaped> Core<S> {
    /// Brings the members of an island to a time on their tracks, apart from each other, and enters what that did.
    pub(super) fn arrive(
        &mut self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &mut Island<S>,
        t: f64,
    ) {
        let elapsed = t - island.since;
        let mut poses = self.poses(island, t);
        let ahead = std::mem::take(&mut island.ahead);
        // A step that was cut ends between places that are known to be right: a chord away from the arc at most.
        island.holds = if t == island.until {
            ahead
        } else {
            let beside = self.beside(stage, near, island, t);
            let there = (&mut poses[..], &island.drift[..], t);
            project(stage, near, island, there, &beside, None).holds
        };
        let deepest = deepest_of(stage, &island.holds);
        self.found_overlap(stage, deepest);
        let drift = std::mem::take(&mut island.drift);
        let was = self.poses(island, island.since);
        self.ledger.stepping.add(-stage.stretched(
            &island.members,
            [&was, &poses],
            [island.since, t],
        ));
        for (k, &slot) in island.members.iter().enumerate() {
            let inert = &stage.inert[slot as usize];
            let old = &self.moving[slot as usize].track;
            let (pose, (velocity, spin)) = (poses[k], drift[k]);
            let was = old.pose;
            let free = !old.led && pose == old.pose_at(t);
            let turning = inert.angular_momentum(was.rotation, spin);
            // Turned by hand it keeps its angular momentum.
            let after = match () {
                () if free => old.angular_velocity_at(t),
                () if turning == S::Angular::ZERO => spin,
                () => S::angular_response(inert.inverse_inertia(pose.rotation), turning),
            };
            let way = velocity * elapsed;
            let shift = pose.position - was.position - way;
            let weight = stage.gravity * inert.mass;
            self.ledger.stepping.add(weight.dot(way));
            self.ledger.projection.add(weight.dot(shift));
            if !stage.fields.is_uniform() {
                let places = [was.position, was.position + way, pose.position];
                self.enter_field_potential(stage, slot, places);
            }
            let first = 0.5 * (island.until - island.since);
            let halves = [
                (first, island.since + 0.5 * first),
                (elapsed - first, 0.5 * (t + island.since + first)),
            ];
            let halves = halves.map(|(time, middle)| stage.load_on(slot, time, middle));
            if let [Some(one), Some(two)] = halves
                && elapsed > 0.0
            {
                let rate = 1.0 / elapsed;
                let load = ((one.0 + two.0) * rate, (one.1 + two.1) * rate);
                let turned = (spin + after) * (0.5 * elapsed);
                self.enter_work(load, (way, shift), turned);
            }
            if !free {
                let gained = 0.5 * (after - spin).dot(turning);
                self.ledger.projection.add(-gained);
                let torque = S::torque(shift, velocity * inert.mass);
                self.ledger.angular_from_projection.add(torque);
            }
            let times = (t, f64::INFINITY);
            let still = S::Vector::ZERO;
            let track = Track::flight(inert, times, pose, velocity, after, still);
            self.set_track(slot, track);
        }
    }

    /// Bodies so near that a member could be pushed into them, though they do not keep touching: others that are no
    /// members, fixtures, and members that come together fast.
    fn beside(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &Island<S>,
        t: f64,
    ) -> Vec<Beside<S>> {
        let mut all = Vec::new();
        let holds = |a: u32, other: RigidBodyRef| {
            let pair = (a, other);
            (island.holds.binary_search_by_key(&pair, Hold::pair)).is_ok()
        };
        for &a in &island.members {
            near.around::<S>(a, |other| {
                let member = match other {
                    RigidBodyRef::Body(b) => island.members.binary_search(&b).is_ok(),
                    RigidBodyRef::Fixture(_) => false,
                };
                let known = match other {
                    RigidBodyRef::Body(b) if member => b < a || holds(b, RigidBodyRef::Body(a)),
                    _ => false,
                };
                if !known
                    && !holds(a, other)
                    && stage.meet(a, other)
                    && self.may_touch(stage, a, other, 0.0, t)
                {
                    let pose = (!member).then(|| self.pose_of(stage, other, t));
                    all.push((a, other, pose));
                }
            });
        }
        all
    }

    /// Brings the contacts of an island up to date, which a body has joined: where its pairs touch now, and which of
    /// its members have come to touch. What was moved while it was found what they touch is put right with them.
    pub fn gather(
        &mut self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &mut Island<S>,
        t: f64,
    ) {
        let tracks = || (island.members.iter()).map(|&slot| &self.moving[slot as usize].track);
        let mut poses: Vec<Pose<S>> = tracks().map(|track| track.pose_at(t)).collect();
        let moves: Vec<(S::Vector, S::Angular)> = tracks()
            .map(|track| (track.velocity_at(t), track.angular_velocity_at(t)))
            .collect();
        let beside = self.beside(stage, near, island, t);
        let there = (&mut poses[..], &moves[..], t);
        let Projected { holds, moved, .. } = project(stage, near, island, there, &beside, None);
        island.holds = holds;
        let deepest = deepest_of(stage, &island.holds);
        self.found_overlap(stage, deepest);
        let was = self.poses(island, t);
        self.ledger
            .projection
            .add(-stage.stretched(&island.members, [&was, &poses], [t, t]));
        for k in (0..poses.len()).filter(|&k| moved[k]) {
            self.shift(stage, island.members[k], poses[k], t);
        }
    }

    /// Puts a body to another place nearby at a time, and enters what that did. It keeps its momentum and its angular
    /// momentum about its centre.
    fn shift(&mut self, stage: &RigidWorld<S>, slot: u32, pose: Pose<S>, t: f64) {
        let inert = &stage.inert[slot as usize];
        let old = &self.moving[slot as usize].track;
        let (was, velocity, spin) = (
            old.pose_at(t),
            old.velocity_at(t),
            old.angular_velocity_at(t),
        );
        let turning = inert.angular_momentum(was.rotation, spin);
        let after = if turning == S::Angular::ZERO {
            spin
        } else {
            S::angular_response(inert.inverse_inertia(pose.rotation), turning)
        };
        let (way, mass) = (pose.position - was.position, inert.mass);
        self.ledger.projection.add(mass * stage.gravity.dot(way));
        if !stage.fields.is_uniform() {
            let places = [was.position, was.position, pose.position];
            self.enter_field_potential(stage, slot, places);
        }
        if let Some(load) = stage.load_on(slot, 1.0, t) {
            self.enter_work(load, (S::Vector::ZERO, way), S::Angular::ZERO);
        }
        let gained = 0.5 * (after - spin).dot(turning);
        self.ledger.projection.add(-gained);
        let torque = S::torque(way, velocity * mass);
        self.ledger.angular_from_projection.add(torque);
        let times = (t, f64::INFINITY);
        let still = S::Vector::ZERO;
        let track = Track::flight(inert, times, pose, velocity, after, still);
        self.set_track(slot, track);
    }
}
