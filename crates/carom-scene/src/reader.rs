//! Walking the tree: each value is asked for by its key, and everything that is wrong on the way is written down.
//!
//! A value that is wrong is reported where it is read and yields `None`; the reading goes on, so that all errors of a
//! file come at once. Keys that nobody asked for are unknown: a section's list of keys is the list of what was asked.

use crate::problem::{Kind, MOST_PROBLEMS, Problem};
use crate::quantity::Quantity;
use crate::render::shortened;
use crate::suggest::nearest;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text and what was found to be wrong with it so far.
pub(crate) struct Reader<'t> {
    text: &'t str,
    problems: RefCell<Vec<Problem>>,
    left_out: Cell<usize>,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Reader {
            text,
            problems: RefCell::default(),
            left_out: Cell::new(0),
        }
    }

    pub fn report(&self, problem: Problem) {
        if self.is_full() {
            self.left_out.set(self.left_out.get() + 1);
        } else {
            self.problems.borrow_mut().push(problem);
        }
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
        let text = self.text.get(span).unwrap_or("");
        let line = text.lines().next().unwrap_or("");
        let more = if line.len() < text.len() { " …" } else { "" };
        format!("{}{more}", shortened(line, 40))
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
    table: &'r DeTable<'t>,
    asked: RefCell<Vec<&'static str>>,
    missing: RefCell<Vec<(&'static str, String)>>,
}

/// A value, with the key that messages call it by.
pub(crate) struct Entry<'r, 't> {
    reader: &'r Reader<'t>,
    /// "`radius` of ball `cue`".
    pub title: String,
    value: &'r Spanned<DeValue<'t>>,
}

impl<'r, 't> Section<'r, 't> {
    pub fn new(
        reader: &'r Reader<'t>,
        title: String,
        table: &'r DeTable<'t>,
        span: Range<usize>,
    ) -> Self {
        Section {
            reader,
            title,
            span,
            table,
            asked: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// A value that may be left out.
    pub fn optional(&self, key: &'static str) -> Option<Entry<'r, 't>> {
        if !self.asked.borrow().contains(&key) {
            self.asked.borrow_mut().push(key);
        }
        self.table.get(key).map(|value| Entry {
            reader: self.reader,
            title: format!("`{key}` of {}", self.title),
            value,
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

    /// A key that makes sense elsewhere, but not here.
    pub fn refuse(&self, key: &str, why: &str, help: &str) {
        if let Some((name, _)) = self.table.get_key_value(key) {
            let message = format!("`{key}` is given for {}", self.title);
            self.reader
                .report(Problem::new(name.span(), message, why).help(help));
        }
    }

    /// Whether the key is there, without taking it for known.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The length of the first array of numbers under `key`, an array of tables.
    pub fn first_vector_length(&self, key: &str) -> Option<usize> {
        let DeValue::Array(tables) = self.table.get(key)?.get_ref() else {
            return None;
        };
        let mut values = tables.iter().filter_map(|item| match item.get_ref() {
            DeValue::Table(table) => table.get("position").or(table.get("point")),
            _ => None,
        });
        values.find_map(|value| match value.get_ref() {
            DeValue::Array(items) => Some(items.len()),
            _ => None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// All keys and values, where the keys are names that the file chooses.
    pub fn entries(
        &self,
    ) -> impl Iterator<Item = (&'r Spanned<toml::de::DeString<'t>>, Entry<'r, 't>)> {
        self.table.iter().map(|(key, value)| {
            let entry = Entry {
                reader: self.reader,
                title: format!("`{}` of {}", shortened(key.get_ref(), 40), self.title),
                value,
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
        for (key, _) in self.table.iter() {
            let name: &str = key.get_ref();
            if asked.contains(&name) || refused.contains(&name) {
                continue;
            }
            let free = asked
                .iter()
                .copied()
                .filter(|&other| !self.table.contains_key(other));
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
        self.value.span()
    }

    pub fn report(&self, problem: Problem) {
        self.reader.report(problem);
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
        let text = match self.value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            _ => "",
        };
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

    pub fn number(&self, quantity: Quantity) -> Option<f64> {
        let value = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
                .ok()
                .map(|integer| integer as f64),
            _ => None,
        };
        match value {
            Some(number) if quantity.allows(number) => Some(number),
            Some(number) if number.is_finite() && !quantity.is_in_size(number) => {
                let allowed = format!("{}, {}", quantity.allowed(), quantity.size());
                self.wrong(&allowed);
                None
            }
            _ => {
                self.wrong(&quantity.allowed());
                None
            }
        }
    }

    /// The value, where it is an integer; says nothing where it is not.
    pub fn as_integer(&self) -> Option<i64> {
        match self.value.get_ref() {
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        }
    }

    /// A whole number from 1 up.
    pub fn count(&self) -> Option<u64> {
        let count = match self.value.get_ref() {
            DeValue::Integer(integer) => {
                u64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        let count = count.filter(|&count| count > 0);
        if count.is_none() {
            self.wrong("a whole number, 1 or above");
        }
        count
    }

    pub fn flag(&self) -> Option<bool> {
        match self.value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                self.wrong("true or false");
                None
            }
        }
    }

    /// Text, where it is text; says nothing where it is not.
    pub fn as_text(&self) -> Option<&'r str> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text under a key, where it is a table that has one; says nothing where not.
    pub fn text_under(&self, key: &str) -> Option<(&'r str, Range<usize>)> {
        let DeValue::Table(table) = self.value.get_ref() else {
            return None;
        };
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some((text, value.span())),
            _ => None,
        }
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
        match self.value.get_ref() {
            DeValue::Array(items) => {
                let (reader, title) = (self.reader, self.title.clone());
                Some(items.iter().enumerate().map(move |(index, value)| Entry {
                    reader,
                    title: format!("element {} of {title}", index + 1),
                    value,
                }))
            }
            _ => None,
        }
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Table(_))
    }

    /// A table of keys and values.
    pub fn section(&self, title: String) -> Option<Section<'r, 't>> {
        match self.value.get_ref() {
            DeValue::Table(table) => {
                Some(Section::new(self.reader, title, table, self.value.span()))
            }
            _ => {
                self.wrong("a table of keys and values");
                None
            }
        }
    }
}
