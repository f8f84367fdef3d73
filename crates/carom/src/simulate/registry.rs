//! Which bodies take part: what a run has to know of its bodies beyond what moves.
//!
//! A free ball has its records in [`Balls`](super::balls::Balls) and is nothing but those: no body is kept of it, and
//! its name only where it was given one. Static and kinematic bodies are few, and kept whole.

use super::balls::Balls;
use super::bodies::{Bodies, NOWHERE};
use crate::body::{Body, Free, Kind};
use crate::motion::Pose;
use crate::shape::{Ball, Obstacle, Shape, Shaped};
use crate::world::{BodyId, World};
use std::collections::BTreeMap;

/// The free bodies among all, by id, and how far each reaches from its centre, m.
pub(super) fn reaches<S: Shaped>(
    ids: impl Iterator<Item = BodyId>,
    bodies: &[Body<S>],
) -> Vec<(BodyId, f64)> {
    let bodies = ids.map(|id| (id, &bodies[id.0 as usize]));
    let free = bodies.filter(|(_, body)| matches!(body.kind, Kind::Free(_)));
    free.map(|(id, body)| (id, body.shape.reach())).collect()
}

/// Names, fixture, and how those balls are turned that do not turn.
#[derive(Clone, Debug)]
pub(super) struct Registry<S: Shaped> {
    names: BTreeMap<BodyId, Box<str>>,
    fixtures: BTreeMap<BodyId, Body<S>>,
    /// Free bodies that are not balls, as they came.
    rigid: BTreeMap<BodyId, Body<S>>,
    /// Where it is not as the world's axes are; of balls only in a run in which none of them turns.
    rotations: BTreeMap<BodyId, S::Rotation>,
}

impl<S: Shaped> Registry<S> {
    /// Takes what is to be kept out of a world, and lets go of the rest.
    pub fn new(world: World<S>, balls: &Balls<S>) -> Self {
        let mut registry = Self::empty();
        for (id, body) in (0..).map(BodyId).zip(world.into_bodies()) {
            registry.enter(id, body, balls.turning.is_some());
        }
        registry
    }

    /// Of no body.
    pub fn empty() -> Self {
        Registry {
            names: BTreeMap::new(),
            fixtures: BTreeMap::new(),
            rigid: BTreeMap::new(),
            rotations: BTreeMap::new(),
        }
    }

    /// Enters a body.
    pub fn enter(&mut self, id: BodyId, body: Body<S>, balls_turn: bool) {
        if !body.name.is_empty() {
            self.names.insert(id, body.name.clone());
        }
        match body.kind {
            Kind::Free(_) if !matches!(body.shape, Shape::Ball(_)) => {
                self.rigid.insert(id, body);
            }
            Kind::Free(_) => {
                if !balls_turn && body.pose.rotation != S::no_rotation() {
                    self.rotations.insert(id, body.pose.rotation);
                }
            }
            Kind::Static | Kind::Kinematic(_) => {
                self.fixtures.insert(id, body);
            }
        }
    }

    /// Strikes a body off.
    pub fn strike(&mut self, id: BodyId) -> Option<Body<S>> {
        self.names.remove(&id);
        self.rotations.remove(&id);
        self.rigid.remove(&id);
        self.fixtures.remove(&id)
    }

    /// The free bodies that are not balls, by id.
    pub fn all_rigid(&self) -> impl Iterator<Item = BodyId> {
        self.rigid.keys().copied()
    }

    /// Whether there are any.
    pub fn any_rigid(&self) -> bool {
        !self.rigid.is_empty()
    }

    /// Whether a body is free, and not a ball.
    pub fn is_rigid(&self, id: BodyId) -> bool {
        self.rigid.contains_key(&id)
    }

    /// All static and kinematic bodies, as they were inserted.
    pub fn all_fixtures(&self) -> impl Iterator<Item = (BodyId, &Body<S>)> {
        self.fixtures.iter().map(|(&id, body)| (id, body))
    }

    /// A static or kinematic body, to be changed.
    pub fn fixture_mut(&mut self, id: BodyId) -> Option<&mut Body<S>> {
        self.fixtures.get_mut(&id)
    }

    /// The name of a body; empty where it has none.
    pub fn name(&self, id: BodyId) -> &str {
        self.names.get(&id).map_or("", |name| name)
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.names
            .iter()
            .find(|(_, other)| &***other == name)
            .map(|(&id, _)| id)
    }

    /// A static or kinematic body, as it was inserted.
    pub fn fixture(&self, id: BodyId) -> Option<&Body<S>> {
        self.fixtures.get(&id)
    }

    /// How a ball is turned in a run in which none turns.
    pub fn rotation(&self, id: BodyId) -> S::Rotation {
        self.rotations
            .get(&id)
            .copied()
            .unwrap_or_else(S::no_rotation)
    }

    /// The bodies that there are, by id.
    pub fn ids<'a>(&'a self, stage: &'a Bodies<S>) -> impl Iterator<Item = BodyId> + 'a {
        (0..)
            .map(BodyId)
            .zip(&stage.slots)
            .filter(|&(id, &slot)| slot != NOWHERE || self.fixtures.contains_key(&id))
            .map(|(id, _)| id)
    }

    /// A body as it is at a time by the run's clock; a static or kinematic one as it was inserted.
    pub fn body(&self, stage: &Bodies<S>, id: BodyId, time: f64) -> Option<Body<S>> {
        let slot = match stage.slots.get(id.0 as usize) {
            None | Some(&NOWHERE) => return self.fixtures.get(&id).cloned(),
            Some(&slot) => slot as usize,
        };
        let balls = &stage.balls;
        let inertial = balls.inertials.of(slot);
        let (shape, inertia) = match self.rigid.get(&id) {
            Some(body) => match &body.kind {
                Kind::Free(free) => (body.shape.clone(), free.inertia),
                _ => (body.shape.clone(), inertial.inertia),
            },
            None => {
                let radius = balls.hot[slot].radius;
                (Shape::Ball(Ball { radius }), inertial.inertia)
            }
        };
        Some(Body {
            name: self.name(id).into(),
            shape,
            material: inertial.material,
            groups: balls.groups_of(slot),
            sensor: false,
            pose: Pose {
                position: balls.position_at(slot, time),
                rotation: balls
                    .rotation_at(slot, time)
                    .unwrap_or_else(|| self.rotation(id)),
            },
            kind: Kind::Free(Free {
                mass: inertial.mass,
                inertia,
                velocity: balls.velocity_at(slot, time),
                angular_velocity: balls.angular_velocity_at(slot, time),
            }),
            load: stage.loads.get(&id).cloned(),
        })
    }
}
