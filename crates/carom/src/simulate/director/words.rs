//! Bodies, conditions and actions in words, for the log and for messages.

use super::{Action, ActionRule, ActionTarget, Bodies, Cause, Director, Parties};
use crate::material::{Law, Material};
use crate::simulate::compiled::Engines;
use crate::world::BodyId;
use std::collections::BTreeSet;

impl<S: Engines> Director<S> {
    /// What messages call a body.
    pub(super) fn label(&self, id: BodyId) -> String {
        let absent = self.absent.get(&id).map_or("", |body| &*body.name);
        match [self.run.name(id), absent].concat().as_str() {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }

    /// Several bodies.
    pub(super) fn list(&self, ids: &[BodyId]) -> String {
        const SHOWN: usize = 3;
        let mut names: Vec<String> = ids.iter().take(SHOWN).map(|&id| self.label(id)).collect();
        if ids.len() > SHOWN {
            names.push(format!("… ({} bodies)", ids.len()));
        }
        names.join(", ")
    }

    /// A text with scores, the time and names in the place of their names in braces.
    pub(super) fn filled_in(&self, text: &str, who: Parties) -> String {
        let name = |id: Option<BodyId>| id.map_or_else(|| "?".to_owned(), |id| self.label(id));
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((key, after)) = after.split_once('}') else {
                filled.push('{');
                rest = after;
                continue;
            };
            match key {
                "time" => filled.push_str(&self.run.time().to_string()),
                "first" => filled.push_str(&name(who.ball)),
                "second" => filled.push_str(&name(who.other)),
                score => filled.push_str(&self.score(score).to_string()),
            }
            rest = after;
        }
        filled + rest
    }

    /// A rule in words.
    pub(super) fn rule_words(&self, rule: &ActionRule<S>) -> String {
        let list = |ids: &BTreeSet<BodyId>| self.list(&Vec::from_iter(ids.iter().copied()));
        let whom = |bodies: &Bodies| match bodies {
            Bodies::These(ids) => list(ids),
            Bodies::Free => "a free body".to_owned(),
            Bodies::Any => "a body".to_owned(),
        };
        let cause = match &rule.trigger.cause {
            Cause::Collision(first, second) => {
                format!("{} collides with {}", whom(first), whom(second))
            }
            Cause::Entered(who, sensors) => format!("{} enters {}", whom(who), list(sensors)),
            Cause::Left(who, sensors) => format!("{} leaves {}", whom(who), list(sensors)),
            Cause::Pressed(key) => format!("{key} is pressed"),
            Cause::Released(key) => format!("{key} is released"),
            Cause::Begins(_) | Cause::BeginTogether(_) => {
                let conditions = rule.trigger.cause.conditions().iter();
                let words: Vec<String> = conditions.map(|one| self.condition_words(one)).collect();
                words.join(" and ")
            }
        };
        format!("when {cause}: {}", self.words(&rule.action))
    }

    /// An action in words.
    pub(super) fn words(&self, action: &Action<S>) -> String {
        self.words_of(action, Parties::default())
    }

    /// The same, with the names of those that set it off.
    ///
    /// Longer than most: one arm for each kind of action.
    pub(super) fn words_of(&self, action: &Action<S>, who: Parties) -> String {
        let known = |id: Option<BodyId>, otherwise: &str| match id {
            Some(id) => self.label(id),
            None => otherwise.to_owned(),
        };
        let whom = |whom: &ActionTarget| match whom {
            ActionTarget::Body(id) => self.label(*id),
            ActionTarget::Bodies(ids) => self.list(ids),
            ActionTarget::Ball => known(who.ball, "the ball"),
            ActionTarget::Other => known(who.other, "the other body"),
        };
        match action {
            Action::Gravity(gravity) => format!("set gravity to {} m/s²", plain(gravity)),
            Action::Fields(fields) => {
                let names: Vec<&str> = fields.parts().iter().map(|part| &*part.name).collect();
                format!(
                    "set fields to gravity {} m/s² and [{}]",
                    plain(&fields.gravity),
                    names.join(", ")
                )
            }
            Action::FieldsButGravity(fields) => {
                let names: Vec<&str> = fields.parts().iter().map(|part| &*part.name).collect();
                format!("set fields to [{}]", names.join(", "))
            }
            Action::Material(body, material) => {
                let materials = self.run.materials();
                let name = if material.index() < materials.len() {
                    materials.name(*material).to_owned()
                } else {
                    format!("material {}", material.index())
                };
                format!("make {} of {name}", whom(body))
            }
            Action::Numbers(name, material) => {
                format!("change material {name} to {}", numbers(material))
            }
            Action::Velocity(body, velocity, angular_velocity) => format!(
                "set the velocity of {} to {} m/s, {} rad/s",
                whom(body),
                plain(velocity),
                plain(angular_velocity)
            ),
            Action::LinearVelocity(body, velocity) => {
                let velocity = plain(velocity);
                format!("set the velocity of {} to {velocity} m/s", whom(body))
            }
            Action::AngularVelocity(body, angular) => {
                let angular = plain(angular);
                format!(
                    "set the angular velocity of {} to {angular} rad/s",
                    whom(body)
                )
            }
            Action::Kick(kicks) => format!("kick bodies at random by {} m/s", kicks.spread),
            Action::Mass(body, mass) => format!("set the mass of {} to {mass} kg", whom(body)),
            Action::Load(body, Some(_)) => format!("let an external force act on {}", whom(body)),
            Action::Load(body, None) => format!("let no external force act on {}", whom(body)),
            Action::Position(body, position) => {
                format!("put {} at {} m", whom(body), plain(position))
            }
            Action::CollisionFilter(body, groups) => format!(
                "let {} be in groups {:#x} and collide with groups {:#x}",
                whom(body),
                groups.memberships,
                groups.mask
            ),
            Action::Remove(body) => format!("remove {}", whom(body)),
            Action::Insert(body) => format!("insert {}", &*body.name),
            Action::Enter(bodies) => {
                let ids: Vec<BodyId> = bodies.iter().map(|(id, _)| *id).collect();
                match bodies.as_slice() {
                    [(_, body)] => format!("add {}", &*body.name),
                    _ => format!("add one of {}", self.list(&ids)),
                }
            }
            Action::Drive(id, Some(_)) => format!("drive {}", self.label(*id)),
            Action::Drive(id, None) => format!("let {} stand", self.label(*id)),
            Action::Swing { body, to, speed } => {
                format!("swing {} to {to} rad at {speed} rad/s", self.label(*body))
            }
            Action::Slide { body, to, speed } => {
                let to = plain(to);
                format!("slide {} to {to} m at {speed} m/s", self.label(*body))
            }
            Action::Score(name, points) => format!("score {name} {points:+}"),
            Action::SetScore(name, points) => format!("set score {name} to {points}"),
            Action::Print(text) => format!("print {text:?}"),
            Action::If(conditions, then) => {
                let words = conditions.iter().map(|it| self.condition_words(it));
                let words: Vec<String> = words.collect();
                format!("if {}: {}", words.join(" and "), self.words_of(then, who))
            }
            Action::Press(key) => format!("press {key}"),
            Action::Release(key) => format!("release {key}"),
            Action::After(delay, then) => format!("after {delay} s: {}", self.words_of(then, who)),
            Action::All(several) => {
                let words: Vec<String> = several.iter().map(|it| self.words_of(it, who)).collect();
                words.join("; ")
            }
            Action::End => "end".to_owned(),
        }
    }
}

/// What a material is like: its law, and its numbers where they are not those of every material.
fn numbers(material: &Material) -> String {
    let friction = if material.static_friction == material.kinetic_friction {
        format!("friction {}", material.kinetic_friction)
    } else {
        let (held, sliding) = (material.static_friction, material.kinetic_friction);
        format!("friction {held} static and {sliding} kinetic")
    };
    let mut words = format!("restitution {}, {friction}", material.restitution);
    let rest = [
        ("rolling resistance", material.rolling_resistance, ""),
        ("spinning resistance", material.spinning_resistance, ""),
        ("contacts that last", material.contact_duration, " s"),
    ];
    for (name, value, unit) in rest {
        if value != 0.0 {
            words += &format!(", {name} {value}{unit}");
        }
    }
    if material.law != Law::Coulomb {
        words += &format!(", law {}", material.law);
    }
    words
}

/// A vector as its numbers, without the name of its type.
fn plain(vector: &impl std::fmt::Debug) -> String {
    let text = format!("{vector:?}");
    let numbers = text.find('(').unwrap_or(0);
    text[numbers..].to_owned()
}
