//! Scenes as the command takes them: a file, and what takes the place of its settings.

use crate::arguments::SceneSource;
use crate::bar::Waiting;
use crate::memory;
use crate::output::{Failure, Output};
use crate::templates;
use carom_data::{SceneTable, SceneText};
use carom_scene::{Limits, Scene, SceneErrors, Style};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// A scene that is ready to run.
pub struct Loaded {
    pub text: SceneText,
    pub scene: Scene,
    /// How long reading it took.
    pub took: Duration,
}

impl Loaded {
    /// Lets keys be pressed while it runs, from a file.
    pub fn take_keys(&mut self, path: &Path) -> Result<(), Failure> {
        let strokes = carom_scene::load_keys(path);
        let strokes = strokes.map_err(|error| Failure::BadInput(format!("error: {error}\n")))?;
        self.scene.plan.press(&strokes);
        self.text.keys = Some(path.to_owned());
        Ok(())
    }

    /// Says what is worth saying of a scene that is good: keys under their old names, numbers that are hardly meant.
    pub fn tell_notes(&self) {
        // Standard error may be closed; the scene is none the worse for that.
        for note in &self.scene.notes {
            let _ = writeln!(std::io::stderr(), "note: {note}");
        }
        for warning in &self.scene.warnings {
            let _ = writeln!(std::io::stderr(), "warning: {warning}");
        }
    }
}

pub fn style() -> Style {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() && !plain {
        Style::Coloured
    } else {
        Style::Plain
    }
}

/// All errors of a scene, for people.
pub fn bad_scene(errors: &SceneErrors) -> Failure {
    Failure::BadInput(errors.render(style()))
}

/// Reads a scene file.
pub fn load(source: &SceneSource, quiet: bool) -> Result<Loaded, Failure> {
    let start = Instant::now();
    let _wait = Waiting::new("reading the scene", quiet);
    let mut overrides = source.overrides.clone();
    overrides.extend(source.seed.map(|seed| format!("seed={seed}")));
    load_path(&source.scene, overrides, start)
}

/// Reads a scene file, with what takes the place of its settings.
pub fn load_path(path: &Path, overrides: Vec<String>, start: Instant) -> Result<Loaded, Failure> {
    let pairs: Vec<(String, String)> = overrides
        .iter()
        .filter_map(|assignment| assignment.split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let limits = Limits {
        memory: memory::available(),
        ..Limits::default()
    };
    let scene =
        carom_scene::load_within(path, &pairs, &limits).map_err(|errors| bad_scene(&errors));
    let scene = scene.map_err(|failure| with_template(failure, path))?;
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::BadInput(format!(
            "error: cannot read `{}`: {error}\n",
            path.display()
        ))
    })?;
    let text = SceneText {
        given: path.display().to_string(),
        text,
        overrides,
        title: scene.title.clone(),
        seed: scene.seed,
        keys: None,
        warnings: scene.warnings.clone(),
        tables: scene
            .tables
            .iter()
            .map(|table| SceneTable {
                given: table.given.clone(),
                path: path.with_file_name(&table.given),
                named: table.named.clone(),
            })
            .collect(),
    };
    Ok(Loaded {
        text,
        scene,
        took: start.elapsed(),
    })
}

/// With a word on templates, where the scene is none but a template has its name.
fn with_template(failure: Failure, path: &Path) -> Failure {
    let name = path.file_stem().and_then(|name| name.to_str());
    match (failure, name.filter(|name| templates::is_known(name))) {
        (Failure::BadInput(text), Some(name)) if !path.exists() => Failure::BadInput(format!(
            "{text}help: there is a template of that name: carom new {name}\n"
        )),
        (failure, _) => failure,
    }
}

/// `carom schema`.
pub fn schema(markdown: bool) -> Result<(), Failure> {
    let text = if markdown {
        carom_scene::reference()
    } else {
        carom_scene::schema()
    };
    let mut output = Output::standard();
    output.line(format_args!("{}", text.trim_end()))?;
    output.finish()
}
