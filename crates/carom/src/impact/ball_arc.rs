//! Disc against an arc: from outside, from inside, and both end points.
//!
//! The centre is at distance r from the circle of radius ρ where `|x − c| = ρ + r` (outside) or, if r < ρ,
//! `|x − c| = ρ − r` (inside; there the gap closes as the distance grows).

use super::{Approach, Feature, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Arc;
use crate::space::Space2;

impl Struck<Space2> for Arc {
    fn features(&self, approach: &Approach<Space2>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let distance_squared = approach.path_about(self.centre).squared();
        let outside = Dd::sum(self.radius, radius);
        let squared = Polynomial::constant(outside * outside);
        feature(Feature::new(
            distance_squared - squared,
            2.0 * outside.hi,
            outside.hi,
        ));
        let inside = Dd::difference(self.radius, radius);
        if inside.hi > 0.0 {
            let squared = Polynomial::constant(inside * inside);
            feature(Feature::new(
                squared - distance_squared,
                2.0 * inside.hi,
                inside.hi,
            ));
        }
        for end in self.ends {
            feature(Feature::near(approach.path_about(end).squared(), radius));
        }
    }
}
