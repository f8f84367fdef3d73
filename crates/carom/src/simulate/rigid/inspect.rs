//! What a run of rigid bodies can be asked: its clock, its bodies, their states and the books.

use super::Rigid;
use super::bodies::{Part, Prop, RigidBody, Settling};
use super::core::Core;
use super::island::ContactForce;
use crate::audit::{Audit, Sum};
use crate::body::{Body, Kind};
use crate::impact::Strikable;
use crate::material::Materials;
use crate::simulate::fixture::state_of;
use crate::simulate::state::State;
use crate::space::Linear;
use crate::world::{BodyId, World};

impl<S: Strikable> Rigid<S> {
    /// Everyone as they are at the clock: steps of islands that are under way are ended there, those that have only
    /// just been begun have not been.
    pub(super) fn seen(&self) -> &Core<S> {
        let none = self.core.islands.iter().all(Option::is_none);
        if none && self.core.sticking.iter().all(Option::is_none) {
            return &self.core;
        }
        self.between.get_or_init(|| self.between_steps())
    }

    fn between_steps(&self) -> Box<Core<S>> {
        let mut seen = Box::new(self.core.clone());
        for id in 0..seen.islands.len() as u32 {
            let Some(island) = &seen.islands[id as usize] else {
                continue;
            };
            if island.asleep {
                let island = island.clone();
                seen.rested(&self.stage, &island, self.time);
            } else if self.time > island.since {
                seen.close_step(&self.stage, &self.plans, id, self.time);
            } else {
                seen.unbegin(&self.stage, id);
            }
        }
        for id in 0..seen.sticking.len() as u32 {
            seen.enter_borne(&self.stage, id, self.time);
        }
        seen
    }

    /// The clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many impacts there have been: of a pair, whatever the number of its points.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// How bodies that keep touching are followed.
    pub fn settling(&self) -> &Settling {
        &self.stage.settling
    }

    /// The largest change of a velocity in the last round of any solve of lasting contacts so far, m/s.
    pub fn residual(&self) -> f64 {
        self.core.residual
    }

    /// What bodies that sleep and what they lie on do to each other, one entry a pair: forces in equilibrium, with up to a
    /// hundred points to 10⁻⁶ of gravity at least, with more to 10⁻⁴.
    pub fn contact_forces(&self) -> Vec<ContactForce<S>> {
        self.core.forces_at_rest(&self.stage)
    }

    /// How many bodies keep touching something, and how many of them sleep.
    pub fn lasting(&self) -> (usize, usize) {
        let islands = || self.core.islands.iter().flatten();
        let all = islands().map(|island| island.members.len()).sum();
        let asleep = islands().filter(|island| island.asleep);
        (all, asleep.map(|island| island.members.len()).sum())
    }

    /// The bodies, in the order of insertion.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let there = |id: &BodyId| self.stage.slots[id.0 as usize] != Part::Gone;
        (0..self.stage.bodies.len() as u32)
            .map(BodyId)
            .filter(there)
    }

    /// How many bodies there have ever been: the number that the next one to come will have.
    pub fn bodies_ever(&self) -> usize {
        self.stage.bodies.len()
    }

    /// How many contacts of measurable duration there are now.
    pub fn number_sticking(&self) -> usize {
        self.core.sticking.iter().flatten().count()
    }

    /// Everyone inside a sensor: body and sensor.
    pub fn inside_sensors(&self) -> impl Iterator<Item = (BodyId, BodyId)> + '_ {
        self.core.overlaps.all_inside()
    }

    /// The free bodies by id, and how far each reaches from its centre, m.
    pub(in crate::simulate) fn reaches(&self) -> Vec<(BodyId, f64)> {
        crate::simulate::registry::reaches(self.bodies(), &self.stage.bodies)
    }

    /// The name of a body; empty where it has none.
    pub fn name(&self, id: BodyId) -> &str {
        let body = self.stage.bodies.get(id.0 as usize);
        body.map_or("", |body| &*body.name)
    }

    /// The lengths of the periodic box, m: there is none.
    pub fn periods(&self) -> [f64; 3] {
        [0.0; 3]
    }

    pub(in crate::simulate) fn body_generic(&self, id: BodyId) -> Option<Body<S>> {
        if *self.stage.slots.get(id.0 as usize)? == Part::Gone {
            return None;
        }
        let mut body = self.stage.bodies.get(id.0 as usize)?.clone();
        let state = self.state_generic(id);
        body.pose.position = state.position;
        body.pose.rotation = state.rotation;
        if let Kind::Free(free) = &mut body.kind {
            free.velocity = state.velocity;
            free.angular_velocity = state.angular_velocity;
        }
        Some(body)
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies()
            .find(|id| *self.stage.bodies[id.0 as usize].name == *name)
    }

    /// The materials that bodies refer to.
    pub fn materials(&self) -> &Materials {
        &self.stage.materials
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.stage.gravity
    }

    pub(in crate::simulate) fn state_generic(&self, id: BodyId) -> State<S> {
        match self.stage.slots[id.0 as usize] {
            Part::Free(slot) => {
                let (pose, moves) = self.seen().travels(slot, self.time);
                State {
                    position: pose.position,
                    rotation: pose.rotation,
                    velocity: moves.velocity,
                    angular_velocity: moves.angular_velocity,
                }
            }
            Part::Prop(_) | Part::Gone => {
                let it = state_of(&self.stage.bodies[id.0 as usize], self.time);
                State {
                    position: it.pose.position,
                    rotation: it.pose.rotation,
                    velocity: it.velocity,
                    angular_velocity: it.angular_velocity,
                }
            }
        }
    }

    pub(in crate::simulate) fn audit_generic(&self) -> Audit<S> {
        let (core, stage) = (self.seen(), &self.stage);
        let now = core.holdings(stage, self.time);
        let mut mass = 0.0;
        let mut under_way = Sum::<S::Angular>::default();
        let there = |(_, inert): &(usize, &RigidBody<S>)| !inert.gone;
        for (slot, inert) in stage.inert.iter().enumerate().filter(there) {
            mass += inert.mass;
            if core.moving[slot].island.is_none() {
                under_way.add(core.flown(stage, slot as u32, self.time));
            }
        }
        let from_gravity = stage.gravity * (mass * (self.time - self.weighed));
        let held = core.in_contact(stage, self.time);
        let mut audit =
            (core.ledger).balance(&self.initial, &now, &held, from_gravity, Some(under_way));
        let overlap = core.deepest_overlap(stage, &self.plans, self.time);
        audit.deepest_overlap = audit.deepest_overlap.max(overlap);
        audit
    }

    pub(in crate::simulate) fn digest_generic(&self) -> u64 {
        let mut digest = self.digest;
        for inert in self.stage.inert.iter().filter(|inert| !inert.gone) {
            let state = self.state_generic(inert.id);
            digest.vector::<S>(state.position);
            digest.vector::<S>(state.velocity);
            S::axes(state.rotation)
                .iter()
                .flatten()
                .for_each(|&x| digest.number(x));
            S::angular_velocity_components(state.angular_velocity)
                .iter()
                .for_each(|&x| digest.number(x));
        }
        digest.value()
    }

    /// Whether nothing will ever move again.
    pub fn is_at_rest_everywhere(&self) -> bool {
        let resting = |slot: u32| {
            let track = &self.core.moving[slot as usize].track;
            self.stage.inert[slot as usize].gone
                || self.core.is_asleep(slot)
                || track.course.is_still() && track.until == f64::INFINITY
        };
        let moves = |prop: &Prop<S>| prop.moves() && !prop.gone;
        (0..self.core.moving.len() as u32).all(resting) && !self.stage.props.iter().any(moves)
    }

    /// Whether no free body, nor its surface (`|ω|` times how far it reaches), is faster than a limit (m/s) now, nor
    /// was in its flight so long ago (s): for whoever waits for rest. Bodies that keep touching move as in the step
    /// that they are in.
    pub fn is_slow(&self, limit: f64, back: f64) -> bool {
        let there = |slot: &u32| !self.stage.inert[*slot as usize].gone;
        (0..self.core.moving.len() as u32)
            .filter(there)
            .all(|slot| {
                let moving = &self.core.moving[slot as usize];
                let moves = self.core.travels(slot, self.time).1;
                let flies = moving.island.is_none() && moving.sticking.is_none();
                let from = (self.time - back).max(moving.track.since).min(self.time);
                let was = if flies {
                    moving.track.velocity_at(from)
                } else {
                    moves.velocity
                };
                let reach = self.stage.inert[slot as usize].reach;
                moves.velocity.length() <= limit
                    && was.length() <= limit
                    && moves.angular_velocity.length() * reach <= limit
            })
    }

    pub(in crate::simulate) fn to_world_generic(&self) -> World<S> {
        let mut world = World::new();
        world.materials = self.materials().clone();
        // All of this was accepted before.
        let _ = world.set_gravity(self.gravity());
        for body in self.bodies().filter_map(|id| self.body_generic(id)) {
            let _ = world.add(body);
        }
        world
    }
}
