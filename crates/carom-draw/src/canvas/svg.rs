//! Drawings as SVG.
//!
//! Colours are attributes, so that every program sees them, and classes, so that a style sheet can change them in the
//! dark.

use super::colour::{Ink, Theme};
use super::font::{FAMILY, font_face, outlines, text_width};
use super::{Anchor, Area, Drawing, Mark, Pen, Step, TimeArea};
use std::fmt::Write;

/// What an SVG looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Always the same.
    Fixed(Theme),
    /// Light, and dark where whoever looks at it prefers that; light on paper.
    Adaptive,
    /// As [`Look::Adaptive`], for a page that has the style sheet already.
    Embedded,
}

/// How an SVG has its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextAs {
    /// As words, in a font that the file brings along: they can be searched and copied.
    #[default]
    Words,
    /// As outlines: the same in every program, also in those that know no fonts in files.
    Outlines,
}

/// A number with two digits, and no more than it needs.
pub(crate) fn fixed(number: f64) -> String {
    let mut text = format!("{number:.2}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// Text as XML has it. What XML cannot have at all is left out.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\t' | '\n' | '\r' => escaped.push(letter),
            control if control.is_control() => (),
            '\u{fffe}' | '\u{ffff}' => (),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The rules by which drawings follow whoever looks at them.
pub(crate) fn stylesheet() -> String {
    let mut rules = String::new();
    for ink in Ink::all() {
        let (class, colour) = (ink.class(), Theme::Dark.hex(ink));
        let _ = write!(
            rules,
            ".f-{class}{{fill:{colour}}}.l-{class}{{stroke:{colour}}}"
        );
    }
    format!("@media screen and (prefers-color-scheme:dark){{{rules}}}")
}

impl Drawing {
    /// As an SVG file.
    pub fn to_svg(&self, look: Look, text: TextAs) -> String {
        let (width, height) = (fixed(self.width), fixed(self.height));
        let mut writer = Writer {
            text: String::new(),
            theme: match look {
                Look::Fixed(theme) => theme,
                _ => Theme::Light,
            },
            adaptive: !matches!(look, Look::Fixed(_)),
            words: text,
            name: &self.name,
            clips: 0,
        };
        let out = &mut writer.text;
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"{FAMILY}\">\n<title>{}</title>\n",
            escape(&self.title)
        );
        let font = match (look, text) {
            (Look::Embedded, _) | (_, TextAs::Outlines) => String::new(),
            _ => font_face(),
        };
        let dark = match look {
            Look::Adaptive => stylesheet(),
            _ => String::new(),
        };
        if !(font.is_empty() && dark.is_empty()) {
            let _ = writeln!(out, "<style>{font}text{{font-kerning:none}}{dark}</style>");
        }
        let paper = writer.class(Some(Ink::Paper), None) + &writer.filled(Ink::Paper, 1.0);
        let _ = writeln!(
            writer.text,
            "<rect width=\"{width}\" height=\"{height}\"{paper}/>"
        );
        for mark in &self.marks {
            writer.mark(mark);
        }
        if look == Look::Embedded {
            for place in &self.times {
                writer.time_area(place);
            }
        }
        writer.text += "</svg>\n";
        writer.text
    }
}

struct Writer<'d> {
    text: String,
    theme: Theme,
    adaptive: bool,
    words: TextAs,
    name: &'d str,
    clips: usize,
}

impl Writer<'_> {
    fn filled(&self, ink: Ink, opacity: f64) -> String {
        let mut text = format!(" fill=\"{}\"", self.theme.hex(ink));
        if opacity < 1.0 {
            let _ = write!(text, " fill-opacity=\"{}\"", fixed(opacity));
        }
        text
    }

    fn lined(&self, pen: &Pen) -> String {
        let mut text = format!(
            " stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
            self.theme.hex(pen.ink),
            fixed(pen.width)
        );
        if pen.opacity < 1.0 {
            let _ = write!(text, " stroke-opacity=\"{}\"", fixed(pen.opacity));
        }
        let pattern = pen.dash.pattern();
        if !pattern.is_empty() {
            let lengths: Vec<String> = pattern.iter().map(|l| fixed(l * pen.width)).collect();
            let _ = write!(text, " stroke-dasharray=\"{}\"", lengths.join(" "));
        }
        text
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Path { steps, pen, fill } => self.path(steps, pen.as_ref(), *fill),
            Mark::Text {
                at,
                size,
                anchor,
                upwards,
                ink,
                text,
            } => self.words(*at, *size, *anchor, *upwards, *ink, text),
            Mark::Clipped { area, marks } => self.clipped(area, marks),
        }
    }

    fn class(&self, fill: Option<Ink>, line: Option<Ink>) -> String {
        if !self.adaptive {
            return String::new();
        }
        let fill = fill.map(|ink| format!("f-{}", ink.class()));
        let line = line.map(|ink| format!("l-{}", ink.class()));
        let classes: Vec<String> = fill.into_iter().chain(line).collect();
        format!(" class=\"{}\"", classes.join(" "))
    }

    fn path(&mut self, steps: &[Step], pen: Option<&Pen>, fill: Option<(Ink, f64)>) {
        if steps.is_empty() {
            return;
        }
        let filling = match fill {
            Some((ink, opacity)) => self.filled(ink, opacity),
            None => " fill=\"none\"".to_owned(),
        };
        let line = pen.map(|pen| self.lined(pen)).unwrap_or_default();
        let class = self.class(fill.map(|(ink, _)| ink), pen.map(|pen| pen.ink));
        let _ = writeln!(
            self.text,
            "<path{class}{filling}{line} d=\"{}\"/>",
            path_data(steps, [0.0; 2])
        );
    }

    fn words(
        &mut self,
        [x, y]: [f64; 2],
        size: f64,
        anchor: Anchor,
        upwards: bool,
        ink: Ink,
        text: &str,
    ) {
        let filling = self.filled(ink, 1.0);
        let class = self.class(Some(ink), None);
        let width = text_width(text, size);
        if self.words == TextAs::Outlines {
            let begin = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => -0.5 * width,
                Anchor::End => -width,
            };
            let turn = if upwards { " rotate(-90)" } else { "" };
            let _ = writeln!(
                self.text,
                "<path{class}{filling} transform=\"translate({} {}){turn}\" aria-label=\"{}\" d=\"{}\"/>",
                fixed(x),
                fixed(y),
                escape(text),
                path_data(&outlines(text, size), [begin, 0.0])
            );
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (fixed(x), fixed(y));
        let turn = if upwards {
            format!(" transform=\"rotate(-90 {x} {y})\"")
        } else {
            String::new()
        };
        // The width is said, so that words stay within their bounds where another font has to do.
        let _ = writeln!(
            self.text,
            "<text{class}{filling} x=\"{x}\" y=\"{y}\" font-size=\"{}\"{anchor}{turn} textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>",
            fixed(size),
            fixed(width),
            escape(text)
        );
    }

    /// Nothing is seen of it; the page's script finds it.
    fn time_area(
        &mut self,
        TimeArea {
            area,
            from,
            to,
            log,
        }: &TimeArea,
    ) {
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(fixed);
        let log = if *log { " data-log=\"log\"" } else { "" };
        let _ = writeln!(
            self.text,
            "<rect class=\"time\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" pointer-events=\"all\" data-from=\"{from:e}\" data-to=\"{to:e}\"{log}/>"
        );
    }

    fn clipped(&mut self, area: &Area, marks: &[Mark]) {
        self.clips += 1;
        let id = format!("{}-clip{}", self.name, self.clips);
        let _ = writeln!(
            self.text,
            "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g clip-path=\"url(#{id})\">",
            fixed(area.x),
            fixed(area.y),
            fixed(area.width),
            fixed(area.height)
        );
        for mark in marks {
            self.mark(mark);
        }
        self.text += "</g>\n";
    }
}

fn path_data(steps: &[Step], [dx, dy]: [f64; 2]) -> String {
    let mut text = String::with_capacity(12 * steps.len());
    let place = |[x, y]: [f64; 2]| format!("{} {}", fixed(x + dx), fixed(y + dy));
    for step in steps {
        let _ = match *step {
            Step::Move(to) => write!(text, "M{}", place(to)),
            Step::Line(to) => write!(text, "L{}", place(to)),
            Step::Curve(a, b, to) => write!(text, "C{} {} {}", place(a), place(b), place(to)),
            Step::Close => write!(text, "Z"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let found = [0.0, -0.001, 1.0, 10.0, 2.5, 3.337, -120.0].map(fixed);
        assert_eq!(found, ["0", "0", "1", "10", "2.5", "3.34", "-120"]);
    }

    #[test]
    fn nothing_breaks_out_of_the_file() {
        assert_eq!(escape("a<b>&\"\u{1}\u{ffff}c"), "a&lt;b&gt;&amp;&quot;c");
    }
}
