//! Makes pictures of instants: what is seen from where, and in which colours.

use super::clash;
use super::footage::{Clash, Footage, Shot};
use super::footer::{Entry, Footer};
use super::palette::{ColourBy, Key, Palette};
use super::sheet::Sheet;
use super::solid::{Camera, Viewpoint};
use super::{Picture, SIDES, flat, solid};
use crate::canvas::{Area, Dash, Ink, Point, Theme};
use crate::chart::rounded;
use crate::error::DrawError;
use crate::outlines::{Bounds, Form, Place, Thing, dot};
use tiny_skia::Pixmap;

/// What is in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// Of a collision its two bodies, otherwise everything.
    #[default]
    Natural,
    /// Everything that moves, at any time, and what is around.
    All,
    /// From a lower to an upper corner, m; in 2-D the third numbers do not count.
    Part([f64; 3], [f64; 3]),
}

/// How pictures look.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// On what paper.
    pub theme: Theme,
    /// What colours tell.
    pub colours: ColourBy,
    /// What is seen.
    pub view: View,
    /// From where, in 3-D.
    pub viewpoint: Viewpoint,
    /// Whether balls show how they turn; `None`: where anything turns.
    pub marks: Option<bool>,
    /// Whether there are words below: the time, and what colours mean.
    pub words: bool,
    /// Digits behind the point of the time; `None`: as many as it takes.
    pub decimals: Option<usize>,
    /// World seconds for each second of the film, where that is to be said.
    pub speed: Option<f64>,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            size: [1280, 720],
            theme: Theme::Light,
            colours: ColourBy::Species,
            view: View::Natural,
            viewpoint: Viewpoint::default(),
            marks: None,
            words: true,
            decimals: None,
            speed: None,
        }
    }
}

/// A place where pictures of a run are made.
#[derive(Debug)]
pub struct Studio<'f> {
    pub(super) footage: &'f Footage,
    pub(super) style: Style,
    pub(super) palette: Palette,
    pub(super) clash: Option<Clash>,
    pub(super) bounds: Bounds,
    pub(super) projection: Projection,
    pub(super) marks: bool,
    footer: Footer,
}

/// From the world to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) enum Projection {
    Flat(Flat),
    Solid(Camera),
}

/// Pixels for each metre, and where the origin is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat {
    pub scale: f64,
    pub origin: Point,
}

impl Flat {
    pub fn at(&self, place: Place) -> Point {
        [
            self.origin[0] + self.scale * place[0],
            self.origin[1] - self.scale * place[1],
        ]
    }
}

impl Projection {
    /// Where a place is seen; `None` behind the eye.
    pub fn project(&self, place: Place) -> Option<Point> {
        match self {
            Projection::Flat(flat) => Some(flat.at(place)),
            Projection::Solid(camera) => camera.project(place).map(|[x, y, _]| [x, y]),
        }
    }
}

/// Lower pictures have no words.
const LOWEST_WITH_WORDS: u32 = 100;

impl<'f> Studio<'f> {
    /// For pictures of a run; with a collision, for that of its instant.
    pub fn new(
        footage: &'f Footage,
        style: Style,
        clash: Option<Clash>,
    ) -> Result<Self, DrawError> {
        let [width, height] = style.size;
        if [width, height]
            .iter()
            .any(|side| !(SIDES[0]..=SIDES[1]).contains(side))
        {
            return Err(DrawError::PictureSize { width, height });
        }
        if footage.cast.is_empty() && footage.things.is_empty() {
            return Err(DrawError::Film("the scene has no bodies".to_owned()));
        }
        let mut palette = Palette::new(footage, style.colours, style.theme);
        if clash.is_some() {
            palette = palette.faint(0.62);
        }
        let mut entries = Vec::new();
        let has_words = style.words && height >= LOWEST_WITH_WORDS;
        if has_words {
            match &clash {
                Some(found) => entries.extend(clash::entries(footage, found, style.theme)),
                None => match palette.key() {
                    Key::None => (),
                    Key::Classes(classes) => entries.extend(
                        classes
                            .into_iter()
                            .map(|(colour, name)| Entry::Disc(colour, name)),
                    ),
                    Key::Ramp(colours, end) => entries.push(Entry::Ramp(colours, end)),
                },
            }
        }
        let footer = if has_words {
            Footer::new(
                [width, height],
                clock_width(footage, &style, &clash),
                entries,
            )
        } else {
            Footer::none()
        };
        let area = Area {
            x: 0.0,
            y: 0.0,
            width: f64::from(width),
            height: f64::from(height) - footer.height(),
        };
        let bounds = match (style.view, &clash) {
            (View::Part(low, high), _) => Bounds { low, high },
            (View::Natural, Some(clash)) => clash::around(footage, clash),
            _ => seen(footage),
        };
        let projection = match footage.dimension() {
            2 => Projection::Flat(fitted(&bounds, &area)),
            _ => {
                let points = outline(footage, &bounds);
                let (from, gravity) = (style.viewpoint, footage.gravity);
                Projection::Solid(Camera::new(&points, &area, from, gravity))
            }
        };
        Ok(Studio {
            marks: style.marks.unwrap_or(footage.survey().turns),
            footage,
            palette,
            clash,
            bounds,
            projection,
            footer,
            style,
        })
    }

    /// Makes a picture.
    pub fn paint(&self, shot: &Shot) -> Picture {
        let [width, height] = self.style.size;
        let mut pixmap = Pixmap::new(width, height)
            .unwrap_or_else(|| unreachable!("sides are from {} to {} pixels", SIDES[0], SIDES[1]));
        let [r, g, b] = self.style.theme.colour(Ink::Paper);
        pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        match &self.projection {
            Projection::Flat(view) => flat::paint(self, view, shot, &mut Sheet(&mut pixmap)),
            Projection::Solid(camera) => solid::paint(self, camera, shot, &mut pixmap),
        }
        let mut sheet = Sheet(&mut pixmap);
        if let Some(found) = &self.clash {
            clash::arrows(self, found, shot, &mut sheet);
        }
        let clock = clock(&self.style, self.clash.as_ref(), shot.time);
        self.footer.draw(&mut sheet, self.style.theme, &clock);
        // The paper is opaque, and so is every pixel.
        let colours = pixmap.data().chunks_exact(4);
        let mut pixels = Vec::with_capacity(3 * width as usize * height as usize);
        for pixel in colours {
            pixels.extend_from_slice(&pixel[..3]);
        }
        Picture {
            width,
            height,
            pixels,
        }
    }
}

/// What the picture says about when it is.
fn clock(style: &Style, clash: Option<&Clash>, time: f64) -> String {
    let time = match style.decimals {
        Some(decimals) => format!("{time:.decimals$}").replace('-', "−"),
        None => rounded(time, 7),
    };
    let collision = match clash {
        Some(clash) => format!("collision {}, ", clash.number),
        None => String::new(),
    };
    let speed = match style.speed {
        Some(speed) if speed != 1.0 => format!("  ({} ×)", rounded(speed, 3)),
        _ => String::new(),
    };
    format!("{collision}t = {time} s{speed}")
}

/// The width that the clock needs at most, in units of the size of the words: digits are not all of the same width.
fn clock_width(footage: &Footage, style: &Style, clash: &Option<Clash>) -> f64 {
    let time = clash.as_ref().map_or(footage.end, |clash| clash.time);
    let widest = clock(style, clash.as_ref(), time).replace(|c: char| c.is_ascii_digit(), "4");
    crate::canvas::text_width(&widest, 1.0)
}

fn fitted(bounds: &Bounds, area: &Area) -> Flat {
    let sides = [0, 1].map(|i| (bounds.high[i] - bounds.low[i]).max(f64::MIN_POSITIVE));
    let scale = (area.width / sides[0]).min(area.height / sides[1]);
    let middle = bounds.middle();
    Flat {
        scale,
        origin: [
            area.x + 0.5 * area.width - scale * middle[0],
            area.y + 0.5 * area.height + scale * middle[1],
        ],
    }
}

/// Where bodies are at any time, and fixtures that has an end and is not far away.
fn seen(footage: &Footage) -> Bounds {
    let moved = footage.survey().bounds.settled();
    let mut bounds = moved;
    for thing in footage.things.iter().filter(|thing| !thing.moves) {
        let mut wider = bounds;
        thing.widen(&mut wider);
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    let dimension = footage.dimension();
    let walls = footage.things.iter().filter(|thing| !thing.moves);
    for wall in walls {
        // A ball may never come up to a wall; the container is seen as a whole where it is not much larger.
        let Some(normal) = wall.wall_normal() else {
            continue;
        };
        for i in 0..dimension {
            if normal[i].abs() > 1.0 - 1e-9 && dot(normal, normal) > 0.0 {
                let mut wider = bounds;
                wider.low[i] = wider.low[i].min(wall.position[i]);
                wider.high[i] = wider.high[i].max(wall.position[i]);
                if wider.diagonal() <= 1.5 * moved.diagonal() {
                    bounds = wider;
                }
            }
        }
    }
    for tube in footage.things.iter() {
        let mut wider = bounds;
        for line in tube_rings(tube, &bounds) {
            wider.add(line, 0.0);
        }
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    let radii = footage.things.iter().filter_map(|t| radius(&t.form));
    let largest = radii.fold(0.0, f64::max);
    for (i, &period) in footage.periods.iter().enumerate() {
        if period > 0.0 {
            // Balls at the edge reach over it.
            let over = largest.min(0.1 * period);
            (bounds.low[i], bounds.high[i]) = (-over, period + over);
        }
    }
    if dimension == 2 {
        let sides = [0, 1].map(|i| bounds.high[i] - bounds.low[i]);
        let margin = 0.035 * sides[0].max(sides[1]);
        for i in 0..2 {
            bounds.low[i] -= margin;
            bounds.high[i] += margin;
        }
        (bounds.low[2], bounds.high[2]) = (0.0, 0.0);
    }
    bounds
}

/// Places around the ends of a tube, as far as other things reach.
fn tube_rings(thing: &Thing, bounds: &Bounds) -> Vec<Place> {
    match thing.form {
        Form::Tube(..) => thing
            .world_lines(bounds, false)
            .into_iter()
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

/// Places that have to be seen: the corners of what is seen, or, where that is a hollow, places on it.
fn outline(footage: &Footage, bounds: &Bounds) -> Vec<Place> {
    let around = footage.things.iter().find_map(|thing| match thing.form {
        Form::Hollow(radius) => {
            let fits = |i: usize| {
                let side = bounds.high[i] - bounds.low[i];
                (side - 2.0 * radius).abs() < 0.01 * radius
            };
            (0..3).all(fits).then_some((thing.position, radius))
        }
        _ => None,
    });
    let Some((centre, radius)) = around else {
        return bounds.corners().collect();
    };
    // Along a spiral from pole to pole, by the golden angle: evenly spread.
    const PLACES: u32 = 400;
    (0..PLACES)
        .map(|place| {
            let z = 1.0 - 2.0 * (f64::from(place) + 0.5) / f64::from(PLACES);
            let across = (1.0 - z * z).sqrt();
            let angle = 2.399_963_229_728_653 * f64::from(place);
            let unit = [across * libm::cos(angle), across * libm::sin(angle), z];
            [0, 1, 2].map(|i| centre[i] + radius * unit[i])
        })
        .collect()
}

/// The radius of a ball, m.
pub(super) fn radius(form: &Form) -> Option<f64> {
    match form {
        Form::Ball(radius) => Some(*radius),
        _ => None,
    }
}

/// How lines of fixtures are drawn.
pub(super) fn dash(sensor: bool) -> Dash {
    if sensor { Dash::Short } else { Dash::Solid }
}
