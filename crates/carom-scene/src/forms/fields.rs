//! The keys of what acts on balls in flight.

use super::{Form, What, form, key};
use crate::quantity::{
    AIR_DENSITY, AXIS, CIRCULATION, CORE, GRADIENT, INSTANT, LENGTH, LINEAR_DRAG, LONGEST, PLACE,
    PURE, QUADRATIC_DRAG, RATIO, SPIN_DRAG, STIFFNESS, STRENGTH, TIME, TOLERANCE, VELOCITY,
    VISCOSITY, WEIGHT,
};

/// What can be changed during a run, too.
pub(crate) static FIELD_PARTS: Form = form(
    "what acts in flight",
    "What acts on balls in flight besides gravity. Each may be one table or an array of them, which add up.",
    &[
        key(
            "drag",
            "The resistance of the air: −(k₁ + k₂|u|) u with u the velocity relative to the wind.",
            What::Either(&[What::OneOf(&DRAGS), What::AllOneOf(&DRAGS)]),
        ),
        key(
            "wind",
            "The velocity of the air. Drag and lift feel it; alone it does nothing.",
            What::Either(&[What::OneOf(&WINDS), What::AllOneOf(&WINDS)]),
        ),
        key(
            "lift",
            "The force C ω×u on rotating balls (Magnus).",
            What::Either(&[What::Table(&LIFT), What::Tables(&LIFT)]),
        ),
        key(
            "rotational_drag",
            "The torque −c ω of the air.",
            What::Either(&[
                What::OneOf(&ROTATIONAL_DRAGS),
                What::AllOneOf(&ROTATIONAL_DRAGS),
            ]),
        )
        .was("spin_drag"),
        key(
            "uniform",
            "A uniform acceleration, in addition to `gravity`.",
            What::Either(&[What::Table(&UNIFORM_FIELD), What::Tables(&UNIFORM_FIELD)]),
        ),
        key(
            "central",
            "Gravity towards a point.",
            What::Either(&[What::Table(&CENTRAL), What::Tables(&CENTRAL)]),
        ),
        key(
            "springs",
            "Springs towards a point.",
            What::Either(&[What::Table(&SPRING), What::Tables(&SPRING)]),
        ),
    ],
);

pub(crate) static FIELDS: Form = form(
    "fields",
    "What acts on balls in flight besides gravity, and how their trajectories are computed.",
    &[
        key(
            "method",
            "How trajectories are computed: \"adaptive\" keeps the tolerance, \"euler\" is of first order, for comparison.",
            What::Choice(methods),
        )
        .default("\"adaptive\""),
        key(
            "tolerance",
            "Of the adaptive method: a number, both absolute and relative, or a table.",
            What::Either(&[What::Number(TOLERANCE), What::Table(&TOLERANCES)]),
        )
        .default("1e-9"),
        key("step", "Of Euler's method, which needs one.", What::Number(TIME)),
    ],
)
.with(&[&FIELD_PARTS]);

pub(crate) fn methods() -> Vec<&'static str> {
    vec!["adaptive", "euler"]
}

static WITHIN: Form = form(
    "within",
    "Where it acts.",
    &[key(
        "region",
        "Where it acts; default: everywhere.",
        What::OneOf(&[&HALF_SPACE, &ROUND_REGION, &BLOCK_REGION]),
    )],
);

pub(crate) static ANY_REGION: Form = form("any region", "Where something acts.", &[]).with(&[
    &HALF_SPACE,
    &ROUND_REGION,
    &BLOCK_REGION,
]);

pub(crate) static HALF_SPACE: Form = form(
    "half-space",
    "Behind a line or plane.",
    &[
        key("point", "A point of it.", What::Vector(PLACE)).required(),
        key(
            "normal",
            "The direction away from where it acts.",
            What::Vector(AXIS),
        )
        .required(),
    ],
);

pub(crate) static BLOCK_REGION: Form = form(
    "rectangular region",
    "From one corner to the opposite one.",
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

pub(crate) static ROUND_REGION: Form = form(
    "round region",
    "Within a disc or a ball, or outside.",
    &[
        key("centre", "Its centre.", What::Vector(PLACE)).required(),
        key("radius", "Its radius.", What::Number(LENGTH)).required(),
        key("outside", "Whether it is everything else.", What::Flag).default("false"),
    ],
);

static DRAGS: [&Form; 2] = [&DRAG, &DRAG_OF_MEDIUM];

pub(crate) static DRAG: Form = form(
    "drag",
    "The same coefficients for all balls.",
    &[
        key("linear", "k₁.", What::Number(LINEAR_DRAG)).default("0"),
        key("quadratic", "k₂.", What::Number(QUADRATIC_DRAG)).default("0"),
    ],
)
.with(&[&WITHIN]);

pub(crate) static DRAG_OF_MEDIUM: Form = form(
    "drag of a medium",
    "Of spheres: k₁ = 6πηr and k₂ = ½ρCπr².",
    &[
        key("density", "ρ: 1.2 for air.", What::Number(AIR_DENSITY)).required(),
        key("viscosity", "η: 1.8e-5 for air.", What::Number(VISCOSITY)).required(),
        key(
            "coefficient",
            "C: 0.47 for a smooth sphere.",
            What::Number(RATIO),
        )
        .required(),
    ],
)
.with(&[&WITHIN]);

pub(crate) static ANY_DRAG: Form =
    form("any drag", "The resistance of the air.", &[]).with(&[&DRAG, &DRAG_OF_MEDIUM]);

static WINDS: [&Form; 4] = [&STEADY_WIND, &GUST, &SHEAR, &VORTEX];

pub(crate) static ANY_WIND: Form =
    form("any wind", "The velocity of the air.", &[]).with(&[&STEADY_WIND, &GUST, &SHEAR, &VORTEX]);

pub(crate) static STEADY_WIND: Form = form(
    "steady wind",
    "The same everywhere and at all times.",
    &[key("velocity", "Of the air.", What::Vector(VELOCITY)).required()],
)
.with(&[&WITHIN]);

pub(crate) static GUST: Form = form(
    "gust",
    "A wind from one time to another, and none before and after.",
    &[
        key("velocity", "Of the air.", What::Vector(VELOCITY)).required(),
        key("start", "When it starts.", What::Number(INSTANT)).required(),
        key("end", "When it ends.", What::Number(INSTANT)).required(),
    ],
)
.with(&[&WITHIN]);

pub(crate) static SHEAR: Form = form(
    "shear",
    "A wind that grows with the height: velocity + gradient · (normal·(x − point)).",
    &[
        key(
            "velocity",
            "Of the air at the point.",
            What::Vector(VELOCITY),
        )
        .default("zero"),
        key("point", "Where it has that velocity.", What::Vector(PLACE)).required(),
        key(
            "normal",
            "The direction in which it changes.",
            What::Vector(AXIS),
        )
        .required(),
        key(
            "gradient",
            "The rate of change in that direction.",
            What::Vector(GRADIENT),
        )
        .required(),
    ],
)
.with(&[&WITHIN]);

pub(crate) static VORTEX: Form = form(
    "vortex",
    "A wind about an axis.",
    &[
        key("centre", "On the axis.", What::Vector(PLACE)).required(),
        key("axis", "In 3-D: its direction.", What::Vector(AXIS)),
        key(
            "circulation",
            "Γ; in 2-D positive if counter-clockwise.",
            What::Number(CIRCULATION),
        )
        .required(),
        key(
            "core",
            "The distance at which it is fastest.",
            What::Number(CORE),
        )
        .default("0"),
    ],
)
.with(&[&WITHIN]);

pub(crate) static LIFT: Form = form(
    "lift",
    "The force C ω×u.",
    &[
        key(
            "coefficient",
            "C in kg; with a density a pure number, and C = coefficient · πρr³.",
            What::Number(PURE),
        )
        .required(),
        key("density", "ρ.", What::Number(AIR_DENSITY)),
    ],
)
.with(&[&WITHIN]);

static ROTATIONAL_DRAGS: [&Form; 2] = [&ROTATIONAL_DRAG_GIVEN, &ROTATIONAL_DRAG_OF_MEDIUM];

pub(crate) static ANY_ROTATIONAL_DRAG: Form =
    form("any rotational drag", "The torque of the air.", &[])
        .with(&[&ROTATIONAL_DRAG_GIVEN, &ROTATIONAL_DRAG_OF_MEDIUM]);

pub(crate) static ROTATIONAL_DRAG_GIVEN: Form = form(
    "rotational drag",
    "The same coefficient for all balls.",
    &[key("coefficient", "c.", What::Number(SPIN_DRAG)).required()],
)
.with(&[&WITHIN]);

pub(crate) static ROTATIONAL_DRAG_OF_MEDIUM: Form = form(
    "rotational drag of a medium",
    "Of spheres: c = 8πηr³.",
    &[key("viscosity", "η.", What::Number(VISCOSITY)).required()],
)
.with(&[&WITHIN]);

pub(crate) static UNIFORM_FIELD: Form = form(
    "uniform field",
    "A uniform acceleration.",
    &[key("acceleration", "The acceleration.", What::Vector(WEIGHT)).required()],
)
.with(&[&WITHIN]);

pub(crate) static CENTRAL: Form = form(
    "central field",
    "The acceleration −GM d/(d² + s²)^(3/2) at d from its centre.",
    &[
        key(
            "centre",
            "The point that it pulls towards.",
            What::Vector(PLACE),
        )
        .required(),
        key(
            "strength",
            "GM; negative where it repels.",
            What::Number(STRENGTH),
        )
        .required(),
        key("softening", "s: zero for a point.", What::Number(CORE)).default("0"),
    ],
)
.with(&[&WITHIN]);

pub(crate) static SPRING: Form = form(
    "spring",
    "The force −k d at d from its centre.",
    &[
        key(
            "centre",
            "The point that it pulls towards.",
            What::Vector(PLACE),
        )
        .required(),
        key("stiffness", "k.", What::Number(STIFFNESS)).required(),
    ],
)
.with(&[&WITHIN]);

pub(crate) static TOLERANCES: Form = form(
    "tolerance",
    "How exact each segment of a trajectory is.",
    &[
        key(
            "absolute",
            "Of position, velocity and angular velocity.",
            What::Number(TOLERANCE),
        )
        .required(),
        key(
            "relative",
            "Of the distance travelled, the speed and the angular speed; below 1.",
            What::Number(RATIO),
        )
        .default("0"),
        key(
            "max_step",
            "No segment lasts longer.",
            What::Number(LONGEST),
        )
        .default("\"inf\"")
        .was("longest"),
    ],
);
