//! Nine-ball breaks until all balls rest, in shots per second on one thread.
//!
//! `cargo run --release -p carom-stock --example billiards -- [shots] [speed of the cue, m/s] [table: 9 or 7]`

use carom_stock::billiards::{Balls, CueStrike, Happening, Rack, Shot, Table};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let shots: u64 = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let speed: f64 = arguments.next().map_or(Ok(8.0), |text| text.parse())?;
    let table = match arguments.next().as_deref() {
        Some("7") => Table::seven_foot(),
        _ => Table::nine_foot(),
    };
    let balls = Balls::pool();
    let strike = CueStrike::new(speed, std::f64::consts::FRAC_PI_2);
    // What of the shots is counted: all, collisions of balls, with cushions, with the cloth, transitions, pocketed.
    let mut counts = [0_usize; 6];
    let mut digest = 0_u64;
    let mut moving = 0.0;
    let mut most = 0;
    let mut worst: f64 = 0.0;
    let mut times = Vec::new();
    for seed in 0..shots {
        let rack = Rack::nine_ball(&table, &balls, 1e-3, seed)?;
        let shot = Shot {
            table,
            balls,
            rack,
            strike,
        };
        let start = Instant::now();
        let outcome = shot.play()?;
        times.push(start.elapsed().as_secs_f64());
        for event in &outcome.events {
            counts[0] += 1;
            counts[match event {
                Happening::Balls { .. } => 1,
                Happening::Cushion { .. } => 2,
                Happening::Cloth { .. } => 3,
                Happening::Transition { .. } => 4,
                Happening::Pocketed { .. } => 5,
            }] += 1;
        }
        most = most.max(outcome.events.len());
        moving += outcome.duration;
        worst =
            worst.max(outcome.audit.energy_residual.abs() / outcome.audit.initial.translational);
        digest = digest.rotate_left(1) ^ outcome.digest;
    }
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let each = |count: usize| count as f64 / shots as f64;
    println!(
        "{shots} breaks at {speed} m/s on a table of {} m",
        table.length
    );
    println!(
        "{:.1} events a shot (at most {most}): {:.1} between balls, {:.1} at cushions, {:.1} on the cloth, {:.1} transitions, {:.2} pocketed",
        each(counts[0]),
        each(counts[1]),
        each(counts[2]),
        each(counts[3]),
        each(counts[4]),
        each(counts[5])
    );
    println!(
        "{:.2} s until all rest; energy unaccounted for {worst:.1e} at most",
        moving / shots as f64
    );
    println!(
        "{:.1} µs a shot (median {:.1}, fastest {:.1}), {:.0} shots/s, {:.2} µs an event by the median",
        1e6 * total / shots as f64,
        1e6 * times[times.len() / 2],
        1e6 * times[0],
        shots as f64 / total,
        1e6 * times[times.len() / 2] / each(counts[0])
    );
    println!("digest {digest:016x}");
    Ok(())
}
