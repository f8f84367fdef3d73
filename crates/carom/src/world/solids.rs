//! Rigid bodies, at the start: their shapes, and which of them overlap.

use super::{World, WorldError, image_boxes, pose_at_start, shift_of};
use crate::body::{Body, Kind};
use crate::broad::home;
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::convex::{Compound, fixed_form, free_form, meetings};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};

/// Whether a world has free bodies that are not balls, or rigid bodies made of parts, so that lasting contacts are
/// followed in steps.
pub fn has_rigid_bodies<S: Shaped>(world: &World<S>) -> bool {
    world.bodies().iter().any(is_turning_solid)
}

/// Whether a body is one of those.
pub(crate) fn is_turning_solid<S: Shaped>(body: &Body<S>) -> bool {
    match (&body.kind, &body.shape) {
        (Kind::Free(_), Shape::Ball(_)) => false,
        (Kind::Free(_), _) | (_, Shape::Compound(_)) => true,
        _ => false,
    }
}

/// A body where it is at time 0.
struct PlacedBody<S: Space> {
    index: usize,
    form: Compound<S>,
    pose: Pose<S>,
    free: bool,
    /// Whether it is a free body in the periodic box, and no image of one.
    home: bool,
    /// From where to where it reaches along x, m.
    reach: [f64; 2],
}

/// How deep bodies may overlap, in sizes and coordinates: some thousand roundings, as the corners of turned solids
/// have.
const ROUNDING: f64 = 1e-12;

/// Every pair that overlaps at time 0 by more than rounding explains.
pub(super) fn overlaps<S: Shaped>(world: &World<S>) -> Vec<WorldError> {
    let periods = world.periods();
    let free = |body: &&Body<S>| matches!(body.kind, Kind::Free(_));
    let reaches = (world.bodies().iter().filter(free)).map(|body| body.shape.reach());
    let largest = reaches.fold(0.0, f64::max);
    let place = |(index, body): (usize, &Body<S>)| {
        let (form, free) = match &body.kind {
            Kind::Free(free) => (free_form(&body.shape, free.mass).ok()?, true),
            _ => (fixed_form(&body.shape)?, false),
        };
        let mut body = body.clone();
        if free {
            body.pose.position = home::<S>(body.pose.position, periods);
        }
        let images = image_boxes(&body, periods, largest).into_iter();
        let placed = images.map(move |image| {
            let mut pose = pose_at_start(&body);
            pose.position += shift_of::<S>(image, periods);
            let x = S::components(pose.position)[0];
            PlacedBody {
                index,
                pose,
                free,
                home: free && image == [0; 3],
                reach: [x - form.reach(), x + form.reach()],
                form: form.clone(),
            }
        });
        Some(placed.collect::<Vec<_>>())
    };
    let mut all: Vec<PlacedBody<S>> = (world.bodies().iter().enumerate())
        .filter(|(_, body)| !body.sensor)
        .filter_map(place)
        .flatten()
        .collect();
    all.order_by(|a, b| a.reach[0].total_cmp(&b.reach[0]));
    let mut found = Vec::new();
    for (at, a) in all.iter().enumerate() {
        let later = all[at + 1..].iter();
        for b in later.take_while(|b| b.reach[0] <= a.reach[1]) {
            found.extend(overlap(world, a, b));
        }
    }
    // In a periodic box two may meet as several images: the deepest overlap says it.
    found.order_by(|a, b| (a.pair().cmp(&b.pair())).then(b.depth().total_cmp(&a.depth())));
    found.dedup_by_key(|error| error.pair());
    found
}

fn overlap<S: Shaped>(
    world: &World<S>,
    a: &PlacedBody<S>,
    b: &PlacedBody<S>,
) -> Option<WorldError> {
    // The free one first, then the one that was inserted first.
    let (a, b) = if (!a.free, a.index) <= (!b.free, b.index) {
        (a, b)
    } else {
        (b, a)
    };
    let bodies = [a.index, b.index].map(|index| &world.bodies()[index]);
    let apart = (a.pose.position - b.pose.position).length();
    if !(a.home || b.home)
        || a.index == b.index
        || !bodies[0].groups.collides_with(bodies[1].groups)
        || apart > a.form.reach() + b.form.reach()
    {
        return None;
    }
    let size = a.pose.position.length().max(b.pose.position.length())
        + a.form.reach()
        + if b.free { b.form.reach() } else { 0.0 };
    let allowed = ROUNDING * size;
    let met = meetings(&a.form, &a.pose, &b.form, &b.pose, 0.0);
    let depth = met.iter().map(|(_, _, m)| m.depth).fold(0.0, f64::max);
    (depth > allowed).then(|| WorldError::Overlap {
        a: a.index,
        name_a: bodies[0].name.to_string(),
        b: b.index,
        name_b: bodies[1].name.to_string(),
        depth,
        allowed,
    })
}
