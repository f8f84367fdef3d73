//! Was it right? The books of a run.
//!
//! Energy and momentum change only where the books say so: collisions take energy out (or put it in, for ε > 1), prescribed
//! bodies do work, walls and gravity change the momentum. What remains when all of that is accounted for is
//! the imbalance: zero to rounding, in every run.

use crate::contact::Contact;
use crate::response::Response;
use crate::roots::Dd;
use crate::space::Space;

/// Energy by kind, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of the centres of mass.
    pub kinetic: f64,
    /// Of the spins.
    pub rotational: f64,
    /// In uniform gravity, counted from the origin.
    pub potential: f64,
}

impl Energy {
    /// The sum of all kinds, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.rotational + self.potential
    }
}

/// The books as they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Audit<S: Space> {
    /// Energy at the start, J.
    pub initial: Energy,
    /// Energy now, J.
    pub now: Energy,
    /// Taken out by collisions since the start (negative: put in), J.
    pub lost_in_collisions: f64,
    /// Done on the free bodies by prescribed ones, J.
    pub work_by_driven: f64,
    /// Brought in from outside by edits since the start: bodies inserted and removed, velocities and gravity set (negative: taken out), J.
    pub given: f64,
    /// `now − (initial − lost + work + given)`, J: zero to rounding.
    pub energy_imbalance: f64,
    /// Momentum of the free bodies at the start, kg·m/s.
    pub momentum_initial: S::Vector,
    /// Momentum of the free bodies now, kg·m/s.
    pub momentum: S::Vector,
    /// Given to the free bodies by fixed and prescribed ones, kg·m/s.
    pub momentum_from_scenery: S::Vector,
    /// Given to the free bodies by gravity, kg·m/s.
    pub momentum_from_gravity: S::Vector,
    /// Brought in from outside by edits, kg·m/s.
    pub momentum_given: S::Vector,
    /// `now − (initial + scenery + gravity + given)`, kg·m/s: zero to rounding.
    pub momentum_imbalance: S::Vector,
    /// The deepest overlap at any collision, m: what rounding of times and places makes.
    pub deepest_overlap: f64,
}

/// The running part of the books.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger {
    lost: Dd,
    work_by_driven: Dd,
    from_scenery: [Dd; 3],
    from_gravity: [Dd; 3],
    given: Dd,
    momentum_given: [Dd; 3],
    deepest_overlap: f64,
}

impl Ledger {
    /// Enters a collision. `free_b` says whether the other body is free too.
    pub fn enter<S: Space>(
        &mut self,
        contact: &Contact<S>,
        response: &Response<S>,
        free_b: bool,
        gap: f64,
        energy_lost: f64,
    ) {
        self.lost = self.lost + Dd::from(energy_lost);
        if !free_b {
            self.work_by_driven = self.work_by_driven - Dd::from(contact.work_on_b(response));
            for (sum, part) in self
                .from_scenery
                .iter_mut()
                .zip(S::components(response.impulse))
            {
                *sum = *sum + Dd::from(part);
            }
        }
        self.deepest_overlap = self.deepest_overlap.max(-gap);
    }

    /// Enters an edit: what the bodies concerned had before it and have after it.
    pub fn give<S: Space>(
        &mut self,
        (before, momentum_before): (Energy, S::Vector),
        (after, momentum_after): (Energy, S::Vector),
    ) {
        self.given = self.given + Dd::difference(after.kinetic, before.kinetic);
        self.given = self.given + Dd::difference(after.rotational, before.rotational);
        self.given = self.given + Dd::difference(after.potential, before.potential);
        let (before, after) = (
            S::components(momentum_before),
            S::components(momentum_after),
        );
        for (axis, sum) in self.momentum_given.iter_mut().enumerate() {
            *sum = *sum + Dd::difference(after[axis], before[axis]);
        }
    }

    /// Enters what gravity gave while mass and gravity stayed as they were, kg·m/s.
    pub fn enter_gravity<S: Space>(&mut self, momentum: S::Vector) {
        for (sum, part) in self.from_gravity.iter_mut().zip(S::components(momentum)) {
            *sum = *sum + Dd::from(part);
        }
    }

    /// The books, given energy and momentum at the start and now, and what gravity gave
    /// beyond what is entered.
    pub fn balance<S: Space>(
        &self,
        (initial, momentum_initial): (Energy, S::Vector),
        (now, momentum): (Energy, S::Vector),
        gravity_since: S::Vector,
    ) -> Audit<S> {
        let momentum_from_scenery = S::vector(self.from_scenery.map(|component| component.hi));
        let momentum_given = S::vector(self.momentum_given.map(|component| component.hi));
        let momentum_from_gravity =
            S::vector(self.from_gravity.map(|component| component.hi)) + gravity_since;
        let expected = Dd::from(initial.total()) - self.lost + self.work_by_driven + self.given;
        Audit {
            initial,
            now,
            lost_in_collisions: self.lost.hi,
            work_by_driven: self.work_by_driven.hi,
            given: self.given.hi,
            energy_imbalance: (Dd::from(now.total()) - expected).hi,
            momentum_initial,
            momentum,
            momentum_from_scenery,
            momentum_from_gravity,
            momentum_given,
            momentum_imbalance: momentum
                - momentum_initial
                - momentum_from_scenery
                - momentum_from_gravity
                - momentum_given,
            deepest_overlap: self.deepest_overlap,
        }
    }
}
