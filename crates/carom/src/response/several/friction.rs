//! What the friction laws are at several points: how much each may give in terms of the normal impulse there.
//!
//! | law | at several points |
//! |---|---|
//! | Coulomb's | `\|q\| ≤ μ p` |
//! | Newton's | the same; where all points name it, with its own restitution |
//! | the course's | `\|q\| ≤ μ (α_t/α) p`: alone, where `p = α (1+ε)\|v_n\|`, that is `μ α_t (1+ε)\|v_n\|` |
//! | β | `(1−κ)` times the impulses that would stop the slip, with `1−κ = (1−β)(1 + Σ(1/m)/Σ(r²/I))`, at most 2 |
//!
//! Each is what its law is for one contact of balls when there is only one. `α_t` and `Σ(r²/I)` are means over the
//! tangents, which for balls are all alike.

use super::iterate::{Limits, trace};
use super::{Mover, Point};
use crate::material::Law;
use crate::space::{Linear, Space};

/// How much friction each point can give while it is compressed, in terms of its normal impulse: what holds.
///
/// The β law acts on what compression leaves. So does all friction of balls: normal and tangent decouple at each of
/// their contacts, and without friction the normal impulses are found in one go; not so where joints hold them.
pub(super) fn while_compressed<S: Space>(
    movers: &[Mover<S>],
    points: &[Point<S>],
    joined: bool,
) -> Limits {
    if !joined && points.iter().all(|point| point.is_central(movers)) {
        return vec![0.0; points.len()];
    }
    points.iter().map(|point| holding(movers, point)).collect()
}

/// The same once the normal impulses are known: what holds, where there was none while they were compressed. β stops
/// any slip, before it is [damped](damping).
pub(super) fn after_compression<S: Space>(
    movers: &[Mover<S>],
    points: &[Point<S>],
    limits: &mut Limits,
) {
    for (limit, point) in limits.iter_mut().zip(points) {
        match point.surface.law {
            Law::Beta if Yields::of(movers, point).turning > 0.0 => *limit = f64::INFINITY,
            _ if *limit == 0.0 => *limit = holding(movers, point),
            _ => {}
        }
    }
}

/// How much friction a point can give while it holds, in terms of its normal impulse.
fn holding<S: Space>(movers: &[Mover<S>], point: &Point<S>) -> f64 {
    match point.surface.law {
        Law::Coulomb | Law::Newton => point.surface.static_friction,
        Law::Course => point.surface.static_friction * Yields::of(movers, point).ratio(),
        Law::Beta => 0.0,
    }
}

/// How much friction a point gives where it slides.
pub(super) fn sliding<S: Space>(movers: &[Mover<S>], point: &Point<S>) -> f64 {
    match point.surface.law {
        Law::Coulomb | Law::Newton => point.surface.kinetic_friction,
        Law::Course => point.surface.kinetic_friction * Yields::of(movers, point).ratio(),
        Law::Beta => f64::INFINITY,
    }
}

/// `1 − κ` of each point: by how much of the impulse that would stop its slip it is damped; one for the other laws.
pub(super) fn damping<S: Space>(movers: &[Mover<S>], points: &[Point<S>]) -> Vec<f64> {
    let of = |point: &Point<S>| match point.surface.law {
        Law::Beta => {
            let Yields {
                across, turning, ..
            } = Yields::of(movers, point);
            if turning > 0.0 {
                ((1.0 - point.surface.restitution) * across / turning).min(2.0)
            } else {
                0.0
            }
        }
        _ => 1.0,
    };
    points.iter().map(of).collect()
}

/// How much a point yields to impulses, 1/kg.
struct Yields {
    /// `n·K n`.
    along: f64,
    /// The mean of `t·K t` over the tangents t.
    across: f64,
    /// The part of it that is turning, `Σ(r²/I)` for balls.
    turning: f64,
}

impl Yields {
    fn of<S: Space>(movers: &[Mover<S>], point: &Point<S>) -> Self {
        let (mut along, mut all, mut shifts) = (0.0, 0.0, 0.0);
        for (body, arm) in point.bodies.into_iter().zip(point.arms) {
            let mover = &movers[body];
            along += if point.is_through_centre(arm) {
                mover.inverse_mass
            } else {
                point.normal.dot(mover.yields(arm, point.normal))
            };
            all += trace(mover, arm);
            shifts += mover.inverse_mass;
        }
        let across = (all - along) / (S::DIMENSION - 1) as f64;
        let turning = across - shifts;
        Yields {
            along,
            across,
            // What cannot turn turns by nothing, not by a rounding error.
            turning: if turning > 1e-14 * across {
                turning
            } else {
                0.0
            },
        }
    }

    /// `α_t/α`.
    fn ratio(&self) -> f64 {
        if self.across > 0.0 {
            self.along / self.across
        } else {
            0.0
        }
    }
}
