//! Balls that joints hold, when a run is taken up again.

use crate::codec::{SnapshotError, invalid};
use crate::impact::Strikable;
use crate::joint::Joint;
use crate::simulate::bodies::Bodies;
use crate::simulate::jointed::Jointed;
use crate::simulate::registry::Registry;
use crate::space::Linear;
use crate::world::BodyId;

/// The groups of balls that joints hold, on the segments that they are on.
pub(super) fn restore_joints<S: Strikable>(
    joints: Vec<Joint<S>>,
    stage: &Bodies<S>,
    registry: &Registry<S>,
    clock: f64,
) -> Result<Box<Jointed<S>>, SnapshotError> {
    let body = |id: BodyId| {
        let is_there = (id.0 as usize) < stage.slots.len();
        (is_there.then(|| registry.body(stage, id, clock))).flatten()
    };
    let Some(mut jointed) = Jointed::new(joints, &body) else {
        return invalid("a joint holds a body that does not exist");
    };
    for group in &mut jointed.groups {
        let slots: Vec<usize> = (group.members.iter())
            .map(|id| stage.slots[id.0 as usize] as usize)
            .collect();
        let hot = &stage.balls.hot;
        group.since = slots.first().map_or(0.0, |&slot| hot[slot].since);
        if slots.iter().any(|&slot| hot[slot].since != group.since) {
            return invalid("balls that joints hold are on segments of different instants");
        }
        let segments = slots
            .iter()
            .map(|&slot| stage.balls.segment_or_flight(slot));
        group.segments = segments.map(|segment| segment.into_owned()).collect();
        let unturned = S::rotation_of(S::Angular::ZERO, 0.0);
        let turning = stage.balls.turning.as_ref();
        let rotation = |slot: usize| turning.map_or(unturned, |it| it.rotation[slot]);
        let rotations = slots.iter().map(|&slot| rotation(slot)).collect();
        group.taken_up(rotations, stage.balls.gravity);
    }
    Ok(Box::new(jointed))
}
