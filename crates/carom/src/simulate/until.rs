//! When a run has gone on for long enough.

use super::engine::View;
use super::rest::RestMemory;
use crate::simulate::compiled::Engines;
use std::fmt;

/// When a run is to end: at a time, or earlier where one of the other conditions holds. They are looked at after each
/// collision, transition and release; with rigid bodies after every event.
///
/// # At rest
///
/// Without gravity everything is at rest when no body's speed (nor that of its surface, `|ω|` times how far it reaches)
/// is above a limit. A ball in gravity is slow at the top of its flight too; it is at rest when it has been slow for
/// longer than anything can be that falls freely: for more than `2 limit / g`. So everything is at rest in gravity when
/// no ball has been faster than the limit for that long; with rigid bodies, for a quarter of a second at least. Rigid
/// bodies, and everything by forces, come to rest without events: there it is also looked at every few steps.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut world = World2::new();
/// # for x in [0.0, 3.0] {
/// #     world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(x, 0.0)).velocity(DVec2::new(1.0 - x, 0.0)))?;
/// # }
/// let mut simulation = Simulation::new(world)?;
/// let until = Until::time(60.0).or_collisions(100_000).or_rest(1e-3).or(|now| now.audit().now.translational > 10.0);
/// assert_eq!(simulation.run_until(until)?, End::Time);
/// # Ok(())
/// # }
/// ```
pub struct Until<'a, S: Engines> {
    pub(super) time: f64,
    pub(super) collisions: Option<u64>,
    pub(super) rest: Option<WantedRest<'a>>,
    pub(super) conditions: Vec<Condition<'a, S>>,
}

type Condition<'a, S> = Box<dyn FnMut(&View<'_, S>) -> bool + 'a>;

/// That a run is to end when everything is at rest.
#[derive(Debug)]
pub(super) struct WantedRest<'a> {
    /// m/s.
    pub limit: f64,
    /// Of the pieces before; `None` where there are none.
    pub memory: Option<&'a mut RestMemory>,
}

impl<'a, S: Engines> Until<'a, S> {
    /// A world time, s.
    pub fn time(time: f64) -> Self {
        Until {
            time,
            collisions: None,
            rest: None,
            conditions: Vec::new(),
        }
    }

    /// Or so many collisions from now on.
    pub fn or_collisions(self, collisions: u64) -> Self {
        Until {
            collisions: Some(collisions),
            ..self
        }
    }

    /// Or everything at rest, with a limit for speeds, m/s. That is also looked at before the run begins.
    pub fn or_rest(self, limit: f64) -> Self {
        let memory = None;
        Until {
            rest: Some(WantedRest { limit, memory }),
            ..self
        }
    }

    /// Or everything at rest, with a limit for speeds (m/s), in a run that is made in segments: with the same memory
    /// for all of them it ends where it would in one go.
    pub fn or_rest_remembered(self, limit: f64, memory: &'a mut RestMemory) -> Self {
        let memory = Some(memory);
        Until {
            rest: Some(WantedRest { limit, memory }),
            ..self
        }
    }

    /// Or whatever the caller wants, from how things are at an event.
    pub fn or(mut self, condition: impl FnMut(&View<'_, S>) -> bool + 'a) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }
}

impl<S: Engines> From<f64> for Until<'_, S> {
    fn from(time: f64) -> Self {
        Until::time(time)
    }
}

impl<S: Engines> fmt::Debug for Until<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Until")
            .field("time", &self.time)
            .field("collisions", &self.collisions)
            .field("rest", &self.rest)
            .field("conditions", &self.conditions.len())
            .finish()
    }
}
