//! Balls that are pressed together, and told to collide without end.

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::simulate::bodies::BodyRef;
use crate::simulate::watchdog::TINY;
use crate::space::Linear;

impl<S: Strikable> Exact<S> {
    /// For how long neither a ball nor the other body has changed its course, s; `None` where their collisions are
    /// without loss.
    pub(super) fn since_struck(&self, ball: u32, other: BodyRef) -> Option<f64> {
        if self.concerns_rigids(ball, other) {
            return None;
        }
        let surface = self.stage.surface(ball as usize, other);
        if surface.restitution >= 1.0 && surface.is_smooth() && !surface.varies() {
            return None;
        }
        let balls = &self.stage.balls;
        let since = match other {
            BodyRef::Ball(other) => balls.hot[other as usize].since,
            BodyRef::Fixture(_) => f64::NEG_INFINITY,
        };
        Some(self.clock - since.max(balls.hot[ball as usize].since))
    }

    /// Counts collisions before which the bodies hardly came nearer to each other, and notices when there is nothing
    /// else.
    pub(super) fn count_bounces(
        &mut self,
        outcome: Outcome,
        waited: f64,
        (ball, other): (u32, BodyRef),
    ) -> Result<(), RunError> {
        let balls = &self.stage.balls;
        let inverse_mass = |id: crate::world::BodyId| match self.stage.slots[id.0 as usize] {
            crate::simulate::bodies::NOWHERE => 0.0,
            slot => balls.inertials.of(slot as usize).inverse_mass,
        };
        // An impulse takes away once to twice the closing speed.
        let closing = (self.happened(outcome).iter())
            .map(|hit| {
                hit.impulse.dot(hit.normal).abs() * (inverse_mass(hit.a) + inverse_mass(hit.b))
            })
            .fold(None, |most: Option<f64>, speed| {
                Some(most.map_or(speed, |most| most.max(speed)))
            });
        let mut radius = balls.hot[ball as usize].radius;
        if let BodyRef::Ball(other) = other {
            radius = radius.min(balls.hot[other as usize].radius);
        }
        // Nothing happened, or the two came nearer to speak of.
        if !closing.is_some_and(|closing| closing * waited <= TINY * radius) {
            return Ok(());
        }
        let crawl = (self.watchdog).bounce(balls.number(), self.collisions, self.clock);
        match crawl {
            None => Ok(()),
            Some(_) if self.island_of(ball).is_none() => self.found_island(ball),
            // What an island does is its own business.
            Some(_) => Ok(()),
        }
    }
}
