//! Games of pinball, many at once.

use carom::body::Kind;
use carom::simulate::Simulation;
use carom::space::Space2;
use carom_stock::Pinball;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Length and width of the table, and the radius of its ball, m.
const SIZE: (f64, f64, f64) = (1.07, 0.54, 0.0135);
const KEYS: [&str; 2] = ["left", "right"];

/// A game, and why it cannot go on, if it cannot.
struct Game {
    simulation: Simulation<Space2>,
    error: Option<String>,
}

/// Position (m) and velocity (m/s) of the ball; NaN where none is on the table.
type Look = [f64; 4];

impl Game {
    fn new(balls: u64, plunger_speed: f64) -> PyResult<Self> {
        let table = Pinball {
            balls,
            plunger_speed,
            player: false,
            ..Pinball::default()
        };
        let simulation = table
            .table()
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Game {
            simulation,
            error: None,
        })
    }

    /// Goes on for a time (s) with these keys held.
    fn step(&mut self, keys: [bool; 2], duration: f64) {
        if self.error.is_some() || self.simulation.is_over() {
            return;
        }
        let game = &mut self.simulation;
        let run = (|| {
            for (key, held) in KEYS.into_iter().zip(keys) {
                if held {
                    game.press(key)?;
                } else {
                    game.release(key)?;
                }
            }
            game.run_until(game.time() + duration).map(drop)
        })();
        if let Err(error) = run {
            self.error = Some(error.to_string());
        }
    }

    fn look(&self) -> Look {
        let game = &self.simulation;
        let is_free = |id: &carom::world::BodyId| {
            let body = game.body(*id);
            body.is_some_and(|body| matches!(body.kind, Kind::Free(_)))
        };
        match game.bodies().into_iter().find(is_free) {
            Some(ball) => {
                let state = game.state(ball);
                let (at, speed) = (state.position, state.velocity);
                [at.x, at.y, speed.x, speed.y]
            }
            None => [f64::NAN; 4],
        }
    }
}

/// Games of pinball, side by side.
#[pyclass(module = "carom._carom")]
pub struct Pinballs {
    games: Vec<Game>,
    balls: u64,
}

#[pymethods]
impl Pinballs {
    #[new]
    fn new(balls: u64, plunger_speeds: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let speeds = plunger_speeds.as_slice()?;
        let games = speeds.iter().map(|&speed| Game::new(balls, speed));
        Ok(Pinballs {
            games: games.collect::<PyResult<_>>()?,
            balls,
        })
    }

    /// Length and width of the table, and the radius of its ball, m.
    #[staticmethod]
    fn size() -> (f64, f64, f64) {
        SIZE
    }

    /// Begins some of the games anew.
    fn reset(
        &mut self,
        which: PyReadonlyArray1<'_, usize>,
        plunger_speeds: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let speeds = plunger_speeds.as_slice()?;
        if which.len() != speeds.len() {
            return Err(PyValueError::new_err("a speed is needed for each game"));
        }
        for (&number, &speed) in which.as_slice()?.iter().zip(speeds) {
            let new = Game::new(self.balls, speed)?;
            let Some(game) = self.games.get_mut(number) else {
                return Err(PyValueError::new_err(format!("there is no game {number}")));
            };
            *game = new;
        }
        Ok(())
    }

    /// All games go on for a time (s), each with its keys, left and right, held or not: (n, 2). On so many threads; the
    /// results do not depend on how many.
    fn step(
        &mut self,
        py: Python<'_>,
        keys: PyReadonlyArray2<'_, bool>,
        duration: f64,
        threads: usize,
    ) -> PyResult<()> {
        let count = self.games.len();
        if keys.shape() != [count, 2] {
            return Err(PyValueError::new_err("keys must have the shape (n, 2)"));
        }
        if !(duration > 0.0 && duration <= 1e3) {
            return Err(PyValueError::new_err(format!(
                "duration is {duration}, but must be above 0 and at most 1000 s"
            )));
        }
        let keys: Vec<[bool; 2]> = keys
            .as_slice()?
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect();
        let share = count.div_ceil(threads.clamp(1, count.max(1)));
        let games = &mut self.games;
        py.detach(|| {
            std::thread::scope(|scope| {
                for (games, keys) in games
                    .chunks_mut(share.max(1))
                    .zip(keys.chunks(share.max(1)))
                {
                    let mut work = move || {
                        for (game, &keys) in games.iter_mut().zip(keys) {
                            game.step(keys, duration);
                        }
                    };
                    if share == count {
                        work();
                    } else {
                        scope.spawn(work);
                    }
                }
            });
        });
        Ok(())
    }

    /// How all games stand: `ball` (n, 4), `points`, `lost` (balls), `over`, `time` (s), `collisions`, `digest`, and
    /// `errors`.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let games = &self.games;
        let looks: Vec<f64> = games.iter().flat_map(Game::look).collect();
        let looks = PyArray1::from_vec(py, looks).reshape([games.len(), 4])?;
        all.set_item("ball", looks)?;
        for name in ["points", "lost"] {
            let scores = games.iter().map(|game| game.simulation.score(name));
            all.set_item(name, PyArray1::from_iter(py, scores))?;
        }
        let over = |game: &Game| game.simulation.is_over() || game.error.is_some();
        all.set_item("over", PyArray1::from_iter(py, games.iter().map(over)))?;
        let times = games.iter().map(|game| game.simulation.time());
        all.set_item("time", PyArray1::from_iter(py, times))?;
        let collisions = games.iter().map(|game| game.simulation.collisions() as i64);
        all.set_item("collisions", PyArray1::from_iter(py, collisions))?;
        let digests = games.iter().map(|game| game.simulation.digest());
        all.set_item("digest", PyArray1::from_iter(py, digests))?;
        let errors: Vec<Option<&str>> = games.iter().map(|game| game.error.as_deref()).collect();
        all.set_item("errors", errors)?;
        Ok(all)
    }
}
