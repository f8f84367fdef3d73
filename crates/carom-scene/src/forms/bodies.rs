//! The keys of bodies: shapes, motions, groups.

use super::{Form, Key, What, form, key};
use crate::quantity::{
    AREA_INERTIA, AXIS, FREQUENCY, INSTANT, LENGTH, MASS, OFFSET, PHASE, PLACE, SWEEP, VELOCITY,
};

/// What bodies and generated bodies have in common.
pub(super) static COMMON: Form = form(
    "common",
    "What every body may have.",
    &[
        key("name", "A name of its own.", What::Name),
        key("material", "By name.", What::Name).default("\"default\""),
        key(
            "groups",
            "The groups that it belongs to, by name; all unless given.",
            GROUPS,
        ),
        key(
            "meets",
            "The groups whose members it meets, by name; all unless given. Two bodies meet if each belongs to a group that the other meets.",
            GROUPS,
        ),
    ],
);

const GROUPS: What = What::List {
    of: &What::Name,
    least: 0,
    most: 32,
};

pub(crate) static BODY: Form = form(
    "body",
    "A body.",
    &[
        key("shape", "What it looks like.", What::Choice(shapes)).required(),
        key(
            "motion",
            "How it moves: free (balls only), fixed, or as prescribed.",
            What::Either(&[What::Choice(motions), What::OneOf(&MOTIONS)]),
        ),
        key(
            "sensor",
            "Whether it only notices what passes through it; not for free balls.",
            What::Flag,
        )
        .default("false"),
    ],
)
.with(&[&COMMON]);

fn motions() -> Vec<&'static str> {
    vec!["free", "fixed"]
}

fn shapes() -> Vec<&'static str> {
    let tags = SHAPES.iter().filter_map(|form| form.tag);
    tags.map(|(_, shape)| shape).collect()
}

const POSITION: Key = key("position", "Its middle.", What::Vector(PLACE)).required();
const RADIUS: Key = key("radius", "Its radius.", What::Number(LENGTH)).required();

/// The shapes, in the order in which messages list them.
pub(crate) static SHAPES: [&Form; 9] = [
    &BALL, &WALL, &ROOM, &BLOCK, &SEGMENT, &ARC, &TRIANGLE, &CYLINDER, &TUBE,
];

static BALL: Form = form(
    "ball",
    "A disc or a sphere; free unless told otherwise.",
    &[
        POSITION,
        RADIUS,
        key("mass", "Of a free ball, which needs one.", What::Number(MASS)),
        key("inertia", "Moment of inertia; inf for a ball that cannot be spun; that of a full disc or sphere unless given.", What::Number(AREA_INERTIA)),
        key("velocity", "Of a free ball, at the start.", What::Vector(VELOCITY)).default("zero"),
        key("spin", "Of a free ball, at the start.", What::Spin).default("zero"),
    ],
)
.tagged("shape", "ball")
.with(&[&BODY]);

static WALL: Form = form(
    "wall",
    "A line or plane without end.",
    &[
        key("point", "A point of its surface.", What::Vector(PLACE)).required(),
        key(
            "normal",
            "The direction out of it; what is behind it is solid.",
            What::Vector(AXIS),
        )
        .required(),
        key(
            "two_sided",
            "Whether it is thin and struck from both sides.",
            What::Flag,
        )
        .default("false"),
    ],
)
.tagged("shape", "wall")
.with(&[&BODY]);

static ROOM: Form = form(
    "room",
    "Round and empty inside, solid outside.",
    &[POSITION, RADIUS],
)
.tagged("shape", "room")
.with(&[&BODY]);

static BLOCK: Form = form(
    "box",
    "A rectangle or a cuboid.",
    &[
        POSITION,
        key("size", "The lengths of its sides.", What::Vector(LENGTH)).required(),
        key(
            "angle",
            "In the plane: how far it is turned.",
            What::Number(PHASE),
        )
        .default("0"),
        key(
            "rotation",
            "In space: how it is turned.",
            What::Table(&TURN),
        ),
    ],
)
.tagged("shape", "box")
.with(&[&BODY]);

static TURN: Form = form(
    "rotation",
    "A turn about an axis.",
    &[
        key("axis", "What it is turned about.", What::Vector(AXIS)).required(),
        key("angle", "How far it is turned.", What::Number(PHASE)).required(),
    ],
);

static SEGMENT: Form = form(
    "segment",
    "In the plane: thin, struck from both sides and at its ends.",
    &[
        key("from", "One end.", What::Vector(PLACE)).required(),
        key("to", "The other end.", What::Vector(PLACE)).required(),
    ],
)
.tagged("shape", "segment")
.with(&[&BODY]);

static ARC: Form = form(
    "arc",
    "In the plane: a thin part of a circle.",
    &[
        key("centre", "Of the circle.", What::Vector(PLACE)).required(),
        key("radius", "Of the circle.", What::Number(LENGTH)).required(),
        key(
            "start",
            "The angle at which it begins.",
            What::Number(PHASE),
        )
        .required(),
        key(
            "sweep",
            "The angle that it spans, counter-clockwise.",
            What::Number(SWEEP),
        )
        .required(),
    ],
)
.tagged("shape", "arc")
.with(&[&BODY]);

static TRIANGLE: Form = form(
    "triangle",
    "In space: thin, struck from both sides, along its edges and at its corners.",
    &[key(
        "corners",
        "Its three corners.",
        What::List {
            of: &What::Vector(PLACE),
            least: 3,
            most: 3,
        },
    )
    .required()],
)
.tagged("shape", "triangle")
.with(&[&BODY]);

static CYLINDER: Form = form(
    "cylinder",
    "In space: solid, with flat ends.",
    &[
        POSITION,
        key("axis", "The direction of its length.", What::Vector(AXIS)).required(),
        key("length", "From end to end.", What::Number(LENGTH)).required(),
        RADIUS,
    ],
)
.tagged("shape", "cylinder")
.with(&[&BODY]);

static TUBE: Form = form(
    "tube",
    "In space: the inside of a round tube without end, solid outside.",
    &[
        key("position", "A point of its axis.", What::Vector(PLACE)).required(),
        key(
            "axis",
            "The direction that it leads in.",
            What::Vector(AXIS),
        )
        .required(),
        RADIUS,
    ],
)
.tagged("shape", "tube")
.with(&[&BODY]);

pub(super) static MOTIONS: [&Form; 4] = [&UNIFORM, &TURNING, &OSCILLATION, &PATH];

pub(crate) static ANY_MOTION: Form =
    form("motion", "A prescribed motion.", &[]).with(&[&UNIFORM, &TURNING, &OSCILLATION, &PATH]);

pub(crate) static UNIFORM: Form = form(
    "uniform motion",
    "A constant velocity.",
    &[key("velocity", "The velocity.", What::Vector(VELOCITY)).required()],
);

pub(crate) static TURNING: Form = form(
    "turning motion",
    "A rotation about a fixed point of the world.",
    &[
        key(
            "pivot",
            "The point that it turns about.",
            What::Vector(PLACE),
        )
        .required(),
        key("spin", "How fast.", What::Spin).required(),
    ],
);

pub(crate) static OSCILLATION: Form = form(
    "oscillation",
    "amplitude · sin(2π frequency t + phase) is added to the place.",
    &[
        key(
            "amplitude",
            "The largest displacement.",
            What::Vector(OFFSET),
        )
        .required(),
        key("frequency", "How often.", What::Number(FREQUENCY)).required(),
        key(
            "phase",
            "Where in its swing it begins.",
            What::Number(PHASE),
        )
        .default("0"),
    ],
);

pub(crate) static PATH: Form = form(
    "path",
    "Straight from knot to knot.",
    &[key(
        "path",
        "The knots, in the order of time.",
        What::Tables(&KNOT),
    )
    .required()],
);

static KNOT: Form = form(
    "knot",
    "A place at a time.",
    &[
        key("time", "When.", What::Number(INSTANT)).required(),
        key(
            "offset",
            "The displacement from the place given.",
            What::Vector(OFFSET),
        )
        .required(),
    ],
);
