//! The TOML front end: a text as a tree whose values know their place, with what is not TOML.

use crate::problem::{Kind, MOST_PROBLEMS, Problem};
use crate::render::shortened;
use crate::tree::{Key, Node, Number, Table, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text as a tree.
pub(crate) struct Tree {
    pub table: Table,
    /// What is not TOML or JSON. Where this is not empty the tree is what could be made of the text.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub left_out: usize,
    /// Whether the tree can be trusted beyond the lines of the problems: not where a bracket or quote is left open,
    /// which swallows what follows.
    pub local: bool,
}

/// Above this size only the first error is looked for: an error for each byte would fill the memory.
const RECOVERABLE: usize = 1 << 20;

pub(crate) fn parse(text: &str) -> Tree {
    if text.len() > RECOVERABLE {
        return match DeTable::parse(text) {
            Ok(table) => sound(table),
            Err(error) => Tree {
                table: Table::default(),
                problems: vec![problem(text, &error)],
                left_out: 0,
                local: false,
            },
        };
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return sound(table);
    }
    let open = errors
        .iter()
        .filter(|error| error.message().starts_with("unclosed"))
        .take(MOST_PROBLEMS)
        .filter_map(|error| opening(table.get_ref(), error.span()?.start))
        .min_by_key(|bracket| bracket.start);
    let swallows = |error: &toml::de::Error| {
        [
            "unclosed",
            "invalid basic",
            "invalid literal",
            "invalid multi",
        ]
        .iter()
        .any(|start| error.message().starts_with(start))
    };
    let local = open.is_none() && !errors.iter().any(swallows);
    // What follows an open bracket is read as if it were inside: errors there are no news.
    let first_open = open.as_ref().map_or(text.len() + 1, |open| open.start);
    let mut errors: Vec<_> = errors
        .iter()
        .filter(|error| start(error) < first_open)
        .collect();
    errors.sort_by_key(|error| start(error));
    let errors = first_of_each_line(text, &errors);
    let mut problems: Vec<Problem> = errors
        .iter()
        .take(MOST_PROBLEMS)
        .map(|error| problem(text, error))
        .collect();
    problems.extend(open.as_ref().map(|open| left_open(text, open)));
    Tree {
        table: tree(table.into_inner(), 0),
        problems,
        left_out: errors.len().saturating_sub(MOST_PROBLEMS),
        local: local && errors.len() <= MOST_PROBLEMS,
    }
}

fn start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// The parser tries again after an error and mostly fails again at once, on the same line. `errors` are in order.
fn first_of_each_line<'e>(text: &str, errors: &[&'e toml::de::Error]) -> Vec<&'e toml::de::Error> {
    let mut before: Option<usize> = None;
    let is_first = |error: &&'e toml::de::Error| {
        let here = start(error).min(text.len());
        let between = before
            .replace(here)
            .map(|before| &text.as_bytes()[before..here]);
        between.is_none_or(|between| between.contains(&b'\n'))
    };
    errors.iter().copied().filter(is_first).collect()
}

fn sound(table: Spanned<DeTable<'_>>) -> Tree {
    Tree {
        table: tree(table.into_inner(), 0),
        problems: Vec::new(),
        left_out: 0,
        local: true,
    }
}

/// A value on its own, which stands at `offset` of some larger text.
pub(crate) fn parse_value(text: &str, offset: usize) -> Result<Node, Box<Problem>> {
    match DeValue::parse(text) {
        Ok(value) => Ok(node(value, offset)),
        Err(error) => {
            let mut problem = problem(text, &error);
            problem.span = problem
                .span
                .map(|span| offset + span.start..offset + span.end);
            Err(Box::new(problem))
        }
    }
}

// The parser nests at most 80 levels deep, and so does this.
fn tree(table: DeTable<'_>, offset: usize) -> Table {
    let entries = table.into_iter().map(|(key, value)| {
        let span = shifted(key.span(), offset);
        let key = Key::new(key.into_inner().into_owned(), span);
        (key, node(value, offset))
    });
    Table {
        entries: entries.collect(),
    }
}

fn node(value: Spanned<DeValue<'_>>, offset: usize) -> Node {
    let span = shifted(value.span(), offset);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned().into()),
        DeValue::Float(float) => Value::Number(Number {
            float: float.as_str().parse().ok(),
            integer: None,
        }),
        DeValue::Integer(integer) => {
            let whole = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
            Value::Number(Number {
                float: match integer.radix() {
                    10 => integer.as_str().parse().ok(),
                    _ => whole.map(|whole| whole as f64),
                },
                integer: whole,
            })
        }
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Array(items) => {
            Value::Array(items.into_iter().map(|item| node(item, offset)).collect())
        }
        DeValue::Table(table) => Value::Table(tree(table, offset)),
        DeValue::Datetime(_) => Value::Other,
    };
    Node { value, span }
}

fn shifted(span: Range<usize>, offset: usize) -> Range<usize> {
    span.start + offset..span.end + offset
}

fn problem(text: &str, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or_else(|| most_dotted(text));
    let (what, expected) = match error.message().split_once(", expected ") {
        Some((what, "nothing")) => (what, None),
        Some((what, expected)) => (what, Some(format!("expected {expected}"))),
        None => (error.message(), None),
    };
    let written = shortened(text.get(span.clone()).unwrap_or(""), 40);
    let (what, label) = match (what, expected) {
        ("duplicate key", _) => (what, format!("`{written}` is given a second time")),
        ("string values must be quoted", _) => (
            "this is neither a number nor text in quotes",
            format!("text is written \"{written}\""),
        ),
        (what, _) if what.contains("recurs") => {
            ("nested too deeply", "at most 80 levels are read".to_owned())
        }
        (what, Some(expected)) => (what, expected),
        (what, None) => (what, "here".to_owned()),
    };
    Problem::new(span, format!("not valid TOML: {what}"), label).kind(Kind::Syntax)
}

/// The only error that comes without its place is a dotted key with too many parts: it is where the most dots are.
fn most_dotted(text: &str) -> Range<usize> {
    let dots = |line: &str| line.bytes().filter(|&byte| byte == b'.').count();
    let mut start = 0;
    let mut most = (0, 0..0);
    for line in text.split_inclusive('\n') {
        if dots(line) > most.0 {
            most = (dots(line), start..start + 1);
        }
        start += line.len();
    }
    most.1
}

fn left_open(text: &str, bracket: &Range<usize>) -> Problem {
    let what = match text.as_bytes().get(bracket.start) {
        Some(b'{') => "table",
        _ => "array",
    };
    Problem::new(
        bracket.start..bracket.start + 1,
        format!("not valid TOML: the {what} that begins here is never closed"),
        "opened here",
    )
    .kind(Kind::Syntax)
}

/// The outermost array or inline table that was left open until `end`.
fn opening(table: &DeTable<'_>, end: usize) -> Option<Range<usize>> {
    table.iter().find_map(|(_, value)| open_value(value, end))
}

fn open_value(value: &Spanned<DeValue<'_>>, end: usize) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::Array(items) => {
            // The span of an array of tables is that of its first header.
            if value.span().end >= end && !items.iter().any(|item| item.span() == value.span()) {
                return Some(value.span());
            }
            items.iter().find_map(|item| open_value(item, end))
        }
        DeValue::Table(table) => {
            if value.span().end >= end {
                return Some(value.span());
            }
            opening(table, end)
        }
        _ => None,
    }
}
