//! One run of one scene: begun, or gone on with.

use crate::arguments;
use crate::bar::{Bar, Waiting};
use crate::convert;
use crate::event_lines::print_event;
use crate::interrupt::{self, Interrupt};
use crate::memory;
use crate::output::{Failure, Output};
use crate::run_pictures::Pictures;
use crate::scene::{self, Loaded};
use crate::source::{Source, Temporary};
use crate::summarise::{Facts, summarise};
use crate::terminal;
use carom::body::{Body, Kind};
use carom::record::{EntryKind, Event};
use carom::simulate::{self, Forces, ForcesError, Settling, Simulation, SimulationError};
use carom::space::{Space2, Space3};
use carom::world::World;
use carom_data::{
    Claim, Classes, DataError, DataSpace, Ended, Manifest, Observe, Output as Frames, Progress,
    Radial, Recorder, RunFolder, SUMMARY, SceneText, Schedule, Stage, Watch,
};
use carom_scene::{AnyPlan, AnyWorld, Method, ObserveSettings, Plan, PlanError};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As many frames as a run folder gets by default.
const FRAMES: u64 = 100;

/// Seconds of wall time between checkpoints.
const CHECKPOINTS: f64 = 10.0;

/// What to do with a scene, and what to say about it.
struct Job {
    facts: Facts,
    /// How contacts are followed.
    method: simulate::Method,
    schedule: Schedule,
    folder: Option<PathBuf>,
    checkpoints: Duration,
    told: Told,
    events: bool,
    quiet: bool,
    /// Whether the folder is there for pictures alone, and goes when they are made.
    passing: bool,
}

/// What is said of a run when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// The summary, for people.
    Summary,
    /// The summary, for programs.
    Json,
    /// Warnings alone, on standard error.
    Warnings,
}

impl Told {
    fn summary(json: bool) -> Self {
        if json { Told::Json } else { Told::Summary }
    }
}

/// The averages that a scene asks for.
pub fn averages_of(settings: ObserveSettings) -> Observe {
    Observe {
        from: settings.from,
        looks: settings.looks,
        radial: settings.radial.map(|radial| Radial {
            reach: radial.reach,
            shells: radial.shells as usize,
        }),
        displacement: settings.displacement.map(|lags| lags as usize),
    }
}

/// `carom run`, with the pictures that are asked for.
pub fn run(options: &arguments::Run) -> Result<(), Failure> {
    let pictures = Pictures::of(options);
    if !pictures.are_wanted() {
        return run_into(options, options.out.as_deref(), Told::summary(options.json));
    }
    pictures.check()?;
    let told = Told::summary(options.json);
    let Some(folder) = &options.out else {
        let temporary = Temporary::new()?;
        let name = options.source.scene.file_stem().unwrap_or_default();
        let folder = temporary.0.join(name);
        run_into(options, Some(&folder), told)?;
        return pictures.make(&folder);
    };
    run_into(options, Some(folder), told)?;
    pictures.make(folder)
}

/// Runs a scene into a folder, for pictures of it.
pub fn run_for_pictures(source: &Source, folder: &Path, quiet: bool) -> Result<(), Failure> {
    let options = arguments::Run {
        source: source.scene(),
        until: source.until,
        method: source.method,
        quiet,
        keep: arguments::Keep {
            checkpoint: CHECKPOINTS,
            ..arguments::Keep::default()
        },
        ..arguments::Run::default()
    };
    run_into(&options, Some(folder), Told::Warnings)
}

fn run_into(options: &arguments::Run, folder: Option<&Path>, told: Told) -> Result<(), Failure> {
    let mut loaded = scene::load(&options.source, options.quiet)?;
    if let Some(keys) = &options.keys {
        loaded.take_keys(keys)?;
    }
    if !options.quiet {
        loaded.tell_notes();
    }
    let Loaded { text, scene, took } = loaded;
    memory::check(&scene, options.method.map_or(scene.method, Method::from))?;
    let schedule = Schedule {
        until: options.until.unwrap_or(scene.run.until),
        max_collisions: options.max_collisions.or(scene.run.max_collisions),
        rest: scene.run.rest,
        output: match (options.keep.every, options.keep.frames) {
            (Some(interval), _) => Frames::Every(interval),
            (None, Some(0)) => Frames::Never,
            (None, Some(frames)) => Frames::Times(frames),
            (None, None) => match scene.output.interval {
                Some(interval) => Frames::Every(interval),
                None => Frames::Times(FRAMES),
            },
        },
        events: !options.keep.no_events,
        observe: if options.observe {
            Some(scene.observe.unwrap_or_default())
        } else {
            scene.observe
        }
        .map(averages_of),
    };
    check_output(&schedule, &scene.world)?;
    let method = options.method.map_or(scene.method, Method::from);
    let job = Job {
        facts: Facts {
            file: text.given.clone(),
            method,
            title: scene.title,
            seed: scene.seed,
            overrides: text.overrides.clone(),
            warnings: scene.warnings,
            load: took,
        },
        method: method.with(scene.settling, scene.forces),
        schedule,
        folder: folder.map(Path::to_owned),
        checkpoints: Duration::from_secs_f64(options.keep.checkpoint),
        told,
        events: options.events,
        quiet: options.quiet,
        passing: options.out.is_none(),
    };
    let mut output = Output::standard();
    let (force, plan) = (options.keep.force, &scene.plan);
    match scene.world {
        AnyWorld::Two(world) => begin(&job, &text, force, world, plan, &mut output),
        AnyWorld::Three(world) => begin(&job, &text, force, world, plan, &mut output),
    }?;
    if let Some(folder) = &options.out {
        convert::convert(folder, &options.keep.also, None, false, options.quiet)?;
    }
    Ok(())
}

/// Refuses output that nobody has room for.
fn check_output(schedule: &Schedule, world: &AnyWorld) -> Result<(), Failure> {
    fn moving<S: DataSpace>(world: &World<S>) -> usize {
        let moves = |body: &&Body<S>| !matches!(body.kind, Kind::Static);
        world.bodies().iter().filter(moves).count()
    }
    let moving = match world {
        AnyWorld::Two(world) => moving(world),
        AnyWorld::Three(world) => moving(world),
    };
    Ok(schedule.check_output(world.dimension(), moving)?)
}

/// Whether the output that a scene asks for has room.
fn check_output_of(scene: &carom_scene::Scene) -> Result<(), Failure> {
    let Some(interval) = scene.output.interval else {
        return Ok(());
    };
    let schedule = Schedule {
        until: scene.run.until,
        max_collisions: None,
        rest: None,
        output: Frames::Every(interval),
        events: true,
        observe: None,
    };
    check_output(&schedule, &scene.world)
}

/// `carom resume`.
pub fn resume(options: &arguments::Resume) -> Result<(), Failure> {
    let start = Instant::now();
    let folder = &options.run;
    let (mut manifest, note) = carom_data::last_good(folder)?;
    if let Some(note) = note {
        eprintln!("warning: {note}");
    }
    if manifest.stage != Stage::Running {
        return already_ended(folder, &mut manifest, options.json);
    }
    let copy = manifest.scene;
    let job = Job {
        facts: Facts {
            file: copy.given.clone(),
            method: manifest.method,
            title: copy.title.clone(),
            seed: copy.seed,
            overrides: copy.overrides.clone(),
            warnings: copy.warnings.clone(),
            load: Duration::ZERO,
        },
        // The snapshot knows.
        method: manifest.method.with(Settling::default(), Forces::default()),
        schedule: manifest.schedule,
        folder: Some(folder.clone()),
        checkpoints: Duration::from_secs_f64(options.checkpoint),
        told: Told::summary(options.json),
        events: false,
        quiet: options.quiet,
        passing: false,
    };
    match manifest.dimension {
        2 => go_on::<Space2>(job, folder, start),
        _ => go_on::<Space3>(job, folder, start),
    }
}

fn go_on<S: DataSpace>(mut job: Job, folder: &Path, start: Instant) -> Result<(), Failure> {
    let wait = Waiting::new("reading the last checkpoint", job.quiet);
    let (recorder, world, classes, run, progress) = Recorder::<S>::resume(folder)?;
    drop(wait);
    job.facts.load = start.elapsed();
    let mut output = Output::standard();
    let bodies = (&world, &classes);
    conduct(&job, bodies, run, progress, Some(recorder), &mut output)
}

/// A run that had come to its end: what is left to do is little, and the summary is there.
fn already_ended(folder: &Path, manifest: &mut Manifest, json: bool) -> Result<(), Failure> {
    let claim = Claim::take(folder)?;
    carom_data::complete(&claim, manifest)?;
    let text = RunFolder::open(folder)?.read_file(SUMMARY)?;
    let text = String::from_utf8_lossy(&text);
    let mut output = Output::standard();
    if json {
        output.line(format_args!("{}", text.trim_end()))?
    } else {
        output.line(format_args!(
            "{}: the run is complete; nothing is left to do",
            folder.display()
        ))?
    }
    output.finish()
}

fn begin<S: DataSpace>(
    job: &Job,
    text: &SceneText,
    replace: bool,
    world: World<S>,
    plan: &AnyPlan,
    output: &mut Output,
) -> Result<(), Failure> {
    let start = Instant::now();
    let nothing = Plan::default();
    let plan = S::plan_of(plan).unwrap_or(&nothing);
    if job.schedule.observe.is_some() && plan.changes_bodies() {
        let reason = "averages need the same bodies throughout, but this scene adds or removes some: leave --observe and [observe] out";
        return Err(Failure::BadInput(format!("error: {reason}\n")));
    }
    // The run keeps no names of bodies that it does not need itself.
    let file = &job.facts.file;
    let wait = Waiting::new("setting up the run", job.quiet);
    let run = simulation(world.clone(), plan, job.method, job.schedule.until, file)?;
    drop(wait);
    let all = if plan.waiting.is_empty() {
        world
    } else {
        plan.cast(&world)
    };
    let recorder = match &job.folder {
        Some(path) => {
            let movers = plan.movers();
            let recorder =
                Recorder::create(path, replace, text, job.schedule, &all, &movers, &run)?;
            Some(recorder)
        }
        None => None,
    };
    let mut progress = Progress::new(&job.schedule, &all);
    progress.elapsed_s = start.elapsed().as_secs_f64();
    let classes = Classes::new(&all);
    conduct(job, (&all, &classes), run, progress, recorder, output)
}

/// Makes the engine that would run a scene, and lets it go: whatever `carom run` refuses before the first event, it
/// refuses in the same words.
pub fn check(scene: carom_scene::Scene, method: Method, file: &str) -> Result<(), Failure> {
    memory::check(&scene, method)?;
    check_output_of(&scene)?;
    let (method, until) = (method.with(scene.settling, scene.forces), scene.run.until);
    fn made<S: DataSpace>(
        world: World<S>,
        plan: &AnyPlan,
        method: simulate::Method,
        until: f64,
        file: &str,
    ) -> Result<(), Failure> {
        let nothing = Plan::default();
        let plan = S::plan_of(plan).unwrap_or(&nothing);
        simulation(world, plan, method, until, file).map(drop)
    }
    match scene.world {
        AnyWorld::Two(world) => made(world, &scene.plan, method, until, file),
        AnyWorld::Three(world) => made(world, &scene.plan, method, until, file),
    }
}

/// A simulation until a time (s); or all that is wrong, with the file that it is in, also that it would not come to its
/// end.
pub fn simulation<S: DataSpace>(
    world: World<S>,
    plan: &Plan<S>,
    method: simulate::Method,
    until: f64,
    file: &str,
) -> Result<Simulation<S>, Failure> {
    let run = plan.simulation(world, method);
    let run = run.map_err(|error| match error {
        PlanError::Simulation(error) => not_simulated(&error, file),
        error => refused(&[error.to_string()], file),
    })?;
    match run.check_until(until) {
        Ok(()) => Ok(run),
        Err(error) => Err(not_simulated(&error, file)),
    }
}

/// What is said of a world that cannot be simulated.
pub fn not_simulated(error: &SimulationError, file: &str) -> Failure {
    match error {
        SimulationError::Forces(errors) => refused_by_forces(errors, file),
        error => refused(&error.complaints(), file),
    }
}

/// A world that a method cannot run, with all that is wrong.
fn refused(errors: &[impl std::fmt::Display], file: &str) -> Failure {
    let shown = errors.iter().take(100);
    let lines: Vec<String> = shown.map(|error| format!("error: {error}\n")).collect();
    Failure::BadInput(format!("{}{}", lines.concat(), number_in(errors, file)))
}

/// As errors of scene files end: `carom check` takes many of them.
fn number_in<T>(errors: &[T], file: &str) -> String {
    let number = terminal::count(errors.len() as u64, "error", "errors");
    format!("\n{number} in {file}\n")
}

/// A world that cannot be run by forces.
fn refused_by_forces(errors: &[ForcesError], file: &str) -> Failure {
    // Of many bodies of two materials one pair is enough.
    let mut told = BTreeSet::new();
    let mut shown: Vec<&ForcesError> = Vec::new();
    for error in errors {
        let is_new = match error {
            ForcesError::Pair {
                material_a: a,
                material_b: b,
                reason,
                ..
            } => told.insert((a.min(b), a.max(b), reason.to_string())),
            _ => true,
        };
        shown.extend(is_new.then_some(error));
    }
    let lines = shown.iter().take(100);
    let lines: Vec<String> = lines.map(|error| format!("error: {error}\n")).collect();
    Failure::BadInput(format!("{}{}", lines.concat(), number_in(&shown, file)))
}

/// Runs to the end, and says what happened.
fn conduct<S: DataSpace>(
    job: &Job,
    (world, classes): (&World<S>, &Classes),
    mut run: Simulation<S>,
    mut progress: Progress<S>,
    mut recorder: Option<Recorder<S>>,
    output: &mut Output,
) -> Result<(), Failure> {
    let interrupt = Interrupt::listen_for_run(job.folder.as_deref(), job.passing);
    run.set_cancel(Some(interrupt.cancel()));
    run.set_horizon(job.schedule.until);
    let mut watcher = Watcher {
        world,
        // What a scene prints is part of what is said of the run.
        output: (job.events || job.told == Told::Summary && !job.quiet).then_some(&mut *output),
        events: job.events,
        json: job.told == Told::Json,
        written: Ok(()),
        goes_on: job.folder.is_some(),
        interrupt: interrupt.clone(),
        bar: Bar::new(job.schedule.until, job.quiet || job.events),
    };
    let ended = carom_data::run(
        &mut run,
        &job.schedule,
        classes,
        &mut progress,
        recorder.as_mut(),
        job.checkpoints,
        &mut watcher,
    );
    interrupt.noticed();
    let Watcher { written, .. } = watcher;
    let ended = ended.map_err(|error| unwritten(job, error))?;
    let folder = job.folder.as_ref().filter(|_| !job.passing);
    let folder = folder.map(|path| path.display().to_string());
    let summary = summarise(
        &job.facts,
        &job.schedule,
        world,
        &run,
        &progress,
        classes,
        &ended,
        folder,
    );
    match (recorder, &ended) {
        (Some(recorder), Ended::Interrupted) => recorder
            .pause(&run, &progress, &summary)
            .map_err(|error| unwritten(job, error))?,
        (Some(recorder), _) => recorder
            .finish(&run, &progress, &summary)
            .map_err(|error| unwritten(job, error))?,
        (None, _) => (),
    }
    written?;
    match job.told {
        Told::Json => output.json(&summary)?,
        Told::Summary => terminal::print(&summary, output)?,
        Told::Warnings if job.quiet => (),
        Told::Warnings => {
            for warning in &summary.warnings {
                eprintln!("warning: {warning}");
            }
        }
    }
    output.finish()?;
    match ended {
        Ended::Time | Ended::Collisions | Ended::Rest | Ended::Action => Ok(()),
        Ended::Failed(error) => Err(Failure::Run(error.to_string())),
        Ended::Interrupted => Err(Failure::Interrupted {
            status: interrupt::STATUS,
            resume: job.folder.clone().filter(|_| !job.passing),
        }),
    }
}

/// A run folder that could not be written to: what is there, and how to go on.
fn unwritten(job: &Job, error: DataError) -> Failure {
    let (Some(folder), true) = (&job.folder, error.is_writing() && !job.passing) else {
        return error.into();
    };
    let Ok(manifest) = Manifest::read(folder) else {
        return error.into();
    };
    Failure::Run(format!(
        "{error}\n  what was kept until t = {} s is safe; to resume from there: carom resume {}",
        manifest.time,
        folder.display()
    ))
}

/// Prints events, moves the bar, and notices Ctrl-C.
struct Watcher<'w, S: DataSpace> {
    world: &'w World<S>,
    /// Where lines go, if there are any.
    output: Option<&'w mut Output>,
    /// Whether each event has a line, and not only what is printed.
    events: bool,
    json: bool,
    written: Result<(), Failure>,
    /// Whether the run goes on when nobody reads the output: a run folder is for whoever comes later.
    goes_on: bool,
    interrupt: Interrupt,
    bar: Option<Bar>,
}

impl<S: DataSpace> Watch<S> for Watcher<'_, S> {
    #[inline]
    fn event(&mut self, event: &Event<'_, S>) -> ControlFlow<()> {
        if let (Some(output), Ok(())) = (&mut self.output, &self.written) {
            let printed = matches!(event, Event::Action(entry) if entry.kind == EntryKind::Print);
            if self.events || printed {
                self.written = print_event(self.world, event, self.json, output);
            }
        }
        if (self.written.is_err() && !self.goes_on) || self.interrupt.is_wanted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn tick(&mut self, time: f64, collisions: u64) -> ControlFlow<()> {
        if let Some(bar) = &mut self.bar {
            bar.show(time, collisions);
        }
        if self.interrupt.is_wanted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
