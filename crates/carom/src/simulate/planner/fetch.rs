//! Memory that will be needed soon.

use super::Planner;
use super::plan::SCENERY;
use crate::broad::Lattice;
use crate::simulate::stage::Stage;
use crate::space::Space;
use prefetch_index::prefetch_index;

/// Runs of fewer balls are at hand anyway.
const FETCHED: usize = 20_000;

impl<S: Space> Planner<S> {
    /// Fetches from memory what the balls will need that are due on the next days, in three steps: who they are, who is around them, and what those
    /// do. In a large run nothing of it would be at hand otherwise, and each step would wait for the one before.
    #[inline]
    pub(super) fn fetch_ahead(&mut self, stage: &Stage<S>) {
        let today = self.queue.day();
        if self.plans.len() < FETCHED {
            self.fetched = today;
            return;
        }
        let first = if today - self.fetched > 4 {
            today
        } else {
            self.fetched + 1
        };
        self.fetched = today;
        let hot = &stage.balls.hot;
        for day in first..=today {
            self.queue.look_at(day + 16, |due| {
                let slot = due.slot as usize;
                prefetch_index(&self.plans, slot);
                prefetch_index(hot, slot);
                if let Some(lists) = &self.lists {
                    lists.fetch(slot);
                }
            });
            self.queue.look_at(day + 10, |due| {
                let slot = due.slot as usize;
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
            });
            self.candidates.clear();
            let candidates = &mut self.candidates;
            self.queue.look_at(day + 5, |due| {
                let slot = due.slot as usize;
                let two = &self.plans[slot].two;
                let both = [slot as u32, two.partner];
                let number = if two.partner & SCENERY == 0 && two.first == due.time {
                    2
                } else {
                    1
                };
                for &slot in &both[..number] {
                    match &self.lists {
                        Some(lists) => candidates.extend(&lists.block(slot as usize)[..15]),
                        None => {
                            let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
                            self.levels[0].cells.around(cell, candidates);
                        }
                    }
                }
            });
            for &other in self.candidates.all() {
                self.sketches.fetch(other as usize);
            }
        }
    }
}
