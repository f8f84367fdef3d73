//! Restitution that depends on the approach speed: `restitution = { viscoelastic = 0.9 }`, `{ table = [[0, 1], …] }`.

use crate::forms;
use crate::problem::Problem;
use crate::quantity::{RATIO, SLIDING_SPEED, SPEED};
use crate::reader::Entry;
use carom::material::{MOST_POINTS, RestitutionCurve};

const POINTS: &str =
    "an array of [speed, restitution], such as [[0, 1], [2, 0.8]], of at most 1000 points";

/// Reads a table of keys; `None` where something is wrong.
pub(crate) fn read(entry: &Entry<'_, '_>, title: &str) -> Option<RestitutionCurve> {
    let section = entry
        .section(format!("`restitution` of {title}"))?
        .of(&forms::RESTITUTION);
    let [viscoelastic, loss, table] =
        ["viscoelastic", "loss", "table"].map(|key| section.optional(key));
    let speed = section.optional("speed");
    let given = [&viscoelastic, &loss, &table];
    let curve = if given.into_iter().flatten().count() != 1 {
        let message = format!("{} does not say how it depends on the speed", section.title);
        let allowed = "needs one of viscoelastic, loss, table";
        section
            .reader
            .report(Problem::new(section.span.clone(), message, allowed));
        None
    } else if let (Some(speed), None) = (&speed, &viscoelastic) {
        speed.wrong("left out unless `viscoelastic` is given");
        None
    } else if let Some(entry) = &viscoelastic {
        let at = match &speed {
            Some(speed) => speed.number(SLIDING_SPEED),
            None => Some(1.0),
        };
        let restitution = entry.number(RATIO);
        let read = at.zip(restitution);
        read.and_then(|(speed, restitution)| {
            let curve = RestitutionCurve::viscoelastic(restitution, speed);
            curve.map_err(|_| entry.wrong("above 0 and at most 1")).ok()
        })
    } else if let Some(entry) = &loss {
        let loss = entry.number(RATIO);
        loss.and_then(|loss| RestitutionCurve::with_loss(loss).ok())
    } else {
        table.as_ref().and_then(points)
    };
    section.finish(&[]);
    curve
}

fn points(entry: &Entry<'_, '_>) -> Option<RestitutionCurve> {
    let Some(items) = entry
        .as_items()
        .filter(|items| (1..=MOST_POINTS).contains(&items.len()))
    else {
        entry.wrong(POINTS);
        return None;
    };
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(items.len());
    for item in items {
        let Some(mut pair) = item.as_items().filter(|pair| pair.len() == 2) else {
            item.wrong("a speed and a restitution, such as [2, 0.8]");
            return None;
        };
        let (first, second) = (pair.next()?, pair.next()?);
        let (speed, restitution) = (first.number(SPEED), second.number(RATIO));
        let (speed, restitution) = (speed?, restitution?);
        if restitution > 1.0 {
            second.wrong("from 0 to 1");
            return None;
        }
        if points.last().is_some_and(|last| last.0 >= speed) {
            first.wrong("above the speed before it");
            return None;
        }
        points.push((speed, restitution));
    }
    match RestitutionCurve::table(points) {
        Ok(curve) => Some(curve),
        Err(error) => {
            entry.wrong(error.allowed);
            None
        }
    }
}
