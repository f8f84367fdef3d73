//! The one scene or run folder that is handed out besides the page.

use crate::output::Failure;
use crate::scene;
use carom_data::RunFolder;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the command was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing: the page has scenes of its own.
    Nothing,
    /// A scene file, with the tables and meshes that it reads, by the names that it calls them by.
    Scene(PathBuf, Vec<String>),
    /// A run folder, with the names of its copies of the tables and meshes that its scene reads.
    Run(PathBuf, Vec<String>),
}

/// The tables that are folders of parts until the run has come to its end.
const GROWING: [&str; 3] = ["events", "frames", "audit"];

/// The files of a run folder that the page reads.
const RUN_FILES: [&str; 8] = [
    "run.json",
    "summary.json",
    "scene.toml",
    "scene.json",
    "bodies.parquet",
    "events.parquet",
    "frames.parquet",
    "audit.parquet",
];

impl Source {
    /// Looks at what was given, and says what is wrong with it as `carom check` and `carom plot` do.
    pub fn open(what: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = what else {
            return Ok(Source::Nothing);
        };
        if path.is_dir() {
            let run = RunFolder::open(path)?;
            let copies = run.manifest().scene.tables.iter();
            let copies = copies.map(|table| table.file.clone()).collect();
            return Ok(Source::Run(run.path().to_owned(), copies));
        }
        let loaded = scene::load_path(path, Vec::new(), Instant::now())?;
        loaded.tell_notes();
        let files = loaded.scene.tables.into_iter().map(|table| table.given);
        Ok(Source::Scene(path.to_owned(), files.collect()))
    }

    /// What the page is told about it: nothing, `scene` or `run`.
    pub fn kind(&self) -> &'static str {
        match self {
            Source::Nothing => "",
            Source::Scene(..) => "scene",
            Source::Run(..) => "run",
        }
    }

    /// The scene for the page, as it is on disk now.
    pub fn scene(&self) -> Option<Vec<u8>> {
        let Source::Scene(path, files) = self else {
            return None;
        };
        let text = std::fs::read_to_string(path).ok()?;
        let beside: Vec<(&String, String)> = files
            .iter()
            .filter_map(|name| {
                Some((
                    name,
                    std::fs::read_to_string(path.with_file_name(name)).ok()?,
                ))
            })
            .collect();
        let name = path.file_name()?.to_string_lossy();
        let scene = json!({ "name": name, "text": text, "files": beside });
        Some(scene.to_string().into_bytes())
    }

    /// A file of the run folder, and its length, bytes. A link is not followed: it may lead anywhere.
    pub fn run_file(&self, name: &str) -> Option<(File, u64)> {
        let Source::Run(folder, copies) = self else {
            return None;
        };
        let known = match name.split_once('/') {
            _ if copies.iter().any(|copy| copy == name) => true,
            None => RUN_FILES.contains(&name),
            // Of a run that goes on, or was cut off.
            Some((table, part)) => GROWING.contains(&table) && is_part(part),
        };
        let path = folder.join(name);
        let inside = path.parent()?;
        if !known || (inside != folder && !inside.symlink_metadata().ok()?.is_dir()) {
            return None;
        }
        if !path.symlink_metadata().ok()?.is_file() {
            return None;
        }
        let file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        Some((file, length))
    }
}

/// Whether a file is called as the parts of a table are: `part-000000.parquet`.
fn is_part(name: &str) -> bool {
    let number = (name.strip_prefix("part-")).and_then(|rest| rest.strip_suffix(".parquet"));
    number.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_called_so() {
        assert!(is_part("part-000000.parquet") && is_part("part-1234567.parquet"));
        for other in ["part-.parquet", "part-00000.parquet", "part-00000x.parquet"] {
            assert!(!is_part(other), "{other}");
        }
        assert!(!is_part("part-000000.parquet.new") && !is_part("own.parquet"));
    }
}
