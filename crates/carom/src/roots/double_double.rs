//! Double-double arithmetic: a number as the unevaluated sum of two `f64`.
//!
//! Dekker (1971), "A floating-point technique for extending the available precision"; error bounds as in Joldes, Muller
//! and Popescu (2017), "Tight and rigorous error bounds for basic building blocks of double-word arithmetic". Only
//! sums, products, quotients and square roots of IEEE 754 are used, so the bits are the same on every platform.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number with about 32 digits: `hi + lo`, where `hi` is the sum rounded to `f64`.
///
/// Sums and products have a relative error below 2⁻¹⁰³ as long as nothing overflows or becomes subnormal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd {
    /// The number, rounded.
    pub hi: f64,
    /// What the rounding left out.
    pub lo: f64,
}

/// `a + b` and its rounding error, exactly.
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// `a + b` and its rounding error, exactly, where `|a| ≥ |b|`.
#[inline]
pub(crate) fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Two halves of at most 26 bits that sum to `a` (Veltkamp).
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2²⁷ + 1
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// `a · b` and its rounding error, exactly (Dekker).
#[inline]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

impl Dd {
    /// Zero.
    pub const ZERO: Dd = Dd { hi: 0.0, lo: 0.0 };

    /// `a − b`, exactly.
    #[inline]
    pub fn difference(a: f64, b: f64) -> Dd {
        let (hi, lo) = two_sum(a, -b);
        Dd { hi, lo }
    }

    /// `a + b`, exactly.
    #[inline]
    pub fn sum(a: f64, b: f64) -> Dd {
        let (hi, lo) = two_sum(a, b);
        Dd { hi, lo }
    }

    /// Times a power of two, exactly.
    #[inline]
    pub fn scaled(self, power_of_two: f64) -> Dd {
        Dd {
            hi: self.hi * power_of_two,
            lo: self.lo * power_of_two,
        }
    }

    /// The square root of a number that is not negative; zero for negative ones.
    pub fn sqrt(self) -> Dd {
        if self.hi <= 0.0 {
            return Dd::ZERO;
        }
        // One step of Newton's method on the rounded root doubles its digits.
        let root = self.hi.sqrt();
        let (square, error) = two_product(root, root);
        let rest = self
            - Dd {
                hi: square,
                lo: error,
            };
        let (hi, lo) = quick_two_sum(root, rest.hi / (2.0 * root));
        Dd { hi, lo }
    }

    /// Whether both parts are finite.
    pub fn is_finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }
}

impl From<f64> for Dd {
    #[inline]
    fn from(hi: f64) -> Dd {
        Dd { hi, lo: 0.0 }
    }
}

impl Neg for Dd {
    type Output = Dd;

    #[inline]
    fn neg(self) -> Dd {
        Dd {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Add for Dd {
    type Output = Dd;

    // The accurate variant: the sloppy one loses all digits when the high parts cancel, which is our main case.
    #[inline]
    fn add(self, other: Dd) -> Dd {
        let (high, high_error) = two_sum(self.hi, other.hi);
        let (low, low_error) = two_sum(self.lo, other.lo);
        let (high, rest) = quick_two_sum(high, high_error + low);
        let (hi, lo) = quick_two_sum(high, rest + low_error);
        Dd { hi, lo }
    }
}

impl Sub for Dd {
    type Output = Dd;

    #[inline]
    fn sub(self, other: Dd) -> Dd {
        self + (-other)
    }
}

impl Mul for Dd {
    type Output = Dd;

    #[inline]
    fn mul(self, other: Dd) -> Dd {
        let (product, error) = two_product(self.hi, other.hi);
        let (hi, lo) = quick_two_sum(product, error + (self.hi * other.lo + self.lo * other.hi));
        Dd { hi, lo }
    }
}

impl Mul<f64> for Dd {
    type Output = Dd;

    #[inline]
    fn mul(self, factor: f64) -> Dd {
        let (product, error) = two_product(self.hi, factor);
        let (hi, lo) = quick_two_sum(product, error + self.lo * factor);
        Dd { hi, lo }
    }
}

impl Div for Dd {
    type Output = Dd;

    #[inline]
    fn div(self, other: Dd) -> Dd {
        let first = self.hi / other.hi;
        let rest = self - other * first;
        let second = rest.hi / other.hi;
        let rest = rest - other * second;
        let (hi, lo) = quick_two_sum(first, second);
        Dd { hi, lo } + Dd::from(rest.hi / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_are_exact() {
        let (product, error) = two_product(1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        // (1 + e)(1 − e) = 1 − e².
        assert_eq!((product, error), (1.0, -f64::EPSILON * f64::EPSILON));
        assert_eq!(two_sum(1.0, 1e-30), (1.0, 1e-30));
        assert_eq!(
            Dd::difference(1.0, 1e-30),
            Dd {
                hi: 1.0,
                lo: -1e-30
            }
        );
    }

    #[test]
    fn roots_and_quotients_come_back() {
        // 2⁻¹⁰² leaves room for the three operations of each round trip.
        let bound = 1.0 / (1u128 << 102) as f64;
        for x in [2.0, 3.0, 1e-9, 7.5e8, 1.0 + f64::EPSILON] {
            let x = Dd {
                hi: x,
                lo: x * 1e-18,
            };
            let root = x.sqrt();
            assert!(((root * root - x).hi / x.hi).abs() < bound);
            let third = x / Dd::from(3.0);
            assert!(((third * 3.0 - x).hi / x.hi).abs() < bound);
        }
        assert_eq!(Dd::from(-1.0).sqrt(), Dd::ZERO);
    }
}
