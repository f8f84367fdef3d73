//! Marks in any colour on pixels.

use super::palette::Rgb;
use crate::canvas::{Anchor, Dash, Point, Step, outlines, path_of, text_width};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Pixmap, Stroke, StrokeDash, Transform};

/// How words are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub size: f64,
    pub anchor: Anchor,
    pub colour: Rgb,
    /// What is behind them, where that is not plain.
    pub halo: Option<Rgb>,
}

/// Pixels that are drawn on, y down.
pub(crate) struct Sheet<'p>(pub &'p mut Pixmap);

fn paint(colour: Rgb, opacity: f64) -> Paint<'static> {
    let [r, g, b] = colour;
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(r, g, b, (255.0 * opacity.clamp(0.0, 1.0)).round() as u8);
    paint
}

impl Sheet<'_> {
    pub fn fill(&mut self, steps: &[Step], colour: Rgb, opacity: f64) {
        if let Some(path) = path_of(steps) {
            let paint = paint(colour, opacity);
            let identity = Transform::identity();
            self.0
                .fill_path(&path, &paint, FillRule::Winding, identity, None);
        }
    }

    pub fn line(&mut self, steps: &[Step], colour: Rgb, width: f64, opacity: f64, dash: Dash) {
        let Some(path) = path_of(steps) else { return };
        let pattern = dash.pattern().iter().map(|l| (l * width.max(1.0)) as f32);
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(pattern.collect(), 0.0),
            ..Stroke::default()
        };
        let paint = paint(colour, opacity);
        self.0
            .stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }

    pub fn words(&mut self, [x, y]: Point, words: Words, text: &str) {
        let width = text_width(text, words.size);
        let begin = match words.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let Some(path) = path_of(&outlines(text, words.size)) else {
            return;
        };
        let place = Transform::from_translate(begin as f32, y as f32);
        if let Some(halo) = words.halo {
            let stroke = Stroke {
                width: (0.28 * words.size) as f32,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            self.0
                .stroke_path(&path, &paint(halo, 0.85), &stroke, place, None);
        }
        let paint = paint(words.colour, 1.0);
        self.0
            .fill_path(&path, &paint, FillRule::Winding, place, None);
    }

    /// A line with a head at its end. Where it is shorter than its head there is the head alone, and of nothing
    /// nothing.
    pub fn arrow(&mut self, from: Point, to: Point, colour: Rgb, width: f64, dash: Dash) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if !(length > 0.5) {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = (4.2 * width).min(length);
        let half = 0.42 * head;
        let neck = [to[0] - head * ux, to[1] - head * uy];
        let shaft = [Step::Move(from), Step::Line(neck)];
        if length > head {
            self.line(&shaft, colour, width, 1.0, dash);
        }
        let tip = [
            Step::Move(to),
            Step::Line([neck[0] - half * uy, neck[1] + half * ux]),
            Step::Line([neck[0] + half * uy, neck[1] - half * ux]),
            Step::Close,
        ];
        self.fill(&tip, colour, 1.0);
    }
}
