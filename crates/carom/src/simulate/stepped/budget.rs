//! Was it right? The budgets of a run by forces.
//!
//! All that flows is integrated along with the motion, by the same scheme: what is left over is the scheme's error.

use super::bodies::ForceBodies;
use super::links::Link;
use super::rates::{BallMotion, look_around};
use super::recorded_granular::holdings;
use super::state::{
    BallStepper, DAMPERS, DRIVEN, EXTERNAL, FIELDS, FlowLedger, ROLLING, SLIDING, SPINNING,
};
use crate::audit::{
    AngularMomentum, Audit, Energy, Holdings, InContact, Lasting, Loss, Losses, Sum,
};
use crate::force::{Friction, Held};
use crate::impact::Strikable;
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use crate::world::shift_of;

/// What contacts hold in their springs, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stored {
    /// Along the normal.
    pub normal: f64,
    /// Against sliding.
    pub sliding: f64,
    /// Against rolling.
    pub rolling: f64,
    /// Against spinning about the normal.
    pub spinning: f64,
}

impl Stored {
    /// All of it, J.
    pub fn total(&self) -> f64 {
        self.normal + self.sliding + self.rolling + self.spinning
    }
}

/// What has been lost, by cause, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Dissipated {
    /// To the dampers along the normal; and, where attraction is cut off, what springs still held then. To those
    /// beside springs that join bodies, too.
    pub dampers: f64,
    /// To friction: sliders, and the dampers across the normal.
    pub friction: f64,
    /// To rolling resistance.
    pub rolling: f64,
    /// To resistance against spinning about the normal.
    pub spinning: f64,
    /// To fields that are no potentials: drag, wind (negative where they gave more).
    pub fields: f64,
}

impl Dissipated {
    /// All of it, J.
    pub fn total(&self) -> f64 {
        self.dampers + self.friction + self.rolling + self.spinning + self.fields
    }
}

/// The budgets of a run by forces as they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ForceAudit<S: Space> {
    /// Energy of the bodies at the start, J.
    pub initial: Energy,
    /// What springs held at the start, J.
    pub initially_stored: f64,
    /// Energy of the bodies now, J.
    pub now: Energy,
    /// What springs hold now.
    pub stored: Stored,
    /// What has been lost.
    pub dissipated: Dissipated,
    /// Work done on the free bodies by kinematic ones, J.
    pub work_by_kinematic: f64,
    /// Done on the free bodies by external forces and torques, J.
    pub external_work: f64,
    /// Brought in by changes from outside (negative where they took out more), J; what springs along the normal held
    /// included.
    pub given: f64,
    /// `now + stored − (initial + initially stored + given − dissipated + work + external work)`, J: the error of the
    /// scheme.
    pub energy_residual: f64,
    /// Momentum of the free bodies at the start, kg·m/s.
    pub momentum_initial: S::Vector,
    /// Momentum of the free bodies now, kg·m/s.
    pub momentum: S::Vector,
    /// Given to the free bodies by static and kinematic ones, kg·m/s.
    pub momentum_from_fixtures: S::Vector,
    /// Given to the free bodies by gravity, kg·m/s.
    pub momentum_from_gravity: S::Vector,
    /// Given to the free bodies by other fields, kg·m/s.
    pub momentum_from_fields: S::Vector,
    /// Given to the free bodies by external forces, kg·m/s.
    pub momentum_from_external: S::Vector,
    /// Brought in by changes from outside, kg·m/s.
    pub momentum_given: S::Vector,
    /// `now − (initial + fixtures + gravity + fields + external + given)`, kg·m/s: zero to rounding.
    pub momentum_residual: S::Vector,
    /// Angular momentum about the origin, their own rotation included. What is not accounted for is the error of the
    /// scheme, zero to rounding between balls with [`LeverArm::Point`](super::LeverArm::Point). `None` in a periodic
    /// box.
    pub angular_momentum: Option<AngularMomentum<S>>,
    /// The deepest overlap at the end of any step, m.
    pub deepest_overlap: f64,
    /// Contacts that have ended.
    pub touches: u64,
    /// Contacts under way.
    pub touching: usize,
}

impl<S: Space> ForceAudit<S> {
    /// The same in the form of the budget of a run by events, so that one record serves both: springs hold what is in
    /// contact, and all losses are those of lasting contacts.
    pub fn to_audit(&self) -> Audit<S> {
        let dissipated = &self.dissipated;
        Audit {
            initial: self.initial,
            now: self.now,
            lost_in_collisions: 0.0,
            losses: Losses {
                between_balls: Loss::default(),
                with_fixtures: Loss::default(),
                lasting: Lasting {
                    sliding: dissipated.friction,
                    rolling: dissipated.rolling,
                    spinning: dissipated.spinning,
                    settling: 0.0,
                    damping: dissipated.dampers,
                    stepping: 0.0,
                    projection: 0.0,
                    energy_added_by_friction: 0.0,
                },
                fields: dissipated.fields,
                integration: 0.0,
            },
            work_by_kinematic: self.work_by_kinematic,
            external_work: self.external_work,
            shear_work: 0.0,
            // What springs held at the start was brought in with the bodies.
            given: self.initially_stored + self.given,
            in_contact: InContact {
                contacts: self.touching as u64,
                energy: self.stored.total(),
                momentum: S::Vector::ZERO,
            },
            energy_residual: self.energy_residual,
            momentum_initial: self.momentum_initial,
            momentum: self.momentum,
            momentum_from_fixtures: self.momentum_from_fixtures,
            momentum_from_gravity: self.momentum_from_gravity,
            momentum_from_fields: self.momentum_from_fields,
            momentum_from_external: self.momentum_from_external,
            momentum_from_shear: S::Vector::ZERO,
            momentum_given: self.momentum_given,
            momentum_residual: self.momentum_residual,
            angular_momentum: self.angular_momentum,
            deepest_overlap: self.deepest_overlap,
        }
    }
}

impl<S: Strikable> BallStepper<S> {
    /// What the free balls have.
    pub fn holdings(&self, stage: &ForceBodies<S>) -> Holdings<S> {
        holdings(stage, |slot| BallMotion {
            place: self.unwrapped(stage, slot),
            ..self.moving.of(slot as u32)
        })
    }

    /// Where a ball would be had it not been brought back into the periodic box, m.
    pub fn unwrapped(&self, stage: &ForceBodies<S>, slot: usize) -> S::Vector {
        let place = self.moving.position[slot];
        match self.images.get(slot) {
            Some(&images) => place + shift_of::<S>(images, stage.periods),
            None => place,
        }
    }

    /// What springs hold.
    pub fn stored(&self, stage: &ForceBodies<S>) -> Stored {
        let links = &self.links.list;
        let looks = look_around(stage, links, &self.moving, self.time);
        let mut sums = [Sum::<f64>::default(); 4];
        let touching = links.iter().zip(&looks);
        for (link, look) in touching.filter(|(link, _)| link.touch.is_some()) {
            let overlap = look.overlap.max(0.0);
            sums[0].add(link.couple.normal.energy(overlap));
            for (sum, energy) in sums[1..].iter_mut().zip(held(link, overlap)) {
                sum.add(energy);
            }
        }
        let [normal, sliding, rolling, spinning] = sums.map(|sum| sum.value());
        Stored {
            normal,
            sliding,
            rolling,
            spinning,
        }
    }
}

/// What changes from outside have brought in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Accounts<S: Space> {
    pub energy: Sum<f64>,
    pub momentum: Sum<S::Vector>,
    pub angular: Sum<S::Angular>,
    /// Given by gravity until the last change (kg·m/s), and when that was (s).
    pub pulled: Sum<S::Vector>,
    pub since: f64,
}

impl<S: Shaped> ForceBodies<S> {
    /// What gravity gives to all balls in a time (s), kg·m/s.
    pub fn pull(&self, time: f64) -> S::Vector {
        let mass: f64 = self.grains.iter().map(|grain| grain.mass).sum();
        self.fields.gravity * (mass * time)
    }
}

/// How a run stands: what the budget are made of.
pub(super) struct BudgetParts<'a, S: Space> {
    pub now: Holdings<S>,
    pub stored: Stored,
    pub ledger: &'a FlowLedger<S>,
    /// World time, s.
    pub time: f64,
    /// The deepest overlap so far, m.
    pub deepest: f64,
    pub touches: u64,
    pub touching: usize,
}

impl<S: Shaped> BudgetParts<'_, S> {
    /// The budgets, given what there was at the start.
    ///
    /// Longer than most: every sum of the budget is drawn up here once.
    pub fn balance(
        &self,
        stage: &ForceBodies<S>,
        (initial, initially_stored): (&Holdings<S>, f64),
        accounts: &Accounts<S>,
    ) -> ForceAudit<S> {
        let (now, stored, ledger) = (&self.now, self.stored, self.ledger);
        let flowed = ledger.energy.map(|sum| sum.value());
        let dissipated = Dissipated {
            dampers: flowed[DAMPERS],
            friction: flowed[SLIDING] - stored.sliding,
            rolling: flowed[ROLLING] - stored.rolling,
            spinning: flowed[SPINNING] - stored.spinning,
            fields: flowed[FIELDS],
        };
        let mut residual = Sum::default();
        residual.add(now.energy.total());
        residual.add(stored.normal);
        residual.add(-initial.energy.total());
        residual.add(-initially_stored);
        for index in [DAMPERS, SLIDING, ROLLING, SPINNING, FIELDS] {
            residual.join(&ledger.energy[index]);
        }
        residual.take(&ledger.energy[DRIVEN]);
        residual.take(&ledger.energy[EXTERNAL]);
        residual.take(&accounts.energy);
        let mut from_gravity = accounts.pulled;
        from_gravity.add(stage.pull(self.time - accounts.since));
        let from_gravity = from_gravity.value();
        let mut momentum = Sum::default();
        momentum.add(now.momentum);
        momentum.add(-initial.momentum);
        momentum.add(-from_gravity);
        momentum.take(&ledger.momentum[0]);
        momentum.take(&ledger.momentum[1]);
        momentum.take(&ledger.momentum[2]);
        momentum.take(&accounts.momentum);
        let angular = (!stage.is_periodic()).then(|| {
            let mut left = Sum::default();
            left.add(now.angular_momentum);
            left.add(-initial.angular_momentum);
            for sum in &ledger.angular {
                left.take(sum);
            }
            left.take(&accounts.angular);
            let [from_fixtures, from_fields, from_gravity, from_external] =
                [0, 1, 2, 3].map(|from| ledger.angular[from].value());
            AngularMomentum {
                initial: initial.angular_momentum,
                now: now.angular_momentum,
                from_fixtures,
                from_gravity,
                from_fields,
                from_external,
                from_projection: S::Angular::ZERO,
                given: accounts.angular.value(),
                in_contact: S::Angular::ZERO,
                residual: left.value(),
            }
        });
        ForceAudit {
            initial: initial.energy,
            initially_stored,
            now: now.energy,
            stored,
            dissipated,
            work_by_kinematic: flowed[DRIVEN],
            external_work: flowed[EXTERNAL],
            given: accounts.energy.value(),
            momentum_given: accounts.momentum.value(),
            energy_residual: residual.value(),
            momentum_initial: initial.momentum,
            momentum: now.momentum,
            momentum_from_fixtures: ledger.momentum[0].value(),
            momentum_from_gravity: from_gravity,
            momentum_from_fields: ledger.momentum[1].value(),
            momentum_from_external: ledger.momentum[2].value(),
            momentum_residual: momentum.value(),
            angular_momentum: angular,
            deepest_overlap: self.deepest.max(0.0),
            touches: self.touches,
            touching: self.touching,
        }
    }
}

/// What the springs across the normal of a contact hold: against sliding, rolling and spinning, J.
fn held<S: Space>(link: &Link<S>, overlap: f64) -> [f64; 3] {
    let (scale, _) = link.couple.normal.tangential_scale(overlap);
    let (couple, memory) = (&link.couple, &link.memory);
    [
        in_spring(&couple.sliding, scale, &memory.sliding),
        in_spring(&couple.rolling, scale, &memory.rolling),
        in_spring(&couple.spinning, scale, &memory.spinning),
    ]
}

fn in_spring<V: Linear>(friction: &Friction, scale: f64, held: &Held<V>) -> f64 {
    0.5 * friction.stiffness * scale * held.stretch.length_squared()
}
