//! The frictionless impulse of two balls against wide arithmetic, for mass ratios from 1e-12 to 1e12.
//!
//! Truth: `J = −(1+ε) (n·w) / ((1/m_a + 1/m_b) n·n) · n`, with the velocities, the inverse masses and the normal as
//! stored. The relative velocity cancels where the bodies move together, so an error is measured against the speeds: of
//! the impulse in `u α (1+ε) (|v_a| + |v_b|)`, of the velocities afterwards in `u (|v_a| + |v_b|)`.

use crate::big::Big;
use crate::case::{Triple, inner, norm};
use crate::generate::Draw;
use crate::real::{Vector, add, dot, length, scale, sub, vector};
use carom::kernels::contact::{Contact, Side};
use carom::kernels::response::respond;
use carom::material::{Law, Surface};
use carom::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};

/// Units of the impulse's error that are allowed. A dozen roundings lead to it: the relative velocity and its inner
/// product with the normal (3-D: 3 + 5), α (4), the products (3).
pub const IMPULSE_LIMIT: f64 = 8.0;
/// Units of the velocities' error that are allowed: the impulse's share (at most 1 + ε ≤ 2.2 times its error), a
/// product and a sum.
pub const VELOCITY_LIMIT: f64 = 16.0;

/// The errors of many impacts.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// Of the impulse.
    pub impulse: Vec<f64>,
    /// Of the velocities.
    pub velocity: Vec<f64>,
}

/// The largest and the median.
pub fn summary(errors: &[f64]) -> (f64, f64) {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    let largest = sorted.last().copied().unwrap_or(0.0);
    (
        largest,
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0),
    )
}

fn ball<S: Space>(inverse_mass: f64, radius: f64, velocity: Triple, arm: Triple) -> Side<S> {
    let inverse_inertia = inverse_mass / S::ball_inertia(1.0, radius);
    Side {
        inverse_mass,
        inverse_inertia: S::isotropic_inertia(inverse_inertia),
        velocity: S::vector(velocity),
        angular_velocity: S::Angular::ZERO,
        arm: S::vector(arm),
    }
}

/// The errors of one random impact: impulse and velocities.
fn impact<S: Space>(draw: &mut Draw) -> (f64, f64) {
    let dimension = S::DIMENSION;
    let normal = draw.unit(dimension);
    let [mass_a, mass_b] = [draw.power(-6.0, 6.0), draw.power(-6.0, 6.0)];
    let [inverse_a, inverse_b] = [1.0 / mass_a, 1.0 / mass_b];
    // Clear of zero: at ε = 0 the library adds a push of a few units, so that the bodies do not meet again at once.
    let restitution = draw.between(0.05, 1.2);
    let common = draw.power(-2.0, 3.0);
    let velocity_b = draw.unit(dimension).map(|c| c * common);
    let approach = if draw.chance(0.3) {
        normal.map(|c| -c)
    } else {
        let direction = draw.unit(dimension);
        let sign = if inner(direction, normal) > 0.0 {
            -1.0
        } else {
            1.0
        };
        direction.map(|c| c * sign)
    };
    let speed = draw.power(-2.0, 1.0);
    let velocity_a = [0, 1, 2].map(|i| velocity_b[i] + approach[i] * speed);
    let contact = Contact::<S> {
        point: S::Vector::ZERO,
        normal: S::vector(normal),
        a: ball(inverse_a, 1.0, velocity_a, normal),
        b: ball(inverse_b, 1.0, velocity_b, normal.map(|c| -c)),
    };
    let surface = Surface {
        restitution,
        static_friction: 0.0,
        kinetic_friction: 0.0,
        law: Law::Coulomb,
        ..Surface::default()
    };
    let response = respond(&contact, &surface);
    let after = contact.after(&response);

    let n = vector::<Big>(normal);
    let (a, b) = (vector::<Big>(velocity_a), vector::<Big>(velocity_b));
    let (yield_a, yield_b) = (Big::of(inverse_a), Big::of(inverse_b));
    let closing = dot(&n, &sub(&a, &b)).negated();
    let factor = Big::of(1.0).plus(&Big::of(restitution));
    let effective = yield_a.plus(&yield_b).times(&dot(&n, &n));
    let impulse = scale(&n, &closing.times(&factor).over(&effective));

    let off = |truth: &Vector<Big>, found: S::Vector| {
        length(&sub(truth, &vector(S::components(found)))).near()
    };
    let unit = UNIT_ROUNDOFF * (norm(velocity_a) + norm(velocity_b));
    let mass = 1.0 / (inverse_a + inverse_b);
    let velocity_error = off(&add(&a, &scale(&impulse, &yield_a)), after.a.velocity)
        .max(off(&sub(&b, &scale(&impulse, &yield_b)), after.b.velocity));
    (
        off(&impulse, response.impulse) / (unit * mass * (1.0 + restitution)),
        velocity_error / unit,
    )
}

/// Random impacts in the plane (2) or in space (3).
pub fn impacts(dimension: usize, count: usize) -> Errors {
    let mut draw = Draw::new(0x1A9 + dimension as u64);
    let mut errors = Errors::default();
    for _ in 0..count {
        let (impulse, velocity) = if dimension == 2 {
            impact::<Space2>(&mut draw)
        } else {
            impact::<Space3>(&mut draw)
        };
        errors.impulse.push(impulse);
        errors.velocity.push(velocity);
    }
    errors
}

/// The two rows of the table as text, and whether they keep their bounds.
pub fn rows(count: usize, markdown: bool) -> (String, bool) {
    let mut text = String::from(if markdown {
        "| response | impacts | impulse | velocities | bounds | verdict |\n|---|---:|---:|---:|---:|---:|"
    } else {
        "response           impacts      impulse, uα(1+ε)v      velocities, uv   bounds  verdict"
    });
    let mut all_hold = true;
    for dimension in [2, 3] {
        let errors = impacts(dimension, count);
        let (impulse, velocity) = (summary(&errors.impulse), summary(&errors.velocity));
        let holds = impulse.0 <= IMPULSE_LIMIT && velocity.0 <= VELOCITY_LIMIT;
        all_hold &= holds;
        let verdict = if holds { "holds" } else { "FAILS" };
        let cells = (
            format!("frictionless-{dimension}d"),
            format!("{:.2} / {:.2}", impulse.0, impulse.1),
            format!("{:.2} / {:.2}", velocity.0, velocity.1),
            format!("{IMPULSE_LIMIT} {VELOCITY_LIMIT}"),
        );
        text += &if markdown {
            format!(
                "\n| {} | {count} | {} | {} | {} | {verdict} |",
                cells.0, cells.1, cells.2, cells.3
            )
        } else {
            format!(
                "\n{:<16}  {count:>8}  {:>21}  {:>18}  {:>7}  {verdict:>7}",
                cells.0, cells.1, cells.2, cells.3
            )
        };
    }
    (text, all_hold)
}
