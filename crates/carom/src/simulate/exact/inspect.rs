//! What a run can be asked: its clock, its bodies and their states.

use super::{Exact, Plans};
use crate::arrays::Each;
use crate::body::{Body, Kind};
use crate::impact::Strikable;
use crate::material::Materials;
use crate::motion::Fields;
use crate::simulate::bodies::NOWHERE;
use crate::simulate::fixture::state_of;
use crate::simulate::inertials::Inertial;
use crate::simulate::shear::Sheared;
use crate::simulate::state::State;
use crate::world::{BodyId, Shear, World};

impl<S: Strikable> Exact<S> {
    /// The balls that are inside a sensor, as far as the run has got.
    pub fn inside(&self, sensor: BodyId) -> Vec<BodyId> {
        let all = self.stage.balls.overlaps.all_inside();
        let mut balls: Vec<BodyId> = all
            .filter(|&(_, other)| other == sensor)
            .map(|(ball, _)| ball)
            .collect();
        balls.dedup();
        balls
    }

    /// The clock, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The bodies that take part, in the order of insertion.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.registry.ids(&self.stage)
    }

    /// Whether a body takes part.
    pub(in crate::simulate) fn has(&self, id: BodyId) -> bool {
        match self.stage.slots.get(id.0 as usize) {
            None => false,
            Some(&NOWHERE) => self.registry.fixture(id).is_some(),
            Some(_) => true,
        }
    }

    /// Keeps numbers for bodies that are to come.
    pub(in crate::simulate) fn reserve(&mut self, bodies: usize) {
        let numbers = self.stage.slots.len() + bodies;
        self.stage.slots.resize(numbers, NOWHERE);
    }

    /// A body as it is now; `None` where there is none of that id. A static or kinematic one is as it was inserted: its
    /// pose is that of time 0, from which its motion is counted. Where that has led it, [`state`](Self::state) says.
    pub fn body(&self, id: BodyId) -> Option<Body<S>> {
        let mut body = self.registry.body(&self.stage, id, self.local_time())?;
        let slot = self.stage.slots[id.0 as usize];
        if slot != NOWHERE && self.member(slot as usize).is_some() {
            let state = self.state_generic(id);
            body.pose.position = state.position;
            body.pose.rotation = state.rotation;
            if let Kind::Free(free) = &mut body.kind {
                free.velocity = state.velocity;
                free.angular_velocity = state.angular_velocity;
            }
        }
        Some(body)
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.registry.find(name)
    }

    /// The name of a body; empty where it has none.
    pub fn name(&self, id: BodyId) -> &str {
        self.registry.name(id)
    }

    /// The materials that bodies refer to.
    pub fn materials(&self) -> &Materials {
        &self.stage.surfaces.materials
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.stage.balls.gravity
    }

    /// What acts on balls in flight.
    pub fn fields(&self) -> &Fields<S> {
        &self.stage.fields
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.stage.balls.period
    }

    /// How the periodic box is sheared, with the offset of now.
    pub fn shear(&self) -> Option<Shear> {
        let balls = &self.stage.balls;
        let now = |it: Sheared| it.to_shear(self.local_time(), balls.period[it.flow]);
        balls.shear.map(now)
    }

    pub(in crate::simulate) fn to_world_generic(&self) -> World<S> {
        let mut world = World::new();
        world.materials = self.materials().clone();
        let periods = self
            .periods()
            .each(|length| (length > 0.0).then_some(length));
        // All of this was accepted before.
        let _ = world.set_fields(self.fields().clone());
        let _ = world.set_integrator(self.stage.integrator);
        let _ = world.set_periodic(periods);
        let _ = world.set_shear(self.shear());
        for (id, mut body) in self.bodies().filter_map(|id| Some((id, self.body(id)?))) {
            if let Kind::Kinematic(drive) = &mut body.kind {
                *drive = drive.go_on_from(&mut body.pose, self.time);
            }
            body.load = (body.load).map(|load| Box::new(load.go_on_from(self.time)));
            self.leave_in(id, &mut body.kind);
            let _ = world.add(body);
        }
        // Nobody can have come or gone where there are joints.
        for joint in self.joints() {
            let _ = world.add_joint(joint.clone());
        }
        world
    }

    /// How many collisions there have been.
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    pub(in crate::simulate) fn state_generic(&self, id: BodyId) -> State<S> {
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                let body = self.registry.fixture(id).expect("a body of this run");
                let state = state_of(body, self.time);
                State {
                    position: state.pose.position,
                    rotation: state.pose.rotation,
                    velocity: state.velocity,
                    angular_velocity: state.angular_velocity,
                }
            }
            slot => {
                let (slot, time, balls) = (slot as usize, self.local_time(), &self.stage.balls);
                if let (Some(rigids), Some(member)) = (balls.rigids(), self.member(slot)) {
                    let (pose, moves) = self.seen(rigids).travels(member, time);
                    return State {
                        position: pose.position,
                        rotation: pose.rotation,
                        velocity: moves.velocity,
                        angular_velocity: moves.angular_velocity,
                    };
                }
                State {
                    position: balls.position_at(slot, time),
                    rotation: balls
                        .rotation_at(slot, time)
                        .unwrap_or_else(|| self.registry.rotation(id)),
                    velocity: balls.velocity_at(slot, time),
                    angular_velocity: balls.angular_velocity_at(slot, time),
                }
            }
        }
    }

    /// What the run's clock showed at the last event, s: world time since the clock was last set back. Times of events
    /// are rounded to its last digit, not to that of the world time.
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// The free balls by id, with slot and masses. Sums over balls are made in this order, which no planner changes.
    pub(in crate::simulate) fn free_balls(
        &self,
    ) -> impl Iterator<Item = (BodyId, usize, &Inertial)> {
        let inertials = &self.stage.balls.inertials;
        (0..)
            .map(BodyId)
            .zip(&self.stage.slots)
            .filter(|&(_, &slot)| slot != NOWHERE)
            .map(|(id, &slot)| (id, slot as usize, inertials.of(slot as usize)))
    }

    /// Calls `visit` with the slots of all balls that may be within a distance of a place, m, and perhaps of others.
    pub(in crate::simulate) fn balls_within(
        &self,
        place: S::Vector,
        distance: f64,
        mut visit: impl FnMut(usize),
    ) {
        match &self.plans {
            // Cells would miss those across the sides that move past each other.
            Plans::Fast(planner) if self.stage.balls.shear.is_none() => {
                let reach = distance + planner.largest();
                let place = S::components(place);
                let (low, high) = (
                    place.each(|along| along - reach),
                    place.each(|along| along + reach),
                );
                planner.within(low, high, |slot| visit(slot as usize));
            }
            _ => self.stage.balls.slots().for_each(visit),
        }
    }

    /// The largest radius of a ball there has been, m.
    pub(in crate::simulate) fn largest_radius(&self) -> f64 {
        self.stage.largest
    }

    /// What messages call a body.
    pub(super) fn label(&self, id: BodyId) -> String {
        match self.name(id) {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }
}
