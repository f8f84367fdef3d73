//! The run of a world with rigid bodies: flights and impacts as exact events, contacts that last in short steps.
//!
//! A body in flight is on a course of its own (`solid::RigidTrajectory`), and meets others at the instants of
//! `solid::first_contact`. What happens then is in `rigid/strike.rs`. Bodies that keep touching form islands, which go
//! ahead in steps (`rigid/island.rs`) whose members are on courses too, so that whoever strikes one of them strikes it
//! at the true instant. An island in which nobody moves any more falls asleep: all are at rest, exactly.

mod account;
mod bodies;
mod cells;
mod core;
mod edit;
mod geometry;
mod inspect;
mod island;
mod overlap;
mod plan;
mod snapshot;
mod sticking;
mod strike;
mod track;

pub use bodies::Settling;
pub use island::ContactForce;
pub(super) use snapshot::SNAPSHOT_KIND;

use self::core::{Core, Moving};
use super::cancel::{self, Cancel};
use super::exact::{End, RunError};
use super::overlaps::SensorOverlaps;
use super::watchdog::{Busy, Searching, Watchdog};
use crate::audit::{Holdings, Ledger};
use crate::body::Kind;
use crate::impact::Strikable;
use crate::record::Regime;
use crate::record::{
    Collision, Digest, Edit, Event, Release, SensorCrossing, Separation, Transition,
};
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use crate::world::{World, WorldError};
use bodies::{RigidBodyRef, RigidWorld};
use cells::Cells;
use plan::{Due, Plans, What};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use track::Track;

/// A run of a world with rigid bodies.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::Settling;
/// use carom::simulate::Rigid;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A crate falls on its edge, tumbles, and comes to rest flat on the floor.
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -9.81))?;
/// let wood = Material { restitution: 0.3, static_friction: 0.5, kinetic_friction: 0.5, ..Material::default() };
/// let wood = world.materials.add("wood", wood)?;
/// world.add(Body::fixed(Shape::floor()).material(wood))?;
/// let square = Body::free(Shape::block(DVec2::new(0.5, 0.5))?).mass(10.0).material(wood);
/// let crate_ = world.add(square.at(DVec2::new(0.0, 2.0)).rotated(Turn::by(0.3)).velocity(DVec2::X))?;
/// let mut run = Rigid::new(world, &Settling::default()).expect("nothing overlaps");
/// run.run_to(5.0)?;
/// assert!((run.state(crate_).position.y - 0.5).abs() < 1e-6);
/// assert_eq!(run.state(crate_).velocity, DVec2::ZERO);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Rigid<S: Shaped> {
    stage: RigidWorld<S>,
    core: Core<S>,
    plans: Plans,
    /// As everyone is at the clock, where islands are within a step or asleep: made when somebody looks.
    between: OnceLock<Box<Core<S>>>,
    /// World time, s.
    pub(super) time: f64,
    /// Of the last event, s.
    pub(super) clock: f64,
    collisions: u64,
    /// Who has met how often since the clock last moved to speak of, and since when, s.
    stalled: BTreeMap<(u32, RigidBodyRef), u32>,
    stalled_since: f64,
    initial: Holdings<S>,
    /// Since when mass and gravity have been what they are, s.
    weighed: f64,
    digest: Digest,
    watchdog: Watchdog,
    /// Searches that were given up, by whom and for whom.
    searching: BTreeMap<(u32, RigidBodyRef), Searching>,
    cancel: Option<Cancel>,
    /// World time to which the run is to be made in the end, in however many segments, s.
    horizon: f64,
    failure: Option<RunError>,
    /// What nobody has been told of yet.
    untold: VecDeque<Told<S>>,
}

#[derive(Clone, Copy, Debug)]
enum Told<S: Space> {
    Collision(Collision<S>),
    Transition(Transition),
    Entered(SensorCrossing),
    Left(SensorCrossing),
    Released(Release),
    Edited(Edit),
}

/// Contacts of one pair at one instant after which a run stands still.
const STALLED: u32 = 20_000;

/// And after which, in gravity, the two keep touching.
const INSISTS: u32 = 50;

impl<S: Strikable> Rigid<S> {
    pub(super) fn new_generic(
        world: World<S>,
        settling: &Settling,
    ) -> Result<Self, Vec<WorldError>> {
        let stage = RigidWorld::new(world, settling, false)?;
        let mut core = Core::opened(&stage);
        let mut cells = Cells::new(stage.cell);
        for moving in &core.moving {
            cells.admit::<S>(moving.track.pose.position);
        }
        let mut plans = Plans::new(cells, stage.inert.len(), stage.props.len());
        let initial = core.holdings(&stage, 0.0);
        core.settle_at_start(&stage, &mut plans);
        let mut run = Rigid {
            stage,
            core,
            plans,
            between: OnceLock::new(),
            time: 0.0,
            clock: 0.0,
            collisions: 0,
            stalled: BTreeMap::new(),
            stalled_since: 0.0,
            initial,
            weighed: 0.0,
            digest: Digest::default(),
            watchdog: Watchdog::default(),
            searching: BTreeMap::new(),
            cancel: None,
            horizon: 0.0,
            failure: None,
            untold: VecDeque::new(),
        };
        run.core.changed = (0..run.core.moving.len() as u32).collect();
        run.plan_changed();
        Ok(run)
    }

    pub(super) fn run_while_generic(
        &mut self,
        until: f64,
        condition: &mut dyn FnMut(&Self) -> bool,
        listener: &mut dyn FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        if !(until >= self.time && until.is_finite()) {
            let time = self.time;
            return Err(RunError::Until { until, time });
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        loop {
            self.look_anew();
            let happened = !self.untold.is_empty();
            let mut wants_more = true;
            while let Some(told) = self.untold.pop_front() {
                let event = match &told {
                    Told::Collision(collision) => Event::Collision(collision),
                    Told::Transition(transition) => Event::Transition(*transition),
                    Told::Entered(passage) => Event::Entered(*passage),
                    Told::Left(passage) => Event::Left(*passage),
                    Told::Released(release) => Event::Released(*release),
                    Told::Edited(edit) => Event::Edited(*edit),
                };
                wants_more &= listener(&event).is_continue();
            }
            if happened && !(wants_more && condition(self)) {
                return Ok(if wants_more {
                    End::Condition
                } else {
                    End::Observer
                });
            }
            if cancel::is_wanted(&self.cancel) {
                self.look_anew();
                return Ok(End::Cancelled);
            }
            let Some(due) = self.plans.next_before(&self.core, until) else {
                break;
            };
            self.clock = due.time.max(self.clock);
            self.time = self.clock;
            if let Err(failure) = self.happen(&due, until) {
                self.failure = Some(failure.clone());
                self.look_anew();
                return Err(failure);
            }
        }
        self.time = until;
        self.look_anew();
        Ok(End::Time)
    }

    /// Lets a prediction come true.
    fn happen(&mut self, due: &Due, until: f64) -> Result<(), RunError> {
        let now = self.clock;
        match due.what {
            What::Contact => {
                let stale = match due.other {
                    RigidBodyRef::Body(b) => {
                        self.core.moving[b as usize].counter != due.counters[1]
                    }
                    RigidBodyRef::Fixture(_) => false,
                };
                if stale {
                    self.core.changed.push(due.a);
                } else {
                    self.contact(due, until)?;
                }
            }
            What::Release => {
                if let Some(id) = self.core.moving[due.a as usize].sticking {
                    self.core.part(&self.stage, id, Separation::Time, now);
                }
            }
            What::Pass => self.pass(due),
            What::Step => self.end_step(due.a, now),
            What::Look => {
                self.count_look(due, until)?;
                self.core.changed.push(due.a);
            }
        }
        self.tell_released();
        self.plan_changed();
        self.check_finite()?;
        match self.core.squeezed.take() {
            Some(overlap) => Err(overlap.error(&self.stage, now)),
            None => Ok(()),
        }
    }

    /// Counts what leads to no event: that a body leaves a cell, and that a search for its contact was given up.
    fn count_look(&mut self, due: &Due, until: f64) -> Result<(), RunError> {
        let (now, to_go) = (self.clock, until.max(self.horizon) - self.clock);
        if due.other != RigidBodyRef::Body(due.a) {
            let searching = self.searching.entry((due.a, due.other)).or_default();
            return match searching.count(now, to_go) {
                None => Ok(()),
                Some(crawl) => Err(RunError::FirstContact {
                    time: now,
                    since: now - crawl.advance,
                    advance: crawl.advance,
                    searches: crawl.steps,
                    a: self
                        .stage
                        .name_of(self.stage.id_of(RigidBodyRef::Body(due.a))),
                    b: self.stage.name_of(self.stage.id_of(due.other)),
                }),
            };
        }
        let bodies = self.stage.inert.len();
        match self.watchdog.unseen((1, Busy::Cell), bodies, now, to_go) {
            None => Ok(()),
            Some(crawl) => Err(self.crawls(due.a, Busy::Cell, &crawl, until)),
        }
    }

    fn tell_released(&mut self) {
        let released = self.core.released.drain(..).map(Told::Released);
        self.untold.extend(released);
    }

    /// A body goes into a sensor, or comes out of it.
    fn pass(&mut self, due: &Due) {
        self.core.changed.push(due.a);
        let (ball, sensor) = (
            self.stage.inert[due.a as usize].id,
            self.stage.id_of(due.other),
        );
        let time = self.clock;
        let (_, inside) = self.core.overlaps.pass(ball, sensor, [0; 3], time);
        let passage = SensorCrossing { time, ball, sensor };
        self.untold.push_back(if inside {
            Told::Entered(passage)
        } else {
            Told::Left(passage)
        });
    }

    fn contact(&mut self, due: &Due, until: f64) -> Result<(), RunError> {
        let now = self.clock;
        let pair = (due.a, due.other);
        self.searching.remove(&pair);
        if now - self.stalled_since > 1e-4 * self.stage.settling.step {
            self.stalled.clear();
            self.stalled_since = now;
        }
        let met = self.stalled.entry(pair).or_default();
        *met += 1;
        let (times, insists) = (*met, *met > INSISTS && self.stage.slow > 0.0);
        let mut met = vec![pair];
        // What happens within no time happens at once: a row of boxes that lands is answered together.
        let soon = now + 1e-8 * self.stage.settling.step;
        while let Some(other) = self.plans.next_contact_before(&self.core, soon) {
            met.push((other.a, other.other));
        }
        let concerned: Vec<RigidBodyRef> = (met.iter())
            .flat_map(|&(a, other)| [RigidBodyRef::Body(a), other])
            .collect();
        let asleep: Vec<u32> = self.sleepers(&concerned);
        let collisions = (self.core).strike(
            &self.stage,
            &mut self.plans,
            &met,
            (now, insists, self.collisions + 1),
        );
        for slot in asleep {
            self.tell_transition(slot, None);
        }
        self.watchdog.show();
        for mut collision in collisions {
            self.collisions += 1;
            collision.number = self.collisions;
            self.digest.collision(&collision);
            self.untold.push_back(Told::Collision(collision));
            let to_go = until.max(self.horizon) - now;
            if let Some(crawl) = self.watchdog.seen(1, now, to_go) {
                return Err(self.crawls(due.a, Busy::Collision, &crawl, until));
            }
        }
        if times > STALLED {
            return Err(RunError::Livelock {
                time: now,
                collisions: u64::from(times),
                a: self
                    .stage
                    .name_of(self.stage.id_of(RigidBodyRef::Body(due.a))),
                b: self.stage.name_of(self.stage.id_of(due.other)),
            });
        }
        Ok(())
    }

    /// The slots of all who sleep beside some bodies.
    fn sleepers(&self, partners: &[RigidBodyRef]) -> Vec<u32> {
        let mut slots = Vec::new();
        for partner in partners {
            if let RigidBodyRef::Body(slot) = *partner
                && self.core.is_asleep(slot)
                && let Some(id) = self.core.moving[slot as usize].island
                && let Some(island) = &self.core.islands[id as usize]
            {
                slots.extend(&island.members);
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn end_step(&mut self, id: u32, now: f64) {
        self.core.close_step(&self.stage, &self.plans, id, now);
        for part in self.core.reform(&self.stage, id, now) {
            if self.core.falls_asleep(&self.stage, part, now) {
                let members = self.core.islands[part as usize].as_ref();
                let members = members.map_or(Vec::new(), |island| island.members.clone());
                for slot in members {
                    self.tell_transition(slot, Some(Regime::Resting));
                }
            } else {
                self.core.absorb(&self.stage, &self.plans, part, now);
                self.core.open_step(&self.stage, &self.plans, part, now);
                self.plans.expect_step(&self.core, part);
            }
        }
    }

    fn tell_transition(&mut self, slot: u32, regime: Option<Regime>) {
        let fixture = |partner: &RigidBodyRef| match partner {
            RigidBodyRef::Fixture(index) => Some(self.stage.props[*index as usize].id),
            RigidBodyRef::Body(_) => None,
        };
        let on = self.core.moving[slot as usize].partners.iter();
        self.untold.push_back(Told::Transition(Transition {
            time: self.clock,
            ball: self.stage.inert[slot as usize].id,
            on: on.filter_map(fixture).next().filter(|_| regime.is_some()),
            regime,
        }));
    }

    /// Plans everyone anew whose track has changed.
    fn plan_changed(&mut self) {
        let mut changed = std::mem::take(&mut self.core.changed);
        changed.sort_unstable();
        changed.dedup();
        for slot in changed {
            let cancel = &self.cancel;
            let wanted = || cancel::is_wanted(cancel);
            let deepest = (self.plans).plan(&self.core, &self.stage, slot, self.clock, wanted);
            self.core.found_overlap(&self.stage, deepest);
        }
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

    fn check_finite(&self) -> Result<(), RunError> {
        let Some(Told::Collision(collision)) = self.untold.back() else {
            return Ok(());
        };
        match collision.after.iter().position(|after| !after.is_finite()) {
            Some(side) => Err(RunError::NotFinite {
                time: self.clock,
                body: self.stage.name_of([collision.a, collision.b][side]),
            }),
            None => Ok(()),
        }
    }

    fn crawls(
        &self,
        slot: u32,
        busy: Busy,
        crawl: &super::watchdog::Crawl,
        until: f64,
    ) -> RunError {
        RunError::Crawl {
            time: self.clock,
            since: self.clock - crawl.advance,
            advance: crawl.advance,
            steps: crawl.steps,
            until: until.max(self.horizon),
            body: self.stage.name_of(self.stage.inert[slot as usize].id),
            busy,
        }
    }

    /// Something has changed: whoever looks looks anew.
    pub(super) fn look_anew(&mut self) {
        self.between = OnceLock::new();
    }
}

impl<S: Shaped> Core<S> {
    /// Everyone as they are at the start.
    fn opened(stage: &RigidWorld<S>) -> Self {
        let moving = |inert: &bodies::RigidBody<S>| {
            let body = &stage.bodies[inert.id.0 as usize];
            let (velocity, angular_velocity) = match &body.kind {
                Kind::Free(free) => (free.velocity, free.angular_velocity),
                _ => (S::Vector::ZERO, S::Angular::ZERO),
            };
            let times = (0.0, f64::INFINITY);
            Moving {
                track: Track::flight(
                    inert,
                    times,
                    body.pose,
                    velocity,
                    angular_velocity,
                    stage.gravity,
                ),
                counter: 0,
                island: None,
                partners: Vec::new(),
                sticking: None,
            }
        };
        Core {
            moving: stage.inert.iter().map(moving).collect(),
            islands: Vec::new(),
            sticking: Vec::new(),
            overlaps: SensorOverlaps::default(),
            released: Vec::new(),
            ledger: Ledger::default(),
            squeezed: None,
            residual: 0.0,
            versions: 0,
            changed: Vec::new(),
        }
    }
}
