//! `carom bench`: how fast does it run here?

use crate::arguments::Bench;
use crate::bar::Waiting;
use crate::output::{Failure, Output};
use crate::scene;
use carom::body::Body;
use carom::record::Event;
use carom::simulate::{Compiled, Method, Simulation, SimulationError};
use carom::space::{Space2, Space3};
use carom::world::World;
use carom_data::DataSpace;
use carom_scene::{AnyPlan, AnyWorld, Plan};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// Collisions that each ball has before the clock starts: enough to forget the lattice.
const WARM_UP: u64 = 10;
/// Collisions of a gas that are timed by default.
const COLLISIONS: u64 = 1_000_000;

/// What was found: the format `carom-bench`, version 1.
#[derive(Debug, Serialize)]
struct Figures {
    format: &'static str,
    version: u32,
    /// What was run.
    what: String,
    bodies: usize,
    /// Of each repetition.
    collisions: u64,
    repetitions: usize,
    /// Of the repetition in the middle.
    collisions_per_s: f64,
    ns_per_collision: f64,
    /// Of the fastest and the slowest.
    fastest_ns: f64,
    slowest_ns: f64,
    /// The most memory that the process had, MiB; `null` where the system does not say.
    peak_memory_mib: Option<f64>,
    /// The same each time.
    digest: String,
}

/// One repetition.
struct Lap {
    seconds: f64,
    collisions: u64,
    digest: u64,
}

/// `carom bench`.
pub fn bench(options: &Bench) -> Result<(), Failure> {
    let wait = Waiting::new("measuring", false);
    let figures = match &options.scene {
        Some(path) => {
            let loaded = scene::load_path(path, Vec::new(), Instant::now())?;
            loaded.tell_notes();
            let (until, title) = (loaded.scene.run.until, loaded.scene.title);
            let plan = &loaded.scene.plan;
            match loaded.scene.world {
                AnyWorld::Two(world) => of_scene(options, title, until, &world, plan),
                AnyWorld::Three(world) => of_scene(options, title, until, &world, plan),
            }
        }
        None if options.dimension == 2 => of_gas::<Space2>(options),
        None => of_gas::<Space3>(options),
    };
    drop(wait);
    let figures = figures?;
    let mut output = Output::standard();
    if options.json {
        output.json(&figures)?
    } else {
        print(&figures, &mut output)?
    }
    output.finish()
}

fn print(figures: &Figures, output: &mut Output) -> Result<(), Failure> {
    let memory = match figures.peak_memory_mib {
        Some(memory) => format!("{memory:.0} MiB at most"),
        None => "not known here".to_owned(),
    };
    let rows = [
        ("bodies", figures.bodies.to_string()),
        (
            "collisions",
            format!("{}, {} times", figures.collisions, figures.repetitions),
        ),
        (
            "speed",
            format!("{:.0} collisions per second", figures.collisions_per_s),
        ),
        (
            "collision",
            format!(
                "{:.1} ns (fastest {:.1}, slowest {:.1})",
                figures.ns_per_collision, figures.fastest_ns, figures.slowest_ns
            ),
        ),
        ("memory", memory),
        ("digest", figures.digest.clone()),
    ];
    output.line(format_args!("{}", figures.what))?;
    for (name, text) in rows {
        output.line(format_args!("  {name:<11}{text}"))?;
    }
    Ok(())
}

fn of_scene<S: DataSpace>(
    options: &Bench,
    title: String,
    until: f64,
    world: &World<S>,
    plan: &AnyPlan,
) -> Result<Figures, Failure> {
    let nothing = Plan::default();
    let plan = S::plan_of(plan).unwrap_or(&nothing);
    let mut laps = Vec::new();
    for _ in 0..options.repeat {
        // What one thread of a person's patience pays: from the world to the last collision.
        let start = Instant::now();
        let run = plan.simulation(world.clone(), Method::default());
        let mut run = run.map_err(|error| Failure::BadInput(format!("error: {error}\n")))?;
        laps.push(lap(&mut run, until, options.collisions, start)?);
    }
    figures(title, world.bodies().len(), laps)
}

fn of_gas<S: DataSpace>(options: &Bench) -> Result<Figures, Failure> {
    let world = gas::<S>(options)?;
    let bodies = world.bodies().len();
    let mut warm = Simulation::new(world).map_err(|error| refused(&error))?;
    lap(
        &mut warm,
        f64::MAX,
        Some(WARM_UP * bodies as u64 / 2),
        Instant::now(),
    )?;
    let mut laps = Vec::new();
    for repetition in 1..=options.repeat {
        let collisions = options.collisions.unwrap_or(COLLISIONS);
        if repetition == options.repeat {
            // So that a single repetition of a large gas needs the memory of one.
            laps.push(lap(&mut warm, f64::MAX, Some(collisions), Instant::now())?);
            break;
        }
        let mut run = warm.clone();
        laps.push(lap(&mut run, f64::MAX, Some(collisions), Instant::now())?);
    }
    let what = format!(
        "An elastic gas of {bodies} balls in {}-D with volume fraction {}",
        S::DIMENSION,
        options.fraction
    );
    figures(what, bodies, laps)
}

fn refused(error: &SimulationError) -> Failure {
    let lines: Vec<String> = (error.complaints())
        .iter()
        .take(100)
        .map(|e| format!("error: {e}\n"))
        .collect();
    Failure::BadInput(lines.concat())
}

fn lap<S: Compiled>(
    run: &mut Simulation<S>,
    until: f64,
    collisions: Option<u64>,
    start: Instant,
) -> Result<Lap, Failure> {
    let before = run.collisions();
    let last = collisions.map(|collisions| before + collisions);
    let end = run.run_with(until, |event| match (event, last) {
        (Event::Collision(collision), Some(last)) if collision.number >= last => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    let seconds = start.elapsed().as_secs_f64();
    end.map_err(|error| Failure::Run(error.to_string()))?;
    Ok(Lap {
        seconds,
        collisions: run.collisions() - before,
        digest: run.digest(),
    })
}

fn figures(what: String, bodies: usize, laps: Vec<Lap>) -> Result<Figures, Failure> {
    let (digest, collisions) = (laps[0].digest, laps[0].collisions);
    if laps.iter().any(|lap| lap.digest != digest) {
        return Err(Failure::Run(
            "two repetitions are not the same to the bit".to_owned(),
        ));
    }
    if collisions == 0 {
        return Err(Failure::Run(
            "nothing collides, so there is nothing to time".to_owned(),
        ));
    }
    let mut ns: Vec<f64> = laps
        .iter()
        .map(|lap| 1e9 * lap.seconds / collisions as f64)
        .collect();
    ns.sort_by(f64::total_cmp);
    let middle = ns[ns.len() / 2];
    Ok(Figures {
        format: "carom-bench",
        version: 1,
        what,
        bodies,
        collisions,
        repetitions: laps.len(),
        collisions_per_s: 1e9 / middle,
        ns_per_collision: middle,
        fastest_ns: ns[0],
        slowest_ns: ns[ns.len() - 1],
        peak_memory_mib: peak_memory_mib(),
        digest: format!("{digest:016x}"),
    })
}

/// Balls of radius ½ on a square (cubic) lattice in a periodic box, with random velocities. As many as fill the
/// lattice: at least those asked for.
fn gas<S: DataSpace>(options: &Bench) -> Result<World<S>, Failure> {
    let dimension = S::DIMENSION as u32;
    let mut along = 1_u64;
    while along.pow(dimension) < u64::from(options.balls) {
        along += 1;
    }
    // A ball of radius ½ takes up π/4 or π/6.
    let ball = std::f64::consts::PI / (2.0 * S::DIMENSION as f64);
    let volume = ball / options.fraction;
    let spacing = match S::DIMENSION {
        2 => volume.sqrt(),
        _ => libm::cbrt(volume),
    };
    let mut world = World::<S>::new();
    let wrong = |error: &dyn std::fmt::Display| Failure::BadInput(format!("error: {error}\n"));
    let side = along as f64 * spacing;
    world
        .set_periodic([0, 1, 2].map(|axis| (axis < S::DIMENSION).then_some(side)))
        .map_err(|error| wrong(&error))?;
    let mut random = Random(options.seed.wrapping_mul(2).wrapping_add(1));
    for number in 0..along.pow(dimension) {
        let place = [1, along, along * along].map(|step| number / step % along);
        // Off the lattice by chance: nothing about a gas happens at one instant.
        let mut along_axis = |cell: u64| {
            let astray = 0.3 * (spacing - 1.0) * (2.0 * random.uniform() - 1.0);
            (cell as f64 + 0.5) * spacing + astray
        };
        let place = S::vector(place.map(&mut along_axis));
        let velocity = S::vector([0; 3].map(|_| 2.0 * random.uniform() - 1.0));
        let ball = Body::ball(0.5, 1.0, place, velocity).map_err(|error| wrong(&error))?;
        world.add(ball).map_err(|error| wrong(&error))?;
    }
    Ok(world)
}

struct Random(u64);

impl Random {
    /// From 0 to 1 (xorshift64*).
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }
}

/// As Linux counts it.
fn peak_memory_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
