//! How closely the contacts of a crowd are solved.
//!
//! Elsewhere contacts are solved to next to nothing. In a heap that collapses this takes more rounds than there are
//! contacts, in each half of each step, for digits that the next step does not need: impulses go on from step to step,
//! so that what comes to rest is solved better and better, and what moves is another problem by then. So a crowd gets a
//! few rounds each time. What these leave of velocities lets bodies approach by a little within a step: its members are
//! kept apart by so much ([`Island::margin`]), and overlaps, which `project.rs` has to take back, are rarer. A margin
//! that has been used up is regained bit by bit: all of it at once would throw the members apart.

use super::Island;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::{Row, rounds};
use crate::simulate::rigid::bodies::RigidWorld;
use crate::space::Linear;

/// How far members are kept apart, as a share of how thin the thinnest is, and of how far apart two touch that settle:
/// what is kept apart by that counts as touching.
const MARGIN: f64 = 2e-4;
const OF_SETTLED: f64 = 0.3;

/// What is regained in a step of a margin that has been used up, as a share.
const REGAINED: f64 = 0.1;

/// What a solver may leave: the velocity that uses up this share of the margin in a step.
const LEFT: f64 = 0.5;

/// Rounds of a solver.
const ROUNDS: usize = 20;

/// Of the fastest body of a crowd: what a solver leaves of that in a step is far below what bodies are put right by.
const LOOSE: f64 = 1e-4;

/// The same for blows, in units of the speed below which two that meet keep touching; what is faster is struck again.
const LEFT_OF_BLOW: f64 = 0.01;
const ROUNDS_OF_BLOW: usize = 40;

impl<S: Shaped> RigidWorld<S> {
    /// How much the solver of a blow at so many points may leave of a velocity, m/s, and in how many rounds at most; to
    /// a crowd, or to others.
    pub(in crate::simulate::rigid) fn asked_of_blow(
        &self,
        crowd: bool,
        rows: usize,
    ) -> (f64, usize) {
        let most = rounds(self.settling.iterations, rows);
        let least = self.tolerance(rows);
        if crowd {
            (
                least.max(LEFT_OF_BLOW * self.slow),
                most.min(ROUNDS_OF_BLOW),
            )
        } else {
            (least, most)
        }
    }
}

impl<S: Shaped> Island<S> {
    /// Whether it is solved in few rounds. In 3-D heaps of boxes that are solved so do not come to rest: there is more
    /// that friction has to hold, and 300 boxes were still awake after 5 s.
    pub(super) fn is_hasty(&self) -> bool {
        self.crowd && S::DIMENSION == 2
    }

    /// How far members are kept apart that touch, m.
    pub(super) fn margin(&self, stage: &RigidWorld<S>) -> f64 {
        // Where nothing pulls, no bounce is slow, and nothing is told from touching by how near it is.
        if !self.is_hasty() || stage.slow == 0.0 {
            return 0.0;
        }
        let depths = (self.members.iter()).map(|&slot| stage.inert[slot as usize].depth);
        let thinnest = depths.fold(f64::INFINITY, f64::min);
        (MARGIN * thinnest).min(OF_SETTLED * self.settled_gap(stage))
    }

    /// How much of a velocity is left because of the margin, m/s.
    pub(super) fn left_by_solver(&self, stage: &RigidWorld<S>) -> f64 {
        LEFT * self.margin(stage) / stage.settling.step
    }

    /// How much a solver may leave of a velocity, m/s, and in how many rounds at most.
    pub(super) fn asked(
        &self,
        stage: &RigidWorld<S>,
        rows: &[Row<S>],
        movers: &[Mover<S>],
    ) -> (f64, usize) {
        let most = rounds(stage.settling.iterations, rows.len());
        let least = stage.tolerance(rows.len());
        let margin = self.margin(stage);
        if !self.crowd {
            return (least, most);
        }
        let fastest = movers.iter().map(|mover| mover.velocity.length());
        let loose = LOOSE * fastest.fold(0.0, f64::max);
        let tolerance = least.max(loose).max(self.left_by_solver(stage));
        let rounds = if margin > 0.0 { most.min(ROUNDS) } else { most };
        (tolerance, rounds)
    }
}

/// How fast two that are a gap (m) apart may approach, or are to part, so that they are a margin apart after a step,
/// m/s.
pub(super) fn rate_to(margin: f64, gap: f64, span: f64) -> f64 {
    let gap = gap.max(0.0);
    if gap >= margin {
        (margin - gap) / span
    } else {
        REGAINED * (margin - gap) / span
    }
}
