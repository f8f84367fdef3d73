//! Scenery that moves as prescribed, beside solids.

use super::runs::{block2, check_steps, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::{Exact, Settling};
use std::ops::ControlFlow;

fn bar(half: [f64; 2], place: [f64; 2], drive: Drive<Space2>) -> Body<Space2> {
    let shape = Shape::Block(Block::new(DVec2::from_array(half)).expect("positive"));
    let mut body = Body::fixed(shape).at(DVec2::from_array(place));
    body.kind = Kind::Kinematic(drive);
    body
}

/// A paddle that turns about its end strikes a box that hangs in empty space: at the instant of the closed form, with
/// the velocity of its surface there, and the work is in the books.
#[test]
fn a_turning_paddle_strikes_a_box() {
    let mut world = World2::new();
    let spring = Material {
        restitution: 1.0,
        ..Material::default()
    };
    world.materials.add("default", spring).expect("allowed");
    // From the pivot at the origin along x; its upper side is 0.1 m above its middle.
    let drive = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 2.0,
    };
    let paddle = world
        .add(bar([1.0, 0.1], [1.0, 0.0], drive))
        .expect("allowed");
    let ball = Body::ball(0.2, 1.0, DVec2::new(0.0, 1.5), DVec2::ZERO).expect("a ball");
    let ball = world.add(ball).expect("allowed");
    // A solid, so that the run is of this kind in any case; far away.
    world
        .add(block2([1.0, 1.0], [50.0, 0.0], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let mut found = None;
    run.run(2.0, |collision| {
        found = Some((collision.time, collision.point));
        ControlFlow::Break(())
    })
    .expect("it gets on");
    let (time, point) = found.expect("it is struck");
    // In the frame of the paddle the centre is at angle 90° − 2t, 1.5 m out: its height above the middle line is 1.5
    // sin(90° − 2t) = 0.3.
    let expected = (std::f64::consts::FRAC_PI_2 - (0.3_f64 / 1.5).asin()) / 2.0;
    assert!((time - expected).abs() < 1e-12, "{time} {expected}");
    // The surface moves at spin × arm; the ball, elastic and without friction, gets twice the normal part of that.
    let state = run.state(ball);
    let normal = (DVec2::new(0.0, 1.5) - point) / 0.2;
    let surface = DVec2::new(-2.0 * point.y, 2.0 * point.x);
    let velocity = normal * (2.0 * surface.dot(normal));
    assert!(
        (state.velocity - velocity).length() < 1e-11,
        "{state:?} {velocity}"
    );
    let turned = run.state(paddle);
    assert!((turned.angular_velocity - 2.0).abs() < 1e-15);
    assert!(
        (turned.position - DVec2::new((2.0 * time).cos(), (2.0 * time).sin())).length() < 1e-12
    );
    let audit = run.audit();
    assert!(
        (audit.work_by_kinematic - 0.5 * velocity.length_squared()).abs() < 1e-11,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
}

/// A stirrer turns in a heap: nobody gets through it, and the books close. Between it and the floor there is room for a
/// box on its corner: what nothing can give way to would be pressed in.
#[test]
fn a_stirrer_turns_in_a_heap() {
    let mut world = world2(0.2, 0.3);
    let drive = Drive::Rotation {
        pivot: DVec2::new(0.0, 1.9),
        angular_velocity: 1.5,
    };
    world
        .add(bar([1.4, 0.1], [0.0, 1.9], drive))
        .expect("allowed");
    let wall = |x: f64, normal: f64| {
        let wall =
            Shape::HalfSpace(HalfSpace::solid(DVec2::new(normal, 0.0)).expect("a direction"));
        Body::fixed(wall).at(DVec2::new(x, 0.0))
    };
    world.add(wall(-2.0, 1.0)).expect("allowed");
    world.add(wall(2.0, -1.0)).expect("allowed");
    for k in 0..8 {
        let (x, y) = (-1.4 + 0.4 * f64::from(k), 2.8 + 0.5 * f64::from(k % 2));
        world
            .add(block2([0.3, 0.3], [x, y], 0.1 * f64::from(k)))
            .expect("allowed");
    }
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    run.run_to(6.0).expect("it gets on");
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-8, "{audit:?}");
    check_steps(&audit, 1e-3);
    assert!(audit.momentum_residual.length() < 1e-8, "{audit:?}");
    assert!(audit.angular_momentum.expect("there is one").residual.abs() < 1e-7);
    // By the second order of a step, at some m/s, a few tenths of a millimetre; boxes that the stirrer wedges against
    // each other are pressed in by 5 mm, a sixtieth of their side. Beyond 10.6 mm, a twentieth of their reach, the run
    // would end.
    assert!(audit.deepest_overlap < 7e-3, "{audit:?}");
    for id in run.bodies().skip(4) {
        let place = run.state(id).position;
        assert!(place.x.abs() < 1.9 && place.y > 0.1, "{place}");
    }
}

/// A wall that moves wakes who sleeps in its way. (It did not: sleepers made no plans, and scenery makes none.)
#[test]
fn a_moving_wall_pushes_a_box_that_sleeps() {
    let mut world = world2(0.0, 0.5);
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
        .expect("allowed");
    let drive = Drive::Uniform {
        velocity: DVec2::new(0.5, 0.0),
    };
    world
        .add(bar([0.5, 1.0], [-3.0, 1.01], drive))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    run.run_to(3.0).expect("it gets on");
    assert_eq!(run.lasting_rigid().1, 1, "it sleeps before the wall comes");
    run.run_to(8.0).expect("it gets on");
    // The wall's side is at −2.5 + 0.5 t; the box is half a metre to the right of it.
    let place = run.state(id).position.x;
    assert!((place - 2.0).abs() < 1e-2, "{place}");
}

/// What cannot be is refused by name.
#[test]
fn other_motions_are_refused_by_name() {
    let drives = [
        Drive::Oscillation {
            amplitude: DVec2::Y,
            frequency: 1.0,
            phase: 0.0,
        },
        Drive::Path {
            knots: vec![(0.0, DVec2::ZERO), (1.0, DVec2::X)],
        },
    ];
    for drive in drives {
        let mut world = world2(0.2, 0.3);
        world
            .add(block2([1.0, 1.0], [0.0, 3.0], 0.0))
            .expect("allowed");
        world
            .add(bar([1.0, 0.1], [0.0, 1.0], drive).named("shaker"))
            .expect("allowed");
        let wrong = Exact::with(world, &Settling::default()).expect_err("it cannot be");
        let text = wrong[0].to_string();
        assert!(
            text.contains("shaker") && text.contains("oscillates or follows a path"),
            "{text}"
        );
    }
}
