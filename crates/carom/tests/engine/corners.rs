//! Balls that two walls hold: in corners of the plane, in grooves in space (rows P1, P2). The closed forms are derived
//! in `crease.rs`.

use carom::body::Kind;
use carom::material::Material;
use carom::prelude::*;
use carom::record::Regime;
use carom::record::{Event, Transition};
use carom::shape::{Block, HalfSpace};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::simulate::Until;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn wall2(normal: DVec2) -> Body<Space2> {
    let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
    Body::fixed(shape)
}

fn wall3(normal: DVec3) -> Body<Space3> {
    let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
    Body::fixed(shape)
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

fn listen<S: Compiled>(exact: &mut Exact<S>, until: f64) -> Vec<Transition> {
    let mut transitions = Vec::new();
    exact
        .run_until(Until::time(until), |event| {
            if let Event::Transition(transition) = event {
                transitions.push(*transition);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    transitions
}

fn near(found: f64, expected: f64, relative: f64) {
    let off = (found - expected).abs();
    assert!(
        off <= relative * expected.abs(),
        "{found} for {expected}: {:e}",
        off / expected.abs()
    );
}

/// A smooth ball on a slope, let go at a distance from a wall across it.
fn slope_with_wall(restitution: f64, slope: f64, distance: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    world
        .materials
        .add("default", material(restitution, 0.0))
        .unwrap();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let (sin, cos) = (libm::sin(slope), libm::cos(slope));
    let (up, back) = (DVec2::new(sin, cos), DVec2::new(-cos, sin));
    world.add(wall2(up).named("slope")).unwrap();
    world.add(wall2(back).named("stop")).unwrap();
    let place = (up + back) * 0.1 + back * distance;
    let ball = world
        .add(Body::ball(0.1, 0.7, place, DVec2::ZERO).unwrap())
        .unwrap();
    (world, ball)
}

#[test]
fn the_bounces_before_a_wall_across_a_slope_add_up() {
    for restitution in [0.1, 0.5, 0.8] {
        let (slope, distance) = (0.4, 0.6);
        let (world, ball) = slope_with_wall(restitution, slope, distance);
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 20.0);
        let last = transitions.last().unwrap();
        assert_eq!(last.regime, Some(Regime::Resting), "{transitions:?}");
        // √(2d/a) until the first hit, each bounce ε times as long as the one before.
        let first = (2.0 * distance / (G * libm::sin(slope))).sqrt();
        let expected = first * (1.0 + restitution) / (1.0 - restitution);
        // The times of some dozens of bounces are rounded, and errors grow by 1/(1 − ε).
        near(last.time, expected, 1e-12);
        assert_eq!(exact.state(ball).velocity, DVec2::ZERO);
        assert!(exact.is_at_rest_everywhere());
        let audit = exact.audit();
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
    }
}

#[test]
fn it_leaves_the_corner_when_gravity_turns_and_when_a_wall_is_gone() {
    let (world, ball) = slope_with_wall(0.5, 0.4, 0.6);
    let mut exact = Exact::new(world).unwrap();
    exact.run_to(5.0).unwrap();
    assert!(exact.is_at_rest_everywhere());
    let mut turned = exact.clone();
    let rests = exact.state(ball).position;
    // Up: it falls off both.
    turned.set_gravity(DVec2::new(0.0, G)).unwrap();
    turned.run_to(5.2).unwrap();
    let way = turned.state(ball).position - rests;
    assert!(
        (way - DVec2::new(0.0, 0.5 * G * 0.04)).length() < 1e-12,
        "{way}"
    );
    // Along the slope and into it: it leaves the wall across, and slides on the slope.
    let mut turned = exact.clone();
    let (up, back) = (
        DVec2::new(libm::sin(0.4), libm::cos(0.4)),
        DVec2::new(-libm::cos(0.4), libm::sin(0.4)),
    );
    turned.set_gravity(back * 2.0 - up * 3.0).unwrap();
    turned.run_to(5.5).unwrap();
    let way = turned.state(ball).position - rests;
    assert!((way - back * 0.25).length() < 1e-12, "{way}");
    assert!(turned.audit().energy_residual.abs() < 1e-12);
    // Without the stop it slides on down.
    let stop = exact.find("stop").unwrap();
    exact.remove(stop).unwrap();
    exact.run_to(5.5).unwrap();
    let way = exact.state(ball).position - rests;
    let down = -back * (0.125 * G * libm::sin(0.4));
    assert!((way - down).length() < 1e-12, "{way} {down}");
}

#[test]
fn it_leaves_the_corner_when_it_is_hit_and_comes_back() {
    let (mut world, ball) = slope_with_wall(0.5, 0.4, 0.0);
    let place = world.bodies()[ball.0 as usize].pose.position;
    let out = DVec2::new(-libm::cos(0.4), libm::sin(0.4));
    let other = place + out * 0.2 + DVec2::new(0.0, 0.1);
    let other = world
        .add(Body::ball(0.05, 0.1, other, DVec2::new(2.0, -1.0)).unwrap())
        .unwrap();
    let mut exact = Exact::new(world).unwrap();
    let mut transitions = listen(&mut exact, 0.3);
    exact.remove(other).unwrap();
    transitions.extend(listen(&mut exact, 20.0));
    let its: Vec<_> = transitions
        .iter()
        .filter(|transition| transition.ball == ball)
        .collect();
    assert_eq!(its[0].regime, Some(Regime::Resting));
    assert!(its.len() > 2, "{its:?}");
    assert!((exact.state(ball).position - place).length() < 1e-9);
    assert!(exact.audit().energy_residual.abs() < 1e-11);
}

#[test]
fn a_ball_that_spins_in_a_corner_spins_down() {
    let (friction, radius, angular_velocity) = (0.3, 0.1, 20.0);
    for turned in [1.0, -1.0] {
        let mut world = World2::new();
        world
            .materials
            .add("default", material(0.5, friction))
            .unwrap();
        world.set_gravity(DVec2::new(0.0, -G)).unwrap();
        world.add(wall2(DVec2::Y).named("floor")).unwrap();
        world.add(wall2(DVec2::X).named("wall")).unwrap();
        let mut body = Body::ball(radius, 0.7, DVec2::splat(radius), DVec2::ZERO).unwrap();
        if let Kind::Free(free) = &mut body.kind {
            free.angular_velocity = turned * angular_velocity;
        }
        let ball = world.add(body).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 10.0);
        let audit = exact.audit();
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
        if turned > 0.0 {
            // The floor drives it against the wall.
            assert_eq!(
                transitions[0].regime,
                Some(Regime::Spinning),
                "{transitions:?}"
            );
            let rate = friction * (1.0 + friction) / (1.0 + friction * friction) * G;
            let expected = angular_velocity * 0.5 * radius / rate;
            assert_eq!(transitions[1].regime, Some(Regime::Resting));
            near(transitions[1].time, expected, 1e-13);
            let turning = 0.5 * (0.5 * 0.7 * radius * radius) * angular_velocity * angular_velocity;
            near(audit.losses.lasting.sliding, turning, 1e-13);
            assert_eq!(exact.state(ball).angular_velocity, 0.0);
        } else {
            // Away from it: it slides, rolls, and is gone.
            let gaits: Vec<_> = transitions.iter().map(|it| it.regime).collect();
            assert_eq!(gaits[0], Some(Regime::Sliding), "{transitions:?}");
            assert_eq!(gaits[1], Some(Regime::Rolling), "{transitions:?}");
            assert!(exact.state(ball).position.x > 1.0);
        }
    }
}

/// A ball that is thrown into a V, where it bounces from side to side.
fn thrown_into_a_v(friction: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    world
        .materials
        .add("default", material(0.6, friction))
        .unwrap();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    for (x, y) in [(0.8, 0.6), (-0.6, 0.8)] {
        world.add(wall2(DVec2::new(x, y))).unwrap();
    }
    let start = DVec2::new(0.05, 0.7);
    let ball = world
        .add(Body::ball(0.1, 0.7, start, DVec2::new(0.4, 0.0)).unwrap())
        .unwrap();
    (world, ball)
}

#[test]
fn a_ball_thrown_into_a_v_comes_to_rest_and_the_books_balance() {
    for friction in [0.0, 0.3] {
        let (world, ball) = thrown_into_a_v(friction);
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 20.0);
        let last = transitions.last().unwrap();
        assert_eq!(last.regime, Some(Regime::Resting), "{transitions:?}");
        // Held by walls, not asleep.
        assert!(last.on.is_some(), "{friction}: {last:?}");
        let state = exact.state(ball);
        assert_eq!((state.velocity, state.angular_velocity), (DVec2::ZERO, 0.0));
        // At the radius from both, to what the last bounce is.
        for normal in [DVec2::new(0.8, 0.6), DVec2::new(-0.6, 0.8)] {
            assert!((normal.dot(state.position) - 0.1).abs() < 1e-11);
        }
        let audit = exact.audit();
        assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    }
}

#[test]
fn a_snapshot_between_bounces_and_in_the_corner_goes_on_with_the_same_bits() {
    let (world, _) = thrown_into_a_v(0.3);
    let mut whole = Exact::new(world).unwrap();
    let mut segments = whole.clone();
    whole.run_to(20.0).unwrap();
    for time in [0.5, 0.9, 1.1, 1.3, 2.0, 20.0] {
        segments.run_to(time).unwrap();
        segments = Exact::restore(&segments.snapshot()).unwrap();
    }
    assert_eq!(whole.digest(), segments.digest());
}

/// A ball in a groove along x that opens by 2β, under a gravity that makes it slope by α.
///
/// It is put down to within rounding, 10⁻¹⁷ m, and may have to fall that far: for some 10⁻⁹ s, in which it gains 10⁻⁸
/// m/s.
fn groove(half: f64, slope: f64, material: Material, speed: f64) -> (World3, BodyId) {
    let mut world = World3::new();
    world.materials.add("default", material).unwrap();
    let gravity = DVec3::new(libm::sin(slope), 0.0, -libm::cos(slope)) * G;
    world.set_gravity(gravity).unwrap();
    for side in [1.0, -1.0] {
        let normal = DVec3::new(0.0, side * libm::cos(half), libm::sin(half));
        world.add(wall3(normal)).unwrap();
    }
    let start = DVec3::new(0.0, 0.0, 0.1 / libm::sin(half));
    let ball = Body::ball(0.1, 0.7, start, DVec3::new(speed, 0.0, 0.0)).unwrap();
    let ball = world.add(ball).unwrap();
    (world, ball)
}

#[test]
fn down_a_groove_a_ball_rolls_as_if_it_were_smaller() {
    for half in [0.5, 0.9, 1.3] {
        let slope = 0.3;
        let (world, ball) = groove(half, slope, material(0.3, 0.9), 0.0);
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 2.0);
        assert_eq!(
            transitions[0].regime,
            Some(Regime::Rolling),
            "{transitions:?}"
        );
        let sin = libm::sin(half);
        let acceleration = G * libm::sin(slope) / (1.0 + 0.4 / (sin * sin));
        let state = exact.state(ball);
        near(state.position.x, 0.5 * acceleration * 4.0, 1e-11);
        near(state.velocity.x, acceleration * 2.0, 1e-11);
        near(
            state.angular_velocity.length(),
            acceleration * 2.0 / (0.1 * sin),
            1e-11,
        );
        // It stays in the groove.
        assert!(state.position.y.abs() < 1e-13);
        assert!((state.position.z - 0.1 / sin).abs() < 1e-13);
        let audit = exact.audit();
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    }
}

#[test]
fn a_steep_groove_lets_it_slide() {
    let (half, friction) = (0.7, 0.2);
    let sin = libm::sin(half);
    let critical = libm::atan(friction * (1.0 + sin * sin / 0.4) / sin);
    for (slope, regime) in [
        (critical - 1e-3, Regime::Rolling),
        (critical + 1e-3, Regime::Sliding),
    ] {
        let (world, ball) = groove(half, slope, material(0.3, friction), 0.0);
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 1.0);
        // From the little that it fell it may slip for a moment.
        assert_eq!(
            transitions.last().unwrap().regime,
            Some(regime),
            "{transitions:?}"
        );
        if regime == Regime::Sliding {
            let acceleration = G * (libm::sin(slope) - friction * libm::cos(slope) / sin);
            near(exact.state(ball).velocity.x, acceleration, 1e-8);
        }
        assert!(exact.audit().energy_residual.abs() < 1e-12);
    }
}

#[test]
fn along_a_level_groove_it_slides_then_rolls_then_stops() {
    let (friction, speed, sin) = (0.2, 2.0, 0.6);
    let material = Material {
        rolling_resistance: 0.01,
        ..material(0.3, friction)
    };
    // Where it touches both sides to the last digit: 0.6 · 0.5 = 0.3.
    let mut world = World3::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    for side in [0.8, -0.8] {
        world.add(wall3(DVec3::new(0.0, side, 0.6))).unwrap();
    }
    let start = DVec3::new(0.0, 0.0, 0.5);
    let ball = Body::ball(0.3, 0.7, start, DVec3::new(speed, 0.0, 0.0)).unwrap();
    let ball = world.add(ball).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let transitions = listen(&mut exact, 100.0);
    let gaits: Vec<_> = transitions.iter().map(|it| it.regime.unwrap()).collect();
    assert_eq!(gaits, [Regime::Sliding, Regime::Rolling, Regime::Resting]);
    let grips = speed * sin / (friction * G * (1.0 + sin * sin / 0.4));
    near(transitions[1].time, grips, 1e-12);
    let rolling = speed / (1.0 + 0.4 / (sin * sin));
    near(
        transitions[2].time,
        grips + rolling * sin / (0.01 * G),
        1e-12,
    );
    let state = exact.state(ball);
    assert_eq!(
        (state.velocity, state.angular_velocity),
        (DVec3::ZERO, DVec3::ZERO)
    );
    let audit = exact.audit();
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    assert!(audit.losses.lasting.rolling > 0.0 && audit.losses.lasting.sliding > 0.0);
}

#[test]
fn where_one_side_of_a_groove_ends_it_goes_on_on_the_other() {
    // A block whose edge is the crease with a floor ends at x = 1; the floor goes on. Gravity leans, so that both hold
    // the ball.
    let mut world = World3::new();
    world.materials.add("default", material(0.3, 0.0)).unwrap();
    world.set_gravity(DVec3::new(0.5, -1.0, -G)).unwrap();
    world.add(wall3(DVec3::Z).named("floor")).unwrap();
    let block = Block::new(DVec3::new(1.0, 0.5, 0.5)).unwrap();
    let block = Body::fixed(Shape::Block(block)).at(DVec3::new(0.0, -0.5, 0.5));
    world.add(block.named("side")).unwrap();
    let ball = Body::ball(0.1, 0.7, DVec3::new(0.0, 0.1, 0.1), DVec3::ZERO).unwrap();
    let ball = world.add(ball).unwrap();
    let mut exact = Exact::new(world).unwrap();
    exact.run_to(1.0).unwrap();
    let state = exact.state(ball);
    near(state.position.x, 0.25, 1e-12);
    assert_eq!(state.velocity.y, 0.0);
    // At x = 1 after 2 s; then it falls past the side, on the floor.
    exact.run_to(3.0).unwrap();
    let state = exact.state(ball);
    near(state.position.x, 2.25, 1e-9);
    assert!(state.velocity.y < 0.0 && (state.position.z - 0.1).abs() < 1e-12);
    assert!(exact.audit().energy_residual.abs() < 1e-10);
}

#[test]
fn along_a_groove_and_spinning_about_it_it_slides_askew_until_it_rolls() {
    let (friction, speed, sin) = (0.2, 1.0, 0.6);
    for angular_velocity in [3.0, 20.0, -20.0] {
        let mut world = World3::new();
        world
            .materials
            .add("default", material(0.3, friction))
            .unwrap();
        world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
        for side in [0.8, -0.8] {
            world.add(wall3(DVec3::new(0.0, side, 0.6))).unwrap();
        }
        let velocity = DVec3::new(speed, 0.0, 0.0);
        let mut body = Body::ball(0.3, 0.7, DVec3::new(0.0, 0.0, 0.5), velocity).unwrap();
        if let Kind::Free(free) = &mut body.kind {
            free.angular_velocity = DVec3::new(angular_velocity, 0.0, 0.0);
        }
        let ball = world.add(body).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let transitions = listen(&mut exact, 5.0);
        let gaits: Vec<_> = transitions.iter().map(|it| it.regime.unwrap()).collect();
        assert_eq!(
            gaits,
            [Regime::Sliding, Regime::Rolling],
            "{angular_velocity}"
        );
        // Spinning about the groove leaves less friction along it: it grips later than one that does not spin.
        let straight = speed * sin / (friction * G * (1.0 + sin * sin / 0.4));
        assert!(
            transitions[1].time > 1.01 * straight,
            "{angular_velocity}: {transitions:?}"
        );
        // However it slips meanwhile, what friction takes from the way it gives to the rolling: V + c r ω sin β is as
        // it was, and ω = V/(r sin β) at the end.
        let rolling = speed / (1.0 + 0.4 / (sin * sin));
        let state = exact.state(ball);
        assert!((state.velocity - DVec3::new(rolling, 0.0, 0.0)).length() < 1e-11);
        let turning = DVec3::new(0.0, rolling / (0.3 * sin), 0.0);
        assert!(
            (state.angular_velocity - turning).length() < 1e-10,
            "{state:?}"
        );
        assert!((state.position.z - 0.5).abs() < 1e-15 && state.position.y.abs() < 1e-15);
        assert!(exact.collisions() == 0);
        let audit = exact.audit();
        // All that went is what sliding took.
        assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
        assert!(audit.losses.lasting.sliding > 0.0);
    }
}

#[test]
fn in_a_smooth_corner_of_three_walls_a_ball_falls_asleep() {
    // Square to each other: each of the three distances bounces for itself, and the last of them stops after
    // √(2d/g)(1+ε)/(1−ε).
    let mut world = World3::new();
    world.materials.add("default", material(0.5, 0.0)).unwrap();
    world.set_gravity(DVec3::new(-1.0, -1.5, -9.0)).unwrap();
    for normal in [DVec3::X, DVec3::Y, DVec3::Z] {
        world.add(wall3(normal)).unwrap();
    }
    let start = DVec3::new(0.4, 0.35, 0.3);
    let ball = (world.add(Body::ball(0.1, 0.7, start, DVec3::ZERO).unwrap())).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let transitions = listen(&mut exact, 10.0);
    let stops = |distance: f64, pull: f64| 3.0 * (2.0 * distance / pull).sqrt();
    // On the floor, on the floor and the second wall: at their instants.
    near(transitions[0].time, stops(0.2, 9.0), 1e-12);
    let nestles = stops(0.25, 1.5);
    let both = transitions
        .iter()
        .find(|it| (it.time - nestles).abs() < 1e-12);
    assert!(both.is_some(), "{transitions:?}");
    // Between all three it rests when the last of its bounces is over, the rest of which are summed as the geometric
    // series that they are.
    let last = transitions.last().unwrap();
    assert_eq!(last.regime, Some(Regime::Resting));
    near(last.time, stops(0.3, 1.0), 1e-11);
    assert!(exact.is_at_rest_everywhere());
    let state = exact.state(ball);
    assert!((state.position - DVec3::splat(0.1)).length() < 1e-10);
    assert!(exact.audit().energy_residual.abs() < 1e-12);
}
