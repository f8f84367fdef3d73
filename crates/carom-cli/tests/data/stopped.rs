//! Run folders of runs that were cut off, always at the same place.

use carom::record::Event;
use carom::simulate::{Settling, Simulation};
use carom::space::Space2;
use carom::world::World;
use carom_data::{
    Classes, DataSpace, Ended, Observe, Output, Progress, Recorder, SceneText, Schedule, Watch,
};
use carom_scene::AnyWorld;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// Wants no more after so many events.
struct Enough(u32);

impl<S: DataSpace> Watch<S> for Enough {
    fn event(&mut self, event: &Event<'_, S>) -> ControlFlow<()> {
        let told = matches!(event, Event::Collision(_));
        self.0 = self.0.saturating_sub(u32::from(told));
        match self.0 {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Runs a planar scene into a folder until it has had twice so many collisions, with a checkpoint in the middle and one
/// there, and leaves it as a process that is killed does.
pub fn stopped(out: &Path, scene: &str, collisions: u32) {
    let text = std::fs::read_to_string(scene).unwrap();
    let loaded = carom_scene::load_with(Path::new(scene), &[]).unwrap();
    let AnyWorld::Two(world) = loaded.world else {
        panic!("a planar scene");
    };
    let schedule = Schedule {
        until: loaded.run.until,
        max_collisions: None,
        rest: None,
        output: Output::Times(1000),
        events: true,
        observe: loaded.observe.map(|_| Observe {
            from: 0.0,
            looks: 50,
            radial: None,
            displacement: Some(2),
        }),
    };
    let text = SceneText {
        given: scene.to_owned(),
        text,
        overrides: Vec::new(),
        title: loaded.title,
        seed: loaded.seed,
        keys: None,
        warnings: Vec::new(),
        tables: Vec::new(),
    };
    let method = loaded.method.with(Settling::default(), loaded.forces);
    let run = Simulation::with(world.clone(), method).unwrap();
    keep(out, &text, schedule, &world, run, collisions);
}

fn keep(
    out: &Path,
    text: &SceneText,
    schedule: Schedule,
    world: &World<Space2>,
    mut run: Simulation<Space2>,
    collisions: u32,
) {
    let mut recorder = Recorder::create(out, false, text, schedule, world, &[], &run).unwrap();
    let classes = Classes::new(world);
    let mut progress = Progress::new(&schedule, world);
    for _ in 0..2 {
        let ended = carom_data::run(
            &mut run,
            &schedule,
            &classes,
            &mut progress,
            Some(&mut recorder),
            Duration::from_secs(1000),
            &mut Enough(collisions),
        );
        assert_eq!(ended.unwrap(), Ended::Interrupted);
        recorder.checkpoint(&run, &progress).unwrap();
    }
}
