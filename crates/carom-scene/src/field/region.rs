//! Where a field acts.

use super::{place, told_apart};
use crate::dimension::{ReadSpace, direction};
use crate::forms::{self, Form};
use crate::reader::Section;
use crate::shape::METRES_POSITIVE;
use carom::motion::Region;
use carom::space::Linear;

/// From `region`; everywhere where there is none. `None` where it is wrong.
pub(super) fn read<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Region<S>> {
    let Some(entry) = section.optional("region") else {
        return Some(Region::Everywhere);
    };
    let inner = entry.section(format!("the region of {}", section.title))?;
    let kinds: [(&[&str], &Form); 3] = [
        (&["point", "normal"], &forms::HALF_SPACE),
        (&["centre", "radius", "outside"], &forms::ROUND_REGION),
        (&["from", "to"], &forms::BLOCK_REGION),
    ];
    let allowed = "{ point, normal }, { centre, radius } or { from, to }";
    let region = match told_apart(&inner, &entry, &forms::ANY_REGION, &kinds, allowed) {
        Some(0) => half_space(&inner),
        Some(1) => round(&inner),
        Some(_) => block(&inner),
        None => None,
    };
    inner.finish(&[]);
    region
}

fn half_space<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Region<S>> {
    let point = place::<S>(inner, "point", "a point of its border, in metres");
    let normal = inner.required("normal", "the direction away from where it acts");
    let normal = normal.and_then(|entry| direction::<S>(&entry));
    Some(Region::HalfSpace {
        point: point?,
        normal: normal?.unit()?,
    })
}

fn round<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Region<S>> {
    let centre = place::<S>(inner, "centre", "its centre, in metres");
    let radius = inner.required("radius", "its radius, metres");
    let radius = radius.and_then(|entry| entry.number(METRES_POSITIVE));
    let outside = match inner.optional("outside") {
        Some(entry) => entry.flag(),
        None => Some(false),
    };
    let (centre, radius) = (centre?, radius?);
    Some(if outside? {
        Region::OutsideBall { centre, radius }
    } else {
        Region::Ball { centre, radius }
    })
}

fn block<S: ReadSpace>(inner: &Section<'_, '_>) -> Option<Region<S>> {
    let low = place::<S>(
        inner,
        "from",
        "the corner with the least coordinates, in metres",
    );
    let high = place::<S>(inner, "to", "the corner with the largest, in metres");
    let (low, high) = (low?, high?);
    let size = S::components(high - low);
    if size[..S::DIMENSION].iter().any(|&length| length <= 0.0) {
        inner.optional("to")?.wrong("above `from` along every axis");
        return None;
    }
    Some(Region::Box { low, high })
}
