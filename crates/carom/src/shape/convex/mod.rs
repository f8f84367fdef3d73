//! Convex rigid bodies: their shapes, what they weigh, and where they touch at an instant.
//!
//! * [`Convex`] is one convex part, [`Compound`] the form of a body: one part or several, with mass, centre and inertia
//!   exact from its density.
//! * [`meeting`] says whether two forms touch at an instant: a separating plane, or all their contact points (C10, C11,
//!   C13).
//!
//! When two that move begin to touch: `impact::solids`. In the world a normal at a meeting points from *a* to *b*.

mod arch;
mod compound;
mod cut;
mod distance;
mod error;
mod hull;
mod inside;
mod mass;
mod nearest;
mod part;
mod placed;
mod separate;
#[cfg(feature = "serde")]
mod serial;
mod shadow;
mod touch;

pub(crate) use arch::{Arch, arch_in, arch_points};
pub use compound::Compound;
#[cfg(feature = "serde")]
use compound::FormMass;
pub(crate) use compound::{fixed_form, free_form};
pub use error::ConvexError;
pub(crate) use inside::{Inside, farthest_points};
pub(crate) use mass::principal_axes;
pub use part::Convex;
pub(crate) use part::{Core, Highest, faced};
pub(crate) use placed::{Placed, separation};
pub(crate) use separate::{Axis, AxisKind, axis_between};
pub use touch::{
    ContactPoint, CornerInside, Manifold, Meeting, corners_inside, gap_along, meeting,
    meeting_of_parts, meetings, touching,
};
pub(crate) use touch::{PartPair, points_of};
