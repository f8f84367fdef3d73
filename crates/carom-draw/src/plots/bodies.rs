//! Bodies one by one: position, speed, kinetic energy and angular velocity against time.
//!
//! Between two nodes (instants of output and collisions) a position is the cubic with the places and velocities of both
//! ends, which as a curve over time is a Bézier curve; velocities go straight from one to the other. At a collision
//! everything but the position steps.

use super::time_axis;
use crate::canvas::{Dash, Ink, Pen, Point, Step, polyline};
use crate::chart::{Axis, Figure, Layer, Panel, count};
use crate::digest::{Digest, Node, followed};
use crate::outlines::{Place, dot};
use crate::recording::Recording;

/// Bodies at most: as many as there are colours.
pub const MOST: usize = Ink::SERIES;
/// Nodes of a body that are drawn at most.
const NODES: usize = 4_000;
/// Pieces of a curve between two nodes, of what is no straight line.
const PIECES: usize = 6;
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Long, Dash::Dots, Dash::Mixed];

/// Which bodies are drawn where none are asked for: free ones, from the first on.
pub fn chosen(recording: &Recording) -> Vec<usize> {
    let free = followed(recording).filter(|&id| recording.is_free(id));
    free.take(MOST).collect()
}

pub fn figure(recording: &Recording, digest: &Digest, bodies: &[usize]) -> Figure {
    let ways: Vec<(usize, &[Node])> = bodies
        .iter()
        .filter_map(|&id| Some((id, digest.paths.get(&id)?.as_slice())))
        .map(|(id, nodes)| (id, &nodes[..nodes.len().min(NODES)]))
        .collect();
    let turns = ways
        .iter()
        .any(|(_, nodes)| nodes.iter().any(|node| node.spins != [[0.0; 3]; 2]));
    let mut panels = Vec::new();
    for (axis, name) in recording.axes().iter().enumerate() {
        if moves_along(&ways, axis) {
            panels.push(positions(recording, &ways, axis, name));
        }
    }
    let speed = |_: usize, velocity: Place, _: Place| dot(velocity, velocity).sqrt();
    panels.push(stepping(recording, &ways, ("speed", "m/s"), speed));
    let energy = |id: usize, velocity: Place, spin: Place| {
        let body = &recording.bodies[id];
        let turning = if body.inertia.is_finite() {
            0.5 * body.inertia * dot(spin, spin)
        } else {
            0.0
        };
        0.5 * body.mass * dot(velocity, velocity) + turning
    };
    if ways
        .iter()
        .all(|(id, _)| recording.bodies[*id].mass.is_finite())
    {
        panels.push(stepping(recording, &ways, ("kinetic energy", "J"), energy));
    }
    if turns {
        let flat = recording.dimension() == 2;
        let size = |_: usize, _: Place, spin: Place| {
            if flat {
                spin[0]
            } else {
                dot(spin, spin).sqrt()
            }
        };
        panels.push(stepping(
            recording,
            &ways,
            ("angular velocity", "rad/s"),
            size,
        ));
    }
    let last = panels.len() - 1;
    for (place, panel) in panels.iter_mut().enumerate() {
        if place < last {
            panel.x.label.clear();
            panel.x.unit.clear();
        }
        // One legend is enough.
        if place > 0 {
            panel.layers.iter_mut().for_each(|layer| layer.name = None);
        }
    }
    Figure {
        name: "bodies",
        title: "Bodies one by one".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: 1,
        notes: notes(recording, digest, &ways),
    }
}

fn notes(recording: &Recording, digest: &Digest, ways: &[(usize, &[Node])]) -> Vec<String> {
    let mut notes = Vec::new();
    let all = followed(recording)
        .filter(|&id| recording.is_free(id))
        .count();
    if ways.len() < all {
        notes.push(format!(
            "{} of {}: --bodies NAME,… chooses others.",
            ways.len(),
            count(all as u64, "free body", "free bodies")
        ));
    }
    let cut = ways.iter().filter(|(id, nodes)| {
        digest
            .paths
            .get(id)
            .is_some_and(|path| path.len() > nodes.len())
    });
    if cut.count() > 0 {
        notes.push(format!(
            "Curves end after {NODES} collisions and instants of output."
        ));
    }
    notes
}

fn moves_along(ways: &[(usize, &[Node])], axis: usize) -> bool {
    ways.iter().any(|(_, nodes)| {
        let first = nodes.first().map_or(0.0, |node| node.position[axis]);
        nodes.iter().any(|node| node.position[axis] != first)
    })
}

/// The pen of the n-th of some bodies.
pub fn pen(place: usize) -> Pen {
    Pen {
        dash: DASHES[place % DASHES.len()],
        ..Pen::new(Ink::series(place), 1.7)
    }
}

fn name(recording: &Recording, id: usize) -> String {
    match recording.bodies[id].name.as_str() {
        "" => format!("body {id}"),
        name => name.to_owned(),
    }
}

fn positions(
    recording: &Recording,
    ways: &[(usize, &[Node])],
    axis: usize,
    name_of: &str,
) -> Panel {
    let period = recording.periods()[axis];
    let mut layers = Vec::new();
    for (place, (id, nodes)) in ways.iter().enumerate() {
        let steps = curve(nodes, axis, period);
        layers.push(Layer::path(steps, Some(pen(place)), None).named(name(recording, *id)));
    }
    let values = ways.iter().flat_map(|(_, nodes)| nodes.iter());
    let values = values.map(|node| node.position[axis]);
    let y = Axis::fitting(name_of, "m", values);
    Panel::new(time_axis(recording), y, 170.0, layers)
}

/// A coordinate over time. Where it leaves a periodic box the curve begins anew at the other side.
pub fn curve(nodes: &[Node], axis: usize, period: f64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(nodes.len());
    let mut last: Option<&Node> = None;
    for node in nodes {
        let to = [node.time, node.position[axis]];
        let Some(before) = last.replace(node) else {
            steps.push(Step::Move(to));
            continue;
        };
        let span = node.time - before.time;
        let from = before.position[axis];
        if !(span > 0.0) || period > 0.0 && (to[1] - from).abs() > 0.5 * period {
            steps.push(Step::Move(to));
            continue;
        }
        let (leaving, arriving) = (before.leaving[axis], node.arriving[axis]);
        let straight = (leaving - arriving).abs() * span <= 1e-9 * (1.0 + to[1].abs());
        steps.push(if straight {
            Step::Line(to)
        } else {
            Step::Curve(
                [before.time + span / 3.0, from + leaving * span / 3.0],
                [node.time - span / 3.0, to[1] - arriving * span / 3.0],
                to,
            )
        });
    }
    steps
}

fn stepping(
    recording: &Recording,
    ways: &[(usize, &[Node])],
    (label, unit): (&str, &str),
    value: impl Fn(usize, Place, Place) -> f64,
) -> Panel {
    let mut layers = Vec::new();
    let mut all = Vec::new();
    for (place, (id, nodes)) in ways.iter().enumerate() {
        let points = values(nodes, |velocity, spin| value(*id, velocity, spin));
        all.extend(points.iter().map(|point| point[1]));
        let layer = Layer::path(polyline(&points), Some(pen(place)), None);
        layers.push(layer.named(name(recording, *id)));
    }
    let y = Axis::fitting(label, unit, all.into_iter().chain([0.0]));
    Panel::new(time_axis(recording), y, 170.0, layers)
}

/// Something that follows from the velocities, over time; it steps where they do.
fn values(nodes: &[Node], value: impl Fn(Place, Place) -> f64) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::with_capacity(2 * nodes.len());
    let mut last: Option<&Node> = None;
    for node in nodes {
        if let Some(before) = last.replace(node) {
            let mix =
                |a: Place, b: Place, share: f64| [0, 1, 2].map(|i| a[i] + share * (b[i] - a[i]));
            let straight = before.leaving == node.arriving;
            for piece in 1..if straight { 1 } else { PIECES } {
                let share = piece as f64 / PIECES as f64;
                let velocity = mix(before.leaving, node.arriving, share);
                let spin = mix(before.spins[1], node.spins[0], share);
                let time = before.time + share * (node.time - before.time);
                points.push([time, value(velocity, spin)]);
            }
            points.push([node.time, value(node.arriving, node.spins[0])]);
        }
        points.push([node.time, value(node.leaving, node.spins[1])]);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(time: f64, x: f64, before: f64, after: f64) -> Node {
        Node {
            time,
            position: [x, 0.0, 0.0],
            arriving: [before, 0.0, 0.0],
            leaving: [after, 0.0, 0.0],
            spins: [[0.0; 3]; 2],
        }
    }

    #[test]
    fn speeds_step_at_collisions_and_positions_do_not() {
        // One metre each second to a wall, and back at half of that.
        let nodes = [
            node(0.0, 0.0, 1.0, 1.0),
            node(1.0, 1.0, 1.0, -0.5),
            node(3.0, 0.0, -0.5, -0.5),
        ];
        let speeds = values(&nodes, |velocity, _| velocity[0].abs());
        assert_eq!(
            speeds,
            [[0.0, 1.0], [1.0, 1.0], [1.0, 0.5], [3.0, 0.5], [3.0, 0.5]]
        );
        let steps = curve(&nodes, 0, 0.0);
        assert_eq!(
            steps,
            [
                Step::Move([0.0, 0.0]),
                Step::Line([1.0, 1.0]),
                Step::Line([3.0, 0.0])
            ]
        );
    }

    #[test]
    fn a_throw_is_a_parabola() {
        // v = 2 − 2t, x = 2t − t²: at t = 1, half-way, the curve is at 1.
        let nodes = [node(0.0, 0.0, 2.0, 2.0), node(2.0, 0.0, -2.0, -2.0)];
        let steps = curve(&nodes, 0, 0.0);
        let Step::Curve(a, b, end) = steps[1] else {
            panic!("{steps:?}");
        };
        let middle = (3.0 * a[1] + 3.0 * b[1] + end[1]) / 8.0;
        // Thirds are rounded.
        assert!((middle - 1.0).abs() < 1e-15, "{middle}");
    }
}
