//! The plane and space, from one source.
//!
//! Everything that does not depend on the number of dimensions is written once, over [`Space`]. It has
//! two implementations, [`Space2`] and [`Space3`], over `glam`'s `f64` types. The trait is sealed: the
//! mathematics that truly differs (polygons and polyhedra, a segment and a triangle) lives in files of its own.
//!
//! Conventions: SI units, right-handed axes, radians; in 2-D a positive angular velocity turns from x to y.

mod space2;
mod space3;
mod tree;

pub use crate::roots::UNIT_ROUNDOFF;
pub use space2::{Space2, Turn};
pub use space3::Space3;
pub(crate) use tree::Tree;

use crate::codec::Stored;
use crate::serial::Storable;
use glam::{DMat3, DQuat};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A quantity that adds and scales: a scalar, a vector, an angular velocity.
pub trait Linear:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + AddAssign
    + SubAssign
{
    /// The neutral element of addition.
    const ZERO: Self;

    /// The inner product.
    fn dot(self, other: Self) -> f64;

    /// Whether every component is a number, neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The square of the length.
    #[inline]
    fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The same direction with length one; `None` where the length is zero or too small or large to divide by.
    #[inline]
    fn unit(self) -> Option<Self> {
        let inverse = 1.0 / self.length();
        (inverse.is_finite() && inverse > 0.0).then(|| self * inverse)
    }
}

impl Linear for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn dot(self, other: Self) -> f64 {
        self * other
    }

    #[inline]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

/// A linear map of vectors, such as the contact matrix that turns an impulse into a change of velocity.
pub trait LinearMap<V>:
    Copy + Debug + PartialEq + Send + Sync + 'static + Add<Output = Self> + Mul<V, Output = V>
{
    /// A multiple of the identity.
    fn scaled_identity(scale: f64) -> Self;

    /// The inverse map; `None` where there is none, or none with finite entries.
    fn inverse(self) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

/// A space to move in: [`Space2`] or [`Space3`].
pub trait Space:
    sealed::Sealed + Copy + Debug + Default + PartialEq + Send + Sync + 'static
{
    /// 2 or 3.
    const DIMENSION: usize;

    /// A position, velocity, acceleration, force or impulse.
    type Vector: Linear + Stored + Storable;

    /// An angular velocity, torque or angular impulse: a scalar in 2-D, a vector in 3-D.
    type Angular: Linear + Stored + Storable;

    /// An orientation: how a body's own frame is turned relative to the world's.
    type Rotation: Copy + Debug + PartialEq + Send + Sync + Stored + Storable + 'static;

    /// An inertia about the centre of mass, or its inverse, in world axes: a scalar in 2-D, a symmetric
    /// 3×3 tensor in 3-D. Unit kg·m² (the inverse: 1/(kg·m²)).
    type Inertia: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// A linear map of vectors.
    type Matrix: LinearMap<Self::Vector>;

    /// The components; in 2-D the third is zero.
    fn components(vector: Self::Vector) -> [f64; 3];

    /// A vector from its components; in 2-D the third is ignored.
    fn vector(components: [f64; 3]) -> Self::Vector;

    /// `|a × b|²`, the squared area that two vectors span.
    fn area_squared(a: Self::Vector, b: Self::Vector) -> f64;

    /// `arm × force`.
    fn torque(arm: Self::Vector, force: Self::Vector) -> Self::Angular;

    /// `angular_velocity × arm`, the velocity that a rotation gives to the end of an arm.
    fn surface_velocity(angular_velocity: Self::Angular, arm: Self::Vector) -> Self::Vector;

    /// The inertia that is the same about every axis.
    fn isotropic_inertia(inertia: f64) -> Self::Inertia;

    /// `I⁻¹ τ`: the change of angular velocity that an angular impulse `torque` causes.
    fn angular_response(inverse_inertia: Self::Inertia, torque: Self::Angular) -> Self::Angular;

    /// `I ω`: the angular momentum at an angular velocity, and half of `ω·Iω` its energy.
    #[inline]
    fn angular_momentum(inertia: Self::Inertia, angular_velocity: Self::Angular) -> Self::Angular {
        Self::angular_response(inertia, angular_velocity)
    }

    /// `−[r]× I⁻¹ [r]×`: what turning adds to the contact matrix of a body struck at the end of the arm `r`.
    fn turning_matrix(inverse_inertia: Self::Inertia, arm: Self::Vector) -> Self::Matrix;

    /// The inertia of a solid ball in 3-D, of a full disc in 2-D, kg·m².
    fn ball_inertia(mass: f64, radius: f64) -> f64;

    /// The orientation in which a body's frame is the world's.
    fn no_rotation() -> Self::Rotation;

    /// Whether it turns and does not stretch: of length one, to 10⁻⁹.
    fn is_rotation(rotation: Self::Rotation) -> bool;

    /// The rotation by `angular_velocity · time`, computed with the same bits on every platform.
    fn rotation_of(angular_velocity: Self::Angular, time: f64) -> Self::Rotation;

    /// First `first`, then `then`.
    fn compose(then: Self::Rotation, first: Self::Rotation) -> Self::Rotation;

    /// A vector of the body's frame, in world axes.
    fn rotate(rotation: Self::Rotation, vector: Self::Vector) -> Self::Vector;

    /// A vector of world axes, in the body's frame.
    fn unrotate(rotation: Self::Rotation, vector: Self::Vector) -> Self::Vector;

    /// The body's axes in world components, one row an axis; in 2-D the third is `(0, 0, 1)`.
    fn axes(rotation: Self::Rotation) -> [[f64; 3]; 3];

    /// The components of an angular velocity; in 2-D only the third, about z, is not zero.
    fn angular_velocity_components(angular_velocity: Self::Angular) -> [f64; 3];

    /// An angular velocity from its components; in 2-D all but the third are ignored.
    fn angular_velocity(components: [f64; 3]) -> Self::Angular;

    /// The orientation that a unit quaternion stands for; in 2-D it must be a rotation about z.
    fn rotation_of_quaternion(quaternion: DQuat) -> Self::Rotation;

    /// The inertia with a tensor; in 2-D its part about z.
    fn inertia_of_tensor(tensor: DMat3) -> Self::Inertia;
}
