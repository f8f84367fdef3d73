//! Writing results, and what can go wrong.

use carom_data::DataError;
use carom_draw::DrawError;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why the command ends early.
#[derive(Debug)]
pub enum Failure {
    /// The scene or the arguments are bad: exit status 2.
    BadInput(String),
    /// The run could not go on: exit status 1.
    Run(String),
    /// The output could not be written: exit status 1.
    Write(io::Error),
    /// Ctrl-C was pressed: what was done is kept.
    Interrupted {
        /// The exit status.
        status: u8,
        /// The run folder to go on with.
        resume: Option<PathBuf>,
    },
    /// The output is no longer read (`carom … | head`). That is no error.
    Closed,
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::BadInput(_) => ExitCode::from(2),
            Failure::Run(_) | Failure::Write(_) => ExitCode::FAILURE,
            Failure::Interrupted { status, .. } => ExitCode::from(*status),
            Failure::Closed => ExitCode::SUCCESS,
        }
    }

    /// On standard error. If that cannot be written to either, there is nothing left to do.
    pub fn print(&self) {
        let mut stderr = io::stderr().lock();
        let _ = match self {
            Failure::BadInput(text) => write!(stderr, "{text}"),
            Failure::Run(text) => writeln!(stderr, "error: {text}"),
            Failure::Write(error) => writeln!(stderr, "error: cannot write the output: {error}"),
            Failure::Interrupted { resume: None, .. } => writeln!(stderr, "interrupted"),
            Failure::Interrupted {
                resume: Some(folder),
                ..
            } => writeln!(
                stderr,
                "interrupted; to resume: carom resume {}",
                folder.display()
            ),
            Failure::Closed => Ok(()),
        };
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Write { .. } | DataError::InUse { .. } => Failure::Run(error.to_string()),
            // A scene where a run folder is asked for: the commonest slip of the first hour.
            DataError::NotARun { ref path, .. } if is_scene(path) => {
                let scene = path.display();
                let name = path.file_stem().unwrap_or_default().display();
                Failure::BadInput(format!(
                    "error: {error}\n  help: it is a file; to run a scene and keep it: carom run {scene} --out runs/{name}\n"
                ))
            }
            _ => Failure::BadInput(format!("error: {error}\n")),
        }
    }
}

fn is_scene(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    (ending == "toml" || ending == "json") && path.is_file()
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Data(error) => error.into(),
            DrawError::Write(_) => Failure::Run(error.to_string()),
            _ => Failure::BadInput(format!("error: {error}\n")),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Write(error),
        }
    }
}

/// Standard output, buffered; errors are returned, not panics as those of `println!`.
pub struct Output(BufWriter<Box<dyn Write>>);

impl Output {
    pub fn standard() -> Self {
        Output(BufWriter::new(Box::new(io::stdout())))
    }

    pub fn line(&mut self, line: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.0.write_fmt(line)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// A value as JSON on one line.
    pub fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.0, value).map_err(io::Error::from)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// Whatever is still buffered.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.0.flush()?;
        Ok(())
    }
}
