//! Run folders: what a run of [`carom`] leaves, whole at any moment, and in formats that others read.
//!
//! ```no_run
//! use carom_data::RunFolder;
//!
//! # fn main() -> Result<(), carom_data::DataError> {
//! let folder = RunFolder::open("runs/one".as_ref())?;
//! println!("{} bodies, {} events", folder.bodies()?.len(), folder.events()?.rows()?);
//! # Ok(())
//! # }
//! ```
//!
#![doc = include_str!("../run_folder.md")]
#![forbid(unsafe_code)]

mod check;
mod csv;
mod error;
mod extxyz;
mod files;
mod folder;
mod lammps;
mod manifest;
mod npz;
mod observer;
mod outputs;
mod owned;
mod parquet_file;
mod parquet_pages;
mod parquet_seal;
mod parts;
mod progress;
mod reader;
mod recorder;
mod schedule;
mod space;
mod sum;
mod sweep;
mod table;
mod tables;
mod tally;
mod vtk;

pub use check::{Findings, check_folder, last_good};
pub use csv::write_csv;
pub use error::DataError;
pub use extxyz::write_extxyz;
pub use files::{Filler, IntoDataError, write_file};
pub use folder::{Claim, TABLES};
pub use lammps::{LammpsError, LammpsFiles, LammpsScene};
pub use manifest::{Listed, Manifest, RowCounts, SceneCopy, Stage, TableCopy};
pub use npz::write_npz;
pub use observer::{Observed, Observer};
pub use outputs::{Outputs, Unfinished};
pub use progress::{Ended, Progress, Watch, run};
pub use reader::{BodyRecord, Frame, RunFolder, Table};
pub use recorder::{
    Recorder, Resumed, SUMMARY, SceneTable, SceneText, complete, restore, restore_world,
};
pub use schedule::{Observe, Output, Radial, Schedule};
pub use space::DataSpace;
pub use sum::{Crc, Sum};
pub use sweep::{
    Pairs, SWEEP_COLUMNS, SweepFolder, SweepParameter, SweepPlan, SweepRow, SweepTable, is_sweep,
    read_sweep, seed_of, unit_of,
};
pub use table::{Column, Kind, Row, Rows, Values};
pub use tables::{mode_name, motion_name, regime_name};
pub use tally::{Classes, Kinds, Tally};
pub use vtk::write_vtk;
