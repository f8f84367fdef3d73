//! Axes: from where to where, and where the ticks are.

use super::words::power_of_ten;

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// In which unit; empty where there is none.
    pub unit: String,
    /// The value at its beginning.
    pub from: f64,
    /// The value at its end; larger.
    pub to: f64,
    /// What is written along it.
    pub ticks: Ticks,
    /// Whether equal steps are equal factors. Both ends are above zero then.
    pub log: bool,
    /// Whether it is the time of the run.
    pub is_time: bool,
}

/// What is written along an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Ticks {
    /// Round numbers.
    Numbers,
    /// Names at values.
    Names(Vec<(f64, String)>),
    /// Nothing.
    None,
}

impl Axis {
    /// From one value to another.
    pub fn new(label: &str, unit: &str, from: f64, to: f64) -> Self {
        let (from, to) = widened(from, to);
        Axis {
            label: label.to_owned(),
            unit: unit.to_owned(),
            from,
            to,
            ticks: Ticks::Numbers,
            log: false,
            is_time: false,
        }
    }

    /// Wide enough for those of some values that are above zero, with equal factors at equal steps. Without two of them
    /// it is as [`Axis::fitting`].
    pub fn logarithmic(label: &str, unit: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values
            .into_iter()
            .filter(|v| v.is_finite() && *v > 0.0)
            .collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        if !(high > low * (1.0 + 1e-9)) {
            return Axis::fitting(label, unit, values);
        }
        let margin = libm::pow(high / low, 0.04);
        Axis {
            log: true,
            ..Axis::new(label, unit, low / margin, high * margin)
        }
    }

    /// The same as the time of the run, s.
    pub fn time(from: f64, to: f64) -> Self {
        Axis {
            is_time: true,
            ..Axis::new("time", "s", from, to)
        }
    }

    /// Wide enough for some values, with a margin.
    pub fn fitting(label: &str, unit: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (from, to) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let (from, to) = if from <= to { (from, to) } else { (0.0, 1.0) };
        let (from, to) = widened(from, to);
        let margin = 0.05 * (to - from);
        // A quantity that is never negative is not shown with room below zero.
        let low = if from == 0.0 { 0.0 } else { from - margin };
        let high = if to == 0.0 { 0.0 } else { to + margin };
        Axis::new(label, unit, low, high)
    }

    /// Where a value is, from 0 (the beginning) to 1.
    pub fn share(&self, value: f64) -> f64 {
        if self.log {
            return libm::log(value / self.from) / libm::log(self.to / self.from);
        }
        (value - self.from) / (self.to - self.from)
    }

    /// The same axis, longer to both sides.
    pub fn stretched(&mut self, factor: f64) {
        let (middle, half) = (
            0.5 * (self.from + self.to),
            0.5 * factor * (self.to - self.from),
        );
        (self.from, self.to) = (middle - half, middle + half);
    }

    /// Values and what is written there, at most so many numbers; and the power of ten that they are given in.
    pub fn written(&self, most: usize) -> (Vec<(f64, String)>, i32) {
        match &self.ticks {
            Ticks::Numbers if self.log => (decades(self.from, self.to, most), 0),
            Ticks::Numbers => numbers(self.from, self.to, most),
            Ticks::Names(names) => (names.clone(), 0),
            Ticks::None => (Vec::new(), 0),
        }
    }

    /// What is written beside it.
    pub fn caption(&self, exponent: i32) -> String {
        let unit = match (exponent, self.unit.as_str()) {
            (0, unit) => unit.to_owned(),
            (exponent, "") => power_of_ten(exponent),
            (exponent, unit) => format!("{} {unit}", power_of_ten(exponent)),
        };
        match unit.as_str() {
            "" => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        }
    }
}

/// A range that is wider than rounding.
fn widened(from: f64, to: f64) -> (f64, f64) {
    let size = from.abs().max(to.abs());
    if to - from > 1e-9 * size {
        return (from, to);
    }
    match size {
        0.0 => (-1.0, 1.0),
        size => (from - 0.1 * size, to + 0.1 * size),
    }
}

/// The decimal exponent of a positive number: the power of ten of its first digit.
fn exponent_of(number: f64) -> i32 {
    let text = format!("{number:e}");
    let exponent = text.split_once('e').map(|(_, exponent)| exponent.parse());
    exponent.and_then(Result::ok).unwrap_or(0)
}

fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// The smallest of 1, 2, 5, 10 … that is not below.
fn round_step(least: f64) -> f64 {
    let unit = power(exponent_of(least));
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors
        .into_iter()
        .find(|f| f * unit >= least * (1.0 - 1e-12));
    factor.unwrap_or(10.0) * unit
}

/// Powers of ten, every one or every so many-th; where there are fewer than three, twice and five times them as well.
fn decades(from: f64, to: f64, most: usize) -> Vec<(f64, String)> {
    let (mut first, last) = (exponent_of(from), exponent_of(to));
    let span = (last - first + 1).max(1) as usize;
    let factors: &[f64] = if span <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let inside = |value: &f64| (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(value);
    if span > 3 && !inside(&power(first)) {
        first += 1;
    }
    let every = ((last - first + 1).max(1) as usize).div_ceil(most.max(2));
    (first..=last)
        .step_by(every)
        .flat_map(|exponent| factors.iter().map(move |factor| (*factor, exponent)))
        .map(|(factor, exponent)| (factor * power(exponent), factor, exponent))
        .filter(|(value, ..)| inside(value))
        .map(|(value, factor, exponent)| {
            let text = match (exponent, factor) {
                (-2..=3, _) => super::words::rounded(value, 3),
                (_, 1.0) => power_of_ten(exponent),
                _ => format!("{factor}·{}", power_of_ten(exponent)),
            };
            (value, text)
        })
        .collect()
}

fn numbers(from: f64, to: f64, most: usize) -> (Vec<(f64, String)>, i32) {
    let largest = from.abs().max(to.abs());
    // One tick alone says nothing of the scale: then they stand closer.
    let fits = |step: f64| (to / step + 1e-9).floor() - (from / step - 1e-9).ceil() >= 1.0;
    let mut steps = (most.max(2)..64).map(|parts| round_step((to - from) / parts as f64));
    let widest = round_step((to - from) / most.max(2) as f64);
    let step = steps.find(|&step| fits(step)).unwrap_or(widest);
    // Numbers that would have many zeros are given in a power of ten, which the caption names.
    let exponent = match exponent_of(largest) {
        -2..=4 => 0,
        exponent => exponent,
    };
    let unit = power(exponent);
    let places = (exponent - exponent_of(step * (1.0 + 1e-12))).max(0) as usize;
    // A tick at the very end is not lost to rounding.
    let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, 99.0) as usize + 1;
    let ticks = (0..count).map(|tick| {
        let value = (first + tick as f64) * step;
        let text = format!("{:.places$}", value / unit);
        // A zero has no sign, and a minus is as wide as a plus.
        let text = match text.trim_start_matches('-') {
            zero if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
            _ => text.replace('-', "−"),
        };
        (value, text)
    });
    (ticks.collect(), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(from: f64, to: f64) -> (Vec<String>, i32) {
        let (ticks, exponent) = Axis::new("", "", from, to).written(6);
        (ticks.into_iter().map(|(_, text)| text).collect(), exponent)
    }

    /// A narrow panel asks for two: with steps of 0.5 there was one, at 1.
    #[test]
    fn there_are_two_ticks_at_least() {
        let (ticks, _) = Axis::new("", "", 0.6, 1.4).written(2);
        let ticks: Vec<&str> = ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["0.6", "0.8", "1.0", "1.2", "1.4"]);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            ticks(0.0, 5.0),
            (
                ["0", "1", "2", "3", "4", "5"].map(str::to_owned).to_vec(),
                0
            )
        );
        assert_eq!(
            ticks(-0.2, 0.3).0,
            ["−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(
            ticks(0.0, 2.2e-15),
            (
                ["0.0", "0.5", "1.0", "1.5", "2.0"]
                    .map(str::to_owned)
                    .to_vec(),
                -15
            )
        );
        assert_eq!(ticks(0.0, 250_000.0).1, 5);
        let axis = Axis::new("energy", "J", 0.0, 1e-15);
        assert_eq!(axis.caption(-15), "energy (10⁻¹⁵ J)");
    }

    #[test]
    fn decades_are_at_equal_distances() {
        let axis = Axis::logarithmic("", "", [1e-3, 0.0, -1.0, 1e5]);
        assert!(axis.log && axis.from > 0.0 && axis.from < 1e-3 && axis.to > 1e5);
        let (ticks, exponent) = axis.written(9);
        assert_eq!(exponent, 0);
        let texts: Vec<&str> = ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "10⁻³", "0.01", "0.1", "1", "10", "100", "1000", "10⁴", "10⁵"
            ]
        );
        let places: Vec<f64> = ticks.iter().map(|(value, _)| axis.share(*value)).collect();
        let steps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // Logarithms are rounded to the last digit.
        assert!(
            steps.iter().all(|step| (step - steps[0]).abs() < 1e-12),
            "{steps:?}"
        );
        let few = Axis::logarithmic("", "", [1.0, 9.0]).written(9).0;
        let few: Vec<&str> = few.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(few, ["1", "2", "5"]);
        assert!(!Axis::logarithmic("", "", [2.0, 2.0]).log);
    }

    #[test]
    fn ranges_are_never_empty() {
        for values in [vec![], vec![0.0], vec![3.0], vec![f64::NAN], vec![-1e-300]] {
            let axis = Axis::fitting("", "", values);
            assert!(axis.to > axis.from && axis.from.is_finite() && axis.to.is_finite());
        }
        let axis = Axis::fitting("", "", [0.0, 2.0]);
        assert_eq!((axis.from, axis.to), (0.0, 2.1));
    }
}
