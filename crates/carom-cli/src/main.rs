//! The command `carom`: runs scenes of colliding bodies.
//!
//! Exit status: 0 when all was done, 1 when a run failed or its output could not be written, 2 when the input is bad.
//! Results go to standard output, everything else to standard error; where the input is bad, nothing goes to standard
//! output.
#![forbid(unsafe_code)]

mod arguments;
mod collision;
mod output;
mod run;
mod summary;
mod terminal;

use arguments::{Arguments, Command};
use carom_scene::{AnyWorld, SceneErrors, Style};
use clap::Parser;
use output::{Failure, Output};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(options) => run_scene(&options),
        Command::Check { scenes } => check(&scenes),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            failure.exit_code()
        }
    }
}

fn style() -> Style {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() && !plain {
        Style::Coloured
    } else {
        Style::Plain
    }
}

fn bad_scene(errors: &SceneErrors) -> Failure {
    Failure::BadInput(errors.render(style()))
}

fn run_scene(options: &arguments::Run) -> Result<(), Failure> {
    let start = Instant::now();
    let mut scene = carom_scene::load(&options.scene).map_err(|errors| bad_scene(&errors))?;
    let load = start.elapsed();
    if let Some(until) = options.until {
        scene.run.until = until;
    }
    if options.max_events.is_some() {
        scene.run.max_events = options.max_events;
    }
    let job = run::Job {
        file: options.scene.display().to_string(),
        title: scene.title,
        settings: scene.run,
        load,
        json: options.json,
        events: options.events,
    };
    let mut output = Output::standard();
    match scene.world {
        AnyWorld::Plane(world) => run::run(job, world, &mut output),
        AnyWorld::Solid(world) => run::run(job, world, &mut output),
    }
}

fn check(scenes: &[PathBuf]) -> Result<(), Failure> {
    let mut output = Output::standard();
    let mut bad = Vec::new();
    for path in scenes {
        match carom_scene::load(path) {
            Ok(scene) => output.line(format_args!("{}", verdict(path, &scene)))?,
            Err(errors) => bad.push(errors.render(style())),
        }
    }
    output.finish()?;
    if bad.is_empty() {
        Ok(())
    } else {
        Err(Failure::BadInput(bad.join("\n")))
    }
}

fn verdict(path: &Path, scene: &carom_scene::Scene) -> String {
    format!(
        "{}: good, {} in {}-D, {} s",
        path.display(),
        terminal::count(scene.world.len() as u64, "body", "bodies"),
        scene.world.dimension(),
        scene.run.until
    )
}
