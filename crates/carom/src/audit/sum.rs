//! Sums that keep what each addition rounds off.

use crate::space::Linear;

/// A compensated sum of numbers or vectors: off by a few units of the square of the roundoff, however many there are
/// (Neumaier, 1974; the error of each addition by Knuth's two-sum).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum<V: Linear> {
    pub rounded: V,
    /// What the additions have rounded off so far.
    pub rest: V,
}

impl<V: Linear> Sum<V> {
    #[inline]
    pub fn add(&mut self, value: V) {
        let sum = self.rounded + value;
        let value_part = sum - self.rounded;
        let own_part = sum - value_part;
        self.rest += (self.rounded - own_part) + (value - value_part);
        self.rounded = sum;
    }

    /// Adds another sum.
    pub fn join(&mut self, other: &Self) {
        self.add(other.rounded);
        self.rest += other.rest;
    }

    /// Takes another sum away.
    pub fn take(&mut self, other: &Self) {
        self.add(-other.rounded);
        self.rest -= other.rest;
    }

    pub fn value(&self) -> V {
        self.rounded + self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rounded_off_comes_back() {
        let mut sum = Sum::<f64>::default();
        sum.add(1.0);
        for _ in 0..1000 {
            sum.add(1e-17);
        }
        sum.add(-1.0);
        // Each rest is exact; adding 1,000 of them rounds each by at most u times 1e-14.
        assert!((sum.value() - 1e-14).abs() < 1e-27, "{:e}", sum.value());
    }
}
