//! Both methods over each other: impulses and forces on the same scene, read from the file that a comparison leaves.

use crate::canvas::{Dash, Ink, Pen};
use crate::chart::{Axis, Figure, Layer, Panel};
use crate::error::DrawError;
use crate::recording::Recording;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file of a comparison in a run folder.
pub const COMPARISON: &str = "compare.json";
const FORMAT: &str = "carom-compare";
const VERSION: u64 = 2;
/// Quantities that are drawn at most.
const MOST: usize = 8;

/// Two methods side by side: what is drawn of the format `carom-compare`, version 2, which has more in it. What version
/// 1 had is in it, so that both are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// `carom-compare`.
    pub format: String,
    /// 2, or 1.
    pub version: u64,
    /// What was run.
    pub title: String,
    /// What the two are called.
    pub methods: [String; 2],
    /// What was measured, over time.
    pub quantities: Vec<Quantity>,
}

/// Something that was measured by both methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// Such as `translational energy`.
    pub name: String,
    /// Such as `J`.
    pub unit: String,
    /// Time (s) and value, for each method.
    pub curves: [Vec<[f64; 2]>; 2],
}

impl Comparison {
    /// Of some quantities.
    pub fn new(title: String, methods: [String; 2], quantities: Vec<Quantity>) -> Self {
        Comparison {
            format: FORMAT.to_owned(),
            version: VERSION,
            title,
            methods,
            quantities,
        }
    }

    /// Whether a run folder has one.
    pub fn is_there(recording: &Recording) -> bool {
        recording.folder.path().join(COMPARISON).is_file()
    }

    /// Reads that of a run folder.
    pub fn read(folder: &Path) -> Result<Self, DrawError> {
        let path = folder.join(COMPARISON);
        let bad = |reason: String| DrawError::File {
            path: path.clone(),
            reason,
        };
        let text = std::fs::read_to_string(&path).map_err(|error| bad(error.to_string()))?;
        let found: Comparison =
            serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if found.format != FORMAT {
            return Err(bad(format!(
                "its format is `{}`, not `{FORMAT}`",
                found.format
            )));
        }
        if found.version > VERSION {
            return Err(bad(format!(
                "it has version {}, but this carom reads up to {VERSION}",
                found.version
            )));
        }
        Ok(found)
    }

    /// Drawn.
    pub fn figure(&self) -> Figure {
        let mut panels: Vec<Panel> = self
            .quantities
            .iter()
            .take(MOST)
            .map(|quantity| self.panel(quantity))
            .collect();
        let last = panels.len().saturating_sub(1);
        for panel in &mut panels[..last] {
            panel.x.label.clear();
            panel.x.unit.clear();
        }
        let mut notes = Vec::new();
        if self.quantities.len() > MOST {
            notes.push(format!(
                "{MOST} of {} quantities are drawn.",
                self.quantities.len()
            ));
        }
        if panels.is_empty() {
            panels.push(Panel {
                heading: String::new(),
                x: Axis::new("time", "s", 0.0, 1.0),
                y: Axis::new("", "", 0.0, 1.0),
                height: 200.0,
                same_scale: false,
                layers: Vec::new(),
                message: Some("The comparison has no quantities".to_owned()),
            });
        }
        Figure {
            name: "compare",
            title: "Both methods".to_owned(),
            subtitle: format!(
                "{}: {} and {}",
                self.title, self.methods[0], self.methods[1]
            ),
            panels,
            columns: 1,
            notes,
        }
    }

    fn panel(&self, quantity: &Quantity) -> Panel {
        let all = || quantity.curves.iter().flatten();
        let end = all().map(|p| p[0]).fold(0.0, f64::max);
        let pens = [
            Pen {
                opacity: 0.8,
                ..Pen::new(Ink::series(0), 3.0)
            },
            Pen {
                dash: Dash::Long,
                ..Pen::new(Ink::series(1), 1.8)
            },
        ];
        let layers = (0..2)
            .map(|i| Layer::line(self.methods[i].clone(), &quantity.curves[i], pens[i]))
            .collect();
        let empty = all().next().is_none();
        Panel {
            heading: String::new(),
            x: Axis::new("time", "s", 0.0, if end > 0.0 { end } else { 1.0 }),
            y: Axis::fitting(&quantity.name, &quantity.unit, all().map(|p| p[1])),
            height: 180.0,
            same_scale: false,
            layers,
            message: empty.then(|| "Nothing was measured".to_owned()),
        }
    }
}

pub fn figure(recording: &Recording) -> Result<Figure, DrawError> {
    Ok(Comparison::read(recording.folder.path())?.figure())
}
