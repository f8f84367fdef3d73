//! Those that a blow concerns: brought to its instant, and let go again.

use crate::audit::Ledger;
use crate::order::InOrder;
use crate::record::Separation;
use crate::shape::Shaped;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::island::{Hold, Island, Neighbours};

/// Those that are concerned by what happens at an instant.
pub(in crate::simulate) struct Party {
    pub islands: Vec<u32>,
    /// Those of them that slept.
    slept: Vec<u32>,
    pub flyers: Vec<u32>,
    /// New lasting contacts are there: islands to be looked at anew.
    grown: Vec<u32>,
    /// What ends contacts that last.
    separation: Separation,
}

impl Party {
    pub fn new(separation: Separation) -> Self {
        Party {
            islands: Vec::new(),
            slept: Vec::new(),
            flyers: Vec::new(),
            grown: Vec::new(),
            separation,
        }
    }

    /// Brings a body to the instant.
    pub fn bring<S: Shaped>(
        &mut self,
        core: &mut Core<S>,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        partner: RigidBodyRef,
        t: f64,
    ) {
        let RigidBodyRef::Body(slot) = partner else {
            return;
        };
        if let Some(id) = core.moving[slot as usize].sticking {
            core.part(stage, id, self.separation, t);
        }
        match core.moving[slot as usize].island {
            Some(id) if !self.islands.contains(&id) => {
                if core.is_asleep(slot) {
                    self.slept.push(id);
                }
                let begins = |island: &Island<S>| island.holds.is_empty() && island.since == t;
                match &core.islands[id as usize] {
                    // Gravity, or a load, may have been changed since.
                    Some(island) if begins(island) => core.unbegin(stage, id),
                    _ => core.close_step(stage, near, id, t),
                }
                self.islands.push(id);
            }
            None if !self.flyers.contains(&slot) => {
                core.end_flight(stage, slot, t);
                let track = core.moving[slot as usize]
                    .track
                    .at(&stage.inert[slot as usize], t);
                core.moving[slot as usize].track = track;
                self.flyers.push(slot);
            }
            _ => (),
        }
    }

    /// Makes a pair keep touching: one island with all bodies that hang together by it.
    pub fn join<S: Shaped>(&mut self, core: &mut Core<S>, a: u32, other: RigidBodyRef, t: f64) {
        let spots = Vec::new();
        let pair = match other {
            RigidBodyRef::Body(b) => vec![a, b],
            RigidBodyRef::Fixture(_) => vec![a],
        };
        self.gather(core, &pair, vec![Hold { a, other, spots }], t);
    }

    /// Makes one island of bodies, with all that keep touching them, and pairs that keep touching from now on.
    pub fn gather<S: Shaped>(
        &mut self,
        core: &mut Core<S>,
        bodies: &[u32],
        mut holds: Vec<Hold<S>>,
        t: f64,
    ) {
        let mut members = Vec::new();
        let mut kept = None;
        let (mut rush, mut crowd) = (0.0, false);
        for &slot in bodies {
            match core.moving[slot as usize].island {
                Some(id) => {
                    if let Some(island) = core.islands[id as usize].take() {
                        rush += island.rush;
                        crowd |= island.crowd;
                        members.extend(island.members);
                        holds.extend(island.holds);
                    }
                    kept = kept.or(Some(id));
                    self.islands.retain(|&other| other != id);
                    self.grown.retain(|&other| other != id);
                }
                None => members.push(slot),
            }
            self.flyers.retain(|&other| other != slot);
        }
        members.sort_unstable();
        members.dedup();
        holds.order_by_key(Hold::pair);
        holds.dedup_by_key(|hold| hold.pair());
        let island = Island {
            members,
            holds,
            since: t,
            until: t,
            calm: t,
            asleep: false,
            before: Vec::new(),
            drift: Vec::new(),
            ahead: Vec::new(),
            rush,
            crowd,
            pending: Ledger::default(),
            version: core.next_version(),
        };
        let id = core.found(island, kept);
        self.grown.push(id);
    }

    /// Lets everyone go on from the instant. Sleepers whom a blow gave no more than what they may have had when they
    /// fell asleep, and who are held against it, sleep on: what rattles on a heap does not keep it awake.
    pub fn release<S: Shaped>(
        self,
        core: &mut Core<S>,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        t: f64,
    ) {
        for slot in self.flyers {
            core.fly(stage, slot, t);
        }
        for &id in &self.grown {
            if let Some(mut island) = core.islands[id as usize].take() {
                core.gather(stage, near, &mut island, t);
                core.islands[id as usize] = Some(island);
            }
        }
        for id in self.islands.into_iter().chain(self.grown) {
            if self.slept.contains(&id) && core.falls_asleep(stage, id, t) {
                continue;
            }
            core.go_on(stage, near, id, t);
        }
    }
}
