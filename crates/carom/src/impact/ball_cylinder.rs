//! Sphere against a cylinder (row C15), in the cylinder's own frame: two end discs, the side, two rims.
//!
//! With `k` along the axis, `z = k·x` and `ρ² = |x|² − z²` (for k of length one; its rounded length is divided out below), half length
//! L and radius R, the centre is at distance r from
//!
//! ```text
//! an end:   ± z = L + r
//! the side: ρ² = (R + r)²
//! a rim:    (|x′|² + R² − r²)² = 4 R² ρ²,     x′ = x ∓ L k.
//! ```
//!
//! The last is the torus about the rim: `|x′|² = ρ² + z′²`, and the distance from the rim's circle is r where
//! `(ρ − R)² + z′² = r²`, that is `|x′|² + R² − r² = 2 R ρ`; squared, it also holds for the far side of the circle, an instant
//! that the check against the whole shape throws out. On a parabola its degree is eight.

use super::{Approach, Feature, Path, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Cylinder;
use crate::space::Solid;

/// `|k|² ρ²`, for an axis k of any length.
fn off_axis(path: &Path, axis: [f64; 3], axis_squared: Dd) -> Polynomial {
    let along = path.along(axis);
    path.squared() * axis_squared - along * along
}

impl Struck<Solid> for Cylinder {
    fn features(&self, approach: &Approach<Solid>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let axis = self.axis.to_array();
        let axis_squared = axis.iter().fold(Dd::ZERO, |sum, &k| sum + Dd::from(k) * k);
        let height = approach.path().along(axis);
        let end = Polynomial::constant(Dd::sum(self.half_length, radius));
        feature(Feature::new(height - end, 1.0));
        feature(Feature::new(
            Polynomial::constant(Dd::ZERO) - height - end,
            1.0,
        ));

        let outer = Dd::sum(self.radius, radius);
        let side = off_axis(approach.path(), axis, axis_squared);
        let squared = Polynomial::constant(outer * outer * axis_squared);
        feature(Feature::new(side - squared, 2.0 * outer.hi));

        // Divided by |k|² on both sides of the equation rather than by division: (…)² |k|² = 4 R² (|k|² ρ²).
        let rim_radius_squared = Dd::from(self.radius) * self.radius;
        let shift = Polynomial::constant(rim_radius_squared - Dd::from(radius) * radius);
        for centre in [self.axis * self.half_length, -self.axis * self.half_length] {
            let path = approach.path_about(centre);
            let sum = path.squared() + shift;
            let around = off_axis(&path, axis, axis_squared) * rim_radius_squared.scaled(4.0);
            // It is |k|² (d² − r²)(D² − r²), with d and D the distances from the near and the far side of the circle; where
            // d = r the second factor is 4 R ρ, and ρ is at most R + r.
            let steepness = 8.0 * radius * self.radius * outer.hi;
            feature(Feature::new(sum * sum * axis_squared - around, steepness));
        }
    }
}
