//! Seeds of runs: the same whatever runs them, and in which order.
//!
//! They are those of NumPy's `SeedSequence([seed, point, repetition])` (after O'Neill's `seed_seq_fe128`), so that a
//! sweep from Python and one by the command have the same.

const POOL: usize = 4;
const SHIFT: u32 = 16;
const MULTIPLY_HASH: u32 = 0x931e_8875;
const MULTIPLY_STATE: u32 = 0x58f3_8ded;

/// Mixes a word into a constant that goes on.
fn hash(word: u32, constant: &mut u32) -> u32 {
    let mut value = word ^ *constant;
    *constant = constant.wrapping_mul(MULTIPLY_HASH);
    value = value.wrapping_mul(*constant);
    value ^ (value >> SHIFT)
}

fn mix(x: u32, y: u32) -> u32 {
    let result = 0xca01_f9dd_u32
        .wrapping_mul(x)
        .wrapping_sub(0x4973_f715_u32.wrapping_mul(y));
    result ^ (result >> SHIFT)
}

/// The words of a number, the lowest first; zero has one.
fn words(number: u64) -> impl Iterator<Item = u32> {
    let [low, high] = [number as u32, (number >> 32) as u32];
    std::iter::once(low).chain((high != 0).then_some(high))
}

/// The seed of a run: of a sweep's seed, a point and a repetition. It fits into 63 bits.
pub fn seed_of(seed: u64, index: u64, repetition: u64) -> u64 {
    let entropy: Vec<u32> = [seed, index, repetition]
        .into_iter()
        .flat_map(words)
        .collect();
    let mut constant = 0x43b0_d7e5_u32;
    let mut pool = [0_u32; POOL];
    for (place, word) in pool.iter_mut().enumerate() {
        *word = hash(entropy.get(place).copied().unwrap_or(0), &mut constant);
    }
    for from in 0..POOL {
        for to in 0..POOL {
            if from != to {
                pool[to] = mix(pool[to], hash(pool[from], &mut constant));
            }
        }
    }
    for &word in entropy.iter().skip(POOL) {
        for place in &mut pool {
            *place = mix(*place, hash(word, &mut constant));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut next = |word: u32| {
        let mut value = word ^ constant;
        constant = constant.wrapping_mul(MULTIPLY_STATE);
        value = value.wrapping_mul(constant);
        u64::from(value ^ (value >> SHIFT))
    };
    let (low, high) = (next(pool[0]), next(pool[1]));
    (low | high << 32) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `int(np.random.SeedSequence([s, i, r]).generate_state(1, np.uint64)[0]) >> 1`, NumPy 2.
    #[test]
    fn seeds_are_those_of_numpy() {
        for (of, seed) in NUMPY {
            let [base, index, repetition] = of;
            assert_eq!(seed_of(base, index, repetition), seed, "{of:?}");
        }
    }

    const NUMPY: [([u64; 3], u64); 4] = [
        ([0, 0, 0], 7896617691693857887),
        ([1, 2, 3], 6498626229777268288),
        ([7, 300, 9], 1172769263124242608),
        ([1099511627781, 1000000, 12], 1048399330790972399),
    ];
}
