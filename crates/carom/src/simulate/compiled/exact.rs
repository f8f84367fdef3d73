//! What programs call of [`Exact`]: thin, so that little is compiled with them.

use super::Engines;
use crate::audit::Audit;
use crate::codec::SnapshotError;
use crate::record::{Collision, Event};
use crate::simulate::bodies::NOWHERE;
use crate::simulate::exact::{End, Exact, RunError};
use crate::simulate::rigid::Settling;
use crate::simulate::state::State;
use crate::world::{BodyId, World, WorldError};
use std::ops::ControlFlow;

impl<S: Engines> Exact<S> {
    /// Starts a run at time 0. Refused where bodies overlap by more than rounding explains, or do not fit the periodic
    /// box.
    pub fn new(world: World<S>) -> Result<Self, Vec<WorldError>> {
        S::exact_new(world, &Settling::default(), false)
    }

    /// The same, with other ways to follow rigid bodies that keep touching.
    pub fn with(world: World<S>, settling: &Settling) -> Result<Self, Vec<WorldError>> {
        S::exact_new(world, settling, false)
    }

    /// Starts a run that looks at all pairs of bodies, also where balls rest or fields act: slow, and the same to the
    /// last bit. For tests.
    pub fn reference(world: World<S>) -> Result<Self, Vec<WorldError>> {
        S::exact_new(world, &Settling::default(), true)
    }

    /// Runs until a world time (s), showing each collision to the observer, which may end the run. Collisions that were
    /// answered together are all shown before it ends.
    pub fn run(
        &mut self,
        until: f64,
        mut observer: impl FnMut(&Collision<S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        self.go(until, |_, event| match event {
            Event::Collision(collision) => match observer(collision) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(End::Observer),
            },
            _ => ControlFlow::Continue(()),
        })
    }

    /// Runs until a world time, s, and through everything that happens at that very instant, which other runs leave to
    /// the next one. The listener may end the run.
    pub fn run_through(
        &mut self,
        instant: f64,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, RunError> {
        let end = instant.next_up();
        if !(end >= self.time && instant.is_finite()) {
            let time = self.time;
            return Err(RunError::Until {
                until: instant,
                time,
            });
        }
        let end = self.go(end, |_, event| match listener(&event) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(End::Observer),
        })?;
        if end == End::Time {
            // The last event can be shown at the next number where the clock has been set back, and time does not go
            // backwards.
            self.time = instant.max(self.stage.epoch + self.clock);
            self.look_anew();
        }
        Ok(end)
    }

    /// Runs [the loop](Self::go_generic).
    pub(in crate::simulate) fn go(
        &mut self,
        until: f64,
        mut tell: impl FnMut(&Self, Event<'_, S>) -> ControlFlow<End>,
    ) -> Result<End, RunError> {
        S::exact_go(self, until, &mut tell)
    }

    /// Runs until a world time, s.
    pub fn run_to(&mut self, until: f64) -> Result<End, RunError> {
        self.run(until, |_| ControlFlow::Continue(()))
    }

    /// The world as it is now, for a new run to start from: its time 0 is now, and prescribed motions go on from where
    /// they are.
    ///
    /// The bodies are those of [`bodies`](Self::bodies), in that order, numbered anew: where one has been removed,
    /// those after it have lower numbers there. Places are those in the periodic box. Contacts that last are cut short:
    /// their bodies have the velocities that they would leave with now.
    pub fn to_world(&self) -> World<S> {
        S::exact_to_world(self)
    }

    /// Where a body is now, and how it moves.
    ///
    /// # Panics
    /// Where there is no body of that id.
    pub fn state(&self, id: BodyId) -> State<S> {
        S::exact_state(self, id)
    }

    /// Where a body would be now had it not been brought back into the periodic box, m.
    pub fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        let position = self.state(id).position;
        match self.stage.slots[id.0 as usize] {
            NOWHERE => position,
            slot => (self.stage.balls).unwrapped(slot as usize, position, self.local_time()),
        }
    }

    /// The budgets as they stand.
    pub fn audit(&self) -> Audit<S> {
        S::exact_audit(self)
    }

    /// A hash of all collisions so far and of all states now.
    pub fn digest(&self) -> u64 {
        S::exact_digest(self)
    }

    /// The run as bytes, in the format of [`snapshot`](crate::snapshot). What [`restore`](Self::restore) makes of them
    /// goes on with the same bits.
    pub fn snapshot(&self) -> Vec<u8> {
        S::exact_snapshot(self)
    }

    /// A run from the bytes of [`snapshot`](Self::snapshot). Refused, with the reason, where they are not whole or make
    /// no sense.
    pub fn restore(bytes: &[u8]) -> Result<Self, SnapshotError> {
        S::exact_restore(bytes)
    }
}
