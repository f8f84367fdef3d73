//! What happens at the sides of a periodic box: bodies go round it. In a sheared one they get another velocity, and
//! strike images that move.
//!
//! The energy that a sheared box gives is what its images do at their velocity: a ball of mass m that goes round at a
//! velocity v gets `½m((v ∓ U)² − v²)`, and a blow J on a ball by an image that moves at V more than the ball it is an
//! image of gives `J·V`. On the average that is the shear stress times the rate times the volume.

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::simulate::bodies::BodyRef;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::not_sheared;

impl<S: Strikable> Exact<S> {
    /// Refuses a change from outside that cannot be in a sheared box.
    pub(in crate::simulate) fn check_in_shear(
        &self,
        fits: bool,
        what: &str,
    ) -> Result<(), EditError> {
        if fits || self.stage.balls.shear.is_none() {
            return Ok(());
        }
        Err(EditError::Refused(vec![not_sheared(what)]))
    }

    /// Carries a body from one side of the periodic box to the other, now.
    pub(super) fn go_round(&mut self, ball: u32, axis: usize, up: bool) {
        if self.member(ball as usize).is_some() {
            self.stage.wrap_member(ball as usize, axis, up);
            return self.changed(&[ball]);
        }
        if self.uses_segments() {
            self.enter_flight(ball as usize);
            self.forget_predicted_settling(ball, BodyRef::Ball(ball));
        }
        if self.stage.balls.shear.is_some() {
            self.wrap_sheared(ball, axis, up);
        } else {
            self.stage.wrap(ball as usize, self.clock, axis, up);
        }
        self.changed(&[ball]);
    }

    /// Carries a ball round a sheared box.
    fn wrap_sheared(&mut self, ball: u32, axis: usize, up: bool) {
        let (slot, clock) = (ball as usize, self.clock);
        self.stage.wrap(slot, clock, axis, up);
        let balls = &mut self.stage.balls;
        if balls.shear.is_none_or(|shear| shear.gradient != axis) {
            return;
        }
        let before = balls.hot[slot].velocity;
        let gained = balls.wrap_sheared(slot, clock, up);
        let after = balls.hot[slot].velocity;
        let mass = balls.inertials.of(slot).mass;
        let work = 0.5 * mass * (after + before).dot(gained);
        self.ledger.sheared(work, gained * mass);
    }

    /// Lets two balls of a sheared box collide now, if they are closing. Others that touch them are struck one after
    /// the other.
    pub(super) fn collide_sheared(&mut self, ball: u32, partner: u32) -> Result<Outcome, RunError> {
        let (a, b, clock, other) = (
            ball as usize,
            partner as usize,
            self.clock,
            BodyRef::Ball(partner),
        );
        let surface = self.surface(ball, other);
        let Some(mut struck) = self.answer(ball, other, &surface) else {
            self.restart(ball, other);
            return Ok(Outcome::Nothing);
        };
        let balls = &mut self.stage.balls;
        let apart = struck.place - balls.position_at(b, clock);
        let velocity = balls.seen(apart, clock).velocity;
        for its in [&mut struck.before[1], &mut struck.after[1]] {
            its.velocity += velocity;
        }
        self.check_finite(ball, other, &struck.after)?;
        let balls = &mut self.stage.balls;
        balls.kick_at(a, clock, struck.place, &struck.after[0]);
        balls.kick(b, clock, &struck.after[1]);
        self.changed(&[ball, partner]);
        self.ledger
            .sheared(-struck.impulse.dot(velocity), S::Vector::ZERO);
        self.enter(ball, other, &surface, &struck, 0.0);
        Ok(Outcome::Collision)
    }
}
