//! From text to a tree whose values know their place, with what is not TOML.

use crate::problem::{Kind, Problem};
use crate::render::{locate, shortened};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text as a tree.
pub(crate) struct Tree<'t> {
    pub table: DeTable<'t>,
    /// What is not TOML. Where this is not empty the tree is what could be made of the text.
    pub problems: Vec<Problem>,
    /// Whether the tree can be trusted beyond the lines of the problems: not where a bracket or quote is left open,
    /// which swallows what follows.
    pub local: bool,
}

/// Above this size only the first error is looked for: an error for each byte would fill the memory.
const RECOVERABLE: usize = 1 << 20;

pub(crate) fn parse(text: &str) -> Tree<'_> {
    if text.len() > RECOVERABLE {
        return match DeTable::parse(text) {
            Ok(table) => sound(table),
            Err(error) => Tree {
                table: DeTable::new(),
                problems: vec![problem(text, &error)],
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
    let mut problems: Vec<Problem> = errors
        .iter()
        .map(|error| problem(text, error))
        .filter(|problem| {
            // What follows an open bracket is read as if it were inside: errors there are no news.
            let start = problem.span.as_ref().map_or(0, |span| span.start);
            open.as_ref().is_none_or(|bracket| start < bracket.start)
        })
        .chain(open.as_ref().map(|bracket| left_open(text, bracket)))
        .collect();
    problems.sort_by_key(|problem| problem.span.as_ref().map(|span| span.start));
    // One for each line: the parser tries again after an error and mostly fails again at once.
    problems.dedup_by_key(|problem| {
        let start = problem.span.as_ref().map_or(0, |span| span.start);
        locate(text, start).line
    });
    Tree {
        table: table.into_inner(),
        problems,
        local,
    }
}

fn sound(table: Spanned<DeTable<'_>>) -> Tree<'_> {
    Tree {
        table: table.into_inner(),
        problems: Vec::new(),
        local: true,
    }
}

fn problem(text: &str, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let (what, expected) = match error.message().split_once(", expected ") {
        Some((what, "nothing")) => (what, None),
        Some((what, expected)) => (what, Some(format!("expected {expected}"))),
        None => (error.message(), None),
    };
    let written = text.get(span.clone()).unwrap_or("");
    let label = match (what, expected) {
        ("duplicate key", _) => format!("`{}` is given a second time", shortened(written, 40)),
        (_, Some(expected)) => expected,
        (_, None) => "here".to_owned(),
    };
    Problem::new(span, format!("not valid TOML: {what}"), label).kind(Kind::Syntax)
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
