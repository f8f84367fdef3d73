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

    /// Looks at the positions of the same balls, in the same order, at equal intervals of time. In a periodic box they
    /// must not be wrapped back.
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

    /// Appends all that it knows, so that [`restore`](Self::restore) can go on from there with the same bits.
    pub fn save(&self, words: &mut Vec<u64>) {
        self.lags.iter().for_each(|blocks| blocks.save(words));
        words.push(self.history.len() as u64);
        for position in self.history.iter().flatten() {
            words.extend(S::components(*position).map(f64::to_bits));
        }
    }

    /// What [`save`](Self::save) appended of so many lags and balls; `None` where it is of something else.
    pub fn restore(
        lags: usize,
        balls: usize,
        words: &mut impl Iterator<Item = u64>,
    ) -> Option<Self> {
        let blocks = (0..lags).map(|_| Blocks::restore(words));
        let blocks = blocks.collect::<Option<Vec<_>>>()?;
        let looks = words.next().filter(|&looks| looks <= lags as u64)?;
        let mut position = || {
            let components = [words.next()?, words.next()?, words.next()?];
            Some(S::vector(components.map(f64::from_bits)))
        };
        let mut look = || (0..balls).map(|_| position()).collect::<Option<Vec<_>>>();
        Some(Displacement {
            history: (0..looks).map(|_| look()).collect::<Option<_>>()?,
            lags: blocks,
        })
    }

    /// The mean squared displacement after 1, 2, 3 … intervals, m².
    pub fn result(&self) -> Vec<Estimate> {
        self.lags.iter().map(Blocks::estimate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space2;
    use glam::DVec2;

    #[test]
    fn free_flight_is_ballistic() {
        let mut displacement = Displacement::<Space2>::new(5);
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

    #[test]
    fn what_was_saved_goes_on_with_the_same_bits() {
        let place = |look: i32| {
            vec![DVec2::new(
                f64::from(look * look % 7),
                0.3 * f64::from(look),
            )]
        };
        let mut whole = Displacement::<Space2>::new(3);
        for look in 0..20 {
            let mut words = Vec::new();
            whole.save(&mut words);
            let restored = Displacement::<Space2>::restore(3, 1, &mut words.iter().copied());
            let mut restored = restored.unwrap();
            // Of more balls there is not enough.
            let wrong = Displacement::<Space2>::restore(3, 2, &mut words.into_iter());
            assert!(wrong.is_none() || look == 0);
            whole.add(place(look));
            restored.add(place(look));
            let bits = |run: &Displacement<Space2>| {
                let numbers = run.result().into_iter();
                let numbers = numbers.flat_map(|estimate| [estimate.mean, estimate.error]);
                numbers.map(f64::to_bits).collect::<Vec<_>>()
            };
            assert_eq!(bits(&whole), bits(&restored));
        }
    }
}
