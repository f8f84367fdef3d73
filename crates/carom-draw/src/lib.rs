//! Plots and reports of run folders, for [`carom`].
//!
//! ```no_run
//! use carom_draw::{Look, Plot, Recording, TextAs, figures};
//!
//! # fn main() -> Result<(), carom_draw::DrawError> {
//! let recording = Recording::open("runs/one".as_ref())?;
//! for figure in figures(&recording, &[Plot::Energy, Plot::Trajectories])? {
//!     let svg = figure.draw().to_svg(Look::Adaptive, TextAs::Words);
//!     println!("{} has {} letters", figure.name, svg.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("../plots.md")]
#![forbid(unsafe_code)]

mod canvas;
mod chart;
mod digest;
mod error;
mod mesh;
mod outlines;
pub mod pictures;
mod plots;
mod recording;
mod replay;
mod report;
mod sketch;
mod solids;

pub use canvas::{
    Anchor, Area, Dash, Drawing, Ink, Look, Mark, Marker, Pen, Point, Step, TextAs, Theme, TimeArea,
};
pub use chart::{Axis, Figure, Layer, LayerShape, Panel, Ticks};
pub use error::DrawError;
pub use plots::{
    COMPARISON, Comparison, Fitness, MOST_BODIES, Plot, Quantity, SweepRecording, figures,
    figures_of, fitting,
};
pub use recording::Recording;
pub use replay::scene_of;
pub use report::{Page, report, report_watched};
pub use sketch::{Sketch, sketches};
