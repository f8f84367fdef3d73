//! Profiles across the box: how density, mean velocity and temperature vary along each axis.
//!
//! Free balls at the instants of the second half of the run are sorted into slices of equal width. The density is the
//! number of centres in a slice over what it would be were they spread evenly; the temperature of a slice is relative
//! to its own mean velocity.

use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, Look};
use crate::recording::Recording;

/// Slices along an axis.
const SLICES: usize = 24;

/// What is in a slice.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    balls: f64,
    mass: f64,
    momentum: [f64; 3],
    twice_energy: f64,
}

impl Slice {
    fn velocity(&self, i: usize) -> f64 {
        self.momentum[i] / self.mass
    }

    fn temperature(&self, dimension: usize) -> f64 {
        let common: f64 = self.momentum.iter().map(|p| p * p / self.mass).sum();
        (self.twice_energy - common).max(0.0) / (dimension as f64 * self.balls)
    }
}

/// From where to where balls are along an axis, m.
fn range(looks: &[Look], axis: usize, period: f64) -> [f64; 2] {
    if period > 0.0 {
        return [0.0, period];
    }
    let places = looks.iter().flat_map(|look| &look.positions);
    places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| {
        [low.min(place[axis]), high.max(place[axis])]
    })
}

fn slices(looks: &[Look], axis: usize, [low, high]: [f64; 2]) -> Vec<Slice> {
    let mut slices = vec![Slice::default(); SLICES];
    for look in looks {
        for ((place, velocity), &mass) in look
            .positions
            .iter()
            .zip(&look.velocities)
            .zip(&look.masses)
        {
            let share = (place[axis] - low) / (high - low);
            let slice = &mut slices[((share * SLICES as f64) as usize).min(SLICES - 1)];
            slice.balls += 1.0;
            slice.mass += mass;
            for (sum, part) in slice.momentum.iter_mut().zip(velocity) {
                *sum += mass * part;
                slice.twice_energy += mass * part * part;
            }
        }
    }
    slices
}

/// A level line over each slice; broken where a slice is empty.
fn levels(slices: &[Slice], [low, high]: [f64; 2], value: impl Fn(&Slice) -> f64) -> Vec<Point> {
    let width = (high - low) / SLICES as f64;
    let level = |(number, slice): (usize, &Slice)| {
        let from = low + width * number as f64;
        let value = value(slice);
        [[from, value], [from + width, value]]
    };
    slices.iter().enumerate().flat_map(level).collect()
}

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let dimension = recording.dimension();
    let axes = recording.axes();
    let looks = &digest.looks;
    let cut: Vec<([f64; 2], Vec<Slice>)> = (0..dimension)
        .map(|axis| {
            let range = range(looks, axis, recording.periods()[axis]);
            (range, slices(looks, axis, range))
        })
        .collect();
    let total: f64 = cut[0].1.iter().map(|slice| slice.balls).sum();
    let even = total / SLICES as f64;
    let rows: [(&str, &str); 3] = [
        ("density over its mean", ""),
        ("mean velocity", "m/s"),
        ("temperature kT", "J"),
    ];
    let mut panels = Vec::new();
    for (row, (label, unit)) in rows.into_iter().enumerate() {
        let mut beside = Vec::new();
        for (axis, (range, slices)) in cut.iter().enumerate() {
            let lines: Vec<(Option<String>, Vec<Point>)> = match row {
                0 => vec![(None, levels(slices, *range, |slice| slice.balls / even))],
                1 => (0..dimension)
                    .map(|i| {
                        let name = format!("along {}", axes[i]);
                        (
                            Some(name),
                            levels(slices, *range, |slice| slice.velocity(i)),
                        )
                    })
                    .collect(),
                _ => vec![(
                    None,
                    levels(slices, *range, |slice| slice.temperature(dimension)),
                )],
            };
            beside.push((axis, *range, lines));
        }
        // Panels beside each other have one scale.
        let values = beside.iter().flat_map(|(_, _, lines)| lines);
        let values = values.flat_map(|(_, points)| points.iter().map(|p| p[1]));
        let y = Axis::fitting(label, unit, values.chain([0.0]));
        for (axis, [low, high], lines) in beside {
            let x = Axis::new(axes[axis], "m", low, high);
            let y = match axis {
                0 => y.clone(),
                _ => Axis {
                    label: String::new(),
                    unit: String::new(),
                    ..y.clone()
                },
            };
            panels.push(Panel::new(x, y, 150.0, layers(lines)));
        }
    }
    Figure {
        name: "profiles",
        title: "Profiles across the box".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: dimension,
        notes: vec![format!(
            "{} at {} from t = {} s on, in {SLICES} slices along each axis.",
            count(
                (total / looks.len().max(1) as f64) as u64,
                "free ball",
                "free balls"
            ),
            count(looks.len() as u64, "instant", "instants"),
            rounded(looks.first().map_or(0.0, |look| look.time), 4)
        )],
    }
}

fn layers(lines: Vec<(Option<String>, Vec<Point>)>) -> Vec<Layer> {
    const DASHES: [Dash; 3] = [Dash::Solid, Dash::Long, Dash::Dots];
    let drawn = lines
        .into_iter()
        .enumerate()
        .map(|(place, (name, points))| {
            let pen = Pen {
                dash: DASHES[place % DASHES.len()],
                ..Pen::new(Ink::series(place), 1.7)
            };
            Layer {
                name,
                ..Layer::line("", &points, pen)
            }
        });
    drawn.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_are_counted_where_they_are() {
        // Two of 1 kg at ±1 m/s in the first slice: at rest in the mean, and m v² = 1 J in one of two dimensions.
        let look = Look {
            time: 0.0,
            positions: vec![[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [SLICES as f64, 0.0, 0.0]],
            velocities: vec![[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
            masses: vec![1.0; 3],
        };
        let range = range(std::slice::from_ref(&look), 0, 0.0);
        assert_eq!(range, [0.0, SLICES as f64]);
        let slices = slices(&[look], 0, range);
        assert_eq!(
            (slices[0].balls, slices[1].balls, slices[SLICES - 1].balls),
            (2.0, 0.0, 1.0)
        );
        assert_eq!(
            (slices[0].velocity(0), slices[0].temperature(2)),
            (0.0, 0.5)
        );
        assert_eq!(slices[SLICES - 1].velocity(1), 2.0);
        let drawn = levels(&slices, range, |slice| slice.velocity(1));
        assert!(drawn[2][1].is_nan() && drawn.len() == 2 * SLICES);
    }
}
