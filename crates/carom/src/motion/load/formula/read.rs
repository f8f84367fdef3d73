//! A formula from its text.

use super::{DEEPEST, Formula, FormulaError, LONGEST, Operation};

/// Each parenthesis, sign or power within another: more than the stack can hold would be refused anyway, and the
/// reader calls itself for each.
const MOST_NESTED: usize = 2 * DEEPEST;

/// What stands at one place of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Number(f64),
    Name(&'t str),
    Variable(&'t str),
    Sign(char),
    End,
}

struct Read<'t> {
    text: &'t str,
    variable: &'t dyn Fn(&str) -> Option<f64>,
    /// The text with numbers in the place of variables, and until where it goes.
    resolved: (String, usize),
    /// Of the next character that has not been looked at, in bytes.
    at: usize,
    /// What comes next, and where it begins.
    next: (Token<'t>, usize),
    operations: Vec<Operation>,
    /// Numbers on the stack so far.
    depth: usize,
    nested: usize,
    jumps: Vec<f64>,
}

pub(super) fn read(
    text: &str,
    variable: &dyn Fn(&str) -> Option<f64>,
) -> Result<Formula, FormulaError> {
    if let Some((at, _)) = text.char_indices().nth(LONGEST) {
        return fail(
            text,
            at,
            format!("a formula has at most {LONGEST} characters"),
        );
    }
    let mut read = Read {
        text,
        variable,
        resolved: (String::new(), 0),
        at: 0,
        next: (Token::End, 0),
        operations: Vec::new(),
        depth: 0,
        nested: 0,
        jumps: Vec::new(),
    };
    read.advance()?;
    read.sum()?;
    if read.next.0 != Token::End {
        return read.unexpected("an operation (+ - * / ^) or the end of the formula");
    }
    let mut jumps = read.jumps;
    jumps.sort_by(f64::total_cmp);
    jumps.dedup();
    let (mut resolved, until) = read.resolved;
    resolved.push_str(&text[until..]);
    if resolved.chars().count() > LONGEST {
        let what = format!("with its variables it has more than {LONGEST} characters");
        return fail(text, 0, what);
    }
    Ok(Formula {
        text: resolved.into(),
        varies: read.operations.contains(&Operation::Time),
        operations: read.operations.into(),
        jumps: jumps.into(),
    })
}

fn fail<T>(text: &str, at: usize, what: impl Into<String>) -> Result<T, FormulaError> {
    Err(FormulaError {
        column: text[..at].chars().count() + 1,
        what: what.into(),
    })
}

impl<'t> Read<'t> {
    /// Goes on to the next token.
    fn advance(&mut self) -> Result<(), FormulaError> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let begin = self.at;
        let rest = &self.text[begin..];
        let token = match rest.chars().next() {
            None => Token::End,
            Some(first) if first.is_ascii_digit() || first == '.' => {
                self.at += length_of_number(rest);
                let digits = &self.text[begin..self.at];
                match digits.parse::<f64>() {
                    Ok(number) if number.is_finite() => Token::Number(number),
                    Ok(_) => return fail(self.text, begin, format!("{digits} is too large")),
                    Err(_) => return fail(self.text, begin, format!("{digits} is not a number")),
                }
            }
            Some(first) if first.is_alphabetic() => {
                let ends = |letter: char| !(letter.is_alphanumeric() || letter == '_');
                self.at += rest.find(ends).unwrap_or(rest.len());
                Token::Name(&self.text[begin..self.at])
            }
            Some('$') => {
                let ends = |letter: char| !(letter.is_alphanumeric() || letter == '_');
                let name = &rest[1..];
                self.at += 1 + name.find(ends).unwrap_or(name.len());
                Token::Variable(&self.text[begin + 1..self.at])
            }
            Some(first) => {
                self.at += first.len_utf8();
                Token::Sign(match first {
                    '−' => '-',
                    '×' => '*',
                    '÷' => '/',
                    other => other,
                })
            }
        };
        self.next = (token, begin);
        Ok(())
    }

    fn takes(&mut self, sign: char) -> Result<bool, FormulaError> {
        let is_next = self.next.0 == Token::Sign(sign);
        if is_next {
            self.advance()?;
        }
        Ok(is_next)
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, FormulaError> {
        let (token, at) = self.next;
        let what = match token {
            Token::End => format!("the formula ends, but {wanted} is missing"),
            _ => {
                let rest = &self.text[at..];
                let shown: String = match token {
                    Token::Sign(sign) => sign.into(),
                    _ => rest[..self.at - at].into(),
                };
                format!("there is {shown}, but there must be {wanted}")
            }
        };
        fail(self.text, at, what)
    }

    fn push(&mut self, operation: Operation) -> Result<(), FormulaError> {
        self.depth = self.depth + 1 - operation.takes();
        if self.depth > DEEPEST {
            return fail(self.text, self.next.1, "too much is nested here");
        }
        self.operations.push(operation);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        loop {
            if self.takes('+')? {
                self.product()?;
                self.push(Operation::Add)?;
            } else if self.takes('-')? {
                self.product()?;
                self.push(Operation::Subtract)?;
            } else {
                return Ok(());
            }
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        loop {
            if self.takes('*')? {
                self.signed()?;
                self.push(Operation::Multiply)?;
            } else if self.takes('/')? {
                self.signed()?;
                self.push(Operation::Divide)?;
            } else {
                return Ok(());
            }
        }
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return fail(self.text, self.next.1, "too much is nested here");
        }
        if self.takes('-')? {
            self.signed()?;
            self.push(Operation::Negate)?;
        } else if self.takes('+')? {
            self.signed()?;
        } else {
            self.atom()?;
            if self.takes('^')? {
                self.signed()?;
                self.push(Operation::Power)?;
            }
        }
        self.nested -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Result<(), FormulaError> {
        match self.next.0 {
            Token::Number(number) => {
                self.push(Operation::Number(number))?;
                self.advance()
            }
            Token::Name("t") => {
                self.push(Operation::Time)?;
                self.advance()
            }
            Token::Name("pi") => {
                self.push(Operation::Number(std::f64::consts::PI))?;
                self.advance()
            }
            Token::Variable(name) => self.variable(name),
            Token::Name(name) => self.call(name),
            Token::Sign('(') => {
                self.advance()?;
                self.sum()?;
                self.close()
            }
            _ => self.unexpected("a number, t, pi, a function or ("),
        }
    }

    fn variable(&mut self, name: &str) -> Result<(), FormulaError> {
        let begin = self.next.1;
        let Some(value) = (self.variable)(name) else {
            return fail(self.text, begin, format!("${name} is unknown"));
        };
        if !value.is_finite() {
            return fail(self.text, begin, format!("${name} is {value}"));
        }
        self.resolved.0.push_str(&self.text[self.resolved.1..begin]);
        self.resolved.0.push_str(&format!("({value:?})"));
        self.resolved.1 = begin + 1 + name.len();
        self.push(Operation::Number(value))?;
        self.advance()
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        if self.takes(')')? {
            Ok(())
        } else {
            self.unexpected(")")
        }
    }

    fn call(&mut self, name: &str) -> Result<(), FormulaError> {
        let at = self.next.1;
        let operation = match name {
            "sin" => Operation::Sin,
            "cos" => Operation::Cos,
            "exp" => Operation::Exp,
            "sqrt" => Operation::Sqrt,
            "abs" => Operation::Abs,
            "min" => Operation::Min,
            "max" => Operation::Max,
            "step" => Operation::Step,
            _ => {
                let known = "t, pi, sin, cos, exp, sqrt, abs, min, max and step";
                return fail(
                    self.text,
                    at,
                    format!("{name} is unknown: there are {known}"),
                );
            }
        };
        self.advance()?;
        if !self.takes('(')? {
            return self.unexpected("(");
        }
        let first = self.operations.len();
        self.sum()?;
        if operation.takes() == 2 {
            if !self.takes(',')? {
                return self.unexpected("a comma and a second argument");
            }
            self.sum()?;
        }
        if operation == Operation::Step {
            match jump(&self.operations[first..]) {
                Some(jump) => self.jumps.extend(jump),
                None => {
                    return fail(
                        self.text,
                        at,
                        "the argument of step must be linear in t, as in step(t - 2)",
                    );
                }
            }
        }
        self.close()?;
        self.push(operation)
    }
}

/// How many bytes of a text that begins with a digit or a point belong to a number.
fn length_of_number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let more = bytes[from..].iter();
        more.take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
            .count()
    };
    let mantissa = digits(0);
    let mut at = mantissa;
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        match digits(at) {
            0 => return mantissa,
            more => at += more,
        }
    }
    at
}

/// When `a + b t` goes through zero, if it ever does; `None` where it is not linear.
fn jump(operations: &[Operation]) -> Option<Option<f64>> {
    // Each number of the stack as a + b t.
    let mut stack: Vec<(f64, f64)> = Vec::new();
    for &operation in operations {
        let mut taken = [(0.0, 0.0); 2];
        for place in (0..operation.takes()).rev() {
            taken[place] = stack.pop()?;
        }
        let [(a, b), (c, d)] = taken;
        stack.push(match operation {
            Operation::Number(number) => (number, 0.0),
            Operation::Time => (0.0, 1.0),
            Operation::Negate => (-a, -b),
            Operation::Add => (a + c, b + d),
            Operation::Subtract => (a - c, b - d),
            Operation::Multiply if b == 0.0 => (a * c, a * d),
            Operation::Multiply if d == 0.0 => (a * c, b * c),
            Operation::Divide if d == 0.0 => (a / c, b / c),
            other if b == 0.0 && d == 0.0 => (other.value(a, c, 0.0), 0.0),
            _ => return None,
        });
    }
    let (a, b) = stack.pop()?;
    let jump = -a / b;
    Some(Some(jump).filter(|jump| b != 0.0 && jump.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::Formula;

    fn value(text: &str, time: f64) -> f64 {
        text.parse::<Formula>().unwrap().at(time)
    }

    #[test]
    fn operations_bind_as_on_paper() {
        assert_eq!(value("1 + 2*3 - 4/2", 0.0), 5.0);
        assert_eq!(value("-2^2", 0.0), -4.0);
        assert_eq!(value("2^-1 * 2^3^2", 0.0), 256.0);
        assert_eq!(value("(1 - t)*(1 + t)", 3.0), -8.0);
        assert_eq!(value("max(min(t, 2), -1e-3) + abs(-.5)", 5.0), 2.5);
        assert_eq!(value("sin(pi*t) + cos(0) + exp(0) + sqrt(4)", 0.0), 4.0);
        assert!(value("1/t", 0.0).is_infinite() && value("sqrt(-1)", 0.0).is_nan());
        assert!(value("min(sqrt(-1), 1)", 0.0).is_nan() && value("max(1, sqrt(-1))", 0.0).is_nan());
    }

    #[test]
    fn steps_jump_at_known_instants() {
        let formula: Formula = "step(t - 2) - step(3 - 2*t) + step(1)".parse().unwrap();
        assert_eq!(formula.jumps(), [1.5, 2.0]);
        assert_eq!(
            [1.0, 1.5, 1.75, 2.0].map(|t| formula.at(t)),
            [0.0, 0.0, 1.0, 2.0]
        );
        assert!(!"step(2 - 1)".parse::<Formula>().unwrap().varies());
    }

    #[test]
    fn errors_point_at_the_column() {
        for (text, message) in [
            (
                "",
                "column 1: the formula ends, but a number, t, pi, a function or ( is missing",
            ),
            (
                "1 +",
                "column 4: the formula ends, but a number, t, pi, a function or ( is missing",
            ),
            (
                "2 t",
                "column 3: there is t, but there must be an operation (+ - * / ^) or the end of the formula",
            ),
            ("(1", "column 3: the formula ends, but ) is missing"),
            (
                "µ*2",
                "column 1: µ is unknown: there are t, pi, sin, cos, exp, sqrt, abs, min, max and step",
            ),
            (
                "2*µ(1)",
                "column 3: µ is unknown: there are t, pi, sin, cos, exp, sqrt, abs, min, max and step",
            ),
            ("sin t", "column 5: there is t, but there must be ("),
            (
                "min(1)",
                "column 6: there is ), but there must be a comma and a second argument",
            ),
            ("1.2.3", "column 1: 1.2.3 is not a number"),
            ("1 + 1e999", "column 5: 1e999 is too large"),
            (
                "step(t^2)",
                "column 1: the argument of step must be linear in t, as in step(t - 2)",
            ),
            ("3 * $x", "column 5: $x is unknown"),
            (
                "3 ; 4",
                "column 3: there is ;, but there must be an operation (+ - * / ^) or the end of the formula",
            ),
        ] {
            assert_eq!(
                text.parse::<Formula>().unwrap_err().to_string(),
                message,
                "{text}"
            );
        }
    }

    /// Nothing that can be written overflows the stack of the reader or of the values.
    #[test]
    fn what_is_nested_without_end_is_refused() {
        for text in ["(", "-", "1+(", "2^", "sin(", "min(1,"] {
            let long = text.repeat(100_000);
            assert!(long.parse::<Formula>().is_err());
            let nested = text.repeat(900 / text.len());
            assert!(
                nested
                    .parse::<Formula>()
                    .unwrap_err()
                    .what
                    .contains("nested"),
                "{text}"
            );
        }
        assert_eq!(
            value(&format!("{}1{}", "(1+".repeat(20), ")".repeat(20)), 0.0),
            21.0
        );
    }
}
