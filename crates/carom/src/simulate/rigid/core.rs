//! What changes in a run: how everyone moves, who keeps touching whom, and the books.

use super::island::Island;
use super::stage::{Partner, Stage};
use super::track::Track;
use crate::audit::{Energy, Holdings, Ledger, Sum};
use crate::motion::Pose;
use crate::response::several::Mover;
use crate::space::{Linear, Space};

/// A free body on its way.
#[derive(Clone, Debug)]
pub(super) struct Moving<S: Space> {
    pub track: Track<S>,
    /// Moves whenever the track changes.
    pub counter: u32,
    /// The island that it belongs to.
    pub island: Option<u32>,
    /// Whom it keeps touching.
    pub partners: Vec<Partner>,
}

#[derive(Clone, Debug)]
pub(super) struct Core<S: Space> {
    pub moving: Vec<Moving<S>>,
    pub islands: Vec<Option<Island<S>>>,
    pub ledger: Ledger<S>,
    /// What steps of finite length have cost, J.
    pub stepping: Sum<f64>,
    /// The largest change of a velocity in the last round of a solver, m/s.
    pub residual: f64,
    /// Of islands so far.
    pub versions: u32,
    /// Bodies whose tracks have changed and that are to be planned anew.
    pub changed: Vec<u32>,
}

impl<S: Space> Core<S> {
    /// Puts a body on another track.
    pub fn set_track(&mut self, slot: u32, track: Track<S>) {
        let moving = &mut self.moving[slot as usize];
        moving.track = track;
        moving.counter = moving.counter.wrapping_add(1);
        self.changed.push(slot);
    }

    /// Lets a body fly from where it is at a time.
    pub fn fly(&mut self, stage: &Stage<S>, slot: u32, t: f64) {
        let track = &self.moving[slot as usize].track;
        let flight = Track::flight(
            &stage.inert[slot as usize],
            (t, f64::INFINITY),
            track.pose_at(t),
            track.velocity_at(t),
            track.spin_at(t),
            stage.gravity,
        );
        self.moving[slot as usize].island = None;
        self.moving[slot as usize].partners.clear();
        self.set_track(slot, flight);
    }

    /// Whether it sleeps.
    pub fn is_asleep(&self, slot: u32) -> bool {
        let island = self.moving[slot as usize].island;
        let island = island.and_then(|id| self.islands[id as usize].as_ref());
        island.is_some_and(|island| island.asleep)
    }

    /// Enters what gravity did to a flight until a time, where the flight is to end.
    pub fn end_flight(&mut self, stage: &Stage<S>, slot: u32, t: f64) {
        let torque = self.flown(stage, slot, t);
        self.ledger.flown(torque);
    }

    /// The torque of gravity about the origin in the flight under way, integrated until a time, kg·m²/s.
    pub fn flown(&self, stage: &Stage<S>, slot: u32, t: f64) -> S::Spin {
        let track = &self.moving[slot as usize].track;
        let (time, mass) = (t - track.since, stage.inert[slot as usize].mass);
        // ∫ (x + v t + ½ g t²) × m g dt, and g × g = 0.
        let arm = (track.pose.position + track.velocity * (0.5 * time)) * (mass * time);
        S::torque(arm, track.acceleration)
    }

    pub fn pose_of(&self, stage: &Stage<S>, partner: Partner, t: f64) -> Pose<S> {
        match partner {
            Partner::Body(slot) => self.moving[slot as usize].track.pose_at(t),
            Partner::Scenery(index) => stage.props[index as usize].pose_at(t),
        }
    }

    /// A body as impacts see it.
    pub fn mover(&self, stage: &Stage<S>, partner: Partner, t: f64) -> Mover<S> {
        match partner {
            Partner::Body(slot) => {
                let inert = &stage.inert[slot as usize];
                let track = &self.moving[slot as usize].track;
                Mover {
                    inverse_mass: 1.0 / inert.mass,
                    inverse_inertia: inert.inverse_inertia(track.rotation_at(t)),
                    velocity: track.velocity_at(t),
                    spin: track.spin_at(t),
                }
            }
            Partner::Scenery(index) => Mover {
                velocity: stage.props[index as usize].velocity,
                ..Mover::fixed()
            },
        }
    }

    /// What a body has at a time.
    pub fn holdings_of(&self, stage: &Stage<S>, slot: u32, t: f64) -> Holdings<S> {
        let inert = &stage.inert[slot as usize];
        let track = &self.moving[slot as usize].track;
        let (pose, velocity, spin) = (track.pose_at(t), track.velocity_at(t), track.spin_at(t));
        let momentum = velocity * inert.mass;
        let turning = inert.angular_momentum(pose.rotation, spin);
        Holdings {
            energy: Energy {
                kinetic: 0.5 * velocity.dot(momentum),
                rotational: 0.5 * spin.dot(turning),
                potential: -inert.mass * stage.gravity.dot(pose.position),
            },
            momentum,
            angular_momentum: S::torque(pose.position, momentum) + turning,
        }
    }

    /// What all free bodies have at a time.
    pub fn holdings(&self, stage: &Stage<S>, t: f64) -> Holdings<S> {
        let [mut kinetic, mut rotational, mut potential] = [Sum::<f64>::default(); 3];
        let mut momentum = Sum::<S::Vector>::default();
        let mut angular = Sum::<S::Spin>::default();
        for slot in 0..self.moving.len() as u32 {
            let has = self.holdings_of(stage, slot, t);
            kinetic.add(has.energy.kinetic);
            rotational.add(has.energy.rotational);
            potential.add(has.energy.potential);
            momentum.add(has.momentum);
            angular.add(has.angular_momentum);
        }
        Holdings {
            energy: Energy {
                kinetic: kinetic.value(),
                rotational: rotational.value(),
                potential: potential.value(),
            },
            momentum: momentum.value(),
            angular_momentum: angular.value(),
        }
    }

    /// Enters an impulse that scenery gave to a free body at a place.
    pub fn push_from(&mut self, stage: &Stage<S>, prop: u32, place: S::Vector, impulse: S::Vector) {
        let velocity = stage.props[prop as usize].velocity;
        self.ledger.push(place, impulse, S::Spin::ZERO, velocity);
    }
}
