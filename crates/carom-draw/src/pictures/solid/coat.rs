//! What is painted on balls: a stripe, and what is written on them.

use super::model::Tone;
use crate::canvas::{Anchor, text_width};
use crate::outlines::Place;
use crate::pictures::dress::Dress;
use crate::pictures::sheet::{Sheet, Words};
use tiny_skia::{Color, Pixmap};

/// Along either side of what is written.
const SIDE: usize = 96;
/// How large the white spots are that numbers are on, in radii of the ball.
const SPOT: f64 = 0.46;
/// Half as wide is the stripe, in radii of the ball.
const STRIPE: f64 = 0.56;
const WHITE: Tone = [250.0, 248.0, 240.0];

/// What is painted on a ball. Its frame has the stripe around x, and spots with its number at both ends of y and z.
#[derive(Debug, PartialEq)]
pub(crate) struct Coat {
    stripe: bool,
    /// How dark what is written is, from above, where there is anything.
    written: Option<Vec<u8>>,
}

impl Coat {
    /// Of a ball; `None` of one that is plain.
    pub fn of(dress: &Dress) -> Option<Self> {
        (dress.stripe || dress.label.is_some()).then(|| Coat {
            stripe: dress.stripe,
            written: dress.label.as_deref().and_then(written),
        })
    }

    /// The colour at a place of the ball of radius one, in its own frame.
    pub fn tone(&self, own: Tone, [x, y, z]: Place) -> Tone {
        let own = if self.stripe {
            blend(own, WHITE, smooth(STRIPE - 0.012, STRIPE + 0.012, x.abs()))
        } else {
            own
        };
        let Some(written) = &self.written else {
            return own;
        };
        // On which spot, and where on it: right and up as one looks at it from outside, with z or y up.
        let (out, right, up) = if z.abs() > y.abs() {
            (z.abs(), x * z.signum(), y)
        } else {
            (y.abs(), -x * y.signum(), z)
        };
        let away = (right * right + up * up).sqrt();
        if out < 0.5 || away > SPOT + 0.02 {
            return own;
        }
        let spot = blend(WHITE, own, smooth(SPOT - 0.015, SPOT + 0.015, away));
        let place = |c: f64| (0.5 * (c / SPOT + 1.0) * SIDE as f64).clamp(0.0, SIDE as f64 - 1.0);
        let (column, row) = (place(right) as usize, place(-up) as usize);
        let dark = f64::from(written[row * SIDE + column]) / 255.0;
        blend(spot, [20.0; 3], dark as f32)
    }
}

fn blend(a: Tone, b: Tone, share: f32) -> Tone {
    [0, 1, 2].map(|i| a[i] + share * (b[i] - a[i]))
}

/// From 0 to 1 between two values.
fn smooth(low: f64, high: f64, value: f64) -> f32 {
    ((value - low) / (high - low)).clamp(0.0, 1.0) as f32
}

/// Words as pixels.
fn written(text: &str) -> Option<Vec<u8>> {
    let mut pixmap = Pixmap::new(SIDE as u32, SIDE as u32)?;
    pixmap.fill(Color::WHITE);
    let side = SIDE as f64;
    let size = (0.82 * side / text_width(text, 1.0).max(0.9)).min(0.8 * side);
    let words = Words {
        size,
        anchor: Anchor::Middle,
        colour: [0; 3],
        halo: None,
    };
    Sheet(&mut pixmap).words([0.5 * side, 0.5 * side + 0.36 * size], words, text);
    let pixels = pixmap.data().chunks_exact(4);
    Some(pixels.map(|pixel| 255 - pixel[0]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_striped_ball_is_white_at_its_ends_and_has_its_number_on_top() {
        let dress = Dress {
            stripe: true,
            label: Some("9".to_owned()),
            ..Dress::default()
        };
        let coat = Coat::of(&dress).unwrap();
        let yellow = [240.0, 200.0, 30.0];
        assert_eq!(coat.tone(yellow, [1.0, 0.0, 0.0]), WHITE);
        let between = [0.0, 0.71, 0.7];
        assert_eq!(coat.tone(yellow, between), yellow);
        // Of the spot on top, some is white and some is black.
        let spots = (0..400).map(|n| {
            let (x, y) = (
                f64::from(n % 20) / 30.0 - 0.32,
                f64::from(n / 20) / 30.0 - 0.32,
            );
            coat.tone(yellow, [x, y, (1.0 - x * x - y * y).sqrt()])[0]
        });
        let spots: Vec<f32> = spots.collect();
        assert!(spots.iter().any(|&tone| tone < 60.0) && spots.iter().any(|&tone| tone > 240.0));
        assert_eq!(Coat::of(&Dress::default()), None);
    }
}
