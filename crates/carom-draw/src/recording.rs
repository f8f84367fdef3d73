//! A run folder, as plots read it.

use crate::chart::{count, rounded};
use crate::error::DrawError;
use carom_data::{BodyRecord, DataError, Output, RunFolder, Stage, Table, Values};
use std::path::{Path, PathBuf};

/// A run folder, with what every plot needs of it.
#[derive(Debug)]
pub struct Recording {
    /// The folder.
    pub folder: RunFolder,
    /// What messages and reports call it: the folder, or the scene that was run for them.
    pub shown: PathBuf,
    /// All bodies, by id.
    pub bodies: Vec<BodyRecord>,
    /// The ids of those that may move, as frames have them.
    pub moving: Vec<usize>,
    /// How many whole frames there are.
    pub frames: u64,
    /// How many rows of events there are.
    pub events: u64,
}

impl Recording {
    /// Opens a run folder, complete or not.
    pub fn open(path: &Path) -> Result<Self, DrawError> {
        let folder = RunFolder::open(path)?;
        let bodies = folder.bodies()?;
        let ids = bodies.iter().enumerate().filter(|(_, body)| body.moves());
        let moving: Vec<usize> = ids.map(|(id, _)| id).collect();
        let frames = match moving.len() as u64 {
            0 => 0,
            moving => folder.frames()?.rows()? / moving,
        };
        let events = folder.events()?.rows()?;
        Ok(Recording {
            shown: path.to_owned(),
            folder,
            bodies,
            moving,
            frames,
            events,
        })
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.folder.manifest().dimension
    }

    /// Names of the axes.
    pub fn axes(&self) -> &'static [&'static str] {
        &["x", "y", "z"][..self.dimension()]
    }

    /// Names of the columns of a vector.
    pub fn vector(&self, name: &str) -> Vec<String> {
        let axes = self.axes().iter();
        axes.map(|axis| format!("{name}_{axis}")).collect()
    }

    /// Up to when the run has got, s.
    pub fn end(&self) -> f64 {
        self.folder.manifest().time
    }

    /// Lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.folder.manifest().periods
    }

    /// Whether a body is free.
    pub fn is_free(&self, id: usize) -> bool {
        self.bodies
            .get(id)
            .is_some_and(|body| body.motion == "free")
    }

    /// How many bodies are free.
    pub fn free(&self) -> usize {
        (0..self.bodies.len())
            .filter(|&id| self.is_free(id))
            .count()
    }

    /// Of what run something is, in a line.
    pub fn caption(&self) -> String {
        let manifest = self.folder.manifest();
        let mut text = format!(
            "{}: {} in {}-D, {} in {} s",
            manifest.scene.title,
            count(self.free() as u64, "free body", "free bodies"),
            self.dimension(),
            count(manifest.collisions, "collision", "collisions"),
            rounded(manifest.time, 4)
        );
        if manifest.stage == Stage::Running {
            text += " (the run is not complete)";
        }
        text
    }

    /// Why there are no frames, and what to do about it.
    pub fn no_frames(&self) -> String {
        let schedule = &self.folder.manifest().schedule;
        if self.moving.is_empty() {
            "no body of it moves".to_owned()
        } else if schedule.output == Output::Never {
            "it was run without frames (--frames 0); run it again with --every T or --frames N"
                .to_owned()
        } else {
            "it has no whole frame yet".to_owned()
        }
    }

    /// Why there are no events, and what to do about it.
    pub fn no_events(&self) -> String {
        if self.folder.manifest().schedule.events {
            "nothing has collided".to_owned()
        } else {
            "it was run without collisions (--no-events); run it again without that".to_owned()
        }
    }

    /// Columns of the audit, as floats. One that is not there is empty.
    pub fn audit(&self, names: &[&str]) -> Result<Vec<Vec<f64>>, DataError> {
        let table = self.folder.audit()?;
        let mut columns = vec![Vec::new(); names.len()];
        each(&table, names, |values| {
            for (column, values) in columns.iter_mut().zip(values) {
                match values {
                    Some(Values::Numbers(more)) => column.extend_from_slice(more),
                    Some(Values::Integers(more)) => {
                        column.extend(more.iter().map(|&number| number as f64));
                    }
                    _ => (),
                }
            }
        })?;
        Ok(columns)
    }
}

/// Shows columns of a table, in the order in which they are asked for; `None` for one that the table does not have.
pub fn each(
    table: &Table,
    names: &[&str],
    mut show: impl FnMut(&[Option<&Values>]),
) -> Result<(), DataError> {
    let has = |name: &&str| table.columns().iter().any(|column| column.name == **name);
    let known: Vec<&str> = names.iter().copied().filter(has).collect();
    table.each(&known, |rows| {
        let mut values = rows.values.iter();
        let found: Vec<Option<&Values>> = names
            .iter()
            .map(|name| if has(name) { values.next() } else { None })
            .collect();
        show(&found);
        Ok(())
    })
}
