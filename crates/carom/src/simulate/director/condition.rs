//! What can be asked of a run, yes or no: a score, a state, a number of bodies.

use super::Director;
use crate::simulate::compiled::Engines;
use crate::space::Linear;
use crate::world::BodyId;

/// A comparison of something that a run knows with a number.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::{Action, Condition, Measured, Relation, Trigger};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let ball = world.add(Body::free(Shape::ball(0.1)?).mass(1.0).velocity(DVec2::X))?;
/// let mut run = Simulation::new(world)?;
/// let far = Condition::new(Measured::Position(ball, 0), Relation::AtLeast, 3.0);
/// run.on(Trigger::begins(far), Action::End)?;
/// assert_eq!(run.run_until(10.0)?, End::Condition);
/// assert!((run.time() - 3.0).abs() <= 1e-3); // it is looked at every millisecond
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Condition {
    /// What is compared.
    pub of: Measured,
    /// How.
    pub relation: Relation,
    /// With what; in the unit of what is compared.
    pub value: f64,
}

/// What a condition is about. A body that is not there meets no condition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measured {
    /// A score, by its name.
    Score(String),
    /// How many of these bodies are there.
    Present(Vec<BodyId>),
    /// How many bodies overlap a sensor.
    Inside(BodyId),
    /// A component of the position of a body, m: 0 for x, 1 for y, 2 for z.
    Position(BodyId, usize),
    /// A component of the velocity of a body, m/s.
    Velocity(BodyId, usize),
    /// The speed of the centre of a body, m/s.
    Speed(BodyId),
    /// How fast a body rotates, whichever way, rad/s.
    AngularSpeed(BodyId),
    /// The kinetic energy of all free bodies, J.
    KineticEnergy,
    /// How many collisions there have been.
    Collisions,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// Greater than.
    Above,
    /// Greater than or equal to.
    AtLeast,
    /// Less than.
    Below,
    /// Less than or equal to.
    AtMost,
    /// The same.
    Equal,
}

impl Relation {
    /// All there are.
    pub const ALL: [Relation; 5] = [
        Relation::Above,
        Relation::AtLeast,
        Relation::Below,
        Relation::AtMost,
        Relation::Equal,
    ];

    /// As scene files call it.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Above => "above",
            Relation::AtLeast => "at_least",
            Relation::Below => "below",
            Relation::AtMost => "at_most",
            Relation::Equal => "equal",
        }
    }

    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Above => left > right,
            Relation::AtLeast => left >= right,
            Relation::Below => left < right,
            Relation::AtMost => left <= right,
            Relation::Equal => left == right,
        }
    }
}

impl Condition {
    /// A comparison.
    pub fn new(of: Measured, relation: Relation, value: f64) -> Self {
        Condition {
            of,
            relation,
            value,
        }
    }

    /// Whether it can begin to hold between two actions: it is about something that moves.
    pub(super) fn is_of_state(&self) -> bool {
        !matches!(self.of, Measured::Score(_) | Measured::Present(_))
    }

    /// Whether a collision of two bodies can make it hold.
    pub(super) fn concerns(&self, a: BodyId, b: BodyId) -> bool {
        match self.of {
            Measured::Position(id, _) | Measured::Velocity(id, _) => id == a || id == b,
            Measured::Speed(id) | Measured::AngularSpeed(id) => id == a || id == b,
            Measured::KineticEnergy | Measured::Collisions => true,
            _ => false,
        }
    }

    /// The bodies that it is about.
    pub(super) fn bodies(&self) -> Vec<BodyId> {
        match &self.of {
            Measured::Present(ids) => ids.clone(),
            &Measured::Inside(id)
            | &Measured::Position(id, _)
            | &Measured::Velocity(id, _)
            | &Measured::Speed(id)
            | &Measured::AngularSpeed(id) => vec![id],
            _ => Vec::new(),
        }
    }
}

impl<S: Engines> Director<S> {
    /// Whether a condition holds now.
    pub(super) fn holds(&self, condition: &Condition) -> bool {
        let value = self.measure(&condition.of);
        value.is_some_and(|value| condition.relation.holds(value, condition.value))
    }

    fn measure(&self, of: &Measured) -> Option<f64> {
        let run = &self.run;
        let state = |id: BodyId| run.has(id).then(|| run.state(id));
        Some(match of {
            Measured::Score(name) => self.score(name) as f64,
            Measured::Present(ids) => ids.iter().filter(|&&id| run.has(id)).count() as f64,
            &Measured::Inside(id) if run.has(id) => run.inside(id).len() as f64,
            Measured::Inside(_) => return None,
            &Measured::Position(id, axis) => *S::components(state(id)?.position).get(axis)?,
            &Measured::Velocity(id, axis) => *S::components(state(id)?.velocity).get(axis)?,
            &Measured::Speed(id) => state(id)?.velocity.length(),
            &Measured::AngularSpeed(id) => state(id)?.angular_velocity.length(),
            Measured::KineticEnergy => run.audit().now.kinetic(),
            Measured::Collisions => run.collisions() as f64,
        })
    }

    /// A condition in words.
    pub(super) fn condition_words(&self, condition: &Condition) -> String {
        let axis = |axis: usize| ["x", "y", "z"].get(axis).copied().unwrap_or("?");
        let what = match &condition.of {
            Measured::Score(name) => format!("score {name}"),
            Measured::Present(ids) => format!("the number of {}", self.list(ids)),
            Measured::Inside(id) => format!("the number in {}", self.label(*id)),
            Measured::Position(id, place) => format!("{} of {}", axis(*place), self.label(*id)),
            Measured::Velocity(id, place) => {
                format!("the velocity of {} along {}", self.label(*id), axis(*place))
            }
            Measured::Speed(id) => format!("the speed of {}", self.label(*id)),
            Measured::AngularSpeed(id) => format!("the angular speed of {}", self.label(*id)),
            Measured::KineticEnergy => "the kinetic energy".to_owned(),
            Measured::Collisions => "the number of collisions".to_owned(),
        };
        let relation = condition.relation.name().replace('_', " ");
        format!("{what} is {relation} {}", condition.value)
    }
}
