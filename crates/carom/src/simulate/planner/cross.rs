//! Balls that leave their cells in the course of a day are moved on together when the day begins.
//!
//! To leave a cell changes nothing but which bodies a ball may meet, so that it need not be done at its time. It must
//! not be done late, or a body that comes near would not be seen; and not so early that one that the ball leaves behind
//! is no longer seen but still touched. Two balls whose cells are not next to each other along an axis are at least the
//! edge of a cell apart, less what each of them is outside its own cell. So with edges longer than a diameter by
//! somewhat more than twice the *slack*, a ball may be that far outside its cell, and such balls are still further
//! apart than a diameter.
//!
//! Of some nine cells that are new around each of them, most are empty: what is in them for all balls of a day together
//! fits into one vector, or into two, and what one of them has to wait for the others do not.

use super::CROSSED;
use super::Planner;
use super::leave::leaves_straight;
use super::level::contact_time_here;
use super::plan::earlier;
use crate::arrays::Each;
use crate::broad::Lattice;
use crate::impact::Strikable;
use crate::simulate::bodies::{Bodies, Step};
use crate::simulate::float_filter::limit;
use crate::space::Space;
use crate::vectors::Vectors;

/// So many pass on a day, at most.
const MOST: usize = 16;

/// How far along each axis a ball may be outside its cell, m.
pub(super) fn slack<S: Space>(lattices: &[Lattice<S>], largest: &[f64]) -> [f64; 3] {
    let (Some(lattice), Some(largest)) = (lattices.first(), largest.first()) else {
        return [0.0; 3];
    };
    // Cells are wider than a ball by a millionth, for rounding.
    lattice
        .size
        .each(|edge| (0.48 * (edge - 2.0 * largest * (1.0 + 1e-6))).max(0.0))
}

impl<S: Strikable> Planner<S> {
    /// Whether balls may be moved on ahead of time.
    #[inline(always)]
    pub(super) fn early(&self, stage: &Bodies<S>) -> bool {
        self.plain && self.lists.is_none() && !stage.balls.falling
    }

    /// Moves on the balls that leave a cell today.
    #[inline(always)]
    pub(super) fn cross_today<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
    ) -> Option<(f64, Step)> {
        vectors.run_apart(
            #[inline(always)]
            move || self.cross_today_with(vectors, stage),
        )
    }

    #[inline(always)]
    fn cross_today_with<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
    ) -> Option<(f64, Step)> {
        let (passing, number) = self.queue.passing();
        let (now, mut crossed) = (self.now, 0);
        self.candidates.clear();
        self.others.clear();
        self.limits.clear();
        for &(member, stamp) in &passing[..number.min(MOST)] {
            let plan = &mut self.plans[member as usize];
            // A ball that is named twice has been moved on already.
            if plan.stamp != stamp {
                continue;
            }
            let cells = &mut self.levels[0].cells;
            let ball = &stage.balls.hot[member as usize];
            let axis = (plan.cell >> 30) as usize % S::DIMENSION;
            let rate = S::components(ball.velocity)[axis];
            let up = rate > 0.0;
            let (word, wraps) = cells.lattice.next_packed(plan.cell, axis, up);
            let outside = (plan.next - now) * rate.abs();
            if wraps | !(outside <= self.slack[axis]) {
                self.enter(stage, member as usize);
                continue;
            }
            let next = Lattice::<S>::unpack(word);
            let (leaves, leaves_along, _) = leaves_straight(vectors, ball, &cells.lattice, next);
            let within = limit(plan.two.second - now).to_bits();
            plan.cell = word | (leaves_along as u32) << 30;
            plan.next = earlier(plan.two.first, leaves);
            cells.step(next, axis, up, member, &mut self.candidates);
            let number = self.candidates.len();
            self.others.fill_up(number, member);
            self.limits.fill_up(number, within);
            self.file(stage, member as usize);
            crossed += 1;
        }
        self.predict_in_pairs(vectors, stage);
        self.count_crossed(crossed, passing[0].0)
    }

    /// Asks `candidates` to which the `others` come near when they touch: hardly ever before what is known. Then what
    /// has been filed is filed anew.
    #[inline(always)]
    fn predict_in_pairs<V: Vectors>(&mut self, vectors: V, stage: &Bodies<S>) {
        let (now, number) = (self.now, self.candidates.len());
        self.float_filter.see_to_margins(now);
        let eights = number.div_ceil(8);
        self.candidates.eights(0);
        self.others.eights(0);
        self.limits.eights(0);
        for at in 0..eights {
            let [Some(others), Some(own), Some(limits)] =
                [&self.candidates, &self.others, &self.limits].each(|list| list.eight(at))
            else {
                return;
            };
            let (bits, waits) =
                self.float_filter
                    .pairs_within::<S, V>(vectors, [own, others], limits, now);
            let mut bits = bits & (u32::MAX >> (32 - (number - 8 * at).min(8)));
            let (own, others) = (*own, *others);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize & 7;
                bits &= bits - 1;
                if others[lane] != own[lane] {
                    let not_before = now + f64::from(waits[lane]);
                    self.predict_one(vectors, stage, own[lane] as usize, others[lane], not_before);
                }
            }
        }
    }

    /// Asks one ball when it touches another, which it does not before a time.
    #[inline(always)]
    fn predict_one<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        not_before: f64,
    ) {
        let now = self.now;
        let plan = &mut self.plans[slot];
        if not_before > plan.two.first {
            // It need not be known better.
            plan.two.add_later(not_before, partner);
            return;
        }
        let balls = &stage.balls;
        let time = contact_time_here::<S, V, true>(vectors, balls, slot, partner, now);
        let known = (plan.two.first, plan.two.partner);
        plan.two.add(stage, slot, time, partner);
        if (plan.two.first, plan.two.partner) != known {
            plan.made = now;
        }
        if plan.two.first < plan.next {
            plan.next = plan.two.first;
            self.file(stage, slot);
        }
    }

    /// Counts cells that balls have left; now and then the run is notified.
    #[inline(always)]
    pub(super) fn count_crossed(&mut self, cells: u32, ball: u32) -> Option<(f64, Step)> {
        self.crossed += cells;
        if self.crossed < CROSSED {
            return None;
        }
        let cells = u64::from(std::mem::take(&mut self.crossed));
        Some((self.now, Step::Crossed { ball, cells }))
    }
}
