//! The pictures that `carom run` makes of its run: a video, a report, plots.

use crate::arguments::Run;
use crate::output::Failure;
use crate::plot::{self, Plot};
use crate::render::{self, Render};
use crate::report::{self, Report};
use carom_data::Outputs;
use clap::{Args, Command, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is wanted.
pub struct Pictures<'o> {
    film: Option<&'o PathBuf>,
    report: Option<&'o PathBuf>,
    plots: Option<&'o PathBuf>,
    replace: bool,
    quiet: bool,
    /// Whether standard output is for programs, and has the summary alone.
    json: bool,
}

impl<'o> Pictures<'o> {
    pub fn of(options: &'o Run) -> Self {
        Pictures {
            film: options.film.as_ref(),
            report: options.report.as_ref(),
            plots: options.plots.as_ref(),
            replace: options.keep.force,
            quiet: options.quiet,
            json: options.json,
        }
    }

    pub fn are_wanted(&self) -> bool {
        self.film.is_some() || self.report.is_some() || self.plots.is_some()
    }

    /// What would be refused when the run is over is refused before it begins.
    pub fn check(&self) -> Result<(), Failure> {
        let outputs = Outputs::new(self.replace);
        for path in [self.film, self.report].into_iter().flatten() {
            outputs.check(path)?;
        }
        Ok(())
    }

    /// Makes them, from the folder of the run.
    pub fn make(&self, folder: &Path) -> Result<(), Failure> {
        let tell = !self.json;
        if let Some(path) = self.film {
            render::make(
                &self.options::<Render>(folder, "render", path),
                folder,
                None,
                tell,
            )?;
        }
        if let Some(path) = self.report {
            report::make(
                &self.options::<Report>(folder, "report", path),
                folder,
                None,
                tell,
            )?;
        }
        if let Some(path) = self.plots {
            plot::make(
                &self.options::<Plot>(folder, "plot", path),
                folder,
                None,
                tell,
            )?;
        }
        Ok(())
    }

    /// The options of a command, all of them as they are where none is given.
    fn options<O: Args + FromArgMatches>(
        &self,
        folder: &Path,
        command: &'static str,
        out: &Path,
    ) -> O {
        let mut words: Vec<OsString> =
            vec![command.into(), folder.into(), "--out".into(), out.into()];
        words.extend(self.replace.then(|| "--force".into()));
        words.extend(self.quiet.then(|| "--quiet".into()));
        let matches = O::augment_args(Command::new(command)).get_matches_from(words);
        O::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}
