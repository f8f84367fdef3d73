//! What bodies are made of, and what two materials are to each other.

mod constants;
pub(crate) mod restitution;
#[cfg(feature = "serde")]
mod serial;

pub use constants::{Constants, ConstantsError, Damping, Stiffness};
pub use restitution::{MOST_POINTS, RestitutionCurve};

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What happens at a contact, by name. `response/` has one file for each.
///
/// ```
/// use carom::prelude::*;
/// use carom::material::Law;
///
/// let glue = Material { law: "newton".parse()?, ..Material::default() };
/// assert_eq!(glue.law, Law::Newton);
/// assert!("hooke".parse::<Law>().is_err());
/// # Ok::<(), carom::material::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Law {
    /// Restitution with Coulomb's friction; where normal and tangent are coupled, Stronge's energetic restitution.
    #[default]
    Coulomb,
    /// Newton's restitution with Coulomb's friction along the first slip: the textbook's, which can gain energy.
    Newton,
    /// The friction law of the course on physics for multimedia .
    Course,
    /// One number β for rebound and rotation; the restitution is β.
    Beta,
}

impl Law {
    /// All laws, in the order of precedence: where two materials name different laws, the later one holds.
    pub const ALL: [Law; 4] = [Law::Coulomb, Law::Newton, Law::Course, Law::Beta];

    /// Its name in scene files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Law::Coulomb => "coulomb",
            Law::Newton => "newton",
            Law::Course => "course",
            Law::Beta => "beta",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Law {
    type Err = MaterialError;

    fn from_str(name: &str) -> Result<Self, MaterialError> {
        Law::ALL
            .into_iter()
            .find(|law| law.name() == name)
            .ok_or_else(|| MaterialError {
                field: "law",
                value: name.to_owned(),
                allowed: "one of coulomb, newton, course, beta",
            })
    }
}

/// Why a material cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{field} is {value}, but must be {allowed}")]
#[non_exhaustive]
pub struct MaterialError {
    /// The field at fault.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

/// How a material bounces and rubs.
///
/// ```
/// use carom::material::{Law, Material};
///
/// let cloth = Material {
///     restitution: 0.5,
///     static_friction: 0.25,
///     kinetic_friction: 0.2,
///     rolling_resistance: 0.01,
///     ..Material::default()
/// };
/// assert_eq!(cloth.law, Law::Coulomb);
/// assert!(cloth.check().is_ok());
/// let refused = Material { kinetic_friction: 0.3, ..cloth }.check(); // more than the static one
/// assert_eq!(refused.unwrap_err().field, "kinetic_friction");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", default)
)]
// Exhaustive, so that programs can write `Material { restitution: 0.8, ..Material::default() }`; a new field has a
// default.
pub struct Material {
    /// ε ≥ 0: the separation speed over the approach speed. 1 keeps all energy, above 1 adds some (a pinball bumper).
    pub restitution: f64,
    /// μ_s ≥ 0: the friction that a sticking contact can hold.
    pub static_friction: f64,
    /// μ_c, from 0 to μ_s: the friction of a sliding contact.
    pub kinetic_friction: f64,
    /// Which law holds.
    pub law: Law,
    /// μ_r ≥ 0: how fast a rolling ball slows down on the level, in units of gravity.
    pub rolling_resistance: f64,
    /// μ_p ≥ 0: the torque against a ball that spins about the normal, in units of its radius times the force that
    /// presses it on.
    pub spinning_resistance: f64,
    /// τ ≥ 0: how long a contact lasts, s. The bodies stick together meanwhile; 0 is an impact.
    pub contact_duration: f64,
}

impl Default for Material {
    /// Perfectly elastic and smooth.
    fn default() -> Self {
        Material {
            restitution: 1.0,
            static_friction: 0.0,
            kinetic_friction: 0.0,
            law: Law::Coulomb,
            rolling_resistance: 0.0,
            spinning_resistance: 0.0,
            contact_duration: 0.0,
        }
    }
}

impl Material {
    /// Refuses a negative or non-finite number and μ_c > μ_s.
    pub fn check(&self) -> Result<(), MaterialError> {
        Surface::of(self).check()
    }
}

fn check(surface: &Surface) -> Result<(), MaterialError> {
    let &Surface {
        static_friction,
        kinetic_friction,
        ..
    } = surface;
    for (field, value) in [
        ("restitution", surface.restitution),
        ("static_friction", static_friction),
        ("kinetic_friction", kinetic_friction),
        ("rolling_resistance", surface.rolling_resistance),
        ("spinning_resistance", surface.spinning_resistance),
        ("contact_duration", surface.contact_duration),
    ] {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(MaterialError {
                field,
                value: value.to_string(),
                allowed: "a finite number, zero or above",
            });
        }
    }
    if kinetic_friction > static_friction {
        return Err(MaterialError {
            field: "kinetic_friction",
            value: format!("{kinetic_friction} with static_friction {static_friction}"),
            allowed: "at most static_friction",
        });
    }
    Ok(())
}

/// Whether ε of a pair depends on how fast the two approach.
// Without numbers, so that it fits into what a surface has to spare: the loop of a gas copies it at every collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BySpeed {
    /// It does not.
    #[default]
    Constant,
    /// As that of viscoelastic spheres does ([`RestitutionCurve::Viscoelastic`]).
    Viscoelastic,
    /// In another way: [`Materials::restitution_at`] says how.
    Varies,
}

/// What two materials are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// ε of the pair. Where it depends on the approach speed, that at the speed for which the surface was asked for, or
    /// at 1 m/s.
    pub restitution: f64,
    /// μ_s of the pair.
    pub static_friction: f64,
    /// μ_c of the pair.
    pub kinetic_friction: f64,
    /// The law that holds between them.
    pub law: Law,
    /// μ_r of the pair.
    pub rolling_resistance: f64,
    /// μ_p of the pair.
    pub spinning_resistance: f64,
    /// How long a contact of the pair lasts, s.
    pub contact_duration: f64,
    /// Whether ε depends on the approach speed.
    pub by_speed: BySpeed,
}

impl Default for Surface {
    /// Perfectly elastic and smooth.
    fn default() -> Self {
        Surface::of(&Material::default())
    }
}

impl Surface {
    /// Between two bodies of one material.
    pub fn of(material: &Material) -> Self {
        Surface {
            restitution: material.restitution,
            static_friction: material.static_friction,
            kinetic_friction: material.kinetic_friction,
            law: material.law,
            rolling_resistance: material.rolling_resistance,
            spinning_resistance: material.spinning_resistance,
            contact_duration: material.contact_duration,
            by_speed: BySpeed::Constant,
        }
    }

    /// Whether ε depends on the approach speed.
    #[inline(always)]
    pub fn varies(&self) -> bool {
        !matches!(self.by_speed, BySpeed::Constant)
    }

    fn check(&self) -> Result<(), MaterialError> {
        check(self)
    }

    /// Whether an impulse can only be along the normal: nothing rubs, and the law does not turn smooth balls.
    pub fn is_smooth(&self) -> bool {
        self.static_friction.max(self.kinetic_friction) <= 0.0 && self.law != Law::Beta
    }
}

/// What holds for a pair of materials, in place of what follows from the two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairOverride {
    /// In place of the combined ε.
    pub restitution: Option<f64>,
    /// In place of the combined μ_s.
    pub static_friction: Option<f64>,
    /// In place of the combined μ_c.
    pub kinetic_friction: Option<f64>,
    /// In place of the law that has precedence.
    pub law: Option<Law>,
    /// In place of the combined μ_r.
    pub rolling_resistance: Option<f64>,
    /// In place of the combined μ_p.
    pub spinning_resistance: Option<f64>,
    /// In place of the longer of the two durations, s.
    pub contact_duration: Option<f64>,
}

/// A material of a [`Materials`] table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct MaterialId(u32);

impl MaterialId {
    /// The material in a row of the table.
    pub(crate) fn of_row(row: u32) -> Self {
        MaterialId(row)
    }

    /// Its row in the table.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The materials of a world.
///
/// **How two combine.** Each number is the geometric mean of the two: equal materials keep their value, a zero on
/// either side gives zero, a bumper above one helps any ball. A contact lasts as long as the softer of the two has it:
/// the longer duration holds. A restitution that depends on the approach speed is combined at that speed
/// ([`Materials::restitution_at`]). Where the two name different laws, the one later in [`Law::ALL`] holds. Whatever is
/// laid down for the pair replaces the combined value.
///
/// ```
/// use carom::material::{Material, Materials, PairOverride};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut materials = Materials::default();
/// let steel = materials.add("steel", Material { restitution: 0.9, ..Material::default() })?;
/// let clay = materials.add("clay", Material { restitution: 0.1, ..Material::default() })?;
/// assert!((materials.surface(steel, clay).restitution - 0.3).abs() < 1e-15); // √(0.9 · 0.1)
/// let known = PairOverride { restitution: Some(0.25), ..PairOverride::default() };
/// materials.override_pair(clay, steel, known)?;
/// assert_eq!(materials.surface(steel, clay).restitution, 0.25);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Materials {
    table: Vec<(String, Material)>,
    overrides: BTreeMap<(MaterialId, MaterialId), PairOverride>,
    /// Of springs and dampers, for the method of forces; by material, and by pair.
    constants: BTreeMap<MaterialId, Constants>,
    pair_constants: BTreeMap<(MaterialId, MaterialId), Constants>,
    /// Of restitutions that depend on the approach speed; by material, and by pair.
    curves: BTreeMap<MaterialId, RestitutionCurve>,
    pair_curves: BTreeMap<(MaterialId, MaterialId), RestitutionCurve>,
}

impl Default for Materials {
    fn default() -> Self {
        Materials {
            table: vec![("default".to_owned(), Material::default())],
            overrides: BTreeMap::new(),
            constants: BTreeMap::new(),
            pair_constants: BTreeMap::new(),
            curves: BTreeMap::new(),
            pair_curves: BTreeMap::new(),
        }
    }
}

fn geometric_mean(a: f64, b: f64) -> f64 {
    if a == b { a } else { a.sqrt() * b.sqrt() }
}

impl Materials {
    /// The material that bodies have by default: named `default`, elastic and smooth, unless replaced.
    pub const DEFAULT: MaterialId = MaterialId(0);

    /// Adds a material, or replaces the one of that name.
    pub fn add(&mut self, name: &str, material: Material) -> Result<MaterialId, MaterialError> {
        material.check()?;
        if let Some(id) = self.find(name) {
            let row = &mut self.table[id.0 as usize].1;
            if row.restitution.to_bits() != material.restitution.to_bits() {
                self.curves.remove(&id);
            }
            *row = material;
            return Ok(id);
        }
        let id = u32::try_from(self.table.len()).map_err(|_| MaterialError {
            field: "name",
            value: name.to_owned(),
            allowed: "one of at most 2³² materials",
        })?;
        self.table.push((name.to_owned(), material));
        Ok(MaterialId(id))
    }

    /// The material of that name.
    pub fn find(&self, name: &str) -> Option<MaterialId> {
        self.table
            .iter()
            .position(|(other, _)| other == name)
            .map(|index| MaterialId(index as u32))
    }

    /// The name of a material.
    pub fn name(&self, id: MaterialId) -> &str {
        &self.table[id.0 as usize].0
    }

    /// A material's own numbers.
    pub fn get(&self, id: MaterialId) -> &Material {
        &self.table[id.0 as usize].1
    }

    /// Lays down what holds between two materials. Refused where the result would not be a surface.
    pub fn override_pair(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        values: PairOverride,
    ) -> Result<(), MaterialError> {
        self.combine(a, b, &values).check()?;
        if values.restitution.is_some() {
            self.pair_curves.remove(&(a.min(b), a.max(b)));
        }
        self.overrides.insert((a.min(b), a.max(b)), values);
        Ok(())
    }

    /// What two materials are to each other.
    pub fn surface(&self, a: MaterialId, b: MaterialId) -> Surface {
        let mut surface = match self.overrides.get(&(a.min(b), a.max(b))) {
            Some(values) => self.combine(a, b, values),
            None => self.combine(a, b, &PairOverride::default()),
        };
        surface.by_speed = self.by_speed(a, b);
        if surface.varies() {
            surface.restitution = self.restitution_at(a, b, 1.0);
        }
        surface
    }

    /// Says what springs and dampers a material has, for the method of forces.
    pub fn set_constants(
        &mut self,
        id: MaterialId,
        constants: Constants,
    ) -> Result<(), ConstantsError> {
        constants.check()?;
        self.constants.insert(id, constants);
        Ok(())
    }

    /// Sets the spring and the damper between two materials, in place of what follows from the two: a given
    /// stiffness or damping is that of the pair. A contact time, or Young's modulus, is that of two bodies of one such
    /// material.
    pub fn override_constants(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        constants: Constants,
    ) -> Result<(), ConstantsError> {
        constants.check()?;
        self.pair_constants.insert((a.min(b), a.max(b)), constants);
        Ok(())
    }

    /// A material's springs and dampers, where it has any.
    pub fn constants(&self, id: MaterialId) -> Option<&Constants> {
        self.constants.get(&id)
    }

    /// The spring and the damper laid down for a pair, where there are any.
    pub fn pair_constants(&self, a: MaterialId, b: MaterialId) -> Option<&Constants> {
        self.pair_constants.get(&(a.min(b), a.max(b)))
    }

    /// All springs and dampers, of materials and of pairs.
    #[allow(clippy::type_complexity)]
    pub(crate) fn all_constants(
        &self,
    ) -> (
        Vec<(MaterialId, Constants)>,
        Vec<((MaterialId, MaterialId), Constants)>,
    ) {
        let of = |(&key, &value): (&_, &_)| (key, value);
        (
            self.constants.iter().map(of).collect(),
            (self.pair_constants.iter())
                .map(|(&pair, &value)| (pair, value))
                .collect(),
        )
    }

    /// Everything that is laid down for pairs.
    pub(crate) fn overrides(
        &self,
    ) -> impl Iterator<Item = ((MaterialId, MaterialId), PairOverride)> {
        self.overrides.iter().map(|(&pair, &values)| (pair, values))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// All materials, in the order of their rows.
    pub(crate) fn ids(&self) -> impl Iterator<Item = MaterialId> + use<> {
        (0..self.table.len() as u32).map(MaterialId)
    }

    /// Whether anything can rub: a material, or a pair by what is laid down for it; or a law that turns smooth balls.
    pub(crate) fn any_friction(&self) -> bool {
        let rubs = |friction: f64, law: Law| friction > 0.0 || law == Law::Beta;
        self.table
            .iter()
            .any(|(_, material)| rubs(material.static_friction, material.law))
            || self.overrides.values().any(|values| {
                rubs(
                    values.static_friction.unwrap_or(0.0),
                    values.law.unwrap_or_default(),
                )
            })
    }

    /// Whether any contact can turn what is round: by friction, or by a couple.
    pub(crate) fn any_turns(&self) -> bool {
        let couple = |rolling: f64, spinning: f64| rolling > 0.0 || spinning > 0.0;
        let of =
            |material: &Material| couple(material.rolling_resistance, material.spinning_resistance);
        let overridden = |values: &PairOverride| {
            couple(
                values.rolling_resistance.unwrap_or(0.0),
                values.spinning_resistance.unwrap_or(0.0),
            )
        };
        self.any_friction()
            || self.table.iter().any(|(_, material)| of(material))
            || self.overrides.values().any(overridden)
    }

    /// Whether any bounce takes energy out.
    pub(crate) fn any_loss(&self) -> bool {
        let loses = |restitution: f64| restitution < 1.0;
        (self.table.iter()).any(|(_, material)| loses(material.restitution))
            || (self.overrides.values()).any(|values| values.restitution.is_some_and(loses))
            || self.any_restitution_curve()
            || self.any_friction()
    }

    fn combine(&self, a: MaterialId, b: MaterialId, values: &PairOverride) -> Surface {
        let (a, b) = (self.get(a), self.get(b));
        Surface {
            restitution: values
                .restitution
                .unwrap_or_else(|| geometric_mean(a.restitution, b.restitution)),
            static_friction: values
                .static_friction
                .unwrap_or_else(|| geometric_mean(a.static_friction, b.static_friction)),
            kinetic_friction: values
                .kinetic_friction
                .unwrap_or_else(|| geometric_mean(a.kinetic_friction, b.kinetic_friction)),
            law: values.law.unwrap_or(a.law.max(b.law)),
            rolling_resistance: values
                .rolling_resistance
                .unwrap_or_else(|| geometric_mean(a.rolling_resistance, b.rolling_resistance)),
            spinning_resistance: values
                .spinning_resistance
                .unwrap_or_else(|| geometric_mean(a.spinning_resistance, b.spinning_resistance)),
            contact_duration: values
                .contact_duration
                .unwrap_or(a.contact_duration.max(b.contact_duration)),
            by_speed: BySpeed::Constant,
        }
    }
}

#[cfg(test)]
mod tests;
