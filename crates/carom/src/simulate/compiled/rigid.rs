//! What programs call of [`Rigid`]: thin, so that little is compiled with them.

use super::Engines;
use crate::audit::Audit;
use crate::body::Body;
use crate::codec::SnapshotError;
use crate::record::{Collision, Event};
use crate::simulate::exact::{End, RunError};
use crate::simulate::rigid::{Rigid, Settling};
use crate::simulate::state::State;
use crate::world::{BodyId, World, WorldError};
use std::ops::ControlFlow;

impl<S: Engines> Rigid<S> {
    /// Starts a run at time 0. Refused, by name, where bodies overlap, and where the world has something that rigid
    /// bodies cannot meet yet.
    pub fn new(world: World<S>, settling: &Settling) -> Result<Self, Vec<WorldError>> {
        S::rigid_new(world, settling)
    }

    /// Runs until a world time, s.
    pub fn run_to(&mut self, until: f64) -> Result<End, RunError> {
        self.run_until(until, |_| ControlFlow::Continue(()))
    }

    /// Runs until a world time (s), showing each collision to the observer, who may end the run.
    pub fn run(
        &mut self,
        until: f64,
        mut observer: impl FnMut(&Collision<S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        self.run_until(until, |event| match event {
            Event::Collision(collision) => observer(collision),
            _ => ControlFlow::Continue(()),
        })
    }

    /// Runs until a world time (s), telling of everything that happens before it. The listener may end the run; what
    /// happens at one instant is all told before it ends.
    pub fn run_until(
        &mut self,
        until: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        self.run_while(until, |_| true, listener)
    }

    /// The same, and it also ends where a condition no longer holds; that is asked after each event.
    pub fn run_while(
        &mut self,
        until: f64,
        mut condition: impl FnMut(&Self) -> bool,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        S::rigid_run_while(self, until, &mut condition, &mut listener)
    }

    /// Runs until a world time (s) and through everything at that very instant, telling of it.
    pub fn run_through(
        &mut self,
        instant: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        if !(instant >= self.time && instant.is_finite()) {
            let (time, until) = (self.time, instant);
            return Err(RunError::Until { until, time });
        }
        let end = self.run_until(instant.next_up(), listener)?;
        if end == End::Time {
            self.time = instant.max(self.clock);
            self.look_anew();
        }
        Ok(end)
    }

    /// A body as it is now; `None` where there is none of that id.
    pub fn body(&self, id: BodyId) -> Option<Body<S>> {
        S::rigid_body(self, id)
    }

    /// Where a body is now, and how it moves.
    ///
    /// # Panics
    /// Where there is no body of that id.
    pub fn state(&self, id: BodyId) -> State<S> {
        S::rigid_state(self, id)
    }

    /// The budgets as they stand.
    pub fn audit(&self) -> Audit<S> {
        S::rigid_audit(self)
    }

    /// A hash of all collisions so far and of all states now.
    pub fn digest(&self) -> u64 {
        S::rigid_digest(self)
    }

    /// The world as it is now, for a new run to start from: its time 0 is now.
    pub fn to_world(&self) -> World<S> {
        S::rigid_to_world(self)
    }

    /// The run as bytes, in the format of [`snapshot`](crate::snapshot). What [`restore`](Self::restore) makes of them
    /// goes on with the same bits.
    pub fn snapshot(&self) -> Vec<u8> {
        S::rigid_snapshot(self)
    }

    /// A run that goes on from a snapshot.
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        S::rigid_restore(bytes)
    }
}
