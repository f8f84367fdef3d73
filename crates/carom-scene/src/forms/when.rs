//! The keys of `[[when]]`: what sets something off, and what is done then.

use super::bodies::{FILTER, LOAD, MOTIONS, STATIC, motions};
use super::fields::FIELD_PARTS;
use super::{COUNT, Form, What, form, key};
use crate::quantity::{
    AXIS, DURATION, MASS, OFFSET, PHASE, PLACE, PURE, RATIO, SLIDING_SPEED, SPEED, TIME,
    TURNING_SPEED, UNTIL, VELOCITY, WEIGHT,
};

/// Names of bodies.
const NAMES: What = What::Either(&[
    What::Name,
    What::List {
        of: &What::Name,
        least: 1,
        most: 1000,
    },
]);

pub(crate) static WHEN: Form = form(
    "when",
    "Something that happens during a run: one of the triggers (`time`, `every`, `collision`, `entered`, `left`, `pressed`, `released`, or `if` alone), and what is done then. Names of bodies may have `*` in them, which stands for any text.",
    &[
        key("name", "What summaries and logs call it.", What::Name),
        key(
            "time",
            "At this time, or at each of these.",
            What::Either(&[
                What::Number(UNTIL),
                What::List {
                    of: &What::Number(UNTIL),
                    least: 1,
                    most: 100_000,
                },
            ]),
        ),
        key(
            "every",
            "Again and again, at this interval.",
            What::Number(TIME),
        ),
        key(
            "from",
            "Of `every`: the first time; default: after one interval.",
            What::Number(UNTIL),
        ),
        key(
            "collision",
            "A body collides: its name; or two names, and those two collide.",
            What::Either(&[
                What::Name,
                What::List {
                    of: &NAMES,
                    least: 2,
                    most: 2,
                },
            ]),
        ),
        key("entered", "A body enters this sensor.", NAMES),
        key("left", "A body leaves this sensor.", NAMES),
        key(
            "by",
            "Of `entered` and `left`: the body that does; default: any.",
            NAMES,
        ),
        key("pressed", "This key is pressed.", What::Name),
        key("released", "This key is released.", What::Name),
        key(
            "if",
            "Alone: when all of this begins to hold. With a trigger: only if all of this holds then.",
            What::Either(&[What::Table(&CONDITION), What::Tables(&CONDITION)]),
        ),
        key(
            "look",
            "Of `if` alone: how often states are looked at.",
            What::Number(TIME),
        )
        .default("0.001"),
        key("first", "Only the first so many times.", COUNT),
        key(
            "nth",
            "Only the time of that number, counted from 1.",
            COUNT,
        ),
        key("each", "Only every so many times.", COUNT),
        key(
            "do",
            "What is done; several things are done in their order.",
            What::Either(&[What::OneOf(&ACTIONS), What::AllOneOf(&ACTIONS)]),
        )
        .required(),
    ],
);

pub(crate) static CONDITION: Form = form(
    "condition",
    "One quantity compared with one number. A body that is not there meets no condition.",
    &[
        key("score", "The score of this name.", What::Name),
        key("present", "How many of these bodies are there.", NAMES),
        key(
            "inside",
            "How many bodies are inside this sensor.",
            What::Name,
        ),
        key("x", "The x of the position of this body, m.", What::Name),
        key("y", "The y of the position of this body, m.", What::Name),
        key(
            "z",
            "In 3-D: the z of the position of this body, m.",
            What::Name,
        ),
        key(
            "velocity_x",
            "The x of the velocity of this body, m/s.",
            What::Name,
        ),
        key(
            "velocity_y",
            "The y of the velocity of this body, m/s.",
            What::Name,
        ),
        key(
            "velocity_z",
            "In 3-D: the z of the velocity of this body, m/s.",
            What::Name,
        ),
        key("speed", "The speed of this body, m/s.", What::Name),
        key(
            "angular_speed",
            "How fast this body rotates, whichever way, rad/s.",
            What::Name,
        ),
        key(
            "kinetic_energy",
            "`\"all\"`: the kinetic energy of all free bodies, J.",
            What::Choice(all),
        ),
        key(
            "collisions",
            "`\"all\"`: how many collisions there have been.",
            What::Choice(all),
        ),
        key("above", "It is greater than this.", VALUE),
        key("at_least", "It is this or greater.", VALUE),
        key("below", "It is less than this.", VALUE),
        key("at_most", "It is this or less.", VALUE),
        key("equal", "It is exactly this.", VALUE),
    ],
);

/// In the unit of what is compared.
const VALUE: What = What::Either(&[What::Number(PURE)]);

fn all() -> Vec<&'static str> {
    vec!["all"]
}

/// What every action may have.
static LATER: Form = form(
    "any action",
    "What every action may have.",
    &[key("after", "So much later.", What::Number(DURATION)).default("0")],
);

/// All keys by which actions are told apart, in the order in which messages list them.
pub(crate) static ACTIONS: [&Form; 14] = [
    &SET_GRAVITY,
    &SET_FIELDS,
    &CHANGE_MATERIAL,
    &SET_BODY,
    &REMOVE,
    &ADD,
    &SWING,
    &SLIDE,
    &STRIKE,
    &SCORE,
    &PRINT,
    &PRESS,
    &RELEASE,
    &STOP,
];

pub(crate) static ANY_ACTION: Form = form("action", "What is done.", &[]).with(&[
    &SET_GRAVITY,
    &SET_FIELDS,
    &CHANGE_MATERIAL,
    &SET_BODY,
    &REMOVE,
    &ADD,
    &SWING,
    &SLIDE,
    &STRIKE,
    &SCORE,
    &PRINT,
    &PRESS,
    &RELEASE,
    &STOP,
]);

static SET_GRAVITY: Form = form(
    "set gravity",
    "Sets the uniform gravity.",
    &[key("gravity", "From now on.", What::Vector(WEIGHT)).required()],
)
.with(&[&LATER]);

static SET_FIELDS: Form = form(
    "set fields",
    "Sets what acts in flight, instead of all that acted before; gravity stays.",
    &[key("fields", "From now on.", What::Table(&FIELD_PARTS)).required()],
)
.with(&[&LATER]);

static CHANGE_MATERIAL: Form = form(
    "change material",
    "Gives a material other numbers; those that are left out are as in `[materials]`.",
    &[key("material", "By name.", What::Name).required()],
)
.with(&[&LATER, &super::RESTITUTION_NUMBER, &super::SURFACE]);

static SET_BODY: Form = form(
    "set body",
    "Changes bodies. What is left out stays as it is.",
    &[
        key(
            "set",
            "Which, by name; `\"@first\"` and `\"@second\"` are the bodies that set it off.",
            NAMES,
        )
        .required(),
        key("position", "Of the centre of a free body.", What::Vector(PLACE)),
        key("velocity", "Of a free body.", What::Vector(VELOCITY)),
        key("angular_velocity", "Of a free body.", What::AngularVelocity),
        key(
            "mass",
            "Of a free body, spread as it was; it stays where it is and moves on as it did.",
            What::Number(MASS),
        ),
        key("material", "By name.", What::Name),
        key(
            "motion",
            "Of a body that is not free: `\"static\"`, or a table that says how it moves from where it is, in world time.",
            What::Either(&[What::Choice(motions), What::OneOf(&MOTIONS)]),
        )
        .words(STATIC),
    ],
)
.with(&[&LATER, &FILTER, &LOAD]);

static REMOVE: Form = form(
    "remove",
    "Takes bodies out.",
    &[key(
        "remove",
        "Which, by name; `\"@first\"` and `\"@second\"` are the bodies that set it off.",
        NAMES,
    )
    .required()],
)
.with(&[&LATER]);

static ADD: Form = form(
    "add",
    "Puts a body in that is not there: one with `present = false`, or one that was removed. Of several names the first that is not there.",
    &[
        key(
            "add",
            "Which, by name; or a body, as in `[[bodies]]`, which is not there before.",
            What::Either(&[
                What::Name,
                What::List {
                    of: &What::Name,
                    least: 1,
                    most: 1000,
                },
                What::OneOf(&super::SHAPES),
            ]),
        )
        .required(),
        key(
            "position",
            "Of its centre; default: as in the scene.",
            What::Vector(PLACE),
        ),
        key(
            "velocity",
            "Of a free body; default: as in the scene.",
            What::Vector(VELOCITY),
        ),
        key(
            "angular_velocity",
            "Of a free body; default: as in the scene.",
            What::AngularVelocity,
        ),
    ],
)
.with(&[&LATER]);

static SWING: Form = form(
    "swing",
    "Turns a body with a hinge (`mount`) to an angle, where it stops.",
    &[
        key("swing", "Which, by name.", What::Name).required(),
        key(
            "to",
            "The angle from where it was mounted.",
            What::Number(PHASE),
        )
        .required(),
        key("speed", "How fast.", What::Number(TURNING_SPEED)).required(),
        key(
            "hold",
            "It swings back so long after it began; default: it stays.",
            What::Number(TIME),
        ),
    ],
)
.with(&[&LATER]);

static SLIDE: Form = form(
    "slide",
    "Moves a body on a rail (`mount`) to a displacement, where it stops.",
    &[
        key("slide", "Which, by name.", What::Name).required(),
        key(
            "to",
            "The displacement from where it was mounted.",
            What::Vector(OFFSET),
        )
        .required(),
        key("speed", "How fast.", What::Number(SLIDING_SPEED)).required(),
        key(
            "hold",
            "It slides back so long after it began; default: it stays.",
            What::Number(TIME),
        ),
    ],
)
.with(&[&LATER]);

static STRIKE: Form = form(
    "strike",
    "A cue strikes a ball that is at rest. Its velocity and angular velocity follow from speed, direction and point of impact.",
    &[
        key("strike", "Which ball, by name.", What::Name).required(),
        key("speed", "Of the cue at impact.", What::Number(SPEED)).required(),
        key(
            "direction",
            "Seen from above, from the x axis to the y axis; or a vector in the x–y plane.",
            What::Either(&[What::Number(PHASE), What::Vector(AXIS)]),
        )
        .required(),
        key(
            "side",
            "How far to the right of the centre, seen along the cue, in radii; at most 0.5 with `height`.",
            What::Number(PURE),
        )
        .default("0"),
        key(
            "height",
            "How far above the centre, in radii: positive gives top spin, negative back spin. In 2-D, 0.",
            What::Number(PURE),
        )
        .default("0"),
        key(
            "elevation",
            "Of the cue's butt above the level; in 2-D, 0.",
            What::Number(PHASE),
        )
        .default("0"),
        key("cue_mass", "Of the cue.", What::Number(MASS)).default("0.567"),
        key(
            "tip_restitution",
            "Between tip and ball.",
            What::Number(RATIO),
        )
        .default("1"),
    ],
)
.with(&[&LATER]);

static SCORE: Form = form(
    "score",
    "Changes a score, which is 0 at first.",
    &[
        key("score", "Its name.", What::Name).required(),
        key("by", "Added to it.", What::Number(PURE)).default("1"),
        key("to", "Instead of `by`: its new value.", What::Number(PURE)),
    ],
)
.with(&[&LATER]);

static PRINT: Form = form(
    "print",
    "Prints a line: it is a row of `events`, and on the terminal.",
    &[key(
        "print",
        "The text. `{points}` is the score of that name, `{time}` the time, `{first}` and `{second}` the bodies that set it off.",
        What::Name,
    )
    .required()],
)
.with(&[&LATER]);

static PRESS: Form = form(
    "press",
    "Presses a key.",
    &[
        key("press", "Its name.", What::Name).required(),
        key(
            "hold",
            "It is released so long after; default: it stays pressed.",
            What::Number(TIME),
        ),
    ],
)
.with(&[&LATER]);

static RELEASE: Form = form(
    "release",
    "Releases a key.",
    &[key("release", "Its name.", What::Name).required()],
)
.with(&[&LATER]);

static STOP: Form = form(
    "stop",
    "Ends the run, when everything that is due at the instant has been done.",
    &[key(
        "stop",
        "`true`, or a text that says why.",
        What::Either(&[What::Flag, What::Name]),
    )
    .required()],
)
.with(&[&LATER]);

/// How a body is mounted that actions move.
pub(crate) static HINGE: Form = form(
    "hinge",
    "A hinge that actions turn a body about.",
    &[
        key("pivot", "A point of its axis.", What::Vector(PLACE)).required(),
        key(
            "axis",
            "In 3-D: the direction of its axis; angles are counter-clockwise about it.",
            What::Vector(AXIS),
        ),
    ],
);
