//! A table in memory: named columns of equal length.

use std::borrow::Cow;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Floats, NaN where there is none.
    Number,
    /// Words of a small vocabulary, or names.
    Text,
}

/// A column: its name, what it holds, and in which unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Such as `impulse_x`.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: Kind,
    /// Such as `kg·m/s`; empty where there is none.
    pub unit: &'static str,
    /// Whether few values come up again and again, so that they are stored once and numbered.
    pub repeats: bool,
}

impl Column {
    /// A column of whole numbers.
    pub fn integer(name: &'static str) -> Self {
        Column::new(name, Kind::Integer, "")
    }

    /// A column of floats.
    pub fn number(name: impl Into<Cow<'static, str>>, unit: &'static str) -> Self {
        Column::new(name, Kind::Number, unit)
    }

    /// A column of words.
    pub fn text(name: &'static str) -> Self {
        Column::new(name, Kind::Text, "")
    }

    /// The same column, of values that come up again and again.
    pub fn repeating(self) -> Self {
        Column {
            repeats: true,
            ..self
        }
    }

    fn new(name: impl Into<Cow<'static, str>>, kind: Kind, unit: &'static str) -> Self {
        Column {
            name: name.into(),
            kind,
            unit,
            repeats: kind == Kind::Text,
        }
    }
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Floats.
    Numbers(Vec<f64>),
    /// Words.
    Texts(Vec<Cow<'static, str>>),
}

impl Values {
    /// None yet.
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Integer => Values::Integers(Vec::new()),
            Kind::Number => Values::Numbers(Vec::new()),
            Kind::Text => Values::Texts(Vec::new()),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Integers(values) => values.len(),
            Values::Numbers(values) => values.len(),
            Values::Texts(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first so many stay.
    pub fn truncate(&mut self, length: usize) {
        match self {
            Values::Integers(values) => values.truncate(length),
            Values::Numbers(values) => values.truncate(length),
            Values::Texts(values) => values.truncate(length),
        }
    }

    /// As floats; empty where they are something else.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Values::Numbers(values) => values,
            _ => &[],
        }
    }

    /// As whole numbers; empty where they are something else.
    pub fn integers(&self) -> &[i64] {
        match self {
            Values::Integers(values) => values,
            _ => &[],
        }
    }

    /// As words; empty where they are something else.
    pub fn texts(&self) -> &[Cow<'static, str>] {
        match self {
            Values::Texts(values) => values,
            _ => &[],
        }
    }
}

/// Rows that are still to be written, or have been read; kept by columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// In the order of the table's columns.
    pub values: Vec<Values>,
}

impl Rows {
    /// None yet.
    pub fn new(columns: &[Column]) -> Self {
        Rows {
            values: columns
                .iter()
                .map(|column| Values::new(column.kind))
                .collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.first().map_or(0, Values::len)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first so many stay.
    pub fn truncate(&mut self, length: usize) {
        self.values
            .iter_mut()
            .for_each(|values| values.truncate(length));
    }

    /// Adds some rows of another table with the same columns.
    pub fn extend(&mut self, other: &Rows, range: std::ops::Range<usize>) {
        for (values, more) in self.values.iter_mut().zip(&other.values) {
            match (values, more) {
                (Values::Integers(values), Values::Integers(more)) => {
                    values.extend_from_slice(&more[range.clone()]);
                }
                (Values::Numbers(values), Values::Numbers(more)) => {
                    values.extend_from_slice(&more[range.clone()]);
                }
                (Values::Texts(values), Values::Texts(more)) => {
                    values.extend_from_slice(&more[range.clone()]);
                }
                _ => debug_assert!(false, "the columns are not the same"),
            }
        }
    }

    /// Begins a row; its values follow in the order of the columns.
    pub fn row(&mut self) -> Row<'_> {
        Row {
            values: self.values.iter_mut(),
        }
    }
}

/// A row that is being filled, column by column.
#[derive(Debug)]
pub struct Row<'r> {
    values: std::slice::IterMut<'r, Values>,
}

impl Row<'_> {
    /// The next value, a whole number.
    pub fn integer(&mut self, value: i64) -> &mut Self {
        match self.values.next() {
            Some(Values::Integers(values)) => values.push(value),
            _ => debug_assert!(false, "the next column holds no whole numbers"),
        }
        self
    }

    /// The next value, a float.
    pub fn number(&mut self, value: f64) -> &mut Self {
        match self.values.next() {
            Some(Values::Numbers(values)) => values.push(value),
            _ => debug_assert!(false, "the next column holds no floats"),
        }
        self
    }

    /// The next values, floats.
    pub fn numbers(&mut self, values: &[f64]) -> &mut Self {
        for &value in values {
            self.number(value);
        }
        self
    }

    /// The next value, a word.
    pub fn text(&mut self, value: impl Into<Cow<'static, str>>) -> &mut Self {
        match self.values.next() {
            Some(Values::Texts(values)) => values.push(value.into()),
            _ => debug_assert!(false, "the next column holds no words"),
        }
        self
    }
}
