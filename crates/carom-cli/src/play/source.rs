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
    /// A run folder.
    Run(PathBuf),
}

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
            return Ok(Source::Run(run.path().to_owned()));
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
            Source::Run(_) => "run",
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
        let Source::Run(folder) = self else {
            return None;
        };
        let name = RUN_FILES.iter().find(|known| **known == name)?;
        let path = folder.join(name);
        if !path.symlink_metadata().ok()?.is_file() {
            return None;
        }
        let file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        Some((file, length))
    }
}
