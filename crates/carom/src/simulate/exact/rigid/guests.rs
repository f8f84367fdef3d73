//! Balls among rigid bodies: how they become guests.

use super::near;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::record::Separation;
use crate::simulate::bodies::BodyRef;
use crate::simulate::exact::{Exact, RunError};
use crate::simulate::islands::Against;
use crate::simulate::rigid::{Party, RigidBodyRef, Rigids, Track, spots_between};
use crate::simulate::trajectories::Support;
use crate::space::Linear;
use crate::world::BodyId;
use std::collections::{BTreeSet, VecDeque};

impl<S: Strikable> Exact<S> {
    /// Makes a body a member: a ball becomes a guest. One that keeps touching others comes with them.
    pub(super) fn invite_one(
        &mut self,
        rigids: &mut Rigids<S>,
        id: BodyId,
    ) -> Result<Option<u32>, RunError> {
        if let Some(member) = rigids.member(id) {
            return Ok(Some(member));
        }
        let slot = self.stage.slots[id.0 as usize] as usize;
        if self.stage.balls.flies_on(slot) {
            return Ok(self.make_guest(rigids, slot));
        }
        self.adopt(rigids, slot)?;
        Ok(rigids.member(id))
    }

    fn make_guest(&self, rigids: &mut Rigids<S>, slot: usize) -> Option<u32> {
        let balls = &self.stage.balls;
        let ball = &balls.hot[slot];
        let rotation = match &balls.turning {
            Some(turning) => turning.rotation[slot],
            None => self.registry.rotation(balls.ids[slot]),
        };
        let pose = Pose {
            position: ball.position,
            rotation,
        };
        let mut inert = balls.rigid_body(slot, pose)?;
        inert.load = self.stage.loads.get(&balls.ids[slot]).cloned();
        let track = Track::flight(
            &inert,
            (ball.since, f64::INFINITY),
            pose,
            ball.velocity,
            balls.angular_velocity(slot),
            rigids.world.acceleration(&inert),
        );
        Some(rigids.place(inert, track))
    }

    /// Takes a ball that keeps touching others into the rigid bodies, with the island that it is in, or with the walls
    /// that it is on: they keep touching here.
    fn adopt(&mut self, rigids: &mut Rigids<S>, slot: usize) -> Result<(), RunError> {
        let clock = self.clock;
        self.cut_short(slot as u32, BodyRef::Ball(slot as u32));
        let id = self.stage.balls.ids[slot];
        let (slots, contacts) = match (self.island_of(slot as u32), self.stage.balls.support(slot))
        {
            (Some(id), _) => self.part_island(id)?,
            (None, Some(support)) => {
                let walls = [support.on, support.also, support.third].into_iter();
                let walls = walls.flatten().map(|wall| (id, Against::Fixture(wall)));
                (vec![slot as u32], walls.collect())
            }
            (None, None) => (vec![slot as u32], Vec::new()),
        };
        for &slot in &slots {
            let slot = slot as usize;
            self.forget(slot);
            self.enter_flight(slot);
            self.stage.balls.restart(slot, clock);
            if let Some(trajectories) = &mut self.stage.balls.trajectories {
                let before = trajectories.supports.replace(slot, Support::FLYING);
                self.note_transition(slot, before, Support::FLYING);
            }
            self.make_guest(rigids, slot);
        }
        let mut party = Party::new(Separation::Struck);
        for (a, other) in contacts {
            let Some(a) = rigids.member(a) else { continue };
            let other = match other {
                Against::Ball(b) => rigids.member(b).map(RigidBodyRef::Body),
                Against::Fixture(index) | Against::FarEnd(index) => {
                    Some(RigidBodyRef::Fixture(index))
                }
            };
            if let Some(other) = other {
                party.join(&mut rigids.core, a, other, clock);
            }
        }
        let Rigids {
            world,
            core,
            places,
            ..
        } = rigids;
        let near = near(&self.stage, &self.plans, world, places, clock);
        party.release(core, world, &near, clock);
        // Also those that touched nothing have begun anew.
        let ids = slots
            .iter()
            .map(|&slot| self.stage.balls.ids[slot as usize]);
        let members: Vec<u32> = ids.filter_map(|id| rigids.member(id)).collect();
        rigids.core.changed.extend(members);
        Ok(())
    }

    /// Calls those together that may touch some members at this instant, and those that may touch these, and so on.
    pub(super) fn invite(
        &mut self,
        rigids: &mut Rigids<S>,
        from: Vec<u32>,
    ) -> Result<(), RunError> {
        if rigids.members().count() >= self.stage.balls.number() {
            return Ok(());
        }
        let (now, step) = (self.clock, rigids.world.settling.step);
        let mut waiting: VecDeque<u32> = from.into();
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        while let Some(member) = waiting.pop_front() {
            if !seen.insert(member) {
                continue;
            }
            let island = rigids.core.moving[member as usize].island;
            let island = island.and_then(|id| rigids.core.islands[id as usize].as_ref());
            waiting.extend(island.iter().flat_map(|island| &island.members));
            let around = {
                let Rigids { world, places, .. } = &*rigids;
                near(&self.stage, &self.plans, world, places, now).all(member)
            };
            for other in around.into_iter().filter_map(BodyRef::slot) {
                let (balls, slot) = (&self.stage.balls, other as usize);
                let id = balls.ids[slot];
                let known = rigids.member(id);
                let (place, velocity, reach) = match known {
                    Some(its) => {
                        let track = &rigids.core.moving[its as usize].track;
                        let reach = rigids.world.inert[its as usize].reach;
                        (
                            rigids.core.position_of(its, now),
                            track.velocity_at(now),
                            reach,
                        )
                    }
                    None => (
                        balls.position_at(slot, now),
                        balls.velocity_at(slot, now),
                        balls.hot[slot].radius,
                    ),
                };
                let own = &rigids.core.moving[member as usize].track;
                let reach = reach + rigids.world.inert[member as usize].reach;
                let margin = (own.velocity_at(now) - velocity).length() + rigids.world.slow;
                let margin = reach * (1.0 + 1e-6) + margin * step;
                let apart = rigids.core.position_of(member, now) - place;
                let apart = rigids.world.nearest(apart);
                if apart.length_squared() > margin * margin {
                    continue;
                }
                match known {
                    Some(its) => waiting.push_back(its),
                    None if self.stage.balls.flies_on(slot) => {
                        waiting.extend(self.make_guest(rigids, slot));
                    }
                    None if self.touches_member(rigids, slot, member) => {
                        self.adopt(rigids, slot)?;
                        waiting.extend(rigids.member(id));
                    }
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Whether a ball that is no member touches one, or nearly so.
    fn touches_member(&self, rigids: &mut Rigids<S>, slot: usize, member: u32) -> bool {
        let Some(guest) = self.make_guest(rigids, slot) else {
            return false;
        };
        let balls = &self.stage.balls;
        let pose = Pose::at(balls.position_at(slot, self.clock));
        let other = RigidBodyRef::Body(guest);
        let margin = 1e-6 * balls.hot[slot].radius;
        let poses = [
            rigids
                .core
                .pose_of(&rigids.world, RigidBodyRef::Body(member), self.clock),
            pose,
        ];
        let touches = rigids.world.meet(member, other)
            && !spots_between(&rigids.world, member, other, &poses, margin).is_empty();
        rigids.dismiss(guest);
        touches
    }
}
