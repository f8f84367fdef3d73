//! The fast planner: one event for each ball, kept in a calendar; who may meet whom from cells.
//!
//! # What is kept
//!
//! A ball's plan has the two earliest contacts that were found when the ball was last predicted, and the time at which it
//! leaves its cell. The earlier of the first contact and that is its entry in the calendar. Times of contact are pure functions of two flights, so
//! for every pair of neighbours whose flights have not changed since, at least one of the two plans has a contact no later than theirs:
//! that of the one that was predicted last. So the first valid entry of the calendar is the first event of all.
//!
//! When a ball is struck, contacts planned with it become invalid, and nobody is told: when the time of a plan comes, its time is asked for
//! again, and another answer means that the partner has been struck. Then the second contact moves up: everything else that this ball was to
//! do is no earlier, and what the struck ball does with it is in the struck ball's plan. Only when the second fails too, one has to look around again.
//!
//! Leaving a cell changes nothing but whom a ball may meet: the balls in the cells that are new around it are looked at, the
//! contacts found so far stay. Its flight is not touched, so the results do not depend on the cells.

use super::balls::{Balls, parabola_crosses};
use super::layout::{interleaved, lattice_for, shell_for};
use super::obstacles::Obstacles;
use super::scenery::{Searches, forget_searches};
use super::sketch::{Passed, Sketches};
use super::stage::{Other, Stage, Step};
use crate::broad::{Cells, Lattice, Lists};
use crate::queue::{CalendarQueue, Entry, EventKind};
use crate::space::{Linear, Space};
use crate::world::BodyId;
use std::cmp::Ordering;

/// What a ball is going to do. It does not straddle two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Plan {
    /// When it is due: the contact, or earlier.
    next: f64,
    two: Two,
}

const SCENERY: u32 = 1 << 31;
const LOOK_AGAIN: u32 = 1 << 30;
const INDEX: u32 = LOOK_AGAIN - 1;

/// In place of a partner: one has to look.
const LOOK: u32 = u32::MAX;

/// In place of a partner: the ball leaves its cell.
const LEAVE: u32 = u32::MAX - 1;

impl Plan {
    /// What is next: a partner, or `LEAVE`.
    #[inline(always)]
    fn what(&self) -> u32 {
        if self.two.first > self.next {
            LEAVE
        } else {
            self.two.partner
        }
    }
}

/// The earliest contacts so far.
#[derive(Clone, Copy, Debug)]
struct Two {
    /// When the first is, s; infinite where there is none.
    first: f64,
    /// Everything else is no earlier than this, s.
    second: f64,
    /// Whom the first is with: a slot, or one of the marks above and a place in the list of scenery.
    partner: u32,
    /// Whom the second is with; `LOOK` where that is not known.
    runner_up: u32,
}

impl Two {
    const NONE: Two = Two {
        first: f64::INFINITY,
        second: f64::INFINITY,
        partner: LOOK,
        runner_up: LOOK,
    };

    /// Takes in a contact.
    #[inline(always)]
    fn add<S: Space>(&mut self, stage: &Stage<S>, slot: usize, time: f64, partner: u32) {
        // The same once more is no second one. (With another time it is: its flight has changed.)
        if time == f64::INFINITY || (time == self.first && partner == self.partner) {
            return;
        }
        if time < self.first || (time == self.first && precedes(stage, slot, partner, self.partner))
        {
            (self.second, self.runner_up) = (self.first, self.partner);
            (self.first, self.partner) = (time, partner);
        } else {
            self.add_later(time, partner);
        }
    }

    /// Takes in something that is not the first, and no earlier than a time.
    #[inline(always)]
    fn add_later(&mut self, time: f64, partner: u32) {
        if time < self.second {
            (self.second, self.runner_up) = (time, partner);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Due {
    time: f64,
    slot: u32,
    /// What is due: a partner, or `LEAVE`.
    what: u32,
}

impl Due {
    /// Whether it is still what the ball is going to do. A ball that is struck may be planned for the same time again, with someone else: then the
    /// time alone does not tell the old entry from the new one.
    #[inline(always)]
    fn is_live(&self, plans: &[Plan]) -> bool {
        let plan = &plans[self.slot as usize];
        plan.next == self.time && plan.what() == self.what
    }
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
    /// Packed.
    cell_of: Vec<u32>,
    sketches: Sketches,
    queue: CalendarQueue<Due>,
    cells: Cells<S>,
    /// Where they pay; the cells then hold their anchors, and leaving a cell means to drift from the anchor.
    lists: Option<Lists<S>>,
    obstacles: Obstacles,
    images: Images<S>,
    candidates: Vec<u32>,
    passed: Passed,
    searches: Searches<S>,
    /// A ball is on its way from one side of the box to the other, and needs a new list.
    wrapping: bool,
    /// While balls are planned that have just met: whom this one has met, and whether anyone else touches it.
    met: u32,
    crowded: bool,
    /// Of the balls that the cells were made for, m.
    largest: f64,
}

/// Which images of a ball in a periodic box are looked at.
#[derive(Clone, Debug)]
enum Images<S: Space> {
    /// There are none.
    Single,
    /// The box is so large that only the nearest can be touched soon.
    Nearest,
    /// All, by their shifts.
    All(Vec<S::Vector>),
}

impl<S: Space> Planner<S> {
    /// Plans for all balls. Puts them in an order in which neighbours in space are neighbours in memory.
    pub fn new(stage: &mut Stage<S>, now: f64) -> Self {
        let shell = shell_for(&stage.balls, now);
        let lattice = lattice_for(&stage.balls, now, shell.unwrap_or(0.0));
        let place = |stage: &Stage<S>, slot| lattice.cell_of(stage.balls.position_at(slot, now));
        let mut order: Vec<(u64, u32)> = (0..stage.balls.len())
            .map(|slot| (interleaved(place(stage, slot)), slot as u32))
            .collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, slot)| slot).collect();
        stage.reorder(&order);
        drop(order);
        let balls = &stage.balls;
        let mut cells = Cells::new(lattice.clone(), balls.len());
        let mut cell_of = Vec::with_capacity(balls.len());
        for slot in 0..balls.len() {
            let cell = place(stage, slot);
            cells.insert(cell, slot as u32);
            cell_of.push(Lattice::<S>::pack(cell));
        }
        let largest = balls.hot.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let nothing = Plan {
            next: f64::INFINITY,
            two: Two::NONE,
        };
        let mut planner = Planner {
            plans: vec![nothing; balls.len()],
            cell_of,
            sketches: Sketches::new(balls, 2.0 * S::vector(lattice.size).length()),
            queue: CalendarQueue::new(1, now, 1.0),
            obstacles: Obstacles::new(stage, &lattice, shell.unwrap_or(0.0), largest),
            lists: None,
            images: Images::new(&lattice, shell.is_some()),
            cells,
            candidates: Vec::new(),
            passed: Passed::default(),
            searches: Searches::<S>::new(),
            wrapping: false,
            met: LOOK,
            crowded: false,
            largest,
        };
        if let Some(shell) = shell {
            planner.make_lists(stage, now, shell);
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

    fn make_lists(&mut self, stage: &Stage<S>, now: f64, shell: f64) {
        let balls = &stage.balls;
        let places =
            (0..balls.len()).map(|slot| (balls.position_at(slot, now), balls.hot[slot].radius));
        let mut lists = Lists::new(places, shell, balls.period);
        lists.fill(&self.cells, |slot| {
            Lattice::<S>::unpack(self.cell_of[slot as usize])
        });
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
            let live = |due: &Due| due.is_live(plans);
            let due = self.queue.pop_before(until, order, live)?;
            if !live(&due) {
                continue;
            }
            let slot = due.slot as usize;
            let Two { first, partner, .. } = self.plans[slot].two;
            if first > due.time {
                if let Some(step) = self.leave_cell(stage, slot, due.time) {
                    return Some((due.time, step));
                }
                continue;
            }
            if partner & SCENERY != 0 {
                let (ball, other) = (due.slot, Other::Scenery(partner & INDEX));
                if partner & LOOK_AGAIN == 0 {
                    return Some((due.time, Step::Contact { ball, other }));
                }
                self.plan(stage, slot, due.time);
                self.file(stage, slot);
                return Some((due.time, Step::LookedAgain { ball, other }));
            }
            let time = self.images.contact_time(stage, slot, partner, due.time);
            if time == first {
                let (mut a, mut b) = (due.slot, partner);
                if stage.balls.ids[b as usize] < stage.balls.ids[a as usize] {
                    (a, b) = (b, a);
                }
                let other = Other::Ball(b);
                return Some((due.time, Step::Contact { ball: a, other }));
            }
            self.fall_back(stage, slot, due.time, time);
        }
    }

    /// Plans on for a ball whose partner has been struck by somebody else, or was only known to be no earlier. In truth it touches it at `time`.
    #[inline]
    fn fall_back(&mut self, stage: &Stage<S>, slot: usize, now: f64, time: f64) {
        let mut two = self.plans[slot].two;
        if time <= two.second && time < f64::INFINITY {
            two.first = time;
        } else if two.runner_up == LOOK && two.second < f64::INFINITY {
            self.plan(stage, slot, now);
            self.file(stage, slot);
            return;
        } else {
            // Whatever comes after the second is no earlier than it.
            two = Two {
                first: two.second,
                partner: two.runner_up,
                second: two.second,
                runner_up: LOOK,
            };
        }
        let cell = Lattice::<S>::unpack(self.cell_of[slot]);
        let (leaves, _, _) = self.leaves_cell(stage, slot, cell, now);
        self.keep(slot, two, leaves);
        self.file(stage, slot);
    }

    /// Plans anew for balls whose flights have changed.
    pub fn changed(&mut self, stage: &Stage<S>, slots: &[u32], now: f64) {
        for &slot in slots {
            self.sketches
                .draw::<S>(slot as usize, &stage.balls.hot[slot as usize]);
        }
        if std::mem::take(&mut self.wrapping) {
            self.move_anchor(stage, slots[0] as usize, now);
        }
        for &slot in slots {
            self.plan(stage, slot as usize, now);
            self.file(stage, slot as usize);
        }
        self.fit_calendar(stage, now);
    }

    /// Plans anew for a ball, or for two, that have just met each other or `scenery`. Whether anyone else touches one of them, or nearly
    /// so (see [`TOUCH`](super::balls::TOUCH)): everyone around them has been looked at anyhow.
    #[inline]
    pub fn struck(
        &mut self,
        stage: &Stage<S>,
        slots: &[u32],
        scenery: Option<u32>,
        now: f64,
    ) -> bool {
        for &slot in slots {
            self.sketches
                .draw::<S>(slot as usize, &stage.balls.hot[slot as usize]);
        }
        self.crowded = false;
        for (index, &slot) in slots.iter().enumerate() {
            self.met = match scenery {
                Some(member) => SCENERY | member,
                None => slots[slots.len() - 1 - index],
            };
            self.plan(stage, slot as usize, now);
            self.file(stage, slot as usize);
        }
        self.met = LOOK;
        self.fit_calendar(stage, now);
        self.crowded
    }

    /// Everyone whom a ball may touch now: all that it does touch, and others. Some may be named twice.
    pub fn neighbours(&mut self, slot: u32, mut visit: impl FnMut(Other)) {
        let cell = Lattice::<S>::unpack(self.cell_of[slot as usize]);
        self.candidates.clear();
        match &self.lists {
            Some(lists) => lists.around(slot as usize, &mut self.candidates),
            None => self.cells.around(cell, &mut self.candidates),
        }
        let members = self.candidates.iter();
        members
            .filter(|&&member| member != slot)
            .for_each(|&member| visit(Other::Ball(member)));
        if !self.obstacles.is_empty() {
            let members = self.obstacles.near(self.cells.lattice.index(cell)).iter();
            members.for_each(|&member| visit(Other::Scenery(member)));
        }
    }

    /// Plans for a ball that has come into a slot. `false` where it is larger than any for whom the cells were made: then everything has
    /// to be planned anew.
    #[must_use]
    pub fn admit(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> bool {
        let ball = &stage.balls.hot[slot];
        if ball.radius > self.largest {
            return false;
        }
        let place = stage.balls.position_at(slot, now);
        let cell = self.cells.lattice.cell_of(place);
        if slot == self.plans.len() {
            self.plans.push(Plan {
                next: f64::INFINITY,
                two: Two::NONE,
            });
            self.cell_of.push(0);
            self.sketches.push::<S>(ball);
            self.cells.grow(slot + 1);
        }
        self.cell_of[slot] = Lattice::<S>::pack(cell);
        self.cells.insert(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.grow(slot + 1);
            lists.admit(&self.cells, cell, slot as u32, place, ball.radius);
        }
        self.changed(stage, &[slot as u32], now);
        true
    }

    /// Forgets the ball in a slot: nobody meets it any more, and the slot may be taken by another.
    pub fn dismiss(&mut self, slot: usize) {
        let cell = Lattice::<S>::unpack(self.cell_of[slot]);
        self.cells.remove(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.forget(slot as u32);
        }
        self.plans[slot] = Plan {
            next: f64::INFINITY,
            two: Two::NONE,
        };
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Plans anew for the balls near scenery: a fixed or prescribed body has come or gone.
    pub fn scenery_changed(&mut self, stage: &Stage<S>, now: f64) {
        let shell = self.lists.as_ref().map_or(0.0, |lists| lists.shell());
        let obstacles = Obstacles::new(stage, &self.cells.lattice, shell, self.largest);
        let before = std::mem::replace(&mut self.obstacles, obstacles);
        self.searches.clear();
        for slot in stage.balls.slots() {
            let two = &self.plans[slot].two;
            let cell = Lattice::<S>::unpack(self.cell_of[slot]);
            let cell = self.cells.lattice.index(cell);
            let scenery = |time: f64, partner: u32| time < f64::INFINITY && partner & SCENERY != 0;
            if scenery(two.first, two.partner)
                || scenery(two.second, two.runner_up)
                || !before.near(cell).is_empty()
                || !self.obstacles.near(cell).is_empty()
            {
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
        let mut found = Vec::new();
        let cells = |axis: usize| {
            let (first, number) = ranges[axis];
            let count = lattice.count[axis];
            (0..=number).map(move |step| (first + step) % count)
        };
        for z in cells(2) {
            for y in cells(1) {
                for x in cells(0) {
                    self.cells.inside([x, y, z], &mut found);
                    found.drain(..).for_each(&mut visit);
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

    #[inline]
    fn fit_calendar(&mut self, stage: &Stage<S>, now: f64) {
        if let Some(interval) = self.queue.misfit() {
            let mut queue = CalendarQueue::new(self.plans.len(), now, interval);
            let plans = &self.plans;
            for due in self.queue.drain() {
                if due.is_live(plans) {
                    queue.push(due, |a, b| order(plans, stage, a, b));
                }
            }
            self.queue = queue;
        }
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
                what: plans[slot].what(),
            };
            self.queue.push(due, |a, b| order(plans, stage, a, b));
        }
    }

    /// Looks for a ball's earliest contacts among everyone around it.
    fn plan(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
        let cell = Lattice::<S>::unpack(self.cell_of[slot]);
        self.candidates.clear();
        match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {}
            Some(lists) => lists.around(slot, &mut self.candidates),
            None => self.cells.around(cell, &mut self.candidates),
        }
        let two = self.earliest(stage, slot, cell, now, Two::NONE);
        let (leaves, _, _) = self.leaves_cell(stage, slot, cell, now);
        self.keep(slot, two, leaves);
    }

    /// The earliest contacts with the candidates and with the scenery around, and with what is known.
    #[inline(always)]
    fn earliest(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        known: Two,
    ) -> Two {
        let mut two = known;
        match (&self.images, stage.balls.falling) {
            (Images::All(_), _) => self.ask_all(stage, slot, now, &mut two),
            (Images::Nearest, false) if self.near_side(cell) => {
                self.ask::<false, true>(stage, slot, now, &mut two);
            }
            (Images::Nearest, true) if self.near_side(cell) => {
                self.ask::<true, true>(stage, slot, now, &mut two);
            }
            (_, false) => self.ask::<false, false>(stage, slot, now, &mut two),
            (_, true) => self.ask::<true, false>(stage, slot, now, &mut two),
        }
        if !self.obstacles.is_empty() {
            self.add_obstacles(stage, slot, cell, now, &mut two);
        }
        two
    }

    /// Asks those around when they touch the ball.
    #[inline(always)]
    fn ask<const FALLING: bool, const NEAR_SIDE: bool>(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        let balls = &stage.balls;
        let probe = self.sketches.probe::<S>(balls, slot, now);
        let (eights, number): (&[[u32; 8]], usize) = match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {
                (lists.block(slot).as_chunks().0, lists.number(slot))
            }
            _ => {
                let number = self.candidates.len();
                self.candidates.resize(number.next_multiple_of(8), 0);
                (self.candidates.as_chunks().0, number)
            }
        };
        self.passed.clear(number);
        let mut left = number;
        for others in eights {
            if left == 0 {
                break;
            }
            let (bits, waits) = self.sketches.sift::<S, FALLING, NEAR_SIDE>(&probe, others);
            let wanted = if left >= 8 { 0xff } else { (1 << left) - 1 };
            left = left.saturating_sub(8);
            self.passed.add(bits & wanted, &waits, others);
        }
        for (wait, partner) in self.passed.all() {
            let not_before = now + wait;
            if not_before > two.first {
                // The next one that nobody needs to know better: the others are no earlier.
                if partner != slot as u32 {
                    two.add_later(not_before, partner);
                    break;
                }
            } else if partner != slot as u32 {
                // The sieve lets all pass that nearly touch, without a wait.
                if wait == 0.0 && self.met != LOOK && partner != self.met {
                    self.crowded |= balls.touch(slot, partner as usize, now);
                }
                let time = if NEAR_SIDE {
                    balls.contact_time_near(slot, partner as usize, now)
                } else {
                    balls.contact_time(slot, partner as usize, S::Vector::ZERO)
                };
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// The same where the box is so small that more than one image of a ball may be touched.
    #[cold]
    fn ask_all(&mut self, stage: &Stage<S>, slot: usize, now: f64, two: &mut Two) {
        for &partner in &self.candidates {
            if partner != slot as u32 {
                if self.met != LOOK && partner != self.met {
                    self.crowded |= stage.balls.touch(slot, partner as usize, now);
                }
                let time = self.images.contact_time(stage, slot, partner, now);
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// Whether some of those around a cell may be seen across a side of the box.
    #[inline(always)]
    fn near_side(&self, cell: [u32; 3]) -> bool {
        // Anchors may be one cell behind their balls.
        let layers = if self.lists.is_some() { 2 } else { 1 };
        let count = &self.cells.lattice.count;
        (0..S::DIMENSION).any(|axis| cell[axis] < layers || cell[axis] + layers >= count[axis])
    }

    #[inline]
    fn keep(&mut self, slot: usize, two: Two, leaves: f64) {
        self.plans[slot] = Plan {
            next: if two.first <= leaves {
                two.first
            } else {
                leaves
            },
            two,
        };
    }

    /// Moves a ball on to the next cell. What it does there is planned, unless it leaves the periodic box.
    fn leave_cell(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> Option<Step> {
        if self.lists.is_some() {
            return self.leave_anchor(stage, slot, now);
        }
        let cell = Lattice::<S>::unpack(self.cell_of[slot]);
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
        self.cell_of[slot] = Lattice::<S>::pack(next);
        if wraps {
            let ball = slot as u32;
            return Some(Step::Wrap { ball, axis, up });
        }
        self.candidates.clear();
        self.cells.beyond(next, axis, up, &mut self.candidates);
        let known = self.plans[slot].two;
        let two = self.earliest(stage, slot, next, now, known);
        let (leaves, _, _) = self.leaves_cell(stage, slot, next, now);
        self.keep(slot, two, leaves);
        self.file(stage, slot);
        None
    }

    /// Makes a ball's list anew where it is now, unless it leaves the periodic box.
    fn leave_anchor(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> Option<Step> {
        let ball = slot as u32;
        if let Some((time, axis, up)) = stage.balls.leaves_box(slot)
            && time <= now
        {
            self.wrapping = true;
            return Some(Step::Wrap { ball, axis, up });
        }
        self.move_anchor(stage, slot, now);
        self.plan(stage, slot, now);
        self.file(stage, slot);
        None
    }

    /// Makes a ball's list anew where it is now.
    fn move_anchor(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
        let lists = self.lists.as_mut().expect("only where there are lists");
        let anchor = stage.balls.position_at(slot, now);
        let cell = Lattice::<S>::unpack(self.cell_of[slot]);
        let next = self.cells.lattice.cell_of(anchor);
        if next != cell {
            self.cells.remove(cell, slot as u32);
            self.cells.insert(next, slot as u32);
            self.cell_of[slot] = Lattice::<S>::pack(next);
        }
        lists.move_anchor(&self.cells, next, slot as u32, anchor);
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

    /// Adds the events of a ball with the scenery around its cell.
    #[cold]
    fn add_obstacles(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        two: &mut Two,
    ) {
        let index = self.cells.lattice.index(cell);
        for &member in self.obstacles.near(index) {
            let scenery = &stage.scenery[member as usize];
            if self.met != LOOK && self.met != SCENERY | member {
                self.crowded |= scenery.touches(&stage.balls, slot, stage.epoch, now);
            }
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
            two.add(stage, slot, time, partner);
        }
    }
}

impl<S: Space> Images<S> {
    fn new(lattice: &Lattice<S>, lists: bool) -> Self {
        let periodic = |axis: &usize| lattice.period[*axis] > 0.0;
        let axes: Vec<usize> = (0..S::DIMENSION).filter(periodic).collect();
        if axes.is_empty() {
            Images::Single
        } else if lists || axes.iter().all(|&axis| lattice.count[axis] >= 5) {
            // Those around are less than two cells away. (Lists are only made where the box is large enough.)
            Images::Nearest
        } else {
            Images::All(lattice.all_shifts())
        }
    }

    /// When a ball touches an image of another, as far as it can soon.
    #[inline]
    fn contact_time(&self, stage: &Stage<S>, slot: usize, partner: u32, now: f64) -> f64 {
        let (balls, partner) = (&stage.balls, partner as usize);
        match self {
            Images::Single => balls.contact_time(slot, partner, S::Vector::ZERO),
            Images::Nearest => balls.contact_time_near(slot, partner, now),
            Images::All(shifts) => shifts
                .iter()
                .map(|&shift| balls.contact_time(slot, partner, shift))
                .fold(f64::INFINITY, f64::min),
        }
    }
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
        order_at_one_instant(plans, stage, a, b)
    }
}

#[cold]
fn order_at_one_instant<S: Space>(plans: &[Plan], stage: &Stage<S>, a: &Due, b: &Due) -> Ordering {
    // Entries that are no longer true come first, wherever they are in the queue: what they were is forgotten, and what their balls are going to do
    // now must not be taken for it, or those that are true would stand in the wrong order around them.
    let key = |due: &Due| {
        due.is_live(plans).then(|| match due.what {
            LEAVE => {
                let id = stage.balls.ids[due.slot as usize];
                (EventKind::Wrap, id, id)
            }
            partner => rank(stage, due.slot as usize, partner),
        })
    };
    key(a).cmp(&key(b))
}
