//! A game of pinball in words: what the director did, and the books at the end.
//!
//! `cargo run --release -p carom-stock --example pinball -- [seconds]`

use carom::prelude::*;
use carom_stock::Pinball;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 60.0,
    };
    let mut game = Pinball::default().table()?;
    let names: Vec<String> = (game.bodies().into_iter())
        .map(|id| game.name(id).to_owned())
        .collect();
    let name = |id: BodyId| names.get(id.0 as usize).map_or("ball", |name| name);
    let mut hits: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    let end = game.run_with(seconds, |event| {
        if let Event::Collision(collision) = event {
            *hits.entry(name(collision.b).to_owned()).or_default() += 1;
        }
        ControlFlow::Continue(())
    })?;
    for entry in game.log() {
        println!("{:9.4} s  {}", entry.time, entry.what);
    }
    println!("\ncollisions:");
    for (name, number) in hits {
        println!("{number:9}  {name}");
    }
    let audit = game.audit();
    println!(
        "\n{end:?} after {:.3} s: {} points, {} balls lost, {} collisions",
        game.time(),
        game.score("points"),
        game.score("lost"),
        game.collisions()
    );
    println!(
        "energy given {:.6} J, put in by bumpers {:.6} J, by flippers and plunger {:.6} J, lost {:.6} J; imbalance {:e} J",
        audit.given,
        audit.losses.with_fixtures.energy_added,
        audit.work_by_kinematic,
        audit.lost_in_collisions,
        audit.energy_residual
    );
    Ok(())
}
