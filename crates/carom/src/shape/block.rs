use super::{Closest, Obstacle, ShapeError, positive};
use crate::space::{Linear, Space};

/// A solid rectangle or box about the origin of its body's frame, with its sides along the axes of that frame.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::Block;
/// use carom::shape::Obstacle;
///
/// let crate_ = Block::<Space3>::new(DVec3::new(0.5, 0.5, 0.2))?;
/// let nearest = crate_.closest(DVec3::new(0.0, 0.0, 1.2));
/// assert_eq!(nearest.distance, 1.0);
/// assert_eq!(nearest.normal, DVec3::Z);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "")
)]
pub struct Block<S: Space> {
    /// Half the side along each axis, m.
    pub half: S::Vector,
}

impl<S: Space> Block<S> {
    /// A block with positive, finite half sides.
    pub fn new(half: S::Vector) -> Result<Self, ShapeError> {
        for &side in &S::components(half)[..S::DIMENSION] {
            positive("half", side)?;
        }
        Ok(Block { half })
    }
}

impl<S: Space> Obstacle<S> for Block<S> {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        let half = S::components(self.half);
        let x = S::components(point);
        let mut place = x;
        let mut deepest = (f64::NEG_INFINITY, 0);
        for axis in 0..S::DIMENSION {
            place[axis] = x[axis].clamp(-half[axis], half[axis]);
            let beyond = x[axis].abs() - half[axis];
            if beyond > deepest.0 {
                deepest = (beyond, axis);
            }
        }
        let (beyond, axis) = deepest;
        let mut face = [0.0; 3];
        face[axis] = 1.0_f64.copysign(x[axis]);
        if beyond > 0.0 {
            let away = point - S::vector(place);
            Closest {
                distance: away.length(),
                normal: away.unit().unwrap_or(S::vector(face)),
                point: S::vector(place),
            }
        } else {
            place[axis] = half[axis].copysign(x[axis]);
            Closest {
                distance: beyond,
                normal: S::vector(face),
                point: S::vector(place),
            }
        }
    }

    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        self.first_on_ray(origin, direction)
    }

    fn reach(&self) -> f64 {
        self.half.length()
    }
}
