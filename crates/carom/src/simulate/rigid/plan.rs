//! What is next: for each body the first of its contacts and of its leaving a cell.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::cells::{Cells, reach};
use super::core::Core;
use super::geometry::{is_within, next_clearance, next_contact};
use super::island::Neighbours;
use super::overlap::Overlap;
use crate::impact::Impact;
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is to happen. The order is that of events at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// A pair begins to touch.
    Contact,
    /// A contact that lasts is over.
    Release,
    /// A body goes into a sensor, or comes out of it.
    Pass,
    /// An island's step ends; `a` is the island.
    Step,
    /// Nothing: a body is to be looked at again.
    Look,
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Due {
    /// World time, s.
    pub time: f64,
    pub what: What,
    pub a: u32,
    pub other: RigidBodyRef,
    /// Of the two when it was predicted.
    pub counters: [u32; 2],
}

impl Due {
    fn order(&self, other: &Due) -> Ordering {
        let key = |due: &Due| (due.what, due.a, due.other);
        (self.time.total_cmp(&other.time)).then_with(|| key(self).cmp(&key(other)))
    }
}

/// Ordered so that the earliest is the greatest.
#[derive(Clone, Copy, Debug)]
struct Entry(Due);

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.order(&self.0)
    }
}

/// The bodies near each other, and what is predicted.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    pub cells: Cells,
    /// How many fixtures there are.
    pub props: u32,
    queue: BinaryHeap<Entry>,
    /// The one prediction of each body that still holds, by slot.
    pub own: Vec<Option<Due>>,
}

impl Neighbours for Plans {
    fn around<S: Space>(&self, slot: u32, mut visit: impl FnMut(RigidBodyRef)) {
        self.cells
            .near::<S>(slot, |other| visit(RigidBodyRef::Body(other)));
        (0..self.props).for_each(|index| visit(RigidBodyRef::Fixture(index)));
    }
}

impl Plans {
    pub fn new(cells: Cells, bodies: usize, props: usize) -> Self {
        Plans {
            cells,
            props: props as u32,
            queue: BinaryHeap::new(),
            own: vec![None; bodies],
        }
    }

    /// The earliest prediction before a time, taken out; predictions that hold no longer are dropped.
    pub fn next_before<S: Space>(&mut self, core: &Core<S>, until: f64) -> Option<Due> {
        loop {
            let due = self.queue.peek()?.0;
            if !(due.time < until) {
                return None;
            }
            self.queue.pop();
            if self.holds(core, &due) {
                return Some(due);
            }
        }
    }

    /// The earliest prediction before a time, taken out, if it is a contact that holds for both.
    pub fn next_contact_before<S: Space>(&mut self, core: &Core<S>, until: f64) -> Option<Due> {
        loop {
            let due = self.queue.peek()?.0;
            if !(due.time < until) {
                return None;
            }
            let stale = match due.other {
                RigidBodyRef::Body(b) => core.moving[b as usize].counter != due.counters[1],
                RigidBodyRef::Fixture(_) => false,
            };
            if !self.holds(core, &due) {
                self.queue.pop();
            } else if due.what != What::Contact || stale {
                return None;
            } else {
                self.queue.pop();
                return Some(due);
            }
        }
    }

    fn holds<S: Space>(&self, core: &Core<S>, due: &Due) -> bool {
        match due.what {
            What::Step => core.islands[due.a as usize]
                .as_ref()
                .is_some_and(|island| island.version == due.counters[0]),
            What::Contact | What::Release | What::Pass | What::Look => {
                self.own[due.a as usize] == Some(*due)
            }
        }
    }

    pub fn push(&mut self, due: Due) {
        self.queue.push(Entry(due));
    }

    /// The end of an island's step.
    pub fn expect_step<S: Space>(&mut self, core: &Core<S>, id: u32) {
        if let Some(island) = &core.islands[id as usize]
            && !island.asleep
        {
            self.push(Due {
                time: island.until,
                what: What::Step,
                a: id,
                other: RigidBodyRef::Body(0),
                counters: [island.version, 0],
            });
        }
    }

    /// Plans a body anew from a time on; where somebody wants an end meanwhile, it is left to be planned before
    /// anything else happens. The deepest overlap with somebody around it whom it does not keep touching.
    pub fn plan<S: Shaped>(
        &mut self,
        core: &Core<S>,
        stage: &RigidWorld<S>,
        slot: u32,
        now: f64,
        cancelled: impl Fn() -> bool,
    ) -> Option<Overlap> {
        let mut deepest = None;
        let mut own = self.first_of(core, stage, slot, now, (&mut deepest, &cancelled));
        if cancelled() && !stage.inert[slot as usize].gone {
            own = Some(Due {
                time: f64::NEG_INFINITY,
                what: What::Look,
                a: slot,
                other: RigidBodyRef::Body(slot),
                counters: [core.moving[slot as usize].counter, 0],
            });
        }
        self.own[slot as usize] = own;
        if let Some(due) = own {
            self.push(due);
        }
        deepest
    }

    /// Longer than most: one search over everyone around, whose branches narrow down the same end.
    fn first_of<S: Shaped>(
        &mut self,
        core: &Core<S>,
        stage: &RigidWorld<S>,
        slot: u32,
        now: f64,
        (deepest, cancelled): (&mut Option<Overlap>, &impl Fn() -> bool),
    ) -> Option<Due> {
        if stage.inert[slot as usize].gone {
            return None;
        }
        // Who sleeps is met by those who move; fixtures that does makes no plans of its own.
        let asleep = core.is_asleep(slot);
        if asleep && !stage.props.iter().any(|prop| prop.moves() && !prop.gone) {
            return None;
        }
        let moving = &core.moving[slot as usize];
        self.cells.move_to::<S>(slot, moving.track.position_at(now));
        let exit = self.cells.exit(slot, &moving.track, now).max(now);
        let due = |time: f64, what: What, other: RigidBodyRef| {
            let its = match other {
                RigidBodyRef::Body(b) => core.moving[b as usize].counter,
                RigidBodyRef::Fixture(_) => 0,
            };
            Due {
                time,
                what,
                a: slot,
                other,
                counters: [moving.counter, its],
            }
        };
        let mut best =
            (exit < moving.track.until).then(|| due(exit, What::Look, RigidBodyRef::Body(slot)));
        if moving.sticking.is_some() && best.is_none() {
            best = Some(due(
                moving.track.until,
                What::Release,
                RigidBodyRef::Body(slot),
            ));
        }
        let mut end = exit.min(moving.track.until);
        self.around::<S>(slot, |other| {
            // Each search can take milliseconds, and there may be very many.
            if cancelled() {
                return;
            }
            let still = match other {
                RigidBodyRef::Body(_) => true,
                RigidBodyRef::Fixture(index) => !stage.props[index as usize].moves(),
            };
            if asleep && still {
                return;
            }
            if let RigidBodyRef::Fixture(index) = other
                && stage.senses(slot, index)
            {
                let found = match next_passage(core, stage, slot, index, (now, end)) {
                    Impact::Now => due(now, What::Pass, other),
                    Impact::At(time) => due(time.max(now), What::Pass, other),
                    Impact::ClearUntil(time) => due(time.max(now), What::Look, other),
                    Impact::Never => return,
                };
                if best.is_none_or(|best| found.order(&best) == Ordering::Less) {
                    end = end.min(found.time);
                    best = Some(found);
                }
                return;
            }
            if !stage.meet(slot, other)
                || moving.partners.contains(&other)
                || core.in_one_crowd(slot, other)
            {
                return;
            }
            let mut until = end;
            if let RigidBodyRef::Body(b) = other {
                until = until.min(core.moving[b as usize].track.until);
            }
            // Ties go to the contact that comes first in the order of events, so that times at the end count.
            let Some(from) = enters(core, stage, slot, other, now, until) else {
                return;
            };
            if from <= now {
                Overlap::keep(deepest, core.overlap_of(stage, slot, other, now));
            }
            let found = match next_contact(core, stage, slot, other, from, until.next_up()) {
                Impact::Now => due(from, What::Contact, other),
                Impact::At(time) => due(time.max(now), What::Contact, other),
                Impact::ClearUntil(time) => due(time.max(from), What::Look, other),
                Impact::Never => return,
            };
            if best.is_none_or(|best| found.order(&best) == Ordering::Less) {
                end = end.min(found.time);
                best = Some(found);
            }
        });
        best
    }
}

/// When a body goes into a sensor next, or comes out of it.
fn next_passage<S: Shaped>(
    core: &Core<S>,
    stage: &RigidWorld<S>,
    slot: u32,
    index: u32,
    (now, until): (f64, f64),
) -> Impact {
    let (ball, sensor) = (
        stage.inert[slot as usize].id,
        stage.props[index as usize].id,
    );
    let known = core.overlaps.of(ball, sensor, [0; 3]);
    if known.is_some_and(|known| known.inside) {
        return next_clearance(core, stage, slot, index, (now, until));
    }
    let other = RigidBodyRef::Fixture(index);
    let Some(from) = enters(core, stage, slot, other, now, until) else {
        return Impact::Never;
    };
    // What began within it, or was put there, is inside at once.
    if from == now && is_within(core, stage, slot, index, now) {
        return Impact::Now;
    }
    next_contact(core, stage, slot, other, from, until.next_up())
}

/// From when on the balls around two bodies may overlap, at the earliest; `None` where they do not before the end.
fn enters<S: Shaped>(
    core: &Core<S>,
    stage: &RigidWorld<S>,
    slot: u32,
    other: RigidBodyRef,
    now: f64,
    until: f64,
) -> Option<f64> {
    let track = &core.moving[slot as usize].track;
    let (place, velocity) = (track.position_at(now), track.velocity_at(now));
    let (its_place, its_velocity, its_acceleration, its_reach) = match other {
        RigidBodyRef::Body(b) => {
            let track = &core.moving[b as usize].track;
            let (place, velocity) = (track.position_at(now), track.velocity_at(now));
            (place, velocity, track.acceleration, track.reach)
        }
        RigidBodyRef::Fixture(index) => {
            let prop = &stage.props[index as usize];
            if let Some(height) = prop.height_above(place, now) {
                let normal = prop.up();
                let closing = -normal.dot(velocity - prop.velocity);
                let time = reach(
                    height - track.reach * (1.0 + 1e-9),
                    closing,
                    -normal.dot(track.acceleration),
                );
                return (now + time <= until).then_some(now + time * (1.0 - 1e-9));
            }
            let place = prop.pose_at(now).position;
            (place, prop.velocity, S::Vector::ZERO, prop.reach)
        }
    };
    let (apart, drift) = (place - its_place, velocity - its_velocity);
    let pull = track.acceleration - its_acceleration;
    let reach = (track.reach + its_reach) * (1.0 + 1e-9);
    let c = apart.length_squared() - reach * reach;
    if c <= 0.0 {
        return Some(now);
    }
    if pull == S::Vector::ZERO {
        // |d + w t|² = r²: c/(−b + √(b² − a c)) is the first root, without cancellation.
        let (a, b) = (drift.length_squared(), apart.dot(drift));
        let discriminant = b * b - a * c;
        if b >= 0.0 || discriminant < 0.0 {
            return None;
        }
        let time = c / (-b + discriminant.sqrt());
        return (now + time <= until).then_some(now + time * (1.0 - 1e-9));
    }
    let span = until - now;
    let way = (drift.length() + 0.5 * pull.length() * span) * span;
    (!(apart.length() - reach > way)).then_some(now)
}
