//! Reading run folders, complete ones and such as were cut off or are still being written.

use crate::error::DataError;
use crate::folder::{parts_path, table_path};
use crate::manifest::{Manifest, Stage};
use crate::parquet_file::Source;
use crate::parts;
use crate::recorder;
use crate::space::DataSpace;
use crate::table::{Column, Rows, Values};
use crate::tables;
use carom::space::{Plane, Solid};
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
}

/// Who is who.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRecord {
    /// As scenes name it.
    pub name: String,
    /// As scenes call it.
    pub shape: String,
    /// By name.
    pub material: String,
    /// `free`, `fixed` or `driven`.
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
        self.motion != "fixed"
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

    fn table(&self, name: &str, columns: [Vec<Column>; 2]) -> Result<Table, DataError> {
        let [plane, solid] = columns;
        let columns = match self.manifest.dimension {
            2 => plane,
            _ => solid,
        };
        let files = match self.manifest.stage {
            Stage::Complete => vec![table_path(&self.path, name)],
            _ => parts::list(&parts_path(&self.path, name))?,
        };
        Ok(Table { columns, files })
    }

    /// `events`.
    pub fn events(&self) -> Result<Table, DataError> {
        let columns = [
            tables::event_columns::<Plane>(),
            tables::event_columns::<Solid>(),
        ];
        self.table("events", columns)
    }

    /// `frames`.
    pub fn frames(&self) -> Result<Table, DataError> {
        let columns = [
            tables::frame_columns::<Plane>(),
            tables::frame_columns::<Solid>(),
        ];
        self.table("frames", columns)
    }

    /// `audit`.
    pub fn audit(&self) -> Result<Table, DataError> {
        let columns = [
            tables::audit_columns::<Plane>(),
            tables::audit_columns::<Solid>(),
        ];
        self.table("audit", columns)
    }

    /// `bodies`, as a table.
    pub fn body_table(&self) -> Table {
        Table {
            columns: tables::body_columns(),
            files: vec![table_path(&self.path, "bodies")],
        }
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

    /// How many rows it has.
    pub fn rows(&self) -> Result<u64, DataError> {
        let mut rows = 0;
        for file in &self.files {
            rows += Source::open(file, &self.columns)?.rows();
        }
        Ok(rows)
    }

    /// The first row in which a column of whole numbers has a value: the rows around it, and which of them it is.
    pub fn find(&self, column: &str, value: i64) -> Result<Option<(Rows, usize)>, DataError> {
        let Some(place) = self.columns.iter().position(|other| other.name == column) else {
            return Ok(None);
        };
        for file in &self.files {
            let source = Source::open(file, &self.columns)?;
            for group in 0..source.groups() {
                let found = source.read(group, &[place])?;
                let row = found.values[0].integers().iter().position(|&v| v == value);
                if let Some(row) = row {
                    let all: Vec<usize> = (0..self.columns.len()).collect();
                    return Ok(Some((source.read(group, &all)?, row)));
                }
            }
        }
        Ok(None)
    }

    /// Shows some of its columns, so many rows at a time as a part has.
    pub fn each(
        &self,
        wanted: &[&str],
        mut show: impl FnMut(&Rows) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let place = |name: &&str| self.columns.iter().position(|column| column.name == **name);
        let wanted: Vec<usize> = wanted.iter().filter_map(place).collect();
        for file in &self.files {
            let source = Source::open(file, &self.columns)?;
            for group in 0..source.groups() {
                show(&source.read(group, &wanted)?)?;
            }
        }
        Ok(())
    }
}
