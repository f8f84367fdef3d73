//! What the engines are made of, for programs that need a part and not a simulation: one pair and the time of its
//! impact, the roots of a gap, the impulse of one contact, a queue of events, cells.
//!
//! A program that runs worlds needs none of this; [`prelude`](crate::prelude) and [`simulate`](crate::simulate) are for
//! it. Kernels are pure functions and plain data, and may change from one version to the next more than the rest.
//!
//! | kernel | question | what it gives |
//! |---|---|---|
//! | [`impact`] | when do they touch? | the first time at which a ball touches anything and closes, exact to rounding |
//! | [`solids`] | when and where do rigid bodies touch? | their certified first contact, and all contact points |
//! | [`roots`] | where does a gap close? | first roots of polynomials in double-double; certified searches |
//! | [`contact`] | how do they touch? | what a law may depend on: normal, arms, masses, velocities |
//! | [`response`] | then what? | the impulse of a contact, one law each; several points at once |
//! | [`force`] | and by springs and dampers? | the force of a contact; restitution and contact time from it |
//! | [`broad`] | which pairs can touch at all? | swept boxes, bounding-sphere tests, cells and neighbour lists |
//! | [`queue`] | in what order? | a calendar of events, and a heap to check it by |
//! | [`granular`] | how do very many balls run by forces? | the vectorised engine of the force method, alone |
//! | [`vectors`] | how wide are vectors here? | what the processor can do; the same bits with all |
//!
//! ```
//! use carom::kernels::impact::{Impact, MovingBall, Target, TargetMotion, first_contact};
//! use carom::motion::Flight;
//! use carom::prelude::*;
//!
//! # fn main() -> Result<(), SimulationError> {
//! // A disc of 0.1 m flies past the corner of a box at 2 m/s. When does it touch?
//! let disc = MovingBall::<Space2> {
//!     flight: Flight::straight(DVec2::new(-3.0, 1.06), DVec2::new(2.0, 0.0)),
//!     radius: 0.1,
//!     surface_speed: 0.0,
//! };
//! let target = Target {
//!     shape: &Shape::block(DVec2::new(1.0, 1.0))?,
//!     course: TargetMotion::Flight { flight: Flight::rest(DVec2::ZERO), rotation: Turn::by(0.0) },
//!     surface_speed: 0.0,
//! };
//! let Impact::At(time) = first_contact(&disc, &target, 10.0) else {
//!     panic!("they touch");
//! };
//! assert!((time - (2.0 - 0.08) / 2.0).abs() < 1e-15); // s: 0.06 m above the corner, 0.08 m before it
//! # Ok(())
//! # }
//! ```

// The sources stand beside this file: a kernel is named by what it does, `crate::impact`, wherever it is used in here.
#[path = "broad/mod.rs"]
pub mod broad;
#[path = "contact.rs"]
pub mod contact;
#[path = "force/mod.rs"]
pub mod force;
#[path = "impact/mod.rs"]
pub mod impact;
#[path = "queue/mod.rs"]
pub mod queue;
#[path = "response/mod.rs"]
pub mod response;
#[path = "roots/mod.rs"]
pub mod roots;

pub use crate::simulate::stepped::granular;

/// How wide the vectors are that loops compute with: chosen when a run begins, the same bits with all.
pub mod vectors {
    pub use crate::vectors::*;
}

/// Rigid bodies: when and where two of them touch. Their shapes are [`Convex`](crate::shape::Convex) and
/// [`Compound`](crate::shape::Compound).
pub mod solids {
    pub use crate::impact::solids::{RigidTrajectory, first_contact, first_contact_of_parts};
    pub use crate::shape::convex::{
        ContactPoint, CornerInside, Manifold, Meeting, corners_inside, gap_along, meeting,
        meeting_of_parts, meetings, touching,
    };
}
