//! How long to run.

use crate::quantity::{SPEED, UNTIL};
use crate::reader::Section;
use crate::solid;

/// How long to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// When the run ends, s.
    pub until: f64,
    /// The run stops after this many collisions.
    pub max_collisions: Option<u64>,
    /// The run stops when no body is faster than this, m/s.
    pub rest: Option<f64>,
    /// Whether a kinematic body that would squeeze another one stalls; otherwise the run ends with an error.
    pub stalls: bool,
}

/// Reads `[run]`.
pub(crate) fn run_settings(top: &Section<'_, '_>) -> Option<RunSettings> {
    let entry = top.required("run", "a table [run] with the key `until`")?;
    let section = entry.section("`run`".to_owned())?;
    let until = section
        .required("until", "when the run ends, seconds")
        .and_then(|entry| entry.number(UNTIL));
    let max_collisions = match section.optional("max_collisions") {
        Some(entry) => entry.count().map(Some),
        None => Some(None),
    };
    let rest = match section.optional("rest") {
        Some(entry) => entry.number(SPEED).map(Some),
        None => Some(None),
    };
    let stalls = solid::stalls(&section);
    section.finish(&[]);
    Some(RunSettings {
        until: until?,
        max_collisions: max_collisions?,
        rest: rest?,
        stalls: stalls?,
    })
}
