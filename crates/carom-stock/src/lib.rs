//! Scenes that are ready to play, built from the library's own parts.

#![forbid(unsafe_code)]

pub mod billiards;
mod pinball;

pub use pinball::{Pinball, PinballError};
