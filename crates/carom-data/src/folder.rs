//! A run folder: where things are in it, who writes to it, how it comes and goes.

use crate::error::DataError;
use crate::files;
use crate::manifest::{MANIFEST, Manifest};
use crate::parts;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The tables that grow while a run goes on.
pub const GROWING: [&str; 3] = ["events", "frames", "audit"];
const LOCK: &str = ".lock";

/// A folder that only this process writes to. The system lets go of it when the process ends, in whatever way.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: File,
}

impl Claim {
    /// Claims a folder that is there.
    pub fn take(path: &Path) -> Result<Self, DataError> {
        let lock_path = path.join(LOCK);
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(DataError::write(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Claim {
                path: path.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(DataError::InUse {
                path: path.to_owned(),
            }),
            Err(TryLockError::Error(error)) => Err(DataError::write(&lock_path)(error)),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the folder its name, once it is ready.
    pub fn rename(&mut self, to: &Path) -> Result<(), DataError> {
        fs::rename(&self.path, to).map_err(DataError::write(to))?;
        self.path = to.to_owned();
        match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => files::sync_folder(parent),
            _ => Ok(()),
        }
    }
}

/// Where a table is.
pub fn table_path(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.parquet"))
}

/// Where the parts of a table are.
pub fn parts_path(folder: &Path, table: &str) -> PathBuf {
    folder.join(table)
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn not_replaced(path: &Path, reason: &str) -> DataError {
    DataError::NotReplaced {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Files that a run folder has, but for snapshots and what is not finished.
const FILES: [&str; 10] = [
    MANIFEST,
    LOCK,
    "summary.json",
    "scene.toml",
    "scene.json",
    "events.parquet",
    "frames.parquet",
    "audit.parquet",
    "bodies.parquet",
    "report.html",
];
/// Folders that conversions, plots and pictures are written to, and that of the tables that the scene reads.
const FOLDERS: [&str; 7] = ["csv", "npz", "vtk", "extxyz", "plots", "pictures", "tables"];

fn is_snapshot(name: &str) -> bool {
    name.starts_with("snapshot") && name.ends_with(".bin")
}

/// Something in a run folder that carom does not put there.
fn stranger(path: &Path) -> Result<Option<String>, DataError> {
    for entry in fs::read_dir(path).map_err(DataError::read(path))? {
        let name = entry.map_err(DataError::read(path))?.file_name();
        let name = name.to_string_lossy();
        let known = [&FILES[..], &FOLDERS, &GROWING].concat();
        let unfinished = name.starts_with('.') && name.ends_with(".new");
        if !(known.contains(&&*name) || is_snapshot(&name) || unfinished) {
            return Ok(Some(name.into_owned()));
        }
    }
    Ok(None)
}

/// Makes a folder beside the one that is asked for, to be renamed when it is ready: a run folder that is there can be read.
///
/// Refused where there is something under the name, unless that is an empty folder, or a run folder and `replace` is set.
pub fn begin(path: &Path, replace: bool) -> Result<Claim, DataError> {
    if path.file_name().is_none() {
        return Err(DataError::Refused {
            path: path.to_owned(),
            reason: "a run folder needs a name".to_owned(),
        });
    }
    if fs::symlink_metadata(path).is_ok() && !is_empty(path) {
        if !replace {
            return Err(DataError::Exists {
                path: path.to_owned(),
            });
        }
        if let Err(error) = Manifest::read(path) {
            return Err(not_replaced(path, &error.to_string()));
        }
        if let Some(stranger) = stranger(path)? {
            let reason = format!("it has `{stranger}` in it, which carom did not put there");
            return Err(not_replaced(path, &reason));
        }
        // Nobody may be at it.
        drop(Claim::take(path)?);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.new"));
    fs::create_dir_all(&beside).map_err(DataError::write(path))?;
    let claim = Claim::take(&beside)?;
    // What a process that was killed there has left.
    clear(&beside)?;
    Ok(claim)
}

/// Gives a folder that was [begun](begin) its name, in place of the run that was there.
pub fn establish(claim: &mut Claim, path: &Path) -> Result<(), DataError> {
    if !is_empty(path) && fs::symlink_metadata(path).is_ok() {
        remove(path)?;
    }
    claim.rename(path)
}

/// Removes everything that carom puts into run folders, but for the lock; whatever else is there stays.
fn clear(path: &Path) -> Result<(), DataError> {
    // First that which makes it a run folder: what is left when a process is killed here is none.
    files::remove(&path.join(MANIFEST))?;
    files::sweep(path)?;
    for table in GROWING {
        parts::remove_parts(&parts_path(path, table))?;
    }
    for name in FILES.iter().filter(|&&name| name != LOCK) {
        files::remove(&path.join(name))?;
    }
    for name in FOLDERS.map(|name| path.join(name)) {
        if name.is_dir() {
            fs::remove_dir_all(&name).map_err(DataError::write(&name))?;
        }
    }
    remove_snapshots(path, &[])
}

fn remove(path: &Path) -> Result<(), DataError> {
    clear(path)?;
    files::remove(&path.join(LOCK))?;
    fs::remove_dir(path).map_err(DataError::write(path))
}

/// Removes all snapshots but these.
pub fn remove_snapshots(path: &Path, but: &[&str]) -> Result<(), DataError> {
    for entry in fs::read_dir(path).map_err(DataError::read(path))? {
        let entry = entry.map_err(DataError::read(path))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if is_snapshot(&name) && !but.contains(&&*name) {
            files::remove(&entry.path())?;
        }
    }
    Ok(())
}
