//! Slots as the passes over them are given them, and what is said of them.

use super::lanes::Four;
use super::law::FourContacts;
use super::log::Log;
use super::slots::{Actions, Slot};
use crate::vectors::Vectors;

/// Slots side by side, with what acts at them and their logs where these are kept.
pub(super) struct Batch<'a> {
    pub slots: &'a mut [Slot],
    pub actions: &'a mut [Actions],
    pub logs: &'a mut [Log],
    /// Which number the first slot has among all.
    pub first: usize,
}

impl Batch<'_> {
    /// The same, lent on.
    pub fn again(&mut self) -> Batch<'_> {
        Batch {
            slots: self.slots,
            actions: self.actions,
            logs: self.logs,
            first: self.first,
        }
    }
}

/// One slot, with what acts at it.
pub(super) struct ActingSlot<'a> {
    pub slot: &'a mut Slot,
    pub actions: &'a mut Actions,
}

/// How four contacts stand, and by how much the arms of friction are shorter than the radii where it acts at one
/// point, m.
#[derive(Clone, Copy)]
pub(super) struct WithArms<V: Vectors> {
    pub meet: FourContacts<V>,
    pub cut: Four<V>,
}

/// What is said of a slot: which it is, what it is about, which lanes touched before, and which are too deep.
pub(super) struct Said<'a> {
    pub slot: &'a Slot,
    /// Which ball is its number 0.
    pub base: u32,
    pub index: usize,
    pub kind: SlotKind,
    pub before: u8,
    pub too_deep: u8,
}

/// Slots of pairs come first, then those of walls, then those of shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Regions {
    pub pairs: usize,
    pub walls: usize,
}

/// What the second of two in a contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    Pairs,
    Walls,
    Shapes,
}
