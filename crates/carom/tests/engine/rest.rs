//! Balls that stop bouncing, slide, roll, spin and come to rest (rows P1, P2; PHYSICS.md, "Bodies that come to rest,
//! stay at rest").

use carom::material::Material;
use carom::prelude::*;
use carom::record::Regime;
use carom::record::{Event, Transition};
use carom::shape::{HalfSpace, Shape};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::simulate::Until;
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn floor2(normal: DVec2) -> Body<Space2> {
    Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).unwrap())).named("floor")
}

fn world2(material: Material, gravity: DVec2) -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(gravity).unwrap();
    world
}

/// Runs, and collects the transitions.
fn run<S: Compiled>(world: World<S>, until: f64) -> (Exact<S>, Vec<Transition>) {
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
        assert_eq!(transitions[0].regime, Some(Regime::Resting));
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
        assert!(audit.energy_residual.abs() < 1e-13, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
    }
}

#[test]
fn a_sliding_ball_grips_and_rolls_on_at_five_sevenths() {
    // The classic of billiards: a ball struck without spin rolls at 5/7 of its speed, after sliding for 2v/(7μg) over
    // 12v²/(49μg).
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
        .add(Body::fixed(Shape::HalfSpace(
            HalfSpace::solid(DVec3::Z).unwrap(),
        )))
        .unwrap();
    let start = DVec3::new(0.0, 0.0, radius);
    let ball = world
        .add(Body::ball(radius, 0.17, start, DVec3::new(speed, 0.0, 0.0)).unwrap())
        .unwrap();
    let (mut exact, transitions) = run(world, 100.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.regime.unwrap()).collect();
    assert_eq!(gaits, [Regime::Sliding, Regime::Rolling, Regime::Resting]);
    let grips = 2.0 * speed / (7.0 * friction * G);
    assert!((transitions[1].time - grips).abs() < 1e-14);
    let rolling = 5.0 / 7.0 * speed;
    let stops = grips + rolling / (0.01 * G);
    assert!((transitions[2].time - stops).abs() < 1e-12);
    let way = 12.0 * speed * speed / (49.0 * friction * G) + rolling * rolling / (2.0 * 0.01 * G);
    let state = exact.state(ball);
    assert!((state.position.x - way).abs() < 1e-12);
    assert_eq!(
        (state.velocity, state.angular_velocity),
        (DVec3::ZERO, DVec3::ZERO)
    );
    let audit = exact.audit();
    assert!(audit.energy_residual.abs() < 1e-14, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-14);
    assert!(audit.angular_momentum.unwrap().residual.length() < 1e-13);
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
    // A disc (c = ½) on a slope of angle a: rolls at g sin a/(1+c) if c/(1+c) tan a ≤ μ, else slides at g (sin a − μ
    // cos a).
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
            last.regime,
            Some(if rolls {
                Regime::Rolling
            } else {
                Regime::Sliding
            }),
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
            assert!((state.angular_velocity.abs() * 0.1 - state.velocity.length()).abs() < 1e-12);
        }
        assert!(exact.audit().energy_residual.abs() < 1e-12);
    }
}

#[test]
fn a_belt_carries_a_ball_along() {
    // A ball put at rest on a belt of speed w slides until it rolls relative to the belt: for a disc (c = ½) V =
    // −w/(1+c)·… : with slip u = V and V′ = −μg V̂, u′ = −3μg: it grips when V = −(2/3) w relative to the belt, at w/3
    // over the ground, after w/(3μg).
    let (friction, belt) = (0.3, 1.5);
    let material = Material {
        restitution: 0.3,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    let mut world = world2(material, DVec2::new(0.0, -G));
    let drive = carom::motion::Drive::Uniform {
        velocity: DVec2::new(belt, 0.0),
    };
    world
        .add(Body::kinematic(
            Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap()),
            drive,
        ))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 0.1), DVec2::ZERO).unwrap();
    let ball = world.add(ball).unwrap();
    let grips = belt / (3.0 * friction * G);
    let (mut exact, transitions) = run(world, grips * 1.000_001);
    assert!((transitions[1].time - grips).abs() < 1e-14);
    assert!((exact.state(ball).velocity.x - belt / 3.0).abs() < 1e-5);
    exact.run_to(100.0).unwrap();
    // Rolling resistance has brought it to rest on the belt.
    assert_eq!(exact.state(ball).velocity, DVec2::new(belt, 0.0));
    assert_eq!(exact.state(ball).angular_velocity, 0.0);
    let audit = exact.audit();
    assert!(audit.work_by_kinematic > 0.0);
    assert!(audit.energy_residual.abs() < 1e-13, "{audit:?}");
}

#[test]
fn past_the_edge_of_a_table_it_falls() {
    // So fast (v² > g r) that it flies off at once: it leaves where its centre is above the edge.
    use carom::shape::{Segment, Shape2};
    let mut world = world2(
        Material {
            restitution: 0.5,
            ..Material::default()
        },
        DVec2::new(0.0, -G),
    );
    let table = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
    world
        .add(Body::fixed(Shape::own(Shape2::Segment(table))))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 0.1), DVec2::new(2.0, 0.0)).unwrap();
    let ball = world.add(ball).unwrap();
    let (exact, transitions) = run(world, 1.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.regime).collect();
    assert_eq!(gaits, [Some(Regime::Sliding), None]);
    assert!((transitions[1].time - 0.5).abs() < 1e-11);
    let state = exact.state(ball);
    assert!((state.position - DVec2::new(2.0, 0.1 - 0.5 * G * 0.25)).length() < 1e-10);
}

#[test]
fn a_spinning_ball_spins_down_on_the_spot() {
    let mut world = World3::new();
    let material = Material {
        restitution: 0.5,
        static_friction: 0.2,
        kinetic_friction: 0.2,
        spinning_resistance: 0.02,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let floor = HalfSpace::solid(DVec3::Z).unwrap();
    let floor = Body::fixed(Shape::HalfSpace(floor));
    world.add(floor).unwrap();
    let radius = 0.05;
    let mut ball = Body::ball(radius, 0.2, DVec3::new(0.0, 0.0, radius), DVec3::ZERO).unwrap();
    if let carom::body::Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = DVec3::new(0.0, 0.0, 30.0);
    }
    let ball = world.add(ball).unwrap();
    let (exact, transitions) = run(world, 10.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.regime.unwrap()).collect();
    assert_eq!(gaits, [Regime::Spinning, Regime::Resting]);
    // ω′ = −μ_p g/(c r).
    let stops = 30.0 / (0.02 * G / (0.4 * radius));
    assert!((transitions[1].time - stops).abs() < 1e-12);
    assert_eq!(exact.state(ball).angular_velocity, DVec3::ZERO);
    // It has turned by ω t/2.
    assert!(exact.audit().energy_residual.abs() < 1e-14);
}

#[test]
fn a_resting_ball_that_is_hit_rolls_away_and_both_come_to_rest() {
    let material = Material {
        restitution: 0.9,
        static_friction: 0.2,
        kinetic_friction: 0.2,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    let mut world = world2(material, DVec2::new(0.0, -G));
    world.add(floor2(DVec2::Y)).unwrap();
    for (x, speed) in [(0.0, 3.0), (1.0, 0.0)] {
        let place = DVec2::new(x, 0.1);
        let ball = Body::ball(0.1, 1.0, place, DVec2::new(speed, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let end = exact
        .run_until(
            Until::time(1e3).or_rest(1e-9),
            |_| ControlFlow::Continue(()),
        )
        .unwrap();
    assert_eq!(end, carom::simulate::End::Rest);
    let [a, b] = [1, 2].map(|id| exact.state(carom::world::BodyId(id)));
    assert_eq!((a.velocity, b.velocity), (DVec2::ZERO, DVec2::ZERO));
    assert!(b.position.x - a.position.x > 0.2);
    let audit = exact.audit();
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
}

fn smooth_world3(friction: f64, gravity: f64) -> World3 {
    let mut world = World3::new();
    let material = Material {
        restitution: 0.5,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -gravity)).unwrap();
    world
}

#[test]
fn down_a_sphere_it_leaves_where_the_textbook_has_it() {
    // From the top of a fixed sphere, with a slight push: a smooth ball leaves where cos θ = 2/3 (and the little that
    // the push adds), one that rolls without slipping where cos θ = 10/17. In the plane, a disc rolls off where cos θ =
    // 4/7.
    use carom::shape::Ball;
    let (large, small, push) = (1.0, 0.1, 1e-3);
    // With v² = p² + 2 g' ρ (1 − cos θ), g' = g/(1+c), and v² = g ρ cos θ where it leaves.
    let cosine = |c: f64| {
        let reach = large + small;
        (push * push / (G * reach) + 2.0 / (1.0 + c)) / (1.0 + 2.0 / (1.0 + c))
    };
    let mut world = smooth_world3(0.0, G);
    let sphere = Body::fixed(Shape::Ball(Ball::new(large).unwrap()));
    world.add(sphere).unwrap();
    let top = DVec3::new(0.0, 0.0, large + small);
    let ball = Body::ball(small, 1.0, top, DVec3::new(push, 0.0, 0.0)).unwrap();
    world.add(ball).unwrap();
    let (exact, transitions) = run(world, 10.0);
    assert_eq!(transitions.len(), 2, "{transitions:?}");
    let mut replay = Exact::new(exact_again(0.0)).unwrap();
    replay.run_to(transitions[1].time).unwrap();
    let height = replay.state(carom::world::BodyId(1)).position.z / (large + small);
    assert!(
        (height - cosine(0.0)).abs() < 1e-12,
        "{height} {}",
        cosine(0.0)
    );
    assert!(
        exact.audit().energy_residual.abs() < 1e-11,
        "{:?}",
        exact.audit()
    );

    fn exact_again(friction: f64) -> World3 {
        let mut world = smooth_world3(friction, G);
        let sphere = Body::fixed(Shape::Ball(Ball::new(1.0).unwrap()));
        world.add(sphere).unwrap();
        let top = DVec3::new(0.0, 0.0, 1.1);
        let mut ball = Body::ball(0.1, 1.0, top, DVec3::new(1e-3, 0.0, 0.0)).unwrap();
        if friction > 0.0
            && let carom::body::Kind::Free(free) = &mut ball.kind
        {
            free.angular_velocity = DVec3::new(0.0, 1e-3 / 0.1, 0.0);
        }
        world.add(ball).unwrap();
        world
    }
    // So rough that it never slips before it leaves would need infinite friction; with μ = 50 it slips only just
    // before.
    let (exact, transitions) = run(exact_again(50.0), 10.0);
    let left = transitions.iter().find(|it| it.regime.is_none()).unwrap();
    let mut replay = Exact::new(exact_again(50.0)).unwrap();
    replay.run_to(left.time).unwrap();
    let height = replay.state(carom::world::BodyId(1)).position.z / 1.1;
    assert!(
        (height - cosine(0.4)).abs() < 1e-2,
        "{height} {}",
        cosine(0.4)
    );
    assert!(
        exact.audit().energy_residual.abs() < 1e-10,
        "{:?}",
        exact.audit()
    );
}

#[test]
fn in_a_bowl_it_swings_like_a_pendulum() {
    // A smooth disc in a circular room of radius R: a pendulum of length ρ = R − r. Period 4 K(sin θ₀/2) √(ρ/g), K by
    // the arithmetic-geometric mean.
    use carom::shape::Hollow;
    let (room, radius, angle) = (1.0, 0.2, 1.2_f64);
    let mut world = world2(
        Material {
            restitution: 0.5,
            ..Material::default()
        },
        DVec2::new(0.0, -G),
    );
    world
        .add(Body::fixed(Shape::Hollow(Hollow::new(room).unwrap())))
        .unwrap();
    let length = room - radius;
    let start = DVec2::new(libm::sin(angle), -libm::cos(angle)) * length;
    let ball = world
        .add(Body::ball(radius, 1.0, start, DVec2::ZERO).unwrap())
        .unwrap();
    let (mut a, mut b) = (1.0, libm::cos(0.5 * angle));
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let period = 2.0 * std::f64::consts::PI / a * (length / G).sqrt();
    let mut exact = Exact::new(world).unwrap();
    exact.run_to(period).unwrap();
    let state = exact.state(ball);
    assert!(
        (state.position - start).length() < 1e-11,
        "{:?}",
        state.position - start
    );
    assert!(state.velocity.length() < 1e-10);
    exact.run_to(1.5 * period).unwrap();
    let mirrored = DVec2::new(-start.x, start.y);
    assert!((exact.state(ball).position - mirrored).length() < 1e-11);
    assert!(exact.audit().energy_residual.abs() < 1e-11);
}

#[test]
fn a_slow_ball_tips_over_the_edge_of_a_table() {
    // v² < g r: it pivots about the edge and leaves it where the edge no longer presses: a frictionless ball slides
    // round the corner as on a ball of radius 0: v² = g r cos θ, with v² = v₀² + 2 g r (1 − cos θ).
    use carom::shape::{Segment, Shape2};
    let (radius, speed) = (0.1, 0.5);
    let build = || {
        let mut world = world2(
            Material {
                restitution: 0.5,
                ..Material::default()
            },
            DVec2::new(0.0, -G),
        );
        let table = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
        let table = Body::fixed(Shape::own(Shape2::Segment(table)));
        world.add(table).unwrap();
        let place = DVec2::new(0.5, radius);
        let ball = Body::ball(radius, 1.0, place, DVec2::new(speed, 0.0)).unwrap();
        world.add(ball).unwrap();
        world
    };
    let (_, transitions) = run(build(), 3.0);
    let left = transitions.iter().rfind(|it| it.regime.is_none()).unwrap();
    let mut replay = Exact::new(build()).unwrap();
    replay.run_to(left.time).unwrap();
    let place = replay.state(carom::world::BodyId(1)).position;
    let cosine = (speed * speed / (G * radius) + 2.0) / 3.0;
    assert!(
        (place.y / radius - cosine).abs() < 1e-11,
        "{place} {cosine}"
    );
    assert!(((place - DVec2::new(1.0, 0.0)).length() - radius).abs() < 1e-12);
}

#[test]
fn down_a_slope_in_space_it_curves() {
    // A ball that slides across a slope: its slip turns downhill. In the end it rolls, and energy balances all the way.
    let mut world = World3::new();
    let material = Material {
        restitution: 0.5,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        rolling_resistance: 0.01,
        spinning_resistance: 0.01,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let normal = DVec3::new(0.0, libm::sin(0.2), libm::cos(0.2));
    let slope = HalfSpace::solid(normal).unwrap();
    let slope = Body::fixed(Shape::HalfSpace(slope));
    world.add(slope).unwrap();
    let mut ball = Body::ball(0.1, 1.0, normal * 0.1, DVec3::new(2.0, 0.0, 0.0)).unwrap();
    if let carom::body::Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = DVec3::new(3.0, -4.0, 5.0);
    }
    let ball = world.add(ball).unwrap();
    let (exact, transitions) = run(world, 3.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.regime.unwrap()).collect();
    assert_eq!(gaits, [Regime::Sliding, Regime::Rolling]);
    let state = exact.state(ball);
    assert!(state.velocity.y > 0.0 && state.velocity.x > 0.0);
    assert!((normal.dot(state.position) - 0.1).abs() < 1e-11);
    let audit = exact.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10);
}

#[test]
fn on_a_turntable_it_rolls_in_circles_at_two_sevenths_of_the_rate() {
    // A solid ball that rolls on a level turntable goes round in circles at 2/7 of the table's rate, whatever its speed
    // and wherever it is.
    let rate = 3.0;
    let mut world = World3::new();
    let material = Material {
        restitution: 0.5,
        static_friction: 50.0,
        kinetic_friction: 50.0,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let drive = carom::motion::Drive::Rotation {
        pivot: DVec3::ZERO,
        angular_velocity: DVec3::new(0.0, 0.0, rate),
    };
    let table = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    world.add(Body::kinematic(table, drive)).unwrap();
    let start = DVec3::new(0.5, 0.0, 0.1);
    let velocity = DVec3::new(0.2, 0.3, 0.0);
    // Rolling: v + ω×(−r n) = Ω×x, so that r ω = n×(v − Ω×x).
    let slip = velocity - DVec3::new(0.0, 0.0, rate).cross(start);
    let mut ball = Body::ball(0.1, 1.0, start, velocity).unwrap();
    if let carom::body::Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = DVec3::Z.cross(slip) / 0.1;
    }
    let ball = world.add(ball).unwrap();
    let period = 2.0 * std::f64::consts::PI / (2.0 / 7.0 * rate);
    let mut exact = Exact::new(world).unwrap();
    exact.run_to(0.5 * period).unwrap();
    // Half-way round it has turned about.
    assert!((exact.state(ball).velocity + velocity).length() < 1e-11);
    exact.run_to(period).unwrap();
    let state = exact.state(ball);
    assert!(
        (state.position - start).length() < 1e-11,
        "{:?}",
        state.position
    );
    assert!((state.velocity - velocity).length() < 1e-11);
}
