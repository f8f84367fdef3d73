//! Random kicks: a granular gas that is heated, what is conserved, and the same bits however the run is cut.

use carom::material::Constants;
use carom::prelude::*;
use carom::record::{Change, Event};
use carom::simulate::{Action, RandomKicks};
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Discs of diameter and mass 1 on a square lattice that fill a tenth of a periodic box.
fn gas(side: u32, restitution: f64, speed: f64) -> World2 {
    let mut world = World2::new();
    let material = Material {
        restitution,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    let spacing = (PI / 4.0 / 0.1).sqrt();
    let length = f64::from(side) * spacing;
    world
        .set_periodic([Some(length), Some(length), None])
        .unwrap();
    for k in 0..side * side {
        let place = DVec2::new(f64::from(k % side), f64::from(k / side)) * spacing;
        // The golden angle, in pairs of opposites.
        let angle = 2.399_963 * f64::from(k / 2) + PI * f64::from(k % 2);
        let velocity = DVec2::new(angle.cos(), angle.sin()) * speed;
        world
            .add(Body::ball(0.5, 1.0, place, velocity).unwrap())
            .unwrap();
    }
    world
}

#[test]
fn a_heated_granular_gas_has_the_temperature_of_van_noije_and_ernst() {
    // What kicks give, m ξ² a disc and second, is what collisions take: T^(3/2) = m^(3/2) ξ²/((1 − ε²) √π n σ χ), with
    // Henderson's χ = (1 − 7η/16)/(1 − η)².
    let (restitution, fraction) = (0.8, 0.1_f64);
    let density = 4.0 * fraction / PI;
    let contact = (1.0 - 7.0 * fraction / 16.0) / (1.0 - fraction).powi(2);
    let cooling = (1.0 - restitution * restitution) * PI.sqrt() * density * contact;
    for wanted in [1.0_f64, 4.0] {
        let strength = cooling * wanted.powf(1.5);
        // A fortieth of the time between two collisions of a disc.
        let interval = 0.05 / wanted.sqrt();
        let mut run = Simulation::new(gas(20, restitution, 1.0)).unwrap();
        let kicks = RandomKicks::heating(strength, interval, 3);
        run.every(interval, Action::Kick(kicks)).unwrap();
        run.run_until(40.0 / wanted.sqrt()).unwrap();
        let (mut sum, samples) = (0.0, 200);
        for sample in 1..=samples {
            run.run_until((40.0 + f64::from(sample)) / wanted.sqrt())
                .unwrap();
            sum += run.audit().now.translational / 400.0;
        }
        let found = sum / f64::from(samples);
        // 400 discs over some 30 relaxation times scatter by a hundredth; velocities that are not quite Maxwell's, and
        // the momentum that is taken off, make less.
        assert!(
            (found / wanted - 1.0).abs() < 0.05,
            "{found} J, not {wanted} J"
        );
        let audit = run.audit();
        assert!(audit.given > 0.0);
        let scale = audit.given + audit.now.total();
        assert!(audit.energy_residual.abs() < 1e-11 * scale, "{audit:?}");
        assert!(audit.momentum.length() < 1e-9, "{:?}", audit.momentum);
    }
}

#[test]
fn without_collisions_the_variance_grows_by_the_strength() {
    // 2,500 discs at rest with so little radius that none meets another: 2 s at 0.3 m²/s³, along each axis.
    let mut world = World2::new();
    for k in 0..2500 {
        let place = DVec2::new(f64::from(k % 50), f64::from(k / 50)) * 100.0;
        let mass = 1.0 + f64::from(k % 3);
        world
            .add(Body::ball(1e-3, mass, place, DVec2::ZERO).unwrap())
            .unwrap();
    }
    let mut run = Simulation::new(world).unwrap();
    let kicks = RandomKicks::heating(0.3, 0.1, 5);
    run.every(0.1, Action::Kick(kicks)).unwrap();
    run.run_until(2.0 + 1e-9).unwrap();
    let velocities: Vec<DVec2> = run
        .bodies()
        .into_iter()
        .map(|id| run.state(id).velocity)
        .collect();
    let mean = |of: &dyn Fn(&DVec2) -> f64| velocities.iter().map(of).sum::<f64>() / 2500.0;
    for variance in [mean(&|v| v.x * v.x), mean(&|v| v.y * v.y)] {
        // Its relative error is √(2/2500) = 0.028: four of them.
        assert!((variance / 0.6 - 1.0).abs() < 0.113, "{variance}");
    }
    // A Gaussian: ⟨v⁴⟩ = 3 ⟨v²⟩², with an error of √(24/2500) = 0.1.
    let (second, fourth) = (mean(&|v| v.x * v.x), mean(&|v| v.x.powi(4)));
    assert!((fourth / (second * second) - 3.0).abs() < 0.4, "{fourth}");
    assert!(mean(&|v| v.x * v.y).abs() < 4.0 * 0.6 / 50.0);
    assert!(run.audit().momentum.length() < 1e-9);
}

fn heated(seed: u64) -> Simulation<Space2> {
    let mut run = Simulation::new(gas(6, 0.9, 1.0)).unwrap();
    let mut kicks = RandomKicks::heating(0.2, 0.05, seed);
    kicks.conserves_momentum = seed.is_multiple_of(2);
    run.every(0.05, Action::Kick(kicks)).unwrap();
    run
}

#[test]
fn the_bits_are_the_same_however_it_is_cut_and_stored() {
    for seed in [1, 2] {
        let mut whole = heated(seed);
        whole.run_until(5.0).unwrap();
        let mut cut = heated(seed);
        for piece in 1..=37 {
            cut.run_until(5.0 * f64::from(piece) / 37.0).unwrap();
            cut = Simulation::restore(&cut.snapshot()).unwrap();
        }
        assert_eq!(cut.digest(), whole.digest());
        assert_eq!(cut.audit().given, whole.audit().given);
        for id in whole.bodies() {
            assert_eq!(cut.state(id), whole.state(id));
        }
    }
    let [mut one, mut other] = [heated(1), heated(3)];
    one.run_until(1.0).unwrap();
    other.run_until(1.0).unwrap();
    assert_ne!(one.digest(), other.digest());
}

#[test]
fn some_bodies_are_kicked_and_others_are_not() {
    let mut run = Simulation::new(gas(4, 1.0, 0.0)).unwrap();
    let kicked = [BodyId(3), BodyId(9)];
    let mut kicks = RandomKicks::new(0.1, 11);
    kicks.bodies = Some(kicked.to_vec());
    run.at(0.5, Action::Kick(kicks)).unwrap();
    let mut edits = 0;
    run.run_with(0.5 + 1e-3, |event| {
        if let Event::Edited(edit) = event {
            assert_eq!((edit.time, edit.change), (0.5, Change::Velocities));
            edits += 1;
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(edits, 1);
    for id in run.bodies() {
        let moves = run.state(id).velocity != DVec2::ZERO;
        assert_eq!(moves, kicked.contains(&id), "{id:?}");
    }
    // Opposite, for their momentum is taken off.
    let [a, b] = kicked.map(|id| run.state(id).velocity);
    assert!((a + b).length() < 1e-16);
    for wrong in [f64::NAN, -1.0, f64::INFINITY] {
        let refused = run.every(0.1, Action::Kick(RandomKicks::new(wrong, 1)));
        assert!(refused.is_err());
    }
}

#[test]
fn by_forces_kicks_are_in_the_budget_too() {
    let mut world = gas(5, 0.8, 0.5);
    let id = world.materials.find("default").unwrap();
    world
        .materials
        .set_constants(id, Constants::lasting(0.02))
        .unwrap();
    let heated = || {
        let mut run = Simulation::with(world.clone(), Forces::stepping(2e-4)).unwrap();
        run.every(0.05, Action::Kick(RandomKicks::heating(0.2, 0.05, 2)))
            .unwrap();
        run
    };
    let mut run = heated();
    run.run_until(4.0).unwrap();
    let audit = run.audit();
    assert!(audit.given > 0.0, "{audit:?}");
    // A contact of 0.02 s has a hundred steps of fourth order: 1e-8 of what it turns over.
    assert!(audit.energy_residual.abs() < 1e-6, "{audit:?}");
    let mut cut = heated();
    for piece in 1..=8 {
        cut.run_until(0.5 * f64::from(piece)).unwrap();
        cut = Simulation::restore(&cut.snapshot()).unwrap();
    }
    assert_eq!(cut.digest(), run.digest());
}
