//! The reference: every ball is predicted against every other body, and all predictions wait in a binary heap.
//!
//! No cells, no boxes, no filter, nothing that a thought could spare, on free flights and on trajectory segments alike:
//! obviously right, and its time per collision grows with the number of bodies. The [`planner`](super::planner) must
//! give the same run.

use super::balls::NOBODY;
use super::bodies::{Bodies, BodyRef, NOWHERE, Step};
use super::fixture::{Searches, forget_searches};
use crate::impact::Strikable;
use crate::queue::{Event, EventKind, HeapQueue};
use crate::space::Space;
use crate::world::BodyId;

/// What happens when, from all pairs.
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
}

impl<S: Strikable> Predictions<S> {
    /// Predicts everything that comes after a time.
    pub fn new(stage: &Bodies<S>, now: f64) -> Self {
        let mut predictions = Self::idle(stage);
        for slot in stage.balls.slots() {
            predictions.predict(stage, slot, now, slot + 1);
        }
        predictions
    }

    /// Predicts nothing, until something else takes its place.
    pub fn idle(stage: &Bodies<S>) -> Self {
        Predictions {
            queue: HeapQueue::default(),
            queue_limit: 4096,
            counters: vec![0; stage.balls.len()],
            shifts: all_shifts::<S>(stage.balls.period),
            searches: Searches::<S>::new(),
        }
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
            let step = match event.kind {
                EventKind::Contact => {
                    let other = match other {
                        NOWHERE => BodyRef::Fixture(event.counters[1]),
                        slot => BodyRef::Ball(slot),
                    };
                    Step::Contact { ball, other }
                }
                EventKind::Wrap => {
                    let (time, axis, up) = stage
                        .balls
                        .leaves_box(ball as usize)
                        .expect("it was predicted to leave the box");
                    return Some((time, Step::Wrap { ball, axis, up }));
                }
                EventKind::SegmentEnd => Step::SegmentEnds { ball },
                EventKind::LookAgain => {
                    let index = event.counters[1];
                    self.predict_fixture(stage, ball as usize, index, event.time);
                    let other = BodyRef::Fixture(index);
                    Step::LookedAgain { ball, other }
                }
                EventKind::CellEnd => continue,
            };
            return Some((event.time, step));
        }
    }

    /// Predicts a ball, or two, anew that have just collided with each other or with a fixture. Whether any other body
    /// touches one of them, or nearly so.
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

    /// Whether any other body touches one of the balls that collide with each other or with a fixture, or nearly so.
    /// What a ball keeps touching does not count.
    pub fn are_crowded(
        &self,
        stage: &Bodies<S>,
        slots: &[u32],
        fixture: Option<u32>,
        now: f64,
    ) -> bool {
        slots.iter().any(|&slot| {
            let mut crowded = false;
            self.neighbours(stage, slot, |other| {
                crowded |= stage.crowds((slot, other), (slots, fixture), now);
            });
            crowded
        })
    }

    /// Every body that a ball may touch: all of them.
    pub fn neighbours(&self, stage: &Bodies<S>, slot: u32, mut visit: impl FnMut(BodyRef)) {
        let others = stage.balls.slots().map(|other| other as u32);
        others
            .filter(|&other| other != slot)
            .for_each(|other| visit(BodyRef::Ball(other)));
        (0..stage.fixtures.len() as u32).for_each(|index| visit(BodyRef::Fixture(index)));
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
        self.changed(stage, &[slot as u32], now);
    }

    /// Forgets the ball in a slot, whose id is not used again.
    pub fn dismiss(&mut self, slot: usize, id: BodyId) {
        self.queue.retain(|event| event.a != id && event.b != id);
        self.counters[slot] = self.counters[slot].wrapping_add(1);
        forget_searches::<S>(&mut self.searches, slot as u32);
    }

    /// Predicts a ball against every other body, of the balls only those from a slot on.
    fn predict(&mut self, stage: &Bodies<S>, slot: usize, now: f64, first: usize) {
        if self.queue.len() > self.queue_limit {
            self.drop_stale_events(stage);
        }
        let balls = &stage.balls;
        for other in (first..balls.len()).filter(|&other| other != slot) {
            if balls.ids[other] != NOBODY {
                self.predict_pair(stage, slot, other);
            }
        }
        for index in 0..stage.fixtures.len() as u32 {
            self.predict_fixture(stage, slot, index, now);
        }
        self.push_own(stage, slot, EventKind::SegmentEnd, balls.segment_end(slot));
        if let Some((time, _, _)) = balls.leaves_box(slot) {
            self.push_own(stage, slot, EventKind::Wrap, time);
        }
    }

    fn predict_pair(&mut self, stage: &Bodies<S>, slot: usize, other: usize) {
        let ids = &stage.balls.ids;
        let (a, b) = if ids[slot] < ids[other] {
            (slot, other)
        } else {
            (other, slot)
        };
        let shifts = self.shifts.iter();
        let time = match &stage.balls.shear {
            Some(shear) => stage.balls.contact_time_sheared(shear, a, b),
            None => shifts
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

    /// Predicts what happens first between a ball and a fixture.
    fn predict_fixture(&mut self, stage: &Bodies<S>, slot: usize, index: u32, now: f64) {
        let fixture = &stage.fixtures[index as usize];
        let (place, searches) = ((slot, index), &mut self.searches);
        let found = fixture.first_event(&stage.balls, place, stage.epoch, now, searches);
        if let Some((time, kind)) = found {
            self.push(Event {
                time,
                kind,
                a: stage.balls.ids[slot],
                b: fixture.id,
                // Fixtures need no counter; in its place is which image it was.
                counters: [self.counters[slot], index],
            });
        }
    }

    /// What happens to a ball alone.
    fn push_own(&mut self, stage: &Bodies<S>, slot: usize, kind: EventKind, time: f64) {
        let id = stage.balls.ids[slot];
        self.push(Event {
            time,
            kind,
            a: id,
            b: id,
            counters: [self.counters[slot]; 2],
        });
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

fn is_stale(counters: &[u32], event: &Event, ball: u32, other: u32) -> bool {
    event.counters[0] != counters[ball as usize]
        || (other != NOWHERE && event.counters[1] != counters[other as usize])
}

/// Every way to see another ball across the sides of the periodic box.
pub(super) fn all_shifts<S: Space>(period: [f64; 3]) -> Vec<S::Vector> {
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
    use crate::body::Body;
    use crate::motion::{Drag, Field, Fields};
    use crate::simulate::exact::{Exact, Plans};
    use crate::space::Space2;
    use crate::world::World2;
    use glam::DVec2;

    /// Whether a run is planned by the reference.
    fn is_reference(run: &Exact<Space2>) -> bool {
        matches!(&run.plans, Plans::Kept(_))
    }

    /// It once was production as soon as a ball rested or a field acted, so that tests compared production with itself.
    #[test]
    fn the_reference_looks_at_all_pairs_to_the_end() {
        let mut world = World2::new();
        for index in 0..50 {
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
        assert_eq!([&slow, &fast].map(is_reference), [true, false]);
        for run in [&mut slow, &mut fast] {
            run.run_to(0.5).unwrap();
            *run = Exact::restore(&run.snapshot()).unwrap();
        }
        assert_eq!([&slow, &fast].map(is_reference), [true, false]);
        // From free flights to trajectory segments, by a change.
        let mut slow = Exact::reference(free.clone()).unwrap();
        let mut fast = Exact::new(free).unwrap();
        assert_eq!([&slow, &fast].map(is_reference), [true, false]);
        for run in [&mut slow, &mut fast] {
            run.set_fields(fields.clone()).unwrap();
        }
        assert_eq!([&slow, &fast].map(is_reference), [true, false]);
    }
}
