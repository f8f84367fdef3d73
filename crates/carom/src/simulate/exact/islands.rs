//! Contacts that last, where there are several: how islands of balls come, go ahead, sleep and go.
//!
//! A ball joins an island
//! * when it meets another ball on which it lies (they would meet again within a step), or a member of an island, so
//!   slowly that it would not hop for longer than a step;
//! * when it chatters: more than [`CHATTER`] collisions within a step that bring it nearly nowhere, or at one instant;
//! * when there is no next piece of its way on walls.
//!
//! A crowd, an island of [`CROWD`] members or one that is struck again and again ([`RUSH`]), also takes in at the
//! beginning of a step those that may meet a member within it: they are answered by the step, with their restitution,
//! and not at their instants.
//!
//! Elastic contacts never last, but for those that chatter. The length of a step is `√(r/a)/32`, with the smallest
//! radius and the largest acceleration of the members, twice that for a crowd; a hop is short when it is over within a
//! step.
//!
//! It leaves when it touches nothing any more, and goes back to the closed forms when it has touched one fixture and
//! nothing else for some steps. An island sleeps when no member has been fast for a while, and the forces that hold it
//! have been found (`sleep.rs`).

mod ahead;
mod contacts;
mod project;
mod rebound;
mod reform;
mod sleep;
mod solver;
mod step;

pub(super) use project::ALLOWED_WHERE_DRIVEN;

use super::collide::Outcome;
use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::record::{Regime, Separation};
use crate::simulate::bodies::BodyRef;
use crate::simulate::islands::{Against, Island, LastingContact};
use crate::simulate::trajectories::{Intent, Support};
use crate::space::Linear;
use crate::world::BodyId;

/// Collisions of a ball with others within a step after which it joins an island.
const CHATTER: u32 = 24;

/// The same with walls on which one ball comes to rest in closed form, after bounces fewer than these.
const BOUNCES_IN_A_STEP: u32 = 4096;

/// Collisions of a ball with walls at one instant after which it joins an island: a wall that moves presses it against
/// another one.
const AT_ONCE: u32 = 64;

/// By how much of the radius a ball that chatters comes nearer in a step.
const NOWHERE_TO_GO: f64 = 0.05;

/// Collisions at one instant after which the two bodies join an island.
pub(super) const STALLED: u64 = 500;

/// The same for elastic balls that nothing presses together, and for each ball that there is: however large a heap of
/// them is, the collisions come to an end, and lose nothing.
const STALLED_ELASTIC: (u64, u64) = (5_000, 50);

/// The length of a step in units of √(r/a).
const STEP: f64 = 1.0 / 32.0;

/// An island with so many members is a crowd: it takes in at the beginning of a step whatever may meet a member within
/// it, and is not cut by it.
const CROWD: usize = 64;

/// So is one of so many members that is cut more often than that within a step, for some steps.
const RUSH: (usize, u32, u32) = (32, 2, 32);

/// Up to so many contacts of an island are few.
const FEW: usize = 128;

/// Restitution from which on a contact counts as elastic, and does not last.
const ELASTIC: f64 = 1.0 - 1e-9;

/// The two bodies of a contact of an island.
pub(super) type Pair = (BodyId, Against);

/// How often a ball has collided lately.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simulate) struct Chatter {
    /// By the run's clock, s.
    pub since: f64,
    pub count: u32,
}

impl<S: Strikable> Exact<S> {
    /// The island that a ball is in.
    #[inline]
    pub(super) fn island_of(&self, slot: u32) -> Option<u32> {
        self.stage.balls.island(slot as usize)
    }

    /// The island that a body is in.
    pub(super) fn island_of_body(&self, body: BodyRef) -> Option<u32> {
        match body {
            BodyRef::Ball(slot) => self.island_of(slot),
            BodyRef::Fixture(_) => None,
        }
    }

    /// Whether a contact that is due is a matter of islands.
    pub(super) fn concerns_islands(&mut self, ball: u32, other: BodyRef) -> bool {
        if self.island_of(ball).is_some() || self.island_of_body(other).is_some() {
            return true;
        }
        self.begins_to_last(ball, other)
    }

    /// The acceleration of a body, m/s². What lies in an island is held.
    fn acceleration(&self, body: BodyRef) -> S::Vector {
        let BodyRef::Ball(slot) = body else {
            return S::Vector::ZERO;
        };
        let (balls, slot) = (&self.stage.balls, slot as usize);
        if balls.island(slot).is_some() {
            return S::Vector::ZERO;
        }
        let segment = balls.segment_or_flight(slot);
        segment.place.bend_at(self.clock - balls.hot[slot].since)
    }

    /// Whether two bodies that meet, neither of which is in an island, keep touching from now on.
    pub(super) fn begins_to_last(&mut self, ball: u32, other: BodyRef) -> bool {
        let slot = ball as usize;
        // Contacts that follow each other within the contact time lose nothing: a gas goes on. What gravity presses
        // together would collide for ever.
        let for_ever = self.contact_time.is_some();
        let weightless = self.stage.balls.gravity == S::Vector::ZERO;
        if self.stage.balls.sticking(slot).is_some() {
            return false;
        }
        if self.stalled > STALLED && !self.collisions_end(ball, other) {
            return true;
        }
        let (contact, _) = self.stage.contact(slot, other, self.clock);
        let pulls = self.acceleration(other) - self.acceleration(BodyRef::Ball(ball));
        let pressing = contact.normal.dot(pulls);
        // A field may press them together as well, and so does a wall that does not move straight on. And a ball that
        // has come to slide along a hollow meets it again at every rounding of the clock, too slowly to be answered.
        let rebounds = contact.is_approaching();
        if for_ever && weightless && rebounds && !(pressing > 0.0) && !self.stage.pushes(other) {
            return false;
        }
        let approach = -contact.normal_velocity();
        let mut radius = self.stage.balls.hot[slot].radius;
        if let BodyRef::Fixture(index) = other {
            // One ball on one wall has its own ways of coming to rest, where the wall carries it, and so it has between
            // two that are flat. Between others it may bounce for ever. On a wall that is curved it may also come back
            // more slowly than rounding explains, time and again, where nothing pulls.
            let settles = self.stage.carries(index)
                && !for_ever
                && !self.is_astride(slot, index)
                && !self.stage.is_in_gap(slot, index, self.clock);
            return self.strikes_walls_at_once(ball)
                || self.chatters(&[ball], approach.max(0.0), radius, settles);
        }
        if !(approach > 0.0) {
            return false;
        }
        let Some(its) = other.slot() else {
            return false;
        };
        if self.stage.balls.sticking(its as usize).is_some() {
            return false;
        }
        radius = radius.min(self.stage.balls.hot[its as usize].radius);
        if self.collisions_end(ball, other) {
            return false;
        }
        if self.chatters(&[ball, its], approach, radius, false) {
            return true;
        }
        if for_ever {
            return false;
        }
        let restitution = (self.stage.surface_at(slot, other, approach)).restitution;
        pressing > 0.0
            && restitution < ELASTIC
            && 2.0 * restitution * approach <= pressing * step_of(radius, pressing)
    }

    /// Whether a ball that meets a wall keeps touching another one, such that there is no closed form for a ball on
    /// both: in space one of them is curved, say.
    fn is_astride(&self, slot: usize, index: u32) -> bool {
        let support = self.stage.balls.support(slot);
        let on = support
            .and_then(|support| support.on)
            .filter(|&on| on != index);
        on.is_some_and(|on| {
            self.stage
                .in_groove(slot, [on, index], self.clock)
                .is_none()
        })
    }

    /// Whether the collisions of two bodies come to an end by themselves: they are elastic balls, neither of them in an
    /// island, and nothing pulls at them.
    fn collisions_end(&self, ball: u32, other: BodyRef) -> bool {
        let balls = &self.stage.balls;
        let (least, each) = STALLED_ELASTIC;
        let still = |body: BodyRef| self.acceleration(body) == S::Vector::ZERO;
        other.slot().is_some()
            && self.stalled <= least + each * balls.len() as u64
            && self.stage.surface(ball as usize, other).restitution >= ELASTIC
            && still(BodyRef::Ball(ball))
            && still(other)
    }

    /// Counts a collision of two balls, or of one with a wall, on which it may settle; whether they have had very many
    /// within a step, for nothing.
    fn chatters(&mut self, pair: &[u32], approach: f64, radius: f64, settles: bool) -> bool {
        let gravity = self.stage.balls.gravity.length();
        let step = step_of(radius, if gravity > 0.0 { gravity } else { 1.0 });
        if approach * step > NOWHERE_TO_GO * radius {
            return false;
        }
        let mut most = 0;
        for &slot in pair {
            most = most.max(self.count_chatter(slot, usize::from(settles), step));
        }
        most > if settles { BOUNCES_IN_A_STEP } else { CHATTER }
    }

    /// Counts a collision of a ball with a wall; whether it has had very many at this instant.
    fn strikes_walls_at_once(&mut self, slot: u32) -> bool {
        self.count_chatter(slot, 2, 0.0) > AT_ONCE
    }

    /// Counts a collision of a ball of one of three kinds: with balls, with walls, at one instant. How many it has had
    /// within a time (s).
    fn count_chatter(&mut self, slot: u32, kind: usize, within: f64) -> u32 {
        let index = 3 * self.stage.balls.ids[slot as usize].0 as usize + kind;
        if index >= self.chatter.len() {
            self.chatter.resize(index + 1, Chatter::default());
        }
        let chatter = &mut self.chatter[index];
        if self.clock - chatter.since > within {
            *chatter = Chatter {
                since: self.clock,
                count: 0,
            };
        }
        chatter.count += 1;
        chatter.count
    }

    /// Lets two bodies meet of which one is in an island, or that come to keep touching.
    ///
    /// What is fast is answered as between any two bodies, at its instant, with the steps of the islands concerned cut
    /// there; the islands pass the blow on. What is slow becomes a contact of an island.
    #[cold]
    pub(super) fn collide_in_islands(
        &mut self,
        ball: u32,
        other: BodyRef,
    ) -> Result<Outcome, RunError> {
        self.use_segments();
        let mut islands: Vec<u32> = [Some(ball), other.slot()]
            .into_iter()
            .flatten()
            .filter_map(|slot| self.island_of(slot))
            .collect();
        islands.sort_unstable();
        islands.dedup();
        for &id in &islands {
            self.close_step(id)?;
        }
        let slot = ball as usize;
        let (contact, _) = self.stage.contact(slot, other, self.clock);
        let approach = -contact.normal_velocity();
        let surface = self.stage.surface_at(slot, other, approach);
        let sticks = |slot: u32| {
            let slot = slot as usize;
            self.stage.balls.sticking(slot).is_some() || self.stage.is_jointed(slot)
        };
        let bound = [Some(ball), other.slot()].into_iter().flatten().any(sticks);
        let slow = self.slow(ball, other);
        // Where nothing pulls there is no hop that is over within a step, and elastic hops do not get lower: what
        // chatters with an island joins it.
        let endless = slow == 0.0 || surface.restitution >= ELASTIC;
        let chatters = endless && !islands.is_empty() && self.chatters_with(ball, other, approach);
        let lasts = !bound
            && (islands.is_empty()
                || chatters
                || self.stalled > STALLED
                || surface.restitution < ELASTIC && surface.restitution * approach <= slow);
        let mut outcome = Outcome::Nothing;
        let strikes = contact.is_approaching() && (!lasts || approach > slow);
        if strikes {
            outcome = self.strike(ball, other, &surface)?;
        }
        if lasts {
            islands = vec![self.join(ball, other, &islands)];
        }
        for slot in [Some(ball), other.slot()].into_iter().flatten() {
            if self.island_of(slot).is_some() {
                continue;
            }
            if strikes {
                self.changed(&[slot]);
            } else {
                self.plan_again(&[slot]);
            }
        }
        for id in islands {
            if strikes {
                self.pass_on(id);
            }
            if let Err(failure) = self.open_step(id) {
                return self.fail_after(strikes.then_some(outcome), failure);
            }
        }
        Ok(outcome)
    }

    /// Below which rebound two bodies of an island do not part, m/s: they would be back within a step.
    fn slow(&self, ball: u32, other: BodyRef) -> f64 {
        let mut radius = self.stage.balls.hot[ball as usize].radius;
        if let Some(slot) = other.slot() {
            radius = radius.min(self.stage.balls.hot[slot as usize].radius);
        }
        let pull = self.pull(ball as usize).length();
        if pull > 0.0 {
            0.5 * pull * step_of(radius, pull)
        } else {
            0.0
        }
    }

    /// Counts a collision with an island; whether the two have had very many within a step, for nothing.
    fn chatters_with(&mut self, ball: u32, other: BodyRef, approach: f64) -> bool {
        let balls = &self.stage.balls;
        let mut pair = vec![ball];
        pair.extend(other.slot());
        let radius = |&slot: &u32| balls.hot[slot as usize].radius;
        let least = pair.iter().map(radius).fold(f64::INFINITY, f64::min);
        self.contact_time.is_none() && self.chatters(&pair, approach, least, false)
    }

    /// What the fields do to a ball, m/s².
    fn pull(&self, slot: usize) -> S::Vector {
        self.rates_of(slot).0
    }

    /// Makes one island of two bodies and the islands that they are in, whose steps are closed. Its number.
    fn join(&mut self, ball: u32, other: BodyRef, islands: &[u32]) -> u32 {
        let clock = self.clock;
        for slot in [Some(ball), other.slot()].into_iter().flatten() {
            if self.island_of(slot).is_none() {
                let slot = slot as usize;
                self.forget(slot);
                self.enter_flight(slot);
                self.stage.balls.restart(slot, clock);
            }
        }
        let mut members = vec![self.stage.balls.ids[ball as usize]];
        members.extend(other.slot().map(|slot| self.stage.balls.ids[slot as usize]));
        let trajectories = self.stage.balls.trajectories.as_mut();
        let trajectories = trajectories.expect("balls in islands are on segments");
        let (mut contacts, mut cuts, mut rush, mut lent) = (Vec::new(), 0, 0, 0.0);
        for &id in islands {
            if let Some(island) = trajectories.islands.take(id) {
                cuts = island.cuts.max(cuts);
                rush = island.rush.max(rush);
                lent += island.lent;
                members.extend(island.members);
                contacts.extend(island.contacts);
            }
        }
        members.sort_unstable();
        members.dedup();
        contacts.sort_unstable_by_key(LastingContact::key);
        let island = Island {
            members,
            contacts,
            since: clock,
            until: clock,
            calm: clock,
            asleep: false,
            single: 0,
            cuts,
            rush,
            meets: true,
            taken: 0.0,
            lent,
            opened: 0.0,
            ahead: 0.0,
        };
        let id = trajectories.islands.found(island);
        self.enlist(id);
        id
    }

    /// Lets the members of an island know that they are, and whether they sleep.
    fn enlist(&mut self, id: u32) {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let island = trajectories.and_then(|trajectories| trajectories.islands.get(id));
        let asleep = island.is_some_and(|island| island.asleep);
        for slot in self.island_slots(id) {
            self.enlist_one(slot as usize, id, asleep);
        }
    }

    fn enlist_one(&mut self, slot: usize, id: u32, asleep: bool) {
        let member = Support {
            island: Some(id),
            asleep,
            ..Support::FLYING
        };
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            let before = trajectories.supports.replace(slot, member);
            self.note_transition(slot, before, member);
        }
    }

    /// The slots of the members of an island, in their order.
    pub(super) fn island_slots(&self, id: u32) -> Vec<u32> {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let island = trajectories.and_then(|trajectories| trajectories.islands.get(id));
        island.map_or(Vec::new(), |island| {
            let members = island.members.iter();
            members
                .map(|ball| self.stage.slots[ball.0 as usize])
                .collect()
        })
    }

    /// Takes an island out, with its step closed: its members, and its contacts.
    pub(super) fn part_island(&mut self, id: u32) -> Result<(Vec<u32>, Vec<Pair>), RunError> {
        self.close_step(id)?;
        let slots = self.island_slots(id);
        let trajectories = self.stage.balls.trajectories.as_mut();
        let island = trajectories.and_then(|trajectories| trajectories.islands.take(id));
        let contacts = island.map_or(Vec::new(), |island| island.contacts);
        Ok((slots, contacts.iter().map(LastingContact::key).collect()))
    }

    /// Puts a ball into an island of its own, where there is no next piece of its way on the walls that it touches.
    pub(super) fn found_island(&mut self, slot: u32) -> Result<(), RunError> {
        self.use_segments();
        if self.stage.balls.sticking(slot as usize).is_some() {
            // It goes on with what it would leave with: islands know of no contacts of a duration.
            self.release(slot, Separation::Struck);
        }
        let id = self.join(slot, BodyRef::Ball(slot), &[]);
        self.open_step(id)
    }

    /// Lets a ball, or its island, go on at the end of its segment.
    pub(super) fn end_segment(&mut self, ball: u32) -> Result<(), RunError> {
        if let Some(id) = self.island_of(ball) {
            return self.end_island_step(id);
        }
        if self.stage.balls.is_member(ball as usize) {
            return self.end_rigid_segment(ball);
        }
        let balls = &self.stage.balls;
        let (radius, gravity) = (balls.hot[ball as usize].radius, balls.gravity.length());
        let took = self.watchdog.segment(balls.len(), self.clock);
        let sticks = balls.sticking(ball as usize).is_some();
        let supported = balls.is_supported(ball as usize);
        self.turn(ball);
        // Its way on walls changes ever faster.
        if took.is_some_and(|took| took < step_of(radius, gravity)) && supported && !sticks {
            self.found_island(ball)?;
        }
        Ok(())
    }

    /// Puts balls into islands for which there is no next piece of their ways on walls.
    #[cold]
    pub(super) fn take_in_stranded(&mut self) -> Result<(), RunError> {
        for slot in std::mem::take(&mut self.stranded) {
            if self.island_of(slot).is_none() {
                self.found_island(slot)?;
            }
        }
        Ok(())
    }

    /// Lets all members of an island fly, from where they are now.
    fn dissolve(&mut self, id: u32) {
        if let Err(failure) = self.close_step(id) {
            self.failure.get_or_insert(failure);
        }
        let slots = self.island_slots(id);
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.islands.take(id);
            for &slot in &slots {
                trajectories.supports[slot as usize] = Support {
                    intent: Intent::Leave,
                    ..Support::FLYING
                };
            }
        }
        self.changed(&slots);
    }

    /// Lets a ball go on without the island that it is in: its members find together again, if nothing has changed.
    pub(in crate::simulate) fn wake(&mut self, slot: u32) {
        if let Some(id) = self.island_of(slot) {
            self.dissolve(id);
        }
    }

    /// The same for all.
    pub(in crate::simulate) fn wake_all(&mut self) {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let number = trajectories.map_or(0, |trajectories| trajectories.islands.all.len());
        for id in 0..number as u32 {
            if !self.island_slots(id).is_empty() {
                self.dissolve(id);
            }
        }
    }

    /// Whether no ball moves: all of them lie on others, or rest on walls.
    pub fn is_at_rest_everywhere(&self) -> bool {
        let balls = &self.stage.balls;
        let rigids = balls.rigids();
        let driven = rigids.is_some_and(|it| it.world.props.iter().any(|prop| prop.moves()));
        !driven
            && self.uses_segments()
            && self.stage.loads.values().all(|load| load.is_constant())
            && balls.slots().all(|slot| self.is_at_rest(slot))
    }

    /// How many balls do not move: they lie on others, or rest on a wall.
    pub fn number_at_rest(&self) -> usize {
        let slots = self.stage.balls.slots();
        slots.filter(|&slot| self.is_at_rest(slot)).count()
    }

    /// Whether a ball does not move: it is asleep, or rests on a wall.
    pub(in crate::simulate) fn is_at_rest(&self, slot: usize) -> bool {
        if let Some(member) = self.member(slot)
            && let Some(rigids) = self.stage.balls.rigids()
        {
            let track = &rigids.core.moving[member as usize].track;
            let still = track.course.is_still() && track.until == f64::INFINITY;
            return rigids.core.is_asleep(member) || still;
        }
        self.stage.balls.support(slot).is_some_and(|support| {
            let settled = support.settles <= self.clock;
            support.asleep || (support.on.is_some() && support.regime == Regime::Resting && settled)
        })
    }
}

/// Whether an island is so large that its steps take in what is around it.
fn is_crowd<S: Strikable>(island: &Island<S>) -> bool {
    island.members.len() >= CROWD
}

/// The length of a step (s) of a ball of a radius (m) under an acceleration (m/s²).
fn step_of(radius: f64, acceleration: f64) -> f64 {
    STEP * (radius / acceleration).sqrt()
}
