//! Positions of all bodies of a row against time: where lines meet, something collided.

use super::bodies::curve;
use super::time_axis;
use crate::canvas::{Ink, Pen};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, followed};
use crate::outlines::Bounds;
use crate::recording::{Recording, each};
use carom_data::Values;

/// How far bodies of a row may be off it, as a share of its length.
const NARROW: f64 = 0.12;

/// The axis that a row of bodies is along, from where they are at the start; `None` where they are not in a row.
pub fn row(bounds: &Bounds, dimension: usize) -> Option<usize> {
    let side = |i: usize| (bounds.high[i] - bounds.low[i]).max(0.0);
    let along = (0..dimension).max_by(|&i, &j| side(i).total_cmp(&side(j)))?;
    let others = (0..dimension).filter(|&i| i != along);
    let widest = others.map(side).fold(0.0, f64::max);
    (widest <= NARROW * side(along)).then_some(along)
}

/// Bodies up to which it is looked at whether they stand in a row.
const MOST: usize = 200;

/// Whether the bodies of a run stay in a row along an axis.
pub fn is_row(recording: &Recording) -> bool {
    if recording.moving.len() > MOST {
        return false;
    }
    let dimension = recording.dimension();
    let mut bounds = Bounds::NOTHING;
    let read = recording.folder.frames().and_then(|table| {
        each(&table, recording.axes(), |values| {
            let column = |axis: usize| match values.get(axis).copied().flatten() {
                Some(Values::Numbers(numbers)) => numbers.as_slice(),
                _ => &[],
            };
            for row in 0..column(0).len() {
                let at = |axis: usize| column(axis).get(row).copied().unwrap_or(0.0);
                bounds.add(
                    [0, 1, 2].map(|i| if i < dimension { at(i) } else { 0.0 }),
                    0.0,
                );
            }
        })
    });
    read.is_ok() && row(&bounds, dimension).is_some()
}

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let mut bounds = Bounds::NOTHING;
    for node in digest.paths.values().flatten() {
        bounds.add(node.position, 0.0);
    }
    let side = |i: usize| bounds.high[i] - bounds.low[i];
    let widest = (0..recording.dimension()).max_by(|&i, &j| side(i).total_cmp(&side(j)));
    let axis = widest.unwrap_or(0);
    let name = recording.axes()[axis];
    let mut layers = Vec::new();
    let mut values = Vec::new();
    let few = digest.paths.len() <= Ink::SERIES;
    for (place, (&id, nodes)) in digest.paths.iter().enumerate() {
        let steps = curve(nodes, axis, recording.periods()[axis]);
        values.extend(nodes.iter().map(|node| node.position[axis]));
        let pen = Pen {
            opacity: if few { 1.0 } else { 0.8 },
            ..Pen::new(Ink::series(place), if few { 1.8 } else { 1.1 })
        };
        let layer = Layer::path(steps, Some(pen), None);
        layers.push(if few {
            layer.named(recording.bodies[id].name.clone())
        } else {
            layer
        });
    }
    let mut notes = Vec::new();
    let all = followed(recording).count();
    if digest.paths.len() < all {
        notes.push(format!(
            "Thinned: {} of {} are drawn.",
            digest.paths.len(),
            count(all as u64, "moving body", "moving bodies")
        ));
    }
    if digest.paths_until < recording.end() {
        let until = rounded(digest.paths_until, 4);
        notes.push(format!("Thinned: drawn until t = {until} s."));
    }
    Figure {
        name: "xt",
        title: format!("{name} against time"),
        subtitle: recording.caption(),
        panels: vec![Panel::new(
            time_axis(recording),
            Axis::fitting(&format!("{name} of the centre"), "m", values),
            420.0,
            layers,
        )],
        columns: 1,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_long_and_narrow() {
        let bounds = |x: f64, y: f64| Bounds {
            low: [0.0; 3],
            high: [x, y, 0.0],
        };
        assert_eq!(row(&bounds(10.0, 1.0), 2), Some(0));
        assert_eq!(row(&bounds(0.5, 10.0), 2), Some(1));
        assert_eq!(row(&bounds(10.0, 4.0), 2), None);
    }
}
