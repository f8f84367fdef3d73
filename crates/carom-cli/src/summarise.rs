//! Making the summary of a run.

use crate::summary::{
    Actions, AuditFacts, Averages, BodyFacts, Collisions, Done, EventCounts, Fastest, Observables,
    Outcome, SceneFacts, SensorFacts, Spin, Status, Stepping, Summary, Timings, components,
};
use crate::warnings::warnings;
use carom::body::{Body, Kind};
use carom::simulate::Simulation;
use carom::space::Linear;
use carom::world::{BodyId, World};
use carom_data::{Classes, DataSpace, Ended, Progress, Schedule, Tally, motion_name};
use carom_scene::{Method, shape_name};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is known before the run.
pub struct Facts {
    pub file: String,
    pub method: Method,
    pub title: String,
    pub seed: u64,
    pub overrides: Vec<String>,
    /// What is hardly meant in the scene.
    pub warnings: Vec<String>,
    /// How long reading the scene took.
    pub load: Duration,
}

/// All that is said about a run. The world has its bodies as they were when it began or went on.
#[allow(clippy::too_many_arguments)] // Each is one thing that a summary speaks of, and this is called once.
pub fn summarise<S: DataSpace>(
    facts: &Facts,
    schedule: &Schedule,
    world: &World<S>,
    run: &Simulation<S>,
    progress: &Progress<S>,
    classes: &Classes,
    ended: &Ended,
    folder: Option<String>,
) -> Summary {
    // What actions have changed is said as it is at the end, so that it does not depend on where a run was taken up. A
    // run that failed may have bodies that no world accepts: then as they were.
    let now = run.census();
    let is_whole = now.bodies().len() == world.bodies().len();
    let world = if is_whole { &now } else { world };
    let free = |body: &&Body<S>| matches!(body.kind, Kind::Free(_));
    let kinds = progress.tally.kinds(classes);
    let run_s = progress.elapsed_s;
    let audit = run.audit();
    let collisions = run.collisions().max(progress.tally.collisions());
    let transitions = progress.tally.transitions.values().sum();
    Summary {
        format: "carom-summary",
        version: 2,
        carom: env!("CARGO_PKG_VERSION"),
        scene: SceneFacts {
            file: facts.file.clone(),
            title: facts.title.clone(),
            seed: facts.seed,
            overrides: facts.overrides.clone(),
            method: facts.method.name(),
            forces: run.stepping().map(Stepping::from),
            dimension: S::DIMENSION,
            bodies: world.bodies().len(),
            free_bodies: world.bodies().iter().filter(free).count(),
            gravity: components::<S>(world.gravity()),
            until: schedule.until,
            max_collisions: schedule.max_collisions,
            rest: schedule.rest,
        },
        outcome: outcome(schedule, run.time(), ended),
        warnings: (facts.warnings.iter().cloned())
            .chain(warnings(world, run, transitions, &audit))
            .collect(),
        events: EventCounts {
            collisions,
            entered: progress.tally.entered,
            left: progress.tally.left,
            sensors: sensors(world, &progress.tally.by_sensor),
            transitions: progress.tally.transitions.clone(),
            edits: progress.tally.edits.clone(),
        },
        actions: actions(world, run, &progress.tally),
        bodies: bodies(world, run, &progress.tally.by_body),
        collisions: Collisions {
            total: collisions,
            by_shape: kinds.by_shape,
            by_material: kinds.by_material,
            by_mode: kinds.by_mode,
            lasting: progress.tally.lasting,
            released: progress.tally.released.clone(),
        },
        audit: AuditFacts::new(&audit),
        observables: Observables {
            averages: progress
                .observer
                .as_ref()
                .map(|observer| Averages::new(&observer.report(run.time()))),
            ..observables(world, run, &progress.tally.by_body)
        },
        timings: Timings {
            load_s: facts.load.as_secs_f64(),
            run_s,
            // The clock may be too coarse for a run of a few collisions.
            collisions_per_s: collisions as f64 / run_s.max(1e-9),
        },
        digest: format!("{:016x}", run.digest()),
        folder,
    }
}

fn outcome(schedule: &Schedule, time: f64, ended: &Ended) -> Outcome {
    let (status, reason) = match ended {
        Ended::Time => (Status::Completed, None),
        Ended::Collisions => {
            let most = schedule.max_collisions.unwrap_or_default();
            let reason = format!("max_collisions = {most} reached");
            (Status::Stopped, Some(reason))
        }
        Ended::Rest => {
            let limit = schedule.rest.unwrap_or_default();
            let reason = format!("everything is at rest: no body is faster than {limit} m/s");
            (Status::Stopped, Some(reason))
        }
        Ended::Action => (Status::Stopped, Some("an action ended the run".to_owned())),
        Ended::Interrupted => (Status::Interrupted, Some("interrupted".to_owned())),
        Ended::Failed(error) => (Status::Failed, Some(error.to_string())),
    };
    Outcome {
        status,
        reason,
        time,
    }
}

/// Every sensor, also one that nothing went through: a gate that noticed nothing is worth knowing.
fn sensors<S: DataSpace>(world: &World<S>, counts: &BTreeMap<u32, [u64; 2]>) -> Vec<SensorFacts> {
    (0u32..)
        .zip(world.bodies())
        .filter(|(_, body)| body.sensor)
        .map(|(id, body)| {
            let [entered, left] = counts.get(&id).copied().unwrap_or_default();
            let name = body.name.to_string();
            SensorFacts {
                name,
                entered,
                left,
            }
        })
        .collect()
}

/// As many things as a summary lists.
const SHOWN: usize = 100;

fn actions<S: DataSpace>(world: &World<S>, run: &Simulation<S>, tally: &Tally) -> Actions {
    let log = run.log();
    let last = &log[log.len().saturating_sub(SHOWN)..];
    let done = |entry: &carom::record::Entry| Done {
        time: entry.time,
        kind: entry.kind.name(),
        ball: entry.ball.map(|id| world.body(id).name.to_string()),
        what: entry.what.clone(),
    };
    Actions {
        total: tally.actions.values().sum(),
        by_kind: tally.actions.clone(),
        scores: (run.scores().map(|(name, score)| (name.to_owned(), score))).collect(),
        last: last.iter().map(done).collect(),
    }
}

fn bodies<S: DataSpace>(world: &World<S>, run: &Simulation<S>, by_body: &[u64]) -> Vec<BodyFacts> {
    (0u32..)
        .zip(world.bodies())
        .zip(by_body)
        .map(|((id, body), &collisions)| {
            let state = run.last_state(BodyId(id));
            let rotation = &S::rotation_numbers(state.rotation)[..S::ROTATION.len()];
            BodyFacts {
                name: body.name.to_string(),
                shape: shape_name(&body.shape),
                material: world.materials.name(body.material).to_owned(),
                motion: motion_name(&body.kind),
                position: components::<S>(state.position),
                orientation: match rotation {
                    [angle] => Spin::Two(*angle),
                    quaternion => Spin::Three(quaternion.to_vec()),
                },
                velocity: components::<S>(state.velocity),
                angular_velocity: Spin::new::<S>(state.angular_velocity),
                collisions,
                present: run.has(BodyId(id)),
            }
        })
        .collect()
}

fn observables<S: DataSpace>(
    world: &World<S>,
    run: &Simulation<S>,
    by_body: &[u64],
) -> Observables {
    let free = || {
        let bodies = (0..).map(BodyId).zip(world.bodies());
        bodies.filter_map(|(id, body)| match &body.kind {
            Kind::Free(free) if run.has(id) => Some((id, body, free.mass)),
            _ => None,
        })
    };
    let (mut count, mut mass, mut speeds, mut hits) = (0_u64, 0.0, 0.0, 0);
    let (mut centre, mut momentum) = (S::Vector::ZERO, S::Vector::ZERO);
    let mut fastest: Option<(f64, &str)> = None;
    for (id, body, m) in free() {
        let state = run.state(id);
        let speed = state.velocity.length();
        count += 1;
        mass += m;
        speeds += speed;
        hits += by_body[id.0 as usize];
        centre += state.position * m;
        momentum += state.velocity * m;
        if fastest.is_none_or(|(most, _)| speed >= most) {
            fastest = Some((speed, &body.name));
        }
    }
    let some = count > 0;
    let common = momentum * (1.0 / mass);
    let energy =
        |(id, _, m): (BodyId, _, f64)| m * (run.state(id).velocity - common).length_squared();
    // The common motion takes as many degrees of freedom as there are dimensions.
    let freedom = S::DIMENSION as f64 * (count as f64 - 1.0);
    let temperature = (count > 1).then(|| free().map(energy).sum::<f64>() / freedom);
    let time = run.time();
    Observables {
        centre_of_mass: some.then(|| components::<S>(centre * (1.0 / mass))),
        velocity_of_centre: some.then(|| components::<S>(common)),
        mean_speed: some.then(|| speeds / count as f64),
        temperature,
        collision_rate: (some && time > 0.0).then(|| hits as f64 / (count as f64 * time)),
        fastest: fastest.map(|(speed, body)| Fastest {
            body: body.to_owned(),
            speed,
        }),
        averages: None,
    }
}
