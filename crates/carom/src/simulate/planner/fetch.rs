//! Memory that will be needed soon.

use super::Planner;
use super::plan::{Plan, SCENERY};
use crate::arrays::Each;
use crate::broad::{Lattice, Lists};
use crate::impact::Strikable;
use crate::simulate::bodies::Bodies;
use prefetch_index::prefetch_index;

/// Runs of fewer balls are nearly at hand.
const FAR: usize = 20_000;

/// Of fewer, all cells are at hand.
const SOME: usize = 4_000;

impl<S: Strikable> Planner<S> {
    /// Fetches what the balls will need that are due on the next days: further ahead, and more of it, where they are
    /// many.
    #[inline(always)]
    pub(super) fn fetch_ahead(&mut self, stage: &Bodies<S>) {
        if self.plans.len() < FAR {
            self.fetch_near(stage);
        } else {
            self.fetch_far(stage);
        }
    }

    /// What they are going to do, the day after tomorrow; tomorrow, where they are and what they meet.
    #[inline(always)]
    fn fetch_near(&mut self, stage: &Bodies<S>) {
        let in_days = |days: i64| self.queue.day().saturating_add(days);
        if self.lists.is_some() {
            return self.fetch::<false>(stage, [2, 1, 0]);
        }
        // No loop depends on how many they are: that costs more than what is fetched in vain.
        for slot in self.queue.named_eight(in_days(2)) {
            prefetch_index(&self.plans, slot as usize);
        }
        let cells =
            (self.plans.len() > SOME && self.level_of.is_empty()).then(|| &self.levels[0].cells);
        for slot in self.queue.named_eight(in_days(1)) {
            let Plan { two, cell, .. } = &self.plans[slot as usize];
            self.fetch_pair(stage, slot, two.partner);
            if let Some(cells) = cells {
                cells.fetch_own(Lattice::<S>::unpack(*cell), slot);
            }
        }
    }

    #[inline(never)]
    fn fetch_far(&mut self, stage: &Bodies<S>) {
        self.fetch::<true>(stage, [4, 3, 2]);
    }

    /// In two or three steps, so many days ahead, each of which would otherwise wait for the one before: what they are
    /// going to do; where they are, what they meet and what is around; and what those do, as far as lists tell without
    /// much ado.
    #[inline(always)]
    fn fetch<const MANY: bool>(&mut self, stage: &Bodies<S>, days: [i64; 3]) {
        // Days have no end, but their numbers do: see `CalendarQueue::day_of`.
        let [first, second, third] = days.each(|days| self.queue.day().saturating_add(days));
        for &slot in self.queue.named(first) {
            prefetch_index(&self.plans, slot as usize);
        }
        for &slot in self.queue.named(second) {
            let Plan {
                two, next, cell, ..
            } = &self.plans[slot as usize];
            if !self.queue.falls_on(*next, second) {
                continue;
            }
            self.fetch_pair(stage, slot, two.partner);
            match &self.lists {
                Some(lists) => {
                    lists.fetch(slot as usize);
                    lists.fetch(two.partner as usize);
                }
                None if MANY => {
                    let cells = &self.levels[self.level(slot as usize)].cells;
                    cells.fetch(Lattice::<S>::unpack(*cell));
                }
                None => {}
            }
        }
        if let (true, Some(lists)) = (MANY, &self.lists) {
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

    /// Where two balls are, what the second does, and which they are. What is no slot does no harm.
    #[inline(always)]
    fn fetch_pair(&self, stage: &Bodies<S>, slot: u32, partner: u32) {
        let (slot, partner) = (slot as usize, partner as usize);
        prefetch_index(&stage.balls.hot, slot);
        prefetch_index(&stage.balls.hot, partner);
        prefetch_index(&self.plans, partner);
        prefetch_index(&stage.balls.ids, slot);
        prefetch_index(&stage.balls.ids, partner);
    }

    #[inline(always)]
    fn fetch_around(&self, lists: &Lists<S>, slot: u32) {
        for &other in lists.first(slot as usize) {
            self.float_filter.fetch(other as usize);
        }
    }
}
