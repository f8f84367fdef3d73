//! The event-driven run: from one true instant to the next.
//!
//! This is the plain version: every ball is predicted against every other body, and all predictions wait in a binary heap.
//! Its time per collision grows with the number of bodies.

use super::state::{Moving, State, contact_at};
use crate::audit::{Audit, Energy, Ledger};
use crate::impact::{self, Impact};
use crate::queue::{Event, EventKind, HeapQueue};
use crate::record::{Collision, Digest, Velocities};
use crate::response::respond;
use crate::space::{Linear, Space};
use crate::world::{BodyId, World, WorldError};
use std::ops::ControlFlow;
use thiserror::Error;

/// A run of a world by exact events.
#[derive(Clone, Debug)]
pub struct Exact<S: Space> {
    world: World<S>,
    bodies: Vec<Moving<S>>,
    /// The free balls, with their radii.
    balls: Vec<(BodyId, f64)>,
    queue: HeapQueue,
    /// The queue is rid of stale predictions when it is longer than this.
    queue_limit: usize,
    time: f64,
    collisions: u64,
    /// Collisions since the clock last moved.
    stalled: u64,
    ledger: Ledger,
    digest: Digest,
    initial: (Energy, S::Vector),
}

/// Why a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time asked for has come.
    Time,
    /// The observer wanted no more.
    Observer,
}

/// Why a run could not go on. What it did so far is kept.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RunError {
    /// The time asked for is not a number, or lies in the past.
    #[error("cannot run until {until} s: the clock stands at {time} s")]
    Until {
        /// As asked, s.
        until: f64,
        /// Now, s.
        time: f64,
    },
    /// Infinitely many collisions pile up at one instant.
    #[error(
        "the run stands still at t = {time} s: {collisions} collisions without the clock moving on, the last between {a} and {b} \
         (a ball that comes to rest bounces infinitely often in a finite time)"
    )]
    Livelock {
        /// s.
        time: f64,
        /// At this instant.
        collisions: u64,
        /// Name or number of one body of the last collision.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// A number has grown beyond what `f64` holds.
    #[error("the motion of {body} is no longer finite at t = {time} s")]
    NotFinite {
        /// s.
        time: f64,
        /// Name or number.
        body: String,
    },
}

impl<S: Space> Exact<S> {
    /// Starts a run at time 0. Refused where bodies overlap by more than rounding explains.
    pub fn new(world: World<S>) -> Result<Self, Vec<WorldError>> {
        let overlaps = world.overlaps();
        if !overlaps.is_empty() {
            return Err(overlaps);
        }
        let gravity = world.gravity();
        let bodies: Vec<_> = world
            .bodies()
            .iter()
            .map(|body| Moving::new(body.clone(), gravity))
            .collect();
        let balls = (0..)
            .zip(&bodies)
            .filter_map(|(id, body)| Some((BodyId(id), body.free_radius()?)))
            .collect();
        let mut run = Exact {
            world,
            bodies,
            balls,
            queue: HeapQueue::default(),
            queue_limit: 4096,
            time: 0.0,
            collisions: 0,
            stalled: 0,
            ledger: Ledger::default(),
            digest: Digest::default(),
            initial: (Energy::default(), S::Vector::ZERO),
        };
        run.initial = run.energy_and_momentum();
        for index in 0..run.balls.len() {
            run.predict(run.balls[index].0, true);
        }
        Ok(run)
    }

    /// Runs until a world time (s), showing each collision to the observer, who may end the run.
    pub fn run(
        &mut self,
        until: f64,
        mut observer: impl FnMut(&Collision<S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        if !(until >= self.time && until.is_finite()) {
            return Err(RunError::Until {
                until,
                time: self.time,
            });
        }
        while let Some(event) = self
            .queue
            .peek()
            .copied()
            .filter(|event| event.time < until)
        {
            self.queue.pop();
            if self.is_stale(&event) {
                continue;
            }
            self.move_clock(&event)?;
            match event.kind {
                EventKind::LookAgain => self.predict_pair(event.a, event.b),
                EventKind::Contact => {
                    let Some(collision) = self.collide(event.a, event.b)? else {
                        continue;
                    };
                    self.predict(event.a, false);
                    if self.body(event.b).free().is_some() {
                        self.predict(event.b, false);
                    }
                    if observer(&collision).is_break() {
                        return Ok(End::Observer);
                    }
                }
            }
        }
        self.time = until;
        Ok(End::Time)
    }

    /// Runs until a world time, s.
    pub fn run_to(&mut self, until: f64) -> Result<End, RunError> {
        self.run(until, |_| ControlFlow::Continue(()))
    }

    fn is_stale(&self, event: &Event) -> bool {
        event.counters != [self.body(event.a).counter, self.body(event.b).counter]
    }

    /// Moves the clock to an event, and notices when it has stood still for too long.
    fn move_clock(&mut self, event: &Event) -> Result<(), RunError> {
        // A rack of touching balls has many collisions at one instant, but a bounded number of them.
        let patience = 10_000 + 100 * self.bodies.len() as u64;
        if event.time > self.time {
            self.time = event.time;
            self.stalled = 0;
        } else {
            self.stalled += 1;
        }
        if self.stalled > patience {
            return Err(RunError::Livelock {
                time: self.time,
                collisions: self.stalled,
                a: self.name(event.a),
                b: self.name(event.b),
            });
        }
        Ok(())
    }

    /// Lets two bodies collide now, if they touch and are closing.
    fn collide(&mut self, a: BodyId, b: BodyId) -> Result<Option<Collision<S>>, RunError> {
        let (body_a, body_b) = (self.body(a), self.body(b));
        let radius = body_a
            .free_radius()
            .expect("the first body of an event is a free ball");
        let (contact, gap) = contact_at(body_a, radius, body_b, self.time);
        if !contact.is_closing() {
            self.predict_pair(a, b);
            return Ok(None);
        }
        let surface = self
            .world
            .materials
            .surface(body_a.body.material, body_b.body.material);
        let response = respond(&contact, &surface);
        let after = contact.after(&response);
        let free_b = body_b.free().is_some();
        let [before, after]: [[Velocities<S>; 2]; 2] = [contact, after].map(|contact| {
            [contact.a, contact.b].map(|side| Velocities {
                velocity: side.velocity,
                spin: side.spin,
            })
        });
        for (id, velocities) in [(a, &after[0]), (b, &after[1])] {
            if !(velocities.velocity.is_finite() && velocities.spin.is_finite()) {
                return Err(RunError::NotFinite {
                    time: self.time,
                    body: self.name(id),
                });
            }
        }
        self.ledger.enter(&contact, &response, free_b, gap);
        let time = self.time;
        self.bodies[a.0 as usize].kick(time, after[0]);
        if free_b {
            self.bodies[b.0 as usize].kick(time, after[1]);
        }
        self.collisions += 1;
        let collision = Collision {
            number: self.collisions,
            time,
            a,
            b,
            point: contact.point,
            normal: contact.normal,
            impulse: response.impulse,
            mode: response.mode,
            before,
            after,
            energy_lost: contact.energy_lost(&response),
            gap,
        };
        self.digest.collision(&collision);
        Ok(Some(collision))
    }

    /// Predicts a ball against every other body; against later balls only, where all balls are predicted in turn.
    fn predict(&mut self, ball: BodyId, each_pair_once: bool) {
        for other in 0..self.bodies.len() as u32 {
            let other = BodyId(other);
            if other == ball
                || (each_pair_once && other < ball && self.body(other).free().is_some())
            {
                continue;
            }
            self.predict_pair(ball, other);
        }
    }

    /// Predicts one pair from now on.
    fn predict_pair(&mut self, a: BodyId, b: BodyId) {
        let (a, b) = if self.body(b).free().is_some() && b < a {
            (b, a)
        } else {
            (a, b)
        };
        let (body_a, body_b) = (self.body(a), self.body(b));
        let radius = body_a
            .free_radius()
            .expect("the first body of a pair is a free ball");
        let (ball, target) = (
            body_a.as_ball(self.time, radius),
            body_b.as_target(self.time),
        );
        let mut found = impact::first_contact(&ball, &target, f64::INFINITY);
        if found.time().is_some() {
            found = impact::refine(&ball, &target, f64::INFINITY);
        }
        let (kind, wait) = match found {
            Impact::Never => return,
            Impact::Now => (EventKind::Contact, 0.0),
            Impact::At(wait) => (EventKind::Contact, wait),
            Impact::ClearUntil(wait) => (EventKind::LookAgain, wait),
        };
        let counters = [body_a.counter, body_b.counter];
        let time = self.time + wait;
        if self.queue.len() > self.queue_limit {
            self.drop_stale_events();
        }
        if time.is_finite() {
            self.queue.push(Event {
                time,
                kind,
                a,
                b,
                counters,
            });
        }
    }

    /// Keeps the queue from growing with the length of the run: its limit is twice what is still true.
    fn drop_stale_events(&mut self) {
        let bodies = &self.bodies;
        let counter = |id: BodyId| bodies[id.0 as usize].counter;
        self.queue
            .retain(|event| event.counters == [counter(event.a), counter(event.b)]);
        self.queue_limit = 4096.max(2 * self.queue.len());
    }

    /// The clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The world that the run started from.
    pub fn world(&self) -> &World<S> {
        &self.world
    }

    /// How many collisions there have been.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// Where a body is now, and how it moves.
    pub fn state(&self, id: BodyId) -> State<S> {
        self.body(id).state_at(self.time)
    }

    /// The books as they stand.
    pub fn audit(&self) -> Audit<S> {
        let mass: f64 = self
            .bodies
            .iter()
            .filter_map(|body| body.free())
            .map(|free| free.mass)
            .sum();
        let from_gravity = self.world.gravity() * (mass * self.time);
        self.ledger
            .balance(self.initial, self.energy_and_momentum(), from_gravity)
    }

    /// A hash of all collisions so far and of all states now.
    pub fn digest(&self) -> u64 {
        let mut digest = self.digest;
        for &(id, _) in &self.balls {
            let state = self.state(id);
            digest.vector::<S>(state.position);
            digest.vector::<S>(state.velocity);
        }
        digest.value()
    }

    fn body(&self, id: BodyId) -> &Moving<S> {
        &self.bodies[id.0 as usize]
    }

    fn name(&self, id: BodyId) -> String {
        match self.body(id).body.name.as_str() {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }

    fn energy_and_momentum(&self) -> (Energy, S::Vector) {
        let mut energy = Energy::default();
        let mut momentum = S::Vector::ZERO;
        for body in &self.bodies {
            let Some(free) = body.free() else { continue };
            let part = body.energy_at(self.time, self.world.gravity());
            energy.kinetic += part.kinetic;
            energy.rotational += part.rotational;
            energy.potential += part.potential;
            momentum += body.state_at(self.time).velocity * free.mass;
        }
        (energy, momentum)
    }
}
