//! What the balls have, and what has become of it: holdings, audit and digest.

use super::Exact;
use crate::audit::{Audit, Carried, Energy, Holdings, Sum};
use crate::impact::Strikable;
use crate::simulate::islands::Island;
use crate::simulate::jointed::{Group, GroupState};
use crate::space::Linear;

impl<S: Strikable> Exact<S> {
    pub(in crate::simulate) fn audit_generic(&self) -> Audit<S> {
        let gravity_since = self.gravity() * (self.weight.mass * (self.time - self.weight.since));
        let balls = &self.stage.balls;
        // Across the sides of a periodic box balls push each other without touching, as seen from a point.
        let under_way = (!balls.is_periodic()).then(|| {
            let mut sum = Sum::default();
            if balls.falling {
                let time = self.local_time();
                for slot in balls.slots() {
                    match (balls.rigids(), self.member(slot)) {
                        (Some(rigids), Some(member)) => {
                            let core = self.seen(rigids);
                            if core.moving[member as usize].island.is_none() {
                                sum.add(core.flown(&rigids.world, member, time));
                            }
                        }
                        _ => sum.add(balls.torque_of_gravity(slot, time)),
                    }
                }
            }
            sum
        });
        let mut ledger = self.ledger;
        if balls.trajectories.is_some() {
            let time = self.local_time();
            let on_segments = balls
                .slots()
                .filter(|&slot| balls.segment(slot).is_some() && !balls.is_member(slot));
            on_segments.for_each(|slot| ledger.carried(&self.stage.carried(slot, time)));
            for group in self.stage.jointed.iter().flat_map(|it| &it.groups) {
                let work = group.work(time, balls.gravity);
                ledger.carried(&Carried {
                    momentum: work.momentum,
                    angular: work.angular,
                    lost: [0.0, 0.0, 0.0, work.damped],
                    ..Carried::default()
                });
            }
        }
        let contacts = self.number_sticking() as u64;
        let mut held = (contacts, self.in_contact(self.local_time()));
        let ahead = self.ahead_in_steps(self.local_time());
        ledger.stepping.add(-ahead);
        held.1.energy.potential += ahead;
        if let Some(rigids) = balls.rigids() {
            let core = self.seen(rigids);
            ledger.join(&core.ledger);
            for member in rigids.members().filter(|_| !self.stage.loads.is_empty()) {
                ledger.loaded(&core.pulled(&rigids.world, member, self.local_time()));
            }
            ledger.gap(-self.deepest_rigid_overlap(rigids));
        }
        ledger.balance(
            &self.initial,
            &self.holdings(),
            &held,
            gravity_since,
            under_way,
        )
    }

    /// What members of islands have fallen, beyond what their velocities show of it, at a time within a step, J: half
    /// of what gravity does in a step they have from its beginning on, and the other half from its end. That is no cost
    /// of steps; it comes and goes with each of them. So does what contacts do for the straight way of a step at its
    /// beginning and take back at its end.
    fn ahead_in_steps(&self, time: f64) -> f64 {
        let (balls, fields) = (&self.stage.balls, &self.stage.fields);
        let Some(trajectories) = &balls.trajectories else {
            return 0.0;
        };
        let mut sum = Sum::default();
        let awake = |island: &&Island<S>| !island.asleep && island.until > island.since;
        for island in trajectories.islands.all.iter().flatten().filter(awake) {
            sum.add(island.opened);
            if !fields.is_uniform() {
                continue;
            }
            let middle = island.since + 0.5 * (island.until - island.since);
            for ball in &island.members {
                let slot = self.stage.slots[ball.0 as usize] as usize;
                let mass = balls.inertials.of(slot).mass;
                let at = |time: f64| fields.potential(mass, balls.position_at(slot, time));
                sum.add(at(middle) - at(time));
            }
        }
        sum.value()
    }

    pub(in crate::simulate) fn digest_generic(&self) -> u64 {
        let mut digest = self.digest;
        for (id, _, _) in self.free_balls() {
            let state = self.state_generic(id);
            digest.vector::<S>(state.position);
            digest.vector::<S>(state.velocity);
            // What a spin does to two axes is all of it, in 2-D and 3-D.
            for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                digest.vector::<S>(S::surface_velocity(state.angular_velocity, S::vector(axis)));
            }
            if self.registry.is_rigid(id) {
                let axes = S::axes(state.rotation);
                axes.iter().flatten().for_each(|&x| digest.number(x));
            }
        }
        digest.value()
    }

    pub(in crate::simulate) fn holdings(&self) -> Holdings<S> {
        let [mut translational, mut rotational, mut potential] = [Sum::<f64>::default(); 3];
        let mut momentum = Sum::<S::Vector>::default();
        let mut angular_momentum = Sum::<S::Angular>::default();
        for (_, slot, _) in self.free_balls() {
            let has = self.holdings_of(slot);
            translational.add(has.energy.translational);
            rotational.add(has.energy.rotational);
            potential.add(has.energy.potential);
            momentum.add(has.momentum);
            angular_momentum.add(has.angular_momentum);
        }
        for group in self.stage.jointed.iter().flat_map(|it| &it.groups) {
            let state = if group.segments.is_empty() {
                self.start_of_group(group)
            } else {
                group.state_at(self.local_time())
            };
            potential.add(group.stored_at(&state));
        }
        if let Some(rigids) = self.stage.balls.rigids() {
            let (core, time) = (self.seen(rigids), self.local_time());
            let pose = |member| core.travels(member, time).0;
            potential.add(rigids.world.stored_in_springs(pose, time));
        }
        Holdings {
            energy: Energy {
                translational: translational.value(),
                rotational: rotational.value(),
                potential: potential.value(),
            },
            momentum: momentum.value(),
            angular_momentum: angular_momentum.value(),
        }
    }

    /// Where the balls of a group are that is on no segments yet.
    pub(super) fn start_of_group(&self, group: &Group<S>) -> GroupState<S> {
        let slots = || (group.members.iter()).map(|id| self.stage.slots[id.0 as usize] as usize);
        let balls = &self.stage.balls;
        let unturned = S::rotation_of(S::Angular::ZERO, 0.0);
        let turning = balls.turning.as_ref();
        GroupState {
            positions: slots().map(|slot| balls.hot[slot].position).collect(),
            velocities: slots().map(|slot| balls.hot[slot].velocity).collect(),
            rotations: slots()
                .map(|slot| turning.map_or(unturned, |it| it.rotation[slot]))
                .collect(),
            spins: slots().map(|slot| balls.angular_velocity(slot)).collect(),
        }
    }

    /// What the ball in a slot has.
    pub(in crate::simulate) fn holdings_of(&self, slot: usize) -> Holdings<S> {
        let (balls, time) = (&self.stage.balls, self.local_time());
        if let (Some(rigids), Some(member)) = (balls.rigids(), self.member(slot)) {
            let core = self.seen(rigids);
            let mut holdings = core.holdings_of(&rigids.world, member, time);
            if balls.is_periodic() {
                let (place, mass) = (
                    core.position_of(member, time),
                    balls.inertials.of(slot).mass,
                );
                let there = balls.unwrapped(slot, place, time);
                let potential = [there, place].map(|it| self.stage.fields.potential(mass, it));
                holdings.energy.potential += potential[0] - potential[1];
            }
            return holdings;
        }
        let ball = balls.inertials.of(slot);
        let (velocity, angular_velocity) = (
            balls.velocity_at(slot, time),
            balls.angular_velocity_at(slot, time),
        );
        let place = balls.unwrapped(slot, balls.position_at(slot, time), time);
        let momentum = velocity * ball.mass;
        let mut holdings = Holdings {
            energy: Energy {
                translational: 0.5 * ball.mass * velocity.length_squared(),
                rotational: 0.0,
                potential: self.stage.fields.potential(ball.mass, place),
            },
            momentum,
            angular_momentum: S::torque(place, momentum),
        };
        // A ball that cannot be spun keeps whatever spin it has, and that is no energy that could change.
        if ball.inertia.is_finite() {
            holdings.energy.rotational = 0.5 * ball.inertia * angular_velocity.length_squared();
            holdings.angular_momentum += angular_velocity * ball.inertia;
        }
        holdings
    }

    /// Of the free balls, kg.
    pub(super) fn total_mass(&self) -> f64 {
        self.free_balls().map(|(_, _, ball)| ball.mass).sum()
    }
}
