//! A drawing: marks on paper, in units of a pixel of a plain screen, y down. Where it goes (SVG, PNG or PDF) is not its
//! business.

mod base64;
mod colour;
mod font;
mod pdf;
mod raster;
mod svg;

pub(crate) use base64::base64;
pub use colour::{Ink, Theme};
pub(crate) use font::outlines;
pub use font::{FAMILY, font_face, text_width};
pub(crate) use raster::path_of;
pub use svg::{Look, TextAs};
pub(crate) use svg::{escape, stylesheet};

/// A place on paper.
pub type Point = [f64; 2];

/// A rectangle on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Of the left edge.
    pub x: f64,
    /// Of the upper edge.
    pub y: f64,
    /// Never negative.
    pub width: f64,
    /// Never negative.
    pub height: f64,
}

impl Area {
    /// Of the right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Of the lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Begins anew there.
    Move(Point),
    /// Straight on.
    Line(Point),
    /// A cubic Bézier curve: two control points and the end.
    Curve(Point, Point, Point),
    /// Back to where it began.
    Close,
}

/// How a line is broken, so that lines differ without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Long pieces.
    Long,
    /// Dots.
    Dots,
    /// Long pieces and dots.
    Mixed,
    /// Short pieces.
    Short,
}

impl Dash {
    /// Lengths of pieces and gaps, in widths of the line.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Dash::Solid => &[],
            Dash::Long => &[5.0, 2.5],
            Dash::Dots => &[1.2, 2.0],
            Dash::Mixed => &[6.0, 2.2, 1.4, 2.2],
            Dash::Short => &[3.0, 2.0],
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub ink: Ink,
    /// Its width.
    pub width: f64,
    /// How it is broken.
    pub dash: Dash,
    /// From 0 (not there) to 1.
    pub opacity: f64,
}

impl Pen {
    /// An unbroken, opaque line.
    pub fn new(ink: Ink, width: f64) -> Self {
        Pen {
            ink,
            width,
            dash: Dash::Solid,
            opacity: 1.0,
        }
    }
}

/// A marker, so that dots differ without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A full circle.
    Disc,
    /// A square.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
}

impl Marker {
    /// The marker of a size about a place.
    pub(crate) fn steps(self, [x, y]: Point, r: f64) -> Vec<Step> {
        match self {
            Marker::Disc => circle([x, y], r),
            Marker::Square => polygon(&[
                [x - 0.88 * r, y - 0.88 * r],
                [x + 0.88 * r, y - 0.88 * r],
                [x + 0.88 * r, y + 0.88 * r],
                [x - 0.88 * r, y + 0.88 * r],
            ]),
            Marker::Triangle => polygon(&[
                [x, y - 1.2 * r],
                [x + 1.1 * r, y + 0.8 * r],
                [x - 1.1 * r, y + 0.8 * r],
            ]),
            Marker::Diamond => polygon(&[
                [x, y - 1.3 * r],
                [x + 1.3 * r, y],
                [x, y + 1.3 * r],
                [x - 1.3 * r, y],
            ]),
        }
    }
}

/// A closed polygon.
pub fn polygon(points: &[Point]) -> Vec<Step> {
    let mut steps = polyline(points);
    steps.push(Step::Close);
    steps
}

/// Straight lines from point to point. Where a number is not finite, the line is broken.
pub fn polyline(points: &[Point]) -> Vec<Step> {
    let mut steps = Vec::with_capacity(points.len());
    let mut down = false;
    for &point in points {
        if !(point[0].is_finite() && point[1].is_finite()) {
            down = false;
            continue;
        }
        steps.push(if down {
            Step::Line(point)
        } else {
            Step::Move(point)
        });
        down = true;
    }
    steps
}

/// A circle, of four Bézier curves: off by less than 3 parts in 10,000 of the radius.
pub fn circle([x, y]: Point, r: f64) -> Vec<Step> {
    const K: f64 = 0.552_284_749_830_793_4;
    let k = K * r;
    vec![
        Step::Move([x + r, y]),
        Step::Curve([x + r, y + k], [x + k, y + r], [x, y + r]),
        Step::Curve([x - k, y + r], [x - r, y + k], [x - r, y]),
        Step::Curve([x - r, y - k], [x - k, y - r], [x, y - r]),
        Step::Curve([x + k, y - r], [x + r, y - k], [x + r, y]),
        Step::Close,
    ]
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Something on paper.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Lines and areas.
    Path {
        /// Where.
        steps: Vec<Step>,
        /// The line along it.
        pen: Option<Pen>,
        /// What it is filled with, and how opaque that is.
        fill: Option<(Ink, f64)>,
    },
    /// Words.
    Text {
        /// The anchor, on the base line.
        at: Point,
        /// Of the letters.
        size: f64,
        /// Which part is there.
        anchor: Anchor,
        /// Whether it reads upwards.
        upwards: bool,
        /// Its colour.
        ink: Ink,
        /// What it says.
        text: String,
    },
    /// Marks of which only what is inside of an area is seen.
    Clipped {
        /// The area.
        area: Area,
        /// The marks.
        marks: Vec<Mark>,
    },
}

impl Mark {
    /// A line.
    pub fn line(steps: Vec<Step>, pen: Pen) -> Self {
        Mark::Path {
            steps,
            pen: Some(pen),
            fill: None,
        }
    }

    /// An area.
    pub fn fill(steps: Vec<Step>, ink: Ink, opacity: f64) -> Self {
        Mark::Path {
            steps,
            pen: None,
            fill: Some((ink, opacity)),
        }
    }

    /// Level words.
    pub fn text(at: Point, size: f64, anchor: Anchor, ink: Ink, text: impl Into<String>) -> Self {
        Mark::Text {
            at,
            size,
            anchor,
            upwards: false,
            ink,
            text: text.into(),
        }
    }
}

/// Marks on paper of a size.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Of the paper.
    pub width: f64,
    /// Of the paper.
    pub height: f64,
    /// A description for screen readers.
    pub title: String,
    /// Its name among others on one page: letters alone.
    pub name: String,
    /// Later ones cover earlier ones.
    pub marks: Vec<Mark>,
    /// Where times of a run are.
    pub times: Vec<TimeArea>,
}

/// An area along which the time of a run goes from left to right: a page can say which time is pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeArea {
    /// On paper.
    pub area: Area,
    /// At the left edge, s.
    pub from: f64,
    /// At the right edge, s.
    pub to: f64,
    /// Whether equal steps are equal factors.
    pub log: bool,
}
