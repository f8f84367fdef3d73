//! Newton's restitution with Coulomb's friction along the initial slip: the textbook variant.
//!
//! Restitution is kinematic, `v_n⁺ = −ε v_n`. If the contact slides, the impulse is `j (n − μ_c t)` with t the
//! direction of the slip *before* the impact, and
//!
//! ```text
//! j = −(1+ε) v_n / n·K(n − μ_c t).
//! ```
//!
//! If it sticks, the slip ends at zero: `K J = −(1+ε) v_n n − v_t`. It sticks where friction can hold that,
//! `|J_t| ≤ μ_s J_n`; otherwise it slides. For balls this is [`coulomb`].
//!
//! For eccentric contacts the slip may stop or turn during the impact, which this law does not see. It then can
//! *add* energy even for ε ≤ 1 ([`Contact::energy_lost`] is negative), and sometimes it has no answer: the denominator
//! is zero or below (a jam), the sliding impulse would reverse the slip that it is supposed to oppose while friction
//! cannot hold either, or there is no initial slip to give a direction. There Stronge's law answers, and the response
//! says so ([`Response::substituted`]).
//!
//! Source: Whittaker, "Analytical Dynamics" (1904); Kane and Levinson, "Dynamics" (1985), for the gain of energy.

use super::{Mode, Response, coulomb, stronge};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, LinearMap, Space};

/// The impulse of the textbooks.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    coulomb::decoupled(contact, surface)
        .or_else(|| stick(contact, surface))
        .or_else(|| slide(contact, surface))
        .unwrap_or_else(|| Response {
            substituted: true,
            ..stronge::respond(contact, surface)
        })
}

fn stick<S: Space>(contact: &Contact<S>, surface: &Surface) -> Option<Response<S>> {
    let normal = contact.normal;
    let rebound = normal * ((1.0 + surface.restitution) * contact.normal_velocity());
    let impulse = contact.matrix().inverse()? * -(rebound + contact.slip());
    let pressing = normal.dot(impulse) / normal.length_squared();
    let tangential = impulse - normal * pressing;
    (tangential.length() <= surface.static_friction * pressing)
        .then(|| Response::new(contact, pressing, tangential, Mode::Stick))
}

fn slide<S: Space>(contact: &Contact<S>, surface: &Surface) -> Option<Response<S>> {
    let slip = contact.slip();
    let direction = slip.unit()?;
    let friction = direction * -surface.kinetic_friction;
    let yielding = contact.yields_to_normal() + contact.yields(friction);
    let along_normal = contact.normal.dot(yielding);
    let pressing = -(1.0 + surface.restitution) * contact.normal_velocity() / along_normal;
    let left = slip.length() + direction.dot(yielding) * pressing;
    (along_normal > 0.0 && pressing.is_finite() && left >= 0.0)
        .then(|| Response::new(contact, pressing, friction * pressing, Mode::Slide))
}
