//! A step of an island.
//!
//! It is that of the leapfrog, with contacts (RATTLE's way of keeping constraints, for contacts that only push):
//!
//! ```text
//! v ← v + a τ/2       half of what fields give
//! v ← contacts        so that no two overlap within the step (`ahead.rs`)
//! x ← x + v τ         straight on
//! x ← projected       what the solver has left of an overlap is taken back
//! v ← v + a τ/2       the other half
//! v ← contacts        so that those that touch do not approach; those that met fast rebound by ε
//! ```
//!
//! The impulses of the second solve go on from those of the first and may take them back. Under constant forces a step
//! is exact; otherwise it is of second order in τ. A step may be cut short at any time: what fields give until then is
//! what they give in that time.
//!
//! The budget of a step: a contact takes `−J·(u + u′)/2` from the energy, with the relative velocities before and after
//! (an identity); fields give `m a·(v + v′) τ/4`. Where that differs from what the potential gave on the way, the
//! difference is entered as the cost of steps.

use super::contacts::{Problem, Reach};
use crate::audit::External;
use crate::impact::Strikable;
use crate::record::Velocities;
use crate::response::several::Mover;
use crate::simulate::contact_solver::Row;
use crate::simulate::exact::{Exact, RunError};
use crate::simulate::fixture::next_knot;
use crate::simulate::islands::{Impulses, Island, LastingContact, begin, go_on};
use crate::space::{Linear, Space};

/// A contact acts at the end of a step where the gap is below this share of what an acceleration makes in a step: in an
/// island, and in a crowd.
const TOUCH: [f64; 2] = [0.05, 0.2];

/// Where the members of a crowd touch they are kept apart by this share of that: by what the solver may leave of a
/// step, so that nothing overlaps.
const MARGIN: f64 = 0.5;

/// Neighbours of an island are looked for within this share of the least radius.
const FAR: f64 = 0.5;

/// What slips by less than this share of what an acceleration makes in a step does not slide.
const SLIP: f64 = 1e-6;

/// What approaches more slowly than this share of what an acceleration makes in a step has not been apart: rounding has
/// left it a gap.
const MEETS: f64 = 0.01;

/// How often contacts of an island rebound at one instant.
const ROUNDS: usize = 32;

impl<S: Strikable> Exact<S> {
    /// The length of the next step of an island (s), and the largest acceleration of its members (m/s²).
    pub(super) fn next_step(&self, island: &Island<S>) -> (f64, f64) {
        let (mut radius, mut pull, mut speed) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            radius = radius.min(self.stage.balls.hot[slot].radius);
            pull = pull.max(self.rates_of(slot).0.length());
            speed = speed.max(self.stage.balls.hot[slot].velocity.length());
        }
        if pull > 0.0 {
            let length = if super::is_crowd(island) { 2.0 } else { 1.0 };
            return (length * super::step_of(radius, pull), pull);
        }
        // Nothing pulls: as long as it takes to get on by a share of the radius.
        let step = if speed > 0.0 {
            super::STEP * radius / speed
        } else {
            1.0
        };
        (step, super::STEP * super::STEP * radius / (step * step))
    }

    /// Whether fields act on any member of an island. Where none does, what is kept apart does not come back.
    fn is_pulled(&self, island: &Island<S>) -> bool {
        let mut slots = island
            .members
            .iter()
            .map(|ball| self.stage.slots[ball.0 as usize]);
        slots.any(|slot| self.rates_of(slot as usize).0 != S::Vector::ZERO)
    }

    /// As far as neighbours of the members of an island are looked for, m.
    fn look_for(&self, island: &Island<S>) -> f64 {
        let radius = |ball: &crate::world::BodyId| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            self.stage.balls.hot[slot].radius
        };
        let least = island
            .members
            .iter()
            .map(radius)
            .fold(f64::INFINITY, f64::min);
        FAR * least
    }

    /// By how much the velocities of the members of an island differ from their mean, at most, m/s.
    fn spread(&self, island: &Island<S>) -> f64 {
        let velocity = |ball: &crate::world::BodyId| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            self.stage.balls.hot[slot].velocity
        };
        let velocities = island.members.iter().map(velocity);
        let sum = (velocities.clone()).fold(S::Vector::ZERO, |sum, velocity| sum + velocity);
        let mean = sum * (1.0 / island.members.len() as f64);
        velocities
            .map(|velocity| (velocity - mean).length())
            .fold(0.0, f64::max)
    }

    /// Gives the members what fields give in a time (s). What they have then is entered by [`Self::enter_kick`].
    fn kick_members(
        &self,
        island: &Island<S>,
        movers: &mut [Mover<S>],
        time: f64,
    ) -> Vec<(S::Vector, S::Angular)> {
        let members = island.members.iter().zip(movers);
        members
            .map(|(ball, mover)| {
                let slot = self.stage.slots[ball.0 as usize] as usize;
                let (push, twist) = self.rates_of(slot);
                mover.velocity += push * time;
                mover.angular_velocity += twist * time;
                (push * time, twist * time)
            })
            .collect()
    }

    /// Enters what fields gave, from the velocities before to those after, contacts included.
    fn enter_kick(
        &mut self,
        island: &Island<S>,
        kicks: &[(S::Vector, S::Angular)],
        (before, after): (&[Mover<S>], &[Mover<S>]),
        time: f64,
    ) {
        let uniform = self.stage.fields.is_uniform();
        for (index, ball) in island.members.iter().enumerate() {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let inertial = self.stage.balls.inertials.of(slot);
            let (mass, place) = (inertial.mass, self.stage.balls.hot[slot].position);
            let inertia = if inertial.inertia.is_finite() {
                inertial.inertia
            } else {
                0.0
            };
            let (mut push, mut twist) = kicks[index];
            let mean = (before[index].velocity + after[index].velocity) * 0.5;
            let turning = (before[index].angular_velocity + after[index].angular_velocity) * 0.5;
            if let Some(load) = self.stage.load(slot) {
                let at = self.stage.epoch + self.stage.balls.hot[slot].since;
                let impulse = load.force_at(at) * time;
                let torque = if inertia > 0.0 {
                    load.torque_at(at)
                } else {
                    S::Angular::ZERO
                };
                let angular = torque * time;
                push -= impulse * inertial.inverse_mass;
                twist -= angular * inertial.inverse_inertia;
                self.ledger.loaded(&External {
                    work: impulse.dot(mean) + angular.dot(turning),
                    momentum: impulse,
                    angular: S::torque(place, impulse) + angular,
                });
            }
            let work = mass * push.dot(mean) + inertia * twist.dot(turning);
            // Gravity is in the budget of momentum at all times; here it comes at once.
            let weight = self.stage.balls.gravity * (mass * time);
            self.ledger.momentum_from_fixtures.add(weight);
            self.ledger
                .angular_from_fixture
                .add(S::torque(place, weight));
            if uniform {
                self.ledger.stepping.add(-work);
            } else {
                self.ledger.lasting[3].add(-work);
                let force = push * mass - weight;
                self.ledger
                    .kicked(force, S::torque(place, force) + twist * inertia);
            }
        }
    }

    /// Passes a blow on through an island whose members are all at their own times, now: no contact approaches then,
    /// and those that approached fast rebound.
    pub(super) fn pass_on(&mut self, id: u32) {
        let Some(mut island) = self.take_island(id) else {
            return;
        };
        let (step, pull) = self.next_step(&island);
        let reach = Reach {
            step,
            pull,
            spread: 0.0,
            most: self.look_for(&island),
        };
        island.contacts = self.pairs_within(id, &island, reach);
        island.meets = true;
        let touch = touch_of(&island, pull, step);
        let mut problem = self.problem_of(&island, |contact| contact.touches(touch));
        let nothing = vec![Impulses::default(); problem.rows.len()];
        let (before, calm) = (problem.movers.clone(), island.calm < self.clock);
        let given = self.restitutions(&island, &problem, &before);
        rebound(&mut problem.rows, &before, &given, 0.5 * pull * step, 0.0);
        problem.solve(pull * step, calm);
        let mut adds = problem.lost(&before) < 0.0;
        if adds {
            problem.movers.clone_from(&before);
        } else {
            self.enter_contacts(&mut island, &problem, &before, &nothing);
        }
        // What a contact gives is J (u + u′)/2. One that parts may come to approach as fast as it parted, so that its J
        // takes nothing; it is answered in the next round. In the end none approaches. So energy does not grow.
        for round in 0..=ROUNDS {
            if !adds {
                break;
            }
            let before = problem.movers.clone();
            let slow = 0.5 * pull * step;
            let given = self.restitutions(&island, &problem, &before);
            adds = rebound(&mut problem.rows, &before, &given, slow, 1.0) && round < ROUNDS;
            if !adds {
                problem.rows.iter_mut().for_each(|row| row.wanted = 0.0);
            }
            problem.solve(pull * step, calm);
            self.enter_contacts(&mut island, &problem, &before, &nothing);
        }
        self.give_velocities_to(&island, &problem.movers);
        self.put_island_back(id, island);
    }

    /// How long until a fixture that touches an island, or comes near it, moves otherwise, s: a step that goes on would
    /// take its velocity for another one than it has.
    fn until_knot(&self, island: &Island<S>) -> f64 {
        let now = self.stage.epoch + self.clock;
        let fixtures = (island.contacts.iter()).filter_map(|contact| contact.against.fixture());
        let knots = fixtures.map(|index| next_knot(&self.stage.fixtures[index as usize].body, now));
        // Not before it by what rounding leaves.
        knots.fold(f64::INFINITY, f64::min) - now + 4.0 * f64::EPSILON * now.abs()
    }

    /// How a fixture has moved at the end of a step of an island, now, if it moves otherwise from now on: how members
    /// meet it then is a matter of the next step, of which some may rebound.
    pub(super) fn wall_before_knot(
        &self,
        island: &Island<S>,
        index: u32,
    ) -> Option<(S::Vector, S::Angular)> {
        let (epoch, fixture) = (self.stage.epoch, &self.stage.fixtures[index as usize]);
        let knot = next_knot(&fixture.body, epoch + island.since);
        let ends = island.since < self.clock && knot <= epoch + self.clock;
        ends.then(|| {
            let state = fixture.state_at(knot.next_down());
            (state.velocity, state.angular_velocity)
        })
    }

    /// Begins a step of an island whose members are all at their own times, now. Longer than most: what a step
    /// consists of, in order.
    pub(super) fn open_step(&mut self, id: u32) -> Result<(), RunError> {
        let Some(mut island) = self.take_island(id) else {
            return Ok(());
        };
        let clock = self.clock;
        let (mut step, pull) = self.next_step(&island);
        let (many, often, steps) = super::RUSH;
        if island.members.len() >= many && island.cuts > often {
            (island.cuts, island.rush) = (0, steps);
        }
        let mut reach = Reach {
            step,
            pull,
            spread: 0.0,
            most: self.look_for(&island),
        };
        if super::is_crowd(&island) || island.rush > 0 {
            reach.spread = self.spread(&island);
            self.take_in(id, &mut island, reach)?;
        }
        island.contacts = self.pairs_within(id, &island, reach);
        step = step.min(self.until_knot(&island));
        let shortest = super::ahead::SHORTEST * step;
        let margin = if super::is_crowd(&island) && self.is_pulled(&island) {
            MARGIN * touch_of(&island, pull, step)
        } else {
            0.0
        };
        let full = step;
        step = self.meet_ahead(&mut island, step);
        let fresh = self.problem_of(&island, |_| true);
        let before = fresh.movers.clone();
        let (problem, kicks, left) = loop {
            let mut problem = fresh.clone();
            let kicks = self.kick_members(&island, &mut problem.movers, 0.5 * step);
            let known = problem
                .which
                .iter()
                .map(|&index| island.contacts[index].given);
            begin(&mut problem.rows, &mut problem.movers, known);
            let left = self.solve_ahead(&island, &mut problem, (step, pull), (margin, full));
            let leaps = self.leaps(&island, (&before, &problem.movers), step);
            let sunk = left.deep && margin > 0.0;
            if step <= shortest || !(leaps || sunk) {
                break (problem, kicks, left);
            }
            step *= 0.5;
        };
        let meets = |contact: &LastingContact<S>| -contact.struck > MEETS * pull * step;
        island.meets = island.contacts.iter().any(meets);
        for contact in &mut island.contacts {
            let restitution = self.restitution_of(contact, -contact.struck);
            if !(-contact.struck * restitution > 0.5 * pull * step) {
                contact.struck = 0.0;
            }
        }
        for (row, &index) in problem.rows.iter().zip(&problem.which) {
            let contact = &mut island.contacts[index];
            contact.given = row.given();
            contact.slides = row.slips(&problem.movers, SLIP * pull * step);
        }
        (island.since, island.until) = (clock, clock + step);
        let squeezed = self
            .jammed(&island, &problem, (&before, &left), step)
            .or_else(|| self.squeezed_ahead(&island, &problem.movers, step));
        if let Some(error) = squeezed {
            // Nothing of this step has happened.
            island.until = clock;
            for contact in &mut island.contacts {
                contact.given = Impulses::default();
            }
            self.put_island_back(id, island);
            return Err(error);
        }
        island.taken = 0.0;
        self.ledger.deepest_overlap = self.ledger.deepest_overlap.max(left.overlap);
        let nothing = vec![Impulses::default(); problem.rows.len()];
        self.enter_contacts(&mut island, &problem, &before, &nothing);
        self.enter_kick(&island, &kicks, (&before, &problem.movers), 0.5 * step);
        island.ahead = problem.along_kicks(&kicks, &nothing);
        self.give_velocities_to(&island, &problem.movers);
        self.put_island_back(id, island);
        let slots = self.island_slots(id);
        self.changed(&slots);
        Ok(())
    }

    /// Ends the step of an island now, be it its planned end or before: its members are at their own times then.
    pub(super) fn close_step(&mut self, id: u32) -> Result<(), RunError> {
        let Some(mut island) = self.take_island(id) else {
            return Ok(());
        };
        let clock = self.clock;
        if clock < island.until {
            island.cuts += 1;
        }
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            self.enter_flight(slot);
            self.stage.balls.restart(slot, clock);
        }
        if island.asleep {
            self.get_up(&mut island);
            self.put_island_back(id, island);
            self.enlist(id);
            return Ok(());
        }
        let squeezed = self.project(&mut island);
        let (full, elapsed) = (island.until - island.since, clock - island.since);
        let (step, pull) = self.next_step(&island);
        let length = if super::is_crowd(&island) { step } else { full };
        let touch = touch_of(&island, pull, length);
        let mut problem = self.problem_of(&island, |contact| contact.touches(touch));
        let before = problem.movers.clone();
        let rest = elapsed - 0.5 * full;
        let kicks = self.kick_members(&island, &mut problem.movers, rest);
        let again = if full > 0.0 {
            (elapsed / full).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let mut had = Vec::with_capacity(problem.rows.len());
        for (row, &index) in problem.rows.iter_mut().zip(&problem.which) {
            let contact = &island.contacts[index];
            if contact.struck < 0.0 && contact.given.pressed > 0.0 && elapsed >= full {
                let restitution = self.restitution_of(contact, -contact.struck);
                row.wanted = -restitution * contact.struck;
            }
            had.push(contact.given);
        }
        go_on(&mut problem.rows, &mut problem.movers, &had, again);
        self.give_back(&island, &mut problem, (&before, &had), pull * full);
        island.ahead -= problem.along_kicks(&kicks, &had);
        self.enter_contacts(&mut island, &problem, &before, &had);
        self.enter_kick(&island, &kicks, (&before, &problem.movers), rest);
        for contact in &mut island.contacts {
            contact.given = Impulses::default();
        }
        for (row, &index) in problem.rows.iter().zip(&problem.which) {
            let contact = &mut island.contacts[index];
            // What the first half of the next step is likely to need.
            contact.given = row.given().times(0.5);
            contact.slides = row.slips(&problem.movers, SLIP * pull * full);
        }
        self.give_velocities_to(&island, &problem.movers);
        island.since = clock;
        island.until = clock;
        self.put_island_back(id, island);
        match squeezed {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Solves the contacts at the end of a step, with what members that have met give back: no more than was taken.
    fn give_back(
        &self,
        island: &Island<S>,
        problem: &mut Problem<S>,
        (before, had): (&[Mover<S>], &[Impulses<S>]),
        kick: f64,
    ) {
        let calm = island.calm < self.clock;
        let start = problem.clone();
        problem.solve(kick, calm);
        let (mut rebounds, mut adds) = (false, false);
        for (row, &index) in problem.rows.iter().zip(&problem.which) {
            if row.wanted > 0.0 {
                let contact = &island.contacts[index];
                rebounds = true;
                adds |= self.restitution_of(contact, -contact.struck) > 1.0;
            }
        }
        if rebounds && !adds && problem.given(before, had) > island.taken {
            let mut quiet = start;
            for row in &mut quiet.rows {
                row.wanted = row.wanted.min(0.0);
            }
            quiet.solve(kick, calm);
            problem.restrain(&quiet, before, had, island.taken);
        }
    }

    /// ε of all contacts of a problem, as fast as they approach.
    fn restitutions(
        &self,
        island: &Island<S>,
        problem: &Problem<S>,
        movers: &[Mover<S>],
    ) -> Vec<f64> {
        let of = |(row, &index): (&Row<S>, &usize)| {
            let approach = -row.normal_velocity(movers);
            self.restitution_of(&island.contacts[index], approach)
        };
        problem.rows.iter().zip(&problem.which).map(of).collect()
    }

    /// ε of a contact that approaches at a speed, m/s.
    pub(super) fn restitution_of(&self, contact: &LastingContact<S>, approach: f64) -> f64 {
        let (slot, _) = self.places_of(contact.key());
        let other = self.body_of(contact.against);
        let surface = (self.stage).surface_at(slot as usize, other, approach);
        surface.restitution
    }

    /// Gives the members of an island the velocities that the solver has found.
    pub(super) fn give_velocities_to(&mut self, island: &Island<S>, movers: &[Mover<S>]) {
        for (ball, mover) in island.members.iter().zip(movers) {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let velocities = Velocities {
                velocity: mover.velocity,
                angular_velocity: mover.angular_velocity,
            };
            self.stage.balls.set_velocities(slot, &velocities);
        }
    }

    pub(super) fn take_island(&mut self, id: u32) -> Option<Island<S>> {
        let trajectories = self.stage.balls.trajectories.as_mut()?;
        trajectories.islands.take(id)
    }

    pub(super) fn put_island_back(&mut self, id: u32, island: Island<S>) {
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.islands.put_back(id, island);
        }
    }
}

/// Sets what contacts are to do about how they approach: those that are faster than a speed (m/s) rebound, others stop,
/// and those that part may approach by a share of that. Whether any rebounds.
fn rebound<S: Space>(
    rows: &mut [Row<S>],
    movers: &[Mover<S>],
    restitutions: &[f64],
    slow: f64,
    share: f64,
) -> bool {
    let mut any = false;
    for (row, restitution) in rows.iter_mut().zip(restitutions) {
        let normal = row.normal_velocity(movers);
        let fast = -normal * restitution > slow;
        any |= fast;
        row.begin_with(&Impulses::default());
        row.wanted = if fast {
            -normal * restitution
        } else {
            -share * normal.max(0.0)
        };
    }
    any
}

/// Contacts of an island act at the end of a step where the gap is below this, m.
pub(super) fn touch_of<S: Strikable>(island: &Island<S>, pull: f64, step: f64) -> f64 {
    TOUCH[usize::from(super::is_crowd(island))] * pull * step * step
}
