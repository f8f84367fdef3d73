//! Discs in a box with walls: carom beside engines that step.
//!
//! ```text
//! cd peers && cargo run --release                                    # the whole table (some ten minutes)
//! cd peers && cargo run --release -- --balls 1000 --repeats 7
//! ```
//!
//! N elastic discs of radius 0.5 m at area fraction 0.3, v_rms = 1 m/s, the same start for all; steps of 1/60 s. After
//! 2 mean free times the next few are timed, by processor time of the one thread. Runs are interleaved and medians
//! given. Collisions of the engines that step are the contacts that they report as begun, counted in a run of its own
//! so that reporting does not cost them time; carom's are collisions. The energy change is that of the whole run with
//! the counts.

#![forbid(unsafe_code)]

mod engines;
mod start;

use engines::{Engine, STEP, box2d::Box2d, exact::Carom, rapier::Rapier};
use start::Start;
use std::time::Instant;

/// What is known of an engine at one number of discs.
struct Row {
    name: &'static str,
    collisions: u64,
    energy_change: f64,
    seconds: Vec<f64>,
}

/// How long to warm up and to measure, in steps.
struct Plan {
    warm: u64,
    timed: u64,
}

/// Seconds that this thread has run, where the system says so; otherwise seconds on the wall.
fn seconds(clock: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| clock.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

fn count<E: Engine>(name: &'static str, start: &Start, plan: &Plan) -> Row {
    let mut engine = E::new(start, true);
    let energy = engine.mean_square();
    engine.advance(plan.warm);
    let before = engine.collisions();
    engine.advance(plan.timed);
    Row {
        name,
        collisions: engine.collisions() - before,
        energy_change: engine.mean_square() / energy - 1.0,
        seconds: Vec::new(),
    }
}

fn time<E: Engine>(start: &Start, plan: &Plan, clock: Instant) -> f64 {
    let mut engine = E::new(start, false);
    engine.advance(plan.warm);
    let before = seconds(clock);
    engine.advance(plan.timed);
    seconds(clock) - before
}

fn measure(number: usize, repeats: usize, free_times: f64) {
    let clock = Instant::now();
    let start = Start::new(number);
    let steps = |free_times: f64| (free_times * start.mean_free_time() / STEP).ceil() as u64;
    let plan = Plan {
        warm: steps(2.0),
        timed: steps(free_times),
    };
    let mut rows = [
        count::<Carom>("carom", &start, &plan),
        count::<Rapier>("rapier2d-f64 0.36", &start, &plan),
        count::<Box2d>("Box2D 3.2 (boxdd 0.6)", &start, &plan),
    ];
    for _ in 0..repeats {
        rows[0].seconds.push(time::<Carom>(&start, &plan, clock));
        rows[1].seconds.push(time::<Rapier>(&start, &plan, clock));
        rows[2].seconds.push(time::<Box2d>(&start, &plan, clock));
    }
    let mut ours = 0.0;
    for row in &mut rows {
        row.seconds.sort_by(f64::total_cmp);
        let rate = row.collisions as f64 / row.seconds[repeats / 2];
        if row.name == "carom" {
            ours = rate;
        }
        println!(
            "{number:>7}  {:<22}  {:>10}  {:>12.3e}  {:>12.1}  {:>13.1e}",
            row.name,
            row.collisions,
            rate,
            ours / rate,
            row.energy_change,
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut values = [None; 3];
    for pair in arguments.chunks(2) {
        let known = ["--balls", "--repeats", "--free-times"]
            .iter()
            .position(|name| *name == pair[0]);
        let value = pair.get(1).and_then(|value| value.parse::<f64>().ok());
        let (Some(known), Some(value)) = (known, value) else {
            eprintln!("usage: peers [--balls N] [--repeats K] [--free-times T]");
            std::process::exit(2);
        };
        values[known] = Some(value);
    }
    let [balls, repeats, free_times] = values;
    println!(
        "      N  engine                  collisions  collisions/s  carom faster  energy change"
    );
    // About as long for each number of discs.
    let numbers = balls.map_or(vec![1_000, 10_000, 100_000], |balls| vec![balls as usize]);
    for number in numbers {
        let long = match number {
            0..=3_000 => 100.0,
            3_001..=30_000 => 15.0,
            _ => 2.0,
        };
        let repeats = repeats.unwrap_or(5.0).max(1.0) as usize;
        measure(number.max(1), repeats, free_times.unwrap_or(long));
    }
}
