//! When a run has gone on for long enough.

use super::exact::{End, Exact, RunError};
use crate::impact::Strikable;
use crate::record::{Collision, Event};
use crate::shape::Shaped;
use crate::simulate::Compiled;
use crate::space::Linear;
use std::fmt;
use std::ops::ControlFlow;

/// When a run is to end: at a time, or earlier where one of the other conditions holds. They are looked at after each collision, transition and release.
///
/// # At rest
///
/// Without gravity everything is at rest when no ball's speed (nor that of its surface, `|ω| r`) is above a limit. A ball in
/// gravity is slow at the top of its flight too; it is at rest when it has been slow for longer than anything can be that falls freely: for
/// more than `2 limit / g`. So everything is at rest in gravity when no ball has been faster than the limit for that long.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut world = World2::new();
/// # for x in [0.0, 3.0] {
/// #     world.add(Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(1.0 - x, 0.0))?)?;
/// # }
/// let mut run = Exact::new(world).expect("nothing overlaps");
/// let until = Until::time(60.0).or_collisions(100_000).or_rest(1e-3).or(|run: &Exact<Plane>| run.audit().now.kinetic > 10.0);
/// let end = run.run_until(until, |_| std::ops::ControlFlow::Continue(()))?;
/// assert_eq!(end, End::Time);
/// # Ok(())
/// # }
/// ```
pub struct Until<'a, S: Shaped> {
    time: f64,
    collisions: Option<u64>,
    rest: Option<f64>,
    conditions: Vec<Condition<'a, S>>,
}

type Condition<'a, S> = Box<dyn FnMut(&Exact<S>) -> bool + 'a>;

impl<'a, S: Shaped> Until<'a, S> {
    /// A world time, s.
    pub fn time(time: f64) -> Self {
        Until {
            time,
            collisions: None,
            rest: None,
            conditions: Vec::new(),
        }
    }

    /// Or so many collisions from now on.
    pub fn or_collisions(self, collisions: u64) -> Self {
        Until {
            collisions: Some(collisions),
            ..self
        }
    }

    /// Or everything at rest, with a limit for speeds, m/s.
    pub fn or_rest(self, limit: f64) -> Self {
        Until {
            rest: Some(limit),
            ..self
        }
    }

    /// Or whatever the caller wants.
    pub fn or(mut self, condition: impl FnMut(&Exact<S>) -> bool + 'a) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }
}

impl<S: Shaped> From<f64> for Until<'_, S> {
    fn from(time: f64) -> Self {
        Until::time(time)
    }
}

impl<S: Shaped> fmt::Debug for Until<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Until")
            .field("time", &self.time)
            .field("collisions", &self.collisions)
            .field("rest", &self.rest)
            .field("conditions", &self.conditions.len())
            .finish()
    }
}

impl<S: Compiled> Exact<S> {
    /// Runs until a time or another condition, telling of everything that happens. The listener may end the run; so a caller who
    /// wants to change something at an event lets it end there, changes it, and runs on.
    ///
    /// What happens does not depend on who listens. Changes that were made since the last run are told first.
    pub fn run_until<'a>(
        &mut self,
        until: impl Into<Until<'a, S>>,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        let mut until: Until<'a, S> = until.into();
        let last = until
            .collisions
            .map(|more| self.collisions().saturating_add(more));
        if last == Some(self.collisions()) {
            return Ok(End::Collisions);
        }
        let mut rest = until.rest.map(|limit| Rest::new(limit, self));
        if rest.as_mut().is_some_and(|rest| rest.holds(self)) {
            return Ok(End::Rest);
        }
        self.go(until.time, |run, event| {
            if listener(&event).is_break() {
                return ControlFlow::Break(End::Observer);
            }
            let counts = matches!(
                event,
                Event::Collision(_) | Event::Transition(_) | Event::Released(_)
            );
            if !counts {
                return ControlFlow::Continue(());
            }
            if let Some(rest) = &mut rest {
                if let Event::Collision(collision) = event {
                    rest.see(collision, run);
                }
                if rest.holds(run) {
                    return ControlFlow::Break(End::Rest);
                }
            }
            if until.conditions.iter_mut().any(|condition| condition(run)) {
                return ControlFlow::Break(End::Condition);
            }
            match last {
                Some(last) if run.collisions() >= last => ControlFlow::Break(End::Collisions),
                _ => ControlFlow::Continue(()),
            }
        })
    }
}

/// Watches out for rest.
struct Rest {
    limit: f64,
    /// For how long everything has to be slow, s.
    patience: f64,
    /// When something was last seen to be fast, world time, s.
    fast_at: f64,
    /// The slot that was fast when it was last looked at. The others are only looked at where it has become slow.
    witness: usize,
}

impl Rest {
    fn new<S: Strikable>(limit: f64, run: &Exact<S>) -> Self {
        let gravity = run.gravity().length();
        Rest {
            limit,
            patience: if gravity > 0.0 {
                2.0 * limit / gravity
            } else {
                0.0
            },
            fast_at: run.time(),
            witness: 0,
        }
    }

    /// The speed of a flight is greatest at one of its ends, which are collisions.
    fn see<S: Shaped>(&mut self, collision: &Collision<S>, run: &Exact<S>) {
        if self.patience == 0.0 {
            return;
        }
        let radius = |id| match run.stage.slots[id as usize] {
            super::stage::NOWHERE => None,
            slot => Some(run.stage.balls.hot[slot as usize].radius),
        };
        for (id, side) in [(collision.a, 0), (collision.b, 1)] {
            let Some(radius) = radius(id.0) else { continue };
            for motion in [collision.before[side], collision.after[side]] {
                if motion.velocity.length() > self.limit
                    || motion.spin.length() * radius > self.limit
                {
                    self.fast_at = collision.time;
                }
            }
        }
    }

    fn holds<S: Strikable>(&mut self, run: &Exact<S>) -> bool {
        if run.is_at_rest_everywhere() {
            return true;
        }
        // Who travels with another has the velocity to come that it leaves with.
        if run.number_in_tandem() > 0 {
            return false;
        }
        // In gravity what stands still for an instant is not at rest.
        if self.limit == 0.0 && run.gravity() != S::Vector::ZERO {
            return false;
        }
        if self.patience > 0.0 && !(run.time() - self.fast_at > self.patience) {
            return false;
        }
        let balls = &run.stage.balls;
        let now = run.local_time();
        let is_fast = |slot: usize| {
            let ball = &balls.hot[slot];
            // In its flight, as far back as it counts.
            let from = ball.since.max(now - self.patience).min(now);
            balls.ids[slot] != super::balls::NOBODY
                && (balls.velocity_at(slot, now).length() > self.limit
                    || balls.velocity_at(slot, from).length() > self.limit
                    || balls.spin_at(slot, now).length() * ball.radius > self.limit)
        };
        // Slots may have been put in another order; any that is fast will do.
        let number = balls.len();
        let found = (0..number)
            .map(|step| (self.witness + step) % number)
            .find(|&slot| is_fast(slot));
        match found {
            Some(slot) => {
                self.witness = slot;
                false
            }
            None => true,
        }
    }
}
