//! `run.json`: what a run folder is, and from where its run can go on. The format `carom-run`, version 3.
//!
//! Its last key, `crc32`, is the checksum of the text without it. It lists the files that were written once, with their
//! checksums; those that grow have their own ([`crate::parquet_seal`]).

use crate::error::DataError;
use crate::files::{self, Over};
use crate::parquet_file::Written;
use crate::schedule::Schedule;
use crate::sum::{Crc, Sum, check_seal, sealed};
use crate::tally::Tally;
use carom::simulate::RestMemory;
use carom_scene::Method;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Component, Path};

/// The name of the manifest in a run folder.
pub const MANIFEST: &str = "run.json";
/// That of the checkpoint before, which a run goes back to where something of the last one is damaged.
pub const PREVIOUS: &str = "run-previous.json";
const FORMAT: &str = "carom-run";
const VERSION: u64 = 3;
/// From this version on everything has checksums.
const SEALED: u64 = 2;

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
    /// What is hardly meant in it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The copy of the keys that were pressed, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<String>,
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

/// A file that carom wrote into a run folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its name in the folder.
    pub file: String,
    /// What it is recognised by.
    #[serde(flatten)]
    pub sum: Sum,
    /// Of a Parquet file, the checksum of its footer, which has those of everything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<Crc>,
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
    /// Whether the run is of a world with rigid bodies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solids: bool,
    /// Static bodies that actions may move, by id: they are in frames.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub movers: Vec<u32>,
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
    #[serde(with = "rest_memory")]
    pub rest: RestMemory,
    /// World time (s) and collisions of the last frame; `None` before the first.
    #[serde(default)]
    pub framed: Option<(f64, u64)>,
    /// The files that were written once. Where a file is about to be replaced it is there twice, as it was and as it
    /// will be.
    #[serde(default)]
    pub files: Vec<Listed>,
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

/// What notices rest is kept as its numbers.
mod rest_memory {
    use super::*;
    use serde::{Deserializer, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Numbers {
        /// When something was last seen to be fast, s.
        fast_at: f64,
        /// When each body was last struck, s.
        struck_at: Vec<f64>,
    }

    pub fn serialize<S: Serializer>(memory: &RestMemory, to: S) -> Result<S::Ok, S::Error> {
        let (fast_at, struck_at) = memory.numbers();
        let struck_at = struck_at.to_vec();
        Numbers { fast_at, struck_at }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<RestMemory, D::Error> {
        let Numbers { fast_at, struck_at } = Numbers::deserialize(from)?;
        Ok(RestMemory::from_numbers(fast_at, struck_at))
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
            movers: Vec::new(),
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
            framed: None,
            files: Vec::new(),
        }
    }

    /// The version of the folder.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the folder is of the version that is written today.
    pub fn is_current(&self) -> bool {
        self.version == VERSION
    }

    /// Whether everything in the folder has checksums. Earlier versions wrote none.
    pub fn is_sealed(&self) -> bool {
        self.version >= SEALED
    }

    /// What a file may be recognised by.
    pub fn sums(&self, file: &str) -> Vec<Sum> {
        let same = self.files.iter().filter(|listed| listed.file == file);
        same.map(|listed| listed.sum).collect()
    }

    /// Lists a file, beside what is listed under the name.
    pub(crate) fn allow(&mut self, file: &str, sum: Sum) {
        let listed = Listed {
            file: file.to_owned(),
            sum,
            footer: None,
        };
        if !self.files.contains(&listed) {
            self.files.push(listed);
        }
    }

    /// Lists a file, in the place of what was listed under the name.
    pub(crate) fn list(&mut self, file: &str, sum: Sum) {
        self.unlist(file);
        self.allow(file, sum);
    }

    /// Lists a Parquet file.
    pub(crate) fn list_table(&mut self, file: &str, written: Written) {
        self.unlist(file);
        self.files.push(Listed {
            file: file.to_owned(),
            sum: written.sum,
            footer: Some(written.footer),
        });
    }

    /// Lists a file no more.
    pub(crate) fn unlist(&mut self, file: &str) {
        self.files.retain(|listed| listed.file != file);
    }

    /// Reads that of a run folder.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        Ok(Self::read_named(folder, MANIFEST)?.0)
    }

    /// Reads that of a run folder, or that of the checkpoint before, and what the file is recognised by.
    pub(crate) fn read_named(folder: &Path, name: &str) -> Result<(Self, Sum), DataError> {
        let path = folder.join(name);
        let not_a_run = |reason: String| DataError::NotARun {
            path: folder.to_owned(),
            reason,
        };
        let (bytes, sum) = match files::read_whole(&path) {
            Ok(read) => read,
            Err(DataError::Read { source, .. }) => {
                let error = source.kind();
                return Err(match error {
                    ErrorKind::NotFound if !folder.exists() => {
                        not_a_run("there is no such folder".to_owned())
                    }
                    ErrorKind::NotFound | ErrorKind::NotADirectory => {
                        not_a_run(format!("it has no {name}"))
                    }
                    _ => DataError::read(&path)(source),
                });
            }
            Err(error) => return Err(error),
        };
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| DataError::damaged(&path, error))?;
        let label = Label::deserialize(&value)
            .map_err(|_| not_a_run(format!("its {name} is of something else")))?;
        if label.format != FORMAT {
            return Err(not_a_run(format!("its {name} is of something else")));
        }
        if label.version > VERSION {
            return Err(DataError::Version {
                path,
                found: label.version,
                known: VERSION,
            });
        }
        // One of version 1 has no sum. One that has is of a later version, whatever it says.
        if label.version >= SEALED || value.get(SUM).is_some() {
            check_seal(SUM, &bytes).map_err(|reason| DataError::damaged(&path, reason))?;
        }
        let manifest: Manifest =
            serde_json::from_value(value).map_err(|error| DataError::damaged(&path, error))?;
        // It says which files are read; they are those of this folder.
        let files = manifest.files.iter().map(|listed| &listed.file);
        let tables = manifest.scene.tables.iter().map(|table| &table.file);
        for name in [&manifest.snapshot, &manifest.scene.file]
            .into_iter()
            .chain(files)
            .chain(tables)
        {
            if !is_inside(name) {
                return Err(DataError::damaged(
                    &path,
                    format!("a file is called `{name}`"),
                ));
            }
        }
        Ok((manifest, sum))
    }

    /// Its text, with its checksum.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, DataError> {
        let failed = |error| DataError::write(Path::new(MANIFEST))(std::io::Error::from(error));
        // What goes on with a run of an earlier version writes tables as this version does.
        let manifest = Manifest {
            version: VERSION,
            ..self.clone()
        };
        Ok(sealed(SUM, serde_json::to_vec(&manifest).map_err(failed)?))
    }

    /// Writes that of a run folder, in the place of that which is known by these sums. Answers what it is recognised
    /// by.
    pub(crate) fn write(&self, folder: &Path, own: &[Sum]) -> Result<Sum, DataError> {
        let path = folder.join(MANIFEST);
        let sum = files::write_bytes(&path, &Over::Own(own.to_vec()), &self.to_bytes()?)?;
        files::sync_folder(folder)?;
        Ok(sum)
    }
}

/// The last key.
const SUM: &str = "crc32";

/// Whether a name is that of a file in the folder, or in a folder in it.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = |part: Component<'_>| match part {
        Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
        _ => false,
    };
    !name.is_empty() && !name.contains('\\') && parts.all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for good in ["snapshot.bin", "tables/1-a.csv"] {
            assert!(is_inside(good), "{good}");
        }
        for bad in ["", "../x", "/x", "a/../../x", ".hidden", "a\\b", "a/.b"] {
            assert!(!is_inside(bad), "{bad}");
        }
    }
}
