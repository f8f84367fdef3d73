//! A table in 2-D, seen from above: cloth, cushions, a wooden frame, pockets.

use super::dress::{WOOD, in_theme, surface};
use super::footage::Footage;
use super::palette::{Rgb, mix};
use super::sheet::Sheet;
use super::studio::{Flat, Studio, radius};
use crate::canvas::{Step, circle};
use crate::outlines::{Bounds, Form};

/// Where the cloth is, and how wide cushions and frame are around it, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    cloth: Bounds,
    cushion: f64,
    frame: f64,
    colours: [Rgb; 2],
    /// Whether cushions are walls without an end, which have no width of their own.
    walls: bool,
}

/// Whether a body is a cushion.
fn is_cushion(footage: &Footage, id: usize) -> bool {
    let cushion = surface("cushion", "");
    !footage.things[id].moves && footage.dresses[id].colour == cushion
}

impl Table {
    /// Of a scene with cushions around a rectangle; `None` of others.
    pub fn of(footage: &Footage) -> Option<Self> {
        if footage.dimension() != 2 {
            return None;
        }
        let mut cloth = Bounds::NOTHING;
        let (mut sides, mut walls) = ([[false; 2]; 2], false);
        for thing in footage
            .things
            .iter()
            .filter(|thing| is_cushion(footage, thing.id))
        {
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
        let radii = footage
            .cast
            .iter()
            .filter_map(|&id| radius(&footage.things[id].form));
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
    pub fn has(&self, footage: &Footage, id: usize) -> bool {
        let wall = matches!(footage.things[id].form, Form::Wall(_));
        self.walls && wall && is_cushion(footage, id) || footage.dresses[id].pocket
    }

    pub fn draw(&self, studio: &Studio<'_>, view: &Flat, sheet: &mut Sheet<'_>) {
        let theme = studio.style.theme;
        let [cloth, cushion] = self.colours.map(|colour| in_theme(colour, theme));
        let wood = in_theme(WOOD, theme);
        let mut rectangle = |margin: f64, corner: f64, colour: Rgb| {
            let [left, bottom] =
                view.at([self.cloth.low[0] - margin, self.cloth.low[1] - margin, 0.0]);
            let [right, top] = view.at([
                self.cloth.high[0] + margin,
                self.cloth.high[1] + margin,
                0.0,
            ]);
            let round = view.scale * corner;
            sheet.fill(&rounded([left, top, right, bottom], round), colour, 1.0);
        };
        let wide = self.cushion + self.frame;
        rectangle(wide, 0.6 * wide, mix(wood, [0; 3], 0.35));
        rectangle(0.96 * wide, 0.55 * wide, wood);
        if self.cushion > 0.0 {
            rectangle(self.cushion, 0.3 * self.cushion, mix(cushion, [0; 3], 0.25));
            rectangle(0.92 * self.cushion, 0.25 * self.cushion, cushion);
        }
        rectangle(0.0, 0.0, cloth);
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
