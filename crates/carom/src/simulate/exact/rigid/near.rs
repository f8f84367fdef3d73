//! Which bodies and fixtures are near a rigid body.

use crate::impact::Strikable;
use crate::motion::Pose;
use crate::shape::{Obstacle, Shaped};
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::exact::Plans;
use crate::simulate::obstacles::AROUND;
use crate::simulate::rigid::{Neighbours, RigidBodyRef, RigidWorld};
use crate::space::{Linear, Space};

/// Which bodies are near each other, as the planners know it.
pub(super) struct Near<'a, S: Shaped> {
    stage: &'a Bodies<S>,
    plans: &'a Plans<S>,
    world: &'a RigidWorld<S>,
    places: &'a [u32],
    now: f64,
}

impl<S: Strikable> Near<'_, S> {
    /// The bodies and the fixtures around a member, in an order that no planner changes; balls that are no members too.
    ///
    /// Which they are is a matter of where all are, not of the cells that a planner happens to have: those of a run
    /// that is restored are others.
    pub fn all(&self, member: u32) -> Vec<BodyRef> {
        let id = self.world.inert[member as usize].id;
        let slot = self.stage.slots[id.0 as usize];
        let balls = &self.stage.balls;
        let step = self.world.settling.step;
        let speed = balls.velocity_at(slot as usize, self.now).length();
        let margin = 2.0 * (speed + self.world.slow) * step;
        let place = balls.position_at(slot as usize, self.now);
        let radius = balls.hot[slot as usize].radius;
        let mut found = Vec::new();
        match self.plans {
            Plans::Fast(planner) => {
                planner.around(self.stage, slot, (self.now, margin), |other| {
                    found.push(other)
                });
            }
            Plans::Kept(planner) => planner.neighbours(self.stage, slot, |other| found.push(other)),
        }
        let key = |other: &BodyRef| match *other {
            BodyRef::Ball(slot) => (0, balls.ids[slot as usize].0),
            BodyRef::Fixture(index) => (1, index),
        };
        found.retain(|other| match *other {
            BodyRef::Ball(other) => {
                let apart = balls.position_at(other as usize, self.now) - place;
                let apart = self.world.nearest(apart);
                let reach = radius + balls.hot[other as usize].radius + margin;
                apart.length_squared() <= reach * reach
            }
            BodyRef::Fixture(index) => {
                let fixture = &self.stage.fixtures[index as usize];
                let away = |pose: &Pose<S>| fixture.body.shape.closest(pose.to_local(place));
                fixture.is_kinematic() || away(&fixture.body.pose).distance <= AROUND * radius
            }
        });
        found.sort_unstable_by_key(key);
        found.dedup();
        found
    }
}

impl<S: Strikable> Neighbours for Near<'_, S> {
    fn around<T: Space>(&self, member: u32, mut visit: impl FnMut(RigidBodyRef)) {
        let mut all: Vec<RigidBodyRef> = (self.all(member).into_iter())
            .filter_map(|other| match other {
                BodyRef::Ball(slot) => {
                    let id = self.stage.balls.ids[slot as usize];
                    let place = self.places.get(id.0 as usize).copied();
                    let place = place.filter(|&place| place != u32::MAX);
                    place.map(RigidBodyRef::Body)
                }
                BodyRef::Fixture(index) => Some(RigidBodyRef::Fixture(index)),
            })
            .collect();
        all.sort_unstable();
        all.into_iter().for_each(&mut visit);
    }
}

pub(super) fn near<'a, S: Shaped>(
    stage: &'a Bodies<S>,
    plans: &'a Plans<S>,
    world: &'a RigidWorld<S>,
    places: &'a [u32],
    now: f64,
) -> Near<'a, S> {
    Near {
        stage,
        plans,
        world,
        places,
        now,
    }
}
