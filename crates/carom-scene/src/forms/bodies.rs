//! The keys of bodies: shapes, motions, groups.

use super::when::HINGE;
use super::{Form, Key, What, form, key};
use crate::quantity::{
    AREA_INERTIA, AXIS, DENSITY, FRACTION, FREQUENCY, INSTANT, LENGTH, MASS, OFFSET, PHASE, PLACE,
    SWEEP, VELOCITY,
};
use crate::solid::MOST_CORNERS;

/// What bodies and generated bodies have in common.
pub(super) static COMMON: Form = form(
    "common",
    "What every body may have.",
    &[
        key("name", "A unique name.", What::Name),
        key("material", "By name.", What::Name).default("\"default\""),
        key(
            "present",
            "Whether it is there from the start; otherwise an action of a `[[when]]` adds it.",
            What::Flag,
        )
        .default("true"),
    ],
)
.with(&[&FILTER]);

/// What collides with what.
pub(super) static FILTER: Form = form(
    "collision filter",
    "Which bodies collide.",
    &[
        key(
            "groups",
            "The groups that it belongs to, by name; default: all.",
            GROUPS,
        ),
        key(
            "collides_with",
            "The groups that it collides with, by name; default: all. Two bodies collide if each belongs to a group that the other collides with.",
            GROUPS,
        )
        .was("meets"),
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
        key("shape", "The shape.", What::Choice(shapes)).required().words(&[("room", "hollow")]),
        key(
            "motion",
            "Free, static, or kinematic: a table that says how it moves. Balls are free by default, and so are other bodies with a mass or a density.",
            What::Either(&[What::Choice(motions), What::OneOf(&MOTIONS)]),
        )
        .words(STATIC),
        key(
            "sensor",
            "Whether it only reports what passes through it; not for free bodies.",
            What::Flag,
        )
        .default("false"),
        key(
            "color",
            "For pictures: a name such as `\"red\"`, or `\"#ff8000\"`.",
            What::Name,
        ),
        key("label", "A short text for pictures, such as the number of a ball.", What::Name),
        key(
            "mount",
            "Of a static body: how actions of a `[[when]]` move it: on a hinge, or on a rail.",
            What::Either(&[What::Choice(rails), What::Table(&HINGE)]),
        ),
    ],
)
.with(&[&COMMON]);

fn rails() -> Vec<&'static str> {
    vec!["rail"]
}

pub(super) fn motions() -> Vec<&'static str> {
    vec!["free", "static"]
}

/// What does not move was called so before.
pub(super) const STATIC: &[(&str, &str)] = &[("fixed", "static")];

fn shapes() -> Vec<&'static str> {
    let tags = SHAPES.iter().filter_map(|form| form.tag);
    tags.map(|(_, shape)| shape).collect()
}

const POSITION: Key = key("position", "Its centre.", What::Vector(PLACE)).required();
const RADIUS: Key = key("radius", "Its radius.", What::Number(LENGTH)).required();

/// The shapes, in the order in which messages list them.
pub(crate) static SHAPES: [&Form; 14] = [
    &BALL,
    &WALL,
    &HOLLOW,
    &BLOCK,
    &CAPSULE,
    &COMPOUND,
    &SEGMENT,
    &ARC,
    &POLYGON,
    &TRIANGLE,
    &CYLINDER,
    &TUBE,
    &POLYHEDRON,
    &MESH,
];

/// What acts on a free body from outside.
pub(super) static LOAD: Form = form(
    "load",
    "What acts on a free body besides contacts and fields.",
    &[
        key(
            "force",
            "An external force at its centre of mass, of numbers or of formulas of the time t: [\"150*sin(2*pi*t)\", 0].",
            What::Force,
        )
        .default("zero"),
        key(
            "torque",
            "An external torque, as a number or as a formula of the time t; in 3-D three of them.",
            What::Torque,
        )
        .default("zero"),
    ],
);

/// What a free solid has beyond its shape.
static WEIGHT: Form = form(
    "mass and motion",
    "What makes a rigid body free.",
    &[
        key(
            "mass",
            "Of a free body; with a mass or a density it is free.",
            What::Number(MASS),
        ),
        key("density", "Instead of a mass.", What::Number(DENSITY)),
        key(
            "velocity",
            "Of the centre of mass of a free body, at the start.",
            What::Vector(VELOCITY),
        )
        .default("zero"),
        key(
            "angular_velocity",
            "Of a free body, at the start.",
            What::AngularVelocity,
        )
        .default("zero")
        .was("spin"),
    ],
)
.with(&[&LOAD]);

const ANGLE: Key = key(
    "angle",
    "In 2-D: the angle that it is rotated by.",
    What::Number(PHASE),
)
.default("0");

const ORIENTATION: Key = key(
    "orientation",
    "In 3-D: a rotation about an axis.",
    What::Table(&TURN),
)
.was("rotation");

const PLACED: Key = key(
    "position",
    "Where the origin of its corners is.",
    What::Vector(PLACE),
)
.default("zero");

const CORNERS: Key = key(
    "corners",
    "Its corners: of a polygon in order around it, of a polyhedron in any order. None may lie inside the hull of the others.",
    What::List {
        of: &What::Vector(PLACE),
        least: 3,
        most: MOST_CORNERS,
    },
)
.required();

const FROM: Key = key("from", "The centre of one round end.", What::Vector(PLACE)).required();

const TO: Key = key(
    "to",
    "The centre of the other round end.",
    What::Vector(PLACE),
)
.required();

static CAPSULE: Form = form(
    "capsule",
    "All points within a radius of a straight line.",
    &[PLACED, FROM, TO, RADIUS],
)
.tagged("shape", "capsule")
.with(&[&BODY, &WEIGHT]);

static POLYGON: Form = form(
    "convex polygon",
    "In 2-D: convex, with straight sides.",
    &[CORNERS, PLACED, ANGLE],
)
.tagged("shape", "polygon")
.with(&[&BODY, &WEIGHT]);

const FILE: Key = key(
    "file",
    "An OBJ or STL file in metres, by its path from the folder of the scene.",
    What::Name,
);

const SCALE: Key = key(
    "scale",
    "How many times as large it is as in the file.",
    What::Number(FRACTION),
)
.default("1");

/// A polyhedron has its corners here or in a file.
const HULL_KEYS: [Key; 5] = [
    CORNERS.optional(),
    key(
        "file",
        "Instead of corners: an OBJ or STL file in metres, by its path from the folder of the scene. The mesh must be closed, correctly oriented and convex.",
        What::Name,
    ),
    SCALE,
    PLACED,
    ORIENTATION,
];

static MESH: Form = form(
    "mesh",
    "In 3-D: triangles from a file, struck from both sides. Not free.",
    &[FILE.required(), SCALE, PLACED, ORIENTATION],
)
.tagged("shape", "mesh")
.with(&[&BODY]);

static POLYHEDRON: Form = form("polyhedron", "In 3-D: convex, with flat faces.", &HULL_KEYS)
    .tagged("shape", "polyhedron")
    .with(&[&BODY, &WEIGHT]);

static COMPOUND: Form = form(
    "compound",
    "Made of convex parts, which may touch but not overlap.",
    &[
        key(
            "parts",
            "The parts, each in the frame of the whole.",
            What::AllOneOf(&PARTS),
        )
        .required(),
        PLACED,
        ANGLE,
        ORIENTATION,
    ],
)
.tagged("shape", "compound")
.with(&[&BODY, &WEIGHT]);

pub(crate) static PART: Form = form(
    "part",
    "A part of a compound.",
    &[key("shape", "The shape.", What::Choice(part_shapes)).required()],
);

fn part_shapes() -> Vec<&'static str> {
    crate::solid::PARTS.to_vec()
}

/// The parts of a compound.
pub(crate) static PARTS: [&Form; 6] = [
    &BALL_PART,
    &BLOCK_PART,
    &CAPSULE_PART,
    &CYLINDER_PART,
    &POLYGON_PART,
    &POLYHEDRON_PART,
];

static BALL_PART: Form = form("ball part", "A disc or a sphere.", &[POSITION, RADIUS])
    .tagged("shape", "ball")
    .with(&[&PART]);

static BLOCK_PART: Form = form(
    "box part",
    "A rectangle or a cuboid.",
    &[POSITION, SIZE, ANGLE, ORIENTATION],
)
.tagged("shape", "box")
.with(&[&PART]);

static CAPSULE_PART: Form = form(
    "capsule part",
    "All points within a radius of a straight line.",
    &[PLACED, FROM, TO, RADIUS],
)
.tagged("shape", "capsule")
.with(&[&PART]);

static CYLINDER_PART: Form = form(
    "cylinder part",
    "In 3-D: solid, with flat ends.",
    &[
        POSITION,
        key("axis", "The direction of its length.", What::Vector(AXIS)).required(),
        key("length", "From end to end.", What::Number(LENGTH)).required(),
        RADIUS,
    ],
)
.tagged("shape", "cylinder")
.with(&[&PART]);

static POLYGON_PART: Form = form(
    "polygon part",
    "In 2-D: convex, with straight sides.",
    &[CORNERS, PLACED, ANGLE],
)
.tagged("shape", "polygon")
.with(&[&PART]);

static POLYHEDRON_PART: Form = form(
    "polyhedron part",
    "In 3-D: convex, with flat faces.",
    &HULL_KEYS,
)
.tagged("shape", "polyhedron")
.with(&[&PART]);

static BALL: Form = form(
    "ball",
    "A disc or a sphere; free by default.",
    &[
        POSITION,
        RADIUS,
        key("mass", "Of a free ball, which needs one.", What::Number(MASS)),
        key("inertia", "Moment of inertia; inf for a ball that cannot rotate; default: that of a solid disc or sphere.", What::Number(AREA_INERTIA)),
        key("velocity", "Of a free ball, at the start.", What::Vector(VELOCITY)).default("zero"),
        key("angular_velocity", "Of a free ball, at the start.", What::AngularVelocity).default("zero").was("spin"),
    ],
)
.tagged("shape", "ball")
.with(&[&BODY, &LOAD]);

static WALL: Form = form(
    "wall",
    "An infinite line or plane.",
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

static HOLLOW: Form = form(
    "hollow",
    "A hollow disc or sphere: empty inside, solid outside.",
    &[POSITION, RADIUS],
)
.tagged("shape", "hollow")
.with(&[&BODY]);

static BLOCK: Form = form(
    "box",
    "A rectangle or a cuboid.",
    &[POSITION, SIZE, ANGLE, ORIENTATION],
)
.tagged("shape", "box")
.with(&[&BODY, &WEIGHT]);

const SIZE: Key = key("size", "The lengths of its sides.", What::Vector(LENGTH)).required();

static TURN: Form = form(
    "orientation",
    "A rotation about an axis.",
    &[
        key("axis", "The axis of rotation.", What::Vector(AXIS)).required(),
        key("angle", "The angle of rotation.", What::Number(PHASE)).required(),
    ],
);

static SEGMENT: Form = form(
    "segment",
    "In 2-D: thin, struck from both sides and at its ends.",
    &[
        key("from", "One end.", What::Vector(PLACE)).required(),
        key("to", "The other end.", What::Vector(PLACE)).required(),
    ],
)
.tagged("shape", "segment")
.with(&[&BODY]);

static ARC: Form = form(
    "arc",
    "In 2-D: a thin part of a circle.",
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
    "In 3-D: thin, struck from both sides, along its edges and at its corners.",
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
    "In 3-D: solid, with flat ends.",
    &[
        POSITION,
        key("axis", "The direction of its length.", What::Vector(AXIS)).required(),
        key("length", "From end to end.", What::Number(LENGTH)).required(),
        RADIUS,
    ],
)
.tagged("shape", "cylinder")
.with(&[&BODY, &WEIGHT]);

static TUBE: Form = form(
    "tube",
    "In 3-D: the inside of an infinite round tube, solid outside.",
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

pub(crate) static ANY_MOTION: Form = form("motion", "The motion of a kinematic body.", &[])
    .with(&[&UNIFORM, &TURNING, &OSCILLATION, &PATH]);

pub(crate) static UNIFORM: Form = form(
    "uniform motion",
    "A constant velocity.",
    &[key("velocity", "The velocity.", What::Vector(VELOCITY)).required()],
);

pub(crate) static TURNING: Form = form(
    "rotation",
    "A rotation about a fixed point of the world.",
    &[
        key(
            "pivot",
            "The point that it rotates about.",
            What::Vector(PLACE),
        )
        .required(),
        key("angular_velocity", "How fast.", What::AngularVelocity)
            .required()
            .was("spin"),
    ],
);

pub(crate) static OSCILLATION: Form = form(
    "oscillation",
    "amplitude · sin(2π frequency t + phase) is added to the position.",
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
    "A position at a time.",
    &[
        key("time", "When.", What::Number(INSTANT)).required(),
        key(
            "offset",
            "The displacement from the given position.",
            What::Vector(OFFSET),
        )
        .required(),
    ],
);
