//! Errors as Python exceptions, with the text that the command prints.

use carom::simulate::SimulationError;
use carom_data::DataError;
use carom_draw::DrawError;
use carom_scene::{PlanError, SceneErrors, Style};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    carom,
    CaromError,
    PyException,
    "Whatever carom refuses, or cannot go on with."
);
create_exception!(
    carom,
    SceneError,
    CaromError,
    "A scene is not good: all that is wrong with it, and where."
);
create_exception!(
    carom,
    RunError,
    CaromError,
    "A run could not begin, or not go on. What it did so far is kept."
);
create_exception!(
    carom,
    EditError,
    CaromError,
    "A change was refused. Nothing has been changed."
);
create_exception!(carom, QueryError, CaromError, "A question has no answer.");
create_exception!(
    carom,
    DataError_,
    CaromError,
    "A run folder cannot be written, or is not whole."
);

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("CaromError", py.get_type::<CaromError>())?;
    module.add("SceneError", py.get_type::<SceneError>())?;
    module.add("RunError", py.get_type::<RunError>())?;
    module.add("EditError", py.get_type::<EditError>())?;
    module.add("QueryError", py.get_type::<QueryError>())?;
    let data = py.get_type::<DataError_>();
    data.setattr("__name__", "DataError")?;
    data.setattr("__qualname__", "DataError")?;
    module.add("DataError", data)
}

/// All that is wrong with a scene, as `carom check` prints it.
pub fn scene(errors: &SceneErrors) -> PyErr {
    SceneError::new_err(errors.render(Style::Plain).trim_end().to_owned())
}

pub fn simulation(error: &SimulationError) -> PyErr {
    let text = error.to_string();
    match error {
        SimulationError::Query(_) => QueryError::new_err(text),
        SimulationError::Edit(_) => EditError::new_err(text),
        SimulationError::Part(_) => EditError::new_err(text),
        _ => RunError::new_err(text),
    }
}

/// A world that cannot be simulated, or a rule of its scene that cannot be.
pub fn plan(error: &PlanError) -> PyErr {
    match error {
        PlanError::Simulation(error) => simulation(error),
        rule => SceneError::new_err(rule.to_string()),
    }
}

pub fn data(error: &DataError) -> PyErr {
    DataError_::new_err(error.to_string())
}

pub fn draw(error: &DrawError) -> PyErr {
    DataError_::new_err(error.to_string())
}
