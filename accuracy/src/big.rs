//! [`Wide`] numbers as the oracle's widest scalar, with sine and cosine, and decimals by way of astro-float.
//!
//! 320 bits are enough: coordinates of 1e9 m and gaps of 1e-24 m differ by 110 bits, a squared cancellation doubles
//! that, and 40 digits (133 bits) of the time must remain.

use crate::real::Real;
use crate::wide::{WORDS, Wide};
use astro_float::{BigFloat, Consts, Radix, RoundingMode, Sign};
use std::cell::RefCell;

/// The oracle's widest scalar.
pub type Big = Wide;

/// Bits that astro-float works with.
const REFERENCE_BITS: usize = 384;

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for constants"));
    static RECIPROCALS: Vec<Big> = (0..400_u16)
        .map(|n| Big::of(1.0).over(&Big::of(f64::from(n.max(1)))))
        .collect();
    static PI: Big = CONSTANTS.with_borrow_mut(|constants| {
        from_reference(&constants.pi(REFERENCE_BITS, RoundingMode::ToEven))
    });
}

/// The same number in astro-float.
pub fn to_reference(value: &Big) -> BigFloat {
    let (negative, exponent, words) = value.parts();
    if value.is_zero() {
        return BigFloat::from_f64(0.0, REFERENCE_BITS);
    }
    let sign = if negative { Sign::Neg } else { Sign::Pos };
    BigFloat::from_words(words, sign, exponent as i32)
}

/// A finite number of astro-float, truncated.
pub fn from_reference(value: &BigFloat) -> Big {
    let Some((words, _, sign, exponent, _)) = value.as_raw_parts() else {
        return Big::ZERO;
    };
    let mut top = [0; WORDS];
    for (target, &word) in top.iter_mut().rev().zip(words.iter().rev()) {
        *target = word;
    }
    Big::from_parts(sign == Sign::Neg, i64::from(exponent), top)
}

/// With this many significant decimal digits, in the form `1.2345e-6`.
pub fn digits(value: &Big, count: usize) -> String {
    let text = CONSTANTS.with_borrow_mut(|constants| {
        to_reference(value)
            .format(Radix::Dec, RoundingMode::ToEven, constants)
            .expect("memory for digits")
    });
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = usize::from(mantissa.starts_with('-'));
    let kept: String = mantissa.chars().take(count + 1 + sign).collect();
    format!("{kept}e{}", exponent.trim_start_matches('+'))
}

/// Reads what [`digits`] wrote; `None` where it is not a number.
pub fn parse(text: &str) -> Option<Big> {
    let value = CONSTANTS.with_borrow_mut(|constants| {
        BigFloat::parse(
            text,
            Radix::Dec,
            REFERENCE_BITS,
            RoundingMode::ToEven,
            constants,
        )
    });
    (!value.is_nan() && !value.is_inf()).then(|| from_reference(&value))
}

/// `|x|` below which the Taylor sums for sine and cosine need few terms.
const HALVINGS: i64 = 20;

impl Real for Big {
    fn of(value: f64) -> Self {
        Wide::of(value)
    }
    fn near(&self) -> f64 {
        Wide::near(self)
    }
    fn plus(&self, other: &Self) -> Self {
        Wide::plus(self, other)
    }
    fn minus(&self, other: &Self) -> Self {
        Wide::minus(self, other)
    }
    fn times(&self, other: &Self) -> Self {
        Wide::times(self, other)
    }
    fn over(&self, other: &Self) -> Self {
        Wide::over(self, other)
    }
    fn negated(&self) -> Self {
        Wide::negated(self)
    }
    fn root(&self) -> Self {
        Wide::root(self)
    }
    fn sign(&self) -> i8 {
        Wide::sign(self)
    }
    fn below(&self, other: &Self) -> bool {
        Wide::below(self, other)
    }

    /// Reduced to |x| ≤ π/4, halved a few times, summed, and doubled again by
    /// `1 − cos 2x = 2 (1 − cos x)(1 + cos x)`, which loses no digits as `1 − cos x` is small.
    fn sin_cos(&self) -> (Self, Self) {
        let quarter = Self::pi().shifted(-1);
        let turns = libm::round(self.near() / std::f64::consts::FRAC_PI_2);
        let reduced = self.minus(&quarter.times(&Big::of(turns)));
        let small = reduced.shifted(-HALVINGS);
        let square = small.times(&small);
        // 1 − cos x = x²/2 − x⁴/24 + …: at |x| < 2⁻²⁰ nine terms leave 2⁻⁴⁰⁰.
        let mut versine = Big::zero();
        for n in (1..=9_u16).rev() {
            versine = square
                .times(&Big::of(1.0).minus(&versine))
                .times(&Self::reciprocal(2 * n * (2 * n - 1)));
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
        PI.with(|pi| *pi)
    }

    fn reciprocal(n: u16) -> Self {
        RECIPROCALS.with(|table| table[usize::from(n)])
    }
}
