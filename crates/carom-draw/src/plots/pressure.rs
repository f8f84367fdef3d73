//! What bodies do to walls: the normal impulses on each, in parts of the run, divided by the time; and, in a box with
//! walls on all sides, divided by the area as well: the pressure.

use super::rate::parts;
use super::time_axis;
use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, PARTS};
use crate::error::DrawError;
use crate::outlines::{Thing, of_recording};
use crate::recording::Recording;

const DASHES: [Dash; 4] = [Dash::Solid, Dash::Long, Dash::Dots, Dash::Mixed];

/// The force on a wall over time, N: level over each part.
fn force(impulses: &[f64], parts: usize, end: f64) -> Vec<Point> {
    let width = end / parts as f64;
    let sums = impulses.chunks(PARTS / parts);
    let sums = sums.map(|chunk| chunk.iter().sum::<f64>() / width);
    sums.enumerate()
        .flat_map(|(part, force)| {
            let from = width * part as f64;
            [[from, force], [from + width, force]]
        })
        .collect()
}

/// The sides of a box with walls on all of them, m, and its walls by id.
fn room(things: &[Thing], dimension: usize) -> Option<([f64; 3], Vec<usize>)> {
    let mut sides = [1.0; 3];
    let mut walls = Vec::new();
    for i in 0..dimension {
        let facing = |sign: f64| {
            let found = things.iter().find(|thing| {
                let normal = thing.wall_normal().unwrap_or_default();
                !thing.moves && sign * normal[i] > 1.0 - 1e-9
            });
            found.map(|thing| (thing.position[i], thing.id))
        };
        let ((low, first), (high, second)) = (facing(1.0)?, facing(-1.0)?);
        sides[i] = high - low;
        walls.extend([first, second]);
    }
    (sides[..dimension].iter().all(|&side| side > 0.0)).then_some((sides, walls))
}

pub fn figure(recording: &Recording, digest: &Digest) -> Result<Figure, DrawError> {
    let end = recording.end().max(f64::MIN_POSITIVE);
    let mut walls: Vec<(usize, &Vec<f64>)> =
        digest.walls.iter().map(|(id, all)| (*id, all)).collect();
    let total = |impulses: &[f64]| impulses.iter().sum::<f64>();
    walls.sort_by(|a, b| total(b.1).total_cmp(&total(a.1)));
    let struck: u64 = digest.rate.iter().map(|[_, fixed]| fixed).sum();
    let parts = parts(struck);
    let mut panels = vec![by_wall(recording, &walls, parts, end)];
    let mut notes = vec![format!(
        "{} with walls and other bodies that are not free, in parts of {} s.",
        count(struck, "collision", "collisions"),
        rounded(end / parts as f64, 3)
    )];
    if walls.len() > Ink::SERIES {
        notes.push(format!(
            "{} of {} bodies that were struck: those with the most impulse.",
            Ink::SERIES,
            walls.len()
        ));
    }
    let dimension = recording.dimension();
    if let Some((sides, ids)) = room(&of_recording(recording)?, dimension) {
        let volume: f64 = sides[..dimension].iter().product();
        let area: f64 = sides[..dimension]
            .iter()
            .map(|side| 2.0 * volume / side)
            .sum();
        let mut all = vec![0.0; PARTS];
        for (id, impulses) in &walls {
            if ids.contains(id) {
                all.iter_mut()
                    .zip(*impulses)
                    .for_each(|(sum, more)| *sum += more);
            }
        }
        let points: Vec<Point> = force(&all, parts, end)
            .iter()
            .map(|p| [p[0], p[1] / area])
            .collect();
        let unit = if dimension == 2 { "N/m" } else { "Pa" };
        let mean = total(&all) / (end * area);
        notes.push(format!(
            "Pressure on the walls of the box, in the mean: {} {unit}.",
            rounded(mean, 5)
        ));
        let y = Axis::fitting("pressure", unit, points.iter().map(|p| p[1]).chain([0.0]));
        let mean = [[0.0, mean], [end, mean]];
        let dotted = Pen {
            dash: Dash::Dots,
            ..Pen::new(Ink::Text, 1.2)
        };
        let layers = vec![
            Layer::line(
                "all walls of the box",
                &points,
                Pen::new(Ink::series(0), 1.8),
            ),
            Layer::line("the mean", &mean, dotted),
        ];
        panels.push(Panel::new(time_axis(recording), y, 200.0, layers));
        panels[0].x.label.clear();
        panels[0].x.unit.clear();
    }
    Ok(Figure {
        name: "pressure",
        title: "Forces on walls".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: 1,
        notes,
    })
}

fn by_wall(recording: &Recording, walls: &[(usize, &Vec<f64>)], parts: usize, end: f64) -> Panel {
    let mut layers = Vec::new();
    let mut values = vec![0.0];
    for (place, (id, impulses)) in walls.iter().take(Ink::SERIES).enumerate() {
        let points = force(impulses, parts, end);
        values.extend(points.iter().map(|p| p[1]));
        let pen = Pen {
            dash: DASHES[place % DASHES.len()],
            ..Pen::new(Ink::series(place), 1.6)
        };
        let name = match recording.bodies[*id].name.as_str() {
            "" => format!("body {id}"),
            name => name.to_owned(),
        };
        layers.push(Layer::line(name, &points, pen));
    }
    let y = Axis::fitting("normal force", "N", values);
    Panel::new(time_axis(recording), y, 260.0, layers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulses_over_time_are_forces() {
        let mut impulses = vec![0.0; PARTS];
        impulses[0] = 3.0;
        impulses[PARTS - 1] = 5.0;
        let points = force(&impulses, 12, 6.0);
        assert_eq!(points.len(), 24);
        // Half a second each.
        assert_eq!((points[0], points[1]), ([0.0, 6.0], [0.5, 6.0]));
        assert_eq!(points[23], [6.0, 10.0]);
    }
}
