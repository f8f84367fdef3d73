//! Shapes by name, each from its sizes in one call.

use super::convex::{Compound, Convex, ConvexError};
use super::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Mesh, Segment, Shape, Shape2, Shape3,
    ShapeError, Shaped, Triangle, Tube,
};
use crate::space::{Space2, Space3};
use glam::{DVec2, DVec3};

impl<S: Shaped> Shape<S> {
    /// A disc or sphere of a radius (m) about the origin.
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        Ball::new(radius).map(Shape::Ball)
    }

    /// A rectangle or box about the origin, by half its side along each axis (m).
    pub fn block(half_extents: S::Vector) -> Result<Self, ShapeError> {
        Block::new(half_extents).map(Shape::Block)
    }

    /// A wall without end through the origin: everything on the other side of the normal is solid. The normal need not
    /// have length one.
    pub fn half_space(normal: S::Vector) -> Result<Self, ShapeError> {
        HalfSpace::solid(normal).map(Shape::HalfSpace)
    }

    /// The ground: everything below the origin is solid. Up is y in 2-D and z in 3-D.
    pub fn floor() -> Self {
        let mut up = [0.0; 3];
        up[S::DIMENSION - 1] = 1.0;
        Shape::HalfSpace(HalfSpace {
            normal: S::vector(up),
            two_sided: false,
        })
    }

    /// A bare line or plane through the origin, without end, which is hit from either side. The normal need not have
    /// length one.
    pub fn thin_wall(normal: S::Vector) -> Result<Self, ShapeError> {
        HalfSpace::two_sided(normal).map(Shape::HalfSpace)
    }

    /// A circular or spherical hollow of a radius (m) about the origin: empty inside, solid outside.
    pub fn hollow(radius: f64) -> Result<Self, ShapeError> {
        Hollow::new(radius).map(Shape::Hollow)
    }

    /// All points within a radius of the line between two points (m).
    pub fn capsule(from: S::Vector, to: S::Vector, radius: f64) -> Result<Self, ConvexError> {
        Self::compound(vec![Convex::capsule(from, to, radius)?])
    }

    /// One body of several convex parts.
    ///
    /// Of a fixed or kinematic body the parts stay where they are in its frame, and may overlap. In a free one they may
    /// touch, but not overlap, and its frame moves to its centre of mass.
    pub fn compound(parts: Vec<Convex<S>>) -> Result<Self, ConvexError> {
        Compound::fixed(parts).map(Shape::from)
    }
}

/// The shapes that only the plane has.
impl Shape<Space2> {
    /// A straight piece of thin wall between two points (m), hit from both sides and at both ends.
    pub fn segment(from: DVec2, to: DVec2) -> Result<Self, ShapeError> {
        Ok(Shape::own(Shape2::Segment(Segment::new(from, to)?)))
    }

    /// A piece of thin circular wall of a centre and a radius (m), from angle `start` counter-clockwise over `sweep`
    /// (rad); `0 < sweep ≤ 2π`.
    pub fn arc(centre: DVec2, radius: f64, start: f64, sweep: f64) -> Result<Self, ShapeError> {
        Arc::new(centre, radius, start, sweep).map(|arc| Shape::own(Shape2::Arc(arc)))
    }

    /// A convex polygon from its corners (m), in order around it, in either direction.
    ///
    /// A free one has its centre of mass where the body is, whatever the origin of its corners.
    pub fn polygon(corners: &[DVec2]) -> Result<Self, ConvexError> {
        Self::compound(vec![Convex::polygon(corners)?])
    }
}

/// The shapes that only space has.
impl Shape<Space3> {
    /// A flat, thin triangle (m), hit from both sides.
    pub fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        Triangle::new([a, b, c]).map(|triangle| Shape::own(Shape3::Triangle(triangle)))
    }

    /// A solid cylinder with flat ends about the origin: an axis, which need not have length one, half its length and
    /// its radius (m).
    pub fn cylinder(axis: DVec3, half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        let cylinder = Cylinder::new(axis, half_length, radius)?;
        Ok(Shape::own(Shape3::Cylinder(cylinder)))
    }

    /// The inside of a round tube without end, along an axis through the origin, of a radius (m): empty inside, solid
    /// outside.
    pub fn tube(axis: DVec3, radius: f64) -> Result<Self, ShapeError> {
        Tube::new(axis, radius).map(|tube| Shape::own(Shape3::Tube(tube)))
    }

    /// A convex polyhedron from its corners (m), in any order. A corner within the hull of the others is refused.
    ///
    /// A free one has its centre of mass where the body is, whatever the origin of its corners.
    pub fn polyhedron(corners: &[DVec3]) -> Result<Self, ConvexError> {
        Self::compound(vec![Convex::polyhedron(corners)?])
    }

    /// The convex hull of points (m): like [`polyhedron`](Self::polyhedron), but points inside are left out.
    pub fn hull(points: &[DVec3]) -> Result<Self, ConvexError> {
        Self::compound(vec![Convex::hull(points)?])
    }

    /// The triangles of a mesh as fixed fixture: each stops what comes from either side. The mesh need not be closed.
    pub fn mesh(mesh: &Mesh) -> Result<Self, ConvexError> {
        Compound::of_mesh(mesh).map(Shape::from)
    }
}

impl<S: Shaped> From<Ball> for Shape<S> {
    fn from(ball: Ball) -> Self {
        Shape::Ball(ball)
    }
}

impl<S: Shaped> From<Block<S>> for Shape<S> {
    fn from(block: Block<S>) -> Self {
        Shape::Block(block)
    }
}

impl<S: Shaped> From<HalfSpace<S>> for Shape<S> {
    fn from(wall: HalfSpace<S>) -> Self {
        Shape::HalfSpace(wall)
    }
}

impl<S: Shaped> From<Hollow> for Shape<S> {
    fn from(room: Hollow) -> Self {
        Shape::Hollow(room)
    }
}

impl<S: Shaped> From<Compound<S>> for Shape<S> {
    fn from(form: Compound<S>) -> Self {
        Shape::Compound(Box::new(form))
    }
}
