//! The keys of containers.

use super::bodies::{MOTIONS, STATIC};
use super::{COUNT, Form, Key, What, form, key};
use crate::quantity::{AXIS, LENGTH, PHASE, PLACE};
use carom::container::Side;

/// What every container may have.
pub(crate) static ANY_CONTAINER: Form = form(
    "any container",
    "A closed line or surface of walls.",
    &[
        key(
            "name",
            "Unique among the containers; each wall is named after it, with a dot and a number.",
            What::Name,
        ),
        key("shape", "Its form.", What::Choice(forms)).required(),
        key("balls", "Where balls must start.", What::Choice(sides)).default("\"inside\""),
        key("material", "Of all walls, by name.", What::Name).default("\"default\""),
        key(
            "materials",
            "Instead of `material`: one name for each wall, in order.",
            What::List {
                of: &What::Name,
                least: 1,
                most: MOST,
            },
        ),
        key(
            "motion",
            "Of the container as a whole.",
            What::Either(&[What::Choice(still), What::OneOf(&MOTIONS)]),
        )
        .words(STATIC),
        key(
            "walls",
            "What is different at single walls.",
            What::Tables(&SINGLE_WALL),
        ),
    ],
);

/// As many walls as bodies.
const MOST: usize = crate::body::MOST_BODIES;

fn forms() -> Vec<&'static str> {
    let tags = CONTAINERS.iter().filter_map(|form| form.tag);
    tags.map(|(_, shape)| shape).collect()
}

fn sides() -> Vec<&'static str> {
    Side::ALL.into_iter().map(|(name, _)| name).collect()
}

fn still() -> Vec<&'static str> {
    vec!["static"]
}

static SINGLE_WALL: Form = form(
    "single wall",
    "What is different at one wall of a container.",
    &[
        key("wall", "Its number, from 1.", COUNT).required(),
        key("material", "By name.", What::Name),
        key(
            "motion",
            "How it moves.",
            What::Either(&[What::Choice(still), What::OneOf(&MOTIONS)]),
        )
        .words(STATIC),
    ],
);

/// The forms of containers, in the order in which messages list them.
pub(crate) static CONTAINERS: [&Form; 10] = [
    &RECTANGLE,
    &REGULAR_POLYGON,
    &POLYGON,
    &CIRCLE,
    &STADIUM,
    &OUTLINE,
    &CUBOID,
    &SPHERE,
    &CYLINDER,
    &PRISM,
];

const POSITION: Key = key("position", "Its centre.", What::Vector(PLACE)).required();
const RADIUS: Key = key("radius", "Its radius.", What::Number(LENGTH)).required();
const ANGLE: Key = key(
    "angle",
    "The angle that it is rotated by.",
    What::Number(PHASE),
)
.default("0");
const LOW: Key = key(
    "low",
    "The corner with the lowest coordinates.",
    What::Vector(PLACE),
)
.required();
const HIGH: Key = key(
    "high",
    "The corner with the highest coordinates.",
    What::Vector(PLACE),
)
.required();
const CORNERS: Key = key(
    "corners",
    "The corners, in either direction.",
    What::List {
        of: &FLAT_POINT,
        least: 3,
        most: MOST,
    },
)
.required();

/// A point of the plane, also where the scene is in 3-D.
static FLAT_POINT: What = What::List {
    of: &What::Number(PLACE),
    least: 2,
    most: 2,
};

static RECTANGLE: Form = form("rectangle", "In 2-D.", &[LOW, HIGH])
    .tagged("shape", "rectangle")
    .with(&[&ANY_CONTAINER]);

static REGULAR_POLYGON: Form = form(
    "regular polygon",
    "In 2-D: all sides are equal.",
    &[
        key("sides", "How many.", SIDES).required(),
        POSITION,
        key(
            "radius",
            "From the centre to a corner.",
            What::Number(LENGTH),
        )
        .required(),
        ANGLE,
    ],
)
.tagged("shape", "regular_polygon")
.with(&[&ANY_CONTAINER]);

const SIDES: What = What::Whole {
    least: 3,
    most: MOST as u64,
};

static POLYGON: Form = form("polygon", "In 2-D: convex or not.", &[CORNERS])
    .tagged("shape", "polygon")
    .with(&[&ANY_CONTAINER]);

static CIRCLE: Form = form(
    "circle",
    "In 2-D.",
    &[
        POSITION,
        RADIUS,
        key(
            "vanes",
            "Thin walls from the circle inwards.",
            What::Table(&VANES),
        ),
    ],
)
.tagged("shape", "circle")
.with(&[&ANY_CONTAINER]);

static VANES: Form = form(
    "vanes",
    "Thin walls from a circle inwards, evenly spread.",
    &[
        key("count", "How many.", COUNT).required(),
        key("length", "From the circle inwards.", What::Number(LENGTH)).required(),
    ],
);

static STADIUM: Form = form(
    "stadium",
    "In 2-D: two half circles and straight walls between them.",
    &[
        POSITION,
        key("length", "Of the straight walls.", What::Number(LENGTH)).required(),
        key("radius", "Of the half circles.", What::Number(LENGTH)).required(),
        ANGLE,
    ],
)
.tagged("shape", "stadium")
.with(&[&ANY_CONTAINER]);

static OUTLINE: Form = form(
    "outline",
    "In 2-D: straight walls and arcs, each of which starts where the one before ends.",
    &[key(
        "pieces",
        "The walls, in order.",
        What::AllOneOf(&[&STRAIGHT_PIECE, &CURVED_PIECE]),
    )
    .required()],
)
.tagged("shape", "outline")
.with(&[&ANY_CONTAINER]);

pub(crate) static STRAIGHT_PIECE: Form = form(
    "straight piece",
    "A straight wall.",
    &[
        key("from", "Where it starts.", flat_point()).required(),
        key("to", "Where it ends.", flat_point()).required(),
    ],
);

pub(crate) static CURVED_PIECE: Form = form(
    "curved piece",
    "A part of a circle.",
    &[
        key("centre", "Of the circle.", flat_point()).required(),
        key("radius", "Of the circle.", What::Number(LENGTH)).required(),
        key(
            "start",
            "The angle at which it starts.",
            What::Number(PHASE),
        )
        .required(),
        key(
            "sweep",
            "How far it goes; clockwise where negative.",
            What::Number(PHASE),
        )
        .required(),
    ],
);

const fn flat_point() -> What {
    What::List {
        of: &What::Number(PLACE),
        least: 2,
        most: 2,
    }
}

static CUBOID: Form = form("cuboid", "In 3-D.", &[LOW, HIGH])
    .tagged("shape", "box")
    .with(&[&ANY_CONTAINER]);

static SPHERE: Form = form("sphere", "In 3-D.", &[POSITION, RADIUS])
    .tagged("shape", "sphere")
    .with(&[&ANY_CONTAINER]);

static CYLINDER: Form = form(
    "cylindrical container",
    "In 3-D: a cylinder with flat ends.",
    &[
        POSITION,
        key("axis", "The direction of its length.", What::Vector(AXIS)).required(),
        key("length", "From end to end.", What::Number(LENGTH)).required(),
        RADIUS,
    ],
)
.tagged("shape", "cylinder")
.with(&[&ANY_CONTAINER]);

static PRISM: Form = form(
    "prism",
    "In 3-D: a polygon and upright walls on it.",
    &[
        CORNERS,
        key("low", "The height of the floor.", What::Number(PLACE)).required(),
        key("high", "The height of the ceiling.", What::Number(PLACE)).required(),
    ],
)
.tagged("shape", "prism")
.with(&[&ANY_CONTAINER]);
