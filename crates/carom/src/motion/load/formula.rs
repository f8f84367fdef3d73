//! Formulas of time: a small language that cannot loop, whose values have the same bits everywhere.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/") signed)*
//! signed  = ("-" | "+") signed | power
//! power   = atom ("^" signed)?
//! atom    = number | "$" name | "t" | "pi" | name "(" sum ("," sum)* ")" | "(" sum ")"
//! ```
//!
//! Also `−`, `×` and `÷`. It is read once into a list of operations in the order in which they are done, on a stack of
//! bounded depth.

mod read;

use std::fmt;
use std::sync::Arc;

/// The longest formula, in characters: a line or two of a file, and bounds on time and memory.
pub const LONGEST: usize = 1000;

/// The most numbers that wait on the stack: `((((…` needs more than anybody writes.
const DEEPEST: usize = 32;

/// A formula of time t (s).
///
/// Numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin cos exp sqrt abs min max`, and `step(x)`, which is 0 for x < 0
/// and 1 from x = 0 on. The argument of `step` must be linear in t, so that the instant at which it jumps is known.
///
/// ```
/// use carom::motion::Formula;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let push: Formula = "150 * (1 - step(t - 2)) + 3*sin(2*pi*t)".parse()?;
/// assert_eq!(push.at(0.0), 150.0);
/// assert!((push.at(2.25) - 3.0).abs() < 1e-14);
/// let error = "2 * sin(t".parse::<Formula>().unwrap_err();
/// assert_eq!(error.to_string(), "column 10: the formula ends, but ) is missing");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Formula {
    /// As it was written.
    text: Arc<str>,
    operations: Arc<[Operation]>,
    /// When a `step` jumps, s; sorted.
    jumps: Arc<[f64]>,
    /// Whether it has a `t`.
    varies: bool,
}

/// One operation on the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Number(f64),
    Time,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Sin,
    Cos,
    Exp,
    Sqrt,
    Abs,
    Min,
    Max,
    Step,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {column}: {what}")]
#[non_exhaustive]
pub struct FormulaError {
    /// The position of the character at fault, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

impl Formula {
    /// Always the same value.
    pub fn constant(value: f64) -> Self {
        Formula {
            text: format!("{value:?}").into(),
            operations: Arc::new([Operation::Number(value)]),
            jumps: Arc::new([]),
            varies: false,
        }
    }

    /// From a text in which `$name` stands for a number. The formula has the numbers instead.
    ///
    /// ```
    /// use carom::motion::Formula;
    ///
    /// let push = Formula::with_variables("$strength * t", |name| (name == "strength").then_some(-2.5)).unwrap();
    /// assert_eq!((push.at(2.0), push.text()), (-5.0, "(-2.5) * t"));
    /// ```
    pub fn with_variables(
        text: &str,
        variable: impl Fn(&str) -> Option<f64>,
    ) -> Result<Self, FormulaError> {
        read::read(text, &variable)
    }

    /// The value at a time, s. It need not be finite: `1/t` is not at 0.
    pub fn at(&self, time: f64) -> f64 {
        let mut stack = [0.0; DEEPEST];
        let mut top = 0;
        for operation in &*self.operations {
            let taken = operation.takes();
            let [a, b] = match taken {
                0 => [0.0; 2],
                1 => [stack[top - 1], 0.0],
                _ => [stack[top - 2], stack[top - 1]],
            };
            top -= taken;
            stack[top] = operation.value(a, b, time);
            top += 1;
        }
        stack[0]
    }

    /// Whether it depends on time.
    pub fn varies(&self) -> bool {
        self.varies
    }

    /// The instants at which it jumps, s, in order.
    pub fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Operation {
    /// How many numbers it takes from the stack; it leaves one.
    fn takes(self) -> usize {
        match self {
            Operation::Number(_) | Operation::Time => 0,
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Power
            | Operation::Min
            | Operation::Max => 2,
            _ => 1,
        }
    }

    /// By `libm`, so that the bits are the same on every machine.
    fn value(self, a: f64, b: f64, time: f64) -> f64 {
        match self {
            Operation::Number(number) => number,
            Operation::Time => time,
            Operation::Negate => -a,
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Divide => a / b,
            Operation::Power => libm::pow(a, b),
            Operation::Sin => libm::sin(a),
            Operation::Cos => libm::cos(a),
            Operation::Exp => libm::exp(a),
            Operation::Sqrt => a.sqrt(),
            Operation::Abs => a.abs(),
            // Not `f64::min`, whose zeros may have either sign; NaN is passed on.
            Operation::Min if a < b || a.is_nan() => a,
            Operation::Min => b,
            Operation::Max if a > b || a.is_nan() => a,
            Operation::Max => b,
            Operation::Step if a >= 0.0 => 1.0,
            Operation::Step if a < 0.0 => 0.0,
            Operation::Step => a,
        }
    }
}

/// Two are the same where they are written alike.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, formatter)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::str::FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        read::read(text, &|_| None)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Formula {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        out.serialize_str(&self.text)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Formula {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(input)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
