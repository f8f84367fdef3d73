//! Impacts within an island: when the first one is, and what it does.

use super::Island;
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::rigid::account::{Before, enter, relative};
use crate::simulate::rigid::bodies::RigidWorld;
use crate::simulate::rigid::core::Core;
use crate::space::Linear;

impl<S: Shaped> Core<S> {
    /// After which time the first of the points of an island is struck fast that were apart, s: the step ends there, so
    /// that the impact takes place where and as fast as it does.
    pub(super) fn first_arrival(&self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) -> f64 {
        let least = 1e-3 * stage.settling.step;
        let mut first = f64::INFINITY;
        for hold in &island.holds {
            let slow = stage.slow_for(stage.surface(hold.a, hold.other).restitution);
            for spot in hold.spots.iter().filter(|spot| spot.gap > 0.0) {
                let closing = self.closing(stage, hold.a, hold.other, spot, t);
                let time = spot.gap / closing;
                if closing > slow && time >= least {
                    first = first.min(time);
                }
            }
        }
        first
    }

    /// Stops what would come too near in a step, before gravity does anything: impacts within an island. What gravity
    /// asks of the contacts is asked of them afterwards, so that neither is taken for the other, in the budget and where
    /// solves begin. The normal impulses, where there was anything to stop.
    ///
    /// `later` (s) is for how long gravity has acted since it was last given: an impact at the end of a step is that
    /// much faster than its points are here, and loses that much more.
    pub(super) fn stop_arrivals(
        &mut self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        (rows, whose): (&[Row<S>], &[(usize, usize)]),
        wanted: &[f64],
        (movers, t, later): (&mut [Mover<S>], f64, f64),
        books: &mut Ledger<S>,
    ) -> Option<Vec<f64>> {
        let arrives =
            |(row, wanted): (&Row<S>, &f64)| row.normal_velocity(movers) < wanted - stage.still;
        if !rows.iter().zip(wanted).any(arrives) {
            return None;
        }
        let mut rows = rows.to_vec();
        for (row, wanted) in rows.iter_mut().zip(wanted) {
            row.wanted = *wanted;
        }
        let before = relative(&rows, movers);
        self.run_solver(stage, island.crowd, &mut rows, movers);
        let nothing = vec![(0.0, S::Vector::ZERO, S::Angular::ZERO); rows.len()];
        let before = Before {
            had: &nothing,
            unkicked: &before,
            kicked: &before,
        };
        enter(stage, island, (&rows, whose), &before, (movers, t), books);
        for row in &rows {
            let free = row
                .bodies
                .map(|body| movers[body as usize].inverse_mass > 0.0);
            if later > 0.0 && free[0] != free[1] {
                let faster = stage.gravity * if free[0] { later } else { -later };
                let (pressed, rubbed) = (row.normal * row.pressed, row.rubbed);
                books.settling.add(-pressed.dot(faster));
                books.rubbed(-rubbed.dot(faster));
                books.stepping.add((pressed + rubbed).dot(faster));
            }
        }
        Some(rows.iter().map(|row| row.pressed).collect())
    }
}
