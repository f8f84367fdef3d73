//! Random numbers that are the same everywhere and for ever: SplitMix64 (Steele, Lea and Flood, 2014).

use crate::case::{Triple, along, inner, norm};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Draw(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in `[low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// `10^x` with x uniform in `[low, high)`.
    pub fn power(&mut self, low: f64, high: f64) -> f64 {
        libm::exp10(self.between(low, high))
    }

    /// True this often.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// −1 or 1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// One of `0..count`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A direction.
    pub fn unit(&mut self, dimension: usize) -> Triple {
        loop {
            let mut v = [0.0; 3];
            for component in &mut v[..dimension] {
                *component = self.between(-1.0, 1.0);
            }
            let length = norm(v);
            if length > 0.1 && length < 1.0 {
                return v.map(|component| component / length);
            }
        }
    }

    /// A direction across a unit vector.
    pub fn across(&mut self, n: Triple, dimension: usize) -> Triple {
        loop {
            let v = self.unit(dimension);
            let v = along(v, n, -inner(v, n));
            let length = norm(v);
            if length > 0.1 {
                let v = v.map(|component| component / length);
                // Once more, so that what rounding left along n is gone.
                return along(v, n, -inner(v, n));
            }
        }
    }

    /// Cosine and sine, or a quaternion.
    pub fn rotation(&mut self, dimension: usize) -> [f64; 4] {
        if dimension == 2 {
            let (sin, cos) = libm::sincos(self.between(-3.2, 3.2));
            return [cos, sin, 0.0, 0.0];
        }
        loop {
            let q = [0; 4].map(|_| self.between(-1.0, 1.0));
            let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
            if length > 0.1 && length < 1.0 {
                return q.map(|component| component / length);
            }
        }
    }
}
