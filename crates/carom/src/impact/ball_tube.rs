//! Sphere inside a round tube (row P4: a cylindrical container), in the tube's own frame.
//!
//! With `k` along the axis and `ρ² = |x|² − (k·x)²/|k|²`, the centre may move within `R − r` of the axis: the gap
//! `(R − r) − ρ` has the sign of `(R − r)² − ρ²`. Multiplied by |k|², whose rounding it thereby is free of, that is a
//! polynomial of degree four on a parabola.

use super::ball_cylinder::off_axis;
use super::{Approach, Feature, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Tube;
use crate::space::Space3;

impl Struck<Space3> for Tube {
    fn features(&self, approach: &Approach<Space3>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let clearance = Dd::difference(self.radius, radius);
        if clearance.hi > 0.0 {
            let axis = self.axis.to_array();
            let axis_squared = axis.iter().fold(Dd::ZERO, |sum, &k| sum + Dd::from(k) * k);
            let squared = Polynomial::constant(clearance * clearance * axis_squared);
            let polynomial = squared - off_axis(approach.path(), axis, axis_squared);
            feature(Feature::new(polynomial, 2.0 * clearance.hi, clearance.hi));
        }
    }
}
