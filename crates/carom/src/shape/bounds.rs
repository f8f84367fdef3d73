use super::length::length_range;
use super::{Ball, Block, Cylinder, Mesh, MeshError, Polyhedron};
use crate::arrays::Each;
use crate::motion::Pose;
use crate::space::{Linear, Space, Space3, UNIT_ROUNDOFF};
use glam::DVec3;
use std::f64::consts::PI;

/// The two spheres about a body's centre of mass; in 2-D, circles. Computed once, valid however the body
/// is turned.
///
/// The source calls the radii `R_min` (the smallest sphere around it) and `R_max` (the largest inside it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<S: Space> {
    /// In the body's frame, m. The radii are about this very point, whatever the rounding of its coordinates.
    pub centre_of_mass: S::Vector,
    /// Radius of a sphere that certainly contains the solid, m: the smallest one, rounded up.
    pub enclosing: f64,
    /// Radius of a sphere that the solid certainly contains, m: the largest one, rounded down. Zero where there is
    /// none, because the centre of mass lies outside the solid or too close to its surface to be sure.
    pub enclosed: f64,
}

impl<S: Space> Bounds<S> {
    /// Of a disc or sphere: it is both.
    pub fn of_ball(ball: &Ball) -> Self {
        Bounds {
            centre_of_mass: S::Vector::ZERO,
            enclosing: ball.radius,
            enclosed: ball.radius,
        }
    }

    /// Of a rectangle or box: half its diagonal, and half its shortest side.
    pub fn of_block(block: &Block<S>) -> Self {
        let half = S::components(block.half);
        Bounds {
            centre_of_mass: S::Vector::ZERO,
            enclosing: length_range::<S>(block.half).1,
            enclosed: half[..S::DIMENSION]
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min),
        }
    }

    /// The centre of mass in the world when the body is at a pose, m.
    pub fn centre_in(&self, pose: &Pose<S>) -> S::Vector {
        pose.to_world(self.centre_of_mass)
    }
}

impl Bounds<Space3> {
    /// Of a cylinder: the distance of its rims, and the lesser of its radius and half its length.
    pub fn of_cylinder(cylinder: &Cylinder) -> Self {
        let rim = DVec3::new(cylinder.radius, cylinder.half_length, 0.0);
        Bounds {
            centre_of_mass: DVec3::ZERO,
            enclosing: length_range::<Space3>(rim).1,
            enclosed: cylinder.radius.min(cylinder.half_length),
        }
    }

    /// Of a convex polyhedron: the distances of its farthest corner and of its nearest face.
    pub fn of_polyhedron(polyhedron: &Polyhedron) -> Self {
        let triangles: Vec<[DVec3; 3]> = polyhedron.triangles().collect();
        about(polyhedron.centre_of_mass(), &triangles)
    }

    /// Of the solid inside a mesh: the distances of its farthest corner and of its nearest triangle, or the reason why
    /// the mesh has no inside.
    ///
    /// The nearest *triangle*, not the nearest plane of one as in the source: the plane of a concave solid's face may
    /// pass through its centre of mass. A cavity is a second surface inside the first, its triangles facing it.
    pub fn of_mesh(mesh: &Mesh) -> Result<Self, MeshError> {
        let triangles: Vec<[DVec3; 3]> = mesh.facets().collect();
        Ok(about(mesh.content()?.centre_of_mass, &triangles))
    }
}

/// The bounds of a closed surface about a point.
fn about(centre: DVec3, triangles: &[[DVec3; 3]]) -> Bounds<Space3> {
    let arms = || triangles.iter().map(|t| t.map(|corner| corner - centre));
    let enclosing = arms()
        .flatten()
        .map(|arm| length_range::<Space3>(arm).1)
        .fold(0.0, f64::max);
    let enclosed = if certainly_inside(arms()) {
        arms().map(certain_distance).fold(f64::INFINITY, f64::min)
    } else {
        0.0
    };
    Bounds {
        centre_of_mass: centre,
        enclosing,
        enclosed,
    }
}

/// A number that the distance of a triangle from the origin certainly reaches, and exceeds by rounding only.
///
/// For every direction g with |g| ≤ 1 and every point x of the triangle, `|x| ≥ g·x`, and `g·x` is least at a corner.
/// So each g yields a lower bound, and however badly g is rounded it stays one. The best g points to the nearest place,
/// which is in the face (g is its normal) or on an edge: five directions, of which the best bound is taken. Nothing has
/// to be decided, so slivers are no special case.
///
/// The arms and the products of `g·x` round by 4u|x|, and |g| ≤ 1 by division with an upper bound of
/// its length, to within 2u: less than the 16u taken off.
fn certain_distance(corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let farthest = corners
        .each(|x| length_range::<Space3>(x).1)
        .into_iter()
        .fold(0.0, f64::max);
    let best = [
        normal,
        -normal,
        nearest_of_edge(a, b),
        nearest_of_edge(b, c),
        nearest_of_edge(c, a),
    ]
    .into_iter()
    .map(|direction| direction / length_range::<Space3>(direction).1)
    .filter(|g| g.is_finite())
    .map(|g| {
        corners
            .each(|x| Linear::dot(g, x))
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    })
    .fold(0.0, f64::max);
    let certain = best - (16.0 * UNIT_ROUNDOFF * farthest + f64::MIN_POSITIVE);
    // Not `max`, which would turn NaN into a bound.
    if certain > 0.0 { certain } else { 0.0 }
}

/// The place of an edge that is nearest to the origin, to within rounding.
fn nearest_of_edge(from: DVec3, to: DVec3) -> DVec3 {
    let edge = to - from;
    let part = -Linear::dot(from, edge) / Linear::length_squared(edge);
    from + edge * part.clamp(0.0, 1.0)
}

/// Whether a closed surface winds around the origin at least once, beyond the doubt of rounding.
///
/// The solid angle Ω of a triangle seen from the origin, with unit vectors a, b, c towards its corners, is
/// `tan(Ω/2) = a·(b×c) / (1 + a·b + b·c + c·a)` (Van Oosterom and Strackee, 1983). Over a closed surface the sum is 4π
/// times an integer, the winding number: 1 inside a simple solid, 0 outside and in a cavity.
///
/// Numerator and denominator are off by less than 64u in all (unit vectors 4u a component, three products and sums of
/// them), so the angle Ω/2 by (π/2)·64u/h with h the hypotenuse, which vanishes where the origin is on an edge. The
/// sum rounds by at most its number of terms times u of the sum of sizes. If all this stays below π (2π would do) the
/// integer is certain.
fn certainly_inside(triangles: impl Iterator<Item = [DVec3; 3]>) -> bool {
    let (mut sum, mut sizes, mut doubt, mut count) = (0.0_f64, 0.0, 0.0_f64, 0.0);
    for corners in triangles {
        let [a, b, c] = corners.each(|arm| arm / length_range::<Space3>(arm).1);
        let sine = Linear::dot(a, b.cross(c));
        let cosine = 1.0 + Linear::dot(a, b) + Linear::dot(b, c) + Linear::dot(c, a);
        let hypotenuse = (sine * sine + cosine * cosine).sqrt();
        let angle = 2.0 * libm::atan2(sine, cosine);
        sum += angle;
        sizes += angle.abs();
        doubt += UNIT_ROUNDOFF * (256.0 / hypotenuse + 16.0);
        count += 1.0;
    }
    doubt += UNIT_ROUNDOFF * count * sizes;
    // NaN, from a corner at the origin or from overflow, fails the first test.
    doubt < PI && sum > 2.0 * PI
}
