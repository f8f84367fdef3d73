//! Running, and when a run ends.

use super::{Compiled, Simulation};
use crate::record::Event;
use crate::simulate::cancel::Cancel;
use crate::simulate::director::Director;
use crate::simulate::engine::{Engine, Stop, TellEngine, View};
use crate::simulate::error::SimulationError;
use crate::simulate::exact::{End, Exact, RunError};
use crate::simulate::rest::{Rest, RestMemory};
use crate::simulate::stepped::Incident;
use crate::simulate::until::Until;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

impl<S: Compiled> Simulation<S> {
    /// Runs until a world time (s), or until another condition of an [`Until`] holds. Says which.
    ///
    /// Where it fails, what it did so far is kept.
    pub fn run_until<'a>(
        &mut self,
        until: impl Into<Until<'a, S>>,
    ) -> Result<End, SimulationError> {
        S::simulation_run(self, until.into(), &mut |_| ControlFlow::Continue(()))
    }

    /// The same, telling a listener of everything that happens. The listener may end the run, which is
    /// [`End::Observer`]; so a caller that wants to change something at an event lets it end there, changes it, and
    /// runs on.
    ///
    /// Simultaneous events are all reported before the run ends. What happens does not depend on the listener. Changes
    /// that were made since the last run are reported first. By forces a contact is reported as a collision, when it
    /// has ended.
    ///
    /// Where several reasons to end come together, it says the first of these: the number of collisions, rest, a
    /// condition, the listener.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World2::new();
    /// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).velocity(DVec2::X))?;
    /// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(3.0, 0.0)))?;
    /// let mut simulation = Simulation::new(world)?;
    /// let end = simulation.run_with(10.0, |event| match event {
    ///     Event::Collision(_) => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// })?;
    /// assert_eq!((end, simulation.time()), (End::Observer, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_with<'a>(
        &mut self,
        until: impl Into<Until<'a, S>>,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, SimulationError> {
        S::simulation_run(self, until.into(), &mut listener)
    }

    pub(in crate::simulate) fn run_generic(
        &mut self,
        until: Until<'_, S>,
        listener: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        conduct(&mut self.directed, until, listener)
    }

    /// Runs until a world time (s), telling a listener of contacts in all detail: when they begin, how deep they are,
    /// what dampers take. Only by forces, and where nothing is [to happen later](Self::at). The listener may end the
    /// run: the clock then shows the time of what was reported.
    pub fn run_with_contacts(
        &mut self,
        until: f64,
        mut listener: impl FnMut(&Incident<S>) -> ControlFlow<()>,
    ) -> Result<End, SimulationError> {
        if !self.directed.is_idle() {
            return Err(SimulationError::NotYet {
                what: "contacts that are reported from their beginning to their end",
                only: "a simulation in which nothing is to happen later",
            });
        }
        self.engine_mut().go_by_contacts(until, &mut listener)
    }

    /// Lets runs end where a token says so, or not any more. A clone shares it, a snapshot is without.
    pub fn set_cancel(&mut self, cancel: Option<Cancel>) {
        self.engine_mut().set_cancel(cancel);
    }

    /// Says to which world time (s) it will be run in the end, if that is done in several calls: whether it makes
    /// progress is judged by that. It changes nothing of what happens.
    pub fn set_horizon(&mut self, until: f64) {
        self.engine_mut().set_horizon(until);
    }

    /// Whether a run until a world time (s) would end within a lifetime: very stiff springs need very
    /// short steps. Runs look at it themselves; this is for programs that want to know before.
    pub fn check_until(&self, until: f64) -> Result<(), SimulationError> {
        self.engine().check_until(until)
    }

    /// The world time (s), at most `until`, at which to stop for a caller that wants to look at the wall clock some ten
    /// times a second. Stopping there costs nothing and changes nothing. By impulses it is `until` where events come
    /// often enough to be looked at instead.
    pub fn next_pause(&self, until: f64) -> f64 {
        self.engine().leg(until)
    }
}

impl<S: Compiled> Exact<S> {
    /// Runs until a time or another condition, reporting everything that happens. The listener may end the run; so a
    /// caller that wants to change something at an event lets it end there, changes it, and runs on.
    ///
    /// What happens does not depend on the listener. Changes that were made since the last run are reported first.
    pub fn run_until<'a>(
        &mut self,
        until: impl Into<Until<'a, S>>,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        S::exact_run_until(self, until.into(), &mut listener)
    }

    pub(in crate::simulate) fn run_until_generic(
        &mut self,
        until: Until<'_, S>,
        listener: &mut dyn FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        conduct(self, until, listener).map_err(|error| match error {
            SimulationError::Run(error) => *error,
            error => unreachable!("a run by impulses fails as such: {error}"),
        })
    }
}

/// Something that goes: an engine, or one with things to do later.
trait Goes<S: Compiled> {
    fn engine(&self) -> &dyn Engine<S>;
    /// Whether something is still to be done at a time that is known: then nothing is at rest yet.
    fn is_pending(&self) -> bool;
    fn go(
        &mut self,
        until: f64,
        stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError>;
}

impl<S: Compiled> Goes<S> for Director<S> {
    fn engine(&self) -> &dyn Engine<S> {
        self.run()
    }

    fn is_pending(&self) -> bool {
        Director::is_pending(self)
    }

    fn go(
        &mut self,
        until: f64,
        stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        if self.is_idle() {
            self.run_mut().go(until, stop, tell)
        } else {
            self.go_on(until, stop, tell)
        }
    }
}

impl<S: Compiled> Goes<S> for Exact<S> {
    fn engine(&self) -> &dyn Engine<S> {
        self
    }

    fn is_pending(&self) -> bool {
        false
    }

    fn go(
        &mut self,
        until: f64,
        stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        Engine::go(self, until, stop, tell)
    }
}

/// Runs until one of the conditions holds.
fn conduct<S: Compiled>(
    run: &mut dyn Goes<S>,
    until: Until<'_, S>,
    listener: TellEngine<'_, S>,
) -> Result<End, SimulationError> {
    let Until {
        time,
        collisions,
        rest,
        conditions,
    } = until;
    if collisions == Some(0) {
        return Ok(End::Collisions);
    }
    let now = run.engine().time();
    let mut own = RestMemory::since(now);
    let rest = match rest {
        None => None,
        Some(wanted) => {
            // A run in pieces ends where it would in one go: only its very beginning is looked at besides events and
            // times of the grid.
            let begins = wanted.memory.is_none() || (run.engine().collisions() == 0 && now == 0.0);
            let memory = wanted.memory.unwrap_or(&mut own);
            let mut rest = Rest::new(wanted.limit, run.engine(), memory);
            if begins && !run.is_pending() && rest.holds(run.engine()) {
                return Ok(End::Rest);
            }
            Some(rest)
        }
    };
    if collisions.is_none() && rest.is_none() && conditions.is_empty() {
        return run.go(time, None, listener);
    }
    if !(time >= now && time.is_finite()) {
        return Err(run.engine().wrong_time(time));
    }
    run.engine().check_until(time)?;
    let ends = Ends {
        left: Cell::new(collisions),
        rest: RefCell::new(rest),
        reached: Cell::new(false),
        rests: Cell::new(false),
        holds: Cell::new(false),
    };
    ends.go(run, time, conditions, listener)
}

type Conditions<'a, S> = Vec<Box<dyn FnMut(&View<'_, S>) -> bool + 'a>>;

/// What ends a run before its time.
struct Ends<'m> {
    /// Collisions that are left, where they are counted. By forces what a run has counted is what was before the clock,
    /// so that those are counted that are told.
    left: Cell<Option<u64>>,
    rest: RefCell<Option<Rest<'m>>>,
    /// Whether there have been as many collisions as were asked for.
    reached: Cell<bool>,
    /// Whether everything is at rest.
    rests: Cell<bool>,
    /// Whether a condition holds.
    holds: Cell<bool>,
}

impl Ends<'_> {
    fn go<S: Compiled>(
        &self,
        run: &mut dyn Goes<S>,
        time: f64,
        mut conditions: Conditions<'_, S>,
        listener: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        let looks = self.rest.borrow().is_some();
        let at_events = looks && !run.engine().rests_at_steps();
        let asks = at_events || !conditions.is_empty();
        // What stops it is looked at in one place: events that come together are all told, whatever the first of them
        // led to.
        let mut stop = |view: &View<'_, S>| {
            if at_events {
                self.look_for_rest(view.engine());
            }
            if conditions.iter_mut().any(|condition| condition(view)) {
                self.holds.set(true);
            }
            self.rests.get() || self.holds.get() || self.reached.get()
        };
        let mut tell = |event: &Event<'_, S>| {
            let told = listener(event);
            if let Some(rest) = &mut *self.rest.borrow_mut() {
                rest.see(event);
            }
            if let (Event::Collision(_), Some(left)) = (event, self.left.get()) {
                self.left.set(Some(left.saturating_sub(1)));
                self.reached.set(left <= 1);
            }
            if self.reached.get() {
                ControlFlow::Break(())
            } else {
                told
            }
        };
        // Where rest is looked for besides events, from one such look to the next.
        loop {
            let look = if looks {
                run.engine().next_look_for_rest()
            } else {
                None
            };
            let target = look.map_or(time, |look| look.min(time));
            let asked: Option<Stop<'_, S>> = if asks { Some(&mut stop) } else { None };
            let end = run.go(target, asked, &mut tell)?;
            if end == End::Time && look == Some(target) {
                self.look_for_rest(run.engine());
            }
            // What is at rest now will not stay so.
            let awaited = self.rests.get() && run.is_pending();
            if awaited {
                self.rests.set(false);
            }
            let ended = self.holds.get() || self.reached.get();
            let goes_on = awaited && end == End::Condition && !ended;
            if end != End::Time && !goes_on {
                return Ok(self.why(end));
            }
            if self.rests.get() || (end == End::Time && !(target < time)) {
                return Ok(self.why(end));
            }
        }
    }

    fn look_for_rest<S: Compiled>(&self, run: &dyn Engine<S>) {
        if let Some(rest) = &mut *self.rest.borrow_mut()
            && rest.holds(run)
        {
            self.rests.set(true);
        }
    }

    fn why(&self, end: End) -> End {
        match end {
            End::Cancelled => end,
            _ if self.reached.get() => End::Collisions,
            _ if self.rests.get() => End::Rest,
            _ if self.holds.get() => End::Condition,
            _ => end,
        }
    }
}
