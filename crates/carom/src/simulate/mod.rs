//! How does it all run?

mod balls;
mod encounter;
mod exact;
mod layout;
mod obstacles;
mod planner;
mod reference;
mod scenery;
mod sketch;
mod snapshot;
mod stage;
mod state;
mod strike;

pub use exact::{End, Exact, RunError};
pub use state::State;
