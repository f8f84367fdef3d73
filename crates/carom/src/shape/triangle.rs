use super::segment::from_thin;
use super::{Closest, Obstacle, ShapeError};
use crate::space::{Linear, Solid};
use glam::DVec3;

/// A flat, thin triangle in space, hit from both sides, along its edges and at its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl Obstacle<Solid> for Triangle {
    /// Inside of all three edges the face is nearest, otherwise an edge or one of its ends.
    fn closest(&self, point: DVec3) -> Closest<Solid> {
        let [a, b, c] = self.corners;
        let face = (b - a).cross(c - a);
        let side = face.unit().unwrap_or(DVec3::Z);
        let edges = [(a, b), (b, c), (c, a)];
        if edges
            .iter()
            .all(|&(from, to)| Linear::dot(face.cross(to - from), point - from) >= 0.0)
        {
            let height = Linear::dot(point - a, side);
            let normal = if height < 0.0 { -side } else { side };
            return Closest {
                distance: height.abs(),
                normal,
                point: point - side * height,
            };
        }
        edges
            .map(|(from, to)| {
                let edge = to - from;
                let along = Linear::dot(point - from, edge);
                let place = if along <= 0.0 {
                    from
                } else if Linear::dot(point - to, edge) >= 0.0 {
                    to
                } else {
                    from + edge * (along / edge.length_squared())
                };
                from_thin::<Solid>(point, place, side)
            })
            .into_iter()
            .reduce(|best, other| {
                if other.distance < best.distance {
                    other
                } else {
                    best
                }
            })
            .expect("a triangle has three edges")
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn reach(&self) -> f64 {
        self.corners
            .iter()
            .map(|corner| corner.length())
            .fold(0.0, f64::max)
    }
}
