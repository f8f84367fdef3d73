//! Restitution that depends on the approach speed: the law of viscoelastic spheres against its equation of motion, and
//! tables; what two materials have between them.

use carom::material::{Material, Materials, PairOverride, RestitutionCurve};
use proptest::prelude::*;

/// ε of `ẍ = −(x^(3/2) + ratio √x ẋ)`, x(0) = 0, ẋ(0) = 1, until the force would pull: what the law is of, in units in
/// which stiffness, mass and speed are one. Runge–Kutta; steps of 2·10⁻⁴ leave 10⁻⁷.
fn integrated(ratio: f64) -> f64 {
    let pull = |x: f64, v: f64| {
        let root = x.max(0.0).sqrt();
        -root * (x.max(0.0) + ratio * v)
    };
    let (mut x, mut v, h) = (0.0, 1.0, 2e-4);
    loop {
        let (x1, v1) = (v, pull(x, v));
        let (x2, v2) = (v + 0.5 * h * v1, pull(x + 0.5 * h * x1, v + 0.5 * h * v1));
        let (x3, v3) = (v + 0.5 * h * v2, pull(x + 0.5 * h * x2, v + 0.5 * h * v2));
        let (x4, v4) = (v + h * v3, pull(x + h * x3, v + h * v3));
        x += h / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
        v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        if v < 0.0 && x + ratio * v <= 0.0 {
            return -v;
        }
    }
}

#[test]
fn the_viscoelastic_law_is_that_of_its_spring_and_damper() {
    // What the documentation says it is off by.
    for (ratio, error) in [
        (1e-3, 1e-6),
        (0.01, 1e-6),
        (0.05, 3e-4),
        (0.2, 3e-4),
        (0.5, 2e-3),
        (1.0, 5e-3),
        (2.0, 8.1e-3),
        (5.0, 8.1e-3),
        (10.0, 8.1e-3),
    ] {
        let law = RestitutionCurve::with_loss(ratio).unwrap().at(1.0);
        let truth = integrated(ratio);
        assert!((law - truth).abs() < error, "{ratio}: {law}, not {truth}");
    }
}

#[test]
fn slow_impacts_have_the_series_of_the_literature() {
    // Ramírez, Pöschel, Brilliantov and Schwager (1999): 1 − 1.15344 x + 0.79826 x² …, with x = loss v^(1/5).
    let curve = RestitutionCurve::with_loss(0.1).unwrap();
    for speed in [1e-10, 1e-6, 1e-3] {
        let x = 0.1 * libm::pow(speed, 0.2);
        let series = 1.0 - 1.15344 * x + 0.79826 * x * x;
        // The next term is of the order of x^(5/2).
        assert!(
            (curve.at(speed) - series).abs() < 2.0 * x.powf(2.5),
            "{speed}"
        );
    }
    assert_eq!(curve.at(0.0), 1.0);
}

#[test]
fn a_table_has_straight_lines_and_constant_ends() {
    let curve = RestitutionCurve::table(vec![(0.5, 1.0), (1.0, 0.75), (3.0, 0.25)]).unwrap();
    for (speed, restitution) in [
        (0.0, 1.0),
        (0.5, 1.0),
        (0.75, 0.875),
        (1.0, 0.75),
        (2.0, 0.5),
        (3.0, 0.25),
        (1e9, 0.25),
    ] {
        assert_eq!(curve.at(speed), restitution, "{speed} m/s");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let field = |curve: Result<RestitutionCurve, carom::material::MaterialError>| {
        curve.expect_err("it is refused").field
    };
    for restitution in [0.0, -0.1, 1.1, f64::NAN] {
        let refused = field(RestitutionCurve::viscoelastic(restitution, 1.0));
        assert_eq!(refused, "restitution");
    }
    for speed in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert_eq!(field(RestitutionCurve::viscoelastic(0.5, speed)), "speed");
    }
    assert_eq!(field(RestitutionCurve::with_loss(-1.0)), "loss");
    for points in [
        vec![],
        vec![(0.0, 1.0); 2],
        vec![(1.0, 0.5), (0.5, 0.6)],
        vec![(0.0, 1.1)],
        vec![(-1.0, 0.5)],
        vec![(f64::NAN, 0.5)],
        (0..1001).map(|k| (f64::from(k), 0.5)).collect(),
    ] {
        assert_eq!(field(RestitutionCurve::table(points)), "table");
    }
}

#[test]
fn two_materials_have_the_mean_of_their_losses_or_of_their_restitutions() {
    let mut materials = Materials::default();
    let elastic = Materials::DEFAULT;
    let mut add = |name: &str, restitution: f64| {
        let material = Material {
            restitution,
            ..Material::default()
        };
        materials.add(name, material).unwrap()
    };
    let (soft, hard, dull, measured) = (
        add("soft", 1.0),
        add("hard", 1.0),
        add("dull", 0.25),
        add("measured", 1.0),
    );
    let law = |loss| RestitutionCurve::with_loss(loss).unwrap();
    materials.set_restitution_curve(soft, law(0.3)).unwrap();
    materials.set_restitution_curve(hard, law(0.1)).unwrap();
    let table = RestitutionCurve::table(vec![(0.0, 1.0), (2.0, 0.5)]).unwrap();
    materials.set_restitution_curve(measured, table).unwrap();
    let at = |materials: &Materials, a, b| materials.restitution_at(a, b, 2.0);
    assert_eq!(at(&materials, soft, soft), law(0.3).at(2.0));
    assert_eq!(at(&materials, soft, hard), law(0.2).at(2.0));
    assert_eq!(at(&materials, elastic, hard), law(0.05).at(2.0));
    let mean = (0.25 * law(0.1).at(2.0)).sqrt();
    assert!((at(&materials, hard, dull) - mean).abs() < 1e-15);
    assert!((at(&materials, dull, measured) - (0.25 * 0.5_f64).sqrt()).abs() < 1e-15);
    assert_eq!(at(&materials, measured, measured), 0.5);
    // What is laid down for a pair holds, and the later of a number and a law.
    materials
        .override_restitution_curve(hard, dull, law(0.4))
        .unwrap();
    assert_eq!(at(&materials, dull, hard), law(0.4).at(2.0));
    let number = PairOverride {
        restitution: Some(0.6),
        ..PairOverride::default()
    };
    materials.override_pair(hard, dull, number).unwrap();
    assert_eq!(at(&materials, dull, hard), 0.6);
    assert!(!materials.surface(dull, hard).varies());
}

#[test]
fn a_material_keeps_its_law_until_its_number_changes() {
    let mut materials = Materials::default();
    let id = materials.add("ice", Material::default()).unwrap();
    let law = RestitutionCurve::viscoelastic(0.9, 2.0).unwrap();
    materials.set_restitution_curve(id, law.clone()).unwrap();
    let rough = Material {
        static_friction: 0.2,
        ..*materials.get(id)
    };
    materials.add("ice", rough).unwrap();
    assert_eq!(materials.restitution_curve(id), Some(&law));
    let dull = Material {
        restitution: 0.5,
        ..rough
    };
    materials.add("ice", dull).unwrap();
    assert_eq!(materials.restitution_curve(id), None);
    assert_eq!(materials.restitution_at(id, id, 7.0), 0.5);
}

proptest! {
    #[test]
    fn restitutions_are_from_0_to_1_and_fall_with_the_speed(
        given in 1e-6..1.0_f64,
        at in -6.0..6.0_f64,
        speeds in prop::array::uniform2(-300.0..300.0_f64),
    ) {
        let at = libm::pow(10.0, at);
        let law = RestitutionCurve::viscoelastic(given, at).unwrap();
        prop_assert!((law.at(at) / given - 1.0).abs() < 1e-13, "{} {given}", law.at(at));
        let [a, b] = speeds.map(|speed| libm::pow(10.0, speed));
        let (slow, fast) = (law.at(a.min(b)), law.at(a.max(b)));
        prop_assert!((0.0..=1.0).contains(&slow) && (0.0..=1.0).contains(&fast));
        prop_assert!(slow >= fast);
    }

    #[test]
    fn a_table_stays_between_its_values(
        values in prop::collection::vec((1e-3..1.0_f64, 0.0..=1.0_f64), 1..8),
        speed in 0.0..10.0_f64,
    ) {
        let mut points = Vec::new();
        let mut at = 0.0;
        for &(more, restitution) in &values {
            points.push((at, restitution));
            at += more;
        }
        let [least, most] = [f64::min, f64::max]
            .map(|of| values.iter().map(|it| it.1).reduce(of).unwrap());
        let found = RestitutionCurve::table(points).unwrap().at(speed);
        prop_assert!((least..=most).contains(&found));
    }
}
