//! The impulses of points that are coupled by friction, by steps that change all points at once.
//!
//! Jacobi's method with the masses of each body split among its points, as many parts as it has points, which makes
//! every step lower the energy; accelerated after Nesterov. Nowhere does the order of the points matter but for
//! rounding.
//!
//! Source: Tonge, Benevolenski and Voroshilov, "Mass splitting for jitter-free parallel rigid body simulation" (2012).

use super::{Joined, Mover, Point};
use crate::space::{Linear, Space};

/// The softness of each point, 1/kg: bounds on what impulses change, with the masses of each body split among its
/// points.
///
/// Normal and tangent are coupled where a body is struck off its centre: the trace of the whole contact matrix, which
/// is never negative, bounds its largest eigenvalue. Without friction the normal part is bound enough.
pub(super) struct Split(Vec<f64>);

impl Split {
    pub fn new<S: Space>(movers: &[Mover<S>], points: &[Point<S>], limits: &Limits) -> Self {
        let mut parts = vec![0.0; movers.len()];
        for body in points.iter().flat_map(|point| point.bodies) {
            parts[body] += 1.0;
        }
        let softness = |(point, &limit): (&Point<S>, &f64)| {
            let mut sum = 0.0;
            for (body, arm) in point.bodies.into_iter().zip(point.arms) {
                let mover = &movers[body];
                let yields = if limit > 0.0 {
                    trace(mover, arm)
                } else {
                    point.normal.dot(mover.yields(arm, point.normal))
                };
                sum += parts[body] * yields;
            }
            sum
        };
        Split(points.iter().zip(limits).map(softness).collect())
    }
}

pub(super) fn trace<S: Space>(mover: &Mover<S>, arm: S::Vector) -> f64 {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let along = |axis| {
        let axis = S::vector(axis);
        axis.dot(mover.yields(arm, axis))
    };
    axes.into_iter().take(S::DIMENSION).map(along).sum()
}

/// What is solved for: normal and tangential impulses, kg·m/s.
#[derive(Clone)]
pub(super) struct Impulses<S: Space> {
    pub normal: Vec<f64>,
    pub tangential: Vec<S::Vector>,
}

impl<S: Space> Impulses<S> {
    pub fn none(count: usize) -> Self {
        Impulses {
            normal: vec![0.0; count],
            tangential: vec![S::Vector::ZERO; count],
        }
    }

    /// How bodies move that they have acted on.
    pub fn applied(
        &self,
        movers: &[Mover<S>],
        points: &[Point<S>],
        joined: Joined<'_, S>,
    ) -> Vec<Mover<S>> {
        let mut pushed = movers.to_vec();
        if joined.is_some() {
            still(&mut pushed);
        }
        for (index, point) in points.iter().enumerate() {
            let impulse = point.normal * self.normal[index] + self.tangential[index];
            point.push(&mut pushed, impulse);
        }
        if let Some(joined) = joined {
            joined(&mut pushed);
            for (pushed, mover) in pushed.iter_mut().zip(movers) {
                pushed.velocity += mover.velocity;
                pushed.angular_velocity += mover.angular_velocity;
            }
        }
        pushed
    }
}

/// Takes all velocities away.
pub(super) fn still<S: Space>(movers: &mut [Mover<S>]) {
    for mover in movers {
        (mover.velocity, mover.angular_velocity) = (S::Vector::ZERO, S::Angular::ZERO);
    }
}

/// How much friction each point can give in terms of its normal impulse.
pub(super) type Limits = Vec<f64>;

/// Rounds at the most; what is left then is far below what matters (and energy cannot grow by it).
const ROUNDS: usize = 4000;

/// Solves for the impulses that end the closing (`wanted`: the normal velocities to reach, m/s), or with given normal
/// impulses for the tangential ones alone.
pub(super) fn solve<S: Space>(
    (movers, points, joined): (&[Mover<S>], &[Point<S>], Joined<'_, S>),
    split: &Split,
    limits: &Limits,
    wanted: Option<&[f64]>,
    start: Impulses<S>,
) -> Impulses<S> {
    let mut now = start;
    let mut last = now.clone();
    let mut ahead = now.clone();
    let mut momentum = 1.0_f64;
    for _ in 0..ROUNDS {
        let pushed = ahead.applied(movers, points, joined);
        let (mut change, mut size, mut uphill) = (0.0_f64, 0.0_f64, 0.0);
        for (index, point) in points.iter().enumerate() {
            let velocity = point.relative_velocity(&pushed);
            let along = point.normal.dot(velocity);
            let normal = match wanted {
                Some(wanted) if split.0[index] > 0.0 => {
                    (ahead.normal[index] - (along - wanted[index]) / split.0[index]).max(0.0)
                }
                _ => ahead.normal[index],
            };
            let limit = if normal > 0.0 {
                limits[index] * normal
            } else {
                0.0
            };
            let tangential = if limit > 0.0 && split.0[index] > 0.0 {
                let free =
                    ahead.tangential[index] - point.tangential(velocity) * (1.0 / split.0[index]);
                let length = free.length();
                if length > limit {
                    free * (limit / length)
                } else {
                    free
                }
            } else {
                S::Vector::ZERO
            };
            let step = (
                normal - now.normal[index],
                tangential - now.tangential[index],
            );
            uphill += (ahead.normal[index] - normal) * step.0 * split.0[index]
                + (ahead.tangential[index] - tangential).dot(step.1) * split.0[index];
            change = change.max(step.0.abs()).max(step.1.length());
            size = size.max(normal);
            last.normal[index] = now.normal[index];
            last.tangential[index] = now.tangential[index];
            now.normal[index] = normal;
            now.tangential[index] = tangential;
        }
        if change <= 1e-15 * size {
            break;
        }
        // Where the acceleration leads uphill it starts anew (O'Donoghue and Candès, 2015).
        let next = if uphill > 0.0 {
            1.0
        } else {
            0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt())
        };
        let ahead_by = if uphill > 0.0 {
            0.0
        } else {
            (momentum - 1.0) / next
        };
        momentum = next;
        for index in 0..points.len() {
            let step = now.normal[index] - last.normal[index];
            ahead.normal[index] = now.normal[index] + step * ahead_by;
            let step = now.tangential[index] - last.tangential[index];
            ahead.tangential[index] = now.tangential[index] + step * ahead_by;
        }
    }
    now
}
