//! Scenery that moves as prescribed, beside solids.

use super::runs::{block2, check_steps, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Block, Compound, Convex, HalfSpace};
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

fn elastic() -> World2 {
    let mut world = World2::new();
    let spring = Material {
        restitution: 1.0,
        ..Material::default()
    };
    world.materials.add("default", spring).expect("allowed");
    world
}

fn first_collision(run: &mut Exact<Space2>, until: f64) -> f64 {
    let mut found = None;
    run.run(until, |collision| {
        found = Some(collision.time);
        ControlFlow::Break(())
    })
    .expect("it gets on");
    found.expect("it is struck")
}

fn shaken(amplitude: DVec2, frequency: f64) -> Drive<Space2> {
    Drive::Oscillation {
        amplitude,
        frequency,
        phase: 0.0,
    }
}

/// A plate that goes up and down strikes a box that hangs above it: where A sin ωt is the gap, and the box leaves with
/// twice the speed A ω cos ωt of the plate.
#[test]
fn an_oscillating_plate_strikes_a_box_where_the_closed_form_says() {
    let mut world = elastic();
    let (amplitude, frequency, gap) = (0.3, 2.0, 0.2);
    let drive = shaken(DVec2::new(0.0, amplitude), frequency);
    world
        .add(bar([2.0, 0.1], [0.0, -0.1], drive))
        .expect("allowed");
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.25 + gap], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let time = first_collision(&mut run, 1.0);
    let rate = std::f64::consts::TAU * frequency;
    let expected = (gap / amplitude).asin() / rate;
    assert!((time - expected).abs() < 1e-13, "{time} {expected}");
    let velocity = run.state(id).velocity;
    let speed = 2.0 * amplitude * rate * (rate * expected).cos();
    // The plate's acceleration times what the time is off by.
    assert!(
        (velocity - DVec2::new(0.0, speed)).length() < 1e-10,
        "{velocity} {speed}"
    );
    assert!(run.state(id).angular_velocity.abs() < 1e-12);
    let audit = run.audit();
    assert!(
        (audit.work_by_kinematic - 0.25 * speed * speed).abs() < 1e-10,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
}

/// A body made of one round part bounces on a shaken floor as a ball does: the one's contacts are found by planes that
/// separate, the other's by the certified search for balls.
#[test]
fn a_round_body_bounces_on_a_shaken_floor_as_a_ball_does() {
    let drive = shaken(DVec2::new(0.0, 0.05), 3.0);
    let mut ends = Vec::new();
    for round in [false, true] {
        let mut world = elastic();
        world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
        world
            .add(bar([2.0, 0.1], [0.0, -0.1], drive.clone()))
            .expect("allowed");
        let place = DVec2::new(0.1, 0.7);
        let body = if round {
            let ball = Convex::ball(0.1).expect("positive");
            let form = Compound::new(vec![ball], 1.0).expect("one part");
            Body::free(Shape::Compound(Box::new(form)))
                .mass(0.3)
                .at(place)
        } else {
            Body::free(Shape::ball(0.1).expect("positive"))
                .mass(0.3)
                .at(place)
        };
        let id = world.add(body).expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        let mut bounces = 0;
        run.run(4.0, |_| {
            bounces += 1;
            ControlFlow::Continue(())
        })
        .expect("it gets on");
        assert!(bounces >= 3, "{bounces}");
        ends.push(run.state(id));
    }
    let [ball, body] = [ends[0], ends[1]];
    // Times are off by rounding, and each bounce on a curved course multiplies that by some ten.
    assert!(
        (ball.position - body.position).length() < 1e-9,
        "{ball:?} {body:?}"
    );
    assert!(
        (ball.velocity - body.velocity).length() < 1e-8,
        "{ball:?} {body:?}"
    );
}

/// A box lies on a plate that goes up and down with less than gravity, and stays on it; its height is that of the plate
/// to what a step leaves, and the books close.
#[test]
fn a_box_stays_on_a_plate_that_shakes_gently() {
    let (amplitude, frequency) = (0.02, 2.0);
    let drive = shaken(DVec2::new(0.0, amplitude), frequency);
    let mut world = world2(0.0, 0.5);
    world
        .add(bar([2.0, 0.1], [0.0, 0.5], drive))
        .expect("allowed");
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.85], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let rate = std::f64::consts::TAU * frequency;
    for k in 1..=40 {
        let t = 0.05 * f64::from(k);
        run.run_to(t).expect("it gets on");
        let height = 0.85 + amplitude * (rate * t).sin();
        let state = run.state(id);
        // It starts at rest on a plate that moves: a bounce of ε = 0 takes that up. A step of 1/240 s leaves A ω² h²/8.
        assert!(
            (state.position.y - height).abs() < 1e-5,
            "{t} {state:?} {height}"
        );
        assert!(state.position.x.abs() < 1e-9 && state.angular_velocity.abs() < 1e-6);
    }
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    assert!(audit.deepest_overlap < 1e-6, "{audit:?}");
}

/// On a plate that shakes to and fro a box sticks while A ω² < μ g, and slides where it is more.
#[test]
fn a_box_sticks_to_a_plate_that_shakes_sideways_within_friction() {
    let rate = std::f64::consts::TAU * 2.0;
    for (friction, sticks) in [(0.5, true), (0.2, false)] {
        // A ω² = 0.35 g.
        let amplitude = 0.35 * 9.81 / (rate * rate);
        let drive = Drive::Oscillation {
            amplitude: DVec2::new(amplitude, 0.0),
            frequency: 2.0,
            // From rest at one end.
            phase: -std::f64::consts::FRAC_PI_2,
        };
        let mut world = world2(0.0, friction);
        world
            .add(bar([3.0, 0.1], [0.0, 0.5], drive))
            .expect("allowed");
        let id = world
            .add(block2([1.0, 0.2], [-amplitude, 0.7], 0.0))
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        let mut most = 0.0_f64;
        for k in 1..=40 {
            let t = 0.05 * f64::from(k);
            run.run_to(t).expect("it gets on");
            let plate = -amplitude * (rate * t).cos();
            most = most.max((run.state(id).position.x - plate).abs());
        }
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
        if sticks {
            // Second order of a step: A ω² h²/8 = 7e-6 m.
            assert!(most < 1e-5, "{most}");
            assert!(audit.losses.lasting.sliding.abs() < 1e-6, "{audit:?}");
        } else {
            assert!(most > 0.1 * amplitude, "{most}");
            assert!(audit.losses.lasting.sliding > 1e-3, "{audit:?}");
        }
    }
}

/// A pusher on a path starts at 1 s, 0.5 m away, at 1 m/s, strikes a box at 1.5 s, and stands from 2 s on.
#[test]
fn a_pusher_on_a_path_strikes_a_box() {
    let mut world = elastic();
    let drive = Drive::Path {
        knots: vec![(1.0, DVec2::ZERO), (2.0, DVec2::X)],
    };
    let pusher = world
        .add(bar([0.5, 1.0], [-1.5, 0.0], drive))
        .expect("allowed");
    let id = world
        .add(block2([1.0, 1.0], [0.0, 0.0], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let time = first_collision(&mut run, 3.0);
    assert!((time - 1.5).abs() < 1e-14, "{time}");
    run.run_to(3.0).expect("it gets on");
    let state = run.state(id);
    assert!(
        (state.velocity - DVec2::new(2.0, 0.0)).length() < 1e-13,
        "{state:?}"
    );
    assert!((state.position.x - 3.0).abs() < 1e-13, "{state:?}");
    assert!((run.state(pusher).position.x + 0.5).abs() < 1e-15);
}

/// A flipper is a paddle that turns for a while: it strikes a box at the instant at which a paddle that never stops
/// does, and leaves one alone that is beyond the end of its stroke.
#[test]
fn a_flipper_strikes_as_a_paddle_does_and_stops() {
    let swing = |end: f64| Drive::Swing {
        pivot: DVec2::ZERO,
        axis: 1.0,
        knots: vec![(0.25, 0.0), (0.25 + end / 2.0, end)],
    };
    let paddle = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 2.0,
    };
    let strikes = |drive: Drive<Space2>| {
        let mut world = elastic();
        world
            .add(bar([1.0, 0.1], [1.0, 0.0], drive))
            .expect("allowed");
        world
            .add(block2([0.4, 0.2], [0.0, 1.5], 0.3))
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        let mut found = None;
        run.run(1.5, |collision| {
            found = Some((collision.time, collision.impulse));
            ControlFlow::Break(())
        })
        .expect("it gets on");
        found
    };
    let (time, impulse) = strikes(paddle).expect("it is struck");
    let (late, as_hard) = strikes(swing(1.5)).expect("it is struck");
    assert!((late - 0.25 - time).abs() < 1e-13, "{late} {time}");
    assert!((impulse - as_hard).length() < 1e-11, "{impulse} {as_hard}");
    assert!(strikes(swing(1.0)).is_none());
}

/// A wall without end that turns strikes a box at the instant at which the lower corner of the box meets it: the wall
/// through the pivot is at the angle t, the corner at (0.5, h − g t²/2).
#[test]
fn an_infinite_wall_that_turns_strikes_when_it_comes_to_a_corner() {
    let mut world = world2(1.0, 0.0);
    let height = 3.0;
    world
        .add(block2([1.0, 1.0], [1.0, height], 0.0))
        .expect("allowed");
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).expect("a direction"));
    let mut wall = Body::fixed(wall).named("wheel");
    wall.kind = Kind::Kinematic(Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 1.0,
    });
    world.add(wall).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("it can be");
    let gravity = -run.gravity().y;
    let struck = first_collision(&mut run, 2.0);
    // Of the two lower corners the right one is nearer to the wall that rises there: bisection of its height above it.
    let half = 0.5;
    let above = |t: f64| {
        let corner = height - half - 0.5 * gravity * t * t;
        libm::cos(t) * corner - libm::sin(t) * (1.0 + half)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if above(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert!((struck - low).abs() < 1e-13, "{struck} {low}");
}
