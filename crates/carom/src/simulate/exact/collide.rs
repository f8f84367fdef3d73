//! What happens when a contact is due.

use super::{Exact, Plans, RunError};
use crate::contact::Contact;
use crate::record::Collision;
use crate::response::{Response, respond};
use crate::simulate::stage::Other;
use crate::simulate::ties::{self, Answer, Touch};
use crate::space::{Linear, Space};
use std::ops::ControlFlow;

/// What came of a contact that was due.
pub(super) enum Outcome<S: Space> {
    /// The bodies were not closing any more.
    Nothing,
    Collision(Collision<S>),
    /// In the order of their numbers.
    Together(Vec<Collision<S>>),
}

impl<S: Space> Outcome<S> {
    #[inline]
    /// Shows all of it to the observer, who may end the run.
    pub fn show(
        &self,
        observer: &mut impl FnMut(&Collision<S>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Outcome::Nothing => ControlFlow::Continue(()),
            Outcome::Collision(collision) => observer(collision),
            Outcome::Together(collisions) => {
                let mut end = ControlFlow::Continue(());
                for collision in collisions {
                    if observer(collision).is_break() {
                        end = ControlFlow::Break(());
                    }
                }
                end
            }
        }
    }
}

impl<S: Space> Exact<S> {
    /// Lets a ball and another body collide now, if they are closing; otherwise their flights start anew as they are.
    #[inline]
    pub(super) fn collide(&mut self, ball: u32, other: Other) -> Result<Outcome<S>, RunError> {
        let slot = ball as usize;
        let (contact, gap, mut surface) = self.stage.contact(slot, other, self.clock);
        if !contact.is_closing() {
            self.stage.balls.restart(slot, self.clock);
            if let Other::Ball(other) = other {
                self.stage.balls.restart(other as usize, self.clock);
            }
            self.struck(ball, other);
            return Ok(Outcome::Nothing);
        }
        if let Some(rule) = &self.contact_time {
            let bodies = [self.stage.balls.ids[slot], self.stage.id_of(other)];
            surface = rule.surface(bodies, self.clock, surface);
        }
        let response = respond(&contact, &surface);
        let after = contact.after(&response);
        self.check_finite(ball, other, &after)?;
        self.stage.balls.kick(slot, self.clock, &(&after.a).into());
        if let Other::Ball(other) = other {
            let other = other as usize;
            self.stage.balls.kick(other, self.clock, &(&after.b).into());
        }
        if self.struck(ball, other) {
            return self.collide_together(ball, other, &contact);
        }
        let collision = self.enter(ball, other, (&contact, gap), &response, &after);
        Ok(Outcome::Collision(collision))
    }

    /// Takes a collision back whose bodies others touch, and answers the contacts of this instant as [`ties`] has it.
    #[cold]
    fn collide_together(
        &mut self,
        ball: u32,
        other: Other,
        before: &Contact<S>,
    ) -> Result<Outcome<S>, RunError> {
        let clock = self.clock;
        let mut changed = vec![ball];
        let balls = &mut self.stage.balls;
        balls.set_velocities(ball as usize, &(&before.a).into());
        if let Other::Ball(other) = other {
            balls.set_velocities(other as usize, &(&before.b).into());
            changed.push(other);
        }
        let (stage, plans, rule) = (&self.stage, &mut self.plans, &self.contact_time);
        let answers = ties::answers(
            stage,
            Touch::new(stage, ball, other, clock),
            clock,
            |touch| match rule {
                Some(rule) => {
                    let bodies = [Other::Ball(touch.ball), touch.other].map(|it| stage.id_of(it));
                    rule.surface(bodies, clock, touch.surface)
                }
                None => touch.surface,
            },
            |slot, list| match plans {
                Plans::Fast(planner) => planner.neighbours(slot, |other| list.push(other)),
                Plans::Reference(planner) => {
                    planner.neighbours(stage, slot, |other| list.push(other));
                }
            },
        );
        let velocities = ties::velocities_after(&answers);
        let after = answers
            .iter()
            .map(|answer| ties::with_velocities(&answer.touch, &velocities));
        let after: Vec<Contact<S>> = after.collect();
        for (Answer { touch, .. }, after) in answers.iter().zip(&after) {
            self.check_finite(touch.ball, touch.other, after)?;
        }
        for (&slot, velocities) in &velocities {
            let balls = &mut self.stage.balls;
            if balls.hot[slot as usize].since == clock {
                balls.set_velocities(slot as usize, velocities);
            } else {
                balls.kick(slot as usize, clock, velocities);
            }
            if !changed.contains(&slot) {
                changed.push(slot);
            }
        }
        self.changed(&changed);
        self.stalled += answers.len() as u64 - 1;
        let entered = answers.iter().zip(&after).map(|(answer, after)| {
            let Answer { touch, response } = answer;
            let before = (&touch.contact, touch.gap);
            self.enter(touch.ball, touch.other, before, response, after)
        });
        Ok(Outcome::Together(entered.collect()))
    }

    fn check_finite(&self, ball: u32, other: Other, after: &Contact<S>) -> Result<(), RunError> {
        for (body, side) in [(Other::Ball(ball), &after.a), (other, &after.b)] {
            if !(side.velocity.is_finite() && side.spin.is_finite()) {
                return Err(RunError::NotFinite {
                    time: self.stage.epoch + self.clock,
                    body: self.name(self.stage.id_of(body)),
                });
            }
        }
        Ok(())
    }

    /// Enters a collision into the books.
    #[inline]
    fn enter(
        &mut self,
        ball: u32,
        other: Other,
        (contact, gap): (&Contact<S>, f64),
        response: &Response<S>,
        after: &Contact<S>,
    ) -> Collision<S> {
        let free_b = matches!(other, Other::Ball(_));
        let energy_lost = contact.energy_lost_until(after, response.impulse);
        self.ledger
            .enter(contact, response, free_b, gap, energy_lost);
        self.collisions += 1;
        let (a, b) = (self.stage.balls.ids[ball as usize], self.stage.id_of(other));
        if let Some(rule) = &mut self.contact_time {
            rule.struck(a, self.clock);
            if free_b {
                rule.struck(b, self.clock);
            }
        }
        let sides = |contact: &Contact<S>| [(&contact.a).into(), (&contact.b).into()];
        let collision = Collision {
            number: self.collisions,
            time: self.stage.epoch + self.clock,
            a,
            b,
            point: contact.point,
            normal: contact.normal,
            impulse: response.impulse,
            mode: response.mode,
            before: sides(contact),
            after: sides(after),
            energy_lost,
            gap,
        };
        self.digest.collision(&collision);
        collision
    }
}
