//! Numbers and words as people write them.

use crate::canvas::text_width;

/// Breaks words into lines of a width; a word that is too long for a line is cut.
pub fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if text_width(&longer, size) <= width {
                *line = longer;
                continue;
            }
        }
        lines.push(shorten(word, size, width));
    }
    lines
}

/// The text, cut where it is wider than it may be.
pub fn shorten(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut letters: Vec<char> = text.chars().collect();
    while letters.pop().is_some() {
        let cut: String = letters.iter().collect::<String>() + "…";
        if text_width(&cut, size) <= width {
            return cut;
        }
    }
    String::new()
}

/// `10⁻³`.
pub fn power_of_ten(exponent: i32) -> String {
    let raised = |letter: char| match letter {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']
            [digit.to_digit(10).unwrap_or_default() as usize],
    };
    let raised: String = exponent.to_string().chars().map(raised).collect();
    format!("10{raised}")
}

/// A number with so many digits that count: `0.0123`, `1.50·10⁻¹²`.
pub fn rounded(number: f64, digits: usize) -> String {
    if number == 0.0 || !number.is_finite() {
        return if number == 0.0 {
            "0".to_owned()
        } else {
            number.to_string()
        };
    }
    let written = format!("{number:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let minus = |text: String| text.replace('-', "−");
    if (-4..6).contains(&exponent) {
        let places = (digits as i32 - 1 - exponent).max(0) as usize;
        let mut text = format!("{number:.places$}");
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        minus(text)
    } else {
        minus(format!("{mantissa}·{}", power_of_ten(exponent)))
    }
}

/// `1 ball`, `15,000 balls`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let found = [0.0, 1.0, 0.012345, -2.5, 123456.7, 1.5e-12, 2e9].map(|x| rounded(x, 3));
        let expected = [
            "0",
            "1",
            "0.0123",
            "−2.5",
            "123457",
            "1.50·10⁻¹²",
            "2.00·10⁹",
        ];
        assert_eq!(found, expected);
        assert_eq!(count(1, "ball", "balls"), "1 ball");
        assert_eq!(count(1_234_567, "ball", "balls"), "1,234,567 balls");
    }

    #[test]
    fn lines_keep_to_their_width() {
        let text = "a rather long line of words that has to be broken twice or more";
        let lines = wrap(text, 10.0, 120.0);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| text_width(line, 10.0) <= 120.0));
        assert_eq!(lines.join(" "), text);
        let cut = shorten("incomprehensibilities", 10.0, 50.0);
        assert!(cut.ends_with('…') && text_width(&cut, 10.0) <= 50.0);
    }
}
