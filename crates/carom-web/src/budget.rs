//! The budgets of energy and momentum, as rows for charts and as JSON.

use crate::space::{WebSpace, components, turning};
use carom::audit::Audit;
use carom::simulate::Simulation;
use serde_json::{Value, json};

/// Names of the columns of a sample.
pub const SAMPLE: [&str; 13] = [
    "time",
    "translational",
    "rotational",
    "potential",
    "lost",
    "added",
    "residual",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum",
    "collisions",
    "scale",
];

/// Everything that has left the bodies' energy, J.
fn lost<S: WebSpace>(audit: &Audit<S>) -> f64 {
    let losses = &audit.losses;
    let contacts = [losses.between_balls, losses.with_fixtures];
    let impacts: f64 = (contacts.iter())
        .map(|loss| loss.restitution + loss.friction)
        .sum();
    impacts + losses.lasting.total() + losses.fields + losses.integration
}

/// Everything that has come to it, J.
fn added<S: WebSpace>(audit: &Audit<S>) -> f64 {
    let losses = &audit.losses;
    let contacts = [losses.between_balls, losses.with_fixtures];
    let impacts: f64 = (contacts.iter())
        .map(|loss| loss.energy_added + loss.energy_added_by_friction)
        .sum();
    impacts + audit.work_by_kinematic + audit.external_work + audit.shear_work + audit.given
}

/// What the residual is to be compared with: the largest energy that has been there or has changed hands, J.
fn scale<S: WebSpace>(audit: &Audit<S>) -> f64 {
    let parts = [
        audit.initial.kinetic(),
        audit.now.kinetic(),
        audit.initial.potential.abs(),
        audit.now.potential.abs(),
        lost(audit).abs(),
        added(audit).abs(),
        audit.in_contact.energy.abs(),
    ];
    parts.into_iter().fold(0.0, f64::max)
}

/// A row of [`SAMPLE`].
pub fn sample<S: WebSpace>(run: &Simulation<S>) -> Vec<f64> {
    let audit = run.audit();
    let [x, y, z] = S::components(audit.momentum);
    let turns = audit.angular_momentum.as_ref().map_or(f64::NAN, |found| {
        let all = turning::<S>(found.now);
        all.iter().map(|x| x * x).sum::<f64>().sqrt()
            * if all.len() == 1 { all[0].signum() } else { 1.0 }
    });
    vec![
        run.time(),
        audit.now.translational,
        audit.now.rotational,
        audit.now.potential,
        lost(&audit),
        added(&audit),
        audit.energy_residual,
        x,
        y,
        z,
        turns,
        run.collisions() as f64,
        scale(&audit),
    ]
}

/// The budgets by cause.
pub fn budget<S: WebSpace>(run: &Simulation<S>) -> Value {
    let audit = run.audit();
    let energy = |energy: &carom::audit::Energy| {
        json!({
            "translational": energy.translational,
            "rotational": energy.rotational,
            "potential": energy.potential,
            "total": energy.total(),
        })
    };
    let losses = &audit.losses;
    let both = |part: fn(&carom::audit::Loss) -> f64| {
        part(&losses.between_balls) + part(&losses.with_fixtures)
    };
    json!({
        "time": run.time(),
        "initial": energy(&audit.initial),
        "now": energy(&audit.now),
        "lost": {
            "restitution": both(|loss| loss.restitution),
            "friction in collisions": both(|loss| loss.friction),
            "sliding": losses.lasting.sliding,
            "rolling": losses.lasting.rolling,
            "spinning": losses.lasting.spinning,
            "settling": losses.lasting.settling,
            "dampers": losses.lasting.damping,
            "drag and wind": losses.fields,
            "steps": losses.lasting.stepping + losses.lasting.projection + losses.integration,
        },
        "added": {
            "collisions": both(|loss| loss.energy_added),
            "friction": both(|loss| loss.energy_added_by_friction) + losses.lasting.energy_added_by_friction,
            "moving fixtures": audit.work_by_kinematic,
            "external forces": audit.external_work,
            "shear": audit.shear_work,
            "changes": audit.given,
        },
        "in_contact": audit.in_contact.energy,
        "residual": audit.energy_residual,
        "scale": scale(&audit),
        "momentum": components::<S>(audit.momentum),
        "momentum_residual": components::<S>(audit.momentum_residual),
    })
}
