//! Polynomials of small degree with double-double coefficients, and every instant at which one begins to close.
//!
//! # Finding the roots
//!
//! Between two neighbouring roots of p′ the polynomial p is monotone, so it has at most one root there, and the signs
//! at the two ends say whether it does. The roots of p′ are found the same way from those of p″, and so on down to a
//! straight line. No root can be missed, double ones are seen as a critical point with the value zero, and each root is
//! bracketed until its two neighbours in `f64` are known. (The idea is old; Yuksel (2022), "High-performance polynomial
//! root finding for graphics", shows how fast it is.)
//!
//! # Signs
//!
//! Everything rests on the sign of p(t). It is first computed in plain `f64` with a running error bound; where the
//! bound is larger than the value, again in double-double. What remains uncertain is below 2⁻¹⁰⁰ of the terms.

use super::{Dd, UNIT_ROUNDOFF, quadratic};
use std::ops::{Add, Mul, Sub};

/// A polynomial in time of degree at most [`Polynomial::MAX_DEGREE`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polynomial {
    /// From the constant term up.
    coefficients: [Dd; Polynomial::MAX_DEGREE + 1],
    degree: usize,
}

/// An instant at which a polynomial is ≤ 0 and begins to decrease, or crosses zero downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// s.
    pub time: f64,
    /// Whether the second derivative is negative there: what presses where nothing moves.
    pub pressed: bool,
}

/// A few times, sorted.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    times: [f64; Polynomial::MAX_DEGREE + 2],
    count: usize,
}

impl Times {
    fn push(&mut self, time: f64) {
        self.times[self.count] = time;
        self.count += 1;
    }

    fn as_slice(&self) -> &[f64] {
        &self.times[..self.count]
    }
}

impl Polynomial {
    /// The highest degree.
    pub const MAX_DEGREE: usize = 10;

    /// From the constant term up; leading zeros are dropped.
    ///
    /// # Panics
    /// Where there are more than `MAX_DEGREE + 1` coefficients.
    pub fn new(coefficients: &[Dd]) -> Self {
        assert!(
            coefficients.len() <= Self::MAX_DEGREE + 1,
            "a polynomial of degree at most 10"
        );
        let mut all = [Dd::ZERO; Self::MAX_DEGREE + 1];
        all[..coefficients.len()].copy_from_slice(coefficients);
        let mut polynomial = Polynomial {
            coefficients: all,
            degree: Self::MAX_DEGREE,
        };
        polynomial.trim();
        polynomial
    }

    /// From plain coefficients, the constant term first.
    pub fn from_f64(coefficients: &[f64]) -> Self {
        let mut all = [Dd::ZERO; Self::MAX_DEGREE + 1];
        for (to, &from) in all.iter_mut().zip(coefficients) {
            *to = from.into();
        }
        Self::new(&all[..coefficients.len()])
    }

    /// A constant.
    pub fn constant(value: Dd) -> Self {
        Self::new(&[value])
    }

    /// The degree; 0 for the zero polynomial too.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The coefficients, the constant term first.
    pub fn coefficients(&self) -> &[Dd] {
        &self.coefficients[..=self.degree]
    }

    fn trim(&mut self) {
        while self.degree > 0 && self.coefficients[self.degree].hi == 0.0 {
            self.degree -= 1;
        }
    }

    /// The derivative.
    pub fn derivative(&self) -> Self {
        let mut slope = Polynomial {
            coefficients: [Dd::ZERO; Self::MAX_DEGREE + 1],
            degree: self.degree.saturating_sub(1),
        };
        for power in 1..=self.degree {
            slope.coefficients[power - 1] = self.coefficients[power] * power as f64;
        }
        slope.trim();
        slope
    }

    /// The value at `t`, with a sign that can be relied on.
    pub fn value(&self, t: f64) -> f64 {
        let mut value = self.coefficients[self.degree].hi;
        let mut size = value.abs();
        for power in (0..self.degree).rev() {
            let coefficient = self.coefficients[power].hi;
            value = value * t + coefficient;
            size = size * t.abs() + coefficient.abs();
        }
        // Horner's rule errs by at most 2n u times the sum of sizes, the rounded coefficients add u times it; the
        // rest covers the rounding of `size` itself.
        let bound = (2 * self.degree + 4) as f64 * UNIT_ROUNDOFF * size;
        if value.abs() > bound {
            value
        } else {
            self.careful_value(t).hi
        }
    }

    /// The value at `t` in double-double.
    pub fn careful_value(&self, t: f64) -> Dd {
        let mut value = self.coefficients[self.degree];
        for power in (0..self.degree).rev() {
            value = value * t + self.coefficients[power];
        }
        value
    }

    /// A time beyond which no root of the polynomial or of its derivatives lies: a power of two, at least one second.
    ///
    /// Fujiwara's bound `2 max |c_{n−k}/c_n|^{1/k}`, with exponents in place of numbers; the roots of the derivatives
    /// lie in the convex hull of the roots (Gauss and Lucas).
    fn root_bound(&self) -> f64 {
        let exponent = |x: f64| libm::frexp(x).1;
        let leading = exponent(self.coefficients[self.degree].hi);
        let mut power = 0;
        for k in 1..=self.degree {
            let coefficient = self.coefficients[self.degree - k].hi;
            if coefficient != 0.0 {
                let ratio = exponent(coefficient) - leading + 1;
                power = power.max(ratio.div_euclid(k as i32) + 2);
            }
        }
        // Evaluating a polynomial there must not overflow: 2^90 s is beyond any run, and its tenth power is finite.
        libm::ldexp(1.0, power.min(90))
    }

    /// Every instant in `[0, horizon)` at which the polynomial is ≤ 0 and begins to decrease, or falls through zero:
    /// the only instants at which the contact rule can begin to hold for a gap of the same sign. Sorted.
    pub fn closings(&self, horizon: f64, mut found: impl FnMut(Closing)) {
        if !(horizon > 0.0)
            || !self.coefficients().iter().all(|c| c.is_finite())
            || self.stays_positive(horizon)
        {
            return;
        }
        let mut report = |closing: Closing| {
            if closing.time < horizon {
                found(closing);
            }
        };
        match self.degree {
            0 => {}
            1 | 2 => quadratic::closing(self.quadratic_terms())
                .into_iter()
                .for_each(report),
            _ => self.closings_between_turns(horizon, &mut report),
        }
    }

    /// Whether a cheap bound shows that the polynomial has no root in `[0, horizon)`: with only its negative
    /// coefficients at work all the way, it would not get down to zero.
    fn stays_positive(&self, horizon: f64) -> bool {
        let negative = |coefficient: &Dd| coefficient.hi.min(0.0);
        let fall = self.coefficients()[1..]
            .iter()
            .rev()
            .fold(0.0, |sum, c| (sum + negative(c)) * horizon);
        // Where no coefficient is negative the sum is zero whatever the horizon, and 0 · ∞ is no number. The factor
        // covers the roundings.
        self.coefficients[0].hi > 0.0
            && (fall * (1.0 + 1e-13) > -self.coefficients[0].hi
                || self.coefficients()[1..].iter().all(|c| c.hi >= 0.0))
    }

    fn closings_between_turns(&self, horizon: f64, report: &mut impl FnMut(Closing)) {
        // Past the bound the sign is that of the leading coefficient for ever, so the pieces end there.
        let end = horizon.min(2.0 * self.root_bound());
        let slope = self.derivative();
        let turns = slope.crossings(end);
        let mut from = 0.0;
        let mut value = self.value(0.0);
        for &to in turns.as_slice().iter().chain(std::iter::once(&end)) {
            let next = self.value(to);
            // A piece that ends at zero turns upwards there: it grazes, it does not close.
            let time = if value > 0.0 && next < 0.0 {
                Some(self.bracketed_root(&slope, from, to))
            } else {
                // By its slope: the fall itself may be too small to show in the values.
                let falls = || slope.value(from + (to - from) * 0.5) < 0.0;
                (value <= 0.0 && falls()).then_some(from)
            };
            if let Some(time) = time {
                report(Closing {
                    time,
                    pressed: slope.derivative().value(time) < 0.0,
                });
            }
            (from, value) = (to, next);
        }
    }

    /// Where the polynomial changes its sign in `(0, end)`, sorted.
    fn crossings(&self, end: f64) -> Times {
        let mut times = Times::default();
        if self.degree == 0 {
            return times;
        }
        if self.degree <= 2 {
            let roots = quadratic::crossings(self.quadratic_terms());
            roots
                .into_iter()
                .filter(|&root| root > 0.0 && root < end)
                .for_each(|root| times.push(root));
            return times;
        }
        let slope = self.derivative();
        let turns = slope.crossings(end);
        let mut from = 0.0;
        let mut value = self.value(0.0);
        for &to in turns.as_slice().iter().chain(std::iter::once(&end)) {
            let next = self.value(to);
            if (value > 0.0 && next <= 0.0) || (value < 0.0 && next >= 0.0) {
                let root = self.bracketed_root(&slope, from, to);
                if root > 0.0 && root < end {
                    times.push(root);
                }
            }
            // A zero at the start of a piece is no sign: what counts is the sign that follows it.
            from = to;
            value = next;
        }
        times
    }

    /// The root in `[low, high]`, where the polynomial is monotone and the signs at the ends differ, to within one unit
    /// in the last place.
    fn bracketed_root(&self, slope: &Polynomial, low: f64, high: f64) -> f64 {
        self.polished_root(slope, self.plain_root(slope, low, high), low, high)
            .unwrap_or_else(|| self.bisected_root(low, high))
    }

    /// The root in a bracket, to what plain arithmetic can tell: Newton's method, kept inside, with a bisection
    /// whenever it would leave the bracket or does not halve its steps.
    fn plain_root(&self, slope: &Polynomial, mut low: f64, mut high: f64) -> f64 {
        let rising = self.plain_value(low) < 0.0;
        let mut t = low + (high - low) * 0.5;
        let mut last_step = high - low;
        // Sixty halvings exhaust the digits.
        for _ in 0..60 {
            let value = self.plain_value(t);
            if (value < 0.0) == rising {
                low = t;
            } else {
                high = t;
            }
            let step = value / slope.plain_value(t);
            if step.abs() <= 2.0 * UNIT_ROUNDOFF * t {
                break;
            }
            let next = t - step;
            let halves = step.abs() < 0.5 * last_step && next > low && next < high;
            last_step = if halves {
                step.abs()
            } else {
                0.5 * (high - low)
            };
            t = if halves { next } else { low + last_step };
        }
        t
    }

    /// A root that is nearly right, made right by Newton's method with careful values; `None` where that does not
    /// settle inside the bracket, as next to a double root.
    fn polished_root(&self, slope: &Polynomial, mut t: f64, low: f64, high: f64) -> Option<f64> {
        for _ in 0..4 {
            let step = self.careful_value(t).hi / slope.value(t);
            t -= step;
            if !(t >= low && t <= high) {
                return None;
            }
            if step.abs() <= UNIT_ROUNDOFF * t {
                return Some(t);
            }
        }
        None
    }

    /// The root in a bracket by signs alone, down to the two neighbouring `f64` between which it lies: slow, and
    /// certain.
    fn bisected_root(&self, mut low: f64, mut high: f64) -> f64 {
        let falling = self.value(low) > 0.0;
        while low.next_up() < high {
            let next = middle(low, high);
            if (self.value(next) > 0.0) == falling {
                low = next;
            } else {
                high = next;
            }
        }
        if self.value(low).abs() < self.value(high).abs() {
            low
        } else {
            high
        }
    }

    fn quadratic_terms(&self) -> [Dd; 3] {
        [0, 1, 2].map(|power| self.coefficients[power])
    }

    /// The value at `t` without care for its sign.
    fn plain_value(&self, t: f64) -> f64 {
        self.coefficients()
            .iter()
            .rev()
            .fold(0.0, |value, coefficient| value * t + coefficient.hi)
    }
}

/// A point between two times that are not negative: half-way in value where they are of one size, otherwise in their
/// bits, so that at most 64 halvings lead from any two to neighbours.
fn middle(low: f64, high: f64) -> f64 {
    if high <= 2.0 * low {
        low + (high - low) * 0.5
    } else {
        f64::from_bits(low.to_bits() + (high.to_bits() - low.to_bits()) / 2)
    }
}

impl Polynomial {
    fn combined(mut self, other: &Polynomial, combine: impl Fn(Dd, Dd) -> Dd) -> Polynomial {
        self.degree = self.degree.max(other.degree);
        for power in 0..=self.degree {
            self.coefficients[power] = combine(self.coefficients[power], other.coefficients[power]);
        }
        self.trim();
        self
    }
}

impl Add for Polynomial {
    type Output = Polynomial;

    fn add(self, other: Polynomial) -> Polynomial {
        self.combined(&other, |a, b| a + b)
    }
}

impl Sub for Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Polynomial) -> Polynomial {
        self.combined(&other, |a, b| a - b)
    }
}

impl Mul<Dd> for Polynomial {
    type Output = Polynomial;

    fn mul(mut self, factor: Dd) -> Polynomial {
        for coefficient in &mut self.coefficients[..=self.degree] {
            *coefficient = *coefficient * factor;
        }
        self.trim();
        self
    }
}

impl Mul for Polynomial {
    type Output = Polynomial;

    /// # Panics
    /// Where the product's degree exceeds [`Polynomial::MAX_DEGREE`].
    fn mul(self, other: Polynomial) -> Polynomial {
        let mut all = [Dd::ZERO; Self::MAX_DEGREE + 1];
        for (i, &a) in self.coefficients().iter().enumerate() {
            for (j, &b) in other.coefficients().iter().enumerate() {
                all[i + j] = all[i + j] + a * b;
            }
        }
        Polynomial::new(&all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closings(coefficients: &[f64], horizon: f64) -> Vec<f64> {
        let mut times = Vec::new();
        Polynomial::from_f64(coefficients).closings(horizon, |closing| times.push(closing.time));
        times
    }

    /// The polynomial with these roots, its coefficients exact as long as they fit a double-double.
    fn with_roots(roots: &[f64]) -> Polynomial {
        roots
            .iter()
            .fold(Polynomial::constant(Dd::from(1.0)), |product, &root| {
                product * Polynomial::from_f64(&[-root, 1.0])
            })
    }

    #[test]
    fn only_falling_zeros_count() {
        // (t − 1)(t − 3): falls at 1, rises at 3.
        assert_eq!(closings(&[3.0, -4.0, 1.0], f64::INFINITY), [1.0]);
        // −(t − 1)(t − 3): falls at 3.
        assert_eq!(closings(&[-3.0, 4.0, -1.0], f64::INFINITY), [3.0]);
        assert_eq!(
            closings(&[-3.0, 4.0, -1.0], 3.0),
            [] as [f64; 0],
            "the interval is half open"
        );
    }

    #[test]
    fn grazing_is_no_closing_but_a_turn_below_zero_is() {
        assert!(
            closings(&[1.0, -2.0, 1.0], f64::INFINITY).is_empty(),
            "(t − 1)² touches zero from above"
        );
        assert_eq!(
            closings(&[-1.0, 2.0, -1.0], f64::INFINITY),
            [1.0],
            "−(t − 1)² reaches zero and falls again"
        );
        assert_eq!(
            closings(&[-2.0, 2.0, -1.0], f64::INFINITY),
            [1.0],
            "never above zero, falls from t = 1 on"
        );
        assert_eq!(closings(&[0.0, -1.0], 5.0), [0.0], "touching and closing");
        assert_eq!(
            closings(&[-1e-17, -1.0], 5.0),
            [0.0],
            "overlapping and closing"
        );
        assert!(
            closings(&[-1e-17, 1.0], 5.0).is_empty(),
            "overlapping and opening"
        );
        assert!(closings(&[-1.0], 5.0).is_empty());
    }

    #[test]
    fn nearly_double_roots_are_told_apart() {
        // Roots at 1 and 1 + 1e-14, in exact coefficients: plain f64 cannot see them.
        let gap = 2.0_f64.powi(-46);
        let p = with_roots(&[1.0, 1.0 + gap]);
        let mut times = Vec::new();
        p.closings(f64::INFINITY, |closing| times.push(closing.time));
        assert_eq!(times, [1.0]);
    }

    #[test]
    fn degree_ten_with_ten_roots() {
        let roots = [0.5, 0.75, 1.0, 1.25, 3.0, 3.5, 4.0, 7.0, 8.0, 8.5];
        let p = with_roots(&roots);
        assert_eq!(p.degree(), 10);
        let mut times = Vec::new();
        p.closings(f64::INFINITY, |closing| times.push(closing.time));
        let falling: Vec<f64> = roots.iter().copied().step_by(2).collect();
        // Every coefficient and every root is a short binary fraction: nothing is rounded, so nothing may be off.
        assert_eq!(times, falling);
    }

    #[test]
    fn magnitudes_do_not_matter() {
        for scale in [1e-18, 1e-9, 1.0, 1e9, 1e18] {
            let p = with_roots(&[scale, 3.0 * scale]);
            let mut times = Vec::new();
            p.closings(f64::INFINITY, |closing| times.push(closing.time));
            assert_eq!(times, [scale]);
        }
    }

    #[test]
    fn nothing_hangs_or_panics_on_absurd_coefficients() {
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e300,
            -1e300,
            5e-324,
            f64::INFINITY,
            f64::NAN,
            1e-200,
        ];
        for a in numbers {
            for b in numbers {
                for c in numbers {
                    for d in numbers {
                        closings(&[a, b, c, d, a, b], f64::INFINITY);
                        closings(&[a, b, c, d], 1e-3);
                    }
                }
            }
        }
    }
}
