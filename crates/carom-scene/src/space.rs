//! What differs between the plane and space in what scenes and summaries say.

use crate::plan::{AnyPlan, Plan};
use carom::shape::{Shape2, Shape3};
use carom::simulate::Compiled;
use carom::space::{Space, Space2, Space3};

/// A space that scenes can be in: [`Space2`] or [`Space3`].
pub trait SceneSpace: Compiled {
    /// The shapes that only this space has, as scene files call them.
    const OWN_SHAPES: &'static [&'static str];

    /// What scene files call one of the space's own shapes.
    fn own_shape_name(shape: &Self::OwnShape) -> &'static str;

    /// The components of a spin, rad/s: one in 2-D, three in 3-D.
    fn angular_velocity_components(angular_velocity: Self::Angular) -> Vec<f64>;

    /// The plan of a scene in this space; `None` where it is in the other.
    fn plan_of(plan: &AnyPlan) -> Option<&Plan<Self>>;
}

impl SceneSpace for Space2 {
    const OWN_SHAPES: &'static [&'static str] = &["segment", "arc", "polygon"];

    fn own_shape_name(shape: &Shape2) -> &'static str {
        match shape {
            Shape2::Segment(_) => "segment",
            Shape2::Arc(_) => "arc",
            _ => "shape",
        }
    }

    fn angular_velocity_components(angular_velocity: f64) -> Vec<f64> {
        vec![angular_velocity]
    }

    fn plan_of(plan: &AnyPlan) -> Option<&Plan<Self>> {
        match plan {
            AnyPlan::Two(plan) => Some(plan),
            AnyPlan::Three(_) => None,
        }
    }
}

impl SceneSpace for Space3 {
    const OWN_SHAPES: &'static [&'static str] =
        &["triangle", "cylinder", "tube", "polyhedron", "mesh"];

    fn own_shape_name(shape: &Shape3) -> &'static str {
        match shape {
            Shape3::Triangle(_) => "triangle",
            Shape3::Cylinder(_) => "cylinder",
            Shape3::Tube(_) => "tube",
            _ => "shape",
        }
    }

    fn angular_velocity_components(angular_velocity: <Self as Space>::Angular) -> Vec<f64> {
        angular_velocity.to_array().to_vec()
    }

    fn plan_of(plan: &AnyPlan) -> Option<&Plan<Self>> {
        match plan {
            AnyPlan::Three(plan) => Some(plan),
            AnyPlan::Two(_) => None,
        }
    }
}
