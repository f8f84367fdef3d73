//! What a director needs of a run, by impulses or by forces.

use super::DirectorError;
use crate::body::{Body, Groups};
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Pose};
use crate::record::Event;
use crate::shape::Shaped;
use crate::simulate::Compiled;
use crate::simulate::exact::{End, Exact};
use crate::simulate::refuse::EditError;
use crate::simulate::rigid::Rigid;
use crate::simulate::stepped::{Incident, Stepped};
use crate::space::Space;
use crate::world::BodyId;
use std::ops::ControlFlow;

mod sealed {
    pub trait Sealed {}
}

impl<S: Shaped> sealed::Sealed for Exact<S> {}
impl<S: Shaped> sealed::Sealed for Rigid<S> {}
impl<S: Shaped> sealed::Sealed for Stepped<S> {}

/// A run that can be directed: [`Exact`], [`Rigid`] or [`Stepped`].
///
/// By forces a collision is told when its contact ends; what it sets off is done at the end of the step in which that is.
pub trait Directed<S: Shaped>: sealed::Sealed + Sized {
    /// The clock, s.
    fn time(&self) -> f64;

    /// The name of a body; empty where it has none.
    fn name(&self, id: BodyId) -> &str;

    /// A body as it is now; `None` where there is none, or none any more.
    fn body(&self, id: BodyId) -> Option<Body<S>>;

    /// The number that the next body to come will have.
    fn next_id(&self) -> usize;

    /// The table of materials.
    fn materials(&self) -> &Materials;

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    fn periods(&self) -> [f64; 3];

    /// Runs until a world time, s, telling of everything before it.
    fn go_until(
        &mut self,
        until: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError>;

    /// Runs until a world time, s, and through everything at that very instant.
    fn go_through(
        &mut self,
        instant: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError>;

    /// What is said where a time asked for is not one that the run can go to.
    fn wrong_time(&self, until: f64) -> DirectorError;

    /// Puts a body in.
    fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError>;

    /// Takes a body out.
    fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError>;

    /// Gives a ball another velocity (m/s) and spin (rad/s).
    fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        spin: S::Spin,
    ) -> Result<(), EditError>;

    /// Puts a ball elsewhere, m.
    fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError>;

    /// Makes a body of another material.
    fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError>;

    /// Lets a body meet others than before.
    fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), EditError>;

    /// Changes the table of materials.
    fn revise_materials(&mut self, change: impl FnOnce(&mut Materials)) -> Result<(), EditError>;

    /// Sets the uniform gravity, m/s².
    fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError>;

    /// Sets what acts on balls besides contacts.
    fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError>;

    /// Lets a fixed or prescribed body move as prescribed, from where it is.
    fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError>;

    /// Lets a fixed or prescribed body stand where it is.
    fn stand_still(&mut self, id: BodyId) -> Result<(), EditError>;

    /// Lets a fixed or prescribed body move as if it had been inserted so.
    fn set_motion(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
    ) -> Result<(), EditError>;
}

/// What both have under the same name and in the same form.
macro_rules! alike {
    () => {
        fn time(&self) -> f64 {
            self.time()
        }

        fn name(&self, id: BodyId) -> &str {
            self.name(id)
        }

        fn body(&self, id: BodyId) -> Option<Body<S>> {
            self.body(id)
        }

        fn materials(&self) -> &Materials {
            self.materials()
        }

        fn periods(&self) -> [f64; 3] {
            self.periods()
        }

        fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError> {
            self.insert(body)
        }

        fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError> {
            self.remove(id)
        }

        fn set_velocity(
            &mut self,
            id: BodyId,
            velocity: S::Vector,
            spin: S::Spin,
        ) -> Result<(), EditError> {
            self.set_velocity(id, velocity, spin)
        }

        fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError> {
            self.set_position(id, position)
        }

        fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError> {
            self.set_material(id, material)
        }

        fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), EditError> {
            self.set_groups(id, groups)
        }

        fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError> {
            self.set_gravity(gravity)
        }

        fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError> {
            self.set_fields(fields)
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

impl<S: Compiled> Directed<S> for Exact<S> {
    alike!();

    fn next_id(&self) -> usize {
        self.bodies().last().map_or(0, |id| id.0 as usize + 1)
    }

    fn go_until(
        &mut self,
        until: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_until(until, listener)?)
    }

    fn go_through(
        &mut self,
        instant: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_through(instant, listener)?)
    }

    fn wrong_time(&self, until: f64) -> DirectorError {
        let time = self.time();
        crate::simulate::exact::RunError::Until { until, time }.into()
    }

    fn revise_materials(&mut self, change: impl FnOnce(&mut Materials)) -> Result<(), EditError> {
        self.change_materials(change);
        Ok(())
    }
}

impl<S: Compiled> Directed<S> for Rigid<S> {
    alike!();

    fn next_id(&self) -> usize {
        self.bodies_ever()
    }

    fn go_until(
        &mut self,
        until: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_until(until, listener)?)
    }

    fn go_through(
        &mut self,
        instant: f64,
        listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_through(instant, listener)?)
    }

    fn wrong_time(&self, until: f64) -> DirectorError {
        let time = self.time();
        crate::simulate::exact::RunError::Until { until, time }.into()
    }

    fn revise_materials(&mut self, change: impl FnOnce(&mut Materials)) -> Result<(), EditError> {
        self.change_materials(change);
        Ok(())
    }
}

impl<S: Compiled> Directed<S> for Stepped<S> {
    alike!();

    fn next_id(&self) -> usize {
        self.bodies_ever()
    }

    fn go_until(
        &mut self,
        until: f64,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_until(until, |incident| incident.tell(&mut listener))?)
    }

    fn go_through(
        &mut self,
        instant: f64,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> Result<End, DirectorError> {
        Ok(self.run_through(instant, |incident| incident.tell(&mut listener))?)
    }

    fn wrong_time(&self, until: f64) -> DirectorError {
        let time = self.time();
        crate::simulate::stepped::SteppedError::Until { until, time }.into()
    }

    fn revise_materials(&mut self, change: impl FnOnce(&mut Materials)) -> Result<(), EditError> {
        self.change_materials(change)
    }
}

impl<S: Space> Incident<S> {
    /// Tells it in the form in which a run by impulses would: a contact as a collision when it has ended. That one has begun is not told.
    pub fn tell(
        &self,
        mut listener: impl FnMut(&Event<'_, S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Incident::Began(_) => ControlFlow::Continue(()),
            Incident::Ended(touch) => listener(&Event::Collision(&touch.to_collision())),
            Incident::Entered(passage) => listener(&Event::Entered(*passage)),
            Incident::Left(passage) => listener(&Event::Left(*passage)),
            Incident::Edited(edit) => listener(&Event::Edited(*edit)),
        }
    }
}
