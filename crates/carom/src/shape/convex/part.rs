use super::arch::Arch;
use super::error::{ConvexError, positive};
use super::hull::{Hull, ON_PLANE};
use super::inside::Inside;
use crate::motion::Pose;
use crate::shape::{Mesh, Shape, Shape2, Shape3, Shaped};
use crate::space::{Linear, Space, Space2, Space3};
use glam::{DMat3, DVec2, DVec3};
use std::marker::PhantomData;

/// One convex part of a body, in the body's frame.
///
/// A polygon (in 2-D), a box, cylinder, capsule, ball or convex polyhedron (in 3-D); and, as fixed fixtures only, a
/// half-space, a segment or a triangle.
///
/// ```
/// use carom::prelude::*;
/// use carom::shape::{Convex, Compound};
///
/// # fn main() -> Result<(), carom::shape::ConvexError> {
/// // A hammer: a handle along z, 30 cm long, with a box on its end; oak throughout.
/// let handle = Convex::<Space3>::cylinder(0.15, 0.012)?;
/// let head = Convex::block(DVec3::new(0.05, 0.015, 0.015))?;
/// let head = head.placed(&Pose::at(DVec3::new(0.0, 0.0, 0.165)));
/// let hammer = Compound::new(vec![handle, head], 700.0)?;
/// assert!((hammer.mass() - 700.0 * (0.3 * 0.012 * 0.012 * std::f64::consts::PI + 0.1 * 0.03 * 0.03)).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Convex<S: Space> {
    pub(crate) core: Core,
    /// How far the surface is from the core, m.
    pub(crate) rounding: f64,
    /// The middle of the part, and a radius about it that contains the part, m.
    pub(crate) ball: (DVec3, f64),
    /// The farthest that a point of the core is from the origin of the body's frame, m.
    pub(crate) arm: f64,
    /// Of a half-space: whether it is no more than the plane, which is struck from both sides.
    pub(super) bare: bool,
    space: PhantomData<S>,
}

/// What is convex and sharp; a part is all points within its rounding of the core.
// Nearly all parts are hulls, and they are looked at in the hottest loops: no further box for them.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Core {
    Hull(Hull),
    Cylinder(Round),
    /// All points with `normal · x ≤ offset`.
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
    /// What is outside of a circle, a sphere or a tube: not convex, and met by its own rules (`inside.rs`).
    Inside(Inside),
    /// A thin arc in 2-D: the same (`arch.rs`).
    Arch(Arch),
}

/// What of a core is farthest along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Highest {
    /// Or a point of something round.
    Corner,
    /// Along this direction; also the side of a cylinder.
    Edge(DVec3),
    Face,
}

/// A cylinder with flat ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    pub centre: DVec3,
    /// Of length one.
    pub axis: DVec3,
    pub half_length: f64,
    pub radius: f64,
}

impl Round {
    /// The part of a direction across the axis.
    pub fn across(&self, direction: DVec3) -> DVec3 {
        direction - self.axis * Linear::dot(self.axis, direction)
    }
}

impl Core {
    /// How far it reaches along a direction, m times the direction's length; infinite for a half-space, save along its
    /// normal.
    #[inline(always)]
    pub fn height(&self, direction: DVec3) -> f64 {
        if let Core::Hull(hull) = self
            && let Some((centre, half)) = hull.block
        {
            return Linear::dot(direction, centre) + Linear::dot(direction.abs(), half);
        }
        self.height_of_others(direction)
    }

    /// The same of what is no box.
    #[inline(never)]
    fn height_of_others(&self, direction: DVec3) -> f64 {
        match self {
            Core::Hull(hull) => hull.height(direction),
            Core::Cylinder(round) => {
                let along = Linear::dot(round.axis, direction);
                Linear::dot(round.centre, direction)
                    + round.half_length * along.abs()
                    + round.radius * Linear::length(direction - round.axis * along)
            }
            Core::HalfSpace { normal, offset } => {
                let along = Linear::dot(*normal, direction);
                let across = direction - *normal * along;
                if along > 0.0 && Linear::length_squared(across) <= 1e-20 * along * along {
                    offset * along
                } else {
                    f64::INFINITY
                }
            }
            Core::Inside(_) => f64::INFINITY,
            Core::Arch(arch) => {
                Linear::dot(arch.centre, direction) + arch.radius * Linear::length(direction)
            }
        }
    }

    /// The farthest that a point is from the origin, m.
    fn arm(&self) -> f64 {
        match self {
            Core::Hull(hull) => {
                let arms = hull.corners.iter().map(|&c| Linear::length(c));
                arms.fold(0.0, f64::max)
            }
            Core::Cylinder(round) => {
                let along = Linear::dot(round.axis, round.centre).abs() + round.half_length;
                let across = Linear::length(round.across(round.centre)) + round.radius;
                (along * along + across * across).sqrt()
            }
            Core::HalfSpace { .. } | Core::Inside(_) => f64::INFINITY,
            Core::Arch(arch) => Linear::length(arch.centre) + arch.radius,
        }
    }

    /// What is highest along a direction of length one, to within a level (m): a corner, an edge or a face.
    pub fn highest(&self, direction: DVec3, level: f64) -> Highest {
        match self {
            Core::Hull(hull) => {
                if let Some((_, half)) = hull.block {
                    let flat = |i: usize| (2.0 * direction[i] * half[i]).abs() <= level;
                    // In the plane z does not count.
                    let dimension = if hull.faces.len() == 4 { 2 } else { 3 };
                    let number = (0..dimension).filter(|&i| flat(i)).count();
                    return match dimension - number {
                        1 => Highest::Face,
                        2 if dimension == 3 => {
                            let axis = (0..3).find(|&i| flat(i)).unwrap_or_default();
                            Highest::Edge(DMat3::IDENTITY.col(axis))
                        }
                        _ => Highest::Corner,
                    };
                }
                let top = hull.height(direction) - level;
                let mut high = hull
                    .corners
                    .iter()
                    .filter(|&&c| Linear::dot(direction, c) >= top);
                match (high.next(), high.next(), high.next()) {
                    (Some(_), Some(_), Some(_)) => Highest::Face,
                    // In 2-D a side is a face.
                    (Some(_), Some(_), None) if hull.edges.is_empty() => Highest::Face,
                    (Some(&from), Some(&to), None) => Highest::Edge(to - from),
                    _ => Highest::Corner,
                }
            }
            Core::Cylinder(round) => {
                let along = Linear::dot(round.axis, direction);
                let across = Linear::length(direction - round.axis * along);
                if 2.0 * round.radius * across <= level {
                    Highest::Face
                } else if 2.0 * round.half_length * along.abs() <= level {
                    Highest::Edge(round.axis)
                } else {
                    Highest::Corner
                }
            }
            Core::HalfSpace { .. } | Core::Inside(_) => Highest::Face,
            Core::Arch(_) => Highest::Corner,
        }
    }

    /// The number of the first corner of a box that is highest along a direction of length one, to within a level (m);
    /// of a cylinder 0. None where it is a face.
    pub fn highest_corner(&self, direction: DVec3, level: f64) -> Option<u32> {
        match (self.highest(direction, level), self) {
            (Highest::Face, _) => None,
            (_, Core::Hull(hull)) => {
                let top = hull.height(direction) - level;
                let high = |corner: &DVec3| Linear::dot(direction, *corner) >= top;
                hull.corners.iter().position(high).map(|at| at as u32)
            }
            _ => Some(0),
        }
    }

    /// A point that is farthest along a direction, m, and which corner it is.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> (DVec3, u32) {
        match self {
            Core::Hull(hull) => {
                let (corner, _) = hull.farthest(direction);
                (hull.corners[corner], corner as u32)
            }
            Core::Cylinder(round) => {
                let along = Linear::dot(round.axis, direction);
                let end = if along < 0.0 {
                    -round.half_length
                } else {
                    round.half_length
                };
                // Twice: of a direction along the axis rounding alone is left, which need not be across it, and the
                // point would be off the rim by as much as the radius.
                let across = round.across(direction - round.axis * along);
                let rim = across.unit().map_or(DVec3::ZERO, |out| out * round.radius);
                (round.centre + round.axis * end + rim, u32::MAX)
            }
            // Asked only along its normal.
            Core::HalfSpace { normal, offset } => (*normal * *offset, 0),
            Core::Inside(inside) => (inside.centre, 0),
            Core::Arch(arch) => (arch.centre, 0),
        }
    }
}

impl<S: Space> Convex<S> {
    /// Of what has been checked.
    #[cfg(feature = "serde")]
    pub(super) fn of_core(core: Core, rounding: f64) -> Self {
        Self::new(core, rounding)
    }

    pub(super) fn new(core: Core, rounding: f64) -> Self {
        let ball = match &core {
            Core::Hull(hull) => {
                let low = hull
                    .corners
                    .iter()
                    .copied()
                    .fold(DVec3::INFINITY, DVec3::min);
                let high = hull
                    .corners
                    .iter()
                    .copied()
                    .fold(DVec3::NEG_INFINITY, DVec3::max);
                let middle = low * 0.5 + high * 0.5;
                let arms = hull.corners.iter().map(|&c| Linear::length(c - middle));
                (middle, arms.fold(0.0, f64::max))
            }
            Core::Cylinder(round) => (
                round.centre,
                (round.half_length * round.half_length + round.radius * round.radius).sqrt(),
            ),
            Core::HalfSpace { normal, offset } => (*normal * *offset, f64::INFINITY),
            Core::Inside(inside) => (inside.centre, f64::INFINITY),
            Core::Arch(arch) => (arch.centre, arch.radius),
        };
        Convex {
            arm: core.arm() * (1.0 + 1e-15),
            core,
            rounding,
            // Rounded up, so that it certainly contains the part.
            ball: (ball.0, (ball.1 + rounding) * (1.0 + 1e-15)),
            bare: false,
            space: PhantomData,
        }
    }

    /// A disc or sphere about the origin; radius in m.
    pub fn ball(radius: f64) -> Result<Self, ConvexError> {
        let radius = positive("radius", radius, "metres")?;
        Ok(Convex::new(Core::Hull(Hull::point(DVec3::ZERO)), radius))
    }

    /// A rectangle or box about the origin; half its sides, m.
    pub fn block(half: S::Vector) -> Result<Self, ConvexError> {
        let half = S::components(half);
        let fields = [
            "half side along x",
            "half side along y",
            "half side along z",
        ];
        for (field, side) in fields.into_iter().zip(half).take(S::DIMENSION) {
            positive(field, side, "metres")?;
        }
        let hull = Hull::block(DVec3::from_array(half), S::DIMENSION == 2);
        Ok(Convex::new(Core::Hull(hull), 0.0))
    }

    /// All points within a radius of a straight line between two points, m.
    pub fn capsule(from: S::Vector, to: S::Vector, radius: f64) -> Result<Self, ConvexError> {
        let radius = positive("radius", radius, "metres")?;
        let hull = segment::<S>(from, to)?;
        Ok(Convex::new(Core::Hull(hull), radius))
    }

    /// The straight line between two points (m) itself: a thin wall in 2-D. It can only stand fixed.
    pub fn segment(from: S::Vector, to: S::Vector) -> Result<Self, ConvexError> {
        Ok(Convex::new(Core::Hull(segment::<S>(from, to)?), 0.0))
    }

    /// All points x with `normal · x ≤ offset` (m); the normal need not have length one. It can only stand fixed.
    pub fn half_space(normal: S::Vector, offset: f64) -> Result<Self, ConvexError> {
        let given = DVec3::from_array(S::components(normal));
        let normal = given.unit().filter(|unit| unit.is_finite());
        let normal = normal.ok_or(ConvexError::NoDirection {
            field: "normal",
            value: given,
        })?;
        Ok(Convex::new(Core::HalfSpace { normal, offset }, 0.0))
    }

    /// The same part, turned and then moved within the body's frame.
    pub fn placed(&self, pose: &Pose<S>) -> Self {
        let axes = DMat3::from_cols_array_2d(&S::axes(pose.rotation));
        let still = pose.rotation == S::no_rotation();
        let shift = DVec3::from_array(S::components(pose.position));
        let core = match &self.core {
            Core::Hull(hull) => Core::Hull(hull.placed(&axes, shift, still)),
            Core::Cylinder(round) => Core::Cylinder(Round {
                centre: axes * round.centre + shift,
                axis: (axes * round.axis).unit().unwrap_or(round.axis),
                ..*round
            }),
            Core::HalfSpace { normal, offset } => {
                let normal = axes * *normal;
                Core::HalfSpace {
                    normal,
                    offset: offset + Linear::dot(normal, shift),
                }
            }
            Core::Inside(inside) => Core::Inside(Inside {
                centre: axes * inside.centre + shift,
                axis: inside.axis.map(|axis| axes * axis),
                ..*inside
            }),
            Core::Arch(arch) => {
                Core::Arch(arch.carried(|place| axes * place + shift, |out| axes * out))
            }
        };
        Convex {
            bare: self.bare,
            ..Convex::new(core, self.rounding)
        }
    }

    /// The same part, shifted.
    pub(crate) fn shifted(&self, shift: DVec3) -> Self {
        self.placed(&Pose::at(S::vector(shift.to_array())))
    }

    /// The corners of a part with flat faces, m; the ends of a capsule's axis, a ball's centre; none for a cylinder.
    pub fn corners(&self) -> impl Iterator<Item = S::Vector> + '_ {
        let corners = match &self.core {
            Core::Hull(hull) => hull.corners.as_slice(),
            _ => &[],
        };
        corners.iter().map(|corner| S::vector(corner.to_array()))
    }

    /// The corners of each flat face, counter-clockwise seen from outside; in 2-D the sides. Empty for round parts.
    pub fn faces(&self) -> impl Iterator<Item = (S::Vector, &[u32])> + '_ {
        let hull = match &self.core {
            Core::Hull(hull) => Some(hull),
            _ => None,
        };
        hull.into_iter().flat_map(|hull| {
            let faces = hull.faces.iter().enumerate();
            faces.map(|(i, face)| (S::vector(face.normal.to_array()), hull.around(i)))
        })
    }

    /// How far it reaches along a direction of length one, from the origin of its frame, m. Not for what has no end.
    pub(crate) fn reach_along(&self, direction: S::Vector) -> f64 {
        let direction = DVec3::from_array(S::components(direction));
        Linear::dot(self.core.farthest(direction).0, direction) + self.rounding
    }

    /// How far the surface is from corners and edges that would be sharp without it, m: the radius of balls and
    /// capsules.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The cylinder that it is, if it is one: centre, unit vector along the axis, half length and radius (m).
    pub fn as_cylinder(&self) -> Option<(S::Vector, S::Vector, f64, f64)> {
        match &self.core {
            Core::Cylinder(round) => Some((
                S::vector(round.centre.to_array()),
                S::vector(round.axis.to_array()),
                round.half_length,
                round.radius,
            )),
            _ => None,
        }
    }

    /// Outward normal of length one and offset (m) of the half-space that it is, if it is one.
    pub fn as_half_space(&self) -> Option<(S::Vector, f64)> {
        match &self.core {
            Core::HalfSpace { normal, offset } if !self.bare => {
                Some((S::vector(normal.to_array()), *offset))
            }
            _ => None,
        }
    }

    /// How far it reaches along a direction of its frame, m times the direction's length; infinite for a half-space,
    /// save along its normal.
    pub fn height(&self, direction: S::Vector) -> f64 {
        let direction = DVec3::from_array(S::components(direction));
        self.core.height(direction) + self.rounding * Linear::length(direction)
    }

    /// Middle and radius of a ball that contains it, m; infinite for a half-space.
    pub fn bounding_ball(&self) -> (S::Vector, f64) {
        (S::vector(self.ball.0.to_array()), self.ball.1)
    }

    /// Radius about the origin of its frame outside of which it has no point, m; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        (self.arm + self.rounding) * (1.0 + 1e-15)
    }
}

fn segment<S: Space>(from: S::Vector, to: S::Vector) -> Result<Hull, ConvexError> {
    let [from, to] = [from, to].map(|p| DVec3::from_array(S::components(p)));
    for (corner, value) in [from, to].into_iter().enumerate() {
        if !value.is_finite() {
            return Err(ConvexError::CornerNotFinite { corner, value });
        }
    }
    if from == to {
        return Err(ConvexError::Flat {
            what: "in one place",
        });
    }
    Ok(Hull::segment(from, to, S::DIMENSION == 2))
}

impl<S: Shaped> Convex<S> {
    /// What a shape of the fixtures is as one convex part; `None` where it is not convex (containers, arcs, tubes).
    pub fn of_shape(shape: &Shape<S>) -> Option<Self> {
        let vector = |v: S::Vector| DVec3::from_array(S::components(v));
        match shape {
            Shape::Ball(ball) => Convex::ball(ball.radius).ok(),
            Shape::Block(block) => Convex::block(block.half).ok(),
            Shape::HalfSpace(wall) if !wall.two_sided => Some(Convex::new(
                Core::HalfSpace {
                    normal: vector(wall.normal),
                    offset: 0.0,
                },
                0.0,
            )),
            Shape::Own(own) => {
                let own: &dyn std::any::Any = &**own;
                if let Some(Shape2::Segment(segment)) = own.downcast_ref() {
                    let [a, b] = segment.ends.map(|p| p.extend(0.0));
                    Some(Convex::new(Core::Hull(Hull::segment(a, b, true)), 0.0))
                } else if let Some(own) = own.downcast_ref::<Shape3>() {
                    of_own(own)
                } else {
                    None
                }
            }
            _ => None,
        }
    }
}

fn of_own<S: Space>(own: &Shape3) -> Option<Convex<S>> {
    match own {
        Shape3::Triangle(triangle) => Some(Convex::new(
            Core::Hull(Hull::triangle(triangle.corners)),
            0.0,
        )),
        Shape3::Cylinder(cylinder) => Some(Convex::new(
            Core::Cylinder(Round {
                centre: DVec3::ZERO,
                axis: cylinder.axis,
                half_length: cylinder.half_length,
                radius: cylinder.radius,
            }),
            0.0,
        )),
        Shape3::Tube(_) => None,
    }
}

impl Convex<Space2> {
    /// A convex polygon from its corners (m), in order around it, in either direction. Corners on a straight side are
    /// left out.
    pub fn polygon(corners: &[DVec2]) -> Result<Self, ConvexError> {
        let points: Vec<DVec3> = corners.iter().map(|c| c.extend(0.0)).collect();
        let (hull, order) = Hull::around_polygon(&points)?;
        refuse_inner(&hull, &points, &order)?;
        // On the outline the corners of the hull must come in its own order, or in the opposite one.
        let mut given = order.clone();
        given.sort_unstable();
        let number = order.len();
        let place = |i: u32| order.iter().position(|&o| o == i).unwrap_or_default();
        let steps: Vec<usize> = (0..number)
            .map(|k| (place(given[(k + 1) % number]) + number - place(given[k])) % number)
            .collect();
        let backward = number - 1;
        if let Some(k) = steps.iter().position(|&s| s != 1)
            && let Some(other) = steps.iter().position(|&s| s != backward)
        {
            let corner = given[k.max(other)] as usize;
            return Err(ConvexError::Crossing { corner });
        }
        Ok(Convex::new(Core::Hull(hull), 0.0))
    }
}

impl Convex<Space3> {
    /// A cylinder about the origin, along z; lengths in m.
    pub fn cylinder(half_length: f64, radius: f64) -> Result<Self, ConvexError> {
        let round = Round {
            centre: DVec3::ZERO,
            axis: DVec3::Z,
            half_length: positive("half length", half_length, "metres")?,
            radius: positive("radius", radius, "metres")?,
        };
        Ok(Convex::new(Core::Cylinder(round), 0.0))
    }

    /// A convex polyhedron from its corners (m), in any order. A corner within the hull of the others is refused; one
    /// on a face or an edge is left out.
    pub fn polyhedron(corners: &[DVec3]) -> Result<Self, ConvexError> {
        let (hull, kept) = Hull::around_points(corners)?;
        refuse_inner(&hull, corners, &kept)?;
        Ok(Convex::new(Core::Hull(hull), 0.0))
    }

    /// The convex hull of points (m): like [`polyhedron`](Self::polyhedron), but points inside are left out.
    pub fn hull(points: &[DVec3]) -> Result<Self, ConvexError> {
        let (hull, _) = Hull::around_points(points)?;
        Ok(Convex::new(Core::Hull(hull), 0.0))
    }

    /// The solid within a closed mesh, if it is convex.
    pub fn of_mesh(mesh: &Mesh) -> Result<Self, ConvexError> {
        mesh.content()?;
        Self::polyhedron(mesh.corners())
    }

    /// A flat triangle (m) with two sides. It can only stand fixed.
    pub fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ConvexError> {
        for (corner, value) in [a, b, c].into_iter().enumerate() {
            if !value.is_finite() {
                return Err(ConvexError::CornerNotFinite { corner, value });
            }
        }
        let area = Linear::length((b - a).cross(c - a));
        let longest = Linear::length(b - a).max(Linear::length(c - a));
        if !(area > 1e-14 * longest * longest && area.is_finite()) {
            return Err(ConvexError::Flat {
                what: "on one line",
            });
        }
        Ok(Convex::new(Core::Hull(Hull::triangle([a, b, c])), 0.0))
    }
}

/// Refuses a corner that is inside the hull, not on it.
fn refuse_inner(hull: &Hull, points: &[DVec3], kept: &[u32]) -> Result<(), ConvexError> {
    let size = points
        .iter()
        .map(|&p| Linear::length(p - points[0]))
        .fold(0.0, f64::max);
    for (corner, &point) in points.iter().enumerate() {
        if kept.contains(&(corner as u32)) {
            continue;
        }
        let depths = hull
            .faces
            .iter()
            .map(|face| face.offset - Linear::dot(face.normal, point));
        let depth = depths.fold(f64::INFINITY, f64::min);
        if depth > 8.0 * ON_PLANE * size {
            return Err(ConvexError::NotConvex { corner, depth });
        }
    }
    Ok(())
}
