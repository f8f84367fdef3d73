//! The closed forms of a head-on contact: from (k, c) to restitution and contact time, and back.
//!
//! A pair of reduced mass μ that collides at the approach speed v without any other force obeys `μ δ″ + c δ′ + k δ =
//! 0`. With `ω₀ = √(k/μ)`, `β = c/2μ`, `ζ = β/ω₀` and `ω_d = √(ω₀² − β²)`, for ζ < 1:
//!
//! ```text
//! δ(t) = (v/ω_d) e^(−βt) sin ω_d t
//! ```
//!
//! *With attraction* the contact ends where δ = 0: it lasts `π/ω_d` and the restitution is `ε = e^(−βπ/ω_d)`. For ζ ≥ 1
//! it never ends.
//!
//! *Without attraction* it ends where the force does, `δ″ = 0`: `tan ω_d t = −2βω_d/(ω_d² − β²)`, so
//! `t = (π − 2 atan(β/ω_d))/ω_d = 2 atan2(ω_d, β)/ω_d`, and there `δ′ = −v e^(−βt)`: `ε = e^(−βt)` (Schwager and
//! Pöschel, 2007, Granular Matter 9). For ζ > 1, with `σ = √(β² − ω₀²)`, the arctangent becomes `t = 2 artanh(σ/β)/σ`;
//! there is always an end.
//!
//! *Hertz with Tsuji's damper*, `μ δ″ + c δ^(1/4) δ′ + k δ^(3/2) = 0`: with `y = δ^(5/4)` and a time s in which
//! `dy/ds = δ′`, the speed obeys `dδ′/ds = −(4/5μ)(k y + c δ′)`, a linear oscillator (Antypov and Elliott, 2011,
//! Europhysics Letters 94). So its restitution is that of the linear contact with `ζ = c/√(5kμ)`, at all speeds, and
//! that without attraction too, as the force vanishes with `k y + c δ′`.

use std::f64::consts::PI;

/// Whether a contact may pull at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Ending {
    /// The contact ends when the surfaces separate; near its end the damper may pull (the course's).
    #[default]
    Attracting,
    /// It ends when the force would begin to pull.
    CutOff,
}

impl Ending {
    /// Its name in scene files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Attracting => "attracting",
            Ending::CutOff => "cut off",
        }
    }
}

/// The reduced mass of two masses, kg; one may be infinite.
#[inline]
pub fn reduced_mass(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// What two springs, or two dampers, are in series: `1/k = 1/k_a + 1/k_b`. Either may be infinite (rigid) or zero.
#[inline]
pub fn in_series(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// The damping above which a contact with attraction never ends, `2√(kμ)`, N·s/m; k in N/m, μ in kg.
#[inline]
pub fn critical_damping(stiffness: f64, mass: f64) -> f64 {
    2.0 * (stiffness * mass).sqrt()
}

/// `ω₀ t` at the end of a contact of damping ratio ζ; `None` where it never ends.
fn phase(ratio: f64, ending: Ending) -> Option<f64> {
    let rest = 1.0 - ratio * ratio;
    match ending {
        Ending::Attracting if rest > 0.0 => Some(PI / rest.sqrt()),
        Ending::Attracting => None,
        Ending::CutOff if rest > 1e-8 => {
            let root = rest.sqrt();
            Some(2.0 * libm::atan2(root, ratio) / root)
        }
        Ending::CutOff if rest < -1e-8 => {
            let root = (-rest).sqrt();
            // artanh(σ/β) = arsinh(σ/ω₀).
            Some(2.0 * libm::asinh(root) / root)
        }
        // atan(x)/x and artanh(x)/x for small x = σ/β: 1 − rest/3ζ², to 1e-16.
        Ending::CutOff => Some(2.0 / ratio * (1.0 - rest / (3.0 * ratio * ratio))),
    }
}

/// The restitution of a contact of damping ratio ζ = c/(2√(kμ)); `None` where it never ends.
pub fn restitution_of_ratio(ratio: f64, ending: Ending) -> Option<f64> {
    phase(ratio, ending).map(|phase| libm::exp(-ratio * phase))
}

/// How long a linear contact lasts, s (k in N/m, c in N·s/m, μ in kg); `None` where it never ends.
pub fn contact_time(stiffness: f64, damping: f64, mass: f64, ending: Ending) -> Option<f64> {
    let ratio = damping / critical_damping(stiffness, mass);
    phase(ratio, ending).map(|phase| phase * (mass / stiffness).sqrt())
}

/// The restitution of a linear contact (k in N/m, c in N·s/m, μ in kg); `None` where it never ends.
pub fn restitution(stiffness: f64, damping: f64, mass: f64, ending: Ending) -> Option<f64> {
    restitution_of_ratio(damping / critical_damping(stiffness, mass), ending)
}

/// The damping ratio ζ that gives a restitution, `0 ≤ ε ≤ 1`; `None` for others.
///
/// With attraction ε = 0 is ζ = 1, which ζ goes to as ε does to zero: the least damping with which the two stay
/// together. Without, ε falls as 1/(2ζ)² and zero is out of reach.
pub fn ratio_of_restitution(restitution: f64, ending: Ending) -> Option<f64> {
    if restitution == 0.0 && ending == Ending::Attracting {
        return Some(1.0);
    }
    if !(restitution > 0.0 && restitution <= 1.0) {
        return None;
    }
    let log = -libm::log(restitution);
    match ending {
        Ending::Attracting => Some(log / (PI * PI + log * log).sqrt()),
        Ending::CutOff if log == 0.0 => Some(0.0),
        // ζ² would overflow on the way.
        Ending::CutOff if log > 600.0 => None,
        Ending::CutOff => {
            // −ln ε grows with ζ from 0 without bound. Bisection down to neighbouring numbers: the same bits
            // everywhere.
            let reaches = |ratio: f64| phase(ratio, ending).is_some_and(|it| ratio * it >= log);
            let (mut low, mut high) = (0.0, 1.0);
            while !reaches(high) {
                high *= 2.0;
            }
            loop {
                let middle = 0.5 * (low + high);
                match middle {
                    _ if middle <= low || middle >= high => return Some(high),
                    _ if reaches(middle) => high = middle,
                    _ => low = middle,
                }
            }
        }
    }
}

/// The damping c, N·s/m, that gives a linear contact a restitution (k in N/m, μ in kg); `None` where
/// there is none ([`ratio_of_restitution`]).
pub fn damping_for(restitution: f64, stiffness: f64, mass: f64, ending: Ending) -> Option<f64> {
    ratio_of_restitution(restitution, ending).map(|ratio| ratio * critical_damping(stiffness, mass))
}

/// The stiffness k, N/m, that makes a linear contact of restitution ε last a time (s), for a reduced mass (kg); `None`
/// unless there is a damping for it. Of ε = 0, with which it never ends, it is what the contact would last undamped.
pub fn stiffness_for(restitution: f64, time: f64, mass: f64, ending: Ending) -> Option<f64> {
    let ratio = ratio_of_restitution(restitution, ending)?;
    let phase = phase(ratio, ending).unwrap_or(PI) / time;
    Some(mass * phase * phase)
}

#[cfg(test)]
// The truths keep all the digits that they were given with.
#[allow(clippy::excessive_precision)]
mod tests {
    use super::*;
    use crate::space::UNIT_ROUNDOFF;

    /// Worked example 1 of the course, with c = 0.65 and k = 100 for m = 0.8 and 0.1.
    const EXAMPLE: (f64, f64, f64) = (100.0, 0.65, 0.8 * 0.1 / 0.9);

    #[test]
    fn the_worked_example_in_closed_form() {
        let (k, c, mass) = EXAMPLE;
        let time = contact_time(k, c, mass, Ending::Attracting).unwrap();
        let bounce = restitution(k, c, mass, Ending::Attracting).unwrap();
        // A handful of roundings.
        assert!((time - 0.094225702645802574).abs() < 1e-16, "{time}");
        assert!((bounce - 0.70856553542136624).abs() < 1e-15, "{bounce}");
        // Ten digits are given.
        let time = contact_time(k, c, mass, Ending::CutOff).unwrap();
        let bounce = restitution(k, c, mass, Ending::CutOff).unwrap();
        assert!((time - 0.0876737159).abs() < 1e-10, "{time}");
        assert!((bounce - 0.725744667).abs() < 1e-9, "{bounce}");
    }

    #[test]
    fn there_and_back() {
        for ending in [Ending::Attracting, Ending::CutOff] {
            for given in [1e-6, 0.01, 0.1, 0.5, 0.7, 0.99, 1.0 - 1e-12, 1.0] {
                let c = damping_for(given, 1e5, 0.03, ending).unwrap();
                let back = restitution(1e5, c, 0.03, ending).unwrap();
                // A rounding of ζ is magnified by d(ln ε)/dζ, at most π/(1−ζ²)^(3/2); the logarithm itself is at
                // most 14.
                let ratio = ratio_of_restitution(given, ending).unwrap().min(0.98);
                let magnified = PI / libm::pow(1.0 - ratio * ratio, 1.5) + 14.0;
                let error = (back - given).abs() / given;
                assert!(
                    error <= 8.0 * UNIT_ROUNDOFF * magnified,
                    "{ending:?} {given} {back}"
                );
                let k = stiffness_for(given, 1e-3, 0.03, ending).unwrap();
                let c = damping_for(given, k, 0.03, ending).unwrap();
                let time = contact_time(k, c, 0.03, ending).unwrap();
                let error = (time - 1e-3).abs() / 1e-3;
                assert!(
                    error <= 8.0 * UNIT_ROUNDOFF * magnified,
                    "{ending:?} {given} {time}"
                );
            }
            assert_eq!(ratio_of_restitution(0.0, ending), None);
            assert_eq!(ratio_of_restitution(1.1, ending), None);
            assert_eq!(ratio_of_restitution(f64::NAN, ending), None);
        }
    }

    #[test]
    fn without_attraction_the_damping_may_pass_the_critical_one_smoothly() {
        assert_eq!(restitution_of_ratio(1.0, Ending::Attracting), None);
        let at = |ratio| restitution_of_ratio(ratio, Ending::CutOff).unwrap();
        // At ζ = 1 the contact lasts 2/β: ε = e⁻².
        assert!((at(1.0) - libm::exp(-2.0)).abs() < 1e-15);
        for step in [1e-10, 3e-9, 1e-8, 1e-7] {
            // d(ln ε)/dζ at 1 is −4/3: −ζ·2/ζ(1 − (1−ζ²)/3ζ²) = −2 + 2(1−ζ²)/3ζ².
            let slope = (at(1.0 + step) - at(1.0 - step)) / (2.0 * step) / at(1.0);
            // Rounding of the difference, and the neglected third order.
            assert!(
                (slope + 4.0 / 3.0).abs() < 1e-15 / step + 1e-6,
                "{step} {slope}"
            );
        }
    }

    #[test]
    fn series_of_rigid_and_loose_ends() {
        assert_eq!(in_series(200.0, 200.0), 100.0);
        assert_eq!(in_series(f64::INFINITY, 50.0), 50.0);
        assert_eq!(in_series(0.0, 50.0), 0.0);
        assert_eq!(reduced_mass(2.0, f64::INFINITY), 2.0);
    }
}
