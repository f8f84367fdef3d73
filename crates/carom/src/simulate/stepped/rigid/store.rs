//! A run with solids as bytes.

use super::super::bodies::{ForceBodies, ForceBodyRef};
use super::super::state::Tally;
use super::contact_forces::{NearPair, PointMemory};
use super::frame::RigidFrame;
use super::rigid_stepper::{PairOverlap, RigidStepper};
use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::force::Held;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::record::Digest;
use crate::space::Space;

impl<S: Space> Stored for PointMemory<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.key.0.store(out);
        self.key.1.store(out);
        self.key.2.store(out);
        self.held.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(PointMemory {
            key: (u32::load(input)?, u32::load(input)?, u64::load(input)?),
            held: Held::load(input)?,
        })
    }
}

pub(in super::super) fn store_yard<S: Space>(yard: &RigidStepper<S>, out: &mut Vec<u8>) {
    yard.steps.store(out);
    yard.origin.store(out);
    yard.since.store(out);
    yard.time.store(out);
    (yard.frame.pose.len() as u64).store(out);
    for pose in &yard.frame.pose {
        pose.position.store(out);
        pose.rotation.store(out);
    }
    yard.frame.velocity.store(out);
    yard.frame.turn.store(out);
    yard.push.store(out);
    yard.torque.store(out);
    yard.flow.store(out);
    yard.ledger.store(out);
    yard.touches.store(out);
    yard.deepest.store(out);
    yard.digest.state().store(out);
    (yard.contacts.len() as u64).store(out);
    for (&(a, other), overlap) in &yard.contacts {
        a.store(out);
        other.store(out);
        overlap.spots.store(out);
        overlap.touch.as_deref().copied().store(out);
    }
}

pub(in super::super) fn load_yard<S: Strikable>(
    stage: &ForceBodies<S>,
    input: &mut Reader<'_>,
) -> Result<RigidStepper<S>, SnapshotError> {
    let Some(cast) = &stage.cast else {
        return invalid("there are no rigid bodies in it");
    };
    let mut yard = match RigidStepper::opened(stage, cast) {
        Ok(yard) => yard,
        Err(error) => return invalid(error.to_string()),
    };
    yard.steps = Stored::load(input)?;
    yard.origin = input.finite("the time from which steps are counted")?;
    yard.since = Stored::load(input)?;
    yard.time = input.finite("the time of the last step")?;
    let number = input.length()?;
    let mut pose = Vec::with_capacity(number.min(1 << 16));
    for _ in 0..number {
        pose.push(Pose {
            position: Stored::load(input)?,
            rotation: Stored::load(input)?,
        });
    }
    yard.frame = RigidFrame {
        pose,
        velocity: Stored::load(input)?,
        turn: Stored::load(input)?,
        boxes: Vec::new(),
    };
    yard.frame.find_boxes(stage.periods);
    yard.push = Stored::load(input)?;
    yard.torque = Stored::load(input)?;
    yard.flow = Stored::load(input)?;
    yard.ledger = Stored::load(input)?;
    yard.touches = Stored::load(input)?;
    yard.deepest = Stored::load(input)?;
    yard.digest = Digest::from_state(Stored::load(input)?);
    let lengths = [
        yard.frame.pose.len(),
        yard.frame.velocity.len(),
        yard.frame.turn.len(),
        yard.push.len(),
        yard.torque.len(),
    ];
    if lengths != [stage.grains.len(); 5] {
        return invalid("there are not as many bodies as there should be");
    }
    if let Some(slot) = yard.frame.lost_body() {
        let body = stage.label(stage.grains[slot].id);
        return invalid(format!("the motion of {body} is not finite"));
    }
    yard.inside = yard.inside_now((stage, cast));
    if yard.steps > 0 {
        yard.incidents.clear();
    }
    yard.contacts.clear();
    yard.near = Default::default();
    if let Err(error) = yard.near.refresh((stage, cast), &yard.frame) {
        return invalid(error.to_string());
    }
    for _ in 0..input.length()? {
        let key = (u32::load(input)?, ForceBodyRef::load(input)?);
        let overlap = PairOverlap {
            spots: Stored::load(input)?,
            touch: Option::<Tally<S>>::load(input)?.map(Box::new),
        };
        let near = yard.near.list.binary_search_by_key(&key, NearPair::key);
        if near.is_err() {
            return invalid("bodies touch that are far from each other");
        }
        yard.contacts.insert(key, overlap);
    }
    Ok(yard)
}
