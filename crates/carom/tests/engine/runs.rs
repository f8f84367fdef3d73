//! Whole runs: closed forms, books that balance, and the plane inside space.

use carom::body::{Body, Kind};
use carom::material::{Law, Material};
use carom::motion::Drive;
use carom::record::Event;
use carom::shape::{Ball, HalfSpace, Hollow, Segment, Shape, Shape2};
use carom::simulate::{Compiled, End, Exact, RunError};
use carom::space::{Space, Space2, Space3};
use carom::world::{BodyId, World};
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

fn wall<S: Compiled>(point: S::Vector, normal: S::Vector) -> Body<S> {
    Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).unwrap())).at(point)
}

/// A wall at x = 0, a ball of mass 1 at rest, a heavy one coming in.
fn galperin(mass: f64) -> Exact<Space2> {
    let mut world = World::<Space2>::new();
    world.add(wall(DVec2::ZERO, DVec2::X)).unwrap();
    world
        .add(Body::ball(0.5, 1.0, DVec2::new(2.0, 0.0), DVec2::ZERO).unwrap())
        .unwrap();
    world
        .add(Body::ball(0.5, mass, DVec2::new(4.0, 0.0), DVec2::new(-1.0, 0.0)).unwrap())
        .unwrap();
    Exact::new(world).unwrap()
}

#[test]
fn galperins_billiard_counts_the_digits_of_pi() {
    for (power, digits) in [(0, 3), (1, 31), (2, 314), (3, 3141), (4, 31415)] {
        let mass = (0..power).fold(1.0, |mass, _| mass * 100.0);
        let mut run = galperin(mass);
        run.run_to(1e9).unwrap();
        assert_eq!(run.collisions(), digits);
        let audit = run.audit();
        assert!(
            audit.energy_residual.abs() <= 1e-12 * audit.initial.total(),
            "{audit:?}"
        );
    }
}

#[test]
fn a_cradle_of_touching_balls_passes_the_velocity_on() {
    let mut world = World::<Space2>::new();
    for ball in 0..5 {
        let velocity = if ball == 0 {
            DVec2::new(2.0, 0.0)
        } else {
            DVec2::ZERO
        };
        let place = if ball == 0 { -3.0 } else { f64::from(ball) };
        world
            .add(Body::ball(0.5, 1.0, DVec2::new(place, 0.0), velocity).unwrap())
            .unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    run.run_to(5.0).unwrap();
    assert_eq!(run.collisions(), 4);
    for ball in 0..4 {
        assert_eq!(run.state(BodyId(ball)).velocity, DVec2::ZERO);
    }
    assert_eq!(run.state(BodyId(4)).velocity, DVec2::new(2.0, 0.0));
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form() {
    // Dropped from h: hits at √(2h/g), then every 2 ε^k √(2h/g).
    let (height, gravity, restitution): (f64, f64, f64) = (1.0, 9.81, 0.8);
    let mut world = World::<Space2>::new();
    world.set_gravity(DVec2::new(0.0, -gravity)).unwrap();
    let rubber = Material {
        restitution,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    world
        .add(wall(DVec2::ZERO, DVec2::Y).made_of(rubber))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, height + 0.1), DVec2::ZERO).unwrap();
    world.add(ball.made_of(rubber)).unwrap();
    let mut times = Vec::new();
    let mut run = Exact::new(world).unwrap();
    run.run(3.5, |collision| {
        times.push(collision.time);
        ControlFlow::Continue(())
    })
    .unwrap();
    let fall = (2.0 * height / gravity).sqrt();
    let mut expected = fall;
    let mut hop = 2.0 * fall;
    for &time in &times[..8] {
        // A handful of roundings a bounce, in numbers of the size of the run's 3.5 s.
        assert!((time - expected).abs() < 1e-14, "{time} against {expected}");
        hop *= restitution;
        expected += hop;
    }
}

#[test]
fn a_ball_that_stops_bouncing_rests_and_does_not_hang() {
    let mut world = World::<Space2>::new();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let putty = Material {
        restitution: 0.5,
        ..Material::default()
    };
    let putty = world.materials.add("putty", putty).unwrap();
    world
        .add(wall(DVec2::ZERO, DVec2::Y).made_of(putty).named("floor"))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 1.1), DVec2::ZERO).unwrap();
    world.add(ball.made_of(putty).named("ball")).unwrap();
    let mut run = Exact::new(world).unwrap();
    // It rests from √(2h/g) (1+ε)/(1−ε) on.
    let stops = (2.0_f64 / 9.81).sqrt() * 3.0;
    let mut rests = None;
    let end = run.run_until(10.0, |event| {
        if let Event::Transition(transition) = event {
            rests = Some(transition.time);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(End::Time));
    assert!((rests.unwrap() - stops).abs() < 1e-13, "{rests:?}");
    assert_eq!(run.state(BodyId(1)).velocity, DVec2::ZERO);
}

#[test]
fn k6_a_bat_sends_a_ball_off_at_twice_its_speed() {
    let mut world = World::<Space3>::new();
    let bat = Shape::Ball(Ball::new(0.2).unwrap());
    let drive = Drive::Uniform {
        velocity: DVec3::new(3.0, 0.0, 0.0),
    };
    world
        .add(Body::kinematic(bat, drive).at(DVec3::new(-2.0, 0.0, 0.0)))
        .unwrap();
    let ball = world
        .add(Body::ball(0.1, 0.5, DVec3::ZERO, DVec3::ZERO).unwrap())
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    assert_eq!(run.collisions(), 1);
    assert!((run.state(ball).velocity - DVec3::new(6.0, 0.0, 0.0)).length() < 1e-14);
    let audit = run.audit();
    // ½ · 0.5 · 6² J came from the bat.
    assert!((audit.work_by_kinematic - 9.0).abs() < 1e-13);
    assert!(audit.energy_residual.abs() < 1e-13);
}

#[test]
fn k6_turning_and_oscillating_bodies_do_what_the_books_say() {
    let mut world = World::<Space2>::new();
    let paddle = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
    let paddle = Shape::own(Shape2::Segment(paddle));
    let turning = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 2.0,
    };
    world.add(Body::kinematic(paddle, turning)).unwrap();
    let amplitude = DVec2::new(0.0, 0.3);
    let shaking = Drive::Oscillation {
        amplitude,
        frequency: 1.5,
        phase: 0.4,
    };
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    world
        .add(Body::kinematic(floor, shaking).at(DVec2::new(0.0, -3.0)))
        .unwrap();
    world
        .add(Body::fixed(Shape::Hollow(Hollow::new(5.0).unwrap())))
        .unwrap();
    let ball = |radius, x, y, vx, vy| {
        Body::ball(radius, 1.0, DVec2::new(x, y), DVec2::new(vx, vy)).unwrap()
    };
    world.add(ball(0.2, 0.0, 2.0, 0.3, -1.0)).unwrap();
    world.add(ball(0.1, 1.0, -2.0, 0.0, 2.0)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(20.0).unwrap();
    assert!(run.collisions() > 20);
    let audit = run.audit();
    // A rounding error of the velocities each collision, of which there are some hundred.
    assert!(
        audit.energy_residual.abs() <= 1e-12 * audit.now.total().max(1.0),
        "{audit:?}"
    );
    assert!(audit.deepest_overlap < 1e-12, "{audit:?}");
}

/// Discs with spin and friction in a square room, in whichever space.
fn room<S: Compiled>() -> Exact<S> {
    let mut world = World::<S>::new();
    let material = Material {
        restitution: 0.9,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        law: Law::Coulomb,
        ..Material::default()
    };
    let rough = world.materials.add("rough", material).unwrap();
    let vector = |x: f64, y: f64| S::vector([x, y, 0.0]);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let body = wall::<S>(vector(-4.0 * x, -4.0 * y), vector(x, y));
        world.add(body.made_of(rough)).unwrap();
    }
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for row in 0..4 {
        for column in 0..4 {
            let place = vector(f64::from(row) * 1.7 - 2.6, f64::from(column) * 1.7 - 2.6);
            let velocity = vector(4.0 * random(), 4.0 * random());
            let mut body = Body::<S>::ball(0.4, 1.0 + random(), place, velocity)
                .unwrap()
                .made_of(rough);
            if let Kind::Free(free) = &mut body.kind {
                // The inertia of the plane in both, so that they are the same scene.
                free.inertia = Space2::ball_inertia(free.mass, 0.4);
            }
            world.add(body).unwrap();
        }
    }
    Exact::new(world).unwrap()
}

fn events<S: Compiled>() -> Vec<(f64, u32, u32)> {
    let mut list = Vec::new();
    room::<S>()
        .run(40.0, |collision| {
            list.push((collision.time, collision.a.0, collision.b.0));
            ControlFlow::Continue(())
        })
        .unwrap();
    list
}

#[test]
fn a_planar_scene_embedded_in_space_gives_the_same_events() {
    let (flat, solid) = (events::<Space2>(), events::<Space3>());
    assert!(flat.len() > 100);
    // Not only nearly: the operations are the same, in the same order, with zeros for z.
    assert_eq!(flat, solid);
}

#[test]
fn running_in_pieces_gives_the_same_bits() {
    let mut whole = room::<Space2>();
    whole.run_to(6.0).unwrap();
    let mut segments = room::<Space2>();
    for segment in 1..60 {
        segments.run_to(f64::from(segment) * 0.1).unwrap();
    }
    segments.run_to(6.0).unwrap();
    assert_eq!(whole.digest(), segments.digest());
    assert_eq!(whole.collisions(), segments.collisions());
}

#[test]
fn the_observer_can_end_a_run_and_time_does_not_run_back() {
    let mut run = galperin(100.0);
    assert_eq!(run.run(1e3, |_| ControlFlow::Break(())), Ok(End::Observer));
    assert_eq!(run.collisions(), 1);
    assert!(matches!(run.run_to(0.1), Err(RunError::Until { .. })));
    assert!(matches!(run.run_to(f64::NAN), Err(RunError::Until { .. })));
    assert!(matches!(
        run.run_to(f64::INFINITY),
        Err(RunError::Until { .. })
    ));
}

#[test]
fn a_search_without_end_is_reported_and_does_not_hang() {
    // A floor that turns very fast, nearly about its own normal: it never rises to the ball, but only a look at each
    // half radian shows it.
    let mut world = World::<Space3>::new();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    let spinning = Drive::Rotation {
        pivot: DVec3::ZERO,
        angular_velocity: DVec3::new(1e-3, 0.0, 1e9),
    };
    world
        .add(Body::kinematic(floor, spinning).named("floor"))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec3::new(0.0, 0.0, 5.0), DVec3::X).unwrap();
    world.add(ball.named("ball")).unwrap();
    let mut run = Exact::new(world).unwrap();
    match run.run_to(1e3) {
        Err(RunError::Search { a, b, time, .. }) => {
            assert_eq!((a.as_str(), b.as_str()), ("ball", "floor"));
            assert!(time > 0.0 && time < 1e3);
        }
        other => panic!("{other:?}"),
    }
}
