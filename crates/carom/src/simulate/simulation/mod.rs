//! One face for whatever is simulated, by either method.

mod compiled;
mod direct;
mod edit;
mod run;
mod view;

pub use compiled::Compiled;

use super::director::{self, Director};
use super::engine::{Engine, Method};
use super::error::SimulationError;
use super::exact::Exact;
use super::state::State;
use super::stepped::Stepped;
use crate::body::Body;
use crate::snapshot;
use crate::space::{Space2, Space3};
use crate::world::{BodyId, World};

/// A simulation of a world: balls, rigid bodies or both, by impulses or by forces.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Newton's cradle: five touching balls are struck by a sixth.
/// let mut world = World2::new();
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(-3.0, 0.0)).velocity(DVec2::X))?;
/// for place in 0..5 {
///     world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(f64::from(place), 0.0)))?;
/// }
/// let mut simulation = Simulation::new(world)?;
/// assert_eq!(simulation.run_until(10.0)?, End::Time);
/// assert_eq!((simulation.collisions(), simulation.time()), (5, 10.0));
/// let last = BodyId(5);
/// assert_eq!(simulation.state(last).velocity, DVec2::X);
/// // It goes on from where it is, as often as one likes.
/// simulation.run_until(11.0)?;
/// assert_eq!(simulation.state(last).position, DVec2::new(13.0, 0.0));
/// # Ok(())
/// # }
/// ```
///
/// A crate that tumbles and comes to rest is run in the same way; the method is a choice:
///
/// ```
/// use carom::prelude::*;
/// use carom::material::Constants;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -9.81))?;
/// let wood = Material { restitution: 0.3, static_friction: 0.5, kinetic_friction: 0.5, ..Material::default() };
/// let wood = world.materials.add("wood", wood)?;
/// world.materials.set_constants(wood, Constants::spring_and_damper(1e6, 1e3))?;
/// world.add(Body::fixed(Shape::floor()).material(wood))?;
/// let square = Body::free(Shape::block(DVec2::new(0.5, 0.5))?).mass(10.0).material(wood);
/// let body = world.add(square.at(DVec2::new(0.0, 2.0)).rotated(Turn::by(0.3)).velocity(DVec2::X))?;
///
/// let by_impulses = Simulation::new(world.clone())?;
/// let by_forces = Simulation::with(world, Forces::default())?;
/// for mut simulation in [by_impulses, by_forces] {
///     simulation.run_until(5.0)?;
///     assert!((simulation.state(body).position.y - 0.5).abs() < 1e-3);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # What it can do
///
/// * **Run**: [`run_until`](Self::run_until) a time, a number of collisions, rest or a condition
///   ([`Until`](super::Until)); [`run_with`](Self::run_with) a listener, which receives every event and may end the
///   run.
/// * **Be changed** between two runs: [`insert`](Self::insert), [`remove`](Self::remove),
///   [`set_velocity`](Self::set_velocity) and so on.
/// * **Be directed**: what is to happen later, [`at`](Self::at) a time, [`every`](Self::every) so many seconds,
///   [`on`](Self::on) an event or a key.
/// * **Be asked**: [`state`](Self::state), [`audit`](Self::audit), [`query`](Self::query), [`inside`](Self::inside) a
///   sensor.
/// * **Be kept**: [`snapshot`](Self::snapshot) and [`restore`](Self::restore), to the same bits.
///
/// What happens does not depend on how a run is divided into calls, nor on listeners.
#[derive(Clone)]
pub struct Simulation<S: Compiled> {
    /// The engine, and what is to be done with it later.
    directed: Director<S>,
    method: Method,
}

/// A simulation in 2-D.
pub type Simulation2 = Simulation<Space2>;

/// A simulation in 3-D.
pub type Simulation3 = Simulation<Space3>;

impl<S: Compiled> Simulation<S> {
    /// Starts a simulation by impulses at time 0. Refused, with everything that is wrong, where bodies overlap by more
    /// than rounding explains, do not fit the periodic box, or cannot be simulated together.
    pub fn new(world: World<S>) -> Result<Self, SimulationError> {
        Self::with(world, Method::default())
    }

    /// Starts a simulation by a method at time 0: a [`Method`], or its options,
    /// [`Settling`](super::Settling) or [`Forces`](super::Forces).
    pub fn with(world: World<S>, method: impl Into<Method>) -> Result<Self, SimulationError> {
        S::simulation_new(world, Vec::new(), method.into())
    }

    /// The same with bodies that are to come: they have the numbers after all bodies of the world, in their order, and
    /// take no part until an [`Action::Enter`](super::Action::Enter) puts them in.
    pub fn with_waiting(
        world: World<S>,
        waiting: Vec<Body<S>>,
        method: impl Into<Method>,
    ) -> Result<Self, SimulationError> {
        S::simulation_new(world, waiting, method.into())
    }

    pub(super) fn new_generic(
        world: World<S>,
        waiting: Vec<Body<S>>,
        method: Method,
    ) -> Result<Self, SimulationError> {
        let first = world.bodies().len();
        let engine: Box<dyn Engine<S>> = match &method {
            Method::Impulses(settling) => {
                let mut run = Exact::with(world, settling)?;
                run.reserve(waiting.len());
                Box::new(run)
            }
            Method::Forces(forces) => Box::new(S::stepped_waiting(world, waiting.clone(), forces)?),
        };
        Ok(Simulation {
            directed: Director::with_waiting(engine, first, waiting),
            method,
        })
    }

    /// All bodies by their numbers, whether they are there or not: as they are now, as they were when an action removed
    /// them, and as they are to come. Bodies that were removed by hand are not among them.
    pub fn census(&self) -> World<S> {
        self.directed.census()
    }

    /// Where a body is and how it moves; one that is not there (an action has removed it, or it is to come) as it was,
    /// or as it is to come.
    ///
    /// # Panics
    /// Where there has never been a body of that id.
    pub fn last_state(&self, id: BodyId) -> State<S> {
        self.directed.last_state(id)
    }

    /// A body that an action has removed, as it was, or one that is to come.
    pub fn absent(&self, id: BodyId) -> Option<&Body<S>> {
        self.directed.absent(id)
    }

    /// A simulation that goes on from the bytes of a [`snapshot`](Self::snapshot), with the same bits as if it had
    /// never stopped. The bytes say by which method it is. Refused, with the reason, where they are not whole or make
    /// no sense.
    pub fn restore(bytes: &[u8]) -> Result<Self, SimulationError> {
        S::simulation_restore(bytes)
    }

    pub(super) fn restore_generic(bytes: &[u8]) -> Result<Self, SimulationError> {
        let directed = match snapshot::kind(bytes) {
            Some(director::SNAPSHOT_KIND) => {
                let run = engine_of(&Director::<S>::bytes_of_run(bytes)?)?;
                Director::restore(run, bytes)?
            }
            _ => Director::new(engine_of(bytes)?),
        };
        let method = directed.run().method();
        Ok(Simulation { directed, method })
    }

    /// Everything that is needed to go on from here, as bytes in the format of [`snapshot`](crate::snapshot), with what
    /// is to happen later ([`at`](Self::at), [`every`](Self::every), [`on`](Self::on)), scores and the last of the
    /// [log](Self::log). The [token](Self::set_cancel) is not part of it.
    pub fn snapshot(&self) -> Vec<u8> {
        self.directed.snapshot()
    }

    /// By which method.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Whether it is by forces.
    pub fn is_by_forces(&self) -> bool {
        matches!(self.method, Method::Forces(_))
    }

    pub(super) fn engine(&self) -> &dyn Engine<S> {
        self.directed.run()
    }

    pub(super) fn engine_mut(&mut self) -> &mut dyn Engine<S> {
        self.directed.run_mut()
    }
}

/// The engine that bytes are a snapshot of.
fn engine_of<S: Compiled>(bytes: &[u8]) -> Result<Box<dyn Engine<S>>, SimulationError> {
    Ok(match snapshot::kind(bytes) {
        Some(super::stepped::SNAPSHOT_KIND) => Box::new(Stepped::restore(bytes)?),
        // It complains about what is no snapshot at all.
        _ => Box::new(Exact::restore(bytes)?),
    })
}
