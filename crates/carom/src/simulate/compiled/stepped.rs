//! What programs call of [`Stepped`]: thin, so that little is compiled with them.

use super::Engines;
use crate::body::Body;
use crate::codec::SnapshotError;
use crate::simulate::exact::End;
use crate::simulate::state::State;
use crate::simulate::stepped::{
    ForceAudit, Forces, ForcesError, Incident, Stepped, SteppedError, Touch,
};
use crate::world::{BodyId, World};
use std::ops::ControlFlow;

impl<S: Engines> Stepped<S> {
    /// Starts a run at time 0. Everything that forces cannot do is refused by name, with numbers.
    ///
    /// Unlike by impulses, bodies may overlap at the start, by less than the smaller radius.
    pub fn new(world: World<S>, forces: &Forces) -> Result<Self, Vec<ForcesError>> {
        S::stepped_new(world, forces)
    }

    /// Runs until a world time (s), showing each contact that has ended to the observer, which may end the run.
    pub fn run(
        &mut self,
        until: f64,
        mut observer: impl FnMut(&Touch<S>) -> ControlFlow<()>,
    ) -> Result<End, SteppedError> {
        self.run_until(until, |incident| match incident {
            Incident::Ended(touch) => observer(touch),
            _ => ControlFlow::Continue(()),
        })
    }

    /// Runs until a world time, s.
    pub fn run_to(&mut self, until: f64) -> Result<End, SteppedError> {
        self.run_until(until, |_| ControlFlow::Continue(()))
    }

    /// Runs until a world time (s), telling of everything that happens before it. The listener may end the run: the
    /// clock then stands at the incident.
    pub fn run_until(
        &mut self,
        until: f64,
        mut listener: impl FnMut(&Incident<S>) -> ControlFlow<()>,
    ) -> Result<End, SteppedError> {
        S::stepped_run_until(self, until, &mut listener)
    }

    /// Runs until a world time, s, and tells of everything that happens at that very instant, which other runs leave to
    /// the next one. Where the clock is beyond it already (changes within a step take effect at its end), of what has
    /// not been told.
    pub fn run_through(
        &mut self,
        instant: f64,
        mut listener: impl FnMut(&Incident<S>) -> ControlFlow<()>,
    ) -> Result<End, SteppedError> {
        if instant > self.time {
            let end = self.run_until(instant, &mut listener)?;
            if end != End::Time {
                return Ok(end);
            }
        }
        let told = self.tell_pending(instant, &mut listener);
        let told = told.or_else(|| self.tell(instant.next_up(), &mut listener));
        if told.is_some() {
            self.look_between();
        }
        Ok(told.unwrap_or(End::Time))
    }

    /// A body as it is now; `None` where there is none of that id. A static or kinematic one is as it was inserted.
    pub fn body(&self, id: BodyId) -> Option<Body<S>> {
        S::stepped_body(self, id)
    }

    /// Where a body is now, and how it moves.
    ///
    /// # Panics
    /// Where there is no body of that id.
    pub fn state(&self, id: BodyId) -> State<S> {
        S::stepped_state(self, id)
    }

    /// The budgets as they stand.
    pub fn audit(&self) -> ForceAudit<S> {
        S::stepped_audit(self)
    }

    /// A hash of all contacts so far and of all states now.
    pub fn digest(&self) -> u64 {
        S::stepped_digest(self)
    }

    /// The world as it is now, for a new run to start from: its time 0 is now, and prescribed motions go on from where
    /// they are.
    ///
    /// What contacts remember is left behind: springs across the normal start anew.
    pub fn to_world(&self) -> World<S> {
        S::stepped_to_world(self)
    }

    /// The run as bytes, in the format of [`snapshot`](crate::snapshot). What [`restore`](Self::restore) makes of them
    /// goes on with the same bits.
    pub fn snapshot(&self) -> Vec<u8> {
        S::stepped_snapshot(self)
    }

    /// A run from the bytes of [`snapshot`](Self::snapshot). Refused, with the reason, where they are not whole or make
    /// no sense.
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        S::stepped_restore(bytes)
    }
}
