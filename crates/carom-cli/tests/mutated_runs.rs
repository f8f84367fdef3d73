//! Whatever a scene's numbers are, as long as the reader accepts them, the run ends: at its time, at its number of
//! collisions, or with an error; never with a panic.

mod common;

use carom::simulate::{Cancel, Compiled, End, Exact};
use carom::world::World;
use carom_scene::AnyWorld;
use common::root;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Marsaglia's xorshift: the same mutations on every machine.
struct Random(u64);

impl Random {
    /// A seed for each scene: FNV-1a of its name.
    fn of(name: &str) -> Self {
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// Where the numbers of a scene are, behind the equals sign of their line.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or("");
        if let Some(equals) = code.find('=').filter(|_| !code.contains('"')) {
            let mut at = equals + 1;
            for word in code[at..].split_inclusive(|c: char| "[](){}, \n=".contains(c)) {
                let trimmed = word.trim_end_matches(|c: char| "[](){}, \n=".contains(c));
                if trimmed.parse::<f64>().is_ok() {
                    found.push(start + at..start + at + trimmed.len());
                }
                at += word.len();
            }
        }
        start += line.len();
    }
    found
}

fn run<S: Compiled>(world: World<S>) {
    let Ok(mut exact) = Exact::new(world) else {
        return;
    };
    // In slices of which each is twice as long as all before: what would never end is stopped by the engine
    // (`endless.rs`), but a way of 10⁹ pieces is an honest one and takes its hour. It is followed for a while.
    // So do rigid bodies in a gravity of 10²⁰ m/s², whose first contacts are searched for: a tenth of a second of that,
    // and they have to stop when they are told to.
    let cancel = Cancel::new();
    exact.set_cancel(Some(cancel.clone()));
    let (done, waits) = std::sync::mpsc::channel::<()>();
    let timer = std::thread::spawn(move || {
        if waits.recv_timeout(Duration::from_millis(100)).is_err() {
            cancel.cancel();
        }
    });
    for slice in (0..=64).rev() {
        let until = 0.5 * 0.5_f64.powi(slice);
        let ended = exact.run(until, |collision| {
            if collision.number >= 500 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if ended != Ok(End::Time) || exact.segments() > 100_000 {
            break;
        }
    }
    let _ = done.send(());
    timer.join().unwrap();
    let _ = (exact.audit(), exact.digest());
}

#[test]
fn scenes_with_other_numbers_run_or_fail_but_do_not_panic() {
    let mut paths: Vec<_> = std::fs::read_dir(root().join("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut accepted = 0;
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            accepted += mutated(path);
        }
        accepted
    };
    let accepted: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .sum()
    });
    assert!(accepted > 700, "only {accepted} were runnable");
}

/// Runs a scene with other numbers, 200 times; how many of these scenes the reader accepted. They are the same on every
/// machine, whichever thread runs them.
fn mutated(path: &Path) -> usize {
    let moderate = [
        "0", "-0.0", "1", "-1", "2", "0.5", "3.7", "0.1", "-0.3", "100", "1e-40", "1e-20", "1e-9",
    ];
    let extreme = ["1e40", "-1e40", "1e20", "-1e20", "1e6", "1e-300", "1e150"];
    let name = path.file_name().expect("a file").to_string_lossy();
    let mut random = Random::of(&name);
    let mut accepted = 0;
    let text = std::fs::read_to_string(path).unwrap();
    let places = numbers(&text);
    assert!(places.len() > 5, "{}", path.display());
    for _ in 0..200 {
        let mut changed = text.clone();
        let mut chosen: Vec<_> = (0..1 + random.next(3))
            .map(|_| places[random.next(places.len())].clone())
            .collect();
        chosen.sort_by_key(|place| std::cmp::Reverse(place.start));
        chosen.dedup();
        for place in chosen {
            // A wall that swings along itself at 1e20 m/s is followed swing by swing, and that takes its time.
            let line = text[..place.start].lines().last().unwrap_or("");
            let kinematic = line.starts_with("motion");
            let values = if kinematic || random.next(2) == 0 {
                &moderate[..]
            } else {
                &extreme[..]
            };
            changed.replace_range(place, values[random.next(values.len())]);
        }
        let Ok(scene) = carom_scene::parse("scene.toml", &changed) else {
            continue;
        };
        accepted += 1;
        let start = Instant::now();
        match scene.world {
            AnyWorld::Two(world) => run(world),
            AnyWorld::Three(world) => run(world),
        }
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(20), "{taken:?} for\n{changed}");
    }
    accepted
}
