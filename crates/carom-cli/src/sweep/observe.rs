//! What is kept of a run of a sweep: numbers of its summary, by name.

use crate::output::Failure;
use crate::summary::{Spin, Summary};
use carom_scene::{AnyWorld, Scene};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Refuses the name of a body that the scene has not got.
pub fn check_body(scene: &Scene, name: &str) -> Result<(), Failure> {
    let found = match &scene.world {
        AnyWorld::Two(world) => world.find(name).is_some(),
        AnyWorld::Three(world) => world.find(name).is_some(),
    };
    if found {
        return Ok(());
    }
    Err(Failure::BadInput(format!(
        "error: no body is called `{name}`: --body needs a name of the scene\n"
    )))
}

/// Names and numbers, in the order of the table; NaN where there is none.
pub fn observed(summary: &Summary, bodies: &[String]) -> Vec<(String, f64)> {
    let mut found: Vec<(String, f64)> = Vec::new();
    let mut put = |name: &str, value: f64| found.push((name.to_owned(), value));
    let nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let (audit, now) = (&summary.audit, &summary.observables);
    put("time", summary.outcome.time);
    put("collisions", summary.collisions.total as f64);
    put("energy", audit.energy.total);
    put("temperature", nan(now.temperature));
    put("energy_initial", audit.energy_initial.total);
    put("translational", audit.energy.translational);
    put("rotational", audit.energy.rotational);
    put("potential", audit.energy.potential);
    put("lost_in_collisions", audit.lost_in_collisions);
    put("energy_residual", audit.energy_residual);
    put("mean_speed", nan(now.mean_speed));
    put("fastest", nan(now.fastest.as_ref().map(|f| f.speed)));
    put("collision_rate", nan(now.collision_rate));
    for (axis, value) in AXES.iter().zip(&audit.momentum) {
        put(&format!("momentum_{axis}"), *value);
    }
    for (axis, value) in AXES.iter().zip(now.centre_of_mass.iter().flatten()) {
        put(&format!("centre_{axis}"), *value);
    }
    for sensor in &summary.events.sensors {
        put(&format!("{}.entered", sensor.name), sensor.entered as f64);
        put(&format!("{}.left", sensor.name), sensor.left as f64);
    }
    for (name, score) in &summary.actions.scores {
        put(&format!("score.{name}"), *score as f64);
    }
    if let Some(averages) = &now.averages {
        put("average_temperature", averages.temperature.mean);
        put("average_speed", averages.mean_speed.mean);
        put("average_collision_rate", averages.collision_rate.mean);
        put("mean_free_path", averages.mean_free_path.mean);
        put(
            "compressibility",
            nan(averages.compressibility.map(|m| m.mean)),
        );
        put("pressure", nan(averages.pressure.map(|m| m.mean)));
    }
    for name in bodies {
        if let Some(body) = summary.bodies.iter().find(|body| body.name == *name) {
            for (axis, value) in AXES.iter().zip(&body.position) {
                put(&format!("{name}.{axis}"), *value);
            }
            for (axis, value) in AXES.iter().zip(&body.velocity) {
                put(&format!("{name}.v{axis}"), *value);
            }
            match &body.angular_velocity {
                Spin::Two(omega) => put(&format!("{name}.omega"), *omega),
                Spin::Three(omega) => AXES
                    .iter()
                    .zip(omega)
                    .for_each(|(axis, value)| put(&format!("{name}.omega_{axis}"), *value)),
            }
            put(&format!("{name}.collisions"), body.collisions as f64);
        }
    }
    found
}
