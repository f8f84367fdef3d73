//! A scene as it was written, with its tables, and the copy of it that a run folder keeps.

use crate::folder::{KEYS, TABLES};
use crate::manifest::{SceneCopy, TableCopy};
use std::path::{Path, PathBuf};

/// The text of a scene, and how it came to be what was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// As it was given.
    pub given: String,
    /// The content of the file.
    pub text: String,
    /// What took the place of its settings, `key=value`, in order.
    pub overrides: Vec<String>,
    /// What the scene calls itself.
    pub title: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// Tables of bodies that it reads, in the order of the file.
    pub tables: Vec<SceneTable>,
    /// What is hardly meant in it, a line each.
    pub warnings: Vec<String>,
    /// Where the keys are that are pressed while it runs, if there are any.
    pub keys: Option<PathBuf>,
}

/// A table that a scene reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneTable {
    /// As the scene calls it.
    pub given: String,
    /// Where it is.
    pub path: PathBuf,
    /// Where in the scene's text it is named, quotes and all; `None` where that took the place of what the text says.
    pub named: Option<std::ops::Range<usize>>,
}

impl SceneText {
    /// What its tables are called in a run folder.
    pub(super) fn table_names(&self) -> Vec<String> {
        let name = |(number, table): (usize, &SceneTable)| {
            let name = table.path.file_name().unwrap_or_default();
            let plain = |letter: char| match letter {
                letter if letter.is_ascii_alphanumeric() => letter,
                '.' | '-' | '_' => letter,
                _ => '_',
            };
            let name: String = name.to_string_lossy().chars().map(plain).collect();
            format!("{TABLES}/{}-{name}", number + 1)
        };
        self.tables.iter().enumerate().map(name).collect()
    }

    /// Its text, with the copies of its tables in the place of what it reads: a run folder needs no other files.
    pub(super) fn text_of_copy(&self, names: &[String]) -> String {
        let mut text = self.text.clone();
        let mut named: Vec<_> = self
            .tables
            .iter()
            .zip(names)
            .filter_map(|(table, name)| Some((table.named.clone()?, name)))
            .collect();
        // From the end on, so that what comes before stays where it is.
        named.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, name) in named {
            if text.get(span.clone()).is_some() {
                text.replace_range(span, &format!("\"{name}\""));
            }
        }
        text
    }

    pub(super) fn copy(&self) -> SceneCopy {
        let is_json = Path::new(&self.given)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        SceneCopy {
            file: if is_json { "scene.json" } else { "scene.toml" }.to_owned(),
            given: self.given.clone(),
            overrides: self.overrides.clone(),
            title: self.title.clone(),
            seed: self.seed,
            warnings: self.warnings.clone(),
            keys: self.keys.as_ref().map(|_| KEYS.to_owned()),
            tables: self
                .tables
                .iter()
                .zip(self.table_names())
                .map(|(table, file)| TableCopy {
                    given: table.given.clone(),
                    file,
                })
                .collect(),
        }
    }
}
