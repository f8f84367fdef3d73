//! Everything about a run in one HTML file: it opens from the disk, requests nothing from anything, and can be printed.
//!
//! The page is written so that it is well-formed XML as well, which is how it is tested.

mod events;
mod film;
mod scenery;
mod stills;
mod tables;

use crate::canvas::{FAMILY, Look, TextAs, escape, font_face, stylesheet};
use crate::error::DrawError;
use crate::plots::{Plot, figures, fitting};
use crate::recording::Recording;
use crate::replay::{Film, Watch};
use std::fmt::Write;
use tables::Summary;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The longest text of a scene that is shown, in bytes; of longer ones the beginning is.
const LONGEST_SCENE: usize = 200_000;

/// A report.
#[derive(Clone, Debug)]
pub struct Page {
    /// All of it.
    pub html: String,
    /// What its moving picture leaves out, and why; the page says it too.
    pub notes: Vec<String>,
}

/// Makes the report of a run.
pub fn report(recording: &Recording) -> Result<Page, DrawError> {
    report_watched(recording, &mut |_, _| ())
}

/// The same, and tells while the scene is run again how many pictures are done, and of how many.
pub fn report_watched(recording: &Recording, watch: Watch<'_>) -> Result<Page, DrawError> {
    recording.folder.check_scene()?;
    let manifest = recording.folder.manifest();
    let title = escape(&manifest.scene.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title}</title>\n<style>\n{}\n:root{{--family:{FAMILY}}}\n{}\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p>{}</p>\n</header>\n<main>\n",
        font_face(),
        stylesheet(),
        escape(&recording.caption())
    );
    let mut notes = Vec::new();
    let table = events::Listed::of(recording)?;
    if let Some(film) = Film::of(recording, &table.times(), watch)? {
        page += &film::section(recording, &film, table.action());
        notes = film.notes;
    }
    let summary = Summary::of(recording)?;
    page += &plots(recording)?;
    page += &tables::audit(&summary);
    page += &events::section(recording, &table);
    page += &scene(recording, &summary);
    let _ = write!(
        page,
        "</main>\n<footer><p>Made by carom {} from <code>{}</code>{}.</p></footer>\n<script>//<![CDATA[\n{SCRIPT}//]]></script>\n</body>\n</html>\n",
        escape(&manifest.carom),
        escape(&recording.shown.display().to_string()),
        tables::digest(&summary)
    );
    Ok(Page { html: page, notes })
}

fn plots(recording: &Recording) -> Result<String, DrawError> {
    let kinds: Vec<Plot> = fitting(recording);
    let mut text = "<section id=\"plots\">\n<h2>Plots</h2>\n".to_owned();
    if kinds.is_empty() {
        let _ = writeln!(
            text,
            "<p>There are none: {}.</p>",
            escape(&recording.no_frames())
        );
    }
    for figure in figures(recording, &kinds)? {
        let svg = figure.draw().to_svg(Look::Embedded, TextAs::Words);
        let _ = write!(text, "<figure>\n{svg}</figure>\n");
    }
    text += "</section>\n";
    Ok(text)
}

fn scene(recording: &Recording, summary: &Summary) -> String {
    let copy = &recording.folder.manifest().scene;
    let mut text = "<section id=\"scene\">\n<h2>Scene</h2>\n".to_owned();
    text += &tables::scene(recording, summary);
    let path = recording.folder.path().join(&copy.file);
    match std::fs::read_to_string(&path) {
        Ok(scene) => {
            let mut end = scene.len().min(LONGEST_SCENE);
            while !scene.is_char_boundary(end) {
                end -= 1;
            }
            let _ = write!(
                text,
                "<details open=\"open\">\n<summary>{}, as it was given</summary>\n<pre>{}</pre>\n</details>\n",
                escape(&copy.given),
                escape(&scene[..end])
            );
            if end < scene.len() {
                let _ = writeln!(
                    text,
                    "<p class=\"note\">The first {end} of {} bytes; all of it is in the run folder.</p>",
                    scene.len()
                );
            }
        }
        Err(error) => {
            let _ = writeln!(
                text,
                "<p>Its text cannot be read: {}.</p>",
                escape(&error.to_string())
            );
        }
    }
    text += "</section>\n";
    text
}
