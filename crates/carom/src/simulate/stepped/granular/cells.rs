//! Which bodies are near each other: balls sorted into cells, and from these a list for each ball of those after it
//! that are within a skin.

use super::movers::{GrainRecord, GrainRecords};
use super::threads::Team;
use crate::arrays::Each;
use crate::order::InOrder;

/// For each ball the later ones that are within its reach.
#[derive(Clone, Debug, Default)]
pub(super) struct GrainNeighbours {
    /// Where the list of each ball begins; one more than there are balls.
    pub start: Vec<u32>,
    pub other: Vec<u32>,
}

impl GrainNeighbours {
    #[inline]
    pub fn of(&self, ball: usize) -> &[u32] {
        &self.other[self.start[ball] as usize..self.start[ball + 1] as usize]
    }
}

/// A lattice of cells, none of them smaller than the distance within which balls are neighbours.
#[derive(Clone, Debug)]
pub(super) struct GrainLattice {
    origin: [f64; 3],
    per_length: [f64; 3],
    count: [usize; 3],
    /// m; zero where it is not periodic.
    periods: [f64; 3],
    /// The axes from the one along which cells are numbered one after another to the one along which they are farthest
    /// apart: the shortest side comes first, so that neighbours are close in memory.
    axes: [usize; 3],
}

impl GrainLattice {
    pub fn around(balls: &[GrainRecord], reach: f64, periods: [f64; 3]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for ball in balls {
            let place = ball.place.to_array();
            for axis in 0..3 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        let mut extent = [0.0; 3];
        for axis in 0..3 {
            if periods[axis] > 0.0 {
                (low[axis], extent[axis]) = (0.0, periods[axis]);
            } else if high[axis] >= low[axis] {
                extent[axis] = high[axis] - low[axis];
            }
        }
        // A few balls far apart must not make a lattice larger than the crowd.
        let most = 4.0 * balls.len() as f64 + 64.0;
        let mut cell = reach;
        let count_for = |cell: f64| extent.each(|length| (length / cell).floor().clamp(1.0, 1e6));
        while cell.is_finite() && count_for(cell).iter().product::<f64>() > most {
            cell *= 1.25;
        }
        let count = count_for(cell);
        let mut axes = [0, 1, 2];
        axes.order_by(|&a, &b| count[a].total_cmp(&count[b]));
        GrainLattice {
            origin: low,
            per_length: [0, 1, 2].each(|axis| {
                if extent[axis] > 0.0 {
                    count[axis] / extent[axis]
                } else {
                    0.0
                }
            }),
            count: count.each(|count| count as usize),
            periods,
            axes,
        }
    }

    fn coordinates(&self, ball: &GrainRecord) -> [usize; 3] {
        let place = ball.place.to_array();
        [0, 1, 2].each(|axis| {
            let mut along = place[axis] - self.origin[axis];
            if self.periods[axis] > 0.0 {
                along -= self.periods[axis] * (along / self.periods[axis]).floor();
            }
            // Places outside, and what is NaN, go to the nearest cell.
            ((along * self.per_length[axis]) as usize).min(self.count[axis] - 1)
        })
    }

    fn index(&self, at: [usize; 3]) -> usize {
        let [first, second, third] = self.axes;
        (at[third] * self.count[second] + at[second]) * self.count[first] + at[first]
    }

    fn cells(&self) -> usize {
        self.count.iter().product()
    }

    /// Sorts the balls by cell, those of one cell as they were given; returns where each cell begins and the order.
    pub fn order(&self, balls: &GrainRecords) -> (Vec<u32>, Vec<u32>) {
        let mut start = vec![0_u32; self.cells() + 2];
        let of: Vec<u32> = (balls.list.iter())
            .map(|ball| self.index(self.coordinates(ball)) as u32)
            .collect();
        for &cell in &of {
            start[cell as usize + 2] += 1;
        }
        for cell in 2..start.len() {
            start[cell] += start[cell - 1];
        }
        let mut order = vec![0; of.len()];
        for (ball, &cell) in of.iter().enumerate() {
            let slot = &mut start[cell as usize + 1];
            order[*slot as usize] = ball as u32;
            *slot += 1;
        }
        start.pop();
        (start, order)
    }

    /// The coordinates beside one along an axis, itself included, each of them once.
    fn beside(&self, axis: usize, at: usize) -> ([usize; 3], usize) {
        let count = self.count[axis];
        let periodic = self.periods[axis] > 0.0;
        let candidates = [
            (at > 0 || periodic).then(|| (at + count - 1) % count),
            Some(at),
            (at + 1 < count || periodic).then(|| (at + 1) % count),
        ];
        let (mut found, mut number) = ([0; 3], 0);
        for candidate in candidates.into_iter().flatten() {
            if !found[..number].contains(&candidate) {
                found[number] = candidate;
                number += 1;
            }
        }
        (found, number)
    }

    /// The neighbour lists of balls in the order of the cells.
    pub fn neighbours(
        &self,
        balls: &[GrainRecord],
        cells: &[u32],
        skin: f64,
        team: &Team,
        meet: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> GrainNeighbours {
        // Counted first and then written where they belong: lists made by several threads would be memory of several
        // threads, which is not given back.
        let mut start = vec![0_u32; balls.len() + 1];
        team.over(&mut start[1..], CHUNK, |chunk, counts| {
            for (index, count) in counts.iter_mut().enumerate() {
                let ball = chunk * CHUNK + index;
                self.gather(balls, cells, skin, ball, meet, |_| *count += 1);
            }
        });
        for ball in 1..start.len() {
            start[ball] += start[ball - 1];
        }
        let mut other = vec![0_u32; start[balls.len()] as usize];
        let mut parts = Vec::with_capacity(balls.len().div_ceil(CHUNK));
        let mut rest = &mut other[..];
        for first in (0..balls.len()).step_by(CHUNK) {
            let last = (first + CHUNK).min(balls.len());
            let (now, later) = rest.split_at_mut((start[last] - start[first]) as usize);
            parts.push((first..last, now));
            rest = later;
        }
        team.over(&mut parts, 1, |_, part| {
            let (range, list) = &mut part[0];
            let mut number = 0;
            for ball in range.clone() {
                self.gather(balls, cells, skin, ball, meet, |other| {
                    list[number] = other;
                    number += 1;
                });
            }
        });
        GrainNeighbours { start, other }
    }

    fn gather(
        &self,
        balls: &[GrainRecord],
        cells: &[u32],
        skin: f64,
        ball: usize,
        meet: &(dyn Fn(usize, usize) -> bool + Sync),
        mut found: impl FnMut(u32),
    ) {
        let at = self.coordinates(&balls[ball]);
        let [first, second, third] = self.axes;
        let periodic = self.periods != [0.0; 3];
        let (thirds, third_count) = self.beside(third, at[third]);
        let (seconds, second_count) = self.beside(second, at[second]);
        let (firsts, first_count) = self.beside(first, at[first]);
        let here = balls[ball].place.to_array();
        let mut scan = |from: usize, to: usize| {
            let from = from.max(ball + 1);
            for (other, mover) in balls[..to].iter().enumerate().skip(from) {
                let there = mover.place.to_array();
                let mut square = 0.0;
                for axis in 0..3 {
                    let mut apart = here[axis] - there[axis];
                    if periodic && self.periods[axis] > 0.0 {
                        let length = self.periods[axis];
                        apart -= length * (apart / length).round_ties_even();
                    }
                    square += apart * apart;
                }
                let reach = here[3] + there[3] + skin;
                if square < reach * reach && meet(ball, other) {
                    found(other as u32);
                }
            }
        };
        for &z in &thirds[..third_count] {
            for &y in &seconds[..second_count] {
                let mut cell = [0; 3];
                (cell[third], cell[second]) = (z, y);
                if self.periods[first] > 0.0 {
                    for &x in &firsts[..first_count] {
                        cell[first] = x;
                        let index = self.index(cell);
                        scan(cells[index] as usize, cells[index + 1] as usize);
                    }
                } else {
                    // Cells in a row are one stretch of balls.
                    cell[first] = firsts[0];
                    let from = self.index(cell);
                    let to = from + first_count;
                    scan(cells[from] as usize, cells[to] as usize);
                }
            }
        }
    }
}

/// Balls whose lists are made together.
const CHUNK: usize = 1024;
