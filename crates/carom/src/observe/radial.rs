use super::{Blocks, Estimate};
use crate::order::InOrder;
use crate::space::{Linear, Space};

/// The radial distribution g(r): how many neighbours there are at a distance, compared with a gas of points.
#[derive(Clone, Debug)]
pub struct RadialDistribution<S: Space> {
    reach: f64,
    /// Pairs per ball and density in each shell, one entry a look.
    shells: Vec<Blocks>,
    space: std::marker::PhantomData<S>,
}

impl<S: Space> RadialDistribution<S> {
    /// Up to a distance (m), in shells of equal width.
    pub fn new(reach: f64, shells: usize) -> Self {
        RadialDistribution {
            reach,
            shells: vec![Blocks::default(); shells.max(1)],
            space: std::marker::PhantomData,
        }
    }

    /// Looks at balls that fill a box with these sides (m) and periodic walls.
    ///
    /// Sweeps along the first axis, so that only balls within reach along it are compared.
    pub fn add(&mut self, positions: &[S::Vector], sides: [f64; 3]) {
        let wrapped = |x: f64, side: f64| x - side * (x / side).floor();
        let mut order: Vec<(f64, usize)> = positions
            .iter()
            .enumerate()
            .map(|(i, &x)| (wrapped(S::components(x)[0], sides[0]), i))
            .collect();
        order.order_by(|a, b| a.0.total_cmp(&b.0));
        let width = self.reach / self.shells.len() as f64;
        let mut counts = vec![0u64; self.shells.len()];
        let last = counts.len() - 1;
        for (rank, &(x, i)) in order.iter().enumerate() {
            // Around the end of the box once, at most.
            for step in 1..order.len() {
                let (next, j) = order[(rank + step) % order.len()];
                let ahead = if rank + step < order.len() {
                    next - x
                } else {
                    next - x + sides[0]
                };
                if ahead > self.reach {
                    break;
                }
                let distance = self.separation(positions[i], positions[j], sides);
                // Both ways round are met where the reach is half the box: count a pair from the side that is nearer.
                if distance < self.reach
                    && (ahead < 0.5 * sides[0] || (ahead == 0.5 * sides[0] && i < j))
                {
                    // Just below the reach the quotient may round up to the number of shells.
                    counts[((distance / width) as usize).min(last)] += 1;
                }
            }
        }
        let volume: f64 = sides[..S::DIMENSION].iter().product();
        let balls = positions.len() as f64;
        for (index, count) in counts.into_iter().enumerate() {
            let (inner, outer) = (index as f64 * width, (index + 1) as f64 * width);
            let expected =
                0.5 * balls * (balls - 1.0) / volume * shell_volume(S::DIMENSION, inner, outer);
            self.shells[index].add(count as f64 / expected, 1.0);
        }
    }

    fn separation(&self, a: S::Vector, b: S::Vector, sides: [f64; 3]) -> f64 {
        let mut components = S::components(b - a);
        for (component, side) in components.iter_mut().zip(sides).take(S::DIMENSION) {
            *component -= side * (*component / side).round();
        }
        S::vector(components).length()
    }

    /// Appends all that it knows, so that [`restore`](Self::restore) can go on from there with the same bits.
    pub fn save(&self, words: &mut Vec<u64>) {
        self.shells.iter().for_each(|shell| shell.save(words));
    }

    /// What [`save`](Self::save) appended of as many shells up to the same distance (m); `None` where it is of
    /// something else.
    pub fn restore(
        reach: f64,
        shells: usize,
        words: &mut impl Iterator<Item = u64>,
    ) -> Option<Self> {
        let shells = (0..shells.max(1)).map(|_| Blocks::restore(words));
        Some(RadialDistribution {
            shells: shells.collect::<Option<_>>()?,
            ..Self::new(reach, 1)
        })
    }

    /// The middle of each shell (m) and g there.
    pub fn result(&self) -> Vec<(f64, Estimate)> {
        let width = self.reach / self.shells.len() as f64;
        self.shells
            .iter()
            .enumerate()
            .map(|(i, shell)| ((i as f64 + 0.5) * width, shell.estimate()))
            .collect()
    }
}

fn shell_volume(dimension: usize, inner: f64, outer: f64) -> f64 {
    use std::f64::consts::PI;
    match dimension {
        2 => PI * (outer * outer - inner * inner),
        _ => 4.0 / 3.0 * PI * (outer * outer * outer - inner * inner * inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Space2, Space3};
    use glam::{DVec2, DVec3};

    #[test]
    fn points_at_random_have_no_structure() {
        let mut seed = 3_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut g = RadialDistribution::<Space3>::new(0.3, 6);
        for _ in 0..40 {
            let points: Vec<_> = (0..400)
                .map(|_| DVec3::new(random(), random(), random()))
                .collect();
            g.add(&points, [1.0; 3]);
        }
        for (radius, estimate) in g.result() {
            // Four standard errors: one test in some thousands would fail by chance, and the seed is fixed.
            assert!(
                (estimate.mean - 1.0).abs() < 4.0 * estimate.error,
                "{radius}: {estimate:?}"
            );
        }
    }

    #[test]
    fn a_square_lattice_has_its_neighbours_where_they_are() {
        // Moved by half a spacing across the edge of the box: the nearest four are at 1, the next four at √2.
        let points: Vec<_> = (0..10)
            .flat_map(|i| (0..10).map(move |j| DVec2::new(f64::from(i) - 0.5, f64::from(j))))
            .collect();
        // Shells of 0.15: 1 lies in the seventh, √2 in the tenth.
        let mut g = RadialDistribution::<Space2>::new(1.65, 11);
        g.add(&points, [10.0, 10.0, 0.0]);
        for (index, (radius, estimate)) in g.result().into_iter().enumerate() {
            let others = 99.0 / 100.0;
            let count = estimate.mean * shell_volume(2, radius - 0.075, radius + 0.075) * others;
            let expected = if index == 6 || index == 9 { 4.0 } else { 0.0 };
            assert!((count - expected).abs() < 1e-9, "{index}: {count}");
        }
    }
}
