//! How does it all run?

mod exact;
mod state;

pub use exact::{End, Exact, RunError};
pub use state::State;
