//! Bodies by name, with `*` for any text.

use crate::dimension::ReadSpace;
use crate::problem::Kind;
use crate::reader::Entry;
use carom::body::Body;
use carom::simulate::{ActionTarget, Bodies, Mount};
use carom::world::{BodyId, World};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Comparisons of names with patterns, and bodies in lists, that one scene may cost.
const MOST_WORK: usize = 100_000_000;

/// All bodies of a scene, those that are to come among them.
pub(super) struct Cast<'w, S: ReadSpace> {
    world: &'w World<S>,
    waiting: &'w [Body<S>],
    ids: BTreeMap<&'w str, BodyId>,
    mounts: BTreeMap<BodyId, Mount<S>>,
    work: Cell<usize>,
}

/// The names of the bodies that set an action off.
const FIRST: &str = "@first";
const SECOND: &str = "@second";

impl<'w, S: ReadSpace> Cast<'w, S> {
    pub fn new(
        world: &'w World<S>,
        waiting: &'w [Body<S>],
        mounts: &[(Box<str>, Mount<S>)],
    ) -> Self {
        let all = world.bodies().iter().chain(waiting);
        let ids: BTreeMap<&str, BodyId> = all
            .zip(0..)
            .map(|(body, id)| (&*body.name, BodyId(id)))
            .collect();
        let mounts = mounts.iter();
        let mounts = mounts.filter_map(|(name, mount)| Some((*ids.get(&**name)?, *mount)));
        let mounts = mounts.collect();
        Cast {
            world,
            waiting,
            ids,
            mounts,
            work: Cell::new(0),
        }
    }

    pub fn mounts(&self) -> Vec<(BodyId, Mount<S>)> {
        self.mounts
            .iter()
            .map(|(&id, &mount)| (id, mount))
            .collect()
    }

    pub fn mount(&self, id: BodyId) -> Option<&Mount<S>> {
        self.mounts.get(&id)
    }

    /// The number of the body that is to come at that place among those.
    pub fn waiting_id(&self, place: usize) -> BodyId {
        BodyId((self.world.bodies().len() + place) as u32)
    }

    pub fn body(&self, id: BodyId) -> &Body<S> {
        let id = id.0 as usize;
        match id.checked_sub(self.world.bodies().len()) {
            Some(place) => &self.waiting[place],
            None => &self.world.bodies()[id],
        }
    }

    /// One body.
    pub fn one(&self, entry: &Entry<'_, '_>) -> Option<BodyId> {
        let name = entry.text("the name of a body")?;
        let found = self.ids.get(name).copied();
        if found.is_none() {
            self.unknown(entry);
        }
        found
    }

    fn unknown(&self, entry: &Entry<'_, '_>) {
        let names = self.ids.keys().copied();
        entry.not_among("the name of a body", names, Kind::Absence);
    }

    /// One body or several: a name, a pattern, or an array of them.
    pub fn several(&self, entry: &Entry<'_, '_>) -> Option<Vec<BodyId>> {
        let Some(items) = entry.as_items() else {
            return self.matching(entry);
        };
        let mut all = Vec::new();
        let mut good = true;
        for item in items {
            match self.matching(&item) {
                Some(found) => all.extend(found),
                None => good = false,
            }
        }
        if all.is_empty() && good {
            entry.wrong("the names of one or more bodies");
            return None;
        }
        all.sort_unstable();
        all.dedup();
        good.then_some(all)
    }

    fn matching(&self, entry: &Entry<'_, '_>) -> Option<Vec<BodyId>> {
        let text = entry.text("the name of a body, or an array of names")?;
        if !text.contains('*') {
            return self.one(entry).map(|id| vec![id]);
        }
        let work = self.work.get().saturating_add(self.ids.len());
        self.work.set(work);
        if work > MOST_WORK {
            entry.wrong("a name without `*`: the scene has too many patterns for its many bodies");
            return None;
        }
        let all = self.ids.iter();
        let mut found: Vec<BodyId> = all
            .filter(|(name, _)| fits(text, name))
            .map(|(_, &id)| id)
            .collect();
        found.sort_unstable();
        if found.is_empty() {
            self.unknown(entry);
            return None;
        }
        Some(found)
    }

    /// The bodies that a trigger is about.
    pub fn bodies(&self, entry: &Entry<'_, '_>) -> Option<Bodies> {
        if entry.as_text() == Some("*") {
            return Some(Bodies::Any);
        }
        self.several(entry).map(Bodies::these)
    }

    /// The bodies that an action is about; `parties` says whether bodies set it off, `known` whether that is known.
    pub fn target(
        &self,
        entry: &Entry<'_, '_>,
        parties: bool,
        known: bool,
    ) -> Option<ActionTarget> {
        let target = match entry.as_text() {
            Some(FIRST) => ActionTarget::Ball,
            Some(SECOND) => ActionTarget::Other,
            _ => {
                let bodies = self.several(entry)?;
                return Some(match bodies[..] {
                    [id] => ActionTarget::Body(id),
                    _ => ActionTarget::Bodies(bodies),
                });
            }
        };
        if !parties && known {
            entry.wrong(
                "the name of a body: only a collision or a sensor has bodies that set it off",
            );
            return None;
        }
        Some(target)
    }
}

/// Whether a name fits a pattern, in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("ball", "ball", true),
            ("ball", "ball 2", false),
            ("ball *", "ball 2", true),
            ("ball *", "ball", false),
            ("*", "", true),
            ("*wall", "left wall", true),
            ("*a*b*", "xaxbx", true),
            ("*a*b*", "xbxax", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
