//! Key presses from a file.
//!
//! ```text
//! # time in seconds, press or release, name of the key
//! 0.50 press left
//! 0.65 release left
//! ```

use crate::plan::{AnyPlan, Cue, Plan, Rule};
use crate::render::{printable, shortened};
use crate::space::SceneSpace;
use carom::simulate::Action;
use std::path::Path;

/// As large as a file may be, bytes.
const LARGEST: u64 = 50_000_000;

/// A key that is pressed or released.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyStroke {
    /// World time, s.
    pub time: f64,
    /// Its name.
    pub key: String,
    /// Whether it is pressed.
    pub pressed: bool,
    /// The line in the file, from 1.
    pub line: usize,
}

/// Reads a file of key presses; what is wrong is said with its line.
pub fn load_keys(path: &Path) -> Result<Vec<KeyStroke>, String> {
    let name = path.display();
    let failed = |error: std::io::Error| format!("cannot read `{name}`: {error}");
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > LARGEST {
        return Err(format!("`{name}` is larger than {LARGEST} bytes"));
    }
    let text = std::fs::read_to_string(path).map_err(failed)?;
    parse_keys(&text).map_err(|(line, error)| format!("{name}, line {line}: {error}"))
}

/// Reads key presses; where it fails, the line and what is wrong with it.
pub fn parse_keys(text: &str) -> Result<Vec<KeyStroke>, (usize, String)> {
    let mut strokes = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or("").trim();
        if content.is_empty() {
            continue;
        }
        let shown = printable(&shortened(content, 60));
        let wrong = |why: &str| Err((line, format!("`{shown}`: {why}")));
        let mut words = content.splitn(3, char::is_whitespace);
        let time: Option<f64> = words.next().and_then(|word| word.parse().ok());
        let Some(time) = time.filter(|time| (0.0..=1e40).contains(time)) else {
            return wrong("it begins with a time in seconds, zero or above");
        };
        let pressed = match words.next() {
            Some("press") => true,
            Some("release") => false,
            _ => return wrong("`press` or `release` comes after the time"),
        };
        let key = words.next().unwrap_or("").trim();
        if key.is_empty() || key.chars().count() > 100 || printable(key) != key {
            return wrong("it ends with the name of a key, 1 to 100 characters");
        }
        strokes.push(KeyStroke {
            time: time + 0.0,
            key: key.to_owned(),
            pressed,
            line,
        });
    }
    Ok(strokes)
}

impl AnyPlan {
    /// Adds key presses, after all rules of the scene.
    pub fn press(&mut self, strokes: &[KeyStroke]) {
        match self {
            AnyPlan::Two(plan) => plan.press(strokes),
            AnyPlan::Three(plan) => plan.press(strokes),
        }
    }
}

impl<S: SceneSpace> Plan<S> {
    /// Adds key presses, after all rules of the scene.
    pub fn press(&mut self, strokes: &[KeyStroke]) {
        self.rules.extend(strokes.iter().map(|stroke| Rule {
            name: "keys".to_owned(),
            line: stroke.line,
            cue: Cue::At(vec![stroke.time]),
            action: if stroke.pressed {
                Action::press(&stroke.key)
            } else {
                Action::release(&stroke.key)
            },
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_line_by_line() {
        let strokes = parse_keys("# who plays\n\n0.5 press left # up\n 1e0\trelease  left hand \n");
        let strokes = strokes.unwrap();
        assert_eq!(strokes.len(), 2);
        assert_eq!((strokes[0].time, strokes[0].pressed), (0.5, true));
        assert_eq!((&*strokes[1].key, strokes[1].line), ("left hand", 4));
        for (text, line) in [
            ("left", 1),
            ("1.0 hold left", 1),
            ("1 press left\n-1 press left", 2),
            ("1 press", 1),
            ("nan press left", 1),
            ("inf press left", 1),
        ] {
            assert_eq!(parse_keys(text).unwrap_err().0, line, "{text}");
        }
    }
}
