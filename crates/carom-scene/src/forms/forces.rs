//! The keys of `[forces]`, and of springs and dampers.

use super::{Form, What, form, key};
use crate::forces::Method;
use crate::quantity::{DAMPING, DAMPING_RATE, POISSON as ANY_RATIO, RATIO, SPRING, TIME, YOUNG};
use carom::simulate::{ForceEngine, Scheme};

/// The default of Poisson's ratio: that of steel and glass, nearly.
pub(crate) const POISSON: f64 = 0.3;

/// What a material, a pair, or `[forces]` says of springs and dampers.
pub(crate) static SPRINGS: Form = form(
    "springs",
    "What acts at a contact in the force method.",
    &[
        key(
            "stiffness",
            "k of the linear spring of a surface; two surfaces are springs in series, 1/k = 1/k_a + 1/k_b. In a pair it is that of the pair.",
            What::Number(SPRING),
        ),
        key(
            "spring_time",
            "Instead of a stiffness: how long a contact of two such surfaces lasts, for any masses.",
            What::Number(TIME),
        ),
        key(
            "youngs_modulus",
            "Instead of a stiffness: the modulus of Hertz's law, k = (4/3) E* √R*.",
            What::Number(YOUNG),
        )
        .was("young"),
        key(
            "poissons_ratio",
            "Beside `youngs_modulus`: Poisson's ratio, from -1 to 0.5.",
            What::Number(ANY_RATIO),
        )
        .was("poisson")
        .default("0.3"),
        key(
            "damping",
            "c of the damper of a surface; two are in series. By default it is chosen to give the restitution.",
            What::Number(DAMPING),
        ),
        key(
            "damping_rate",
            "Instead of a damping: c over the reduced mass.",
            What::Number(DAMPING_RATE),
        ),
        key(
            "tangential_stiffness",
            "The spring across the normal, as a fraction of the one along it.",
            What::Number(RATIO),
        )
        .default("0.2857142857142857"),
        key(
            "tangential_damping",
            "The damper across the normal, as a fraction of the one along it.",
            What::Number(RATIO),
        )
        .default("0.5"),
    ],
);

pub(crate) static FORCES: Form = form(
    "forces",
    "How the force method is run. Springs and dampers given here are those of all materials that have none of their own.",
    &[
        key(
            "integrator",
            "How the equations of motion are stepped: \"rk4\" for few balls, \"verlet\" for many, \"euler\" for comparison.",
            What::Choice(integrators),
        ),
        key(
            "step",
            "The time step; by default it follows from the stiffest contact.",
            What::Number(TIME),
        ),
        key(
            "attraction",
            "Whether a contact may pull at its end, as spring and damper do until the overlap is gone; false cuts that off.",
            What::Flag,
        )
        .default("true"),
        key(
            "locate",
            "Whether the beginning and the end of each contact are found within the step; \"rk4\" alone can, and does.",
            What::Flag,
        ),
        key(
            "lever_arm",
            "Where friction acts: \"point\" in the middle of the overlap, \"radius\" at the full radius of each ball.",
            What::Choice(arms),
        )
        .was("arms")
        .default("\"point\""),
        key(
            "engine",
            "Which loop goes over the contacts: \"granular\" takes four at once on all cores, with \"verlet\"; \"general\" takes them one by one, and supports everything; \"auto\" is granular for more than 64 free balls where that is possible.",
            What::Choice(runners),
        )
        .was("runner")
        .words(&[("crowd", "granular")])
        .default("\"auto\""),
    ],
)
.with(&[&SPRINGS]);

pub(super) fn methods_of_contact() -> Vec<&'static str> {
    Method::ALL.map(Method::name).to_vec()
}

fn integrators() -> Vec<&'static str> {
    Scheme::ALL.map(Scheme::name).to_vec()
}

fn runners() -> Vec<&'static str> {
    ForceEngine::ALL.map(ForceEngine::name).to_vec()
}

fn arms() -> Vec<&'static str> {
    vec!["point", "radius"]
}
