//! Reading run folders, complete ones and such as were cut off or are still being written.

use crate::error::DataError;
use crate::folder::{GROWING, parts_path, table_path};
use crate::manifest::{Manifest, Stage};
use crate::parquet_file::Source;
use crate::parts;
use crate::recorder;
use crate::space::DataSpace;
use crate::sum::{Crc, Sum};
use crate::table::{Column, Rows, Values};
use crate::tables;
use carom::world::World;
use std::path::{Path, PathBuf};

/// A run folder that is read.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    manifest: Manifest,
}

/// A table of a run folder: one file, or closed parts.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    files: Vec<PathBuf>,
    /// Whether it has checksums.
    sealed: bool,
    content: Content,
}

/// What has to be in the files of a table.
#[derive(Debug)]
enum Content {
    /// So many rows, where that is known, and this checksum of the footer, where there is one.
    Whole {
        rows: Option<u64>,
        footers: Vec<Crc>,
    },
    /// Parts of so many rows, and so many in all, or more.
    Parts { size: u64, rows: u64 },
}

/// The bodies of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRecord {
    /// As scenes name it.
    pub name: String,
    /// As scenes call it.
    pub shape: String,
    /// By name.
    pub material: String,
    /// `free`, `fixed` or `kinematic`.
    pub motion: String,
    /// Of a ball, m; NaN for others.
    pub radius: f64,
    /// Of a free body, kg; NaN for others.
    pub mass: f64,
    /// Of a free body, kg·m²; NaN for others.
    pub inertia: f64,
}

impl BodyRecord {
    /// Whether it is in frames.
    pub fn moves(&self) -> bool {
        // "fixed" is what versions before 3 wrote.
        !matches!(self.motion.as_str(), "static" | "fixed")
    }
}

/// The states at one instant of output.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Counted from 0, the start.
    pub number: u64,
    /// s.
    pub time: f64,
    /// Of all moving bodies, with the columns of `frames`.
    pub rows: Rows,
}

impl RunFolder {
    /// Opens a run folder.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Ok(RunFolder {
            path: path.to_owned(),
            manifest: Manifest::read(path)?,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The world of the last checkpoint: bodies and materials, with places and velocities of then.
    pub fn world<S: DataSpace>(&self) -> Result<World<S>, DataError> {
        recorder::restore_world(&self.path, &self.manifest)
    }

    /// The whole of a file that was written once, such as the summary or the copy of the scene. It must be what it was.
    pub fn read_file(&self, name: &str) -> Result<Vec<u8>, DataError> {
        match recorder::read_listed(&self.path, &self.manifest, name) {
            // Perhaps the run went on in the meantime, and it is another file now.
            Err(DataError::Damaged { .. }) if self.manifest.stage == Stage::Running => {
                recorder::read_listed(&self.path, &Manifest::read(&self.path)?, name)
            }
            read => read,
        }
    }

    /// Whether a file is there that was written once.
    pub fn has_file(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// Checks the copy of the scene, and those of the tables that it reads.
    pub fn check_scene(&self) -> Result<(), DataError> {
        let scene = &self.manifest.scene;
        let tables = scene.tables.iter().map(|table| &table.file);
        for name in tables.chain(&scene.keys).chain([&scene.file]) {
            let path = self.path.join(name);
            let sum = Sum::of_file(&path)?;
            recorder::check_listed(&path, &self.manifest, name, sum)?;
        }
        Ok(())
    }

    /// A table that is one file.
    fn whole(&self, name: &str, columns: Vec<Column>, rows: Option<u64>) -> Table {
        let file = format!("{name}.parquet");
        let listed = self.manifest.files.iter().filter(|l| l.file == file);
        Table {
            columns,
            files: vec![table_path(&self.path, name)],
            sealed: self.manifest.is_sealed(),
            content: Content::Whole {
                rows,
                footers: listed.filter_map(|listed| listed.footer).collect(),
            },
        }
    }

    /// A table that grows.
    fn growing(&self, place: usize) -> Result<Table, DataError> {
        let rows = &self.manifest.rows;
        let rows = [rows.events, rows.frames, rows.audit][place];
        let [events, frames, audit] = recorder::growing(&self.manifest);
        let (columns, size) = [events, frames, audit]
            .into_iter()
            .nth(place)
            .unwrap_or_default();
        let name = GROWING[place];
        if self.manifest.stage == Stage::Complete {
            return Ok(self.whole(name, columns, Some(rows)));
        }
        Ok(Table {
            files: parts::list(&parts_path(&self.path, name), size, rows)?,
            columns,
            sealed: self.manifest.is_sealed(),
            content: Content::Parts {
                size: size as u64,
                rows,
            },
        })
    }

    /// `events`.
    pub fn events(&self) -> Result<Table, DataError> {
        self.growing(0)
    }

    /// `frames`.
    pub fn frames(&self) -> Result<Table, DataError> {
        self.growing(1)
    }

    /// `audit`.
    pub fn audit(&self) -> Result<Table, DataError> {
        self.growing(2)
    }

    /// `bodies`, as a table.
    pub fn body_table(&self) -> Table {
        self.whole("bodies", tables::body_columns(), None)
    }

    /// All bodies, by id.
    pub fn bodies(&self) -> Result<Vec<BodyRecord>, DataError> {
        let table = self.body_table();
        let mut bodies = Vec::new();
        let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_ref()).collect();
        table.each(&names, |rows| {
            let [_, name, shape, material, motion, radius, mass, inertia] = &rows.values[..] else {
                return Ok(());
            };
            let text = |values: &Values, row: usize| values.texts()[row].to_string();
            for row in 0..rows.len() {
                bodies.push(BodyRecord {
                    name: text(name, row),
                    shape: text(shape, row),
                    material: text(material, row),
                    motion: text(motion, row),
                    radius: radius.numbers()[row],
                    mass: mass.numbers()[row],
                    inertia: inertia.numbers()[row],
                });
            }
            Ok(())
        })?;
        Ok(bodies)
    }

    /// Shows each whole frame; memory is that of one frame and one part.
    pub fn each_frame(
        &self,
        mut show: impl FnMut(&Frame) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let moving = self.bodies()?.iter().filter(|body| body.moves()).count();
        if moving == 0 {
            return Ok(());
        }
        let table = self.frames()?;
        let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_ref()).collect();
        let mut frame = Rows::new(&table.columns);
        table.each(&names, |rows| {
            let mut from = 0;
            while from < rows.len() {
                let to = rows.len().min(from + moving - frame.len());
                frame.extend(rows, from..to);
                from = to;
                if frame.len() == moving {
                    show(&Frame {
                        number: frame.values[0].integers()[0].max(0) as u64,
                        time: frame.values[1].numbers()[0],
                        rows: std::mem::replace(&mut frame, Rows::new(&table.columns)),
                    })?;
                }
            }
            Ok(())
        })
    }
}

impl Table {
    /// Its columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Opens its files, one after the other. Each has the rows that it has to have.
    fn each_source(
        &self,
        mut show: impl FnMut(Source) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let mut before = 0;
        for (number, path) in self.files.iter().enumerate() {
            let source = Source::open(path, &self.columns, self.sealed)?;
            let found = source.rows();
            before += found;
            let is_last = number + 1 == self.files.len();
            let expected = match &self.content {
                Content::Whole { rows, footers } => {
                    let known = source.footer().is_none_or(|sum| footers.contains(&sum));
                    if !known {
                        return Err(DataError::damaged(path, "it is that of another run"));
                    }
                    rows.filter(|&rows| rows != found)
                }
                Content::Parts { size, .. } if !is_last => Some(*size).filter(|&s| s != found),
                Content::Parts { rows, .. } => {
                    Some(found + rows.saturating_sub(before)).filter(|_| before < *rows)
                }
            };
            if let Some(expected) = expected {
                let reason = format!("it has {found} rows instead of {expected}");
                return Err(DataError::damaged(path, reason));
            }
            show(source)?;
        }
        Ok(())
    }

    /// Checks every byte of it.
    pub fn check(&self) -> Result<(), DataError> {
        self.each_source(|source| source.check())
    }

    /// How many rows it has.
    pub fn rows(&self) -> Result<u64, DataError> {
        let mut rows = 0;
        self.each_source(|source| {
            rows += source.rows();
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row in which a column of whole numbers has a value: the rows around it, and which of them it is.
    pub fn find(&self, column: &str, value: i64) -> Result<Option<(Rows, usize)>, DataError> {
        let Some(place) = self.columns.iter().position(|other| other.name == column) else {
            return Ok(None);
        };
        let mut found = None;
        self.each_source(|source| {
            for group in 0..source.groups() {
                if found.is_some() {
                    break;
                }
                let column = source.read(group, &[place])?;
                let row = column.values[0].integers().iter().position(|&v| v == value);
                if let Some(row) = row {
                    let all: Vec<usize> = (0..self.columns.len()).collect();
                    found = Some((source.read(group, &all)?, row));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Shows some of its columns, so many rows at a time as a part has.
    pub fn each(
        &self,
        wanted: &[&str],
        mut show: impl FnMut(&Rows) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let place = |name: &&str| self.columns.iter().position(|column| column.name == **name);
        let wanted: Vec<usize> = wanted.iter().filter_map(place).collect();
        self.each_source(|source| {
            for group in 0..source.groups() {
                show(&source.read(group, &wanted)?)?;
            }
            Ok(())
        })
    }
}
