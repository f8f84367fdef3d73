//! `shear`: a periodic box whose sides move past each other.

use crate::dimension::ReadSpace;
use crate::forms;
use crate::problem::{Kind, Problem};
use crate::quantity::GRADIENT;
use crate::reader::{Entry, Section};
use carom::world::{Shear, World, WorldError};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads how the box is sheared, which must be periodic already.
pub(crate) fn read<S: ReadSpace>(entry: &Entry<'_, '_>, world: &mut World<S>) {
    let shear = if entry.is_table() {
        entry.section("`shear`".to_owned()).and_then(table::<S>)
    } else {
        entry.number(GRADIENT).map(Shear::new)
    };
    let Some(Err(error)) = shear.map(|shear| world.set_shear(Some(shear))) else {
        return;
    };
    let mut problem = Problem::new(entry.span(), error.to_string(), "sheared like this");
    if world.periods()[..S::DIMENSION].contains(&0.0) {
        problem = problem.help("give `periodic` a length along both axes, such as [10.0, 10.0]");
    }
    entry.report(problem);
}

fn table<S: ReadSpace>(section: Section<'_, '_>) -> Option<Shear> {
    let section = section.of(&forms::SHEARED_BOX);
    let rate = section.required(
        "rate",
        "how fast the velocity grows across the flow, in 1/s",
    );
    let rate = rate.and_then(|entry| entry.number(GRADIENT));
    let [flow, gradient] = [("flow", 0), ("gradient", 1)].map(|(name, default)| {
        let Some(entry) = section.optional(name) else {
            return Some(default);
        };
        let text = entry.text("an axis")?;
        let axes = || AXES[..S::DIMENSION].iter().copied();
        let found = axes().position(|axis| axis == text);
        if found.is_none() {
            entry.not_among("an axis", axes(), Kind::Value);
        }
        found
    });
    section.finish(&[]);
    Some(Shear {
        flow: flow?,
        gradient: gradient?,
        ..Shear::new(rate?)
    })
}

/// Says what cannot be in a sheared box.
pub(crate) fn misfits<S: ReadSpace>(entry: &Entry<'_, '_>, world: &World<S>) {
    let wrong = world.misfits().into_iter();
    for error in wrong.filter(|error| matches!(error, WorldError::Shear { .. })) {
        let label = "sheared like this";
        entry.report(Problem::new(entry.span(), error.to_string(), label));
    }
}
