//! Surfaces cut into triangles, curved ones too.

use super::hull::Hull;
use super::part::{Convex, Core};
use crate::shape::{Mesh, MeshError};
use crate::space::{Linear, Space3};
use glam::{DMat3, DVec3};

impl Convex<Space3> {
    /// Its surface as triangles, with curved faces cut into `facets` around (at least 3), their corners on the true
    /// surface. `None` for what has no closed surface: a half-space, a segment, a triangle.
    pub fn triangles(&self, facets: u32) -> Option<Result<Mesh, MeshError>> {
        let n = facets.max(3);
        match &self.core {
            Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => None,
            Core::Cylinder(round) => {
                let mesh = Mesh::cylinder(round.half_length, round.radius, n);
                Some(mesh.and_then(|mesh| moved(&mesh, round.axis, round.centre)))
            }
            Core::Hull(hull) => match *hull.corners.as_slice() {
                [centre] if self.rounding > 0.0 => {
                    let mesh = Mesh::sphere(self.rounding, n, n.div_ceil(2));
                    Some(mesh.and_then(|mesh| moved(&mesh, DVec3::Z, centre)))
                }
                [from, to] if self.rounding > 0.0 => Some(capsule(from, to, self.rounding, n)),
                _ if hull.has_inside => Some(flat(hull)),
                _ => None,
            },
        }
    }
}

/// A mesh about z, about another axis and somewhere else.
fn moved(mesh: &Mesh, axis: DVec3, centre: DVec3) -> Result<Mesh, MeshError> {
    let axes = frame(axis);
    let corners = mesh.corners().iter().map(|&c| axes * c + centre);
    Mesh::new(corners.collect(), mesh.triangles().to_vec())
}

fn frame(axis: DVec3) -> DMat3 {
    if axis == DVec3::Z {
        return DMat3::IDENTITY;
    }
    let x = axis.any_orthonormal_vector();
    DMat3::from_cols(x, axis.cross(x), axis)
}

fn flat(hull: &Hull) -> Result<Mesh, MeshError> {
    let mut triangles = Vec::new();
    for face in 0..hull.faces.len() {
        let around = hull.around(face);
        for edge in around.windows(2).skip(1) {
            triangles.push([around[0], edge[0], edge[1]]);
        }
    }
    Mesh::new(hull.corners.clone(), triangles)
}

/// A sphere cut along its equator, its two halves drawn apart.
fn capsule(from: DVec3, to: DVec3, radius: f64, facets: u32) -> Result<Mesh, MeshError> {
    // An even number of bands has a ring on the equator; it is doubled.
    let (n, half) = (facets, facets.div_ceil(4).max(1));
    let sphere = Mesh::sphere(radius, n, 2 * half)?;
    let axis = (to - from).unit().unwrap_or(DVec3::Z);
    let axes = frame(axis);
    // Rings are counted from the south; the poles are the last two corners.
    let rings = 2 * half - 1;
    let (south, north) = (n * rings, n * rings + 1);
    let upper = |corner: u32| corner == north || corner < south && corner / n >= half;
    let mut corners: Vec<DVec3> = Vec::with_capacity(sphere.corners().len() + n as usize);
    for (i, &corner) in sphere.corners().iter().enumerate() {
        let end = if upper(i as u32) { to } else { from };
        corners.push(axes * corner + end);
    }
    // The equator (ring half − 1) stays with the lower half; a copy goes with the upper one.
    let equator = n * (half - 1);
    let copy = corners.len() as u32;
    for i in 0..n {
        corners.push(axes * sphere.corners()[(equator + i) as usize] + to);
    }
    let on_equator = |c: u32| (equator..equator + n).contains(&c);
    let mut triangles: Vec<[u32; 3]> = sphere
        .triangles()
        .iter()
        .map(|t| {
            if t.iter().any(|&c| upper(c)) {
                t.map(|c| if on_equator(c) { copy + c - equator } else { c })
            } else {
                *t
            }
        })
        .collect();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.push([equator + i, equator + j, copy + j]);
        triangles.push([equator + i, copy + j, copy + i]);
    }
    Mesh::new(corners, triangles)
}
