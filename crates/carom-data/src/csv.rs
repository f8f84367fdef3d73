//! Tables as text, for spreadsheets: `events.csv`, `frames.csv`, `audit.csv`, `bodies.csv`.
//!
//! Floats have as many digits as it takes to read the same number back; NaN is an empty field. Beside the numbers of
//! bodies are their names.

use crate::error::DataError;
use crate::outputs::Outputs;
use crate::reader::{BodyRecord, RunFolder, Table};
use crate::table::{Rows, Values};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Columns that are numbers of bodies, and what the column with the names is called.
const NAMED: [(&str, &str); 3] = [("a", "a_name"), ("b", "b_name"), ("body", "name")];

/// Writes all tables of a run into a folder; answers the files.
pub fn write_csv(
    run: &RunFolder,
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<PathBuf>, DataError> {
    let bodies = run.bodies()?;
    let tables = [
        ("events", run.events()?),
        ("frames", run.frames()?),
        ("audit", run.audit()?),
        ("bodies", run.body_table()),
    ];
    let mut written = Vec::new();
    for (name, table) in tables {
        let path = folder.join(format!("{name}.csv"));
        // That of the bodies has the names as it is.
        let names = (name != "bodies").then_some(&bodies[..]);
        outputs.fill(&path, |file| write_table(&table, names, &path, file))?;
        written.push(path);
    }
    Ok(written)
}

fn name_column(column: &str) -> Option<&'static str> {
    let known = NAMED.iter().find(|(number, _)| *number == column);
    known.map(|(_, name)| *name)
}

fn write_table(
    table: &Table,
    names: Option<&[BodyRecord]>,
    path: &Path,
    file: &mut impl Write,
) -> Result<(), DataError> {
    let columns: Vec<&str> = table.columns().iter().map(|c| c.name.as_ref()).collect();
    let mut header = Vec::new();
    for &column in &columns {
        header.push(column);
        header.extend(names.and_then(|_| name_column(column)));
    }
    writeln!(file, "{}", header.join(",")).map_err(DataError::write(path))?;
    table.each(&columns, |rows| {
        (0..rows.len())
            .try_for_each(|row| write_row(&columns, rows, row, names, file))
            .map_err(DataError::write(path))
    })
}

fn write_row(
    columns: &[&str],
    rows: &Rows,
    row: usize,
    names: Option<&[BodyRecord]>,
    file: &mut impl Write,
) -> io::Result<()> {
    for (place, (column, values)) in columns.iter().zip(&rows.values).enumerate() {
        if place > 0 {
            file.write_all(b",")?;
        }
        match values {
            Values::Integers(values) => {
                write!(file, "{}", values[row])?;
                if let (Some(bodies), Some(_)) = (names, name_column(column)) {
                    let body = usize::try_from(values[row])
                        .ok()
                        .and_then(|id| bodies.get(id));
                    file.write_all(b",")?;
                    write_text(body.map_or("", |body| &body.name), file)?;
                }
            }
            Values::Numbers(values) if values[row].is_nan() => (),
            Values::Numbers(values) => write!(file, "{:?}", values[row])?,
            Values::Texts(values) => write_text(&values[row], file)?,
        }
    }
    file.write_all(b"\n")
}

/// A text, in quotes where it has to be.
fn write_text(text: &str, file: &mut impl Write) -> io::Result<()> {
    if text.contains(['"', ',', '\n', '\r']) {
        write!(file, "\"{}\"", text.replace('"', "\"\""))
    } else {
        file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_they_have_to_be() {
        for (text, expected) in [
            ("cue", "cue"),
            ("a, b", "\"a, b\""),
            ("6\" ball", "\"6\"\" ball\""),
        ] {
            let mut bytes = Vec::new();
            write_text(text, &mut bytes).unwrap();
            assert_eq!(bytes, expected.as_bytes());
        }
    }
}
