//! Golden digests: every bit of the states and of the order of events of six runs that have little in common.
//!
//! A digest changes when any number of a run does, so it is the same from run to run, at every optimisation level (`golden.sh` checks that), however the
//! run is cut into pieces, whoever watches, and whichever planner plans. When the physics is changed on purpose, the new digests are those that
//! the failing test prints; the change and its reason belong into the changelog.

use carom::prelude::*;
use carom::vectors::{self, Width};
use std::ops::ControlFlow;

// Of the runs below, in their order.
const BREAK: u64 = 0xfc89_266a_e2ab_3e30;
const PERIODIC_GAS: u64 = 0xbcfa_8b7e_2488_663a;
const ROUGH_GAS: u64 = 0x8d83_81b5_9b2c_46d5;
const DRIVEN: u64 = 0xca77_ea8c_b03c_d0de;
const FALLING: u64 = 0x320d_20a5_5bac_dd14;
const CRADLE: u64 = 0xa9fd_8215_3a2c_a96d;

struct Random(u64);

impl Random {
    /// From −1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.8 * friction,
        law: Law::Coulomb,
        ..Material::default()
    }
}

fn wall<S: Space>(point: [f64; 3], normal: [f64; 3]) -> Body<S> {
    let wall = HalfSpace::solid(S::vector(normal)).unwrap();
    Body::fixed(Shape::HalfSpace(wall), Pose::at(S::vector(point)))
}

/// Balls on a lattice of one metre, with random velocities.
fn gas<S: Space>(world: &mut World<S>, side: u32, radius: f64, seed: u64) {
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
fn room(world: &mut World<Plane>, side: f64) {
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
fn rack_break() -> World<Plane> {
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

fn periodic_gas() -> World<Solid> {
    let mut world = World::new();
    gas(&mut world, 5, 0.43, 1);
    world
        .set_periodic([Some(5.0), Some(5.0), Some(5.25)])
        .unwrap();
    world
}

fn rough_gas() -> World<Plane> {
    let mut world = World::new();
    world.materials.add("default", material(0.9, 0.3)).unwrap();
    gas(&mut world, 8, 0.35, 2);
    room(&mut world, 8.0);
    world
}

fn driven() -> World<Plane> {
    let mut world = World::new();
    gas(&mut world, 5, 0.2, 3);
    room(&mut world, 5.0);
    let paddle = Segment::new(DVec2::new(-0.2, 0.0), DVec2::new(0.2, 0.05)).unwrap();
    let turning = Drive::Rotation {
        pivot: DVec2::new(2.0, 2.0),
        spin: 1.7,
    };
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.15),
        frequency: 0.6,
        phase: 0.3,
    };
    let paddle = Shape::own(PlaneShape::Segment(paddle));
    let pose = Pose::at(DVec2::new(2.0, 2.0));
    world.add(Body::driven(paddle, pose, turning)).unwrap();
    let ball = Shape::Ball(Ball::new(0.15).unwrap());
    let pose = Pose::at(DVec2::new(3.0, 4.0));
    world.add(Body::driven(ball, pose, shaken)).unwrap();
    world
}

fn falling() -> World<Solid> {
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
fn cradle() -> World<Plane> {
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

/// Runs a world in every way; what it hashes to is the same, and is what is written down.
fn check<S: Space>(name: &str, world: World<S>, until: f64, golden: u64) {
    let start = || Exact::new(world.clone()).unwrap();
    let mut run = start();
    run.run_to(until).unwrap();
    let (collisions, digest) = (run.collisions(), run.digest());
    assert!(collisions > 100, "{name}: {collisions} collisions");

    for pieces in [2, 3, 7, 10, 31, 100, 1000] {
        let mut run = start();
        for piece in 1..pieces {
            // The last cut is at a time that no binary fraction of the whole is.
            run.run_to(until * f64::from(piece) / f64::from(pieces))
                .unwrap();
        }
        run.run_to(until).unwrap();
        assert_eq!(run.digest(), digest, "{name} in {pieces} pieces");
    }

    let mut watched = start();
    let mut seen = 0;
    loop {
        let end = watched.run(until, |collision| {
            seen += 1;
            // Looks at everything, and ends the run now and then.
            match collision.number % 97 {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        let _ = (watched.audit(), watched.digest(), watched.state(BodyId(0)));
        if end.unwrap() == End::Time {
            break;
        }
    }
    assert_eq!((seen, watched.digest()), (collisions, digest), "{name}");

    let mut reference = Exact::reference(world.clone()).unwrap();
    reference.run_to(until).unwrap();
    assert_eq!(reference.digest(), digest, "{name} by the reference");

    assert_eq!(
        digest, golden,
        "{name}: {collisions} collisions, digest 0x{digest:016x}"
    );
}

#[test]
fn a_break() {
    check("break", rack_break(), 20.0, BREAK);
}

#[test]
fn a_periodic_gas() {
    check("periodic gas", periodic_gas(), 5.0, PERIODIC_GAS);
}

#[test]
fn a_rough_gas_between_walls() {
    check("rough gas", rough_gas(), 20.0, ROUGH_GAS);
}

#[test]
fn driven_bodies() {
    check("driven bodies", driven(), 10.0, DRIVEN);
}

#[test]
fn falling_balls() {
    check("falling balls", falling(), 10.0, FALLING);
}

#[test]
fn a_cradle() {
    check("cradle", cradle(), 200.0, CRADLE);
}

/// Equal balls on a lattice, so dense that they are found by lists (0.47), or in cells of their own.
fn lattice_gas<S: Space>(radius: f64) -> World<S> {
    let mut world = World::<S>::new();
    let mut random = Random(5);
    let layers = if S::DIMENSION == 3 { 8 } else { 1 };
    for index in 0..64 * layers {
        let place = [index % 8, index / 8 % 8, index / 64].map(|along| f64::from(along) + 0.5);
        let velocity = S::vector([0; 3].map(|_| random.next()));
        let ball = Body::ball(radius, 1.0, S::vector(place), velocity).unwrap();
        world.add(ball).unwrap();
    }
    world.set_periodic([Some(8.0); 3]).unwrap();
    world
}

fn digest<S: Space>(world: World<S>, until: f64) -> u64 {
    let mut run = Exact::new(world).unwrap();
    run.run_to(until).unwrap();
    assert!(run.collisions() > 100, "{} collisions", run.collisions());
    run.digest()
}

/// Which vectors a run computes with is chosen when it begins, by what the processor has. All of them go through here, whatever the machine would choose.
#[test]
fn every_width_of_vectors_has_the_same_bits() {
    let all = Width::all();
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && !cfg!(target_feature = "avx2") {
        assert!(all.contains(&Width::Avx2), "{all:?}");
    }
    let mut gases = Vec::new();
    for width in all {
        vectors::choose(Some(width));
        assert_eq!(vectors::width(), width);
        assert_eq!(digest(rack_break(), 20.0), BREAK, "{width:?}");
        assert_eq!(digest(periodic_gas(), 5.0), PERIODIC_GAS, "{width:?}");
        assert_eq!(digest(rough_gas(), 20.0), ROUGH_GAS, "{width:?}");
        assert_eq!(digest(driven(), 10.0), DRIVEN, "{width:?}");
        assert_eq!(digest(falling(), 10.0), FALLING, "{width:?}");
        assert_eq!(digest(cradle(), 200.0), CRADLE, "{width:?}");
        gases.push([
            digest(lattice_gas::<Solid>(0.47), 2.0),
            digest(lattice_gas::<Solid>(0.3), 5.0),
            digest(lattice_gas::<Plane>(0.45), 5.0),
            digest(lattice_gas::<Plane>(0.25), 20.0),
        ]);
    }
    vectors::choose(None);
    assert!(gases.iter().all(|gas| *gas == gases[0]), "{gases:x?}");
}
