use super::{Linear, LinearMap, Space, sealed};
use glam::{DMat2, DMat3, DQuat, DVec2};

/// 2-D: discs, segments, scalar angular velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Space2;

/// An orientation in 2-D, as the cosine and sine of its angle.
///
/// Not the angle itself: rotating by an angle needs a sine and a cosine each time, and an angle grows without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
pub struct Turn {
    /// Cosine of the angle.
    pub cos: f64,
    /// Sine of the angle.
    pub sin: f64,
}

impl Turn {
    /// The turn by an angle in radians, counter-clockwise.
    #[inline]
    pub fn by(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Turn { cos, sin }
    }
}

impl Linear for DVec2 {
    const ZERO: Self = DVec2::ZERO;

    #[inline]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    #[inline]
    fn is_finite(self) -> bool {
        DVec2::is_finite(self)
    }
}

impl LinearMap<DVec2> for DMat2 {
    #[inline]
    fn scaled_identity(scale: f64) -> Self {
        DMat2::from_diagonal(DVec2::splat(scale))
    }

    #[inline]
    fn inverse(self) -> Option<Self> {
        let inverse = DMat2::inverse(&self);
        inverse.is_finite().then_some(inverse)
    }
}

impl sealed::Sealed for Space2 {}

impl Space for Space2 {
    const DIMENSION: usize = 2;
    type Vector = DVec2;
    type Angular = f64;
    type Rotation = Turn;
    type Inertia = f64;
    type Matrix = DMat2;

    #[inline]
    fn components(vector: DVec2) -> [f64; 3] {
        [vector.x, vector.y, 0.0]
    }

    #[inline]
    fn vector([x, y, _]: [f64; 3]) -> DVec2 {
        DVec2::new(x, y)
    }

    #[inline]
    fn area_squared(a: DVec2, b: DVec2) -> f64 {
        let area = a.x * b.y - a.y * b.x;
        area * area
    }

    #[inline]
    fn torque(arm: DVec2, force: DVec2) -> f64 {
        arm.x * force.y - arm.y * force.x
    }

    #[inline]
    fn surface_velocity(angular_velocity: f64, arm: DVec2) -> DVec2 {
        DVec2::new(-angular_velocity * arm.y, angular_velocity * arm.x)
    }

    #[inline]
    fn isotropic_inertia(inertia: f64) -> f64 {
        inertia
    }

    #[inline]
    fn angular_response(inverse_inertia: f64, torque: f64) -> f64 {
        inverse_inertia * torque
    }

    #[inline]
    fn turning_matrix(inverse_inertia: f64, arm: DVec2) -> DMat2 {
        let DVec2 { x, y } = arm;
        let mixed = -(x * y) * inverse_inertia;
        DMat2::from_cols(
            DVec2::new(y * y * inverse_inertia, mixed),
            DVec2::new(mixed, x * x * inverse_inertia),
        )
    }

    #[inline]
    fn ball_inertia(mass: f64, radius: f64) -> f64 {
        0.5 * mass * radius * radius
    }

    fn is_rotation(rotation: Turn) -> bool {
        (libm::hypot(rotation.cos, rotation.sin) - 1.0).abs() <= 1e-9
    }

    #[inline]
    fn no_rotation() -> Turn {
        Turn { cos: 1.0, sin: 0.0 }
    }

    #[inline]
    fn rotation_of(angular_velocity: f64, time: f64) -> Turn {
        Turn::by(angular_velocity * time)
    }

    #[inline]
    fn compose(then: Turn, first: Turn) -> Turn {
        Turn {
            cos: then.cos * first.cos - then.sin * first.sin,
            sin: then.sin * first.cos + then.cos * first.sin,
        }
    }

    #[inline]
    fn rotate(turn: Turn, v: DVec2) -> DVec2 {
        DVec2::new(
            turn.cos * v.x - turn.sin * v.y,
            turn.sin * v.x + turn.cos * v.y,
        )
    }

    #[inline]
    fn unrotate(turn: Turn, v: DVec2) -> DVec2 {
        DVec2::new(
            turn.cos * v.x + turn.sin * v.y,
            turn.cos * v.y - turn.sin * v.x,
        )
    }

    #[inline]
    fn axes(turn: Turn) -> [[f64; 3]; 3] {
        [
            [turn.cos, turn.sin, 0.0],
            [-turn.sin, turn.cos, 0.0],
            [0.0, 0.0, 1.0],
        ]
    }

    #[inline]
    fn angular_velocity_components(angular_velocity: f64) -> [f64; 3] {
        [0.0, 0.0, angular_velocity]
    }

    #[inline]
    fn angular_velocity([_, _, z]: [f64; 3]) -> f64 {
        z
    }

    #[inline]
    fn rotation_of_quaternion(q: DQuat) -> Turn {
        Turn {
            cos: q.w * q.w - q.z * q.z,
            sin: 2.0 * q.w * q.z,
        }
    }

    #[inline]
    fn inertia_of_tensor(tensor: DMat3) -> f64 {
        tensor.z_axis.z
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([] Turn, |turn: &Turn| if Space2::is_rotation(*turn) {
Ok(())
} else {
Err(format!("{turn:?} must be of length one"))
});
