//! `carom report`: everything about a run in one HTML file.

use crate::bar::{Counted, Waiting};
use crate::output::{Failure, Output};
use crate::source::Source;
use carom_data::Outputs;
use carom_draw::{DrawError, Page, Recording};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom report runs/one                        writes runs/one/report.html
  carom report runs/one --out break.html
  carom report scenes/break.toml               runs the scene first, and writes break.html

The file has the scene, an animation, the plots, the events and the audit. It opens in a browser from the disk, loads nothing
from elsewhere, follows the viewer's preference for light or dark, and can be printed.")]
pub struct Report {
    #[command(flatten)]
    pub source: Source,
    /// Output file [default: report.html, in the run folder; of a scene, SCENE.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file (--out); in the run folder only files that carom wrote are ever replaced
    #[arg(long)]
    pub force: bool,
    /// Suppress the progress bar and notes
    #[arg(long)]
    pub quiet: bool,
}

/// `carom report`: says which file it wrote.
pub fn command(options: &Report) -> Result<(), Failure> {
    let opened = options.source.open(options.quiet)?;
    make(options, &opened.folder, opened.scene.as_deref(), true)
}

/// The report, and how far it has got: pictures while the scene is run again, which takes as long as the run did.
fn watched(recording: &Recording, quiet: bool) -> Result<Page, DrawError> {
    let mut wait = Some(Waiting::new("reading the run", quiet));
    let mut bar: Option<Counted> = None;
    carom_draw::report_watched(recording, &mut |done, all| {
        if done == 0 {
            wait = None;
            bar = Counted::new("pictures", all, quiet);
        } else if let Some(bar) = &mut bar {
            bar.show(done, 0);
        }
        if done + 1 == all {
            bar = None;
            wait = Some(Waiting::new("writing the report", quiet));
        }
    })
}

/// Makes the report of a run folder, and says where it is where that is wanted. That of a scene is named after it.
pub fn make(options: &Report, run: &Path, scene: Option<&str>, tell: bool) -> Result<(), Failure> {
    let mut recording = Recording::open(run)?;
    if scene.is_some() {
        recording.shown = options.source.path.clone();
    }
    let path = match (&options.out, scene) {
        (Some(path), _) => path.clone(),
        (None, Some(scene)) => PathBuf::from(format!("{scene}.html")),
        (None, None) => run.join("report.html"),
    };
    let outputs = Outputs::new(options.force);
    outputs.check(&path)?;
    let page = watched(&recording, options.quiet)?;
    outputs.write(&path, page.html.as_bytes())?;
    for note in page.notes.iter().filter(|_| !options.quiet) {
        // Nobody reads it? Then nobody needs it; the page has it too.
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    if !tell {
        return Ok(());
    }
    let mut output = Output::standard();
    output.line(format_args!("{}", path.display()))?;
    output.finish()
}
