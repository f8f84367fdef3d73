//! `force` and `torque` of a free body: numbers, or formulas of time.

use crate::dimension::ReadSpace;
use crate::quantity::{FORCE, Quantity, TORQUE};
use crate::reader::{Entry, Section};
use carom::motion::{Formula, Load};

/// What acts on a free body alone, which may be nothing; `None` where it makes no sense, which is reported.
pub(crate) fn read<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Option<Box<Load<S>>>> {
    let mut load = Load::default();
    let force = section.optional("force");
    let torque = section.optional("torque");
    let mut good = true;
    if let Some(entry) = &force {
        match formulas(entry, S::DIMENSION, FORCE) {
            Some(formulas) => {
                for (axis, formula) in formulas.into_iter().enumerate() {
                    load = load.with_force_of_time(S::vector(unit(axis)), formula);
                }
            }
            None => good = false,
        }
    }
    if let Some(entry) = &torque {
        let read = match S::DIMENSION {
            2 => entry.formula_of_time(TORQUE).map(|formula| vec![formula]),
            _ => formulas(entry, 3, TORQUE),
        };
        match read {
            Some(formulas) => {
                for (axis, formula) in formulas.into_iter().enumerate() {
                    load = load.with_torque_of_time(S::angular_velocity_of(unit(axis)), formula);
                }
            }
            None => good = false,
        }
    }
    good.then(|| (!load.is_nothing()).then(|| Box::new(load)))
}

fn unit(axis: usize) -> [f64; 3] {
    std::array::from_fn(|other| if other == axis { 1.0 } else { 0.0 })
}

fn formulas(entry: &Entry<'_, '_>, number: usize, quantity: Quantity) -> Option<Vec<Formula>> {
    let items = entry.as_items().filter(|items| items.len() == number);
    let Some(items) = items else {
        entry.wrong(&format!(
            "[{}], each {}, or a formula of t in quotes",
            &"x, y, z"[..3 * number - 2],
            quantity.allowed()
        ));
        return None;
    };
    let read: Vec<Option<Formula>> = items.map(|item| item.formula_of_time(quantity)).collect();
    read.into_iter().collect()
}
