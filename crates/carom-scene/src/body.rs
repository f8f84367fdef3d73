//! `[[bodies]]`: each a shape, a material and a motion, under a name of its own.

use crate::dimension::{ReadSpace, vector};
use crate::forms;
use crate::groups::GroupNames;
use crate::look::{self, Look};
use crate::material;
use crate::motion;
use crate::problem::Problem;
use crate::quantity::PLACE;
use crate::reader::{Entry, Section};
use crate::render::shortened;
use crate::scene::Limits;
use crate::shape;
use carom::body::{Body, Kind};
use carom::material::Materials;
use carom::simulate::Mount;
use carom::world::World;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most bodies a scene may have. A body takes some 300 bytes, and a run as much again.
pub const MOST_BODIES: usize = 20_000_000;

/// What in the file says where each body is, in the order of insertion.
pub(crate) type Places = Vec<Range<usize>>;

/// What bodies may be made of, and belong to.
pub(crate) struct Names<'n> {
    pub materials: &'n material::Names,
    pub groups: &'n GroupNames,
}

/// What a scene says of its bodies beyond what a world holds.
pub(crate) struct Extras<S: ReadSpace> {
    /// Bodies that are not there from the start.
    pub waiting: Vec<Body<S>>,
    /// How bodies are mounted, by name.
    pub mounts: Vec<(Box<str>, Mount<S>)>,
    /// How bodies are to be shown: those of the world, and those that are to come, by their places there.
    pub looks: [Vec<(Range<u32>, Look)>; 2],
}

impl<S: ReadSpace> Default for Extras<S> {
    fn default() -> Self {
        Extras {
            waiting: Vec::new(),
            mounts: Vec::new(),
            looks: Default::default(),
        }
    }
}

impl<S: ReadSpace> Extras<S> {
    /// Notes how bodies are to be shown that have just been put into the world, or among those that are to come.
    pub fn show(&mut self, waits: bool, places: Range<usize>, look: Look) {
        if !look.is_plain() {
            let places = places.start as u32..places.end as u32;
            self.looks[usize::from(waits)].push((places, look));
        }
    }

    /// How all bodies are to be shown, by their numbers: those that are to come are after those of the world.
    pub fn take_looks(&mut self, there: usize) -> Vec<(Range<u32>, Look)> {
        let [mut all, later] = std::mem::take(&mut self.looks);
        let shift = there as u32;
        let later = later.into_iter();
        all.extend(later.map(|(places, look)| (places.start + shift..places.end + shift, look)));
        all
    }

    /// Keeps a body that is to come.
    pub fn add_one(&mut self, world: &World<S>, read: One<S>, item: &Entry<'_, '_>) {
        let (name, place) = (read.body.name.clone(), self.waiting.len());
        self.show(true, place..place + 1, read.look);
        self.add_waiting(world, vec![read.body], item);
        self.mounts.extend(read.mount.map(|joint| (name, joint)));
    }

    /// Keeps bodies that are to come, and says where a world would not take them.
    pub fn add_waiting(&mut self, world: &World<S>, bodies: Vec<Body<S>>, item: &Entry<'_, '_>) {
        let mut trial = World::new();
        trial.materials = world.materials.clone();
        let periods = world
            .periods()
            .map(|length| (length > 0.0).then_some(length));
        // The world has been given the same.
        let _ = trial.set_periodic(periods);
        let _ = trial.set_shear(world.shear());
        let refused = bodies.iter().find_map(|body| trial.add(body.clone()).err());
        let refused = refused.or_else(|| trial.misfits().into_iter().next());
        if let Some(error) = refused {
            let message = error.to_string();
            item.report(Problem::new(item.span(), message, "in this body"));
        }
        self.waiting.extend(bodies);
    }
}

/// A body, as a table says.
pub(crate) struct One<S: ReadSpace> {
    pub body: Body<S>,
    /// What in the file says where it is.
    pub place: Range<usize>,
    /// Whether it is there from the start.
    pub present: bool,
    pub mount: Option<Mount<S>>,
    pub look: Look,
}

/// Reads all bodies into the world; answers where they are in the file.
pub(crate) fn read<S: ReadSpace>(
    top: &Section<'_, '_>,
    names: &Names<'_>,
    limits: &Limits,
    world: &mut World<S>,
    extras: &mut Extras<S>,
) -> Places {
    let what = "an array of one or more tables, written [[bodies]]";
    let most = limits.bodies;
    // Others may bring the bodies.
    let entry = if top.has("generate") || limits.empty {
        top.optional("bodies")
    } else {
        top.required("bodies", what)
    };
    let Some(entry) = entry else {
        return Places::new();
    };
    let items = || entry.as_items().filter(|items| items.len() > 0);
    let Some(bodies) = items() else {
        entry.wrong(what);
        return Places::new();
    };
    if bodies.len() > most {
        let message = format!("the scene has {} bodies", bodies.len());
        let allowed = format!("must be at most {most}");
        entry.report(Problem::new(entry.span(), message, allowed));
        return Places::new();
    }
    let given: BTreeSet<&str> = bodies
        .filter_map(|item| Some(item.text_under("name")?.0))
        .collect();
    let mut first_uses: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    let mut places = Vec::new();
    for (index, item) in items().into_iter().flatten().enumerate() {
        check_unique(&item, &mut first_uses);
        let Some(read) = one::<S>(index, &item, names, &given) else {
            continue;
        };
        if !read.present {
            extras.add_one(world, read, &item);
            continue;
        }
        let name = read.body.name.clone();
        match world.add(read.body) {
            Ok(id) => {
                let id = id.0 as usize;
                extras.show(false, id..id + 1, read.look);
                places.push(read.place);
            }
            Err(error) => item.report(Problem::new(item.span(), error.to_string(), "in this body")),
        }
        extras.mounts.extend(read.mount.map(|joint| (name, joint)));
    }
    places
}

fn check_unique<'r>(item: &Entry<'r, '_>, first_uses: &mut BTreeMap<&'r str, Range<usize>>) {
    let Some((name, span)) = item.text_under("name") else {
        return;
    };
    if let Some(first) = first_uses.get(name) {
        let name = shortened(name, 40);
        item.report(
            Problem::new(
                span,
                format!("two bodies are called `{name}`"),
                "must be unique",
            )
            .related(first.clone(), "the first of them"),
        );
    } else {
        first_uses.insert(name, span);
    }
}

/// "ball 3": the shape and the place in the file, unless a body was given that very name.
fn default_name(shape: &str, index: usize, given: &BTreeSet<&str>) -> String {
    let mut name = format!("{shape} {}", index + 1);
    while given.contains(name.as_str()) {
        name.push('\'');
    }
    name
}

/// A body, and what else its table says. Longer than most: its keys, one after the other.
pub(crate) fn one<S: ReadSpace>(
    index: usize,
    item: &Entry<'_, '_>,
    names: &Names<'_>,
    given: &BTreeSet<&str>,
) -> Option<One<S>> {
    let mut section = item
        .section(format!("body {}", index + 1))?
        .of(&forms::BODY);
    let name = match section.optional("name") {
        Some(entry) => entry.label().map(Some),
        None => Some(None),
    };
    let shape_name = section
        .required("shape", "the name of a shape, such as \"ball\"")
        .map(|entry| shape::read_name::<S>(&entry));
    if let (Some(Some(shape)), Some(given)) = (shape_name, name) {
        section.title = match given {
            Some(name) => format!("{shape} `{}`", shortened(name, 40)),
            None => format!("{shape} {}", index + 1),
        };
    }
    let material = match section.optional("material") {
        Some(entry) => names.materials.find(&entry),
        None => Some(Materials::DEFAULT),
    };
    let groups = names.groups.read(&section);
    let present = (section.optional("present")).map_or(Some(true), |entry| entry.flag());
    let mount = section.optional("mount");
    let look = look::read(&section);
    let sensor = section.optional("sensor");
    let senses = match &sensor {
        Some(entry) => entry.flag(),
        None => Some(false),
    };
    let Some(shape_name) = shape_name.flatten() else {
        // Which keys belong here depends on the shape: only what is common to all can be judged.
        section.finish_missing();
        return None;
    };
    let placed = shape::read::<S>(shape_name, &section);
    let motion = motion::read(
        shape_name,
        placed.as_ref().map(|placed| &placed.shape),
        &section,
    );
    if let (Some(entry), Some(true), Some(Kind::Free(_))) = (&sensor, senses, &motion.movement) {
        entry.wrong("false here: only a static or kinematic body can be a sensor");
        return None;
    }
    let mount = match &mount {
        Some(entry) => read_mount::<S>(entry, &section, motion.movement.as_ref()).map(Some),
        None => Some(None),
    };
    section.finish(motion.refused);

    let (placed, name) = (placed?, name?);
    let name = match name {
        Some(name) => name.to_owned(),
        None => default_name(shape_name, index, given),
    };
    let body = Body {
        name: name.into(),
        shape: placed.shape,
        material: material?,
        groups: groups?,
        sensor: senses?,
        pose: placed.pose,
        kind: motion.movement?,
        load: motion.load?,
    };
    Some(One {
        body,
        place: placed.span,
        present: present?,
        mount: mount?,
        look: look?,
    })
}

/// `"rail"`, or a hinge.
fn read_mount<S: ReadSpace>(
    entry: &Entry<'_, '_>,
    section: &Section<'_, '_>,
    movement: Option<&Kind<S>>,
) -> Option<Mount<S>> {
    if matches!(movement, Some(Kind::Free(_) | Kind::Kinematic(_))) {
        entry.wrong("left out: only a static body is moved by actions");
        return None;
    }
    if entry.as_text() == Some("rail") {
        return Some(Mount::Rail);
    }
    if !entry.is_table() {
        entry.wrong("\"rail\", or a hinge such as { pivot = [0.0, 0.0] }");
        return None;
    }
    let inner = entry
        .section(format!("the mount of {}", section.title))?
        .of(&forms::HINGE);
    let pivot = inner.required("pivot", "a point of its axis, in metres");
    let pivot = pivot.and_then(|entry| vector::<S>(&entry, PLACE));
    let axis = S::read_hinge(&inner);
    inner.finish(&[]);
    Some(Mount::Hinge {
        pivot: pivot?,
        axis: axis?,
    })
}
