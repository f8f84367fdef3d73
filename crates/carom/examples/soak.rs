//! A long elastic run: does the energy drift, do balls overlap?
//!
//! ```text
//! cargo run --release -p carom --example soak -- --balls 1000 --collisions 1e8
//! ```
//!
//! Equal elastic spheres of diameter 1 m at volume fraction 0.3 in a periodic cube, from a lattice with random
//! velocities. The drift is the relative change of the kinetic energy, summed without rounding; that of the momentum is
//! relative to `Σ m|v|` at the start.
//!
//! The largest overlap is that of the audit, at any collision. It is compared with what rounding a place and a time
//! once explains, `u|x| + |v| ulp(t)`, where |x| is the larger distance of the two centres from the origin, |v| the
//! larger speed, and t what the run's clock shows ([`Exact::clock`]: it is set back now and then, so that times keep
//! their digits). The bound is evaluated at every collision, with the smaller of the ulps at the ends of the 1,000
//! collisions around it. Each collision rounds more than once, so that single ones may exceed their own bound; the
//! claim is that the largest overlap of the run is within the largest bound of the run. Both are shown.

use carom::prelude::*;
use carom::record::Collision;
use carom::simulate::Exact;
use carom::space::UNIT_ROUNDOFF;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

/// Collisions between two looks at the clock.
const STRETCH: u64 = 1000;

/// What was seen of overlaps.
#[derive(Default)]
struct Overlaps {
    /// m.
    largest_bound: f64,
    /// Overlap over its own bound.
    largest_ratio: f64,
    beyond: u64,
}

impl Overlaps {
    fn see(&mut self, collision: &Collision<Space3>, tick: f64, side: f64) {
        // The centre of the other ball is one diameter further along the normal, and may be on the other side of the
        // box.
        let place = collision.point + collision.normal * 0.5;
        let home = |place: DVec3| (place - (place / side).floor() * side).length();
        let far = home(place).max(home(place - collision.normal));
        let speed = |side: usize| {
            let before = collision.before[side].velocity;
            before
                .length_squared()
                .max(collision.after[side].velocity.length_squared())
        };
        let bound = UNIT_ROUNDOFF * far + speed(0).max(speed(1)).sqrt() * tick;
        self.largest_bound = self.largest_bound.max(bound);
        let ratio = -collision.gap / bound;
        self.largest_ratio = self.largest_ratio.max(ratio);
        self.beyond += u64::from(ratio > 1.0);
    }
}

fn start(number: usize) -> (World3, f64) {
    let side = libm::cbrt(number as f64 * std::f64::consts::PI / 6.0 / 0.3);
    let mut world = World3::new();
    world
        .set_periodic([Some(side); 3])
        .expect("a positive length");
    let rows = libm::ceil(libm::cbrt(number as f64)) as usize;
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = || {
        bits ^= bits >> 12;
        bits ^= bits << 25;
        bits ^= bits >> 27;
        (bits.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let velocities: Vec<DVec3> = (0..number)
        .map(|_| DVec3::new(uniform(), uniform(), uniform()) * 12.0_f64.sqrt())
        .collect();
    let mean = velocities.iter().sum::<DVec3>() / number as f64;
    for (ball, &velocity) in velocities.iter().enumerate() {
        let cell = [ball % rows, ball / rows % rows, ball / rows / rows];
        let place = cell.map(|i| (i as f64 + 0.5) * side / rows as f64);
        let ball = Body::ball(0.5, 1.0, DVec3::from_array(place), velocity - mean);
        world
            .add(ball.expect("a positive radius"))
            .expect("finite numbers");
    }
    (world, side)
}

/// Seconds that this thread has run, where the system says so; otherwise seconds on the wall.
fn seconds(clock: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| clock.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

fn ulp(x: f64) -> f64 {
    x.next_up() - x
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut values = [None; 2];
    for pair in arguments.chunks(2) {
        let known = ["--balls", "--collisions"]
            .iter()
            .position(|name| *name == pair[0]);
        let value = pair.get(1).and_then(|value| value.parse::<f64>().ok());
        match (known, value) {
            (Some(known), Some(value)) if value >= 1.0 => values[known] = Some(value),
            _ => {
                eprintln!("usage: soak [--balls N] [--collisions M]");
                std::process::exit(2);
            }
        }
    }
    let number = values[0].unwrap_or(1000.0) as usize;
    let collisions = values[1].unwrap_or(1e8) as u64;
    let (world, side) = start(number);
    let mut run = Exact::new(world).expect("nothing overlaps on a lattice");
    let carried: f64 = (0..number as u32)
        .map(|id| run.state(BodyId(id)).velocity.length())
        .sum();
    let clock = Instant::now();
    let terminal = std::io::stderr().is_terminal();
    let mut overlaps = Overlaps::default();
    while run.collisions() < collisions {
        let mut left = STRETCH.min(collisions - run.collisions());
        let mut pending = Vec::with_capacity(STRETCH as usize);
        let before = ulp(run.clock());
        run.run(f64::MAX, |collision| {
            pending.push(*collision);
            left -= 1;
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .expect("a gas goes on for ever");
        let tick = before.min(ulp(run.clock()));
        for collision in &pending {
            overlaps.see(collision, tick, side);
        }
        if terminal && run.collisions() % (1000 * STRETCH) == 0 {
            let share = 100.0 * run.collisions() as f64 / collisions as f64;
            eprint!("\r{share:5.1} %, {:.0} s", clock.elapsed().as_secs_f64());
            let _ = std::io::stderr().flush();
        }
    }
    if terminal {
        eprintln!("\r                    ");
    }
    let seconds = seconds(clock);
    let audit = run.audit();
    let drift =
        (audit.now.translational - audit.initial.translational) / audit.initial.translational;
    let momentum = (audit.momentum - audit.momentum_initial).length() / carried;
    println!("balls            {number}");
    println!("collisions       {}", run.collisions());
    println!("world time       {:.3} s", run.time());
    println!("energy drift     {drift:+.2e} relative");
    println!("momentum drift   {momentum:.2e} of what is carried");
    println!(
        "largest overlap  {:.3e} m, within {:.3e} m: {}",
        audit.deepest_overlap,
        overlaps.largest_bound,
        audit.deepest_overlap <= overlaps.largest_bound
    );
    println!(
        "one by one       at most {:.2} times the bound of its own collision; beyond it in {:.2e} of them",
        overlaps.largest_ratio,
        overlaps.beyond as f64 / collisions as f64
    );
    println!(
        "time             {seconds:.1} s of the processor, {:.0} collisions a second",
        collisions as f64 / seconds
    );
}
