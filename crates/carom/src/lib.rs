//! Collisions at their exact time.
//!
//! Discs and spheres, the walls, boxes and cylinders they strike, and rigid bodies collide when they really touch, not
//! at the next frame: carom computes the first time of impact of each pair, takes the earliest, lets the two bodies
//! exchange an impulse, and goes on from there.
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
//! # The face
//!
//! | what | where |
//! |---|---|
//! | names that a first program needs | [`prelude`] |
//! | what there is at the start: bodies, gravity and other fields, a periodic box | [`world::World`] |
//! | a body: [free](body::Body::free), [fixed](body::Body::fixed) or [kinematic](body::Body::kinematic) | [`body`] |
//! | its shape, in one call | [`shape::Shape`] |
//! | what it is made of; laws of impact; springs and dampers | [`material`] |
//! | motions of kinematic bodies; drag, wind, lift, springs in flight | [`motion`] |
//! | closed containers of any outline | [`container`] |
//! | hinges, rods and springs between bodies | [`joint`] |
//! | running, changing, asking, saving | [`simulate::Simulation`] |
//! | what happened | [`record::Event`], [`audit`], [`observe`] |
//! | one error for all of it, with every complaint | [`simulate::SimulationError`] |
//! | parts of the engines: exact times of impact, root finders, laws, queues, cells | [`kernels`] |
//!
//! # One simulation, two methods
//!
//! A [`Simulation`](simulate::Simulation) takes any world and runs it by one of two [methods](simulate::Method):
//!
//! | | contacts |
//! |---|---|
//! | `Simulation::new(world)` | impulses at exact instants; sliding, rolling, resting (rigid bodies in steps) |
//! | `Simulation::with(world, Forces::default())` | springs and dampers ([`kernels::force`]), step by step |
//!
//! Free bodies are balls (up to many millions), boxes, cylinders, capsules, convex polygons and polyhedra, and
//! compounds of them ([`shape::Convex`]).
//!
//! # Features
//!
//! * `parallel` (on by default): the force method uses all cores. Without it: one thread, the same bits.
//! * `serde`: worlds, bodies, shapes, materials and records can be stored; what is read is validated as by the
//!   constructors.
//!
//! # Conventions
//!
//! SI units and `f64` throughout; angles in radians; right-handed axes. Time intervals are half open, `[0, horizon)`.
//! At a contact between *a* and *b* the normal points into *a*. One source serves both dimensions: everything is
//! generic over [`Space`](space::Space), which is [`Space2`](space::Space2) or [`Space3`](space::Space3); a function of
//! yours that runs an engine in either asks for [`Compiled`](simulate::Compiled).
//!
//! # Limits
//!
//! * Free bodies are balls, or convex, or made of convex parts. Static and kinematic bodies have any shape of
//!   [`shape::Shape`]. What is not supported together with rigid bodies is listed in `docs/solids.md`.
//! * Balls that keep touching a wall do so on what is at rest, moves uniformly or rotates on the spot; on anything else
//!   they bounce. Balls in a pile fall asleep (`docs/resting.md`).
//! * A simulation by impulses holds at most 2²⁷ free balls. Sizes have cells of their own, class by class; a ball that
//!   is very much larger than very many others is still slow.
//! * Clouds of inelastic balls without gravity can collide infinitely often in a finite time: a run that stalls
//!   says so, and a contact time gets it past that point.
//!
//! Queries, edits and events of a run are on the page `docs/library.md` in the repository.
//!
//! The accuracy of the times of impact is measured against arbitrary precision; see `docs/accuracy.md` in the
//! repository.
#![forbid(unsafe_code)]

pub use glam;

mod arrays;
pub mod audit;
pub mod body;
mod codec;
pub mod container;
pub mod joint;
pub mod kernels;
pub mod material;
pub mod motion;
pub mod observe;
mod order;
pub mod record;
mod serial;
pub mod shape;
pub mod simulate;
pub mod snapshot;
pub mod space;
mod vectors;
pub mod world;

pub(crate) use kernels::{broad, contact, force, impact, queue, response, roots};

/// What a program needs to fill a world and run it.
///
/// Everything else is sorted by subject: [`body`], [`material`], [`motion`] (fields), [`record`] (what
/// happened), [`container`], [`shape`], [`simulate`] (edits, queries, later actions), [`world`].
pub mod prelude {
    pub use crate::body::Body;
    pub use crate::joint::{Anchor, Joint};
    pub use crate::material::Material;
    pub use crate::motion::{Drive, Pose};
    pub use crate::record::Event;
    pub use crate::shape::Shape;
    pub use crate::simulate::{
        End, Forces, Simulation, Simulation2, Simulation3, SimulationError, Until,
    };
    pub use crate::space::{Space2, Space3, Turn};
    pub use crate::world::{BodyId, Shear, World, World2, World3};
    pub use glam::{DQuat, DVec2, DVec3};
}
