//! What in a run folder is carom's.
//!
//! A file is carom's where a list says so and it still is what it was: `run.json` lists what was written once,
//! `outputs.jsonl` what other commands wrote. Files that grow, and those that a process that was killed has left, are
//! known by the checksums in them, and files that were never finished by the mark of the process. All else belongs to
//! the user, and so does what was changed.

use crate::error::DataError;
use crate::files::{self, is_mark, mark_of};
use crate::folder::{GROWING, LOCK, read_marks};
use crate::manifest::{MANIFEST, Manifest, PREVIOUS};
use crate::outputs::{OUTPUTS, OutputList};
use crate::parts;
use crate::recorder::{is_checkpoint_file, table_columns};
use crate::sum::Sum;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that are carom's own by their names, as long as nothing else is in them.
const FOLDERS: [&str; 11] = [
    "csv",
    "npz",
    "vtk",
    "vtk/frames",
    "extxyz",
    "plots",
    "pictures",
    "tables",
    GROWING[0],
    GROWING[1],
    GROWING[2],
];

/// Everything in a run folder, all of it carom's.
#[derive(Debug, Default)]
pub struct Owned {
    /// The files.
    files: Vec<PathBuf>,
    /// The folders, those that are in others first.
    folders: Vec<PathBuf>,
}

impl Owned {
    /// Removes all of it, and the folder. The manifest goes last: what is left when a process is killed here is a run
    /// folder.
    pub fn remove(self, folder: &Path) -> Result<(), DataError> {
        let manifest = folder.join(MANIFEST);
        for file in self.files.iter().filter(|&file| *file != manifest) {
            files::remove(file)?;
        }
        // It fails where something is in it, which then stays.
        let remove = |path: &Path| fs::remove_dir(path).map_err(DataError::write(path));
        self.folders.iter().try_for_each(|path| remove(path))?;
        files::remove(&manifest)?;
        remove(folder)
    }
}

/// What is known of a run folder.
struct Lists {
    manifest: Manifest,
    previous: Option<Manifest>,
    outputs: OutputList,
    marks: Vec<String>,
}

impl Lists {
    fn read(folder: &Path) -> Result<Self, DataError> {
        let outputs = OutputList::read(folder)?;
        let mut marks = read_marks(&folder.join(LOCK))?;
        marks.extend(outputs.marks.iter().cloned());
        marks.push(files::mark().to_owned());
        Ok(Lists {
            manifest: Manifest::read(folder)?,
            previous: Manifest::read_named(folder, PREVIOUS).ok().map(|(m, _)| m),
            outputs,
            marks,
        })
    }

    fn sums(&self, name: &str) -> Vec<Sum> {
        let mut sums = self.manifest.sums(name);
        sums.extend(self.previous.iter().flat_map(|m| m.sums(name)));
        sums.extend(self.outputs.files.get(name).into_iter().flatten());
        sums
    }

    fn is_own(&self, name: &str, path: &Path) -> Result<bool, DataError> {
        match name {
            // They have been read, and would not have been were they not whole.
            MANIFEST | OUTPUTS | LOCK => return Ok(true),
            PREVIOUS => return Ok(self.previous.is_some()),
            _ => (),
        }
        let sums = self.sums(name);
        if !sums.is_empty() {
            return Ok(sums.contains(&Sum::of_file(path)?));
        }
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(mark) = mark_of(&last, "new") {
            return Ok(is_mark(mark) && self.marks.iter().any(|own| own == mark));
        }
        // A table in parts, or one that was joined by a process that was killed then.
        let table = match name.split_once('/') {
            Some((table, _)) if parts::is_part(path) => Some(table),
            Some(_) => None,
            None => name.strip_suffix(".parquet"),
        };
        if let Some(columns) = table.and_then(|table| table_columns(&self.manifest, table)) {
            return Ok(parts::is_own(path, &columns));
        }
        Ok(!name.contains('/') && is_checkpoint_file(&self.manifest, name, path))
    }

    fn is_own_folder(&self, name: &str) -> bool {
        let inside = format!("{name}/");
        let leads_to = |file: &str| file.starts_with(&inside);
        FOLDERS.contains(&name)
            || self.outputs.files.keys().any(|file| leads_to(file))
            || self.manifest.files.iter().any(|l| leads_to(&l.file))
    }
}

/// Everything in a run folder where all of it is carom's, or the name of something that is not.
pub fn survey(folder: &Path) -> Result<Result<Owned, String>, DataError> {
    let lists = Lists::read(folder)?;
    let mut owned = Owned::default();
    let mut strangers = Vec::new();
    walk(&lists, folder, "", &mut owned, &mut strangers)?;
    if let Some(first) = strangers.into_iter().next() {
        return Ok(Err(first));
    }
    Ok(Ok(owned))
}

/// The names of all things in a run folder that are not carom's, or were changed.
pub fn strangers(folder: &Path) -> Result<Vec<String>, DataError> {
    let lists = Lists::read(folder)?;
    let mut strangers = Vec::new();
    walk(&lists, folder, "", &mut Owned::default(), &mut strangers)?;
    Ok(strangers)
}

fn walk(
    lists: &Lists,
    folder: &Path,
    inside: &str,
    owned: &mut Owned,
    strangers: &mut Vec<String>,
) -> Result<(), DataError> {
    let entries = fs::read_dir(folder).map_err(DataError::read(folder))?;
    let mut entries = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<PathBuf>, _>>()
        .map_err(DataError::read(folder))?;
    entries.sort();
    for path in entries {
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{inside}{last}");
        // A link is somebody else's, wherever it leads.
        let kind = fs::symlink_metadata(&path).map_err(DataError::read(&path))?;
        if kind.is_dir() && lists.is_own_folder(&name) {
            walk(lists, &path, &format!("{name}/"), owned, strangers)?;
            owned.folders.push(path);
        } else if kind.is_file() && lists.is_own(&name, &path)? {
            owned.files.push(path);
        } else {
            strangers.push(name);
        }
    }
    Ok(())
}
