//! Rebounds at the end of a step give no more than was taken when the members met.
//!
//! Each contact rebounds from the speed at which its two would have met, had nothing else acted on them. Many contacts
//! that are answered together slow each other down, so that all of these speeds at once can hold more energy than
//! there was. Let 0 be the answer without rebounds and 1 the one with all of them: both keep every gap, so does every
//! mixture `(1 − λ)·0 + λ·1`, and what the contacts give along their normals is a polynomial of the second degree in λ.
//! The largest λ that gives no more than was taken is the answer.

use super::contacts::Problem;
use crate::response::several::Mover;
use crate::simulate::islands::{Impulses, share_within};
use crate::space::{Linear, Space};

impl<S: Space> Problem<S> {
    /// What its contacts gave along their normals since, with the velocities before, J.
    pub fn given(&self, before: &[Mover<S>], had: &[Impulses<S>]) -> f64 {
        let rows = self.rows.iter().zip(had);
        let work = rows.map(|(row, had)| {
            let mean = (row.velocity(before) + row.velocity(&self.movers)) * 0.5;
            (row.normal * (row.pressed - had.pressed)).dot(mean)
        });
        work.sum()
    }

    /// The mixture with the answer without rebounds that gives no more than so much, J.
    pub fn restrain(
        &mut self,
        quiet: &Problem<S>,
        before: &[Mover<S>],
        had: &[Impulses<S>],
        most: f64,
    ) {
        let all = self.given(before, had);
        let none = quiet.given(before, had);
        let mut half = self.clone();
        half.mix(quiet, 0.5);
        let half = half.given(before, had);
        let share = share_within([none, half, all], most);
        self.mix(quiet, share);
    }

    /// A share of this, and the rest of another one.
    fn mix(&mut self, other: &Problem<S>, share: f64) {
        let rest = 1.0 - share;
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            let given = row.given().times(share).plus(&other.given().times(rest));
            row.begin_with(&given);
        }
        for (mover, other) in self.movers.iter_mut().zip(&other.movers) {
            if mover.inverse_mass > 0.0 {
                mover.velocity = mover.velocity * share + other.velocity * rest;
                mover.angular_velocity =
                    mover.angular_velocity * share + other.angular_velocity * rest;
            }
        }
    }
}
