//! Energy by kind over time, stacked on what was lost, so that the sum is flat.
//!
//! The budget says `E + in contact = E₀ − restitution − friction − lasting contacts − steps − fields + energy added +
//! work + given + residual`, all since the start. So what there is and what was lost, stacked, come up to what there
//! was and what was given: a flat line where nothing is given. Every band is a column of its own, so that the stack
//! meets the line because the budgets close, and not because it was made to. Potential energy is counted from its
//! lowest value in the run, so that nothing in the stack is negative. What has either sign (work, drag in a wind, what
//! steps cost, changes from outside) is in the stack where it was lost, and under the line where it was given.
//! Friction's share can be negative for an instant, where contacts at one instant are answered together: then it makes
//! restitution's smaller.

use super::steps::{self, Stepping};
use super::{thinned, time_axis};
use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, rounded};
use crate::error::DrawError;
use crate::recording::Recording;
use carom_scene::Method;

const COLUMNS: [&str; 20] = [
    "time",
    "translational",
    "rotational",
    "potential",
    "lost_to_restitution",
    "lost_to_friction",
    "energy_added",
    "work_by_kinematic",
    "energy_residual",
    "in_contact",
    "lost_to_fields",
    "given",
    "lost_to_sliding",
    "lost_to_rolling",
    "lost_to_spinning",
    "lost_to_settling",
    "lost_to_dampers",
    "lost_to_steps",
    "external_work",
    "shear_work",
];

/// Which of them is what steps cost.
const STEPS: usize = COLUMNS.len() - 3;
/// And which the work of external forces.
const EXTERNAL: usize = STEPS + 1;
/// And which that of the shear of the box.
const SHEAR: usize = STEPS + 2;

/// A share of the largest energy that is less than a tenth of a pixel: it would be a name without a colour.
const UNSEEN: f64 = 3e-4;

/// One kind of energy in the stack.
struct Kind {
    name: &'static str,
    ink: Ink,
    values: Vec<f64>,
}

/// The figure. Longer than most: the list of all kinds of energy, each with its colour.
pub fn figure(recording: &Recording) -> Result<Figure, DrawError> {
    let mut columns = recording.audit(&COLUMNS)?;
    let rows = columns[..STEPS].iter().map(Vec::len).min().unwrap_or(0);
    // Folders of older versions have no account of steps, nor of external forces, nor of shear.
    for later in [STEPS, EXTERNAL, SHEAR] {
        columns[later].resize(rows, 0.0);
    }
    columns.iter_mut().for_each(|column| column.truncate(rows));
    let stepping = Stepping {
        translational: 1,
        rotational: 2,
        restitution: 4,
        friction: 5,
        added: 6,
        work: 7,
        potential: 3,
        given: 11,
    };
    steps::put_in(recording, &mut columns, stepping)?;
    let rows = columns[0].len();
    let columns = columns;
    let (kept, note) = thinned(rows);
    let column =
        |index: usize| -> Vec<f64> { kept.iter().map(|&row| columns[index][row]).collect() };
    let [time, translational, rotational, potential] = [0, 1, 2, 3].map(column);
    let [restitution, friction, energy_added, work, residual] = [4, 5, 6, 7, 8].map(column);
    let [in_contact, fields, brought] = [9, 10, 11].map(column);
    // What springs held at the start counts as given, and is in the stack from the start.
    let (external, sheared) = (column(EXTERNAL), column(SHEAR));
    let outside = external.iter().zip(&sheared);
    let brought: Vec<f64> = (brought.iter().zip(outside))
        .map(|(given, (work, sheared))| given - brought[0] + work + sheared)
        .collect();
    let lasting: Vec<f64> = kept
        .iter()
        .map(|&row| columns[12..STEPS].iter().map(|column| column[row]).sum())
        .collect();
    let steps = column(STEPS);
    let lowest = potential.iter().copied().fold(f64::INFINITY, f64::min);
    let [restitution, friction] = without_gains(&restitution, &friction);
    let positive = |values: &[f64]| values.iter().map(|v| v.max(0.0)).collect::<Vec<f64>>();
    let negative = |values: &[f64]| values.iter().map(|v| (-v).max(0.0)).collect::<Vec<f64>>();
    let from_lowest: Vec<f64> = potential.iter().map(|v| v - lowest).collect();
    let by_forces = recording.folder.manifest().method == Method::Forces;
    // By forces nothing is lost at once, so that the colour of friction is free.
    let holding = Ink::series(if by_forces { 4 } else { 6 });
    let kinds = [
        ("translational", Ink::series(0), translational),
        ("rotational", Ink::series(5), rotational),
        ("potential, from its lowest", Ink::series(2), from_lowest),
        ("held by contacts", holding, positive(&in_contact)),
        ("lost to restitution", Ink::series(1), restitution),
        ("lost to friction", Ink::series(4), friction),
        (
            "lost in lasting contacts",
            Ink::series(3),
            positive(&lasting),
        ),
        // Beside rigid bodies, the only ones with steps, there is no drag: its colour is free.
        ("lost to steps", Ink::series(6), positive(&steps)),
        ("lost to drag", Ink::series(6), positive(&fields)),
        ("taken by kinematic bodies", Ink::Wall, negative(&work)),
        ("taken from outside", Ink::Quiet, negative(&brought)),
    ]
    .map(|(name, ink, values)| Kind { name, ink, values });
    let given = given(&energy_added, [&work, &brought], [&fields, &steps]);
    let (layers, top) = stack(&time, &kinds, &given);
    let highest = top.iter().map(|p| p[1]);
    let y = Axis::fitting("energy", "J", highest.chain([0.0]));
    let x = time_axis(recording);
    let panels = vec![
        Panel {
            heading: String::new(),
            x: Axis {
                label: String::new(),
                unit: String::new(),
                ..x.clone()
            },
            y,
            height: 300.0,
            same_scale: false,
            layers,
            message: None,
        },
        residual_panel(&time, &residual, &top, by_forces, x),
    ];
    Ok(Figure {
        name: "energy",
        title: "Energy by kind".to_owned(),
        subtitle: recording.caption(),
        panels,
        columns: 1,
        notes: note.into_iter().collect(),
    })
}

/// What was put in at each time, by friction and by those that give and those that take, where they did.
fn given(
    energy_added: &[f64],
    [work, brought]: [&[f64]; 2],
    [fields, steps]: [&[f64]; 2],
) -> Vec<f64> {
    (0..energy_added.len())
        .map(|row| {
            let either = [work[row], brought[row], -fields[row], -steps[row]];
            energy_added[row] + either.iter().map(|given| given.max(0.0)).sum::<f64>()
        })
        .collect()
}

/// Losses to restitution and to friction, where one that is a gain is taken off the other.
fn without_gains(restitution: &[f64], friction: &[f64]) -> [Vec<f64>; 2] {
    [(restitution, friction), (friction, restitution)].map(|(own, other)| {
        own.iter()
            .zip(other)
            .map(|(own, other)| (own + other.min(0.0)).max(0.0))
            .collect()
    })
}

/// By how much the budgets are open, and why.
fn residual_panel(
    time: &[f64],
    residual: &[f64],
    top: &[Point],
    by_forces: bool,
    x: Axis,
) -> Panel {
    let worst = residual.iter().copied().map(f64::abs).fold(0.0, f64::max);
    let books: Vec<Point> = time
        .iter()
        .copied()
        .zip(residual.iter().copied())
        .map(|(t, e)| [t, e])
        .collect();
    // Not less than the last digit of what there is; of one joule where there is nothing.
    let most = top.iter().map(|p| p[1]).fold(0.0, f64::max);
    let digit = if most > 0.0 { most } else { 1.0 } * f64::EPSILON;
    let scale = residual.iter().copied().chain([-digit, digit]);
    let cause = if by_forces {
        "the error of the steps"
    } else {
        "rounding"
    };
    Panel {
        heading: match worst {
            0.0 => "Energy residual: none".to_owned(),
            worst => format!("Energy residual: at most {} J, {cause}", rounded(worst, 2)),
        },
        x,
        y: Axis::fitting("residual", "J", scale),
        height: 125.0,
        same_scale: false,
        layers: vec![Layer {
            name: None,
            ..Layer::line("", &books, Pen::new(Ink::series(1), 1.4))
        }],
        message: None,
    }
}

/// The stack, and the line that it comes up to.
fn stack(time: &[f64], kinds: &[Kind], given: &[f64]) -> (Vec<Layer>, Vec<Point>) {
    let mut layers = Vec::new();
    let mut floor = vec![0.0; time.len()];
    let mut tops = Vec::new();
    let largest = kinds
        .iter()
        .flat_map(|kind| &kind.values)
        .copied()
        .fold(0.0, f64::max);
    for kind in kinds {
        let most = kind.values.iter().copied().fold(0.0, f64::max);
        let ceiling: Vec<f64> = floor.iter().zip(&kind.values).map(|(a, b)| a + b).collect();
        if most > UNSEEN * largest {
            let band: Vec<[f64; 3]> = (0..time.len())
                .map(|row| [time[row], floor[row], ceiling[row]])
                .collect();
            let ink = kind.ink;
            layers.push(Layer::band(kind.name, &band, ink, 0.7));
            let edge: Vec<Point> = band.iter().map(|p| [p[0], p[2]]).collect();
            tops.push(Layer {
                name: None,
                ..Layer::line("", &edge, Pen::new(ink, 1.2))
            });
        }
        floor = ceiling;
    }
    let start = floor.first().copied().unwrap_or(0.0) - given.first().copied().unwrap_or(0.0);
    let line: Vec<Point> = time
        .iter()
        .zip(given)
        .map(|(&t, &g)| [t, start + g])
        .collect();
    let something = given.iter().any(|g| *g > UNSEEN * largest);
    let name = if something {
        "initial energy, and energy added since (by kinematic bodies, ε > 1, wind, edits)"
    } else {
        "all at the start"
    };
    layers.extend(tops);
    let pen = Pen {
        dash: Dash::Long,
        ..Pen::new(Ink::Text, 1.8)
    };
    layers.push(Layer::line(name, &line, pen));
    let highest = floor.iter().zip(time).map(|(&f, &t)| [t, f]);
    let all = line.iter().copied().chain(highest).collect();
    (layers, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_comes_up_to_the_line() {
        let kinds = [
            Kind {
                name: "kinetic",
                ink: Ink::series(0),
                values: vec![2.0, 1.0, 1.5],
            },
            Kind {
                name: "lost",
                ink: Ink::series(1),
                values: vec![0.0, 1.0, 1.0],
            },
        ];
        let (layers, all) = stack(&[0.0, 1.0, 2.0], &kinds, &[0.0, 0.0, 0.5]);
        // Two bands, their edges, the line.
        assert_eq!(layers.len(), 5);
        assert_eq!(all[..3], all[3..]);
        assert_eq!(all[5], [2.0, 2.5]);
    }
}
