//! What a ball is going to do, and which of two things comes first.

use super::leave::LEASH;
use crate::queue::{Due, EventKind, Plans};
use crate::shape::Shaped;
use crate::simulate::bodies::Bodies;
use crate::world::BodyId;

/// What a ball is going to do, and where it is looked for: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Plan {
    /// When it is due: the contact, or earlier.
    pub next: f64,
    pub two: Two,
    /// The time of the first contact was worked out no earlier than then, s: a partner whose flight began before that
    /// still meets the ball at that time.
    pub made: f64,
    /// How often this was filed. An entry of the calendar with another stamp is no longer true. (Its time and partner
    /// would not tell: a ball may come back to the same plan, and the old entry would come alive again in the wrong
    /// place.)
    pub stamp: u32,
    /// Packed, and in the upper two bits the axis along which the ball leaves it.
    pub cell: u32,
    /// When the ball is at the end of its leash, s: counted from where it last looked around, not from where its plan
    /// was last changed.
    pub leash: f64,
}

impl Plan {
    /// Of a ball in a cell (packed).
    pub fn nothing(cell: u32) -> Self {
        Plan {
            next: f64::INFINITY,
            two: Two::NONE,
            made: f64::NEG_INFINITY,
            stamp: 0,
            cell,
            leash: f64::INFINITY,
        }
    }
}

pub(super) const SCENERY: u32 = 1 << 31;
pub(super) const LOOK_AGAIN: u32 = 1 << 30;
pub(super) const INDEX: u32 = LOOK_AGAIN - 1;

/// In place of a partner: one has to look.
pub(super) const LOOK: u32 = u32::MAX;

/// The earliest contacts so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Two {
    /// When the first is, s; infinite where there is none.
    pub first: f64,
    /// Everything else is no earlier than this, s.
    pub second: f64,
    /// ActionTarget the first is with: a slot, or one of the marks above and a place in the list of fixture.
    pub partner: u32,
    /// ActionTarget the second is with; `LOOK` where that is not known.
    pub runner_up: u32,
}

impl Two {
    pub const NONE: Two = Two {
        first: f64::INFINITY,
        second: f64::INFINITY,
        partner: LOOK,
        runner_up: LOOK,
    };

    /// Takes in a contact.
    #[inline(always)]
    pub fn add<S: Shaped>(&mut self, stage: &Bodies<S>, slot: usize, time: f64, partner: u32) {
        // The same once more is no second one. (With another time it is: its flight has changed.)
        if time == f64::INFINITY || (time == self.first && partner == self.partner) {
            return;
        }
        if time < self.first || (time == self.first && precedes(stage, slot, partner, self.partner))
        {
            // Of several at one instant the ids say which comes next: then one has to look.
            let alone = self.first < self.second;
            self.second = self.first;
            self.runner_up = if alone { self.partner } else { LOOK };
            (self.first, self.partner) = (time, partner);
        } else {
            self.add_later(time, partner);
        }
    }

    /// Takes in something that is not the first, and no earlier than a time.
    #[inline(always)]
    pub fn add_later(&mut self, time: f64, partner: u32) {
        if time < self.second {
            (self.second, self.runner_up) = (time, partner);
        } else if time == self.second {
            self.runner_up = LOOK;
        }
    }
}

/// The earlier of two times, without a branch.
#[inline(always)]
pub(super) fn earlier(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Kind and bodies of a ball's event with a partner, in the order of events at one instant.
fn rank<S: Shaped>(stage: &Bodies<S>, slot: usize, partner: u32) -> (EventKind, BodyId, BodyId) {
    let id = stage.balls.ids[slot];
    if partner & SCENERY == 0 {
        let other = stage.balls.ids[partner as usize];
        return (EventKind::Contact, id.min(other), id.max(other));
    }
    let kind = if partner & LOOK_AGAIN == 0 {
        EventKind::Contact
    } else {
        EventKind::LookAgain
    };
    (kind, id, stage.fixtures[(partner & INDEX) as usize].id)
}

#[cold]
fn precedes<S: Shaped>(stage: &Bodies<S>, slot: usize, a: u32, b: u32) -> bool {
    rank(stage, slot, a) < rank(stage, slot, b)
}

/// The order of events at one instant: by kind, then by ids.
pub(super) type Rank = Option<(EventKind, BodyId, BodyId)>;

/// All plans, as the calendar sees them.
pub(super) struct Made<'a, S: Shaped> {
    pub plans: &'a [Plan],
    pub stage: &'a Bodies<S>,
    /// Whether balls may be moved on to the next cell ahead of time.
    pub early: bool,
}

impl<S: Shaped> Plans for Made<'_, S> {
    type Rank = Rank;

    #[inline(always)]
    fn due(&self, member: u32) -> (f64, u32) {
        let plan = &self.plans[member as usize];
        (plan.next, plan.stamp)
    }

    #[inline(always)]
    fn passes(&self, member: u32) -> bool {
        let plan = &self.plans[member as usize];
        self.early & (plan.two.first > plan.next)
    }

    #[inline(always)]
    fn precedes(&self, a: &Due, b: &Due) -> bool {
        let (plan_a, plan_b) = (
            &self.plans[a.member as usize],
            &self.plans[b.member as usize],
        );
        // Two that meet each other are one event, filed twice.
        let mutual = plan_a.two.partner == b.member && plan_b.two.partner == a.member;
        let filed = plan_a.stamp == a.stamp && plan_b.stamp == b.stamp;
        let contacts = plan_a.two.first == a.time && plan_b.two.first == b.time;
        mutual && filed && contacts || self.rank(a) <= self.rank(b)
    }

    #[cold]
    #[inline(never)]
    fn rank(&self, due: &Due) -> Rank {
        // Entries that are no longer true come first, wherever they are in the queue: what they were is forgotten, and
        // what their balls are going to do now must not be taken for it, or those that are true would stand in the
        // wrong order around them.
        let slot = due.member as usize;
        let Plan {
            next,
            two,
            stamp,
            cell,
            ..
        } = &self.plans[slot];
        (*stamp == due.stamp).then(|| {
            if two.first > *next {
                let id = self.stage.balls.ids[slot];
                let ends = cell >> 30 == LEASH && *next >= self.stage.balls.segment_end(slot);
                let kind = if ends {
                    EventKind::SegmentEnd
                } else {
                    EventKind::Wrap
                };
                (kind, id, id)
            } else {
                rank(self.stage, slot, two.partner)
            }
        })
    }
}
