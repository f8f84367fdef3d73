//! What a body is made of, geometrically, in its own frame.
//!
//! A shape answers one question here, [`Obstacle::closest`]: how far is a point, and in which direction. From this
//! follow the contact's point and normal, and the test that a candidate instant is a true contact. The instants
//! themselves come from `impact/`, one file a pair.

mod arc;
mod ball;
mod block;
mod bounds;
mod cast;
pub(crate) mod convex;
mod cylinder;
mod footing;
mod half_space;
mod hollow;
mod length;
mod make;
mod mesh;
mod polyhedron;
mod segment;
#[cfg(feature = "serde")]
mod serial;
mod sphere_test;
mod triangle;
mod tube;

pub use arc::Arc;
pub use ball::Ball;
pub use block::Block;
pub use bounds::Bounds;
pub use convex::{Compound, Convex, ConvexError};
pub use cylinder::Cylinder;
pub use footing::{Bending, Footing, Gate};
pub use half_space::HalfSpace;
pub use hollow::Hollow;
pub use mesh::{Content, EdgeFault, Mesh, MeshError};
pub use polyhedron::{Polyhedron, PolyhedronError};
pub use segment::Segment;
pub use sphere_test::{SphereTest, sphere_test};
pub use triangle::Triangle;
pub use tube::Tube;

use crate::codec::Stored;
use crate::motion::Pose;
use crate::serial::Storable;
use crate::space::{Linear, Space, Space2, Space3};
use std::fmt::Debug;
use thiserror::Error;

/// The point on a shape's surface that is nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest<S: Space> {
    /// Distance from the surface, m; negative inside a solid shape.
    pub distance: f64,
    /// Unit vector from the surface towards the point (out of a solid shape).
    pub normal: S::Vector,
    /// The nearest point on the surface.
    pub point: S::Vector,
}

/// What a ball can strike.
pub trait Obstacle<S: Space>: Sized + Send + Sync + 'static {
    /// The nearest point to a point of the shape's own frame.
    fn closest(&self, point: S::Vector) -> Closest<S>;

    /// Radius about the origin of its frame outside of which the shape has no point; infinite for unbounded shapes, m.
    fn reach(&self) -> f64;

    /// How far along a ray from a point outside the shape is hit, m. The direction has length one.
    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64>;

    /// A centre of curvature to keep away from, for shapes that are not convex: near a point the distance function's
    /// second derivative is at most `1 / |point − centre|` in size.
    fn hollow_centre(&self, _point: S::Vector) -> Option<S::Vector> {
        None
    }

    /// Whether rotating about a point of the world, at an angular velocity in rad/s, leaves the shape where it is: a
    /// drum about its own axis.
    fn turns_into_itself(&self, _pose: &Pose<S>, _pivot: S::Vector, _spin: S::Angular) -> bool {
        false
    }

    /// Other points that may become the nearest without the distance being smooth there: the ends of an arc.
    fn rivals(&self, _point: S::Vector) -> [Option<Closest<S>>; 2] {
        [None, None]
    }

    /// The two ends of an arc from a point in its gap, where that is too narrow for a ball of a radius (m) about the
    /// point: it can touch both of them.
    fn ends_around(&self, point: S::Vector, radius: f64) -> Option<[Closest<S>; 2]> {
        let [Some(first), Some(second)] = self.rivals(point) else {
            return None;
        };
        let narrow = (first.point - second.point).length() < 2.0 * radius;
        let nearest = first.distance.min(second.distance);
        (narrow && self.closest(point).distance == nearest).then_some([first, second])
    }
}

/// A space with shapes of its own, so that [`Shape`] can hold a segment in 2-D and a cylinder in 3-D, and
/// one cannot be put into the other.
pub trait Shaped: Space {
    /// The shapes that only this space has.
    type OwnShape: Obstacle<Self> + Footing<Self> + Clone + Debug + PartialEq + Stored + Storable;
}

impl Shaped for Space2 {
    type OwnShape = Shape2;
}

impl Shaped for Space3 {
    type OwnShape = Shape3;
}

/// A shape, in its body's frame.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.add(Body::fixed(Shape::floor()))?;
/// world.add(Body::fixed(Shape::ball(0.1)?).at(DVec2::new(0.0, 1.0)))?;
/// world.add(Body::fixed(Shape::block(DVec2::new(0.5, 0.25))?).at(DVec2::new(2.0, 0.25)))?;
/// world.add(Body::fixed(Shape::segment(DVec2::new(3.0, 1.0), DVec2::new(4.0, 2.0))?))?;
/// assert_eq!(
///     Shape::<Space2>::ball(-1.0).unwrap_err().to_string(),
///     "radius is -1, but must be a positive, finite number of metres"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Shape<S: Shaped> {
    /// A disc or sphere about the origin.
    Ball(Ball),
    /// All points behind a line or plane through the origin, or the bare line or plane itself.
    HalfSpace(HalfSpace<S>),
    /// A circular or spherical hollow about the origin: empty inside.
    Hollow(Hollow),
    /// A rectangle or box about the origin.
    Block(Block<S>),
    /// A solid made of one convex part or several, with the centre of mass as the origin: polygons, polyhedra,
    /// capsules, compounds. In worlds that have one, or a free body that is no ball, bodies turn.
    Compound(Box<Compound<S>>),
    /// A shape that only this space has. In a box of its own, so that the many balls of a world do not pay for the few
    /// large shapes.
    Own(Box<S::OwnShape>),
}

/// The shapes of the plane alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Shape2 {
    /// A straight piece of thin wall.
    Segment(Segment),
    /// A piece of thin circular wall.
    Arc(Arc),
}

/// The shapes of space alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Shape3 {
    /// A flat, thin triangle.
    Triangle(Triangle),
    /// A solid cylinder with flat ends.
    Cylinder(Cylinder),
    /// The inside of a round tube without end.
    Tube(Tube),
}

/// Why a shape cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{field} is {value}, but must be {allowed}")]
#[non_exhaustive]
pub struct ShapeError {
    /// The field at fault.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

/// A length that must be positive and finite, or the error that says so.
fn positive(field: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError {
            field,
            value: value.to_string(),
            allowed: "a positive, finite number of metres",
        })
    }
}

/// A direction that is made a unit vector, or the error that says why it cannot be.
fn direction<V: crate::space::Linear>(field: &'static str, value: V) -> Result<V, ShapeError> {
    value
        .unit()
        .filter(|unit| unit.is_finite())
        .ok_or_else(|| ShapeError {
            field,
            value: format!("{value:?}"),
            allowed: "a finite direction that is not zero",
        })
}

/// Calls the same method on whichever shape it is.
macro_rules! each_shape {
    ($value:expr, $shape:ident => $call:expr) => {
        match $value {
            $crate::shape::Shape::Ball($shape) => $call,
            $crate::shape::Shape::HalfSpace($shape) => $call,
            $crate::shape::Shape::Hollow($shape) => $call,
            $crate::shape::Shape::Block($shape) => $call,
            $crate::shape::Shape::Compound($shape) => {
                let $shape = &**$shape;
                $call
            }
            $crate::shape::Shape::Own($shape) => {
                let $shape = &**$shape;
                $call
            }
        }
    };
}

pub(crate) use each_shape;

impl<S: Shaped> Shape<S> {
    /// A shape that only this space has.
    pub fn own(shape: S::OwnShape) -> Self {
        Shape::Own(Box::new(shape))
    }
}

impl<S: Shaped> Footing<S> for Shape<S> {
    fn feature(&self, place: S::Vector) -> u32 {
        each_shape!(self, shape => Footing::<S>::feature(shape, place))
    }

    fn bending(&self, place: S::Vector) -> Bending<S> {
        each_shape!(self, shape => Footing::<S>::bending(shape, place))
    }

    fn gates(&self, visit: &mut dyn FnMut(Gate<S>)) {
        each_shape!(self, shape => Footing::<S>::gates(shape, visit));
    }
}

impl<S: Shaped> Obstacle<S> for Shape<S> {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        each_shape!(self, shape => shape.closest(point))
    }

    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        each_shape!(self, shape => Obstacle::<S>::cast(shape, origin, direction))
    }

    fn reach(&self) -> f64 {
        each_shape!(self, shape => Obstacle::<S>::reach(shape))
    }

    fn hollow_centre(&self, point: S::Vector) -> Option<S::Vector> {
        each_shape!(self, shape => Obstacle::<S>::hollow_centre(shape, point))
    }

    fn turns_into_itself(
        &self,
        pose: &Pose<S>,
        pivot: S::Vector,
        angular_velocity: S::Angular,
    ) -> bool {
        each_shape!(self, shape => Obstacle::<S>::turns_into_itself(shape, pose, pivot, angular_velocity))
    }

    fn rivals(&self, point: S::Vector) -> [Option<Closest<S>>; 2] {
        each_shape!(self, shape => shape.rivals(point))
    }
}

macro_rules! own_shapes {
    ($enum:ident in $space:ident: $($variant:ident),+) => {
        impl Footing<$space> for $enum {
            fn feature(&self, place: <$space as Space>::Vector) -> u32 {
                match self { $($enum::$variant(shape) => shape.feature(place)),+ }
            }

            fn bending(&self, place: <$space as Space>::Vector) -> Bending<$space> {
                match self { $($enum::$variant(shape) => shape.bending(place)),+ }
            }

            fn gates(&self, visit: &mut dyn FnMut(Gate<$space>)) {
                match self { $($enum::$variant(shape) => shape.gates(visit)),+ }
            }
        }

        impl Obstacle<$space> for $enum {
            fn closest(&self, point: <$space as Space>::Vector) -> Closest<$space> {
                match self { $($enum::$variant(shape) => shape.closest(point)),+ }
            }

            fn cast(
                &self,
                origin: <$space as Space>::Vector,
                direction: <$space as Space>::Vector,
            ) -> Option<f64> {
                match self { $($enum::$variant(shape) => shape.cast(origin, direction)),+ }
            }

            fn reach(&self) -> f64 {
                match self { $($enum::$variant(shape) => shape.reach()),+ }
            }

            fn hollow_centre(
                &self,
                point: <$space as Space>::Vector,
            ) -> Option<<$space as Space>::Vector> {
                match self { $($enum::$variant(shape) => shape.hollow_centre(point)),+ }
            }

            fn turns_into_itself(
                &self,
                pose: &Pose<$space>,
                pivot: <$space as Space>::Vector,
                angular_velocity: <$space as Space>::Angular,
            ) -> bool {
                match self {
                    $($enum::$variant(shape) => shape.turns_into_itself(pose, pivot, angular_velocity)),+
                }
            }

            fn rivals(&self, point: <$space as Space>::Vector) -> [Option<Closest<$space>>; 2] {
                match self { $($enum::$variant(shape) => shape.rivals(point)),+ }
            }
        }
    };
}

own_shapes!(Shape2 in Space2: Segment, Arc);
own_shapes!(Shape3 in Space3: Triangle, Cylinder, Tube);
