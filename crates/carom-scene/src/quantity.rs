//! What numbers are allowed, and in which unit.

/// A kind of number that a scene asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    range: Range,
    unit: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Range {
    Any,
    Positive,
    NotNegative,
    PositiveOrInfinite,
}

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
