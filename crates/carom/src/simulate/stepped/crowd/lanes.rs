//! Four vectors at once: one contact in each lane.
//!
//! Every operation is the IEEE one on each lane, in the order written, so that a contact has the same bits in whichever lane it comes to lie.

use std::ops::{Add, Mul, Sub};
use wide::f64x4;

/// Four vectors, component by component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub x: f64x4,
    pub y: f64x4,
    pub z: f64x4,
}

impl Lanes {
    pub const ZERO: Lanes = Lanes {
        x: f64x4::ZERO,
        y: f64x4::ZERO,
        z: f64x4::ZERO,
    };

    /// From four vectors.
    pub fn of(vectors: [[f64; 3]; 4]) -> Lanes {
        let along = |axis: usize| f64x4::from(vectors.map(|vector| vector[axis]));
        Lanes {
            x: along(0),
            y: along(1),
            z: along(2),
        }
    }

    #[inline]
    pub fn dot(self, other: Lanes) -> f64x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline]
    pub fn cross(self, other: Lanes) -> Lanes {
        Lanes {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The same where the mask is set, zero elsewhere.
    #[inline]
    pub fn masked(self, mask: f64x4) -> Lanes {
        Lanes {
            x: self.x & mask,
            y: self.y & mask,
            z: self.z & mask,
        }
    }

    /// This where the mask is set, the other elsewhere.
    #[inline]
    pub fn or_else(self, mask: f64x4, other: Lanes) -> Lanes {
        Lanes {
            x: mask.bitselect(self.x, other.x),
            y: mask.bitselect(self.y, other.y),
            z: mask.bitselect(self.z, other.z),
        }
    }

    /// The vector in one lane.
    pub fn lane(&self, lane: usize) -> [f64; 3] {
        [self.x, self.y, self.z].map(|along| along.to_array()[lane])
    }

    /// Puts a vector into one lane.
    pub fn set_lane(&mut self, lane: usize, vector: [f64; 3]) {
        for (along, value) in [&mut self.x, &mut self.y, &mut self.z]
            .into_iter()
            .zip(vector)
        {
            along.as_mut_array()[lane] = value;
        }
    }
}

impl Add for Lanes {
    type Output = Lanes;
    #[inline]
    fn add(self, other: Lanes) -> Lanes {
        Lanes {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl Sub for Lanes {
    type Output = Lanes;
    #[inline]
    fn sub(self, other: Lanes) -> Lanes {
        Lanes {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

impl Mul<f64x4> for Lanes {
    type Output = Lanes;
    #[inline]
    fn mul(self, scale: f64x4) -> Lanes {
        Lanes {
            x: self.x * scale,
            y: self.y * scale,
            z: self.z * scale,
        }
    }
}

/// Rows to columns. Written out by number, which compilers turn into shuffles of whole registers.
#[inline(always)]
pub(super) fn transpose(rows: [f64x4; 4]) -> [f64x4; 4] {
    let [a, b, c, d] = rows.map(f64x4::to_array);
    [0, 1, 2, 3].map(|at| f64x4::new([a[at], b[at], c[at], d[at]]))
}
