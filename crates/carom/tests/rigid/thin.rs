//! Rigid bodies beside what is thin: arcs, which are struck from outside, from within and at their ends, and walls
//! without end that have no solid side. Instants and velocities are those of closed forms.

use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Exact, Settling};
use std::ops::ControlFlow;

/// The half of a circle of 1 m about the origin that is on the side of positive x, and a square of 0.2 m.
fn arch(place: DVec2, velocity: DVec2, angle: f64, restitution: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    let stuff = Material {
        restitution,
        ..Material::default()
    };
    let stuff = world.materials.add("default", stuff).expect("allowed");
    let springs = Constants::linear(1e6);
    world
        .materials
        .set_constants(stuff, springs)
        .expect("allowed");
    let quarter = std::f64::consts::FRAC_PI_2;
    let arc = Shape::arc(DVec2::ZERO, 1.0, -quarter, 2.0 * quarter).expect("an arc");
    world.add(Body::fixed(arc).named("arc")).expect("allowed");
    let square = Shape::block(DVec2::splat(0.1)).expect("positive");
    let body = Body::free(square).mass(1.0).at(place).velocity(velocity);
    let mut body = body.build().expect("allowed");
    body.pose.rotation = Turn::by(angle);
    let id = world.add(body).expect("allowed");
    (world, id)
}

/// When it first strikes, and how fast it is then.
fn first(world: World2, id: BodyId) -> Option<(f64, DVec2)> {
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let mut found = None;
    run.run(5.0, |collision| {
        found = Some(collision.time);
        ControlFlow::Break(())
    })
    .expect("goes on");
    Some((found?, run.state(id).velocity))
}

/// To the digits of coordinates of the order of one, over a speed of one.
const EXACT: f64 = 1e-12;

#[test]
fn a_square_strikes_an_arc_from_both_sides_and_at_its_ends() {
    // From outside, flat: the face is at x = 1 after the way of 0.9 m, and goes back.
    let (world, id) = arch(DVec2::new(2.0, 0.0), -DVec2::X, 0.0, 1.0);
    let (time, after) = first(world, id).expect("it strikes");
    assert!(
        (time - 0.9).abs() < EXACT && (after - DVec2::X).length() < EXACT,
        "{time} {after}"
    );
    // From within: both corners at once, at x = √(1 − 0.1²) − 0.1.
    let (world, id) = arch(DVec2::ZERO, DVec2::X, 0.0, 1.0);
    let (time, after) = first(world, id).expect("it strikes");
    let way = (1.0_f64 - 0.01).sqrt() - 0.1;
    assert!(
        (time - way).abs() < EXACT && (after + DVec2::X).length() < EXACT,
        "{time} {after}"
    );
    // From within with a corner ahead.
    let (world, id) = arch(DVec2::ZERO, DVec2::X, std::f64::consts::FRAC_PI_4, 1.0);
    let (time, _) = first(world, id).expect("it strikes");
    assert!((time - (1.0 - 0.02_f64.sqrt())).abs() < EXACT, "{time}");
    // The end at (0, 1) is struck by the face that comes down on it.
    let (world, id) = arch(DVec2::new(-0.05, 2.0), -DVec2::Y, 0.0, 1.0);
    let (time, _) = first(world, id).expect("it strikes");
    assert!((time - 0.9).abs() < EXACT, "{time}");
    // Through the open side it flies in, and strikes from within.
    let (world, id) = arch(DVec2::new(-2.0, 0.0), DVec2::X, 0.0, 1.0);
    let (time, _) = first(world, id).expect("it strikes");
    assert!((time - 2.0 - way).abs() < EXACT, "{time}");
    // Where there is no arc nothing happens.
    let (world, id) = arch(DVec2::new(-0.3, 2.0), -DVec2::Y, 0.2, 1.0);
    assert!(first(world, id).is_none());
}

/// A smooth square that lies in the arc as in a bowl swings to and fro, and its corners stay on the arc.
#[test]
fn a_square_slides_in_a_bowl_and_rests() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for forces in [false, true] {
        let mut world = World2::new();
        let stuff = Material {
            restitution: 0.2,
            static_friction: 0.5,
            kinetic_friction: 0.5,
            ..Material::default()
        };
        let stuff = world.materials.add("default", stuff).expect("allowed");
        let springs = Constants::linear(1e6);
        world
            .materials
            .set_constants(stuff, springs)
            .expect("allowed");
        world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
        let bowl = Shape::arc(DVec2::ZERO, 1.0, -2.0 * quarter, 2.0 * quarter).expect("an arc");
        world.add(Body::fixed(bowl)).expect("allowed");
        let square = Shape::block(DVec2::splat(0.1)).expect("positive");
        let body = Body::free(square).mass(1.0).at(DVec2::new(0.2, -0.6));
        let id = world.add(body.build().expect("allowed")).expect("allowed");
        let mut run = if forces {
            Simulation::with(world, Forces::default())
        } else {
            Simulation::new(world)
        }
        .unwrap_or_else(|error| panic!("{error}"));
        run.run_until(4.0).unwrap_or_else(|error| panic!("{error}"));
        let state = run.state(id);
        assert!(state.velocity.length() < 1e-3, "{state:?}");
        // Two corners lie on the circle, whichever they are: by forces as deep as springs let them, some micrometres.
        let corners = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)];
        let mut away = corners.map(|(x, y)| {
            let Turn { cos, sin } = state.rotation;
            (state.position + DVec2::new(cos * x - sin * y, sin * x + cos * y)).length()
        });
        away.sort_by(f64::total_cmp);
        for distance in &away[2..] {
            assert!(
                (distance - 1.0).abs() < 2e-5,
                "forces {forces}: {away:?} {state:?}"
            );
        }
    }
}

/// A thin wall carries a box on either side, and stops what comes from either.
#[test]
fn a_thin_wall_has_two_sides() {
    for forces in [false, true] {
        for side in [1.0, -1.0] {
            let mut world = World2::new();
            let stuff = Material {
                restitution: 0.3,
                static_friction: 0.4,
                kinetic_friction: 0.4,
                ..Material::default()
            };
            let stuff = world.materials.add("default", stuff).expect("allowed");
            let springs = Constants::linear(1e6);
            world
                .materials
                .set_constants(stuff, springs)
                .expect("allowed");
            world
                .set_gravity(DVec2::new(0.0, -9.81 * side))
                .expect("finite");
            let wall = Shape::thin_wall(DVec2::Y).expect("a direction");
            world.add(Body::fixed(wall)).expect("allowed");
            let capsule = Shape::capsule(-DVec2::X * 0.2, DVec2::X * 0.2, 0.1).expect("a capsule");
            let body = Body::free(capsule)
                .mass(1.0)
                .at(DVec2::new(0.0, 0.5 * side));
            let body = body.angular_velocity(1.0).velocity(DVec2::X);
            let id = world.add(body.build().expect("allowed")).expect("allowed");
            let mut run = if forces {
                Simulation::with(world, Forces::default())
            } else {
                Simulation::new(world)
            }
            .unwrap_or_else(|error| panic!("{error}"));
            run.run_until(4.0).unwrap_or_else(|error| panic!("{error}"));
            let state = run.state(id);
            // By forces it is pressed in by m g/k.
            assert!((state.position.y * side - 0.1).abs() < 3e-5, "{state:?}");
            assert!(state.velocity.length() < 1e-3, "{state:?}");
        }
    }
}
