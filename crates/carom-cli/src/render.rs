//! `carom render`: stills and films of a run folder.

use crate::bar::Waiting;
use crate::interrupt::{self, Interrupt};
use crate::output::{Failure, Output};
use crate::render_film::{self, Film, Format};
use crate::render_values::{
    Instant, Size, Span, camera, file, instant, number, numbers, rate, size, span, speed, time,
    view,
};
use crate::source::Source;
use carom_data::Outputs;
use carom_draw::Recording;
use carom_draw::Theme;
use carom_draw::pictures::film::small_png;
use carom_draw::pictures::{
    Clash, ColourBy, Follow, Footage, Shot, Show, Studio, Style, Takes, View, Viewpoint,
};
use clap::{Args, ValueEnum};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom render runs/one                            a video of the run, into runs/one/pictures/film.gif
  carom render runs/one --out break.mp4 --speed 0.5 --trails --flashes
  carom render runs/one --at 1.5                   an image, into runs/one/pictures/at_1.5.png
  carom render runs/one --collision 3              the third collision, with normal, impulse and velocities
  carom render runs/one --frames frames --fps 60 --from 1 --to 2
  carom render runs/gas --colour speed --theme dark --camera 40,30 --out gas.apng
  carom render scenes/break.toml --speed 0.5       runs the scene first, and writes break.gif

Positions are exact at the time of each image: the scene in the run folder is run again, and nothing is interpolated. A run
that is still in progress, or was interrupted, is shown as far as it got. MP4 needs ffmpeg.
Ctrl-C leaves no half-written file.")]
pub struct Render {
    #[command(flatten)]
    pub source: Source,
    /// Render an image at this time, in seconds, or at a share of the run, such as 40%
    #[arg(long, value_name = "T", value_parser = instant, conflicts_with_all = ["collision", "frames", "from", "to", "fps", "speed"], allow_negative_numbers = true)]
    pub at: Option<Instant>,
    /// Render an image of this collision (counted from 1), with velocity and impulse arrows
    #[arg(long, value_name = "N", value_parser = number, conflicts_with_all = ["frames", "from", "to", "fps", "speed", "trails", "flashes"], allow_negative_numbers = true)]
    pub collision: Option<u64>,
    /// Output file: .png for an image; .gif, .apng or .mp4 for a video [default: in the folder pictures, in the run
    /// folder; of a scene, in the current folder]
    #[arg(long, short, value_name = "FILE", value_parser = file)]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file (--out); in the run folder only files that carom wrote are ever replaced
    #[arg(long)]
    pub force: bool,
    /// Write all frames as PNG files to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "format"])]
    pub frames: Option<PathBuf>,
    /// Format, if no file is given
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["out", "at", "collision"], default_value = "gif")]
    pub format: Format,
    /// Start time, in seconds of the run [default: its start]
    #[arg(long, value_name = "T", value_parser = time, help_heading = "Video", allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// End time, in seconds of the run [default: its end]
    #[arg(long, value_name = "T", value_parser = time, help_heading = "Video", allow_negative_numbers = true)]
    pub to: Option<f64>,
    /// Frames per second
    #[arg(long, value_name = "N", value_parser = rate, default_value = "25", help_heading = "Video", allow_negative_numbers = true)]
    pub fps: f64,
    /// Playback speed: seconds of the run per second of video [default: 1 if the run takes 2 to 60 s, otherwise such
    /// that the video takes 10 s]
    #[arg(long, value_name = "X", value_parser = speed, help_heading = "Video", allow_negative_numbers = true)]
    pub speed: Option<f64>,
    /// Width and height in pixels; a width alone: in the shape of the scene, about as large as a picture of that width
    /// and nine sixteenths of its height [default: 1280, of a GIF 640]
    #[arg(long, value_name = "W[xH]", value_parser = size, help_heading = "Appearance")]
    pub size: Option<Size>,
    /// Colour theme
    #[arg(
        long,
        value_name = "THEME",
        default_value = "light",
        help_heading = "Appearance"
    )]
    pub theme: Paper,
    /// Colour scheme
    #[arg(
        long,
        visible_alias = "color",
        value_name = "BY",
        default_value = "species",
        help_heading = "Appearance"
    )]
    pub colour: Colour,
    /// Camera of 3-D scenes: corner, front, side, top, or AZIMUTH,ELEVATION[,ZOOM], angles in degrees [default: corner;
    /// from higher up where everything lies flat]
    #[arg(long, value_name = "FROM", value_parser = camera, help_heading = "Appearance", allow_hyphen_values = true)]
    pub camera: Option<Viewpoint>,
    /// What is in the middle: X,Y or X,Y,Z in metres, or a body (where it is at the start)
    #[arg(
        long,
        value_name = "PLACE",
        help_heading = "Appearance",
        allow_hyphen_values = true
    )]
    pub look_at: Option<String>,
    /// Keep a body in the middle; none: nothing [default: nothing, unless bodies would be specks: then all together]
    #[arg(long, value_name = "BODY", help_heading = "Appearance")]
    pub follow: Option<String>,
    /// Also show, separated by commas: velocities, forces (mean since the last image), axes, scale, names, title
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        help_heading = "Appearance"
    )]
    pub show: Vec<Shown>,
    /// Field of view: all, or two opposite corners, X,Y,X,Y or X,Y,Z,X,Y,Z [default: all; for a collision its two
    /// bodies]
    #[arg(long, value_name = "PART", value_parser = view, help_heading = "Appearance", allow_hyphen_values = true)]
    pub view: Option<View>,
    /// Draw trails of this length, in seconds of the run [without a number: 0.8 s of the video, or a tenth of the run]
    #[arg(long, value_name = "S", value_parser = span, num_args = 0..=1, require_equals = true, default_missing_value = "auto", help_heading = "Appearance")]
    pub trails: Option<Span>,
    /// Mark collisions for this time, in seconds of the run [without a number: 0.3 s of the video, or a fiftieth of the
    /// run]
    #[arg(long, value_name = "S", value_parser = span, num_args = 0..=1, require_equals = true, default_missing_value = "auto", help_heading = "Appearance")]
    pub flashes: Option<Span>,
    /// Show the orientation of balls
    #[arg(
        long,
        alias = "spin",
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Appearance"
    )]
    pub orientation: When,
    /// Hide the clock and the legend
    #[arg(long, help_heading = "Appearance")]
    pub no_words: bool,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
}

/// What is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Light
    Light,
    /// Dark
    Dark,
    /// Greyscale, for printing
    Print,
}

/// What colours tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// By body if there are few, otherwise by species: material, size and kind of name
    Species,
    /// By material
    Material,
    /// By speed
    Speed,
    /// By body
    Body,
}

/// What is drawn over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    /// Velocities of free bodies, as arrows
    Velocities,
    /// Mean forces on free bodies since the last image, as arrows
    Forces,
    /// Axes
    Axes,
    /// A scale bar
    Scale,
    /// Names of moving bodies
    Names,
    /// The title of the scene
    Title,
}

/// Whether balls show how they turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If anything rotates
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

/// `carom render`: says which file or folder it wrote.
pub fn command(options: &Render) -> Result<(), Failure> {
    // What is known to be wrong without the run is said before a scene is run.
    check_format(options)?;
    let opened = options.source.open(options.quiet)?;
    make(options, &opened.folder, opened.scene.as_deref(), true)
}

/// Makes a film or a still of a run folder; says which file or folder it wrote where that is wanted. That of a scene is
/// named after it, in the current folder.
pub fn make(
    options: &Render,
    folder: &Path,
    scene: Option<&str>,
    tell: bool,
) -> Result<(), Failure> {
    let mut recording = Recording::open(folder)?;
    if scene.is_some() {
        recording.shown = options.source.path.clone();
    }
    let place = Place { folder, scene };
    let interrupt = Interrupt::listen();
    let footage = {
        let _wait = Waiting::new("reading the run", options.quiet);
        Footage::of(&recording)?
    };
    check(options, &footage)?;
    let written = match (options.at, options.collision) {
        (None, None) => render_film::film(options, &place, &footage, &interrupt)?,
        _ => still(options, &place, &footage, &interrupt)?,
    };
    if !tell {
        return Ok(());
    }
    let mut output = Output::standard();
    output.line(format_args!("{}", written.display()))?;
    output.finish()
}

/// The run folder, and the name of the scene where one was given.
pub struct Place<'p> {
    pub folder: &'p Path,
    pub scene: Option<&'p str>,
}

/// Whether a file is of the kind that is made.
fn check_format(options: &Render) -> Result<(), Failure> {
    let bad = |text: &str| Err(Failure::BadInput(format!("error: {text}\n")));
    let is_still = options.at.is_some() || options.collision.is_some();
    match (is_still, options.out.as_deref().and_then(Format::of)) {
        (true, Some(Format::Gif | Format::Apng | Format::Mp4)) => {
            bad("a still is a .png; without --at and --collision it is a film")
        }
        (false, Some(Format::Png)) => bad(
            "a .png is a still, at a time (--at) or a collision (--collision); a film is a .gif, an .apng or an .mp4",
        ),
        _ => Ok(()),
    }
}

/// What can only be said when the run is known.
fn check(options: &Render, footage: &Footage) -> Result<(), Failure> {
    let bad = |text: String| Err(Failure::BadInput(format!("error: {text}\n")));
    let shown = options.source.path.display();
    let at = options.at.map(|at| at.of(footage.end));
    for time in [at, options.from, options.to].into_iter().flatten() {
        if time > footage.end {
            return bad(format!(
                "`{shown}` is not known at t = {time} s: it goes from 0 to {} s",
                footage.end
            ));
        }
    }
    if let Some(View::Part(low, high)) = options.view {
        let flat = low[2] == high[2];
        if flat != (footage.dimension() == 2) {
            return bad(format!(
                "`{shown}` is in {}-D: --view needs {} numbers",
                footage.dimension(),
                2 * footage.dimension()
            ));
        }
    }
    Ok(())
}

/// What stays in the middle.
fn follow(options: &Render, footage: &Footage) -> Result<Follow, Failure> {
    match options.follow.as_deref() {
        None => Ok(Follow::Natural),
        Some(name) => match footage.body_named(name) {
            Some(id) if footage.moves(id) => Ok(Follow::Body(id)),
            Some(_) => Err(Failure::BadInput(format!(
                "error: `{name}` does not move, and cannot be followed; --look-at {name} has it in the middle\n"
            ))),
            None if name == "none" => Ok(Follow::Nothing),
            None => Err(no_body(options, name)),
        },
    }
}

fn no_body(options: &Render, name: &str) -> Failure {
    let shown = options.source.path.display();
    Failure::BadInput(format!("error: `{shown}` has no body `{name}`\n"))
}

/// The place in the middle.
fn look_at(options: &Render, footage: &Footage) -> Result<Option<[f64; 3]>, Failure> {
    let Some(text) = options.look_at.as_deref() else {
        return Ok(None);
    };
    let dimension = footage.dimension();
    match numbers(text).as_deref() {
        Some(&[x, y]) if dimension == 2 => Ok(Some([x, y, 0.0])),
        Some(&[x, y, z]) if dimension == 3 => Ok(Some([x, y, z])),
        Some(numbers) if numbers.len() > 1 => Err(Failure::BadInput(format!(
            "error: `{}` is in {dimension}-D: --look-at needs {dimension} numbers\n",
            options.source.path.display()
        ))),
        _ => match footage.body_named(text) {
            Some(id) => Ok(footage.start_of(id)),
            None => Err(no_body(options, text)),
        },
    }
}

/// How pictures look.
pub fn style(
    options: &Render,
    footage: &Footage,
    film: Option<&Film>,
    clash: Option<&Clash>,
) -> Result<Style, Failure> {
    let shows = |what: Shown| options.show.contains(&what);
    let mut style = Style {
        size: [1280, 720],
        follow: follow(options, footage)?,
        look_at: look_at(options, footage)?,
        show: Show {
            velocities: shows(Shown::Velocities),
            forces: shows(Shown::Forces),
            axes: shows(Shown::Axes),
            scale: shows(Shown::Scale),
            names: shows(Shown::Names),
            title: shows(Shown::Title),
        },
        theme: match options.theme {
            Paper::Light => Theme::Light,
            Paper::Dark => Theme::Dark,
            Paper::Print => Theme::Print,
        },
        colours: match options.colour {
            Colour::Species => ColourBy::Species,
            Colour::Material => ColourBy::Material,
            Colour::Speed => ColourBy::Speed,
            Colour::Body => ColourBy::Body,
        },
        view: options.view.unwrap_or_default(),
        viewpoint: options.camera,
        marks: match options.orientation {
            When::Auto => None,
            When::On => Some(true),
            When::Off => Some(false),
        },
        words: !options.no_words,
        decimals: film.map(|film| film.decimals()),
        speed: film.map(|film| film.speed),
    };
    let wide = match (options.size, film.map(|film| film.format)) {
        (Some(Size::Wide(width)), _) => [width, 9 * width / 16],
        (_, Some(Format::Gif)) => [640, 360],
        _ => [1280, 720],
    };
    style.size = match options.size {
        Some(Size::Both(size)) => size,
        _ => Studio::natural_size(footage, &style, clash, wide),
    };
    Ok(style)
}

/// The length of time that something is shown for, where it is: given, or as fits.
pub fn length(span: Option<Span>, fitting: f64) -> f64 {
    match span {
        None => 0.0,
        Some(Span::Auto) => fitting,
        Some(Span::Given(seconds)) => seconds,
    }
}

fn still(
    options: &Render,
    place: &Place<'_>,
    footage: &Footage,
    interrupt: &Interrupt,
) -> Result<PathBuf, Failure> {
    let _wait = Waiting::new("running the scene again", options.quiet);
    let ended = || interrupt.is_wanted();
    let clash = options
        .collision
        .map(|number| footage.clash(number, &ended));
    if ended() {
        return Err(interrupted());
    }
    let clash = clash.transpose()?;
    let time = match &clash {
        Some(clash) => clash.time,
        None => options.at.map_or(footage.end, |at| at.of(footage.end)),
    };
    let name = match options.collision {
        Some(number) => format!("collision_{number}.png"),
        None => format!("at_{time}.png"),
    };
    let outputs = Outputs::new(options.force);
    let path = target(options, place, &name, &outputs)?;
    outputs.check(&path)?;
    let mut style = style(options, footage, None, clash.as_ref())?;
    let mut studio = Studio::new(footage, style.clone(), clash.clone())?;
    let takes = Takes {
        times: vec![time],
        trails: length(options.trails, 0.1 * footage.end),
        flashes: length(options.flashes, 0.02 * footage.end),
        forces: forces(options, 0.002 * footage.end),
    };
    let mut found: Option<Shot> = None;
    footage.shoot(&takes, &ended, |shot| {
        found = Some(shot);
        ControlFlow::Break(())
    })?;
    let Some(shot) = found else {
        return Err(interrupted());
    };
    if options.view.is_none() && clash.is_none() && !studio.sees(&shot) {
        // Everybody has left the place where things happened.
        style.view = View::All;
        let [width, height] = style.size;
        let wide = (f64::from(width) * f64::from(height) * 16.0 / 9.0).sqrt() as u32;
        if !matches!(options.size, Some(Size::Both(_))) {
            style.size = Studio::natural_size(footage, &style, None, [wide, 9 * wide / 16]);
        }
        studio = Studio::new(footage, style, None)?;
    }
    let bytes = small_png(&studio.paint(&shot))?;
    outputs.write(&path, &bytes)?;
    Ok(path)
}

/// Over how long forces are the mean, s, where they are shown.
pub fn forces(options: &Render, span: f64) -> f64 {
    if options.show.contains(&Shown::Forces) {
        span
    } else {
        0.0
    }
}

pub fn interrupted() -> Failure {
    Failure::Interrupted {
        status: interrupt::STATUS,
        resume: None,
    }
}

/// Where a file goes; the folder for it is made in the run folder where none is given.
pub fn target(
    options: &Render,
    place: &Place<'_>,
    name: &str,
    outputs: &Outputs,
) -> Result<PathBuf, Failure> {
    if let Some(path) = &options.out {
        return Ok(path.clone());
    }
    if let Some(scene) = place.scene {
        return Ok(PathBuf::from(match name.strip_prefix("film.") {
            Some(ending) => format!("{scene}.{ending}"),
            None => format!("{scene}_{name}"),
        }));
    }
    let folder = place.folder.join("pictures");
    outputs.make_folder(&folder)?;
    Ok(folder.join(name))
}
