//! Temperature against time; of a gas that cools, on logarithmic axes, with Haff's law.
//!
//! A granular gas loses a share of its energy at every collision, and collides at a rate that goes with the root of
//! its temperature: `dT/dt ∝ −T^{3/2}`, so that `T = T₀ / (1 + t/τ)²` (Haff, J. Fluid Mech. 134, 401, 1983). Then
//! `1/√T` is a straight line in time, `(1 + t/τ)/√T₀`, which is fitted by least squares; the two numbers are said.

use super::{thinned, time_axis};
use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, rounded};
use crate::digest::{Digest, Warmth};
use crate::recording::Recording;

/// A gas cools whose temperature falls below this share of what it was.
const COOLS: f64 = 0.7;

/// T₀ (J) and τ (s) of Haff's law.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Haff {
    start: f64,
    time: f64,
}

impl Haff {
    /// The law nearest to some temperatures; `None` where they do not fall.
    fn fitted(warmth: &[Warmth]) -> Option<Haff> {
        let points: Vec<Point> = warmth
            .iter()
            .filter(|w| w.temperature > 0.0)
            .map(|w| [w.time, 1.0 / w.temperature.sqrt()])
            .collect();
        let first = warmth.first()?.temperature;
        let last = warmth.last()?.temperature;
        if points.len() < 3 || !(last < COOLS * first) {
            return None;
        }
        let count = points.len() as f64;
        let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / count;
        let (time, root) = (mean(0), mean(1));
        let square: f64 = points.iter().map(|p| (p[0] - time) * (p[0] - time)).sum();
        let both: f64 = points.iter().map(|p| (p[0] - time) * (p[1] - root)).sum();
        let slope = both / square;
        let at_start = root - slope * time;
        (slope > 0.0 && at_start > 0.0).then(|| Haff {
            start: 1.0 / (at_start * at_start),
            time: at_start / slope,
        })
    }

    fn at(&self, time: f64) -> f64 {
        let shrunk = 1.0 + time / self.time;
        self.start / (shrunk * shrunk)
    }
}

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let warmth = &digest.warmth;
    let law = Haff::fitted(warmth);
    let (kept, note) = thinned(warmth.len());
    let points: Vec<Point> = kept
        .iter()
        .map(|&row| [warmth[row].time, warmth[row].temperature])
        .collect();
    let mut notes: Vec<String> = note.into_iter().collect();
    let ink = Pen::new(Ink::series(0), 2.0);
    let mut layers = vec![Layer::line("kT of the run", &points, ink)];
    let (mut x, mut y) = (
        time_axis(recording),
        Axis::fitting(
            "temperature kT",
            "J",
            points.iter().map(|p| p[1]).chain([0.0]),
        ),
    );
    if let Some(law) = law {
        // The start is infinitely far to the left on such an axis.
        let seen: Vec<Point> = points
            .iter()
            .copied()
            .filter(|p| p[0] > 0.0 && p[1] > 0.0)
            .collect();
        layers = vec![Layer::line("kT of the run", &seen, ink)];
        let positive = seen.iter();
        x = Axis {
            is_time: true,
            ..Axis::logarithmic("time", "s", positive.clone().map(|p| p[0]))
        };
        y = Axis::logarithmic("temperature kT", "J", positive.map(|p| p[1]));
        let (from, to) = (x.from, x.to);
        let curve: Vec<Point> = (0..=120)
            .map(|step| from * libm::pow(to / from, f64::from(step) / 120.0))
            .map(|time| [time, law.at(time)])
            .collect();
        let pen = Pen {
            dash: Dash::Long,
            ..Pen::new(Ink::series(1), 1.8)
        };
        layers.push(Layer::line("Haff's law, T₀/(1 + t/τ)²", &curve, pen));
        notes.insert(
            0,
            format!(
                "Haff's law fitted to 1/√T: T₀ = {} J, τ = {} s.",
                rounded(law.start, 4),
                rounded(law.time, 4)
            ),
        );
    }
    notes.push(
        "kT is the mean of m v² over free bodies and dimensions, relative to their common motion."
            .to_owned(),
    );
    Figure {
        name: "temperature",
        title: "Temperature".to_owned(),
        subtitle: recording.caption(),
        panels: vec![Panel::new(x, y, 340.0, layers)],
        columns: 1,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_is_found_where_it_holds() {
        let law = Haff {
            start: 3.0,
            time: 0.5,
        };
        let warmth: Vec<Warmth> = (0..50)
            .map(|step| 0.2 * f64::from(step))
            .map(|time| Warmth {
                time,
                temperature: law.at(time),
            })
            .collect();
        let found = Haff::fitted(&warmth).unwrap();
        // Sums of fifty numbers.
        assert!((found.start / 3.0 - 1.0).abs() < 1e-12, "{found:?}");
        assert!((found.time / 0.5 - 1.0).abs() < 1e-12, "{found:?}");
        let steady = [
            Warmth {
                time: 0.0,
                temperature: 1.0,
            },
            Warmth {
                time: 1.0,
                temperature: 0.99,
            },
        ];
        assert_eq!(Haff::fitted(&steady), None);
        assert_eq!(Haff::fitted(&[]), None);
    }
}
