//! The first and the last picture as drawings: for paper, and where scripts do not run.

use super::film::colours;
use crate::canvas::{Dash, Ink, Pen, Step, circle, polyline};
use crate::chart::{Axis, Figure, Layer, Panel, Ticks, rounded};
use crate::outlines::{Bounds, Form, Place};
use crate::plots::{outline, silhouette};
use crate::recording::Recording;
use crate::replay::Film;

/// Balls that are drawn at most in each.
const MOST: usize = 1_500;

/// From where space is looked at: turned about the upright axis, then tilted, rad. The page's script begins with the
/// same.
const AZIMUTH: f64 = 0.6;
const ELEVATION: f64 = 0.4;

/// A place on paper, and how far it is from the eye.
fn projected([x, y, z]: Place) -> ([f64; 2], f64) {
    let (sa, ca) = (libm::sin(AZIMUTH), libm::cos(AZIMUTH));
    let (se, ce) = (libm::sin(ELEVATION), libm::cos(ELEVATION));
    let (across, away) = (ca * x - sa * y, sa * x + ca * y);
    ([across, ce * z + se * away], ce * away - se * z)
}

pub fn figure(recording: &Recording, film: &Film, bounds: &Bounds) -> Figure {
    let last = film.times.len() - 1;
    let pictures: &[usize] = if last == 0 { &[0] } else { &[0, last] };
    let panels = pictures.iter().map(|&picture| match recording.dimension() {
        2 => flat(recording, film, bounds, picture),
        _ => solid(recording, film, bounds, picture),
    });
    let mut notes = Vec::new();
    if film.cast.len() > MOST {
        notes.push(format!("{MOST} of {} bodies are drawn.", film.cast.len()));
    }
    Figure {
        name: "stills",
        title: "The first and the last picture".to_owned(),
        subtitle: recording.caption(),
        panels: panels.collect(),
        columns: 2,
        notes,
    }
}

fn heading(film: &Film, picture: usize) -> String {
    format!("t = {} s", rounded(film.times[picture], 5))
}

fn flat(recording: &Recording, film: &Film, bounds: &Bounds, picture: usize) -> Panel {
    let mut layers = Vec::new();
    for thing in film.things.iter().filter(|thing| !thing.moves) {
        layers.extend(outline(thing, bounds, [0, 1], true));
    }
    let palette = colours(recording, film);
    for (member, &id) in film.cast.iter().enumerate().take(MOST) {
        let stance = film.stance(picture, member);
        if stance.is_nowhere() {
            continue;
        }
        let thing = film.things[id].posed(stance.position, stance.rotation, true);
        if let Form::Ball(radius) = thing.form {
            let ink = Ink::series(palette[member]);
            let place = [thing.position[0], thing.position[1]];
            let pen = Pen::new(ink, 1.0);
            layers.push(Layer::path(
                circle(place, radius),
                Some(pen),
                Some((ink, 0.6)),
            ));
        } else if recording.is_free(id) {
            let ink = Ink::series(palette[member]);
            layers.extend(silhouette(&thing, [0, 1], true, (ink, 1.0), Some(0.6)));
        } else {
            layers.extend(outline(&thing, bounds, [0, 1], true));
        }
    }
    let axis = |i: usize| Axis::new(recording.axes()[i], "m", bounds.low[i], bounds.high[i]);
    Panel {
        heading: heading(film, picture),
        x: axis(0),
        y: axis(1),
        height: 420.0,
        same_scale: true,
        layers,
        message: None,
    }
}

fn solid(recording: &Recording, film: &Film, bounds: &Bounds, picture: usize) -> Panel {
    let mut layers = Vec::new();
    let drawn = |lines: &[Vec<Place>]| -> Vec<Step> {
        lines
            .iter()
            .flat_map(|line| polyline(&line.iter().map(|&p| projected(p).0).collect::<Vec<_>>()))
            .collect()
    };
    for thing in film.things.iter().filter(|thing| !thing.moves) {
        let pen = Pen {
            dash: if thing.sensor {
                Dash::Short
            } else {
                Dash::Solid
            },
            ..Pen::new(Ink::Wall, 0.9)
        };
        layers.push(Layer::path(
            drawn(&thing.world_lines(bounds, false)),
            Some(pen),
            None,
        ));
    }
    let palette = colours(recording, film);
    let mut balls: Vec<(f64, [f64; 2], f64, Ink)> = Vec::new();
    for (member, &id) in film.cast.iter().enumerate().take(MOST) {
        let stance = film.stance(picture, member);
        if stance.is_nowhere() {
            continue;
        }
        let ink = Ink::series(palette[member]);
        if let Form::Ball(radius) = film.things[id].form {
            let (place, depth) = projected(stance.position);
            balls.push((depth, place, radius, ink));
        } else {
            let thing = film.things[id].posed(stance.position, stance.rotation, false);
            let lines = drawn(&thing.world_lines(bounds, false));
            let ink = if recording.is_free(id) {
                ink
            } else {
                Ink::Wall
            };
            layers.push(Layer::path(lines, Some(Pen::new(ink, 1.1)), None));
        }
    }
    balls.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, place, radius, ink) in balls {
        let pen = Pen::new(Ink::Paper, 0.7);
        layers.push(Layer::path(
            circle(place, radius),
            Some(pen),
            Some((ink, 0.9)),
        ));
    }
    let corners: Vec<[f64; 2]> = (0..8)
        .map(|corner| {
            let place = [0, 1, 2].map(|i| {
                if corner >> i & 1 == 0 {
                    bounds.low[i]
                } else {
                    bounds.high[i]
                }
            });
            projected(place).0
        })
        .collect();
    let axis = |i: usize| Axis {
        ticks: Ticks::None,
        ..Axis::fitting("", "", corners.iter().map(|p| p[i]))
    };
    Panel {
        heading: heading(film, picture),
        x: axis(0),
        y: axis(1),
        height: 420.0,
        same_scale: true,
        layers,
        message: None,
    }
}
