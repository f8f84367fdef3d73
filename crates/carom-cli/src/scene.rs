//! Scenes as the command takes them: a file, and what takes the place of its settings.

use crate::arguments::SceneSource;
use crate::output::Failure;
use carom_data::SceneText;
use carom_scene::{Scene, SceneErrors, Style};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// A scene that is ready to run.
pub struct Loaded {
    pub text: SceneText,
    pub scene: Scene,
    /// How long reading it took.
    pub took: Duration,
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
pub fn load(source: &SceneSource) -> Result<Loaded, Failure> {
    let start = Instant::now();
    let mut overrides = source.overrides.clone();
    overrides.extend(source.seed.map(|seed| format!("seed={seed}")));
    load_path(&source.scene, overrides, start)
}

/// Reads a scene file, with what takes the place of its settings.
pub fn load_path(path: &Path, overrides: Vec<String>, start: Instant) -> Result<Loaded, Failure> {
    // The scene crate says best what is wrong with a file that is no text.
    let scene = || carom_scene::load(path).map_err(|errors| bad_scene(&errors));
    let Ok(text) = std::fs::read_to_string(path) else {
        let scene = scene()?;
        let message = format!("error: `{}` changed while it was read\n", path.display());
        drop(scene);
        return Err(Failure::BadInput(message));
    };
    let text = SceneText {
        given: path.display().to_string(),
        text,
        overrides,
    };
    let scene = match text.overrides.is_empty() {
        true => scene()?,
        false => parse(&text)?,
    };
    Ok(Loaded {
        text,
        scene,
        took: start.elapsed(),
    })
}

/// Reads a scene from its text.
pub fn parse(source: &SceneText) -> Result<Scene, Failure> {
    let parsed = match source.overrides.is_empty() {
        true => carom_scene::parse(&source.given, &source.text),
        false => {
            // Mistakes of the file itself are told of as such.
            carom_scene::parse(&source.given, &source.text).map_err(|errors| bad_scene(&errors))?;
            let text = overridden(&source.text, &source.overrides)
                .map_err(|message| Failure::BadInput(format!("error: {message}\n")))?;
            let name = format!("{} with --set", source.given);
            carom_scene::parse(&name, &text)
        }
    };
    parsed.map_err(|errors| bad_scene(&errors))
}

/// The scene with other values in the places of its own.
fn overridden(text: &str, overrides: &[String]) -> Result<String, String> {
    let mut table: toml::Table = text
        .parse()
        .map_err(|_| "the scene is no TOML".to_owned())?;
    for assignment in overrides {
        let (key, value) = assignment.split_once('=').unwrap_or((assignment, ""));
        let path: Vec<&str> = key.trim().split('.').collect();
        set(&mut table, &path, toml_value(value.trim()))
            .map_err(|why| format!("--set {assignment}: {why}"))?;
    }
    toml::to_string(&table).map_err(|error| error.to_string())
}

/// A value as scene files have them; what is none is a text.
fn toml_value(text: &str) -> toml::Value {
    let parsed = format!("value = {text}").parse::<toml::Table>().ok();
    parsed
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| toml::Value::String(text.to_owned()))
}

fn set(table: &mut toml::Table, path: &[&str], value: toml::Value) -> Result<(), String> {
    let (first, rest) = path.split_first().ok_or("an empty key")?;
    if rest.is_empty() {
        table.insert((*first).to_owned(), value);
        return Ok(());
    }
    let next = table
        .entry(*first)
        .or_insert_with(|| toml::Value::Table(toml::Table::new()));
    set_within(next, first, rest, value)
}

fn set_within(
    inside: &mut toml::Value,
    name: &str,
    path: &[&str],
    value: toml::Value,
) -> Result<(), String> {
    match inside {
        toml::Value::Table(table) => set(table, path, value),
        toml::Value::Array(items) => {
            let (which, rest) = path.split_first().ok_or("an empty key")?;
            let is_called =
                |item: &toml::Value| item.get("name").and_then(toml::Value::as_str) == Some(which);
            let place = match which.parse::<usize>() {
                Ok(place) if place < items.len() => Some(place),
                _ => items.iter().position(is_called),
            };
            let place = place.ok_or_else(|| {
                format!(
                    "`{name}` has nothing called `{which}`, and {} entries",
                    items.len()
                )
            })?;
            if rest.is_empty() {
                items[place] = value;
                return Ok(());
            }
            set_within(&mut items[place], which, rest, value)
        }
        _ => Err(format!("`{name}` is a value and has no `{}`", path[0])),
    }
}
