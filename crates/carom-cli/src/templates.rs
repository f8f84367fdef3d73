//! `carom new`: scenes to begin with. They are those of the folder `scenes/`, which tests and docs run too.

use crate::arguments::New;
use crate::output::{Failure, Output};
use carom_data::{DataError, Sum, write_file};
use std::path::{Path, PathBuf};

/// A name and the text of a scene.
type Template = (&'static str, &'static str);

// `build.rs` makes the list from the folder.
include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// `carom new`.
pub fn new(options: &New) -> Result<(), Failure> {
    let mut output = Output::standard();
    let Some(name) = options.template.as_deref().filter(|_| !options.list) else {
        let width = TEMPLATES.iter().map(|(name, _)| name.len()).max();
        for (name, text) in TEMPLATES {
            let width = width.unwrap_or(0);
            output.line(format_args!("{name:<width$}  {}", first_sentence(text)))?;
        }
        return output.finish();
    };
    let Some((name, text)) = TEMPLATES.iter().find(|(known, _)| *known == name) else {
        return Err(Failure::BadInput(format!(
            "error: there is no template `{}`\n  help: the templates are {}\n",
            name.escape_debug(),
            TEMPLATES
                .iter()
                .map(|(name, _)| *name)
                .collect::<Vec<_>>()
                .join(", ")
        )));
    };
    let path = options
        .file
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    let shown = path.display();
    // Meshes come with the scene that reads them, under the names that it calls them by.
    for (mesh, its) in MESHES {
        let beside = path.with_file_name(mesh);
        let same = || std::fs::read(&beside).is_ok_and(|there| there == its.as_bytes());
        if text.contains(&format!("\"{mesh}\"")) && !same() {
            write(&beside, its, options.force)?;
            output.line(format_args!("{}: written", beside.display()))?;
        }
    }
    write(&path, text, options.force)?;
    output.line(format_args!(
        "{shown}: written; to run it: carom run {shown}"
    ))?;
    output.finish()
}

/// Whether there is a template of a name.
pub fn is_known(name: &str) -> bool {
    TEMPLATES.iter().any(|(known, _)| *known == name)
}

/// Writes a template. Only another template, as it was written, is ever replaced: a scene that somebody has worked on
/// is not.
fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let shown = path.display();
    if !force && path.symlink_metadata().is_ok() {
        return Err(exists(path));
    }
    let all = TEMPLATES.iter().chain(MESHES);
    let templates = all.map(|(_, text)| Sum::of(text.as_bytes())).collect();
    write_file(path, text.as_bytes(), templates).map_err(|error| match error {
        DataError::Exists { .. } => exists(path),
        DataError::Foreign { .. } => Failure::BadInput(format!(
            "error: `{shown}` is not a template as `carom new` writes it, and is not replaced: take another name, or remove it first\n"
        )),
        _ => Failure::Run(error.to_string()),
    })
}

fn exists(path: &Path) -> Failure {
    Failure::BadInput(format!(
        "error: `{}` exists already: take another name, or replace a template that was not changed with --force\n",
        path.display()
    ))
}

/// What the comment at the top says first.
fn first_sentence(text: &str) -> String {
    let comment: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(str::trim)
        .collect();
    let comment = comment.join(" ");
    match comment.split_once(". ") {
        Some((first, _)) => first.to_owned(),
        None => comment.trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_a_template() {
        let mut names: Vec<String> = std::fs::read_dir(env!("CAROM_SCENES"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        assert!(names.len() > 10);
        let templates: Vec<&str> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        assert_eq!(templates, names);
    }

    #[test]
    fn each_says_what_it_is() {
        for (name, text) in TEMPLATES {
            assert!(first_sentence(text).len() > 10, "{name}");
        }
    }
}
