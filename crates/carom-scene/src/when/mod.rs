//! `[[when]]`: what sets something off during a run, and what is done then.

mod action;
mod condition;
mod names;
mod strike;
mod thermostat;
mod trigger;

use crate::body::{self, Extras};
use crate::dimension::ReadSpace;
use crate::material;
use crate::plan::{Plan, Rule};
use crate::problem::Problem;
use crate::reader::{Entry, Section};
use crate::render::shortened;
use carom::simulate::Action;
use carom::world::{BodyId, World};
use names::Cast;
use std::collections::{BTreeMap, BTreeSet};

/// As many rules as a scene may have.
const MOST_RULES: usize = 100_000;

/// As many things as a rule may do.
const MOST_ACTIONS: usize = 1000;

/// As often as a rule may be repeated, or conditions be looked at, in a run.
const MOST_REPEATS: f64 = 1e7;

/// What the reading of rules needs to know.
pub(crate) struct Around<'n, S: ReadSpace> {
    pub world: &'n World<S>,
    pub names: &'n body::Names<'n>,
    pub materials: &'n material::Names,
    /// When the run ends, s, where that could be read.
    pub until: Option<f64>,
    /// Of all random numbers.
    pub seed: u64,
    pub most_bodies: usize,
}

/// Reads all rules; the bodies that are to come and the mounts are known already.
pub(crate) fn read<S: ReadSpace>(
    top: &Section<'_, '_>,
    around: &Around<'_, S>,
    extras: &mut Extras<S>,
) -> Plan<S> {
    let entry = top.optional("when");
    let items: Vec<Entry<'_, '_>> = match &entry {
        None => Vec::new(),
        Some(entry) => match entry.as_items().filter(|items| items.len() <= MOST_RULES) {
            Some(items) => items.collect(),
            None => {
                entry.wrong(&format!(
                    "an array of at most {MOST_RULES} tables, written [[when]]"
                ));
                Vec::new()
            }
        },
    };
    let inline = newcomers(&items, around, extras);
    let cast = Cast::new(around.world, &extras.waiting, &extras.mounts);
    let mut plan = Plan {
        there: around.world.bodies().len(),
        mounts: cast.mounts(),
        ..Plan::default()
    };
    let scores = scores(&items);
    let reader = Reading {
        around,
        cast: &cast,
        inline: &inline,
        scores: &scores,
        removes: items
            .iter()
            .flat_map(actions)
            .any(|action| action.under("remove").is_some()),
    };
    for (index, item) in items.iter().enumerate() {
        if let Some((rule, look)) = reader.rule(index, item) {
            plan.rules.push(rule);
            plan.look = plan.look.into_iter().chain(look).reduce(f64::min);
        }
    }
    plan.rules.extend(reader.thermostat(top));
    drop(cast);
    plan.waiting = std::mem::take(&mut extras.waiting);
    plan
}

/// The actions of a rule, as they are written: one, or several.
fn actions<'r, 't>(item: &Entry<'r, 't>) -> Vec<Entry<'r, 't>> {
    let Some(entry) = item.under("do") else {
        return Vec::new();
    };
    if entry.is_table() {
        return vec![entry];
    }
    entry.as_items().into_iter().flatten().collect()
}

/// The scores that rules change.
fn scores(items: &[Entry<'_, '_>]) -> BTreeSet<String> {
    let all = items.iter().flat_map(actions);
    all.filter_map(|action| Some(action.text_under("score")?.0.to_owned()))
        .collect()
}

/// Reads the bodies that stand in actions themselves, and makes them such that are to come: by where they are written,
/// their place among those.
fn newcomers<S: ReadSpace>(
    items: &[Entry<'_, '_>],
    around: &Around<'_, S>,
    extras: &mut Extras<S>,
) -> BTreeMap<usize, usize> {
    let mut places = BTreeMap::new();
    let mut given: BTreeSet<String> = BTreeSet::new();
    let tables = items.iter().flat_map(actions);
    let tables = tables.filter_map(|action| action.under("add"));
    for (index, table) in tables.filter(Entry::is_table).enumerate() {
        if given.is_empty() {
            let there = around.world.bodies().iter().chain(&extras.waiting);
            given = there.map(|body| body.name.to_string()).collect();
        }
        let there = around.world.bodies().len() + extras.waiting.len();
        if there >= around.most_bodies {
            let message = format!("the scene has more than {} bodies", around.most_bodies);
            table.report(Problem::new(table.span(), message, "one too many"));
            break;
        }
        let taken: BTreeSet<&str> = given.iter().map(String::as_str).collect();
        let Some(read) = body::one::<S>(index, &table, around.names, &taken) else {
            continue;
        };
        if given.contains(&*read.body.name) {
            let name = shortened(&read.body.name, 40);
            let message = format!("two bodies are called `{name}`");
            table.report(Problem::new(table.span(), message, "must be unique"));
            continue;
        }
        given.insert(read.body.name.to_string());
        places.insert(table.span().start, extras.waiting.len());
        extras.add_one(around.world, read, &table);
    }
    places
}

/// What is known while rules are read.
struct Reading<'n, S: ReadSpace> {
    around: &'n Around<'n, S>,
    cast: &'n Cast<'n, S>,
    /// Bodies that stand in actions, by where they are written.
    inline: &'n BTreeMap<usize, usize>,
    scores: &'n BTreeSet<String>,
    /// Whether any rule removes bodies.
    removes: bool,
}

impl<S: ReadSpace> Reading<'_, S> {
    /// A rule, and how often it wants conditions to be looked at, s.
    fn rule(&self, index: usize, item: &Entry<'_, '_>) -> Option<(Rule<S>, Option<f64>)> {
        let mut section = item.section(format!("when {}", index + 1))?;
        let name = match section.optional("name") {
            Some(entry) => entry.label().map(Some),
            None => Some(None),
        };
        if let Some(Some(name)) = name {
            section.title = format!("when `{}`", shortened(name, 40));
        }
        let trigger = self.trigger(&section);
        let parties = trigger.as_ref().is_some_and(|trigger| trigger.has_bodies);
        let entry = section.required("do", "what is done, such as { gravity = [0, -1.62] }");
        let action = entry.and_then(|entry| self.actions(&entry, parties, trigger.is_some()));
        let title = section.title.clone();
        section.finish(&[]);
        let (trigger, action) = (trigger?, action?);
        let action = match trigger.guard {
            Some(conditions) => Action::If(conditions, Box::new(action)),
            None => action,
        };
        let name = match name? {
            Some(name) => name.to_owned(),
            None => title,
        };
        let rule = Rule {
            name,
            line: item.line(),
            cue: trigger.cue,
            action,
        };
        Some((rule, trigger.look))
    }

    fn actions(&self, entry: &Entry<'_, '_>, parties: bool, known: bool) -> Option<Action<S>> {
        if entry.is_table() {
            return self.action(entry, parties, known);
        }
        let what = format!("a table, or an array of 1 to {MOST_ACTIONS} of them");
        let Some(items) = entry
            .as_items()
            .filter(|items| (1..=MOST_ACTIONS).contains(&items.len()))
        else {
            entry.wrong(&what);
            return None;
        };
        let all: Vec<Option<Action<S>>> = items
            .map(|item| self.action(&item, parties, known))
            .collect();
        let all: Vec<Action<S>> = all.into_iter().collect::<Option<_>>()?;
        Some(Action::All(all))
    }

    fn body(&self, id: BodyId) -> &carom::body::Body<S> {
        self.cast.body(id)
    }
}
