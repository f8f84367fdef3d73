//! Sphere against a triangle: its face from both sides, three edges, three corners.
//!
//! With `N` normal to the face (any length) and `e` along an edge, the centre is at distance r from
//!
//! ```text
//! the plane:  ((x − p)·N)² = r² |N|²
//! an edge:    |x − p|² |e|² − ((x − p)·e)² = r² |e|²      (Lagrange: the left side is |(x − p) × e|²)
//! a corner:   |x − p|² = r².
//! ```

use super::approach::dot;
use super::{Approach, Feature, Struck};
use crate::arrays::Each;
use crate::roots::Dd;
use crate::shape::Triangle;
use crate::space::Space3;
use glam::DVec3;

fn edge(from: DVec3, to: DVec3) -> [Dd; 3] {
    let (from, to) = (from.to_array(), to.to_array());
    [0, 1, 2].each(|axis| Dd::difference(to[axis], from[axis]))
}

fn cross(a: &[Dd; 3], b: &[Dd; 3]) -> [Dd; 3] {
    [(1, 2), (2, 0), (0, 1)].each(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

impl Struck<Space3> for Triangle {
    fn features(&self, approach: &Approach<Space3>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let [a, b, c] = self.corners;
        let normal = cross(&edge(a, b), &edge(a, c));
        let height = approach.path_about(a).along_exact(normal);
        feature(Feature::scaled_near(
            height * height,
            radius,
            dot(&normal, &normal),
        ));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let path = approach.path_about(from);
            let distance_squared = path.squared();
            feature(Feature::near(distance_squared, radius));
            let edge = edge(from, to);
            let length_squared = dot(&edge, &edge);
            let along = path.along_exact(edge);
            let off_axis = distance_squared * length_squared - along * along;
            feature(Feature::scaled_near(off_axis, radius, length_squared));
        }
    }
}
