//! Faces of solids, in the frame of their body: what pictures of space fill.
//!
//! A body that is a convex polyhedron is drawn with [`Form::polyhedron`](crate::outlines::Form::polyhedron), whatever
//! its pose.

use crate::outlines::{Place, TURN, across, cross, dot, round, scaled, sum, unit};

/// A flat polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// In order, counterclockwise seen from outside.
    pub corners: Vec<Place>,
    /// Where it stands for a part of a curved surface: the normals at its corners. Otherwise none.
    pub normals: Vec<Place>,
    /// Whether it is seen from both sides.
    pub thin: bool,
}

impl Face {
    /// Of a solid with flat faces.
    pub fn flat(corners: Vec<Place>) -> Self {
        Face {
            corners,
            normals: Vec::new(),
            thin: false,
        }
    }

    /// Of something without thickness.
    pub fn thin(corners: Vec<Place>) -> Self {
        Face {
            thin: true,
            ..Face::flat(corners)
        }
    }

    /// The direction that it faces, from its first three corners that are not in line.
    pub fn normal(&self) -> Option<Place> {
        let [a, b] = [self.corners.first()?, self.corners.get(1)?];
        let edge = sum(*b, scaled(*a, -1.0));
        self.corners[2..].iter().find_map(|c| {
            let normal = cross(edge, sum(*c, scaled(*a, -1.0)));
            (dot(normal, normal) > 0.0).then(|| unit(normal))
        })
    }
}

/// The curved side of a cylinder, in strips; seen from outside, or from inside.
pub fn side(
    axis: Place,
    middle: Place,
    [low, high]: [f64; 2],
    radius: f64,
    inside: bool,
) -> Vec<Face> {
    let [first, second] = across(axis);
    let ring = round([0.0; 3], first, second, 0.0, TURN);
    let place =
        |around: Place, height: f64| sum(middle, sum(scaled(around, radius), scaled(axis, height)));
    let facing = if inside { -1.0 } else { 1.0 };
    let strip = |pair: &[Place]| {
        let [a, b] = [pair[0], pair[1]];
        let mut face = Face {
            corners: vec![place(a, low), place(b, low), place(b, high), place(a, high)],
            normals: [a, b, b, a].map(|normal| scaled(normal, facing)).to_vec(),
            thin: false,
        };
        if inside {
            face.corners.reverse();
            face.normals.reverse();
        }
        face
    };
    ring.windows(2).map(strip).collect()
}

/// A solid cylinder about an axis of length one through the origin.
pub fn cylinder(axis: Place, half: f64, radius: f64) -> Vec<Face> {
    let mut faces = side(axis, [0.0; 3], [-half, half], radius, false);
    let [first, second] = across(axis).map(|side| scaled(side, radius));
    for height in [-half, half] {
        let mut ring = round(scaled(axis, height), first, second, 0.0, TURN);
        ring.pop();
        if height < 0.0 {
            ring.reverse();
        }
        faces.push(Face::flat(ring));
    }
    faces
}

/// The edges, each once, and the faces of a solid.
pub fn polyhedron(corners: &[Place], faces: &[Vec<u32>]) -> (Vec<Vec<Place>>, Vec<Face>) {
    let corner = |index: &u32| corners.get(*index as usize).copied().unwrap_or_default();
    let mut edges = std::collections::BTreeSet::new();
    for face in faces {
        let next = face.iter().cycle().skip(1);
        edges.extend(face.iter().zip(next).map(|(a, b)| (a.min(b), a.max(b))));
    }
    let lines = edges.into_iter();
    let lines = lines.map(|(a, b)| vec![corner(a), corner(b)]).collect();
    let flat = |face: &Vec<u32>| Face::flat(face.iter().map(corner).collect());
    (lines, faces.iter().map(flat).collect())
}

/// The part of a polygon on the side of a plane that a normal points to.
pub fn clipped(polygon: &[Place], position: Place, normal: Place) -> Vec<Place> {
    let height = |p: Place| dot(normal, sum(p, scaled(position, -1.0)));
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (place, &from) in polygon.iter().enumerate() {
        let to = polygon[(place + 1) % polygon.len()];
        let (below, above) = (height(from), height(to));
        if below >= 0.0 {
            kept.push(from);
        }
        if (below < 0.0) != (above < 0.0) {
            let share = below / (below - above);
            kept.push([0, 1, 2].map(|i| from[i] + share * (to[i] - from[i])));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume that faces enclose, by the divergence theorem: positive where all of them face outwards.
    fn volume(faces: &[Face]) -> f64 {
        let of = |face: &Face| -> f64 {
            let a = face.corners[0];
            let fans = face.corners[1..].windows(2);
            fans.map(|pair| dot(a, cross(pair[0], pair[1])) / 6.0).sum()
        };
        faces.iter().map(of).sum()
    }

    #[test]
    fn faces_look_outwards_and_close() {
        let block = <carom::space::Space3 as crate::outlines::DrawSpace>::block([1.0, 2.0, 3.0]);
        let crate::outlines::Form::Lines { lines, faces, .. } = block else {
            panic!("{block:?}");
        };
        assert_eq!((lines.len(), faces.len()), (12, 6));
        // Products of small whole numbers: exact but for the sixths.
        assert!((volume(&faces) - 48.0).abs() < 1e-12);
        let found = volume(&cylinder([0.0, 0.0, 1.0], 1.0, 1.0));
        // A polygon of 210 corners in place of the circle: its area is smaller by (2π/210)²/6.
        let expected = 2.0 * std::f64::consts::PI;
        assert!(
            (found / expected - 1.0 + 0.000_149_2).abs() < 1e-6,
            "{found}"
        );
        let corners = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let faces = [vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]];
        let (edges, faces) = polyhedron(&corners, &faces);
        assert_eq!(edges.len(), 6);
        assert!((volume(&faces) - 1.0 / 6.0).abs() < 1e-15);
    }
}
