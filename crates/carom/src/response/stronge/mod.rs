//! Eccentric contacts: the slip followed over the growing normal impulse, with Stronge's restitution.
//!
//! During an impact the bodies stand still and only velocities change. The normal impulse p, from 0 up, plays the part
//! of time. While the contact slips in direction t̂, friction adds `−μ_c t̂ dp`, and
//!
//! ```text
//! d v_r / dp = K (n − μ_c t̂).
//! ```
//!
//! Where the slip reaches zero, friction holds if it can: the tangential impulse per p that keeps the slip at zero is
//! `−K_tt⁻¹ K_tn`, and the contact sticks if that is at most μ_s long. Otherwise slip starts anew along the one
//! direction in which it can grow (see `local.rs`). In 2-D every part is a straight line and the impact is solved in
//! closed form (`progress.rs`); in 3-D the slip also turns, and is followed numerically as long as it does
//! (`turning.rs`).
//!
//! The work of the normal force, `W = ∫ v_n dp`, is negative in compression (v_n < 0) and positive in restitution. The
//! impact ends where `W_restitution = −ε² W_compression`. So the normal force loses `(1 − ε²)|W_compression|`, friction
//! only ever takes, and energy cannot grow for ε ≤ 1, whatever the friction and the shape. For a central contact, and
//! for any without friction, ε is Newton's.
//!
//! The impact always ends. Slip that grows, or does not turn, in direction t̂ has `K_tn = g t̂ + μ K_tt t̂` with
//! `g ≥ 0`, so `dv_n/dp = (n − μt̂)·K(n − μt̂) + μ g > 0`; slip that shrinks stops after a finite p; and from a stop on
//! `dv_n/dp > 0`, too. A jam, `n·K(n − μ t̂) ≤ 0` (Painlevé), is thus passed through: the slip stops, then the bodies
//! part.
//!
//! Sources: W. J. Stronge, "Rigid body collisions with friction" (1990) and "Impact Mechanics" (2000); J. B. Keller,
//! "Impact with friction" (1986), for the equation in p; J. A. Batlle, "The sliding velocity flow of rough collisions
//! in multibody systems" (1996), for the flow of the slip.

mod local;
mod progress;
mod turning;

use super::{Mode, Response, coulomb, restitution};
use crate::contact::Contact;
use crate::material::Surface;
use crate::space::{Linear, Space};
use glam::DVec2;
use local::ContactFrame;
use progress::{Phase, Progress};

/// Friction above this holds whatever the shape; it keeps the products of an infinite coefficient finite.
const LARGEST_FRICTION: f64 = 1e30;

/// The impulse of an eccentric contact.
pub fn respond<S: Space>(contact: &Contact<S>, surface: &Surface) -> Response<S> {
    if coulomb::is_frictionless(surface) {
        return restitution::respond(contact, surface);
    }
    if restitution::normal_impulse(contact, surface.restitution).is_none() {
        return Response::none();
    }
    let translational = surface.kinetic_friction.clamp(0.0, LARGEST_FRICTION);
    let hold = surface
        .static_friction
        .clamp(translational, LARGEST_FRICTION);
    let frame = ContactFrame::of(contact);
    let mut progress = Progress::new(frame.velocity, surface.restitution);
    let mode = run(&frame, &mut progress, translational, hold);
    let (normal, tangential) = frame.impulse(&progress);
    if !(normal.is_finite() && tangential.is_finite()) {
        // Velocities or inertias at the edge of the range of numbers.
        return restitution::respond(contact, surface);
    }
    let response = Response::new(contact, normal, tangential, mode);
    without_gain(contact, response, surface.restitution)
}

/// Goes through the stages of the impact, at most one of each.
fn run<V>(frame: &ContactFrame<V>, progress: &mut Progress, translational: f64, hold: f64) -> Mode {
    let slipping = progress.slip != DVec2::ZERO;
    if slipping {
        let stage = match turning::follow(frame, progress, translational, turning::STRAIGHT) {
            Phase::Straight => {
                let speed = progress.slip.length();
                slide(frame, progress, progress.slip / speed, speed, translational)
            }
            stage => stage,
        };
        if stage == Phase::Ended {
            return Mode::Slide;
        }
    }
    if frame.holding_ratio().length() <= hold {
        progress.advance(&frame.sticking(), f64::INFINITY);
        Mode::Stick
    } else {
        let direction = frame.resuming_direction(translational);
        slide(frame, progress, direction, 0.0, translational);
        if slipping {
            Mode::SlipReversed
        } else {
            Mode::Slide
        }
    }
}

/// Slip that keeps its direction, until it stops or the impact ends.
fn slide<V>(
    frame: &ContactFrame<V>,
    progress: &mut Progress,
    direction: DVec2,
    speed: f64,
    friction: f64,
) -> Phase {
    let (rates, growth) = frame.sliding(direction, friction);
    let until_stop = if growth < 0.0 {
        speed / -growth
    } else {
        f64::INFINITY
    };
    progress.advance(&rates, until_stop)
}

/// For ε ≤ 1 the impulse is cut by the few units of rounding by which it would add energy.
///
/// The energy changes by `s J·v_r + ½ s² J·K J` for an impulse s J: zero at s = 0 and again at
/// `s = −2 J·v_r / J·K J`, which is just below one when J adds a rounding error. The scaled impulse is rounded, too:
/// the cut is doubled until it has its effect.
fn without_gain<S: Space>(
    contact: &Contact<S>,
    response: Response<S>,
    restitution: f64,
) -> Response<S> {
    let first_order = response.impulse.dot(contact.relative_velocity()).abs();
    let mut cut = response;
    for doubling in 0..6 {
        let gain = -contact.energy_lost(&cut);
        if gain.is_nan() || gain <= 0.0 || restitution > 1.0 {
            break;
        }
        let scale = 1.0 / (1.0 + f64::from(1 << doubling) * gain / first_order);
        cut.impulse = cut.impulse * scale;
        cut.angular_a = cut.angular_a * scale;
        cut.angular_b = cut.angular_b * scale;
    }
    cut
}

#[cfg(test)]
mod tests;
