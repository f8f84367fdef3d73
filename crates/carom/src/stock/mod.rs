//! Worlds to begin with.

mod pinball;

pub use pinball::{Pinball, PinballError};
