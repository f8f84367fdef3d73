//! Polynomials `c + b t + a t²` in closed form, in double-double.
//!
//! Neither of the two forms of a root cancels, if each is used where its two terms have the same sign:
//!
//! ```text
//! 2c / (−b + √(b² − 4ac))   for b ≤ 0,        (b + √(b² − 4ac)) / (−2a)   for b ≥ 0.
//! ```

use super::{Closing, Dd};

/// `b² − 4ac`.
pub(crate) fn discriminant([c, b, a]: [Dd; 3]) -> Dd {
    b * b - (a * c).scaled(4.0)
}

/// The closing of a quadratic, which has at most one.
///
/// Where it starts above zero, it falls through zero at the first of the roots above if it falls at first, and at the
/// second if it rises at first and a < 0. Where it starts at or below zero, it closes at once if it falls, and
/// otherwise after its rise: at the later root, or at its highest point where that is not above zero.
pub(super) fn closing(terms: [Dd; 3]) -> Option<Closing> {
    closing_given(terms, discriminant(terms))
}

/// The same, for a discriminant that is known better.
pub(crate) fn closing_given([c, b, a]: [Dd; 3], discriminant: Dd) -> Option<Closing> {
    let falls = b.hi < 0.0 || (b.hi == 0.0 && a.hi < 0.0);
    let time = if c.hi <= 0.0 && falls {
        0.0
    } else if c.hi > 0.0 && falls {
        if !(discriminant.hi > 0.0) {
            return None;
        }
        (c.scaled(2.0) / (discriminant.sqrt() - b)).hi
    } else if a.hi < 0.0 {
        ((b + discriminant.sqrt()) / a.scaled(-2.0)).hi
    } else {
        return None;
    };
    Some(Closing {
        time,
        pressed: a.hi < 0.0,
    })
}

/// Where a quadratic or a line changes its sign, in order; infinite or NaN where it does not.
pub(super) fn crossings(terms: [Dd; 3]) -> [f64; 2] {
    let [c, b, a] = terms;
    if a.hi == 0.0 {
        return [(-c / b).hi, f64::NAN];
    }
    let discriminant = discriminant(terms);
    if !(discriminant.hi > 0.0) {
        return [f64::NAN, f64::NAN];
    }
    let root = discriminant.sqrt();
    // −b and the root with the same sign: q = −(b + sign(b) √…)/2, the roots are q/a and c/q.
    let q = if b.hi < 0.0 { root - b } else { -(b + root) }.scaled(0.5);
    let (first, second) = ((q / a).hi, (c / q).hi);
    if first <= second {
        [first, second]
    } else {
        [second, first]
    }
}
