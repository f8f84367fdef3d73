//! Which of the fixtures around a ball is met first?

use super::Planner;
use super::plan::{LOOK, LOOK_AGAIN, SCENERY, Two};
use crate::broad::Extent;
use crate::impact::Strikable;
use crate::queue::EventKind;
use crate::simulate::bodies::Bodies;
use crate::simulate::obstacles::Obstacles;
use crate::simulate::sweep::{MANY, STRIDES};

impl<S: Strikable> Planner<S> {
    /// Adds the events of a ball with the fixtures around its cell.
    #[cold]
    pub(super) fn add_obstacles(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        two: &mut Two,
    ) {
        let level = self.level(slot);
        // Lent, so that the rest can be changed meanwhile.
        let obstacles = std::mem::take(&mut self.levels[level].obstacles);
        let list = obstacles.near(self.levels[level].cells.lattice.index(cell));
        if !obstacles.has_boxes() {
            self.add_each(stage, slot, now, two, list.iter().copied());
        } else if let Some(end) = stage
            .balls
            .segment(slot)
            .map(|_| stage.balls.segment_end(slot))
            && list.len() <= MANY
        {
            self.add_swept(stage, slot, now, two, (&obstacles, list, end));
        } else if list.len() > MANY {
            self.add_first_of_many(stage, slot, now, two, (&obstacles, list));
        } else {
            self.add_each(stage, slot, now, two, list.iter().copied());
        }
        self.levels[level].obstacles = obstacles;
    }

    /// Of a ball on a segment, by boxes: what it does not come near before what is known is not asked.
    fn add_swept(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
        (obstacles, list, end): (&Obstacles, &[u32], f64),
    ) {
        let until = |two: &Two| if two.second < end { two.second } else { end };
        let mut known = until(two);
        let mut swept = stage.balls.flown(slot, now, known);
        for &member in list {
            let misses = |extent: &Extent| swept.is_some_and(|swept| swept.misses::<S>(extent));
            if obstacles.extent(member).is_some_and(misses) {
                continue;
            }
            self.add_each(stage, slot, now, two, std::iter::once(member));
            if until(two) < known {
                // Later than that nothing counts.
                known = until(two);
                swept = stage.balls.flown(slot, now, known);
            }
        }
    }

    /// Of very many fixtures: what is near the way of the next moments first, and what is farther away only where
    /// nothing happens so soon.
    fn add_first_of_many(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
        (obstacles, list): (&Obstacles, &[u32]),
    ) {
        let endless = list.iter().copied();
        let endless = endless.filter(|&member| obstacles.extent(member).is_none());
        self.add_each(stage, slot, now, two, endless);
        let mut looked: Option<Extent> = None;
        let mut stride = stage.balls.stride(slot, now);
        for step in 0..=STRIDES {
            let until = now + stride;
            let ahead = if step < STRIDES {
                stage.balls.flown(slot, now, until)
            } else {
                // The last look is at all that are left.
                None
            };
            let mut swept = ahead;
            for &member in list {
                let Some(extent) = obstacles.extent(member) else {
                    continue;
                };
                if swept.is_some_and(|swept| swept.misses::<S>(extent))
                    || looked.is_some_and(|looked| !looked.misses::<S>(extent))
                {
                    continue;
                }
                let known = two.second;
                self.add_each(stage, slot, now, two, std::iter::once(member));
                if two.second < known && two.second < until {
                    // Later than that nothing counts.
                    swept = stage.balls.flown(slot, now, two.second);
                }
            }
            if ahead.is_none() || two.second <= until {
                return;
            }
            looked = ahead;
            stride *= 4.0;
        }
    }

    fn add_each(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
        list: impl Iterator<Item = u32>,
    ) {
        for member in list {
            let fixture = &stage.fixtures[member as usize];
            if self.met != LOOK && self.met != SCENERY | member && !stage.balls.is_on(slot, member)
            {
                self.crowded |= fixture.touches(&stage.balls, slot, stage.epoch, now);
            }
            let not_before = stage.balls.fixture_not_before(slot, member);
            if not_before > two.first {
                if not_before < f64::INFINITY {
                    two.add_later(not_before, LOOK);
                }
                continue;
            }
            let place = (slot, member);
            let searches = &mut self.searches;
            let Some((time, kind)) =
                fixture.first_event(&stage.balls, place, stage.epoch, now, searches)
            else {
                continue;
            };
            let partner = match kind {
                EventKind::LookAgain => SCENERY | LOOK_AGAIN | member,
                _ => SCENERY | member,
            };
            two.add(stage, slot, time, partner);
        }
    }
}
