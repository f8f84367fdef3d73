//! Four vectors at once: one contact in each lane.
//!
//! Every operation is the IEEE one on each lane, in the order written, so that a contact has the same bits in whichever
//! lane it comes to lie.

use crate::arrays::Each;
use crate::vectors::{Floats, Portable, Vectors};
use std::ops::{Add, Sub};
use wide::f64x4;

/// Four numbers, and which of four.
pub(super) type Four<V> = <V as Vectors>::Four;
pub(super) type FourMask<V> = <<V as Vectors>::Four as Floats>::Mask;

/// Four vectors, component by component. In memory they are [`Portable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<V: Vectors = Portable> {
    pub x: Four<V>,
    pub y: Four<V>,
    pub z: Four<V>,
}

impl Lanes {
    pub const ZERO: Lanes = Lanes {
        x: f64x4::ZERO,
        y: f64x4::ZERO,
        z: f64x4::ZERO,
    };

    /// The vector in one lane.
    pub fn lane(&self, lane: usize) -> [f64; 3] {
        [self.x, self.y, self.z].each(|along| along.to_array()[lane])
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

    /// From memory.
    #[inline(always)]
    pub fn with<V: Vectors>(&self, vectors: V) -> Lanes<V> {
        Lanes {
            x: get(vectors, &self.x),
            y: get(vectors, &self.y),
            z: get(vectors, &self.z),
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn put<V: Vectors>(&mut self, lanes: Lanes<V>) {
        put::<V>(&mut self.x, lanes.x);
        put::<V>(&mut self.y, lanes.y);
        put::<V>(&mut self.z, lanes.z);
    }
}

/// Four numbers from memory.
#[inline(always)]
pub(super) fn get<V: Vectors>(vectors: V, four: &f64x4) -> Four<V> {
    vectors.four(four.as_array())
}

/// Four numbers to memory.
#[inline(always)]
pub(super) fn put<V: Vectors>(place: &mut f64x4, four: Four<V>) {
    *place.as_mut_array() = four.to_array();
}

impl<V: Vectors> Lanes<V> {
    #[inline(always)]
    pub fn zero(vectors: V) -> Self {
        let zero = vectors.all_four(0.0);
        Lanes {
            x: zero,
            y: zero,
            z: zero,
        }
    }

    /// From four vectors.
    #[inline(always)]
    pub fn of(vectors: V, [a, b, c, d]: [[f64; 3]; 4]) -> Self {
        Lanes {
            x: vectors.four(&[a[0], b[0], c[0], d[0]]),
            y: vectors.four(&[a[1], b[1], c[1], d[1]]),
            z: vectors.four(&[a[2], b[2], c[2], d[2]]),
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Four<V> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Lanes {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The same where the mask is set, zero elsewhere.
    #[inline(always)]
    pub fn masked(self, mask: FourMask<V>) -> Self {
        Lanes {
            x: self.x.only(mask),
            y: self.y.only(mask),
            z: self.z.only(mask),
        }
    }

    /// This where the mask is set, the other elsewhere.
    #[inline(always)]
    pub fn or_else(self, mask: FourMask<V>, other: Self) -> Self {
        Lanes {
            x: self.x.or_else(mask, other.x),
            y: self.y.or_else(mask, other.y),
            z: self.z.or_else(mask, other.z),
        }
    }

    #[inline(always)]
    pub fn times(self, scale: Four<V>) -> Self {
        Lanes {
            x: self.x * scale,
            y: self.y * scale,
            z: self.z * scale,
        }
    }
}

impl<V: Vectors> Add for Lanes<V> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Lanes {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl<V: Vectors> Sub for Lanes<V> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Lanes {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}
