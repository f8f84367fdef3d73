//! What sets a rule off.

use super::{MOST_REPEATS, Reading};
use crate::dimension::ReadSpace;
use crate::plan::Cue;
use crate::quantity::{TIME, UNTIL};
use crate::reader::{Entry, Section};
use carom::body::Kind;
use carom::simulate::{Bodies, Cause, Condition, Trigger};
use carom::world::BodyId;
use std::collections::BTreeSet;

/// The most times of a list.
const MOST_TIMES: usize = 100_000;

/// What sets a rule off, as it was read.
pub(super) struct Read {
    pub cue: Cue,
    /// What has to hold besides.
    pub guard: Option<Vec<Condition>>,
    /// Whether bodies set it off.
    pub has_bodies: bool,
    /// How often conditions are to be looked at, s.
    pub look: Option<f64>,
}

/// The keys that are triggers.
const TRIGGERS: [&str; 7] = [
    "time",
    "every",
    "collision",
    "entered",
    "left",
    "pressed",
    "released",
];

const ALLOWED: &str = "one of time, every, collision, entered, left, pressed, released and if";

impl<S: ReadSpace> Reading<'_, S> {
    pub(super) fn trigger(&self, section: &Section<'_, '_>) -> Option<Read> {
        let entries = TRIGGERS.map(|key| (key, section.optional(key)));
        let there: Vec<(&str, &Entry<'_, '_>)> = entries
            .iter()
            .filter_map(|(key, entry)| Some((*key, entry.as_ref()?)))
            .collect();
        let which = which(section);
        let from = section.optional("from");
        let by = section.optional("by");
        let look = section.optional("look");
        let conditions = section.optional("if");
        let guard = match &conditions {
            Some(entry) => self.conditions(entry).map(Some),
            None => Some(None),
        };
        let belongs = |entry: &Option<Entry<'_, '_>>, to: &str, keys: &[&str]| {
            let fits = there.iter().any(|(key, _)| keys.contains(key));
            if let (Some(entry), false) = (entry, fits) {
                entry.wrong(&format!("left out: it belongs to {to}"));
            }
            fits || entry.is_none()
        };
        let good = [
            belongs(&from, "`every`", &["every"]),
            belongs(&by, "`entered` and `left`", &["entered", "left"]),
        ];
        let look = self.look(look, there.is_empty());
        let (which, guard, look) = (which?, guard?, look?);
        if good != [true; 2] {
            return None;
        }
        let (cue, guard) = match there[..] {
            [] => {
                let Some(conditions) = guard else {
                    section.required("time", &format!("or another trigger: {ALLOWED}"));
                    return None;
                };
                let cause = match <[Condition; 1]>::try_from(conditions) {
                    Ok([condition]) => Cause::Begins(condition),
                    Err(conditions) => Cause::BeginTogether(conditions),
                };
                (Cue::On(counted(cause, which)), None)
            }
            [(key, entry)] => (self.cue(key, entry, from, by, which)?, guard),
            [_, (_, second), ..] => {
                second.wrong(&format!("left out: a rule has {ALLOWED}"));
                return None;
            }
        };
        let has_bodies = matches!(
            &cue,
            Cue::On(trigger) if matches!(
                trigger.cause,
                Cause::Collision(..) | Cause::Entered(..) | Cause::Left(..)
            )
        );
        Some(Read {
            cue,
            guard,
            has_bodies,
            look,
        })
    }

    /// How often conditions are looked at: `None` where it is wrong.
    fn look(&self, entry: Option<Entry<'_, '_>>, alone: bool) -> Option<Option<f64>> {
        let Some(entry) = entry else {
            return Some(None);
        };
        if !alone {
            entry.wrong("left out: it belongs to `if` without another trigger");
            return None;
        }
        let look = entry.number(TIME)?;
        self.not_too_often(&entry, look).map(Some)
    }

    /// An interval, if it does not come too often in the run.
    pub(super) fn not_too_often(&self, entry: &Entry<'_, '_>, interval: f64) -> Option<f64> {
        let until = self.around.until.unwrap_or(0.0);
        if until / interval > MOST_REPEATS {
            let shortest = until / MOST_REPEATS;
            entry.wrong(&format!(
                "at least {shortest} s: the run of {until} s would have more than {MOST_REPEATS:e} of them"
            ));
            return None;
        }
        Some(interval)
    }

    fn cue(
        &self,
        key: &str,
        entry: &Entry<'_, '_>,
        from: Option<Entry<'_, '_>>,
        by: Option<Entry<'_, '_>>,
        which: Occurrences<'_, '_>,
    ) -> Option<Cue> {
        match key {
            "time" => {
                which.none("of something that happens at a time")?;
                times(entry).map(|times| {
                    self.warn_of_times(entry, &times);
                    Cue::At(times)
                })
            }
            "every" => self.every(entry, from, which),
            "pressed" => Some(Cue::On(counted(
                Cause::Pressed(entry.label()?.to_owned()),
                which,
            ))),
            "released" => Some(Cue::On(counted(
                Cause::Released(entry.label()?.to_owned()),
                which,
            ))),
            "collision" => {
                let (first, second) = self.colliding(entry)?;
                Some(Cue::On(counted(Cause::Collision(first, second), which)))
            }
            _ => {
                let sensors = self.sensors(entry)?;
                let who = match by {
                    Some(entry) => self.cast.bodies(&entry)?,
                    None => Bodies::Any,
                };
                let cause = match key {
                    "entered" => Cause::Entered(who, sensors),
                    _ => Cause::Left(who, sensors),
                };
                Some(Cue::On(counted(cause, which)))
            }
        }
    }

    fn warn_of_times(&self, entry: &Entry<'_, '_>, times: &[f64]) {
        let Some(until) = self.around.until else {
            return;
        };
        if times.iter().any(|&time| time >= until) {
            entry.warn(&format!(
                "it never happens: the run ends at {until} s, before what is due then"
            ));
        }
    }

    fn every(
        &self,
        entry: &Entry<'_, '_>,
        from: Option<Entry<'_, '_>>,
        which: Occurrences<'_, '_>,
    ) -> Option<Cue> {
        let times = match which.given {
            None => None,
            Some(("first", number, _)) => Some(number),
            Some((_, _, entry)) => {
                entry.wrong("left out: of `every` only `first` can be asked for");
                return None;
            }
        };
        let interval = entry.number(TIME)?;
        let interval = self.not_too_often(entry, interval)?;
        let from = match from {
            Some(entry) => entry.number(UNTIL)?,
            None => interval,
        };
        Some(Cue::Every {
            from,
            interval,
            times,
        })
    }

    /// What collides with what.
    fn colliding(&self, entry: &Entry<'_, '_>) -> Option<(Bodies, Bodies)> {
        let what = "the name of a body, or two names (or two arrays of names)";
        let Some(items) = entry.as_items() else {
            if entry.as_text().is_none() {
                entry.wrong(what);
                return None;
            }
            return Some((self.cast.bodies(entry)?, Bodies::Any));
        };
        if items.len() != 2 {
            entry.wrong(what);
            return None;
        }
        let both: Vec<Option<Bodies>> = items.map(|item| self.cast.bodies(&item)).collect();
        let mut both = both.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        both.next().zip(both.next())
    }

    fn sensors(&self, entry: &Entry<'_, '_>) -> Option<BTreeSet<BodyId>> {
        let found = self.cast.several(entry)?;
        let no_sensor = found.iter().find(|&&id| !self.body(id).sensor);
        if let Some(&id) = no_sensor {
            let body = self.body(id);
            let name = crate::render::shortened(&body.name, 40);
            let help = match body.kind {
                Kind::Free(_) => "only a static or kinematic body can be one",
                _ => "with sensor = true it is one",
            };
            let problem = entry.problem("the name of a sensor");
            entry.report(problem.help(format!("`{name}` is no sensor: {help}")));
            return None;
        }
        Some(found.into_iter().collect())
    }
}

/// `first`, `nth` or `each`, with its number and where it is written.
struct Occurrences<'r, 't> {
    given: Option<(&'static str, u64, Entry<'r, 't>)>,
}

impl Occurrences<'_, '_> {
    /// Refuses them.
    fn none(&self, why: &str) -> Option<()> {
        match &self.given {
            None => Some(()),
            Some((key, _, entry)) => {
                entry.wrong(&format!("left out: `{key}` {why} makes no sense"));
                None
            }
        }
    }
}

/// `None` where it is wrong.
fn which<'r, 't>(section: &Section<'r, 't>) -> Option<Occurrences<'r, 't>> {
    let mut given = None;
    let mut good = true;
    for key in ["first", "nth", "each"] {
        let Some(entry) = section.optional(key) else {
            continue;
        };
        if given.is_some() {
            entry.wrong("left out: only one of first, nth and each");
            good = false;
            continue;
        }
        match entry.count() {
            Some(number) => given = Some((key, number, entry)),
            None => good = false,
        }
    }
    good.then_some(Occurrences { given })
}

fn counted(cause: Cause, which: Occurrences<'_, '_>) -> Trigger {
    let trigger = Trigger::from(cause);
    match which.given {
        None => trigger,
        Some(("first", number, _)) => trigger.first(number),
        Some(("nth", number, _)) => trigger.nth(number),
        Some((_, number, _)) => trigger.each(number),
    }
}

/// A time, or several.
fn times(entry: &Entry<'_, '_>) -> Option<Vec<f64>> {
    let Some(items) = entry.as_items() else {
        return entry.number(UNTIL).map(|time| vec![time]);
    };
    if !(1..=MOST_TIMES).contains(&items.len()) {
        entry.wrong(&format!("a time, or an array of 1 to {MOST_TIMES} of them"));
        return None;
    }
    let read: Vec<Option<f64>> = items.map(|item| item.number(UNTIL)).collect();
    read.into_iter().collect()
}
