//! What a run by forces can be asked: its clock, its settings, its bodies, their states and the books.

use super::Stepped;
use super::bodies::{ForceBodyRef, NOWHERE};
use super::budget::ForceAudit;
use super::now::Now;
use crate::arrays::Each;
use crate::body::{Body, Kind};
use crate::force::Couple;
use crate::impact::Strikable;
use crate::material::Materials;
use crate::motion::Fields;
use crate::simulate::fixture::state_of;
use crate::simulate::force_options::{ForceEngine, Forces, Scheme};
use crate::simulate::state::State;
use crate::world::{BodyId, World};

impl<S: Strikable> Stepped<S> {
    pub(super) fn seen(&self) -> &Now<S> {
        self.between.as_deref().unwrap_or(&self.now)
    }

    /// The clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many whole steps there have been.
    pub fn steps(&self) -> u64 {
        self.now.steps()
    }

    /// World time at which the next step ends whose number is a multiple of some number, s: later than the clock. It
    /// does not depend on where the run was cut.
    pub(in crate::simulate) fn end_of_multiple(&self, of: u64) -> f64 {
        let steps = self.now.steps();
        let next = (steps / of + 1) * of;
        self.now.end_after(&self.stage, next - steps)
    }

    /// Which engine goes over the contacts: [`ForceEngine::General`] or [`ForceEngine::Granular`].
    pub fn engine(&self) -> ForceEngine {
        match self.now {
            Now::Each(_) | Now::Solids(_) => ForceEngine::General,
            Now::Granular(_) => ForceEngine::Granular,
        }
    }

    /// On how many threads. The results do not depend on it.
    pub fn threads(&self) -> usize {
        match &self.now {
            Now::Each(_) | Now::Solids(_) => 1,
            Now::Granular(pack) => pack.crowd.threads(),
        }
    }

    /// How long contacts last that have no springs of their own, s.
    pub fn contact_time(&self) -> Option<f64> {
        self.stage.fallback_time()
    }

    /// Whether there are rigid bodies, for which there is a loop of its own.
    pub fn has_solids(&self) -> bool {
        self.stage.cast.is_some()
    }

    /// Why the general loop runs, where there are many balls and the crowd cannot.
    pub fn why_general(&self) -> Option<&str> {
        self.not_crowd.as_deref()
    }

    /// How long a step is, s.
    pub fn step(&self) -> f64 {
        self.stage.step
    }

    /// How it is stepped.
    pub fn scheme(&self) -> Scheme {
        self.stage.scheme
    }

    /// Whether beginnings and ends of contacts are found within the step.
    pub fn locates(&self) -> bool {
        self.stage.locate
    }

    /// How the run was asked to be made.
    pub fn forces(&self) -> &Forces {
        &self.stage.forces
    }

    /// The bodies, in the order of insertion.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let all = (0..self.stage.bodies.len() as u32).map(BodyId);
        all.filter(|id| !self.stage.gone.contains(id))
    }

    /// Whether a body takes part.
    pub(in crate::simulate) fn has(&self, id: BodyId) -> bool {
        (id.0 as usize) < self.stage.bodies.len() && !self.stage.gone.contains(&id)
    }

    /// The free bodies by id, and how far each reaches from its centre, m.
    pub(in crate::simulate) fn reaches(&self) -> Vec<(BodyId, f64)> {
        crate::simulate::registry::reaches(self.bodies(), &self.stage.bodies)
    }

    /// How many bodies there have ever been.
    pub fn bodies_ever(&self) -> usize {
        self.stage.bodies.len()
    }

    pub(in crate::simulate) fn body_generic(&self, id: BodyId) -> Option<Body<S>> {
        if self.stage.gone.contains(&id) {
            return None;
        }
        let mut body = self.stage.bodies.get(id.0 as usize)?.clone();
        if let Kind::Free(free) = &mut body.kind {
            let state = self.state_generic(id);
            body.pose.position = state.position;
            body.pose.rotation = state.rotation;
            free.velocity = state.velocity;
            free.angular_velocity = state.angular_velocity;
        }
        Some(body)
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        let mut all = self.bodies();
        all.find(|&id| self.name(id) == name)
    }

    /// The name of a body; empty where it has none.
    pub fn name(&self, id: BodyId) -> &str {
        let body = self.stage.bodies.get(id.0 as usize);
        body.map_or("", |body| &*body.name)
    }

    /// The materials that bodies refer to.
    pub fn materials(&self) -> &Materials {
        &self.stage.materials
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.stage.fields.gravity
    }

    /// What acts on balls.
    pub fn fields(&self) -> &Fields<S> {
        &self.stage.fields
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.stage.periods
    }

    /// How many contacts have ended before the clock.
    pub fn touches(&self) -> u64 {
        self.seen().touches()
    }

    /// Which bodies touch at the clock, and how deep they overlap (m).
    pub fn touching(&self) -> Vec<(BodyId, BodyId, f64)> {
        let touching = self.seen().touching(&self.stage).into_iter();
        touching
            .map(|(a, other, overlap)| {
                let a = self.stage.grains[a as usize].id;
                (a, self.stage.id_of(other), overlap)
            })
            .collect()
    }

    /// What acts between two bodies when they touch; `None` where they never do (neither is a free ball, groups, a
    /// sensor).
    pub fn couple(&self, a: BodyId, b: BodyId) -> Option<Couple> {
        let slot = |id: BodyId| self.stage.slots[id.0 as usize];
        let (a, b) = if slot(a) == NOWHERE { (b, a) } else { (a, b) };
        let meet = |id: BodyId| self.stage.bodies[id.0 as usize].groups;
        if slot(a) == NOWHERE || a == b || !meet(a).collides_with(meet(b)) {
            return None;
        }
        let other = match slot(b) {
            NOWHERE => {
                let fixture = &self.stage.fixtures;
                ForceBodyRef::Fixture(fixture.iter().position(|body| body.id == b)? as u32)
            }
            slot => ForceBodyRef::Ball(slot),
        };
        self.stage.couple(slot(a), other).ok()
    }

    pub(in crate::simulate) fn state_generic(&self, id: BodyId) -> State<S> {
        let body = &self.stage.bodies[id.0 as usize];
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                let state = state_of(body, self.time);
                State {
                    position: state.pose.position,
                    rotation: state.pose.rotation,
                    velocity: state.velocity,
                    angular_velocity: state.angular_velocity,
                }
            }
            slot => {
                let (now, slot) = (self.seen(), slot as usize);
                let motion = now.motion(&self.stage, slot);
                State {
                    position: motion.place,
                    rotation: now.rotation(slot, body.pose.rotation),
                    velocity: motion.velocity,
                    angular_velocity: motion.angular_velocity,
                }
            }
        }
    }

    /// Where a body would be now had it not been brought back into the periodic box, m.
    pub fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        match self.stage.slots[id.0 as usize] {
            NOWHERE => self.state_generic(id).position,
            slot => self.seen().unwrapped(&self.stage, slot as usize),
        }
    }

    /// The balls that are inside a sensor, as far as the run has got.
    pub fn inside(&self, sensor: BodyId) -> Vec<BodyId> {
        let all = self.seen().inside().iter();
        let mut balls: Vec<BodyId> = all
            .filter(|&&(_, index)| self.stage.sensors[index as usize].id == sensor)
            .map(|&(slot, _)| self.stage.grains[slot as usize].id)
            .collect();
        balls.dedup();
        balls
    }

    pub(in crate::simulate) fn audit_generic(&self) -> ForceAudit<S> {
        let initial = (&self.initial, self.initially_stored);
        (self.seen()).balance(&self.stage, initial, &self.accounts)
    }

    pub(in crate::simulate) fn digest_generic(&self) -> u64 {
        let now = self.seen();
        let mut digest = now.digest();
        for slot in 0..self.stage.grains.len() {
            let motion = now.motion(&self.stage, slot);
            digest.vector::<S>(motion.place);
            digest.vector::<S>(motion.velocity);
            // What a spin does to two axes is all of it, in 2-D and 3-D.
            for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
                digest.vector::<S>(S::surface_velocity(
                    motion.angular_velocity,
                    S::vector(axis),
                ));
            }
        }
        digest.value()
    }

    pub(in crate::simulate) fn to_world_generic(&self) -> World<S> {
        let mut world = World::new();
        world.materials = self.materials().clone();
        let periods = (self.periods()).each(|length| (length > 0.0).then_some(length));
        // All of this was accepted before.
        let _ = world.set_fields(self.fields().clone());
        let _ = world.set_integrator(self.stage.integrator);
        let _ = world.set_periodic(periods);
        for mut body in self.bodies().filter_map(|id| self.body_generic(id)) {
            if let Kind::Kinematic(drive) = &mut body.kind {
                *drive = drive.go_on_from(&mut body.pose, self.time);
            }
            body.load = (body.load).map(|load| Box::new(load.go_on_from(self.time)));
            let _ = world.add(body);
        }
        // Nobody can have come or gone where there are joints.
        for joint in &self.stage.joints {
            let _ = world.add_joint(joint.clone());
        }
        world
    }
}
