//! Coulomb's friction: the default.
//!
//! Where normal and tangent decouple (balls; bodies that cannot turn), the normal impulse is that without friction,
//! `j = −α (1+ε) v_n`, and the impulse that would just stop the slip is `−α_t v_t` with `α_t = 1/(t·K t)`. If friction
//! can hold that, `α_t |v_t| ≤ μ_s j`, the contact sticks; otherwise it slides with `j_t = −μ_c j`. Friction never
//! reverses the slip: with μ_c ≤ μ_s a sliding impulse is below the sticking one. The slip keeps its direction t
//! throughout, because t is an axis of K.
//!
//! Elsewhere (a rod struck off its centre, a solid whose inertia differs between the tangents) the slip changes speed
//! and direction while the normal impulse grows, and treating it as fixed lets energy grow:
//! [`stronge`] follows it. The two agree where both apply, except that here the static coefficient decides
//! whether a slipping contact stops, and there the kinetic one does: they are the same law for μ_s = μ_c.
//!
//! Source: course, chapter 5, friction; corrected to use α where the course has α_t (see [`course`](super::course)).

use super::{Mode, Response, restitution, stronge};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The impulse with Coulomb's friction.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    decoupled(contact, surface).unwrap_or_else(|| stronge::respond(contact, surface))
}

/// The closed form; `None` where normal and tangent, or the tangents, do not decouple.
pub(super) fn decoupled<S: Space>(contact: &Contact<S>, surface: &Surface) -> Option<Response<S>> {
    if is_frictionless(surface) {
        return Some(restitution::respond(contact, surface));
    }
    let Some(normal) = restitution::normal_impulse(contact, surface.restitution) else {
        return Some(Response::none());
    };
    let slip = contact.slip();
    let mass = tangential_mass(contact, slip)?;
    contact.is_central().then(|| {
        let (tangential, mode) = friction(slip, mass, normal, surface);
        Response::new(contact, normal, tangential, mode)
    })
}

/// Whether neither coefficient of friction is above zero.
pub(super) fn is_frictionless(surface: &Surface) -> bool {
    surface.static_friction.max(surface.kinetic_friction) <= 0.0
}

/// The tangential impulse for a normal impulse, where the two decouple.
fn friction<V: Linear>(slip: V, mass: f64, normal: f64, surface: &Surface) -> (V, Mode) {
    let speed = slip.length();
    let sticking = mass * speed;
    if sticking <= surface.static_friction * normal {
        return (slip * -mass, Mode::Stick);
    }
    let sliding = (surface.kinetic_friction * normal).min(sticking);
    (slip * (-sliding / speed), Mode::Slide)
}

/// `α_t = 1/(t·K t)` along the slip, kg, where the slip keeps its direction: `K t` is along t. Zero where there is no
/// slip.
fn tangential_mass<S: Space>(contact: &Contact<S>, slip: S::Vector) -> Option<f64> {
    let squared = slip.length_squared();
    if squared == 0.0 {
        return Some(0.0);
    }
    let yielding = contact.tangential(contact.yields(slip));
    let along = slip.dot(yielding);
    // Along a tangent a contact yields by what the masses do at least. What rounding has left of a slip may be along
    // the normal: there is nothing to stop then.
    let masses = contact.a.inverse_mass + contact.b.inverse_mass;
    if along < 0.5 * squared * masses {
        return Some(0.0);
    }
    let across = yielding - slip * (along / squared);
    let tolerance = 64.0 * UNIT_ROUNDOFF;
    let keeps_direction =
        across.length_squared() <= tolerance * tolerance * yielding.length_squared();
    keeps_direction.then(|| squared / along)
}
