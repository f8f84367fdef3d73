//! Contacts, four to a slot: which balls, what is remembered, and what acts.

use super::lanes::Lanes;
use super::log::{Log, Noted};
use crate::arrays::Each;
use wide::f64x4;

/// What acts at one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneAction {
    /// On *a*, N; the opposite acts on *b*. The fourth number is zero.
    pub force: f64x4,
    /// `n × F_t`, N: the torque on either is this times minus its arm. The fourth number is by how much the arms are
    /// shorter than the radii, m.
    pub twist: f64x4,
}

impl LaneAction {
    pub const NONE: LaneAction = LaneAction {
        force: f64x4::ZERO,
        twist: f64x4::ZERO,
    };
}

/// What acts at the four contacts of a slot. Kept apart from the slot: it is written and read in each step, and what is
/// remembered need not pass through the same lines of cache.
pub(super) type Actions = [LaneAction; 4];

/// Nothing does.
pub(super) const NOTHING: Actions = [LaneAction::NONE; 4];

/// What resists rolling and spinning at four contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct RollingSprings {
    /// How far the springs against rolling are stretched: the reduced radius times an angle, as a vector along its
    /// axis, m.
    pub rolled: Lanes,
    /// The same about the normal, m.
    pub spun: f64x4,
    /// On *a*, N·m; the opposite acts on *b*.
    pub moments: [f64x4; 4],
}

impl RollingSprings {
    pub const NONE: RollingSprings = RollingSprings {
        rolled: Lanes::ZERO,
        spun: f64x4::ZERO,
        moments: [f64x4::ZERO; 4],
    };
}

/// Four contacts. Lanes that are not used have a ball with itself, which never touches, or with
/// [`NOBODY`](Slot::NOBODY).
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Balls, by place in the sorted order.
    pub a: [u32; 4],
    /// Balls, or walls, or shapes.
    pub b: [u32; 4],
    /// ξ, m.
    pub stretch: Lanes,
    /// Only where something resists rolling.
    pub turning: Option<Box<RollingSprings>>,
    /// Which lanes touch, one bit each.
    pub touching: u8,
    /// Which lanes slide.
    pub sliding: u8,
}

impl Slot {
    /// In the place of the wall or shape of a lane that is not used.
    pub const NOBODY: u32 = u32::MAX;

    pub fn empty() -> Self {
        Slot {
            a: [0; 4],
            b: [0; 4],
            stretch: Lanes::ZERO,
            turning: None,
            touching: 0,
            sliding: 0,
        }
    }

    /// Whether a lane of a slot with fixtures is used.
    pub fn used(&self, lane: usize) -> bool {
        self.b[lane] != Self::NOBODY
    }

    /// Forgets everything: nothing touches.
    #[inline]
    pub fn part(&mut self, actions: &mut Actions) {
        *actions = NOTHING;
        if self.touching == 0 {
            return;
        }
        self.touching = 0;
        self.stretch = Lanes::ZERO;
        self.sliding = 0;
        if let Some(turning) = &mut self.turning {
            **turning = RollingSprings::NONE;
        }
    }
}

/// What one contact remembers, while the lists are made anew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// The other ball, wall or shape.
    pub other: u32,
    pub slides: bool,
    /// ξ of the one that is listed relative to the other, m.
    pub stretch: [f64; 3],
}

/// What all contacts remember, by ball.
#[derive(Debug, Default)]
pub(super) struct SlotMemories {
    start: Vec<u32>,
    kept: Vec<Kept>,
    /// Beside each, where something resists rolling.
    turned: Vec<[f64; 4]>,
    /// Beside each, where record is kept.
    noted: Vec<Noted>,
}

impl SlotMemories {
    /// Takes what touching contacts of slots remember; beside each slot is what its numbers are counted from.
    /// `of(a, b)` gives ball and other of a contact from now on, and whether they have changed places.
    pub fn take<'a, I: Iterator<Item = (&'a Slot, u32)>>(
        balls: usize,
        slots: impl Fn() -> I,
        logs: &[Log],
        of: impl Fn(u32, u32) -> (u32, u32, bool),
    ) -> Self {
        let rolls = slots().any(|(slot, _)| slot.turning.is_some());
        let mut start = vec![0_u32; balls + 2];
        let touching = || {
            slots().enumerate().flat_map(|(index, (slot, base))| {
                (0..4)
                    .filter(|lane| slot.touching >> lane & 1 == 1)
                    .map(move |lane| (index, slot, lane, base))
            })
        };
        for (_, slot, lane, base) in touching() {
            start[of(base + slot.a[lane], base + slot.b[lane]).0 as usize + 2] += 1;
        }
        for ball in 2..start.len() {
            start[ball] += start[ball - 1];
        }
        let total = start[balls + 1] as usize;
        let nothing = Kept {
            other: 0,
            slides: false,
            stretch: [0.0; 3],
        };
        let mut kept = vec![nothing; total];
        let mut turned = vec![[0.0; 4]; if rolls { total } else { 0 }];
        let nothing = Log::NONE.lane(0, 1.0);
        let mut noted = vec![nothing; if logs.is_empty() { 0 } else { total }];
        for (index, slot, lane, base) in touching() {
            let (ball, other, swapped) = of(base + slot.a[lane], base + slot.b[lane]);
            let sign = if swapped { -1.0 } else { 1.0 };
            let place = start[ball as usize + 1] as usize;
            kept[place] = Kept {
                other,
                slides: slot.sliding >> lane & 1 == 1,
                stretch: slot.stretch.lane(lane).each(|along| sign * along),
            };
            if let Some(turning) = &slot.turning {
                let [x, y, z] = turning.rolled.lane(lane).each(|along| sign * along);
                // About the normal, which turns round with the two: n·(ω_a − ω_b) stays.
                turned[place] = [x, y, z, turning.spun.to_array()[lane]];
            }
            if let Some(log) = logs.get(index) {
                noted[place] = log.lane(lane, sign);
            }
            start[ball as usize + 1] += 1;
        }
        start.pop();
        SlotMemories {
            start,
            kept,
            turned,
            noted,
        }
    }

    /// Gives a contact of a ball and another in a lane what is remembered of it.
    pub fn give(
        &self,
        [ball, other]: [u32; 2],
        slot: &mut Slot,
        log: Option<&mut Log>,
        lane: usize,
    ) {
        let ball = ball as usize;
        if self.start.is_empty() {
            return;
        }
        for place in self.start[ball] as usize..self.start[ball + 1] as usize {
            let kept = &self.kept[place];
            if kept.other == other {
                slot.stretch.set_lane(lane, kept.stretch);
                slot.touching |= 1 << lane;
                slot.sliding |= u8::from(kept.slides) << lane;
                if let (Some(turning), Some(&[x, y, z, spun])) =
                    (&mut slot.turning, self.turned.get(place))
                {
                    turning.rolled.set_lane(lane, [x, y, z]);
                    turning.spun.as_mut_array()[lane] = spun;
                }
                if let (Some(log), Some(noted)) = (log, self.noted.get(place)) {
                    log.set_lane(lane, noted);
                }
                return;
            }
        }
    }
}
