//! What balls strike, and how long that takes.

use super::touches_of;
use carom::container::{Container2, Side};
use carom::material::Constants;
use carom::material::Materials;
use carom::prelude::*;
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape2, Shape3, Triangle, Tube,
};
use carom::simulate::Stepped;
use carom::simulate::{Ending, Incident};

fn stiff(world: &mut Materials, constants: Constants) {
    world.set_constants(Materials::DEFAULT, constants).unwrap();
}

/// A ball thrown straight at the nearest point of each shape comes back as fast as it came, after half a period of its
/// spring.
#[test]
fn every_shape_of_space() {
    let triangle = [
        DVec3::new(-1.0, -1.0, 0.0),
        DVec3::new(1.0, -1.0, 0.0),
        DVec3::new(0.0, 1.5, 0.0),
    ];
    let shapes = [
        (Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap()), 0.0),
        (
            Shape::HalfSpace(HalfSpace::two_sided(DVec3::Z).unwrap()),
            0.0,
        ),
        (Shape::Ball(Ball::new(0.5).unwrap()), -0.5),
        (Shape::Block(Block::new(DVec3::splat(0.5)).unwrap()), -0.5),
        (Shape::Hollow(Hollow::new(2.0).unwrap()), 2.0),
        (
            Shape::own(Shape3::Triangle(Triangle::new(triangle).unwrap())),
            0.0,
        ),
        (
            Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::Z, 0.5, 0.7).unwrap())),
            -0.5,
        ),
        (
            Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::X, 0.5, 0.7).unwrap())),
            -0.7,
        ),
        (
            Shape::own(Shape3::Tube(Tube::new(DVec3::X, 2.0).unwrap())),
            2.0,
        ),
    ];
    for (shape, at) in shapes {
        let mut world = World3::new();
        // Rigid and soft: k is the ball's.
        stiff(&mut world.materials, Constants::linear(f64::INFINITY));
        let soft = world.materials.add("soft", Material::default()).unwrap();
        world
            .materials
            .set_constants(soft, Constants::linear(1e4))
            .unwrap();
        // Its surface is at z = 0, whatever it is.
        world
            .add(Body::fixed(shape.clone()).at(DVec3::new(0.0, 0.0, at)))
            .unwrap();
        let ball = Body::ball(
            0.1,
            0.3,
            DVec3::new(0.0, 0.0, 0.2),
            DVec3::new(0.0, 0.0, -2.0),
        );
        world.add(ball.unwrap().made_of(soft)).unwrap();
        let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
        let touches = touches_of(&mut run, 0.1);
        assert_eq!(touches.len(), 1, "{shape:?}");
        let touch = &touches[0];
        let lasts = std::f64::consts::PI * (0.3_f64 / 1e4).sqrt();
        // (ω dt)⁴ = 1e-7 of a contact of 170 steps.
        assert!(
            (touch.restitution().unwrap() - 1.0).abs() < 1e-8,
            "{shape:?} {touch:?}"
        );
        assert!(
            (touch.duration() - lasts).abs() < 1e-8 * lasts,
            "{shape:?} {touch:?}"
        );
        assert!((touch.begin - 0.05).abs() < 1e-15, "{shape:?} {touch:?}");
        assert!((run.state(BodyId(1)).velocity - DVec3::new(0.0, 0.0, 2.0)).length() < 1e-7);
    }
}

#[test]
fn every_shape_of_the_plane() {
    let arc = Arc::new(DVec2::new(0.0, -1.0), 1.0, 0.5, 2.0).unwrap();
    let shapes = [
        Shape::own(Shape2::Segment(
            Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap(),
        )),
        Shape::own(Shape2::Segment(
            Segment::new(DVec2::ZERO, DVec2::new(0.0, -1.0)).unwrap(),
        )),
        Shape::own(Shape2::Arc(arc)),
    ];
    for shape in shapes {
        let mut world = World2::new();
        stiff(&mut world.materials, Constants::linear(2e4));
        world.add(Body::fixed(shape.clone())).unwrap();
        let ball = Body::ball(0.1, 0.3, DVec2::new(0.0, 0.2), DVec2::new(0.0, -2.0)).unwrap();
        world.add(ball).unwrap();
        let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
        let touches = touches_of(&mut run, 0.1);
        assert_eq!(touches.len(), 1, "{shape:?}");
        assert!(
            (touches[0].restitution().unwrap() - 1.0).abs() < 1e-8,
            "{shape:?}"
        );
    }
}

/// Contact times and restitutions that were asked for are those that come out, whatever the masses.
#[test]
fn contacts_last_as_asked() {
    for ending in [Ending::Attracting, Ending::CutOff] {
        for (mass, restitution) in [(0.1, 0.6), (3.0, 0.9), (0.5, 0.2)] {
            let mut world = World2::new();
            let rubber = Material {
                restitution,
                ..Material::default()
            };
            let rubber = world.materials.add("rubber", rubber).unwrap();
            (world.materials)
                .set_constants(rubber, Constants::lasting(0.02))
                .unwrap();
            for (x, v, mass) in [(0.0, 1.0, mass), (0.21, -0.5, 1.0)] {
                let ball = Body::ball(0.1, mass, DVec2::new(x, 0.0), DVec2::new(v, 0.0));
                world.add(ball.unwrap().made_of(rubber)).unwrap();
            }
            let forces = Forces::stepping(2e-5).with_ending(ending);
            let mut run = Stepped::new(world, &forces).unwrap();
            let touch = touches_of(&mut run, 0.05)[0];
            // A thousand steps: (π/1000)⁴ = 1e-10.
            assert!((touch.duration() - 0.02).abs() < 1e-11, "{touch:?}");
            assert!(
                (touch.restitution().unwrap() - restitution).abs() < 1e-9,
                "{touch:?}"
            );
        }
    }
}

/// Hertz's contact has the restitution that was asked for at all speeds, with and without attraction, and undamped
/// lasts 2.94 δ/v.
#[test]
fn hertz() {
    for ending in [Ending::Attracting, Ending::CutOff] {
        for speed in [0.1, 1.0, 10.0] {
            let hertz = |restitution: f64, step: f64| {
                let mut world = World3::new();
                let steel = Material {
                    restitution,
                    ..Material::default()
                };
                let steel = world.materials.add("steel", steel).unwrap();
                (world.materials)
                    .set_constants(steel, Constants::hertz(1e7, 0.3))
                    .unwrap();
                for x in [-1.0, 1.0] {
                    let place = DVec3::new(0.011 * x, 0.0, 0.0);
                    let velocity = DVec3::new(-0.5 * speed * x, 0.0, 0.0);
                    let ball = Body::ball(0.01, 0.02, place, velocity).unwrap();
                    world.add(ball.made_of(steel)).unwrap();
                }
                let forces = Forces::stepping(step).with_ending(ending);
                let mut run = Stepped::new(world, &forces).unwrap();
                let touch = touches_of(&mut run, 0.003 / speed + 0.01)[0];
                (touch, run.couple(BodyId(0), BodyId(1)).unwrap())
            };
            let (touch, _) = hertz(0.7, 1e-6);
            // The damper begins as δ^(1/4), so that the first and last steps are of low order: 1e-3 of the contact's
            // time to the power of 5/4.
            let bounce = touch.restitution().unwrap();
            assert!((bounce - 0.7).abs() < 2e-3, "{ending:?} {speed} {bounce}");
            let (touch, couple) = hertz(1.0, 1e-6);
            let deepest = couple.normal.deepest(speed, couple.mass);
            assert!(
                (touch.deepest / deepest - 1.0).abs() < 1e-5,
                "{touch:?} {deepest}"
            );
            let lasts = 2.943_275_1 * deepest / speed;
            assert!(
                (touch.duration() / lasts - 1.0).abs() < 1e-4,
                "{touch:?} {lasts}"
            );
        }
    }
}

/// Across the sides of a periodic box balls meet as in the open.
#[test]
fn across_the_sides_of_a_box() {
    let pair = |shift: f64, periodic: bool| {
        let mut world = World2::new();
        let rubber = Material {
            restitution: 0.7,
            static_friction: 0.3,
            kinetic_friction: 0.3,
            ..Material::default()
        };
        let rubber = world.materials.add("rubber", rubber).unwrap();
        (world.materials)
            .set_constants(rubber, Constants::linear(1e4))
            .unwrap();
        if periodic {
            world.set_periodic([Some(2.0), Some(2.0), None]).unwrap();
        }
        for (x, y, v) in [(0.7, 0.5, 1.0), (1.0, 0.55, -0.5)] {
            let ball = Body::ball(0.1, 0.5, DVec2::new(x + shift, y), DVec2::new(v, 0.0)).unwrap();
            world.add(ball.made_of(rubber)).unwrap();
        }
        let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
        run.run_to(0.5).unwrap();
        assert_eq!(run.touches(), 1);
        [0, 1].map(|id| (run.state(BodyId(id)), run.unwrapped_position(BodyId(id))))
    };
    let open = pair(0.0, false);
    let across = pair(1.17, true);
    for (open, across) in open.iter().zip(&across) {
        // Places are rounded elsewhere, which the contact (ω dt ~ 1e-2 a step) does not magnify.
        assert!((open.0.velocity - across.0.velocity).length() < 1e-12);
        assert!((open.0.angular_velocity - across.0.angular_velocity).abs() < 1e-10);
        let apart = across.1 - open.1 - DVec2::new(1.17, 0.0);
        assert!(
            apart.length() < 1e-12 || (apart + DVec2::new(2.0, 0.0)).length() < 1e-12,
            "{apart}"
        );
        assert!(across.0.position.x >= 0.0 && across.0.position.x < 2.0);
    }
}

/// A floor of two pieces is not twice as stiff where they meet, and a ball that slides over the seam does not notice.
#[test]
fn over_a_seam() {
    for start in [-0.05, 0.0] {
        let mut world = World2::new();
        stiff(&mut world.materials, Constants::linear(2e4));
        world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
        for ends in [(-1.0, 0.0), (0.0, 1.0)] {
            let segment = Segment::new(DVec2::new(ends.0, 0.0), DVec2::new(ends.1, 0.0)).unwrap();
            let segment = Shape::own(Shape2::Segment(segment));
            world.add(Body::fixed(segment)).unwrap();
        }
        let sunk = 0.3 * 9.81 / 1e4;
        let place = DVec2::new(start, 0.1 - sunk);
        let velocity = DVec2::new(-start * 2.0, 0.0);
        let ball = world
            .add(Body::ball(0.1, 0.3, place, velocity).unwrap())
            .unwrap();
        let mut run = Stepped::new(world, &Forces::default()).unwrap();
        let mut worst: f64 = 0.0;
        for step in 1..=100 {
            run.run_to(0.01 * f64::from(step)).unwrap();
            worst = worst.max((run.state(ball).position.y - place.y).abs());
            assert_eq!(run.touching().len(), 1, "at {}", run.time());
        }
        let off = run.state(ball).position.x + start;
        // Within √(2ru) = 2e-9 m of the seam rounding decides which piece is nearer; the one left behind may push with
        // its corner, tilted by 2e-8, in one stage of a step (dt/6): 1e-11 m/s.
        assert!(off.abs() < 1e-11, "{off:e}");
        // Rounding of the weight against the spring.
        assert!(worst < 1e-14, "{worst}");
    }
}

/// In a corner both walls carry their share.
#[test]
fn in_a_corner() {
    let mut world = World2::new();
    let putty = Material {
        restitution: 0.3,
        ..Material::default()
    };
    world.materials.add("default", putty).unwrap();
    stiff(&mut world.materials, Constants::linear(2e4));
    world.set_gravity(DVec2::new(-5.0, -7.0)).unwrap();
    for normal in [DVec2::X, DVec2::Y] {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        world.add(Body::fixed(wall)).unwrap();
    }
    world
        .add(Body::ball(0.1, 0.3, DVec2::splat(0.1), DVec2::ZERO).unwrap())
        .unwrap();
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    run.run_to(2.0).unwrap();
    let touching = run.touching();
    assert_eq!(touching.len(), 2);
    for (touch, gravity) in touching.iter().zip([5.0, 7.0]) {
        assert!((touch.2 - 0.3 * gravity / 1e4).abs() < 1e-14, "{touch:?}");
    }
}

/// A ball in a room of five walls stays in, and keeps its energy.
#[test]
fn in_a_room() {
    let mut world = World2::new();
    stiff(&mut world.materials, Constants::linear(1e5));
    let corners: Vec<DVec2> = (0..5)
        .map(|corner| {
            let angle = std::f64::consts::TAU * f64::from(corner) / 5.0;
            DVec2::new(angle.cos(), angle.sin())
        })
        .collect();
    let room = Container2::polygon("pentagon", Side::Inside, &corners).unwrap();
    world.add_container(room).unwrap();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let ball = Body::ball(0.1, 0.5, DVec2::new(0.1, 0.2), DVec2::new(1.3, 0.7)).unwrap();
    let ball = world.add(ball).unwrap();
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    for step in 1..=50 {
        run.run_to(0.1 * f64::from(step)).unwrap();
        assert!(run.state(ball).position.length() < 0.95);
    }
    let audit = run.audit();
    assert!(audit.touches > 10);
    // Each step of Runge–Kutta takes (ω dt)⁶/72 of an oscillation's energy: 50 of them 4e-8 of at most 3 J.
    let allowed = 4.3e-8 * 3.0 * audit.touches as f64;
    assert!(audit.energy_residual.abs() < allowed, "{audit:?}");
    assert_eq!(audit.dissipated.total(), 0.0);
}

/// Bodies whose groups do not meet pass through each other; sensors notice, to the end of the step, who goes through.
#[test]
fn groups_and_sensors() {
    let mut world = World2::new();
    stiff(&mut world.materials, Constants::linear(1e4));
    let gate = Shape::Block(Block::new(DVec2::new(0.1, 1.0)).unwrap());
    let gate = Body::fixed(gate).at(DVec2::new(1.0, 0.0)).sensing();
    let gate = world.add(gate).unwrap();
    for (x, v, group) in [(0.0, 1.0, 1), (2.0, -1.0, 2)] {
        let ball = Body::ball(0.2, 1.0, DVec2::new(x, 0.0), DVec2::new(v, 0.0)).unwrap();
        world.add(ball.in_groups(group, group | 1 << 31)).unwrap();
    }
    let mut run = Stepped::new(world, &Forces::stepping(1e-3)).unwrap();
    let mut seen = Vec::new();
    run.run_until(2.0, |incident| {
        seen.push(*incident);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(run.touches(), 0);
    assert_eq!(run.inside(gate), []);
    // In at 1 − 0.1 − 0.2 and out at 1 + 0.3, for both.
    let times: Vec<f64> = seen.iter().map(Incident::time).collect();
    for (time, truth) in times.iter().zip([0.7, 0.7, 1.3, 1.3]) {
        assert!(
            *time >= truth - 1e-12 && *time <= truth + 1e-3 + 1e-12,
            "{times:?}"
        );
    }
    assert_eq!(times.len(), 4);
    assert!(matches!(seen[0], Incident::Entered(_)) && matches!(seen[3], Incident::Left(_)));
}
