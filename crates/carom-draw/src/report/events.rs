//! The first and the last events as a table that can be sorted.

use crate::canvas::escape;
use crate::chart::{count, rounded};
use crate::error::DrawError;
use crate::outlines::Bounds;
use crate::recording::{Recording, each};
use carom_data::Values;
use std::collections::VecDeque;
use std::fmt::Write;

/// So many from either end.
const SHOWN: usize = 1_000;

/// The events that a page lists.
pub struct Listed {
    first: Vec<EventRow>,
    last: VecDeque<EventRow>,
    all: u64,
}

impl Listed {
    /// Of a run.
    pub fn of(recording: &Recording) -> Result<Self, DrawError> {
        match recording.events {
            0 => Ok(Listed {
                first: Vec::new(),
                last: VecDeque::new(),
                all: 0,
            }),
            _ => ends(recording),
        }
    }

    /// When they happened, s, in order.
    pub fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self
            .first
            .iter()
            .chain(&self.last)
            .map(|row| row.time)
            .collect();
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

impl Listed {
    /// Where the collisions were that count: those with more than a small share of the largest impulse.
    pub fn action(&self) -> Option<Bounds> {
        let rows = || self.first.iter().chain(&self.last);
        let strengths = rows()
            .map(|row| row.impulse)
            .filter(|impulse| impulse.is_finite());
        let largest = strengths.fold(0.0, f64::max);
        let mut bounds = Bounds::NOTHING;
        for row in rows().filter(|row| row.impulse > 0.05 * largest) {
            let at = |i: usize| row.place.get(i).copied().unwrap_or(0.0);
            bounds.add([at(0), at(1), at(2)], 0.0);
        }
        (bounds.low[0] <= bounds.high[0]).then_some(bounds)
    }
}

struct EventRow {
    number: i64,
    kind: String,
    time: f64,
    /// `None` where there is no such body.
    pair: [Option<usize>; 2],
    mode: String,
    impulse: f64,
    energy_lost: f64,
    /// Where, and the impulse on a, as the page's script takes them.
    place: Vec<f64>,
    push: Vec<f64>,
}

pub fn section(recording: &Recording, listed: &Listed) -> String {
    let mut text = "<section id=\"events\">\n<h2>Events</h2>\n".to_owned();
    if recording.events == 0 {
        let _ = writeln!(
            text,
            "<p>None: {}.</p>\n</section>",
            escape(&recording.no_events())
        );
        return text;
    }
    let Listed { first, last, all } = listed;
    let all = *all;
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
        "<p class=\"note\">{note} Click an event to see it, a heading to sort. <span class=\"on-paper\">On paper, the first forty.</span></p>"
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
    for row in first {
        line(recording, row, &mut text);
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "<tr class=\"gap\"><td colspan=\"8\">… {} …</td></tr>",
            count(left_out, "event", "events")
        );
    }
    for row in last {
        line(recording, row, &mut text);
    }
    text += "</tbody></table>\n</div>\n</section>\n";
    text
}

fn line(recording: &Recording, row: &EventRow, text: &mut String) {
    let name = |id: Option<usize>| match id.map(|id| (id, recording.bodies.get(id))) {
        Some((_, Some(body))) if !body.name.is_empty() => escape(&body.name),
        Some((id, _)) => format!("body {id}"),
        None => String::new(),
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
    let list = |numbers: &[f64]| -> String {
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:.6e}"))
            .collect();
        numbers.join(" ")
    };
    let link = if row.place.iter().all(|number| number.is_finite()) {
        format!(
            " data-p=\"{}\" data-i=\"{}\"",
            list(&row.place),
            list(&row.push)
        )
    } else {
        String::new()
    };
    let pair = row
        .pair
        .map(|id| id.map_or("-1".to_owned(), |id| id.to_string()));
    let _ = writeln!(
        text,
        "<tr data-t=\"{:e}\" data-a=\"{}\" data-b=\"{}\"{link}><td>{number}</td><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td>{}{}</tr>",
        row.time,
        pair[0],
        pair[1],
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
fn ends(recording: &Recording) -> Result<Listed, DrawError> {
    let (impulse, point) = (recording.vector("impulse"), recording.vector("point"));
    let dimension = recording.dimension();
    let mut names = vec!["number", "kind", "time", "a", "b", "mode", "energy_lost"];
    names.extend(impulse.iter().map(String::as_str));
    names.extend(point.iter().map(String::as_str));
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
            let push: Vec<f64> = (7..7 + dimension).map(|place| number(place, row)).collect();
            let place = (7 + dimension..7 + 2 * dimension).map(|place| number(place, row));
            let squares = push.iter().map(|part| part * part);
            let event = EventRow {
                number: integer(0, row),
                kind: word(1, row),
                time: number(2, row),
                pair: [3, 4].map(|place| usize::try_from(integer(place, row)).ok()),
                mode: word(5, row),
                impulse: squares.sum::<f64>().sqrt(),
                energy_lost: number(6, row),
                place: place.collect(),
                push: push.clone(),
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
    Ok(Listed { first, last, all })
}
