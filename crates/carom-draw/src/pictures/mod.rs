//! Pictures and films of a run: stills, frames, moving files.
//!
//! [`Footage`] says where everything is at an instant, a [`Studio`] makes a [`Picture`] of it, and [`film`] puts
//! pictures into files.
//!
//! ```no_run
//! use carom_draw::Recording;
//! use carom_draw::pictures::film::small_png;
//! use carom_draw::pictures::{Footage, Studio, Style, Takes};
//! use std::ops::ControlFlow;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let footage = Footage::of(&Recording::open("runs/one".as_ref())?)?;
//! let studio = Studio::new(&footage, Style::default(), None)?;
//! let takes = Takes { times: vec![0.5, 1.0], ..Takes::default() };
//! let mut stills = Vec::new();
//! footage.shoot(&takes, &|| false, |shot| {
//!     stills.push(studio.paint(&shot));
//!     ControlFlow::Continue(())
//! })?;
//! std::fs::write("still.png", small_png(&stills[1])?)?;
//! # Ok(())
//! # }
//! ```

mod aim;
mod clash;
mod dress;
pub mod film;
mod flat;
mod footage;
mod footer;
mod hatch;
mod joints;
mod overlay;
mod palette;
mod sheet;
mod solid;
mod studio;
mod survey;
mod table;
mod ways;

pub use aim::Follow;
pub(crate) use aim::{encloses, facing_walls, natural_viewpoint, where_it_happens, with_fixtures};
pub(crate) use dress::{Dress, Given, dress, fill_pockets, pips};
pub use footage::{Clash, Footage, Shot, Takes};
pub(crate) use joints::{DrawnJoint, drawn};
pub use overlay::Show;
pub use palette::ColourBy;
pub(crate) use palette::{Traits, species};
pub use solid::Viewpoint;
pub use studio::{Studio, Style, View};
pub(crate) use table::{Table, rim, within_rim};

/// Pixels, from the upper left corner on, row by row: red, green, blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Three bytes for each.
    pub pixels: Vec<u8>,
}

/// Pixels along either side, at least and at most.
pub const SIDES: [u32; 2] = [16, 8_192];
