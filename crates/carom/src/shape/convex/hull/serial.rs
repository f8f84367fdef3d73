//! Faces are stored beside the corners: their planes were rounded when the hull was moved, and come back to the bit.

use super::Hull;
use crate::shape::convex::error::ConvexError;
use crate::space::Linear;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How far planes may be off those of the corners, in sizes of the hull: more than rounding of a part that was given
/// 10⁸ sizes away from the origin.
const ROUNDING: f64 = 1e-6;

/// What follows from the corners of a hull, but for rounding.
#[derive(Deserialize, Serialize)]
pub(crate) struct StoredFaces {
    planes: Vec<Plane>,
    /// A point inside, m.
    inner: DVec3,
}

#[derive(Deserialize, Serialize)]
struct Plane {
    normal: DVec3,
    /// m.
    offset: f64,
    /// Corners, counter-clockwise seen from outside.
    around: Vec<u32>,
}

const FACES: ConvexError = ConvexError::Inconsistent {
    what: "its faces are not those of its corners",
};

impl Hull {
    pub(in crate::shape::convex) fn to_stored_faces(&self) -> StoredFaces {
        let faces = self.faces.iter().enumerate();
        let planes = faces.map(|(index, face)| Plane {
            normal: face.normal,
            offset: face.offset,
            around: self.around(index).to_vec(),
        });
        StoredFaces {
            planes: planes.collect(),
            inner: self.inner,
        }
    }

    /// A polygon with these corners, in their order.
    pub(in crate::shape::convex) fn of_stored_polygon(corners: Vec<DVec3>) -> Self {
        Hull::of_polygon(corners)
    }

    /// The same hull with the faces that it was stored with, if they are its own but for rounding.
    pub(in crate::shape::convex) fn with_stored_faces(
        self,
        stored: &StoredFaces,
    ) -> Result<Self, ConvexError> {
        let mut hull = self.with_loops(&stored.planes)?;
        let arms = hull.corners.iter().map(|&c| Linear::length(c - hull.inner));
        let allowed = ROUNDING * arms.fold(0.0, f64::max);
        let off = Linear::length(stored.inner - hull.inner);
        if !(off <= allowed) {
            let what = "its middle is not that of its corners";
            return Err(ConvexError::Inconsistent { what });
        }
        hull.inner = stored.inner;
        for (face, plane) in hull.faces.iter_mut().zip(&stored.planes) {
            let turned = Linear::length(plane.normal - face.normal);
            let shifted = (plane.offset - face.offset).abs();
            // A plane that is turned by less than rounding can be shifted by as much of its distance from the origin.
            let unit = (Linear::length(plane.normal) - 1.0).abs() <= ROUNDING;
            if !(unit && turned <= ROUNDING && shifted <= allowed + ROUNDING * face.offset.abs()) {
                return Err(FACES);
            }
            (face.normal, face.offset) = (plane.normal, plane.offset);
        }
        Ok(hull)
    }

    /// The same hull with its faces in the order in which they were stored, and their corners as well.
    fn with_loops(self, planes: &[Plane]) -> Result<Self, ConvexError> {
        let loops = planes.iter().flat_map(|plane| &plane.around);
        let lengths = self.faces.iter().map(|face| face.number as usize);
        if lengths.eq(planes.iter().map(|plane| plane.around.len()))
            && loops.clone().eq(&self.loops)
        {
            return Ok(self);
        }
        let solid = !self.edges.is_empty() && self.has_inside;
        let known = loops.clone().all(|&at| (at as usize) < self.corners.len());
        let faces = planes.iter().all(|plane| plane.around.len() >= 3);
        if !(solid && known && faces) {
            return Err(FACES);
        }
        let mut hull = Hull::bare(self.corners);
        for plane in planes {
            hull.add_face(&plane.around, false);
        }
        hull.join_faces().map_err(|_| FACES)?;
        hull.block = self.block;
        let hull = hull.listed();
        // A closed surface that no corner is outside of is that of the hull.
        let arms = hull.corners.iter().map(|&c| Linear::length(c - hull.inner));
        let allowed = ROUNDING * arms.fold(0.0, f64::max);
        let outside = |corner: &DVec3| {
            let height = |face: &super::Face| Linear::dot(face.normal, *corner) - face.offset;
            hull.faces.iter().any(|face| !(height(face) <= allowed))
        };
        let euler = hull.corners.len() + hull.faces.len() == hull.edges.len() + 2;
        if !euler || hull.corners.iter().any(outside) {
            return Err(FACES);
        }
        Ok(hull)
    }
}
