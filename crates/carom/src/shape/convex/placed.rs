use super::part::{Convex, Core};
use crate::motion::Pose;
use crate::space::{Linear, Space};
use glam::{DMat3, DVec3};

/// A part somewhere, turned somehow; places are relative to an origin near the pair, so that far from the world's no
/// digits are lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub core: &'a Core,
    pub rounding: f64,
    /// Columns: the body's axes in the world.
    pub axes: DMat3,
    pub centre: DVec3,
}

impl<'a> Placed<'a> {
    pub fn new<S: Space>(part: &'a Convex<S>, pose: &Pose<S>, origin: S::Vector) -> Self {
        Placed {
            core: &part.core,
            rounding: part.rounding,
            axes: DMat3::from_cols_array_2d(&S::axes(pose.rotation)),
            centre: DVec3::from_array(S::components(pose.position - origin)),
        }
    }

    /// A direction of the world in the body's frame.
    #[inline]
    pub fn own(&self, direction: DVec3) -> DVec3 {
        DVec3::new(
            Linear::dot(self.axes.x_axis, direction),
            Linear::dot(self.axes.y_axis, direction),
            Linear::dot(self.axes.z_axis, direction),
        )
    }

    /// A direction of the body's frame in the world.
    #[inline]
    pub fn turned(&self, direction: DVec3) -> DVec3 {
        self.axes.x_axis * direction.x
            + self.axes.y_axis * direction.y
            + self.axes.z_axis * direction.z
    }

    /// A point of the body's frame in the world.
    #[inline]
    pub fn place(&self, point: DVec3) -> DVec3 {
        self.turned(point) + self.centre
    }

    /// How far the core reaches along a direction of the world.
    #[inline]
    pub fn height(&self, direction: DVec3) -> f64 {
        self.core.height(self.own(direction)) + Linear::dot(direction, self.centre)
    }

    /// A point of the core that is farthest along a direction of the world, and which corner it is.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> (DVec3, u32) {
        let (point, corner) = self.core.farthest(self.own(direction));
        (self.place(point), corner)
    }
}

/// How far apart two cores are along a direction of length one from *a* to *b*, m; negative where they overlap.
#[inline]
pub(crate) fn separation(a: &Placed, b: &Placed, normal: DVec3) -> f64 {
    -b.height(-normal) - a.height(normal)
}
