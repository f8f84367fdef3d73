//! Files that are whole or not there.
//!
//! A file is written under a hidden name (which readers of datasets pass over), brought to the disk, and only then renamed to what it is called:
//! whoever is killed at whatever moment leaves the old file or the new one, never half of one.

use crate::error::DataError;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// As large as a piece that goes to the system at once, bytes.
const BUFFER: usize = 1 << 18;

fn hidden(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.new"))
}

/// Writes a file as a whole; on any error the one that was there before is still there.
pub fn write_whole<E>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), DataError>
where
    E: IntoDataError,
{
    let temporary = hidden(path);
    let written = (|| {
        let file = File::create(&temporary).map_err(DataError::write(path))?;
        let mut writer = BufWriter::with_capacity(BUFFER, file);
        fill(&mut writer).map_err(|error| error.into_data_error(path))?;
        let file = writer
            .into_inner()
            .map_err(|error| DataError::write(path)(error.into_error()))?;
        file.sync_all().map_err(DataError::write(path))?;
        fs::rename(&temporary, path).map_err(DataError::write(path))
    })();
    if written.is_err() {
        // On a full disk it is the first thing in the way. That it cannot be removed either changes nothing.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes bytes as a whole file.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), DataError> {
    write_whole(path, |writer| writer.write_all(bytes))
}

/// Copies a file to a name in a folder that may have one more folder in it.
pub fn copy_into(from: &Path, folder: &Path, name: &str) -> Result<(), DataError> {
    let to = folder.join(name);
    let parent = to.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(DataError::write(parent))?;
    let mut source = File::open(from).map_err(DataError::read(from))?;
    write_whole(&to, |writer| std::io::copy(&mut source, writer).map(drop))?;
    sync_folder(parent)
}

/// Brings the names of a folder to the disk, so that renamed files are there after a power failure too.
pub fn sync_folder(path: &Path) -> Result<(), DataError> {
    // Not every system lets folders be opened; there it is left to the system.
    match File::open(path) {
        Ok(folder) if cfg!(unix) => folder.sync_all().map_err(DataError::write(path)),
        _ => Ok(()),
    }
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), DataError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(DataError::write(path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes what a process that was killed has left of files that were never finished.
pub fn sweep(folder: &Path) -> Result<(), DataError> {
    for entry in fs::read_dir(folder).map_err(DataError::read(folder))? {
        let path = entry.map_err(DataError::read(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') && name.ends_with(".new") && path.is_file() {
            remove(&path)?;
        }
    }
    Ok(())
}

/// What `write_whole` makes of an error while filling.
pub trait IntoDataError {
    /// The same, with the name of the file.
    fn into_data_error(self, path: &Path) -> DataError;
}

impl IntoDataError for std::io::Error {
    fn into_data_error(self, path: &Path) -> DataError {
        DataError::write(path)(self)
    }
}

impl IntoDataError for DataError {
    fn into_data_error(self, _: &Path) -> DataError {
        self
    }
}

impl IntoDataError for parquet::errors::ParquetError {
    fn into_data_error(self, path: &Path) -> DataError {
        DataError::write(path)(io_error(self))
    }
}

/// The error of the system that a Parquet error wraps, or one with its words.
pub fn io_error(error: parquet::errors::ParquetError) -> std::io::Error {
    use parquet::errors::ParquetError;
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(inner) => std::io::Error::other(inner),
        },
        error => std::io::Error::other(error.to_string()),
    }
}
