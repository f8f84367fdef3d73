//! Disc against a segment: its interior from both sides, and both end points.
//!
//! With `e` the vector along the segment and `e⊥` across it, the centre is at distance r from the line through it where
//!
//! ```text
//! ((x − p)·e⊥)² = r² |e|²,
//! ```
//!
//! which holds for both sides at once and has no square root; at distance r from an end where `|x − p|² = r²`.

use super::approach::dot;
use super::{Approach, Feature, Struck};
use crate::roots::Dd;
use crate::shape::Segment;
use crate::space::Space2;

impl Struck<Space2> for Segment {
    fn features(&self, approach: &Approach<Space2>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let [from, to] = self.ends;
        let across = [
            Dd::difference(from.y, to.y),
            Dd::difference(to.x, from.x),
            Dd::ZERO,
        ];
        let height = approach.path_about(from).along_exact(across);
        feature(Feature::scaled_near(
            height * height,
            radius,
            dot(&across, &across),
        ));
        for end in self.ends {
            feature(Feature::near(approach.path_about(end).squared(), radius));
        }
    }
}
