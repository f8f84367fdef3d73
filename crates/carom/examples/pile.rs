//! Discs poured into a box: how the energy goes, until all of them rest.
//!
//! ```text
//! cargo run --release -p carom --example pile [NUMBER [FRICTION]]
//! ```

use carom::material::Material;
use carom::prelude::*;
use carom::shape::Shape;
use carom::simulate::{End, Until};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let number: usize = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let friction: f64 = arguments.next().map_or(Ok(0.3), |text| text.parse())?;
    let mut world = World2::new();
    let material = Material {
        restitution: 0.5,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    world.materials.add("default", material)?;
    world.set_gravity(DVec2::new(0.0, -9.81))?;
    for (normal, x) in [(DVec2::Y, 0.0), (DVec2::X, 0.0), (-DVec2::X, 2.0)] {
        let wall = Shape::half_space(normal)?;
        world.add(Body::fixed(wall).at(DVec2::new(x, 0.0)))?;
    }
    let mut seed = 0x1234_5678_9abc_def1_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for index in 0..number {
        let (column, row) = (index % 15, index / 15);
        let radius = 0.04 + 0.02 * random();
        let shake = 0.005 * (random() - 0.5);
        let place = DVec2::new(0.1 + 0.128 * column as f64 + shake, 0.1 + 0.13 * row as f64);
        let velocity = DVec2::new(random() - 0.5, random() - 0.5);
        world.add(
            Body::free(Shape::ball(radius)?)
                .mass(radius * radius)
                .at(place)
                .velocity(velocity),
        )?;
    }
    let mut exact = Simulation::new(world)?;
    let start = Instant::now();
    println!("  time s   collisions   at rest   kinetic J   wall s");
    for step in 1.. {
        let until = Until::time(0.1 * f64::from(step)).or_rest(0.0);
        let end = exact.run_until(until)?;
        let audit = exact.audit();
        println!(
            "{:8.3} {:12} {:9} {:11.3e} {:8.2}",
            exact.time(),
            exact.collisions(),
            exact.resting(),
            audit.now.translational + audit.now.rotational,
            start.elapsed().as_secs_f64()
        );
        if end == End::Rest || step == 600 {
            println!(
                "{:?}\nimbalance {:e} J",
                audit.losses, audit.energy_residual
            );
            break;
        }
    }
    Ok(())
}
