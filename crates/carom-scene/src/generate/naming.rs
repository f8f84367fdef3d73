//! Names of generated bodies: `domino 7`, or by a pattern such as `brick {row}-{column}`.

use super::Placed;
use super::rack::RED;
use crate::reader::Entry;
use crate::render::shortened;
use carom::simulate::Compiled;

/// What may stand between braces.
const PLACEHOLDERS: [&str; 5] = ["n", "column", "row", "layer", "ball"];

/// Whether a name is a pattern that can be filled in; says what is wrong with it.
pub(super) fn check(entry: &Entry<'_, '_>, name: &str) -> Option<()> {
    let mut rest = name;
    while let Some((_, after)) = rest.split_once('{') {
        let key = after.split_once('}').map(|(key, _)| key);
        match key {
            Some(key) if PLACEHOLDERS.contains(&key) => {}
            _ => {
                let problem = entry.problem("a name whose patterns are known");
                let shown = shortened(key.unwrap_or(after), 40);
                entry.report(problem.help(format!(
                    "`{{{shown}}}` is none of {{n}}, {{column}}, {{row}}, {{layer}} and {{ball}}"
                )));
                return None;
            }
        }
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    Some(())
}

/// The name of a generated body, by its number from 0.
pub(super) fn name_of<S: Compiled>(pattern: &str, number: usize, placed: &Placed<S>) -> Box<str> {
    if let Some(name) = &placed.name {
        return name.clone();
    }
    let ball = match placed.ball {
        Some(RED) => format!("{RED} {}", number + 1),
        ball => ball.unwrap_or("").to_owned(),
    };
    if placed.ball.is_some() && !pattern.contains('{') {
        return ball.into();
    }
    if !pattern.contains('{') {
        return format!("{pattern} {}", number + 1).into();
    }
    let [column, row, layer] = placed.index.map(|index| (index + 1).to_string());
    let name = pattern
        .replace("{n}", &(number + 1).to_string())
        .replace("{column}", &column)
        .replace("{row}", &row)
        .replace("{layer}", &layer)
        .replace("{ball}", &ball);
    name.into()
}
