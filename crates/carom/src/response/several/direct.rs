//! The normal impulses of several points without iteration, by active sets.
//!
//! With `u` the normal velocities before, `w` those that are wanted and `A` the matrix that turns normal impulses into
//! changes of normal velocity (`A = N M⁻¹ Nᵀ`, symmetric and never negative):
//!
//! ```text
//! u + A p ≥ w,   p ≥ 0,   p·(u + A p − w) = 0.
//! ```
//!
//! The points that push are guessed, and their linear system is solved. Those that would have to pull are dropped; when
//! none would, those that would close are taken in (block principal pivoting). Always all of them at once, so that
//! mirror images are treated alike.
//!
//! Points may be redundant (a ring of touching balls, four corners on a floor): then `p` is not unique, but the
//! velocities after are, and the solution of least size is taken, which is symmetric where the points are.

use super::iterate::still;
use super::{Joined, Mover, Point};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// Sets of more points are solved by iteration alone: the work grows with the cube of their number.
pub(super) const MOST: usize = 512;

/// Below this part of the largest an impulse, or a velocity, is as good as none.
const ROUNDING: f64 = 1e-13;

/// What couples the points along their normals, 1/kg; row by row.
pub(super) struct Matrix {
    entries: Vec<f64>,
    count: usize,
}

impl Matrix {
    pub fn new<S: Space>(movers: &[Mover<S>], points: &[Point<S>], joined: Joined<'_, S>) -> Self {
        let count = points.len();
        let mut entries = vec![0.0; count * count];
        if let Some(joined) = joined {
            let mut change = movers.to_vec();
            for (k, from) in points.iter().enumerate() {
                still(&mut change);
                from.push(&mut change, from.normal);
                joined(&mut change);
                for (i, at) in points.iter().enumerate() {
                    entries[i * count + k] = at.normal_velocity(&change);
                }
            }
            return Matrix { entries, count };
        }
        for (i, at) in points.iter().enumerate() {
            for (k, from) in points.iter().enumerate() {
                if shares_a_mover(movers, at, from) {
                    entries[i * count + k] = at.normal.dot(effect(movers, at, from));
                }
            }
        }
        Matrix { entries, count }
    }

    fn entry(&self, i: usize, k: usize) -> f64 {
        self.entries[i * self.count + k]
    }

    /// The impulses of least size that change the normal velocities by `missing` at those points that push, and by no
    /// less at the others; `None` where the points that push are not found in a few dozen rounds.
    pub fn solve(&self, missing: &[f64]) -> Option<Vec<f64>> {
        let scale = missing.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let movable = |&i: &usize| self.entry(i, i) > 0.0;
        let mut active: Vec<usize> = (0..self.count)
            .filter(|&i| missing[i] > 0.0)
            .filter(movable)
            .collect();
        for _ in 0..64 {
            let solution = self.least_solution(missing, &active);
            let largest = solution.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let pushes = |x: f64| x > -ROUNDING * largest;
            if !solution.iter().all(|&x| pushes(x)) {
                let kept = active.iter().zip(&solution).filter(|(_, x)| pushes(**x));
                active = kept.map(|(&i, _)| i).collect();
                continue;
            }
            let mut impulses = vec![0.0; self.count];
            for (&i, &x) in active.iter().zip(&solution) {
                impulses[i] = x.max(0.0);
            }
            let closes = |&i: &usize| {
                let changed: f64 = active.iter().map(|&k| self.entry(i, k) * impulses[k]).sum();
                active.binary_search(&i).is_err() && missing[i] - changed > ROUNDING * scale
            };
            let closing: Vec<usize> = (0..self.count).filter(movable).filter(closes).collect();
            if closing.is_empty() {
                return Some(impulses);
            }
            active.extend(closing);
            active.sort_unstable();
        }
        None
    }

    /// Corrects impulses that are right but for the errors of an iteration: at those that push the normal velocities
    /// change by `missing` more.
    ///
    /// What is below the rounding of speeds (m/s) is left.
    pub fn polish(&self, missing: &[f64], speed: f64, impulses: &mut [f64]) {
        let active: Vec<usize> = (0..self.count)
            .filter(|&i| impulses[i] > 0.0 && self.entry(i, i) > 0.0)
            .collect();
        if (active.iter()).all(|&i| missing[i].abs() <= 16.0 * UNIT_ROUNDOFF * speed) {
            return;
        }
        let steps = self.least_solution(missing, &active);
        for (&i, &step) in active.iter().zip(&steps) {
            impulses[i] = (impulses[i] + step).max(0.0);
        }
    }

    /// The solution of least size of the rows and columns `active` of the system, which may be singular.
    ///
    /// A hair is added to the diagonal to make it solvable, and taken back by refinement: each round leaves of the
    /// error a share of the hair over the eigenvalue, so a few are enough for all but the null space, where the
    /// solution stays zero.
    fn least_solution(&self, wanted: &[f64], active: &[usize]) -> Vec<f64> {
        let size = active.len();
        let entry = |i: usize, k: usize| self.entry(active[i], active[k]);
        let hair = 1e-8 * (0..size).map(|i| entry(i, i)).fold(0.0, f64::max);
        // Cholesky's factor, row by row. Each begins where the row of the matrix does: most contacts have nothing to do
        // with each other.
        let begins: Vec<usize> = (0..size)
            .map(|i| (0..i).find(|&k| entry(i, k) != 0.0).unwrap_or(i))
            .collect();
        let mut factor = vec![0.0; size * size];
        for i in 0..size {
            for k in begins[i]..=i {
                let known: f64 = (begins[i].max(begins[k])..k)
                    .map(|j| factor[i * size + j] * factor[k * size + j])
                    .sum();
                let rest = entry(i, k) - known + if i == k { hair } else { 0.0 };
                factor[i * size + k] = if i == k {
                    rest.max(hair).sqrt()
                } else {
                    rest / factor[k * size + k]
                };
            }
        }
        let solve = |right: &mut [f64]| {
            for i in 0..size {
                let known: f64 = (begins[i]..i)
                    .map(|j| factor[i * size + j] * right[j])
                    .sum();
                right[i] = (right[i] - known) / factor[i * size + i];
            }
            for i in (0..size).rev() {
                let known: f64 = (i + 1..size).map(|j| factor[j * size + i] * right[j]).sum();
                right[i] = (right[i] - known) / factor[i * size + i];
            }
        };
        let mut solution = vec![0.0; size];
        let scale = active
            .iter()
            .fold(0.0_f64, |most, &i| most.max(wanted[i].abs()));
        for _ in 0..6 {
            let mut rest: Vec<f64> = (0..size)
                .map(|i| {
                    let reached: f64 = (0..size).map(|k| entry(i, k) * solution[k]).sum();
                    wanted[active[i]] - reached
                })
                .collect();
            let rounding = (rest.iter()).all(|left| left.abs() <= 8.0 * UNIT_ROUNDOFF * scale);
            solve(&mut rest);
            // Rounding has a part in the null space, which the hair makes 10⁸ times as large.
            let largest = solution.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if rounding && rest.iter().any(|step| step.abs() > 1e-12 * largest) {
                break;
            }
            solution
                .iter_mut()
                .zip(&rest)
                .for_each(|(x, step)| *x += step);
        }
        solution
    }
}

fn shares_a_mover<S: Space>(movers: &[Mover<S>], a: &Point<S>, b: &Point<S>) -> bool {
    let shared = |body: &usize| movers[*body].inverse_mass > 0.0 && b.bodies.contains(body);
    a.bodies.iter().any(shared)
}

/// How much a unit of normal impulse at one point changes the relative velocity at another, 1/kg.
fn effect<S: Space>(movers: &[Mover<S>], at: &Point<S>, from: &Point<S>) -> S::Vector {
    let mut change = S::Vector::ZERO;
    for (body, arm, sign) in sides(from) {
        for (other, probe, other_sign) in sides(at) {
            let mover = &movers[body];
            if body != other || mover.inverse_mass == 0.0 {
                continue;
            }
            let sign: f64 = sign * other_sign;
            change += from.normal * (sign * mover.inverse_mass);
            // A normal impulse through the centre turns nothing, not even by a rounding error.
            if !from.is_through_centre(arm) {
                let torque = S::torque(arm, from.normal);
                let angular_velocity = S::angular_response(mover.inverse_inertia, torque);
                change += S::surface_velocity(angular_velocity, probe) * sign;
            }
        }
    }
    change
}

/// Bodies, arms, and the sign that an impulse has on them.
fn sides<S: Space>(point: &Point<S>) -> [(usize, S::Vector, f64); 2] {
    let ([a, b], [arm, other_arm]) = (point.bodies, point.arms);
    [(a, arm, 1.0), (b, other_arm, -1.0)]
}
