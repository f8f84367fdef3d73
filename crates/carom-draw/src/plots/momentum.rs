//! Momentum and angular momentum over time, and their residuals.
//!
//! Thin, what is left when everything is taken away that walls, gravity and fields gave: `p − given = p₀ + residual`,
//! flat to rounding.

use super::{thinned, time_axis};
use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, rounded};
use crate::error::DrawError;
use crate::recording::Recording;

const DASHES: [Dash; 3] = [Dash::Solid, Dash::Mixed, Dash::Dots];

pub fn figure(recording: &Recording) -> Result<Figure, DrawError> {
    let axes = recording.axes();
    let spins: &[&str] = match axes.len() {
        2 => &[""],
        _ => &["_x", "_y", "_z"],
    };
    let mut names = vec!["time".to_owned(), "translational".to_owned()];
    names.extend(recording.vector("momentum"));
    names.extend(recording.vector("momentum_residual"));
    names.extend(spins.iter().map(|axis| format!("angular_momentum{axis}")));
    names.extend(spins.iter().map(|axis| format!("angular_residual{axis}")));
    let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = recording.audit(&wanted)?;
    let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
    let (kept, note) = thinned(rows);
    let line = |column: usize| -> Vec<Point> {
        kept.iter()
            .map(|&row| [columns[0][row], columns[column][row]])
            .collect()
    };
    let dimension = axes.len();
    let x = time_axis(recording);
    let labels: Vec<String> = axes.iter().map(|axis| format!("along {axis}")).collect();
    let (floor, radius) = floor_and_radius(recording, &columns[1]);
    let mut panels = vec![panel(
        "Momentum of all free bodies; thin: without what walls, gravity and fields gave",
        ("momentum", "kg·m/s"),
        &x,
        &labels,
        (0..dimension)
            .map(|i| (line(2 + i), line(2 + dimension + i)))
            .collect(),
        floor,
    )];
    let first = 2 + 2 * dimension;
    let angular: Vec<(Vec<Point>, Vec<Point>)> = (0..spins.len())
        .map(|i| (line(first + i), line(first + spins.len() + i)))
        .collect();
    let known = angular
        .iter()
        .any(|(now, _)| now.iter().any(|p| p[1].is_finite()));
    if known {
        let labels: Vec<String> = match dimension {
            2 => vec!["about the origin".to_owned()],
            _ => axes.iter().map(|axis| format!("about {axis}")).collect(),
        };
        let heading = "Angular momentum about the origin, rotation included; thin: without what was added from outside";
        panels.push(panel(
            heading,
            ("angular momentum", "kg·m²/s"),
            &x,
            &labels,
            angular,
            floor * radius,
        ));
    }
    let last = panels.len() - 1;
    for panel in &mut panels[..last] {
        panel.x.label.clear();
        panel.x.unit.clear();
    }
    let mut notes = notes(&columns[2 + dimension..][..dimension], known);
    notes.extend(note);
    Ok(Figure {
        name: "momentum",
        title: "Momentum".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: 1,
        notes,
    })
}

/// The momentum that is nothing but rounding, kg·m/s, which is drawn as nothing, and the largest radius, m.
fn floor_and_radius(recording: &Recording, translational: &[f64]) -> (f64, f64) {
    let masses = recording
        .bodies
        .iter()
        .map(|body| body.mass)
        .filter(|mass| mass.is_finite());
    let fastest = translational.iter().copied().fold(0.0, f64::max);
    let floor = 0.01 * (2.0 * masses.sum::<f64>() * fastest).sqrt();
    let radii = recording.bodies.iter().map(|body| body.radius);
    let radius = radii
        .filter(|radius| radius.is_finite())
        .fold(0.0, f64::max);
    (floor, radius)
}

/// How far the budgets are open, and what is not drawn.
fn notes(imbalances: &[Vec<f64>], known: bool) -> Vec<String> {
    let worst = imbalances
        .iter()
        .flatten()
        .fold(0.0_f64, |worst, value| worst.max(value.abs()));
    let mut notes = vec![format!(
        "Residual of the momentum budget: {} kg·m/s, rounding.",
        rounded(worst, 2)
    )];
    if !known {
        notes.push(
            "In a periodic box angular momentum is not conserved, and is not drawn.".to_owned(),
        );
    }
    notes
}

fn panel(
    heading: &str,
    (label, unit): (&str, &str),
    x: &Axis,
    labels: &[String],
    lines: Vec<(Vec<Point>, Vec<Point>)>,
    floor: f64,
) -> Panel {
    let mut layers = Vec::new();
    let mut values = vec![-floor, floor];
    for (index, (now, residual)) in lines.iter().enumerate() {
        let ink = Ink::series(index);
        let start = now.first().map_or(0.0, |p| p[1]);
        let flat: Vec<Point> = residual.iter().map(|p| [p[0], start + p[1]]).collect();
        values.extend(now.iter().chain(&flat).map(|p| p[1]));
        layers.push(Layer {
            name: None,
            ..Layer::line("", &flat, Pen::new(ink, 0.9))
        });
        let pen = Pen {
            dash: DASHES[index % DASHES.len()],
            ..Pen::new(ink, 2.0)
        };
        layers.push(Layer::line(labels[index].clone(), now, pen));
    }
    Panel {
        heading: heading.to_owned(),
        x: x.clone(),
        y: Axis::fitting(label, unit, values),
        height: 240.0,
        same_scale: false,
        layers,
        message: None,
    }
}
