//! A run taken out of its loop and put into another: what changes from outside go through.

use super::advance;
use super::bodies::{ForceBodies, ForceBodyRef, NOWHERE};
use super::links::{Links, Memory};
use super::now::Now;
use super::rates::{grip, look_around};
use super::recorded_granular::RecordedGranular;
use super::rigid::{PairOverlap, RigidStepper};
use super::state::{BallStepper, FlowLedger, Tally};
use super::touch::Incident;
use crate::impact::Strikable;
use crate::record::Digest;
use crate::shape::Shaped;
use crate::simulate::refuse::{ForcesError, SteppedError};
use crate::space::Space;
use crate::world::BodyId;
use std::collections::BTreeSet;

/// The other one of a contact: a body, and which of its images.
pub(super) type ImageRef = (BodyId, [i32; 3]);

/// A contact under way.
#[derive(Clone, Debug)]
pub(super) struct ContactUnderWay<S: Space> {
    pub a: BodyId,
    pub b: ImageRef,
    pub memory: Memory<S>,
    pub tally: Tally<S>,
}

/// A run without its bodies: everything else that it has come to.
#[derive(Clone, Debug)]
pub(super) struct Baggage<S: Space> {
    pub steps: u64,
    /// World time, s.
    pub time: f64,
    /// How many box lengths each ball has been brought back, by body.
    pub images: Vec<[i32; 3]>,
    pub contacts: Vec<ContactUnderWay<S>>,
    /// Which bodies overlap where rigid bodies turn, and what their points remember.
    pub overlaps: Vec<(BodyId, ImageRef, PairOverlap<S>)>,
    pub ledger: FlowLedger<S>,
    pub touches: u64,
    pub deepest: f64,
    pub digest: Digest,
    /// Ball and sensor.
    pub inside: Vec<(BodyId, ImageRef)>,
}

impl<S: Space> Baggage<S> {
    /// How many box lengths a ball has been brought back; none where it has just come.
    pub fn boxes(&self, id: BodyId) -> [i32; 3] {
        self.images.get(id.0 as usize).copied().unwrap_or([0; 3])
    }
}

impl<S: Shaped> ForceBodies<S> {
    fn other(&self, other: ForceBodyRef) -> ImageRef {
        match other {
            ForceBodyRef::Ball(slot) => (self.grains[slot as usize].id, [0; 3]),
            ForceBodyRef::Fixture(index) => {
                let fixture = &self.fixtures[index as usize];
                (fixture.id, fixture.image)
            }
        }
    }

    fn slot(&self, id: BodyId) -> Option<u32> {
        let slot = self.slots.get(id.0 as usize).copied();
        slot.filter(|&slot| slot != NOWHERE)
    }

    /// Which bodies a contact is between in this stage: of two balls the one with the lower slot first, and whether
    /// that was the other way round. `None` where one of them is gone.
    pub(super) fn key(&self, contact: &ContactUnderWay<S>) -> Option<(u32, ForceBodyRef, bool)> {
        self.key_of(contact.a, contact.b)
    }

    pub(super) fn key_of(
        &self,
        a: BodyId,
        (id, image): ImageRef,
    ) -> Option<(u32, ForceBodyRef, bool)> {
        let a = self.slot(a)?;
        match self.slot(id) {
            Some(b) if a < b => Some((a, ForceBodyRef::Ball(b), false)),
            Some(b) => Some((b, ForceBodyRef::Ball(a), true)),
            None => {
                let of = |it: &super::super::fixture::Fixture<S>| it.id == id && it.image == image;
                let index = self.fixtures.iter().position(of)?;
                Some((a, ForceBodyRef::Fixture(index as u32), false))
            }
        }
    }

    fn passages_of(&self, inside: &BTreeSet<(u32, u32)>) -> Vec<(BodyId, ImageRef)> {
        let of = |&(slot, index): &(u32, u32)| {
            let sensor = &self.sensors[index as usize];
            let ball = self.grains[slot as usize].id;
            (ball, (sensor.id, sensor.image))
        };
        inside.iter().map(of).collect()
    }

    pub(super) fn inside_of(&self, overlaps: &[(BodyId, ImageRef)]) -> BTreeSet<(u32, u32)> {
        let of = |&(ball, (id, image)): &(BodyId, ImageRef)| {
            let mut sensors = self.sensors.iter();
            let index = sensors.position(|sensor| sensor.id == id && sensor.image == image)?;
            Some((self.slot(ball)?, index as u32))
        };
        overlaps.iter().filter_map(of).collect()
    }
}

impl<S: Strikable> Now<S> {
    /// Takes everything out but the bodies.
    pub fn pack_up(&self, stage: &ForceBodies<S>) -> Baggage<S> {
        let mut images = vec![[0; 3]; stage.bodies.len()];
        let contact =
            |a: u32, other: ForceBodyRef, memory: Memory<S>, tally: Tally<S>| ContactUnderWay {
                a: stage.grains[a as usize].id,
                b: stage.other(other),
                memory,
                tally,
            };
        let mut overlaps = Vec::new();
        let (contacts, ledger, deepest) = match self {
            Now::Each(core) => {
                let links = core.links.list.iter();
                let touching = links.filter_map(|link| {
                    let tally = link.touch.as_deref().copied()?;
                    Some(contact(link.a, link.other, link.memory, tally))
                });
                (touching.collect(), core.ledger, core.deepest)
            }
            Now::Granular(pack) => {
                let touching = pack.contacts().into_iter();
                let touching = touching
                    .map(|(a, other, memory, tally)| contact(a, other, memory, tally))
                    .collect();
                (touching, pack.ledger, pack.deepest)
            }
            Now::Solids(yard) => {
                let of = |(&(a, other), overlap): (&(u32, ForceBodyRef), &PairOverlap<S>)| {
                    let tally = overlap.touch.as_deref().copied()?;
                    // Of a ball that goes on among balls alone: it touches at one point.
                    let mut memory = Memory::default();
                    memory.sliding = overlap.spots.first().map_or(memory.sliding, |it| it.held);
                    Some(contact(a, other, memory, tally))
                };
                let touching = yard.contacts.iter().filter_map(of).collect();
                overlaps.extend(yard.contacts.iter().map(|(&(a, other), overlap)| {
                    let id = stage.grains[a as usize].id;
                    (id, stage.other(other), overlap.clone())
                }));
                (touching, yard.ledger, yard.deepest)
            }
        };
        for (slot, grain) in stage.grains.iter().enumerate() {
            let apart = self.unwrapped(stage, slot) - self.motion(stage, slot).place;
            let apart = S::components(apart);
            for axis in (0..3).filter(|&axis| stage.periods[axis] > 0.0) {
                let boxes = (apart[axis] / stage.periods[axis]).round();
                images[grain.id.0 as usize][axis] = boxes as i32;
            }
        }
        Baggage {
            steps: self.steps(),
            time: self.time(),
            images,
            contacts,
            overlaps,
            ledger,
            touches: self.touches(),
            deepest,
            digest: self.digest(),
            inside: stage.passages_of(self.inside()),
        }
    }

    /// Goes on in a stage whose bodies are as they are now, by the same loop if that can be; contacts that are new
    /// there begin.
    pub fn unpack(
        baggage: &Baggage<S>,
        stage: &ForceBodies<S>,
        by_crowd: bool,
    ) -> Result<Self, Vec<ForcesError>> {
        if by_crowd && let Ok(pack) = RecordedGranular::taken_up(stage, baggage) {
            return Ok(Now::Granular(Box::new(pack)));
        }
        let wrong = |error| match error {
            SteppedError::Pair(error) => vec![*error],
            _ => Vec::new(),
        };
        if let Some(cast) = &stage.cast {
            let yard = RigidStepper::taken_up((stage, cast), baggage).map_err(wrong)?;
            return Ok(Now::Solids(Box::new(yard)));
        }
        let core = BallStepper::taken_up(stage, baggage).map_err(wrong)?;
        Ok(Now::Each(Box::new(core)))
    }

    /// What has happened since, which has not been told yet.
    pub fn take_incidents(&mut self) -> Vec<Incident<S>> {
        match self {
            Now::Each(core) => std::mem::take(&mut core.incidents),
            Now::Granular(pack) => std::mem::take(&mut pack.incidents),
            Now::Solids(yard) => std::mem::take(&mut yard.incidents),
        }
    }
}

impl<S: Strikable> BallStepper<S> {
    /// Goes on from a run that was taken out of its loop.
    fn taken_up(stage: &ForceBodies<S>, baggage: &Baggage<S>) -> Result<Self, SteppedError> {
        let mut core = stage.bare_core(baggage.time);
        core.steps = baggage.steps;
        if stage.is_periodic() {
            let images = stage.grains.iter();
            core.images = images.map(|it| baggage.boxes(it.id)).collect();
        }
        core.ledger = baggage.ledger;
        core.touches = baggage.touches;
        core.deepest = baggage.deepest;
        core.digest = baggage.digest;
        core.inside = stage.inside_of(&baggage.inside);
        core.links = Links::default();
        core.links.refresh(stage, &core.moving)?;
        for contact in &baggage.contacts {
            let Some((a, other, swapped)) = stage.key(contact) else {
                continue;
            };
            let list = &mut core.links.list;
            if let Ok(found) = list.binary_search_by_key(&(a, other), |link| (link.a, link.other)) {
                let sign = if swapped { -1.0 } else { 1.0 };
                list[found].memory = contact.memory.seen(sign);
                list[found].touch = Some(Box::new(contact.tally.seen(sign)));
            }
        }
        let looks = look_around(stage, &core.links.list, &core.moving, core.time);
        for (link, look) in core.links.list.iter_mut().zip(&looks) {
            if grip(stage, link, look) <= 0.0 {
                // What was changed has parted them.
                link.touch = None;
                link.memory = Memory::default();
            }
        }
        core.begin_new(stage);
        let first = advance::first_push(stage, &core);
        (core.push, core.twist, core.flow) = (first.push, first.twist, first.flow);
        Ok(core)
    }
}

impl<S: Space> Memory<S> {
    /// The same from the other side, where the sign is −1. Rolling is that of the relative spin past the normal, which
    /// both turn round.
    pub fn seen(&self, sign: f64) -> Self {
        let mut memory = *self;
        memory.sliding.stretch = memory.sliding.stretch * sign;
        memory.spinning.stretch = memory.spinning.stretch * sign;
        memory
    }
}

impl<S: Space> Tally<S> {
    /// The same from the other side, where the sign is −1.
    pub fn seen(&self, sign: f64) -> Self {
        if sign > 0.0 {
            return *self;
        }
        let turned = |[one, other]: [S::Vector; 2]| [other, one];
        Tally {
            normal: -self.normal,
            impulse: -self.impulse,
            last_normal: -self.last_normal,
            before: [self.before[1], self.before[0]],
            places: turned(self.places),
            ..*self
        }
    }
}
