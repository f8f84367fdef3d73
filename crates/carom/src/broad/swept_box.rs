use crate::arrays::Each;
use crate::impact::MovingBall;
use crate::motion::Flight;
use crate::space::{Space, UNIT_ROUNDOFF};

/// A box with its sides along the axes of the world; in 2-D a rectangle.
///
/// ```
/// use carom::kernels::broad::Aabb;
/// use carom::motion::Flight;
/// use carom::space::Space2;
/// use glam::DVec2;
///
/// let flight = Flight::<Space2>::straight(DVec2::ZERO, DVec2::new(2.0, 0.0));
/// let swept = Aabb::swept(&flight, 0.5, 0.0, 1.0);
/// assert!(swept.min.x <= -0.5 && swept.max.x >= 2.5); // rounded outwards
/// let other = Aabb::swept(&Flight::rest(DVec2::new(0.0, 3.0)), 0.5, 0.0, 1.0);
/// assert!(!swept.overlaps(&other)); // they certainly do not touch
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<S: Space> {
    /// The least coordinate along each axis, m; −∞ where unbounded.
    pub min: S::Vector,
    /// The greatest coordinate along each axis, m; +∞ where unbounded.
    pub max: S::Vector,
}

impl<S: Space> Aabb<S> {
    /// The box that a ball of the given radius (m, not negative) sweeps between the local times `t0` and `t1` (s), both
    /// included.
    ///
    /// It contains every point of the ball at every such time, on the exact path as well as at the rounded
    /// [`Flight::position_at`], and exceeds the exact box by at most 24u of the largest sum of the terms,
    /// `|x| + |v| t + ½|a| t² + r`.
    ///
    /// `t0 > t1` means the same interval as `t1, t0`: an interval turned over by the rounding of a clock must not lose
    /// a contact, and the time before now is as much a part of the path as the time after. Where the numbers overflow,
    /// are NaN, or an infinite time is asked about, the box is unbounded along that axis, in both directions; only an
    /// axis along which nothing moves stays bounded for all times.
    pub fn swept(flight: &Flight<S>, radius: f64, t0: f64, t1: f64) -> Self {
        let (mut min, mut max) = ([0.0; 3], [0.0; 3]);
        for axis in 0..S::DIMENSION {
            (min[axis], max[axis]) = swept_range(along(flight, axis), radius, t0, t1);
        }
        Aabb {
            min: S::vector(min),
            max: S::vector(max),
        }
    }

    /// Whether the boxes have a point in common. They are closed: boxes that only touch do.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (min, max) = (S::components(self.min), S::components(self.max));
        let (other_min, other_max) = (S::components(other.min), S::components(other.max));
        (0..S::DIMENSION).all(|axis| min[axis] <= other_max[axis] && other_min[axis] <= max[axis])
    }
}

/// Whether two balls may touch at some time between `t0` and `t1` (local times, s). `false` is certain.
///
/// The answer is that of the two boxes of [`Aabb::swept`], but the first axis that separates them is the last one
/// looked at.
pub fn may_touch<S: Space>(a: &MovingBall<S>, b: &MovingBall<S>, t0: f64, t1: f64) -> bool {
    (0..S::DIMENSION).all(|axis| {
        let (a_low, a_high) = swept_range(along(&a.flight, axis), a.radius, t0, t1);
        let (b_low, b_high) = swept_range(along(&b.flight, axis), b.radius, t0, t1);
        a_low <= b_high && b_low <= a_high
    })
}

/// Position, velocity and acceleration along one axis.
fn along<S: Space>(flight: &Flight<S>, axis: usize) -> [f64; 3] {
    [flight.position, flight.velocity, flight.acceleration]
        .each(|vector| S::components(vector)[axis])
}

/// The least and the greatest coordinate along one axis.
///
/// The source has straight motion, whose extremes are at the ends of the interval. A parabola
/// `x(t) = p + v t + ½ a t²` has one more, at `t* = −v/a`, that counts only inside the interval: where the velocity
/// `v + a t` changes sign between the ends.
///
/// # How much to widen
///
/// Let `M = |p| + |v| T + ½|a| T² + r` with T the larger of |t0|, |t1|.
///
/// * The four operations of `p + (v + a·½t)·t` are off by at most 4u M (½t is exact).
/// * The rounded `t*` is off by u|t*|, and where rounding gives the velocity at an end the wrong sign, that end is
///   within u T of t*. Either way the coordinate found differs from the extreme by `½|a| (u T)²`, less than u² M.
/// * Adding the radius and the slack rounds twice: 2u M.
///
/// That is 6u M for the exact path. Whoever asks works with rounded positions, off by another 4u M, plus u M where
/// they add the radius: 11u M in all. The slack is 16u M, which also leaves to each ball of a pair the 4u (|d| +
/// R + |w|t) by which a time-of-impact kernel may take a gap for closed. M is rounded too (by 5u of itself), and the
/// constant covers products that underflow: the worst is a subnormal `a·½t` (off by 2⁻¹⁰⁷⁵) times t ≤ 2⁵³.
fn swept_range([p, v, a]: [f64; 3], radius: f64, t0: f64, t1: f64) -> (f64, f64) {
    let resting = v == 0.0 && a == 0.0;
    let (t0, t1) = if resting { (0.0, 0.0) } else { (t0, t1) };
    let at = |t: f64| p + (v + a * (0.5 * t)) * t;
    let latest = t0.abs().max(t1.abs());
    let size = p.abs() + (v.abs() + a.abs() * (0.5 * latest)) * latest + radius;
    let slack = 16.0 * UNIT_ROUNDOFF * size + 4.0 * f64::MIN_POSITIVE;
    let (start, end) = (at(t0), at(t1));
    if !(slack.is_finite() && start.is_finite() && end.is_finite()) {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let (mut low, mut high) = (start.min(end), start.max(end));
    let falling = |t: f64| v + a * t < 0.0;
    if falling(t0) != falling(t1) {
        let turn = at(-v / a);
        (low, high) = (low.min(turn), high.max(turn));
    }
    let reach = radius + slack;
    (low - reach, high + reach)
}
