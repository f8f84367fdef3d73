//! One number for rebound and rotation.
//!
//! A ball against a wall with normal N and tangent U rebounds with `v⁺·N = −β v·N`, and its angular velocity is pulled
//! toward rolling: `θ̇⁺ = β θ̇ − ((1−β)/r) v·U`, while `m r v·U − I θ̇` is conserved (the angular momentum about the
//! contact point; the source writes it without the r). In terms of the slip `v_t` that means `Δ(surface velocity) =
//! −(1−β) v_t`. The surface of a ball moves by `J r²/I` under a tangential impulse J, so in any dimension and between
//! two balls
//!
//! ```text
//! J = −(1+β) α v_n n − (1−β) v_t / Σ(r_i²/I_i),
//! ```
//!
//! and the angular velocity about n stays as it is. β is the restitution of the surface; the source takes 0.7. A side
//! that cannot turn adds nothing to the sum, and where no side can turn there is no tangential impulse. With `I = (2/5)
//! m r²`, β < 2/7 reverses the slip.
//!
//! For other bodies than balls, `Σ(r_i²/I_i)` is read as `t·K t − 1/m_a − 1/m_b`: how much of the slip a tangential
//! impulse changes by turning. The law then still shifts the surfaces by `−(1−β) v_t` along t, but normal and tangent
//! couple, so that `v_n⁺ = −β v_n` is not promised. Nor would be the loss of energy: a thin box that is struck by its
//! end, again and again, would be faster each time. So with β ≤ 1 the tangential impulse is made smaller where the
//! whole would gain energy, until it does not.
//!
//! The tangential impulse changes the slip by `−(1−β)(1 + Σ(1/m_i) / Σ(r_i²/I_i)) v_t`. That takes energy as long as it
//! at most mirrors the slip, which holds for balls with `I ≤ m r²`, that is, for all whose mass lies within their
//! radius. A body that has mass but does not turn, against one that turns with difficulty, would be thrown back faster
//! than it came: the impulse is cut at the mirror image.
//!
//! Source: Pellisier, Lafortune, Techer, "Moteur physique".

use super::{Mode, Response, restitution};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, Space};

/// The impulse with β the restitution of the surface; its coefficients of friction play no part.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    let beta = surface.restitution;
    let Some(normal) = restitution::normal_impulse(contact, beta) else {
        return Response::none();
    };
    let slip = contact.slip();
    let tangential = match slip.unit() {
        Some(direction) => {
            let whole = slip * -tangential_mass(contact, direction, beta);
            without_gain(contact, beta, normal, whole)
        }
        None => S::Vector::ZERO,
    };
    Response::new(contact, normal, tangential, Mode::Damped)
}

/// The tangential impulse per slip, kg.
fn tangential_mass<S: Space>(contact: &Contact<S>, direction: S::Vector, beta: f64) -> f64 {
    let turning = |inverse_inertia, arm| {
        let torque = S::torque(arm, direction);
        torque.dot(S::angular_response(inverse_inertia, torque))
    };
    let turned = turning(contact.a.inverse_inertia, contact.a.arm)
        + turning(contact.b.inverse_inertia, contact.b.arm);
    if turned <= 0.0 {
        return 0.0;
    }
    let shifted = contact.a.inverse_mass + contact.b.inverse_mass;
    let mirrored = 2.0 / (turned + shifted);
    ((1.0 - beta) / turned).min(mirrored)
}

/// As much of a tangential impulse (kg·m/s) as gains no energy together with a normal one: in eccentric contacts, where
/// ε ≤ 1.
pub(super) fn without_gain<S: Space>(
    contact: &Contact<S>,
    restitution: f64,
    normal: f64,
    whole: S::Vector,
) -> S::Vector {
    if restitution <= 1.0 && !contact.is_central() {
        whole * share_without_gain(contact, normal, whole)
    } else {
        whole
    }
}

/// The largest share, up to 1, of a tangential impulse (kg·m/s) that gains no energy together with a normal one.
///
/// `p n + s q` changes the energy by `c + b s + a s²`, where c, what the normal impulse does alone, is at most zero.
fn share_without_gain<S: Space>(contact: &Contact<S>, normal: f64, whole: S::Vector) -> f64 {
    let (along, velocity) = (contact.normal * normal, contact.relative_velocity());
    let (moved, turned) = (contact.yields(along), contact.yields(whole));
    let a = 0.5 * whole.dot(turned);
    let b = whole.dot(velocity + moved);
    let c = along.dot(velocity + moved * 0.5).min(0.0);
    if a + b + c <= 0.0 {
        return 1.0;
    }
    // The greater root, without cancellation; `a > 0` where the whole gains.
    let root = (b * b - 4.0 * a * c).sqrt();
    let share = if b > 0.0 {
        -2.0 * c / (b + root)
    } else {
        (root - b) / (2.0 * a)
    };
    share.clamp(0.0, 1.0)
}
