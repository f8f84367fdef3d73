//! What differs between the plane and space in what scenes and summaries say.

use carom::shape::{PlaneShape, SolidShape};
use carom::simulate::Compiled;
use carom::space::{Plane, Solid, Space};

/// A space that scenes can be in: [`Plane`] or [`Solid`].
pub trait SceneSpace: Compiled {
    /// The shapes that only this space has, as scene files call them.
    const OWN_SHAPES: &'static [&'static str];

    /// What scene files call one of the space's own shapes.
    fn own_shape_name(shape: &Self::OwnShape) -> &'static str;

    /// The components of a spin, rad/s: one in the plane, three in space.
    fn spin_components(spin: Self::Spin) -> Vec<f64>;
}

impl SceneSpace for Plane {
    const OWN_SHAPES: &'static [&'static str] = &["segment", "arc", "polygon"];

    fn own_shape_name(shape: &PlaneShape) -> &'static str {
        match shape {
            PlaneShape::Segment(_) => "segment",
            PlaneShape::Arc(_) => "arc",
            _ => "shape",
        }
    }

    fn spin_components(spin: f64) -> Vec<f64> {
        vec![spin]
    }
}

impl SceneSpace for Solid {
    const OWN_SHAPES: &'static [&'static str] =
        &["triangle", "cylinder", "tube", "polyhedron", "mesh"];

    fn own_shape_name(shape: &SolidShape) -> &'static str {
        match shape {
            SolidShape::Triangle(_) => "triangle",
            SolidShape::Cylinder(_) => "cylinder",
            SolidShape::Tube(_) => "tube",
            _ => "shape",
        }
    }

    fn spin_components(spin: <Self as Space>::Spin) -> Vec<f64> {
        spin.to_array().to_vec()
    }
}
