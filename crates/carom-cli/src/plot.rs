//! `carom plot`: plots of a run folder or a sweep folder.

use crate::bar::Waiting;
use crate::output::{Failure, Output};
use crate::source::Source;
use carom_data::Outputs;
use carom_draw::{
    DrawError, Figure, Fitness, Look, MOST_BODIES, Plot as Kind, Recording, SweepRecording, TextAs,
    Theme, figures_of, fitting,
};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom plot runs/one                          all that suit the run, into runs/one/plots
  carom plot runs/one --list                   which ones do, and why the others do not
  carom plot runs/one --which energy,speeds --format svg,png
  carom plot runs/one --theme print --out figures
  carom plot sweeps/one --list                 the columns of a sweep
  carom plot sweeps/one --x restitution --y energy,collisions
  carom plot scenes/break.toml                 runs the scene first; plots into break_plots

Without --theme, SVG follows the viewer's preference for light or dark, and PNG is light. A run that is still in progress,
or was interrupted, is drawn as far as it got. Of a sweep, means over the repetitions are drawn, with error bars.")]
pub struct Plot {
    #[command(flatten)]
    pub source: Source,
    /// Plots, separated by commas [default: all that suit the run]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub which: Vec<Name>,
    /// Bodies of the plot of single bodies, by name, separated by commas [default: the first seven free ones]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub bodies: Vec<String>,
    /// List the plots, and which of them suit the run; of a sweep, the columns
    #[arg(long, conflicts_with_all = ["which", "out", "format", "theme"])]
    pub list: bool,
    /// Sweep: the column from left to right [default: the first parameter]
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["which", "list"])]
    pub x: Option<String>,
    /// Sweep: the columns upwards, separated by commas, one plot each
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', conflicts_with_all = ["which", "list"])]
    pub y: Vec<String>,
    /// Sweep: a series for each value of this column [default: the other parameter, if there is one]
    #[arg(long, value_name = "COLUMN", requires = "y")]
    pub by: Option<String>,
    /// Output folder [default: plots, in the run folder; of a scene, SCENE_plots]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Overwrite existing files in a folder of your own (--out); in the run folder only files that carom wrote are ever
    /// replaced
    #[arg(long)]
    pub force: bool,
    /// Formats, separated by commas
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "svg"
    )]
    pub format: Vec<Format>,
    /// Colour theme
    #[arg(long, value_name = "THEME", default_value = "auto")]
    pub theme: Paper,
    /// Text in SVG files
    #[arg(long, value_name = "HOW", default_value = "words")]
    pub text: Words,
    /// PNG pixels per SVG unit (the SVG is 820 units wide)
    #[arg(long, value_name = "N", default_value = "2", value_parser = scale, allow_negative_numbers = true)]
    pub scale: f64,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
}

/// A plot, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Energy by kind, with losses, so that the sum is flat
    Energy,
    /// Momentum and angular momentum
    Momentum,
    /// Trajectories
    Trajectories,
    /// Position, speed, energy and angular velocity of single bodies
    Bodies,
    /// Positions of a row of bodies over time
    Xt,
    /// Speeds, with the Maxwell–Boltzmann distribution
    Speeds,
    /// The radial distribution g(r)
    Radial,
    /// Temperature over time, with Haff's law
    Temperature,
    /// Density, velocity and temperature across the box
    Profiles,
    /// Forces on walls, and the pressure in a box
    Pressure,
    /// Collision rate over time
    Rate,
    /// Collision timeline
    Contacts,
    /// Both methods overlaid
    Compare,
}

impl Name {
    fn kind(self) -> Kind {
        match self {
            Name::Energy => Kind::Energy,
            Name::Momentum => Kind::Momentum,
            Name::Trajectories => Kind::Trajectories,
            Name::Bodies => Kind::Bodies,
            Name::Xt => Kind::Xt,
            Name::Speeds => Kind::Speeds,
            Name::Radial => Kind::Radial,
            Name::Temperature => Kind::Temperature,
            Name::Profiles => Kind::Profiles,
            Name::Pressure => Kind::Pressure,
            Name::Rate => Kind::Rate,
            Name::Contacts => Kind::Contacts,
            Name::Compare => Kind::Compare,
        }
    }
}

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Vector graphics
    Svg,
    /// Raster graphics
    Png,
    /// Vector graphics, for papers and slides
    Pdf,
}

/// What is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Light or dark, as the viewer prefers
    Auto,
    /// Light
    Light,
    /// Dark
    Dark,
    /// Greyscale, for printing
    Print,
}

impl Paper {
    fn theme(self) -> Theme {
        match self {
            Paper::Auto | Paper::Light => Theme::Light,
            Paper::Dark => Theme::Dark,
            Paper::Print => Theme::Print,
        }
    }

    fn look(self) -> Look {
        match self {
            Paper::Auto => Look::Adaptive,
            paper => Look::Fixed(paper.theme()),
        }
    }
}

/// How SVG has its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Words {
    /// Text in an embedded font
    Words,
    /// Outlines, for programs without support for embedded fonts
    Outlines,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (0.1..=10.0).contains(&scale) => Ok(scale),
        _ => Err("must be a number from 0.1 to 10".to_owned()),
    }
}

/// `carom plot`: says which files it wrote.
pub fn command(options: &Plot) -> Result<(), Failure> {
    if carom_data::is_sweep(&options.source.path) {
        return sweep(options);
    }
    if options.x.is_some() || !options.y.is_empty() {
        let folder = options.source.path.display();
        return Err(Failure::BadInput(format!(
            "error: --x and --y are for sweeps, and `{folder}` has none; a run has the plots that --list shows\n"
        )));
    }
    let opened = options.source.open(options.quiet)?;
    make(options, &opened.folder, opened.scene.as_deref(), true)
}

/// Plots of a sweep folder.
fn sweep(options: &Plot) -> Result<(), Failure> {
    let sweep = SweepRecording::open(&options.source.path)?;
    if options.list {
        return columns(&sweep);
    }
    let files = files(of_sweep(&sweep, options)?, options)?;
    let folder = match &options.out {
        Some(folder) => folder.clone(),
        None => options.source.path.join("plots"),
    };
    write(options, files, &folder, true)
}

/// Makes plots of a run folder, and says which files they are where that is wanted. Those of a scene go into a folder
/// that is named after it.
pub fn make(options: &Plot, run: &Path, scene: Option<&str>, tell: bool) -> Result<(), Failure> {
    let mut recording = Recording::open(run)?;
    if scene.is_some() {
        recording.shown = options.source.path.clone();
    }
    if options.list {
        return list(&recording);
    }
    let bodies = named(&recording, &options.bodies)?;
    let kinds = chosen(&recording, options)?;
    // Everything is made before the first file is written.
    let files = {
        let _wait = Waiting::new("plotting", options.quiet);
        let figures = figures_of(&recording, &kinds, &bodies)?.into_iter();
        files(
            figures.map(|it| (it.name.to_owned(), it)).collect(),
            options,
        )?
    };
    let folder = match (&options.out, scene) {
        (Some(folder), _) => folder.clone(),
        (None, Some(scene)) => PathBuf::from(format!("{scene}_plots")),
        (None, None) => run.join("plots"),
    };
    write(options, files, &folder, tell)
}

/// Writes the files, none if one of them may not be written.
fn write(
    options: &Plot,
    files: Vec<(String, Vec<u8>)>,
    folder: &Path,
    tell: bool,
) -> Result<(), Failure> {
    let outputs = Outputs::new(options.force);
    for (name, _) in &files {
        outputs.check(&folder.join(name))?;
    }
    outputs.make_folder(folder)?;
    let mut output = Output::standard();
    for (name, bytes) in files {
        let path = folder.join(name);
        outputs.write(&path, &bytes)?;
        if tell {
            output.line(format_args!("{}", path.display()))?;
        }
    }
    output.finish()
}

/// Any columns of a sweep against any other.
fn of_sweep(sweep: &SweepRecording, options: &Plot) -> Result<Vec<(String, Figure)>, Failure> {
    let bad = |text: String| Failure::BadInput(format!("error: {text}\n"));
    if !options.which.is_empty() {
        return Err(bad(
            "--which is for runs; a sweep has --x and --y".to_owned()
        ));
    }
    if options.y.is_empty() {
        return Err(bad(format!(
            "--y needs columns of the sweep: {}",
            sweep.observed().join(", ")
        )));
    }
    let x = match &options.x {
        Some(x) => x.clone(),
        None => sweep.parameters().first().cloned().unwrap_or_default(),
    };
    let mut made = Vec::new();
    for y in &options.y {
        let figure = sweep.figure(&x, y, options.by.as_deref())?;
        let plain = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
        let name = format!("{y}-{x}").replace(|letter| !plain(letter), "_");
        made.push((name, figure));
    }
    Ok(made)
}

/// The columns of a sweep.
fn columns(sweep: &SweepRecording) -> Result<(), Failure> {
    let mut output = Output::standard();
    let parameters = sweep.parameters().into_iter().map(|p| (p, "parameter"));
    let observed = sweep.observed().into_iter().map(|o| (o, "observed"));
    for (name, kind) in parameters.chain(observed) {
        let line = format!("{kind:<10} {name:<30} {}", carom_data::unit_of(&name));
        output.line(format_args!("{}", line.trim_end()))?;
    }
    output.finish()
}

fn files(
    figures: Vec<(String, Figure)>,
    options: &Plot,
) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let words = match options.text {
        Words::Words => TextAs::Words,
        Words::Outlines => TextAs::Outlines,
    };
    let mut files = Vec::new();
    for (name, figure) in figures {
        let drawing = figure.draw();
        for format in [Format::Svg, Format::Png, Format::Pdf] {
            if !options.format.contains(&format) {
                continue;
            }
            files.push(match format {
                Format::Svg => {
                    let svg = drawing.to_svg(options.theme.look(), words);
                    (format!("{name}.svg"), svg.into_bytes())
                }
                Format::Png => {
                    let png = drawing.to_png(options.theme.theme(), options.scale)?;
                    (format!("{name}.png"), png)
                }
                Format::Pdf => {
                    let pdf = drawing.to_pdf(options.theme.theme());
                    (format!("{name}.pdf"), pdf)
                }
            });
        }
    }
    Ok(files)
}

/// Bodies by their names.
fn named(recording: &Recording, names: &[String]) -> Result<Vec<usize>, Failure> {
    let bad = |text: String| Err(Failure::BadInput(format!("error: {text}\n")));
    let shown = recording.shown.display();
    if names.len() > MOST_BODIES {
        return bad(format!(
            "--bodies takes {MOST_BODIES} names at most: there are no more colours"
        ));
    }
    let mut found = Vec::new();
    for name in names {
        let id = (0..recording.bodies.len()).find(|&id| recording.bodies[id].name == *name);
        match id {
            None => return bad(format!("`{shown}` has no body `{name}`")),
            Some(id) if !recording.bodies[id].moves() => {
                return bad(format!("`{name}` of `{shown}` does not move"));
            }
            Some(id) => found.push(id),
        }
    }
    Ok(found)
}

/// Which plots are made; says which ones are not.
fn chosen(recording: &Recording, options: &Plot) -> Result<Vec<Kind>, Failure> {
    if !options.which.is_empty() {
        let mut kinds: Vec<Kind> = options.which.iter().map(|name| name.kind()).collect();
        if !options.bodies.is_empty() {
            kinds.push(Kind::Bodies);
        }
        kinds.sort_unstable();
        kinds.dedup();
        return Ok(kinds);
    }
    let mut kinds = fitting(recording);
    if !options.bodies.is_empty() && !kinds.contains(&Kind::Bodies) {
        kinds.push(Kind::Bodies);
        kinds.sort_unstable();
    }
    let left_out = Kind::ALL.into_iter().filter(|kind| !kinds.contains(kind));
    let reasons: Vec<String> = left_out
        .filter(|&kind| kind != Kind::Compare)
        .filter_map(|kind| match kind.fitness(recording) {
            Fitness::Good => None,
            Fitness::Poor(reason) | Fitness::Missing(reason) => {
                Some(format!("{}: {reason}", kind.name()))
            }
        })
        .collect();
    if kinds.is_empty() {
        return Err(Failure::from(DrawError::Nothing {
            path: options.source.path.clone(),
            reason: reasons.join("; "),
        }));
    }
    for reason in reasons.iter().filter(|_| !options.quiet) {
        eprintln!("left out: {reason}");
    }
    Ok(kinds)
}

fn list(recording: &Recording) -> Result<(), Failure> {
    let mut output = Output::standard();
    for kind in Kind::ALL {
        let fits = match kind.fitness(recording) {
            Fitness::Good => "yes".to_owned(),
            Fitness::Poor(reason) => format!("says little: {reason}"),
            Fitness::Missing(reason) => format!("no: {reason}"),
        };
        output.line(format_args!(
            "{:<13} {:<53} {fits}",
            kind.name(),
            kind.what()
        ))?;
    }
    output.finish()
}
