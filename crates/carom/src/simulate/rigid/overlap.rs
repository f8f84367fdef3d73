//! How deep bodies overlap: always told, and never beyond a bound.
//!
//! Bodies in flight overlap by what rounding makes of instants. Those that keep touching may be pressed into each other
//! by the finite length of steps and by what a solver leaves. How deep, is looked at with the geometry of contacts: of
//! all pairs of an island at the end of each of its steps, of a body with all around it whenever it is planned, and of
//! all where it is asked for.
//!
//! A body that cannot get away, because fixtures close in on it, would be pressed through one of them. So a run in
//! which a body and a fixture overlap by more than [`MOST`] of the body fails, and says which they are; one in which
//! two free bodies overlap by more than [`MOST_OF_TWO`] of the smaller one does, too.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::geometry::touching;
use super::island::{Neighbours, Spot};
use crate::shape::Shaped;

/// The deepest overlap of a body and a fixture with which a run goes on, in reaches of the body. Boxes that a stirrer
/// wedges against the floor come to a tenth.
pub(in crate::simulate) const MOST: f64 = 0.2;

/// The same for two free bodies: steps press boxes in heaps into each other by a tenth of their reach, and that is told
/// (`deepest_overlap`); beyond this one is about to pass through the other.
pub(in crate::simulate) const MOST_OF_TWO: f64 = 0.5;

/// The deepest overlap that bodies which keep touching are left with after a step, as a share of the depth at which
/// another face is the nearest, in the thinner one: where they would be deeper they are moved apart, and where there is
/// no way out a run fails before they are.
pub(in crate::simulate) const ALLOWED: f64 = 1e-6;

/// Two bodies that overlap.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Overlap {
    pub a: u32,
    pub other: RigidBodyRef,
    /// m.
    pub depth: f64,
    /// What is allowed of these two, m.
    pub allowed: f64,
    /// Where it is squeezed: the fixture on the other side of it.
    pub against: Option<u32>,
}

impl Overlap {
    /// Of a pair with its points, where they overlap at all.
    fn of<S: Shaped>(
        (a, other): (u32, RigidBodyRef),
        spots: &[Spot<S>],
        allowed: f64,
    ) -> Option<Self> {
        let depth = spots.iter().map(|spot| -spot.gap).fold(0.0, f64::max);
        (depth > 0.0).then_some(Overlap {
            a,
            other,
            depth,
            allowed,
            against: None,
        })
    }

    /// What a pair may be left with after a step, m.
    pub fn allowed<S: Shaped>(stage: &RigidWorld<S>, (a, other): (u32, RigidBodyRef)) -> f64 {
        let its = match other {
            RigidBodyRef::Body(b) => stage.inert[b as usize].depth,
            RigidBodyRef::Fixture(index) => stage.props[index as usize].depth,
        };
        ALLOWED * stage.inert[a as usize].depth.min(its)
    }

    /// A share of the reach of the smaller of two, m.
    fn share_of_reach<S: Shaped>(
        stage: &RigidWorld<S>,
        (a, other): (u32, RigidBodyRef),
        share: f64,
    ) -> f64 {
        let reach = stage.inert[a as usize].reach;
        match other {
            RigidBodyRef::Body(b) => share * reach.min(stage.inert[b as usize].reach),
            RigidBodyRef::Fixture(_) => share * reach,
        }
    }

    /// With how much a run goes on at all, m.
    fn at_all<S: Shaped>(stage: &RigidWorld<S>, pair: (u32, RigidBodyRef)) -> f64 {
        let share = match pair.1 {
            // Where nothing keeps touching there are no steps that could leave anything.
            RigidBodyRef::Fixture(_) if stage.slow == 0.0 => ALLOWED,
            RigidBodyRef::Body(_) => MOST_OF_TWO,
            RigidBodyRef::Fixture(_) => MOST,
        };
        Self::share_of_reach(stage, pair, share)
    }

    /// Keeps the one that is deeper for what is allowed.
    pub fn keep(kept: &mut Option<Self>, found: Option<Self>) {
        let share = |it: &Overlap| it.depth / it.allowed;
        if let Some(found) = found
            && kept.as_ref().is_none_or(|kept| share(&found) > share(kept))
        {
            *kept = Some(found);
        }
    }

    /// The same with the points of a pair.
    pub fn note<S: Shaped>(
        kept: &mut Option<Self>,
        stage: &RigidWorld<S>,
        pair: (u32, RigidBodyRef),
        spots: &[Spot<S>],
    ) {
        let allowed = Self::allowed(stage, pair);
        Self::keep(kept, Self::of(pair, spots, allowed));
    }
}

impl<S: Shaped> Core<S> {
    /// Enters an overlap into the budget; one beyond the bound is kept for the run.
    pub fn found_overlap(&mut self, stage: &RigidWorld<S>, found: Option<Overlap>) {
        if let Some(found) = found {
            self.ledger.gap(-found.depth);
            if found.depth > Overlap::at_all(stage, (found.a, found.other)) {
                Overlap::keep(&mut self.squeezed, Some(found));
            }
        }
    }

    /// How deep a pair overlaps at a time.
    pub fn overlap_of(
        &self,
        stage: &RigidWorld<S>,
        a: u32,
        other: RigidBodyRef,
        t: f64,
    ) -> Option<Overlap> {
        let near = stage.meet(a, other) && self.may_touch(stage, a, other, 0.0, t);
        let spots = if near {
            touching(self, stage, a, other, 0.0, t)
        } else {
            return None;
        };
        Overlap::of((a, other), &spots, Overlap::at_all(stage, (a, other)))
    }

    /// The deepest overlap of a body with one around it that it does not keep touching, for what is allowed.
    pub fn overlap_around(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        a: u32,
        t: f64,
    ) -> Option<Overlap> {
        let mut deepest = None;
        near.around::<S>(a, |other| {
            if !self.moving[a as usize].partners.contains(&other) && !self.in_one_crowd(a, other) {
                Overlap::keep(&mut deepest, self.overlap_of(stage, a, other, t));
            }
        });
        deepest
    }

    /// The deepest overlap of any two at a time, m.
    pub fn deepest_overlap(&self, stage: &RigidWorld<S>, near: &impl Neighbours, t: f64) -> f64 {
        let mut deepest = 0.0;
        for a in (0..self.moving.len() as u32).filter(|&a| !stage.inert[a as usize].gone) {
            near.around::<S>(a, |other| {
                if matches!(other, RigidBodyRef::Body(b) if b < a) {
                    return;
                }
                if let Some(found) = self.overlap_of(stage, a, other, t) {
                    deepest = f64::max(deepest, found.depth);
                }
            });
        }
        deepest
    }
}
