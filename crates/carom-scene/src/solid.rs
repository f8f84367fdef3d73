//! Rigid bodies: polygons, polyhedra, capsules, compounds; and how much they weigh.

use crate::dimension::{ReadSpace, vector};
use crate::forms;
use crate::problem::Kind;
use crate::quantity::{DENSITY, LENGTH, MASS, PLACE, TIME};
use crate::reader::{Entry, Section};
use crate::shape::Placed;
use carom::motion::Pose;
use carom::shape::Shape;
use carom::shape::{Compound, Convex, ConvexError};
use carom::simulate::Settling;
use carom::space::{Linear, Space};

/// The shapes of a part of a compound, in both spaces together.
pub(crate) const PARTS: [&str; 6] = [
    "ball",
    "box",
    "capsule",
    "cylinder",
    "polygon",
    "polyhedron",
];

/// The most corners that a polygon or polyhedron may have.
pub(crate) const MOST_CORNERS: usize = 10_000;

/// What may move freely.
pub(crate) fn can_be_free(name: &str) -> bool {
    name == "compound" || PARTS.contains(&name)
}

/// A polygon or polyhedron, a capsule or a compound, where it is; its frame has the centre of mass as its origin.
pub(crate) fn read<S: ReadSpace>(name: &str, section: &Section<'_, '_>) -> Option<Placed<S>> {
    let (parts, entry) = match name {
        "compound" => parts::<S>(section)?,
        name => {
            let (part, entry) = part::<S>(name, section)?;
            (vec![part], entry)
        }
    };
    let place = match section.optional("position") {
        Some(entry) => vector::<S>(&entry, PLACE).map(|place| (place, Some(entry))),
        None => Some((S::Vector::ZERO, None)),
    };
    let rotation = match name {
        "capsule" => Some(S::no_rotation()),
        _ => S::read_rotation(section),
    };
    // With any mass: how much it weighs is said elsewhere.
    let form = Compound::with_mass(parts, 1.0)
        .map_err(|error| refuse(&entry, &error))
        .ok()?;
    let ((position, at), rotation) = (place?, rotation?);
    let centre = Pose::<S> { position, rotation }.to_world(-form.origin());
    Some(Placed {
        shape: Shape::Compound(Box::new(form)),
        pose: Pose {
            position: centre,
            rotation,
        },
        span: at.map_or(entry.span(), |entry| entry.span()),
    })
}

/// What is wrong with corners or parts, counted from 1 as people count.
fn refuse(entry: &Entry<'_, '_>, error: &ConvexError) {
    let allowed = match error {
        ConvexError::NotConvex { corner, depth } => format!(
            "convex: corner {} is {depth:.3e} m inside the hull of the others (make a compound of convex parts, or leave the corner out)",
            corner + 1
        ),
        ConvexError::Crossing { corner } => format!(
            "the corners in their order around it: the line from corner {} to the next one is no side",
            corner + 1
        ),
        ConvexError::Flat { what } => format!("a body with an inside: these corners are {what}"),
        ConvexError::PartsOverlap {
            first,
            second,
            depth,
        } => format!(
            "parts that do not overlap: parts {} and {} do, by {depth:.3e} m, and the mass of the overlap would count twice",
            first + 1,
            second + 1
        ),
        other => format!("a rigid body: {other}"),
    };
    entry.wrong(&allowed);
}

/// One convex part in the frame of its table, and what in the file says so.
fn part<'r, 't, S: ReadSpace>(
    name: &str,
    section: &Section<'r, 't>,
) -> Option<(Convex<S>, Entry<'r, 't>)> {
    match name {
        "polyhedron" if section.has("file") => {
            if let Some(corners) = section.optional("corners") {
                corners.wrong("left out where there is a file: it has the corners");
            }
            S::read_mesh(section)
        }
        "polygon" | "polyhedron" => {
            let least = S::DIMENSION + 1;
            let axes = &"x, y, z"[..3 * S::DIMENSION - 2];
            let what = format!("{least} points [{axes}] or more, in metres");
            let entry = section.required("corners", &what)?;
            let items = entry.as_items();
            let Some(items) = items.filter(|i| (least..=MOST_CORNERS).contains(&i.len())) else {
                entry.wrong(&what);
                return None;
            };
            let read: Vec<Option<S::Vector>> =
                items.map(|item| vector::<S>(&item, PLACE)).collect();
            let corners: Vec<S::Vector> = read.into_iter().collect::<Option<_>>()?;
            let part = S::hull(&corners)
                .map_err(|error| refuse(&entry, &error))
                .ok()?;
            Some((part, entry))
        }
        "capsule" => {
            let from = section.required("from", "the centre of one round end, in metres");
            let to = section.required("to", "the centre of the other round end, in metres");
            let radius = section
                .required("radius", &LENGTH.allowed())
                .and_then(|entry| entry.number(LENGTH));
            let from = from.and_then(|entry| vector::<S>(&entry, PLACE));
            let to = to?;
            let end = vector::<S>(&to, PLACE)?;
            let part = Convex::capsule(from?, end, radius?);
            let part = part
                .map_err(|_| to.wrong("another point than `from`"))
                .ok()?;
            Some((part, to))
        }
        _ => None,
    }
}

fn parts<'r, 't, S: ReadSpace>(
    section: &Section<'r, 't>,
) -> Option<(Vec<Convex<S>>, Entry<'r, 't>)> {
    let what = "an array of one or more tables, each with a shape";
    let entry = section.required("parts", what)?;
    let Some(items) = entry.as_items().filter(|items| items.len() > 0) else {
        entry.wrong(what);
        return None;
    };
    let read: Vec<Option<Convex<S>>> = items.map(|item| one_part::<S>(&item)).collect();
    let parts = read.into_iter().collect::<Option<Vec<_>>>()?;
    Some((parts, entry))
}

fn one_part<S: ReadSpace>(item: &Entry<'_, '_>) -> Option<Convex<S>> {
    let section = item.section(item.title.clone())?.of(&forms::PART);
    let names = || PARTS.into_iter().filter(|name| S::has_part(name));
    let Some(entry) = section.required("shape", "the name of a shape, such as \"box\"") else {
        section.finish_missing();
        return None;
    };
    let text = entry.text("the name of a shape")?;
    let Some(name) = names().find(|name| *name == text) else {
        entry.not_among("a shape of a part", names(), Kind::Value);
        section.finish_missing();
        return None;
    };
    if let Some(form) = (forms::PARTS.iter()).find(|form| form.tag == Some(("shape", name))) {
        section.becomes(form);
    }
    let placed = match name {
        "polygon" | "polyhedron" | "capsule" => {
            let part = part::<S>(name, &section);
            let place = match section.optional("position") {
                Some(entry) => vector::<S>(&entry, PLACE),
                None => Some(S::Vector::ZERO),
            };
            let rotation = match name {
                "capsule" => Some(S::no_rotation()),
                _ => S::read_rotation(&section),
            };
            let pose = place
                .zip(rotation)
                .map(|(position, rotation)| Pose { position, rotation });
            part.zip(pose).map(|((part, _), pose)| part.placed(&pose))
        }
        name => crate::shape::read_keys::<S>(name, &section).and_then(|placed| {
            let part = Convex::of_shape(&placed.shape)?;
            Some(part.placed(&placed.pose))
        }),
    };
    section.finish(&[]);
    placed
}

/// Of a free body that is no ball: from `mass`, or from `density` and its volume, kg.
pub(crate) fn mass<S: ReadSpace>(
    shape: Option<&Shape<S>>,
    section: &Section<'_, '_>,
) -> Option<f64> {
    let density = section.optional("density");
    let Some(density) = density else {
        let what = "a positive, finite number of kilograms, or a density, or motion = \"static\"";
        return section.required("mass", what)?.number(MASS);
    };
    if let Some(mass) = section.optional("mass") {
        mass.wrong("left out where there is a density: one follows from the other");
        return None;
    }
    let density = density.number(DENSITY)?;
    let parts = match shape? {
        Shape::Compound(form) => form.parts().to_vec(),
        shape => vec![Convex::of_shape(shape)?],
    };
    Compound::new(parts, density).ok().map(|form| form.mass())
}

/// `[solids]`; `None` where something is wrong.
pub(crate) fn settling(top: &Section<'_, '_>) -> Option<Settling> {
    let mut settling = Settling::default();
    let Some(entry) = top.optional("rigid_bodies") else {
        return Some(settling);
    };
    let section = entry.section("`rigid_bodies`".to_owned())?;
    let step = section.optional("step").map(|entry| entry.number(TIME));
    let time = section
        .optional("settling_time")
        .map(|entry| entry.number(TIME));
    let rounds = section
        .optional("iterations")
        .map(|entry| entry.whole(1, 1_000_000));
    section.finish(&[]);
    if let Some(step) = step {
        settling.step = step?;
    }
    if let Some(time) = time {
        settling.time = time?;
    }
    if let Some(rounds) = rounds {
        settling.iterations = rounds? as u32;
    }
    Some(settling)
}

/// What `squeeze` of `[run]` says: whether drives stall. `None` where it is wrong.
pub(crate) fn stalls(run: &Section<'_, '_>) -> Option<bool> {
    let Some(entry) = run.optional("squeeze") else {
        return Some(false);
    };
    match entry.as_text() {
        Some("error") => Some(false),
        Some("stall") => Some(true),
        _ => {
            entry.wrong("\"error\" or \"stall\"");
            None
        }
    }
}

/// What scene files call a solid.
pub(crate) fn name_of<S: Space>(form: &Compound<S>) -> &'static str {
    match form.parts() {
        _ if !form.has_mass() => "mesh",
        [part] if part.rounding() > 0.0 => "capsule",
        [part] if part.as_cylinder().is_some() => "cylinder",
        [_] if S::DIMENSION == 2 => "polygon",
        [_] => "polyhedron",
        _ => "compound",
    }
}
