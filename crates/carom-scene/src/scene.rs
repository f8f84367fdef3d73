//! The scene as a whole.

use crate::body::Extras;
use crate::container::ContainerSpace;
use crate::dimension::{ReadSpace, vector};
use crate::file::Files;
use crate::forces::Method;
use crate::forms;
use crate::groups::GroupNames;
use crate::look::Looks;
use crate::observe::{self, ObserveSettings};
use crate::plan::{AnyPlan, Plan};
use crate::problem::{Kind, Problem, SceneErrors, Sources};
use crate::quantity::{BOX, TIME, WEIGHT};
use crate::reader::{Entry, Reader, Section};
use crate::render::locate;
use crate::run_settings::{RunSettings, run_settings};
use crate::syntax::Tree;
use crate::variables::{self, Variable};
use crate::{
    body, container, field, file, forces, generate, joint, json, material, old_names, overlap, set,
    shear, solid, syntax, when,
};
use carom::simulate::{Forces, Settling};
use carom::space::{Linear, Space2, Space3};
use carom::world::{World, WorldError};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// A world in 2-D or 3-D.
#[derive(Clone, Debug)]
pub enum AnyWorld {
    /// `dimension = 2`.
    Two(World<Space2>),
    /// `dimension = 3`.
    Three(World<Space3>),
}

impl AnyWorld {
    /// How many bodies it has.
    pub fn len(&self) -> usize {
        match self {
            AnyWorld::Two(world) => world.bodies().len(),
            AnyWorld::Three(world) => world.bodies().len(),
        }
    }

    /// Whether it has no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            AnyWorld::Two(_) => 2,
            AnyWorld::Three(_) => 3,
        }
    }
}

/// What to keep of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutputSettings {
    /// From one stored state to the next, s.
    pub interval: Option<f64>,
}

/// A scene that is ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// As given, or the file's name.
    pub title: String,
    /// How long to run.
    pub run: RunSettings,
    /// What to keep of a run.
    pub output: OutputSettings,
    /// What to average over a run, if anything.
    pub observe: Option<ObserveSettings>,
    /// Tables of bodies and meshes that were read, in the order of the file.
    pub tables: Vec<TableSource>,
    /// Of everything that is random.
    pub seed: u64,
    /// The numbers that have a name, with the values that a sweep goes through. The world has the first of each.
    pub variables: Vec<Variable>,
    /// How contacts are followed.
    pub method: Method,
    /// How a run by forces is made; also where the scene asks for events, so that both can be compared. Materials
    /// without springs have those of [`Forces::default_contact_time`].
    pub forces: Forces,
    /// How rigid bodies in lasting contact are advanced.
    pub settling: Settling,
    /// The names of the groups that bodies belong to, in the order of their bits in a
    /// [`CollisionFilter`](carom::body::CollisionFilter).
    pub groups: Vec<String>,
    /// What is worth saying of a scene that is good: keys under their old names. One line each, without an end.
    pub notes: Vec<String>,
    /// What is allowed but hardly meant, with its place in the file: numbers that are far from those of most scenes,
    /// what never happens. One line each, without an end.
    pub warnings: Vec<String>,
    /// The bodies that are there from the start.
    pub world: AnyWorld,
    /// What happens during a run, and the bodies that are to come.
    pub plan: AnyPlan,
    /// How bodies and materials are to be shown.
    pub looks: Looks,
}

impl Scene {
    /// How many bodies it has, those that are to come among them.
    pub fn bodies(&self) -> usize {
        let waiting = match &self.plan {
            AnyPlan::Two(plan) => plan.waiting.len(),
            AnyPlan::Three(plan) => plan.waiting.len(),
        };
        self.world.len() + waiting
    }
}

/// A table of bodies or a mesh that a scene reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSource {
    /// As the scene calls it: a path from the folder of the scene.
    pub given: String,
    /// The bytes of the scene's text that name it, quotes and all; `None` where it was set from outside.
    pub named: Option<Range<usize>>,
}

/// Reads a scene file. The errors are all that the file has.
pub fn load(path: &Path) -> Result<Scene, SceneErrors> {
    load_with(path, &[])
}

/// Reads a scene file with some values replaced: see [`parse_with`].
pub fn load_with(path: &Path, overrides: &[(String, String)]) -> Result<Scene, SceneErrors> {
    let text = file::read(path)?;
    parse_with(&path.display().to_string(), &text, overrides)
}

/// The same as [`load_with`], within limits.
pub fn load_within(
    path: &Path,
    overrides: &[(String, String)],
    limits: &Limits,
) -> Result<Scene, SceneErrors> {
    let text = file::read(path)?;
    parse_within(&path.display().to_string(), &text, overrides, limits)
}

/// Reads a scene from text; `name` is what messages call the file. One that ends in `.json` is JSON, any other TOML.
pub fn parse(name: &str, text: &str) -> Result<Scene, SceneErrors> {
    parse_with(name, text, &[])
}

/// Reads a scene from text with some values replaced: pairs of a dotted path and a TOML value.
///
/// In a path, bodies and generated bodies go by their name or by their number from 1: `run.until`,
/// `bodies.cue.velocity`, `materials.steel.restitution`, `variables.speed`, `bodies.3.position.1`. A word or a formula
/// needs no quotes.
pub fn parse_with(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
) -> Result<Scene, SceneErrors> {
    parse_within(name, text, overrides, &Limits::default())
}

/// What a scene may ask for: for whoever reads the scenes of strangers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bodies; default: [`MOST_BODIES`](crate::MOST_BODIES).
    pub bodies: usize,
    /// Whether tables of bodies and meshes may be read from other files; default: yes.
    pub tables: bool,
    /// How much memory there is for reading and running the scene, in bytes; default: unknown.
    pub memory: Option<u64>,
    /// Whether a scene may have no bodies, because whoever reads it adds some afterwards; default: no.
    pub empty: bool,
}

/// About as much memory as a body takes while it is read and run, in bytes: with names, the world, the run's copy of it
/// and its plans. Measured with lattices of 50,000 and 200,000 balls that were run: 830 (plane) and 930 bytes (space)
/// by events, 1,200 and 1,400 by forces while few touched. It is what they take at least: beds of balls by
/// forces take up to 6,500.
pub fn bytes_per_body(dimension: usize, method: Method) -> u64 {
    match (method, dimension) {
        (Method::Events, 2) => 800,
        (Method::Events, _) => 900,
        (Method::Forces, 2) => 1200,
        (Method::Forces, _) => 1400,
    }
}

/// A number of bytes for people.
pub fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bodies: body::MOST_BODIES,
            tables: true,
            memory: None,
            empty: false,
        }
    }
}

/// The same as [`parse_with`], within limits.
pub fn parse_within(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    limits: &Limits,
) -> Result<Scene, SceneErrors> {
    parse_beside(name, text, overrides, limits, &[])
}

/// The same as [`parse_within`], with the tables and meshes that the scene reads, by the names that it calls them by:
/// for whoever has no folder of files.
pub fn parse_beside(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    limits: &Limits,
    beside: &[(String, Vec<u8>)],
) -> Result<Scene, SceneErrors> {
    if text.trim().is_empty() {
        let problem = Problem::of_file("the file is empty".to_owned())
            .help("a scene begins with version = 1 and dimension = 2");
        return Err(SceneErrors::new(name, text, vec![problem], 0));
    }
    // Before anything is made of it: bodies that are listed one by one take most of their memory while they are read.
    let takes = file::bytes_to_read(text);
    if let Some(memory) = limits.memory.filter(|&memory| takes > memory) {
        let problem = Problem::of_file(format!(
            "reading the file takes about {} of memory, and {} are there",
            gigabytes(takes),
            gigabytes(memory)
        ))
        .help("bodies of a `[[generate]]`, or of a table in a file of its own, take less");
        return Err(SceneErrors::new(name, text, vec![problem], 0));
    }
    let is_json = Path::new(name)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let mut tree = if is_json {
        json::parse(text)
    } else {
        syntax::parse(text)
    };
    let mut sources = Sources::new(name, text);
    let mut old = old_names::Found::default();
    old.in_file(&mut tree.table);
    generate::complete(&mut tree.table);
    let named_nothing = set::apply(&mut tree.table, overrides, &mut sources, &mut old);
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let files = Files {
        folder: folder.to_owned(),
        allowed: limits.tables,
        beside: beside.to_vec(),
        read: RefCell::default(),
        notes: RefCell::default(),
    };
    let reader = Reader::new(&sources, files);
    let scene = read(name, &reader, &tree, limits);
    let mut notes = old.notes(&sources);
    notes.extend(reader.files().notes.take());
    let warnings = reader.take_warnings();
    let (found, more) = reader.into_problems();
    let more = if tree.problems.is_empty() {
        more
    } else {
        tree.left_out
    };
    let mut problems = worth_saying(text, tree, found);
    problems.extend(named_nothing);
    problems.extend(old.problems);
    match scene {
        Some(scene) if problems.is_empty() => Ok(Scene {
            notes,
            warnings,
            ..scene
        }),
        _ => Err(SceneErrors::in_sources(sources, problems, more)),
    }
}

/// What is not TOML or JSON, and of the rest what does not merely follow from it.
fn worth_saying(text: &str, tree: Tree, found: Vec<Problem>) -> Vec<Problem> {
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

fn read(name: &str, reader: &Reader<'_>, tree: &Tree, limits: &Limits) -> Option<Scene> {
    let top = Section::new(reader, "the scene".to_owned(), &tree.table, 0..0).of(&forms::SCENE);
    if !version_is_known(&top) {
        return None;
    }
    let title = match top.optional("title") {
        Some(entry) => entry.label().map(str::to_owned),
        None => Some(stem(name)),
    };
    let variables = variables::read(&top);
    let seed = match top.optional("seed") {
        Some(entry) => entry.whole(0, i64::MAX as u64),
        None => Some(1),
    };
    let run = run_settings(&top);
    let output = output_settings(&top);
    let method = forces::method(&top);
    let around = Around {
        files: reader.files(),
        seed: seed.unwrap_or(1),
        limits: *limits,
        method: method.unwrap_or(Method::Events),
    };
    let mut groups = GroupNames::default();
    groups.collect(top.optional("bodies").as_ref());
    groups.collect(top.optional("generate").as_ref());
    let until = run.map(|run| run.until);
    reader.dimension.set(dimension(&top));
    let (world, plan, looks) = match reader.dimension.get() {
        2 => {
            let (world, plan, looks) = world::<Space2>(&top, &around, &groups, until);
            (AnyWorld::Two(world), AnyPlan::Two(plan), looks)
        }
        _ => {
            let (world, plan, looks) = world::<Space3>(&top, &around, &groups, until);
            (AnyWorld::Three(world), AnyPlan::Three(plan), looks)
        }
    };
    let observe = observe::read(&top, run.map(|run| run.until), &world);
    if let (Some(entry), true) = (top.optional("observe"), plan.changes_bodies()) {
        entry.wrong("left out: averages need the same bodies throughout, and this scene adds or removes some");
    }
    // So that every scene can be run by forces.
    let forces = forces::read(&top).map(|forces| match &world {
        AnyWorld::Two(world) => forces.with_default_springs(world),
        AnyWorld::Three(world) => forces.with_default_springs(world),
    });
    let settling = solid::settling(&top);
    let stalls = run.is_some_and(|run| run.stalls);
    if let Some(entry) = top.optional("$schema") {
        entry.label();
    }
    top.finish(&[]);
    Some(Scene {
        title: title?,
        run: run?,
        output: output?,
        observe: observe?,
        tables: reader.files().read.take(),
        seed: seed?,
        variables,
        method: method?,
        forces: forces?,
        settling: settling?.with_stalls(stalls),
        groups: groups.into_names(),
        notes: Vec::new(),
        warnings: Vec::new(),
        world,
        plan,
        looks,
    })
}

/// What the reading of bodies needs to know beside their tables.
pub(crate) struct Around<'n> {
    /// What may be read beside the scene itself, and what was.
    pub files: &'n file::Files,
    pub seed: u64,
    pub limits: Limits,
    pub method: Method,
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

fn output_settings(top: &Section<'_, '_>) -> Option<OutputSettings> {
    let Some(entry) = top.optional("output") else {
        return Some(OutputSettings::default());
    };
    let section = entry.section("`output`".to_owned())?;
    let interval = match section.optional("interval") {
        Some(entry) => entry.number(TIME).map(Some),
        None => Some(None),
    };
    section.finish(&[]);
    Some(OutputSettings {
        interval: interval?,
    })
}

fn world<S: ContainerSpace>(
    top: &Section<'_, '_>,
    around: &Around<'_>,
    groups: &GroupNames,
    until: Option<f64>,
) -> (World<S>, Plan<S>, Looks) {
    let mut world = World::new();
    if let Some(entry) = top.optional("gravity") {
        let gravity = vector::<S>(&entry, WEIGHT);
        warn_of_gravity::<S>(&entry, gravity);
        if let Some(Err(error)) = gravity.map(|gravity| world.set_gravity(gravity)) {
            entry.wrong(&error.to_string());
        }
    }
    field::read(top, &mut world);
    if let Some(entry) = top.optional("contact_time") {
        let contact_time = entry.number(TIME);
        if let Some(Err(error)) = contact_time.map(|time| world.set_contact_time(Some(time))) {
            entry.wrong(&error.to_string());
        }
    }
    let periodic = top.optional("periodic");
    if let Some(entry) = &periodic {
        let lengths = periods::<S>(entry);
        match lengths.map(|lengths| world.set_periodic(lengths)) {
            Some(Err(error @ WorldError::FieldInBox(_))) => entry.report(Problem::new(
                entry.span(),
                error.to_string(),
                "repeated like this",
            )),
            Some(Err(error)) => entry.wrong(&error.to_string()),
            _ => {}
        }
    }
    let sheared = top.optional("shear");
    if let Some(entry) = &sheared {
        shear::read(entry, &mut world);
    }
    let materials = material::read(top, &mut world.materials);
    let generators = top.optional("generate");
    let names = body::Names {
        materials: &materials,
        groups,
    };
    let mut extras = Extras::default();
    let mut places = body::read(top, &names, &around.limits, &mut world, &mut extras);
    container::read(
        top,
        &materials,
        around.limits.bodies,
        &mut world,
        &mut places,
    );
    if let Some(entry) = &generators {
        generate::read(entry, &names, around, &mut world, &mut places, &mut extras);
    }
    if let Some(entry) = &periodic {
        misfits(entry, &world, &places);
    }
    joint::read(top, &mut world, &extras.waiting);
    if let Some(entry) = &sheared {
        shear::misfits(entry, &world);
    }
    overlap::report(top.reader, &world, &places);
    let rules = when::Around {
        world: &world,
        names: &names,
        materials: &materials,
        until,
        seed: around.seed,
        most_bodies: around.limits.bodies,
    };
    let plan = when::read(top, &rules, &mut extras);
    let looks = Looks::new(extras.take_looks(world.bodies().len()), materials.looks);
    (world, plan, looks)
}

/// Gravity above this is hardly meant, m/s²: that of Jupiter is 25.
const HEAVIEST: f64 = 100.0;

/// Says where gravity is that of no planet: centimetres were meant.
pub(crate) fn warn_of_gravity<S: ReadSpace>(entry: &Entry<'_, '_>, gravity: Option<S::Vector>) {
    if gravity.is_some_and(|gravity| gravity.length() > HEAVIEST) {
        entry.warn("more than ten times that of the Earth, 9.81 m/s²; other units are written \"-981 cm/s^2\"");
    }
}

/// A length for each axis, or false.
fn periods<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<[Option<f64>; 3]> {
    let Some(items) = entry.as_items().filter(|items| items.len() == S::DIMENSION) else {
        let axes = &"x, y, z"[..3 * S::DIMENSION - 2];
        let dimension = S::DIMENSION;
        entry.wrong(&format!(
            "[{axes}], each a positive number of metres or false, as the scene has dimension = {dimension}"
        ));
        return None;
    };
    let mut lengths = [None; 3];
    let mut good = true;
    for (length, item) in lengths.iter_mut().zip(items) {
        if item.as_flag() != Some(false) {
            *length = item.number(BOX);
            good &= length.is_some();
        }
    }
    good.then_some(lengths)
}

/// Bodies that do not fit into the periodic box.
fn misfits<S: ReadSpace>(entry: &Entry<'_, '_>, world: &World<S>, places: &body::Places) {
    for error in world.misfits() {
        let WorldError::Box {
            id,
            axis,
            length,
            reason,
            ..
        } = error
        else {
            continue;
        };
        let name = crate::render::shortened(&world.bodies()[id].name, 40);
        let message = format!("`{name}` does not fit the periodic box of {length} m along {axis}");
        let place = places.get(id).cloned().unwrap_or(entry.span());
        entry.report(Problem::new(place, message, reason).related(entry.span(), "the box"));
        if entry.is_full() {
            break;
        }
    }
}
