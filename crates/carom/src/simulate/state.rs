use crate::space::Space;

/// Where a body is and how it moves, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
#[non_exhaustive]
pub struct State<S: Space> {
    /// m. In a periodic box it is inside the box, to rounding.
    pub position: S::Vector,
    /// How it is turned.
    pub rotation: S::Rotation,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}
