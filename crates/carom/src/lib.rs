//! Collisions at their true instant.
//!
//! Discs and spheres, the walls, boxes and cylinders they strike, and solids that turn meet when they really touch, not at the next frame: carom
//! computes the first time of impact of each pair, takes the earliest, lets the two bodies exchange an impulse, and goes on from there.
//!
//! ```
//! use carom::prelude::*;
//!
//! # fn main() -> Result<(), SimulationError> {
//! let mut world = World2::new();
//! world.set_gravity(DVec2::new(0.0, -9.81))?;
//! world.add(Body::fixed(Shape::floor()))?;
//! let ball = world.add(Body::free(Shape::ball(0.1)?).mass(1.0).at(DVec2::new(0.0, 1.1)))?;
//!
//! let mut simulation = Simulation::new(world)?;
//! simulation.run_until(10.0)?;
//! assert_eq!(simulation.collisions(), 11); // at 0.4515 s, and every 0.903 s from there on
//! println!("{:?}", simulation.state(ball).position);
//! # Ok(())
//! # }
//! ```
//!
//! # One simulation, two methods
//!
//! A [`World`](world::World) is what is there: bodies, materials, gravity and other fields, a periodic box. A
//! [`Simulation`](simulate::Simulation) takes any world and runs it by one of two [methods](simulate::Method):
//!
//! | | contacts |
//! |---|---|
//! | `Simulation::new(world)` | impulses at exact instants; sliding, rolling and resting. Lasting contacts of rigid bodies are followed in steps |
//! | `Simulation::with(world, Forces::default())` | springs and dampers ([`force`]), step by step |
//!
//! Free bodies are balls (up to many millions), boxes, cylinders, capsules, convex polygons and polyhedra, and
//! compounds of them ([`solid`]).
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
//! * A simulation by impulses holds at most 2²⁷ free balls. Sizes have cells of their own, class by class; a ball that
//!   is very much larger than very many others is still slow.
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
        Action, Compiled, DirectorError, EditError, End, Forces, Hit, Incident, Interest, Joint,
        Method, Query, QueryError, RunError, Runner, Scheme, Settling, Simulation, Simulation2,
        Simulation3, SimulationError, State, Subscribers, Touch, Trigger, Until, View, Whom,
    };
    pub use crate::space::{Linear, Plane, Solid, Space, Turn};
    pub use crate::world::{BodyId, World, World2, World3, WorldError};
    pub use glam::{DQuat, DVec2, DVec3};
}
