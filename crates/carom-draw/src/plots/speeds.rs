//! How many bodies are how fast, beside the Maxwell–Boltzmann distribution.
//!
//! In equilibrium each component of a body's velocity relative to the common motion is normal with variance `kT/m`.
//! Then the speed has the density `(m v / kT) exp(−m v² / 2kT)` in 2-D and
//! `√(2/π) (m/kT)^{3/2} v² exp(−m v² / 2kT)` in 3-D. Bodies of different masses share the temperature, and their
//! densities are averaged. The temperature is measured, not fitted: `kT = Σ m v² / D(N−1)`, since the common motion
//! takes D degrees of freedom.

use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, Look};
use crate::recording::Recording;
use std::collections::BTreeMap;

/// Relative differences of temperature up to which instants are taken together.
const STEADY: f64 = 0.1;

/// Speeds (m/s) relative to the common motion, and the temperature (J).
fn relative(look: &Look, dimension: usize) -> (Vec<f64>, f64) {
    let mass: f64 = look.masses.iter().sum();
    let mut common = [0.0; 3];
    for (velocity, m) in look.velocities.iter().zip(&look.masses) {
        for i in 0..3 {
            common[i] += m * velocity[i] / mass;
        }
    }
    let speeds: Vec<f64> = look
        .velocities
        .iter()
        .map(|v| {
            (0..3)
                .map(|i| (v[i] - common[i]) * (v[i] - common[i]))
                .sum::<f64>()
                .sqrt()
        })
        .collect();
    let energy: f64 = speeds
        .iter()
        .zip(&look.masses)
        .map(|(v, m)| m * v * v)
        .sum();
    let freedom = dimension as f64 * (speeds.len() as f64 - 1.0);
    (speeds, energy / freedom)
}

/// The density of speeds at a temperature, s/m.
fn density(speed: f64, mass: f64, temperature: f64, dimension: usize) -> f64 {
    let a = mass / temperature;
    let bell = libm::exp(-0.5 * a * speed * speed);
    match dimension {
        2 => a * speed * bell,
        _ => (2.0 / std::f64::consts::PI).sqrt() * a * a.sqrt() * speed * speed * bell,
    }
}

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let dimension = recording.dimension();
    let measured: Vec<(f64, Vec<f64>, f64)> = digest
        .looks
        .iter()
        .map(|look| {
            let (speeds, temperature) = relative(look, dimension);
            (look.time, speeds, temperature)
        })
        .collect();
    let last = measured.last().map_or(0.0, |(_, _, t)| *t);
    // Backwards from the end, as long as the temperature is what it is at the end.
    let steady = measured.iter().rev();
    let steady = steady.take_while(|(_, _, t)| (t - last).abs() <= STEADY * last);
    let steady: Vec<&(f64, Vec<f64>, f64)> = steady.collect();
    let temperature = steady.iter().map(|(_, _, t)| t).sum::<f64>() / steady.len().max(1) as f64;
    let speeds: Vec<f64> = steady
        .iter()
        .flat_map(|(_, speeds, _)| speeds.iter().copied())
        .collect();
    let from = steady.last().map_or(0.0, |(time, _, _)| *time);
    let to = steady.first().map_or(0.0, |(time, _, _)| *time);
    let fastest = speeds.iter().copied().fold(0.0, f64::max);
    let mut panel = Panel {
        heading: String::new(),
        x: Axis::new(
            "speed relative to the common motion",
            "m/s",
            0.0,
            if fastest > 0.0 { 1.02 * fastest } else { 1.0 },
        ),
        y: Axis::new("probability density", "s/m", 0.0, 1.0),
        height: 320.0,
        same_scale: false,
        layers: Vec::new(),
        message: None,
    };
    if fastest > 0.0 && temperature > 0.0 {
        fill(&mut panel, &speeds, fastest, temperature, dimension, digest);
    } else {
        panel.message = Some("Nothing moves relative to the common motion".to_owned());
    }
    let when = if steady.len() > 1 {
        format!(
            "{} from t = {} s to {} s",
            count(steady.len() as u64, "instant", "instants"),
            rounded(from, 4),
            rounded(to, 4)
        )
    } else {
        format!("the instant t = {} s", rounded(to, 4))
    };
    let balls = digest.looks.last().map_or(0, |look| look.masses.len());
    let mut notes = vec![format!(
        "{} at {when}: {} in all. The temperature kT = {} J is measured from these speeds, not fitted.",
        count(balls as u64, "ball", "balls"),
        count(speeds.len() as u64, "speed", "speeds"),
        rounded(temperature, 4)
    )];
    if steady.len() < measured.len() {
        notes.push(format!(
            "Earlier instants are left out: their temperature differs from that at the end by more than {} %.",
            rounded(100.0 * STEADY, 2)
        ));
    }
    Figure {
        name: "speeds",
        title: "Speeds".to_owned(),
        subtitle: recording.caption(),
        panels: vec![panel],
        columns: 1,
        notes,
    }
}

fn fill(
    panel: &mut Panel,
    speeds: &[f64],
    fastest: f64,
    temperature: f64,
    dimension: usize,
    digest: &Digest,
) {
    // The cube root makes bins that are as wide as noise allows.
    let bins = (2.0 * libm::cbrt(speeds.len() as f64))
        .round()
        .clamp(6.0, 60.0) as usize;
    let width = fastest / bins as f64;
    let mut counts = vec![0_u64; bins];
    for &speed in speeds {
        counts[((speed / width) as usize).min(bins - 1)] += 1;
    }
    let mut outline: Vec<[f64; 3]> = Vec::new();
    for (bin, &count) in counts.iter().enumerate() {
        let height = count as f64 / (speeds.len() as f64 * width);
        for edge in [bin, bin + 1] {
            outline.push([edge as f64 * width, 0.0, height]);
        }
    }
    let mut masses: BTreeMap<u64, u64> = BTreeMap::new();
    for mass in digest
        .looks
        .last()
        .into_iter()
        .flat_map(|look| &look.masses)
    {
        *masses.entry(mass.to_bits()).or_default() += 1;
    }
    let balls: u64 = masses.values().sum();
    let curve: Vec<Point> = (0..=300)
        .map(|step| {
            let speed = 1.02 * fastest * f64::from(step) / 300.0;
            let mean = masses.iter().map(|(&mass, &share)| {
                share as f64 * density(speed, f64::from_bits(mass), temperature, dimension)
            });
            [speed, mean.sum::<f64>() / balls as f64]
        })
        .collect();
    let heights = outline.iter().map(|p| p[2]);
    panel.y = Axis::fitting(
        "probability density",
        "s/m",
        heights.chain(curve.iter().map(|p| p[1])).chain([0.0]),
    );
    let mut histogram = Layer::band("speeds of the run", &outline, Ink::series(0), 0.2);
    if let crate::chart::LayerShape::Path { pen, .. } = &mut histogram.shape {
        *pen = Some(Pen::new(Ink::series(0), 1.2));
    }
    panel.layers.push(histogram);
    let pen = Pen {
        dash: Dash::Long,
        ..Pen::new(Ink::series(1), 2.4)
    };
    let name = format!(
        "Maxwell–Boltzmann in {dimension}-D at kT = {} J",
        rounded(temperature, 4)
    );
    panel.layers.push(Layer::line(name, &curve, pen));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_have_area_one_and_the_right_energy() {
        for dimension in [2, 3] {
            let (mass, temperature) = (2.0, 0.7);
            let (mut area, mut energy) = (0.0, 0.0);
            let step = 0.001;
            for i in 0..20_000 {
                let speed = step * (f64::from(i) + 0.5);
                let share = step * density(speed, mass, temperature, dimension);
                area += share;
                energy += share * 0.5 * mass * speed * speed;
            }
            // The midpoint rule is off by step² times second derivatives of order one.
            assert!((area - 1.0).abs() < 1e-5, "{area}");
            assert!((energy - 0.5 * dimension as f64 * temperature).abs() < 1e-5);
        }
    }

    #[test]
    fn the_common_motion_does_not_count() {
        let look = Look {
            time: 0.0,
            positions: Vec::new(),
            velocities: vec![[11.0, 0.0, 0.0], [9.0, 0.0, 0.0]],
            masses: vec![1.0, 1.0],
        };
        let (speeds, temperature) = relative(&look, 2);
        assert_eq!(speeds, [1.0, 1.0]);
        assert_eq!(temperature, 1.0);
    }
}
