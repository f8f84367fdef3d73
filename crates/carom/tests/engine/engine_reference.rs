//! The fast planner against the slow one: the same events, to the bit, on every kind of scene.

use super::random::Random;
use carom::body::Kind;
use carom::material::Law;
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::{Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape2, Shape3, Triangle};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::space::Space;
use carom::space::Space3;
use std::ops::ControlFlow;

/// Balls on a square lattice of `side` places an axis, one metre apart, from (½, ½, ½) on; radii as given.
fn gas<S: Compiled>(world: &mut World<S>, side: u32, radius: impl Fn(f64) -> f64, seed: u64) {
    let mut random = Random(seed);
    let layers = if S::DIMENSION == 3 { side } else { 1 };
    for z in 0..layers {
        for y in 0..side {
            for x in 0..side {
                let place = S::vector([x, y, z].map(|along| f64::from(along) + 0.5));
                let radius = radius(random.next());
                let mass = radius * radius * (1.0 + random.next());
                let velocity = random.around::<S>(1.0);
                world
                    .add(Body::ball(radius, mass, place, velocity).unwrap())
                    .unwrap();
            }
        }
    }
}

fn walls<S: Compiled>(world: &mut World<S>, side: f64, axes: std::ops::Range<usize>) {
    for axis in axes {
        for (place, direction) in [(0.0, 1.0), (side, -1.0)] {
            let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
            (point[axis], normal[axis]) = (place, direction);
            let wall = HalfSpace::solid(S::vector(normal)).unwrap();
            let pose = Pose::at(S::vector(point));
            world
                .add(Body::fixed(Shape::HalfSpace(wall)).pose(pose))
                .unwrap();
        }
    }
}

/// Runs a world both ways; returns how many collisions there were.
fn same<S: Compiled>(world: &World<S>, until: f64, most: usize) -> usize {
    let events = |mut run: Exact<S>| {
        let mut list: Vec<Collision<S>> = Vec::new();
        let end = run.run(until, |collision| {
            list.push(*collision);
            if list.len() < most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        (list, end, run.digest(), run.audit())
    };
    let slow = events(Exact::reference(world.clone()).unwrap());
    let fast = events(Exact::new(world.clone()).unwrap());
    for (slow, fast) in slow.0.iter().zip(&fast.0) {
        assert_eq!(slow, fast);
    }
    assert_eq!(slow, fast);
    fast.0.len()
}

#[test]
fn periodic_gases() {
    let mut flat = World::<Space2>::new();
    gas(&mut flat, 12, |_| 0.4, 1);
    flat.set_periodic([Some(12.0), Some(12.0), None]).unwrap();
    assert_eq!(same(&flat, 1e9, 20_000), 20_000);
    let mut solid = World::<Space3>::new();
    gas(&mut solid, 6, |_| 0.45, 2);
    solid.set_periodic([Some(6.0); 3]).unwrap();
    assert_eq!(same(&solid, 1e9, 5_000), 5_000);
}

#[test]
fn dense_gases_with_neighbour_lists() {
    // Above a share of 0.4 of the volume, in boxes of more than four diameters and shells.
    let mut periodic = World::<Space3>::new();
    gas(&mut periodic, 6, |_| 0.48, 15);
    periodic.set_periodic([Some(6.0); 3]).unwrap();
    assert_eq!(same(&periodic, 1e9, 10_000), 10_000);
    let mut mixed = World::<Space3>::new();
    gas(&mut mixed, 6, |random| 0.45 + 0.04 * random, 16);
    mixed.set_periodic([Some(6.0), Some(6.1), None]).unwrap();
    walls(&mut mixed, 6.0, 2..3);
    assert_eq!(same(&mixed, 1e9, 10_000), 10_000);
}

#[test]
fn a_dilute_gas_that_goes_round_the_box_between_collisions() {
    // All pairs of 64 balls, each with 27 images, some hundred times between two collisions: fewer of those.
    for (side, radius, collisions) in [(2, 0.1, 2_000), (3, 0.05, 2_000), (4, 0.02, 500)] {
        let mut world = World::<Space3>::new();
        gas(&mut world, side, |_| radius, 3);
        world.set_periodic([Some(f64::from(side)); 3]).unwrap();
        assert_eq!(same(&world, 1e9, collisions), collisions);
    }
}

/// All balls drift together, so fast that single precision, with which neighbours are sifted, cannot tell their
/// velocities apart: collisions were missed.
#[test]
fn balls_that_drift_together_and_hardly_move_against_each_other() {
    // Where they are dense lists are kept, and made anew whenever a ball has moved a little: that takes its time.
    for (radius, drifts) in [(0.3, [1e5, 1e8]), (0.47, [1e2, 1e3])] {
        for drift in drifts {
            let mut world = World::<Space3>::new();
            let mut random = Random(7);
            for number in 0..512_u32 {
                let place = [number % 8, number / 8 % 8, number / 64];
                let place = Space3::vector(place.map(|along| f64::from(along) + 0.5));
                let velocity = random.around::<Space3>(1.0) + Space3::vector([drift, 0.0, 0.0]);
                world
                    .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                    .unwrap();
            }
            assert!(same(&world, 1.0, 400) > 300, "{drift} {radius}");
        }
    }
}

/// Balls that leave their cells soon are moved on ahead of time. They may be stopped, turned round and asked for before
/// that time comes.
#[test]
fn balls_moved_on_ahead_of_time_are_stopped_turned_and_asked_for() {
    // Edges of cells are 1.07 and 1.02 diameters, so that there is some slack.
    for (side, radius) in [(9_u32, 0.42), (11, 0.49)] {
        let mut world = World::<Space2>::new();
        gas(&mut world, side, |_| radius, 21);
        let length = Some(f64::from(side));
        world.set_periodic([length, length, None]).unwrap();
        let run = |mut run: Exact<Space2>| {
            let (mut random, mut answers) = (Random(22), Vec::new());
            for step in 1..400 {
                run.run_to(0.013 * f64::from(step)).unwrap();
                let body = BodyId((random.next() * f64::from(side * side)) as u32);
                let velocity = run.state(body).velocity;
                let velocity = velocity * [0.0, -1.0, 1.5][step as usize % 3];
                run.set_velocity(body, velocity, Default::default())
                    .unwrap();
                let place = random.around::<Space2>(0.5 * f64::from(side));
                answers.push(run.query().in_ball(place, 0.7).unwrap());
            }
            (answers, run.digest(), run.collisions(), run.audit())
        };
        let slow = run(Exact::reference(world.clone()).unwrap());
        assert!(slow.2 > 500, "{}", slow.2);
        assert_eq!(slow, run(Exact::new(world).unwrap()));
    }
}

#[test]
fn boxes_of_one_and_two_cells() {
    for (side, length) in [(2, 2.0), (3, 3.0), (3, 4.5)] {
        let mut world = World::<Space2>::new();
        gas(&mut world, side, |_| 0.49, 4);
        world
            .set_periodic([Some(length), Some(length), None])
            .unwrap();
        assert_eq!(same(&world, 1e9, 2_000), 2_000);
    }
}

#[test]
fn mixed_sizes_between_walls_and_in_boxes() {
    let sizes = |random: f64| 0.04 + 0.44 * random * random * random;
    let mut walled = World::<Space3>::new();
    gas(&mut walled, 5, sizes, 5);
    walls(&mut walled, 5.0, 0..3);
    assert_eq!(same(&walled, 1e9, 5_000), 5_000);
    let mut mixed = World::<Space3>::new();
    gas(&mut mixed, 5, sizes, 6);
    walls(&mut mixed, 5.0, 2..3);
    mixed.set_periodic([Some(5.0), Some(5.5), None]).unwrap();
    assert_eq!(same(&mixed, 1e9, 5_000), 5_000);
}

#[test]
fn a_ball_that_is_very_fast_for_its_size_does_not_hold_up_the_run() {
    // Among specks of dust a ball looks around it every so often; one that is 10²⁰ times faster than the others must
    // not do so 10²⁰ times.
    for number in [0, 2, 8] {
        let mut world = World::<Space2>::new();
        gas(&mut world, number, |random| 0.3 + 0.1 * random, 8);
        let speck = DVec2::new(-5.0, 0.0);
        let fast = DVec2::new(0.0, -5.0);
        world
            .add(Body::ball(1e-20, 1.0, speck, DVec2::new(0.1, 0.0)).unwrap())
            .unwrap();
        world
            .add(Body::ball(0.2, 1.0, fast, DVec2::new(0.0, -1e20)).unwrap())
            .unwrap();
        same(&world, 5.0, 5_000);
    }
}

#[test]
fn few_large_balls_among_few_small_ones_far_apart() {
    // The cells of the small ones are much larger than the large balls.
    let mut world = World::<Space3>::new();
    gas(
        &mut world,
        5,
        |random| if random > 0.9 { 0.4 } else { 0.02 },
        9,
    );
    world.set_periodic([Some(5.0); 3]).unwrap();
    assert_eq!(same(&world, 1e9, 3_000), 3_000);
}

#[test]
fn the_same_when_the_clock_is_set_back() {
    let mut world = World::<Space2>::new();
    gas(&mut world, 4, |_| 0.35, 7);
    world.set_periodic([Some(4.0), Some(4.0), None]).unwrap();
    // It is set back after 65,792 collisions.
    assert_eq!(same(&world, 1e9, 150_000), 150_000);
}

#[test]
fn gravity_friction_and_spin() {
    let mut world = World::<Space2>::new();
    let rough = Material {
        restitution: 0.99,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        law: Law::Coulomb,
        ..Material::default()
    };
    world.materials.add("default", rough).unwrap();
    gas(&mut world, 8, |random| 0.2 + 0.2 * random, 8);
    walls(&mut world, 8.0, 0..2);
    world.set_gravity(DVec2::new(0.1, -0.5)).unwrap();
    assert!(same(&world, 30.0, 20_000) > 1_000);
    let mut periodic = World::<Space3>::new();
    periodic.materials.add("default", rough).unwrap();
    gas(&mut periodic, 4, |_| 0.3, 9);
    periodic.set_periodic([Some(4.0), Some(4.0), None]).unwrap();
    walls(&mut periodic, 4.0, 2..3);
    periodic.set_gravity(DVec3::new(0.2, 0.0, -0.7)).unwrap();
    assert!(same(&periodic, 20.0, 20_000) > 500);
}

#[test]
fn scenery_of_every_shape_in_the_plane() {
    let mut world = World::<Space2>::new();
    gas(&mut world, 8, |_| 0.15, 10);
    walls(&mut world, 8.0, 0..2);
    let at = |x, y| Pose {
        position: DVec2::new(x, y),
        rotation: Turn::by(0.3),
    };
    let segment = Segment::new(DVec2::new(-0.2, 0.0), DVec2::new(0.3, 0.1)).unwrap();
    let own = |shape| Shape::own(shape);
    let shapes = [
        (Shape::Ball(Ball::new(0.3).unwrap()), at(2.0, 2.0)),
        (
            Shape::Block(Block::new(DVec2::new(0.3, 0.2)).unwrap()),
            at(5.0, 3.0),
        ),
        (own(Shape2::Segment(segment)), at(4.0, 6.0)),
    ];
    for (shape, pose) in shapes {
        world.add(Body::fixed(shape).pose(pose)).unwrap();
    }
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.2),
        frequency: 0.7,
        phase: 0.2,
    };
    let turning = Drive::Rotation {
        pivot: DVec2::new(6.0, 6.0),
        angular_velocity: 1.5,
    };
    let along = Drive::Path {
        knots: vec![
            (0.5, DVec2::ZERO),
            (2.0, DVec2::new(0.3, 0.0)),
            (3.0, DVec2::new(-0.2, 0.1)),
        ],
    };
    let small = || Shape::Ball(Ball::new(0.2).unwrap());
    world
        .add(Body::kinematic(small(), shaken).pose(at(3.0, 4.0)))
        .unwrap();
    let paddle = own(Shape2::Segment(segment));
    world
        .add(Body::kinematic(paddle, turning).pose(at(6.0, 6.0)))
        .unwrap();
    world
        .add(Body::kinematic(small(), along).pose(at(2.0, 6.0)))
        .unwrap();
    assert!(same(&world, 12.0, 4_000) > 500);
    // And repeated with a box: the walls along x stay away.
    let mut periodic = World::<Space2>::new();
    periodic.set_periodic([Some(8.0), Some(8.0), None]).unwrap();
    gas(&mut periodic, 8, |_| 0.15, 11);
    for body in world.bodies() {
        if !matches!(body.shape, Shape::HalfSpace(_)) && !matches!(body.kind, Kind::Free(_)) {
            let mut body = body.clone();
            // Across the corner of the box.
            body.pose.position -= DVec2::new(4.0, 3.0);
            if let Kind::Kinematic(Drive::Rotation { pivot, .. }) = &mut body.kind {
                *pivot -= DVec2::new(4.0, 3.0);
            }
            periodic.add(body).unwrap();
        }
    }
    assert!(same(&periodic, 6.0, 4_000) > 100);
}

#[test]
fn scenery_of_every_shape_in_space() {
    let mut world = World::<Space3>::new();
    gas(&mut world, 5, |_| 0.2, 12);
    walls(&mut world, 5.0, 1..3);
    world.set_periodic([Some(5.0), None, None]).unwrap();
    let triangle = Triangle::new([
        DVec3::new(-0.1, 0.0, 0.0),
        DVec3::new(0.2, 0.1, 0.0),
        DVec3::new(0.0, 0.2, 0.1),
    ]);
    let shapes = [
        Shape::Ball(Ball::new(0.3).unwrap()),
        Shape::Block(Block::new(DVec3::new(0.3, 0.2, 0.1)).unwrap()),
        Shape::own(Shape3::Triangle(triangle.unwrap())),
        Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::Z, 0.2, 0.2).unwrap())),
    ];
    for (index, shape) in (1..).zip(shapes) {
        let along = f64::from(index);
        let pose = Pose::at(DVec3::new(along, 5.0 - along, along));
        world.add(Body::fixed(shape).pose(pose)).unwrap();
    }
    assert!(same(&world, 12.0, 4_000) > 500);
}

#[test]
fn an_open_world_and_a_room() {
    let mut open = World::<Space2>::new();
    gas(&mut open, 10, |_| 0.45, 13);
    // They fly apart, and out of all cells.
    assert!(same(&open, 1e6, 10_000) > 50);
    let mut room = World::<Space3>::new();
    gas(&mut room, 3, |_| 0.3, 14);
    let middle = Pose::at(DVec3::splat(1.5));
    let hollow = Shape::Hollow(Hollow::new(2.6).unwrap());
    room.add(Body::fixed(hollow).pose(middle)).unwrap();
    assert_eq!(same(&room, 1e9, 5_000), 5_000);
}

#[test]
fn many_contacts_at_one_instant() {
    // A full lattice of touching balls, struck by one: ties everywhere.
    let mut world = World::<Space2>::new();
    for y in 0..5 {
        for x in 0..5 {
            let place = DVec2::new(f64::from(x), f64::from(y));
            let velocity = if (x, y) == (0, 2) {
                DVec2::X
            } else {
                DVec2::ZERO
            };
            world
                .add(Body::ball(0.5, 1.0, place, velocity).unwrap())
                .unwrap();
        }
    }
    walls(&mut world, 4.5, 0..0);
    assert!(same(&world, 100.0, 10_000) >= 4);
}
