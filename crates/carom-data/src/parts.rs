//! A table that grows on the disk: closed parts of so many rows each, and the rows that are still to come.
//!
//! The part with number `n` holds the rows from `n · size` on. When a checkpoint is made before a part is full, it is written as far as it
//! goes, and replaced by a longer one later: so where parts begin does not depend on when checkpoints were made, and the joined
//! file has the same bytes whether the run was disturbed or not.

use crate::error::DataError;
use crate::files;
use crate::parquet_file::{self, Source};
use crate::table::{Column, Row, Rows};
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of a table, and the rows that are not in a full one yet.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    columns: Vec<Column>,
    /// Rows of a full part.
    size: usize,
    /// How many are full.
    full: u64,
    /// Rows after those.
    open: Rows,
    /// How many of the open rows are on the disk.
    saved: usize,
}

fn part_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("part-{number:06}.parquet"))
}

/// The number of a part, by its name.
fn part_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let number = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    number.parse().ok()
}

/// All parts in a folder, in order. None where there is no such folder.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(DataError::read(folder)(error)),
    };
    let mut parts = Vec::new();
    for entry in entries {
        let path = entry.map_err(DataError::read(folder))?.path();
        parts.extend(part_number(&path).map(|number| (number, path)));
    }
    parts.sort();
    Ok(parts.into_iter().map(|(_, path)| path).collect())
}

impl Parts {
    /// A table without rows, in a folder that is made.
    pub fn create(folder: &Path, columns: Vec<Column>, size: usize) -> Result<Self, DataError> {
        fs::create_dir_all(folder).map_err(DataError::write(folder))?;
        Ok(Parts {
            folder: folder.to_owned(),
            open: Rows::new(&columns),
            columns,
            size,
            full: 0,
            saved: 0,
        })
    }

    /// A table as it was when it had so many rows; whatever came later is dropped.
    pub fn resume(
        folder: &Path,
        columns: Vec<Column>,
        size: usize,
        rows: u64,
    ) -> Result<Self, DataError> {
        let mut parts = Parts::create(folder, columns, size)?;
        files::sweep(folder)?;
        parts.full = rows / size as u64;
        parts.saved = (rows % size as u64) as usize;
        if parts.saved > 0 {
            parts.open = parts.read_last(&part_path(folder, parts.full))?;
        }
        let kept = parts.full + u64::from(parts.saved > 0);
        for number in 0..kept {
            let path = part_path(folder, number);
            fs::metadata(&path).map_err(DataError::read(&path))?;
        }
        for path in list(folder)? {
            if part_number(&path).is_some_and(|number| number >= kept) {
                files::remove(&path)?;
            }
        }
        Ok(parts)
    }

    fn read_last(&self, path: &Path) -> Result<Rows, DataError> {
        let source = Source::open(path, &self.columns)?;
        let all: Vec<usize> = (0..self.columns.len()).collect();
        if source.groups() != 1 || source.rows() < self.saved as u64 {
            let reason = format!("it has {} rows instead of {}", source.rows(), self.saved);
            return Err(DataError::damaged(path, reason));
        }
        let mut rows = source.read(0, &all)?;
        rows.truncate(self.saved);
        Ok(rows)
    }

    /// Adds a row, and writes the part when that fills it.
    pub fn add(&mut self, fill: impl FnOnce(&mut Row<'_>)) -> Result<(), DataError> {
        fill(&mut self.open.row());
        match self.open.len() < self.size {
            true => Ok(()),
            false => self.close_part(),
        }
    }

    fn close_part(&mut self) -> Result<(), DataError> {
        parquet_file::write(
            &part_path(&self.folder, self.full),
            &self.columns,
            &self.open,
        )?;
        self.open.truncate(0);
        self.saved = 0;
        self.full += 1;
        Ok(())
    }

    /// Brings all rows to the disk.
    pub fn save(&mut self) -> Result<(), DataError> {
        if self.open.len() > self.saved {
            let path = part_path(&self.folder, self.full);
            parquet_file::write(&path, &self.columns, &self.open)?;
            self.saved = self.open.len();
        }
        files::sync_folder(&self.folder)
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.full * self.size as u64 + self.open.len() as u64
    }
}

/// Removes a folder of parts, and nothing else that may be in it.
pub fn remove_parts(folder: &Path) -> Result<(), DataError> {
    if !folder.exists() {
        return Ok(());
    }
    files::sweep(folder)?;
    for path in list(folder)? {
        files::remove(&path)?;
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(DataError::write(folder)(error))
        }
        _ => Ok(()),
    }
}
