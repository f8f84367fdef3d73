//! Numbers for random worlds: the same in every run.

use carom::space::Space;

/// A linear congruential generator, of which the high bits are used.
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> f64 {
        let multiplied = self.0.wrapping_mul(6364136223846793005);
        self.0 = multiplied.wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64
    }

    /// From 0 to 1.
    pub fn next(&mut self) -> f64 {
        self.bits() / (1u64 << 53) as f64
    }

    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        self.bits() / (1u64 << 52) as f64 - 1.0
    }

    /// One of so many numbers, from 0.
    pub fn below(&mut self, number: usize) -> usize {
        (self.next() * number as f64) as usize
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// With components from one number to another.
    pub fn vector<S: Space>(&mut self, low: f64, high: f64) -> S::Vector {
        S::vector([0; 3].map(|_| self.between(low, high)))
    }

    /// With components up to a size, of either sign.
    pub fn around<S: Space>(&mut self, size: f64) -> S::Vector {
        S::vector([0; 3].map(|_| size * self.signed()))
    }
}

/// Another generator (xorshift64*).
pub struct Xorshift(pub u64);

impl Xorshift {
    /// From −1 to 1.
    pub fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
