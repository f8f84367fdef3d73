//! The engine by impulses behind the face.

use super::{Engine, Method, Stepping, Stop, TellEngine, TellIncident, View};
use crate::audit::Audit;
use crate::body::{Body, CollisionFilter};
use crate::force::Couple;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::record::Event;
use crate::simulate::cancel::Cancel;
use crate::simulate::compiled::Engines;
use crate::simulate::error::SimulationError;
use crate::simulate::exact::{End, Exact, RunError};
use crate::simulate::refuse::EditError;
use crate::simulate::state::State;
use crate::simulate::stepped::ForceAudit;
use crate::world::{BodyId, World};
use std::ops::ControlFlow;

/// About as many steps of single rigid bodies as a tenth of a second is good for.
pub(super) const RIGID_STEPS_IN_LEG: f64 = 20_000.0;

/// What all have under the same name and in the same form.
macro_rules! alike {
    () => {
        fn duplicate(&self) -> Box<dyn Engine<S>> {
            Box::new(self.clone())
        }

        fn time(&self) -> f64 {
            self.time()
        }

        fn bodies(&self) -> Vec<BodyId> {
            self.bodies().collect()
        }

        fn body(&self, id: BodyId) -> Option<Body<S>> {
            self.body(id)
        }

        fn has(&self, id: BodyId) -> bool {
            self.has(id)
        }

        fn find(&self, name: &str) -> Option<BodyId> {
            self.find(name)
        }

        fn name(&self, id: BodyId) -> &str {
            self.name(id)
        }

        fn materials(&self) -> &Materials {
            self.materials()
        }

        fn gravity(&self) -> S::Vector {
            self.gravity()
        }

        fn periods(&self) -> [f64; 3] {
            self.periods()
        }

        fn state(&self, id: BodyId) -> State<S> {
            self.state(id)
        }

        fn digest(&self) -> u64 {
            self.digest()
        }

        fn to_world(&self) -> World<S> {
            self.to_world()
        }

        fn snapshot(&self) -> Vec<u8> {
            self.snapshot()
        }

        fn set_cancel(&mut self, cancel: Option<Cancel>) {
            self.set_cancel(cancel);
        }

        fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError> {
            self.insert(body)
        }

        fn insert_as(&mut self, id: BodyId, body: Body<S>) -> Result<(), EditError> {
            self.insert_as(id, body)
        }

        fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError> {
            self.remove(id)
        }

        fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), EditError> {
            self.set_mass(id, mass)
        }

        fn set_velocity(
            &mut self,
            id: BodyId,
            velocity: S::Vector,
            angular_velocity: S::Angular,
        ) -> Result<(), EditError> {
            self.set_velocity(id, velocity, angular_velocity)
        }

        fn kick(&mut self, kicks: &[(BodyId, S::Vector)]) -> Result<(), EditError> {
            self.kick(kicks)
        }

        fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError> {
            self.set_position(id, position)
        }

        fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError> {
            self.set_material(id, material)
        }

        fn set_groups(&mut self, id: BodyId, groups: CollisionFilter) -> Result<(), EditError> {
            self.set_groups(id, groups)
        }

        fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError> {
            self.set_gravity(gravity)
        }

        fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError> {
            self.set_fields(fields)
        }

        fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError> {
            self.set_load(id, load)
        }

        fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError> {
            self.set_drive(id, drive)
        }

        fn stand_still(&mut self, id: BodyId) -> Result<(), EditError> {
            self.stand_still(id)
        }

        fn set_motion(
            &mut self,
            id: BodyId,
            pose: Pose<S>,
            drive: Option<Drive<S>>,
        ) -> Result<(), EditError> {
            self.set_motion(id, pose, drive)
        }
    };
}

pub(super) use alike;

impl<S: Engines> Engine<S> for Exact<S> {
    alike!();
    fn collisions(&self) -> u64 {
        self.collisions()
    }

    fn audit(&self) -> Audit<S> {
        self.audit()
    }

    fn touching(&self) -> Option<Vec<(BodyId, BodyId, f64)>> {
        None
    }

    fn couple(&self, _a: BodyId, _b: BodyId) -> Option<Option<Couple>> {
        None
    }

    fn force_audit(&self) -> Option<ForceAudit<S>> {
        None
    }

    fn stepping(&self) -> Option<Stepping> {
        None
    }

    fn is_at_rest(&self) -> bool {
        self.is_at_rest_everywhere()
    }

    fn sticking(&self) -> usize {
        self.number_sticking()
    }

    fn set_horizon(&mut self, until: f64) {
        self.set_horizon(until);
    }

    fn check_until(&self, _until: f64) -> Result<(), SimulationError> {
        Ok(())
    }

    fn go_through(
        &mut self,
        instant: f64,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        Ok(self.run_through(instant, tell)?)
    }

    fn go_by_contacts(
        &mut self,
        _until: f64,
        _tell: TellIncident<'_, S>,
    ) -> Result<End, SimulationError> {
        Err(SimulationError::NotByImpulses {
            what: "contacts that are reported from their beginning to their end",
        })
    }

    fn wrong_time(&self, until: f64) -> SimulationError {
        let time = self.time();
        RunError::Until { until, time }.into()
    }

    fn change_materials(
        &mut self,
        change: &mut dyn FnMut(&mut Materials),
    ) -> Result<(), EditError> {
        self.change_materials(change);
        Ok(())
    }

    fn method(&self) -> Method {
        Method::Impulses(*self.settling())
    }

    fn has_rigid_bodies(&self) -> bool {
        self.has_rigids()
    }

    fn next_id(&self) -> usize {
        self.stage.slots.len()
    }

    fn fields(&self) -> Fields<S> {
        self.fields().clone()
    }

    fn unwrapped_position(&self, id: BodyId) -> S::Vector {
        self.unwrapped_position(id)
    }

    fn inside(&self, sensor: BodyId) -> Vec<BodyId> {
        self.inside(sensor)
    }

    fn as_exact(&self) -> Option<&Exact<S>> {
        (!self.has_rigids()).then_some(self)
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings()
    }

    fn resting(&self) -> usize {
        self.number_at_rest()
    }

    fn residual(&self) -> Option<f64> {
        self.has_rigids().then(|| self.residual())
    }

    fn segments(&self) -> u64 {
        self.segments()
    }

    fn free_bodies(&self) -> Vec<(BodyId, f64)> {
        let reach = |slot: usize| match (self.stage.balls.rigids(), self.member(slot)) {
            (Some(rigids), Some(member)) => rigids.world.inert[member as usize].reach,
            _ => self.stage.balls.hot[slot].radius,
        };
        let balls = self.free_balls();
        balls.map(|(id, slot, _)| (id, reach(slot))).collect()
    }

    fn is_slow(&self, limit: f64, back: f64) -> Option<bool> {
        self.has_rigids().then(|| self.is_slow(limit, back))
    }

    fn rests_at_steps(&self) -> bool {
        false
    }

    /// Rigid bodies that keep touching come to rest without events: at the ends of their steps.
    fn next_look_for_rest(&self) -> Option<f64> {
        if !self.has_rigids() {
            return None;
        }
        let (time, step) = (self.time(), self.settling().step);
        let before = (time / step).floor();
        // Whatever the division rounds: the first multiple that is later.
        let mut multiples = (0..4).map(|more| (before + f64::from(more)) * step);
        multiples.find(|&multiple| multiple > time)
    }

    /// Events are looked at while they come. Steps of lasting contacts of rigid bodies are none: a caller is to look at
    /// the clock in between. Where a run stops decides nothing about what happens in it.
    fn leg(&self, until: f64) -> f64 {
        if !self.has_rigids() {
            return until;
        }
        let leg = RIGID_STEPS_IN_LEG * self.settling().step / self.lasting_rigid().0.max(1) as f64;
        let leg = leg.max(self.settling().step);
        until.min(((self.time() / leg).floor() + 1.0) * leg)
    }

    fn go(
        &mut self,
        until: f64,
        mut stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        let end = self.go(until, |run, event| {
            let ends = tell(&event).is_break();
            // Asked also where the observer wants no more: that the run has come to its end counts for more.
            if let Some(stop) = &mut stop
                && counts(&event)
                && stop(&View::of(run))
            {
                return ControlFlow::Break(End::Condition);
            }
            if ends {
                ControlFlow::Break(End::Observer)
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(end)
    }

    fn set_pose(&mut self, id: BodyId, pose: Pose<S>) -> Option<Result<(), EditError>> {
        self.has_rigids().then(|| self.set_pose(id, pose))
    }
}

/// Whether conditions are looked at after an event.
pub(super) fn counts<S: Engines>(event: &Event<'_, S>) -> bool {
    matches!(
        event,
        Event::Collision(_) | Event::Transition(_) | Event::Released(_)
    )
}
