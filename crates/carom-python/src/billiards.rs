//! Shots at pool, many at once.

use crate::error;
use carom::glam::DVec2;
use carom_stock::billiards::{Balls, CueStrike, Fate, Outcome, Rack, Shot, ShotError, Table};
use numpy::{
    PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As many numbers as a strike has: speed, direction, elevation, side, height.
const STRIKE: usize = 5;

fn table_of(name: &str) -> PyResult<Table> {
    match name {
        "nine_foot" => Ok(Table::nine_foot()),
        "seven_foot" => Ok(Table::seven_foot()),
        _ => Err(PyValueError::new_err(format!(
            "table is `{name}`, but must be `nine_foot` or `seven_foot`"
        ))),
    }
}

/// A rack of a game.
fn rack_of(
    game: &str,
    table: &Table,
    balls: &Balls,
    gap: f64,
    seed: u64,
) -> Result<Rack, ShotError> {
    match game {
        "eight_ball" => Rack::eight_ball(table, balls, gap, seed),
        _ => Rack::nine_ball(table, balls, gap, seed),
    }
}

fn refused(error: &ShotError) -> PyErr {
    error::RunError::new_err(error.to_string())
}

/// Length and width of a table, and the radius of its balls, m.
#[pyfunction]
pub fn table_size(table: &str) -> PyResult<(f64, f64, f64)> {
    let table = table_of(table)?;
    Ok((table.length, table.width, Balls::pool().radius))
}

/// The shots of a call.
struct Shots<'a> {
    table: Table,
    balls: Balls,
    /// (shots, balls, 2); NaN where a ball is not on the table.
    places: &'a [f64],
    count: usize,
    /// (shots, 5).
    strikes: &'a [f64],
}

/// What is kept of a shot.
struct Kept {
    /// Where the balls are at the end; NaN where one is not on the table.
    places: Vec<f64>,
    duration: f64,
    events: i64,
    digest: u64,
    error: Option<String>,
}

impl Shots<'_> {
    fn play(&self, number: usize) -> Kept {
        let from = number * self.count * 2;
        let places = &self.places[from..from + self.count * 2];
        let strike = &self.strikes[number * STRIKE..(number + 1) * STRIKE];
        let there: Vec<usize> = (0..self.count)
            .filter(|ball| places[2 * ball].is_finite())
            .collect();
        let names: Vec<String> = there.iter().map(usize::to_string).collect();
        let rack = Rack {
            names,
            places: there
                .iter()
                .map(|ball| DVec2::new(places[2 * ball], places[2 * ball + 1]))
                .collect(),
        };
        let shot = Shot {
            table: self.table,
            balls: self.balls,
            rack,
            strike: CueStrike {
                elevation: strike[2],
                side: strike[3],
                height: strike[4],
                ..CueStrike::new(strike[0], strike[1])
            },
        };
        match shot.play() {
            Ok(outcome) => self.kept(&there, &outcome),
            Err(error) => Kept {
                places: vec![f64::NAN; 2 * self.count],
                duration: f64::NAN,
                events: 0,
                digest: 0,
                error: Some(error.to_string()),
            },
        }
    }

    fn kept(&self, there: &[usize], outcome: &Outcome) -> Kept {
        let mut places = vec![f64::NAN; 2 * self.count];
        for (ball, fate) in there.iter().zip(&outcome.fates) {
            if let Fate::OnTable(state) = fate {
                places[2 * ball] = state.position.x;
                places[2 * ball + 1] = state.position.y;
            }
        }
        Kept {
            places,
            duration: outcome.duration,
            events: outcome.events.len() as i64,
            digest: outcome.digest,
            error: None,
        }
    }

    /// All of them, each on the thread that comes to it first; in their order.
    fn play_all(&self, shots: usize, threads: usize) -> Vec<Kept> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= shots {
                    return done;
                }
                done.push((number, self.play(number)));
            }
        };
        let mut all: Vec<(usize, Kept)> = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads.min(shots)).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for helper in helpers {
                match helper.join() {
                    Ok(done) => all.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        });
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, kept)| kept).collect()
    }
}

/// Plays shots until everything rests: `places` (n, balls, 2) in m, NaN where a ball is not on the table; `strikes`
/// (n, 5): speed (m/s), direction (rad), elevation (rad), side and height (radii). On so many threads; the results do
/// not depend on how many.
#[pyfunction]
pub fn play_shots<'py>(
    py: Python<'py>,
    table: &str,
    places: PyReadonlyArray3<'py, f64>,
    strikes: PyReadonlyArray2<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (shots, count) = (places.shape()[0], places.shape()[1]);
    if places.shape()[2] != 2 || strikes.shape() != [shots, STRIKE] || count == 0 {
        let text = "places must have the shape (n, balls, 2), and strikes (n, 5)";
        return Err(PyValueError::new_err(text));
    }
    let all = Shots {
        table: table_of(table)?,
        balls: Balls::pool(),
        places: places.as_slice()?,
        count,
        strikes: strikes.as_slice()?,
    };
    let kept = py.detach(|| all.play_all(shots, threads.max(1)));
    let found = PyDict::new(py);
    let ends: Vec<f64> = kept
        .iter()
        .flat_map(|kept| kept.places.iter().copied())
        .collect();
    found.set_item(
        "places",
        PyArray1::from_vec(py, ends).reshape([shots, count, 2])?,
    )?;
    let durations = kept.iter().map(|kept| kept.duration).collect();
    found.set_item("duration", PyArray1::from_vec(py, durations))?;
    let events = kept.iter().map(|kept| kept.events).collect();
    found.set_item("events", PyArray1::from_vec(py, events))?;
    let digests = kept.iter().map(|kept| kept.digest).collect();
    found.set_item("digest", PyArray1::from_vec(py, digests))?;
    let errors: Vec<Option<String>> = kept.into_iter().map(|kept| kept.error).collect();
    found.set_item("errors", errors)?;
    Ok(found)
}

/// Where the balls of a game lie before the break, one rack for each seed, m: (n, balls, 2), the cue ball first.
#[pyfunction]
pub fn racks<'py>(
    py: Python<'py>,
    game: &str,
    table: &str,
    gap: f64,
    seeds: PyReadonlyArray1<'py, u64>,
) -> PyResult<Bound<'py, PyAny>> {
    if !["eight_ball", "nine_ball"].contains(&game) {
        let text = format!("game is `{game}`, but must be `eight_ball` or `nine_ball`");
        return Err(PyValueError::new_err(text));
    }
    let (of, balls) = (table_of(table)?, Balls::pool());
    let mut numbers: Vec<f64> = Vec::new();
    let mut count = 0;
    for &seed in seeds.as_slice()? {
        let rack = rack_of(game, &of, &balls, gap, seed).map_err(|error| refused(&error))?;
        count = rack.places.len();
        numbers.extend(rack.places.iter().flat_map(|place| place.to_array()));
    }
    let rows = seeds.len();
    Ok(PyArray1::from_vec(py, numbers)
        .reshape([rows, count, 2])?
        .into_any())
}
