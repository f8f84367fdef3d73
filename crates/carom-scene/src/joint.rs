//! `[[joint]]`: what holds bodies together.

use crate::dimension::{ReadSpace, direction, vector};
use crate::forms;
use crate::problem::{Kind, Problem};
use crate::quantity::{DAMPING, GAP, LENGTH, PLACE, SPRING_CONSTANT};
use crate::reader::{Entry, Section};
use crate::render::shortened;
use carom::body::{Body, Kind as Movement};
use carom::joint::{Anchor, Joint, JointKind};
use carom::motion::Pose;
use carom::world::{BodyId, World, WorldError};
use std::collections::BTreeMap;
use std::ops::Range;

/// Reads all joints into the world. `waiting` are the bodies that are not there from the start.
pub(crate) fn read<S: ReadSpace>(top: &Section<'_, '_>, world: &mut World<S>, waiting: &[Body<S>]) {
    let Some(entry) = top.optional("joint") else {
        return;
    };
    let Some(items) = entry.as_items() else {
        entry.wrong("an array of tables, written [[joint]]");
        return;
    };
    let ids: BTreeMap<String, BodyId> = (world.bodies().iter().zip(0..))
        .map(|(body, id)| (body.name.to_string(), BodyId(id)))
        .collect();
    let names = BodyNames { ids, waiting };
    let mut first_uses: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let section = item.section(format!("joint {}", index + 1));
        let Some(mut section) = section.map(|section| section.of(&forms::ANY_JOINT)) else {
            continue;
        };
        let named = section.optional("name");
        let name = match named.as_ref().map(|entry| entry.label()) {
            Some(Some(name)) => name.to_owned(),
            _ => String::new(),
        };
        if let (Some(entry), false) = (&named, name.is_empty()) {
            section.title = format!("joint `{}`", shortened(&name, 40));
            if let Some(first) = first_uses.get(&name) {
                let message = format!("two joints are called `{}`", shortened(&name, 40));
                let problem = Problem::new(entry.span(), message, "must be unique");
                item.report(problem.related(first.clone(), "the first of them"));
            }
            first_uses.insert(name.clone(), entry.span());
        }
        one(section, &name, &names, world);
    }
}

/// Which body has which name.
struct BodyNames<'w, S: ReadSpace> {
    ids: BTreeMap<String, BodyId>,
    waiting: &'w [Body<S>],
}

/// What all kinds of joints have.
struct Common<'r, 't, S: ReadSpace> {
    between: Entry<'r, 't>,
    bodies: Vec<BodyId>,
    point: Option<(S::Vector, Entry<'r, 't>)>,
    anchors: Option<(Vec<S::Vector>, Entry<'r, 't>)>,
    collide: Option<bool>,
}

fn one<S: ReadSpace>(
    section: Section<'_, '_>,
    name: &str,
    names: &BodyNames<'_, S>,
    world: &mut World<S>,
) {
    let kind_entry = section.required("kind", "\"hinge\", \"distance\" or \"spring\"");
    let Some(kind) = kind_entry.and_then(|entry| read_kind(&entry)) else {
        section.finish_missing();
        return;
    };
    if let Some(form) = (forms::JOINTS.iter()).find(|form| form.tag == Some(("kind", kind))) {
        section.becomes(form);
    }
    let common = common::<S>(&section, names);
    let is_hinge = kind == "hinge";
    let ends = (common.as_ref()).and_then(|common| common.ends(&section, is_hinge, world));
    let made = own_keys::<S>(kind, &section, ends.as_ref().map(|(ends, _)| ends), world);
    let places: Vec<(&'static str, Range<usize>)> = ["length", "stiffness", "axis", "anchors"]
        .into_iter()
        .filter_map(|key| Some((key, section.value_span(key)?)))
        .collect();
    let title = section.title.clone();
    let reader = section.reader;
    section.finish(&[]);
    let (Some(common), Some((ends, collides)), Some(kind)) = (common, ends, made) else {
        return;
    };
    let joint = Joint {
        name: name.into(),
        kind,
        ends,
        collides,
    };
    if let Err(WorldError::Joint {
        field,
        value,
        allowed,
        ..
    }) = world.add_joint(joint)
    {
        let place = places.iter().find(|(key, _)| *key == field);
        let place = place.map_or(common.between.span(), |(_, span)| span.clone());
        let message = format!("{field} of {title} is {value}");
        reader.report(Problem::new(place, message, format!("must be {allowed}")));
    }
}

fn read_kind(entry: &Entry<'_, '_>) -> Option<&'static str> {
    let text = entry.text("the kind of a joint")?;
    let kinds = || (forms::JOINTS.iter()).filter_map(|form| form.tag.map(|(_, kind)| kind));
    let found = kinds().find(|kind| *kind == text);
    if found.is_none() {
        let all: Vec<&str> = kinds().collect();
        entry.not_among("the kind of a joint", all.iter().copied(), Kind::Value);
    }
    found
}

fn common<'r, 't, S: ReadSpace>(
    section: &Section<'r, 't>,
    names: &BodyNames<'_, S>,
) -> Option<Common<'r, 't, S>> {
    let between = section.required("between", "the names of one or two bodies");
    let point = section.optional("point");
    let point = match point {
        Some(entry) => vector::<S>(&entry, PLACE).map(|point| Some((point, entry))),
        None => Some(None),
    };
    let anchors = match section.optional("anchors") {
        Some(entry) => read_anchors::<S>(&entry).map(|anchors| Some((anchors, entry))),
        None => Some(None),
    };
    let collide = match section.optional("collide") {
        Some(entry) => entry.flag().map(Some),
        None => Some(None),
    };
    let between = between?;
    let bodies = names.read(&between)?;
    let common = Common {
        between,
        bodies,
        point: point?,
        anchors: anchors?,
        collide: collide?,
    };
    Some(common)
}

impl<S: ReadSpace> BodyNames<'_, S> {
    fn read(&self, entry: &Entry<'_, '_>) -> Option<Vec<BodyId>> {
        let Some(items) = (entry.as_items()).filter(|items| (1..=2).contains(&items.len())) else {
            entry.wrong("an array of the names of one or two bodies");
            return None;
        };
        let found: Vec<Option<BodyId>> = items.map(|item| self.one(&item)).collect();
        let bodies: Vec<BodyId> = found.into_iter().collect::<Option<_>>()?;
        if bodies.len() == 2 && bodies[0] == bodies[1] {
            entry.wrong("two different bodies, or one body that is held to a `point`");
            return None;
        }
        Some(bodies)
    }

    fn one(&self, entry: &Entry<'_, '_>) -> Option<BodyId> {
        let name = entry.text("the name of a body")?;
        let found = self.ids.get(name).copied();
        if found.is_none() {
            if self.waiting.iter().any(|body| &*body.name == name) {
                entry.wrong("a body that is there from the start: joints cannot be added to a run");
            } else {
                let names = self.ids.keys().map(String::as_str);
                entry.not_among("the name of a body", names, Kind::Absence);
            }
        }
        found
    }
}

fn read_anchors<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<Vec<S::Vector>> {
    let Some(items) = entry
        .as_items()
        .filter(|items| (1..=2).contains(&items.len()))
    else {
        entry.wrong("an array of points, one for each of the bodies");
        return None;
    };
    let points: Vec<Option<S::Vector>> = items.map(|item| vector::<S>(&item, PLACE)).collect();
    points.into_iter().collect()
}

/// Where a body is at the start.
fn pose_of<S: ReadSpace>(world: &World<S>, id: BodyId) -> Pose<S> {
    let body = world.body(id);
    match &body.kind {
        Movement::Kinematic(drive) => drive.state_at(&body.pose, 0.0).pose,
        _ => body.pose,
    }
}

impl<S: ReadSpace> Common<'_, '_, S> {
    /// The two ends, and whether the bodies collide.
    fn ends(
        &self,
        section: &Section<'_, '_>,
        is_hinge: bool,
        world: &World<S>,
    ) -> Option<([Anchor<S>; 2], bool)> {
        let collides = self.collide.unwrap_or(!is_hinge);
        if let Some((anchors, entry)) = &self.anchors
            && anchors.len() != self.bodies.len()
        {
            let bodies = self.bodies.len();
            entry.wrong(&format!("{bodies} points, one for each of the bodies"));
            return None;
        }
        let point = self.point.as_ref().map(|(point, _)| *point);
        let anchor = |at: usize| {
            let id = self.bodies[at];
            let at = match (&self.anchors, point) {
                (Some((anchors, _)), _) => anchors[at],
                (None, Some(point)) if is_hinge => pose_of(world, id).to_local(point),
                _ => S::vector([0.0; 3]),
            };
            Anchor::at(id, at)
        };
        match (self.bodies.len(), &self.point) {
            (1, Some((point, _))) => Some(([anchor(0), Anchor::world(*point)], collides)),
            (1, None) => {
                let message = format!("{} has one body and no `point`", section.title);
                let label = "needs a second body, or the `point` that this one is held to";
                self.between
                    .report(Problem::new(self.between.span(), message, label).kind(Kind::Absence));
                None
            }
            (_, Some((_, entry))) if !is_hinge || self.anchors.is_some() => {
                entry.wrong(
                    "left out: the joint is between two bodies, and acts at their `anchors`",
                );
                None
            }
            _ => Some(([anchor(0), anchor(1)], collides)),
        }
    }
}

/// The keys of one kind alone.
fn own_keys<S: ReadSpace>(
    kind: &str,
    section: &Section<'_, '_>,
    ends: Option<&[Anchor<S>; 2]>,
    world: &World<S>,
) -> Option<JointKind<S>> {
    match kind {
        "hinge" => {
            let Some(entry) = section.optional("axis") else {
                return Some(JointKind::Hinge { axis: None });
            };
            if S::DIMENSION == 2 {
                entry.wrong("left out in 2-D, where a hinge has one axis");
                return None;
            }
            let axis = direction::<S>(&entry)?;
            let first = ends?[0].body()?;
            let own = S::unrotate(pose_of(world, first).rotation, axis);
            Some(JointKind::Hinge { axis: Some(own) })
        }
        "distance" => {
            let length = match section.optional("length") {
                Some(entry) => Some(entry.number(LENGTH)?),
                None => None,
            };
            Some(JointKind::Distance { length })
        }
        _ => {
            let stiffness = section.required("stiffness", "k of the spring, N/m");
            let stiffness = stiffness.and_then(|entry| entry.number(SPRING_CONSTANT));
            let rest_length = match section.optional("rest_length") {
                Some(entry) => entry.number(GAP).map(Some),
                None => Some(None),
            };
            let damping = match section.optional("damping") {
                Some(entry) => entry.number(DAMPING),
                None => Some(0.0),
            };
            Some(JointKind::Spring {
                stiffness: stiffness?,
                rest_length: rest_length?,
                damping: damping?,
            })
        }
    }
}
