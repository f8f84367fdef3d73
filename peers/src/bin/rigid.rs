//! Rigid bodies that keep touching, and that do not: carom beside Rapier, the same start for both, in one run.
//!
//! ```text
//! cd peers && cargo run --release --bin rigid                        # all of them
//! cd peers && cargo run --release --bin rigid -- pyramid capsules
//! ```
//!
//! For each scene and engine one line: milliseconds of this thread for 1/60 s simulated (while anything is awake, and
//! asleep), the time that the whole took, when all slept, collisions, the deepest overlap at 60 looks a second, and how
//! the energy changed. Overlaps are found here, from places and orientations alone, by separating axes and distances of
//! segments: neither engine is asked. Rapier steps at 1/60 s with its usual settings.

#![forbid(unsafe_code)]

#[path = "rigid/scenes.rs"]
mod scenes;

#[path = "rigid/outside.rs"]
mod outside;

#[path = "rigid/engines.rs"]
mod engines;

use engines::{Carom, Engine, Rapier2, Rapier3};
use outside::deepest;
use scenes::{Scene, scene};
use std::time::Instant;

const FRAME: f64 = 1.0 / 60.0;

/// Seconds that this thread has run, where the system says so; otherwise seconds on the wall.
fn seconds(clock: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| clock.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

fn show(scene: &Scene, name: &str, mut engine: impl Engine) {
    let clock = Instant::now();
    let start = engine.energy(scene);
    let (mut awake, mut asleep) = ((0.0, 0_u32), (0.0, 0_u32));
    let mut deep: f64 = 0.0;
    let mut slept = None;
    let frames = (scene.until / FRAME).round() as u32;
    for frame in 1..=frames {
        let before = seconds(clock);
        engine.advance(f64::from(frame) * FRAME);
        let took = seconds(clock) - before;
        let sum = if slept.is_some() {
            &mut asleep
        } else {
            &mut awake
        };
        *sum = (sum.0 + took, sum.1 + 1);
        deep = deep.max(deepest(scene, &engine.poses()));
        if slept.is_none() && engine.asleep() == scene.bodies.len() {
            slept = Some(f64::from(frame) * FRAME);
        }
    }
    let mean = |(time, frames): (f64, u32)| match frames {
        0 => "–".to_owned(),
        _ => format!("{:.4}", 1e3 * time / f64::from(frames)),
    };
    let slept = slept.map_or("–".to_owned(), |time| format!("{time:.2}"));
    let collisions = engine.collisions().map_or("–".to_owned(), |number| {
        format!(
            "{number} ({:.3e} a second)",
            number as f64 / (awake.0 + asleep.0)
        )
    });
    println!(
        "| {} | {name} | {} | {} | {:.2} | {slept} | {collisions} | {deep:.1e} | {:.1e} |",
        scene.name,
        mean(awake),
        mean(asleep),
        awake.0 + asleep.0,
        (engine.energy(scene) - start) / start.abs(),
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| scene | engine | ms awake | ms asleep | all (s) | asleep at (s) | collisions | deepest overlap (m) | energy |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in ["pyramid", "tumbling", "poured", "capsules"] {
        if !wanted.is_empty() && !wanted.iter().any(|it| it == name) {
            continue;
        }
        let scene = scene(name);
        if scene.dimension == 2 {
            show(
                &scene,
                "carom",
                Carom::<carom::prelude::Space2>::new(&scene),
            );
            show(&scene, "rapier2d-f64", Rapier2::new(&scene));
        } else {
            show(
                &scene,
                "carom",
                Carom::<carom::prelude::Space3>::new(&scene),
            );
            show(&scene, "rapier3d-f64", Rapier3::new(&scene));
        }
    }
}
