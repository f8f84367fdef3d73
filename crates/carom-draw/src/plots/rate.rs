//! The collision rate over time.

use super::time_axis;
use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, PARTS};
use crate::error::DrawError;
use crate::recording::Recording;

/// Counts in equal parts of time: with other free bodies, and with everything else.
struct Counts {
    edges: Vec<f64>,
    counts: Vec<[f64; 2]>,
}

pub fn figure(recording: &Recording, digest: &Digest) -> Result<Figure, DrawError> {
    let kept = recording.folder.manifest().schedule.events;
    let counts = if kept {
        from_events(recording, digest)
    } else {
        from_audit(recording)?
    };
    let total: f64 = counts.counts.iter().map(|[a, b]| a + b).sum();
    let rates: Vec<[f64; 2]> = counts
        .counts
        .iter()
        .zip(counts.edges.windows(2))
        .map(|(count, edges)| count.map(|n| n / (edges[1] - edges[0])))
        .collect();
    let steps = |of: &dyn Fn(&[f64; 2]) -> f64| -> Vec<Point> {
        let edges = counts.edges.windows(2);
        let pairs = edges.zip(&rates);
        pairs
            .flat_map(|(edge, rate)| edge.iter().map(|&t| [t, of(rate)]).collect::<Vec<_>>())
            .collect()
    };
    let all = steps(&|rate| rate[0] + rate[1]);
    let mut layers = Vec::new();
    let band: Vec<[f64; 3]> = all.iter().map(|p| [p[0], 0.0, p[1]]).collect();
    let message = (total == 0.0).then(|| "No collisions in this run".to_owned());
    if total > 0.0 {
        let ink = Ink::series(0);
        let name = if kept { "all collisions" } else { "collisions" };
        let mut area = Layer::band(name, &band, ink, 0.25);
        if let crate::chart::LayerShape::Path { pen, .. } = &mut area.shape {
            *pen = Some(Pen::new(ink, 1.4));
        }
        layers.push(area);
        let shares = [
            (0, "of free bodies with each other", 1, Dash::Solid),
            (1, "with static and kinematic bodies", 2, Dash::Short),
        ];
        let both = (0..2).all(|i| counts.counts.iter().any(|count| count[i] > 0.0));
        for (share, name, series, dash) in shares {
            if kept && both {
                let pen = Pen {
                    dash,
                    ..Pen::new(Ink::series(series), 1.8)
                };
                layers.push(Layer::line(name, &steps(&|rate| rate[share]), pen));
            }
        }
    }
    let notes = vec![note(&counts, total, kept)];
    Ok(Figure {
        name: "rate",
        title: "Collision rate".to_owned(),
        subtitle: recording.caption(),
        panels: vec![Panel {
            heading: String::new(),
            x: time_axis(recording),
            y: Axis::fitting(
                "collision rate",
                "1/s",
                all.iter().map(|p| p[1]).chain([0.0]),
            ),
            height: 300.0,
            same_scale: false,
            layers,
            message,
        }],
        columns: 1,
        notes,
    })
}

/// How many were counted, and in what parts.
fn note(counts: &Counts, total: f64, kept: bool) -> String {
    let width =
        counts.edges.get(1).copied().unwrap_or(0.0) - counts.edges.first().copied().unwrap_or(0.0);
    format!(
        "{}, counted in parts of {} s{}.",
        count(total as u64, "collision", "collisions"),
        rounded(width, 3),
        if kept {
            ""
        } else {
            ", from the audit at output times (collisions themselves were not kept)"
        }
    )
}

/// As many parts as make some four collisions each, within reason; a divisor of the parts that were counted.
pub fn parts(collisions: u64) -> usize {
    let divisors = [12, 16, 20, 24, 30, 40, 60, 80, 96, 120];
    let wanted = (collisions / 4) as usize;
    let mut fitting = divisors.into_iter().filter(|&parts| parts <= wanted);
    fitting.next_back().unwrap_or(12)
}

fn from_events(recording: &Recording, digest: &Digest) -> Counts {
    let parts = parts(digest.collisions);
    let end = recording.end().max(f64::MIN_POSITIVE);
    let edge = |part: usize| end * part as f64 / parts as f64;
    let sums = digest.rate.chunks(PARTS / parts).map(|chunk| {
        chunk.iter().fold([0.0; 2], |sum, part| {
            [sum[0] + part[0] as f64, sum[1] + part[1] as f64]
        })
    });
    Counts {
        edges: (0..=parts).map(edge).collect(),
        counts: sums.collect(),
    }
}

fn from_audit(recording: &Recording) -> Result<Counts, DrawError> {
    let columns = recording.audit(&["time", "collisions"])?;
    let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
    let every = rows.div_ceil(120).max(1);
    let kept: Vec<usize> = (0..rows).step_by(every).collect();
    let edges = kept.iter().map(|&row| columns[0][row]).collect();
    let counts = kept
        .windows(2)
        .map(|pair| [columns[1][pair[1]] - columns[1][pair[0]], 0.0])
        .collect();
    Ok(Counts { edges, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_divide_what_was_counted() {
        for collisions in [0, 1, 100, 119, 1_000, 1_000_000] {
            let parts = parts(collisions);
            assert_eq!(PARTS % parts, 0);
            assert!(parts == 12 || parts as u64 <= collisions / 4);
        }
    }
}
