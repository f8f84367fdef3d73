//! Many balls by forces: as fast as the memory brings them.
//!
//! [`Crowd`] is the engine for thousands to millions of balls (discs in the plane, spheres in space) with velocity Verlet. [`Stepped`](crate::simulate::Stepped) runs worlds of many balls by it, with
//! record of every contact (`log.rs`, `watch.rs`, `seams.rs`); it can be used alone.
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
//! (`law.rs`) is computed for the four contacts at once, memory is stored in the slot, and force and twist beside it. The second goes over the **balls** (`kick.rs`): each adds up
//! what its contacts say, ends the step with half a kick, begins the next one with another half, and moves. Neither writes what another thread reads, so that no
//! locks or atomics are needed, and each contact is computed once.
//!
//! Both parts follow each other within each **share** of the balls (`shares.rs`), a few hundred at a time, so that force and twist never leave the cache. Contacts between shares and on props
//! come before. Where record is kept of every contact, or something resists rolling, all threads go over everything twice instead.
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
//! Cells are as large as the largest ball, so that many small balls among a few large ones are slow. Props that turn must be bounded. Alone it knows uniform gravity only, balls'
//! orientations are not followed, the arm of friction is the radius, and two props that meet are twice as stiff at their seam.

mod books;
mod cells;
mod dump;
mod forces;
mod kick;
mod lanes;
mod law;
mod log;
mod movers;
mod refresh;
mod report;
mod rules;
mod scenery;
mod seams;
mod setup;
mod shares;
mod slots;
mod threads;
mod touches;
mod watch;

pub use books::Books;
pub use law::Rule;
pub(super) use log::Noted;
pub use rules::{Rules, RulesError};
pub use setup::{CrowdError, Grain, Prop, Settings};
pub(super) use setup::{grain, spin_components, spin_of};
pub(super) use touches::Spot;
pub use touches::{Partner, Touch};
pub(super) use watch::{Hold, potential_push};

use crate::body::Groups;
use crate::motion::{DrivenState, Fields};
use crate::space::Space;
use crate::world::World;
use books::Takings;
use cells::Neighbours;
use forces::{Regions, Scene, Wall};
use kick::{Contacts, Haste, Kick, Sums, Ties};
use law::{Forms, Tally};
use log::Log;
use movers::{Mover, Movers};
use refresh::Reach;
use seams::Passed;
use shares::Shares;
use slots::{Action, Actions, Slot};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;
use threads::Team;
use wide::f64x4;

/// Many balls, and what they strike, moved by forces.
#[derive(Clone, Debug)]
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
    /// What acts at the contacts of the slots that are everybody's, and in the rings of the shares.
    actions: Vec<Actions>,
    rings: Vec<Actions>,
    /// What acts on each ball, where shares have slots of their own.
    acts: Vec<Action>,
    /// Beside the slots, where record is kept of every contact.
    logs: Vec<Log>,
    /// How each ball was turned at the beginning of the step, in the sorted order; empty where nobody asks.
    rotation: Vec<Option<S::Rotation>>,
    /// What acts on balls besides contacts, where that is more than uniform gravity.
    fields: Option<Arc<Fields<S>>>,
    /// Whether two props may have a seam, the balls near two props with their contacts there, which contacts do not count, and what they hand over.
    seams: bool,
    corners: Vec<(u32, u32, u32)>,
    shaded: Vec<u8>,
    passed: Vec<Passed>,
    /// What contacts held at the last look, and what flowed there.
    tally: Tally,
    /// What happened then.
    spots: Vec<Spot>,
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
    /// The speed of the props at the end of the last step, m/s.
    props_were: f64,
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
        let grains = grains.into_iter();
        // Lists that grow leave holes behind, as large as themselves.
        let sure = grains.size_hint().0;
        movers.list.reserve_exact(sure);
        movers.id.reserve_exact(sure);
        for (index, grain) in grains.enumerate() {
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
            point: false,
            logs: false,
            still: false,
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
            tally: Tally::ZERO,
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

    /// Takes steps, up to the first after which lists have to be made anew; returns how many. That is the caller's: what is made there is large, and memory of the caller is used
    /// again, while that of many threads adds up.
    ///
    /// The forces of a step and the movement of the next one follow each other in one sweep, but for the first movement where the forces are known, and the last forces.
    fn some_steps(&mut self, team: &Team, most: u64, known: bool) -> (u64, Result<(), BlownUp>) {
        for step in 0..most {
            let haste = match known && step == 0 {
                true => self.advance(team),
                false => self.sweep(team),
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

    /// After the balls have been moved for a step that ends at a time (s): props move too.
    fn arrive(&mut self, haste: Haste, time: f64) -> Result<(), BlownUp> {
        self.lapse = self.settings.dt;
        self.steps += 1;
        self.clock = time;
        self.move_props();
        let way = haste.bound() * self.settings.dt;
        // Where record is kept of every contact, those say who is where nobody may be.
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

    /// Moves the balls.
    fn advance(&mut self, team: &Team) -> Haste {
        if self.forms.logs {
            return self.advance_watched(team);
        }
        let kick = self.kick();
        let mut list = std::mem::take(&mut self.movers.list);
        let sums = self.sums();
        let hastes = team.over(&mut list, BALLS, |chunk, balls| {
            kick.advance(balls, chunk * BALLS, |number, ball| sums.of(number, ball))
        });
        self.movers.list = list;
        hastes.into_iter().fold(Haste::NONE, Haste::or)
    }

    /// What acts on the balls, as it was computed last.
    fn sums(&self) -> Sums<'_> {
        Sums {
            known: &self.acts,
            ties: &self.ties,
            slots: &self.slots,
            actions: &self.actions,
            rolls: self.forms.rolls,
            point: self.forms.point,
        }
    }

    /// Computes the forces and moves the balls.
    ///
    /// Contacts are in the order of the first of their two balls. So when those of a ball are done, all that it has with earlier balls of its share are too, and no later contact asks for it:
    /// it can be moved while its contacts are still at hand, [`BALLS`] at a time, which saves a pass over memory. What is between shares and on props is computed before.
    fn sweep(&mut self, team: &Team) -> Haste {
        let dt = self.settings.dt;
        if !self.shares.apart {
            self.evaluate(team, dt);
            return self.advance(team);
        }
        let mut told = self.act(team, dt);
        let (haste, more) = self.go_through(team, dt, Some(self.kick()));
        told.extend(more);
        self.note(told, dt);
        haste
    }

    /// Goes through the shares' own slots, and either moves the balls or keeps what acts on them.
    fn go_through(
        &mut self,
        team: &Team,
        dt: f64,
        kick: Option<Kick<'_>>,
    ) -> (Haste, Vec<(usize, Part)>) {
        let mut list = std::mem::take(&mut self.movers.list);
        let mut slots = std::mem::take(&mut self.slots);
        let mut rings = std::mem::take(&mut self.rings);
        let mut acts = std::mem::take(&mut self.acts);
        let crowd = &*self;
        let mut parts = Vec::with_capacity(crowd.shares.list.len());
        let (mut inner, mut around) = (&mut slots[..], &mut rings[..]);
        let (mut balls, mut sums) = (&mut list[..], &mut acts[..]);
        for share in &crowd.shares.list {
            let (own, others) = inner.split_at_mut(share.slots.len());
            let (ring, further) = around.split_at_mut(share.ring.len());
            let (now, later) = balls.split_at_mut(share.balls.len());
            let (acts, rest) = sums.split_at_mut(share.balls.len());
            parts.push((share, (own, ring), (now, acts)));
            (inner, around, balls, sums) = (others, further, later, rest);
        }
        let done = team.over(&mut parts, 1, |_, part| {
            let (share, (own, ring), (balls, acts)) = &mut part[0];
            let (first, base) = (share.slots.start, share.balls.start);
            let (mut haste, mut told) = (Haste::NONE, Vec::new());
            for chunk in share.chunks.clone() {
                if !crowd.shares.is_outer(chunk) {
                    let stretch = crowd.shares.stretch(chunk);
                    let slots = &mut own[stretch.start - first..stretch.end - first];
                    let actions = &mut ring[crowd.shares.ring(chunk)];
                    let begin = stretch.start;
                    let part = crowd.acting((balls, base), (slots, actions), &mut [], begin, dt);
                    told.extend(crowd.is_asked().then_some((chunk, part)));
                }
                let contacts = Contacts {
                    own: ring,
                    common: &crowd.actions,
                };
                let sum = |ball: usize| crowd.ties.sum(ball, &contacts);
                let ball = chunk * BALLS;
                let last = (ball + BALLS).min(share.balls.end);
                let range = ball - base..last - base;
                match &kick {
                    Some(kick) => {
                        let moved = kick.advance(&mut balls[range], ball, |ball, _| sum(ball));
                        haste = haste.or(moved);
                    }
                    None => {
                        for (number, act) in (ball..).zip(&mut acts[range]) {
                            *act = sum(number);
                        }
                    }
                }
            }
            (haste, told)
        });
        (self.slots, self.movers.list) = (slots, list);
        (self.rings, self.acts) = (rings, acts);
        let (mut haste, mut told) = (Haste::NONE, Vec::new());
        for (of_share, by_share) in done {
            haste = haste.or(of_share);
            told.extend(by_share);
        }
        (haste, told)
    }
}

/// What the forces of slots have to tell: energies, and contacts that began or ended.
struct Part {
    tally: Tally,
    touches: Vec<Touch>,
    spots: Vec<Spot>,
}

impl<S: Space> Crowd<S> {
    fn kick(&self) -> Kick<'static> {
        let [x, y, z] = S::components(self.settings.gravity);
        let half = 0.5 * self.settings.dt;
        Kick {
            gravity: f64x4::from([x, y, z, 0.0]),
            closing: 0.5 * self.lapse,
            opening: half,
            dt: self.settings.dt,
            fields: None,
        }
    }

    /// Computes the forces where everything is now. A `dt` (s) of zero leaves memories as they are.
    fn evaluate(&mut self, team: &Team, dt: f64) {
        self.shade();
        let mut told = self.act(team, dt);
        if self.shares.apart {
            told.extend(self.go_through(team, dt, None).1);
        }
        self.note(told, dt);
    }

    /// The same for slots that are everybody's. Returns what they have to tell, by chunk; props come after the last.
    fn act(&mut self, team: &Team, dt: f64) -> Vec<(usize, Part)> {
        let mut slots = std::mem::take(&mut self.slots);
        let mut actions = std::mem::take(&mut self.actions);
        let mut logs = std::mem::take(&mut self.logs);
        let mut first = self.shares.inner;
        let (mut rest, mut acting) = (&mut slots[first..], &mut actions[..]);
        let mut noted = &mut logs[..];
        let shares = &self.shares;
        let pieces = (shares.common()).map(|chunk| (chunk, shares.stretches[chunk]));
        let after = shares.stretches.len();
        let of_props = rest.len() - (self.regions.pairs - first);
        let props = (0..of_props.div_ceil(SLOTS))
            .map(|piece| (after + piece, SLOTS.min(of_props - piece * SLOTS)));
        // Sums are taken over whole pieces. Where there are none, small ones are shared out more evenly.
        let most = if self.is_asked() {
            usize::MAX
        } else {
            SLOTS / 4
        };
        let mut parts = Vec::with_capacity(after + of_props.div_ceil(SLOTS));
        for (piece, mut left) in pieces.chain(props) {
            while left > 0 {
                let length = left.min(most);
                let (now, later) = rest.split_at_mut(length);
                let (of_now, of_later) = noted.split_at_mut(length.min(noted.len()));
                let (act_now, act_later) = acting.split_at_mut(length);
                parts.push((piece, first, (now, act_now), of_now));
                (first, rest, noted) = (first + length, later, of_later);
                acting = act_later;
                left -= length;
            }
        }
        let crowd = &*self;
        let told = team.over(&mut parts, 1, |_, part| {
            let (piece, first, (slots, actions), logs) = &mut part[0];
            let base = match *piece < after {
                true => crowd.shares.base(*piece) as usize,
                false => 0,
            };
            let balls = &crowd.movers.list[base..];
            let part = crowd.acting((balls, base), (slots, actions), logs, *first, dt);
            crowd.is_asked().then_some((*piece, part))
        });
        (self.slots, self.actions, self.logs) = (slots, actions, logs);
        told.into_iter().flatten().collect()
    }

    /// Whether anybody wants to know what the forces have to tell.
    fn is_asked(&self) -> bool {
        self.forms.books || self.settings.watched
    }

    /// Computes the forces of some slots, of which the first is number `first`. Their balls are numbered among some that begin with number `base` of all.
    fn acting(
        &self,
        (balls, base): (&[Mover], usize),
        slots: (&mut [Slot], &mut [Actions]),
        logs: &mut [Log],
        first: usize,
        dt: f64,
    ) -> Part {
        let foot = |ball: u32, prop: u32| self.foot(ball, prop);
        let scene = Scene {
            balls,
            base: base as u32,
            class: self.movers.class.get(base..).unwrap_or_default(),
            walls: &self.walls,
            foot: &foot,
            forms: Forms {
                still: dt == 0.0,
                ..self.forms
            },
            rules: &self.rules.table,
            classes: self.rules.classes,
            only: self.only,
            scenery_class: &self.scenery_class,
            periods: self.settings.periods,
            dt,
            time: self.clock,
            shaded: &self.shaded,
        };
        let (mut touches, mut spots) = (Vec::new(), Vec::new());
        let tally = scene.evaluate(slots, logs, first, self.regions, |said| {
            if self.settings.watched {
                self.tell(&said, &mut touches);
            }
            if self.forms.logs {
                self.spot(&said, &mut spots);
            }
        });
        Part {
            tally,
            touches,
            spots,
        }
    }

    /// Enters what the forces have to tell, piece by piece in order.
    fn note(&mut self, mut told: Vec<(usize, Part)>, dt: f64) {
        if !self.is_asked() {
            return;
        }
        told.sort_by_key(|&(piece, _)| piece);
        let mut tally = Tally::ZERO;
        let known = self.touches.len();
        self.spots.clear();
        for (_, part) in told {
            tally.add(&part.tally);
            self.touches.extend(part.touches);
            self.spots.extend(part.spots);
        }
        self.takings.enter(&tally, dt);
        self.tally = tally;
        self.touches[known..].sort_by_key(|touch| (touch.ball, touch.with));
        self.spots.sort_by_key(|spot| (spot.ball, spot.with));
        self.hand_over();
    }

    fn find_fault(&self) -> Result<(), BlownUp> {
        let wrong = |ball: &Mover| {
            let ([x, y, z, radius], [u, v, w, _]) =
                (ball.place.to_array(), ball.velocity.to_array());
            let way = (u * u + v * v + w * w).sqrt() * self.settings.dt;
            !((x + y + z + way).is_finite() && (way <= radius || self.forms.logs))
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
