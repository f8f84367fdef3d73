//! Regions to fill.

use crate::dimension::{ReadSpace, vector};
use crate::forms;
use crate::quantity::{LENGTH, PLACE};
use crate::random::Random;
use crate::reader::Section;
use carom::simulate::Compiled;
use carom::space::{Linear, Space};

/// Where balls are to be put.
pub(super) enum Region<S: Space> {
    Box {
        low: [f64; 3],
        size: [f64; 3],
        /// The axes along which it is as long as the periodic box, so that it has no faces there.
        endless: [bool; 3],
    },
    Round {
        centre: S::Vector,
        radius: f64,
    },
}

/// From `region`, or the periodic box.
pub(super) fn read<S: ReadSpace>(
    section: &Section<'_, '_>,
    periods: [f64; 3],
) -> Option<Region<S>> {
    let endless_box = (0..S::DIMENSION).all(|axis| periods[axis] > 0.0);
    if endless_box && !section.has("region") {
        section.optional("region");
        return Some(Region::Box {
            low: [0.0; 3],
            size: periods,
            endless: [true; 3],
        });
    }
    let what = "a table { from = […], to = […] } or { centre = […], radius = … }";
    let entry = section.required("region", what)?;
    let inner = entry.section(format!("the region of {}", section.title))?;
    if inner.has("centre") {
        let inner = inner.of(&forms::BALL_REGION);
        let centre = inner.required("centre", "its middle, in metres");
        let radius = inner.required("radius", "in metres");
        let centre = centre.and_then(|entry| vector::<S>(&entry, PLACE));
        let radius = radius.and_then(|entry| entry.number(LENGTH));
        inner.finish(&[]);
        return Some(Region::Round {
            centre: centre?,
            radius: radius?,
        });
    }
    let inner = inner.of(&forms::BOX_REGION);
    let from = inner.required("from", "the corner with the least coordinates, in metres");
    let to_entry = inner.required("to", "the opposite corner, in metres");
    let from = from.and_then(|entry| vector::<S>(&entry, PLACE));
    let to = to_entry
        .as_ref()
        .and_then(|entry| vector::<S>(entry, PLACE));
    inner.finish(&[]);
    let (low, high) = (S::components(from?), S::components(to?));
    let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    if (0..S::DIMENSION).any(|axis| !(size[axis] > 0.0)) {
        to_entry?.wrong("beyond `from` along each axis");
        return None;
    }
    Some(Region::Box {
        low,
        size,
        endless: [0, 1, 2].map(|axis| periods[axis] > 0.0 && size[axis] == periods[axis]),
    })
}

impl<S: Compiled> Region<S> {
    /// Its area, m², or volume, m³.
    pub fn content(&self) -> f64 {
        match self {
            Region::Box { size, .. } => size[..S::DIMENSION].iter().product(),
            Region::Round { radius, .. } => super::content::<S>(*radius),
        }
    }

    /// The box that it is in: the least coordinates, and the lengths.
    pub fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        match self {
            Region::Box { low, size, .. } => (*low, *size),
            Region::Round { centre, radius } => {
                let centre = S::components(*centre);
                (centre.map(|middle| middle - radius), [2.0 * radius; 3])
            }
        }
    }

    /// Whether balls may go through the faces across an axis.
    pub fn is_endless(&self, axis: usize) -> bool {
        match self {
            Region::Box { endless, .. } => endless[axis],
            Region::Round { .. } => false,
        }
    }

    /// Whether a ball is wholly inside.
    pub fn holds(&self, place: S::Vector, radius: f64) -> bool {
        match self {
            Region::Round {
                centre,
                radius: outer,
            } => (place - *centre).length() + radius <= *outer,
            Region::Box { low, size, endless } => {
                let place = S::components(place);
                (0..S::DIMENSION).all(|axis| {
                    let from = place[axis] - low[axis];
                    endless[axis] || (from >= radius && size[axis] - from >= radius)
                })
            }
        }
    }

    /// A place for a ball, all alike; `None` where it does not fit at all.
    pub fn draw(&self, radius: f64, random: &mut Random) -> Option<S::Vector> {
        let (low, size) = self.bounds();
        let margin = |axis| if self.is_endless(axis) { 0.0 } else { radius };
        if (0..S::DIMENSION).any(|axis| size[axis] < 2.0 * margin(axis)) {
            return None;
        }
        // A ball fills more than half of its box, a disc more than three quarters.
        for _ in 0..1000 {
            let place = [0, 1, 2].map(|axis| {
                let margin = margin(axis);
                low[axis] + random.between(margin, size[axis] - margin)
            });
            let place = S::vector(place);
            if matches!(self, Region::Box { .. }) || self.holds(place, radius) {
                return Some(place);
            }
        }
        None
    }
}
