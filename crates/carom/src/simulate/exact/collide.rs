//! What happens when a contact is due.

use super::islands::STALLED;
use super::{End, Exact, Plans, RunError, Tell, bounds};
use crate::impact::Strikable;
use crate::material::Surface;
use crate::record::{Collision, Event, Velocities};
use crate::simulate::bodies::BodyRef;
use crate::simulate::simultaneous::{self, Answer, SimultaneousContact};
use crate::simulate::strike::Struck;
use crate::space::Linear;
use crate::vectors::{Portable, Vectors};
use std::ops::ControlFlow;

/// What came of a contact that was due.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The bodies were not closing any more.
    Nothing,
    /// One collision: the run's last.
    Collision,
    /// Those that the run has as [together](Exact::together).
    Together,
}

/// What came of a contact of two balls of a gas.
pub(super) enum Rebound {
    /// One collision: the run's last.
    Struck,
    /// Others touch them.
    Crowded,
    /// Nothing has been done: it takes more than that.
    ByLaw,
}

impl<S: Strikable> Exact<S> {
    /// What happened, in order.
    pub(super) fn happened(&self, outcome: Outcome) -> &[Collision<S>] {
        match outcome {
            Outcome::Nothing => &[],
            Outcome::Collision => self.last.as_slice(),
            Outcome::Together => &self.together,
        }
    }

    /// Tells of all that happened, to the end, even where the run is to end.
    #[inline(always)]
    pub(super) fn tell_of(&self, outcome: Outcome, tell: Tell<'_, S>) -> ControlFlow<End> {
        match (outcome, &self.last) {
            (Outcome::Collision, Some(collision)) => tell(self, Event::Collision(collision)),
            (Outcome::Together, _) => {
                let mut end = ControlFlow::Continue(());
                for collision in &self.together {
                    let told = tell(self, Event::Collision(collision));
                    if end.is_continue() {
                        end = told;
                    }
                }
                end
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Lets a ball and another body collide now, if they are closing; otherwise their flights start anew as they are.
    pub(super) fn collide(&mut self, ball: u32, other: BodyRef) -> Result<Outcome, RunError> {
        if let BodyRef::Ball(partner) = other
            && self.is_gas()
            && self.stalled <= STALLED
        {
            // Seldom here: `collide_on` has done the others.
            let mut alone = None;
            match self.rebound(Portable, ball, partner, &mut alone) {
                Rebound::Struck => return Ok(Outcome::Collision),
                Rebound::Crowded => return self.crowded(ball, other, alone),
                Rebound::ByLaw => {}
            }
        }
        self.collide_by_law(ball, other)
    }

    /// Lets two balls part that neither fall nor turn, and plans anew for them: the case of every gas, and the shortest
    /// way, all of it compiled for the vectors of the run. Where others touch them it says what would be without.
    ///
    /// What it returns is a word: an outcome in memory would be written in parts and read as a whole, for which a
    /// processor waits.
    #[inline(always)]
    pub(super) fn rebound<V: Vectors>(
        &mut self,
        vectors: V,
        ball: u32,
        other: u32,
        crowded: &mut Option<(Surface, Struck<S>)>,
    ) -> Rebound {
        let (a, b, clock) = (ball as usize, other as usize, self.clock);
        let surface = self.stage.surface(a, BodyRef::Ball(other));
        if !surface.is_smooth() || surface.contact_duration != 0.0 {
            return Rebound::ByLaw;
        }
        let Some(struck) = (self.stage).bounce::<true>(a, b, clock, surface.restitution) else {
            return Rebound::ByLaw;
        };
        if !(bounds::is_within(&struck.after[0]) && bounds::is_within(&struck.after[1])) {
            return Rebound::ByLaw;
        }
        let balls = &mut self.stage.balls;
        let place = balls.place_of(&balls.hot[b], clock);
        balls.launch(a, clock, struck.place, struck.after[0].velocity);
        balls.launch(b, clock, place, struck.after[1].velocity);
        let (stage, pair) = (&self.stage, &[ball, other]);
        let others_touch = match &mut self.plans {
            Plans::Fast(planner) => planner.struck_with(vectors, stage, pair, None, clock),
            Plans::Kept(planner) => planner.struck(stage, pair, None, clock),
        };
        if others_touch {
            *crowded = Some((surface, struck));
            return Rebound::Crowded;
        }
        self.enter(ball, BodyRef::Ball(other), &surface, &struck, 0.0);
        Rebound::Struck
    }

    /// The same for whatever bodies and surfaces there are.
    #[inline(never)]
    fn collide_by_law(&mut self, ball: u32, other: BodyRef) -> Result<Outcome, RunError> {
        if self.concerns_rigids(ball, other) {
            return self.collide_rigid(ball, other);
        }
        if let (BodyRef::Ball(partner), true) = (other, self.stage.balls.shear.is_some()) {
            return self.collide_sheared(ball, partner);
        }
        if self.stage.are_jointed(ball as usize, other)
            && self.island_of(ball).is_none()
            && self.island_of_body(other).is_none()
        {
            return self.collide_jointed(ball, other);
        }
        let mut chattered = None;
        if self.concerns_islands(ball, other) {
            chattered = self.stays_after_chatter(ball, other);
            if chattered.is_none() {
                return self.collide_in_islands(ball, other);
            }
        }
        if let BodyRef::Fixture(index) = other
            && let Some(error) = self.squeezed_in_flight(ball, index)
        {
            return Err(error);
        }
        self.forget_predicted_settling(ball, other);
        let mut surface = self.surface(ball, other);
        if chattered.is_some() {
            surface = chattered.unwrap_or(surface);
        } else if let BodyRef::Fixture(index) = other
            && self.stage.balls.falling
            && let Some(last) = self.settle(ball, index)
        {
            surface = last;
        }
        let bounce = match other {
            BodyRef::Ball(b) if surface.is_smooth() => {
                let (a, b) = (ball as usize, b as usize);
                (self.stage).bounce::<false>(a, b, self.clock, surface.restitution)
            }
            _ => None,
        };
        let Some(struck) = bounce.or_else(|| self.answer(ball, other, &surface)) else {
            self.restart(ball, other);
            if chattered.is_some() {
                // It is on the wall from now on, without a collision.
                self.changed(&[ball]);
            }
            return Ok(Outcome::Nothing);
        };
        self.check_finite(ball, other, &struck.after)?;
        let lasts = self.lasting(ball, other, &surface);
        if lasts > 0.0 {
            self.use_segments();
        }
        if self.stage.balls.falling {
            self.enter_flights(ball as usize, other);
        }
        let balls = &mut self.stage.balls;
        balls.kick_at(ball as usize, self.clock, struck.place, &struck.after[0]);
        if let BodyRef::Ball(other) = other {
            balls.kick(other as usize, self.clock, &struck.after[1]);
        }
        let crowded = if self.uses_segments() {
            self.struck_on_ways(ball, other, &struck, lasts)
        } else {
            self.struck(ball, other)
        };
        if crowded {
            return self.collide_together(ball, other, &surface, &struck, lasts);
        }
        self.enter(ball, other, &surface, &struck, lasts);
        Ok(Outcome::Collision)
    }

    /// Lets two bodies collide that are approaching, as between any two; nothing is planned.
    pub(super) fn strike(
        &mut self,
        ball: u32,
        other: BodyRef,
        surface: &Surface,
    ) -> Result<Outcome, RunError> {
        self.forget_predicted_settling(ball, other);
        let Some(struck) = self.answer(ball, other, surface) else {
            return Ok(Outcome::Nothing);
        };
        self.send_off(ball, other, &struck)?;
        self.enter(ball, other, surface, &struck, 0.0);
        Ok(Outcome::Collision)
    }

    /// Plans anew for the bodies of a collision of balls on segments, unless others touch them: then they are answered
    /// together first, and only the velocities after that say which ways they are on.
    fn struck_on_ways(
        &mut self,
        ball: u32,
        other: BodyRef,
        struck: &Struck<S>,
        lasts: f64,
    ) -> bool {
        let pair;
        let (slots, fixture) = match other {
            BodyRef::Ball(other) => {
                pair = [ball, other];
                (&pair[..], None)
            }
            BodyRef::Fixture(index) => {
                pair = [ball; 2];
                (&pair[..1], Some(index))
            }
        };
        let stage = &self.stage;
        let fly_on = (slots.iter().map(|&slot| slot as usize))
            .all(|slot| stage.balls.flies_on(slot) && stage.flies_freely(slot));
        if fly_on && lasts == 0.0 {
            return self.struck(ball, other);
        }
        let crowded = match &mut self.plans {
            Plans::Fast(planner) => planner.are_crowded(&self.stage, slots, fixture, self.clock),
            Plans::Kept(planner) => planner.are_crowded(&self.stage, slots, fixture, self.clock),
        };
        if !crowded {
            if lasts > 0.0 {
                self.begin_sticking(ball, other, struck, lasts);
            }
            self.changed(slots);
        }
        crowded
    }

    /// Gives two that have struck each other their velocities.
    #[inline(always)]
    pub(super) fn send_off(
        &mut self,
        ball: u32,
        other: BodyRef,
        struck: &Struck<S>,
    ) -> Result<(), RunError> {
        self.check_finite(ball, other, &struck.after)?;
        self.enter_flights(ball as usize, other);
        let balls = &mut self.stage.balls;
        balls.kick_at(ball as usize, self.clock, struck.place, &struck.after[0]);
        if let BodyRef::Ball(other) = other {
            balls.kick(other as usize, self.clock, &struck.after[1]);
        }
        self.share_blow(ball, other, struck);
        Ok(())
    }

    /// What is between a ball and another body now.
    #[inline(always)]
    pub(super) fn surface(&self, ball: u32, other: BodyRef) -> Surface {
        let surface = (self.stage).surface_now(ball as usize, other, self.clock);
        match &self.contact_time {
            None => surface,
            Some(rule) => {
                let bodies = [self.stage.balls.ids[ball as usize], self.stage.id_of(other)];
                rule.surface(bodies, self.clock, surface)
            }
        }
    }

    #[inline(never)]
    pub(super) fn answer(&self, ball: u32, other: BodyRef, surface: &Surface) -> Option<Struck<S>> {
        self.stage.answer(ball as usize, other, self.clock, surface)
    }

    #[cold]
    pub(super) fn restart(&mut self, ball: u32, other: BodyRef) {
        if self.stage.balls.falling {
            self.enter_flights(ball as usize, other);
        }
        self.stage.balls.restart(ball as usize, self.clock);
        if let BodyRef::Ball(other) = other {
            self.stage.balls.restart(other as usize, self.clock);
        }
        self.struck(ball, other);
    }

    /// Takes a collision back whose bodies others touch, and answers the contacts of this instant as [`ties`] has it.
    #[cold]
    pub(super) fn collide_together(
        &mut self,
        ball: u32,
        other: BodyRef,
        surface: &Surface,
        alone: &Struck<S>,
        lasts: f64,
    ) -> Result<Outcome, RunError> {
        let clock = self.clock;
        let mut changed = vec![ball];
        self.give_velocities(ball, other, &alone.before);
        if let BodyRef::Ball(other) = other {
            changed.push(other);
        }
        let answers = self.answers_now(ball, other);
        if let [Answer { touch, .. }] = &answers[..]
            && (touch.ball, touch.other) == (ball, other)
        {
            // No other body after all: as if none had been near.
            self.give_velocities(ball, other, &alone.after);
            if lasts > 0.0 {
                self.begin_sticking(ball, other, alone, lasts);
            }
            if self.uses_segments() {
                self.changed(&changed);
            }
            self.enter(ball, other, surface, alone, lasts);
            return Ok(Outcome::Collision);
        }
        let struck = answers.iter().any(|Answer { touch, .. }| {
            // Those that the pair strikes are not to be struck in sticking.
            self.cut_short(touch.ball, touch.other)
        });
        if struck {
            self.changed(&changed);
            return Ok(Outcome::Nothing);
        }
        let velocities = simultaneous::velocities_after(&answers);
        let struck: Vec<Struck<S>> = answers
            .iter()
            .map(|Answer { touch, response }| {
                let after = simultaneous::with_velocities(touch, &velocities);
                let place = self.stage.balls.position_at(touch.ball as usize, clock);
                Struck::of(&touch.contact, response, &after, place, touch.gap)
            })
            .collect();
        for (Answer { touch, .. }, struck) in answers.iter().zip(&struck) {
            self.check_finite(touch.ball, touch.other, &struck.after)?;
        }
        for (&slot, velocities) in &velocities {
            self.give_now(slot as usize, velocities);
            if !changed.contains(&slot) {
                changed.push(slot);
            }
        }
        self.changed(&changed);
        self.stalled += answers.len() as u64 - 1;
        let entered = answers
            .iter()
            .zip(&struck)
            .map(|(Answer { touch, .. }, struck)| {
                *self.enter(touch.ball, touch.other, &touch.surface, struck, 0.0)
            });
        self.together = entered.collect();
        self.share_losses(&answers, &struck);
        Ok(Outcome::Together)
    }

    /// What happens at the contacts of this instant, of a pair and of those that touch it.
    fn answers_now(&mut self, ball: u32, other: BodyRef) -> Vec<Answer<S>> {
        let clock = self.clock;
        let (stage, plans, rule) = (&self.stage, &mut self.plans, &self.contact_time);
        // Members of islands are met at the same instant, one by one.
        let outside_islands = |other: &BodyRef| match other {
            BodyRef::Ball(slot) => stage.balls.island(*slot as usize).is_none(),
            BodyRef::Fixture(_) => true,
        };
        simultaneous::answers(
            stage,
            SimultaneousContact::new(stage, ball, other, clock),
            clock,
            |touch| match rule {
                Some(rule) => {
                    let bodies = [BodyRef::Ball(touch.ball), touch.other].map(|it| stage.id_of(it));
                    rule.surface(bodies, clock, touch.surface)
                }
                None => touch.surface,
            },
            |slot, list| match plans {
                Plans::Fast(planner) => {
                    planner.neighbours(stage, slot, clock, |other| {
                        list.extend(Some(other).filter(outside_islands));
                    });
                }
                Plans::Kept(planner) => {
                    planner.neighbours(stage, slot, |other| {
                        list.extend(Some(other).filter(outside_islands));
                    });
                }
            },
        )
    }

    /// Gives velocities to a ball, whatever its own time.
    pub(super) fn give_now(&mut self, slot: usize, velocities: &Velocities<S>) {
        let clock = self.clock;
        let balls = &mut self.stage.balls;
        if balls.hot[slot].since == clock {
            balls.set_velocities(slot, velocities);
        } else {
            if balls.falling {
                self.enter_flight(slot);
            }
            let balls = &mut self.stage.balls;
            balls.kick(slot, clock, velocities);
        }
    }

    /// Enters what the contacts of an instant lost to friction where one has put energy in.
    fn share_losses(&mut self, answers: &[Answer<S>], struck: &[Struck<S>]) {
        // Which contact of an instant loses how much, and to what, is a matter of shares, and one can be negative.
        // Energy is put in only where their sum says so.
        let across: f64 = struck.iter().map(|one| one.lost_to_friction).sum();
        let along: f64 = struck.iter().map(|one| one.lost_to_restitution).sum();
        if along + across >= 0.0 {
            for (Answer { touch, .. }, struck) in answers.iter().zip(struck) {
                let costs = match touch.other {
                    BodyRef::Ball(_) => &mut self.ledger.between_balls,
                    BodyRef::Fixture(_) => &mut self.ledger.with_fixtures,
                };
                if struck.lost_to_friction < 0.0 {
                    costs.share(struck.lost_to_friction, across >= 0.0);
                }
            }
        }
    }

    /// Gives velocities to the bodies of a contact that are free, and whose own time is now.
    fn give_velocities(&mut self, ball: u32, other: BodyRef, velocities: &[Velocities<S>; 2]) {
        let balls = &mut self.stage.balls;
        balls.set_velocities(ball as usize, &velocities[0]);
        if let BodyRef::Ball(other) = other {
            balls.set_velocities(other as usize, &velocities[1]);
        }
    }

    #[inline(always)]
    pub(super) fn check_finite(
        &self,
        ball: u32,
        other: BodyRef,
        after: &[Velocities<S>; 2],
    ) -> Result<(), RunError> {
        if bounds::is_within(&after[0]) && bounds::is_within(&after[1]) {
            return Ok(());
        }
        self.check_velocities(ball, other, after)
    }

    /// Enters a collision into the budget, and keeps it as the last one: it is told of from there, without being
    /// carried about.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        ball: u32,
        other: BodyRef,
        surface: &Surface,
        struck: &Struck<S>,
        lasts: f64,
    ) -> &Collision<S> {
        let slot = ball as usize;
        self.stage
            .enter(&mut self.ledger, slot, other, struck, surface.restitution);
        self.collisions += 1;
        let (a, b) = (self.stage.balls.ids[slot], self.stage.id_of(other));
        if let Some(rule) = &mut self.contact_time {
            rule.struck(a, self.clock);
            if matches!(other, BodyRef::Ball(_)) {
                rule.struck(b, self.clock);
            }
        }
        let collision = self.last.insert(Collision {
            number: self.collisions,
            time: self.stage.epoch + self.clock,
            a,
            b,
            point: struck.point,
            normal: struck.normal,
            impulse: struck.impulse,
            mode: struck.mode,
            before: struck.before,
            after: struck.after,
            energy_lost: struck.lost_to_restitution + struck.lost_to_friction,
            lost_to_friction: struck.lost_to_friction,
            gap: struck.gap,
            // The spin of a ball does nothing along the normal.
            approach_speed: struck
                .normal
                .dot(struck.surface_velocity - struck.before[0].velocity),
            duration: lasts,
        });
        self.digest.collision(collision);
        collision
    }
}
