//! Restitution that depends on how fast two bodies approach.
//!
//! **Viscoelastic spheres.** Hertz's spring with a damper of Kuwabara and Kono, `F = k δ^(3/2) + (3/2) A k √δ dδ/dt`,
//! in a contact that ends where the force would begin to pull. By dimensions ε depends on one number alone,
//!
//! ```text
//! x = (3/2) A (k/μ)^(2/5) v^(1/5) = loss · v^(1/5)
//! ```
//!
//! with the reduced mass μ and the approach speed v. P. Müller and T. Pöschel, "Collision of viscoelastic spheres:
//! Compact expressions for the coefficient of normal restitution", Physical Review E 84 (2011) 021302, give a Padé
//! approximant in √x, which is used here. Its first terms are the series `1 − 1.15344 x + …` of T. Schwager and
//! T. Pöschel (1998) and of R. Ramírez, T. Pöschel, N. V. Brilliantov and T. Schwager (1999).
//!
//! **Where it holds.** Slow impacts of spheres, without plastic deformation and without waves inside them. Against the
//! integrated equation of motion the approximant is off by less than 0.0003 up to x = 0.2 (ε = 0.8), by 0.005 at x = 1
//! (ε = 0.4) and by at most 0.008 anywhere (a test has it). It falls from 1 at rest to 0, without a bend.

use super::{BySpeed, MaterialError, MaterialId, Materials, Surface, geometric_mean};

/// As many points as a table may have.
pub const MOST_POINTS: usize = 1000;

/// ε as a function of the approach speed.
///
/// ```
/// use carom::material::{Material, Materials, RestitutionCurve};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut materials = Materials::default();
/// let ice = materials.add("ice", Material::default())?;
/// materials.set_restitution_curve(ice, RestitutionCurve::viscoelastic(0.9, 1.0)?)?; // 0.9 at 1 m/s
/// assert!((materials.restitution_at(ice, ice, 1.0) - 0.9).abs() < 1e-14);
/// assert!(materials.restitution_at(ice, ice, 0.01) > 0.95);
/// let measured = RestitutionCurve::table(vec![(0.0, 1.0), (2.0, 0.8)])?;
/// assert_eq!(measured.at(1.0), 0.9);
/// assert_eq!(measured.at(5.0), 0.8); // constant beyond its ends
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum RestitutionCurve {
    /// That of viscoelastic spheres.
    Viscoelastic {
        /// `(3/2) A (k/μ)^(2/5)`, at least 0, (s/m)^(1/5).
        loss: f64,
    },
    /// Straight lines between points (speed in m/s, ε), constant beyond their ends. Speeds increase, ε is from 0 to 1.
    Table(Vec<(f64, f64)>),
}

impl RestitutionCurve {
    /// The viscoelastic law that has a restitution, above 0 and at most 1, at a speed (m/s).
    pub fn viscoelastic(restitution: f64, speed: f64) -> Result<Self, MaterialError> {
        if !(restitution > 0.0 && restitution <= 1.0) {
            return Err(wrong("restitution", restitution, "above 0 and at most 1"));
        }
        if !(speed > 0.0 && speed.is_finite()) {
            return Err(wrong("speed", speed, "a finite number above zero"));
        }
        let loss = ratio_of(restitution) / libm::pow(speed, 0.2);
        Self::with_loss(loss)
    }

    /// The viscoelastic law of a loss, `(3/2) A (k/μ)^(2/5)` in (s/m)^(1/5), at least 0.
    pub fn with_loss(loss: f64) -> Result<Self, MaterialError> {
        let curve = RestitutionCurve::Viscoelastic { loss };
        curve.check()?;
        Ok(curve)
    }

    /// A table of speeds (m/s) and restitutions.
    pub fn table(points: Vec<(f64, f64)>) -> Result<Self, MaterialError> {
        let curve = RestitutionCurve::Table(points);
        curve.check()?;
        Ok(curve)
    }

    /// Refuses numbers that cannot be.
    pub fn check(&self) -> Result<(), MaterialError> {
        match self {
            RestitutionCurve::Viscoelastic { loss } if !(*loss >= 0.0 && loss.is_finite()) => {
                Err(wrong("loss", *loss, "a finite number, zero or above"))
            }
            RestitutionCurve::Viscoelastic { .. } => Ok(()),
            RestitutionCurve::Table(points) => check_table(points),
        }
    }

    /// ε at an approach speed (m/s).
    pub fn at(&self, speed: f64) -> f64 {
        match self {
            RestitutionCurve::Viscoelastic { loss } => viscoelastic_at(*loss, speed),
            RestitutionCurve::Table(points) => interpolated(points, speed),
        }
    }
}

fn wrong(field: &'static str, value: f64, allowed: &'static str) -> MaterialError {
    MaterialError {
        field,
        value: value.to_string(),
        allowed,
    }
}

fn check_table(points: &[(f64, f64)]) -> Result<(), MaterialError> {
    let refuse = |value: String, allowed| {
        Err(MaterialError {
            field: "table",
            value,
            allowed,
        })
    };
    if points.is_empty() || points.len() > MOST_POINTS {
        return refuse(format!("{} points", points.len()), "1 to 1000 points");
    }
    for &(speed, restitution) in points {
        if !(speed >= 0.0 && speed.is_finite()) {
            return refuse(
                format!("a speed of {speed} m/s"),
                "made of speeds that are finite, zero or above",
            );
        }
        if !(0.0..=1.0).contains(&restitution) {
            return refuse(
                format!("a restitution of {restitution}"),
                "made of restitutions from 0 to 1",
            );
        }
    }
    match points.windows(2).find(|two| two[0].0 >= two[1].0) {
        Some(two) => refuse(
            format!("{} m/s after {} m/s", two[1].0, two[0].0),
            "in the order of increasing speeds",
        ),
        None => Ok(()),
    }
}

/// ε of viscoelastic spheres at an approach speed (m/s).
pub(crate) fn viscoelastic_at(loss: f64, speed: f64) -> f64 {
    let root = loss.sqrt() * libm::pow(speed.max(0.0), 0.1);
    of_root(root)
}

/// ε as a function of √x: the approximant of Müller and Pöschel.
fn of_root(root: f64) -> f64 {
    const C1: f64 = 0.501_086;
    const B2: f64 = 1.153_45;
    const B3: f64 = 0.577_977;
    const B4: f64 = 0.532_178;
    // 1 + c₁√x over 1 + c₁√x + …, so that nothing is above 1 and nothing overflows.
    let above = root * root * (B2 + root * (B3 + root * B4));
    if above.is_finite() {
        1.0 / (1.0 + above / (1.0 + C1 * root))
    } else {
        0.0
    }
}

/// The x at which a restitution, above 0 and at most 1, is that of viscoelastic spheres: their loss, where it is that
/// at 1 m/s.
pub(crate) fn ratio_of(restitution: f64) -> f64 {
    if restitution == 1.0 {
        return 0.0;
    }
    // It falls from 1 to less than 1e-300 in between.
    let (mut low, mut high) = (0.0_f64, 1e100_f64);
    while {
        let middle = middle_of(low, high);
        middle > low && middle < high
    } {
        let middle = middle_of(low, high);
        if of_root(middle) > restitution {
            low = middle;
        } else {
            high = middle;
        }
    }
    high * high
}

/// By exponents where they differ by much.
fn middle_of(low: f64, high: f64) -> f64 {
    let least = low.max(1e-200);
    if high > 4.0 * least {
        least.sqrt() * high.sqrt()
    } else {
        low + 0.5 * (high - low)
    }
}

fn interpolated(points: &[(f64, f64)], speed: f64) -> f64 {
    let next = points.partition_point(|point| point.0 <= speed);
    match (
        next.checked_sub(1).map(|last| points[last]),
        points.get(next),
    ) {
        (None, None) => 1.0,
        (None, Some(first)) => first.1,
        (Some(last), None) => last.1,
        (Some((from, low)), Some(&(to, high))) => {
            let value = low + (high - low) * ((speed - from) / (to - from));
            value.clamp(low.min(high), low.max(high))
        }
    }
}

/// One side of a pair.
#[derive(Clone, Copy)]
enum Side<'a> {
    Constant(f64),
    Curve(&'a RestitutionCurve),
}

impl Side<'_> {
    fn at(self, speed: f64) -> f64 {
        match self {
            Side::Constant(restitution) => restitution,
            Side::Curve(curve) => curve.at(speed),
        }
    }

    /// What it loses as a viscoelastic body: nothing where it is elastic at all speeds.
    fn loss(self) -> Option<f64> {
        match self {
            Side::Constant(1.0) => Some(0.0),
            Side::Curve(&RestitutionCurve::Viscoelastic { loss }) => Some(loss),
            _ => None,
        }
    }
}

impl Materials {
    /// Lets the restitution of a material depend on the approach speed, in place of its number. The number of the
    /// material becomes that at 1 m/s. [Replacing](Self::add) the material by one with another number ends it.
    pub fn set_restitution_curve(
        &mut self,
        id: MaterialId,
        curve: RestitutionCurve,
    ) -> Result<(), MaterialError> {
        curve.check()?;
        self.table[id.index()].1.restitution = curve.at(1.0);
        self.curves.insert(id, curve);
        Ok(())
    }

    /// Lets the restitution between two materials depend on the approach speed, in place of what follows from the two.
    /// A restitution that is [laid down](Self::override_pair) for them later ends it.
    pub fn override_restitution_curve(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        curve: RestitutionCurve,
    ) -> Result<(), MaterialError> {
        curve.check()?;
        self.pair_curves.insert((a.min(b), a.max(b)), curve);
        Ok(())
    }

    /// How the restitution of a material depends on the approach speed, where it does.
    pub fn restitution_curve(&self, id: MaterialId) -> Option<&RestitutionCurve> {
        self.curves.get(&id)
    }

    /// The curve that is laid down for a pair, where there is one.
    pub fn pair_restitution_curve(
        &self,
        a: MaterialId,
        b: MaterialId,
    ) -> Option<&RestitutionCurve> {
        self.pair_curves.get(&(a.min(b), a.max(b)))
    }

    /// Whether any restitution depends on the approach speed.
    pub fn any_restitution_curve(&self) -> bool {
        !(self.curves.is_empty() && self.pair_curves.is_empty())
    }

    /// ε between two materials at an approach speed (m/s).
    ///
    /// Two viscoelastic materials, or one and an elastic one, are viscoelastic with the mean of their losses. Otherwise
    /// it is the geometric mean of the two at that speed.
    pub fn restitution_at(&self, a: MaterialId, b: MaterialId, speed: f64) -> f64 {
        match self.sides(a, b) {
            [Side::Constant(one), Side::Constant(other)] => geometric_mean(one, other),
            [one, other] => match (one.loss(), other.loss()) {
                (Some(one), Some(other)) => viscoelastic_at(mean(one, other), speed),
                _ => geometric_mean(one.at(speed), other.at(speed)),
            },
        }
    }

    /// What two materials are to each other at an approach speed (m/s).
    pub fn surface_at(&self, a: MaterialId, b: MaterialId, speed: f64) -> Surface {
        let mut surface = self.surface(a, b);
        if surface.varies() {
            surface.restitution = self.restitution_at(a, b, speed);
        }
        surface
    }

    /// How the restitution of a pair depends on the approach speed.
    pub(super) fn by_speed(&self, a: MaterialId, b: MaterialId) -> BySpeed {
        if !self.any_restitution_curve() {
            return BySpeed::Constant;
        }
        match self.sides(a, b) {
            [Side::Constant(_), Side::Constant(_)] => BySpeed::Constant,
            [one, other] => match (one.loss(), other.loss()) {
                (Some(_), Some(_)) => BySpeed::Viscoelastic,
                _ => BySpeed::Varies,
            },
        }
    }

    /// The restitutions of a pair; that which is laid down for it on both sides.
    fn sides(&self, a: MaterialId, b: MaterialId) -> [Side<'_>; 2] {
        let pair = (a.min(b), a.max(b));
        if let Some(curve) = self.pair_curves.get(&pair) {
            return [Side::Curve(curve); 2];
        }
        let given = self.overrides.get(&pair);
        if let Some(restitution) = given.and_then(|values| values.restitution) {
            return [Side::Constant(restitution); 2];
        }
        [a, b].map(|id| match self.curves.get(&id) {
            Some(curve) => Side::Curve(curve),
            None => Side::Constant(self.get(id).restitution),
        })
    }

    /// All curves, of materials and of pairs.
    #[allow(clippy::type_complexity)]
    pub(crate) fn all_curves(
        &self,
    ) -> (
        Vec<(MaterialId, RestitutionCurve)>,
        Vec<((MaterialId, MaterialId), RestitutionCurve)>,
    ) {
        (
            (self.curves.iter())
                .map(|(&id, curve)| (id, curve.clone()))
                .collect(),
            (self.pair_curves.iter())
                .map(|(&pair, curve)| (pair, curve.clone()))
                .collect(),
        )
    }
}

fn mean(a: f64, b: f64) -> f64 {
    0.5 * a + 0.5 * b
}
