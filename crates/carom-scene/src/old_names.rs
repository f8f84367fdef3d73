//! Keys and words of scene files that had other names: the old ones are still read, and a note says the new one.
//!
//! Which key had which name is written in the one list of keys ([`forms`](crate::forms)). The tree is brought to the
//! new names before it is read, so that nothing else knows of the old ones.

use crate::forms::{Form, Key, SCENE, What};
use crate::problem::{MOST_PROBLEMS, Problem, Sources};
use crate::render::locate;
use crate::tree::{Key as Name, Node, Table, Value};
use std::collections::BTreeMap;
use std::ops::Range;

/// What was found under old names.
#[derive(Default)]
pub(crate) struct Found {
    /// By old and new name: where it is first, and how often.
    names: BTreeMap<(&'static str, &'static str), (Range<usize>, usize)>,
    /// Both names at once.
    pub problems: Vec<Problem>,
    /// By the forms of a table: the keys that matter here. Each is looked up once, as there may be a million tables.
    known: Vec<(Vec<&'static Form>, Keys)>,
}

type Keys = BTreeMap<&'static str, &'static Key>;

impl Found {
    /// Brings a whole file to the new names.
    pub fn in_file(&mut self, table: &mut Table) {
        self.table(table, &[&SCENE]);
    }

    fn note(&mut self, old: &'static str, new: &'static str, span: Range<usize>) {
        let (_, times) = self.names.entry((old, new)).or_insert((span, 0));
        *times += 1;
    }

    /// One sentence for each old name, in the order of the file.
    pub fn notes(&self, sources: &Sources) -> Vec<String> {
        let mut found: Vec<_> = self.names.iter().collect();
        found.sort_by_key(|(_, (span, _))| span.start);
        let note = |(&(old, new), (span, times)): (&(&str, &str), &(Range<usize>, usize))| {
            let (source, text, at) = sources.at(span.start);
            let line = locate(text, at).line;
            let place = if sources.is_set(span.start) {
                format!("{source} {text}")
            } else {
                format!("{source}, line {line}")
            };
            let more = match times - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{place}{more}: `{old}` is now called `{new}`; the old name is still read")
        };
        found.into_iter().map(note).collect()
    }

    fn table(&mut self, table: &mut Table, forms: &[&'static Form]) {
        let keys = self.keys(forms);
        let mut index = 0;
        while index < table.entries.len() {
            let (name, node) = &mut table.entries[index];
            let Some(&key) = self.known[keys].1.get(name.get_ref()) else {
                index += 1;
                continue;
            };
            if name.get_ref() != key.name {
                let (old, span) = (key.was.unwrap_or_default(), name.span());
                if let Some((other, _)) = table.get_key_value(key.name) {
                    self.twice(old, key.name, span, other.span());
                    table.entries.remove(index);
                    continue;
                }
                let (name, _) = &mut table.entries[index];
                *name = Name::new(key.name, span.clone());
                self.note(old, key.name, span);
            } else {
                self.value(node, key);
                index += 1;
            }
        }
    }

    fn twice(&mut self, old: &str, new: &str, at: Range<usize>, other: Range<usize>) {
        if self.problems.len() < MOST_PROBLEMS {
            let message = format!("`{old}` and `{new}` are the same key, and both are given");
            let problem = Problem::new(at, message, format!("the old name of `{new}`"));
            let problem = problem.related(other, "given here as well");
            self.problems.push(problem.help("leave one of them out"));
        }
    }

    /// The words of a key, and the tables below it.
    pub fn value(&mut self, node: &mut Node, key: &'static Key) {
        if let Value::Text(text) = &node.value {
            let renamed = key.words.iter().find(|(old, _)| *old == &**text);
            if let Some((old, new)) = renamed {
                node.value = Value::Text((*new).into());
                self.note(old, new, node.span.clone());
            }
        }
        self.within(node, &key.what);
    }

    fn within(&mut self, node: &mut Node, what: &'static What) {
        match (what, &mut node.value) {
            (What::Table(form), Value::Table(table)) => self.table(table, &[form]),
            (What::OneOf(forms) | What::Template(forms), Value::Table(table)) => {
                self.table(table, forms)
            }
            (What::Tables(form), Value::Array(items)) => self.tables(items, &[form]),
            (What::AllOneOf(forms), Value::Array(items)) => self.tables(items, forms),
            (What::Named(what), Value::Table(table)) => {
                let values = table.entries.iter_mut().map(|(_, node)| node);
                values.for_each(|node| self.within(node, what));
            }
            (What::Either(kinds), _) => kinds.iter().for_each(|kind| self.within(node, kind)),
            _ => {}
        }
    }

    fn tables(&mut self, items: &mut [Node], forms: &[&'static Form]) {
        for item in items {
            if let Value::Table(table) = &mut item.value {
                self.table(table, forms);
            }
        }
    }

    /// The place among the known ones of the keys that matter in a table of one of these forms.
    fn keys(&mut self, forms: &[&'static Form]) -> usize {
        let same = |known: &[&'static Form]| {
            known.len() == forms.len() && known.iter().zip(forms).all(|(a, b)| std::ptr::eq(*a, *b))
        };
        if let Some(index) = self.known.iter().position(|(known, _)| same(known)) {
            return index;
        }
        let mut keys = Keys::new();
        for key in forms.iter().flat_map(|form| form.all_keys()) {
            if key.was.is_some() || !key.words.is_empty() || has_tables(&key.what) {
                keys.insert(key.name, key);
                keys.extend(key.was.map(|old| (old, key)));
            }
        }
        self.known.push((forms.to_vec(), keys));
        self.known.len() - 1
    }
}

fn has_tables(what: &What) -> bool {
    match what {
        What::Table(_) | What::Tables(_) => true,
        What::OneOf(_) | What::Template(_) | What::AllOneOf(_) => true,
        What::Named(what) => has_tables(what),
        What::Either(kinds) => kinds.iter().any(has_tables),
        _ => false,
    }
}

/// A place in the list of keys that a dotted path leads through.
#[derive(Default)]
pub(crate) struct Trail {
    /// It is a table of one of these forms,
    forms: Vec<&'static Form>,
    /// or an array of tables of one of these,
    items: Vec<&'static Form>,
    /// or a table whose keys are chosen by the file.
    named: Vec<&'static What>,
    /// The keys that led here, where the last part was a key.
    pub keys: Vec<&'static Key>,
}

impl Trail {
    pub fn start() -> Self {
        Trail {
            forms: vec![&SCENE],
            ..Trail::default()
        }
    }

    fn add(&mut self, what: &'static What) {
        match what {
            What::Table(form) => self.forms.push(form),
            What::OneOf(forms) | What::Template(forms) => self.forms.extend(*forms),
            What::Tables(form) => self.items.push(form),
            What::AllOneOf(forms) => self.items.extend(*forms),
            What::Named(what) => self.named.push(what),
            What::Either(kinds) => kinds.iter().for_each(|kind| self.add(kind)),
            _ => {}
        }
    }

    /// One part further, whose new name is the answer.
    pub fn step(
        &mut self,
        part: &str,
        span: Range<usize>,
        found: &mut Found,
    ) -> Option<&'static str> {
        let keys = self.forms.iter().flat_map(|form| form.all_keys());
        let keys: Vec<&'static Key> = keys
            .filter(|key| key.name == part || key.was == Some(part))
            .collect();
        let mut next = Trail::default();
        if let Some(first) = keys.first() {
            keys.iter().for_each(|key| next.add(&key.what));
            next.keys = keys.clone();
            let renamed = (first.name != part).then_some(first.name);
            if let (Some(new), Some(old)) = (renamed, first.was) {
                found.note(old, new, span);
            }
            *self = next;
            return renamed;
        }
        next.forms.append(&mut self.items);
        self.named.iter().for_each(|what| next.add(what));
        *self = next;
        None
    }
}

#[cfg(test)]
#[path = "old_names/tests.rs"]
mod tests;
