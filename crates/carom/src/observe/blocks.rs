//! Means with honest error bars.
//!
//! Successive values of a run are correlated, so the scatter of single values says little about the error of their
//! mean. The scatter of the means of long blocks does: blocks longer than the memory of the run are independent
//! (Flyvbjerg and Petersen, 1989, "Error estimates on averages of correlated data").

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// Exhaustive: a mean and its error, which programs combine.
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; infinite where there are fewer than two blocks.
    pub error: f64,
}

/// Weighted sums in blocks of equal length, between [`Blocks::FEWEST`] and twice as many: when there are too many,
/// neighbours are merged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    /// Weight and weighted sum of each finished block.
    done: Vec<[f64; 2]>,
    open: [f64; 2],
    /// Values in the open block, and in a finished one.
    count: u64,
    length: u64,
}

impl Blocks {
    /// As few blocks as an error is computed from, once there are enough values.
    pub const FEWEST: usize = 32;

    /// Adds a value that holds for a weight: a duration, say.
    pub fn add(&mut self, value: f64, weight: f64) {
        self.add_sum(value * weight, weight);
    }

    /// Adds an amount that was gathered over a weight: an impulse over a duration, say.
    pub fn add_sum(&mut self, sum: f64, weight: f64) {
        self.open[0] += weight;
        self.open[1] += sum;
        self.count += 1;
        if self.count >= self.length.max(1) {
            self.done.push(std::mem::take(&mut self.open));
            self.count = 0;
            if self.done.len() == 2 * Self::FEWEST {
                self.done = self
                    .done
                    .chunks(2)
                    .map(|pair| [pair[0][0] + pair[1][0], pair[0][1] + pair[1][1]])
                    .collect();
                self.length = 2 * self.length.max(1);
            }
        }
    }

    /// Appends all that it knows, so that [`restore`](Self::restore) can go on from there with the same bits.
    pub fn save(&self, words: &mut Vec<u64>) {
        words.extend([self.count, self.length, self.done.len() as u64]);
        let blocks = std::iter::once(&self.open).chain(&self.done);
        words.extend(blocks.flatten().map(|number| number.to_bits()));
    }

    /// What [`save`](Self::save) appended; `None` where the words end too early or cannot be of blocks.
    pub fn restore(words: &mut impl Iterator<Item = u64>) -> Option<Self> {
        let (count, length, done) = (words.next()?, words.next()?, words.next()?);
        if done >= 2 * Self::FEWEST as u64 || count >= length.max(1) {
            return None;
        }
        let mut block = || Some([words.next()?, words.next()?].map(f64::from_bits));
        Some(Blocks {
            open: block()?,
            done: (0..done).map(|_| block()).collect::<Option<_>>()?,
            count,
            length,
        })
    }

    /// The mean of everything so far, with the error that the finished blocks show.
    pub fn estimate(&self) -> Estimate {
        let all = self.done.iter().fold(self.open, |sum, block| {
            [sum[0] + block[0], sum[1] + block[1]]
        });
        let mean = all[1] / all[0];
        let blocks: Vec<_> = self.done.iter().filter(|block| block[0] > 0.0).collect();
        let count = blocks.len() as f64;
        let weight: f64 = blocks.iter().map(|block| block[0]).sum();
        let scatter: f64 = blocks
            .iter()
            .map(|[weight, sum]| {
                let deviation = sum - mean * weight;
                deviation * deviation
            })
            .sum();
        let error = match blocks.len() {
            0 | 1 => f64::INFINITY,
            _ => (scatter * count / (count - 1.0)).sqrt() / weight,
        };
        Estimate { mean, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn independent_values_have_the_textbook_error() {
        let mut blocks = Blocks::default();
        let mut seed = 1;
        let count = 100_000;
        (0..count).for_each(|_| blocks.add(random(&mut seed), 1.0));
        let Estimate { mean, error } = blocks.estimate();
        // The standard deviation of a uniform number is 1/√12; 32 to 64 blocks give its error to within some 15 %.
        let expected = (1.0_f64 / 12.0 / f64::from(count)).sqrt();
        assert!(
            (error / expected - 1.0).abs() < 0.4,
            "{error} against {expected}"
        );
        assert!((mean - 0.5).abs() < 4.0 * expected);
    }

    #[test]
    fn repeated_values_do_not_fake_precision() {
        let (mut single, mut repeated) = (Blocks::default(), Blocks::default());
        let mut seed = 2;
        for _ in 0..20_000 {
            let value = random(&mut seed);
            single.add(value, 1.0);
            (0..16).for_each(|_| repeated.add(value, 1.0));
        }
        let (single, repeated) = (single.estimate(), repeated.estimate());
        assert!((single.mean - repeated.mean).abs() < 1e-12);
        assert!(
            (repeated.error / single.error - 1.0).abs() < 0.4,
            "{single:?} {repeated:?}"
        );
    }

    #[test]
    fn too_little_has_no_error_bar() {
        let mut blocks = Blocks::default();
        blocks.add(3.0, 2.0);
        assert_eq!(
            blocks.estimate(),
            Estimate {
                mean: 3.0,
                error: f64::INFINITY
            }
        );
    }

    #[test]
    fn what_was_saved_goes_on_with_the_same_bits() {
        let (mut whole, mut seed) = (Blocks::default(), 3);
        for number in 0..1000 {
            let mut words = Vec::new();
            whole.save(&mut words);
            words.push(7);
            let mut words = words.into_iter();
            let mut restored = Blocks::restore(&mut words).unwrap();
            assert_eq!(words.next(), Some(7), "what comes behind is left alone");
            let (value, weight) = (random(&mut seed), random(&mut seed));
            whole.add(value, weight);
            restored.add(value, weight);
            assert_eq!(whole, restored, "{number}");
        }
        let mut words = Vec::new();
        whole.save(&mut words);
        words.pop();
        assert_eq!(Blocks::restore(&mut words.into_iter()), None);
        // As many finished blocks as there never are, and more values in a block than it takes.
        assert_eq!(Blocks::restore(&mut [0, 0, 64, 0, 0].into_iter()), None);
        assert_eq!(Blocks::restore(&mut [4, 4, 0, 0, 0].into_iter()), None);
    }
}
