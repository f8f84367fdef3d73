//! What a simulation can be asked, between events and within them.

use super::Engine;
use crate::audit::Audit;
use crate::body::Body;
use crate::material::Materials;
use crate::motion::Fields;
use crate::simulate::compiled::Engines;
use crate::simulate::state::State;
use crate::simulate::stepped::{ForceAudit, ForceEngine, Scheme};
use crate::world::{BodyId, World};
use std::fmt;

/// How a simulation by forces is stepped.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stepping {
    /// How the equations of motion are stepped.
    pub scheme: Scheme,
    /// How long a step is, s.
    pub step: f64,
    /// How many whole steps there have been.
    pub steps: u64,
    /// Whether beginnings and ends of contacts are found within the step.
    pub locates: bool,
    /// Which loop goes over the contacts: [`ForceEngine::General`] (one after the other) or [`ForceEngine::Granular`]
    /// (four at once, on all cores).
    pub engine: ForceEngine,
    /// Why it is the general one where there are enough balls for the granular one.
    pub why_general: Option<String>,
    /// On how many threads. The results do not depend on it.
    pub threads: usize,
    /// How long contacts last that have no springs of their own, s: [given](crate::simulate::Forces::fallback), or by
    /// [default](crate::simulate::Forces::default_contact_time).
    pub contact_time: Option<f64>,
}

/// A simulation as it is at an event, for [conditions](crate::simulate::Until::or): it can be asked whatever the
/// [`Simulation`](crate::simulate::Simulation) can be asked.
#[derive(Clone, Copy)]
pub struct View<'a, S: Engines>(&'a dyn Engine<S>);

impl<'a, S: Engines> View<'a, S> {
    pub(in crate::simulate) fn of(run: &'a dyn Engine<S>) -> Self {
        View(run)
    }

    pub(in crate::simulate) fn engine(&self) -> &'a dyn Engine<S> {
        self.0
    }
}

impl<S: Engines> fmt::Debug for View<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show("View", self.0, formatter)
    }
}

/// In short: the whole state of a million balls is of no help.
pub(in crate::simulate) fn show<S: Engines>(
    name: &str,
    run: &dyn Engine<S>,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    formatter
        .debug_struct(name)
        .field("method", &run.method())
        .field("time", &run.time())
        .field("collisions", &run.collisions())
        .finish_non_exhaustive()
}

/// What is asked of the simulation and of a view of it in the same way: functions of a type that has an engine.
macro_rules! asked {
    ($whom:ty, $bound:ident) => { asked! { @of $whom, $bound;
        /// The clock: world time, s.
        fn time() -> f64;

        /// How many collisions there have been; by forces, how many contacts have ended before the
        /// clock (one that ends at it is reported, and counted from then on).
        fn collisions() -> u64;

        /// The bodies that take part, in the order of insertion.
        fn bodies() -> Vec<BodyId>;

        /// A body as it is now; `None` where there is none of that id, or none any more.
        fn body(id: BodyId) -> Option<Body<S>>;

        /// Whether a body takes part: it is there, and has not been removed.
        fn has(id: BodyId) -> bool;

        /// The first body of that name.
        fn find(name: &str) -> Option<BodyId>;

        /// The name of a body; empty where it has none.
        fn name(id: BodyId) -> &str;

        /// The materials that bodies refer to.
        fn materials() -> &Materials;

        /// Uniform gravity, m/s².
        fn gravity() -> S::Vector;

        /// What acts on bodies besides contacts, gravity included.
        fn fields() -> Fields<S>;

        /// The lengths of the periodic box, m; zero along an axis that is not periodic.
        fn periods() -> [f64; 3];

        /// Where a body is now, and how it moves: position (m), orientation, velocity (m/s) and angular velocity
        /// (rad/s).
        ///
        /// # Panics
        /// Where there has never been a body of that id.
        fn state(id: BodyId) -> State<S>;

        /// Where a body would be now had it not been brought back into the periodic box, m.
        fn unwrapped_position(id: BodyId) -> S::Vector;

        /// The bodies that are inside a sensor now.
        fn inside(sensor: BodyId) -> Vec<BodyId>;

        /// The budgets of energy (J), momentum (kg·m/s) and angular momentum (kg·m²/s) as they stand.
        fn audit() -> Audit<S>;

        /// By forces, the budgets with what springs hold and what each kind of contact force took, J; `None` by
        /// impulses.
        fn force_audit() -> Option<ForceAudit<S>>;

        /// A hash of everything that has happened and of all states now: the same bits, the same hash.
        fn digest() -> u64;

        /// Whether nothing will ever move again. By forces it is never said, as springs go on swinging, however little.
        fn is_at_rest() -> bool;

        /// How many free bodies lie at rest, so that nothing moves them but an impact or a change; by forces none.
        fn resting() -> usize;

        /// Whether rigid bodies other than balls take part, or fixtures that only such bodies need.
        fn has_rigid_bodies() -> bool;

        /// How it is stepped, by forces; `None` by impulses.
        fn stepping() -> Option<Stepping>;

        /// The largest change of a velocity in the last iteration of any solve of lasting contacts so far, m/s: how far
        /// solves were from their end. `None` where none are solved: without rigid bodies, or by forces.
        fn residual() -> Option<f64>;

        /// What a reader of the results should know, in words; empty where all is well.
        fn warnings() -> Vec<String>;

        /// How many trajectory segments have been integrated, each with an error of its own, since the start or since
        /// it was restored.
        fn segments() -> u64;

        /// The world as it is now, for another simulation to start from: its time 0 is now.
        ///
        /// The bodies are those of [`bodies`](Self::bodies), in that order, numbered anew.
        fn to_world() -> World<S>;
    } };
    (@of $whom:ty, $bound:ident;
     $($(#[$about:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl<S: $bound> $whom {
            $($(#[$about])* pub fn $name(&self $(, $argument: $type)*) -> $result {
                self.engine().$name($($argument),*)
            })*
        }
    };
}

pub(in crate::simulate) use asked;

asked!(View<'_, S>, Engines);
