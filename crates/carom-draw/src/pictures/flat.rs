//! The plane.

use super::dress::{Dress, contrast, in_theme};
use super::footage::{Footage, Shot};
use super::hatch::hatch;
use super::joints;
use super::palette::{Rgb, mix};
use super::sheet::{Sheet, Words};
use super::studio::{Flat, Studio, dash, radius};
use super::table::Table;
use crate::canvas::{Anchor, Dash, Ink, Point, Step, circle, polygon, polyline, text_width};
use crate::outlines::{Form, Place, TURN, Thing, dot, scaled, sum};
use carom::world::Shear;
use carom_scene::AnyWorld;

/// Pixels of lines of fixtures in a picture of 720 pixels' height.
const LINE: f64 = 2.2;

pub(super) fn paint(studio: &Studio<'_>, view: &Flat, shot: &Shot, sheet: &mut Sheet<'_>) {
    let outlines = Outlines::new(studio, view);
    let footage = studio.footage;
    let table = Table::of(footage);
    if let Some(table) = &table {
        table.draw(studio, view, sheet);
    }
    for thing in footage.things.iter().filter(|thing| !thing.moves) {
        if !table.is_some_and(|table| table.has(thing, &footage.dresses[thing.id])) {
            outlines.draw(thing, outlines.dressed(thing.id), sheet);
            label_fixture(studio, view, thing, sheet);
        }
    }
    outlines.periodic_box(sheet);
    trails(studio, view, shot, sheet);
    for (member, (&id, stance)) in footage.cast.iter().zip(&shot.stances).enumerate() {
        let thing = &footage.things[id];
        if radius(&thing.form).is_none() && !stance.is_nowhere() {
            let posed = thing.posed(stance.position, stance.rotation, true);
            if footage.bodies[id].free {
                let colour = studio.palette.colour(member, shot.speeds[member]);
                outlines.draw(&posed, Some(colour), sheet);
                label(studio, view, &posed, id, colour, sheet);
            } else {
                outlines.draw_fixture(&posed, sheet);
                label_fixture(studio, view, &posed, sheet);
            }
        }
    }
    joints::draw(studio, shot, sheet);
    for (member, &id) in footage.cast.iter().enumerate() {
        let Some(radius) = radius(&footage.things[id].form) else {
            continue;
        };
        let stance = &shot.stances[member];
        if stance.is_nowhere() {
            continue;
        }
        if !footage.bodies[id].free {
            let thing = &footage.things[id];
            let posed = thing.posed(stance.position, stance.rotation, true);
            outlines.draw_fixture(&posed, sheet);
            label_fixture(studio, view, &posed, sheet);
            continue;
        }
        let colour = studio.palette.colour(member, shot.speeds[member]);
        for place in footage.images(stance.position, radius, shot.time) {
            let look = Look {
                angle: stance.rotation[0],
                colour,
                dress: &footage.dresses[id],
            };
            ball(studio, view, place, radius, &look, sheet);
        }
    }
    for flash in &shot.flashes {
        let size = if flash.size.is_finite() {
            flash.size
        } else {
            0.0
        };
        let at = view.at(flash.place);
        let reach = (view.scale * size).max(3.0) * (0.35 + 0.9 * flash.age);
        let left = 1.0 - flash.age;
        let colour = flash_colour(studio);
        sheet.fill(&circle(at, reach), colour, 0.55 * left);
        sheet.line(
            &circle(at, reach),
            colour,
            1.0 + 0.1 * reach,
            0.9 * left,
            Dash::Solid,
        );
    }
}

/// What collisions flash in: told from all other colours by lightness.
pub(super) fn flash_colour(studio: &Studio<'_>) -> Rgb {
    use crate::canvas::Theme;
    match studio.style.theme {
        Theme::Light => [0xF0, 0xB4, 0x00],
        Theme::Dark => [0xFF, 0xF0, 0xA0],
        Theme::Print => [0x00, 0x00, 0x00],
    }
}

/// The place, and, where a ball reaches over the edge of a periodic box, those on its other sides; of a sheared box
/// at a time.
pub(super) fn images(
    place: Place,
    radius: f64,
    periods: [f64; 3],
    shear: Option<(Shear, f64)>,
) -> Vec<Place> {
    let mut places = vec![place];
    // Along the flow of a sheared box last: where an image is along it depends on the others.
    let last = shear.map_or(2, |(shear, _)| shear.flow);
    for i in [1, 2, 3].map(|step| (last + step) % 3) {
        let period = periods[i];
        if !(period > 0.0) {
            continue;
        }
        for known in 0..places.len() {
            let mut other = places[known];
            let shift = match other[i] {
                at if at - radius < 0.0 => period,
                at if at + radius > period => -period,
                _ => continue,
            };
            other[i] += shift;
            if let Some((shear, time)) = shear.filter(|(shear, _)| shear.gradient == i) {
                let ahead = shear.offset + shear.rate * period * time;
                let along = other[shear.flow] + ahead * shift.signum();
                other[shear.flow] = along.rem_euclid(periods[shear.flow]);
            }
            places.push(other);
        }
    }
    places
}

impl Footage {
    /// Where a ball is seen at a time, and across the edges of the periodic box.
    pub(super) fn images(&self, place: Place, radius: f64, time: f64) -> Vec<Place> {
        let shear = self.shear.map(|shear| (shear, time));
        images(place, radius, self.periods, shear)
    }
}

/// How the periodic box of a world is sheared.
pub(super) fn shear_of(world: &AnyWorld) -> Option<Shear> {
    match world {
        AnyWorld::Two(world) => world.shear(),
        AnyWorld::Three(world) => world.shear(),
    }
}

/// How a ball looks.
struct Look<'d> {
    /// rad.
    angle: f64,
    colour: Rgb,
    dress: &'d Dress,
}

fn ball(
    studio: &Studio<'_>,
    view: &Flat,
    place: Place,
    radius: f64,
    look: &Look<'_>,
    sheet: &mut Sheet<'_>,
) {
    let Look {
        angle,
        colour,
        dress,
    } = *look;
    let at = view.at(place);
    // A few that would be specks are seen all the same.
    let least = if studio.footage.cast.len() <= 100 {
        2.4
    } else {
        0.8
    };
    let r = (view.scale * radius).max(least);
    let [width, height] = studio.style.size.map(f64::from);
    if at[0] + r < 0.0 || at[1] + r < 0.0 || at[0] - r > width || at[1] - r > height {
        return;
    }
    if r < 2.5 {
        sheet.fill(&circle(at, r), colour, 1.0);
        return;
    }
    let rim = (0.09 * r).clamp(0.7, 4.0);
    sheet.fill(&circle(at, r), mix(colour, [0; 3], 0.38), 1.0);
    if dress.stripe {
        let white = mix(colour, [255; 3], 0.93);
        sheet.fill(&circle(at, r - rim), white, 1.0);
        sheet.fill(&band(at, r - rim, angle), colour, 1.0);
    } else {
        sheet.fill(&circle(at, r - rim), colour, 1.0);
    }
    if let Some(text) = &dress.label {
        numbered(at, r, text, sheet);
    } else if studio.marks && r >= 3.0 {
        let light = mix(colour, [255; 3], 0.55);
        sheet.fill(&half_disc(at, r - rim, angle), light, 1.0);
    }
    if r > 7.0 {
        // Where the light falls on it, as on the balls of space: fainter towards its edge, in steps that are not seen
        // on large balls either.
        let steps = (0.25 * r).clamp(6.0, 24.0) as u32;
        for step in 1..=steps {
            let wide = 0.42 * r * f64::from(step) / f64::from(steps);
            let spot = circle([at[0] - 0.36 * r, at[1] - 0.4 * r], wide);
            sheet.fill(&spot, [255; 3], 0.33 / f64::from(steps));
        }
    }
}

/// What is written on a ball, on white.
fn numbered([x, y]: Point, r: f64, text: &str, sheet: &mut Sheet<'_>) {
    sheet.fill(&circle([x, y], 0.52 * r), [0xFA, 0xF8, 0xF2], 1.0);
    if r < 5.0 {
        return;
    }
    // As large as fits.
    let wide = text_width(text, 1.0);
    let size = (0.86 * r / wide.max(0.9)).min(0.78 * r);
    let words = Words {
        size,
        anchor: Anchor::Middle,
        colour: [0x1A; 3],
        halo: None,
    };
    sheet.words([x, y + 0.36 * size], words, text);
}

/// What is written on a fixture that has an inside.
fn label_fixture(studio: &Studio<'_>, view: &Flat, thing: &Thing, sheet: &mut Sheet<'_>) {
    let dress = &studio.footage.dresses[thing.id];
    match (&thing.form, &dress.label) {
        (Form::Ball(radius), Some(text)) if !thing.sensor => {
            numbered(view.at(thing.position), view.scale * radius, text, sheet);
        }
        (Form::Lines { solid: true, .. }, Some(_)) if !thing.sensor => {
            let theme = studio.style.theme;
            let colour = dress.colour.map(|colour| in_theme(colour, theme));
            // What has no colour of its own is a little darker than the paper.
            let colour = colour.unwrap_or_else(|| theme.colour(Ink::Paper));
            label(studio, view, thing, thing.id, colour, sheet);
        }
        _ => {}
    }
}

/// What is written on a body that is no ball.
fn label(
    studio: &Studio<'_>,
    view: &Flat,
    thing: &Thing,
    id: usize,
    colour: Rgb,
    sheet: &mut Sheet<'_>,
) {
    let Some(text) = &studio.footage.dresses[id].label else {
        return;
    };
    let room = view.scale * thing.reach();
    let size = (1.1 * room / text_width(text, 1.0).max(0.5)).min(0.8 * room);
    if size >= 6.0 && size.is_finite() {
        let [x, y] = view.at(thing.position);
        let words = Words {
            size,
            anchor: Anchor::Middle,
            colour: contrast(colour),
            halo: None,
        };
        sheet.words([x, y + 0.36 * size], words, text);
    }
}

/// The part of a disc within half a radius of a diameter at an angle (rad, counterclockwise; y is down here).
fn band([x, y]: Point, r: f64, angle: f64) -> Vec<Step> {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let at = |polar: f64| {
        let (u, v) = (r * libm::cos(polar), r * libm::sin(polar));
        [x + u * cos - v * sin, y - u * sin - v * cos]
    };
    // From 33 degrees below to 33 above, on either side.
    let half = 0.58;
    let arc =
        |from: f64| (0..=12).map(move |step| from - half + 2.0 * half * f64::from(step) / 12.0);
    let right: Vec<Point> = arc(0.0).map(at).collect();
    let left: Vec<Point> = arc(std::f64::consts::PI).map(at).collect();
    polygon(&[right, left].concat())
}

/// Half of a disc, on one side of a diameter at an angle (rad, counterclockwise; y is down here).
fn half_disc([x, y]: Point, r: f64, angle: f64) -> Vec<Step> {
    const K: f64 = 0.552_284_749_830_793_4;
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let at = |u: f64, v: f64| [x + r * (u * cos - v * sin), y - r * (u * sin + v * cos)];
    vec![
        Step::Move(at(1.0, 0.0)),
        Step::Curve(at(1.0, K), at(K, 1.0), at(0.0, 1.0)),
        Step::Curve(at(-K, 1.0), at(-1.0, K), at(-1.0, 0.0)),
        Step::Close,
    ]
}

fn trails(studio: &Studio<'_>, view: &Flat, shot: &Shot, sheet: &mut Sheet<'_>) {
    if shot.ways.is_empty() {
        return;
    }
    // Older parts are fainter, in a few steps: each is one line.
    const SHADES: usize = 14;
    let footage = studio.footage;
    for (member, mut way) in shot.ways.by_member().into_iter().enumerate() {
        let Some(radius) = radius(&footage.things[footage.cast[member]].form) else {
            continue;
        };
        if shot.stances[member].is_nowhere() {
            continue;
        }
        way.retain(|(place, _)| !place[0].is_nan());
        way.push((shot.stances[member].position, 0.0));
        let colour = studio.palette.colour(member, shot.speeds[member]);
        let width = (0.55 * view.scale * radius).clamp(1.0, 6.0);
        let shade = |age: f64| ((age * SHADES as f64) as usize).min(SHADES - 1);
        for number in (0..SHADES).rev() {
            let mut steps = Vec::new();
            for pair in way.windows(2) {
                let [(from, _), (to, age)] = [pair[0], pair[1]];
                if shade(age) != number || leaps(from, to, footage.periods) {
                    continue;
                }
                steps.extend([Step::Move(view.at(from)), Step::Line(view.at(to))]);
            }
            let opacity = 0.6 * (1.0 - (number as f64 + 0.3) / SHADES as f64);
            sheet.line(&joined(&steps), colour, width, opacity, Dash::Solid);
        }
    }
}

/// Lines that begin where the last one ended go on as one, so that joints are not drawn twice.
fn joined(steps: &[Step]) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        match (step, all.last()) {
            (Step::Move(to), Some(Step::Line(at))) if to == at => (),
            (step, _) => all.push(*step),
        }
    }
    all
}

/// Whether a step is one through the edge of a periodic box.
pub(super) fn leaps(from: Place, to: Place, periods: [f64; 3]) -> bool {
    (0..3).any(|i| periods[i] > 0.0 && (to[i] - from[i]).abs() > 0.5 * periods[i])
}

struct Outlines<'s> {
    studio: &'s Studio<'s>,
    view: &'s Flat,
    line: f64,
    edge: Rgb,
    inside: Rgb,
}

impl<'s> Outlines<'s> {
    fn new(studio: &'s Studio<'s>, view: &'s Flat) -> Self {
        let theme = studio.style.theme;
        let (wall, paper) = (theme.colour(Ink::Wall), theme.colour(Ink::Paper));
        Outlines {
            studio,
            view,
            line: (LINE * f64::from(studio.style.size[1]) / 720.0).max(1.0),
            edge: wall,
            inside: mix(paper, wall, 0.35),
        }
    }

    /// The colour of something that does not move, where it has one of its own.
    fn dressed(&self, id: usize) -> Option<Rgb> {
        let colour = self.studio.footage.dresses[id].colour?;
        Some(in_theme(colour, self.studio.style.theme))
    }

    /// Something that is not free: it moves by prescription, or only comes or goes.
    fn draw_fixture(&self, thing: &Thing, sheet: &mut Sheet<'_>) {
        if self.studio.footage.bodies[thing.id].kinematic {
            self.draw_moving(thing, sheet);
        } else {
            self.draw(thing, self.dressed(thing.id), sheet);
        }
    }

    /// Something that moves by prescription: of another colour than what stands still, and with stripes that move with
    /// it.
    fn draw_moving(&self, thing: &Thing, sheet: &mut Sheet<'_>) {
        let theme = self.studio.style.theme;
        let paper = theme.colour(Ink::Paper);
        let own = self.dressed(thing.id);
        let accent =
            own.unwrap_or_else(|| mix(theme.colour(Ink::Wall), theme.colour(Ink::series(0)), 0.55));
        let inside = if own.is_some() {
            accent
        } else {
            mix(paper, accent, 0.45)
        };
        self.draw_in(thing, inside, mix(accent, [0; 3], 0.2), sheet);
        if thing.sensor {
            return;
        }
        let apart = 9.0 * self.line / self.view.scale;
        let stripe = mix(inside, accent, 0.65);
        let stripe = if own.is_some() {
            mix(inside, [0; 3], 0.22)
        } else {
            stripe
        };
        let mut steps = Vec::new();
        for corners in self.local_outlines(thing) {
            for [from, to] in hatch(&corners, 0.9, apart) {
                let ends = [from, to].map(|[x, y]| self.view.at(thing.to_world([x, y, 0.0])));
                steps.extend([Step::Move(ends[0]), Step::Line(ends[1])]);
            }
        }
        sheet.line(&steps, stripe, 1.1 * self.line, 1.0, Dash::Solid);
        self.draw_edge(thing, mix(accent, [0; 3], 0.2), sheet);
    }

    /// Closed outlines in the frame of a body; of a wall without end, a strip behind its edge as long as is seen.
    fn local_outlines(&self, thing: &Thing) -> Vec<Vec<Point>> {
        match &thing.form {
            Form::Ball(radius) => {
                let round = (0..48).map(|step| TURN * f64::from(step) / 48.0);
                let place = |angle: f64| [radius * libm::cos(angle), radius * libm::sin(angle)];
                vec![round.map(place).collect()]
            }
            Form::Lines {
                lines, solid: true, ..
            } => {
                let flat = |line: &Vec<Place>| line.iter().map(|p| [p[0], p[1]]).collect();
                lines.iter().map(flat).collect()
            }
            Form::Wall([x, y, _]) => {
                let bounds = &self.studio.bounds;
                let from = sum(bounds.middle(), scaled(thing.position, -1.0));
                let middle = [dot(from, thing.axes[0]), dot(from, thing.axes[1])];
                let along = middle[1] * x - middle[0] * y;
                let far = bounds.diagonal();
                let at = |along: f64, deep: f64| [-y * along - x * deep, x * along - y * deep];
                let [low, high] = [along - far, along + far];
                vec![vec![
                    at(low, 0.0),
                    at(high, 0.0),
                    at(high, far),
                    at(low, far),
                ]]
            }
            _ => Vec::new(),
        }
    }

    /// Something that is no free ball; free bodies have colours of their own.
    fn draw(&self, thing: &Thing, own: Option<Rgb>, sheet: &mut Sheet<'_>) {
        let (inside, edge) = match own {
            Some(colour) => (colour, mix(colour, [0; 3], 0.38)),
            None => (self.inside, self.edge),
        };
        self.draw_in(thing, inside, edge, sheet);
    }

    /// The line around something once more, over what was drawn inside.
    fn draw_edge(&self, thing: &Thing, edge: Rgb, sheet: &mut Sheet<'_>) {
        for line in thing.world_lines(&self.studio.bounds, true) {
            let places: Vec<Point> = line.iter().map(|&p| self.view.at(p)).collect();
            sheet.line(&polyline(&places), edge, self.line, 1.0, Dash::Solid);
        }
    }

    fn draw_in(&self, thing: &Thing, inside: Rgb, edge: Rgb, sheet: &mut Sheet<'_>) {
        let bounds = &self.studio.bounds;
        let filled = |solid: bool| solid && !thing.sensor;
        let at = self.view.at(thing.position);
        let dash = dash(thing.sensor);
        match &thing.form {
            Form::Ball(radius) | Form::Hollow(radius) => {
                let steps = circle(at, self.view.scale * radius);
                if filled(matches!(thing.form, Form::Ball(_))) {
                    sheet.fill(&steps, inside, 1.0);
                }
                sheet.line(&steps, edge, self.line, 1.0, dash);
            }
            Form::Wall(_) => {
                let lines = thing.world_lines(bounds, true);
                let normal = thing.wall_normal().unwrap_or_default();
                for line in lines {
                    let ends: Vec<Point> = line.iter().map(|&p| self.view.at(p)).collect();
                    let [a, b] = ends[..] else { continue };
                    let far = 4.0 * self.view.scale * bounds.diagonal();
                    let behind = |[x, y]: Point| [x - far * normal[0], y + far * normal[1]];
                    if filled(!thing.bare) {
                        sheet.fill(&polygon(&[a, b, behind(b), behind(a)]), inside, 1.0);
                    }
                    sheet.line(&polyline(&[a, b]), edge, self.line, 1.0, dash);
                }
            }
            Form::Lines { solid, .. } => {
                for line in thing.world_lines(bounds, true) {
                    let places: Vec<Point> = line.iter().map(|&p| self.view.at(p)).collect();
                    if filled(*solid) {
                        sheet.fill(&polygon(&places), inside, 1.0);
                    }
                    let mut steps = polyline(&places);
                    if places.len() > 2 && places.first() == places.last() {
                        steps.pop();
                        steps.push(Step::Close);
                    }
                    sheet.line(&steps, edge, self.line, 1.0, dash);
                }
            }
            Form::Tube(..) => (),
        }
    }

    /// The edge of a periodic box is no wall.
    fn periodic_box(&self, sheet: &mut Sheet<'_>) {
        let [x, y, _] = self.studio.footage.periods;
        if x > 0.0 && y > 0.0 {
            let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
            let corners = corners.map(|[x, y]| self.view.at([x, y, 0.0]));
            sheet.line(
                &polygon(&corners),
                self.edge,
                0.7 * self.line,
                1.0,
                Dash::Short,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_over_an_edge_are_seen_on_both_sides() {
        let periods = [10.0, 10.0, 0.0];
        assert_eq!(images([5.0, 5.0, 0.0], 1.0, periods, None).len(), 1);
        let over = images([0.5, 5.0, 0.0], 1.0, periods, None);
        assert_eq!(over, [[0.5, 5.0, 0.0], [10.5, 5.0, 0.0]]);
        assert_eq!(images([0.5, 9.5, 0.0], 1.0, periods, None).len(), 4);
        // After 3 s the image above is 0.5 · 10 · 3 m ahead: the one below is as far behind.
        let sheared = Some((Shear::new(0.5), 3.0));
        let over = images([2.0, 9.5, 0.0], 1.0, periods, sheared);
        assert_eq!(over, [[2.0, 9.5, 0.0], [7.0, -0.5, 0.0]]);
        // One that reaches over a corner there, too, but elsewhere along the flow.
        assert_eq!(images([5.5, 9.5, 0.0], 1.0, periods, sheared).len(), 3);
        assert!(leaps([9.9, 5.0, 0.0], [0.1, 5.0, 0.0], periods));
        assert!(!leaps([9.9, 5.0, 0.0], [9.0, 5.0, 0.0], periods));
    }
}
