use super::{Linear, LinearMap, Space, sealed};
use glam::{DMat3, DQuat, DVec3};

/// 3-D: spheres, triangles, cylinders, angular velocities that are vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Space3;

impl Linear for DVec3 {
    const ZERO: Self = DVec3::ZERO;

    // The order of the sum is part of the contract: with z = 0 it gives the bits of the plane.
    #[inline]
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline]
    fn is_finite(self) -> bool {
        DVec3::is_finite(self)
    }
}

impl LinearMap<DVec3> for DMat3 {
    #[inline]
    fn scaled_identity(scale: f64) -> Self {
        DMat3::from_diagonal(DVec3::splat(scale))
    }

    #[inline]
    fn inverse(self) -> Option<Self> {
        let inverse = DMat3::inverse(&self);
        inverse.is_finite().then_some(inverse)
    }
}

impl sealed::Sealed for Space3 {}

impl Space for Space3 {
    const DIMENSION: usize = 3;
    type Vector = DVec3;
    type Angular = DVec3;
    type Rotation = DQuat;
    type Inertia = DMat3;
    type Matrix = DMat3;

    #[inline]
    fn components(vector: DVec3) -> [f64; 3] {
        vector.to_array()
    }

    #[inline]
    fn vector(components: [f64; 3]) -> DVec3 {
        DVec3::from_array(components)
    }

    #[inline]
    fn area_squared(a: DVec3, b: DVec3) -> f64 {
        // z first: for vectors in 2-D the sum is that of the plane, to the bit.
        let z = a.x * b.y - a.y * b.x;
        let x = a.y * b.z - a.z * b.y;
        let y = a.z * b.x - a.x * b.z;
        z * z + x * x + y * y
    }

    #[inline]
    fn torque(arm: DVec3, force: DVec3) -> DVec3 {
        arm.cross(force)
    }

    #[inline]
    fn surface_velocity(angular_velocity: DVec3, arm: DVec3) -> DVec3 {
        angular_velocity.cross(arm)
    }

    #[inline]
    fn isotropic_inertia(inertia: f64) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(inertia))
    }

    #[inline]
    fn angular_response(inverse_inertia: DMat3, torque: DVec3) -> DVec3 {
        inverse_inertia * torque
    }

    #[inline]
    fn turning_matrix(inverse_inertia: DMat3, arm: DVec3) -> DMat3 {
        let cross = DMat3::from_cols(
            DVec3::new(0.0, arm.z, -arm.y),
            DVec3::new(-arm.z, 0.0, arm.x),
            DVec3::new(arm.y, -arm.x, 0.0),
        );
        // −[r]× = [r]×ᵀ.
        cross.transpose() * inverse_inertia * cross
    }

    #[inline]
    fn ball_inertia(mass: f64, radius: f64) -> f64 {
        0.4 * mass * radius * radius
    }

    fn is_rotation(rotation: DQuat) -> bool {
        (rotation.length() - 1.0).abs() <= 1e-9
    }

    #[inline]
    fn no_rotation() -> DQuat {
        DQuat::IDENTITY
    }

    #[inline]
    fn rotation_of(angular_velocity: DVec3, time: f64) -> DQuat {
        let speed = Linear::length(angular_velocity);
        if speed == 0.0 {
            return DQuat::IDENTITY;
        }
        let (sin, cos) = libm::sincos(0.5 * speed * time);
        let v = angular_velocity * (sin / speed);
        DQuat::from_xyzw(v.x, v.y, v.z, cos)
    }

    #[inline]
    fn compose(then: DQuat, first: DQuat) -> DQuat {
        (then * first).normalize()
    }

    #[inline]
    fn rotate(rotation: DQuat, v: DVec3) -> DVec3 {
        let [x, y, z] = Self::axes(rotation);
        DVec3::from_array(x) * v.x + DVec3::from_array(y) * v.y + DVec3::from_array(z) * v.z
    }

    #[inline]
    fn unrotate(rotation: DQuat, v: DVec3) -> DVec3 {
        let [x, y, z] = Self::axes(rotation);
        DVec3::new(
            Linear::dot(DVec3::from_array(x), v),
            Linear::dot(DVec3::from_array(y), v),
            Linear::dot(DVec3::from_array(z), v),
        )
    }

    #[inline]
    fn axes(rotation: DQuat) -> [[f64; 3]; 3] {
        DMat3::from_quat(rotation).to_cols_array_2d()
    }

    #[inline]
    fn angular_velocity_components(angular_velocity: DVec3) -> [f64; 3] {
        angular_velocity.to_array()
    }

    #[inline]
    fn angular_velocity(components: [f64; 3]) -> DVec3 {
        DVec3::from_array(components)
    }

    #[inline]
    fn rotation_of_quaternion(quaternion: DQuat) -> DQuat {
        quaternion
    }

    #[inline]
    fn inertia_of_tensor(tensor: DMat3) -> DMat3 {
        tensor
    }
}
