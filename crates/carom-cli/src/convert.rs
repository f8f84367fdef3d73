//! `carom convert`: the tables of a run folder for other programs.

use crate::arguments::Format;
use crate::output::Failure;
use std::path::Path;

/// Writes a run folder in other formats.
pub fn convert(_run: &Path, _formats: &[Format], _out: Option<&Path>) -> Result<(), Failure> {
    Ok(())
}
