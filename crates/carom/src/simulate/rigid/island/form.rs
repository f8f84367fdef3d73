//! How islands come and go: founded, woken, put to sleep, and taken apart where they no longer hang together.

use super::movers::index_of;
use super::{CROWD, Hold, Island, Neighbours, RUSH};
use crate::audit::Ledger;
use crate::order::InOrder;
use crate::shape::Shaped;
use crate::simulate::islands::Parts;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::geometry::touching;
use crate::simulate::rigid::track::Track;
use crate::space::{Linear, Space};

impl<S: Shaped> Core<S> {
    /// Puts the members of an island back to how they were when the step under way began, to be looked at.
    pub fn unbegin(&mut self, stage: &RigidWorld<S>, id: u32) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        for (&slot, &(velocity, angular_velocity)) in island.members.iter().zip(&island.before) {
            let inert = &stage.inert[slot as usize];
            let times = (island.since, f64::INFINITY);
            let pose = self.moving[slot as usize].track.pose;
            let still = S::Vector::ZERO;
            let track = Track::flight(inert, times, pose, velocity, angular_velocity, still);
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
        // The forces of the rest are those of a whole step, and the next one begins with half of it.
        for spot in island.holds.iter_mut().flat_map(|hold| &mut hold.spots) {
            spot.given = spot.given.times(0.5);
        }
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
            self.rested_under_load(stage, slot, (island.since, t));
            self.rested_in_fields(stage, slot, (island.since, t));
        }
    }

    /// Lets those go that touch none any more, and splits what has come apart. The islands that there are now.
    pub fn reform(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) -> Vec<u32> {
        let Some(island) = self.islands[id as usize].take() else {
            return Vec::new();
        };
        let mut parts = Parts::new(island.members.len());
        let at = |slot: u32| index_of(&island.members, slot) as usize;
        for hold in &island.holds {
            if let RigidBodyRef::Body(b) = hold.other {
                parts.join(at(hold.a), at(b));
            }
        }
        for (a, b) in stage.joined_pairs() {
            if island.members.binary_search(&a).is_ok() && island.members.binary_search(&b).is_ok()
            {
                parts.join(at(a), at(b));
            }
        }
        let (part_of, number) = parts.numbered();
        let mut groups: Vec<(Vec<u32>, Vec<Hold<S>>)> = vec![Default::default(); number];
        for (&slot, &part) in island.members.iter().zip(&part_of) {
            groups[part].0.push(slot);
        }
        let empty = island.empty();
        for hold in island.holds {
            let part = part_of[index_of(&island.members, hold.a) as usize];
            groups[part].1.push(hold);
        }
        let mut made = Vec::new();
        for (members, holds) in groups {
            let led = |&slot: &u32| {
                stage.is_joined(slot) || stage.flies_in_steps(&stage.inert[slot as usize])
            };
            if holds.is_empty() && !members.iter().any(led) {
                for slot in members {
                    self.fly(stage, slot, t);
                }
                continue;
            }
            let part = Island {
                holds,
                members,
                ..empty.empty()
            };
            made.push(self.found(part, Some(id)));
        }
        made
    }

    /// Lets an island go on from a time at which everything about it is known: what has come apart goes its own ways,
    /// the others begin a step.
    pub fn go_on(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, id: u32, t: f64) {
        for part in self.reform(stage, id, t) {
            self.open_step(stage, near, part, t);
        }
    }

    /// Says whether an island is a crowd, and takes those into it that fly and may strike it within its next
    /// step: their impacts are answered there.
    pub fn absorb(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, id: u32, t: f64) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        let crowd = island.members.len() >= CROWD && island.rush >= RUSH;
        let becomes = crowd && !island.crowd;
        island.crowd = crowd;
        if becomes {
            // From now on those that come together fast are looked after here, too.
            self.gather(stage, near, &mut island, t);
        }
        if !crowd {
            self.islands[id as usize] = Some(island);
            return;
        }
        let mut come: Vec<Hold<S>> = Vec::new();
        for &a in &island.members {
            near.around::<S>(a, |other| {
                let RigidBodyRef::Body(b) = other else {
                    return;
                };
                let its = &self.moving[b as usize];
                if its.island.is_some() || its.sticking.is_some() || !stage.meet(a, other) {
                    return;
                }
                let speed = |slot: u32| {
                    let track = &self.moving[slot as usize].track;
                    track.velocity_at(t).length() + track.reach * track.course.max_angular_speed()
                };
                let margin = (speed(a) + speed(b) + stage.slow) * stage.settling.step;
                if self.may_touch(stage, a, other, margin, t) {
                    let spots = touching(self, stage, a, other, margin, t);
                    if !spots.is_empty() {
                        come.push(Hold { a, other, spots });
                    }
                }
            });
        }
        for hold in come {
            if let RigidBodyRef::Body(b) = hold.other
                && self.moving[b as usize].island.is_none()
            {
                self.end_flight(stage, b, t);
                let track = self.moving[b as usize]
                    .track
                    .at(&stage.inert[b as usize], t);
                self.set_track(b, track);
                self.moving[b as usize].island = Some(id);
                island.members.push(b);
                island.calm = t;
            }
            island.rush += 1.0;
            island.holds.push(hold);
        }
        island.members.sort_unstable();
        island.holds.order_by_key(Hold::pair);
        self.islands[id as usize] = Some(island);
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
    /// No member, with the times of this one.
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
