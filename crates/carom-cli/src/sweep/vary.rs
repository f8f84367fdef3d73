//! What a sweep varies: parameters by name, and the values that they go through.

use super::point::Job;
use crate::output::Failure;
use crate::scene;
use carom::world::World;
use carom_data::{DataSpace, SWEEP_COLUMNS};
use carom_scene::{AnyWorld, Scene};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// As many values as a parameter may have, and as many runs as a sweep.
const MOST_VALUES: usize = 100_000;
pub const MOST_RUNS: u64 = 1_000_000;

/// A parameter and its values, as they are written on the command line and in the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    pub name: String,
    pub values: Vec<String>,
}

/// A value as JSON: a number where it is one.
pub fn json_of(value: &String) -> Value {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => json!(number),
        _ => json!(value),
    }
}

impl Varied {
    /// Reads `NAME=FROM:TO:STEP` or `NAME=VALUE,VALUE`.
    pub fn read(text: &str) -> Result<Self, String> {
        const EXPECTED: &str =
            "must be NAME=FROM:TO:STEP or NAME=VALUE,VALUE, such as restitution=0.5:1:0.05";
        let (name, values) = text.split_once('=').ok_or(EXPECTED)?;
        let (name, values) = (name.trim(), values.trim());
        if name.is_empty() || values.is_empty() {
            return Err(EXPECTED.to_owned());
        }
        let numbers: Vec<&str> = values.split(':').map(str::trim).collect();
        let values = match numbers[..] {
            [from, to, step] if [from, to, step].iter().all(|n| n.parse::<f64>().is_ok()) => {
                range(from, to, step)?
            }
            [from, to] if [from, to].iter().all(|n| n.parse::<f64>().is_ok()) => {
                return Err(format!(
                    "a range needs a step: {name}={from}:{to}:STEP, both ends included"
                ));
            }
            _ => list(values)?,
        };
        if values.len() > MOST_VALUES {
            return Err(format!("has more than {MOST_VALUES} values"));
        }
        Ok(Varied {
            name: name.to_owned(),
            values,
        })
    }
}

/// Both ends included, in as many decimals as were written: 0.5, 0.55, 0.6, and not 0.6000000000000001.
fn range(from: &str, to: &str, step: &str) -> Result<Vec<String>, String> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.abs() < 1e15 => Ok(number),
        _ => Err(format!("`{text}` must be a finite number below 1e15")),
    };
    let (first, last, by) = (number(from)?, number(to)?, number(step)?);
    let steps = (last - first) / by;
    if by == 0.0 || steps < 0.0 || !steps.is_finite() {
        return Err(format!("the step {step} does not lead from {from} to {to}"));
    }
    if steps > MOST_VALUES as f64 {
        return Err(format!("has more than {MOST_VALUES} values"));
    }
    // A last value that rounding has put a hair beyond the end is the end.
    let count = (steps * (1.0 + 1e-12) + 1e-9).floor() as usize;
    let places = [from, step].map(decimals).into_iter().max().flatten();
    let value = |place: usize| {
        let value = first + place as f64 * by;
        match places {
            // By way of a number, which leaves out zeros at the end.
            Some(places) => format!("{value:.places$}")
                .parse::<f64>()
                .unwrap_or(value)
                .to_string(),
            None => value.to_string(),
        }
    };
    Ok((0..=count).map(value).collect())
}

/// How many decimals a number was written with; `None` where it has a power of ten.
fn decimals(text: &str) -> Option<usize> {
    if text.contains(['e', 'E']) {
        return None;
    }
    Some(text.split_once('.').map_or(0, |(_, after)| after.len()))
}

/// Values between commas, but not those within brackets or quotes.
fn list(text: &str) -> Result<Vec<String>, String> {
    let (mut depth, mut quote) = (0_i32, None);
    let mut values = vec![String::new()];
    for letter in text.chars() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => (),
            ('"' | '\'', None) => quote = Some(letter),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => (),
        }
        if let Some(last) = values.last_mut() {
            last.push(letter);
        }
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    if quote.is_some() || depth != 0 || values.iter().any(String::is_empty) {
        return Err("has a value that is empty, or a bracket or a quote that is left open".into());
    }
    Ok(values)
}

/// A parameter of a sweep.
pub struct Parameter {
    pub name: String,
    pub values: Vec<String>,
    /// The keys of the scene that it sets.
    paths: Vec<String>,
}

/// All combinations of some parameters, the last fastest.
pub struct Grid {
    pub parameters: Vec<Parameter>,
}

impl Grid {
    /// What is asked for, or what the scene has lists of.
    pub fn new(varied: &[Varied], scene: &Scene, job: &Job) -> Result<Self, Failure> {
        let own: Vec<Varied> = scene
            .variables
            .iter()
            .filter(|variable| variable.values.len() > 1)
            .map(|variable| Varied {
                // Where a column is called so, by its path.
                name: match taken(&variable.name) {
                    Some(_) => format!("variables.{}", variable.name),
                    None => variable.name.clone(),
                },
                values: variable.values.iter().map(ToString::to_string).collect(),
            })
            .collect();
        let varied = if varied.is_empty() { &own[..] } else { varied };
        if varied.is_empty() {
            return Err(Failure::BadInput(
                "error: nothing is varied: give --vary NAME=VALUES, or [variables] with lists in the scene\n"
                    .to_owned(),
            ));
        }
        let mut names = BTreeSet::new();
        let mut parameters = Vec::new();
        for one in varied {
            if !names.insert(&one.name) {
                let text = format!("error: `{}` is varied twice\n", one.name);
                return Err(Failure::BadInput(text));
            }
            if let Some(why) = taken(&one.name) {
                return Err(Failure::BadInput(why));
            }
            parameters.push(Parameter {
                name: one.name.clone(),
                paths: paths(&one.name, &one.values[0], scene, job),
                values: one.values.clone(),
            });
        }
        let grid = Grid { parameters };
        grid.check(job)?;
        Ok(grid)
    }

    /// How many combinations there are; the largest number where there are more.
    pub fn points(&self) -> u64 {
        let lengths = self.parameters.iter().map(|p| p.values.len() as u64);
        lengths.fold(1, u64::saturating_mul)
    }

    /// The values at a point.
    pub fn values(&self, mut index: u64) -> Vec<String> {
        let mut values = Vec::new();
        for parameter in self.parameters.iter().rev() {
            let length = parameter.values.len() as u64;
            values.push(parameter.values[(index % length) as usize].clone());
            index /= length;
        }
        values.reverse();
        values
    }

    /// What they replace in the scene.
    pub fn overrides(&self, values: &[String]) -> Vec<(String, String)> {
        let both = self.parameters.iter().zip(values);
        both.flat_map(|(parameter, value)| {
            let set = |path: &String| (path.clone(), value.clone());
            parameter.paths.iter().map(set)
        })
        .collect()
    }

    /// Refuses parameters that no point can have: a key that there is not would fail at all of them. A point that
    /// cannot be is kept with its error, so that a few are tried.
    fn check(&self, job: &Job) -> Result<(), Failure> {
        let mut first = None;
        for index in [0, self.points() / 2, self.points() - 1] {
            match job.read(&self.overrides(&self.values(index)), 0) {
                Ok(_) => return Ok(()),
                Err(errors) => first = first.or(Some(errors)),
            }
        }
        match first {
            Some(errors) => Err(scene::bad_scene(&errors)),
            None => Ok(()),
        }
    }
}

/// Why a parameter cannot be called so.
fn taken(name: &str) -> Option<String> {
    if name == "seed" {
        let why = "each run has a seed of its own, which follows from --seed, the point and the repetition";
        return Some(format!("error: `seed` cannot be varied: {why}\n"));
    }
    let is_column = SWEEP_COLUMNS.contains(&name);
    is_column.then(|| {
        format!("error: `{name}` is a column of every sweep: give the path of the key, such as variables.{name}\n")
    })
}

/// The keys that a name stands for: a variable, a key of the scene, or a key of all its materials.
fn paths(name: &str, value: &str, scene: &Scene, job: &Job) -> Vec<String> {
    if scene.variables.iter().any(|variable| variable.name == name) {
        return vec![format!("variables.{name}")];
    }
    let plain = vec![name.to_owned()];
    let set = |path: String| [(path, value.to_owned())];
    if name.contains('.') || job.read(&set(name.to_owned()), 0).is_ok() {
        return plain;
    }
    let materials = match &scene.world {
        AnyWorld::Two(world) => materials(world),
        AnyWorld::Three(world) => materials(world),
    };
    let paths: Vec<String> = materials
        .into_iter()
        .map(|material| format!("materials.\"{material}\".{name}"))
        // The material that bodies have by default need not be in the file.
        .filter(|path| job.read(&set(path.clone()), 0).is_ok())
        .collect();
    if paths.is_empty() { plain } else { paths }
}

/// The materials that bodies are made of.
fn materials<S: DataSpace>(world: &World<S>) -> BTreeSet<String> {
    let names = world.bodies().iter().map(|body| body.material);
    names
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|id| world.materials.name(id).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Varied::read(text).unwrap().values
    }

    #[test]
    fn ranges_have_both_ends_and_as_many_digits_as_were_written() {
        let found = values("restitution=0.5:1:0.05");
        assert_eq!(found.len(), 11);
        assert_eq!(found[3], "0.65");
        assert_eq!(found[10], "1");
        assert_eq!(values("n=100:300:100"), ["100", "200", "300"]);
        assert_eq!(values("x=1:0:-0.5"), ["1", "0.5", "0"]);
        // The end is not a multiple.
        assert_eq!(values("x=0:1:0.4"), ["0", "0.4", "0.8"]);
        assert_eq!(values("x=1e-3:3e-3:1e-3").len(), 3);
    }

    #[test]
    fn lists_are_split_at_commas_outside_of_brackets() {
        assert_eq!(values("v=[6,0],[9, 0.1]"), ["[6,0]", "[9, 0.1]"]);
        assert_eq!(values("law=newton, coulomb"), ["newton", "coulomb"]);
        assert_eq!(values("name=\"a,b\",c"), ["\"a,b\"", "c"]);
        assert_eq!(values("x=3"), ["3"]);
    }

    #[test]
    fn what_is_no_range_and_no_list_is_refused() {
        for (bad, why) in [
            ("x", "must be NAME="),
            ("=3", "must be NAME="),
            ("x=", "must be NAME="),
            ("x=0:1", "needs a step"),
            ("x=0:1:-0.1", "does not lead"),
            ("x=0:1:0", "does not lead"),
            ("x=0:1:1e-9", "more than 100000 values"),
            ("x=nan:1:0.1", "finite"),
            ("x=1,,2", "empty"),
            ("x=[1,2", "left open"),
        ] {
            let error = Varied::read(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}
