//! Materials and what is laid down between two of them.

use crate::forces;
use crate::forms;
use crate::look::{self, Look};
use crate::problem::{Kind, Problem};
use crate::quantity::{DURATION, RATIO as FRICTION, RATIO as RESTITUTION};
use crate::reader::{Entry, Reader, Section};
use crate::restitution;
use carom::material::Constants;
use carom::material::{Law, Material, MaterialId, Materials, PairOverride, RestitutionCurve};
use std::collections::BTreeMap;
use std::ops::Range;

/// As many materials as a scene may have: each new one is compared with all before it.
const MOST_MATERIALS: usize = 1000;

/// A restitution above this is hardly meant: bumpers have less, also where it is the square of theirs.
const BOUNCIEST: f64 = 10.0;

/// A coefficient of friction above this is hardly meant.
const ROUGHEST: f64 = 5.0;

/// The materials of a scene by name, those among them too that are wrong.
pub(crate) struct Names {
    ids: BTreeMap<String, MaterialId>,
    /// How what is made of them is to be shown.
    pub looks: BTreeMap<String, Look>,
}

impl Names {
    /// The material that an entry names.
    pub fn find(&self, entry: &Entry<'_, '_>) -> Option<MaterialId> {
        let text = entry.text("the name of a material")?;
        let found = self.ids.get(text).copied();
        if found.is_none() {
            let names = self.ids.keys().map(String::as_str);
            entry.not_among("a material", names, Kind::Absence);
        }
        found
    }
}

/// Reads `[materials]` and `[[pairs]]`.
pub(crate) fn read(top: &Section<'_, '_>, materials: &mut Materials) -> Names {
    let mut names = Names {
        ids: BTreeMap::from([("default".to_owned(), Materials::DEFAULT)]),
        looks: BTreeMap::new(),
    };
    let section = top
        .optional("materials")
        .and_then(|entry| entry.section("`materials`".to_owned()));
    for (count, (key, entry)) in section.iter().flat_map(Section::entries).enumerate() {
        if count == MOST_MATERIALS {
            let message = format!("the scene has more than {MOST_MATERIALS} materials");
            top.reader
                .report(Problem::new(key.span(), message, "one too many"));
            break;
        }
        let name = key.get_ref();
        if !is_name(name) {
            let message = format!(
                "a material is called `{}`",
                crate::render::shortened(name, 40)
            );
            let allowed = "must be text of 1 to 100 characters, on one line";
            top.reader
                .report(Problem::new(key.span(), message, allowed));
        }
        let MaterialRead {
            material,
            curve,
            constants,
            look,
        } = material(name, &entry).unwrap_or_default();
        if !look.is_plain() {
            names.looks.insert(name.to_owned(), look);
        }
        // A wrong material has been reported: it is kept, as an elastic one, so that its users are not blamed.
        if let Ok(id) = materials.add(name, material) {
            names.ids.insert(name.to_owned(), id);
            if let Some(curve) = curve {
                // It has been checked where it was read.
                let _ = materials.set_restitution_curve(id, curve);
            }
            if let Some(constants) = constants {
                // They have been checked where they were read.
                let _ = materials.set_constants(id, constants);
            }
        }
    }
    if let Some(entry) = top.optional("pairs") {
        match entry.as_items() {
            Some(items) => pairs(top.reader, items, &names, materials),
            None => entry.wrong("an array of tables, written [[pairs]]"),
        }
    }
    names
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= 100 && crate::render::printable(name) == name
}

/// The numbers that materials and pairs have in common.
#[derive(Default)]
struct Numbers {
    restitution: Option<f64>,
    /// In place of the number, where it depends on the speed.
    curve: Option<RestitutionCurve>,
    static_friction: Option<f64>,
    kinetic_friction: Option<f64>,
    law: Option<Law>,
    rolling_resistance: Option<f64>,
    spinning_resistance: Option<f64>,
    contact_duration: Option<f64>,
    /// Where the kinetic friction comes from.
    span: Option<Range<usize>>,
}

/// `None` where something is wrong.
fn numbers(section: &Section<'_, '_>) -> Option<Numbers> {
    let mut good = true;
    let mut curve = None;
    let restitution_entry = section.optional("restitution").filter(|entry| {
        if entry.is_table() {
            curve = restitution::read(entry, &section.title);
            good = curve.is_some();
        }
        !entry.is_table()
    });
    let mut number = |entry: Option<&Entry<'_, '_>>, quantity| {
        let number = entry.map(|entry| entry.number(quantity));
        good &= number != Some(None);
        number.flatten()
    };
    let restitution = number(restitution_entry.as_ref(), RESTITUTION);
    if let (Some(entry), Some(true)) = (restitution_entry, restitution.map(|it| it > BOUNCIEST)) {
        entry.warn("every collision adds energy; a percentage is written \"95 %\"");
    }
    let friction = section.optional("friction");
    let [on, sliding] = ["static_friction", "kinetic_friction"].map(|key| section.optional(key));
    let both = number(friction.as_ref(), FRICTION);
    let static_friction = number(on.as_ref(), FRICTION);
    let kinetic_friction = number(sliding.as_ref(), FRICTION);
    let rolling_resistance = number(section.optional("rolling_resistance").as_ref(), FRICTION);
    let spinning_resistance = number(section.optional("spinning_resistance").as_ref(), FRICTION);
    let contact_duration = number(section.optional("contact_duration").as_ref(), DURATION);
    for (entry, number) in [
        (&friction, both),
        (&on, static_friction),
        (&sliding, kinetic_friction),
    ] {
        if let (Some(entry), Some(true)) = (entry, number.map(|it| it > ROUGHEST)) {
            entry.warn("hardly any two surfaces have a coefficient of friction above 5");
        }
    }
    if let (Some(friction), Some(other)) = (&friction, on.as_ref().or(sliding.as_ref())) {
        section.reader.report(
            friction
                .problem("left out where static_friction and kinetic_friction are given")
                .related(other.span(), "given here as well"),
        );
        good = false;
    }
    let law = section.optional("law").map(|entry| read_law(&entry));
    good &= law != Some(None);
    good.then(|| Numbers {
        restitution,
        curve,
        static_friction: static_friction.or(both),
        kinetic_friction: kinetic_friction.or(both),
        law: law.flatten(),
        rolling_resistance,
        spinning_resistance,
        contact_duration,
        span: sliding.map(|entry| entry.span()),
    })
}

fn read_law(entry: &Entry<'_, '_>) -> Option<Law> {
    let text = entry.text("the name of a law")?;
    let law = text.parse().ok();
    if law.is_none() {
        let names = Law::ALL.into_iter().map(Law::name);
        entry.not_among("a law", names, Kind::Value);
    }
    law
}

/// What is read of a material.
#[derive(Default)]
struct MaterialRead {
    material: Material,
    curve: Option<RestitutionCurve>,
    constants: Option<Constants>,
    look: Look,
}

fn material(name: &str, entry: &Entry<'_, '_>) -> Option<MaterialRead> {
    let section = entry
        .section(format!("material `{}`", crate::render::shortened(name, 40)))?
        .of(&forms::MATERIAL);
    let numbers = numbers(&section);
    let constants = forces::constants(&section);
    let look = look::read(&section);
    for (key, other) in [
        ("static_friction", "kinetic_friction"),
        ("kinetic_friction", "static_friction"),
    ] {
        if section.has(key) && !section.has("friction") {
            section.required(other, "the two come together; `friction` sets both");
        }
    }
    let reader = section.reader;
    let (title, span) = (section.title.clone(), section.span.clone());
    section.finish(&[]);
    let (numbers, constants, look) = (numbers?, constants?, look?);
    let default = Material::default();
    let material = Material {
        restitution: numbers.restitution.unwrap_or(default.restitution),
        static_friction: numbers.static_friction.unwrap_or(default.static_friction),
        kinetic_friction: numbers
            .kinetic_friction
            .or(numbers.static_friction)
            .unwrap_or(default.kinetic_friction),
        law: numbers.law.unwrap_or(default.law),
        rolling_resistance: (numbers.rolling_resistance).unwrap_or(default.rolling_resistance),
        spinning_resistance: (numbers.spinning_resistance).unwrap_or(default.spinning_resistance),
        contact_duration: (numbers.contact_duration).unwrap_or(default.contact_duration),
    };
    if numbers.static_friction.is_none() && numbers.kinetic_friction.is_some() {
        return None;
    }
    match material.check() {
        Ok(()) => Some(MaterialRead {
            material,
            curve: numbers.curve,
            constants,
            look,
        }),
        Err(error) => {
            let message = format!("`{}` of {title} is {}", error.field, error.value);
            let place = numbers.span.unwrap_or(span);
            reader.report(Problem::new(
                place,
                message,
                format!("must be {}", error.allowed),
            ));
            None
        }
    }
}

/// The numbers of a material with some of them changed, from the keys of a surface. `None` where something is wrong.
pub(crate) fn changed(section: &Section<'_, '_>, base: &Material) -> Option<Material> {
    if let Some(entry) = section.optional("restitution").filter(Entry::is_table) {
        entry.wrong("a number: how it depends on the speed is said of materials and pairs alone");
        return None;
    }
    let numbers = numbers(section)?;
    let material = Material {
        restitution: numbers.restitution.unwrap_or(base.restitution),
        static_friction: numbers.static_friction.unwrap_or(base.static_friction),
        kinetic_friction: numbers.kinetic_friction.unwrap_or(base.kinetic_friction),
        law: numbers.law.unwrap_or(base.law),
        rolling_resistance: (numbers.rolling_resistance).unwrap_or(base.rolling_resistance),
        spinning_resistance: (numbers.spinning_resistance).unwrap_or(base.spinning_resistance),
        contact_duration: numbers.contact_duration.unwrap_or(base.contact_duration),
    };
    match material.check() {
        Ok(()) => Some(material),
        Err(error) => {
            let message = format!("`{}` of {} is {}", error.field, section.title, error.value);
            let place = numbers.span.unwrap_or(section.span.clone());
            let allowed = format!("must be {}", error.allowed);
            section.reader.report(Problem::new(place, message, allowed));
            None
        }
    }
}

fn pairs<'r, 't: 'r>(
    reader: &Reader<'_>,
    items: impl Iterator<Item = Entry<'r, 't>>,
    names: &Names,
    materials: &mut Materials,
) {
    let mut seen: BTreeMap<(MaterialId, MaterialId), Range<usize>> = BTreeMap::new();
    for (index, item) in items.enumerate() {
        let Some(section) = item.section(format!("pair {}", index + 1)) else {
            continue;
        };
        let what = "two names of materials, such as [\"ivory\", \"slate\"]";
        let entry = section.required("materials", what);
        let pair = entry.as_ref().and_then(|entry| two(entry, names, what));
        let numbers = numbers(&section);
        let constants = forces::constants(&section);
        let title = section.title.clone();
        section.finish(&[]);
        let (Some((a, b)), Some(entry), Some(numbers), Some(constants)) =
            (pair, entry, numbers, constants)
        else {
            continue;
        };
        if let Some(constants) = constants {
            // They have been checked where they were read.
            let _ = materials.override_constants(a, b, constants);
        }
        if let Some(first) = seen.insert((a.min(b), a.max(b)), entry.span()) {
            let problem = entry.problem("a pair that is given once");
            reader.report(problem.related(first, "given here first"));
        }
        let values = PairOverride {
            restitution: numbers.restitution,
            static_friction: numbers.static_friction,
            kinetic_friction: numbers.kinetic_friction,
            law: numbers.law,
            rolling_resistance: numbers.rolling_resistance,
            spinning_resistance: numbers.spinning_resistance,
            contact_duration: numbers.contact_duration,
        };
        if let Err(error) = materials.override_pair(a, b, values) {
            let message = format!("`{}` of {title} is {}", error.field, error.value);
            let place = numbers.span.unwrap_or(entry.span());
            reader.report(Problem::new(
                place,
                message,
                format!("must be {}", error.allowed),
            ));
        } else if let Some(curve) = numbers.curve {
            // It has been checked where it was read.
            let _ = materials.override_restitution_curve(a, b, curve);
        }
    }
}

fn two(entry: &Entry<'_, '_>, names: &Names, what: &str) -> Option<(MaterialId, MaterialId)> {
    let Some(items) = entry.as_items().filter(|items| items.len() == 2) else {
        entry.wrong(what);
        return None;
    };
    let found: Vec<_> = items.map(|item| names.find(&item)).collect();
    Some((found[0]?, found[1]?))
}
