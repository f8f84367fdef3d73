//! What a step of an island enters into the budget.
//!
//! What contacts took is entered by cause: the impulses J times the mean of the velocities u after them and u₀ *before
//! gravity's half*, `−J·(u₀ + u)/2`, so that a body that lies still loses nothing. What the same impulses did to the
//! kinetic energy is `J·(u₀ + k + u)/2`, with k what gravity's half gave to the velocity at that point. Gravity's
//! halves do `m g·(v + v′)/2 · time` each, and the way costs the potential energy `−m g·Δx`. All else is free motion.
//! So the step adds, beyond what is entered by cause,
//!
//! ```text
//! Σ_members [ m g·(v₀ + v₁)/2 · τ/2 + m g·(v₂ + v₃)/2 · τ/2 − m g·Δx ] + Σ_points J·k/2
//! ```
//!
//! (for whole steps `Σ (J₂ − J₁)·g τ/4`: a push that brings points back to the surface, and is taken back afterwards,
//! lifts bodies for nothing). Each of these is entered, as it is computed, as what stepping cost. Nothing is entered
//! because the energy has changed: what the solver, or free turning, does besides stays in the imbalance.
//!
//! Impacts at the end of a step are answered before gravity's second half is given (`island/arrivals.rs`), and would be
//! faster by it: `−J·k` more is entered as lost with the impact, and as much less as what stepping cost.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::island::Island;
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::islands::Impulses;
use crate::space::{Linear, Space};

/// Of the first at a point relative to the second: how fast it moves and turns, m/s and rad/s.
pub(super) type Relative<S> = (<S as Space>::Vector, <S as Space>::Angular);

/// What the points of a step had been given before, and how they moved before gravity's half and after it.
pub(super) struct Before<'a, S: Space> {
    pub had: &'a [Impulses<S>],
    pub unkicked: &'a [Relative<S>],
    pub kicked: &'a [Relative<S>],
}

/// Enters what the rows did between two sets of velocities, beyond the impulses that they had before.
pub(super) fn enter<S: Shaped>(
    stage: &RigidWorld<S>,
    island: &Island<S>,
    (rows, whose): (&[Row<S>], &[(usize, usize)]),
    before: &Before<'_, S>,
    movers: &[Mover<S>],
    books: &mut Ledger<S>,
) {
    for (k, row) in rows.iter().enumerate() {
        let had = &before.had[k];
        let given = row.given().minus(had);
        let impulse = given.along(row.normal);
        let Impulses {
            pressed,
            rubbed,
            twisted,
        } = given;
        let (unkicked, kicked) = (&before.unkicked[k], &before.kicked[k]);
        let mean = (unkicked.0 + row.velocity(movers)) * 0.5;
        books.settling.add(-pressed * row.normal.dot(mean));
        books.rubbed(-rubbed.dot(mean));
        books
            .stepping
            .add(-0.5 * impulse.dot(kicked.0 - unkicked.0));
        if twisted != S::Angular::ZERO {
            let turning = (unkicked.1 + row.turning(movers)) * 0.5;
            let [rolling, spinning] = row.split(twisted).map(|part| -part.dot(turning));
            books.resisted(rolling, spinning);
        }
        let (h, s) = whose[k];
        let hold = &island.holds[h];
        let acting = Acting {
            place: hold.spots[s].place,
            arms: row.arms,
            spins: row
                .bodies
                .map(|body| movers[body as usize].angular_velocity),
            velocity: movers[row.bodies[1] as usize].velocity_at(row.arms[1]),
            impulse,
            twisted,
        };
        acting.enter_from_outside(stage, hold.pair(), books);
    }
}

/// What acts at a point on the first of a pair; the opposite acts on the second.
pub(super) struct Acting<S: Space> {
    pub place: S::Vector,
    /// From the centres of the two to it, m.
    pub arms: [S::Vector; 2],
    /// Of the two, rad/s.
    pub spins: [S::Angular; 2],
    /// Of the second there, m/s.
    pub velocity: S::Vector,
    /// kg·m/s.
    pub impulse: S::Vector,
    /// kg·m²/s.
    pub twisted: S::Angular,
}

impl<S: Shaped> Acting<S> {
    /// Enters what of it comes from outside of the free bodies: from a fixture, and from whatever keeps a ball from
    /// turning that cannot be spun.
    pub fn enter_from_outside(
        &self,
        stage: &RigidWorld<S>,
        (a, other): (u32, RigidBodyRef),
        books: &mut Ledger<S>,
    ) {
        let mut hold = |slot: u32, side: usize, sign: f64| {
            if stage.inert[slot as usize].is_held() {
                let torque = S::torque(self.arms[side], self.impulse) + self.twisted;
                books.held(torque * sign, self.spins[side]);
            }
        };
        hold(a, 0, 1.0);
        match other {
            RigidBodyRef::Body(b) => hold(b, 1, -1.0),
            RigidBodyRef::Fixture(_) => {
                books.push(self.place, self.impulse, self.twisted, self.velocity);
                if self.twisted != S::Angular::ZERO {
                    let work = self.twisted.dot(self.spins[1]);
                    books.work_by_kinematic.add(work);
                }
            }
        }
    }
}

/// How fast the first of each row moves and turns relative to the second.
pub(super) fn relative<S: Space>(rows: &[Row<S>], movers: &[Mover<S>]) -> Vec<Relative<S>> {
    let of = |row: &Row<S>| (row.velocity(movers), row.turning(movers));
    rows.iter().map(of).collect()
}
