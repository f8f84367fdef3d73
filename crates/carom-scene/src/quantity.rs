//! What numbers are allowed, and in which unit.

/// A kind of number that a scene asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantity {
    range: Range,
    unit: &'static str,
}

/// How small a number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    Zero,
    AboveZero,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Range {
    Any,
    Positive,
    NotNegative,
    PositiveOrInfinite,
}

/// The kinds of numbers, and their units.
pub(crate) const PLACE: Quantity = Quantity::any("metres");
pub(crate) const OFFSET: Quantity = PLACE;
pub(crate) const LENGTH: Quantity = Quantity::positive("metres");
pub(crate) const BOX: Quantity = LENGTH;
pub(crate) const GAP: Quantity = Quantity::not_negative("metres");
pub(crate) const VELOCITY: Quantity = Quantity::any("metres per second");
pub(crate) const SPEED: Quantity = Quantity::not_negative("metres per second");
pub(crate) const SLIDING_SPEED: Quantity = Quantity::positive("metres per second");
pub(crate) const TURNING_SPEED: Quantity = Quantity::positive("radians per second");
pub(crate) const SPIN: Quantity = Quantity::any("radians per second");
pub(crate) const WEIGHT: Quantity = Quantity::any("m/s²");
pub(crate) const MASS: Quantity = Quantity::positive("kilograms");
pub(crate) const DENSITY: Quantity = Quantity::positive("kg/m² in 2-D, kg/m³ in 3-D");
pub(crate) const FORCE: Quantity = Quantity::any("newtons");
pub(crate) const TORQUE: Quantity = Quantity::any("N·m");
pub(crate) const AREA_INERTIA: Quantity = Quantity::positive_or_infinite("kg·m²");
pub(crate) const ENERGY: Quantity = Quantity::not_negative("joules");
pub(crate) const ENERGY_VALUE: Quantity = Quantity::any("joules");
pub(crate) const FREQUENCY: Quantity = Quantity::not_negative("hertz");
pub(crate) const PHASE: Quantity = Quantity::any("radians");
pub(crate) const SWEEP: Quantity = Quantity::positive("radians");
pub(crate) const INSTANT: Quantity = Quantity::any("seconds");
pub(crate) const UNTIL: Quantity = Quantity::not_negative("seconds");
pub(crate) const TIME: Quantity = Quantity::positive("seconds");
pub(crate) const DURATION: Quantity = Quantity::not_negative("seconds");
pub(crate) const LONGEST: Quantity = Quantity::positive_or_infinite("seconds");
pub(crate) const LINEAR_DRAG: Quantity = Quantity::not_negative("kg/s");
pub(crate) const QUADRATIC_DRAG: Quantity = Quantity::not_negative("kg/m");
pub(crate) const AIR_DENSITY: Quantity = Quantity::not_negative("kg/m³");
pub(crate) const VISCOSITY: Quantity = Quantity::not_negative("Pa·s");
pub(crate) const SPIN_DRAG: Quantity = Quantity::not_negative("N·m·s");
pub(crate) const STRENGTH: Quantity = Quantity::any("m³/s²");
pub(crate) const STIFFNESS: Quantity = Quantity::not_negative("N/m");
pub(crate) const SPRING: Quantity = Quantity::positive_or_infinite("N/m");
pub(crate) const SPRING_CONSTANT: Quantity = Quantity::positive("N/m");
pub(crate) const DAMPING: Quantity = Quantity::not_negative("N·s/m");
pub(crate) const DAMPING_RATE: Quantity = Quantity::not_negative("1/s");
pub(crate) const YOUNG: Quantity = Quantity::positive_or_infinite("Pa");
pub(crate) const POISSON: Quantity = Quantity::any("");
pub(crate) const GRADIENT: Quantity = Quantity::any("1/s");
pub(crate) const CIRCULATION: Quantity = Quantity::any("m²/s");
pub(crate) const CORE: Quantity = GAP;
pub(crate) const TOLERANCE: Quantity = Quantity::positive("m, m/s and rad/s");
pub(crate) const RATIO: Quantity = Quantity::not_negative("");
pub(crate) const HEATING: Quantity = Quantity::not_negative("m²/s³");
pub(crate) const FRACTION: Quantity = Quantity::positive("");
pub(crate) const AXIS: Quantity = Quantity::any("");
pub(crate) const PURE: Quantity = Quantity::any("");

/// Nothing may be larger than this, so that the products that the formulas form stay finite.
const LARGEST: f64 = 1e40;
/// What must be positive may not be smaller than this, for the same reason.
const SMALLEST: f64 = 1e-40;

impl Quantity {
    /// A number with a sign.
    pub const fn any(unit: &'static str) -> Self {
        Quantity {
            range: Range::Any,
            unit,
        }
    }

    /// Above zero.
    pub const fn positive(unit: &'static str) -> Self {
        Quantity {
            range: Range::Positive,
            unit,
        }
    }

    /// Zero or above.
    pub const fn not_negative(unit: &'static str) -> Self {
        Quantity {
            range: Range::NotNegative,
            unit,
        }
    }

    /// Above zero, or `inf`.
    pub const fn positive_or_infinite(unit: &'static str) -> Self {
        Quantity {
            range: Range::PositiveOrInfinite,
            unit,
        }
    }

    /// Of what: `metres`; empty for a pure number.
    pub fn unit(self) -> &'static str {
        self.unit
    }

    /// Zero, where numbers may not be below it, and whether zero itself is out.
    pub fn bound(self) -> Option<Bound> {
        match self.range {
            Range::Any => None,
            Range::NotNegative => Some(Bound::Zero),
            Range::Positive | Range::PositiveOrInfinite => Some(Bound::AboveZero),
        }
    }

    /// The largest size.
    pub fn largest(self) -> f64 {
        LARGEST
    }

    pub fn allows(self, number: f64) -> bool {
        let sign = match self.range {
            Range::Any => true,
            Range::Positive => number > 0.0,
            Range::NotNegative => number >= 0.0,
            Range::PositiveOrInfinite if number == f64::INFINITY => return true,
            Range::PositiveOrInfinite => number > 0.0,
        };
        sign && self.is_in_size(number)
    }

    /// Whether the size of a number is one that can be computed with. False for NaN.
    pub fn is_in_size(self, number: f64) -> bool {
        let least = match self.range {
            Range::Positive | Range::PositiveOrInfinite if number > 0.0 => SMALLEST,
            _ => 0.0,
        };
        (least..=LARGEST).contains(&number.abs())
    }

    /// The sizes that can be computed with, in words.
    pub fn size(self) -> String {
        match self.range {
            Range::Any => format!("from -{LARGEST:e} to {LARGEST:e}"),
            Range::NotNegative => format!("at most {LARGEST:e}"),
            Range::Positive | Range::PositiveOrInfinite => {
                format!("from {SMALLEST:e} to {LARGEST:e}")
            }
        }
    }

    /// What is allowed, in words.
    pub fn allowed(self) -> String {
        let number = match self.unit {
            "" => "number".to_owned(),
            unit => format!("number of {unit}"),
        };
        match self.range {
            Range::Any => format!("a finite {number}"),
            Range::Positive => format!("a positive, finite {number}"),
            Range::NotNegative => format!("a finite {number}, zero or above"),
            Range::PositiveOrInfinite => format!("a positive {number}, or inf"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_can_be_computed_with_are_allowed() {
        let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e41, -1e41];
        for quantity in [
            Quantity::any("m"),
            Quantity::positive("m"),
            Quantity::not_negative("m"),
        ] {
            assert!(bad.iter().all(|&number| !quantity.allows(number)));
            assert!(quantity.allows(0.5));
        }
        assert!(Quantity::any("m").allows(-3.0));
        assert!(Quantity::any("m").allows(0.0));
        assert!(Quantity::any("m").allows(f64::MIN_POSITIVE));
        assert!(!Quantity::positive("m").allows(0.0));
        assert!(!Quantity::positive("m").allows(f64::MIN_POSITIVE));
        assert!(!Quantity::positive("m").allows(-1.0));
        assert!(Quantity::not_negative("m").allows(0.0));
        assert!(!Quantity::not_negative("m").allows(-1e-9));
        assert!(Quantity::positive_or_infinite("m").allows(f64::INFINITY));
        assert!(!Quantity::positive_or_infinite("m").allows(f64::NEG_INFINITY));
    }
}
