//! Bodies as lines, for pictures in notebooks.

use crate::run::{Run, with};
use carom_draw::{Sketch, sketches};
use pyo3::prelude::*;

/// Lines (m), and whether they surround a solid, have no end, are a sensor's, are a free body's.
type Drawn = (Vec<Vec<[f64; 2]>>, bool, bool, bool, bool);

#[pymethods]
impl Run {
    /// All bodies but the free balls, as they are seen along the third axis; `low` and `high` are opposite corners of
    /// what is seen, m.
    fn sketches(&self, py: Python<'_>, low: [f64; 3], high: [f64; 3]) -> Vec<Drawn> {
        let seen = py.detach(|| with!(&self.any, run => sketches(&run.to_world(), low, high)));
        let drawn = |sketch: Sketch| {
            let Sketch {
                lines,
                solid,
                endless,
                sensor,
                free,
            } = sketch;
            (lines, solid, endless, sensor, free)
        };
        seen.into_iter().map(drawn).collect()
    }
}
