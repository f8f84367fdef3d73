//! What both methods have in common for whoever runs scenes and keeps what they leave.

use crate::space::DataSpace;
use carom::audit::Audit;
use carom::record::Event;
use carom::simulate::{Cancel, End, Exact, RunError, State, Until};
use carom::simulate::{Rigid, Stepped, SteppedError};
use carom::snapshot::SnapshotError;
use carom::world::{BodyId, World};
use carom_scene::Method;
use std::ops::ControlFlow;
use thiserror::Error;

/// Why a run could not go on.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EngineError {
    /// One by events.
    #[error(transparent)]
    Events(#[from] RunError),
    /// One by forces.
    #[error(transparent)]
    Forces(#[from] SteppedError),
}

/// How a run by forces is stepped.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Stepping {
    /// `rk4`, `verlet` or `euler`.
    pub integrator: &'static str,
    /// How long a step is, s.
    pub step: f64,
    /// How many whole steps there have been.
    pub steps: u64,
    /// Who went over the contacts: `general` (one after the other) or `crowd` (four at once, on all cores).
    pub runner: &'static str,
    /// Why it was the general one where there were balls enough for the crowd, or `null`.
    pub why_general: Option<String>,
    /// On how many threads. The results do not depend on it.
    pub threads: usize,
}

/// A run, by events or by forces.
pub trait Engine<S: DataSpace>: Sized {
    /// By which method.
    const METHOD: Method;

    /// Whether it is for worlds with solids that turn.
    const SOLIDS: bool = false;

    /// The clock, s.
    fn time(&self) -> f64;

    /// How many collisions there have been; by forces, contacts that have ended.
    fn collisions(&self) -> u64;

    /// Where a body is now, and how it moves.
    fn state(&self, id: BodyId) -> State<S>;

    /// Where a body would be had it not been brought back into the periodic box, m.
    fn unwrapped_position(&self, id: BodyId) -> S::Vector;

    /// The books as they stand.
    fn audit(&self) -> Audit<S>;

    /// Uniform gravity, m/s².
    fn gravity(&self) -> S::Vector;

    /// A hash of all that happened and of all states now.
    fn digest(&self) -> u64;

    /// Everything, to go on from.
    fn snapshot(&self) -> Vec<u8>;

    /// A run that goes on from a snapshot.
    fn restore(bytes: &[u8]) -> Result<Self, SnapshotError>;

    /// The world as it is now.
    fn to_world(&self) -> World<S>;

    /// Whether nothing will ever move again.
    fn is_at_rest_everywhere(&self) -> bool;

    /// How many pairs travel in tandem.
    fn number_in_tandem(&self) -> usize;

    /// How many pieces of way have been made, each with an error of its own, since the run was started or restored; by events alone.
    fn pieces(&self) -> u64 {
        0
    }

    /// Whether no free body, nor its surface, is faster than a limit (m/s) now, nor was in its flight so long ago (s), where the run knows by itself; `None` where its states tell.
    fn is_slow(&self, _limit: f64, _back: f64) -> Option<bool> {
        None
    }

    /// The next world time (s) at which it is to be asked whether everything is at rest, besides at events; `None` where those are enough. These times are those of a grid of its own: where a run is cut into
    /// legs changes nothing about them.
    fn next_look_for_rest(&self) -> Option<f64> {
        None
    }

    /// What whoever reads the results should know, in words; empty where all is well.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// How it is stepped, where it is.
    fn stepping(&self) -> Option<Stepping> {
        None
    }

    /// Takes a token by which whoever has it ends the run, and the world time (s) to which it is to be made in the end.
    fn attend(&mut self, cancel: Option<Cancel>, horizon: f64);

    /// Until when to go before somebody looks at the wall clock, at most until a world time (s).
    fn leg(&self, until: f64) -> f64;

    /// Runs until a world time (s), telling of each event.
    ///
    /// It ends early where `stop` says so, which is asked where the states are there anyway: by events after each collision, or all those that are
    /// answered together; by forces never. There it also ends where whoever is told wants no more.
    fn go(
        &mut self,
        until: f64,
        stop: impl FnMut(&Self) -> bool,
        tell: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, EngineError>;
}

impl<S: DataSpace> Engine<S> for Exact<S> {
    const METHOD: Method = Method::Events;

    fn pieces(&self) -> u64 {
        self.pieces()
    }

    fn time(&self) -> f64 {
        self.time()
    }

    fn collisions(&self) -> u64 {
        self.collisions()
    }

    fn state(&self, id: BodyId) -> State<S> {
        self.state(id)
    }

    fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        self.unwrapped_position(id)
    }

    fn audit(&self) -> Audit<S> {
        self.audit()
    }

    fn gravity(&self) -> S::Vector {
        self.gravity()
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.snapshot()
    }

    fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Exact::restore(bytes)
    }

    fn to_world(&self) -> World<S> {
        self.to_world()
    }

    fn is_at_rest_everywhere(&self) -> bool {
        self.is_at_rest_everywhere()
    }

    fn number_in_tandem(&self) -> usize {
        self.number_in_tandem()
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings()
    }

    fn attend(&mut self, cancel: Option<Cancel>, horizon: f64) {
        self.set_cancel(cancel);
        self.set_horizon(horizon);
    }

    /// Events are looked at while they come.
    fn leg(&self, until: f64) -> f64 {
        until
    }

    fn go(
        &mut self,
        until: f64,
        stop: impl FnMut(&Self) -> bool,
        mut tell: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, EngineError> {
        let end = self.run_until(Until::time(until).or(stop), |event| {
            // Who wants no more is asked in `stop`: collisions that were answered together are all told of. Where there are none, nobody is asked.
            match tell(event) {
                ControlFlow::Break(()) if matches!(event, Event::Underway(_)) => {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        })?;
        Ok(end)
    }
}

impl<S: DataSpace> Engine<S> for Rigid<S> {
    const METHOD: Method = Method::Events;
    const SOLIDS: bool = true;

    fn time(&self) -> f64 {
        self.time()
    }

    fn collisions(&self) -> u64 {
        self.collisions()
    }

    fn state(&self, id: BodyId) -> State<S> {
        self.state(id)
    }

    /// There are no periodic boxes beside solids that turn.
    fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        self.state(id).position
    }

    fn audit(&self) -> Audit<S> {
        self.audit()
    }

    fn gravity(&self) -> S::Vector {
        self.gravity()
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.snapshot()
    }

    fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Rigid::restore(bytes)
    }

    fn to_world(&self) -> World<S> {
        self.to_world()
    }

    fn is_at_rest_everywhere(&self) -> bool {
        self.is_at_rest_everywhere()
    }

    fn number_in_tandem(&self) -> usize {
        self.number_in_tandem()
    }

    fn is_slow(&self, limit: f64, back: f64) -> Option<bool> {
        Some(self.is_slow(limit, back))
    }

    /// Bodies that keep touching come to rest without events: at the ends of their steps.
    fn next_look_for_rest(&self) -> Option<f64> {
        let (time, step) = (self.time(), self.settling().step);
        let before = (time / step).floor();
        // Whatever the division rounds: the first multiple that is later.
        let mut multiples = (0..4).map(|more| (before + f64::from(more)) * step);
        multiples.find(|&multiple| multiple > time)
    }

    fn attend(&mut self, cancel: Option<Cancel>, horizon: f64) {
        self.set_cancel(cancel);
        self.set_horizon(horizon);
    }

    /// Steps of lasting contacts are no events: somebody is to look at the clock in between. Where a run stops decides nothing about what happens in it.
    fn leg(&self, until: f64) -> f64 {
        let leg = SOLID_STEPS_IN_LEG * self.settling().step / self.lasting().0.max(1) as f64;
        let leg = leg.max(self.settling().step);
        until.min(((self.time() / leg).floor() + 1.0) * leg)
    }

    fn go(
        &mut self,
        until: f64,
        mut stop: impl FnMut(&Self) -> bool,
        mut tell: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, EngineError> {
        let end = self.run_while(
            until,
            |run| !stop(run),
            |event| {
                // Who wants no more is asked in `stop`.
                let _ = tell(event);
                ControlFlow::Continue(())
            },
        )?;
        Ok(end)
    }
}

/// About as many steps of single solids as a tenth of a second is good for.
const SOLID_STEPS_IN_LEG: f64 = 20_000.0;

/// Steps by forces between two looks for rest: few enough for it to be found soon, so many that looking costs nothing.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// About as many steps of single balls as a tenth of a second is good for.
const BALL_STEPS_IN_LEG: usize = 200_000;

impl<S: DataSpace> Engine<S> for Stepped<S> {
    const METHOD: Method = Method::Forces;

    fn time(&self) -> f64 {
        self.time()
    }

    fn collisions(&self) -> u64 {
        self.touches()
    }

    fn state(&self, id: BodyId) -> State<S> {
        self.state(id)
    }

    fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        self.unwrapped_position(id)
    }

    fn audit(&self) -> Audit<S> {
        self.audit().to_audit()
    }

    fn gravity(&self) -> S::Vector {
        self.gravity()
    }

    fn digest(&self) -> u64 {
        self.digest()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.snapshot()
    }

    fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Stepped::restore(bytes)
    }

    fn to_world(&self) -> World<S> {
        self.to_world()
    }

    /// Springs go on swinging, however little: never.
    fn is_at_rest_everywhere(&self) -> bool {
        false
    }

    fn number_in_tandem(&self) -> usize {
        0
    }

    fn stepping(&self) -> Option<Stepping> {
        Some(Stepping {
            integrator: self.scheme().name(),
            step: self.step(),
            steps: self.steps(),
            runner: self.runner().name(),
            why_general: self.why_general().map(str::to_owned),
            threads: self.threads(),
        })
    }

    /// Contacts end without telling of rest: at whole steps.
    fn next_look_for_rest(&self) -> Option<f64> {
        let next = (self.steps() / STEPS_BETWEEN_LOOKS + 1) * STEPS_BETWEEN_LOOKS;
        Some(next as f64 * self.step())
    }

    fn attend(&mut self, cancel: Option<Cancel>, _horizon: f64) {
        self.set_cancel(cancel);
    }

    /// Whole steps cost nothing to stop at. Which ones does not depend on where the run was interrupted.
    fn leg(&self, until: f64) -> f64 {
        let bodies = self.bodies().count().max(1);
        let each = match self.has_solids() {
            true => SOLID_STEPS_IN_LEG as usize,
            false => BALL_STEPS_IN_LEG,
        };
        let steps = (each / bodies).max(1) as u64;
        let next = (self.steps() / steps + 1) * steps;
        until.min(next as f64 * self.step())
    }

    fn go(
        &mut self,
        until: f64,
        _stop: impl FnMut(&Self) -> bool,
        mut tell: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, EngineError> {
        Ok(self.run_until(until, |incident| incident.tell(&mut tell))?)
    }
}
