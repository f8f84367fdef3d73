//! Collisions at their true instant.
#![forbid(unsafe_code)]

pub mod broad;
pub mod impact;
pub mod motion;
pub mod shape;
pub mod space;
