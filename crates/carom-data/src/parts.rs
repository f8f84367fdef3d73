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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;

    /// A folder of its own, gone when the test is done.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("carom-data-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::integer("number"),
            Column::text("word"),
            Column::number("value", "m"),
            Column::number("same", "s").repeating(),
        ]
    }

    const SIZE: usize = 10;

    fn add(parts: &mut Parts, number: i64) {
        let word = ["hit", "miss"][number as usize % 2];
        let value = if number == 3 {
            f64::NAN
        } else {
            0.1 * number as f64
        };
        parts
            .add(|row| {
                row.integer(number).text(word).number(value).number(2.5);
            })
            .unwrap();
    }

    /// The joined file of so many rows that were added at once.
    fn undisturbed(folder: &Path, rows: i64) -> Vec<u8> {
        let inside = folder.join("undisturbed");
        let mut parts = Parts::create(&inside, columns(), SIZE).unwrap();
        (0..rows).for_each(|number| add(&mut parts, number));
        parts.save().unwrap();
        let path = folder.join("undisturbed.parquet");
        parquet_file::join(&path, &columns(), &list(&inside).unwrap()).unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let folder = Folder::new("back");
        undisturbed(&folder.0, 27);
        let source = Source::open(&folder.0.join("undisturbed.parquet"), &columns()).unwrap();
        assert_eq!((source.rows(), source.groups()), (27, 3));
        let rows = source.read(0, &[0, 1, 2, 3]).unwrap();
        assert_eq!(rows.values[0], Values::Integers((0..10).collect()));
        assert_eq!(rows.values[1].texts()[..3], ["hit", "miss", "hit"]);
        let values = rows.values[2].numbers();
        assert!(values[3].is_nan() && values[7] == 0.1 * 7.0);
        assert_eq!(rows.values[3].numbers(), [2.5; 10]);
        let some = source.read(2, &[2]).unwrap();
        assert_eq!((some.values.len(), some.len()), (1, 7));
    }

    /// Wherever it is saved and cut off, the joined file has the same bytes.
    #[test]
    fn where_parts_begin_does_not_depend_on_checkpoints() {
        let folder = Folder::new("checkpoints");
        for rows in [0, 1, 9, 10, 11, 20, 25] {
            let expected = undisturbed(&folder.0, rows);
            fs::remove_dir_all(folder.0.join("undisturbed")).unwrap();
            for saved in 0..=rows {
                let inside = folder.0.join("cut");
                let _ = fs::remove_dir_all(&inside);
                let mut parts = Parts::create(&inside, columns(), SIZE).unwrap();
                (0..saved).for_each(|number| add(&mut parts, number));
                parts.save().unwrap();
                let kept = parts.rows();
                // What comes after the checkpoint is written in part, and lost.
                (saved..rows).for_each(|number| add(&mut parts, number));
                drop(parts);
                fs::write(inside.join(".part-000001.parquet.new"), "half of it").unwrap();
                let mut parts = Parts::resume(&inside, columns(), SIZE, kept).unwrap();
                assert_eq!(parts.rows(), saved as u64);
                (saved..rows).for_each(|number| add(&mut parts, number));
                parts.save().unwrap();
                let path = folder.0.join("cut.parquet");
                parquet_file::join(&path, &columns(), &list(&inside).unwrap()).unwrap();
                assert!(fs::read(path).unwrap() == expected, "{saved} of {rows}");
                remove_parts(&inside).unwrap();
            }
        }
    }

    #[test]
    fn parts_that_are_missing_or_short_are_refused() {
        let folder = Folder::new("missing");
        let inside = folder.0.join("table");
        let mut parts = Parts::create(&inside, columns(), SIZE).unwrap();
        (0..25).for_each(|number| add(&mut parts, number));
        parts.save().unwrap();
        let short = Parts::resume(&inside, columns(), SIZE, 29)
            .unwrap_err()
            .to_string();
        assert!(
            short.ends_with("is damaged: it has 5 rows instead of 9"),
            "{short}"
        );
        fs::remove_file(part_path(&inside, 0)).unwrap();
        let missing = Parts::resume(&inside, columns(), SIZE, 25).unwrap_err();
        assert!(
            missing.to_string().starts_with("cannot read `"),
            "{missing}"
        );
        // And nothing was removed because of that.
        assert_eq!(list(&inside).unwrap().len(), 2);
    }
}
