//! Collisions at their true instant.
#![forbid(unsafe_code)]

pub mod body;
pub mod impact;
pub mod material;
pub mod motion;
pub mod roots;
pub mod shape;
pub mod space;
pub mod world;
