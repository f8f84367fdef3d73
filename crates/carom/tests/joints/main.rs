//! Joints, by both methods.

mod by_forces;
mod by_impulses;
mod hinged;
mod refused;
mod rigid;
