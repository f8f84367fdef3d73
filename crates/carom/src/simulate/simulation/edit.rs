//! Changes from outside, between two runs, at the time that the clock shows.

use super::{Compiled, Simulation};
use crate::body::{Body, CollisionFilter, IntoBody};
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::simulate::error::SimulationError;
use crate::world::BodyId;

/// Changes. Where one is refused, nothing has been changed. What it brings in or takes out is an account of its own in
/// the [budgets](Self::audit), and the next run reports it first.
impl<S: Compiled> Simulation<S> {
    /// Puts a body in. It is refused, with everything that is wrong, where a number is not allowed, where it does not
    /// fit the periodic box, or where it overlaps another.
    ///
    /// The motion of a kinematic body is a function of world time: the body's pose is that of time 0.
    pub fn insert(&mut self, body: impl IntoBody<S>) -> Result<BodyId, SimulationError> {
        let body = body.into_body()?;
        Ok(self.engine_mut().insert(body)?)
    }

    /// Takes a body out, and hands it over as it was; a fixture as it was inserted.
    pub fn remove(&mut self, id: BodyId) -> Result<Body<S>, SimulationError> {
        Ok(self.engine_mut().remove(id)?)
    }

    /// Gives a free body another velocity (m/s) and angular velocity (rad/s).
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<(), SimulationError> {
        let run = self.engine_mut();
        Ok(run.set_velocity(id, velocity, angular_velocity)?)
    }

    /// Adds to the velocities of free bodies, m/s, as one change. What it adds to the energy is in the budget as given
    /// from outside.
    pub fn kick(&mut self, kicks: &[(BodyId, S::Vector)]) -> Result<(), SimulationError> {
        Ok(self.engine_mut().kick(kicks)?)
    }

    /// Puts a free body elsewhere, m, if nothing is there. In a periodic box it has not gone round any side then.
    pub fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_position(id, position)?)
    }

    /// Puts a free body elsewhere (m) and turns it, if nothing is there. Only where there are rigid bodies, by
    /// impulses.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose<S>) -> Result<(), SimulationError> {
        match self.engine_mut().set_pose(id, pose) {
            Some(done) => Ok(done?),
            None => Err(SimulationError::NotYet {
                what: "to turn a body from outside",
                only: "a simulation of rigid bodies by impulses",
            }),
        }
    }

    /// Makes a body of another material.
    pub fn set_material(
        &mut self,
        id: BodyId,
        material: MaterialId,
    ) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_material(id, material)?)
    }

    /// Gives a body another collision filter. Refused where it overlaps a body that it did not collide with so far.
    pub fn set_groups(
        &mut self,
        id: BodyId,
        groups: CollisionFilter,
    ) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_groups(id, groups)?)
    }

    /// Changes the table of materials: adds some, gives others new numbers, lays down what holds between two. Hands
    /// back what `change` returns.
    pub fn change_materials<R>(
        &mut self,
        change: impl FnOnce(&mut Materials) -> R,
    ) -> Result<R, SimulationError> {
        let (mut change, mut result) = (Some(change), None);
        (self.engine_mut()).change_materials(&mut |materials| {
            result = change.take().map(|change| change(materials));
        })?;
        Ok(result.expect("the change is made once"))
    }

    /// Sets the external force and torque on a free body, instead of those before; `None` for none.
    ///
    /// ```
    /// use carom::motion::Load;
    /// use carom::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World2::new();
    /// let ball = world.add(Body::free(Shape::ball(0.5)?).mass(2.0))?;
    /// let mut run = Simulation::new(world)?;
    /// run.set_load(ball, Some(Load::default().with_force(DVec2::new(6.0, 0.0))))?;
    /// run.run_until(1.0)?;
    /// run.set_load(ball, None)?;
    /// run.run_until(2.0)?;
    /// assert_eq!(run.state(ball).velocity, DVec2::new(3.0, 0.0));
    /// assert!((run.audit().external_work - 9.0).abs() < 1e-14); // ½ m v²
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_load(id, load)?)
    }

    /// Sets the uniform gravity, m/s².
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_gravity(gravity)?)
    }

    /// Sets what acts on bodies besides contacts, gravity included: a wind gets up, drag ceases.
    pub fn set_fields(&mut self, fields: Fields<S>) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_fields(fields)?)
    }

    /// Gives a fixture another motion, from where it is.
    pub fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_drive(id, drive)?)
    }

    /// Lets a fixture stand where it is from now on.
    pub fn stand_still(&mut self, id: BodyId) -> Result<(), SimulationError> {
        Ok(self.engine_mut().stand_still(id)?)
    }

    /// Lets a fixture move from now on as if it had been inserted with that pose and that motion (`None`: it stands).
    /// Refused where it would jump.
    pub fn set_motion(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
    ) -> Result<(), SimulationError> {
        Ok(self.engine_mut().set_motion(id, pose, drive)?)
    }
}
