//! What the command understands.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Collisions at their true instant: runs scenes of colliding bodies, by exact events.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml                  run a scene and print a summary
  carom run scenes/break.toml --out runs/one   keep everything in a run folder
  carom run scenes/galperin.toml --events      print each collision as well
  carom run scenes/break.toml --json | jq .collisions
  carom resume runs/one                        go on with a run that was cut off
  carom explain runs/one 3                     the third collision, in words
  carom convert runs/one --to csv              tables for other programs
  carom plot runs/one                          energy, ways, speeds and more, as SVG
  carom render runs/one                        a film of it
  carom report runs/one                        all of it in one HTML file
  carom check scenes/*.toml                    look for mistakes without running
  carom check runs/one                         look for damage in a run folder
  carom new break mine.toml                    begin a scene of your own

Exit status: 0 done, 1 the run failed, 2 bad input, 130 interrupted.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene and print a summary
    Run(Run),
    /// Go on with a run folder whose run was cut off
    Resume(Resume),
    /// Look for mistakes in scenes without running them, or for damage in run folders
    Check(Check),
    /// Run a scene by impulses and by forces, and put both side by side
    Compare(Compare),
    /// Begin a scene from a template
    New(New),
    /// Tell one collision of a run in words and numbers
    Explain(Explain),
    /// Write the tables of a run folder for other programs
    Convert(Convert),
    /// Draw plots of a run folder
    Plot(crate::plot::Plot),
    /// Make stills and films of a run folder
    Render(Box<crate::render::Render>),
    /// Write one HTML file with everything about a run: scene, moving picture, plots, events, audit
    Report(crate::report::Report),
    /// Measure how fast a scene, or a gas of balls, runs
    Bench(Bench),
    /// Print the JSON schema of scene files
    #[command(after_help = "\
Examples:
  carom schema > carom.schema.json             then, on the first line of a scene: #:schema carom.schema.json
  carom schema --markdown                      the same keys as a page to read")]
    Schema {
        /// The same as a page of Markdown, for people
        #[arg(long)]
        markdown: bool,
    },
    /// Print completions for a shell
    #[command(after_help = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish")]
    Completions {
        /// Which shell
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
        /// Replace pages that are there
        #[arg(long, requires = "out")]
        force: bool,
    },
}

/// Where a scene comes from.
#[derive(Args, Debug)]
pub struct SceneSource {
    /// Scene file, TOML or JSON
    pub scene: PathBuf,
    /// Put another value in the place of one in the scene, such as run.until=3 or bodies.cue.velocity=[9,0]; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
    /// The seed of everything random in the scene: the same as --set seed=N
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml
  carom run scenes/break.toml --until 2.5 --max-events 100
  carom run scenes/break.toml --set bodies.cue.velocity=[9,0]
  carom run scenes/break.toml --out runs/one --every 0.01
  carom run scenes/gas_of_discs.toml --observe
  carom run scenes/two_discs.toml --json --events > lines.jsonl

With --json standard output has one JSON object on a line of its own: the summary. With --events each collision, and
whoever goes through a sensor, has a line before it, in the order in which they happen. With --out everything is kept in a run folder, which can be
read at any moment and resumed when the run is cut off. Ctrl-C ends a run cleanly.")]
pub struct Run {
    #[command(flatten)]
    pub source: SceneSource,
    /// Print the summary as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// Print each collision as it happens, and who goes through a sensor
    #[arg(long)]
    pub events: bool,
    /// End the run at this time, in seconds, instead of the scene's
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Stop after this many collisions
    #[arg(long, value_name = "N", value_parser = counted, allow_negative_numbers = true)]
    pub max_events: Option<u64>,
    /// How contacts are followed, instead of as the scene says
    #[arg(long, value_name = "METHOD")]
    pub method: Option<ContactMethod>,
    /// Average temperature, collisions and pressure over the run, with error bars; the scene's [observe] says more
    #[arg(long)]
    pub observe: bool,
    /// No progress bar, no notes
    #[arg(long)]
    pub quiet: bool,
    /// Keep everything in this folder
    #[arg(long, value_name = "FOLDER", help_heading = "Run folder")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub keep: Keep,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom compare scenes/worked_example_1.toml
  carom compare scenes/worked_example_1.toml --set forces.attraction=false
  carom compare scenes/two_discs.toml --set forces.spring_time=1e-3 --json
  carom compare scenes/worked_example_1.toml --plot both.svg

The scene's materials need springs: a stiffness, a spring_time or a young modulus, their own or those of [forces].
The n-th contact of two bodies by one method stands beside their n-th contact by the other.")]
pub struct Compare {
    #[command(flatten)]
    pub source: SceneSource,
    /// End both runs at this time, in seconds, instead of the scene's
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Step the forces by this time, in seconds, instead of the scene's
    #[arg(long, value_name = "T", value_parser = positive_seconds, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// Tell one contact with all digits, by its number in the table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub contact: Option<u64>,
    /// Draw energies and speeds by both methods over each other, into this file: .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Replace the file of the plot that is there
    #[arg(long, requires = "plot")]
    pub force: bool,
    /// Print everything as JSON, for programs
    #[arg(long)]
    pub json: bool,
}

/// How contacts are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContactMethod {
    /// At their exact instants, by impulses
    Events,
    /// Step by step, by springs and dampers
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
#[derive(Args, Debug)]
#[command(next_help_heading = "Run folder")]
pub struct Keep {
    /// Replace the run folder that is there, unless anything in it is not carom's, or was changed
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Put the states out at the multiples of this time, in seconds
    #[arg(long, value_name = "T", value_parser = positive_seconds, requires = "out", allow_negative_numbers = true)]
    pub every: Option<f64>,
    /// Put the states out at the ends of so many equal times [default: the scene's interval, otherwise 100]
    #[arg(long, value_name = "N", value_parser = whole, requires = "out", conflicts_with = "every", allow_negative_numbers = true)]
    pub frames: Option<u64>,
    /// Keep no collisions
    #[arg(long, requires = "out")]
    pub no_events: bool,
    /// Make a checkpoint every so many seconds of real time (less often where that would take more than a twentieth of it)
    #[arg(long, value_name = "S", value_parser = wall_seconds, default_value = "10")]
    pub checkpoint: f64,
    /// Convert the run to other formats when it is done
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', requires = "out")]
    pub also: Vec<Format>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  carom resume runs/one

The run goes on from its last checkpoint, and ends with the same bits as if it had never been cut off. Where that is damaged it goes on from the one
before, and says so.")]
pub struct Resume {
    /// Run folder
    pub run: PathBuf,
    /// Print the summary as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// Make a checkpoint every so many seconds of real time (less often where that would take more than a twentieth of it)
    #[arg(long, value_name = "S", value_parser = wall_seconds, default_value = "10")]
    pub checkpoint: f64,
    /// No progress bar, no notes
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

All mistakes come at once, each with its line and what is allowed there, and so does what `carom run` would refuse before
it starts. Of a run folder all damaged and missing files are named, and those that are not carom's, or were changed.
Exit status 2 where there are mistakes or damage.")]
pub struct Check {
    /// Scene files, or run folders
    #[arg(required = true, value_name = "SCENE")]
    pub scenes: Vec<PathBuf>,
    /// Put another value in the place of one in the scenes; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub overrides: Vec<String>,
    /// How contacts are to be followed, instead of as the scenes say
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
    /// Which template
    #[arg(required_unless_present = "list")]
    pub template: Option<String>,
    /// The file to write [default: the template's name]
    pub file: Option<PathBuf>,
    /// List the templates
    #[arg(long)]
    pub list: bool,
    /// Replace a template that was not changed since it was written
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  carom explain runs/one 3")]
pub struct Explain {
    /// Run folder
    pub run: PathBuf,
    /// Which collision, counted from 1
    #[arg(value_parser = counted, allow_negative_numbers = true)]
    pub number: u64,
}

/// A format that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables as text, for spreadsheets
    Csv,
    /// Arrays for numpy
    Npz,
    /// A series of files for ParaView
    Vtk,
    /// Extended XYZ, for OVITO and ASE
    Extxyz,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom convert runs/one --to csv              writes into runs/one/csv
  carom convert runs/one --to vtk --out movie
  carom convert runs/one --to csv,npz,extxyz

A run that is still going, or was cut off, is converted as far as it has got.")]
pub struct Convert {
    /// Run folder
    pub run: PathBuf,
    /// To what; several with commas between them
    #[arg(long, value_name = "FORMAT", required = true, value_delimiter = ',')]
    pub to: Vec<Format>,
    /// The folder to write into [default: one in the run folder, named after the format]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace files that are there, in a folder of your own (--out); in the run folder only carom's own are ever replaced
    #[arg(long, requires = "out")]
    pub force: bool,
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
    /// How often
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// 2 or 3, of the gas
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u8).range(2..=3), conflicts_with = "scene")]
    pub dimension: u8,
    /// How many balls the gas has
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(1..=100_000_000), conflicts_with = "scene")]
    pub balls: u32,
    /// The share of the space that the balls take up
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = share, conflicts_with = "scene")]
    pub fraction: f64,
    /// How many collisions are timed [default: of a gas 1,000,000, of a scene all]
    #[arg(long, value_name = "N", value_parser = counted, allow_negative_numbers = true)]
    pub collisions: Option<u64>,
    /// The seed of the velocities
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole, conflicts_with = "scene", allow_negative_numbers = true)]
    pub seed: u64,
    /// Print the figures as JSON, for programs
    #[arg(long)]
    pub json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
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

fn whole(text: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .map_err(|_| "must be a whole number, zero or above");
    Ok(number?)
}

fn counted(text: &str) -> Result<u64, String> {
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

fn assignment(text: &str) -> Result<String, String> {
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
