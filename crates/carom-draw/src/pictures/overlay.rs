//! What is drawn over a picture on request: velocities and forces as arrows, axes, a scale bar, names, a title.

use super::footage::{Footage, Shot};
use super::footer::{Entry, word_size};
use super::palette::Rgb;
use super::sheet::{Sheet, Words};
use super::studio::{Projection, Studio, Style};
use crate::canvas::{Anchor, Dash, Ink, Point, Step, Theme, polyline, text_width};
use crate::chart::{Axis, rounded, shorten};
use crate::outlines::{Place, dot, scaled, sum};

/// What is drawn over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// The velocity of each free body, as an arrow.
    pub velocities: bool,
    /// The mean force on each free body of late, as an arrow.
    pub forces: bool,
    /// Axes, with numbers in 2-D.
    pub axes: bool,
    /// A scale bar.
    pub scale: bool,
    /// The names of moving bodies.
    pub names: bool,
    /// The title of the scene.
    pub title: bool,
}

/// Arrows at most: more would be a thicket.
const ARROWS: usize = 4_000;
/// Names at most.
const NAMES: usize = 150;
/// The length of the arrow of a fast body, or of the weight of the heaviest, as shares of the shorter side.
const LONG: [f64; 2] = [0.16, 0.08];

fn inks(theme: Theme) -> [Rgb; 2] {
    [Ink::series(0), Ink::series(1)].map(|ink| theme.colour(ink))
}

fn shorter(style: &Style) -> f64 {
    let [width, height] = style.size.map(f64::from);
    width.min(height)
}

/// Pixels for each m/s, and for each N.
fn scales(footage: &Footage, style: &Style) -> [f64; 2] {
    let side = shorter(style);
    let fast = footage.survey().fast;
    let free = footage.cast.iter().map(|&id| &footage.bodies[id]);
    let heaviest = free.filter(|body| body.free).map(|body| body.mass);
    let heaviest = heaviest.filter(|mass| mass.is_finite()).fold(0.0, f64::max);
    let gravity = dot(footage.gravity, footage.gravity).sqrt();
    // Without gravity, what stops a fast body within a tenth of a second.
    let force = heaviest * if gravity > 0.0 { gravity } else { 10.0 * fast };
    let over = |pixels: f64, value: f64| if value > 0.0 { pixels / value } else { 0.0 };
    [over(LONG[0] * side, fast), over(LONG[1] * side, force)]
}

/// What arrows mean, and how long they are.
pub(super) fn entries(footage: &Footage, style: &Style) -> Vec<Entry> {
    let [velocity, force] = scales(footage, style);
    let long = 2.5 * word_size(style.size);
    let inks = inks(style.theme);
    let mut entries = Vec::new();
    if style.show.velocities && velocity > 0.0 {
        let words = format!("velocity, {} m/s", rounded(long / velocity, 2));
        entries.push(Entry::Arrow(inks[0], 1.5, Dash::Solid, words));
    }
    if style.show.forces && force > 0.0 {
        let words = format!("mean force, {} N", rounded(long / force, 2));
        entries.push(Entry::Arrow(inks[1], 1.5, Dash::Solid, words));
    }
    entries
}

/// Of the strip that a title is on, pixels.
pub(super) fn title_height(style: &Style) -> f64 {
    if style.show.title {
        (2.4 * word_size(style.size)).ceil()
    } else {
        0.0
    }
}

/// Draws all that is asked for.
pub(super) fn draw(studio: &Studio<'_>, shot: &Shot, sheet: &mut Sheet<'_>) {
    let show = studio.style.show;
    let [velocity, force] = scales(studio.footage, &studio.style);
    let inks = inks(studio.style.theme);
    if show.forces && !shot.forces.is_empty() {
        arrows(studio, shot, &shot.forces, force, inks[1], sheet);
    }
    if show.velocities {
        arrows(studio, shot, &shot.velocities, velocity, inks[0], sheet);
    }
    if show.names {
        names(studio, shot, sheet);
    }
    if show.axes {
        match studio.projection {
            Projection::Flat(_) => ticks(studio, sheet),
            Projection::Solid(_) => triad(studio, sheet),
        }
    }
    if show.scale {
        scale_bar(studio, sheet);
    }
    if show.title {
        title(studio, sheet);
    }
}

/// Words on whatever is behind them.
fn words(studio: &Studio<'_>, anchor: Anchor) -> Words {
    let theme = studio.style.theme;
    Words {
        size: 0.95 * word_size(studio.style.size),
        anchor,
        colour: theme.colour(Ink::Text),
        halo: Some(theme.colour(Ink::Paper)),
    }
}

/// Pixels for each metre where a place is; `None` behind the eye.
fn scale_at(studio: &Studio<'_>, place: Place) -> Option<f64> {
    match &studio.projection {
        Projection::Flat(flat) => Some(flat.scale),
        Projection::Solid(camera) => {
            let [_, _, depth] = camera.project(place)?;
            Some(camera.focal / depth)
        }
    }
}

fn arrows(
    studio: &Studio<'_>,
    shot: &Shot,
    vectors: &[Place],
    scale: f64,
    colour: Rgb,
    sheet: &mut Sheet<'_>,
) {
    let footage = studio.footage;
    let paper = studio.style.theme.colour(Ink::Paper);
    let width = (shorter(&studio.style) / 280.0).clamp(1.0, 6.0);
    let longest = 0.4 * shorter(&studio.style);
    let free = (0..footage.cast.len()).filter(|&member| footage.bodies[footage.cast[member]].free);
    let mut drawn: Vec<(Point, Point)> = Vec::new();
    for member in free.take(ARROWS) {
        let place = shot.stances[member].position;
        let vector = vectors.get(member).copied().unwrap_or_default();
        let long = (scale * dot(vector, vector).sqrt()).min(longest);
        let Some(pixels) = scale_at(studio, place).filter(|_| long > 1.0) else {
            continue;
        };
        // As long on paper as it is where it does not lead away from the eye.
        let tip = sum(
            place,
            scaled(vector, long / (pixels * dot(vector, vector).sqrt())),
        );
        if let (Some(from), Some(to)) = (
            studio.projection.project(place),
            studio.projection.project(tip),
        ) {
            drawn.push((from, to));
        }
    }
    for (from, to) in &drawn {
        sheet.line(
            &polyline(&[*from, *to]),
            paper,
            2.2 * width,
            0.55,
            Dash::Solid,
        );
    }
    for (from, to) in drawn {
        sheet.arrow(from, to, colour, width, Dash::Solid);
    }
}

fn names(studio: &Studio<'_>, shot: &Shot, sheet: &mut Sheet<'_>) {
    let footage = studio.footage;
    let look = words(studio, Anchor::Middle);
    // Among those that may move are fixtures that only come or go.
    let moves = |id: usize| footage.bodies[id].free || footage.bodies[id].kinematic;
    let members = footage.cast.iter().enumerate();
    for (member, &id) in members.filter(|(_, id)| moves(**id)).take(NAMES) {
        let name = &footage.bodies[id].name;
        let place = shot.stances[member].position;
        let (Some([x, y]), Some(scale)) =
            (studio.projection.project(place), scale_at(studio, place))
        else {
            continue;
        };
        let reach = footage.things[id].reach();
        let above = if reach.is_finite() {
            scale * reach
        } else {
            0.0
        };
        if !name.is_empty() {
            sheet.words([x, y - above - 0.4 * look.size], look, name);
        }
    }
}

/// Numbers along the lower and the left edge.
fn ticks(studio: &Studio<'_>, sheet: &mut Sheet<'_>) {
    let Projection::Flat(flat) = &studio.projection else {
        return;
    };
    let (area, look) = (&studio.area, words(studio, Anchor::Middle));
    let ink = studio.style.theme.colour(Ink::Text);
    let long = 0.5 * look.size;
    let metres = |pixel: f64, axis: usize| match axis {
        0 => (pixel - flat.origin[0]) / flat.scale,
        _ => (flat.origin[1] - pixel) / flat.scale,
    };
    let across = Axis::new("x", "m", metres(area.x, 0), metres(area.right(), 0));
    let upright = Axis::new("y", "m", metres(area.bottom(), 1), metres(area.y, 1));
    let (marks, power) = across.written(((area.width / 110.0) as usize).clamp(2, 12));
    let bottom = area.bottom();
    for (value, text) in &marks {
        let [x, _] = flat.at([*value, 0.0, 0.0]);
        let half = 0.5 * text_width(text, look.size);
        if x - half > area.x + 3.0 * look.size && x + half < area.right() {
            sheet.line(
                &polyline(&[[x, bottom], [x, bottom - long]]),
                ink,
                1.2,
                1.0,
                Dash::Solid,
            );
            sheet.words([x, bottom - 1.6 * long], look, text);
        }
    }
    let caption = across.caption(power);
    let end = Words {
        anchor: Anchor::End,
        ..look
    };
    sheet.words([area.right() - long, bottom - 4.4 * long], end, &caption);
    let (marks, power) = upright.written(((area.height / 80.0) as usize).clamp(2, 10));
    let start = Words {
        anchor: Anchor::Start,
        ..look
    };
    for (value, text) in &marks {
        let [_, y] = flat.at([0.0, *value, 0.0]);
        if y > area.y + 3.0 * look.size && y < bottom - 2.0 * look.size {
            sheet.line(
                &polyline(&[[area.x, y], [area.x + long, y]]),
                ink,
                1.2,
                1.0,
                Dash::Solid,
            );
            sheet.words([area.x + 1.6 * long, y + 0.36 * look.size], start, text);
        }
    }
    let caption = upright.caption(power);
    sheet.words([area.x + long, area.y + 1.3 * look.size], start, &caption);
}

/// The three directions, in the lower left corner.
fn triad(studio: &Studio<'_>, sheet: &mut Sheet<'_>) {
    let Projection::Solid(camera) = &studio.projection else {
        return;
    };
    let (area, look) = (&studio.area, words(studio, Anchor::Middle));
    let long = 0.075 * shorter(&studio.style);
    let from = [area.x + 1.7 * long, area.bottom() - 1.7 * long];
    let theme = studio.style.theme;
    let mut axes: Vec<(f64, Point, &str, Ink)> = ["x", "y", "z"]
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            let mut axis = [0.0; 3];
            axis[i] = 1.0;
            let [x, y, away] = camera.direction(axis);
            let ink = Ink::series([1, 2, 0][i]);
            (away, [x, y], name, ink)
        })
        .collect();
    // Those that lead away first.
    axes.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, [x, y], name, ink) in axes {
        let to = [from[0] + long * x, from[1] + long * y];
        sheet.arrow(
            from,
            to,
            theme.colour(ink),
            (long / 24.0).max(1.2),
            Dash::Solid,
        );
        let out = 1.28 * long;
        let at = [from[0] + out * x, from[1] + out * y + 0.36 * look.size];
        sheet.words(at, look, name);
    }
}

/// The largest round length up to one.
fn round_length(most: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(most)));
    let factors = [5.0, 2.0, 1.0];
    let found = factors.into_iter().find(|factor| factor * power <= most);
    found.unwrap_or(1.0) * power
}

/// A length in a unit that people use for it.
fn length_words(metres: f64) -> String {
    let units = [
        (1e3, "km"),
        (1.0, "m"),
        (1e-2, "cm"),
        (1e-3, "mm"),
        (1e-6, "µm"),
    ];
    let unit = units.into_iter().find(|(size, _)| metres >= 0.999 * size);
    match unit {
        Some((size, name)) if metres < 1e7 => format!("{} {name}", rounded(metres / size, 3)),
        _ => format!("{} m", rounded(metres, 3)),
    }
}

fn scale_bar(studio: &Studio<'_>, sheet: &mut Sheet<'_>) {
    let middle = studio.bounds.middle();
    let Some(scale) = scale_at(studio, middle).filter(|scale| *scale > 0.0) else {
        return;
    };
    let (area, look) = (&studio.area, words(studio, Anchor::Middle));
    let metres = round_length(0.22 * area.width / scale);
    let long = scale * metres;
    let theme = studio.style.theme;
    // Above the numbers of the axes, where there are any.
    let low = if studio.style.show.axes { 4.6 } else { 1.2 };
    let (right, y) = (
        area.right() - 1.5 * look.size,
        area.bottom() - low * look.size,
    );
    let tall = 0.35 * look.size;
    let bar = [
        Step::Move([right - long, y - tall]),
        Step::Line([right - long, y + tall]),
        Step::Move([right - long, y]),
        Step::Line([right, y]),
        Step::Move([right, y - tall]),
        Step::Line([right, y + tall]),
    ];
    let width = (0.11 * look.size).max(1.4);
    sheet.line(
        &bar,
        theme.colour(Ink::Paper),
        3.0 * width,
        0.7,
        Dash::Solid,
    );
    sheet.line(&bar, theme.colour(Ink::Text), width, 1.0, Dash::Solid);
    let text = match studio.projection {
        Projection::Flat(_) => length_words(metres),
        Projection::Solid(_) => format!("{} in the middle", length_words(metres)),
    };
    // Centred over the bar, but not beyond the edge.
    let half = 0.5 * text_width(&text, look.size);
    let x = (right - 0.5 * long).min(area.right() - half - 0.5 * look.size);
    sheet.words([x, y - 0.75 * look.size], look, &text);
}

fn title(studio: &Studio<'_>, sheet: &mut Sheet<'_>) {
    let theme = studio.style.theme;
    let size = word_size(studio.style.size);
    let width = f64::from(studio.style.size[0]);
    let high = studio.area.y;
    let paper = [
        Step::Move([0.0, 0.0]),
        Step::Line([width, 0.0]),
        Step::Line([width, high]),
        Step::Line([0.0, high]),
        Step::Close,
    ];
    sheet.fill(&paper, theme.colour(Ink::Paper), 1.0);
    let look = Words {
        size: 1.35 * size,
        anchor: Anchor::Start,
        colour: theme.colour(Ink::Text),
        halo: None,
    };
    let text = shorten(&studio.footage.title, look.size, width - 1.6 * size);
    sheet.words([0.8 * size, 0.5 * high + 0.36 * look.size], look, &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round_and_have_units() {
        assert_eq!(round_length(0.7), 0.5);
        assert_eq!(round_length(23.0), 20.0);
        // Powers of ten by a library function: rounded.
        assert!((round_length(0.0019) / 0.001 - 1.0).abs() < 1e-12);
        let found = [0.02, 0.005, 2.0, 500.0, 2e3, 5e-8].map(length_words);
        assert_eq!(
            found,
            ["2 cm", "5 mm", "2 m", "500 m", "2 km", "5.00·10⁻⁸ m"]
        );
    }
}
