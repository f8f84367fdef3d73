//! Balls of other classes of sizes: a small one asks the large ones that can be touched from somewhere in its cell; a
//! large one asks the small ones around it, and again whenever it has moved by its leash.

use super::Planner;
use super::level::Level;
use super::plan::{LOOK, Two};
use crate::arrays::Each;
use crate::impact::Strikable;
use crate::simulate::bodies::Bodies;
use crate::space::Linear;

impl<S: Strikable> Planner<S> {
    /// Asks the candidates, which are of a larger class, but for those so far from the ball's cell that they look
    /// around themselves again before they touch any body in it: when they have moved by their leash from where they
    /// last looked, which is no further than that from here.
    pub(super) fn predict_larger(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        two: &mut Two,
    ) {
        let balls = &stage.balls;
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        let ends = |axis: usize| [false, true].each(|up| lattice.bound(cell[axis], axis, up));
        for &partner in self.candidates.all() {
            let larger = partner as usize;
            let reach = balls.hot[slot].radius + balls.hot[larger].radius;
            let reach = (reach + 2.0 * self.leash_of(stage, larger, now)) * (1.0 + 1e-6);
            let there = S::components(balls.position_at(larger, now));
            let mut square = 0.0;
            for (axis, there) in there.into_iter().enumerate().take(S::DIMENSION) {
                let [low, high] = ends(axis);
                let mut way = (low - there).max(there - high).max(0.0);
                let length = balls.period[axis];
                if length > 0.0 {
                    for there in [there - length, there + length] {
                        way = way.min((low - there).max(there - high).max(0.0));
                    }
                }
                square += way * way;
            }
            if square > reach * reach && !balls.falling {
                continue;
            }
            if self.met != LOOK && partner != self.met {
                self.crowded |= balls.touch(slot, larger, now);
            }
            let time = self.contact_time(stage, slot, partner, now);
            two.add(stage, slot, time, partner);
        }
    }

    /// Asks the balls of other classes.
    ///
    /// Of larger ones, those in cells that can be touched from somewhere in the ball's own cell: until it leaves it, or
    /// they theirs. Of smaller ones, those in cells that can be touched before the ball is at the end of its leash.
    #[cold]
    pub(super) fn predict_others(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        two: &mut Two,
    ) {
        let level = self.level(slot);
        let radius = stage.balls.hot[slot].radius;
        let place = S::components(stage.balls.position_at(slot, now));
        for other in (0..self.levels.len()).filter(|&other| other != level) {
            let reach = (radius + self.levels[other].largest) * (1.0 + 1e-6);
            self.candidates.clear();
            if other > level {
                let lattice = &self.levels[level].cells.lattice;
                let [low, high] = [(false, -reach), (true, reach)].each(|(up, by)| {
                    [0, 1, 2].each(|axis| {
                        if axis < S::DIMENSION {
                            lattice.bound(cell[axis], axis, up) + by
                        } else {
                            0.0
                        }
                    })
                });
                let cells = &self.levels[other].cells;
                cells.between(low, high, &mut self.candidates);
                self.predict_larger(stage, slot, cell, now, two);
                continue;
            }
            let leash = self.leash_of(stage, slot, now);
            let inner = (radius - leash).max(0.0);
            let outer = (reach + leash) * (1.0 + 1e-6);
            let cells = &self.levels[other].cells;
            let unambiguous = (0..S::DIMENSION).all(|axis| {
                let length = stage.balls.period[axis];
                length == 0.0 || 2.0 * (outer + cells.lattice.size[axis]) < length
            });
            cells.shell(place, inner, outer, &mut self.candidates);
            match (unambiguous, stage.balls.falling) {
                (false, _) => self.predict_all(stage, slot, now, two),
                _ if stage.balls.segment(slot).is_some() => {
                    self.predict_all(stage, slot, now, two);
                }
                (true, true) => self.predict::<true, true>(stage, slot, now, two),
                (true, false) => self.predict::<false, true>(stage, slot, now, two),
            }
        }
    }

    /// The same where there are several classes: among the images that are not too far away for the cells that the two
    /// are in.
    pub(super) fn contact_time_of_classes(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        now: f64,
    ) -> f64 {
        let (balls, partner) = (&stage.balls, partner as usize);
        if !balls.is_periodic() {
            return balls.contact_time(slot, partner, S::Vector::ZERO);
        }
        let sizes = [slot, partner].map(|slot| &self.levels[self.level(slot)].cells.lattice.size);
        let reach = balls.hot[slot].radius + balls.hot[partner].radius;
        let apart = balls.position_at(slot, now) - balls.position_at(partner, now);
        let apart = S::components(apart);
        let shifts = [0, 1, 2].each(|axis| {
            let length = balls.period[axis];
            let far = (sizes[0][axis] + sizes[1][axis] + reach) * (1.0 + 1e-6);
            [-1.0, 0.0, 1.0].each(|boxes| {
                let shift = boxes * length;
                let wanted = if length > 0.0 {
                    (apart[axis] + shift).abs() <= far
                } else {
                    boxes == 0.0
                };
                wanted.then_some(shift)
            })
        });
        let mut first = f64::INFINITY;
        for z in shifts[2].into_iter().flatten() {
            for y in shifts[1].into_iter().flatten() {
                for x in shifts[0].into_iter().flatten() {
                    let shift = S::vector([x, y, z]);
                    first = first.min(balls.contact_time(slot, partner, shift));
                }
            }
        }
        first
    }

    /// How far a ball may move until it looks at the smaller ones around it again, m: further, the further it has come
    /// since something last happened to it, so that a long way through thin air takes few looks.
    pub(super) fn leash_of(&self, stage: &Bodies<S>, slot: usize, now: f64) -> f64 {
        let leash = self.levels[self.level(slot)].leash;
        let way = stage.balls.velocity_at(slot, now).length() * (now - stage.balls.hot[slot].since);
        leash.max(0.5 * way)
    }

    /// When a ball has moved as far as its leash lets it, at the earliest, or its segment ends, s.
    pub(super) fn end_of_leash(&self, stage: &Bodies<S>, slot: usize, now: f64) -> f64 {
        let balls = &stage.balls;
        let end = balls.segment_end(slot);
        if self.levels.len() == 1 {
            return end;
        }
        let leash = self.leash_of(stage, slot, now);
        if leash == f64::INFINITY {
            return end;
        }
        let since = balls.hot[slot].since;
        let (speed, bend) = match balls.segment(slot) {
            // Until its end, but no longer than it takes at the present speed: what comes after that is looked at then.
            Some(segment) => {
                let speed = segment.velocity_at(now - since).length();
                let until = (now - since + leash / speed).min(segment.end).min(1e12);
                (speed, segment.place.bend_until(until))
            }
            None => (
                balls.velocity_at(slot, now).length(),
                balls.gravity.length(),
            ),
        };
        // Where |v| t + b t²/2 is the leash.
        let steepest = 2.0 * bend * leash;
        let wait = 2.0 * leash / (speed + (speed * speed + steepest).sqrt());
        (now + wait).max(now.next_up()).min(end)
    }

    /// Whether there is nothing but balls of one class, in a box that is not tiny.
    pub(super) fn is_plain(&self) -> bool {
        let Level {
            images, obstacles, ..
        } = &self.levels[0];
        self.levels.len() == 1 && !images.are_many() && obstacles.is_empty()
    }
}
