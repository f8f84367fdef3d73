//! Memory that will be needed soon.

use super::Planner;
use super::plan::{Plan, SCENERY};
use crate::broad::{Lattice, Lists};
use crate::simulate::stage::Stage;
use crate::space::Space;
use prefetch_index::prefetch_index;

/// Runs of fewer balls are nearly at hand.
const FAR: usize = 20_000;

impl<S: Space> Planner<S> {
    /// Fetches what the balls will need that are due on the next days: further ahead, and more of it, where they are many.
    #[inline(always)]
    pub(super) fn fetch_ahead(&mut self, stage: &Stage<S>) {
        if self.plans.len() < FAR {
            self.fetch::<false>(stage);
        } else {
            self.fetch_far(stage);
        }
        self.fetched = self.queue.day();
    }

    #[inline(never)]
    fn fetch_far(&mut self, stage: &Stage<S>) {
        self.fetch::<true>(stage);
    }

    /// In two or three steps, each of which would otherwise wait for the one before: what they are going to do; where they are, whom they meet and who is
    /// around; and what those do, as far as lists tell without much ado.
    #[inline(always)]
    fn fetch<const MANY: bool>(&mut self, stage: &Stage<S>) {
        // Days have no end, but their numbers do: see `CalendarQueue::day_of`.
        let in_days = |days: i64| self.queue.day().saturating_add(days);
        let (first, second) = match MANY {
            true => (in_days(6), in_days(4)),
            false => (in_days(2), in_days(1)),
        };
        for &slot in self.queue.named(first) {
            prefetch_index(&self.plans, slot as usize);
        }
        let hot = &stage.balls.hot;
        for &slot in self.queue.named(second) {
            let Plan {
                two, next, cell, ..
            } = &self.plans[slot as usize];
            if !self.queue.falls_on(*next, second) {
                continue;
            }
            // What is no slot does no harm.
            let partner = two.partner as usize;
            prefetch_index(hot, slot as usize);
            prefetch_index(hot, partner);
            prefetch_index(&self.plans, partner);
            prefetch_index(&stage.balls.ids, slot as usize);
            prefetch_index(&stage.balls.ids, partner);
            match &self.lists {
                Some(lists) => {
                    lists.fetch(slot as usize);
                    lists.fetch(partner);
                }
                None if MANY => {
                    let cells = &self.levels[self.level(slot as usize)].cells;
                    cells.fetch(Lattice::<S>::unpack(*cell));
                }
                None => {}
            }
        }
        if let (true, Some(lists)) = (MANY, &self.lists) {
            let third = in_days(2);
            for &slot in self.queue.named(third) {
                let Plan { two, next, .. } = &self.plans[slot as usize];
                if self.queue.falls_on(*next, third) {
                    self.fetch_around(lists, slot);
                    if two.partner & SCENERY == 0 && two.first == *next {
                        self.fetch_around(lists, two.partner);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn fetch_around(&self, lists: &Lists<S>, slot: u32) {
        for &other in lists.first(slot as usize) {
            self.sketches.fetch(other as usize);
        }
    }
}
