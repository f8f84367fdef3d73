use super::{Closest, Obstacle, ShapeError, positive};
use crate::motion::Pose;
use crate::space::{Linear, Space};

/// A circular or spherical hollow about the origin of its body's frame: empty inside, solid outside.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Hollow;
/// use carom::shape::Obstacle;
///
/// let bowl = Hollow::new(2.0)?;
/// // From inside, the wall is as far as the radius less the distance from the centre.
/// let nearest = Obstacle::<Space2>::closest(&bowl, DVec2::new(0.5, 0.0));
/// assert_eq!((nearest.distance, nearest.normal), (1.5, -DVec2::X));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Hollow {
    /// Radius of the container, m.
    pub radius: f64,
}

impl Hollow {
    /// A container with a positive, finite radius.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Hollow {
            radius: positive("radius", radius)?,
        })
    }
}

impl<S: Space> Obstacle<S> for Hollow {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        let outward = point.unit().unwrap_or_else(|| S::vector([1.0, 0.0, 0.0]));
        Closest {
            distance: self.radius - point.length(),
            normal: -outward,
            point: outward * self.radius,
        }
    }

    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        self.first_on_ray::<S>(origin, direction)
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    fn hollow_centre(&self, _point: S::Vector) -> Option<S::Vector> {
        Some(S::Vector::ZERO)
    }

    fn turns_into_itself(&self, pose: &Pose<S>, pivot: S::Vector, _spin: S::Angular) -> bool {
        pose.position == pivot
    }
}
