//! The collision timeline: a row for each body, and a line from row to row for each collision.

use super::time_axis;
use crate::canvas::{Ink, Marker, Pen, Point, Step};
use crate::chart::{Axis, Figure, Layer, Panel, Ticks, count};
use crate::digest::Digest;
use crate::recording::Recording;
use std::collections::BTreeSet;

/// Rows up to which each has its name.
const NAMED: usize = 40;
/// Meetings up to which lines can be told apart.
const LINES: usize = 3_000;

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let involved: Vec<usize> = (0..recording.bodies.len())
        .filter(|&id| digest.by_body[id] > 0)
        .collect();
    let mut rows: Vec<usize> = involved.clone();
    // Free bodies above, what they strike below.
    rows.sort_by_key(|&id| (!recording.is_free(id), id));
    let place = |id: usize| {
        rows.iter()
            .position(|&row| row == id)
            .map(|row| -(row as f64))
    };
    let many = rows.len() > NAMED;
    let places: Vec<Option<f64>> = if many {
        (0..recording.bodies.len())
            .map(|id| Some(-(id as f64)))
            .collect()
    } else {
        (0..recording.bodies.len()).map(place).collect()
    };
    let lines = !many && digest.meetings.len() <= LINES;
    let layers = layers(recording, digest, &places, many, lines);
    let names = |id: &usize| (places[*id].unwrap_or(0.0), name(recording, *id));
    let bottom = if many {
        recording.bodies.len()
    } else {
        rows.len()
    } as f64;
    let y = Axis {
        label: if many {
            "number of the body".to_owned()
        } else {
            String::new()
        },
        unit: String::new(),
        from: -bottom,
        to: 1.0,
        ticks: if many {
            numbered(recording.bodies.len())
        } else {
            Ticks::Names(rows.iter().map(names).collect())
        },
        log: false,
        is_time: false,
    };
    let notes = notes(digest, rows.len(), many, lines);
    // Contacts at the very start or end are seen as a whole.
    let x = time_axis(recording);
    let margin = 0.012 * (x.to - x.from);
    let message = digest
        .meetings
        .is_empty()
        .then(|| "No collisions in this run".to_owned());
    Figure {
        name: "contacts",
        title: "Collision timeline".to_owned(),
        subtitle: recording.caption(),
        panels: vec![Panel {
            heading: String::new(),
            x: Axis {
                from: x.from - margin,
                to: x.to + margin,
                ..x
            },
            y,
            height: if many {
                420.0
            } else {
                (17.0 * bottom + 20.0).clamp(120.0, 720.0)
            },
            same_scale: false,
            layers,
            message,
        }],
        columns: 1,
        notes,
    }
}

/// Lines from row to row, where they can be told apart, and dots where they end.
fn layers(
    recording: &Recording,
    digest: &Digest,
    places: &[Option<f64>],
    many: bool,
    lines: bool,
) -> Vec<Layer> {
    let (mut free, mut other): (Vec<Step>, Vec<Step>) = (Vec::new(), Vec::new());
    let (mut discs, mut squares): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
    for meeting in &digest.meetings {
        let [a, b] = meeting.pair;
        let [Some(from), Some(to)] = [places[a], places[b]] else {
            continue;
        };
        let both = recording.is_free(a) && recording.is_free(b);
        let steps = if both { &mut free } else { &mut other };
        steps.push(Step::Move([meeting.time, from]));
        steps.push(Step::Line([meeting.time, to]));
        for (id, row) in [(a, from), (b, to)] {
            let dots = if recording.is_free(id) {
                &mut discs
            } else {
                &mut squares
            };
            dots.push([meeting.time, row]);
        }
    }
    let mut layers = Vec::new();
    let inks = [Ink::series(0), Ink::series(1)];
    let radius: f64 = if many { 1.1 } else { 3.2 };
    let pen = |ink| Pen {
        opacity: 0.65,
        ..Pen::new(
            ink,
            if digest.meetings.len() > 300 {
                0.8
            } else {
                1.3
            },
        )
    };
    if lines {
        layers.push(Layer::path(other, Some(pen(inks[1])), None));
        layers.push(Layer::path(free, Some(pen(inks[0])), None));
    }
    let radius = match digest.meetings.len() {
        // Without lines dots are all there is: specks, which files can hold many of.
        _ if !lines => radius.min(1.4),
        1_001.. => 0.7 * radius,
        _ => radius,
    };
    for (dots, ink, marker, name) in [
        (
            squares,
            inks[1],
            Marker::Square,
            "a static or kinematic body is struck",
        ),
        (discs, inks[0], Marker::Disc, "a free body collides"),
    ] {
        if !dots.is_empty() {
            layers.push(Layer::dots(unique(dots), ink, marker, radius).named(name));
        }
    }
    layers
}

fn name(recording: &Recording, id: usize) -> String {
    let name = &recording.bodies[id].name;
    if name.is_empty() {
        format!("body {id}")
    } else {
        name.clone()
    }
}

/// What is not drawn.
fn notes(digest: &Digest, rows: usize, many: bool, lines: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if many {
        notes.push(format!(
            "{} bodies collide: their names do not fit, and neither do lines between them.",
            count(rows as u64, "body", "bodies")
        ));
    } else if !lines && !digest.meetings.is_empty() {
        notes.push("There are too many collisions to draw lines between the bodies.".to_owned());
    }
    if digest.every > 1 {
        notes.push(format!(
            "Thinned: 1 in {} of {} is drawn.",
            digest.every,
            count(digest.collisions, "collision", "collisions")
        ));
    }
    notes
}

/// Ticks for rows that count downwards.
fn numbered(bodies: usize) -> Ticks {
    let axis = Axis::new("", "", 0.0, bodies as f64);
    let (ticks, _) = axis.written(8);
    Ticks::Names(
        ticks
            .into_iter()
            .map(|(value, _)| (-value, format!("{value}")))
            .collect(),
    )
}

/// Each place once.
fn unique(places: Vec<Point>) -> Vec<Point> {
    let mut seen = BTreeSet::new();
    places
        .into_iter()
        .filter(|place| seen.insert(place.map(f64::to_bits)))
        .collect()
}
