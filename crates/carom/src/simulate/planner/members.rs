//! Balls and fixtures that come and go, and where they are.

use super::Planner;
use super::level::Level;
use super::plan::{Plan, SCENERY};
use crate::arrays::Each;
use crate::broad::{Extent, Lattice, Members};
use crate::impact::Strikable;
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::fixture::forget_searches;
use crate::simulate::layout::class_of;
use crate::simulate::obstacles::Obstacles;

impl<S: Strikable> Planner<S> {
    /// All bodies that a ball may touch now: all that it does touch, and others. Some may be named twice.
    pub fn neighbours(
        &mut self,
        stage: &Bodies<S>,
        slot: u32,
        now: f64,
        mut visit: impl FnMut(BodyRef),
    ) {
        let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
        let level = self.level(slot as usize);
        self.candidates.clear();
        match &self.lists {
            Some(lists) => lists.around(slot as usize, &mut self.candidates),
            None => self.levels[level].cells.around(cell, &mut self.candidates),
        }
        if self.levels.len() > 1 {
            let place = S::components(stage.balls.position_at(slot as usize, now));
            for other in (0..self.levels.len()).filter(|&other| other != level) {
                let reach = stage.balls.hot[slot as usize].radius + self.levels[other].largest;
                let reach = reach * (1.0 + 1e-6);
                let [low, high] = [-reach, reach].each(|by| place.each(|along| along + by));
                let cells = &self.levels[other].cells;
                cells.between(low, high, &mut self.candidates);
            }
        }
        let members = self.candidates.all().iter();
        members
            .filter(|&&member| member != slot)
            .for_each(|&member| visit(BodyRef::Ball(member)));
        let Level {
            cells, obstacles, ..
        } = &self.levels[level];
        let here = stage.balls.extent_at(slot as usize, now);
        for &member in obstacles.near(cells.lattice.index(cell)) {
            let misses = |extent: &Extent| here.misses::<S>(extent);
            if !obstacles.extent(member).is_some_and(misses) {
                visit(BodyRef::Fixture(member));
            }
        }
    }

    /// All bodies that may come within a margin (m) of the ball around a body soon, and perhaps others; none twice.
    pub fn around(
        &self,
        stage: &Bodies<S>,
        slot: u32,
        (now, margin): (f64, f64),
        mut visit: impl FnMut(BodyRef),
    ) {
        let own = stage.balls.hot[slot as usize].radius + margin;
        let place = S::components(stage.balls.position_at(slot as usize, now));
        let reach = own + self.largest();
        let [low, high] = [-reach, reach].each(|by| place.each(|along| along + by));
        self.within(low, high, |other| {
            if other != slot {
                visit(BodyRef::Ball(other));
            }
        });
        let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
        let Level {
            cells, obstacles, ..
        } = &self.levels[self.level(slot as usize)];
        for &member in obstacles.near(cells.lattice.index(cell)) {
            visit(BodyRef::Fixture(member));
        }
    }

    /// Whether any other body touches one of the balls that collide with each other or with a fixture, or nearly so.
    /// What a ball keeps touching does not count.
    pub fn are_crowded(
        &mut self,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        slots.iter().any(|&slot| {
            let mut crowded = false;
            self.neighbours(stage, slot, now, |other| {
                crowded |= stage.crowds((slot, other), (slots, fixture), now);
            });
            crowded
        })
    }

    /// Plans for a ball that has come into a slot. `false` where it is larger than any for which the cells were made:
    /// then everything has to be planned anew.
    #[must_use]
    pub fn admit(&mut self, stage: &Bodies<S>, slot: usize, now: f64) -> bool {
        let ball = &stage.balls.hot[slot];
        if ball.radius > self.largest() {
            return false;
        }
        let level = class_of(self.levels.iter().map(|level| level.largest), ball.radius);
        let place = stage.balls.position_at(slot, now);
        let cell = self.levels[level].cells.lattice.cell_of(place);
        if slot == self.plans.len() {
            self.plans.push(Plan::nothing(0));
            self.float_filter.push::<S>(ball);
            if self.levels.len() > 1 {
                self.level_of.push(0);
            }
        }
        if self.levels.len() > 1 {
            self.level_of[slot] = level as u8;
        }
        self.plans[slot].cell = Lattice::<S>::pack(cell);
        self.levels[level].cells.insert(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.grow(slot + 1);
            lists.admit(&self.levels[0].cells, cell, slot as u32, place, ball.radius);
        }
        self.changed(stage, &[slot as u32], now);
        true
    }

    /// Forgets the ball in a slot: no body meets it any more, and the slot may be taken by another.
    pub fn dismiss(&mut self, slot: usize) {
        let (cell, level) = (
            Lattice::<S>::unpack(self.plans[slot].cell),
            self.level(slot),
        );
        self.levels[level].cells.remove(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.forget(slot as u32);
        }
        let stamp = self.plans[slot].stamp.wrapping_add(1);
        self.plans[slot] = Plan::nothing(0);
        self.plans[slot].stamp = stamp;
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Plans anew for the balls near fixture: a static or kinematic body has come or gone.
    pub fn fixtures_changed(&mut self, stage: &Bodies<S>, now: f64) {
        let shell = self.lists.as_ref().map_or(0.0, |lists| lists.shell());
        let before: Vec<Obstacles> = self
            .levels
            .iter_mut()
            .map(|level| {
                let lattice = &level.cells.lattice;
                let obstacles = Obstacles::new(stage, lattice, shell, level.largest);
                std::mem::replace(&mut level.obstacles, obstacles)
            })
            .collect();
        self.plain = self.is_plain();
        self.searches.clear();
        for slot in stage.balls.slots() {
            let two = &self.plans[slot].two;
            let cell = Lattice::<S>::unpack(self.plans[slot].cell);
            let level = self.level(slot);
            let cell = self.levels[level].cells.lattice.index(cell);
            let fixture = |time: f64, partner: u32| time < f64::INFINITY && partner & SCENERY != 0;
            if fixture(two.first, two.partner)
                || fixture(two.second, two.runner_up)
                || !before[level].near(cell).is_empty()
                || !self.levels[level].obstacles.near(cell).is_empty()
            {
                self.plan(stage, slot, now);
            }
        }
    }

    /// Calls `visit` with every ball whose centre may be in a box at present, and perhaps with others; with none twice.
    /// The box is seen from all its images.
    pub fn within(&self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(u32)) {
        let drift = self.lists.as_ref().map_or(0.0, |lists| lists.drift);
        let mut found = Members::default();
        for Level { cells, .. } in &self.levels {
            // A little more: a ball that is due to leave a cell just now is still in it, or has been moved on ahead of
            // time.
            let sizes = cells.lattice.size;
            let margin = |axis: usize| drift + self.slack[axis] + 1e-6 * sizes[axis];
            let low = [0, 1, 2].each(|axis| low[axis] - margin(axis));
            let high = [0, 1, 2].each(|axis| high[axis] + margin(axis));
            cells.between(low, high, &mut found);
        }
        found.all().iter().copied().for_each(&mut visit);
    }

    /// The largest radius of a ball, or more, m.
    pub fn largest(&self) -> f64 {
        self.levels[self.levels.len() - 1].largest
    }

    /// The edge of a cell, m: the scale of distances between neighbours.
    pub fn edge(&self) -> f64 {
        self.levels[0].edge()
    }
}
