//! What is seen of an instant, in the camera's frame: balls, triangles, and what is laid over them. Longer than most: a
//! part for each kind of thing that is seen.

use super::ambient::{self, Cover};
use super::camera::Camera;
use super::coat::Coat;
use super::shadow::Shadow;
use crate::canvas::{Ink, Theme};
use crate::mesh::{Face, clipped, side};
use crate::outlines::{Form, Place, Thing, across, dot, round, scaled, sum, unit};
use crate::pictures::dress::{contrast, in_theme, pips};
use crate::pictures::flat::{flash_colour, leaps};
use crate::pictures::footage::Shot;
use crate::pictures::palette::{Rgb, mix};
use crate::pictures::studio::{Studio, radius};
use crate::pictures::table::{rim, within_rim};
use std::sync::Arc;

/// A colour as numbers from 0 to 255.
pub(super) type Tone = [f32; 3];

/// A ball, or the inside of one.
pub(super) struct Ball {
    pub centre: Place,
    pub radius: f64,
    pub tone: Tone,
    /// The axes of its own frame, where its turning is to be seen.
    pub axes: Option<[Place; 3]>,
    /// What is painted on it.
    pub coat: Option<Arc<Coat>>,
    /// Whether its far side is seen, from within.
    pub hollow: bool,
}

/// A triangle.
pub(super) struct Triangle {
    pub corners: [Place; 3],
    pub normals: [Place; 3],
    pub tone: Tone,
    /// Whether it is a wall, in even light.
    pub wall: bool,
}

/// A triangle that is laid over what is behind it.
pub(super) struct Veil {
    /// Pixels.
    pub corners: [[f64; 2]; 3],
    /// 1 / z of each, 1/m.
    pub nearness: [f64; 3],
    pub tone: Tone,
    pub opacity: f32,
}

/// Everything.
pub(super) struct Model {
    pub balls: Vec<Ball>,
    pub triangles: Vec<Triangle>,
    pub veils: Vec<Veil>,
    /// Towards the light, of length one.
    pub light: Place,
    pub zenith: Place,
    pub shadow: Option<Shadow>,
    /// What keeps light from each of the balls.
    pub covers: Vec<Cover>,
    pub paper: Tone,
}

fn tone(colour: Rgb) -> Tone {
    colour.map(f32::from)
}

/// A half space that is empty: where it begins, and the direction into it.
type Opening = (Place, Place);

struct Builder<'s> {
    studio: &'s Studio<'s>,
    camera: &'s Camera,
    model: Model,
    /// Pixels of thin lines.
    line: f64,
}

impl Model {
    pub fn new(studio: &Studio<'_>, camera: &Camera, shot: &Shot) -> Self {
        let theme = studio.style.theme;
        let up = match dot(studio.footage.gravity, studio.footage.gravity) {
            0.0 => [0.0, 0.0, 1.0],
            _ => unit(scaled(studio.footage.gravity, -1.0)),
        };
        let zenith = camera.direction(up);
        // Over the left shoulder of whoever looks.
        let light = unit(sum(scaled(zenith, 1.1), [-0.45, 0.0, -0.65]));
        let mut builder = Builder {
            studio,
            camera,
            line: (f64::from(studio.style.size[1]) / 600.0).max(0.8),
            model: Model {
                balls: Vec::with_capacity(shot.stances.len()),
                triangles: Vec::new(),
                veils: Vec::new(),
                light,
                zenith,
                shadow: None,
                covers: Vec::new(),
                paper: tone(theme.colour(Ink::Paper)),
            },
        };
        builder.balls(shot);
        builder.outlines(shot);
        let mut model = builder.model;
        model.covers = ambient::covers(&model.balls);
        model.veils.sort_by(|a, b| {
            let nearness = |veil: &Veil| veil.nearness.iter().sum::<f64>();
            nearness(a).total_cmp(&nearness(b))
        });
        model
    }
}

impl Builder<'_> {
    fn balls(&mut self, shot: &Shot) {
        let footage = self.studio.footage;
        for (member, &id) in footage.cast.iter().enumerate() {
            let thing = &footage.things[id];
            let Some(radius) = radius(&thing.form) else {
                continue;
            };
            let stance = &shot.stances[member];
            if stance.is_nowhere() {
                continue;
            }
            let colour = if footage.bodies[id].free {
                self.studio.palette.colour(member, shot.speeds[member])
            } else {
                self.fixture_colour(id)
            };
            let coat = self.studio.coats.get(&id).cloned();
            let axes = (self.studio.marks || coat.is_some()).then(|| {
                let posed = thing.posed(stance.position, stance.rotation, false);
                posed.axes.map(|axis| self.camera.direction(axis))
            });
            for place in footage.images(stance.position, radius, shot.time) {
                let centre = self.camera.place(place);
                if centre[2] - radius > self.camera.near() {
                    self.model.balls.push(Ball {
                        centre,
                        radius,
                        tone: tone(colour),
                        axes,
                        coat: coat.clone(),
                        hollow: false,
                    });
                }
            }
        }
        self.trails(shot);
        self.flashes(shot);
    }

    /// Of a ball that is not free.
    fn fixture_colour(&self, id: usize) -> Rgb {
        let theme = self.studio.style.theme;
        let plain = mix(theme.colour(Ink::Paper), theme.colour(Ink::Wall), 0.72);
        let blue = if self.studio.footage.bodies[id].kinematic {
            0.3
        } else {
            0.0
        };
        match self.studio.footage.dresses[id].colour {
            Some(own) => in_theme(own, theme),
            None => mix(plain, theme.colour(Ink::series(0)), blue),
        }
    }

    fn outlines(&mut self, shot: &Shot) {
        let footage = self.studio.footage;
        let theme = self.studio.style.theme;
        let (paper, wall) = (theme.colour(Ink::Paper), theme.colour(Ink::Wall));
        let deep = if theme == Theme::Dark { 0.45 } else { 0.28 };
        let (pale, solid) = (mix(paper, wall, deep), mix(paper, wall, 0.72));
        let mut things: Vec<Thing> = Vec::new();
        things.extend(footage.things.iter().filter(|t| !t.moves).cloned());
        let own = |id: usize| {
            let colour = footage.dresses[id].colour;
            colour.map(|colour| in_theme(colour, theme))
        };
        let mut free: Vec<Option<Rgb>> = things.iter().map(|thing| own(thing.id)).collect();
        for (member, (&id, stance)) in footage.cast.iter().zip(&shot.stances).enumerate() {
            let thing = &footage.things[id];
            if radius(&thing.form).is_none() && !stance.is_nowhere() {
                things.push(thing.posed(stance.position, stance.rotation, false));
                free.push(if footage.bodies[id].free {
                    Some(self.studio.palette.colour(member, shot.speeds[member]))
                } else {
                    // What moves by prescription is told from what stands still.
                    let endless = matches!(thing.form, Form::Wall(_) | Form::Tube(..));
                    let plain = if endless { pale } else { solid };
                    let blue = if footage.bodies[id].kinematic {
                        0.3
                    } else {
                        0.0
                    };
                    Some(own(id).unwrap_or_else(|| mix(plain, theme.colour(Ink::series(0)), blue)))
                });
            }
        }
        let openings: Vec<Opening> = things
            .iter()
            .filter(|thing| !thing.bare && !thing.sensor)
            .filter_map(|thing| Some((thing.position, thing.wall_normal()?)))
            .collect();
        let mut surfaces: Vec<(Vec<Face>, Rgb)> = Vec::new();
        for (thing, free) in things.iter().zip(free) {
            match &thing.form {
                Form::Ball(radius) if !thing.sensor => {
                    self.fixed_ball(thing, *radius, free.unwrap_or(solid));
                }
                Form::Hollow(radius) => self.room(thing, *radius, free.unwrap_or(pale)),
                Form::Wall(_) => {
                    let faces = self.wall(thing, &things, &openings);
                    self.outline(&faces, wall);
                    if !thing.sensor {
                        surfaces.push((faces, free.unwrap_or(pale)));
                    }
                }
                Form::Tube(axis, radius) => {
                    let faces = self.tube(thing, thing.turned(*axis), *radius, &openings);
                    surfaces.push((faces, free.unwrap_or(pale)));
                }
                Form::Lines { faces, .. } => {
                    if !thing.sensor {
                        self.solid(thing, faces, free.unwrap_or(solid));
                        self.pips(thing, free.unwrap_or(solid));
                    }
                    let round = faces.iter().any(|face| !face.normals.is_empty());
                    let lines = thing.world_lines(&self.studio.bounds, false);
                    self.edges(&lines, mix(free.unwrap_or(wall), [0; 3], 0.25), round);
                }
                Form::Ball(_) => {
                    self.edges(&thing.world_lines(&self.studio.bounds, false), wall, false);
                }
            }
        }
        self.periodic_box(wall);
        // Walls and containers catch shadows and cast none.
        let bounds = &self.studio.bounds;
        let corners = bounds.corners().map(|corner| self.camera.place(corner));
        self.model.shadow = Some(Shadow::new(&self.model, corners));
        for (faces, colour) in surfaces {
            for face in faces {
                self.face(&face, colour, true);
            }
        }
    }

    fn fixed_ball(&mut self, thing: &Thing, radius: f64, colour: Rgb) {
        let centre = self.camera.place(thing.position);
        if centre[2] - radius > self.camera.near() {
            self.model.balls.push(Ball {
                centre,
                radius,
                tone: tone(colour),
                axes: None,
                coat: None,
                hollow: false,
            });
        }
    }

    fn room(&mut self, thing: &Thing, radius: f64, colour: Rgb) {
        let centre = self.camera.place(thing.position);
        // From within there is no outline, but the far side is seen all the same.
        if centre[2] + radius > self.camera.near() {
            self.model.balls.push(Ball {
                centre,
                radius,
                tone: tone(colour),
                axes: None,
                coat: None,
                hollow: true,
            });
        }
    }

    /// The part of a wall that is seen: as far as the picture goes, and within the space that other walls leave.
    fn wall(&self, thing: &Thing, things: &[Thing], openings: &[Opening]) -> Vec<Face> {
        let normal = thing.wall_normal().unwrap_or_default();
        let mut faces = Vec::new();
        let footage = self.studio.footage;
        let rim = rim(&footage.things, &footage.dresses);
        for mut line in thing.world_lines(&self.studio.bounds, false) {
            line.pop();
            let mut polygon = line;
            if let Some(rim) = &rim {
                polygon
                    .iter_mut()
                    .for_each(|p| *p = within_rim(rim, normal, *p));
            }
            for &(position, opening) in openings {
                if position != thing.position || opening != normal {
                    polygon = clipped(&polygon, position, opening);
                }
            }
            for tube in things {
                let Form::Tube(axis, radius) = &tube.form else {
                    continue;
                };
                let axis = tube.turned(*axis);
                if dot(axis, normal).abs() < 0.999 {
                    continue;
                }
                let [first, second] = across(axis);
                for step in 0..48 {
                    let angle = crate::outlines::TURN * f64::from(step) / 48.0;
                    let out = sum(
                        scaled(first, libm::cos(angle)),
                        scaled(second, libm::sin(angle)),
                    );
                    let edge = sum(tube.position, scaled(out, *radius));
                    polygon = clipped(&polygon, edge, scaled(out, -1.0));
                }
            }
            if polygon.len() > 2 {
                let mut face = Face::flat(polygon);
                if face.normal().is_some_and(|found| dot(found, normal) < 0.0) {
                    face.corners.reverse();
                }
                face.thin = thing.bare;
                faces.push(face);
            }
        }
        faces
    }

    fn tube(&self, thing: &Thing, axis: Place, radius: f64, openings: &[Opening]) -> Vec<Face> {
        let heights: Vec<f64> = self
            .studio
            .bounds
            .corners()
            .map(|corner| dot(axis, sum(corner, scaled(thing.position, -1.0))))
            .collect();
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut faces = side(axis, thing.position, [low, high], radius, true);
        for face in &mut faces {
            for &(position, opening) in openings {
                if dot(opening, axis).abs() > 0.5 {
                    face.corners = clipped(&face.corners, position, opening);
                }
            }
            // Towards the axis.
            let inwards = |&corner: &Place| {
                let from = sum(corner, scaled(thing.position, -1.0));
                unit(sum(scaled(axis, dot(from, axis)), scaled(from, -1.0)))
            };
            face.normals = face.corners.iter().map(inwards).collect();
        }
        faces
    }

    /// Faces of a body in the world.
    fn solid(&mut self, thing: &Thing, faces: &[Face], colour: Rgb) {
        for face in faces {
            let posed = Face {
                corners: face.corners.iter().map(|&p| thing.to_world(p)).collect(),
                normals: face.normals.iter().map(|&n| thing.turned(n)).collect(),
                thin: face.thin,
            };
            self.face(&posed, colour, false);
        }
    }

    /// The pips of a die.
    fn pips(&mut self, thing: &Thing, colour: Rgb) {
        if !self.studio.footage.dresses[thing.id].die {
            return;
        }
        for (place, normal, radius) in pips(thing) {
            let [first, second] = across(normal).map(|side| scaled(side, radius));
            let mut ring = round(place, first, second, 0.0, crate::outlines::TURN);
            ring.pop();
            let mut spot = Face::flat(ring.into_iter().step_by(8).collect());
            if spot.normal().is_some_and(|found| dot(found, normal) < 0.0) {
                spot.corners.reverse();
            }
            self.solid(thing, &[spot], contrast(colour));
        }
    }

    /// A face of the world, unless it looks the other way.
    fn face(&mut self, face: &Face, colour: Rgb, wall: bool) {
        let Some(normal) = face.normal() else { return };
        let to_eye = sum(self.camera.eye(), scaled(face.corners[0], -1.0));
        let facing = dot(normal, to_eye) > 0.0;
        if !facing && !face.thin {
            return;
        }
        let turn = if facing { 1.0 } else { -1.0 };
        let normal_at = |corner: usize| {
            let own = face.normals.get(corner).copied().unwrap_or(normal);
            self.camera.direction(scaled(own, turn))
        };
        let places: Vec<(Place, Place)> = face
            .corners
            .iter()
            .enumerate()
            .map(|(corner, &place)| (self.camera.place(place), normal_at(corner)))
            .collect();
        let near = self.camera.near();
        let seen = in_front(&places, near);
        for fan in 1..seen.len().saturating_sub(1) {
            let three = [seen[0], seen[fan], seen[fan + 1]];
            self.model.triangles.push(Triangle {
                corners: three.map(|(place, _)| place),
                normals: three.map(|(_, normal)| normal),
                tone: tone(colour),
                wall,
            });
        }
    }

    fn outline(&mut self, faces: &[Face], colour: Rgb) {
        for face in faces {
            let mut line = face.corners.clone();
            line.push(line[0]);
            self.edges(&[line], colour, false);
        }
    }

    /// Lines of the world; of round bodies the rims alone.
    fn edges(&mut self, lines: &[Vec<Place>], colour: Rgb, rims: bool) {
        let width = self.line;
        for line in lines.iter().filter(|line| !rims || line.len() > 2) {
            for pair in line.windows(2) {
                self.stroke([pair[0], pair[1]], [width; 2], colour, [0.8; 2]);
            }
        }
    }

    fn periodic_box(&mut self, colour: Rgb) {
        let periods = self.studio.footage.periods;
        if periods.iter().any(|&period| !(period > 0.0)) {
            return;
        }
        for axis in 0..3 {
            for (a, b) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut from = [0.0; 3];
                (from[i], from[j]) = (a * periods[i], b * periods[j]);
                let mut to = from;
                to[axis] = periods[axis];
                self.stroke([from, to], [self.line; 2], colour, [0.7; 2]);
            }
        }
    }

    /// A straight line of the world, with a width (pixels) and an opacity at either end.
    fn stroke(&mut self, ends: [Place; 2], widths: [f64; 2], colour: Rgb, opacities: [f64; 2]) {
        let near = self.camera.near();
        let [mut a, mut b] = ends.map(|end| self.camera.place(end));
        if a[2] < near && b[2] < near {
            return;
        }
        let cut = |end: Place, other: Place| {
            if end[2] >= near {
                return end;
            }
            let share = (near - end[2]) / (other[2] - end[2]);
            [0, 1, 2].map(|i| end[i] + share * (other[i] - end[i]))
        };
        (a, b) = (cut(a, b), cut(b, a));
        let [p, q] = [a, b].map(|place| self.camera.pixels(place));
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if !(length > 1e-6) {
            return;
        }
        let (ux, uy) = (-dy / length, dx / length);
        let at = |[x, y]: [f64; 2], side: f64| [x + side * ux, y + side * uy];
        let (one, other) = (0.5 * widths[0], 0.5 * widths[1]);
        let quad = [at(p, one), at(p, -one), at(q, -other), at(q, other)];
        // Lines on surfaces are in front of them.
        let [m, n] = [a, b].map(|place| 1.004 / place[2]);
        let opacity = (0.5 * (opacities[0] + opacities[1])) as f32;
        for (corners, nearness) in [
            ([quad[0], quad[1], quad[2]], [m, m, n]),
            ([quad[0], quad[2], quad[3]], [m, n, n]),
        ] {
            self.model.veils.push(Veil {
                corners,
                nearness,
                tone: tone(colour),
                opacity,
            });
        }
    }

    fn trails(&mut self, shot: &Shot) {
        let footage = self.studio.footage;
        for (member, mut way) in shot.ways.by_member().into_iter().enumerate() {
            let Some(radius) = radius(&footage.things[footage.cast[member]].form) else {
                continue;
            };
            if shot.stances[member].is_nowhere() {
                continue;
            }
            way.retain(|(place, _)| !place[0].is_nan());
            way.push((shot.stances[member].position, 0.0));
            let colour = self.studio.palette.colour(member, shot.speeds[member]);
            for pair in way.windows(2) {
                let [(from, old), (to, young)] = [pair[0], pair[1]];
                if leaps(from, to, footage.periods) {
                    continue;
                }
                let width = |place: Place, age: f64| {
                    let depth = self.camera.place(place)[2].max(self.camera.near());
                    let full = 0.7 * self.camera.focal * radius / depth;
                    full.clamp(1.0, 8.0) * (1.0 - 0.6 * age)
                };
                let widths = [width(from, old), width(to, young)];
                let opacities = [0.6 * (1.0 - old), 0.6 * (1.0 - young)];
                self.stroke([from, to], widths, colour, opacities);
            }
        }
    }

    fn flashes(&mut self, shot: &Shot) {
        let colour = flash_colour(self.studio);
        for flash in &shot.flashes {
            let place = self.camera.place(flash.place);
            let size = if flash.size.is_finite() {
                flash.size
            } else {
                0.0
            };
            if place[2] < self.camera.near() + 2.0 * size {
                continue;
            }
            let reach = (self.camera.focal * size / place[2]).max(3.0) * (0.35 + 0.9 * flash.age);
            let [x, y] = self.camera.pixels(place);
            // The two balls are not to cover it.
            let nearness = 1.0 / (place[2] - 1.2 * size);
            let rim = |step: u32| {
                let angle = crate::outlines::TURN * f64::from(step) / 20.0;
                [x + reach * libm::cos(angle), y + reach * libm::sin(angle)]
            };
            for step in 0..20 {
                self.model.veils.push(Veil {
                    corners: [[x, y], rim(step), rim(step + 1)],
                    nearness: [nearness; 3],
                    tone: tone(colour),
                    opacity: (0.65 * (1.0 - flash.age)) as f32,
                });
            }
        }
    }
}

/// The part of a polygon (places and normals) beyond a depth.
fn in_front(polygon: &[(Place, Place)], near: f64) -> Vec<(Place, Place)> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (place, &(from, from_normal)) in polygon.iter().enumerate() {
        let (to, to_normal) = polygon[(place + 1) % polygon.len()];
        if from[2] >= near {
            kept.push((from, from_normal));
        }
        if (from[2] < near) != (to[2] < near) {
            let share = (near - from[2]) / (to[2] - from[2]);
            let between = |a: Place, b: Place| [0, 1, 2].map(|i| a[i] + share * (b[i] - a[i]));
            kept.push((between(from, to), between(from_normal, to_normal)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_cut_where_walls_begin() {
        let square = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
        ];
        let half = clipped(&square, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(half.len(), 4);
        assert!(half.iter().all(|p| p[0] >= 1.0));
        assert!(clipped(&square, [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).is_empty());
        assert_eq!(clipped(&square, [0.0; 3], [1.0, 0.0, 0.0]).len(), 4);
    }
}
