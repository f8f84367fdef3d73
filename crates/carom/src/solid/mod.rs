//! Convex solids that turn: their shapes, what they weigh, where they touch and when they meet.
//!
//! * [`Convex`] is one convex part, [`Form`] the form of a body: one part or several, with mass, centre and inertia exact from its density.
//! * [`Course`] is a rigid motion in flight: the centre on a parabola, the turning free of torque.
//! * [`meeting`] says whether two forms touch at an instant: a separating plane, or all their contact points (C10, C11, C13).
//! * [`first_contact`] says when two moving and turning forms begin to touch (C12).
//!
//! In the world a normal at a meeting points from *a* to *b*.

mod convex;
mod course;
mod cut;
mod distance;
mod error;
mod first_contact;
mod form;
mod hull;
mod mass;
mod placed;
mod read;
mod separate;
mod touch;
mod tumble;

pub use convex::Convex;
pub use course::Course;
pub use error::SolidError;
pub use first_contact::{first_contact, first_contact_of_parts};
pub use form::Form;
pub use read::ReadError;
pub use touch::{
    ContactPoint, CornerInside, Manifold, Meeting, corners_inside, gap_along, meeting,
    meeting_of_parts, meetings, touching,
};
