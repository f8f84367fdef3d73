//! Which body is met first? The filter goes over all around; those that it lets through are asked in the order of their
//! shortest waits, until none can be earlier.

use super::Planner;
use super::level::{Images, contact_time_here};
use super::plan::{LOOK, Two};
use crate::arrays::Each;
use crate::impact::Strikable;
use crate::shape::Shaped;
use crate::simulate::bodies::Bodies;
use crate::simulate::float_filter::{FloatFilter, Keys, Picked, Probe};
use crate::vectors::{Portable, Vectors, run_with};
use prefetch_index::prefetch_index;

/// So many are asked one by one.
pub(super) const FEW: usize = 4;

/// A ball that asks others when they touch it.
struct Predicting<'a, S: Shaped, V: Vectors> {
    stage: &'a Bodies<S>,
    float_filter: &'a FloatFilter,
    probe: Probe<V>,
    slot: usize,
    /// ActionTarget it has just met.
    met: u32,
    now: f64,
}

impl<'a, S: Shaped, V: Vectors> Predicting<'a, S, V> {
    #[inline(always)]
    fn new(
        stage: &'a Bodies<S>,
        float_filter: &'a FloatFilter,
        probe: Probe<V>,
        (slot, met): (u32, u32),
        now: f64,
    ) -> Self {
        Predicting {
            stage,
            float_filter,
            probe,
            slot: slot as usize,
            met,
            now,
        }
    }

    /// Asks a block of others; whether another than the one that it has met touches it.
    #[inline(always)]
    fn predict<
        const FALLING: bool,
        const NEAR_SIDE: bool,
        const LIST: bool,
        const EIGHTS: usize,
    >(
        &self,
        block: &[[u32; 8]; EIGHTS],
        two: &mut Two,
    ) -> bool {
        let keys = self.filter_block::<FALLING, NEAR_SIDE, LIST, EIGHTS>(block);
        self.pick::<NEAR_SIDE, EIGHTS>(block, &keys, keys.first(), two)
    }

    #[inline(always)]
    fn filter_block<
        const FALLING: bool,
        const NEAR_SIDE: bool,
        const LIST: bool,
        const EIGHTS: usize,
    >(
        &self,
        block: &[[u32; 8]; EIGHTS],
    ) -> Keys<V, EIGHTS> {
        Keys::new::<S, FALLING, NEAR_SIDE, LIST>(self.float_filter, &self.probe, block)
    }

    /// Asks those that the filter has let through, as long as they can be earlier than what is known; whether a body
    /// else than the one that it has met touches it.
    #[inline(always)]
    fn pick<const NEAR_SIDE: bool, const EIGHTS: usize>(
        &self,
        block: &[[u32; 8]; EIGHTS],
        keys: &Keys<V, EIGHTS>,
        first: Option<Picked>,
        two: &mut Two,
    ) -> bool {
        let &Predicting {
            stage, slot, now, ..
        } = self;
        let balls = &stage.balls;
        let mut crowded = false;
        let mut picked = first;
        while let Some(other) = picked {
            let partner = block[other.lane / 8 % EIGHTS][other.lane % 8];
            let not_before = now + other.wait;
            if not_before > two.first {
                // The others need not be known better: they are no earlier than this one.
                two.add_later(not_before, partner);
                break;
            }
            // The filter lets all pass that nearly touch, without a wait.
            if other.wait == 0.0 && self.met != LOOK && partner != self.met {
                crowded |= balls.touch(slot, partner as usize, now);
            }
            let vectors = self.probe.vectors();
            let time = contact_time_here::<S, V, NEAR_SIDE>(vectors, balls, slot, partner, now);
            two.add(stage, slot, time, partner);
            picked = keys.after(&other);
        }
        crowded
    }
}

impl<S: Strikable> Planner<S> {
    /// The earliest contacts with the candidates and with the fixtures around, and with what is known.
    #[inline(always)]
    pub(super) fn earliest(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        known: Two,
    ) -> Two {
        let mut two = known;
        let level = self.level(slot);
        let few = self.candidates.len() <= FEW && self.lists.is_none() && self.met == LOOK;
        let near_side = match (&self.levels[level].images, &self.lists) {
            (Images::Single, _) => false,
            (Images::Nearest | Images::Sheared(..), None) => self.near_side(level, cell),
            (Images::Nearest | Images::Sheared(..), Some(lists)) => lists.near_side(slot),
            (Images::All(_), _) => true,
        };
        let on_segment = stage.balls.falling && stage.balls.segment(slot).is_some();
        match (near_side, stage.balls.falling) {
            _ if on_segment || self.are_many_at(level, cell) => {
                self.predict_all(stage, slot, now, &mut two);
            }
            (true, _) if few => self.predict_few::<true>(stage, slot, now, &mut two),
            (false, _) if few => self.predict_few::<false>(stage, slot, now, &mut two),
            (false, false) => self.predict::<false, false>(stage, slot, now, &mut two),
            (true, false) => self.predict::<false, true>(stage, slot, now, &mut two),
            (false, true) => self.predict::<true, false>(stage, slot, now, &mut two),
            (true, true) => self.predict::<true, true>(stage, slot, now, &mut two),
        }
        if self.levels.len() > 1 {
            self.predict_others(stage, slot, cell, now, &mut two);
        }
        if !self.levels[level].obstacles.is_empty() {
            self.add_obstacles(stage, slot, cell, now, &mut two);
        }
        two
    }

    /// Asks the candidates one by one: they are too few for a filter.
    #[inline(always)]
    pub(super) fn predict_few<const NEAR_SIDE: bool>(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        for &partner in self.candidates.all() {
            if partner != slot as u32 {
                let balls = &stage.balls;
                let time =
                    contact_time_here::<S, _, NEAR_SIDE>(Portable, balls, slot, partner, now);
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// Asks those that are new around a ball which crosses into another cell, where balls do not fall and only the
    /// nearest image counts. Hardly ever does one of them come before what is known: it takes one look at all of them
    /// to say so, and no branch that depends on the numbers.
    #[inline(always)]
    pub(super) fn predict_beyond<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        let number = self.candidates.len();
        if number > 8 {
            return self.predict::<false, true>(stage, slot, now, two);
        }
        if number == 0 {
            return;
        }
        let own = slot as u32;
        let probe = self
            .float_filter
            .probe::<S, V>(vectors, &stage.balls, slot, own, (false, now));
        let Some(others) = self.candidates.eights(own).first() else {
            return;
        };
        let (bits, waits) =
            self.float_filter
                .touched_within::<S, V>(&probe, others, two.second - now);
        let mut bits = bits & ((1 << number) - 1);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize & 7;
            let (partner, not_before) = (others[lane], now + f64::from(waits[lane]));
            bits &= bits - 1;
            if partner == own {
                continue;
            }
            if not_before > two.first {
                // It need not be known better.
                two.add_later(not_before, partner);
            } else {
                let balls = &stage.balls;
                let time = contact_time_here::<S, V, true>(vectors, balls, slot, partner, now);
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// Asks those around when they touch the ball. Not inlined: it needs all registers.
    #[inline(never)]
    pub(super) fn predict<const FALLING: bool, const NEAR_SIDE: bool>(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        run_with!(self.vectors, vectors => self.predict_with::<_, FALLING, NEAR_SIDE>(vectors, stage, slot, now, two));
    }

    #[inline(always)]
    fn predict_with<V: Vectors, const FALLING: bool, const NEAR_SIDE: bool>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        let but = if self.parts { self.met } else { slot as u32 };
        let probe =
            self.float_filter
                .probe::<S, V>(vectors, &stage.balls, slot, but, (FALLING, now));
        let asking = Predicting::new(
            stage,
            &self.float_filter,
            probe,
            (slot as u32, self.met),
            now,
        );
        if let Some(lists) = &self.lists
            && let Some(block) = lists.short(slot)
        {
            self.crowded |= asking.predict::<FALLING, NEAR_SIDE, true, 2>(block, two);
            return;
        }
        // Where they are: what has just been written in pieces is not at hand as a whole.
        let mut rest = self.candidates.eights(slot as u32);
        loop {
            if let Some((block, after)) = rest.split_first_chunk() {
                self.crowded |= asking.predict::<FALLING, NEAR_SIDE, false, 4>(block, two);
                rest = after;
            } else if let Some((block, after)) = rest.split_first_chunk() {
                self.crowded |= asking.predict::<FALLING, NEAR_SIDE, false, 3>(block, two);
                rest = after;
            } else if let Some((block, after)) = rest.split_first_chunk() {
                self.crowded |= asking.predict::<FALLING, NEAR_SIDE, false, 2>(block, two);
                rest = after;
            } else if let Some((block, after)) = rest.split_first_chunk() {
                self.crowded |= asking.predict::<FALLING, NEAR_SIDE, false, 1>(block, two);
                rest = after;
            } else {
                return;
            }
        }
    }

    /// Asks those around two balls that have just met, part, and do not fall: those in their lists, or in `candidates`
    /// and `others`, and writes what is found into their plans; `false` where a list is too long. What one sieve has to
    /// wait for, the other does not: a processor goes over both in little more than the time of one.
    #[inline(always)]
    pub(super) fn predict_both<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        pair: [u32; 2],
        now: f64,
        near_side: bool,
    ) -> bool {
        let most = self.candidates.len().max(self.others.len());
        match (&self.lists, most.div_ceil(8)) {
            (Some(_), _) => {
                return self.predict_both_of::<V, true, 2>(vectors, stage, pair, now, near_side);
            }
            (None, 0 | 1) => {
                return self.predict_both_of::<V, false, 1>(vectors, stage, pair, now, near_side);
            }
            (None, 2) => {
                return self.predict_both_of::<V, false, 2>(vectors, stage, pair, now, near_side);
            }
            (None, 3) => {
                return self.predict_both_of::<V, false, 3>(vectors, stage, pair, now, near_side);
            }
            _ => {}
        }
        for at in [0, 1] {
            let (slot, mut two) = (pair[at] as usize, Two::NONE);
            self.met = pair[1 - at];
            let (run, found) = (&mut *self, &mut two);
            vectors.run_apart(
                #[inline(always)]
                move || {
                    if near_side {
                        run.predict_with::<V, false, true>(vectors, stage, slot, now, found);
                    } else {
                        run.predict_with::<V, false, false>(vectors, stage, slot, now, found);
                    }
                },
            );
            self.plans[slot].two = two;
            std::mem::swap(&mut self.candidates, &mut self.others);
        }
        true
    }

    #[inline(always)]
    fn predict_both_of<V: Vectors, const LIST: bool, const EIGHTS: usize>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        pair: [u32; 2],
        now: f64,
        near_side: bool,
    ) -> bool {
        let run = self;
        if near_side {
            vectors.run_apart(
                #[inline(always)]
                move || run.predict_both_with::<V, true, LIST, EIGHTS>(vectors, stage, pair, now),
            )
        } else {
            vectors.run_apart(
                #[inline(always)]
                move || run.predict_both_with::<V, false, LIST, EIGHTS>(vectors, stage, pair, now),
            )
        }
    }

    #[inline(always)]
    fn predict_both_with<
        V: Vectors,
        const NEAR_SIDE: bool,
        const LIST: bool,
        const EIGHTS: usize,
    >(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        pair: [u32; 2],
        now: f64,
    ) -> bool {
        let [a, b] = pair;
        let (float_filter, balls) = (&mut self.float_filter, &stage.balls);
        let probe_a = float_filter.probe::<S, V>(vectors, balls, a as usize, b, (false, now));
        let probe_b = float_filter.probe::<S, V>(vectors, balls, b as usize, a, (false, now));
        let blocks = match &self.lists {
            Some(lists) => [a, b].each(|slot| {
                let short = lists.short(slot as usize);
                short.and_then(|eights| eights.first_chunk())
            }),
            None => [
                self.candidates.block::<EIGHTS>(a),
                self.others.block::<EIGHTS>(b),
            ],
        };
        let [Some(block_a), Some(block_b)] = blocks else {
            return false;
        };
        let (float_filter, met_a, met_b) = (&self.float_filter, b, a);
        let asks_a = Predicting::new(stage, float_filter, probe_a, (a, met_a), now);
        let asks_b = Predicting::new(stage, float_filter, probe_b, (b, met_b), now);
        let keys_a = asks_a.filter_block::<false, NEAR_SIDE, LIST, EIGHTS>(block_a);
        let keys_b = asks_b.filter_block::<false, NEAR_SIDE, LIST, EIGHTS>(block_b);
        let [first_a, first_b] = [keys_a.first(), keys_b.first()];
        if let Some(other) = &first_b {
            let partner = block_b[other.lane / 8 % EIGHTS][other.lane % 8];
            prefetch_index(&stage.balls.hot, partner as usize);
        }
        // Each is written where it is to stay at once: a copy would have to wait until its parts are written.
        let mut two = Two::NONE;
        let mut crowded = asks_a.pick::<NEAR_SIDE, EIGHTS>(block_a, &keys_a, first_a, &mut two);
        self.plans[a as usize].two = two;
        two = Two::NONE;
        crowded |= asks_b.pick::<NEAR_SIDE, EIGHTS>(block_b, &keys_b, first_b, &mut two);
        self.plans[b as usize].two = two;
        self.crowded |= crowded;
        true
    }

    /// The same where the box is so small that more than one image of a ball may be touched.
    #[cold]
    pub(super) fn predict_all(&mut self, stage: &Bodies<S>, slot: usize, now: f64, two: &mut Two) {
        if let Some(rigids) = stage.balls.rigids() {
            return self.predict_rigid(stage, rigids, slot, now, two);
        }
        for &partner in self.candidates.all() {
            if partner != slot as u32 {
                if self.met != LOOK && partner != self.met {
                    self.crowded |= stage.balls.touch(slot, partner as usize, now);
                }
                let time = self.contact_time(stage, slot, partner, now);
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// When a ball touches another, as far as it can soon.
    #[inline]
    pub(super) fn contact_time(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        now: f64,
    ) -> f64 {
        if self.level_of.is_empty() {
            let images = &self.levels[0].images;
            images.contact_time(stage, slot, partner, now)
        } else {
            self.contact_time_of_classes(stage, slot, partner, now)
        }
    }

    /// The same for two that have just struck each other, and nearly always part.
    #[inline(always)]
    pub(super) fn contact_time_struck(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        now: f64,
    ) -> f64 {
        let one_image = self.level_of.is_empty() && !self.levels[0].images.are_many();
        // What is on a segment may come back.
        let straight = !stage.balls.falling || !stage.balls.on_segments(slot, partner as usize);
        if one_image && straight && stage.balls.part_now(slot, partner as usize) {
            return f64::INFINITY;
        }
        self.contact_time(stage, slot, partner, now)
    }

    /// Whether some of those around a cell may be seen across a side of the box (or around its end, where it does not
    /// come round).
    #[inline(always)]
    pub(super) fn near_side(&self, level: usize, cell: [u32; 3]) -> bool {
        let count = &self.levels[level].cells.lattice.count;
        let mut near = false;
        for axis in 0..S::DIMENSION {
            // Of the first, the one before it is beyond all.
            near |= cell[axis].wrapping_sub(1) >= count[axis].wrapping_sub(2);
        }
        near
    }
}
