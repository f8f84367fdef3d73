//! Run folders: what a run of [`carom`] leaves, whole at any moment, and in formats that others read.
//!
#![doc = include_str!("../../../docs/run_folder.md")]
#![forbid(unsafe_code)]

mod error;
mod files;
mod folder;
mod manifest;
mod parquet_file;
mod parts;
mod progress;
mod recorder;
mod schedule;
mod space;
mod table;
mod tables;
mod tally;

pub use error::DataError;
pub use folder::Claim;
pub use manifest::{Manifest, RowCounts, SceneCopy, Stage};
pub use progress::{Ended, Progress, Watch, run};
pub use recorder::{Recorder, SUMMARY, SceneText, complete};
pub use schedule::{Output, Schedule};
pub use space::DataSpace;
pub use table::{Column, Kind, Row, Rows, Values};
pub use tables::{mode_name, motion_name};
pub use tally::{Classes, Kinds, Tally};
