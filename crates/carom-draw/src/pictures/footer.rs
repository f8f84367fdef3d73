//! The words below a picture: the time, and what colours and arrows mean. They have paper of their own, and cover
//! nothing.

use super::palette::Rgb;
use super::sheet::{Sheet, Words};
use crate::canvas::{Anchor, Dash, Ink, Step, Theme, circle, text_width};
use crate::chart::shorten;

/// Something that is explained.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// What a colour means.
    Disc(Rgb, String),
    /// Colours from zero to something.
    Ramp(Vec<Rgb>, String),
    /// What an arrow means, of a colour and a width (in units of a thin one).
    Arrow(Rgb, f64, Dash, String),
    /// Words alone.
    Plain(String),
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(crate) struct Footer {
    size: f64,
    width: f64,
    top: f64,
    rows: usize,
    /// With the left edge and the row of each.
    entries: Vec<(f64, usize, Entry)>,
}

impl Entry {
    fn words(&self) -> &str {
        match self {
            Entry::Disc(_, words)
            | Entry::Ramp(_, words)
            | Entry::Arrow(.., words)
            | Entry::Plain(words) => words,
        }
    }

    /// Of what is before the words, in sizes of the words.
    fn sign(&self) -> f64 {
        match self {
            Entry::Disc(..) => 1.3,
            Entry::Ramp(..) => 8.2,
            Entry::Arrow(..) => 3.0,
            Entry::Plain(_) => 0.0,
        }
    }

    fn shortened(self, size: f64, width: f64) -> Self {
        let cut = |words: String| shorten(&words, size, width);
        match self {
            Entry::Disc(colour, words) => Entry::Disc(colour, cut(words)),
            Entry::Ramp(colours, words) => Entry::Ramp(colours, cut(words)),
            Entry::Arrow(colour, wide, dash, words) => Entry::Arrow(colour, wide, dash, cut(words)),
            Entry::Plain(words) => Entry::Plain(cut(words)),
        }
    }
}

/// Of a row, in sizes of the words.
const ROW: f64 = 1.7;

/// Of words in a picture, pixels.
pub(super) fn word_size([width, height]: [u32; 2]) -> f64 {
    // A strip has no smaller words than a picture of its width.
    let height = f64::from(height).max(0.5 * f64::from(width));
    (height.min(1.4 * f64::from(width)) / 42.0).clamp(10.0, 60.0)
}

impl Footer {
    /// Without words.
    pub fn none() -> Self {
        Footer {
            size: 0.0,
            width: 0.0,
            top: 0.0,
            rows: 0,
            entries: Vec::new(),
        }
    }

    /// For a picture, with a clock of a width in sizes of the words.
    pub fn new(sides: [u32; 2], clock: f64, entries: Vec<Entry>) -> Self {
        let [width, height] = sides.map(f64::from);
        // The clock has to fit.
        let size = word_size(sides).min(width / (clock + 2.0));
        let edge = 0.8 * size;
        let begin = edge + (clock + 2.0) * size;
        let (mut x, mut row) = (begin, 0);
        let mut placed = Vec::new();
        for entry in entries {
            let room = width - 2.0 * edge - entry.sign() * size;
            let entry = entry.shortened(size, room);
            let wide = entry.sign() * size + text_width(entry.words(), size);
            if x + wide > width - edge && x > edge {
                (x, row) = (edge, row + 1);
            }
            placed.push((x, row, entry));
            x += wide + 1.6 * size;
        }
        let rows = row + 1;
        let footer = Footer {
            size,
            width,
            top: 0.0,
            rows,
            entries: placed,
        };
        Footer {
            top: height - footer.height(),
            ..footer
        }
    }

    /// Pixels.
    pub fn height(&self) -> f64 {
        match self.rows {
            0 => 0.0,
            rows => (self.size * (ROW * rows as f64 + 0.5)).ceil(),
        }
    }

    pub fn draw(&self, sheet: &mut Sheet<'_>, theme: Theme, clock: &str) {
        if self.rows == 0 {
            return;
        }
        let size = self.size;
        let (x, y) = (self.width, self.top);
        let paper = [
            Step::Move([0.0, y]),
            Step::Line([x, y]),
            Step::Line([x, y + self.height() + 1.0]),
            Step::Line([0.0, y + self.height() + 1.0]),
            Step::Close,
        ];
        sheet.fill(&paper, theme.colour(Ink::Paper), 1.0);
        let words = Words {
            size,
            anchor: Anchor::Start,
            colour: theme.colour(Ink::Text),
            halo: None,
        };
        let base = |row: usize| self.top + size * (ROW * row as f64 + 1.35);
        sheet.words([0.8 * size, base(0)], words, clock);
        for (x, row, entry) in &self.entries {
            let (x, base) = (*x, base(*row));
            let middle = base - 0.36 * size;
            match entry {
                Entry::Disc(colour, _) => {
                    sheet.fill(
                        &circle([x + 0.45 * size, middle], 0.45 * size),
                        *colour,
                        1.0,
                    );
                }
                Entry::Ramp(colours, _) => {
                    sheet.words([x, base], words, "0");
                    let (from, step) = (x + size, 6.6 * size / colours.len() as f64);
                    for (place, colour) in colours.iter().enumerate() {
                        let left = from + step * place as f64;
                        let (up, down) = (middle - 0.4 * size, middle + 0.4 * size);
                        let bar = [
                            Step::Move([left, up]),
                            Step::Line([left + step + 0.5, up]),
                            Step::Line([left + step + 0.5, down]),
                            Step::Line([left, down]),
                            Step::Close,
                        ];
                        sheet.fill(&bar, *colour, 1.0);
                    }
                }
                Entry::Arrow(colour, wide, dash, _) => {
                    let to = [x + 2.5 * size, middle];
                    sheet.arrow([x, middle], to, *colour, wide * size / 9.0, *dash);
                }
                Entry::Plain(_) => (),
            }
            sheet.words([x + entry.sign() * size, base], words, entry.words());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_sticks_out_and_nothing_overlaps() {
        for size in [
            [200, 120],
            [320, 180],
            [1280, 720],
            [3840, 2160],
            [300, 900],
        ] {
            let entries = (0..7)
                .map(|n| Entry::Disc([0; 3], format!("a body with a long name {n}")))
                .chain([Entry::Plain("word ".repeat(60))]);
            let footer = Footer::new(size, 9.0, entries.collect());
            let edge = 0.8 * footer.size;
            assert!(edge + 9.0 * footer.size <= f64::from(size[0]), "{size:?}");
            let mut last = (0, edge + 9.0 * footer.size);
            for (x, row, entry) in &footer.entries {
                let end = x + entry.sign() * footer.size + text_width(entry.words(), footer.size);
                assert!(end <= f64::from(size[0]) - edge + 1e-9, "{size:?}");
                assert!(*row > last.0 || *x > last.1, "{size:?}");
                last = (*row, end);
            }
            assert!((footer.top + footer.height() - f64::from(size[1])).abs() < 1e-9);
        }
    }
}
