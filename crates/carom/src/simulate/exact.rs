//! The event-driven run: from one true instant to the next.
//!
//! A planner says what happens next ([`planner`](super::planner) quickly, [`predictions`](super::predictions) plainly);
//! this is what happens then. The clock, the order of events and every bit of the results are the same with both,
//! because the time of a contact is a function of the two flights alone.

mod bounds;
mod collide;
mod gain;
mod guide;
mod predict_settling;
mod pressed;
mod sleep;
mod sticking;

use crate::arrays::Each;
use crate::impact::Strikable;
use crate::shape::Shaped;
use collide::Outcome;

use super::bodies::{Bodies, BodyRef, NOWHERE, Step};
use super::cancel::{self, Cancel};
use super::contact_time::ContactTime;
use super::fixture::state_of;
use super::inertials::Inertial;
use super::planner::Planner;
use super::predictions::Predictions;
use super::registry::Registry;
use super::state::State;
use super::watchdog::{Busy, Crawl, Watchdog};
use crate::audit::{Audit, Energy, Holdings, Ledger, Sum};
use crate::body::{Body, Kind};
use crate::material::Materials;
use crate::motion::{Drive, Fields, FlightError};
use crate::record::{Collision, Digest, Edit, Event, Release, SensorCrossing, Transition};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World, WorldError, has_turning_solids};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use thiserror::Error;

/// A run of a world by exact events.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::Exact;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Newton's cradle: five touching balls are struck by a sixth.
/// let mut world = World2::new();
/// world.add(Body::ball(0.5, 1.0, DVec2::new(-3.0, 0.0), DVec2::X)?)?;
/// for place in 0..5 {
///     world.add(Body::ball(0.5, 1.0, DVec2::new(f64::from(place), 0.0), DVec2::ZERO)?)?;
/// }
/// let mut run = Exact::new(world).expect("nothing overlaps");
/// assert_eq!(run.run_to(10.0)?, End::Time);
/// assert_eq!((run.collisions(), run.time()), (5, 10.0));
/// let last = run.bodies().last().expect("six of them");
/// assert_eq!(run.state(last).velocity, DVec2::X);
/// // It goes on from where it is, as often as one likes.
/// assert_eq!(run.run_to(11.0)?, End::Time);
/// assert_eq!(run.state(last).position, DVec2::new(13.0, 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Exact<S: Shaped> {
    pub(super) registry: Registry<S>,
    pub(super) stage: Bodies<S>,
    pub(super) plans: Plans<S>,
    /// Whether the run looks at all pairs, come what may.
    pub(super) reference: bool,
    /// World time, s.
    pub(super) time: f64,
    /// The run's clock at the last event, s: world time since the stage's epoch.
    pub(super) clock: f64,
    pub(super) collisions: u64,
    /// The clock is set back when there have been this many collisions.
    pub(super) rebase_at: u64,
    /// Collisions since the clock last moved.
    pub(super) stalled: u64,
    /// Searches taken up again since the last collision.
    pub(super) fruitless: u64,
    pub(super) contact_time: Option<ContactTime>,
    pub(super) ledger: Ledger<S>,
    pub(super) digest: Digest,
    pub(super) initial: Holdings<S>,
    pub(super) weight: Weight,
    /// Balls that have come since everything was planned anew.
    pub(super) admitted: usize,
    /// Whether balls can come to lie on each other: there is gravity, and something takes energy out of bounces.
    pub(super) piles: bool,
    /// When each ball was last hit by another, by the run's clock, s; by number. Kept only where there can be piles.
    pub(super) last_hits: Vec<f64>,
    /// How often one ball has passed one sensor while nobody else passed any.
    pub(super) passes: Passes,
    /// Whether the run gets on.
    pub(super) watchdog: Watchdog,
    /// Whoever may want the run to end.
    pub(super) cancel: Option<Cancel>,
    /// World time to which the run is to be made in the end, in however many segments, s.
    pub(super) horizon: f64,
    /// Energy beyond all measure that walls have given.
    pub(super) gain: Option<gain::Gain>,
    /// The last collision.
    pub(super) last: Option<Collision<S>>,
    /// Why the run cannot go on.
    pub(super) failure: Option<RunError>,
    /// Whether nobody has looked yet if all balls are within bounds.
    pub(super) unchecked: bool,
    /// Transitions that nobody has been told of.
    pub(super) transitions: VecDeque<Transition>,
    /// Contacts that have ended and that nobody has been told of.
    pub(super) releases: VecDeque<Release>,
    /// Edits that nobody has been told of.
    pub(super) unreported: VecDeque<Edit>,
}

#[derive(Clone, Debug)]
pub(super) enum Plans<S: Space> {
    /// The calendar, and cells.
    Fast(Box<Planner<S>>),
    /// The reference: all pairs, all predictions in a heap.
    Kept(Box<Predictions<S>>),
}

impl<S: Strikable> Plans<S> {
    /// Plans everything that comes after a time of the run's clock, s: as is quickest, or from all pairs.
    pub fn made(stage: &mut Bodies<S>, now: f64, reference: bool) -> Self {
        if reference {
            Plans::Kept(Box::new(Predictions::new(stage, now)))
        } else {
            Plans::Fast(Box::new(Planner::new(stage, now)))
        }
    }

    /// The same for balls that stay in their slots.
    pub fn in_order(stage: &Bodies<S>, now: f64, reference: bool) -> Self {
        if reference {
            Plans::Kept(Box::new(Predictions::new(stage, now)))
        } else {
            Plans::Fast(Box::new(Planner::in_order(stage, now)))
        }
    }
}

/// Why a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time asked for has come.
    Time,
    /// The observer wanted no more.
    Observer,
    /// There have been as many collisions as were asked for.
    Collisions,
    /// Everything has come to rest.
    Rest,
    /// The condition that was given holds.
    Condition,
    /// Whoever has the [`Cancel`] token wanted no more. The run can go on.
    Cancelled,
}

/// Why a run could not go on. What it did so far is kept.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RunError {
    /// The time asked for is NaN, or lies in the past.
    #[error("cannot run until {until} s: the clock stands at {time} s")]
    Until {
        /// As asked, s.
        until: f64,
        /// Now, s.
        time: f64,
    },
    /// Infinitely many collisions pile up at one instant.
    #[error(
        "the run stands still at t = {time} s: {collisions} collisions without the clock moving on, the last between {a} and {b} \
         (a ball that comes to rest bounces infinitely often in a finite time; a contact time gets past that)"
    )]
    Livelock {
        /// s.
        time: f64,
        /// At this instant.
        collisions: u64,
        /// Name or number of one body of the last collision.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A prescribed motion is so fast that the search for its next contact does not come to an end.
    #[error(
        "the search for the next contact of {a} with {b} does not come to an end: nothing by t = {time} s after {searches} attempts \
         (the prescribed motion of {b} is very fast for the time that passes between contacts)"
    )]
    Search {
        /// Certainly free of contacts until then, s.
        time: f64,
        /// Without a collision in between.
        searches: u64,
        /// Name or number of the ball.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// There is no next segment of a ball's way: a field is not finite, or changes too fast.
    #[error("the way of {body} cannot go on: {reason}")]
    Flight {
        /// Name or number.
        body: String,
        /// What is wrong, and where.
        reason: Box<FlightError>,
    },
    /// The run is so slow that it would not come to its end in anybody's lifetime.
    #[error(
        "the run hardly gets on: {body} {busy}; the last {steps} steps led from t = {since} s on by {advance:e} s only, and at that watchdog it never gets to t = {until} s"
    )]
    Crawl {
        /// World time, s.
        time: f64,
        /// When the steps began that were counted, s.
        since: f64,
        /// How far they led, s; less than the last digit of the time, perhaps.
        advance: f64,
        /// How many.
        steps: u64,
        /// The time that was asked for, s.
        until: f64,
        /// Name or number of the body that took the last of them.
        body: String,
        /// What it is busy with.
        busy: Busy,
    },
    /// Walls that move give energy without end.
    #[error(
        "walls that move have given the balls {times:.1e} times the energy that they began with, or that balls as fast as the walls have, by t = {time} s: {body} moves at {speed:.1e} m/s, and there is no end to it \
         (an elastic ball in a gap that closes has infinitely many collisions)"
    )]
    Runaway {
        /// World time, s.
        time: f64,
        /// How many times.
        times: f64,
        /// Name or number of the fastest ball.
        body: String,
        /// How fast it is, m/s.
        speed: f64,
    },
    /// Two bodies that something presses together collide without end, where they should keep touching.
    #[error(
        "{a} and {b} are pressed together and do not come to rest on each other: the last {collisions} collisions led on by {advance:e} s only, to t = {time} s, and before each the two were nearer than 1e-13 of a radius \
         (contacts that last are not followed between all bodies yet; a contact time gets past that)"
    )]
    Pressed {
        /// World time, s.
        time: f64,
        /// How many, of these two and of others beside them.
        collisions: u64,
        /// How far they led, s.
        advance: f64,
        /// Name or number of one body of the last of them.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// The search for the first contact of two solids leads nowhere.
    #[error(
        "the search for the first contact of {a} with {b} hardly gets on: {searches} searches led from t = {since} s on by {advance:e} s only (they turn very fast for the time that was asked for, or graze each other)"
    )]
    FirstContact {
        /// Certainly free of contacts of the two until then, s.
        time: f64,
        /// When the searches began that were counted, s.
        since: f64,
        /// How far they led, s.
        advance: f64,
        /// How many.
        searches: u64,
        /// Name or number of one body.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A ball is so fast, so large or so far away that products of such numbers are no longer finite, and its contacts
    /// would be missed.
    #[error(
        "the {what} of {body} is {value:e} {unit} at t = {time} s: beyond {most:e} a contact cannot be found, since products of such numbers are no longer finite",
        most = bounds::MOST
    )]
    OutOfBounds {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
        /// What of it.
        what: &'static str,
        /// As it is.
        value: f64,
        /// Of that.
        unit: &'static str,
    },
    /// Two bodies overlap by far more than rounding and steps explain: one of them is pressed into the other and cannot
    /// get away.
    #[error(
        "{a} and {b} overlap by {depth:e} m at t = {time} s, and {allowed:e} m is the most: they are pressed into each other and cannot get away \
         (fixtures that close in on a body, or more weight than the contacts of a heap could be solved for; shorter steps and more rounds of settling may help)"
    )]
    Squeezed {
        /// s.
        time: f64,
        /// Name or number of one of the two, a free body.
        a: String,
        /// Name or number of the other.
        b: String,
        /// m.
        depth: f64,
        /// What is allowed between these two, m.
        allowed: f64,
    },
    /// A number has grown beyond what `f64` holds.
    #[error("the motion of {body} is no longer finite at t = {time} s")]
    NotFinite {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
    },
}

/// Who is told of what happens, and may end the run.
pub(super) type Tell<'a, S> = &'a mut dyn FnMut(&Exact<S>, Event<'_, S>) -> ControlFlow<End>;

impl<S: Strikable> Exact<S> {
    /// What [`new`](Self::new) and [`reference`](Self::reference) do.
    pub(super) fn start(world: World<S>, reference: bool) -> Result<Self, Vec<WorldError>> {
        if has_turning_solids(&world) {
            let what =
                "the world has rigid bodies that are not balls: run it as a Simulation".to_owned();
            return Err(vec![WorldError::Solids { what }]);
        }
        let mut wrong = world.without_material();
        wrong.extend(world.misfits());
        wrong.extend(world.overlaps());
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut stage = Bodies::new(&world);
        let contact_time = world.contact_time().map(ContactTime::new);
        // The bodies go before the plans come.
        let registry = Registry::new(world, &stage.balls);
        let plans = if stage.settles_at_start() {
            Plans::Kept(Box::new(Predictions::idle(&stage)))
        } else {
            Plans::made(&mut stage, 0.0, reference)
        };
        let mut run = Exact {
            reference,
            rebase_at: rebase_interval(&stage),
            contact_time,
            registry,
            stage,
            plans,
            time: 0.0,
            clock: 0.0,
            collisions: 0,
            stalled: 0,
            fruitless: 0,
            ledger: Ledger::default(),
            digest: Digest::default(),
            initial: Holdings::default(),
            weight: Weight::default(),
            admitted: 0,
            unreported: VecDeque::new(),
            transitions: VecDeque::new(),
            releases: VecDeque::new(),
            last: None,
            failure: None,
            unchecked: true,
            passes: Passes::default(),
            watchdog: Watchdog::default(),
            cancel: None,
            horizon: 0.0,
            gain: None,
            last_hits: Vec::new(),
            piles: false,
        };
        run.piles = run.may_pile();
        run.initial = run.holdings();
        run.weight.mass = run.total_mass();
        run.start_on_ways();
        Ok(run)
    }

    /// The loop: takes what is next before a world time, lets it happen, and tells of it.
    pub(super) fn go_generic(&mut self, until: f64, tell: Tell<'_, S>) -> Result<End, RunError> {
        if !(until >= self.time && until.is_finite()) {
            let time = self.time;
            return Err(RunError::Until { until, time });
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        if self.unchecked {
            self.check_bounds()?;
            self.unchecked = false;
        }
        while let Some(edit) = self.unreported.pop_front() {
            if let ControlFlow::Break(end) = tell(self, Event::Edited(edit)) {
                return Ok(end);
            }
        }
        // Of those that came with an event at which the last run was ended.
        if let ControlFlow::Break(end) = self.tell_transitions(tell) {
            return Ok(end);
        }
        loop {
            if cancel::is_wanted(&self.cancel) {
                return Ok(End::Cancelled);
            }
            if self.watchdog.is_due()
                && let ControlFlow::Break(end) = tell(self, Event::Underway(self.time))
            {
                return Ok(end);
            }
            let Some((time, step)) = self.next_before(until) else {
                break;
            };
            let told = match step {
                Step::Crossed { ball, cells } => {
                    self.count_unseen((cells, Busy::Cell), time, ball, until)?;
                    continue;
                }
                Step::Wrap { ball, axis, up } => {
                    self.clock = self.clock.max(time);
                    if self.uses_segments() {
                        self.enter_flight(ball as usize);
                        self.forget_predicted_settling(ball, BodyRef::Ball(ball));
                    }
                    self.stage.wrap(ball as usize, self.clock, axis, up);
                    self.changed(&[ball]);
                    self.count_unseen((1, Busy::Round), time, ball, until)?;
                    continue;
                }
                Step::SegmentEnds { ball } => {
                    self.move_clock(time, ball, BodyRef::Ball(ball))?;
                    if self.doze_off(ball) {
                        self.stalled = 0;
                    } else {
                        self.turn(ball);
                    }
                    self.time = self.stage.epoch + self.clock;
                    self.count_unseen((1, Busy::Segment), time, ball, until)?;
                    ControlFlow::Continue(())
                }
                Step::LookedAgain { ball, other } => {
                    self.count_unseen((1, Busy::Search), time, ball, until)?;
                    self.count_search(time, ball, other)?;
                    continue;
                }
                Step::Contact { ball, other } if self.stage.is_sensor(other) => {
                    self.fruitless = 0;
                    self.move_clock(time, ball, other)?;
                    self.count_pass(ball, other)?;
                    let event = self.pass(ball, other);
                    let paced = self.count_seen((1, Busy::SensorCrossing), ball, until);
                    let told = match event {
                        Some(event) => tell(self, event),
                        None => ControlFlow::Continue(()),
                    };
                    paced?;
                    told
                }
                Step::Contact { ball, other } => {
                    self.fruitless = 0;
                    self.watchdog.show();
                    self.move_clock(time, ball, other)?;
                    let pressed = if self.stage.balls.falling {
                        self.since_struck(ball, other)
                    } else {
                        None
                    };
                    let outcome = if self.cut_short(ball, other) {
                        Outcome::Nothing
                    } else {
                        match self.collide(ball, other) {
                            Ok(outcome) => outcome,
                            Err(error) => return Err(self.fail(error)),
                        }
                    };
                    let mut paced = Ok(());
                    if let Some(waited) = pressed {
                        paced = self.count_bounces(&outcome, waited, (ball, other));
                    }
                    if self.collisions >= self.rebase_at && paced.is_ok() {
                        let lap = (rebase_interval(&self.stage), Busy::Collision);
                        paced = self.count_seen(lap, ball, until).and(self.count_gain());
                        self.rebase();
                    }
                    self.time = self.stage.epoch + self.clock;
                    let told = self.tell_of(&outcome, &mut *tell);
                    paced?;
                    told
                }
            };
            if let ControlFlow::Break(end) = told {
                return Ok(end);
            }
            if let Some(failure) = &self.failure {
                return Err(failure.clone());
            }
            if let ControlFlow::Break(end) = self.tell_transitions(tell) {
                return Ok(end);
            }
        }
        self.check_end(until)?;
        self.time = until;
        Ok(End::Time)
    }

    /// Tells of transitions, one by one, so that none is lost where the run is ended in between.
    #[inline]
    fn tell_transitions(&mut self, tell: Tell<'_, S>) -> ControlFlow<End> {
        while let Some(transition) = self.transitions.pop_front() {
            tell(self, Event::Transition(transition))?;
        }
        while let Some(release) = self.releases.pop_front() {
            tell(self, Event::Released(release))?;
        }
        ControlFlow::Continue(())
    }

    /// Lets a ball go into a sensor or out of it; what there is to tell of that.
    #[cold]
    fn pass(&mut self, ball: u32, other: BodyRef) -> Option<Event<'static, S>> {
        let BodyRef::Fixture(index) = other else {
            return None;
        };
        let (id, clock) = (self.stage.balls.ids[ball as usize], self.clock);
        let fixture = &self.stage.fixtures[index as usize];
        let (sensor, image) = (fixture.id, fixture.image);
        let overlaps = &mut self.stage.balls.overlaps;
        let (before, after) = overlaps.pass(id, sensor, image, clock);
        self.changed(&[ball]);
        self.time = self.stage.epoch + clock;
        if before == after {
            return None;
        }
        let passage = SensorCrossing {
            time: self.time,
            ball: id,
            sensor,
        };
        self.digest.number(passage.time);
        self.digest
            .word(u64::from(id.0) << 32 | u64::from(sensor.0));
        Some(if after {
            Event::Entered(passage)
        } else {
            Event::Left(passage)
        })
    }

    /// The balls that are inside a sensor, as far as the run has got.
    pub fn inside(&self, sensor: BodyId) -> Vec<BodyId> {
        let all = self.stage.balls.overlaps.all_inside();
        let mut balls: Vec<BodyId> = all
            .filter(|&(_, other)| other == sensor)
            .map(|(ball, _)| ball)
            .collect();
        balls.dedup();
        balls
    }

    /// Lets the run end where a token says so, or not any more. A clone of the run shares it, a snapshot is without.
    pub fn set_cancel(&mut self, cancel: Option<Cancel>) {
        self.cancel = cancel;
    }

    /// Says to which world time (s) the run will be made in the end, where it is made in segments: whether it gets on
    /// is judged by that. It changes nothing of what happens.
    pub fn set_horizon(&mut self, until: f64) {
        self.horizon = until;
    }

    #[inline(never)]
    fn next_before(&mut self, until: f64) -> Option<(f64, Step)> {
        let until = until - self.stage.epoch;
        match &mut self.plans {
            Plans::Fast(planner) => planner.next(&self.stage, until),
            Plans::Kept(planner) => planner.next(&self.stage, until),
        }
    }

    #[inline]
    pub(super) fn changed(&mut self, slots: &[u32]) {
        if self.uses_segments() {
            self.guide(slots);
        }
        self.plan_again(slots);
    }

    /// Plans anew for balls that go on as they are.
    #[inline]
    pub(super) fn plan_again(&mut self, slots: &[u32]) {
        match &mut self.plans {
            Plans::Fast(planner) => planner.changed(&self.stage, slots, self.clock),
            Plans::Kept(planner) => planner.changed(&self.stage, slots, self.clock),
        }
    }

    /// Everyone who is near a ball, and others.
    pub(super) fn each_neighbour(&mut self, slot: u32, visit: impl FnMut(BodyRef)) {
        let (stage, clock) = (&self.stage, self.clock);
        match &mut self.plans {
            Plans::Fast(planner) => planner.neighbours(stage, slot, clock, visit),
            Plans::Kept(planner) => planner.neighbours(stage, slot, visit),
        }
    }

    /// Plans anew for the bodies of a collision. Whether others touch them.
    #[inline]
    fn struck(&mut self, ball: u32, other: BodyRef) -> bool {
        let pair;
        let (slots, fixture) = match other {
            BodyRef::Ball(other) => {
                pair = [ball, other];
                (&pair[..], None)
            }
            BodyRef::Fixture(index) => {
                pair = [ball; 2];
                (&pair[..1], Some(index))
            }
        };
        if self.uses_segments() {
            self.guide(slots);
        }
        match &mut self.plans {
            Plans::Fast(planner) => planner.struck(&self.stage, slots, fixture, self.clock),
            Plans::Kept(planner) => planner.struck(&self.stage, slots, fixture, self.clock),
        }
    }

    /// Moves the clock to a contact, and notices when it has stood still for too long.
    #[inline(always)]
    fn move_clock(&mut self, time: f64, ball: u32, other: BodyRef) -> Result<(), RunError> {
        if time > self.clock {
            self.clock = time;
            self.stalled = 0;
            return Ok(());
        }
        self.count_stall(ball, other)
    }

    #[cold]
    fn count_stall(&mut self, ball: u32, other: BodyRef) -> Result<(), RunError> {
        self.stalled += 1;
        // A rack of touching balls has many collisions at one instant, but a bounded number of them.
        let patience = 10_000 + 100 * self.stage.slots.len() as u64;
        if self.stalled > patience {
            self.time = self.stage.epoch + self.clock;
            return Err(RunError::Livelock {
                time: self.time,
                collisions: self.stalled,
                a: self.label(self.stage.balls.ids[ball as usize]),
                b: self.label(self.stage.id_of(other)),
            });
        }
        Ok(())
    }

    /// Counts steps of a ball that nobody sees, and notices when they lead nowhere.
    #[inline]
    fn count_unseen(
        &mut self,
        (steps, busy): (u64, Busy),
        time: f64,
        ball: u32,
        until: f64,
    ) -> Result<(), RunError> {
        let to_go = until.max(self.horizon) - (self.stage.epoch + time);
        let balls = self.stage.balls.len();
        match self.watchdog.unseen((steps, busy), balls, time, to_go) {
            None => Ok(()),
            Some(crawl) => Err(self.crawl(crawl, busy, time, ball, until)),
        }
    }

    /// Counts what is seen.
    fn count_seen(
        &mut self,
        (steps, busy): (u64, Busy),
        ball: u32,
        until: f64,
    ) -> Result<(), RunError> {
        self.watchdog.show();
        let to_go = until.max(self.horizon) - (self.stage.epoch + self.clock);
        match self.watchdog.seen(steps, self.clock, to_go) {
            None => Ok(()),
            Some(crawl) => Err(self.crawl(crawl, busy, self.clock, ball, until)),
        }
    }

    #[cold]
    fn crawl(&mut self, crawl: Crawl, busy: Busy, time: f64, ball: u32, until: f64) -> RunError {
        self.time = self.stage.epoch + self.clock;
        RunError::Crawl {
            time: self.time,
            since: self.stage.epoch + time - crawl.advance,
            advance: crawl.advance,
            steps: crawl.steps,
            until: until.max(self.horizon),
            body: self.label(self.stage.balls.ids[ball as usize]),
            busy,
        }
    }

    /// Notices when searches are taken up again and again.
    #[cold]
    fn count_search(&mut self, time: f64, ball: u32, other: BodyRef) -> Result<(), RunError> {
        self.fruitless += 1;
        // Every knot of a path or swing cuts the search of every ball once; beyond that, each attempt is thousands of
        // looks.
        let knots = |body: &Body<S>| match &body.kind {
            Kind::Driven(Drive::Path { knots }) => knots.len() as u64,
            Kind::Driven(Drive::Swing { knots, .. }) => knots.len() as u64,
            _ => 0,
        };
        if self.fruitless.is_multiple_of(500) {
            // Images in a periodic box are searched each for itself.
            let cuts: u64 = self
                .stage
                .fixtures
                .iter()
                .map(|fixture| knots(&fixture.body))
                .sum();
            if self.fruitless > cuts.saturating_mul(self.stage.balls.len() as u64) {
                self.time = self.stage.epoch + time;
                return Err(RunError::Search {
                    time: self.time,
                    searches: self.fruitless,
                    a: self.label(self.stage.balls.ids[ball as usize]),
                    b: self.label(self.stage.id_of(other)),
                });
            }
        }
        Ok(())
    }

    /// Notices when a ball goes in and out of a sensor without getting on: beside a sensor of astronomical size
    /// rounding is larger than the ball.
    #[cold]
    fn count_pass(&mut self, ball: u32, other: BodyRef) -> Result<(), RunError> {
        const MANY: u64 = 10_000;
        let passes = &mut self.passes;
        if passes.pair != Some((ball, other)) {
            *passes = Passes {
                pair: Some((ball, other)),
                count: 0,
                since: self.clock,
            };
        }
        passes.count += 1;
        if passes.count < MANY {
            return Ok(());
        }
        // It has not got on by a millionth of its radius.
        let balls = &self.stage.balls;
        let speed = balls.velocity_at(ball as usize, self.clock).length();
        let way = (self.clock - passes.since) * speed;
        let stands = way <= 1e-6 * balls.hot[ball as usize].radius;
        (passes.count, passes.since) = (0, self.clock);
        if stands {
            self.time = self.stage.epoch + self.clock;
            return Err(RunError::Livelock {
                time: self.time,
                collisions: MANY,
                a: self.label(self.stage.balls.ids[ball as usize]),
                b: self.label(self.stage.id_of(other)),
            });
        }
        Ok(())
    }

    /// Stops at a collision that has no answer: it is as before that, whoever asks again.
    #[cold]
    fn fail(&mut self, error: RunError) -> RunError {
        self.time = self.stage.epoch + self.clock;
        self.failure = Some(error.clone());
        error
    }

    #[cold]
    fn not_finite(&self, id: BodyId) -> RunError {
        RunError::NotFinite {
            time: self.stage.epoch + self.clock,
            body: self.label(id),
        }
    }

    /// Enters into the budget what gravity did in flights that end now.
    #[cold]
    fn enter_flights(&mut self, ball: usize, other: BodyRef) {
        self.enter_flight(ball);
        if let BodyRef::Ball(other) = other {
            self.enter_flight(other as usize);
        }
    }

    /// Enters what happened to a ball in a flight that ends now, or on a wall.
    pub(super) fn enter_flight(&mut self, slot: usize) {
        let balls = &self.stage.balls;
        self.ledger.flown(balls.torque_of_gravity(slot, self.clock));
        if balls.segment(slot).is_some() {
            self.ledger.carried(&self.stage.carried(slot, self.clock));
        }
    }

    /// Plans everything anew.
    #[cold]
    pub(super) fn plan_anew(&mut self) {
        self.stage.close_up();
        self.admitted = 0;
        self.plans = Plans::made(&mut self.stage, self.clock, self.reference);
    }

    /// Sets the clock back to zero, so that times keep their digits however long the run is, and plans everything anew.
    ///
    /// It is done by the number of collisions, so that it does not depend on how the run is cut into segments.
    #[cold]
    fn rebase(&mut self) {
        self.rebase_at = self.collisions + rebase_interval(&self.stage);
        self.stage.rebase(self.clock);
        if let Some(rule) = &mut self.contact_time {
            rule.rebase(self.clock);
        }
        self.passes.since -= self.clock;
        self.watchdog.rebase(self.clock);
        for time in &mut self.last_hits {
            *time -= self.clock;
        }
        self.clock = 0.0;
        self.plan_anew();
    }

    /// Whether balls can come to lie on each other.
    pub(super) fn may_pile(&self) -> bool {
        self.gravity() != S::Vector::ZERO && self.stage.surfaces.materials.any_loss()
    }

    /// The clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The bodies that take part, in the order of insertion.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.registry.ids(&self.stage)
    }

    /// A body as it is now; `None` where there is none of that id. A static or kinematic one is as it was inserted: its
    /// pose is that of time 0, from which its motion is counted. Where that has led it, [`state`](Self::state) says.
    pub fn body(&self, id: BodyId) -> Option<Body<S>> {
        self.registry.body(&self.stage, id, self.local_time())
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.registry.find(name)
    }

    /// The name of a body; empty where it has none.
    pub fn name(&self, id: BodyId) -> &str {
        self.registry.name(id)
    }

    /// The materials that bodies refer to.
    pub fn materials(&self) -> &Materials {
        &self.stage.surfaces.materials
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.stage.balls.gravity
    }

    /// What acts on balls in flight.
    pub fn fields(&self) -> &Fields<S> {
        &self.stage.fields
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.stage.balls.period
    }

    pub(super) fn to_world_generic(&self) -> World<S> {
        let mut world = World::new();
        world.materials = self.materials().clone();
        let periods = self
            .periods()
            .each(|length| (length > 0.0).then_some(length));
        // All of this was accepted before.
        let _ = world.set_fields(self.fields().clone());
        let _ = world.set_integrator(self.stage.integrator);
        let _ = world.set_periodic(periods);
        for (id, mut body) in self.bodies().filter_map(|id| Some((id, self.body(id)?))) {
            if let Kind::Driven(drive) = &mut body.kind {
                *drive = drive.go_on_from(&mut body.pose, self.time);
            }
            self.leave_in(id, &mut body.kind);
            let _ = world.add(body);
        }
        world
    }

    /// How many collisions there have been.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    pub(super) fn state_generic(&self, id: BodyId) -> State<S> {
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                let body = self.registry.fixture(id).expect("a body of this run");
                let state = state_of(body, self.time);
                State {
                    position: state.pose.position,
                    rotation: state.pose.rotation,
                    velocity: state.velocity,
                    spin: state.spin,
                }
            }
            slot => {
                let (slot, time, balls) = (slot as usize, self.local_time(), &self.stage.balls);
                State {
                    position: balls.position_at(slot, time),
                    rotation: balls
                        .rotation_at(slot, time)
                        .unwrap_or_else(|| self.registry.rotation(id)),
                    velocity: balls.velocity_at(slot, time),
                    spin: balls.spin_at(slot, time),
                }
            }
        }
    }

    /// What the run's clock showed at the last event, s: world time since the clock was last set back. Times of events
    /// are rounded to its last digit, not to that of the world time.
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// World time as the run's clock shows it, s.
    pub(super) fn local_time(&self) -> f64 {
        self.time - self.stage.epoch
    }

    pub(super) fn audit_generic(&self) -> Audit<S> {
        let gravity_since = self.gravity() * (self.weight.mass * (self.time - self.weight.since));
        let balls = &self.stage.balls;
        // Across the sides of a periodic box balls push each other without touching, as seen from a point.
        let under_way = (!balls.is_periodic()).then(|| {
            let mut sum = Sum::default();
            if balls.falling {
                let time = self.local_time();
                balls
                    .slots()
                    .for_each(|slot| sum.add(balls.torque_of_gravity(slot, time)));
            }
            sum
        });
        let mut ledger = self.ledger;
        if balls.trajectories.is_some() {
            let time = self.local_time();
            let on_segments = balls.slots().filter(|&slot| balls.segment(slot).is_some());
            on_segments.for_each(|slot| ledger.carried(&self.stage.carried(slot, time)));
        }
        let contacts = self.number_sticking() as u64;
        let held = (contacts, self.in_contact(self.local_time()));
        ledger.balance(
            &self.initial,
            &self.holdings(),
            &held,
            gravity_since,
            under_way,
        )
    }

    pub(super) fn digest_generic(&self) -> u64 {
        let mut digest = self.digest;
        for (id, _, _) in self.free_balls() {
            let state = self.state_generic(id);
            digest.vector::<S>(state.position);
            digest.vector::<S>(state.velocity);
            // What a spin does to two axes is all of it, in 2-D and 3-D.
            for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                digest.vector::<S>(S::surface_velocity(state.spin, S::vector(axis)));
            }
        }
        digest.value()
    }

    /// The free balls by id, with slot and masses. Sums over balls are made in this order, which no planner changes.
    pub(super) fn free_balls(&self) -> impl Iterator<Item = (BodyId, usize, &Inertial)> {
        let inertials = &self.stage.balls.inertials;
        (0..)
            .map(BodyId)
            .zip(&self.stage.slots)
            .filter(|&(_, &slot)| slot != NOWHERE)
            .map(|(id, &slot)| (id, slot as usize, inertials.of(slot as usize)))
    }

    /// Calls `visit` with the slots of all balls that may be within a distance of a place, m, and perhaps of others.
    pub(super) fn balls_within(
        &self,
        place: S::Vector,
        distance: f64,
        mut visit: impl FnMut(usize),
    ) {
        match &self.plans {
            Plans::Fast(planner) => {
                let reach = distance + planner.largest();
                let place = S::components(place);
                let (low, high) = (
                    place.each(|along| along - reach),
                    place.each(|along| along + reach),
                );
                planner.within(low, high, |slot| visit(slot as usize));
            }
            Plans::Kept(_) => self.stage.balls.slots().for_each(visit),
        }
    }

    /// The largest radius of a ball there has been, m.
    pub(super) fn largest_radius(&self) -> f64 {
        self.stage.largest
    }

    /// What messages call a body.
    fn label(&self, id: BodyId) -> String {
        match self.name(id) {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }

    pub(super) fn holdings(&self) -> Holdings<S> {
        let [mut kinetic, mut rotational, mut potential] = [Sum::<f64>::default(); 3];
        let mut momentum = Sum::<S::Vector>::default();
        let mut angular_momentum = Sum::<S::Angular>::default();
        for (_, slot, _) in self.free_balls() {
            let has = self.holdings_of(slot);
            kinetic.add(has.energy.kinetic);
            rotational.add(has.energy.rotational);
            potential.add(has.energy.potential);
            momentum.add(has.momentum);
            angular_momentum.add(has.angular_momentum);
        }
        Holdings {
            energy: Energy {
                kinetic: kinetic.value(),
                rotational: rotational.value(),
                potential: potential.value(),
            },
            momentum: momentum.value(),
            angular_momentum: angular_momentum.value(),
        }
    }

    /// What the ball in a slot has.
    pub(super) fn holdings_of(&self, slot: usize) -> Holdings<S> {
        let (balls, time) = (&self.stage.balls, self.local_time());
        let ball = balls.inertials.of(slot);
        let (velocity, spin) = (balls.velocity_at(slot, time), balls.spin_at(slot, time));
        let place = balls.unwrapped(slot, balls.position_at(slot, time));
        let momentum = velocity * ball.mass;
        let mut holdings = Holdings {
            energy: Energy {
                kinetic: 0.5 * ball.mass * velocity.length_squared(),
                rotational: 0.0,
                potential: self.stage.fields.potential(ball.mass, place),
            },
            momentum,
            angular_momentum: S::torque(place, momentum),
        };
        // A ball that cannot be spun keeps whatever spin it has, and that is no energy that could change.
        if ball.inertia.is_finite() {
            holdings.energy.rotational = 0.5 * ball.inertia * spin.length_squared();
            holdings.angular_momentum += spin * ball.inertia;
        }
        holdings
    }

    /// Of the free balls, kg.
    pub(super) fn total_mass(&self) -> f64 {
        self.free_balls().map(|(_, _, ball)| ball.mass).sum()
    }
}

/// SensorOverlaps of one ball through one sensor, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passes {
    pair: Option<(u32, BodyRef)>,
    count: u64,
    /// When the count began, by the run's clock, s.
    since: f64,
}

/// What gravity pulls at, and since when it has been that much.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    /// kg.
    pub mass: f64,
    /// World time, s.
    pub since: f64,
}

/// Collisions after which the clock is set back: so many that planning anew does not count, so few that balls
/// which have wandered off are put in order again.
fn rebase_interval<S: Shaped>(stage: &Bodies<S>) -> u64 {
    (1 << 16) + 16 * stage.balls.number() as u64
}
