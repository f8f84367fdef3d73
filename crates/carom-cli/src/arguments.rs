//! What the command understands.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Collisions at their exact time: runs scenes of colliding bodies.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml                  run a scene and print a summary
  carom run scenes/break.toml --out runs/one   write a run folder
  carom run scenes/galperin.toml --events      print each collision
  carom run scenes/break.toml --json | jq .collisions
  carom resume runs/one                        resume an interrupted run
  carom explain runs/one 3                     describe the third collision
  carom convert runs/one --to csv              export tables
  carom sweep scenes/two_discs.toml --vary restitution=0.5:1:0.1 --out sweeps/one
  carom plot runs/one                          energy, trajectories, speeds and more, as SVG
  carom render runs/one                        a video
  carom report runs/one                        an HTML report
  carom play scenes/break.toml                 watch it and play with it in the browser
  carom render scenes/break.toml               run a scene and make a video of it
  carom check scenes/*.toml                    validate without running
  carom check runs/one                         verify the checksums of a run folder
  carom new break mine.toml                    create a scene from a template

Exit status: 0 done, 1 the run failed, 2 bad input, 130 interrupted.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene and print a summary
    Run(Run),
    /// Resume an interrupted run
    Resume(Resume),
    /// Validate scenes without running them, or verify the checksums of run folders
    Check(Check),
    /// Open a scene or a run in the browser: watch, stop at collisions, change, play
    Play(crate::play::Play),
    /// Run a scene by impulses and by forces, and compare the results
    Compare(Compare),
    /// Run a scene many times with varied parameters, on all cores
    Sweep(crate::sweep::Sweep),
    /// Create a scene from a template
    New(New),
    /// Describe one collision of a run
    Explain(Explain),
    /// Export a run folder to other formats, or a scene to LAMMPS
    Convert(Convert),
    /// Plot the results of a run or of a sweep
    Plot(crate::plot::Plot),
    /// Render images and videos of a run
    Render(Box<crate::render::Render>),
    /// Write a self-contained HTML report of a run: scene, animation, plots, events, audit
    Report(crate::report::Report),
    /// Benchmark a scene, or a gas of balls
    Bench(Bench),
    /// Print the JSON schema of scene files
    #[command(after_help = "\
Examples:
  carom schema > carom.schema.json             then, on the first line of a scene: #:schema carom.schema.json
  carom schema --markdown                      the same keys as a page")]
    Schema {
        /// Print a Markdown reference instead
        #[arg(long)]
        markdown: bool,
    },
    /// Print shell completions
    #[command(after_help = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish")]
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for each command
    #[command(after_help = "\
Examples:
  carom man | man -l -
  carom man --out ~/.local/share/man/man1")]
    Man {
        /// Write the pages into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        /// Overwrite existing pages
        #[arg(long, requires = "out")]
        force: bool,
    },
}

/// Where a scene comes from.
#[derive(Args, Clone, Debug, Default)]
pub struct SceneSource {
    /// Scene file, TOML or JSON
    pub scene: PathBuf,
    /// Override a scene value, such as run.until=3 or bodies.cue.velocity=[9,0]; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
    /// Random seed: the same as --set seed=N
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

#[derive(Args, Debug, Default)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml
  carom run scenes/break.toml --until 2.5 --max-collisions 100
  carom run scenes/break.toml --set bodies.cue.velocity=[9,0]
  carom run scenes/break.toml --out runs/one --every 0.01
  carom run scenes/break.toml --film break.mp4 --report break.html
  carom run scenes/gas_of_discs.toml --observe
  carom run scenes/two_discs.toml --json --events > lines.jsonl

With --json the summary is one JSON object on a line of its own. With --events each collision, each sensor event and each
transition (a ball slides, rolls, rests, flies) has a line before it, in order of time. With --out everything is written to a run folder, which can be read at any time and resumed
if the run is interrupted. Ctrl-C ends a run cleanly. --film, --report and --plots look at the run when it is over;
without --out it is kept for that long only.")]
#[command(group = clap::ArgGroup::new("files").multiple(true))]
pub struct Run {
    #[command(flatten)]
    pub source: SceneSource,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Print each collision, sensor event and transition as it happens
    #[arg(long)]
    pub events: bool,
    /// Press keys from a file while it runs: lines such as `0.5 press left`
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Override the end time, in seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Stop after this many collisions
    // `--max-events` was its name before.
    #[arg(long, alias = "max-events", value_name = "N", value_parser = counted, allow_negative_numbers = true)]
    pub max_collisions: Option<u64>,
    /// Override the scene's method
    #[arg(long, value_name = "METHOD")]
    pub method: Option<ContactMethod>,
    /// Report time averages of temperature, collision rate and pressure, with error bars; see [observe] in scene files
    #[arg(long)]
    pub observe: bool,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
    /// Write a run folder
    #[arg(
        long,
        value_name = "FOLDER",
        group = "files",
        help_heading = "Run folder"
    )]
    pub out: Option<PathBuf>,
    /// Make a video of the run: .gif, .apng or .mp4 (carom render has more options)
    #[arg(long, value_name = "FILE", value_parser = crate::render_values::video, group = "files", help_heading = "Pictures")]
    pub film: Option<PathBuf>,
    /// Write an HTML report of the run
    #[arg(long, value_name = "FILE", group = "files", help_heading = "Pictures")]
    pub report: Option<PathBuf>,
    /// Write all plots that suit the run into this folder, as SVG
    #[arg(
        long,
        value_name = "FOLDER",
        group = "files",
        help_heading = "Pictures"
    )]
    pub plots: Option<PathBuf>,
    #[command(flatten)]
    pub keep: Keep,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom compare scenes/worked_example_1.toml
  carom compare scenes/worked_example_1.toml --set forces.attraction=false
  carom compare scenes/two_discs.toml --json
  carom compare scenes/worked_example_1.toml --plot both.svg

Materials without a stiffness, a spring_time or a Young's modulus have springs by which bodies overlap by about a
fiftieth of the smallest of them; forces.spring_time sets how long contacts last (s) for all of these.
The n-th contact of two bodies by one method is compared with their n-th contact by the other.")]
pub struct Compare {
    #[command(flatten)]
    pub source: SceneSource,
    /// Override the end time of both runs, in seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Override the time step of the forces, in seconds
    #[arg(long, value_name = "T", value_parser = positive_seconds, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// Show one contact in full precision, by its number in the table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub contact: Option<u64>,
    /// Plot energies and speeds of both methods to this file: .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Write the comparison as JSON to this file (compare.json in a run folder is what plot draws both methods from)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing plot or comparison that carom wrote
    #[arg(long)]
    pub force: bool,
    /// Print the comparison as JSON
    #[arg(long)]
    pub json: bool,
}

/// How contacts are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContactMethod {
    /// Event-driven: contacts at their exact time, impulses
    Events,
    /// Time-stepped: springs and dampers
    Forces,
}

impl From<ContactMethod> for carom_scene::Method {
    fn from(method: ContactMethod) -> Self {
        match method {
            ContactMethod::Events => carom_scene::Method::Events,
            ContactMethod::Forces => carom_scene::Method::Forces,
        }
    }
}

/// What goes into a run folder.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Run folder")]
pub struct Keep {
    /// Replace an existing run folder, if everything in it was written by carom and is unchanged; and existing pictures
    #[arg(long, requires = "files")]
    pub force: bool,
    /// Output interval, in seconds
    #[arg(long, value_name = "T", value_parser = positive_seconds, requires = "out", allow_negative_numbers = true)]
    pub every: Option<f64>,
    /// Number of output frames, equally spaced [default: the scene's interval, otherwise 100]
    #[arg(long, value_name = "N", value_parser = whole, requires = "out", conflicts_with = "every", allow_negative_numbers = true)]
    pub frames: Option<u64>,
    /// Do not record collisions
    #[arg(long, requires = "out")]
    pub no_events: bool,
    /// Seconds of wall time between checkpoints (fewer are made if they would take more than 5 % of the time)
    #[arg(long, value_name = "S", value_parser = wall_seconds, default_value = "10")]
    pub checkpoint: f64,
    /// Also export to these formats at the end
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', requires = "out")]
    pub also: Vec<Format>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  carom resume runs/one

The run continues from its last checkpoint and ends with the same bits as an uninterrupted run. If the last checkpoint is
damaged, it continues from the one before and says so.")]
pub struct Resume {
    /// Run folder
    pub run: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Seconds of wall time between checkpoints (fewer are made if they would take more than 5 % of the time)
    #[arg(long, value_name = "S", value_parser = wall_seconds, default_value = "10")]
    pub checkpoint: f64,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom check scenes/*.toml
  carom check mine.toml --set variables.speed=3
  carom check mine.toml --method forces
  carom check runs/one                         every byte of a run folder, by its checksums

All mistakes are reported at once, each with its line and what is allowed there, and so is whatever `carom run` would refuse
before it starts. For a run folder, damaged and missing files are named, and files that are not carom's or were changed.
The exit status is 2 if there are mistakes or damage.")]
pub struct Check {
    /// Scene files, or run folders
    #[arg(required = true, value_name = "SCENE")]
    pub scenes: Vec<PathBuf>,
    /// Override a scene value; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
    /// Override the scenes' method
    #[arg(long, value_name = "METHOD")]
    pub method: Option<ContactMethod>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom new --list               the templates
  carom new break                writes break.toml
  carom new break mine.toml")]
pub struct New {
    /// Name of the template
    #[arg(required_unless_present = "list")]
    pub template: Option<String>,
    /// Output file [default: the template's name]
    pub file: Option<PathBuf>,
    /// List the templates
    #[arg(long)]
    pub list: bool,
    /// Overwrite an unmodified template
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom explain runs/one 3                     the third collision
  carom explain runs/one --event 7             the seventh event of any kind: collisions, sensors, transitions, edits
  carom explain runs/one --list                all events, with their numbers")]
pub struct Explain {
    /// Run folder
    pub run: PathBuf,
    /// Number of the collision, from 1
    #[arg(value_parser = counted, allow_negative_numbers = true, required_unless_present_any = ["event", "list"])]
    pub number: Option<u64>,
    /// Number of the event of any kind, from 1, as in --list and in the report
    #[arg(long, value_name = "N", value_parser = counted, allow_negative_numbers = true, conflicts_with_all = ["number", "list"])]
    pub event: Option<u64>,
    /// List the events of the run
    #[arg(long, conflicts_with = "number")]
    pub list: bool,
}

/// A format that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated tables
    Csv,
    /// NumPy arrays
    Npz,
    /// VTK time series, for ParaView
    Vtk,
    /// Extended XYZ, for OVITO and ASE
    Extxyz,
    /// Data file and input script for LAMMPS, of a scene
    Lammps,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom convert runs/one --to csv              writes into runs/one/csv
  carom convert runs/one --to vtk --out movie
  carom convert runs/one --to csv,npz,extxyz
  carom convert scenes/bed_of_discs.toml --to lammps --out bed && cd bed && lmp -in in.lammps

A run that is still in progress, or was interrupted, is converted as far as it got. LAMMPS gets the scene, to run it by the
force method from its start; what it cannot do in the same way is rejected, with the reasons.")]
pub struct Convert {
    /// Run folder; a scene file for LAMMPS
    pub run: PathBuf,
    /// Formats, separated by commas
    #[arg(long, value_name = "FORMAT", required = true, value_delimiter = ',')]
    pub to: Vec<Format>,
    /// Output folder [default: a folder in the run folder, named after the format]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Overwrite existing files in a folder of your own (--out); in the run folder only files that carom wrote are ever
    /// replaced
    #[arg(long, requires = "out")]
    pub force: bool,
    /// LAMMPS: override a scene value; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom bench                                  a gas of 10,000 discs
  carom bench --dimension 3 --balls 1000000 --collisions 5000000
  carom bench scenes/break.toml --repeat 20")]
pub struct Bench {
    /// Scene file; without one, a gas of elastic balls in a periodic box
    pub scene: Option<PathBuf>,
    /// Number of repetitions
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Dimension of the gas: 2 or 3
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u8).range(2..=3), conflicts_with = "scene")]
    pub dimension: u8,
    /// Number of balls in the gas
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(1..=100_000_000), conflicts_with = "scene")]
    pub balls: u32,
    /// Volume fraction (area fraction in 2-D)
    #[arg(long, value_name = "FRACTION", default_value = "0.3", value_parser = share, conflicts_with = "scene")]
    pub fraction: f64,
    /// Number of collisions to time [default: 1,000,000 for a gas, all for a scene]
    #[arg(long, value_name = "N", value_parser = counted, allow_negative_numbers = true)]
    pub collisions: Option<u64>,
    /// Seed of the velocities
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole, conflicts_with = "scene", allow_negative_numbers = true)]
    pub seed: u64,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

pub fn seconds(text: &str) -> Result<f64, String> {
    // As in scene files.
    const LONGEST: f64 = 1e40;
    match text.parse() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(seconds),
        _ => Err("must be a finite number of seconds, zero or above".to_owned()),
    }
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    match seconds(text) {
        Ok(seconds) if seconds >= 1e-40 => Ok(seconds),
        _ => Err("must be a finite number of seconds above zero".to_owned()),
    }
}

fn wall_seconds(text: &str) -> Result<f64, String> {
    match seconds(text) {
        Ok(seconds) if seconds <= 1e6 => Ok(seconds),
        _ => Err("must be a number of seconds from 0 to a million".to_owned()),
    }
}

pub fn whole(text: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .map_err(|_| "must be a whole number, zero or above");
    Ok(number?)
}

pub fn counted(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("must be a whole number, 1 or above".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (1e-6..=0.5).contains(&share) => Ok(share),
        _ => Err("must be a number from 0.000001 to 0.5".to_owned()),
    }
}

fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg" | "png") => Ok(path),
        _ => Err("must end in .svg or .png".to_owned()),
    }
}

pub fn assignment(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((key, _)) if !key.trim().is_empty() => Ok(text.to_owned()),
        _ => Err("must be KEY=VALUE, such as run.until=3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn only_times_that_can_come_are_taken() {
        assert_eq!(seconds("2.5"), Ok(2.5));
        assert_eq!(seconds("0"), Ok(0.0));
        for bad in ["-1", "nan", "inf", "1e999", "", "soon", "1e41"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        assert!(positive_seconds("0").is_err());
        assert!(wall_seconds("1e7").is_err());
    }
}
