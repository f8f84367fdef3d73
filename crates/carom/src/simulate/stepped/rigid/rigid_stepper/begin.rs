//! Contacts that begin: which bodies have come to touch, and since when.

use super::{ForceStage, RigidStepper};
use crate::broad::nearest_image;
use crate::impact::Strikable;
use crate::record::Velocities;
use crate::simulate::stepped::bodies::{ForceBodies, ForceBodyRef};
use crate::simulate::stepped::rigid::contact_forces::{
    Glance, NearPair, PairPull, depth, press, sides,
};
use crate::simulate::stepped::rigid::frame::RigidFrame;
use crate::simulate::stepped::rigid::rigid_bodies::RigidBodies;
use crate::simulate::stepped::state::{ContactWork, Tally};
use crate::simulate::stepped::touch::Begin;
use crate::space::Linear;

/// A contact begins in a piece of a step: where it is located at its end, otherwise where the overlap, taken to grow
/// evenly, was zero.
pub(super) fn begun<S: Strikable>(
    (stage, cast): ForceStage<'_, S>,
    near: &NearPair,
    pull: &PairPull<S>,
    deed: &ContactWork<S>,
    [(since, before), (finish, after)]: [(f64, &RigidFrame<S>); 2],
) -> (Begin<S>, Tally<S>) {
    let located = stage.locate || finish == since;
    let (time, frame) = if located {
        (finish, after)
    } else {
        let was = depth(stage, cast, near, before, since);
        let part = (-was / (pull.depth - was)).clamp(0.0, 1.0);
        (since + part * (finish - since), before)
    };
    let (velocities, places) = both(stage, cast, near, frame, time);
    let (point, normal) = (pull.point, pull.normal);
    let relative = |side: usize| {
        let Velocities {
            velocity,
            angular_velocity,
        } = velocities[side];
        velocity + S::surface_velocity(angular_velocity, point - places[side])
    };
    let approach_speed = -normal.dot(relative(0) - relative(1));
    let tally = Tally {
        begin: time,
        point,
        normal,
        before: velocities,
        places,
        approach_speed,
        impulse: if located {
            S::Vector::ZERO
        } else {
            deed.impulse
        },
        lost_to_damper: if located { 0.0 } else { deed.damper },
        lost_to_friction: if located { 0.0 } else { deed.rubbing },
        slid: !located && deed.slid,
        deepest: pull.depth,
        deepest_at: finish,
        last: [pull.depth, -pull.normal_velocity],
        last_normal: normal,
    };
    let begin = Begin {
        time,
        a: stage.grains[near.a as usize].id,
        b: stage.id_of(near.other),
        point,
        normal,
        approach_speed,
    };
    (begin, tally)
}

/// What a pair does with everyone somewhere.
pub(super) fn look<S: Strikable>(
    (stage, cast): ForceStage<'_, S>,
    near: &NearPair,
    frame: &RigidFrame<S>,
    glance: Glance<'_, S>,
) -> PairPull<S> {
    press(stage, cast, near, &sides(cast, frame), glance)
}

/// How both sides of a pair move, and where their centres are.
pub(super) fn both<S: Strikable>(
    stage: &ForceBodies<S>,
    cast: &RigidBodies<S>,
    near: &NearPair,
    frame: &RigidFrame<S>,
    time: f64,
) -> ([Velocities<S>; 2], [S::Vector; 2]) {
    let free = |slot: u32| {
        let slot = slot as usize;
        let velocities = Velocities {
            velocity: frame.velocity[slot],
            angular_velocity: frame.angular_velocity(cast, slot),
        };
        (velocities, frame.pose[slot].position)
    };
    let (one, place) = free(near.a);
    let (two, other) = match near.other {
        ForceBodyRef::Ball(b) => {
            let (two, other) = free(b);
            let apart = nearest_image::<S>(other - place, stage.periods);
            (two, place + apart)
        }
        ForceBodyRef::Fixture(index) => {
            let (two, other) = stage.side(index, time);
            (two, other + frame.boxes[near.a as usize])
        }
    };
    ([one, two], [place, other])
}

impl<S: Strikable> RigidStepper<S> {
    /// What overlaps now and did not before begins to touch.
    pub(super) fn begin_new(&mut self, ground: ForceStage<'_, S>) {
        let list = self.near.list.clone();
        let known: Vec<bool> = (list.iter())
            .map(|near| self.contacts.contains_key(&near.key()))
            .collect();
        let nothing = ContactWork::NOTHING;
        let frame = self.frame.clone();
        for (near, _) in list.iter().zip(known).filter(|(_, known)| !known) {
            let pull = look(ground, near, &frame, Glance::now(self.time, false, &[]));
            if pull.depth > 0.0 {
                self.deepest = self.deepest.max(pull.depth);
                let at = (self.time, &frame);
                // Nothing has been stretched yet.
                self.update(ground, near, &pull, &[], &nothing, [at, at]);
            }
        }
    }
}
