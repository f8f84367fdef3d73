//! What belongs to users stays, whatever is asked for; and what is damaged is noticed.

mod common;
#[path = "data/flips.rs"]
mod flips;
#[path = "data/owned.rs"]
mod owned;
#[path = "data/stopped.rs"]
mod stopped;
