//! What acts on the members of an island in a half of a step, and what contacts and joints make of it.

use super::Island;
use super::movers::Movers;
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::rigid::bodies::RigidWorld;
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::joined::{self, AIMS, Bound, poses_after};
use crate::simulate::rigid::loads::give_load;
use crate::space::Linear;

impl<S: Shaped> Core<S> {
    /// Gives the members what gravity and loads give in a time about a middle, at a place of theirs on their tracks.
    pub(super) fn kick(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        (cast, bound): (&mut Movers<S>, &Option<Bound<S>>),
        (time, middle, t): (f64, f64, f64),
        books: &mut Ledger<S>,
    ) {
        let unkicked = bound.as_ref().map(|_| cast.movers.clone());
        for (&slot, mover) in island.members.iter().zip(&mut cast.movers) {
            let mass = stage.inert[slot as usize].mass;
            let still = *mover;
            let before = mover.velocity;
            mover.velocity += stage.gravity * time;
            let mean = (before + mover.velocity) * 0.5;
            books.stepping.add(-mass * time * stage.gravity.dot(mean));
            let place = self.moving[slot as usize].track.position_at(t);
            books.flown(S::torque(place * (mass * time), stage.gravity));
            if let Some(load) = stage.load_on(slot, time, middle) {
                give_load(load, place, mover, books);
            }
            self.give_field(stage, slot, (time, middle, t), (&still, mover), books);
        }
        if let (Some(bound), Some(unkicked)) = (bound, unkicked) {
            let poses = self.poses(island, t);
            bound.pull(
                stage,
                (&poses, &unkicked),
                &mut cast.movers,
                (time, t),
                books,
            );
        }
    }

    /// Solves the rows of a first half, and joints so that they fit at the end of the step; the largest change of a
    /// velocity that was left, m/s.
    pub(super) fn solve_to_end(
        &mut self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        rows: &mut [Row<S>],
        (cast, bound): (&mut Movers<S>, &mut Option<Bound<S>>),
        books: &mut Ledger<S>,
    ) -> f64 {
        let (t, end) = (island.since, island.until);
        let was = bound.as_ref().map(|bound| bound.rates(&cast.movers));
        if let Some(bound) = bound {
            bound.aim(end - t);
        }
        for row in rows.iter() {
            row.warm(&mut cast.movers);
        }
        let mut left = self.run_solver(stage, island, rows, (&mut cast.movers, bound));
        for _ in 0..AIMS {
            let Some(joints) = bound else { break };
            let from = self.poses(island, t);
            let moved = (&from[..], &cast.movers[..cast.members]);
            let there = poses_after(stage, &island.members, moved, (t, end));
            if !joints.aim_again(joints.misfit(stage, &there, end), end - t) {
                break;
            }
            left = self.run_solver(stage, island, rows, (&mut cast.movers, bound));
        }
        if let (Some(bound), Some(was)) = (bound, was) {
            bound.enter(&was, &cast.movers, books);
        }
        left
    }

    /// Solves rows from the impulses that they have given; the largest change of a velocity that was left, m/s.
    pub(super) fn run_solver(
        &mut self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        rows: &mut [Row<S>],
        (movers, bound): (&mut [Mover<S>], &mut Option<Bound<S>>),
    ) -> f64 {
        let asked = island.asked(stage, rows, movers);
        let left = joined::solve(rows, movers, bound, asked);
        self.residual = self.residual.max(left);
        left
    }
}
