//! Collisions at their true instant.
#![forbid(unsafe_code)]

pub mod audit;
pub mod body;
pub mod contact;
pub mod impact;
pub mod material;
pub mod motion;
pub mod queue;
pub mod record;
pub mod response;
pub mod roots;
pub mod shape;
pub mod simulate;
pub mod space;
pub mod world;
