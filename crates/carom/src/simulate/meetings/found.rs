//! The outcome of a search that may be given up.

/// What a search for the first contact of two free bodies found, by the run's clock, s.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    Contact(f64),
    /// It was given up: nothing happens before.
    ClearUntil(f64),
}

impl Found {
    pub fn time(self) -> f64 {
        match self {
            Found::Contact(time) | Found::ClearUntil(time) => time,
        }
    }
}
