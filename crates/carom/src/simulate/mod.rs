//! How does it all run?

mod balls;
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

pub use exact::{End, Exact, RunError};
pub use state::State;
