//! Vectors as wide as the processor has them, chosen when the program runs.
//!
//! A program is built for every processor of its kind: on x86-64 that means vectors of 128 bits and no instructions
//! younger than 2003. Most processors have twice the width and better instructions, so the loops in which the time goes
//! are compiled twice, and a run takes those that its processor can do. They are written once, for any `Vectors`;
//! `run_with!` picks, and everything within is compiled for the choice, plain numbers too.
//!
//! # Same bits
//!
//! Every operation here is the IEEE one on each lane, and nothing is contracted. Where two kinds of processors may
//! differ (the least of two of which one is NaN, the order of a sum), the function says what it does and all do that. A
//! test runs the golden digests with each choice (`crates/carom/tests/golden/`).
//!
//! # Speed
//!
//! What is called from within must be inlined (`#[inline(always)]`), or it is compiled for any processor again; what is
//! not to be inlined takes the choice as an argument and begins with `Vectors::run`.

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
mod avx2;
mod portable;
#[cfg(all(test, target_arch = "x86_64", not(target_feature = "avx2")))]
mod tests;

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Sub, SubAssign};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use portable::Portable;

/// Which vectors runs compute with. The results are the same bits; only the speed differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Those that every processor has that the program was built for.
    Portable,
    /// 256 bits, as x86-64 processors have them since 2013 (AVX2).
    Avx2,
}

impl Width {
    /// All that this processor has, the widest last.
    pub fn all() -> Vec<Width> {
        let mut all = vec![Width::Portable];
        all.extend(has_avx2().then_some(Width::Avx2));
        all
    }
}

/// Whether there is anything to choose. A program that was built for such processors has wide vectors anyhow.
fn has_avx2() -> bool {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    {
        avx2::detect().is_some()
    }
    #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
    false
}

/// What has been asked for: see [`choose`].
static ASKED: AtomicU8 = AtomicU8::new(WIDEST);
const WIDEST: u8 = 0;
const ONLY_PORTABLE: u8 = 1;

/// Runs that begin from now on compute with these vectors, or with the widest that there are (`None`). To compare them:
/// it changes no result.
///
/// The environment variable `CAROM_VECTORS=portable` does the same for a whole program.
pub fn choose(width: Option<Width>) {
    let asked = match width {
        Some(Width::Portable) => ONLY_PORTABLE,
        Some(Width::Avx2) | None => WIDEST,
    };
    ASKED.store(asked, Ordering::Relaxed);
}

/// What runs that begin now compute with.
pub fn width() -> Width {
    match Choice::now() {
        Choice::Portable(_) => Width::Portable,
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        Choice::Avx2(_) => Width::Avx2,
    }
}

/// The vectors of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Portable(Portable),
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    Avx2(fearless_simd::x86::Avx2),
}

impl Choice {
    /// For a run that begins now.
    pub fn now() -> Self {
        static WIDEST_HERE: OnceLock<Choice> = OnceLock::new();
        match ASKED.load(Ordering::Relaxed) {
            ONLY_PORTABLE => Choice::Portable(Portable),
            _ => *WIDEST_HERE.get_or_init(Choice::widest),
        }
    }

    fn widest() -> Self {
        let portable = std::env::var_os("CAROM_VECTORS").is_some_and(|it| it == "portable");
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        if !portable
            && has_avx2()
            && let Some(avx2) = avx2::detect()
        {
            return Choice::Avx2(avx2);
        }
        let _ = portable;
        Choice::Portable(Portable)
    }
}

/// Computes an expression with the vectors of a [`Choice`], which it knows by a name. What it uses is moved into it:
/// what is but looked at would go through memory twice.
///
/// Both ways are functions of their own, so that the choice itself takes a handful of instructions, and no registers
/// are saved for the way that is not taken.
macro_rules! run_with {
    ($choice:expr, $vectors:ident => $work:expr) => {
        match $choice {
            $crate::vectors::Choice::Portable($vectors) => $crate::vectors::apart(
                #[inline(always)]
                move || $work,
            ),
            #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
            $crate::vectors::Choice::Avx2($vectors) => $crate::vectors::Vectors::run(
                $vectors,
                #[inline(always)]
                move || $work,
            ),
        }
    };
}
pub(crate) use run_with;

/// Does something in a function of its own, where there is a choice.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[inline(never)]
pub(crate) fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Does something.
#[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
#[inline(always)]
pub(crate) fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Vectors of one kind of processor: eight numbers of single or four of double precision.
pub(crate) trait Vectors: Copy + Debug + Send + Sync + 'static {
    /// Eight numbers.
    type Eight: Floats<Array = [f32; 8], Words = Self::Words, Mask = <Self::Words as Words>::Mask>;
    /// Eight words.
    type Words: Words;
    /// Four numbers of double precision.
    type Four: Floats<Array = [f64; 4]>;

    /// Does what is inlined into `work` with these vectors.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// The same in a function of its own, where there is a choice.
    #[inline(always)]
    fn run_apart<R>(self, work: impl FnOnce() -> R) -> R {
        self.run(work)
    }

    fn eight(self, numbers: &[f32; 8]) -> Self::Eight;
    fn all_eight(self, number: f32) -> Self::Eight;
    fn words(self, words: &[u32; 8]) -> Self::Words;
    fn all_words(self, word: u32) -> Self::Words;
    fn four(self, numbers: &[f64; 4]) -> Self::Four;
    fn all_four(self, number: f64) -> Self::Four;
    /// The lanes whose bits are set.
    fn lanes_of_four(self, bits: u8) -> <Self::Four as Floats>::Mask;

    /// Rows to columns.
    fn transpose_eight(self, rows: [Self::Eight; 8]) -> [Self::Eight; 8];

    /// Rows of four to columns of eight.
    fn transpose_quarters(self, rows: [&[f32; 4]; 8]) -> [Self::Eight; 4];

    /// Rows to columns.
    fn transpose_four(self, rows: [Self::Four; 4]) -> [Self::Four; 4];

    /// A row without some of its words (by bits): the others side by side at its beginning; what comes after them has
    /// no meaning.
    fn pressed(self, row: [u32; 4], without: usize) -> [u32; 4];
}

/// Which lanes.
pub(crate) trait Mask: Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// By bits.
    fn bits(self) -> u32;
    fn any(self) -> bool;
}

/// Words side by side.
pub(crate) trait Words: Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> {
    type Mask: Mask;
    fn equal(self, other: Self) -> Self::Mask;
    fn to_array(self) -> [u32; 8];
    /// The least of all.
    fn least(self) -> u32;
}

/// Numbers side by side.
pub(crate) trait Floats:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
{
    type Array: Copy;
    type Words;
    type Mask: Mask;

    fn to_array(self) -> Self::Array;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// With the signs changed where those of the other are negative; the other must be zeros.
    fn signed(self, signs: Self) -> Self;
    /// To whole numbers, halves to even ones. Zeros of single precision may have either sign.
    fn round(self) -> Self;
    /// The lesser; where that is not the first, the second.
    fn least(self, other: Self) -> Self;
    /// The greater; where that is not the first, the second.
    fn most(self, other: Self) -> Self;
    /// The lesser, or the one that is a number.
    fn least_number(self, other: Self) -> Self;
    /// The greater, or the one that is a number.
    fn most_number(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    fn less_or_equal(self, other: Self) -> Self::Mask;
    fn greater(self, other: Self) -> Self::Mask;
    fn greater_or_equal(self, other: Self) -> Self::Mask;
    fn equal(self, other: Self) -> Self::Mask;
    /// Where the mask is set; zero elsewhere.
    fn only(self, mask: Self::Mask) -> Self;
    /// This where the mask is set, the other elsewhere.
    fn or_else(self, mask: Self::Mask, other: Self) -> Self;
    fn to_words(self) -> Self::Words;
    fn from_words(words: Self::Words) -> Self;
}

/// For each choice of words that are left out, where the bytes of the others are.
const ORDERS: [[u8; 16]; 16] = {
    let mut orders = [[0; 16]; 16];
    let mut without = 0;
    while without < 16 {
        let (mut word, mut to) = (0, 0);
        while word < 4 {
            if without >> word & 1 == 0 {
                let mut byte = 0;
                while byte < 4 {
                    orders[without][4 * to + byte] = (4 * word + byte) as u8;
                    byte += 1;
                }
                to += 1;
            }
            word += 1;
        }
        without += 1;
    }
    orders
};
