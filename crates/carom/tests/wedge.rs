//! Temporary.
#[path = "engine/bounds.rs"]
mod bounds;
#[path = "engine/wedge.rs"]
mod wedge;
#[path = "engine/wedge_reference.rs"]
mod wedge_reference;
