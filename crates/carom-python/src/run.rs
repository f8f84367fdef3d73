//! A run: the one simulation, in 2-D or 3-D, behind one Python class.

use crate::error;
use crate::events::{Event, EventTable, Record, bit_of};
use crate::scene::Scene;
use carom::record::Event as Happening;
use carom::simulate::{
    self, End, RestMemory, Simulation, Simulation2, Simulation3, SimulationError, Until,
};
use carom::world::World;
use carom_data::DataSpace;
use carom_scene::{AnyPlan, AnyWorld, Method, Plan, PlanError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A simulation in 2-D or in 3-D.
pub enum Any {
    Two(Simulation2),
    Three(Simulation3),
}

/// A simulation of a world in which the rules of its scene hold.
fn planned<S: DataSpace>(
    world: World<S>,
    plan: &AnyPlan,
    method: simulate::Method,
) -> Result<Simulation<S>, PlanError> {
    let nothing = Plan::default();
    let plan = S::plan_of(plan).unwrap_or(&nothing);
    plan.simulation(world, method)
}

/// The same for both.
macro_rules! with {
    ($any:expr, $run:ident => $do:expr) => {
        match $any {
            $crate::run::Any::Two($run) => $do,
            $crate::run::Any::Three($run) => $do,
        }
    };
}
pub(crate) use with;

/// A run that goes on from where it is, as often as one likes.
#[pyclass(module = "carom._carom")]
pub struct Run {
    pub any: Any,
    /// Names of groups, in the order of their bits.
    pub groups: Vec<String>,
    /// Of a run until rest that is made in pieces.
    memory: RestMemory,
    /// The bodies, and the free ones among them, when they were last asked for.
    pub known: Option<Known>,
}

/// What is the same until a body comes or goes.
pub struct Known {
    pub bodies: Vec<u32>,
    pub free: Vec<u32>,
}

/// Ends runs from another thread.
#[pyclass(module = "carom._carom", frozen)]
pub struct Cancel(simulate::Cancel);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Cancel(simulate::Cancel::new())
    }

    /// Ends all runs that were given this token.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it was used.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// When a run ends, and what is kept of it.
pub struct Wanted<'t> {
    pub until: f64,
    pub collisions: Option<u64>,
    /// So many events of the kinds that count.
    pub events: Option<u64>,
    pub rest: Option<f64>,
    /// Kinds of events that count, one bit each.
    pub counts: u32,
    /// Kinds of events at which it stops, one bit each.
    pub stop_at: u32,
    pub table: Option<&'t mut EventTable>,
}

/// What came of a run.
pub struct Outcome {
    pub end: &'static str,
    /// The events that it stopped at.
    pub seen: Vec<Record>,
    /// How many collisions there were, and how many events of the kinds that count.
    pub counted: [u64; 2],
}

/// Why a run ended without an end.
pub enum Broken {
    Python(PyErr),
    Simulation(SimulationError),
}

impl From<SimulationError> for Broken {
    fn from(error: SimulationError) -> Self {
        Broken::Simulation(error)
    }
}

impl From<Broken> for PyErr {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Python(error) => error,
            Broken::Simulation(error) => error::simulation(&error),
        }
    }
}

#[pymethods]
impl Run {
    /// Starts a simulation of a scene at time 0. With `consume` the scene has no bodies any more.
    #[staticmethod]
    #[pyo3(signature = (scene, method = None, consume = false))]
    fn start(
        py: Python<'_>,
        scene: &Bound<'_, Scene>,
        method: Option<&str>,
        consume: bool,
    ) -> PyResult<Self> {
        // The scene is let go before the lock is, so that several threads may start simulations of it at once.
        let (world, plan, method, groups) = {
            let inner = &scene.try_borrow()?.inner;
            let method = match method {
                None => inner.method,
                Some("events") => Method::Events,
                Some("forces") => Method::Forces,
                Some(other) => {
                    let text = format!("method is `{other}`, but must be `events` or `forces`");
                    return Err(PyValueError::new_err(text));
                }
            };
            let method = method.with(inner.settling, inner.forces);
            let world = (!consume).then(|| inner.world.clone());
            (world, inner.plan.clone(), method, inner.groups.clone())
        };
        let world = match world {
            Some(world) => world,
            None => scene.try_borrow_mut()?.take_world(),
        };
        let any = py.detach(|| match world {
            AnyWorld::Two(world) => planned(world, &plan, method).map(Any::Two),
            AnyWorld::Three(world) => planned(world, &plan, method).map(Any::Three),
        });
        let any = any.map_err(|error| error::plan(&error))?;
        Ok(Run::of(any, groups))
    }

    /// Goes on from a snapshot.
    #[staticmethod]
    fn restore(
        py: Python<'_>,
        dimension: usize,
        groups: Vec<String>,
        bytes: &[u8],
    ) -> PyResult<Self> {
        let any = py.detach(|| match dimension {
            2 => Simulation::restore(bytes).map(Any::Two),
            _ => Simulation::restore(bytes).map(Any::Three),
        });
        any.map(|any| Run::of(any, groups))
            .map_err(|error| error::simulation(&error))
    }

    /// Everything that is needed to go on from here.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| with!(&self.any, run => run.snapshot()));
        PyBytes::new(py, &bytes)
    }

    fn copy(&self, py: Python<'_>) -> Self {
        let any = py.detach(|| match &self.any {
            Any::Two(run) => Any::Two(run.clone()),
            Any::Three(run) => Any::Three(run.clone()),
        });
        Run::of(any, self.groups.clone())
    }

    /// Runs until a time (s) or another end: says which, the events that it stopped at, how many collisions there were
    /// and how many events of the kinds that count.
    #[allow(clippy::too_many_arguments)] // One for each end, and what is kept.
    #[pyo3(signature = (until, collisions, events, rest, counts, stop_at, fresh, table, cancel))]
    fn run(
        &mut self,
        py: Python<'_>,
        until: f64,
        collisions: Option<u64>,
        events: Option<u64>,
        rest: Option<f64>,
        counts: u32,
        stop_at: u32,
        fresh: bool,
        table: Option<&Bound<'_, EventTable>>,
        cancel: Option<&Bound<'_, Cancel>>,
    ) -> PyResult<(&'static str, Vec<Event>, [u64; 2])> {
        let mut table = match table {
            Some(table) => Some(table.try_borrow_mut()?),
            None => None,
        };
        let wanted = Wanted {
            until,
            collisions,
            events,
            rest,
            counts,
            stop_at,
            table: table.as_deref_mut(),
        };
        let cancel = cancel.map(|token| token.get().0.clone());
        let (any, memory) = (&mut self.any, &mut self.memory);
        let outcome = py.detach(|| {
            with!(any, run => {
                run.set_cancel(cancel);
                let outcome = go(run, wanted, memory, fresh, |_| ());
                run.set_cancel(None);
                outcome
            })
        })?;
        let dimension = self.dimension();
        let seen = outcome.seen.into_iter();
        Ok((
            outcome.end,
            seen.map(|record| Event { dimension, record }).collect(),
            outcome.counted,
        ))
    }
}

impl Run {
    pub fn of(any: Any, groups: Vec<String>) -> Self {
        Run {
            any,
            groups,
            memory: RestMemory::default(),
            known: None,
        }
    }

    pub fn dimension(&self) -> usize {
        match self.any {
            Any::Two(_) => 2,
            Any::Three(_) => 3,
        }
    }
}

fn name_of(end: End) -> &'static str {
    match end {
        End::Time => "time",
        End::Observer => "event",
        End::Collisions => "collisions",
        End::Rest => "rest",
        End::Condition => "condition",
        End::Cancelled => "cancelled",
        _ => "other",
    }
}

/// So many events between two looks at the wall clock.
const EVENTS_PER_LOOK: u32 = 1024;
/// Signals are looked at so often.
const LOOK: Duration = Duration::from_millis(30);

/// Looks whether the user wants the run to end, now and then: Python's own handlers of signals only run when they are
/// let.
struct Signals {
    last: Instant,
    events: u32,
    raised: Option<PyErr>,
}

impl Signals {
    fn new() -> Self {
        Signals {
            last: Instant::now(),
            events: 0,
            raised: None,
        }
    }

    #[inline]
    fn event(&mut self) -> ControlFlow<()> {
        self.events += 1;
        if self.events < EVENTS_PER_LOOK {
            return ControlFlow::Continue(());
        }
        self.events = 0;
        self.look()
    }

    fn look(&mut self) -> ControlFlow<()> {
        if self.last.elapsed() < LOOK {
            return ControlFlow::Continue(());
        }
        self.last = Instant::now();
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Runs to one of the ends, in legs that are short enough to look at signals between them.
pub fn go<S: DataSpace>(
    run: &mut Simulation<S>,
    mut wanted: Wanted<'_>,
    memory: &mut RestMemory,
    fresh: bool,
    mut tell: impl FnMut(&Happening<'_, S>),
) -> Result<Outcome, Broken> {
    let now = run.time();
    let mut outcome = Outcome {
        end: "time",
        seen: Vec::new(),
        counted: [0; 2],
    };
    if !(wanted.until >= now) {
        // It says why not.
        outcome.end = name_of(run.run_until(wanted.until)?);
        return Ok(outcome);
    }
    run.check_until(wanted.until)?;
    run.set_horizon(wanted.until);
    if let (Some(limit), true) = (wanted.rest, fresh) {
        *memory = RestMemory::since(now);
        // Whether it rests already; nothing happens before now.
        if run.run_until(Until::time(now).or_rest(limit))? == End::Rest {
            outcome.end = "rest";
            return Ok(outcome);
        }
    }
    if wanted.events == Some(0) {
        outcome.end = "events";
        return Ok(outcome);
    }
    let mut signals = Signals::new();
    loop {
        let target = run.next_pause(wanted.until);
        let mut until = Until::time(target);
        if let Some(most) = wanted.collisions {
            until = until.or_collisions(most.saturating_sub(outcome.counted[0]));
        }
        if let Some(limit) = wanted.rest {
            until = until.or_rest_remembered(limit, memory);
        }
        let listener = |event: &Happening<'_, S>| {
            tell(event);
            let bit = bit_of(event);
            outcome.counted[0] += u64::from(matches!(event, Happening::Collision(_)));
            outcome.counted[1] += u64::from(wanted.counts & bit != 0);
            if let Some(table) = wanted.table.as_deref_mut() {
                table.push(event);
            }
            if wanted.stop_at & bit != 0 {
                outcome.seen.extend(Record::of(event));
            }
            if wanted.stop_at & bit != 0 || wanted.events == Some(outcome.counted[1]) {
                return ControlFlow::Break(());
            }
            signals.event()
        };
        let end = run.run_with(until, listener)?;
        if let Some(error) = signals.raised.take() {
            return Err(Broken::Python(error));
        }
        if end != End::Time || !(target < wanted.until) {
            let enough = wanted.events == Some(outcome.counted[1]);
            outcome.end = if enough { "events" } else { name_of(end) };
            return Ok(outcome);
        }
        if signals.look().is_break()
            && let Some(error) = signals.raised.take()
        {
            return Err(Broken::Python(error));
        }
    }
}
