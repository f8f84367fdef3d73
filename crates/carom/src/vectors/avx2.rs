//! Vectors of 256 bits on x86-64, where the processor has them: the crate `fearless_simd`, whose token of a processor's
//! abilities is only had by asking for them.

use super::{Floats, Mask, ORDERS, Vectors, Words};
use fearless_simd::x86::Avx2;
use fearless_simd::{
    Bytes, Level, Simd, f32x4, f32x8, f64x4, kernel, mask32x8, mask64x4, prelude::*, u8x16, u32x4,
    u32x8, u64x4,
};
use std::arch::x86_64::*;

/// The token, where the processor has what it takes.
pub(super) fn detect() -> Option<Avx2> {
    Level::new().as_avx2()
}

impl Vectors for Avx2 {
    type Eight = f32x8<Avx2>;
    type Words = u32x8<Avx2>;
    type Four = f64x4<Avx2>;

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.vectorize(work)
    }

    #[inline(always)]
    fn eight(self, numbers: &[f32; 8]) -> f32x8<Avx2> {
        f32x8::load_array_ref(self, numbers)
    }

    #[inline(always)]
    fn all_eight(self, number: f32) -> f32x8<Avx2> {
        self.splat_f32x8(number)
    }

    #[inline(always)]
    fn words(self, words: &[u32; 8]) -> u32x8<Avx2> {
        u32x8::load_array_ref(self, words)
    }

    #[inline(always)]
    fn all_words(self, word: u32) -> u32x8<Avx2> {
        self.splat_u32x8(word)
    }

    #[inline(always)]
    fn four(self, numbers: &[f64; 4]) -> f64x4<Avx2> {
        f64x4::load_array_ref(self, numbers)
    }

    #[inline(always)]
    fn all_four(self, number: f64) -> f64x4<Avx2> {
        self.splat_f64x4(number)
    }

    #[inline(always)]
    fn lanes_of_four(self, bits: u8) -> mask64x4<Avx2> {
        self.from_bitmask_mask64x4(u64::from(bits & 15))
    }

    #[inline(always)]
    fn transpose_eight(self, rows: [f32x8<Avx2>; 8]) -> [f32x8<Avx2>; 8] {
        transpose_eight(self, rows)
    }

    #[inline(always)]
    fn transpose_quarters(self, rows: [&[f32; 4]; 8]) -> [f32x8<Avx2>; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        transpose_quarters(
            self,
            [
                pair(self, a, e),
                pair(self, b, f),
                pair(self, c, g),
                pair(self, d, h),
            ],
        )
    }

    #[inline(always)]
    fn transpose_four(self, rows: [f64x4<Avx2>; 4]) -> [f64x4<Avx2>; 4] {
        transpose_four(self, rows)
    }

    #[inline(always)]
    fn pressed(self, row: [u32; 4], without: usize) -> [u32; 4] {
        let order = u8x16::load_array_ref(self, &ORDERS[without & 15]);
        let row = u32x4::load_array(self, row).to_bytes();
        u32x4::from_bytes(self.swizzle_dyn_u8x16(row, order)).to_array()
    }
}

/// Two rows of four, one after the other.
#[inline(always)]
fn pair(vectors: Avx2, low: &[f32; 4], high: &[f32; 4]) -> f32x8<Avx2> {
    let low = f32x4::load_array_ref(vectors, low);
    vectors.combine_f32x4(low, f32x4::load_array_ref(vectors, high))
}

// Rows to columns: written with numbers, compilers take them apart and put them together one by one.
kernel!(
    #[inline(always)]
    fn transpose_eight(vectors: Avx2, rows: [f32x8<Avx2>; 8]) -> [f32x8<Avx2>; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let (a, b, c, d): (__m256, __m256, __m256, __m256) =
            (a.into(), b.into(), c.into(), d.into());
        let (e, f, g, h): (__m256, __m256, __m256, __m256) =
            (e.into(), f.into(), g.into(), h.into());
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        let (ef_low, ef_high) = (_mm256_unpacklo_ps(e, f), _mm256_unpackhi_ps(e, f));
        let (gh_low, gh_high) = (_mm256_unpacklo_ps(g, h), _mm256_unpackhi_ps(g, h));
        let i = _mm256_shuffle_ps::<0x44>(ab_low, cd_low);
        let j = _mm256_shuffle_ps::<0xee>(ab_low, cd_low);
        let k = _mm256_shuffle_ps::<0x44>(ab_high, cd_high);
        let l = _mm256_shuffle_ps::<0xee>(ab_high, cd_high);
        let m = _mm256_shuffle_ps::<0x44>(ef_low, gh_low);
        let n = _mm256_shuffle_ps::<0xee>(ef_low, gh_low);
        let o = _mm256_shuffle_ps::<0x44>(ef_high, gh_high);
        let p = _mm256_shuffle_ps::<0xee>(ef_high, gh_high);
        [
            _mm256_permute2f128_ps::<0x20>(i, m).simd_into(vectors),
            _mm256_permute2f128_ps::<0x20>(j, n).simd_into(vectors),
            _mm256_permute2f128_ps::<0x20>(k, o).simd_into(vectors),
            _mm256_permute2f128_ps::<0x20>(l, p).simd_into(vectors),
            _mm256_permute2f128_ps::<0x31>(i, m).simd_into(vectors),
            _mm256_permute2f128_ps::<0x31>(j, n).simd_into(vectors),
            _mm256_permute2f128_ps::<0x31>(k, o).simd_into(vectors),
            _mm256_permute2f128_ps::<0x31>(l, p).simd_into(vectors),
        ]
    }
);

kernel!(
    #[inline(always)]
    fn transpose_quarters(vectors: Avx2, rows: [f32x8<Avx2>; 4]) -> [f32x8<Avx2>; 4] {
        let [a, b, c, d] = rows;
        let (a, b, c, d): (__m256, __m256, __m256, __m256) =
            (a.into(), b.into(), c.into(), d.into());
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0x44>(ab_low, cd_low).simd_into(vectors),
            _mm256_shuffle_ps::<0xee>(ab_low, cd_low).simd_into(vectors),
            _mm256_shuffle_ps::<0x44>(ab_high, cd_high).simd_into(vectors),
            _mm256_shuffle_ps::<0xee>(ab_high, cd_high).simd_into(vectors),
        ]
    }
);

kernel!(
    #[inline(always)]
    fn transpose_four(vectors: Avx2, rows: [f64x4<Avx2>; 4]) -> [f64x4<Avx2>; 4] {
        let [a, b, c, d] = rows;
        let (a, b, c, d): (__m256d, __m256d, __m256d, __m256d) =
            (a.into(), b.into(), c.into(), d.into());
        let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab_even, cd_even).simd_into(vectors),
            _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd).simd_into(vectors),
            _mm256_permute2f128_pd::<0x31>(ab_even, cd_even).simd_into(vectors),
            _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd).simd_into(vectors),
        ]
    }
);

impl Mask for mask32x8<Avx2> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask() as u32
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.any_true()
    }
}

impl Mask for mask64x4<Avx2> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask() as u32
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.any_true()
    }
}

impl Words for u32x8<Avx2> {
    type Mask = mask32x8<Avx2>;

    #[inline(always)]
    fn equal(self, other: Self) -> mask32x8<Avx2> {
        self.simd.simd_eq_u32x8(self, other)
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        SimdBase::to_array(self)
    }

    #[inline(always)]
    fn least(self) -> u32 {
        least(self.simd, self)
    }
}

// Halves, quarters, eighths; numbers one by one wait for each other.
kernel!(
    #[inline(always)]
    fn least(vectors: Avx2, words: u32x8<Avx2>) -> u32 {
        let _ = vectors;
        let words: __m256i = words.into();
        let half = _mm_min_epu32(
            _mm256_castsi256_si128(words),
            _mm256_extracti128_si256::<1>(words),
        );
        let quarter = _mm_min_epu32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        let eighth = _mm_min_epu32(quarter, _mm_shuffle_epi32::<0b10_11_00_01>(quarter));
        _mm_cvtsi128_si32(eighth) as u32
    }
);

macro_rules! floats {
    ($floats:ident, $words:ident, $array:ty, $mask:ident,
     $sqrt:ident, $abs:ident, $round:ident, $min:ident, $max:ident, $least:ident, $most:ident,
     $lt:ident, $le:ident, $gt:ident, $ge:ident, $eq:ident, $select:ident) => {
        impl Floats for $floats<Avx2> {
            type Array = $array;
            type Words = $words<Avx2>;
            type Mask = $mask<Avx2>;

            #[inline(always)]
            fn to_array(self) -> $array {
                SimdBase::to_array(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                self.simd.$sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                self.simd.$abs(self)
            }

            #[inline(always)]
            fn signed(self, signs: Self) -> Self {
                $floats::from_bytes(self.to_bytes() ^ signs.to_bytes())
            }

            #[inline(always)]
            fn round(self) -> Self {
                self.simd.$round(self)
            }

            #[inline(always)]
            fn least(self, other: Self) -> Self {
                self.simd.$min(self, other)
            }

            #[inline(always)]
            fn most(self, other: Self) -> Self {
                self.simd.$max(self, other)
            }

            #[inline(always)]
            fn least_number(self, other: Self) -> Self {
                self.simd.$least(self, other)
            }

            #[inline(always)]
            fn most_number(self, other: Self) -> Self {
                self.simd.$most(self, other)
            }

            #[inline(always)]
            fn less(self, other: Self) -> Self::Mask {
                self.simd.$lt(self, other)
            }

            #[inline(always)]
            fn less_or_equal(self, other: Self) -> Self::Mask {
                self.simd.$le(self, other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self::Mask {
                self.simd.$gt(self, other)
            }

            #[inline(always)]
            fn greater_or_equal(self, other: Self) -> Self::Mask {
                self.simd.$ge(self, other)
            }

            #[inline(always)]
            fn equal(self, other: Self) -> Self::Mask {
                self.simd.$eq(self, other)
            }

            #[inline(always)]
            fn only(self, mask: Self::Mask) -> Self {
                $floats::from_bytes(self.to_bytes() & mask.to_vector().to_bytes())
            }

            #[inline(always)]
            fn or_else(self, mask: Self::Mask, other: Self) -> Self {
                self.simd.$select(mask, self, other)
            }

            #[inline(always)]
            fn to_words(self) -> Self::Words {
                $words::from_bytes(self.to_bytes())
            }

            #[inline(always)]
            fn from_words(words: Self::Words) -> Self {
                $floats::from_bytes(words.to_bytes())
            }
        }
    };
}

floats!(
    f32x8,
    u32x8,
    [f32; 8],
    mask32x8,
    sqrt_f32x8,
    abs_f32x8,
    round_ties_even_f32x8,
    min_f32x8,
    max_f32x8,
    min_precise_f32x8,
    max_precise_f32x8,
    simd_lt_f32x8,
    simd_le_f32x8,
    simd_gt_f32x8,
    simd_ge_f32x8,
    simd_eq_f32x8,
    select_f32x8
);
floats!(
    f64x4,
    u64x4,
    [f64; 4],
    mask64x4,
    sqrt_f64x4,
    abs_f64x4,
    round_ties_even_f64x4,
    min_f64x4,
    max_f64x4,
    min_precise_f64x4,
    max_precise_f64x4,
    simd_lt_f64x4,
    simd_le_f64x4,
    simd_gt_f64x4,
    simd_ge_f64x4,
    simd_eq_f64x4,
    select_f64x4
);
