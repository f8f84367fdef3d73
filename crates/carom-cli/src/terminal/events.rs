//! Events, one line each.

use crate::collision::{CollisionRecord, PassageRecord, ReleaseRecord};
use crate::output::{Failure, Output};
use crate::terminal::{figures, length};

/// Prints a collision on one line.
pub fn print_collision(record: &CollisionRecord<'_>, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "{:>6}  t = {} s  {} – {}  impulse {} kg m/s, {} J lost, {}{}",
        record.number,
        record.time,
        record.a,
        record.b,
        figures(length(&record.impulse)),
        figures(record.energy_lost),
        record.mode,
        match record.duration {
            0.0 => String::new(),
            lasts => format!(", lasts {} s", figures(lasts)),
        }
    ))
}

/// Prints the end of a contact of measurable duration on one line.
pub fn print_release(record: &ReleaseRecord<'_>, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "        t = {} s  {} – {}  released after {} s: {}",
        record.time,
        record.a,
        record.b,
        figures(record.duration),
        separation_words(record.separation)
    ))
}

/// Prints what crosses a sensor on one line.
pub fn print_passage(record: &PassageRecord<'_>, output: &mut Output) -> Result<(), Failure> {
    let PassageRecord {
        kind,
        time,
        ball,
        sensor,
    } = record;
    let verb = match *kind {
        "entered" => "enters",
        _ => "leaves",
    };
    output.line(format_args!("        t = {time} s  {ball} {verb} {sensor}"))
}

/// What ended a contact of measurable duration.
pub fn separation_words(separation: &str) -> &str {
    match separation {
        "time" => "its time was over",
        "struck" => "cut short by another body",
        "wall" => "cut short where the wall ended or changed its motion",
        "edited" => "cut short by a change from outside",
        other => other,
    }
}
