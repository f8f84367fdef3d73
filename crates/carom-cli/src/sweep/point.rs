//! One run of a sweep.

use super::observe::observed;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::output::Failure;
use crate::run::{averages_of, simulation};
use crate::summarise::{Facts, summarise};
use crate::summary::Summary;
use carom::simulate;
use carom::world::World;
use carom_data::{Classes, DataSpace, Ended, Output, Progress, Schedule};
use carom_scene::{AnyPlan, AnyWorld, Limits, Method, Plan, Scene, SceneErrors, Style};
use std::path::PathBuf;
use std::time::Duration;

/// What all runs of a sweep have in common.
pub struct Job {
    pub path: PathBuf,
    pub text: String,
    pub overrides: Vec<String>,
    /// In place of the scene's.
    pub method: Option<Method>,
    /// Whether averages are taken where the scene does not ask for any.
    pub observe: bool,
    /// Whose final states are kept.
    pub bodies: Vec<String>,
    /// Whether there are other runs at the same time, so that each has one core.
    pub apart: bool,
}

/// What was observed, or why nothing was.
type Found = Result<Vec<(String, f64)>, String>;

impl Job {
    /// The scene with some values replaced.
    pub fn read(&self, replaced: &[(String, String)], seed: u64) -> Result<Scene, SceneErrors> {
        let mut pairs: Vec<(String, String)> = self
            .overrides
            .iter()
            .filter_map(|assignment| assignment.split_once('='))
            .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
            .collect();
        pairs.extend_from_slice(replaced);
        pairs.push(("seed".to_owned(), seed.to_string()));
        let limits = Limits {
            memory: memory::available(),
            ..Limits::default()
        };
        let name = self.path.display().to_string();
        carom_scene::parse_within(&name, &self.text, &pairs, &limits)
    }

    /// Runs it; `None` where it was interrupted.
    pub fn run(
        &self,
        replaced: &[(String, String)],
        seed: u64,
        interrupt: &Interrupt,
    ) -> Option<Found> {
        let work = || {
            let scene = match self.read(replaced, seed) {
                Ok(scene) => scene,
                Err(errors) => return Some(Err(errors.render(Style::Plain).trim_end().to_owned())),
            };
            self.simulate(scene, interrupt)
        };
        if !self.apart {
            return work();
        }
        // The force method takes as many threads as the pool has that it runs in.
        match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        }
    }

    fn simulate(&self, scene: Scene, interrupt: &Interrupt) -> Option<Found> {
        let method = self.method.unwrap_or(scene.method);
        let observe = if self.observe {
            Some(scene.observe.unwrap_or_default())
        } else {
            scene.observe
        };
        let schedule = Schedule {
            until: scene.run.until,
            max_collisions: scene.run.max_collisions,
            rest: scene.run.rest,
            output: Output::Never,
            events: false,
            observe: observe.map(averages_of),
        };
        let facts = Facts {
            file: self.path.display().to_string(),
            method,
            title: scene.title,
            seed: scene.seed,
            overrides: Vec::new(),
            warnings: scene.warnings,
            load: Duration::ZERO,
        };
        let how = method.with(scene.settling, scene.forces);
        let plan = &scene.plan;
        match scene.world {
            AnyWorld::Two(world) => self.follow(&facts, &schedule, how, (world, plan), interrupt),
            AnyWorld::Three(world) => self.follow(&facts, &schedule, how, (world, plan), interrupt),
        }
    }

    fn follow<S: DataSpace>(
        &self,
        facts: &Facts,
        schedule: &Schedule,
        method: simulate::Method,
        (world, plan): (World<S>, &AnyPlan),
        interrupt: &Interrupt,
    ) -> Option<Found> {
        let nothing = Plan::default();
        let plan = S::plan_of(plan).unwrap_or(&nothing);
        if schedule.observe.is_some() && plan.changes_bodies() {
            return Some(Err(
                "averages need the same bodies throughout, but this scene adds or removes some"
                    .to_owned(),
            ));
        }
        let run = simulation(world.clone(), plan, method, schedule.until, &facts.file);
        let mut run = match run {
            Ok(run) => run,
            Err(failure) => return Some(Err(words(&failure))),
        };
        let world = if plan.waiting.is_empty() {
            world
        } else {
            plan.cast(&world)
        };
        run.set_cancel(Some(interrupt.cancel()));
        run.set_horizon(schedule.until);
        let classes = Classes::new(&world);
        let mut progress = Progress::new(schedule, &world);
        let ended = carom_data::run(
            &mut run,
            schedule,
            &classes,
            &mut progress,
            None,
            Duration::MAX,
            &mut (),
        );
        let ended = match ended {
            Ok(Ended::Interrupted) => return None,
            Ok(Ended::Failed(error)) => return Some(Err(error.to_string())),
            Ok(ended) => ended,
            Err(error) => return Some(Err(error.to_string())),
        };
        let summary: Summary = summarise(
            facts, schedule, &world, &run, &progress, &classes, &ended, None,
        );
        Some(Ok(observed(&summary, &self.bodies)))
    }
}

/// What a failure says, without the end that is for people at a terminal.
fn words(failure: &Failure) -> String {
    match failure {
        Failure::BadInput(text) | Failure::Run(text) => text.trim_end().to_owned(),
        other => format!("{other:?}"),
    }
}
