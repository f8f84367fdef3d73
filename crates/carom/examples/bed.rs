//! A bed of spheres that settles under gravity in a box: the method of forces at its full speed.
//!
//! ```text
//! bed generate BALLS SIDE FILE         a start: spheres at rest, none overlapping, half of the volume (side in metres)
//! bed settle FILE --time 0.12          what there is to compare with other codes, every hundredth of a second
//! bed bench FILE --threads 2           million particle-steps per second, bytes a body
//! bed run FILE --by crowd              the same for a run that keeps record of every contact (crowd, or general)
//! bed impact                           one sphere that strikes the floor askew
//! ```
//!
//! Files have a header (number, side, height) and a row for each sphere (number, x, y, z, radius and, where it moves,
//! velocity and spin), in SI units. `--save FILE` writes the last state like this, `--lammps FILE` for LAMMPS
//! (`peers/lammps/`). `--threads 2`, `--books` as they say; of the bench `--warm 500`, `--steps 1000`, `--repeats 3`.

use carom::kernels::granular::{Granular, GranularBall, GranularFixture, Rule, Rules, Settings};
use carom::material::{Constants, Damping, Stiffness};
use carom::prelude::*;
use carom::simulate::{ForceEngine, Scheme};
use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

type Any<T> = Result<T, Box<dyn Error>>;

const DENSITY: f64 = 2500.0;
const RULE: Rule = Rule {
    stiffness: 1000.0,
    damping_per_mass: 4400.0,
    tangential_stiffness: 2.0 / 7.0,
    tangential_damping: 0.5,
    static_friction: 0.5,
    kinetic_friction: 0.5,
    stiffness_per_mass: 0.0,
    damping: 0.0,
    damping_ratio: 0.0,
    rolling: 0.0,
    spinning: 0.0,
};

fn main() -> Any<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["generate", balls, side, file] => generate(balls.parse()?, side.parse()?, file),
        ["settle", file, options @ ..] => settle(file, &Options::read(options)?),
        ["bench", file, options @ ..] => bench(file, &Options::read(options)?),
        ["run", file, "--by", runner, options @ ..] => {
            run(file, runner, &Options::read(options)?)
        }
        ["impact"] => impact(),
        _ => Err("bed generate BALLS SIDE FILE | settle FILE | bench FILE | run FILE --by crowd | impact (see the top of the source)".into()),
    }
}

struct Options {
    time: f64,
    warm: u64,
    steps: u64,
    repeats: usize,
    threads: usize,
    books: bool,
    save: Option<String>,
    lammps: Option<String>,
}

impl Options {
    fn read(words: &[&str]) -> Any<Self> {
        let mut options = Options {
            time: 0.12,
            warm: 500,
            steps: 1000,
            repeats: 3,
            threads: 0,
            books: false,
            save: None,
            lammps: None,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "--books" {
                options.books = true;
                continue;
            }
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            match word {
                "--time" => options.time = value.parse()?,
                "--warm" => options.warm = value.parse()?,
                "--steps" => options.steps = value.parse()?,
                "--repeats" => options.repeats = value.parse()?,
                "--threads" => options.threads = value.parse()?,
                "--save" => options.save = Some((*value).to_owned()),
                "--lammps" => options.lammps = Some((*value).to_owned()),
                _ => return Err(format!("{word} is not an option").into()),
            }
        }
        Ok(options)
    }
}

/// A start, or any other state: the side of the box and the spheres.
struct Bed {
    side: f64,
    grains: Vec<GranularBall<Space3>>,
}

fn read(file: &str) -> Any<Bed> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut lines = text.lines();
    let header = lines.next().ok_or("the file is empty")?;
    let side: f64 = header
        .split_whitespace()
        .nth(1)
        .ok_or("no side in the header")?
        .parse()?;
    let mut grains = Vec::new();
    for line in lines {
        let numbers: Vec<f64> = (line.split_whitespace())
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        let &[_, x, y, z, radius, ref moving @ ..] = numbers.as_slice() else {
            return Err(format!("a row has too few numbers: {line}").into());
        };
        let mut grain = sphere(DVec3::new(x, y, z), radius);
        if let &[u, v, w, p, q, r] = moving {
            grain.velocity = DVec3::new(u, v, w);
            grain.angular_velocity = DVec3::new(p, q, r);
        }
        grains.push(grain);
    }
    Ok(Bed { side, grains })
}

fn sphere(position: DVec3, radius: f64) -> GranularBall<Space3> {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    GranularBall::at_rest(radius, DENSITY * volume, position)
}

/// Floor first, then the four sides.
fn walls(side: f64) -> Any<Vec<GranularFixture<Space3>>> {
    let far = DVec3::new(side, side, 0.0);
    [
        (DVec3::Z, DVec3::ZERO),
        (DVec3::X, DVec3::ZERO),
        (DVec3::NEG_X, far),
        (DVec3::Y, DVec3::ZERO),
        (DVec3::NEG_Y, far),
    ]
    .into_iter()
    .map(|(normal, at)| {
        let wall = Shape::half_space(normal)?;
        Ok(GranularFixture::fixed(wall, Pose::at(at)))
    })
    .collect()
}

fn crowd(bed: &Bed, threads: usize, books: bool) -> Any<Granular<Space3>> {
    let settings = Settings {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        threads,
        books,
        ..Settings::stepping(5e-6)
    };
    let grains = bed.grains.iter().copied();
    Ok(Granular::new(
        grains,
        walls(bed.side)?,
        Rules::uniform(RULE),
        settings,
    )?)
}

fn settle(file: &str, options: &Options) -> Any<()> {
    let bed = read(file)?;
    let mut crowd = crowd(&bed, options.threads.max(1), options.books)?;
    let weight: f64 = bed.grains.iter().map(|grain| grain.mass * 9.81).sum();
    let most = (options.time / 5e-6).round() as u64;
    let begun = Instant::now();
    println!(
        "{:>7} {:>12} {:>10} {:>8} {:>8} {:>9} {:>7} {:>7} {:>10}",
        "t (s)",
        "kinetic (J)",
        "height (m)",
        "contacts",
        "filled",
        "overlap/d",
        "floor",
        "all",
        "books (J)"
    );
    let mut done = 0;
    while done < most {
        let steps = (most - done).min(2000);
        crowd.step(steps)?;
        done += steps;
        let grains = crowd.balls();
        let books = crowd.budget();
        let mean = grains.iter().map(|grain| grain.position.z).sum::<f64>() / grains.len() as f64;
        let floor = -crowd.load_on(0).z / weight;
        let all = (0..5).map(|wall| -crowd.load_on(wall).z).sum::<f64>() / weight;
        println!(
            "{:7.4} {:12.5e} {mean:10.7} {:8.4} {:8.4} {:9.5} {floor:7.4} {all:7.5} {:10.3e}",
            crowd.time(),
            books.translational,
            crowd.coordination(),
            filled(&grains, bed.side),
            crowd.deepest() / 2e-3,
            books.total()
        );
    }
    println!(
        "{:.2} s, {:.2} million particle-steps per second",
        begun.elapsed().as_secs_f64(),
        crowd.len() as f64 * most as f64 / begun.elapsed().as_secs_f64() / 1e6
    );
    save(&crowd, bed.side, options)?;
    write_lammps(&crowd, bed.side, options)
}

/// The part of the volume between 5 and 35 mm that is filled.
fn filled(grains: &[GranularBall<Space3>], side: f64) -> f64 {
    let below = |grain: &GranularBall<Space3>, plane: f64| {
        let r = grain.radius;
        let h = (plane - (grain.position.z - r)).clamp(0.0, 2.0 * r);
        std::f64::consts::PI * h * h * (3.0 * r - h) / 3.0
    };
    let volume: f64 = (grains.iter())
        .map(|grain| below(grain, 0.035) - below(grain, 0.005))
        .sum();
    volume / (side * side * 0.03)
}

fn bench(file: &str, options: &Options) -> Any<()> {
    let bed = read(file)?;
    let before = resident();
    let mut crowd = crowd(&bed, options.threads.max(1), options.books)?;
    crowd.step(options.warm)?;
    let mut rates = Vec::new();
    for _ in 0..options.repeats {
        let (begun, used) = (Instant::now(), processor_time());
        crowd.step(options.steps)?;
        let work = crowd.len() as f64 * options.steps as f64 / 1e6;
        rates.push((
            work / begun.elapsed().as_secs_f64(),
            work / (processor_time() - used),
        ));
    }
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = rates[rates.len() / 2];
    println!(
        "carom {} balls {} threads: million particle-steps per second: best {:.2}, median {:.2}; per second of processor time {:.2}; coordination {:.3}; {:.0} bytes a body",
        crowd.len(),
        crowd.threads(),
        rates[rates.len() - 1].0,
        median.0,
        median.1,
        crowd.coordination(),
        (peak() - before) / crowd.len() as f64
    );
    Ok(())
}

/// The same bed as a world, run with record of every contact. Threads are those of the program: `RAYON_NUM_THREADS`.
fn run(file: &str, runner: &str, options: &Options) -> Any<()> {
    let runner = (ForceEngine::ALL.into_iter())
        .find(|it| it.name() == runner)
        .ok_or("--by crowd, or --by general")?;
    let bed = read(file)?;
    let mut world = World3::new();
    let glass = Material {
        static_friction: RULE.static_friction,
        kinetic_friction: RULE.kinetic_friction,
        ..Material::default()
    };
    let glass = world.materials.add("glass", glass)?;
    // Two in series make the pair's.
    let constants = Constants {
        stiffness: Stiffness::Given(2.0 * RULE.stiffness),
        damping: Damping::PerMass(2.0 * RULE.damping_per_mass),
        tangential_stiffness: RULE.tangential_stiffness,
        tangential_damping: RULE.tangential_damping,
    };
    world.materials.set_constants(glass, constants)?;
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81))?;
    for wall in walls(bed.side)? {
        world.add(Body::fixed(wall.shape).pose(wall.pose).made_of(glass))?;
    }
    let number = bed.grains.len() as f64;
    for grain in &bed.grains {
        let ball = Body::free(Shape::ball(grain.radius)?)
            .mass(grain.mass)
            .at(grain.position)
            .velocity(grain.velocity)
            .angular_velocity(grain.angular_velocity);
        world.add(ball.material(glass))?;
    }
    drop(bed);
    let before = resident();
    let forces = Forces::stepping(5e-6).by(Scheme::Verlet).run_by(runner);
    let mut run = Simulation::with(world, forces)?;
    let made = |run: &Simulation3| run.stepping().map_or(0, |stepping| stepping.steps);
    let mut rates = Vec::new();
    let mut until = options.warm as f64 * 5e-6;
    run.run_until(until)?;
    for _ in 0..options.repeats {
        let (begun, used, steps) = (Instant::now(), processor_time(), made(&run));
        until += options.steps as f64 * 5e-6;
        run.run_until(until)?;
        let work = number * (made(&run) - steps) as f64 / 1e6;
        rates.push((
            work / begun.elapsed().as_secs_f64(),
            work / (processor_time() - used),
        ));
    }
    rates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = rates[rates.len() / 2];
    let stepping = run.stepping().ok_or("it is by forces")?;
    println!(
        "{number} balls, {} on {} threads: million particle-steps per second: best {:.2}, median {:.2}; per second of processor time {:.2}; {} contacts ended; {:.0} bytes a body",
        stepping.engine.name(),
        stepping.threads,
        rates[rates.len() - 1].0,
        median.0,
        median.1,
        run.collisions(),
        (peak() - before) / number
    );
    Ok(())
}

fn save(crowd: &Granular<Space3>, side: f64, options: &Options) -> Any<()> {
    let Some(file) = &options.save else {
        return Ok(());
    };
    let mut text = format!("{} {side} 0.06\n", crowd.len());
    for (index, grain) in crowd.balls().iter().enumerate() {
        let (p, v, w) = (grain.position, grain.velocity, grain.angular_velocity);
        write!(
            text,
            "{} {} {} {} {}",
            index + 1,
            p.x,
            p.y,
            p.z,
            grain.radius
        )?;
        writeln!(text, " {} {} {} {} {} {}", v.x, v.y, v.z, w.x, w.y, w.z)?;
    }
    Ok(std::fs::write(file, text)?)
}

/// For LAMMPS' `read_data`, atom style sphere.
fn write_lammps(crowd: &Granular<Space3>, side: f64, options: &Options) -> Any<()> {
    let Some(file) = &options.lammps else {
        return Ok(());
    };
    let grains = crowd.balls();
    let mut text = format!(
        "bed\n\n{} atoms\n1 atom types\n\n0 {side} xlo xhi\n0 {side} ylo yhi\n0 0.06 zlo zhi\n\nAtoms\n\n",
        grains.len()
    );
    for (index, grain) in grains.iter().enumerate() {
        let p = grain.position;
        writeln!(
            text,
            "{} 1 {} {DENSITY} {} {} {}",
            index + 1,
            2.0 * grain.radius,
            p.x,
            p.y,
            p.z
        )?;
    }
    text += "\nVelocities\n\n";
    for (index, grain) in grains.iter().enumerate() {
        let (v, w) = (grain.velocity, grain.angular_velocity);
        writeln!(
            text,
            "{} {} {} {} {} {} {}",
            index + 1,
            v.x,
            v.y,
            v.z,
            w.x,
            w.y,
            w.z
        )?;
    }
    Ok(std::fs::write(file, text)?)
}

fn impact() -> Any<()> {
    let grain = GranularBall {
        velocity: DVec3::new(0.05, 0.0, -0.1),
        ..sphere(DVec3::new(0.005, 0.005, 0.001001), 0.001)
    };
    let floor = vec![walls(0.01)?.swap_remove(0)];
    let mut crowd = Granular::new(
        [grain],
        floor,
        Rules::uniform(RULE),
        Settings::stepping(1e-6),
    )?;
    crowd.step(1000)?;
    let after = crowd.balls()[0];
    println!(
        "vx {:.7} vz {:.7} spin about y {:.4}",
        after.velocity.x, after.velocity.z, after.angular_velocity.y
    );
    Ok(())
}

/// Spheres of radius 0.9 to 1.1 mm at random in a box, pushed apart until none overlap.
fn generate(balls: usize, side: f64, file: &str) -> Any<()> {
    let mut state = 12345_u64;
    let mut random = move || {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let radii: Vec<f64> = (0..balls).map(|_| 0.9e-3 + 0.2e-3 * random()).collect();
    let volume: f64 = radii
        .iter()
        .map(|r| 4.0 / 3.0 * std::f64::consts::PI * r * r * r)
        .sum();
    let height = volume / 0.5 / (side * side);
    let size = DVec3::new(side, side, height);
    let mut places: Vec<DVec3> = (radii.iter())
        .map(|&r| DVec3::splat(r) + (size - 2.0 * r) * DVec3::new(random(), random(), random()))
        .collect();
    for round in 0.. {
        let deepest = push_apart(&mut places, &radii, size);
        if deepest < 3.5e-6 {
            println!("{balls} spheres in {side} x {side} x {height} m after {round} rounds");
            break;
        }
        if round == 20_000 {
            return Err("they do not come apart".into());
        }
    }
    let mut text = format!("{balls} {side} {height:.9e}\n");
    for (index, (place, radius)) in places.iter().zip(&radii).enumerate() {
        writeln!(
            text,
            "{} {:.9e} {:.9e} {:.9e} {radius:.9e}",
            index + 1,
            place.x,
            place.y,
            place.z
        )?;
    }
    Ok(std::fs::write(file, text)?)
}

/// One round: pairs that overlap (by a hair more than they do) move apart; how deep the deepest overlap was, m.
fn push_apart(places: &mut [DVec3], radii: &[f64], size: DVec3) -> f64 {
    let cell = 2.25e-3;
    let count = (size / cell).floor().max(DVec3::ONE);
    let at = |place: DVec3| {
        (place / size * count)
            .floor()
            .clamp(DVec3::ZERO, count - 1.0)
    };
    let index = |at: DVec3| ((at.z * count.y + at.y) * count.x + at.x) as usize;
    let mut members = vec![Vec::new(); (count.x * count.y * count.z) as usize];
    for (ball, &place) in places.iter().enumerate() {
        members[index(at(place))].push(ball);
    }
    let mut shifts = vec![DVec3::ZERO; places.len()];
    let mut deepest = 0.0_f64;
    for ball in 0..places.len() {
        let here = at(places[ball]);
        for step in 0..27 {
            let step =
                DVec3::new((step % 3) as f64, (step / 3 % 3) as f64, (step / 9) as f64) - 1.0;
            let there = here + step;
            if there.cmplt(DVec3::ZERO).any() || there.cmpge(count).any() {
                continue;
            }
            for &other in &members[index(there)] {
                let apart = places[ball] - places[other];
                let reach = 1.002 * (radii[ball] + radii[other]);
                let distance = apart.length();
                if other != ball && distance < reach {
                    let overlap = reach - distance;
                    deepest = deepest.max(overlap);
                    shifts[ball] += apart * (0.35 * overlap / (distance + 1e-12));
                }
            }
        }
    }
    for ((place, shift), r) in places.iter_mut().zip(shifts).zip(radii) {
        let room = DVec3::splat(1.001 * r);
        *place = (*place + shift).clamp(room, size - room);
    }
    deepest
}

fn status(key: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(key));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
}

/// Bytes in memory now; zero where the system does not say.
fn resident() -> f64 {
    status("VmRSS")
}

/// The most there ever were.
fn peak() -> f64 {
    status("VmHWM")
}

/// Of all threads, s.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |at: usize| {
        fields
            .get(at)
            .and_then(|field| field.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / 100.0
}
