//! Contacts that begin and end.

use super::Crowd;
use super::forces::Kind;
use super::slots::Slot;
use crate::space::Space;

/// A contact that began or ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// At the end of the step in which it did, s.
    pub time: f64,
    /// The ball, by the order given; of two the earlier one.
    pub ball: u32,
    /// With whom.
    pub with: Partner,
    /// Whether it began.
    pub began: bool,
}

/// The other one of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// A ball, by the order given.
    Ball(u32),
    /// A prop, by the order given.
    Prop(u32),
}

impl<S: Space> Crowd<S> {
    /// Keeps which contacts of a slot have begun or ended; `before` says which lanes touched.
    pub(super) fn tell(&self, slot: &Slot, kind: Kind, before: u8, touches: &mut Vec<Touch>) {
        for lane in (0..4).filter(|lane| (slot.touching ^ before) >> lane & 1 == 1) {
            let a = self.movers.id[slot.a[lane] as usize];
            let (ball, with) = match kind {
                Kind::Pairs => {
                    let b = self.movers.id[slot.b[lane] as usize];
                    (a.min(b), Partner::Ball(a.max(b)))
                }
                Kind::Walls | Kind::Shapes => (a, Partner::Prop(self.given[slot.b[lane] as usize])),
            };
            touches.push(Touch {
                time: self.time(),
                ball,
                with,
                began: slot.touching >> lane & 1 == 1,
            });
        }
    }

    /// The contacts that have begun or ended since the last time, in order of time, then of balls. None unless the settings ask for them.
    pub fn take_touches(&mut self) -> Vec<Touch> {
        std::mem::take(&mut self.touches)
    }
}
