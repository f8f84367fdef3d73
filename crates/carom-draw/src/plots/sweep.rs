//! Any column of a sweep against any other, with error bars over the repetitions.

use crate::canvas::{Ink, Marker, Pen, Point, Step};
use crate::chart::{Axis, Figure, Layer, Panel, Ticks, count};
use crate::error::DrawError;
use carom_data::{SweepPlan, SweepRow, SweepTable, read_sweep, unit_of};
use std::path::{Path, PathBuf};

/// As many series as have colours and markers of their own.
const MOST_SERIES: usize = 7;
const MARKERS: [Marker; 4] = [
    Marker::Disc,
    Marker::Square,
    Marker::Diamond,
    Marker::Triangle,
];

/// A sweep, as far as it has got.
#[derive(Debug)]
pub struct SweepRecording {
    path: PathBuf,
    plan: SweepPlan,
    rows: Vec<SweepRow>,
    means: SweepTable,
}

/// A point of a plot, with its standard errors: NaN where there is none.
#[derive(Clone, Copy)]
struct Place {
    at: Point,
    error: Point,
}

/// A column as it is drawn.
struct Drawn {
    values: Vec<f64>,
    errors: Vec<f64>,
    /// What is written along its axis where it holds texts.
    names: Option<Vec<(f64, String)>>,
}

impl SweepRecording {
    /// Reads a sweep folder.
    pub fn open(path: &Path) -> Result<Self, DrawError> {
        let (plan, rows) = read_sweep(path)?;
        let means = SweepTable::of_points(&plan, &rows);
        Ok(SweepRecording {
            path: path.to_owned(),
            plan,
            rows,
            means,
        })
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.plan.parameters.iter().any(|p| p.name == name)
    }

    /// The parameters.
    pub fn parameters(&self) -> Vec<String> {
        let names = self.plan.parameters.iter().map(|p| p.name.clone());
        names.collect()
    }

    /// What was observed.
    pub fn observed(&self) -> Vec<String> {
        let is_error = |name: &str| {
            let of = name.strip_suffix("_error");
            of.is_some_and(|of| self.means.columns.iter().any(|c| c.name == of))
        };
        let names = self.means.columns.iter().map(|column| &*column.name);
        names
            .filter(|name| !["point", "count", "failed"].contains(name))
            .filter(|name| !is_error(name) && !self.is_parameter(name))
            .map(str::to_owned)
            .collect()
    }

    fn unknown(&self, name: &str) -> DrawError {
        let known = [self.parameters(), self.observed()].concat().join(", ");
        DrawError::Nothing {
            path: self.path.clone(),
            reason: format!("it has no column `{name}`; there are {known}"),
        }
    }

    fn column(&self, name: &str) -> Result<Drawn, DrawError> {
        let none = || vec![f64::NAN; self.means.rows.len()];
        if let Some(values) = self.means.numbers(name) {
            let errors = self.means.numbers(&format!("{name}_error"));
            return Ok(Drawn {
                values,
                errors: errors.unwrap_or_else(none),
                names: None,
            });
        }
        let texts = self.means.texts(name).ok_or_else(|| self.unknown(name))?;
        let mut known: Vec<&String> = Vec::new();
        let mut values = Vec::new();
        for text in &texts {
            let place = known.iter().position(|known| *known == text);
            values.push(place.unwrap_or(known.len()) as f64);
            if place.is_none() {
                known.push(text);
            }
        }
        let names = known.iter().enumerate();
        Ok(Drawn {
            names: Some(
                names
                    .map(|(at, name)| (at as f64, (*name).clone()))
                    .collect(),
            ),
            errors: none(),
            values,
        })
    }

    /// What the points are told apart by: what is asked for, or the one other parameter, if it has few values.
    fn by<'s>(&'s self, x: &str, y: &str, asked: Option<&'s str>) -> Option<&'s str> {
        if asked.is_some() || !self.is_parameter(x) {
            return asked;
        }
        let varies = |parameter: &&carom_data::SweepParameter| {
            parameter.values.len() > 1 && parameter.name != x && parameter.name != y
        };
        let mut others = self.plan.parameters.iter().filter(varies);
        match (others.next(), others.next()) {
            (Some(other), None) => Some(&other.name),
            _ => None,
        }
    }

    /// One column against another; in series by a third, where that is asked for or is the only other parameter.
    pub fn figure(&self, x: &str, y: &str, by: Option<&str>) -> Result<Figure, DrawError> {
        let (across, up) = (self.column(x)?, self.column(y)?);
        let by = self.by(x, y, by);
        let groups = match by {
            Some(by) => self.means.texts(by).ok_or_else(|| self.unknown(by))?,
            None => vec![String::new(); across.values.len()],
        };
        let mut series: Vec<(&String, Vec<Place>)> = Vec::new();
        let mut missing = 0;
        for (row, group) in groups.iter().enumerate() {
            let place = Place {
                at: [across.values[row], up.values[row]],
                error: [across.errors[row], up.errors[row]],
            };
            if !place.at.iter().all(|value| value.is_finite()) {
                missing += 1;
                continue;
            }
            match series.iter_mut().find(|(name, _)| *name == group) {
                Some((_, places)) => places.push(place),
                None => series.push((group, vec![place])),
            }
        }
        let mut notes = self.notes(missing);
        if series.len() > MOST_SERIES {
            notes.push(format!(
                "{MOST_SERIES} of {} values of {} are drawn.",
                series.len(),
                by.unwrap_or_default()
            ));
            series.truncate(MOST_SERIES);
        }
        let lines = self.is_parameter(x) && across.names.is_none();
        let mut layers = Vec::new();
        for (number, (name, places)) in series.iter_mut().enumerate() {
            let name = by.map(|by| format!("{by} = {name}"));
            layers.extend(layers_of(number, name, places, lines));
        }
        let axis = |name: &str, drawn: &Drawn, place: usize| {
            let ends = series.iter().flat_map(|(_, places)| places).flat_map(|p| {
                let error = if p.error[place].is_finite() {
                    p.error[place]
                } else {
                    0.0
                };
                [p.at[place] - error, p.at[place] + error]
            });
            let mut axis = Axis::fitting(&words(name), unit_of(name), ends);
            if let Some(names) = &drawn.names {
                axis.ticks = Ticks::Names(names.clone());
            }
            axis
        };
        Ok(Figure {
            name: "sweep",
            title: format!("{} against {}", words(y), words(x)),
            subtitle: self.plan.title.clone(),
            panels: vec![Panel {
                heading: String::new(),
                x: axis(x, &across, 0),
                y: axis(y, &up, 1),
                height: 360.0,
                same_scale: false,
                message: layers.is_empty().then(|| "No run has both".to_owned()),
                layers,
            }],
            columns: 1,
            notes,
        })
    }

    fn notes(&self, missing: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if self.plan.repeat > 1 {
            notes.push(format!(
                "Means of up to {} runs, with their standard errors.",
                self.plan.repeat
            ));
        }
        let failed = self.rows.iter().filter(|row| !row.error.is_empty()).count();
        if failed > 0 {
            let runs = count(failed as u64, "run", "runs");
            notes.push(format!("{runs} of {} failed.", self.rows.len()));
        }
        if missing > 0 {
            let points = count(missing as u64, "point has", "points have");
            notes.push(format!("{points} no value, and are left out."));
        }
        notes
    }
}

/// As it is read: `lost_in_collisions` is "lost in collisions".
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// Error bars below, a line where neighbours belong together, markers on top.
fn layers_of(number: usize, name: Option<String>, places: &mut [Place], line: bool) -> Vec<Layer> {
    places.sort_by(|a, b| a.at[0].total_cmp(&b.at[0]));
    let ink = Ink::series(number);
    let mut bars = Vec::new();
    for place in places.iter() {
        for axis in 0..2 {
            let error = place.error[axis];
            if error > 0.0 && error.is_finite() {
                let (mut low, mut high) = (place.at, place.at);
                low[axis] -= error;
                high[axis] += error;
                bars.extend([Step::Move(low), Step::Line(high)]);
            }
        }
    }
    let mut layers = Vec::new();
    if !bars.is_empty() {
        layers.push(Layer::path(bars, Some(Pen::new(ink, 1.4)), None));
    }
    let points: Vec<Point> = places.iter().map(|place| place.at).collect();
    if line && points.len() > 1 {
        let pen = Pen {
            opacity: 0.6,
            ..Pen::new(ink, 1.4)
        };
        layers.push(Layer::path(
            crate::canvas::polyline(&points),
            Some(pen),
            None,
        ));
    }
    let dots = Layer::dots(points, ink, MARKERS[number % MARKERS.len()], 3.5);
    layers.push(match name {
        Some(name) => dots.named(name),
        None => dots,
    });
    layers
}
