//! Writing a run folder while a run goes on.
//!
//! Events and frames go into [parts](crate::parts). Every so often there is a checkpoint: all rows are brought to the disk, then a
//! snapshot of the run, then the manifest that names it and says how many rows belong to it. Whenever the process is killed, the
//! manifest that is there speaks of files that are there.

use crate::engine::Engine;
use crate::error::DataError;
use crate::files;
use crate::folder::{self, Claim, GROWING, parts_path, table_path};
use crate::manifest::{MANIFEST, Manifest, RowCounts, SceneCopy, Stage, TableCopy};
use crate::observer::Observer;
use crate::parquet_file;
use crate::parts::{self, Parts, remove_parts};
use crate::progress::Progress;
use crate::schedule::Schedule;
use crate::space::DataSpace;
use crate::table::Column;
use crate::tables;
use crate::tally::Classes;
use carom::body::Kind;
use carom::record::Event;
use carom::simulate::Stepped;
use carom::simulate::{Exact, Rigid};
use carom::space::{Plane, Solid};
use carom::world::{BodyId, World};
use carom_scene::Method;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the summary in a run folder.
pub const SUMMARY: &str = "summary.json";

/// Where a run folder has copies of the tables that its scene reads.
pub const TABLES: &str = "tables";

/// The snapshot of a run that has come to its end.
const FINAL: &str = "snapshot.bin";

/// The file beside a snapshot that has what the averages of a run are made of.
fn averages_of(snapshot: &str) -> String {
    let name = snapshot.strip_suffix(".bin").unwrap_or(snapshot);
    format!("{name}.averages.bin")
}

/// Rows of a part: some ten to twenty megabytes of memory each.
const EVENTS_IN_PART: usize = 1 << 16;
const FRAMES_IN_PART: usize = 1 << 18;
const AUDITS_IN_PART: usize = 1 << 14;

/// Writes what a run leaves.
#[derive(Debug)]
pub struct Recorder<S: DataSpace> {
    claim: Claim,
    manifest: Manifest,
    events: Parts,
    frames: Parts,
    audit: Parts,
    /// The bodies that frames show: those that may move.
    moving: Vec<BodyId>,
    space: std::marker::PhantomData<S>,
}

/// What is needed to go on with a run: who writes, the bodies as they are now, the run, and how far it has got.
pub type Resumed<S, E> = (Recorder<S>, World<S>, E, Progress<S>);

/// The text of a scene, and how it came to be what was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// As it was given.
    pub given: String,
    /// The content of the file.
    pub text: String,
    /// What took the place of its settings, `key=value`, in order.
    pub overrides: Vec<String>,
    /// What the scene calls itself.
    pub title: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// Tables of bodies that it reads, in the order of the file.
    pub tables: Vec<SceneTable>,
}

/// A table that a scene reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneTable {
    /// As the scene calls it.
    pub given: String,
    /// Where it is.
    pub path: PathBuf,
    /// Where in the scene's text it is named, quotes and all; `None` where that took the place of what the text says.
    pub named: Option<std::ops::Range<usize>>,
}

impl SceneText {
    /// What its tables are called in a run folder.
    fn table_names(&self) -> Vec<String> {
        let name = |(number, table): (usize, &SceneTable)| {
            let name = table.path.file_name().unwrap_or_default();
            let plain = |letter: char| match letter {
                letter if letter.is_ascii_alphanumeric() => letter,
                '.' | '-' | '_' => letter,
                _ => '_',
            };
            let name: String = name.to_string_lossy().chars().map(plain).collect();
            format!("{TABLES}/{}-{name}", number + 1)
        };
        self.tables.iter().enumerate().map(name).collect()
    }

    /// Its text, with the copies of its tables in the place of what it reads: a run folder needs no other files.
    fn text_of_copy(&self, names: &[String]) -> String {
        let mut text = self.text.clone();
        let mut named: Vec<_> = self
            .tables
            .iter()
            .zip(names)
            .filter_map(|(table, name)| Some((table.named.clone()?, name)))
            .collect();
        // From the end on, so that what comes before stays where it is.
        named.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, name) in named {
            if text.get(span.clone()).is_some() {
                text.replace_range(span, &format!("\"{name}\""));
            }
        }
        text
    }

    fn copy(&self) -> SceneCopy {
        let is_json = Path::new(&self.given)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        SceneCopy {
            file: if is_json { "scene.json" } else { "scene.toml" }.to_owned(),
            given: self.given.clone(),
            overrides: self.overrides.clone(),
            title: self.title.clone(),
            seed: self.seed,
            tables: self
                .tables
                .iter()
                .zip(self.table_names())
                .map(|(table, file)| TableCopy {
                    given: table.given.clone(),
                    file,
                })
                .collect(),
        }
    }
}

fn tables_of<S: DataSpace>() -> [(Vec<Column>, usize); 3] {
    [
        (tables::event_columns::<S>(), EVENTS_IN_PART),
        (tables::frame_columns::<S>(), FRAMES_IN_PART),
        (tables::audit_columns::<S>(), AUDITS_IN_PART),
    ]
}

fn moving<S: DataSpace>(world: &World<S>) -> Vec<BodyId> {
    let bodies = (0..).map(BodyId).zip(world.bodies());
    bodies
        .filter(|(_, body)| !matches!(body.kind, Kind::Fixed))
        .map(|(id, _)| id)
        .collect()
}

impl<S: DataSpace> Recorder<S> {
    /// Makes a run folder for a run that is about to begin. From then on it can be read, and the run resumed.
    pub fn create<E: Engine<S>>(
        path: &Path,
        replace: bool,
        scene: &SceneText,
        schedule: Schedule,
        world: &World<S>,
        run: &E,
    ) -> Result<Self, DataError> {
        let claim = folder::begin(path, replace)?;
        let inside = claim.path().to_owned();
        let copy = scene.copy();
        let names = scene.table_names();
        let text = scene.text_of_copy(&names);
        files::write_bytes(&inside.join(&copy.file), text.as_bytes())?;
        for (table, name) in scene.tables.iter().zip(&names) {
            files::copy_into(&table.path, &inside, name)?;
        }
        parquet_file::write(
            &table_path(&inside, "bodies"),
            &tables::body_columns(),
            &tables::body_rows(world),
        )?;
        let bodies = world.bodies().len();
        let mut manifest = Manifest::new(copy, S::DIMENSION, world.periods(), schedule, bodies);
        manifest.method = E::METHOD;
        manifest.solids = carom::world::has_turning_solids(world);
        let mut recorder = Self::open(claim, manifest, world)?;
        recorder.checkpoint(run, &Progress::new(&schedule, world))?;
        folder::establish(&mut recorder.claim, path)?;
        let Recorder {
            claim, manifest, ..
        } = recorder;
        Self::open(claim, manifest, world)
    }

    /// Goes on with a run folder, from its last checkpoint. What was written after it is dropped: it comes again, with the same bits.
    ///
    /// The world is the one that the snapshot knows, with the bodies as they are now. The scene file is not needed.
    pub fn resume<E: Engine<S>>(path: &Path) -> Result<Resumed<S, E>, DataError> {
        let claim = Claim::take(path)?;
        let manifest = Manifest::read(path)?;
        let run = restore::<S, E>(path, &manifest)?;
        let world = run.to_world();
        if !manifest.tally.fits(&Classes::new(&world)) {
            let reason = "its counts are of other bodies than its snapshot";
            return Err(DataError::damaged(&path.join(MANIFEST), reason));
        }
        files::sweep(path)?;
        let progress = Progress {
            tally: manifest.tally.clone(),
            next_frame: manifest.next_frame,
            elapsed_s: manifest.elapsed_s,
            rest: manifest.rest.clone(),
            observer: Observer::read(
                &path.join(averages_of(&manifest.snapshot)),
                &manifest.schedule,
                &world,
            )?,
        };
        Ok((Self::open(claim, manifest, &world)?, world, run, progress))
    }

    fn open(claim: Claim, manifest: Manifest, world: &World<S>) -> Result<Self, DataError> {
        let rows = manifest.rows;
        let [events, frames, audit] = tables_of::<S>();
        let table = |name: &str, (columns, size): (Vec<Column>, usize), rows: u64| {
            Parts::resume(&parts_path(claim.path(), name), columns, size, rows)
        };
        Ok(Recorder {
            events: table(GROWING[0], events, rows.events)?,
            frames: table(GROWING[1], frames, rows.frames)?,
            audit: table(GROWING[2], audit, rows.audit)?,
            moving: moving(world),
            claim,
            manifest,
            space: std::marker::PhantomData,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.claim.path()
    }

    /// How things stood at the last checkpoint.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Keeps an event.
    #[inline]
    pub fn event(&mut self, event: &Event<'_, S>) -> Result<(), DataError> {
        if !(self.manifest.schedule.events && tables::has_row(event)) {
            return Ok(());
        }
        self.events.add(|row| tables::event_row(event, row))
    }

    /// Keeps the states and the books of a run as they are now, as a frame.
    pub fn frame(&mut self, frame: u64, run: &impl Engine<S>) -> Result<(), DataError> {
        let time = run.time();
        for &id in &self.moving {
            let state = run.state(id);
            self.frames
                .add(|row| tables::frame_row(frame, time, id, &state, row))?;
        }
        let (audit, collisions) = (run.audit(), run.collisions());
        self.audit
            .add(|row| tables::audit_row(frame, time, collisions, &audit, row))
    }

    /// Brings everything to the disk, so that a run that is killed from now on goes on from here.
    pub fn checkpoint(
        &mut self,
        run: &impl Engine<S>,
        progress: &Progress<S>,
    ) -> Result<(), DataError> {
        let number = self.manifest.checkpoint + 1;
        self.save(run, progress, format!("snapshot-{number:06}.bin"))?;
        self.commit()
    }

    /// Rows and snapshot. They count once the manifest that speaks of them is there.
    fn save(
        &mut self,
        run: &impl Engine<S>,
        progress: &Progress<S>,
        snapshot: String,
    ) -> Result<(), DataError> {
        for parts in [&mut self.events, &mut self.frames, &mut self.audit] {
            parts.save()?;
        }
        let folder = self.claim.path();
        files::write_bytes(&folder.join(&snapshot), &run.snapshot())?;
        // A run that has come to its end needs nothing to go on from.
        if let Some(observer) = progress.observer.as_ref().filter(|_| snapshot != FINAL) {
            let path = folder.join(averages_of(&snapshot));
            files::write_bytes(&path, &observer.to_bytes())?;
        }
        files::sync_folder(folder)?;
        let manifest = &mut self.manifest;
        manifest.time = run.time();
        manifest.collisions = run.collisions();
        manifest.next_frame = progress.next_frame;
        manifest.elapsed_s = progress.elapsed_s;
        manifest.checkpoint += 1;
        manifest.snapshot = snapshot;
        manifest.rows = RowCounts {
            events: self.events.rows(),
            frames: self.frames.rows(),
            audit: self.audit.rows(),
        };
        manifest.tally.clone_from(&progress.tally);
        manifest.rest.clone_from(&progress.rest);
        Ok(())
    }

    fn commit(&self) -> Result<(), DataError> {
        let folder = self.claim.path();
        self.manifest.write(folder)?;
        let snapshot = &self.manifest.snapshot;
        folder::remove_snapshots(folder, &[snapshot, &averages_of(snapshot)])
    }

    /// Writes `summary.json`.
    pub fn write_summary(&self, summary: &impl Serialize) -> Result<(), DataError> {
        let path = self.claim.path().join(SUMMARY);
        files::write_whole(&path, |file| {
            serde_json::to_writer(&mut *file, summary).map_err(std::io::Error::from)?;
            file.write_all(b"\n")
        })
    }

    /// Ends the folder of a run that has come to its end: joins the tables, writes `summary.json`, and removes what only a resumed run would need.
    pub fn finish(
        mut self,
        run: &impl Engine<S>,
        progress: &Progress<S>,
        summary: &impl Serialize,
    ) -> Result<(), DataError> {
        self.save(run, progress, FINAL.to_owned())?;
        self.write_summary(summary)?;
        self.manifest.stage = Stage::Ended;
        self.commit()?;
        complete(&self.claim, &mut self.manifest)
    }
}

/// The run of a folder, as it was at its last checkpoint.
pub fn restore<S: DataSpace, E: Engine<S>>(
    folder: &Path,
    manifest: &Manifest,
) -> Result<E, DataError> {
    let path = folder.join(&manifest.snapshot);
    let bytes = std::fs::read(&path).map_err(DataError::read(&path))?;
    E::restore(&bytes).map_err(|error| DataError::damaged(&path, error))
}

/// The world of a folder, as it was at its last checkpoint, whatever the method.
pub fn restore_world<S: DataSpace>(
    folder: &Path,
    manifest: &Manifest,
) -> Result<World<S>, DataError> {
    match manifest.method {
        Method::Events if manifest.solids => {
            Ok(restore::<S, Rigid<S>>(folder, manifest)?.to_world())
        }
        Method::Events => Ok(restore::<S, Exact<S>>(folder, manifest)?.to_world()),
        Method::Forces => Ok(restore::<S, Stepped<S>>(folder, manifest)?.to_world()),
    }
}

/// Joins the tables of a run that has come to its end, and removes their parts. Where that is done already, nothing happens.
pub fn complete(claim: &Claim, manifest: &mut Manifest) -> Result<(), DataError> {
    let folder = claim.path();
    if manifest.stage == Stage::Ended {
        let tables = match manifest.dimension {
            2 => tables_of::<Plane>(),
            _ => tables_of::<Solid>(),
        };
        for (name, (columns, _)) in GROWING.iter().zip(tables) {
            let parts = parts::list(&parts_path(folder, name))?;
            parquet_file::join(&table_path(folder, name), &columns, &parts)?;
        }
        manifest.stage = Stage::Complete;
        manifest.write(folder)?;
    }
    files::sweep(folder)?;
    for name in GROWING {
        remove_parts(&parts_path(folder, name))?;
    }
    Ok(())
}
