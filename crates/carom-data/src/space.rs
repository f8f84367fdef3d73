//! What differs between 2-D and 3-D in tables.

use carom::prelude::{DQuat, DVec3, Space2, Space3, Turn};
use carom_scene::SceneSpace;

/// A space whose runs can be kept: [`Space2`] or [`Space3`].
pub trait DataSpace: SceneSpace {
    /// Names of the components of an angular velocity: `angular_velocity`, or `angular_velocity_x` and so on.
    const ANGULAR_VELOCITY: &'static [&'static str];

    /// Names of the numbers that say the orientation of a body: `angle`, or the quaternion.
    const ROTATION: &'static [&'static str];

    /// Names of the components of a vector.
    const AXES: &'static [&'static str];

    /// The components of an angular velocity, rad/s; in 2-D only the first counts.
    fn angular_velocity_numbers(angular_velocity: Self::Angular) -> [f64; 3];

    /// The angular velocity with these components.
    fn angular_velocity_of(components: [f64; 3]) -> Self::Angular;

    /// The orientation of a body: an angle (rad, from −π to π), or a quaternion (w, x, y, z).
    fn rotation_numbers(rotation: Self::Rotation) -> [f64; 4];
}

impl DataSpace for Space2 {
    const ANGULAR_VELOCITY: &'static [&'static str] = &["angular_velocity"];
    const ROTATION: &'static [&'static str] = &["angle"];
    const AXES: &'static [&'static str] = &["x", "y"];

    fn angular_velocity_numbers(angular_velocity: f64) -> [f64; 3] {
        [angular_velocity, 0.0, 0.0]
    }

    fn angular_velocity_of([angular_velocity, _, _]: [f64; 3]) -> f64 {
        angular_velocity
    }

    fn rotation_numbers(rotation: Turn) -> [f64; 4] {
        [libm::atan2(rotation.sin, rotation.cos), 0.0, 0.0, 0.0]
    }
}

impl DataSpace for Space3 {
    const ANGULAR_VELOCITY: &'static [&'static str] = &[
        "angular_velocity_x",
        "angular_velocity_y",
        "angular_velocity_z",
    ];
    const ROTATION: &'static [&'static str] = &[
        "orientation_w",
        "orientation_x",
        "orientation_y",
        "orientation_z",
    ];
    const AXES: &'static [&'static str] = &["x", "y", "z"];

    fn angular_velocity_numbers(angular_velocity: DVec3) -> [f64; 3] {
        angular_velocity.to_array()
    }

    fn angular_velocity_of(components: [f64; 3]) -> DVec3 {
        DVec3::from_array(components)
    }

    fn rotation_numbers(rotation: DQuat) -> [f64; 4] {
        [rotation.w, rotation.x, rotation.y, rotation.z]
    }
}
