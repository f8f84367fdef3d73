//! Restitution without friction.
//!
//! The impulse is along the normal and turns the normal velocity `v_n` into `−ε v_n`. As `Δv_n = j n·K n`,
//!
//! ```text
//! j = −α (1+ε) v_n,   α = 1/(n·K n);   for balls 1/α = 1/m_a + 1/m_b.
//! ```
//!
//! ε = 1 keeps the energy, ε = 0 leaves the bodies together, ε > 1 adds energy (a pinball bumper). A static or
//! kinematic body has 1/m = 0: the same formula makes the mirror image in the frame of a moving wall, and sends a ball
//! at rest off at 2V when a bat at speed V strikes it elastically.
//!
//! Source: course, chapter 5, "method of initial conditions"; Brobecker, "Kick those balls", whose coefficient
//! multiplied both velocities and broke the conservation of momentum: here it acts on the approach speed.

use super::{Mode, Response};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, Space};

/// The impulse without friction.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    match normal_impulse(contact, surface.restitution) {
        Some(normal) => Response::new(contact, normal, S::Vector::ZERO, Mode::Frictionless),
        None => Response::none(),
    }
}

/// `j = −α (1+ε) v_n`, kg·m/s; `None` where the bodies do not close, or neither can move.
pub fn normal_impulse<S: Space>(contact: &Contact<S>, restitution: f64) -> Option<f64> {
    let normal_velocity = contact.normal_velocity();
    let alpha = contact.alpha();
    (normal_velocity < 0.0 && alpha.is_finite())
        .then(|| -(1.0 + restitution) * normal_velocity * alpha)
}
