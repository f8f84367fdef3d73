//! Files that are whole or not there, and that never replace a user's file.
//!
//! A file is written under a hidden name (which readers of datasets pass over), brought to the disk, and only then
//! given the name that it is called by: whoever is killed at whatever moment leaves the old file or the new one, never
//! half of one. The hidden name has a number in it that the process drew: what has it was written by carom.
//!
//! What is under the name already is replaced only where it is known to be carom's own, by its checksum.

use crate::error::DataError;
use crate::sum::{Crc, Sum};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// As large as a piece that goes to the system at once, bytes.
const BUFFER: usize = 1 << 18;

/// The number that this process drew: sixteen hexadecimal digits, of which no two processes have the same.
pub fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        // The standard library draws the keys of its hash maps from the system's random numbers.
        let mut drawn = std::hash::RandomState::new().build_hasher();
        drawn.write_u32(std::process::id());
        format!("{:016x}", drawn.finish())
    })
}

/// Whether these are the digits of a [`mark`].
pub fn is_mark(text: &str) -> bool {
    let plain = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 16 && text.bytes().all(plain)
}

/// A hidden name beside another, marked by this process.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{ending}", mark()))
}

/// The mark in the name of something that is not finished.
pub fn mark_of<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    let inner = name.strip_prefix('.')?.strip_suffix(ending)?;
    let (_, mark) = inner.strip_suffix('.')?.rsplit_once('.')?;
    is_mark(mark).then_some(mark)
}

/// What may be under a name that is written to.
#[derive(Clone, Debug)]
pub enum Over {
    /// Nothing.
    Nothing,
    /// Nothing, or one of these files, which carom wrote.
    Own(Vec<Sum>),
    /// Whatever it is: replacing it was requested.
    Anything,
}

/// A file that is being written.
pub struct Filler {
    file: BufWriter<File>,
    sum: crc32fast::Hasher,
    bytes: u64,
    /// Whether it was written in another order than from front to back.
    jumped: bool,
}

impl Write for Filler {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Filler {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.jumped |= !matches!(to, SeekFrom::Current(0));
        self.file.seek(to)
    }
}

/// Writes a file as a whole; on any error what was there before is still there. Answers what it is recognised by.
pub fn write_whole<E>(
    path: &Path,
    over: &Over,
    fill: impl FnOnce(&mut Filler) -> Result<(), E>,
) -> Result<Sum, DataError>
where
    E: IntoDataError,
{
    write_noted(path, over, fill, |_| Ok(()))
}

/// The same, with something that is done when the file is on the disk and has not got its name yet.
pub fn write_noted<E>(
    path: &Path,
    over: &Over,
    fill: impl FnOnce(&mut Filler) -> Result<(), E>,
    note: impl FnOnce(&Sum) -> Result<(), DataError>,
) -> Result<Sum, DataError>
where
    E: IntoDataError,
{
    let temporary = beside(path, "new");
    let written = (|| {
        // The name has this process's mark in it, so that whatever is there is its own.
        let file = File::create(&temporary).map_err(DataError::write(path))?;
        let mut filler = Filler {
            file: BufWriter::with_capacity(BUFFER, file),
            sum: crc32fast::Hasher::new(),
            bytes: 0,
            jumped: false,
        };
        fill(&mut filler).map_err(|error| error.into_data_error(path))?;
        let file = filler
            .file
            .into_inner()
            .map_err(|error| DataError::write(path)(error.into_error()))?;
        file.sync_all().map_err(DataError::write(path))?;
        drop(file);
        let sum = if filler.jumped {
            Sum::of_file(&temporary)?
        } else {
            Sum {
                bytes: filler.bytes,
                crc32: Crc(filler.sum.finalize()),
            }
        };
        note(&sum)?;
        put(&temporary, path, over)?;
        Ok(sum)
    })();
    if written.is_err() {
        // On a full disk it is the first thing in the way. That it cannot be removed either changes nothing.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Gives a finished file its name.
pub fn put(temporary: &Path, path: &Path, over: &Over) -> Result<(), DataError> {
    let there = fs::symlink_metadata(path);
    match (over, there) {
        (Over::Anything, _) => fs::rename(temporary, path).map_err(DataError::write(path)),
        (Over::Own(own), Ok(there)) => {
            if there.is_file() && own.contains(&Sum::of_file(path)?) {
                return fs::rename(temporary, path).map_err(DataError::write(path));
            }
            Err(DataError::Foreign {
                path: path.to_owned(),
            })
        }
        (Over::Nothing, Ok(_)) => Err(DataError::Exists {
            path: path.to_owned(),
        }),
        (_, Err(_)) => put_new(temporary, path),
    }
}

/// Gives a finished file a name that nothing has. Should something have got it a moment ago, it is not replaced.
fn put_new(temporary: &Path, path: &Path) -> Result<(), DataError> {
    let exists = || DataError::Exists {
        path: path.to_owned(),
    };
    // A second name for the file is made at once or not at all, and never in the place of another file.
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary).map_err(DataError::write(temporary)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists()),
        // There are disks whose files have one name each. There an empty file takes the name first, which fails where
        // there is something; only this file is replaced.
        Err(_) => match File::create_new(path) {
            Ok(_) => fs::rename(temporary, path).map_err(DataError::write(path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists()),
            Err(error) => Err(DataError::write(path)(error)),
        },
    }
}

/// Writes bytes as a whole file.
pub fn write_bytes(path: &Path, over: &Over, bytes: &[u8]) -> Result<Sum, DataError> {
    write_whole(path, over, |writer| writer.write_all(bytes))
}

/// Writes a file as a whole, under a name that nothing has, or in the place of one of the files given by what they are
/// recognised by.
pub fn write_file(path: &Path, bytes: &[u8], instead_of: Vec<Sum>) -> Result<(), DataError> {
    write_bytes(path, &Over::Own(instead_of), bytes).map(drop)
}

/// Copies a file to a name in a folder that may have one more folder in it.
pub fn copy_into(from: &Path, folder: &Path, name: &str) -> Result<Sum, DataError> {
    let to = folder.join(name);
    let parent = to.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(DataError::write(parent))?;
    let mut source = File::open(from).map_err(DataError::read(from))?;
    let copied = write_whole(&to, &Over::Nothing, |writer| {
        io::copy(&mut source, writer).map(drop)
    })?;
    sync_folder(parent)?;
    Ok(copied)
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
        Err(error) if error.kind() != ErrorKind::NotFound => Err(DataError::write(path)(error)),
        _ => Ok(()),
    }
}

/// Removes a file that carom wrote, if it is there and still what it was; otherwise it stays.
pub fn remove_own(path: &Path, own: &[Sum]) -> Result<(), DataError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() && own.contains(&Sum::of_file(path)?) => remove(path),
        _ => Ok(()),
    }
}

/// Gives a file that is not what it was another name, so that it is out of the way and still there. Answers that name.
pub fn set_aside(path: &Path) -> Result<PathBuf, DataError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 1..u32::MAX {
        let ending = match number {
            1 => "damaged".to_owned(),
            number => format!("damaged-{number}"),
        };
        let to = path.with_file_name(format!("{name}.{ending}"));
        match put_new(path, &to) {
            Err(DataError::Exists { .. }) => (),
            Err(error) => return Err(error),
            Ok(()) => return Ok(to),
        }
    }
    Err(DataError::Foreign {
        path: path.to_owned(),
    })
}

/// Removes what processes that were killed have left of files that were never finished: those with their marks.
pub fn sweep(folder: &Path, marks: &[String]) -> Result<(), DataError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(DataError::read(folder))?,
    };
    for entry in entries {
        let path = entry.map_err(DataError::read(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let marked = mark_of(&name, "new").is_some_and(|mark| marks.iter().any(|own| own == mark));
        let is_file = fs::symlink_metadata(&path).is_ok_and(|there| there.is_file());
        if marked && is_file {
            remove(&path)?;
        }
    }
    Ok(())
}

/// The whole of a small file, with what it is recognised by.
pub fn read_whole(path: &Path) -> Result<(Vec<u8>, Sum), DataError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(DataError::read(path))?;
    let sum = Sum::of(&bytes);
    Ok((bytes, sum))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let name = format!("carom-files-{name}-{}", mark());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    /// The name appears between the look and the writing: `put_new` is what is left then, and it does not replace.
    #[test]
    fn a_file_that_appears_in_the_last_moment_is_not_replaced() {
        let folder = folder("moment");
        let (made, path) = (folder.join("made"), folder.join("name"));
        fs::write(&made, "carom's").unwrap();
        fs::write(&path, "mine").unwrap();
        assert!(matches!(
            put_new(&made, &path),
            Err(DataError::Exists { .. })
        ));
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_what_is_still_carom_s_own_is_replaced() {
        let folder = folder("own");
        let path = folder.join("name");
        let first = write_bytes(&path, &Over::Nothing, b"one").unwrap();
        let own = Over::Own(vec![first]);
        write_bytes(&path, &own, b"two").unwrap();
        // It is "two" now, not "one".
        let error = write_bytes(&path, &own, b"three").unwrap_err();
        assert!(matches!(error, DataError::Foreign { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"two");
        remove_own(&path, &[first]).unwrap();
        assert!(path.exists());
        let aside = set_aside(&path).unwrap();
        assert_eq!(aside, folder.join("name.damaged"));
        fs::write(&path, "again").unwrap();
        assert_eq!(set_aside(&path).unwrap(), folder.join("name.damaged-2"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn sums_are_those_of_the_bytes_also_when_written_out_of_order() {
        let folder = folder("jumps");
        let path = folder.join("name");
        let sum = write_whole(&path, &Over::Nothing, |file| {
            file.write_all(b"....world")?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(b"good")
        })
        .unwrap();
        assert_eq!(sum, Sum::of(b"goodworld"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_of_users_have_no_mark() {
        assert_eq!(
            mark_of(".one.0123456789abcdef.new", "new"),
            Some("0123456789abcdef")
        );
        for name in [
            ".one.new",
            "one.0123456789abcdef.new",
            ".0123456789abcdef.new",
            ".one.0123456789ABCDEF.new",
        ] {
            assert_eq!(mark_of(name, "new"), None, "{name}");
        }
    }
}
