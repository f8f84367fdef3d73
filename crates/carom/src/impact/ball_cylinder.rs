//! Sphere against a cylinder, in the cylinder's own frame: two end discs, the side, two rims.
//!
//! With `k` along the axis, `z = k·x` and `ρ² = |x|² − z²` (for k of length one; its rounded length is divided out
//! below), half length L and radius R, the centre is at distance r from
//!
//! ```text
//! an end:   ± z = L + r
//! the side: ρ² = (R + r)²
//! a rim:    (|x′|² + R² − r²)² = 4 R² ρ²,     x′ = x ∓ L k.
//! ```
//!
//! The last is the torus about the rim: `|x′|² = ρ² + z′²`, and the distance from the rim's circle is r where
//! `(ρ − R)² + z′² = r²`, that is `|x′|² + R² − r² = 2 R ρ`; squared, it also holds for the far side of the circle, an
//! instant that the check against the whole shape throws out. On a parabola its degree is eight.

use super::approach::dot;
use super::{Approach, Feature, Path, Struck};
use crate::arrays::Each;
use crate::roots::{Dd, Polynomial};
use crate::shape::Cylinder;
use crate::space::Space3;

/// `|k|² ρ²`, for an axis k of any length.
pub(super) fn off_axis(path: &Path, axis: [f64; 3], axis_squared: Dd) -> Polynomial {
    let along = path.along(axis);
    path.squared() * axis_squared - along * along
}

impl Struck<Space3> for Cylinder {
    fn features(&self, approach: &Approach<Space3>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let axis = self.axis.to_array();
        let axis_squared = axis.iter().fold(Dd::ZERO, |sum, &k| sum + Dd::from(k) * k);
        let height = approach.path().along(axis);
        let end = Polynomial::constant(Dd::sum(self.half_length, radius));
        feature(Feature::new(height - end, 1.0, radius));
        feature(Feature::new(
            Polynomial::constant(Dd::ZERO) - height - end,
            1.0,
            radius,
        ));

        let outer = Dd::sum(self.radius, radius);
        let side = off_axis(approach.path(), axis, axis_squared);
        let squared = Polynomial::constant(outer * outer * axis_squared);
        feature(Feature::new(side - squared, 2.0 * outer.hi, outer.hi));

        // Divided by |k|² on both sides of the equation rather than by division: (…)² |k|² = 4 R² (|k|² ρ²).
        let rim_radius_squared = Dd::from(self.radius) * self.radius;
        let shift = Polynomial::constant(rim_radius_squared - Dd::from(radius) * radius);
        for centre in [self.axis * self.half_length, -self.axis * self.half_length] {
            let path = approach.path_about(centre);
            let sum = path.squared() + shift;
            let around = off_axis(&path, axis, axis_squared) * rim_radius_squared.scaled(4.0);
            // It is |k|² (d² − r²)(D² − r²), with d and D the distances from the near and the far side of the circle;
            // where d = r the second factor is 4 R ρ, and ρ is between R and R + r.
            let steepness = 8.0 * radius * self.radius * outer.hi;
            let polynomial = sum * sum * axis_squared - around;
            let rim = Rim {
                path,
                axis,
                axis_squared,
                radius: self.radius,
                ball: radius,
            };
            feature(Feature {
                polynomial,
                steepness,
                lever: radius.min(self.radius),
                rim: Some(rim),
            });
        }
    }
}

/// The circle at the end of a cylinder, seen from a ball's path about the circle's centre.
///
/// With h the height over the circle's plane and ρ the distance from its axis, the distance is `d = √((ρ − R)² + h²)`
/// and `d d′ = (ρ − R) ρ′ + h h′`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    path: Path,
    axis: [f64; 3],
    axis_squared: Dd,
    radius: f64,
    ball: f64,
}

impl Rim {
    /// Of the circle, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Distance from the circle less the ball's radius (m), and its rate (m/s).
    pub fn gap_and_rate(&self, time: f64) -> (f64, f64) {
        let (x, v) = self.path.at(time);
        let axis = self.axis.each(Dd::from);
        let length = self.axis_squared.sqrt();
        let (height, rising) = (dot(&x, &axis) / length, dot(&v, &axis) / length);
        let off_axis = (dot(&x, &x) - height * height).sqrt();
        let receding = (dot(&x, &v) - height * rising) / off_axis;
        let beyond = off_axis - Dd::from(self.radius);
        let distance = (beyond * beyond + height * height).sqrt();
        let rate = (beyond * receding + height * rising) / distance;
        ((distance - Dd::from(self.ball)).hi, rate.hi)
    }

    /// When the distance turns, given about when, and about how its rate falls (m/s²): Newton's method on the rate.
    pub fn turning_time(&self, time: f64, mut curvature: f64) -> f64 {
        let rate = |t: f64| self.gap_and_rate(t).1;
        let (mut t, mut current) = (time, rate(time));
        for _ in 0..12 {
            let next = (t - current / curvature).max(0.0);
            if !(curvature < 0.0 && next.is_finite()) || next == t {
                break;
            }
            let there = rate(next);
            curvature = (there - current) / (next - t);
            (t, current) = (next, there);
        }
        if current.abs() <= rate(time).abs() {
            t
        } else {
            time
        }
    }
}
