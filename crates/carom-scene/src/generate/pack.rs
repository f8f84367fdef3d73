//! Equal balls more densely than chance can put them: on a lattice, as wide as the region allows, then shuffled.
//!
//! The lattices are those points of a grid with steps h whose indices have an even sum: in 2-D, with steps of d/2
//! and (√3/2) d, the hexagonal one; in 3-D, with steps of d/√2, the face-centred cubic one. Both are the densest
//! there are, at 0.9069 and 0.7405. In a narrow region the plain grid with steps d may hold more. Moves of single
//! balls, each kept where nothing overlaps, then make the order fade; near the densest packing it stays.

use super::scatter::Filling;
use crate::random::Random;
use carom::simulate::Compiled;
use carom::space::{Linear, Space, UNIT_ROUNDOFF};

/// Moves in all, and for each ball at most.
const MOVES: usize = 1_500_000;
const MOVES_EACH: usize = 40;

/// From the widest lattice to the densest.
const STEPS: f64 = 24.0;

/// Sites that are looked at for each ball, and beside that, in all: where something covers a region of 10¹⁸ sites, none
/// is ever free.
const LOOKS_EACH: usize = 200;
const LOOKS: usize = 5_000_000;

/// The places of `count` balls, or how many could be placed at most.
pub(super) fn fill<S: Compiled>(
    filling: &mut Filling<'_, S>,
    count: usize,
    radius: f64,
    random: &mut Random,
) -> Result<Vec<S::Vector>, usize> {
    let diameter = 2.0 * radius;
    let mut most = 0;
    let mut looks = LOOKS + LOOKS_EACH * count;
    let mut chosen: Option<(Grid, f64)> = None;
    for even in [true, false] {
        // The widest that holds them all, in a few steps.
        let widest = widest::<S>(filling, count, radius);
        let factor = libm::pow(widest, -1.0 / STEPS);
        let mut pitch = diameter * widest;
        loop {
            pitch = pitch.max(diameter);
            let grid = Grid::new::<S>(filling, pitch, radius, even);
            if grid.number() >= count {
                let sites = sites(filling, &grid, radius, count, &mut looks);
                most = most.max(sites);
                if sites >= count {
                    if chosen.as_ref().is_none_or(|(_, other)| pitch > *other) {
                        chosen = Some((grid, pitch));
                    }
                    break;
                }
            }
            if pitch <= diameter {
                most = most.max(sites(filling, &grid, radius, usize::MAX, &mut looks));
                break;
            }
            pitch *= factor;
        }
    }
    let Some((grid, pitch)) = chosen else {
        return Err(most.min(count - 1));
    };
    let mut places: Vec<S::Vector> = Vec::new();
    let mut looks = LOOKS + LOOKS_EACH * count;
    grid.each::<S>(|place| {
        if fits(filling, place, radius) {
            places.push(place);
        }
        looks = looks.saturating_sub(1);
        // At least as far as it took to find enough.
        looks > 0 || places.len() < count
    });
    // Which of the sites are left empty is up to chance.
    for index in 0..count {
        let other = index + random.below(places.len() - index);
        places.swap(index, other);
    }
    places.truncate(count);
    let first = filling.balls.len() as u32;
    for &place in &places {
        filling.balls.insert(place, radius);
    }
    shuffle(filling, first, radius, pitch - diameter, random);
    Ok((first..first + count as u32)
        .map(|id| filling.balls.place(id))
        .collect())
}

/// As many diameters as neighbours could be apart if the fraction alone counted, and some more.
fn widest<S: Compiled>(filling: &Filling<'_, S>, count: usize, radius: f64) -> f64 {
    let fraction = count as f64 * super::content::<S>(radius) / filling.region.content();
    let (densest, root): (f64, fn(f64) -> f64) = match S::DIMENSION {
        2 => (0.9069, f64::sqrt),
        _ => (0.7405, libm::cbrt),
    };
    root((densest / fraction).clamp(1.0, 100.0)) * 1.02
}

fn fits<S: Compiled>(filling: &Filling<'_, S>, place: S::Vector, radius: f64) -> bool {
    // Sites at the faces, or beside what just fits between them, are off by a rounding; half of what an overlap may be.
    let radius = radius - 8.0 * UNIT_ROUNDOFF * (place.length() + radius);
    filling.region.holds(place, radius) && filling.is_clear(place, radius, None)
}

/// How many sites are free; counts no further than `enough`, and as many looks as are left.
fn sites<S: Compiled>(
    filling: &Filling<'_, S>,
    grid: &Grid,
    radius: f64,
    enough: usize,
    looks: &mut usize,
) -> usize {
    let mut number = 0;
    grid.each::<S>(|place| {
        if *looks == 0 {
            return false;
        }
        *looks -= 1;
        number += usize::from(fits(filling, place, radius));
        number < enough
    });
    number
}

struct Grid {
    first: [f64; 3],
    steps: [f64; 3],
    numbers: [u64; 3],
    /// Only points whose indices have an even sum.
    even: bool,
}

impl Grid {
    /// Neighbours are at least `pitch` apart.
    fn new<S: Compiled>(filling: &Filling<'_, S>, pitch: f64, radius: f64, even: bool) -> Self {
        let (low, size) = filling.region.bounds();
        let steps: [f64; 3] = match (even, S::DIMENSION) {
            (false, _) => [pitch; 3],
            (true, 2) => [0.5 * pitch, 0.5 * 3.0_f64.sqrt() * pitch, pitch],
            (true, _) => [0.5 * 2.0_f64.sqrt() * pitch; 3],
        };
        let mut grid = Grid {
            first: low,
            steps,
            numbers: [1; 3],
            even,
        };
        for axis in 0..S::DIMENSION {
            let endless = filling.region.is_endless(axis);
            let length = if endless {
                size[axis]
            } else {
                size[axis] - 2.0 * radius
            };
            // A hair more than fits by rounding is what was meant.
            let fit = (length / steps[axis] * (1.0 + 1e-12)).clamp(0.0, 1e9) as u64;
            if !endless {
                // Spread over the whole length.
                let gaps = fit.max(1) as f64;
                grid.first[axis] = low[axis] + if fit == 0 { 0.5 * size[axis] } else { radius };
                grid.numbers[axis] = if length < 0.0 { 0 } else { fit + 1 };
                grid.steps[axis] = if fit == 0 { steps[axis] } else { length / gaps };
            } else {
                // Going round must come back to the same parity.
                let number = if even { fit / 2 * 2 } else { fit };
                grid.numbers[axis] = number;
                grid.steps[axis] = size[axis] / number.max(1) as f64;
            }
        }
        grid
    }

    /// At most so many points.
    fn number(&self) -> usize {
        let all: f64 = self.numbers.iter().map(|&number| number as f64).product();
        (if self.even { (0.5 * all).ceil() } else { all }).min(1e18) as usize
    }

    /// Tells of each point, until told to stop.
    fn each<S: Space>(&self, mut tell: impl FnMut(S::Vector) -> bool) {
        for z in 0..self.numbers[2] {
            for y in 0..self.numbers[1] {
                let odd = self.even && (y + z) % 2 == 1;
                let stride = if self.even { 2 } else { 1 };
                for x in (u64::from(odd)..self.numbers[0]).step_by(stride) {
                    let index = [x, y, z].map(|index| index as f64);
                    let place =
                        [0, 1, 2].map(|axis| self.first[axis] + index[axis] * self.steps[axis]);
                    if !tell(S::vector(place)) {
                        return;
                    }
                }
            }
        }
    }
}

/// Moves balls about at random, each kept where it overlaps nothing.
fn shuffle<S: Compiled>(
    filling: &mut Filling<'_, S>,
    first: u32,
    radius: f64,
    gap: f64,
    random: &mut Random,
) {
    let count = filling.balls.len() - first as usize;
    let moves = MOVES.min(MOVES_EACH * count);
    let step = (2.0 * gap).clamp(1e-3 * radius, radius);
    for number in 0..moves {
        let id = first + (number % count) as u32;
        let offset = [0; 3].map(|_| random.between(-step, step));
        let place = filling.balls.place(id) + S::vector(offset);
        if place.is_finite()
            && filling.region.holds(place, radius)
            && filling.is_clear(place, radius, Some(id))
        {
            filling.balls.shift(id, place);
        }
    }
}
