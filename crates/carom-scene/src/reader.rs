//! Walking the tree: each value is asked for by its key, and everything that is wrong on the way is written down.
//!
//! A value that is wrong is reported where it is read and yields `None`; the reading goes on, so that all errors of a
//! file come at once. Keys that were not asked for are unknown: a section's list of keys is the list of what was asked.

mod numbers;

use crate::file::Files;
use crate::forms::{Form, What};
use crate::problem::{Kind, MOST_PROBLEMS, Problem, Sources};
use crate::render::shortened;
use crate::suggest::nearest;
use crate::tree::{Key, Node, Table, Value};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

/// The text and what was found to be wrong with it so far.
pub(crate) struct Reader<'t> {
    pub sources: &'t Sources,
    /// By name, in the order of the file; what is wrong with one is `None`.
    variables: RefCell<Vec<(String, Option<f64>)>>,
    problems: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<String>>,
    line_ends: OnceCell<Vec<usize>>,
    left_out: Cell<usize>,
    /// How many dimensions the scene has.
    pub dimension: Cell<usize>,
    files: Files,
}

impl<'t> Reader<'t> {
    /// With the other files that may be read.
    pub fn new(sources: &'t Sources, files: Files) -> Self {
        Reader {
            files,
            sources,
            variables: RefCell::default(),
            problems: RefCell::default(),
            warnings: RefCell::default(),
            line_ends: OnceCell::new(),
            left_out: Cell::new(0),
            dimension: Cell::new(2),
        }
    }

    pub fn files(&self) -> &Files {
        &self.files
    }

    pub fn report(&self, problem: Problem) {
        if self.is_full() {
            self.left_out.set(self.left_out.get() + 1);
        } else {
            self.problems.borrow_mut().push(problem);
        }
    }

    /// Keeps something that is worth saying of a scene that is good.
    pub fn warn(&self, span: Range<usize>, message: String) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() < MOST_PROBLEMS {
            let message = crate::render::printable(&message);
            let (source, text, _) = self.sources.at(span.start);
            warnings.push(if self.sources.is_set(span.start) {
                format!("{source} {text}: {message}")
            } else {
                format!("{source}, line {}: {message}", self.line(span.start))
            });
        }
    }

    /// The line of a place in the file, from 1.
    fn line(&self, at: usize) -> usize {
        let ends = self.line_ends.get_or_init(|| {
            let (_, text, _) = self.sources.at(0);
            text.match_indices('\n').map(|(end, _)| end).collect()
        });
        ends.partition_point(|&end| end < at) + 1
    }

    /// What is worth saying.
    pub fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// Whether further problems are only counted.
    pub fn is_full(&self) -> bool {
        self.problems.borrow().len() >= MOST_PROBLEMS
    }

    /// The problems found, and how many more there are.
    pub fn into_problems(self) -> (Vec<Problem>, usize) {
        (self.problems.into_inner(), self.left_out.get())
    }

    /// What the file says there.
    fn written(&self, span: Range<usize>) -> String {
        let text = self.sources.get(span).unwrap_or("");
        let line = text.lines().next().unwrap_or("");
        let more = if line.len() < text.len() { " …" } else { "" };
        format!("{}{more}", shortened(line, 40))
    }

    /// From now on `$name` has this value.
    pub fn define(&self, name: &str, value: Option<f64>) {
        self.variables.borrow_mut().push((name.to_owned(), value));
    }

    /// "did you mean …?", or what else there is to say.
    pub fn suggestion<'c>(
        &self,
        written: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        // Each suggestion costs a comparison with every candidate: none for problems that nobody will see.
        (!self.is_full())
            .then(|| nearest(written, candidates))
            .flatten()
    }
}

/// A table, with the name that messages call it by.
pub(crate) struct Section<'r, 't> {
    pub reader: &'r Reader<'t>,
    /// "ball `cue`", "material `ivory`".
    pub title: String,
    /// Where it begins: its header, for what is missing from it.
    pub span: Range<usize>,
    table: &'r Table,
    form: Cell<Option<&'static Form>>,
    asked: RefCell<Vec<&'static str>>,
    missing: RefCell<Vec<(&'static str, String)>>,
}

/// A value, with the key that messages call it by.
#[derive(Clone)]
pub(crate) struct Entry<'r, 't> {
    reader: &'r Reader<'t>,
    /// "`radius` of ball `cue`".
    pub title: String,
    value: &'r Node,
    /// What its key asks for, where that is written down.
    what: Option<&'static What>,
    /// Whether a number may have any unit.
    any_unit: bool,
}

impl<'r, 't> Section<'r, 't> {
    pub fn new(
        reader: &'r Reader<'t>,
        title: String,
        table: &'r Table,
        span: Range<usize>,
    ) -> Self {
        Section {
            reader,
            title,
            span,
            table,
            form: Cell::new(None),
            asked: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// The same, with the keys that it may have: they are what the schema says, and a test compares the two.
    pub fn of(self, form: &'static Form) -> Self {
        self.form.set(Some(form));
        self
    }

    /// Which keys it may have depends on what has been read of it.
    pub fn becomes(&self, form: &'static Form) {
        self.form.set(Some(form));
    }

    /// A value that may be left out.
    pub fn optional(&self, key: &'static str) -> Option<Entry<'r, 't>> {
        if !self.asked.borrow().contains(&key) {
            self.asked.borrow_mut().push(key);
        }
        #[cfg(test)]
        crate::forms::asked::note(self.form.get(), key);
        let form = self.form.get();
        self.table.get(key).map(|value| Entry {
            reader: self.reader,
            title: format!("`{key}` of {}", self.title),
            value,
            what: form.and_then(|form| form.key(key)).map(|key| &key.what),
            any_unit: false,
        })
    }

    /// A value that must be there; `what` says what it is.
    pub fn required(&self, key: &'static str, what: &str) -> Option<Entry<'r, 't>> {
        let entry = self.optional(key);
        if entry.is_none() {
            self.missing.borrow_mut().push((key, what.to_owned()));
        }
        entry
    }

    /// Where a value is written, if it is.
    pub fn value_span(&self, key: &str) -> Option<Range<usize>> {
        self.table.get(key).map(|node| node.span.clone())
    }

    /// A key that makes sense elsewhere, but not here.
    pub fn refuse(&self, key: &str, why: &str, help: &str) {
        if let Some((name, _)) = self.table.get_key_value(key) {
            let message = format!("`{key}` is given for {}", self.title);
            self.reader
                .report(Problem::new(name.span(), message, why).help(help));
        }
    }

    /// The first key, as it is written.
    pub fn first_key(&self) -> Option<&str> {
        let first = self.table.entries.first();
        first.map(|(key, _)| key.get_ref())
    }

    /// Whether there is a key that is none of these.
    pub fn has_other_than<'k>(&self, keys: impl Iterator<Item = &'k str> + Clone) -> bool {
        let mut there = self.table.entries.iter();
        there.any(|(key, _)| !keys.clone().any(|known| known == key.get_ref()))
    }

    /// Whether the key is there, without taking it for known.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The length of the first array of numbers under `key`, an array of tables.
    pub fn first_vector_length(&self, key: &str) -> Option<usize> {
        let Value::Array(tables) = &self.table.get(key)?.value else {
            return None;
        };
        let mut values = tables.iter().filter_map(|item| match &item.value {
            Value::Table(table) => table.get("position").or(table.get("point")),
            _ => None,
        });
        values.find_map(|value| match &value.value {
            Value::Array(items) => Some(items.len()),
            _ => None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.table.entries.is_empty()
    }

    /// All keys and values, where the keys are names that the file chooses.
    pub fn entries(&self) -> impl Iterator<Item = (&'r Key, Entry<'r, 't>)> {
        self.table.entries.iter().map(|(key, value)| {
            let entry = Entry {
                reader: self.reader,
                title: format!("`{}` of {}", shortened(key.get_ref(), 40), self.title),
                value,
                what: None,
                any_unit: false,
            };
            (key, entry)
        })
    }

    /// Reports what is missing alone, where it cannot be said which keys belong here.
    pub fn finish_missing(self) {
        self.report_missing(&self.missing.borrow());
    }

    fn report_missing(&self, missing: &[(&'static str, String)]) {
        for (key, what) in missing {
            let message = format!("{} has no `{key}`", self.title);
            let label = format!("needs `{key}`: {what}");
            self.reader
                .report(Problem::new(self.span.clone(), message, label).kind(Kind::Absence));
        }
    }

    /// Reports what is missing and what is not known. `refused` are keys that were reported already.
    pub fn finish(self, refused: &[&str]) {
        let asked = self.asked.take();
        let mut missing = self.missing.take();
        for (key, _) in &self.table.entries {
            let name = key.get_ref();
            if asked.contains(&name) || refused.contains(&name) {
                continue;
            }
            // What was set from outside may have been meant for a key that the file has.
            let set = self.reader.sources.is_set(key.span().start);
            let free = asked
                .iter()
                .copied()
                .filter(|&other| set || !self.table.contains_key(other));
            let meant = self.reader.suggestion(name, free);
            let label = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "not a key that is known here".to_owned(),
            };
            // A misspelt key is not missing as well.
            missing.retain(|(key, _)| Some(*key) != meant);
            let message = format!("unknown key `{}` in {}", shortened(name, 40), self.title);
            self.reader.report(
                Problem::new(key.span(), message, label)
                    .help(format!("the keys here are {}", asked.join(", "))),
            );
        }
        self.report_missing(&missing);
    }
}

impl<'r, 't> Entry<'r, 't> {
    pub fn span(&self) -> Range<usize> {
        self.value.span.clone()
    }

    /// The line that it begins in, from 1; 0 where it was set from outside.
    pub fn line(&self) -> usize {
        match self.span_in_file() {
            Some(span) => self.reader.line(span.start),
            None => 0,
        }
    }

    /// Says that something is allowed, but hardly meant.
    pub fn warn(&self, why: &str) {
        let written = self.reader.written(self.span());
        let message = format!("{} is {written}: {why}", self.title);
        self.reader.warn(self.span(), message);
    }

    /// The value under a key, where it is a table that has it; says nothing where not.
    pub fn under(&self, key: &'static str) -> Option<Entry<'r, 't>> {
        let Value::Table(table) = &self.value.value else {
            return None;
        };
        let form = match self.what {
            Some(What::Table(form) | What::Tables(form)) => Some(*form),
            _ => None,
        };
        Some(Entry {
            reader: self.reader,
            title: format!("`{key}` of {}", self.title),
            value: table.get(key)?,
            what: form.and_then(|form| form.key(key)).map(|key| &key.what),
            any_unit: false,
        })
    }

    /// Where it is written; `None` where it was set from outside.
    pub fn span_in_file(&self) -> Option<Range<usize>> {
        let span = self.span();
        (!self.reader.sources.is_set(span.start)).then_some(span)
    }

    pub fn report(&self, problem: Problem) {
        self.reader.report(problem);
    }

    /// Whether further problems are only counted.
    pub fn is_full(&self) -> bool {
        self.reader.is_full()
    }

    /// Reports the value as it is written, with what is allowed in its place.
    pub fn wrong(&self, allowed: &str) {
        self.reader.report(self.problem(allowed));
    }

    pub fn problem(&self, allowed: &str) -> Problem {
        let written = self.reader.written(self.span());
        Problem::new(
            self.span(),
            format!("{} is {written}", self.title),
            format!("must be {allowed}"),
        )
    }

    /// Reports a name that is none of those allowed.
    pub fn not_among<'c>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'c str> + Clone,
        kind: Kind,
    ) {
        const SHOWN: usize = 20;
        let text = self.as_text().unwrap_or("");
        let meant = self.reader.suggestion(text, names.clone());
        let label = match meant {
            Some(meant) => format!("did you mean \"{}\"?", shortened(meant, 40)),
            None => format!("not {what}"),
        };
        let mut list: Vec<String> = names
            .clone()
            .take(SHOWN)
            .map(|name| shortened(name, 40))
            .collect();
        if names.count() > SHOWN {
            list.push("…".to_owned());
        }
        let written = self.reader.written(self.span());
        self.reader.report(
            Problem::new(self.span(), format!("{} is {written}", self.title), label)
                .help(format!("{what} is one of {}", list.join(", ")))
                .kind(kind),
        );
    }

    /// Where a part of a text is written: exactly, unless there are escapes in it.
    fn within(&self, text: &str, part: &Range<usize>) -> Range<usize> {
        let span = self.span();
        let written = self.reader.sources.get(span.clone()).unwrap_or("");
        let quotes = written.len().saturating_sub(text.len()) / 2;
        if written.get(quotes..quotes + text.len()) == Some(text) {
            span.start + quotes + part.start..span.start + quotes + part.end
        } else {
            span
        }
    }

    /// The value, where it is an integer; says nothing where it is not.
    pub fn as_integer(&self) -> Option<i64> {
        match &self.value.value {
            Value::Number(number) => number.integer.and_then(|whole| whole.try_into().ok()),
            _ => None,
        }
    }

    pub fn flag(&self) -> Option<bool> {
        let flag = self.as_flag();
        if flag.is_none() {
            self.wrong("true or false");
        }
        flag
    }

    /// The value, where it is true or false; says nothing where it is not.
    pub fn as_flag(&self) -> Option<bool> {
        match self.value.value {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// Text, where it is text; says nothing where it is not.
    pub fn as_text(&self) -> Option<&'r str> {
        match &self.value.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text under a key, where it is a table that has one; says nothing where not.
    pub fn text_under(&self, key: &str) -> Option<(&'r str, Range<usize>)> {
        let Value::Table(table) = &self.value.value else {
            return None;
        };
        let value = table.get(key)?;
        match &value.value {
            Value::Text(text) => Some((text, value.span.clone())),
            _ => None,
        }
    }

    /// The texts of the array under a key, where it is a table that has one; says nothing where not.
    pub fn texts_under(&self, key: &str) -> Vec<&'r str> {
        let Value::Table(table) = &self.value.value else {
            return Vec::new();
        };
        let Some(Value::Array(items)) = table.get(key).map(|node| &node.value) else {
            return Vec::new();
        };
        let texts = items.iter().filter_map(|item| match &item.value {
            Value::Text(text) => Some(&**text),
            _ => None,
        });
        texts.collect()
    }

    /// Text in quotes.
    pub fn text(&self, what: &str) -> Option<&'r str> {
        let text = self.as_text();
        if text.is_none() {
            self.wrong(&format!("{what}, in quotes"));
        }
        text
    }

    /// A name or a title: one line that can be printed.
    pub fn label(&self) -> Option<&'r str> {
        const LONGEST: usize = 100;
        let allowed = "text of 1 to 100 characters on one line, in quotes";
        let text = self.text("text of 1 to 100 characters on one line")?;
        let fits = !text.trim().is_empty()
            && text.chars().count() <= LONGEST
            && crate::render::printable(text) == text;
        if !fits {
            self.wrong(allowed);
        }
        fits.then_some(text)
    }

    /// The elements, where it is an array.
    pub fn as_items(&self) -> Option<impl ExactSizeIterator<Item = Entry<'r, 't>> + use<'r, 't>> {
        match &self.value.value {
            Value::Array(items) => {
                let (reader, title) = (self.reader, self.title.clone());
                let what = self.what.filter(|what| matches!(what, What::Tables(_)));
                let any_unit = self.any_unit;
                Some(items.iter().enumerate().map(move |(index, value)| Entry {
                    reader,
                    title: format!("element {} of {title}", index + 1),
                    value,
                    what,
                    any_unit,
                }))
            }
            _ => None,
        }
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value.value, Value::Table(_))
    }

    /// A table of keys and values.
    pub fn section(&self, title: String) -> Option<Section<'r, 't>> {
        match &self.value.value {
            Value::Table(table) => {
                let section = Section::new(self.reader, title, table, self.span());
                match self.what {
                    Some(What::Table(form) | What::Tables(form)) => Some(section.of(form)),
                    _ => Some(section),
                }
            }
            _ => {
                self.wrong("a table of keys and values");
                None
            }
        }
    }
}
