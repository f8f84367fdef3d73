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

#[cfg(feature = "serde")]
mod serial;
mod wrap;

use super::error::ConvexError;
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::space::Linear;
use glam::{DMat3, DVec3};
#[cfg(feature = "serde")]
pub(super) use serial::StoredFaces;
use wrap::{check, polygon_around, wrap};

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
    pub faces_at: ShortLists,
    /// The edges at each corner.
    pub edges_at: ShortLists,
}

/// Short lists, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ShortLists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl ShortLists {
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
        ShortLists {
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
            faces_at: ShortLists::default(),
            edges_at: ShortLists::default(),
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
        self.faces_at = ShortLists::new(number, faces);
        let edges = self.edges.iter().enumerate();
        let edges = edges.flat_map(|(i, edge)| [(edge.from, i as u32), (edge.to, i as u32)]);
        self.edges_at = ShortLists::new(number, edges);
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
    pub fn around_polygon(points: &[DVec3]) -> Result<(Self, Vec<u32>), ConvexError> {
        let size = check(points, 3)?;
        let all: Vec<u32> = (0..points.len() as u32).collect();
        let order = polygon_around(points, &all, DVec3::X, DVec3::Y, ON_PLANE * size);
        if order.len() < 3 {
            return Err(ConvexError::Flat {
                what: "on one line",
            });
        }
        let hull = Hull::of_polygon(order.iter().map(|&i| points[i as usize]).collect());
        Ok((hull, order))
    }

    /// The convex polyhedron around points of space; which points became its corners, in order.
    pub fn around_points(points: &[DVec3]) -> Result<(Self, Vec<u32>), ConvexError> {
        let size = check(points, 4)?;
        let mut used: Vec<u32> = (0..points.len() as u32).collect();
        loop {
            if used.len() < 4 {
                return Err(ConvexError::Flat {
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

stored_fields!(Face {
    normal,
    offset,
    first,
    number
});
stored_fields!(Edge { from, to, faces });
stored_fields!(ShortLists { starts, items });

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
        let lists = |lists: &ShortLists, number: usize| {
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
