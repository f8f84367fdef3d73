//! Writing a run folder while a run goes on.
//!
//! Events and frames go into [parts](crate::parts). Every so often there is a checkpoint: all rows are brought to the
//! disk, then a snapshot of the run, then the manifest that names it and says how many rows belong to it. Whenever the
//! process is killed, the manifest that is there speaks of files that are there. The checkpoint before is kept as well
//! ([`PREVIOUS`]), so that there is one to go back to.

mod leftovers;
mod restore;
mod scene_text;

use crate::error::DataError;
use crate::files::{self, Over};
use crate::folder::{self, Begun, Claim, GROWING, KEYS, parts_path, table_path};
use crate::manifest::{Listed, MANIFEST, Manifest, PREVIOUS, RowCounts, Stage};
use crate::observer::Observer;
use crate::parquet_file;
use crate::parts::{self, Parts, remove_parts};
use crate::progress::Progress;
use crate::reader::RunFolder;
use crate::schedule::Output;
use crate::schedule::Schedule;
use crate::space::DataSpace;
use crate::sum::Sum;
use crate::table::Column;
use crate::tables;
use crate::tally::Classes;
use carom::body::Kind;
use carom::record::Event;
use carom::simulate::Simulation;
use carom::space::{Space2, Space3};
use carom::world::{BodyId, World};
pub(crate) use leftovers::is_checkpoint_file;
use leftovers::remove_left;
use restore::method_of;
pub use restore::{restore, restore_world};
pub use scene_text::{SceneTable, SceneText};
use serde::Serialize;
use std::path::Path;

/// The name of the summary in a run folder.
pub const SUMMARY: &str = "summary.json";

/// The snapshot of a run that has come to its end.
const FINAL: &str = "snapshot.bin";

/// The file beside a snapshot that has what the averages of a run are made of.
pub(crate) fn averages_of(snapshot: &str) -> String {
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
    /// The last checkpoint, and the one before.
    kept: [Option<Kept>; 2],
    events: Parts,
    frames: Parts,
    audit: Parts,
    /// The bodies that frames show: those that may move.
    moving: Vec<BodyId>,
    space: std::marker::PhantomData<S>,
}

/// A checkpoint that is on the disk.
#[derive(Clone, Debug)]
struct Kept {
    /// What its manifest is recognised by.
    sum: Sum,
    /// Its snapshot, and its averages.
    files: Vec<Listed>,
}

impl Kept {
    fn new(manifest: &Manifest, sum: Sum) -> Self {
        let names = [manifest.snapshot.clone(), averages_of(&manifest.snapshot)];
        let files = manifest.files.iter();
        Kept {
            sum,
            files: files
                .filter(|listed| names.contains(&listed.file))
                .cloned()
                .collect(),
        }
    }

    fn has(&self, file: &str) -> bool {
        self.files.iter().any(|listed| listed.file == file)
    }
}

/// What is needed to resume a run: which process writes, the bodies as they are now, what they were at the start, the
/// run, and how far it has got.
pub type Resumed<S> = (Recorder<S>, World<S>, Classes, Simulation<S>, Progress<S>);

fn tables_of<S: DataSpace>() -> [(Vec<Column>, usize); 3] {
    [
        (tables::event_columns::<S>(), EVENTS_IN_PART),
        (tables::frame_columns::<S>(), FRAMES_IN_PART),
        (tables::audit_columns::<S>(), AUDITS_IN_PART),
    ]
}

fn moving<S: DataSpace>(world: &World<S>, movers: &[u32]) -> Vec<BodyId> {
    let bodies = (0..).map(BodyId).zip(world.bodies());
    bodies
        .filter(|(id, body)| !matches!(body.kind, Kind::Static) || movers.contains(&id.0))
        .map(|(id, _)| id)
        .collect()
}

impl<S: DataSpace> Recorder<S> {
    /// Makes a run folder for a run that is about to begin. From then on it can be read, and the run resumed.
    ///
    /// The world has all bodies, those that are to come among them; `movers` are static ones that actions may move.
    pub fn create(
        path: &Path,
        replace: bool,
        scene: &SceneText,
        schedule: Schedule,
        world: &World<S>,
        movers: &[BodyId],
        run: &Simulation<S>,
    ) -> Result<Self, DataError> {
        let begun = folder::begin(path, replace)?;
        let hidden = begun.claim.path().to_owned();
        let made = Self::make(begun, path, scene, schedule, world, movers, run);
        if made.is_err() {
            // That it could not be made is what counts. What is left of it is removed the next time.
            let _ = folder::discard(&hidden, files::mark());
        }
        made
    }

    fn make(
        mut begun: Begun,
        path: &Path,
        scene: &SceneText,
        schedule: Schedule,
        world: &World<S>,
        movers: &[BodyId],
        run: &Simulation<S>,
    ) -> Result<Self, DataError> {
        let inside = begun.claim.path().to_owned();
        let names = scene.table_names();
        let bodies = world.bodies().len();
        let copy = scene.copy();
        let mut manifest = Manifest::new(copy, S::DIMENSION, world.periods(), schedule, bodies);
        manifest.method = method_of(run);
        manifest.movers = movers.iter().map(|id| id.0).collect();
        manifest.solids = carom::world::has_rigid_bodies(world);
        let text = scene.text_of_copy(&names);
        let file = manifest.scene.file.clone();
        let sum = files::write_bytes(&inside.join(&file), &Over::Nothing, text.as_bytes())?;
        manifest.list(&file, sum);
        for (table, name) in scene.tables.iter().zip(&names) {
            manifest.list(name, files::copy_into(&table.path, &inside, name)?);
        }
        if let Some(keys) = &scene.keys {
            manifest.list(KEYS, files::copy_into(keys, &inside, KEYS)?);
        }
        let written = parquet_file::write(
            &table_path(&inside, "bodies"),
            &Over::Nothing,
            &tables::body_columns(),
            &tables::body_rows(world, &manifest.movers),
        )?;
        manifest.list_table("bodies.parquet", written);
        let mut recorder = Self::open(begun.claim, manifest, [None, None], world)?;
        recorder.checkpoint(run, &Progress::new(&schedule, world))?;
        let Recorder {
            claim,
            manifest,
            kept,
            ..
        } = recorder;
        begun.claim = claim;
        let claim = folder::establish(begun, path)?;
        Self::open(claim, manifest, kept, world)
    }

    /// Goes on with a run folder, from its last checkpoint. What was written after it is dropped: it comes again, with
    /// the same bits.
    ///
    /// The world is the one that the snapshot knows, with the bodies as they are now. The scene file is not needed.
    pub fn resume(path: &Path) -> Result<Resumed<S>, DataError> {
        let claim = Claim::take(path)?;
        let (manifest, sum) = Manifest::read_named(path, MANIFEST)?;
        check_can_be_resumed(path, &manifest)?;
        let run = restore::<S>(path, &manifest)?;
        let world = run.census();
        let bodies = RunFolder::open(path)?.bodies()?;
        let classes = Classes::of_records(&bodies);
        if bodies.len() != world.bodies().len() || !manifest.tally.fits(&classes) {
            let reason = "its counts are of other bodies than its snapshot";
            return Err(DataError::damaged(&path.join(MANIFEST), reason));
        }
        let averages = averages_of(&manifest.snapshot);
        let progress = Progress {
            tally: manifest.tally.clone(),
            next_frame: manifest.next_frame,
            framed: manifest.framed,
            elapsed_s: manifest.elapsed_s,
            rest: manifest.rest.clone(),
            observer: match manifest.schedule.observe {
                Some(_) => Observer::read(
                    &path.join(&averages),
                    &read_listed(path, &manifest, &averages)?,
                    &manifest.schedule,
                    &world,
                )?,
                None => None,
            },
        };
        let previous = Manifest::read_named(path, PREVIOUS).ok();
        let previous = previous.map(|(manifest, sum)| Kept::new(&manifest, sum));
        let kept = [Some(Kept::new(&manifest, sum)), previous];
        let recorder = Self::open(claim, manifest, kept, &world)?;
        recorder.tidy()?;
        Ok((recorder, world, classes, run, progress))
    }

    fn open(
        claim: Claim,
        manifest: Manifest,
        kept: [Option<Kept>; 2],
        world: &World<S>,
    ) -> Result<Self, DataError> {
        let rows = manifest.rows;
        let [events, frames, audit] = tables_of::<S>();
        let table = |name: &str, (columns, size): (Vec<Column>, usize), rows: u64| {
            Parts::resume(&parts_path(claim.path(), name), columns, size, rows)
        };
        Ok(Recorder {
            events: table(GROWING[0], events, rows.events)?,
            frames: table(GROWING[1], frames, rows.frames)?,
            audit: table(GROWING[2], audit, rows.audit)?,
            moving: moving(world, &manifest.movers),
            claim,
            manifest,
            kept,
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

    /// Keeps the states and the budgets of a run as they are now, as a frame.
    pub fn frame(&mut self, frame: u64, run: &Simulation<S>) -> Result<(), DataError> {
        let time = run.time();
        for &id in &self.moving {
            if !run.has(id) {
                self.frames
                    .add(|row| tables::absent_row::<S>(frame, time, id, row))?;
                continue;
            }
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
        run: &Simulation<S>,
        progress: &Progress<S>,
    ) -> Result<(), DataError> {
        let number = self.manifest.checkpoint + 1;
        self.save(run, progress, format!("snapshot-{number:06}.bin"))?;
        self.commit()
    }

    /// Rows and snapshot. They count once the manifest that speaks of them is there.
    fn save(
        &mut self,
        run: &Simulation<S>,
        progress: &Progress<S>,
        snapshot: String,
    ) -> Result<(), DataError> {
        self.save_rows()?;
        let folder = self.claim.path();
        let last = self.manifest.snapshot.clone();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            files::write_bytes(&path, &Over::Nothing, bytes).map_err(in_the_way)
        };
        let sum = write(&snapshot, &run.snapshot())?;
        let manifest = &mut self.manifest;
        manifest.unlist(&last);
        manifest.unlist(&averages_of(&last));
        manifest.list(&snapshot, sum);
        // A run that has come to its end needs nothing to go on from.
        if let Some(observer) = progress.observer.as_ref().filter(|_| snapshot != FINAL) {
            let name = averages_of(&snapshot);
            manifest.list(&name, write(&name, &observer.to_bytes())?);
        }
        files::sync_folder(folder)?;
        manifest.time = run.time();
        manifest.collisions = run.collisions();
        manifest.next_frame = progress.next_frame;
        manifest.framed = progress.framed;
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

    fn save_rows(&mut self) -> Result<(), DataError> {
        for parts in [&mut self.events, &mut self.frames, &mut self.audit] {
            parts.save().map_err(in_the_way)?;
        }
        Ok(())
    }

    /// Makes what was saved the last checkpoint, and the last one the one before.
    fn commit(&mut self) -> Result<(), DataError> {
        let folder = self.claim.path();
        let [last, before] = &self.kept;
        let goes_on = self.manifest.stage == Stage::Running;
        if let (Some(last), true) = (last, goes_on) {
            let (bytes, sum) = files::read_whole(&folder.join(MANIFEST))?;
            if sum != last.sum {
                let path = folder.join(MANIFEST);
                return Err(DataError::Foreign { path });
            }
            let own = before.iter().map(|kept| kept.sum).collect();
            files::write_bytes(&folder.join(PREVIOUS), &Over::Own(own), &bytes)?;
        }
        let own: Vec<Sum> = last.iter().map(|kept| kept.sum).collect();
        let sum = self.manifest.write(folder, &own)?;
        let new = Kept::new(&self.manifest, sum);
        let gone = if goes_on {
            vec![before]
        } else {
            vec![before, last]
        };
        for kept in gone.into_iter().flatten() {
            let needed = |file: &str| new.has(file) || goes_on && last.iter().any(|k| k.has(file));
            for listed in kept.files.iter().filter(|listed| !needed(&listed.file)) {
                files::remove_own(&folder.join(&listed.file), &[listed.sum])?;
            }
        }
        self.kept = if goes_on {
            [Some(new), self.kept[0].take()]
        } else {
            let own: Vec<Sum> = before.iter().map(|kept| kept.sum).collect();
            files::remove_own(&folder.join(PREVIOUS), &own)?;
            [Some(new), None]
        };
        Ok(())
    }

    /// Writes `summary.json`. The manifest speaks of it before it is there, so that it is never there without being
    /// known.
    fn write_summary(&mut self, summary: &impl Serialize) -> Result<Sum, DataError> {
        let folder = self.claim.path();
        let path = folder.join(SUMMARY);
        let failed = |error| DataError::write(&path)(std::io::Error::from(error));
        let mut bytes = serde_json::to_vec(summary).map_err(failed)?;
        bytes.push(b'\n');
        let sum = Sum::of(&bytes);
        let over = Over::Own(self.manifest.sums(SUMMARY));
        self.manifest.allow(SUMMARY, sum);
        let own: Vec<Sum> = self.kept[0].iter().map(|kept| kept.sum).collect();
        let manifest = self.manifest.write(folder, &own)?;
        self.kept[0] = Some(Kept::new(&self.manifest, manifest));
        files::write_bytes(&path, &over, &bytes)
    }

    /// Ends the folder of a run that was interrupted: a checkpoint, the summary of what was done, and the states as
    /// they are now as one more frame, which a run that goes on drops again.
    pub fn pause(
        mut self,
        run: &Simulation<S>,
        progress: &Progress<S>,
        summary: &impl Serialize,
    ) -> Result<(), DataError> {
        self.checkpoint(run, progress)?;
        self.write_summary(summary)?;
        if self.is_frame_due(run, progress) {
            self.frame(progress.next_frame, run)?;
            self.save_rows()?;
        }
        Ok(())
    }

    /// Whether the states as they are now are in no frame, where frames are kept.
    pub(crate) fn is_frame_due(&self, run: &Simulation<S>, progress: &Progress<S>) -> bool {
        let now = (run.time(), run.collisions());
        self.manifest.schedule.output != Output::Never && progress.framed != Some(now)
    }

    /// Ends the folder of a run that has come to its end: joins the tables, writes `summary.json`, and removes what
    /// only a resumed run would need.
    pub fn finish(
        mut self,
        run: &Simulation<S>,
        progress: &Progress<S>,
        summary: &impl Serialize,
    ) -> Result<(), DataError> {
        // While the manifest is still that of the last checkpoint: a run that is killed here goes on from there.
        let sum = self.write_summary(summary)?;
        self.save(run, progress, FINAL.to_owned())?;
        self.manifest.list(SUMMARY, sum);
        self.manifest.stage = Stage::Ended;
        self.commit()?;
        complete(&self.claim, &mut self.manifest)
    }

    /// Removes what a process that was killed has left and no checkpoint speaks of.
    fn tidy(&self) -> Result<(), DataError> {
        let needed = |name: &str| self.kept.iter().flatten().any(|kept| kept.has(name));
        remove_left(self.claim.path(), &self.manifest, needed)
    }
}

/// Something that is not carom's is where a run has to write.
fn in_the_way(error: DataError) -> DataError {
    match error {
        DataError::Exists { path } => DataError::Foreign { path },
        error => error,
    }
}

/// What earlier versions left can be read, but their snapshots are no longer understood, and their tables have other
/// columns.
fn check_can_be_resumed(path: &Path, manifest: &Manifest) -> Result<(), DataError> {
    if manifest.is_current() {
        return Ok(());
    }
    Err(DataError::Refused {
        path: path.to_owned(),
        reason: format!(
            "an earlier carom began this run (run folders of version {}): it can be read, but not resumed; run its {} again",
            manifest.version(),
            manifest.scene.file
        ),
    })
}

/// The columns of one of the tables of a run.
pub(crate) fn table_columns(manifest: &Manifest, table: &str) -> Option<Vec<Column>> {
    let place = GROWING.iter().position(|name| *name == table)?;
    let tables = growing(manifest);
    tables.into_iter().nth(place).map(|(columns, _)| columns)
}

/// The tables of a run that grow: their columns, and the rows of a part.
pub(crate) fn growing(manifest: &Manifest) -> [(Vec<Column>, usize); 3] {
    let mut growing = match manifest.dimension {
        2 => tables_of::<Space2>(),
        _ => tables_of::<Space3>(),
    };
    for (columns, _) in &mut growing {
        columns.retain(|column| tables::since(&column.name) <= manifest.version());
    }
    growing
}

/// Reads a file that a manifest lists. It must be what it was.
pub(crate) fn read_listed(
    folder: &Path,
    manifest: &Manifest,
    name: &str,
) -> Result<Vec<u8>, DataError> {
    let path = folder.join(name);
    let (bytes, sum) = files::read_whole(&path)?;
    check_listed(&path, manifest, name, sum)?;
    Ok(bytes)
}

/// Whether a file is what a manifest says that it is.
pub(crate) fn check_listed(
    path: &Path,
    manifest: &Manifest,
    name: &str,
    found: Sum,
) -> Result<(), DataError> {
    let sums = manifest.sums(name);
    if !manifest.is_sealed() || sums.contains(&found) {
        return Ok(());
    }
    Err(match sums.first() {
        Some(sum) => {
            let reason = sum.complaint(&found).unwrap_or_default();
            DataError::damaged(path, reason)
        }
        None => DataError::damaged(path, "the run does not know of it"),
    })
}

/// Joins the tables of a run that has come to its end, and removes their parts. Where that is done already, nothing
/// happens.
pub fn complete(claim: &Claim, manifest: &mut Manifest) -> Result<(), DataError> {
    let folder = claim.path();
    if manifest.stage == Stage::Complete && !manifest.is_current() {
        return Ok(());
    }
    check_can_be_resumed(folder, manifest)?;
    let tables = growing(manifest);
    if manifest.stage == Stage::Ended {
        let (_, own) = Manifest::read_named(folder, MANIFEST)?;
        let rows = manifest.rows;
        let rows = [rows.events, rows.frames, rows.audit];
        for ((name, (columns, size)), rows) in GROWING.iter().zip(&tables).zip(rows) {
            let parts = parts::list(&parts_path(folder, name), *size, rows)?;
            let path = table_path(folder, name);
            // That of a process that was killed after joining it.
            let over = if parts::is_own(&path, columns) {
                Over::Own(vec![Sum::of_file(&path)?])
            } else {
                Over::Nothing
            };
            let written = parquet_file::join(&path, &over, columns, &parts).map_err(in_the_way)?;
            manifest.list_table(&format!("{name}.parquet"), written);
        }
        manifest.stage = Stage::Complete;
        manifest.write(folder, &[own])?;
    }
    if let Ok((_, sum)) = Manifest::read_named(folder, PREVIOUS) {
        files::remove_own(&folder.join(PREVIOUS), &[sum])?;
    }
    remove_left(folder, manifest, |name| name == manifest.snapshot)?;
    for (name, (columns, _)) in GROWING.iter().zip(&tables) {
        remove_parts(&parts_path(folder, name), columns)?;
    }
    Ok(())
}
