//! Balls that joints hold: how their groups go on, and how they collide.

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::audit::Carried;
use crate::impact::Strikable;
use crate::joint::Joint;
use crate::record::Velocities;
use crate::simulate::bodies::BodyRef;
use crate::simulate::refuse::EditError;
use crate::simulate::strike::Struck;
use crate::space::Linear;
use crate::world::WorldError;
use std::collections::BTreeSet;

impl<S: Strikable> Exact<S> {
    /// The joints, in the order of insertion.
    pub(in crate::simulate) fn joints(&self) -> &[Joint<S>] {
        match (&self.stage.jointed, self.stage.balls.rigids()) {
            (Some(jointed), _) => &jointed.joints,
            (None, Some(rigids)) => &rigids.joints,
            (None, None) => &[],
        }
    }

    /// Refuses a change from outside where there are joints.
    pub(in crate::simulate) fn check_unjointed(&self) -> Result<(), EditError> {
        if self.joints().is_empty() {
            return Ok(());
        }
        let what = "a run with joints cannot be edited while it goes on".to_owned();
        Err(EditError::Refused(vec![WorldError::Solids { what }]))
    }

    /// Puts all groups on their first segments.
    pub(super) fn start_jointed(&mut self) {
        let Some(jointed) = &self.stage.jointed else {
            return;
        };
        let firsts = jointed.groups.iter().map(|group| group.members[0]);
        let slots: Vec<u32> = firsts.map(|id| self.stage.slots[id.0 as usize]).collect();
        self.go_on_jointed(&slots);
    }

    /// All balls that joints hold to these, and these, by slot; the groups go on from now, with the velocities that
    /// their balls have been given.
    #[cold]
    pub(super) fn go_on_jointed(&mut self, slots: &[u32]) -> Vec<u32> {
        let mut all = slots.to_vec();
        let Some(mut jointed) = self.stage.jointed.take() else {
            return all;
        };
        let ids = slots
            .iter()
            .map(|&slot| self.stage.balls.ids[slot as usize]);
        let groups: BTreeSet<usize> = ids.filter_map(|id| Some(jointed.find(id)?.0)).collect();
        let (clock, gravity) = (self.clock, self.stage.balls.gravity);
        for index in groups {
            let group = &mut jointed.groups[index];
            let members: Vec<u32> = (group.members.iter())
                .map(|id| self.stage.slots[id.0 as usize])
                .collect();
            // Orientations are the group's: those of single balls are good enough for pictures alone.
            let rotations = (group.turns && !group.segments.is_empty())
                .then(|| group.state_at(clock).rotations);
            let work = group.work(clock, gravity);
            self.ledger.carried(&Carried {
                momentum: work.momentum,
                angular: work.angular,
                lost: [0.0, 0.0, 0.0, work.damped],
                ..Carried::default()
            });
            for &slot in &members {
                if self.stage.balls.hot[slot as usize].since != clock {
                    self.enter_flight(slot as usize);
                    self.stage.balls.restart(slot as usize, clock);
                }
                if !all.contains(&slot) {
                    all.push(slot);
                }
            }
            let mut state = self.start_of_group(group);
            if let Some(rotations) = rotations {
                state.rotations = rotations;
            }
            group.go_on(clock, state.clone(), gravity);
            // What rods do not allow of velocities is taken out at once.
            let now = group.state_at(clock);
            let mut lost = 0.0;
            for (place, &mass) in group.masses.iter().enumerate() {
                let [before, after] = [&state, &now].map(|state| state.velocities[place]);
                let given = (after - before) * mass;
                lost -= 0.5 * given.dot(after + before);
                let mut turned = S::Angular::ZERO;
                if group.turns && group.inertias[place].is_finite() {
                    let [before, after] = [&state, &now].map(|state| state.spins[place]);
                    turned = (after - before) * group.inertias[place];
                    lost -= 0.5 * turned.dot(after + before);
                }
                let still = S::Vector::ZERO;
                self.ledger.push(now.positions[place], given, turned, still);
            }
            if let (true, Some(turning)) = (group.turns, &mut self.stage.balls.turning) {
                for (place, &slot) in members.iter().enumerate() {
                    turning.rotation[slot as usize] = group.rotations[place];
                    turning.angular_velocity[slot as usize] = now.spins[place];
                }
            }
            self.ledger.settling.add(lost);
        }
        self.stage.jointed = Some(jointed);
        all
    }

    /// Gives the balls that joints hold to those of a collision what they have of it, and enters what the world gives.
    #[cold]
    pub(super) fn share_blow(&mut self, ball: u32, other: BodyRef, struck: &Struck<S>) {
        if !self.stage.are_jointed(ball as usize, other) {
            return;
        }
        let clock = self.clock;
        let mut kicks = vec![(ball, struck.impulse)];
        kicks.extend(other.slot().map(|other| (other, -struck.impulse)));
        let changes = self.stage.blow(clock, &kicks);
        for (slot, (change, turned)) in changes {
            let kick = kicks.iter().find(|(kicked, _)| *kicked == slot);
            let balls = &self.stage.balls;
            let inertial = balls.inertials.of(slot as usize);
            let mass = inertial.mass;
            let spun = if inertial.inertia.is_finite() {
                turned * inertial.inertia
            } else {
                S::Angular::ZERO
            };
            let place = balls.position_at(slot as usize, clock);
            let given = change * mass - kick.map_or(S::Vector::ZERO, |(_, impulse)| *impulse);
            if kick.is_none() {
                let velocities = Velocities {
                    velocity: balls.velocity_at(slot as usize, clock) + change,
                    angular_velocity: balls.angular_velocity_at(slot as usize, clock) + turned,
                };
                self.give_now(slot as usize, &velocities);
            }
            self.ledger.push(place, given, spun, S::Vector::ZERO);
        }
    }

    /// Lets a ball and another body collide of which joints hold one. Others that touch them are struck at the same
    /// instant, one after the other.
    #[cold]
    pub(super) fn collide_jointed(
        &mut self,
        ball: u32,
        other: BodyRef,
    ) -> Result<Outcome, RunError> {
        let surface = self.surface(ball, other);
        if !surface.is_smooth() || self.begins_to_last(ball, other) {
            let [a, b] = [BodyRef::Ball(ball), other].map(|body| self.stage.id_of(body));
            return Err(RunError::JointedContact {
                time: self.stage.epoch + self.clock,
                a: self.label(a),
                b: self.label(b),
            });
        }
        let Some(struck) = self.answer(ball, other, &surface) else {
            self.restart(ball, other);
            return Ok(Outcome::Nothing);
        };
        self.send_off(ball, other, &struck)?;
        let slots: Vec<u32> = [Some(ball), other.slot()].into_iter().flatten().collect();
        self.changed(&slots);
        self.enter(ball, other, &surface, &struck, 0.0);
        Ok(Outcome::Collision)
    }
}
