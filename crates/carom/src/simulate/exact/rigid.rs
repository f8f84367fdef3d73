//! Rigid bodies in the loop: how their contacts happen, how their islands go ahead, and how their records follow.
//!
//! Whatever happens to rigid bodies is worked out on their tracks (`simulate/rigid/`). Here those concerned are called
//! together, balls among them as guests; afterwards the records that planners know of follow the tracks, guests that
//! fly go back to their lane, and everyone concerned is planned anew.

mod guests;
mod look;
mod near;
mod records;

use super::collide::Outcome;
use super::{Exact, Plans, RunError};
use crate::impact::Strikable;
use crate::record::{Collision, Regime, Release, Separation, Transition};
use crate::simulate::balls::NOBODY;
use crate::simulate::bodies::{BodyRef, NOWHERE, Step};
use crate::simulate::meetings::Found;
use crate::simulate::predictions::all_shifts;
use crate::simulate::rigid::{Party, RigidBodyRef, Rigids};
use crate::space::Linear;
use crate::world::BodyId;
use near::near;

/// Contacts of one pair at one instant after which a run stands still.
const STALLED: u32 = 20_000;

/// And after which the two keep touching.
const INSISTS: u32 = 50;

impl<S: Strikable> Exact<S> {
    /// Counts that a search for a contact of a rigid body was given up, and is taken up again.
    pub(super) fn count_rigid_search(
        &mut self,
        (a, b): (BodyId, BodyId),
        time: f64,
        until: f64,
    ) -> Result<(), RunError> {
        let to_go = until.max(self.horizon) - (self.stage.epoch + time);
        let Some(rigids) = self.stage.balls.rigids_mut() else {
            return Ok(());
        };
        let searching = rigids.searching.entry((a, b)).or_default();
        match searching.count(time, to_go) {
            None => Ok(()),
            Some(crawl) => Err(RunError::FirstContact {
                time: self.stage.epoch + time,
                since: self.stage.epoch + time - crawl.advance,
                advance: crawl.advance,
                searches: crawl.steps,
                a: self.label(a),
                b: self.label(b),
            }),
        }
    }

    /// Whether there are rigid bodies, or fixtures that are met as those meet them.
    #[inline]
    pub(in crate::simulate) fn has_rigids(&self) -> bool {
        self.stage.balls.rigids().is_some()
    }

    /// Which member of the rigid bodies and their guests a body is, by its slot.
    #[inline]
    pub(in crate::simulate) fn member(&self, slot: usize) -> Option<u32> {
        let rigids = self.stage.balls.rigids()?;
        rigids.member(self.stage.balls.ids[slot])
    }

    /// Whether a contact is a matter of rigid bodies.
    #[inline]
    pub(super) fn concerns_rigids(&self, ball: u32, other: BodyRef) -> bool {
        self.stage.concerns_rigids(ball as usize, other)
    }

    /// The two bodies of a contact of free bodies that is a matter of rigid bodies.
    #[cold]
    pub(super) fn rigid_pair(&self, ball: u32, other: BodyRef) -> Option<[BodyId; 2]> {
        let free = other.slot().is_some() && self.concerns_rigids(ball, other);
        free.then(|| [BodyRef::Ball(ball), other].map(|it| self.stage.id_of(it)))
    }

    fn take_rigids(&mut self) -> Box<Rigids<S>> {
        let trajectories = self.stage.balls.trajectories.as_mut();
        let rigids = trajectories.and_then(|trajectories| trajectories.rigids.take());
        rigids.expect("only where there are rigid bodies")
    }

    fn put_rigids(&mut self, rigids: Box<Rigids<S>>) {
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.rigids = Some(rigids);
        }
    }

    /// Puts rigid bodies in their places at the start; those that touch and are slow keep touching.
    pub(super) fn start_rigids(&mut self) -> Result<(), RunError> {
        let rigids = self.take_rigids();
        // The planner has to know which bodies are near each other before any of them can be asked.
        let members: Vec<u32> = rigids.members().collect();
        for &member in &members {
            let id = rigids.world.inert[member as usize].id;
            let slot = self.stage.slots[id.0 as usize] as usize;
            let track = rigids.core.moving[member as usize].track.clone();
            self.stage.balls.follow_track(&track, slot);
        }
        self.put_rigids(rigids);
        if self.stage.some_fly_in_steps() {
            self.guide_all();
        }
        self.plan_anew();
        let mut rigids = self.take_rigids();
        let clock = self.clock;
        let Rigids {
            world,
            core,
            places,
            ..
        } = &mut *rigids;
        let near = near(&self.stage, &self.plans, world, places, clock);
        core.settle_at_start(world, &near);
        if self.stage.some_fly_in_steps() {
            core.changed.extend(members);
        }
        self.finish(rigids, Vec::new())
    }

    /// Lets two bodies meet of which one is rigid.
    #[cold]
    pub(super) fn collide_rigid(&mut self, ball: u32, other: BodyRef) -> Result<Outcome, RunError> {
        let now = self.clock;
        let mut met = vec![(ball, other)];
        let mut popped = self.contacts_soon(&mut met);
        let pairs: Vec<(BodyId, Result<BodyId, u32>)> = (met.iter())
            .filter_map(|&(ball, other)| self.pair_of(ball, other))
            .collect();
        for &(ball, other) in &met {
            popped.push(ball);
            popped.extend(other.slot());
        }
        let mut rigids = self.take_rigids();
        let mut pairs_here: Vec<(u32, RigidBodyRef)> = Vec::new();
        for (a, other) in pairs {
            let a = self.invite_one(&mut rigids, a)?;
            let other = match other {
                Ok(b) => self.invite_one(&mut rigids, b)?.map(RigidBodyRef::Body),
                Err(index) => Some(RigidBodyRef::Fixture(index)),
            };
            pairs_here.extend(a.zip(other));
        }
        let concerned = pairs_here.iter().flat_map(|&(a, other)| match other {
            RigidBodyRef::Body(b) => [Some(a), Some(b)],
            RigidBodyRef::Fixture(_) => [Some(a), None],
        });
        let concerned: Vec<u32> = concerned.flatten().collect();
        self.invite(&mut rigids, concerned.clone())?;
        let mut asleep = rigids.sleepers(&concerned);
        let Some(&first) = pairs_here.first() else {
            self.finish(rigids, popped)?;
            return Ok(Outcome::Nothing);
        };
        let times = rigids.count_stall(first, now);
        let insists = times > INSISTS;
        let collisions = {
            let Rigids {
                world,
                core,
                places,
                ..
            } = &mut *rigids;
            world.contact_time = self.contact_time.take();
            let near = near(&self.stage, &self.plans, world, places, now);
            let number = self.collisions + 1;
            let told = core.strike(world, &near, &pairs_here, (now, insists, number));
            self.contact_time = world.contact_time.take();
            told
        };
        if !collisions.is_empty() {
            rigids.searching.clear();
        }
        asleep.retain(|&member| !rigids.core.is_asleep(member));
        for member in asleep {
            self.tell_rigid(&rigids, member, None);
        }
        let collisions = self.enter_rigid(&rigids, collisions);
        let finished = self.finish(rigids, popped);
        let collisions = collisions?;
        if let Err(failure) = finished {
            self.together = collisions;
            let told = (!self.together.is_empty()).then_some(Outcome::Together);
            return self.fail_after(told, failure);
        }
        if times > STALLED {
            let [a, b] = [BodyRef::Ball(ball), other].map(|body| self.stage.id_of(body));
            return Err(RunError::Livelock {
                time: self.stage.epoch + now,
                collisions: u64::from(times),
                a: self.label(a),
                b: self.label(b),
            });
        }
        Ok(if collisions.is_empty() {
            Outcome::Nothing
        } else {
            self.together = collisions;
            Outcome::Together
        })
    }

    /// Contacts of rigid bodies that are due within no time: what happens so soon happens at once, so that a row of
    /// boxes that lands is answered together. Bodies that were looked at for that and have to be planned anew.
    fn contacts_soon(&mut self, met: &mut Vec<(u32, BodyRef)>) -> Vec<u32> {
        let Some(rigids) = self.stage.balls.rigids() else {
            return Vec::new();
        };
        let soon = self.clock + 1e-8 * rigids.world.settling.step;
        loop {
            let next = match &mut self.plans {
                Plans::Fast(planner) => planner.next(&self.stage, soon),
                Plans::Kept(planner) => planner.next(&self.stage, soon),
            };
            let Some((_, step)) = next else {
                return Vec::new();
            };
            match step {
                Step::Contact { ball, other }
                    if self.concerns_rigids(ball, other) && !self.stage.is_sensor(other) =>
                {
                    met.push((ball, other));
                }
                Step::Contact { ball, other } => {
                    return [Some(ball), other.slot()].into_iter().flatten().collect();
                }
                Step::Wrap { ball, .. } | Step::SegmentEnds { ball } => return vec![ball],
                // These are planned anew already.
                Step::Crossed { .. } | Step::LookedAgain { .. } => {}
            }
        }
    }

    /// Which two bodies meet: of those that stick together one is looked for in place of both. The second is a body, or
    /// a fixture by its place in the list. None where a search was given up: it is taken up again.
    fn pair_of(&mut self, ball: u32, other: BodyRef) -> Option<(BodyId, Result<BodyId, u32>)> {
        let now = self.clock;
        let mut given_up = false;
        loop {
            let balls = &self.stage.balls;
            let rigids = balls.rigids()?;
            let b = match other {
                BodyRef::Ball(b) => b,
                BodyRef::Fixture(index) => {
                    return Some((rigids.who_meets(balls, ball as usize, index), Err(index)));
                }
            };
            let seen = all_shifts::<S>(balls.period);
            let met = seen
                .into_iter()
                .filter_map(|shift| rigids.first_contact(balls, ball as usize, b as usize, shift));
            // Both plans of a pair may be due: the search was given up for the first of them.
            let met = met.min_by(|x, y| x.found.time().total_cmp(&y.found.time()))?;
            match met.found {
                Found::Contact(time) => {
                    let [a, b] = met.pair;
                    return (!given_up || time <= now).then_some((a, Ok(b)));
                }
                Found::ClearUntil(time) => {
                    given_up = true;
                    let mut rigids = self.take_rigids();
                    rigids.note_cleared(&self.stage.balls, &met);
                    self.put_rigids(rigids);
                    // What was asked for late has been past before.
                    if time > now {
                        return None;
                    }
                }
            }
        }
    }

    /// Enters collisions of rigid bodies.
    fn enter_rigid(
        &mut self,
        rigids: &Rigids<S>,
        mut collisions: Vec<Collision<S>>,
    ) -> Result<Vec<Collision<S>>, RunError> {
        for collision in &mut collisions {
            self.collisions += 1;
            collision.number = self.collisions;
            collision.time = self.stage.epoch + self.clock;
            self.digest.collision(collision);
            self.last = Some(*collision);
        }
        if let Some(rule) = &mut self.contact_time {
            let ids = collisions.iter().flat_map(|it| [it.a, it.b]);
            for id in ids.filter(|id| self.stage.slots[id.0 as usize] != NOWHERE) {
                rule.struck(id, self.clock);
            }
        }
        for collision in &collisions {
            for (after, id) in collision.after.iter().zip([collision.a, collision.b]) {
                if !after.is_finite() {
                    return Err(self.not_finite(id));
                }
                if let Some(member) = rigids.member(id) {
                    let reach = rigids.world.inert[member as usize].reach;
                    let speed = after.velocity.length() + after.angular_velocity.length() * reach;
                    self.check_stride(id, reach, speed)?;
                }
            }
        }
        Ok(collisions)
    }

    fn tell_rigid(&mut self, rigids: &Rigids<S>, member: u32, regime: Option<Regime>) {
        let fixture = |partner: &RigidBodyRef| match partner {
            RigidBodyRef::Fixture(index) => Some(rigids.world.props[*index as usize].id),
            RigidBodyRef::Body(_) => None,
        };
        let on = rigids.core.moving[member as usize].partners.iter();
        let transition = Transition {
            time: self.stage.epoch + self.clock,
            ball: rigids.world.inert[member as usize].id,
            on: on.filter_map(fixture).next().filter(|_| regime.is_some()),
            regime,
        };
        self.digest.number(transition.time);
        let code = regime.map_or(0, |regime| regime as u64 + 1);
        self.digest.word(u64::from(transition.ball.0) << 8 | code);
        self.transitions.push_back(transition);
    }

    /// Lets a rigid body, a guest or their island go on at the end of its segment.
    pub(super) fn end_rigid_segment(&mut self, ball: u32) -> Result<(), RunError> {
        let mut rigids = self.take_rigids();
        let id = self.stage.balls.ids[ball as usize];
        let member = rigids.member(id);
        let moving = member.map(|member| &rigids.core.moving[member as usize]);
        let (island, sticking) = moving.map_or((None, None), |it| (it.island, it.sticking));
        if let Some(id) = sticking {
            let ends = rigids.core.sticking[id as usize].as_ref();
            self.clock = ends.map_or(self.clock, |it| it.ends.max(self.clock));
            let Rigids { world, core, .. } = &mut *rigids;
            core.part(world, id, Separation::Time, self.clock);
        } else if let Some(id) = island {
            let members = match &rigids.core.islands[id as usize] {
                Some(island) => {
                    self.clock = self.clock.max(island.until);
                    island.members.clone()
                }
                None => Vec::new(),
            };
            self.invite(&mut rigids, members)?;
            self.end_rigid_step(&mut rigids, id);
        }
        self.finish(rigids, vec![ball])
    }

    fn end_rigid_step(&mut self, rigids: &mut Rigids<S>, id: u32) {
        let now = self.clock;
        let mut fallen = Vec::new();
        let Rigids {
            world,
            core,
            places,
            ..
        } = rigids;
        let near = near(&self.stage, &self.plans, world, places, now);
        core.close_step(world, &near, id, now);
        for part in core.reform(world, id, now) {
            if core.falls_asleep(world, part, now) {
                let island = core.islands[part as usize].as_ref();
                fallen.extend(island.map_or(Vec::new(), |island| island.members.clone()));
            } else {
                core.absorb(world, &near, part, now);
                core.open_step(world, &near, part, now);
            }
        }
        for member in fallen {
            self.tell_rigid(rigids, member, Some(Regime::Resting));
        }
    }

    /// Lets records follow tracks, guests that fly go back to their lane, and everyone concerned be planned anew; with
    /// some more, by their slots.
    ///
    /// Longer than most: one thing after the other, in an order that matters, over lists that they share.
    fn finish(&mut self, mut rigids: Box<Rigids<S>>, popped: Vec<u32>) -> Result<(), RunError> {
        let now = self.clock;
        rigids.send_home(now);
        self.lead_loaded(&mut rigids);
        let mut changed = std::mem::take(&mut rigids.core.changed);
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|&member| !rigids.world.inert[member as usize].gone);
        {
            let Rigids {
                world,
                core,
                places,
                ..
            } = &mut *rigids;
            let near = near(&self.stage, &self.plans, world, places, now);
            for &member in &changed {
                let found = core.overlap_around(world, &near, member, now);
                core.found_overlap(world, found);
            }
        }
        // A load may have no value.
        let is_finite = |&member: &u32| rigids.core.moving[member as usize].track.is_finite();
        if let Some(&member) = changed.iter().find(|member| !is_finite(member)) {
            let id = rigids.world.inert[member as usize].id;
            self.put_rigids(rigids);
            return Err(self.not_finite(id));
        }
        let (mut leavers, mut slots) = (Vec::new(), Vec::new());
        let mut members: Vec<u32> = changed.iter().chain(&rigids.guests).copied().collect();
        members.sort_unstable();
        members.dedup();
        for member in members {
            let is_changed = changed.binary_search(&member).is_ok();
            let (inert, moving) = (
                &rigids.world.inert[member as usize],
                &rigids.core.moving[member as usize],
            );
            let slot = self.stage.slots[inert.id.0 as usize];
            let leaves =
                inert.ball.is_some() && moving.island.is_none() && moving.sticking.is_none();
            match (leaves, is_changed) {
                (true, true) => {
                    self.stage.balls.leave_track(&moving.track, slot as usize);
                    leavers.push(slot);
                }
                (false, true) => {
                    self.stage.balls.follow_track(&moving.track, slot as usize);
                    slots.push(slot);
                }
                _ => {}
            }
            if leaves {
                rigids.dismiss(member);
            }
        }
        self.ledger.join(&rigids.core.ledger);
        rigids.core.ledger = Default::default();
        let epoch = self.stage.epoch;
        let released = rigids.core.released.drain(..);
        self.releases.extend(released.map(|release| Release {
            time: epoch + release.time,
            ..release
        }));
        let squeezed = rigids.core.squeezed.take();
        let failure = squeezed.map(|overlap| self.too_deep(&rigids, &overlap));
        self.put_rigids(rigids);
        let ids = &self.stage.balls.ids;
        slots.extend(popped);
        slots.retain(|slot| ids[*slot as usize] != NOBODY && !leavers.contains(slot));
        for list in [&mut leavers, &mut slots] {
            list.sort_unstable_by_key(|&slot| ids[slot as usize]);
            list.dedup();
        }
        if !leavers.is_empty() {
            self.changed(&leavers);
        }
        if !slots.is_empty() {
            self.plan_again(&slots);
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Lets bodies that have begun to fly, and on which loads or fields act in steps, go in steps.
    fn lead_loaded(&self, rigids: &mut Rigids<S>) {
        if !self.stage.some_fly_in_steps() {
            return;
        }
        let Rigids {
            world,
            core,
            places,
            ..
        } = rigids;
        let near = near(&self.stage, &self.plans, world, places, self.clock);
        core.lead_loaded(world, &near, self.clock);
    }

    /// Lets a rigid body that flies from now on go on as its load says.
    pub(in crate::simulate) fn lead_rigid(&mut self, id: BodyId) {
        if !self.stage.some_fly_in_steps() || !self.has_rigids() {
            return;
        }
        let mut rigids = self.take_rigids();
        let member = rigids.member(id);
        rigids.core.changed.extend(member);
        if let Err(failure) = self.finish(rigids, Vec::new()) {
            self.failure.get_or_insert(failure);
        }
        self.look_anew();
    }

    /// Lets all islands of rigid bodies come apart, and all contacts of a duration end: their members fly, and find
    /// together again if nothing has changed. Guests go back to their lane.
    pub(in crate::simulate) fn wake_rigids(&mut self) {
        self.wake_some(|_, _| true);
    }

    /// The same for one body, and all that it keeps touching.
    pub(in crate::simulate) fn wake_rigid(&mut self, id: BodyId) {
        self.wake_some(|rigids, member| {
            let own = rigids.member(id);
            let moving = &rigids.core.moving[member as usize];
            let its = own.map(|own| &rigids.core.moving[own as usize]);
            own == Some(member)
                || moving.island.is_some() && its.is_some_and(|it| it.island == moving.island)
        });
    }

    fn wake_some(&mut self, wanted: impl Fn(&Rigids<S>, u32) -> bool) {
        if !self.has_rigids() {
            return;
        }
        let mut rigids = self.take_rigids();
        let now = self.clock;
        let members: Vec<u32> = (rigids.members())
            .filter(|&member| wanted(&rigids, member))
            .collect();
        for member in rigids.sleepers(&members) {
            self.tell_rigid(&rigids, member, None);
        }
        {
            let Rigids {
                world,
                core,
                places,
                ..
            } = &mut *rigids;
            let near = near(&self.stage, &self.plans, world, places, now);
            let mut party = Party::new(Separation::Edited);
            for &member in &members {
                party.bring(core, world, &near, RigidBodyRef::Body(member), now);
            }
            for id in std::mem::take(&mut party.islands) {
                if let Some(island) = core.islands[id as usize].take() {
                    party.flyers.extend(island.members);
                }
            }
            party.release(core, world, &near, now);
        }
        if let Err(failure) = self.finish(rigids, Vec::new()) {
            self.failure.get_or_insert(failure);
        }
        self.look_anew();
    }
}
