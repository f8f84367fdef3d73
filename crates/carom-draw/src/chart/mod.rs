//! Figures: panels with axes, a legend above each so that it covers nothing, and notes below.

mod axis;
mod layout;
mod words;

pub use axis::{Axis, Ticks};
pub(crate) use words::shorten;
pub use words::{count, rounded};

use crate::canvas::{Ink, Marker, Pen, Point, Step, polyline};

/// Some panels with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name in files: letters alone.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// Of what, and how it was made.
    pub subtitle: String,
    /// In rows.
    pub panels: Vec<Panel>,
    /// How many panels are beside each other.
    pub columns: usize,
    /// What has to be known to read it right: what was left out, say.
    pub notes: Vec<String>,
}

/// Two axes and what is between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows; may be empty.
    pub heading: String,
    /// From left to right.
    pub x: Axis,
    /// From below upwards.
    pub y: Axis,
    /// How high the area of data is; where both axes have one scale, the highest it may be.
    pub height: f64,
    /// Whether a metre is as long along either axis.
    pub same_scale: bool,
    /// Later ones cover earlier ones.
    pub layers: Vec<Layer>,
    /// Said in the middle, in the place of data.
    pub message: Option<String>,
}

/// Something between the axes, in units of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// In the legend; without a name it is not there.
    pub name: Option<String>,
    /// What it is.
    pub shape: LayerShape,
}

/// What a layer is.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerShape {
    /// Lines and areas.
    Path {
        /// Where.
        steps: Vec<Step>,
        /// The line along it.
        pen: Option<Pen>,
        /// What it is filled with, and how opaque that is.
        fill: Option<(Ink, f64)>,
    },
    /// Markers.
    Dots {
        /// Where.
        places: Vec<Point>,
        /// Their colour.
        ink: Ink,
        /// Their shape.
        marker: Marker,
        /// Their radius on paper.
        radius: f64,
    },
}

impl Panel {
    /// Of a height, without a heading or a message.
    pub fn new(x: Axis, y: Axis, height: f64, layers: Vec<Layer>) -> Self {
        Panel {
            heading: String::new(),
            x,
            y,
            height,
            same_scale: false,
            layers,
            message: None,
        }
    }
}

impl Layer {
    /// A line through points; broken where a number is not finite.
    pub fn line(name: impl Into<String>, points: &[Point], pen: Pen) -> Self {
        Layer::path(polyline(points), Some(pen), None).named(name)
    }

    /// A path without a name.
    pub fn path(steps: Vec<Step>, pen: Option<Pen>, fill: Option<(Ink, f64)>) -> Self {
        Layer {
            name: None,
            shape: LayerShape::Path { steps, pen, fill },
        }
    }

    /// What is between two lines over the same places: `[x, low, high]`.
    pub fn band(name: impl Into<String>, points: &[[f64; 3]], ink: Ink, opacity: f64) -> Self {
        let upper = points.iter().map(|p| [p[0], p[2]]);
        let lower = points.iter().rev().map(|p| [p[0], p[1]]);
        let outline: Vec<Point> = upper.chain(lower).collect();
        let mut steps = polyline(&outline);
        if !steps.is_empty() {
            steps.push(Step::Close);
        }
        Layer::path(steps, None, Some((ink, opacity))).named(name)
    }

    /// Markers.
    pub fn dots(places: Vec<Point>, ink: Ink, marker: Marker, radius: f64) -> Self {
        Layer {
            name: None,
            shape: LayerShape::Dots {
                places,
                ink,
                marker,
                radius,
            },
        }
    }

    /// The same under a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        let name = Some(name.into());
        Layer { name, ..self }
    }
}
