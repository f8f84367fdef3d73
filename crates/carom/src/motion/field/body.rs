//! What fields do to a body that is not a ball.
//!
//! Every field acts at the centre of mass, save for the quadratic drag of a medium. That depends on the *shadow* of the
//! body, what it covers across its velocity relative to the air: `½ ρ C A |u|²` with the area A of the shadow, at the
//! middle of the shadow, so that a body whose shadow is not about its centre of mass is turned. A body in 2-D has a
//! shadow of some width w, and the area of a disc of that width, as a ball has. Slow drag (Stokes), lift and
//! rotational drag of a medium are those of the ball with the same volume (in 2-D, of the disc with the same area).
//! Regions are those of the centre of mass. A central field pulls at the centre of mass alone: tides are left out.

use super::{Drag, Field, Fields, Region, Situation};
use crate::motion::integrate::Sides;
use crate::space::{Linear, Space};
use std::f64::consts::PI;

/// A body as fields see it: where it is, how it moves, what it weighs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InFields<S: Space> {
    /// World time, s.
    pub time: f64,
    /// Of its centre of mass, m.
    pub position: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// kg.
    pub mass: f64,
    /// Of the ball with the same volume, m.
    pub radius: f64,
}

/// What fields other than uniform gravity do to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FieldForce<S: Space> {
    /// By those that the potential counts, N.
    pub potential: S::Vector,
    /// By all others, N.
    pub other: S::Vector,
    /// About the centre of mass, N·m.
    pub torque: S::Angular,
}

impl<S: Space> FieldForce<S> {
    pub const NONE: Self = FieldForce {
        potential: S::Vector::ZERO,
        other: S::Vector::ZERO,
        torque: S::Angular::ZERO,
    };

    /// N.
    pub fn force(&self) -> S::Vector {
        self.potential + self.other
    }
}

impl<S: Space> Fields<S> {
    /// What fields other than [`gravity`](Fields::gravity) do to a body. `shadow` says what a body covers across a
    /// direction of length one, m², and where the middle of that is from its centre of mass, m.
    pub(crate) fn on_body(
        &self,
        at: &InFields<S>,
        shadow: impl Fn(S::Vector) -> (f64, S::Vector),
    ) -> FieldForce<S> {
        let mut all = FieldForce::NONE;
        if self.is_uniform() {
            return all;
        }
        let sides = Sides::of(&self.borders, at.position);
        let acting = || self.parts.iter().filter(|part| part.acts(sides));
        let mut wind = S::Vector::ZERO;
        for part in acting() {
            if let Field::Wind(it) = &part.field {
                wind += it.velocity(at.position, at.time);
            }
        }
        let airspeed = at.velocity - wind;
        let ball = self.for_ball(at.mass, at.radius, f64::INFINITY);
        let situation = Situation {
            time: at.time,
            position: at.position,
            velocity: at.velocity,
            angular_velocity: at.angular_velocity,
            wind,
            mass: at.mass,
            radius: at.radius,
        };
        for part in acting() {
            match &part.field {
                Field::RotationalDrag(drag) => {
                    all.torque += at.angular_velocity * -drag.coefficient(at.radius);
                }
                Field::Drag(drag @ Drag::OfMedium { .. }) => {
                    let (linear, quadratic) = drag.coefficients(at.radius);
                    all.other += airspeed * -linear;
                    let Some(direction) = airspeed.unit() else {
                        continue;
                    };
                    let (area, middle) = shadow(direction);
                    let share = area / (PI * at.radius * at.radius);
                    let push = airspeed * -(quadratic * share * airspeed.length());
                    all.other += push;
                    all.torque += S::torque(middle, push);
                }
                Field::Uniform(_) | Field::Central { .. } | Field::Spring { .. }
                    if part.region == Region::Everywhere =>
                {
                    all.potential += ball.by_part(part, &situation).0 * at.mass;
                }
                _ => all.other += ball.by_part(part, &situation).0 * at.mass,
            }
        }
        all
    }

    /// The potential energy of a body in fields other than [`gravity`](Fields::gravity), J.
    pub(crate) fn potential_of_others(&self, mass: f64, position: S::Vector) -> f64 {
        if self.is_uniform() {
            return 0.0;
        }
        self.potential(mass, position) + mass * self.gravity.dot(position)
    }

    /// How strongly fields that may press bodies against each other act on a body at a place, m/s²: uniform, central
    /// and spring fields, wherever they act.
    pub(crate) fn strength(&self, mass: f64, position: S::Vector) -> f64 {
        let of = |field: &Field<S>| match *field {
            Field::Uniform(acceleration) => acceleration.length(),
            Field::Central {
                centre,
                strength,
                softening,
            } => {
                let apart = (position - centre).length_squared() + softening * softening;
                strength.abs() / apart
            }
            Field::Spring { centre, stiffness } => (position - centre).length() * stiffness / mass,
            _ => 0.0,
        };
        self.parts.iter().map(|part| of(&part.field)).sum()
    }

    /// How fast fields change the motion of a body at the most, rad/s (or 1/s, where they slow it down), on a straight
    /// way from a place (m) over a vector (m), at a speed (m/s) and an angular speed (rad/s), of a mass (kg) and the
    /// radius of its volume (m).
    pub(crate) fn fastest_rate(
        &self,
        (place, way): (S::Vector, S::Vector),
        (speed, spin): (f64, f64),
        (mass, radius): (f64, f64),
    ) -> f64 {
        let nearest = |centre: S::Vector| {
            let apart = centre - place;
            let along =
                (apart.dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (apart - way * along).length_squared()
        };
        let of = |field: &Field<S>| match field {
            Field::Central {
                centre,
                strength,
                softening,
            } => {
                let apart = nearest(*centre) + softening * softening;
                (strength.abs() / (apart * apart.sqrt())).sqrt()
            }
            Field::Spring { stiffness, .. } => (stiffness / mass).sqrt(),
            Field::Drag(drag) => {
                let (linear, quadratic) = drag.coefficients(radius);
                (linear + quadratic * speed) / mass
            }
            Field::Lift(lift) => lift.coefficient(radius) * spin / mass,
            Field::RotationalDrag(drag) => {
                drag.coefficient(radius) / (0.1 * mass * radius * radius)
            }
            Field::Wind(_) | Field::Uniform(_) | Field::Force(_) => 0.0,
        };
        self.parts
            .iter()
            .map(|part| of(&part.field))
            .fold(0.0, f64::max)
    }

    /// Whether what acts on a body that stays where it is may change with the time.
    pub(crate) fn changes_with_time(&self) -> bool {
        use super::Wind;
        self.parts.iter().any(|part| {
            matches!(
                part.field,
                Field::Wind(Wind::Gust { .. } | Wind::Function(_)) | Field::Force(_)
            )
        })
    }
}
