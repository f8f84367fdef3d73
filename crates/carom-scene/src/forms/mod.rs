//! The keys of a scene file: which table has which, what they mean, and what may be written there.
//!
//! The one list that both the reader and the schema go by. The reader asks for keys by name; a test compares what it
//! ever asks for, and in which unit, with what is written here, in both directions.

mod bodies;
mod containers;
mod fields;
mod forces;
mod generators;
mod joints;
mod surfaces;
mod when;

#[cfg(test)]
pub(crate) mod asked;

pub(crate) use bodies::{
    ANY_MOTION, BODY, OSCILLATION, PART, PARTS, PATH, SHAPES, TURNING, UNIFORM,
};
pub(crate) use generators::{
    BALL_REGION, BOX_REGION, BRISK, CSV, GENERATE, GENERATORS, LISTED_RADII, THERMAL, UNIFORM_RADII,
};

pub(crate) use containers::{ANY_CONTAINER, CONTAINERS, CURVED_PIECE, STRAIGHT_PIECE};
pub(crate) use fields::{
    ANY_DRAG, ANY_REGION, ANY_ROTATIONAL_DRAG, ANY_WIND, BLOCK_REGION, CENTRAL, DRAG,
    DRAG_OF_MEDIUM, FIELDS, GUST, HALF_SPACE, LIFT, ROTATIONAL_DRAG_GIVEN,
    ROTATIONAL_DRAG_OF_MEDIUM, ROUND_REGION, SHEAR, SPRING, STEADY_WIND, TOLERANCES, UNIFORM_FIELD,
    VORTEX, methods,
};
pub(crate) use forces::{FORCES, POISSON};
pub(crate) use joints::{ANY_JOINT, JOINTS};

pub(crate) use surfaces::{MATERIAL, RESTITUTION};
use surfaces::{PAIR, RESTITUTION_NUMBER, SURFACE};
pub(crate) use when::{ACTIONS, ANY_ACTION, CONDITION, HINGE, WHEN};

use crate::observe::{MOST_LOOKS, MOST_POINTS};
use crate::quantity::{BOX, GRADIENT, HEATING, LENGTH, PURE, Quantity, SPEED, TIME, UNTIL, WEIGHT};

/// A kind of table.
pub(crate) struct Form {
    pub name: &'static str,
    pub about: &'static str,
    /// The key, and its value, by which tables of one place are told apart: `shape = "ball"`.
    pub tag: Option<(&'static str, &'static str)>,
    pub keys: &'static [Key],
    /// Whose keys it has as well.
    pub with: &'static [&'static Form],
}

/// A key of a table.
pub(crate) struct Key {
    pub name: &'static str,
    pub about: &'static str,
    pub what: What,
    pub required: bool,
    /// What holds where it is left out, as JSON.
    pub default: Option<&'static str>,
    /// Its old name, which is still read.
    pub was: Option<&'static str>,
    /// Old words for its values, which are still read, and the new ones.
    pub words: &'static [(&'static str, &'static str)],
}

/// What may be written behind a key.
pub(crate) enum What {
    Number(Quantity),
    Whole {
        least: u64,
        most: u64,
    },
    Integers(&'static [i64]),
    Flag,
    /// A name or a title: text on one line.
    Name,
    Choice(fn() -> Vec<&'static str>),
    /// As many numbers as the scene has dimensions.
    Vector(Quantity),
    /// A number in 2-D, a vector in 3-D.
    AngularVelocity,
    /// The same, in N·m, as formulas of time.
    Torque,
    /// As many formulas of time as the scene has dimensions.
    Force,
    List {
        of: &'static What,
        least: usize,
        most: usize,
    },
    Table(&'static Form),
    /// An array of tables.
    Tables(&'static Form),
    /// A table that has one of these forms.
    OneOf(&'static [&'static Form]),
    /// The same as a template, which does not have to say where it is.
    Template(&'static [&'static Form]),
    /// An array of them.
    AllOneOf(&'static [&'static Form]),
    /// A table whose keys are names that the file chooses.
    Named(&'static What),
    Either(&'static [What]),
}

impl Form {
    /// One of its keys, or of those that it has as well.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        let own = self.keys.iter().find(|key| key.name == name);
        own.or_else(|| self.with.iter().find_map(|form| form.key(name)))
    }

    /// All its keys, its own last.
    pub fn all_keys(&self) -> Vec<&'static Key> {
        let others = self.with.iter().flat_map(|form| form.all_keys());
        others.chain(self.keys).collect()
    }
}

const fn key(name: &'static str, about: &'static str, what: What) -> Key {
    Key {
        name,
        about,
        what,
        required: false,
        default: None,
        was: None,
        words: &[],
    }
}

impl Key {
    const fn optional(self) -> Key {
        Key {
            required: false,
            ..self
        }
    }

    const fn required(self) -> Key {
        Key {
            required: true,
            ..self
        }
    }

    /// It had this name before, which is still read.
    const fn was(self, was: &'static str) -> Key {
        Key {
            was: Some(was),
            ..self
        }
    }

    /// Values had these names before, which are still read.
    const fn words(self, words: &'static [(&'static str, &'static str)]) -> Key {
        Key { words, ..self }
    }

    const fn default(self, default: &'static str) -> Key {
        Key {
            default: Some(default),
            ..self
        }
    }
}

const fn form(name: &'static str, about: &'static str, keys: &'static [Key]) -> Form {
    Form {
        name,
        about,
        tag: None,
        keys,
        with: &[],
    }
}

impl Form {
    const fn tagged(self, key: &'static str, value: &'static str) -> Form {
        Form {
            tag: Some((key, value)),
            ..self
        }
    }

    const fn with(self, with: &'static [&'static Form]) -> Form {
        Form { with, ..self }
    }
}

const COUNT: What = What::Whole {
    least: 1,
    most: u64::MAX,
};

pub(crate) static SCENE: Form = form(
    "scene",
    "A scene of carom: bodies that collide. SI units: metres, seconds, kilograms, radians, hertz, joules.",
    &[
        key(
            "$schema",
            "Where the schema of scene files is, for editors.",
            What::Name,
        ),
        key(
            "version",
            "The version of the format.",
            What::Integers(&[1]),
        )
        .required(),
        key(
            "dimension",
            "2 or 3: the number of components of a vector.",
            What::Integers(&[2, 3]),
        )
        .required(),
        key(
            "title",
            "What summaries call the scene; otherwise the file's name.",
            What::Name,
        ),
        key(
            "seed",
            "Of all random numbers: the same seed gives the same bits.",
            What::Whole {
                least: 0,
                most: i64::MAX as u64,
            },
        )
        .default("1"),
        key(
            "variables",
            "Names for numbers, used elsewhere as \"$name\" or in formulas such as \"2 * $name\".",
            What::Named(&VARIABLE),
        ),
        key("gravity", "Uniform gravity.", What::Vector(WEIGHT)).default("zero"),
        key(
            "fields",
            "What acts on balls in flight besides gravity.",
            What::Table(&FIELDS),
        ),
        key(
            "periodic",
            "The lengths of a periodic box that begins at the origin, one for each axis; false along an axis that is not periodic.",
            What::List {
                of: &What::Either(&[What::Number(BOX), What::Flag]),
                least: 2,
                most: 3,
            },
        ),
        key(
            "shear",
            "Shears the periodic box (Lees and Edwards): the rate alone for a flow along x that grows along y, or a table.",
            What::Either(&[What::Number(GRADIENT), What::Table(&SHEARED_BOX)]),
        ),
        key(
            "contact_time",
            "A collision that comes sooner than this after the last one of either ball loses no energy, so that grains can come to rest.",
            What::Number(TIME),
        ),
        key("run", "How long to run.", What::Table(&RUN)).required(),
        key(
            "method",
            "How contacts are resolved: \"events\" by impulses, at their exact instants; \"forces\" by springs and dampers, in time steps.",
            What::Choice(forces::methods_of_contact),
        )
        .default("\"events\""),
        key(
            "forces",
            "How the force method is run.",
            What::Table(&FORCES),
        ),
        key(
            "rigid_bodies",
            "How rigid bodies in lasting contact are advanced.",
            What::Table(&RIGID_BODIES),
        )
        .was("solids"),
        key("output", "What to keep of a run.", What::Table(&OUTPUT)),
        key(
            "observe",
            "What to average over a run.",
            What::Table(&OBSERVE),
        ),
        key(
            "materials",
            "The materials by name; `default`, elastic and smooth, is there by default.",
            What::Named(&What::Table(&MATERIAL)),
        ),
        key(
            "pairs",
            "What holds between two materials instead of the geometric mean of their numbers.",
            What::Tables(&PAIR),
        ),
        key("bodies", "The bodies, one by one.", What::AllOneOf(&SHAPES)),
        key(
            "containers",
            "Closed containers, each of as many bodies as it has walls.",
            What::AllOneOf(&CONTAINERS),
        )
        .was("rooms"),
        key(
            "generate",
            "Bodies by the dozen or by the million.",
            What::AllOneOf(&GENERATORS),
        ),
        key(
            "joint",
            "What holds bodies together: hinges, rods, springs.",
            What::AllOneOf(&JOINTS),
        ),
        key(
            "when",
            "What happens during a run: at times, at collisions, at keys.",
            What::Tables(&WHEN),
        ),
        key(
            "thermostat",
            "Random kicks that heat a granular gas.",
            What::Table(&THERMOSTAT),
        ),
    ],
);

static VARIABLE: What = What::Either(&[
    What::Number(PURE),
    What::List {
        of: &What::Number(PURE),
        least: 1,
        most: 100_000,
    },
    What::Table(&RANGE),
]);

pub(crate) static RANGE: Form = form(
    "range",
    "Values for sweeps, evenly spaced; a plain run takes the first.",
    &[
        key("from", "The first value.", What::Number(PURE)).required(),
        key("to", "The last value.", What::Number(PURE)).required(),
        key(
            "steps",
            "How many values, both ends included.",
            What::Whole {
                least: 1,
                most: 100_000,
            },
        )
        .required(),
    ],
);

static RUN: Form = form(
    "run",
    "How long to run.",
    &[
        key("until", "When the run ends.", What::Number(UNTIL)).required(),
        key(
            "max_collisions",
            "The run stops after this many collisions.",
            COUNT,
        )
        .was("max_events"),
        key(
            "rest",
            "The run stops when no body is faster than this.",
            What::Number(SPEED),
        ),
        key(
            "squeeze",
            "What happens by impulses where a kinematic body would squeeze another one that cannot get away: the run ends with an error, or the kinematic body stalls and stands still from then on.",
            What::Choice(squeezes),
        )
        .default("\"error\""),
    ],
);

pub(crate) static SHEARED_BOX: Form = form(
    "sheared box",
    "A sheared periodic box: its images along the gradient move along the flow, at the rate times their distance.",
    &[
        key(
            "rate",
            "How fast the velocity along the flow grows along the gradient.",
            What::Number(GRADIENT),
        )
        .required(),
        key(
            "flow",
            "The axis along which the fluid flows.",
            What::Choice(axes),
        )
        .default("\"x\""),
        key(
            "gradient",
            "The axis along which the velocity grows.",
            What::Choice(axes),
        )
        .default("\"y\""),
    ],
);

fn squeezes() -> Vec<&'static str> {
    vec!["error", "stall"]
}

fn axes() -> Vec<&'static str> {
    vec!["x", "y", "z"]
}

static THERMOSTAT: Form = form(
    "thermostat",
    "Random kicks that heat a granular gas: at each interval every free body gets, along each axis, a velocity of variance strength · interval.",
    &[
        key(
            "strength",
            "ξ²: how fast the variance of the velocities along each axis grows without collisions.",
            What::Number(HEATING),
        )
        .required(),
        key(
            "interval",
            "From one kick to the next: short against the time between two collisions of a body.",
            What::Number(TIME),
        )
        .required(),
        key(
            "from",
            "The time of the first kick; by default after one interval.",
            What::Number(UNTIL),
        ),
        key(
            "bodies",
            "The free bodies that are kicked, by name or by patterns such as `\"grain*\"`; by default all.",
            What::Either(&[
                What::Name,
                What::List {
                    of: &What::Name,
                    least: 1,
                    most: 100_000,
                },
            ]),
        ),
        key(
            "conserve_momentum",
            "Whether the mean of the kicks is taken off, so that they add no momentum.",
            What::Flag,
        )
        .default("true"),
    ],
);

static RIGID_BODIES: Form = form(
    "rigid bodies",
    "How rigid bodies in lasting contact are advanced.",
    &[
        key(
            "step",
            "The length of their time steps.",
            What::Number(TIME),
        )
        .default("0.004166666666666667"),
        key(
            "settling_time",
            "A bounce slower than the speed that gravity gives in this time ends: the contact becomes a lasting one.",
            What::Number(TIME),
        )
        .default("0.008333333333333333"),
        key(
            "iterations",
            "The most solver iterations over the contacts of an island, in half a step.",
            What::Whole {
                least: 1,
                most: 1_000_000,
            },
        )
        .was("rounds")
        .default("500"),
    ],
);

static OUTPUT: Form = form(
    "output",
    "What to keep of a run.",
    &[key(
        "interval",
        "From one stored state to the next.",
        What::Number(TIME),
    )],
);

pub(crate) static OBSERVE: Form = form(
    "observe",
    "What to average over a run: temperature, pressure, collisions, structure, diffusion.",
    &[
        key(
            "from",
            "From when on; what comes before is no part of the averages.",
            What::Number(UNTIL),
        )
        .default("0"),
        key(
            "samples",
            "The number of sampling intervals: the states are sampled at the start and at the end of each.",
            What::Whole {
                least: 1,
                most: MOST_LOOKS,
            },
        )
        .was("looks")
        .default("100"),
        key(
            "radial",
            "The radial distribution g(r), in a periodic box.",
            What::Table(&RADIAL),
        ),
        key(
            "msd_lags",
            "The mean squared displacement after 1, 2, … up to this many sampling intervals.",
            What::Whole {
                least: 1,
                most: MOST_POINTS,
            },
        )
        .was("displacement"),
    ],
);

pub(crate) static RADIAL: Form = form(
    "radial",
    "The radial distribution g(r), in a periodic box.",
    &[
        key(
            "cutoff",
            "Up to this distance; at most half of the box.",
            What::Number(LENGTH),
        )
        .was("reach")
        .required(),
        key(
            "bins",
            "The number of bins, all of the same width.",
            What::Whole {
                least: 1,
                most: MOST_POINTS,
            },
        )
        .was("shells")
        .default("50"),
    ],
);
