//! `carom report`: everything about a run in one HTML file.

use crate::output::{Failure, Output};
use carom_data::Outputs;
use carom_draw::Recording;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom report runs/one                        writes runs/one/report.html
  carom report runs/one --out break.html

The file has the scene, an animation, the plots, the events and the audit. It opens in a browser from the disk, loads nothing
from elsewhere, follows the viewer's preference for light or dark, and can be printed.")]
pub struct Report {
    /// Run folder
    pub run: PathBuf,
    /// Output file [default: report.html, in the run folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file (--out); in the run folder only files that carom wrote are ever replaced
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `carom report`: says which file it wrote.
pub fn command(options: &Report) -> Result<(), Failure> {
    let recording = Recording::open(&options.run)?;
    let path = match &options.out {
        Some(path) => path.clone(),
        None => options.run.join("report.html"),
    };
    let outputs = Outputs::new(options.force);
    outputs.check(&path)?;
    let page = carom_draw::report(&recording)?;
    outputs.write(&path, page.html.as_bytes())?;
    for note in &page.notes {
        // Nobody reads it? Then nobody needs it; the page has it too.
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    let mut output = Output::standard();
    output.line(format_args!("{}", path.display()))?;
    output.finish()
}
