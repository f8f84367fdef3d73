//! `run.json`: what a run folder is, and from where its run can go on. The format `carom-run`, version 1.

use crate::error::DataError;
use crate::files;
use crate::rest::RestMemory;
use crate::schedule::Schedule;
use crate::tally::Tally;
use carom_scene::Method;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Write};
use std::path::Path;

/// The name of the manifest in a run folder.
pub const MANIFEST: &str = "run.json";
const FORMAT: &str = "carom-run";
const VERSION: u64 = 1;

/// How far a run has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It goes on, or was cut off: `carom resume` goes on from here.
    Running,
    /// It has come to its end; the tables are still in parts.
    Ended,
    /// All is written.
    Complete,
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneCopy {
    /// Its name in the folder: `scene.toml` or `scene.json`.
    pub file: String,
    /// Its name as it was given.
    pub given: String,
    /// What the scene calls itself.
    pub title: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// What took the place of its settings: `key=value`, in order.
    pub overrides: Vec<String>,
    /// Tables of bodies that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableCopy>,
}

/// A table that a scene reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCopy {
    /// As the scene calls it.
    pub given: String,
    /// Its copy in the folder.
    pub file: String,
}

/// How many rows the tables have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// Of `events`.
    pub events: u64,
    /// Of `frames`.
    pub frames: u64,
    /// Of `audit`.
    pub audit: u64,
}

/// The manifest. It is replaced as a whole, after everything that it speaks of is on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    version: u64,
    /// Version of the program that began the run.
    pub carom: String,
    /// How far it has got.
    pub stage: Stage,
    /// What is run.
    pub scene: SceneCopy,
    /// By which method it is run: `events`, where it does not say, or `forces`.
    #[serde(default = "by_events", with = "method_name")]
    pub method: Method,
    /// Whether the run is of a world with solids that turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solids: bool,
    /// 2 or 3.
    pub dimension: usize,
    /// Lengths of the periodic box, m; zero along an axis that is not periodic.
    pub periods: [f64; 3],
    /// Until when, and what is kept.
    pub schedule: Schedule,
    /// World time of the checkpoint, s.
    pub time: f64,
    /// Collisions until then.
    pub collisions: u64,
    /// The frame that comes next.
    pub next_frame: u64,
    /// How long was computed, by the wall clock, s.
    pub elapsed_s: f64,
    /// Counted from 1.
    pub checkpoint: u64,
    /// The snapshot of the checkpoint: its name in the folder.
    pub snapshot: String,
    /// Rows until the checkpoint; parts may have more.
    pub rows: RowCounts,
    /// Events until then.
    pub tally: Tally,
    /// What has to be remembered to notice rest.
    pub rest: RestMemory,
}

fn by_events() -> Method {
    Method::Events
}

/// A method goes by its name.
mod method_name {
    use super::*;
    use serde::{Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(method: &Method, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(method.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Method, D::Error> {
        let name = String::deserialize(from)?;
        let mut all = Method::ALL.into_iter();
        all.find(|method| method.name() == name)
            .ok_or_else(|| D::Error::custom(format!("the method is called `{name}`")))
    }
}

/// Only what tells versions apart.
#[derive(Deserialize)]
struct Label {
    format: String,
    version: u64,
}

impl Manifest {
    /// Of a run that is about to begin.
    pub fn new(
        scene: SceneCopy,
        dimension: usize,
        periods: [f64; 3],
        schedule: Schedule,
        bodies: usize,
    ) -> Self {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            carom: env!("CARGO_PKG_VERSION").to_owned(),
            stage: Stage::Running,
            scene,
            method: Method::Events,
            solids: false,
            dimension,
            periods,
            schedule,
            time: 0.0,
            collisions: 0,
            next_frame: 0,
            elapsed_s: 0.0,
            checkpoint: 0,
            snapshot: String::new(),
            rows: RowCounts::default(),
            tally: Tally::new(bodies),
            rest: RestMemory::default(),
        }
    }

    /// Reads that of a run folder.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join(MANIFEST);
        let not_a_run = |reason: String| DataError::NotARun {
            path: folder.to_owned(),
            reason,
        };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => {
                return Err(not_a_run("there is no such folder".to_owned()));
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Err(not_a_run(format!("it has no {MANIFEST}")));
            }
            Err(error) => return Err(DataError::read(&path)(error)),
        };
        let value: serde_json::Value = serde_json::from_reader(BufReader::new(file))
            .map_err(|error| DataError::damaged(&path, error))?;
        let label = Label::deserialize(&value)
            .map_err(|_| not_a_run(format!("its {MANIFEST} is of something else")))?;
        if label.format != FORMAT {
            return Err(not_a_run(format!("its {MANIFEST} is of something else")));
        }
        if label.version > VERSION {
            return Err(DataError::Version {
                path,
                found: label.version,
                known: VERSION,
            });
        }
        let manifest: Manifest =
            serde_json::from_value(value).map_err(|error| DataError::damaged(&path, error))?;
        // It says which files are read; they are those of this folder.
        for name in [&manifest.snapshot, &manifest.scene.file] {
            if name.contains(['/', '\\']) || name.starts_with('.') || name.is_empty() {
                return Err(DataError::damaged(
                    &path,
                    format!("a file is called `{name}`"),
                ));
            }
        }
        Ok(manifest)
    }

    /// Replaces that of a run folder.
    pub fn write(&self, folder: &Path) -> Result<(), DataError> {
        let path = folder.join(MANIFEST);
        files::write_whole(&path, |file| {
            serde_json::to_writer(&mut *file, self).map_err(std::io::Error::from)?;
            file.write_all(b"\n")
        })?;
        files::sync_folder(folder)
    }
}
