//! Where and how do they touch?
//!
//! A [`Contact`] is everything that a law of impact may depend on: the point, the normal, and the two sides with
//! their velocities, masses and inertias. With `n` the normal into *a*, `r = p − x` the arm of a side and `v_r` the
//! velocity of *a*'s contact point relative to *b*'s, an impulse `J` on *a* (and `−J` on *b*) changes `v_r` by `K J`:
//!
//! ```text
//! K = (1/m_a + 1/m_b) 1 − [r_a]× I_a⁻¹ [r_a]× − [r_b]× I_b⁻¹ [r_b]×        (symmetric, positive definite)
//! ```
//!
//! # A normal that is not exactly unit
//!
//! A normal computed as `d/|d|` has `n·n = 1 + δ` with δ of the order of the unit roundoff. The textbook impulse of
//! two elastic balls, `Δw = −2 (n·w) n`, then changes `w·w` by `4 (n·w)² δ`, and as δ has a mean the energy
//! of a long run drifts. All formulas here are therefore of degree zero in n: what multiplies n is
//! `(n·w) / (n·K n)` with `n·K n = (1/m_a + 1/m_b)(n·n) + …`, never `(n·w) / (1/m_a + 1/m_b)`. For balls that is
//! `d (d·w)/(d·d)`, where the length of d drops out and only unbiased rounding is left.
//!
//! # Sides struck through their centre
//!
//! The normal of a ball passes through its centre: its angular velocity has no part in the normal velocity, and the
//! normal impulse does not change it. In floating point `r × n` is not exactly zero, and balls without friction would
//! slowly begin to rotate. Where `r × n` is zero to rounding it is taken to be zero ([`Contact::is_through_centre`]).

use crate::space::{Linear, LinearMap, Space, UNIT_ROUNDOFF};

/// One of the two bodies at a contact, at the instant of the impact.
///
/// A static or kinematic body has inverse mass and inverse inertia zero: nothing pushes it back, but it may move and
/// turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<S: Space> {
    /// 1/kg.
    pub inverse_mass: f64,
    /// In world axes, 1/(kg·m²).
    pub inverse_inertia: S::Inertia,
    /// Of the centre of mass (of the origin of the frame, for a kinematic body), m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// From the centre to the contact point, m.
    pub arm: S::Vector,
}

impl<S: Space> Side<S> {
    /// A body that nothing pushes back, at rest.
    pub fn fixed() -> Self {
        Self::kinematic(S::Vector::ZERO, S::Angular::ZERO, S::Vector::ZERO)
    }

    /// A kinematic body: velocity of its origin (m/s), angular velocity (rad/s), arm from its origin to the
    /// contact point (m).
    pub fn kinematic(velocity: S::Vector, angular_velocity: S::Angular, arm: S::Vector) -> Self {
        Side {
            inverse_mass: 0.0,
            inverse_inertia: S::isotropic_inertia(0.0),
            velocity,
            angular_velocity,
            arm,
        }
    }

    /// The velocity of the body's material at the contact point, m/s.
    pub fn contact_velocity(&self) -> S::Vector {
        self.velocity + S::surface_velocity(self.angular_velocity, self.arm)
    }

    /// How much the velocity of its contact point changes by an impulse there, m/s: this side's part of `K J`.
    pub fn yields(&self, impulse: S::Vector) -> S::Vector {
        let angular_velocity =
            S::angular_response(self.inverse_inertia, S::torque(self.arm, impulse));
        impulse * self.inverse_mass + S::surface_velocity(angular_velocity, self.arm)
    }

    fn pushed(&self, impulse: S::Vector, angular: S::Angular) -> Self {
        Side {
            velocity: self.velocity + impulse * self.inverse_mass,
            angular_velocity: self.angular_velocity
                + S::angular_response(self.inverse_inertia, angular),
            ..*self
        }
    }
}

/// Two bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<S: Space> {
    /// Where they touch, m. It only sets the scale of rounding in the arms.
    pub point: S::Vector,
    /// The direction into *a*, out of *b*; of length one, to rounding.
    pub normal: S::Vector,
    /// The body that the normal points into.
    pub a: Side<S>,
    /// The other one.
    pub b: Side<S>,
}

impl<S: Space> Contact<S> {
    /// The velocity of *a*'s contact point relative to *b*'s, m/s.
    pub fn relative_velocity(&self) -> S::Vector {
        self.a.contact_velocity() - self.b.contact_velocity()
    }

    /// The normal part of the relative velocity, m/s: negative where they close.
    pub fn normal_velocity(&self) -> f64 {
        let part = |side: &Side<S>| {
            if self.is_through_centre(side) {
                side.velocity
            } else {
                side.contact_velocity()
            }
        };
        self.normal.dot(part(&self.a) - part(&self.b))
    }

    /// The tangential part of the relative velocity, m/s.
    pub fn slip(&self) -> S::Vector {
        self.tangential(self.relative_velocity())
    }

    /// A vector without its part along the normal.
    pub fn tangential(&self, vector: S::Vector) -> S::Vector {
        vector - self.normal * (self.normal.dot(vector) / self.normal.length_squared())
    }

    /// The approach speed that rounding alone explains, m/s: `16u` times the sum of the speeds of the contact points.
    pub fn approach_floor(&self) -> f64 {
        16.0 * UNIT_ROUNDOFF
            * (self.a.contact_velocity().length() + self.b.contact_velocity().length())
    }

    /// Whether the bodies close faster than rounding alone explains.
    pub fn is_approaching(&self) -> bool {
        self.normal_velocity() < -self.approach_floor()
    }

    /// Whether the normal passes through the centre of a side, as it does for balls, to the rounding of positions.
    ///
    /// The point, the centre and the normal each carry an error of a few `u |p|`, and so does the lever `|r × n|`.
    pub fn is_through_centre(&self, side: &Side<S>) -> bool {
        let tolerance = 16.0 * UNIT_ROUNDOFF;
        S::area_squared(side.arm, self.normal)
            <= tolerance * tolerance * (self.point.length_squared() + side.arm.length_squared())
    }

    /// `K J`: how much an impulse changes the relative velocity, m/s.
    pub fn yields(&self, impulse: S::Vector) -> S::Vector {
        self.a.yields(impulse) + self.b.yields(impulse)
    }

    /// `K n`: how much a unit of normal impulse changes the relative velocity, 1/kg.
    pub fn yields_to_normal(&self) -> S::Vector {
        let part = |side: &Side<S>| {
            if self.is_through_centre(side) {
                self.normal * side.inverse_mass
            } else {
                side.yields(self.normal)
            }
        };
        part(&self.a) + part(&self.b)
    }

    /// The contact matrix K, 1/kg.
    pub fn matrix(&self) -> S::Matrix {
        S::Matrix::scaled_identity(self.a.inverse_mass + self.b.inverse_mass)
            + S::turning_matrix(self.a.inverse_inertia, self.a.arm)
            + S::turning_matrix(self.b.inverse_inertia, self.b.arm)
    }

    /// `α = 1/(n·K n)`, the mass that the contact presents along its normal, kg; infinite where nothing can move.
    pub fn alpha(&self) -> f64 {
        1.0 / self.normal.dot(self.yields_to_normal())
    }

    /// Whether normal and tangent decouple: a normal impulse leaves the slip as it is.
    ///
    /// So it is where the normal passes through the centre of each side that can turn (balls), and
    /// where the levers of the two sides cancel.
    pub fn is_central(&self) -> bool {
        let yielding = self.yields_to_normal();
        let tolerance = 64.0 * UNIT_ROUNDOFF;
        self.tangential(yielding).length_squared()
            <= tolerance * tolerance * yielding.length_squared()
    }

    /// The contact after an impulse: the same point, new velocities and angular velocities.
    pub fn after(&self, response: &Response<S>) -> Self {
        Contact {
            a: self.a.pushed(response.impulse, response.angular_a),
            b: self.b.pushed(-response.impulse, response.angular_b),
            ..*self
        }
    }

    /// The work that an impulse does on *a*, J. For a free body it is the change of its kinetic energy; for a
    /// kinematic one it is what its drive takes out of the scene.
    pub fn work_on_a(&self, response: &Response<S>) -> f64 {
        work(&self.a, &self.after(response).a, response.impulse)
    }

    /// The work that an impulse does on *b*, J; see [`work_on_a`](Self::work_on_a).
    pub fn work_on_b(&self, response: &Response<S>) -> f64 {
        work(&self.b, &self.after(response).b, -response.impulse)
    }

    /// The kinetic energy that is lost in the contact, J: what neither body receives. It does not depend on the frame.
    /// Negative where the contact adds energy (ε > 1, or Newton's law on some eccentric contacts).
    ///
    /// `−J·(v_r⁻ + v_r⁺)/2`: the impulse times the mean of the velocities before and after, because the
    /// velocity is linear in the impulse.
    pub fn energy_lost(&self, response: &Response<S>) -> f64 {
        self.energy_lost_until(&self.after(response), response.impulse)
    }

    /// The part that an impulse has in the kinetic energy that is lost, J, where others act on the two bodies at the
    /// same instant: the velocities after all of them are those of `after`. The parts of all contacts add up to the
    /// whole.
    pub fn energy_lost_until(&self, after: &Self, impulse: S::Vector) -> f64 {
        -0.5 * impulse.dot(self.relative_velocity() + after.relative_velocity())
    }

    /// The part of [`energy_lost`](Self::energy_lost) that friction takes, J: that of the impulse across the normal.
    /// The rest is restitution's.
    ///
    /// `−J_t·(v_r⁻ + v_r⁺)/2`. For balls normal and tangent decouple, so that this is what a contact without friction
    /// would not have lost. Where they are coupled it is the work of the tangential impulse, which also changes what
    /// the normal one does.
    pub fn energy_lost_to_friction(&self, response: &Response<S>) -> f64 {
        let after = self.after(response).relative_velocity();
        -0.5 * self
            .tangential(response.impulse)
            .dot(self.relative_velocity() + after)
    }
}

/// What the friction of an impact did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
// Exhaustive: run folders store each by a word, and a new one must not be stored as an unknown one.
pub enum Mode {
    /// There is no impulse: the bodies do not approach, or neither can move.
    Idle,
    /// There is no friction.
    Frictionless,
    /// The slip ends at zero.
    Stick,
    /// The slip goes on until the bodies part.
    Slide,
    /// The slip stops during the impact and starts anew in another direction; in 2-D, the opposite one.
    SlipReversed,
    /// The slip is damped by a given factor.
    Damped,
}

/// The outcome of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<S: Space> {
    /// The impulse on *a*; that on *b* is its opposite, kg·m/s.
    pub impulse: S::Vector,
    /// The angular impulse on *a* about its centre, kg·m²/s.
    pub angular_a: S::Angular,
    /// The angular impulse on *b* about its centre, kg·m²/s.
    pub angular_b: S::Angular,
    /// What the friction did.
    pub mode: Mode,
    /// Whether the law asked for had no answer and Stronge's was used.
    pub substituted: bool,
}

impl<S: Space> Response<S> {
    /// The impulse `normal · n + tangential` on *a*, kg·m/s.
    ///
    /// A normal impulse does not turn a side that it strikes through the centre, not even by a rounding error.
    pub fn new(contact: &Contact<S>, normal: f64, tangential: S::Vector, mode: Mode) -> Self {
        let impulse = contact.normal * normal + tangential;
        let angular = |side: &Side<S>| {
            let turning = if contact.is_through_centre(side) {
                tangential
            } else {
                impulse
            };
            S::torque(side.arm, turning)
        };
        Response {
            impulse,
            angular_a: angular(&contact.a),
            angular_b: -angular(&contact.b),
            mode,
            substituted: false,
        }
    }

    /// No impulse.
    pub fn none() -> Self {
        Response {
            impulse: S::Vector::ZERO,
            angular_a: S::Angular::ZERO,
            angular_b: S::Angular::ZERO,
            mode: Mode::Idle,
            substituted: false,
        }
    }
}

fn work<S: Space>(before: &Side<S>, after: &Side<S>, impulse: S::Vector) -> f64 {
    0.5 * impulse.dot(before.contact_velocity() + after.contact_velocity())
}
