//! The plain planner: all predictions wait in a binary heap.
//!
//! Balls that are on segments run like that (see [`guides`](super::trajectories)), since nothing of what makes the [`planner`](super::planner) of free flights
//! quick applies to them: where they are many each is predicted against those in the cells around it, where they are few against all, of which swept boxes
//! sift the fixture.
//!
//! [`Predictions::plain`] is the reference of both planners: no cells, no boxes, every prediction kept. Every ball is predicted against every other body,
//! on free flights and on trajectory segments alike: obviously right, and its time per collision grows with the number of bodies.

use super::balls::Balls;
use super::balls::NOBODY;
use super::bodies::{Bodies, BodyRef, NOWHERE, Step};
use super::fixture::{Searches, forget_searches};
use super::layout::lattice_for;
use super::obstacles::Obstacles;
use super::planner::CROSSED;
use super::sweep::{MANY, STRIDES, extent_of};
use super::trajectories::StickingPartner;
use crate::broad::Extent;
use crate::broad::{Cells, Members};
use crate::impact::Strikable;
use crate::order::InOrder;
use crate::queue::{Event, EventKind, HeapQueue};
use crate::shape::Shaped;
use crate::space::Space;
use crate::world::BodyId;

/// Who meets whom and when, from all pairs.
#[derive(Clone, Debug)]
pub(super) struct Predictions<S: Space> {
    queue: HeapQueue,
    /// The queue is rid of stale predictions when it is longer than this.
    queue_limit: usize,
    /// One for each ball by slot; moves whenever its flight changes.
    counters: Vec<u32>,
    /// Every way to see another ball across the sides of the periodic box.
    shifts: Vec<S::Vector>,
    searches: Searches<S>,
    near: Option<Vicinity<S>>,
    /// Cells that balls have passed since somebody was told.
    crossed: u32,
    /// Whether nothing is left out that a thought could spare: the reference.
    plain: bool,
    /// Boxes around the fixture, where it has any, by its place in the list; none at all in the reference.
    extents: Vec<Option<Extent>>,
    /// All fixtures by its place in the list: first what has no box.
    all_fixtures: Vec<u32>,
}

/// Who is where.
#[derive(Clone, Debug)]
struct Vicinity<S: Space> {
    cells: Cells<S>,
    /// By slot.
    cell_of: Vec<[u32; 3]>,
    obstacles: Obstacles,
    /// Whether the box is so large that only the nearest image of a ball can be touched soon.
    nearest: bool,
}

/// With fewer balls than this it is quicker to look at all of them.
const FEW: usize = 48;

impl<S: Strikable> Predictions<S> {
    /// The reference, which looks at all pairs.
    pub fn plain(stage: &Bodies<S>, now: f64) -> Self {
        let planner = Predictions {
            plain: true,
            extents: vec![None; stage.fixtures.len()],
            all_fixtures: (0..stage.fixtures.len() as u32).collect(),
            ..Self::idle(stage)
        };
        planner.with_all_predicted(stage, now)
    }

    /// Everyone against everyone, with boxes that say what fixtures is out of the way.
    fn of_few(stage: &Bodies<S>, now: f64) -> Self {
        let extents = extents_of(stage);
        let mut all_fixtures: Vec<u32> = (0..stage.fixtures.len() as u32).collect();
        all_fixtures.order_by_key(|&index| extents[index as usize].is_some());
        let planner = Predictions {
            extents,
            all_fixtures,
            ..Self::idle(stage)
        };
        planner.with_all_predicted(stage, now)
    }

    fn with_all_predicted(mut self, stage: &Bodies<S>, now: f64) -> Self {
        for slot in stage.balls.slots() {
            self.predict(stage, slot, now, slot + 1);
        }
        self
    }

    /// A planner that plans nothing, until another takes its place.
    pub fn idle(stage: &Bodies<S>) -> Self {
        Predictions {
            queue: HeapQueue::default(),
            queue_limit: 4096,
            counters: vec![0; stage.balls.len()],
            shifts: all_shifts::<S>(stage.balls.period),
            searches: Searches::<S>::new(),
            near: None,
            crossed: 0,
            plain: false,
            extents: Vec::new(),
            all_fixtures: Vec::new(),
        }
    }

    /// For balls that are on segments: with cells, where there are many of them.
    pub fn of_guided(stage: &Bodies<S>, now: f64) -> Self {
        let balls = &stage.balls;
        if balls.len() < FEW {
            return Self::of_few(stage, now);
        }
        let largest = balls.hot.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let lattice = lattice_for(balls, now, largest, 0.0, |_| true);
        let mut cells = Cells::new(lattice.clone(), balls.len());
        let cell_of: Vec<[u32; 3]> = (0..balls.len())
            .map(|slot| lattice.cell_of(balls.position_at(slot, now)))
            .collect();
        for slot in balls.slots() {
            cells.insert(cell_of[slot], slot as u32);
        }
        let periodic = |axis: &usize| lattice.period[*axis] > 0.0;
        let planner = Predictions {
            near: Some(Vicinity {
                obstacles: Obstacles::new(stage, &lattice, 0.0, largest),
                nearest: (0..S::DIMENSION)
                    .filter(periodic)
                    .all(|axis| lattice.count[axis] >= 5),
                cells,
                cell_of,
            }),
            extents: extents_of(stage),
            ..Self::idle(stage)
        };
        planner.with_all_predicted(stage, now)
    }

    /// The next step before a time, and when it is.
    pub fn next(&mut self, stage: &Bodies<S>, until: f64) -> Option<(f64, Step)> {
        loop {
            let event = *self.queue.peek().filter(|event| event.time < until)?;
            self.queue.pop();
            let slot = |id: BodyId| stage.slots[id.0 as usize];
            let ball = slot(event.a);
            let other = slot(event.b);
            if is_stale(&self.counters, &event, ball, other) {
                continue;
            }
            match event.kind {
                EventKind::Contact => {
                    let other = match other {
                        NOWHERE => BodyRef::Fixture(event.counters[1]),
                        slot => BodyRef::Ball(slot),
                    };
                    return Some((event.time, Step::Contact { ball, other }));
                }
                EventKind::Wrap => {
                    let (time, axis, up) = stage
                        .balls
                        .leaves_box(ball as usize)
                        .expect("it was predicted to leave the box");
                    return Some((time, Step::Wrap { ball, axis, up }));
                }
                EventKind::CellEnd => {
                    if let Some(step) = self.leave_cell(stage, ball as usize, event.time) {
                        return Some((event.time, step));
                    }
                    self.crossed += 1;
                    if self.crossed >= CROSSED {
                        let cells = u64::from(std::mem::take(&mut self.crossed));
                        return Some((event.time, Step::Crossed { ball, cells }));
                    }
                }
                EventKind::SegmentEnd => return Some((event.time, Step::SegmentEnds { ball })),
                EventKind::LookAgain => {
                    let index = event.counters[1];
                    self.predict_fixture(stage, ball as usize, index, event.time);
                    let other = BodyRef::Fixture(index);
                    return Some((event.time, Step::LookedAgain { ball, other }));
                }
            }
        }
    }

    /// Predicts a ball, or two, anew that have just met each other or `fixtures`. Whether anyone else touches one of them, or nearly so.
    pub fn struck(
        &mut self,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        self.changed(stage, slots, now);
        self.are_crowded(stage, slots, fixture, now)
    }

    /// Whether anyone else touches one of the balls that meet each other or `fixtures`, or nearly so. What a ball keeps touching does not count.
    pub fn are_crowded(
        &self,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        slots.iter().any(|&slot| {
            let mut crowded = false;
            self.neighbours(stage, slot, now, |other| {
                crowded |= match other {
                    BodyRef::Ball(other) => {
                        !slots.contains(&other)
                            && stage.balls.touch(slot as usize, other as usize, now)
                    }
                    BodyRef::Fixture(index) => {
                        let wall = &stage.fixtures[index as usize];
                        Some(index) != fixture
                            && !stage.balls.is_on(slot as usize, index)
                            && wall.touches(&stage.balls, slot as usize, stage.epoch, now)
                    }
                };
            });
            crowded
        })
    }

    /// Everyone who is near a ball, and others.
    pub fn around(&self, stage: &Bodies<S>, slot: u32, now: f64, mut visit: impl FnMut(BodyRef)) {
        if self.near.is_some() {
            return self.neighbours(stage, slot, now, visit);
        }
        let others = stage.balls.slots().map(|other| other as u32);
        others
            .filter(|&other| other != slot)
            .for_each(|other| visit(BodyRef::Ball(other)));
        (0..stage.fixtures.len() as u32).for_each(|index| visit(BodyRef::Fixture(index)));
    }

    /// Everyone whom a ball may touch now: all that it does touch, and others.
    pub fn neighbours(
        &self,
        stage: &Bodies<S>,
        slot: u32,
        now: f64,
        mut visit: impl FnMut(BodyRef),
    ) {
        match &self.near {
            None => {
                (0..stage.balls.len() as u32)
                    .filter(|&other| other != slot && stage.balls.ids[other as usize] != NOBODY)
                    .filter(|&other| stage.balls.touch(slot as usize, other as usize, now))
                    .for_each(|other| visit(BodyRef::Ball(other)));
                let here = stage.balls.extent_at(slot as usize, now);
                let out_of_reach = |extent: &Option<Extent>| {
                    extent.is_some_and(|extent| here.misses::<S>(&extent))
                };
                (0..stage.fixtures.len())
                    .filter(|&index| !out_of_reach(&self.extents[index]))
                    .for_each(|index| visit(BodyRef::Fixture(index as u32)));
            }
            Some(near) => {
                let cell = near.cell_of[slot as usize];
                let mut list = Members::default();
                near.cells.around(cell, &mut list);
                let others = list.all().iter().copied().filter(|&other| other != slot);
                others.for_each(|other| visit(BodyRef::Ball(other)));
                let index = near.cells.lattice.index(cell);
                let here = stage.balls.extent_at(slot as usize, now);
                let walls = near.obstacles.near(index).iter();
                let in_reach = |index: &&u32| {
                    let extent = self.extents[**index as usize];
                    !extent.is_some_and(|extent| here.misses::<S>(&extent))
                };
                walls
                    .filter(in_reach)
                    .for_each(|&index| visit(BodyRef::Fixture(index)));
            }
        }
    }

    /// Predicts balls anew whose flights have changed.
    pub fn changed(&mut self, stage: &Bodies<S>, slots: &[u32], now: f64) {
        for &slot in slots {
            let counter = &mut self.counters[slot as usize];
            *counter = counter.wrapping_add(1);
        }
        for &slot in slots {
            self.predict(stage, slot as usize, now, 0);
        }
    }

    /// Predicts a ball that has come into a slot.
    pub fn admit(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        if slot == self.counters.len() {
            self.counters.push(0);
        }
        if let Some(near) = &mut self.near {
            let cell = near
                .cells
                .lattice
                .cell_of(stage.balls.position_at(slot, now));
            near.cell_of
                .resize(near.cell_of.len().max(slot + 1), [0; 3]);
            near.cell_of[slot] = cell;
            near.cells.insert(cell, slot as u32);
        }
        self.changed(stage, &[slot as u32], now);
    }

    /// Forgets the ball in a slot, whose id is not used again.
    pub fn dismiss(&mut self, slot: usize, id: BodyId) {
        self.queue.retain(|event| event.a != id && event.b != id);
        self.counters[slot] = self.counters[slot].wrapping_add(1);
        if let Some(near) = &mut self.near {
            near.cells.remove(near.cell_of[slot], slot as u32);
        }
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Predicts a ball against every other body, of the balls only those from a slot on.
    fn predict(&mut self, stage: &Bodies<S>, slot: usize, now: f64, first: usize) {
        if self.queue.len() > self.queue_limit {
            self.drop_stale_events(stage);
        }
        let ids = &stage.balls.ids;
        match &self.near {
            None => {
                for other in (first..stage.balls.len())
                    .filter(|&other| other != slot && ids[other] != NOBODY)
                {
                    self.predict_pair(stage, slot, other, now);
                }
                let all = std::mem::take(&mut self.all_fixtures);
                self.predict_first_of(stage, slot, &all, now);
                self.all_fixtures = all;
            }
            Some(near) => {
                let cell = near.cell_of[slot];
                let mut list = Members::default();
                near.cells.around(cell, &mut list);
                let mut list = list.all().to_vec();
                list.retain(|&other| other as usize >= first && other as usize != slot);
                self.predict_near(stage, slot, cell, now, &list);
            }
        }
        if let Some(trajectories) = &stage.balls.trajectories {
            self.push(Event {
                time: stage.balls.hot[slot].since + trajectories.segments[slot].end,
                kind: EventKind::SegmentEnd,
                a: ids[slot],
                b: ids[slot],
                counters: [self.counters[slot]; 2],
            });
        }
        if self.near.is_some() {
            return;
        }
        if let Some((time, _, _)) = stage.balls.leaves_box(slot) {
            self.push(Event {
                time,
                kind: EventKind::Wrap,
                a: ids[slot],
                b: ids[slot],
                counters: [self.counters[slot]; 2],
            });
        }
    }

    fn predict_pair(&mut self, stage: &Bodies<S>, slot: usize, other: usize, now: f64) {
        let ids = &stage.balls.ids;
        if stage
            .balls
            .travels_with(slot, StickingPartner::Ball(ids[other]))
        {
            return;
        }
        let (a, b) = if ids[slot] < ids[other] {
            (slot, other)
        } else {
            (other, slot)
        };
        let time = match &self.near {
            Some(near) if near.nearest => {
                let apart = stage.balls.position_at(a, now) - stage.balls.position_at(b, now);
                let shift = stage.balls.nearest_shift(apart);
                stage.balls.contact_time(a, b, shift)
            }
            _ => self
                .shifts
                .iter()
                .map(|&shift| stage.balls.contact_time(a, b, shift))
                .fold(f64::INFINITY, f64::min),
        };
        self.push(Event {
            time,
            kind: EventKind::Contact,
            a: ids[a],
            b: ids[b],
            counters: [self.counters[a], self.counters[b]],
        });
    }

    /// Predicts a ball against some of the others, against the fixtures around its cell, and when it leaves that.
    fn predict_near(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        cell: [u32; 3],
        now: f64,
        others: &[u32],
    ) {
        for &other in others {
            self.predict_pair(stage, slot, other as usize, now);
        }
        let Some(near) = &self.near else { return };
        let walls = near.obstacles.near(near.cells.lattice.index(cell)).to_vec();
        let (time, _, _) = near.leaves_cell(&stage.balls, slot, now);
        self.predict_first_of(stage, slot, &walls, now);
        let id = stage.balls.ids[slot];
        self.push(Event {
            time,
            kind: EventKind::CellEnd,
            a: id,
            b: id,
            counters: [self.counters[slot]; 2],
        });
    }

    /// Moves a ball on to the next cell, and predicts whom it may meet there; unless it leaves the periodic box.
    fn leave_cell(&mut self, stage: &Bodies<S>, slot: usize, now: f64) -> Option<Step> {
        let near = self.near.as_mut()?;
        let cell = near.cell_of[slot];
        let (_, axis, up) = near.leaves_cell(&stage.balls, slot, now);
        let (next, wraps) = near.cells.lattice.next(cell, axis, up)?;
        near.cells.remove(cell, slot as u32);
        near.cells.insert(next, slot as u32);
        near.cell_of[slot] = next;
        if wraps {
            let ball = slot as u32;
            return Some(Step::Wrap { ball, axis, up });
        }
        let mut list = Members::default();
        near.cells.beyond(next, axis, up, &mut list);
        let mut list = list.all().to_vec();
        list.retain(|&other| other as usize != slot);
        self.predict_near(stage, slot, next, now, &list);
        None
    }

    /// Predicts a ball against fixture.
    ///
    /// Of a ball on segments's contacts with what stands, only the first is kept: whatever comes of it, the ball is predicted anew then.
    fn predict_first_of(&mut self, stage: &Bodies<S>, slot: usize, list: &[u32], now: f64) {
        if stage.balls.trajectories.is_none() || self.plain {
            for &index in list {
                self.predict_fixture(stage, slot, index, now);
            }
            return;
        }
        if list.len() > MANY {
            return self.predict_first_of_many(stage, slot, list, now);
        }
        let mut first: Option<Event> = None;
        let mut swept = stage.balls.swept_until(slot, f64::INFINITY);
        for &index in list {
            if let (Some(swept), Some(extent)) = (&swept, &self.extents[index as usize])
                && swept.misses::<S>(extent)
            {
                continue;
            }
            let Some(event) = self.first_with(stage, slot, index, now) else {
                continue;
            };
            if stage.fixtures[index as usize].is_driven() {
                self.push(event);
            } else if first.is_none_or(|first| event.order(&first).is_lt()) {
                first = Some(event);
                swept = stage.balls.swept_until(slot, event.time);
            }
        }
        first.into_iter().for_each(|event| self.push(event));
    }

    /// The same among very many: those near the way of the next moments first, and farther ones only where nothing happens so soon. It leaves out the same as the other: what is certainly not the first.
    fn predict_first_of_many(&mut self, stage: &Bodies<S>, slot: usize, list: &[u32], now: f64) {
        let mut first: Option<Event> = None;
        let mut looked: Option<Extent> = None;
        let mut stride = stage.balls.stride(slot, now);
        for step in 0..=STRIDES {
            // The last look is at all that are left.
            let until = if step < STRIDES {
                now + stride
            } else {
                f64::INFINITY
            };
            let ahead = stage.balls.swept_until(slot, until);
            let mut swept = ahead;
            for &index in list {
                let hits = |sweep: &Option<Extent>, extent: &Extent| {
                    sweep.is_none_or(|swept| !swept.misses::<S>(extent))
                };
                let wanted = match &self.extents[index as usize] {
                    None => step == 0,
                    Some(extent) => hits(&swept, extent) && !(step > 0 && hits(&looked, extent)),
                };
                if !wanted {
                    continue;
                }
                let Some(event) = self.first_with(stage, slot, index, now) else {
                    continue;
                };
                if stage.fixtures[index as usize].is_driven() {
                    self.push(event);
                } else if first.is_none_or(|first| event.order(&first).is_lt()) {
                    first = Some(event);
                    swept = stage.balls.swept_until(slot, event.time.min(until));
                }
            }
            let found = first.is_some_and(|first| first.time <= until);
            let ends = stage
                .balls
                .trajectories
                .as_ref()
                .is_some_and(|trajectories| {
                    stage.balls.hot[slot].since + trajectories.segments[slot].end <= until
                });
            if found || ends || ahead.is_none() {
                break;
            }
            looked = ahead;
            stride *= 4.0;
        }
        first.into_iter().for_each(|event| self.push(event));
    }

    fn predict_fixture(&mut self, stage: &Bodies<S>, slot: usize, index: u32, now: f64) {
        if let Some(event) = self.first_with(stage, slot, index, now) {
            self.push(event);
        }
    }

    /// What happens first between a ball and a piece of fixture.
    fn first_with(
        &mut self,
        stage: &Bodies<S>,
        slot: usize,
        index: u32,
        now: f64,
    ) -> Option<Event> {
        let fixture = &stage.fixtures[index as usize];
        let (place, searches) = ((slot, index), &mut self.searches);
        let found = fixture.first_event(&stage.balls, place, stage.epoch, now, searches);
        let (time, kind) = found?;
        Some(Event {
            time,
            kind,
            a: stage.balls.ids[slot],
            b: fixture.id,
            // Fixture needs no counter; in its place is which image it was.
            counters: [self.counters[slot], index],
        })
    }

    fn push(&mut self, event: Event) {
        if event.time.is_finite() {
            self.queue.push(event);
        }
    }

    /// Keeps the queue from growing with the length of the run: its limit is twice what is still true.
    fn drop_stale_events(&mut self, stage: &Bodies<S>) {
        let slot = |id: BodyId| stage.slots[id.0 as usize];
        let counters = &self.counters;
        self.queue
            .retain(|event| !is_stale(counters, event, slot(event.a), slot(event.b)));
        self.queue_limit = 4096.max(2 * self.queue.len());
    }
}

fn extents_of<S: Strikable>(stage: &Bodies<S>) -> Vec<Option<Extent>> {
    stage.fixtures.iter().map(extent_of).collect()
}

fn is_stale(counters: &[u32], event: &Event, ball: u32, other: u32) -> bool {
    event.counters[0] != counters[ball as usize]
        || (other != NOWHERE && event.counters[1] != counters[other as usize])
}

impl<S: Shaped> Vicinity<S> {
    /// When a ball leaves its cell, from now on, along which axis, and whether upwards. At least one step of the clock lies between two such events.
    fn leaves_cell(&self, balls: &Balls<S>, slot: usize, now: f64) -> (f64, usize, bool) {
        let lattice = &self.cells.lattice;
        let cell = self.cell_of[slot];
        let mut first = (f64::INFINITY, 0, false);
        for (axis, &along) in cell[..S::DIMENSION].iter().enumerate() {
            for up in [false, true] {
                let bound = lattice.bound(along, axis, up);
                if !bound.is_finite() {
                    continue;
                }
                let last = if up { lattice.count[axis] - 1 } else { 0 };
                // Where it leaves the box is a function of its way alone, since that changes it.
                let time = if along == last {
                    balls.crosses(slot, axis, bound, up)
                } else {
                    balls
                        .crosses_from(slot, now, axis, bound, up)
                        .max(now.next_up())
                };
                if time < first.0 {
                    first = (time, axis, up);
                }
            }
        }
        first
    }
}

/// Every way to see another ball across the sides of the periodic box.
fn all_shifts<S: Space>(period: [f64; 3]) -> Vec<S::Vector> {
    let mut shifts = vec![[0.0; 3]];
    for axis in (0..S::DIMENSION).filter(|&axis| period[axis] > 0.0) {
        for mut shift in shifts.clone() {
            for along in [-period[axis], period[axis]] {
                shift[axis] = along;
                shifts.push(shift);
            }
        }
    }
    shifts.into_iter().map(S::vector).collect()
}

#[cfg(test)]
mod tests {
    use super::FEW;
    use crate::body::Body;
    use crate::motion::{Drag, Field, Fields};
    use crate::simulate::exact::{Exact, Plans};
    use crate::space::Space2;
    use crate::world::World2;
    use glam::DVec2;

    /// What plans a run: the reference (`Some(true)`), cells (`Some(false)`), or something else.
    fn planner(run: &Exact<Space2>) -> Option<bool> {
        match &run.plans {
            Plans::Kept(it) if it.plain => {
                assert!(it.near.is_none() && it.extents.iter().all(Option::is_none));
                Some(true)
            }
            Plans::Kept(it) if it.near.is_some() => Some(false),
            _ => None,
        }
    }

    /// It once was production as soon as a ball rested or a field acted, so that tests compared production with itself.
    #[test]
    fn the_reference_looks_at_all_pairs_to_the_end() {
        let mut world = World2::new();
        for index in 0..FEW as u32 + 2 {
            let place = DVec2::new(f64::from(index % 10), f64::from(index / 10));
            let ball = Body::ball(0.3, 1.0, place, DVec2::new(0.1, 0.0)).unwrap();
            world.add(ball).unwrap();
        }
        let free = world.clone();
        let drag = Drag::Given {
            linear: 0.1,
            quadratic: 0.0,
        };
        let fields = Fields::uniform(DVec2::new(0.0, -1.0)).with(Field::Drag(drag));
        world.set_fields(fields.clone()).unwrap();
        let mut slow = Exact::reference(world.clone()).unwrap();
        let mut fast = Exact::new(world).unwrap();
        assert_eq!([&slow, &fast].map(planner), [Some(true), Some(false)]);
        for run in [&mut slow, &mut fast] {
            run.run_to(0.5).unwrap();
            *run = Exact::restore(&run.snapshot()).unwrap();
        }
        assert_eq!([&slow, &fast].map(planner), [Some(true), Some(false)]);
        // From free flights to trajectory segments, by a change.
        let mut slow = Exact::reference(free.clone()).unwrap();
        let mut fast = Exact::new(free).unwrap();
        assert_eq!([&slow, &fast].map(planner), [Some(true), None]);
        for run in [&mut slow, &mut fast] {
            run.set_fields(fields.clone()).unwrap();
        }
        assert_eq!([&slow, &fast].map(planner), [Some(true), Some(false)]);
    }
}
