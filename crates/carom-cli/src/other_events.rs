//! `carom explain` of events that are no collisions: what crosses a sensor, how bodies go on in contact, changes; and
//! the list of all events.

use crate::arguments::Explain;
use crate::bar::Waiting;
use crate::changes::transition_words;
use crate::output::{Failure, Output};
use crate::terminal::{count, figures, separation_words};
use carom_data::{BodyRecord, RunFolder, Values};

/// What is told of an event.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    /// Of the event among all, from 1.
    event: u64,
    /// Of the collision, where it is one.
    collision: u64,
    kind: String,
    time: f64,
    /// Ids; −1: none.
    pair: [i64; 2],
    mode: String,
    duration: f64,
}

const COLUMNS: [&str; 7] = ["number", "kind", "time", "a", "b", "mode", "duration"];

/// Shows all events, in order.
fn each(run: &RunFolder, mut show: impl FnMut(Told) -> Result<(), Failure>) -> Result<(), Failure> {
    let (mut event, mut shown) = (0, Ok(()));
    run.events()?.each(&COLUMNS, |rows| {
        let [number, kind, time, a, b, mode, duration] = &rows.values[..] else {
            return Ok(());
        };
        for row in 0..rows.len() {
            event += 1;
            if shown.is_ok() {
                shown = show(Told {
                    event,
                    collision: number.integers()[row].max(0) as u64,
                    kind: kind.texts()[row].to_string(),
                    time: time.numbers()[row],
                    pair: [a, b].map(|ids| ids.integers()[row]),
                    mode: mode.texts()[row].to_string(),
                    duration: number_at(duration, row),
                });
            }
        }
        Ok(())
    })?;
    shown
}

fn number_at(values: &Values, row: usize) -> f64 {
    values.numbers().get(row).copied().unwrap_or(f64::NAN)
}

impl Told {
    fn name<'b>(&self, bodies: &'b [BodyRecord], side: usize) -> &'b str {
        let id = usize::try_from(self.pair[side]).ok();
        id.and_then(|id| bodies.get(id))
            .map_or("", |body| &body.name)
    }

    /// What happened, in words.
    fn words(&self, bodies: &[BodyRecord]) -> String {
        let [a, b] = [0, 1].map(|side| self.name(bodies, side));
        match self.kind.as_str() {
            "collision" => format!("collision {}: {a} and {b}", self.collision),
            "entered" => format!("{a} enters {b}"),
            "left" => format!("{a} leaves {b}"),
            "released" => format!("{a} and {b} separate: {}", separation_words(&self.mode)),
            "transition" => {
                let on = (!b.is_empty()).then_some(b);
                format!("{a} {}", transition_words(&self.mode, on))
            }
            kind => {
                let what = [a, &self.mode].into_iter().filter(|word| !word.is_empty());
                let what: Vec<&str> = what.collect();
                if what.is_empty() {
                    kind.to_owned()
                } else {
                    format!("{kind}: {}", what.join(", "))
                }
            }
        }
    }

    /// Whether a body of it takes part in another event.
    fn shares(&self, other: &Told) -> bool {
        let bodies = self.pair.iter().filter(|id| **id >= 0);
        bodies.into_iter().any(|id| other.pair.contains(id))
    }
}

/// `carom explain --list`.
pub fn list(run: &RunFolder) -> Result<(), Failure> {
    let bodies = run.bodies()?;
    let mut output = Output::standard();
    each(run, |told| {
        let words = told.words(&bodies);
        output.line(format_args!(
            "{:>6}  t = {} s  {words}",
            told.event, told.time
        ))
    })?;
    output.finish()
}

/// Tells of an event by its number among all; of a collision its number among collisions, and nothing.
pub fn explain(options: &Explain, run: &RunFolder, event: u64) -> Result<Option<u64>, Failure> {
    let wait = Waiting::new("looking for it in the run", false);
    let bodies = run.bodies()?;
    let (mut found, mut all): (Option<Told>, u64) = (None, 0);
    each(run, |told| {
        all = told.event;
        if told.event == event {
            found = Some(told);
        }
        Ok(())
    })?;
    let Some(told) = found else {
        let shown = options.run.display();
        return Err(Failure::BadInput(if run.manifest().schedule.events {
            format!(
                "error: there is no event {event} in `{shown}`: it has {}\n",
                count(all, "event", "events")
            )
        } else {
            format!("error: `{shown}` was run with --no-events\n")
        }));
    };
    if told.collision > 0 {
        return Ok(Some(told.collision));
    }
    // What happened to the same bodies just before and just after.
    let (mut before, mut after): (Option<Told>, Option<Told>) = (None, None);
    each(run, |other| {
        if told.shares(&other) && other.event < event {
            before = Some(other);
        } else if told.shares(&other) && other.event > event && after.is_none() {
            after = Some(other);
        }
        Ok(())
    })?;
    drop(wait);
    let mut output = Output::standard();
    let words = told.words(&bodies);
    output.line(format_args!(
        "Event {event} at t = {} s: {words}",
        told.time
    ))?;
    for side in [0, 1] {
        if let Some(body) = usize::try_from(told.pair[side])
            .ok()
            .and_then(|id| bodies.get(id))
        {
            let letter = ["a", "b"][side];
            output.line(format_args!(
                "  {letter:<10}{}: a {} {} of {}",
                body.name, body.motion, body.shape, body.material
            ))?;
        }
    }
    if told.duration > 0.0 {
        output.line(format_args!("  lasted    {} s", figures(told.duration)))?;
    }
    for (name, other) in [("before", before), ("after", after)] {
        if let Some(other) = other {
            let apart = figures((other.time - told.time).abs());
            let words = other.words(&bodies);
            output.line(format_args!(
                "  {name:<10}event {}, {apart} s {}: {words}",
                other.event,
                if name == "before" { "earlier" } else { "later" }
            ))?;
        }
    }
    output.finish()?;
    Ok(None)
}
