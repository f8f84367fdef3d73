//! How a run ends that cannot go on.

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::simulate::rigid::{Overlap, RigidBodyRef, Rigids};
use crate::space::{Linear, UNIT_ROUNDOFF};
use crate::world::BodyId;

/// How many roundings of the clock two bodies may have been moved by: the instants at which each of them was struck
/// last, and that of their contact, to both sides.
const ROUNDED: f64 = 4.0;

impl<S: Strikable> Exact<S> {
    /// Stops at a collision that has no answer: it is as before that, whatever asks again.
    #[cold]
    pub(super) fn fail(&mut self, error: RunError) -> RunError {
        self.time = self.stage.epoch + self.clock;
        self.failure = Some(error.clone());
        error
    }

    /// The end of a run after something that happened, which is told of first.
    #[cold]
    pub(super) fn fail_after(
        &mut self,
        done: Option<Outcome>,
        error: RunError,
    ) -> Result<Outcome, RunError> {
        match done {
            Some(outcome) => {
                self.fail(error);
                Ok(outcome)
            }
            None => Err(error),
        }
    }

    #[cold]
    pub(super) fn not_finite(&self, id: BodyId) -> RunError {
        RunError::NotFinite {
            time: self.stage.epoch + self.clock,
            body: self.label(id),
        }
    }

    /// Why two overlap by more than is allowed: one is too fast for the clock, or there is no room for them.
    pub(super) fn too_deep(&self, rigids: &Rigids<S>, overlap: &Overlap) -> RunError {
        let (now, time) = (self.clock, self.stage.epoch + self.clock);
        let other = match overlap.other {
            RigidBodyRef::Body(b) => Some(b),
            RigidBodyRef::Fixture(_) => None,
        };
        let speed = |member: u32| {
            let (track, inert) = (
                &rigids.core.moving[member as usize].track,
                &rigids.world.inert[member as usize],
            );
            let spin = track.angular_velocity_at(now).length();
            track.velocity_at(now).length() + spin * inert.reach
        };
        let free = std::iter::once(overlap.a).chain(other);
        let fastest = free.max_by(|&a, &b| speed(a).total_cmp(&speed(b)));
        let fastest = fastest.unwrap_or(overlap.a);
        let (inert, speed) = (&rigids.world.inert[fastest as usize], speed(fastest));
        let way = speed * (UNIT_ROUNDOFF * now);
        if overlap.depth <= ROUNDED * way {
            return RunError::TooFast {
                time,
                body: self.label(inert.id),
                speed,
                way,
                radius: inert.reach,
            };
        }
        let against =
            (overlap.against).map(|index| rigids.world.id_of(RigidBodyRef::Fixture(index)));
        let sides = std::iter::once(rigids.world.id_of(overlap.other)).chain(against);
        RunError::Squeezed {
            time,
            a: self.label(rigids.world.inert[overlap.a as usize].id),
            b: self.label(rigids.world.id_of(overlap.other)),
            against: against.map(|id| self.label(id)),
            depth: overlap.depth,
            allowed: overlap.allowed,
            drives: self.driven(sides),
        }
    }
}
