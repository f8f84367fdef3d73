//! The tables of a sweep: a row for each run, and a row for each point with means and their standard errors.

use super::{SweepPlan, SweepRow};
use crate::table::{Column, Rows, Values};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A table of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepTable {
    /// What they are called.
    pub columns: Vec<Column>,
    /// What they hold.
    pub rows: Rows,
}

/// The unit of what runs of the command are observed for; empty where there is none, or where it is not known.
pub fn unit_of(column: &str) -> &'static str {
    let column = column.strip_suffix("_error").unwrap_or(column);
    // Of a single body: `cue.x`.
    let last = column.rsplit('.').next().unwrap_or(column);
    match last {
        "time" => "s",
        "energy" | "energy_initial" | "translational" | "rotational" | "potential" => "J",
        "lost_in_collisions" | "energy_residual" | "temperature" | "average_temperature" => "J",
        "momentum_x" | "momentum_y" | "momentum_z" => "kg·m/s",
        "mean_speed" | "fastest" | "average_speed" | "vx" | "vy" | "vz" => "m/s",
        "x" | "y" | "z" | "mean_free_path" | "centre_x" | "centre_y" | "centre_z" => "m",
        "omega" | "omega_x" | "omega_y" | "omega_z" => "rad/s",
        "collision_rate" | "average_collision_rate" => "1/s",
        _ => "",
    }
}

/// Columns that every table of a sweep has: no parameter may be called so.
pub const SWEEP_COLUMNS: [&str; 6] = ["point", "repetition", "seed", "error", "count", "failed"];

/// What a column of what was observed is called: so that no parameter is, nor anything else.
fn column_of(plan: &SweepPlan, name: &str) -> String {
    let error = format!("{name}_error");
    let mut others = (plan.parameters.iter())
        .map(|parameter| parameter.name.as_str())
        .chain(SWEEP_COLUMNS);
    if others.any(|other| other == name || other == error) {
        return format!("observed.{name}");
    }
    name.to_owned()
}

/// What was observed, in the order in which it first comes up.
fn observed(rows: &[SweepRow]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.observed.0) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

impl SweepTable {
    fn new() -> Self {
        SweepTable {
            columns: Vec::new(),
            rows: Rows { values: Vec::new() },
        }
    }

    fn put(&mut self, column: Column, values: Values) {
        self.columns.push(column);
        self.rows.values.push(values);
    }

    fn put_integers(&mut self, name: &'static str, values: impl Iterator<Item = u64>) {
        let values = values.map(|value| i64::try_from(value).unwrap_or(i64::MAX));
        self.put(Column::integer(name), Values::Integers(values.collect()));
    }

    fn put_numbers(&mut self, name: String, values: Vec<f64>) {
        let unit = unit_of(&name);
        self.put(Column::number(name, unit), Values::Numbers(values));
    }

    /// A parameter: numbers, or texts where one of its values is none.
    fn put_parameter(&mut self, name: &str, rows: &[&SweepRow]) {
        let values = || rows.iter().map(|row| row.point.get(name));
        let numbers: Option<Vec<f64>> = values().map(|value| value?.as_f64()).collect();
        if let Some(numbers) = numbers {
            self.put(
                Column::number(name.to_owned(), ""),
                Values::Numbers(numbers),
            );
            return;
        }
        let texts = values().map(|value| match value {
            Some(Value::String(text)) => Cow::Owned(text.clone()),
            Some(value) => Cow::Owned(value.to_string()),
            None => Cow::Borrowed(""),
        });
        let column = Column {
            name: name.to_owned().into(),
            ..Column::text("")
        };
        self.put(column, Values::Texts(texts.collect()));
    }

    /// One row for each run.
    pub fn of_runs(plan: &SweepPlan, rows: &[SweepRow]) -> Self {
        let mut table = SweepTable::new();
        table.put_integers("point", rows.iter().map(|row| row.index));
        table.put_integers("repetition", rows.iter().map(|row| row.repetition));
        table.put_integers("seed", rows.iter().map(|row| row.seed));
        let all: Vec<&SweepRow> = rows.iter().collect();
        for parameter in &plan.parameters {
            table.put_parameter(&parameter.name, &all);
        }
        for name in observed(rows) {
            let values = rows.iter().map(|row| value(row, name).unwrap_or(f64::NAN));
            table.put_numbers(column_of(plan, name), values.collect());
        }
        let errors = rows.iter().map(|row| Cow::Owned(row.error.clone()));
        table.put(Column::text("error"), Values::Texts(errors.collect()));
        table
    }

    /// One row for each point: means over its repetitions, their standard errors (`…_error`), how many went well and
    /// how many failed.
    pub fn of_points(plan: &SweepPlan, rows: &[SweepRow]) -> Self {
        let mut points: BTreeMap<u64, Vec<&SweepRow>> = BTreeMap::new();
        for row in rows {
            points.entry(row.index).or_default().push(row);
        }
        let mut table = SweepTable::new();
        table.put_integers("point", points.keys().copied());
        let firsts: Vec<&SweepRow> = points.values().map(|rows| rows[0]).collect();
        for parameter in &plan.parameters {
            table.put_parameter(&parameter.name, &firsts);
        }
        for name in observed(rows) {
            let found: Vec<[f64; 2]> = points.values().map(|rows| mean(rows, name)).collect();
            let name = column_of(plan, name);
            let errors = found.iter().map(|pair| pair[1]).collect();
            table.put_numbers(name.clone(), found.iter().map(|pair| pair[0]).collect());
            table.put_numbers(format!("{name}_error"), errors);
        }
        let good =
            |rows: &Vec<&SweepRow>| rows.iter().filter(|row| row.error.is_empty()).count() as u64;
        table.put_integers("count", points.values().map(good));
        table.put_integers(
            "failed",
            points.values().map(|rows| rows.len() as u64 - good(rows)),
        );
        table
    }

    /// A column as numbers, also one of whole numbers; `None` where there is none, or where it holds texts.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        match &self.rows.values[place] {
            Values::Numbers(values) => Some(values.clone()),
            Values::Integers(values) => Some(values.iter().map(|&value| value as f64).collect()),
            Values::Texts(_) => None,
        }
    }

    /// A column as texts: of numbers, as they are written.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        Some(match &self.rows.values[place] {
            Values::Numbers(values) => values.iter().map(ToString::to_string).collect(),
            Values::Integers(values) => values.iter().map(ToString::to_string).collect(),
            Values::Texts(values) => values.iter().map(ToString::to_string).collect(),
        })
    }
}

fn value(row: &SweepRow, name: &str) -> Option<f64> {
    *row.observed.get(name)?
}

/// The mean over the repetitions that have a value, and its standard error: NaN where there are too few.
fn mean(rows: &[&SweepRow], name: &str) -> [f64; 2] {
    let values: Vec<f64> = rows.iter().filter_map(|row| value(row, name)).collect();
    let count = values.len() as f64;
    let Some(&first) = values.first() else {
        return [f64::NAN; 2];
    };
    // From the first one on, so that runs that are the same have no error at all.
    let mean = first + values.iter().map(|value| value - first).sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = if values.len() > 1 {
        (squares / (count - 1.0) / count).sqrt()
    } else {
        f64::NAN
    };
    [mean, error]
}
