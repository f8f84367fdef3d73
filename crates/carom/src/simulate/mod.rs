//! How does it all run?

mod balls;
mod edit;
mod exact;
mod inertials;
mod lanes;
mod members;
mod passages;
mod planner;
mod query;
mod reference;
mod roster;
mod scenery;
mod stage;
mod state;
mod subscribers;
mod until;

pub use edit::EditError;
pub use exact::{End, Exact, RunError};
pub use query::{Hit, Query, QueryError};
pub use state::State;
pub use subscribers::{Interest, Subscribers};
pub use until::Until;
