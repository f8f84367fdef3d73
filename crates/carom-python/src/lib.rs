//! The compiled half of the Python package `carom`: thin, over `carom::simulate::Simulation` and `carom-scene`.
//!
//! What users see is written in Python (`python/carom/`) and documented there; here is what must be quick, or must
//! hold the engines.

mod billiards;
mod edit;
mod error;
mod events;
mod facts;
mod folder;
mod observe;
mod picture;
mod pinball;
mod query;
mod run;
mod scene;
mod state;

use pyo3::prelude::*;

/// The compiled half of the package.
#[pymodule(gil_used = false)]
fn _carom(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::add(module)?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<run::Cancel>()?;
    module.add_class::<events::Event>()?;
    module.add_class::<events::EventTable>()?;
    module.add_class::<folder::Folder>()?;
    module.add_class::<pinball::Pinballs>()?;
    module.add_function(wrap_pyfunction!(scene::schema, module)?)?;
    module.add_function(wrap_pyfunction!(billiards::table_size, module)?)?;
    module.add_function(wrap_pyfunction!(billiards::racks, module)?)?;
    module.add_function(wrap_pyfunction!(billiards::play_shots, module)?)?;
    Ok(())
}
