//! Events one by one, and as a table of columns.

use carom::record::Mode;
use carom::record::{Change, Collision, Event as Happening, Regime, Separation};
use carom::space::Space;
use carom_data::DataSpace;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Kinds of events, by their number.
pub const KINDS: [&str; 6] = [
    "collision",
    "entered",
    "left",
    "transition",
    "released",
    "edited",
];

/// What more there is to say of an event, in a word, by its number: what the friction did at a collision, how a ball
/// moves after a transition, what ended a contact, what was changed.
pub const MODES: &[&str] = &[
    "",
    "idle",
    "frictionless",
    "stick",
    "slide",
    "slip reversed",
    "damped",
    "sliding",
    "rolling",
    "spinning",
    "resting",
    "flying",
    "time",
    "struck",
    "wall",
    "edited",
    "inserted",
    "removed",
    "velocity",
    "position",
    "material",
    "groups",
    "materials",
    "gravity",
    "fields",
    "motion",
    "load",
    "velocities",
];

fn mode_code(word: &str) -> u8 {
    MODES.iter().position(|mode| *mode == word).unwrap_or(0) as u8
}

fn collision_mode(mode: Mode) -> u8 {
    match mode {
        Mode::Idle => 1,
        Mode::Frictionless => 2,
        Mode::Stick => 3,
        Mode::Slide => 4,
        Mode::SlipReversed => 5,
        Mode::Damped => 6,
    }
}

fn kind_of<S: Space>(event: &Happening<'_, S>) -> Option<u8> {
    match event {
        Happening::Collision(_) => Some(0),
        Happening::Entered(_) => Some(1),
        Happening::Left(_) => Some(2),
        Happening::Transition(_) => Some(3),
        Happening::Released(_) => Some(4),
        Happening::Edited(_) => Some(5),
        _ => None,
    }
}

/// The bit of an event's kind; none where nothing happened.
#[inline]
pub fn bit_of<S: Space>(event: &Happening<'_, S>) -> u32 {
    kind_of(event).map_or(0, |kind| 1 << kind)
}

/// An event as it is kept.
#[derive(Clone, Debug)]
pub struct Record {
    kind: u8,
    mode: u8,
    number: u64,
    time: f64,
    a: i32,
    b: i32,
    impact: Option<Box<Impact>>,
    duration: f64,
}

/// What only collisions have.
#[derive(Clone, Debug)]
struct Impact {
    point: [f64; 3],
    normal: [f64; 3],
    impulse: [f64; 3],
    /// Velocities of a and b before, and of a and b after.
    velocities: [[f64; 3]; 4],
    angular: [[f64; 3]; 4],
    energy_lost: f64,
    lost_to_friction: f64,
    gap: f64,
    approach_speed: f64,
}

impl Impact {
    fn of<S: DataSpace>(collision: &Collision<S>) -> Self {
        let [ab, bb] = collision.before;
        let [aa, ba] = collision.after;
        let all = [ab, bb, aa, ba];
        Impact {
            point: S::components(collision.point),
            normal: S::components(collision.normal),
            impulse: S::components(collision.impulse),
            velocities: all.map(|side| S::components(side.velocity)),
            angular: all.map(|side| S::angular_velocity_numbers(side.angular_velocity)),
            energy_lost: collision.energy_lost,
            lost_to_friction: collision.lost_to_friction,
            gap: collision.gap,
            approach_speed: collision.approach_speed,
        }
    }
}

/// Kind, mode, number, time, a, b and duration of what is no collision.
type Plain = (u8, u8, u64, f64, i32, i32, f64);

fn plain<S: Space>(event: &Happening<'_, S>) -> Option<Plain> {
    let nan = f64::NAN;
    let kind = kind_of(event)?;
    Some(match event {
        Happening::Entered(crossing) | Happening::Left(crossing) => (
            kind,
            0,
            0,
            crossing.time,
            crossing.ball.0 as i32,
            crossing.sensor.0 as i32,
            nan,
        ),
        Happening::Transition(change) => {
            let word = match change.regime {
                Some(Regime::Sliding) => "sliding",
                Some(Regime::Rolling) => "rolling",
                Some(Regime::Spinning) => "spinning",
                Some(Regime::Resting) => "resting",
                None => "flying",
            };
            let on = change.on.map_or(-1, |on| on.0 as i32);
            (
                kind,
                mode_code(word),
                0,
                change.time,
                change.ball.0 as i32,
                on,
                nan,
            )
        }
        Happening::Released(release) => {
            let separation: Separation = release.separation;
            (
                kind,
                mode_code(separation.name()),
                release.number,
                release.time,
                release.a.0 as i32,
                release.b.0 as i32,
                release.duration,
            )
        }
        Happening::Edited(edit) => {
            let (word, body) = match edit.change {
                Change::Inserted(id) => ("inserted", Some(id)),
                Change::Removed(id) => ("removed", Some(id)),
                Change::Velocity(id) => ("velocity", Some(id)),
                Change::Velocities => ("velocities", None),
                Change::Position(id) => ("position", Some(id)),
                Change::Material(id) => ("material", Some(id)),
                Change::CollisionFilter(id) => ("groups", Some(id)),
                Change::Materials => ("materials", None),
                Change::Gravity => ("gravity", None),
                Change::Fields => ("fields", None),
                Change::Drive(id) => ("motion", Some(id)),
                Change::Stalled(id) => ("stalled", Some(id)),
                Change::Load(id) => ("load", Some(id)),
                _ => ("", None),
            };
            let body = body.map_or(-1, |id| id.0 as i32);
            (kind, mode_code(word), 0, edit.time, body, -1, nan)
        }
        _ => return None,
    })
}

impl Record {
    pub fn of<S: DataSpace>(event: &Happening<'_, S>) -> Option<Self> {
        if let Happening::Collision(collision) = event {
            return Some(Record {
                kind: 0,
                mode: collision_mode(collision.mode),
                number: collision.number,
                time: collision.time,
                a: collision.a.0 as i32,
                b: collision.b.0 as i32,
                impact: Some(Box::new(Impact::of(collision))),
                duration: collision.duration,
            });
        }
        let (kind, mode, number, time, a, b, duration) = plain(event)?;
        Some(Record {
            kind,
            mode,
            number,
            time,
            a,
            b,
            impact: None,
            duration,
        })
    }
}

/// Something that happened.
#[pyclass(module = "carom._carom", frozen)]
pub struct Event {
    pub dimension: usize,
    pub record: Record,
}

impl Event {
    fn vector(&self, numbers: impl Fn(&Impact) -> [f64; 3]) -> Option<Vec<f64>> {
        let impact = self.record.impact.as_deref()?;
        Some(numbers(impact)[..self.dimension].to_vec())
    }

    fn turn(&self, place: usize) -> Option<Vec<f64>> {
        let impact = self.record.impact.as_deref()?;
        let columns = if self.dimension == 2 { 1 } else { 3 };
        Some(impact.angular[place][..columns].to_vec())
    }
}

#[pymethods]
impl Event {
    /// What happened: `collision`, `entered`, `left`, …, as in tables of events.
    #[getter]
    fn kind(&self) -> &'static str {
        KINDS[usize::from(self.record.kind)]
    }
    /// What the friction of a collision did, what a transition led to, or what was changed; may be empty.
    #[getter]
    fn mode(&self) -> &'static str {
        MODES[usize::from(self.record.mode)]
    }
    /// The number of the collision, from 1 (of a release, of the collision that began the contact); 0 for other events.
    #[getter]
    fn number(&self) -> u64 {
        self.record.number
    }
    /// When, s.
    #[getter]
    fn time(&self) -> f64 {
        self.record.time
    }
    /// The id of the first body; `None` where there is none.
    #[getter]
    fn a(&self) -> Option<i32> {
        Some(self.record.a).filter(|&id| id >= 0)
    }
    /// The id of the second body; `None` where there is none.
    #[getter]
    fn b(&self) -> Option<i32> {
        Some(self.record.b).filter(|&id| id >= 0)
    }
    /// Where they touch, m; `None` for what is no collision.
    #[getter]
    fn point(&self) -> Option<Vec<f64>> {
        self.vector(|impact| impact.point)
    }
    /// The unit normal, from b to a; `None` for what is no collision.
    #[getter]
    fn normal(&self) -> Option<Vec<f64>> {
        self.vector(|impact| impact.normal)
    }
    /// The impulse on a, kg·m/s; the opposite is on b.
    #[getter]
    fn impulse(&self) -> Option<Vec<f64>> {
        self.vector(|impact| impact.impulse)
    }
    /// Velocities of a and b just before, m/s.
    #[getter]
    fn velocities_before(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let side = |place: usize| self.vector(|impact| impact.velocities[place]);
        Some((side(0)?, side(1)?))
    }
    /// Velocities of a and b just after, m/s.
    #[getter]
    fn velocities_after(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let side = |place: usize| self.vector(|impact| impact.velocities[place]);
        Some((side(2)?, side(3)?))
    }
    /// Angular velocities of a and b just before, rad/s: one number in 2-D, three in 3-D.
    #[getter]
    fn angular_velocities_before(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        Some((self.turn(0)?, self.turn(1)?))
    }
    /// Angular velocities of a and b just after, rad/s.
    #[getter]
    fn angular_velocities_after(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        Some((self.turn(2)?, self.turn(3)?))
    }
    /// What the collision took out, J.
    #[getter]
    fn energy_lost(&self) -> Option<f64> {
        Some(self.record.impact.as_deref()?.energy_lost)
    }
    /// The part of what was taken out that friction took, J.
    #[getter]
    fn lost_to_friction(&self) -> Option<f64> {
        Some(self.record.impact.as_deref()?.lost_to_friction)
    }
    /// Between the surfaces at the instant of the collision, m: rounding.
    #[getter]
    fn gap(&self) -> Option<f64> {
        Some(self.record.impact.as_deref()?.gap)
    }
    /// How fast they came together along the normal, m/s.
    #[getter]
    fn approach_speed(&self) -> Option<f64> {
        Some(self.record.impact.as_deref()?.approach_speed)
    }
    /// How long the contact lasts, s; `None` for what is neither a collision nor a release.
    #[getter]
    fn duration(&self) -> Option<f64> {
        Some(self.record.duration).filter(|duration| !duration.is_nan())
    }

    fn __repr__(&self) -> String {
        let Record {
            time, a, b, mode, ..
        } = self.record;
        let mode = match MODES[usize::from(mode)] {
            "" => String::new(),
            word => format!(", {word}"),
        };
        let with = match (a, b) {
            (-1, _) => String::new(),
            (a, -1) => format!(", {a}"),
            (a, b) => format!(", {a} and {b}"),
        };
        format!("<{} at {time} s{with}{mode}>", self.kind())
    }
}

/// Events as columns.
#[pyclass(module = "carom._carom")]
pub struct EventTable {
    dimension: usize,
    /// Which kinds are kept, one bit each.
    kinds: u32,
    kind: Vec<u8>,
    mode: Vec<u8>,
    number: Vec<i64>,
    time: Vec<f64>,
    a: Vec<i32>,
    b: Vec<i32>,
    point: Vec<f64>,
    normal: Vec<f64>,
    impulse: Vec<f64>,
    velocities: [Vec<f64>; 4],
    angular: [Vec<f64>; 4],
    energy_lost: Vec<f64>,
    lost_to_friction: Vec<f64>,
    gap: Vec<f64>,
    duration: Vec<f64>,
    approach_speed: Vec<f64>,
}

impl EventTable {
    #[inline]
    pub fn push<S: DataSpace>(&mut self, event: &Happening<'_, S>) {
        if self.kinds & bit_of(event) == 0 {
            return;
        }
        match event {
            Happening::Collision(collision) => self.collision(collision),
            other => self.plain(other),
        }
    }

    #[inline]
    fn collision<S: DataSpace>(&mut self, collision: &Collision<S>) {
        let (dimension, turns) = (S::DIMENSION, S::ANGULAR_VELOCITY.len());
        self.kind.push(0);
        self.mode.push(collision_mode(collision.mode));
        self.number.push(collision.number as i64);
        self.time.push(collision.time);
        self.a.push(collision.a.0 as i32);
        self.b.push(collision.b.0 as i32);
        let vectors = [
            (&mut self.point, collision.point),
            (&mut self.normal, collision.normal),
            (&mut self.impulse, collision.impulse),
        ];
        for (column, vector) in vectors {
            column.extend_from_slice(&S::components(vector)[..dimension]);
        }
        let sides = collision.before.iter().chain(&collision.after);
        for (place, side) in sides.enumerate() {
            self.velocities[place].extend_from_slice(&S::components(side.velocity)[..dimension]);
            let numbers = S::angular_velocity_numbers(side.angular_velocity);
            self.angular[place].extend_from_slice(&numbers[..turns]);
        }
        self.energy_lost.push(collision.energy_lost);
        self.lost_to_friction.push(collision.lost_to_friction);
        self.gap.push(collision.gap);
        self.duration.push(collision.duration);
        self.approach_speed.push(collision.approach_speed);
    }

    #[cold]
    fn plain<S: DataSpace>(&mut self, event: &Happening<'_, S>) {
        let Some((kind, mode, number, time, a, b, duration)) = plain(event) else {
            return;
        };
        self.kind.push(kind);
        self.mode.push(mode);
        self.number.push(number as i64);
        self.time.push(time);
        self.a.push(a);
        self.b.push(b);
        let nothing = [f64::NAN; 3];
        let (dimension, turns) = (S::DIMENSION, S::ANGULAR_VELOCITY.len());
        for column in [&mut self.point, &mut self.normal, &mut self.impulse] {
            column.extend_from_slice(&nothing[..dimension]);
        }
        for column in &mut self.velocities {
            column.extend_from_slice(&nothing[..dimension]);
        }
        for column in &mut self.angular {
            column.extend_from_slice(&nothing[..turns]);
        }
        self.duration.push(duration);
        for column in [
            &mut self.energy_lost,
            &mut self.lost_to_friction,
            &mut self.gap,
            &mut self.approach_speed,
        ] {
            column.push(f64::NAN);
        }
    }
}

/// A column without a copy, with rows of `width` numbers where that is not one.
fn column<'py, T: Element>(
    py: Python<'py>,
    values: &mut Vec<T>,
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let values = std::mem::take(values);
    let rows = values.len() / width;
    let flat = PyArray1::from_vec(py, values);
    if width == 1 {
        return Ok(flat.into_any());
    }
    Ok(flat.reshape([rows, width])?.into_any())
}

#[pymethods]
impl EventTable {
    #[new]
    fn new(dimension: usize, kinds: u32) -> Self {
        EventTable {
            dimension,
            kinds,
            kind: Vec::new(),
            mode: Vec::new(),
            number: Vec::new(),
            time: Vec::new(),
            a: Vec::new(),
            b: Vec::new(),
            point: Vec::new(),
            normal: Vec::new(),
            impulse: Vec::new(),
            velocities: Default::default(),
            angular: Default::default(),
            energy_lost: Vec::new(),
            lost_to_friction: Vec::new(),
            gap: Vec::new(),
            duration: Vec::new(),
            approach_speed: Vec::new(),
        }
    }

    fn __len__(&self) -> usize {
        self.time.len()
    }

    #[staticmethod]
    fn kinds() -> Vec<&'static str> {
        KINDS.to_vec()
    }

    #[staticmethod]
    fn modes() -> Vec<&'static str> {
        MODES.to_vec()
    }

    /// Hands the columns over, without copies; the table is empty then.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dimension = self.dimension;
        let turns = if dimension == 2 { 1 } else { 3 };
        let all = PyDict::new(py);
        all.set_item("kind", column(py, &mut self.kind, 1)?)?;
        all.set_item("number", column(py, &mut self.number, 1)?)?;
        all.set_item("time", column(py, &mut self.time, 1)?)?;
        all.set_item("a", column(py, &mut self.a, 1)?)?;
        all.set_item("b", column(py, &mut self.b, 1)?)?;
        all.set_item("point", column(py, &mut self.point, dimension)?)?;
        all.set_item("normal", column(py, &mut self.normal, dimension)?)?;
        all.set_item("impulse", column(py, &mut self.impulse, dimension)?)?;
        all.set_item("mode", column(py, &mut self.mode, 1)?)?;
        let places = [
            ("a", "before", 0),
            ("a", "after", 2),
            ("b", "before", 1),
            ("b", "after", 3),
        ];
        for (side, when, place) in places {
            let velocities = column(py, &mut self.velocities[place], dimension)?;
            all.set_item(format!("{side}_velocity_{when}"), velocities)?;
            let angular = column(py, &mut self.angular[place], turns)?;
            all.set_item(format!("{side}_angular_velocity_{when}"), angular)?;
        }
        all.set_item("energy_lost", column(py, &mut self.energy_lost, 1)?)?;
        all.set_item(
            "lost_to_friction",
            column(py, &mut self.lost_to_friction, 1)?,
        )?;
        all.set_item("gap", column(py, &mut self.gap, 1)?)?;
        all.set_item("duration", column(py, &mut self.duration, 1)?)?;
        all.set_item("approach_speed", column(py, &mut self.approach_speed, 1)?)?;
        Ok(all)
    }
}
