use super::{Closest, Obstacle, ShapeError, direction};
use crate::motion::Pose;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// A straight wall without end, through the origin of its body's frame: a line in 2-D, a plane in 3-D.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::HalfSpace;
/// use carom::shape::Obstacle;
///
/// let floor = HalfSpace::<Space2>::solid(DVec2::new(0.0, 3.0))?;
/// assert_eq!(floor.normal, DVec2::Y);
/// assert_eq!(floor.closest(DVec2::new(7.0, -2.0)).distance, -2.0); // inside it
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "")
)]
pub struct HalfSpace<S: Space> {
    /// Unit normal, pointing out of the wall into the container.
    pub normal: S::Vector,
    /// Whether the wall is a bare line or plane that can be hit from either side. Otherwise everything behind it is
    /// solid.
    pub two_sided: bool,
}

impl<S: Space> HalfSpace<S> {
    /// A solid wall: everything on the other side of the normal is inside it. The normal need not have length one.
    pub fn solid(normal: S::Vector) -> Result<Self, ShapeError> {
        Ok(HalfSpace {
            normal: direction("normal", normal)?,
            two_sided: false,
        })
    }

    /// A bare line or plane, hit from either side.
    pub fn two_sided(normal: S::Vector) -> Result<Self, ShapeError> {
        Ok(HalfSpace {
            two_sided: true,
            ..Self::solid(normal)?
        })
    }
}

impl<S: Space> Obstacle<S> for HalfSpace<S> {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        let height = self.normal.dot(point);
        let foot = point - self.normal * height;
        if self.two_sided && height < 0.0 {
            Closest {
                distance: -height,
                normal: -self.normal,
                point: foot,
            }
        } else {
            Closest {
                distance: height,
                normal: self.normal,
                point: foot,
            }
        }
    }

    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    /// About an axis along its normal, wherever that is.
    fn turns_into_itself(
        &self,
        pose: &Pose<S>,
        _pivot: S::Vector,
        angular_velocity: S::Angular,
    ) -> bool {
        let carried = S::surface_velocity(angular_velocity, S::rotate(pose.rotation, self.normal));
        carried.length() <= 4.0 * UNIT_ROUNDOFF * angular_velocity.length()
    }
}
