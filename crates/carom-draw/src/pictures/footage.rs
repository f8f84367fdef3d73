//! Where everything is at the instants of pictures.
//!
//! The scene is run again, and states are asked for at exactly those instants: positions follow the flights, nothing is
//! interpolated, and asking does not disturb the run.
//!
//! Longer than most: what pictures are made of, and the run that is followed for them, are one idea.

use super::dress::{Dress, Given, dress, fill_pockets};
use super::flat::shear_of;
use super::joints::{DrawnJoint, joints_of};
use super::survey::Survey;
use super::ways::{Tracker, Ways};
use crate::error::DrawError;
use crate::outlines::{DrawSpace, Form, Place, Thing, scaled, sum, things};
use crate::recording::Recording;
use crate::replay::{NO_MORE, Stance, looks_of, scene_of};
use carom::body::Kind;
use carom::record::{Collision, Event};
use carom::simulate::{Method, Simulation};
use carom::space::{Linear, Space, Space2, Space3};
use carom::world::{BodyId, Shear, World};
use carom_scene::{AnyPlan, AnyWorld};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// A run that can be looked at, at any instant.
#[derive(Debug)]
pub struct Footage {
    world: AnyWorld,
    plan: AnyPlan,
    method: Method,
    /// The run folder.
    path: PathBuf,
    /// Of the scene.
    pub title: String,
    /// Up to when the run has got, s.
    pub end: f64,
    /// What all bodies look like, at the start.
    pub(crate) things: Vec<Thing>,
    /// The ids of those that may move.
    pub(crate) cast: Vec<usize>,
    /// Names, materials: by id.
    pub(crate) bodies: Vec<Who>,
    /// What holds bodies together.
    pub(crate) joints: Vec<DrawnJoint>,
    /// How the periodic box is sheared.
    pub(crate) shear: Option<Shear>,
    /// What all bodies look like beyond their shape: by id.
    pub(crate) dresses: Vec<Dress>,
    /// Lengths of the periodic box, m; zero along an axis that is not periodic.
    pub(crate) periods: [f64; 3],
    /// Uniform gravity, m/s².
    pub(crate) gravity: Place,
    /// Collisions that the run folder has.
    collisions: u64,
    survey: Survey,
}

/// Of a body, what pictures tell it from others by.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    pub name: String,
    pub material: String,
    /// Whether it moves by what happens to it, and not by prescription.
    pub free: bool,
    /// Whether it moves by prescription, or actions may move it: not one that only comes or goes.
    pub kinematic: bool,
    /// Of a free body, kg.
    pub mass: f64,
    /// As the scene has it.
    pub colour: Option<[u8; 3]>,
    /// What the scene writes on it.
    pub label: Option<String>,
}

/// Which instants, and what is to be known of the time before each.
#[derive(Clone, Debug, Default)]
pub struct Takes {
    /// In order, s.
    pub times: Vec<f64>,
    /// How far back trails go, s; 0: not at all.
    pub trails: f64,
    /// How far back collisions are kept, s; 0: not at all.
    pub flashes: f64,
    /// Over how long before each instant forces are the mean, s; 0: they are not wanted.
    pub forces: f64,
}

/// An instant.
#[derive(Clone, Debug)]
pub struct Shot {
    /// World time, s.
    pub time: f64,
    /// Where each moving body is.
    pub(crate) stances: Vec<Stance>,
    /// How fast each moving body is, m/s.
    pub(crate) speeds: Vec<f64>,
    /// The velocity of each moving body, m/s.
    pub(crate) velocities: Vec<Place>,
    /// The mean force on each moving body of late, N; empty where it is not wanted.
    pub(crate) forces: Vec<Place>,
    /// Collisions of late.
    pub(crate) flashes: Vec<Flash>,
    /// Ways of late.
    pub(crate) ways: Ways,
}

impl Shot {
    /// Where the bodies that may move are, m; in the order of their ids. In 2-D the third number is zero.
    pub fn places(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.stances.iter().map(|stance| stance.position)
    }
}

/// A collision of late.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flash {
    /// Where, m.
    pub place: Place,
    /// How long ago, as a share of the time that flashes last.
    pub age: f64,
    /// Of the smaller body, m.
    pub size: f64,
}

/// A collision, with all that is drawn of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// Counted from 1.
    pub number: u64,
    /// World time, s.
    pub time: f64,
    /// Ids of a, that the normal points into, and of b.
    pub pair: [usize; 2],
    /// Where they touch, m.
    pub point: Place,
    /// From b to a, of length one.
    pub normal: Place,
    /// On a, N·s.
    pub impulse: Place,
    /// Velocities of a and b before, m/s.
    pub before: [Place; 2],
    /// Velocities of a and b after, m/s.
    pub after: [Place; 2],
}

/// Flashes in a picture at most: the latest.
const MOST_FLASHES: usize = 2_000;
/// Impulses below so much of the largest so far do not flash: balls that come to rest would twinkle.
const FAINT: f64 = 0.02;

/// What all bodies look like, and which they are: also those that are to come. What actions move, add or remove is
/// looked at in every picture, as what moves by itself is.
fn seen<S: DrawSpace>(world: &World<S>, plan: &AnyPlan) -> (Vec<Thing>, Vec<Who>) {
    let Some(plan) = S::plan_of(plan).filter(|plan| !plan.is_empty()) else {
        return (things(world), who(world));
    };
    let all = plan.cast(world);
    let mut seen = things(&all);
    let changing = plan.comers_and_goers(&all);
    for id in changing.into_iter().chain(plan.movers()) {
        if let Some(thing) = seen.get_mut(id.0 as usize) {
            thing.moves = true;
        }
    }
    let mut bodies = who(&all);
    for id in plan.movers() {
        if let Some(body) = bodies.get_mut(id.0 as usize) {
            body.kinematic = true;
        }
    }
    (seen, bodies)
}

impl Footage {
    /// Of a run folder. The scene in it is run again each time that it is looked at.
    pub fn of(recording: &Recording) -> Result<Self, DrawError> {
        recording.folder.check_scene()?;
        let path = recording.shown.clone();
        let scene = scene_of(recording).map_err(|reason| DrawError::NoPictures {
            path: path.clone(),
            reason,
        })?;
        let ((mut things, mut bodies), gravity) = match &scene.world {
            AnyWorld::Two(world) => (
                seen(world, &scene.plan),
                Space2::components(world.gravity()),
            ),
            AnyWorld::Three(world) => (
                seen(world, &scene.plan),
                Space3::components(world.gravity()),
            ),
        };
        let cast: Vec<usize> = (0..things.len()).filter(|&id| things[id].moves).collect();
        let materials: Vec<&str> = bodies.iter().map(|body| &*body.material).collect();
        let looks = looks_of(&scene, &materials);
        for (body, (colour, label)) in bodies.iter_mut().zip(looks) {
            (body.colour, body.label) = (colour, label);
        }
        let manifest = recording.folder.manifest();
        let dresses = dresses(&manifest.scene.title, &bodies, &things);
        fill_pockets(&mut things, &dresses);
        let mut footage = Footage {
            joints: joints_of(&scene.world),
            shear: shear_of(&scene.world),
            world: scene.world,
            plan: scene.plan,
            method: manifest.method.with(scene.settling, scene.forces),
            title: manifest.scene.title.clone(),
            end: recording.end(),
            path,
            cast,
            dresses,
            bodies,
            things,
            periods: recording.periods(),
            gravity,
            collisions: manifest.collisions,
            survey: Survey::NOTHING,
        };
        footage.survey = Survey::of(&footage, recording)?;
        Ok(footage)
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self.world {
            AnyWorld::Two(_) => 2,
            AnyWorld::Three(_) => 3,
        }
    }

    /// How many bodies may move.
    pub fn moving(&self) -> usize {
        self.cast.len()
    }

    /// How many collisions the run has.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// A body by its name.
    pub fn body_named(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// Whether a body, by id, may move.
    pub fn moves(&self, id: usize) -> bool {
        self.things.get(id).is_some_and(|thing| thing.moves)
    }

    /// Where a body, by id, is at the start, m; in 2-D the third number is zero.
    pub fn start_of(&self, id: usize) -> Option<[f64; 3]> {
        self.things.get(id).map(|thing| thing.position)
    }

    pub(crate) fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Shows instants one after another, as long as whoever looks wants more. `ended` is asked now and then whether to
    /// give up.
    pub fn shoot(
        &self,
        takes: &Takes,
        ended: &dyn Fn() -> bool,
        mut show: impl FnMut(Shot) -> ControlFlow<()>,
    ) -> Result<(), DrawError> {
        let show = &mut show;
        match &self.world {
            AnyWorld::Two(world) => self.shoot_world(world, takes, ended, show),
            AnyWorld::Three(world) => self.shoot_world(world, takes, ended, show),
        }
    }

    /// A collision, by its number.
    pub fn clash(&self, number: u64, ended: &dyn Fn() -> bool) -> Result<Clash, DrawError> {
        let found = match &self.world {
            AnyWorld::Two(world) => self.find(world, number, ended)?,
            AnyWorld::Three(world) => self.find(world, number, ended)?,
        };
        found.ok_or_else(|| DrawError::NoPictures {
            path: self.path.clone(),
            reason: match self.collisions {
                0 => "nothing has collided".to_owned(),
                1 => format!("there is no collision {number}, there is 1 collision"),
                all => format!("there is no collision {number}, there are {all} collisions"),
            },
        })
    }

    fn failed(&self, reason: &str) -> DrawError {
        DrawError::NoPictures {
            path: self.path.clone(),
            reason: reason.to_owned(),
        }
    }

    fn shoot_world<S: DrawSpace>(
        &self,
        world: &World<S>,
        takes: &Takes,
        ended: &dyn Fn() -> bool,
        show: &mut dyn FnMut(Shot) -> ControlFlow<()>,
    ) -> Result<(), DrawError> {
        self.shoot_run(self.started_run(world)?, takes, ended, show)
    }

    /// The run from its beginning.
    fn started_run<S: DrawSpace>(&self, world: &World<S>) -> Result<Simulation<S>, DrawError> {
        let run = match S::plan_of(&self.plan) {
            Some(plan) => plan.simulation(world.clone(), self.method).ok(),
            None => Simulation::with(world.clone(), self.method).ok(),
        };
        run.ok_or_else(|| self.failed(NO_MORE))
    }

    fn shoot_run<S: DrawSpace>(
        &self,
        mut run: Simulation<S>,
        takes: &Takes,
        ended: &dyn Fn() -> bool,
        show: &mut dyn FnMut(Shot) -> ControlFlow<()>,
    ) -> Result<(), DrawError> {
        // No trail is longer than the run: its places would lie far apart.
        let mut tracker = Tracker::new(takes.trails.min(self.end), self.cast.len());
        let mut late: Vec<(f64, Place, f64)> = Vec::new();
        let mut largest = 0.0_f64;
        let mut member = vec![usize::MAX; self.things.len()];
        for (place, &id) in self.cast.iter().enumerate() {
            member[id] = place;
        }
        let begin = takes.times.first().copied().unwrap_or(0.0);
        for &time in &takes.times {
            let mut pushed = Pushed::new(takes.forces, time, run.time());
            for stop in pushed.among(tracker.instants(begin, time)) {
                let wanted = |event: &Event<'_, S>| {
                    let Event::Collision(collision) = event else {
                        return ControlFlow::Continue(());
                    };
                    let strength = collision.impulse.length();
                    largest = largest.max(strength);
                    if takes.flashes > 0.0 && strength > FAINT * largest {
                        let place = S::components(collision.point);
                        late.push((collision.time, place, self.smaller(collision)));
                    }
                    if tracker.follows(collision.time, begin) {
                        for (id, side) in [(collision.a, 1.0), (collision.b, -1.0)] {
                            let id = id.0 as usize;
                            if let (Some(Form::Ball(radius)), Some(&member)) =
                                (self.things.get(id).map(|thing| &thing.form), member.get(id))
                            {
                                let normal = S::components(collision.normal);
                                let centre = sum(
                                    S::components(collision.point),
                                    scaled(normal, side * radius),
                                );
                                tracker.corner(member, collision.time, centre);
                            }
                        }
                    }
                    ControlFlow::Continue(())
                };
                if self.advance(&mut run, stop, ended, wanted)?.is_break() {
                    return Ok(());
                }
                if pushed.is_at(stop) {
                    pushed.velocities = self.velocities(&run);
                }
                if stop < time && tracker.is_kept(stop) {
                    let ids = self.cast.iter().map(|&id| BodyId(id as u32));
                    let positions = ids.map(|id| {
                        if run.has(id) {
                            S::components(run.state(id).position)
                        } else {
                            Stance::NOWHERE.position
                        }
                    });
                    tracker.sample(stop, positions.collect());
                }
            }
            let oldest = time - takes.flashes;
            late.retain(|(at, ..)| *at > oldest);
            let newest = late.len().saturating_sub(MOST_FLASHES);
            late.drain(..newest);
            let mut shot = self.shot(&run, time, takes, &late, tracker.ways(time));
            shot.forces = pushed.forces(&shot.velocities, |member| {
                self.bodies[self.cast[member]].mass
            });
            if show(shot).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The picture of an instant that the run has come to.
    fn shot<S: DrawSpace>(
        &self,
        run: &Simulation<S>,
        time: f64,
        takes: &Takes,
        late: &[(f64, Place, f64)],
        ways: Ways,
    ) -> Shot {
        let mut shot = Shot {
            time,
            stances: Vec::with_capacity(self.cast.len()),
            speeds: Vec::with_capacity(self.cast.len()),
            velocities: self.velocities(run),
            forces: Vec::new(),
            flashes: late
                .iter()
                .map(|&(at, place, size)| Flash {
                    place,
                    age: ((time - at) / takes.flashes).clamp(0.0, 1.0),
                    size,
                })
                .collect(),
            ways,
        };
        for &id in &self.cast {
            let id = BodyId(id as u32);
            if !run.has(id) {
                shot.stances.push(Stance::NOWHERE);
                shot.speeds.push(0.0);
                continue;
            }
            let state = run.state(id);
            shot.stances.push(Stance {
                position: S::components(state.position),
                rotation: S::rotation_numbers(state.rotation),
            });
            shot.speeds.push(state.velocity.length());
        }
        shot
    }

    fn velocities<S: DrawSpace>(&self, run: &Simulation<S>) -> Vec<Place> {
        let velocity = |&id: &usize| match BodyId(id as u32) {
            id if run.has(id) => S::components(run.state(id).velocity),
            _ => [0.0; 3],
        };
        self.cast.iter().map(velocity).collect()
    }

    /// The radius of the smaller ball of a collision, m.
    fn smaller<S: DrawSpace>(&self, collision: &Collision<S>) -> f64 {
        let radius = |id: BodyId| match self.things.get(id.0 as usize).map(|thing| &thing.form) {
            Some(Form::Ball(radius)) => *radius,
            _ => f64::INFINITY,
        };
        radius(collision.a).min(radius(collision.b))
    }

    /// Goes on to a time; breaks off on request.
    fn advance<S: DrawSpace>(
        &self,
        run: &mut Simulation<S>,
        until: f64,
        ended: &dyn Fn() -> bool,
        mut tell: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, DrawError> {
        let mut count = 0_u32;
        loop {
            if ended() {
                return Ok(ControlFlow::Break(()));
            }
            let leg = run.next_pause(until).min(until);
            let listen = |event: &Event<'_, S>| {
                count = count.wrapping_add(1);
                if count.is_multiple_of(256) && ended() {
                    ControlFlow::Break(())
                } else {
                    tell(event)
                }
            };
            run.run_with(leg, listen)
                .map_err(|error| self.failed(&format!("it cannot be continued: {error}")))?;
            if !(run.time() < until) || run.is_over() {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }

    fn find<S: DrawSpace>(
        &self,
        world: &World<S>,
        number: u64,
        ended: &dyn Fn() -> bool,
    ) -> Result<Option<Clash>, DrawError> {
        self.find_in(self.started_run(world)?, number, ended)
    }

    fn find_in<S: DrawSpace>(
        &self,
        mut run: Simulation<S>,
        number: u64,
        ended: &dyn Fn() -> bool,
    ) -> Result<Option<Clash>, DrawError> {
        let found = std::cell::RefCell::new(None);
        let done = || found.borrow().is_some() || ended();
        if number > self.collisions {
            return Ok(None);
        }
        // By forces a contact is told of when it is over; that is when its impulse is known.
        let _ = self.advance(&mut run, self.end, &done, |event| {
            if let Event::Collision(collision) = event
                && collision.number == number
            {
                let velocity = |sides: &[carom::record::Velocities<S>; 2]| {
                    sides.map(|side| S::components(side.velocity))
                };
                *found.borrow_mut() = Some(Clash {
                    number,
                    time: collision.time,
                    pair: [collision.a.0 as usize, collision.b.0 as usize],
                    point: S::components(collision.point),
                    normal: S::components(collision.normal),
                    impulse: S::components(collision.impulse),
                    before: velocity(&collision.before),
                    after: velocity(&collision.after),
                });
            }
            ControlFlow::Continue(())
        })?;
        Ok(found.into_inner())
    }
}

/// What forces are the mean of: the change of momentum since a while ago.
struct Pushed {
    /// s.
    since: Option<f64>,
    span: f64,
    velocities: Vec<Place>,
}

impl Pushed {
    /// Over a span (s) before a time, from where the run is now on.
    fn new(span: f64, time: f64, now: f64) -> Self {
        let since = (time - span).max(now).max(0.0);
        Pushed {
            since: (span > 0.0 && since < time).then_some(since),
            span: time - since,
            velocities: Vec::new(),
        }
    }

    /// Stops, and its own among them.
    fn among(&self, mut stops: Vec<f64>) -> Vec<f64> {
        if let Some(since) = self.since {
            let place = stops.partition_point(|&stop| stop < since);
            stops.insert(place, since);
        }
        stops
    }

    fn is_at(&self, stop: f64) -> bool {
        self.since == Some(stop)
    }

    fn forces(&self, now: &[Place], mass: impl Fn(usize) -> f64) -> Vec<Place> {
        let pairs = self.velocities.iter().zip(now).enumerate();
        pairs
            .map(|(member, (before, after))| {
                [0, 1, 2].map(|i| mass(member) * (after[i] - before[i]) / self.span)
            })
            .collect()
    }
}

/// What bodies look like beyond their shape.
fn dresses(title: &str, bodies: &[Who], things: &[Thing]) -> Vec<Dress> {
    let given: Vec<Given<'_>> = (bodies.iter())
        .map(|body| Given {
            name: &body.name,
            material: &body.material,
            colour: body.colour,
            label: body.label.as_deref(),
            free: body.free,
        })
        .collect();
    dress(title, &given, things)
}

fn who<S: DrawSpace>(world: &World<S>) -> Vec<Who> {
    let bodies = world.bodies().iter();
    bodies
        .map(|body| Who {
            name: body.name.to_string(),
            material: world.materials.name(body.material).to_owned(),
            free: matches!(body.kind, Kind::Free(_)),
            kinematic: matches!(body.kind, Kind::Kinematic(_)),
            mass: match &body.kind {
                Kind::Free(free) => free.mass,
                _ => 0.0,
            },
            colour: None,
            label: None,
        })
        .collect()
}

/// Shared positions of all moving bodies.
pub(crate) type Positions = Arc<Vec<Place>>;
