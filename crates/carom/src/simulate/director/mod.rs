//! A run with a schedule: what is changed while it runs, when, and what sets it off.
//! In which order things happen is said where they are asked for ([`Simulation::at`](super::Simulation::at)).

mod action;
mod check;
mod perform;

pub use action::{Action, ActionTarget, Cause, Trigger, Which};

use super::engine::{Engine, Stop, TellEngine};
use super::error::{DirectorError, SimulationError};
use super::exact::End;
use crate::motion::{Drive, Pose};
use crate::record::{Event, SensorCrossing};
use crate::simulate::compiled::Engines;
use crate::world::BodyId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// More actions than this at one instant set each other off without end.
const MOST_AT_ONCE: u64 = 10_000;

/// A run, and those that change it: at times, at intervals, at events, at keys.
#[derive(Clone)]
pub(super) struct Director<S: Engines> {
    run: Box<dyn Engine<S>>,
    rules: Vec<ActionRule<S>>,
    /// How many actions have been asked for.
    orders: usize,
    /// By time (as bits: none is negative), order, and sequence.
    schedule: BTreeMap<(u64, usize, u64), DueAction<S>>,
    /// Of what is due, in the order in which it came up.
    sequence: u64,
    /// The instant whose events and actions are under way, world time, s.
    instant: Option<f64>,
    /// What is due at it.
    batch: Vec<DueAction<S>>,
    /// Actions done at one world time.
    at_once: (f64, u64),
    mounted: BTreeMap<BodyId, Mount<S>>,
    held: BTreeSet<String>,
    scores: BTreeMap<String, i64>,
    log: Vec<Entry>,
    over: bool,
}

/// Something that a director did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// World time, s.
    pub time: f64,
    /// The action's number in the order in which actions were asked for, from 1; 0 for what the director does by
    /// itself.
    pub order: usize,
    /// The ball that set it off.
    pub ball: Option<BodyId>,
    /// In words.
    pub what: String,
}

/// How a body is mounted that actions move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Joint<S: Engines> {
    /// It can turn about a point: a flipper, a gate.
    Hinge {
        /// m.
        pivot: S::Vector,
        /// Of length one; in 2-D 1 or −1.
        axis: S::Angular,
    },
    /// It can move straight on: a plunger, a drop target.
    Rail,
}

/// A body that actions move.
#[derive(Clone, Debug)]
struct Mount<S: Engines> {
    joint: Joint<S>,
    /// Where it was mounted.
    rest: Pose<S>,
    /// How it moves, or the last that it did.
    drive: Option<Drive<S>>,
    /// How often it has been set in motion.
    moves: u64,
}

#[derive(Clone, Debug)]
struct ActionRule<S: Engines> {
    order: usize,
    trigger: Trigger,
    occurrences: u64,
    action: Action<S>,
}

/// Something that is to be done.
#[derive(Clone, Debug)]
struct DueAction<S: Engines> {
    order: usize,
    sequence: u64,
    ball: Option<BodyId>,
    job: Job<S>,
}

#[derive(Clone, Debug)]
enum Job<S: Engines> {
    Act(Action<S>),
    /// For the time of that number, every so many seconds from a time on.
    Repeat {
        action: Action<S>,
        from: f64,
        interval: f64,
        number: u64,
    },
    /// A body has arrived where it was to go, if it has not been sent elsewhere since.
    Arrive {
        body: BodyId,
        moves: u64,
    },
}

impl<S: Engines> Director<S> {
    /// Takes over a run.
    pub fn new(run: Box<dyn Engine<S>>) -> Self {
        Director {
            run,
            rules: Vec::new(),
            orders: 0,
            schedule: BTreeMap::new(),
            sequence: 0,
            instant: None,
            batch: Vec::new(),
            at_once: (f64::NEG_INFINITY, 0),
            mounted: BTreeMap::new(),
            held: BTreeSet::new(),
            scores: BTreeMap::new(),
            log: Vec::new(),
            over: false,
        }
    }

    /// The run.
    pub fn run(&self) -> &dyn Engine<S> {
        &*self.run
    }

    /// The run, to be changed.
    pub fn run_mut(&mut self) -> &mut dyn Engine<S> {
        &mut *self.run
    }

    /// Whether nothing is to be done later, nor is anything left to do.
    pub fn is_idle(&self) -> bool {
        let waits = !(self.rules.is_empty() && self.schedule.is_empty());
        !(waits || self.over) && self.batch.is_empty() && self.instant.is_none()
    }

    /// What has been done so far.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// A score by its name; zero where nothing was ever added to it.
    pub fn score(&self, name: &str) -> i64 {
        self.scores.get(name).copied().unwrap_or(0)
    }

    /// All scores, by name.
    pub fn scores(&self) -> impl Iterator<Item = (&str, i64)> {
        self.scores.iter().map(|(name, &points)| (&**name, points))
    }

    /// Whether a key is held.
    pub fn is_held(&self, key: &str) -> bool {
        self.held.contains(key)
    }

    /// Whether an action has ended the run.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Does something at a world time (s), after all events of that instant.
    pub fn at(&mut self, time: f64, action: Action<S>) -> Result<&mut Self, DirectorError> {
        self.check_time(time, &action)?;
        self.check(&action, false)?;
        let order = self.next_order();
        self.schedule(time, order, None, Job::Act(action));
        Ok(self)
    }

    /// Does something every so many seconds, for the first time after one interval from now.
    pub fn every(&mut self, interval: f64, action: Action<S>) -> Result<&mut Self, DirectorError> {
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(DirectorError::Value {
                action: self.words(&action),
                field: "the interval",
                value: format!("{interval} s"),
                allowed: "positive and finite",
            });
        }
        self.check(&action, false)?;
        let order = self.next_order();
        let from = self.run.time();
        self.repeat(order, action, from, interval, 1);
        Ok(self)
    }

    /// Does something when something happens, at that instant, after all its events.
    pub fn on(&mut self, trigger: Trigger, action: Action<S>) -> Result<&mut Self, DirectorError> {
        self.check_trigger(&trigger, &action)?;
        self.check(&action, trigger.cause.has_ball())?;
        let order = self.next_order();
        self.rules.push(ActionRule {
            order,
            trigger,
            occurrences: 0,
            action,
        });
        Ok(self)
    }

    /// Mounts a fixed body, as it stands now, so that actions can move it.
    pub fn mount(&mut self, body: BodyId, joint: Joint<S>) -> Result<&mut Self, DirectorError> {
        let rest = self.check_joint(body, &joint)?;
        let mount = Mount {
            joint,
            rest,
            drive: None,
            moves: 0,
        };
        self.mounted.insert(body, mount);
        Ok(self)
    }

    /// Presses a key now, between two pieces of run; nothing where it is held already. A key that is to be pressed at a
    /// time of its own goes into the schedule, as [`Action::Press`].
    pub fn press(&mut self, key: &str) -> Result<(), DirectorError> {
        self.use_key(key, true, 0);
        self.do_what_keys_ask()
    }

    /// Lets a key go now; nothing where it is not held.
    pub fn release(&mut self, key: &str) -> Result<(), DirectorError> {
        self.use_key(key, false, 0);
        self.do_what_keys_ask()
    }

    fn do_what_keys_ask(&mut self) -> Result<(), DirectorError> {
        // An instant that a listener broke off is finished first, by the next run.
        while self.instant.is_none() && !self.batch.is_empty() {
            self.perform_batch()?;
        }
        Ok(())
    }

    /// Runs until a world time, s, telling of every event. The listener may end the run, which is [`End::Observer`],
    /// and so may `stop`, which is [`End::Condition`]; then it can be taken up again. Where an action has ended it,
    /// which is [`End::Condition`] too, it cannot.
    pub fn go_on(
        &mut self,
        until: f64,
        mut stop: Option<Stop<'_, S>>,
        listener: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        if !(until >= self.run.time() && until.is_finite()) {
            return Err(self.run.wrong_time(until));
        }
        if !self.batch.is_empty() {
            // What a key asked for and an action before it kept from being done.
            self.instant.get_or_insert(self.run.time());
        }
        loop {
            if let Some(instant) = self.instant {
                let end = self.finish(instant, listener)?;
                if end != End::Time {
                    return Ok(end);
                }
            }
            if self.over {
                return Ok(End::Condition);
            }
            let next = self.schedule.keys().next();
            let next = next.map(|&(bits, ..)| f64::from_bits(bits).max(self.run.time()));
            let target = next.filter(|&next| next < until).unwrap_or(until);
            let mut watch = Watch::new(&self.rules);
            let end = if target > self.run.time() {
                let stop: Option<Stop<'_, S>> = match &mut stop {
                    Some(stop) => Some(&mut **stop),
                    None => None,
                };
                (self.run).go(target, stop, &mut |event| watch.see(event, listener, true))?
            } else {
                End::Time
            };
            let (seen, broken_off) = (watch.seen, watch.broken_off);
            let stopped = end == End::Observer;
            self.set_off(seen);
            if end == End::Cancelled {
                return Ok(end);
            }
            if end == End::Condition {
                self.instant = Some(self.run.time());
                return Ok(end);
            }
            if stopped {
                self.instant = Some(self.run.time());
            } else if next == Some(target) && target < until {
                self.instant = Some(target);
            } else {
                return Ok(End::Time);
            }
            if broken_off {
                return Ok(End::Observer);
            }
        }
    }

    /// Lets everything happen that is left of an instant: events, then actions, and again, until there is nothing more.
    fn finish(
        &mut self,
        instant: f64,
        listener: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        loop {
            let mut watch = Watch::new(&self.rules);
            let end =
                (self.run).go_through(instant, &mut |event| watch.see(event, listener, false))?;
            let seen = watch.seen;
            self.set_off(seen);
            if matches!(end, End::Observer | End::Cancelled) {
                return Ok(end);
            }
            self.take_what_is_due(instant);
            if self.batch.is_empty() || self.over {
                self.instant = None;
                return Ok(End::Time);
            }
            self.perform_batch()?;
        }
    }

    fn next_order(&mut self) -> usize {
        self.orders += 1;
        self.orders
    }

    fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn schedule(&mut self, time: f64, order: usize, ball: Option<BodyId>, job: Job<S>) {
        let sequence = self.next_sequence();
        let due = DueAction {
            order,
            sequence,
            ball,
            job,
        };
        // No time is negative, so that their bits are in their order; −0 would not be.
        let bits = (time + 0.0).to_bits();
        self.schedule.insert((bits, order, sequence), due);
    }

    /// Schedules something that is done at intervals for the next time. Times are multiples, so that no error adds up.
    fn repeat(&mut self, order: usize, action: Action<S>, from: f64, interval: f64, number: u64) {
        let time = from + number as f64 * interval;
        let job = Job::Repeat {
            action,
            from,
            interval,
            number,
        };
        // Too short for the clock to show it still has to be later.
        self.schedule(time.max(self.run.time().next_up()), order, None, job);
    }

    fn take_what_is_due(&mut self, instant: f64) {
        while let Some(entry) = self.schedule.first_entry() {
            if f64::from_bits(entry.key().0) > instant {
                break;
            }
            self.batch.push(entry.remove());
        }
    }
}

/// Something that happened and that a rule asks about.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Collided(BodyId, BodyId),
    Entered(SensorCrossing),
    Left(SensorCrossing),
}

/// Looks out for what rules ask about while the run goes on.
struct Watch<'a, S: Engines> {
    rules: &'a [ActionRule<S>],
    seen: Vec<Seen>,
    /// Whether the listener wanted to end the run.
    broken_off: bool,
}

impl<'a, S: Engines> Watch<'a, S> {
    fn new(rules: &'a [ActionRule<S>]) -> Self {
        Watch {
            rules,
            seen: Vec::new(),
            broken_off: false,
        }
    }

    /// Notes an event and passes it on. The run is ended by the listener, or (where `stop`) by what a rule asks about.
    fn see(
        &mut self,
        event: &Event<'_, S>,
        listener: TellEngine<'_, S>,
        stop: bool,
    ) -> ControlFlow<()> {
        let (seen, of_interest) = match *event {
            Event::Collision(collision) => {
                let (a, b) = (collision.a, collision.b);
                let asked =
                    |cause: &Cause| matches!(*cause, Cause::Hit(body) if body == a || body == b);
                (Some(Seen::Collided(a, b)), self.asks(asked))
            }
            Event::Entered(passage) => {
                let asked = |cause: &Cause| *cause == Cause::Entered(passage.sensor);
                (Some(Seen::Entered(passage)), self.asks(asked))
            }
            Event::Left(passage) => {
                let asked = |cause: &Cause| *cause == Cause::Left(passage.sensor);
                (Some(Seen::Left(passage)), self.asks(asked))
            }
            _ => (None, false),
        };
        if of_interest {
            self.seen.extend(seen);
        }
        self.broken_off |= listener(event).is_break();
        if self.broken_off || (of_interest && stop) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn asks(&self, asked: impl Fn(&Cause) -> bool) -> bool {
        self.rules.iter().any(|rule| asked(&rule.trigger.cause))
    }
}
