//! Collision filters by name: which bodies collide with which.

use crate::problem::Kind;
use crate::reader::{Entry, Section};
use carom::body::CollisionFilter;

/// As many as the library has.
const MOST: usize = 32;

/// The groups of a scene, in the order in which the file first names a member.
#[derive(Default)]
pub(crate) struct GroupNames {
    names: Vec<String>,
}

impl GroupNames {
    /// Adds the groups that the tables of an array belong to. Comes before [`read`](Self::read), which knows only
    /// these.
    pub fn collect(&mut self, tables: Option<&Entry<'_, '_>>) {
        for item in tables.and_then(Entry::as_items).into_iter().flatten() {
            for name in item.texts_under("groups") {
                if !self.names.iter().any(|other| other == name) && self.names.len() <= MOST {
                    self.names.push(name.to_owned());
                }
            }
        }
    }

    /// The names, in the order of their bits.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// From `groups` and `collides_with`.
    pub fn read(&self, section: &Section<'_, '_>) -> Option<CollisionFilter> {
        let [member, meets] = ["groups", "collides_with"].map(|key| match section.optional(key) {
            Some(entry) => self.bits(&entry),
            None => Some(u32::MAX),
        });
        Some(CollisionFilter {
            memberships: member?,
            mask: meets?,
        })
    }

    fn bits(&self, entry: &Entry<'_, '_>) -> Option<u32> {
        let what = "an array of names of groups, such as [\"red\", \"blue\"]";
        let Some(items) = entry.as_items() else {
            entry.wrong(what);
            return None;
        };
        let mut bits = 0;
        let mut good = true;
        for item in items.take(2 * MOST) {
            let Some(name) = item.label() else {
                good = false;
                continue;
            };
            match self.names.iter().position(|other| other == name) {
                Some(index) if index < MOST => bits |= 1 << index,
                Some(_) => {
                    item.wrong(&format!("one of at most {MOST} groups"));
                    good = false;
                }
                None => {
                    let names = self.names.iter().map(String::as_str);
                    item.not_among("a group that a body belongs to", names, Kind::Absence);
                    good = false;
                }
            }
        }
        good.then_some(bits)
    }
}
