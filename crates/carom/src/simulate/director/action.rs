//! What a director does, and what sets it off.

use crate::body::{Body, CollisionFilter};
use crate::material::{Material, MaterialId};
use crate::motion::{Drive, Fields};
use crate::simulate::compiled::Engines;
use crate::world::BodyId;

/// Which body is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionTarget {
    /// This one.
    Body(BodyId),
    /// The ball that set the action off: that hit the body, or went into the sensor or out of it.
    Ball,
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
    /// Makes a body of another material.
    Material(ActionTarget, MaterialId),
    /// Gives a material, by its name, other numbers.
    Numbers(String, Material),
    /// Gives a ball another velocity (m/s) and angular velocity (rad/s).
    Velocity(ActionTarget, S::Vector, S::Angular),
    /// Puts a ball elsewhere, m.
    Position(ActionTarget, S::Vector),
    /// Gives a body another collision filter: a gate that opens or closes without moving.
    CollisionFilter(ActionTarget, CollisionFilter),
    /// Takes a body out: a pocket, a drain.
    Remove(ActionTarget),
    /// Puts a body in.
    Insert(Box<Body<S>>),
    /// Gives a static or kinematic body another motion, from where it is, in world time; or stops it.
    Drive(BodyId, Option<Drive<S>>),
    /// Turns a body on a [hinge](super::Joint::Hinge) until it is at an angle from the pose it was mounted with; then
    /// it stands.
    Swing {
        /// Which.
        body: BodyId,
        /// rad.
        to: f64,
        /// rad/s, positive.
        speed: f64,
    },
    /// Moves a body on a [rail](super::Joint::Rail) straight on until it is at a displacement from the pose it was
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
    /// Presses a key, by its name; nothing where it is held already.
    Press(String),
    /// Lets a key go, by its name; nothing where it is not held.
    Release(String),
    /// Does something so many seconds later. The ball that set it off is still the one meant then.
    After(f64, Box<Action<S>>),
    /// Does several things, one after the other.
    All(Vec<Action<S>>),
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

/// What happens that can set something off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A ball collides with a body.
    Hit(BodyId),
    /// A ball begins to overlap a sensor.
    Entered(BodyId),
    /// A ball comes clear of a sensor.
    Left(BodyId),
    /// A key is pressed.
    Pressed(String),
    /// A key is let go.
    Released(String),
}

/// A cause, and which of its occurrences count.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        Cause::Hit(body).into()
    }

    /// Whenever a ball begins to overlap a sensor.
    pub fn entered(sensor: BodyId) -> Self {
        Cause::Entered(sensor).into()
    }

    /// Whenever a ball comes clear of a sensor.
    pub fn left(sensor: BodyId) -> Self {
        Cause::Left(sensor).into()
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
    /// Whether a ball is known that set it off.
    pub(super) fn has_ball(&self) -> bool {
        match self {
            Cause::Hit(_) | Cause::Entered(_) | Cause::Left(_) => true,
            Cause::Pressed(_) | Cause::Released(_) => false,
        }
    }
}
