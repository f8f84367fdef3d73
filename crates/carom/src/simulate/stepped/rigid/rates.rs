//! What acts on everyone at an instant.

use super::super::bodies::{ForceBodies, ForceBodyRef};
use super::super::rates::{Pushed, Who};
use super::super::state::{DAMPERS, DRIVEN, FIELDS, Flow, ROLLING, SLIDING, SPINNING};
use super::contact_forces::{Glance, NearPair, PairPull, PairSide, PointMemory, press, sides};
use super::frame::RigidFrame;
use super::joints;
use super::rigid_bodies::{RigidBodies, TurningMass};
use super::rigid_stepper::PairOverlaps;
use crate::impact::Strikable;
use crate::motion::{InFields, Pose};
use crate::space::{Linear, Space};

/// What acts on everyone, by slot.
#[derive(Clone, Debug)]
pub(super) struct RigidRates<S: Space> {
    /// m/s².
    pub push: Vec<S::Vector>,
    /// N·m.
    pub torque: Vec<S::Angular>,
    /// rad/s.
    pub angular_velocity: Vec<S::Angular>,
    /// By place in the list of those near each other.
    pub pulls: Vec<PairPull<S>>,
    /// Per second.
    pub flow: Flow<S>,
}

/// How to look at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidInstant {
    /// World time, s.
    pub time: f64,
    pub who: Who,
    /// For how long the springs are stretched at the slip of this instant before they pull, s.
    pub stretch_for: f64,
}

/// What the points of each pair remember, by place in the list of those near each other.
pub(super) type PointMemories<S> = Vec<Vec<PointMemory<S>>>;

/// What all points remember at the end of the last step.
pub(super) fn memories<S: Space>(
    list: &[NearPair],
    contacts: &PairOverlaps<S>,
) -> PointMemories<S> {
    let of = |near: &NearPair| contacts.get(&near.key()).map(|it| it.spots.clone());
    list.iter()
        .map(|near| of(near).unwrap_or_default())
        .collect()
}

pub(super) fn rates<S: Strikable>(
    (stage, cast): (&ForceBodies<S>, &RigidBodies<S>),
    list: &[NearPair],
    contacts: &PairOverlaps<S>,
    memories: &PointMemories<S>,
    frame: &RigidFrame<S>,
    at: RigidInstant,
) -> RigidRates<S> {
    let sides = sides(cast, frame);
    let number = sides.len();
    let gravity = stage.fields.gravity;
    let mut all = RigidRates {
        push: vec![gravity; number],
        torque: vec![S::Angular::ZERO; number],
        angular_velocity: sides.iter().map(|side| side.angular_velocity).collect(),
        pulls: Vec::with_capacity(list.len()),
        flow: Flow::default(),
    };
    for (near, memory) in list.iter().zip(memories) {
        let glance = Glance {
            time: at.time,
            who: at.who,
            touches: contacts.contains_key(&near.key()),
            memory,
            stretch_for: at.stretch_for,
        };
        let pull = press(stage, cast, near, &sides, glance);
        if pull.acts {
            add(cast, near, &pull, &mut all);
        }
        all.pulls.push(pull);
    }
    if gravity != S::Vector::ZERO {
        for (player, side) in cast.free.iter().zip(&sides) {
            all.flow.angular[2] += S::torque(side.pose.position, gravity * player.mass);
        }
    }
    if !stage.fields.is_uniform() {
        by_fields(stage, cast, &sides, at.time, &mut all);
    }
    for (slot, load) in &stage.loads {
        let slot = *slot as usize;
        let (player, side) = (&cast.free[slot], &sides[slot]);
        let turns = !matches!(player.weight, TurningMass::Unturning);
        let pushed = Pushed {
            place: side.pose.position,
            velocity: side.velocity,
            angular_velocity: turns.then_some(side.angular_velocity),
        };
        let (force, torque) = pushed.by(load, at.time, &mut all.flow);
        all.push[slot] += force * (1.0 / player.mass);
        all.torque[slot] += torque;
    }
    if let Some(linkage) = &cast.joints {
        joints::act((stage, cast), linkage, frame, at.time, &mut all);
    }
    all
}

/// Adds what fields other than uniform gravity do.
fn by_fields<S: Strikable>(
    stage: &ForceBodies<S>,
    cast: &RigidBodies<S>,
    sides: &[PairSide<S>],
    time: f64,
    all: &mut RigidRates<S>,
) {
    for (slot, (player, side)) in cast.free.iter().zip(sides).enumerate() {
        let Pose { position, rotation } = side.pose;
        let at = InFields {
            time,
            position,
            velocity: side.velocity,
            angular_velocity: side.angular_velocity,
            mass: player.mass,
            radius: player.bulk,
        };
        let mut acts = stage.fields.on_body(&at, |direction| {
            let (area, middle) = player.form.shadow(S::unrotate(rotation, direction));
            (area, S::rotate(rotation, middle))
        });
        if player.weight == TurningMass::Unturning {
            acts.torque = S::Angular::ZERO;
        }
        let force = acts.force();
        all.push[slot] += force * (1.0 / player.mass);
        all.torque[slot] += acts.torque;
        all.flow.momentum[1] += force;
        all.flow.angular[1] += S::torque(position, force) + acts.torque;
        // What fields do beyond their potential.
        all.flow.energy[FIELDS] -=
            acts.other.dot(side.velocity) + acts.torque.dot(side.angular_velocity);
    }
}

/// Adds what a pair does to what acts on its two bodies, and to what flows.
fn add<S: Space>(
    cast: &RigidBodies<S>,
    near: &NearPair,
    pull: &PairPull<S>,
    all: &mut RigidRates<S>,
) {
    let a = near.a as usize;
    let player = &cast.free[a];
    all.push[a] += pull.force * (1.0 / player.mass);
    all.flow.energy[DAMPERS] += pull.damper;
    all.flow.energy[SLIDING] += pull.rubbing;
    all.flow.energy[ROLLING] += pull.resisted[0];
    all.flow.energy[SPINNING] += pull.resisted[1];
    let mut turn = |slot: usize, torque: S::Angular| match cast.free[slot].weight {
        // Whatever keeps it turning as it does takes the torque up, and works against it.
        TurningMass::Unturning => {
            all.flow.angular[0] -= torque;
            all.flow.energy[DRIVEN] -= torque.dot(all.angular_velocity[slot]);
        }
        _ => all.torque[slot] += torque,
    };
    turn(a, pull.torques[0]);
    match near.other {
        ForceBodyRef::Ball(b) => {
            let b = b as usize;
            turn(b, pull.torques[1]);
            all.push[b] -= pull.force * (1.0 / cast.free[b].mass);
        }
        ForceBodyRef::Fixture(_) => {
            all.flow.momentum[0] += pull.force;
            all.flow.angular[0] += pull.moment;
            all.flow.energy[DRIVEN] += pull.kinematic;
        }
    }
}
