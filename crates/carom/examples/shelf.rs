//! What does one ball at rest cost all the others? Collisions per second of discs that fly about in a box under
//! gravity, with and without one more disc that lies on a shelf in a corner of the box.
//!
//! ```text
//! cargo run --release --example shelf -- [discs] [collisions]
//! ```

use carom::prelude::*;
use std::time::Instant;

/// Of a disc, m.
const RADIUS: f64 = 0.5;

fn world(discs: u32, resting: bool) -> Result<World2, SimulationError> {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -1.0))?;
    let elastic = Material {
        restitution: 1.0,
        ..Material::default()
    };
    let dull = Material {
        restitution: 0.0,
        ..Material::default()
    };
    let elastic = world.materials.add("elastic", elastic)?;
    let dull = world.materials.add("dull", dull)?;
    let row = f64::from(discs).sqrt().ceil();
    let (width, pitch) = (4.0 * RADIUS * row, 4.0 * RADIUS);
    // The shelf has a corner of the box to itself.
    let corner = 4.0;
    let width = width + corner;
    for (normal, place) in [
        (DVec2::X, 0.0),
        (DVec2::Y, 0.0),
        (-DVec2::X, width),
        (-DVec2::Y, width),
    ] {
        let wall = Shape::half_space(normal)?;
        world.add(Body::fixed(wall).at(DVec2::splat(place)).material(elastic))?;
    }
    let fence = [
        DVec2::new(corner, 0.0),
        DVec2::splat(corner),
        DVec2::new(0.0, corner),
    ];
    for ends in fence.windows(2) {
        world.add(Body::fixed(Shape::segment(ends[0], ends[1])?).material(elastic))?;
    }
    let mut angle = 0.0_f64;
    for index in 0..discs {
        angle += 2.399_963;
        let place = DVec2::new(
            f64::from(index) % row + 0.5,
            (f64::from(index) / row).floor() + 0.5,
        ) * pitch
            + corner;
        let velocity = 10.0 * DVec2::from_angle(angle);
        world.add(
            Body::free(Shape::ball(RADIUS)?)
                .mass(1.0)
                .at(place)
                .velocity(velocity)
                .material(elastic),
        )?;
    }
    let shelf = DVec2::new(0.5, 1.0);
    world.add(Body::fixed(Shape::segment(shelf, shelf + DVec2::new(3.0, 0.0))?).material(dull))?;
    if resting {
        let place = shelf + DVec2::new(1.5, RADIUS);
        world.add(
            Body::free(Shape::ball(RADIUS)?)
                .mass(1.0)
                .at(place)
                .material(dull),
        )?;
    }
    Ok(world)
}

fn main() -> Result<(), SimulationError> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse::<u64>().ok());
    let discs = numbers.next().unwrap_or(10_000) as u32;
    let collisions = numbers.next().unwrap_or(400_000);
    let mut runs = [false, true].map(|resting| {
        let world = world(discs, resting).expect("a world of discs that do not overlap");
        Simulation::new(world).expect("the same")
    });
    let mut rates = [const { Vec::new() }; 2];
    for lap in 1..=10 {
        for (run, rates) in runs.iter_mut().zip(&mut rates) {
            let start = Instant::now();
            run.run_until(Until::time(1e9).or_collisions(lap * collisions / 10))?;
            rates.push(collisions as f64 / 10.0 / start.elapsed().as_secs_f64());
        }
    }
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let [without, with] = rates.each_mut().map(median);
    println!("{discs} discs, thousand collisions a second (median of 10 laps, in turn)");
    println!("all in flight          {:.0}", without / 1e3);
    println!("and one on a shelf     {:.0}", with / 1e3);
    println!("ratio                  {:.3}", with / without);
    let last = *runs[1].bodies().last().expect("the one on the shelf");
    println!(
        "its speed at the end   {} m/s",
        runs[1].state(last).velocity.length()
    );
    Ok(())
}
