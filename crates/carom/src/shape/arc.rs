use super::segment::from_thin;
use super::{Closest, Obstacle, ShapeError, positive};
use crate::motion::Pose;
use crate::space::{Linear, Space2, Turn};
use glam::DVec2;

/// A piece of thin circular wall in 2-D, hit from inside, from outside and at both ends.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Arc;
/// use carom::shape::Obstacle;
/// use std::f64::consts::PI;
///
/// // The upper half of a circle.
/// let arch = Arc::new(DVec2::ZERO, 1.0, 0.0, PI)?;
/// assert!((arch.closest(DVec2::new(0.0, 3.0)).distance - 2.0).abs() < 1e-15);
/// // Below, one of its ends is nearest.
/// assert!((arch.closest(DVec2::new(1.0, -3.0)).distance - 3.0).abs() < 1e-15);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Arc {
    /// Centre of the circle, in the body's frame, m.
    pub centre: DVec2,
    /// Radius of the circle, m.
    pub radius: f64,
    /// Unit direction from the centre to the middle of the arc.
    pub middle: DVec2,
    /// Cosine of half the angle that the arc spans.
    pub cos_half: f64,
    /// The ends, m.
    pub ends: [DVec2; 2],
}

impl Arc {
    /// The arc that starts at angle `start` and goes counter-clockwise over `sweep`, both in radians; `0 < sweep ≤ 2π`.
    pub fn new(centre: DVec2, radius: f64, start: f64, sweep: f64) -> Result<Self, ShapeError> {
        let wrong = |field, value: String, allowed| {
            Err(ShapeError {
                field,
                value,
                allowed,
            })
        };
        if !centre.is_finite() {
            return wrong("centre", centre.to_string(), "a finite point");
        }
        if !start.is_finite() {
            return wrong("start", start.to_string(), "a finite angle in radians");
        }
        if !(sweep > 0.0 && sweep <= std::f64::consts::TAU) {
            return wrong(
                "sweep",
                sweep.to_string(),
                "an angle in radians, above 0 and at most 2π",
            );
        }
        let radius = positive("radius", radius)?;
        let direction = |angle| {
            let Turn { cos, sin } = Turn::by(angle);
            DVec2::new(cos, sin)
        };
        Ok(Arc {
            centre,
            radius,
            middle: direction(start + sweep / 2.0),
            cos_half: Turn::by(sweep / 2.0).cos,
            ends: [
                centre + direction(start) * radius,
                centre + direction(start + sweep) * radius,
            ],
        })
    }

    /// Whether the direction from the centre to this point meets the arc.
    pub(crate) fn faces(&self, point: DVec2) -> bool {
        let from_centre = point - self.centre;
        Linear::dot(from_centre, self.middle) >= self.cos_half * from_centre.length()
    }
}

impl Obstacle<Space2> for Arc {
    fn closest(&self, point: DVec2) -> Closest<Space2> {
        if self.faces(point) {
            let from_centre = point - self.centre;
            let outward = from_centre.unit().unwrap_or(self.middle);
            let place = self.centre + outward * self.radius;
            let height = from_centre.length() - self.radius;
            let normal = if height < 0.0 { -outward } else { outward };
            Closest {
                distance: height.abs(),
                normal,
                point: place,
            }
        } else {
            let [a, b] = self.ends.map(|end| from_thin(point, end, self.middle));
            if a.distance <= b.distance { a } else { b }
        }
    }

    fn cast(&self, origin: DVec2, direction: DVec2) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        self.centre.length() + self.radius
    }

    fn hollow_centre(&self, _point: DVec2) -> Option<DVec2> {
        Some(self.centre)
    }

    /// A full circle; its two ends are one point, and no more than any other.
    fn turns_into_itself(&self, pose: &Pose<Space2>, pivot: DVec2, _spin: f64) -> bool {
        self.cos_half == -1.0 && pose.to_world(self.centre) == pivot
    }

    fn rivals(&self, point: DVec2) -> [Option<Closest<Space2>>; 2] {
        self.ends
            .map(|end| Some(from_thin(point, end, self.middle)))
    }
}
