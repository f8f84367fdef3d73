//! Who sleeps, and what wakes sleepers.

use super::runs::{block2, world2};
use carom::prelude::*;
use carom::simulate::{Exact, Settling};
use std::ops::ControlFlow;

/// Five boxes of 1 kg one on another, which sleep after a quarter of a second, and a ball of some mass that comes down
/// beside the middle of the uppermost. How often it struck, who was told to move again, and the run at 4 s.
fn struck(mass: f64) -> (u32, u32, Exact<Space2>) {
    let mut world = world2(0.9, 0.5);
    for k in 0..5 {
        let place = [0.0, 0.5 + f64::from(k)];
        world.add(block2([1.0, 1.0], place, 0.0)).expect("allowed");
    }
    let ball = Body::free(Shape::ball(0.1).expect("positive")).mass(mass);
    let ball = world.add(ball.at(DVec2::new(0.1, 7.1))).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    run.run_to(0.5).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (5, 5), "the boxes sleep");
    let (mut blows, mut woken) = (0, 0);
    run.run_until(Until::time(4.0), |event| {
        match event {
            Event::Collision(it) if it.a == ball || it.b == ball => blows += 1,
            Event::Transition(it) if it.ball != ball && it.regime.is_none() => woken += 1,
            _ => (),
        }
        ControlFlow::Continue(())
    })
    .expect("it gets on");
    (blows, woken, run)
}

/// A pebble of half a gram bounces on a stack that sleeps: a box that it strikes gets at most 1.9 · 0.5 · 10⁻³ times
/// 6.3 m/s, a quarter of the speed at which such a box may fall asleep (0.01 √(g r) = 26 mm/s), and the others hold it.
/// (Each blow woke all that hung together, for a quarter of a second: a rattler kept a heap awake for good.)
#[test]
fn what_bounces_on_a_stack_does_not_wake_it() {
    let (blows, woken, run) = struck(5e-4);
    assert!(blows >= 4, "{blows}");
    assert_eq!(woken, 0, "sleepers that were woken");
    for (k, id) in run.bodies().skip(1).take(5).enumerate() {
        let state = run.state(id);
        let place = DVec2::new(0.0, 0.5 + k as f64);
        assert!((state.position - place).length() < 1e-9, "{k}: {state:?}");
        let still = (DVec2::ZERO, 0.0);
        assert_eq!((state.velocity, state.angular_velocity), still, "{k}");
    }
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
    let angular = audit.angular_momentum.expect("there is one");
    assert!(angular.residual.abs() < 1e-11, "{angular:?}");
}

/// A ball of half a kilogramme is no pebble.
#[test]
fn a_hard_blow_wakes_a_stack() {
    let (blows, woken, _) = struck(0.5);
    assert!(blows >= 1, "{blows}");
    assert!(woken >= 5, "{woken}");
}

/// Nothing holds a smooth box on a smooth floor, however weak the blow: what strikes it from the side gives it all its
/// momentum, though the box is slower then than what may fall asleep.
#[test]
fn a_smooth_box_that_sleeps_takes_up_a_weak_blow() {
    let mut world = world2(0.0, 0.0);
    let id = world.add(block2([1.0, 1.0], [0.0, 0.5], 0.0));
    let id = id.expect("allowed");
    let ball = Body::free(Shape::ball(0.05).expect("positive")).mass(1e-3);
    let ball = ball.at(DVec2::new(-8.55, 1.3));
    world
        .add(ball.velocity(DVec2::new(20.0, 0.0)))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    run.run_to(0.35).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (1, 1), "the box sleeps");
    run.run_to(0.6).expect("it gets on");
    // Without restitution both go on together.
    let expected = 1e-3 * 20.0 / 1.001;
    let speed = run.state(id).velocity.x;
    assert!((speed - expected).abs() < 1e-9, "{speed} m/s");
    let audit = run.audit();
    assert!((audit.momentum.x - 0.02).abs() < 1e-12, "{audit:?}");
    assert!(audit.momentum_from_fixtures.x.abs() < 1e-12, "{audit:?}");
}
