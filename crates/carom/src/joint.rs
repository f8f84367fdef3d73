//! Joints: what holds two bodies together, or a body to a point of the world.
//!
//! A hinge lets two points coincide, a rod keeps them at a distance, a spring pulls them towards its length at rest.
//! Here is what a joint is; which equations follow from it stands in `joint/rows.rs`, how those are solved in
//! `joint/system.rs`, and which bodies they are about in `joint/linkage.rs`.

mod linkage;
mod rows;
mod system;

pub(crate) use linkage::{BodyMotion, Linkage, LinkedBody, Pull};
pub(crate) use rows::{FIXED, Mass, Row};
pub(crate) use system::Factored;

use crate::body::BodyId;
use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::space::{Linear, Space};
use std::fmt;

/// Numbers that the factor of the equations of all joints may have: 160 MB.
pub(crate) const MOST_ENTRIES: usize = 20_000_000;

/// A joint of a world, by the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct JointId(pub u32);

/// What holds two bodies together, or a body to a point of the world.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), SimulationError> {
/// // A pendulum of 1 m, let go at a right angle.
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -9.81))?;
/// let bob = world.add(Body::free(Shape::ball(0.05)?).mass(1.0).at(DVec2::new(1.0, 0.0)))?;
/// world.add_joint(Joint::distance(Anchor::world(DVec2::ZERO), bob))?;
/// let mut simulation = Simulation::with(world, Forces::default())?;
/// simulation.run_until(0.591)?; // about a quarter of its period
/// let state = simulation.state(bob);
/// assert!((state.position.length() - 1.0).abs() < 1e-12);
/// assert!((state.velocity.length() - (2.0 * 9.81_f64).sqrt()).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
pub struct Joint<S: Space> {
    /// For messages and pictures; need not be unique.
    pub name: Box<str>,
    /// What it is.
    pub kind: JointKind<S>,
    /// Where it acts.
    pub ends: [Anchor<S>; 2],
    /// Whether the two bodies collide with each other. Those of a hinge do not unless that is said: they share a point.
    pub collides: bool,
}

/// What a joint is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum JointKind<S: Space> {
    /// The two points coincide: a pin in 2-D. In 3-D a ball and socket, or with an axis a hinge that turns about it
    /// alone.
    Hinge {
        /// What it turns about, of any length, in the axes of the first body (of the world, where the first end is a
        /// point of the world). Only in 3-D.
        axis: Option<S::Vector>,
    },
    /// The two points keep their distance: a rod without mass.
    Distance {
        /// m; `None` for the distance at the start.
        length: Option<f64>,
    },
    /// A linear spring with a damper beside it.
    Spring {
        /// N/m.
        stiffness: f64,
        /// At which it does not pull, m; `None` for the distance at the start.
        rest_length: Option<f64>,
        /// Of the damper along it, N·s/m.
        damping: f64,
    },
}

/// Where a joint acts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
pub enum Anchor<S: Space> {
    /// At a point of a body.
    Body {
        /// The body.
        id: BodyId,
        /// In the body's own frame, m.
        at: S::Vector,
    },
    /// At a point of the world, m.
    World(S::Vector),
}

impl<S: Space> Anchor<S> {
    /// At a point of a body, in the body's own frame, m.
    pub fn at(id: BodyId, at: S::Vector) -> Self {
        Anchor::Body { id, at }
    }

    /// At a point of the world, m.
    pub fn world(point: S::Vector) -> Self {
        Anchor::World(point)
    }

    /// The body, where it is not the world.
    pub fn body(&self) -> Option<BodyId> {
        match self {
            Anchor::Body { id, .. } => Some(*id),
            Anchor::World(_) => None,
        }
    }

    fn point(&self) -> S::Vector {
        match *self {
            Anchor::Body { at, .. } => at,
            Anchor::World(point) => point,
        }
    }
}

/// At the origin of the body's frame: the centre of a ball or a box.
impl<S: Space> From<BodyId> for Anchor<S> {
    fn from(id: BodyId) -> Self {
        Anchor::Body {
            id,
            at: S::Vector::ZERO,
        }
    }
}

impl<S: Space> Joint<S> {
    fn new(kind: JointKind<S>, a: Anchor<S>, b: Anchor<S>) -> Self {
        Joint {
            name: "".into(),
            collides: !matches!(kind, JointKind::Hinge { .. }),
            kind,
            ends: [a, b],
        }
    }

    /// Lets two points coincide: a pin in 2-D, a ball and socket in 3-D.
    pub fn hinge(a: impl Into<Anchor<S>>, b: impl Into<Anchor<S>>) -> Self {
        Self::new(JointKind::Hinge { axis: None }, a.into(), b.into())
    }

    /// Keeps two points at the distance that they have at the start: a rod without mass.
    pub fn distance(a: impl Into<Anchor<S>>, b: impl Into<Anchor<S>>) -> Self {
        Self::new(JointKind::Distance { length: None }, a.into(), b.into())
    }

    /// A spring of a stiffness (N/m), at rest at the distance that its ends have at the start.
    pub fn spring(a: impl Into<Anchor<S>>, b: impl Into<Anchor<S>>, stiffness: f64) -> Self {
        let kind = JointKind::Spring {
            stiffness,
            rest_length: None,
            damping: 0.0,
        };
        Self::new(kind, a.into(), b.into())
    }

    /// Lets a hinge in 3-D turn about an axis alone, in the axes of the first body. Of no effect on others.
    #[must_use]
    pub fn about(mut self, direction: S::Vector) -> Self {
        if let JointKind::Hinge { axis } = &mut self.kind {
            *axis = Some(direction);
        }
        self
    }

    /// Gives a rod its length, a spring its length at rest, m. Of no effect on a hinge.
    #[must_use]
    pub fn length(mut self, metres: f64) -> Self {
        match &mut self.kind {
            JointKind::Distance { length } => *length = Some(metres),
            JointKind::Spring { rest_length, .. } => *rest_length = Some(metres),
            JointKind::Hinge { .. } => {}
        }
        self
    }

    /// Puts a damper beside a spring, N·s/m. Of no effect on others.
    #[must_use]
    pub fn damping(mut self, coefficient: f64) -> Self {
        if let JointKind::Spring { damping, .. } = &mut self.kind {
            *damping = coefficient;
        }
        self
    }

    /// Lets the two bodies collide with each other, or pass through each other.
    #[must_use]
    pub fn colliding(mut self, collides: bool) -> Self {
        self.collides = collides;
        self
    }

    /// Gives it a name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Whether it is kept exactly, as hinges and rods are; a spring gives way.
    pub fn is_rigid(&self) -> bool {
        !matches!(self.kind, JointKind::Spring { .. })
    }

    /// Refuses numbers that no joint can have, wherever its bodies are.
    pub(crate) fn check(&self) -> Result<(), JointFault> {
        for end in &self.ends {
            if !end.point().is_finite() {
                return Err(JointFault::new(
                    "anchor",
                    format!("{:?}", end.point()),
                    "made of finite numbers",
                ));
            }
        }
        let [a, b] = [self.ends[0].body(), self.ends[1].body()];
        if a.is_none() && b.is_none() || a == b {
            let found = if a.is_none() { "the world" } else { "one body" };
            return Err(JointFault::new(
                "between",
                format!("{found} at both ends"),
                "two bodies, or a body and a point of the world",
            ));
        }
        match self.kind {
            JointKind::Hinge { axis: None } => Ok(()),
            JointKind::Hinge { axis: Some(axis) } if S::DIMENSION == 2 => Err(JointFault::new(
                "axis",
                format!("{axis:?}"),
                "absent in 2-D, where a hinge has one axis",
            )),
            JointKind::Hinge { axis: Some(axis) } => match axis.unit() {
                Some(_) if axis.is_finite() => Ok(()),
                _ => Err(JointFault::new("axis", format!("{axis:?}"), "a direction")),
            },
            JointKind::Distance { length: None } => Ok(()),
            JointKind::Distance {
                length: Some(length),
            } => positive("length", length),
            JointKind::Spring {
                stiffness,
                rest_length,
                damping,
            } => {
                positive("stiffness", stiffness)?;
                not_negative("damping", damping)?;
                rest_length.map_or(Ok(()), |length| not_negative("rest_length", length))
            }
        }
    }
}

/// What is wrong with a joint: the field, its value, and what is allowed there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointFault {
    pub field: &'static str,
    pub value: String,
    pub allowed: String,
}

impl JointFault {
    pub fn new(field: &'static str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        JointFault {
            field,
            value: value.into(),
            allowed: allowed.into(),
        }
    }
}

fn positive(field: &'static str, value: f64) -> Result<(), JointFault> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(JointFault::new(
        field,
        value.to_string(),
        "a positive, finite number",
    ))
}

fn not_negative(field: &'static str, value: f64) -> Result<(), JointFault> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let allowed = "zero or a positive, finite number";
    Err(JointFault::new(field, value.to_string(), allowed))
}

impl<S: Space> fmt::Display for JointKind<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            JointKind::Hinge { .. } => "hinge",
            JointKind::Distance { .. } => "distance",
            JointKind::Spring { .. } => "spring",
        })
    }
}

impl<S: Space> Stored for Joint<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.name.store(out);
        self.kind.store(out);
        self.ends[0].store(out);
        self.ends[1].store(out);
        self.collides.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Joint {
            name: Stored::load(input)?,
            kind: Stored::load(input)?,
            ends: [Stored::load(input)?, Stored::load(input)?],
            collides: Stored::load(input)?,
        })
    }
}

impl<S: Space> Stored for JointKind<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match *self {
            JointKind::Hinge { axis } => {
                0_u8.store(out);
                axis.store(out);
            }
            JointKind::Distance { length } => {
                1_u8.store(out);
                length.store(out);
            }
            JointKind::Spring {
                stiffness,
                rest_length,
                damping,
            } => {
                2_u8.store(out);
                stiffness.store(out);
                rest_length.store(out);
                damping.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => JointKind::Hinge {
                axis: Stored::load(input)?,
            },
            1 => JointKind::Distance {
                length: Stored::load(input)?,
            },
            2 => JointKind::Spring {
                stiffness: Stored::load(input)?,
                rest_length: Stored::load(input)?,
                damping: Stored::load(input)?,
            },
            other => return invalid(format!("a joint of the unknown kind {other}")),
        })
    }
}

impl<S: Space> Stored for Anchor<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.body().map(|id| id.0).store(out);
        self.point().store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let id: Option<u32> = Stored::load(input)?;
        let at = Stored::load(input)?;
        Ok(match id {
            Some(id) => Anchor::Body { id: BodyId(id), at },
            None => Anchor::World(at),
        })
    }
}
