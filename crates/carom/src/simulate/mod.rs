//! How does it all run?

mod balls;
mod exact;
mod inertials;
mod lanes;
mod planner;
mod reference;
mod roster;
mod scenery;
mod stage;
mod state;

pub use exact::{End, Exact, RunError};
pub use state::State;
