//! The keys of generated bodies.

use super::bodies::COMMON;
use super::{COUNT, Form, What, form, key};
use crate::quantity::{
    AXIS, DENSITY, ENERGY, FRACTION, GAP, LENGTH, MASS, OFFSET, PHASE, PLACE, RATIO, SPEED,
    VELOCITY,
};

pub(crate) static GENERATE: Form = form(
    "generated",
    "Bodies by a rule: free balls, or whatever `body` says. Each is named after it, with a number, such as `gas 17`; a name with `{n}` (its number) or, in a lattice, `{column}`, `{row}` and `{layer}` in it is a pattern.",
    &[
        key("kind", "The rule.", What::Choice(kinds)).required(),
        key(
            "body",
            "What they are like instead of free balls: a table as in `[[bodies]]`, with its `position` from where the rule puts it.",
            What::Template(&super::SHAPES),
        ),
        key(
            "turn",
            "With a `body`: the angle that each is turned by more than the one before; or `\"random\"`.",
            What::Either(&[What::Number(PHASE), What::Choice(randomly)]),
        ),
        key(
            "turn_axis",
            "In 3-D: the axis of `turn`; default: z.",
            What::Vector(AXIS),
        ),
        key(
            "color",
            "One for all, or several that they have in turn: a name such as `\"red\"`, or `\"#ff8000\"`.",
            What::Either(&[
                What::Name,
                What::List {
                    of: &What::Name,
                    least: 1,
                    most: 1000,
                },
            ]),
        ),
        key("label", "A short text for pictures.", What::Name),
        key(
            "radius",
            "One for all, a range to draw from, or values with weights.",
            What::Either(&[
                What::Number(LENGTH),
                What::OneOf(&[&UNIFORM_RADII, &LISTED_RADII]),
            ]),
        ),
        key(
            "mass",
            "Of each; either this or the density is given.",
            What::Number(MASS),
        ),
        key(
            "density",
            "Mass per area in 2-D, per volume in 3-D.",
            What::Number(DENSITY),
        ),
        key(
            "velocity",
            "One for all, or drawn for each.",
            What::Either(&[What::Vector(VELOCITY), What::OneOf(&[&THERMAL, &BRISK])]),
        )
        .default("zero"),
        key("angular_velocity", "Of each.", What::AngularVelocity)
            .default("zero")
            .was("spin"),
    ],
)
.with(&[&COMMON]);

fn randomly() -> Vec<&'static str> {
    vec!["random"]
}

fn games() -> Vec<&'static str> {
    crate::generate::GAMES.to_vec()
}

fn kinds() -> Vec<&'static str> {
    let tags = GENERATORS.iter().filter_map(|form| form.tag);
    tags.map(|(_, kind)| kind).collect()
}

pub(crate) static GENERATORS: [&Form; 5] = [&LATTICE, &RANDOM, &RACK, &ROW, &CSV];

static LATTICE: Form = form(
    "lattice",
    "Rows and columns.",
    &[
        key(
            "counts",
            "How many along each axis.",
            What::List {
                of: &COUNT,
                least: 2,
                most: 3,
            },
        )
        .required(),
        key("position", "Of the first.", What::Vector(PLACE)).required(),
        key(
            "spacing",
            "From one to the next, along each axis.",
            What::Either(&[What::Number(LENGTH), What::Vector(LENGTH)]),
        )
        .required(),
        key(
            "staggered",
            "Whether every other row along y is shifted by half a spacing along x.",
            What::Flag,
        )
        .default("false"),
    ],
)
.tagged("kind", "lattice")
.with(&[&GENERATE]);

static RANDOM: Form = form(
    "random",
    "At random in a region, without overlaps.",
    &[
        key(
            "count",
            "How many; either this or the fraction is given.",
            COUNT,
        ),
        key(
            "fraction",
            "The fraction of the region that they fill.",
            What::Number(FRACTION),
        ),
        key(
            "region",
            "Where: a box or a ball; default: the periodic box.",
            What::OneOf(&[&BOX_REGION, &BALL_REGION]),
        ),
    ],
)
.tagged("kind", "random")
.with(&[&GENERATE]);

static RACK: Form = form(
    "rack",
    "A triangle of balls as in billiards, in the x–y plane.",
    &[
        key(
            "rows",
            "How many rows: 5 make 15 balls. Needed where there is no game.",
            What::Whole {
                least: 1,
                most: 10_000,
            },
        ),
        key(
            "game",
            "The balls of a game, with their names and colours; in snooker those on their spots, too, on a table of 3.569 m.",
            What::Choice(games),
        ),
        key("position", "Of the ball at the tip.", What::Vector(PLACE)).required(),
        key(
            "direction",
            "From the tip to the last row; default: along x.",
            What::Vector(AXIS),
        ),
        key(
            "gap",
            "Between neighbours; by default they touch.",
            What::Number(GAP),
        )
        .default("0"),
    ],
)
.tagged("kind", "rack")
.with(&[&GENERATE]);

static ROW: Form = form(
    "row",
    "One after the other along a line.",
    &[
        key("count", "How many.", COUNT).required(),
        key("position", "Of the first.", What::Vector(PLACE)).required(),
        key("step", "From one to the next.", What::Vector(OFFSET)).required(),
    ],
)
.tagged("kind", "row")
.with(&[&GENERATE]);

pub(crate) static CSV: Form = form(
    "csv",
    "From a table with a header: x, y, z, and any of vx, vy, vz, radius, mass, angular_velocity (wx, wy, wz in 3-D), name.",
    &[key("file", "Its path, from the folder of the scene.", What::Name).required()],
)
.tagged("kind", "csv")
.with(&[&GENERATE]);

pub(crate) static UNIFORM_RADII: Form = form(
    "range of radii",
    "Drawn evenly from a range.",
    &[
        key("from", "The smallest.", What::Number(LENGTH)).required(),
        key("to", "The largest.", What::Number(LENGTH)).required(),
    ],
);

pub(crate) static LISTED_RADII: Form = form(
    "list of radii",
    "Drawn from a list.",
    &[
        key(
            "values",
            "The radii.",
            What::List {
                of: &What::Number(LENGTH),
                least: 1,
                most: 1000,
            },
        )
        .required(),
        key(
            "weights",
            "How often each comes; by default all alike.",
            What::List {
                of: &What::Number(RATIO),
                least: 1,
                most: 1000,
            },
        ),
    ],
);

pub(crate) static THERMAL: Form = form(
    "thermal velocities",
    "From Maxwell's distribution; their sum of momenta is zero and their mean energy is exactly that of the temperature.",
    &[key(
        "temperature",
        "k_B T, an energy: m v²/2 is on average half of it for each dimension.",
        What::Number(ENERGY),
    )
    .required()],
);

pub(crate) static BRISK: Form = form(
    "random directions",
    "One speed in random directions.",
    &[key("speed", "Of each.", What::Number(SPEED)).required()],
);

pub(crate) static BOX_REGION: Form = form(
    "box region",
    "From one corner to the opposite one. Balls are wholly inside, but go through a face that the periodic box has as well.",
    &[
        key(
            "from",
            "The corner with the lowest coordinates.",
            What::Vector(PLACE),
        )
        .required(),
        key("to", "The corner with the largest.", What::Vector(PLACE)).required(),
    ],
);

pub(crate) static BALL_REGION: Form = form(
    "ball region",
    "A disc or a ball.",
    &[
        key("centre", "Its centre.", What::Vector(PLACE)).required(),
        key("radius", "Its radius.", What::Number(LENGTH)).required(),
    ],
);
