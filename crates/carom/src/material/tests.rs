//! How materials combine, and which are refused.

use super::*;

#[test]
fn equal_materials_keep_their_numbers_and_zero_wins() {
    let mut materials = Materials::default();
    let rubber = Material {
        restitution: 0.7,
        static_friction: 0.6,
        kinetic_friction: 0.5,
        law: Law::Coulomb,
        ..Material::default()
    };
    let rubber = materials.add("rubber", rubber).unwrap();
    let putty = materials
        .add(
            "putty",
            Material {
                restitution: 0.0,
                ..Material::default()
            },
        )
        .unwrap();
    let bumper = materials
        .add(
            "bumper",
            Material {
                restitution: 1.6,
                ..Material::default()
            },
        )
        .unwrap();
    assert_eq!(materials.surface(rubber, rubber).restitution, 0.7);
    assert_eq!(materials.surface(rubber, putty).restitution, 0.0);
    assert!(materials.surface(rubber, bumper).restitution > 1.0);
    assert_eq!(
        materials.surface(rubber, putty),
        materials.surface(putty, rubber)
    );
}

#[test]
fn a_pair_can_be_laid_down() {
    let mut materials = Materials::default();
    let a = materials
        .add(
            "a",
            Material {
                restitution: 0.5,
                ..Material::default()
            },
        )
        .unwrap();
    let b = materials
        .add(
            "b",
            Material {
                law: Law::Course,
                ..Material::default()
            },
        )
        .unwrap();
    assert_eq!(materials.surface(a, b).law, Law::Course);
    let values = PairOverride {
        restitution: Some(0.9),
        law: Some(Law::Newton),
        ..PairOverride::default()
    };
    materials.override_pair(b, a, values).unwrap();
    assert_eq!(materials.surface(a, b).restitution, 0.9);
    assert_eq!(materials.surface(a, b).law, Law::Newton);
    let sticky = PairOverride {
        kinetic_friction: Some(0.3),
        ..PairOverride::default()
    };
    assert_eq!(
        materials.override_pair(a, b, sticky).unwrap_err().field,
        "kinetic_friction"
    );
}

#[test]
fn bad_numbers_are_refused_by_name() {
    let field = |material: Material| material.check().unwrap_err().field;
    let good = Material::default();
    assert_eq!(
        field(Material {
            restitution: -0.1,
            ..good
        }),
        "restitution"
    );
    assert_eq!(
        field(Material {
            restitution: f64::NAN,
            ..good
        }),
        "restitution"
    );
    assert_eq!(
        field(Material {
            static_friction: f64::INFINITY,
            ..good
        }),
        "static_friction"
    );
    assert_eq!(
        field(Material {
            kinetic_friction: 0.1,
            ..good
        }),
        "kinetic_friction"
    );
    assert!("coulombs".parse::<Law>().is_err());
    assert_eq!("beta".parse::<Law>().unwrap(), Law::Beta);
}
