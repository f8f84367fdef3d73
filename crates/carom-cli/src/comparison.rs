//! Both methods on one scene, side by side: the format `carom-compare`, version 2.

use crate::summary::{Spin, components};
use carom::record::{Collision, Event};
use carom::simulate::{
    Forces, Incident, Settling, Simulation, SimulationError, State, Touch, Until,
};
use carom::space::Linear;
use carom::world::{BodyId, World};
use carom_data::DataSpace;
use carom_draw::Quantity;
use carom_scene::Method;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// As many contacts of each method as are put side by side: more than is ever read, and no more than memory is good
/// for.
pub const MOST_CONTACTS: usize = 100_000;

/// Both methods on one scene.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub format: &'static str,
    pub version: u32,
    /// Version of the program.
    pub carom: &'static str,
    /// The scene, as it was given.
    pub scene: String,
    pub title: String,
    /// `events` and `forces`.
    pub methods: [&'static str; 2],
    pub dimension: usize,
    /// When both runs were to end, s.
    pub until: f64,
    pub events: Side,
    pub forces: Side,
    /// By which integrator, `rk4`, `verlet` or `euler`.
    pub integrator: &'static str,
    /// How long a step is, s.
    pub step: f64,
    pub steps: u64,
    /// Whether the beginning and the end of each contact were found within the step.
    pub located: bool,
    /// Which loop went over the contacts by forces: `general` or `granular`; and why it was the general one where there
    /// were balls enough for the granular engine, or `null`.
    pub engine: &'static str,
    pub why_general: Option<String>,
    /// The contacts in the order in which they begin; the n-th one of two bodies by one method stands beside their n-th
    /// one by the other.
    pub contacts: Vec<Pairing>,
    /// How many contacts only one of the methods has.
    pub only_by_events: u64,
    pub only_by_forces: u64,
    /// Whether there were more contacts than are told here.
    pub cut_short: bool,
    /// What is drawn: energies, and how far bodies are apart, over time.
    pub quantities: Vec<Quantity>,
    /// The free bodies at the end.
    pub bodies: Vec<BodyPair>,
    pub largest: Largest,
}

/// What a method made of the scene as a whole.
#[derive(Debug, Serialize)]
pub struct Side {
    pub contacts: u64,
    /// J.
    pub energy_initial: f64,
    /// J; by forces with what springs still hold.
    pub energy: f64,
    /// What the budget does not explain, J.
    pub energy_residual: f64,
    /// The clock at the end, s.
    pub time: f64,
    /// Why it ended before it was to, or `null`.
    pub failed: Option<String>,
    /// By the wall clock, s.
    pub run_s: f64,
}

/// One contact by both methods.
#[derive(Debug, Serialize)]
pub struct Pairing {
    pub a: String,
    pub b: String,
    /// Which one of these two bodies, counted from 1.
    pub occurrence: u64,
    pub events: Option<ContactFacts>,
    pub forces: Option<ContactFacts>,
}

/// One contact by one method.
#[derive(Clone, Debug, Serialize)]
pub struct ContactFacts {
    /// Counted from 1.
    pub number: u64,
    /// When it begins, s.
    pub begins: f64,
    /// How long it lasts, s: 0 by impulses.
    pub duration: f64,
    /// On a, kg·m/s.
    pub impulse: Vec<f64>,
    /// The separation speed over the approach speed, along the normal; `null` where b rotates, or where they did not
    /// approach.
    pub restitution: Option<f64>,
    /// The deepest overlap, m.
    pub deepest: f64,
    /// When that is, s.
    pub deepest_at: f64,
    /// J.
    pub energy_lost: f64,
    /// Of a and b at the end, m/s.
    pub velocities: [Vec<f64>; 2],
    /// Of a and b at the end, m: by events at the instant of contact. `null` where they are not known.
    pub positions: Option<[Vec<f64>; 2]>,
}

/// A free body at the end, by both methods.
#[derive(Debug, Serialize)]
pub struct BodyPair {
    pub name: String,
    pub events: StateFacts,
    pub forces: StateFacts,
    /// How far apart the two are, m; in a periodic box the shortest way.
    pub distance: f64,
    /// m/s.
    pub velocity_difference: f64,
}

/// Where a body is, and how it moves.
#[derive(Debug, Serialize)]
pub struct StateFacts {
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
    pub angular_velocity: Spin,
}

/// The largest differences.
#[derive(Debug, Default, Serialize)]
pub struct Largest {
    /// Between the beginnings of a contact, s.
    pub time: f64,
    /// Between the impulses of a contact, kg·m/s.
    pub impulse: f64,
    /// Between the positions of a body at the end, m.
    pub distance: f64,
    /// m/s.
    pub velocity: f64,
}

impl<S: DataSpace> From<State<S>> for StateFacts {
    fn from(state: State<S>) -> Self {
        StateFacts {
            position: components::<S>(state.position),
            velocity: components::<S>(state.velocity),
            angular_velocity: Spin::new::<S>(state.angular_velocity),
        }
    }
}

fn of_collision<S: DataSpace>(collision: &Collision<S>, run: &Simulation<S>) -> ContactFacts {
    let solids = run.has_rigid_bodies();
    let places = [collision.a, collision.b].map(|id| run.state(id).position);
    let approach = |[a, b]: [carom::record::Velocities<S>; 2]| {
        let mut apart = a.velocity - b.velocity;
        if solids {
            // Solids are struck off their centres.
            apart += S::surface_velocity(a.angular_velocity, collision.point - places[0]);
            apart -= S::surface_velocity(b.angular_velocity, collision.point - places[1]);
        }
        collision.normal.dot(apart)
    };
    // The surface of a ball moves across the normal alone, whatever its angular velocity; that of another body that
    // turns need not.
    let turns = !solids
        && collision.before[1].angular_velocity.length() > 0.0
        && collision.after[1] == collision.before[1];
    let closing = -approach(collision.before);
    ContactFacts {
        number: collision.number,
        begins: collision.time,
        duration: collision.duration,
        impulse: components::<S>(collision.impulse),
        restitution: (!turns && closing > 0.0).then(|| approach(collision.after) / closing),
        // Of two zeros the larger one may be either: not −0.
        deepest: (0.0 - collision.gap).max(0.0),
        deepest_at: collision.time,
        energy_lost: collision.energy_lost,
        velocities: collision.after.map(|side| components::<S>(side.velocity)),
        positions: Some(places.map(components::<S>)),
    }
}

fn of_touch<S: DataSpace>(touch: &Touch<S>) -> ContactFacts {
    ContactFacts {
        number: touch.number,
        begins: touch.begin,
        duration: touch.duration(),
        impulse: components::<S>(touch.impulse),
        restitution: touch.restitution(),
        deepest: touch.deepest,
        deepest_at: touch.deepest_at,
        energy_lost: touch.lost_to_damper + touch.lost_to_friction,
        velocities: touch.after.map(|side| components::<S>(side.velocity)),
        positions: Some(touch.places[1].map(components::<S>)),
    }
}

/// Over how many equal times curves are drawn.
const LOOKS: usize = 400;
/// Whose speeds are drawn: the first few free bodies'.
const DRAWN: usize = 3;

/// What is drawn of one run.
struct Curves {
    followed: Vec<(BodyId, String)>,
    looks: usize,
    /// Kinetic energy and that of turning; all energy; speeds of those that are followed.
    found: Vec<Vec<[f64; 2]>>,
}

impl Curves {
    fn new<S: DataSpace>(world: &World<S>) -> Self {
        let free = (0..).map(BodyId).zip(world.bodies());
        let followed: Vec<_> = free
            .filter(|(_, body)| matches!(body.kind, carom::body::Kind::Free(_)))
            .take(DRAWN)
            .map(|(id, body)| (id, body.name.to_string()))
            .collect();
        Curves {
            found: vec![Vec::new(); 2 + followed.len()],
            followed,
            looks: 0,
        }
    }

    /// When to look next, s.
    fn next(&self, until: f64) -> f64 {
        match self.looks {
            LOOKS => until,
            looks => until * (looks as f64 / LOOKS as f64),
        }
    }

    /// Looks; true where that was the last time.
    fn look<S: DataSpace>(&mut self, run: &Simulation<S>, until: f64) -> bool {
        let audit = run.audit();
        let moving = audit.now.translational + audit.now.rotational;
        let speeds = self
            .followed
            .iter()
            .map(|&(id, _)| run.state(id).velocity.length());
        let values = [moving, audit.now.total() + audit.in_contact.energy]
            .into_iter()
            .chain(speeds);
        let time = self.next(until);
        for (curve, value) in self.found.iter_mut().zip(values) {
            curve.push([time, value]);
        }
        self.looks += 1;
        self.looks > LOOKS
    }

    fn beside(self, other: Curves) -> Vec<Quantity> {
        let speed = |(_, name): &(BodyId, String)| (format!("speed of {name}"), "m/s");
        let names = [
            ("kinetic energy".to_owned(), "J"),
            ("all energy".to_owned(), "J"),
        ];
        names
            .into_iter()
            .chain(self.followed.iter().map(speed))
            .zip(self.found.into_iter().zip(other.found))
            .map(|((name, unit), (one, two))| Quantity {
                name,
                unit: unit.to_owned(),
                curves: [one, two],
            })
            .collect()
    }
}

/// Contacts by the two bodies that touch, and which one of theirs.
type ByPair = BTreeMap<(BodyId, BodyId, u64), (BodyId, BodyId, ContactFacts)>;

#[derive(Default)]
struct Contacts {
    found: ByPair,
    counts: BTreeMap<(BodyId, BodyId), u64>,
    cut_short: bool,
}

impl Contacts {
    fn add(&mut self, a: BodyId, b: BodyId, facts: ContactFacts) {
        if self.found.len() == MOST_CONTACTS {
            self.cut_short = true;
            return;
        }
        let pair = (a.min(b), a.max(b));
        let count = self.counts.entry(pair).or_default();
        *count += 1;
        self.found.insert((pair.0, pair.1, *count), (a, b, facts));
    }
}

fn side<S: DataSpace>(run: &Simulation<S>, failed: Option<String>, start: Instant) -> Side {
    let audit = run.audit();
    Side {
        contacts: run.collisions(),
        energy_initial: audit.initial.total(),
        energy: audit.now.total() + audit.in_contact.energy,
        energy_residual: audit.energy_residual,
        time: run.time(),
        failed,
        run_s: start.elapsed().as_secs_f64(),
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// Runs a world by both methods.
pub fn compare<S: DataSpace>(
    world: &World<S>,
    (forces, settling): (&Forces, &Settling),
    until: f64,
    scene: String,
    title: String,
) -> Result<Comparison, SimulationError> {
    let start = Instant::now();
    let exact = Simulation::with(world.clone(), *settling)?;
    let by_events = start.elapsed();
    let start = Instant::now();
    let stepped = Simulation::with(world.clone(), *forces)?;
    let by_forces = start.elapsed();
    let (events, forces) = ((exact, by_events), (stepped, by_forces));
    beside(world, events, forces, until, (scene, title))
}

/// A simulation by events to its end: its collisions, and why it could not go on, if it could not.
fn followed<S: DataSpace>(
    exact: &mut Simulation<S>,
    curves: &mut Curves,
    until: f64,
) -> (Contacts, Option<String>) {
    let mut by_impulses = Contacts::default();
    let mut failed = None;
    let mut met: Vec<Collision<S>> = Vec::new();
    while failed.is_none() {
        // From one instant to the next, so that places can be asked for.
        let end = exact.run_with(Until::time(curves.next(until)).or(|_| true), |event| {
            if let Event::Collision(collision) = event {
                met.push(**collision);
            }
            ControlFlow::Continue(())
        });
        failed = end.err().map(|error| error.to_string());
        if met.is_empty() {
            // Where solids keep touching a run also stops at steps.
            if failed.is_none() && exact.time() < curves.next(until) {
                continue;
            }
            if curves.look(exact, until) {
                break;
            }
            continue;
        }
        for collision in met.drain(..) {
            by_impulses.add(collision.a, collision.b, of_collision(&collision, exact));
        }
    }
    (by_impulses, failed)
}

/// A simulation by events and one by forces, each made in a time.
fn beside<S: DataSpace>(
    world: &World<S>,
    (mut exact, by_events): (Simulation<S>, Duration),
    (mut stepped, by_forces): (Simulation<S>, Duration),
    until: f64,
    (scene, title): (String, String),
) -> Result<Comparison, SimulationError> {
    let start = Instant::now();
    let mut curves = Curves::new(world);
    let (by_impulses, failed) = followed(&mut exact, &mut curves, until);
    let mut events = side(&exact, failed, start);
    events.run_s += by_events.as_secs_f64();

    let start = Instant::now();
    let mut by_springs = Contacts::default();
    let mut other_curves = Curves::new(world);
    let end = loop {
        let end = stepped.run_with_contacts(other_curves.next(until), |incident| {
            if let Incident::Ended(touch) = incident {
                by_springs.add(touch.a, touch.b, of_touch(touch));
            }
            ControlFlow::Continue(())
        });
        if end.is_err() || other_curves.look(&stepped, until) {
            break end;
        }
    };
    let mut of_forces = side(&stepped, end.err().map(|error| error.to_string()), start);
    of_forces.run_s += by_forces.as_secs_f64();

    let cut_short = by_impulses.cut_short || by_springs.cut_short;
    let (contacts, largest) = paired(world, by_impulses.found, by_springs.found);
    let bodies = bodies(world, &exact, &stepped);
    let stepping = stepped.stepping().expect("it is by forces");
    let most = |value: fn(&BodyPair) -> f64| bodies.iter().map(value).fold(0.0, f64::max);
    let only = |other: fn(&Pairing) -> bool| contacts.iter().filter(|pair| other(pair)).count();
    Ok(Comparison {
        format: "carom-compare",
        version: 2,
        carom: env!("CARGO_PKG_VERSION"),
        scene,
        title,
        methods: [Method::Events, Method::Forces].map(Method::name),
        quantities: curves.beside(other_curves),
        dimension: S::DIMENSION,
        until,
        integrator: stepping.scheme.name(),
        step: stepping.step,
        steps: stepping.steps,
        located: stepping.locates,
        engine: stepping.engine.name(),
        why_general: stepping.why_general,
        only_by_events: only(|pair| pair.forces.is_none()) as u64,
        only_by_forces: only(|pair| pair.events.is_none()) as u64,
        events,
        forces: of_forces,
        cut_short,
        largest: Largest {
            distance: most(|body| body.distance),
            velocity: most(|body| body.velocity_difference),
            ..largest
        },
        contacts,
        bodies,
    })
}

fn paired<S: DataSpace>(
    world: &World<S>,
    events: ByPair,
    mut forces: ByPair,
) -> (Vec<Pairing>, Largest) {
    let name = |id: BodyId| world.body(id).name.to_string();
    let mut largest = Largest::default();
    let mut pairs: Vec<Pairing> = Vec::new();
    for (key, (a, b, by_events)) in events {
        let by_forces = forces.remove(&key).map(|(first, _, mut facts)| {
            // Seen from the same side.
            if first != a {
                facts.velocities.reverse();
                facts.impulse.iter_mut().for_each(|part| *part = -*part);
                if let Some(places) = &mut facts.positions {
                    places.reverse();
                }
            }
            facts
        });
        if let Some(by_forces) = &by_forces {
            let time = (by_forces.begins - by_events.begins).abs();
            let impulse = difference(&by_forces.impulse, &by_events.impulse);
            largest.time = largest.time.max(time);
            largest.impulse = largest.impulse.max(impulse);
        }
        pairs.push(Pairing {
            a: name(a),
            b: name(b),
            occurrence: key.2,
            events: Some(by_events),
            forces: by_forces,
        });
    }
    pairs.extend(
        forces
            .into_iter()
            .map(|((.., occurrence), (a, b, facts))| Pairing {
                a: name(a),
                b: name(b),
                occurrence,
                events: None,
                forces: Some(facts),
            }),
    );
    let begins = |pair: &Pairing| {
        let either = pair.events.as_ref().or(pair.forces.as_ref());
        either.map_or(f64::INFINITY, |facts| facts.begins)
    };
    pairs.sort_by(|one, other| begins(one).total_cmp(&begins(other)));
    (pairs, largest)
}

fn bodies<S: DataSpace>(
    world: &World<S>,
    exact: &Simulation<S>,
    stepped: &Simulation<S>,
) -> Vec<BodyPair> {
    let periods = world.periods();
    let apart = |a: S::Vector, b: S::Vector| {
        let mut way = S::components(a - b);
        for (part, period) in way.iter_mut().zip(periods) {
            if period > 0.0 {
                *part -= (*part / period).round() * period;
            }
        }
        way.iter().map(|part| part * part).sum::<f64>().sqrt()
    };
    let all = (0..).map(BodyId).zip(world.bodies());
    all.filter(|(_, body)| matches!(body.kind, carom::body::Kind::Free(_)))
        .map(|(id, body)| {
            let (one, other) = (exact.state(id), stepped.state(id));
            BodyPair {
                name: body.name.to_string(),
                distance: apart(one.position, other.position),
                velocity_difference: (one.velocity - other.velocity).length(),
                events: one.into(),
                forces: other.into(),
            }
        })
        .collect()
}
