//! A run at the end of a step, by the one loop or the other.

use super::bodies::{ForceBodies, ForceBodyRef};
use super::budget::{Accounts, BudgetParts};
use super::rates::{self, BallMotion};
use super::recorded_granular::{RecordedGranular, holdings};
use super::rigid::RigidStepper;
use super::state::{BallStepper, FlowLedger};
use super::touch::Incident;
use super::{ForceAudit, Stored};
use crate::audit::Holdings;
use crate::broad::home;
use crate::impact::Strikable;
use crate::record::Digest;
use crate::shape::Shaped;
use crate::simulate::refuse::SteppedError;
use crate::space::Linear;
use std::collections::BTreeSet;

/// Which engine goes over the contacts.
#[derive(Clone, Debug)]
pub(super) enum Now<S: Shaped> {
    /// One after the other: every scheme, everything.
    Each(Box<BallStepper<S>>),
    /// Four at once, on all cores.
    Granular(Box<RecordedGranular<S>>),
    /// Where solids turn.
    Solids(Box<RigidStepper<S>>),
}

impl<S: Strikable> Now<S> {
    pub fn time(&self) -> f64 {
        match self {
            Now::Each(core) => core.time,
            Now::Granular(pack) => pack.time(),
            Now::Solids(yard) => yard.time,
        }
    }

    pub fn steps(&self) -> u64 {
        match self {
            Now::Each(core) => core.steps,
            Now::Granular(pack) => pack.steps,
            Now::Solids(yard) => yard.steps,
        }
    }

    /// When the next step ends, s.
    pub fn next_end(&self, stage: &ForceBodies<S>) -> f64 {
        match self {
            Now::Each(core) => core.next_end(stage),
            Now::Granular(pack) => pack.crowd.next_end(),
            Now::Solids(yard) => yard.next_end(stage),
        }
    }

    /// When so many more steps end, s.
    pub fn end_after(&self, stage: &ForceBodies<S>, more: u64) -> f64 {
        match self {
            Now::Each(core) => core.origin + (core.since + more) as f64 * stage.step,
            Now::Granular(pack) => pack.crowd.end_after(more),
            Now::Solids(yard) => yard.origin + (yard.since + more) as f64 * stage.step,
        }
    }

    /// After how many steps a copy is worth keeping, to go back to.
    pub fn watchdog(&self) -> u64 {
        match self {
            Now::Each(_) => 1,
            Now::Granular(_) => 100,
            Now::Solids(_) => 1,
        }
    }

    pub fn step(&mut self, stage: &ForceBodies<S>) -> Result<(), SteppedError> {
        match self {
            Now::Each(core) => core.step(stage),
            Now::Granular(pack) => pack.step(stage),
            Now::Solids(yard) => yard.step(stage),
        }
    }

    /// Within a step, at a world time (s).
    pub fn peek(&self, stage: &ForceBodies<S>, until: f64) -> Option<Self> {
        Some(match self {
            Now::Each(core) => Now::Each(Box::new(core.peek(stage, until)?)),
            Now::Granular(pack) => Now::Granular(Box::new(pack.peek(stage, until)?)),
            Now::Solids(yard) => Now::Solids(Box::new(yard.peek(stage, until)?)),
        })
    }

    pub fn incidents(&self) -> &[Incident<S>] {
        match self {
            Now::Each(core) => &core.incidents,
            Now::Granular(pack) => &pack.incidents,
            Now::Solids(yard) => &yard.incidents,
        }
    }

    pub fn touches(&self) -> u64 {
        match self {
            Now::Each(core) => core.touches,
            Now::Granular(pack) => pack.touches,
            Now::Solids(yard) => yard.touches,
        }
    }

    pub fn inside(&self) -> &BTreeSet<(u32, u32)> {
        match self {
            Now::Each(core) => &core.inside,
            Now::Granular(pack) => &pack.inside,
            Now::Solids(yard) => &yard.inside,
        }
    }

    pub fn digest(&self) -> Digest {
        match self {
            Now::Each(core) => core.digest,
            Now::Granular(pack) => pack.digest,
            Now::Solids(yard) => yard.digest,
        }
    }

    pub fn digest_mut(&mut self) -> &mut Digest {
        match self {
            Now::Each(core) => &mut core.digest,
            Now::Granular(pack) => &mut pack.digest,
            Now::Solids(yard) => &mut yard.digest,
        }
    }

    fn ledger(&self) -> &FlowLedger<S> {
        match self {
            Now::Each(core) => &core.ledger,
            Now::Granular(pack) => &pack.ledger,
            Now::Solids(yard) => &yard.ledger,
        }
    }

    /// A ball in the periodic box.
    pub fn motion(&self, stage: &ForceBodies<S>, slot: usize) -> BallMotion<S> {
        match self {
            Now::Each(core) => core.moving.of(slot as u32),
            Now::Granular(pack) => {
                let motion = pack.motion(slot);
                BallMotion {
                    place: home::<S>(motion.place, stage.periods),
                    ..motion
                }
            }
            Now::Solids(yard) => match &stage.cast {
                Some(cast) => yard.motion(cast, slot),
                None => BallMotion {
                    place: S::Vector::ZERO,
                    velocity: S::Vector::ZERO,
                    angular_velocity: S::Angular::ZERO,
                },
            },
        }
    }

    /// Where a ball would be had it not been brought back into the periodic box, m.
    pub fn unwrapped(&self, stage: &ForceBodies<S>, slot: usize) -> S::Vector {
        match self {
            Now::Each(core) => core.unwrapped(stage, slot),
            Now::Granular(pack) => pack.motion(slot).place,
            Now::Solids(yard) => yard.frame.pose[slot].position,
        }
    }

    /// How a body is turned, that was turned so at the start.
    pub fn rotation(&self, slot: usize, start: S::Rotation) -> S::Rotation {
        let turned = match self {
            Now::Each(core) => core.rotation[slot],
            Now::Granular(pack) => pack.rotation(slot),
            Now::Solids(yard) => return yard.frame.pose[slot].rotation,
        };
        turned.map_or(start, |turned| S::compose(turned, start))
    }

    /// Which bodies touch each other, and how deep (m).
    pub fn touching(&self, stage: &ForceBodies<S>) -> Vec<(u32, ForceBodyRef, f64)> {
        match self {
            Now::Each(core) => {
                let links = core.links.list.iter();
                (links.filter(|link| link.touch.is_some()))
                    .map(|link| {
                        let look = rates::look(stage, link, &core.moving, core.time);
                        (link.a, link.other, look.overlap)
                    })
                    .collect()
            }
            Now::Granular(pack) => pack.touching(stage),
            Now::Solids(yard) => yard.touching(stage),
        }
    }

    pub fn holdings(&self, stage: &ForceBodies<S>) -> Holdings<S> {
        match self {
            Now::Each(core) => core.holdings(stage),
            Now::Granular(pack) => holdings(stage, |slot| pack.motion(slot)),
            Now::Solids(yard) => yard.holdings(stage),
        }
    }

    pub fn stored(&self, stage: &ForceBodies<S>) -> Stored {
        match self {
            Now::Each(core) => core.stored(stage),
            Now::Granular(pack) => pack.stored(),
            Now::Solids(yard) => yard.stored(stage),
        }
    }

    /// The budgets, given what there was at the start.
    pub fn balance(
        &self,
        stage: &ForceBodies<S>,
        initial: (&Holdings<S>, f64),
        accounts: &Accounts<S>,
    ) -> ForceAudit<S> {
        let (deepest, touching) = match self {
            Now::Each(core) => {
                let links = core.links.list.iter();
                let touching = links.filter(|link| link.touch.is_some()).count();
                (core.deepest, touching)
            }
            Now::Granular(pack) => (pack.deepest, pack.begun.len()),
            Now::Solids(yard) => (yard.deepest, yard.number_touching()),
        };
        BudgetParts {
            now: self.holdings(stage),
            stored: self.stored(stage),
            ledger: self.ledger(),
            time: self.time(),
            deepest,
            touches: self.touches(),
            touching,
        }
        .balance(stage, initial, accounts)
    }
}
