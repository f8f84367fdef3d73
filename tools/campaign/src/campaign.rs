//! Many scenes, on many cores.

use crate::command::Carom;
use crate::judge::{Again, Verdict, judge};
use crate::make::{Kind, Scene, scene};
use crate::shrink::shrink;
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The command that is judged.
    pub carom: Carom,
    /// Of all scenes.
    pub seed: u64,
    /// Which scenes, by number.
    pub scenes: Vec<u64>,
    /// Of one kind alone, or the usual mix.
    pub kind: Option<Kind>,
    /// Run by forces, or by impulses, alone.
    pub forces: Option<bool>,
    /// How many at once.
    pub jobs: usize,
    /// Where scenes that fail are kept.
    pub keep: Option<PathBuf>,
    /// How many scenes of each cause are made smaller.
    pub shrink: usize,
    /// Where runs are made; removed in the end.
    pub work: PathBuf,
    /// Whether to say now and then how far it is.
    pub progress: bool,
}

/// What came of one scene.
#[derive(Clone, Debug)]
pub struct Done {
    /// Its number.
    pub index: u64,
    /// What it is about.
    pub kind: Kind,
    /// What is wrong with it.
    pub verdict: Verdict,
}

/// How a scene counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Passed,
    /// Something is.
    Failed,
    /// It was refused by a documented limit.
    Refused,
}

impl Done {
    /// How it counts.
    pub fn outcome(&self) -> Outcome {
        match (&self.verdict.faults[..], &self.verdict.refused) {
            ([], None) => Outcome::Passed,
            ([], Some(_)) => Outcome::Refused,
            _ => Outcome::Failed,
        }
    }
}

impl Plan {
    /// Leaves out the scenes that are run by the other method. Numbers stay what they were.
    pub fn leave_out_the_other_method(&mut self) {
        let Some(forces) = self.forces else { return };
        let (seed, kind) = (self.seed, self.kind);
        self.scenes
            .retain(|&index| (scene(seed, index, kind).json["method"] == "forces") == forces);
    }
}

/// Runs all scenes of a plan, keeps and shrinks those that fail, and returns what came of each, in their order.
pub fn run(plan: &Plan) -> io::Result<Vec<Done>> {
    let start = Instant::now();
    let failed = AtomicUsize::new(0);
    let done = in_parallel(
        plan,
        &plan.scenes,
        |&index, folder| {
            let scene = scene(plan.seed, index, plan.kind);
            let verdict = judge(&scene, &plan.carom, folder, Again::of_scene(index))?;
            if !verdict.faults.is_empty() {
                failed.fetch_add(1, Ordering::Relaxed);
                if let Some(keep) = &plan.keep {
                    store(
                        &keep.join(format!("{}-{index:06}", plan.seed)),
                        "scene.json",
                        &scene,
                        plan.seed,
                        index,
                        &verdict,
                    )?;
                }
            }
            Ok(Done {
                index,
                kind: scene.kind,
                verdict,
            })
        },
        &|count| {
            let seconds = start.elapsed().as_secs_f64();
            let left = seconds / count as f64 * (plan.scenes.len() - count) as f64;
            eprintln!(
                "{count} of {} scenes, {} failed, {seconds:.0} s, {left:.0} s left",
                plan.scenes.len(),
                failed.load(Ordering::Relaxed)
            );
        },
    )?;
    if let Some(keep) = &plan.keep {
        shrink_all(plan, keep, &done)?;
    }
    let _ = std::fs::remove_dir_all(&plan.work);
    Ok(done)
}

/// Does something for each of many, on all cores, each in a folder of its own; results in order.
fn in_parallel<T: Sync, R: Send>(
    plan: &Plan,
    of: &[T],
    task: impl Fn(&T, &Path) -> io::Result<R> + Sync,
    progress: &(dyn Fn(usize) + Sync),
) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, io::Result<R>)>> = Mutex::new(Vec::new());
    let told = Mutex::new(Instant::now());
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs.max(1) {
            let (next, results, told, task) = (&next, &results, &told, &task);
            scope.spawn(move || {
                let folder = plan.work.join(format!("worker-{worker}"));
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = of.get(at) else { break };
                    let result = task(one, &folder);
                    let _ = std::fs::remove_dir_all(&folder);
                    let Ok(mut results) = results.lock() else {
                        break;
                    };
                    results.push((at, result));
                    let count = results.len();
                    drop(results);
                    if let Ok(mut told) = told.lock()
                        && plan.progress
                        && told.elapsed() > Duration::from_secs(10)
                    {
                        *told = Instant::now();
                        progress(count);
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Keeps a scene with its files, and what was wrong with it.
fn store(
    folder: &Path,
    file: &str,
    scene: &Scene,
    seed: u64,
    index: u64,
    verdict: &Verdict,
) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(file), format!("{:#}\n", scene.json))?;
    for (name, text) in &scene.files {
        std::fs::write(folder.join(name), text)?;
    }
    let faults: Vec<_> = verdict
        .faults
        .iter()
        .map(|fault| json!({ "cause": fault.cause, "detail": fault.detail }))
        .collect();
    let facts = json!({ "seed": seed, "scene": index, "kind": scene.kind.name(), "faults": faults, "wall_s": verdict.wall.as_secs_f64() });
    std::fs::write(
        folder.join(format!("{}.verdict.json", file.trim_end_matches(".json"))),
        format!("{facts:#}\n"),
    )
}

/// Attempts at making one scene smaller, and of scenes that hang, each of which takes the whole time limit.
const ATTEMPTS: usize = 200;
const ATTEMPTS_THAT_HANG: usize = 40;

/// Makes the first scenes of each cause smaller.
fn shrink_all(plan: &Plan, keep: &Path, done: &[Done]) -> io::Result<()> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut chosen: Vec<(&Done, &str)> = Vec::new();
    for one in done {
        if let Some(cause) = one.verdict.cause() {
            let count = seen.entry(cause).or_default();
            *count += 1;
            if *count <= plan.shrink {
                chosen.push((one, cause));
            }
        }
    }
    in_parallel(
        plan,
        &chosen,
        |(one, cause), folder| {
            let scene = scene(plan.seed, one.index, plan.kind);
            let attempts = if cause.contains(": hang") {
                ATTEMPTS_THAT_HANG
            } else {
                ATTEMPTS
            };
            let again = Again::of_scene(one.index);
            let mut last = one.verdict.clone();
            let small = shrink(&scene, attempts, |tried| {
                let verdict = judge(tried, &plan.carom, folder, again).unwrap_or_default();
                let same = verdict.faults.iter().any(|fault| fault.cause == *cause);
                if same {
                    last = verdict;
                }
                same
            });
            store(
                &keep.join(format!("{}-{:06}", plan.seed, one.index)),
                "shrunk.json",
                &small,
                plan.seed,
                one.index,
                &last,
            )
        },
        &|count| eprintln!("{count} of {} scenes made smaller", chosen.len()),
    )?;
    Ok(())
}
