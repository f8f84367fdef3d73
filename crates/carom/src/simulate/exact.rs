//! The event-driven run: from one true instant to the next.
//!
//! A planner says what happens next ([`planner`](super::planner) quickly, [`predictions`](super::predictions) plainly);
//! this is what happens then. The clock, the order of events and every bit of the results are the same with both,
//! because the time of a contact is a function of the two flights alone.

mod bounds;
mod collide;
mod counts;
mod error;
mod fail;
mod gain;
mod gas;
mod guide;
mod holdings;
mod inspect;
mod islands;
mod jointed;
mod plans;
mod predict_settling;
mod pressed;
mod rigid;
mod settle;
mod shear;
mod stall;
mod sticking;

use crate::impact::Strikable;
use crate::shape::Shaped;
use collide::Outcome;
pub(super) use counts::Passes;
pub use error::{End, RunError};
pub(super) use islands::Chatter;
pub(super) use plans::Plans;

use super::bodies::{Bodies, BodyRef, Step};
use super::cancel::{self, Cancel};
use super::contact_time::ContactTime;
use super::jointed::{Jointed, joined_in_steps, unfit_joints};
use super::predictions::Predictions;
use super::refuse::loaded_by_euler;
use super::registry::Registry;
use super::rigid::{Core, Settling};
use super::watchdog::{Busy, Watchdog};
use crate::audit::{Holdings, Ledger};
use crate::motion::Integrator;
use crate::record::{Collision, Digest, Edit, Event, Release, SensorCrossing, Transition};
use crate::space::Linear;
use crate::world::{World, WorldError, has_rigid_bodies};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::OnceLock;

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
    pub(super) weight: Pulled,
    /// Balls that have come since everything was planned anew.
    pub(super) admitted: usize,
    /// Whether balls can come to lie on each other: there is gravity, and something takes energy out of bounces.
    pub(super) piles: bool,
    /// How often each ball has met others lately, for next to nothing, and walls that it may settle on; by number.
    pub(super) chatter: Vec<Chatter>,
    /// Balls, by slot, for which there is no next piece of their ways on walls.
    pub(super) stranded: Vec<u32>,
    /// How often one ball has passed one sensor while no other ball passed any.
    pub(super) passes: Passes,
    /// Whether the run gets on.
    pub(super) watchdog: Watchdog,
    /// The token by which the run can be ended.
    pub(super) cancel: Option<Cancel>,
    /// World time to which the run is to be made in the end, in however many segments, s.
    pub(super) horizon: f64,
    /// Energy beyond all measure that walls have given.
    pub(super) gain: Option<gain::Gain>,
    /// The last collision.
    pub(super) last: Option<Collision<S>>,
    /// The last collisions that were answered together, in the order of their numbers.
    pub(super) together: Vec<Collision<S>>,
    /// Why the run cannot go on.
    pub(super) failure: Option<RunError>,
    /// Whether it is still to be checked that all balls are within bounds.
    pub(super) unchecked: bool,
    /// Transitions that have not been told yet.
    pub(super) transitions: VecDeque<Transition>,
    /// Contacts that have ended and that have not been told yet.
    pub(super) releases: VecDeque<Release>,
    /// Edits that have not been told yet.
    pub(super) unreported: VecDeque<Edit>,
    /// How rigid bodies that keep touching are followed.
    pub(super) settling: Settling,
    /// Rigid bodies as they are at the time of the run, where islands are within a step or asleep: made when one
    /// looks.
    pub(super) between: OnceLock<Box<Core<S>>>,
}

/// What is told of what happens, and may end the run.
pub(super) type Tell<'a, S> = &'a mut dyn FnMut(&Exact<S>, Event<'_, S>) -> ControlFlow<End>;

impl<S: Strikable> Exact<S> {
    /// What [`new`](Self::new) and [`reference`](Self::reference) do.
    pub(super) fn start(
        world: World<S>,
        settling: &Settling,
        reference: bool,
    ) -> Result<Self, Vec<WorldError>> {
        let mut wrong = world.without_material();
        wrong.extend(settling.check().err());
        wrong.extend(unfit_joints(&world));
        let rigid = has_rigid_bodies(&world) || joined_in_steps(&world);
        wrong.extend(world.misfits());
        wrong.extend(world.overlaps());
        let by_euler = matches!(world.integrator(), Integrator::ExplicitEuler { .. });
        let bodies = world.bodies().iter().enumerate();
        wrong.extend(bodies.filter_map(|(id, body)| loaded_by_euler(id, body, by_euler)));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut stage = Bodies::new(&world);
        if rigid {
            stage.use_rigids(settling)?;
            stage.admit_rigids(&world)?;
            stage.join_rigids(&world);
        }
        stage.hold(Jointed::of_world(&world));
        let contact_time = world.contact_time().map(ContactTime::new);
        // The bodies go before the plans come.
        let registry = Registry::new(world, &stage.balls);
        let plans = if rigid || stage.settles_at_start() {
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
            weight: Pulled::default(),
            admitted: 0,
            unreported: VecDeque::new(),
            transitions: VecDeque::new(),
            releases: VecDeque::new(),
            last: None,
            together: Vec::new(),
            failure: None,
            unchecked: true,
            passes: Passes::default(),
            watchdog: Watchdog::default(),
            cancel: None,
            horizon: 0.0,
            gain: None,
            chatter: Vec::new(),
            stranded: Vec::new(),
            piles: false,
            settling: *settling,
            between: OnceLock::new(),
        };
        run.piles = run.may_pile();
        run.initial = run.holdings();
        run.weight.mass = run.total_mass();
        if rigid {
            run.failure = run.start_rigids().err();
        } else {
            run.start_on_ways();
        }
        Ok(run)
    }

    /// The loop: takes what is next before a world time, lets it happen, and tells of it.
    ///
    /// Longer than most: one arm for each kind of step, kept together because it is the innermost loop of a run.
    fn go_unless_squeezed(&mut self, until: f64, tell: Tell<'_, S>) -> Result<End, RunError> {
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
            let next = if self.is_gas() {
                match self.collide_on(until, tell)? {
                    ControlFlow::Continue(next) => next,
                    ControlFlow::Break(end) => return Ok(end),
                }
            } else {
                self.next_before(until)
            };
            let Some((time, step)) = next else {
                break;
            };
            self.look_anew();
            let told = match step {
                Step::Crossed { ball, cells } => {
                    self.count_unseen((cells, Busy::Cell), time, ball, until)?;
                    continue;
                }
                Step::Wrap { ball, axis, up } => {
                    self.clock = self.clock.max(time);
                    self.go_round(ball, axis, up);
                    self.count_unseen((1, Busy::Round), time, ball, until)?;
                    continue;
                }
                Step::SegmentEnds { ball } => {
                    self.move_clock(time, ball, BodyRef::Ball(ball))?;
                    if let Err(error) = self.end_segment(ball) {
                        return Err(self.fail(error));
                    }
                    self.time = self.stage.epoch + self.clock;
                    self.count_unseen((1, Busy::Segment), time, ball, until)?;
                    ControlFlow::Continue(())
                }
                Step::LookedAgain { ball, other } => {
                    self.count_unseen((1, Busy::Search), time, ball, until)?;
                    if self.concerns_rigids(ball, other) {
                        let [a, b] = [BodyRef::Ball(ball), other].map(|it| self.stage.id_of(it));
                        self.count_rigid_search((a, b), time, until)?;
                    } else {
                        self.count_search(time, ball, other)?;
                    }
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
                    let segments = self.uses_segments();
                    let rigid = segments.then(|| self.rigid_pair(ball, other)).flatten();
                    let outcome = if segments && self.cut_short(ball, other) {
                        Outcome::Nothing
                    } else {
                        match self.collide(ball, other) {
                            Ok(outcome) => outcome,
                            Err(error) => return Err(self.fail(error)),
                        }
                    };
                    let mut paced = Ok(());
                    if let (Some([a, b]), Outcome::Nothing) = (rigid, outcome) {
                        // A search that was given up, and not a contact.
                        paced = self.count_rigid_search((a, b), self.clock, until);
                    } else if let Some(waited) = pressed {
                        paced = self.count_bounces(outcome, waited, (ball, other));
                    }
                    if self.collisions >= self.rebase_at && paced.is_ok() {
                        paced = self.pause(ball, until);
                    }
                    self.time = self.stage.epoch + self.clock;
                    let told = self.tell_of(outcome, tell);
                    paced?;
                    told
                }
            };
            if let ControlFlow::Break(end) = told {
                return Ok(end);
            }
            if !self.stranded.is_empty()
                && let Err(error) = self.take_in_stranded()
            {
                return Err(self.fail(error));
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
        self.look_anew();
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
        let clock = self.clock;
        // Of two that stick together planners look for one in place of both.
        let id = match self.stage.balls.rigids() {
            Some(rigids) => rigids.who_meets(&self.stage.balls, ball as usize, index),
            None => self.stage.balls.ids[ball as usize],
        };
        let fixture = &self.stage.fixtures[index as usize];
        let (sensor, image) = (fixture.id, fixture.image);
        let overlaps = &mut self.stage.balls.overlaps;
        let (before, after) = overlaps.pass(id, sensor, image, clock);
        // It goes on as it does: its way is not made anew, only what it meets on it.
        self.plan_again(&[ball]);
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

    /// Lets the run end where a token says so, or not any more. A clone of the run shares it, a snapshot is without.
    pub fn set_cancel(&mut self, cancel: Option<Cancel>) {
        self.cancel = cancel;
    }

    /// Says to which world time (s) the run will be made in the end, if that is done in several calls: whether it makes
    /// progress is judged by that. It changes nothing of what happens.
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
        if self.stage.jointed.is_some() {
            let slots = self.go_on_jointed(slots);
            self.guide(&slots);
            return self.plan_again(&slots);
        }
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

    /// All bodies that are near a ball, and others.
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
        if self.stage.jointed.is_some() || self.stage.balls.shear.is_some() {
            // Others that touch them are struck one after the other.
            self.changed(slots);
            return false;
        }
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
        if balls.is_member(slot) {
            // What happens to rigid bodies is entered with what happens to them.
            return;
        }
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
        for chatter in &mut self.chatter {
            chatter.since -= self.clock;
        }
        self.clock = 0.0;
        self.plan_anew();
    }

    /// Whether balls can come to lie on each other.
    pub(super) fn may_pile(&self) -> bool {
        self.gravity() != S::Vector::ZERO && self.stage.surfaces.materials.any_loss()
    }

    /// World time as the run's clock shows it, s.
    pub(super) fn local_time(&self) -> f64 {
        self.time - self.stage.epoch
    }
}

/// What gravity pulls at, and since when it has been that much.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pulled {
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
