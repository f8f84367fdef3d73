//! `[[generate]]`: bodies by a rule, so that a scene of a million is ten lines.
//!
//! Each table is a rule for places (a lattice, a row, a rack, at random, from a table) and says what the balls are
//! like. Everything random comes from the scene's seed and the table's place in the file: same seed, same bits.

mod csv;
mod draw;
mod ordered;
mod pack;
mod region;
mod scatter;

use crate::body::{Extras, Names, Places};
use crate::dimension::ReadSpace;
use crate::forms;
use crate::problem::{Kind as ProblemKind, Problem};
use crate::quantity::{DENSITY, MASS};
use crate::random::Random;
use crate::reader::{Entry, Section};
use crate::render::shortened;
use crate::scene::{Around, bytes_per_body, gigabytes};
use carom::body::{Body, CollisionFilter, Free, Kind};
use carom::material::{MaterialId, Materials};
use carom::motion::Pose;
use carom::shape::{Ball, Shape};
use carom::simulate::Compiled;
use carom::space::{Linear, Space};
use carom::world::World;
use draw::{Radii, Velocities};
use std::collections::{BTreeMap, BTreeSet};

/// Reads all generators and adds their bodies to the world.
pub(crate) fn read<S: ReadSpace>(
    entry: &Entry<'_, '_>,
    names: &Names<'_>,
    around: &Around<'_>,
    world: &mut World<S>,
    places: &mut Places,
    extras: &mut Extras<S>,
) {
    let what = "an array of one or more tables, written [[generate]]";
    let Some(items) = entry.as_items().filter(|items| items.len() > 0) else {
        entry.wrong(what);
        return;
    };
    let mut used: BTreeMap<String, std::ops::Range<usize>> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let Some(rule) = rule::<S>(index, &item, names, around, world) else {
            continue;
        };
        if let Some(first) = used.insert(rule.looks.name.clone(), item.span()) {
            let name = shortened(&rule.looks.name, 40);
            let message = format!("two generators are called `{name}`");
            let problem = Problem::new(item.span(), message, "must be unique");
            item.report(problem.related(first, "the first of them"));
            continue;
        }
        rule.add(&item, index as u64, around.seed, world, places, extras);
    }
}

/// What generated balls are like.
struct Looks<S: Space> {
    name: String,
    radii: Option<Radii>,
    weight: Option<Weight>,
    velocities: Velocities<S>,
    angular_velocity: S::Angular,
    material: MaterialId,
    groups: CollisionFilter,
    /// Whether they are there from the start.
    present: bool,
}

#[derive(Clone, Copy)]
enum Weight {
    Mass(f64),
    Density(f64),
}

/// A ball that was placed; what is `None` comes from the looks.
struct Placed<S: Space> {
    place: S::Vector,
    radius: f64,
    mass: Option<f64>,
    velocity: Option<S::Vector>,
    angular_velocity: Option<S::Angular>,
    name: Option<Box<str>>,
}

impl<S: Compiled> Placed<S> {
    fn at(place: S::Vector, radius: f64) -> Self {
        Placed {
            place,
            radius,
            mass: None,
            velocity: None,
            angular_velocity: None,
            name: None,
        }
    }
}

struct Rule<S: Space> {
    looks: Looks<S>,
    balls: Vec<Placed<S>>,
}

/// The rule of a table, with the places of its balls.
fn rule<S: ReadSpace>(
    index: usize,
    item: &Entry<'_, '_>,
    names: &Names<'_>,
    around: &Around<'_>,
    world: &World<S>,
) -> Option<Rule<S>> {
    let mut section = item
        .section(format!("generator {}", index + 1))?
        .of(&forms::GENERATE);
    let name = match section.optional("name") {
        Some(entry) => entry.label().map(Some),
        None => Some(None),
    };
    if let Some(Some(name)) = name {
        section.title = format!("generator `{}`", shortened(name, 40));
    }
    let form = section
        .required("kind", "the name of a rule, such as \"lattice\"")
        .map(|entry| kind(&entry));
    let looks = looks::<S>(&section, names, name, index);
    let Some(Some(form)) = form else {
        section.finish_missing();
        return None;
    };
    section.becomes(form);
    // Its own stream for the places: other numbers do not change with them.
    let random = Random::new(around.seed, 2 * index as u64);
    let room = Room {
        most: around.limits.bodies,
        left: around.limits.bodies.saturating_sub(world.bodies().len()),
        there: world.bodies().len() as u64,
        memory: around.limits.memory,
        each: bytes_per_body(S::DIMENSION, around.method),
    };
    let balls = match form.name {
        "csv" if !around.limits.tables => {
            let message = format!("{} reads a file", section.title);
            let problem = Problem::new(section.span.clone(), message, "may not be done here");
            section.reader.report(problem);
            return None;
        }
        "csv" => csv::read::<S>(&section, looks.as_ref(), around, random, room),
        "random" => scatter::read::<S>(&section, looks.as_ref(), world, random, room),
        _ => ordered::read::<S>(form.name, &section, looks.as_ref(), random, room),
    };
    section.finish(&[]);
    Some(Rule {
        looks: looks?,
        balls: balls?,
    })
}

fn kind(entry: &Entry<'_, '_>) -> Option<&'static forms::Form> {
    let text = entry.text("the name of a rule")?;
    let tags = || forms::GENERATORS.iter().filter_map(|form| form.tag);
    let found = forms::GENERATORS
        .iter()
        .find(|form| form.tag == Some(("kind", text)));
    if found.is_none() {
        entry.not_among("a rule", tags().map(|(_, kind)| kind), ProblemKind::Value);
    }
    found.copied()
}

fn looks<S: ReadSpace>(
    section: &Section<'_, '_>,
    names: &Names<'_>,
    name: Option<Option<&str>>,
    index: usize,
) -> Option<Looks<S>> {
    let radii = match section.optional("radius") {
        Some(entry) => draw::radii(&entry).map(Some),
        None => Some(None),
    };
    let (mass, density) = (section.optional("mass"), section.optional("density"));
    let weight = match (&mass, &density) {
        (Some(mass), Some(density)) => {
            let problem = density.problem("left out where the mass is given");
            section
                .reader
                .report(problem.related(mass.span(), "given here"));
            None
        }
        (Some(mass), None) => mass.number(MASS).map(|mass| Some(Weight::Mass(mass))),
        (None, Some(density)) => density
            .number(DENSITY)
            .map(|density| Some(Weight::Density(density))),
        (None, None) => Some(None),
    };
    let velocities = match section.optional("velocity") {
        Some(entry) => draw::velocities::<S>(&entry),
        None => Some(Velocities::Same(S::Vector::ZERO)),
    };
    let angular_velocity = match section.optional("angular_velocity") {
        Some(entry) => S::read_angular_velocity(&entry),
        None => Some(S::Angular::ZERO),
    };
    let material = match section.optional("material") {
        Some(entry) => names.materials.find(&entry),
        None => Some(Materials::DEFAULT),
    };
    let groups = names.groups.read(section);
    let present = match section.optional("present") {
        Some(entry) => entry.flag(),
        None => Some(true),
    };
    let name = match name? {
        Some(name) => name.to_owned(),
        None => format!("generated {}", index + 1),
    };
    Some(Looks {
        name,
        radii: radii?,
        weight: weight?,
        velocities: velocities?,
        angular_velocity: angular_velocity?,
        material: material?,
        groups: groups?,
        present: present?,
    })
}

/// The radii of a rule that cannot do without. `None` where `looks` are wrong or have none, which is then reported.
fn needed_radii<'l, S: Compiled>(
    section: &Section<'_, '_>,
    looks: Option<&'l Looks<S>>,
) -> Option<&'l Radii> {
    let radii = looks?.radii.as_ref();
    if radii.is_none() {
        section.required("radius", "in metres, or a distribution of radii");
    }
    if looks?.weight.is_none() {
        section.required("mass", "in kilograms, or a `density`");
    }
    radii
}

/// How many bodies there may be, and how many more.
#[derive(Clone, Copy)]
struct Room {
    most: usize,
    left: usize,
    /// How many bodies there are.
    there: u64,
    /// In bytes, where that is known.
    memory: Option<u64>,
    /// What a body takes, bytes.
    each: u64,
}

impl Room {
    /// How much memory there is (bytes), where so many more bodies do not fit into it.
    fn full(self, count: u64) -> Option<u64> {
        let takes = (self.there + count).saturating_mul(self.each);
        self.memory.filter(|&memory| takes > memory)
    }

    /// Refuses more bodies than there is room for.
    fn check(self, section: &Section<'_, '_>, count: u64) -> Option<usize> {
        let (title, left) = (&section.title, self.left);
        if count <= left as u64 {
            let takes = (self.there + count).saturating_mul(self.each);
            let Some(memory) = self.full(count) else {
                return Some(count as usize);
            };
            let message = format!(
                "{title} makes {count} bodies: with all others they take about {} of memory",
                gigabytes(takes)
            );
            let allowed = format!("{} of memory are there", gigabytes(memory));
            let problem = Problem::new(section.span.clone(), message, allowed);
            section.reader.report(problem);
            return None;
        }
        let message = if left == self.most {
            format!("{title} makes {count} bodies")
        } else {
            format!("{title} makes {count} bodies, but at most {left} more are allowed")
        };
        let allowed = format!("a scene has at most {}", self.most);
        let problem = Problem::new(section.span.clone(), message, allowed);
        section.reader.report(problem);
        None
    }
}

impl<S: ReadSpace> Rule<S> {
    fn add(
        self,
        item: &Entry<'_, '_>,
        index: u64,
        seed: u64,
        world: &mut World<S>,
        places: &mut Places,
        extras: &mut Extras<S>,
    ) {
        let looks = &self.looks;
        let masses: Vec<f64> = self
            .balls
            .iter()
            .map(|ball| match (ball.mass, looks.weight) {
                (Some(mass), _) | (None, Some(Weight::Mass(mass))) => mass,
                (None, Some(Weight::Density(density))) => density * content::<S>(ball.radius),
                // A rule that needs one has reported it.
                (None, None) => 1.0,
            })
            .collect();
        let mut random = Random::new(seed, 2 * index + 1);
        let velocities = looks.velocities.draw(&masses, &mut random);
        let named = self.balls.iter().filter_map(|ball| ball.name.as_deref());
        let clash = match named.clone().next() {
            Some(_) => doubled_name(world, &extras.waiting, named),
            None => taken_name(world, &extras.waiting, &looks.name, self.balls.len()),
        };
        if let Some(name) = clash {
            let message = format!("two bodies are called `{}`", shortened(&name, 40));
            let allowed = "makes one of them; names are unique";
            item.report(Problem::new(item.span(), message, allowed));
            return;
        }
        let present = looks.present;
        let mut waiting = Vec::new();
        places.reserve(if present { self.balls.len() } else { 0 });
        for (number, (ball, mass)) in self.balls.into_iter().zip(masses).enumerate() {
            let Ok(shape) = Ball::new(ball.radius) else {
                continue;
            };
            let name = match ball.name {
                Some(name) => name,
                None => format!("{} {}", looks.name, number + 1).into(),
            };
            let body = Body {
                name,
                shape: Shape::Ball(shape),
                material: looks.material,
                groups: looks.groups,
                sensor: false,
                pose: Pose::at(ball.place),
                kind: Kind::Free(Free {
                    mass,
                    inertia: S::ball_inertia(mass, ball.radius),
                    velocity: ball.velocity.unwrap_or(velocities.of(number)),
                    angular_velocity: ball.angular_velocity.unwrap_or(looks.angular_velocity),
                }),
                load: None,
            };
            if !present {
                waiting.push(body);
                continue;
            }
            match world.add(body) {
                Ok(_) => places.push(item.span()),
                Err(error) => {
                    item.report(Problem::new(
                        item.span(),
                        error.to_string(),
                        "makes this body",
                    ));
                    return;
                }
            }
        }
        if !waiting.is_empty() {
            extras.add_waiting(world, waiting, item);
        }
    }
}

/// The name of a body that is there already and that a generator of this name and number would give again.
fn taken_name<S: Compiled>(
    world: &World<S>,
    waiting: &[Body<S>],
    name: &str,
    count: usize,
) -> Option<String> {
    let is_taken = |body: &&Body<S>| {
        let rest = body.name.strip_prefix(name);
        let number = rest.and_then(|rest| rest.strip_prefix(' '));
        number.is_some_and(|digits| {
            let plain = !digits.starts_with(['0', '+']);
            plain && digits.parse().is_ok_and(|number: usize| number <= count)
        })
    };
    let taken = world.bodies().iter().chain(waiting).find(is_taken)?;
    Some(taken.name.to_string())
}

/// The area of a disc, m², or the volume of a ball, m³.
fn content<S: Compiled>(radius: f64) -> f64 {
    use std::f64::consts::PI;
    match S::DIMENSION {
        2 => PI * radius * radius,
        _ => 4.0 / 3.0 * PI * radius * radius * radius,
    }
}

/// A name that comes twice, among those of a table and of the world.
fn doubled_name<'n, S: Compiled>(
    world: &'n World<S>,
    waiting: &'n [Body<S>],
    names: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let all = world.bodies().iter().chain(waiting);
    let mut seen: BTreeSet<&str> = all.map(|body| &*body.name).collect();
    let mut names = names;
    names.find(|name| !seen.insert(name)).map(str::to_owned)
}
