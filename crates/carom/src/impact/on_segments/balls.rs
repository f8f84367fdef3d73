//! Ball against ball on segments.
//!
//! # Equal accelerations
//!
//! The closed form of `ball_ball.rs`, with the closing floor taken at the time of the contact.
//!
//! # Parabolas
//!
//! With x(t) from one centre to the other, R the sum of the radii and n the direction of x now,
//! `|x(t + h)| ≥ n·x(t + h)` at all times, and for degree 2 the right-hand side is itself a quadratic in h:
//!
//! ```text
//! |x(t + h)| − R ≥ g + n·x′ h + ½ n·x″ h².
//! ```
//!
//! If that has no root they never meet; its first root is as far as the search may go. Next to a contact at speed the
//! distance to it is squared at each step. A parabola that follows the round of the other ball takes many short steps:
//! after a few, all roots of `|x|² − R²`, of degree 4, are isolated instead
//! ([`Polynomial::closings`](crate::roots::Polynomial::closings)), which always ends.
//!
//! # Higher degrees
//!
//! The same bound with a polynomial in place of the quadratic: `still.rs`.

use super::along::Along;
use super::still::{ClosingGap, Still};
use super::walk::walk;
use crate::arrays::Each;
use crate::impact::{Approach, MovingBall};
use crate::motion::{Curve, Flight, TrajectorySegment};
use crate::roots::{Dd, Polynomial};
use crate::shape::Ball;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// What is predicted closes at twice the speed that a contact is asked for, so that rounding between here and there
/// cannot make the two disagree for ever.
pub(super) const FLOOR: f64 = 32.0 * UNIT_ROUNDOFF;

/// Gaps are known to this share of the numbers that they are made of.
const TOLERANCE: f64 = 16.0 * UNIT_ROUNDOFF;

/// Looks at two parabolas before all roots are asked for: where the distance to a contact is squared at each step six
/// do, and a grazing to half of all digits takes some twenty.
const LOOKS: usize = 24;

/// The clock time at which two balls on segments touch, s; infinite where they do not before one of the segments ends.
///
/// The radii are in metres; `since_a` and `since_b` are the clock times at which the segments start, s, and the search
/// starts at the later of the two. `shift` is added to the position of the first less that of the second, m. The answer
/// depends on nothing else, and is the same to the bit for the two in the other order under the opposite shift.
pub fn balls_on_segments<S: Space>(
    a: &TrajectorySegment<S>,
    radius_a: f64,
    since_a: f64,
    b: &TrajectorySegment<S>,
    radius_b: f64,
    since_b: f64,
    shift: S::Vector,
) -> f64 {
    let start = if since_a > since_b { since_a } else { since_b };
    let ends = [since_a + a.end, since_b + b.end];
    let until = if ends[0] < ends[1] { ends[0] } else { ends[1] };
    if !(start < until) {
        return f64::INFINITY;
    }
    let pair = BallPair {
        sides: [
            (a, radius_a, start - since_a),
            (b, radius_b, start - since_b),
        ],
        reach: radius_a + radius_b,
        lasting: until - start,
    };
    let wait = if a.place.degree() <= 2 && b.place.degree() <= 2 {
        pair.on_parabolas(shift)
    } else {
        pair.on_curves(shift)
    };
    let time = start + wait;
    if time < until { time } else { f64::INFINITY }
}

/// Two balls from the later one's start on.
struct BallPair<'a, S: Space> {
    /// The segment, the radius (m) and the local time at which the search starts (s).
    sides: [(&'a TrajectorySegment<S>, f64, f64); 2],
    /// The sum of the radii, m.
    reach: f64,
    /// s.
    lasting: f64,
}

/// `x + w t + e t²`: the way of one centre about the other.
#[derive(Clone, Copy)]
struct Parabola<S: Space> {
    x: S::Vector,
    w: S::Vector,
    e: S::Vector,
}

impl<S: Space> BallPair<'_, S> {
    /// How long until they touch, s.
    #[inline]
    fn on_parabolas(&self, shift: S::Vector) -> f64 {
        let [a, b] = self.sides.map(|(segment, _, t)| {
            let [p, v, e] = *segment.place.quadratic_terms();
            Parabola::<S> {
                x: p + (v + e * t) * t,
                w: v + e * (2.0 * t),
                e,
            }
        });
        let way = Parabola::<S> {
            x: a.x - b.x + shift,
            w: a.w - b.w,
            e: a.e - b.e,
        };
        if way.e == S::Vector::ZERO {
            self.straight(&way)
        } else {
            self.bent(&way)
        }
    }

    /// In uniform relative motion.
    #[inline]
    fn straight(&self, way: &Parabola<S>) -> f64 {
        let (x, w) = (way.x, way.w);
        let h = x.dot(w);
        if !(h < 0.0) {
            return f64::INFINITY;
        }
        let squared = self.reach * self.reach;
        let c = x.dot(x) - squared;
        if c <= 0.0 {
            return if self.closes(h / self.reach, 0.0) {
                0.0
            } else {
                f64::INFINITY
            };
        }
        let discriminant = w.dot(w) * squared - S::area_squared(x, w);
        if !(discriminant > 0.0) {
            return f64::INFINITY;
        }
        let root = discriminant.sqrt();
        let wait = c / (root - h);
        // The closing speed at contact is √disc / R.
        if wait < self.lasting && self.closes(-root / self.reach, wait) {
            wait
        } else {
            f64::INFINITY
        }
    }

    #[inline]
    fn bent(&self, way: &Parabola<S>) -> f64 {
        if self.stays_away(way) {
            return f64::INFINITY;
        }
        let Parabola { x, w, e } = *way;
        let (xx, ww, ee) = (x.dot(x), w.dot(w), e.dot(e));
        let mut t = self.first_step(way, xx, ww);
        if !(t < self.lasting) {
            return f64::INFINITY;
        }
        for _ in 0..LOOKS {
            let place = x + (w + e * t) * t;
            let velocity = w + e * (2.0 * t);
            let distance = place.length();
            let gap = distance - self.reach;
            // All times the distance: it need not be divided by.
            let (h, k) = (place.dot(velocity), place.dot(e));
            // The root of a sum of squares is no less than half the sum of four.
            let size_squared = 4.0 * (xx + (ww + ee * (t * t)) * (t * t) + self.reach * self.reach);
            let mut lift = gap * distance;
            if gap <= 0.0 || gap * gap <= TOLERANCE * TOLERANCE * size_squared {
                let slope = if distance > 0.0 {
                    h / distance
                } else {
                    velocity.length()
                };
                if self.closes(slope, t) {
                    if gap <= 0.0 {
                        return t;
                    }
                    // One step more, unless it leads past the bottom of a grazing: there they do not close.
                    let last = t + first_fall(lift, h, k);
                    let then = (x + (w + e * last) * last).dot(w + e * (2.0 * last));
                    return if then < 0.5 * h { last } else { t };
                }
                let slack = TOLERANCE * size_squared.sqrt();
                if gap < -slack {
                    // It opens for as long as the acceleration allows.
                    let bend = 2.0 * e.length();
                    t += (slope.max(0.0) / bend).max((2.0 * slack / bend).sqrt());
                    if !(t < self.lasting) {
                        return f64::INFINITY;
                    }
                    continue;
                }
                lift = (gap.max(0.0) + slack) * distance;
            }
            t += first_fall(lift, h, k);
            if !(t < self.lasting) {
                return f64::INFINITY;
            }
        }
        self.by_roots(way, t)
    }

    /// Whether the whole way lies beyond the plane that touches the other ball where the first would, were it to come
    /// straight on: if its start, its end and the corner between their tangents do, so does all of it.
    #[inline]
    fn stays_away(&self, way: &Parabola<S>) -> bool {
        let xx = way.x.dot(way.x);
        let along = way.x.dot(way.w) * self.lasting;
        let bent = way.x.dot(way.e) * (self.lasting * self.lasting);
        let limit = self.reach * xx.sqrt();
        xx > limit && xx + 0.5 * along > limit && xx + along + bent > limit
    }

    /// The plane that the bound is taken across may be any: the best guess is the one at which they would meet, or pass
    /// each other, if the relative motion were uniform. That is most of the way, or shows that they do not meet.
    #[inline]
    fn first_step(&self, way: &Parabola<S>, xx: f64, ww: f64) -> f64 {
        let Parabola { x, w, e } = *way;
        let Some(guess) = self.guess(x, w, xx, ww) else {
            return 0.0;
        };
        let across = x + (w + e * guess) * guess;
        let lift = across.dot(x) - self.reach * across.length();
        if lift > 0.0 {
            first_fall(lift, across.dot(w), across.dot(e))
        } else {
            0.0
        }
    }

    /// When they would meet in uniform relative motion, or else be nearest; `None` where they part or overlap.
    #[inline]
    fn guess(&self, x: S::Vector, w: S::Vector, xx: f64, ww: f64) -> Option<f64> {
        let squared = self.reach * self.reach;
        let (h, c) = (x.dot(w), xx - squared);
        if !(h < 0.0 && c > 0.0) {
            return None;
        }
        let discriminant = ww * squared - S::area_squared(x, w);
        let guess = if discriminant > 0.0 {
            c / (discriminant.sqrt() - h)
        } else {
            -h / ww
        };
        Some(if guess < self.lasting {
            guess
        } else {
            self.lasting
        })
    }

    /// The first contact from `from` on, out of all the roots there are.
    #[cold]
    fn by_roots(&self, way: &Parabola<S>, from: f64) -> f64 {
        let relative = MovingBall::<S> {
            flight: Flight {
                position: way.x,
                velocity: way.w,
                acceleration: way.e * 2.0,
            },
            radius: 0.0,
            surface_speed: 0.0,
        };
        let standing = Flight::rest(S::Vector::ZERO);
        let approach =
            Approach::<S>::new(&relative, &standing, S::no_rotation(), 0.0).from_time(from);
        let reach = Dd::sum(self.sides[0].1, self.sides[1].1);
        let gap = approach.path().squared() - Polynomial::constant(reach * reach);
        let slope = gap.derivative();
        let bend = slope.derivative();
        // The polynomial changes by 2R per metre.
        let per_metre = 2.0 * reach.hi;
        let closes = |time: f64| slope.value(time) < -self.floor(from + time) * per_metre;
        let mut first = f64::INFINITY;
        gap.closings(self.lasting - from, |closing| {
            let mut time = closing.time;
            if closing.pressed && !closes(time) {
                // At rest and pressed together: a moment later it shows.
                let slack = TOLERANCE * (approach.scale(time) + reach.hi);
                time += (2.0 * slack * per_metre / -bend.value(time)).sqrt();
            }
            if time < first && closes(time) {
                first = time;
            }
        });
        from + first
    }

    /// Whether they stay on their sides of the plane across their places now, by the velocities now and the largest
    /// accelerations along it.
    fn stay_apart(&self, shift: S::Vector) -> bool {
        let [a, b] = self.sides.map(|(segment, _, t)| segment.position_at(t));
        let apart = a - b + shift;
        let distance = apart.length();
        let [a, b] = self.sides.map(|(segment, _, t)| {
            let along = Along::new(&segment.place, apart);
            (along.slope(t), along.bend_until(t + self.lasting))
        });
        let (slope, bend) = (a.0 - b.0, a.1 + b.1);
        distance * (distance - self.reach)
            > (0.5 * bend * self.lasting - slope.min(0.0)) * self.lasting
    }

    #[cold]
    fn on_curves(&self, shift: S::Vector) -> f64 {
        if self.stay_apart(shift) {
            return f64::INFINITY;
        }
        let [a, b] = self.sides.map(|(segment, _, t)| {
            if t == 0.0 {
                segment.place
            } else {
                segment.place.from_time(t)
            }
        });
        let mut terms = [S::Vector::ZERO; Curve::<f64>::MAX_DEGREE + 1];
        for (to, &from) in terms.iter_mut().zip(a.terms()) {
            *to = from;
        }
        for (to, &from) in terms.iter_mut().zip(b.terms()) {
            *to -= from;
        }
        terms[0] += shift;
        let way = Curve::new(&terms);
        if way.degree() <= 2 {
            let [x, w, e] = *way.quadratic_terms();
            let way = Parabola::<S> { x, w, e };
            return if e == S::Vector::ZERO {
                self.straight(&way)
            } else {
                self.bent(&way)
            };
        }
        let until = self.lasting.min(super::LONGEST);
        let from = self.first_step_on(&way, until);
        // One of the two as a point, so that it does not matter which.
        let both = Ball { radius: self.reach };
        let still: Still<S, _, _> = Still::new(&way, &both, 0.0, until, |t| self.floor(t));
        walk(&mut ClosingGap(still), from, until).unwrap_or(f64::INFINITY)
    }

    /// As [`Self::first_step`].
    fn first_step_on(&self, way: &Curve<S::Vector>, until: f64) -> f64 {
        let [x, w, _] = *way.quadratic_terms();
        let across = self
            .guess(x, w, x.dot(x), w.dot(w))
            .and_then(|guess| way.at(guess).unit());
        let Some(across) = across else {
            return 0.0;
        };
        let along = Along::new(way, across);
        let lift = along.at(0.0) - self.reach;
        if lift > 0.0 {
            let mut trust = f64::INFINITY;
            along.safe_step(0.0, along.slope(0.0), lift, until, &mut trust)
        } else {
            0.0
        }
    }

    /// Whether a rate of the gap at a time is closing.
    #[inline]
    fn closes(&self, slope: f64, wait: f64) -> bool {
        let squares = self.sides.each(|(segment, radius, start)| {
            let angular_velocity = segment.angular_velocity_at(start + wait).length_squared();
            segment.velocity_at(start + wait).length_squared()
                + angular_velocity * (radius * radius)
        });
        // The sum of four numbers is at most twice the root of that of their squares.
        let plainly = slope * slope > 8.0 * FLOOR * FLOOR * (squares[0] + squares[1]);
        slope < 0.0 && (plainly || slope < -self.floor(wait))
    }

    /// What closing means at a time from the start of the search on: faster than this, m/s.
    #[cold]
    fn floor(&self, wait: f64) -> f64 {
        let [a, b] = self
            .sides
            .each(|(segment, radius, start)| super::surface_speeds(segment, radius, start + wait));
        FLOOR * (a + b)
    }
}

/// The first h > 0 at which `lift + slope h + curve h²` is zero; infinite where it never is.
#[inline(always)]
fn first_fall(lift: f64, slope: f64, curve: f64) -> f64 {
    super::along::fall_time(lift, slope, 2.0 * curve)
}
