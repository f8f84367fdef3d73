use super::{Flight, Pose};
use crate::space::{Linear, Space};

/// A segment of a ball's trajectory: position and angular velocity as polynomials in local time, t = 0 at its start,
/// valid until its end.
///
/// Straight and parabolic flights are segments without an end. Where other forces act, an integrator computes one
/// segment after the other, each within a stated error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrajectorySegment<S: Space> {
    /// Of the centre, m.
    pub place: Curve<S::Vector>,
    /// rad/s.
    pub angular_velocity: Curve<S::Angular>,
    /// Until when it is good, s from its start; may be infinite.
    pub end: f64,
}

/// A polynomial in time with values that add and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve<V> {
    terms: [V; TERMS],
    /// Of the terms, those that matter.
    number: usize,
}

/// Container for degree 9.
const TERMS: usize = 10;

impl<V: Linear> Curve<V> {
    /// The highest degree.
    pub const MAX_DEGREE: usize = TERMS - 1;

    /// From the constant term up; leading zeros are dropped.
    ///
    /// # Panics
    /// Where there are more than `MAX_DEGREE + 1` terms.
    pub fn new(terms: &[V]) -> Self {
        let number = terms
            .iter()
            .rposition(|&term| term != V::ZERO)
            .map_or(1, |last| last + 1);
        let mut all = [V::ZERO; TERMS];
        all[..number.min(terms.len())].copy_from_slice(&terms[..number.min(terms.len())]);
        Curve { terms: all, number }
    }

    /// The same value at all times.
    pub fn constant(value: V) -> Self {
        Curve::new(&[value])
    }

    /// The degree; 0 for zero too.
    pub fn degree(&self) -> usize {
        self.number - 1
    }

    /// From the constant term up.
    pub fn terms(&self) -> &[V] {
        &self.terms[..self.number]
    }

    /// The constant, linear and quadratic terms, zero where there are none.
    #[inline]
    pub fn quadratic_terms(&self) -> &[V; 3] {
        self.terms.first_chunk().expect("at most ten")
    }

    /// At time `t`.
    #[inline]
    pub fn at(&self, t: f64) -> V {
        let mut value = V::ZERO;
        for &term in self.terms().iter().rev() {
            value = value * t + term;
        }
        value
    }

    /// The first derivative at time `t`.
    #[inline]
    pub fn rate_at(&self, t: f64) -> V {
        let mut value = V::ZERO;
        for (power, &term) in self.terms().iter().enumerate().skip(1).rev() {
            value = value * t + term * power as f64;
        }
        value
    }

    /// The second derivative at time `t`.
    pub fn bend_at(&self, t: f64) -> V {
        let mut value = V::ZERO;
        for (power, &term) in self.terms().iter().enumerate().skip(2).rev() {
            value = value * t + term * (power * (power - 1)) as f64;
        }
        value
    }

    /// No second derivative in `[0, t]` is longer than this.
    pub fn bend_until(&self, t: f64) -> f64 {
        let mut bound = 0.0;
        for (power, &term) in self.terms().iter().enumerate().skip(2).rev() {
            bound = bound * t + term.length() * (power * (power - 1)) as f64;
        }
        bound
    }

    /// The integral from 0 to `t`.
    pub fn integral(&self, t: f64) -> V {
        let mut value = V::ZERO;
        for (power, &term) in self.terms().iter().enumerate().rev() {
            value = value * t + term * (1.0 / (power + 1) as f64);
        }
        value * t
    }

    /// The same curve with its time counted from `t`.
    pub fn from_time(&self, t: f64) -> Self {
        // Horner's scheme again and again: the Taylor coefficients about t.
        let mut shifted = *self;
        for done in 0..self.number {
            for power in (done..self.number - 1).rev() {
                let above = shifted.terms[power + 1];
                shifted.terms[power] += above * t;
            }
        }
        shifted
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.terms().iter().all(|term| term.is_finite())
    }
}

impl<S: Space> TrajectorySegment<S> {
    /// A flight, on which the angular velocity is constant.
    pub fn of_flight(flight: &Flight<S>, angular_velocity: S::Angular) -> Self {
        TrajectorySegment {
            place: Curve::new(&[flight.position, flight.velocity, flight.acceleration * 0.5]),
            angular_velocity: Curve::constant(angular_velocity),
            end: f64::INFINITY,
        }
    }

    /// The position at time `t`, m.
    #[inline]
    pub fn position_at(&self, t: f64) -> S::Vector {
        self.place.at(t)
    }

    /// The velocity at time `t`, m/s.
    #[inline]
    pub fn velocity_at(&self, t: f64) -> S::Vector {
        self.place.rate_at(t)
    }

    /// The angular velocity at time `t`, rad/s.
    pub fn angular_velocity_at(&self, t: f64) -> S::Angular {
        self.angular_velocity.at(t)
    }

    /// The same trajectory with its time counted from `t`.
    pub fn from_time(&self, t: f64) -> Self {
        TrajectorySegment {
            place: self.place.from_time(t),
            angular_velocity: self.angular_velocity.from_time(t),
            end: self.end - t,
        }
    }

    /// The same trajectory as seen from a frame that is at a pose at its start and moves straight on at a velocity,
    /// m/s.
    pub fn seen_from(&self, pose: &Pose<S>, velocity: S::Vector) -> Self {
        let mut terms: Vec<S::Vector> = self.place.terms().to_vec();
        terms.resize(terms.len().max(2), S::Vector::ZERO);
        terms[0] -= pose.position;
        terms[1] -= velocity;
        for term in &mut terms {
            *term = S::unrotate(pose.rotation, *term);
        }
        TrajectorySegment {
            place: Curve::new(&terms),
            ..*self
        }
    }

    /// The flight that this is, where it is one.
    pub fn as_flight(&self) -> Option<Flight<S>> {
        let term = |power: usize| *self.place.terms().get(power).unwrap_or(&S::Vector::ZERO);
        (self.place.degree() <= 2).then(|| Flight {
            position: term(0),
            velocity: term(1),
            acceleration: term(2) * 2.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space2;
    use glam::DVec2;

    #[test]
    fn a_curve_its_derivatives_and_its_shift() {
        let curve = Curve::new(&[1.0, -2.0, 0.5, 3.0, 0.0]);
        assert_eq!(curve.degree(), 3);
        assert_eq!(curve.at(2.0), 1.0 - 4.0 + 2.0 + 24.0);
        assert_eq!(curve.rate_at(2.0), -2.0 + 2.0 + 36.0);
        assert_eq!(curve.bend_at(2.0), 1.0 + 36.0);
        assert!(curve.bend_until(2.0) >= 37.0);
        let later = curve.from_time(2.0);
        assert_eq!(later.at(-2.0), 1.0);
        assert_eq!(later.terms(), [23.0, 36.0, 18.5, 3.0]);
    }

    #[test]
    fn a_flight_is_a_piece_and_back() {
        let flight = Flight::<Space2> {
            position: DVec2::new(1.0, 2.0),
            velocity: DVec2::new(3.0, -1.0),
            acceleration: DVec2::new(0.0, -9.81),
        };
        let segment = TrajectorySegment::of_flight(&flight, 2.0);
        assert_eq!(segment.as_flight(), Some(flight));
        assert_eq!(segment.velocity_at(0.5), flight.velocity_at(0.5));
        assert_eq!(segment.angular_velocity_at(7.0), 2.0);
    }
}
