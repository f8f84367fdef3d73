//! The same list of keys as a page for people.

use crate::expression::FUNCTIONS;
use crate::forms::{CSV, Form, Key, SCENE, What};
use crate::quantity::{Bound, Quantity, SPIN};
use std::fmt::Write;

/// The reference of scene files as a page of Markdown: every table, its keys, what may stand there, units and defaults.
///
/// It is made from the list that the reader goes by, as [`schema`](crate::schema()) is; `docs/scene_reference.md` is
/// this text.
pub fn reference() -> String {
    let mut page = Page::default();
    page.visit(&SCENE);
    let functions: Vec<String> = FUNCTIONS.iter().map(|(f, _)| format!("`{f}`")).collect();
    let mut text = INTRODUCTION.replace("FUNCTIONS", &functions.join(", "));
    // Writing to a string cannot fail.
    for form in &page.forms {
        let _ = section(&mut text, form);
    }
    let _ = old_names(&mut text, &page.forms);
    text
}

/// What keys and words were called before.
fn old_names(text: &mut String, forms: &[&Form]) -> std::fmt::Result {
    writeln!(
        text,
        "\n## Old names\n\nThese are still read, and `carom` notes the new name. A table that has a key under both names is an error.\n\n| old | new | in |\n|---|---|---|"
    )?;
    for form in forms {
        for key in form.keys {
            if let Some(old) = key.was {
                writeln!(text, "| `{old}` | `{}` | {} |", key.name, link(form))?;
            }
            for (old, new) in key.words {
                let name = key.name;
                let place = link(form);
                writeln!(
                    text,
                    "| `{name} = \"{old}\"` | `{name} = \"{new}\"` | {place} |"
                )?;
            }
        }
    }
    writeln!(
        text,
        "| column `spin` | column `angular_velocity` | {} |",
        link(&CSV)
    )
}

const INTRODUCTION: &str = "\
# Scene reference

Every table of a scene file and every key in it. [Scene files](scenes.md) explains them in order; this page is for looking things up. It is made from the list of keys that the
reader itself uses (`carom schema --markdown`), and a test keeps the two the same.

Where a *number* is expected, a string is a formula: numbers, `$variables`, `+ - * /`, brackets, FUNCTIONS, `pi` and `inf`. A *vector* has two numbers in a
scene of dimension 2 and three in one of dimension 3. **Required** keys are set in bold.
";

/// The forms in the order in which a reader meets them.
#[derive(Default)]
struct Page {
    forms: Vec<&'static Form>,
}

impl Page {
    fn visit(&mut self, form: &'static Form) {
        if self.forms.iter().any(|other| std::ptr::eq(*other, form)) {
            return;
        }
        self.forms.push(form);
        form.with.iter().for_each(|other| self.visit(other));
        form.keys.iter().for_each(|key| self.within(&key.what));
    }

    fn within(&mut self, what: &'static What) {
        match what {
            What::Table(form) | What::Tables(form) => self.visit(form),
            What::OneOf(forms) | What::Template(forms) | What::AllOneOf(forms) => {
                forms.iter().for_each(|form| self.visit(form));
            }
            What::Named(what) | What::List { of: what, .. } => self.within(what),
            What::Either(kinds) => kinds.iter().for_each(|kind| self.within(kind)),
            _ => {}
        }
    }
}

fn section(text: &mut String, form: &Form) -> std::fmt::Result {
    let mut letters = form.name.chars();
    let first = letters.next().map(|letter| letter.to_uppercase());
    let title: String = first.into_iter().flatten().chain(letters).collect();
    write!(text, "\n## {title}\n\n{}", cell(form.about))?;
    if let Some((key, value)) = form.tag {
        write!(text, " Written `{key} = \"{value}\"`.")?;
    }
    let others: Vec<String> = form.with.iter().map(|form| link(form)).collect();
    if !others.is_empty() {
        let also = if form.keys.is_empty() {
            "It has"
        } else {
            "It also has"
        };
        write!(text, " {also} the keys of {}.", others.join(", "))?;
    }
    writeln!(text)?;
    if form.keys.is_empty() {
        return Ok(());
    }
    writeln!(
        text,
        "\n| key | value | unit | default | description |\n|---|---|---|---|---|"
    )?;
    for key in form.keys {
        row(text, key)?;
    }
    Ok(())
}

fn row(text: &mut String, key: &Key) -> std::fmt::Result {
    let name = if key.required {
        format!("**`{}`**", key.name)
    } else {
        format!("`{}`", key.name)
    };
    let default = match key.default {
        Some(word @ "zero") => word.to_owned(),
        Some(value) => format!("`{value}`"),
        None => String::new(),
    };
    writeln!(
        text,
        "| {name} | {} | {} | {default} | {} |",
        allowed(&key.what),
        super::unit(&key.what).unwrap_or(""),
        cell(key.about)
    )
}

/// A bar would end the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What may be written, in words.
fn allowed(what: &What) -> String {
    match what {
        What::Number(quantity) => format!("number{}", bound(*quantity)),
        What::Whole {
            least,
            most: u64::MAX,
        } => format!("whole number from {least}"),
        What::Whole { least, most } if *most == i64::MAX as u64 => {
            format!("whole number from {least}")
        }
        What::Whole { least, most } => format!("whole number from {least} to {most}"),
        What::Integers(integers) => {
            let integers: Vec<String> = integers.iter().map(|i| format!("`{i}`")).collect();
            integers.join(" or ")
        }
        What::Flag => "`true` or `false`".to_owned(),
        What::Name => "text".to_owned(),
        What::Choice(choices) => {
            let choices: Vec<String> = choices().iter().map(|c| format!("`\"{c}\"`")).collect();
            choices.join(", ")
        }
        What::Vector(quantity) => format!("vector{}", bound(*quantity)),
        What::AngularVelocity => format!("number in 2-D, vector in 3-D{}", bound(SPIN)),
        What::Force => "vector, of numbers or formulas of `t`".to_owned(),
        What::Torque => "number in 2-D, vector in 3-D, or formulas of `t`".to_owned(),
        What::List { of, least, most } => match (least, most) {
            (least, most) if least == most => format!("list of {least}: {}", allowed(of)),
            (least, most) if *most < 100 => format!("list of {least} to {most}: {}", allowed(of)),
            _ => format!("list of {least} or more: {}", allowed(of)),
        },
        What::Table(form) => format!("table: {}", link(form)),
        What::Tables(form) => format!("array of tables: {}", link(form)),
        What::OneOf(forms) | What::Template(forms) => format!("table: {}", links(forms)),
        What::AllOneOf(forms) => format!("array of tables: {}", links(forms)),
        What::Named(what) => format!("a table of names, each with: {}", allowed(what)),
        What::Either(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(allowed).collect();
            match kinds.as_slice() {
                // One, or several of the same.
                [one, several]
                    if several.strip_prefix("array of ") == Some(several_of(one).as_str()) =>
                {
                    one.replacen("table: ", "table, or array of tables: ", 1)
                }
                _ => kinds.join("; or "),
            }
        }
    }
}

fn several_of(one: &str) -> String {
    one.replacen("table: ", "tables: ", 1)
}

fn bound(quantity: Quantity) -> String {
    let infinite = if quantity.allows(f64::INFINITY) {
        ", or `inf`"
    } else {
        ""
    };
    let least = match quantity.bound() {
        Some(Bound::Zero) => " ≥ 0",
        Some(Bound::AboveZero) => " > 0",
        None => "",
    };
    format!("{least}{infinite}")
}

fn link(form: &Form) -> String {
    format!("[{}](#{})", form.name, form.name.replace(' ', "-"))
}

fn links(forms: &[&Form]) -> String {
    let links: Vec<String> = forms.iter().map(|form| link(form)).collect();
    links.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Sections and definitions of the schema go by the names of forms: two of the same name would be one.
    #[test]
    fn no_two_forms_have_the_same_name() {
        let mut page = Page::default();
        page.visit(&SCENE);
        let names: BTreeSet<&str> = page.forms.iter().map(|form| form.name).collect();
        assert_eq!(names.len(), page.forms.len());
        assert!(names.len() > 30);
    }
}
