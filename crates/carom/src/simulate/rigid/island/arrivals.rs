//! Impacts within an island: when the first one is, and what it does.

use super::Island;
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::islands::Impulses;
use crate::simulate::rigid::account::{Before, Relative, enter, relative};
use crate::simulate::rigid::bodies::RigidWorld;
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::joined::Bound;
use crate::space::Linear;

/// Bodies, and what joins them.
type Impacted<'a, S> = (&'a mut [Mover<S>], &'a mut Option<Bound<S>>);

/// How often the share of a rebound that puts in no energy is halved.
const SHARES: usize = 8;

/// The energy that points put in by what they did since they moved as they did before, beyond what rounding makes, J.
fn gained<S: Shaped>(rows: &[Row<S>], before: &[Relative<S>], movers: &[Mover<S>]) -> f64 {
    let (mut gained, mut moved) = (0.0, 0.0);
    for (row, before) in rows.iter().zip(before) {
        let impulse = row.given().along(row.normal);
        let work = [before.0, row.velocity(movers)].map(|velocity| 0.5 * impulse.dot(velocity));
        let turning = [before.1, row.turning(movers)].map(|turning| 0.5 * row.twisted.dot(turning));
        gained += work[0] + work[1] + turning[0] + turning[1];
        moved += work[0].abs() + work[1].abs();
    }
    gained - ROUNDING * moved
}

/// Of what is done at a point: what the solver leaves is far less.
const ROUNDING: f64 = 1e-6;

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
        let arrives =
            |(row, wanted): (&Row<S>, &f64)| row.normal_velocity(movers) < wanted - stage.still;
        if !rows.iter().zip(wanted).any(arrives) {
            return None;
        }
        let before = relative(rows, movers);
        let still = movers.to_vec();
        let was = bound.as_ref().map(|bound| bound.rates(movers));
        let mut answer = |share: f64| {
            let mut rows = rows.to_vec();
            for (row, &wanted) in rows.iter_mut().zip(wanted) {
                row.wanted = if wanted > 0.0 { share * wanted } else { wanted };
            }
            movers.copy_from_slice(&still);
            if let Some(bound) = bound {
                bound.given.fill(0.0);
            }
            for row in &rows {
                row.warm(movers);
            }
            self.run_solver(stage, island.crowd, &mut rows, (movers, bound));
            let gains = gained(&rows, &before, movers) > owed;
            (rows, gains)
        };
        let (mut rows, gains) = answer(1.0);
        if gains && wanted.iter().any(|&wanted| wanted > 0.0) {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..SHARES {
                let middle = 0.5 * (low + high);
                if answer(middle).1 {
                    high = middle
                } else {
                    low = middle
                }
            }
            rows = answer(low).0;
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
