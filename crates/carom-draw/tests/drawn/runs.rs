//! Run folders to draw.

use carom::simulate::Simulation;
use carom::world::World;
use carom_data::{Classes, DataSpace, Ended, Output, Progress, Recorder, SceneText, Schedule};
use carom_draw::Recording;
use carom_scene::AnyWorld;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder of its own for a test, gone when it is done.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-draw-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{name}.toml"))
}

/// How a scene is run.
#[derive(Clone, Copy)]
pub struct How {
    pub until: Option<f64>,
    pub output: Output,
    pub events: bool,
}

impl Default for How {
    fn default() -> Self {
        How {
            until: None,
            output: Output::Times(50),
            events: true,
        }
    }
}

/// Runs a sample scene into a folder.
pub fn record(folder: &Folder, name: &str, how: How) -> Recording {
    let text = std::fs::read_to_string(scene(name)).unwrap();
    record_text(folder, name, &text, how)
}

/// Runs a scene into a folder.
pub fn record_text(folder: &Folder, name: &str, text: &str, how: How) -> Recording {
    let loaded = carom_scene::parse(name, text).unwrap_or_else(|errors| panic!("{errors}"));
    let text = SceneText {
        given: format!("scenes/{name}.toml"),
        text: text.to_owned(),
        overrides: Vec::new(),
        title: loaded.title.clone(),
        seed: loaded.seed,
        keys: None,
        warnings: Vec::new(),
        tables: Vec::new(),
    };
    let schedule = Schedule {
        until: how.until.unwrap_or(loaded.run.until),
        max_collisions: loaded.run.max_collisions,
        rest: loaded.run.rest,
        output: how.output,
        events: how.events,
        observe: None,
    };
    let out = folder.0.join(name);
    match loaded.world {
        AnyWorld::Two(world) => run(&out, &text, schedule, world),
        AnyWorld::Three(world) => run(&out, &text, schedule, world),
    }
    Recording::open(&out).unwrap()
}

fn run<S: DataSpace>(out: &Path, text: &SceneText, schedule: Schedule, world: World<S>) {
    let run = Simulation::new(world.clone()).unwrap();
    keep(out, text, schedule, &world, run);
}

fn keep<S: DataSpace>(
    out: &Path,
    text: &SceneText,
    schedule: Schedule,
    world: &World<S>,
    mut run: Simulation<S>,
) {
    let mut recorder = Recorder::create(out, false, text, schedule, world, &[], &run).unwrap();
    let mut progress = Progress::new(&schedule, world);
    let classes = Classes::new(world);
    let ended = carom_data::run(
        &mut run,
        &schedule,
        &classes,
        &mut progress,
        Some(&mut recorder),
        Duration::from_secs(60),
        &mut (),
    )
    .unwrap();
    assert!(!matches!(ended, Ended::Failed(_) | Ended::Interrupted));
    // Reports are the same at all times of the day.
    progress.elapsed_s = 0.25;
    let summary = serde_json::json!({ "outcome": { "status": "completed", "reason": null } });
    recorder.finish(&run, &progress, &summary).unwrap();
}
