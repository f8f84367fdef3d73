//! The first and the last events as a table that can be sorted.

use crate::canvas::escape;
use crate::chart::{count, rounded};
use crate::error::DrawError;
use crate::recording::{Recording, each};
use carom_data::Values;
use std::collections::VecDeque;
use std::fmt::Write;

/// So many from either end.
const SHOWN: usize = 1_000;

struct EventRow {
    number: i64,
    kind: String,
    time: f64,
    pair: [usize; 2],
    mode: String,
    impulse: f64,
    energy_lost: f64,
}

pub fn section(recording: &Recording) -> Result<String, DrawError> {
    let mut text = "<section id=\"events\">\n<h2>Events</h2>\n".to_owned();
    if recording.events == 0 {
        let _ = writeln!(
            text,
            "<p>None: {}.</p>\n</section>",
            escape(&recording.no_events())
        );
        return Ok(text);
    }
    let (first, last, all) = ends(recording)?;
    let left_out = all - first.len() as u64 - last.len() as u64;
    let note = match left_out {
        0 => format!("All {}.", count(all, "event", "events")),
        _ => format!(
            "The first and the last {SHOWN} of {}; all of them are in the run folder.",
            count(all, "event", "events")
        ),
    };
    let _ = writeln!(
        text,
        "<p class=\"note\">{note} Click a heading to sort. <span class=\"on-paper\">On paper, the first forty.</span></p>"
    );
    text += "<div class=\"scroll\">\n<table class=\"numbers sortable\"><thead><tr>";
    for heading in [
        "number",
        "kind",
        "time (s)",
        "a",
        "b",
        "friction",
        "impulse (kg·m/s)",
        "energy lost (J)",
    ] {
        let _ = write!(
            text,
            "<th scope=\"col\"><button type=\"button\">{heading}</button></th>"
        );
    }
    text += "</tr></thead><tbody>\n";
    for row in &first {
        line(recording, row, &mut text);
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "<tr class=\"gap\"><td colspan=\"8\">… {} …</td></tr>",
            count(left_out, "event", "events")
        );
    }
    for row in &last {
        line(recording, row, &mut text);
    }
    text += "</tbody></table>\n</div>\n</section>\n";
    Ok(text)
}

/// Of what happens without a body.
const NOBODY: usize = usize::MAX;

fn line(recording: &Recording, row: &EventRow, text: &mut String) {
    let name = |id: usize| match recording.bodies.get(id) {
        Some(body) if !body.name.is_empty() => escape(&body.name),
        None if id == NOBODY => String::new(),
        _ => format!("body {id}"),
    };
    let cell = |value: f64| {
        if value.is_finite() {
            format!("<td data-v=\"{value:e}\">{}</td>", rounded(value, 6))
        } else {
            "<td></td>".to_owned()
        }
    };
    let number = match row.number {
        0 => String::new(),
        number => number.to_string(),
    };
    let _ = writeln!(
        text,
        "<tr><td>{number}</td><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td>{}{}</tr>",
        escape(&row.kind),
        cell(row.time),
        name(row.pair[0]),
        name(row.pair[1]),
        escape(&row.mode),
        cell(row.impulse),
        cell(row.energy_lost)
    );
}

/// The first and the last rows, and how many there are.
fn ends(recording: &Recording) -> Result<(Vec<EventRow>, VecDeque<EventRow>, u64), DrawError> {
    let impulse = recording.vector("impulse");
    let mut names = vec!["number", "kind", "time", "a", "b", "mode", "energy_lost"];
    names.extend(impulse.iter().map(String::as_str));
    let (mut first, mut last, mut all) = (Vec::new(), VecDeque::new(), 0);
    let total = recording.events;
    let table = recording.folder.events()?;
    each(&table, &names, |values| {
        let column = |place: usize| values.get(place).copied().flatten();
        let number = |place: usize, row: usize| {
            let numbers = column(place).map(Values::numbers).unwrap_or_default();
            numbers.get(row).copied().unwrap_or(f64::NAN)
        };
        let integer = |place: usize, row: usize| {
            let integers = column(place).map(Values::integers).unwrap_or_default();
            integers.get(row).copied().unwrap_or(0)
        };
        let word = |place: usize, row: usize| {
            let words = column(place).map(Values::texts).unwrap_or_default();
            words
                .get(row)
                .map(|word| word.to_string())
                .unwrap_or_default()
        };
        let rows = column(2).map_or(0, Values::len);
        for row in 0..rows {
            all += 1;
            let near_the_end = all + SHOWN as u64 > total;
            if first.len() >= SHOWN && !near_the_end {
                continue;
            }
            let squares = (7..names.len()).map(|place| number(place, row) * number(place, row));
            let event = EventRow {
                number: integer(0, row),
                kind: word(1, row),
                time: number(2, row),
                pair: [3, 4].map(|place| usize::try_from(integer(place, row)).unwrap_or(NOBODY)),
                mode: word(5, row),
                impulse: squares.sum::<f64>().sqrt(),
                energy_lost: number(6, row),
            };
            if first.len() < SHOWN {
                first.push(event);
            } else {
                last.push_back(event);
                if last.len() > SHOWN {
                    last.pop_front();
                }
            }
        }
    })?;
    Ok((first, last, all))
}
