//! First roots, reliably.
//!
//! Two tools, for the two kinds of gap there are:
//!
//! * [`Polynomial`]: balls on straight and parabolic flights. Coefficients are kept in double-double, so that the sign
//!   of a value at a given time is that of the exact polynomial in all but absurd cases, and [`Polynomial::closings`]
//!   lists every instant at which the contact rule may hold, each to within one unit in the last place.
//! * [`advance`](certified::advance): turning and oscillating bodies. A search that steps only over intervals
//!   that a bound on the second derivative has shown to be free of roots.

pub mod certified;
mod double_double;
mod expansion;
mod polynomial;
pub(crate) mod quadratic;

pub use double_double::Dd;
pub use expansion::Expansion;
pub use polynomial::{Closing, Polynomial};

/// The unit roundoff of `f64`, 2⁻⁵³: half the distance from 1 to the next larger number.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
