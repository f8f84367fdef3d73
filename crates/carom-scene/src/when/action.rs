//! What a rule does.

use super::Reading;
use super::strike;
use crate::dimension::{ReadSpace, vector};
use crate::field;
use crate::forms;
use crate::load;
use crate::motion;
use crate::problem::{Kind as ProblemKind, Problem};
use crate::quantity::{
    DURATION, MASS, OFFSET, PHASE, PLACE, PURE, SLIDING_SPEED, TIME, TURNING_SPEED, VELOCITY,
    WEIGHT,
};
use crate::reader::{Entry, Section};
use crate::render::shortened;
use crate::scene::warn_of_gravity;
use carom::body::{Body, CollisionFilter, Kind};
use carom::simulate::{Action, ActionTarget, Mount};
use carom::space::Linear;
use carom::world::BodyId;

/// Scores are whole numbers up to this.
const LARGEST_SCORE: f64 = 9e15;

/// Who set an action off, as far as a rule knows.
#[derive(Clone, Copy)]
pub(super) struct Parties {
    /// Whether bodies did.
    pub there: bool,
    /// Whether the trigger could be read.
    pub known: bool,
}

impl<S: ReadSpace> Reading<'_, S> {
    /// One action; `parties` says whether bodies set it off, `known` whether the trigger could be read.
    pub(super) fn action(
        &self,
        entry: &Entry<'_, '_>,
        parties: bool,
        known: bool,
    ) -> Option<Action<S>> {
        let section = entry.section(entry.title.clone())?;
        section.becomes(&forms::ANY_ACTION);
        let kinds = forms::ACTIONS.map(|form| (form.name, tag(form), form));
        // `set` and `add` have keys in common with others: what they are is told by these.
        let found: Vec<_> = kinds
            .iter()
            .filter(|(_, key, _)| section.has(key))
            .collect();
        let found: Vec<_> = match found[..] {
            [_, _, ..] if section.has("set") => found
                .into_iter()
                .filter(|(_, key, _)| *key != "material")
                .collect(),
            _ => found,
        };
        let [(_, key, form)] = found[..] else {
            let all: Vec<&str> = kinds.iter().map(|(_, key, _)| *key).collect();
            if found.is_empty() {
                let strange = section.first_key().map(str::to_owned);
                self.no_action(entry, strange.as_deref(), &all);
            } else {
                let keys: Vec<&str> = found.iter().map(|(_, key, _)| *key).collect();
                entry.wrong(&format!(
                    "one action, not {} at once: an array of tables has several",
                    keys.join(" and ")
                ));
            }
            return None;
        };
        section.becomes(form);
        let who = Parties {
            there: parties,
            known,
        };
        let action = self.one(key, &section, who);
        let after = match section.optional("after") {
            Some(entry) => entry.number(DURATION),
            None => Some(0.0),
        };
        section.finish(&[]);
        let (action, after) = (action?, after?);
        Some(if after > 0.0 {
            action.after(after)
        } else {
            action
        })
    }

    /// Nothing in a table is an action.
    fn no_action(&self, entry: &Entry<'_, '_>, strange: Option<&str>, all: &[&str]) {
        let mut problem = entry.problem("an action");
        if let Some(strange) = strange {
            problem.message = format!(
                "`{}` of {} is no action",
                shortened(strange, 40),
                entry.title
            );
        }
        entry.report(problem.help(format!("an action has one of {}", all.join(", "))));
    }

    fn one(&self, key: &str, section: &Section<'_, '_>, who: Parties) -> Option<Action<S>> {
        match key {
            "gravity" => {
                let entry = section.required("gravity", "in m/s²")?;
                let gravity = vector::<S>(&entry, WEIGHT);
                warn_of_gravity::<S>(&entry, gravity);
                gravity.map(Action::Gravity)
            }
            "fields" => {
                let entry = section.required("fields", "as in [fields]")?;
                field::read_later(&entry).map(Action::FieldsButGravity)
            }
            "material" => self.material(section),
            "set" => self.set(section, who),
            "remove" => {
                let entry = section.required("remove", "the name of a body")?;
                let target = self.cast.target(&entry, who.there, who.known)?;
                Some(Action::Remove(target))
            }
            "add" => self.add(section),
            "swing" => self.swing(section),
            "slide" => self.slide(section),
            "strike" => self.strike(section),
            "score" => score(section),
            "print" => {
                let entry = section.required("print", "a text")?;
                self.text(&entry).map(|text| Action::Print(text.to_owned()))
            }
            "press" | "release" => self.keys(key, section),
            _ => self.stop(section),
        }
    }

    /// A text whose placeholders are known.
    fn text<'r>(&self, entry: &Entry<'r, '_>) -> Option<&'r str> {
        let text = entry.label()?;
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                entry.wrong("a text in which each { has a }");
                return None;
            };
            let known = ["time", "first", "second"].contains(&name) || self.scores.contains(name);
            if !known {
                let fixed = ["time", "first", "second"];
                let all: Vec<&str> = fixed
                    .into_iter()
                    .chain(self.scores.iter().map(String::as_str))
                    .take(20)
                    .collect();
                let problem = entry.problem("a text with names of scores between { and }");
                let name = shortened(name, 40);
                entry.report(problem.help(format!("`{{{name}}}` is none of {}", all.join(", "))));
                return None;
            }
            rest = after;
        }
        Some(text)
    }

    fn material(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let entry = section.required("material", "the name of a material")?;
        let id = self.around.materials.find(&entry);
        let base = id.map(|id| *self.around.world.materials.get(id));
        let material = crate::material::changed(section, &base.unwrap_or_default());
        let name = self.around.world.materials.name(id?).to_owned();
        Some(Action::Numbers(name, material?))
    }

    fn set(&self, section: &Section<'_, '_>, who: Parties) -> Option<Action<S>> {
        let entry = section.required("set", "the name of a body")?;
        let target = self.cast.target(&entry, who.there, who.known);
        let mut all: Vec<Option<Action<S>>> = Vec::new();
        let whom = target.clone().unwrap_or(ActionTarget::Ball);
        if let Some(entry) = section.optional("position") {
            self.all_free(&entry, &whom);
            let read = vector::<S>(&entry, PLACE);
            all.push(read.map(|position| Action::Position(whom.clone(), position)));
        }
        let velocity = section.optional("velocity");
        let angular = section.optional("angular_velocity");
        if let Some(entry) = &velocity {
            self.all_free(entry, &whom);
            let read = vector::<S>(entry, VELOCITY);
            all.push(read.map(|velocity| Action::LinearVelocity(whom.clone(), velocity)));
        }
        if let Some(entry) = &angular {
            self.all_free(entry, &whom);
            let read = S::read_angular_velocity(entry);
            all.push(read.map(|angular| Action::AngularVelocity(whom.clone(), angular)));
        }
        if let Some(entry) = section.optional("mass") {
            self.all_free(&entry, &whom);
            let read = entry.number(MASS);
            all.push(read.map(|mass| Action::Mass(whom.clone(), mass)));
        }
        if let Some(entry) = section.optional("material") {
            let read = self.around.materials.find(&entry);
            all.push(read.map(|material| Action::Material(whom.clone(), material)));
        }
        all.extend(self.filter(section, &whom));
        if let Some(entry) = section.optional("motion") {
            all.push(self.drive(&entry, section, &whom));
        }
        if section.has("force") || section.has("torque") {
            all.push(load::read(section).map(|load| Action::Load(whom.clone(), load)));
        } else {
            // So that they are known where they are not there.
            section.optional("force");
            section.optional("torque");
        }
        target?;
        if all.is_empty() {
            let message = format!("{} sets nothing", section.title);
            let allowed = "needs one of position, velocity, angular_velocity, mass, material, groups, collides_with, motion, force, torque";
            section
                .reader
                .report(Problem::new(section.span.clone(), message, allowed));
            return None;
        }
        let all: Vec<Action<S>> = all.into_iter().collect::<Option<_>>()?;
        Some(together(all))
    }

    /// Says where a body is meant that is not free.
    fn all_free(&self, entry: &Entry<'_, '_>, whom: &ActionTarget) {
        let fixed = |id: &&BodyId| !matches!(self.body(**id).kind, Kind::Free(_));
        let found = match whom {
            ActionTarget::Body(id) => Some(id).filter(fixed),
            ActionTarget::Bodies(ids) => ids.iter().find(fixed),
            _ => None,
        };
        if let Some(&id) = found {
            let name = shortened(&self.body(id).name, 40);
            entry.wrong(&format!("left out: `{name}` is not free"));
        }
    }

    fn filter(&self, section: &Section<'_, '_>, whom: &ActionTarget) -> Option<Option<Action<S>>> {
        let given = section.has("groups") || section.has("collides_with");
        let read = self.around.names.groups.read(section);
        if !given {
            return None;
        }
        // What is left out stays as the scene has it.
        let base = match whom {
            ActionTarget::Body(id) => self.body(*id).groups,
            ActionTarget::Bodies(ids) => ids
                .first()
                .map_or(CollisionFilter::ALL, |&id| self.body(id).groups),
            _ => CollisionFilter::ALL,
        };
        Some(read.map(|filter| {
            let filter = CollisionFilter {
                memberships: if section.has("groups") {
                    filter.memberships
                } else {
                    base.memberships
                },
                mask: if section.has("collides_with") {
                    filter.mask
                } else {
                    base.mask
                },
            };
            Action::CollisionFilter(whom.clone(), filter)
        }))
    }

    fn drive(
        &self,
        entry: &Entry<'_, '_>,
        section: &Section<'_, '_>,
        whom: &ActionTarget,
    ) -> Option<Action<S>> {
        let ids = match whom {
            ActionTarget::Body(id) => vec![*id],
            ActionTarget::Bodies(ids) => ids.clone(),
            _ => {
                entry.wrong("left out: a body has to be named to be moved");
                return None;
            }
        };
        for &id in &ids {
            let name = shortened(&self.body(id).name, 40);
            if matches!(self.body(id).kind, Kind::Free(_)) {
                entry.wrong(&format!("left out: `{name}` is free"));
                return None;
            }
            if self.cast.mount(id).is_some() {
                entry.wrong(&format!(
                    "left out: `{name}` has a mount; swing or slide it"
                ));
                return None;
            }
        }
        let drive = match entry.as_text() {
            Some("static") => None,
            Some(_) => {
                entry.not_among("a motion", ["static"].into_iter(), ProblemKind::Value);
                return None;
            }
            None if entry.is_table() => match motion::drive::<S>(entry, section)? {
                Kind::Kinematic(drive) => Some(drive),
                _ => None,
            },
            None => {
                entry.wrong("\"static\" or a table such as { velocity = [1.0, 0.0] }");
                return None;
            }
        };
        let all = ids.into_iter();
        Some(together(
            all.map(|id| Action::Drive(id, drive.clone())).collect(),
        ))
    }

    fn add(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let entry = section.required("add", "the name of a body, or a body")?;
        let position = section.optional("position");
        let velocity = section.optional("velocity");
        let angular = section.optional("angular_velocity");
        let ids = if entry.is_table() {
            // It was read, and what is wrong with it said, before.
            let place = self.inline.get(&entry.span().start)?;
            vec![self.cast.waiting_id(*place)]
        } else {
            let ids = self.cast.several(&entry)?;
            let there = self.around.world.bodies().len();
            if !self.removes && ids.iter().all(|id| (id.0 as usize) < there) {
                entry.warn("there from the beginning, and nothing removes it; what is added has `present = false`");
            }
            ids
        };
        let whom = ActionTarget::Bodies(ids.clone());
        for moved in [&velocity, &angular].into_iter().flatten() {
            self.all_free(moved, &whom);
        }
        let position = match position {
            Some(entry) => Some(vector::<S>(&entry, PLACE)?),
            None => None,
        };
        let velocity = match velocity {
            Some(entry) => Some(vector::<S>(&entry, VELOCITY)?),
            None => None,
        };
        let angular = match angular {
            Some(entry) => Some(S::read_angular_velocity(&entry)?),
            None => None,
        };
        let changed = |id: BodyId| {
            let mut body = self.body(id).clone();
            body.pose.position = position.unwrap_or(body.pose.position);
            if let Kind::Free(free) = &mut body.kind {
                free.velocity = velocity.unwrap_or(free.velocity);
                free.angular_velocity = angular.unwrap_or(free.angular_velocity);
            }
            body
        };
        let bodies: Vec<(BodyId, Body<S>)> = ids.into_iter().map(|id| (id, changed(id))).collect();
        Some(Action::Enter(bodies))
    }

    /// A body on a mount of a kind.
    fn mounted(&self, entry: &Entry<'_, '_>, hinge: bool) -> Option<BodyId> {
        let id = self.cast.one(entry)?;
        let (fits, needed) = match self.cast.mount(id) {
            Some(Mount::Hinge { .. }) => (hinge, "mount = { pivot = … }"),
            Some(_) => (!hinge, "mount = \"rail\""),
            None => (false, ""),
        };
        if !fits {
            let wanted = if hinge {
                "a body with mount = { pivot = … }"
            } else {
                "a body with mount = \"rail\""
            };
            let problem = entry.problem(wanted);
            entry.report(match needed {
                "" => problem,
                needed => problem.help(format!("it has {needed}")),
            });
            return None;
        }
        Some(id)
    }

    fn swing(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let body = section.required("swing", "the name of a body with a hinge");
        let to = section.required("to", "the angle, radians");
        let speed = section.required("speed", "in radians per second");
        let hold = hold(section);
        let body = body.and_then(|entry| self.mounted(&entry, true));
        let to = to.and_then(|entry| entry.number(PHASE));
        let speed = speed.and_then(|entry| entry.number(TURNING_SPEED));
        let (body, to, speed) = (body?, to?, speed?);
        let swing = |to: f64| Action::Swing { body, to, speed };
        Some(there_and_back(swing(to), swing(0.0), hold?))
    }

    fn slide(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let body = section.required("slide", "the name of a body on a rail");
        let to = section.required("to", "the displacement, metres");
        let speed = section.required("speed", "in metres per second");
        let hold = hold(section);
        let body = body.and_then(|entry| self.mounted(&entry, false));
        let to = to.and_then(|entry| vector::<S>(&entry, OFFSET));
        let speed = speed.and_then(|entry| entry.number(SLIDING_SPEED));
        let (body, to, speed) = (body?, to?, speed?);
        let slide = |to: S::Vector| Action::Slide { body, to, speed };
        Some(there_and_back(slide(to), slide(S::Vector::ZERO), hold?))
    }

    fn strike(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let entry = section.required("strike", "the name of a ball")?;
        let cue = strike::read::<S>(section);
        let id = self.cast.one(&entry)?;
        let velocities = cue?.on(self.body(id));
        match velocities {
            Ok((velocity, angular)) => {
                Some(Action::Velocity(ActionTarget::Body(id), velocity, angular))
            }
            Err(allowed) => {
                entry.wrong(&allowed);
                None
            }
        }
    }

    fn keys(&self, key: &str, section: &Section<'_, '_>) -> Option<Action<S>> {
        if key == "release" {
            let entry = section.required("release", "the name of a key")?;
            return entry.label().map(Action::release);
        }
        let entry = section.required("press", "the name of a key")?;
        let hold = hold(section);
        let key = entry.label()?;
        let (press, release) = (Action::press(key), Action::release(key));
        Some(there_and_back(press, release, hold?))
    }

    fn stop(&self, section: &Section<'_, '_>) -> Option<Action<S>> {
        let entry = section.required("stop", "true, or a text that says why")?;
        if entry.as_flag() == Some(true) {
            return Some(Action::End);
        }
        if entry.as_text().is_none() {
            entry.wrong("true, or a text that says why");
            return None;
        }
        let why = self.text(&entry)?.to_owned();
        Some(Action::All(vec![Action::Print(why), Action::End]))
    }
}

/// The key that an action goes by.
fn tag(form: &'static forms::Form) -> &'static str {
    form.keys.first().map_or("", |key| key.name)
}

/// `None` where it is wrong.
fn hold(section: &Section<'_, '_>) -> Option<Option<f64>> {
    match section.optional("hold") {
        Some(entry) => entry.number(TIME).map(Some),
        None => Some(None),
    }
}

fn there_and_back<S: ReadSpace>(there: Action<S>, back: Action<S>, hold: Option<f64>) -> Action<S> {
    match hold {
        Some(hold) => Action::All(vec![there, back.after(hold)]),
        None => there,
    }
}

fn score<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Action<S>> {
    let entry = section.required("score", "its name")?;
    let by = section.optional("by");
    let to = section.optional("to");
    let name = entry.label()?;
    if ["time", "first", "second"].contains(&name) || name.contains(['{', '}']) {
        entry.wrong("another name: texts have `{time}`, `{first}` and `{second}` already");
        return None;
    }
    if let (Some(_), Some(to)) = (&by, &to) {
        to.wrong("left out where `by` is given");
        return None;
    }
    Some(match (by, to) {
        (_, Some(entry)) => Action::SetScore(name.to_owned(), whole(&entry)?),
        (Some(entry), None) => Action::score(name, whole(&entry)?),
        (None, None) => Action::score(name, 1),
    })
}

/// A whole number with a sign.
fn whole(entry: &Entry<'_, '_>) -> Option<i64> {
    let number = entry.number(PURE)?;
    if number != number.trunc() || number.abs() > LARGEST_SCORE {
        entry.wrong("a whole number");
        return None;
    }
    Some(number as i64)
}

/// One action of them all.
fn together<S: ReadSpace>(mut all: Vec<Action<S>>) -> Action<S> {
    match all.pop() {
        Some(only) if all.is_empty() => only,
        last => {
            all.extend(last);
            Action::All(all)
        }
    }
}
