//! How does it all run?

mod balls;
mod exact;
mod lanes;
mod planner;
mod reference;
mod scenery;
mod stage;
mod state;

pub use exact::{End, Exact, RunError};
pub use state::State;
