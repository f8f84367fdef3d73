//! The outlines of bodies, in 2-D and 3-D, as lines.

use crate::error::DrawError;
use crate::mesh::Face;
use crate::recording::Recording;
use carom::body::Kind;
use carom::shape::{Shape, Shape2, Shape3};
use carom::space::{Space2, Space3};
use carom::world::World;
use carom_data::DataSpace;

/// A place; in 2-D the third number is zero.
pub type Place = [f64; 3];

/// What a body looks like, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A disc or sphere about the origin, of a radius.
    Ball(f64),
    /// A hollow about the origin, of a radius.
    Hollow(f64),
    /// A wall without end through the origin, with a normal into free space.
    Wall(Place),
    /// Lines; where they are closed and in 2-D, the inside is solid. In 3-D also the faces between them.
    Lines {
        /// From place to place.
        lines: Vec<Vec<Place>>,
        /// Whether each of the lines surrounds a solid.
        solid: bool,
        /// What pictures fill in 3-D.
        faces: Vec<Face>,
    },
    /// A round tube without end along an axis through the origin, of a radius.
    Tube(Place, f64),
}

impl Form {
    /// A thin wall in 2-D.
    fn thin(lines: Vec<Vec<Place>>) -> Self {
        Form::Lines {
            lines,
            solid: false,
            faces: Vec::new(),
        }
    }

    /// A solid polygon in 2-D, by its corners in order.
    pub fn polygon(corners: &[[f64; 2]]) -> Self {
        let mut line: Vec<Place> = corners.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        line.extend(line.first().copied());
        Form::Lines {
            lines: vec![line],
            solid: true,
            faces: Vec::new(),
        }
    }

    /// A solid with flat faces in 3-D; each has its corners counterclockwise, seen from outside.
    pub fn polyhedron(corners: &[Place], faces: &[Vec<u32>]) -> Self {
        let (lines, faces) = crate::mesh::polyhedron(corners, faces);
        Form::Lines {
            lines,
            solid: false,
            faces,
        }
    }
}

/// A body as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// Its id.
    pub id: usize,
    /// In its own frame.
    pub form: Form,
    /// Of the origin of its frame, m.
    pub position: Place,
    /// The axes of its frame.
    pub axes: [Place; 3],
    /// Whether it moves.
    pub moves: bool,
    /// Whether balls go through it.
    pub sensor: bool,
    /// Whether it is a wall without anything behind it.
    pub bare: bool,
}

/// A space that can be drawn.
pub trait DrawSpace: DataSpace {
    /// What a shape of this space alone looks like.
    fn own_form(shape: &Self::OwnShape) -> Form;

    /// A rectangle or box with half sides.
    fn block(half: Place) -> Form;
}

/// Points of a circle with a centre, from one of its radii towards the other, over an angle (rad).
pub fn round(centre: Place, first: Place, second: Place, from: f64, sweep: f64) -> Vec<Place> {
    let pieces = (sweep.abs() / 0.03).ceil().max(2.0) as usize;
    (0..=pieces)
        .map(|piece| {
            let angle = from + sweep * piece as f64 / pieces as f64;
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            [0, 1, 2].map(|i| centre[i] + cos * first[i] + sin * second[i])
        })
        .collect()
}

/// A full turn, rad.
pub const TURN: f64 = 2.0 * std::f64::consts::PI;

impl DrawSpace for Space2 {
    fn own_form(shape: &Shape2) -> Form {
        let lines = match shape {
            Shape2::Segment(segment) => vec![segment.ends.map(|p| [p.x, p.y, 0.0]).to_vec()],
            Shape2::Arc(arc) => {
                let half = libm::acos(arc.cos_half.clamp(-1.0, 1.0));
                let (m, r) = (arc.middle, arc.radius);
                vec![round(
                    [arc.centre.x, arc.centre.y, 0.0],
                    [r * m.x, r * m.y, 0.0],
                    [-r * m.y, r * m.x, 0.0],
                    -half,
                    2.0 * half,
                )]
            }
            _ => Vec::new(),
        };
        Form::thin(lines)
    }

    fn block([x, y, _]: Place) -> Form {
        Form::polygon(&[[-x, -y], [x, -y], [x, y], [-x, y]])
    }
}

/// Two unit vectors across an axis and each other.
pub fn across(axis: Place) -> [Place; 2] {
    let smallest = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs()));
    let mut other = [0.0; 3];
    other[smallest.unwrap_or(0)] = 1.0;
    let first = unit(cross(axis, other));
    [first, cross(axis, first)]
}

/// The vector across both.
pub fn cross(a: Place, b: Place) -> Place {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The scalar product.
pub fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The same direction, of length one.
pub fn unit(a: Place) -> Place {
    let length = dot(a, a).sqrt();
    a.map(|c| c / length)
}

/// So many times as long.
pub fn scaled(a: Place, factor: f64) -> Place {
    a.map(|c| c * factor)
}

/// Both together.
pub fn sum(a: Place, b: Place) -> Place {
    [0, 1, 2].map(|i| a[i] + b[i])
}

/// Two circles about an axis, and lines from one to the other.
pub fn barrel(axis: Place, low: f64, high: f64, radius: f64, middle: Place) -> Vec<Vec<Place>> {
    let [first, second] = across(axis).map(|side| scaled(side, radius));
    let centre = |height: f64| sum(middle, scaled(axis, height));
    let mut lines = vec![
        round(centre(low), first, second, 0.0, TURN),
        round(centre(high), first, second, 0.0, TURN),
    ];
    for side in [first, second, scaled(first, -1.0), scaled(second, -1.0)] {
        lines.push(vec![sum(centre(low), side), sum(centre(high), side)]);
    }
    lines
}

impl DrawSpace for Space3 {
    fn own_form(shape: &Shape3) -> Form {
        let (lines, faces) = match shape {
            Shape3::Triangle(triangle) => {
                let [a, b, c] = triangle.corners.map(|corner| corner.to_array());
                (vec![vec![a, b, c, a]], vec![Face::thin(vec![a, b, c])])
            }
            Shape3::Cylinder(cylinder) => {
                let (axis, half) = (cylinder.axis.to_array(), cylinder.half_length);
                let radius = cylinder.radius;
                (
                    barrel(axis, -half, half, radius, [0.0; 3]),
                    crate::mesh::cylinder(axis, half, radius),
                )
            }
            Shape3::Tube(tube) => return Form::Tube(tube.axis.to_array(), tube.radius),
            _ => (Vec::new(), Vec::new()),
        };
        Form::Lines {
            lines,
            solid: false,
            faces,
        }
    }

    fn block([x, y, z]: Place) -> Form {
        let corner = |bits: u32| {
            let side = |bit: u32, half: f64| if bits >> bit & 1 == 0 { -half } else { half };
            [side(0, x), side(1, y), side(2, z)]
        };
        let corners: Vec<Place> = (0..8).map(corner).collect();
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        Form::polyhedron(&corners, &faces.map(|face| face.to_vec()))
    }
}

/// What all bodies of a world look like.
pub fn things<S: DrawSpace>(world: &World<S>) -> Vec<Thing> {
    let bodies = world.bodies().iter().enumerate();
    bodies
        .map(|(id, body)| Thing {
            id,
            form: match &body.shape {
                Shape::Ball(ball) => Form::Ball(ball.radius),
                Shape::Hollow(hollow) => Form::Hollow(hollow.radius),
                Shape::HalfSpace(wall) => Form::Wall(S::components(wall.normal)),
                Shape::Block(block) => S::block(S::components(block.half)),
                Shape::Compound(solid) => crate::solids::form(solid),
                Shape::Own(own) => S::own_form(own),
                _ => Form::thin(Vec::new()),
            },
            position: S::components(body.pose.position),
            axes: S::axes(body.pose.rotation),
            moves: !matches!(body.kind, Kind::Static),
            sensor: body.sensor,
            bare: matches!(&body.shape, Shape::HalfSpace(wall) if wall.two_sided),
        })
        .collect()
}

/// What all bodies of a run look like. Fixed ones are where they are, others where they were at the end.
pub fn of_recording(recording: &Recording) -> Result<Vec<Thing>, DrawError> {
    Ok(match recording.dimension() {
        2 => things(&recording.folder.world::<Space2>()?),
        _ => things(&recording.folder.world::<Space3>()?),
    })
}

/// What is seen: two opposite corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The smallest numbers, m.
    pub low: Place,
    /// The largest numbers, m.
    pub high: Place,
}

impl Bounds {
    /// Nothing yet.
    pub const NOTHING: Bounds = Bounds {
        low: [f64::INFINITY; 3],
        high: [f64::NEG_INFINITY; 3],
    };

    /// With a ball about a place.
    pub fn add(&mut self, place: Place, radius: f64) {
        for (i, coordinate) in place.into_iter().enumerate() {
            if coordinate.is_finite() {
                self.low[i] = self.low[i].min(coordinate - radius);
                self.high[i] = self.high[i].max(coordinate + radius);
            }
        }
    }

    /// Wider than nothing along every axis: a run along a line is seen from further away.
    pub fn settled(mut self) -> Self {
        let sides = [0, 1, 2].map(|i| self.high[i] - self.low[i]);
        let longest = sides
            .into_iter()
            .filter(|s| s.is_finite())
            .fold(0.0, f64::max);
        for i in 0..3 {
            if !(self.low[i] <= self.high[i]) {
                (self.low[i], self.high[i]) = (-0.5, 0.5);
            }
            let least = if longest > 0.0 { 0.02 * longest } else { 1.0 };
            let lacking = 0.5 * (least - (self.high[i] - self.low[i]));
            if lacking > 0.0 {
                self.low[i] -= lacking;
                self.high[i] += lacking;
            }
        }
        self
    }

    /// Between the corners, m.
    pub fn middle(&self) -> Place {
        [0, 1, 2].map(|i| 0.5 * (self.low[i] + self.high[i]))
    }

    /// From corner to corner, m.
    pub fn diagonal(&self) -> f64 {
        let sides = [0, 1, 2].map(|i| self.high[i] - self.low[i]);
        dot(sides, sides).sqrt()
    }

    /// All eight, m.
    pub fn corners(&self) -> impl Iterator<Item = Place> + '_ {
        (0..8).map(|corner| {
            [0, 1, 2].map(|i| {
                if corner >> i & 1 == 0 {
                    self.low[i]
                } else {
                    self.high[i]
                }
            })
        })
    }
}

/// The axes of a frame that is turned by an angle (rad, the first number) in 2-D or by a quaternion (w, x, y, z)
/// in 3-D.
pub fn turned_axes(rotation: [f64; 4], flat: bool) -> [Place; 3] {
    if flat {
        let (sin, cos) = (libm::sin(rotation[0]), libm::cos(rotation[0]));
        return [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]];
    }
    let [w, x, y, z] = rotation;
    let turned = |p: Place| {
        let q = [x, y, z];
        let t = scaled(cross(q, p), 2.0);
        sum(sum(p, scaled(t, w)), cross(q, t))
    };
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(turned)
}

/// A place of a frame in the world.
fn placed(position: Place, axes: &[Place; 3], local: Place) -> Place {
    let turned = [0, 1, 2].map(|i| (0..3).map(|axis| local[axis] * axes[axis][i]).sum::<f64>());
    sum(position, turned)
}

impl Thing {
    /// The same elsewhere, turned by an angle (rad, the first number) in 2-D or by a quaternion (w, x, y, z) in
    /// space.
    pub fn posed(&self, position: Place, rotation: [f64; 4], flat: bool) -> Thing {
        Thing {
            position,
            axes: turned_axes(rotation, flat),
            ..self.clone()
        }
    }

    /// A place of its frame in the world.
    pub fn to_world(&self, local: Place) -> Place {
        placed(self.position, &self.axes, local)
    }

    /// A direction of its frame in the world.
    pub fn turned(&self, local: Place) -> Place {
        [0, 1, 2].map(|i| (0..3).map(|axis| local[axis] * self.axes[axis][i]).sum())
    }

    /// The normal of a wall, in the world.
    pub fn wall_normal(&self) -> Option<Place> {
        match self.form {
            Form::Wall(normal) => Some(self.turned(normal)),
            _ => None,
        }
    }

    /// Makes what is seen wide enough for it, unless it has no end.
    pub fn widen(&self, bounds: &mut Bounds) {
        self.widen_at(self.position, || self.axes, bounds);
    }

    /// The same elsewhere, without a copy of its outlines: there may be hundreds of thousands of places.
    pub fn widen_at(
        &self,
        position: Place,
        axes: impl FnOnce() -> [Place; 3],
        bounds: &mut Bounds,
    ) {
        match &self.form {
            Form::Ball(radius) | Form::Hollow(radius) => bounds.add(position, *radius),
            Form::Lines { lines, .. } => {
                let axes = axes();
                for &place in lines.iter().flatten() {
                    bounds.add(placed(position, &axes, place), 0.0);
                }
            }
            Form::Wall(_) | Form::Tube(..) => (),
        }
    }

    /// How far it reaches from the origin of its frame, m; infinite where it has no end.
    pub fn reach(&self) -> f64 {
        match &self.form {
            Form::Ball(radius) | Form::Hollow(radius) => *radius,
            Form::Lines { lines, .. } => {
                let places = lines.iter().flatten().map(|&place| dot(place, place));
                places.fold(0.0, f64::max).sqrt()
            }
            Form::Wall(_) | Form::Tube(..) => f64::INFINITY,
        }
    }

    /// As lines in its own frame; what has no end is shown up to a distance.
    pub fn local_lines(&self, flat: bool, far: f64) -> Vec<Vec<Place>> {
        const X: Place = [1.0, 0.0, 0.0];
        const Y: Place = [0.0, 1.0, 0.0];
        const Z: Place = [0.0, 0.0, 1.0];
        match &self.form {
            Form::Ball(r) | Form::Hollow(r) => {
                let rings = [(X, Y), (Y, Z), (Z, X)];
                let rings = &rings[..if flat { 1 } else { 3 }];
                let ring = |&(a, b): &(Place, Place)| {
                    round([0.0; 3], scaled(a, *r), scaled(b, *r), 0.0, TURN)
                };
                rings.iter().map(ring).collect()
            }
            Form::Lines { lines, .. } => lines.clone(),
            Form::Wall([x, y, _]) if flat => {
                vec![vec![[-far * y, far * x, 0.0], [far * y, -far * x, 0.0]]]
            }
            Form::Wall(normal) => {
                let [a, b] = across(*normal);
                let corner = |i: f64, j: f64| sum(scaled(a, i * far), scaled(b, j * far));
                let corners = [
                    (-1.0, -1.0),
                    (1.0, -1.0),
                    (1.0, 1.0),
                    (-1.0, 1.0),
                    (-1.0, -1.0),
                ];
                vec![corners.map(|(i, j)| corner(i, j)).to_vec()]
            }
            Form::Tube(axis, radius) => barrel(*axis, -far, far, *radius, [0.0; 3]),
        }
    }

    /// As lines in the world; what has no end is shown as far as is seen.
    pub fn world_lines(&self, bounds: &Bounds, flat: bool) -> Vec<Vec<Place>> {
        match &self.form {
            Form::Wall(_) if flat => {
                let normal = self.wall_normal().unwrap_or_default();
                let along = [-normal[1], normal[0], 0.0];
                // From where the wall is nearest to the middle of what is seen.
                let offset = dot(normal, sum(bounds.middle(), scaled(self.position, -1.0)));
                let foot = sum(bounds.middle(), scaled(normal, -offset));
                let far = 2.0 * bounds.diagonal();
                vec![vec![
                    sum(foot, scaled(along, -far)),
                    sum(foot, scaled(along, far)),
                ]]
            }
            Form::Wall(_) => {
                let normal = self.wall_normal().unwrap_or_default();
                plane_in_box(self.position, normal, bounds)
            }
            Form::Tube(axis, radius) => {
                let axis = self.turned(*axis);
                let heights: Vec<f64> = bounds
                    .corners()
                    .map(|corner| dot(axis, sum(corner, scaled(self.position, -1.0))))
                    .collect();
                let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
                let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                barrel(axis, low, high, *radius, self.position)
            }
            _ => {
                let lines = self.local_lines(flat, bounds.diagonal());
                let placed = |line: &Vec<Place>| line.iter().map(|&p| self.to_world(p)).collect();
                lines.iter().map(placed).collect()
            }
        }
    }
}

/// The polygon in which a plane cuts what is seen, with a margin so that a wall at its edge is seen too.
fn plane_in_box(point: Place, normal: Place, bounds: &Bounds) -> Vec<Vec<Place>> {
    let margin = 0.02 * bounds.diagonal();
    let mut wide = *bounds;
    for i in 0..3 {
        wide.low[i] -= margin;
        wide.high[i] += margin;
    }
    let corners: Vec<Place> = wide.corners().collect();
    let height = |p: Place| dot(normal, sum(p, scaled(point, -1.0)));
    let mut cuts = Vec::new();
    for a in 0..8_usize {
        for bit in [1, 2, 4] {
            let b = a | bit;
            if a & bit != 0 {
                continue;
            }
            let (from, to) = (height(corners[a]), height(corners[b]));
            if (from < 0.0) != (to < 0.0) {
                let share = from / (from - to);
                let cut =
                    [0, 1, 2].map(|i| corners[a][i] + share * (corners[b][i] - corners[a][i]));
                cuts.push(cut);
            }
        }
    }
    if cuts.len() < 3 {
        return Vec::new();
    }
    let middle = scaled(
        cuts.iter().copied().fold([0.0; 3], sum),
        1.0 / cuts.len() as f64,
    );
    let [first, second] = across(normal);
    let angle = |p: &Place| {
        let d = sum(*p, scaled(middle, -1.0));
        libm::atan2(dot(d, second), dot(d, first))
    };
    cuts.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    cuts.push(cuts[0]);
    vec![cuts]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_cuts_a_cube_in_a_square_or_a_hexagon() {
        let bounds = Bounds {
            low: [-1.0; 3],
            high: [1.0; 3],
        };
        let square = plane_in_box([0.0; 3], [0.0, 0.0, 1.0], &bounds);
        assert_eq!(square[0].len(), 5);
        assert!(square[0].iter().all(|p| p[2] == 0.0));
        let diagonal = unit([1.0, 1.0, 1.0]);
        let hexagon = plane_in_box([0.0; 3], diagonal, &bounds);
        assert_eq!(hexagon[0].len(), 7);
        // Rounding of coordinates of size one.
        assert!(hexagon[0].iter().all(|&p| dot(p, diagonal).abs() < 1e-14));
        assert!(plane_in_box([0.0, 0.0, 9.0], [0.0, 0.0, 1.0], &bounds).is_empty());
    }

    #[test]
    fn a_run_along_a_line_is_seen_with_room_around() {
        let mut bounds = Bounds::NOTHING;
        bounds.add([0.0; 3], 0.0);
        bounds.add([10.0, 0.0, 0.0], 0.0);
        let settled = bounds.settled();
        assert_eq!((settled.low[1], settled.high[1]), (-0.1, 0.1));
        assert_eq!(Bounds::NOTHING.settled().low, [-0.5; 3]);
    }
}
