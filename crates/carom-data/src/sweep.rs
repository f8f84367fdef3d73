//! Sweep folders: one scene at many points.
//!
//! `sweep.json` says what is to be run, `runs.jsonl` has a line for each run that has ended, written when it ends: a
//! sweep that was killed goes on with what is missing. When all is there, `table.parquet` has a row for each run and
//! `means.parquet` one for each point. The Python package writes the same two first files.

mod pairs;
mod seed;
mod table;

pub use pairs::Pairs;
pub use seed::seed_of;
pub use table::{SWEEP_COLUMNS, SweepTable, unit_of};

use crate::error::DataError;
use crate::files::{self, Over};
use crate::folder::{Claim, LOCK};
use crate::parquet_file;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What is to be run.
pub const SWEEP: &str = "sweep.json";
/// What has been run.
pub const RUNS: &str = "runs.jsonl";
const FORMAT: &str = "carom-sweep";
const VERSION: u64 = 1;
/// One row for each run.
const TABLE: &str = "table.parquet";
/// One row for each point.
const MEANS: &str = "means.parquet";

/// What a sweep varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepParameter {
    /// As the user calls it: a column of the table.
    pub name: String,
    /// What it goes through: numbers, or values as text.
    pub values: Vec<Value>,
}

/// What a sweep is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    format: String,
    version: u64,
    /// Of the scene.
    pub title: String,
    /// What is varied.
    pub parameters: Vec<SweepParameter>,
    /// How often each point is run.
    pub repeat: u64,
    /// What the seeds of all runs follow from.
    pub seed: u64,
    /// What else it depends on: the scene, its overrides, the method. Another value of any of them is another sweep.
    #[serde(flatten)]
    pub others: BTreeMap<String, Value>,
}

/// A run of a sweep that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// Which point, from 0.
    pub index: u64,
    /// Which repetition of it, from 0.
    pub repetition: u64,
    /// Of everything random in the run.
    pub seed: u64,
    /// The values of the parameters.
    pub point: Pairs<Value>,
    /// What was observed; `None` where it is not finite.
    pub observed: Pairs<Option<f64>>,
    /// Empty where all went well.
    pub error: String,
}

impl SweepPlan {
    /// Of parameters, with whatever else the runs depend on.
    pub fn new(
        title: String,
        parameters: Vec<SweepParameter>,
        repeat: u64,
        seed: u64,
        others: BTreeMap<String, Value>,
    ) -> Self {
        SweepPlan {
            format: FORMAT.to_owned(),
            version: VERSION,
            title,
            parameters,
            repeat,
            seed,
            others,
        }
    }

    fn read(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join(SWEEP);
        let (bytes, _) = match files::read_whole(&path) {
            Err(DataError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Err(DataError::Refused {
                    path: folder.to_owned(),
                    reason: format!("it is no sweep folder: it has no `{SWEEP}`"),
                });
            }
            read => read?,
        };
        let plan: SweepPlan =
            serde_json::from_slice(&bytes).map_err(|error| DataError::damaged(&path, error))?;
        if plan.format != FORMAT {
            let reason = format!("its format is `{}`, not `{FORMAT}`", plan.format);
            return Err(DataError::damaged(&path, reason));
        }
        if plan.version > VERSION {
            return Err(DataError::Version {
                path,
                found: plan.version,
                known: VERSION,
            });
        }
        Ok(plan)
    }

    /// What another plan has otherwise, by the keys of the file.
    fn differences(&self, other: &SweepPlan) -> Vec<String> {
        let keys = |plan: &SweepPlan| match serde_json::to_value(plan) {
            Ok(Value::Object(keys)) => keys,
            _ => serde_json::Map::new(),
        };
        let (one, two) = (keys(self), keys(other));
        let names: std::collections::BTreeSet<&String> = one.keys().chain(two.keys()).collect();
        let differs = |name: &&&String| one.get(**name) != two.get(**name);
        names
            .iter()
            .filter(differs)
            .map(|name| format!("`{name}`"))
            .collect()
    }
}

/// Whether a folder has a sweep, by how its plan begins.
pub fn is_sweep(folder: &Path) -> bool {
    let mut bytes = Vec::new();
    let file = File::open(folder.join(SWEEP));
    let read = file.and_then(|file| file.take(64).read_to_end(&mut bytes));
    read.is_ok() && String::from_utf8_lossy(&bytes).contains("\"carom-sweep\"")
}

/// Reads a sweep as far as it has got: what it is to do, and the runs that have ended, by point and repetition.
pub fn read_sweep(folder: &Path) -> Result<(SweepPlan, Vec<SweepRow>), DataError> {
    let plan = SweepPlan::read(folder)?;
    let (rows, _) = read_runs(&folder.join(RUNS))?;
    Ok((plan, rows.into_values().collect()))
}

type Runs = BTreeMap<(u64, u64), SweepRow>;

/// The runs of a file, and how long the file is without a line that a kill has cut off.
fn read_runs(path: &Path) -> Result<(Runs, u64), DataError> {
    let bytes = match files::read_whole(path) {
        Err(DataError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Vec::new(),
        read => read?.0,
    };
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    let end = end.map_or(0, |last| last + 1);
    let mut rows = Runs::new();
    for (number, line) in (1..).zip(bytes[..end].split_inclusive(|&byte| byte == b'\n')) {
        let row: SweepRow = serde_json::from_slice(line)
            .map_err(|error| DataError::damaged(path, format!("line {number}: {error}")))?;
        rows.insert((row.index, row.repetition), row);
    }
    Ok((rows, end as u64))
}

/// A sweep folder that this process writes to.
#[derive(Debug)]
pub struct SweepFolder {
    claim: Claim,
    plan: SweepPlan,
    rows: Runs,
    lines: File,
}

impl SweepFolder {
    /// Makes a sweep folder with a copy of the scene in it (its name and bytes); or goes on with the same sweep, where
    /// the folder has it.
    pub fn open(path: &Path, plan: SweepPlan, scene: (&str, &[u8])) -> Result<Self, DataError> {
        let refused = |reason: String| DataError::Refused {
            path: path.to_owned(),
            reason,
        };
        fs::create_dir_all(path).map_err(DataError::write(path))?;
        if is_sweep(path) {
            let found = SweepPlan::read(path)?;
            if found != plan {
                return Err(refused(format!(
                    "it has another sweep, with another {}: take another folder",
                    plan.differences(&found).join(", ")
                )));
            }
        } else if has_files(path)? {
            let reason = "it is neither empty nor a sweep folder: take another one";
            return Err(refused(reason.to_owned()));
        }
        let claim = Claim::take(path)?;
        if !is_sweep(path) {
            let text = serde_json::to_vec_pretty(&plan).map_err(std::io::Error::from);
            let text = text.map_err(DataError::write(&path.join(SWEEP)))?;
            let copy = path.join(scene.0);
            if !copy.exists() {
                files::write_bytes(&copy, &Over::Nothing, scene.1)?;
            }
            // Last: a folder that has it has all of it.
            files::write_bytes(&path.join(SWEEP), &Over::Nothing, &text)?;
            files::sync_folder(path)?;
        }
        let path = path.join(RUNS);
        let (rows, end) = read_runs(&path)?;
        let lines = File::options().append(true).create(true).open(&path);
        let lines = lines.map_err(DataError::write(&path))?;
        lines.set_len(end).map_err(DataError::write(&path))?;
        Ok(SweepFolder {
            claim,
            plan,
            rows,
            lines,
        })
    }

    /// Whether a run is there already.
    pub fn has(&self, index: u64, repetition: u64) -> bool {
        self.rows.contains_key(&(index, repetition))
    }

    /// How many runs are there.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The runs that are there, by point and repetition.
    pub fn rows(&self) -> Vec<SweepRow> {
        self.rows.values().cloned().collect()
    }

    /// Keeps a run that has ended.
    pub fn add(&mut self, row: SweepRow) -> Result<(), DataError> {
        let path = self.claim.path().join(RUNS);
        let line = serde_json::to_vec(&row).map_err(std::io::Error::from);
        let written = line.and_then(|mut line| {
            line.push(b'\n');
            // All at once, so that a kill cuts off one line at most.
            self.lines.write_all(&line)
        });
        written.map_err(DataError::write(&path))?;
        self.rows.insert((row.index, row.repetition), row);
        Ok(())
    }

    /// Writes the tables; answers where they are. Where they are already, from a sweep that had come to its end, they
    /// stay.
    pub fn finish(&self) -> Result<Vec<PathBuf>, DataError> {
        let folder = self.claim.path();
        self.lines
            .sync_all()
            .map_err(DataError::write(&folder.join(RUNS)))?;
        let rows = self.rows();
        let mut written = Vec::new();
        for (name, table) in [
            (TABLE, SweepTable::of_runs(&self.plan, &rows)),
            (MEANS, SweepTable::of_points(&self.plan, &rows)),
        ] {
            let path = folder.join(name);
            if !path.exists() {
                parquet_file::write(&path, &Over::Nothing, &table.columns, &table.rows)?;
            }
            written.push(path);
        }
        Ok(written)
    }
}

/// Whether there is anything in a folder but what carom leaves when it is killed while making a sweep.
fn has_files(path: &Path) -> Result<bool, DataError> {
    let begun = |name: &str| name == LOCK || name.starts_with("scene.") || name.starts_with('.');
    for entry in fs::read_dir(path).map_err(DataError::read(path))? {
        let entry = entry.map_err(DataError::read(path))?;
        let locked = path.join(LOCK).is_file();
        if !(locked && begun(&entry.file_name().to_string_lossy())) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plan(values: &[f64]) -> SweepPlan {
        let parameter = SweepParameter {
            name: "height".to_owned(),
            values: values.iter().map(|&value| json!(value)).collect(),
        };
        SweepPlan::new("A drop".to_owned(), vec![parameter], 2, 7, BTreeMap::new())
    }

    fn row(index: u64, repetition: u64, found: Option<f64>) -> SweepRow {
        SweepRow {
            index,
            repetition,
            seed: seed_of(7, index, repetition),
            point: Pairs(vec![("height".to_owned(), json!(index as f64))]),
            observed: match found {
                Some(value) => Pairs(vec![
                    ("time".to_owned(), Some(value)),
                    ("energy".to_owned(), None),
                ]),
                None => Pairs(Vec::new()),
            },
            error: found.map_or("it fell".to_owned(), |_| String::new()),
        }
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("carom-sweep-{name}-{}", files::mark()))
    }

    #[test]
    fn what_was_kept_is_there_again_but_for_a_line_that_was_cut_off() {
        let path = folder("again");
        let scene = ("scene.toml", b"version = 1".as_slice());
        let mut sweep = SweepFolder::open(&path, plan(&[0.0, 1.0]), scene).unwrap();
        sweep.add(row(1, 0, Some(3.0))).unwrap();
        sweep.add(row(0, 1, None)).unwrap();
        drop(sweep);
        let lines = path.join(RUNS);
        let mut file = File::options().append(true).open(&lines).unwrap();
        file.write_all(b"{\"index\": 1, \"rep").unwrap();
        let mut sweep = SweepFolder::open(&path, plan(&[0.0, 1.0]), scene).unwrap();
        assert_eq!(sweep.len(), 2);
        assert!(sweep.has(1, 0) && sweep.has(0, 1) && !sweep.has(0, 0));
        sweep.add(row(0, 0, Some(1.0))).unwrap();
        let kept = sweep.rows();
        assert_eq!(kept[0], row(0, 0, Some(1.0)));
        drop(sweep);
        assert_eq!(read_sweep(&path).unwrap().1, kept);
        let error = SweepFolder::open(&path, plan(&[0.0]), scene).unwrap_err();
        assert!(
            error.to_string().contains("another `parameters`"),
            "{error}"
        );
        fs::write(&lines, "{}\n").unwrap();
        let error = read_sweep(&path).unwrap_err().to_string();
        assert!(error.contains("line 1: missing field"), "{error}");
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_folder_of_a_user_is_not_taken() {
        let path = folder("mine");
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("letter.txt"), "dear").unwrap();
        let error = SweepFolder::open(&path, plan(&[0.0]), ("scene.toml", b"")).unwrap_err();
        assert!(error.to_string().contains("neither empty"), "{error}");
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
        let error = read_sweep(&path).unwrap_err().to_string();
        assert!(error.contains("no sweep folder"), "{error}");
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn tables_have_a_row_for_each_run_and_for_each_point() {
        let rows = [
            row(0, 0, Some(1.0)),
            row(0, 1, Some(3.0)),
            row(1, 0, Some(5.0)),
            row(1, 1, None),
        ];
        let plan = plan(&[0.0, 1.0]);
        let table = SweepTable::of_runs(&plan, &rows);
        let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_ref()).collect();
        assert_eq!(
            names,
            [
                "point",
                "repetition",
                "seed",
                "height",
                "time",
                "energy",
                "error"
            ]
        );
        assert_eq!(table.rows.len(), 4);
        assert_eq!(table.rows.values[6].texts()[3], "it fell");
        assert!(table.rows.values[4].numbers()[3].is_nan());
        let means = SweepTable::of_points(&plan, &rows);
        let numbers = |name| means.numbers(name).unwrap();
        assert_eq!(numbers("time"), [2.0, 5.0]);
        // Half the difference of two, and nothing where there is one alone.
        assert!(
            (numbers("time_error")[0] - 1.0).abs() < 1e-15 && numbers("time_error")[1].is_nan()
        );
        assert_eq!(numbers("count"), [2.0, 1.0]);
        assert_eq!(numbers("failed"), [0.0, 1.0]);
    }

    #[test]
    fn what_is_observed_and_varied_under_one_name_has_two_columns() {
        let mut plan = plan(&[0.0, 1.0]);
        plan.parameters[0].name = "time".to_owned();
        let mut rows = [row(0, 0, Some(1.0)), row(1, 0, Some(5.0))];
        for row in &mut rows {
            row.point.0[0].0 = "time".to_owned();
        }
        for table in [
            SweepTable::of_runs(&plan, &rows),
            SweepTable::of_points(&plan, &rows),
        ] {
            assert_eq!(table.numbers("time").unwrap(), [0.0, 1.0]);
            assert_eq!(table.numbers("observed.time").unwrap(), [1.0, 5.0]);
        }
    }
}
