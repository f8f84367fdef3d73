//! `[variables]`: names for numbers, and the values that a sweep goes through.

use crate::forms;
use crate::problem::Problem;
use crate::quantity::PURE;
use crate::reader::{Entry, Section};
use crate::render::shortened;

/// As many variables as a scene may have, and as many values as one of them.
const MOST: usize = 1000;
const MOST_VALUES: u64 = 100_000;

/// A number that a scene gives a name to.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// As in `$name`.
    pub name: String,
    /// What a sweep goes through: at least one value. A plain run uses the first.
    pub values: Vec<f64>,
}

/// Reads the variables in the order of the file, so that each may use those before it.
pub(crate) fn read(top: &Section<'_, '_>) -> Vec<Variable> {
    let section = top
        .optional("variables")
        .and_then(|entry| entry.section("`variables`".to_owned()));
    let mut variables = Vec::new();
    for (key, entry) in section.iter().flat_map(Section::entries).take(MOST + 1) {
        let name = key.get_ref();
        if variables.len() == MOST {
            let message = format!("the scene has more than {MOST} variables");
            let problem = Problem::new(key.span(), message, "one too many");
            top.reader.report(problem);
            break;
        }
        if !is_name(name) {
            let message = format!("a variable is called `{}`", shortened(name, 40));
            let allowed = "must be letters, digits and underscores, beginning with a letter";
            let problem = Problem::new(key.span(), message, allowed);
            top.reader.report(problem);
        }
        let values = values(&entry).filter(|values| !values.is_empty());
        let first = values.as_ref().map(|values| values[0]);
        top.reader.define(name, first);
        variables.push(Variable {
            name: name.to_owned(),
            values: values.unwrap_or_default(),
        });
    }
    variables
}

fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
        && name.len() <= 100
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn values(entry: &Entry<'_, '_>) -> Option<Vec<f64>> {
    if entry.is_table() {
        return range(entry);
    }
    let entry = &entry.clone().in_any_unit();
    let Some(items) = entry.as_items() else {
        return entry.number(PURE).map(|value| vec![value]);
    };
    if items.len() == 0 || items.len() as u64 > MOST_VALUES {
        entry.wrong(&format!("an array of 1 to {MOST_VALUES} numbers"));
        return None;
    }
    let numbers: Vec<Option<f64>> = items.map(|item| item.number(PURE)).collect();
    numbers.into_iter().collect()
}

/// Both ends are hit to the bit.
fn range(entry: &Entry<'_, '_>) -> Option<Vec<f64>> {
    let section = entry.section(entry.title.clone())?.of(&forms::RANGE);
    let number = |key, what| {
        let entry = section.required(key, what)?;
        entry.in_any_unit().number(PURE)
    };
    let from = number("from", "the first value");
    let to = number("to", "the last value");
    let steps = section
        .required("steps", "how many values, both ends included")
        .and_then(|entry| entry.whole(1, MOST_VALUES));
    section.finish(&[]);
    let (from, to, steps) = (from?, to?, steps?);
    let last = (steps - 1) as f64;
    let value = |step: u64| match step {
        0 => from,
        step if step == steps - 1 => to,
        step => from + (to - from) * (step as f64 / last),
    };
    Some((0..steps).map(value).collect())
}
