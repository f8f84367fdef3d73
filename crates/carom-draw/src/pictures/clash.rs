//! One collision: normal, impulse and velocities as arrows.

use super::footage::{Clash, Footage, Shot};
use super::footer::Entry;
use super::palette::Rgb;
use super::sheet::{Sheet, Words};
use super::studio::{Studio, radius};
use crate::canvas::{Anchor, Dash, Ink, Point, Theme, circle, polyline};
use crate::chart::rounded;
use crate::outlines::{Bounds, Place, Thing, dot, scaled, sum};

/// Colours of the arrows: normal, impulse, velocity. They differ in width and in how they are broken as well.
fn inks(theme: Theme) -> [Rgb; 3] {
    [Ink::Text, Ink::series(1), Ink::series(0)].map(|ink| theme.colour(ink))
}

/// Widths, in units of a thin line.
const WIDTHS: [f64; 3] = [0.9, 3.4, 1.7];

fn length(vector: Place) -> f64 {
    dot(vector, vector).sqrt()
}

/// What the arrows mean.
pub(super) fn entries(footage: &Footage, clash: &Clash, theme: Theme) -> Vec<Entry> {
    let [normal, impulse, velocity] = inks(theme);
    let names = clash.pair.map(|id| match footage.bodies.get(id) {
        Some(who) if !who.name.is_empty() => who.name.clone(),
        _ => format!("body {id}"),
    });
    let speeds = |side: usize| {
        format!(
            "{} to {} m/s",
            rounded(length(clash.before[side]), 4),
            rounded(length(clash.after[side]), 4)
        )
    };
    let side = |side: usize, letter: &str| format!("{letter}: {}, {}", names[side], speeds(side));
    vec![
        Entry::Plain(side(0, "a")),
        Entry::Plain(side(1, "b")),
        Entry::Arrow(
            normal,
            WIDTHS[0],
            Dash::Solid,
            "normal, from b to a".to_owned(),
        ),
        Entry::Arrow(
            impulse,
            WIDTHS[1],
            Dash::Solid,
            format!(
                "impulse on a, {} N·s, and on b, its opposite",
                rounded(length(clash.impulse), 4)
            ),
        ),
        Entry::Arrow(
            velocity,
            WIDTHS[2],
            Dash::Short,
            "velocity before".to_owned(),
        ),
        Entry::Arrow(
            velocity,
            WIDTHS[2],
            Dash::Solid,
            "velocity after".to_owned(),
        ),
    ]
}

/// About what the radius of a ball is, of a body with lines: boxes and what else turns, m.
fn half_across(thing: &Thing) -> Option<f64> {
    let mut bounds = Bounds::NOTHING;
    thing.widen(&mut bounds);
    let half = 0.35 * bounds.diagonal();
    half.is_finite().then_some(half)
}

/// The two bodies, from near.
pub(super) fn around(footage: &Footage, clash: &Clash) -> Bounds {
    let largest = footage.survey().bounds.settled().diagonal();
    let radii = clash
        .pair
        .iter()
        .filter_map(|&id| footage.things.get(id))
        .filter(|thing| thing.moves)
        .filter_map(|thing| radius(&thing.form).or_else(|| half_across(thing)));
    let size = match radii.fold(0.0, f64::max) {
        0.0 => 0.1 * largest,
        radius => radius.min(largest),
    };
    let mut bounds = Bounds::NOTHING;
    bounds.add(clash.point, 3.3 * size);
    if footage.dimension() == 2 {
        (bounds.low[2], bounds.high[2]) = (0.0, 0.0);
    }
    bounds
}

pub(super) fn arrows(studio: &Studio<'_>, clash: &Clash, shot: &Shot, sheet: &mut Sheet<'_>) {
    let theme = studio.style.theme;
    let [normal, impulse, velocity] = inks(theme);
    let paper = theme.colour(Ink::Paper);
    let [width, height] = studio.style.size.map(f64::from);
    let thin = (height.min(width) / 280.0).max(1.0);
    let widths = WIDTHS.map(|width| width * thin);
    let footage = studio.footage;
    let dimension = footage.dimension();
    let sides = (0..dimension).map(|i| studio.bounds.high[i] - studio.bounds.low[i]);
    let reach = 0.27 * sides.fold(f64::INFINITY, f64::min);
    let project = |place: Place| studio.projection.project(place);
    let mut darts: Vec<(Point, Point, Rgb, f64, Dash)> = Vec::new();
    let mut arrow = |from: Place, to: Place, colour: Rgb, width: f64, dash: Dash, aside: Point| {
        if let (Some(from), Some(to)) = (project(from), project(to)) {
            let moved = |[x, y]: Point| [x + aside[0], y + aside[1]];
            darts.push((moved(from), moved(to), colour, width, dash));
        }
    };
    let here = [0.0, 0.0];
    let point = clash.point;
    let strength = length(clash.impulse);
    if strength > 0.0 {
        let push = scaled(clash.impulse, 0.75 * reach / strength);
        for side in [1.0, -1.0] {
            let to = sum(point, scaled(push, side));
            arrow(point, to, impulse, widths[1], Dash::Solid, here);
        }
    }
    let tip = sum(point, scaled(clash.normal, 1.12 * reach));
    arrow(point, tip, normal, widths[0], Dash::Solid, here);
    let fastest = [clash.before, clash.after]
        .iter()
        .flatten()
        .map(|&v| length(v))
        .fold(0.0, f64::max);
    let centres = [0, 1].map(|side| centre(footage, clash, shot, side));
    for side in [0, 1] {
        let centre = centres[side];
        if !(fastest > 0.0) {
            continue;
        }
        let [before, after] = [clash.before, clash.after].map(|v| scaled(v[side], reach / fastest));
        let far = 0.5 * widths[1] + 1.5 * widths[2];
        let [one, other] = apart(&project, centre, clash.normal, [before, after], far);
        arrow(
            sum(centre, scaled(before, -1.0)),
            centre,
            velocity,
            widths[2],
            Dash::Short,
            one,
        );
        arrow(
            centre,
            sum(centre, after),
            velocity,
            widths[2],
            Dash::Solid,
            other,
        );
    }
    // Paper around all of them, so that they stand out from what they cross.
    for (from, to, _, width, _) in &darts {
        let line = polyline(&[*from, *to]);
        sheet.line(&line, paper, width + 2.4 * thin, 0.7, Dash::Solid);
    }
    for (from, to, colour, width, dash) in darts {
        sheet.arrow(from, to, colour, width, dash);
    }
    if let Some(at) = project(point) {
        sheet.fill(&circle(at, 1.6 * widths[0]), normal, 1.0);
    }
    letters(studio, clash, reach, centres, sheet);
}

/// Which of the two is *a*, and which *b*.
fn letters(
    studio: &Studio<'_>,
    clash: &Clash,
    reach: f64,
    centres: [Place; 2],
    sheet: &mut Sheet<'_>,
) {
    let (theme, point) = (studio.style.theme, clash.point);
    let height = f64::from(studio.style.size[1]);
    let project = |place: Place| studio.projection.project(place);
    if !studio.style.words || height < 100.0 {
        return;
    }
    let words = Words {
        size: (height / 34.0).clamp(11.0, 60.0),
        anchor: Anchor::Middle,
        colour: theme.colour(Ink::Text),
        halo: Some(theme.colour(Ink::Paper)),
    };
    // Beside the centre, away from the arrows of velocities as far as that goes.
    let away = [-clash.normal[1], clash.normal[0], 0.0];
    for (side, letter) in ["a", "b"].into_iter().enumerate() {
        let into = if side == 0 { 1.0 } else { -1.0 };
        let offset = sum(
            scaled(clash.normal, 0.35 * into * reach),
            scaled(away, 0.35 * reach),
        );
        let from = if centres[side] == point {
            sum(point, scaled(clash.normal, -0.2 * reach))
        } else {
            centres[side]
        };
        if let Some([x, y]) = project(sum(from, offset)) {
            sheet.words([x, y + 0.35 * words.size], words, letter);
        }
    }
}

/// Where a body's velocity is drawn: at its centre, or, of what has none to be seen, where it is touched.
fn centre(footage: &Footage, clash: &Clash, shot: &Shot, side: usize) -> Place {
    let id = clash.pair[side];
    let member = footage.cast.iter().position(|&other| other == id);
    match (member, footage.things.get(id).map(|thing| &thing.form)) {
        (Some(member), Some(form)) if radius(form).is_some() => shot.stances[member].position,
        _ => clash.point,
    }
}

/// How far the arrows of velocities before and after are moved aside, in pixels: where they lie along the normal they
/// would cover it, and where the second leads back along the first, that.
fn apart(
    project: &dyn Fn(Place) -> Option<Point>,
    centre: Place,
    normal: Place,
    [before, after]: [Place; 2],
    far: f64,
) -> [Point; 2] {
    let none = [[0.0; 2]; 2];
    let along = |a: Place, b: Place| match length(a) * length(b) {
        0.0 => 0.0,
        lengths => dot(a, b) / lengths,
    };
    let in_line = [before, after].map(|velocity| along(velocity, normal).abs() > 0.98);
    let (Some(a), Some(b)) = (project(centre), project(sum(centre, normal))) else {
        return none;
    };
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let long = (dx * dx + dy * dy).sqrt();
    if !(long > 0.0) {
        return none;
    }
    let aside = [-dy / long * far, dx / long * far];
    let back = if along(before, after) < -0.9 {
        -1.0
    } else {
        1.0
    };
    let moved = |in_line: bool, side: f64| {
        if in_line {
            [side * aside[0], side * aside[1]]
        } else {
            [0.0; 2]
        }
    };
    [moved(in_line[0], 1.0), moved(in_line[1], back)]
}
