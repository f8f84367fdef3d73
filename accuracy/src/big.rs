//! Wide numbers: 320 bits of mantissa, about 96 digits.
//!
//! The crate was chosen by measuring one operation at 256 bits: astro-float adds in 71 ns and multiplies in 91 ns,
//! dashu-float needs 109 and 302 ns. astro-float's own square root (8 µs) and sine (30 µs) are slow, so the root is
//! Heron's iteration from the `f64` root, and sine and cosine are Taylor sums after halving the angle; the tests
//! compare both with astro-float's own.
//!
//! 320 bits are enough: coordinates of 1e9 m and gaps of 1e-24 m differ by 110 bits, a squared cancellation doubles
//! that, and 40 digits (133 bits) of the time must remain.

use crate::real::Real;
use astro_float::{BigFloat, Consts, RoundingMode, Sign};
use std::cell::RefCell;
use std::cmp::Ordering;

/// Bits of the mantissa.
pub const BITS: usize = 320;
const NEAREST: RoundingMode = RoundingMode::None;

/// A number of [`BITS`] bits.
#[derive(Clone, Debug)]
pub struct Big(BigFloat);

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for constants"));
    static PI: Big = CONSTANTS.with_borrow_mut(|constants| Big(constants.pi(BITS, NEAREST)));
}

impl Big {
    /// Sine by astro-float itself: slow, for comparison.
    pub fn reference_sine(&self) -> Self {
        CONSTANTS.with_borrow_mut(|constants| Big(self.0.sin(BITS, NEAREST, constants)))
    }

    /// Square root by astro-float itself: slow, for comparison and where `f64` has no range for a start.
    pub fn reference_root(&self) -> Self {
        Big(self.0.sqrt(BITS, NEAREST))
    }

    /// `self · 2ⁿ`.
    pub fn shifted(&self, n: i32) -> Self {
        if self.0.is_zero() {
            return self.clone();
        }
        let mut shifted = self.0.clone();
        let exponent = shifted.exponent().expect("finite");
        shifted.set_exponent(exponent + n);
        Big(shifted)
    }

    /// The nearest integer, as `f64`, for sizes below 2⁵³.
    fn rounded(&self) -> f64 {
        libm::round(self.near())
    }

    /// With this many significant decimal digits, in the form `1.2345e-6`.
    pub fn digits(&self, count: usize) -> String {
        let text = CONSTANTS.with_borrow_mut(|constants| {
            self.0
                .format(astro_float::Radix::Dec, RoundingMode::ToEven, constants)
                .expect("memory for digits")
        });
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let sign = usize::from(mantissa.starts_with('-'));
        let kept: String = mantissa.chars().take(count + 1 + sign).collect();
        format!("{kept}e{}", exponent.trim_start_matches('+'))
    }

    /// Reads what [`Big::digits`] wrote; `None` where it is not a number.
    pub fn parse(text: &str) -> Option<Self> {
        let value = CONSTANTS.with_borrow_mut(|constants| {
            BigFloat::parse(text, astro_float::Radix::Dec, BITS, NEAREST, constants)
        });
        (!value.is_nan() && !value.is_inf()).then_some(Big(value))
    }
}

/// `|x|` below which the Taylor sums for sine and cosine need few terms.
const HALVINGS: i32 = 20;

impl Real for Big {
    fn of(value: f64) -> Self {
        Big(BigFloat::from_f64(value, BITS))
    }

    fn near(&self) -> f64 {
        let Some((words, _, sign, exponent, _)) = self.0.as_raw_parts() else {
            return f64::NAN;
        };
        let Some(&top) = words.last() else {
            return 0.0;
        };
        let next = if words.len() > 1 {
            words[words.len() - 2]
        } else {
            0
        };
        // A sticky bit keeps the rounding of the top word to 53 bits from tying when more follows.
        let sticky = u64::from(next != 0);
        let value = libm::scalbn((top | sticky) as f64, exponent - 64);
        if sign == Sign::Neg { -value } else { value }
    }

    fn plus(&self, other: &Self) -> Self {
        Big(self.0.add(&other.0, BITS, NEAREST))
    }
    fn minus(&self, other: &Self) -> Self {
        Big(self.0.sub(&other.0, BITS, NEAREST))
    }
    fn times(&self, other: &Self) -> Self {
        Big(self.0.mul(&other.0, BITS, NEAREST))
    }
    fn over(&self, other: &Self) -> Self {
        Big(self.0.div(&other.0, BITS, NEAREST))
    }
    fn negated(&self) -> Self {
        Big(self.0.neg())
    }

    /// Heron: each step doubles the digits, 53 → 106 → 212 → 424.
    fn root(&self) -> Self {
        if self.0.is_zero() {
            return self.clone();
        }
        let start = self.near().sqrt();
        if !(1e-150..1e150).contains(&start) {
            return self.reference_root();
        }
        let mut root = Big::of(start);
        for _ in 0..3 {
            root = root.plus(&self.over(&root)).shifted(-1);
        }
        root
    }

    /// Reduced to |x| ≤ π/4, halved [`HALVINGS`] times, summed, and doubled again by
    /// `1 − cos 2x = 2 (1 − cos x)(1 + cos x)`, which loses no digits as `1 − cos x` is small.
    fn sin_cos(&self) -> (Self, Self) {
        let quarter = Self::pi().shifted(-1);
        let turns = self.over(&quarter).rounded();
        let reduced = self.minus(&quarter.times(&Big::of(turns)));
        let small = reduced.shifted(-HALVINGS);
        let square = small.times(&small);
        // 1 − cos x = x²/2 − x⁴/24 + …: at |x| < 2⁻²⁰ nine terms leave 2⁻⁴⁰⁰.
        let mut versine = Big::zero();
        for n in (1..=9_u32).rev() {
            let divisor = f64::from((2 * n) * (2 * n - 1));
            versine = square
                .times(&Big::of(1.0).minus(&versine))
                .over(&Big::of(divisor));
        }
        for _ in 0..HALVINGS {
            versine = versine.times(&Big::of(2.0).minus(&versine)).shifted(1);
        }
        let cosine = Big::of(1.0).minus(&versine);
        let sine = versine.times(&Big::of(2.0).minus(&versine)).root();
        let sine = if reduced.sign() < 0 {
            sine.negated()
        } else {
            sine
        };
        match turns.rem_euclid(4.0) as u8 {
            0 => (sine, cosine),
            1 => (cosine, sine.negated()),
            2 => (sine.negated(), cosine.negated()),
            _ => (cosine.negated(), sine),
        }
    }

    fn pi() -> Self {
        PI.with(Clone::clone)
    }

    fn sign(&self) -> i8 {
        if self.0.is_zero() {
            0
        } else if self.0.is_negative() {
            -1
        } else {
            1
        }
    }

    fn below(&self, other: &Self) -> bool {
        self.0.partial_cmp(&other.0) == Some(Ordering::Less)
    }
}
