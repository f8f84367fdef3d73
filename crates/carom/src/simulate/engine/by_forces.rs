//! Today's engine by forces behind the face.

use super::by_impulses::{RIGID_STEPS_IN_LEG, alike, counts};
use super::{Engine, Method, Stepping, Stop, TellEngine, TellIncident, View};
use crate::audit::Audit;
use crate::body::{Body, CollisionFilter};
use crate::force::Couple;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::simulate::cancel::Cancel;
use crate::simulate::compiled::Engines;
use crate::simulate::error::SimulationError;
use crate::simulate::exact::End;
use crate::simulate::refuse::EditError;
use crate::simulate::state::State;
use crate::simulate::stepped::{ForceAudit, Stepped, SteppedError};
use crate::world::{BodyId, World};
use std::ops::ControlFlow;

/// About as many steps of single balls as a tenth of a second is good for.
const BALL_STEPS_IN_LEG: usize = 200_000;

/// Steps by forces between two looks for rest: few enough for it to be found soon, so many that looking costs nothing.
const STEPS_BETWEEN_LOOKS: u64 = 256;

impl<S: Engines> Engine<S> for Stepped<S> {
    alike!();

    fn method(&self) -> Method {
        Method::Forces(*self.forces())
    }

    fn has_rigid_bodies(&self) -> bool {
        self.has_solids()
    }

    fn collisions(&self) -> u64 {
        self.touches()
    }

    fn next_id(&self) -> usize {
        self.bodies_ever()
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

    fn audit(&self) -> Audit<S> {
        self.audit().to_audit()
    }

    fn touching(&self) -> Option<Vec<(BodyId, BodyId, f64)>> {
        Some(self.touching())
    }

    fn couple(&self, a: BodyId, b: BodyId) -> Option<Option<Couple>> {
        Some(self.couple(a, b))
    }

    fn force_audit(&self) -> Option<ForceAudit<S>> {
        Some(self.audit())
    }

    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    fn resting(&self) -> usize {
        0
    }

    fn residual(&self) -> Option<f64> {
        None
    }

    fn segments(&self) -> u64 {
        0
    }

    fn stepping(&self) -> Option<Stepping> {
        Some(Stepping {
            scheme: self.scheme(),
            step: self.step(),
            steps: self.steps(),
            locates: self.locates(),
            engine: self.engine(),
            why_general: self.why_general().map(str::to_owned),
            threads: self.threads(),
            contact_time: self.contact_time(),
        })
    }

    /// Springs go on swinging, however little: never.
    fn is_at_rest(&self) -> bool {
        false
    }

    fn sticking(&self) -> usize {
        0
    }

    fn free_bodies(&self) -> Vec<(BodyId, f64)> {
        self.reaches()
    }

    fn is_slow(&self, _limit: f64, _back: f64) -> Option<bool> {
        None
    }

    fn rests_at_steps(&self) -> bool {
        true
    }

    /// Contacts end without telling of rest: at whole steps.
    fn next_look_for_rest(&self) -> Option<f64> {
        Some(self.end_of_multiple(STEPS_BETWEEN_LOOKS))
    }

    /// Whole steps cost nothing to stop at. Which ones does not depend on where the run was interrupted.
    fn leg(&self, until: f64) -> f64 {
        let bodies = self.bodies().count().max(1);
        let each = if self.has_solids() {
            RIGID_STEPS_IN_LEG as usize
        } else {
            BALL_STEPS_IN_LEG
        };
        let steps = (each / bodies).max(1) as u64;
        until.min(self.end_of_multiple(steps))
    }

    fn set_horizon(&mut self, _until: f64) {}

    fn check_until(&self, until: f64) -> Result<(), SimulationError> {
        Ok(self.check_steps(until)?)
    }

    fn go(
        &mut self,
        until: f64,
        stop: Option<Stop<'_, S>>,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        let Some(stop) = stop else {
            return Ok(self.run_until(until, |incident| incident.tell(&mut *tell))?);
        };
        // States are there where the run has ended, so that it ends at each event and goes on.
        loop {
            let mut ends = false;
            let end = self.run_until(until, |incident| {
                let mut asks = false;
                let told = incident.tell(|event| {
                    asks = counts(event);
                    tell(event)
                });
                ends = told.is_break();
                if asks { ControlFlow::Break(()) } else { told }
            })?;
            if end != End::Observer {
                return Ok(end);
            }
            if stop(&View::of(self)) {
                return Ok(End::Condition);
            }
            if ends {
                return Ok(End::Observer);
            }
        }
    }

    fn go_through(
        &mut self,
        instant: f64,
        tell: TellEngine<'_, S>,
    ) -> Result<End, SimulationError> {
        Ok(self.run_through(instant, |incident| incident.tell(&mut *tell))?)
    }

    fn go_by_contacts(
        &mut self,
        until: f64,
        tell: TellIncident<'_, S>,
    ) -> Result<End, SimulationError> {
        Ok(self.run_until(until, tell)?)
    }

    fn wrong_time(&self, until: f64) -> SimulationError {
        let time = self.time();
        SteppedError::Until { until, time }.into()
    }

    fn set_pose(&mut self, _id: BodyId, _pose: Pose<S>) -> Option<Result<(), EditError>> {
        None
    }

    fn change_materials(
        &mut self,
        change: &mut dyn FnMut(&mut Materials),
    ) -> Result<(), EditError> {
        self.change_materials(change)
    }
}
