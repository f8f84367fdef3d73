//! Energy and momentum: the budgets of the summary, its own sums, and what the states say.

use super::{Case, Fault};
use crate::geometry::{Pose, V, add, dot, length, sub, times};
use crate::picture::{self, list};
use serde_json::Value;

/// Budgets of runs by impulses close to rounding; 1e-9 of all that moved leaves room for millions of collisions.
const ROUNDING: f64 = 1e-9;
/// With fields, ways are computed within a tolerance of 1e-9 a piece (or what the scene says), of which there are up to
/// some thousands.
const FIELDS: f64 = 1e-5;
/// By forces the imbalance is the error of the scheme; sliders are let go at the ends of steps, which is of first order
/// (docs/forces.md).
const STEPS: f64 = 2e-2;
/// Verlet books what dampers and sliders take with the velocity in the middle of the step in which they kick: in a
/// contact of fifty steps, half a period of its spring, that is off by up to ½ dt √(k/m) = π/100 of what they take.
const KICKS: f64 = 4e-2;
/// Without locating contacts a deep and short one begins up to a step late, of which it has fifty: several per cent of
/// its energy.
const COARSE: f64 = 0.2;

fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| &value[key])
}

fn real(value: &Value, path: &str) -> f64 {
    at(value, path).as_f64().unwrap_or(0.0)
}

/// What sliders may give by forces.
const SLIDERS: f64 = 0.1;

/// The losses that have sliders by forces: couples against rolling and spinning have the same as friction.
const WITH_SLIDERS: [&str; 3] = ["lasting.sliding", "lasting.rolling", "lasting.spinning"];

/// Everything that is lost, by cause, with its sign.
const LOSSES: [&str; 8] = [
    "between_balls.friction",
    "with_fixtures.friction",
    "lasting.sliding",
    "lasting.rolling",
    "lasting.spinning",
    "lasting.settling",
    "lasting.damping",
    "lasting.stepping",
];

/// What the scene makes of the budgets.
struct Terms {
    forces: bool,
    verlet: bool,
    /// By forces, without locating contacts within the step, which costs the order.
    coarse: bool,
    fields: bool,
    /// Of first order, for comparison: its books are not judged.
    euler: bool,
    kinematic: bool,
    /// A law that may gain energy by what it says.
    gains: bool,
    /// Restitution above 1 somewhere.
    bumper: bool,
    /// Random kicks.
    heated: bool,
    /// A ball spins that cannot be spun: whatever keeps it turning gives energy, as a motor does.
    turned: bool,
}

fn terms(case: &Case) -> Terms {
    let json = &case.scene.json;
    let tables = json["materials"]
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
        .chain(list(json, "pairs"));
    let surfaces: Vec<&Value> = tables.collect();
    let law = |name: &str| surfaces.iter().any(|keys| keys["law"] == name);
    let bumper = surfaces
        .iter()
        .any(|keys| keys["restitution"].as_f64() > Some(1.0));
    Terms {
        forces: json["method"] == "forces",
        verlet: case.summary["scene"]["forces"]["integrator"] == "verlet",
        coarse: json["forces"]["locate"] == false,
        fields: !json["fields"].is_null(),
        euler: json["forces"]["integrator"] == "euler" || json["fields"]["method"] == "euler",
        kinematic: case.picture.bodies.iter().any(|body| body.drive.moves()),
        // The β law drives the slip on where β is above 1.
        gains: law("newton") || law("course") || bumper && law("beta"),
        bumper,
        heated: !json["thermostat"].is_null(),
        turned: list(json, "bodies").iter().any(|keys| {
            let spin = picture::angular_velocity(&keys["angular_velocity"]);
            keys["inertia"] == "inf" && length(spin) > 0.0
        }),
    }
}

pub fn judge(case: &Case, faults: &mut Vec<Fault>) {
    let audit = &case.summary["audit"];
    let terms = terms(case);
    let tolerance = match &terms {
        terms if terms.euler => f64::INFINITY,
        terms if terms.coarse => COARSE,
        terms if terms.verlet => KICKS,
        terms if terms.forces => STEPS,
        terms if terms.fields => FIELDS,
        _ => ROUNDING,
    };
    let parts = ["translational", "rotational", "potential"];
    let mut scale: f64 = 1e-9;
    for part in parts {
        scale += real(audit, &format!("energy.{part}")).abs()
            + real(audit, &format!("energy_initial.{part}")).abs();
    }
    scale += real(audit, "work_by_kinematic").abs()
        + real(audit, "losses.fields").abs()
        + real(audit, "given").abs()
        + real(audit, "lost_in_collisions").abs();
    scale += LOSSES
        .iter()
        .map(|key| real(audit, &format!("losses.{key}")).abs())
        .sum::<f64>();
    let residual = at(audit, "energy_residual")
        .as_f64()
        .or(at(audit, "energy_residual").as_f64());
    match residual {
        None => faults.push(Fault::new(
            "energy: no budget",
            "energy_residual is not finite",
        )),
        Some(open) if open.abs() > tolerance * scale => {
            faults.push(Fault::new(
                "energy budget open",
                format!("{open:e} J of {scale:e} J"),
            ));
        }
        Some(_) => {}
    }
    losses(audit, &terms, scale, faults);
    states(case, &terms, faults);
    momentum(case, &terms, tolerance, faults);
}

/// Where a loss stands in the audit.
fn key_of_loss(key: &str) -> String {
    format!("losses.{key}")
}

/// No cause of loss gives energy, and the total does not grow by itself.
fn losses(audit: &Value, terms: &Terms, scale: f64, faults: &mut Vec<Fault>) {
    // By forces what springs across the normal hold is lent and given back; a law that may gain does so in collisions
    // alone. Sliders may give energy, up to a tenth: that is their law (docs/forces.md).
    let tolerance = if terms.forces { 1e-3 } else { 1e-7 };
    let slides = |key: &str| terms.forces && WITH_SLIDERS.contains(&key);
    for key in LOSSES {
        let lost = real(audit, &key_of_loss(key));
        let collisions = !key.starts_with("lasting");
        // Steps have an error of either sign; what counts is whether they put in energy to speak of.
        let allowed = match key {
            "lasting.stepping" => 1e-3,
            key if slides(key) => SLIDERS,
            _ => tolerance,
        };
        if lost < -allowed * scale && !(collisions && terms.gains) && !terms.euler {
            let what = key.rsplit('.').next().unwrap_or(key);
            faults.push(Fault::new(
                format!("negative loss: {what}"),
                format!("{key} {lost:e} J of {scale:e} J"),
            ));
        }
    }
    let gained = real(audit, "energy.total") + real(audit, "in_contact.energy")
        - real(audit, "energy_initial.total");
    // By forces as much as the budget may be open; and what sliders give is there then.
    let open = match terms {
        terms if terms.coarse => COARSE,
        terms if terms.verlet => KICKS,
        terms if terms.forces => STEPS,
        _ => 1e-6,
    };
    let given = WITH_SLIDERS.map(|key| (-real(audit, &key_of_loss(key))).max(0.0));
    let given = if terms.forces {
        given.iter().sum::<f64>() / scale
    } else {
        0.0
    };
    let allowed = open + given.min(SLIDERS);
    if !terms.kinematic
        && !terms.fields
        && !terms.gains
        && !terms.bumper
        && !terms.heated
        && !terms.turned
        && !terms.euler
        && gained > allowed * scale
    {
        faults.push(Fault::new(
            "energy gained",
            format!("{gained:e} J of {scale:e} J"),
        ));
    }
}

/// Energy and momentum of the final states, against what the summary says of them.
fn states(case: &Case, terms: &Terms, faults: &mut Vec<Fault>) {
    let audit = &case.summary["audit"];
    let (mut kinetic, mut turning, mut potential) = (0.0, 0.0, 0.0);
    let (mut heights, mut all) = (0.0, 0.0);
    let mut momentum: V = [0.0; 3];
    for body in case.picture.bodies.iter().filter(|body| body.free) {
        let Some(state) = super::states::state(&case.summary, &body.name) else {
            continue;
        };
        let (velocity, angular_velocity, place) = (
            picture::vector(&state["velocity"]),
            picture::angular_velocity(&state["angular_velocity"]),
            picture::vector(&state["position"]),
        );
        if velocity
            .iter()
            .chain(&angular_velocity)
            .chain(&place)
            .any(|x| !x.is_finite())
        {
            faults.push(Fault::new("not finite", format!("{}: {state}", body.name)));
            return;
        }
        kinetic += 0.5 * body.mass * dot(velocity, velocity);
        all += body.mass * length(velocity);
        momentum = add(momentum, times(velocity, body.mass));
        potential -= body.mass * dot(case.picture.gravity, place);
        heights += body.mass * length(case.picture.gravity) * length(place);
        turning += match &body.matter {
            None if body.inertia.is_finite() => {
                0.5 * body.inertia * dot(angular_velocity, angular_velocity)
            }
            None => 0.0,
            Some(matter) => {
                // The moments are those of the body as the scene places it: the spin is turned back to that.
                let back = turned_back(case, &body.name, state);
                0.5 * body.mass * matter.twice_turning(back.turned(angular_velocity))
            }
        };
    }
    let mut check = |what: &str, mine: f64, theirs: f64, scale: f64| {
        if (mine - theirs).abs() > 1e-9 * scale {
            faults.push(Fault::new(
                format!("{what} is not that of the states"),
                format!("{mine:e} in the states, {theirs:e} in the summary"),
            ));
        }
    };
    check(
        "translational energy",
        kinetic,
        real(audit, "energy.translational"),
        kinetic + 1e-12,
    );
    check(
        "rotational energy",
        turning,
        real(audit, "energy.rotational"),
        turning + kinetic + 1e-12,
    );
    let potentials = ["uniform", "central", "springs"]
        .iter()
        .any(|key| !case.scene.json["fields"][key].is_null());
    let periodic = case.picture.periods.iter().any(|&length| length > 0.0);
    if !potentials && !periodic && !terms.forces {
        check(
            "potential energy",
            potential,
            real(audit, "energy.potential"),
            heights + 1e-12,
        );
    }
    let theirs = picture::vector(&audit["momentum"]);
    check("momentum", 0.0, length(sub(momentum, theirs)), all + 1e-12);
}

/// How a solid has turned since the start, backwards.
fn turned_back(case: &Case, name: &str, state: &Value) -> Pose {
    let first = super::states::state(&case.start, name).map_or(Pose::REST, super::states::turn);
    first.after(&super::states::turn(state).inverse())
}

fn momentum(case: &Case, terms: &Terms, tolerance: f64, faults: &mut Vec<Fault>) {
    let audit = &case.summary["audit"];
    let size = |value: &Value| {
        if value.is_array() {
            length(picture::vector(value))
        } else {
            value.as_f64().unwrap_or(0.0).abs()
        }
    };
    let moving: f64 = (case.picture.bodies.iter().filter(|body| body.free))
        .filter_map(|body| {
            Some(
                body.mass
                    * length(picture::vector(
                        &super::states::state(&case.summary, &body.name)?["velocity"],
                    )),
            )
        })
        .sum();
    let shares = [
        "momentum_initial",
        "momentum",
        "momentum_from_fixtures",
        "momentum_from_gravity",
        "momentum_from_fields",
        "momentum_from_external",
        "momentum_from_shear",
    ];
    let scale = moving + shares.iter().map(|key| size(&audit[key])).sum::<f64>() + 1e-9;
    let open = size(&audit["momentum_residual"]);
    // By forces momentum balances to rounding (docs/forces.md), and so it does by Euler's method.
    let strict = if terms.fields {
        tolerance.min(FIELDS)
    } else {
        ROUNDING
    };
    if !(open <= strict * scale) {
        faults.push(Fault::new(
            "momentum budget open",
            format!("{open:e} kg m/s of {scale:e}"),
        ));
    }
    let angular = &audit["angular_momentum"];
    if angular.is_null() {
        return;
    }
    let scale: f64 = [
        "initial",
        "now",
        "from_fixtures",
        "from_gravity",
        "from_fields",
        "from_external",
    ]
    .iter()
    .map(|key| size(&angular[key]))
    .sum();
    let open = size(&angular["residual"]);
    let allowed = if terms.fields {
        tolerance.min(STEPS)
    } else {
        tolerance.min(1e-6)
    };
    // Arms at the full radius do not keep angular momentum (docs/forces.md).
    if case.scene.json["forces"]["lever_arm"] != "radius"
        && !terms.euler
        && !(open <= allowed * (scale + moving) + 1e-9)
    {
        faults.push(Fault::new(
            "angular momentum budget open",
            format!("{open:e} kg m²/s of {scale:e}"),
        ));
    }
}
