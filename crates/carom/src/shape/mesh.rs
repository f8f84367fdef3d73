use crate::space::{Linear, UNIT_ROUNDOFF};
use glam::DVec3;
use std::f64::consts::PI;
use thiserror::Error;

/// A surface made of triangles, in its body's frame; their corners run counter-clockwise seen from outside.
///
/// It need not be closed. What only a closed one has, its [`content`](Mesh::content), says where it is open. That it
/// does not cross itself is not checked: then the solid is what it winds around at least once, and
/// what it winds around twice weighs double.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Mesh;
///
/// let brick = Mesh::block(DVec3::new(0.1, 0.05, 0.03))?;
/// assert_eq!(brick.triangles().len(), 12);
/// assert!((brick.content()?.volume - 0.2 * 0.1 * 0.06).abs() < 1e-17);
/// # Ok::<(), carom::shape::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    corners: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// What a closed surface contains.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Content {
    /// m³.
    pub volume: f64,
    /// Of the solid with uniform density, m.
    pub centre_of_mass: DVec3,
}

/// Why a mesh cannot be, or has no inside. Triangles and corners are counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is infinite or NaN.
    #[error("corner {corner} is {value}, but must be finite")]
    CornerNotFinite {
        /// Which.
        corner: usize,
        /// As given.
        value: DVec3,
    },
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} names corner {corner}, but there are {corners} corners")]
    NoSuchCorner {
        /// Which triangle.
        triangle: usize,
        /// The corner it names.
        corner: u32,
        /// How many there are.
        corners: usize,
    },
    /// The corners of a triangle are on one line, or too far apart for their products to be numbers.
    #[error("triangle {triangle} has no area: its corners are on one line")]
    DegenerateTriangle {
        /// Which.
        triangle: usize,
    },
    /// The mesh is not closed.
    #[error(transparent)]
    NotClosed(#[from] EdgeFault),
    /// The triangles run clockwise seen from outside.
    #[error("the mesh is inside out (volume {volume} m³): reverse all triangles")]
    InsideOut {
        /// m³.
        volume: f64,
    },
    /// Too flat for the sign of its volume to be certain, empty, or too large for its volume to be a number.
    #[error("the mesh has no volume to speak of ({volume} m³)")]
    NoVolume {
        /// m³.
        volume: f64,
    },
}

/// Where a surface fails to be closed. Faces and corners are counted from 0.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum EdgeFault {
    /// No face has the edge in the opposite direction.
    #[error(
        "the surface is open at face {face}: no neighbour has its edge from corner {from} to corner {to} in the opposite direction (is a corner listed twice?)"
    )]
    Open {
        /// Where the edge starts.
        from: u32,
        /// Where it ends.
        to: u32,
        /// The face that has it.
        face: usize,
    },
    /// Two faces have the edge in the same direction.
    #[error(
        "faces {first} and {second} both have the edge from corner {from} to corner {to}: one of them is reversed, or more than two faces share it"
    )]
    Repeated {
        /// Where the edge starts.
        from: u32,
        /// Where it ends.
        to: u32,
        /// One face that has it.
        first: usize,
        /// The other.
        second: usize,
    },
}

impl Mesh {
    /// A mesh with finite corners (m) and triangles that have an area.
    pub fn new(corners: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_finite(&corners)
            .map_err(|(corner, value)| MeshError::CornerNotFinite { corner, value })?;
        for (triangle, indices) in triangles.iter().enumerate() {
            if let Some(&corner) = indices.iter().find(|&&i| i as usize >= corners.len()) {
                return Err(MeshError::NoSuchCorner {
                    triangle,
                    corner,
                    corners: corners.len(),
                });
            }
            let [a, b, c] = indices.map(|i| corners[i as usize]);
            let longest = (b - a).length().max((c - a).length());
            let area = Linear::length((b - a).cross(c - a));
            // Written so that NaN and infinity are refused; the limit is that of a single triangle.
            if !(area > 1e-14 * longest * longest && area.is_finite()) {
                return Err(MeshError::DegenerateTriangle { triangle });
            }
        }
        Ok(Mesh { corners, triangles })
    }

    /// The corners, m.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// The corners of each triangle, counted from 0.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of each triangle, m.
    pub fn facets(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles
            .iter()
            .map(|t| t.map(|i| self.corners[i as usize]))
    }

    /// Whether each edge of a triangle belongs to exactly one neighbour, in the opposite direction: the surface is
    /// closed and its triangles agree which side is outside.
    pub fn check_closed(&self) -> Result<(), EdgeFault> {
        check_closed(self.triangles.iter().map(|t| t.as_slice()))
    }

    /// Volume and centre of mass of what is inside, if the mesh is closed and correctly oriented.
    pub fn content(&self) -> Result<Content, MeshError> {
        self.check_closed()?;
        let (content, doubt) = content_of(&self.corners, self.facets());
        let volume = content.volume;
        if volume.abs() > doubt && volume.is_finite() {
            if volume < 0.0 {
                Err(MeshError::InsideOut { volume })
            } else {
                Ok(content)
            }
        } else {
            Err(MeshError::NoVolume { volume })
        }
    }

    /// A box about the origin, its sides along the axes: 12 triangles.
    pub fn block(half: DVec3) -> Result<Self, MeshError> {
        // Corner i has its x, y, z on the positive side where bit 0, 1, 2 of i is set.
        let side = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corners = (0..8)
            .map(|i| half * DVec3::new(side(i, 0), side(i, 1), side(i, 2)))
            .collect();
        let squares = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = squares.iter().flat_map(|s| fan(s)).collect();
        Mesh::new(corners, triangles)
    }

    /// A cylinder about the origin along z whose side is cut into flat `facets` (at least 3), with its corners on the
    /// rims of the true one. Lengths in m.
    pub fn cylinder(half_length: f64, radius: f64, facets: u32) -> Result<Self, MeshError> {
        let n = facets.max(3);
        let mut corners: Vec<DVec3> = [-half_length, half_length]
            .into_iter()
            .flat_map(|z| (0..n).map(move |i| on_circle(i, n, radius).with_z(z)))
            .collect();
        corners.push(DVec3::new(0.0, 0.0, -half_length));
        corners.push(DVec3::new(0.0, 0.0, half_length));
        let triangles = (0..n)
            .flat_map(|i| {
                let j = (i + 1) % n;
                [
                    [i, j, n + j],
                    [i, n + j, n + i],
                    [2 * n, j, i],
                    [2 * n + 1, n + i, n + j],
                ]
            })
            .collect();
        Mesh::new(corners, triangles)
    }

    /// A sphere about the origin cut along `meridians` (at least 3) and into `bands` (at least 2) of latitude, with its
    /// corners on the true one. Radius in m.
    pub fn sphere(radius: f64, meridians: u32, bands: u32) -> Result<Self, MeshError> {
        let (n, bands) = (meridians.max(3), bands.max(2));
        let (south, north) = (n * (bands - 1), n * (bands - 1) + 1);
        let mut corners = Vec::with_capacity(north as usize + 1);
        for ring in 1..bands {
            let (sin, cos) = libm::sincos(PI * f64::from(ring) / f64::from(bands));
            corners.extend((0..n).map(|i| on_circle(i, n, radius * sin).with_z(-radius * cos)));
        }
        corners.push(DVec3::new(0.0, 0.0, -radius));
        corners.push(DVec3::new(0.0, 0.0, radius));
        let mut triangles = Vec::new();
        for i in 0..n {
            let j = (i + 1) % n;
            triangles.push([south, j, i]);
            for ring in 1..bands - 1 {
                let (below, above) = (n * (ring - 1), n * ring);
                triangles.push([below + i, below + j, above + j]);
                triangles.push([below + i, above + j, above + i]);
            }
            let last = n * (bands - 2);
            triangles.push([north, last + i, last + j]);
        }
        Mesh::new(corners, triangles)
    }
}

/// The i-th of n points on a circle about z.
fn on_circle(i: u32, n: u32, radius: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(2.0 * PI * f64::from(i) / f64::from(n));
    DVec3::new(radius * cos, radius * sin, 0.0)
}

/// The triangles from a polygon's first corner to each edge that does not touch it.
pub(super) fn fan(polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let first = polygon.first().copied().unwrap_or_default();
    polygon
        .windows(2)
        .skip(1)
        .map(move |edge| [first, edge[0], edge[1]])
}

/// The first corner that is not finite, if there is one.
pub(super) fn check_finite(corners: &[DVec3]) -> Result<(), (usize, DVec3)> {
    match corners.iter().position(|corner| !corner.is_finite()) {
        Some(corner) => Err((corner, corners[corner])),
        None => Ok(()),
    }
}

/// Whether each edge of each face occurs once in its own and once in the opposite direction.
pub(super) fn check_closed<'a>(faces: impl Iterator<Item = &'a [u32]>) -> Result<(), EdgeFault> {
    let mut edges: Vec<(u32, u32, usize)> = faces
        .enumerate()
        .flat_map(|(face, corners)| {
            let ends = corners.iter().cycle().skip(1);
            corners
                .iter()
                .zip(ends)
                .map(move |(&from, &to)| (from, to, face))
        })
        .collect();
    edges.sort_unstable();
    for pair in edges.windows(2) {
        let ((from, to, first), (other_from, other_to, second)) = (pair[0], pair[1]);
        if (from, to) == (other_from, other_to) {
            return Err(EdgeFault::Repeated {
                from,
                to,
                first,
                second,
            });
        }
    }
    let has = |from, to| {
        edges
            .binary_search_by_key(&(from, to), |&(f, t, _)| (f, t))
            .is_ok()
    };
    match edges.iter().find(|&&(from, to, _)| !has(to, from)) {
        Some(&(from, to, face)) => Err(EdgeFault::Open { from, to, face }),
        None => Ok(()),
    }
}

/// Volume and centre of mass of what a closed surface contains, and a bound of the rounding error of the volume.
///
/// With o any point, the tetrahedron (o, a, b, c) over each triangle has the signed volume `(a−o)·(b−o)×(c−o)/6` and
/// its centre at `(o+a+b+c)/4`; what lies outside cancels. o is the middle of the corners, so that a solid far from the
/// origin does not lose digits. Each product is off by at most 16u |a−o||b−o||c−o|, the sum by its number of terms
/// times u of the sum of sizes. (The bound is that of six volumes: it need not be sharp.)
pub(super) fn content_of(
    corners: &[DVec3],
    triangles: impl Iterator<Item = [DVec3; 3]>,
) -> (Content, f64) {
    let low = corners.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = corners
        .iter()
        .copied()
        .fold(DVec3::NEG_INFINITY, DVec3::max);
    let middle = low * 0.5 + high * 0.5;
    let (mut six_volumes, mut moment) = (0.0, DVec3::ZERO);
    let (mut sizes, mut products, mut count) = (0.0, 0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner - middle);
        let part = Linear::dot(a, b.cross(c));
        six_volumes += part;
        moment += (a + b + c) * part;
        sizes += part.abs();
        products += Linear::length(a) * Linear::length(b) * Linear::length(c);
        count += 1.0;
    }
    let doubt = UNIT_ROUNDOFF * (16.0 * products + count * sizes);
    let content = Content {
        volume: six_volumes / 6.0,
        centre_of_mass: middle + moment / (4.0 * six_volumes),
    };
    (content, doubt)
}
