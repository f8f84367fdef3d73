//! Balls that leave their cells in the course of a day are moved on together when the day begins.
//!
//! To leave a cell changes nothing but whom a ball may meet, so that it need not be done at its time. It must not be done late, or somebody who comes near would not be
//! seen; and not so early that somebody whom the ball leaves behind is no longer seen but still touched. Two balls whose cells are not next to each other along an axis are at least the edge of
//! a cell apart, less what each of them is outside its own cell. So with edges longer than a diameter by four times the *slack*, a ball may be that far outside its cell, and such balls are still
//! further apart than a diameter, by twice the slack.
//!
//! Of some nine cells that are new around each of them, most are empty: who is in them for all balls of a day together fits into one vector, or into two, and what one of them has to wait for
//! the others do not.

use super::Planner;
use super::leave::leaves_straight;
use super::level::contact_time_here;
use super::plan::{Two, earlier};
use super::{CROSSED, Due, Made};
use crate::broad::Lattice;
use crate::simulate::sketch::limit;
use crate::simulate::stage::{Stage, Step};
use crate::space::Space;

/// So many pass on a day, at most.
const MOST: usize = 16;

/// A ball that is moved on.
#[derive(Clone, Copy)]
struct Crossing {
    slot: u32,
    /// The cell that it comes into, and the axis along which it leaves that, packed.
    cell: u32,
    /// When it leaves that, s.
    leaves: f64,
}

impl Crossing {
    const NONE: Crossing = Crossing {
        slot: 0,
        cell: 0,
        leaves: f64::INFINITY,
    };
}

/// How far along each axis a ball may be outside its cell, m.
pub(super) fn slack<S: Space>(lattices: &[Lattice<S>], largest: &[f64]) -> [f64; 3] {
    let (Some(lattice), Some(largest)) = (lattices.first(), largest.first()) else {
        return [0.0; 3];
    };
    // Cells are wider than a ball by a millionth, for rounding.
    lattice
        .size
        .map(|edge| (0.25 * (edge - 2.0 * largest * (1.0 + 1e-6))).max(0.0))
}

impl<S: Space> Planner<S> {
    /// Whether balls may be moved on ahead of time.
    #[inline(always)]
    pub(super) fn early(&self, stage: &Stage<S>) -> bool {
        self.plain && self.lists.is_none() && !stage.balls.falling
    }

    /// Moves on whoever leaves a cell today.
    #[inline(never)]
    pub(super) fn cross_today(&mut self, stage: &Stage<S>) -> Option<(f64, Step)> {
        let (passing, number) = self.queue.passing();
        let now = self.now;
        let mut crossings = [Crossing::NONE; MOST];
        let mut crossed = 0;
        self.candidates.clear();
        self.others.clear();
        self.limits.clear();
        let cells = &mut self.levels.first_mut()?.cells;
        for &(member, stamp) in passing.iter().take(number) {
            let plan = &mut self.plans[member as usize];
            // Who is named twice has been moved on already.
            if plan.stamp != stamp {
                continue;
            }
            let ball = &stage.balls.hot[member as usize];
            let axis = (plan.cell >> 30) as usize % S::DIMENSION;
            let rate = S::components(ball.velocity)[axis];
            let up = rate > 0.0;
            let (word, wraps) = cells.lattice.next_packed(plan.cell, axis, up);
            let outside = (plan.next - now) * rate.abs();
            if wraps | !(outside <= self.slack[axis]) {
                let (time, plans, early) = (plan.next, &self.plans, false);
                let due = Due {
                    time,
                    member,
                    stamp,
                };
                self.queue.push(
                    due,
                    &Made {
                        plans,
                        stage,
                        early,
                    },
                );
                continue;
            }
            let next = Lattice::<S>::unpack(word);
            plan.stamp = stamp.wrapping_add(1);
            let within = limit(plan.two.second - now).to_bits();
            cells.step(next, axis, up, member, &mut self.candidates);
            let number = self.candidates.len();
            self.others.fill_up(number, member);
            self.limits.fill_up(number, within);
            let (leaves, axis, _) = leaves_straight(ball, &cells.lattice, next);
            crossings[crossed % MOST] = Crossing {
                slot: member,
                cell: word | (axis as u32) << 30,
                leaves,
            };
            crossed += 1;
        }
        self.ask_in_pairs(stage);
        for crossing in crossings.iter().take(crossed) {
            let plan = &mut self.plans[crossing.slot as usize];
            plan.next = earlier(plan.two.first, crossing.leaves);
            plan.cell = crossing.cell;
            self.enter(stage, crossing.slot as usize);
        }
        self.count_crossed(crossed as u32, crossings[0].slot)
    }

    /// Asks `candidates` for whom the `others` come near when they touch: hardly ever before what is known.
    #[inline(always)]
    fn ask_in_pairs(&mut self, stage: &Stage<S>) {
        let (now, number) = (self.now, self.candidates.len());
        self.sketches.see_to_margins(now);
        let eights = self.candidates.eights(0).iter();
        let eights = eights.zip(self.others.eights(0)).zip(self.limits.eights(0));
        for (at, ((others, own), limits)) in eights.enumerate() {
            let (bits, waits) = self.sketches.pairs_within::<S>([own, others], limits, now);
            let mut bits = bits & (u32::MAX >> (32 - (number - 8 * at).min(8)));
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize & 7;
                bits &= bits - 1;
                let (slot, partner) = (own[lane] as usize, others[lane]);
                if partner == own[lane] {
                    continue;
                }
                let plan = &mut self.plans[slot];
                let not_before = now + f64::from(waits[lane]);
                if not_before > plan.two.first {
                    // Nobody needs to know it better.
                    plan.two.add_later(not_before, partner);
                } else {
                    let time = contact_time_here::<S, true>(&stage.balls, slot, partner, now);
                    let Two {
                        first,
                        partner: known,
                        ..
                    } = plan.two;
                    plan.two.add(stage, slot, time, partner);
                    if (plan.two.first, plan.two.partner) != (first, known) {
                        plan.made = now;
                    }
                }
            }
        }
    }

    /// Counts cells that balls have left; now and then somebody is told.
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
