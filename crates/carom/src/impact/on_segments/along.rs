use crate::motion::Curve;
use crate::space::Linear;

/// A curve seen along one direction: a polynomial, with a bound that says how far it certainly does not fall.
///
/// # The bound
///
/// With p″ the second derivative now and J no less than any |p‴| up to `t + span`, for every h in `[0, span]`
///
/// ```text
/// p(t + h) ≥ p(t) + p′(t) h + ½ m h²,     m = p″(t) − J span,
/// ```
///
/// and the right-hand side first falls to a given level at the root of a quadratic. A long span makes m low and a short
/// one is itself the limit, so that several are tried, from that of the last step on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    terms: [f64; TERMS],
    number: usize,
}

const TERMS: usize = Curve::<f64>::MAX_DEGREE + 1;

impl Along {
    /// Along a direction, which need not have length one.
    pub fn new<V: Linear>(curve: &Curve<V>, direction: V) -> Self {
        Self::each(curve, |term| term.dot(direction))
    }

    /// With the lengths of the terms: no less than the curve is long, and so for all derivatives, in any direction.
    pub fn sizes<V: Linear>(curve: &Curve<V>) -> Self {
        Self::each(curve, |term| term.length())
    }

    fn each<V: Linear>(curve: &Curve<V>, number: impl Fn(V) -> f64) -> Self {
        let mut terms = [0.0; TERMS];
        for (to, &from) in terms.iter_mut().zip(curve.terms()) {
            *to = number(from);
        }
        Along {
            terms,
            number: curve.terms().len(),
        }
    }

    fn terms(&self) -> &[f64] {
        &self.terms[..self.number]
    }

    /// At time `t`.
    pub fn at(&self, t: f64) -> f64 {
        let terms = self.terms().iter().rev();
        terms.fold(0.0, |value, term| value * t + term)
    }

    /// The first derivative at time `t`.
    pub fn slope(&self, t: f64) -> f64 {
        let terms = self.terms().iter().enumerate().skip(1).rev();
        terms.fold(0.0, |value, (k, term)| value * t + term * k as f64)
    }

    /// The second derivative at time `t`.
    pub fn bend(&self, t: f64) -> f64 {
        let terms = self.terms().iter().enumerate().skip(2).rev();
        terms.fold(0.0, |value, (k, term)| {
            value * t + term * (k * (k - 1)) as f64
        })
    }

    /// No second derivative in `[0, t]` is larger in size.
    pub fn bend_until(&self, t: f64) -> f64 {
        let terms = self.terms().iter().enumerate().skip(2).rev();
        terms.fold(0.0, |value, (k, term)| {
            value * t + term.abs() * (k * (k - 1)) as f64
        })
    }

    /// No third derivative in `[0, t]` is larger in size.
    pub fn jerk_until(&self, t: f64) -> f64 {
        let terms = self.terms().iter().enumerate().skip(3).rev();
        terms.fold(0.0, |value, (k, term)| {
            value * t + term.abs() * (k * (k - 1) * (k - 2)) as f64
        })
    }

    /// By how much it can fall below its constant term in `[0, t]`, at most; not negative.
    pub fn fall_until(&self, t: f64) -> f64 {
        let terms = self.terms().iter().skip(1).rev();
        -terms.fold(0.0, |value, &term| (value + term.min(0.0)) * t)
    }

    /// For how long from `t`, and at most for `most`, it certainly stays above its value less `lift`. Not negative.
    pub fn safe_step(&self, t: f64, slope: f64, lift: f64, most: f64, trust: &mut f64) -> f64 {
        let bend = self.bend(t);
        longest(most, trust, |span| {
            fall_time(lift, slope, bend - self.jerk_until(t + span) * span)
        })
    }

    /// For how long from `t`, and at most for `most`, it certainly goes on rising, or does not fall by `slack`. Not
    /// negative.
    pub fn opening_step(&self, t: f64, slope: f64, slack: f64, most: f64, trust: &mut f64) -> f64 {
        let bend = self.bend(t);
        longest(most, trust, |span| {
            let least = bend - self.jerk_until(t + span) * span;
            if least >= 0.0 {
                return f64::INFINITY;
            }
            (slope.max(0.0) / -least).max((2.0 * slack / -least).sqrt())
        })
    }
}

/// The longest step that a bound allows which holds for a chosen span, starting from the last that served.
pub(super) fn longest(most: f64, trust: &mut f64, step_within: impl Fn(f64) -> f64) -> f64 {
    let mut span = trust.min(most);
    let mut best = 0.0;
    for _ in 0..4 {
        let bound = step_within(span);
        // Where numbers overflow there is no bound.
        let step = if bound.is_nan() { 0.0 } else { bound.min(span) };
        if step > best {
            best = step;
        }
        if step == 0.0 || step >= 0.25 * span {
            break;
        }
        span = 4.0 * step;
    }
    *trust = if best > 0.0 {
        8.0 * best
    } else {
        span / 1024.0
    };
    best
}

/// The first h ≥ 0 at which `lift + slope h + ½ bend h²` is zero, for a lift that is not negative; infinite where it
/// never is.
pub(super) fn fall_time(lift: f64, slope: f64, bend: f64) -> f64 {
    let discriminant = slope * slope - 2.0 * bend * lift;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if slope <= 0.0 {
        2.0 * lift / (root - slope)
    } else if bend >= 0.0 {
        f64::INFINITY
    } else {
        (slope + root) / -bend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_holds_and_is_not_far_from_the_truth() {
        // 1 − t + 0.3 t³ − 0.1 t⁵.
        let curve = Curve::new(&[1.0, -1.0, 0.0, 0.3, 0.0, -0.1]);
        let along = Along::new(&curve, 1.0);
        for start in 0..20 {
            let t = 0.1 * f64::from(start);
            let lift = 0.1;
            let mut trust = f64::INFINITY;
            let mut step = 0.0;
            // The span needs a few rounds to settle.
            for _ in 0..8 {
                step = along.safe_step(t, along.slope(t), lift, 10.0, &mut trust);
            }
            let level = along.at(t) - lift;
            for part in 0..=1000 {
                let h = step * f64::from(part) / 1000.0;
                assert!(along.at(t + h) >= level - 1e-14, "{t} {h}");
            }
            // With |p′| ≤ 8 on [0, 2] a fall by 0.1 takes 0.0125 at least.
            assert!(step > 0.0125 / 2.0, "{t}: {step}");
        }
        assert!(along.fall_until(1.0) >= 1.0 - along.at(1.0));
    }

    #[test]
    fn falls_of_parabolas() {
        assert_eq!(fall_time(1.0, -1.0, 0.0), 1.0);
        assert_eq!(fall_time(1.0, 0.0, -2.0), 1.0);
        assert_eq!(fall_time(0.0, 2.0, -2.0), 2.0);
        assert_eq!(fall_time(1.0, -1.0, 1.0), f64::INFINITY);
        assert_eq!(fall_time(1.0, 1.0, 0.0), f64::INFINITY);
    }
}
