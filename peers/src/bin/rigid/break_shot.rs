//! A nine-ball break until all balls rest, beside pooltool.

use carom_stock::billiards::{Balls, CueStrike, Rack, Shot, Table};
use std::process::Command;
use std::time::Instant;

const SHOTS: u64 = 300;

/// What `peers/pooltool/break.py` measured elsewhere with pooltool 0.6.0, for where it cannot be run: its best.
const POOLTOOL: &str =
    "pooltool 0.6.0: not run here (no --python); 55 ms a break at best elsewhere";

/// Milliseconds a break at 8 m/s on a table of nine feet takes, on the wall: median, mean and fastest.
pub fn measure(python: Option<&str>) {
    let (table, balls) = (Table::nine_foot(), Balls::pool());
    let strike = CueStrike::new(8.0, std::f64::consts::FRAC_PI_2);
    let (mut times, mut events) = (Vec::new(), 0);
    for seed in 0..SHOTS {
        let rack = Rack::nine_ball(&table, &balls, 1e-3, seed).expect("the balls fit");
        let shot = Shot {
            table,
            balls,
            rack,
            strike,
        };
        let start = Instant::now();
        let outcome = shot.play().expect("it comes to rest");
        times.push(1e3 * start.elapsed().as_secs_f64());
        events += outcome.events.len();
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "nine-ball break, carom: {:.3} ms by the median, {mean:.3} by the mean, {:.3} the fastest of {SHOTS}; {:.0} events a break",
        times[times.len() / 2],
        times[0],
        events as f64 / SHOTS as f64,
    );
    let Some(python) = python else {
        println!("{POOLTOOL}");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/pooltool/break.py");
    match Command::new(python).args([script, "30", "8", "9"]).output() {
        Ok(output) if output.status.success() => {
            print!("{}", String::from_utf8_lossy(&output.stdout));
        }
        Ok(output) => println!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("{python}: {error}"),
    }
}
