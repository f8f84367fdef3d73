//! Balls that joints hold: how their groups go on, and how they collide.

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::audit::Carried;
use crate::impact::Strikable;
use crate::record::Velocities;
use crate::simulate::bodies::BodyRef;
use crate::simulate::jointed::GroupState;
use crate::simulate::refuse::EditError;
use crate::simulate::strike::Struck;
use crate::space::Linear;
use crate::world::WorldError;
use std::collections::BTreeSet;

impl<S: Strikable> Exact<S> {
    /// Refuses a change from outside where there are joints.
    pub(in crate::simulate) fn check_unjointed(&self) -> Result<(), EditError> {
        if self.stage.jointed.is_none() {
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
            let balls = &self.stage.balls;
            let hot = members.iter().map(|&slot| &balls.hot[slot as usize]);
            let state = GroupState::<S> {
                positions: hot.clone().map(|ball| ball.position).collect(),
                velocities: hot.map(|ball| ball.velocity).collect(),
            };
            let spins: Vec<S::Angular> = (members.iter())
                .map(|&slot| balls.angular_velocity(slot as usize))
                .collect();
            group.go_on(clock, state.clone(), gravity, &spins);
            // What rods do not allow of velocities is taken out at once.
            let now = group.state_at(clock);
            let mut lost = 0.0;
            for (place, &mass) in group.masses.iter().enumerate() {
                let [before, after] = [&state, &now].map(|state| state.velocities[place]);
                let given = (after - before) * mass;
                lost -= 0.5 * given.dot(after + before);
                let zero = (S::Angular::ZERO, S::Vector::ZERO);
                self.ledger
                    .push(now.positions[place], given, zero.0, zero.1);
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
        for (slot, change) in changes {
            let kick = kicks.iter().find(|(kicked, _)| *kicked == slot);
            let balls = &self.stage.balls;
            let mass = balls.inertials.of(slot as usize).mass;
            let place = balls.position_at(slot as usize, clock);
            let given = change * mass - kick.map_or(S::Vector::ZERO, |(_, impulse)| *impulse);
            if kick.is_none() {
                let velocities = Velocities {
                    velocity: balls.velocity_at(slot as usize, clock) + change,
                    angular_velocity: balls.angular_velocity_at(slot as usize, clock),
                };
                self.give_now(slot as usize, &velocities);
            }
            let zero = (S::Angular::ZERO, S::Vector::ZERO);
            self.ledger.push(place, given, zero.0, zero.1);
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
