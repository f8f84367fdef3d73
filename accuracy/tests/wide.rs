//! The oracle's own arithmetic against astro-float's.

use accuracy::big::{Big, digits, from_reference, parse, to_reference};
use accuracy::generate::Draw;
use accuracy::real::Real;
use astro_float::{BigFloat, Consts, RoundingMode};

const BITS: usize = 384;
const MODE: RoundingMode = RoundingMode::ToEven;

/// A number with a full mantissa and an exponent of up to ± `spread`.
fn random(draw: &mut Draw, spread: i64) -> Big {
    let mut words = [0; 5].map(|_: u64| draw.bits());
    words[4] |= 1 << 63;
    let exponent = (draw.bits() % (2 * spread as u64 + 1)) as i64 - spread;
    Big::from_parts(draw.chance(0.5), exponent, words)
}

/// Relative difference of a result from astro-float's, as a power of two.
fn off(result: &Big, reference: &BigFloat) -> f64 {
    let difference = to_reference(result).sub(reference, BITS, MODE);
    if difference.is_zero() {
        return f64::NEG_INFINITY;
    }
    let exponent = |x: &BigFloat| f64::from(x.exponent().expect("finite"));
    exponent(&difference) - exponent(reference)
}

#[test]
fn sums_products_quotients_and_roots_agree_with_astro_float() {
    let mut draw = Draw::new(1);
    for round in 0..20_000 {
        // Often with close exponents, so that sums cancel.
        let spread = if round % 2 == 0 { 1 } else { 350 };
        let (a, b) = (random(&mut draw, spread), random(&mut draw, spread));
        let (x, y) = (to_reference(&a), to_reference(&b));
        let size = a.size();
        // The truncations documented for the type, with two bits to spare for the exponents compared here.
        let cases = [
            ("product", a.times(&b), x.mul(&y, BITS, MODE), -317.0),
            ("quotient", a.over(&b), x.div(&y, BITS, MODE), -312.0),
            (
                "root",
                size.root(),
                to_reference(&size).sqrt(BITS, MODE),
                -312.0,
            ),
        ];
        for (name, result, reference, limit) in cases {
            assert!(
                off(&result, &reference) <= limit,
                "{name} of {a:?} and {b:?}"
            );
        }
        for (result, reference) in [
            (a.plus(&b), x.add(&y, 2 * BITS, MODE)),
            (a.minus(&b), x.sub(&y, 2 * BITS, MODE)),
        ] {
            assert!(
                reference.is_zero() && result.is_zero() || off(&result, &reference) <= -317.0,
                "sum of {a:?} and {b:?}"
            );
        }
        assert_eq!(a.below(&b), x < y);
    }
}

#[test]
fn cancelling_neighbours_are_exact() {
    let a = Big::of(1.0);
    let tiny = Big::of(1.0).shifted(-319);
    let b = a.plus(&tiny);
    assert_eq!(b.minus(&a), tiny);
    assert_eq!(b.minus(&tiny), a);
    assert_eq!(a.minus(&a).sign(), 0);
}

#[test]
fn f64_survives_the_way_there_and_back() {
    let mut draw = Draw::new(2);
    for _ in 0..10_000 {
        let x = f64::from_bits(draw.bits());
        if x.is_finite() {
            assert_eq!(Big::of(x).near(), x);
        }
    }
    assert_eq!(
        Big::of(f64::MIN_POSITIVE / 8.0).near(),
        f64::MIN_POSITIVE / 8.0
    );
}

#[test]
fn sine_and_cosine_agree_with_astro_float() {
    let mut draw = Draw::new(3);
    let mut constants = Consts::new().expect("memory");
    for _ in 0..300 {
        let angle = Big::of(draw.sign() * draw.power(-12.0, 5.0));
        let (sin, cos) = angle.sin_cos();
        let reference = to_reference(&angle);
        // An angle of 1e5 reduced by π/2 keeps 320 − 17 bits, and near a zero of either function fewer.
        for (result, expected) in [
            (sin, reference.sin(BITS, MODE, &mut constants)),
            (cos, reference.cos(BITS, MODE, &mut constants)),
        ] {
            let difference = result.minus(&from_reference(&expected)).near().abs();
            assert!(difference < 1e-88, "{} {}", angle.near(), difference);
        }
    }
}

#[test]
fn decimals_survive_the_way_there_and_back() {
    let third = Big::of(1.0).over(&Big::of(3.0)).shifted(-40);
    let text = digits(&third, 45);
    let back = parse(&text).expect("a number");
    let error = back.minus(&third).near().abs() / third.near();
    assert!(error < 1e-44, "{text}");
    assert!(parse("four").is_none());
}
