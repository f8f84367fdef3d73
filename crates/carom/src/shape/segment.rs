use super::{Closest, Obstacle, ShapeError};
use crate::space::{Linear, Space2};
use glam::DVec2;

/// A straight piece of thin wall in 2-D, hit from both sides and at both ends.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Segment;
/// use carom::shape::Obstacle;
///
/// let bar = Segment::new(DVec2::ZERO, DVec2::new(3.0, 0.0))?;
/// // Beyond an end, the end itself is nearest.
/// assert_eq!(bar.closest(DVec2::new(6.0, 4.0)).distance, 5.0);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Segment {
    /// The ends, in the body's frame, m.
    pub ends: [DVec2; 2],
}

impl Segment {
    /// A segment between two different, finite points.
    pub fn new(from: DVec2, to: DVec2) -> Result<Self, ShapeError> {
        if from.is_finite() && to.is_finite() && (to - from).unit().is_some() {
            Ok(Segment { ends: [from, to] })
        } else {
            Err(ShapeError {
                field: "ends",
                value: format!("{from} and {to}"),
                allowed: "two different, finite points",
            })
        }
    }
}

/// The nearest place of a thin curve, when the place itself is known.
pub(super) fn from_thin<S: crate::space::Space>(
    point: S::Vector,
    place: S::Vector,
    fallback: S::Vector,
) -> Closest<S> {
    let away = point - place;
    Closest {
        distance: away.length(),
        normal: away.unit().unwrap_or(fallback),
        point: place,
    }
}

impl Obstacle<Space2> for Segment {
    fn closest(&self, point: DVec2) -> Closest<Space2> {
        let [from, to] = self.ends;
        let edge = to - from;
        let side = edge.perp().unit().unwrap_or(DVec2::Y);
        let along = Linear::dot(point - from, edge);
        if along <= 0.0 {
            from_thin(point, from, side)
        } else if Linear::dot(point - to, edge) >= 0.0 {
            from_thin(point, to, side)
        } else {
            let height = Linear::dot(point - from, side);
            let normal = if height < 0.0 { -side } else { side };
            Closest {
                distance: height.abs(),
                normal,
                point: point - side * height,
            }
        }
    }

    fn cast(&self, origin: DVec2, direction: DVec2) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        self.ends[0].length().max(self.ends[1].length())
    }
}
