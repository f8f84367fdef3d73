//! What the air does to a ball: drag, lift, and the decay of its spin.
//!
//! Where a medium is given rather than the coefficients, those of a sphere are used, in 2-D too.

use std::f64::consts::PI;

/// The force `−(k₁ + k₂|u|) u`, with u the velocity relative to the air.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Drag {
    /// The same coefficients for all balls.
    Given {
        /// k₁, kg/s. Not negative.
        linear: f64,
        /// k₂, kg/m. Not negative.
        quadratic: f64,
    },
    /// For spheres of their radius r in a medium: `k₁ = 6π η r` (Stokes) and `k₂ = ½ ρ C π r²`.
    ///
    /// Stokes' law holds where Re = 2rρ|u|/η is below about 1, a constant C from 10³ on; the sum of both lies between.
    OfMedium {
        /// ρ, kg/m³: 1.2 for air.
        density: f64,
        /// η, Pa·s: 1.8e-5 for air.
        viscosity: f64,
        /// C: 0.47 for a smooth sphere.
        coefficient: f64,
    },
}

impl Drag {
    /// Spheres in air at 20 °C.
    pub const AIR: Drag = Drag::OfMedium {
        density: 1.204,
        viscosity: 1.81e-5,
        coefficient: 0.47,
    };

    /// k₁ (kg/s) and k₂ (kg/m) of a ball of radius `radius` (m).
    pub fn coefficients(&self, radius: f64) -> (f64, f64) {
        match *self {
            Drag::Given { linear, quadratic } => (linear, quadratic),
            Drag::OfMedium {
                density,
                viscosity,
                coefficient,
            } => (
                6.0 * PI * viscosity * radius,
                0.5 * density * coefficient * PI * radius * radius,
            ),
        }
    }
}

/// The force `C ω×u` of a spinning ball (Magnus), with u the velocity relative to the air.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Lift {
    /// The same coefficient for all balls.
    Given {
        /// C, kg.
        coefficient: f64,
    },
    /// For spheres of their radius r in a medium: `C = coefficient · π ρ r³`.
    ///
    /// With coefficient 1 that is the limit for slow spheres (Rubinow and Keller, 1961, Journal of Fluid Mechanics 11);
    /// fast balls have less, about a third to a half.
    OfMedium {
        /// ρ, kg/m³.
        density: f64,
        /// Without unit.
        coefficient: f64,
    },
}

impl Lift {
    /// C (kg) of a ball of radius `radius` (m).
    pub fn coefficient(&self, radius: f64) -> f64 {
        match *self {
            Lift::Given { coefficient } => coefficient,
            Lift::OfMedium {
                density,
                coefficient,
            } => coefficient * PI * density * radius * radius * radius,
        }
    }
}

/// The torque `−c ω` of the air.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum RotationalDrag {
    /// The same coefficient for all balls.
    Given {
        /// c, N·m·s. Not negative.
        coefficient: f64,
    },
    /// For spheres of their radius r in a medium: `c = 8π η r³` (Kirchhoff), for slow rotation.
    OfMedium {
        /// η, Pa·s.
        viscosity: f64,
    },
}

impl RotationalDrag {
    /// c (N·m·s) of a ball of radius `radius` (m).
    pub fn coefficient(&self, radius: f64) -> f64 {
        match *self {
            RotationalDrag::Given { coefficient } => coefficient,
            RotationalDrag::OfMedium { viscosity } => {
                8.0 * PI * viscosity * radius * radius * radius
            }
        }
    }
}
