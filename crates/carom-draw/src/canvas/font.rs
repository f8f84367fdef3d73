//! The font that every drawing brings along: Inter, cut down to the letters of European languages, Greek, and signs of
//! mathematics (`fonts/`).

use super::base64::base64;
use super::{Point, Step};
use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Outlines and widths.
pub(super) const FONT: &[u8] = include_bytes!("../../fonts/Inter-Regular.otf");
/// The same, as browsers take it.
const WEB_FONT: &[u8] = include_bytes!("../../fonts/Inter-Regular.woff2");

/// Its name in style sheets, of its own so that no other version of the font on a machine takes its place, and what
/// comes next where fonts cannot be embedded.
pub const FAMILY: &str = "'Carom Sans', Inter, Helvetica, Arial, sans-serif";

/// The rule of a style sheet that brings the font along.
pub fn font_face() -> String {
    format!(
        "@font-face{{font-family:'Carom Sans';src:url(data:font/woff2;base64,{}) format('woff2')}}",
        base64(WEB_FONT)
    )
}

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).ok()).as_ref()
}

/// The sign for a letter, and its width in units of the font's size. Letters that the font does not have are boxes.
fn glyph(face: &Face<'_>, letter: char) -> (GlyphId, f64) {
    let glyph = face.glyph_index(letter).unwrap_or_default();
    let advance = face.glyph_hor_advance(glyph).unwrap_or_default();
    (glyph, f64::from(advance) / f64::from(face.units_per_em()))
}

/// The letters of a text, with the numbers of their glyphs.
pub(super) fn glyphs(text: &str) -> Vec<(char, u16)> {
    let Some(face) = face() else {
        return Vec::new();
    };
    let of = |letter: char| (letter, glyph(face, letter).0.0);
    text.chars().map(of).collect()
}

/// How wide a glyph is, in units of the font's size.
pub(super) fn glyph_width(id: u16) -> f64 {
    let width = |face: &Face<'_>| {
        let advance = face.glyph_hor_advance(GlyphId(id)).unwrap_or_default();
        f64::from(advance) / f64::from(face.units_per_em())
    };
    face().map_or(0.0, width)
}

/// Of all glyphs together, in units of the font's size.
pub(super) struct Metrics {
    /// Left, low, right, high.
    pub bounds: [f64; 4],
    pub ascent: f64,
    /// Below zero.
    pub descent: f64,
    /// The height of capitals.
    pub capitals: f64,
}

pub(super) fn metrics() -> Metrics {
    let of = |face: &Face<'_>| {
        let unit = f64::from(face.units_per_em());
        let bounds = face.global_bounding_box();
        let share = |number: i16| f64::from(number) / unit;
        Metrics {
            bounds: [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(share),
            ascent: share(face.ascender()),
            descent: share(face.descender()),
            capitals: share(face.capital_height().unwrap_or_default()),
        }
    };
    face().map_or(
        Metrics {
            bounds: [0.0; 4],
            ascent: 0.0,
            descent: 0.0,
            capitals: 0.0,
        },
        of,
    )
}

/// How wide a text is.
pub fn text_width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.0 };
    let widths = text.chars().map(|letter| glyph(face, letter).1);
    size * widths.sum::<f64>()
}

/// The text that begins at the origin, as outlines.
pub(crate) fn outlines(text: &str, size: f64) -> Vec<Step> {
    let Some(face) = face() else {
        return Vec::new();
    };
    let mut pen = Outliner {
        steps: Vec::new(),
        x: 0.0,
        scale: size / f64::from(face.units_per_em()),
        last: [0.0; 2],
    };
    for letter in text.chars() {
        let (id, advance) = glyph(face, letter);
        face.outline_glyph(id, &mut pen);
        pen.x += advance * size;
    }
    pen.steps
}

struct Outliner {
    steps: Vec<Step>,
    x: f64,
    scale: f64,
    last: Point,
}

impl Outliner {
    fn place(&self, x: f32, y: f32) -> Point {
        [
            self.x + self.scale * f64::from(x),
            -self.scale * f64::from(y),
        ]
    }
}

impl OutlineBuilder for Outliner {
    fn move_to(&mut self, x: f32, y: f32) {
        self.last = self.place(x, y);
        self.steps.push(Step::Move(self.last));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.last = self.place(x, y);
        self.steps.push(Step::Line(self.last));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, via, to) = (self.last, self.place(x1, y1), self.place(x, y));
        let control = |end: Point| [0, 1].map(|i| end[i] + (via[i] - end[i]) * 2.0 / 3.0);
        self.steps.push(Step::Curve(control(from), control(to), to));
        self.last = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.last = self.place(x, y);
        let (first, second) = (self.place(x1, y1), self.place(x2, y2));
        self.steps.push(Step::Curve(first, second, self.last));
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_plots_say() {
        let face = face().expect("the bundled font can be read");
        for letter in "abcXYZ019äéßµαβγεθμπρστφωΔΣΩ·×−–…⁰¹²³⁴⁵⁶⁷⁸⁹⁻√∞≈≤≥→ℓ′".chars()
        {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
    }

    #[test]
    fn widths_add_up() {
        assert_eq!(text_width("", 12.0), 0.0);
        let (one, two) = (text_width("m", 10.0), text_width("mm", 10.0));
        assert!(one > 5.0 && (two - 2.0 * one).abs() < 1e-12, "{one} {two}");
        let steps = outlines("m", 10.0);
        assert!(steps.len() > 10);
        for step in steps {
            if let Step::Line([x, y]) = step {
                assert!((0.0..one).contains(&x) && (-10.0..=3.0).contains(&y));
            }
        }
    }
}
