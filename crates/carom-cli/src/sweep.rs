//! `carom sweep`: one scene at many points, on all cores.
//!
//! Each run that ends is kept at once, so that a sweep that was killed goes on with what is missing. The seeds of runs
//! depend on the point and the repetition alone, so that the table is the same whatever the number of workers.

mod observe;
mod point;
mod vary;

use crate::arguments::{ContactMethod, assignment, counted, seconds, whole};
use crate::bar::Counted;
use crate::interrupt::{self, Interrupt};
use crate::memory;
use crate::output::{Failure, Output};
use crate::scene;
use crate::terminal::{count, figures};
use carom_data::{Pairs, Sum, SweepFolder, SweepParameter, SweepPlan, SweepRow, SweepTable};
use carom_scene::{Method, Scene, bytes_per_body};
use clap::Args;
use point::Job;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;
use vary::{Grid, Varied};

/// As many rows as the printed table shows, and as many columns of what was observed.
const ROWS: usize = 20;
const SHOWN: [&str; 3] = ["collisions", "energy", "temperature"];

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom sweep scenes/two_discs.toml --vary restitution=0.5:1:0.05 --out sweeps/discs
  carom sweep scenes/gas_of_discs.toml --vary generate.disc.count=100:600:100 --repeat 10 --observe --out sweeps/gas
  carom sweep scenes/break.toml --vary bodies.cue.velocity=[6,0],[9,0.1] --body cue --out sweeps/break
  carom plot sweeps/gas --list                 the columns
  carom plot sweeps/gas --x generate.disc.count --y pressure

A parameter is a variable of the scene, any key as --set has it, or a key of materials, which then varies in all of them.
Its values are FROM:TO:STEP, both ends included, or a list. With several --vary all combinations are run; without any,
the lists and ranges in [variables] of the scene.

The folder has a line for each run that has ended, in runs.jsonl; at the end table.parquet has a row for each run and
means.parquet one for each point, with standard errors over the repetitions. A run that fails is kept with its error. The
same command goes on with a sweep that was interrupted or killed.")]
pub struct Sweep {
    /// Scene file, TOML or JSON
    pub scene: PathBuf,
    /// Vary a parameter, such as restitution=0.5:1:0.05 or bodies.cue.velocity=[6,0],[9,0]; can be repeated
    #[arg(long = "vary", value_name = "NAME=VALUES", value_parser = varied)]
    pub vary: Vec<Varied>,
    /// Runs of each point, with different seeds
    #[arg(long, value_name = "N", default_value = "1", value_parser = counted, allow_negative_numbers = true)]
    pub repeat: u64,
    /// Sweep folder
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Override a scene value in all runs; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
    /// Seed from which the seeds of all runs follow
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole, allow_negative_numbers = true)]
    pub seed: u64,
    /// Override the end time, in seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Override the scene's method
    #[arg(long, value_name = "METHOD")]
    pub method: Option<ContactMethod>,
    /// Add time averages of temperature, collision rate and pressure; see [observe] in scene files
    #[arg(long)]
    pub observe: bool,
    /// Add the final state of a body, by name; can be repeated
    #[arg(long = "body", value_name = "NAME")]
    pub bodies: Vec<String>,
    /// Runs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = counted, allow_negative_numbers = true)]
    pub workers: Option<u64>,
    /// Print the means as JSON
    #[arg(long)]
    pub json: bool,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
}

fn varied(text: &str) -> Result<Varied, String> {
    Varied::read(text)
}

/// A sweep that is ready to run.
struct Work<'o> {
    options: &'o Sweep,
    job: Job,
    grid: Grid,
    workers: usize,
}

/// `carom sweep`.
pub fn command(options: &Sweep) -> Result<(), Failure> {
    let start = Instant::now();
    let (work, plan) = prepare(options)?;
    let copy = match options.scene.extension().and_then(|ending| ending.to_str()) {
        Some("json") => "scene.json",
        _ => "scene.toml",
    };
    let bytes = work.job.text.as_bytes();
    let mut folder = SweepFolder::open(&options.out, plan.clone(), (copy, bytes))?;
    let before = folder.len();
    let interrupt = Interrupt::listen();
    work.run(&mut folder, &interrupt)?;
    if interrupt.is_wanted() {
        eprintln!(
            "{} of {} runs have ended, and are kept; the same command goes on with the others",
            folder.len(),
            work.grid.points() * options.repeat
        );
        return Err(Failure::Interrupted {
            status: interrupt::STATUS,
            resume: None,
        });
    }
    let written = folder.finish()?;
    let rows = folder.rows();
    let means = SweepTable::of_points(&plan, &rows);
    let failed: Vec<&SweepRow> = rows.iter().filter(|row| !row.error.is_empty()).collect();
    let mut output = Output::standard();
    if options.json {
        output.json(&as_json(&plan, &means))?
    } else {
        print(&plan, &rows, &means, &mut output)?;
        let took = figures(start.elapsed().as_secs_f64());
        let new = count((rows.len() - before) as u64, "run", "runs");
        output.line(format_args!(
            "  {new} in {took} s on {}; the tables:",
            workers(work.workers)
        ))?;
        for path in written {
            output.line(format_args!("  {}", path.display()))?;
        }
    }
    output.finish()?;
    tell_failures(&failed, rows.len())
}

fn workers(number: usize) -> String {
    count(number as u64, "worker", "workers")
}

/// Says what failed; where everything did, so did the sweep.
fn tell_failures(failed: &[&SweepRow], all: usize) -> Result<(), Failure> {
    let Some(first) = failed.first() else {
        return Ok(());
    };
    let text = format!(
        "{} of {all} failed, the first (point {}, repetition {}) because: {}",
        count(failed.len() as u64, "run", "runs"),
        first.index,
        first.repetition,
        first.error
    );
    if failed.len() == all {
        return Err(Failure::Run(text));
    }
    eprintln!("warning: {text}");
    Ok(())
}

/// Reads the scene, and makes sure that what is varied is there.
fn prepare(options: &Sweep) -> Result<(Work<'_>, SweepPlan), Failure> {
    let mut overrides = options.overrides.clone();
    overrides.extend(options.until.map(|until| format!("run.until={until}")));
    let loaded = scene::load_path(&options.scene, overrides.clone(), Instant::now())?;
    if !options.quiet {
        loaded.tell_notes();
    }
    for name in &options.bodies {
        observe::check_body(&loaded.scene, name)?;
    }
    let method = options.method.map(Method::from);
    let workers = workers_for(options, &loaded.scene, method);
    let text = loaded.text.text;
    let sums: Vec<Value> = loaded
        .text
        .tables
        .iter()
        .map(|table| Sum::of_file(&table.path).map(|sum| json!(sum)))
        .collect::<Result<_, _>>()?;
    let others = BTreeMap::from([
        ("by".to_owned(), json!("command")),
        ("design".to_owned(), json!("grid")),
        ("scene".to_owned(), json!(Sum::of(text.as_bytes()))),
        ("tables".to_owned(), json!(sums)),
        ("overrides".to_owned(), json!(overrides)),
        ("method".to_owned(), json!(method.map(Method::name))),
        ("observe".to_owned(), json!(options.observe)),
        ("bodies".to_owned(), json!(options.bodies)),
    ]);
    let title = loaded.scene.title.clone();
    let mut job = Job {
        path: options.scene.clone(),
        text,
        overrides,
        method,
        observe: options.observe,
        bodies: options.bodies.clone(),
        apart: workers > 1,
    };
    let grid = Grid::new(&options.vary, &loaded.scene, &job)?;
    if grid.points().saturating_mul(options.repeat) > vary::MOST_RUNS {
        return Err(Failure::BadInput(format!(
            "error: the sweep has {} points, {} times each, but may have {} runs at most\n",
            grid.points(),
            options.repeat,
            vary::MOST_RUNS
        )));
    }
    // The world of the first look is not needed any more, and may be large.
    job.text.shrink_to_fit();
    let parameters = grid.parameters.iter().map(|parameter| SweepParameter {
        name: parameter.name.clone(),
        values: parameter.values.iter().map(vary::json_of).collect(),
    });
    let plan = SweepPlan::new(
        title,
        parameters.collect(),
        options.repeat,
        options.seed,
        others,
    );
    let work = Work {
        options,
        job,
        grid,
        workers,
    };
    Ok((work, plan))
}

/// One for each core, and no more than there is memory for.
fn workers_for(options: &Sweep, scene: &Scene, method: Option<Method>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let wanted = match options.workers {
        Some(workers) => usize::try_from(workers).unwrap_or(usize::MAX).min(1024),
        None => cores,
    };
    let each = scene.world.len() as u64
        * bytes_per_body(scene.world.dimension(), method.unwrap_or(scene.method));
    let fit = memory::available().map_or(usize::MAX, |there| {
        usize::try_from(there / each.max(1)).unwrap_or(usize::MAX)
    });
    wanted.min(fit).max(1)
}

impl Work<'_> {
    /// Runs whatever is not in the folder yet.
    fn run(&self, folder: &mut SweepFolder, interrupt: &Interrupt) -> Result<(), Failure> {
        let repeat = self.options.repeat;
        let missing: Vec<(u64, u64)> = (0..self.grid.points())
            .flat_map(|index| (0..repeat).map(move |repetition| (index, repetition)))
            .filter(|&(index, repetition)| !folder.has(index, repetition))
            .collect();
        let all = self.grid.points() * repeat;
        let mut bar = Counted::new("runs", all as usize, self.options.quiet);
        let known = all as usize - missing.len();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.min(missing.len()) {
                let (sender, next, missing) = (sender.clone(), &next, &missing);
                scope.spawn(move || {
                    while let Some(&which) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let row = self.one(which, interrupt);
                        // Whoever listens may have given up, because nothing can be written any more.
                        if row.is_none_or(|row| sender.send(row).is_err()) {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut done = known;
            for row in receiver {
                folder.add(row)?;
                done += 1;
                if let Some(bar) = &mut bar {
                    bar.show(done, known);
                }
            }
            Ok(())
        })
    }

    /// One run; `None` where it was interrupted.
    fn one(&self, (index, repetition): (u64, u64), interrupt: &Interrupt) -> Option<SweepRow> {
        let seed = carom_data::seed_of(self.options.seed, index, repetition);
        let values = self.grid.values(index);
        let named = self.grid.parameters.iter().zip(&values);
        let found = self
            .job
            .run(&self.grid.overrides(&values), seed, interrupt)?;
        let (observed, error) = match found {
            Ok(observed) => (observed, String::new()),
            Err(error) => (Vec::new(), error),
        };
        let finite = |(name, value): (String, f64)| (name, value.is_finite().then_some(value));
        Some(SweepRow {
            index,
            repetition,
            seed,
            point: Pairs(
                named
                    .map(|(parameter, value)| (parameter.name.clone(), vary::json_of(value)))
                    .collect(),
            ),
            observed: Pairs(observed.into_iter().map(finite).collect()),
            error,
        })
    }
}

fn as_json(plan: &SweepPlan, means: &SweepTable) -> Value {
    let rows: Vec<Value> = (0..means.rows.len())
        .map(|row| {
            let cells = means.columns.iter().map(|column| {
                let number = means.numbers(&column.name).map(|numbers| numbers[row]);
                let cell = match number {
                    Some(number) => json!(number),
                    None => json!(means.texts(&column.name).map(|texts| texts[row].clone())),
                };
                (column.name.to_string(), cell)
            });
            Value::Object(Map::from_iter(cells))
        })
        .collect();
    json!({"format": "carom-sweep", "version": 1, "title": plan.title, "means": rows})
}

/// The means for people: the parameters, and some of what was observed, with its standard errors.
fn print(
    plan: &SweepPlan,
    rows: &[SweepRow],
    means: &SweepTable,
    output: &mut Output,
) -> Result<(), Failure> {
    let names: Vec<&str> = plan.parameters.iter().map(|p| p.name.as_str()).collect();
    let points = means.rows.len();
    output.line(format_args!(
        "{}: {} at {}",
        plan.title,
        count(rows.len() as u64, "run", "runs"),
        count(points as u64, "point", "points")
    ))?;
    let mut columns: Vec<Vec<String>> = Vec::new();
    for name in &names {
        let cells = means.texts(name).unwrap_or_default();
        columns.push([vec![(*name).to_owned()], cells].concat());
    }
    for name in SHOWN {
        let (Some(values), Some(errors)) =
            (means.numbers(name), means.numbers(&format!("{name}_error")))
        else {
            continue;
        };
        let cells = values.iter().zip(&errors).map(|(value, error)| match () {
            () if value.is_nan() => "–".to_owned(),
            () if error.is_nan() => figures(*value),
            () => format!("{} ± {}", figures(*value), short(*error)),
        });
        columns.push([vec![name.to_owned()], cells.collect()].concat());
    }
    let wide = |cells: &Vec<String>| cells.iter().map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = columns.iter().filter_map(wide).collect();
    for row in 0..=points.min(ROWS) {
        let cells = columns
            .iter()
            .zip(&widths)
            .map(|(cells, wide)| format!("{:<wide$}", cells[row]));
        let line = cells.collect::<Vec<_>>().join("  ");
        output.line(format_args!("  {}", line.trim_end()))?;
    }
    if points > ROWS {
        output.line(format_args!("  … and {} more", points - ROWS))?;
    }
    Ok(())
}

/// An error needs two digits.
fn short(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        number if (1e-3..1e4).contains(&number) => {
            let places = (1.0 - number.log10().floor()).max(0.0) as usize;
            format!("{number:.places$}")
        }
        number => format!("{number:.1e}"),
    }
}
