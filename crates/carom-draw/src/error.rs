//! What can go wrong with drawing, said so that it can be put right.

use carom_data::DataError;
use std::path::PathBuf;
use thiserror::Error;

/// Why something could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The run folder cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The run does not have what a plot needs.
    #[error("`{}` has no plot `{plot}`: {reason}", path.display())]
    Missing {
        /// The run folder.
        path: PathBuf,
        /// The plot's name.
        plot: &'static str,
        /// Why not, and what to do about it.
        reason: String,
    },
    /// There is nothing at all to draw.
    #[error("`{}` has nothing to plot: {reason}", path.display())]
    Nothing {
        /// The run folder.
        path: PathBuf,
        /// Why not, and what to do about it.
        reason: String,
    },
    /// There are no pictures of the run, or not the one that is asked for.
    #[error("`{}` cannot be shown: {reason}", path.display())]
    NoPictures {
        /// The run folder.
        path: PathBuf,
        /// Why not, and what to do about it.
        reason: String,
    },
    /// A film could not be made.
    #[error("the film cannot be made: {0}")]
    Film(String),
    /// A film could not be written.
    #[error("the film cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// A file beside the tables is not what it should be.
    #[error("`{}` cannot be read: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The picture would be too large, or has no size.
    #[error(
        "a picture of {width} by {height} pixels cannot be made: each side must be from 1 to {most}"
    )]
    Size {
        /// Pixels.
        width: f64,
        /// Pixels.
        height: f64,
        /// Pixels at most.
        most: f64,
    },
    /// The picture of a run would be too large, or too small.
    #[error(
        "a picture of {width} by {height} pixels cannot be made: each side must be from {} to {}", crate::pictures::SIDES[0], crate::pictures::SIDES[1]
    )]
    PictureSize {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// The PNG could not be made.
    #[error("the PNG cannot be made: {0}")]
    Png(String),
}
