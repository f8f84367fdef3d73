//! The slow planner, obviously right: every ball is predicted against every other body, and all predictions wait in a
//! binary heap. Its time per collision grows with the number of bodies.

use super::scenery::{Searches, forget_searches};
use super::stage::{NOBODY, NOWHERE, Other, Stage, Step};
use crate::queue::{Event, EventKind, HeapQueue};
use crate::space::Space;
use crate::world::BodyId;

/// Who meets whom and when, from all pairs.
#[derive(Clone, Debug)]
pub(super) struct AllPairs<S: Space> {
    queue: HeapQueue,
    /// The queue is rid of stale predictions when it is longer than this.
    queue_limit: usize,
    /// One for each ball by slot; moves whenever its flight changes.
    counters: Vec<u32>,
    /// Every way to see another ball across the sides of the periodic box.
    shifts: Vec<S::Vector>,
    searches: Searches<S>,
}

impl<S: Space> AllPairs<S> {
    pub fn new(stage: &Stage<S>, now: f64) -> Self {
        let period = stage.balls.period;
        let mut shifts = vec![[0.0; 3]];
        for axis in (0..S::DIMENSION).filter(|&axis| period[axis] > 0.0) {
            for mut shift in shifts.clone() {
                for along in [-period[axis], period[axis]] {
                    shift[axis] = along;
                    shifts.push(shift);
                }
            }
        }
        let shifts = shifts.into_iter().map(S::vector).collect();
        let mut planner = AllPairs {
            queue: HeapQueue::default(),
            queue_limit: 4096,
            counters: vec![0; stage.balls.len()],
            shifts,
            searches: Searches::<S>::new(),
        };
        for slot in 0..stage.balls.len() {
            planner.predict(stage, slot, now, slot + 1);
        }
        planner
    }

    /// The next step before a time, and when it is.
    pub fn next(&mut self, stage: &Stage<S>, until: f64) -> Option<(f64, Step)> {
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
                        NOWHERE => Other::Scenery(event.counters[1]),
                        slot => Other::Ball(slot),
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
                EventKind::PieceEnd => return Some((event.time, Step::PieceEnds { ball })),
                EventKind::LookAgain => {
                    let index = event.counters[1];
                    self.predict_scenery(stage, ball as usize, index, event.time);
                    let other = Other::Scenery(index);
                    return Some((event.time, Step::LookedAgain { ball, other }));
                }
            }
        }
    }

    /// Predicts a ball, or two, anew that have just met each other or `scenery`. Whether anyone else touches one of them, or nearly so.
    pub fn struck(
        &mut self,
        stage: &Stage<S>,
        slots: &[u32],
        scenery: Option<u32>,
        now: f64,
    ) -> bool {
        self.changed(stage, slots, now);
        slots.iter().any(|&slot| {
            let slot = slot as usize;
            let mut balls = 0..stage.balls.len();
            let mut walls = (0..).zip(&stage.scenery);
            balls.any(|other| {
                !slots.contains(&(other as u32)) && stage.balls.touch(slot, other, now)
            }) || walls.any(|(index, wall)| {
                Some(index) != scenery
                    && !stage.balls.is_on(slot, index)
                    && wall.touches(&stage.balls, slot, stage.epoch, now)
            })
        })
    }

    /// Everyone whom a ball may touch now: here, everyone.
    pub fn neighbours(&self, stage: &Stage<S>, slot: u32, mut visit: impl FnMut(Other)) {
        (0..stage.balls.len() as u32)
            .filter(|&other| other != slot)
            .for_each(|other| visit(Other::Ball(other)));
        (0..stage.scenery.len() as u32).for_each(|index| visit(Other::Scenery(index)));
    }

    /// Predicts balls anew whose flights have changed.
    pub fn changed(&mut self, stage: &Stage<S>, slots: &[u32], now: f64) {
        for &slot in slots {
            let counter = &mut self.counters[slot as usize];
            *counter = counter.wrapping_add(1);
        }
        for &slot in slots {
            self.predict(stage, slot as usize, now, 0);
        }
    }

    /// Predicts a ball that has come into a slot.
    pub fn admit(&mut self, stage: &Stage<S>, slot: usize, now: f64) {
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
    fn predict(&mut self, stage: &Stage<S>, slot: usize, now: f64, first: usize) {
        if self.queue.len() > self.queue_limit {
            self.drop_stale_events(stage);
        }
        let ids = &stage.balls.ids;
        for other in
            (first..stage.balls.len()).filter(|&other| other != slot && ids[other] != NOBODY)
        {
            let (a, b) = if ids[slot] < ids[other] {
                (slot, other)
            } else {
                (other, slot)
            };
            let time = self
                .shifts
                .iter()
                .map(|&shift| stage.balls.contact_time(a, b, shift))
                .fold(f64::INFINITY, f64::min);
            self.push(Event {
                time,
                kind: EventKind::Contact,
                a: ids[a],
                b: ids[b],
                counters: [self.counters[a], self.counters[b]],
            });
        }
        for index in 0..stage.scenery.len() {
            self.predict_scenery(stage, slot, index as u32, now);
        }
        if let Some(guides) = &stage.balls.guides {
            self.push(Event {
                time: stage.balls.hot[slot].since + guides.pieces[slot].end,
                kind: EventKind::PieceEnd,
                a: ids[slot],
                b: ids[slot],
                counters: [self.counters[slot]; 2],
            });
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

    fn predict_scenery(&mut self, stage: &Stage<S>, slot: usize, index: u32, now: f64) {
        let scenery = &stage.scenery[index as usize];
        let (place, searches) = ((slot, index), &mut self.searches);
        let found = scenery.first_event(&stage.balls, place, stage.epoch, now, searches);
        if let Some((time, kind)) = found {
            self.push(Event {
                time,
                kind,
                a: stage.balls.ids[slot],
                b: scenery.id,
                // Scenery needs no counter; in its place is which image it was.
                counters: [self.counters[slot], index],
            });
        }
    }

    fn push(&mut self, event: Event) {
        if event.time.is_finite() {
            self.queue.push(event);
        }
    }

    /// Keeps the queue from growing with the length of the run: its limit is twice what is still true.
    fn drop_stale_events(&mut self, stage: &Stage<S>) {
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
