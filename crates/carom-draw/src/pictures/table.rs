//! A table in 2-D, seen from above: cloth, cushions, a wooden frame, pockets. In 3-D, where its cloth ends.

use super::dress::{Dress, WOOD, in_theme, surface};
use super::footage::Footage;
use super::palette::{Rgb, mix};
use super::sheet::Sheet;
use super::studio::{Flat, Studio, radius};
use crate::canvas::{Step, Theme, circle};
use crate::outlines::{Bounds, Form, Place, Thing};

/// Where the cloth is, and how wide cushions and frame are around it, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    cloth: Bounds,
    cushion: f64,
    frame: f64,
    colours: [Rgb; 2],
    /// Whether cushions are walls without an end, which have no width of their own.
    walls: bool,
}

/// Whether a body is a cushion.
fn is_cushion(thing: &Thing, dress: &Dress) -> bool {
    !thing.moves && dress.colour == surface("cushion", "")
}

impl Table {
    /// Of a scene with cushions around a rectangle; `None` of others.
    pub fn of(footage: &Footage) -> Option<Self> {
        match footage.dimension() {
            2 => Table::among(&footage.things, &footage.dresses),
            _ => None,
        }
    }

    /// The same of things and what they look like, in 2-D.
    pub fn among(things: &[Thing], dresses: &[Dress]) -> Option<Self> {
        let mut cloth = Bounds::NOTHING;
        let (mut sides, mut walls) = ([[false; 2]; 2], false);
        let dressed = things.iter().zip(dresses);
        for (thing, _) in dressed.filter(|(thing, dress)| is_cushion(thing, dress)) {
            match thing.wall_normal() {
                Some(normal) => {
                    walls = true;
                    for i in 0..2 {
                        if normal[i].abs() > 1.0 - 1e-9 {
                            sides[i][usize::from(normal[i] < 0.0)] = true;
                            let at = thing.position[i];
                            (cloth.low[i], cloth.high[i]) =
                                (cloth.low[i].min(at), cloth.high[i].max(at));
                        }
                    }
                }
                None => {
                    thing.widen(&mut cloth);
                    sides = [[true; 2]; 2];
                }
            }
        }
        let balls = things.iter().filter(|thing| thing.moves);
        let radii = balls.filter_map(|thing| radius(&thing.form));
        let ball = radii.fold(0.0, f64::max);
        let around = sides.iter().flatten().all(|&side| side);
        (around && ball > 0.0).then(|| Table {
            cloth,
            cushion: if walls { 1.5 * ball } else { 0.0 },
            frame: 2.4 * ball,
            colours: [surface("cloth", ""), surface("cushion", "")].map(Option::unwrap_or_default),
            walls,
        })
    }

    /// What has to be seen of it.
    pub fn widen(&self, bounds: &mut Bounds) {
        let wide = self.cushion + self.frame;
        for i in 0..2 {
            bounds.low[i] = bounds.low[i].min(self.cloth.low[i] - wide);
            bounds.high[i] = bounds.high[i].max(self.cloth.high[i] + wide);
        }
    }

    /// Whether it draws a body itself: cushions without an end, and pockets.
    pub fn has(&self, thing: &Thing, dress: &Dress) -> bool {
        let wall = matches!(thing.form, Form::Wall(_));
        self.walls && wall && is_cushion(thing, dress) || dress.pocket
    }

    /// Its parts as rectangles (low and high corner, m), each over the last, with the radius of their corners (m) and
    /// their colours.
    pub fn parts(&self, theme: Theme) -> Vec<([Place; 2], f64, Rgb)> {
        let [cloth, cushion] = self.colours.map(|colour| in_theme(colour, theme));
        let wood = in_theme(WOOD, theme);
        let part = |margin: f64, corner: f64, colour: Rgb| {
            let grown = |place: Place, by: f64| [place[0] + by, place[1] + by, 0.0];
            let corners = [
                grown(self.cloth.low, -margin),
                grown(self.cloth.high, margin),
            ];
            (corners, corner, colour)
        };
        let wide = self.cushion + self.frame;
        let mut parts = vec![
            part(wide, 0.6 * wide, mix(wood, [0; 3], 0.35)),
            part(0.96 * wide, 0.55 * wide, wood),
        ];
        if self.cushion > 0.0 {
            parts.push(part(
                self.cushion,
                0.3 * self.cushion,
                mix(cushion, [0; 3], 0.25),
            ));
            parts.push(part(0.92 * self.cushion, 0.25 * self.cushion, cushion));
        }
        parts.push(part(0.0, 0.0, cloth));
        parts
    }

    pub(super) fn draw(&self, studio: &Studio<'_>, view: &Flat, sheet: &mut Sheet<'_>) {
        let theme = studio.style.theme;
        let wood = in_theme(WOOD, theme);
        for ([low, high], corner, colour) in self.parts(theme) {
            let ([left, bottom], [right, top]) = (view.at(low), view.at(high));
            let round = view.scale * corner;
            sheet.fill(&rounded([left, top, right, bottom], round), colour, 1.0);
        }
        for (thing, dress) in studio.footage.things.iter().zip(&studio.footage.dresses) {
            if let (true, Form::Ball(radius) | Form::Hollow(radius)) = (dress.pocket, &thing.form) {
                let at = view.at(thing.position);
                let r = view.scale * radius;
                sheet.fill(&circle(at, 1.12 * r), mix(wood, [0; 3], 0.5), 1.0);
                sheet.fill(&circle(at, r), [0x0C, 0x0E, 0x0E], 1.0);
            }
        }
    }
}

/// Where a table with pockets ends in 3-D: with what stands around them. Its cloth is a wall without an end, and was
/// seen on all sides of the frame.
pub(crate) fn rim(things: &[Thing], dresses: &[Dress]) -> Option<Bounds> {
    if !dresses.iter().any(|dress| dress.pocket) {
        return None;
    }
    let mut rim = Bounds::NOTHING;
    for thing in things.iter().filter(|thing| !thing.moves) {
        thing.widen(&mut rim);
    }
    (0..3).all(|i| rim.low[i] <= rim.high[i]).then_some(rim)
}

/// A place of a wall with this normal, moved to where the table ends.
pub(crate) fn within_rim(rim: &Bounds, normal: Place, place: Place) -> Place {
    [0, 1, 2].map(|i| match normal[i].abs() {
        across if across < 1e-9 => place[i].clamp(rim.low[i], rim.high[i]),
        _ => place[i],
    })
}

/// A rectangle (left, top, right, bottom) with round corners.
pub(super) fn rounded([left, top, right, bottom]: [f64; 4], round: f64) -> Vec<Step> {
    let r = round
        .min(0.5 * (right - left))
        .min(0.5 * (bottom - top))
        .max(0.0);
    let k = 0.447_715_250_169_206_6 * r;
    vec![
        Step::Move([left + r, top]),
        Step::Line([right - r, top]),
        Step::Curve([right - k, top], [right, top + k], [right, top + r]),
        Step::Line([right, bottom - r]),
        Step::Curve(
            [right, bottom - k],
            [right - k, bottom],
            [right - r, bottom],
        ),
        Step::Line([left + r, bottom]),
        Step::Curve([left + k, bottom], [left, bottom - k], [left, bottom - r]),
        Step::Line([left, top + r]),
        Step::Curve([left, top + k], [left + k, top], [left + r, top]),
        Step::Close,
    ]
}
