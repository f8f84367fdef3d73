//! Viscoelastic spheres by forces (row C2): the restitution falls with the approach speed as that of impulses does. A
//! table has no damper.

use super::touches_of;
use carom::material::{Constants, ConstantsError, RestitutionCurve};
use carom::prelude::*;
use carom::simulate::{Ending, ForcesError, Stepped};

fn spheres(curve: RestitutionCurve, constants: Constants, speed: f64) -> World3 {
    let mut world = World3::new();
    let ice = world.materials.add("ice", Material::default()).unwrap();
    world.materials.set_restitution_curve(ice, curve).unwrap();
    world.materials.set_constants(ice, constants).unwrap();
    for (x, mass) in [(-1.0, 0.02), (1.0, 0.05)] {
        let place = DVec3::new(0.011 * x, 0.0, 0.0);
        let velocity = DVec3::new(-0.5 * speed * x, 0.0, 0.0);
        let ball = Body::ball(0.01, mass, place, velocity).unwrap();
        world.add(ball.made_of(ice)).unwrap();
    }
    world
}

#[test]
fn viscoelastic_spheres_rebound_as_by_impulses() {
    let curve = RestitutionCurve::viscoelastic(0.8, 1.0).unwrap();
    for speed in [0.01, 0.1, 1.0, 5.0] {
        let world = spheres(curve.clone(), Constants::hertz(1e7, 0.3), speed);
        let forces = Forces::stepping(1e-6).with_ending(Ending::CutOff);
        let mut run = Stepped::new(world, &forces).unwrap();
        let touch = touches_of(&mut run, 0.003 / speed + 0.01)[0];
        let (bounce, law) = (touch.restitution().unwrap(), curve.at(speed));
        // The approximant is off by 0.0003 to 0.002 down to ε = 0.6.
        assert!(
            (bounce - law).abs() < 2e-3,
            "{speed} m/s: {bounce}, not {law}"
        );
        let couple = run.couple(BodyId(0), BodyId(1)).unwrap();
        assert!((couple.normal.restitution(couple.mass) - 0.8).abs() < 1e-12);
        assert!(run.audit().energy_residual.abs() < 1e-9);
    }
}

#[test]
fn a_table_and_a_linear_spring_are_refused() {
    let table = RestitutionCurve::table(vec![(0.0, 1.0), (2.0, 0.5)]).unwrap();
    let law = RestitutionCurve::with_loss(0.1).unwrap();
    for (curve, constants, expected) in [
        (
            table.clone(),
            Constants::hertz(1e7, 0.3),
            ConstantsError::Varies,
        ),
        (table, Constants::linear(1e5), ConstantsError::Varies),
        (law, Constants::linear(1e5), ConstantsError::Viscoelastic),
    ] {
        let world = spheres(curve, constants, 1.0);
        let wrong = Stepped::new(world, &Forces::default()).expect_err("it is refused");
        match &wrong[..] {
            [ForcesError::Pair { reason, .. }] => assert_eq!(**reason, expected),
            other => panic!("{other:?}"),
        }
    }
    // A damping that is given does not ask for a restitution.
    let table = RestitutionCurve::table(vec![(0.0, 1.0), (2.0, 0.5)]).unwrap();
    let given = spheres(table, Constants::spring_and_damper(1e5, 0.1), 1.0);
    Stepped::new(given, &Forces::default()).unwrap();
}
