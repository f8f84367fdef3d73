//! From a world to the engine for very many balls, under the same names and refusals.

use super::bodies::ForceBodies;
use super::granular::{Granular, Rules, Settings};
use super::{Stepped, wrong_at_start};
use crate::shape::Shaped;
use crate::simulate::force_options::{Forces, LeverArm, Scheme};
use crate::simulate::refuse::ForcesError;
use crate::world::World;

impl<S: Shaped> Stepped<S> {
    /// The same world for the engine for very many balls, [`Granular`]: with the step and all refusals of a run by
    /// forces, on some threads, with its energy budgets.
    ///
    /// It steps by Verlet with friction at the full radius, in uniform gravity, without sensors: everything else is
    /// refused by name. Its balls are the free balls of the world, in their order.
    pub fn granular(
        world: &World<S>,
        forces: &Forces,
        threads: usize,
    ) -> Result<Granular<S>, Vec<ForcesError>> {
        let refuse = |reason: String| vec![ForcesError::Granular { reason }];
        let wrong = wrong_at_start(world);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let forces = Forces {
            scheme: Some(forces.scheme.unwrap_or(Scheme::Verlet)),
            ..*forces
        };
        let stage = ForceBodies::new(world.clone(), &forces)?;
        if stage.scheme != Scheme::Verlet {
            let scheme = stage.scheme;
            return Err(refuse(format!("it steps by verlet, not by {scheme}")));
        }
        if let Some((slot, _)) = stage.loads.first() {
            let body = &stage.bodies[stage.grains[*slot as usize].id.0 as usize];
            return Err(refuse(format!(
                "gravity alone acts there, but an external force acts on body {} ({})",
                stage.grains[*slot as usize].id.0, body.name
            )));
        }
        if !stage.fields.is_uniform() {
            let name = &stage.fields.parts()[0].name;
            return Err(refuse(format!(
                "gravity alone acts there, but the world has the field {name}"
            )));
        }
        if let Some(sensor) = stage.sensors.first() {
            let name = stage.label(sensor.id);
            return Err(refuse(format!("it has no sensors, but {name} is one")));
        }
        if forces.lever_arm == LeverArm::Point && stage.materials.any_friction() {
            let reason =
                "friction acts at the full radius there (LeverArm::Radius), not at one point";
            return Err(refuse(reason.to_owned()));
        }
        let usual = S::ball_inertia(1.0, 1.0);
        let unlike = stage.grains.iter().find(|ball| {
            let factor = ball.inertia / (ball.mass * ball.radius * ball.radius);
            (factor - usual).abs() > 1e-9 * usual
        });
        let rolls = |id| stage.materials.get(id).rolling_resistance > 0.0;
        if let Some(ball) = unlike.filter(|_| stage.materials.ids().any(rolls)) {
            let name = stage.label(ball.id);
            return Err(refuse(format!(
                "with rolling resistance balls must be full, but {name} has an inertia of its own"
            )));
        }
        // Materials of no body need constants of some kind there.
        let mut used = stage.grains.iter().map(|ball| ball.material);
        let of_nobody = used.find_map(|id| stage.materials.constants(id).copied());
        let fallback = forces.fallback.or(of_nobody);
        let rules = Rules::of_materials(&stage.materials, fallback, forces.ending, usual)
            .map_err(|error| refuse(error.to_string()))?;
        let settings = Settings {
            threads,
            books: true,
            ..Settings::stepping(stage.step)
        };
        Granular::of_world(world, rules, settings).map_err(|error| refuse(error.to_string()))
    }
}
