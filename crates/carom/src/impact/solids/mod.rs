//! When do rigid bodies begin to touch?
//!
//! * [`RigidTrajectory`] is a rigid motion in flight: the centre on a parabola, the turning free of torque.
//! * [`first_contact`] says when two moving and turning forms begin to touch.

mod arch;
mod first_contact;
mod inside;
mod rigid_trajectory;
mod torque_free;
mod turning_wall;

pub(crate) use first_contact::{Progress, first_contact_before};
pub use first_contact::{first_contact, first_contact_of_parts};
pub use rigid_trajectory::RigidTrajectory;
