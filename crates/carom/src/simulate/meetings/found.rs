//! The outcome of a search that may be given up.

use crate::impact::Impact;

/// What a search for the first contact of two free bodies found, by the run's clock, s.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    Contact(f64),
    /// It was given up: nothing happens before.
    ClearUntil(f64),
}

impl Found {
    /// What a search from a time on found, if anything; not before that time.
    pub fn of(impact: Impact, from: f64) -> Option<Self> {
        match impact {
            Impact::Now => Some(Found::Contact(from)),
            Impact::At(time) => Some(Found::Contact(time.max(from))),
            Impact::ClearUntil(time) => Some(Found::ClearUntil(time.max(from.next_up()))),
            Impact::Never => None,
        }
    }

    pub fn time(self) -> f64 {
        match self {
            Found::Contact(time) | Found::ClearUntil(time) => time,
        }
    }
}
