//! The command `carom`: runs scenes of colliding bodies.
//!
//! Exit status: 0 when all was done, 1 when a run failed or its output could not be written, 2 when the input is bad, 130 when
//! somebody interrupted it. Results go to standard output, everything else to standard error; where the input is bad, nothing
//! goes to standard output.
#![forbid(unsafe_code)]

mod arguments;
mod bar;
mod bench;
mod collision;
mod compare;
mod comparison;
mod convert;
mod explain;
mod interrupt;
mod memory;
mod output;
mod pages;
mod plot;
mod render;
mod render_film;
mod report;
mod run;
mod scene;
mod summarise;
mod summary;
mod templates;
mod terminal;

use arguments::{Arguments, Check, Command};
use clap::Parser;
use output::{Failure, Output};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(options) => run::run(&options),
        Command::Resume(options) => run::resume(&options),
        Command::Check(options) => check(&options),
        Command::Compare(options) => compare::command(&options),
        Command::Convert(options) => convert::command(&options),
        Command::Plot(options) => plot::command(&options),
        Command::Render(options) => render::command(&options),
        Command::Report(options) => report::command(&options),
        Command::New(options) => templates::new(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Schema { markdown } => scene::schema(markdown),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { out } => pages::manual(out.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            failure.exit_code()
        }
    }
}

fn check(options: &Check) -> Result<(), Failure> {
    let mut output = Output::standard();
    let mut bad = Vec::new();
    for path in &options.scenes {
        match scene::load_path(path, options.overrides.clone(), Instant::now()) {
            Ok(loaded) => match memory::check(&loaded.scene, loaded.scene.method)
                .and_then(|()| run::check_forces(&loaded.scene))
            {
                Ok(()) => output.line(format_args!("{}", verdict(path, &loaded.scene)))?,
                Err(Failure::BadInput(errors)) => bad.push(format!("{}: {errors}", path.display())),
                Err(failure) => return Err(failure),
            },
            Err(Failure::BadInput(errors)) => bad.push(errors),
            Err(failure) => return Err(failure),
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
