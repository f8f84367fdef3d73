//! Walls without end that have no solid side: a bare line or plane, struck from both sides.
//!
//! To a body it is the half-space that the body's middle is outside of. A convex body does not come to the other side
//! but through it, and contacts are found before that.

use super::part::{Convex, Core};
use crate::motion::Pose;
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space};
use glam::DVec3;

impl<S: Space> Convex<S> {
    /// Of a bare plane what it is to a body with its middle at a place of its frame: the half-space that the body is
    /// outside of. `None` for all else.
    pub(crate) fn facing(&self, place: S::Vector) -> Option<Self> {
        let place = DVec3::from_array(S::components(place));
        match &self.core {
            Core::HalfSpace { normal, offset } if self.bare => {
                let above = Linear::dot(*normal, place) >= *offset;
                let sign = if above { 1.0 } else { -1.0 };
                let core = Core::HalfSpace {
                    normal: *normal * sign,
                    offset: *offset * sign,
                };
                Some(Convex::new(core, 0.0))
            }
            _ => None,
        }
    }

    /// Whether it is a bare plane.
    #[inline]
    pub(crate) fn is_bare(&self) -> bool {
        self.bare
    }
}

/// Two parts with a bare plane taken for the half-space that it is to the other.
pub(crate) fn faced<S: Space>(
    (a, pose_a): (&Convex<S>, &Pose<S>),
    (b, pose_b): (&Convex<S>, &Pose<S>),
) -> [Convex<S>; 2] {
    let seen = |part: &Convex<S>, pose: &Pose<S>, other: &Convex<S>, its_pose: &Pose<S>| {
        let middle = its_pose.to_world(S::vector(other.ball.0.to_array()));
        let faced = part.facing(pose.to_local(middle));
        faced.unwrap_or_else(|| part.clone())
    };
    [seen(a, pose_a, b, pose_b), seen(b, pose_b, a, pose_a)]
}

impl<S: Shaped> Convex<S> {
    /// What a wall without end is that is struck from both sides; `None` for all other shapes.
    pub(crate) fn bare_plane(shape: &Shape<S>) -> Option<Self> {
        let Shape::HalfSpace(wall) = shape else {
            return None;
        };
        let mut part = Convex::half_space(wall.normal, 0.0).ok()?;
        part.bare = wall.two_sided;
        Some(part)
    }
}
