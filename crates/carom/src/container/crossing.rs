//! Where two pieces of an outline meet.
//!
//! Two neighbours meet at their joint, and, where they are tangential there, rounding turns the one place into two
//! nearby: nothing counts that is nearer to the joint than [`AT_JOINT`].

use crate::roots::Dd;
use crate::shape::{Arc, Segment, Shape2};
use crate::space::Linear;
use glam::DVec2;

/// Ends that are nearer than this share of the container's size are taken for one place.
pub(super) const JOINED: f64 = 1e-9;

/// Places nearer than this share of the container's size to a joint are the joint.
pub(super) const AT_JOINT: f64 = 1e-6;

/// Some places at which two pieces meet, one for each stretch that they have in common.
pub(super) fn meetings(a: &Shape2, b: &Shape2) -> Vec<DVec2> {
    match (a, b) {
        (Shape2::Segment(a), Shape2::Segment(b)) => of_segments(a, b),
        (Shape2::Segment(segment), Shape2::Arc(arc))
        | (Shape2::Arc(arc), Shape2::Segment(segment)) => of_segment_and_arc(segment, arc),
        (Shape2::Arc(a), Shape2::Arc(b)) => of_arcs(a, b),
    }
}

/// On which side of the line from `a` to `b` a point is: its sign is right unless the point is within 2⁻¹⁰⁰ of the
/// sizes of the line.
fn side(a: DVec2, b: DVec2, point: DVec2) -> f64 {
    let [ux, uy] = [Dd::difference(b.x, a.x), Dd::difference(b.y, a.y)];
    let [vx, vy] = [Dd::difference(point.x, a.x), Dd::difference(point.y, a.y)];
    (ux * vy - uy * vx).hi
}

fn of_segments(one: &Segment, other: &Segment) -> Vec<DVec2> {
    let ([a, b], [c, d]) = (one.ends, other.ends);
    let (of_c, of_d) = (side(a, b, c), side(a, b, d));
    let (of_a, of_b) = (side(c, d, a), side(c, d, b));
    if of_c == 0.0 && of_d == 0.0 {
        // On one line: whichever ends lie on the other segment.
        let on = |from: DVec2, to: DVec2, point: DVec2| {
            Linear::dot(point - from, to - from) >= 0.0 && Linear::dot(point - to, from - to) >= 0.0
        };
        let ends = [(a, b, c), (a, b, d), (c, d, a), (c, d, b)];
        return ends
            .into_iter()
            .filter(|&(from, to, point)| on(from, to, point))
            .map(|(_, _, point)| point)
            .collect();
    }
    // A product of the signs: of the numbers themselves it might underflow.
    let parted = |x: f64, y: f64| (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
    if parted(of_c, of_d) || parted(of_a, of_b) {
        return Vec::new();
    }
    vec![c + (d - c) * (of_c / (of_c - of_d))]
}

fn of_segment_and_arc(segment: &Segment, arc: &Arc) -> Vec<DVec2> {
    let [from, to] = segment.ends;
    let (edge, start) = (to - from, from - arc.centre);
    let a = Linear::length_squared(edge);
    let half_b = Linear::dot(edge, start);
    let area = edge.perp_dot(start);
    let discriminant = a * arc.radius * arc.radius - area * area;
    if !(discriminant >= 0.0) {
        return Vec::new();
    }
    let root = discriminant.sqrt();
    [(-half_b - root) / a, (-half_b + root) / a]
        .into_iter()
        .filter(|share| (0.0..=1.0).contains(share))
        .map(|share| from + edge * share)
        .filter(|&place| arc.faces(place))
        .collect()
}

fn of_arcs(a: &Arc, b: &Arc) -> Vec<DVec2> {
    let apart = b.centre - a.centre;
    let distance = Linear::length(apart);
    if distance <= JOINED * a.radius {
        let same = (a.radius - b.radius).abs() <= JOINED * a.radius;
        let places = [(a, b), (b, a)].into_iter().flat_map(|(one, other)| {
            let middle = one.centre + one.middle * one.radius;
            [middle, one.ends[0], one.ends[1]]
                .into_iter()
                .filter(|&place| other.faces(place))
                .collect::<Vec<_>>()
        });
        return if same { places.collect() } else { Vec::new() };
    }
    // Along the line of centres, and across it.
    let along = 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
    let squared = (a.radius - along) * (a.radius + along);
    if !(squared >= 0.0) {
        return Vec::new();
    }
    let (ahead, across) = (apart * (1.0 / distance), squared.sqrt());
    [across, -across]
        .map(|across| a.centre + ahead * along + ahead.perp() * across)
        .into_iter()
        .filter(|&place| a.faces(place) && b.faces(place))
        .collect()
}
