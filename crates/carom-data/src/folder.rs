//! A run folder: where things are in it, which process writes to it, how it is made and replaced.
//!
//! A run folder is made beside the one that is asked for, under a unique hidden name, and gets its own
//! name when it is ready. A folder can be renamed to a name that nothing has, or that an empty folder has; to the name
//! of anything else it cannot, the system sees to that. So nothing is ever in the way that could be lost, also if it
//! came a moment ago. A run that is to be replaced is moved away as a whole, looked through once more where nothing
//! expects it, and only then removed.

use crate::error::DataError;
use crate::files::{self, beside, is_mark, mark, mark_of};
use crate::manifest::{MANIFEST, Manifest};
use crate::owned;
use crate::sum::Crc;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The tables that grow while a run goes on.
pub const GROWING: [&str; 3] = ["events", "frames", "audit"];
/// Where a run folder has copies of the tables that its scene reads.
pub const TABLES: &str = "tables";
/// The copy of the keys that are pressed during a run.
pub const KEYS: &str = "keys.txt";
/// A process that writes to a run folder has locked this file; it has the mark of the last one that did.
pub const LOCK: &str = ".lock";

/// A folder that only this process writes to. The system lets go of it when the process ends, in whatever way.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: File,
}

/// How the lock of a process reads: its mark, and the checksum of that.
fn lock_text(mark: &str) -> String {
    format!("carom {mark} {}\n", Crc::of(mark.as_bytes()))
}

fn foreign(path: &Path) -> DataError {
    DataError::Foreign {
        path: path.to_owned(),
    }
}

/// The mark in the text of a lock. Earlier versions left it empty.
fn mark_in(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let mark = text.split(' ').nth(1).filter(|mark| is_mark(mark))?;
    (text == lock_text(mark)).then(|| vec![mark.to_owned()])
}

/// The mark in a lock: files that are not finished and have it were written by carom.
pub fn read_marks(lock: &Path) -> Result<Vec<String>, DataError> {
    match fs::symlink_metadata(lock) {
        Ok(there) if !there.is_file() => return Err(foreign(lock)),
        Err(_) => return Ok(Vec::new()),
        Ok(_) => (),
    }
    let text = fs::read(lock).map_err(DataError::read(lock))?;
    let text = String::from_utf8(text).map_err(|_| foreign(lock))?;
    mark_in(&text).ok_or_else(|| foreign(lock))
}

impl Claim {
    /// Claims a folder that is there.
    pub fn take(path: &Path) -> Result<Self, DataError> {
        let lock_path = path.join(LOCK);
        // A link, or somebody's own file, is not written to.
        read_marks(&lock_path)?;
        let mut lock = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&lock_path)
            .map_err(DataError::write(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => {
                return Err(DataError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(DataError::write(&lock_path)(error)),
        }
        let mut text = String::new();
        lock.read_to_string(&mut text)
            .map_err(DataError::read(&lock_path))?;
        let marks = mark_in(&text).ok_or_else(|| foreign(&lock_path))?;
        // What the last one who wrote has left, before its mark is forgotten.
        files::sweep(path, &marks)?;
        for table in GROWING {
            files::sweep(&parts_path(path, table), &marks)?;
        }
        let marked = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| lock.write_all(lock_text(mark()).as_bytes()));
        marked.map_err(DataError::write(&lock_path))?;
        Ok(Claim {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the folder another name, which nothing may have but an empty folder.
    fn rename(&mut self, to: &Path) -> std::io::Result<()> {
        if cfg!(windows) {
            // There a name must be free; only an empty folder can be removed like this.
            let _ = fs::remove_dir(to);
        }
        fs::rename(&self.path, to)?;
        self.path = to.to_owned();
        Ok(())
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

fn strange(path: &Path, name: &str) -> DataError {
    let reason = format!(
        "it has `{name}` in it, which carom did not write, or which was changed since: move that away first"
    );
    not_replaced(path, &reason)
}

/// A run folder that is being made.
#[derive(Debug)]
pub struct Begun {
    /// Under its hidden name.
    pub claim: Claim,
    /// The run that it takes the place of.
    old: Option<Claim>,
}

/// A run folder that may be replaced: all that is in it is carom's, and no process uses it.
fn replaceable(path: &Path) -> Result<Claim, DataError> {
    let manifest = match Manifest::read(path) {
        Err(error) => return Err(not_replaced(path, &error.to_string())),
        Ok(manifest) => manifest,
    };
    if !manifest.is_sealed() {
        let reason = format!(
            "carom {} wrote it and kept no list of its files; remove it yourself if nothing in it is needed",
            manifest.carom
        );
        return Err(not_replaced(path, &reason));
    }
    let claim = Claim::take(path)?;
    match owned::survey(path)? {
        Ok(_) => Ok(claim),
        Err(stranger) => Err(strange(path, &stranger)),
    }
}

/// Makes a folder beside the one that is asked for, to be renamed when it is ready: a run folder that is there can be
/// read.
///
/// Refused where there is something under the name, unless that is an empty folder, or a run folder with nothing in it
/// that is not carom's and `replace` is set.
pub fn begin(path: &Path, replace: bool) -> Result<Begun, DataError> {
    let refused = |reason: &str| {
        Err(DataError::Refused {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })
    };
    if path.file_name().is_none() {
        return refused("a run folder needs a name");
    }
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    tidy(path, parent)?;
    let mut old = None;
    if let Ok(there) = fs::symlink_metadata(path) {
        if there.is_symlink() {
            return refused("it is a link: give the folder that it leads to");
        }
        if !is_empty(path) {
            if !replace {
                return Err(DataError::Exists {
                    path: path.to_owned(),
                });
            }
            old = Some(replaceable(path)?);
        }
    }
    fs::create_dir_all(parent).map_err(DataError::write(path))?;
    let hidden = beside(path, "new");
    fs::create_dir(&hidden).map_err(DataError::write(path))?;
    let claim = Claim::take(&hidden)?;
    Ok(Begun { claim, old })
}

/// Gives a folder that was [begun](begin) its name, in place of the run that was there.
pub fn establish(begun: Begun, path: &Path) -> Result<Claim, DataError> {
    let Begun { mut claim, old } = begun;
    let taken = |error: std::io::Error| match fs::symlink_metadata(path) {
        Ok(_) => DataError::Exists {
            path: path.to_owned(),
        },
        Err(_) => DataError::write(path)(error),
    };
    let Some(mut old) = old else {
        claim.rename(path).map_err(taken)?;
        sync_parent(path)?;
        return Ok(claim);
    };
    let away = beside(path, "old");
    old.rename(&away).map_err(DataError::write(path))?;
    // Whatever was put there in the meantime is found now, and then nothing is removed.
    let owned = owned::survey(&away).and_then(|found| found.map_err(|name| strange(path, &name)));
    let owned = owned.and_then(|owned| {
        claim.rename(path).map_err(taken)?;
        Ok(owned)
    });
    match owned {
        Ok(owned) => {
            sync_parent(path)?;
            owned.remove(&away)?;
            Ok(claim)
        }
        Err(error) => {
            old.rename(path).map_err(DataError::write(&away))?;
            Err(error)
        }
    }
}

fn sync_parent(path: &Path) -> Result<(), DataError> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => files::sync_folder(parent),
        _ => Ok(()),
    }
}

/// Sees to what processes that were killed while they made or replaced this folder have left beside it.
fn tidy(path: &Path, parent: &Path) -> Result<(), DataError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let entries = match fs::read_dir(parent) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(DataError::read(parent))?,
    };
    for entry in entries {
        let left = entry.map_err(DataError::read(parent))?.path();
        let own = left.file_name().unwrap_or_default().to_string_lossy();
        let begins_so = own
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(&*name));
        let marks = [mark_of(&own, "new"), mark_of(&own, "old")];
        let its = |mark: &&str| own.len() == name.len() + mark.len() + 6;
        let is_dir = fs::symlink_metadata(&left).is_ok_and(|there| there.is_dir());
        match marks.map(|mark| mark.filter(its)) {
            _ if !begins_so || !is_dir => (),
            [Some(mark), _] => discard(&left, mark)?,
            // A whole run, which was about to be replaced: it comes back unless another has its name.
            [_, Some(_)] if left.join(MANIFEST).exists() => restore(&left, path)?,
            // All but the folder was removed.
            [_, Some(_)] => drop(fs::remove_dir(&left)),
            _ => (),
        }
    }
    Ok(())
}

/// A run that was moved away gets its name back, or is removed as it was to be, where the new run has the name.
fn restore(left: &Path, path: &Path) -> Result<(), DataError> {
    let mut claim = match Claim::take(left) {
        Err(DataError::InUse { .. }) => return Ok(()),
        claim => claim?,
    };
    if fs::symlink_metadata(path).is_err() {
        return claim.rename(path).map_err(DataError::write(path));
    }
    match owned::survey(left)? {
        Ok(owned) => owned.remove(left),
        Err(_) => Ok(()),
    }
}

/// What is in a folder that is being made.
const BEGINNING: [&str; 9] = [
    LOCK,
    MANIFEST,
    "scene.toml",
    "scene.json",
    KEYS,
    "bodies.parquet",
    TABLES,
    "snapshot-000001.bin",
    "snapshot-000001.averages.bin",
];

/// Whether there is nothing in a folder but a lock that has no mark yet.
fn is_lock_alone(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let lock = fs::symlink_metadata(folder.join(LOCK));
    names == [LOCK] && lock.is_ok_and(|there| there.is_file() && there.len() == 0)
}

/// Removes a folder that was never ready, by its mark: that in its name is that in its lock, so that carom made it, and
/// no process uses it. Should there be anything in it that is not of its making, it stays.
pub fn discard(folder: &Path, mark: &str) -> Result<(), DataError> {
    let lock = folder.join(LOCK);
    let file = File::options().write(true).open(&lock);
    if file.as_ref().is_ok_and(|file| file.try_lock().is_err()) {
        return Ok(());
    }
    if file.is_err() || read_marks(&lock).unwrap_or_default() != [mark] {
        // Killed before it was claimed: nothing is in it, or a lock without a mark, or else it is not carom's.
        if is_lock_alone(folder) {
            files::remove(&lock)?;
        }
        let _ = fs::remove_dir(folder);
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(DataError::read(folder))?;
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_known = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        BEGINNING.contains(&&*name)
            || GROWING.contains(&&*name)
            || mark_of(&name, "new") == Some(mark)
    };
    if !paths.iter().all(is_known) {
        return Ok(());
    }
    let mut last = vec![lock.clone()];
    for path in paths {
        let is_dir = fs::symlink_metadata(&path).is_ok_and(|there| there.is_dir());
        if is_dir && path.ends_with(TABLES) {
            let copies = fs::read_dir(&path).map_err(DataError::read(&path))?;
            copies
                .flatten()
                .try_for_each(|copy| files::remove(&copy.path()))?;
        }
        if is_dir {
            fs::remove_dir(&path).map_err(DataError::write(&path))?;
        } else if path != lock {
            last.push(path);
        }
    }
    last.iter().rev().try_for_each(|path| files::remove(path))?;
    fs::remove_dir(folder).map_err(DataError::write(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::SceneCopy;
    use crate::schedule::{Output, Schedule};

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("carom-folder-{name}-{}", mark()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// A run folder with little in it.
    fn little_run(path: &Path) {
        let scene = SceneCopy {
            file: "scene.toml".to_owned(),
            given: "scene.toml".to_owned(),
            title: String::new(),
            seed: 0,
            overrides: Vec::new(),
            keys: None,
            warnings: Vec::new(),
            tables: Vec::new(),
        };
        let schedule = Schedule {
            until: 1.0,
            max_collisions: None,
            rest: None,
            output: Output::Never,
            events: true,
            observe: None,
        };
        let mut manifest = Manifest::new(scene, 2, [0.0; 3], schedule, 0);
        manifest.snapshot = "snapshot.bin".to_owned();
        fs::create_dir(path).unwrap();
        manifest.write(path, &[]).unwrap();
    }

    /// Version 0.1.0 cleared a folder that appeared between the look and the rename.
    #[test]
    fn a_folder_that_appears_in_the_meantime_is_not_touched() {
        let folder = folder("appears");
        let path = folder.join("run");
        let begun = begin(&path, false).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("thesis.tex"), "mine").unwrap();
        let error = establish(begun, &path).unwrap_err();
        assert!(matches!(error, DataError::Exists { .. }), "{error}");
        assert_eq!(fs::read_to_string(path.join("thesis.tex")).unwrap(), "mine");
        // A file, or an empty folder, which is as good as none.
        let path = folder.join("file");
        let begun = begin(&path, false).unwrap();
        fs::write(&path, "mine").unwrap();
        assert!(establish(begun, &path).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        let path = folder.join("empty");
        let begun = begin(&path, false).unwrap();
        fs::create_dir(&path).unwrap();
        establish(begun, &path).unwrap();
        assert_eq!(names(&path), [LOCK]);
        fs::remove_dir_all(folder).unwrap();
    }

    /// The same with a run that is to be replaced: it comes back as it was, with what was put into it.
    #[test]
    fn a_file_that_appears_in_a_run_that_is_replaced_saves_it() {
        let folder = folder("replaced");
        let path = folder.join("run");
        little_run(&path);
        let begun = begin(&path, true).unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
        let error = establish(begun, &path).unwrap_err().to_string();
        assert!(error.contains("it has `notes.txt` in it"), "{error}");
        assert_eq!(names(&path), [LOCK, "notes.txt", MANIFEST]);
        assert!(Manifest::read(&path).is_ok());
        fs::remove_file(path.join("notes.txt")).unwrap();
        let begun = begin(&path, true).unwrap();
        fs::write(begun.claim.path().join("new"), "").unwrap();
        establish(begun, &path).unwrap();
        assert_eq!(names(&path), [LOCK, "new"]);
        // What the first attempt had begun is gone as well.
        assert_eq!(names(&folder), ["run"]);
        fs::remove_dir_all(folder).unwrap();
    }

    /// A process that is killed between moving a run away and giving the new one its name leaves both; the next one
    /// puts the old one back.
    #[test]
    fn a_run_that_was_moved_away_comes_back() {
        let folder = folder("away");
        let path = folder.join("run");
        little_run(&path);
        fs::rename(&path, folder.join(".run.0123456789abcdef.old")).unwrap();
        // Somebody's own things, which are called alike.
        for own in [".run.new", ".run.old", ".run.mine.new"] {
            fs::create_dir(folder.join(own)).unwrap();
            fs::write(folder.join(own).join("notes.txt"), "mine").unwrap();
        }
        let error = begin(&path, false).unwrap_err();
        assert!(matches!(error, DataError::Exists { .. }), "{error}");
        assert!(Manifest::read(&path).is_ok());
        assert_eq!(
            names(&folder),
            [".run.mine.new", ".run.new", ".run.old", "run"]
        );
        fs::remove_dir_all(folder).unwrap();
    }

    /// A link as the lock is somebody else's, and what it leads to stays as it is.
    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_none_is_not_written_to() {
        let folder = folder("lock");
        let mine = folder.join("mine");
        fs::write(&mine, "").unwrap();
        let run = folder.join("run");
        fs::create_dir(&run).unwrap();
        std::os::unix::fs::symlink(&mine, run.join(LOCK)).unwrap();
        assert!(matches!(Claim::take(&run), Err(DataError::Foreign { .. })));
        assert_eq!(fs::read(&mine).unwrap(), b"");
        fs::remove_file(run.join(LOCK)).unwrap();
        fs::write(run.join(LOCK), "mine").unwrap();
        assert!(matches!(Claim::take(&run), Err(DataError::Foreign { .. })));
        assert_eq!(fs::read(run.join(LOCK)).unwrap(), b"mine");
        fs::remove_dir_all(folder).unwrap();
    }
}
