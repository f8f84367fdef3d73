//! Leaving a cell, or the neighbourhood of an anchor.

use super::Planner;
use super::level::Images;
use super::plan::earlier;
use crate::arrays::Each;
use crate::broad::{Lattice, Lists};
use crate::impact::{Strikable, parabola_crosses};
use crate::simulate::balls::{Ball, Balls};
use crate::simulate::bodies::{Bodies, Step};
use crate::space::{Linear, Space};
use crate::vectors::{Floats, Portable, Vectors, run_with};

/// In place of the axis along which a ball leaves its cell: it comes to the end of its leash.
pub(super) const LEASH: u32 = 3;

impl<S: Strikable> Planner<S> {
    /// Moves a ball on to the next cell. What it does there is planned, unless it leaves the periodic box.
    pub(super) fn leave_cell(&mut self, stage: &Bodies<S>, slot: usize, now: f64) -> Option<Step> {
        if self.lists.is_some() {
            return self.leave_anchor(stage, slot, now);
        }
        if self.plain && !stage.balls.falling {
            return self.cross(stage, slot, now);
        }
        if self.plans[slot].cell >> 30 == LEASH {
            if now >= stage.balls.segment_end(slot) {
                let ball = slot as u32;
                return Some(Step::SegmentEnds { ball });
            }
            self.plan(stage, slot, now);
            return None;
        }
        let level = self.level(slot);
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let (time, axis, up) = if stage.balls.falling {
            self.leaves_cell(Portable, stage, slot, cell, now)
        } else {
            let axis = (self.plans[slot].cell >> 30) as usize;
            let velocity = S::components(stage.balls.hot[slot].velocity);
            (now, axis, velocity[axis] > 0.0)
        };
        let (next, wraps) = self.levels[level]
            .cells
            .lattice
            .next(cell, axis, up)
            .expect("the last cell of an axis goes on without end");
        if wraps && time > now {
            // On a parabola the way out of a cell is found from now on, and rounding may let the end of the box come
            // first.
            self.plans[slot].next = time;
            self.file(stage, slot);
            return None;
        }
        let cells = &mut self.levels[level].cells;
        cells.remove(cell, slot as u32);
        cells.insert(next, slot as u32);
        self.plans[slot].cell = Lattice::<S>::pack(next);
        if wraps {
            let ball = slot as u32;
            self.wrapping = stage.balls.shear.is_some();
            return Some(Step::Wrap { ball, axis, up });
        }
        let sheared = matches!(self.levels[level].images, Images::Sheared(..))
            && self.are_many_at(level, next);
        if level > 0 || sheared {
            // Smaller ones around it may be many, or those across a side that moves: all or none.
            self.plan(stage, slot, now);
            return None;
        }
        self.candidates.clear();
        let cells = &self.levels[level].cells;
        cells.beyond(next, axis, up, &mut self.candidates);
        let known = self.plans[slot].two;
        let two = self.earliest(stage, slot, next, now, known);
        if (two.first, two.partner) != (known.first, known.partner) {
            self.plans[slot].made = now;
        }
        self.keep(stage, slot, two, next, now);
        self.file(stage, slot);
        None
    }

    /// The same where there is nothing but balls of one class that do not fall: the case of every gas, and the shortest
    /// way.
    #[inline(never)]
    fn cross(&mut self, stage: &Bodies<S>, slot: usize, now: f64) -> Option<Step> {
        let balls = &stage.balls;
        let level = &mut self.levels[0];
        let plan = &mut self.plans[slot];
        let axis = (plan.cell >> 30) as usize % S::DIMENSION;
        let up = S::components(balls.hot[slot].velocity)[axis] > 0.0;
        let (word, wraps) = level.cells.lattice.next_packed(plan.cell, axis, up);
        let [cell, next] = [plan.cell, word].each(Lattice::<S>::unpack);
        plan.cell = word;
        let ball = slot as u32;
        if wraps {
            level.cells.remove(cell, ball);
            level.cells.insert(next, ball);
            return Some(Step::Wrap { ball, axis, up });
        }
        self.candidates.clear();
        level.cells.step(next, axis, up, ball, &mut self.candidates);
        let known = plan.two;
        let mut two = known;
        let (planner, found) = (&mut *self, &mut two);
        run_with!(planner.vectors, vectors => planner.predict_beyond(vectors, stage, slot, now, found));
        let (leaves, axis, _) = self.leaves_cell(Portable, stage, slot, next, now);
        let plan = &mut self.plans[slot];
        if (two.first, two.partner) != (known.first, known.partner) {
            plan.made = now;
        }
        plan.next = earlier(two.first, leaves);
        plan.two = two;
        plan.cell = word | (axis as u32) << 30;
        self.file(stage, slot);
        None
    }

    /// Makes a ball's list anew where it is now, unless it leaves the periodic box.
    pub(super) fn leave_anchor(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
    ) -> Option<Step> {
        let ball = slot as u32;
        if let Some((time, axis, up)) = stage.balls.leaves_box(slot)
            && time <= now
        {
            self.wrapping = true;
            return Some(Step::Wrap { ball, axis, up });
        }
        self.move_anchor(stage, slot, now);
        self.plan(stage, slot, now);
        None
    }

    /// Makes a ball's list anew where it is now.
    pub(super) fn move_anchor(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        let lists = self.lists.as_mut().expect("only where there are lists");
        let anchor = stage.balls.position_at(slot, now);
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let cells = &mut self.levels[0].cells;
        let next = cells.lattice.cell_of(anchor);
        if next != cell {
            cells.remove(cell, slot as u32);
            cells.insert(next, slot as u32);
            self.plans[slot].cell = Lattice::<S>::pack(next);
        }
        lists.move_anchor(&self.levels[0].cells, next, slot as u32, anchor);
    }

    /// When a ball is as far from its anchor as it may be, or leaves the periodic box.
    #[inline(always)]
    pub(super) fn leaves_anchor(&self, balls: &Balls<S>, lists: &Lists<S>, slot: usize) -> f64 {
        // |d + v t|² = drift², the later root.
        let ball = &balls.hot[slot];
        let d = ball.position - lists.anchor(slot);
        let v = ball.velocity;
        let (a, h) = (v.length_squared(), d.dot(v));
        let c = lists.drift * lists.drift - d.length_squared();
        let root = (h * h + a * c).max(0.0).sqrt();
        let wait = if a > 0.0 {
            (root - h) / a
        } else {
            f64::INFINITY
        };
        let drifts = ball.since + wait.max(0.0);
        if !lists.near_side(slot) || self.is_inside(balls, lists, slot) {
            return drifts;
        }
        match balls.leaves_box(slot) {
            Some((time, _, _)) if time <= drifts => time,
            _ => drifts,
        }
    }

    /// Whether a ball drifts from its anchor before it comes to a side of the box.
    #[inline(always)]
    fn is_inside(&self, balls: &Balls<S>, lists: &Lists<S>, slot: usize) -> bool {
        let anchor = S::components(lists.anchor(slot));
        let mut inside = true;
        for (place, &length) in anchor.into_iter().zip(&balls.period).take(S::DIMENSION) {
            let away = place > lists.drift && place < length - lists.drift;
            inside &= length == 0.0 || away;
        }
        inside
    }

    /// When a ball leaves its cell, along which axis, and whether upwards.
    #[inline(always)]
    pub(super) fn leaves_cell<V: Vectors>(
        &self,
        vectors: V,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
    ) -> (f64, usize, bool) {
        if let Some(lists) = &self.lists {
            return (self.leaves_anchor(&stage.balls, lists, slot), 0, false);
        }
        if stage.balls.falling {
            return self.leaves_cell_falling(stage, slot, cell, now);
        }
        let ball = &stage.balls.hot[slot];
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        leaves_straight(vectors, ball, lattice, cell)
    }

    /// The same on a parabola, which may pass a bound and come back. Where it leaves the box is a function of the
    /// flight alone, since that changes it; other bounds are looked at from now on, and at least one step of the clock
    /// lies between two of them.
    pub(super) fn leaves_cell_falling(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
    ) -> (f64, usize, bool) {
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        let balls = &stage.balls;
        let position = S::components(balls.position_at(slot, now));
        let velocity = S::components(balls.velocity_at(slot, now));
        let gravity = S::components(balls.gravity);
        let flies = balls.segment(slot).is_none();
        let mut first = (f64::INFINITY, 0, false);
        for axis in 0..S::DIMENSION {
            for up in [false, true] {
                let bound = lattice.bound(cell[axis], axis, up);
                let last = if up { lattice.count[axis] - 1 } else { 0 };
                let time = if cell[axis] == last {
                    balls.crosses(slot, axis, bound, up)
                } else {
                    let time = if flies {
                        let distance = bound - position[axis];
                        now + parabola_crosses(distance, velocity[axis], gravity[axis], up)
                    } else {
                        balls.crosses_from(slot, now, axis, bound, up)
                    };
                    time.max(now.next_up())
                };
                if time < first.0 {
                    first = (time, axis, up);
                }
            }
        }
        first
    }
}

/// When a ball that flies straight on leaves a cell, along which axis, and whether upwards.
#[inline(always)]
pub(super) fn leaves_straight<S: Space, V: Vectors>(
    vectors: V,
    ball: &Ball<S>,
    lattice: &Lattice<S>,
    cell: [u32; 3],
) -> (f64, usize, bool) {
    let velocity = S::components(ball.velocity);
    let position = S::components(ball.position);
    // One division for all axes; what is not there stays for ever.
    let (mut ways, mut rates) = ([f64::INFINITY; 4], [1.0; 4]);
    for axis in 0..S::DIMENSION {
        let up = velocity[axis] > 0.0;
        ways[axis] = lattice.bound(cell[axis], axis, up) - position[axis];
        rates[axis] = velocity[axis];
    }
    let (rates, zero) = (vectors.four(&rates), vectors.all_four(0.0));
    let waits = vectors.four(&ways) / rates;
    // A ball at rest has −∞ or NaN here and stays, one beyond the bound by rounding passes at once: see
    // `Balls::crosses`.
    let waits = waits.only(waits.greater(zero));
    let for_ever = vectors.all_four(f64::INFINITY);
    let waits = for_ever.or_else(rates.equal(zero), waits);
    // Which comes first is a toss-up, and takes no branch.
    let [x, y, z, _] = waits.to_array();
    let (xy, y_first) = if y < x { (y, 1) } else { (x, 0) };
    let (first, z_first) = if z < xy { (z, 2) } else { (xy, 0) };
    let axis = (y_first | z_first) - (y_first & (z_first >> 1));
    (first + ball.since, axis, velocity[axis] > 0.0)
}
