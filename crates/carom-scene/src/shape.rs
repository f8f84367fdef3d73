//! Shapes, and where they are put.

use crate::dimension::{ReadSpace, direction, vector};
use crate::forms;
use crate::problem::Kind;
use crate::reader::{Entry, Section};
use crate::solid;
use crate::space::SceneSpace;
use carom::motion::Pose;
use carom::shape::{Ball, Block, HalfSpace, Hollow, Shape};
use carom::space::{Space2, Space3};
use std::ops::Range;

pub(crate) use crate::quantity::{LENGTH as METRES_POSITIVE, PLACE as METRES};

/// The shapes that both spaces have.
const SHARED: [&str; 6] = ["ball", "wall", "hollow", "box", "capsule", "compound"];

/// A shape where it is at time 0.
pub(crate) struct Placed<S: SceneSpace> {
    pub shape: Shape<S>,
    pub pose: Pose<S>,
    /// What in the file says where it is.
    pub span: Range<usize>,
}

/// What scene files call a shape: `ball`, `wall`, `hollow`, `box`, `capsule`, `compound`, `segment`, `arc`, `polygon`,
/// `triangle`, `cylinder`, `tube` or `polyhedron`.
pub fn shape_name<S: SceneSpace>(shape: &Shape<S>) -> &'static str {
    match shape {
        Shape::Ball(_) => "ball",
        Shape::HalfSpace(_) => "wall",
        Shape::Hollow(_) => "hollow",
        Shape::Block(_) => "box",
        Shape::Compound(form) => solid::name_of(form),
        Shape::Own(own) => S::own_shape_name(own),
        _ => "shape",
    }
}

/// The name of a shape that this space has.
pub(crate) fn read_name<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<&'static str> {
    let names = || SHARED.iter().chain(S::OWN_SHAPES).copied();
    let text = entry.text("the name of a shape")?;
    if let Some(name) = names().find(|name| *name == text) {
        return Some(name);
    }
    let elsewhere = Space2::OWN_SHAPES.iter().chain(Space3::OWN_SHAPES);
    if elsewhere.clone().any(|name| *name == text) {
        let other = 5 - S::DIMENSION;
        let problem = entry.problem(&format!("a shape of dimension = {}", S::DIMENSION));
        let list = names().collect::<Vec<_>>().join(", ");
        entry.report(problem.help(format!(
            "`{text}` exists where dimension = {other}; here there are {list}"
        )));
    } else {
        entry.not_among("a shape", names(), Kind::Value);
    }
    None
}

/// The shape and its place, from the keys that this shape has.
pub(crate) fn read<S: ReadSpace>(name: &str, section: &Section<'_, '_>) -> Option<Placed<S>> {
    if let Some(form) = (forms::SHAPES.iter()).find(|form| form.tag == Some(("shape", name))) {
        section.becomes(form);
    }
    read_keys(name, section)
}

/// The same of a table that is known by another form: a part of a compound.
pub(crate) fn read_keys<S: ReadSpace>(name: &str, section: &Section<'_, '_>) -> Option<Placed<S>> {
    match name {
        "ball" => {
            let (radius, at) = round(section, "its centre, in metres");
            let (pose, span) = at?;
            let shape = Shape::Ball(Ball::new(radius?).ok()?);
            Some(Placed { shape, pose, span })
        }
        "hollow" => {
            let (radius, at) = round(section, "the centre of the hollow, in metres");
            let (pose, span) = at?;
            let shape = Shape::Hollow(Hollow::new(radius?).ok()?);
            Some(Placed { shape, pose, span })
        }
        "wall" => wall(section),
        "box" => block(section),
        "capsule" | "compound" => solid::read(name, section),
        own => S::read_own_shape(own, section),
    }
}

type At<S> = (Pose<S>, Range<usize>);

fn position<S: ReadSpace>(
    section: &Section<'_, '_>,
    key: &'static str,
    what: &str,
) -> Option<At<S>> {
    let entry = section.required(key, what)?;
    let position = vector::<S>(&entry, METRES)?;
    Some((Pose::at(position), entry.span()))
}

fn round<S: ReadSpace>(section: &Section<'_, '_>, what: &str) -> (Option<f64>, Option<At<S>>) {
    let radius = section
        .required("radius", &METRES_POSITIVE.allowed())
        .and_then(|entry| entry.number(METRES_POSITIVE));
    (radius, position(section, "position", what))
}

fn wall<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Placed<S>> {
    let at = position(section, "point", "a point of its surface, in metres");
    let normal = section
        .required(
            "normal",
            "the direction out of the wall, into the free space",
        )
        .and_then(|entry| direction::<S>(&entry));
    let two_sided = match section.optional("two_sided") {
        Some(entry) => entry.flag(),
        None => Some(false),
    };
    let ((pose, span), normal) = (at?, normal?);
    let wall = if two_sided? {
        HalfSpace::two_sided(normal)
    } else {
        HalfSpace::solid(normal)
    };
    let shape = Shape::HalfSpace(wall.ok()?);
    Some(Placed { shape, pose, span })
}

fn block<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Placed<S>> {
    let at: Option<At<S>> = position(section, "position", "its middle, in metres");
    let size = section
        .required("size", "the lengths of its sides, in metres")
        .and_then(|entry| vector::<S>(&entry, METRES_POSITIVE));
    let rotation = S::read_rotation(section);
    let (pose, span) = at?;
    let pose = Pose {
        rotation: rotation?,
        ..pose
    };
    // Halving is exact.
    let shape = Shape::Block(Block::new(size? * 0.5).ok()?);
    Some(Placed { shape, pose, span })
}
