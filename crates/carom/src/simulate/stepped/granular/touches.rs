//! Contacts that begin and end.

use super::Granular;
use super::batch::{Said, SlotKind};
use crate::shape::Shaped;

/// A contact that began or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GranularTouch {
    /// At the end of the step in which it did, s.
    pub time: f64,
    /// The ball, by the order given; of two the earlier one.
    pub ball: u32,
    /// The other one.
    pub with: Partner,
    /// Whether it began.
    pub began: bool,
}

/// The other one of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// A ball, by the order given.
    Ball(u32),
    /// A fixture, by the order given.
    Fixture(u32),
}

/// Where something happened to a contact at the last look.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct ContactSpot {
    /// As in a [`GranularTouch`].
    pub ball: u32,
    pub with: Partner,
    /// Whether it began or ended.
    pub change: Option<bool>,
    /// Whether the ball is too deep in the other.
    pub too_deep: bool,
    pub slot: u32,
    pub lane: u8,
}

impl<S: Shaped> Granular<S> {
    /// Keeps which contacts of a slot have begun or ended.
    pub(super) fn tell(&self, said: &Said<'_>, touches: &mut Vec<GranularTouch>) {
        let Said { slot, before, .. } = *said;
        for lane in (0..4).filter(|lane| (slot.touching ^ before) >> lane & 1 == 1) {
            let (ball, with) = self.named(said, lane);
            touches.push(GranularTouch {
                time: self.time(),
                ball,
                with,
                began: slot.touching >> lane & 1 == 1,
            });
        }
    }

    /// Which balls are in a lane, by the orders given.
    fn named(&self, said: &Said<'_>, lane: usize) -> (u32, Partner) {
        let (a, b) = (said.slot.a[lane] as usize, said.slot.b[lane] as usize);
        let first = said.base as usize;
        let a = self.movers.id[first + a];
        match said.kind {
            SlotKind::Pairs => {
                let b = self.movers.id[first + b];
                (a.min(b), Partner::Ball(a.max(b)))
            }
            SlotKind::Walls | SlotKind::Shapes => (a, Partner::Fixture(self.given[b])),
        }
    }

    /// Keeps where contacts have begun or ended, or are too deep.
    pub(super) fn spot(&self, said: &Said<'_>, spots: &mut Vec<ContactSpot>) {
        let changed = said.slot.touching ^ said.before;
        for lane in (0..4).filter(|lane| (changed | said.too_deep) >> lane & 1 == 1) {
            let (ball, with) = self.named(said, lane);
            spots.push(ContactSpot {
                ball,
                with,
                change: (changed >> lane & 1 == 1).then_some(said.slot.touching >> lane & 1 == 1),
                too_deep: said.too_deep >> lane & 1 == 1,
                slot: said.index as u32,
                lane: lane as u8,
            });
        }
    }

    /// The contacts that have begun or ended since the last time, in order of time, then of balls. None unless the
    /// settings ask for them.
    pub fn take_touches(&mut self) -> Vec<GranularTouch> {
        std::mem::take(&mut self.touches)
    }
}
