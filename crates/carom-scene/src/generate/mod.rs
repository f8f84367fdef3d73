//! `[[generate]]`: bodies by a rule, so that a scene of a million is ten lines.
//!
//! Each table is a rule for places (a lattice, a row, a rack, at random, from a table) and says what the balls are
//! like. Everything random comes from the scene's seed and the table's place in the file: same seed, same bits.

mod csv;
mod draw;
mod naming;
mod ordered;
mod pack;
mod rack;
mod region;
mod scatter;
mod template;

pub(crate) use rack::GAMES;
pub(crate) use template::{complete, random_angle};

use crate::body::{Extras, Names, Places};
use crate::dimension::ReadSpace;
use crate::forms;
use crate::look::{self, Look};
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
use template::Template;

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
struct Looks<S: ReadSpace> {
    name: String,
    /// What they are, where they are no free balls.
    template: Option<Template<S>>,
    /// Colours that they have in turn.
    colours: Vec<[u8; 3]>,
    label: Option<Box<str>>,
    radii: Option<Radii>,
    weight: Option<Weight>,
    /// Of a template, only where they are given.
    velocities: Option<Velocities<S>>,
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
    /// Column, row and layer, from 0.
    index: [u64; 3],
    /// Which ball of a game it is.
    ball: Option<&'static str>,
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
            index: [0; 3],
            ball: None,
        }
    }
}

struct Rule<S: ReadSpace> {
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
    let known = match (section.optional("name"), name) {
        (Some(entry), Some(Some(name))) => naming::check(&entry, name),
        _ => Some(()),
    };
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
    known?;
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
    let template = template::read::<S>(section, names, index);
    if let Some(template) = template {
        return templated(section, template, name, index);
    }
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
    let shown = shown(section);
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
    let (colours, label) = shown?;
    Some(Looks {
        name: name_or_number(name?, index),
        template: None,
        colours,
        label,
        radii: radii?,
        weight: weight?,
        velocities: Some(velocities?),
        angular_velocity: angular_velocity?,
        material: material?,
        groups: groups?,
        present: present?,
    })
}

fn name_or_number(name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) => name.to_owned(),
        None => format!("generated {}", index + 1),
    }
}

/// Colours (red, green, blue), and a label.
type Shown = (Vec<[u8; 3]>, Option<Box<str>>);

/// `color`, one or several, and `label`; `None` where one is wrong.
fn shown(section: &Section<'_, '_>) -> Option<Shown> {
    let colours = match section.optional("color") {
        None => Some(Vec::new()),
        Some(entry) => match entry.as_items() {
            None => look::colour(&entry).map(|colour| vec![colour]),
            Some(items) => {
                let read: Vec<_> = items.take(1000).map(|item| look::colour(&item)).collect();
                read.into_iter().collect()
            }
        },
    };
    let label = match section.optional("label") {
        Some(entry) => entry.label().map(|label| Some(label.into())),
        None => Some(None),
    };
    Some((colours?, label?))
}

/// What the bodies of a template are like.
fn templated<S: ReadSpace>(
    section: &Section<'_, '_>,
    template: Option<Template<S>>,
    name: Option<Option<&str>>,
    index: usize,
) -> Option<Looks<S>> {
    let velocities = match section.optional("velocity") {
        Some(entry) => draw::velocities::<S>(&entry).map(Some),
        None => Some(None),
    };
    let shown = shown(section);
    let (template, (colours, label)) = (template?, shown?);
    let body = &template.one.body;
    let mass = match &body.kind {
        Kind::Free(free) => free.mass,
        _ => 1.0,
    };
    if let (Some(entry), false) = (
        section.optional("velocity"),
        matches!(body.kind, Kind::Free(_)),
    ) {
        entry.wrong("left out: the bodies are not free");
        return None;
    }
    Some(Looks {
        name: name_or_number(name?, index),
        radii: Some(template.radii()),
        weight: Some(Weight::Mass(mass)),
        velocities: velocities?,
        angular_velocity: S::Angular::ZERO,
        material: body.material,
        groups: body.groups,
        present: template.one.present,
        colours,
        label,
        template: Some(template),
    })
}

/// The radii of a rule that cannot do without. `None` where `looks` are wrong or have none, which is then reported.
fn needed_radii<'l, S: ReadSpace>(
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
        let velocities = looks
            .velocities
            .as_ref()
            .map(|velocities| velocities.draw(&masses, &mut random));
        let names: Vec<Box<str>> = (self.balls.iter().enumerate())
            .map(|(number, ball)| naming::name_of(&looks.name, number, ball))
            .collect();
        let own = |ball: &Placed<S>| ball.name.is_some() || ball.ball.is_some();
        let plain = !self.balls.iter().any(own) && !looks.name.contains('{');
        let clash = if plain {
            taken_name(world, &extras.waiting, &looks.name, self.balls.len())
        } else {
            doubled_name(world, &extras.waiting, names.iter().map(|name| &**name))
        };
        if let Some(name) = clash {
            let message = format!("two bodies are called `{}`", shortened(&name, 40));
            let allowed = "makes one of them; names are unique";
            item.report(Problem::new(item.span(), message, allowed));
            return;
        }
        let present = looks.present;
        let first = if present {
            world.bodies().len()
        } else {
            extras.waiting.len()
        };
        self.looks.show(!present, first, &self.balls, extras);
        let mut waiting = Vec::new();
        places.reserve(if present { self.balls.len() } else { 0 });
        let bodies = self.balls.iter().zip(names).zip(masses).enumerate();
        for (number, ((ball, name), mass)) in bodies {
            let velocity = velocities
                .as_ref()
                .map(|all| all.at(number, ball.place, world));
            let Some(body) = looks.body(name, number, ball, mass, velocity, &mut random) else {
                continue;
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

impl<S: ReadSpace> Looks<S> {
    /// One of the bodies; `None` where a radius cannot be.
    fn body(
        &self,
        name: Box<str>,
        number: usize,
        ball: &Placed<S>,
        mass: f64,
        velocity: Option<S::Vector>,
        random: &mut Random,
    ) -> Option<Body<S>> {
        if let Some(template) = &self.template {
            let mut body = template.body(name, number, ball, random);
            if let (Kind::Free(free), Some(velocity)) = (&mut body.kind, ball.velocity.or(velocity))
            {
                free.velocity = velocity;
            }
            return Some(body);
        }
        Some(Body {
            name,
            shape: Shape::Ball(Ball::new(ball.radius).ok()?),
            material: self.material,
            groups: self.groups,
            sensor: false,
            pose: Pose::at(ball.place),
            kind: Kind::Free(Free {
                mass,
                inertia: S::ball_inertia(mass, ball.radius),
                velocity: ball.velocity.or(velocity).unwrap_or(S::Vector::ZERO),
                angular_velocity: ball.angular_velocity.unwrap_or(self.angular_velocity),
            }),
            load: None,
        })
    }

    /// Notes how the bodies are to be shown: those of a game in their own colours.
    fn show(&self, waits: bool, first: usize, balls: &[Placed<S>], extras: &mut Extras<S>) {
        let own = self.template.as_ref().map(|template| &template.one.look);
        let look = |color: Option<[u8; 3]>, label: Option<Box<str>>| Look {
            color: color.or(own.and_then(|own| own.color)),
            label: label.or_else(|| own.and_then(|own| own.label.clone())),
        };
        let many = self.colours.len() > 1 || balls.iter().any(|ball| ball.ball.is_some());
        if !many {
            let look = look(self.colours.first().copied(), self.label.clone());
            extras.show(waits, first..first + balls.len(), look);
            return;
        }
        for (number, ball) in balls.iter().enumerate() {
            let turn = self
                .colours
                .get(number % self.colours.len().max(1))
                .copied();
            let game = ball.ball.map(rack::colour);
            let text = ball.ball.filter(|name| name.parse::<u8>().is_ok());
            let label = self.label.clone().or_else(|| text.map(Into::into));
            let place = first + number;
            extras.show(waits, place..place + 1, look(turn.or(game), label));
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
