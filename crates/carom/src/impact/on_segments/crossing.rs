use super::along::Along;
use super::walk::{Gap, GapAt, walk};
use crate::arrays::Each;
use crate::impact::parabola_crosses;
use crate::motion::{Curve, TrajectorySegment};
use crate::space::{Space, UNIT_ROUNDOFF};

/// The first local time, no earlier than `from`, at which the centre's coordinate along an axis passes a bound upwards
/// (`up`) or downwards, s; infinite where it does not before the segment ends.
///
/// One that is beyond the bound already and going on passes at once; one that is beyond and coming back passes when it
/// next goes on.
///
/// Up to degree 2 this is a closed form. Above it is a search by certified steps, which finds the time to the rounding
/// of the coordinate.
pub fn crossing<S: Space>(
    segment: &TrajectorySegment<S>,
    from: f64,
    axis: usize,
    bound: f64,
    up: bool,
) -> f64 {
    if !(from < segment.end) {
        return f64::INFINITY;
    }
    let component = |vector: S::Vector| S::components(vector)[axis];
    let time = if segment.place.degree() <= 2 {
        let [x, v, e] = (*segment.place.quadratic_terms()).each(component);
        let distance = bound - (x + (v + e * from) * from);
        from + parabola_crosses(distance, v + 2.0 * e * from, 2.0 * e, up)
    } else {
        let sign = if up { -1.0 } else { 1.0 };
        let mut terms = [0.0; Curve::<f64>::MAX_DEGREE + 1];
        for (to, &term) in terms.iter_mut().zip(segment.place.terms()) {
            *to = sign * component(term);
        }
        let size = terms[0].abs() + bound.abs();
        terms[0] -= sign * bound;
        on_curve(&Curve::new(&terms), size, from, segment.end)
    };
    if time < segment.end {
        time
    } else {
        f64::INFINITY
    }
}

/// The distance still to go to the bound.
struct LeftToGo {
    along: Along,
    sizes: Along,
    /// Of the numbers that the constant term is the difference of, m.
    size: f64,
    until: f64,
    trust: f64,
}

impl Gap for LeftToGo {
    fn look(&mut self, t: f64) -> GapAt {
        GapAt {
            value: self.along.at(t),
            slope: self.along.slope(t),
            tolerance: 4.0 * UNIT_ROUNDOFF * (self.sizes.at(t) + self.size),
        }
    }

    fn floor(&self, _: f64, _: &GapAt) -> f64 {
        0.0
    }

    fn step(&mut self, t: f64, seen: &GapAt, slack: f64) -> f64 {
        let most = self.until - t;
        if seen.value >= -seen.tolerance {
            let lift = seen.value.max(0.0) + slack;
            self.along
                .safe_step(t, seen.slope, lift, most, &mut self.trust)
        } else {
            self.along
                .opening_step(t, seen.slope, slack, most, &mut self.trust)
        }
    }
}

fn on_curve(distance: &Curve<f64>, size: f64, from: f64, end: f64) -> f64 {
    let until = end.min(from + super::LONGEST);
    if !distance.is_finite() {
        return f64::INFINITY;
    }
    if distance.degree() <= 2 {
        // Along this axis alone it may be a parabola.
        let ahead = parabola_crosses(
            distance.at(from),
            -distance.rate_at(from),
            -distance.bend_at(from),
            true,
        );
        return from + ahead;
    }
    let mut gap = LeftToGo {
        along: Along::new(distance, 1.0),
        sizes: Along::sizes(distance),
        size,
        until,
        trust: f64::INFINITY,
    };
    walk(&mut gap, from, until).unwrap_or(f64::INFINITY)
}
