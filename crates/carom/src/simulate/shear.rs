//! Balls in a sheared periodic box: images that move, and when they are touched.
//!
//! The image above the box is `offset + speed · t` ahead of it along the flow and moves at `speed`, the one below the
//! same way back. Contacts inside the box, and across its other sides, are those of any periodic box. Across the two
//! sides that move past each other a ball is asked for with all its images along the flow: which one comes first
//! follows from where the pair is when it is near enough along the other axes.
//!
//! A. W. Lees and S. F. Edwards, The computer study of transport processes under extreme conditions, J. Phys. C 5
//! (1972) 1921.

use crate::space::Space;
use crate::world::Shear;

/// How the box of a run is sheared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sheared {
    pub flow: usize,
    pub gradient: usize,
    /// 1/s.
    pub rate: f64,
    /// Of the image above the box, m/s.
    pub speed: f64,
    /// How far that image is ahead when the clock reads zero, m.
    pub offset: f64,
    /// Lengths of the box by which it is ahead besides.
    pub laps: f64,
}

/// What is added to the place and the velocity of a ball relative to another, so that it is relative to an image of
/// the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seen<S: Space> {
    /// m.
    pub shift: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
}

impl Sheared {
    /// At time 0.
    pub fn new(shear: &Shear, periods: [f64; 3]) -> Self {
        let mut sheared = Sheared {
            flow: shear.flow,
            gradient: shear.gradient,
            rate: shear.rate,
            speed: shear.rate * periods[shear.gradient],
            offset: shear.offset,
            laps: 0.0,
        };
        sheared.rebase(0.0, periods[shear.flow]);
        sheared
    }

    /// How far the image above the box is ahead when the clock reads a time, but for laps, m.
    #[inline]
    pub fn offset_at(&self, time: f64) -> f64 {
        self.offset + self.speed * time
    }

    /// The clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64, length: f64) {
        let offset = self.offset_at(shift);
        let laps = (offset / length).floor();
        self.offset = offset - laps * length;
        self.laps += laps;
    }

    /// For a world that begins when the clock reads a time.
    pub fn to_shear(self, time: f64, length: f64) -> Shear {
        let mut now = self;
        now.rebase(time, length);
        Shear {
            rate: self.rate,
            flow: self.flow,
            gradient: self.gradient,
            offset: now.offset,
        }
    }

    pub fn along_flow<S: Space>(&self, along: f64) -> S::Vector {
        let mut vector = [0.0; 3];
        vector[self.flow] = along;
        S::vector(vector)
    }
}

/// The cells along the flow on the other side of those that move past each other, all of them, and else those around a
/// cell, each once; `None` where the cell is not next to such a side.
pub(super) fn cells_around(
    shear: &Sheared,
    cell: [u32; 3],
    count: [u32; 3],
    near: impl Fn(usize) -> Vec<u32>,
) -> Option<Vec<[u32; 3]>> {
    let last = count[shear.gradient] - 1;
    let row = cell[shear.gradient];
    if row != 0 && row != last {
        return None;
    }
    let axes = [0, 1, 2].map(near);
    let mut cells = Vec::new();
    for &z in &axes[2] {
        for &y in &axes[1] {
            for &x in &axes[0] {
                cells.push([x, y, z]);
            }
        }
    }
    // Those across are looked at as a whole; in a low box one row may be both next to it and across.
    let across = |other: u32| (row == 0 && other == last) || (row == last && other == 0);
    let rows: Vec<[u32; 3]> = (cells.iter().copied())
        .filter(|cell| across(cell[shear.gradient]))
        .collect();
    for start in rows {
        for along in 0..count[shear.flow] {
            let mut other = start;
            other[shear.flow] = along;
            cells.push(other);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    Some(cells)
}
