//! `[[containers]]`: closed containers, each of which becomes as many bodies as it has walls.

mod form;
mod refusal;

use crate::forms;
use crate::material::Names;
use crate::motion;
use crate::problem::{Kind, Problem};
use crate::reader::{Entry, Section};
use crate::render::shortened;
use carom::body::Kind as Movement;
use carom::container::{Container, Side};
use carom::material::MaterialId;
use carom::motion::Drive;
use carom::world::World;
pub(crate) use form::ContainerSpace;
use refusal::Refusals;
use std::collections::BTreeMap;
use std::ops::Range;

/// Reads all containers into the world. `places` says where in the file each body is put, and grows by the walls.
pub(crate) fn read<S: ContainerSpace>(
    top: &Section<'_, '_>,
    names: &Names,
    most: usize,
    world: &mut World<S>,
    places: &mut Vec<Range<usize>>,
) {
    let Some(entry) = top.optional("containers") else {
        return;
    };
    let Some(items) = entry.as_items() else {
        entry.wrong("an array of tables, written [[containers]]");
        return;
    };
    let mut first_uses: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let Some(read) = one::<S>(index, &item, names, most) else {
            continue;
        };
        if let Some(first) = first_uses.get(read.container.name()) {
            let name = shortened(read.container.name(), 40);
            let message = format!("two containers are called `{name}`");
            let problem = Problem::new(read.name, message, "must be unique");
            item.report(problem.related(first.clone(), "the first of them"));
            continue;
        }
        first_uses.insert(read.container.name().to_owned(), read.name.clone());
        add(&item, read, most, world, places);
    }
}

/// A container as it was read.
struct Read<S: ContainerSpace> {
    container: Container<S>,
    /// What in the file names it.
    name: Range<usize>,
    /// What in the file says what it is.
    place: Range<usize>,
}

fn add<S: ContainerSpace>(
    item: &Entry<'_, '_>,
    read: Read<S>,
    most: usize,
    world: &mut World<S>,
    places: &mut Vec<Range<usize>>,
) {
    let walls = read.container.bodies();
    let total = world.bodies().len() + walls.len();
    if total > most {
        let message = format!("with the walls of this container the scene has {total} bodies");
        let allowed = format!("must be at most {most}");
        item.report(Problem::new(read.place, message, allowed));
        return;
    }
    let taken = |name: &str| world.bodies().iter().position(|body| &*body.name == name);
    if let Some((wall, body)) = walls
        .iter()
        .find_map(|wall| Some((&wall.name, taken(&wall.name)?)))
    {
        let message = format!("a body is called `{}`, as a wall is", shortened(wall, 40));
        let problem = Problem::new(read.name, message, "names its walls so");
        item.report(problem.related(places[body].clone(), "the body is here"));
        return;
    }
    match world.add_container(read.container) {
        Ok(ids) => places.extend(ids.iter().map(|_| read.place.clone())),
        Err(error) => item.report(Problem::new(
            read.place,
            error.to_string(),
            "in this container",
        )),
    }
}

fn one<S: ContainerSpace>(
    index: usize,
    item: &Entry<'_, '_>,
    names: &Names,
    most: usize,
) -> Option<Read<S>> {
    let section = item.section(format!("container {}", index + 1))?;
    let mut section = section.of(&forms::ANY_CONTAINER);
    let named = section.optional("name");
    let name = match &named {
        Some(entry) => entry.label()?.to_owned(),
        None => section.title.clone(),
    };
    if named.is_some() {
        section.title = format!("container `{}`", shortened(&name, 40));
    }
    let shape_entry = section.required("shape", "the form of the container, such as \"circle\"");
    let Some((shape, place)) = shape_entry.and_then(|entry| read_shape::<S>(&entry)) else {
        section.finish_missing();
        return None;
    };
    if let Some(form) = (forms::CONTAINERS.iter()).find(|form| form.tag == Some(("shape", shape))) {
        section.becomes(form);
    }
    let side = match section.optional("balls") {
        Some(entry) => read_side(&entry),
        None => Some(Side::Inside),
    };
    let mut refusals = Refusals::new(&section, &name, most);
    let container = S::read_container(shape, &mut refusals, side.unwrap_or_default());
    let stuff = read_materials(&section, names);
    let whole = match section.optional("motion") {
        Some(entry) => drive::<S>(&entry, &section),
        None => Some(None),
    };
    let walls = read_walls::<S>(&section, names);
    let container = container
        .zip(stuff)
        .and_then(|(container, stuff)| stuff.of(container, &refusals));
    let container = container.zip(walls).and_then(|(container, walls)| {
        walls.into_iter().try_fold(container, |container, wall| {
            let entry = wall.number_entry;
            let changed = match wall.material {
                Some(material) => container.wall_made_of(wall.number, material),
                None => container.check_wall(wall.number).map(|()| container),
            };
            let changed = match wall.drive {
                Some(drive) => {
                    changed.and_then(|container| container.kinematic_wall(wall.number, drive))
                }
                None => changed,
            };
            changed
                .map_err(|error| refusals.report(error, Some(&entry)))
                .ok()
        })
    });
    section.finish(&[]);
    let (container, whole, _) = (container?, whole?, side?);
    let container = match whole {
        Some(drive) => container.kinematic(drive),
        None => container,
    };
    Some(Read {
        container,
        name: named.map_or_else(|| place.clone(), |entry| entry.span()),
        place,
    })
}

fn read_shape<S: ContainerSpace>(entry: &Entry<'_, '_>) -> Option<(&'static str, Range<usize>)> {
    let text = entry.text("the form of a container")?;
    let found = S::FORMS.iter().find(|form| **form == text);
    if found.is_none() {
        if S::OTHER_FORMS.contains(&text) {
            let problem = entry.problem(&format!("a container of dimension = {}", S::DIMENSION));
            let list = S::FORMS.join(", ");
            let other = 5 - S::DIMENSION;
            entry.report(problem.help(format!(
                "`{text}` exists where dimension = {other}; here there are {list}"
            )));
        } else {
            entry.not_among(
                "the form of a container",
                S::FORMS.iter().copied(),
                Kind::Value,
            );
        }
    }
    Some((found?, entry.span()))
}

fn read_side(entry: &Entry<'_, '_>) -> Option<Side> {
    let text = entry.text("\"inside\", \"outside\" or \"both\"")?;
    let found = Side::ALL.into_iter().find(|(name, _)| *name == text);
    if found.is_none() {
        let names = Side::ALL.into_iter().map(|(name, _)| name);
        entry.not_among("the side that balls are on", names, Kind::Value);
    }
    found.map(|(_, side)| side)
}

/// `None` where it is wrong; `Some(None)` where nothing moves.
fn drive<S: ContainerSpace>(
    entry: &Entry<'_, '_>,
    section: &Section<'_, '_>,
) -> Option<Option<Drive<S>>> {
    match entry.as_text() {
        Some("static") => Some(None),
        None if entry.is_table() => match motion::drive::<S>(entry, section)? {
            Movement::Kinematic(drive) => Some(Some(drive)),
            _ => None,
        },
        _ => {
            entry.wrong("\"static\" or a table such as { velocity = [1.0, 0.0] }");
            None
        }
    }
}

/// What the walls are made of.
enum Stuff<'r, 't> {
    Default,
    One(MaterialId),
    Each(Vec<MaterialId>, Entry<'r, 't>),
}

impl<'r, 't> Stuff<'r, 't> {
    /// The container made of it.
    fn of<S: ContainerSpace>(
        self,
        container: Container<S>,
        refusals: &Refusals<'_, 'r, 't>,
    ) -> Option<Container<S>> {
        match self {
            Stuff::Default => Some(container),
            Stuff::One(material) => Some(container.made_of(material)),
            Stuff::Each(materials, entry) => container
                .walls_made_of(&materials)
                .map_err(|error| refusals.report(error, Some(&entry)))
                .ok(),
        }
    }
}

/// `material` for all walls, or `materials` with one for each.
fn read_materials<'r, 't>(section: &Section<'r, 't>, names: &Names) -> Option<Stuff<'r, 't>> {
    let one = section.optional("material");
    let each = section.optional("materials");
    if let (Some(one), Some(each)) = (&one, &each) {
        let problem = one.problem("left out where `materials` are given");
        section
            .reader
            .report(problem.related(each.span(), "given here"));
        return None;
    }
    match (one, each) {
        (Some(entry), _) => Some(Stuff::One(names.find(&entry)?)),
        (None, Some(entry)) => {
            let Some(items) = entry.as_items() else {
                entry.wrong("an array with the name of a material for each wall");
                return None;
            };
            let found: Vec<_> = items.map(|item| names.find(&item)).collect();
            let materials = found.into_iter().collect::<Option<_>>()?;
            Some(Stuff::Each(materials, entry))
        }
        (None, None) => Some(Stuff::Default),
    }
}

/// What is said of a single wall.
struct Wall<'r, 't, S: ContainerSpace> {
    number: usize,
    number_entry: Entry<'r, 't>,
    material: Option<MaterialId>,
    drive: Option<Drive<S>>,
}

/// `walls`: what single walls are made of, and how they move.
fn read_walls<'r, 't, S: ContainerSpace>(
    section: &Section<'r, 't>,
    names: &Names,
) -> Option<Vec<Wall<'r, 't, S>>> {
    let Some(entry) = section.optional("walls") else {
        return Some(Vec::new());
    };
    let Some(items) = entry.as_items() else {
        entry.wrong("an array of tables such as { wall = 2, motion = { velocity = … } }");
        return None;
    };
    let read: Vec<_> = items.map(|item| one_wall(&item, section, names)).collect();
    read.into_iter().collect()
}

fn one_wall<'r, 't, S: ContainerSpace>(
    item: &Entry<'r, 't>,
    container: &Section<'r, 't>,
    names: &Names,
) -> Option<Wall<'r, 't, S>> {
    let section = item.section(format!("a wall of {}", container.title))?;
    let number_entry = section.required("wall", "its number, from 1");
    let number = number_entry.as_ref().and_then(Entry::count);
    let material = match section.optional("material") {
        Some(entry) => names.find(&entry).map(Some),
        None => Some(None),
    };
    let drive = match section.optional("motion") {
        Some(entry) => drive::<S>(&entry, &section),
        None => Some(None),
    };
    section.finish(&[]);
    Some(Wall {
        number: usize::try_from(number?).unwrap_or(usize::MAX),
        number_entry: number_entry?,
        material: material?,
        drive: drive?,
    })
}
