//! What acts between materials, in the form that the loop over contacts takes it.

use super::law::Rule;
use crate::force::{Constants, Damping, Ending, Stiffness, closed};
use crate::material::{Law, Materials, Surface};
use thiserror::Error;

/// What acts between the classes of balls and fixtures.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// How many there are.
    pub classes: usize,
    /// Of each pair of classes, row by row: `classes²` of them, the same for a pair in either order.
    pub table: Vec<Rule>,
    /// Hertz's law in place of the linear one.
    pub hertz: bool,
    /// Whether contacts never pull.
    pub cut_off: bool,
}

/// Why the loop over many contacts cannot have some rules, which single contacts may have.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RulesError {
    /// There are no constants.
    #[error("material {material} has no springs and dampers")]
    NoConstants {
        /// Its name.
        material: String,
    },
    /// Two materials do not go together in one formula.
    #[error("materials {a} and {b}: {reason}")]
    Pair {
        /// The name of one.
        a: String,
        /// The name of the other.
        b: String,
        /// What prevents it, and what is allowed.
        reason: &'static str,
    },
}

impl Rules {
    /// One rule for all, linear, with attraction.
    pub fn uniform(rule: Rule) -> Self {
        Rules {
            classes: 1,
            table: vec![rule],
            hertz: false,
            cut_off: false,
        }
    }

    /// Of all materials, which are the classes, in order; `fallback` is for those without constants, and
    /// `inertia_factor` is `I/(m r²)` of the balls: 2/5 for spheres, 1/2 for discs.
    ///
    /// Refused is what is not one formula of the reduced mass and radius: springs of given stiffness with springs of
    /// given duration, dampers of one kind with dampers of another, Hertz's law for some materials only.
    pub fn of_materials(
        materials: &Materials,
        fallback: Option<Constants>,
        ending: Ending,
        inertia_factor: f64,
    ) -> Result<Self, RulesError> {
        let ids: Vec<_> = materials.ids().collect();
        let mut table = Vec::with_capacity(ids.len() * ids.len());
        let mut hertz = None;
        for &a in &ids {
            for &b in &ids {
                let name = |id| materials.name(id).to_owned();
                let of = |id| {
                    let own = materials.constants(id).copied().or(fallback);
                    own.ok_or_else(|| RulesError::NoConstants { material: name(id) })
                };
                let sides = match materials.pair_constants(a, b) {
                    Some(pair) => (pair.each_side(), pair.each_side()),
                    None => (of(a)?, of(b)?),
                };
                let surface = materials.surface(a, b);
                let refuse = |reason| RulesError::Pair {
                    a: name(a),
                    b: name(b),
                    reason,
                };
                let (rule, by_hertz) =
                    combine(&sides.0, &sides.1, &surface, ending, inertia_factor)
                        .map_err(refuse)?;
                if *hertz.get_or_insert(by_hertz) != by_hertz {
                    return Err(refuse(
                        "some springs are Hertz's, others linear; all must be of one kind",
                    ));
                }
                table.push(rule);
            }
        }
        Ok(Rules {
            classes: ids.len(),
            table,
            hertz: hertz.unwrap_or(false),
            cut_off: ending == Ending::CutOff,
        })
    }
}

/// The rule of two materials, and whether it is Hertz's.
fn combine(
    a: &Constants,
    b: &Constants,
    surface: &Surface,
    ending: Ending,
    inertia_factor: f64,
) -> Result<(Rule, bool), &'static str> {
    let rubs = surface.static_friction > 0.0;
    if surface.law == Law::Beta || (rubs && surface.law != Law::Coulomb) {
        return Err("the law is one of impulses; coulomb is not");
    }
    let by_restitution = a.damping == Damping::Restitution || b.damping == Damping::Restitution;
    if surface.varies() && by_restitution {
        return Err("the restitution depends on the approach speed");
    }
    let no_restitution =
        "the restitution must be from 0 to 1, and above 0 where attraction is cut off";
    let restitution = surface.restitution;
    let mut rule = Rule::default();
    let mut hertz = false;
    match (a.stiffness, b.stiffness) {
        (Stiffness::Given(a), Stiffness::Given(b)) => rule.stiffness = closed::in_series(a, b),
        (Stiffness::ContactTime(a), Stiffness::ContactTime(b)) => {
            let per_mass = |time| closed::stiffness_for(restitution, time, 1.0, ending);
            let (a, b) = per_mass(a).zip(per_mass(b)).ok_or(no_restitution)?;
            rule.stiffness_per_mass = closed::in_series(2.0 * a, 2.0 * b);
        }
        (
            Stiffness::Young { modulus, poisson },
            Stiffness::Young {
                modulus: other,
                poisson: beside,
            },
        ) => {
            let softness = (1.0 - poisson * poisson) / modulus + (1.0 - beside * beside) / other;
            rule.stiffness = 4.0 / 3.0 / softness;
            hertz = true;
        }
        _ => {
            return Err(
                "the springs are of two kinds; both must be given, or last a time, or be Hertz's",
            );
        }
    }
    if !(rule.stiffness + rule.stiffness_per_mass).is_finite() {
        return Err("both springs are rigid; one must not be");
    }
    match (a.damping, b.damping) {
        (Damping::Restitution, _) | (_, Damping::Restitution) => {
            let ratio = closed::ratio_of_restitution(restitution, ending).ok_or(no_restitution)?;
            rule.damping_ratio = ratio * if hertz { 5.0_f64.sqrt() } else { 2.0 };
        }
        (Damping::Given(a), Damping::Given(b)) => rule.damping = closed::in_series(a, b),
        (Damping::PerMass(a), Damping::PerMass(b)) => {
            rule.damping_per_mass = closed::in_series(a, b);
        }
        _ => return Err("the dampers are of two kinds; both must be given, or given per mass"),
    }
    if !(rule.damping + rule.damping_per_mass).is_finite() {
        return Err("both dampers are rigid; one must not be");
    }
    let part = |a: f64, b: f64| if a == b { a } else { (a * b).sqrt() };
    Ok((
        Rule {
            tangential_stiffness: part(a.tangential_stiffness, b.tangential_stiffness),
            tangential_damping: part(a.tangential_damping, b.tangential_damping),
            static_friction: surface.static_friction,
            kinetic_friction: surface.kinetic_friction,
            rolling: surface.rolling_resistance * (1.0 + inertia_factor),
            spinning: surface.spinning_resistance,
            ..rule
        },
        hertz,
    ))
}
