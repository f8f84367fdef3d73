//! Balls that stop bouncing, slide, roll, spin and come to rest (rows P1, P2; PHYSICS.md, "Bodies that come to rest, stay at rest").

use carom::material::Material;
use carom::prelude::*;
use carom::record::{Event, Transition};
use carom::shape::{HalfSpace, Shape};
use carom::simulate::Until;
use carom::support::Gait;
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn floor2(normal: DVec2) -> Body<Plane> {
    Body::fixed(
        Shape::HalfSpace(HalfSpace::solid(normal).unwrap()),
        Pose::at(DVec2::ZERO),
    )
    .named("floor")
}

fn world2(material: Material, gravity: DVec2) -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(gravity).unwrap();
    world
}

/// Runs, and collects the transitions.
fn run<S: Space>(world: World<S>, until: f64) -> (Exact<S>, Vec<Transition>) {
    let mut exact = Exact::new(world).unwrap();
    let mut transitions = Vec::new();
    exact
        .run_until(Until::time(until), |event| {
            if let Event::Transition(transition) = event {
                transitions.push(*transition);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (exact, transitions)
}

#[test]
fn a_bouncing_ball_stops_when_its_bounces_have_added_up() {
    for restitution in [0.1, 0.5, 0.8, 0.95] {
        let (height, radius) = (0.7, 0.1);
        let material = Material {
            restitution,
            ..Material::default()
        };
        let mut world = world2(material, DVec2::new(0.0, -G));
        world.add(floor2(DVec2::Y)).unwrap();
        let start = DVec2::new(0.0, radius + height);
        let ball = Body::ball(radius, 1.0, start, DVec2::ZERO).unwrap();
        let ball = world.add(ball).unwrap();
        let expected = (2.0 * height / G).sqrt() * (1.0 + restitution) / (1.0 - restitution);
        let (exact, transitions) = run(world, 2.0 * expected);
        assert_eq!(transitions.len(), 1, "{transitions:?}");
        assert_eq!(transitions[0].gait, Some(Gait::Resting));
        // Each bounce's time is rounded to the clock's last digit, and errors grow by 1/(1 − ε) at most.
        let error = (transitions[0].time - expected).abs();
        assert!(
            error < 1e-13 / (1.0 - restitution),
            "{restitution}: {error:e}"
        );
        let state = exact.state(ball);
        assert_eq!(state.velocity, DVec2::ZERO);
        assert!((state.position.y - radius).abs() < 1e-12);
        let audit = exact.audit();
        assert!(audit.energy_imbalance.abs() < 1e-13, "{audit:?}");
        assert!(audit.momentum_imbalance.length() < 1e-12, "{audit:?}");
    }
}

#[test]
fn a_sliding_ball_grips_and_rolls_on_at_five_sevenths() {
    // The classic of billiards: a ball struck without spin rolls at 5/7 of its speed, after sliding for 2v/(7μg) over 12v²/(49μg).
    let (friction, speed, radius) = (0.2, 2.0, 0.03);
    let mut world = World3::new();
    let material = Material {
        restitution: 0.5,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: 0.01,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    world
        .add(Body::fixed(
            Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap()),
            Pose::at(DVec3::ZERO),
        ))
        .unwrap();
    let start = DVec3::new(0.0, 0.0, radius);
    let ball = world
        .add(Body::ball(radius, 0.17, start, DVec3::new(speed, 0.0, 0.0)).unwrap())
        .unwrap();
    let (mut exact, transitions) = run(world, 100.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.gait.unwrap()).collect();
    assert_eq!(gaits, [Gait::Sliding, Gait::Rolling, Gait::Resting]);
    let grips = 2.0 * speed / (7.0 * friction * G);
    assert!((transitions[1].time - grips).abs() < 1e-14);
    let rolling = 5.0 / 7.0 * speed;
    let stops = grips + rolling / (0.01 * G);
    assert!((transitions[2].time - stops).abs() < 1e-12);
    let way = 12.0 * speed * speed / (49.0 * friction * G) + rolling * rolling / (2.0 * 0.01 * G);
    let state = exact.state(ball);
    assert!((state.position.x - way).abs() < 1e-12);
    assert_eq!((state.velocity, state.spin), (DVec3::ZERO, DVec3::ZERO));
    let audit = exact.audit();
    assert!(audit.energy_imbalance.abs() < 1e-14, "{audit:?}");
    assert!(audit.momentum_imbalance.length() < 1e-14);
    assert!(audit.angular_momentum.unwrap().imbalance.length() < 1e-13);
    assert!(audit.losses.lasting.sliding > 0.0 && audit.losses.lasting.rolling > 0.0);
    // And goes on when it is pushed.
    exact
        .set_velocity(ball, DVec3::new(0.0, 1.0, 0.0), DVec3::ZERO)
        .unwrap();
    exact.run_to(100.01).unwrap();
    assert!(exact.state(ball).velocity.y > 0.9);
}

#[test]
fn down_a_slope_it_rolls_or_slides_as_the_friction_has_it() {
    // A disc (c = ½) on a slope of angle a: rolls at g sin a/(1+c) if c/(1+c) tan a ≤ μ, else slides at g (sin a − μ cos a).
    let slope = 0.5_f64;
    for (friction, rolls) in [(0.9, true), (0.19, true), (0.18, false), (0.0, false)] {
        let material = Material {
            restitution: 0.3,
            static_friction: friction,
            kinetic_friction: friction,
            ..Material::default()
        };
        let mut world = world2(material, DVec2::new(0.0, -G));
        let normal = DVec2::new(libm::sin(slope), libm::cos(slope));
        world.add(floor2(normal)).unwrap();
        let ball = Body::ball(0.1, 1.0, normal * 0.1, DVec2::ZERO).unwrap();
        let ball = world.add(ball).unwrap();
        let (exact, transitions) = run(world, 2.0);
        let last = transitions.last().unwrap();
        assert_eq!(
            last.gait,
            Some(if rolls { Gait::Rolling } else { Gait::Sliding }),
            "{friction}"
        );
        let along = if rolls {
            G * libm::sin(slope) / 1.5
        } else {
            G * (libm::sin(slope) - friction * libm::cos(slope))
        };
        let state = exact.state(ball);
        assert!((state.velocity.length() - 2.0 * along).abs() < 1e-12);
        assert!((normal.dot(state.position) - 0.1).abs() < 1e-13);
        if rolls {
            assert!((state.spin.abs() * 0.1 - state.velocity.length()).abs() < 1e-12);
        }
        assert!(exact.audit().energy_imbalance.abs() < 1e-12);
    }
}
