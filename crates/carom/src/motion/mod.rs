//! Where a body is at time t.

mod drive;
mod field;
mod flight;
mod integrate;
mod load;
mod segment;

pub(crate) use drive::Stroke;
pub use drive::{Drive, DriveError, KinematicState};
pub use field::{
    BallFields, BoxError, Drag, Field, FieldError, Fields, ForceFunction, Lift, Named, Part,
    Region, RotationalDrag, Situation, Wind, WindFunction,
};
pub(crate) use field::{FieldForce, InFields};
pub use flight::Flight;
pub(crate) use integrate::sides_at;
pub use integrate::{
    Border, Departure, FlightError, Integrator, Rates, Sides, Tolerance, explicit_euler,
    fixed_segment, next_segment, segment,
};
pub use load::{Formula, FormulaError, Load};
pub use segment::{Curve, TrajectorySegment};

use crate::space::{Linear, Space};

/// Where a body is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "")
)]
pub struct Pose<S: Space> {
    /// Of the origin of the body's frame; for a free body its centre of mass, m.
    pub position: S::Vector,
    /// Of the body's frame relative to the world's.
    pub rotation: S::Rotation,
}

impl<S: Space> Pose<S> {
    /// At a position, not turned.
    pub fn at(position: S::Vector) -> Self {
        Pose {
            position,
            rotation: S::no_rotation(),
        }
    }

    /// A world point in the body's frame.
    pub fn to_local(&self, point: S::Vector) -> S::Vector {
        S::unrotate(self.rotation, point - self.position)
    }

    /// A point of the body's frame in the world.
    pub fn to_world(&self, point: S::Vector) -> S::Vector {
        self.position + S::rotate(self.rotation, point)
    }
}

impl<S: Space> Default for Pose<S> {
    fn default() -> Self {
        Pose::at(S::Vector::ZERO)
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([S: Space] Pose<S>, Pose::<S>::check_stored);

#[cfg(feature = "serde")]
impl<S: Space> Pose<S> {
    /// Whether it is a place and a rotation, as those that are computed are.
    fn check_stored(&self) -> Result<(), String> {
        if !self.position.is_finite() {
            return Err(format!(
                "position is {:?}, but must be made of finite numbers",
                self.position
            ));
        }
        if S::is_rotation(self.rotation) {
            Ok(())
        } else {
            Err(format!(
                "rotation is {:?}, but must turn and not stretch",
                self.rotation
            ))
        }
    }
}
