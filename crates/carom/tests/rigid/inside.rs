//! Rigid bodies inside circles, spheres and tubes.

use super::runs::block2;
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Compound, Convex};
use carom::simulate::{Exact, Settling};
use std::ops::ControlFlow;

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

fn circle(restitution: f64, friction: f64, radius: f64) -> World2 {
    let mut world = World2::new();
    let stuff = material(restitution, friction);
    world.materials.add("default", stuff).expect("allowed");
    let room = Shape::hollow(radius).expect("positive");
    world.add(Body::fixed(room).named("room")).expect("allowed");
    world
}

/// The farthest that a corner of a box is from the origin, m.
fn farthest(state: &carom::simulate::State<Space2>, half: DVec2) -> f64 {
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let place = |sign: [f64; 2]| {
        let arm = half * DVec2::from_array(sign);
        let turned = DVec2::new(
            state.rotation.cos * arm.x - state.rotation.sin * arm.y,
            state.rotation.sin * arm.x + state.rotation.cos * arm.y,
        );
        (state.position + turned).length()
    };
    corners.map(place).into_iter().fold(0.0, f64::max)
}

/// A square of side 0.2 m that goes along x from the middle of a circle of 1 m touches it where its two corners do, at
/// √(1 − 0.1²) − 0.1, and comes straight back.
#[test]
fn a_square_in_a_circle_touches_with_two_corners() {
    let mut world = circle(1.0, 0.0, 1.0);
    let mut body = block2([0.2, 0.2], [0.0, 0.0], 0.0);
    if let Kind::Free(free) = &mut body.kind {
        free.velocity = DVec2::X;
    }
    let id = world.add(body).expect("inside");
    let mut run = Exact::with(world, &Settling::default()).expect("inside");
    let mut time = None;
    run.run(2.0, |collision| {
        time = Some(collision.time);
        ControlFlow::Break(())
    })
    .expect("it gets on");
    let expected = 0.99_f64.sqrt() - 0.1;
    assert!(
        (time.expect("it is met") - expected).abs() < 1e-14,
        "{time:?}"
    );
    let state = run.state(id);
    assert!((state.velocity + DVec2::X).length() < 1e-13, "{state:?}");
    assert!(state.angular_velocity.abs() < 1e-12, "{state:?}");
}

/// A body made of one round part bounces in a circle, and in one that moves, as a ball does.
#[test]
fn a_round_body_bounces_in_a_circle_as_a_ball_does() {
    for moves in [false, true] {
        let end = |round: bool| {
            let mut world = World2::new();
            world
                .materials
                .add("default", material(1.0, 0.0))
                .expect("allowed");
            let room = Shape::hollow(1.0).expect("positive");
            let room = if moves {
                let velocity = DVec2::new(0.2, 0.1);
                Body::kinematic(room, Drive::Uniform { velocity })
            } else {
                Body::fixed(room)
            };
            world.add(room).expect("allowed");
            let shape = if round {
                let ball = Convex::ball(0.15).expect("positive");
                let form = Compound::new(vec![ball], 1.0).expect("one part");
                Shape::Compound(Box::new(form))
            } else {
                Shape::ball(0.15).expect("positive")
            };
            let body = Body::free(shape).mass(1.0).at(DVec2::new(0.3, -0.2));
            let id = world
                .add(body.velocity(DVec2::new(1.0, 0.7)))
                .expect("inside");
            let mut run = Exact::with(world, &Settling::default()).expect("inside");
            run.run_to(8.0).expect("it gets on");
            run.state(id)
        };
        let (ball, body) = (end(false), end(true));
        // Some ten bounces, each of which multiplies rounding by a few.
        assert!(
            (ball.position - body.position).length() < 1e-9,
            "{ball:?} {body:?}"
        );
        assert!(
            (ball.velocity - body.velocity).length() < 1e-9,
            "{ball:?} {body:?}"
        );
    }
}

/// An elastic box that tumbles in a circle keeps its energy, and never gets out.
#[test]
fn a_box_that_tumbles_in_a_circle_keeps_its_energy() {
    let mut world = circle(1.0, 0.0, 1.0);
    let mut body = block2([0.5, 0.2], [0.1, 0.2], 0.4);
    if let Kind::Free(free) = &mut body.kind {
        (free.velocity, free.angular_velocity) = (DVec2::new(1.0, -0.4), 3.0);
    }
    let id = world.add(body).expect("inside");
    let mut run = Exact::with(world, &Settling::default()).expect("inside");
    let mut bounces = 0;
    for k in 1..=200 {
        run.run(0.05 * f64::from(k), |_| {
            bounces += 1;
            ControlFlow::Continue(())
        })
        .expect("it gets on");
        let out = farthest(&run.state(id), DVec2::new(0.25, 0.1));
        assert!(out <= 1.0 + 1e-12, "{out}");
    }
    assert!(bounces >= 6, "{bounces}");
    let audit = run.audit();
    assert!(
        (audit.now.total() - audit.initial.total()).abs() < 1e-12,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
}

/// A box that falls into a bowl comes to rest on two of its corners, and the bowl carries its weight.
#[test]
fn a_box_comes_to_rest_in_a_bowl() {
    let mut world = circle(0.2, 0.5, 1.0);
    world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
    let body = block2([0.5, 0.2], [0.0, -0.4], 0.1);
    let id = world.add(body).expect("inside");
    let mut run = Exact::with(world, &Settling::default()).expect("inside");
    run.run_to(6.0).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (1, 1), "it sleeps");
    let state = run.state(id);
    let out = farthest(&state, DVec2::new(0.25, 0.1));
    assert!((out - 1.0).abs() < 1e-6, "{out}");
    let force: DVec2 = run.contact_forces().iter().map(|it| it.force).sum();
    assert!(
        (force - DVec2::new(0.0, 0.1 * 9.81)).length() < 1e-5,
        "{force}"
    );
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
    assert!(audit.deepest_overlap < 1e-6, "{audit:?}");
}

/// Boxes in a drum that turns are carried up its side and tumble: the work of the drum is in the books, none gets out,
/// and none overlaps it by more than a millionth of its size to speak of.
#[test]
fn boxes_tumble_in_a_turning_drum() {
    let mut world = World2::new();
    let stuff = material(0.2, 0.6);
    world.materials.add("default", stuff).expect("allowed");
    world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
    let drive = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 1.5,
    };
    let drum = Shape::hollow(1.0).expect("positive");
    world.add(Body::kinematic(drum, drive)).expect("allowed");
    let mut ids = Vec::new();
    for k in 0..6 {
        let place = [
            -0.5 + 0.35 * f64::from(k % 3),
            -0.4 + 0.4 * f64::from(k / 3),
        ];
        let body = block2([0.3, 0.2], place, 0.1 * f64::from(k));
        ids.push(world.add(body).expect("inside"));
    }
    let mut run = Exact::with(world, &Settling::default()).expect("inside");
    let mut highest = -1.0_f64;
    for k in 1..=40 {
        run.run_to(0.1 * f64::from(k)).expect("it gets on");
        for &id in &ids {
            let state = run.state(id);
            highest = highest.max(state.position.y);
            // What a step of 1/240 s leaves.
            assert!(farthest(&state, DVec2::new(0.15, 0.1)) < 1.0 + 1e-4);
        }
    }
    let audit = run.audit();
    assert!(audit.work_by_kinematic > 0.1, "{audit:?}");
    assert!(audit.energy_residual.abs() < 1e-8, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-8, "{audit:?}");
}

/// In 3-D: a box, a capsule and a cylinder in a sphere, and a capsule in a tube without end. Elastic, they keep their
/// energy; none of the tube's impulses is along its axis.
#[test]
fn bodies_in_a_sphere_and_in_a_tube_keep_their_energy() {
    let shapes: [fn() -> Shape<Space3>; 3] = [
        || Shape::block(DVec3::new(0.2, 0.15, 0.1)).expect("positive"),
        || Shape::capsule(DVec3::ZERO, DVec3::new(0.3, 0.0, 0.0), 0.1).expect("apart"),
        || Shape::cylinder(DVec3::X, 0.2, 0.1).expect("positive"),
    ];
    let rooms: [fn() -> Shape<Space3>; 2] = [
        || Shape::hollow(1.0).expect("positive"),
        || Shape::tube(DVec3::Z, 1.0).expect("positive"),
    ];
    for (room, tube) in rooms.iter().zip([false, true]) {
        for shape in &shapes {
            let mut world = World3::new();
            let stuff = material(1.0, 0.0);
            world.materials.add("default", stuff).expect("allowed");
            world.add(Body::fixed(room())).expect("allowed");
            let body = Body::free(shape()).mass(1.0).at(DVec3::new(0.1, 0.2, 0.05));
            let body = body.velocity(DVec3::new(1.0, -0.6, 0.3));
            let id = world
                .add(body.angular_velocity(DVec3::new(1.0, 2.0, -1.5)))
                .expect("inside");
            let mut run = Exact::with(world, &Settling::default()).expect("inside");
            run.run_to(5.0).expect("it gets on");
            let audit = run.audit();
            assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
            assert!(audit.deepest_overlap < 1e-11, "{audit:?}");
            let state = run.state(id);
            if tube {
                assert!((state.velocity.z - 0.3).abs() < 1e-12, "{state:?}");
            }
            assert!(state.position.truncate().length() < 1.0, "{state:?}");
        }
    }
}

/// How far the rims of a cylinder reach from the z axis, m: of points all round, which miss the farthest by less than
/// 10⁻⁶ of the radius.
fn rims_reach(state: &carom::simulate::State<Space3>, half_length: f64, radius: f64) -> f64 {
    let mut reach = 0.0;
    for k in 0..7200 {
        let angle = std::f64::consts::PI / 3600.0 * f64::from(k);
        let (y, z) = (radius * libm::cos(angle), radius * libm::sin(angle));
        for x in [half_length, -half_length] {
            let arm = DVec3::new(x, y, z);
            let place = state.position + state.rotation * arm;
            reach = f64::max(reach, place.truncate().length());
        }
    }
    reach
}

/// A coin that tumbles in a tube meets it exactly where its rims do, and is never farther out. (The farthest point of a
/// rim was taken where it is for a sphere, so that the coin went 10⁻³ of its radius into the tube, and the run failed
/// once another search looked there.)
#[test]
fn a_coin_meets_a_tube_with_the_farthest_points_of_its_rims() {
    let (half_length, radius) = (0.05, 0.4);
    let mut world = World3::new();
    let stuff = material(1.0, 0.2);
    world.materials.add("default", stuff).expect("allowed");
    let tube = Shape::tube(DVec3::Z, 0.5).expect("positive");
    world.add(Body::fixed(tube)).expect("allowed");
    let coin = Shape::cylinder(DVec3::X, half_length, radius).expect("positive");
    let coin = Body::free(coin)
        .mass(1.0)
        .velocity(DVec3::new(0.3, 0.4, 0.1));
    let coin = coin.angular_velocity(DVec3::new(1.0, 2.0, 1.5));
    let coin = world.add(coin).expect("inside");
    let mut run = Exact::with(world, &Settling::default()).expect("inside");
    let mut met = 0;
    loop {
        let end = run.run_until(Until::time(40.0), |event| match event {
            Event::Collision(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        if end.expect("it gets on") == End::Time {
            break;
        }
        let out = rims_reach(&run.state(coin), half_length, radius) - 0.5;
        assert!((-1e-6..1e-11).contains(&out), "{out:e} m at {met}");
        met += 1;
    }
    assert!(met >= 20, "{met}");
    let audit = run.audit();
    assert!(audit.deepest_overlap < 1e-11, "{audit:?}");
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
}
