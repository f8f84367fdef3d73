//! What is where, now.

use crate::error;
use crate::run::{Run, with};
use crate::scene::vector;
use carom::simulate::{Hit, SimulationError};
use carom::space::Space;
use carom_data::DataSpace;
use pyo3::prelude::*;

/// Body, distance (m), point (m), normal.
type Found = (u32, f64, Vec<f64>, Vec<f64>);

fn found<S: DataSpace>(hit: &Hit<S>) -> Found {
    let numbers = |vector: S::Vector| components::<S>(vector);
    (
        hit.body.0,
        hit.distance,
        numbers(hit.point),
        numbers(hit.normal),
    )
}

/// As many numbers as the space has dimensions.
pub fn components<S: Space>(vector: S::Vector) -> Vec<f64> {
    S::components(vector)[..S::DIMENSION].to_vec()
}

fn refused(error: carom::simulate::QueryError) -> PyErr {
    error::simulation(&SimulationError::Query(error))
}

#[pymethods]
impl Run {
    /// The bodies that a ray hits within a length (m), in order of distance; only the first where `through` is false.
    #[pyo3(signature = (origin, direction, length, through, sensors))]
    fn ray(
        &self,
        origin: Vec<f64>,
        direction: Vec<f64>,
        length: f64,
        through: bool,
        sensors: bool,
    ) -> PyResult<Vec<Found>> {
        fn ask<S: DataSpace>(
            run: &carom::simulate::Simulation<S>,
            (origin, direction): (&[f64], &[f64]),
            length: f64,
            (through, sensors): (bool, bool),
        ) -> PyResult<Vec<Found>> {
            let origin = vector::<S>(origin, "origin")?;
            let direction = vector::<S>(direction, "direction")?;
            let query = run.query();
            let query = if sensors {
                query
            } else {
                query.without_sensors()
            };
            let hits = if through {
                query.ray_through(origin, direction, length)
            } else {
                let first = query.ray(origin, direction, length);
                first.map(|hit| hit.into_iter().collect())
            };
            Ok(hits.map_err(refused)?.iter().map(found).collect())
        }
        with!(&self.any, run => ask(run, (&origin, &direction), length, (through, sensors)))
    }

    /// All bodies that a ball at a point would touch or overlap.
    fn in_ball(&self, centre: Vec<f64>, radius: f64) -> PyResult<Vec<u32>> {
        fn ask<S: DataSpace>(
            run: &carom::simulate::Simulation<S>,
            centre: &[f64],
            radius: f64,
        ) -> PyResult<Vec<u32>> {
            let found = run.query().in_ball(vector::<S>(centre, "centre")?, radius);
            Ok(found.map_err(refused)?.iter().map(|id| id.0).collect())
        }
        with!(&self.any, run => ask(run, &centre, radius))
    }

    /// All bodies in a box along the axes.
    fn in_box(&self, low: Vec<f64>, high: Vec<f64>) -> PyResult<Vec<u32>> {
        fn ask<S: DataSpace>(
            run: &carom::simulate::Simulation<S>,
            low: &[f64],
            high: &[f64],
        ) -> PyResult<Vec<u32>> {
            let (low, high) = (vector::<S>(low, "low")?, vector::<S>(high, "high")?);
            let found = run.query().in_box(low, high);
            Ok(found.map_err(refused)?.iter().map(|id| id.0).collect())
        }
        with!(&self.any, run => ask(run, &low, &high))
    }

    /// The bodies whose surfaces are nearest to a point, and how far away they are, m.
    fn nearest(&self, place: Vec<f64>, number: usize) -> PyResult<Vec<(u32, f64)>> {
        fn ask<S: DataSpace>(
            run: &carom::simulate::Simulation<S>,
            place: &[f64],
            number: usize,
        ) -> PyResult<Vec<(u32, f64)>> {
            let found = run.query().nearest(vector::<S>(place, "place")?, number);
            let found = found.map_err(refused)?;
            Ok(found.iter().map(|(id, far)| (id.0, *far)).collect())
        }
        with!(&self.any, run => ask(run, &place, number))
    }

    /// The bodies that are inside a sensor now.
    fn inside(&mut self, sensor: u32) -> PyResult<Vec<u32>> {
        let sensor = self.known_body(sensor)?;
        let inside = with!(&self.any, run => run.inside(sensor));
        Ok(inside.iter().map(|id| id.0).collect())
    }

    /// Which bodies touch now, and how deep they overlap, m. Only by forces.
    fn touching(&self) -> PyResult<Vec<(u32, u32, f64)>> {
        let found = with!(&self.any, run => run.touching());
        let found = found.map_err(|error| error::simulation(&error))?;
        Ok(found.iter().map(|(a, b, deep)| (a.0, b.0, *deep)).collect())
    }
}
