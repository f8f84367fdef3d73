//! How the trajectories of balls are computed.

use crate::forms;
use crate::problem::Kind;
use crate::quantity::{LONGEST, RATIO, TIME, TOLERANCE};
use crate::reader::{Entry, Section};
use carom::motion::{Integrator, Tolerance};

/// From `method`, `tolerance` and `step`. `None` where something is wrong.
pub(super) fn read(section: &Section<'_, '_>) -> Option<Integrator> {
    let method = section.optional("method");
    let name = match &method {
        Some(entry) => name(entry),
        None => Some("adaptive"),
    };
    let tolerance = section.optional("tolerance");
    let step = section.optional("step");
    let misplaced = |entry: &Option<Entry<'_, '_>>, why: &str| {
        if let Some(entry) = entry {
            entry.wrong(why);
        }
        entry.is_none()
    };
    match name {
        Some("euler") => {
            let alone = misplaced(
                &tolerance,
                "left out where method = \"euler\": its error is what its step makes",
            );
            section.required("step", "the length of a step, seconds");
            let step = step?.number(TIME)?;
            alone.then_some(Integrator::ExplicitEuler { step })
        }
        _ => {
            let tolerance = match &tolerance {
                Some(entry) => read_tolerance(entry),
                None => Some(Tolerance::default()),
            };
            let alone = misplaced(&step, "left out unless method = \"euler\"");
            name?;
            alone.then_some(Integrator::Adaptive(tolerance?))
        }
    }
}

fn name(entry: &Entry<'_, '_>) -> Option<&'static str> {
    let text = entry.text("the name of a method")?;
    let names = forms::methods();
    let found = names.iter().copied().find(|name| *name == text);
    if found.is_none() {
        entry.not_among("a method", names.iter().copied(), Kind::Value);
    }
    found
}

fn read_tolerance(entry: &Entry<'_, '_>) -> Option<Tolerance> {
    const BELOW_ONE: &str = "at least 0 and below 1";
    if !entry.is_table() {
        let size = entry.number(TOLERANCE)?;
        if size >= 1.0 {
            entry.wrong("above 0 and below 1, as it is relative as well");
            return None;
        }
        return Some(Tolerance::of(size));
    }
    let section = entry.section("`fields.tolerance`".to_owned())?;
    section.becomes(&forms::TOLERANCES);
    let absolute = section.required(
        "absolute",
        "of position, velocity and angular velocity, in m, m/s and rad/s",
    );
    let absolute = absolute.and_then(|entry| entry.number(TOLERANCE));
    let relative = match section.optional("relative") {
        Some(entry) => entry.number(RATIO).filter(|&relative| {
            let good = relative < 1.0;
            if !good {
                entry.wrong(BELOW_ONE);
            }
            good
        }),
        None => Some(0.0),
    };
    let longest = match section.optional("max_step") {
        Some(entry) => entry.number(LONGEST),
        None => Some(f64::INFINITY),
    };
    section.finish(&[]);
    let tolerance = Tolerance::of(absolute?);
    Some(tolerance.with_relative(relative?).with_max_step(longest?))
}
