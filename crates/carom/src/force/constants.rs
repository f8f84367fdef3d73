//! How the constants of two materials combine for a pair of bodies.

use super::closed::{self, Ending, in_series};
use super::normal::{Normal, Spring, viscoelastic_damping};
use super::{Couple, Friction};
use crate::material::restitution::ratio_of;
use crate::material::{BySpeed, Constants, ConstantsError, Damping, Law, Stiffness, Surface};

/// Which two bodies collide, as far as constants depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The reduced mass, kg.
    pub mass: f64,
    /// The reduced radius, m.
    pub radius: f64,
    /// `I/(m r²)` of the ball: 2/5 for a sphere, 1/2 for a disc; infinite for one that cannot turn.
    pub inertia_factor: f64,
}

/// Refuses what only impulses can do.
fn check_surface(surface: &Surface) -> Result<(), ConstantsError> {
    let rubs = surface.static_friction > 0.0;
    if surface.law == Law::Beta || (rubs && surface.law != Law::Coulomb) {
        return Err(ConstantsError::Law { law: surface.law });
    }
    if surface.contact_duration > 0.0 {
        let duration = surface.contact_duration;
        return Err(ConstantsError::StickingContact { duration });
    }
    let restitution = surface.restitution;
    if restitution > 1.0 {
        return Err(ConstantsError::Restitution { restitution });
    }
    Ok(())
}

impl Constants {
    /// What acts between two bodies of two materials, of which `surface` says how they rub and rebound (at 1 m/s, where
    /// that depends on the speed).
    pub fn couple(
        a: &Self,
        b: &Self,
        surface: &Surface,
        ending: Ending,
        meeting: &Meeting,
    ) -> Result<Couple, ConstantsError> {
        a.check()?;
        b.check()?;
        check_surface(surface)?;
        let restitution = surface.restitution;
        let mass = meeting.mass;
        let (mut spring, stiffness) = stiffness(a, b, restitution, ending, meeting)?;
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(ConstantsError::Rigid);
        }
        let given = a.damping.of(mass).zip(b.damping.of(mass));
        if given.is_none() && surface.by_speed == BySpeed::Viscoelastic {
            if spring != Spring::Hertz {
                return Err(ConstantsError::Viscoelastic);
            }
            spring = Spring::Viscoelastic;
        }
        let critical = Normal::critical_damping(spring, stiffness, mass);
        let damping = match (given, surface.by_speed) {
            (Some((a, b)), _) => in_series(a, b),
            (None, BySpeed::Viscoelastic) => {
                viscoelastic_damping(ratio_of(restitution), stiffness, mass)
            }
            (None, BySpeed::Varies) => return Err(ConstantsError::Varies),
            (None, BySpeed::Constant) => {
                closed::ratio_of_restitution(restitution, ending)
                    .ok_or(ConstantsError::Restitution { restitution })?
                    * critical
            }
        };
        // What is to stay together does.
        let meant = given.is_none() && restitution == 0.0;
        let never_ends = damping >= critical && ending == Ending::Attracting && !meant;
        if never_ends || !damping.is_finite() {
            return Err(ConstantsError::Overdamped {
                damping,
                critical,
                stiffness,
                mass,
            });
        }
        let part = |a: f64, b: f64| if a == b { a } else { (a * b).sqrt() };
        let tangential = part(a.tangential_stiffness, b.tangential_stiffness) * stiffness;
        let tangential_damping = part(a.tangential_damping, b.tangential_damping) * damping;
        let slider = |static_friction: f64, kinetic_friction: f64| Friction {
            stiffness: tangential,
            damping: tangential_damping,
            static_friction,
            kinetic_friction,
        };
        // On the level a ball that rolls without slipping is to slow down by μ_r g: the torque does that against its
        // whole inertia about the contact point.
        let rolling = match meeting.inertia_factor {
            factor if factor.is_finite() => surface.rolling_resistance * (1.0 + factor),
            _ => 0.0,
        };
        Ok(Couple {
            normal: Normal {
                spring,
                stiffness,
                damping,
                ending,
            },
            sliding: slider(surface.static_friction, surface.kinetic_friction),
            rolling: slider(rolling, rolling),
            spinning: slider(surface.spinning_resistance, surface.spinning_resistance),
            mass,
            radius: meeting.radius,
        })
    }
}

impl Damping {
    /// c for a reduced mass (kg), where it does not follow from restitution.
    fn of(self, mass: f64) -> Option<f64> {
        match self {
            Damping::Restitution => None,
            Damping::Given(c) => Some(c),
            Damping::PerMass(rate) => Some(rate * mass),
        }
    }
}

fn stiffness(
    a: &Constants,
    b: &Constants,
    restitution: f64,
    ending: Ending,
    meeting: &Meeting,
) -> Result<(Spring, f64), ConstantsError> {
    let linear = |stiffness: Stiffness| match stiffness {
        Stiffness::Given(k) => Ok(k),
        // Twice that of the pair: two of them in series are the pair's.
        Stiffness::ContactTime(time) => {
            closed::stiffness_for(restitution, time, meeting.mass, ending)
                .map(|k| 2.0 * k)
                .ok_or(ConstantsError::Restitution { restitution })
        }
        Stiffness::Young { .. } => Err(ConstantsError::Kinds),
    };
    match (a.stiffness, b.stiffness) {
        (
            Stiffness::Young { modulus, poisson },
            Stiffness::Young {
                modulus: other_modulus,
                poisson: other_poisson,
            },
        ) => {
            let softness = (1.0 - poisson * poisson) / modulus
                + (1.0 - other_poisson * other_poisson) / other_modulus;
            Ok((Spring::Hertz, 4.0 / 3.0 / softness * meeting.radius.sqrt()))
        }
        (a, b) => Ok((Spring::Linear, in_series(linear(a)?, linear(b)?))),
    }
}
