//! Who is near: free bodies in cells by their centres.
//!
//! A cell is so large that two bodies that touch are in cells next to each other, even where both have left theirs by
//! the slack that they are allowed. Only cells that somebody is in take room, so that the world needs no borders.

use super::track::Track;
use crate::space::Space;
use std::collections::HashMap;

pub(super) type Cell = [i64; 3];

#[derive(Clone, Debug)]
pub(super) struct Cells {
    side: f64,
    members: HashMap<Cell, Vec<u32>>,
    /// By slot.
    at: Vec<Cell>,
}

/// How far a body may leave its cell, in sides of it.
const SLACK: f64 = 0.1;

impl Cells {
    pub fn new(side: f64) -> Self {
        Cells {
            side,
            members: HashMap::new(),
            at: Vec::new(),
        }
    }

    fn cell_of<S: Space>(&self, place: S::Vector) -> Cell {
        // Beyond all bounds everyone is in the last cell: slow there, and right.
        S::components(place).map(|x| (x / self.side).floor().clamp(-9e15, 9e15) as i64)
    }

    /// Puts the next slot where it is.
    pub fn admit<S: Space>(&mut self, place: S::Vector) {
        let (cell, slot) = (self.cell_of::<S>(place), self.at.len() as u32);
        self.at.push(cell);
        self.members.entry(cell).or_default().push(slot);
    }

    /// The cell of each body, as numbers that a snapshot holds: cells beyond 2⁵³ are all the last one.
    pub fn places(&self) -> Vec<[f64; 3]> {
        self.at
            .iter()
            .map(|cell| cell.map(|at| at as f64))
            .collect()
    }

    /// With everyone in the cells that they were in.
    pub fn restored(side: f64, places: &[[f64; 3]]) -> Self {
        let mut cells = Cells::new(side);
        for (slot, place) in (0..).zip(places) {
            let cell = place.map(|at| at as i64);
            cells.at.push(cell);
            cells.members.entry(cell).or_default().push(slot);
        }
        cells
    }

    /// Puts a body into the cell that its centre is in.
    pub fn move_to<S: Space>(&mut self, slot: u32, place: S::Vector) {
        let (from, to) = (self.at[slot as usize], self.cell_of::<S>(place));
        if from == to {
            return;
        }
        if let Some(members) = self.members.get_mut(&from) {
            members.retain(|&other| other != slot);
            if members.is_empty() {
                self.members.remove(&from);
            }
        }
        self.members.entry(to).or_default().push(slot);
        self.at[slot as usize] = to;
    }

    /// Everyone in the cells around a body's, itself excluded.
    pub fn near<S: Space>(&self, slot: u32, mut visit: impl FnMut(u32)) {
        let [x, y, z] = self.at[slot as usize];
        let depth = if S::DIMENSION == 3 { -1..=1 } else { 0..=0 };
        for dz in depth {
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let Some(members) = self.members.get(&[x + dx, y + dy, z + dz]) else {
                        continue;
                    };
                    for &other in members.iter().filter(|&&other| other != slot) {
                        visit(other);
                    }
                }
            }
        }
    }

    /// When a body's centre will have left its cell and the slack around it, s.
    pub fn exit<S: Space>(&self, slot: u32, track: &Track<S>, now: f64) -> f64 {
        let cell = self.at[slot as usize];
        let place = S::components(track.position_at(now));
        let velocity = S::components(track.velocity_at(now));
        let acceleration = S::components(track.acceleration);
        let mut first = f64::INFINITY;
        for axis in 0..S::DIMENSION {
            let low = (cell[axis] as f64 - SLACK) * self.side;
            let high = (cell[axis] as f64 + 1.0 + SLACK) * self.side;
            let (v, a) = (velocity[axis], acceleration[axis]);
            for (distance, sign) in [(high - place[axis], 1.0), (place[axis] - low, -1.0)] {
                // It was in the cell itself a moment ago: with the slack around it, it is a while until it leaves.
                first = first.min(reach(distance, v * sign, a * sign));
            }
        }
        now + first
    }
}

/// The first time at which `v t + ½ a t²` reaches a distance, s; at once where it is not positive.
pub(super) fn reach(distance: f64, v: f64, a: f64) -> f64 {
    if distance <= 0.0 {
        return 0.0;
    }
    let discriminant = v * v + 2.0 * a * distance;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    // 2 d / (v + √…) has no cancellation where v is positive; where it is not, the root needs a push that wins.
    let root = discriminant.sqrt();
    let time = if v + root > 0.0 && (v > 0.0 || a > 0.0) {
        2.0 * distance / (v + root)
    } else {
        f64::INFINITY
    };
    if time.is_nan() { f64::INFINITY } else { time }
}
