//! Every operation does the same on every kind of vectors, also to what is no ordinary number.

use super::{Floats, Mask, Portable, Vectors, Words, avx2};

const TRICKY: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -2.5,
    0.3,
    -0.3,
    7.25,
    -1e10,
    1e30,
    4503599627370495.5,
    -9007199254740993.0,
    16777217.0,
    2147483648.0,
    -2147483649.0,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-310,
];

/// All numbers that are none are alike.
fn bits(number: f64) -> u64 {
    if number.is_nan() {
        u64::MAX
    } else {
        number.to_bits()
    }
}

/// What everything gives, of all pairs of numbers.
fn fours<V: Vectors>(vectors: V) -> Vec<u64> {
    let mut seen = Vec::new();
    for a in TRICKY {
        for b in TRICKY {
            let one = vectors.four(&[a, b, -a, a]);
            let two = vectors.four(&[b, a, b, a]);
            let mask = one.less(two);
            let signs = vectors.four(&[-0.0, 0.0, -0.0, 0.0]);
            let numbers = [
                one + two,
                one - two,
                one * two,
                one / two,
                one.sqrt(),
                one.abs(),
                one.round(),
                one.signed(signs),
                one.least(two),
                one.most(two),
                one.least_number(two),
                one.most_number(two),
                one.only(mask),
                one.or_else(mask, two),
                one.or_else(vectors.lanes_of_four(0b0110), two),
                V::Four::from_words(one.to_words()),
            ];
            let rows = vectors.transpose_four([one, two, one + two, one - two]);
            for number in numbers.into_iter().chain(rows) {
                seen.extend(number.to_array().map(bits));
            }
            let masks = [
                mask,
                one.less_or_equal(two),
                one.greater(two),
                one.greater_or_equal(two),
                one.equal(two),
                mask & one.equal(one),
                mask | two.equal(two),
            ];
            for mask in masks {
                seen.push(u64::from(mask.bits()) << 1 | u64::from(mask.any()));
            }
        }
    }
    seen
}

/// The same of single precision. Zeros that numbers are rounded to have the sign of none.
fn eights<V: Vectors>(vectors: V) -> Vec<u64> {
    let mut seen = Vec::new();
    let float = |number: f32| bits(f64::from(number));
    for a in TRICKY.map(|number| number as f32) {
        for b in TRICKY.map(|number| number as f32) {
            let one = vectors.eight(&[a, b, -a, a, -b, b, a, a]);
            let two = vectors.eight(&[b, a, b, a, a, b, -b, 1.0]);
            let (mask, zero) = (one.greater(two), vectors.all_eight(0.0));
            let numbers = [
                one + two,
                one - two,
                one * two,
                one / two,
                one.sqrt(),
                one.abs(),
                one.round() + zero,
                one.least(two),
                one.most(two),
                one.least_number(two),
                one.most_number(two),
                one.only(mask),
                one.or_else(mask, two),
                V::Eight::from_words(one.to_words() | two.to_words()),
                V::Eight::from_words(one.to_words() & vectors.all_words(!31)),
            ];
            let rows = vectors.transpose_eight([
                one,
                two,
                one + two,
                one - two,
                one * two,
                zero,
                one.abs(),
                two.abs(),
            ]);
            let (four, other) = ([a, b, a + b, a * b], [b, -a, b - a, 1.0]);
            let quarters = vectors
                .transpose_quarters([&four, &other, &four, &four, &other, &other, &four, &other]);
            for number in numbers.into_iter().chain(rows).chain(quarters) {
                seen.extend(number.to_array().map(float));
            }
            let words = vectors.words(&[0, 1, 2, 3, u32::MAX, 5, 6, 7]);
            let masks = [
                mask,
                one.less(two),
                one.less_or_equal(two),
                one.greater_or_equal(two),
                one.equal(two),
                mask & one.equal(one),
                mask | two.equal(two),
                words.equal(vectors.all_words(u32::MAX)),
            ];
            for mask in masks {
                seen.push(u64::from(mask.bits()) << 1 | u64::from(mask.any()));
            }
            seen.push(u64::from(one.to_words().least()));
        }
    }
    seen
}

fn pressed<V: Vectors>(vectors: V) -> Vec<Vec<u32>> {
    (0..16_usize)
        .map(|without| {
            let left = 4 - without.count_ones() as usize;
            vectors.pressed([7, 8, u32::MAX, 10], without)[..left].to_vec()
        })
        .collect()
}

#[test]
fn all_vectors_do_the_same() {
    // By hand: without the first and the last but one.
    assert_eq!(pressed(Portable)[0b0101], [8, 10]);
    // The one of the trait: the vectors have a function of that name themselves, which rounds halves away from zero.
    let rounded = Floats::round(Portable.four(&[2.5, -0.5, 3.5, 1e300]));
    assert_eq!(rounded.to_array(), [2.0, -0.0, 4.0, 1e300]);
    let Some(avx2) = avx2::detect() else { return };
    assert_eq!(pressed(Portable), pressed(avx2));
    for lane in 0..8 {
        let mut words = [u32::MAX - 1; 8];
        words[lane] = 1 << 31;
        assert_eq!(Portable.words(&words).least(), 1 << 31);
        assert_eq!(avx2.words(&words).least(), 1 << 31);
    }
    assert!(fours(Portable) == fours(avx2));
    assert!(eights(Portable) == eights(avx2));
}
