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

use super::balls::Balls;
use super::layout::{class_of, classes_for, interleaved, lattice_for, shell_for};
use super::obstacles::Obstacles;
use super::scenery::{Searches, forget_searches};
use super::sketch::{BLOCK, Keys, Sketches};
use super::stage::{Other, Stage, Step};
use crate::broad::{Cells, Lattice, Lists, Members};
use crate::impact::parabola_crosses;
use crate::queue::{CalendarQueue, Entry, EventKind};
use crate::space::{Linear, Space};
use crate::world::BodyId;
use prefetch_index::prefetch_index;
use wide::f64x4;

/// What a ball is going to do, and where it is looked for: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Plan {
    /// When it is due: the contact, or earlier.
    next: f64,
    two: Two,
    /// The time of the first contact was worked out no earlier than then, s: a partner whose flight began before that still meets the ball at that time.
    made: f64,
    /// How often this was filed. An entry of the calendar with another stamp is no longer true. (Its time and partner would not tell: a ball
    /// may come back to the same plan, and the old entry would come alive again in the wrong place.)
    stamp: u32,
    /// Packed, and in the upper two bits the axis along which the ball leaves it.
    cell: u32,
    /// When the ball is at the end of its leash, s: counted from where it last looked around, not from where its plan was last changed.
    leash: f64,
}

impl Plan {
    /// Of a ball in a cell (packed).
    fn nothing(cell: u32) -> Self {
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

const SCENERY: u32 = 1 << 31;
const LOOK_AGAIN: u32 = 1 << 30;
const INDEX: u32 = LOOK_AGAIN - 1;

/// In place of a partner: one has to look.
const LOOK: u32 = u32::MAX;

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
    fn add_later(&mut self, time: f64, partner: u32) {
        if time < self.second {
            (self.second, self.runner_up) = (time, partner);
        } else if time == self.second {
            self.runner_up = LOOK;
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Due {
    time: f64,
    slot: u32,
    /// Of the ball, when this was filed.
    stamp: u32,
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
    sketches: Sketches,
    queue: CalendarQueue<Due, Rank>,
    /// Cells for balls of each class of sizes, the small ones first.
    levels: Vec<Level<S>>,
    /// The class of each ball; empty where there is but one.
    level_of: Vec<u8>,
    /// Where they pay; the cells then hold their anchors, and leaving a cell means to drift from the anchor.
    lists: Option<Lists<S>>,
    candidates: Members,
    searches: Searches<S>,
    /// Cells that balls have passed since somebody was told.
    crossed: u32,
    /// A ball is on its way from one side of the box to the other, and needs a new list.
    wrapping: bool,
    /// The last day for which memory was fetched ahead.
    fetched: i64,
    /// While balls are planned that have just met: whom this one has met, whether they part, and whether anyone else touches it.
    met: u32,
    parts: bool,
    crowded: bool,
}

/// Balls of about one size.
#[derive(Clone, Debug)]
struct Level<S: Space> {
    /// The largest radius, m.
    largest: f64,
    cells: Cells<S>,
    /// Which scenery can be touched from where.
    obstacles: Obstacles,
    /// Of balls of this class, among themselves.
    images: Images<S>,
    /// How far a ball may move after an event of its own until it looks at the smaller ones around it again, m; infinite where there are none.
    leash: f64,
}

impl<S: Space> Level<S> {
    /// The shortest edge of a cell, m.
    fn edge(&self) -> f64 {
        self.cells.lattice.size[..S::DIMENSION]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }
}

/// So many are asked one by one.
const FEW: usize = 4;

/// After so many cells somebody is told, who sees to it that the run gets on.
pub(super) const CROSSED: u32 = 1 << 12;

/// Runs of fewer balls are at hand anyway.
const FETCHED: usize = 20_000;

/// In place of the axis along which a ball leaves its cell: it comes to the end of its leash.
const LEASH: u32 = 3;

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
        let classes = classes_for(&stage.balls);
        let class = |stage: &Stage<S>, slot: usize| {
            class_of(classes.iter().copied(), stage.balls.hot[slot].radius)
        };
        let lattices: Vec<Lattice<S>> = (0..classes.len())
            .map(|level| {
                let belongs = |slot: usize| class(stage, slot) == level;
                let shell = shell.unwrap_or(0.0);
                lattice_for(&stage.balls, now, classes[level], shell, belongs)
            })
            .collect();
        let place = |stage: &Stage<S>, slot, level: usize| {
            lattices[level].cell_of(stage.balls.position_at(slot, now))
        };
        let mut order: Vec<(u64, u32)> = (0..stage.balls.len())
            .map(|slot| (interleaved(place(stage, slot, 0)), slot as u32))
            .collect();
        order.sort_unstable();
        let order: Vec<u32> = order.into_iter().map(|(_, slot)| slot).collect();
        stage.reorder(&order);
        drop(order);
        let balls = &stage.balls;
        let mut levels: Vec<Level<S>> = Vec::with_capacity(classes.len());
        for (lattice, &largest) in lattices.iter().zip(&classes) {
            let edge = |level: &Level<S>| level.edge();
            levels.push(Level {
                largest,
                cells: Cells::new(lattice.clone(), balls.len()),
                obstacles: Obstacles::new(stage, lattice, shell.unwrap_or(0.0), largest),
                images: Images::new(lattice, shell.is_some()),
                // Half a cell of the smallest ones; but among specks of dust a ball must not be held by every speck's width.
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
            sketches: Sketches::new(balls, 2.0 * S::vector(lattices[0].size).length()),
            queue: CalendarQueue::new(1, now, 1.0),
            lists: None,
            levels,
            level_of,
            candidates: Members::default(),
            searches: Searches::<S>::new(),
            crossed: 0,
            wrapping: false,
            fetched: 0,
            met: LOOK,
            parts: false,
            crowded: false,
        };
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

    fn make_lists(&mut self, stage: &Stage<S>, now: f64, shell: f64) {
        let balls = &stage.balls;
        let places =
            (0..balls.len()).map(|slot| (balls.position_at(slot, now), balls.hot[slot].radius));
        let mut lists = Lists::new(places, shell, balls.period);
        lists.fill(&self.levels[0].cells, |slot| {
            Lattice::<S>::unpack(self.plans[slot as usize].cell)
        });
        self.lists = Some(lists);
    }

    /// An empty calendar that fits the plans: half of the balls are due before their median.
    fn calendar(&self, now: f64) -> CalendarQueue<Due, Rank> {
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
            let rank = |due: &Due| rank_of(plans, stage, due);
            let live = |due: &Due| plans[due.slot as usize].stamp == due.stamp;
            let due = self.queue.pop_before(until, rank, live)?;
            if !live(&due) {
                continue;
            }
            if self.queue.day() != self.fetched {
                self.fetch_ahead(stage);
            }
            let slot = due.slot as usize;
            let Plan { two, made, .. } = self.plans[slot];
            let Two { first, partner, .. } = two;
            if first > due.time {
                if let Some(step) = self.leave_cell(stage, slot, due.time) {
                    return Some((due.time, step));
                }
                self.crossed += 1;
                if self.crossed < CROSSED {
                    continue;
                }
                let (ball, cells) = (due.slot, u64::from(CROSSED));
                self.crossed = 0;
                return Some((due.time, Step::Crossed { ball, cells }));
            }
            if partner & SCENERY != 0 {
                let (ball, other) = (due.slot, Other::Scenery(partner & INDEX));
                if partner & LOOK_AGAIN == 0 {
                    return Some((due.time, Step::Contact { ball, other }));
                }
                self.plan(stage, slot, due.time);
                return Some((due.time, Step::LookedAgain { ball, other }));
            }
            // Groups change without a flight being changed.
            let balls = &stage.balls;
            let time = match balls.hot[partner as usize].since < made && balls.groups.is_none() {
                true => first,
                false => self.contact_time(stage, slot, partner, due.time),
            };
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

    /// Fetches from memory what the balls will need that are due on the next days, in three steps: who they are, who is around them, and what those
    /// do. In a large run nothing of it would be at hand otherwise, and each step would wait for the one before.
    #[inline]
    fn fetch_ahead(&mut self, stage: &Stage<S>) {
        let today = self.queue.day();
        if self.plans.len() < FETCHED {
            self.fetched = today;
            return;
        }
        let first = if today - self.fetched > 4 {
            today
        } else {
            self.fetched + 1
        };
        self.fetched = today;
        let hot = &stage.balls.hot;
        for day in first..=today {
            self.queue.look_at(day + 16, |due| {
                let slot = due.slot as usize;
                prefetch_index(&self.plans, slot);
                prefetch_index(hot, slot);
                if let Some(lists) = &self.lists {
                    lists.fetch(slot);
                }
            });
            self.queue.look_at(day + 10, |due| {
                let slot = due.slot as usize;
                let partner = self.plans[slot].two.partner;
                if partner & SCENERY == 0 {
                    let partner = partner as usize;
                    prefetch_index(hot, partner);
                    prefetch_index(&self.plans, partner);
                    if let Some(lists) = &self.lists {
                        lists.fetch(partner);
                    }
                }
                if self.lists.is_none() {
                    let cell = Lattice::<S>::unpack(self.plans[slot].cell);
                    self.levels[self.level(slot)].cells.fetch(cell);
                }
            });
            self.candidates.clear();
            let candidates = &mut self.candidates;
            self.queue.look_at(day + 5, |due| {
                let slot = due.slot as usize;
                let two = &self.plans[slot].two;
                let both = [slot as u32, two.partner];
                let number = if two.partner & SCENERY == 0 && two.first == due.time {
                    2
                } else {
                    1
                };
                for &slot in &both[..number] {
                    match &self.lists {
                        Some(lists) => candidates.extend(&lists.block(slot as usize)[..15]),
                        None => {
                            let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
                            self.levels[0].cells.around(cell, candidates);
                        }
                    }
                }
            });
            for &other in self.candidates.all() {
                self.sketches.fetch(other as usize);
            }
        }
    }

    /// Plans on for a ball whose partner has been struck by somebody else, or was only known to be no earlier. In truth it touches it at `time`.
    #[inline]
    fn fall_back(&mut self, stage: &Stage<S>, slot: usize, now: f64, time: f64) {
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
        if let &[a, b] = slots {
            self.parts = self.contact_time(stage, a as usize, b, now) == f64::INFINITY;
        }
        for (index, &slot) in slots.iter().enumerate() {
            self.met = match scenery {
                Some(member) => SCENERY | member,
                None => slots[slots.len() - 1 - index],
            };
            self.plan(stage, slot as usize, now);
        }
        (self.met, self.parts) = (LOOK, false);
        self.fit_calendar(stage, now);
        self.crowded
    }

    /// Everyone whom a ball may touch now: all that it does touch, and others. Some may be named twice.
    pub fn neighbours(
        &mut self,
        stage: &Stage<S>,
        slot: u32,
        now: f64,
        mut visit: impl FnMut(Other),
    ) {
        let cell = Lattice::<S>::unpack(self.plans[slot as usize].cell);
        let level = self.level(slot as usize);
        self.candidates.clear();
        match &self.lists {
            Some(lists) => lists.around(slot as usize, &mut self.candidates),
            None => self.levels[level].cells.around(cell, &mut self.candidates),
        }
        if self.levels.len() > 1 {
            let place = S::components(stage.balls.position_at(slot as usize, now));
            for other in (0..self.levels.len()).filter(|&other| other != level) {
                let reach = stage.balls.hot[slot as usize].radius + self.levels[other].largest;
                let reach = reach * (1.0 + 1e-6);
                let [low, high] = [-reach, reach].map(|by| place.map(|along| along + by));
                let cells = &self.levels[other].cells;
                cells.between(low, high, &mut self.candidates);
            }
        }
        let members = self.candidates.all().iter();
        members
            .filter(|&&member| member != slot)
            .for_each(|&member| visit(Other::Ball(member)));
        let Level {
            cells, obstacles, ..
        } = &self.levels[level];
        let members = obstacles.near(cells.lattice.index(cell)).iter();
        members.for_each(|&member| visit(Other::Scenery(member)));
    }

    /// The class of a ball.
    #[inline(always)]
    fn level(&self, slot: usize) -> usize {
        self.level_of.get(slot).map_or(0, |&level| level as usize)
    }

    /// Plans for a ball that has come into a slot. `false` where it is larger than any for whom the cells were made: then everything has
    /// to be planned anew.
    #[must_use]
    pub fn admit(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> bool {
        let ball = &stage.balls.hot[slot];
        if ball.radius > self.largest() {
            return false;
        }
        let level = class_of(self.levels.iter().map(|level| level.largest), ball.radius);
        let place = stage.balls.position_at(slot, now);
        let cell = self.levels[level].cells.lattice.cell_of(place);
        if slot == self.plans.len() {
            self.plans.push(Plan::nothing(0));
            self.sketches.push::<S>(ball);
            if self.levels.len() > 1 {
                self.level_of.push(0);
            }
        }
        if self.levels.len() > 1 {
            self.level_of[slot] = level as u8;
        }
        self.plans[slot].cell = Lattice::<S>::pack(cell);
        self.levels[level].cells.insert(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.grow(slot + 1);
            lists.admit(&self.levels[0].cells, cell, slot as u32, place, ball.radius);
        }
        self.changed(stage, &[slot as u32], now);
        true
    }

    /// Forgets the ball in a slot: nobody meets it any more, and the slot may be taken by another.
    pub fn dismiss(&mut self, slot: usize) {
        let (cell, level) = (
            Lattice::<S>::unpack(self.plans[slot].cell),
            self.level(slot),
        );
        self.levels[level].cells.remove(cell, slot as u32);
        if let Some(lists) = &mut self.lists {
            lists.forget(slot as u32);
        }
        let stamp = self.plans[slot].stamp.wrapping_add(1);
        self.plans[slot] = Plan::nothing(0);
        self.plans[slot].stamp = stamp;
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Plans anew for the balls near scenery: a fixed or prescribed body has come or gone.
    pub fn scenery_changed(&mut self, stage: &Stage<S>, now: f64) {
        let shell = self.lists.as_ref().map_or(0.0, |lists| lists.shell());
        let before: Vec<Obstacles> = self
            .levels
            .iter_mut()
            .map(|level| {
                let lattice = &level.cells.lattice;
                let obstacles = Obstacles::new(stage, lattice, shell, level.largest);
                std::mem::replace(&mut level.obstacles, obstacles)
            })
            .collect();
        self.searches.clear();
        for slot in stage.balls.slots() {
            let two = &self.plans[slot].two;
            let cell = Lattice::<S>::unpack(self.plans[slot].cell);
            let level = self.level(slot);
            let cell = self.levels[level].cells.lattice.index(cell);
            let scenery = |time: f64, partner: u32| time < f64::INFINITY && partner & SCENERY != 0;
            if scenery(two.first, two.partner)
                || scenery(two.second, two.runner_up)
                || !before[level].near(cell).is_empty()
                || !self.levels[level].obstacles.near(cell).is_empty()
            {
                self.plan(stage, slot, now);
            }
        }
    }

    /// Calls `visit` with every ball whose centre may be in a box at present, and perhaps with others; with none twice. The box is seen
    /// from all its images.
    pub fn within(&self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(u32)) {
        let drift = self.lists.as_ref().map_or(0.0, |lists| lists.drift);
        let mut found = Members::default();
        for Level { cells, .. } in &self.levels {
            // A little more: who is due to leave a cell just now is still in it.
            let margin = cells.lattice.size.map(|size| drift + 1e-6 * size);
            let low = [0, 1, 2].map(|axis| low[axis] - margin[axis]);
            let high = [0, 1, 2].map(|axis| high[axis] + margin[axis]);
            cells.between(low, high, &mut found);
        }
        found.all().iter().copied().for_each(&mut visit);
    }

    /// The largest radius of a ball, or more, m.
    pub fn largest(&self) -> f64 {
        self.levels[self.levels.len() - 1].largest
    }

    /// The edge of a cell, m: the scale of distances between neighbours.
    pub fn edge(&self) -> f64 {
        self.levels[0].edge()
    }

    #[inline]
    fn fit_calendar(&mut self, stage: &Stage<S>, now: f64) {
        if let Some(interval) = self.queue.misfit() {
            let mut queue = CalendarQueue::new(self.plans.len(), now, interval);
            let plans = &self.plans;
            for due in self.queue.drain() {
                if plans[due.slot as usize].stamp == due.stamp {
                    queue.push(due, |due| rank_of(plans, stage, due));
                }
            }
            self.queue = queue;
        }
    }

    /// Enters a ball's plan into the calendar.
    #[inline(always)]
    fn file(&mut self, stage: &Stage<S>, slot: usize) {
        let plan = &mut self.plans[slot];
        plan.stamp = plan.stamp.wrapping_add(1);
        let (time, stamp) = (plan.next, plan.stamp);
        if time < f64::INFINITY {
            let plans = &self.plans;
            let slot = slot as u32;
            let due = Due { time, slot, stamp };
            self.queue.push(due, |due| rank_of(plans, stage, due));
        }
    }

    /// Looks for a ball's earliest contacts among everyone around it, and enters the first into the calendar.
    fn plan(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
        self.look(stage, slot, now);
        self.file(stage, slot);
    }

    /// Looks for a ball's earliest contacts among everyone around it.
    #[inline(always)]
    fn look(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        self.candidates.clear();
        match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {}
            Some(lists) => lists.around(slot, &mut self.candidates),
            None => {
                let level = self.level(slot);
                self.levels[level].cells.around(cell, &mut self.candidates);
            }
        }
        let two = self.earliest(stage, slot, cell, now, Two::NONE);
        if self.levels.len() > 1 {
            self.plans[slot].leash = self.end_of_leash(stage, slot, now);
        }
        self.plans[slot].made = now;
        self.keep(stage, slot, two, cell, now);
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
        let level = self.level(slot);
        let few = self.candidates.len() <= FEW && self.lists.is_none() && self.met == LOOK;
        let near_side = match &self.levels[level].images {
            Images::Single => false,
            Images::Nearest => self.near_side(level, cell),
            Images::All(_) => true,
        };
        match (near_side, stage.balls.falling) {
            _ if self.levels[level].images.are_many() => {
                self.ask_all(stage, slot, now, &mut two);
            }
            (true, _) if few => self.ask_few::<true>(stage, slot, now, &mut two),
            (false, _) if few => self.ask_few::<false>(stage, slot, now, &mut two),
            (false, false) => self.ask::<false, false>(stage, slot, now, &mut two),
            (true, false) => self.ask::<false, true>(stage, slot, now, &mut two),
            (false, true) => self.ask::<true, false>(stage, slot, now, &mut two),
            (true, true) => self.ask::<true, true>(stage, slot, now, &mut two),
        }
        if self.levels.len() > 1 {
            self.ask_others(stage, slot, cell, now, &mut two);
        }
        if !self.levels[level].obstacles.is_empty() {
            self.add_obstacles(stage, slot, cell, now, &mut two);
        }
        two
    }

    /// Asks the candidates one by one: they are too few for a sieve.
    #[inline(always)]
    fn ask_few<const NEAR_SIDE: bool>(
        &self,
        stage: &Stage<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        for &partner in self.candidates.all() {
            if partner != slot as u32 {
                let time = contact_time_here::<S, NEAR_SIDE>(&stage.balls, slot, partner, now);
                two.add(stage, slot, time, partner);
            }
        }
    }

    /// Asks those around when they touch the ball. Not inlined: it needs all registers.
    #[inline(never)]
    fn ask<const FALLING: bool, const NEAR_SIDE: bool>(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        let balls = &stage.balls;
        let but = if self.parts { self.met } else { slot as u32 };
        let probe = self.sketches.probe::<S>(balls, slot, but, now);
        let (eights, number): (&[[u32; 8]], usize) = match &self.lists {
            Some(lists) if lists.plain(slot).is_some() => {
                (lists.block(slot).as_chunks().0, lists.number(slot))
            }
            _ => {
                let number = self.candidates.len();
                (self.candidates.eights(slot as u32), number)
            }
        };
        let mut left = number;
        for block in eights.chunks(BLOCK / 8) {
            let keys = Keys::new::<S, FALLING, NEAR_SIDE>(&self.sketches, &probe, block, left);
            left = left.saturating_sub(BLOCK);
            let mut picked = keys.first();
            while let Some(other) = picked {
                let partner = block[other.lane / 8][other.lane % 8];
                let not_before = now + other.wait;
                if not_before > two.first {
                    // Nobody needs to know the others better: they are no earlier than this one.
                    two.add_later(not_before, partner);
                    break;
                }
                // The sieve lets all pass that nearly touch, without a wait.
                if other.wait == 0.0 && self.met != LOOK && partner != self.met {
                    self.crowded |= balls.touch(slot, partner as usize, now);
                }
                let time = contact_time_here::<S, NEAR_SIDE>(balls, slot, partner, now);
                two.add(stage, slot, time, partner);
                picked = keys.after(&other);
            }
        }
    }

    /// The same where the box is so small that more than one image of a ball may be touched.
    #[cold]
    fn ask_all(&mut self, stage: &Stage<S>, slot: usize, now: f64, two: &mut Two) {
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

    /// Asks the candidates, which are of a larger class, but for those so far from the ball's cell that they look around themselves again before they touch anyone
    /// in it: when they have moved by their leash from where they last looked, which is no further than that from here.
    fn ask_larger(
        &mut self,
        stage: &Stage<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        two: &mut Two,
    ) {
        let balls = &stage.balls;
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        let ends = |axis: usize| [false, true].map(|up| lattice.bound(cell[axis], axis, up));
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
    /// Of larger ones, those in cells that can be touched from somewhere in the ball's own cell: until it leaves it, or they theirs. Of smaller
    /// ones, those in cells that can be touched before the ball is at the end of its leash.
    #[cold]
    fn ask_others(
        &mut self,
        stage: &Stage<S>,
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
                let [low, high] = [(false, -reach), (true, reach)].map(|(up, by)| {
                    [0, 1, 2].map(|axis| match axis < S::DIMENSION {
                        true => lattice.bound(cell[axis], axis, up) + by,
                        false => 0.0,
                    })
                });
                let cells = &self.levels[other].cells;
                cells.between(low, high, &mut self.candidates);
                self.ask_larger(stage, slot, cell, now, two);
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
                (false, _) => self.ask_all(stage, slot, now, two),
                (true, true) => self.ask::<true, true>(stage, slot, now, two),
                (true, false) => self.ask::<false, true>(stage, slot, now, two),
            }
        }
    }

    /// When a ball touches another, as far as it can soon.
    #[inline]
    fn contact_time(&self, stage: &Stage<S>, slot: usize, partner: u32, now: f64) -> f64 {
        match self.level_of.is_empty() {
            true => {
                let images = &self.levels[0].images;
                images.contact_time(stage, slot, partner, now)
            }
            false => self.contact_time_of_classes(stage, slot, partner, now),
        }
    }

    /// The same where there are several classes: among the images that are not too far away for the cells that the two are in.
    fn contact_time_of_classes(
        &self,
        stage: &Stage<S>,
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
        let shifts = [0, 1, 2].map(|axis| {
            let length = balls.period[axis];
            let far = (sizes[0][axis] + sizes[1][axis] + reach) * (1.0 + 1e-6);
            [-1.0, 0.0, 1.0].map(|boxes| {
                let shift = boxes * length;
                let wanted = match length > 0.0 {
                    true => (apart[axis] + shift).abs() <= far,
                    false => boxes == 0.0,
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

    /// Whether some of those around a cell may be seen across a side of the box.
    #[inline(always)]
    fn near_side(&self, level: usize, cell: [u32; 3]) -> bool {
        // Anchors may be one cell behind their balls.
        let layers = if self.lists.is_some() { 2 } else { 1 };
        let count = &self.levels[level].cells.lattice.count;
        let mut near = false;
        for axis in 0..S::DIMENSION {
            near |= cell[axis] < layers || cell[axis] + layers >= count[axis];
        }
        near
    }

    /// Makes these contacts the plan of a ball.
    #[inline(always)]
    fn keep(&mut self, stage: &Stage<S>, slot: usize, two: Two, cell: [u32; 3], now: f64) {
        let (mut leaves, mut axis, _) = self.leaves_cell(stage, slot, cell, now);
        let end = self.plans[slot].leash;
        if end < leaves {
            (leaves, axis) = (end, LEASH as usize);
        }
        let next = if two.first <= leaves {
            two.first
        } else {
            leaves
        };
        let plan = &mut self.plans[slot];
        (plan.next, plan.two) = (next, two);
        plan.cell = Lattice::<S>::pack(cell) | (axis as u32) << 30;
    }

    /// How far a ball may move until it looks at the smaller ones around it again, m: further, the further it has come since something last
    /// happened to it, so that a long way through thin air takes few looks.
    fn leash_of(&self, stage: &Stage<S>, slot: usize, now: f64) -> f64 {
        let leash = self.levels[self.level(slot)].leash;
        let way = stage.balls.velocity_at(slot, now).length() * (now - stage.balls.hot[slot].since);
        leash.max(0.5 * way)
    }

    /// When a ball has moved as far as its leash lets it, at the earliest, s.
    fn end_of_leash(&self, stage: &Stage<S>, slot: usize, now: f64) -> f64 {
        let leash = self.leash_of(stage, slot, now);
        if leash == f64::INFINITY {
            return leash;
        }
        // Where |v| t + g t²/2 is the leash.
        let speed = stage.balls.velocity_at(slot, now).length();
        let steepest = 2.0 * stage.balls.gravity.length() * leash;
        let wait = 2.0 * leash / (speed + (speed * speed + steepest).sqrt());
        (now + wait).max(now.next_up())
    }

    /// Moves a ball on to the next cell. What it does there is planned, unless it leaves the periodic box.
    fn leave_cell(&mut self, stage: &Stage<S>, slot: usize, now: f64) -> Option<Step> {
        if self.lists.is_some() {
            return self.leave_anchor(stage, slot, now);
        }
        if self.plans[slot].cell >> 30 == LEASH {
            self.plan(stage, slot, now);
            return None;
        }
        let level = self.level(slot);
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let (time, axis, up) = if stage.balls.falling {
            self.leaves_cell(stage, slot, cell, now)
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
            // On a parabola the way out of a cell is found from now on, and rounding may let the end of the box come first.
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
            return Some(Step::Wrap { ball, axis, up });
        }
        if level > 0 {
            // Smaller ones around it may be many: all or none.
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
        None
    }

    /// Makes a ball's list anew where it is now.
    fn move_anchor(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
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
    #[inline(always)]
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
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        let velocity = S::components(ball.velocity);
        let position = S::components(ball.position);
        // One division for all axes; what is not there stays for ever.
        let (mut ways, mut rates) = ([f64::INFINITY; 4], [1.0; 4]);
        for axis in 0..S::DIMENSION {
            let up = velocity[axis] > 0.0;
            ways[axis] = lattice.bound(cell[axis], axis, up) - position[axis];
            rates[axis] = velocity[axis];
        }
        let waits = (f64x4::from(ways) / f64x4::from(rates)).to_array();
        let mut first = (f64::INFINITY, 0);
        for axis in 0..S::DIMENSION {
            // A ball at rest has −∞ or NaN here and stays, one beyond the bound by rounding passes at once: see `Balls::crosses`.
            let wait = if waits[axis] > 0.0 { waits[axis] } else { 0.0 };
            if wait < first.0 && rates[axis] != 0.0 {
                first = (wait, axis);
            }
        }
        (first.0 + ball.since, first.1, velocity[first.1] > 0.0)
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
        let lattice = &self.levels[self.level(slot)].cells.lattice;
        let balls = &stage.balls;
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
        let Level {
            cells, obstacles, ..
        } = &self.levels[self.level(slot)];
        for &member in obstacles.near(cells.lattice.index(cell)) {
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
                _ => SCENERY | member,
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

    /// Whether there are several to be looked at.
    #[inline(always)]
    fn are_many(&self) -> bool {
        matches!(self, Images::All(_))
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

/// When a ball touches another that is near it, perhaps across a side of the box. Not inlined: what it needs would be got ready for everyone who asks.
#[inline(never)]
fn contact_time_here<S: Space, const NEAR_SIDE: bool>(
    balls: &Balls<S>,
    slot: usize,
    partner: u32,
    now: f64,
) -> f64 {
    match NEAR_SIDE {
        true => balls.contact_time_near(slot, partner as usize, now),
        false => balls.contact_time(slot, partner as usize, S::Vector::ZERO),
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

/// The order of events at one instant: by kind, then by ids.
type Rank = Option<(EventKind, BodyId, BodyId)>;

/// Where an entry of the calendar comes among those of its instant.
#[cold]
fn rank_of<S: Space>(plans: &[Plan], stage: &Stage<S>, due: &Due) -> Rank {
    // Entries that are no longer true come first, wherever they are in the queue: what they were is forgotten, and what their balls are going to do
    // now must not be taken for it, or those that are true would stand in the wrong order around them.
    let slot = due.slot as usize;
    let Plan {
        next, two, stamp, ..
    } = &plans[slot];
    (*stamp == due.stamp).then(|| match two.first > *next {
        true => {
            let id = stage.balls.ids[slot];
            (EventKind::Wrap, id, id)
        }
        false => rank(stage, slot, two.partner),
    })
}
