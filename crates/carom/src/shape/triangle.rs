use super::segment::from_thin;
use super::{Closest, Obstacle, ShapeError};
use crate::space::{Linear, Space3};
use glam::DVec3;

/// A flat, thin triangle in 3-D, hit from both sides, along its edges and at its corners.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Triangle;
/// use carom::shape::Obstacle;
///
/// let sail = Triangle::new([DVec3::ZERO, DVec3::X, DVec3::Y])?;
/// assert_eq!(sail.closest(DVec3::new(0.25, 0.25, -2.0)).distance, 2.0);
/// assert!(Triangle::new([DVec3::ZERO, DVec3::X, 2.0 * DVec3::X]).is_err());
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Triangle {
    /// The corners, in the body's frame, m.
    pub corners: [DVec3; 3],
}

impl Triangle {
    /// A triangle with finite corners that are not on one line.
    pub fn new(corners: [DVec3; 3]) -> Result<Self, ShapeError> {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let longest = (b - a).length().max((c - a).length());
        if corners.iter().all(|corner| corner.is_finite())
            && normal.length() > 1e-14 * longest * longest
        {
            Ok(Triangle { corners })
        } else {
            Err(ShapeError {
                field: "corners",
                value: format!("{a}, {b}, {c}"),
                allowed: "three finite points that are not on one line",
            })
        }
    }
}

impl Obstacle<Space3> for Triangle {
    /// A corner, where the point lies behind it along both of its edges; an edge, where it lies beside that edge and
    /// outside of it; else the face. The regions are told apart by signs, not by comparing distances, which are equal
    /// to rounding near the seams.
    fn closest(&self, point: DVec3) -> Closest<Space3> {
        let [a, b, c] = self.corners;
        let face = (b - a).cross(c - a);
        let side = face.unit().unwrap_or(DVec3::Z);
        for (corner, one, other) in [(a, b, c), (b, c, a), (c, a, b)] {
            let away = point - corner;
            if Linear::dot(away, one - corner) <= 0.0 && Linear::dot(away, other - corner) <= 0.0 {
                return from_thin(point, corner, side);
            }
        }
        // Outside of an obtuse corner a point can lie beside two edges: the nearer one counts.
        let beside = [(a, b), (b, c), (c, a)]
            .into_iter()
            .filter_map(|(from, to)| {
                let edge = to - from;
                let along = Linear::dot(point - from, edge);
                let outside = Linear::dot(face.cross(edge), point - from) < 0.0;
                let between = along > 0.0 && Linear::dot(point - to, edge) < 0.0;
                (outside && between)
                    .then(|| from_thin(point, from + edge * (along / edge.length_squared()), side))
            });
        beside
            .reduce(|best, next| {
                if next.distance < best.distance {
                    next
                } else {
                    best
                }
            })
            .unwrap_or_else(|| {
                let height = Linear::dot(point - a, side);
                let normal = if height < 0.0 { -side } else { side };
                Closest {
                    distance: height.abs(),
                    normal,
                    point: point - side * height,
                }
            })
    }

    fn cast(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        self.corners
            .iter()
            .map(|corner| corner.length())
            .fold(0.0, f64::max)
    }
}
