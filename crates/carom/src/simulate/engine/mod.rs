//! What the face needs of whatever is inside it.
//!
//! The trait is called through `dyn`, and its tables are made in this crate alone
//! ([`Compiled`](crate::simulate::Compiled)): crates above call an engine without compiling it again.

mod by_forces;
mod by_impulses;
mod method;
mod view;

pub use method::Method;
pub use view::{Stepping, View};
pub(super) use view::{asked, show};

use crate::audit::Audit;
use crate::body::{Body, CollisionFilter};
use crate::force::Couple;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::record::Event;
use crate::simulate::cancel::Cancel;
use crate::simulate::compiled::Engines;
use crate::simulate::error::SimulationError;
use crate::simulate::exact::{End, Exact};
use crate::simulate::refuse::EditError;
use crate::simulate::state::State;
use crate::simulate::stepped::{ForceAudit, Incident};
use crate::world::{BodyId, World};
use std::ops::ControlFlow;

/// What is told of events, and may end the run.
pub(in crate::simulate) type TellEngine<'a, S> =
    &'a mut dyn FnMut(&Event<'_, S>) -> ControlFlow<()>;

/// What is asked after events whether the run is to end.
pub(in crate::simulate) type Stop<'a, S> = &'a mut dyn FnMut(&View<'_, S>) -> bool;

/// What is told of contacts by forces, and may end the run.
pub(in crate::simulate) type TellIncident<'a, S> =
    &'a mut dyn FnMut(&Incident<S>) -> ControlFlow<()>;

/// A run by one of today's engines. Units are those of [`Simulation`](super::Simulation).
pub(in crate::simulate) trait Engine<S: Engines>: Send + Sync {
    fn duplicate(&self) -> Box<dyn Engine<S>>;
    fn method(&self) -> Method;
    fn has_rigid_bodies(&self) -> bool;

    fn time(&self) -> f64;
    fn collisions(&self) -> u64;
    fn bodies(&self) -> Vec<BodyId>;
    /// The number that the next body to come will have.
    fn next_id(&self) -> usize;
    fn body(&self, id: BodyId) -> Option<Body<S>>;
    /// Whether a body takes part.
    fn has(&self, id: BodyId) -> bool;
    fn find(&self, name: &str) -> Option<BodyId>;
    fn name(&self, id: BodyId) -> &str;
    fn materials(&self) -> &Materials;
    fn gravity(&self) -> S::Vector;
    fn fields(&self) -> Fields<S>;
    fn periods(&self) -> [f64; 3];
    fn state(&self, id: BodyId) -> State<S>;
    fn unwrapped_position(&self, id: BodyId) -> S::Vector;
    fn inside(&self, sensor: BodyId) -> Vec<BodyId>;
    /// The run where it is one of balls by impulses, which knows which bodies are near each other.
    fn as_exact(&self) -> Option<&Exact<S>> {
        None
    }
    fn audit(&self) -> Audit<S>;
    /// By forces: which bodies touch each other, and how deep they overlap, m.
    fn touching(&self) -> Option<Vec<(BodyId, BodyId, f64)>>;
    /// By forces: what acts between two bodies, if they ever touch.
    fn couple(&self, a: BodyId, b: BodyId) -> Option<Option<Couple>>;
    fn force_audit(&self) -> Option<ForceAudit<S>>;
    fn digest(&self) -> u64;
    fn to_world(&self) -> World<S>;
    fn snapshot(&self) -> Vec<u8>;
    fn warnings(&self) -> Vec<String>;
    fn segments(&self) -> u64;
    fn residual(&self) -> Option<f64>;
    fn stepping(&self) -> Option<Stepping>;

    /// Whether nothing will ever move again.
    fn is_at_rest(&self) -> bool;
    fn resting(&self) -> usize;
    /// How many pairs stick together in contacts of measurable duration.
    fn sticking(&self) -> usize;
    /// The free bodies by id, and how far each reaches from its centre, m.
    fn free_bodies(&self) -> Vec<(BodyId, f64)>;
    /// Whether no free body, nor its surface, is faster than a limit (m/s) now, nor was in its flight so long ago (s);
    /// `None` where that follows from states and collisions.
    fn is_slow(&self, limit: f64, back: f64) -> Option<bool>;
    /// Whether rest is looked for at times of a grid alone, not at events.
    fn rests_at_steps(&self) -> bool;
    /// The next time (s) of the grid at which rest is looked for; `None` where events are enough. Where a run is cut
    /// into pieces changes nothing of it.
    fn next_look_for_rest(&self) -> Option<f64>;
    /// Until when (s) to go before the wall clock is looked at, at most until a world time (s).
    fn leg(&self, until: f64) -> f64;

    fn set_cancel(&mut self, cancel: Option<Cancel>);
    fn set_horizon(&mut self, until: f64);
    /// Whether a run until a world time (s) can come to its end at all.
    fn check_until(&self, until: f64) -> Result<(), SimulationError>;

    /// Runs until a world time (s), telling of each event. It ends early where the observer wants that, or where
    /// `stop` says so, which is asked after collisions, transitions and releases.
    fn go(
        &mut self,
        until: f64,
        stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError>;
    /// Runs until a world time (s) and through everything at that very instant.
    fn go_through(&mut self, instant: f64, tell: TellEngine<'_, S>)
    -> Result<End, SimulationError>;
    /// By forces: runs until a world time (s), telling of contacts in all detail.
    fn go_by_contacts(
        &mut self,
        until: f64,
        tell: TellIncident<'_, S>,
    ) -> Result<End, SimulationError>;
    /// What is said where a time asked for is not one that the run can go to.
    fn wrong_time(&self, until: f64) -> SimulationError;

    fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError>;
    /// Puts a body in under a number that is there for it: that of one that was removed, or is to come.
    fn insert_as(&mut self, id: BodyId, body: Body<S>) -> Result<(), EditError>;
    fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError>;
    /// Gives a free body another mass, kg, positive, spread as it was.
    fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), EditError>;
    fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<(), EditError>;
    /// Adds to the velocities of free bodies, m/s, as one change.
    fn kick(&mut self, kicks: &[(BodyId, S::Vector)]) -> Result<(), EditError>;
    fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError>;
    /// `None` where bodies cannot be turned.
    fn set_pose(&mut self, id: BodyId, pose: Pose<S>) -> Option<Result<(), EditError>>;
    fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError>;
    fn set_groups(&mut self, id: BodyId, groups: CollisionFilter) -> Result<(), EditError>;
    fn change_materials(&mut self, change: &mut dyn FnMut(&mut Materials))
    -> Result<(), EditError>;
    fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError>;
    fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError>;
    fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError>;
    fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError>;
    fn stand_still(&mut self, id: BodyId) -> Result<(), EditError>;
    fn set_motion(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
    ) -> Result<(), EditError>;
}

impl<S: Engines> Clone for Box<dyn Engine<S>> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}
