//! Problems as text, with the line they are about and a caret under the value.
//!
//! Written for files that are anything but well behaved: a line of ten million characters is cut to a window about
//! the caret, and control characters, which could steer the terminal, are shown as symbols.

use crate::problem::{Problem, SceneErrors};
use std::fmt::{self, Write};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text alone: for files, pipes and tests.
    Plain,
    /// With ANSI colours: for terminals.
    Coloured,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn frame(self, text: &str) -> String {
        self.paint("34", text)
    }

    fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// A place in a text.
pub(crate) struct Place<'t> {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The whole line, without its end.
    pub content: &'t str,
    /// Where in the line, in bytes.
    pub offset: usize,
}

/// The place of a byte of the text; a byte beyond the end is the end.
pub(crate) fn locate(text: &str, byte: usize) -> Place<'_> {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let start = text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[byte..]
        .find('\n')
        .map_or(text.len(), |length| byte + length);
    let content = &text[start..end];
    Place {
        line: 1 + text[..start].bytes().filter(|&b| b == b'\n').count(),
        column: 1 + text[start..byte].chars().count(),
        content: content.strip_suffix('\r').unwrap_or(content),
        offset: byte - start,
    }
}

/// Text from a file, made safe to print on one line.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            // C1 controls, and marks that reverse the direction of what follows.
            '\u{80}'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// The same, and no longer than `most` characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most + 1).collect();
    if short.chars().count() > most {
        short = short.chars().take(most - 1).collect();
        short.push('…');
    }
    printable(&short)
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Characters of a line that are shown before and after the caret.
const BEFORE: usize = 60;
const AFTER: usize = 60;

/// A line cut to a window about a span: what comes before it, the span itself, what comes after.
fn window(place: &Place<'_>, length: usize) -> [String; 3] {
    let content = place.content;
    let start = place.offset.min(content.len());
    let mut end = start.saturating_add(length).min(content.len());
    while !content.is_char_boundary(end) {
        end -= 1;
    }
    let (before, span, after) = (&content[..start], &content[start..end], &content[end..]);
    let cut_before: String = match before.char_indices().rev().nth(BEFORE) {
        Some((index, c)) => format!("…{}", &before[index + c.len_utf8()..]),
        None => before.to_owned(),
    };
    [
        printable(&cut_before),
        shortened(span, AFTER),
        shortened(after, AFTER),
    ]
}

fn snippet(
    out: &mut String,
    style: Style,
    place: &Place<'_>,
    length: usize,
    label: &str,
) -> fmt::Result {
    let [before, span, after] = window(place, length);
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = style.frame("|");
    let carets = "^".repeat(width(&span).max(1));
    writeln!(out, " {gutter} {bar}")?;
    let shown = format!("{before}{span}{after}");
    writeln!(out, " {} {bar} {}", style.frame(&number), shown.trim_end())?;
    let marked = format!("{carets} {label}");
    writeln!(
        out,
        " {gutter} {bar} {}{}",
        " ".repeat(width(&before)),
        style.error(marked.trim_end())
    )
}

fn arrow(out: &mut String, style: Style, file: &str, place: &Place<'_>) -> fmt::Result {
    let gutter = " ".repeat(place.line.to_string().len());
    writeln!(
        out,
        "{gutter} {} {}:{}:{}",
        style.frame("-->"),
        printable(file),
        place.line,
        place.column
    )
}

fn length(span: &Range<usize>) -> usize {
    span.end.saturating_sub(span.start)
}

impl SceneErrors {
    /// All problems as text, and a closing line that counts them.
    pub fn render(&self, style: Style) -> String {
        let mut out = String::new();
        for problem in &self.problems {
            self.render_one(&mut out, style, problem)
                .expect("a string takes everything that is written to it");
            out.push('\n');
        }
        out.push_str(&self.closing_line());
        out.push('\n');
        out
    }

    fn render_one(&self, out: &mut String, style: Style, problem: &Problem) -> fmt::Result {
        let title = style.error("error:");
        writeln!(out, "{title} {}", style.strong(&problem.message))?;
        let mut gutter = 1;
        if let Some(span) = &problem.span {
            let (file, text, start) = self.sources.at(span.start);
            let place = locate(text, start);
            gutter = place.line.to_string().len();
            arrow(out, style, file, &place)?;
            snippet(out, style, &place, length(span), &problem.label)?;
        }
        if let Some((span, label)) = &problem.related {
            let (file, text, start) = self.sources.at(span.start);
            let place = locate(text, start);
            gutter = place.line.to_string().len();
            arrow(out, style, file, &place)?;
            snippet(out, style, &place, length(span), label)?;
        }
        if let Some(help) = &problem.help {
            let gutter = " ".repeat(gutter + 1);
            writeln!(out, " {gutter}{} {help}", style.frame("= help:"))?;
        }
        Ok(())
    }

    fn closing_line(&self) -> String {
        let count = self.problems.len() + self.left_out;
        let errors = if count == 1 { "error" } else { "errors" };
        let file = printable(self.file());
        match self.left_out {
            0 => format!("{count} {errors} in {file}"),
            more => format!("{count} {errors} in {file}; the last {more} are not shown"),
        }
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.render(Style::Plain).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "a = 1\r\nmü = 2\n";
        let place = locate(text, text.find('2').unwrap());
        assert_eq!((place.line, place.column), (2, 6));
        assert_eq!(place.content, "mü = 2");
        assert_eq!(locate(text, 4).content, "a = 1");
        // Beyond the end, and inside of a character.
        assert_eq!(locate(text, 1000).line, 3);
        let inside = text.find('ü').unwrap() + 1;
        assert_eq!(locate(text, inside).column, 2);
    }

    #[test]
    fn a_long_line_is_cut_about_the_caret_and_controls_are_shown_as_symbols() {
        let text = format!(
            "x = [{}\u{1b}[2J!{}]",
            "1, ".repeat(100_000),
            "2".repeat(100_000)
        );
        let start = text.find('!').unwrap();
        let problem = Problem::new(start..start + 1, "no".into(), "here");
        let errors = SceneErrors::new("f\u{1b}", &text, vec![problem], 0);
        let shown = errors.to_string();
        assert!(shown.len() < 800, "{}", shown.len());
        assert!(!shown.contains('\u{1b}'));
        let lines: Vec<&str> = shown.lines().collect();
        let column = |line: &str, mark| line.chars().position(|c| c == mark).unwrap();
        assert_eq!(column(lines[3], '!'), column(lines[4], '^'));
    }
    #[test]
    fn colours_add_nothing_but_colours() {
        let problem = Problem::new(4..5, "no".into(), "here").help("try two");
        let errors = SceneErrors::new("f", "x = 1", vec![problem], 0);
        let mut stripped = errors.render(Style::Coloured);
        assert!(stripped.contains("\u{1b}[1;31merror:\u{1b}[0m"));
        while let Some(start) = stripped.find('\u{1b}') {
            let end = start + stripped[start..].find('m').unwrap();
            stripped.replace_range(start..=end, "");
        }
        assert_eq!(stripped, errors.render(Style::Plain));
    }
}
