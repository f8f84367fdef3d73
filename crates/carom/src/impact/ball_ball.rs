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
    let refined = Refined::new(x, w, reach);
    let Refined { h, c, discriminant } = refined;
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
    if !(discriminant.hi > floor * floor * (reach * reach).hi) {
        return Impact::Never;
    }
    Impact::within(refined.time(), horizon)
}

/// What the time of a contact in uniform relative motion is made of, to more digits than an `f64` has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refined {
    pub h: Dd,
    pub c: Dd,
    pub discriminant: Dd,
}

impl Refined {
    /// Of two balls `x` apart with the relative velocity `w`, which touch at the distance `reach`.
    pub fn new(x: &[Dd; 3], w: &[Dd; 3], reach: Dd) -> Self {
        let reach_squared = reach * reach;
        let (a, h) = (dot(w, w), dot(x, w));
        let squared = dot(x, x);
        let c = squared - reach_squared;
        // What this cancels for far pairs is within the digits that there are.
        let h_squared = h * h;
        let discriminant = h_squared - a * c;
        if c.hi.abs() < CANCELLED * reach_squared.hi
            || discriminant.hi.abs() < CANCELLED * h_squared.hi
            || h_squared.hi < CANCELLED * CANCELLED * a.hi * squared.hi
        {
            return exactly(x, w, reach);
        }
        Refined { h, c, discriminant }
    }

    /// When they touch, s, where they are apart and close.
    pub fn time(&self) -> f64 {
        (self.c / (self.discriminant.sqrt() - self.h)).hi
    }
}

/// h, c and the discriminant without any rounding but the last.
fn exactly(x: &[Dd; 3], w: &[Dd; 3], reach: Dd) -> Refined {
    let exact = |vector: &[Dd; 3]| vector.map(Expansion::from);
    let (x, w, reach) = (exact(x), exact(w), Expansion::from(reach));
    let dot = |a: &[Expansion; 3], b: &[Expansion; 3]| {
        &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
    };
    let h = dot(&x, &w);
    let c = &dot(&x, &x) - &(&reach * &reach);
    let discriminant = &(&h * &h) - &(&dot(&w, &w) * &c);
    Refined {
        h: h.approximate(),
        c: c.approximate(),
        discriminant: discriminant.approximate(),
    }
}
