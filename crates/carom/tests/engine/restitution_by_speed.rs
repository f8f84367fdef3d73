//! Restitution that depends on the approach speed, in runs (row C3): single bounces against closed forms, bounces that
//! come to rest, and a gas that cools by Haff's law for viscoelastic spheres.

use super::random::Random;
use carom::body::Kind;
use carom::material::RestitutionCurve;
use carom::prelude::*;
use carom::record::{Event, Regime};
use carom::shape::HalfSpace;
use carom::simulate::Exact;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn world_of(curve: &RestitutionCurve) -> World2 {
    let mut world = World2::new();
    let id = world.materials.add("default", Material::default()).unwrap();
    (world.materials)
        .set_restitution_curve(id, curve.clone())
        .unwrap();
    world
}

fn curves() -> [RestitutionCurve; 2] {
    [
        RestitutionCurve::viscoelastic(0.8, 1.0).unwrap(),
        RestitutionCurve::table(vec![(0.0, 1.0), (0.5, 0.9), (4.0, 0.3)]).unwrap(),
    ]
}

fn wall(normal: DVec2) -> Body<Space2> {
    Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).unwrap()))
}

#[test]
fn single_bounces_have_the_restitution_of_their_speed() {
    for curve in curves() {
        for speed in [1e-3, 0.3, 1.0, 2.5, 20.0] {
            let restitution = curve.at(speed);
            // A ball against a wall, at an angle: what counts is the speed along the normal.
            let mut world = world_of(&curve);
            world.add(wall(DVec2::Y)).unwrap();
            let velocity = DVec2::new(0.7, -speed);
            let ball = Body::ball(0.1, 0.4, DVec2::new(0.0, 1.0), velocity).unwrap();
            let ball = world.add(ball).unwrap();
            let mut run = Exact::new(world).unwrap();
            run.run_to(1.0 / speed).unwrap();
            let after = run.state(ball).velocity;
            assert!((after.y / (restitution * speed) - 1.0).abs() < 1e-12);
            assert_eq!(after.x, 0.7);
            let lost = 0.5 * 0.4 * (1.0 - restitution * restitution) * speed * speed;
            let audit = run.audit();
            assert!((audit.losses.with_fixtures.restitution / lost - 1.0).abs() < 1e-12);
            // Two balls.
            let mut world = world_of(&curve);
            let masses = [0.4, 1.0];
            let places = [DVec2::ZERO, DVec2::new(1.0, 0.0)];
            let velocities = [DVec2::new(speed, 0.0), DVec2::ZERO];
            let ids = [0, 1].map(|k| {
                let ball = Body::ball(0.1, masses[k], places[k], velocities[k]).unwrap();
                world.add(ball).unwrap()
            });
            let mut run = Exact::new(world).unwrap();
            run.run_to(2.0 / speed).unwrap();
            let [a, b] = ids.map(|id| run.state(id).velocity.x);
            assert!(((b - a) / (restitution * speed) - 1.0).abs() < 1e-12);
            let reduced = 0.4 / 1.4;
            let lost = 0.5 * reduced * (1.0 - restitution * restitution) * speed * speed;
            let audit = run.audit();
            assert!((audit.losses.between_balls.restitution / lost - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_box_that_lands_flat_rebounds_as_a_ball_does() {
    for curve in curves() {
        for speed in [0.5, 3.0] {
            let mut world = world_of(&curve);
            world.add(wall(DVec2::Y)).unwrap();
            let shape = Shape::block(DVec2::new(0.2, 0.1)).unwrap();
            let pose = Pose::at(DVec2::new(0.0, 1.0));
            let block = Body::solid(shape, 2.0, pose, DVec2::new(0.0, -speed), 0.0).unwrap();
            let block = world.add(block).unwrap();
            let mut run = Exact::new(world).unwrap();
            run.run_to(1.2 / speed).unwrap();
            let after = run.state(block);
            let expected = curve.at(speed) * speed;
            assert!(
                (after.velocity.y / expected - 1.0).abs() < 1e-9,
                "{after:?}"
            );
            assert!(after.angular_velocity.abs() < 1e-9);
        }
    }
}

#[test]
fn a_ball_that_strikes_two_at_once_strikes_each_at_its_speed() {
    // Head-on in the middle between two that touch: by symmetry both contacts approach at v cos 30°. With one ε for
    // both Newton's rule holds at each: the relative normal velocities are −ε times what they were.
    for curve in curves() {
        for speed in [0.5, 3.0] {
            let mut world = world_of(&curve);
            let ball = |x: f64, y: f64, v: f64| {
                Body::ball(0.5, 1.0, DVec2::new(x, y), DVec2::new(v, 0.0)).unwrap()
            };
            let a = world.add(ball(-2.0, 0.0, speed)).unwrap();
            let b = world.add(ball(0.0, 0.5 + 1e-9, 0.0)).unwrap();
            world.add(ball(0.0, -0.5 - 1e-9, 0.0)).unwrap();
            let mut run = Exact::new(world).unwrap();
            run.run_to(2.0 / speed).unwrap();
            let normal = DVec2::new(0.75_f64.sqrt(), 0.5);
            let approach = speed * normal.x;
            let parting = normal.dot(run.state(b).velocity - run.state(a).velocity);
            let expected = curve.at(approach) * approach;
            assert!(
                (parting / expected - 1.0).abs() < 1e-6,
                "{parting} {expected}"
            );
        }
    }
}

#[test]
fn bounces_come_to_rest_when_they_have_added_up() {
    // Each hop takes 2v/g. The speeds are followed until what is left is less than the tolerance: with loss·v^(1/5)
    // small the sum of the rest is 5/4 v^(4/5)/(1.153 loss).
    for (restitution, height, radius) in [(0.6, 0.7, 0.1), (0.9, 0.2, 0.05)] {
        let curve = RestitutionCurve::viscoelastic(restitution, 1.0).unwrap();
        let loss = match curve {
            RestitutionCurve::Viscoelastic { loss } => loss,
            _ => unreachable!(),
        };
        let mut world = world_of(&curve);
        world.set_gravity(DVec2::new(0.0, -G)).unwrap();
        world.add(wall(DVec2::Y)).unwrap();
        let place = DVec2::new(0.0, radius + height);
        let ball = Body::ball(radius, 1.0, place, DVec2::ZERO).unwrap();
        let ball = world.add(ball).unwrap();
        let mut speed = (2.0 * G * height).sqrt();
        let mut sum = 0.0;
        for _ in 0..1_000_000 {
            speed *= curve.at(speed);
            sum += speed;
        }
        sum += 1.25 * libm::pow(speed, 0.8) / (1.15344 * loss);
        let expected = (2.0 * height / G).sqrt() + 2.0 * sum / G;
        let mut rests = None;
        let mut run = Exact::new(world).unwrap();
        run.run_until(2.0 * expected, |event| {
            if let Event::Transition(transition) = event {
                assert_eq!(transition.regime, Some(Regime::Resting));
                rests = Some(transition.time);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        let error = (rests.expect("it comes to rest") - expected).abs();
        // What is left to a geometric series at 10⁻⁴ of the last rebound: 2v/(g·1.153 loss v^(1/5)) of 10⁻¹⁰ m/s.
        assert!(error < 1e-7, "{restitution}: {error:e}");
        assert_eq!(run.state(ball).velocity, DVec2::ZERO);
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    }
}

#[test]
fn a_stack_of_boxes_comes_to_rest() {
    for curve in curves() {
        let mut world = World2::new();
        let rough = Material {
            static_friction: 0.5,
            kinetic_friction: 0.5,
            ..Material::default()
        };
        let id = world.materials.add("default", rough).unwrap();
        (world.materials)
            .set_restitution_curve(id, curve.clone())
            .unwrap();
        world.set_gravity(DVec2::new(0.0, -G)).unwrap();
        world.add(wall(DVec2::Y)).unwrap();
        let shape = Shape::block(DVec2::new(0.2, 0.1)).unwrap();
        for k in 0..3 {
            let pose = Pose::at(DVec2::new(0.02 * f64::from(k), 0.2 + 0.3 * f64::from(k)));
            let block = Body::solid(shape.clone(), 2.0, pose, DVec2::ZERO, 0.0).unwrap();
            world.add(block).unwrap();
        }
        let mut run = Exact::new(world).unwrap();
        run.run_to(30.0).unwrap();
        for id in run.bodies().skip(1) {
            assert!(run.state(id).velocity.length() < 1e-6, "{curve:?} {id:?}");
        }
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
    }
}

/// Discs of diameter and mass 1 that fill 0.1 of a periodic box.
fn gas(curve: &RestitutionCurve) -> World2 {
    let mut world = world_of(curve);
    let (side, spacing) = (40, (std::f64::consts::PI / 4.0 / 0.1).sqrt());
    let length = f64::from(side) * spacing;
    world
        .set_periodic([Some(length), Some(length), None])
        .unwrap();
    let (mut random, mut last) = (Random(17), 0.0);
    for k in 0..side * side {
        let place = DVec2::new(f64::from(k % side), f64::from(k / side)) * spacing;
        // In pairs, so that there is no momentum.
        let angle = 2.0
            * std::f64::consts::PI
            * if k % 2 == 0 {
                random.next()
            } else {
                last + 0.5
            };
        last = angle / (2.0 * std::f64::consts::PI);
        let velocity = DVec2::new(angle.cos(), angle.sin()) * 2.0_f64.sqrt();
        world
            .add(Body::ball(0.5, 1.0, place, velocity).unwrap())
            .unwrap();
    }
    world
}

/// The mean energy of a disc, J: its temperature.
fn temperature(run: &Exact<Space2>) -> f64 {
    let twice = |id: BodyId| run.state(id).velocity.length_squared();
    0.5 * run.bodies().map(twice).sum::<f64>() / run.bodies().count() as f64
}

/// What a collision takes on average of the temperature of a disc in a gas with Maxwell's distribution, per collision
/// and disc, J: `¼ ⟨v² (1 − ε²)⟩`, with the density `v/(2T) exp(−v²/4T)` of normal speeds at collisions.
fn taken(curve: &RestitutionCurve, temperature: f64) -> f64 {
    let steps = 4000;
    let highest = 12.0 * temperature.sqrt();
    let width = highest / f64::from(steps);
    let part = |k: i32| {
        let v = (f64::from(k) + 0.5) * width;
        let restitution = curve.at(v);
        let density = v / (2.0 * temperature) * (-v * v / (4.0 * temperature)).exp();
        0.25 * v * v * (1.0 - restitution * restitution) * density * width
    };
    (0..steps).map(part).sum()
}

#[test]
fn a_gas_of_viscoelastic_discs_cools_as_haffs_law_has_it() {
    // N. V. Brilliantov and T. Pöschel, Physical Review E 61 (2000) 5573: T = T₀ (1 + t/τ)^(−5/3), because a collision
    // takes T^(11/10) and there are √T of them: T^(−3/5) grows in proportion to the time. With a constant restitution
    // T^(−1/2) does.
    let curve = RestitutionCurve::with_loss(0.03).unwrap();
    let mut run = Exact::new(gas(&curve)).unwrap();
    // Lets the velocities become Maxwell's.
    run.run_to(20.0).unwrap();
    let (mut theory, mut counted) = (temperature(&run), run.collisions());
    let number = run.bodies().count() as f64;
    let mut seen = Vec::new();
    for time in [50.0, 200.0, 800.0] {
        run.run_to(time).unwrap();
        let steps = 1000;
        let step = (run.collisions() - counted) as f64 / number / f64::from(steps);
        counted = run.collisions();
        for _ in 0..steps {
            let half = theory - 0.5 * step * taken(&curve, theory);
            theory -= step * taken(&curve, half);
        }
        let now = temperature(&run);
        // Deviations from Maxwell's distribution are below a hundredth of it in an almost elastic gas; 1,600 discs.
        assert!(
            (now / theory - 1.0).abs() < 0.05,
            "{time} s: {now} J, not {theory} J"
        );
        seen.push((time, now));
    }
    let grows = |power: f64| {
        let of = |k: usize| libm::pow(seen[k].1, -power);
        let rate = |k: usize| (of(k + 1) - of(k)) / (seen[k + 1].0 - seen[k].0);
        rate(1) / rate(0)
    };
    let (viscoelastic, constant) = (grows(0.6), grows(0.5));
    assert!((viscoelastic - 1.0).abs() < 0.06, "{viscoelastic}");
    // (16^(5/6) − 4^(5/6))/12 over (4^(5/6) − 1)/3 is 0.80.
    assert!(constant < 0.88, "{constant}");
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
}

#[test]
fn a_gas_below_the_first_speed_of_a_table_is_elastic() {
    let curve = RestitutionCurve::table(vec![(100.0, 1.0), (200.0, 0.5)]).unwrap();
    let mut run = Exact::new(gas(&curve)).unwrap();
    run.run_to(20.0).unwrap();
    assert!(run.collisions() > 3000);
    assert!((temperature(&run) - 1.0).abs() < 1e-12);
}

#[test]
fn materials_that_change_while_it_runs_change_the_law() {
    let mut world = world_of(&RestitutionCurve::with_loss(0.5).unwrap());
    world.add(wall(DVec2::Y)).unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 1.1), DVec2::new(0.0, -1.0)).unwrap();
    let ball = world.add(ball).unwrap();
    assert!(matches!(world.bodies()[1].kind, Kind::Free(_)));
    let mut run = Exact::new(world).unwrap();
    run.run_to(0.5).unwrap();
    let elastic = run.change_materials(|materials| materials.add("default", Material::default()));
    elastic.unwrap();
    run.run_to(1.5).unwrap();
    assert_eq!(run.state(ball).velocity, DVec2::new(0.0, 1.0));
}
