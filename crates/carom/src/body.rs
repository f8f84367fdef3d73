//! A body: a shape, a material, and how it moves.

use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Pose};
use crate::shape::convex::{SolidError, free_form};
use crate::shape::{Ball, Shape, ShapeError, Shaped};
use crate::space::{Linear, Space};

/// A body of a world, by the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

/// A body as it is put into a world.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Free, fixed, and prescribed: a disc, a wall, and a bat that moves at 3 m/s whatever strikes it.
/// let disc = Body::<Space2>::ball(0.5, 2.0, DVec2::ZERO, DVec2::X)?.named("disc");
/// let wall = Shape::HalfSpace(HalfSpace::<Space2>::solid(-DVec2::X)?);
/// let wall = Body::fixed(wall, Pose::at(DVec2::new(5.0, 0.0)));
/// let bat = Shape::Block(Block::<Space2>::new(DVec2::new(0.05, 0.4))?);
/// let velocity = DVec2::new(3.0, 0.0);
/// let bat = Body::driven(bat, Pose::at(DVec2::new(-2.0, 0.0)), Drive::Uniform { velocity });
/// assert!(matches!(disc.kind, Kind::Free(free) if free.inertia == 0.25)); // ½ m r²
/// assert!(matches!((wall.kind, bat.kind), (Kind::Fixed, Kind::Driven(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body<S: Shaped> {
    /// For messages and summaries; need not be unique.
    pub name: Box<str>,
    /// In its own frame.
    pub shape: Shape<S>,
    /// Of its surface.
    pub material: MaterialId,
    /// Whom it meets.
    pub groups: CollisionFilter,
    /// Whether it only notices what passes: balls go through it, and their coming and going is reported. Only a static or kinematic
    /// body can be one.
    pub sensor: bool,
    /// Where its frame is at time 0.
    pub pose: Pose<S>,
    /// How it moves.
    pub kind: Kind<S>,
}

/// Whom a body meets: it belongs to some of 32 groups and meets the members of some.
///
/// Two bodies meet if each belongs to a group that the other meets; otherwise they pass through each other.
///
/// ```
/// use carom::prelude::CollisionFilter;
///
/// let (red, blue, walls) = (0b001, 0b010, 0b100);
/// let red_ball = CollisionFilter { member: red, meets: red | walls };
/// let blue_ball = CollisionFilter { member: blue, meets: blue | walls };
/// let wall = CollisionFilter { member: walls, meets: red | blue };
/// assert!(red_ball.meet(wall) && blue_ball.meet(wall));
/// assert!(!red_ball.meet(blue_ball)); // they pass through each other
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollisionFilter {
    /// The groups that it belongs to, one bit each.
    pub member: u32,
    /// The groups whose members it meets, one bit each.
    pub meets: u32,
}

impl CollisionFilter {
    /// In every group, and meeting every group.
    pub const ALL: CollisionFilter = CollisionFilter {
        member: u32::MAX,
        meets: u32::MAX,
    };

    /// Whether two bodies meet.
    #[inline]
    pub fn meet(self, other: CollisionFilter) -> bool {
        self.member & other.meets != 0 && other.member & self.meets != 0
    }
}

impl Default for CollisionFilter {
    fn default() -> Self {
        CollisionFilter::ALL
    }
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<S: Space> {
    /// Impulses and gravity move it.
    Free(Free<S>),
    /// It stays where it is, whatever strikes it.
    Fixed,
    /// It moves as prescribed, whatever strikes it (K6).
    Driven(Drive<S>),
}

/// What a free body has beyond its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free<S: Space> {
    /// kg.
    pub mass: f64,
    /// Moment of inertia of a ball about any axis through its centre, kg·m²; infinite for one that cannot be spun.
    pub inertia: f64,
    /// At time 0, m/s.
    pub velocity: S::Vector,
    /// At time 0, rad/s.
    pub spin: S::Angular,
}

impl<S: Shaped> Body<S> {
    /// A free, full ball (`I = ½ m r²` in 2-D, `⅖ m r²` in 3-D) of the default material.
    pub fn ball(
        radius: f64,
        mass: f64,
        position: S::Vector,
        velocity: S::Vector,
    ) -> Result<Self, ShapeError> {
        Ok(Body {
            name: Box::default(),
            shape: Shape::Ball(Ball::new(radius)?),
            material: Materials::DEFAULT,
            groups: CollisionFilter::ALL,
            sensor: false,
            pose: Pose::at(position),
            kind: Kind::Free(Free {
                mass,
                inertia: S::ball_inertia(mass, radius),
                velocity,
                spin: S::Angular::ZERO,
            }),
        })
    }

    /// A free solid of a mass (kg) spread uniformly over its shape, of the default material: a box, a cylinder, or one with parts ([`Shape::Compound`]).
    ///
    /// The pose is that of its centre of mass. Its tensor of inertia follows from its shape and mass; `inertia` is the mean of its principal moments, for whoever
    /// wants one number.
    pub fn solid(
        shape: Shape<S>,
        mass: f64,
        pose: Pose<S>,
        velocity: S::Vector,
        spin: S::Angular,
    ) -> Result<Self, SolidError> {
        let form = free_form(&shape, mass)?;
        let moments = form.principal_moments();
        let inertia = match S::DIMENSION {
            2 => moments[2],
            _ => (moments[0] + moments[1] + moments[2]) / 3.0,
        };
        Ok(Body {
            kind: Kind::Free(Free {
                mass,
                inertia,
                velocity,
                spin,
            }),
            ..Self::fixed(shape, pose)
        })
    }

    /// A body that stays where it is.
    pub fn fixed(shape: Shape<S>, pose: Pose<S>) -> Self {
        Body {
            name: Box::default(),
            shape,
            material: Materials::DEFAULT,
            groups: CollisionFilter::ALL,
            sensor: false,
            pose,
            kind: Kind::Fixed,
        }
    }

    /// A body that moves as prescribed.
    pub fn driven(shape: Shape<S>, pose: Pose<S>, drive: Drive<S>) -> Self {
        Body {
            kind: Kind::Driven(drive),
            ..Self::fixed(shape, pose)
        }
    }

    /// The same body under another name.
    pub fn named(self, name: &str) -> Self {
        Body {
            name: name.into(),
            ..self
        }
    }

    /// The same body of another material.
    pub fn made_of(self, material: MaterialId) -> Self {
        Body { material, ..self }
    }

    /// The same body, which belongs to some groups and meets the members of some.
    pub fn in_groups(self, member: u32, meets: u32) -> Self {
        let groups = CollisionFilter { member, meets };
        Body { groups, ..self }
    }

    /// The same body as a sensor: see [`sensor`](Body::sensor).
    pub fn sensing(self) -> Self {
        Body {
            sensor: true,
            ..self
        }
    }
}
