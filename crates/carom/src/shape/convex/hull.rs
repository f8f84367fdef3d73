//! Corners, faces and edges of what is convex and has flat faces.
//!
//! In 2-D a polygon is kept with z = 0, its sides as faces whose normals lie in 2-D: so one source serves
//! both dimensions. A point and a segment (the cores of balls and capsules) have no faces.
//!
//! # From corners to faces
//!
//! The hull is wrapped: from a face with the outward normal n the plane is turned about one of its edges
//! until it meets the next corner, which is the one with the smallest angle. *All* corners in that plane, to a
//! tolerance of 1e-11 of the size, belong to the new face, which is the convex polygon around them: a box has six faces
//! of four corners, not twelve triangles, and contacts between faces get all their points. Each edge is visited from
//! both sides, so the work is edges × corners. A corner that one of two faces takes for a corner and the other for a
//! point on a straight edge (possible only within the tolerance) is left out and the wrapping begins again.

use super::error::SolidError;
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::space::Linear;
use glam::{DMat3, DVec3};
use std::collections::VecDeque;

/// How far corners may be off a plane or a line and still count as on it, of the size of the solid.
pub(crate) const ON_PLANE: f64 = 1e-11;

/// More corners than this are refused: a convex solid with as many is a curved one.
pub(crate) const MAX_CORNERS: usize = 10_000;

/// A flat side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    /// Outward, of length one.
    pub normal: DVec3,
    /// `normal · x` for the points of the face, m.
    pub offset: f64,
    first: u32,
    number: u32,
}

/// Where two faces meet; it runs from corner to corner in the first of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub from: u32,
    pub to: u32,
    /// `None` for a bare segment.
    pub faces: Option<[u32; 2]>,
}

/// What is convex and has flat faces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hull {
    pub corners: Vec<DVec3>,
    pub faces: Vec<Face>,
    /// The corners of the faces, counter-clockwise seen from outside.
    loops: Vec<u32>,
    /// Empty in 2-D.
    pub edges: Vec<Edge>,
    /// Whether neighbouring faces tell which directions an edge is extreme in: not so where there is no inside.
    pub has_inside: bool,
    /// Centre and half sides of a rectangle or box along the axes of the frame.
    pub block: Option<(DVec3, DVec3)>,
    /// A point inside: the mean of the corners.
    pub inner: DVec3,
    /// The faces at each corner.
    pub faces_at: Lists,
    /// The edges at each corner.
    pub edges_at: Lists,
}

/// Short lists, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(number: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        let mut starts = vec![0; number + 1];
        for &(list, _) in &pairs {
            starts[list as usize + 1] += 1;
        }
        for list in 0..number {
            starts[list + 1] += starts[list];
        }
        Lists {
            starts,
            items: pairs.into_iter().map(|(_, item)| item).collect(),
        }
    }

    /// One of the lists.
    pub fn get(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

impl Hull {
    /// Only a point: a ball's core.
    pub fn point(at: DVec3) -> Self {
        Hull::bare(vec![at])
    }

    fn bare(corners: Vec<DVec3>) -> Self {
        Hull {
            corners,
            faces: Vec::new(),
            loops: Vec::new(),
            edges: Vec::new(),
            has_inside: false,
            block: None,
            inner: DVec3::ZERO,
            faces_at: Lists::default(),
            edges_at: Lists::default(),
        }
        .listed()
    }

    /// With the lists of what is at each corner.
    fn listed(mut self) -> Self {
        let number = self.corners.len();
        let sum = self.corners.iter().fold(DVec3::ZERO, |sum, &c| sum + c);
        self.inner = sum / number as f64;
        let faces = (0..self.faces.len()).flat_map(|face| {
            let around = self.around(face).iter();
            around.map(move |&corner| (corner, face as u32))
        });
        self.faces_at = Lists::new(number, faces);
        let edges = self.edges.iter().enumerate();
        let edges = edges.flat_map(|(i, edge)| [(edge.from, i as u32), (edge.to, i as u32)]);
        self.edges_at = Lists::new(number, edges);
        self
    }

    /// A straight line between two points: a capsule's core. In 2-D it has two sides.
    pub fn segment(from: DVec3, to: DVec3, planar: bool) -> Self {
        let mut hull = Hull::bare(vec![from, to]);
        if planar {
            hull.add_face(&[0, 1], true);
            hull.add_face(&[1, 0], true);
        } else {
            hull.edges.push(Edge {
                from: 0,
                to: 1,
                faces: None,
            });
        }
        hull.listed()
    }

    /// A flat triangle with two sides.
    pub fn triangle(corners: [DVec3; 3]) -> Self {
        let mut hull = Hull::bare(corners.to_vec());
        hull.add_face(&[0, 1, 2], false);
        hull.add_face(&[0, 2, 1], false);
        hull.edges = [(0, 1), (1, 2), (2, 0)]
            .map(|(from, to)| Edge {
                from,
                to,
                faces: Some([0, 1]),
            })
            .to_vec();
        hull.listed()
    }

    /// A rectangle or box about the origin.
    pub fn block(half: DVec3, planar: bool) -> Self {
        let side = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let mut hull = if planar {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| DVec3::new(x * half.x, y * half.y, 0.0))
                .to_vec();
            Hull::of_polygon(corners)
        } else {
            let corners = (0..8)
                .map(|i| half * DVec3::new(side(i, 0), side(i, 1), side(i, 2)))
                .collect();
            let mut hull = Hull::bare(corners);
            for square in [
                [0, 4, 6, 2],
                [1, 3, 7, 5],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 2, 3, 1],
                [4, 5, 7, 6],
            ] {
                hull.add_face(&square, false);
            }
            hull.join_faces().expect("a box is closed");
            hull.listed()
        };
        hull.block = Some((DVec3::ZERO, half));
        hull
    }

    /// A convex polygon from its corners, counter-clockwise.
    fn of_polygon(corners: Vec<DVec3>) -> Self {
        let mut hull = Hull::bare(corners);
        let number = hull.corners.len() as u32;
        for from in 0..number {
            hull.add_face(&[from, (from + 1) % number], true);
        }
        hull.has_inside = true;
        hull.listed()
    }

    /// The corners of a face, counter-clockwise seen from outside.
    pub fn around(&self, face: usize) -> &[u32] {
        let Face { first, number, .. } = self.faces[face];
        &self.loops[first as usize..(first + number) as usize]
    }

    /// The direction of an edge, not of length one.
    pub fn along(&self, edge: &Edge) -> DVec3 {
        self.corners[edge.to as usize] - self.corners[edge.from as usize]
    }

    /// The same hull, turned and then moved.
    pub fn placed(&self, axes: &DMat3, shift: DVec3, still: bool) -> Self {
        let mut hull = self.clone();
        for corner in &mut hull.corners {
            *corner = if still {
                *corner + shift
            } else {
                *axes * *corner + shift
            };
        }
        hull.inner = if still {
            hull.inner + shift
        } else {
            *axes * hull.inner + shift
        };
        for face in &mut hull.faces {
            if !still {
                face.normal = *axes * face.normal;
            }
            face.offset += Linear::dot(face.normal, shift);
        }
        hull.block = match hull.block {
            Some((centre, half)) if still => Some((centre + shift, half)),
            _ => None,
        };
        hull
    }

    /// The corner that is farthest along a direction, and how far, m.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> (usize, f64) {
        let (mut best, mut height) = (0, f64::NEG_INFINITY);
        for (corner, &place) in self.corners.iter().enumerate() {
            let here = Linear::dot(direction, place);
            if here > height {
                (best, height) = (corner, here);
            }
        }
        (best, height)
    }

    /// How far it reaches along a direction, m times the direction's length.
    #[inline]
    pub fn height(&self, direction: DVec3) -> f64 {
        if let Some((centre, half)) = self.block {
            return Linear::dot(direction, centre) + Linear::dot(direction.abs(), half);
        }
        let mut height = f64::NEG_INFINITY;
        for &place in &self.corners {
            let here = Linear::dot(direction, place);
            if here > height {
                height = here;
            }
        }
        height
    }

    /// Adds a face, with the normal of the vector area of its corners.
    fn add_face(&mut self, around: &[u32], planar: bool) {
        let place = |i: u32| self.corners[i as usize];
        let first = place(around[0]);
        let normal = if planar {
            let along = place(around[1]) - first;
            DVec3::new(along.y, -along.x, 0.0)
        } else {
            around
                .windows(2)
                .skip(1)
                .map(|edge| (place(edge[0]) - first).cross(place(edge[1]) - first))
                .fold(DVec3::ZERO, |sum, part| sum + part)
        };
        let normal = normal.unit().unwrap_or(DVec3::ZERO);
        let heights = around.iter().map(|&i| Linear::dot(normal, place(i)));
        self.faces.push(Face {
            normal,
            // The farthest corner: then no corner of the face is outside it.
            offset: heights.fold(f64::NEG_INFINITY, f64::max),
            first: self.loops.len() as u32,
            number: around.len() as u32,
        });
        self.loops.extend_from_slice(around);
    }

    /// Finds the edges between the faces; an edge that only one face has is an error.
    fn join_faces(&mut self) -> Result<(), (u32, u32)> {
        let mut sides: Vec<(u32, u32, u32)> = Vec::with_capacity(self.loops.len());
        for face in 0..self.faces.len() {
            let around = self.around(face);
            let next = around.iter().cycle().skip(1);
            for (&from, &to) in around.iter().zip(next) {
                sides.push((from, to, face as u32));
            }
        }
        sides.sort_unstable();
        self.edges.clear();
        for &(from, to, face) in &sides {
            let other = sides.binary_search_by_key(&(to, from), |&(f, t, _)| (f, t));
            let other = other.map_err(|_| (from, to))?;
            if from < to {
                self.edges.push(Edge {
                    from,
                    to,
                    faces: Some([face, sides[other].2]),
                });
            }
        }
        self.has_inside = true;
        Ok(())
    }

    /// The convex polygon around points of the plane; which points became its corners, in order.
    pub fn around_polygon(points: &[DVec3]) -> Result<(Self, Vec<u32>), SolidError> {
        let size = check(points, 3)?;
        let all: Vec<u32> = (0..points.len() as u32).collect();
        let order = polygon_around(points, &all, DVec3::X, DVec3::Y, ON_PLANE * size);
        if order.len() < 3 {
            return Err(SolidError::Flat {
                what: "on one line",
            });
        }
        let hull = Hull::of_polygon(order.iter().map(|&i| points[i as usize]).collect());
        Ok((hull, order))
    }

    /// The convex polyhedron around points of space; which points became its corners, in order.
    pub fn around_points(points: &[DVec3]) -> Result<(Self, Vec<u32>), SolidError> {
        let size = check(points, 4)?;
        let mut used: Vec<u32> = (0..points.len() as u32).collect();
        loop {
            if used.len() < 4 {
                return Err(SolidError::Flat {
                    what: "in one plane",
                });
            }
            let faces = wrap(points, &used, ON_PLANE * size)?;
            let mut kept: Vec<u32> = faces.iter().flatten().copied().collect();
            kept.sort_unstable();
            kept.dedup();
            let position = |i: &u32| kept.binary_search(i).unwrap_or_default() as u32;
            let corners = kept.iter().map(|&i| points[i as usize]).collect();
            let mut hull = Hull::bare(corners);
            for around in &faces {
                let around: Vec<u32> = around.iter().map(position).collect();
                hull.add_face(&around, false);
            }
            match hull.join_faces() {
                Ok(()) => return Ok((hull.listed(), kept)),
                // One of the ends is a corner of one face and on a straight edge of its neighbour.
                Err((from, to)) => {
                    let faces_at = |end: u32| {
                        let end = kept[end as usize];
                        faces.iter().filter(|face| face.contains(&end)).count()
                    };
                    let doubtful = if faces_at(from) <= faces_at(to) {
                        from
                    } else {
                        to
                    };
                    let doubtful = kept[doubtful as usize];
                    used.retain(|&i| i != doubtful);
                }
            }
        }
    }
}

/// The size of a set of corners, m, if they are finite and enough.
fn check(points: &[DVec3], least: usize) -> Result<f64, SolidError> {
    if let Some(corner) = points.iter().position(|p| !p.is_finite()) {
        return Err(SolidError::CornerNotFinite {
            corner,
            value: points[corner],
        });
    }
    if !(least..=MAX_CORNERS).contains(&points.len()) {
        return Err(SolidError::NumberOfCorners {
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
        Err(SolidError::Flat {
            what: "in one place",
        })
    }
}

/// The faces of the convex hull of the points that are used, each counter-clockwise seen from outside.
fn wrap(points: &[DVec3], used: &[u32], tolerance: f64) -> Result<Vec<Vec<u32>>, SolidError> {
    let flat = SolidError::Flat {
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
fn polygon_around(points: &[DVec3], some: &[u32], x: DVec3, y: DVec3, tolerance: f64) -> Vec<u32> {
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

stored_fields!(Face {
    normal,
    offset,
    first,
    number
});
stored_fields!(Edge { from, to, faces });
stored_fields!(Lists { starts, items });

impl Stored for Hull {
    fn store(&self, out: &mut Vec<u8>) {
        self.corners.store(out);
        self.faces.store(out);
        self.loops.store(out);
        self.edges.store(out);
        self.has_inside.store(out);
        self.block.store(out);
        self.inner.store(out);
        self.faces_at.store(out);
        self.edges_at.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let hull = Hull {
            corners: Stored::load(input)?,
            faces: Stored::load(input)?,
            loops: Stored::load(input)?,
            edges: Stored::load(input)?,
            has_inside: Stored::load(input)?,
            block: Stored::load(input)?,
            inner: Stored::load(input)?,
            faces_at: Stored::load(input)?,
            edges_at: Stored::load(input)?,
        };
        let corner = |&at: &u32| (at as usize) < hull.corners.len();
        let face = |at: &Face| (at.first as usize + at.number as usize) <= hull.loops.len();
        let edge = |at: &Edge| corner(&at.from) && corner(&at.to);
        let lists = |lists: &Lists, number: usize| {
            lists.starts.len() == hull.corners.len() + 1
                && lists
                    .starts
                    .iter()
                    .all(|&at| at as usize <= lists.items.len())
                && lists.items.iter().all(|&at| (at as usize) < number)
                || lists.starts.is_empty() && lists.items.is_empty()
        };
        let whole = !hull.corners.is_empty()
            && hull.loops.iter().all(corner)
            && hull.faces.iter().all(face)
            && hull.edges.iter().all(edge)
            && lists(&hull.faces_at, hull.faces.len())
            && lists(&hull.edges_at, hull.edges.len());
        if whole {
            Ok(hull)
        } else {
            invalid("a solid whose faces are not made of its corners")
        }
    }
}
