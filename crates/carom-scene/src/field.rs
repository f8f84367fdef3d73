//! `[fields]`: what acts on balls in flight besides gravity, and how their trajectories are computed.

mod method;
mod region;

use crate::dimension::{ReadSpace, direction, vector};
use crate::forms::{self, Form};
use crate::problem::Problem;
use crate::quantity::{
    AIR_DENSITY, CIRCULATION, CORE, GRADIENT, INSTANT, LINEAR_DRAG, PURE, QUADRATIC_DRAG, Quantity,
    RATIO, SPIN_DRAG, STIFFNESS, STRENGTH, VELOCITY, VISCOSITY, WEIGHT,
};
use crate::reader::{Entry, Section};
use crate::shape::METRES;
use carom::motion::{Drag, Field, Fields, Lift, Region, RotationalDrag, Wind};
use carom::space::Linear;
use carom::world::World;

/// As many fields of one kind as a scene may have: each costs time in every step of every ball.
const MOST_FIELDS: usize = 1000;

/// Reads the table into the world, which has its gravity already.
pub(crate) fn read<S: ReadSpace>(top: &Section<'_, '_>, world: &mut World<S>) {
    let Some(entry) = top.optional("fields") else {
        return;
    };
    let Some(section) = entry.section("`fields`".to_owned()) else {
        return;
    };
    let fields = parts(&section, Fields::uniform(world.gravity()));
    let integrator = method::read(&section);
    section.finish(&[]);
    // What is left for the library to refuse is what no single value is to blame for: too many regions.
    if let Err(error) = world.set_fields(fields) {
        entry.report(Problem::new(
            entry.span(),
            error.to_string(),
            "in these fields",
        ));
    }
    if let Some(Err(error)) = integrator.map(|integrator| world.set_integrator(integrator)) {
        entry.report(Problem::new(
            entry.span(),
            error.to_string(),
            "in these fields",
        ));
    }
}

/// Fields that take the place of others during a run; gravity stays as it is then.
pub(crate) fn read_later<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<Fields<S>> {
    let section = entry.section(entry.title.clone())?;
    let fields = parts(&section, Fields::default());
    section.finish(&[]);
    match fields.check() {
        Ok(()) => Some(fields),
        Err(error) => {
            let problem = Problem::new(entry.span(), error.to_string(), "in these fields");
            entry.report(problem);
            None
        }
    }
}

/// What acts in flight, added to what there is.
fn parts<S: ReadSpace>(section: &Section<'_, '_>, mut fields: Fields<S>) -> Fields<S> {
    for (key, read) in [
        (
            "drag",
            drag as fn(&Section<'_, '_>, &Entry<'_, '_>) -> Option<Field<S>>,
        ),
        ("wind", wind),
        ("lift", lift),
        ("rotational_drag", rotational_drag),
        ("uniform", uniform),
        ("central", central),
        ("springs", spring),
    ] {
        let Some(entry) = section.optional(key) else {
            continue;
        };
        for (index, item) in tables(&entry).into_iter().enumerate() {
            let title = if entry.is_table() {
                format!("`fields.{key}`")
            } else {
                format!("`fields.{key}` {}", index + 1)
            };
            let Some(inner) = item.section(title) else {
                continue;
            };
            let found = read(&inner, &item);
            let region = region::read::<S>(&inner);
            inner.finish(&[]);
            if let (Some(field), Some(region)) = (found, region) {
                fields = match region {
                    Region::Everywhere => fields.with(field),
                    region => fields.within(region, field),
                };
            }
        }
    }
    fields
}

/// A table, or an array of them.
fn tables<'r, 't>(entry: &Entry<'r, 't>) -> Vec<Entry<'r, 't>> {
    if entry.is_table() {
        return vec![entry.clone()];
    }
    match entry.as_items().filter(|items| items.len() <= MOST_FIELDS) {
        Some(items) => items.collect(),
        None => {
            entry.wrong(&format!(
                "a table or an array of at most {MOST_FIELDS} tables"
            ));
            Vec::new()
        }
    }
}

/// The number under a key that must be there.
fn number(section: &Section<'_, '_>, key: &'static str, what: &str, of: Quantity) -> Option<f64> {
    section.required(key, what)?.number(of)
}

/// The number under a key, or what holds where it is left out.
fn number_or(
    section: &Section<'_, '_>,
    key: &'static str,
    of: Quantity,
    default: f64,
) -> Option<f64> {
    match section.optional(key) {
        Some(entry) => entry.number(of),
        None => Some(default),
    }
}

fn place<S: ReadSpace>(
    section: &Section<'_, '_>,
    key: &'static str,
    what: &str,
) -> Option<S::Vector> {
    vector::<S>(&section.required(key, what)?, METRES)
}

/// The form whose keys are there: the first that has one of its own. Where there is none, all keys are named as known.
fn told_apart(
    section: &Section<'_, '_>,
    entry: &Entry<'_, '_>,
    any: &'static Form,
    kinds: &[(&'static [&'static str], &'static Form)],
    allowed: &str,
) -> Option<usize> {
    section.becomes(any);
    let found: Vec<usize> = (0..kinds.len())
        .filter(|&kind| kinds[kind].0.iter().any(|key| section.has(key)))
        .collect();
    match found[..] {
        [kind] => {
            section.becomes(kinds[kind].1);
            Some(kind)
        }
        [] => {
            for key in kinds.iter().flat_map(|(keys, _)| keys.iter()) {
                section.optional(key);
            }
            if section.is_empty() {
                entry.wrong(allowed);
            }
            None
        }
        _ => {
            for key in any.all_keys() {
                section.optional(key.name);
            }
            entry.wrong(&format!("one of {allowed}"));
            None
        }
    }
}

fn drag<S: ReadSpace>(section: &Section<'_, '_>, entry: &Entry<'_, '_>) -> Option<Field<S>> {
    let kinds: [(&[&str], &Form); 2] = [
        (&["linear", "quadratic"], &forms::DRAG),
        (
            &["density", "viscosity", "coefficient"],
            &forms::DRAG_OF_MEDIUM,
        ),
    ];
    let allowed = "{ linear, quadratic } or { density, viscosity, coefficient }";
    let drag = match told_apart(section, entry, &forms::ANY_DRAG, &kinds, allowed)? {
        0 => {
            let linear = number_or(section, "linear", LINEAR_DRAG, 0.0);
            let quadratic = number_or(section, "quadratic", QUADRATIC_DRAG, 0.0);
            Drag::Given {
                linear: linear?,
                quadratic: quadratic?,
            }
        }
        _ => {
            let density = number(section, "density", "of the medium, kg/m³", AIR_DENSITY);
            let viscosity = number(section, "viscosity", "of the medium, Pa·s", VISCOSITY);
            let what = "a pure number, 0.47 for a smooth sphere";
            let coefficient = number(section, "coefficient", what, RATIO);
            Drag::OfMedium {
                density: density?,
                viscosity: viscosity?,
                coefficient: coefficient?,
            }
        }
    };
    Some(Field::Drag(drag))
}

fn wind<S: ReadSpace>(section: &Section<'_, '_>, entry: &Entry<'_, '_>) -> Option<Field<S>> {
    let kinds: [(&[&str], &Form); 3] = [
        (&["start", "end"], &forms::GUST),
        (&["point", "normal", "gradient"], &forms::SHEAR),
        (&["centre", "axis", "circulation", "core"], &forms::VORTEX),
    ];
    let allowed = "{ velocity }, { velocity, start, end }, { velocity, point, normal, gradient } or { centre, circulation, core }";
    let of_others = kinds.iter().flat_map(|(keys, _)| keys.iter());
    if section.has("velocity") && !of_others.clone().any(|key| section.has(key)) {
        section.becomes(&forms::STEADY_WIND);
        let velocity = vector::<S>(&section.optional("velocity")?, VELOCITY)?;
        return Some(Field::Wind(Wind::Uniform { velocity }));
    }
    let wind = match told_apart(section, entry, &forms::ANY_WIND, &kinds, allowed) {
        Some(0) => gust(section)?,
        Some(1) => shear(section)?,
        Some(_) => vortex(section)?,
        None => {
            section.optional("velocity");
            return None;
        }
    };
    Some(Field::Wind(wind))
}

fn gust<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Wind<S>> {
    let velocity = section.required("velocity", "of the air, m/s");
    let velocity = velocity.and_then(|entry| vector::<S>(&entry, VELOCITY));
    let start = number(section, "start", "when it starts, seconds", INSTANT);
    let end_entry = section.required("end", "when it ends, seconds");
    let end = end_entry.as_ref().and_then(|entry| entry.number(INSTANT));
    let (velocity, start, end) = (velocity?, start?, end?);
    if start >= end {
        end_entry?.wrong(&format!("later than its start at {start} s"));
        return None;
    }
    Some(Wind::Gust {
        start,
        end,
        velocity,
    })
}

fn shear<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Wind<S>> {
    let velocity = match section.optional("velocity") {
        Some(entry) => vector::<S>(&entry, VELOCITY),
        None => Some(S::Vector::ZERO),
    };
    let point = place::<S>(section, "point", "where it has its velocity, in metres");
    let normal = section.required("normal", "the direction in which it changes");
    let normal = normal.and_then(|entry| direction::<S>(&entry));
    let gradient = section.required("gradient", "the rate of change along the normal, 1/s");
    let gradient = gradient.and_then(|entry| vector::<S>(&entry, GRADIENT));
    Some(Wind::Shear {
        point: point?,
        velocity: velocity?,
        normal: normal?.unit()?,
        gradient: gradient?,
    })
}

fn vortex<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Wind<S>> {
    let centre = place::<S>(section, "centre", "a point of its axis, in metres");
    let axis = S::read_axis(section);
    let circulation = number(section, "circulation", "Γ, m²/s", CIRCULATION);
    let core = number_or(section, "core", CORE, 0.0);
    Some(Wind::Vortex {
        centre: centre?,
        axis: axis?,
        circulation: circulation?,
        core: core?,
    })
}

fn lift<S: ReadSpace>(section: &Section<'_, '_>, _: &Entry<'_, '_>) -> Option<Field<S>> {
    section.becomes(&forms::LIFT);
    let what = "C in kg, or with a density a pure number";
    let coefficient = number(section, "coefficient", what, PURE);
    let lift = match section.optional("density") {
        Some(entry) => Lift::OfMedium {
            density: entry.number(AIR_DENSITY)?,
            coefficient: coefficient?,
        },
        None => Lift::Given {
            coefficient: coefficient?,
        },
    };
    Some(Field::Lift(lift))
}

fn rotational_drag<S: ReadSpace>(
    section: &Section<'_, '_>,
    entry: &Entry<'_, '_>,
) -> Option<Field<S>> {
    let kinds: [(&[&str], &Form); 2] = [
        (&["coefficient"], &forms::ROTATIONAL_DRAG_GIVEN),
        (&["viscosity"], &forms::ROTATIONAL_DRAG_OF_MEDIUM),
    ];
    let allowed = "{ coefficient } or { viscosity }";
    let drag = match told_apart(section, entry, &forms::ANY_ROTATIONAL_DRAG, &kinds, allowed)? {
        0 => RotationalDrag::Given {
            coefficient: number(section, "coefficient", "c, N·m·s", SPIN_DRAG)?,
        },
        _ => RotationalDrag::OfMedium {
            viscosity: number(section, "viscosity", "of the medium, Pa·s", VISCOSITY)?,
        },
    };
    Some(Field::RotationalDrag(drag))
}

fn uniform<S: ReadSpace>(section: &Section<'_, '_>, _: &Entry<'_, '_>) -> Option<Field<S>> {
    section.becomes(&forms::UNIFORM_FIELD);
    let entry = section.required("acceleration", "in m/s²")?;
    Some(Field::Uniform(vector::<S>(&entry, WEIGHT)?))
}

fn central<S: ReadSpace>(section: &Section<'_, '_>, _: &Entry<'_, '_>) -> Option<Field<S>> {
    section.becomes(&forms::CENTRAL);
    let centre = place::<S>(section, "centre", "the point that it leads to, in metres");
    let strength = number(section, "strength", "GM, m³/s²", STRENGTH);
    let softening = number_or(section, "softening", CORE, 0.0);
    Some(Field::Central {
        centre: centre?,
        strength: strength?,
        softening: softening?,
    })
}

fn spring<S: ReadSpace>(section: &Section<'_, '_>, _: &Entry<'_, '_>) -> Option<Field<S>> {
    section.becomes(&forms::SPRING);
    let centre = place::<S>(section, "centre", "the point that it leads to, in metres");
    let stiffness = number(section, "stiffness", "k, N/m", STIFFNESS);
    Some(Field::Spring {
        centre: centre?,
        stiffness: stiffness?,
    })
}
