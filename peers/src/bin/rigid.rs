//! Rigid bodies and heaps of balls: carom beside Rapier, parry and pooltool, the same start for both, in one run.
//!
//! ```text
//! cd peers && cargo run --release --bin rigid                        # every row
//! cd peers && cargo run --release --bin rigid -- pyramid capsules    # some
//! cd peers && cargo run --release --bin rigid -- --rounds 5 --limit 20 tumbling growth
//! cd peers && cargo run --release --bin rigid -- break --python /some/where/bin/python
//! ```
//!
//! Rows: `pyramid`, `tumbling`, `discs`, `poured`, `capsules`, `drum`, `666` (scenes beside Rapier), `break` (a
//! nine-ball break beside pooltool, if a Python that has it is given), `pairs` (first contact, contacts at an instant,
//! beside parry), `growth` (100, 1,000 and 10,000 discs poured; `discs-NUMBER` is one of them).
//!
//! For each scene and engine one line, of the round (of `--rounds`, 1 if not given, in turns) whose time is the median:
//! milliseconds of this thread for 1/60 s simulated (while anything is awake, and asleep), the time that the whole
//! took, the time simulated (less than the scene's where the processor time would exceed `--limit`, 60 s if not given),
//! when all slept, collisions, the deepest overlap at 60 looks a second, how the energy changed, the momentum across
//! gravity at the end, and how much memory a body takes at the most. Overlaps are found here, from places and
//! orientations alone, by separating axes and distances: neither engine is asked. Rapier steps at 1/60 s with its usual
//! settings. Each run has a process of its own, so that its memory is its own too.

#![forbid(unsafe_code)]

#[path = "rigid/break_shot.rs"]
mod break_shot;

#[path = "rigid/engines.rs"]
mod engines;

#[path = "rigid/outside.rs"]
mod outside;

#[path = "rigid/pairs.rs"]
mod pairs;

#[path = "rigid/scenes.rs"]
mod scenes;

use engines::{Carom, Engine, Rapier2, Rapier3};
use outside::deepest;
use scenes::{Scene, scene};
use std::process::Command;
use std::time::Instant;

const FRAME: f64 = 1.0 / 60.0;

/// Rows that are scenes for engines.
const SCENES: [&str; 7] = [
    "pyramid", "tumbling", "discs", "poured", "capsules", "drum", "666",
];

/// Of each pair of solids so many are checked.
const CHECKED: usize = 200;

/// Seconds that this thread has run, where the system says so; otherwise seconds on the wall.
fn seconds(clock: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| clock.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// The most memory that this process has had so far, bytes, where the system says so.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    number.map_or(f64::NAN, |kibibytes| 1024.0 * kibibytes)
}

/// Runs a scene; the time that it took (s), and its line of the table.
fn run<E: Engine>(scene: &Scene, name: &str, make: impl Fn(&Scene) -> E, limit: f64) -> String {
    let clock = Instant::now();
    let memory = peak();
    let mut engine = make(scene);
    let start = engine.energy(scene);
    let (mut awake, mut asleep) = ((0.0, 0_u32), (0.0, 0_u32));
    let mut deep: f64 = 0.0;
    let (mut slept, mut reached) = (None, 0.0);
    let frames = (scene.until / FRAME).round() as u32;
    for frame in 1..=frames {
        let before = seconds(clock);
        reached = f64::from(frame) * FRAME;
        engine.advance(reached);
        let took = seconds(clock) - before;
        let sum = if slept.is_some() {
            &mut asleep
        } else {
            &mut awake
        };
        *sum = (sum.0 + took, sum.1 + 1);
        deep = deep.max(deepest(scene, &engine.poses()));
        if slept.is_none() && engine.asleep() == scene.bodies.len() {
            slept = Some(reached);
        }
        if awake.0 + asleep.0 > limit {
            break;
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
    let drift = engine.drift();
    let up = scene.gravity.map(|g| g == 0.0);
    let across = [0, 1, 2].map(|k: usize| if up[k] { drift[k] } else { 0.0 });
    let across = across.iter().map(|v| v * v).sum::<f64>().sqrt() * scene.mass;
    let bytes = (peak() - memory) / scene.bodies.len() as f64;
    format!(
        "{} | {} | {name} | {} | {} | {:.2} | {reached:.2} | {slept} | {collisions} | {deep:.1e} | {:.1e} | {across:.1e} | {bytes:.0} |",
        awake.0 + asleep.0,
        scene.name,
        mean(awake),
        mean(asleep),
        awake.0 + asleep.0,
        (engine.energy(scene) - start) / start.abs(),
    )
}

/// One run, in a process of its own: `--one SCENE ENGINE LIMIT`.
fn one(name: &str, engine: &str, limit: f64) {
    use carom::prelude::{Space2, Space3};
    let scene = scene(name);
    let line = match (engine, scene.dimension) {
        ("carom", 2) => run(&scene, "carom", Carom::<Space2>::new, limit),
        ("carom", _) => run(&scene, "carom", Carom::<Space3>::new, limit),
        (_, 2) => run(&scene, "rapier2d-f64", Rapier2::new, limit),
        _ => run(&scene, "rapier3d-f64", Rapier3::new, limit),
    };
    println!("{line}");
}

/// Both engines in turns; prints the line of each whose time is the median.
fn show(name: &str, rounds: usize, limit: f64) {
    let own = std::env::current_exe().expect("this program is a file");
    let mut lines = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (engine, lines) in ["carom", "rapier"].into_iter().zip(&mut lines) {
            let arguments = ["--one", name, engine, &limit.to_string()];
            let output = Command::new(&own).args(arguments).output();
            let output = output.expect("this program runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            match text.split_once(" | ") {
                Some((time, line)) => {
                    let time: f64 = time.parse().unwrap_or(f64::INFINITY);
                    lines.push((time, line.trim().to_owned()));
                }
                None => println!(
                    "{name}, {engine}: {}",
                    String::from_utf8_lossy(&output.stderr)
                ),
            }
        }
    }
    for mut lines in lines {
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, line)) = lines.get(lines.len() / 2) {
            println!("| {line}");
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut rows, mut rounds, mut limit, mut python) = (Vec::new(), 1, 60.0, None);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--one" => {
                let (name, engine) = (next(), next());
                return one(&name, &engine, next().parse().unwrap_or(limit));
            }
            "--rounds" => rounds = next().parse().unwrap_or(rounds).max(1),
            "--limit" => limit = next().parse().unwrap_or(limit),
            "--python" => python = Some(next()),
            row => rows.push(row.to_owned()),
        }
    }
    let wanted = |row: &str| rows.is_empty() || rows.iter().any(|it| it == row);
    println!(
        "| scene | engine | ms awake | ms asleep | all (s) | simulated (s) | asleep at (s) | collisions | deepest overlap (m) | energy | momentum across | bytes a body |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let given = rows.iter().map(String::as_str);
    let numbered = given.filter(|row| row.starts_with("discs-"));
    let growth = ["discs-100", "discs-1000", "discs-10000"];
    let growth = growth.into_iter().filter(|_| wanted("growth"));
    let scenes = SCENES.into_iter().filter(|&row| wanted(row));
    for row in scenes.chain(numbered).chain(growth) {
        show(row, rounds, limit);
    }
    if wanted("break") {
        println!();
        break_shot::measure(python.as_deref());
    }
    if wanted("pairs") {
        println!();
        pairs::measure(CHECKED);
    }
}
