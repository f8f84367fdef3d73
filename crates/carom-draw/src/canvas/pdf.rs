//! Drawings as PDF: one page, of the size that the drawing has at 96 units an inch.
//!
//! A drawing has paths, words and areas that cut off what is outside, and nothing else, so that a page is a list of
//! PDF's own operators (ISO 32000-1, 8.5 for paths, 9.4 for text). Words are text in the font that drawings bring
//! along, embedded as it is, with glyphs by their number in the font and a table back to letters: they can be searched
//! and copied.

use super::colour::{Ink, Theme};
use super::font::{self, text_width};
use super::svg::fixed;
use super::{Anchor, Area, Drawing, Mark, Pen, Step};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;

/// Points of paper for each unit: 72 and 96 to an inch.
const POINTS: f64 = 0.75;

impl Drawing {
    /// As a PDF file.
    pub fn to_pdf(&self, theme: Theme) -> Vec<u8> {
        let mut page = Page {
            operators: String::new(),
            theme,
            opacities: BTreeSet::new(),
            glyphs: BTreeMap::new(),
        };
        // From units with y down to points with y up.
        let (width, height) = (POINTS * self.width, POINTS * self.height);
        let _ = writeln!(
            page.operators,
            "{POINTS} 0 0 -{POINTS} 0 {} cm 1 j",
            fixed(height)
        );
        let paper = Area {
            x: 0.0,
            y: 0.0,
            width: self.width,
            height: self.height,
        };
        page.fill_colour(Ink::Paper, 1.0);
        page.rectangle(&paper);
        page.operators += "f\n";
        for mark in &self.marks {
            page.mark(mark);
        }
        page.file(&self.title, [width, height])
    }
}

struct Page {
    operators: String,
    theme: Theme,
    /// In hundredths: each is a state of its own in the resources of the page.
    opacities: BTreeSet<u8>,
    /// Those that are used, with the letter that each stands for.
    glyphs: BTreeMap<u16, char>,
}

impl Page {
    fn colour(&self, ink: Ink) -> String {
        let parts = self.theme.colour(ink).map(|byte| f64::from(byte) / 255.0);
        parts.map(|part| format!("{part:.3}")).join(" ")
    }

    fn opacity(&mut self, opacity: f64) {
        let hundredths = (100.0 * opacity.clamp(0.0, 1.0)).round() as u8;
        self.opacities.insert(hundredths);
        let _ = write!(self.operators, "/O{hundredths} gs ");
    }

    fn fill_colour(&mut self, ink: Ink, opacity: f64) {
        self.opacity(opacity);
        let colour = self.colour(ink);
        let _ = write!(self.operators, "{colour} rg ");
    }

    fn rectangle(&mut self, area: &Area) {
        let numbers = [area.x, area.y, area.width, area.height].map(fixed);
        let _ = write!(self.operators, "{} re ", numbers.join(" "));
    }

    fn path(&mut self, steps: &[Step]) {
        let place = |[x, y]: [f64; 2]| format!("{} {}", fixed(x), fixed(y));
        for step in steps {
            let _ = match *step {
                Step::Move(to) => write!(self.operators, "{} m ", place(to)),
                Step::Line(to) => write!(self.operators, "{} l ", place(to)),
                Step::Curve(a, b, to) => {
                    write!(self.operators, "{} {} {} c ", place(a), place(b), place(to))
                }
                Step::Close => write!(self.operators, "h "),
            };
        }
    }

    fn line(&mut self, pen: &Pen, steps: &[Step]) {
        self.opacity(pen.opacity);
        let colour = self.colour(pen.ink);
        let pieces: Vec<String> = (pen.dash.pattern().iter())
            .map(|length| fixed(length * pen.width))
            .collect();
        let _ = write!(
            self.operators,
            "{colour} RG {} w [{}] 0 d ",
            fixed(pen.width),
            pieces.join(" ")
        );
        self.path(steps);
        self.operators += "S\n";
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Path { steps, pen, fill } => {
                if steps.is_empty() {
                    return;
                }
                if let Some((ink, opacity)) = fill {
                    self.fill_colour(*ink, *opacity);
                    self.path(steps);
                    self.operators += "f\n";
                }
                if let Some(pen) = pen {
                    self.line(pen, steps);
                }
            }
            Mark::Text {
                at,
                size,
                anchor,
                upwards,
                ink,
                text,
            } => self.words(*at, *size, *anchor, *upwards, *ink, text),
            Mark::Clipped { area, marks } => {
                self.operators += "q ";
                self.rectangle(area);
                self.operators += "W n\n";
                for mark in marks {
                    self.mark(mark);
                }
                self.operators += "Q\n";
            }
        }
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
        let width = text_width(text, size);
        let back = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        // The page has y down: letters are turned over once more.
        let placed = if upwards {
            format!("0 -1 -1 0 {} {}", fixed(x), fixed(y + back))
        } else {
            format!("1 0 0 -1 {} {}", fixed(x - back), fixed(y))
        };
        let mut letters = String::new();
        for (letter, glyph) in font::glyphs(text) {
            self.glyphs.insert(glyph, letter);
            let _ = write!(letters, "{glyph:04x}");
        }
        self.fill_colour(ink, 1.0);
        let _ = writeln!(
            self.operators,
            "BT /F {} Tf {placed} Tm <{letters}> Tj ET",
            fixed(size)
        );
    }

    /// The file: its objects, a table of where each begins, and which of them is the first.
    fn file(&self, title: &str, [width, height]: [f64; 2]) -> Vec<u8> {
        let states: String = (self.opacities.iter())
            .map(|&hundredths| {
                let opacity = f64::from(hundredths) / 100.0;
                format!("/O{hundredths} << /ca {opacity} /CA {opacity} >> ")
            })
            .collect();
        let font = font::metrics();
        let widths: String = (self.glyphs.keys())
            .map(|&glyph| format!("{glyph} [{:.0}] ", 1000.0 * font::glyph_width(glyph)))
            .collect();
        let [left, low, right, high] = font.bounds.map(|side| format!("{:.0}", 1000.0 * side));
        let objects: [(String, Option<Vec<u8>>); 10] = [
            ("/Type /Catalog /Pages 2 0 R".to_owned(), None),
            ("/Type /Pages /Kids [3 0 R] /Count 1".to_owned(), None),
            (
                format!(
                    "/Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R \
                     /Resources << /Font << /F 5 0 R >> /ExtGState << {states}>> >>",
                    fixed(width),
                    fixed(height)
                ),
                None,
            ),
            (String::new(), Some(self.operators.clone().into_bytes())),
            (
                "/Type /Font /Subtype /Type0 /BaseFont /Inter-Regular /Encoding /Identity-H \
                 /DescendantFonts [6 0 R] /ToUnicode 9 0 R"
                    .to_owned(),
                None,
            ),
            (
                format!(
                    "/Type /Font /Subtype /CIDFontType0 /BaseFont /Inter-Regular /FontDescriptor 7 0 R /DW 600 \
                     /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [{widths}]"
                ),
                None,
            ),
            (
                format!(
                    "/Type /FontDescriptor /FontName /Inter-Regular /Flags 32 /FontBBox [{left} {low} {right} {high}] \
                     /ItalicAngle 0 /Ascent {:.0} /Descent {:.0} /CapHeight {:.0} /StemV 80 /FontFile3 8 0 R",
                    1000.0 * font.ascent,
                    1000.0 * font.descent,
                    1000.0 * font.capitals
                ),
                None,
            ),
            ("/Subtype /OpenType".to_owned(), Some(font::FONT.to_vec())),
            (String::new(), Some(self.letters().into_bytes())),
            (format!("/Title {} /Producer (carom)", words(title)), None),
        ];
        assemble(&objects)
    }

    /// Which letters the glyphs stand for.
    fn letters(&self) -> String {
        let mut map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
             /CMapName /Letters def /CMapType 2 def\n\
             1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            .to_owned();
        let all: Vec<(&u16, &char)> = self.glyphs.iter().collect();
        // Blocks of a hundred at most.
        for block in all.chunks(100) {
            let _ = writeln!(map, "{} beginbfchar", block.len());
            for (glyph, letter) in block {
                let _ = writeln!(map, "<{glyph:04x}> <{}>", utf16(&letter.to_string()));
            }
            map += "endbfchar\n";
        }
        map + "endcmap CMapName currentdict /CMap defineresource pop end end\n"
    }
}

fn utf16(text: &str) -> String {
    text.encode_utf16()
        .map(|unit| format!("{unit:04x}"))
        .collect()
}

/// Any words, as a string of the file.
fn words(text: &str) -> String {
    format!("<feff{}>", utf16(text))
}

/// Objects, numbered from 1, each a dictionary and perhaps a stream; the first is the catalogue, the last what is said
/// of the file.
fn assemble(objects: &[(String, Option<Vec<u8>>)]) -> Vec<u8> {
    let mut file = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut begins = Vec::new();
    for (number, (dictionary, stream)) in (1..).zip(objects) {
        begins.push(file.len());
        file.extend(format!("{number} 0 obj\n<< {dictionary}").into_bytes());
        match stream {
            None => file.extend(b" >>\nendobj\n"),
            Some(stream) => {
                let packed = packed(stream);
                let length = packed.len();
                file.extend(
                    format!(" /Length {length} /Filter /FlateDecode >>\nstream\n").into_bytes(),
                );
                file.extend(packed);
                file.extend(b"\nendstream\nendobj\n");
            }
        }
    }
    let table = file.len();
    let count = objects.len() + 1;
    file.extend(format!("xref\n0 {count}\n0000000000 65535 f \n").into_bytes());
    for begin in begins {
        file.extend(format!("{begin:010} 00000 n \n").into_bytes());
    }
    let last = objects.len();
    file.extend(
        format!(
            "trailer\n<< /Size {count} /Root 1 0 R /Info {last} 0 R >>\nstartxref\n{table}\n%%EOF\n"
        )
        .into_bytes(),
    );
    file
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Into memory, which takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_begins_where_the_table_says() {
        let mark = Mark::text(
            [10.0, 20.0],
            12.0,
            Anchor::Middle,
            Ink::Text,
            "Größe: 5·10⁻³ m",
        );
        let clipped = Mark::Clipped {
            area: Area {
                x: 1.0,
                y: 2.0,
                width: 30.0,
                height: 40.0,
            },
            marks: vec![Mark::fill(
                super::super::circle([5.0, 5.0], 3.0),
                Ink::series(1),
                0.5,
            )],
        };
        let drawing = Drawing {
            width: 100.0,
            height: 50.0,
            title: "a (title) \\ with signs".to_owned(),
            name: "test".to_owned(),
            marks: vec![mark, clipped],
            times: Vec::new(),
        };
        let file = drawing.to_pdf(Theme::Light);
        let text = String::from_utf8_lossy(&file).into_owned();
        assert!(file.starts_with(b"%PDF-1.6\n") && text.ends_with("%%EOF\n"));
        assert!(text.contains("/MediaBox [0 0 75 37.5]"));
        let table: usize = text
            .rsplit_once("startxref\n")
            .unwrap()
            .1
            .lines()
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let rows = String::from_utf8(file[table..].to_vec()).unwrap();
        let begins = rows
            .lines()
            .skip(3)
            .take(10)
            .map(|row| row[..10].parse::<usize>().unwrap());
        for (number, begin) in (1..).zip(begins) {
            let object = format!("{number} 0 obj\n");
            assert!(file[begin..].starts_with(object.as_bytes()), "{object}");
        }
    }
}
