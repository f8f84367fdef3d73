//! Changes from outside, between two events.
//!
//! A body comes, goes, or is changed at the time that the clock shows. Only what it concerns is planned anew: the ball
//! itself and thereby its neighbours; for fixtures the balls near it; for gravity all. What the change brings in or
//! takes out is an account of its own in the budget, and every change is part of the digest.
//!
//! A ball larger than any before it makes the cells too small, and everything is planned anew; so it is, now and then,
//! where more balls have come than there were.

mod fixtures;
mod load;
mod overlap;
mod rigid;
mod surroundings;

use super::bodies::NOWHERE;
use super::exact::{Exact, Plans};
use super::inertials::Inertial;
use super::members::NewBall;
use super::refuse::{EditError, is_turned, loaded_by_euler, number_taken};
use crate::audit::Holdings;
use crate::body::{Body, CollisionFilter, Free, Kind};
use crate::broad::MOST_MEMBERS;
use crate::impact::Strikable;
use crate::material::MaterialId;
use crate::motion::Pose;
use crate::record::{Change, Edit, Velocities};
use crate::shape::Shape;
use crate::space::Linear;
use crate::world::{BodyId, WorldError, check_body, check_material, is_turning_solid, misfits};

impl<S: Strikable> Exact<S> {
    /// Puts a body in. It is refused, with everything that is wrong, where a number is not allowed, where it does not
    /// fit the periodic box, or where it overlaps another.
    ///
    /// A prescribed motion is a function of world time: the body's pose is that of time 0.
    pub fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError> {
        let id = BodyId(self.stage.slots.len() as u32);
        self.insert_as(id, body)?;
        Ok(id)
    }

    /// The same under a number that is there for it: that of a body that was removed or is to come, or the next one.
    pub(in crate::simulate) fn insert_as(
        &mut self,
        id: BodyId,
        body: Body<S>,
    ) -> Result<(), EditError> {
        self.put_in(id, body, true)
    }

    /// Gives a free body another mass, kg, spread as it was: it is taken out and inserted at the same instant. It is
    /// where it was: contacts that last may have pressed it a little into others, and it may stay there.
    pub(in crate::simulate) fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), EditError> {
        let mut body = self.remove(id)?;
        body.weigh(mass);
        self.put_in(id, body, false)
    }

    /// Puts a body in under a number that is there for it; one that is new at its place must overlap nothing there.
    fn put_in(&mut self, id: BodyId, body: Body<S>, is_new: bool) -> Result<(), EditError> {
        self.check_unjointed()?;
        if self.has(id) || id.0 as usize > self.stage.slots.len() {
            return Err(number_taken(id, &body));
        }
        let ball = matches!((&body.kind, &body.shape), (Kind::Free(_), Shape::Ball(_)));
        self.check_in_shear(ball && body.load.is_none(), "other bodies than free balls")?;
        let id = id.0 as usize;
        let mut wrong: Vec<WorldError> = check_body(id, &body).err().into_iter().collect();
        wrong.extend(check_material(id, &body, self.materials()));
        if id >= MOST_MEMBERS {
            wrong.push(WorldError::Body {
                id,
                name: body.name.to_string(),
                field: "number",
                value: id.to_string(),
                allowed: "below 2²⁷",
            });
        }
        wrong.extend(loaded_by_euler(id, &body, self.stage.is_by_euler()));
        let rigid = is_turning_solid(&body);
        if wrong.is_empty() && (rigid || self.has_rigids()) {
            wrong.extend(self.unfit_among_rigids(BodyId(id as u32), &body));
        }
        if wrong.is_empty() && rigid {
            // Fixtures that rigid bodies cannot meet are named, and nothing has changed but that all are on segments.
            wrong.extend(self.use_rigids());
        }
        if wrong.is_empty() {
            wrong = misfits(id, &body, self.periods());
            if is_new {
                wrong.extend(self.overlaps_of(id, &body));
            }
        }
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        if id == self.stage.slots.len() {
            self.stage.slots.push(NOWHERE);
        }
        let id = BodyId(id as u32);
        if body.groups != CollisionFilter::ALL {
            self.stage.balls.use_groups();
        }
        self.enter_edit(Change::Inserted(id));
        self.digest.vector::<S>(body.pose.position);
        match (&body.kind, &body.shape) {
            (&Kind::Free(free), Shape::Ball(ball)) => {
                self.digest.vector::<S>(free.velocity);
                self.insert_ball(id, ball.radius, free, &body);
            }
            (&Kind::Free(free), _) => {
                self.digest.vector::<S>(free.velocity);
                self.insert_rigid(id, free, body);
            }
            _ => {
                self.stage.admit_fixture(id, &body, self.clock);
                self.registry.enter(id, body, true);
                self.fixtures_changed();
            }
        }
        Ok(())
    }

    fn insert_ball(&mut self, id: BodyId, radius: f64, free: Free<S>, body: &Body<S>) {
        if free.angular_velocity != S::Angular::ZERO || is_turned(body) {
            self.let_turn();
        }
        self.weigh();
        if let Some(load) = &body.load {
            self.use_segments();
            self.stage.loads.insert(id, load.clone());
        }
        self.weight.mass += free.mass;
        let turns = self.stage.balls.turning.is_some();
        self.registry.enter(id, body.clone(), turns);
        let new = NewBall {
            id,
            radius,
            pose: body.pose,
            free,
            inertial: Inertial::new(free.mass, free.inertia, body.material),
            groups: body.groups,
        };
        let largest_so_far = self.stage.largest;
        let slot = (self.stage).admit(&new, self.clock, self.registry.all_fixtures());
        if body.load.is_some() {
            self.stage.renew_pulls();
        }
        self.ledger
            .give(&Holdings::default(), &self.holdings_of(slot));
        if self.uses_segments() {
            self.guide(&[slot as u32]);
        }
        if radius > largest_so_far {
            // Cells are too small for it, and fixtures may have more images now.
            self.plan_anew();
        } else {
            self.admit(slot);
        }
    }

    /// Takes a body out, and hands it over as it was; a static or kinematic one as it was inserted.
    pub fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError> {
        self.check_unjointed()?;
        self.body(id).ok_or(EditError::UnknownBody { id })?;
        self.stage.balls.overlaps.forget(id);
        self.enter_edit(Change::Removed(id));
        self.part_from(id);
        let body = self.body(id).ok_or(EditError::UnknownBody { id })?;
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                self.let_go_of(id, 0);
                self.stage.dismiss_fixture(id);
                self.registry.strike(id);
                self.fixtures_changed();
            }
            slot => {
                let slot = slot as usize;
                self.weigh();
                self.weight.mass -= self.stage.balls.inertials.of(slot).mass;
                self.end_flight(slot);
                self.ledger
                    .give(&self.holdings_of(slot), &Holdings::default());
                if let Some(rigids) = self.stage.balls.rigids_mut()
                    && let Some(member) = rigids.member(id)
                {
                    rigids.dismiss(member);
                }
                self.dismiss(slot);
                self.stage.dismiss(slot);
                self.registry.strike(id);
                if self.stage.loads.remove(&id).is_some() {
                    self.stage.renew_pulls();
                }
            }
        }
        Ok(body)
    }

    /// Gives a ball another velocity (m/s) and spin (rad/s).
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<(), EditError> {
        self.check_unjointed()?;
        let (slot, mut body) = self.free_ball(id, "velocity")?;
        if let Kind::Free(free) = &mut body.kind {
            (free.velocity, free.angular_velocity) = (velocity, angular_velocity);
        }
        check_body(id.0 as usize, &body).map_err(|error| EditError::Refused(vec![error]))?;
        if angular_velocity != S::Angular::ZERO {
            self.let_turn();
        }
        self.enter_edit(Change::Velocity(id));
        let after = Velocities {
            velocity,
            angular_velocity,
        };
        self.give_from_outside(id, slot, &after);
        Ok(())
    }

    /// Gives a free body other velocities, after the change has been entered.
    fn give_from_outside(&mut self, id: BodyId, slot: usize, after: &Velocities<S>) {
        self.digest.vector::<S>(after.velocity);
        self.part_from(id);
        let before = self.holdings_of(slot);
        self.wake(slot as u32);
        if self.member(slot).is_some() {
            self.put_rigid(id, None, after);
            return;
        }
        self.end_flight(slot);
        self.stage.balls.kick(slot, self.clock, after);
        self.ledger.give(&before, &self.holdings_of(slot));
        self.changed(&[slot as u32]);
    }

    /// Adds to the velocities of free bodies, m/s, as one change.
    pub fn kick(&mut self, kicks: &[(BodyId, S::Vector)]) -> Result<(), EditError> {
        for &(id, kick) in kicks {
            let (_, mut body) = self.free_ball(id, "velocity")?;
            if let Kind::Free(free) = &mut body.kind {
                free.velocity += kick;
            }
            check_body(id.0 as usize, &body).map_err(|error| EditError::Refused(vec![error]))?;
        }
        self.enter_edit(Change::Velocities);
        for &(id, kick) in kicks {
            let now = self.state_generic(id);
            let after = Velocities {
                velocity: now.velocity + kick,
                angular_velocity: now.angular_velocity,
            };
            let slot = self.stage.slots[id.0 as usize] as usize;
            self.give_from_outside(id, slot, &after);
        }
        Ok(())
    }

    /// Puts a free body elsewhere, m, if nothing is there. In a periodic box it has not gone round any side then.
    pub fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError> {
        let (_, body) = self.free_ball(id, "position")?;
        let rotation = body.pose.rotation;
        self.set_pose(id, Pose { position, rotation })
    }

    /// Puts a free body elsewhere and turns it, if nothing is there. Balls are not turned.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose<S>) -> Result<(), EditError> {
        self.check_unjointed()?;
        let (slot, mut body) = self.free_ball(id, "pose")?;
        let position = pose.position;
        body.pose = pose;
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, &body).err().into_iter().collect();
        if wrong.is_empty() {
            wrong = self.overlaps_of(id.0 as usize, &body);
        }
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        self.enter_edit(Change::Position(id));
        self.digest.vector::<S>(position);
        self.part_from(id);
        self.wake(slot as u32);
        if self.member(slot).is_some() {
            let now = self.state_generic(id);
            let moves = Velocities {
                velocity: now.velocity,
                angular_velocity: now.angular_velocity,
            };
            self.put_rigid(id, Some(pose), &moves);
            return Ok(());
        }
        let before = self.holdings_of(slot);
        self.end_flight(slot);
        self.dismiss(slot);
        self.stage.balls.put(slot, self.clock, position);
        self.ledger.give(&before, &self.holdings_of(slot));
        if self.uses_segments() {
            self.stage.balls.lift(slot);
            self.guide(&[slot as u32]);
        }
        self.admit(slot);
        Ok(())
    }

    /// Makes a body of another material.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError> {
        self.check_unjointed()?;
        let mut body = self.body(id).ok_or(EditError::UnknownBody { id })?;
        body.material = material;
        if let Some(error) = check_material(id.0 as usize, &body, self.materials()) {
            return Err(EditError::Refused(vec![error]));
        }
        self.enter_edit(Change::Material(id));
        self.digest.word(material.index() as u64);
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                if let Some(body) = self.registry.fixture_mut(id) {
                    body.material = material;
                }
                let images = self.stage.fixtures.iter_mut();
                for fixture in images.filter(|fixture| fixture.id == id) {
                    fixture.body.material = material;
                }
            }
            slot => {
                let inertials = &mut self.stage.balls.inertials;
                let old = *inertials.of(slot as usize);
                inertials.set(slot as usize, Inertial { material, ..old });
                if let Some(inert) = self.stage.rigid_mut(id) {
                    inert.material = material;
                }
            }
        }
        self.stage.renew_props();
        Ok(())
    }

    /// Lets a body meet others than before. Refused where it overlaps one that it has not met so far.
    pub fn set_groups(&mut self, id: BodyId, groups: CollisionFilter) -> Result<(), EditError> {
        self.check_unjointed()?;
        let mut body = self.body(id).ok_or(EditError::UnknownBody { id })?;
        let before = std::mem::replace(&mut body.groups, groups);
        let mut wrong = self.overlaps_of(id.0 as usize, &body);
        if self.has_rigids() {
            // Those that it has met so far may overlap by what steps leave.
            wrong.retain(|error| match *error {
                WorldError::Overlap { b, .. } => {
                    let other = self.body(BodyId(b as u32));
                    !other.is_some_and(|other| other.groups.collides_with(before))
                }
                _ => true,
            });
        }
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        let mut overlaps = std::mem::take(&mut self.stage.balls.overlaps);
        let meets = |other: Body<S>| other.groups.collides_with(groups);
        overlaps.keep(id, |other| self.body(other).is_some_and(meets));
        self.stage.balls.overlaps = overlaps;
        self.enter_edit(Change::CollisionFilter(id));
        self.digest
            .word(u64::from(groups.memberships) << 32 | u64::from(groups.mask));
        self.part_from(id);
        self.stage.balls.use_groups();
        match self.stage.slots[id.0 as usize] {
            NOWHERE => {
                if let Some(body) = self.registry.fixture_mut(id) {
                    body.groups = groups;
                }
                let images = self.stage.fixtures.iter_mut();
                for fixture in images.filter(|fixture| fixture.id == id) {
                    fixture.body.groups = groups;
                    fixture.since = self.clock;
                }
                self.fixtures_changed();
            }
            slot => {
                if let Some(all) = &mut self.stage.balls.groups {
                    all[slot as usize] = groups;
                }
                if let Some(inert) = self.stage.rigid_mut(id) {
                    inert.groups = groups;
                    self.plan_again(&[slot]);
                    return Ok(());
                }
                // A flight that begins now cannot have met any body before.
                self.end_flight(slot as usize);
                self.stage.balls.restart(slot as usize, self.clock);
                self.changed(&[slot]);
            }
        }
        Ok(())
    }

    fn digest_bytes(&mut self, bytes: &[u8]) {
        self.digest.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.digest.word(u64::from_le_bytes(word));
        }
    }

    /// Enters what happened to a ball in its flight, which an edit ends now.
    pub(super) fn end_flight(&mut self, slot: usize) {
        if self.stage.balls.falling {
            self.enter_flight(slot);
        }
    }

    /// Moves the clock to the present, and notes what is going to be done.
    fn enter_edit(&mut self, change: Change) {
        self.look_anew();
        self.clock = self.clock.max(self.local_time());
        // Whatever stopped the run may be gone.
        self.failure = None;
        self.unchecked = true;
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.halts.clear();
            trajectories.corners.clear();
        }
        // Islands find together again: what holds them may be about to go.
        match change {
            Change::Velocity(id) | Change::Position(id) => self.wake_rigid(id),
            Change::Inserted(_) if !self.stage.balls.is_periodic() => {}
            _ => {
                self.wake_all();
                self.wake_rigids();
            }
        }
        let (what, id) = match change {
            Change::Inserted(id) => (1, id),
            Change::Removed(id) => (2, id),
            Change::Velocity(id) => (3, id),
            Change::Position(id) => (4, id),
            Change::Material(id) => (5, id),
            Change::CollisionFilter(id) => (6, id),
            Change::Materials => (7, BodyId(0)),
            Change::Gravity => (8, BodyId(0)),
            Change::Fields => (9, BodyId(0)),
            Change::Drive(id) => (10, id),
            Change::Load(id) => (11, id),
            Change::Velocities => (12, BodyId(0)),
            Change::Stalled(id) => (13, id),
        };
        self.digest.word(what << 32 | u64::from(id.0));
        self.digest.number(self.time);
        let time = self.time;
        self.unreported.push_back(Edit { time, change });
    }

    /// Enters what gravity has given so far: what it pulls at changes now.
    fn weigh(&mut self) {
        let pulled = self.gravity() * (self.weight.mass * (self.time - self.weight.since));
        self.ledger.momentum_from_gravity.add(pulled);
        self.weight.since = self.time;
    }

    fn let_turn(&mut self) {
        let registry = &self.registry;
        self.stage.balls.let_turn(|id| registry.rotation(id));
    }

    /// The slot of a free ball, and its body.
    fn free_ball(&self, id: BodyId, field: &'static str) -> Result<(usize, Body<S>), EditError> {
        let body = self.body(id).ok_or(EditError::UnknownBody { id })?;
        match self.stage.slots[id.0 as usize] {
            NOWHERE => Err(EditError::NotFree {
                id,
                name: body.name.into(),
                field,
            }),
            slot => Ok((slot as usize, body)),
        }
    }

    fn admit(&mut self, slot: usize) {
        self.admitted += 1;
        // Cells and calendar were made for fewer balls.
        let crowded = self.admitted > 64 + self.stage.balls.number() / 2;
        let planned = match &mut self.plans {
            Plans::Fast(planner) => !crowded && planner.admit(&self.stage, slot, self.clock),
            Plans::Kept(planner) => {
                planner.admit(&self.stage, slot, self.clock);
                true
            }
        };
        if !planned {
            self.plan_anew();
        }
    }

    fn dismiss(&mut self, slot: usize) {
        let id = self.stage.balls.ids[slot];
        match &mut self.plans {
            Plans::Fast(planner) => planner.dismiss(slot),
            Plans::Kept(planner) => planner.dismiss(slot, id),
        }
    }

    fn fixtures_changed(&mut self) {
        self.stage.renew_props();
        if self.uses_segments() {
            self.wake_all();
        }
        match &mut self.plans {
            // What balls are supported by has moved in the list.
            Plans::Fast(planner) if self.stage.balls.trajectories.is_none() => {
                planner.fixtures_changed(&self.stage, self.clock);
            }
            _ => self.plan_anew(),
        }
    }
}
