//! What while they keep touching? Balls on walls: how bounces end, and how a ball slides, rolls, spins or rests on
//! one wall, between two, or held by three.

pub mod corner;
pub mod groove;
mod rates;
pub mod settling;
pub mod sliding;
mod standing;

pub use rates::{Mode, Pivoting};
pub use standing::{Rubbing, Standing, Stretch, Turn};
