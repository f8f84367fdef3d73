//! Arrays for numpy: `frames.npz` with arrays by frame and body, `events.npz` and `audit.npz` with one array a column,
//! `bodies.npz`.
//!
//! An `.npz` file is a ZIP archive of `.npy` files, here without compression, so that arrays are written as they are
//! read and none of them has to be held in memory.

use crate::error::DataError;
use crate::outputs::Outputs;
use crate::reader::{RunFolder, Table};
use crate::table::{Kind, Rows, Values};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use zip::result::ZipError;
use zip::write::FileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An array: its name, the columns that make it, and its shape.
struct Array {
    name: String,
    columns: Vec<String>,
    shape: Vec<u64>,
    /// The rows of the table that it is made of: the first so many, and of those every so-manieth.
    rows: u64,
    step: u64,
}

/// Writes all tables of a run into a folder; answers the files.
pub fn write_npz(
    run: &RunFolder,
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<PathBuf>, DataError> {
    let mut written = Vec::new();
    let tables = [
        ("events", run.events()?),
        ("audit", run.audit()?),
        ("bodies", run.body_table()),
    ];
    for (name, table) in tables {
        let path = folder.join(format!("{name}.npz"));
        let rows = table.rows()?;
        let arrays = table.columns().iter().map(|column| Array {
            name: column.name.to_string(),
            columns: vec![column.name.to_string()],
            shape: vec![rows],
            rows,
            step: 1,
        });
        write_archive(&path, &table, arrays.collect(), outputs)?;
        written.push(path);
    }
    let path = folder.join("frames.npz");
    let table = run.frames()?;
    let moving = run.bodies()?.iter().filter(|body| body.moves()).count() as u64;
    let arrays = frame_arrays(run.manifest().dimension, table.rows()?, moving);
    write_archive(&path, &table, arrays, outputs)?;
    written.push(path);
    Ok(written)
}

fn frame_arrays(dimension: usize, rows: u64, moving: u64) -> Vec<Array> {
    let frames = rows.checked_div(moving).unwrap_or(0);
    let axes = &["x", "y", "z"][..dimension];
    let named = |prefix: &str| axes.iter().map(|axis| format!("{prefix}{axis}")).collect();
    let one = |name: &str| vec![name.to_owned()];
    let (rotation, angular_velocity): ((&str, Vec<String>), Vec<String>) = match dimension {
        2 => (("angle", one("angle")), one("angular_velocity")),
        _ => {
            let turn = ["w", "x", "y", "z"].map(|part| format!("orientation_{part}"));
            (("orientation", turn.to_vec()), named("angular_velocity_"))
        }
    };
    let by_body = [
        ("position", named("")),
        rotation,
        ("velocity", named("velocity_")),
        ("angular_velocity", angular_velocity),
    ];
    let arrays = by_body.into_iter().map(|(name, columns)| {
        let width = columns.len() as u64;
        let shape = match width {
            1 => vec![frames, moving],
            _ => vec![frames, moving, width],
        };
        Array {
            name: name.to_owned(),
            columns,
            shape,
            rows: frames * moving,
            step: 1,
        }
    });
    let mut arrays: Vec<Array> = arrays.collect();
    for name in ["frame", "time"] {
        arrays.push(Array {
            name: name.to_owned(),
            columns: one(name),
            shape: vec![frames],
            rows: frames * moving,
            step: moving.max(1),
        });
    }
    // Every frame has the same bodies in the same order.
    arrays.push(Array {
        name: "body".to_owned(),
        columns: one("body"),
        shape: vec![moving.min(rows)],
        rows: moving.min(rows),
        step: 1,
    });
    arrays
}

fn write_archive(
    path: &Path,
    table: &Table,
    arrays: Vec<Array>,
    outputs: &Outputs,
) -> Result<(), DataError> {
    outputs.fill(path, |file| {
        let mut archive = ZipWriter::new(file);
        for array in &arrays {
            write_array(&mut archive, path, table, array)?;
        }
        archive.finish().map(drop).map_err(unwritten(path))
    })
}

fn unwritten(path: &Path) -> impl FnOnce(ZipError) -> DataError {
    move |error| {
        let error = match error {
            ZipError::Io(error) => error,
            error => std::io::Error::other(error),
        };
        DataError::write(path)(error)
    }
}

fn write_array<W: Write + Seek>(
    archive: &mut ZipWriter<W>,
    path: &Path,
    table: &Table,
    array: &Array,
) -> Result<(), DataError> {
    let columns: Vec<&str> = array.columns.iter().map(String::as_str).collect();
    let kind = |name: &str| {
        let column = table.columns().iter().find(|column| column.name == name);
        column.map_or(Kind::Number, |column| column.kind)
    };
    let (kind, mut width) = (kind(columns[0]), 0);
    if kind == Kind::Text {
        // Numpy's texts all have the same length.
        table.each(&columns, |rows| {
            let lengths = rows.values[0]
                .texts()
                .iter()
                .map(|text| text.chars().count());
            width = width.max(lengths.max().unwrap_or(0));
            Ok(())
        })?;
    }
    let width = width.max(1);
    let options = FileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true);
    archive
        .start_file(format!("{}.npy", array.name), options)
        .map_err(unwritten(path))?;
    let header = header(kind, width, &array.shape);
    archive.write_all(&header).map_err(DataError::write(path))?;
    let mut seen = 0;
    table.each(&columns, |rows| {
        let end = (seen + rows.len() as u64).min(array.rows);
        let first = seen.next_multiple_of(array.step);
        let chosen = (first..end).step_by(array.step as usize);
        let chosen = chosen.map(|row| (row - seen) as usize);
        let bytes = bytes_of(rows, chosen, width);
        seen += rows.len() as u64;
        archive.write_all(&bytes).map_err(DataError::write(path))
    })
}

/// The header of an `.npy` file, version 1.0, padded so that the numbers begin at a multiple of 64 bytes.
fn header(kind: Kind, width: usize, shape: &[u64]) -> Vec<u8> {
    let descr = match kind {
        Kind::Integer => "<i8".to_owned(),
        Kind::Number => "<f8".to_owned(),
        Kind::Text => format!("<U{width}"),
    };
    let shape: String = shape.iter().map(|length| format!("{length},")).collect();
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    const PREFIX: usize = 10;
    let padding = 63 - (PREFIX + text.len()) % 64;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// Rows of one or several columns, side by side, little-endian.
fn bytes_of(rows: &Rows, chosen: impl Iterator<Item = usize>, width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in chosen {
        for values in &rows.values {
            match values {
                Values::Integers(values) => bytes.extend(values[row].to_le_bytes()),
                Values::Numbers(values) => bytes.extend(values[row].to_le_bytes()),
                Values::Texts(values) => {
                    let letters = values[row].chars().map(u32::from);
                    let padded = letters.chain(std::iter::repeat(0)).take(width);
                    padded.for_each(|letter| bytes.extend(letter.to_le_bytes()));
                }
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_padded_to_64_bytes() {
        for shape in [&[1][..], &[100, 1_000_000, 3], &[]] {
            let header = header(Kind::Number, 1, shape);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }
}
