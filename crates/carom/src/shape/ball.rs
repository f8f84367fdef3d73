use super::{Closest, Obstacle, ShapeError, positive};
use crate::motion::Pose;
use crate::space::{Linear, Space};

/// A disc or sphere about the origin of its body's frame.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Ball;
/// use carom::shape::Obstacle;
///
/// let ball = Ball::new(0.5)?;
/// // A ray from 2 m away hits it after 1.5 m.
/// assert_eq!(Obstacle::<Space2>::cast(&ball, DVec2::new(-2.0, 0.0), DVec2::X), Some(1.5));
/// let wrong = Ball::new(-1.0).unwrap_err().to_string();
/// assert_eq!(wrong, "radius is -1, but must be a positive, finite number of metres");
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Ball {
    /// Radius, m.
    pub radius: f64,
}

impl Ball {
    /// A ball with a positive, finite radius.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Ball {
            radius: positive("radius", radius)?,
        })
    }
}

impl<S: Space> Obstacle<S> for Ball {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        let normal = point.unit().unwrap_or_else(|| S::vector([1.0, 0.0, 0.0]));
        Closest {
            distance: point.length() - self.radius,
            normal,
            point: normal * self.radius,
        }
    }

    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        self.first_on_ray::<S>(origin, direction)
    }

    fn reach(&self) -> f64 {
        self.radius
    }

    fn turns_into_itself(&self, pose: &Pose<S>, pivot: S::Vector, _spin: S::Angular) -> bool {
        pose.position == pivot
    }
}
