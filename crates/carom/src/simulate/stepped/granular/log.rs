//! What each contact has done so far, beside its slot.

use super::lanes::{FourMask, Lanes, get, put};
use super::law::{FourContacts, LaneForces};
use crate::arrays::Each;
use crate::vectors::{Floats as _, Mask as _, Vectors};
use wide::f64x4;

/// What four contacts have done since each of them began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Log {
    /// Given to *a*, kg·m/s.
    pub impulse: Lanes,
    /// To the damper, and to what is across the normal, J.
    pub taken: [f64x4; 2],
    /// The deepest overlap (m), and when it was (s).
    pub deepest: f64x4,
    pub deepest_at: f64x4,
    /// The overlap at the end of this step and of the one before, m; NaN where there was no contact.
    pub last: f64x4,
    pub earlier: f64x4,
    /// At the end of this step.
    pub normal: Lanes,
    /// Which lanes have slid.
    pub slid: u8,
}

/// One contact's part of it, while the lists are made anew.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Noted {
    pub impulse: [f64; 3],
    pub normal: [f64; 3],
    /// The two losses, the deepest overlap and when, the last overlap and the one before.
    pub numbers: [f64; 6],
    pub slid: bool,
}

impl Log {
    pub const NONE: Log = Log {
        impulse: Lanes::ZERO,
        taken: [f64x4::ZERO; 2],
        deepest: f64x4::ZERO,
        deepest_at: f64x4::ZERO,
        last: f64x4::new([f64::NAN; 4]),
        earlier: f64x4::new([f64::NAN; 4]),
        normal: Lanes::ZERO,
        slid: 0,
    };

    /// Enters a step of `dt` that ends at a time (both s); lanes in `before` touched at its beginning. Returns which
    /// lanes came out on the other side of what they touched.
    ///
    /// The deepest overlap is that of the parabola through three ends of steps, where the middle one is the highest:
    /// for a contact of 50 steps it is off by 1e-7 of itself.
    #[inline(always)]
    pub fn enter<V: Vectors>(
        &mut self,
        vectors: V,
        before: FourMask<V>,
        meet: &FourContacts<V>,
        answer: &LaneForces<V>,
        [dt, time]: [f64; 2],
    ) -> u8 {
        let span = vectors.all_four(dt);
        let impulse = self.impulse.with(vectors).masked(before) + answer.force.times(span);
        self.impulse.put(impulse);
        for (sum, part) in self.taken.iter_mut().zip(answer.taken) {
            let whole = get(vectors, sum).only(before) + part * span;
            put::<V>(sum, whole);
        }
        let nothing = vectors.all_four(f64::NAN);
        let last = get(vectors, &self.last).or_else(before, nothing);
        let earlier = get(vectors, &self.earlier).or_else(before, nothing);
        let now = meet.overlap;
        let (fall, bend) = (earlier - now, earlier - last - last + now);
        let part = vectors.all_four(0.5) * fall / bend;
        let value = last - vectors.all_four(0.25) * fall * part;
        let peak = last.greater_or_equal(earlier) & last.greater(now);
        let mut deepest = get(vectors, &self.deepest).only(before);
        let higher = peak & value.greater(deepest);
        deepest = value.or_else(higher, deepest);
        let when = vectors.all_four(time - dt) + part * span;
        let mut deepest_at = when.or_else(higher, get(vectors, &self.deepest_at));
        let deeper = answer.acting & now.greater(deepest);
        deepest = now.or_else(deeper, deepest);
        deepest_at = vectors.all_four(time).or_else(deeper, deepest_at);
        put::<V>(&mut self.deepest, deepest);
        put::<V>(&mut self.deepest_at, deepest_at);
        put::<V>(&mut self.last, now);
        put::<V>(&mut self.earlier, last);
        let turned = meet.normal.dot(self.normal.with(vectors));
        let through = before & meet.touching & turned.less(vectors.all_four(0.0));
        self.normal.put(meet.normal);
        let slides = (answer.memory.slides & answer.acting).bits() as u8;
        self.slid = (self.slid & before.bits() as u8) | slides;
        through.bits() as u8
    }

    /// What is noted of a lane, seen from the other ball where `sign` is −1.
    pub fn lane(&self, lane: usize, sign: f64) -> Noted {
        let [damper, rubbing] = self.taken;
        let numbers = [
            damper,
            rubbing,
            self.deepest,
            self.deepest_at,
            self.last,
            self.earlier,
        ];
        Noted {
            impulse: self.impulse.lane(lane).each(|along| sign * along),
            normal: self.normal.lane(lane).each(|along| sign * along),
            numbers: numbers.each(|number| number.to_array()[lane]),
            slid: self.slid >> lane & 1 == 1,
        }
    }

    pub fn set_lane(&mut self, lane: usize, noted: &Noted) {
        self.impulse.set_lane(lane, noted.impulse);
        self.normal.set_lane(lane, noted.normal);
        let [damper, rubbing] = &mut self.taken;
        let numbers = [
            damper,
            rubbing,
            &mut self.deepest,
            &mut self.deepest_at,
            &mut self.last,
            &mut self.earlier,
        ];
        for (of, number) in numbers.into_iter().zip(noted.numbers) {
            of.as_mut_array()[lane] = number;
        }
        self.slid = (self.slid & !(1 << lane)) | u8::from(noted.slid) << lane;
    }
}
