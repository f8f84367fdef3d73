//! What is wrong with a scene file, and where.

use crate::render::printable;
use std::ops::Range;

/// One thing that is wrong with a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence that names the key and its value.
    pub message: String,
    /// Where in the file, in bytes; `None` where the file as a whole is meant.
    pub span: Option<Range<usize>>,
    /// What is said beside the caret: what is allowed there.
    pub label: String,
    /// How it could be put right.
    pub help: Option<String>,
    /// Another place that has to do with it, and what is to be said about that place.
    pub related: Option<(Range<usize>, String)>,
    /// How it was found.
    pub(crate) kind: Kind,
}

/// How a problem was found. It decides what is still worth saying where the file is not even TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The file cannot be read, or is not TOML.
    Syntax,
    /// Something that is written is not allowed.
    Value,
    /// Something that should be written is not there, or is not there as far as could be read.
    Absence,
}

impl Problem {
    pub(crate) fn new(span: Range<usize>, message: String, label: impl Into<String>) -> Self {
        Problem {
            message,
            span: Some(span),
            label: label.into(),
            help: None,
            related: None,
            kind: Kind::Value,
        }
    }

    /// About the file as a whole.
    pub(crate) fn of_file(message: String) -> Self {
        Problem {
            message,
            span: None,
            label: String::new(),
            help: None,
            related: None,
            kind: Kind::Syntax,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// Names from the file may have come into any of its texts, with whatever a terminal takes for a command.
    fn make_printable(&mut self) {
        let texts = [&mut self.message, &mut self.label].into_iter();
        let related = self.related.iter_mut().map(|(_, label)| label);
        for text in texts.chain(&mut self.help).chain(related) {
            *text = printable(text);
        }
    }

    pub(crate) fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }
}

/// The text of the scene file and, behind it, those of the values that were set from outside. A place is a byte of them
/// all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    file: String,
    text: String,
    /// Where each begins, and what it says: `run.until=3`.
    set: Vec<(usize, String)>,
    end: usize,
}

impl Sources {
    pub fn new(file: &str, text: &str) -> Self {
        Sources {
            file: file.to_owned(),
            text: text.to_owned(),
            set: Vec::new(),
            end: text.len() + 1,
        }
    }

    /// Adds what was set from outside; answers where it begins.
    pub fn add(&mut self, text: String) -> usize {
        let start = self.end;
        self.end += text.len() + 1;
        self.set.push((start, text));
        start
    }

    /// Whether a place is not in the file.
    pub fn is_set(&self, byte: usize) -> bool {
        byte > self.text.len()
    }

    /// What a place is called, the whole text that it is in, and where in that.
    pub fn at(&self, byte: usize) -> (&str, &str, usize) {
        if !self.is_set(byte) {
            return (&self.file, &self.text, byte);
        }
        let behind = self.set.partition_point(|(start, _)| *start <= byte);
        match self.set.get(behind.wrapping_sub(1)) {
            Some((start, text)) => ("--set", text, byte - start),
            None => (&self.file, &self.text, byte),
        }
    }

    /// What is written there.
    pub fn get(&self, span: Range<usize>) -> Option<&str> {
        let (_, text, start) = self.at(span.start);
        text.get(start..start + span.end.checked_sub(span.start)?)
    }
}

/// Everything that is wrong with a scene file, in the order of the file.
///
/// Displayed as plain text with a caret under each value; [`SceneErrors::render`] can add colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrors {
    pub(crate) sources: Sources,
    pub(crate) problems: Vec<Problem>,
    pub(crate) left_out: usize,
}

/// As many problems as are kept. A file with more of them is not read to the end by anyone.
pub(crate) const MOST_PROBLEMS: usize = 100;

impl SceneErrors {
    /// Sorts the problems by place and keeps the first ones.
    pub(crate) fn new(file: &str, text: &str, problems: Vec<Problem>, more: usize) -> Self {
        Self::in_sources(Sources::new(file, text), problems, more)
    }

    pub(crate) fn in_sources(sources: Sources, mut problems: Vec<Problem>, more: usize) -> Self {
        problems.sort_by_key(|problem| problem.span.as_ref().map(|span| (span.start, span.end)));
        let left_out = more + problems.len().saturating_sub(MOST_PROBLEMS);
        problems.truncate(MOST_PROBLEMS);
        problems.iter_mut().for_each(Problem::make_printable);
        SceneErrors {
            sources,
            problems,
            left_out,
        }
    }

    /// The file's name, as it was given.
    pub fn file(&self) -> &str {
        &self.sources.file
    }

    /// The problems, in the order of the file; at most 100 of them.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many further problems there are beyond those kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Line and column of a problem, both counted from 1, the column in characters; of a value that was set from
    /// outside, those in `KEY=VALUE`.
    pub fn position(&self, problem: &Problem) -> Option<(usize, usize)> {
        let start = problem.span.as_ref()?.start;
        let (_, text, at) = self.sources.at(start);
        let place = crate::render::locate(text, at);
        Some((place.line, place.column))
    }
}

impl std::error::Error for SceneErrors {}
