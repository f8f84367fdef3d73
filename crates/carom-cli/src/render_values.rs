//! Values of the options of `carom render`, as they are written.

use crate::render_film::Format;
use carom_draw::pictures::{SIDES, View, Viewpoint};
use std::path::PathBuf;

/// When.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instant {
    /// Seconds.
    Time(f64),
    /// Of the whole run, from 0 to 1.
    Share(f64),
}

impl Instant {
    /// Seconds, in a run of so many.
    pub fn of(self, end: f64) -> f64 {
        match self {
            Instant::Time(time) => time,
            Instant::Share(share) => share * end,
        }
    }
}

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Pixels.
    Both([u32; 2]),
    /// Pixels of a wide picture; others have about as many pixels.
    Wide(u32),
}

/// A time of the run, given or chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// As fits.
    Auto,
    /// Seconds.
    Given(f64),
}

pub fn time(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=1e40).contains(&time) => Ok(time),
        _ => Err("must be a finite number of seconds, zero or above".to_owned()),
    }
}

pub fn instant(text: &str) -> Result<Instant, String> {
    match text
        .strip_suffix('%')
        .map(|share| share.trim().parse::<f64>())
    {
        Some(Ok(share)) if (0.0..=100.0).contains(&share) => Ok(Instant::Share(0.01 * share)),
        Some(_) => Err("must be from 0% to 100%".to_owned()),
        None => time(text).map(Instant::Time),
    }
}

pub fn number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("must be a whole number, 1 or above".to_owned()),
    }
}

pub fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (1.0..=120.0).contains(&rate) => Ok(rate),
        _ => Err("must be a number from 1 to 120".to_owned()),
    }
}

pub fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (1e-30..=1e30).contains(&speed) => Ok(speed),
        _ => Err("must be a finite number above zero".to_owned()),
    }
}

pub fn span(text: &str) -> Result<Span, String> {
    match text {
        "auto" => Ok(Span::Auto),
        text => match text.parse() {
            Ok(span) if (1e-30..=1e30).contains(&span) => Ok(Span::Given(span)),
            _ => Err("must be a finite number of seconds above zero".to_owned()),
        },
    }
}

pub fn size(text: &str) -> Result<Size, String> {
    let side = |text: &str| -> Option<u32> {
        let side = text.trim().parse().ok()?;
        (SIDES[0]..=SIDES[1]).contains(&side).then_some(side)
    };
    let given = match text.split_once(['x', '×']) {
        Some((width, height)) => side(width)
            .zip(side(height))
            .map(|(w, h)| Size::Both([w, h])),
        // Its height is smaller.
        None => side(text)
            .filter(|side| *side >= 2 * SIDES[0])
            .map(Size::Wide),
    };
    given.ok_or_else(|| {
        "must be WIDTHxHEIGHT, such as 1280x720, each from 16 to 8192, or a width from 32 to 8192".to_owned()
    })
}

pub fn file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Format::of(&path) {
        Some(_) => Ok(path),
        None => Err("must end in .png, .gif, .apng or .mp4".to_owned()),
    }
}

/// A file for a video.
pub fn video(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Format::of(&path) {
        Some(Format::Gif | Format::Apng | Format::Mp4) => Ok(path),
        _ => Err("must end in .gif, .apng or .mp4".to_owned()),
    }
}

pub fn numbers(text: &str) -> Option<Vec<f64>> {
    let parts = text.split(',').map(|part| part.trim().parse::<f64>().ok());
    let numbers: Option<Vec<f64>> = parts.collect();
    numbers.filter(|numbers| numbers.iter().all(|n| n.is_finite()))
}

pub fn camera(text: &str) -> Result<Viewpoint, String> {
    let from = |azimuth: f64, elevation: f64| Viewpoint {
        azimuth,
        elevation,
        zoom: 1.0,
    };
    let given = match text {
        "corner" => Some(Viewpoint::default()),
        "front" => Some(from(0.0, 0.0)),
        "side" => Some(from(90.0, 0.0)),
        "top" => Some(from(0.0, 90.0)),
        text => match numbers(text).as_deref() {
            Some([azimuth, elevation]) => Some(from(*azimuth, *elevation)),
            Some([azimuth, elevation, zoom]) if (0.1..=20.0).contains(zoom) => Some(Viewpoint {
                zoom: *zoom,
                ..from(*azimuth, *elevation)
            }),
            _ => None,
        },
    };
    given
        .filter(|from| from.elevation.abs() <= 90.0 && from.azimuth.abs() <= 3600.0)
        .ok_or_else(|| {
            "must be corner, front, side, top, or AZIMUTH,ELEVATION[,ZOOM]: degrees, the elevation from -90 to 90, the zoom from 0.1 to 20"
                .to_owned()
        })
}

pub fn view(text: &str) -> Result<View, String> {
    let part = |low: [f64; 3], high: [f64; 3]| {
        let corners = [0, 1, 2].map(|i| (low[i].min(high[i]), low[i].max(high[i])));
        View::Part(corners.map(|(low, _)| low), corners.map(|(_, high)| high))
    };
    let given = match (text, numbers(text).as_deref()) {
        ("all", _) => Some(View::All),
        (_, Some(&[x, y, u, v])) if x != u && y != v => Some(part([x, y, 0.0], [u, v, 0.0])),
        (_, Some(&[x, y, z, u, v, w])) if x != u && y != v && z != w => {
            Some(part([x, y, z], [u, v, w]))
        }
        _ => None,
    };
    given.ok_or_else(|| {
        "must be all, or the corners of what is seen in metres: X,Y,X,Y in 2-D, X,Y,Z,X,Y,Z in 3-D".to_owned()
    })
}
