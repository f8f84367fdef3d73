//! The keys of `[[joint]]`.

use super::{Form, What, form, key};
use crate::quantity::{AXIS, DAMPING, GAP, LENGTH, PLACE, SPRING_CONSTANT};

/// What every joint may have.
pub(crate) static ANY_JOINT: Form = form(
    "any joint",
    "What holds two bodies together, or a body to a point of the world.",
    &[
        key("name", "Unique among the joints.", What::Name),
        key("kind", "What it is.", What::Choice(kinds)).required(),
        key(
            "between",
            "Two bodies by name; or one, which is held to `point`.",
            What::List {
                of: &What::Name,
                least: 1,
                most: 2,
            },
        )
        .required(),
        key(
            "point",
            "A point of the world: what a single body is held to; for a hinge of two bodies, where it is at the start.",
            What::Vector(PLACE),
        ),
        key(
            "anchors",
            "Where the joint acts on each of the bodies, in the body's own frame; default: its centre, and for a hinge with a `point` what is there.",
            What::List {
                of: &What::Vector(PLACE),
                least: 1,
                most: 2,
            },
        ),
        key(
            "collide",
            "Whether the two bodies collide with each other; default: true, but false for a hinge, where they share a point.",
            What::Flag,
        ),
    ],
);

fn kinds() -> Vec<&'static str> {
    let tags = JOINTS.iter().filter_map(|form| form.tag);
    tags.map(|(_, kind)| kind).collect()
}

/// The kinds of joints, in the order in which messages list them.
pub(crate) static JOINTS: [&Form; 3] = [&HINGED, &ROD, &SPRUNG];

static HINGED: Form = form(
    "hinge joint",
    "The two points coincide: a pin in 2-D; in 3-D a ball and socket, or with an `axis` a hinge.",
    &[key(
        "axis",
        "In 3-D: what it turns about, as it is at the start, in the axes of the world.",
        What::Vector(AXIS),
    )],
)
.tagged("kind", "hinge")
.with(&[&ANY_JOINT]);

static ROD: Form = form(
    "distance joint",
    "The two points keep their distance: a rod without mass.",
    &[key(
        "length",
        "Default: the distance at the start, which it must be.",
        What::Number(LENGTH),
    )],
)
.tagged("kind", "distance")
.with(&[&ANY_JOINT]);

static SPRUNG: Form = form(
    "spring joint",
    "A linear spring, with a damper beside it.",
    &[
        key("stiffness", "k.", What::Number(SPRING_CONSTANT)).required(),
        key(
            "rest_length",
            "The length at which it does not pull; default: the distance at the start.",
            What::Number(GAP),
        ),
        key("damping", "c of the damper.", What::Number(DAMPING)).default("0"),
    ],
)
.tagged("kind", "spring")
.with(&[&ANY_JOINT]);
