//! Memory that will be needed soon.

use super::Planner;
use super::plan::{Plan, SCENERY};
use crate::broad::Lattice;
use crate::simulate::stage::Stage;
use crate::space::Space;
use prefetch_index::prefetch_index;

/// Runs of fewer balls are nearly at hand.
const FAR: usize = 20_000;

impl<S: Space> Planner<S> {
    /// Fetches what the balls will need that are due on the next days.
    #[inline(always)]
    pub(super) fn fetch_ahead(&mut self, stage: &Stage<S>) {
        match self.plans.len() < FAR {
            true => self.fetch_near(stage),
            false => self.fetch_far(stage),
        }
    }

    /// The same from the next level of the caches: what they are going to do the day after tomorrow, where they are and whom they meet tomorrow.
    #[inline(always)]
    fn fetch_near(&mut self, stage: &Stage<S>) {
        let today = self.queue.day();
        self.fetched = today;
        for &slot in self.queue.named(today + 2) {
            prefetch_index(&self.plans, slot as usize);
        }
        let hot = &stage.balls.hot;
        for &slot in self.queue.named(today + 1) {
            let Plan { two, next, .. } = &self.plans[slot as usize];
            if !self.queue.falls_on(*next, today + 1) {
                continue;
            }
            prefetch_index(hot, slot as usize);
            // What is no slot does no harm.
            let partner = two.partner as usize;
            prefetch_index(hot, partner);
            prefetch_index(&self.plans, partner);
            if let Some(lists) = &self.lists {
                lists.fetch(slot as usize);
                lists.fetch(partner);
            }
        }
    }

    /// The same from memory, in three steps: who they are, who is around them, and what those
    /// do. In a large run nothing of it would be at hand otherwise, and each step would wait for the one before.
    #[inline(never)]
    fn fetch_far(&mut self, stage: &Stage<S>) {
        let today = self.queue.day();
        let first = if today - self.fetched > 4 {
            today
        } else {
            self.fetched + 1
        };
        self.fetched = today;
        let hot = &stage.balls.hot;
        for day in first..=today {
            for &slot in self.queue.named(day + 7) {
                let slot = slot as usize;
                prefetch_index(&self.plans, slot);
                prefetch_index(hot, slot);
                if let Some(lists) = &self.lists {
                    lists.fetch(slot);
                }
            }
            for &slot in self.queue.named(day + 5) {
                let slot = slot as usize;
                if !self.queue.falls_on(self.plans[slot].next, day + 5) {
                    continue;
                }
                let partner = self.plans[slot].two.partner;
                if partner & SCENERY == 0 {
                    let partner = partner as usize;
                    prefetch_index(hot, partner);
                    prefetch_index(&self.plans, partner);
                    if let Some(lists) = &self.lists {
                        lists.fetch(partner);
                    }
                }
                if self.lists.is_none() {
                    let cell = Lattice::<S>::unpack(self.plans[slot].cell);
                    self.levels[self.level(slot)].cells.fetch(cell);
                }
            }
            self.candidates.clear();
            for &slot in self.queue.named(day + 3) {
                let Plan { two, next, .. } = &self.plans[slot as usize];
                if !self.queue.falls_on(*next, day + 3) {
                    continue;
                }
                let both = [slot, two.partner];
                let number = if two.partner & SCENERY == 0 && two.first == *next {
                    2
                } else {
                    1
                };
                for &slot in &both[..number] {
                    match &self.lists {
                        Some(lists) => self.candidates.extend(lists.first(slot as usize)),
                        None => {
                            let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
                            self.levels[0].cells.around(cell, &mut self.candidates);
                        }
                    }
                }
            }
            for &other in self.candidates.all() {
                self.sketches.fetch(other as usize);
            }
        }
    }
}
