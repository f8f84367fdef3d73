//! Files that commands write for people: tables for other programs, plots, pictures, reports.
//!
//! No file of a user is overwritten. Inside of a run folder or a sweep folder the list `outputs.jsonl` says which files
//! were written there and what they are recognised by: what is on it, and still the same, is replaced; anything else
//! stays, and is named. Outside of such folders a file that is there is replaced only on request.

use crate::error::DataError;
use crate::files::{self, Filler, IntoDataError, Over};
use crate::manifest::MANIFEST;
use crate::sum::{Sum, check_seal, sealed};
use crate::sweep;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The list of a run folder.
pub const OUTPUTS: &str = "outputs.jsonl";
/// The last key of each line: the checksum of the line without it.
const SUM: &str = "line_crc32";

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    /// A file that was written.
    File {
        /// Its name in the run folder.
        file: String,
        #[serde(flatten)]
        sum: Sum,
    },
    /// A process that writes: hidden files with its mark are its own, and not finished.
    Mark {
        /// The number that it drew.
        mark: String,
    },
}

/// What the list of a run folder says.
#[derive(Clone, Debug, Default)]
pub struct OutputList {
    /// The files, by name, with all that they have been.
    pub files: BTreeMap<String, Vec<Sum>>,
    /// The marks of the processes that wrote.
    pub marks: Vec<String>,
}

impl OutputList {
    /// Reads that of a run folder; where there is none, nothing was written.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join(OUTPUTS);
        let mut list = OutputList::default();
        let bytes = match files::read_whole(&path) {
            Ok((bytes, _)) => bytes,
            Err(DataError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(list);
            }
            Err(error) => return Err(error),
        };
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let damaged =
                |reason: String| DataError::damaged(&path, format!("line {number}: {reason}"));
            check_seal(SUM, line).map_err(damaged)?;
            let line = serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
            match line {
                Line::File { file, sum } => list.files.entry(file).or_default().push(sum),
                Line::Mark { mark } => list.marks.push(mark),
            }
        }
        Ok(list)
    }
}

/// A run folder that is written to.
#[derive(Debug)]
struct Home {
    root: PathBuf,
    list: OutputList,
}

impl Home {
    /// The run folder that a folder is, or is in.
    fn of(folder: &Path) -> Result<Option<Self>, DataError> {
        let folder = fs::canonicalize(folder).map_err(DataError::read(folder))?;
        let is_own = |folder: &&Path| is_run(folder) || sweep::is_sweep(folder);
        match folder.ancestors().find(is_own) {
            Some(root) => Ok(Some(Home {
                list: OutputList::read(root)?,
                root: root.to_owned(),
            })),
            None => Ok(None),
        }
    }

    fn add(&self, line: &Line) -> Result<(), DataError> {
        let path = self.root.join(OUTPUTS);
        let failed = DataError::write(&path);
        let text = serde_json::to_vec(line).map_err(std::io::Error::from);
        let written = text.and_then(|text| {
            let mut file = File::options().append(true).create(true).open(&path)?;
            // All at once: another process may be writing to it as well.
            file.write_all(&sealed(SUM, text))?;
            file.sync_all()
        });
        written.map_err(failed)
    }
}

/// Whether a folder is a run folder, by how its manifest begins.
fn is_run(folder: &Path) -> bool {
    const BEGINNING: &[u8] = b"{\"format\":\"carom-run\"";
    let mut bytes = [0; BEGINNING.len()];
    let read = File::open(folder.join(MANIFEST)).and_then(|mut file| file.read_exact(&mut bytes));
    read.is_ok() && bytes == BEGINNING
}

/// Writes files for people.
#[derive(Debug, Default)]
pub struct Outputs {
    /// Whether files outside of run folders are replaced.
    replace: bool,
    /// The folder that was written to last, and the run folder that it is in.
    last: RefCell<Option<(PathBuf, Option<Home>)>>,
}

/// A file that another program fills: it is removed again unless it is [put](Outputs::put).
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    hidden: PathBuf,
}

impl Unfinished {
    /// Where the file is while it is not finished.
    pub fn hidden(&self) -> &Path {
        &self.hidden
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has this process's mark. Once it has got its name, there is nothing here any more.
        let _ = fs::remove_file(&self.hidden);
    }
}

impl Outputs {
    /// With or without leave to replace files outside of run folders.
    pub fn new(replace: bool) -> Self {
        Outputs {
            replace,
            last: RefCell::default(),
        }
    }

    /// Makes a folder to write into.
    pub fn make_folder(&self, folder: &Path) -> Result<(), DataError> {
        fs::create_dir_all(folder).map_err(DataError::write(folder))
    }

    /// Does something with the run folder that a file is to be in, if it is to be in one, and with the file's name in
    /// it.
    fn with_home<T>(
        &self,
        path: &Path,
        act: impl FnOnce(Option<(&mut Home, String)>) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(folder, _)| folder != parent) {
            let home = match Home::of(parent) {
                // Said by whoever writes.
                Err(DataError::Read { source, .. }) => return Err(DataError::write(path)(source)),
                home => home?,
            };
            *last = Some((parent.to_owned(), home));
        }
        let home = last.as_mut().and_then(|(_, home)| home.as_mut());
        let Some(home) = home else {
            return act(None);
        };
        let folder = fs::canonicalize(parent).map_err(DataError::write(path))?;
        let folder = folder.strip_prefix(&home.root).unwrap_or(&folder);
        let name = folder.join(path.file_name().unwrap_or_default());
        let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        act(Some((home, parts.join("/"))))
    }

    /// What may be under a name.
    fn over(&self, path: &Path) -> Result<Over, DataError> {
        self.with_home(path, |home| {
            Ok(match home {
                Some((home, name)) => {
                    Over::Own(home.list.files.get(&name).cloned().unwrap_or_default())
                }
                None if self.replace => Over::Anything,
                None => Over::Nothing,
            })
        })
    }

    /// Whether a file may be written: what would be refused at the end of the work is refused before it.
    pub fn check(&self, path: &Path) -> Result<(), DataError> {
        // The folder may not be there yet.
        if fs::symlink_metadata(path).is_err() {
            return Ok(());
        }
        let path = path.to_owned();
        match self.over(&path)? {
            Over::Anything => Ok(()),
            Over::Nothing => Err(DataError::Exists { path }),
            Over::Own(own) => {
                let is_file = fs::symlink_metadata(&path).is_ok_and(|there| there.is_file());
                if is_file && own.contains(&Sum::of_file(&path)?) {
                    Ok(())
                } else {
                    Err(DataError::Foreign { path })
                }
            }
        }
    }

    /// Notes in a run folder that this process is writing there.
    fn note_mark(&self, path: &Path) -> Result<(), DataError> {
        self.with_home(path, |home| match home {
            Some((home, _)) if !home.list.marks.iter().any(|mark| mark == files::mark()) => {
                home.add(&Line::Mark {
                    mark: files::mark().to_owned(),
                })?;
                home.list.marks.push(files::mark().to_owned());
                Ok(())
            }
            _ => Ok(()),
        })
    }

    /// Notes a file that is about to get its name: should the process be killed in between, a name is listed that
    /// nothing has.
    fn note(&self, path: &Path, sum: Sum) -> Result<(), DataError> {
        self.with_home(path, |home| match home {
            Some((home, file)) => {
                home.add(&Line::File {
                    file: file.clone(),
                    sum,
                })?;
                home.list.files.entry(file).or_default().push(sum);
                Ok(())
            }
            None => Ok(()),
        })
    }

    /// Writes a file as a whole.
    pub fn fill<E: IntoDataError>(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut Filler) -> Result<(), E>,
    ) -> Result<(), DataError> {
        // Before anything is noted or computed.
        self.check(path)?;
        let over = self.over(path)?;
        self.note_mark(path)?;
        files::write_noted(path, &over, fill, |sum| self.note(path, *sum)).map(drop)
    }

    /// Writes bytes as a whole file.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), DataError> {
        self.fill(path, |file| file.write_all(bytes))
    }

    /// A file that is filled elsewhere, and is then [put](Self::put) where it belongs.
    pub fn begin(&self, path: &Path) -> Result<Unfinished, DataError> {
        self.check(path)?;
        self.note_mark(path)?;
        Ok(Unfinished {
            path: path.to_owned(),
            hidden: files::beside(path, "new"),
        })
    }

    /// Gives a file that was filled its name.
    pub fn put(&self, file: Unfinished) -> Result<(), DataError> {
        let over = self.over(&file.path)?;
        self.note(&file.path, Sum::of_file(&file.hidden)?)?;
        files::put(&file.hidden, &file.path, &over)
    }
}
