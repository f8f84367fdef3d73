//! How bodies move: free, static, or kinematic.

use crate::dimension::{ReadSpace, vector};
use crate::forms;
use crate::load;
use crate::problem::Kind;
use crate::quantity::{AREA_INERTIA, FREQUENCY, INSTANT, MASS, PHASE, VELOCITY};
use crate::reader::{Entry, Section};
use crate::shape::METRES;
use crate::solid;
use carom::body::{Body, Free, Kind as Movement};
use carom::motion::{Drive, Load, Pose};
use carom::shape::Shape;
use carom::space::Linear;

/// The keys that only free bodies have.
const OF_FREE_BODIES: [&str; 7] = [
    "mass",
    "density",
    "inertia",
    "velocity",
    "angular_velocity",
    "force",
    "torque",
];

/// How a body moves, and the keys that have been refused on the way.
pub(crate) struct Read<S: ReadSpace> {
    pub movement: Option<Movement<S>>,
    /// What acts on it alone; `None` within where that makes no sense.
    pub load: Option<Option<Box<Load<S>>>>,
    pub refused: &'static [&'static str],
}

/// From `motion` and, for a free body, its mass, velocity and angular velocity. `shape` is `None` where it could not be
/// read.
pub(crate) fn read<S: ReadSpace>(
    name: &str,
    shape: Option<&Shape<S>>,
    section: &Section<'_, '_>,
) -> Read<S> {
    let entry = section.optional("motion");
    let is_ball = name == "ball";
    // What has a weight moves; anything else but balls stands unless told otherwise.
    let weighs = solid::can_be_free(name) && (section.has("mass") || section.has("density"));
    match &entry {
        None if is_ball => free(shape, section),
        None if weighs => free_solid(shape, section),
        None => stays(section, Some(Movement::Static)),
        Some(entry) if entry.is_table() => stays(section, drive(entry, section)),
        Some(entry) => match entry.as_text() {
            Some("free") if is_ball => free(shape, section),
            Some("free") if solid::can_be_free(name) => free_solid(shape, section),
            Some("free") => {
                entry.wrong(
                    "\"static\" or a kinematic motion here: only a body with an inside can be free",
                );
                stays(section, None)
            }
            Some("static") => stays(section, Some(Movement::Static)),
            Some(_) => {
                entry.not_among("a motion", ["free", "static"].into_iter(), Kind::Value);
                unknown(is_ball, shape, section)
            }
            None => {
                entry.wrong("\"free\", \"static\" or a table such as { velocity = [1.0, 0.0] }");
                unknown(is_ball, shape, section)
            }
        },
    }
}

fn free<S: ReadSpace>(shape: Option<&Shape<S>>, section: &Section<'_, '_>) -> Read<S> {
    let mass = section
        .required(
            "mass",
            "a positive, finite number of kilograms, or motion = \"static\"",
        )
        .and_then(|entry| entry.number(MASS));
    let velocity = match section.optional("velocity") {
        Some(entry) => vector::<S>(&entry, VELOCITY),
        None => Some(S::Vector::ZERO),
    };
    let angular_velocity = match section.optional("angular_velocity") {
        Some(entry) => S::read_angular_velocity(&entry),
        None => Some(S::Angular::ZERO),
    };
    let inertia = match (section.optional("inertia"), shape, mass) {
        (Some(entry), _, _) => entry.number(AREA_INERTIA),
        (None, Some(Shape::Ball(ball)), Some(mass)) => Some(S::ball_inertia(mass, ball.radius)),
        (None, _, _) => None,
    };
    let movement = || {
        Some(Movement::Free(Free {
            mass: mass?,
            inertia: inertia?,
            velocity: velocity?,
            angular_velocity: angular_velocity?,
        }))
    };
    Read {
        movement: movement(),
        load: load::read(section),
        refused: &[],
    }
}

/// A box, a cylinder, a polygon…: it turns, and its inertia follows from its shape.
fn free_solid<S: ReadSpace>(shape: Option<&Shape<S>>, section: &Section<'_, '_>) -> Read<S> {
    section.refuse(
        "inertia",
        "only a ball has it",
        "leave it out: it follows from shape and mass",
    );
    let mass = solid::mass(shape, section);
    let velocity = match section.optional("velocity") {
        Some(entry) => vector::<S>(&entry, VELOCITY),
        None => Some(S::Vector::ZERO),
    };
    let angular_velocity = match section.optional("angular_velocity") {
        Some(entry) => S::read_angular_velocity(&entry),
        None => Some(S::Angular::ZERO),
    };
    let movement = || {
        let (shape, velocity, angular_velocity) = (shape?.clone(), velocity?, angular_velocity?);
        let body = Body::solid(shape, mass?, Pose::default(), velocity, angular_velocity);
        Some(body.ok()?.kind)
    };
    Read {
        movement: movement(),
        load: load::read(section),
        refused: &["inertia"],
    }
}

/// What can be said where `motion` makes no sense: a ball with a mass was meant to be free.
fn unknown<S: ReadSpace>(
    is_ball: bool,
    shape: Option<&Shape<S>>,
    section: &Section<'_, '_>,
) -> Read<S> {
    if is_ball && section.has("mass") {
        free(shape, section);
    }
    Read {
        movement: None,
        load: Some(None),
        refused: &OF_FREE_BODIES,
    }
}

fn stays<S: ReadSpace>(section: &Section<'_, '_>, movement: Option<Movement<S>>) -> Read<S> {
    for key in OF_FREE_BODIES {
        section.refuse(
            key,
            "only a free body has it",
            "leave it out; a kinematic body has motion = { velocity = … }",
        );
    }
    Read {
        movement,
        load: Some(None),
        refused: &OF_FREE_BODIES,
    }
}

/// One motion of several, told apart by their keys.
pub(crate) fn drive<S: ReadSpace>(
    entry: &Entry<'_, '_>,
    section: &Section<'_, '_>,
) -> Option<Movement<S>> {
    let inner = entry
        .section(format!("the motion of {}", section.title))?
        .of(&forms::ANY_MOTION);
    let kinds: Vec<&str> = [
        ("velocity", &["velocity"][..]),
        ("rotation", &["pivot", "angular_velocity"]),
        ("oscillation", &["amplitude", "frequency", "phase"]),
        ("path", &["path"]),
    ]
    .into_iter()
    .filter(|(_, keys)| keys.iter().any(|key| inner.has(key)))
    .map(|(kind, _)| kind)
    .collect();
    match kinds[..] {
        ["velocity"] => inner.becomes(&forms::UNIFORM),
        ["rotation"] => inner.becomes(&forms::TURNING),
        ["oscillation"] => inner.becomes(&forms::OSCILLATION),
        ["path"] => inner.becomes(&forms::PATH),
        _ => {}
    }
    let drive = match kinds[..] {
        ["velocity"] => uniform(&inner),
        ["rotation"] => rotation(&inner),
        ["oscillation"] => oscillation(&inner),
        ["path"] => path(&inner),
        [] => {
            for key in [
                "velocity",
                "pivot",
                "angular_velocity",
                "amplitude",
                "frequency",
                "phase",
                "path",
            ] {
                inner.optional(key);
            }
            if inner.is_empty() {
                entry.wrong("{ velocity }, { pivot, angular_velocity }, { amplitude, frequency } or { path }");
            }
            None
        }
        _ => {
            entry.wrong(&format!("one motion, not {} at once", kinds.join(" and ")));
            return None;
        }
    };
    inner.finish(&[]);
    Some(Movement::Kinematic(drive?))
}

fn uniform<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Drive<S>> {
    let entry = inner.required("velocity", "in metres per second")?;
    let velocity = vector::<S>(&entry, VELOCITY)?;
    Some(Drive::Uniform { velocity })
}

fn rotation<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Drive<S>> {
    let pivot = inner
        .required("pivot", "the point that it rotates about, in metres")
        .and_then(|entry| vector::<S>(&entry, METRES));
    let angular_velocity = inner
        .required("angular_velocity", "in radians per second")
        .and_then(|entry| S::read_angular_velocity(&entry));
    Some(Drive::Rotation {
        pivot: pivot?,
        angular_velocity: angular_velocity?,
    })
}

fn oscillation<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Drive<S>> {
    let amplitude = inner
        .required("amplitude", "the largest displacement, in metres")
        .and_then(|entry| vector::<S>(&entry, METRES));
    let frequency = inner
        .required("frequency", "in hertz")
        .and_then(|entry| entry.number(FREQUENCY));
    let phase = match inner.optional("phase") {
        Some(entry) => entry.number(PHASE),
        None => Some(0.0),
    };
    Some(Drive::Oscillation {
        amplitude: amplitude?,
        frequency: frequency?,
        phase: phase?,
    })
}

fn path<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Drive<S>> {
    let what = "an array of one or more { time = …, offset = […] }";
    let entry = inner.required("path", what)?;
    let Some(items) = entry.as_items().filter(|items| items.len() > 0) else {
        entry.wrong(what);
        return None;
    };
    let mut knots: Vec<(f64, S::Vector)> = Vec::with_capacity(items.len());
    let mut good = true;
    for item in items {
        match knot::<S>(&item, knots.last().map(|knot| knot.0)) {
            Some(knot) => knots.push(knot),
            None => good = false,
        }
    }
    good.then_some(Drive::Path { knots })
}

fn knot<S: ReadSpace>(item: &Entry<'_, '_>, before: Option<f64>) -> Option<(f64, S::Vector)> {
    let section = item.section(item.title.clone())?;
    let time_entry = section.required("time", "in seconds");
    let offset = section
        .required("offset", "the displacement from its position, in metres")
        .and_then(|entry| vector::<S>(&entry, METRES));
    section.finish(&[]);
    let time_entry = time_entry?;
    let time = time_entry.number(INSTANT)?;
    if before.is_some_and(|before| before >= time) {
        time_entry.wrong("later than the one before");
        return None;
    }
    Some((time, offset?))
}
