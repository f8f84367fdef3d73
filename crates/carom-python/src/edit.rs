//! Changes between two runs.

use crate::error;
use crate::run::{Any, Run, with};
use crate::scene::{Scene, angular, vector};
use carom::body::CollisionFilter;
use carom::body::Kind;
use carom::glam::DQuat;
use carom::motion::{Load, Pose};
use carom::simulate::{Simulation, SimulationError};
use carom::space::Space;
use carom::world::{BodyId, World};
use carom_data::DataSpace;
use carom_scene::AnyWorld;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn refused(error: SimulationError) -> PyErr {
    error::simulation(&error)
}

/// Both must be of the same dimension.
fn other_dimension() -> PyErr {
    PyValueError::new_err("the simulation has another dimension")
}

macro_rules! both {
    ($any:expr, $world:expr, ($run:ident, $other:ident) => $do:expr) => {
        match ($any, $world) {
            (Any::Two($run), AnyWorld::Two($other)) => $do,
            (Any::Three($run), AnyWorld::Three($other)) => $do,
            _ => Err(other_dimension()),
        }
    };
}

/// Puts the last body of a scene in; its material is found by name.
fn insert<S: DataSpace>(run: &mut Simulation<S>, from: &World<S>) -> PyResult<u32> {
    let Some(body) = from.bodies().last() else {
        return Err(PyValueError::new_err("the scene has no body to insert"));
    };
    let mut body = body.clone();
    let name = from.materials.name(body.material);
    if let Some(material) = run.materials().find(name) {
        body.material = material;
    }
    Ok(run.insert(body).map_err(refused)?.0)
}

/// Gives materials the numbers that a scene has for them.
fn change_material<S: DataSpace>(
    run: &mut Simulation<S>,
    from: &World<S>,
    name: &str,
) -> PyResult<()> {
    let Some(id) = from.materials.find(name) else {
        return Err(PyValueError::new_err(format!(
            "there is no material `{name}`"
        )));
    };
    let (material, constants) = (
        *from.materials.get(id),
        from.materials.constants(id).copied(),
    );
    let changed = run.change_materials(|materials| {
        let id = materials.add(name, material)?;
        if let Some(constants) = constants {
            materials.set_constants(id, constants)?;
        }
        Ok::<(), SimulationError>(())
    });
    changed.and_then(|done| done).map_err(refused)
}

fn pose<S: DataSpace>(position: &[f64], orientation: &[f64]) -> PyResult<Pose<S>> {
    let quaternion = match orientation {
        [angle] => DQuat::from_rotation_z(*angle),
        [w, x, y, z] => DQuat::from_xyzw(*x, *y, *z, *w).normalize(),
        _ => {
            let text = "an orientation is an angle in 2-D, a quaternion (w, x, y, z) in 3-D";
            return Err(PyValueError::new_err(text));
        }
    };
    Ok(Pose {
        position: vector::<S>(position, "position")?,
        rotation: <S as Space>::rotation_of_quaternion(quaternion),
    })
}

fn set_velocity<S: DataSpace>(
    run: &mut Simulation<S>,
    id: BodyId,
    velocity: Option<&[f64]>,
    angular_velocity: Option<&[f64]>,
) -> PyResult<()> {
    let state = run.state(id);
    let velocity = match velocity {
        Some(numbers) => vector::<S>(numbers, "velocity")?,
        None => state.velocity,
    };
    let angular_velocity = match angular_velocity {
        Some(numbers) => angular::<S>(numbers, "angular_velocity")?,
        None => state.angular_velocity,
    };
    run.set_velocity(id, velocity, angular_velocity)
        .map_err(refused)
}

fn set_position<S: DataSpace>(
    run: &mut Simulation<S>,
    id: BodyId,
    position: &[f64],
    orientation: Option<&[f64]>,
) -> PyResult<()> {
    match orientation {
        Some(orientation) => run.set_pose(id, pose::<S>(position, orientation)?),
        None => run.set_position(id, vector::<S>(position, "position")?),
    }
    .map_err(refused)
}

fn set_gravity<S: DataSpace>(run: &mut Simulation<S>, gravity: &[f64]) -> PyResult<()> {
    run.set_gravity(vector::<S>(gravity, "gravity")?)
        .map_err(refused)
}

fn set_load<S: DataSpace>(
    run: &mut Simulation<S>,
    id: BodyId,
    force: Option<&[f64]>,
    torque: Option<&[f64]>,
) -> PyResult<()> {
    let mut load = Load::default();
    if let Some(force) = force {
        load = load.with_force(vector::<S>(force, "force")?);
    }
    if let Some(torque) = torque {
        load = load.with_torque(angular::<S>(torque, "torque")?);
    }
    let load = (force.is_some() || torque.is_some()).then_some(load);
    run.set_load(id, load).map_err(refused)
}

/// Lets a fixture move from now on as the last body of a scene does.
fn set_motion<S: DataSpace>(run: &mut Simulation<S>, id: BodyId, from: &World<S>) -> PyResult<()> {
    match from.bodies().last().map(|body| &body.kind) {
        Some(Kind::Kinematic(drive)) => run.set_drive(id, drive.clone()).map_err(refused),
        _ => run.stand_still(id).map_err(refused),
    }
}

#[pymethods]
impl Run {
    /// Puts the last body of a scene in; answers its id.
    fn insert(&mut self, scene: &Scene) -> PyResult<u32> {
        let id = both!(&mut self.any, &scene.inner.world, (run, world) => insert(run, world))?;
        self.groups = scene.inner.groups.clone();
        Ok(id)
    }

    /// Takes a body out.
    fn remove(&mut self, id: u32) -> PyResult<()> {
        with!(&mut self.any, run => run.remove(BodyId(id)).map(drop)).map_err(refused)
    }

    /// Gives a free body another velocity (m/s) or angular velocity (rad/s).
    #[pyo3(signature = (id, velocity, angular_velocity))]
    fn set_velocity(
        &mut self,
        id: u32,
        velocity: Option<Vec<f64>>,
        angular_velocity: Option<Vec<f64>>,
    ) -> PyResult<()> {
        let id = self.known_body(id)?;
        let (velocity, angular) = (velocity.as_deref(), angular_velocity.as_deref());
        with!(&mut self.any, run => set_velocity(run, id, velocity, angular))
    }

    /// Puts a free body elsewhere (m), and turns it where an orientation is given.
    #[pyo3(signature = (id, position, orientation))]
    fn set_position(
        &mut self,
        id: u32,
        position: Vec<f64>,
        orientation: Option<Vec<f64>>,
    ) -> PyResult<()> {
        let id = self.known_body(id)?;
        with!(&mut self.any, run => set_position(run, id, &position, orientation.as_deref()))
    }

    /// Makes a body of another material.
    fn set_material(&mut self, id: u32, name: &str) -> PyResult<()> {
        let id = self.known_body(id)?;
        let material = with!(&self.any, run => run.materials().find(name));
        let Some(material) = material else {
            return Err(PyValueError::new_err(format!(
                "there is no material `{name}`"
            )));
        };
        with!(&mut self.any, run => run.set_material(id, material)).map_err(refused)
    }

    /// Gives a material the numbers that it has in a scene.
    fn change_material(&mut self, scene: &Scene, name: &str) -> PyResult<()> {
        both!(&mut self.any, &scene.inner.world, (run, world) => change_material(run, world, name))
    }

    /// Gives a body the collision filter of the last body of a scene.
    fn set_groups(&mut self, id: u32, scene: &Scene) -> PyResult<()> {
        let id = self.known_body(id)?;
        let filter: Option<CollisionFilter> = match &scene.inner.world {
            AnyWorld::Two(world) => world.bodies().last().map(|body| body.groups),
            AnyWorld::Three(world) => world.bodies().last().map(|body| body.groups),
        };
        let filter = filter.unwrap_or_default();
        with!(&mut self.any, run => run.set_groups(id, filter)).map_err(refused)?;
        self.groups = scene.inner.groups.clone();
        Ok(())
    }

    /// Sets the uniform gravity, m/s².
    fn set_gravity(&mut self, gravity: Vec<f64>) -> PyResult<()> {
        with!(&mut self.any, run => set_gravity(run, &gravity))
    }

    /// Sets the fields, gravity included, to those of a scene.
    fn set_fields(&mut self, scene: &Scene) -> PyResult<()> {
        both!(&mut self.any, &scene.inner.world, (run, world) => {
            run.set_fields(world.fields().clone()).map_err(refused)
        })
    }

    /// Sets the external force (N) and torque (N·m) on a free body; none where both are left out.
    #[pyo3(signature = (id, force, torque))]
    fn set_load(
        &mut self,
        id: u32,
        force: Option<Vec<f64>>,
        torque: Option<Vec<f64>>,
    ) -> PyResult<()> {
        let id = self.known_body(id)?;
        with!(&mut self.any, run => set_load(run, id, force.as_deref(), torque.as_deref()))
    }

    /// Lets a fixture move from now on as the last body of a scene does; it stands where that one does.
    fn set_motion(&mut self, id: u32, scene: &Scene) -> PyResult<()> {
        let id = self.known_body(id)?;
        both!(&mut self.any, &scene.inner.world, (run, world) => set_motion(run, id, world))
    }
}
