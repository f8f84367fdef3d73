//! Numbers that are written as small formulas: `"2 * $speed"`, `"sqrt(3) / 2"`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = factor (("*" | "/") factor)*
//! factor  = "-" factor | number | "$" name | "pi" | "inf" | function "(" sum ")" | "(" sum ")"
//! ```
//! Also `−`, `×` and `÷`. There is nothing else: a formula always ends, in a time that its length bounds.

use crate::suggest::nearest;
use std::ops::Range;

/// The functions. Those of libm, so that the bits are the same on every machine.
pub(crate) const FUNCTIONS: [Function; 3] =
    [("sqrt", f64::sqrt), ("sin", libm::sin), ("cos", libm::cos)];

type Function = (&'static str, fn(f64) -> f64);

const CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("inf", f64::INFINITY)];

/// As deep as brackets and signs may be nested.
const DEEPEST: usize = 50;

/// What is wrong with a formula, and where in it, in bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub span: Range<usize>,
    pub message: String,
    /// Of an unknown name.
    pub label: String,
}

/// The value of a formula; `variable` knows the values of names.
pub(crate) fn evaluate(
    text: &str,
    names: &[&str],
    variable: impl Fn(&str) -> Option<f64>,
) -> Result<f64, Fault> {
    let mut formula = Formula {
        text,
        at: 0,
        depth: 0,
        names,
        variable: &variable,
    };
    let value = formula.sum()?;
    formula.space();
    match formula.peek() {
        None => Ok(value),
        Some(_) => Err(formula.unexpected("an operator or the end")),
    }
}

struct Formula<'t, F> {
    text: &'t str,
    at: usize,
    depth: usize,
    names: &'t [&'t str],
    variable: &'t F,
}

impl<'t, F: Fn(&str) -> Option<f64>> Formula<'t, F> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }

    /// The next character that is not a blank, if it is one of those.
    fn take(&mut self, among: &[char]) -> Option<char> {
        self.space();
        let next = self.peek().filter(|c| among.contains(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let (length, message) = match self.peek() {
            Some(c) => (
                c.len_utf8(),
                format!("`{}` is not expected here", c.escape_default()),
            ),
            None => (0, "the formula ends too early".to_owned()),
        };
        Fault {
            span: self.at..self.at + length,
            message,
            label: format!("expected {expected}"),
        }
    }

    fn sum(&mut self) -> Result<f64, Fault> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let other = self.product()?;
            value = if sign == '+' {
                value + other
            } else {
                value - other
            };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, Fault> {
        let mut value = self.factor()?;
        while let Some(sign) = self.take(&['*', '×', '/', '÷']) {
            let other = self.factor()?;
            value = match sign {
                '*' | '×' => value * other,
                _ => value / other,
            };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<f64, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let mut fault = self.unexpected("a simpler formula");
            fault.message = "nested too deeply".to_owned();
            return Err(fault);
        }
        let value = self.factor_within();
        self.depth -= 1;
        value
    }

    fn factor_within(&mut self) -> Result<f64, Fault> {
        if self.take(&['-', '−']).is_some() {
            return self.factor().map(|value| -value);
        }
        if self.take(&['(']).is_some() {
            return self.closed();
        }
        let start = self.at;
        if self.take(&['$']).is_some() {
            let name = self.name();
            return match (self.variable)(name) {
                Some(value) => Ok(value),
                None => Err(self.unknown(start, name)),
            };
        }
        match self.peek() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.word(),
            _ => Err(self.unexpected("a number, $name or (")),
        }
    }

    fn closed(&mut self) -> Result<f64, Fault> {
        let value = self.sum()?;
        match self.take(&[')']) {
            Some(_) => Ok(value),
            None => Err(self.unexpected("an operator or )")),
        }
    }

    fn name(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn unknown(&self, start: usize, name: &str) -> Fault {
        let label = match nearest(name, self.names.iter().copied()) {
            Some(meant) => format!("did you mean `${meant}`?"),
            None if self.names.is_empty() => "no variable is known here".to_owned(),
            None => {
                let names = crate::render::shortened(&self.names.join(", "), 200);
                format!("the variables are {names}")
            }
        };
        Fault {
            span: start..self.at,
            message: format!(
                "there is no variable `{}`",
                crate::render::shortened(name, 40)
            ),
            label,
        }
    }

    fn word(&mut self) -> Result<f64, Fault> {
        let start = self.at;
        let word = self.name();
        if let Some((_, value)) = CONSTANTS.iter().find(|(name, _)| *name == word) {
            return Ok(*value);
        }
        if let Some((_, function)) = FUNCTIONS.iter().find(|(name, _)| *name == word) {
            return match self.take(&['(']) {
                Some(_) => self.closed().map(function),
                None => Err(self.unexpected("( after the name of a function")),
            };
        }
        let known = CONSTANTS.iter().map(|(name, _)| *name);
        let known = known.chain(FUNCTIONS.iter().map(|(name, _)| *name));
        let label = match nearest(word, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if self.names.contains(&word) => format!("a variable is written `${word}`"),
            None => "a formula has numbers, $names, + - * / ( ), sqrt, sin, cos and pi".to_owned(),
        };
        Err(Fault {
            span: start..self.at,
            message: format!("`{}` is not known", crate::render::shortened(word, 40)),
            label,
        })
    }

    fn number(&mut self) -> Result<f64, Fault> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits = |at: &mut usize| {
            while bytes
                .get(*at)
                .is_some_and(|c| c.is_ascii_digit() || *c == b'.' || *c == b'_')
            {
                *at += 1;
            }
        };
        digits(&mut self.at);
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            let mut end = self.at + 1;
            if matches!(bytes.get(end), Some(b'+' | b'-')) {
                end += 1;
            }
            if bytes.get(end).is_some_and(u8::is_ascii_digit) {
                digits(&mut end);
                self.at = end;
            }
        }
        let text = self.text[start..self.at].replace('_', "");
        text.parse().map_err(|_| Fault {
            span: start..self.at,
            message: format!("`{}` is no number", crate::render::shortened(&text, 40)),
            label: "a number is written like 1.5e3".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, Fault> {
        evaluate(text, &["speed"], |name| (name == "speed").then_some(3.0))
    }

    #[test]
    fn formulas_follow_the_rules_of_arithmetic() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) × 3", 9.0),
            ("8 / 2 / 2", 2.0),
            ("8 ÷ (2 − 4)", -4.0),
            ("-$speed*-2", 6.0),
            ("--1.5e-1", 0.15),
            ("sqrt(16) - cos(0) + sin(0)", 3.0),
            ("2*pi", 2.0 * std::f64::consts::PI),
            ("1_000", 1000.0),
            ("2e", f64::NAN),
        ] {
            match value(text) {
                Ok(number) => assert_eq!(number, expected, "{text}"),
                Err(_) => assert!(expected.is_nan(), "{text}"),
            }
        }
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        let at = |text: &str| value(text).unwrap_err().span;
        assert_eq!(at("1 + $sped"), 4..9);
        assert_eq!(at("1 + "), 4..4);
        assert_eq!(at("(1"), 2..2);
        assert_eq!(at("sqr(2)"), 0..3);
        assert_eq!(at("2 é"), 2..4);
        assert_eq!(at("1..2"), 0..4);
        let fault = value("1 + $sped").unwrap_err();
        assert_eq!(fault.label, "did you mean `$speed`?");
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
    }
}
