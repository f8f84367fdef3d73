//! Films: pictures in batches, in parallel, and in order into a file or a folder.

use crate::bar;
use crate::interrupt::Interrupt;
use crate::output::Failure;
use crate::render::{Place, Render, forces, interrupted, length, style, target};
use carom_data::{DataError, Outputs};
use carom_draw::DrawError;
use carom_draw::pictures::film::{Apng, Colours, Gif, Mp4, Reel, png};
use carom_draw::pictures::{Footage, Picture, Shot, Studio, Takes};
use clap::ValueEnum;
use rayon::prelude::*;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A format of films and stills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Shown everywhere; 255 colours
    Gif,
    /// True colour; shown by browsers
    Apng,
    /// Smallest for long videos; needs ffmpeg
    Mp4,
    #[value(skip)]
    Png,
}

impl Format {
    /// By the ending of a name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("gif") => Some(Format::Gif),
            Some("apng") => Some(Format::Apng),
            Some("mp4") => Some(Format::Mp4),
            Some("png") => Some(Format::Png),
            _ => None,
        }
    }
}

/// Which pictures.
pub struct Film {
    pub format: Format,
    pub speed: f64,
    rate: f64,
    from: f64,
    to: f64,
    count: usize,
}

/// Runs that take less or more than this are not shown as fast as they happen, s.
const PLEASANT: [f64; 2] = [2.0, 60.0];
/// How long a film of them takes, s.
const PLAYING: f64 = 10.0;
/// Pictures at most.
const MOST: f64 = 1e5;
/// Pictures a second of a GIF at most: shorter delays are not kept by those who show them.
const FASTEST_GIF: f64 = 50.0;
/// Bytes of pictures and of places that are in memory at once, about.
const MEMORY: usize = 400 << 20;
/// Pictures that the colours of a GIF are chosen from.
const PROBES: usize = 14;

impl Film {
    fn new(options: &Render, footage: &Footage, format: Format) -> Result<Self, Failure> {
        let bad = |text: String| Err(Failure::BadInput(format!("error: {text}\n")));
        let from = options.from.unwrap_or(0.0);
        let to = options.to.unwrap_or(footage.end);
        if !(from < to) {
            return bad(format!(
                "a film from t = {from} s to {to} s has no pictures; a still is made by --at"
            ));
        }
        if format == Format::Gif && options.fps > FASTEST_GIF {
            return bad(format!(
                "a GIF has {FASTEST_GIF} pictures a second at most; other formats may have more"
            ));
        }
        let length = to - from;
        let speed = match options.speed {
            Some(speed) => speed,
            None if (PLEASANT[0]..=PLEASANT[1]).contains(&length) => 1.0,
            None => length / PLAYING,
        };
        let steps = length / speed * options.fps;
        let whole = (steps + 1e-9).floor();
        // How it ends is always seen: where the last interval is shorter than the others, it has a picture too.
        let count = whole + if steps - whole > 1e-6 { 2.0 } else { 1.0 };
        if !(count <= MOST) {
            return bad(format!(
                "the film would have {count} pictures, more than {MOST}: give a larger --speed, or a part with --from and --to"
            ));
        }
        Ok(Film {
            format,
            speed,
            rate: options.fps,
            from,
            to,
            count: count as usize,
        })
    }

    /// The time of the run from picture to picture, s.
    fn interval(&self) -> f64 {
        self.speed / self.rate
    }

    fn times(&self, end: f64) -> Vec<f64> {
        let time = |picture: usize| self.from + picture as f64 * self.interval();
        let last = self.to.min(end);
        let mut times: Vec<f64> = (0..self.count)
            .map(|picture| time(picture).min(last))
            .collect();
        if let (Some(end), true) = (times.last_mut(), self.count > 1) {
            *end = last;
        }
        times
    }

    /// Digits of the time behind the point, so that it differs from picture to picture.
    pub fn decimals(&self) -> usize {
        (0..12)
            .find(|&digits| self.interval() >= 0.9 * 10_f64.powf(-f64::from(digits)))
            .unwrap_or(12) as usize
    }
}

/// Pictures as files of their own.
struct Folder<'p> {
    path: &'p Path,
    outputs: &'p Outputs,
    count: usize,
}

impl Folder<'_> {
    fn add(&mut self, pictures: &[Picture]) -> Result<(), Failure> {
        let files: Vec<Result<Vec<u8>, DrawError>> = pictures.par_iter().map(png).collect();
        for file in files {
            let name = format!("frame_{:05}.png", self.count);
            self.outputs.write(&self.path.join(name), &file?)?;
            self.count += 1;
        }
        Ok(())
    }
}

/// Makes a film; where it went.
pub fn film(
    options: &Render,
    place: &Place<'_>,
    footage: &Footage,
    interrupt: &Interrupt,
) -> Result<PathBuf, Failure> {
    let format = match (&options.out, &options.frames) {
        (Some(path), _) => Format::of(path).unwrap_or(options.format),
        (None, Some(_)) => Format::Png,
        (None, None) => options.format,
    };
    let film = Film::new(options, footage, format)?;
    let style = style(options, footage, Some(&film), None)?;
    let size = style.size;
    let studio = Studio::new(footage, style, None)?;
    let outputs = Outputs::new(options.force);
    if let Some(folder) = &options.frames {
        let has_frames = std::fs::read_dir(folder).is_ok_and(|mut entries| {
            entries.any(|entry| {
                entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("frame_"))
            })
        });
        if has_frames {
            return Err(Failure::BadInput(format!(
                "error: `{}` has pictures of another film in it: give another folder, or remove them\n",
                folder.display()
            )));
        }
        outputs.make_folder(folder)?;
        let mut reel = Folder {
            path: folder,
            outputs: &outputs,
            count: 0,
        };
        shoot(options, &film, &studio, footage, interrupt, |pictures| {
            reel.add(&pictures)
        })?;
        return Ok(folder.clone());
    }
    let name = match format {
        Format::Gif => "film.gif",
        Format::Apng => "film.apng",
        Format::Mp4 | Format::Png => "film.mp4",
    };
    let path = target(options, place, name, &outputs)?;
    let file = outputs.begin(&path)?;
    let failed = |source: std::io::Error| -> Failure {
        let path = path.clone();
        DataError::Write { path, source }.into()
    };
    let create = || -> Result<BufWriter<File>, Failure> {
        let file = File::create(file.hidden()).map_err(failed)?;
        Ok(BufWriter::with_capacity(1 << 20, file))
    };
    let told = |error: DrawError| match error {
        DrawError::Write(source) => failed(source),
        other => other.into(),
    };
    let mut reel: Box<dyn Reel> = match format {
        Format::Gif => {
            let colours = probe(options, &film, &studio, footage, interrupt)?;
            let gif = Gif::new(create()?, size, film.rate, colours);
            Box::new(gif.map_err(told)?)
        }
        Format::Apng => {
            let count = film.count as u32;
            Box::new(Apng::new(create()?, size, count, film.rate))
        }
        Format::Mp4 | Format::Png => {
            Box::new(Mp4::new(file.hidden(), size, film.rate).map_err(told)?)
        }
    };
    shoot(options, &film, &studio, footage, interrupt, |pictures| {
        reel.add(pictures).map_err(told)
    })?;
    reel.finish().map_err(told)?;
    drop(reel);
    outputs.put(file)?;
    Ok(path)
}

/// The instants of a film, and what is shown of the time before each.
fn takes(options: &Render, film: &Film, footage: &Footage) -> Takes {
    Takes {
        times: film.times(footage.end),
        trails: length(options.trails, 0.8 * film.speed),
        flashes: length(options.flashes, 0.3 * film.speed),
        forces: forces(options, film.interval()),
    }
}

/// The colours of a GIF, from pictures all over the film.
fn probe(
    options: &Render,
    film: &Film,
    studio: &Studio<'_>,
    footage: &Footage,
    interrupt: &Interrupt,
) -> Result<Colours, Failure> {
    let times = film.times(footage.end);
    let every = times.len().div_ceil(PROBES);
    let takes = Takes {
        times: times.into_iter().step_by(every).collect(),
        ..takes(options, film, footage)
    };
    let mut pictures = Vec::new();
    let ended = || interrupt.is_wanted();
    let mut bar = bar::Counted::new(
        "frames looked at for their colours",
        takes.times.len(),
        options.quiet,
    );
    footage.shoot(&takes, &ended, |shot| {
        pictures.push(studio.paint(&shot));
        if let Some(bar) = &mut bar {
            bar.more(1);
        }
        ControlFlow::Continue(())
    })?;
    if ended() {
        Err(interrupted())
    } else {
        Ok(Colours::of(&pictures))
    }
}

/// Makes the pictures of a film and hands them over, batch by batch.
fn shoot(
    options: &Render,
    film: &Film,
    studio: &Studio<'_>,
    footage: &Footage,
    interrupt: &Interrupt,
    mut take: impl FnMut(Vec<Picture>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let takes = takes(options, film, footage);
    let [width, height] = studio.size().map(|side| side as usize);
    // Each as three and as four bytes a pixel, and as a file; and the places of all bodies.
    let bytes = 12 * width * height + 120 * footage.moving();
    let most = (MEMORY / bytes).clamp(1, 8 * rayon::current_num_threads());
    let mut bar = bar::Counted::new("pictures", film.count, options.quiet);
    let mut batch: Vec<Shot> = Vec::with_capacity(most);
    let mut result = Ok(());
    let ended = || interrupt.is_wanted();
    let mut flush = |batch: &mut Vec<Shot>| {
        let pictures: Vec<Picture> = batch.par_iter().map(|shot| studio.paint(shot)).collect();
        batch.clear();
        if ended() {
            return Err(interrupted());
        }
        let count = pictures.len();
        take(pictures)?;
        if let Some(bar) = &mut bar {
            bar.more(count);
        }
        Ok(())
    };
    footage.shoot(&takes, &ended, |shot| {
        batch.push(shot);
        if batch.len() < most {
            return ControlFlow::Continue(());
        }
        result = flush(&mut batch);
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    result?;
    if ended() {
        return Err(interrupted());
    }
    if !batch.is_empty() {
        flush(&mut batch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_the_digits_that_change() {
        let film = |speed: f64, rate: f64| Film {
            format: Format::Gif,
            speed,
            rate,
            from: 0.0,
            to: 0.0,
            count: 1,
        };
        assert_eq!(film(1.0, 25.0).decimals(), 2);
        assert_eq!(film(0.1, 25.0).decimals(), 3);
        assert_eq!(film(25.0, 25.0).decimals(), 0);
        assert_eq!(film(1e-40, 25.0).decimals(), 12);
        assert_eq!(film(1.0, 25.0).times(0.0), [0.0]);
    }

    #[test]
    fn endings_say_the_format() {
        assert_eq!(Format::of(Path::new("a/film.gif")), Some(Format::Gif));
        assert_eq!(Format::of(Path::new("film.avi")), None);
        assert_eq!(Format::of(Path::new("gif")), None);
    }
}
