//! Contacts of a duration (row C4), the contact-time rule, and sensors.

use super::gases::room;
use super::{Random, exact, material, spinning, wall};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::shape::{Segment, Shape2};

scenes! {
    sticking_pairs => exact(sticking_pairs(), 3.0, 60, &[3, 31]),
    sticking_pairs_3d_with_gravity => exact(sticking_pairs_3d(), 2.0, 40, &[3, 31]),
    contact_time => exact(with_contact_time(), 4.0, 60, &[3, 31]),
    sensors => exact(past_sensors(), 5.0, 200, &[3, 31]),
    sensors_in_drag => exact(past_sensors_in_drag(), 3.0, 60, &[3, 31]),
}

fn discs(world: &mut World2, seed: u64) {
    let mut random = Random(seed);
    for index in 0..9_u32 {
        let place = DVec2::new(f64::from(index % 3), f64::from(index / 3)) + 0.5;
        let radius = 0.25 + 0.08 * random.next();
        let ball = Body::ball(radius, 1.0, place, random.vector::<Space2>() * 3.0).unwrap();
        world.add(spinning(ball, 5.0 * random.next())).unwrap();
    }
}

fn sticking_pairs() -> World2 {
    let mut world = World2::new();
    let lasting = Material {
        contact_duration: 0.02,
        ..material(0.9, 0.3)
    };
    world.materials.add("default", lasting).unwrap();
    room(&mut world, 3.0);
    discs(&mut world, 31);
    world
}

/// With a wall that goes up and down, which takes along those that touch it.
fn sticking_pairs_3d() -> World3 {
    let mut world = World3::new();
    let lasting = Material {
        contact_duration: 0.01,
        ..material(0.95, 0.2)
    };
    world.materials.add("default", lasting).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -4.0)).unwrap();
    let lift = Drive::Path {
        knots: vec![
            (0.2, DVec3::ZERO),
            (0.7, DVec3::new(0.0, 0.0, 0.2)),
            (1.5, DVec3::ZERO),
        ],
    };
    let floor = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::kinematic(floor, lift)).unwrap();
    for axis in [DVec3::X, DVec3::Y] {
        for (side, place) in [(1.0, 0.0), (-1.0, 2.0)] {
            let normal = (axis * side).to_array();
            world.add(wall((axis * place).to_array(), normal)).unwrap();
        }
    }
    let mut random = Random(32);
    for index in 0..8_u32 {
        let place = [index % 2, index / 2 % 2, index / 4].map(f64::from);
        let place = DVec3::from_array(place) + 0.6;
        let ball = Body::ball(0.3, 1.0, place, random.vector::<Space3>() * 2.0).unwrap();
        world
            .add(spinning(ball, random.vector::<Space3>() * 5.0))
            .unwrap();
    }
    world
}

/// The rule of Luding and McNamara, set by hand.
fn with_contact_time() -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material(0.6, 0.2)).unwrap();
    world.set_gravity(DVec2::new(0.0, -5.0)).unwrap();
    world.set_contact_time(Some(1e-3)).unwrap();
    room(&mut world, 3.0);
    discs(&mut world, 33);
    world
}

/// One that stands, one that turns, one that is shaken.
fn sensing(world: &mut World2) {
    let gate = Shape::block(DVec2::new(0.4, 0.7)).unwrap();
    let pose = Pose::at(DVec2::new(0.7, 1.5));
    world.add(Body::fixed(gate).pose(pose).sensing()).unwrap();
    let beam = Segment::new(DVec2::new(-0.6, 0.0), DVec2::new(0.6, 0.0)).unwrap();
    let turning = Drive::Rotation {
        pivot: DVec2::new(2.0, 2.0),
        angular_velocity: 1.3,
    };
    let pose = Pose::at(DVec2::new(2.0, 2.0));
    let beam = Shape::own(Shape2::Segment(beam));
    world
        .add(Body::kinematic(beam, turning).pose(pose).sensing())
        .unwrap();
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.3, 0.0),
        frequency: 0.7,
        phase: 0.2,
    };
    let spot = Shape::ball(0.4).unwrap();
    let pose = Pose::at(DVec2::new(2.0, 0.7));
    world
        .add(Body::kinematic(spot, shaken).pose(pose).sensing())
        .unwrap();
}

fn past_sensors() -> World2 {
    let mut world = World2::new();
    room(&mut world, 3.0);
    discs(&mut world, 34);
    sensing(&mut world);
    world
}

fn past_sensors_in_drag() -> World2 {
    let mut world = past_sensors();
    let thin = Drag::Given {
        linear: 0.02,
        quadratic: 0.02,
    };
    let fields = Fields::uniform(DVec2::new(0.0, -3.0)).with(Field::Drag(thin));
    world.set_fields(fields).unwrap();
    world
}
