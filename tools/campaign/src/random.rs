//! Random numbers that are the same on every machine.

/// A generator (splitmix64): small, quick, and good enough to make scenes with.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of scene `index` of a campaign with this `seed`: every scene can be made alone.
    pub fn of_scene(seed: u64, index: u64) -> Self {
        let mut random = Random { state: seed };
        let first = random.bits();
        random.state = first ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        random.bits();
        random
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.bits() % (high - low + 1) as u64) as usize
    }

    /// One of several.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.whole(0, of.len() - 1)].clone()
    }

    /// Evenly from a range, rounded: to a few digits, or to a twentieth of the range. Round numbers are what people
    /// write, and where faces are parallel, corners meet and several things happen at one instant.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let value = low + (high - low) * self.unit();
        let coarse = (high - low) / 20.0;
        let value = if self.chance(0.3) {
            low + coarse * ((value - low) / coarse).round()
        } else {
            value
        };
        rounded(value, 4)
    }

    /// From a range, evenly in its logarithm, to three digits.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        rounded(
            libm::exp(libm::log(low) + (libm::log(high) - libm::log(low)) * self.unit()),
            3,
        )
    }
}

/// A number with so many digits behind the first.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$e}").parse().unwrap_or(value)
}
