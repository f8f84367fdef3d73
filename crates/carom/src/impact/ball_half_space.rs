//! Ball against a straight wall.
//!
//! The gap is `p(t) = n·x(t) − r`, a polynomial of the flight's own degree, with n the normal on the ball's side: no
//! square is needed. With `p = c + v t + ½ b t²` the contact is the root at which p falls:
//!
//! ```text
//! b = 0:  t = −c / v                             (v < 0)
//! else:   disc = v² − 2 b c,
//!         t = 2c / (−v + √disc)      for v < 0   (no cancellation; the earlier root, or the only falling one)
//!         t = (v + √disc) / (−b)     for v ≥ 0, b < 0: up and back.
//! ```
//!
//! Where p starts at or below zero it is closing at once if v < 0; otherwise it may rise first, and
//! where it never gets above zero, it begins to close at its turning point `v / (−b)`.

use super::{Approach, Feature, Impact, Struck, contact_time};
use crate::roots::{Dd, Expansion, Polynomial, quadratic};
use crate::shape::HalfSpace;
use crate::space::{Linear, Space};

impl<S: Space> HalfSpace<S> {
    /// The normal on the side where the ball is.
    fn normal_towards(&self, position: S::Vector) -> S::Vector {
        if self.two_sided && self.normal.dot(position) < 0.0 {
            -self.normal
        } else {
            self.normal
        }
    }
}

impl<S: Space> Struck<S> for HalfSpace<S> {
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let normal = S::components(self.normal_towards(approach.flight.position));
        let height = approach.path().along(normal);
        feature(Feature::new(
            height - Polynomial::constant(radius.into()),
            1.0,
            radius,
        ));
    }
}

/// Below this share of its terms a difference in double-double has lost too many digits: 2⁻¹⁰³ over 2⁻⁴⁰ leaves 63
/// bits.
const CANCELLED: f64 = 1.0 / (1u64 << 40) as f64;

/// The contact to within 4 ulp, grazing included: the closed form in double-double, and exactly where that cancels.
pub(super) fn refined<S: Space>(
    wall: &HalfSpace<S>,
    approach: &Approach<S>,
    radius: f64,
    horizon: f64,
) -> Impact {
    let normal = S::components(wall.normal_towards(approach.flight.position));
    let height = approach.path().along(normal);
    let mut terms = [Dd::ZERO; 3];
    terms[..=height.degree()].copy_from_slice(height.coefficients());
    terms[0] = terms[0] - Dd::from(radius);
    let mut discriminant = quadratic::discriminant(terms);
    let size = approach.flight.position.length() + radius;
    if terms[0].hi.abs() < CANCELLED * size
        || discriminant.hi.abs() < CANCELLED * (terms[1] * terms[1]).hi
    {
        let [position, b, a] = approach.exactly_along(normal);
        let c = &position - &Expansion::from(radius);
        let exact = &(&b * &b) - &(&Expansion::from(4.0) * &(&a * &c));
        discriminant = exact.approximate();
        terms = [c, b, a].map(|term| term.approximate());
    }
    let feature = Feature::new(Polynomial::new(&terms), 1.0, radius);
    quadratic::closing_given(terms, discriminant)
        .and_then(|closing| contact_time(wall, approach, radius, &feature, &closing))
        .map_or(Impact::Never, |time| Impact::within(time, horizon))
}

/// The contact in plain `f64`, with the same bounds on its error as for ball against ball.
pub(super) fn closed_form<S: Space>(
    wall: &HalfSpace<S>,
    approach: &Approach<S>,
    radius: f64,
    horizon: f64,
) -> Impact {
    let flight = &approach.flight;
    let normal = wall.normal_towards(flight.position);
    let c = normal.dot(flight.position) - radius;
    let v = normal.dot(flight.velocity);
    let b = normal.dot(flight.acceleration);
    let floor = approach.approach_floor(0.0);
    if c <= 0.0 {
        if v < -floor || (v <= floor && b < 0.0) {
            return Impact::within(0.0, horizon);
        }
        if v <= floor || b >= 0.0 {
            return Impact::Never;
        }
    }
    let discriminant = v * v - 2.0 * (b * c);
    let time = if v < 0.0 && discriminant > floor * floor {
        2.0 * c / (discriminant.sqrt() - v)
    } else if v >= 0.0 && b < 0.0 {
        // A negative discriminant means that the gap turns below zero: it begins to close at the turning point.
        (v + discriminant.max(0.0).sqrt()) / -b
    } else {
        return Impact::Never;
    };
    Impact::within(time, horizon)
}
