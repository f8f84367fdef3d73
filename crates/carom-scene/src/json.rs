//! The JSON front end: a text as a tree whose values know their place.
//!
//! A reader of our own, because those at hand forget where a value stood. It follows RFC 8259, refuses a key that is
//! given twice, and stops at the first error: what follows a broken bracket cannot be known.

use crate::problem::{Kind, Problem};
use crate::render::shortened;
use crate::syntax::Tree;
use crate::tree::{Key, Node, Number, Table, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// As deep as arrays and objects may be nested: as in TOML.
const DEEPEST: usize = 80;

/// A text as a tree, or what is not JSON about it.
pub(crate) fn parse(text: &str) -> Tree {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let (table, problems) = match parser.document() {
        Ok(table) => (table, Vec::new()),
        Err(problem) => (Table::default(), vec![*problem]),
    };
    Tree {
        table,
        local: problems.is_empty(),
        problems,
        left_out: 0,
    }
}

type Parsed<T> = Result<T, Box<Problem>>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn document(&mut self) -> Parsed<Table> {
        self.space();
        let node = self.value()?;
        self.space();
        if self.at < self.text.len() {
            let what = "something follows the end of the scene";
            return Err(self.here(what, "one object is a scene"));
        }
        match node.value {
            Value::Table(table) => Ok(table),
            _ => Err(error(node.span, "not an object", "a scene is { … }")),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// An error at the next character.
    fn here(&self, what: &str, label: &str) -> Box<Problem> {
        let length = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        error(self.at..self.at + length, what, label)
    }

    fn value(&mut self) -> Parsed<Node> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::Text(self.string()?.into()),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            Some(_) => return Err(self.here("no value begins like this", "expected a value")),
            None => return Err(self.here("the text ends too early", "expected a value")),
        };
        Ok(Node {
            value,
            span: start..self.at,
        })
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Parsed<Value>) -> Parsed<Value> {
        if self.depth == DEEPEST {
            let label = format!("at most {DEEPEST} levels are read");
            return Err(self.here("nested too deeply", &label));
        }
        self.depth += 1;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Parsed<Value> {
        let open = self.at;
        self.at += 1;
        let mut table = Table::default();
        let mut seen: BTreeSet<Box<str>> = BTreeSet::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Table(table));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unclosed(open, "object", "expected a key in double quotes"));
            }
            let name: Box<str> = self.string()?.into();
            let key = Key::new(name.clone(), start..self.at);
            if !seen.insert(name) {
                let label = format!("`{}` is given a second time", shortened(key.get_ref(), 40));
                return Err(error(key.span(), "duplicate key", &label));
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unclosed(open, "object", "expected `:`"));
            }
            self.at += 1;
            self.space();
            let node = self.value()?;
            table.entries.push((key, node));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unclosed(open, "object", "expected `,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Value::Table(table))
    }

    fn array(&mut self) -> Parsed<Value> {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            self.space();
            items.push(self.value()?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unclosed(open, "array", "expected `,` or `]`")),
            }
        }
        self.at += 1;
        Ok(Value::Array(items))
    }

    fn unclosed(&self, open: usize, what: &str, expected: &str) -> Box<Problem> {
        if self.at < self.text.len() {
            return self.here(&format!("this is not part of an {what}"), expected);
        }
        let what = format!("the {what} that begins here is never closed");
        error(open..open + 1, &what, "opened here")
    }

    fn number(&mut self) -> Parsed<Number> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
        ) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let whole = digits
            .find(|c: char| !c.is_ascii_digit())
            .map_or(digits, |end| &digits[..end]);
        let starts_well = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
        let point_is_followed = digits.match_indices('.').all(|(index, _)| {
            let next = digits.as_bytes().get(index + 1);
            next.is_some_and(u8::is_ascii_digit)
        });
        match text.parse() {
            Ok(float) if starts_well && point_is_followed => Ok(Number {
                float: Some(float),
                integer: text.parse().ok(),
            }),
            _ => Err(error(
                start..self.at,
                "this is no number",
                "a number is written like -1.5e3",
            )),
        }
    }

    fn word(&mut self) -> Parsed<Value> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_')
        ) {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            "null" => Ok(Value::Other),
            word => {
                let label = format!("text is written \"{}\"", shortened(word, 40));
                let what = "this is neither a number nor text in quotes";
                Err(error(start..self.at, what, &label))
            }
        }
    }

    fn string(&mut self) -> Parsed<String> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escape()?),
                _ => {
                    let what = "the text that begins here does not end on its line";
                    return Err(error(open..open + 1, what, "opened here"));
                }
            }
        }
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        self.at += 2;
        let bad = |end: usize| {
            let end = (start..=end)
                .rev()
                .find(|&end| self.text.is_char_boundary(end));
            let span = start..end.unwrap_or(start);
            error(
                span,
                "no such escape",
                "expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX",
            )
        };
        let plain = match self.text.as_bytes().get(start + 1) {
            Some(b'u') => {
                let end = (start + 12).min(self.text.len());
                let (c, length) =
                    unicode(&self.text.as_bytes()[start..end]).ok_or_else(|| bad(start + 2))?;
                self.at = start + length;
                return Ok(c);
            }
            Some(&c @ (b'"' | b'\\' | b'/')) => c as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(bad((start + 2).min(self.text.len()))),
        };
        Ok(plain)
    }
}

/// The character of `\uXXXX` or of a pair of surrogates, and how many bytes it took.
fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = |from: usize| -> Option<u32> {
        let digits = bytes.get(from..from + 6)?;
        let digits = digits.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |number, &digit| {
            Some(number * 16 + (digit as char).to_digit(16)?)
        })
    };
    let first = unit(0)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, 6));
    }
    let second = unit(6)?;
    let pair = (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second);
    let code = 0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF);
    pair.then(|| char::from_u32(code))
        .flatten()
        .map(|c| (c, 12))
}

fn error(span: Range<usize>, what: &str, label: &str) -> Box<Problem> {
    let problem = Problem::new(span, format!("not valid JSON: {what}"), label);
    Box::new(problem.kind(Kind::Syntax))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (usize, String) {
        let tree = parse(text);
        let [problem] = &tree.problems[..] else {
            panic!("{text} was accepted")
        };
        let start = problem.span.as_ref().map_or(0, |span| span.start);
        (start, problem.message.clone())
    }

    #[test]
    fn values_know_their_place() {
        let text = r#" {"a": [1, -2.5e1, true, "x\u00e9\ud83d\ude00\n"], "b": {}} "#;
        let tree = parse(text);
        assert!(tree.problems.is_empty());
        let Value::Array(items) = &tree.table.get("a").unwrap().value else {
            panic!("an array")
        };
        assert_eq!(&text[items[1].span.clone()], "-2.5e1");
        let Value::Text(last) = &items[3].value else {
            panic!("text")
        };
        assert_eq!(&**last, "xé😀\n");
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_is() {
        assert_eq!(refused(r#"{"a": 01}"#).0, 6);
        assert_eq!(refused(r#"{"a": 1.}"#).0, 6);
        assert_eq!(refused(r#"{"a": 1, "a": 2}"#).0, 9);
        assert_eq!(refused(r#"{"a": 1,}"#).0, 8);
        assert_eq!(refused(r#"{"a": [1"#).0, 6);
        assert_eq!(refused(r#"{"a": "\x"}"#).0, 7);
        assert_eq!(refused(r#"{"a": "\ud800"}"#).0, 7);
        assert_eq!(refused("[1]").0, 0);
        assert_eq!(refused("{} x").0, 3);
        assert_eq!(refused("{\"a\": \"x").0, 6);
        assert_eq!(refused("{\"a\": \"\\").0, 7);
        assert_eq!(refused("{\"a\": \"\\é").0, 7);
        assert!(refused(&"[".repeat(1 << 20)).1.contains("too deeply"));
    }
}
