//! The keys of a scene file: which table has which, what they mean, and what may be written there.
//!
//! The one list that both the reader and the schema go by. The reader asks for keys by name; a test compares what it ever asks for,
//! and in which unit, with what is written here, in both directions.

use crate::quantity::{
    AREA_INERTIA, AXIS, BOX, DENSITY, ENERGY, FREQUENCY, LENGTH, MASS, OFFSET, PHASE, PLACE, PURE,
    Quantity, RATIO, SPEED, TIME, UNTIL, VELOCITY, WEIGHT,
};
use carom::material::Law;

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
    /// A number in the plane, a vector in space.
    Spin,
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
    }
}

impl Key {
    const fn required(self) -> Key {
        Key {
            required: true,
            ..self
        }
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
            "2 in the plane, 3 in space: how many numbers a vector has.",
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
            "Of everything that is random: the same seed gives the same bits.",
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
            "periodic",
            "The lengths of a periodic box that begins at the origin, one for each axis; false along an axis that is not periodic.",
            What::List {
                of: &What::Either(&[What::Number(BOX), What::Flag]),
                least: 2,
                most: 3,
            },
        ),
        key(
            "contact_time",
            "A collision that comes sooner than this after the last one of either ball loses no energy, so that grains can come to rest.",
            What::Number(TIME),
        ),
        key("run", "How long to run.", What::Table(&RUN)).required(),
        key("output", "What to keep of a run.", What::Table(&OUTPUT)),
        key(
            "materials",
            "The materials by name; `default`, elastic and smooth, is there unless redefined.",
            What::Named(&What::Table(&MATERIAL)),
        ),
        key(
            "pairs",
            "What holds between two materials in place of the geometric mean of their numbers.",
            What::Tables(&PAIR),
        ),
        key("bodies", "The bodies, one by one.", What::AllOneOf(&SHAPES)),
        key(
            "generate",
            "Bodies by the dozen or by the million.",
            What::AllOneOf(&GENERATORS),
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
            "max_events",
            "The run stops after this many collisions.",
            COUNT,
        ),
        key(
            "rest",
            "The run stops when no ball is faster than this.",
            What::Number(SPEED),
        ),
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

static SURFACE: Form = form(
    "surface",
    "What happens at a contact.",
    &[
        key("restitution", "ε: the speed of parting over that of closing; above 1 it adds energy, as a bumper does. With the law \"beta\" it is β.", What::Number(RATIO)).default("1"),
        key("friction", "μ, both static and kinetic.", What::Number(RATIO)).default("0"),
        key("static_friction", "μ_s; given together with kinetic_friction.", What::Number(RATIO)),
        key("kinetic_friction", "μ_c, at most μ_s.", What::Number(RATIO)),
        key("law", "How friction and spin are treated.", What::Choice(laws)).default("\"coulomb\""),
    ],
);

fn laws() -> Vec<&'static str> {
    Law::ALL.into_iter().map(Law::name).collect()
}

pub(crate) static MATERIAL: Form =
    form("material", "What a surface is made of.", &[]).with(&[&SURFACE]);

static PAIR: Form = form(
    "pair",
    "What holds between two materials.",
    &[key(
        "materials",
        "The two, by name.",
        What::List {
            of: &What::Name,
            least: 2,
            most: 2,
        },
    )
    .required()],
)
.with(&[&SURFACE]);

/// What bodies and generated bodies have in common.
static COMMON: Form = form(
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
pub(crate) static SHAPES: [&Form; 8] = [
    &BALL, &WALL, &ROOM, &BLOCK, &SEGMENT, &ARC, &TRIANGLE, &CYLINDER,
];

pub(crate) static BALL: Form = form(
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

pub(crate) static WALL: Form = form(
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

pub(crate) static ROOM: Form = form(
    "room",
    "Round and empty inside, solid outside.",
    &[POSITION, RADIUS],
)
.tagged("shape", "room")
.with(&[&BODY]);

pub(crate) static BLOCK: Form = form(
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

pub(crate) static SEGMENT: Form = form(
    "segment",
    "In the plane: thin, struck from both sides and at its ends.",
    &[
        key("from", "One end.", What::Vector(PLACE)).required(),
        key("to", "The other end.", What::Vector(PLACE)).required(),
    ],
)
.tagged("shape", "segment")
.with(&[&BODY]);

pub(crate) static ARC: Form = form(
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
            What::Number(crate::quantity::SWEEP),
        )
        .required(),
    ],
)
.tagged("shape", "arc")
.with(&[&BODY]);

pub(crate) static TRIANGLE: Form = form(
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

pub(crate) static CYLINDER: Form = form(
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

static MOTIONS: [&Form; 4] = [&UNIFORM, &TURNING, &OSCILLATION, &PATH];

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

pub(crate) static KNOT: Form = form(
    "knot",
    "A place at a time.",
    &[
        key("time", "When.", What::Number(crate::quantity::INSTANT)).required(),
        key(
            "offset",
            "The displacement from the place given.",
            What::Vector(OFFSET),
        )
        .required(),
    ],
);

pub(crate) static GENERATE: Form = form(
    "generated",
    "Free balls by a rule. They are called by the name and a number, such as `gas 17`.",
    &[
        key("kind", "The rule.", What::Choice(kinds)).required(),
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
            "Mass over area in the plane, over volume in space.",
            What::Number(DENSITY),
        ),
        key(
            "velocity",
            "One for all, or drawn for each.",
            What::Either(&[What::Vector(VELOCITY), What::OneOf(&[&THERMAL, &BRISK])]),
        )
        .default("zero"),
        key("spin", "Of each.", What::Spin).default("zero"),
    ],
)
.with(&[&COMMON]);

fn kinds() -> Vec<&'static str> {
    let tags = GENERATORS.iter().filter_map(|form| form.tag);
    tags.map(|(_, kind)| kind).collect()
}

pub(crate) static GENERATORS: [&Form; 5] = [&LATTICE, &RANDOM, &RACK, &ROW, &CSV];

pub(crate) static LATTICE: Form = form(
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

pub(crate) static RANDOM: Form = form(
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
            "The share of the region that they fill.",
            What::Number(crate::quantity::FRACTION),
        ),
        key(
            "region",
            "Where: a box or a ball; the periodic box unless given.",
            What::OneOf(&[&BOX_REGION, &BALL_REGION]),
        ),
    ],
)
.tagged("kind", "random")
.with(&[&GENERATE]);

pub(crate) static RACK: Form = form(
    "rack",
    "A triangle of balls as in billiards, in the plane of x and y.",
    &[
        key(
            "rows",
            "How many rows: 5 make 15 balls.",
            What::Whole {
                least: 1,
                most: 10_000,
            },
        )
        .required(),
        key("position", "Of the ball at the tip.", What::Vector(PLACE)).required(),
        key(
            "direction",
            "From the tip to the last row; along x unless given.",
            What::Vector(AXIS),
        ),
        key(
            "gap",
            "Between neighbours; they touch unless given.",
            What::Number(crate::quantity::GAP),
        )
        .default("0"),
    ],
)
.tagged("kind", "rack")
.with(&[&GENERATE]);

pub(crate) static ROW: Form = form(
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
    "From a table with a header: x, y, z, and any of vx, vy, vz, radius, mass, spin (wx, wy, wz in space), name.",
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
            "How often each comes; all alike unless given.",
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
            "The corner with the least coordinates.",
            What::Vector(PLACE),
        )
        .required(),
        key("to", "The corner with the largest.", What::Vector(PLACE)).required(),
    ],
);

pub(crate) static BALL_REGION: Form = form(
    "round region",
    "A disc or a ball.",
    &[
        key("centre", "Its middle.", What::Vector(PLACE)).required(),
        key("radius", "Its radius.", What::Number(LENGTH)).required(),
    ],
);

/// What the reader asked for, so that it can be compared.
#[cfg(test)]
pub(crate) mod asked {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        pub static KEYS: RefCell<BTreeSet<(&'static str, &'static str)>> = RefCell::default();
        pub static FAULTS: RefCell<BTreeSet<String>> = RefCell::default();
    }

    /// A key was asked for.
    pub fn note(form: Option<&'static Form>, key: &'static str) {
        let fault = match form {
            None => Some(format!("`{key}` is asked of a table without a form")),
            Some(form) if form.key(key).is_none() => {
                Some(format!("`{key}` is not among the keys of `{}`", form.name))
            }
            Some(_) => None,
        };
        FAULTS.with_borrow_mut(|faults| faults.extend(fault));
        KEYS.with_borrow_mut(|keys| keys.insert((form.map_or("", |form| form.name), key)));
    }

    /// A number was asked for.
    pub fn compare(what: Option<&'static What>, quantity: Quantity, title: &str) {
        if let Some(What::Number(written)) = what
            && *written != quantity
        {
            FAULTS.with_borrow_mut(|faults| {
                faults.insert(format!("{title} is read as {quantity:?}, not {written:?}"))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn forms_within(what: &'static What, found: &mut Vec<&'static Form>) {
        match what {
            What::Table(form) | What::Tables(form) => forms_below(form, found),
            What::OneOf(forms) | What::AllOneOf(forms) => {
                forms.iter().for_each(|form| forms_below(form, found));
            }
            What::Named(what) | What::List { of: what, .. } => forms_within(what, found),
            What::Either(kinds) => kinds.iter().for_each(|kind| forms_within(kind, found)),
            _ => {}
        }
    }

    fn forms_below(form: &'static Form, found: &mut Vec<&'static Form>) {
        if !found.iter().any(|other| std::ptr::eq(*other, form)) {
            found.push(form);
            for key in form.all_keys() {
                forms_within(&key.what, found);
            }
        }
    }

    /// Reads every good scene there is; afterwards what was asked for is what is written here, no more and no less.
    #[test]
    fn the_reader_asks_for_the_keys_that_the_schema_has() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut read = 0;
        for folder in ["tests/good", "../../scenes"] {
            for entry in std::fs::read_dir(here.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let scene = path
                    .extension()
                    .is_some_and(|end| end == "toml" || end == "json");
                if scene {
                    crate::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
                    read += 1;
                }
            }
        }
        assert!(read > 15);
        let faults = asked::FAULTS.with_borrow(Clone::clone);
        assert!(faults.is_empty(), "{faults:#?}");
        let asked = asked::KEYS.with_borrow(Clone::clone);
        let mut all = Vec::new();
        forms_below(&SCENE, &mut all);
        let tag = |form: &Form, key: &Key| form.tag.is_some_and(|(tag, _)| tag == key.name);
        // A body's shape and a rule's kind are asked before it is known which of them it is.
        let early = [
            "name", "shape", "kind", "material", "groups", "meets", "sensor",
        ];
        let known: BTreeSet<(&str, &str)> = all
            .iter()
            .flat_map(|form| form.all_keys().into_iter().map(move |key| (*form, key)))
            .filter(|(form, key)| !tag(form, key) && !early.contains(&key.name))
            .map(|(form, key)| (form.name, key.name))
            .collect();
        let of_generators = |key: &str| GENERATE.keys.iter().any(|own| own.name == key);
        let missing: Vec<_> = known
            .iter()
            .filter(|(form, key)| {
                let generator =
                    GENERATORS.iter().any(|own| own.name == *form) && of_generators(key);
                let place = if generator {
                    ("generated", *key)
                } else {
                    (*form, *key)
                };
                !asked.contains(&place)
            })
            .collect();
        assert!(missing.is_empty(), "never asked for: {missing:?}");
        for key in early {
            assert!(asked.iter().any(|(_, other)| *other == key), "{key}");
        }
    }
}
