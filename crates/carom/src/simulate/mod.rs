//! How does it all run?

mod balls;
mod contact_time;
mod encounter;
mod exact;
mod inertials;
mod layout;
mod obstacles;
mod planner;
mod reference;
mod roster;
mod scenery;
mod sketch;
mod snapshot;
mod stage;
mod state;
mod strike;
mod ties;

pub use exact::{End, Exact, RunError};
pub use state::State;
