//! What a ball that keeps touching a shape needs to know: on which feature it is, how that curves, and where it ends.

use super::{Arc, Ball, Block, Closest, Cylinder, HalfSpace, Hollow, Segment, Triangle, Tube};
use crate::space::{Linear, Space, Space2, Space3};

/// How a ball's centre, at its radius from a shape, is led around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bending<S: Space> {
    /// Straight on.
    Flat,
    /// About a point, m: a ball, the inside of a container, a corner.
    About(S::Vector),
    /// About a straight line through a point (m) along a direction of length one: an edge, the side of a cylinder.
    AboutAxis(S::Vector, S::Vector),
    /// About a circle with a centre (m), an axis of length one and a radius (m): the rim of a cylinder.
    AboutRing(S::Vector, S::Vector, f64),
    /// Unknown: a body of several parts.
    Otherwise,
}

impl<S: Space> Bending<S> {
    /// How fast the normal turns where the centre is at a point and moves at a velocity: `(∇n) v`, 1/s.
    pub fn turning(&self, place: S::Vector, normal: S::Vector, velocity: S::Vector) -> S::Vector {
        let (arm, across) = match *self {
            Bending::Flat | Bending::Otherwise => return S::Vector::ZERO,
            Bending::About(centre) => (place - centre, velocity),
            Bending::AboutAxis(centre, axis) => {
                let without = |vector: S::Vector| vector - axis * axis.dot(vector);
                (without(place - centre), without(velocity))
            }
            Bending::AboutRing(centre, axis, radius) => {
                // The nearest point of the ring goes around with the ball, at R/ρ of its speed around the axis.
                let out = place - centre - axis * axis.dot(place - centre);
                let Some(outward) = out.unit() else {
                    return S::Vector::ZERO;
                };
                let around = velocity - axis * axis.dot(velocity) - outward * outward.dot(velocity);
                let arm = place - centre - outward * radius;
                (arm, velocity - around * (radius / out.length()))
            }
        };
        let tangential = across - normal * normal.dot(across);
        // From within a container the normal points to the centre.
        let radius = if arm.dot(normal) < 0.0 {
            -arm.length()
        } else {
            arm.length()
        };
        tangential * (1.0 / radius)
    }

    /// Where the feature goes on, as if it had no end: its nearest point to a position, from what it is near another
    /// one.
    ///
    /// A step of the integrator looks ahead, past the end of a feature too; what it sees there has to be smooth.
    pub fn nearest(&self, from: &Closest<S>, place: S::Vector) -> Closest<S> {
        if *self == Bending::Flat {
            let distance = from.normal.dot(place - from.point);
            return Closest {
                distance,
                normal: from.normal,
                point: place - from.normal * distance,
            };
        }
        let foot_of = |place: S::Vector| match *self {
            Bending::Flat | Bending::Otherwise => None,
            Bending::About(centre) => Some(centre),
            Bending::AboutAxis(centre, axis) => Some(centre + axis * axis.dot(place - centre)),
            Bending::AboutRing(centre, axis, radius) => {
                let out = place - centre - axis * axis.dot(place - centre);
                Some(centre + out.unit().unwrap_or(S::Vector::ZERO) * radius)
            }
        };
        let there = from.point + from.normal * from.distance;
        let (Some(foot), Some(its_foot)) = (foot_of(place), foot_of(there)) else {
            return *from;
        };
        let arm = place - foot;
        let Some(outward) = arm.unit() else {
            return *from;
        };
        // The surface's own radius: none at edges and corners, but for rounding.
        let bent = match *self {
            Bending::About(centre) => from.point - centre,
            Bending::AboutAxis(centre, axis) => {
                let bent = from.point - centre;
                bent - axis * axis.dot(bent)
            }
            _ => S::Vector::ZERO,
        };
        // On which side of it the ball is; not by `bent`, whose direction is rounding at an edge.
        let within = (there - its_foot).dot(from.normal) < 0.0;
        let distance = arm.length() - bent.length();
        Closest {
            distance: if within { -distance } else { distance },
            normal: if within { -outward } else { outward },
            point: foot + outward * bent.length(),
        }
    }
}

/// A border in the space of the ball's centre at which the feature it is on may end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate<S: Space> {
    /// Where `direction · position = offset`, m.
    Plane(S::Vector, f64),
    /// At a distance (m) from an axis through the origin along a direction of length one: 1 on the way out, −1 on the
    /// way in.
    Tube(S::Vector, f64, f64),
}

/// The features of a shape, as a ball in lasting contact finds them.
pub trait Footing<S: Space> {
    /// The feature that is nearest to a point, by a number of its own.
    fn feature(&self, _place: S::Vector) -> u32 {
        0
    }

    /// How the feature that is nearest to a point bends the path of a centre.
    fn bending(&self, place: S::Vector) -> Bending<S>;

    /// Calls `visit` with every border at which features may change, in every direction in which it may be crossed.
    fn gates(&self, _visit: &mut dyn FnMut(Gate<S>)) {}
}

impl<S: Space> Footing<S> for Ball {
    fn bending(&self, _place: S::Vector) -> Bending<S> {
        Bending::About(S::Vector::ZERO)
    }
}

impl<S: Space> Footing<S> for Hollow {
    fn bending(&self, _place: S::Vector) -> Bending<S> {
        Bending::About(S::Vector::ZERO)
    }
}

impl<S: Space> Footing<S> for HalfSpace<S> {
    fn bending(&self, _place: S::Vector) -> Bending<S> {
        Bending::Flat
    }
}

impl<S: Space> Footing<S> for Block<S> {
    fn feature(&self, place: S::Vector) -> u32 {
        let (half, x) = (S::components(self.half), S::components(place));
        (0..S::DIMENSION).fold(0, |number, axis| {
            number * 3 + u32::from(x[axis] >= -half[axis]) + u32::from(x[axis] > half[axis])
        })
    }

    fn bending(&self, place: S::Vector) -> Bending<S> {
        let (half, x) = (S::components(self.half), S::components(place));
        let mut corner = [0.0; 3];
        let mut along = None;
        let mut beyond = 0;
        for axis in 0..S::DIMENSION {
            if x[axis].abs() > half[axis] {
                corner[axis] = half[axis].copysign(x[axis]);
                beyond += 1;
            } else {
                along = Some(axis);
            }
        }
        let corner = S::vector(corner);
        match along {
            _ if beyond < 2 => Bending::Flat,
            Some(axis) if S::DIMENSION == 3 => {
                let mut direction = [0.0; 3];
                direction[axis] = 1.0;
                Bending::AboutAxis(corner, S::vector(direction))
            }
            _ => Bending::About(corner),
        }
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<S>)) {
        let half = S::components(self.half);
        for axis in 0..S::DIMENSION {
            for side in [1.0, -1.0] {
                let mut direction = [0.0; 3];
                direction[axis] = side;
                // From a face to an edge, and from an edge to a face.
                for offset in [half[axis], -half[axis]] {
                    visit(Gate::Plane(S::vector(direction), offset));
                }
            }
        }
    }
}

impl Footing<Space2> for Segment {
    fn feature(&self, place: glam::DVec2) -> u32 {
        let [from, to] = self.ends;
        let edge = to - from;
        u32::from(Linear::dot(place - from, edge) > 0.0)
            + u32::from(Linear::dot(place - to, edge) >= 0.0)
    }

    fn bending(&self, place: glam::DVec2) -> Bending<Space2> {
        match self.feature(place) {
            0 => Bending::About(self.ends[0]),
            1 => Bending::Flat,
            _ => Bending::About(self.ends[1]),
        }
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<Space2>)) {
        let [from, to] = self.ends;
        let edge = (to - from).unit().unwrap_or(glam::DVec2::X);
        for end in [from, to] {
            let offset = Linear::dot(edge, end);
            visit(Gate::Plane(-edge, -offset));
            visit(Gate::Plane(edge, offset));
        }
    }
}

impl Footing<Space2> for Arc {
    fn feature(&self, place: glam::DVec2) -> u32 {
        if self.faces(place) {
            return 0;
        }
        let [a, b] = self.ends.map(|end| (place - end).length());
        if a <= b { 1 } else { 2 }
    }

    fn bending(&self, place: glam::DVec2) -> Bending<Space2> {
        Bending::About(match self.feature(place) {
            0 => self.centre,
            1 => self.ends[0],
            _ => self.ends[1],
        })
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<Space2>)) {
        for end in self.ends {
            let side = (end - self.centre).perp().unit().unwrap_or(glam::DVec2::Y);
            let offset = Linear::dot(side, self.centre);
            visit(Gate::Plane(side, offset));
            visit(Gate::Plane(-side, -offset));
        }
        // Half-way between the ends, where a gap is narrower than a ball: beyond, the other one is the nearer.
        let [a, b] = self.ends;
        if let Some(side) = (b - a).unit() {
            let offset = Linear::dot(side, (a + b) * 0.5);
            visit(Gate::Plane(side, offset));
            visit(Gate::Plane(-side, -offset));
        }
    }
}

impl Footing<Space3> for Triangle {
    fn feature(&self, place: glam::DVec3) -> u32 {
        // By the sides of planes that the place is on, as for the nearest point (Ericson, Real-Time Collision
        // Detection, 5.1.5): which edges that lies on, a corner on two of them.
        let [a, b, c] = self.corners;
        let (ab, ac) = (b - a, c - a);
        let [(d1, d2), (d3, d4), (d5, d6)] = [a, b, c].map(|corner| {
            let arm = place - corner;
            (Linear::dot(ab, arm), Linear::dot(ac, arm))
        });
        if d1 <= 0.0 && d2 <= 0.0 {
            5
        } else if d3 >= 0.0 && d4 <= d3 {
            6
        } else if d6 >= 0.0 && d5 <= d6 {
            3
        } else if d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            4
        } else if d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            1
        } else if d3 * d6 - d5 * d4 <= 0.0 && d4 >= d3 && d5 >= d6 {
            2
        } else {
            0
        }
    }

    fn bending(&self, place: glam::DVec3) -> Bending<Space3> {
        let corners = self.corners;
        let on_edge = |index: u32| self.feature(place) >> (2 - index) & 1 == 1;
        let on: Vec<usize> = (0..3)
            .filter(|&index| on_edge(index))
            .map(|i| i as usize)
            .collect();
        match on[..] {
            [] => Bending::Flat,
            [index] => {
                let (from, to) = (corners[index], corners[(index + 1) % 3]);
                Bending::AboutAxis(from, (to - from).unit().unwrap_or(glam::DVec3::X))
            }
            _ => Bending::About(super::Obstacle::closest(self, place).point),
        }
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<Space3>)) {
        let [a, b, c] = self.corners;
        let face = (b - a).cross(c - a);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = (to - from).unit().unwrap_or(glam::DVec3::X);
            let out = edge.cross(face).unit().unwrap_or(glam::DVec3::Y);
            for (direction, at) in [(out, from), (edge, to), (-edge, from)] {
                let offset = Linear::dot(direction, at);
                visit(Gate::Plane(direction, offset));
                visit(Gate::Plane(-direction, -offset));
            }
        }
    }
}

impl Footing<Space3> for Cylinder {
    fn feature(&self, place: glam::DVec3) -> u32 {
        let height = Linear::dot(self.axis, place);
        let out = (place - self.axis * height).length() > self.radius;
        let end = u32::from(height > self.half_length) + 2 * u32::from(height < -self.half_length);
        end + 3 * u32::from(out)
    }

    fn bending(&self, place: glam::DVec3) -> Bending<Space3> {
        match self.feature(place) {
            0..=2 => Bending::Flat,
            3 => Bending::AboutAxis(glam::DVec3::ZERO, self.axis),
            _ => {
                let height = Linear::dot(self.axis, place);
                let centre = self.axis * self.half_length.copysign(height);
                Bending::AboutRing(centre, self.axis, self.radius)
            }
        }
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<Space3>)) {
        for offset in [self.half_length, -self.half_length] {
            visit(Gate::Plane(self.axis, offset));
            visit(Gate::Plane(-self.axis, offset));
        }
        for out in [1.0, -1.0] {
            visit(Gate::Tube(self.axis, self.radius, out));
        }
    }
}

impl Footing<Space3> for Tube {
    fn bending(&self, _place: glam::DVec3) -> Bending<Space3> {
        Bending::AboutAxis(glam::DVec3::ZERO, self.axis)
    }
}
