//! Then what? The impulse of a contact.
//!
//! A law is a pure function of a [`Contact`] and a [`Surface`]; one law, one file, named after its source. [`respond`]
//! picks the law that the surface names.
//!
//! | law | restitution ε | friction | energy for ε ≤ 1 |
//! |---|---|---|---|
//! | [`coulomb`] | kinematic = energetic | sticks or slides | never grows |
//! | [`stronge`] (eccentric contacts of the above) | energetic | follows the slip | never grows |
//! | [`newton`] | kinematic | along the initial slip | may grow where eccentric |
//! | [`course`] | kinematic | the course's own, less where eccentric | never grows |
//! | [`beta`] | kinematic, β | pulls toward rolling, less where eccentric | never grows |
//!
//! [`smooth`] is the shortest form of the first where nothing rubs: the one that runs use.

pub mod beta;
pub mod coulomb;
pub mod course;
pub mod newton;
pub mod restitution;
pub mod several;
pub mod smooth;
pub mod stronge;
pub mod together;

pub use crate::contact::{Mode, Response};

use crate::contact::Contact;
use crate::material::{Law, Surface};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The response of a contact between surfaces: the law that they name, after which they no longer approach.
///
/// ```
/// use carom::kernels::contact::{Contact, Side};
/// use carom::material::{Material, Surface};
/// use carom::kernels::response::{Mode, respond};
/// use carom::space::Space3;
/// use glam::DVec3;
///
/// // A solid ball of 0.5 kg and 0.1 m, spinning at 20 rad/s, against the wall x = 1.5 m.
/// let mut ball = Side::<Space3>::kinematic(
///     DVec3::new(2.0, 0.0, -1.5),
///     DVec3::new(0.0, 0.0, 20.0),
///     DVec3::new(0.1, 0.0, 0.0),
/// );
/// ball.inverse_mass = 1.0 / 0.5;
/// ball.inverse_inertia = glam::DMat3::from_diagonal(DVec3::splat(1.0 / 0.002));
/// let contact = Contact {
///     point: DVec3::new(1.5, 0.0, 1.0),
///     normal: -DVec3::X,
///     a: ball,
///     b: Side::fixed(),
/// };
/// let rubber = Material {
///     restitution: 0.8,
///     static_friction: 0.6,
///     kinetic_friction: 0.5,
///     ..Material::default()
/// };
/// let response = respond(&contact, &Surface::of(&rubber));
/// assert_eq!(response.mode, Mode::Stick);
/// let after = contact.after(&response);
/// let expected = DVec3::new(-1.6, -4.0 / 7.0, -7.5 / 7.0); // m/s
/// assert!((after.a.velocity - expected).length() < 1e-15);
/// ```
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    let response = match surface.law {
        Law::Coulomb => coulomb::respond(contact, surface),
        Law::Newton => newton::respond(contact, surface),
        Law::Course => course::respond(contact, surface),
        Law::Beta => beta::respond(contact, surface),
    };
    parted(contact, response, surface.restitution)
}

/// The response with the normal impulse raised by a few units of rounding, where without it the bodies would still be
/// [closing](Contact::is_closing).
///
/// With ε = 0 the normal velocity ends at zero up to a rounding error of the velocities *before*; where those after are
/// much smaller (a ball that stops at a wall) that error is above their closing floor, and the same contact would be
/// found again. What is more than rounding belongs to the law and is left alone.
fn parted<S: Space>(contact: &Contact<S>, response: Response<S>, restitution: f64) -> Response<S> {
    if response.mode == Mode::Idle || rebounds_clearly(contact, restitution) {
        return response;
    }
    let rounding = 4.0 * contact.approach_floor();
    let mut parted = response;
    let mut push = 0.0;
    for doubling in 1..=8 {
        let after = contact.after(&parted);
        let left = -after.normal_velocity();
        if left <= after.approach_floor() || left > rounding {
            break;
        }
        // Less than a unit in the last place of the velocities before would be lost in them.
        let speed = left.max(rounding / 64.0);
        push += f64::from(1 << doubling) * speed * contact.alpha();
        let extra = Response::new(contact, push, S::Vector::ZERO, response.mode);
        parted.impulse = response.impulse + extra.impulse;
        parted.angular_a = response.angular_a + extra.angular_a;
        parted.angular_b = response.angular_b + extra.angular_b;
    }
    parted
}

/// Whether the rebound is so fast that rounding cannot turn it into closing: above four times the closing floor.
/// Squares, so that the common case needs no root: `(|v_a| + |v_b|)² ≤ 2 (|v_a|² + |v_b|²)`.
pub(crate) fn rebounds_clearly<S: Space>(contact: &Contact<S>, restitution: f64) -> bool {
    let rebound = restitution * contact.normal_velocity();
    let bound = 64.0 * UNIT_ROUNDOFF;
    let squared = contact.a.contact_velocity().length_squared()
        + contact.b.contact_velocity().length_squared();
    rebound * rebound > 2.0 * bound * bound * squared
}
