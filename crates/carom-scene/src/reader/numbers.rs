//! Numbers: plain ones, formulas, and such with a unit.

use super::Entry;
use crate::expression;
use crate::problem::Problem;
use crate::quantity::Quantity;
use crate::render::shortened;
use crate::tree::Value;
use crate::unit;
use carom::motion::Formula;
use std::cell::Cell;

impl Entry<'_, '_> {
    pub fn number(&self, quantity: Quantity) -> Option<f64> {
        #[cfg(test)]
        crate::forms::asked::compare(self.what, quantity, &self.title);
        self.number_in(quantity)
    }

    /// The same, where the unit depends on another key.
    pub fn number_in(&self, quantity: Quantity) -> Option<f64> {
        let value = match &self.value.value {
            Value::Number(number) => number.float,
            Value::Text(text) => match self.measured(text, quantity) {
                Some(read) => Some(read?),
                None => Some(self.formula(text, &quantity.allowed())?),
            },
            _ => None,
        };
        match value {
            Some(number) if quantity.allows(number) => {
                self.warn_of(number, quantity);
                Some(number)
            }
            value => {
                let oversized = |number: &f64| number.is_finite() && !quantity.is_in_size(*number);
                let allowed = match value.filter(oversized) {
                    Some(_) => format!("{}, {}", quantity.allowed(), quantity.size()),
                    None => quantity.allowed(),
                };
                self.wrong_value(value, &allowed);
                None
            }
        }
    }

    /// The value of a number with a unit: `None` where there is no unit, and within where it is wrong, which is said.
    fn measured(&self, text: &str, quantity: Quantity) -> Option<Option<f64>> {
        let variables = self.reader.variables.borrow();
        let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
        let find = |name: &str| {
            let (_, value) = variables.iter().find(|(other, _)| other == name)?;
            Some(value.unwrap_or(f64::NAN))
        };
        if expression::evaluate(text, &names, find).is_ok() {
            return None;
        }
        let (number, unit) = unit::split(text)?;
        let number = match expression::evaluate(number, &names, find) {
            Ok(number) => number,
            Err(_) => return None,
        };
        let unit = match unit {
            Ok(unit) => unit,
            Err(unknown) => {
                let mut problem = self.problem(&quantity.allowed());
                problem.label = match unknown.meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => problem.label,
                };
                let name = shortened(&unknown.name, 40);
                self.report(problem.help(format!(
                    "`{name}` is no unit that is known; plain numbers are SI units"
                )));
                return Some(None);
            }
        };
        if self.any_unit {
            return Some(Some(number * unit.factor));
        }
        match unit.as_wanted(quantity.unit(), self.reader.dimension.get()) {
            // The variable was reported; its users are not to blame.
            Some(_) if number.is_nan() => Some(None),
            Some(factor) => Some(Some(number * factor)),
            None => {
                let mut problem = self.problem(&quantity.allowed());
                problem.message = format!("{}, which is {}", problem.message, unit.measures());
                self.report(problem);
                Some(None)
            }
        }
    }

    /// The same entry, whose number may have any unit: it becomes a number of SI units.
    pub fn in_any_unit(mut self) -> Self {
        self.any_unit = true;
        self
    }

    /// Says where a plain number is an angle of more than a turn: degrees were meant.
    fn warn_of(&self, number: f64, quantity: Quantity) {
        const TURN: f64 = 2.0 * std::f64::consts::PI;
        let plain = matches!(self.value.value, Value::Number(_));
        if quantity == crate::quantity::PHASE && plain && number.abs() > TURN {
            self.warn(&format!(
                "an angle of more than a turn, in radians; degrees are written \"{number} deg\""
            ));
        }
    }

    /// Reports a number that may be the value of a formula.
    fn wrong_value(&self, value: Option<f64>, allowed: &str) {
        let mut problem = self.problem(allowed);
        if let (Some(value), Some(_)) = (value, self.as_text()) {
            problem.message = format!("{}, which is {value}", problem.message);
        }
        self.report(problem);
    }

    /// The value of a formula; reports what is wrong with it.
    fn formula(&self, text: &str, allowed: &str) -> Option<f64> {
        if text.trim().parse::<f64>().is_ok_and(f64::is_finite) {
            // A number needs no quotes, and whoever writes them may have meant something else.
            self.wrong(allowed);
            return None;
        }
        let variables = self.reader.variables.borrow();
        let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
        let of_wrong = Cell::new(false);
        let find = |name: &str| {
            let (_, value) = variables.iter().find(|(other, _)| other == name)?;
            of_wrong.set(of_wrong.get() || value.is_none());
            Some(value.unwrap_or(1.0))
        };
        let fault = match expression::evaluate(text, &names, find) {
            // The variable was reported; its users are not to blame.
            Ok(_) if of_wrong.get() => return None,
            Ok(value) => return Some(value),
            Err(fault) => fault,
        };
        // Words instead of a number, rather than a formula that went wrong.
        if !text.contains(['$', '(', ')', '*', '/', '+']) {
            self.wrong(allowed);
            return None;
        }
        let problem = Problem::new(
            self.within(text, &fault.span),
            format!("in the formula of {}: {}", self.title, fault.message),
            fault.label,
        );
        self.report(problem);
        None
    }

    /// A number, or a formula of the time t in quotes.
    pub fn formula_of_time(&self, quantity: Quantity) -> Option<Formula> {
        let Some(text) = self.as_text() else {
            return self.number(quantity).map(Formula::constant);
        };
        let variables = self.reader.variables.borrow();
        let of_wrong = Cell::new(false);
        let find = |name: &str| {
            let (_, value) = variables.iter().find(|(other, _)| other == name)?;
            of_wrong.set(of_wrong.get() || value.is_none());
            Some(value.unwrap_or(1.0))
        };
        match Formula::with_variables(text, find) {
            // The variable was reported; its users are not to blame.
            Ok(_) if of_wrong.get() => None,
            Ok(formula) if formula.varies() || quantity.allows(formula.at(0.0)) => Some(formula),
            Ok(formula) => {
                self.wrong_value(Some(formula.at(0.0)), &quantity.allowed());
                None
            }
            Err(error) => {
                if let Some(read) = self.measured(text, quantity) {
                    return read.map(Formula::constant);
                }
                let mut rest = text.char_indices().skip(error.column - 1);
                let start = rest.next().map_or(text.len(), |(at, _)| at);
                let end = rest.next().map_or(text.len(), |(at, _)| at).max(start);
                self.report(Problem::new(
                    self.within(text, &(start..end)),
                    format!("in the formula of {}: {}", self.title, error.what),
                    format!("at column {} of it", error.column),
                ));
                None
            }
        }
    }

    /// A whole number from 1 up.
    pub fn count(&self) -> Option<u64> {
        self.whole(1, u64::MAX)
    }

    /// A whole number in a range.
    pub fn whole(&self, least: u64, most: u64) -> Option<u64> {
        let allowed = match most {
            u64::MAX => format!("a whole number, {least} or above"),
            most => format!("a whole number from {least} to {most}"),
        };
        let value = match &self.value.value {
            Value::Number(number) => number.integer.and_then(|whole| u64::try_from(whole).ok()),
            Value::Text(text) => {
                let value = self.formula(text, &allowed)?;
                // Below 2⁵³ every whole number is a float.
                let whole = (0.0..=9e15).contains(&value) && value == value.trunc();
                if !whole {
                    self.wrong_value(Some(value), &allowed);
                    return None;
                }
                Some(value as u64)
            }
            _ => None,
        };
        let value = value.filter(|value| (least..=most).contains(value));
        if value.is_none() {
            self.wrong(&allowed);
        }
        value
    }
}
