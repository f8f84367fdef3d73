//! Closed containers: named walls around balls, or around what balls must stay out of.
//!
//! A container is built from its geometry, checked, and put into a world with `World::add_container`. It becomes a list
//! of bodies, `"hall.wall 1"`, `"hall.wall 2"`, …, each with a material of its own and, if wanted, a motion of its own;
//! or the container moves as a whole. From then on it is its walls that count; the world remembers the container to
//! check whether balls start on the right side of it.
//!
//! ```
//! use carom::prelude::*;
//! use carom::container::{Container2, Side};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World2::new();
//! world.add_container(Container2::stadium("arena", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.0)?)?;
//! let ball = Body::free(Shape::ball(0.1)?).mass(1.0).at(DVec2::new(0.3, 0.2)).velocity(DVec2::new(1.0, 0.4));
//! world.add(ball.named("ball"))?;
//! let mut run = Simulation::new(world)?; // the ball is inside and touches no wall
//! run.run_until(10.0)?;
//! assert!(run.collisions() > 4);
//! # Ok(())
//! # }
//! ```
//!
//! What the walls are made of follows from the form and the side, and is said at each builder. Thin walls (segments,
//! arcs) end at their corners, which neighbours share to the bit where at least one of the two is straight: a ball
//! touches the corner itself and cannot slip between them. Straight walls without end
//! ([`HalfSpace`](crate::shape::HalfSpace)) go on behind the corners, so that one of them may move in or out like
//! a piston, and everything behind them is solid.

mod crossing;
mod error;
mod inside;
mod outline;
mod three;
mod two;

pub use error::ContainerError;
pub use outline::Stretch;

use crate::body::{Body, CollisionFilter, Kind};
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Pose};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space, Space2, Space3};
use inside::Inside;

/// On which side of its walls a container has its balls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Side {
    /// They start inside, and stay there.
    #[default]
    Inside,
    /// They start outside: the container is an obstacle.
    Outside,
    /// They may start on either side. Only for containers whose walls are thin, in 2-D.
    Both,
}

impl Side {
    /// All sides, as scene files call them: `inside`, `outside`, `both`.
    pub const ALL: [(&'static str, Side); 3] = [
        ("inside", Side::Inside),
        ("outside", Side::Outside),
        ("both", Side::Both),
    ];

    /// Its name in scene files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Side::Inside => "inside",
            Side::Outside => "outside",
            Side::Both => "both",
        }
    }
}

/// A closed container: its walls, what they are made of, and how they move.
///
/// Walls are counted from 1, in the order that the builder says.
///
/// ```
/// use carom::prelude::*;
/// use carom::container::{Container2, ContainerError, Side};
///
/// let container = Container2::rectangle("table", Side::Inside, DVec2::ZERO, DVec2::new(2.0, 1.0))?
///     .kinematic_wall(2, Drive::Uniform { velocity: DVec2::new(-0.1, 0.0) })?; // a piston
/// assert_eq!(container.walls(), 4);
/// assert!(container.contains(DVec2::new(1.0, 0.5)));
/// assert!(container.check_wall(5).is_err());
/// # Ok::<(), ContainerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self", bound = "")
)]
pub struct Container<S: Shaped> {
    name: Box<str>,
    side: Side,
    inside: Inside,
    /// What turning as a whole is about, m.
    centre: S::Vector,
    panels: Vec<Panel<S>>,
    /// Of each wall.
    materials: Vec<MaterialId>,
    groups: CollisionFilter,
    drive: Option<Drive<S>>,
    /// Of single walls, by number.
    wall_drives: Vec<(usize, Drive<S>)>,
}

/// A container in 2-D.
pub type Container2 = Container<Space2>;

/// A container in 3-D.
pub type Container3 = Container<Space3>;

/// A body of a wall.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
struct Panel<S: Shaped> {
    /// Whose it is, from 1.
    wall: usize,
    /// What it is called after the container's name: `wall 3`, or `wall 3a` where the wall has several bodies.
    label: String,
    shape: Shape<S>,
    pose: Pose<S>,
}

impl<S: Shaped> Panel<S> {
    /// The only body of a wall.
    fn whole(wall: usize, shape: Shape<S>, pose: Pose<S>) -> Self {
        Panel {
            wall,
            label: format!("wall {wall}"),
            shape,
            pose,
        }
    }
}

impl<S: Shaped> Container<S> {
    fn new(
        name: &str,
        side: Side,
        inside: Inside,
        centre: S::Vector,
        panels: Vec<Panel<S>>,
    ) -> Self {
        let walls = panels.iter().map(|panel| panel.wall).max().unwrap_or(0);
        Container {
            name: name.into(),
            side,
            inside,
            centre,
            panels,
            materials: vec![Materials::DEFAULT; walls],
            groups: CollisionFilter::ALL,
            drive: None,
            wall_drives: Vec::new(),
        }
    }

    /// As given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its balls belong.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How many walls it has.
    pub fn walls(&self) -> usize {
        self.materials.len()
    }

    /// The point that it rotates about by default, m: its middle, as the builder says.
    pub fn centre(&self) -> S::Vector {
        self.centre
    }

    /// The same container, all walls made of one material.
    pub fn made_of(mut self, material: MaterialId) -> Self {
        self.materials.fill(material);
        self
    }

    /// The same container with a material for each wall, in order; there must be as many.
    pub fn walls_made_of(mut self, materials: &[MaterialId]) -> Result<Self, ContainerError> {
        if materials.len() != self.walls() {
            return Err(ContainerError::Materials {
                container: self.name.into(),
                given: materials.len(),
                walls: self.materials.len(),
            });
        }
        self.materials.copy_from_slice(materials);
        Ok(self)
    }

    /// The same container with another material for one wall, counted from 1.
    pub fn wall_made_of(
        mut self,
        wall: usize,
        material: MaterialId,
    ) -> Result<Self, ContainerError> {
        self.check_wall(wall)?;
        self.materials[wall - 1] = material;
        Ok(self)
    }

    /// Refuses the number of a wall that is not there.
    pub fn check_wall(&self, wall: usize) -> Result<(), ContainerError> {
        if (1..=self.walls()).contains(&wall) {
            Ok(())
        } else {
            Err(ContainerError::NoWall {
                container: self.name.to_string(),
                wall,
                walls: self.walls(),
            })
        }
    }

    /// The same container, whose walls belong to some groups and collide with the members of some.
    pub fn in_groups(mut self, memberships: u32, mask: u32) -> Self {
        self.groups = CollisionFilter { memberships, mask };
        self
    }

    /// The same container, moving as a whole. Walls with a motion of their own keep it.
    pub fn kinematic(mut self, drive: Drive<S>) -> Self {
        self.drive = Some(drive);
        self
    }

    /// The same container, turning as a whole about its centre (rad/s): a drum.
    pub fn rotating(self, angular_velocity: S::Angular) -> Self {
        let pivot = self.centre;
        self.kinematic(Drive::Rotation {
            pivot,
            angular_velocity,
        })
    }

    /// The same container with one kinematic wall, counted from 1: a piston.
    ///
    /// A wall that is moved out of a container of thin walls leaves an opening; straight walls without end never do.
    pub fn kinematic_wall(mut self, wall: usize, drive: Drive<S>) -> Result<Self, ContainerError> {
        self.check_wall(wall)?;
        self.wall_drives.retain(|(other, _)| *other != wall);
        self.wall_drives.push((wall, drive));
        Ok(self)
    }

    /// Its walls as bodies, in order, each called by the container's name, a dot, and its own: `hall.wall 3`.
    pub fn bodies(&self) -> Vec<Body<S>> {
        let body = |panel: &Panel<S>| Body {
            name: format!("{}.{}", self.name, panel.label).into(),
            shape: panel.shape.clone(),
            material: self.materials[panel.wall - 1],
            groups: self.groups,
            sensor: false,
            pose: panel.pose,
            kind: match self.drive_of(panel.wall) {
                Some(drive) => Kind::Kinematic(drive.clone()),
                None => Kind::Static,
            },
            load: None,
        };
        self.panels.iter().map(body).collect()
    }

    /// How many bodies its walls are.
    pub(crate) fn body_count(&self) -> usize {
        self.panels.len()
    }

    fn drive_of(&self, wall: usize) -> Option<&Drive<S>> {
        let own = self.wall_drives.iter().find(|(other, _)| *other == wall);
        own.map(|(_, drive)| drive).or(self.drive.as_ref())
    }

    /// Whether a point is inside at time 0. Within rounding of a wall either answer may come.
    pub fn contains(&self, point: S::Vector) -> bool {
        let moved = self.drive.as_ref().map_or(S::Vector::ZERO, offset_at_start);
        self.inside.holds(S::components(point - moved))
    }

    pub(crate) fn groups(&self) -> CollisionFilter {
        self.groups
    }

    /// Whether it can be said at time 0 what is inside: not where a single wall starts away from its place.
    pub(crate) fn is_judge(&self) -> bool {
        let moves = |drive: &Drive<S>| offset_at_start(drive) != S::Vector::ZERO;
        self.side != Side::Both && !self.wall_drives.iter().any(|(_, drive)| moves(drive))
    }

    /// The nearest body of a wall at time 0, by its place among [`bodies`](Self::bodies), and how far its surface is
    /// from a point, m.
    pub(crate) fn nearest_wall(&self, point: S::Vector) -> (usize, f64) {
        let distance = |panel: &Panel<S>| {
            let pose = match self.drive_of(panel.wall) {
                Some(drive) => drive.state_at(&panel.pose, 0.0).pose,
                None => panel.pose,
            };
            panel.shape.closest(pose.to_local(point)).distance
        };
        let all = self.panels.iter().map(distance).enumerate();
        // Of walls without end, all of which lead past the container, the one that the point is furthest behind; of
        // thin ones the nearest.
        let order = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        all.min_by(order).unwrap_or((0, 0.0))
    }
}

#[cfg(feature = "serde")]
crate::serial::checked!([S: Shaped] Container<S>, Container::<S>::check_stored);

#[cfg(feature = "serde")]
impl<S: Shaped> Container<S> {
    /// Whether its walls have the numbers that they are asked for by. Shapes, poses and motions have been checked.
    fn check_stored(&self) -> Result<(), String> {
        let walls = self.walls();
        let numbers = (self.panels.iter().map(|panel| panel.wall))
            .chain(self.wall_drives.iter().map(|(wall, _)| *wall));
        let mut wrong = numbers.filter(|wall| !(1..=walls).contains(wall));
        match wrong.next() {
            Some(wall) => Err(format!(
                "container {}: there is no wall {wall} among {walls}",
                self.name
            )),
            None if self.panels.is_empty() => {
                Err(format!("container {}: it has no walls", self.name))
            }
            None => Ok(()),
        }
    }
}

/// How far a motion has taken a body at time 0, m. Zero for a rotation, which starts at the pose given.
fn offset_at_start<S: Space>(drive: &Drive<S>) -> S::Vector {
    match drive {
        Drive::Rotation { .. } => S::Vector::ZERO,
        drive => drive.state_at(&Pose::default(), 0.0).pose.position,
    }
}
