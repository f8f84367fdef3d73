//! Trajectories of bodies.
//!
//! A way leads through the instants of output and through the collisions. Between two of them it is the cubic curve
//! with the positions and velocities at both ends: uniform motion and parabolas are such curves themselves, so that
//! trajectories are exact there, corners included; where drag or other fields act, they are off by the fourth power of
//! the time between two instants.

use crate::canvas::{Dash, Ink, Pen, Point, Step, circle, polyline};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, Node, followed};
use crate::error::DrawError;
use crate::outlines::{self, Bounds, Form, Place, Thing, turned_axes};
use crate::recording::Recording;

/// Bodies up to which each has a name in the legend.
const NAMED: usize = 6;
/// Steps of all ways together at most.
const STEPS: usize = 30_000;
/// A share of what is seen that is less than a tenth of a pixel.
const UNSEEN: f64 = 1e-4;
const DASHES: [Dash; 5] = [
    Dash::Solid,
    Dash::Long,
    Dash::Dots,
    Dash::Mixed,
    Dash::Short,
];

pub fn figure(recording: &Recording, digest: &Digest) -> Result<Figure, DrawError> {
    let things = outlines::of_recording(recording)?;
    let shown = shown(recording, digest);
    let bounds = seen(recording, digest, &things);
    let views: &[([usize; 2], &str)] = match recording.dimension() {
        2 => &[([0, 1], "")],
        _ => &[([0, 1], "Seen from above"), ([0, 2], "Seen from the side")],
    };
    let panels = views
        .iter()
        .map(|&(view, heading)| panel(recording, digest, &shown, &things, &bounds, view, heading))
        .collect();
    let all: Vec<usize> = followed(recording).collect();
    let balls = |id: &usize| recording.bodies[*id].radius.is_finite();
    let (one, many, note) = if all.iter().all(balls) {
        (
            "moving ball",
            "moving balls",
            "Rings: where bodies began; discs: where they ended.",
        )
    } else {
        (
            "moving body",
            "moving bodies",
            "Outlines: where bodies began; filled: where they ended.",
        )
    };
    let mut notes = vec![note.to_owned()];
    if shown.len() < all.len() {
        notes.push(format!(
            "Thinned: the trajectories of {} of {} are drawn.",
            shown.len(),
            count(all.len() as u64, one, many)
        ));
    }
    if digest.paths_until < recording.end() {
        notes.push(format!(
            "Thinned: trajectories are drawn until t = {} s.",
            rounded(digest.paths_until, 4)
        ));
    }
    if !recording.folder.manifest().schedule.events {
        notes.push(
            "Collisions were not kept: corners between instants of output are rounded off."
                .to_owned(),
        );
    }
    Ok(Figure {
        name: "trajectories",
        title: "Trajectories".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: views.len(),
        notes,
    })
}

/// What is seen: where bodies went, and fixtures that has an end and is not far away.
fn seen(recording: &Recording, digest: &Digest, things: &[Thing]) -> Bounds {
    let moved = digest.bounds.settled();
    let mut bounds = moved;
    let flat = recording.dimension() == 2;
    for (&id, &(place, rotation)) in digest.ends.iter().flatten() {
        things[id].widen_at(place, || turned_axes(rotation, flat), &mut bounds);
    }
    let moved = bounds;
    for thing in things {
        let mut wider = bounds;
        thing.widen(&mut wider);
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    let margin = 0.03 * bounds.diagonal();
    for (i, &period) in recording.periods().iter().enumerate() {
        if period > 0.0 {
            (bounds.low[i], bounds.high[i]) = (0.0, period);
        } else {
            (bounds.low[i], bounds.high[i]) = (bounds.low[i] - margin, bounds.high[i] + margin);
        }
    }
    bounds
}

/// Those whose ways are drawn, from all over the list: no more than can be told apart, and files stay small.
fn shown(recording: &Recording, digest: &Digest) -> Vec<usize> {
    let extent = digest.bounds.settled().diagonal();
    let lengths: Vec<(usize, usize)> = digest
        .paths
        .iter()
        .map(|(&id, path)| (id, way(path, [0, 1], recording.periods(), extent).len()))
        .collect();
    let total: usize = lengths.iter().map(|(_, steps)| steps).sum();
    let every = total.div_ceil(STEPS).max(1);
    lengths.iter().step_by(every).map(|(id, _)| *id).collect()
}

fn panel(
    recording: &Recording,
    digest: &Digest,
    shown: &[usize],
    things: &[Thing],
    bounds: &Bounds,
    view: [usize; 2],
    heading: &str,
) -> Panel {
    let [i, j] = view;
    let flat = recording.dimension() == 2;
    let mut layers = Vec::new();
    for thing in things.iter().filter(|thing| !thing.moves) {
        layers.extend(outline(thing, bounds, view, flat));
    }
    for thing in things.iter().filter(|thing| thing.moves) {
        if !matches!(thing.form, Form::Ball(_)) && !recording.is_free(thing.id) {
            layers.extend(outline(thing, bounds, view, flat));
        }
    }
    let named = shown.len() <= NAMED;
    let many = shown.len() > 20;
    let extent = bounds.diagonal();
    for (place, &id) in shown.iter().enumerate() {
        let Some(path) = digest.paths.get(&id) else {
            continue;
        };
        let ink = Ink::series(place);
        let pen = Pen {
            dash: if named {
                DASHES[place % DASHES.len()]
            } else {
                Dash::Solid
            },
            opacity: if many { 0.7 } else { 1.0 },
            ..Pen::new(ink, if many { 1.0 } else { 1.7 })
        };
        let steps = way(path, view, recording.periods(), extent);
        let mut layer = Layer::path(steps, Some(pen), None);
        if named {
            layer = layer.named(recording.bodies[id].name.clone());
        }
        layers.push(layer);
        let radius = recording.bodies[id].radius;
        if !radius.is_finite() {
            for (end, fill) in [(0, None), (1, Some(0.55))] {
                if let Some(&(place, rotation)) = digest.ends[end].get(&id) {
                    let thing = things[id].posed(place, rotation, flat);
                    layers.extend(silhouette(&thing, view, flat, (ink, 0.8), fill));
                }
            }
        } else {
            let at = |end: usize| {
                let found = digest.ends[end].get(&id);
                found.map(|(place, _)| circle([place[i], place[j]], radius))
            };
            let ring = Pen {
                opacity: 0.8,
                ..Pen::new(ink, 1.0)
            };
            layers.extend(at(0).map(|steps| Layer::path(steps, Some(ring), None)));
            layers.extend(at(1).map(|steps| Layer::path(steps, Some(ring), Some((ink, 0.55)))));
        }
    }
    let axis = |i: usize| Axis::new(recording.axes()[i], "m", bounds.low[i], bounds.high[i]);
    Panel {
        heading: heading.to_owned(),
        x: axis(i),
        y: axis(j),
        height: if flat { 620.0 } else { 460.0 },
        same_scale: true,
        layers,
        message: None,
    }
}

/// Fixtures as seen along an axis.
pub fn outline(thing: &Thing, bounds: &Bounds, [i, j]: [usize; 2], flat: bool) -> Vec<Layer> {
    let pen = Pen {
        dash: if thing.sensor {
            Dash::Short
        } else {
            Dash::Solid
        },
        ..Pen::new(Ink::Wall, if flat { 1.6 } else { 1.0 })
    };
    let fill = |solid: bool| (solid && !thing.sensor).then_some((Ink::Wall, 0.22));
    let [x, y] = [thing.position[i], thing.position[j]];
    match &thing.form {
        Form::Ball(radius) => vec![Layer::path(circle([x, y], *radius), Some(pen), fill(true))],
        Form::Hollow(radius) => vec![Layer::path(circle([x, y], *radius), Some(pen), None)],
        Form::Wall(_) => {
            let normal = thing.wall_normal().unwrap_or_default();
            let [nx, ny] = [normal[i], normal[j]];
            // A wall that is not seen from its edge would cover everything.
            if (nx * nx + ny * ny - 1.0).abs() > 1e-9 {
                return Vec::new();
            }
            let far = 4.0 * (bounds.diagonal() + x.abs() + y.abs());
            let (a, b) = ([x - ny * far, y + nx * far], [x + ny * far, y - nx * far]);
            let behind = |[x, y]: [f64; 2]| [x - nx * far, y - ny * far];
            let edge = vec![Step::Move(a), Step::Line(b)];
            let mut solid = edge.clone();
            solid.extend([Step::Line(behind(b)), Step::Line(behind(a)), Step::Close]);
            let mut layers = vec![Layer::path(edge, Some(pen), None)];
            if fill(!thing.bare).is_some() {
                layers.insert(0, Layer::path(solid, None, fill(true)));
            }
            layers
        }
        Form::Lines { solid, .. } => {
            let lines = thing.world_lines(bounds, flat);
            let steps = lines
                .iter()
                .flat_map(|line| polyline(&line.iter().map(|p| [p[i], p[j]]).collect::<Vec<_>>()));
            vec![Layer::path(
                steps.collect(),
                Some(pen),
                fill(*solid && flat),
            )]
        }
        Form::Tube(..) => {
            let lines = thing.world_lines(bounds, flat);
            let steps = lines
                .iter()
                .flat_map(|line| polyline(&line.iter().map(|p| [p[i], p[j]]).collect::<Vec<_>>()));
            vec![Layer::path(steps.collect(), Some(pen), None)]
        }
    }
}

/// Faces up to which each is filled; more are those of a round surface, which is filled as a whole.
const FACES: usize = 200;

/// A solid that moves as it is seen along an axis: its lines in an ink and opacity, and where asked for what is within
/// them, in another opacity.
pub fn silhouette(
    thing: &Thing,
    [i, j]: [usize; 2],
    flat: bool,
    (ink, opacity): (Ink, f64),
    fill: Option<f64>,
) -> Vec<Layer> {
    let Form::Lines { lines, faces, .. } = &thing.form else {
        return Vec::new();
    };
    let seen = |&place: &Place| -> Point {
        let place = thing.to_world(place);
        [place[i], place[j]]
    };
    let drawn = |line: &Vec<Place>| polyline(&line.iter().map(seen).collect::<Vec<_>>());
    let steps: Vec<Step> = lines.iter().flat_map(drawn).collect();
    let pen = Pen {
        opacity,
        ..Pen::new(ink, 1.0)
    };
    let Some(share) = fill else {
        return vec![Layer::path(steps, Some(pen), None)];
    };
    if flat {
        return vec![Layer::path(steps, Some(pen), Some((ink, share)))];
    }
    let rounds: Vec<Vec<Point>> = if faces.len() > FACES {
        // What a convex body covers is the hull of what its lines cover.
        vec![hull(lines.iter().flatten().map(seen).collect())]
    } else {
        (faces.iter())
            .map(|face| face.corners.iter().map(seen).collect())
            .collect()
    };
    // All around the same way: what one covers after the other is filled once.
    let around = |mut round: Vec<Point>| {
        let next = round.iter().cycle().skip(1);
        let twice: f64 = (round.iter().zip(next))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        if twice < 0.0 {
            round.reverse();
        }
        let mut steps = polyline(&round);
        steps.push(Step::Close);
        steps
    };
    let covered: Vec<Step> = rounds.into_iter().flat_map(around).collect();
    vec![
        Layer::path(covered, None, Some((ink, share))),
        Layer::path(steps, Some(pen), None),
    ]
}

/// The corners of the convex hull, counter-clockwise (Andrew's monotone chain).
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..] {
                if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        // The last is the first of the other half.
        chain.pop();
        chain
    };
    let mut round = half(&mut points.iter().copied());
    round.extend(half(&mut points.iter().rev().copied()));
    round
}

/// The way through the nodes. Where it leaves a periodic box it comes in at the other side; what is outside is not
/// seen.
pub fn way(nodes: &[Node], [i, j]: [usize; 2], periods: [f64; 3], extent: f64) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut pen: Option<[f64; 2]> = None;
    let mut straight: Option<[f64; 2]> = None;
    let mut last: Option<&Node> = None;
    let mut skipped = false;
    for (place, b) in nodes.iter().enumerate() {
        let Some(a) = last else {
            last = Some(b);
            continue;
        };
        // A ball that rattles where it lies makes thousands of steps that nobody sees.
        let far = [i, j].map(|k| (b.position[k] - a.position[k]).abs());
        if far[0].max(far[1]) < UNSEEN * extent && place + 1 < nodes.len() {
            skipped = true;
            continue;
        }
        last = Some(b);
        let dt = b.time - a.time;
        if !(dt > 0.0) {
            continue;
        }
        let axes = [i, j];
        let [from, to] = [a, b].map(|node| axes.map(|k| node.position[k]));
        let (leaving, arriving) = (axes.map(|k| a.leaving[k]), axes.map(|k| b.arriving[k]));
        // How many boxes further it would have come had it not been brought back.
        let boxes = [0, 1].map(|k| match periods[axes[k]] {
            period if period > 0.0 => {
                let reached = from[k] + 0.5 * (leaving[k] + arriving[k]) * dt;
                ((reached - to[k]) / period).round().clamp(-8.0, 8.0) as i32
            }
            _ => 0,
        });
        let is_straight =
            skipped || (0..2).all(|k| (arriving[k] - leaving[k]).abs() * dt < 1e-6 * extent);
        let end = [0, 1].map(|k| to[k] + f64::from(boxes[k]) * periods[axes[k]]);
        for x in range(boxes[0]) {
            for y in range(boxes[1]) {
                let shift = [x, y].map(f64::from);
                let shift = [0, 1].map(|k| shift[k] * periods[axes[k]]);
                let at = |p: [f64; 2]| [p[0] - shift[0], p[1] - shift[1]];
                if pen != Some(at(from)) {
                    steps.push(Step::Move(at(from)));
                    straight = None;
                }
                if is_straight {
                    // An instant of output on a straight way is no corner.
                    if straight == Some(leaving) && !skipped {
                        steps.pop();
                    }
                    steps.push(Step::Line(at(end)));
                    straight = (!skipped).then_some(leaving);
                } else {
                    let control =
                        |p: [f64; 2], v: [f64; 2], t: f64| at([0, 1].map(|k| p[k] + v[k] * t));
                    steps.push(Step::Curve(
                        control(from, leaving, dt / 3.0),
                        control(end, arriving, -dt / 3.0),
                        at(end),
                    ));
                    straight = None;
                }
                pen = Some(at(end));
            }
        }
        skipped = false;
    }
    steps
}

/// From zero to a number, either way.
fn range(to: i32) -> std::ops::RangeInclusive<i32> {
    to.min(0)..=to.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(time: f64, position: [f64; 2], velocity: [f64; 2]) -> Node {
        let place = |[x, y]: [f64; 2]| [x, y, 0.0];
        Node {
            time,
            position: place(position),
            arriving: place(velocity),
            leaving: place(velocity),
            spins: [[0.0; 3]; 2],
        }
    }

    #[test]
    fn a_parabola_is_drawn_as_it_is() {
        // Thrown at (1, 1) m/s in a gravity of 2 m/s²: back at the height of the start after 1 s.
        let nodes = [
            node(0.0, [0.0, 0.0], [1.0, 1.0]),
            node(1.0, [1.0, 0.0], [1.0, -1.0]),
        ];
        let steps = way(&nodes, [0, 1], [0.0; 3], 1.0);
        let [Step::Move(a), Step::Curve(b, c, d)] = steps[..] else {
            panic!("{steps:?}");
        };
        // The middle of a Bézier curve; the top of the parabola is at a height of 1/4.
        let middle = [0, 1].map(|k| (a[k] + 3.0 * b[k] + 3.0 * c[k] + d[k]) / 8.0);
        assert!((middle[0] - 0.5).abs() < 1e-15 && (middle[1] - 0.25).abs() < 1e-15);
    }

    #[test]
    fn the_hull_has_the_outer_points_alone() {
        let square = [
            [0.0, 0.0],
            [1.0, 1.0],
            [0.5, 0.5],
            [1.0, 0.0],
            [0.0, 1.0],
            [0.5, 0.0],
        ];
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(hull(square.to_vec()), corners);
    }

    #[test]
    fn straight_ways_have_corners_where_something_happens_alone() {
        let nodes = [
            node(0.0, [0.0, 0.0], [1.0, 0.0]),
            node(1.0, [1.0, 0.0], [1.0, 0.0]),
            node(2.0, [2.0, 0.0], [1.0, 0.0]),
        ];
        let steps = way(&nodes, [0, 1], [0.0; 3], 1.0);
        assert_eq!(steps, [Step::Move([0.0, 0.0]), Step::Line([2.0, 0.0])]);
    }

    #[test]
    fn ways_go_through_the_edge_of_a_periodic_box() {
        let nodes = [
            node(0.0, [9.0, 5.0], [2.0, 0.0]),
            node(1.0, [1.0, 5.0], [2.0, 0.0]),
        ];
        let steps = way(&nodes, [0, 1], [10.0, 10.0, 0.0], 10.0);
        assert_eq!(
            steps,
            [
                Step::Move([9.0, 5.0]),
                Step::Line([11.0, 5.0]),
                Step::Move([-1.0, 5.0]),
                Step::Line([1.0, 5.0])
            ]
        );
    }
}
