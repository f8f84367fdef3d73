//! The innermost loop of a gas: collisions of two balls that neither fall nor turn, one after the other, until
//! something else is next.
//!
//! It does what the loop in `exact.rs` does in that case, and leaves out what cannot be in such a run (segments, rigid
//! bodies, islands, transitions). All of it is one function compiled for the vectors of the run: calls between code for
//! these and code for any processor, and what passes from one to the other through memory, were 5 % of a gas.

use super::collide::{Outcome, Rebound};
use super::{End, Exact, Plans, RunError, Step, Tell, rebase_interval};
use crate::impact::Strikable;
use crate::material::Surface;
use crate::simulate::bodies::BodyRef;
use crate::simulate::cancel;
use crate::simulate::strike::Struck;
use crate::simulate::watchdog::Busy;
use crate::vectors::{Choice, Portable, Vectors, run_with};
use std::ops::ControlFlow;

/// What the loop was left for: the end of the run, or what is next, if anything is.
type Left = ControlFlow<End, Option<(f64, Step)>>;

impl<S: Strikable> Exact<S> {
    /// Whether two balls that meet do what those of a gas do.
    #[inline]
    pub(super) fn is_gas(&self) -> bool {
        let balls = &self.stage.balls;
        !balls.falling
            && balls.trajectories.is_none()
            && balls.turning.is_none()
            && balls.shear.is_none()
            && self.contact_time.is_none()
            && !self.stage.surfaces.vary
    }

    /// Lets what is next before a world time happen, and tells of it, as long as it is a collision of two balls of a
    /// gas.
    pub(super) fn collide_on(&mut self, until: f64, tell: Tell<'_, S>) -> Result<Left, RunError> {
        let vectors = match &self.plans {
            Plans::Fast(planner) => planner.vectors,
            Plans::Kept(_) => Choice::Portable(Portable),
        };
        run_with!(vectors, vectors => self.collide_on_with(vectors, until, tell))
    }

    #[inline(always)]
    fn collide_on_with<V: Vectors>(
        &mut self,
        vectors: V,
        until: f64,
        tell: Tell<'_, S>,
    ) -> Result<Left, RunError> {
        loop {
            if cancel::is_wanted(&self.cancel) {
                return Ok(ControlFlow::Break(End::Cancelled));
            }
            let before = until - self.stage.epoch;
            let next = match &mut self.plans {
                Plans::Fast(planner) => planner.next_with(vectors, &self.stage, before),
                Plans::Kept(planner) => planner.next(&self.stage, before),
            };
            let Some((time, Step::Contact { ball, other })) = next else {
                return Ok(ControlFlow::Continue(next));
            };
            let since = self.clock;
            let (BodyRef::Ball(partner), true) = (other, time > since) else {
                return Ok(ControlFlow::Continue(next));
            };
            self.clock = time;
            let mut alone = None;
            let outcome = match self.rebound(vectors, ball, partner, &mut alone) {
                Rebound::Struck => Outcome::Collision,
                Rebound::Crowded => match self.crowded(ball, other, alone) {
                    Ok(outcome) => outcome,
                    Err(error) => return Err(self.fail(error)),
                },
                Rebound::ByLaw => {
                    // Nothing has been done yet.
                    self.clock = since;
                    return Ok(ControlFlow::Continue(next));
                }
            };
            (self.fruitless, self.stalled) = (0, 0);
            self.watchdog.show();
            let mut paced = Ok(());
            if self.collisions >= self.rebase_at {
                paced = self.pause(ball, until);
            }
            self.time = self.stage.epoch + self.clock;
            let told = self.tell_of(outcome, tell);
            paced?;
            if let ControlFlow::Break(end) = told {
                return Ok(ControlFlow::Break(end));
            }
        }
    }

    /// Two balls that others touch.
    #[cold]
    pub(super) fn crowded(
        &mut self,
        ball: u32,
        other: BodyRef,
        alone: Option<(Surface, Struck<S>)>,
    ) -> Result<Outcome, RunError> {
        match &alone {
            Some((surface, struck)) => self.collide_together(ball, other, surface, struck, 0.0),
            None => Ok(Outcome::Nothing),
        }
    }

    /// Every so many collisions: looks whether the run makes progress, and sets the clock back.
    #[cold]
    pub(super) fn pause(&mut self, ball: u32, until: f64) -> Result<(), RunError> {
        let lap = (rebase_interval(&self.stage), Busy::Collision);
        let paced = self.count_seen(lap, ball, until).and(self.count_gain());
        self.rebase();
        paced
    }
}
