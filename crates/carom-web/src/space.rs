//! What differs between 2-D and 3-D in what the page sees.

use carom::prelude::{DQuat, DVec2, DVec3, Space2, Space3, Turn};
use carom_scene::SceneSpace;

/// A space that the page can show: [`Space2`] or [`Space3`].
pub trait WebSpace: SceneSpace {
    /// How many numbers of a frame a body has: position, orientation (angle, or quaternion x, y, z, w), velocity.
    const FRAME: usize;

    /// How many numbers an angular velocity has.
    const TURNS: usize;

    /// The angular velocity with these components, rad/s; in 2-D only the first counts.
    fn angular(components: [f64; 3]) -> Self::Angular;

    /// An angle (rad), or a quaternion (x, y, z, w).
    fn orientation(rotation: Self::Rotation) -> [f64; 4];
}

impl WebSpace for Space2 {
    const FRAME: usize = 5;
    const TURNS: usize = 1;

    fn angular([turn, _, _]: [f64; 3]) -> f64 {
        turn
    }

    fn orientation(Turn { cos, sin, .. }: Turn) -> [f64; 4] {
        // Only pictures and tables: no state of a run comes from here.
        [sin.atan2(cos), 0.0, 0.0, 0.0]
    }
}

impl WebSpace for Space3 {
    const FRAME: usize = 10;
    const TURNS: usize = 3;

    fn angular(components: [f64; 3]) -> DVec3 {
        DVec3::from_array(components)
    }

    fn orientation(rotation: DQuat) -> [f64; 4] {
        rotation.to_array()
    }
}

/// As many components as the space has dimensions.
pub fn components<S: WebSpace>(vector: S::Vector) -> Vec<f64> {
    S::components(vector)[..S::DIMENSION].to_vec()
}

/// A point of the plane in three numbers.
pub fn flat(point: DVec2) -> [f64; 3] {
    [point.x, point.y, 0.0]
}

/// The components of an angular velocity (rad/s) or of an angular momentum: one in 2-D, three in 3-D.
pub fn turning<S: WebSpace>(angular: S::Angular) -> Vec<f64> {
    <S as SceneSpace>::angular_velocity_components(angular)
}
