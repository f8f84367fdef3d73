//! What a reader may rely on, in every source of the workspace: files and functions that can be read at one sitting (or
//! say why they are long), comments that fit on a screen, and a plain `if` for what is true or false.

use std::path::{Path, PathBuf};

/// Lines of a file, lines of a function, columns of a comment: more than this needs a reason, or must not be.
const LINES: usize = 600;
const FUNCTION: usize = 80;
const COLUMNS: usize = 120;

/// How the reason begins that a long file or function gives in its documentation.
const REASON: &str = "Longer than most:";

/// A source, taken apart.
struct Source<'a> {
    lines: Vec<&'a str>,
    /// The same text with blanks in place of comments, strings and characters.
    code: String,
    /// Which lines a comment begins or goes on in.
    commented: Vec<bool>,
}

impl<'a> Source<'a> {
    fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let mut commented = vec![false; lines.len()];
        let mut code = String::with_capacity(text.len());
        let letters: Vec<char> = text.chars().collect();
        let (mut at, mut line) = (0, 0);
        while at < letters.len() {
            let end = after_literal(&letters, at);
            if end == at {
                line += usize::from(letters[at] == '\n');
                code.push(letters[at]);
                at += 1;
                continue;
            }
            let comment = letters[at] == '/';
            for &letter in &letters[at..end] {
                if comment && line < commented.len() {
                    commented[line] = true;
                }
                code.push(if letter == '\n' { '\n' } else { ' ' });
                line += usize::from(letter == '\n');
            }
            at = end;
        }
        Source {
            lines,
            code,
            commented,
        }
    }

    /// What is wrong with it, each with the number of its line.
    fn faults(&self) -> Vec<(usize, String)> {
        let mut faults = Vec::new();
        let head = (self.lines.iter()).take_while(|line| line.starts_with("//!"));
        if self.lines.len() > LINES && !head.clone().any(|line| line.contains(REASON)) {
            faults.push((1, format!("{} lines", self.lines.len())));
        }
        for (number, line) in self.lines.iter().enumerate() {
            let columns = line.chars().count();
            if self.commented[number] && columns > COLUMNS {
                faults.push((number + 1, format!("a comment of {columns} columns")));
            }
        }
        self.functions(&mut faults);
        self.choices(&mut faults);
        faults
    }

    /// Long functions that do not say why.
    fn functions(&self, faults: &mut Vec<(usize, String)>) {
        for (at, _) in self.code.match_indices("fn ") {
            if self.code[..at].ends_with(is_part_of_name) {
                continue;
            }
            let Some(length) = item_lines(&self.code[at..]) else {
                continue;
            };
            let first = self.code[..at].matches('\n').count();
            let above = (self.lines[..first].iter().rev()).take_while(|line| {
                let line = line.trim_start();
                line.starts_with("//") || line.starts_with("#[")
            });
            if length > FUNCTION && !above.clone().any(|line| line.contains(REASON)) {
                faults.push((first + 1, format!("a function of {length} lines")));
            }
        }
    }

    /// `match` over what is true or false, and lists whose first element is taken away again and again.
    fn choices(&self, faults: &mut Vec<(usize, String)>) {
        let line_of = |at: usize| self.code[..at].matches('\n').count() + 1;
        for word in ["true", "false"] {
            for (at, _) in self.code.match_indices(word) {
                let before = self.code[..at].trim_end();
                let after = self.code[at + word.len()..].trim_start();
                let alone = !self.code[..at].ends_with(is_part_of_name);
                let is_arm = alone
                    && before.ends_with(['{', ',', '}'])
                    && (after.starts_with("=>") || after.starts_with("if "));
                if is_arm {
                    faults.push((
                        line_of(at),
                        format!("an arm `{word}`: `if` says it plainly"),
                    ));
                }
            }
        }
        for (at, _) in self.code.match_indices(".remove(0)") {
            faults.push((line_of(at), "`remove(0)`: a queue is a VecDeque".to_owned()));
        }
    }
}

fn is_part_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Where a comment, a string or a character ends that begins at a place; the place itself where none does.
fn after_literal(letters: &[char], at: usize) -> usize {
    let is = |place: usize, letter: char| letters.get(place) == Some(&letter);
    let find = |from: usize, what: &[char]| {
        let places = from..letters.len();
        (places.clone()).find(|&place| letters[place..].starts_with(what))
    };
    let all = letters.len();
    match letters[at] {
        '/' if is(at + 1, '/') => find(at, &['\n']).unwrap_or(all),
        '/' if is(at + 1, '*') => find(at + 2, &['*', '/']).map_or(all, |end| end + 2),
        'r' if at == 0 || !is_part_of_name(letters[at - 1]) || letters[at - 1] == 'b' => {
            let hashes = (letters[at + 1..].iter().take_while(|&&it| it == '#')).count();
            if !is(at + 1 + hashes, '"') {
                return at;
            }
            let mut close = vec!['"'];
            close.resize(1 + hashes, '#');
            find(at + 2 + hashes, &close).map_or(all, |end| end + close.len())
        }
        '"' => {
            let mut end = at + 1;
            while end < all && letters[end] != '"' {
                end += if letters[end] == '\\' { 2 } else { 1 };
            }
            (end + 1).min(all)
        }
        // A character, and not a lifetime.
        '\'' if is(at + 1, '\\') => find(at + 3, &['\'']).map_or(all, |end| end + 1),
        '\'' if is(at + 2, '\'') => at + 3,
        _ => at,
    }
}

/// How many lines an item has from its first word to the end of its block; `None` where it has none.
fn item_lines(code: &str) -> Option<usize> {
    let (mut depth, mut nested) = (0, 0);
    for (at, letter) in code.char_indices() {
        match letter {
            '(' | '[' => nested += 1,
            ')' | ']' => nested -= 1,
            ';' if depth == 0 && nested == 0 => return None,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(code[..at].matches('\n').count() + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// All sources below a folder; what is built, or belongs to git, is left out.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    for entry in entries.map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

#[test]
fn sources_of_the_workspace_can_be_read() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    // In a package the crate stands alone.
    let workspace = own
        .ancestors()
        .nth(2)
        .filter(|it| it.join("crates").is_dir());
    let root = workspace.unwrap_or(own);
    let mut paths = Vec::new();
    sources(root, &mut paths);
    paths.sort();
    assert!(paths.len() > 300, "{} sources", paths.len());
    let mut faults = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a source");
        let place = path.strip_prefix(root).unwrap_or(&path).display();
        for (line, fault) in Source::new(&text).faults() {
            faults.push(format!("{place}:{line}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each rule is broken once, beside what only looks like it.
#[test]
fn what_breaks_a_rule_is_named() {
    let of = |text: &str| {
        let found = Source::new(text).faults().into_iter();
        found
            .map(|(line, fault)| format!("{line}: {fault}"))
            .collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let long = "// x\n".repeat(601);
    assert_eq!(of(&long), ["1: 601 lines"]);
    assert_eq!(of(&format!("//! Longer than most: a list.\n{long}")), none);
    assert_eq!(of(&"// x\n".repeat(600)), none);
    let body = "    x();\n".repeat(79);
    let function = |above: &str| format!("{above}pub fn f(a: [u8; 2]) {{\n{body}}}\n");
    assert_eq!(of(&function("")), ["1: a function of 81 lines"]);
    assert_eq!(
        of(&function("/// It does.\n#[inline]\n")),
        ["3: a function of 81 lines"]
    );
    assert_eq!(
        of(&function("/// Longer than most: so.\n#[inline]\n")),
        none
    );
    assert_eq!(of("trait T {\n    fn f(&self);\n}\n"), none);
    let wide = "x".repeat(118);
    assert_eq!(of(&format!("// {wide}\n")), ["1: a comment of 121 columns"]);
    assert_eq!(
        of(&format!("/*\n {wide}xx\n*/\n")),
        ["2: a comment of 121 columns"]
    );
    assert_eq!(of(&format!("let x = \"// {wide}\";\n")), none);
    assert_eq!(
        of("match a {\n    true => b,\n    false => c,\n}\n"),
        [
            "2: an arm `true`: `if` says it plainly",
            "3: an arm `false`: `if` says it plainly"
        ]
    );
    assert_eq!(
        of("match a { true if b => c, _ => d }"),
        ["1: an arm `true`: `if` says it plainly"]
    );
    assert_eq!(of("match (a, b) { (true, false) => c, _ => untrue }"), none);
    assert_eq!(
        of("let c = '\"'; // { true => }\nlet r = r#\"true => \"{\"#;"),
        none
    );
    assert_eq!(
        of("let x = list.remove(0);"),
        ["1: `remove(0)`: a queue is a VecDeque"]
    );
}
