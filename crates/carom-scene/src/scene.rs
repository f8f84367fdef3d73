//! The scene as a whole.

use crate::dimension::vector;
use crate::problem::{Kind, Problem, SceneErrors};
use crate::quantity::Quantity;
use crate::reader::{Reader, Section};
use crate::render::locate;
use crate::room::RoomSpace;
use crate::syntax::Tree;
use crate::{body, file, material, overlap, room, syntax};
use carom::space::{Plane, Solid};
use carom::world::World;
use std::collections::BTreeSet;
use std::path::Path;

/// A world in the plane or in space.
#[derive(Clone, Debug)]
pub enum AnyWorld {
    /// `dimension = 2`.
    Plane(World<Plane>),
    /// `dimension = 3`.
    Solid(World<Solid>),
}

impl AnyWorld {
    /// How many bodies it has.
    pub fn len(&self) -> usize {
        match self {
            AnyWorld::Plane(world) => world.bodies().len(),
            AnyWorld::Solid(world) => world.bodies().len(),
        }
    }

    /// Whether it has no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            AnyWorld::Plane(_) => 2,
            AnyWorld::Solid(_) => 3,
        }
    }
}

/// How long to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// When the run ends, s.
    pub until: f64,
    /// The run stops after this many collisions.
    pub max_events: Option<u64>,
}

/// A scene that is ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// As given, or the file's name.
    pub title: String,
    /// How long to run.
    pub run: RunSettings,
    /// The bodies.
    pub world: AnyWorld,
}

/// Reads a scene file. The errors are all that the file has.
pub fn load(path: &Path) -> Result<Scene, SceneErrors> {
    let text = file::read(path)?;
    parse(&path.display().to_string(), &text)
}

/// Reads a scene from text; `name` is what messages call the file.
pub fn parse(name: &str, text: &str) -> Result<Scene, SceneErrors> {
    if text.trim().is_empty() {
        let problem = Problem::of_file("the file is empty".to_owned())
            .help("a scene begins with version = 1 and dimension = 2");
        return Err(SceneErrors::new(name, text, vec![problem], 0));
    }
    let tree = syntax::parse(text);
    let reader = Reader::new(text);
    let scene = read(name, &reader, &tree);
    let (found, more) = reader.into_problems();
    let more = match tree.problems.is_empty() {
        true => more,
        false => tree.left_out,
    };
    let problems = worth_saying(text, tree, found);
    match scene {
        Some(scene) if problems.is_empty() => Ok(scene),
        _ => Err(SceneErrors::new(name, text, problems, more)),
    }
}

/// What is not TOML, and of the rest what does not merely follow from it.
fn worth_saying(text: &str, tree: Tree<'_>, found: Vec<Problem>) -> Vec<Problem> {
    let mut problems = tree.problems;
    if problems.is_empty() {
        return found;
    }
    if tree.local {
        let line = |problem: &Problem| {
            let start = problem.span.as_ref().map_or(0, |span| span.start);
            locate(text, start).line
        };
        let broken: BTreeSet<usize> = problems.iter().map(line).collect();
        problems.extend(
            found
                .into_iter()
                .filter(|problem| problem.kind == Kind::Value && !broken.contains(&line(problem))),
        );
    }
    problems
}

fn read(name: &str, reader: &Reader<'_>, tree: &Tree<'_>) -> Option<Scene> {
    let top = Section::new(reader, "the scene".to_owned(), &tree.table, 0..0);
    if !version_is_known(&top) {
        return None;
    }
    let title = match top.optional("title") {
        Some(entry) => entry.label().map(str::to_owned),
        None => Some(stem(name)),
    };
    let run = run_settings(&top);
    let world = match dimension(&top) {
        2 => AnyWorld::Plane(world::<Plane>(&top)),
        _ => AnyWorld::Solid(world::<Solid>(&top)),
    };
    top.finish(&[]);
    Some(Scene {
        title: title?,
        run: run?,
        world,
    })
}

/// The file's name without folder and ending.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    crate::render::shortened(&stem.to_string_lossy(), 100)
}

/// False where the file says that it is of another version: what it means is then anyone's guess.
fn version_is_known(top: &Section<'_, '_>) -> bool {
    let Some(entry) = top.required("version", "1, the version of the format") else {
        return true;
    };
    let known = entry.as_integer() == Some(1);
    if !known {
        entry.wrong("1, the only version there is");
    }
    known
}

/// 2 or 3. Where the file does not say, as many as its first position has numbers, so that the rest can be checked.
fn dimension(top: &Section<'_, '_>) -> usize {
    if let Some(entry) = top.required("dimension", "2 or 3") {
        match entry.as_integer() {
            Some(2) => return 2,
            Some(3) => return 3,
            _ => entry.wrong("2 or 3"),
        }
    }
    top.first_vector_length("bodies").unwrap_or(2)
}

fn run_settings(top: &Section<'_, '_>) -> Option<RunSettings> {
    let entry = top.required("run", "a table [run] with the key `until`")?;
    let section = entry.section("`run`".to_owned())?;
    let until = section
        .required("until", "when the run ends, seconds")
        .and_then(|entry| entry.number(Quantity::not_negative("seconds")));
    let max_events = match section.optional("max_events") {
        Some(entry) => entry.count().map(Some),
        None => Some(None),
    };
    section.finish(&[]);
    Some(RunSettings {
        until: until?,
        max_events: max_events?,
    })
}

fn world<S: RoomSpace>(top: &Section<'_, '_>) -> World<S> {
    let mut world = World::new();
    if let Some(entry) = top.optional("gravity") {
        let gravity = vector::<S>(&entry, Quantity::any("m/s²"));
        if let Some(Err(error)) = gravity.map(|gravity| world.set_gravity(gravity)) {
            entry.wrong(&error.to_string());
        }
    }
    if let Some(entry) = top.optional("contact_time") {
        let contact_time = entry.number(Quantity::positive("seconds"));
        if let Some(Err(error)) = contact_time.map(|time| world.set_contact_time(Some(time))) {
            entry.wrong(&error.to_string());
        }
    }
    let names = material::read(top, &mut world.materials);
    let mut places = body::read(top, &names, &mut world);
    room::read(top, &names, &mut world, &mut places);
    overlap::report(top.reader, &world, &places);
    world
}
