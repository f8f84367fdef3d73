//! Balls in free flight: runs that have little in common, of the planner that is quick.

use super::{Random, exact, material, wall};
use carom::body::Kind;
use carom::material::RestitutionCurve;
use carom::prelude::*;
use carom::shape::{Segment, Shape2};
use carom::simulate::Compiled;

scenes! {
    a_break => thorough(rack_break(), 20.0),
    a_periodic_gas => thorough(periodic_gas(), 5.0),
    a_rough_gas_between_walls => thorough(rough_gas(), 20.0),
    driven_bodies => thorough(kinematic(), 10.0),
    falling_balls => thorough(falling(), 10.0),
    a_cradle => thorough(cradle(), 200.0),
    a_viscoelastic_gas => thorough(viscoelastic_gas(), 10.0),
    a_sheared_gas => thorough(sheared_gas(), 10.0),
    a_sheared_gas_of_spheres => thorough(sheared_spheres(), 4.0),
}

/// Rough grains in a box that is sheared: across its sides they meet images that move past.
fn sheared_gas() -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.9, 0.3)).unwrap();
    sheared(&mut world, 8, 0.38, Shear::new(0.5));
    world
}

/// A flow along z that grows along x, from a start at which the images are not in line.
fn sheared_spheres() -> World<Space3> {
    let mut world = World::new();
    let shear = Shear {
        flow: 2,
        gradient: 0,
        offset: 1.3,
        ..Shear::new(-0.8)
    };
    sheared(&mut world, 4, 0.4, shear);
    world
}

/// A gas in a sheared box, with the flow.
fn sheared<S: Compiled>(world: &mut World<S>, side: u32, radius: f64, shear: Shear) {
    let mut still = World::<S>::new();
    gas(&mut still, side, radius, 8);
    let mut periods = [None; 3];
    periods[..S::DIMENSION].fill(Some(f64::from(side)));
    world.set_periodic(periods).unwrap();
    world.set_shear(Some(shear)).unwrap();
    for body in still.bodies() {
        let mut body = body.clone();
        if let Kind::Free(free) = &mut body.kind {
            free.velocity += shear.flow_at::<S>(body.pose.position, world.periods());
        }
        world.add(body).unwrap();
    }
}

/// Periodic along x, between walls along y: some balls by a law, others by a table.
fn viscoelastic_gas() -> World<Space2> {
    let mut world = World::new();
    gas(&mut world, 8, 0.3, 7);
    world.set_periodic([Some(8.0), None, None]).unwrap();
    let law = RestitutionCurve::viscoelastic(0.9, 1.0).unwrap();
    let table = RestitutionCurve::table(vec![(0.0, 1.0), (0.5, 0.9), (2.0, 0.6)]).unwrap();
    let ids =
        ["default", "measured"].map(|name| world.materials.add(name, Material::default()).unwrap());
    for (id, curve) in ids.into_iter().zip([law, table]) {
        world.materials.set_restitution_curve(id, curve).unwrap();
    }
    for (place, normal) in [(0.0, 1.0), (8.0, -1.0)] {
        let wall = wall([0.0, place, 0.0], [0.0, normal, 0.0]);
        world.add(wall.made_of(ids[1])).unwrap();
    }
    world
}

/// Cut into many more pieces than the others: these runs are short.
fn thorough<S: Compiled>(world: World<S>, until: f64) -> u64 {
    exact(world, until, 100, &[2, 3, 7, 10, 31, 100, 1000])
}

/// Balls on a lattice of one metre, with random velocities.
fn gas<S: Compiled>(world: &mut World<S>, side: u32, radius: f64, seed: u64) {
    let mut random = Random(seed);
    let layers = if S::DIMENSION == 3 { side } else { 1 };
    for z in 0..layers {
        for y in 0..side {
            for x in 0..side {
                let place = S::vector([x, y, z].map(|along| f64::from(along) + 0.5));
                let velocity = S::vector([0; 3].map(|_| random.next()));
                let size = radius * (1.0 + 0.1 * random.next());
                let mass = 1.0 + 0.5 * random.next();
                world
                    .add(Body::ball(size, mass, place, velocity).unwrap())
                    .unwrap();
            }
        }
    }
}

/// Four walls about a square.
pub fn room(world: &mut World<Space2>, side: f64) {
    for (point, normal) in [
        ([0.0; 3], [1.0, 0.0, 0.0]),
        ([0.0; 3], [0.0, 1.0, 0.0]),
        ([side; 3], [-1.0, 0.0, 0.0]),
        ([side; 3], [0.0, -1.0, 0.0]),
    ] {
        world.add(wall(point, normal)).unwrap();
    }
}

/// A rack of fifteen that touch, turned by an odd angle, and a cue ball off the axis; on a table.
fn rack_break() -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.95, 0.1)).unwrap();
    let (s, c) = (libm::sin(0.3), libm::cos(0.3));
    let place = |x: f64, y: f64| DVec2::new(8.0 + c * x - s * y, 8.0 + s * x + c * y);
    let ball = |place, velocity| Body::ball(0.5, 1.0, place, velocity).unwrap();
    world
        .add(ball(place(-4.0, 0.1), DVec2::new(c, s) * 9.0))
        .unwrap();
    for row in 0..5 {
        for column in 0..=row {
            let across = f64::from(column) - 0.5 * f64::from(row);
            let along = f64::from(row) * 0.75_f64.sqrt();
            world.add(ball(place(along, across), DVec2::ZERO)).unwrap();
        }
    }
    room(&mut world, 16.0);
    world
}

fn periodic_gas() -> World<Space3> {
    let mut world = World::new();
    gas(&mut world, 5, 0.43, 1);
    world
        .set_periodic([Some(5.0), Some(5.0), Some(5.25)])
        .unwrap();
    world
}

fn rough_gas() -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.9, 0.3)).unwrap();
    gas(&mut world, 8, 0.35, 2);
    room(&mut world, 8.0);
    world
}

fn kinematic() -> World<Space2> {
    let mut world = World::new();
    gas(&mut world, 5, 0.2, 3);
    room(&mut world, 5.0);
    let paddle = Segment::new(DVec2::new(-0.2, 0.0), DVec2::new(0.2, 0.05)).unwrap();
    let turning = Drive::Rotation {
        pivot: DVec2::new(2.0, 2.0),
        angular_velocity: 1.7,
    };
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.15),
        frequency: 0.6,
        phase: 0.3,
    };
    let paddle = Shape::own(Shape2::Segment(paddle));
    let pose = Pose::at(DVec2::new(2.0, 2.0));
    world
        .add(Body::kinematic(paddle, turning).pose(pose))
        .unwrap();
    let ball = Shape::ball(0.15).unwrap();
    let pose = Pose::at(DVec2::new(3.0, 4.0));
    world.add(Body::kinematic(ball, shaken).pose(pose)).unwrap();
    world
}

fn falling() -> World<Space3> {
    let mut world = World::new();
    world.materials.add("default", material(0.98, 0.2)).unwrap();
    gas(&mut world, 4, 0.3, 4);
    world.set_periodic([Some(4.0), Some(4.0), None]).unwrap();
    world.set_gravity(DVec3::new(0.3, 0.0, -2.0)).unwrap();
    world.add(wall([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    world.add(wall([0.0, 0.0, 6.0], [0.0, 0.0, -1.0])).unwrap();
    world
}

/// Seven touching balls between walls, two of them moving: the same ties over and over, in numbers without rounding.
fn cradle() -> World<Space2> {
    let mut world = World::new();
    for index in 0..7 {
        let (start, speed) = if index < 2 { (-1.0, 1.0) } else { (0.0, 0.0) };
        let place = DVec2::new(start + f64::from(index), 0.0);
        let ball = Body::ball(0.5, 1.0, place, DVec2::new(speed, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    world.add(wall([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap();
    world.add(wall([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0])).unwrap();
    world
}
