//! The loop for worlds with rigid bodies: positions, attitudes and angular momenta, and springs at all points of a
//! contact.
//!
//! It has its own state beside that of the loops for balls, which stay as lean as they are; around it everything is the
//! same: stage, touches, budgets, clock and snapshots.
//!
//! * `rigid_bodies.rs`: which bodies take part, what is refused, how long a step may be. `frame.rs`: where all of them
//!   are, and how bodies turn freely.
//! * `contact_forces.rs`: the contact law, and how a stiffness is shared among points. `rates.rs`: what acts on each
//!   body.
//! * `joints.rs`: hinges, rods and springs between bodies.
//! * `advance.rs`: the schemes. `rigid_stepper.rs`: a run at the end of a step, and making steps true. `near.rs`: which
//!   bodies are near each other. `store.rs`: snapshots.

mod advance;
mod contact_forces;
mod frame;
mod joints;
mod near;
mod rates;
mod resistance;
mod rigid_bodies;
mod rigid_stepper;
mod store;

pub(super) use rigid_bodies::{Pairing, RigidBodies, curvature_of, refused};
pub(super) use rigid_stepper::{PairOverlap, RigidStepper};
pub(super) use store::{load_yard, store_yard};
