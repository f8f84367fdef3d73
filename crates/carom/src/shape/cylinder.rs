use super::tube::{across, is_round_about};
use super::{Closest, Obstacle, ShapeError, direction, positive};
use crate::motion::Pose;
use crate::space::{Linear, Space3};
use glam::DVec3;

/// A solid cylinder with flat ends about the origin of its body's frame.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Cylinder;
/// use carom::shape::Obstacle;
///
/// let pillar = Cylinder::new(DVec3::Z, 1.0, 0.25)?;
/// let nearest = pillar.closest(DVec3::new(1.25, 0.0, 0.5));
/// assert_eq!((nearest.distance, nearest.normal), (1.0, DVec3::X));
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Cylinder {
    /// Unit vector along the axis.
    pub axis: DVec3,
    /// Half the length along the axis, m.
    pub half_length: f64,
    /// Radius, m.
    pub radius: f64,
}

impl Cylinder {
    /// A cylinder with an axis, which need not have length one, and positive, finite sizes.
    pub fn new(axis: DVec3, half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Cylinder {
            axis: direction("axis", axis)?,
            half_length: positive("half_length", half_length)?,
            radius: positive("radius", radius)?,
        })
    }
}

impl Obstacle<Space3> for Cylinder {
    fn closest(&self, point: DVec3) -> Closest<Space3> {
        let height = Linear::dot(self.axis, point);
        let radial = point - self.axis * height;
        let out = radial.unit().unwrap_or_else(|| across(self.axis));
        let end = if height < 0.0 { -self.axis } else { self.axis };
        let beyond_end = height.abs() - self.half_length;
        let beyond_side = radial.length() - self.radius;
        let nearest_height = height.clamp(-self.half_length, self.half_length);
        if beyond_end > 0.0 && beyond_side > 0.0 {
            let rim = end * self.half_length + out * self.radius;
            let away = end * beyond_end + out * beyond_side;
            Closest {
                distance: away.length(),
                normal: away.unit().unwrap_or(end),
                point: rim,
            }
        } else if beyond_end > beyond_side {
            Closest {
                distance: beyond_end,
                normal: end,
                point: radial + end * self.half_length,
            }
        } else {
            Closest {
                distance: beyond_side,
                normal: out,
                point: self.axis * nearest_height + out * self.radius,
            }
        }
    }

    fn cast(&self, origin: DVec3, direction: DVec3) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        (self.half_length * self.half_length + self.radius * self.radius).sqrt()
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
