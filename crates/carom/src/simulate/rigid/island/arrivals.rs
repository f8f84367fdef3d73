//! Impacts within an island: when the first one is, and what it does.

use super::Island;
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::islands::{Impulses, share_within};
use crate::simulate::rigid::account::{Before, Relative, enter, relative};
use crate::simulate::rigid::bodies::RigidWorld;
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::joined::Bound;
use crate::space::Linear;

/// Bodies, and what joins them.
type Impacted<'a, S> = (&'a mut [Mover<S>], &'a mut Option<Bound<S>>);

/// The energy that points put in by what they did since they moved as they did before, and how much was moved to and
/// fro for that, J.
fn gained<S: Shaped>(rows: &[Row<S>], before: &[Relative<S>], movers: &[Mover<S>]) -> (f64, f64) {
    let (mut gained, mut moved) = (0.0, 0.0);
    for (row, before) in rows.iter().zip(before) {
        let impulse = row.given().along(row.normal);
        let work = [before.0, row.velocity(movers)].map(|velocity| 0.5 * impulse.dot(velocity));
        let turning = [before.1, row.turning(movers)].map(|turning| 0.5 * row.twisted.dot(turning));
        gained += work[0] + work[1] + turning[0] + turning[1];
        moved += work[0].abs() + work[1].abs();
    }
    (gained, moved)
}

/// Of what is done at a point: what the solver leaves is far less.
const ROUNDING: f64 = 1e-6;

/// What rows have given and how movers move then, with the multipliers of joints.
type Answer<S> = (Vec<Row<S>>, Vec<Mover<S>>, Vec<f64>);

/// A share of one answer, and the rest of another one.
fn mixed<S: Shaped>(share: f64, all: &Answer<S>, none: &Answer<S>) -> Answer<S> {
    let rest = 1.0 - share;
    let (mut rows, mut movers, mut given) = all.clone();
    for (row, other) in rows.iter_mut().zip(&none.0) {
        let given = row.given().times(share).plus(&other.given().times(rest));
        row.begin_with(&given);
    }
    for (mover, other) in movers.iter_mut().zip(&none.1) {
        if mover.inverse_mass > 0.0 {
            mover.velocity = mover.velocity * share + other.velocity * rest;
            let spins = [
                mover.angular_velocity * share,
                other.angular_velocity * rest,
            ];
            mover.angular_velocity = spins[0] + spins[1];
        }
    }
    for (given, other) in given.iter_mut().zip(&none.2) {
        *given = *given * share + other * rest;
    }
    (rows, movers, given)
}

impl<S: Shaped> Core<S> {
    /// After which time the first of the points of an island is struck fast that were apart, s: the step ends there, so
    /// that the impact takes place where and as fast as it does.
    pub(super) fn first_arrival(&self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) -> f64 {
        let least = 1e-3 * stage.settling.step;
        let mut first = f64::INFINITY;
        for hold in &island.holds {
            let restitution = stage.surface(hold.a, hold.other).restitution;
            for spot in hold.spots.iter().filter(|spot| spot.gap > 0.0) {
                let closing = self.closing(stage, hold.a, hold.other, spot, t);
                let time = spot.gap / closing;
                let slow = || {
                    let place = (spot.place, spot.normal);
                    self.slow_at(stage, hold.pair(), place, restitution, t)
                };
                if time >= least && closing > slow() {
                    first = first.min(time);
                }
            }
        }
        first
    }

    /// Stops what would come too near in a step, before gravity does anything: impacts within an island. What gravity
    /// asks of the contacts is asked of them afterwards, so that neither is taken for the other, in the budget and
    /// where solves begin. The normal impulses, where there was anything to stop.
    ///
    /// `later` (s) is for how long gravity has acted since it was last given: an impact at the end of a step is that
    /// much faster than its points are here, and loses that much more.
    ///
    /// Newton's restitution, `u_n = −ε u_n⁻` at each point by itself, may put in energy where points are coupled: a box
    /// that rebounds from the floor while another still presses it down would push that one with all it needs to
    /// rebound. As for several points of one blow (`response/several.rs`) the rebound is then made smaller, at all
    /// points alike, until the impact as a whole puts in nothing: no more than `owed` (J), which the points that
    /// rebound now lost when they were slowed down at the beginning of the step.
    ///
    /// Longer than most: the answer, and what each point of it costs, over rows that they share.
    pub(super) fn stop_arrivals(
        &mut self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        (rows, whose): (&[Row<S>], &[(usize, usize)]),
        wanted: &[f64],
        ((movers, bound), t, later): (Impacted<'_, S>, f64, f64),
        (owed, books): (f64, &mut Ledger<S>),
    ) -> Option<Vec<f64>> {
        // What a heap's solver leaves has not arrived.
        let still = stage.still.max(island.left_by_solver(stage));
        let arrives = |(row, wanted): (&Row<S>, &f64)| row.normal_velocity(movers) < wanted - still;
        if !rows.iter().zip(wanted).any(arrives) {
            return None;
        }
        let before = relative(rows, movers);
        let still = movers.to_vec();
        let was = bound.as_ref().map(|bound| bound.rates(movers));
        let mut answer = |rebounds: bool| -> Answer<S> {
            let mut rows = rows.to_vec();
            for (row, &wanted) in rows.iter_mut().zip(wanted) {
                row.wanted = if rebounds { wanted } else { wanted.min(0.0) };
            }
            let mut movers = still.clone();
            if let Some(bound) = bound {
                bound.given.fill(0.0);
            }
            for row in &rows {
                row.warm(&mut movers);
            }
            self.run_solver(stage, island, &mut rows, (&mut movers, bound));
            let given = bound.as_ref().map(|bound| bound.given.clone());
            (rows, movers, given.unwrap_or_default())
        };
        let mut all = answer(true);
        let (gains, moved) = gained(&all.0, &before, &all.1);
        let most = owed + ROUNDING * moved;
        if gains > most && wanted.iter().any(|&wanted| wanted > 0.0) {
            let none = answer(false);
            let half = mixed(0.5, &all, &none);
            let gains = [&none, &half, &all].map(|it| gained(&it.0, &before, &it.1).0);
            all = mixed(share_within(gains, most), &all, &none);
        }
        let (rows, moves, given) = all;
        movers.copy_from_slice(&moves);
        if let Some(bound) = bound {
            bound.given.copy_from_slice(&given);
        }
        let nothing = vec![Impulses::default(); rows.len()];
        let before = Before {
            had: &nothing,
            unkicked: &before,
            kicked: &before,
        };
        enter(stage, island, (&rows, whose), &before, movers, books);
        if let (Some(bound), Some(was)) = (bound, was) {
            bound.enter(&was, movers, books);
        }
        for row in &rows {
            let free = row
                .bodies
                .map(|body| movers[body as usize].inverse_mass > 0.0);
            if later > 0.0 && free[0] != free[1] {
                let body = row.bodies[usize::from(free[1])] as usize;
                let slot = island.members[body];
                let mut pull = stage.gravity;
                if let Some((force, _)) = stage.load_on(slot, 1.0, t) {
                    pull += force * movers[body].inverse_mass;
                }
                let pose = self.moving[slot as usize].track.pose_at(t);
                // What fields without a potential (drag, wind) give in that time is entered as theirs, not as what
                // stepping costs.
                let mut others = S::Vector::ZERO;
                if let Some(force) = stage.field_on(slot, t, &pose, movers[body]) {
                    pull += force.potential * movers[body].inverse_mass;
                    others = force.other * movers[body].inverse_mass;
                }
                let later = if free[0] { later } else { -later };
                let faster = (pull + others) * later;
                let (pressed, rubbed) = (row.normal * row.pressed, row.rubbed);
                books.settling.add(-pressed.dot(faster));
                books.rubbed(-rubbed.dot(faster));
                books.stepping.add((pressed + rubbed).dot(pull * later));
                books.lasting[3].add((pressed + rubbed).dot(others * later));
            }
        }
        Some(rows.iter().map(|row| row.pressed).collect())
    }
}
