//! Which pairs can touch at all? Cheap answers that come before the exact ones.
//!
//! * [`Aabb::swept`] and [`may_touch`]: the axis-aligned box that a flying ball sweeps in an interval of time.
//!   Boxes that do not overlap prove that the balls do not touch in that interval.
//! * [`Bounds`] and [`sphere_test`]: a sphere around a body and a sphere inside it, both about its centre of mass,
//!   so that rotating the body changes neither. Two distances settle most pairs of bodies.
//! * [`Cells`] on a [`Lattice`], and [`Lists`] made from them: the balls near a ball, for the event-driven run.
//!   [`touching_pairs`]: those that touch at rest, of any sizes.
//!
//! # Caveats
//!
//! An answer here is one-sided. "Do not overlap", [`SphereTest::Apart`] and [`SphereTest::Touching`] are certain,
//! whatever the rounding; "overlap" and [`SphereTest::Undecided`] only say that an exact test is needed. The price is a
//! margin of a few units in the last place of the coordinates (each function argues its own), so a pair that touches to
//! within rounding is never decided here.
//!
//! Coordinates whose squares or products overflow get unbounded boxes and undecided answers, not errors.

mod cells;
mod extent;
mod lattice;
mod lists;
mod members;
mod pairs;
mod store;
mod swept_box;

pub use crate::shape::{Bounds, SphereTest, sphere_test};
pub(crate) use cells::MOST_MEMBERS;
pub use cells::{Cells, NearCells};
pub(crate) use extent::Extent;
pub use lattice::Lattice;
pub use lists::Lists;
pub use members::Members;
pub use pairs::{SizedBall, touching_pairs};
pub(crate) use pairs::{home, nearest_image};
pub use swept_box::{Aabb, may_touch};
