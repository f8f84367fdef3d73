//! Disc against an arc: from outside, from inside, and both end points.
//!
//! The centre is at distance r from the circle of radius ρ where `|x − c| = ρ + r` (outside) or, if r < ρ,
//! `|x − c| = ρ − r` (inside; there the gap closes as the distance grows).

use super::{Approach, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Arc;
use crate::space::Plane;

impl Struck<Plane> for Arc {
    fn features(
        &self,
        approach: &Approach<Plane>,
        radius: f64,
        feature: &mut dyn FnMut(Polynomial),
    ) {
        let distance_squared = approach.path_about(self.centre).squared();
        let outside = Dd::sum(self.radius, radius);
        feature(distance_squared - Polynomial::constant(outside * outside));
        let inside = Dd::difference(self.radius, radius);
        if inside.hi > 0.0 {
            feature(Polynomial::constant(inside * inside) - distance_squared);
        }
        for end in self.ends {
            feature(
                approach.path_about(end).squared()
                    - Polynomial::constant(Dd::from(radius) * radius),
            );
        }
    }
}
