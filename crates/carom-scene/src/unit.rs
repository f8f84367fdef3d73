//! Values as people write them: `"45 deg"`, `"5 g"`, `"30 cm"`, `"120 rpm"`, `"2 km/h"`.
//!
//! A unit is a product or a quotient of the names below, each with an exponent: `m/s^2`, `kg/m³`, `N·m`. What is
//! written becomes a number of SI units, and its dimension has to be the one that the key asks for.

use crate::suggest::nearest;

/// Exponents of length, time, mass and angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimension([i8; 4]);

const LENGTH: Dimension = Dimension([1, 0, 0, 0]);
const TIME: Dimension = Dimension([0, 1, 0, 0]);
const MASS: Dimension = Dimension([0, 0, 1, 0]);
const ANGLE: Dimension = Dimension([0, 0, 0, 1]);
const FREQUENCY: Dimension = Dimension([0, -1, 0, 0]);
const TURNING: Dimension = Dimension([0, -1, 0, 1]);
const FORCE: Dimension = Dimension([1, -2, 1, 0]);
const ENERGY: Dimension = Dimension([2, -2, 1, 0]);
const PRESSURE: Dimension = Dimension([-1, -2, 1, 0]);
const NUMBER: Dimension = Dimension([0, 0, 0, 0]);

const PI: f64 = std::f64::consts::PI;

/// The units by name: how many SI units one is, and of what.
const UNITS: [(&str, f64, Dimension); 58] = [
    ("m", 1.0, LENGTH),
    ("km", 1e3, LENGTH),
    ("dm", 1e-1, LENGTH),
    ("cm", 1e-2, LENGTH),
    ("mm", 1e-3, LENGTH),
    ("um", 1e-6, LENGTH),
    ("µm", 1e-6, LENGTH),
    ("μm", 1e-6, LENGTH),
    ("nm", 1e-9, LENGTH),
    ("in", 0.0254, LENGTH),
    ("inch", 0.0254, LENGTH),
    ("ft", 0.3048, LENGTH),
    ("s", 1.0, TIME),
    ("ms", 1e-3, TIME),
    ("us", 1e-6, TIME),
    ("µs", 1e-6, TIME),
    ("μs", 1e-6, TIME),
    ("ns", 1e-9, TIME),
    ("min", 60.0, TIME),
    ("h", 3600.0, TIME),
    ("kg", 1.0, MASS),
    ("g", 1e-3, MASS),
    ("mg", 1e-6, MASS),
    ("t", 1e3, MASS),
    ("lb", 0.453_592_37, MASS),
    ("oz", 0.028_349_523_125, MASS),
    ("rad", 1.0, ANGLE),
    ("mrad", 1e-3, ANGLE),
    ("deg", PI / 180.0, ANGLE),
    ("degree", PI / 180.0, ANGLE),
    ("degrees", PI / 180.0, ANGLE),
    ("°", PI / 180.0, ANGLE),
    ("rev", 2.0 * PI, ANGLE),
    ("turn", 2.0 * PI, ANGLE),
    ("turns", 2.0 * PI, ANGLE),
    ("rpm", PI / 30.0, TURNING),
    ("Hz", 1.0, FREQUENCY),
    ("kHz", 1e3, FREQUENCY),
    ("MHz", 1e6, FREQUENCY),
    ("N", 1.0, FORCE),
    ("mN", 1e-3, FORCE),
    ("kN", 1e3, FORCE),
    ("J", 1.0, ENERGY),
    ("mJ", 1e-3, ENERGY),
    ("kJ", 1e3, ENERGY),
    ("Pa", 1.0, PRESSURE),
    ("kPa", 1e3, PRESSURE),
    ("MPa", 1e6, PRESSURE),
    ("GPa", 1e9, PRESSURE),
    ("%", 1e-2, NUMBER),
    ("kph", 1.0 / 3.6, Dimension([1, -1, 0, 0])),
    ("mph", 0.447_04, Dimension([1, -1, 0, 0])),
    ("kn", 1852.0 / 3600.0, Dimension([1, -1, 0, 0])),
    ("metres", 1.0, LENGTH),
    ("seconds", 1.0, TIME),
    ("kilograms", 1.0, MASS),
    ("radians", 1.0, ANGLE),
    ("1", 1.0, NUMBER),
];

/// What a number with a unit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    /// In SI units.
    pub factor: f64,
    pub dimension: Dimension,
}

/// Why a text after a number is no unit.
pub(crate) struct Unknown {
    /// The part that is not known.
    pub name: String,
    /// The one that it is like.
    pub meant: Option<&'static str>,
}

/// A number, as it is written, and the unit after it; `None` where nothing after it is like a unit.
pub(crate) fn split(text: &str) -> Option<(&str, Result<Unit, Unknown>)> {
    let mut before = ' ';
    let mut first_unknown = None;
    for (at, letter) in text.char_indices() {
        let begins = letter.is_alphabetic() || letter == '°' || letter == '%';
        let ends = before.is_whitespace() || before.is_ascii_digit() || matches!(before, ')' | '.');
        if begins && ends && at > 0 {
            let number = text[..at].trim_end();
            match parse(text[at..].trim()) {
                Ok(unit) => return Some((number, Ok(unit))),
                Err(unknown) => {
                    first_unknown.get_or_insert((number, Err(unknown)));
                }
            }
        }
        before = letter;
    }
    first_unknown
}

/// A unit from its text.
pub(crate) fn parse(text: &str) -> Result<Unit, Unknown> {
    let mut whole = Unit {
        factor: 1.0,
        dimension: NUMBER,
    };
    let mut inverse = false;
    let mut rest = text;
    loop {
        let end = rest.find(['/', '*', '·', ' ']).unwrap_or(rest.len());
        let (unit, exponent) = one(rest[..end].trim())?;
        let exponent = if inverse { -exponent } else { exponent };
        whole.factor *= power(unit.1, exponent);
        for (sum, part) in whole.dimension.0.iter_mut().zip(unit.2.0) {
            *sum = sum.saturating_add(part.saturating_mul(exponent));
        }
        let Some(separator) = rest[end..].chars().next() else {
            return Ok(whole);
        };
        inverse = separator == '/';
        rest = rest[end + separator.len_utf8()..].trim_start();
    }
}

/// A name with an exponent.
fn one(text: &str) -> Result<(&'static (&'static str, f64, Dimension), i8), Unknown> {
    let (name, exponent) = if let Some(name) = text.strip_suffix('²') {
        (name, 2)
    } else if let Some(name) = text.strip_suffix('³') {
        (name, 3)
    } else {
        match text.split_once('^') {
            Some((name, exponent)) => (name, exponent.parse().unwrap_or(0)),
            None => (text, 1),
        }
    };
    let found = UNITS.iter().find(|(unit, ..)| *unit == name);
    match found {
        Some(unit) if exponent != 0 && (-9..=9).contains(&exponent) => Ok((unit, exponent)),
        _ => Err(Unknown {
            name: text.to_owned(),
            meant: nearest(name, UNITS.iter().map(|(unit, ..)| *unit)),
        }),
    }
}

/// By multiplication, so that the bits are the same on every machine.
fn power(factor: f64, exponent: i8) -> f64 {
    let product = (0..exponent.unsigned_abs()).fold(1.0, |product, _| product * factor);
    if exponent < 0 { 1.0 / product } else { product }
}

impl Unit {
    /// How many SI units of what a key asks for one of these is; `None` where it is of another dimension. `wanted` is
    /// the unit of the key in words, `dimensions` the number of those of the scene.
    pub fn as_wanted(self, wanted: &str, dimensions: usize) -> Option<f64> {
        let dimension = match wanted {
            "" => NUMBER,
            "metres per second" => Dimension([1, -1, 0, 0]),
            "radians per second" => TURNING,
            "hertz" => FREQUENCY,
            "newtons" => FORCE,
            "joules" => ENERGY,
            "kg/m² in 2-D, kg/m³ in 3-D" => Dimension([-(dimensions as i8), 0, 1, 0]),
            unit => parse(unit).ok()?.dimension,
        };
        if self.dimension == dimension {
            return Some(self.factor);
        }
        match (self.dimension, dimension) {
            // Turns are counted, or measured by their angle.
            (TURNING, FREQUENCY) => Some(self.factor / (2.0 * PI)),
            _ => None,
        }
    }

    /// What it measures, in words.
    pub fn measures(self) -> &'static str {
        match self.dimension.0 {
            [0, 0, 0, 0] => "a pure number",
            [1, 0, 0, 0] => "a length",
            [2, 0, 0, 0] => "an area",
            [3, 0, 0, 0] => "a volume",
            [0, 1, 0, 0] => "a time",
            [0, 0, 1, 0] => "a mass",
            [0, 0, 0, 1] => "an angle",
            [1, -1, 0, 0] => "a speed",
            [1, -2, 0, 0] => "an acceleration",
            [0, -1, 0, 1] => "an angular velocity",
            [0, -1, 0, 0] => "a frequency",
            [1, -2, 1, 0] => "a force",
            [2, -2, 1, 0] => "an energy or a torque",
            [-1, -2, 1, 0] => "a pressure",
            [-2, 0, 1, 0] => "a mass per area",
            [-3, 0, 1, 0] => "a density",
            _ => "another quantity",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, wanted: &str) -> Option<f64> {
        let (number, unit) = split(text)?;
        let factor = unit.ok()?.as_wanted(wanted, 2)?;
        Some(number.parse::<f64>().ok()? * factor)
    }

    #[test]
    fn units_become_those_of_the_key() {
        let near = |text: &str, wanted: &str, expected: f64| {
            let found = value(text, wanted).unwrap_or(f64::NAN);
            assert!(
                (found - expected).abs() <= 1e-15 * expected.abs(),
                "{text}: {found}"
            );
        };
        near("45 deg", "radians", PI / 4.0);
        near("45°", "radians", PI / 4.0);
        near("5 g", "kilograms", 0.005);
        near("30cm", "metres", 0.3);
        near("120 rpm", "radians per second", 4.0 * PI);
        near("120 rpm", "hertz", 2.0);
        near("2 km/h", "metres per second", 2.0 / 3.6);
        near("9.81 m/s^2", "m/s²", 9.81);
        near("981 cm/s²", "m/s²", 9.81);
        near("1.2 g/cm³", "kg/m³", 1200.0);
        near("95 %", "", 0.95);
        near("3 N m", "N·m", 3.0);
        near("1e3 mm", "metres", 1.0);
        near("2 kN/mm", "N/m", 2e6);
    }

    #[test]
    fn what_is_of_another_dimension_is_refused() {
        for (text, wanted) in [
            ("5 g", "metres"),
            ("5 m", "seconds"),
            ("3 m/s", "metres"),
            ("3 s/m", "metres per second"),
            ("1 Hz", "radians per second"),
            ("5 m", ""),
            ("5 kg/m³", "kg/m² in 2-D, kg/m³ in 3-D"),
        ] {
            assert_eq!(value(text, wanted), None, "{text}");
        }
        let (_, unit) = split("5 meter").unwrap();
        assert_eq!(unit.err().unwrap().meant, Some("metres"));
        assert!(split("fast").is_none());
        assert!(split("5 m^0").unwrap().1.is_err());
        assert!(split("5 m^99").unwrap().1.is_err());
    }
}
