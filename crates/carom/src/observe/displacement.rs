use super::{Blocks, Estimate};
use crate::space::{Linear, Space};

/// The mean squared displacement of balls from where they were, as a function of the time that has passed.
#[derive(Clone, Debug)]
pub struct Displacement<S: Space> {
    /// Positions at the last looks, the oldest first; one look every interval.
    history: std::collections::VecDeque<Vec<S::Vector>>,
    lags: Vec<Blocks>,
}

impl<S: Space> Displacement<S> {
    /// Compares each look with as many earlier ones.
    pub fn new(lags: usize) -> Self {
        Displacement {
            history: std::collections::VecDeque::with_capacity(lags),
            lags: vec![Blocks::default(); lags],
        }
    }

    /// Looks at the positions of the same balls, in the same order, at equal intervals of time. In a periodic box they must not be
    /// wrapped back.
    pub fn add(&mut self, positions: Vec<S::Vector>) {
        for (lag, earlier) in self.history.iter().rev().enumerate() {
            let squared: f64 = earlier
                .iter()
                .zip(&positions)
                .map(|(&a, &b)| (b - a).length_squared())
                .sum();
            self.lags[lag].add(squared / positions.len() as f64, 1.0);
        }
        if self.history.len() == self.lags.len() {
            self.history.pop_front();
        }
        if !self.lags.is_empty() {
            self.history.push_back(positions);
        }
    }

    /// The mean squared displacement after 1, 2, 3 … intervals, m².
    pub fn result(&self) -> Vec<Estimate> {
        self.lags.iter().map(Blocks::estimate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Plane;
    use glam::DVec2;

    #[test]
    fn free_flight_is_ballistic() {
        let mut displacement = Displacement::<Plane>::new(5);
        for look in 0..20 {
            let t = f64::from(look) * 0.5;
            displacement.add(vec![DVec2::new(3.0, 0.0) * t, DVec2::new(0.0, 4.0) * t]);
        }
        for (lag, estimate) in displacement.result().iter().enumerate() {
            let t = (lag + 1) as f64 * 0.5;
            // (9 + 16)/2 t².
            assert!(
                (estimate.mean - 12.5 * t * t).abs() < 1e-10,
                "{lag}: {estimate:?}"
            );
        }
    }
}
