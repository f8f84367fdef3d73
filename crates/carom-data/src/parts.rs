//! A table that grows on the disk: closed parts of so many rows each, and the rows that are still to come.
//!
//! The part with number `n` holds the rows from `n · size` on. When a checkpoint is made before a part is full, it is
//! written as far as it goes, and replaced by a longer one later: so where parts begin does not depend on when
//! checkpoints were made, and the joined file has the same bytes whether the run was disturbed or not.

use crate::error::DataError;
use crate::files::{self, Over};
use crate::parquet_file::{self, Source};
use crate::sum::Sum;
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
    /// What the file that they are in is recognised by.
    written: Option<Sum>,
}

fn part_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("part-{number:06}.parquet"))
}

/// The number of a part, by its name.
fn part_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let digits = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    let number = digits.parse().ok()?;
    // There is one name for each.
    part_path(Path::new(""), number)
        .ends_with(name)
        .then_some(number)
}

/// Whether a file is called as parts are.
pub fn is_part(path: &Path) -> bool {
    part_number(path).is_some()
}

/// All parts in a folder, in order, with their numbers. None where there is no such folder.
pub fn numbered(folder: &Path) -> Result<Vec<(u64, PathBuf)>, DataError> {
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
    Ok(parts)
}

/// How many parts so many rows take.
fn parts_of(rows: u64, size: usize) -> u64 {
    rows.div_ceil(size as u64)
}

/// All parts of a table that has at least so many rows: none of them is missing.
pub fn list(folder: &Path, size: usize, rows: u64) -> Result<Vec<PathBuf>, DataError> {
    let parts = numbered(folder)?;
    let last = parts.last().map_or(0, |(number, _)| number + 1);
    for number in 0..parts_of(rows, size).max(last) {
        if !usize::try_from(number).is_ok_and(|at| parts.get(at).is_some_and(|p| p.0 == number)) {
            let path = part_path(folder, number);
            return Err(DataError::damaged(&path, "it is missing"));
        }
    }
    Ok(parts.into_iter().map(|(_, path)| path).collect())
}

/// Whether a file is a part of such a table, whole and as carom wrote it.
pub fn is_own(path: &Path, columns: &[Column]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    is_file && Source::open(path, columns, true).is_ok_and(|source| source.check().is_ok())
}

/// Checks every byte of the parts that so many rows are in. The last of them may have more rows.
pub fn check(folder: &Path, columns: &[Column], size: usize, rows: u64) -> Result<(), DataError> {
    for number in 0..parts_of(rows, size) {
        let path = part_path(folder, number);
        let expected = (rows - number * size as u64).min(size as u64);
        let source = match Source::open(&path, columns, true) {
            Err(DataError::Read { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                return Err(DataError::damaged(&path, "it is missing"));
            }
            source => source?,
        };
        source.check()?;
        if source.rows() < expected {
            let reason = format!("it has {} rows instead of {expected}", source.rows());
            return Err(DataError::damaged(&path, reason));
        }
    }
    Ok(())
}

/// Parts that are damaged get other names, from the first that so many rows do not reach: a run that goes back writes
/// them again.
pub fn set_aside(
    folder: &Path,
    columns: &[Column],
    size: usize,
    rows: [u64; 2],
) -> Result<Vec<PathBuf>, DataError> {
    let mut aside = Vec::new();
    let [first, end] = rows.map(|rows| parts_of(rows, size));
    for number in first..end {
        let path = part_path(folder, number);
        if path.exists() && !is_own(&path, columns) {
            aside.push(files::set_aside(&path)?);
        }
    }
    Ok(aside)
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
            written: None,
        })
    }

    /// A table as it was when it had so many rows; whatever came later is dropped, unless carom did not write it.
    pub fn resume(
        folder: &Path,
        columns: Vec<Column>,
        size: usize,
        rows: u64,
    ) -> Result<Self, DataError> {
        let mut parts = Parts::create(folder, columns, size)?;
        check(folder, &parts.columns, size, rows)?;
        let kept = parts_of(rows, size);
        let later = || {
            let all = numbered(folder)?.into_iter();
            Ok(all.filter(|(number, _)| *number >= kept))
        };
        // Nothing is removed before all of it is known to be carom's.
        for (_, path) in later()? {
            if !is_own(&path, &parts.columns) {
                return Err(DataError::Foreign { path });
            }
        }
        parts.full = rows / size as u64;
        parts.saved = (rows % size as u64) as usize;
        if parts.saved > 0 {
            let path = part_path(folder, parts.full);
            parts.open = parts.read_last(&path)?;
            parts.written = Some(Sum::of_file(&path)?);
        }
        for (_, path) in later()? {
            files::remove(&path)?;
        }
        Ok(parts)
    }

    fn read_last(&self, path: &Path) -> Result<Rows, DataError> {
        let source = Source::open(path, &self.columns, true)?;
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
        if self.open.len() < self.size {
            Ok(())
        } else {
            self.close_part()
        }
    }

    /// Writes the open rows, in the place of those of them that are on the disk.
    fn write_part(&mut self) -> Result<(), DataError> {
        let path = part_path(&self.folder, self.full);
        let over = match self.written {
            Some(sum) => Over::Own(vec![sum]),
            None => Over::Nothing,
        };
        let written = parquet_file::write(&path, &over, &self.columns, &self.open)?;
        self.written = Some(written.sum);
        Ok(())
    }

    fn close_part(&mut self) -> Result<(), DataError> {
        self.write_part()?;
        self.open.truncate(0);
        self.saved = 0;
        self.written = None;
        self.full += 1;
        Ok(())
    }

    /// Brings all rows to the disk.
    pub fn save(&mut self) -> Result<(), DataError> {
        if self.open.len() > self.saved {
            self.write_part()?;
            self.saved = self.open.len();
        }
        files::sync_folder(&self.folder)
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.full * self.size as u64 + self.open.len() as u64
    }
}

/// Removes the parts of a table that was joined, and their folder, if nothing else is in it. What carom did not write
/// stays.
pub fn remove_parts(folder: &Path, columns: &[Column]) -> Result<(), DataError> {
    for (_, path) in numbered(folder)? {
        let is_file = fs::symlink_metadata(&path).is_ok_and(|there| there.is_file());
        // Joining has checked all that is in it.
        if is_file && Source::open(&path, columns, true).is_ok() {
            files::remove(&path)?;
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if !is_left(&error) => Err(DataError::write(folder)(error)),
        _ => Ok(()),
    }
}

/// Whether a folder could not be removed because there is none, or something in it, or because it is none.
fn is_left(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
    )
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
        let parts = list(&inside, SIZE, 0).unwrap();
        parquet_file::join(&path, &Over::Anything, &columns(), &parts).unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let folder = Folder::new("back");
        undisturbed(&folder.0, 27);
        let source = Source::open(&folder.0.join("undisturbed.parquet"), &columns(), true).unwrap();
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
                // A file of the user's own stays as it is.
                fs::write(inside.join(".part-000001.parquet.new"), "mine").unwrap();
                let mut parts = Parts::resume(&inside, columns(), SIZE, kept).unwrap();
                assert_eq!(parts.rows(), saved as u64);
                (saved..rows).for_each(|number| add(&mut parts, number));
                parts.save().unwrap();
                let path = folder.0.join("cut.parquet");
                let parts = list(&inside, SIZE, rows as u64).unwrap();
                parquet_file::join(&path, &Over::Anything, &columns(), &parts).unwrap();
                assert!(fs::read(path).unwrap() == expected, "{saved} of {rows}");
                remove_parts(&inside, &columns()).unwrap();
                let left: Vec<_> = fs::read_dir(&inside).unwrap().collect();
                assert_eq!(left.len(), 1, "only that file");
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
        fs::remove_file(part_path(&inside, 1)).unwrap();
        for missing in [
            Parts::resume(&inside, columns(), SIZE, 25).map(drop),
            list(&inside, SIZE, 0).map(drop),
        ] {
            let missing = missing.unwrap_err().to_string();
            assert!(
                missing.ends_with("part-000001.parquet` is damaged: it is missing"),
                "{missing}"
            );
        }
        // And nothing was removed because of that.
        assert_eq!(numbered(&inside).unwrap().len(), 2);
        // A part that carom did not write is not removed either, and is named.
        let mine = part_path(&inside, 7);
        fs::write(&mine, "mine").unwrap();
        let foreign = Parts::resume(&inside, columns(), SIZE, 10).unwrap_err();
        assert!(matches!(foreign, DataError::Foreign { path } if path == mine));
        assert_eq!(numbered(&inside).unwrap().len(), 3);
    }

    /// Each byte of a part is covered by a sum: that of its footer, or that of a chunk.
    #[test]
    fn each_byte_of_a_part_counts() {
        let folder = Folder::new("bytes");
        let path = folder.0.join("part-000000.parquet");
        let mut parts = Parts::create(&folder.0, columns(), SIZE).unwrap();
        (0..9).for_each(|number| add(&mut parts, number));
        parts.save().unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(is_own(&path, &columns()));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            // A different bit each time; they are all alike to a CRC.
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, &flipped).unwrap();
            assert!(!is_own(&path, &columns()), "byte {at} of {}", bytes.len());
        }
    }

    /// Folders of earlier versions have other names for some columns: they are read under today's.
    #[test]
    fn parts_with_old_names_are_read() {
        let folder = Folder::new("old-names");
        let named = |speed: &'static str, angular: &'static str| {
            vec![
                Column::integer("number"),
                Column::number(speed, "m/s"),
                Column::number(angular, "rad/s"),
            ]
        };
        let old = named("closing_speed", "a_spin_x_before");
        let mut parts = Parts::create(&folder.0, old, SIZE).unwrap();
        for number in 0..9 {
            let add = parts.add(|row| {
                row.integer(number).number(1.5).number(number as f64);
            });
            add.unwrap();
        }
        parts.save().unwrap();
        let path = part_path(&folder.0, 0);
        let new = named("approach_speed", "a_angular_velocity_x_before");
        let source = Source::open(&path, &new, true).unwrap();
        let all: Vec<f64> = (0..source.groups())
            .flat_map(|group| {
                source.read(group, &[2]).unwrap().values[0]
                    .numbers()
                    .to_vec()
            })
            .collect();
        assert_eq!(all, (0..9).map(f64::from).collect::<Vec<f64>>());
        let other = named("approach_speed", "b_angular_velocity_x_before");
        assert!(Source::open(&path, &other, true).is_err());
    }

    /// The Parquet crate itself, which knows nothing of the sums in the footer, finds a changed page by the sum in its
    /// header.
    #[test]
    fn pages_have_checksums_that_others_can_check() {
        let folder = Folder::new("pages");
        let path = folder.0.join("part-000000.parquet");
        let mut parts = Parts::create(&folder.0, columns(), SIZE).unwrap();
        (0..9).for_each(|number| add(&mut parts, number));
        parts.save().unwrap();
        let bytes = fs::read(&path).unwrap();
        let place = bytes
            .windows(4)
            .position(|window| window == b"miss")
            .unwrap();
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        fs::write(&path, &flipped).unwrap();
        let unsealed = Source::open(&path, &columns(), false).unwrap();
        let error = unsealed.read(0, &[1]).unwrap_err().to_string();
        assert!(error.ends_with("Page CRC checksum mismatch"), "{error}");
        assert!(unsealed.read(0, &[0, 2, 3]).is_ok());
    }
}
