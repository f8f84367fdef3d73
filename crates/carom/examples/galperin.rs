//! Galperin's billiard: π from collisions.
//!
//! ```text
//! cargo run --release -p carom --example galperin -- 8
//! ```
//!
//! A wall, a ball of mass 1 at rest, a ball of mass 100ᵏ coming in, all elastic, on a line: they collide as often as
//! the first k + 1 digits of π say (G. Galperin, "Playing pool with π", Regular and Chaotic Dynamics 8 (2003) 375).
//! Beside the count stand the final velocities and how near the heavy ball came to the wall, against their closed
//! forms.

use carom::prelude::*;
use std::ops::ControlFlow;
use std::time::Instant;

#[path = "../tests/engine/billiard.rs"]
mod billiard;
use billiard::Billiard;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let powers: Vec<u32> = arguments.iter().filter_map(|k| k.parse().ok()).collect();
    if powers.len() != arguments.len() || powers.is_empty() || powers.iter().any(|&k| k > 8) {
        eprintln!(
            "usage: galperin K…, with K from 0 to 8: beyond that f64 does not hold the digits"
        );
        std::process::exit(2);
    }
    println!(
        "k  collisions  should be       v light (rel. off)        V heavy (rel. off)     nearest − radii (rel. off)  Mcoll/s"
    );
    for power in powers {
        let billiard = Billiard::new(power);
        let mut run = Simulation::new(billiard.world()).expect("the balls are apart");
        let start = Instant::now();
        let mut nearest = f64::INFINITY;
        let end = run.run_with(billiard.end(), |event| {
            if let Event::Collision(collision) = event {
                nearest = nearest.min(billiard.heavy_place(collision));
            }
            ControlFlow::Continue(())
        });
        let seconds = start.elapsed().as_secs_f64();
        if let Err(error) = end {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        let [light, heavy] = [1, 2].map(|id| run.state(BodyId(id)).velocity.x);
        let off = |value: f64, truth: f64| (value - truth).abs() / truth.abs();
        let (light_truth, heavy_truth) = billiard.final_velocities();
        println!(
            "{power} {:11} {:10} {light:19.16} ({:.1e}) {heavy:19.16} ({:.1e}) {nearest:19.12e} ({:.1e}) {:8.2}",
            run.collisions(),
            billiard.collisions(),
            off(light, light_truth),
            off(heavy, heavy_truth),
            off(nearest, billiard.nearest()),
            run.collisions() as f64 / seconds / 1e6,
        );
    }
}
