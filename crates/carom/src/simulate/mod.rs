//! How does it all run?

mod balls;
mod exact;
mod lanes;
mod planner;
mod reference;
mod scenery;
mod stage;
mod state;
mod strike;

pub use exact::{End, Exact, RunError};
pub use state::State;
