//! Averages over a run: temperature, pressure, collisions, structure, diffusion.

use crate::run::{Broken, Run, Wanted, go, with};
use carom::observe::Estimate;
use carom::simulate::{RestMemory, Simulation};
use carom_data::{DataSpace, Observe, Observed, Observer, Output, Radial, Schedule};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Runs to the end of a schedule, looking at the states as it says.
fn observe<S: DataSpace>(
    run: &mut Simulation<S>,
    schedule: &Schedule,
) -> Result<Option<Observed>, Broken> {
    let world = run.to_world();
    let Some(mut observer) = Observer::new(schedule, &world) else {
        return Ok(None);
    };
    let mut memory = RestMemory::default();
    loop {
        let look = schedule.look_time(observer.next_look());
        let wanted = Wanted {
            until: look.unwrap_or(schedule.until),
            collisions: None,
            events: None,
            rest: None,
            counts: 0,
            stop_at: 0,
            table: None,
        };
        let outcome = go(run, wanted, &mut memory, false, |event| {
            observer.event(event);
        })?;
        match look {
            Some(_) if outcome.end == "time" => observer.look(run),
            _ => return Ok(Some(observer.report(run.time()))),
        }
    }
}

fn pair(estimate: Estimate) -> (f64, f64) {
    (estimate.mean, estimate.error)
}

#[pymethods]
impl Run {
    /// Runs until a time (s) and averages from another on, with so many samples of the states: means and their standard
    /// errors. Only from the very beginning, as the averages go by the numbers of the bodies.
    #[pyo3(signature = (until, since, looks, radial, displacement))]
    fn observe<'py>(
        &mut self,
        py: Python<'py>,
        until: f64,
        since: f64,
        looks: u64,
        radial: Option<(f64, usize)>,
        displacement: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let now = with!(&self.any, run => run.time());
        let good = since >= now && until > since && until.is_finite() && looks > 0;
        if !good {
            let text =
                "averages go from a time that is not past until a later one, with one look or more";
            return Err(PyValueError::new_err(text));
        }
        let ids = &self.known().bodies;
        if ids.iter().zip(0..).any(|(&id, place)| id != place) {
            let text = "averages need a simulation from which no body was removed";
            return Err(PyValueError::new_err(text));
        }
        let schedule = Schedule {
            until,
            max_collisions: None,
            rest: None,
            output: Output::Never,
            events: false,
            observe: Some(Observe {
                from: since,
                looks,
                radial: radial.map(|(reach, shells)| Radial { reach, shells }),
                displacement,
            }),
        };
        let any = &mut self.any;
        let found = py.detach(|| with!(any, run => observe(run, &schedule)))?;
        let all = PyDict::new(py);
        let Some(found) = found else {
            return Ok(all);
        };
        all.set_item("from", found.from)?;
        all.set_item("duration", found.gas.duration)?;
        all.set_item("samples", found.looks)?;
        all.set_item("collisions", found.gas.collisions)?;
        all.set_item("temperature", pair(found.gas.temperature))?;
        all.set_item("mean_speed", pair(found.gas.mean_speed))?;
        all.set_item("collision_rate", pair(found.gas.collision_rate))?;
        all.set_item("mean_free_path", pair(found.gas.mean_free_path))?;
        let periodic = found.pressure.map(|_| pair(found.gas.compressibility));
        all.set_item("compressibility", periodic)?;
        all.set_item("pressure", found.pressure.map(pair))?;
        let rows = |list: Vec<(f64, Estimate)>| -> Vec<(f64, f64, f64)> {
            let list = list.into_iter();
            list.map(|(at, found)| (at, found.mean, found.error))
                .collect()
        };
        all.set_item("radial", found.radial.map(rows))?;
        all.set_item("mean_squared_displacement", found.displacement.map(rows))?;
        Ok(all)
    }
}
