//! What changes in a run: how everyone moves, which bodies keep touching, and the budget.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::island::Island;
use super::overlap::Overlap;
use super::sticking::StickingContact;
use super::track::Track;
use crate::audit::{Energy, Holdings, Ledger};
use crate::motion::Pose;
use crate::record::{Release, Velocities};
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::space::{Linear, Space};

/// A free body on its way.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Moving<S: Space> {
    pub track: Track<S>,
    /// The island that it belongs to.
    pub island: Option<u32>,
    /// ActionTarget it keeps touching, or travels with.
    pub partners: Vec<RigidBodyRef>,
    /// The contact that lasts in which it is.
    pub sticking: Option<u32>,
}

#[derive(Clone, Debug)]
pub(in crate::simulate) struct Core<S: Space> {
    pub moving: Vec<Moving<S>>,
    pub islands: Vec<Option<Island<S>>>,
    pub sticking: Vec<Option<StickingContact<S>>>,
    /// Contacts that have ended, still to be told of.
    pub released: Vec<Release>,
    /// What is to be entered into the budget of the run.
    pub ledger: Ledger<S>,
    /// Two that overlap by more than is allowed: the run cannot go on.
    pub squeezed: Option<Overlap>,
    /// The largest change of a velocity in the last round of a solver, m/s.
    pub residual: f64,
    /// Of islands so far.
    pub versions: u32,
    /// Bodies whose tracks have changed and that are to be planned anew.
    pub changed: Vec<u32>,
}

impl<S: Space> Default for Core<S> {
    fn default() -> Self {
        Core {
            moving: Vec::new(),
            islands: Vec::new(),
            sticking: Vec::new(),
            released: Vec::new(),
            ledger: Ledger::default(),
            squeezed: None,
            residual: 0.0,
            versions: 0,
            changed: Vec::new(),
        }
    }
}

impl<S: Shaped> Core<S> {
    /// Puts a body on another track.
    pub fn set_track(&mut self, slot: u32, track: Track<S>) {
        self.moving[slot as usize].track = track;
        self.changed.push(slot);
    }

    /// Lets a body fly from where it is at a time.
    pub fn fly(&mut self, stage: &RigidWorld<S>, slot: u32, t: f64) {
        let track = &self.moving[slot as usize].track;
        let inert = &stage.inert[slot as usize];
        let flight = Track::flight(
            inert,
            (t, f64::INFINITY),
            track.pose_at(t),
            track.velocity_at(t),
            track.angular_velocity_at(t),
            stage.acceleration(inert),
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

    /// Whether two are looked after by the steps of one crowd, so that no instant of theirs is asked for.
    pub fn in_one_crowd(&self, slot: u32, other: RigidBodyRef) -> bool {
        let Some(id) = self.moving[slot as usize].island else {
            return false;
        };
        let together = match other {
            RigidBodyRef::Body(b) => self.moving[b as usize].island == Some(id),
            RigidBodyRef::Fixture(_) => true,
        };
        let island = self.islands[id as usize].as_ref();
        together && island.is_some_and(|island| !island.asleep && island.crowd)
    }

    /// Enters what gravity and a steady force did to a flight until a time, where the flight is to end.
    pub fn end_flight(&mut self, stage: &RigidWorld<S>, slot: u32, t: f64) {
        let torque = self.flown(stage, slot, t);
        self.ledger.flown(torque);
        let external = self.pulled(stage, slot, t);
        self.ledger.loaded(&external);
    }

    /// The torque of gravity about the origin in the flight under way, integrated until a time, kg·m²/s.
    pub fn flown(&self, stage: &RigidWorld<S>, slot: u32, t: f64) -> S::Angular {
        let track = &self.moving[slot as usize].track;
        let (time, mass) = (t - track.since, stage.inert[slot as usize].mass);
        // ∫ (x + v t + ½ a t²) × m a dt, and a × a = 0.
        let arm = (track.pose.position + track.velocity * (0.5 * time)) * (mass * time);
        let torque = S::torque(arm, track.acceleration);
        match stage.inert[slot as usize].load {
            None => torque,
            Some(_) => torque - self.pulled(stage, slot, t).angular,
        }
    }

    pub fn pose_of(&self, stage: &RigidWorld<S>, partner: RigidBodyRef, t: f64) -> Pose<S> {
        match partner {
            RigidBodyRef::Body(slot) => match self.moving[slot as usize].sticking {
                None => self.moving[slot as usize].track.pose_at(t),
                Some(_) => self.travels(slot, t).0,
            },
            RigidBodyRef::Fixture(index) => stage.props[index as usize].pose_at(t),
        }
    }

    /// Where its centre is, m.
    pub fn position_of(&self, slot: u32, t: f64) -> S::Vector {
        match self.moving[slot as usize].sticking {
            None => self.moving[slot as usize].track.position_at(t),
            Some(_) => self.travels(slot, t).0.position,
        }
    }

    /// A body as impacts see it.
    pub fn mover(&self, stage: &RigidWorld<S>, partner: RigidBodyRef, t: f64) -> Mover<S> {
        match partner {
            RigidBodyRef::Body(slot) => {
                let inert = &stage.inert[slot as usize];
                let (pose, moves) = self.travels(slot, t);
                Mover {
                    inverse_mass: 1.0 / inert.mass,
                    inverse_inertia: inert.inverse_inertia(pose.rotation),
                    velocity: moves.velocity,
                    angular_velocity: moves.angular_velocity,
                }
            }
            RigidBodyRef::Fixture(index) => {
                let (velocity, angular_velocity) = stage.props[index as usize].motion_at(t);
                Mover {
                    velocity,
                    angular_velocity,
                    ..Mover::fixed()
                }
            }
        }
    }

    /// What a body has at a time.
    pub fn holdings_of(&self, stage: &RigidWorld<S>, slot: u32, t: f64) -> Holdings<S> {
        self.holdings_with(stage, slot, self.travels(slot, t))
    }

    /// What it would have were it released from the contact in which it is.
    pub fn holdings_leaving(&self, stage: &RigidWorld<S>, slot: u32, t: f64) -> Holdings<S> {
        self.holdings_with(stage, slot, self.leaves(slot, t))
    }

    /// How many contacts last at a time, and what those in them are to leave with, more than they have.
    pub fn in_contact(&self, stage: &RigidWorld<S>, t: f64) -> (u64, Holdings<S>) {
        let number = self.sticking.iter().flatten().count() as u64;
        let mut more = Holdings::default();
        if number == 0 {
            return (0, more);
        }
        let there = |slot: &u32| self.moving[*slot as usize].sticking.is_some();
        for slot in (0..self.moving.len() as u32).filter(there) {
            let has = self.holdings_of(stage, slot, t);
            let leaves = self.holdings_leaving(stage, slot, t);
            more.energy.translational += leaves.energy.translational - has.energy.translational;
            more.energy.rotational += leaves.energy.rotational - has.energy.rotational;
            more.momentum += leaves.momentum - has.momentum;
            more.angular_momentum += leaves.angular_momentum - has.angular_momentum;
        }
        (number, more)
    }

    fn holdings_with(
        &self,
        stage: &RigidWorld<S>,
        slot: u32,
        (
            pose,
            Velocities {
                velocity,
                angular_velocity,
            },
        ): (Pose<S>, Velocities<S>),
    ) -> Holdings<S> {
        let inert = &stage.inert[slot as usize];
        let momentum = velocity * inert.mass;
        let turning = inert.angular_momentum(pose.rotation, angular_velocity);
        Holdings {
            energy: Energy {
                translational: 0.5 * velocity.dot(momentum),
                rotational: 0.5 * angular_velocity.dot(turning),
                potential: stage.potential(inert.mass, pose.position),
            },
            momentum,
            angular_momentum: S::torque(pose.position, momentum) + turning,
        }
    }
}
