//! How islands come and go: founded, woken, put to sleep, and taken apart where they no longer hang together.

use super::parts::Parts;
use super::{CALM, Island};
use crate::audit::Ledger;
use crate::shape::Shaped;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::plan::Plans;
use crate::simulate::rigid::track::Track;
use crate::space::{Linear, Space};

impl<S: Shaped> Core<S> {
    /// Puts the members of an island back to how they were when the step under way began, to be looked at.
    pub fn unbegin(&mut self, stage: &RigidWorld<S>, id: u32) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        for (&slot, &(velocity, spin)) in island.members.iter().zip(&island.before) {
            let inert = &stage.inert[slot as usize];
            let times = (island.since, f64::INFINITY);
            let pose = self.moving[slot as usize].track.pose;
            let still = S::Vector::ZERO;
            let track = Track::flight(inert, times, pose, velocity, spin, still);
            self.moving[slot as usize].track = track;
        }
        island.pending = Ledger::default();
        island.before.clear();
        island.drift.clear();
        island.ahead.clear();
        self.islands[id as usize] = Some(island);
    }

    /// Enters what fixtures gave to sleepers, and wakes them.
    pub(super) fn wake(&mut self, stage: &RigidWorld<S>, island: &mut Island<S>, t: f64) {
        self.rested(stage, island, t);
        island.asleep = false;
        island.since = t;
        island.until = t;
        island.calm = t;
        for &slot in &island.members {
            let track = self.moving[slot as usize]
                .track
                .at(&stage.inert[slot as usize], t);
            self.set_track(slot, track);
        }
    }

    /// Enters that what sleepers lie on holds them against gravity.
    pub fn rested(&mut self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) {
        for &slot in &island.members {
            let weight = stage.gravity * (stage.inert[slot as usize].mass * (t - island.since));
            self.ledger.momentum_from_fixtures.add(-weight);
        }
    }

    /// Whether nobody has moved for a while; then all are at rest, exactly.
    pub fn falls_asleep(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) -> bool {
        let Some(mut island) = self.islands[id as usize].take() else {
            return false;
        };
        let fastest = (island.members.iter())
            .map(|&slot| self.speed(RigidBodyRef::Body(slot)))
            .fold(0.0, f64::max);
        if fastest > stage.still || island.is_driven(stage) {
            island.calm = t;
        }
        let sleeps = t - island.calm >= CALM;
        if sleeps {
            let mut stopped = 0.0;
            for &slot in &island.members {
                let has = self.holdings_of(stage, slot, t);
                stopped += has.energy.kinetic + has.energy.rotational;
                self.ledger.momentum_from_fixtures.add(-has.momentum);
                let place = self.moving[slot as usize].track.position_at(t);
                let turning = has.angular_momentum - S::torque(place, has.momentum);
                self.ledger
                    .angular_from_fixture
                    .add(-S::torque(place, has.momentum) - turning);
                let pose = self.moving[slot as usize].track.pose_at(t);
                let track = Track::rest(&stage.inert[slot as usize], t, pose);
                self.set_track(slot, track);
            }
            self.ledger.settling.add(stopped);
            island.asleep = true;
            island.since = t;
            island.until = f64::INFINITY;
            island.version = self.next_version();
        }
        self.islands[id as usize] = Some(island);
        sleeps
    }

    /// Lets those go who touch nobody any more, and splits what has come apart. The islands that there are now.
    pub fn reform(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) -> Vec<u32> {
        let Some(island) = self.islands[id as usize].take() else {
            return Vec::new();
        };
        let mut parts = Parts::new(&island.members);
        for hold in &island.holds {
            if let RigidBodyRef::Body(b) = hold.other {
                parts.join(hold.a, b);
            }
        }
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for &slot in &island.members {
            let root = parts.root(slot);
            match groups.iter_mut().find(|(other, _)| *other == root) {
                Some((_, members)) => members.push(slot),
                None => groups.push((root, vec![slot])),
            }
        }
        let mut made = Vec::new();
        for (_, members) in groups {
            let mut mine = island.holds.iter();
            if !mine.any(|hold| members.binary_search(&hold.a).is_ok()) {
                for slot in members {
                    self.fly(stage, slot, t);
                }
                continue;
            }
            let holds = (island.holds.iter())
                .filter(|hold| members.binary_search(&hold.a).is_ok())
                .cloned()
                .collect();
            let part = Island {
                holds,
                members,
                ..island.empty()
            };
            made.push(self.found(part, Some(id)));
        }
        made
    }

    /// Lets an island go on from a time at which everything about it is known: what has come apart goes its own ways,
    /// the others begin a step.
    pub fn go_on(&mut self, stage: &RigidWorld<S>, plans: &mut Plans, id: u32, t: f64) {
        for part in self.reform(stage, id, t) {
            self.open_step(stage, plans, part, t);
            plans.expect_step(self, part);
        }
    }

    /// A version that no island has had.
    pub fn next_version(&mut self) -> u32 {
        self.versions = self.versions.wrapping_add(1);
        self.versions
    }

    /// Gives an island a number, if it can be the one given.
    pub fn found(&mut self, mut island: Island<S>, wish: Option<u32>) -> u32 {
        let free = |id: &usize| self.islands[*id].is_none();
        let id = match wish.map(|id| id as usize).filter(free) {
            Some(id) => id,
            None => (0..self.islands.len()).find(free).unwrap_or_else(|| {
                self.islands.push(None);
                self.islands.len() - 1
            }),
        };
        island.version = self.next_version();
        for &slot in &island.members {
            self.moving[slot as usize].island = Some(id as u32);
        }
        self.islands[id] = Some(island);
        id as u32
    }
}

impl<S: Space> Island<S> {
    /// Nobody, with the times of this one.
    pub(super) fn empty(&self) -> Self {
        Island {
            members: Vec::new(),
            holds: Vec::new(),
            before: Vec::new(),
            drift: Vec::new(),
            ahead: Vec::new(),
            ..*self
        }
    }
}
