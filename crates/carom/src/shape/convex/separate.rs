//! Separating planes: the direction along which two cores are farthest apart, or overlap least.
//!
//! Two convex bodies are apart if and only if there is a plane between them. For flat faces it is enough to look at the
//! face normals of both and, in 3-D, at the cross products of an edge of one with an edge of the other: the face
//! normals of `B − A`. Of the edge pairs only those count whose arcs between the neighbouring face normals cross on the
//! unit sphere; the others make no face of `B − A` (Gregorius, *The separating axis test*, 2013).
//!
//! The course's text looks at face normals alone, which reports contact for some separated pairs, and at corners, which
//! misses contacts of two edges.
//!
//! Whatever a direction comes from, the separation along it is taken over *all* corners of both: it may not be the best
//! one, but it is never claimed to be more than it is.

mod blocks;
mod refine;

use super::distance::distance;
use super::hull::{Edge, Hull};
use super::part::{Core, Round};
use super::placed::{Placed, separation};
use crate::space::{Linear, UNIT_ROUNDOFF};
use blocks::blocks;
use glam::{DMat3, DVec3};
use refine::{newton, sharpened};

/// A direction and how far apart the cores are along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// From *a* to *b*, of length one.
    pub normal: DVec3,
    /// m; negative where they overlap.
    pub separation: f64,
    pub kind: AxisKind,
}

/// What the direction is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AxisKind {
    /// The normal of a face of *a*.
    FaceA(u32),
    /// The normal of a face of *b*, reversed.
    FaceB(u32),
    /// Across an edge of each.
    Edges(u32, u32),
    /// Between round cores, or corners.
    Free,
}

impl Axis {
    const NONE: Axis = Axis {
        normal: DVec3::X,
        separation: f64::NEG_INFINITY,
        kind: AxisKind::Free,
    };

    fn improve(&mut self, other: Axis, by: f64) {
        if other.separation > self.separation + by {
            *self = other;
        }
    }
}

/// Of two directions that are as good but for this much of the size, the face of *a* is preferred to that of *b*, and
/// both to edges.
const PREFERENCE: f64 = 16.0 * UNIT_ROUNDOFF;

/// Which faces and edges of a hull to look at.
#[derive(Clone, Copy)]
enum Among<'a> {
    All,
    /// Those at some corners.
    At(&'a [u32]),
}

impl Among<'_> {
    fn faces(&self, hull: &Hull, mut visit: impl FnMut(u32)) {
        match self {
            Among::All => (0..hull.faces.len() as u32).for_each(visit),
            Among::At(corners) => {
                for &corner in *corners {
                    hull.faces_at.get(corner).iter().for_each(|&f| visit(f));
                }
            }
        }
    }

    fn edges(&self, hull: &Hull, mut visit: impl FnMut(u32)) {
        match self {
            Among::All => (0..hull.edges.len() as u32).for_each(visit),
            Among::At(corners) => {
                for &corner in *corners {
                    hull.edges_at.get(corner).iter().for_each(|&e| visit(e));
                }
            }
        }
    }
}

/// A hull at its place, and which of its faces and edges to look at.
#[derive(Clone, Copy)]
struct PlacedHull<'a> {
    placed: &'a Placed<'a>,
    hull: &'a Hull,
    among: Among<'a>,
}

impl<'a> PlacedHull<'a> {
    /// With all faces and edges.
    fn whole(placed: &'a Placed<'a>, hull: &'a Hull) -> Self {
        PlacedHull {
            placed,
            hull,
            among: Among::All,
        }
    }
}

/// A face of one hull in the world, and another body over it.
#[derive(Clone, Copy)]
struct Over {
    /// NaN where the face has not been looked at.
    normal: DVec3,
    /// Of the face along its normal, m.
    height: f64,
    /// A point of the other body: the lowest over the face, where that was asked for.
    low: DVec3,
    /// How far that is above the face, m: at least the separation.
    above: f64,
    lowest: bool,
}

/// The faces of one hull in the world, and what of another is over them.
struct Faces {
    all: Vec<Over>,
}

impl Faces {
    /// Looks at the faces of one hull, which may better what is known: the reference from which the other is seen, on
    /// the side of *a* or not.
    ///
    /// The other body reaches at least as low as any of its points, so that a face above which one of them is lower
    /// than what is known is none: most need no search for the lowest point.
    fn new(
        reference: PlacedHull<'_>,
        other: PlacedHull<'_>,
        of_a: bool,
        bias: f64,
        best: &mut Axis,
    ) -> Self {
        let unknown = Over {
            normal: DVec3::NAN,
            height: f64::NAN,
            low: other.placed.place(other.hull.inner),
            above: f64::NAN,
            lowest: false,
        };
        let mut faces = Faces {
            all: vec![unknown; reference.hull.faces.len()],
        };
        let (mut highest, mut first) = (f64::NEG_INFINITY, None);
        reference.among.faces(reference.hull, |face| {
            let own = &reference.hull.faces[face as usize];
            let over = &mut faces.all[face as usize];
            over.normal = reference.placed.turned(own.normal);
            over.height = own.offset + Linear::dot(over.normal, reference.placed.centre);
            over.above = Linear::dot(over.normal, over.low) - over.height;
            if over.above > highest {
                (highest, first) = (over.above, Some(face));
            }
        });
        let least = first.map_or(f64::NEG_INFINITY, |face| faces.lowest(face, &other));
        reference.among.faces(reference.hull, |face| {
            let over = &faces.all[face as usize];
            if over.above < least || !(over.above > best.separation + bias) {
                return;
            }
            let normal = over.normal;
            let separation = faces.lowest(face, &other);
            let (normal, kind) = if of_a {
                (normal, AxisKind::FaceA(face))
            } else {
                (-normal, AxisKind::FaceB(face))
            };
            let found = Axis {
                normal,
                separation,
                kind,
            };
            best.improve(found, bias);
        });
        faces
    }

    /// How far the other is above the plane of a face, by its lowest point.
    fn lowest(&mut self, face: u32, other: &PlacedHull<'_>) -> f64 {
        let over = &mut self.all[face as usize];
        if !over.lowest {
            let (placed, hull) = (other.placed, other.hull);
            let own = placed.own(-over.normal);
            let (corner, mut reach) = hull.farthest(own);
            if hull.block.is_some() {
                reach = hull.height(own);
            }
            over.low = placed.place(hull.corners[corner]);
            over.above = -(reach + Linear::dot(-over.normal, placed.centre)) - over.height;
            over.lowest = true;
        }
        over.above
    }

    /// Whether no direction between the normals beside an edge separates better than what is known, and that is below
    /// zero.
    ///
    /// Along n the other body reaches at least to any point i of it, so the separation is at most n·(i − p), p on the
    /// edge. n is between the normals beside the edge: where both give less than what is known already, so does n. The
    /// points to ask are those of the two faces: over its own face none gives more than is known.
    fn none_better(&self, edge: &Edge, known: f64) -> bool {
        let Some([left, right]) = edge.faces else {
            return false;
        };
        let (left, right) = (&self.all[left as usize], &self.all[right as usize]);
        let less = |over: &Over, low: DVec3| Linear::dot(over.normal, low) - over.height <= known;
        let both = |over: &Over, other: &Over| over.above <= known && less(other, over.low);
        known < 0.0 && (both(left, right) || both(right, left))
    }
}

/// Two hulls: face normals, then edges across edges.
///
/// Longer than most: faces, then edges, against the best found so far, asked in every search.
fn hulls(first: PlacedHull<'_>, second: PlacedHull<'_>, size: f64) -> Axis {
    let (a, hull_a, among_a) = (first.placed, first.hull, first.among);
    let (b, hull_b, among_b) = (second.placed, second.hull, second.among);
    let bias = PREFERENCE * size;
    let mut best = Axis::NONE;
    let over_a = Faces::new(first, second, true, 0.0, &mut best);
    let over_b = Faces::new(second, first, false, bias, &mut best);
    if hull_a.edges.is_empty() || hull_b.edges.is_empty() {
        return best;
    }
    let mut edges_a: Vec<(u32, DVec3, [DVec3; 2], DVec3)> = Vec::with_capacity(32);
    let ends = |hull: &Hull, placed: &Placed, edge: u32| {
        let own = hull.edges[edge as usize];
        let along = placed.turned(hull.along(&own));
        let normals = match own.faces {
            Some([l, r]) if hull.has_inside => {
                [l, r].map(|f| placed.turned(hull.faces[f as usize].normal))
            }
            _ => [DVec3::ZERO; 2],
        };
        (
            edge,
            along,
            normals,
            placed.place(hull.corners[own.from as usize]),
        )
    };
    let pruned = hull_a.has_inside && hull_b.has_inside;
    among_a.edges(hull_a, |edge| {
        let own = &hull_a.edges[edge as usize];
        if !(pruned && over_a.none_better(own, best.separation)) {
            edges_a.push(ends(hull_a, a, edge));
        }
    });
    among_b.edges(hull_b, |edge| {
        let own = &hull_b.edges[edge as usize];
        if pruned && over_b.none_better(own, best.separation) {
            return;
        }
        let (_, along_b, normals_b, point_b) = ends(hull_b, b, edge);
        let squared_b = Linear::length_squared(along_b);
        for &(edge_a, along_a, normals_a, point_a) in &edges_a {
            if pruned {
                let left = -Linear::dot(normals_b[0], along_a);
                let right = -Linear::dot(normals_b[1], along_a);
                if left * right >= 0.0 {
                    continue;
                }
                let first = Linear::dot(normals_a[0], along_b);
                let second = Linear::dot(normals_a[1], along_b);
                if first * second >= 0.0 || left * second <= 0.0 {
                    continue;
                }
            }
            let cross = along_a.cross(along_b);
            let squared = Linear::length_squared(cross);
            if squared <= 1e-20 * Linear::length_squared(along_a) * squared_b {
                continue;
            }
            let length = squared.sqrt();
            let mut consider = |normal: DVec3| {
                if Linear::dot(normal, point_b - point_a) > best.separation + bias {
                    let found = Axis {
                        normal,
                        separation: separation(a, b, normal),
                        kind: AxisKind::Edges(edge_a, edge),
                    };
                    best.improve(found, bias);
                }
            };
            let normal = cross * (1.0 / length);
            // Where an edge has no inside both sides are possible.
            let outward = Linear::dot(normal, normals_a[0] + normals_a[1]);
            if !pruned || outward >= 0.0 {
                consider(normal);
            }
            if !pruned || outward < 0.0 {
                consider(-normal);
            }
        }
    });
    best
}

/// Cores of which at least one is round. `near` holds the directions to begin with; of each, what the features around
/// ask for is tried too: along and across the axis of a cylinder, across the edges of a hull, along its face normals.
///
/// A direction that is off by δ loses δ times a length where a flat face or a straight edge touches, but only δ² where
/// something round does. So it is enough to set right the parts along edges and axes.
fn with_round(a: &Placed, b: &Placed, near: &[DVec3], everywhere: bool) -> Axis {
    let mut best = Axis::NONE;
    let mut consider = |direction: DVec3, kind: AxisKind| {
        let Some(normal) = direction.unit() else {
            return;
        };
        let found = Axis {
            normal,
            separation: separation(a, b, normal),
            kind,
        };
        best.improve(found, 0.0);
    };
    for &direction in near {
        consider(direction, AxisKind::Free);
    }
    for (round, hull, side) in [(a, b, 1.0), (b, a, -1.0)] {
        let Core::Cylinder(own) = round.core else {
            continue;
        };
        let axis = round.turned(own.axis);
        // Outward from the cylinder; `side` turns it into the direction from a to b.
        if everywhere {
            consider(axis, AxisKind::Free);
            consider(-axis, AxisKind::Free);
        }
        for &direction in near {
            let along = Linear::dot(axis, direction);
            consider(axis * along, AxisKind::Free);
            consider(direction - axis * along, AxisKind::Free);
        }
        match hull.core {
            Core::Hull(flat) => {
                let facing = |normal: DVec3| {
                    everywhere || near.iter().any(|&n| Linear::dot(normal, n) * side < -0.95)
                };
                for (i, face) in flat.faces.iter().enumerate() {
                    let normal = hull.turned(face.normal);
                    if facing(normal) {
                        let kind = if side > 0.0 {
                            AxisKind::FaceB(i as u32)
                        } else {
                            AxisKind::FaceA(i as u32)
                        };
                        consider(normal * -side, kind);
                    }
                }
                for edge in &flat.edges {
                    let along = hull.turned(flat.along(edge));
                    let length = Linear::length_squared(along);
                    for &direction in near {
                        let part = Linear::dot(along, direction);
                        if !everywhere && part * part > 0.01 * length {
                            continue;
                        }
                        consider(direction - along * (part / length), AxisKind::Free);
                        let cross = axis.cross(along);
                        consider(
                            cross * Linear::dot(cross, direction).signum(),
                            AxisKind::Free,
                        );
                    }
                }
                if everywhere {
                    for &corner in &flat.corners {
                        let arm = hull.place(corner) - round.place(own.centre);
                        consider((arm - axis * Linear::dot(axis, arm)) * side, AxisKind::Free);
                    }
                }
            }
            Core::Cylinder(other) => {
                let cross = axis.cross(hull.turned(other.axis));
                consider(cross, AxisKind::Free);
                consider(-cross, AxisKind::Free);
            }
            Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => {}
        }
    }
    best
}

/// The direction along which two parts are farthest apart, as far as it matters: where the separation is found to be
/// above `enough` (m), any direction along which it is. `hint` is a direction from *a* to *b* to begin with, `size` a
/// length of the pair.
pub(crate) fn axis_between(
    a: &Placed,
    b: &Placed,
    hint: DVec3,
    enough: f64,
    size: f64,
    planar: bool,
) -> Axis {
    match (a.core, b.core) {
        (&Core::HalfSpace { normal, offset }, _) => {
            let normal = a.turned(normal);
            let height = offset + Linear::dot(normal, a.centre);
            return Axis {
                normal,
                separation: -b.height(-normal) - height,
                kind: AxisKind::FaceA(0),
            };
        }
        (_, &Core::HalfSpace { normal, offset }) => {
            let normal = b.turned(normal);
            let height = offset + Linear::dot(normal, b.centre);
            return Axis {
                normal: -normal,
                separation: -a.height(-normal) - height,
                kind: AxisKind::FaceB(0),
            };
        }
        (Core::Hull(hull_a), Core::Hull(hull_b)) if a.rounding + b.rounding == 0.0 => {
            if let (Some(block_a), Some(block_b)) = (hull_a.block, hull_b.block) {
                return blocks(a, block_a, b, block_b, planar);
            }
            if planar {
                return hulls(
                    PlacedHull::whole(a, hull_a),
                    PlacedHull::whole(b, hull_b),
                    size,
                );
            }
        }
        _ => {}
    }
    if let Some(axis) = to_point(a, b) {
        return axis;
    }
    if let Some(axis) = to_point(b, a) {
        return Axis {
            normal: -axis.normal,
            ..axis
        };
    }
    let found = distance(a, b, hint, enough);
    // Farther apart than this the direction has all the digits that it needs.
    let mut axis = if found.least > enough.min(1e-3 * size) {
        let axis = Axis {
            normal: found.normal,
            separation: found.least,
            kind: AxisKind::Free,
        };
        let round = |core: &Core| matches!(core, Core::Cylinder(_));
        if found.least <= enough && (round(a.core) || round(b.core)) {
            newton(a, b, axis, None)
        } else {
            axis
        }
    } else {
        sharpened(a, b, &found, hint, size)
    };
    if axis.separation == f64::NEG_INFINITY {
        // Two points in one place: any direction will do.
        axis.normal = hint.unit().unwrap_or(DVec3::X);
        axis.separation = separation(a, b, axis.normal);
    }
    axis
}

/// To a ball's centre, from a core for which there is a closed form.
pub(super) fn to_point(from: &Placed, to: &Placed) -> Option<Axis> {
    let Core::Hull(Hull { corners, .. }) = to.core else {
        return None;
    };
    let &[point] = corners.as_slice() else {
        return None;
    };
    match from.core {
        Core::Cylinder(round) => Some(cylinder_point(from, round, to.place(point))),
        Core::Hull(Hull {
            block: Some((centre, half)),
            faces,
            ..
        }) => {
            let planar = faces.len() == 4;
            Some(block_point(from, (*centre, *half), to.place(point), planar))
        }
        _ => None,
    }
}

/// From a box to a point: the nearest point of the box has each coordinate cut to the box; from inside the
/// nearest face counts.
fn block_point(
    placed: &Placed,
    (centre, half): (DVec3, DVec3),
    point: DVec3,
    planar: bool,
) -> Axis {
    let own = placed.own(point - placed.centre) - centre;
    let away = own - own.clamp(-half, half);
    let distance = Linear::length(away);
    let (normal, separation) = if distance > 0.0 {
        (away / distance, distance)
    } else {
        let beyond = own.abs() - half;
        let dimension = if planar { 2 } else { 3 };
        let mut nearest = 0;
        for i in 1..dimension {
            if beyond[i] > beyond[nearest] {
                nearest = i;
            }
        }
        let side = if own[nearest] < 0.0 { -1.0 } else { 1.0 };
        (DMat3::IDENTITY.col(nearest) * side, beyond[nearest])
    };
    Axis {
        normal: placed.turned(normal),
        separation,
        kind: AxisKind::Free,
    }
}

/// From a cylinder to a point: beyond an end, beside the side, off a rim, or inside, where the nearest of the
/// three counts.
fn cylinder_point(placed: &Placed, round: &Round, point: DVec3) -> Axis {
    let axis = placed.turned(round.axis);
    let arm = point - placed.place(round.centre);
    let height = Linear::dot(axis, arm);
    let radial = arm - axis * height;
    let radius = Linear::length(radial);
    let out = if radius > 0.0 {
        radial / radius
    } else {
        axis.any_orthonormal_vector()
    };
    let end = if height < 0.0 { -axis } else { axis };
    let (beyond_end, beyond_side) = (height.abs() - round.half_length, radius - round.radius);
    let (normal, separation) = if beyond_end > 0.0 && beyond_side > 0.0 {
        let away = end * beyond_end + out * beyond_side;
        let distance = Linear::length(away);
        (away / distance, distance)
    } else if beyond_end > beyond_side {
        (end, beyond_end)
    } else {
        (out, beyond_side)
    };
    Axis {
        normal,
        separation,
        kind: AxisKind::Free,
    }
}

/// Whether two cores certainly have a point in common, or certainly none nearer than a distance (m), as far as the
/// search for their distance tells at once.
pub(crate) fn quick(a: &Placed, b: &Placed, hint: DVec3, within: f64) -> Option<bool> {
    let hulls = matches!((a.core, b.core), (Core::Hull(_), Core::Hull(_)));
    if !hulls {
        return None;
    }
    let found = distance(a, b, hint, within);
    if found.least > within {
        Some(false)
    } else if found.deep {
        Some(true)
    } else {
        None
    }
}
