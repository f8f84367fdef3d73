//! The stage of a run by forces, as the granular engine takes it.

use super::bodies::ForceBodies;
use super::granular::{self, Granular, GranularFixture, Rules, Settings};
use crate::body::Kind;
use crate::broad::home;
use crate::shape::Shaped;
use crate::simulate::force_options::Scheme;
use crate::world::shift_of;

/// The balls and the fixtures of a stage as a crowd of which record is kept; or why that cannot be.
pub(super) fn crowd_of<S: Shaped>(
    stage: &ForceBodies<S>,
    time: f64,
    images: impl Fn(usize) -> [i32; 3],
) -> Result<Granular<S>, String> {
    if stage.scheme != Scheme::Verlet {
        return Err(format!("it steps by verlet, not by {}", stage.scheme));
    }
    let usual = S::ball_inertia(1.0, 1.0);
    let rolls = |id| stage.materials.get(id).rolling_resistance > 0.0;
    if stage.materials.ids().any(rolls) {
        let unlike = stage.grains.iter().find(|ball| {
            let factor = ball.inertia / (ball.mass * ball.radius * ball.radius);
            !((factor - usual).abs() <= 1e-9 * usual)
        });
        if let Some(ball) = unlike {
            let name = stage.label(ball.id);
            return Err(format!(
                "with rolling resistance balls must be full, but {name} has an inertia of its own"
            ));
        }
    }
    let stiff = stage.grains.iter().find(|ball| ball.inertia.is_infinite());
    if let (Some(ball), true) = (stiff, stage.materials.any_friction()) {
        let name = stage.label(ball.id);
        return Err(format!(
            "with friction balls must be able to turn, but {name} has an infinite inertia"
        ));
    }
    // Materials of no body need constants of some kind there.
    let mut used = stage.grains.iter().map(|ball| ball.material);
    let of_nobody = used.find_map(|id| stage.materials.constants(id).copied());
    let fallback = stage.forces.fallback.or(of_nobody);
    let rules = Rules::of_materials(&stage.materials, fallback, stage.forces.ending, usual)
        .map_err(|error| error.to_string())?;
    let props: Vec<GranularFixture<S>> = (stage.fixtures.iter())
        .map(|fixture| GranularFixture {
            shape: fixture.body.shape.clone(),
            pose: fixture.body.pose,
            drive: match &fixture.body.kind {
                Kind::Kinematic(drive) => Some(drive.clone()),
                _ => None,
            },
            class: fixture.body.material.index() as u16,
            groups: fixture.body.groups,
        })
        .collect();
    let grains = (stage.grains.iter().enumerate()).filter_map(|(slot, grain)| {
        let body = &stage.bodies[grain.id.0 as usize];
        let mut ball = granular::grain(body)?;
        ball.position =
            home::<S>(ball.position, stage.periods) + shift_of::<S>(images(slot), stage.periods);
        Some(ball)
    });
    let settings = Settings {
        gravity: stage.fields.gravity,
        periods: stage.periods,
        books: true,
        ..Settings::stepping(stage.step)
    };
    let mut crowd =
        Granular::new(grains, props, rules, settings).map_err(|error| error.to_string())?;
    crowd.watch(!stage.full_arms(), &stage.fields, time);
    Ok(crowd)
}
