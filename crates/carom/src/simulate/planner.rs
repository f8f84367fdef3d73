//! The fast planner: one event for each ball, kept in a calendar; which balls may meet from cells.
//!
//! # What is kept
//!
//! A ball's plan has the two earliest contacts that were found when the ball was last predicted, and the time at which
//! it leaves its cell. The earlier of the first contact and that is its entry in the calendar. Times of contact are
//! pure functions of two flights, so for every pair of neighbours whose flights have not changed since, at least one of
//! the two plans has a contact no later than theirs: that of the one that was predicted last. So the first valid entry
//! of the calendar is the first event of all.
//!
//! When a ball is struck, contacts planned with it become invalid, and no notice is sent: when the time of a plan comes
//! and the flight of the partner has changed since, its time is asked for again, and another answer means that the
//! partner has been struck. Then the second contact moves up: everything else that this ball was to do is no earlier,
//! and what the struck ball does with it is in the struck ball's plan. Only when the second fails too, one has to look
//! around again.
//!
//! Leaving a cell changes nothing but which bodies a ball may meet: the balls in the cells that are new around it are
//! looked at, the contacts found so far stay. Its flight is not touched, so the results do not depend on the cells.

mod classes;
mod cross;
mod fetch;
mod fixtures;
mod leave;
mod level;
mod members;
mod plan;
mod predict;
mod rigid;
mod sheared;

use super::bodies::{Bodies, BodyRef, Step};
use super::fixture::Searches;
use super::float_filter::FloatFilter;
use super::layout::{class_of, classes_for, interleaved, lattice_for, shell_for};
use super::obstacles::Obstacles;
use crate::arrays::Each;
use crate::broad::{Cells, Lattice, Lists, Members};
use crate::impact::Strikable;
use crate::queue::{CalendarQueue, Due, Popped};
use crate::space::{Linear, Space};
use crate::vectors::{Choice, Portable, Vectors, run_with};
use cross::slack;
use leave::LEASH;
use level::{Images, Level};
use plan::{INDEX, LOOK, LOOK_AGAIN, Made, Plan, Rank, SCENERY, Two, earlier};

/// Which bodies meet and when.
#[derive(Clone, Debug)]
pub(super) struct Planner<S: Space> {
    plans: Vec<Plan>,
    /// What the filter computes with.
    pub vectors: Choice,
    float_filter: FloatFilter,
    queue: CalendarQueue<Rank>,
    /// Cells for balls of each class of sizes, the small ones first.
    levels: Vec<Level<S>>,
    /// The class of each ball; empty where there is but one.
    level_of: Vec<u8>,
    /// Where they pay; the cells then hold their anchors, and leaving a cell means to drift from the anchor.
    lists: Option<Lists<S>>,
    candidates: Members,
    /// The same for the second of two balls.
    others: Members,
    searches: Searches<S>,
    /// Whether there is nothing but balls of one class, in a box that is not tiny.
    plain: bool,
    /// Cells that balls have passed since the run was told.
    crossed: u32,
    /// A ball is on its way from one side of the box to the other, and needs a new list.
    wrapping: bool,
    /// The time of the last event that was popped or planned for, s: all flights have begun by then.
    now: f64,
    /// How far along each axis a ball may be from a cell that it is kept in, m.
    slack: [f64; 3],
    /// Beside `candidates` and `others`: within which wait they are asked for.
    limits: Members,
    /// While balls are planned that have just met: which one this has met, whether they part, and whether another body
    /// touches it.
    met: u32,
    parts: bool,
    crowded: bool,
    /// Rigid bodies around, by when each can be touched at the earliest.
    soon: Vec<(f64, u32)>,
}

/// After so many cells the run is notified, which sees to it that the run gets on.
pub(super) const CROSSED: u32 = 1 << 12;

impl<S: Strikable> Planner<S> {
    /// Plans for all balls. Puts them in an order in which neighbours in space are neighbours in memory.
    pub fn new(stage: &mut Bodies<S>, now: f64) -> Self {
        let classes = classes_for(&stage.balls);
        let lattice = lattice_for(&stage.balls, now, classes[0], 0.0, |slot| {
            class_of(classes.iter().copied(), stage.balls.hot[slot].radius) == 0
        });
        let mut order: Vec<(u64, u32)> = (0..stage.balls.len())
            .map(|slot| {
                let cell = lattice.cell_of(stage.balls.position_at(slot, now));
                (interleaved(cell), slot as u32)
            })
            .collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, slot)| slot).collect();
        stage.reorder(&order);
        Self::in_order(stage, now)
    }

    /// Plans for all balls, which stay in their slots.
    ///
    /// Longer than most: every part of the planner is made here once, each from those before it.
    pub fn in_order(stage: &Bodies<S>, now: f64) -> Self {
        let shell = shell_for(&stage.balls, now);
        let classes = classes_for(&stage.balls);
        let class = |stage: &Bodies<S>, slot: usize| {
            class_of(classes.iter().copied(), stage.balls.hot[slot].radius)
        };
        let lattices: Vec<Lattice<S>> = (0..classes.len())
            .map(|level| {
                let belongs = |slot: usize| class(stage, slot) == level;
                let shell = shell.unwrap_or(0.0);
                lattice_for(&stage.balls, now, classes[level], shell, belongs)
            })
            .collect();
        let place = |stage: &Bodies<S>, slot, level: usize| {
            lattices[level].cell_of(stage.balls.position_at(slot, now))
        };
        let balls = &stage.balls;
        let mut levels: Vec<Level<S>> = Vec::with_capacity(classes.len());
        for (lattice, &largest) in lattices.iter().zip(&classes) {
            let edge = |level: &Level<S>| level.edge();
            levels.push(Level {
                largest,
                cells: Cells::new(lattice.clone(), balls.len()),
                obstacles: Obstacles::new(stage, lattice, shell.unwrap_or(0.0), largest),
                images: Images::new(lattice, shell.is_some(), balls.shear),
                // Half a cell of the smallest ones; but among specks of dust a ball must not be held by every speck's
                // width.
                leash: (0.5 * levels.iter().map(edge).fold(f64::INFINITY, f64::min))
                    .max(0.02 * largest),
            });
        }
        let mut plans = Vec::with_capacity(balls.len());
        let mut level_of = Vec::new();
        for slot in 0..balls.len() {
            let level = class(stage, slot);
            let cell = place(stage, slot, level);
            levels[level].cells.insert(cell, slot as u32);
            plans.push(Plan::nothing(Lattice::<S>::pack(cell)));
            if classes.len() > 1 {
                level_of.push(level as u8);
            }
        }
        let mut planner = Planner {
            plans,
            vectors: Choice::now(),
            float_filter: FloatFilter::new(balls, 2.0 * S::vector(lattices[0].size).length()),
            queue: CalendarQueue::new(1, now, 1.0),
            lists: None,
            levels,
            level_of,
            candidates: Members::default(),
            others: Members::default(),
            searches: Searches::<S>::new(),
            plain: false,
            crossed: 0,
            wrapping: false,
            now,
            slack: slack(&lattices, &classes),
            limits: Members::default(),
            met: LOOK,
            parts: false,
            crowded: false,
            soon: Vec::new(),
        };
        for slot in 0..stage.balls.len() {
            if stage.balls.segment(slot).is_some() {
                planner.float_filter.blot(slot);
            }
        }
        planner.plain = planner.is_plain();
        if let Some(shell) = shell {
            planner.make_lists(stage, now, shell);
        }
        for slot in 0..stage.balls.len() {
            planner.look(stage, slot, now);
        }
        planner.queue = planner.calendar(now);
        for slot in 0..stage.balls.len() {
            planner.file(stage, slot);
        }
        planner
    }

    /// The next step before a time, and when it is.
    pub fn next(&mut self, stage: &Bodies<S>, until: f64) -> Option<(f64, Step)> {
        run_with!(self.vectors, vectors => self.next_with(vectors, stage, until))
    }

    /// The same with the vectors that its caller is compiled for.
    #[inline(always)]
    pub fn next_with<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        until: f64,
    ) -> Option<(f64, Step)> {
        loop {
            let (plans, early) = (&self.plans, self.early(stage));
            let made = Made {
                plans,
                stage,
                early,
            };
            let due = match self.queue.pop_with(vectors, until, &made) {
                Popped::Due(due) => due,
                Popped::Later => return None,
                Popped::NoneToday => {
                    if !self.queue.turn_page(&made) {
                        return None;
                    }
                    self.fetch_ahead(stage);
                    if early && let Some(step) = self.cross_today(vectors, stage) {
                        return Some(step);
                    }
                    continue;
                }
            };
            self.now = due.time;
            let slot = due.member as usize;
            let Plan { two, made, .. } = self.plans[slot];
            let Two { first, partner, .. } = two;
            if first > due.time {
                if let Some(step) = self.leave_cell(stage, slot, due.time) {
                    return Some((due.time, step));
                }
                match self.count_crossed(1, due.member) {
                    Some(step) => return Some(step),
                    None => continue,
                }
            }
            if partner & SCENERY != 0 {
                let (ball, other) = (due.member, BodyRef::Fixture(partner & INDEX));
                if partner & LOOK_AGAIN == 0 {
                    return Some((due.time, Step::Contact { ball, other }));
                }
                self.plan(stage, slot, due.time);
                return Some((due.time, Step::LookedAgain { ball, other }));
            }
            // CollisionFilter change without a flight being changed.
            let balls = &stage.balls;
            let known = balls.hot[partner as usize].since < made && balls.groups.is_none();
            let time = if known && !(balls.falling && balls.on_segments(slot, partner as usize)) {
                first
            } else {
                self.contact_time_until(stage, slot, partner, due.time, two.second)
            };
            if time == first {
                let (mut a, mut b) = (due.member, partner);
                if stage.balls.ids[b as usize] < stage.balls.ids[a as usize] {
                    (a, b) = (b, a);
                }
                let (ball, other) = (a, BodyRef::Ball(b));
                return Some((due.time, Step::Contact { ball, other }));
            }
            self.fall_back(stage, slot, due.time, time);
        }
    }

    /// Plans anew for balls whose flights have changed.
    pub fn changed(&mut self, stage: &Bodies<S>, slots: &[u32], now: f64) {
        self.now = now;
        for &slot in slots {
            let ball = &stage.balls.hot[slot as usize];
            self.float_filter.bound::<S>(ball);
        }
        self.draw(stage, slots);
        if std::mem::take(&mut self.wrapping) {
            self.move_home(stage, slots[0] as usize, now);
        }
        for &slot in slots {
            self.plan(stage, slot as usize, now);
        }
        self.fit_calendar(stage, now);
    }

    /// Plans anew for a ball, or for two, that have just met each other or `fixtures`. Whether another body touches one
    /// of them, or nearly so (see [`TOUCH`](super::balls::TOUCH)): everyone around them has been looked at anyhow.
    #[inline]
    pub fn struck(
        &mut self,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        run_with!(self.vectors, vectors => self.struck_with(vectors, stage, slots, fixture, now))
    }

    /// The same with vectors that the caller is compiled for.
    #[inline(always)]
    pub fn struck_with<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        self.crowded = false;
        self.now = now;
        if let &[a, b] = slots {
            self.parts = self.contact_time_struck(stage, a as usize, b, now) == f64::INFINITY;
        }
        // Those that part do not ask each other, and no other is asked for now: then the float_filter can wait until
        // the flights, which have just been written in segments, are at hand as a whole.
        for &slot in slots {
            self.float_filter
                .bound::<S>(&stage.balls.hot[slot as usize]);
        }
        let late = self.parts && self.plain;
        if !late {
            self.draw(stage, slots);
        }
        let planned = match slots {
            &[a, b] if late && !stage.balls.falling => self.plan_both(vectors, stage, [a, b], now),
            _ => false,
        };
        if !planned {
            for (index, &slot) in slots.iter().enumerate() {
                self.met = match fixture {
                    Some(member) => SCENERY | member,
                    None => slots[slots.len() - 1 - index],
                };
                self.plan(stage, slot as usize, now);
            }
        }
        if late {
            self.draw(stage, slots);
        }
        (self.met, self.parts) = (LOOK, false);
        self.fit_calendar(stage, now);
        self.crowded
    }

    /// FloatFilter balls anew, whose bounds are known.
    #[inline(always)]
    fn draw(&mut self, stage: &Bodies<S>, slots: &[u32]) {
        for &slot in slots {
            let slot = slot as usize;
            if stage.balls.falling && stage.balls.segment(slot).is_some() {
                self.float_filter.blot(slot);
            } else {
                (self.float_filter).draw_bound::<S>(slot, &stage.balls.hot[slot]);
            }
        }
    }

    /// Looks for a ball's earliest contacts among everyone around it, and enters the first into the calendar.
    fn plan(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        if self.plain && !stage.balls.falling {
            self.look_plainly(stage, slot, now)
        } else {
            self.look(stage, slot, now)
        }
        self.file(stage, slot);
    }

    /// Plans for two balls of a gas that have just met and part; `false` where that has to be done one by one.
    #[inline(always)]
    fn plan_both<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        pair: [u32; 2],
        now: f64,
    ) -> bool {
        let slots = pair.each(|slot| slot as usize);
        let words = slots.each(|slot| self.plans[slot].cell);
        let cells = words.each(Lattice::<S>::unpack);
        let near_side = match &self.lists {
            Some(lists) => lists.near_side(slots[0]) | lists.near_side(slots[1]),
            None => {
                self.candidates.clear();
                self.others.clear();
                let lattice = &self.levels[0].cells;
                lattice.around(cells[0], &mut self.candidates);
                lattice.around(cells[1], &mut self.others);
                self.near_side(0, cells[0]) | self.near_side(0, cells[1])
            }
        };
        if !self.predict_both(vectors, stage, pair, now, near_side) {
            return false;
        }
        for at in [0, 1] {
            self.keep_plainly(vectors, stage, slots[at], words[at], now);
            self.file(stage, slots[at]);
        }
        true
    }

    /// Looks for a ball's earliest contacts where there is nothing but balls of one class that do not fall: the case of
    /// every gas, and the shortest way.
    #[inline(always)]
    fn look_plainly(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        let mut two = Two::NONE;
        let word = self.plans[slot].cell;
        let cell = Lattice::<S>::unpack(word);
        self.candidates.clear();
        let near_side = match &self.lists {
            None => {
                self.levels[0].cells.around(cell, &mut self.candidates);
                self.near_side(0, cell)
            }
            Some(lists) => {
                if lists.plain(slot).is_none() {
                    lists.around(slot, &mut self.candidates);
                }
                lists.near_side(slot)
            }
        };
        if near_side {
            self.predict::<false, true>(stage, slot, now, &mut two);
        } else {
            self.predict::<false, false>(stage, slot, now, &mut two);
        }
        self.plans[slot].two = two;
        self.keep_plainly(Portable, stage, slot, word, now);
    }

    /// Completes the plan of such a ball, in a cell (packed), whose contacts have just been found.
    #[inline(always)]
    fn keep_plainly<V: Vectors>(
        &mut self,
        vectors: V,
        stage: &Bodies<S>,
        slot: usize,
        word: u32,
        now: f64,
    ) {
        let cell = Lattice::<S>::unpack(word);
        let (leaves, axis) = match &self.lists {
            Some(lists) => (self.leaves_anchor(&stage.balls, lists, slot), 0),
            None => {
                let (leaves, axis, _) = self.leaves_cell(vectors, stage, slot, cell, now);
                (leaves, axis as u32)
            }
        };
        let plan = &mut self.plans[slot];
        plan.made = now;
        plan.next = earlier(plan.two.first, leaves);
        plan.cell = word & ((1 << 30) - 1) | axis << 30;
    }

    /// Looks for a ball's earliest contacts among everyone around it.
    #[inline(always)]
    fn look(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        self.candidates.clear();
        match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {}
            Some(lists) => lists.around(slot, &mut self.candidates),
            None => {
                let level = self.level(slot);
                self.gather_around(level, cell);
            }
        }
        let two = self.earliest(stage, slot, cell, now, Two::NONE);
        if self.levels.len() > 1 || stage.balls.trajectories.is_some() {
            self.plans[slot].leash = self.end_of_leash(stage, slot, now);
        }
        self.plans[slot].made = now;
        self.keep(stage, slot, two, cell, now);
    }

    /// Makes these contacts the plan of a ball.
    #[inline(always)]
    fn keep(&mut self, stage: &Bodies<S>, slot: usize, two: Two, cell: [u32; 3], now: f64) {
        let (mut leaves, mut axis, _) = self.leaves_cell(Portable, stage, slot, cell, now);
        let end = self.plans[slot].leash;
        if end < leaves {
            (leaves, axis) = (end, LEASH as usize);
        }
        let next = earlier(two.first, leaves);
        let plan = &mut self.plans[slot];
        (plan.next, plan.two) = (next, two);
        plan.cell = Lattice::<S>::pack(cell) | (axis as u32) << 30;
    }

    /// Enters a ball's plan into the calendar.
    #[inline(always)]
    fn file(&mut self, stage: &Bodies<S>, slot: usize) {
        let plan = &mut self.plans[slot];
        plan.stamp = plan.stamp.wrapping_add(1);
        self.enter(stage, slot);
    }

    /// The same for a plan that has its number already.
    #[inline(always)]
    fn enter(&mut self, stage: &Bodies<S>, slot: usize) {
        let Plan { next, stamp, .. } = self.plans[slot];
        let due = Due {
            time: next,
            member: slot as u32,
            stamp,
        };
        if next < f64::INFINITY && !self.queue.push_later(&due) {
            self.enter_today(stage, due);
        }
    }

    #[inline(never)]
    fn enter_today(&mut self, stage: &Bodies<S>, due: Due) {
        // It is not asked which balls pass.
        let (plans, early) = (&self.plans, false);
        self.queue.push_today(
            due,
            &Made {
                plans,
                stage,
                early,
            },
        );
    }

    /// Plans on for a ball whose partner has been struck by another, or was only known to be no earlier. In truth
    /// it touches it at `time`. Compiled into the loop for whatever vectors the machine has.
    #[inline(always)]
    fn fall_back(&mut self, stage: &Bodies<S>, slot: usize, now: f64, time: f64) {
        let mut two = self.plans[slot].two;
        let mut made = now;
        if time < two.second {
            two.first = time;
        } else if two.second < f64::INFINITY && (two.runner_up == LOOK || time == two.second) {
            self.plan(stage, slot, now);
            return;
        } else {
            // Whatever comes after the second is no earlier than it.
            two = Two {
                first: two.second,
                partner: two.runner_up,
                second: two.second,
                runner_up: LOOK,
            };
            // It may be a bound, not a time.
            made = f64::NEG_INFINITY;
        }
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        self.plans[slot].made = made;
        self.keep(stage, slot, two, cell, now);
        self.file(stage, slot);
    }

    /// The class of a ball.
    #[inline(always)]
    fn level(&self, slot: usize) -> usize {
        self.level_of.get(slot).map_or(0, |&level| level as usize)
    }

    #[inline]
    fn fit_calendar(&mut self, stage: &Bodies<S>, now: f64) {
        if let Some(interval) = self.queue.misfit() {
            self.queue = CalendarQueue::new(self.plans.len(), now, interval);
            for slot in 0..self.plans.len() {
                self.file(stage, slot);
            }
        }
    }

    /// An empty calendar that fits the plans: half of the balls are due before their median.
    fn calendar(&self, now: f64) -> CalendarQueue<Rank> {
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

    fn make_lists(&mut self, stage: &Bodies<S>, now: f64, shell: f64) {
        let balls = &stage.balls;
        let places =
            (0..balls.len()).map(|slot| (balls.position_at(slot, now), balls.hot[slot].radius));
        let mut lists = Lists::new(places, shell, balls.period);
        lists.fill(&self.levels[0].cells, |slot| {
            Lattice::<S>::unpack(self.plans[slot as usize].cell)
        });
        self.lists = Some(lists);
    }
}
