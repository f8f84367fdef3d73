//! The friction law of the course.
//!
//! ```text
//! j   = −α (1+ε) v_n
//! j_t = α_t μ_c (1+ε) v_n   where it slides, μ_s (1+ε)|v_n| < |v_t|;   otherwise −α_t |v_t|
//! ```
//!
//! with `α_t = 1/(t·K t)`. Without rotation α = α_t and this is [`coulomb`]. With rotation it is *not* Coulomb's law,
//! whose friction is bounded by `μ j`, with α: here it is `α_t/α` times that (2/7 for a solid ball against a wall). It
//! is kept because the course's worked example uses it. For balls it never adds energy when μ_c ≤ μ_s. For eccentric
//! contacts normal and tangent couple, and the normal velocity after it is not `−ε v_n`. Nor would energy be lost: a
//! polygon that was struck again and again was at 10¹⁰ rad/s after a second. So with ε ≤ 1 the tangential impulse is
//! made smaller where the whole would gain energy, as that of [`beta`] is.
//!
//! Source: "Collisions", chapter 5 of the course on physics for multimedia (Polytechnique Montréal).

use super::{Mode, Response, beta, coulomb, restitution};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, Space};

/// The impulse with the course's friction.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    if coulomb::is_frictionless(surface) {
        return restitution::respond(contact, surface);
    }
    let Some(normal) = restitution::normal_impulse(contact, surface.restitution) else {
        return Response::none();
    };
    let slip = contact.slip();
    let speed = slip.length();
    let Some(direction) = slip.unit() else {
        return Response::new(contact, normal, S::Vector::ZERO, Mode::Stick);
    };
    let tangential_mass = 1.0 / direction.dot(contact.yields(direction));
    let change = (1.0 + surface.restitution) * -contact.normal_velocity();
    let (stopped, mode) = if surface.static_friction * change < speed {
        ((surface.kinetic_friction * change).min(speed), Mode::Slide)
    } else {
        (speed, Mode::Stick)
    };
    let tangential = direction * (-tangential_mass * stopped);
    let tangential = beta::without_gain(contact, surface.restitution, normal, tangential);
    Response::new(contact, normal, tangential, mode)
}
