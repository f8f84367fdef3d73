use super::{Closest, Obstacle, ShapeError, direction, positive};
use crate::motion::Pose;
use crate::space::{Linear, Space, Space3, UNIT_ROUNDOFF};
use glam::DVec3;

/// The inside of a round tube without end, along an axis through the origin of its body's frame: empty inside, solid
/// outside.
///
/// Two straight walls across it make it a cylindrical container.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Tube;
/// use carom::shape::Obstacle;
///
/// let pipe = Tube::new(DVec3::X, 0.5)?;
/// assert_eq!(pipe.closest(DVec3::new(9.0, 0.25, 0.0)).distance, 0.25);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Tube {
    /// Unit vector along the axis.
    pub axis: DVec3,
    /// Radius of the inside, m.
    pub radius: f64,
}

impl Tube {
    /// A tube with an axis, which need not have length one, and a positive, finite radius.
    pub fn new(axis: DVec3, radius: f64) -> Result<Self, ShapeError> {
        Ok(Tube {
            axis: direction("axis", axis)?,
            radius: positive("radius", radius)?,
        })
    }

    /// The place on the axis that is nearest to a point.
    fn foot(&self, point: DVec3) -> DVec3 {
        self.axis * Linear::dot(self.axis, point)
    }
}

/// Some unit vector across an axis.
pub(super) fn across(axis: DVec3) -> DVec3 {
    let helper = if axis.x.abs() < 0.6 {
        DVec3::X
    } else {
        DVec3::Y
    };
    axis.cross(helper).unit().unwrap_or(DVec3::Z)
}

/// Whether turning about a point of space leaves whatever is round about an axis where it is: axis and spin are
/// parallel, and the axis leads through the point; up to a few units of rounding, which move no surface by more than
/// the rounding of its own place.
pub(super) fn is_round_about(
    axis: DVec3,
    pose: &Pose<Space3>,
    pivot: DVec3,
    angular_velocity: DVec3,
) -> bool {
    let axis = Space3::rotate(pose.rotation, axis);
    let arm = pose.position - pivot;
    let size = pose.position.length() + pivot.length();
    axis.cross(angular_velocity).length() <= 4.0 * UNIT_ROUNDOFF * angular_velocity.length()
        && axis.cross(arm).length() <= 4.0 * UNIT_ROUNDOFF * size
}

impl Obstacle<Space3> for Tube {
    fn closest(&self, point: DVec3) -> Closest<Space3> {
        let foot = self.foot(point);
        let radial = point - foot;
        let outward = radial.unit().unwrap_or_else(|| across(self.axis));
        Closest {
            distance: self.radius - radial.length(),
            normal: -outward,
            point: foot + outward * self.radius,
        }
    }

    fn cast(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    fn hollow_centre(&self, point: DVec3) -> Option<DVec3> {
        Some(self.foot(point))
    }

    fn turns_into_itself(
        &self,
        pose: &Pose<Space3>,
        pivot: DVec3,
        angular_velocity: DVec3,
    ) -> bool {
        is_round_about(self.axis, pose, pivot, angular_velocity)
    }
}
