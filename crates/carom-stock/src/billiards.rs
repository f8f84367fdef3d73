//! A billiard table: cloth, cushions, pockets, racks, the cue, and a shot from the strike until everything rests.
//!
//! ```
//! use carom_stock::billiards::{Balls, CueStrike, Rack, Shot, Table};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (table, balls) = (Table::nine_foot(), Balls::pool());
//! let rack = Rack::nine_ball(&table, &balls, 1e-3, 7)?;
//! let strike = CueStrike::new(8.0, std::f64::consts::FRAC_PI_2);
//! let outcome = Shot { table, balls, rack, strike }.play()?;
//! println!("{} events in {} s", outcome.events.len(), outcome.duration);
//! # Ok(())
//! # }
//! ```
//!
//! The scene is three-dimensional: x across the table, y along it, z up; the origin is the middle of the playing
//! surface, on the cloth, so that left and right are images of each other to the bit. The head is at negative y. What
//! was chosen and why is on the page `docs/billiards.md` in the repository.
//!
//! * **Cloth.** A half-space. Balls slide, roll, spin and rest on it, with transitions at exact times. It takes all of
//!   a vertical speed: hops land dead.
//! * **Cushions.** Blocks that hang above the cloth: a ball touches the lower edge, the *nose*, above its centre, so
//!   that cushions push it down a little, as real ones do. They end in rounded jaws, upright cylinders of the same
//!   height. They are a metre high: no ball jumps over.
//! * **Pockets.** Sensors: at the instant when a ball's centre passes the edge of a pocket it is taken off the table.

mod cue;
mod rack;
mod shot;
mod table;

pub use cue::CueStrike;
pub use rack::Rack;
pub use shot::{Fate, Happening, Outcome, Shot};
pub use table::{Cloth, Cushions, Mouth, Pockets, Table};

use carom::simulate::SimulationError;
use carom::world::WorldError;
use thiserror::Error;

/// What the balls are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balls {
    /// m.
    pub radius: f64,
    /// kg.
    pub mass: f64,
    /// Between two balls.
    pub restitution: f64,
    /// Between two balls: what throws a cut ball off its line.
    pub friction: f64,
}

impl Balls {
    /// Pool balls: 57.15 mm, 0.170 097 kg, restitution 0.95, friction 0.05.
    pub fn pool() -> Self {
        Balls {
            radius: 0.028_575,
            mass: 0.170_097,
            restitution: 0.95,
            friction: 0.05,
        }
    }

    /// Snooker balls: 52.4 mm, 0.140 kg.
    pub fn snooker() -> Self {
        Balls {
            radius: 0.026_193_75,
            mass: 0.140,
            ..Self::pool()
        }
    }

    /// Carom balls: 61.5 mm, 0.210 kg.
    pub fn carom() -> Self {
        Balls {
            radius: 0.030_75,
            mass: 0.210,
            ..Self::pool()
        }
    }
}

/// Why a shot cannot be, or did not come to its end.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ShotError {
    /// A number of the table, of the balls or of the strike is not allowed.
    #[error("{field} is {value}, but must be {allowed}")]
    Number {
        /// The field at fault.
        field: &'static str,
        /// As given.
        value: f64,
        /// What is allowed there.
        allowed: String,
    },
    /// The tip would slip off the ball.
    #[error(
        "a miscue: the tip strikes {offset} radii off the centre (side {side}, height {height}), but no more than {limit} hold"
    )]
    Miscue {
        /// `√(side² + height²)`, in radii of the ball.
        offset: f64,
        /// As given, in radii.
        side: f64,
        /// As given, in radii.
        height: f64,
        /// In radii.
        limit: f64,
    },
    /// There is no cue ball on the table.
    #[error("the rack has no ball that could be struck: number {number} of {balls}")]
    NoCueBall {
        /// As given.
        number: usize,
        /// How many balls there are.
        balls: usize,
    },
    /// The balls overlap each other or the table.
    #[error("the balls cannot lie like that: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    World(Vec<WorldError>),
    /// The simulation could not go on.
    #[error(transparent)]
    Simulation(SimulationError),
    /// Something still moved after a long time.
    #[error(
        "something still moves after {time} s: is there a cloth that slows rolling and spinning balls down?"
    )]
    Restless {
        /// s.
        time: f64,
    },
}

impl From<SimulationError> for ShotError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::World(errors) => ShotError::World(errors),
            error => ShotError::Simulation(error),
        }
    }
}

impl From<WorldError> for ShotError {
    fn from(error: WorldError) -> Self {
        ShotError::World(vec![error])
    }
}

/// A number that has to be in a range, or the error that says so.
fn within(
    field: &'static str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
) -> Result<f64, ShotError> {
    if range.contains(&value) && value.is_finite() {
        return Ok(value);
    }
    let allowed = format!("from {} to {}", range.start(), range.end());
    Err(ShotError::Number {
        field,
        value,
        allowed,
    })
}
