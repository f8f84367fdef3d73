//! States of many bodies as arrays.

use crate::run::{Known, Run, with};
use carom::body::Kind;
use carom::shape::Shape;
use carom::simulate::Simulation;
use carom::world::BodyId;
use carom_data::DataSpace;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// Rows of `width` numbers, or a flat array where that is one.
fn rows<'py>(py: Python<'py>, numbers: Vec<f64>, width: usize) -> PyResult<Bound<'py, PyAny>> {
    let count = numbers.len() / width;
    let flat = PyArray1::from_vec(py, numbers);
    if width == 1 {
        return Ok(flat.into_any());
    }
    Ok(flat.reshape([count, width])?.into_any())
}

fn known<S: DataSpace>(run: &Simulation<S>, before: Option<Known>) -> Known {
    let bodies: Vec<u32> = run.bodies().iter().map(|id| id.0).collect();
    match before {
        Some(known) if known.bodies == bodies => known,
        _ => {
            let is_free = |id: &&u32| {
                let body = run.body(BodyId(**id));
                body.is_some_and(|body| matches!(body.kind, Kind::Free(_)))
            };
            let free = bodies.iter().filter(is_free).copied().collect();
            Known { bodies, free }
        }
    }
}

impl Run {
    /// The bodies that there are now.
    pub fn known(&mut self) -> &Known {
        let before = self.known.take();
        let known = with!(&self.any, run => known(run, before));
        self.known.insert(known)
    }

    /// The body of that id.
    pub fn known_body(&mut self, id: u32) -> PyResult<BodyId> {
        match self.known().bodies.binary_search(&id) {
            Ok(_) => Ok(BodyId(id)),
            Err(_) => Err(PyKeyError::new_err(format!("there is no body {id}"))),
        }
    }

    /// Those ids, or all free bodies.
    fn chosen(&mut self, ids: Option<PyReadonlyArray1<'_, u32>>) -> PyResult<Vec<u32>> {
        let known = self.known();
        let Some(ids) = ids else {
            return Ok(known.free.clone());
        };
        let ids = ids.as_array().to_vec();
        match ids
            .iter()
            .find(|id| known.bodies.binary_search(id).is_err())
        {
            None => Ok(ids),
            Some(id) => Err(PyKeyError::new_err(format!("there is no body {id}"))),
        }
    }
}

fn numbers<S: DataSpace>(run: &Simulation<S>, ids: &[u32], what: &str) -> (Vec<f64>, usize) {
    let turns = S::ANGULAR_VELOCITY.len();
    let width = match what {
        "angular_velocities" => turns,
        "orientations" => S::ROTATION.len(),
        "radii" | "masses" | "inertias" => 1,
        _ => S::DIMENSION,
    };
    let mut all = Vec::with_capacity(ids.len() * width);
    for id in ids.iter().map(|&id| BodyId(id)) {
        match what {
            "positions" => all.extend_from_slice(&S::components(run.state(id).position)[..width]),
            "velocities" => all.extend_from_slice(&S::components(run.state(id).velocity)[..width]),
            "unwrapped" => {
                all.extend_from_slice(&S::components(run.unwrapped_position(id))[..width]);
            }
            "angular_velocities" => {
                let numbers = S::angular_velocity_numbers(run.state(id).angular_velocity);
                all.extend_from_slice(&numbers[..width]);
            }
            "orientations" => {
                all.extend_from_slice(&S::rotation_numbers(run.state(id).rotation)[..width]);
            }
            _ => all.push(property(run, id, what)),
        }
    }
    (all, width)
}

/// A radius (m), mass (kg) or moment of inertia (kg·m²); NaN where a body has none.
fn property<S: DataSpace>(run: &Simulation<S>, id: BodyId, what: &str) -> f64 {
    let Some(body) = run.body(id) else {
        return f64::NAN;
    };
    match (what, &body.shape, &body.kind) {
        ("radii", Shape::Ball(ball), _) => ball.radius,
        ("masses", _, Kind::Free(free)) => free.mass,
        ("inertias", _, Kind::Free(free)) => free.inertia,
        _ => f64::NAN,
    }
}

#[pymethods]
impl Run {
    /// The ids of all bodies, in the order of insertion.
    fn ids<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, &self.known().bodies)
    }

    /// The ids of the free bodies.
    fn free<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, &self.known().free)
    }

    /// Numbers of some bodies, or of all that are free: `positions`, `unwrapped` (m), `velocities` (m/s),
    /// `angular_velocities` (rad/s), `orientations`, `radii` (m), `masses` (kg), `inertias` (kg·m²).
    #[pyo3(signature = (what, ids = None))]
    fn array<'py>(
        &mut self,
        py: Python<'py>,
        what: &str,
        ids: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids = self.chosen(ids)?;
        let any = &self.any;
        let (all, width) = py.detach(|| with!(any, run => numbers(run, &ids, what)));
        rows(py, all, width)
    }
}
