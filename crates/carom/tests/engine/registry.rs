//! What a run knows of its bodies: as they were given, and as they are.

use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Ball, HalfSpace};
use carom::simulate::Exact;

/// A world with one of everything: named and nameless balls, a wall, a paddle, a shaken floor, a path.
fn crowd() -> World2 {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.7,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    world.set_gravity(DVec2::new(0.0, -1.0)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    world
        .add(Body::fixed(floor).at(DVec2::new(0.0, -5.0)).named("floor"))
        .unwrap();
    for index in 0..10 {
        let place = DVec2::new(f64::from(index), 0.0);
        // Masses whose inverse's inverse is another number: 1/(1/49) ≠ 49.
        let mut body = Body::ball(0.3, f64::from(41 + index), place, DVec2::new(0.1, 0.0)).unwrap();
        body.pose.rotation = Turn::by(0.1 * f64::from(index));
        if index % 3 == 0 {
            body = body.named(&format!("ball {index}")).made_of(rubber);
        }
        world.add(body).unwrap();
    }
    let small = || Shape::Ball(Ball::new(0.2).unwrap());
    let drives = [
        Drive::Uniform { velocity: DVec2::X },
        Drive::Rotation {
            pivot: DVec2::new(20.0, 20.0),
            angular_velocity: 1.5,
        },
        Drive::Oscillation {
            amplitude: DVec2::Y,
            frequency: 0.7,
            phase: 0.2,
        },
        Drive::Path {
            knots: vec![(0.0, DVec2::ZERO), (1.0, DVec2::X), (4.0, DVec2::Y)],
        },
    ];
    for (index, drive) in (0..).zip(drives) {
        let place = DVec2::new(20.0 + 3.0 * f64::from(index), 20.0);
        world
            .add(Body::kinematic(small(), drive).at(place))
            .unwrap();
    }
    world
}

#[test]
fn bodies_come_back_as_they_were_given() {
    let world = crowd();
    let run = Exact::new(world.clone()).unwrap();
    let ids: Vec<BodyId> = run.bodies().collect();
    assert_eq!(ids.len(), world.bodies().len());
    for id in ids {
        assert_eq!(run.body(id).as_ref(), Some(world.body(id)));
        assert_eq!(run.name(id), &*world.body(id).name);
    }
    assert_eq!(run.find("ball 6"), world.find("ball 6"));
    assert_eq!(run.find("nobody"), None);
    assert_eq!(run.body(BodyId(99)), None);
    assert_eq!(run.gravity(), world.gravity());
    let rubber = run.materials().find("rubber").unwrap();
    assert_eq!(run.materials().get(rubber).restitution, 0.7);
}

#[test]
fn a_body_is_as_it_is_now() {
    let mut run = Exact::new(crowd()).unwrap();
    run.run_to(1.0).unwrap();
    let id = run.find("ball 3").unwrap();
    let (body, state) = (run.body(id).unwrap(), run.state(id));
    assert_eq!(body.pose.position, state.position);
    assert_eq!(body.pose.rotation, state.rotation);
    match body.kind {
        Kind::Free(free) => assert_eq!((free.velocity, free.mass), (state.velocity, 44.0)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_world_as_it_is_now_goes_on_as_the_run_does() {
    let mut run = Exact::new(crowd()).unwrap();
    run.run_to(1.5).unwrap();
    let world = run.to_world();
    let mut other = Exact::new(world).unwrap();
    for time in [0.0, 0.5, 1.0, 4.0] {
        run.run_to(1.5 + time).unwrap();
        other.run_to(time).unwrap();
        for (id, twin) in run.bodies().zip(other.bodies()) {
            let (here, there) = (run.state(id), other.state(twin));
            // Places of some tens of metres, angles of some radians, a few bounces: rounding of 4e-15, grown by the
            // bounces.
            assert!((here.position - there.position).length() < 1e-12);
            assert!((here.velocity - there.velocity).length() < 1e-12);
        }
    }
}

#[test]
fn bodies_are_small() {
    // A world of a million balls is built of these. What acts on a body alone is behind one pointer.
    assert!(
        size_of::<Body<Space3>>() <= 200,
        "{}",
        size_of::<Body<Space3>>()
    );
    assert!(
        size_of::<Body<Space2>>() <= 144,
        "{}",
        size_of::<Body<Space2>>()
    );
}
