//! A run that goes on in another stage: what changes from outside go through.

use super::{ForceStage, PairOverlap, RigidStepper};
use crate::impact::Strikable;
use crate::simulate::refuse::SteppedError;
use crate::simulate::stepped::carry::Baggage;
use crate::simulate::stepped::rates::Who;
use crate::simulate::stepped::rigid::contact_forces::{NearPair, depth};
use crate::simulate::stepped::rigid::rates::{RigidInstant, memories, rates};
use crate::world::shift_of;

impl<S: Strikable> RigidStepper<S> {
    /// Goes on from a run that was taken out of its loop. Slots are in the order of bodies, so that of two that touch
    /// the first stays the first.
    pub(in crate::simulate::stepped) fn taken_up(
        ground: ForceStage<'_, S>,
        baggage: &Baggage<S>,
    ) -> Result<Self, SteppedError> {
        let (stage, cast) = ground;
        let mut yard = Self::bare(stage, cast);
        for (pose, grain) in yard.frame.pose.iter_mut().zip(&stage.grains) {
            pose.position += shift_of::<S>(baggage.boxes(grain.id), stage.periods);
        }
        yard.frame.find_boxes(stage.periods);
        yard.steps = baggage.steps;
        (yard.time, yard.origin) = (baggage.time, baggage.time);
        yard.ledger = baggage.ledger;
        yard.touches = baggage.touches;
        yard.deepest = baggage.deepest;
        yard.digest = baggage.digest;
        yard.inside = stage.inside_of(&baggage.inside);
        yard.near.refresh(ground, &yard.frame)?;
        let among_balls = baggage.contacts.iter().map(|contact| {
            let touch = Some(Box::new(contact.tally));
            let spots = Vec::new();
            (contact.a, contact.b, PairOverlap { spots, touch })
        });
        let known = baggage.overlaps.iter().cloned();
        let from_balls = among_balls.filter(|_| baggage.overlaps.is_empty());
        for (a, b, overlap) in known.chain(from_balls) {
            let Some((a, other, false)) = stage.key_of(a, b) else {
                continue;
            };
            let found = (yard.near.list).binary_search_by_key(&(a, other), NearPair::key);
            // What was changed may have parted them.
            if let Ok(index) = found
                && depth(stage, cast, &yard.near.list[index], &yard.frame, yard.time) > 0.0
            {
                yard.contacts.insert((a, other), overlap);
            }
        }
        yard.begin_new(ground);
        let at = RigidInstant {
            time: yard.time,
            who: Who::Overlapping,
            stretch_for: 0.0,
        };
        let (list, contacts) = (&yard.near.list, &yard.contacts);
        let remembered = memories(list, contacts);
        let first = rates(ground, list, contacts, &remembered, &yard.frame, at);
        (yard.push, yard.torque, yard.flow) = (first.push, first.torque, first.flow);
        Ok(yard)
    }
}
