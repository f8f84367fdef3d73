//! Whatever a scene file has in it, and whatever is set from outside, the reader ends with a scene or with errors that
//! can be shown.
//!
//! The first byte says whether the rest is TOML or JSON; what follows a byte 0x01 is a value that is set from outside,
//! `key=value`.
#![no_main]

use carom_scene::{Limits, Style, parse_within};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let mut parts = text.split('\u{1}');
    let scene = parts.next().unwrap_or_default();
    let set: Vec<(String, String)> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let name = if kind % 2 == 0 { "scene.toml" } else { "scene.json" };
    let limits = Limits {
        bodies: 500,
        tables: false,
        memory: None,
    };
    if let Err(errors) = parse_within(name, scene, &set, &limits) {
        assert!(!errors.problems().is_empty());
        let shown = errors.render(Style::Plain);
        assert!(!shown.contains('\u{1b}'));
        for problem in errors.problems() {
            errors.position(problem);
        }
    }
});
