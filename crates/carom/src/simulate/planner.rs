//! The fast planner: one event for each ball, kept in a calendar; who may meet whom from cells.
//!
//! # What is kept
//!
//! A ball's plan has the earliest contact that was found when the ball was last predicted, and the time at which it
//! leaves its cell. The earlier of the two is its entry in the calendar. Times of contact are pure functions of two flights, so
//! for every pair of neighbours whose flights have not changed since, at least one of the two plans has a contact no later than theirs:
//! that of the one that was predicted last. So the first valid entry of the calendar is the first event of all.
//!
//! When a ball is struck, contacts planned with it become invalid, and nobody is told: its counter has moved, and a plan whose
//! counter does not agree is made anew when its time comes. Until then it was too early at worst.
//!
//! Leaving a cell changes nothing but whom a ball may meet: the balls in the cells that are new around it are looked at, the
//! contact found so far stays. Its flight is not touched, so the results do not depend on the cells.

use super::balls::{Balls, parabola_crosses};
use super::lanes::{CHUNK, Lanes};
use super::scenery::{Searches, forget_searches};
use super::stage::{Other, Stage, Step};
use crate::broad::{Candidates, Cells, Lattice, Lists, Seen};
use crate::queue::{CalendarQueue, Entry, EventKind};
use crate::space::{Linear, Space};
use crate::world::BodyId;
use std::cmp::Ordering;

/// What a ball is going to do. It does not straddle two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Plan {
    /// When it touches something, s; infinite where it does not.
    contact: f64,
    /// When it is due: the contact, or earlier.
    next: f64,
    /// What it touches: a slot, or one of the marks below and a place in the list of scenery.
    partner: u32,
    /// Of the partner, when this was planned.
    partner_counter: u32,
    /// Moves whenever the flight changes.
    counter: u32,
    /// Packed.
    cell: u32,
}

const SCENERY: u32 = 1 << 31;
const LOOK_AGAIN: u32 = 1 << 30;
const INDEX: u32 = LOOK_AGAIN - 1;

#[derive(Clone, Copy, Debug)]
struct Due {
    time: f64,
    slot: u32,
}

impl Entry for Due {
    #[inline(always)]
    fn time(&self) -> f64 {
        self.time
    }
}

/// Who meets whom and when.
#[derive(Clone, Debug)]
pub(super) struct Planner<S: Space> {
    plans: Vec<Plan>,
    queue: CalendarQueue<Due>,
    cells: Cells<S>,
    /// Where they pay; the cells then hold their anchors, and leaving a cell means to drift from the anchor.
    lists: Option<Lists<S>>,
    obstacles: Obstacles,
    /// By tag.
    shifts: [S::Vector; 32],
    candidates: Candidates,
    lanes: Box<Lanes>,
    searches: Searches<S>,
    /// Of the balls that the cells were made for, m.
    largest: f64,
}

/// Which scenery can be touched from which cell.
#[derive(Clone, Debug, Default)]
struct Obstacles {
    /// Where the list of each cell begins; empty where there is no scenery.
    first: Vec<u32>,
    members: Vec<u32>,
}

/// The earliest contact so far.
#[derive(Clone, Copy)]
struct Best {
    time: f64,
    partner: u32,
}

impl<S: Space> Planner<S> {
    /// Plans for all balls. Puts them in an order in which neighbours in space are neighbours in memory.
    pub fn new(stage: &mut Stage<S>, now: f64) -> Self {
        let shell = shell_for(&stage.balls, now);
        let lattice = lattice_for(&stage.balls, now, shell.unwrap_or(0.0));
        let place = |balls: &Balls<S>, slot| lattice.cell_of(balls.position_at(slot, now));
        let mut order: Vec<(u64, u32)> = (0..stage.balls.len())
            .map(|slot| (interleaved(place(&stage.balls, slot)), slot as u32))
            .collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, slot)| slot).collect();
        stage.reorder(&order);
        drop(order);
        let balls = &stage.balls;
        let mut cells = Cells::new(lattice.clone());
        let mut plans = Vec::with_capacity(balls.len());
        for slot in 0..balls.len() {
            let cell = place(balls, slot);
            cells.insert(cell, slot as u32);
            plans.push(Plan {
                contact: f64::INFINITY,
                next: f64::INFINITY,
                partner: 0,
                partner_counter: 0,
                counter: 0,
                cell: Lattice::<S>::pack(cell),
            });
        }
        let largest = balls.hot.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let mut planner = Planner {
            plans,
            queue: CalendarQueue::new(1, now, 1.0),
            obstacles: Obstacles::new(stage, &lattice, shell.unwrap_or(0.0), largest),
            lists: None,
            shifts: cells.shifts(),
            cells,
            candidates: Candidates::default(),
            lanes: Box::default(),
            searches: Searches::<S>::new(),
            largest,
        };
        if let Some(shell) = shell {
            planner.make_lists(&stage.balls, now, shell);
        }
        for slot in 0..stage.balls.len() {
            planner.plan(stage, slot, now);
        }
        planner.queue = planner.calendar(now);
        for slot in 0..stage.balls.len() {
            planner.file(stage, slot);
        }
        planner
    }

    fn make_lists(&mut self, balls: &Balls<S>, now: f64, shell: f64) {
        let anchors = (0..balls.len())
            .map(|slot| balls.position_at(slot, now))
            .collect();
        let mut lists = Lists::new(anchors, shell);
        lists.fill(
            &self.cells,
            |slot| Lattice::<S>::unpack(self.plans[slot as usize].cell),
            |slot| balls.hot[slot as usize].radius,
        );
        self.lists = Some(lists);
    }

    /// An empty calendar that fits the plans: half of the balls are due before their median.
    fn calendar(&self, now: f64) -> CalendarQueue<Due> {
        let mut waits: Vec<f64> = self
            .plans
            .iter()
            .map(|plan| plan.next - now)
            .filter(|wait| wait.is_finite() && *wait > 0.0)
            .collect();
        let middle = waits.len() / 2;
        let interval = if waits.is_empty() {
            1.0
        } else {
            *waits.select_nth_unstable_by(middle, f64::total_cmp).1 / (middle + 1) as f64
        };
        CalendarQueue::new(self.plans.len(), now, interval)
    }

    /// The next step before a time, and when it is.
    pub fn next(&mut self, stage: &Stage<S>, until: f64) -> Option<(f64, Step)> {
        loop {
            let plans = &self.plans;
            let order = |a: &Due, b: &Due| order(plans, stage, a, b);
            let live = |due: &Due| plans[due.slot as usize].next == due.time;
            let due = *self.queue.peek(order, live)?;
            if !(due.time < until) {
                return None;
            }
            self.queue.pop(order, live);
            if !live(&due) {
                continue;
            }
            let slot = due.slot as usize;
            let plan = self.plans[slot];
            if plan.contact > plan.next {
                if let Some(step) = self.leave_cell(stage, slot, due.time) {
                    return Some((due.time, step));
                }
            } else if plan.partner & SCENERY != 0 {
                let (ball, other) = (due.slot, Other::Scenery(plan.partner & INDEX));
                if plan.partner & LOOK_AGAIN == 0 {
                    return Some((due.time, Step::Contact { ball, other }));
                }
                self.plan(stage, slot, due.time);
                self.file(stage, slot);
                return Some((due.time, Step::LookedAgain { ball, other }));
            } else if self.plans[plan.partner as usize].counter == plan.partner_counter {
                let (mut a, mut b) = (due.slot, plan.partner);
                if stage.balls.ids[b as usize] < stage.balls.ids[a as usize] {
                    (a, b) = (b, a);
                }
                let other = Other::Ball(b);
                return Some((due.time, Step::Contact { ball: a, other }));
            } else {
                self.plan(stage, slot, due.time);
                self.file(stage, slot);
            }
        }
    }

    /// Plans anew for balls whose flights have changed.
    pub fn changed(&mut self, stage: &Stage<S>, slots: &[u32], now: f64) {
        for &slot in slots {
            let counter = &mut self.plans[slot as usize].counter;
            *counter = counter.wrapping_add(1);
        }
        for &slot in slots {
            self.plan(stage, slot as usize, now);
            self.file(stage, slot as usize);
        }
        if let Some(interval) = self.queue.misfit() {
            let mut queue = CalendarQueue::new(self.plans.len(), now, interval);
            let plans = &self.plans;
            for due in self.queue.drain() {
                if plans[due.slot as usize].next == due.time {
                    queue.push(due, |a, b| order(plans, stage, a, b));
                }
            }
            self.queue = queue;
        }
    }

    /// Plans for a ball that has come into a slot. `false` where it is larger than any for whom the cells were made: then everything has
    /// to be planned anew.
    #[must_use]
    pub fn admit(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> bool {
        if stage.balls.hot[slot].radius > self.largest {
            return false;
        }
        let place = stage.balls.position_at(slot, now);
        let cell = self.cells.lattice.cell_of(place);
        let packed = Lattice::<S>::pack(cell);
        if slot == self.plans.len() {
            self.plans.push(Plan {
                contact: f64::INFINITY,
                next: f64::INFINITY,
                partner: 0,
                partner_counter: 0,
                counter: 0,
                cell: packed,
            });
        }
        self.plans[slot].cell = packed;
        self.cells.insert(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            let radius = |slot: u32| stage.balls.hot[slot as usize].radius;
            lists.admit(&self.cells, cell, slot as u32, place, radius);
        }
        self.changed(stage, &[slot as u32], now);
        true
    }

    /// Forgets the ball in a slot: nobody meets it any more, and the slot may be taken by another.
    pub fn dismiss(&mut self, slot: usize) {
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        self.cells.remove(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.forget(slot as u32);
        }
        let plan = &mut self.plans[slot];
        plan.counter = plan.counter.wrapping_add(1);
        (plan.contact, plan.next, plan.partner) = (f64::INFINITY, f64::INFINITY, 0);
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Plans anew for the balls near scenery: a fixed or prescribed body has come or gone.
    pub fn scenery_changed(&mut self, stage: &Stage<S>, now: f64) {
        let shell = self.lists.as_ref().map_or(0.0, |lists| lists.shell());
        let obstacles = Obstacles::new(stage, &self.cells.lattice, shell, self.largest);
        let before = std::mem::replace(&mut self.obstacles, obstacles);
        self.searches.clear();
        for slot in stage.balls.slots() {
            let plan = &self.plans[slot];
            let cell = self.cells.lattice.index(Lattice::<S>::unpack(plan.cell));
            let meets = plan.contact < f64::INFINITY && plan.partner & SCENERY != 0;
            if meets || before.any(cell) || self.obstacles.any(cell) {
                self.plan(stage, slot, now);
                self.file(stage, slot);
            }
        }
    }

    /// Calls `visit` with every ball whose centre may be in a box at present, and perhaps with others; with none twice. The box is seen
    /// from all its images.
    pub fn within(&self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(u32)) {
        let lattice = &self.cells.lattice;
        let drift = self.lists.as_ref().map_or(0.0, |lists| lists.drift);
        let mut ranges = [(0, 0); 3];
        for axis in 0..S::DIMENSION {
            // A little more: who is due to leave a cell just now is still in it.
            let margin = drift + 1e-6 * lattice.size[axis];
            ranges[axis] = lattice.range(axis, low[axis] - margin, high[axis] + margin);
        }
        let mut found = Candidates::default();
        let cells = |axis: usize| {
            let (first, number) = ranges[axis];
            let count = lattice.count[axis];
            (0..=number).map(move |step| (first + step) % count)
        };
        for z in cells(2) {
            for y in cells(1) {
                for x in cells(0) {
                    self.cells.inside([x, y, z], &mut found);
                    found
                        .entries()
                        .iter()
                        .for_each(|entry| visit(entry.member()));
                }
            }
        }
    }

    /// The largest radius of a ball, or more, m.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// The edge of a cell, m: the scale of distances between neighbours.
    pub fn edge(&self) -> f64 {
        self.cells.lattice.size[..S::DIMENSION]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// Enters a ball's plan into the calendar.
    #[inline]
    fn file(&mut self, stage: &Stage<S>, slot: usize) {
        let time = self.plans[slot].next;
        if time < f64::INFINITY {
            let plans = &self.plans;
            let due = Due {
                time,
                slot: slot as u32,
            };
            self.queue.push(due, |a, b| order(plans, stage, a, b));
        }
    }

    /// Looks for a ball's earliest contact among everyone around it.
    fn plan(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {}
            Some(lists) => lists.around(slot, &mut self.candidates),
            None => self.cells.around(cell, &mut self.candidates),
        }
        let nothing = Best {
            time: f64::INFINITY,
            partner: 0,
        };
        let mut best = self.first_ball(stage, slot, nothing);
        if !self.obstacles.first.is_empty() {
            best = self.first_obstacle(stage, slot, cell, now, best);
        }
        let (leaves, _, _) = self.leaves_cell(stage, slot, cell, now);
        self.keep(slot, best, leaves);
    }

    #[inline]
    fn keep(&mut self, slot: usize, best: Best, leaves: f64) {
        let partner_counter = if best.partner & SCENERY == 0 {
            self.plans[best.partner as usize].counter
        } else {
            0
        };
        let plan = &mut self.plans[slot];
        plan.contact = best.time;
        plan.partner = best.partner;
        plan.partner_counter = partner_counter;
        plan.next = if best.time <= leaves {
            best.time
        } else {
            leaves
        };
    }

    /// Moves a ball on to the next cell. What it does there is planned, unless it leaves the periodic box.
    fn leave_cell(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> Option<Step> {
        if self.lists.is_some() {
            return self.leave_anchor(stage, slot, now);
        }
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let (time, axis, up) = self.leaves_cell(stage, slot, cell, now);
        let (next, wraps) = self
            .cells
            .lattice
            .next(cell, axis, up)
            .expect("the last cell of an axis goes on without end");
        if wraps && time > now {
            // On a parabola the way out of a cell is found from now on, and rounding may let the end of the box come first.
            self.plans[slot].next = time;
            self.file(stage, slot);
            return None;
        }
        self.cells.remove(cell, slot as u32);
        self.cells.insert(next, slot as u32);
        self.plans[slot].cell = Lattice::<S>::pack(next);
        if wraps {
            let ball = slot as u32;
            return Some(Step::Wrap { ball, axis, up });
        }
        self.cells.beyond(next, axis, up, &mut self.candidates);
        self.plan_further(stage, slot, next, now);
        None
    }

    /// Plans on with what is known and with the candidates.
    fn plan_further(&mut self, stage: &Stage<S>, slot: usize, next: [u32; 3], now: f64) {
        let plan = self.plans[slot];
        let so_far = Best {
            time: plan.contact,
            partner: plan.partner,
        };
        let mut best = self.first_ball(stage, slot, so_far);
        if !self.obstacles.first.is_empty() {
            best = self.first_obstacle(stage, slot, next, now, best);
        }
        let (leaves, _, _) = self.leaves_cell(stage, slot, next, now);
        if best.time == so_far.time && best.partner == so_far.partner {
            // Perhaps out of date already: its counter must not be made to agree.
            self.plans[slot].next = if best.time <= leaves {
                best.time
            } else {
                leaves
            };
        } else {
            self.keep(slot, best, leaves);
        }
        self.file(stage, slot);
    }

    /// Makes a ball's list anew where it is now, unless it leaves the periodic box.
    fn leave_anchor(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> Option<Step> {
        let balls = &stage.balls;
        let lists = self.lists.as_mut().expect("only where there are lists");
        let ball = slot as u32;
        if let Some((time, axis, up)) = balls.leaves_box(slot)
            && time <= now
        {
            lists.wrap(ball, axis, up, balls.period[axis]);
            return Some(Step::Wrap { ball, axis, up });
        }
        let anchor = balls.position_at(slot, now);
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let next = self.cells.lattice.cell_of(anchor);
        if next != cell {
            self.cells.remove(cell, ball);
            self.cells.insert(next, ball);
            self.plans[slot].cell = Lattice::<S>::pack(next);
        }
        let radius = |slot: u32| balls.hot[slot as usize].radius;
        lists.move_anchor(&self.cells, next, ball, anchor, radius);
        lists.around(slot, &mut self.candidates);
        self.plan_further(stage, slot, next, now);
        None
    }

    /// When a ball is as far from its anchor as it may be, or leaves the periodic box.
    #[inline]
    fn leaves_anchor(&self, balls: &Balls<S>, lists: &Lists<S>, slot: usize) -> f64 {
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
        let anchor = S::components(lists.anchor(slot));
        let inside = (0..S::DIMENSION).all(|axis| {
            let length = balls.period[axis];
            length == 0.0 || (anchor[axis] > lists.drift && anchor[axis] < length - lists.drift)
        });
        if inside {
            return drifts;
        }
        match balls.leaves_box(slot) {
            Some((time, _, _)) if time <= drifts => time,
            _ => drifts,
        }
    }

    /// When a ball leaves its cell, along which axis, and whether upwards.
    #[inline]
    fn leaves_cell(
        &self,
        stage: &Stage<S>,
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
        let velocity = S::components(ball.velocity);
        let position = S::components(ball.position);
        let mut first = (f64::INFINITY, 0, false);
        for axis in 0..S::DIMENSION {
            let up = velocity[axis] > 0.0;
            let distance = self.cells.lattice.bound(cell[axis], axis, up) - position[axis];
            // A ball at rest has −∞ or NaN here and stays, one beyond the bound by rounding passes at once: see `Balls::crosses`.
            let wait = distance / velocity[axis];
            let wait = if wait > 0.0 { wait } else { 0.0 };
            if wait < first.0 && velocity[axis] != 0.0 {
                first = (wait, axis, up);
            }
        }
        first.0 += ball.since;
        first
    }

    /// The same on a parabola, which may pass a bound and come back. Where it leaves the box is a function of the flight alone,
    /// since that changes it; other bounds are looked at from now on, and at least one step of the clock lies between two of them.
    fn leaves_cell_falling(
        &self,
        stage: &Stage<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
    ) -> (f64, usize, bool) {
        let (lattice, balls) = (&self.cells.lattice, &stage.balls);
        let position = S::components(balls.position_at(slot, now));
        let velocity = S::components(balls.velocity_at(slot, now));
        let gravity = S::components(balls.gravity);
        let mut first = (f64::INFINITY, 0, false);
        for axis in 0..S::DIMENSION {
            for up in [false, true] {
                let bound = lattice.bound(cell[axis], axis, up);
                let last = if up { lattice.count[axis] - 1 } else { 0 };
                let time = if cell[axis] == last {
                    balls.crosses(slot, axis, bound, up)
                } else {
                    let distance = bound - position[axis];
                    let wait = parabola_crosses(distance, velocity[axis], gravity[axis], up);
                    (now + wait).max(now.next_up())
                };
                if time < first.0 {
                    first = (time, axis, up);
                }
            }
        }
        first
    }

    /// The earliest contact of a ball with the candidates, if it is earlier than what is known.
    #[inline]
    fn first_ball(&mut self, stage: &Stage<S>, slot: usize, best: Best) -> Best {
        let (lanes, shifts) = (&mut *self.lanes, &self.shifts);
        let entries = match &self.lists {
            Some(lists) => lists.plain(slot).unwrap_or(self.candidates.entries()),
            None => self.candidates.entries(),
        };
        if stage.balls.falling {
            first_of::<S, true>(stage, slot, entries, lanes, shifts, best)
        } else {
            first_of::<S, false>(stage, slot, entries, lanes, shifts, best)
        }
    }

    /// The earliest event of a ball with the scenery around its cell, if it is earlier than what is known.
    #[cold]
    fn first_obstacle(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        best: Best,
    ) -> Best {
        let mut best = best;
        let index = self.cells.lattice.index(cell);
        let range = self.obstacles.first[index] as usize..self.obstacles.first[index + 1] as usize;
        for &member in &self.obstacles.members[range] {
            let scenery = &stage.scenery[member as usize];
            let place = (slot, member);
            let searches = &mut self.searches;
            let Some((time, kind)) =
                scenery.first_event(&stage.balls, place, stage.epoch, now, searches)
            else {
                continue;
            };
            let partner = match kind {
                EventKind::LookAgain => SCENERY | LOOK_AGAIN | member,
                EventKind::Contact | EventKind::Wrap => SCENERY | member,
            };
            if time < best.time
                || (time == best.time && precedes(stage, slot, partner, best.partner))
            {
                best = Best { time, partner };
            }
        }
        best
    }
}

/// The earliest contact of a ball with others, if it is earlier than what is known.
#[inline(always)]
fn first_of<S: Space, const FALLING: bool>(
    stage: &Stage<S>,
    slot: usize,
    entries: &[Seen],
    lanes: &mut Lanes,
    shifts: &[S::Vector; 32],
    best: Best,
) -> Best {
    let mut best = best;
    let balls = &stage.balls;
    let ball = balls.hot[slot];
    for chunk in entries.chunks(CHUNK) {
        lanes.clear(balls.is_periodic());
        for entry in chunk {
            let other = &balls.hot[entry.member() as usize];
            lanes.push(entry.member(), other, &shifts[entry.tag()]);
        }
        lanes.work::<S, FALLING>(&ball, balls.gravity);
        for survivor in lanes.survivors() {
            let partner = survivor.slot;
            let time = balls.solve(slot, partner as usize, &survivor.quadratic, survivor.time);
            if time < best.time
                || (time == best.time
                    && time < f64::INFINITY
                    && precedes(stage, slot, partner, best.partner))
            {
                best = Best { time, partner };
            }
        }
    }
    best
}

/// Kind and bodies of a ball's event with a partner, in the order of events at one instant.
fn rank<S: Space>(stage: &Stage<S>, slot: usize, partner: u32) -> (EventKind, BodyId, BodyId) {
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
    (kind, id, stage.scenery[(partner & INDEX) as usize].id)
}

#[cold]
fn precedes<S: Space>(stage: &Stage<S>, slot: usize, a: u32, b: u32) -> bool {
    rank(stage, slot, a) < rank(stage, slot, b)
}

/// The total order of events: by time, then by kind, then by ids.
#[inline(always)]
fn order<S: Space>(plans: &[Plan], stage: &Stage<S>, a: &Due, b: &Due) -> Ordering {
    if a.time < b.time {
        Ordering::Less
    } else if a.time > b.time {
        Ordering::Greater
    } else {
        order_at_one_instant(plans, stage, a.slot as usize, b.slot as usize)
    }
}

#[cold]
fn order_at_one_instant<S: Space>(
    plans: &[Plan],
    stage: &Stage<S>,
    a: usize,
    b: usize,
) -> Ordering {
    let key = |slot: usize| {
        let plan = &plans[slot];
        if plan.contact > plan.next {
            (
                EventKind::Wrap,
                stage.balls.ids[slot],
                stage.balls.ids[slot],
            )
        } else {
            rank(stage, slot, plan.partner)
        }
    };
    key(a).cmp(&key(b))
}

/// Cells about as many as balls, and not smaller than the largest ball.
fn lattice_for<S: Space>(balls: &Balls<S>, now: f64, shell: f64) -> Lattice<S> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut largest = 0.0_f64;
    for slot in 0..balls.len() {
        let place = S::components(balls.position_at(slot, now));
        for axis in 0..S::DIMENSION {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
        largest = largest.max(balls.hot[slot].radius);
    }
    // A cell must be wider than the largest ball, by more than positions and times can be off through rounding.
    let least = (2.0 * largest + shell) * (1.0 + 1e-6);
    let least = if least > 0.0 { least } else { 1.0 };
    Lattice::new(low, high, balls.period, least, 2 * balls.len())
}

/// How thick a shell neighbour lists should have, m; `None` where cells serve better.
///
/// Lists pay in dense matter in space: from a share of the volume of about 0.4 on. In the plane the nine cells around have hardly more
/// candidates than a list. Balls that fall may drift and come back, and a ball among much smaller ones has too many neighbours: cells.
fn shell_for<S: Space>(balls: &Balls<S>, now: f64) -> Option<f64> {
    if S::DIMENSION == 2 || balls.falling || balls.len() < 64 {
        return None;
    }
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let (mut least, mut largest, mut volume) = (f64::INFINITY, 0.0_f64, 0.0);
    for slot in 0..balls.len() {
        let radius = balls.hot[slot].radius;
        (least, largest) = (least.min(radius), largest.max(radius));
        volume += 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        let place = S::components(balls.position_at(slot, now));
        for axis in 0..3 {
            low[axis] = low[axis].min(place[axis] - radius);
            high[axis] = high[axis].max(place[axis] + radius);
        }
    }
    let mut room = 1.0;
    let mut shortest = f64::INFINITY;
    for axis in 0..3 {
        let period = balls.period[axis];
        room *= if period > 0.0 {
            period
        } else {
            high[axis] - low[axis]
        };
        if period > 0.0 {
            shortest = shortest.min(period);
        }
    }
    let share = volume / room;
    let shell = SHELL * 2.0 * largest;
    // Nearest images are only told apart in a box of some size.
    let pays = share > 0.4 && largest < 1.5 * least && shortest > 4.0 * (2.0 * largest + shell);
    pays.then_some(shell)
}

/// Thickness of the shell of neighbour lists, in diameters.
const SHELL: f64 = 0.4;

/// The bits of the coordinates in turn: cells that are near each other have numbers that are near each other.
fn interleaved(cell: [u32; 3]) -> u64 {
    let mut key = 0;
    for bit in 0..21 {
        for (axis, coordinate) in cell.into_iter().enumerate() {
            key |= u64::from(coordinate >> bit & 1) << (3 * bit + axis);
        }
    }
    key
}

impl Obstacles {
    /// Whether any can be touched from a cell.
    fn any(&self, cell: usize) -> bool {
        !self.first.is_empty() && self.first[cell] < self.first[cell + 1]
    }

    fn new<S: Space>(stage: &Stage<S>, lattice: &Lattice<S>, shell: f64, largest: f64) -> Self {
        use crate::shape::Obstacle;
        if stage.scenery.is_empty() {
            return Obstacles::default();
        }
        let edge = S::vector(lattice.size).length();
        // From the middle of a cell to its corners, to the surface of a ball there, and a little for rounding.
        let near = (0.5 * edge + largest + shell) * (1.0 + 1e-6);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (member, scenery) in (0..).zip(&stage.scenery) {
            let pose = scenery.body.pose;
            let place = S::components(pose.position);
            let reach = scenery.body.shape.reach() + near;
            let (mut from, mut to) = ([0; 3], [0; 3]);
            for axis in 0..S::DIMENSION {
                to[axis] = lattice.count[axis] - 1;
                if reach.is_finite() && !scenery.is_driven() {
                    let cell_of = |along: f64| {
                        let cell = (along - lattice.origin[axis]) / lattice.size[axis];
                        (cell.floor() as i64).clamp(0, i64::from(to[axis])) as u32
                    };
                    (from[axis], to[axis]) =
                        (cell_of(place[axis] - reach), cell_of(place[axis] + reach));
                }
            }
            for z in from[2]..=to[2] {
                for y in from[1]..=to[1] {
                    for x in from[0]..=to[0] {
                        let cell = [x, y, z];
                        let endless = (0..S::DIMENSION).any(|axis| {
                            lattice.period[axis] == 0.0
                                && (cell[axis] == 0 || cell[axis] + 1 == lattice.count[axis])
                        });
                        let middle = S::vector([0, 1, 2].map(|axis| {
                            lattice.origin[axis]
                                + (f64::from(cell[axis]) + 0.5) * lattice.size[axis]
                        }));
                        let distance = scenery.body.shape.closest(pose.to_local(middle)).distance;
                        if scenery.is_driven() || endless || !(distance > near) {
                            pairs.push((lattice.index(cell) as u32, member));
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
        let mut first = vec![0; lattice.cells() + 1];
        for &(cell, _) in &pairs {
            first[cell as usize + 1] += 1;
        }
        for cell in 1..first.len() {
            first[cell] += first[cell - 1];
        }
        Obstacles {
            first,
            members: pairs.into_iter().map(|(_, member)| member).collect(),
        }
    }
}
