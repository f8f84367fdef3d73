//! Scenes that are ready to play, built from the library's own parts.

#![forbid(unsafe_code)]

pub mod billiards;
mod pinball;

pub use pinball::{Pinball, PinballError};

/// The example of the page on billiards is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/billiards.md")]
mod billiards_page {}
