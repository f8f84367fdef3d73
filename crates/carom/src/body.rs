//! A body: a shape, a material, and how it moves.

mod build;

pub use build::{FreeBody, IntoBody};

use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Load, Pose};
use crate::shape::convex::{Compound, ConvexError, free_form};
use crate::shape::{Shape, ShapeError, Shaped};
use crate::space::{Linear, Space};
use std::fmt;

/// A body of a world, by the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct BodyId(pub u32);

/// A body as it is put into a world.
///
/// ```
/// use carom::prelude::*;
/// use carom::body::Kind;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Free, static and kinematic: a disc, a wall, and a bat that moves at 3 m/s whatever strikes it.
/// let mut world = World2::new();
/// let disc = Body::free(Shape::ball(0.5)?).mass(2.0).velocity(DVec2::X).named("disc").build()?;
/// let wall = Body::fixed(Shape::half_space(-DVec2::X)?).at(DVec2::new(5.0, 0.0));
/// let motion = Drive::Uniform { velocity: DVec2::new(3.0, 0.0) };
/// let bat = Body::kinematic(Shape::block(DVec2::new(0.05, 0.4))?, motion).at(DVec2::new(-2.0, 0.0));
/// for body in [&disc, &wall, &bat] {
///     world.add(body.clone())?;
/// }
/// assert!(matches!(disc.kind, Kind::Free(free) if free.inertia == 0.25)); // ½ m r²
/// assert!(matches!((wall.kind, bat.kind), (Kind::Static, Kind::Kinematic(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "")
)]
pub struct Body<S: Shaped> {
    /// For messages and summaries; need not be unique.
    pub name: Box<str>,
    /// In its own frame.
    pub shape: Shape<S>,
    /// Of its surface.
    pub material: MaterialId,
    /// What it collides with.
    pub groups: CollisionFilter,
    /// Whether it only notices what passes: balls go through it, and their coming and going is reported. Only a static
    /// or kinematic body can be one.
    pub sensor: bool,
    /// Where its frame is at time 0.
    pub pose: Pose<S>,
    /// How it moves.
    pub kind: Kind<S>,
    /// What acts on it from outside, besides contacts and fields. Only a free body can have one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub load: Option<Box<Load<S>>>,
}

/// The collision filter of a body: it belongs to some of 32 groups, and collides with the members of those in its mask.
///
/// Two bodies collide if each belongs to a group in the other's mask; otherwise they pass through each other.
///
/// ```
/// use carom::body::CollisionFilter;
///
/// let (red, blue, walls) = (0b001, 0b010, 0b100);
/// let red_ball = CollisionFilter { memberships: red, mask: red | walls };
/// let blue_ball = CollisionFilter { memberships: blue, mask: blue | walls };
/// let wall = CollisionFilter { memberships: walls, mask: red | blue };
/// assert!(red_ball.collides_with(wall) && blue_ball.collides_with(wall));
/// assert!(!red_ball.collides_with(blue_ball)); // they pass through each other
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionFilter {
    /// The groups that it belongs to, one bit each.
    pub memberships: u32,
    /// The groups whose members it collides with, one bit each.
    pub mask: u32,
}

impl CollisionFilter {
    /// In every group, and colliding with every group.
    pub const ALL: CollisionFilter = CollisionFilter {
        memberships: u32::MAX,
        mask: u32::MAX,
    };

    /// Whether two bodies collide.
    #[inline]
    pub fn collides_with(self, other: CollisionFilter) -> bool {
        self.memberships & other.mask != 0 && other.memberships & self.mask != 0
    }
}

impl Default for CollisionFilter {
    fn default() -> Self {
        CollisionFilter::ALL
    }
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
// Exhaustive: there is no fourth way to move, and whoever goes over bodies must treat all three.
pub enum Kind<S: Space> {
    /// Impulses and gravity move it.
    Free(Free<S>),
    /// It stays where it is, whatever strikes it.
    Static,
    /// It follows a given motion, whatever strikes it.
    Kinematic(Drive<S>),
}

/// What a free body has beyond its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
pub struct Free<S: Space> {
    /// kg.
    pub mass: f64,
    /// Moment of inertia of a ball about any axis through its centre, kg·m²; infinite for one that cannot be spun.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::number"))]
    pub inertia: f64,
    /// At time 0, m/s.
    pub velocity: S::Vector,
    /// At time 0, rad/s.
    pub angular_velocity: S::Angular,
}

/// Why a body cannot be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyError {
    /// Its name, as given.
    pub name: String,
    /// The field at fault: `mass`, `density`, `inertia`, `sensor`, `position`, `velocity`, `angular_velocity`, `shape`
    /// or a field of the drive.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

impl BodyError {
    fn of<S: Shaped>(body: &Body<S>, (field, value, allowed): Wrong) -> Self {
        BodyError {
            name: body.name.to_string(),
            field,
            value,
            allowed,
        }
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BodyError {
            name,
            field,
            value,
            allowed,
        } = self;
        if name.is_empty() {
            write!(formatter, "a body without a name: ")?
        } else {
            write!(formatter, "body {name}: ")?
        }
        write!(formatter, "{field} is {value}, but must be {allowed}")
    }
}

impl std::error::Error for BodyError {}

/// The field at fault, its value, and what is allowed there.
type Wrong = (&'static str, String, &'static str);

/// Whether a shape has a volume, so that it can have a mass.
fn has_inside<S: Shaped>(shape: &Shape<S>) -> bool {
    match shape {
        Shape::Ball(_) | Shape::Block(_) => true,
        Shape::Compound(form) => form.has_mass(),
        shape => free_form(shape, 1.0).is_ok(),
    }
}

/// A shape that cannot move freely.
fn no_inside<S: Shaped>(shape: &Shape<S>) -> Wrong {
    (
        "shape",
        format!("{shape:?}"),
        "a ball, box, cylinder, capsule, polygon or polyhedron, or made of such parts, where the body is free",
    )
}

/// The moment about the axis in 2-D, the mean of the principal ones in 3-D, kg·m².
fn mean_moment<S: Space>(form: &Compound<S>) -> f64 {
    let moments = form.principal_moments();
    match S::DIMENSION {
        2 => moments[2],
        _ => (moments[0] + moments[1] + moments[2]) / 3.0,
    }
}

impl<S: Shaped> Body<S> {
    /// A short form of [`free`](Self::free) for many balls: a free, full one (`I = ½ m r²` in 2-D, `⅖ m r²` in 3-D) of
    /// the default material.
    pub fn ball(
        radius: f64,
        mass: f64,
        position: S::Vector,
        velocity: S::Vector,
    ) -> Result<Self, ShapeError> {
        Ok(Body {
            name: Box::default(),
            shape: Shape::ball(radius)?,
            material: Materials::DEFAULT,
            groups: CollisionFilter::ALL,
            sensor: false,
            pose: Pose::at(position),
            kind: Kind::Free(Free {
                mass,
                inertia: S::ball_inertia(mass, radius),
                velocity,
                angular_velocity: S::Angular::ZERO,
            }),
            load: None,
        })
    }

    /// A free solid of a mass (kg) spread uniformly over its shape, of the default material: a box, a cylinder, or one
    /// with parts ([`Shape::Compound`]).
    ///
    /// The pose is that of its centre of mass. Its tensor of inertia follows from its shape and mass; `inertia` is the
    /// mean of its principal moments, for whoever wants one number.
    pub fn solid(
        shape: Shape<S>,
        mass: f64,
        pose: Pose<S>,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<Self, ConvexError> {
        let inertia = mean_moment(&free_form(&shape, mass)?);
        Ok(Body {
            kind: Kind::Free(Free {
                mass,
                inertia,
                velocity,
                angular_velocity,
            }),
            ..Self::fixed(shape).pose(pose)
        })
    }

    /// A body that stays where it is: at the origin, unless it is put [`at`](Self::at) a point.
    pub fn fixed(shape: Shape<S>) -> Self {
        Body {
            name: Box::default(),
            shape,
            material: Materials::DEFAULT,
            groups: CollisionFilter::ALL,
            sensor: false,
            pose: Pose::default(),
            kind: Kind::Static,
            load: None,
        }
    }

    /// A body that follows a given motion, whatever strikes it, from where it is put ([`at`](Self::at)).
    pub fn kinematic(shape: Shape<S>, drive: Drive<S>) -> Self {
        Body {
            kind: Kind::Kinematic(drive),
            ..Self::fixed(shape)
        }
    }

    /// Refuses a body with a number that is not allowed.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        self.check_numbers()
            .map_err(|wrong| BodyError::of(self, wrong))
    }

    fn check_numbers(&self) -> Result<(), Wrong> {
        const FINITE: &str = "made of finite numbers";
        if !self.pose.position.is_finite() {
            return Err(("position", format!("{:?}", self.pose.position), FINITE));
        }
        if self.sensor && matches!(self.kind, Kind::Free(_)) {
            let allowed = "set only where the body is static or kinematic";
            return Err(("sensor", "set".to_owned(), allowed));
        }
        if let Some(load) = &self.load {
            if !matches!(self.kind, Kind::Free(_)) {
                let allowed = "absent where the body is not free";
                return Err(("force", "given".to_owned(), allowed));
            }
            if !load.is_finite() {
                return Err(("force", format!("{load:?}"), FINITE));
            }
        }
        match &self.kind {
            Kind::Static => Ok(()),
            Kind::Kinematic(drive) => drive
                .check()
                .map_err(|error| (error.field, error.value, error.allowed)),
            Kind::Free(free) => {
                if !has_inside(&self.shape) {
                    return Err(no_inside(&self.shape));
                }
                if !(free.mass > 0.0 && free.mass.is_finite()) {
                    return Err((
                        "mass",
                        free.mass.to_string(),
                        "a positive, finite number of kilograms",
                    ));
                }
                if free.inertia.is_nan() || free.inertia <= 0.0 {
                    return Err((
                        "inertia",
                        free.inertia.to_string(),
                        "positive, or infinite for a ball that cannot rotate",
                    ));
                }
                if !free.velocity.is_finite() {
                    return Err(("velocity", format!("{:?}", free.velocity), FINITE));
                }
                if !free.angular_velocity.is_finite() {
                    return Err((
                        "angular_velocity",
                        format!("{:?}", free.angular_velocity),
                        FINITE,
                    ));
                }
                Ok(())
            }
        }
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([S: Shaped] Body<S>, Body::<S>::check);
