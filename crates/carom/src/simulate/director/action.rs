//! What a director does, and what sets it off.

use crate::body::{Body, CollisionFilter};
use crate::material::{Material, MaterialId};
use crate::motion::{Drive, Fields, Load};
use crate::simulate::compiled::Engines;
use crate::simulate::director::condition::Condition;
use crate::simulate::director::kicks::RandomKicks;
use crate::world::BodyId;
use std::collections::BTreeSet;

/// Which body is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionTarget {
    /// This one.
    Body(BodyId),
    /// All of these that are there.
    Bodies(Vec<BodyId>),
    /// The body that set the action off: that hit another, or went into the sensor or out of it. Of a
    /// [collision](Trigger::collision), the one of the first bodies.
    Ball,
    /// The body that the other one hit, or the sensor.
    Other,
}

impl From<BodyId> for ActionTarget {
    fn from(id: BodyId) -> Self {
        ActionTarget::Body(id)
    }
}

/// What is done at an instant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Action<S: Engines> {
    /// Sets the uniform gravity, m/s².
    Gravity(S::Vector),
    /// Sets what acts on balls in flight: wind, drag, gravity and all else.
    Fields(Fields<S>),
    /// Sets what acts on balls in flight but for the uniform gravity, which stays as it is.
    FieldsButGravity(Fields<S>),
    /// Makes a body of another material.
    Material(ActionTarget, MaterialId),
    /// Gives a material, by its name, other numbers.
    Numbers(String, Material),
    /// Gives a ball another velocity (m/s) and angular velocity (rad/s).
    Velocity(ActionTarget, S::Vector, S::Angular),
    /// Gives a ball another velocity, m/s; its angular velocity stays.
    LinearVelocity(ActionTarget, S::Vector),
    /// Gives a ball another angular velocity, rad/s; its velocity stays.
    AngularVelocity(ActionTarget, S::Angular),
    /// Gives free bodies random velocities besides their own. It is not entered in the log.
    Kick(RandomKicks),
    /// Puts a ball elsewhere, m.
    Position(ActionTarget, S::Vector),
    /// Gives a free body another mass, kg, spread as it was: its moments of inertia grow with it. It stays where it is
    /// and moves on as it did.
    Mass(ActionTarget, f64),
    /// Lets another external force and torque act on a free body, or none.
    Load(ActionTarget, Option<Box<Load<S>>>),
    /// Gives a body another collision filter: a gate that opens or closes without moving.
    CollisionFilter(ActionTarget, CollisionFilter),
    /// Takes a body out: a pocket, a drain.
    Remove(ActionTarget),
    /// Puts a body in, under a number of its own.
    Insert(Box<Body<S>>),
    /// Adds the first of these that is not there: one that was removed, or that is [to
    /// come](crate::simulate::Simulation::with_waiting). It has the number that it had. Where all are there, nothing
    /// happens.
    Enter(Vec<(BodyId, Body<S>)>),
    /// Gives a static or kinematic body another motion, from where it is, in world time; or stops it.
    Drive(BodyId, Option<Drive<S>>),
    /// Turns a body on a [hinge](super::Mount::Hinge) until it is at an angle from the pose it was mounted with; then
    /// it stands.
    Swing {
        /// Which.
        body: BodyId,
        /// rad.
        to: f64,
        /// rad/s, positive.
        speed: f64,
    },
    /// Moves a body on a [rail](super::Mount::Rail) straight on until it is at a displacement from the pose it was
    /// mounted with; then it stands.
    Slide {
        /// Which.
        body: BodyId,
        /// m.
        to: S::Vector,
        /// m/s, positive.
        speed: f64,
    },
    /// Adds to a score, by its name.
    Score(String, i64),
    /// Sets a score, by its name.
    SetScore(String, i64),
    /// Prints a line: it is told to listeners and kept in the log. `{points}` is the score of that name, `{time}` the
    /// world time in seconds, `{first}` and `{second}` are the names of the bodies that set it off.
    Print(String),
    /// Presses a key, by its name; nothing where it is held already.
    Press(String),
    /// Lets a key go, by its name; nothing where it is not held.
    Release(String),
    /// Does something so many seconds later. The ball that set it off is still the one meant then.
    After(f64, Box<Action<S>>),
    /// Does several things, one after the other.
    All(Vec<Action<S>>),
    /// Does something if all of these hold when its turn comes.
    If(Vec<Condition>, Box<Action<S>>),
    /// Ends the run, when everything that is due at the instant has been done.
    End,
}

impl<S: Engines> Action<S> {
    /// Adds points to a score.
    pub fn score(name: &str, points: i64) -> Self {
        Action::Score(name.to_owned(), points)
    }

    /// Presses a key.
    pub fn press(key: &str) -> Self {
        Action::Press(key.to_owned())
    }

    /// Lets a key go.
    pub fn release(key: &str) -> Self {
        Action::Release(key.to_owned())
    }

    /// Puts a body in.
    pub fn insert(body: Body<S>) -> Self {
        Action::Insert(Box::new(body))
    }

    /// The same, so many seconds later.
    pub fn after(self, delay: f64) -> Self {
        Action::After(delay, Box::new(self))
    }

    /// A stroke of a flipper: to an angle (rad) at a speed (rad/s), held there for a time (s) from the beginning of the
    /// stroke, and back.
    pub fn stroke(body: BodyId, to: f64, speed: f64, hold: f64) -> Self {
        let back = Action::Swing {
            body,
            to: 0.0,
            speed,
        };
        Action::All(vec![Action::Swing { body, to, speed }, back.after(hold)])
    }
}

/// Which bodies a cause is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bodies {
    /// All.
    Any,
    /// All that are free.
    Free,
    /// These.
    These(BTreeSet<BodyId>),
}

impl Bodies {
    /// These.
    pub fn these(bodies: impl IntoIterator<Item = BodyId>) -> Self {
        Bodies::These(bodies.into_iter().collect())
    }

    /// Whether a body may be meant, as far as that is known without looking at it.
    pub(super) fn may_be(&self, id: BodyId) -> bool {
        match self {
            Bodies::Any | Bodies::Free => true,
            Bodies::These(these) => these.contains(&id),
        }
    }
}

/// What happens that can set something off.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// One of the first bodies collides with one of the second.
    Collision(Bodies, Bodies),
    /// One of the first bodies begins to overlap one of the sensors.
    Entered(Bodies, BTreeSet<BodyId>),
    /// One of the first bodies comes clear of one of the sensors.
    Left(Bodies, BTreeSet<BodyId>),
    /// A key is pressed.
    Pressed(String),
    /// A key is let go.
    Released(String),
    /// A condition begins to hold: it holds, and did not when it was last looked at.
    Begins(Condition),
    /// Several conditions begin to hold together: all of them hold, and did not all hold when they were last looked at.
    BeginTogether(Vec<Condition>),
}

/// A cause, and which of its occurrences count.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trigger {
    /// What happens.
    pub cause: Cause,
    /// Which time.
    pub which: Which,
}

/// Which occurrences of a cause count, from when it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Which {
    /// All.
    All,
    /// So many, and no more.
    First(u64),
    /// Only the one of that number, counted from 1.
    Nth(u64),
    /// Those whose number is a multiple.
    Each(u64),
}

impl Trigger {
    /// Whenever a ball collides with a body. Where that is a ball itself: with another ball.
    pub fn hit(body: BodyId) -> Self {
        Self::collision(Bodies::Free, Bodies::these([body]))
    }

    /// Whenever one of the first bodies collides with one of the second.
    pub fn collision(first: Bodies, second: Bodies) -> Self {
        Cause::Collision(first, second).into()
    }

    /// Whenever a ball begins to overlap a sensor.
    pub fn entered(sensor: BodyId) -> Self {
        Cause::Entered(Bodies::Any, BTreeSet::from([sensor])).into()
    }

    /// Whenever a ball comes clear of a sensor.
    pub fn left(sensor: BodyId) -> Self {
        Cause::Left(Bodies::Any, BTreeSet::from([sensor])).into()
    }

    /// Whenever a condition begins to hold. It is looked at after every action, after every collision of the body that
    /// it is about, and at [intervals](crate::simulate::Simulation::look_every).
    pub fn begins(condition: Condition) -> Self {
        Cause::Begins(condition).into()
    }

    /// Whenever a key is pressed.
    pub fn pressed(key: &str) -> Self {
        Cause::Pressed(key.to_owned()).into()
    }

    /// Whenever a key is let go.
    pub fn released(key: &str) -> Self {
        Cause::Released(key.to_owned()).into()
    }

    /// The first times only, so many.
    pub fn first(self, times: u64) -> Self {
        Trigger {
            which: Which::First(times),
            ..self
        }
    }

    /// Only the time of that number, counted from 1.
    pub fn nth(self, time: u64) -> Self {
        Trigger {
            which: Which::Nth(time),
            ..self
        }
    }

    /// Every so many times.
    pub fn each(self, times: u64) -> Self {
        Trigger {
            which: Which::Each(times),
            ..self
        }
    }
}

impl From<Cause> for Trigger {
    fn from(cause: Cause) -> Self {
        Trigger {
            cause,
            which: Which::All,
        }
    }
}

impl Which {
    /// The number that it is about; `None` where all count.
    pub(super) fn number(self) -> Option<u64> {
        match self {
            Which::All => None,
            Which::First(number) | Which::Nth(number) | Which::Each(number) => Some(number),
        }
    }

    /// Whether none counts any more after so many.
    pub(super) fn is_over(self, occurrences: u64) -> bool {
        match self {
            Which::All | Which::Each(_) => false,
            Which::First(number) | Which::Nth(number) => occurrences >= number,
        }
    }

    /// Whether an occurrence counts, by its number from 1.
    pub(super) fn counts(self, occurrence: u64) -> bool {
        match self {
            Which::All => true,
            Which::First(times) => occurrence <= times,
            Which::Nth(time) => occurrence == time,
            Which::Each(times) => times > 0 && occurrence.is_multiple_of(times),
        }
    }
}

impl Cause {
    /// The conditions that it is about.
    pub(super) fn conditions(&self) -> &[Condition] {
        match self {
            Cause::Begins(condition) => std::slice::from_ref(condition),
            Cause::BeginTogether(conditions) => conditions,
            _ => &[],
        }
    }

    /// Whether a ball is known that set it off.
    pub(super) fn has_ball(&self) -> bool {
        match self {
            Cause::Collision(..) | Cause::Entered(..) | Cause::Left(..) => true,
            Cause::Pressed(_) | Cause::Released(_) | Cause::Begins(_) | Cause::BeginTogether(_) => {
                false
            }
        }
    }
}
