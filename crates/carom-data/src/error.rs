//! What can go wrong with run folders, said so that it can be put right.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why something could not be written or read. Every message names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The disk said no while writing.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk said no while reading.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// What was to be read.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something already, and replacing it was not requested.
    #[error("`{}` exists already: take another name, or replace it with --force", path.display())]
    Exists {
        /// What there is.
        path: PathBuf,
    },
    /// There is something that is no run, and must not be deleted.
    #[error(
        "`{}` is not replaced, not even with --force: {reason}",
        path.display()
    )]
    NotReplaced {
        /// What there is.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// There is a file that carom did not write, or that was changed since.
    #[error(
        "`{}` is not carom's, or was changed since carom wrote it: it stays as it is; move it away, or write elsewhere",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The output would be too large.
    #[error("{0}")]
    TooMuch(String),
    /// It is no run folder.
    #[error("`{}` is not a run folder: {reason}", path.display())]
    NotARun {
        /// What was named.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A later version wrote it.
    #[error("`{}` has version {found}, but this carom reads up to {known}", path.display())]
    Version {
        /// The manifest.
        path: PathBuf,
        /// As it says.
        found: u64,
        /// The latest that is known.
        known: u64,
    },
    /// A file is not what it should be: cut off, of something else, or of another table.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process writes to the folder.
    #[error("another process is writing to `{}`", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing to be done with it.
    #[error("`{}`: {reason}", path.display())]
    Refused {
        /// The folder or file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl DataError {
    /// Whether the disk is at fault, not what was asked for.
    pub fn is_writing(&self) -> bool {
        matches!(self, DataError::Write { .. })
    }

    /// The file or folder that it is about, where it is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            DataError::Write { path, .. }
            | DataError::Read { path, .. }
            | DataError::Exists { path }
            | DataError::NotReplaced { path, .. }
            | DataError::Foreign { path }
            | DataError::NotARun { path, .. }
            | DataError::Version { path, .. }
            | DataError::Damaged { path, .. }
            | DataError::InUse { path }
            | DataError::Refused { path, .. } => Some(path),
            DataError::TooMuch(_) => None,
        }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| DataError::Write { path, source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| DataError::Read { path, source }
    }

    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> Self {
        DataError::Damaged {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}
