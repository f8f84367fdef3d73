//! The paths in a source file that begin at the crate's root or at a module above.

/// A path as it stands in a file: its segments from the crate's root.
pub type Found = Vec<String>;

/// Every path of a file that begins with `crate`, `super` or `self`, from the crate's root, given the module that the
/// file is. What is only compiled for tests is left out.
pub fn paths(source: &str, module: &[String]) -> Vec<Found> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    // The modules that are open here, each with the depth of its brace.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let (mut depth, mut at) = (0, 0);
    while at < tokens.len() {
        match tokens[at].as_str() {
            "#" if is_for_tests(&tokens[at..]) => {
                at = after_item(&tokens, at + 7);
                continue;
            }
            "{" => depth += 1,
            "}" => {
                inline.pop_if(|(_, opened)| *opened == depth);
                depth -= 1;
            }
            "mod" if tokens.get(at + 2).is_some_and(|token| token == "{") => {
                inline.push((tokens[at + 1].clone(), depth + 1));
            }
            "crate" | "super" | "self"
                if tokens.get(at + 1).is_some_and(|token| token == "::")
                    && !(at >= 2 && tokens[at - 1] == "in" && tokens[at - 2] == "(") =>
            {
                let mut here = module.to_vec();
                here.extend(inline.iter().map(|(name, _)| name.clone()));
                at = branch(&tokens, at, here, &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The names of modules in files of their own that are only compiled for tests.
pub fn test_modules(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let starts = (0..tokens.len()).filter(|&at| is_for_tests(&tokens[at..]));
    starts
        .filter(|at| tokens.get(at + 7).is_some_and(|token| token == "mod"))
        .filter_map(|at| tokens.get(at + 8).cloned())
        .collect()
}

/// What `pub use module::…` lines of a file hand on, name by name, with the module that each is from.
pub fn handed_on(source: &str) -> Vec<(String, String)> {
    let tokens = tokens(source);
    let mut all = Vec::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "use" && tokens.len() > at + 2) {
        let module = &tokens[at + 1];
        if tokens[at + 2] != "::" || ["crate", "super", "self"].contains(&module.as_str()) {
            continue;
        }
        let mut found = Vec::new();
        branch(&tokens, at + 1, Vec::new(), &mut found);
        for path in found {
            if let Some(name) = path.last().filter(|_| path.len() > 1) {
                all.push((name.clone(), module.clone()));
            }
        }
    }
    all
}

/// Reads a path, or a tree of them in braces, from a token on; the token after it.
fn branch(tokens: &[String], from: usize, mut path: Vec<String>, found: &mut Vec<Found>) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    let mut at = from;
    loop {
        match token(at) {
            "crate" => path.clear(),
            "super" => {
                path.pop();
            }
            "self" => {}
            "{" => {
                at += 1;
                while token(at) != "}" && at < tokens.len() {
                    at = branch(tokens, at, path.clone(), found);
                    if token(at) == "as" {
                        at += 2;
                    }
                    if token(at) == "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            name if is_name(name) => path.push(name.to_owned()),
            // `path::*`, `path::<T>`: the path so far.
            _ => {
                found.push(path);
                return at + 1;
            }
        }
        at += 1;
        if token(at) != "::" {
            found.push(path);
            return at;
        }
        at += 1;
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether the tokens begin with `#[cfg(test)]`.
fn is_for_tests(tokens: &[String]) -> bool {
    let marks = ["#", "[", "cfg", "(", "test", ")", "]"];
    tokens.len() >= marks.len() && tokens.iter().zip(marks).all(|(token, mark)| token == mark)
}

/// The token after an item: after its semicolon, or its block.
fn after_item(tokens: &[String], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && (token == ";" || token == "}") {
            return at + 1;
        }
    }
    tokens.len()
}

/// Words, `::` and single signs, without comments and texts.
fn tokens(source: &str) -> Vec<String> {
    let text: Vec<char> = source.chars().collect();
    let is = |at: usize, what: &str| {
        what.chars()
            .enumerate()
            .all(|(k, c)| text.get(at + k) == Some(&c))
    };
    let is_word = |at: usize| {
        text.get(at)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
    };
    let mut all = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if is(at, "//") {
            while at < text.len() && text[at] != '\n' {
                at += 1;
            }
        } else if is(at, "/*") {
            at += 2;
            while at < text.len() && !is(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if is(at, "r\"") || is(at, "r#\"") {
            let end: String = if is(at, "r\"") { "\"" } else { "\"#" }.into();
            at += 1 + end.len();
            while at < text.len() && !is(at, &end) {
                at += 1;
            }
            at += end.len();
        } else if text[at] == '"' {
            at += 1;
            while at < text.len() && text[at] != '"' {
                at += 1 + usize::from(text[at] == '\\');
            }
            at += 1;
        } else if text[at] == '\'' {
            // A character, or the mark of a lifetime.
            if is(at + 1, "\\") {
                at += 3;
                while at < text.len() && text[at] != '\'' {
                    at += 1;
                }
                at += 1;
            } else {
                at += if text.get(at + 2) == Some(&'\'') {
                    3
                } else {
                    1
                };
            }
        } else if is_word(at) {
            let from = at;
            while is_word(at) {
                at += 1;
            }
            all.push(text[from..at].iter().collect());
        } else if is(at, "::") {
            all.push("::".to_owned());
            at += 2;
        } else {
            if !text[at].is_whitespace() {
                all.push(text[at].to_string());
            }
            at += 1;
        }
    }
    all
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let source = r#"
        //! As in crate::commented::out.
        use crate::space::{Linear, tree::{self, Tree as Box}};
        pub(in crate::simulate) use super::shape::*;
        fn f(text: &'static str) -> crate::world::World<S> {
            let c = '"'; // crate::commented
            super::super::above::<S>("crate::in_text", $crate::codec::load())
        }
        mod inner { use super::sibling::Thing; }
        #[cfg(test)]
        mod tests { use crate::simulate::Exact; }
        #[cfg(test)]
        use crate::simulate::Rigid;
        use crate::after::All;
    "#;
    let module = ["motion".to_owned(), "field".to_owned()];
    let found: Vec<String> = (paths(source, &module).iter())
        .map(|path| path.join("::"))
        .collect();
    let expected = [
        "space::Linear",
        "space::tree",
        "space::tree::Tree",
        "motion::shape",
        "world::World",
        "above",
        "codec::load",
        "motion::field::sibling::Thing",
        "after::All",
    ];
    assert_eq!(found, expected);
    let handed = handed_on("pub use exact::{End, Exact}; pub use watchdog::Busy; use crate::a::B;");
    let handed: Vec<(&str, &str)> = handed.iter().map(|(n, m)| (&n[..], &m[..])).collect();
    assert_eq!(
        handed,
        [("End", "exact"), ("Exact", "exact"), ("Busy", "watchdog")]
    );
}
