//! A run at the end of a step, by the one loop or the other.

use super::books::{Accounts, Standing};
use super::pack::{Pack, holdings};
use super::rates::{self, Motion};
use super::solids::Yard;
use super::stage::{ForcePartner, ForceStage};
use super::state::{Core, Ledger};
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

/// Sensors do not notice solids that turn.
static NOBODY: BTreeSet<(u32, u32)> = BTreeSet::new();

/// Who goes over the contacts.
#[derive(Clone, Debug)]
pub(super) enum Now<S: Shaped> {
    /// One after the other: every scheme, everything.
    Each(Box<Core<S>>),
    /// Four at once, on all cores.
    Crowd(Box<Pack<S>>),
    /// Where solids turn.
    Solids(Box<Yard<S>>),
}

impl<S: Strikable> Now<S> {
    pub fn time(&self) -> f64 {
        match self {
            Now::Each(core) => core.time,
            Now::Crowd(pack) => pack.time(),
            Now::Solids(yard) => yard.time,
        }
    }

    pub fn steps(&self) -> u64 {
        match self {
            Now::Each(core) => core.steps,
            Now::Crowd(pack) => pack.steps,
            Now::Solids(yard) => yard.steps,
        }
    }

    /// When the next step ends, s.
    pub fn next_end(&self, stage: &ForceStage<S>) -> f64 {
        match self {
            Now::Each(core) => core.next_end(stage),
            Now::Crowd(pack) => pack.crowd.next_end(),
            Now::Solids(yard) => yard.next_end(stage),
        }
    }

    /// When so many more steps end, s.
    pub fn end_after(&self, stage: &ForceStage<S>, more: u64) -> f64 {
        match self {
            Now::Each(core) => core.origin + (core.since + more) as f64 * stage.step,
            Now::Crowd(pack) => pack.crowd.end_after(more),
            Now::Solids(yard) => yard.origin + (yard.since + more) as f64 * stage.step,
        }
    }

    /// After how many steps a copy is worth keeping, to go back to.
    pub fn pace(&self) -> u64 {
        match self {
            Now::Each(_) => 1,
            Now::Crowd(_) => 100,
            Now::Solids(_) => 1,
        }
    }

    pub fn step(&mut self, stage: &ForceStage<S>) -> Result<(), SteppedError> {
        match self {
            Now::Each(core) => core.step(stage),
            Now::Crowd(pack) => pack.step(stage),
            Now::Solids(yard) => yard.step(stage),
        }
    }

    /// Within a step, at a world time (s).
    pub fn peek(&self, stage: &ForceStage<S>, until: f64) -> Option<Self> {
        Some(match self {
            Now::Each(core) => Now::Each(Box::new(core.peek(stage, until)?)),
            Now::Crowd(pack) => Now::Crowd(Box::new(pack.peek(stage, until)?)),
            Now::Solids(yard) => Now::Solids(Box::new(yard.peek(stage, until)?)),
        })
    }

    pub fn incidents(&self) -> &[Incident<S>] {
        match self {
            Now::Each(core) => &core.incidents,
            Now::Crowd(pack) => &pack.incidents,
            Now::Solids(yard) => &yard.incidents,
        }
    }

    pub fn touches(&self) -> u64 {
        match self {
            Now::Each(core) => core.touches,
            Now::Crowd(pack) => pack.touches,
            Now::Solids(yard) => yard.touches,
        }
    }

    pub fn inside(&self) -> &BTreeSet<(u32, u32)> {
        match self {
            Now::Each(core) => &core.inside,
            Now::Crowd(pack) => &pack.inside,
            Now::Solids(_) => &NOBODY,
        }
    }

    pub fn digest(&self) -> Digest {
        match self {
            Now::Each(core) => core.digest,
            Now::Crowd(pack) => pack.digest,
            Now::Solids(yard) => yard.digest,
        }
    }

    pub fn digest_mut(&mut self) -> &mut Digest {
        match self {
            Now::Each(core) => &mut core.digest,
            Now::Crowd(pack) => &mut pack.digest,
            Now::Solids(yard) => &mut yard.digest,
        }
    }

    fn ledger(&self) -> &Ledger<S> {
        match self {
            Now::Each(core) => &core.ledger,
            Now::Crowd(pack) => &pack.ledger,
            Now::Solids(yard) => &yard.ledger,
        }
    }

    /// A ball in the periodic box.
    pub fn motion(&self, stage: &ForceStage<S>, slot: usize) -> Motion<S> {
        match self {
            Now::Each(core) => core.moving.of(slot as u32),
            Now::Crowd(pack) => {
                let motion = pack.motion(slot);
                Motion {
                    place: home::<S>(motion.place, stage.periods),
                    ..motion
                }
            }
            Now::Solids(yard) => match &stage.cast {
                Some(cast) => yard.motion(cast, slot),
                None => Motion {
                    place: S::Vector::ZERO,
                    velocity: S::Vector::ZERO,
                    spin: S::Spin::ZERO,
                },
            },
        }
    }

    /// Where a ball would be had it not been brought back into the periodic box, m.
    pub fn unwrapped(&self, stage: &ForceStage<S>, slot: usize) -> S::Vector {
        match self {
            Now::Each(core) => core.unwrapped(stage, slot),
            Now::Crowd(pack) => pack.motion(slot).place,
            Now::Solids(yard) => yard.frame.pose[slot].position,
        }
    }

    /// How a body is turned, that was turned so at the start.
    pub fn rotation(&self, slot: usize, start: S::Rotation) -> S::Rotation {
        let turned = match self {
            Now::Each(core) => core.rotation[slot],
            Now::Crowd(pack) => pack.rotation(slot),
            Now::Solids(yard) => return yard.frame.pose[slot].rotation,
        };
        turned.map_or(start, |turned| S::compose(turned, start))
    }

    /// Who touches whom, and how deep (m).
    pub fn touching(&self, stage: &ForceStage<S>) -> Vec<(u32, ForcePartner, f64)> {
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
            Now::Crowd(pack) => pack.touching(stage),
            Now::Solids(yard) => yard.touching(stage),
        }
    }

    pub fn holdings(&self, stage: &ForceStage<S>) -> Holdings<S> {
        match self {
            Now::Each(core) => core.holdings(stage),
            Now::Crowd(pack) => holdings(stage, |slot| pack.motion(slot)),
            Now::Solids(yard) => yard.holdings(stage),
        }
    }

    pub fn stored(&self, stage: &ForceStage<S>) -> Stored {
        match self {
            Now::Each(core) => core.stored(stage),
            Now::Crowd(pack) => pack.stored(),
            Now::Solids(yard) => yard.stored(stage),
        }
    }

    /// The books, given what there was at the start.
    pub fn balance(
        &self,
        stage: &ForceStage<S>,
        initial: (&Holdings<S>, f64),
        accounts: &Accounts<S>,
    ) -> ForceAudit<S> {
        let (deepest, touching) = match self {
            Now::Each(core) => {
                let links = core.links.list.iter();
                let touching = links.filter(|link| link.touch.is_some()).count();
                (core.deepest, touching)
            }
            Now::Crowd(pack) => (pack.deepest, pack.begun.len()),
            Now::Solids(yard) => (yard.deepest, yard.number_touching()),
        };
        Standing {
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
