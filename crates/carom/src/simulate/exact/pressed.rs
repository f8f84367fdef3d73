//! Balls that are pressed together, and told to collide without end.

use super::collide::Outcome;
use super::islands::ALLOWED_WHERE_DRIVEN;
use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::material::{Law, Surface};
use crate::simulate::bodies::BodyRef;
use crate::simulate::watchdog::TINY;
use crate::space::Linear;

/// A gap that closes is nearly closed when there are so many radii of the ball left.
const NARROW: f64 = 1e-4;

/// A ball is at home in it when it is so many times faster than the gap closes: it comes and goes that often.
const LIVELY: f64 = 100.0;

/// What rounding leaves between the normals of walls that are parallel.
const PARALLEL: f64 = 1e-14;

/// How much further aside than this, in radii, it may not come before the gap has closed.
const ASIDE: f64 = 1e-2;

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

    /// The error where a ball that meets a fixture goes to and fro between that and another one, and the two close in
    /// on it: it gains speed at every blow, comes ever more often, infinitely often before the gap is closed, and does
    /// not get out. (Without loss: by the contact time, or because it is elastic. What loses energy comes to lie.)
    pub(super) fn squeezed_in_flight(&mut self, ball: u32, index: u32) -> Option<RunError> {
        let (slot, clock) = (ball as usize, self.clock);
        let hot = &self.stage.balls.hot[slot];
        let radius = hot.radius;
        let way = hot.velocity.length() * (clock - hot.since);
        if !(way > 0.0 && way <= NARROW * radius && self.ledger.work_by_kinematic.value() > 0.0) {
            return None;
        }
        let walls = self.walls_around(ball, index);
        let (stage, here) = (&self.stage, BodyRef::Fixture(index));
        let (place, velocity) = (
            stage.balls.position_at(slot, clock),
            stage.balls.velocity_at(slot, clock),
        );
        let (contact, gap) = stage.contact(slot, here, clock);
        let against = walls.into_iter().find(|&wall| {
            let other = BodyRef::Fixture(wall);
            let (opposite, left) = stage.contact(slot, other, clock);
            let askew = (contact.normal + opposite.normal).length();
            // How fast the two come nearer to each other.
            let closing = contact.normal.dot(contact.b.contact_velocity())
                + opposite.normal.dot(opposite.b.contact_velocity());
            let left = gap.max(0.0) + left.max(0.0);
            let speed = velocity.dot(contact.normal).abs();
            let aside = (velocity - contact.normal * velocity.dot(contact.normal)).length();
            if !(left <= NARROW * radius && speed > LIVELY * closing && closing > 0.0)
                || aside * left > ASIDE * radius * closing
            {
                return false;
            }
            let surfaces = [here, other].map(|wall| stage.surface(slot, wall));
            let held = surfaces.iter().all(|surface| holds(surface, askew));
            // Whatever they do until then.
            let later = clock + 2.0 * left / closing;
            let apart = [index, wall].map(|wall| {
                let fixture = &stage.fixtures[wall as usize];
                fixture.gap(place, radius, stage.epoch + later)
            });
            held && apart[0] + apart[1] <= 0.0
        })?;
        self.time = self.stage.epoch + clock;
        let name = |wall: u32| self.label(self.stage.fixtures[wall as usize].id);
        Some(RunError::Squeezed {
            time: self.time,
            a: self.label(self.stage.balls.ids[slot]),
            b: name(index),
            against: Some(name(against)),
            depth: 0.0,
            allowed: ALLOWED_WHERE_DRIVEN * radius,
            drives: self.driven([index, against].map(|it| self.stage.fixtures[it as usize].id)),
        })
    }
}

/// Whether friction holds a ball between walls whose normals are so far from opposite: of half the angle each has to
/// bear the tangent. Nothing else does where they are not parallel.
fn holds(surface: &Surface, askew: f64) -> bool {
    let rubs = !matches!(surface.law, Law::Beta) && 0.5 * askew < surface.kinetic_friction;
    rubs || askew < PARALLEL
}
