//! Drives that stall: what is squeezed and cannot get away stops what presses on it, where that is wished for.

use super::{End, Exact, RunError, Tell};
use crate::body::Kind;
use crate::impact::Strikable;
use crate::record::Change;
use crate::world::BodyId;

impl<S: Strikable> Exact<S> {
    /// Runs until a world time. A drive that would squeeze a body stands still from then on, where drives
    /// [stall](crate::simulate::Settling::stalls), and the run goes on: at most once for each, as what stands still
    /// presses on nothing.
    pub(in crate::simulate) fn go_generic(
        &mut self,
        until: f64,
        tell: Tell<'_, S>,
    ) -> Result<End, RunError> {
        loop {
            let ended = self.go_unless_squeezed(until, tell);
            match &ended {
                Err(RunError::Squeezed {
                    against: Some(_),
                    drives,
                    ..
                }) if self.settling.stalls && !drives.is_empty() && self.stall(drives) => (),
                _ => return ended,
            }
        }
    }

    /// Stops drives where they are; whether they could be.
    ///
    /// Bodies that move alike to the bit, such as the walls of a container that moves, are on one drive: a room does
    /// not fall apart.
    #[cold]
    fn stall(&mut self, drives: &[BodyId]) -> bool {
        let kind = |id: BodyId| self.registry.fixture(id).map(|body| &body.kind);
        let pressing: Vec<&Kind<S>> = drives.iter().filter_map(|&id| kind(id)).collect();
        let all = self.registry.all_fixtures();
        let alike = all.filter(|(_, body)| pressing.contains(&&body.kind));
        let drives: Vec<BodyId> = alike.map(|(id, _)| id).collect();
        // Nothing overlaps yet: what was squeezed can go on.
        let failure = self.failure.take();
        let stopped = drives
            .into_iter()
            .all(|id| self.stop_drive(id, Change::Stalled(id)).is_ok());
        if !stopped {
            self.failure = failure;
        }
        stopped
    }

    /// Those whose motion is given.
    pub(super) fn driven(&self, ids: impl IntoIterator<Item = BodyId>) -> Vec<BodyId> {
        let is_driven = |id: &BodyId| {
            let body = self.registry.fixture(*id);
            body.is_some_and(|body| matches!(body.kind, Kind::Kinematic(_)))
        };
        ids.into_iter().filter(is_driven).collect()
    }
}
