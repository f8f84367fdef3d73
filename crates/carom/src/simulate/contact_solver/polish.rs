//! The last digits of the forces that hold an island at rest.
//!
//! Where many points rub, Gauss–Seidel iterations come near an equilibrium and then converge slowly: a heap of boxes in
//! 3-D was held to a ten-thousandth of its weight. Once it is known which points press, stick and slip, the rest is
//! linear: impulses within their bounds may change freely, those on the friction cone along it, and together they have
//! to cancel the velocities that are left. This is solved by conjugate gradients in the impulses; an impulse that
//! leaves its bounds is put back to them, and stays there in the next pass.

use super::{Impulses, Row};
use crate::response::several::Mover;
use crate::space::{Linear, Space};

/// How often points may be put back to their bounds.
const PASSES: usize = 8;

/// Looks at a point that a pass may take.
const WORK: usize = 400_000;

/// Impulses closer to their bound than this share of it are on it.
const NEAR: f64 = 1e-9;

/// What may change at a point.
#[derive(Clone, Copy, PartialEq)]
enum Free {
    Nothing,
    /// The impulse along the normal, and friction in proportion.
    Tied,
    All,
}

impl<S: Space> Row<S> {
    fn free(&self) -> Free {
        let limit = self.friction[0] * self.pressed;
        if !(self.pressed > 0.0) || self.along == 0.0 {
            Free::Nothing
        } else if self.rubbed.length() < limit * (1.0 - NEAR) {
            Free::All
        } else {
            Free::Tied
        }
    }

    /// Along which an impulse may grow where it is tied: with that of the normal.
    fn ray(&self) -> S::Vector {
        self.normal + self.rubbed * (1.0 / self.pressed)
    }

    /// What bodies move by where impulses may change.
    fn seen(&self, free: Free, movers: &[Mover<S>]) -> Impulses<S> {
        let velocity = self.velocity(movers);
        match free {
            Free::Nothing => (0.0, S::Vector::ZERO, S::Angular::ZERO),
            Free::Tied => (self.ray().dot(velocity), S::Vector::ZERO, S::Angular::ZERO),
            Free::All => {
                let along = self.normal.dot(velocity);
                (along, velocity - self.normal * along, S::Angular::ZERO)
            }
        }
    }

    /// Gives a change of impulses.
    fn give(&self, free: Free, change: &Impulses<S>, movers: &mut [Mover<S>]) {
        match free {
            Free::Nothing => (),
            Free::Tied => self.push(movers, self.ray() * change.0),
            Free::All => self.push(movers, self.normal * change.0 + change.1),
        }
    }
}

fn product<S: Space>(a: &[Impulses<S>], b: &[Impulses<S>]) -> f64 {
    let each = |(a, b): (&Impulses<S>, &Impulses<S>)| a.0 * b.0 + a.1.dot(b.1);
    a.iter().zip(b).map(each).sum()
}

/// The speed of the fastest, m/s, a turn counted by how far away the points are that could stop it.
fn fastest<S: Space>(rows: &[Row<S>], movers: &[Mover<S>]) -> f64 {
    let own = movers.iter().map(|mover| mover.velocity.length());
    let at = rows.iter().flat_map(|row| {
        [0, 1].map(|side| {
            let mover = &movers[row.bodies[side] as usize];
            mover.velocity_at(row.arms[side]).length()
        })
    });
    own.chain(at).fold(0.0, f64::max)
}

/// Changes the impulses of points so that movers are at rest, if they nearly are. Nothing is changed where that does
/// not bring them nearer to it. Torques against rolling and spinning stay what they are.
pub(in crate::simulate) fn polish<S: Space>(rows: &mut [Row<S>], movers: &mut [Mover<S>]) {
    let had: Vec<Impulses<S>> = rows.iter().map(Row::impulses).collect();
    let moved = movers.to_vec();
    let before = fastest(rows, movers);
    for _ in 0..PASSES {
        let free: Vec<Free> = rows.iter().map(Row::free).collect();
        let change = conjugate(rows, movers, &free);
        let mut within = true;
        for ((row, change), &free) in rows.iter_mut().zip(&change).zip(&free) {
            within &= take(row, free, change, movers);
        }
        if within {
            break;
        }
    }
    if !(fastest(rows, movers) < before) {
        for (row, had) in rows.iter_mut().zip(had) {
            (row.pressed, row.rubbed, row.twisted) = had;
        }
        movers.copy_from_slice(&moved);
    }
}

/// Changes the impulses of a point, within its bounds; whether they suffice.
fn take<S: Space>(
    row: &mut Row<S>,
    free: Free,
    change: &Impulses<S>,
    movers: &mut [Mover<S>],
) -> bool {
    if free == Free::Nothing {
        return true;
    }
    let pressed = (row.pressed + change.0).max(0.0);
    let wanted = match free {
        Free::Tied => row.rubbed * (pressed / row.pressed),
        _ => row.rubbed + change.1,
    };
    let (size, limit) = (wanted.length(), row.friction[0] * pressed);
    let rubbed = if size > limit {
        wanted * (limit / size)
    } else {
        wanted
    };
    let given = row.normal * (pressed - row.pressed) + (rubbed - row.rubbed);
    row.push(movers, given);
    let within = row.pressed + change.0 >= 0.0 && (free == Free::Tied || size <= limit);
    (row.pressed, row.rubbed) = (pressed, rubbed);
    within
}

/// The changes of impulses that bring movers to rest where they may change: conjugate gradients on `J M⁻¹ Jᵀ`, each
/// point in units of what it weighs there.
fn conjugate<S: Space>(rows: &[Row<S>], movers: &[Mover<S>], free: &[Free]) -> Vec<Impulses<S>> {
    let nothing = (0.0, S::Vector::ZERO, S::Angular::ZERO);
    let mut change = vec![nothing; rows.len()];
    let mut left: Vec<Impulses<S>> = (rows.iter().zip(free))
        .map(|(row, &free)| {
            let seen = row.seen(free, movers);
            (-seen.0, -seen.1, seen.2)
        })
        .collect();
    let weighed = |left: &[Impulses<S>]| -> Vec<Impulses<S>> {
        (rows.iter().zip(left))
            .map(|(row, it)| (it.0 * row.along, it.1 * row.across, it.2))
            .collect()
    };
    let mut nearer = weighed(&left);
    let mut direction = nearer.clone();
    let mut size = product::<S>(&left, &nearer);
    let enough = 1e-30 * size;
    let mut moved = movers.to_vec();
    for _ in 0..(4 * rows.len()).min(WORK / rows.len().max(1)) {
        if !(size > enough) {
            break;
        }
        for mover in &mut moved {
            (mover.velocity, mover.angular_velocity) = (S::Vector::ZERO, S::Angular::ZERO);
        }
        for ((row, &free), step) in rows.iter().zip(free).zip(&direction) {
            row.give(free, step, &mut moved);
        }
        let answer: Vec<Impulses<S>> = (rows.iter().zip(free))
            .map(|(row, &free)| row.seen(free, &moved))
            .collect();
        let stiff = product::<S>(&direction, &answer);
        if !(stiff > 0.0) {
            break;
        }
        let share = size / stiff;
        for (k, step) in direction.iter().enumerate() {
            change[k].0 += step.0 * share;
            change[k].1 += step.1 * share;
            left[k].0 -= answer[k].0 * share;
            left[k].1 -= answer[k].1 * share;
        }
        nearer = weighed(&left);
        let next = product::<S>(&left, &nearer);
        for (step, nearer) in direction.iter_mut().zip(&nearer) {
            step.0 = nearer.0 + step.0 * (next / size);
            step.1 = nearer.1 + step.1 * (next / size);
        }
        size = next;
    }
    change
}
