//! What has happened so far: a row for each event, and the budgets at equal times.

use crate::space::WebSpace;
use carom::record::Event;
use carom::space::Linear;

/// More events are not listed, only counted: 50 MB of them are.
pub const MOST_EVENTS: usize = 2_000_000;

/// Numbers of a row: time, kind, a, b, number of the collision, size of the impulse (kg·m/s).
pub const EVENT_ROW: usize = 6;

/// Events in short. What more there is to say of one is found by running up to it again.
#[derive(Default)]
pub struct History {
    times: Vec<f64>,
    kinds: Vec<u8>,
    pairs: Vec<[i32; 2]>,
    numbers: Vec<u32>,
    strengths: Vec<f32>,
}

/// An event's kind by its number; none where nothing happened.
pub fn kind_of<S: WebSpace>(event: &Event<'_, S>) -> Option<u8> {
    match event {
        Event::Collision(_) => Some(0),
        Event::Entered(_) => Some(1),
        Event::Left(_) => Some(2),
        Event::Transition(_) => Some(3),
        Event::Released(_) => Some(4),
        Event::Edited(_) => Some(5),
        Event::Action(_) => Some(6),
        _ => None,
    }
}

impl History {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Adds one, of a kind.
    pub fn push<S: WebSpace>(&mut self, kind: u8, event: &Event<'_, S>) {
        if self.len() >= MOST_EVENTS {
            return;
        }
        let (time, pair, number, strength) = match event {
            Event::Collision(collision) => (
                collision.time,
                [collision.a.0 as i32, collision.b.0 as i32],
                collision.number as u32,
                collision.impulse.length() as f32,
            ),
            Event::Entered(crossing) | Event::Left(crossing) => (
                crossing.time,
                [crossing.ball.0 as i32, crossing.sensor.0 as i32],
                0,
                0.0,
            ),
            Event::Transition(change) => (
                change.time,
                [change.ball.0 as i32, change.on.map_or(-1, |on| on.0 as i32)],
                0,
                0.0,
            ),
            Event::Released(release) => (
                release.time,
                [release.a.0 as i32, release.b.0 as i32],
                release.number as u32,
                0.0,
            ),
            Event::Edited(edit) => (edit.time, [-1, -1], 0, 0.0),
            Event::Action(entry) => {
                let ball = entry.ball.map_or(-1, |ball| ball.0 as i32);
                (entry.time, [ball, -1], 0, 0.0)
            }
            _ => return,
        };
        self.times.push(time);
        self.kinds.push(kind);
        self.pairs.push(pair);
        self.numbers.push(number);
        self.strengths.push(strength);
    }

    /// Forgets all from one on.
    pub fn truncate(&mut self, length: usize) {
        self.times.truncate(length);
        self.kinds.truncate(length);
        self.pairs.truncate(length);
        self.numbers.truncate(length);
        self.strengths.truncate(length);
    }

    /// At most so many rows from one on.
    pub fn rows(&self, from: usize, most: usize) -> Vec<f64> {
        let to = self.len().min(from.saturating_add(most));
        let mut rows = Vec::with_capacity(to.saturating_sub(from) * EVENT_ROW);
        for i in from..to {
            let [a, b] = self.pairs[i];
            rows.extend([
                self.times[i],
                f64::from(self.kinds[i]),
                f64::from(a),
                f64::from(b),
                f64::from(self.numbers[i]),
                f64::from(self.strengths[i]),
            ]);
        }
        rows
    }
}

/// Budgets at equal times.
pub struct Samples {
    /// From one to the next, s.
    pub interval: f64,
    rows: Vec<Vec<f64>>,
}

impl Samples {
    /// None yet.
    pub fn new(interval: f64) -> Self {
        Samples {
            interval,
            rows: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many there will be at a time, s.
    pub fn expected(&self, time: f64) -> usize {
        (time / self.interval) as usize
    }

    /// When the next one is due, s.
    pub fn next_time(&self) -> f64 {
        self.rows.len() as f64 * self.interval
    }

    /// Adds one.
    pub fn push(&mut self, row: Vec<f64>) {
        self.rows.push(row);
    }

    /// Forgets those after a time, s.
    pub fn forget_after(&mut self, time: f64) {
        self.rows.retain(|row| row[0] <= time);
    }

    /// All rows from one on.
    pub fn rows(&self, from: usize) -> Vec<f64> {
        self.rows.iter().skip(from).flatten().copied().collect()
    }
}
