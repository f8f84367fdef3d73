//! `carom convert`: the tables of a run folder for other programs.

use crate::arguments::{self, Format};
use crate::output::{Failure, Output};
use carom_data::{DataError, Outputs, RunFolder};
use std::path::{Path, PathBuf};

type Writer = fn(&RunFolder, &Path, &Outputs) -> Result<Vec<PathBuf>, DataError>;

/// What a format is called, and who writes it.
fn writer(format: Format) -> (&'static str, Writer) {
    match format {
        Format::Csv => ("csv", carom_data::write_csv),
        Format::Npz => ("npz", carom_data::write_npz),
        Format::Vtk => ("vtk", carom_data::write_vtk),
        Format::Extxyz => ("extxyz", carom_data::write_extxyz),
    }
}

/// `carom convert`: says which files to open.
pub fn command(options: &arguments::Convert) -> Result<(), Failure> {
    let mut output = Output::standard();
    let out = options.out.as_deref();
    for path in convert(&options.run, &options.to, out, options.force)? {
        output.line(format_args!("{}", path.display()))?;
    }
    output.finish()
}

/// Writes a run folder in other formats.
pub fn convert(
    run: &Path,
    formats: &[Format],
    out: Option<&Path>,
    replace: bool,
) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    if formats.is_empty() {
        return Ok(written);
    }
    let run = RunFolder::open(run)?;
    let outputs = Outputs::new(replace);
    for &format in formats {
        let (name, write) = writer(format);
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => run.path().join(name),
        };
        outputs.make_folder(&folder)?;
        written.extend(write(&run, &folder, &outputs)?);
    }
    Ok(written)
}
