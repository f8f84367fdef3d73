//! How does it all run?

mod balls;
mod contact_time;
mod exact;
mod lanes;
mod planner;
mod reference;
mod scenery;
mod stage;
mod state;
mod ties;

pub use exact::{End, Exact, RunError};
pub use state::State;
