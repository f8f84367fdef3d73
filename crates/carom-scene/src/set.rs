//! Values that are set from outside: `run.until=3`, `bodies.cue.velocity=[1, 0]`.
//!
//! They are put into the tree before it is read, so that everything that holds for a value in the file holds for them;
//! what is wrong is shown where it was written.

use crate::forms::{self, What};
use crate::old_names::{Found, Trail};
use crate::problem::{Kind, Problem, Sources};
use crate::render::shortened;
use crate::suggest::nearest;
use crate::syntax;
use crate::tree::{Key, Node, Table, Value};
use std::ops::Range;

/// Puts the values into the tree, in their order; answers what names nothing, or is no value.
pub(crate) fn apply(
    tree: &mut Table,
    overrides: &[(String, String)],
    sources: &mut Sources,
    old: &mut Found,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, value) in overrides {
        let start = sources.add(format!("{path}={value}"));
        if let Err(problem) = one(tree, path, value, start, old) {
            problems.push(*problem);
        }
    }
    problems
}

/// A part of a path: what it says and where.
struct Part {
    name: String,
    span: Range<usize>,
}

type Outcome<T> = Result<T, Box<Problem>>;

fn one(tree: &mut Table, path: &str, value: &str, start: usize, old: &mut Found) -> Outcome<()> {
    let mut parts = split(path, start)?;
    let mut node = read_value(value, start + path.len() + 1)?;
    let mut trail = Trail::start();
    for part in &mut parts {
        if let Some(new) = trail.step(&part.name, part.span.clone(), old) {
            part.name = new.to_owned();
        }
    }
    for key in &trail.keys {
        old.value(&mut node, key);
    }
    let Some((last, before)) = parts.split_last() else {
        return Err(problem(start..start, "nothing is named", "expected a key"));
    };
    let mut here = Place::Table(tree);
    let mut names: Vec<&str> = Vec::new();
    for part in before {
        here = here.step(part, &names)?;
        names.push(&part.name);
    }
    here.put(last, node, &names)
}

/// The parts between dots; one in double quotes may have dots in it.
fn split(path: &str, start: usize) -> Outcome<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        let rest = &path[at..];
        let (name, length) = match rest.strip_prefix('"') {
            Some(quoted) => match quoted.find('"') {
                Some(end) => (&quoted[..end], end + 2),
                None => {
                    let span = start + at..start + path.len();
                    return Err(problem(span, "a quote is left open", "closed by \""));
                }
            },
            None => {
                let end = rest.find('.').unwrap_or(rest.len());
                (rest[..end].trim(), end)
            }
        };
        let span = start + at..start + at + length;
        if name.is_empty() {
            return Err(problem(
                span,
                "a part of the key is empty",
                "expected a name or a number",
            ));
        }
        parts.push(Part {
            name: name.to_owned(),
            span,
        });
        at += length;
        match path.as_bytes().get(at) {
            Some(b'.') => at += 1,
            Some(_) => {
                let span = start + at..start + path.len();
                return Err(problem(span, "something follows the quote", "expected `.`"));
            }
            None => return Ok(parts),
        }
    }
}

/// A value as TOML writes it; a word or a formula needs no quotes.
fn read_value(text: &str, offset: usize) -> Outcome<Node> {
    let trimmed = text.trim_start();
    let offset = offset + text.len() - trimmed.len();
    let trimmed = trimmed.trim_end();
    match syntax::parse_value(trimmed, offset) {
        Ok(node) => Ok(node),
        Err(_)
            if !trimmed.is_empty()
                && !trimmed.contains(['[', ']', '{', '}', '"', '\'', '=', '#', '\n']) =>
        {
            Ok(Node {
                value: Value::Text(trimmed.into()),
                span: offset..offset + trimmed.len(),
            })
        }
        Err(problem) => Err(problem),
    }
}

/// Somewhere in the tree.
enum Place<'r> {
    Table(&'r mut Table),
    Array(&'r mut Vec<Node>),
    Value,
}

impl<'r> Place<'r> {
    fn of(value: &'r mut Value) -> Self {
        match value {
            Value::Table(table) => Place::Table(table),
            Value::Array(items) => Place::Array(items),
            _ => Place::Value,
        }
    }

    fn step(self, part: &Part, names: &[&str]) -> Outcome<Place<'r>> {
        match self {
            Place::Table(table) => {
                if table.position(&part.name).is_none() {
                    let form = forms::SCENE.key(&part.name).map(|key| &key.what);
                    // A table that the file leaves out, and that has keys of its own.
                    if !(names.is_empty() && matches!(form, Some(What::Table(_)))) {
                        return Err(nothing(part, names, keys(table)));
                    }
                    let node = Node {
                        value: Value::Table(Table::default()),
                        span: part.span.clone(),
                    };
                    table.set(Key::new(part.name.as_str(), part.span.clone()), node);
                }
                let index = table.position(&part.name).unwrap_or_default();
                Ok(Place::of(&mut table.entries[index].1.value))
            }
            Place::Array(items) => {
                let index = find(items, part, names)?;
                Ok(Place::of(&mut items[index].value))
            }
            Place::Value => Err(inside(part, names)),
        }
    }

    fn put(self, part: &Part, node: Node, names: &[&str]) -> Outcome<()> {
        match self {
            Place::Table(table) => {
                // Names that the file chooses must be there; of other tables the reader knows the keys.
                let chosen = matches!(names, ["materials" | "variables"]);
                if chosen && table.position(&part.name).is_none() {
                    return Err(nothing(part, names, keys(table)));
                }
                table.set(Key::new(part.name.as_str(), part.span.clone()), node);
                Ok(())
            }
            Place::Array(items) => {
                let index = find(items, part, names)?;
                items[index] = node;
                Ok(())
            }
            Place::Value => Err(inside(part, names)),
        }
    }
}

fn keys(table: &Table) -> Vec<String> {
    let keys = table.entries.iter().map(|(key, _)| key.get_ref());
    keys.map(str::to_owned).collect()
}

/// The element of that name, or of that number, counted from 1.
fn find(items: &[Node], part: &Part, names: &[&str]) -> Outcome<usize> {
    let name = |item: &Node| match &item.value {
        Value::Table(table) => match &table.get("name")?.value {
            Value::Text(name) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    };
    let called = |item: &Node| name(item).as_deref() == Some(part.name.as_str());
    if let Some(index) = items.iter().position(called) {
        return Ok(index);
    }
    // "ball 3", as a body without a name is called, and plain "3".
    let (shape, number) = part.name.rsplit_once(' ').unwrap_or(("", &part.name));
    let shaped = |item: &Node| match &item.value {
        Value::Table(table) => {
            matches!(table.get("shape").map(|node| &node.value), Some(Value::Text(text)) if **text == *shape)
        }
        _ => false,
    };
    let number = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    match number.and_then(|index| Some((index, items.get(index)?))) {
        Some((index, item)) if shape.is_empty() || (name(item).is_none() && shaped(item)) => {
            Ok(index)
        }
        _ => {
            let mut problem = nothing(part, names, items.iter().filter_map(name).collect());
            let count = items.len();
            problem.help = Some(format!(
                "by name, or by number from 1 to {count} in the order of the file"
            ));
            Err(problem)
        }
    }
}

fn nothing(part: &Part, names: &[&str], candidates: Vec<String>) -> Box<Problem> {
    let label = match nearest(&part.name, candidates.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{}`?", shortened(meant, 40)),
        None => "names nothing".to_owned(),
    };
    let message = format!("{} has no `{}`", title(names), shortened(&part.name, 40));
    problem(part.span.clone(), &message, &label)
}

fn inside(part: &Part, names: &[&str]) -> Box<Problem> {
    let message = format!("{} has no parts", title(names));
    problem(part.span.clone(), &message, "names nothing")
}

fn title(names: &[&str]) -> String {
    match names {
        [] => "the scene".to_owned(),
        names => format!("`{}`", shortened(&names.join("."), 60)),
    }
}

fn problem(span: Range<usize>, message: &str, label: &str) -> Box<Problem> {
    Box::new(Problem::new(span, message.to_owned(), label).kind(Kind::Syntax))
}
