//! What is counted so that a run that does not get on is noticed: stalls, steps, searches and passes.

use super::Exact;
use super::error::RunError;
use crate::body::{Body, Kind};
use crate::impact::Strikable;
use crate::motion::Drive;
use crate::simulate::bodies::BodyRef;
use crate::simulate::watchdog::{Busy, Crawl};
use crate::space::Linear;

/// SensorOverlaps of one ball through one sensor, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simulate) struct Passes {
    pair: Option<(u32, BodyRef)>,
    count: u64,
    /// When the count began, by the run's clock, s.
    pub(super) since: f64,
}

impl<S: Strikable> Exact<S> {
    #[cold]
    pub(super) fn count_stall(&mut self, ball: u32, other: BodyRef) -> Result<(), RunError> {
        self.stalled += 1;
        // A rack of touching balls has many collisions at one instant, but a bounded number of them.
        let patience = 10_000 + 100 * self.stage.slots.len() as u64;
        if self.stalled > patience {
            self.time = self.stage.epoch + self.clock;
            return Err(RunError::Livelock {
                time: self.time,
                collisions: self.stalled,
                a: self.label(self.stage.balls.ids[ball as usize]),
                b: self.label(self.stage.id_of(other)),
            });
        }
        Ok(())
    }

    /// Counts steps of a ball that are not seen, and notices when they lead nowhere.
    #[inline]
    pub(super) fn count_unseen(
        &mut self,
        (steps, busy): (u64, Busy),
        time: f64,
        ball: u32,
        until: f64,
    ) -> Result<(), RunError> {
        let to_go = until.max(self.horizon) - (self.stage.epoch + time);
        let balls = self.stage.balls.len();
        match self.watchdog.unseen((steps, busy), balls, time, to_go) {
            None => Ok(()),
            Some(crawl) => Err(self.crawl(crawl, busy, time, ball, until)),
        }
    }

    /// Counts what is seen.
    pub(super) fn count_seen(
        &mut self,
        (steps, busy): (u64, Busy),
        ball: u32,
        until: f64,
    ) -> Result<(), RunError> {
        self.watchdog.show();
        let to_go = until.max(self.horizon) - (self.stage.epoch + self.clock);
        match self.watchdog.seen(steps, self.clock, to_go) {
            None => Ok(()),
            Some(crawl) => Err(self.crawl(crawl, busy, self.clock, ball, until)),
        }
    }

    #[cold]
    pub(super) fn crawl(
        &mut self,
        crawl: Crawl,
        busy: Busy,
        time: f64,
        ball: u32,
        until: f64,
    ) -> RunError {
        self.time = self.stage.epoch + self.clock;
        RunError::Crawl {
            time: self.time,
            since: self.stage.epoch + time - crawl.advance,
            advance: crawl.advance,
            steps: crawl.steps,
            until: until.max(self.horizon),
            body: self.label(self.stage.balls.ids[ball as usize]),
            busy,
        }
    }

    /// Notices when searches are taken up again and again.
    #[cold]
    pub(super) fn count_search(
        &mut self,
        time: f64,
        ball: u32,
        other: BodyRef,
    ) -> Result<(), RunError> {
        self.fruitless += 1;
        // Every knot of a path or swing cuts the search of every ball once; beyond that, each attempt is thousands of
        // looks.
        let knots = |body: &Body<S>| match &body.kind {
            Kind::Kinematic(Drive::Path { knots }) => knots.len() as u64,
            Kind::Kinematic(Drive::Swing { knots, .. }) => knots.len() as u64,
            _ => 0,
        };
        if self.fruitless.is_multiple_of(500) {
            // Images in a periodic box are searched each for itself.
            let cuts: u64 = self
                .stage
                .fixtures
                .iter()
                .map(|fixture| knots(&fixture.body))
                .sum();
            if self.fruitless > cuts.saturating_mul(self.stage.balls.len() as u64) {
                self.time = self.stage.epoch + time;
                return Err(RunError::Search {
                    time: self.time,
                    searches: self.fruitless,
                    a: self.label(self.stage.balls.ids[ball as usize]),
                    b: self.label(self.stage.id_of(other)),
                });
            }
        }
        Ok(())
    }

    /// Notices when a ball goes in and out of a sensor without getting on: beside a sensor of astronomical size
    /// rounding is larger than the ball.
    #[cold]
    pub(super) fn count_pass(&mut self, ball: u32, other: BodyRef) -> Result<(), RunError> {
        const MANY: u64 = 10_000;
        let passes = &mut self.passes;
        if passes.pair != Some((ball, other)) {
            *passes = Passes {
                pair: Some((ball, other)),
                count: 0,
                since: self.clock,
            };
        }
        passes.count += 1;
        if passes.count < MANY {
            return Ok(());
        }
        // It has not got on by a millionth of its radius.
        let balls = &self.stage.balls;
        let speed = balls.velocity_at(ball as usize, self.clock).length();
        let way = (self.clock - passes.since) * speed;
        let stands = way <= 1e-6 * balls.hot[ball as usize].radius;
        (passes.count, passes.since) = (0, self.clock);
        if stands {
            self.time = self.stage.epoch + self.clock;
            return Err(RunError::Livelock {
                time: self.time,
                collisions: MANY,
                a: self.label(self.stage.balls.ids[ball as usize]),
                b: self.label(self.stage.id_of(other)),
            });
        }
        Ok(())
    }
}
