//! What plots, pictures and reports are made of: a run folder, or a scene that is run first.

use crate::arguments::{ContactMethod, SceneSource, assignment, seconds, whole};
use crate::output::Failure;
use crate::run;
use carom_data::DataError;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A run folder or a scene.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// Run folder; or a scene file, which is run first
    #[arg(value_name = "RUN|SCENE")]
    pub path: PathBuf,
    /// Override a scene value, such as run.until=3; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment, help_heading = "Scene")]
    pub overrides: Vec<String>,
    /// Random seed: the same as --set seed=N
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Scene")]
    pub seed: Option<u64>,
    /// Override the scene's end time, in seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true, help_heading = "Scene")]
    pub until: Option<f64>,
    /// Override the scene's method
    #[arg(long, value_name = "METHOD", help_heading = "Scene")]
    pub method: Option<ContactMethod>,
}

/// A run folder that is there: the one that was given, or a temporary one.
#[derive(Debug)]
pub struct Opened {
    /// The run folder.
    pub folder: PathBuf,
    /// The name of the scene file without its ending, where a scene was given: what files are called then.
    pub scene: Option<String>,
    _temporary: Option<Temporary>,
}

impl Source {
    /// The run folder. A scene is run now, into a temporary one.
    pub fn open(&self, quiet: bool) -> Result<Opened, Failure> {
        if !self.is_scene() {
            self.refuse_scene_options()?;
            return Ok(Opened {
                folder: self.path.clone(),
                scene: None,
                _temporary: None,
            });
        }
        let name = self.path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let temporary = Temporary::new()?;
        let folder = temporary.0.join(&name);
        run::run_for_pictures(self, &folder, quiet)?;
        Ok(Opened {
            folder,
            scene: Some(name),
            _temporary: Some(temporary),
        })
    }

    /// Whether it is a file, or is called like one.
    fn is_scene(&self) -> bool {
        let ending = self.path.extension().unwrap_or_default();
        self.path.is_file() || (ending == "toml" || ending == "json") && !self.path.is_dir()
    }

    fn refuse_scene_options(&self) -> Result<(), Failure> {
        let given = [
            (!self.overrides.is_empty(), "--set"),
            (self.seed.is_some(), "--seed"),
            (self.until.is_some(), "--until"),
            (self.method.is_some(), "--method"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(Failure::BadInput(format!(
                "error: {option} is for scenes, and `{}` is no scene file: what a run folder has was run already\n",
                self.path.display()
            ))),
            None => Ok(()),
        }
    }

    /// As `carom run` has it.
    pub fn scene(&self) -> SceneSource {
        SceneSource {
            scene: self.path.clone(),
            overrides: self.overrides.clone(),
            seed: self.seed,
        }
    }
}

/// A folder of its own among the temporary files, gone with all that is in it when it is no longer needed.
#[derive(Debug)]
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new() -> Result<Self, Failure> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = since.unwrap_or_default().as_nanos();
        let name = format!("carom-{}-{now}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match fs::create_dir(&path) {
            Ok(()) => Ok(Temporary(path)),
            Err(source) => Err(DataError::Write { path, source }.into()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a temporary folder. Where that fails there is nothing left to report to; the system tidies up later.
pub fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_folder_goes_with_what_is_in_it() {
        let temporary = Temporary::new().unwrap();
        let path = temporary.0.clone();
        fs::create_dir(path.join("inside")).unwrap();
        fs::write(path.join("inside/file"), "text").unwrap();
        drop(temporary);
        assert!(!path.exists());
    }
}
