//! Exact sums and products, for the few decisions that even double-double cannot make.
//!
//! Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast robust geometric predicates": a number is an
//! unevaluated sum of `f64` that do not overlap. Nothing is ever rounded, short of over- and underflow. Slow: it
//! is asked only when a discriminant or a gap has cancelled to nothing.

use super::double_double::{Dd, quick_two_sum, two_product, two_sum};
use std::ops::{Add, Mul, Neg, Sub};

/// An exact number: a sum of `f64`, smallest first, none overlapping another, none zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    terms: Vec<f64>,
}

impl Expansion {
    /// `a − b`, exactly.
    pub fn difference(a: f64, b: f64) -> Self {
        Dd::difference(a, b).into()
    }

    /// The number, to double-double precision.
    pub fn approximate(&self) -> Dd {
        // The terms do not overlap, so summing from the largest keeps everything that two doubles can hold.
        self.terms
            .iter()
            .rev()
            .fold(Dd::ZERO, |sum, &term| sum + Dd::from(term))
    }

    /// The sign: −1, 0 or 1.
    pub fn sign(&self) -> f64 {
        self.terms.last().map_or(0.0, |largest| largest.signum())
    }

    /// Adds one `f64`, exactly.
    fn grow(&mut self, term: f64) {
        let mut carry = term;
        let mut kept = 0;
        for index in 0..self.terms.len() {
            let (sum, error) = two_sum(carry, self.terms[index]);
            carry = sum;
            if error != 0.0 {
                self.terms[kept] = error;
                kept += 1;
            }
        }
        self.terms.truncate(kept);
        if carry != 0.0 {
            self.terms.push(carry);
        }
    }

    /// The same number in as few terms as possible.
    fn compress(&mut self) {
        let Some(mut top) = self.terms.pop() else {
            return;
        };
        let mut high = Vec::with_capacity(self.terms.len() + 1);
        while let Some(term) = self.terms.pop() {
            let (sum, error) = quick_two_sum(top, term);
            if error == 0.0 {
                top = sum;
            } else {
                high.push(sum);
                top = error;
            }
        }
        high.push(top);
        high.reverse();
        high.retain(|&term| term != 0.0);
        self.terms = high;
    }
}

impl From<Dd> for Expansion {
    fn from(number: Dd) -> Self {
        let mut expansion = Expansion::default();
        expansion.grow(number.lo);
        expansion.grow(number.hi);
        expansion
    }
}

impl From<f64> for Expansion {
    fn from(number: f64) -> Self {
        Dd::from(number).into()
    }
}

impl Neg for Expansion {
    type Output = Self;

    fn neg(mut self) -> Self {
        self.terms.iter_mut().for_each(|term| *term = -*term);
        self
    }
}

impl Add for &Expansion {
    type Output = Expansion;

    fn add(self, other: &Expansion) -> Expansion {
        let mut sum = self.clone();
        other.terms.iter().for_each(|&term| sum.grow(term));
        sum.compress();
        sum
    }
}

impl Sub for &Expansion {
    type Output = Expansion;

    fn sub(self, other: &Expansion) -> Expansion {
        self + &-other.clone()
    }
}

impl Mul for &Expansion {
    type Output = Expansion;

    fn mul(self, other: &Expansion) -> Expansion {
        let mut product = Expansion::default();
        for &a in &self.terms {
            for &b in &other.terms {
                let (high, error) = two_product(a, b);
                product.grow(error);
                product.grow(high);
            }
        }
        product.compress();
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let e = |x: f64| Expansion::from(x);
        // (1 + 1e-30 + 1e-60)² − 1 − 2e-30 − 3e-60, with the decimal constants as the f64 they are.
        let x = &(&e(1.0) + &e(1e-30)) + &e(1e-60);
        let square = &x * &x;
        let rest = &(&square - &e(1.0)) - &e(2e-30);
        let tail = &rest - &(&(&e(1e-30) * &e(1e-30)) + &e(2e-60));
        // What is left: 2·1e-30·1e-60 + 1e-120.
        let expected = &(&e(2e-30) * &e(1e-60)) + &(&e(1e-60) * &e(1e-60));
        assert_eq!(tail, expected);
        assert_eq!((&tail - &expected).sign(), 0.0);
        assert_eq!(tail.sign(), 1.0);
        assert_eq!((-tail).sign(), -1.0);
    }

    #[test]
    fn the_sign_is_right_when_double_double_sees_nothing() {
        let e = |x: f64| Expansion::from(x);
        let x = &e(1.0) + &e(1e-40);
        let difference = &(&x * &x) - &e(1.0);
        assert_eq!(difference.sign(), 1.0);
        assert!((difference.approximate().hi / 2e-40 - 1.0).abs() < 1e-15);
    }
}
