//! Joints that are not at the centres of balls, by impulses: they turn the balls, too.

use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Exact, State};
use carom::space::Space;
use std::f64::consts::FRAC_PI_3;

const G: f64 = 9.81;

/// The complete elliptic integral of the first kind, by the arithmetic–geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

/// A ball of 1 kg and 0.2 m, rigidly at the end of an arm of 0.5 m that hangs on a hinge at the origin, at an angle.
fn pendulum(angle: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let place = DVec2::new(angle.sin(), -angle.cos()) * 0.5;
    let ball = Body::free(Shape::ball(0.2).unwrap()).mass(1.0).at(place);
    let ball = world.add(ball).unwrap();
    let end = Anchor::at(ball, -place);
    world
        .add_joint(Joint::hinge(end, Anchor::world(DVec2::ZERO)))
        .unwrap();
    (world, ball)
}

/// Of the disc about the hinge, kg·m².
const ABOUT_HINGE: f64 = 0.5 * 0.04 + 0.25;

#[test]
fn a_ball_on_a_hinge_swings_as_its_inertia_says() {
    let angle = 1.2_f64;
    let (world, ball) = pendulum(angle);
    let start = world.bodies()[0].pose.position;
    let period = 4.0 * elliptic((0.5 * angle).sin()) * (ABOUT_HINGE / (G * 0.5)).sqrt();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(0.31 * period).unwrap();
    let state = run.state(ball);
    // It turns as the arm does.
    assert!((state.velocity.length() - 0.5 * state.angular_velocity.abs()).abs() < 1e-8);
    assert!((state.position.length() - 0.5).abs() < 1e-9);
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-8, "{audit:?}");
    run.run_until(10.0 * period).unwrap();
    let state = run.state(ball);
    // Ten swings of some 70 segments, each within 10⁻¹² of its length.
    assert!((state.position - start).length() < 1e-8, "{state:?}");
    assert!(state.velocity.length() < 1e-6);
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-8);
    assert!(audit.momentum_residual.length() < 1e-8);
    let angular = audit.angular_momentum.unwrap();
    assert!(angular.residual.abs() < 1e-8, "{angular:?}");
}

/// A ball that strikes it at its centre meets the inertia about the hinge.
#[test]
fn a_blow_meets_the_inertia_about_the_hinge() {
    let (mut world, bob) = pendulum(0.0);
    let velocity = DVec2::new(3.0, 0.0);
    let place = DVec2::new(-1.0, -0.5);
    // On a table: without gravity.
    world.set_gravity(DVec2::ZERO).unwrap();
    let ball = Body::free(Shape::ball(0.1).unwrap()).mass(0.3).at(place);
    let ball = world.add(ball.velocity(velocity)).unwrap();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(0.24).unwrap();
    assert_eq!(run.collisions(), 1);
    let effective = ABOUT_HINGE / 0.25;
    let after = 2.0 * 0.3 * 3.0 / (0.3 + effective);
    let state = run.state(bob);
    assert!((state.angular_velocity - after / 0.5).abs() < 1e-11);
    let left = 3.0 * (0.3 - effective) / (0.3 + effective);
    assert!((run.state(ball).velocity.x - left).abs() < 1e-12);
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-9 && audit.momentum_residual.length() < 1e-9);
    assert!(audit.angular_momentum.unwrap().residual.abs() < 1e-9);
}

/// Three links that balls carry on pins, which collide with a fourth ball: as by forces until then, the same bits by
/// both planners, and after a snapshot.
#[test]
fn a_chain_of_links_is_that_of_the_other_method() {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let mut links = Vec::new();
    for link in 0..3 {
        let place = DVec2::new(0.3 + 0.6 * f64::from(link), 0.0);
        let ball = Body::free(Shape::ball(0.1).unwrap()).mass(1.0).at(place);
        links.push(world.add(ball).unwrap());
    }
    let arm = DVec2::new(0.3, 0.0);
    let pin = |a: Anchor<Space2>, b: Anchor<Space2>| Joint::hinge(a, b);
    let hook = Anchor::world(DVec2::ZERO);
    world
        .add_joint(pin(Anchor::at(links[0], -arm), hook))
        .unwrap();
    for pair in links.windows(2) {
        let [a, b] = [Anchor::at(pair[0], arm), Anchor::at(pair[1], -arm)];
        world.add_joint(pin(a, b)).unwrap();
    }
    // Nothing touches until then.
    let forces = Forces::stepping(2e-4).with_fallback(Constants::linear(1e3));
    let mut by_forces = Simulation::with(world.clone(), forces).unwrap();
    let mut by_impulses = Simulation::new(world.clone()).unwrap();
    for run in [&mut by_forces, &mut by_impulses] {
        run.run_until(0.8).unwrap();
    }
    for &link in &links {
        let [a, b] = [&by_forces, &by_impulses].map(|run| run.state(link));
        // Steps of 0.2 ms of the fourth order, in a motion that is not chaotic yet.
        assert!((a.position - b.position).length() < 1e-7, "{a:?} {b:?}");
        assert!((a.angular_velocity - b.angular_velocity).abs() < 1e-5);
    }
    assert!(by_impulses.audit().energy_residual.abs() < 1e-7);

    let target = Body::free(Shape::ball(0.3).unwrap()).mass(2.0);
    world
        .add(
            target
                .at(DVec2::new(0.4, -1.9))
                .velocity(DVec2::new(0.0, 3.0)),
        )
        .unwrap();
    let mut fast = Exact::new(world.clone()).unwrap();
    let mut slow = Exact::reference(world).unwrap();
    for time in [0.5, 1.0, 1.5] {
        fast.run_to(time).unwrap();
        slow.run_to(time).unwrap();
        assert_eq!(fast.digest(), slow.digest(), "until {time}");
        fast = Exact::restore(&fast.snapshot()).unwrap();
    }
    assert!(fast.collisions() > 0);
    let audit = fast.audit();
    assert!(audit.energy_residual.abs() < 1e-6 * audit.initial.total().abs().max(1.0));
}

/// A heavy top: a ball that spins on an arm with one end held, which precesses steadily where
/// `I₁ Ω² cos θ − I₃ ω₃ Ω + m g L = 0`, with the moments I₁ about the held point and I₃ along the arm.
#[test]
fn a_spinning_ball_on_an_arm_precesses() {
    let (length, tilt, precession) = (0.4, FRAC_PI_3, 2.0_f64);
    let inertia = 0.4 * 0.04;
    let about = inertia + length * length;
    let arm = DVec3::new(tilt.sin(), 0.0, tilt.cos());
    let along =
        (G * length + about * precession * precession * tilt.cos()) / (inertia * precession);
    let spin = DVec3::Z * precession + arm * (along - precession * tilt.cos());
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let ball = Body::free(Shape::ball(0.2).unwrap())
        .mass(1.0)
        .at(arm * length);
    let ball = ball
        .velocity(spin.cross(arm * length))
        .angular_velocity(spin);
    let ball = world.add(ball).unwrap();
    world
        .add_joint(Joint::hinge(
            Anchor::at(ball, -arm * length),
            Anchor::world(DVec3::ZERO),
        ))
        .unwrap();
    let mut run = Simulation::new(world).unwrap();
    for time in [0.4, 1.1, 2.0] {
        run.run_until(time).unwrap();
        let turned = precession * time;
        let across = tilt.sin() * length;
        let expected = DVec3::new(
            across * turned.cos(),
            across * turned.sin(),
            tilt.cos() * length,
        );
        let state = run.state(ball);
        // The spin of 250 rad/s makes segments of 0.2 ms: 10⁴ of them, each within 10⁻¹².
        assert!(
            (state.position - expected).length() < 1e-7,
            "{time}: {state:?}"
        );
        assert!(run.audit().energy_residual.abs() < 1e-5);
    }
}

/// A hinge about an axis in 3-D keeps a ball in its plane: as in 2-D.
#[test]
fn a_hinge_with_an_axis_is_that_of_2d() {
    let (flat, ball) = pendulum(1.0);
    let place = flat.bodies()[0].pose.position.extend(0.0);
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, -G, 0.0)).unwrap();
    let body = Body::free(Shape::ball(0.2).unwrap()).mass(1.0).at(place);
    // The disc's inertia, which is another than that of the ball.
    let id = world.add(body.inertia(0.5 * 0.04)).unwrap();
    let end = Anchor::at(id, -place);
    world
        .add_joint(Joint::hinge(end, Anchor::world(DVec3::ZERO)).about(DVec3::Z))
        .unwrap();
    let mut flat = Simulation::new(flat).unwrap();
    let mut deep = Simulation::new(world).unwrap();
    flat.run_until(2.0).unwrap();
    deep.run_until(2.0).unwrap();
    let [a, b] = [
        flat.state(ball).position.extend(0.0),
        deep.state(id).position,
    ];
    assert!((a - b).length() < 1e-9, "{a} {b}");
}

/// Bodies on a hinge pass through each other, unless that is said: two balls that overlap.
#[test]
fn balls_on_a_hinge_pass_through_each_other() {
    let mut world = World2::new();
    let mut add = |x: f64, velocity: f64| {
        let ball = Body::free(Shape::ball(0.3).unwrap())
            .mass(1.0)
            .at(DVec2::new(x, 0.0));
        world.add(ball.angular_velocity(velocity)).unwrap()
    };
    let [a, b] = [add(-0.2, 1.0), add(0.2, -1.0)];
    let ends = [
        Anchor::at(a, DVec2::new(0.2, 0.0)),
        Anchor::at(b, DVec2::new(-0.2, 0.0)),
    ];
    // The ends move alike at the start: both at 0.2 m/s upwards.
    world.add_joint(Joint::hinge(ends[0], ends[1])).unwrap();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(3.0).unwrap();
    assert_eq!(run.collisions(), 0);
    assert!(run.audit().energy_residual.abs() < 1e-9);
    let [left, right] = [run.state(a), run.state(b)];
    let end = |state: &State<Space2>, arm: f64| {
        let [[x, y, _], ..] = <Space2 as Space>::axes(state.rotation);
        state.position + DVec2::new(x, y) * arm
    };
    assert!((end(&left, 0.2) - end(&right, -0.2)).length() < 1e-6);
}
