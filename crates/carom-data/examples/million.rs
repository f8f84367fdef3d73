//! How fast do states stream to disk, and in how much memory? A million balls, a hundred frames, unless told otherwise.
//!
//! ```text
//! cargo run --release -p carom-data --example million -- FOLDER [BALLS [FRAMES]]
//! ```
//!
//! The balls are a dilute elastic gas in a periodic cube, on a lattice at first; between two frames one in a hundred
//! collides or so. The folder must not be there, and stays. Peak memory is what Linux says of the process.

use carom::prelude::*;
use carom_data::{Classes, Ended, Output, Progress, Recorder, SceneText, Schedule};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two lattice points, m. The balls have a diameter of 1 m.
const SPACING: f64 = 1.3;
/// Between two frames, s.
const INTERVAL: f64 = 0.02;

/// From −1 to 1 (xorshift64*).
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    let bits = state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
    2.0 * (bits as f64 / (1_u64 << 53) as f64) - 1.0
}

fn gas(balls: u64) -> Result<World3, Box<dyn std::error::Error>> {
    let along = (1..).find(|&n: &u64| n * n * n >= balls).unwrap_or(1);
    let mut world = World3::new();
    world.set_periodic([Some(along as f64 * SPACING); 3])?;
    let mut random = 1;
    for number in 0..balls {
        let cell = [1, along, along * along].map(|step| (number / step % along) as f64 + 0.5);
        let velocity = [0; 3].map(|_| uniform(&mut random));
        // Off the lattice by chance: nothing about a gas happens at one instant.
        let astray = [0; 3].map(|_| 0.3 * (SPACING - 1.0) * uniform(&mut random));
        let place = DVec3::from_array(cell) * SPACING + DVec3::from_array(astray);
        world.add(Body::ball(0.5, 1.0, place, DVec3::from_array(velocity))?)?;
    }
    Ok(world)
}

/// The most memory that the process has had, MiB.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let balls: u64 = arguments
        .next()
        .map_or(Ok(1_000_000), |text| text.parse())?;
    let frames: u64 = arguments.next().map_or(Ok(100), |text| text.parse())?;

    let world = gas(balls)?;
    let mut run = Simulation::new(world.clone())?;
    let started = peak_memory();
    let schedule = Schedule {
        until: INTERVAL * frames as f64,
        max_collisions: None,
        rest: None,
        output: Output::Every(INTERVAL),
        events: true,
        observe: None,
    };
    let text = SceneText {
        given: "a gas from the example `million`".to_owned(),
        text: String::new(),
        overrides: Vec::new(),
        title: "A dilute gas".to_owned(),
        seed: 1,
        keys: None,
        warnings: Vec::new(),
        tables: Vec::new(),
    };
    let start = Instant::now();
    let mut recorder = Recorder::create(&folder, false, &text, schedule, &world, &[], &run)?;
    let mut progress = Progress::new(&schedule, &world);
    let classes = Classes::new(&world);
    let ended = carom_data::run(
        &mut run,
        &schedule,
        &classes,
        &mut progress,
        Some(&mut recorder),
        Duration::from_secs(10),
        &mut (),
    )?;
    assert_eq!(ended, Ended::Time);
    let streamed = start.elapsed().as_secs_f64();
    recorder.finish(&run, &progress, &"an example has no summary")?;
    let whole = start.elapsed().as_secs_f64();

    let size = |name: &str| -> Result<f64, std::io::Error> {
        Ok(std::fs::metadata(Path::new(&folder).join(name))?.len() as f64 / 1e6)
    };
    // As they are in memory: 16 numbers a row.
    let raw = 8.0 * 16.0 * (balls * (frames + 1)) as f64 / 1e6;
    println!(
        "{balls} balls, {} frames, {} collisions",
        frames + 1,
        run.collisions()
    );
    println!(
        "frames.parquet {:.0} MB of {raw:.0} MB in memory, events.parquet {:.0} MB",
        size("frames.parquet")?,
        size("events.parquet")?
    );
    println!(
        "run and streamed in {streamed:.1} s: {:.0} MB/s of frames, {:.0} MB/s to the disk",
        raw / streamed,
        size("frames.parquet")? / streamed
    );
    println!("joined {:.1} s later", whole - streamed);
    if let (Some(started), Some(peak)) = (started, peak_memory()) {
        println!("memory {started:.0} MiB before the first frame, {peak:.0} MiB at most");
    }
    Ok(())
}
