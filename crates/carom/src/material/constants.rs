//! What a material says about its springs.

use super::Law;
use thiserror::Error;

/// How stiff a material is. Two materials are springs in series: `1/k = 1/k_a + 1/k_b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Stiffness {
    /// k > 0 of a linear spring, N/m; infinite for a rigid one.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::number"))]
    Given(f64),
    /// The time that a contact of two bodies of this material lasts, s, whatever their masses: k follows from it, the
    /// restitution and the reduced mass. Of two materials it is the root of the mean of the squares, which is what
    /// springs in series give.
    ContactTime(f64),
    /// Hertz's law for elastic spheres, `k = (4/3) E* √R*` with `1/E* = (1−ν_a²)/E_a + (1−ν_b²)/E_b`.
    Young {
        /// E > 0, Pa; infinite for a rigid one.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::number"))]
        modulus: f64,
        /// Poisson's ν, from −1 to ½.
        poisson: f64,
    },
}

/// How a material damps. Two given dampings are dampers in series too: `1/c = 1/c_a + 1/c_b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Damping {
    /// Such that a head-on impact has the restitution of the two materials. If either material says so it holds for
    /// both.
    Restitution,
    /// c ≥ 0, N·s/m (for Hertz N·s/m^(5/4)); infinite for one that leaves the damping to the other.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::number"))]
    Given(f64),
    /// c = γ times the reduced mass, with γ ≥ 0 in 1/s.
    PerMass(f64),
}

/// What a material is to the method of forces.
///
/// ```
/// use carom::prelude::*;
/// use carom::material::Constants;
///
/// // Such that head-on contacts of this material with itself last a millisecond, whatever the masses.
/// let rubber = Constants::lasting(1e-3);
/// assert!(rubber.check().is_ok());
/// assert!(Constants::linear(-5.0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Constants {
    /// Of the spring along the normal.
    pub stiffness: Stiffness,
    /// Of the damper along the normal.
    pub damping: Damping,
    /// k_t as a part of k; of two materials the geometric mean. 2/7 makes a sphere's tangential period that of the
    /// normal.
    pub tangential_stiffness: f64,
    /// c_t as a part of c; of two materials the geometric mean.
    pub tangential_damping: f64,
}

/// Why constants cannot be, or two bodies cannot collide by forces.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ConstantsError {
    /// A number is not allowed.
    #[error("{field} is {value}, but must be {allowed}")]
    Number {
        /// `stiffness`, `damping`, `contact_time`, `young`, `poisson`, `tangential_stiffness` or `tangential_damping`.
        field: &'static str,
        /// As given.
        value: f64,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// A contact would never end.
    #[error(
        "damping is {damping}, but must be below the critical {critical} (2√(kμ) with k = {stiffness} and a reduced mass of {mass} kg), or the contact never ends; \
         attraction can be cut off instead"
    )]
    Overdamped {
        /// c of the pair.
        damping: f64,
        /// Where contacts begin never to end.
        critical: f64,
        /// k of the pair.
        stiffness: f64,
        /// kg.
        mass: f64,
    },
    /// No damper gives this restitution.
    #[error(
        "restitution is {restitution}, but forces need one from 0 to 1, and above 0 where attraction is cut off"
    )]
    Restitution {
        /// ε of the pair.
        restitution: f64,
    },
    /// A viscoelastic restitution without Hertz's springs.
    #[error(
        "the restitution is viscoelastic, but forces need Hertz's springs for it: give a Young's modulus on both sides"
    )]
    Viscoelastic,
    /// A restitution that depends on the approach speed in a way that no damper has.
    #[error(
        "the restitution depends on the approach speed by a table, or by the mean of two laws, for which there is no damper: by forces it must be a number, or viscoelastic on both sides"
    )]
    Varies,
    /// A law that is one of impulses.
    #[error("the law {law} is one of impulses and has no counterpart in forces; coulomb has")]
    Law {
        /// Which.
        law: Law,
    },
    /// A contact of a given duration, in which bodies travel in sticking.
    #[error(
        "contact_duration is {duration} s, but contacts of measurable duration (row C4) are answered by impulses and have no counterpart in forces, whose contacts last as their springs make them"
    )]
    StickingContact {
        /// τ of the pair, s.
        duration: f64,
    },
    /// Hertz's law without a radius of curvature.
    #[error(
        "young (Hertz's law) needs a radius of curvature, but neither body is round: give a stiffness or a contact time"
    )]
    Flat,
    /// Both springs are rigid.
    #[error("stiffness is infinite on both sides, but must be finite on one")]
    Rigid,
    /// One spring is linear, the other Hertz's.
    #[error(
        "one stiffness is a linear spring's, the other Hertz's (young), but both must be of one kind"
    )]
    Kinds,
}

impl Constants {
    /// Two sevenths, for spheres.
    pub const TANGENTIAL_STIFFNESS: f64 = 2.0 / 7.0;

    /// A linear spring of k (N/m), damped as the restitution says.
    pub fn linear(stiffness: f64) -> Self {
        Constants {
            stiffness: Stiffness::Given(stiffness),
            damping: Damping::Restitution,
            tangential_stiffness: Self::TANGENTIAL_STIFFNESS,
            tangential_damping: 0.5,
        }
    }

    /// A linear spring of k (N/m) and a damper of c (N·s/m), the course's.
    pub fn spring_and_damper(stiffness: f64, damping: f64) -> Self {
        Constants {
            damping: Damping::Given(damping),
            ..Self::linear(stiffness)
        }
    }

    /// A linear spring whose contacts last a time (s), damped as the restitution says.
    pub fn lasting(contact_time: f64) -> Self {
        Constants {
            stiffness: Stiffness::ContactTime(contact_time),
            ..Self::linear(0.0)
        }
    }

    /// Hertz's law with Young's modulus (Pa) and Poisson's ratio, damped as the restitution says.
    pub fn hertz(modulus: f64, poisson: f64) -> Self {
        Constants {
            stiffness: Stiffness::Young { modulus, poisson },
            ..Self::linear(0.0)
        }
    }

    /// Refuses k ≤ 0, c < 0, and what is NaN.
    pub fn check(&self) -> Result<(), ConstantsError> {
        const POSITIVE: &str = "positive (infinite for a rigid side)";
        let need = |right: bool, field, value, allowed| {
            if right {
                Ok(())
            } else {
                Err(ConstantsError::Number {
                    field,
                    value,
                    allowed,
                })
            }
        };
        match self.stiffness {
            Stiffness::Given(k) => need(k > 0.0, "stiffness", k, POSITIVE)?,
            Stiffness::ContactTime(t) => need(
                t > 0.0 && t.is_finite(),
                "contact_time",
                t,
                "a positive, finite number of seconds",
            )?,
            Stiffness::Young { modulus, poisson } => {
                need(modulus > 0.0, "youngs_modulus", modulus, POSITIVE)?;
                let right = (-1.0..=0.5).contains(&poisson);
                need(right, "poissons_ratio", poisson, "from -1 to 0.5")?;
            }
        }
        match self.damping {
            Damping::Restitution => {}
            Damping::Given(c) => need(c >= 0.0, "damping", c, "zero or above")?,
            Damping::PerMass(rate) => need(
                rate >= 0.0 && rate.is_finite(),
                "damping",
                rate,
                "a finite number of 1/s, zero or above",
            )?,
        }
        for (field, value) in [
            ("tangential_stiffness", self.tangential_stiffness),
            ("tangential_damping", self.tangential_damping),
        ] {
            let right = value >= 0.0 && value.is_finite();
            need(right, field, value, "a finite number, zero or above")?;
        }
        Ok(())
    }

    /// What each side of a pair has, where these are the constants of the pair: springs and dampers twice as strong,
    /// two of which in series are the pair's.
    pub fn each_side(&self) -> Self {
        Constants {
            stiffness: match self.stiffness {
                Stiffness::Given(k) => Stiffness::Given(2.0 * k),
                other => other,
            },
            damping: match self.damping {
                Damping::Given(c) => Damping::Given(2.0 * c),
                Damping::PerMass(rate) => Damping::PerMass(2.0 * rate),
                Damping::Restitution => Damping::Restitution,
            },
            ..*self
        }
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([] Constants, Constants::check);
