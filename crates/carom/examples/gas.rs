//! How fast is it? Collisions per second of elastic gases in periodic boxes, on one thread, with everything that a run
//! always does: the audit, the digest, any radii, masses and materials.
//!
//! ```text
//! cargo run --release --example gas                      the whole table
//! cargo run --release --example gas -- --dimension 3 --balls 10000 --fraction 0.49 --collisions 1000000
//! cargo run --release --example gas -- --dimension 3 --balls 10000 --fraction 0.49 --write start.txt
//! ```
//!
//! With `--write` the start of a row is only written to a file, for other programs: the number of balls, the sides of
//! the box, and for each ball a letter, its place and its radius.
//!
//! The start is a fluid: random places, pushed apart until nothing overlaps, then run for 50 collisions a ball. A large
//! box is made of copies of a small one, with new velocities, and runs on until the copies have forgotten each other.
//!
//! Z is the compressibility from the impulses, `1 + Σ d·J / (D N kT t)`, beside that of Carnahan and Starling for
//! spheres and of Henderson for discs; a crystal would show as a lower Z. Bytes a body are those that the process holds
//! when the run goes on, less those before the world was made.

use carom::prelude::*;
use carom::simulate::Compiled;
use carom::space::Linear;
use carom::space::Space;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

/// Diameter of a ball, m.
const DIAMETER: f64 = 1.0;

struct Random(u64);

impl Random {
    /// From 0 to 1, never 0 (xorshift64*).
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Of mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }
}

/// Places of the centres in a cube (square).
#[derive(Clone)]
struct Start<S: Space> {
    places: Vec<S::Vector>,
    side: f64,
}

/// The share of space that `number` balls take up in a box of side one.
fn share_of_unit_box<S: Space>(number: usize) -> f64 {
    use std::f64::consts::PI;
    let number = number as f64;
    match S::DIMENSION {
        2 => number * PI / 4.0 * DIAMETER * DIAMETER,
        _ => number * PI / 6.0 * DIAMETER * DIAMETER * DIAMETER,
    }
}

fn root<S: Space>(value: f64) -> f64 {
    match S::DIMENSION {
        2 => value.sqrt(),
        _ => libm::cbrt(value),
    }
}

/// The side of a box in which `number` balls take up a share of the space.
fn side_for<S: Space>(number: usize, fraction: f64) -> f64 {
    root::<S>(share_of_unit_box::<S>(number) / fraction)
}

impl<S: Compiled> Start<S> {
    /// At random, then pushed apart until nothing overlaps: far from any crystal, and quick well below random close
    /// packing.
    fn amorphous(number: usize, fraction: f64, random: &mut Random) -> Self {
        let side = side_for::<S>(number, fraction);
        let mut places: Vec<S::Vector> = (0..number)
            .map(|_| S::vector([0; 3].map(|_| side * random.uniform())))
            .collect();
        let distance = DIAMETER * (1.0 + 1e-4);
        loop {
            let balls: Vec<_> = (0..)
                .zip(&places)
                .map(|(id, &place)| carom::kernels::broad::SizedBall::<S> {
                    id,
                    place,
                    radius: 0.5 * distance,
                })
                .collect();
            let mut pairs = Vec::new();
            carom::kernels::broad::touching_pairs(&balls, [side; 3], |a, b, apart| {
                if apart < DIAMETER * (1.0 + 1e-6) {
                    pairs.push((a.id as usize, b.id as usize));
                }
            });
            if pairs.is_empty() {
                return Start { places, side };
            }
            for (a, b) in pairs {
                let apart = S::components(places[a] - places[b]);
                let apart = S::vector(apart.map(|along| along - side * (along / side).round()));
                let missing = distance - apart.length();
                if let (true, Some(direction)) = (missing > 0.0, apart.unit()) {
                    for (ball, sign) in [(a, 0.5), (b, -0.5)] {
                        let place = S::components(places[ball] + direction * (sign * missing));
                        places[ball] = S::vector(place.map(|along| along.rem_euclid(side)));
                    }
                }
            }
        }
    }

    fn world(&self, random: &mut Random) -> World<S> {
        let mut world = World::<S>::new();
        world
            .set_periodic([Some(self.side); 3])
            .expect("a positive length");
        let velocities: Vec<S::Vector> = self
            .places
            .iter()
            .map(|_| S::vector([0; 3].map(|_| random.normal())))
            .collect();
        let mean = velocities
            .iter()
            .fold(S::Vector::ZERO, |sum, &velocity| sum + velocity)
            * (1.0 / velocities.len() as f64);
        for (&place, &velocity) in self.places.iter().zip(&velocities) {
            let ball = Body::ball(0.5 * DIAMETER, 1.0, place, velocity - mean);
            world
                .add(ball.expect("a positive radius"))
                .expect("finite numbers");
        }
        world
    }

    /// Lets the balls collide so many times each, on average.
    fn stirred(&self, collisions_each: usize, random: &mut Random) -> Self {
        let mut run = Simulation::new(self.world(random)).expect("nothing overlaps");
        let number = (self.places.len() * collisions_each / 2).max(1);
        run.run_until(Until::time(1e300).or_collisions(number as u64))
            .expect("a gas goes on for ever");
        let places = (0..self.places.len() as u32)
            .map(|id| {
                let place = S::components(run.state(BodyId(id)).position);
                // A place beyond the side by rounding belongs to the other side.
                S::vector(place.map(|along| along.rem_euclid(self.side)))
            })
            .collect();
        Start {
            places,
            side: self.side,
        }
    }

    /// A fluid of that density.
    fn fluid(number: usize, fraction: f64, random: &mut Random) -> Self {
        Self::amorphous(number, fraction, random).stirred(50, random)
    }

    /// Copies side by side.
    fn repeated(&self, copies: usize) -> Self {
        let number = copies.pow(S::DIMENSION as u32);
        let mut places = Vec::with_capacity(self.places.len() * number);
        for copy in 0..number {
            let digits = [
                copy % copies,
                copy / copies % copies,
                copy / copies / copies,
            ];
            let shift = S::vector(digits.map(|digit| digit as f64 * self.side));
            places.extend(self.places.iter().map(|&place| place + shift));
        }
        Start {
            places,
            side: self.side * copies as f64,
        }
    }
}

/// What the literature says Z is.
fn expected<S: Compiled>(fraction: f64) -> f64 {
    let eta = fraction;
    match S::DIMENSION {
        2 => (1.0 + eta * eta / 8.0) / ((1.0 - eta) * (1.0 - eta)),
        _ => (1.0 + eta + eta * eta - eta * eta * eta) / ((1.0 - eta) * (1.0 - eta) * (1.0 - eta)),
    }
}

/// Bytes that the process holds, where the system says so.
fn resident() -> Option<f64> {
    let pages: f64 = std::fs::read_to_string("/proc/self/statm")
        .ok()?
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()?;
    Some(pages * 4096.0)
}

/// Seconds that this thread has run, where the system says so, so that other programs on the machine count less;
/// otherwise seconds on the wall.
fn seconds(start: Instant) -> f64 {
    // The system brings its books up to date when a thread gives way, otherwise every few milliseconds.
    std::thread::yield_now();
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(
            || start.elapsed().as_secs_f64(),
            |nanoseconds| 1e-9 * nanoseconds,
        )
}

/// A fluid, and of how many copies it is made along each side: a box of up to 16,000 is made as it is, a larger one of
/// copies.
fn start<S: Compiled>(number: usize, fraction: f64, random: &mut Random) -> (Start<S>, usize) {
    let mut copies = 1;
    while number / copies_of::<S>(copies) > 16_000 {
        copies += 1;
    }
    let small = Start::<S>::fluid(number / copies_of::<S>(copies), fraction, random);
    (small.repeated(copies), copies)
}

/// Writes a start for other programs.
fn write<S: Compiled>(number: usize, fraction: f64, path: &str) -> std::io::Result<()> {
    let (start, _) = start::<S>(number, fraction, &mut Random(SEED));
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let side = start.side;
    writeln!(file, "{}\n{side:?} {side:?} {side:?}", start.places.len())?;
    for &place in &start.places {
        let [x, y, z] = S::components(place);
        writeln!(file, "a {x:?} {y:?} {z:?} {:?}", 0.5 * DIAMETER)?;
    }
    file.flush()
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

fn measure<S: Compiled>(number: usize, fraction: f64, collisions: u64, repeats: usize) {
    let mut random = Random(SEED);
    let (start, copies) = start::<S>(number, fraction, &mut random);
    let number = start.places.len();
    let before = resident();
    let clock = Instant::now();
    let mut run = Simulation::new(start.world(&mut random)).expect("nothing overlaps");
    let setup = clock.elapsed().as_secs_f64();
    // The copies forget each other, and the caches fill.
    advance(
        &mut run,
        if copies > 1 {
            10 * number as u64
        } else {
            number as u64
        },
    );
    let bytes = resident()
        .zip(before)
        .map(|(now, before)| (now - before) / number as f64);
    let (mut best, mut all) = (f64::INFINITY, Vec::new());
    let (from, counted) = (run.time(), run.collisions());
    let mut virial = 0.0;
    for _ in 0..repeats {
        let before = seconds(clock);
        virial += advance(&mut run, collisions);
        let each = (seconds(clock) - before) / collisions as f64;
        best = best.min(each);
        all.push(each);
    }
    all.sort_by(f64::total_cmp);
    let median = all[repeats / 2];
    let audit = run.audit();
    let translational = 2.0 * audit.now.translational;
    let z = 1.0 + virial / (translational * (run.time() - from));
    let drift = (audit.now.total() - audit.initial.total()) / audit.initial.total();
    debug_assert!(run.collisions() > counted);
    println!(
        "{}  {number:>8}  {fraction:<5}  {:>8.0}  {:>8.0}  {:>7.0}  {:>6}  {z:>7.3}  {:>7.3}  {drift:>9.1e}  {:>9.1e}  {setup:>6.2}",
        S::DIMENSION,
        1e-3 / best,
        1e-3 / median,
        1e9 * best,
        bytes.map_or("?".to_owned(), |bytes| format!("{bytes:.0}")),
        expected::<S>(fraction),
        audit.deepest_overlap,
    );
}

fn copies_of<S: Compiled>(copies: usize) -> usize {
    copies.pow(S::DIMENSION as u32)
}

/// Runs for a number of collisions; returns the sum of `d·J` over them.
fn advance<S: Compiled>(run: &mut Simulation<S>, collisions: u64) -> f64 {
    let (mut left, mut virial) = (collisions, 0.0);
    run.run_with(1e300, |event| {
        let Event::Collision(collision) = event else {
            return ControlFlow::Continue(());
        };
        // Equal balls at contact: d is one diameter along the normal.
        virial += DIAMETER * collision.normal.dot(collision.impulse);
        left -= 1;
        match left {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    })
    .expect("a gas goes on for ever");
    virial
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut values = [None; 5];
    const NAMES: [&str; 5] = [
        "--dimension",
        "--balls",
        "--fraction",
        "--collisions",
        "--repeats",
    ];
    let mut path = None;
    for pair in arguments.chunks(2) {
        if let [name, file] = pair
            && name == "--write"
        {
            path = Some(file.clone());
            continue;
        }
        let known = NAMES.iter().position(|name| *name == pair[0]);
        let value = pair.get(1).and_then(|value| value.parse::<f64>().ok());
        let (Some(known), Some(value)) = (known, value) else {
            eprintln!(
                "usage: gas [--dimension 2|3] [--balls N] [--fraction F] [--collisions M] [--repeats K] [--write FILE]"
            );
            std::process::exit(2);
        };
        values[known] = Some(value);
    }
    let [dimension, balls, fraction, collisions, repeats] = values;
    let repeats = repeats.unwrap_or(5.0) as usize;
    if let Some(path) = path {
        let (number, share) = (balls.unwrap_or(1e3) as usize, fraction.unwrap_or(0.3));
        let written = match dimension {
            Some(2.0) => write::<Space2>(number, share, &path),
            _ => write::<Space3>(number, share, &path),
        };
        if let Err(error) = written {
            eprintln!("cannot write {path}: {error}");
            std::process::exit(1);
        }
        return;
    }
    println!(
        "D         N  share   kcoll/s    median  ns/coll  B/body        Z  literat.      drift    overlap  setup s"
    );
    for d in [3, 2] {
        if dimension.is_some_and(|wanted| wanted != f64::from(d)) {
            continue;
        }
        for n in [1e3, 1e4, 1e5, 1e6] {
            if balls.is_some() && n > 1e3 {
                continue;
            }
            let number = balls.unwrap_or(n) as usize;
            let collisions = collisions.map_or(500_000.max(number as u64), |count| count as u64);
            let shares = if d == 3 {
                [0.1, 0.3, 0.49]
            } else {
                [0.3, 0.6, 0.69]
            };
            for share in shares {
                if fraction.is_some() && share != shares[0] {
                    continue;
                }
                let share = fraction.unwrap_or(share);
                match d {
                    2 => measure::<Space2>(number, share, collisions, repeats),
                    _ => measure::<Space3>(number, share, collisions, repeats),
                }
            }
        }
    }
}
