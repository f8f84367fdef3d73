//! Questions that have no answer.

use thiserror::Error;

/// Why a question has no answer.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{field} is {value}, but must be {allowed}")]
#[non_exhaustive]
pub struct QueryError {
    /// The number at fault.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}
