//! How the table looks.

use crate::big::digits;
use crate::kernels::Kernel;
use crate::oracle::Truth;
use crate::tally::Tally;

const COLUMNS: [(&str, usize); 12] = [
    ("kernel", 37),
    ("cases", 8),
    ("hits", 8),
    ("grazing", 7),
    ("boundary", 8),
    ("wrong", 5),
    ("time, ulp", 17),
    ("time, u[t+L/s]", 16),
    ("gap, u·L", 16),
    ("refined, ulp", 17),
    ("bounds", 11),
    ("verdict", 7),
];

fn joined(cells: &[String], markdown: bool) -> String {
    if markdown {
        return format!("| {} |", cells.join(" | "));
    }
    let padded: Vec<String> = cells
        .iter()
        .zip(COLUMNS)
        .enumerate()
        .map(|(index, (cell, (_, width)))| {
            let space = " ".repeat(width.saturating_sub(cell.chars().count()));
            if index == 0 {
                format!("{cell}{space}")
            } else {
                format!("{space}{cell}")
            }
        })
        .collect();
    padded.join("  ")
}

/// The first lines: errors are given as the largest and, after a slash, the median.
pub fn heading(markdown: bool) -> String {
    let names: Vec<String> = COLUMNS.iter().map(|(name, _)| (*name).into()).collect();
    let mut heading = joined(&names, markdown);
    if markdown {
        heading += "\n|---|";
        heading += &"---:|".repeat(COLUMNS.len() - 1);
    }
    heading
}

fn short(value: f64) -> String {
    if value == 0.0 || (0.01..10_000.0).contains(&value) {
        format!("{value:.2}")
    } else {
        format!("{value:.1e}")
    }
}

/// One row. A note after the kernel's name says which cases.
pub fn line(kernel: &Kernel, note: &str, tally: &Tally, markdown: bool) -> String {
    let limits = &kernel.limits;
    let pair = |errors: &crate::tally::Errors| {
        format!("{} / {}", short(errors.largest()), short(errors.median()))
    };
    let refined = limits.refined.map_or("–".into(), |limit| limit.to_string());
    joined(
        &[
            format!("{}{note}", kernel.name()),
            tally.cases.to_string(),
            tally.hits.to_string(),
            tally.grazing.to_string(),
            tally.boundary.to_string(),
            tally.wrong.to_string(),
            pair(&tally.time_ulps),
            pair(&tally.time_scaled),
            pair(&tally.backward),
            if limits.refined.is_some() {
                pair(&tally.refined)
            } else {
                "–".into()
            },
            format!("{} {} {refined}", limits.time, limits.backward),
            if tally.holds(kernel) {
                "holds"
            } else {
                "FAILS"
            }
            .into(),
        ],
        markdown,
    )
}

/// The truth in words and digits.
pub fn truth(truth: &Truth) -> String {
    match truth {
        Truth::Never => "never".into(),
        Truth::Undecided => "undecided".into(),
        Truth::Touch(time) => format!("touch {}", digits(time, 25)),
        Truth::Contact(contact) => format!(
            "{} ({:?}, closing {:.3e}, curvature {:.3e})",
            digits(&contact.time, 25),
            contact.onset,
            contact.approach_speed,
            contact.curvature
        ),
    }
}
