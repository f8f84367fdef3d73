//! Where everything of a figure goes: nothing covers data, and no word is cut off.

use super::words::{shorten, wrap};
use super::{Axis, Figure, Layer, LayerShape, Panel};
use crate::canvas::{
    Anchor, Area, Drawing, Ink, Mark, Pen, Point, Step, TimeArea, polygon, polyline, text_width,
};
use std::collections::BTreeSet;

const WIDTH: f64 = 820.0;
const MARGIN: f64 = 18.0;
const TITLE: f64 = 19.0;
const SUBTITLE: f64 = 12.5;
const HEADING: f64 = 13.5;
const LABEL: f64 = 12.5;
const TICK: f64 = 11.5;
const NOTE: f64 = 11.0;
/// Between panels.
const GAP: f64 = 26.0;
/// Radius below which a dot has no shape.
const SPECK: f64 = 1.5;
/// The widest a name along the upright axis may be.
const NAME: f64 = 150.0;

impl Figure {
    /// On paper.
    pub fn draw(&self) -> Drawing {
        let columns = self.columns.max(1);
        let mut marks = Vec::new();
        let mut times = Vec::new();
        let inner = WIDTH - 2.0 * MARGIN;
        let mut y = MARGIN;
        for line in wrap(&self.title, TITLE, inner) {
            y += TITLE;
            marks.push(Mark::text(
                [MARGIN, y],
                TITLE,
                Anchor::Start,
                Ink::Text,
                line,
            ));
            y += 0.3 * TITLE;
        }
        for line in wrap(&self.subtitle, SUBTITLE, inner) {
            y += SUBTITLE + 2.0;
            marks.push(Mark::text(
                [MARGIN, y],
                SUBTITLE,
                Anchor::Start,
                Ink::Quiet,
                line,
            ));
            y += 0.25 * SUBTITLE;
        }
        y += 10.0;
        let cell = (inner - (columns - 1) as f64 * GAP) / columns as f64;
        for row in self.panels.chunks(columns) {
            // Areas of data that are above each other, and beside each other, begin at the same place.
            let left = |panels: &[Panel]| panels.iter().map(left_margin).fold(0.0, f64::max);
            let left = if columns == 1 {
                left(&self.panels)
            } else {
                left(row)
            };
            let heads = row.iter().map(|panel| head(panel, cell).1);
            let head_height = heads.fold(0.0, f64::max);
            let mut bottom = y;
            for (place, panel) in row.iter().enumerate() {
                let x = MARGIN + place as f64 * (cell + GAP);
                let area = Area {
                    x: x + left,
                    y: y + head_height,
                    width: cell - left - 8.0,
                    height: panel.height,
                };
                bottom = f64::max(bottom, panel.draw([x, y], area, cell, &mut marks));
                times.extend(panel.time_area(area));
            }
            y = bottom + GAP;
        }
        y -= GAP - 8.0;
        for note in &self.notes {
            for line in wrap(note, NOTE, inner) {
                y += NOTE + 3.0;
                marks.push(Mark::text(
                    [MARGIN, y],
                    NOTE,
                    Anchor::Start,
                    Ink::Quiet,
                    line,
                ));
            }
            y += 3.0;
        }
        Drawing {
            width: WIDTH,
            height: (y + MARGIN).ceil(),
            title: format!("{}. {}", self.title, self.subtitle),
            name: self.name.to_owned(),
            marks,
            times,
        }
    }
}

/// The room for the upright axis: its caption and its ticks.
fn left_margin(panel: &Panel) -> f64 {
    let (ticks, _) = panel.y.written(8);
    let widths = ticks
        .iter()
        .map(|(_, text)| text_width(text, TICK).min(NAME));
    let caption = if panel.y.label.is_empty() {
        0.0
    } else {
        LABEL + 10.0
    };
    caption + widths.fold(10.0, f64::max) + 8.0
}

/// Heading and legend, from the upper left corner of the panel; and how high they are.
fn head(panel: &Panel, width: f64) -> (Vec<Mark>, f64) {
    let (mut marks, mut y) = (Vec::new(), 0.0);
    for line in wrap(&panel.heading, HEADING, width) {
        y += HEADING + 2.0;
        marks.push(Mark::text(
            [0.0, y],
            HEADING,
            Anchor::Start,
            Ink::Text,
            line,
        ));
        y += 4.0;
    }
    let named = panel.layers.iter().filter(|layer| layer.name.is_some());
    let (mut x, mut rows) = (0.0, 0);
    const KEY: f64 = 26.0;
    const ROW: f64 = 19.0;
    for layer in named {
        let name = shorten(
            layer.name.as_deref().unwrap_or_default(),
            LABEL,
            width - KEY - 8.0,
        );
        let wide = KEY + 6.0 + text_width(&name, LABEL) + 18.0;
        if rows == 0 || x + wide - 18.0 > width {
            (x, rows) = (0.0, rows + 1);
        }
        let base = y + f64::from(rows) * ROW - 4.0;
        key(layer, [x, base - 4.0], KEY, &mut marks);
        marks.push(Mark::text(
            [x + KEY + 6.0, base],
            LABEL,
            Anchor::Start,
            Ink::Text,
            name,
        ));
        x += wide;
    }
    y += f64::from(rows) * ROW;
    (marks, y + 8.0)
}

/// A sample of a layer, about a height.
fn key(layer: &Layer, [x, y]: Point, width: f64, marks: &mut Vec<Mark>) {
    match &layer.shape {
        LayerShape::Path { pen, fill, .. } => {
            if let Some((ink, opacity)) = fill {
                let corners = [
                    [x, y - 5.5],
                    [x + width, y - 5.5],
                    [x + width, y + 5.5],
                    [x, y + 5.5],
                ];
                marks.push(Mark::Path {
                    steps: polygon(&corners),
                    pen: *pen,
                    fill: Some((*ink, *opacity)),
                });
            } else if let Some(pen) = pen {
                let opaque = Pen {
                    opacity: 1.0,
                    ..*pen
                };
                marks.push(Mark::line(polyline(&[[x, y], [x + width, y]]), opaque));
            }
        }
        LayerShape::Dots {
            ink,
            marker,
            radius,
            ..
        } => {
            let steps = marker.steps([x + 0.5 * width, y], radius.max(3.0));
            marks.push(Mark::fill(steps, *ink, 1.0));
        }
    }
}

/// Dots too small to have a shape, on a grid as fine as they are: each once, and neighbours as one stroke.
fn specks(places: impl Iterator<Item = Point>, radius: f64) -> Vec<Step> {
    let grid = 2.0 * radius;
    let cells: BTreeSet<(i64, i64)> = places
        .map(|[x, y]| ((y / grid).floor() as i64, (x / grid).floor() as i64))
        .collect();
    let mut steps = Vec::new();
    let mut last: Option<(i64, i64)> = None;
    for (row, column) in cells {
        let end = Step::Line([(column + 1) as f64 * grid, (row as f64 + 0.5) * grid]);
        if last == Some((row, column - 1)) {
            steps.pop();
        } else {
            let begin = [column as f64 * grid, (row as f64 + 0.5) * grid];
            steps.push(Step::Move(begin));
        }
        steps.push(end);
        last = Some((row, column));
    }
    steps
}

fn moved(mark: Mark, [dx, dy]: Point) -> Mark {
    match mark {
        Mark::Path { steps, pen, fill } => Mark::Path {
            steps: map_steps(&steps, |[x, y]| [x + dx, y + dy]),
            pen,
            fill,
        },
        Mark::Text {
            at: [x, y],
            size,
            anchor,
            upwards,
            ink,
            text,
        } => Mark::Text {
            at: [x + dx, y + dy],
            size,
            anchor,
            upwards,
            ink,
            text,
        },
        clipped => clipped,
    }
}

fn map_steps(steps: &[Step], map: impl Fn(Point) -> Point) -> Vec<Step> {
    let mapped = |step: &Step| match *step {
        Step::Move(to) => Step::Move(map(to)),
        Step::Line(to) => Step::Line(map(to)),
        Step::Curve(a, b, to) => Step::Curve(map(a), map(b), map(to)),
        Step::Close => Step::Close,
    };
    steps.iter().map(mapped).collect()
}

/// Makes both axes have the same scale, on an area that may be up to so high.
fn same_scale(x: &mut Axis, y: &mut Axis, area: &mut Area, height: f64) {
    let shape = (y.to - y.from) / (x.to - x.from);
    let wanted = area.width * shape;
    area.height = wanted.clamp(150.0, height.max(150.0));
    if wanted > area.height {
        // Something high is drawn on a narrower area, unless its ticks would not fit.
        let width = area.height / shape;
        area.width = width.max(220.0).min(area.width);
        x.stretched(area.width / width);
    } else {
        y.stretched(area.height / wanted);
    }
}

/// The words below an axis that goes across.
fn across(caption: &str, bottom: f64, area: &Area) -> Mark {
    let middle = area.x + 0.5 * area.width;
    let caption = shorten(caption, LABEL, area.width);
    Mark::text([middle, bottom], LABEL, Anchor::Middle, Ink::Text, caption)
}

/// The words beside an axis that goes up.
fn upwards(caption: &str, corner: Point, area: &Area) -> Mark {
    Mark::Text {
        at: [corner[0] + LABEL, area.y + 0.5 * area.height],
        size: LABEL,
        anchor: Anchor::Middle,
        upwards: true,
        ink: Ink::Text,
        text: shorten(caption, LABEL, area.height + 20.0),
    }
}

impl Panel {
    /// Where times of the run are on paper, if they are along it. Areas of data of one scale are not as they were.
    fn time_area(&self, area: Area) -> Option<TimeArea> {
        let x = &self.x;
        (x.is_time && !self.same_scale).then_some(TimeArea {
            area,
            from: x.from,
            to: x.to,
            log: x.log,
        })
    }

    /// Puts it on paper: from its upper left corner, with the area of data, within a width. Returns where it ends.
    fn draw(&self, corner: Point, mut area: Area, width: f64, marks: &mut Vec<Mark>) -> f64 {
        let (head, _) = head(self, width);
        marks.extend(head.into_iter().map(|mark| moved(mark, corner)));
        let (mut x, mut y) = (self.x.clone(), self.y.clone());
        if self.same_scale {
            same_scale(&mut x, &mut y, &mut area, self.height);
        }
        let place = |[px, py]: Point| {
            [
                area.x + x.share(px) * area.width,
                area.bottom() - y.share(py) * area.height,
            ]
        };
        let most = ((area.width / 85.0) as usize).clamp(3, 10);
        let (x_ticks, x_power) = x.written(most);
        let (y_ticks, y_power) = y.written(((area.height / 38.0) as usize).clamp(3, 8));
        let edge = |steps| Mark::line(steps, Pen::new(Ink::Grid, 1.0));
        for (value, _) in &x_ticks {
            let [px, _] = place([*value, y.from]);
            marks.push(edge(polyline(&[[px, area.y], [px, area.bottom()]])));
        }
        for (value, _) in &y_ticks {
            let [_, py] = place([x.from, *value]);
            marks.push(edge(polyline(&[[area.x, py], [area.right(), py]])));
        }
        let inside = self
            .layers
            .iter()
            .map(|layer| layer.on_paper(place))
            .collect();
        marks.push(Mark::Clipped {
            area,
            marks: inside,
        });
        let frame = [
            [area.x, area.y],
            [area.x, area.bottom()],
            [area.right(), area.bottom()],
        ];
        marks.push(Mark::line(polyline(&frame), Pen::new(Ink::Quiet, 1.0)));
        let mut bottom = area.bottom();
        if !x_ticks.is_empty() {
            bottom += TICK + 6.0;
        }
        for (value, text) in x_ticks {
            let [px, _] = place([value, y.from]);
            marks.push(Mark::text(
                [px, bottom],
                TICK,
                Anchor::Middle,
                Ink::Quiet,
                text,
            ));
        }
        for (value, text) in y_ticks {
            let [_, py] = place([x.from, value]);
            let at = [area.x - 6.0, py + 0.36 * TICK];
            let text = shorten(&text, TICK, NAME);
            marks.push(Mark::text(at, TICK, Anchor::End, Ink::Quiet, text));
        }
        let caption = x.caption(x_power);
        if !caption.is_empty() {
            bottom += LABEL + 5.0;
            marks.push(across(&caption, bottom, &area));
        }
        let caption = y.caption(y_power);
        if !caption.is_empty() {
            marks.push(upwards(&caption, corner, &area));
        }
        if let Some(message) = &self.message {
            self.say(message, &area, marks);
        }
        bottom
    }

    fn say(&self, message: &str, area: &Area, marks: &mut Vec<Mark>) {
        let lines = wrap(message, 14.0, area.width - 40.0);
        let middle = area.x + 0.5 * area.width;
        let mut y = area.y + 0.5 * area.height - 9.0 * (lines.len() as f64 - 1.0) + 5.0;
        for line in lines {
            marks.push(Mark::text(
                [middle, y],
                14.0,
                Anchor::Middle,
                Ink::Text,
                line,
            ));
            y += 18.0;
        }
    }
}

impl Layer {
    fn on_paper(&self, place: impl Fn(Point) -> Point) -> Mark {
        match &self.shape {
            LayerShape::Path { steps, pen, fill } => Mark::Path {
                steps: map_steps(steps, place),
                pen: *pen,
                fill: *fill,
            },
            LayerShape::Dots {
                places,
                ink,
                marker,
                radius,
            } => {
                let finite = places
                    .iter()
                    .filter(|p| p[0].is_finite() && p[1].is_finite());
                if *radius < SPECK {
                    let specks = specks(finite.map(|&at| place(at)), *radius);
                    return Mark::line(specks, Pen::new(*ink, 2.0 * radius));
                }
                let steps = finite.flat_map(|&at| marker.steps(place(at), *radius));
                Mark::fill(steps.collect(), *ink, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specks_are_drawn_once_and_joined() {
        let places = [[0.5, 0.5], [1.5, 0.5], [0.6, 0.4], [9.5, 3.5]];
        let steps = specks(places.into_iter(), 0.5);
        assert_eq!(
            steps,
            [
                Step::Move([0.0, 0.5]),
                Step::Line([2.0, 0.5]),
                Step::Move([9.0, 3.5]),
                Step::Line([10.0, 3.5])
            ]
        );
    }
}
