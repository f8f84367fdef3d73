//! A scene file as a tree whose values know their place: what the two front ends, TOML and JSON, make of a text.

use std::ops::Range;

/// A value and where it is written, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

/// What is written.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(Box<str>),
    Number(Number),
    Flag(bool),
    Array(Vec<Node>),
    Table(Table),
    /// What no key of a scene asks for: a date, `null`.
    Other,
}

/// A number: as a float, and as an integer where it is written as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub float: Option<f64>,
    pub integer: Option<i128>,
}

/// A key and where it is written, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    name: Box<str>,
    span: Range<usize>,
}

impl Key {
    pub fn new(name: impl Into<Box<str>>, span: Range<usize>) -> Self {
        Key {
            name: name.into(),
            span,
        }
    }

    pub fn get_ref(&self) -> &str {
        &self.name
    }

    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// Keys and values in the order of the file. Few keys are ever asked for, so that they are looked up one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub entries: Vec<(Key, Node)>,
}

impl Table {
    pub fn position(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|(name, _)| &*name.name == key)
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.position(key).map(|index| &self.entries[index].1)
    }

    pub fn get_key_value(&self, key: &str) -> Option<&(Key, Node)> {
        self.position(key).map(|index| &self.entries[index])
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Puts a value under a key, instead of the one that is there.
    pub fn set(&mut self, key: Key, node: Node) {
        match self.position(&key.name) {
            Some(index) => self.entries[index] = (key, node),
            None => self.entries.push((key, node)),
        }
    }
}
