//! What is kept of a run.

use crate::body::BodyId;
pub use crate::contact::Mode;
use crate::contact::Side;
use crate::space::{Linear, Space};

/// A collision that happened.
///
/// Contacts that close at the same instant and share a ball are answered together. Each is a collision with an impulse
/// of its own; `before` and `after` are the velocities before and after all of them, so that the impulses of a ball's
/// collisions at one instant add up to the change of its momentum, and `energy_lost` to the change of the energy.
///
/// ```
/// use carom::prelude::*;
/// use std::ops::ControlFlow;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).velocity(DVec2::X))?;
/// world.add(Body::free(Shape::ball(0.5)?).mass(3.0).at(DVec2::new(3.0, 0.0)))?;
/// let mut run = Simulation::new(world)?;
/// let mut seen = Vec::new();
/// run.run_with(5.0, |event| {
///     if let Event::Collision(collision) = event {
///         seen.push(**collision);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((seen.len(), seen[0].time, seen[0].normal), (1, 2.0, -DVec2::X));
/// assert_eq!(seen[0].impulse, DVec2::new(-1.5, 0.0)); // on a: −α(1+ε) v_n = ¾ · 2 · 1
/// assert_eq!(seen[0].after[1].velocity, DVec2::new(0.5, 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
#[non_exhaustive]
pub struct Collision<S: Space> {
    /// Counted from 1.
    pub number: u64,
    /// World time, s.
    pub time: f64,
    /// The free ball that the normal points into.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Where they touch, m.
    pub point: S::Vector,
    /// Unit normal, out of b into a.
    pub normal: S::Vector,
    /// Impulse on a; that on b is its opposite, kg·m/s.
    pub impulse: S::Vector,
    /// What the friction did.
    pub mode: Mode,
    /// Velocities and angular velocities of a and b before.
    pub before: [Velocities<S>; 2],
    /// Velocities and angular velocities of a and b after.
    pub after: [Velocities<S>; 2],
    /// Kinetic energy that the collision took out of the scene (negative where it put some in), J.
    pub energy_lost: f64,
    /// The part of it that friction took, J; the rest is restitution's.
    pub lost_to_friction: f64,
    /// Distance of the surfaces, m; negative where they overlap by rounding.
    pub gap: f64,
    /// How fast the surfaces came together along the normal, m/s: of rigid bodies that touch at several points, at the
    /// point that closed fastest.
    pub approach_speed: f64,
    /// How long the two are to stick together from now on, s; `after` is what they leave with then. Zero for an impact.
    pub duration: f64,
}

/// Something that happened in a run.
///
/// ```
/// use carom::prelude::*;
/// use std::ops::ControlFlow;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A ball falls through a sensor, bounces elastically, and comes back through it.
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -10.0))?;
/// world.add(Body::fixed(Shape::floor()))?;
/// let gate = Shape::block(DVec2::new(1.0, 0.1))?;
/// world.add(Body::fixed(gate).at(DVec2::new(0.0, 2.0)).sensing())?;
/// world.add(Body::free(Shape::ball(0.1)?).mass(1.0).at(DVec2::new(0.0, 3.0)))?;
/// let mut run = Simulation::new(world)?;
/// let mut seen = String::new();
/// run.run_with(1.4, |event| {
///     seen.push_str(match event {
///         Event::Entered(_) => "in, ",
///         Event::Left(_) => "out, ",
///         Event::Collision(_) => "bounce, ",
///         _ => "something else, ",
///     });
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(seen, "in, out, bounce, in, out, ");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Event<'a, S: Space> {
    /// Two bodies collided.
    Collision(&'a Collision<S>),
    /// A ball began to overlap a sensor.
    Entered(SensorCrossing),
    /// A ball came clear of a sensor.
    Left(SensorCrossing),
    /// A ball came to keep touching a wall, moves there in another regime, or left it.
    Transition(Transition),
    /// Two bodies that had been in contact for a while left each other.
    Released(Release),
    /// Something was changed from outside.
    Edited(Edit),
    /// Something that was asked for before the run has been done, or could not be. What it changed is told as
    /// [`Edited`](Self::Edited) besides.
    Action(&'a Entry),
    /// Nothing: a thousand steps or more without an event have passed since the last one, so that a listener that wants
    /// to end the run can. World time, s.
    Underway(f64),
}

/// A ball begins to slide, roll, spin or rest on something that it keeps touching, or to fly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Transition {
    /// World time, s.
    pub time: f64,
    /// The ball.
    pub ball: BodyId,
    /// What it touches from now on; `None` where it flies, or lies on other balls.
    pub on: Option<BodyId>,
    /// How it moves there; `None` where it flies.
    pub regime: Option<Regime>,
}

/// How a ball moves on the wall that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
// Exhaustive: run folders store each by a number, and a new one must not be stored as an unknown one.
pub enum Regime {
    /// Its lowest point slips.
    Sliding,
    /// Its lowest point stays on the wall.
    Rolling,
    /// It turns about the normal, on the spot.
    Spinning,
    /// It does not move on the wall.
    Resting,
}

/// The end of a contact of measurable duration: two bodies that were stuck together separate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Release {
    /// World time, s.
    pub time: f64,
    /// The number of the collision that began it.
    pub number: u64,
    /// As in that collision: the free ball that the normal points into.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// How long it lasted, s.
    pub duration: f64,
    /// What ended it.
    pub separation: Separation,
}

/// What ended a contact of measurable duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Separation {
    /// It had lasted as long as the materials say.
    Time,
    /// Another body struck one of the two, or one of the two came upon fixture.
    Struck,
    /// The part of the wall that the ball was on ended, or the motion of the wall changed abruptly.
    Wall,
    /// One of the two was changed from outside.
    Edited,
}

impl Separation {
    /// All there are.
    pub const ALL: [Separation; 4] = [
        Separation::Time,
        Separation::Struck,
        Separation::Wall,
        Separation::Edited,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Separation::Time => "time",
            Separation::Struck => "struck",
            Separation::Wall => "wall",
            Separation::Edited => "edited",
        }
    }
}

/// A ball that goes into a sensor or out of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SensorCrossing {
    /// World time, s.
    pub time: f64,
    /// The ball that crosses.
    pub ball: BodyId,
    /// What is passed.
    pub sensor: BodyId,
}

/// A change from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Edit {
    /// World time, s.
    pub time: f64,
    /// What was done.
    pub change: Change,
}

/// What was changed from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Change {
    /// A body came.
    Inserted(BodyId),
    /// A body went.
    Removed(BodyId),
    /// A ball got another velocity and angular velocity.
    Velocity(BodyId),
    /// Free bodies got other velocities, at one instant: they were kicked.
    Velocities,
    /// A ball was put elsewhere.
    Position(BodyId),
    /// A body is made of something else.
    Material(BodyId),
    /// A body got another collision filter.
    CollisionFilter(BodyId),
    /// The table of materials.
    Materials,
    /// The gravity.
    Gravity,
    /// What acts on balls in flight.
    Fields,
    /// A static or kinematic body got another motion.
    Drive(BodyId),
    /// Another external force or torque acts on a body.
    Load(BodyId),
    /// A kinematic body would have squeezed another one, and stands still from now on (`Settling::stalls`).
    Stalled(BodyId),
}

/// Something that was done by a rule of a run: at a time, at an interval, at an event, at a key.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Entry {
    /// World time, s.
    pub time: f64,
    /// The action's number in the order in which actions were asked for, from 1; 0 for what was done by hand.
    pub order: usize,
    /// The body that set it off.
    pub ball: Option<BodyId>,
    /// What kind of thing was done.
    pub kind: EntryKind,
    /// In words; of what is printed, the text.
    pub what: String,
}

/// What kind of thing an action did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
// Exhaustive: run folders store each by its name.
pub enum EntryKind {
    /// Bodies, materials or fields were changed.
    Change,
    /// A key was pressed or released.
    Key,
    /// A score was changed.
    Score,
    /// A text was printed.
    Print,
    /// The run was ended.
    End,
    /// There was nothing to be done: a body is not there, or is there already.
    Nothing,
}

impl EntryKind {
    /// All there are.
    pub const ALL: [EntryKind; 6] = [
        EntryKind::Change,
        EntryKind::Key,
        EntryKind::Score,
        EntryKind::Print,
        EntryKind::End,
        EntryKind::Nothing,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Change => "change",
            EntryKind::Key => "key",
            EntryKind::Score => "score",
            EntryKind::Print => "print",
            EntryKind::End => "end",
            EntryKind::Nothing => "nothing",
        }
    }
}

/// How a body moves at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
// Exhaustive: there is nothing else to the motion of a rigid body at an instant.
pub struct Velocities<S: Space> {
    /// Of the centre, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}

/// A hash of everything that a run did, over the bits of each number, in order.
///
/// Two runs with the same digest had the same events, in the same order, with the same bits (but for a chance of 2⁻⁶⁴).
/// Each word is mixed in by a rotation, an exclusive or and a multiplication: one hash is made per collision, so it has
/// to be quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes in one word.
    #[inline(always)]
    pub fn word(&mut self, word: u64) {
        // An odd multiplier is a bijection, so no two states or words fall together in one step; 2⁶⁴ over the golden
        // ratio spreads low bits upwards and the rotation brings the high ones back.
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// Takes in a number. Zero is zero, whatever its sign.
    #[inline(always)]
    pub fn number(&mut self, number: f64) {
        self.word((number + 0.0).to_bits());
    }

    /// Takes in a vector; the plane's as one of space with z = 0.
    #[inline(always)]
    pub fn vector<S: Space>(&mut self, vector: S::Vector) {
        let [x, y, z] = S::components(vector);
        self.number(x);
        self.number(y);
        self.number(z);
    }

    /// Takes in a collision.
    #[inline(always)]
    pub fn collision<S: Space>(&mut self, collision: &Collision<S>) {
        self.number(collision.time);
        self.word(u64::from(collision.a.0) << 32 | u64::from(collision.b.0));
        self.vector::<S>(collision.impulse);
        if collision.duration > 0.0 {
            self.number(collision.duration);
        }
    }

    /// What it goes on from.
    pub(crate) fn state(self) -> u64 {
        self.0
    }

    /// One that goes on from a state.
    pub(crate) fn from_state(state: u64) -> Self {
        Digest(state)
    }

    /// The hash so far.
    pub fn value(self) -> u64 {
        // The last word has not been spread over all bits yet.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }
}

impl<S: Space> From<&Side<S>> for Velocities<S> {
    fn from(side: &Side<S>) -> Self {
        Velocities {
            velocity: side.velocity,
            angular_velocity: side.angular_velocity,
        }
    }
}

impl<S: Space> Velocities<S> {
    /// Whether all its numbers are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.velocity.is_finite() && self.angular_velocity.is_finite()
    }

    /// At rest.
    pub fn rest() -> Self {
        Velocities {
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        }
    }
}
