//! Where two parts touch along an axis: faces, edges and rims clipped against each other.

use super::PartPair;
use crate::shape::convex::part::Core;
use crate::shape::convex::placed::Placed;
use crate::shape::convex::separate::{Axis, AxisKind};
use crate::space::Linear;
use glam::DVec3;

/// A place on each core.
pub(crate) struct Place {
    pub on_a: DVec3,
    pub on_b: DVec3,
    pub(super) feature: u64,
}

/// Corners this much lower than the highest still count as being as high, of the size: what rounding of a direction
/// makes of them.
const LEVEL: f64 = 1e-9;

/// The sine of an angle between edges below which the determinant that says where they cross, which is its square, has
/// a few digits at the most.
const PARALLEL: f64 = 1e-6;

/// A corner of a feature: where, and a number that tells it from others.
type Numbered = (DVec3, u32);

/// The places on the two cores where they are no farther apart along the axis than the margin and their rounding.
pub(crate) fn points_of(pair: &PartPair, axis: &Axis, margin: f64) -> Vec<Place> {
    let (a, b, normal) = (&pair.a, &pair.b, axis.normal);
    let level = LEVEL * pair.size;
    // Whoever asks for all corners, however far, is not asking what may touch soon.
    let soon = margin > level && margin <= pair.size;
    if soon && matches!(axis.kind, AxisKind::Edges(..) | AxisKind::Free) {
        let mut places = along_edges(pair, axis, margin);
        if !places.is_empty() {
            let gap = |place: &Place| Linear::dot(normal, place.on_b - place.on_a);
            let nearest = places.iter().map(gap).fold(f64::INFINITY, f64::min);
            if nearest > axis.separation + level {
                // What is nearest of all is beside the face: a corner beyond its end.
                let (of_a, of_b) = (highest(a, normal, level), highest(b, -normal, level));
                places.extend(of_edges(&of_a, &of_b, normal, level));
            }
            return places;
        }
    }
    let of_a = highest(a, normal, level);
    let of_b = highest(b, -normal, level);
    let enough = if pair.planar { 2 } else { 3 };
    let is_face = |feature: &[Numbered], core: &Core| {
        feature.len() >= enough || matches!(core, Core::HalfSpace { .. })
    };
    let (face_a, face_b) = (is_face(&of_a, a.core), is_face(&of_b, b.core));
    let prefers_b = matches!(axis.kind, AxisKind::FaceB(_));
    let limit = margin + pair.rounding();
    let places = if face_a && !(face_b && prefers_b) {
        // The plane of the reference: the other's lowest point is `separation` above it.
        let plane = -b.height(-normal) - axis.separation;
        let above = |point: DVec3| Linear::dot(normal, point) - plane;
        clipped(pair, &of_a, b, normal, above, limit)
            .into_iter()
            .map(|(on_a, on_b, feature)| Place {
                on_a,
                on_b,
                feature,
            })
            .collect()
    } else if face_b {
        let plane = -a.height(normal) - axis.separation;
        let above = |point: DVec3| Linear::dot(-normal, point) - plane;
        clipped(pair, &of_b, a, -normal, above, limit)
            .into_iter()
            .map(|(on_b, on_a, feature)| Place {
                on_a,
                on_b,
                feature: feature | 1 << 63,
            })
            .collect()
    } else {
        of_edges(&of_a, &of_b, normal, level)
    };
    if !places.is_empty() || axis.separation > limit {
        return places;
    }
    // Nothing of the other face lies over the reference: corners or edges beside it.
    of_edges(&of_a, &of_b, normal, level)
        .into_iter()
        .filter(|p| Linear::length(p.on_b - p.on_a) <= limit.max(axis.separation.abs() + level))
        .collect()
}

/// The corners that are farthest along a direction, in order around their face; points on the rim, or the two ends of a
/// line, of a cylinder.
fn highest(placed: &Placed, direction: DVec3, level: f64) -> Vec<Numbered> {
    match placed.core {
        Core::Hull(hull) => {
            let own = placed.own(direction);
            let top = hull.height(own);
            let is_high =
                |corner: u32| Linear::dot(own, hull.corners[corner as usize]) >= top - level;
            let numbered = |corner: u32| (placed.place(hull.corners[corner as usize]), corner);
            let high: Vec<u32> = (0..hull.corners.len() as u32)
                .filter(|&c| is_high(c))
                .collect();
            if high.len() > 1 {
                // All of one face? Then in its order.
                let whole = hull.faces_at.get(high[0]).iter().find(|&&face| {
                    let around = hull.around(face as usize);
                    let ahead = Linear::dot(hull.faces[face as usize].normal, own) > 0.0;
                    ahead && around.len() == high.len() && around.iter().all(|&c| is_high(c))
                });
                if let Some(&face) = whole {
                    return hull
                        .around(face as usize)
                        .iter()
                        .map(|&c| numbered(c))
                        .collect();
                }
            }
            high.into_iter().map(numbered).collect()
        }
        Core::Cylinder(round) => {
            let own = placed.own(direction);
            let along = Linear::dot(round.axis, own);
            let across = round.across(own);
            let end = if along < 0.0 { -1.0 } else { 1.0 };
            let top = round.centre + round.axis * (round.half_length * end);
            if 2.0 * round.radius * Linear::length(across) <= level {
                rim(
                    top,
                    round.axis * end,
                    across_of(round.axis),
                    round.radius,
                    16,
                )
                .into_iter()
                .map(|(point, i)| (placed.place(point), i))
                .collect()
            } else {
                let out = across.unit().unwrap_or(DVec3::ZERO) * round.radius;
                let mut points = vec![(placed.place(top + out), 0)];
                if 2.0 * round.half_length * along.abs() <= level {
                    let bottom = round.centre - round.axis * (round.half_length * end);
                    points.push((placed.place(bottom + out), 1));
                }
                points
            }
        }
        Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => Vec::new(),
    }
}

/// A direction across an axis, always the same one.
fn across_of(axis: DVec3) -> DVec3 {
    let least = axis.abs();
    let other = if least.x <= least.y && least.x <= least.z {
        DVec3::X
    } else if least.y <= least.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    axis.cross(other).unit().unwrap_or(DVec3::X)
}

/// Points around a circle, counter-clockwise about the axis.
fn rim(centre: DVec3, axis: DVec3, first: DVec3, radius: f64, number: u32) -> Vec<Numbered> {
    let second = axis.cross(first);
    (0..number)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(number);
            let (sin, cos) = libm::sincos(angle);
            (centre + (first * cos + second * sin) * radius, i)
        })
        .collect()
}

/// What of the other body looks at a reference face with a normal: polygons, lines or points, of which any may be low
/// enough to touch.
fn looking(other: &Placed, normal: DVec3) -> Vec<Vec<Numbered>> {
    match other.core {
        Core::Hull(hull) => {
            let own = other.own(-normal);
            let numbered = |corner: u32| (other.place(hull.corners[corner as usize]), corner);
            let facing = (0..hull.faces.len()).max_by(|&i, &j| {
                let part = |f: usize| Linear::dot(hull.faces[f].normal, own);
                part(i).total_cmp(&part(j)).then(j.cmp(&i))
            });
            let corners = match facing {
                Some(face) => hull.around(face).iter().map(|&c| numbered(c)).collect(),
                None => (0..hull.corners.len() as u32).map(numbered).collect(),
            };
            vec![corners]
        }
        Core::Cylinder(round) => {
            let own = other.own(-normal);
            let along = Linear::dot(round.axis, own);
            let end = if along < 0.0 { -1.0 } else { 1.0 };
            let across = round.across(own);
            // The lowest point first; where the end is level, always the same one.
            let first = if Linear::length(across) > 1e-6 {
                across.unit().unwrap_or(DVec3::X)
            } else {
                across_of(round.axis)
            };
            let top = round.centre + round.axis * (round.half_length * end);
            let bottom = round.centre - round.axis * (round.half_length * end);
            let circle = rim(top, round.axis * end, first, round.radius, 8);
            let line = [(top, 0), (bottom, 8)].map(|(c, i)| (c + first * round.radius, i));
            [circle, line.to_vec()]
                .into_iter()
                .map(|list| {
                    let list = list.into_iter();
                    list.map(|(point, i)| (other.place(point), i)).collect()
                })
                .collect()
        }
        Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => Vec::new(),
    }
}

/// Two edges that cross, where more than the crossing is level with it to within the margin: a face beside an edge that
/// lies nearly on the other body, or edges that lie nearly along each other. The crossing alone would leave them free
/// to tilt until it jumps to where they touch then.
///
/// The gaps are those along the axis: over a face to its plane, which need not be across the axis; between the edges
/// the same everywhere.
fn along_edges(pair: &PartPair, axis: &Axis, margin: f64) -> Vec<Place> {
    let (a, b, normal) = (&pair.a, &pair.b, axis.normal);
    let limit = margin + pair.rounding();
    // The plane of a face (normal, height), how far a point is above it along a direction.
    let above = |(face, height): (DVec3, f64), up: DVec3| {
        move |point: DVec3| (Linear::dot(face, point) - height) / Linear::dot(face, up)
    };
    if let Some((face, plane)) = level_face(a, normal, margin) {
        let points = clipped(pair, &face, b, normal, above(plane, normal), limit).into_iter();
        let place = |(on_a, on_b, feature)| Place {
            on_a,
            on_b,
            feature,
        };
        return points.map(place).collect();
    }
    if let Some((face, plane)) = level_face(b, -normal, margin) {
        let points = clipped(pair, &face, a, -normal, above(plane, -normal), limit).into_iter();
        let place = |(on_b, on_a, feature): (DVec3, DVec3, u64)| Place {
            on_a,
            on_b,
            feature: feature | 1 << 63,
        };
        return points.map(place).collect();
    }
    let hulls = matches!((a.core, b.core), (Core::Hull(_), Core::Hull(_)));
    match (
        &highest(a, normal, margin)[..],
        &highest(b, -normal, margin)[..],
    ) {
        (&[p, p2], &[q, q2]) if hulls => beside(p, p2, [q, q2], normal, margin),
        _ => Vec::new(),
    }
}

/// The ends of where two edges lie beside each other, if they are parallel to within a width.
fn beside(
    (p, i): Numbered,
    (p2, i2): Numbered,
    [(q, j), (q2, j2)]: [Numbered; 2],
    normal: DVec3,
    width: f64,
) -> Vec<Place> {
    let (u, v) = (p2 - p, q2 - q);
    let (uu, vv) = (Linear::length_squared(u), Linear::length_squared(v));
    if Linear::length_squared(u.cross(v)) > (width * width) * uu.max(vv) {
        return Vec::new();
    }
    let Some([low, high]) = shared_part([(p, i), (p2, i2)], [(q, j), (q2, j2)]) else {
        return Vec::new();
    };
    let place = |(part, number): (f64, u32)| {
        let on_a = p + u * part;
        // Of the edge itself: the line goes on beyond its ends, and where the axis is not across it, below the other.
        let on_b = q + v * (Linear::dot(v, on_a - q) / vv).clamp(0.0, 1.0);
        // Each keeps its height along the axis, the place across is shared.
        let middle = (on_a + on_b) * 0.5;
        let at = |x: DVec3| middle + normal * Linear::dot(normal, x - middle);
        Place {
            on_a: at(on_a),
            on_b: at(on_b),
            feature: 1 << 61 | u64::from(i) << 30 | u64::from(number),
        }
    };
    vec![place(low), place(high)]
}

/// The ends of the part of an edge beside which another one is: how far along the first (from 0 to 1), and the number
/// of the corner that ends it, marked where that is one of the first.
fn shared_part(
    [(p, i), (p2, i2)]: [Numbered; 2],
    [(q, j), (q2, j2)]: [Numbered; 2],
) -> Option<[(f64, u32); 2]> {
    let u = p2 - p;
    let squared = Linear::length_squared(u);
    let along = |x: DVec3| Linear::dot(u, x - p) / squared;
    let (mut low, mut high) = ((along(q), j), (along(q2), j2));
    if low.0 > high.0 {
        std::mem::swap(&mut low, &mut high);
    }
    if low.0 < 0.0 {
        low = (0.0, i | 1 << 20);
    }
    if high.0 > 1.0 {
        high = (1.0, i2 | 1 << 20);
    }
    if low.0 > high.0 {
        None
    } else {
        Some([low, high])
    }
}

/// The outline of a face, and its plane: its normal and how high it is along that.
type OutlinedFace = (Vec<Numbered>, (DVec3, f64));

/// The face that looks along a direction most, if none of its corners is more than a level below the highest.
fn level_face(placed: &Placed, direction: DVec3, level: f64) -> Option<OutlinedFace> {
    let Core::Hull(hull) = placed.core else {
        return None;
    };
    let own = placed.own(direction);
    let part = |face: &usize| Linear::dot(hull.faces[*face].normal, own);
    let face = (0..hull.faces.len()).max_by(|i, j| part(i).total_cmp(&part(j)).then(j.cmp(i)))?;
    let top = hull.height(own) - level;
    let around = hull.around(face);
    let low = |&corner: &u32| Linear::dot(own, hull.corners[corner as usize]) < top;
    if !hull.has_inside || around.iter().any(low) {
        return None;
    }
    let outline = around
        .iter()
        .map(|&corner| (placed.place(hull.corners[corner as usize]), corner))
        .collect();
    let normal = placed.turned(hull.faces[face].normal);
    let height = hull.faces[face].offset + Linear::dot(normal, placed.centre);
    Some((outline, (normal, height)))
}

/// The points of the other body over the reference face, no more than `limit` above it: on the reference, on the other,
/// feature.
fn clipped(
    pair: &PartPair,
    reference: &[Numbered],
    other: &Placed,
    normal: DVec3,
    above: impl Fn(DVec3) -> f64,
    limit: f64,
) -> Vec<(DVec3, DVec3, u64)> {
    let mut all: Vec<(DVec3, DVec3, u64)> = Vec::new();
    for polygon in looking(other, normal) {
        let mut points: Vec<(DVec3, u64)> = polygon
            .into_iter()
            .map(|(point, i)| (point, u64::from(i)))
            .collect();
        let closed = points.len() > 2;
        let sides = if pair.planar && reference.len() == 2 {
            2
        } else {
            reference.len()
        };
        for i in 0..sides {
            let (from, number) = reference[i];
            let along = reference[(i + 1) % reference.len()].0 - from;
            let outward = if pair.planar {
                -along
            } else {
                along.cross(normal)
            };
            let Some(outward) = outward.unit() else {
                continue;
            };
            points = cut(
                &points,
                closed,
                from,
                outward,
                u64::from(number),
                1e-12 * pair.size,
            );
            if points.is_empty() {
                break;
            }
        }
        for (point, feature) in points {
            let gap = above(point);
            let fresh = all.iter().all(|&(_, p, _)| {
                Linear::length_squared(p - point) > 1e-24 * pair.size * pair.size
            });
            if gap <= limit && fresh {
                all.push((point - normal * gap, point, feature));
            }
        }
    }
    all
}

/// A polygon or a line, cut to what is not outside a plane.
pub(super) fn cut(
    points: &[(DVec3, u64)],
    closed: bool,
    on: DVec3,
    outward: DVec3,
    number: u64,
    slack: f64,
) -> Vec<(DVec3, u64)> {
    let height = |p: DVec3| Linear::dot(outward, p - on) - slack;
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (i, &(point, feature)) in points.iter().enumerate() {
        let here = height(point);
        if here <= 0.0 {
            kept.push((point, feature));
        }
        let next = if i + 1 < points.len() {
            points[i + 1]
        } else if closed {
            points[0]
        } else {
            break;
        };
        let there = height(next.0);
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            let part = here / (here - there);
            let crossing = point + (next.0 - point) * part;
            // Which side of the other's outline, cut by which side of the reference: enough bits for 2¹⁵ corners of
            // each.
            let edge = (feature & 0x7fff) << 15 | next.1 & 0x7fff;
            kept.push((crossing, 1 << 62 | number << 30 | edge));
        }
    }
    kept
}

/// A corner with anything, or two edges.
fn of_edges(a: &[Numbered], b: &[Numbered], normal: DVec3, level: f64) -> Vec<Place> {
    let single = |on_a: DVec3, on_b: DVec3, feature: u64| Place {
        on_a,
        on_b,
        feature,
    };
    let number = |i: u32, j: u32| 1 << 61 | u64::from(i) << 30 | u64::from(j);
    match (a, b) {
        ([], _) | (_, []) => Vec::new(),
        (&[(p, i)], &[(q, j), ..]) if b.len() == 1 => {
            // Neither lies exactly over the other: each keeps its place along the normal, the place across is shared.
            let middle = (p + q) * 0.5;
            let at = |x: DVec3| middle + normal * Linear::dot(normal, x - middle);
            vec![single(at(p), at(q), number(i, j))]
        }
        (&[(p, i)], &[(q, j), ..]) => {
            let gap = Linear::dot(normal, q - p);
            vec![single(p, p + normal * gap, number(i, j))]
        }
        (&[(p, i), ..], &[(q, j)]) => {
            let gap = Linear::dot(normal, q - p);
            vec![single(q - normal * gap, q, number(i, j))]
        }
        (&[(p, i), (p2, i2), ..], &[(q, j), (q2, j2), ..]) => {
            let (u, v) = (p2 - p, q2 - q);
            let (uu, vv, uv) = (
                Linear::length_squared(u),
                Linear::length_squared(v),
                Linear::dot(u, v),
            );
            let cross = u.cross(v);
            let apart = q - p;
            // So nearly parallel that the ends differ by less than what counts as level.
            if Linear::length_squared(cross) <= (level * level) * uu.max(vv) {
                let Some([low, high]) = shared_part([(p, i), (p2, i2)], [(q, j), (q2, j2)]) else {
                    return Vec::new();
                };
                let gap = Linear::dot(normal, apart);
                return [low, high]
                    .map(|(part, n)| {
                        let on_a = p + u * part;
                        single(on_a, on_a + normal * gap, number(i, n))
                    })
                    .into_iter()
                    .collect();
            }
            let determinant = uu * vv - uv * uv;
            let (du, dv) = (Linear::dot(u, apart), Linear::dot(v, apart));
            let mut s = (du * vv - dv * uv) / determinant;
            let mut t = (du * uv - dv * uu) / determinant;
            let within = |part: f64| (0.0..=1.0).contains(&part);
            // Of lines that are all but parallel rounding decides where they cross.
            let skew = Linear::length_squared(cross) <= PARALLEL * PARALLEL * uu * vv;
            if skew || !(within(s) && within(t)) {
                // The nearest to a point of the one edge on the other, not two ends taken by themselves (Ericson,
                // Real-Time Collision Detection, 5.1.9).
                s = if s.is_finite() {
                    s.clamp(0.0, 1.0)
                } else {
                    0.5
                };
                t = (uv * s - dv) / vv;
                if !within(t) {
                    t = t.clamp(0.0, 1.0);
                    s = ((du + uv * t) / uu).clamp(0.0, 1.0);
                }
            }
            vec![single(p + u * s, q + v * t, number(i, j))]
        }
    }
}
