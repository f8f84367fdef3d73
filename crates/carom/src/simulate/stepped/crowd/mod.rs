//! Many balls by forces: as fast as the memory brings them.
//!
//! [`Crowd`] is the engine for thousands to millions of balls (discs in the plane, spheres in space) with velocity Verlet. The general engine around it hands it a world
//! and reads it back; it can be used alone.
//!
//! ```text
//! Crowd::new(grains, props, rules, settings)     or Crowd::of_world(&world, rules, settings)
//! crowd.step(n)?                                 n steps; the first ball that blows up is named
//! crowd.time(), crowd.grains(), crowd.each(f)     where everything is
//! crowd.books(), crowd.load_on(prop), crowd.coordination(), crowd.deepest(), crowd.take_touches()
//! ```
//!
//! # How it works
//!
//! A step has two parts. The first goes over **slots** of four contacts each (`slots.rs`, `forces.rs`): the rows of the eight balls are loaded and transposed, the law
//! (`law.rs`) is computed for the four contacts at once, and force, twist and memory are stored in the slot. The second goes over the **balls** (`kick.rs`): each adds up
//! what its contacts say, ends the step with half a kick, begins the next one with another half, and moves. Neither writes what another thread reads, so that no
//! locks or atomics are needed, and each contact is computed once.
//!
//! Balls are sorted by cells (`cells.rs`), and have lists of the later balls within a **skin**. From these come the contacts: pairs within a **margin** that is so thin
//! that most of them touch (`refresh.rs`). When balls may have moved by half the margin the contacts are picked anew from the lists; when the rest of the skin is used
//! up the balls are sorted and listed anew. Contacts keep their memory through both. A ball's contacts are added up in the order of its partners' numbers, and contacts that do not touch add
//! zero, so the lists leave no trace in the results: the same bits whatever the skin, the margin, and the number of threads.
//!
//! # The scheme
//!
//! ```text
//! v(n+½) = v(n) + ½dt a(n),   x(n+1) = x(n) + dt v(n+½),   a(n+1) = a(x(n+1), v(n+½)),   v(n+1) = v(n+½) + ½dt a(n+1)
//! ```
//!
//! Dampers and friction see the velocity of the middle of the step (as in LAMMPS and most codes for granular matter), which makes damped contacts of first order in dt;
//! undamped ones are of second order and symplectic.
//!
//! # Limits
//!
//! Uniform gravity only. Cells are as large as the largest ball, so that many small balls among a few large ones are slow. Props that turn must be bounded. Balls'
//! orientations are not followed. The arm of friction is the radius.

mod books;
mod cells;
mod forces;
mod kick;
mod lanes;
mod law;
mod movers;
mod refresh;
mod report;
mod rules;
mod scenery;
mod setup;
mod slots;
mod threads;
mod touches;

pub use books::Books;
pub use law::Rule;
pub use rules::{Rules, RulesError};
pub use setup::{CrowdError, Grain, Prop, Settings};
pub use touches::{Partner, Touch};

use crate::body::Groups;
use crate::motion::DrivenState;
use crate::space::Space;
use crate::world::World;
use books::Takings;
use cells::Neighbours;
use forces::{Regions, Scene, Wall};
use kick::{Haste, Kick, Ties};
use law::{Forms, Tally};
use movers::{Mover, Movers};
use refresh::Reach;
use slots::Slot;
use std::collections::BTreeSet;
use thiserror::Error;
use threads::Team;
use wide::f64x4;

/// Many balls, and what they strike, moved by forces.
#[derive(Debug)]
pub struct Crowd<S: Space> {
    settings: Settings<S>,
    rules: Rules,
    forms: Forms,
    /// The class of all balls, where there is but one.
    only: Option<u16>,
    movers: Movers,
    /// By the order given; empty where everyone meets everyone.
    groups: Vec<Groups>,
    /// Walls first, then other shapes.
    props: Vec<Prop<S>>,
    /// Where each prop was given.
    given: Vec<u32>,
    /// Where each prop is now, with its velocity and spin.
    stands: Vec<DrivenState<S>>,
    walls: Vec<Wall>,
    scenery_class: Vec<u16>,
    moving_props: bool,
    /// Balls and props within the skin.
    near_props: Vec<(u32, u32)>,
    neighbours: Neighbours,
    slots: Vec<Slot>,
    regions: Regions,
    /// How many slots of pairs the first balls have, [`BALLS`] of them, and the next ones, and so on.
    stretches: Vec<usize>,
    ties: Ties,
    reach: Reach,
    steps: u64,
    /// Before the first step velocities are those of the places, not half a step behind.
    fresh: bool,
    takings: Takings,
    touches: Vec<Touch>,
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

impl<S: Space> Crowd<S> {
    /// Balls among props, if their numbers are allowed.
    pub fn new(
        grains: impl IntoIterator<Item = Grain<S>>,
        props: Vec<Prop<S>>,
        rules: Rules,
        settings: Settings<S>,
    ) -> Result<Self, CrowdError> {
        setup::check_settings(&rules, &settings)?;
        setup::check_props(&props, rules.classes)?;
        let mut movers = Movers::default();
        let mut groups = Vec::new();
        for (index, grain) in grains.into_iter().enumerate() {
            setup::check_grain(index, &grain, rules.classes)?;
            if groups.is_empty() && grain.groups != Groups::ALL {
                groups = vec![Groups::ALL; index];
            }
            if grain.groups != Groups::ALL || !groups.is_empty() {
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
        // Rules that nobody needs must not make the others slow.
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
        };
        let mut given: Vec<u32> = (0..props.len() as u32).collect();
        given.sort_by_key(|&prop| !props[prop as usize].is_wall());
        let props: Vec<Prop<S>> = given.iter().map(|&at| props[at as usize].clone()).collect();
        let mut crowd = Crowd {
            forms,
            only,
            groups,
            given,
            scenery_class: props.iter().map(|prop| prop.class).collect(),
            moving_props: props.iter().any(|prop| prop.drive.is_some()),
            stands: Vec::new(),
            walls: Vec::new(),
            props,
            near_props: Vec::new(),
            neighbours: Neighbours::default(),
            slots: Vec::new(),
            regions: Regions::default(),
            stretches: Vec::new(),
            ties: Ties::default(),
            reach: Reach::of(&movers.list),
            movers,
            steps: 0,
            fresh: true,
            takings: Takings::default(),
            touches: Vec::new(),
            team: Team::of(settings.threads),
            rules,
            settings,
        };
        crowd.move_props();
        crowd.lend(|crowd, team| {
            crowd.list_anew(team);
            crowd.evaluate(team, 0.0);
        });
        Ok(crowd)
    }

    /// The balls of a world among its other bodies, whose materials are the classes; sensors are left out, and so are fields but uniform gravity. Gravity and
    /// periods are the world's.
    pub fn of_world(
        world: &World<S>,
        rules: Rules,
        settings: Settings<S>,
    ) -> Result<Self, CrowdError> {
        let (balls, _, props) = setup::of_world(world);
        let grains = balls
            .iter()
            .filter_map(|&at| setup::grain(&world.bodies()[at as usize]));
        let settings = Settings {
            gravity: world.gravity(),
            periods: world.periods(),
            ..settings
        };
        Crowd::new(grains, props, rules, settings)
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
        self.steps as f64 * self.settings.dt
    }

    /// Takes steps. A ball that blows up ends it: everything is as it was after the step in which that happened.
    pub fn step(&mut self, steps: u64) -> Result<(), BlownUp> {
        self.lend(|crowd, team| crowd.steps(team, steps))
    }

    /// Lends the crowd to its team: the pool's own threads run the whole of it, and share out each pass.
    fn lend<R: Send>(&mut self, work: impl FnOnce(&mut Self, &Team) -> R + Send) -> R {
        let team = std::mem::replace(&mut self.team, Team::of(1));
        let result = team.inside(|| work(self, &team));
        self.team = team;
        result
    }

    /// The forces of a step and the movement of the next one follow each other in one sweep, but for the first movement and the last forces.
    fn steps(&mut self, team: &Team, steps: u64) -> Result<(), BlownUp> {
        for step in 0..steps {
            let haste = match step {
                0 => self.advance(team),
                _ => self.sweep(team),
            };
            self.fresh = false;
            self.steps += 1;
            self.move_props();
            let fault = match haste.is_finite()
                && haste.bound() * self.settings.dt <= self.reach.smallest
            {
                true => Ok(()),
                false => self.find_fault(),
            };
            let way = haste.bound().max(self.prop_speed()) * self.settings.dt;
            if fault.is_ok() {
                self.reach.moved(way);
                self.refresh(team);
            }
            if step + 1 == steps || fault.is_err() {
                self.evaluate(team, self.settings.dt);
            }
            fault?;
        }
        Ok(())
    }

    /// Moves the balls.
    fn advance(&mut self, team: &Team) -> Haste {
        let kick = self.kick();
        let (ties, slots) = (&self.ties, &self.slots);
        let hastes = team.over(&mut self.movers.list, BALLS, |chunk, balls| {
            kick.advance(balls, chunk * BALLS, ties, slots)
        });
        hastes.into_iter().fold(Haste::NONE, Haste::or)
    }

    /// Computes the forces and moves the balls.
    ///
    /// Contacts are in the order of the first of their two balls. So when those of a ball are done, all that it has with earlier balls are too, and no later contact asks for it: it can
    /// be moved while its contacts are still at hand. A single thread does that, [`BALLS`] at a time; several threads go over everything twice.
    fn sweep(&mut self, team: &Team) -> Haste {
        if team.threads() > 1 {
            self.evaluate(team, self.settings.dt);
            return self.advance(team);
        }
        let kick = self.kick();
        let mut told = Told::default();
        let stretches = std::mem::take(&mut self.stretches);
        let mut slots = std::mem::take(&mut self.slots);
        let mut haste = Haste::NONE;
        let (mut first, mut ball) = (0, 0);
        for (number, &stretch) in stretches.iter().enumerate() {
            let part = &mut slots[first..first + stretch];
            told.pairs.push(self.acting(part, first));
            if number == 0 {
                // Balls at walls are moved with the others.
                let pairs = self.regions.pairs;
                for (chunk, part) in slots[pairs..].chunks_mut(SLOTS).enumerate() {
                    told.props.push(self.acting(part, pairs + chunk * SLOTS));
                }
            }
            let last = (ball + BALLS).min(self.movers.len());
            let balls = &mut self.movers.list[ball..last];
            haste = haste.or(kick.advance(balls, ball, &self.ties, &slots));
            (first, ball) = (first + stretch, last);
        }
        (self.slots, self.stretches) = (slots, stretches);
        self.note(told);
        haste
    }
}

/// What the forces of slots have to tell: energies, and contacts that began or ended.
type Part = (Tally, Vec<Touch>);

/// The same, piece by piece.
#[derive(Default)]
struct Told {
    pairs: Vec<Part>,
    props: Vec<Part>,
}

impl<S: Space> Crowd<S> {
    fn kick(&self) -> Kick {
        let [x, y, z] = S::components(self.settings.gravity);
        let half = 0.5 * self.settings.dt;
        Kick {
            gravity: f64x4::from([x, y, z, 0.0]),
            closing: if self.fresh { 0.0 } else { half },
            opening: half,
            dt: self.settings.dt,
            rolls: self.forms.rolls,
        }
    }

    /// Computes the forces where everything is now. A `dt` (s) of zero leaves memories as they are.
    fn evaluate(&mut self, team: &Team, dt: f64) {
        let mut slots = std::mem::take(&mut self.slots);
        let (mut pairs, props) = slots.split_at_mut(self.regions.pairs);
        let mut parts = Vec::with_capacity(self.stretches.len());
        let mut first = 0;
        for &stretch in &self.stretches {
            let (now, later) = pairs.split_at_mut(stretch);
            parts.push((first, now));
            (first, pairs) = (first + stretch, later);
        }
        let crowd = &*self;
        let told = Told {
            pairs: team.over(&mut parts, 1, |_, part| {
                let (first, slots) = &mut part[0];
                crowd.acting_for(slots, *first, dt)
            }),
            props: team.over(props, SLOTS, |chunk, slots| {
                crowd.acting_for(slots, crowd.regions.pairs + chunk * SLOTS, dt)
            }),
        };
        self.slots = slots;
        self.note(told);
    }

    fn acting(&self, slots: &mut [Slot], first: usize) -> Part {
        self.acting_for(slots, first, self.settings.dt)
    }

    /// Computes the forces of some slots, of which the first is number `first`.
    fn acting_for(&self, slots: &mut [Slot], first: usize, dt: f64) -> Part {
        let foot = |ball: u32, prop: u32| self.foot(ball, prop);
        let scene = Scene {
            movers: &self.movers,
            walls: &self.walls,
            foot: &foot,
            forms: self.forms,
            rules: &self.rules.table,
            classes: self.rules.classes,
            only: self.only,
            scenery_class: &self.scenery_class,
            periods: self.settings.periods,
            dt,
        };
        let mut touches = Vec::new();
        let tally = scene.evaluate(slots, first, self.regions, |slot, kind, before| {
            if self.settings.watched {
                self.tell(slot, kind, before, &mut touches);
            }
        });
        (tally, touches)
    }

    /// Enters what the forces have to tell, piece by piece in order.
    fn note(&mut self, told: Told) {
        if !(self.forms.books || self.settings.watched) {
            return;
        }
        let mut tally = Tally::ZERO;
        let known = self.touches.len();
        for (part, touches) in told.pairs.into_iter().chain(told.props) {
            tally.add(&part);
            self.touches.extend(touches);
        }
        self.takings.enter(&tally);
        self.touches[known..].sort_by_key(|touch| (touch.ball, touch.with));
    }

    fn find_fault(&self) -> Result<(), BlownUp> {
        let wrong = |ball: &Mover| {
            let ([x, y, z, radius], [u, v, w, _]) =
                (ball.place.to_array(), ball.velocity.to_array());
            let way = (u * u + v * v + w * w).sqrt() * self.settings.dt;
            !((x + y + z).is_finite() && way <= radius)
        };
        let faults = (self.movers.list.iter().zip(&self.movers.id)).filter(|(ball, _)| wrong(ball));
        match faults.map(|(_, &id)| id).min() {
            None => Ok(()),
            Some(ball) => Err(BlownUp {
                ball,
                time: self.time(),
            }),
        }
    }
}
