//! Surfaces across which forces jump, and the cutting of pieces at them.
//!
//! A border is the zero of a smooth function d of the place, negative inside, near its zero the signed distance in
//! metres:
//!
//! ```text
//! a plane:   d = n·(x − p)                    d′ = n·v          d″ = n·a
//! a sphere:  d = (|y|² − R²)/2R,  y = x − c    d′ = y·v/R        d″ = (|v|² + y·a)/R
//! ```
//!
//! A piece stays on the side of every border that it starts on. Its way is a polynomial with a known bound on its
//! second derivative, so that the first crossing is found by the search that skips nothing ([`certified::advance`]).

use super::{Departure, FlightError, Rates, Tolerance};
use crate::motion::TrajectorySegment;
use crate::roots::certified::{self, Look, Sample, Search};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// A surface across which a force jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Border<S: Space> {
    /// A plane (in 2-D, a line); outside is where the normal points to.
    Plane {
        /// Any point on it, m.
        point: S::Vector,
        /// Of length 1.
        normal: S::Vector,
    },
    /// A sphere (in 2-D, a circle).
    Sphere {
        /// m.
        centre: S::Vector,
        /// m.
        radius: f64,
        /// Whether what counts as outside is the inside of the sphere.
        inverted: bool,
    },
}

/// On which side of each border a segment is: a bit each, set outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides(pub u64);

impl Sides {
    /// How many borders there may be.
    pub const MOST: usize = 64;

    /// Whether it is outside of the border with this index.
    pub fn outside(self, border: usize) -> bool {
        self.0 >> border & 1 == 1
    }

    /// The sides of a point, where the borders themselves count as inside.
    pub fn of<S: Space>(borders: &[Border<S>], position: S::Vector) -> Self {
        borders
            .iter()
            .enumerate()
            .fold(Sides::default(), |sides, (index, border)| {
                sides.with(index, border.distance(position) > 0.0)
            })
    }

    fn with(self, border: usize, outside: bool) -> Self {
        let bit = 1 << border;
        Sides(if outside { self.0 | bit } else { self.0 & !bit })
    }
}

impl<S: Space> Border<S> {
    /// Like the signed distance, m: negative inside, zero on the border, with slope 1 across it.
    pub fn distance(&self, position: S::Vector) -> f64 {
        match *self {
            Border::Plane { point, normal } => normal.dot(position - point),
            Border::Sphere {
                centre,
                radius,
                inverted,
            } => {
                let apart = (position - centre).length_squared() - radius * radius;
                flipped(apart / (2.0 * radius), inverted)
            }
        }
    }

    /// The direction in which it grows.
    fn normal(&self, position: S::Vector) -> S::Vector {
        match *self {
            Border::Plane { normal, .. } => normal,
            Border::Sphere {
                centre, inverted, ..
            } => {
                let outward = (position - centre).unit().unwrap_or(S::Vector::ZERO);
                if inverted { -outward } else { outward }
            }
        }
    }

    /// Its rate of change, m/s.
    fn slope(&self, position: S::Vector, velocity: S::Vector) -> f64 {
        match *self {
            Border::Plane { normal, .. } => normal.dot(velocity),
            Border::Sphere {
                centre,
                radius,
                inverted,
            } => flipped((position - centre).dot(velocity) / radius, inverted),
        }
    }

    /// The rate of change of that, m/s².
    fn bend(&self, at: &Departure<S>, acceleration: S::Vector) -> f64 {
        match *self {
            Border::Plane { normal, .. } => normal.dot(acceleration),
            Border::Sphere {
                centre,
                radius,
                inverted,
            } => {
                let arm = at.position - centre;
                let bend = (at.velocity.length_squared() + arm.dot(acceleration)) / radius;
                flipped(bend, inverted)
            }
        }
    }

    /// What rounding makes of the distance, m.
    fn blur(&self, position: S::Vector) -> f64 {
        let size = match *self {
            Border::Plane { point, .. } => position.length() + point.length(),
            Border::Sphere { centre, radius, .. } => {
                let arm = (position - centre).length();
                (arm * arm + radius * radius) / (2.0 * radius)
                    + (position.length() + centre.length()) * (arm / radius)
            }
        };
        8.0 * UNIT_ROUNDOFF * size
    }

    /// A bound on |d″| on a way from a place at a speed, with a bound on its acceleration, and for how long it holds,
    /// s.
    ///
    /// From a plane it holds for good. About a sphere it grows with the square of the speed and with the distance, so
    /// that over a long way it would allow of no step at all where the way begins: it is asked for over a way of the
    /// sphere's radius, or of the distance from it, at a time.
    fn most_bend(&self, position: S::Vector, speed: f64, acceleration: f64) -> (f64, f64) {
        match *self {
            Border::Plane { .. } => (acceleration, f64::INFINITY),
            Border::Sphere { centre, radius, .. } => {
                let arm = (position - centre).length();
                let way = radius.max((arm - radius).abs());
                // speed·span + ½ acceleration·span² = way, without cancellation.
                let root = (speed * speed + 2.0 * acceleration * way).sqrt();
                let span = 2.0 * way / (speed + root);
                let bend = (root * root + (arm + way) * acceleration) / radius;
                (bend, span)
            }
        }
    }

    /// Whether a piece whose way is no longer than `way` cannot reach the border from its start.
    fn is_beyond(&self, segment: &TrajectorySegment<S>, way: f64) -> bool {
        let position = segment.position_at(0.0);
        match *self {
            Border::Plane { normal, .. } => {
                let distance = self.distance(position).abs();
                // However fast it goes, along the border it does not get nearer.
                let mut across = 0.0;
                for &term in segment.place.terms()[1..].iter().rev() {
                    across = (across + normal.dot(term).abs()) * segment.end;
                }
                distance > way || distance > across * (1.0 + 1e-9)
            }
            Border::Sphere { centre, radius, .. } => {
                ((position - centre).length() - radius).abs() > way
            }
        }
    }
}

fn flipped(value: f64, flip: bool) -> f64 {
    if flip { -value } else { value }
}

/// The sides of the borders that a piece from `start` is on.
///
/// On a border, to within rounding, that is where the ball is going; and if it goes nowhere, where it is pushed.
pub(crate) fn sides_at<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    tolerance: &Tolerance,
) -> Result<Sides, FlightError> {
    let borders = rates.borders();
    let mut sides = Sides::of(borders, start.position);
    for (index, border) in borders.iter().enumerate() {
        let distance = border.distance(start.position);
        let blur = border.blur(start.position);
        if distance.abs() > blur.max(tolerance.absolute) {
            continue;
        }
        let slope = border.slope(start.position, start.velocity);
        // Just beside it, so that of borders that lie on each other all are passed.
        let beside = border.normal(start.position) * (4.0 * blur.max(tolerance.absolute));
        let push = |there: S::Vector| {
            let (acceleration, _) = rates.rates_beside(
                Sides::of(borders, start.position + there),
                start.time,
                start.position,
                start.velocity,
                start.angular_velocity,
            );
            border.bend(start, acceleration)
        };
        let (inside, outside) = (push(-beside), push(beside));
        let held = inside > 0.0 && outside < 0.0;
        // How far it gets from the border before it is back.
        if held && slope * slope <= 2.0 * tolerance.absolute * inside.min(-outside) {
            return Err(FlightError::Caught {
                border: format!("{border:?}"),
                time: start.time,
                position: S::components(start.position),
                inside,
                outside,
            });
        }
        if distance.abs() <= blur {
            let floor = approach_floor(start.velocity.length());
            let leaves = if slope.abs() > floor {
                slope > 0.0
            } else if outside > 0.0 {
                inside >= 0.0 || distance > 0.0
            } else {
                inside >= 0.0 && distance > 0.0
            };
            sides = sides.with(index, leaves);
        }
    }
    Ok(sides)
}

/// Slopes below this are rounding, m/s.
fn approach_floor(speed: f64) -> f64 {
    16.0 * UNIT_ROUNDOFF * speed
}

/// Where a piece that started on the given sides leaves one of them, it ends there, or by the smallest step beyond that
/// takes it across.
pub(super) fn cut<S: Space>(
    segment: &mut TrajectorySegment<S>,
    borders: &[Border<S>],
    sides: Sides,
    least: f64,
) {
    /// The search gives up after so many looks, and the piece ends where it did.
    const BUDGET: usize = 1000;
    for (index, border) in borders.iter().enumerate() {
        let end = segment.end;
        let acceleration = segment.place.bend_until(end);
        let speed = segment.velocity_at(0.0).length() + acceleration * end;
        if border.is_beyond(segment, speed * end) {
            continue;
        }
        // Positive on the side that the piece is on.
        let sign = if sides.outside(index) { 1.0 } else { -1.0 };
        let found = certified::advance(0.0, end, BUDGET, |t| {
            let (position, velocity) = (segment.position_at(t), segment.velocity_at(t));
            let gap = Sample {
                value: sign * border.distance(position),
                slope: sign * border.slope(position, velocity),
            };
            let (bend, span) = border.most_bend(position, velocity.length(), acceleration);
            Look {
                branches: [Some(gap), None, None],
                tolerance: border.blur(position),
                floor: approach_floor(speed),
                span,
                bend,
            }
        });
        match found {
            Search::At(t) => {
                let across = |t: f64| sign * border.distance(segment.position_at(t)) < 0.0;
                segment.end = step_across(t, end, across).max(least.min(end));
            }
            Search::StoppedAt(t) => segment.end = t.max(least.min(end)),
            Search::Nothing => {}
        }
    }
}

/// The first of `t`, and times later than it by 1, 2, 4 … units in the last place, that is across; `t` where none is.
fn step_across(t: f64, end: f64, across: impl Fn(f64) -> bool) -> f64 {
    let mut step = 0.0;
    for _ in 0..16 {
        if across(t + step) {
            return (t + step).min(end);
        }
        step = (2.0 * step).max(f64::EPSILON * t);
    }
    t
}
