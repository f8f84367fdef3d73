//! Where does a ray meet a shape? In the shape's own frame, for an origin outside of it and a direction of length one;
//! the answer is a distance in metres. Plain `f64`: queries are answers to the caller and never become state.

use super::{Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Triangle, Tube};
use crate::space::{Linear, Space};
use glam::{DVec2, DVec3};

/// The first root `t ≥ 0` at which the distance from a centre is a radius, from outside; `x` is the origin seen from
/// the centre.
///
/// `|x + d t|² = R²`; the discriminant `R² − |x × d|²` does not cancel for far balls.
pub(super) fn round<S: Space>(x: S::Vector, direction: S::Vector, radius: f64) -> Option<f64> {
    let h = x.dot(direction);
    let a = direction.length_squared();
    let discriminant = radius * radius * a - S::area_squared(x, direction);
    let c = x.length_squared() - radius * radius;
    (h < 0.0 && discriminant >= 0.0 && c >= 0.0).then(|| c / (discriminant.sqrt() - h))
}

/// The root at which the ray leaves a sphere or circle from within.
fn way_out<S: Space>(x: S::Vector, direction: S::Vector, radius: f64) -> Option<f64> {
    let h = x.dot(direction);
    let discriminant = radius * radius * direction.length_squared() - S::area_squared(x, direction);
    let c = x.length_squared() - radius * radius;
    if c > 0.0 || discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    // Without cancellation whichever way it looks.
    Some(if h > 0.0 {
        -c / (h + root)
    } else {
        (root - h) / direction.length_squared()
    })
}

impl Ball {
    pub(super) fn first_on_ray<S: Space>(
        &self,
        origin: S::Vector,
        direction: S::Vector,
    ) -> Option<f64> {
        round::<S>(origin, direction, self.radius)
    }
}

impl Hollow {
    pub(super) fn first_on_ray<S: Space>(
        &self,
        origin: S::Vector,
        direction: S::Vector,
    ) -> Option<f64> {
        way_out::<S>(origin, direction, self.radius)
    }
}

impl<S: Space> HalfSpace<S> {
    pub(super) fn first_on_ray(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        let (height, rate) = (self.normal.dot(origin), self.normal.dot(direction));
        let towards = height * rate < 0.0 || height == 0.0;
        let seen = self.two_sided || height >= 0.0;
        (towards && seen).then(|| if height == 0.0 { 0.0 } else { -height / rate })
    }
}

impl<S: Space> Block<S> {
    /// In between all pairs of faces at once.
    pub(super) fn first_on_ray(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        let (half, o, d) = (
            S::components(self.half),
            S::components(origin),
            S::components(direction),
        );
        let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..S::DIMENSION {
            if d[axis] == 0.0 {
                if o[axis].abs() > half[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = (
                (-half[axis] - o[axis]) / d[axis],
                (half[axis] - o[axis]) / d[axis],
            );
            enters = enters.max(a.min(b));
            leaves = leaves.min(a.max(b));
        }
        (enters <= leaves && enters >= 0.0).then_some(enters)
    }
}

impl Segment {
    pub(super) fn first_on_ray(&self, origin: DVec2, direction: DVec2) -> Option<f64> {
        let [from, to] = self.ends;
        let along = to - from;
        let across = direction.perp_dot(along);
        let start = from - origin;
        let distance = start.perp_dot(along) / across;
        let share = start.perp_dot(direction) / across;
        (across != 0.0 && distance >= 0.0 && (0.0..=1.0).contains(&share)).then_some(distance)
    }
}

impl Arc {
    pub(super) fn first_on_ray(&self, origin: DVec2, direction: DVec2) -> Option<f64> {
        let x = origin - self.centre;
        let near = round::<crate::space::Space2>(x, direction, self.radius);
        let far = match near {
            // Through the circle to its other side.
            Some(near) => Some(near - 2.0 * direction.dot(x + direction * near)),
            None => way_out::<crate::space::Space2>(x, direction, self.radius),
        };
        [near, far]
            .into_iter()
            .flatten()
            .find(|&distance| distance >= 0.0 && self.faces(origin + direction * distance))
    }
}

impl Triangle {
    /// Möller and Trumbore's: the place on the face by its shares of two edges.
    pub(super) fn first_on_ray(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        let [a, b, c] = self.corners;
        let (u, v) = (b - a, c - a);
        let across = direction.cross(v);
        let volume = u.dot(across);
        let start = origin - a;
        let first = start.dot(across) / volume;
        let turned = start.cross(u);
        let second = direction.dot(turned) / volume;
        let distance = v.dot(turned) / volume;
        let inside = first >= 0.0 && second >= 0.0 && first + second <= 1.0;
        (volume != 0.0 && inside && distance >= 0.0).then_some(distance)
    }
}

impl Cylinder {
    pub(super) fn first_on_ray(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        let (height, rate) = (self.axis.dot(origin), self.axis.dot(direction));
        let (x, d) = (origin - self.axis * height, direction - self.axis * rate);
        let side = round::<crate::space::Space3>(x, d, self.radius)
            .filter(|distance| (height + rate * distance).abs() <= self.half_length);
        let ends = [self.half_length, -self.half_length].map(|end| {
            let distance = (end - height) / rate;
            let inside = (x + d * distance).length() <= self.radius;
            (rate != 0.0 && distance >= 0.0 && inside).then_some(distance)
        });
        [side, ends[0], ends[1]]
            .into_iter()
            .flatten()
            .reduce(f64::min)
    }
}

impl Tube {
    /// From within: out through the wall, unless it looks along the axis.
    pub(super) fn first_on_ray(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        let (height, rate) = (self.axis.dot(origin), self.axis.dot(direction));
        let (x, d) = (origin - self.axis * height, direction - self.axis * rate);
        way_out::<crate::space::Space3>(x, d, self.radius).filter(|distance| distance.is_finite())
    }
}
