//! How does it all run?

mod balls;
mod bodies;
mod cancel;
mod compiled;
mod contact_solver;
mod contact_time;
mod director;
mod edit;
mod encounter;
mod engine;
mod error;
mod exact;
mod fixture;
mod float_filter;
mod force_options;
mod inertials;
mod islands;
mod jointed;
mod layout;
mod meetings;
mod members;
mod next_segment;
mod obstacles;
mod on_segments;
mod overlaps;
mod planner;
mod predictions;
mod query;
mod refuse;
mod registry;
mod rest;
mod rigid;
mod shear;
mod sheared;
mod simulation;
mod simultaneous;
mod snapshot;
mod state;
pub(crate) mod stepped;
mod sticking;
mod strike;
mod subscribers;
mod support;
mod sweep;
mod trajectories;
mod until;
mod watchdog;

pub use crate::force::Ending;
pub use cancel::Cancel;
pub use compiled::Engines;
pub use director::{
    Action, ActionTarget, Bodies, Cause, Condition, Entry, EntryKind, Measured, Mount, RandomKicks,
    Relation, Trigger, Which,
};
pub use engine::{Method, Stepping, View};
pub use error::{DirectorError, PartError, QueryError, SimulationError};
#[doc(hidden)]
pub use exact::Exact;
pub use exact::{End, RunError};
pub use query::{Hit, Query};
pub use refuse::{EditError, ForcesError, SteppedError};
pub use rest::RestMemory;
pub use rigid::{ContactForce, Settling};
pub use simulation::{Compiled, Simulation, Simulation2, Simulation3};
pub use state::State;
#[doc(hidden)]
pub use stepped::Stepped;
pub use stepped::{
    Begin, Dissipated, ForceAudit, ForceEngine, Forces, Incident, LeverArm, Scheme, Stored, Touch,
};
pub use subscribers::{Interest, Subscribers};
pub use until::Until;
pub use watchdog::Busy;
