//! Materials, pairs of them, and what holds at their surfaces.

use super::forces::SPRINGS;
use super::{Form, What, form, key};
use crate::quantity::{DURATION, RATIO, SLIDING_SPEED};
use carom::material::Law;

pub(super) static SURFACE: Form = form(
    "surface",
    "What happens at a contact.",
    &[
        key("friction", "μ, both static and kinetic.", What::Number(RATIO)).default("0"),
        key("static_friction", "μ_s; given together with kinetic_friction.", What::Number(RATIO)),
        key("kinetic_friction", "μ_c, at most μ_s.", What::Number(RATIO)),
        key("rolling_resistance", "μ_r: how fast a rolling ball slows down on the level, in units of gravity.", What::Number(RATIO)).default("0"),
        key("spinning_resistance", "μ_p: the torque against a ball that spins about the normal, over its radius times the normal force.", What::Number(RATIO)).default("0"),
        key("contact_duration", "τ: how long a contact lasts, during which the two stick together; 0 is an impact. Of two materials the longer holds.", What::Number(DURATION)).default("0"),
        key("law", "How friction and rotation are treated.", What::Choice(laws)).default("\"coulomb\""),
    ],
);

/// In actions: a number.
pub(super) static RESTITUTION_NUMBER: Form = form("restitution as a number", "How bodies bounce.", &[
    key("restitution", "ε: the separation speed over the approach speed; above 1 it adds energy, as a bumper does. With the law \"beta\" it is β.", What::Number(RATIO)).default("1"),
]);

/// Of materials and pairs: a number, or a function of the speed.
static BOUNCE: Form = form("bounce", "How bodies bounce.", &[
    key("restitution", "ε: the separation speed over the approach speed; above 1 it adds energy, as a bumper does. With the law \"beta\" it is β. A table makes it depend on the approach speed.", What::Either(&[What::Number(RATIO), What::Table(&RESTITUTION)])).default("1"),
]);

pub(crate) static RESTITUTION: Form = form(
    "restitution",
    "Restitution that depends on the approach speed: exactly one of viscoelastic, loss and table.",
    &[
        key(
            "viscoelastic",
            "ε of viscoelastic spheres at `speed`, above 0 and at most 1. It falls with the speed v as a function of v^(1/5), from 1 at rest.",
            What::Number(RATIO),
        ),
        key(
            "speed",
            "The approach speed at which `viscoelastic` holds.",
            What::Number(SLIDING_SPEED),
        )
        .default("1"),
        key(
            "loss",
            "The same law by its constant (3/2) A (k/μ)^(2/5), in (s/m)^(1/5): ε = 1 − 1.153 loss v^(1/5) + ….",
            What::Number(RATIO),
        ),
        key(
            "table",
            "Points [speed, ε], with increasing speeds (m/s) and ε from 0 to 1: straight lines between them, constant beyond the ends.",
            What::List {
                of: &What::List {
                    of: &What::Number(RATIO),
                    least: 2,
                    most: 2,
                },
                least: 1,
                most: carom::material::MOST_POINTS,
            },
        ),
    ],
);

fn laws() -> Vec<&'static str> {
    Law::ALL.into_iter().map(Law::name).collect()
}

pub(crate) static MATERIAL: Form =
    form("material", "What a surface is made of.", &[
        key("color", "For pictures, of everything that is made of it: a name such as `\"red\"`, or `\"#ff8000\"`.", What::Name),
        key("label", "For pictures, of everything that is made of it: a short text.", What::Name),
    ]).with(&[&BOUNCE, &SURFACE, &SPRINGS]);

pub(super) static PAIR: Form = form(
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
.with(&[&BOUNCE, &SURFACE, &SPRINGS]);
