//! Scenes that are ready to play, built from the library's own parts: [`billiards`] and [`Pinball`].
//!
//! ```
//! use carom_stock::billiards::{Balls, CueStrike, Rack, Shot, Table};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (table, balls) = (Table::nine_foot(), Balls::pool());
//! let rack = Rack::nine_ball(&table, &balls, 1e-3, 7)?;
//! let strike = CueStrike::new(8.0, std::f64::consts::FRAC_PI_2); // 8 m/s, along the table
//! let outcome = Shot { table, balls, rack, strike }.play()?;
//! println!("{} events in {:.2} s", outcome.events.len(), outcome.duration);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

pub mod billiards;
mod pinball;

pub use pinball::{Pinball, PinballError};
