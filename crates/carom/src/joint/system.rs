//! The linear equations of joints, `J M⁻¹ Jᵀ λ = r`, solved directly.
//!
//! Two rows couple only where they share a body that moves. The matrix is symmetric and positive; of each of its rows
//! the part from the first entry to the diagonal is kept (a skyline), within which Cholesky's factor stays. A chain
//! whose joints are in order has a skyline of a few entries, so that its equations are solved in a time that grows with
//! its length alone.
//!
//! A row that follows from those before it (a second rod beside a first one, the last hinge of a ring that cannot be
//! closed otherwise) has nothing left on its diagonal. It is left out: its multiplier is zero.

use super::rows::{FIXED, Mass, Row};
use crate::space::Space;

/// What is left of a diagonal where a row follows from others, as a part of what it was: between rounding, and what the
/// nearly dependent rows of real mechanisms have.
const DEPENDENT: f64 = 1e-11;

/// The factor of the matrix.
pub(crate) struct Factored {
    /// Of each row, the column of its first entry, and where that stands in `entries`.
    first: Vec<usize>,
    begin: Vec<usize>,
    entries: Vec<f64>,
    /// Of the diagonal; zero for a row that is left out.
    inverse: Vec<f64>,
}

impl Factored {
    /// For rows over bodies with their masses.
    pub fn new<S: Space>(rows: &[Row<S>], masses: &[Mass<S>]) -> Self {
        let first = first_columns(rows, masses.len());
        let mut begin = Vec::with_capacity(rows.len());
        let mut entries = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            begin.push(entries.len());
            entries.extend((first[i]..=i).map(|j| row.coupling(&rows[j], masses)));
        }
        let mut factored = Factored {
            first,
            begin,
            entries,
            inverse: Vec::with_capacity(rows.len()),
        };
        factored.factor(rows.len());
        factored
    }

    fn factor(&mut self, number: usize) {
        for i in 0..number {
            let own = self.first[i];
            for j in own..i {
                let from = own.max(self.first[j]);
                let sum = self.entry(i, j) - self.product(i, j, from, j);
                let at = self.begin[i] + j - own;
                self.entries[at] = sum * self.inverse[j];
            }
            let whole = self.entry(i, i);
            let left = whole - self.product(i, i, own, i);
            let inverse = if left > DEPENDENT * whole && left > 0.0 {
                1.0 / left.sqrt()
            } else {
                0.0
            };
            self.inverse.push(inverse);
        }
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        self.entries[self.begin[i] + j - self.first[i]]
    }

    /// Of two rows, over the columns `from..to`.
    fn product(&self, i: usize, j: usize, from: usize, to: usize) -> f64 {
        let of = |row: usize| {
            let start = self.begin[row] + from - self.first[row];
            &self.entries[start..start + (to - from)]
        };
        of(i).iter().zip(of(j)).map(|(a, b)| a * b).sum()
    }

    /// Puts the solution in the place of the right-hand side.
    pub fn solve(&self, right: &mut [f64]) {
        for i in 0..right.len() {
            let own = self.first[i];
            let entries = &self.entries[self.begin[i]..self.begin[i] + (i - own)];
            let known: f64 = entries.iter().zip(&right[own..i]).map(|(a, b)| a * b).sum();
            right[i] = (right[i] - known) * self.inverse[i];
        }
        for i in (0..right.len()).rev() {
            let own = self.first[i];
            right[i] *= self.inverse[i];
            let value = right[i];
            let entries = &self.entries[self.begin[i]..self.begin[i] + (i - own)];
            for (left, entry) in right[own..i].iter_mut().zip(entries) {
                *left -= entry * value;
            }
        }
    }
}

/// Of each row, the first one with which it shares a body that moves.
fn first_columns<S: Space>(rows: &[Row<S>], bodies: usize) -> Vec<usize> {
    let mut first_of = vec![usize::MAX; bodies];
    let mut first = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let mut earliest = i;
        for &body in row.bodies.iter().filter(|&&body| body != FIXED) {
            let known = &mut first_of[body as usize];
            *known = (*known).min(i);
            earliest = earliest.min(*known);
        }
        first.push(earliest);
    }
    first
}
