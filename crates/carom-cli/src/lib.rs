//! The command `carom`: runs scenes of colliding bodies.
//!
//! ```console
//! $ carom run scenes/break.toml --out runs/one
//! $ carom plot runs/one
//! ```
//!
//! Exit status: 0 when all was done, 1 when a run failed or its output could not be written, 2 when the input is bad,
//! 130 when it was interrupted. Results go to standard output, everything else to standard error; where the input
//! is bad, nothing goes to standard output.
//!
//! A library with nothing but [`main`] in it, so that it is compiled while the engines still are.
#![forbid(unsafe_code)]

mod arguments;
mod bar;
mod bench;
mod changes;
mod collision;
mod compare;
mod comparison;
mod convert;
mod event_lines;
mod explain;
mod interrupt;
mod materials_then;
mod memory;
mod other_events;
mod output;
mod pages;
mod play;
mod plot;
mod render;
mod render_film;
mod render_values;
mod report;
mod run;
mod run_pictures;
mod scene;
mod source;
mod summarise;
mod summary;
mod sweep;
mod templates;
mod terminal;
mod warnings;

use arguments::{Arguments, Check, Command};
use bar::Waiting;
use clap::Parser;
use output::{Failure, Output};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Does what the arguments of the program say; its exit status.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(options) => run::run(&options),
        Command::Resume(options) => run::resume(&options),
        Command::Check(options) => check(&options),
        Command::Compare(options) => compare::command(&options),
        Command::Sweep(options) => sweep::command(&options),
        Command::Convert(options) => convert::command(&options),
        Command::Play(options) => play::command(&options),
        Command::Plot(options) => plot::command(&options),
        Command::Render(options) => render::command(&options),
        Command::Report(options) => report::command(&options),
        Command::New(options) => templates::new(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Schema { markdown } => scene::schema(markdown),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { out, force } => pages::manual(out.as_deref(), force),
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
        let _wait = Waiting::new("checking", false);
        if path.is_dir() {
            match check_folder(path, &mut output) {
                Err(Failure::BadInput(errors)) => bad.push(errors),
                checked => checked?,
            }
            continue;
        }
        let checked =
            scene::load_path(path, options.overrides.clone(), Instant::now()).and_then(|loaded| {
                loaded.tell_notes();
                let verdict = verdict(path, &loaded.scene);
                let method = options.method.map_or(loaded.scene.method, Into::into);
                run::check(loaded.scene, method, &loaded.text.given).map(|()| verdict)
            });
        match checked {
            Ok(verdict) => output.line(format_args!("{verdict}"))?,
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

/// Checks a run folder, and says what is in it that is not carom's.
fn check_folder(path: &Path, output: &mut Output) -> Result<(), Failure> {
    let found = carom_data::check_folder(path)?;
    let lines: Vec<String> = found
        .damaged
        .iter()
        .map(|e| format!("error: {e}\n"))
        .collect();
    if !lines.is_empty() {
        return Err(Failure::BadInput(lines.concat()));
    }
    let shown = path.display();
    output.line(format_args!("{shown}: good, every checksum fits"))?;
    for name in found.others {
        output.line(format_args!(
            "{shown}: `{name}` is not carom's, or was changed since carom wrote it"
        ))?;
    }
    Ok(())
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
