//! Ball against ball.
//!
//! With `x` the vector between the centres, `w` its rate and `R` the sum of the radii, the distance is R where
//!
//! ```text
//! |x + w t|² = R²,   a t² + 2 h t + c = 0,   a = w·w,   h = x·w,   c = x·x − R².
//! ```
//!
//! They are closing at the earlier root. Written as `t = c / (−h + √disc)` it has no cancellation, since h < 0. The
//! discriminant `h² − a c` cancels for far pairs; `disc = a R² − |x×w|²` is the same number (Lagrange's identity) and
//! does not. What is left is the cancellation in c when the gap is small. It moves the time by `u R` over the closing
//! speed, and no rewriting in plain `f64` helps: the refined form computes c, h and disc in double-double, and exactly
//! where even those digits cancel.

use super::approach::dot;
use super::{Approach, Feature, Impact, Struck};
use crate::arrays::Each;
use crate::roots::{Dd, Expansion, Polynomial};
use crate::shape::Ball;
use crate::space::{Linear, Space};

impl<S: Space> Struck<S> for Ball {
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let reach = Dd::sum(self.radius, radius);
        let polynomial = approach.path().squared() - Polynomial::constant(reach * reach);
        feature(Feature::new(polynomial, 2.0 * reach.hi, reach.hi));
    }
}

/// The contact in uniform relative motion, in plain `f64`.
///
/// Error: `4u [t + (|x| + R)/s]` with s the closing speed at contact, away from grazing; the gap at the
/// returned time is at most `4u (|x| + R + |w| t)` everywhere.
pub(super) fn uniform<S: Space>(approach: &Approach<S>, reach: f64, horizon: f64) -> Impact {
    let (x, w) = (approach.flight.position, approach.flight.velocity);
    let h = x.dot(w);
    if !(h < 0.0) {
        return Impact::Never;
    }
    let c = x.dot(x) - reach * reach;
    let floor = approach.approach_floor(0.0);
    if c <= 0.0 {
        return if h < -floor * x.length() {
            Impact::within(0.0, horizon)
        } else {
            Impact::Never
        };
    }
    let discriminant = w.dot(w) * (reach * reach) - S::area_squared(x, w);
    // The closing speed at contact is √disc / R; a grazing too slow to count is none.
    if !(discriminant > floor * floor * (reach * reach)) {
        return Impact::Never;
    }
    Impact::within(c / (discriminant.sqrt() - h), horizon)
}

/// Below this share of the terms that it is the difference of, a number in double-double has lost too many digits.
/// 2⁻¹⁰³ over 2⁻⁴⁰ leaves 63 bits.
const CANCELLED: f64 = 1.0 / (1u64 << 40) as f64;

/// The same contact to within 4 ulp, and with the right answer to "does it happen at all?".
pub(super) fn uniform_refined<S: Space>(
    approach: &Approach<S>,
    radius: f64,
    other_radius: f64,
    horizon: f64,
) -> Impact {
    let [x, w, _] = approach.path().terms();
    let reach = Dd::sum(radius, other_radius);
    let reach_squared = reach * reach;
    let a = dot(w, w);
    let mut h = dot(x, w);
    let mut c = dot(x, x) - reach_squared;
    let mut discriminant = a * reach_squared - area_squared(x, w);
    if c.hi.abs() < CANCELLED * reach_squared.hi
        || discriminant.hi.abs() < CANCELLED * (a * reach_squared).hi
        || h.hi * h.hi < CANCELLED * CANCELLED * a.hi * dot(x, x).hi
    {
        [h, c, discriminant] = exactly(x, w, reach);
    }
    if !(h.hi < 0.0) {
        return Impact::Never;
    }
    let floor = approach.approach_floor(0.0);
    if c.hi <= 0.0 {
        let closing = h.hi < -floor * approach.flight.position.length();
        return if closing {
            Impact::within(0.0, horizon)
        } else {
            Impact::Never
        };
    }
    if !(discriminant.hi > floor * floor * reach_squared.hi) {
        return Impact::Never;
    }
    Impact::within((c / (discriminant.sqrt() - h)).hi, horizon)
}

fn area_squared(x: &[Dd; 3], w: &[Dd; 3]) -> Dd {
    let minor = |i: usize, j: usize| x[i] * w[j] - x[j] * w[i];
    let area = [minor(0, 1), minor(1, 2), minor(2, 0)];
    dot(&area, &area)
}

/// h, c and the discriminant without any rounding but the last.
fn exactly(x: &[Dd; 3], w: &[Dd; 3], reach: Dd) -> [Dd; 3] {
    let exact = |vector: &[Dd; 3]| vector.each(Expansion::from);
    let (x, w, reach) = (exact(x), exact(w), Expansion::from(reach));
    let dot = |a: &[Expansion; 3], b: &[Expansion; 3]| {
        &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
    };
    let h = dot(&x, &w);
    let c = &dot(&x, &x) - &(&reach * &reach);
    let discriminant = &(&h * &h) - &(&dot(&w, &w) * &c);
    [h.approximate(), c.approximate(), discriminant.approximate()]
}
