//! How does it all run?

mod balls;
mod edit;
mod exact;
mod inertials;
mod lanes;
mod members;
mod planner;
mod reference;
mod roster;
mod scenery;
mod stage;
mod state;

pub use edit::{Change, Edit, EditError};
pub use exact::{End, Exact, RunError};
pub use state::State;
