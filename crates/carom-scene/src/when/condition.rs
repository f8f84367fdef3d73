//! `if`: what has to hold.

use super::Reading;
use crate::dimension::ReadSpace;
use crate::forms;
use crate::problem::Kind;
use crate::quantity::{ENERGY_VALUE, PLACE, PURE, Quantity, SPIN, VELOCITY};
use crate::reader::{Entry, Section};
use carom::simulate::{Condition, Measured, Relation};
use carom::world::BodyId;

/// As many conditions as a rule may have.
const MOST: usize = 100;

/// What can be compared.
const QUANTITIES: [&str; 13] = [
    "score",
    "present",
    "inside",
    "x",
    "y",
    "z",
    "velocity_x",
    "velocity_y",
    "velocity_z",
    "speed",
    "angular_speed",
    "kinetic_energy",
    "collisions",
];

impl<S: ReadSpace> Reading<'_, S> {
    /// One condition, or several that all have to hold.
    pub(super) fn conditions(&self, entry: &Entry<'_, '_>) -> Option<Vec<Condition>> {
        if entry.is_table() {
            return self.condition(entry).map(|condition| vec![condition]);
        }
        let Some(items) = entry
            .as_items()
            .filter(|items| (1..=MOST).contains(&items.len()))
        else {
            entry.wrong(&format!("a table, or an array of 1 to {MOST} of them"));
            return None;
        };
        let read: Vec<Option<Condition>> = items.map(|item| self.condition(&item)).collect();
        read.into_iter().collect()
    }

    fn condition(&self, entry: &Entry<'_, '_>) -> Option<Condition> {
        let section = entry.section(entry.title.clone())?.of(&forms::CONDITION);
        let quantities = QUANTITIES.map(|key| (key, section.optional(key)));
        let relations = Relation::ALL.map(|relation| (relation, section.optional(relation.name())));
        let of: Vec<(&str, &Entry<'_, '_>)> = quantities
            .iter()
            .filter_map(|(key, entry)| Some((*key, entry.as_ref()?)))
            .collect();
        let compared: Vec<(Relation, &Entry<'_, '_>)> = relations
            .iter()
            .filter_map(|(relation, entry)| Some((*relation, entry.as_ref()?)))
            .collect();
        let known = of.len() + compared.len();
        let whole = self.is_whole(&section, entry, of.len(), compared.len());
        section.finish(&[]);
        if !whole || known != 2 {
            return None;
        }
        let ((key, of), (relation, compared)) = (of[0], compared[0]);
        let measured = self.measured(key, of);
        let value = compared.number_in(unit(key));
        Some(Condition::new(measured?, relation, value?))
    }

    /// One quantity and one relation.
    fn is_whole(
        &self,
        section: &Section<'_, '_>,
        entry: &Entry<'_, '_>,
        quantities: usize,
        relations: usize,
    ) -> bool {
        let keys = QUANTITIES.iter().copied();
        let names = Relation::ALL.iter().map(|relation| relation.name());
        // What is not known at all is said by itself.
        let strange = section.has_other_than(keys.chain(names));
        match (quantities, relations) {
            (1, 1) => true,
            (0 | 1, 0 | 1) if strange => false,
            (1, _) => {
                entry.wrong("compared once: with above, at_least, below, at_most or equal");
                false
            }
            _ => {
                entry.wrong(&format!("about one of {}", QUANTITIES.join(", ")));
                false
            }
        }
    }

    fn measured(&self, key: &str, entry: &Entry<'_, '_>) -> Option<Measured> {
        let axis = |key: &str| ["x", "y", "z"].iter().position(|axis| key.ends_with(axis));
        match key {
            "score" => {
                let name = entry.label()?;
                if !self.scores.contains(name) {
                    let names = self.scores.iter().map(String::as_str);
                    entry.not_among("a score that some action changes", names, Kind::Absence);
                    return None;
                }
                Some(Measured::Score(name.to_owned()))
            }
            "present" => self.cast.several(entry).map(Measured::Present),
            "inside" => {
                let id = self.cast.one(entry)?;
                if !self.body(id).sensor {
                    entry.wrong("the name of a sensor");
                    return None;
                }
                Some(Measured::Inside(id))
            }
            "kinetic_energy" | "collisions" => {
                if entry.as_text() != Some("all") {
                    entry.wrong("\"all\"");
                    return None;
                }
                Some(match key {
                    "kinetic_energy" => Measured::KineticEnergy,
                    _ => Measured::Collisions,
                })
            }
            "speed" => self.cast.one(entry).map(Measured::Speed),
            "angular_speed" => self.cast.one(entry).map(Measured::AngularSpeed),
            key => {
                let place = axis(key).unwrap_or(0);
                if place >= S::DIMENSION {
                    entry.wrong(&format!(
                        "left out: the scene has dimension = {}",
                        S::DIMENSION
                    ));
                    return None;
                }
                let of = |id: BodyId| {
                    if key.starts_with("velocity") {
                        Measured::Velocity(id, place)
                    } else {
                        Measured::Position(id, place)
                    }
                };
                self.cast.one(entry).map(of)
            }
        }
    }
}

/// In what a quantity is compared.
fn unit(key: &str) -> Quantity {
    match key {
        "x" | "y" | "z" => PLACE,
        "velocity_x" | "velocity_y" | "velocity_z" | "speed" => VELOCITY,
        "angular_speed" => SPIN,
        "kinetic_energy" => ENERGY_VALUE,
        _ => PURE,
    }
}
