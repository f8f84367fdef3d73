//! How fast beside equal elastic balls? Mixed sizes, friction and spin, gravity with a floor, on one thread.
//!
//! ```text
//! cargo run --release -p carom --example mixtures                    10,000 and 100,000 balls
//! cargo run --release -p carom --example mixtures -- --balls 10000 --repeats 7
//! cargo run --release -p carom --example mixtures -- --balls 1000001 --repeats 3   sizes 1:100 in space
//! ```
//!
//! All rows of one number of balls and one dimension go on in turns, a batch each, and are compared by the medians of
//! their batches with the first of them: equal elastic balls at the same share of space. Large and small balls are of
//! one density and share the space alike, where there are enough of them for that: a sphere of 100 times the size
//! weighs as much as a million small ones. With fewer, there is one large sphere in a box twice as wide as it, and the
//! small ones are thin air around it; then a third row has equal balls that are as thin as those.

use carom::material::Material;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Compiled;
use carom::space::Linear;
use carom::space::Space;
use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;
use std::time::Instant;

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
        radius * libm::cos(TAU * self.uniform())
    }
}

/// Balls in a box: places and diameters.
struct Start<S: Space> {
    side: f64,
    balls: Vec<(S::Vector, f64)>,
}

fn ball_volume<S: Space>(diameter: f64) -> f64 {
    match S::DIMENSION {
        2 => PI / 4.0 * diameter * diameter,
        _ => PI / 6.0 * diameter * diameter * diameter,
    }
}

fn root<S: Space>(value: f64) -> f64 {
    match S::DIMENSION {
        2 => value.sqrt(),
        _ => libm::cbrt(value),
    }
}

/// The shortest way from one place to another in the box.
fn nearest<S: Space>(apart: S::Vector, side: f64) -> S::Vector {
    let apart = S::components(apart);
    S::vector(apart.map(|along| along - side * (along / side).round()))
}

impl<S: Compiled> Start<S> {
    /// `large` balls of a diameter, at random without touching, and `small` ones of diameter 1 on a lattice in the gaps
    /// between them, at random sites of it.
    fn new(side: f64, large: usize, diameter: f64, small: usize, random: &mut Random) -> Self {
        let mut balls: Vec<(S::Vector, f64)> = Vec::new();
        while balls.len() < large {
            let place = S::vector([0; 3].map(|_| side * random.uniform()));
            if balls
                .iter()
                .all(|&(other, _)| nearest::<S>(place - other, side).length() > 1.001 * diameter)
            {
                balls.push((place, diameter));
            }
        }
        let room = 0.5 * (diameter + 1.0) * 1.001;
        let mut rows = libm::ceil(root::<S>(small as f64)) as usize;
        loop {
            let spacing = side / rows as f64;
            assert!(spacing > 1.000_01, "too dense for a lattice");
            let depth = if S::DIMENSION == 3 { rows } else { 1 };
            let mut sites: Vec<S::Vector> = (0..rows * rows * depth)
                .map(|site| {
                    let cell = [site % rows, site / rows % rows, site / rows / rows];
                    S::vector(cell.map(|i| (i as f64 + 0.5) * spacing))
                })
                .filter(|&site| {
                    balls
                        .iter()
                        .all(|&(place, _)| nearest::<S>(site - place, side).length() > room)
                })
                .collect();
            if sites.len() < small {
                rows += 1;
                continue;
            }
            for chosen in 0..small {
                let other = chosen + (random.uniform() * (sites.len() - chosen) as f64) as usize;
                let last = sites.len() - 1;
                sites.swap(chosen, other.min(last));
                balls.push((sites[chosen], 1.0));
            }
            return Start { side, balls };
        }
    }

    /// Equal balls at a share of the space.
    fn equal(number: usize, share: f64, random: &mut Random) -> Self {
        let side = root::<S>(number as f64 * ball_volume::<S>(1.0) / share);
        Self::new(side, 0, 1.0, number, random)
    }

    /// As many large balls as take up the space of the small ones, or one, if the box would be too small for it.
    fn mixed(number: usize, diameter: f64, share: f64, random: &mut Random) -> Self {
        let ratio = ball_volume::<S>(diameter) / ball_volume::<S>(1.0);
        let large = ((number as f64 / (ratio + 1.0)).round() as usize).max(1);
        let volume = ball_volume::<S>(1.0) * (number - large) as f64
            + ball_volume::<S>(diameter) * large as f64;
        let side = root::<S>(volume / share).max(2.1 * diameter);
        Self::new(side, large, diameter, number - large, random)
    }

    fn share(&self) -> f64 {
        let volume: f64 = self
            .balls
            .iter()
            .map(|&(_, diameter)| ball_volume::<S>(diameter))
            .sum();
        volume / (0..S::DIMENSION).fold(1.0, |product, _| product * self.side)
    }

    /// With Maxwell's velocities at one temperature, `m v² = 1` along each axis for the small ones.
    fn world(&self, material: Material, random: &mut Random) -> World<S> {
        let mut world = World::<S>::new();
        world
            .set_periodic([Some(self.side); 3])
            .expect("a positive length");
        let stuff = world
            .materials
            .add("stuff", material)
            .expect("a good material");
        for &(place, diameter) in &self.balls {
            let mass = ball_volume::<S>(diameter) / ball_volume::<S>(1.0);
            let velocity = S::vector([0; 3].map(|_| random.normal())) * (1.0 / mass.sqrt());
            let ball = Body::ball(0.5 * diameter, mass, place, velocity);
            world
                .add(ball.expect("a positive radius").made_of(stuff))
                .expect("finite numbers");
        }
        world
    }
}

/// A run, and how long its batches took for each collision.
struct Row<S: Compiled> {
    name: &'static str,
    share: f64,
    run: Simulation<S>,
    batch: u64,
    each: Vec<f64>,
}

impl<S: Compiled> Row<S> {
    fn new(name: &'static str, share: f64, world: World<S>) -> Self {
        Row {
            name,
            share,
            run: Simulation::new(world).expect("nothing overlaps"),
            batch: 0,
            each: Vec::new(),
        }
    }

    /// Collides so many times, or for so many seconds; how many times it was.
    fn advance(&mut self, most: u64, seconds: f64) -> u64 {
        let clock = Instant::now();
        let mut done = 0;
        self.run
            .run_with(f64::MAX, |event| {
                done += u64::from(matches!(event, Event::Collision(_)));
                let late = done % 256 == 0 && clock.elapsed().as_secs_f64() > seconds;
                if done >= most || late {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .expect("it goes on");
        done
    }

    fn measure(&mut self, clock: Instant) {
        let before = seconds(clock);
        let done = self.advance(self.batch, f64::INFINITY);
        self.each.push((seconds(clock) - before) / done as f64);
    }
}

/// Seconds that this thread has run, where the system says so; otherwise seconds on the wall.
fn seconds(clock: Instant) -> f64 {
    // The system brings its books up to date when a thread gives way, otherwise every few milliseconds.
    std::thread::yield_now();
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| clock.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// Lets rows go on in turns, and prints what they took beside the first.
fn compare<S: Compiled>(mut rows: Vec<Row<S>>, number: usize, repeats: usize) {
    let clock = Instant::now();
    for row in &mut rows {
        // Away from the lattice, but not so long that slow rows hold up the rest or inelastic ones cool.
        row.advance(2 * number as u64, 3.0);
        // So many that the clock can tell: some hundredths of a second at least.
        row.batch = row.advance((number as u64 / 2).max(30_000), 1.0);
    }
    for _ in 0..repeats {
        for row in &mut rows {
            row.measure(clock);
        }
    }
    let mut equal = None;
    for row in &mut rows {
        row.each.sort_by(f64::total_cmp);
        let median = row.each[repeats / 2];
        let equal = *equal.get_or_insert(median);
        println!(
            "{}  {number:>7}  {:<42}  {:>6.3}  {:>8.0}  {:>8.0}  {:>6.2}",
            S::DIMENSION,
            row.name,
            row.share,
            1e-3 / median,
            1e9 * median,
            equal / median,
        );
    }
}

fn elastic() -> Material {
    Material::default()
}

/// Equal balls in space that fall on a floor, in a box that is periodic sideways and open above.
fn falling(number: usize, share: f64, random: &mut Random) -> World<Space3> {
    let start = Start::<Space3>::equal(number, share, random);
    let mut world = start.world(elastic(), random);
    world
        .set_periodic([Some(start.side), Some(start.side), None])
        .expect("a positive length");
    // kT/(m g) is half the box.
    world
        .set_gravity(DVec3::new(0.0, 0.0, -2.0 / start.side))
        .expect("finite numbers");
    let floor = HalfSpace::solid(DVec3::Z).expect("a direction");
    world
        .add(Body::fixed(Shape::HalfSpace(floor)))
        .expect("finite numbers");
    world
}

/// Longer than most: one row of the table after the other.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut values = [None; 2];
    for pair in arguments.chunks(2) {
        let known = ["--balls", "--repeats"]
            .iter()
            .position(|name| *name == pair[0]);
        let value = pair.get(1).and_then(|value| value.parse::<f64>().ok());
        match (known, value) {
            (Some(known), Some(value)) if value >= 1.0 => values[known] = Some(value as usize),
            _ => {
                eprintln!("usage: mixtures [--balls N] [--repeats K]");
                std::process::exit(2);
            }
        }
    }
    let repeats = values[1].unwrap_or(7);
    println!(
        "D        N  what                                         share   kcoll/s   ns/coll   ratio"
    );
    for number in values[0].map_or(vec![10_000, 100_000], |number| vec![number]) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let share = 0.3;
        let rough = Material {
            restitution: 0.9,
            static_friction: 0.3,
            kinetic_friction: 0.3,
            ..Material::default()
        };
        let equal = Start::<Space3>::equal(number, share, &mut random);
        let ten = Start::<Space3>::mixed(number, 10.0, share, &mut random);
        let hundred = Start::<Space3>::mixed(number, 100.0, share, &mut random);
        let thin = Start::<Space3>::equal(number, hundred.share(), &mut random);
        let row = |name, start: &Start<Space3>, stuff, random: &mut Random| {
            Row::new(name, start.share(), start.world(stuff, random))
        };
        let rows = vec![
            row("equal, elastic", &equal, elastic(), &mut random),
            row(
                "sizes 1:10, half the volume each",
                &ten,
                elastic(),
                &mut random,
            ),
            row(
                "equal, restitution 0.9, friction 0.3, spin",
                &equal,
                rough,
                &mut random,
            ),
            Row::new(
                "equal, gravity, floor",
                share,
                falling(number, share, &mut random),
            ),
        ];
        compare(rows, number, repeats);
        let small = ball_volume::<Space3>(1.0) * (number - 1) as f64;
        let dust = small / (hundred.side * hundred.side * hundred.side);
        let dust = Start::<Space3>::equal(number, dust, &mut random);
        let rows = vec![
            row("equal, elastic, as full", &thin, elastic(), &mut random),
            row("sizes 1:100, one large", &hundred, elastic(), &mut random),
            row(
                "equal, as thin as its small ones",
                &dust,
                elastic(),
                &mut random,
            ),
        ];
        compare(rows, number, repeats);
        let flat = Start::<Space2>::equal(number, share, &mut random);
        let ten = Start::<Space2>::mixed(number, 10.0, share, &mut random);
        let hundred = Start::<Space2>::mixed(number, 100.0, share, &mut random);
        let rows = [
            ("equal, elastic", flat),
            ("sizes 1:10, half the area each", ten),
            ("sizes 1:100, half the area each", hundred),
        ]
        .map(|(name, start)| Row::new(name, start.share(), start.world(elastic(), &mut random)));
        compare(Vec::from(rows), number, repeats);
    }
}
