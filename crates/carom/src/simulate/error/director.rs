//! What cannot be done later, or could not.

use crate::simulate::refuse::EditError;
use crate::world::BodyId;
use thiserror::Error;

/// Why something cannot be asked for, or a run could not go on.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum DirectorError {
    /// The time is NaN, or lies in the past.
    #[error("{action}: it cannot be done at t = {time} s, the clock stands at {now} s")]
    Time {
        /// In words.
        action: String,
        /// As given, s.
        time: f64,
        /// s.
        now: f64,
    },
    /// A number of the action or trigger is not allowed.
    #[error("{action}: {field} is {value}, but must be {allowed}")]
    Value {
        /// In words.
        action: String,
        /// The number at fault.
        field: &'static str,
        /// As given.
        value: String,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// The action is about the ball that sets it off, and there is none.
    #[error("{action}: no ball sets it off, so that a body has to be named")]
    NoBall {
        /// In words.
        action: String,
    },
    /// The body is not mounted, or not in that way, or mounted where it may not be.
    #[error("{action}: body {} ({name}) must be {needed}", id.0)]
    Mount {
        /// In words.
        action: String,
        /// As given.
        id: BodyId,
        /// Its name.
        name: String,
        /// How it should be.
        needed: &'static str,
    },
    /// The action cannot be done to that body, or with those numbers.
    #[error("{action}: {reason}")]
    Refused {
        /// In words.
        action: String,
        /// What is wrong.
        reason: EditError,
    },
    /// An action failed in mid-run. Everything up to it is kept, and a further run goes on after it.
    #[error("t = {time} s: {action} failed: {reason}")]
    Failed {
        /// World time, s.
        time: f64,
        /// In words.
        action: String,
        /// What is wrong.
        reason: EditError,
    },
    /// Actions set each other off without end.
    #[error("t = {time} s: {actions} actions at one instant set each other off: {rules}")]
    Endless {
        /// World time, s.
        time: f64,
        /// How many there were.
        actions: u64,
        /// What sets off what, in words.
        rules: String,
    },
}
