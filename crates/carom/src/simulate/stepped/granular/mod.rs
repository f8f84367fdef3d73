//! Many balls by forces: as fast as the memory brings them.
//!
//! [`Granular`] is the engine for thousands to millions of balls (discs in 2-D, spheres in 3-D) with velocity
//! Verlet. A [`Simulation`](crate::simulate::Simulation) by forces runs worlds of many balls by it, with record of
//! every contact (`log.rs`, `watch.rs`, `seams.rs`); it can be used alone.
//!
//! ```text
//! Granular::new(grains, fixtures, rules, settings)     or Granular::of_world(&world, rules, settings)
//! granular.step(n)?                              n steps; the first ball that blows up is named
//! granular.time(), granular.balls(), granular.each(f)     where everything is
//! crowd.budgets(), crowd.load_on(prop), crowd.coordination(), crowd.deepest(), crowd.take_touches()
//! ```
//!
//! # How it works
//!
//! A step has two parts. The first goes over **slots** of four contacts each (`slots.rs`, `forces.rs`): the rows of the
//! eight balls are loaded and transposed, the law (`law.rs`) is computed for the four contacts at once, memory is
//! stored in the slot, and force and twist beside it. The second goes over the **balls** (`kick.rs`): each adds up what
//! its contacts say, ends the step with half a kick, begins the next one with another half, and moves. Neither writes
//! what another thread reads, so that no locks or atomics are needed, and each contact is computed once.
//!
//! Both parts follow each other within each **share** of the balls (`shares.rs`), a few hundred at a time, so that
//! force and twist never leave the cache. Contacts between shares and on fixtures come before. Where record is kept of
//! every contact, or something resists rolling, all threads go over everything twice instead.
//!
//! Balls are sorted by cells (`cells.rs`), and have lists of the later balls within a **skin**. From these come the
//! contacts: pairs within a **margin** that is so thin that most of them touch (`refresh.rs`). When balls may have
//! moved by half the margin the contacts are picked anew from the lists; when the rest of the skin is used up the balls
//! are sorted and listed anew. Contacts keep their memory through both. A ball's contacts are added up in the order of
//! its partners' numbers, and contacts that do not touch add zero, so the lists leave no trace in the results: the same
//! bits whatever the skin, the margin, and the number of threads.
//!
//! # The scheme
//!
//! ```text
//! v(n+½) = v(n) + ½dt a(n),   x(n+1) = x(n) + dt v(n+½),   a(n+1) = a(x(n+1), v(n+½)),   v(n+1) = v(n+½) + ½dt a(n+1)
//! ```
//!
//! Dampers and friction see the velocity of the middle of the step (as in LAMMPS and most codes for granular matter),
//! which makes damped contacts of first order in dt; undamped ones are of second order and symplectic.
//!
//! # Limits
//!
//! Cells are as large as the largest ball, so that many small balls among a few large ones are slow. Fixtures that
//! rotate must be bounded. Alone it knows uniform gravity only, balls' orientations are not followed, the arm of
//! friction is the radius, and two fixtures that touch are twice as stiff at their seam.

mod batch;
mod budget;
mod cells;
mod dump;
mod fixtures;
mod forces;
mod kick;
mod lanes;
mod law;
mod log;
mod movers;
mod refresh;
mod report;
mod rolling;
mod rules;
mod seams;
mod setup;
mod shares;
mod slots;
mod sweep;
mod threads;
mod touches;
mod walls;
mod watch;

pub use budget::EnergyBudget;
pub use law::Rule;
pub(super) use log::Noted;
pub use rules::{Rules, RulesError};
pub use setup::{GranularBall, GranularError, GranularFixture, Settings};
pub(super) use setup::{angular_velocity_components, angular_velocity_of, grain};
pub(super) use touches::ContactSpot;
pub use touches::{GranularTouch, Partner};
pub(super) use watch::{HeldContact, potential_push};

use crate::body::CollisionFilter;
use crate::motion::{Fields, KinematicState};
use crate::order::InOrder;
use crate::shape::Shaped;
use crate::vectors::Choice;
use crate::world::World;
use batch::Regions;
use budget::Takings;
use cells::GrainNeighbours;
use fixtures::Wall;
use kick::{Haste, Ties};
use law::{Forms, LaneTally};
use log::Log;
use movers::GrainRecords;
use refresh::Reach;
use seams::Passed;
use shares::Shares;
use slots::{Actions, LaneAction, Slot};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;
use threads::Team;

/// Many balls, and what they strike, moved by forces.
#[derive(Clone, Debug)]
pub struct Granular<S: Shaped> {
    settings: Settings<S>,
    rules: Rules,
    forms: Forms,
    /// The class of all balls, where there is but one.
    only: Option<u16>,
    /// What forces and steps are computed with.
    vectors: Choice,
    movers: GrainRecords,
    /// By the order given; empty where everyone meets everyone.
    groups: Vec<CollisionFilter>,
    /// Walls first, then other shapes.
    props: Vec<GranularFixture<S>>,
    /// Where each prop was given.
    given: Vec<u32>,
    /// Where each prop is now, with its velocity and spin.
    stands: Vec<KinematicState<S>>,
    walls: Vec<Wall>,
    fixture_class: Vec<u16>,
    moving_props: bool,
    /// Balls and fixtures within the skin.
    near_props: Vec<(u32, u32)>,
    neighbours: GrainNeighbours,
    slots: Vec<Slot>,
    /// What acts at the contacts of the slots that are common, and in the rings of the shares.
    actions: Vec<Actions>,
    rings: Vec<Actions>,
    /// What acts on each ball, where shares have slots of their own.
    acts: Vec<LaneAction>,
    /// Beside the slots, where record is kept of every contact.
    logs: Vec<Log>,
    /// How each ball was turned at the beginning of the step, in the sorted order; empty where that is not asked for.
    rotation: Vec<Option<S::Rotation>>,
    /// What acts on balls besides contacts, where that is more than uniform gravity.
    fields: Option<Arc<Fields<S>>>,
    /// Whether two fixtures may have a seam, the balls near two fixtures with their contacts there, which contacts do
    /// not count, and what they hand over.
    seams: bool,
    corners: Vec<(u32, u32, u32)>,
    shaded: Vec<u8>,
    passed: Vec<Passed>,
    /// What contacts held at the last look, and what flowed there.
    tally: LaneTally,
    /// What happened then.
    spots: Vec<ContactSpot>,
    regions: Regions,
    shares: Shares,
    ties: Ties,
    reach: Reach,
    /// Since the origin.
    steps: u64,
    /// World time from which steps are counted, s.
    origin: f64,
    /// World time, s.
    clock: f64,
    /// How long the last step was, s: velocities are half of that behind the places. Zero before the first step.
    lapse: f64,
    /// The speed of the fixtures at the end of the last step, m/s.
    props_were: f64,
    takings: Takings,
    touches: Vec<GranularTouch>,
    team: Team,
}

/// A ball that is nowhere any more: the step is too large for the forces.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error(
    "ball {ball} has blown up at {time} s: its velocity is no longer a number, or takes it past its own size in a step; the step is too large"
)]
pub struct BlownUp {
    /// By the order given.
    pub ball: u32,
    /// s.
    pub time: f64,
}

/// Balls that are moved together, and slots that are computed together. Fixed, so that sums are.
const BALLS: usize = 512;
const SLOTS: usize = 256;

impl<S: Shaped> Granular<S> {
    /// Balls among fixtures, if their numbers are allowed.
    ///
    /// Longer than most: every field of the crowd is set here once.
    pub fn new(
        grains: impl IntoIterator<Item = GranularBall<S>>,
        props: Vec<GranularFixture<S>>,
        rules: Rules,
        settings: Settings<S>,
    ) -> Result<Self, GranularError> {
        setup::check_settings(&rules, &settings)?;
        setup::check_props(&props, rules.classes)?;
        let mut movers = GrainRecords::default();
        let mut groups = Vec::new();
        let grains = grains.into_iter();
        // Lists that grow leave holes behind, as large as themselves.
        let sure = grains.size_hint().0;
        movers.list.reserve_exact(sure);
        movers.id.reserve_exact(sure);
        for (index, grain) in grains.enumerate() {
            setup::check_grain(index, &grain, rules.classes)?;
            if groups.is_empty() && grain.groups != CollisionFilter::ALL {
                groups = vec![CollisionFilter::ALL; index];
            }
            if grain.groups != CollisionFilter::ALL || !groups.is_empty() {
                groups.push(grain.groups);
            }
            movers.list.push(setup::mover(&grain));
            movers.id.push(index as u32);
            if rules.classes > 1 {
                movers.class.push(grain.class);
            }
        }
        let classes: BTreeSet<u16> = match rules.classes {
            1 => [0].into(),
            _ => movers.class.iter().copied().collect(),
        };
        // Rules that are not needed must not make the others slow.
        let others = props.iter().map(|prop| prop.class);
        let met: BTreeSet<u16> = classes.iter().copied().chain(others).collect();
        let any = |of: fn(&Rule) -> f64| {
            let rule = |a: u16, b: u16| &rules.table[a as usize * rules.classes + b as usize];
            (classes.iter()).any(|&a| met.iter().any(|&b| of(rule(a, b)) > 0.0))
        };
        let only = match classes.len() {
            1 => classes.first().copied(),
            _ => None,
        };
        let forms = Forms {
            hertz: rules.hertz,
            cut_off: rules.cut_off,
            by_mass: any(|rule| rule.stiffness_per_mass),
            by_ratio: any(|rule| rule.damping_ratio),
            rolls: any(|rule| rule.rolling) || any(|rule| rule.spinning),
            books: settings.books,
            point: false,
            logs: false,
            still: false,
        };
        let mut given: Vec<u32> = (0..props.len() as u32).collect();
        given.order_by_key(|&prop| !props[prop as usize].is_wall());
        let props: Vec<GranularFixture<S>> =
            given.iter().map(|&at| props[at as usize].clone()).collect();
        let mut crowd = Granular {
            vectors: Choice::now(),
            forms,
            only,
            groups,
            given,
            fixture_class: props.iter().map(|prop| prop.class).collect(),
            moving_props: props.iter().any(|prop| prop.drive.is_some()),
            stands: Vec::new(),
            walls: Vec::new(),
            props,
            near_props: Vec::new(),
            neighbours: GrainNeighbours::default(),
            slots: Vec::new(),
            actions: Vec::new(),
            rings: Vec::new(),
            acts: Vec::new(),
            logs: Vec::new(),
            rotation: Vec::new(),
            fields: None,
            seams: false,
            corners: Vec::new(),
            shaded: Vec::new(),
            passed: Vec::new(),
            tally: LaneTally::ZERO,
            spots: Vec::new(),
            regions: Regions::default(),
            shares: Shares::default(),
            ties: Ties::default(),
            reach: Reach::of(&movers.list),
            movers,
            steps: 0,
            origin: 0.0,
            clock: 0.0,
            lapse: 0.0,
            props_were: 0.0,
            takings: Takings::default(),
            touches: Vec::new(),
            team: Team::of(settings.threads),
            rules,
            settings,
        };
        crowd.move_props();
        crowd.open();
        Ok(crowd)
    }

    /// Lists everything, and computes the forces at the start.
    fn open(&mut self) {
        let team = self.team.clone();
        self.list_anew(&team);
        self.lend(|crowd, team| crowd.evaluate(team, 0.0));
    }

    /// The balls of a world among its other bodies, whose materials are the classes; sensors are left out, and so are
    /// fields but uniform gravity. Gravity and periods are the world's.
    pub fn of_world(
        world: &World<S>,
        rules: Rules,
        settings: Settings<S>,
    ) -> Result<Self, GranularError> {
        let (balls, _, props) = setup::of_world(world);
        let grains = balls
            .iter()
            .filter_map(|&at| setup::grain(&world.bodies()[at as usize]));
        let settings = Settings {
            gravity: world.gravity(),
            periods: world.periods(),
            ..settings
        };
        Granular::new(grains, props, rules, settings)
    }

    /// How many balls there are.
    pub fn len(&self) -> usize {
        self.movers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many threads work on it.
    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    /// How far it is, s.
    pub fn time(&self) -> f64 {
        self.clock
    }

    /// Takes steps. A ball that blows up ends it: everything is as it was after the step in which that happened.
    pub fn step(&mut self, steps: u64) -> Result<(), BlownUp> {
        let (mut left, mut known) = (steps, true);
        while left > 0 {
            let (done, fault) = self.lend(|crowd, team| crowd.some_steps(team, left, known));
            left -= done;
            fault?;
            if self.is_stale() {
                self.make_lists();
                known = false;
                if left == 0 {
                    self.lend(|crowd, team| crowd.evaluate(team, crowd.settings.dt));
                }
            }
        }
        Ok(())
    }

    fn make_lists(&mut self) {
        let team = self.team.clone();
        self.refresh(&team);
    }

    /// When the next step ends, s.
    fn next_time(&self) -> f64 {
        self.origin + (self.steps + 1) as f64 * self.settings.dt
    }

    /// Lends the crowd to its team: the pool's own threads run the whole of it, and share out each pass.
    fn lend<R: Send>(&mut self, work: impl FnOnce(&mut Self, &Team) -> R + Send) -> R {
        let team = self.team.clone();
        team.inside(|| work(self, &team))
    }

    /// Takes steps, up to the first after which lists have to be made anew; returns how many. That is the caller's:
    /// what is made there is large, and memory of the caller is used again, while that of many threads adds up.
    ///
    /// The forces of a step and the movement of the next one follow each other in one sweep, but for the first movement
    /// where the forces are known, and the last forces.
    fn some_steps(&mut self, team: &Team, most: u64, known: bool) -> (u64, Result<(), BlownUp>) {
        for step in 0..most {
            let haste = if known && step == 0 {
                self.advance(team)
            } else {
                self.sweep(team)
            };
            let fault = self.arrive(haste, self.next_time());
            if fault.is_err() {
                self.evaluate(team, self.settings.dt);
            }
            if fault.is_err() || self.is_stale() {
                return (step + 1, fault);
            }
        }
        self.evaluate(team, self.settings.dt);
        (most, Ok(()))
    }

    /// After the balls have been moved for a step that ends at a time (s): fixtures move too.
    fn arrive(&mut self, haste: Haste, time: f64) -> Result<(), BlownUp> {
        self.lapse = self.settings.dt;
        self.steps += 1;
        self.clock = time;
        self.move_props();
        let way = haste.bound() * self.settings.dt;
        // Where record is kept of every contact, those say which balls are where none may be.
        let slow = way <= self.reach.smallest || self.forms.logs;
        if !(haste.is_finite() && slow) {
            self.find_fault()?;
        }
        // A prop may have stopped within the step.
        let speed = self.prop_speed();
        let props = self.props_were.max(speed);
        self.props_were = speed;
        self.reach.moved(way.max(props * self.settings.dt));
        Ok(())
    }
}
