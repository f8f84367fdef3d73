//! Balls with drag in a box: pieces of way and collisions a second; and what gravity alone costs beside a free gas.
//!
//! ```text
//! cargo run --release -p carom --example drag [NUMBER [TOLERANCE]]
//! ```

use carom::motion::{Drag, Field, Fields, Integrator, Tolerance};
use carom::prelude::*;
use std::time::Instant;

/// Equal elastic balls in a box with walls, at a share of the volume of 0.1, off their lattice.
fn gas(number: usize) -> Result<World3, Box<dyn std::error::Error>> {
    let radius = 0.01;
    let side = (1..).find(|side| side * side * side >= number).unwrap_or(1);
    let pitch = radius * (4.0 / 3.0 * std::f64::consts::PI / 0.1_f64).cbrt();
    let length = pitch * side as f64;
    let mut world = World3::new();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for (normal, at) in [(axis, 0.0), (-axis, length)] {
            let wall = Shape::half_space(normal)?;
            world.add(Body::fixed(wall).at(axis * at))?;
        }
    }
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for index in 0..number {
        let cell = [index % side, index / side % side, index / side / side];
        let shake = 0.9 * (pitch - 2.0 * radius);
        let place = cell.map(|along| (along as f64 + 0.5) * pitch + shake * random());
        let velocity = DVec3::new(random(), random(), random()) * 4.0;
        world.add(
            Body::free(Shape::ball(radius)?)
                .mass(0.01)
                .at(place.into())
                .velocity(velocity),
        )?;
    }
    Ok(world)
}

/// Collisions a second and seconds of a run of so many collisions, after a tenth of them.
fn timed(world: World3, collisions: u64) -> Result<(f64, Simulation3, u64), SimulationError> {
    let mut run = Simulation::new(world)?;
    run.run_until(Until::time(1e9).or_collisions(collisions / 10))?;
    let (start, before) = (Instant::now(), run.segments());
    run.run_until(Until::time(1e9).or_collisions(collisions))?;
    let made = run.segments() - before;
    Ok((start.elapsed().as_secs_f64(), run, made))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let number: usize = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let tolerance: f64 = arguments.next().map_or(Ok(1e-9), |text| text.parse())?;
    let collisions = 20 * number as u64;
    let mut free_rates = Vec::new();
    let mut falling_rates = Vec::new();
    for _ in 0..5 {
        let (free, _, _) = timed(gas(number)?, collisions)?;
        let mut world = gas(number)?;
        world.set_gravity(DVec3::new(0.0, 0.0, -9.81))?;
        let (falling, _, _) = timed(world, collisions)?;
        free_rates.push(free);
        falling_rates.push(falling);
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2] / collisions as f64 * 1e9
    };
    let (free, falling) = (median(&mut free_rates), median(&mut falling_rates));
    println!(
        "{number} balls: {free:.0} ns a collision free, {falling:.0} ns in gravity ({:.2} times)",
        falling / free
    );
    let mut world = gas(number)?;
    let fields = Fields::uniform(DVec3::new(0.0, 0.0, -9.81)).with(Field::Drag(Drag::AIR));
    world.set_fields(fields)?;
    world.set_integrator(Integrator::Adaptive(Tolerance::of(tolerance)))?;
    let (seconds, run, made) = timed(world, collisions)?;
    println!(
        "with drag, tolerance {tolerance:e}: {:.0} thousand pieces and {:.0} thousand collisions a second; energy imbalance {:.1e} of the whole",
        made as f64 / seconds / 1e3,
        collisions as f64 / seconds / 1e3,
        run.audit().energy_residual / run.audit().initial.total(),
    );
    Ok(())
}
