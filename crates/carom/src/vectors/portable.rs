//! What every processor has that the program was built for: the crate `wide`, whose width is fixed when it is compiled.

use super::{Floats, Mask, ORDERS, Vectors, Words};
use crate::arrays::Each;
use wide::{f32x4, f32x8, f64x4, u8x16, u32x8, u64x4};

/// The vectors of the processors that the program was built for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Vectors for Portable {
    type Eight = f32x8;
    type Words = u32x8;
    type Four = f64x4;

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn run_apart<R>(self, work: impl FnOnce() -> R) -> R {
        super::apart(work)
    }

    #[inline(always)]
    fn eight(self, numbers: &[f32; 8]) -> f32x8 {
        f32x8::from(*numbers)
    }

    #[inline(always)]
    fn all_eight(self, number: f32) -> f32x8 {
        f32x8::splat(number)
    }

    #[inline(always)]
    fn words(self, words: &[u32; 8]) -> u32x8 {
        u32x8::from(*words)
    }

    #[inline(always)]
    fn all_words(self, word: u32) -> u32x8 {
        u32x8::splat(word)
    }

    #[inline(always)]
    fn four(self, numbers: &[f64; 4]) -> f64x4 {
        f64x4::from(*numbers)
    }

    #[inline(always)]
    fn all_four(self, number: f64) -> f64x4 {
        f64x4::splat(number)
    }

    #[inline(always)]
    fn lanes_of_four(self, bits: u8) -> f64x4 {
        LANES[(bits & 15) as usize]
    }

    #[inline(always)]
    fn transpose_eight(self, rows: [f32x8; 8]) -> [f32x8; 8] {
        f32x8::transpose(rows)
    }

    #[inline(always)]
    fn transpose_quarters(self, rows: [&[f32; 4]; 8]) -> [f32x8; 4] {
        let [a, b, c, d, e, f, g, h] = rows.each(|row| f32x4::from(*row));
        let (low, high) = (
            f32x4::transpose([a, b, c, d]),
            f32x4::transpose([e, f, g, h]),
        );
        let whole = |part: usize| {
            let [a, b, c, d] = low[part].to_array();
            let [e, f, g, h] = high[part].to_array();
            f32x8::from([a, b, c, d, e, f, g, h])
        };
        [whole(0), whole(1), whole(2), whole(3)]
    }

    #[inline(always)]
    fn transpose_four(self, rows: [f64x4; 4]) -> [f64x4; 4] {
        // Written out by number, which compilers turn into shuffles of whole registers.
        let [a, b, c, d] = rows.each(f64x4::to_array);
        [0, 1, 2, 3].each(|at| f64x4::new([a[at], b[at], c[at], d[at]]))
    }

    #[inline(always)]
    fn pressed(self, row: [u32; 4], without: usize) -> [u32; 4] {
        let order = &ORDERS[without & 15];
        if cfg!(all(target_arch = "x86_64", not(target_feature = "ssse3"))) {
            // Shuffles by a variable came later than 2003: in words, one load each.
            return [0, 4, 8, 12].each(|to| row[order[to] as usize / 4 % 4]);
        }
        let mut bytes = [0; 16];
        for (word, four) in row.into_iter().zip(bytes.as_chunks_mut().0) {
            *four = word.to_ne_bytes();
        }
        let bytes = u8x16::from(bytes).shuffle(u8x16::from(*order)).to_array();
        let mut words = [0; 4];
        for (word, &four) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_ne_bytes(four);
        }
        words
    }
}

/// The lanes whose bits are set in a number.
const LANES: [f64x4; 16] = {
    let mut masks = [f64x4::ZERO; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut lanes = [0.0; 4];
        let mut lane = 0;
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                lanes[lane] = f64::from_bits(u64::MAX);
            }
            lane += 1;
        }
        masks[bits] = f64x4::new(lanes);
        bits += 1;
    }
    masks
};

impl Mask for u32x8 {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.to_bitmask() != 0
    }
}

impl Mask for f64x4 {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn any(self) -> bool {
        f64x4::any(self)
    }
}

impl Words for u32x8 {
    type Mask = u32x8;

    #[inline(always)]
    fn equal(self, other: Self) -> u32x8 {
        self.simd_eq(other)
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        u32x8::to_array(self)
    }

    #[inline(always)]
    fn least(self) -> u32 {
        let words = u32x8::to_array(self);
        words.iter().fold(u32::MAX, |least, &word| least.min(word))
    }
}

macro_rules! floats {
    ($floats:ty, $words:ty, $array:ty, $mask:ty, $to_mask:expr, $of_mask:expr) => {
        impl Floats for $floats {
            type Array = $array;
            type Words = $words;
            type Mask = $mask;

            #[inline(always)]
            fn to_array(self) -> $array {
                <$floats>::to_array(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$floats>::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                <$floats>::abs(self)
            }

            #[inline(always)]
            fn signed(self, signs: Self) -> Self {
                self ^ signs
            }

            #[inline(always)]
            fn round(self) -> Self {
                self.round_ties_even()
            }

            #[inline(always)]
            fn least(self, other: Self) -> Self {
                self.fast_min(other)
            }

            #[inline(always)]
            fn most(self, other: Self) -> Self {
                self.fast_max(other)
            }

            #[inline(always)]
            fn least_number(self, other: Self) -> Self {
                self.min(other)
            }

            #[inline(always)]
            fn most_number(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline(always)]
            fn less(self, other: Self) -> $mask {
                $to_mask(self.simd_lt(other))
            }

            #[inline(always)]
            fn less_or_equal(self, other: Self) -> $mask {
                $to_mask(self.simd_le(other))
            }

            #[inline(always)]
            fn greater(self, other: Self) -> $mask {
                $to_mask(self.simd_gt(other))
            }

            #[inline(always)]
            fn greater_or_equal(self, other: Self) -> $mask {
                $to_mask(self.simd_ge(other))
            }

            #[inline(always)]
            fn equal(self, other: Self) -> $mask {
                $to_mask(self.simd_eq(other))
            }

            #[inline(always)]
            fn only(self, mask: $mask) -> Self {
                self & $of_mask(mask)
            }

            #[inline(always)]
            fn or_else(self, mask: $mask, other: Self) -> Self {
                $of_mask(mask).bitselect(self, other)
            }

            #[inline(always)]
            fn to_words(self) -> $words {
                self.to_bits()
            }

            #[inline(always)]
            fn from_words(words: $words) -> Self {
                <$floats>::from_bits(words)
            }
        }
    };
}

floats!(
    f32x8,
    u32x8,
    [f32; 8],
    u32x8,
    |mask: f32x8| mask.to_bits(),
    f32x8::from_bits
);
floats!(
    f64x4,
    u64x4,
    [f64; 4],
    f64x4,
    |mask: f64x4| mask,
    |mask: f64x4| mask
);
