//! Scenes as they are read, with balls from arrays added.

use crate::error;
use carom::body::{Body, CollisionFilter, Kind};
use carom::material::MaterialId;
use carom::space::Space;
use carom::world::World;
use carom_data::DataSpace;
use carom_scene::{AnyWorld, Limits};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A scene that was read.
#[pyclass(module = "carom._carom")]
pub struct Scene {
    pub inner: carom_scene::Scene,
}

/// The JSON schema of scene files.
#[pyfunction]
pub fn schema() -> String {
    carom_scene::schema()
}

#[pymethods]
impl Scene {
    /// Reads a scene file.
    #[staticmethod]
    #[pyo3(signature = (path, overrides, empty = false))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        overrides: Vec<(String, String)>,
        empty: bool,
    ) -> PyResult<Self> {
        let limits = Limits {
            empty,
            ..Limits::default()
        };
        let read = py.detach(|| carom_scene::load_within(&path, &overrides, &limits));
        let inner = read.map_err(|errors| error::scene(&errors))?;
        Ok(Scene { inner })
    }

    /// Reads a scene from text. A name that ends in `.json` says that it is JSON.
    #[staticmethod]
    #[pyo3(signature = (name, text, overrides, empty = false))]
    fn parse(
        py: Python<'_>,
        name: &str,
        text: &str,
        overrides: Vec<(String, String)>,
        empty: bool,
    ) -> PyResult<Self> {
        let limits = Limits {
            empty,
            ..Limits::default()
        };
        let read = py.detach(|| carom_scene::parse_within(name, text, &overrides, &limits));
        let inner = read.map_err(|errors| error::scene(&errors))?;
        Ok(Scene { inner })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.inner.title
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.inner.world.dimension()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.inner.seed
    }

    #[getter]
    fn method(&self) -> &'static str {
        self.inner.method.name()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    #[getter]
    fn groups(&self) -> Vec<String> {
        self.inner.groups.clone()
    }

    /// The materials that bodies are made of.
    #[getter]
    fn materials(&self) -> Vec<String> {
        fn names<S: DataSpace>(world: &World<S>) -> Vec<String> {
            let used: BTreeSet<_> = world.bodies().iter().map(|body| body.material).collect();
            let name = |id: MaterialId| world.materials.name(id).to_owned();
            used.into_iter().map(name).collect()
        }
        match &self.inner.world {
            AnyWorld::Two(world) => names(world),
            AnyWorld::Three(world) => names(world),
        }
    }

    /// When its run ends (s), after how many collisions, and below which speed (m/s).
    #[getter]
    fn run(&self) -> (f64, Option<u64>, Option<f64>) {
        let run = self.inner.run;
        (run.until, run.max_collisions, run.rest)
    }

    /// From one stored state to the next, s.
    #[getter]
    fn interval(&self) -> Option<f64> {
        self.inner.output.interval
    }

    /// The numbers that have a name, with the values that a sweep goes through.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for variable in &self.inner.variables {
            all.set_item(&variable.name, variable.values.clone())?;
        }
        Ok(all)
    }

    fn __len__(&self) -> usize {
        self.inner.world.len()
    }

    fn copy(&self) -> Self {
        Scene {
            inner: self.inner.clone(),
        }
    }

    /// Adds balls: `positions` and `velocities` of shape (n, d), `angular_velocities` of shape (n, 1) or (n, 3),
    /// `radii` and `masses` of n numbers or one. Answers the number of the first.
    #[allow(clippy::too_many_arguments)] // One for each array.
    #[pyo3(signature = (positions, velocities, angular_velocities, radii, masses, density, material, groups, collides_with))]
    fn add_balls(
        &mut self,
        positions: PyReadonlyArray2<'_, f64>,
        velocities: Option<PyReadonlyArray2<'_, f64>>,
        angular_velocities: Option<PyReadonlyArray2<'_, f64>>,
        radii: PyReadonlyArray1<'_, f64>,
        masses: PyReadonlyArray1<'_, f64>,
        density: bool,
        material: Option<&str>,
        groups: Option<Vec<String>>,
        collides_with: Option<Vec<String>>,
    ) -> PyResult<usize> {
        if self.inner.plan.has_waiting() {
            // Theirs are the numbers after those of the scene.
            let text = "balls from arrays cannot be added to a scene in which bodies come later ([[when]])";
            return Err(PyValueError::new_err(text));
        }
        let rows = positions.shape()[0];
        let columns = |array: &Option<PyReadonlyArray2<'_, f64>>| {
            array.as_ref().map_or(0, |array| array.shape()[1])
        };
        let balls = Balls {
            rows,
            positions: positions.as_slice()?,
            velocities: velocities
                .as_ref()
                .map(|array| array.as_slice())
                .transpose()?,
            angular: angular_velocities
                .as_ref()
                .map(|array| array.as_slice())
                .transpose()?,
            angular_columns: columns(&angular_velocities),
            radii: radii.as_slice()?,
            masses: masses.as_slice()?,
            density,
            groups: CollisionFilter {
                memberships: self.bits(groups, true)?,
                mask: self.bits(collides_with, false)?,
            },
        };
        let first = self.inner.world.len();
        match &mut self.inner.world {
            AnyWorld::Two(world) => balls.add(world, material)?,
            AnyWorld::Three(world) => balls.add(world, material)?,
        }
        Ok(first)
    }
}

impl Scene {
    /// The bodies, for a simulation that is the only one; an empty world is left.
    pub fn take_world(&mut self) -> AnyWorld {
        let empty = match &self.inner.world {
            AnyWorld::Two(_) => AnyWorld::Two(World::default()),
            AnyWorld::Three(_) => AnyWorld::Three(World::default()),
        };
        std::mem::replace(&mut self.inner.world, empty)
    }

    /// The bits of groups; those that no body has yet are new, or refused.
    fn bits(&mut self, names: Option<Vec<String>>, new: bool) -> PyResult<u32> {
        let Some(names) = names else {
            return Ok(u32::MAX);
        };
        let mut bits = 0;
        for name in names {
            let known = &mut self.inner.groups;
            let place = match known.iter().position(|other| *other == name) {
                Some(place) => place,
                None if new => {
                    known.push(name);
                    known.len() - 1
                }
                None => {
                    let text = format!("there is no group `{name}` that a body belongs to");
                    return Err(error::SceneError::new_err(text));
                }
            };
            if place >= 32 {
                return Err(error::SceneError::new_err("there are at most 32 groups"));
            }
            bits |= 1 << place;
        }
        Ok(bits)
    }
}

/// Balls in arrays.
struct Balls<'a> {
    rows: usize,
    positions: &'a [f64],
    velocities: Option<&'a [f64]>,
    angular: Option<&'a [f64]>,
    angular_columns: usize,
    radii: &'a [f64],
    masses: &'a [f64],
    density: bool,
    groups: CollisionFilter,
}

impl Balls<'_> {
    fn add<S: DataSpace>(&self, world: &mut World<S>, material: Option<&str>) -> PyResult<()> {
        self.check::<S>()?;
        let material = match material {
            Some(name) => Some(named::<S>(world, name)?),
            None => None,
        };
        let vector = |numbers: &[f64], row: usize| {
            let mut all = [0.0; 3];
            let from = row * S::DIMENSION;
            all[..S::DIMENSION].copy_from_slice(&numbers[from..from + S::DIMENSION]);
            S::vector(all)
        };
        let wrong = |row: usize, text: String| {
            error::SceneError::new_err(format!("row {row} of the arrays: {text}"))
        };
        for row in 0..self.rows {
            let radius = self.radii[row.min(self.radii.len() - 1)];
            let mut mass = self.masses[row.min(self.masses.len() - 1)];
            if self.density {
                mass *= volume(S::DIMENSION, radius);
            }
            let velocity = match self.velocities {
                Some(numbers) => vector(numbers, row),
                None => S::vector([0.0; 3]),
            };
            let body = Body::ball(radius, mass, vector(self.positions, row), velocity);
            let mut body = body.map_err(|error| wrong(row, error.to_string()))?;
            body.groups = self.groups;
            if let Some(material) = material {
                body.material = material;
            }
            if let (Some(numbers), Kind::Free(free)) = (self.angular, &mut body.kind) {
                let mut all = [0.0; 3];
                let from = row * self.angular_columns;
                all[..self.angular_columns]
                    .copy_from_slice(&numbers[from..from + self.angular_columns]);
                free.angular_velocity = S::angular_velocity_of(all);
            }
            world
                .add(body)
                .map_err(|error| wrong(row, error.to_string()))?;
        }
        Ok(())
    }

    fn check<S: DataSpace>(&self) -> PyResult<()> {
        let expect = |good: bool, what: String| {
            if good {
                Ok(())
            } else {
                Err(PyValueError::new_err(what))
            }
        };
        let (rows, dimension) = (self.rows, S::DIMENSION);
        let whole = rows * dimension;
        expect(
            self.positions.len() == whole,
            format!(
                "positions must have {dimension} columns, as the scene has dimension = {dimension}"
            ),
        )?;
        expect(
            self.velocities.is_none_or(|all| all.len() == whole),
            format!("velocities must have the shape ({rows}, {dimension}), as positions have"),
        )?;
        let turns = S::ANGULAR_VELOCITY.len();
        expect(
            self.angular
                .is_none_or(|all| self.angular_columns == turns && all.len() == rows * turns),
            format!("angular_velocities must have {rows} rows of {turns} numbers"),
        )?;
        for (name, numbers) in [("radii", self.radii), ("masses", self.masses)] {
            expect(
                numbers.len() == 1 || numbers.len() == rows,
                format!("{name} must be one number or {rows} of them"),
            )?;
        }
        Ok(())
    }
}

/// Area of a disc (m²) or volume of a sphere (m³).
fn volume(dimension: usize, radius: f64) -> f64 {
    let square = std::f64::consts::PI * radius * radius;
    if dimension == 2 {
        square
    } else {
        4.0 / 3.0 * square * radius
    }
}

fn named<S: DataSpace>(world: &World<S>, name: &str) -> PyResult<MaterialId> {
    world.materials.find(name).ok_or_else(|| {
        error::SceneError::new_err(format!("there is no material `{name}` in the scene"))
    })
}

/// A vector of the space from as many numbers as it has dimensions.
pub fn vector<S: Space>(numbers: &[f64], what: &str) -> PyResult<S::Vector> {
    if numbers.len() != S::DIMENSION {
        let text = format!(
            "{what} has {} numbers, but must have {}, as the scene has dimension = {}",
            numbers.len(),
            S::DIMENSION,
            S::DIMENSION
        );
        return Err(PyValueError::new_err(text));
    }
    let mut all = [0.0; 3];
    all[..S::DIMENSION].copy_from_slice(numbers);
    Ok(S::vector(all))
}

/// An angular velocity or a torque: one number in 2-D, three in 3-D.
pub fn angular<S: DataSpace>(numbers: &[f64], what: &str) -> PyResult<S::Angular> {
    let expected = S::ANGULAR_VELOCITY.len();
    if numbers.len() != expected {
        let text = format!(
            "{what} has {} numbers, but must have {expected}",
            numbers.len()
        );
        return Err(PyValueError::new_err(text));
    }
    let mut all = [0.0; 3];
    all[..expected].copy_from_slice(numbers);
    Ok(S::angular_velocity_of(all))
}
