//! An axis made better: by Newton's method, and from what the distance algorithm found.

use super::{Among, Axis, AxisKind, PREFERENCE, PlacedHull, hulls, with_round};
use crate::shape::convex::distance::{Distance, distance};
use crate::shape::convex::part::{Core, Round};
use crate::shape::convex::placed::{Placed, separation};
use crate::space::Linear;
use glam::DVec3;

/// The direction bettered by Newton's method, freely and along the edges that it is across of.
///
/// The separation `s(n) = n·w`, with w from the farthest point of *a* to that of *b*, has the gradient w; the support
/// function of a cylinder bends by `r/|n⊥|` along its rim and not at all otherwise. So with t along the rims and g the
/// part of w across n the best change d of n solves `(Σ r/|n⊥| t tᵀ + s) d = g`.
fn polished(a: &Placed, b: &Placed, start: Axis) -> Axis {
    let mut best = newton(a, b, start, None);
    for placed in [a, b] {
        let mut slide = |along: DVec3| {
            let part = Linear::dot(along, best.normal);
            if part * part <= 1e-8 * Linear::length_squared(along) {
                let normal = best.normal - along * (part / Linear::length_squared(along));
                let normal = normal.unit().unwrap_or(best.normal);
                let across = Axis {
                    normal,
                    separation: separation(a, b, normal),
                    kind: best.kind,
                };
                best.improve(newton(a, b, across, Some(along)), 0.0);
            }
        };
        match placed.core {
            Core::Hull(hull) => {
                for edge in &hull.edges {
                    slide(placed.turned(hull.along(edge)));
                }
            }
            Core::Cylinder(round) => slide(placed.turned(round.axis)),
            Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => {}
        }
    }
    best
}

pub(super) fn newton(a: &Placed, b: &Placed, mut best: Axis, across: Option<DVec3>) -> Axis {
    for _ in 0..8 {
        let n = best.normal;
        let w = b.farthest(-n).0 - a.farthest(n).0;
        let first = across.map_or_else(|| n.any_orthonormal_vector(), |edge| n.cross(edge));
        let Some(first) = first.unit() else {
            return best;
        };
        let second = n.cross(first);
        let (g1, g2) = (Linear::dot(first, w), Linear::dot(second, w));
        let s = Linear::dot(n, w);
        let (mut m11, mut m12, mut m22) = (s, 0.0, s);
        for placed in [a, b] {
            if let Core::Cylinder(round) = placed.core {
                let axis = placed.turned(round.axis);
                let rim = axis.cross(n);
                let length = Linear::length(rim);
                if length > 1e-12 {
                    // |n⊥| is |axis × n|, and the rim's direction is that of axis × n.
                    let scale = round.radius / (length * length * length);
                    let (t1, t2) = (Linear::dot(first, rim), Linear::dot(second, rim));
                    m11 += scale * t1 * t1;
                    m12 += scale * t1 * t2;
                    m22 += scale * t2 * t2;
                }
            }
        }
        let change = if across.is_some() {
            first * (g1 / m11)
        } else {
            let determinant = m11 * m22 - m12 * m12;
            first * ((g1 * m22 - g2 * m12) / determinant)
                + second * ((g2 * m11 - g1 * m12) / determinant)
        };
        // Far from the maximum, or where there is none, Newton's method leads astray.
        if !(Linear::length(change) < 0.1) {
            return best;
        }
        let Some(normal) = (n + change).unit() else {
            return best;
        };
        let found = separation(a, b, normal);
        if !(found > best.separation) {
            return best;
        }
        best = Axis {
            normal,
            separation: found,
            kind: best.kind,
        };
    }
    best
}

/// The direction bettered: if two bodies that touch or overlap have the common normal n where they do, and *b* is moved
/// away along n, their nearest points are the same two, and their difference is along n. So the search for the distance
/// of bodies that are apart finds n, from a guess, in a few rounds: an error of the guess is multiplied by at most
/// δ/(δ + R) with δ the distance and R the radius of curvature, and by nothing where one is flat.
fn bettered(a: &Placed, b: &Placed, mut best: Axis, size: f64) -> Axis {
    let mut guess = best.normal;
    for _ in 0..24 {
        let away = 0.01 * size - best.separation.min(0.0);
        let moved = Placed {
            centre: b.centre + guess * away,
            ..*b
        };
        let found = distance(a, &moved, guess, f64::INFINITY);
        if !(found.least > 0.0) {
            break;
        }
        let change = Linear::length(found.normal - guess);
        guess = found.normal;
        let axis = Axis {
            normal: guess,
            separation: separation(a, b, guess),
            kind: AxisKind::Free,
        };
        best.improve(axis, 0.0);
        if change < 1e-13 {
            break;
        }
    }
    best
}

/// The best direction for two cores that are near each other or overlap, given what the search for their distance
/// found.
pub(super) fn sharpened(a: &Placed, b: &Placed, found: &Distance, hint: DVec3, size: f64) -> Axis {
    let round = |core: &Core| matches!(core, Core::Cylinder(Round { .. }));
    let free = Axis {
        normal: found.normal,
        separation: found.least,
        kind: AxisKind::Free,
    };
    match (a.core, b.core) {
        (Core::Hull(hull_a), Core::Hull(hull_b)) => {
            let (first, second) = (PlacedHull::whole(a, hull_a), PlacedHull::whole(b, hull_b));
            // The distance is at most `found.most`: nothing better than that can be elsewhere.
            let local = (found.most > 0.0).then(|| around(first, second, found, size));
            let enough = |axis: &Axis| axis.separation >= found.most - PREFERENCE * size;
            let mut best = local
                .filter(enough)
                .unwrap_or_else(|| hulls(first, second, size));
            best.improve(free, PREFERENCE * size);
            best
        }
        _ if round(a.core) || round(b.core) => {
            let near = [found.normal, hint];
            let close = with_round(a, b, &near, false);
            let close = polished(a, b, close);
            if found.most > 0.0 && close.separation >= found.most - PREFERENCE * size {
                return close;
            }
            let guess = if close.separation > -1e-6 * size {
                close
            } else {
                with_round(a, b, &near, true)
            };
            let better = bettered(a, b, guess, size);
            let mut best = with_round(a, b, &[better.normal, hint], false);
            best.improve(better, 0.0);
            polished(a, b, best)
        }
        _ => free,
    }
}

/// The best direction of the faces and edges at the corners that are nearest, as far as is known.
fn around(first: PlacedHull<'_>, second: PlacedHull<'_>, found: &Distance, size: f64) -> Axis {
    let all = &found.corners[..found.number];
    let (mut at_a, mut at_b) = ([0; 4], [0; 4]);
    for (i, &(on_a, on_b)) in all.iter().enumerate() {
        (at_a[i], at_b[i]) = (on_a, on_b);
    }
    let near_a = distinct(&mut at_a, all.len());
    let near_b = distinct(&mut at_b, all.len());
    let first = PlacedHull {
        among: Among::At(near_a),
        ..first
    };
    let second = PlacedHull {
        among: Among::At(near_b),
        ..second
    };
    hulls(first, second, size)
}

fn distinct(corners: &mut [u32; 4], number: usize) -> &[u32] {
    let some = &mut corners[..number];
    some.sort_unstable();
    let mut kept = 0;
    for i in 0..some.len() {
        if i == 0 || some[i] != some[kept - 1] {
            some[kept] = some[i];
            kept += 1;
        }
    }
    &corners[..kept]
}
