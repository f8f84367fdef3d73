//! Box2D's pyramid of base 20 settling: milliseconds per simulated 1/60 s, carom beside rapier2d-f64, in the same run.
//!
//! 210 boxes of 1 m, 0.1 m apart sideways, each row 5 cm above the one below; restitution 0, friction 0.6. Rapier steps
//! at 1/60 s with its usual settings. `pyramid ROUNDS STEPS` lets carom's solver go over the contacts at most so many
//! times in half a step, and take so many steps a second, in place of 500 and 240. What is shown for each half second
//! is the mean time that 1/60 s took, how high the top box is above its place, and how many bodies sleep.

use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::Settling;
use rapier2d_f64::prelude as rapier;
use std::time::Instant;

const BASE: u32 = 20;

fn places() -> Vec<[f64; 2]> {
    let row = |row: u32| {
        (0..BASE - row).map(move |k| {
            let x = 1.1 * (f64::from(k) + 0.5 * f64::from(row));
            [x, 0.55 + 1.05 * f64::from(row)]
        })
    };
    (0..BASE).flat_map(row).collect()
}

fn ours(settling: &Settling) -> Result<Simulation2, Box<dyn std::error::Error>> {
    let mut world = World2::new();
    let rough = Material {
        restitution: 0.0,
        static_friction: 0.6,
        kinetic_friction: 0.6,
        ..Material::default()
    };
    world.materials.add("default", rough)?;
    world.set_gravity(DVec2::new(0.0, -9.81))?;
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y)?);
    world.add(Body::fixed(floor))?;
    for place in places() {
        let shape = Shape::Block(Block::new(DVec2::splat(0.5))?);
        let pose = Pose::at(DVec2::from_array(place));
        world.add(Body::solid(shape, 1.0, pose, DVec2::ZERO, 0.0)?)?;
    }
    Ok(Simulation::with(world, *settling)?)
}

fn theirs() -> (rapier::PhysicsWorld, rapier::RigidBodyHandle) {
    let mut world = rapier::PhysicsWorld::new();
    world.gravity = rapier::Vector::new(0.0, -9.81);
    world.integration_parameters.dt = 1.0 / 60.0;
    let surface = |collider: rapier::ColliderBuilder| collider.restitution(0.0).friction(0.6);
    world.insert(
        rapier::RigidBodyBuilder::fixed().translation(rapier::Vector::new(10.0, -1.0)),
        surface(rapier::ColliderBuilder::cuboid(100.0, 1.0)),
    );
    let mut last = None;
    for [x, y] in places() {
        let body = rapier::RigidBodyBuilder::dynamic().translation(rapier::Vector::new(x, y));
        last = Some(
            world
                .insert(body, surface(rapier::ColliderBuilder::cuboid(0.5, 0.5)))
                .0,
        );
    }
    (world, last.expect("there are boxes"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<u32> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let mut settling = Settling::default();
    if let &[rounds, steps] = given.as_slice() {
        settling.iterations = rounds;
        settling.step = 1.0 / f64::from(steps);
    }
    let mut ours = ours(&settling)?;
    let (mut theirs, top) = theirs();
    let our_top = *ours.bodies().last().expect("there are boxes");
    println!("time (s) | carom (ms) | top (mm) | asleep | rapier (ms) | top (mm)");
    for half in 1..=20_u32 {
        let start = Instant::now();
        ours.run_until(f64::from(half) * 0.5)?;
        let our_time = start.elapsed().as_secs_f64() * 1e3 / 30.0;
        let start = Instant::now();
        (0..30).for_each(|_| theirs.step());
        let their_time = start.elapsed().as_secs_f64() * 1e3 / 30.0;
        let above = |y: f64| (y - (f64::from(BASE) - 0.5)) * 1e3;
        let their_top = theirs.bodies[top].translation().y;
        println!(
            "{:8.1} | {our_time:10.3} | {:8.3} | {:6} | {their_time:11.3} | {:8.3}",
            f64::from(half) * 0.5,
            above(ours.state(our_top).position.y),
            ours.resting(),
            above(their_top),
        );
    }
    Ok(())
}
