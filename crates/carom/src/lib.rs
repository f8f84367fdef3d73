//! Collisions at their true instant.
//!
//! Discs and spheres, the walls, boxes and cylinders they strike, and solids that turn meet when they really touch, not at the next frame: carom
//! computes the first time of impact of each pair, takes the earliest, lets the two bodies exchange an impulse, and goes on from there.
//!
//! ```
//! use carom::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World2::new();
//! let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y)?);
//! world.set_gravity(DVec2::new(0.0, -9.81))?;
//! world.add(Body::fixed(floor, Pose::at(DVec2::ZERO)))?;
//! let ball = world.add(Body::ball(0.1, 1.0, DVec2::new(0.0, 1.1), DVec2::ZERO)?)?;
//!
//! let mut run = Exact::new(world).expect("nothing overlaps");
//! run.run_to(10.0)?;
//! assert_eq!(run.collisions(), 11); // at 0.4515 s, and every 0.903 s from there on
//! println!("{:?}", run.state(ball).position);
//! # Ok(())
//! # }
//! ```
//!
//! # Which run
//!
//! | | bodies that move freely | contacts |
//! |---|---|---|
//! | [`simulate::Exact`] | balls, up to many millions | impulses at exact instants; sliding, rolling and resting |
//! | [`simulate::Rigid`] | balls, boxes, cylinders, capsules, convex polygons and polyhedra, compounds of them ([`solid`]) | the same; those that last are followed in steps |
//! | [`simulate::Stepped`] | both | springs and dampers ([`force`]), step by step |
//!
//! [`world::has_turning_solids`] says whether a world needs `Rigid`.
//!
//! # Conventions
//!
//! SI units and `f64` throughout; angles in radians; right-handed axes. Time intervals are half open, `[0, horizon)`. At a
//! contact between *a* and *b* the normal points into *a*. One source serves both dimensions: everything is generic over
//! [`Space`](space::Space), which is [`Plane`](space::Plane) or [`Solid`](space::Solid); a function of yours that
//! runs an engine in either asks for [`Compiled`](simulate::Compiled).
//!
//! # Limits
//!
//! * Free bodies are balls, or convex, or made of convex parts. Fixed and prescribed bodies have any shape of [`shape::Shape`]. What cannot be beside solids that turn is listed in `docs/solids.md`.
//! * Balls that keep touching a wall do so on what stands, moves straight on or turns on the spot; on anything else they bounce. Balls in a pile fall asleep (`docs/resting.md`).
//! * [`simulate::Exact`] holds at most 2²⁷ free balls. Sizes have cells of their own, class by class; a ball that is very much larger than very many others is still slow.
//! * Clouds of inelastic balls without gravity can collide infinitely often in a finite time: a run that stands still says so, and a contact time gets it past that point.
//!
//! What a run can be asked, told and made to do is on the page `docs/library.md` in the repository.
//!
//! The accuracy of the times of impact is measured against arbitrary precision; see `docs/accuracy.md` in the repository.
#![forbid(unsafe_code)]

mod arrays;
pub mod audit;
pub mod body;
pub mod broad;
mod codec;
pub mod contact;
pub mod force;
pub mod impact;
pub mod material;
pub mod motion;
pub mod observe;
mod order;
pub mod queue;
pub mod record;
pub mod response;
pub mod room;
pub mod roots;
pub mod shape;
pub mod simulate;
pub mod snapshot;
pub mod space;
pub mod vectors;
pub mod world;

/// The README's example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

/// So is that of the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library_page {}

/// And that of the page on flights.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/flights.md")]
mod flights_page {}

/// And that of the page on forces.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/forces.md")]
mod forces_page {}

/// And that of the page on rooms.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rooms.md")]
mod rooms_page {}

/// And those of the page on changes.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/changes.md")]
mod changes_page {}

/// And that of the page on adding a field.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/contributing/add_a_field.md")]
mod add_a_field_page {}

/// Solids that turn: their shapes, where they touch and when they meet.
pub mod solid {
    pub use crate::impact::solids::{Course, first_contact, first_contact_of_parts};
    pub use crate::shape::convex::{
        ContactPoint, Convex, CornerInside, Form, Manifold, Meeting, SolidError, corners_inside,
        gap_along, meeting, meeting_of_parts, meetings, touching,
    };
}

/// What most programs need.
pub mod prelude {
    pub use crate::body::{Body, Free, Groups, Kind};
    pub use crate::force::{Constants, Damping, Ending, Stiffness};
    pub use crate::material::{Law, Material, Materials, PairOverride};
    pub use crate::motion::{Drive, Flight, Pose};
    pub use crate::record::{Change, Collision, Edit, Event, Parting, Passage, Release};
    pub use crate::room::{Room, Room2, Room3, RoomError, Side, Stretch};
    pub use crate::shape::{
        Arc, Ball, Block, Cylinder, HalfSpace, Hollow, PlaneShape, Segment, Shape, SolidShape,
        Triangle, Tube,
    };
    pub use crate::simulate::{
        Action, Compiled, Director, DirectorError, EditError, End, Exact, Hit, Interest, Joint,
        Query, QueryError, RunError, State, Subscribers, Trigger, Until, Whom,
    };
    pub use crate::simulate::{Forces, Incident, Runner, Scheme, Stepped, Touch};
    pub use crate::simulate::{Rigid, Settling};
    pub use crate::space::{Linear, Plane, Solid, Space, Turn};
    pub use crate::world::{BodyId, World, World2, World3, WorldError};
    pub use glam::{DQuat, DVec2, DVec3};
}
