//! Makes pictures of instants: what is seen from where, and in which colours.

use super::aim::{self, Aim, Follow};
use super::clash;
use super::footage::{Clash, Footage, Shot};
use super::footer::{Entry, Footer};
use super::joints;
use super::overlay::{self, Show};
use super::palette::{ColourBy, Key, Palette};
use super::sheet::Sheet;
use super::solid::{Camera, Coat, Viewpoint};
use super::{Picture, SIDES, flat, solid};
use crate::canvas::{Area, Dash, Ink, Point, Theme};
use crate::chart::rounded;
use crate::error::DrawError;
use crate::outlines::{Bounds, Form, Place, scaled, sum};
use std::collections::BTreeMap;
use std::sync::Arc;
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
    /// From where, in 3-D; `None`: from a corner, and from higher up where everything lies flat.
    pub viewpoint: Option<Viewpoint>,
    /// What stays in the middle.
    pub follow: Follow,
    /// The place in the middle at the start, m; `None`: the middle of what is seen.
    pub look_at: Option<Place>,
    /// What is drawn besides bodies.
    pub show: Show,
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
            viewpoint: None,
            follow: Follow::default(),
            look_at: None,
            show: Show::default(),
            marks: None,
            words: true,
            decimals: None,
            speed: None,
        }
    }
}

/// A place where pictures of a run are made.
#[derive(Clone, Debug)]
pub struct Studio<'f> {
    pub(super) footage: &'f Footage,
    pub(super) style: Style,
    pub(super) palette: Palette,
    pub(super) clash: Option<Clash>,
    pub(super) bounds: Bounds,
    pub(super) projection: Projection,
    pub(super) marks: bool,
    /// What is painted on balls in space, by id.
    pub(super) coats: BTreeMap<usize, Arc<Coat>>,
    /// Where what is drawn goes, pixels: below a title, above the footer.
    pub(super) area: Area,
    aim: Aim,
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
    /// For pictures of a run; with a collision, for that of its instant. Longer than most: all that a picture needs
    /// is gathered here, piece by piece.
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
            entries.extend(overlay::entries(footage, &style));
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
        let head = overlay::title_height(&style);
        let area = Area {
            x: 0.0,
            y: head,
            width: f64::from(width),
            height: (f64::from(height) - footer.height() - head).max(1.0),
        };
        let from = aim::viewpoint(footage, &style);
        let (aim, near) = match (style.view, style.follow, &clash) {
            (_, _, Some(_)) => (Aim::Still, None),
            (View::Natural, follow, None) => Aim::new(footage, follow, &area, from, style.size),
            (_, Follow::Body(id), None) => {
                Aim::new(footage, Follow::Body(id), &area, from, style.size)
            }
            _ => (Aim::Still, None),
        };
        let bounds = match (style.view, &clash, near) {
            (View::Part(low, high), ..) => Bounds { low, high },
            (View::Natural, Some(clash), _) => clash::around(footage, clash),
            (View::Natural, None, Some(near)) => near,
            (View::All, ..) => aim::everything(footage),
            _ => aim::seen(footage),
        };
        let bounds = match style.look_at {
            Some(place) => aim::moved(&bounds, sum(place, scaled(bounds.middle(), -1.0))),
            None => bounds,
        };
        let projection = match footage.dimension() {
            2 => {
                // What someone asks for is in the middle.
                let asked = style.look_at.is_some() || matches!(style.view, View::Part(..));
                let ground = (!asked && clash.is_none()).then(|| aim::ground(footage));
                Projection::Flat(aim::fitted(&bounds, &area, ground.flatten()))
            }
            _ => {
                let points = match style.look_at {
                    Some(_) => bounds.corners().collect(),
                    None => aim::outline(footage, &bounds),
                };
                Projection::Solid(Camera::new(&points, &area, from, footage.gravity))
            }
        };
        Ok(Studio {
            marks: style.marks.unwrap_or(footage.survey().turns),
            coats: coats(footage),
            footage,
            palette,
            clash,
            bounds,
            projection,
            area,
            aim,
            footer,
            style,
        })
    }

    /// The size of a picture in which what is seen fits, where none is asked for: with about as many pixels as a wide
    /// one has.
    pub fn natural_size(
        footage: &Footage,
        style: &Style,
        clash: Option<&Clash>,
        wide: [u32; 2],
    ) -> [u32; 2] {
        let from = aim::viewpoint(footage, style);
        let shape = match (style.view, style.follow, clash) {
            (View::Part(low, high), ..) => aim::shape(footage, &Bounds { low, high }, from),
            (View::Natural, _, Some(_)) | (_, Follow::Body(_), _) => return wide,
            (View::Natural, follow, None) if aim::follows(footage, follow, from, wide) => {
                return wide;
            }
            (View::All, ..) => aim::shape(footage, &aim::everything(footage), from),
            _ => aim::shape(footage, &aim::seen(footage), from),
        };
        aim::size_of(shape, wide)
    }

    /// Whether any free body is in the picture of an instant.
    pub fn sees(&self, shot: &Shot) -> bool {
        let following = self.following(shot);
        let studio = following.as_ref().unwrap_or(self);
        let [width, height] = [self.area.right(), self.area.bottom()];
        let seen = |(member, id): (usize, &usize)| {
            let place = shot.stances[member].position;
            self.footage.bodies[*id].free
                && (studio.projection.project(place)).is_some_and(|[x, y]| {
                    (0.0..=width).contains(&x) && (self.area.y..=height).contains(&y)
                })
        };
        self.footage.cast.iter().enumerate().any(seen)
    }

    /// Of its pictures, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.style.size
    }

    /// The same, from where what is followed is.
    fn following(&self, shot: &Shot) -> Option<Studio<'f>> {
        let by = self.aim.shift(self.footage, shot)?;
        Some(Studio {
            bounds: aim::moved(&self.bounds, by),
            projection: self.projection.moved(by),
            ..self.clone()
        })
    }

    /// Makes a picture.
    pub fn paint(&self, shot: &Shot) -> Picture {
        match self.following(shot) {
            Some(studio) => studio.paint_here(shot),
            None => self.paint_here(shot),
        }
    }

    fn paint_here(&self, shot: &Shot) -> Picture {
        let [width, height] = self.style.size;
        let mut pixmap = Pixmap::new(width, height)
            .unwrap_or_else(|| unreachable!("sides are from {} to {} pixels", SIDES[0], SIDES[1]));
        let [r, g, b] = self.style.theme.colour(Ink::Paper);
        pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        match &self.projection {
            Projection::Flat(view) => flat::paint(self, view, shot, &mut Sheet(&mut pixmap)),
            Projection::Solid(camera) => {
                solid::paint(self, camera, shot, &mut pixmap);
                joints::draw(self, shot, &mut Sheet(&mut pixmap));
            }
        }
        let mut sheet = Sheet(&mut pixmap);
        if let Some(found) = &self.clash {
            clash::arrows(self, found, shot, &mut sheet);
        }
        overlay::draw(self, shot, &mut sheet);
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

/// What is painted on balls; nothing in 2-D, where it is drawn.
fn coats(footage: &Footage) -> BTreeMap<usize, Arc<Coat>> {
    let dresses = footage.dresses.iter().enumerate();
    let coat = |(id, dress)| Some((id, Arc::new(Coat::of(dress)?)));
    match footage.dimension() {
        2 => BTreeMap::new(),
        _ => dresses.filter_map(coat).collect(),
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
