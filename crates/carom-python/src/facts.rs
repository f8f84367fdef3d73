//! What a simulation says of itself, in numbers and words.

use crate::query::components;
use crate::run::{Any, Run, with};
use carom::audit::{Audit, Energy, Loss};
use carom::body::Kind;
use carom::shape::Shape;
use carom::simulate::Simulation;
use carom::world::BodyId;
use carom_data::{DataSpace, motion_name};
use carom_scene::shape_name;
use pyo3::prelude::*;
use pyo3::types::PyDict;

type Dict<'py> = Bound<'py, PyDict>;

fn dict<'py>(py: Python<'py>, entries: &[(&str, f64)]) -> PyResult<Dict<'py>> {
    let all = PyDict::new(py);
    for (name, value) in entries {
        all.set_item(name, value)?;
    }
    Ok(all)
}

fn energy<'py>(py: Python<'py>, energy: &Energy) -> PyResult<Dict<'py>> {
    dict(
        py,
        &[
            ("translational", energy.translational),
            ("rotational", energy.rotational),
            ("potential", energy.potential),
            ("total", energy.total()),
        ],
    )
}

fn loss<'py>(py: Python<'py>, loss: &Loss) -> PyResult<Dict<'py>> {
    dict(
        py,
        &[
            ("restitution", loss.restitution),
            ("friction", loss.friction),
            ("energy_added", loss.energy_added),
            ("energy_added_by_friction", loss.energy_added_by_friction),
        ],
    )
}

fn audit<'py, S: DataSpace>(py: Python<'py>, audit: &Audit<S>) -> PyResult<Dict<'py>> {
    let all = PyDict::new(py);
    all.set_item("initial", energy(py, &audit.initial)?)?;
    all.set_item("now", energy(py, &audit.now)?)?;
    all.set_item("lost_in_collisions", audit.lost_in_collisions)?;
    let losses = PyDict::new(py);
    losses.set_item("between_balls", loss(py, &audit.losses.between_balls)?)?;
    losses.set_item("with_fixtures", loss(py, &audit.losses.with_fixtures)?)?;
    let lasting = &audit.losses.lasting;
    let entries = [
        ("sliding", lasting.sliding),
        ("rolling", lasting.rolling),
        ("spinning", lasting.spinning),
        ("settling", lasting.settling),
        ("damping", lasting.damping),
        ("stepping", lasting.stepping),
        ("projection", lasting.projection),
        ("energy_added_by_friction", lasting.energy_added_by_friction),
    ];
    losses.set_item("lasting", dict(py, &entries)?)?;
    losses.set_item("fields", audit.losses.fields)?;
    losses.set_item("integration", audit.losses.integration)?;
    all.set_item("losses", losses)?;
    for (name, value) in [
        ("work_by_kinematic", audit.work_by_kinematic),
        ("external_work", audit.external_work),
        ("shear_work", audit.shear_work),
        ("given", audit.given),
        ("energy_residual", audit.energy_residual),
        ("deepest_overlap", audit.deepest_overlap),
    ] {
        all.set_item(name, value)?;
    }
    let contact = PyDict::new(py);
    contact.set_item("contacts", audit.in_contact.contacts)?;
    contact.set_item("energy", audit.in_contact.energy)?;
    contact.set_item("momentum", components::<S>(audit.in_contact.momentum))?;
    all.set_item("in_contact", contact)?;
    for (name, value) in [
        ("momentum_initial", audit.momentum_initial),
        ("momentum", audit.momentum),
        ("momentum_from_fixtures", audit.momentum_from_fixtures),
        ("momentum_from_gravity", audit.momentum_from_gravity),
        ("momentum_from_fields", audit.momentum_from_fields),
        ("momentum_from_external", audit.momentum_from_external),
        ("momentum_from_shear", audit.momentum_from_shear),
        ("momentum_given", audit.momentum_given),
        ("momentum_residual", audit.momentum_residual),
    ] {
        all.set_item(name, components::<S>(value))?;
    }
    let angular = |value: S::Angular| {
        S::angular_velocity_numbers(value)[..S::ANGULAR_VELOCITY.len()].to_vec()
    };
    let turning = match &audit.angular_momentum {
        None => None,
        Some(found) => {
            let turning = PyDict::new(py);
            for (name, value) in [
                ("initial", found.initial),
                ("now", found.now),
                ("from_fixtures", found.from_fixtures),
                ("from_gravity", found.from_gravity),
                ("from_fields", found.from_fields),
                ("from_external", found.from_external),
                ("from_projection", found.from_projection),
                ("given", found.given),
                ("in_contact", found.in_contact),
                ("residual", found.residual),
            ] {
                turning.set_item(name, angular(value))?;
            }
            Some(turning)
        }
    };
    all.set_item("angular_momentum", turning)?;
    Ok(all)
}

fn body<'py, S: DataSpace>(
    py: Python<'py>,
    run: &Simulation<S>,
    id: BodyId,
) -> PyResult<Dict<'py>> {
    let all = PyDict::new(py);
    let Some(body) = run.body(id) else {
        return Ok(all);
    };
    all.set_item("id", id.0)?;
    all.set_item("name", run.name(id))?;
    all.set_item("shape", shape_name(&body.shape))?;
    all.set_item("material", run.materials().name(body.material))?;
    all.set_item("motion", motion_name(&body.kind))?;
    all.set_item("sensor", body.sensor)?;
    if let Shape::Ball(ball) = &body.shape {
        all.set_item("radius", ball.radius)?;
    }
    if let Kind::Free(free) = &body.kind {
        all.set_item("mass", free.mass)?;
        all.set_item("inertia", free.inertia)?;
    }
    let state = run.state(id);
    all.set_item("position", components::<S>(state.position))?;
    let turn = S::rotation_numbers(state.rotation)[..S::ROTATION.len()].to_vec();
    all.set_item("orientation", turn)?;
    all.set_item("velocity", components::<S>(state.velocity))?;
    let angular = S::angular_velocity_numbers(state.angular_velocity);
    let angular = angular[..S::ANGULAR_VELOCITY.len()].to_vec();
    all.set_item("angular_velocity", angular)?;
    Ok(all)
}

fn stepping<'py, S: DataSpace>(
    py: Python<'py>,
    run: &Simulation<S>,
) -> PyResult<Option<Dict<'py>>> {
    let Some(stepping) = run.stepping() else {
        return Ok(None);
    };
    let all = PyDict::new(py);
    all.set_item("integrator", stepping.scheme.name())?;
    all.set_item("step", stepping.step)?;
    all.set_item("steps", stepping.steps)?;
    all.set_item("engine", stepping.engine.name())?;
    all.set_item("why_general", stepping.why_general)?;
    all.set_item("threads", stepping.threads)?;
    Ok(Some(all))
}

#[pymethods]
impl Run {
    #[getter(dimension)]
    fn dimension_of(&self) -> usize {
        self.dimension()
    }

    #[getter]
    fn method(&self) -> &'static str {
        if with!(&self.any, run => run.is_by_forces()) {
            "forces"
        } else {
            "events"
        }
    }

    #[getter]
    fn time(&self) -> f64 {
        with!(&self.any, run => run.time())
    }

    #[getter]
    fn collisions(&self) -> u64 {
        with!(&self.any, run => run.collisions())
    }

    #[getter]
    fn digest(&self) -> String {
        format!("{:016x}", with!(&self.any, run => run.digest()))
    }

    #[getter]
    fn is_at_rest(&self) -> bool {
        with!(&self.any, run => run.is_at_rest())
    }

    #[getter]
    fn resting(&self) -> usize {
        with!(&self.any, run => run.resting())
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        with!(&self.any, run => run.warnings())
    }

    #[getter(groups)]
    fn names_of_groups(&self) -> Vec<String> {
        self.groups.clone()
    }

    #[getter]
    fn gravity(&self) -> Vec<f64> {
        match &self.any {
            Any::Two(run) => run.gravity().to_array().to_vec(),
            Any::Three(run) => run.gravity().to_array().to_vec(),
        }
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    #[getter]
    fn periods(&self) -> Vec<f64> {
        let periods = with!(&self.any, run => run.periods());
        periods[..self.dimension()].to_vec()
    }

    /// The materials, by name, in order.
    #[getter]
    fn materials(&mut self) -> Vec<String> {
        let ids = self.known().bodies.clone();
        let mut names = Vec::new();
        for id in ids {
            let name = with!(&self.any, run => {
                run.body(BodyId(id)).map(|body| run.materials().name(body.material).to_owned())
            });
            if let Some(name) = name
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    fn has_material(&self, name: &str) -> bool {
        with!(&self.any, run => run.materials().find(name).is_some())
    }

    fn find(&self, name: &str) -> Option<u32> {
        with!(&self.any, run => run.find(name)).map(|id| id.0)
    }

    fn audit<'py>(&self, py: Python<'py>) -> PyResult<Dict<'py>> {
        with!(&self.any, run => audit(py, &run.audit()))
    }

    fn stepping<'py>(&self, py: Python<'py>) -> PyResult<Option<Dict<'py>>> {
        with!(&self.any, run => stepping(py, run))
    }

    fn body<'py>(&mut self, py: Python<'py>, id: u32) -> PyResult<Dict<'py>> {
        let id = self.known_body(id)?;
        with!(&self.any, run => body(py, run, id))
    }

    fn name(&mut self, id: u32) -> PyResult<String> {
        let id = self.known_body(id)?;
        Ok(with!(&self.any, run => run.name(id).to_owned()))
    }
}
