//! A run with a schedule: what is changed while it runs, when, and what sets it off.
//! In which order things happen is said where they are asked for ([`Simulation::at`](super::Simulation::at)).

mod action;
mod check;
mod condition;
mod kicks;
mod perform;
mod store;
mod watch;
mod words;

pub use crate::record::{Entry, EntryKind};
pub use action::{Action, ActionTarget, Bodies, Cause, Trigger, Which};
pub use condition::{Condition, Measured, Relation};
pub use kicks::RandomKicks;
pub(super) use store::SNAPSHOT_KIND;

use super::engine::{Engine, Stop, TellEngine, View};
use super::error::{DirectorError, SimulationError};
use super::exact::End;
use crate::body::{Body, Kind};
use crate::motion::{Drive, Pose};
use crate::record::Event;
use crate::simulate::compiled::Engines;
use crate::simulate::state::State;
use crate::space::Linear;
use crate::world::{BodyId, World};
use std::collections::{BTreeMap, BTreeSet};
use watch::Watch;

/// How often conditions on states are looked at where nobody says how often, s.
const LOOK: f64 = 1e-3;

/// So many entries of the log are kept, and up to twice as many.
const KEPT: usize = 10_000;

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
    /// What was asked for by those after the first half of what is too many: they set each other off.
    set_off: BTreeSet<usize>,
    mounted: BTreeMap<BodyId, Mounted<S>>,
    held: BTreeSet<String>,
    scores: BTreeMap<String, i64>,
    /// The last of them: see [`KEPT`].
    log: Vec<Entry>,
    /// How many at the end of the log have not been told.
    untold: usize,
    /// How often conditions on states are looked at, s.
    look: f64,
    /// Whether conditions have been looked at at all.
    looked: bool,
    /// Bodies that are not there: those that are to come, and those that actions have removed, as they were.
    absent: BTreeMap<BodyId, Body<S>>,
    over: bool,
}

/// The bodies that set an action off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Parties {
    /// The one that hit, or that crossed the sensor.
    ball: Option<BodyId>,
    /// The one that was hit, or the sensor.
    other: Option<BodyId>,
}

/// How a body is mounted that actions move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mount<S: Engines> {
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
struct Mounted<S: Engines> {
    how: Mount<S>,
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
    /// Of a condition: whether it held when it was last looked at.
    held: bool,
}

impl<S: Engines> ActionRule<S> {
    /// Whether something can still set it off.
    fn is_live(&self) -> bool {
        !self.trigger.which.is_over(self.occurrences)
    }

    /// The conditions that it waits for.
    fn conditions(&self) -> &[Condition] {
        if self.is_live() {
            self.trigger.cause.conditions()
        } else {
            &[]
        }
    }
}

/// Something that is to be done.
#[derive(Clone, Debug)]
struct DueAction<S: Engines> {
    order: usize,
    sequence: u64,
    who: Parties,
    job: Job<S>,
}

/// Every so many seconds from a time on.
#[derive(Clone, Copy, Debug)]
struct Repeat {
    /// World time, s.
    from: f64,
    /// s.
    interval: f64,
    /// The one that is next, and the last.
    number: u64,
    last: u64,
}

#[derive(Clone, Debug)]
enum Job<S: Engines> {
    Act(Action<S>),
    /// For the time of that number, again and again.
    Again(Action<S>, Repeat),
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
            set_off: BTreeSet::new(),
            mounted: BTreeMap::new(),
            held: BTreeSet::new(),
            scores: BTreeMap::new(),
            log: Vec::new(),
            untold: 0,
            look: LOOK,
            looked: false,
            absent: BTreeMap::new(),
            over: false,
        }
    }

    /// The same with bodies that are to come, under the numbers after all others.
    pub fn with_waiting(run: Box<dyn Engine<S>>, first: usize, waiting: Vec<Body<S>>) -> Self {
        let numbers = (first as u32..).map(BodyId);
        Director {
            absent: numbers.zip(waiting).collect(),
            ..Director::new(run)
        }
    }

    /// All bodies by their numbers: as they are now, as they were when an action removed them, and as they are to
    /// come.
    pub fn census(&self) -> World<S> {
        let mut world = self.run.to_world();
        if self.absent.is_empty() {
            return world;
        }
        let there = world.take_bodies();
        let mut all: BTreeMap<BodyId, Body<S>> = self.run.bodies().into_iter().zip(there).collect();
        all.extend(self.absent.iter().map(|(&id, body)| (id, body.clone())));
        world.put_bodies(all.into_values().collect());
        world
    }

    /// A body that an action has removed, or that is to come.
    pub fn absent(&self, id: BodyId) -> Option<&Body<S>> {
        self.absent.get(&id)
    }

    /// Where a body is; one that is not there is where it was, or is to come.
    pub fn last_state(&self, id: BodyId) -> State<S> {
        let Some(body) = self.absent.get(&id).filter(|_| !self.run.has(id)) else {
            return self.run.state(id);
        };
        let (velocity, angular_velocity) = match &body.kind {
            Kind::Free(free) => (free.velocity, free.angular_velocity),
            _ => (S::Vector::ZERO, S::Angular::ZERO),
        };
        State {
            position: body.pose.position,
            rotation: body.pose.rotation,
            velocity,
            angular_velocity,
        }
    }

    /// Looks at conditions on states every so many seconds.
    pub fn look_every(&mut self, interval: f64) -> Result<(), DirectorError> {
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(DirectorError::Value {
                action: "look at conditions".to_owned(),
                field: "the interval",
                value: format!("{interval} s"),
                allowed: "positive and finite",
            });
        }
        self.look = interval;
        Ok(())
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
        let left = self.over || self.untold > 0 || self.instant.is_some();
        !(waits || left) && self.batch.is_empty()
    }

    /// Whether something is still to be done at a time that is known: not what is repeated again and again.
    pub fn is_pending(&self) -> bool {
        let mut due = self.schedule.values().chain(&self.batch);
        due.any(|due| !matches!(due.job, Job::Again(..)))
    }

    /// What has been done last.
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
        self.schedule(time, order, Parties::default(), Job::Act(action));
        Ok(self)
    }

    /// Does something every so many seconds, for the first time after one interval from now.
    pub fn every(&mut self, interval: f64, action: Action<S>) -> Result<&mut Self, DirectorError> {
        self.check_interval(interval, &action)?;
        let from = self.run.time();
        self.check(&action, false)?;
        let order = self.next_order();
        let repeat = Repeat {
            from,
            interval,
            number: 1,
            last: u64::MAX,
        };
        self.repeat(order, action, repeat);
        Ok(self)
    }

    /// The same from a world time (s) on, at which it is done for the first time, so many times.
    pub fn every_from(
        &mut self,
        from: f64,
        interval: f64,
        times: Option<u64>,
        action: Action<S>,
    ) -> Result<&mut Self, DirectorError> {
        self.check_time(from, &action)?;
        self.check_interval(interval, &action)?;
        self.check(&action, false)?;
        let order = self.next_order();
        let repeat = Repeat {
            from,
            interval,
            number: 0,
            last: times.map_or(u64::MAX, |times| times.saturating_sub(1)),
        };
        if times != Some(0) {
            self.repeat(order, action, repeat);
        }
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
            held: false,
        });
        Ok(self)
    }

    /// Mounts a fixed body, as it stands now, so that actions can move it.
    pub fn mount(&mut self, body: BodyId, how: Mount<S>) -> Result<&mut Self, DirectorError> {
        let rest = self.check_mount(body, &how)?;
        let mount = Mounted {
            how,
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
        if !self.looked && self.rules.iter().any(|rule| !rule.conditions().is_empty()) {
            self.looked = true;
            self.instant.get_or_insert(self.run.time());
        }
        loop {
            if self.tell(listener) {
                return Ok(End::Observer);
            }
            if let Some(instant) = self.instant {
                let end = self.finish(instant, listener)?;
                if end != End::Time {
                    return Ok(end);
                }
                // Actions may have brought about what the run is to end at.
                if let Some(stop) = &mut stop
                    && !self.over
                    && stop(&View::of(&*self.run))
                {
                    return Ok(End::Condition);
                }
            }
            if self.over {
                return Ok(End::Condition);
            }
            let next = self.schedule.keys().next();
            let next = next.map(|&(bits, ..)| f64::from_bits(bits).max(self.run.time()));
            let next = next.into_iter().chain(self.next_look()).reduce(f64::min);
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
            self.look_at_conditions();
            if self.batch.is_empty() || self.over {
                self.instant = None;
                return Ok(End::Time);
            }
            let performed = self.perform_batch();
            let broken_off = self.tell(listener);
            performed?;
            if broken_off {
                return Ok(End::Observer);
            }
        }
    }

    /// Tells of what has been done and was not told. Whether the listener wants to end the run.
    fn tell(&mut self, listener: TellEngine<'_, S>) -> bool {
        while self.untold > 0 {
            let entry = &self.log[self.log.len() - self.untold];
            self.untold -= 1;
            if listener(&Event::Action(entry)).is_break() {
                return true;
            }
        }
        if self.log.len() > 2 * KEPT {
            self.log.drain(..self.log.len() - KEPT);
        }
        false
    }

    /// The next time at which conditions on states are looked at, s: a multiple of the interval, whatever the run is
    /// divided into.
    fn next_look(&self) -> Option<f64> {
        let mut conditions = self.rules.iter().flat_map(ActionRule::conditions);
        if !conditions.any(Condition::is_of_state) {
            return None;
        }
        let now = self.run.time();
        let number = (now / self.look).floor() + 1.0;
        let next = [number, number + 1.0].map(|number| number * self.look);
        let next = next.into_iter().find(|&next| next > now);
        Some(next.unwrap_or(now.next_up()))
    }

    fn next_order(&mut self) -> usize {
        self.orders += 1;
        self.orders
    }

    fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn schedule(&mut self, time: f64, order: usize, who: Parties, job: Job<S>) {
        let sequence = self.next_sequence();
        let due = DueAction {
            order,
            sequence,
            who,
            job,
        };
        // No time is negative, so that their bits are in their order; −0 would not be.
        let bits = (time + 0.0).to_bits();
        self.schedule.insert((bits, order, sequence), due);
    }

    /// Schedules something that is done at intervals for the next time. Times are multiples, so that no error adds up.
    fn repeat(&mut self, order: usize, action: Action<S>, repeat: Repeat) {
        let time = repeat.from + repeat.number as f64 * repeat.interval;
        // Too short for the clock to show it still has to be later; the first may be now.
        let earliest = match repeat.number {
            0 => self.run.time(),
            _ => self.run.time().next_up(),
        };
        let job = Job::Again(action, repeat);
        self.schedule(time.max(earliest), order, Parties::default(), job);
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
