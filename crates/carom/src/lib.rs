//! Collisions at their true instant.
#![forbid(unsafe_code)]

pub mod contact;
pub mod impact;
pub mod material;
pub mod motion;
pub mod response;
pub mod shape;
pub mod space;
