//! Few colours in the place of many.
//!
//! The commonest colours are kept as they are (paper, walls, flat fills), so that they look the same in every picture
//! and nothing flickers. The others are divided by median cut (Heckbert, 1982): the box of colours with the largest
//! spread, weighted by how many pixels have them, is cut in two at the median of its longest side until there are
//! enough boxes; each is represented by its mean.

use crate::pictures::Picture;
use rayon::prelude::*;

/// How many there are at most; one more number is left for pixels that do not change.
pub(super) const COLOURS: usize = 255;
/// How many of the commonest are kept as they are.
const EXACT: usize = 48;
/// Bits of each of red, green and blue that decide which colour takes a pixel's place.
const BITS: u32 = 6;

/// A choice of colours.
#[derive(Clone, Debug)]
pub struct Colours {
    chosen: Vec<[u8; 3]>,
    /// The number of the chosen colour for every colour, by its leading bits.
    nearest: Vec<u8>,
}

/// A colour and how many pixels have it.
type Counted = ([u8; 3], u64);

impl Colours {
    /// For pictures like these.
    pub fn of(pictures: &[Picture]) -> Self {
        let mut all: Vec<u32> = pictures
            .par_iter()
            .flat_map_iter(|picture| {
                let pixels = picture.pixels.chunks_exact(3);
                pixels.map(|p| u32::from_be_bytes([0, p[0], p[1], p[2]]))
            })
            .collect();
        all.par_sort_unstable();
        let mut counted: Vec<Counted> = all
            .chunk_by(|a, b| a == b)
            .map(|same| {
                let [_, r, g, b] = same[0].to_be_bytes();
                ([r, g, b], same.len() as u64)
            })
            .collect();
        counted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let exact = counted.len().min(if counted.len() <= COLOURS {
            COLOURS
        } else {
            EXACT
        });
        let mut chosen: Vec<[u8; 3]> = counted[..exact].iter().map(|(colour, _)| *colour).collect();
        chosen.extend(cut(counted.split_off(exact), COLOURS - exact));
        if chosen.is_empty() {
            chosen.push([0; 3]);
        }
        let nearest = nearest(&chosen, exact);
        Colours { chosen, nearest }
    }

    /// Red, green, blue of each, and of the one that is never seen.
    pub(super) fn table(&self) -> Vec<u8> {
        let mut table: Vec<u8> = self.chosen.iter().flatten().copied().collect();
        table.resize(3 * (COLOURS + 1), 0);
        table
    }

    pub(super) fn indices(&self, picture: &Picture) -> Vec<u8> {
        let pixels = picture.pixels.chunks_exact(3);
        pixels
            .map(|p| self.nearest[bucket([p[0], p[1], p[2]])])
            .collect()
    }
}

fn bucket(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|byte| usize::from(byte) >> (8 - BITS));
    (r << (2 * BITS)) | (g << BITS) | b
}

fn nearest(chosen: &[[u8; 3]], exact: usize) -> Vec<u8> {
    let mask = (1 << BITS) - 1;
    let middle = |part: usize| ((part & mask) << (8 - BITS)) as i32 + (1 << (7 - BITS));
    let mut table: Vec<u8> = (0..1_usize << (3 * BITS))
        .into_par_iter()
        .map(|bucket| {
            let own = [bucket >> (2 * BITS), bucket >> BITS, bucket].map(middle);
            let far = |colour: &[u8; 3]| -> i32 {
                // Eyes tell greens apart best and blues worst.
                let weights = [3, 6, 2];
                (0..3)
                    .map(|i| {
                        let d = own[i] - i32::from(colour[i]);
                        weights[i] * d * d
                    })
                    .sum()
            };
            let best = chosen
                .iter()
                .enumerate()
                .min_by_key(|(_, colour)| far(colour));
            best.map_or(0, |(number, _)| number as u8)
        })
        .collect();
    // Those that are to be kept as they are; where two fall together, the commoner.
    for number in (0..exact).rev() {
        table[bucket(chosen[number])] = number as u8;
    }
    table
}

fn cut(colours: Vec<Counted>, into: usize) -> Vec<[u8; 3]> {
    let mut boxes = vec![colours];
    boxes.retain(|colours| !colours.is_empty());
    while boxes.len() < into {
        let spreads = boxes.iter().map(|colours| spread(colours));
        let widest = spreads
            .enumerate()
            .max_by(|(_, a), (_, b)| a.1.total_cmp(&b.1));
        let Some((place, (axis, size))) = widest else {
            break;
        };
        if !(size > 0.0) {
            break;
        }
        let mut colours = boxes.swap_remove(place);
        colours.sort_by_key(|(colour, _)| (colour[axis], *colour));
        let half = colours.iter().map(|(_, count)| count).sum::<u64>() / 2;
        let mut before = 0;
        let median = colours.iter().position(|(_, count)| {
            before += count;
            before > half
        });
        let at = median.unwrap_or(0).clamp(1, colours.len() - 1);
        let upper = colours.split_off(at);
        boxes.extend([colours, upper]);
    }
    boxes.iter().map(|colours| mean(colours)).collect()
}

/// The axis along which colours differ most, and how much that counts.
fn spread(colours: &[Counted]) -> (usize, f64) {
    if colours.len() < 2 {
        return (0, 0.0);
    }
    let weight: u64 = colours.iter().map(|(_, count)| count).sum();
    (0..3)
        .map(|axis| {
            let low = colours.iter().map(|(colour, _)| colour[axis]).min();
            let high = colours.iter().map(|(colour, _)| colour[axis]).max();
            let range = f64::from(high.unwrap_or(0) - low.unwrap_or(0));
            (axis, range * (weight as f64).sqrt())
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, 0.0))
}

fn mean(colours: &[Counted]) -> [u8; 3] {
    let weight: u64 = colours.iter().map(|(_, count)| count).sum();
    [0, 1, 2].map(|axis| {
        let sum: u64 = colours
            .iter()
            .map(|(colour, count)| u64::from(colour[axis]) * count)
            .sum();
        ((sum + weight / 2) / weight.max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixels: &[[u8; 3]]) -> Picture {
        Picture {
            width: pixels.len() as u32,
            height: 1,
            pixels: pixels.concat(),
        }
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let own = [[255, 255, 255], [0, 114, 178], [213, 94, 0], [17, 17, 17]];
        let picture = picture(&own);
        let colours = Colours::of(std::slice::from_ref(&picture));
        let back = colours.indices(&picture);
        let back: Vec<[u8; 3]> = back
            .iter()
            .map(|&n| colours.chosen[usize::from(n)])
            .collect();
        assert_eq!(back, own);
    }

    #[test]
    fn many_colours_are_near_theirs() {
        // A ramp of 4,096 colours in 255: steps of 16 along it; each within twice that.
        let ramp: Vec<[u8; 3]> = (0..4_096_u32)
            .map(|n| [(n >> 4) as u8, 255 - (n >> 4) as u8, ((n % 16) * 2) as u8])
            .collect();
        let picture = picture(&ramp);
        let colours = Colours::of(std::slice::from_ref(&picture));
        assert!(colours.chosen.len() <= COLOURS);
        for (own, index) in ramp.iter().zip(colours.indices(&picture)) {
            let given = colours.chosen[usize::from(index)];
            for i in 0..3 {
                assert!(own[i].abs_diff(given[i]) <= 32, "{own:?} {given:?}");
            }
        }
    }
}
