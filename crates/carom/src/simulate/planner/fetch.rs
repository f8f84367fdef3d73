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
        let today = self.queue.day();
        let (first, second) = if MANY { (6, 4) } else { (2, 1) };
        // The last day there is has none after it: times too large for the calendar's count of days are all on it.
        let [first, second] = [first, second].map(|later| today.saturating_add(later));
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
            let next_but_one = today.saturating_add(2);
            for &slot in self.queue.named(next_but_one) {
                let Plan { two, next, .. } = &self.plans[slot as usize];
                if self.queue.falls_on(*next, next_but_one) {
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
