//! The running part of the budget: what is entered at every collision.

use super::sum::Sum;
use super::{AngularMomentum, Audit, Energy, InContact, Lasting, Loss, Losses};
use crate::space::{Linear, Space};

/// What the free bodies have at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Holdings<S: Space> {
    pub energy: Energy,
    /// kg·m/s.
    pub momentum: S::Vector,
    /// About the origin, rotation included, kg·m²/s.
    pub angular_momentum: S::Angular,
}

/// What a kind of contact has cost, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Costs {
    pub restitution: Sum<f64>,
    pub friction: Sum<f64>,
    /// By contacts with ε > 1.
    pub energy_added: Sum<f64>,
    /// By laws whose friction adds energy.
    pub energy_added_by_friction: Sum<f64>,
}

impl Costs {
    /// Enters what a contact lost along the normal and across it. In a smooth elastic gas both are zero, and nothing is
    /// done.
    #[inline]
    pub fn enter(&mut self, along_normal: f64, across: f64, bumper: bool) {
        if along_normal != 0.0 {
            if bumper {
                self.energy_added.add(-along_normal);
            } else {
                self.restitution.add(along_normal);
            }
        }
        if across > 0.0 {
            self.friction.add(across);
        } else if across < 0.0 {
            self.energy_added_by_friction.add(-across);
        }
    }

    /// Takes a negative part of a contact across its normal, which was entered as energy added, for what it is: one
    /// of several shares of contacts at one instant, whose sum is a loss. It makes the loss to friction smaller or,
    /// where all friction of the instant comes to less than nothing, that to restitution.
    pub fn share(&mut self, across: f64, of_friction: bool) {
        self.energy_added_by_friction.add(across);
        if of_friction {
            self.friction.add(across)
        } else {
            self.restitution.add(across)
        }
    }

    fn join(&mut self, other: &Self) {
        let Costs {
            restitution,
            friction,
            energy_added,
            energy_added_by_friction,
        } = other;
        self.restitution.join(restitution);
        self.friction.join(friction);
        self.energy_added.join(energy_added);
        self.energy_added_by_friction.join(energy_added_by_friction);
    }

    fn loss(&self) -> Loss {
        Loss {
            restitution: self.restitution.value(),
            friction: self.friction.value(),
            energy_added: self.energy_added.value(),
            energy_added_by_friction: self.energy_added_by_friction.value(),
        }
    }
}

/// The budgets of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger<S: Space> {
    pub between_balls: Costs,
    pub with_fixtures: Costs,
    pub work_by_kinematic: Sum<f64>,
    pub momentum_from_fixtures: Sum<S::Vector>,
    pub angular_from_fixture: Sum<S::Angular>,
    /// In flights that have ended.
    pub angular_from_gravity: Sum<S::Angular>,
    /// While mass and gravity were others than now.
    pub momentum_from_gravity: Sum<S::Vector>,
    /// By edits from outside.
    pub given: Sum<f64>,
    pub momentum_given: Sum<S::Vector>,
    pub angular_given: Sum<S::Angular>,
    pub deepest_overlap: f64,
    /// By sliding, rolling and spinning on walls, and to the fields that balls are in, J.
    pub lasting: [Sum<f64>; 4],
    /// By friction in lasting contacts, J.
    pub put_in_by_rubbing: Sum<f64>,
    /// By fields other than gravity.
    pub momentum_from_fields: Sum<S::Vector>,
    pub angular_from_fields: Sum<S::Angular>,
    /// By external forces and torques.
    pub external_work: Sum<f64>,
    pub momentum_from_external: Sum<S::Vector>,
    pub angular_from_external: Sum<S::Angular>,
    /// By the shear of the periodic box.
    pub shear_work: Sum<f64>,
    pub momentum_from_shear: Sum<S::Vector>,
    /// By coming to keep touching a wall, J.
    pub settling: Sum<f64>,
    /// By steps of finite length, J.
    pub stepping: Sum<f64>,
    /// By putting bodies back where they do not overlap, J.
    pub projection: Sum<f64>,
    /// By the error of explicit Euler, J.
    pub integration: Sum<f64>,
    pub angular_from_projection: Sum<S::Angular>,
}

/// What a wall, or the air, did to a ball on its way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried<S: Space> {
    /// Taken out by sliding, rolling and spinning, and by the fields, J.
    pub lost: [f64; 4],
    /// Taken out in bounces that are too low to be told, J.
    pub settling: f64,
    /// Taken out by the finite length of a step, J.
    pub stepping: f64,
    /// Taken out by the error of explicit Euler, J.
    pub integration: f64,
    /// Done on it by a wall that moves, J.
    pub work: f64,
    /// By walls, kg·m/s.
    pub momentum: S::Vector,
    /// By walls, about the origin, kg·m²/s.
    pub angular: S::Angular,
    /// By fields other than gravity, kg·m/s.
    pub field_momentum: S::Vector,
    /// By fields other than gravity, about the origin, kg·m²/s.
    pub field_angular: S::Angular,
    pub external: External<S>,
}

/// What an external force and torque did to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct External<S: Space> {
    /// J.
    pub work: f64,
    /// kg·m/s.
    pub momentum: S::Vector,
    /// About the origin, kg·m²/s.
    pub angular: S::Angular,
}

impl<S: Space> Ledger<S> {
    /// Enters all that stands in another. Taken apart by name, so that no account is forgotten here.
    pub fn join(&mut self, other: &Self) {
        let Ledger {
            between_balls,
            with_fixtures,
            work_by_kinematic,
            momentum_from_fixtures,
            angular_from_fixture,
            angular_from_gravity,
            momentum_from_gravity,
            given,
            momentum_given,
            angular_given,
            deepest_overlap,
            lasting,
            put_in_by_rubbing,
            momentum_from_fields,
            angular_from_fields,
            external_work,
            momentum_from_external,
            angular_from_external,
            shear_work,
            momentum_from_shear,
            settling,
            stepping,
            projection,
            integration,
            angular_from_projection,
        } = other;
        self.between_balls.join(between_balls);
        self.with_fixtures.join(with_fixtures);
        self.work_by_kinematic.join(work_by_kinematic);
        self.momentum_from_fixtures.join(momentum_from_fixtures);
        self.angular_from_fixture.join(angular_from_fixture);
        self.angular_from_gravity.join(angular_from_gravity);
        self.momentum_from_gravity.join(momentum_from_gravity);
        self.given.join(given);
        self.momentum_given.join(momentum_given);
        self.angular_given.join(angular_given);
        self.deepest_overlap = self.deepest_overlap.max(*deepest_overlap);
        for (mine, its) in self.lasting.iter_mut().zip(lasting) {
            mine.join(its);
        }
        self.put_in_by_rubbing.join(put_in_by_rubbing);
        self.momentum_from_fields.join(momentum_from_fields);
        self.angular_from_fields.join(angular_from_fields);
        self.external_work.join(external_work);
        self.momentum_from_external.join(momentum_from_external);
        self.angular_from_external.join(angular_from_external);
        self.shear_work.join(shear_work);
        self.momentum_from_shear.join(momentum_from_shear);
        self.settling.join(settling);
        self.stepping.join(stepping);
        self.projection.join(projection);
        self.integration.join(integration);
        self.angular_from_projection.join(angular_from_projection);
    }

    /// Enters how far apart the surfaces were at a collision.
    #[inline]
    pub fn gap(&mut self, gap: f64) {
        self.deepest_overlap = self.deepest_overlap.max(-gap);
    }

    /// Enters what fixtures that moves at a velocity gave to a ball at a place: an impulse, and an angular one about
    /// the ball's centre.
    pub fn push(
        &mut self,
        place: S::Vector,
        impulse: S::Vector,
        angular: S::Angular,
        surface_velocity: S::Vector,
    ) {
        if surface_velocity != S::Vector::ZERO {
            // What nothing pushes back keeps its velocity during the impact.
            self.work_by_kinematic.add(impulse.dot(surface_velocity));
        }
        self.momentum_from_fixtures.add(impulse);
        self.angular_from_fixture
            .add(S::torque(place, impulse) + angular);
    }

    /// Enters what a wall did to a ball on its way.
    pub fn carried(&mut self, carried: &Carried<S>) {
        let [rubbed, ..] = carried.lost;
        if rubbed < 0.0 {
            // A ball that sticks to a slope is carried up or down at another speed than it leaves with.
            self.rubbed(rubbed);
        }
        for (index, (sum, lost)) in self.lasting.iter_mut().zip(carried.lost).enumerate() {
            if lost != 0.0 && !(index == 0 && lost < 0.0) {
                sum.add(lost);
            }
        }
        if carried.settling != 0.0 {
            self.settling.add(carried.settling);
        }
        if carried.stepping != 0.0 {
            self.stepping.add(carried.stepping);
        }
        if carried.integration != 0.0 {
            self.integration.add(carried.integration);
        }
        if carried.work != 0.0 {
            self.work_by_kinematic.add(carried.work);
        }
        self.momentum_from_fixtures.add(carried.momentum);
        self.angular_from_fixture.add(carried.angular);
        self.kicked(carried.field_momentum, carried.field_angular);
        self.loaded(&carried.external);
    }

    /// Enters what an external force and torque did.
    pub fn loaded(&mut self, external: &External<S>) {
        if *external != External::default() {
            self.external_work.add(external.work);
            self.momentum_from_external.add(external.momentum);
            self.angular_from_external.add(external.angular);
        }
    }

    /// Enters what the shear of the periodic box gave.
    pub fn sheared(&mut self, work: f64, momentum: S::Vector) {
        self.shear_work.add(work);
        self.momentum_from_shear.add(momentum);
    }

    /// Enters what fields other than gravity gave to a ball.
    pub fn kicked(&mut self, momentum: S::Vector, angular: S::Angular) {
        self.momentum_from_fields.add(momentum);
        self.angular_from_fields.add(angular);
    }

    /// Enters what friction in a lasting contact took out, or added, J.
    pub fn rubbed(&mut self, lost: f64) {
        if lost < 0.0 {
            self.put_in_by_rubbing.add(-lost);
        } else {
            self.lasting[0].add(lost);
        }
    }

    /// What lasting contacts took out in all, J.
    pub fn lost_to_contacts(&self) -> f64 {
        let [sliding, rolling, spinning, _] = self.lasting.map(|sum| sum.value());
        self.settling.value() + sliding + rolling + spinning - self.put_in_by_rubbing.value()
    }

    /// Enters what the couples against rolling and spinning in a lasting contact took out, or added, J: like friction,
    /// they may push along the mean turning of a step in which that changes its direction.
    pub fn resisted(&mut self, rolling: f64, spinning: f64) {
        for (sum, lost) in self.lasting[1..].iter_mut().zip([rolling, spinning]) {
            if lost < 0.0 {
                self.put_in_by_rubbing.add(-lost);
            } else {
                sum.add(lost);
            }
        }
    }

    /// Enters what dampers of springs took, J.
    pub fn damped(&mut self, lost: f64) {
        self.lasting[3].add(lost);
    }

    /// Enters that whatever keeps a ball of a spin from turning otherwise took up an angular impulse: against that it
    /// does work.
    pub fn held(&mut self, angular: S::Angular, angular_velocity: S::Angular) {
        self.angular_from_fixture.add(-angular);
        if angular_velocity != S::Angular::ZERO {
            self.work_by_kinematic.add(-angular.dot(angular_velocity));
        }
    }

    /// Enters the torque of gravity in a flight that has ended.
    pub fn flown(&mut self, torque: S::Angular) {
        self.angular_from_gravity.add(torque);
    }

    /// Enters an edit: what the bodies concerned had before it and have after it.
    pub fn give(&mut self, before: &Holdings<S>, after: &Holdings<S>) {
        let kinds = |energy: &Energy| [energy.translational, energy.rotational, energy.potential];
        for part in kinds(&after.energy) {
            self.given.add(part);
        }
        for part in kinds(&before.energy) {
            self.given.add(-part);
        }
        self.momentum_given.add(after.momentum);
        self.momentum_given.add(-before.momentum);
        self.angular_given.add(after.angular_momentum);
        self.angular_given.add(-before.angular_momentum);
    }

    /// The budgets, given what there was at the start, is now, and is in so many contacts that last, and what gravity
    /// gave: momentum, and torque in the flights under way. The torque is `None` where angular momentum means nothing.
    ///
    /// Longer than most: every sum of the budget is drawn up here once.
    pub fn balance(
        &self,
        initial: &Holdings<S>,
        now: &Holdings<S>,
        (contacts, held): &(u64, Holdings<S>),
        momentum_from_gravity: S::Vector,
        under_way: Option<Sum<S::Angular>>,
    ) -> Audit<S> {
        let mut from_gravity = self.momentum_from_gravity;
        from_gravity.add(momentum_from_gravity);
        let mut lost = Sum::default();
        for costs in [&self.between_balls, &self.with_fixtures] {
            lost.join(&costs.restitution);
            lost.join(&costs.friction);
            lost.take(&costs.energy_added);
            lost.take(&costs.energy_added_by_friction);
        }
        let mut energy_residual = Sum::default();
        energy_residual.add(now.energy.total());
        energy_residual.add(held.energy.total());
        energy_residual.add(-initial.energy.total());
        energy_residual.join(&lost);
        for sum in &self.lasting {
            energy_residual.join(sum);
        }
        energy_residual.take(&self.put_in_by_rubbing);
        energy_residual.join(&self.settling);
        energy_residual.join(&self.stepping);
        energy_residual.join(&self.projection);
        energy_residual.join(&self.integration);
        energy_residual.take(&self.work_by_kinematic);
        energy_residual.take(&self.external_work);
        energy_residual.take(&self.shear_work);
        energy_residual.take(&self.given);
        let mut momentum_residual = Sum::default();
        momentum_residual.add(now.momentum);
        momentum_residual.add(held.momentum);
        momentum_residual.add(-initial.momentum);
        momentum_residual.take(&self.momentum_from_fixtures);
        momentum_residual.take(&self.momentum_from_fields);
        momentum_residual.take(&self.momentum_from_external);
        momentum_residual.take(&self.momentum_from_shear);
        momentum_residual.take(&from_gravity);
        momentum_residual.take(&self.momentum_given);
        Audit {
            initial: initial.energy,
            now: now.energy,
            lost_in_collisions: lost.value(),
            losses: Losses {
                between_balls: self.between_balls.loss(),
                with_fixtures: self.with_fixtures.loss(),
                lasting: Lasting {
                    sliding: self.lasting[0].value(),
                    rolling: self.lasting[1].value(),
                    spinning: self.lasting[2].value(),
                    settling: self.settling.value(),
                    damping: 0.0,
                    stepping: self.stepping.value(),
                    projection: self.projection.value(),
                    energy_added_by_friction: self.put_in_by_rubbing.value(),
                },
                fields: self.lasting[3].value(),
                integration: self.integration.value(),
            },
            work_by_kinematic: self.work_by_kinematic.value(),
            external_work: self.external_work.value(),
            shear_work: self.shear_work.value(),
            given: self.given.value(),
            in_contact: InContact {
                contacts: *contacts,
                energy: held.energy.total(),
                momentum: held.momentum,
            },
            energy_residual: energy_residual.value(),
            momentum_initial: initial.momentum,
            momentum: now.momentum,
            momentum_from_fixtures: self.momentum_from_fixtures.value(),
            momentum_from_gravity: from_gravity.value(),
            momentum_from_fields: self.momentum_from_fields.value(),
            momentum_from_external: self.momentum_from_external.value(),
            momentum_from_shear: self.momentum_from_shear.value(),
            momentum_given: self.momentum_given.value(),
            momentum_residual: momentum_residual.value(),
            angular_momentum: under_way
                .map(|under_way| self.balance_angular(initial, now, held, &under_way)),
            deepest_overlap: self.deepest_overlap,
        }
    }

    /// The budget of angular momentum.
    fn balance_angular(
        &self,
        initial: &Holdings<S>,
        now: &Holdings<S>,
        held: &Holdings<S>,
        under_way: &Sum<S::Angular>,
    ) -> AngularMomentum<S> {
        let mut from_gravity = self.angular_from_gravity;
        from_gravity.join(under_way);
        let mut residual = Sum::default();
        residual.add(now.angular_momentum);
        residual.add(held.angular_momentum);
        residual.add(-initial.angular_momentum);
        residual.take(&self.angular_from_fixture);
        residual.take(&self.angular_from_fields);
        residual.take(&self.angular_from_external);
        residual.take(&from_gravity);
        residual.take(&self.angular_from_projection);
        residual.take(&self.angular_given);
        AngularMomentum {
            initial: initial.angular_momentum,
            now: now.angular_momentum,
            from_fixtures: self.angular_from_fixture.value(),
            from_gravity: from_gravity.value(),
            from_fields: self.angular_from_fields.value(),
            from_external: self.angular_from_external.value(),
            from_projection: self.angular_from_projection.value(),
            given: self.angular_given.value(),
            in_contact: held.angular_momentum,
            residual: residual.value(),
        }
    }
}
