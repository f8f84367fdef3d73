//! The texts in Rust sources, so that none of them goes unseen.

use std::path::Path;

/// The texts of a source file, without those of its own tests and of its comments, as the compiler reads them; `{…}` is
/// kept as it is.
pub fn literals(source: &str) -> Vec<String> {
    let source = source
        .split("\n#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or("");
    let mut found = Vec::new();
    let mut rest = source.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '/' if rest.peek() == Some(&'/') => {
                let _ = rest.by_ref().find(|&letter| letter == '\n');
            }
            // A quote as a letter, or escaped, is none that opens a text.
            '\'' if rest.peek() == Some(&'"') => {
                rest.next();
            }
            '\'' if rest.peek() == Some(&'\\') => {
                rest.next();
                rest.next();
            }
            '"' => found.push(literal(&mut rest)),
            _ => (),
        }
    }
    found
}

fn literal(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => break,
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('\n') => while rest.next_if(|letter| letter.is_whitespace()).is_some() {},
                Some(letter) => text.push(letter),
                None => break,
            },
            letter => text.push(letter),
        }
    }
    text
}

/// Whether a text, with anything in the place of each `{…}`, stands on a line of a snapshot.
pub fn is_shown(text: &str, snapshot: &str) -> bool {
    let mut pieces = Vec::new();
    for (number, part) in text.replace("{{", "\u{1}").split('{').enumerate() {
        let fixed = match number {
            0 => part,
            _ => part.split_once('}').map_or("", |(_, behind)| behind),
        };
        pieces.push(fixed.replace('\u{1}', "{").replace("}}", "}"));
    }
    snapshot.lines().any(|line| {
        let mut line = line;
        pieces.iter().all(|piece| match line.find(piece.as_str()) {
            Some(place) => {
                line = &line[place + piece.len()..];
                true
            }
            None => false,
        })
    })
}

/// All sources below a folder, sorted, with their paths from there.
pub fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
