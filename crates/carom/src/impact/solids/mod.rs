//! When do solids that turn begin to touch?
//!
//! * [`Course`] is a rigid motion in flight: the centre on a parabola, the turning free of torque.
//! * [`first_contact`] says when two moving and turning forms begin to touch (C12).

mod course;
mod first_contact;
mod tumble;

pub use course::Course;
pub use first_contact::{first_contact, first_contact_of_parts};
