//! One run of one scene.

use crate::collision::{CollisionLine, mode_name};
use crate::output::{Failure, Output};
use crate::summary::{
    AuditFacts, BodyFacts, Collisions, Outcome, SceneFacts, Spin, Status, Summary, Timings,
    components,
};
use crate::terminal;
use carom::body::Kind;
use carom::record::Collision;
use carom::simulate::{End, Exact, RunError};
use carom::world::{BodyId, World};
use carom_scene::{RunSettings, SceneSpace, shape_name};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What to run, and what to say about it.
pub struct Job {
    pub file: String,
    pub title: String,
    pub settings: RunSettings,
    /// How long reading the scene took.
    pub load: Duration,
    pub json: bool,
    pub events: bool,
}

/// Runs a world and prints what happened.
pub fn run<S: SceneSpace>(job: Job, world: World<S>, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    // The run keeps no names of bodies that it does not need itself.
    let mut exact = Exact::new(world.clone()).map_err(|errors| {
        let lines: Vec<String> = errors
            .iter()
            .take(100)
            .map(|e| format!("error: {e}\n"))
            .collect();
        Failure::BadInput(lines.concat())
    })?;
    let mut tally = Tally::new(&world);
    let mut written = Ok(());
    let end = exact.run(job.settings.until, |collision| {
        tally.count(collision);
        if job.events {
            written = write_collision(job.json, &world, collision, output);
        }
        let most = job.settings.max_events;
        let enough = most.is_some_and(|most| collision.number >= most);
        if enough || written.is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let elapsed = start.elapsed();
    written?;
    let summary = summarise(&job, &exact, tally, outcome(&job, &exact, &end), elapsed);
    if job.json {
        output.json(&summary)?;
    } else {
        terminal::print(&summary, output)?;
    }
    output.finish()?;
    match end {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Run(error.to_string())),
    }
}

fn write_collision<S: SceneSpace>(
    json: bool,
    world: &World<S>,
    collision: &Collision<S>,
    output: &mut Output,
) -> Result<(), Failure> {
    let line = CollisionLine::new(world, collision);
    if json {
        output.json(&line)
    } else {
        terminal::print_collision(&line.collision, output)
    }
}

fn outcome<S: SceneSpace>(job: &Job, exact: &Exact<S>, end: &Result<End, RunError>) -> Outcome {
    let (status, reason) = match end {
        Ok(End::Time) => (Status::Completed, None),
        Ok(_) => {
            let most = job.settings.max_events.unwrap_or_default();
            (
                Status::Stopped,
                Some(format!("max_events = {most} reached")),
            )
        }
        Err(error) => (Status::Failed, Some(error.to_string())),
    };
    Outcome {
        status,
        reason,
        time: exact.time(),
    }
}

/// Collisions counted by what met.
struct Tally<'w, S: SceneSpace> {
    world: &'w World<S>,
    by_shape: BTreeMap<[&'static str; 2], u64>,
    by_material: BTreeMap<[&'w str; 2], u64>,
    by_mode: BTreeMap<&'static str, u64>,
    by_body: Vec<u64>,
}

impl<'w, S: SceneSpace> Tally<'w, S> {
    fn new(world: &'w World<S>) -> Self {
        Tally {
            world,
            by_shape: BTreeMap::new(),
            by_material: BTreeMap::new(),
            by_mode: BTreeMap::new(),
            by_body: vec![0; world.bodies().len()],
        }
    }

    fn count(&mut self, collision: &Collision<S>) {
        let pair = [collision.a, collision.b];
        let bodies = pair.map(|id| self.world.body(id));
        let shapes = bodies.map(|body| shape_name(&body.shape));
        let mut materials = bodies.map(|body| self.world.materials.name(body.material));
        materials.sort_unstable();
        *self.by_shape.entry(shapes).or_default() += 1;
        *self.by_material.entry(materials).or_default() += 1;
        *self.by_mode.entry(mode_name(collision.mode)).or_default() += 1;
        for id in pair {
            self.by_body[id.0 as usize] += 1;
        }
    }
}

fn summarise<S: SceneSpace>(
    job: &Job,
    exact: &Exact<S>,
    tally: Tally<'_, S>,
    outcome: Outcome,
    elapsed: Duration,
) -> Summary {
    let world = tally.world;
    let free = |body: &&carom::body::Body<S>| matches!(body.kind, Kind::Free(_));
    let run_s = elapsed.as_secs_f64();
    Summary {
        format: "carom-summary",
        version: 1,
        carom: env!("CARGO_PKG_VERSION"),
        scene: SceneFacts {
            file: job.file.clone(),
            title: job.title.clone(),
            dimension: S::DIMENSION,
            bodies: world.bodies().len(),
            free_bodies: world.bodies().iter().filter(free).count(),
            gravity: components::<S>(world.gravity()),
            until: job.settings.until,
            max_events: job.settings.max_events,
        },
        outcome,
        bodies: bodies(world, exact, &tally.by_body),
        collisions: Collisions {
            total: exact.collisions(),
            by_shape: joined(tally.by_shape),
            by_material: joined(tally.by_material),
            by_mode: tally
                .by_mode
                .into_iter()
                .map(|(mode, count)| (mode.to_owned(), count))
                .collect(),
        },
        audit: AuditFacts::new(&exact.audit()),
        timings: Timings {
            load_s: job.load.as_secs_f64(),
            run_s,
            // The clock may be too coarse for a run of a few collisions.
            collisions_per_s: exact.collisions() as f64 / run_s.max(1e-9),
        },
        digest: format!("{:016x}", exact.digest()),
    }
}

fn joined(counts: BTreeMap<[&str; 2], u64>) -> BTreeMap<String, u64> {
    counts
        .into_iter()
        .map(|([a, b], count)| (format!("{a}-{b}"), count))
        .collect()
}

fn bodies<S: SceneSpace>(world: &World<S>, exact: &Exact<S>, by_body: &[u64]) -> Vec<BodyFacts> {
    (0u32..)
        .zip(world.bodies())
        .zip(by_body)
        .map(|((id, body), &collisions)| {
            let state = exact.state(BodyId(id));
            BodyFacts {
                name: body.name.to_string(),
                shape: shape_name(&body.shape),
                material: world.materials.name(body.material).to_owned(),
                motion: match body.kind {
                    Kind::Free(_) => "free",
                    Kind::Fixed => "fixed",
                    Kind::Driven(_) => "driven",
                },
                position: components::<S>(state.position),
                velocity: components::<S>(state.velocity),
                spin: Spin::new::<S>(state.spin),
                collisions,
            }
        })
        .collect()
}
