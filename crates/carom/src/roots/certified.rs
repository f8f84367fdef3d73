//! The first closing root of a function that is no polynomial, found by steps that provably skip nothing.
//!
//! # The bound
//!
//! Let g be the gap and let `bend` be a number such that, for every h in `[0, span]`,
//!
//! ```text
//! g(t + h) ≥ g(t) + g′(t) h − ½ bend h².
//! ```
//!
//! The right-hand side has its first zero at `h = 2g / (−g′ + √(g′² + 2 bend g))`; up to there g is positive, so
//! the search may go on from `t + h`. Near a root that is crossed at speed |g′| the distance to it is squared at each
//! step (the bound and g differ by O(h²)); near a grazing it shrinks by a constant factor. The search never passes a
//! root, because it never leaves the interval that the bound covers.
//!
//! # Below zero
//!
//! Where g is at or below zero and opens, there is no contact as long as it opens: for `g′ / bend` at least, since
//! `bend` bounds `−g″` as well.
//!
//! # What rounding blurs
//!
//! g is known only to within a tolerance. Where g is within it and not closing, there is nothing to hit and no
//! positive bound to step by: then the step is `√(2 tolerance / bend)`, over which g can fall below
//! its tangent by at most the tolerance. So an overlap that this search overlooks is smaller than twice what rounding
//! makes of any gap.

/// A function and what is known about it at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// g, m.
    pub value: f64,
    /// g′, m/s.
    pub slope: f64,
}

/// What is known at one time about a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The gap itself first; then others that the gap is the smallest of, where it is not smooth.
    pub branches: [Option<Sample>; 3],
    /// What rounding makes of `value`, m.
    pub tolerance: f64,
    /// A slope is closing when it is below minus this, m/s.
    pub floor: f64,
    /// For how long `bend` holds, s.
    pub span: f64,
    /// See the module's documentation, m/s². Not negative.
    pub bend: f64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// The first closing root.
    At(f64),
    /// There is none before the end.
    Nothing,
    /// There is none before this time; the search gave up there.
    StoppedAt(f64),
}

/// The first time in `[from, to)` at which the gap is ≤ 0 and closing.
pub fn advance(from: f64, to: f64, budget: usize, mut look: impl FnMut(f64) -> Look) -> Search {
    let mut t = from;
    for _ in 0..budget {
        if !(t < to) {
            return Search::Nothing;
        }
        let seen = look(t);
        let Some(gap) = seen.branches[0] else {
            return Search::Nothing;
        };
        if gap.value <= seen.tolerance && gap.slope < -seen.floor {
            // One step of Newton's method, if it leads nearer: in a slow closing it may lead astray.
            let root = t - gap.value / gap.slope;
            let improves = root > from
                && root < to
                && look(root).branches[0].is_some_and(|there| {
                    there.value.abs() < gap.value.abs() && there.slope < -seen.floor
                });
            return Search::At(if improves { root } else { t });
        }
        let certain = seen
            .branches
            .iter()
            .flatten()
            .map(|branch| safe_step(branch, seen.tolerance, seen.bend))
            .fold(f64::INFINITY, f64::min);
        let blurred = if gap.value <= seen.tolerance {
            (2.0 * seen.tolerance / seen.bend).sqrt()
        } else {
            0.0
        };
        // The last term moves the clock in any case; so near to an event no digit of t is left to resolve it.
        let step = certain
            .max(blurred)
            .min(seen.span)
            .max(2.0 * f64::EPSILON * t.abs());
        if step.is_nan() {
            return Search::StoppedAt(t);
        }
        t += step;
    }
    if t < to {
        Search::StoppedAt(t)
    } else {
        Search::Nothing
    }
}

/// How far the lower bound of a branch stays positive.
fn safe_step(branch: &Sample, tolerance: f64, bend: f64) -> f64 {
    let Sample { value, slope } = *branch;
    if value <= tolerance {
        // At or below zero and opening: it goes on opening for as long as the slope can last.
        return if slope > 0.0 { slope / bend } else { 0.0 };
    }
    let root = (slope * slope + 2.0 * bend * value).sqrt();
    if slope <= 0.0 {
        2.0 * value / (root - slope)
    } else {
        (slope + root) / bend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sin-like functions with a known bound on the second derivative.
    fn search(g: impl Fn(f64) -> (f64, f64), bend: f64, to: f64) -> Search {
        advance(0.0, to, 10_000, |t| {
            let (value, slope) = g(t);
            Look {
                branches: [Some(Sample { value, slope }), None, None],
                tolerance: 4.0 * f64::EPSILON,
                floor: 1e-14,
                span: f64::INFINITY,
                bend,
            }
        })
    }

    #[test]
    fn the_first_of_many_roots() {
        // cos t + ½: first falls through zero at 2π/3.
        match search(|t| (libm::cos(t) + 0.5, -libm::sin(t)), 1.0, 100.0) {
            Search::At(t) => assert!((t - 2.0 * std::f64::consts::FRAC_PI_3).abs() < 4e-15),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn grazing_from_above_is_no_root_and_a_hair_below_is() {
        // 1 + cos t ± δ has its minimum ±δ at π.
        let shifted = |delta: f64| move |t: f64| (1.0 + libm::cos(t) + delta, -libm::sin(t));
        assert_eq!(search(shifted(1e-12), 1.0, 6.0), Search::Nothing);
        match search(shifted(-1e-12), 1.0, 6.0) {
            // 1 + cos t = δ: π − t = √(2δ)(1 + O(δ)); the slope there is √(2δ), so rounding by 1e-15 moves t by 1e-9.
            Search::At(t) => assert!((std::f64::consts::PI - t - 2e-12_f64.sqrt()).abs() < 1e-9),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_opening_start_is_skipped() {
        // sin t opens at 0 and closes at π.
        match search(|t| (libm::sin(t), libm::cos(t)), 1.0, 10.0) {
            Search::At(t) => assert!((t - std::f64::consts::PI).abs() < 1e-15),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_search_without_end_stops() {
        let stopped = search(|t| (2.0 + libm::cos(t), -libm::sin(t)), 1.0, f64::INFINITY);
        assert!(matches!(stopped, Search::StoppedAt(t) if t > 1000.0));
    }
}
