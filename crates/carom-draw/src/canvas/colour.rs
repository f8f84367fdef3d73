//! Colours by what they are for, and their values by theme.
//!
//! Series have the colours of Okabe and Ito (2008), which people with any kind of colour blindness tell apart; in the
//! dark they are lightened until each stands out from the paper. Nothing is told by colour alone: lines differ in how
//! they are broken, dots in their shape.

/// A colour by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// What is drawn on.
    Paper,
    /// Words, axes, and what matters most.
    Text,
    /// Words of less weight.
    Quiet,
    /// Lines of a grid.
    Grid,
    /// Walls and other fixtures.
    Wall,
    /// Data, by number; there are [`Ink::SERIES`], then they come again.
    Series(u8),
}

impl Ink {
    /// How many colours of data there are.
    pub const SERIES: usize = 7;

    /// The n-th colour of data.
    pub fn series(number: usize) -> Self {
        Ink::Series((number % Self::SERIES) as u8)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Ink> {
        let others = [Ink::Paper, Ink::Text, Ink::Quiet, Ink::Grid, Ink::Wall];
        others.into_iter().chain((0..Self::SERIES).map(Ink::series))
    }

    /// In style sheets.
    pub(crate) fn class(self) -> String {
        match self {
            Ink::Paper => "paper".to_owned(),
            Ink::Text => "text".to_owned(),
            Ink::Quiet => "quiet".to_owned(),
            Ink::Grid => "grid".to_owned(),
            Ink::Wall => "wall".to_owned(),
            Ink::Series(number) => format!("s{number}"),
        }
    }
}

/// What is drawn on, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// On white.
    Light,
    /// On nearly black.
    Dark,
    /// On white, in greys that a black-and-white printer keeps apart.
    Print,
}

/// Blue, vermilion, bluish green, reddish purple, orange, sky blue, grey: the order keeps neighbours far apart.
const LIGHT: [u32; Ink::SERIES] = [
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x6B6B6B,
];
const DARK: [u32; Ink::SERIES] = [
    0x4FA8E8, 0xFF8A45, 0x2CC79B, 0xE59AC6, 0xF2B32E, 0x8FD0F7, 0xB0B0B0,
];
/// Steps of equal lightness from black to what is still seen on white, in an order that keeps neighbours in a stack far
/// apart.
const PRINT: [u32; Ink::SERIES] = [
    0x000000, 0x747474, 0x393939, 0xB3B3B3, 0x565656, 0x939393, 0x1F1F1F,
];

impl Theme {
    /// A colour: red, green, blue.
    pub fn colour(self, ink: Ink) -> [u8; 3] {
        let hex = match (self, ink) {
            (Theme::Light, Ink::Series(number)) => LIGHT[usize::from(number)],
            (Theme::Dark, Ink::Series(number)) => DARK[usize::from(number)],
            (Theme::Print, Ink::Series(number)) => PRINT[usize::from(number)],
            (Theme::Dark, Ink::Paper) => 0x16181D,
            (Theme::Dark, Ink::Text) => 0xECECEC,
            (Theme::Dark, Ink::Quiet) => 0xA9AEB8,
            (Theme::Dark, Ink::Grid) => 0x30343C,
            (Theme::Dark, Ink::Wall) => 0x8C92A0,
            (_, Ink::Paper) => 0xFFFFFF,
            (Theme::Light, Ink::Text) => 0x1A1A1A,
            (Theme::Print, Ink::Text) => 0x000000,
            (Theme::Light, Ink::Quiet) => 0x5A5F68,
            (Theme::Print, Ink::Quiet) => 0x333333,
            (Theme::Light, Ink::Grid) => 0xE3E5E8,
            (Theme::Print, Ink::Grid) => 0xDDDDDD,
            (Theme::Light, Ink::Wall) => 0x7B808A,
            (Theme::Print, Ink::Wall) => 0x707070,
        };
        [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
    }

    /// As style sheets write it.
    pub(crate) fn hex(self, ink: Ink) -> String {
        let [r, g, b] = self.colour(ink);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of sRGB, as the Web Content Accessibility Guidelines have it.
    fn luminance(colour: [u8; 3]) -> f64 {
        let linear = |byte: u8| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                libm::pow((c + 0.055) / 1.055, 2.4)
            }
        };
        let [r, g, b] = colour.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Lightness as eyes see it (L* of CIE 1976), from 0 to 100.
    fn lightness(colour: [u8; 3]) -> f64 {
        match luminance(colour) {
            y if y > 0.008_856 => 116.0 * libm::cbrt(y) - 16.0,
            y => 903.3 * y,
        }
    }

    /// A step of 10 is told apart side by side, in print too; neighbours in stacks and legends are at least twice as
    /// far apart.
    #[test]
    fn greys_of_print_are_told_apart() {
        let greys: Vec<f64> = (0..Ink::SERIES)
            .map(|n| lightness(Theme::Print.colour(Ink::series(n))))
            .collect();
        for (i, a) in greys.iter().enumerate() {
            for (j, b) in greys.iter().enumerate().skip(i + 1) {
                let least = if j == i + 1 { 20.0 } else { 10.0 };
                assert!((a - b).abs() > least, "{i} {j}: {a} {b}");
            }
        }
    }

    #[test]
    fn words_can_be_read_and_data_seen_on_every_paper() {
        for theme in [Theme::Light, Theme::Dark, Theme::Print] {
            let paper = theme.colour(Ink::Paper);
            // Level AA asks for 4.5 for words. Okabe and Ito's orange and sky blue reach 2 on white, which is why lines
            // are wide and are never told by colour alone.
            assert!(contrast(theme.colour(Ink::Text), paper) > 7.0);
            assert!(contrast(theme.colour(Ink::Quiet), paper) > 4.5);
            for ink in (0..Ink::SERIES).map(Ink::series) {
                let found = contrast(theme.colour(ink), paper);
                assert!(found > 2.0, "{theme:?} {ink:?}: {found}");
            }
        }
    }
}
