//! The hull of points: faces found one from the other, each as a polygon.

use super::MAX_CORNERS;
use crate::shape::convex::error::ConvexError;
use crate::space::Linear;
use glam::DVec3;
use std::collections::VecDeque;

/// The size of a set of corners, m, if they are finite and enough.
pub(super) fn check(points: &[DVec3], least: usize) -> Result<f64, ConvexError> {
    if let Some(corner) = points.iter().position(|p| !p.is_finite()) {
        return Err(ConvexError::CornerNotFinite {
            corner,
            value: points[corner],
        });
    }
    if !(least..=MAX_CORNERS).contains(&points.len()) {
        return Err(ConvexError::NumberOfCorners {
            number: points.len(),
            least,
            most: MAX_CORNERS,
        });
    }
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = Linear::length(high - low);
    if size > 0.0 && size.is_finite() {
        Ok(size)
    } else {
        Err(ConvexError::Flat {
            what: "in one place",
        })
    }
}

/// The faces of the convex hull of the points that are used, each counter-clockwise seen from outside.
pub(super) fn wrap(
    points: &[DVec3],
    used: &[u32],
    tolerance: f64,
) -> Result<Vec<Vec<u32>>, ConvexError> {
    let flat = ConvexError::Flat {
        what: "in one plane",
    };
    let place = |i: u32| points[i as usize];
    // The lowest point along x is a corner. A plane through it and parallel to y is turned about y, then about the edge
    // found.
    let lowest = used.iter().copied().min_by(|&a, &b| {
        let (a, b) = (place(a), place(b));
        (a.x, a.y, a.z)
            .partial_cmp(&(b.x, b.y, b.z))
            .expect("corners are finite")
    });
    let lowest = lowest.ok_or_else(|| flat.clone())?;
    let (second, normal) = turn(points, used, place(lowest), DVec3::Y, -DVec3::X, tolerance)
        .ok_or_else(|| flat.clone())?;
    let along = place(second) - place(lowest);
    let normal = (normal - along * (Linear::dot(normal, along) / Linear::length_squared(along)))
        .unit()
        .ok_or_else(|| flat.clone())?;
    let first = face_about(points, used, place(lowest), along, normal, tolerance)
        .ok_or_else(|| flat.clone())?;

    let mut faces = vec![first];
    let mut open: VecDeque<(usize, u32, u32)> = VecDeque::new();
    let mut known: std::collections::BTreeSet<(u32, u32)> = Default::default();
    let announce = |face: usize,
                    around: &[u32],
                    open: &mut VecDeque<(usize, u32, u32)>,
                    known: &mut std::collections::BTreeSet<(u32, u32)>| {
        let next = around.iter().cycle().skip(1);
        for (&from, &to) in around.iter().zip(next) {
            known.insert((from, to));
            open.push_back((face, from, to));
        }
    };
    announce(0, &faces[0].0.clone(), &mut open, &mut known);
    while let Some((face, from, to)) = open.pop_front() {
        if known.contains(&(to, from)) {
            continue;
        }
        // Rounding can only make this go on where the set is nearly flat.
        if faces.len() > 4 * used.len() + 8 {
            return Err(flat);
        }
        let (start, along) = (place(from), place(to) - place(from));
        let next = face_about(points, used, start, along, faces[face].1, tolerance)
            .ok_or_else(|| flat.clone())?;
        announce(faces.len(), &next.0.clone(), &mut open, &mut known);
        faces.push(next);
    }
    if faces.len() < 4 {
        return Err(flat);
    }
    Ok(faces.into_iter().map(|(around, _)| around).collect())
}

/// The point that a plane with outward normal `normal`, turned about a line, meets first, and the normal it then has.
///
/// With u the direction in 2-D away from the solid, a point at d from the line is met after turning by the angle whose
/// cosine is to its sine as `u·d` is to `−n·d`.
fn turn(
    points: &[DVec3],
    used: &[u32],
    start: DVec3,
    along: DVec3,
    normal: DVec3,
    tolerance: f64,
) -> Option<(u32, DVec3)> {
    let along = along.unit()?;
    let out = along.cross(normal);
    let mut best: Option<(u32, f64, f64)> = None;
    for &i in used {
        let arm = points[i as usize] - start;
        let (across, down) = (Linear::dot(out, arm), -Linear::dot(normal, arm));
        if across * across + down * down <= tolerance * tolerance {
            continue;
        }
        let down = down.max(0.0);
        let first = best.is_none_or(|(_, x, y)| {
            // In 2-D itself: ahead before behind.
            let in_plane = down == 0.0 && y == 0.0;
            across * y > x * down || in_plane && across > 0.0 && x <= 0.0
        });
        if first {
            best = Some((i, across, down));
        }
    }
    let (i, across, down) = best?;
    let length = (across * across + down * down).sqrt();
    Some((i, normal * (across / length) + out * (down / length)))
}

/// The face on the other side of an edge of a face with a normal; with its own normal.
fn face_about(
    points: &[DVec3],
    used: &[u32],
    start: DVec3,
    along: DVec3,
    normal: DVec3,
    tolerance: f64,
) -> Option<(Vec<u32>, DVec3)> {
    // Seen from the new face the edge runs the other way.
    let (_, normal) = turn(points, used, start, along, normal, tolerance)?;
    let on_plane: Vec<u32> = used
        .iter()
        .copied()
        .filter(|&i| Linear::dot(normal, points[i as usize] - start).abs() <= 4.0 * tolerance)
        .collect();
    let x = along.unit()?;
    let around = polygon_around(points, &on_plane, x, normal.cross(x), tolerance);
    (around.len() >= 3).then_some((around, normal))
}

/// The convex polygon around points of a plane with axes x and y, counter-clockwise (wrapped, as in Jarvis's march);
/// points within the tolerance of a straight side are left out: of several in one direction the farthest is the corner.
pub(super) fn polygon_around(
    points: &[DVec3],
    some: &[u32],
    x: DVec3,
    y: DVec3,
    tolerance: f64,
) -> Vec<u32> {
    let flat: Vec<(f64, f64, u32)> = some
        .iter()
        .map(|&i| {
            let place = points[i as usize];
            (Linear::dot(x, place), Linear::dot(y, place), i)
        })
        .collect();
    let left = flat.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let start = (0..flat.len())
        .filter(|&i| flat[i].0 <= left + tolerance)
        .min_by(|&i, &j| flat[i].1.total_cmp(&flat[j].1));
    let Some(start) = start else {
        return Vec::new();
    };
    let mut around = Vec::new();
    let mut here = start;
    while around.len() <= flat.len() {
        around.push(flat[here].2);
        let arm = |i: usize| (flat[i].0 - flat[here].0, flat[i].1 - flat[here].1);
        let mut next: Option<(usize, f64, f64, f64)> = None;
        for i in 0..flat.len() {
            let (u, v) = arm(i);
            let length = (u * u + v * v).sqrt();
            if length <= tolerance {
                continue;
            }
            let better = next.is_none_or(|(_, x, y, known)| {
                // How far the nearer of the two is to the right of the line to the farther one.
                let right = (u * y - v * x) / length.max(known);
                right > tolerance || right >= -tolerance && length > known && u * x + v * y > 0.0
            });
            if better {
                next = Some((i, u, v, length));
            }
        }
        let Some((i, ..)) = next else {
            return around;
        };
        let (u, v) = (flat[i].0 - flat[start].0, flat[i].1 - flat[start].1);
        if u * u + v * v <= tolerance * tolerance {
            return around;
        }
        here = i;
    }
    Vec::new()
}
