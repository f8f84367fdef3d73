//! Changes from outside, while a run by forces goes on.
//!
//! The same changes as those of `Exact`, under the same names. What is changed is checked as at the start, springs and
//! step included: a step that follows from the contacts follows anew. Contacts go on with what they remember; those
//! that a change parts are over without being told of, those that it makes begin. What a change brings in or takes out
//! is an account of its own in the budget, and every change is part of the digest.
//!
//! Steps are counted anew from a change. Where the clock is within a step of which something has been told already (a
//! contact that has ended, say, at which the run was stopped), the step is finished first: the change takes effect at
//! its end, and the clock goes on to there.

use super::Stepped;
use super::bodies::{ForceBodies, NOWHERE};
use super::now::Now;
use super::touch::Incident;
use crate::body::{Body, CollisionFilter, Kind};
use crate::broad::home;
use crate::codec::Stored as _;
use crate::impact::Strikable;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::order::InOrder;
use crate::record::{Change, Edit};
use crate::shape::convex::{Meeting, fixed_form, free_form, meeting};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::simulate::fixture::{images_of, state_of};
use crate::simulate::refuse::{EditError, jump, moving_otherwise, number_taken, refused_drive};
use crate::space::Linear;
use crate::world::{
    BodyId, Fault, World, WorldError, check_body, check_material, image_boxes, is_turning_solid,
    misfits, shift_of,
};
use std::collections::BTreeSet;

/// A world to be changed.
struct Draft<S: Shaped> {
    /// Free balls as they are now.
    bodies: Vec<Body<S>>,
    gone: BTreeSet<BodyId>,
    materials: Materials,
    fields: Fields<S>,
}

impl<S: Strikable> Stepped<S> {
    /// Puts a body in. It is refused, with everything that is wrong, where a number is not allowed, where it does not
    /// fit the periodic box, where it is deeper in another than the smaller radius, or where springs or step do not
    /// allow it.
    ///
    /// A prescribed motion is a function of world time: the body's pose is that of time 0.
    pub fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError> {
        let id = BodyId(self.stage.bodies.len() as u32);
        self.insert_as(id, body)?;
        Ok(id)
    }

    /// The same under a number that is there for it: that of a body that was removed or is to come, or the next one.
    pub(in crate::simulate) fn insert_as(
        &mut self,
        id: BodyId,
        body: Body<S>,
    ) -> Result<(), EditError> {
        if self.has(id) || id.0 as usize > self.stage.bodies.len() {
            return Err(number_taken(id, &body));
        }
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, &body).err().into_iter().collect();
        wrong.extend(check_material(id.0 as usize, &body, self.materials()));
        if wrong.is_empty() {
            wrong = misfits(id.0 as usize, &body, self.periods());
            wrong.extend(self.too_deep(id, &body));
        }
        refuse(wrong)?;
        self.change(Change::Inserted(id), |draft| {
            match draft.bodies.get_mut(id.0 as usize) {
                Some(place) => *place = body,
                None => draft.bodies.push(body),
            }
            draft.gone.remove(&id);
        })
    }

    /// Takes a body out, and hands it over as it was; a static or kinematic one as it was inserted.
    pub fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError> {
        let body = self.body_generic(id).ok_or(EditError::UnknownBody { id })?;
        self.change(Change::Removed(id), |draft| {
            draft.gone.insert(id);
        })?;
        Ok(body)
    }

    /// Gives a free body another mass, kg, spread as it was: it is taken out and inserted at the same instant.
    pub(in crate::simulate) fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), EditError> {
        let mut body = self.remove(id)?;
        body.weigh(mass);
        self.insert_as(id, body)
    }

    /// Gives a ball another velocity (m/s) and spin (rad/s).
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<(), EditError> {
        let mut body = self.free_ball(id, "velocity")?;
        if let Kind::Free(free) = &mut body.kind {
            (free.velocity, free.angular_velocity) = (velocity, angular_velocity);
        }
        check_body(id.0 as usize, &body).map_err(|error| EditError::Refused(vec![error]))?;
        self.change(Change::Velocity(id), |draft| {
            if let Kind::Free(free) = &mut draft.bodies[id.0 as usize].kind {
                (free.velocity, free.angular_velocity) = (velocity, angular_velocity);
            }
        })
    }

    /// Adds to the velocities of balls, m/s, as one change.
    pub fn kick(&mut self, kicks: &[(BodyId, S::Vector)]) -> Result<(), EditError> {
        for &(id, kick) in kicks {
            let mut body = self.free_ball(id, "velocity")?;
            if let Kind::Free(free) = &mut body.kind {
                free.velocity += kick;
            }
            check_body(id.0 as usize, &body).map_err(|error| EditError::Refused(vec![error]))?;
        }
        self.change(Change::Velocities, |draft| {
            for &(id, kick) in kicks {
                if let Kind::Free(free) = &mut draft.bodies[id.0 as usize].kind {
                    free.velocity += kick;
                }
            }
        })
    }

    /// Puts a ball elsewhere, m, unless it would be deeper in another there than the smaller radius. In a periodic box
    /// it has not gone round any side then.
    pub fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError> {
        let mut body = self.free_ball(id, "position")?;
        body.pose.position = position;
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, &body).err().into_iter().collect();
        if wrong.is_empty() {
            wrong = self.too_deep(id, &body);
        }
        refuse(wrong)?;
        self.change(Change::Position(id), |draft| {
            draft.bodies[id.0 as usize].pose.position = position;
        })
    }

    /// Makes a body of another material.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError> {
        let mut body = self.body_generic(id).ok_or(EditError::UnknownBody { id })?;
        body.material = material;
        let wrong = check_material(id.0 as usize, &body, self.materials());
        refuse(wrong.into_iter().collect())?;
        self.change(Change::Material(id), |draft| {
            draft.bodies[id.0 as usize].material = material;
        })
    }

    /// Lets a body meet others than before. Refused where it is deeper in one of those than the smaller radius.
    pub fn set_groups(&mut self, id: BodyId, groups: CollisionFilter) -> Result<(), EditError> {
        let mut body = self.body_generic(id).ok_or(EditError::UnknownBody { id })?;
        body.groups = groups;
        refuse(self.too_deep(id, &body))?;
        self.change(Change::CollisionFilter(id), |draft| {
            draft.bodies[id.0 as usize].groups = groups;
        })
    }

    /// Changes the table of materials: adds some, gives others new numbers or springs, lays down what holds between
    /// two. Hands back what `change` returns. Refused where bodies could not meet by forces any more.
    pub fn change_materials<R>(
        &mut self,
        change: impl FnOnce(&mut Materials) -> R,
    ) -> Result<R, EditError> {
        let mut materials = self.materials().clone();
        let result = change(&mut materials);
        self.change(Change::Materials, |draft| draft.materials = materials)?;
        Ok(result)
    }

    /// Sets the uniform gravity, m/s².
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError> {
        if !gravity.is_finite() {
            let value = format!("{gravity:?}");
            return Err(EditError::Refused(vec![WorldError::Gravity { value }]));
        }
        self.change(Change::Gravity, |draft| draft.fields.gravity = gravity)
    }

    /// Sets what acts on balls, gravity included: a wind gets up, drag ceases.
    pub fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError> {
        fields
            .check()
            .map_err(|error| EditError::Refused(vec![error.into()]))?;
        self.change(Change::Fields, |draft| draft.fields = fields)
    }

    /// Sets the external force and torque on a free body; `None` for none.
    pub fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError> {
        let mut body = self.free_ball(id, "force")?;
        body.load = load.filter(|load| !load.is_nothing()).map(Box::new);
        refuse(check_body(id.0 as usize, &body).err().into_iter().collect())?;
        let load = body.load;
        self.change(Change::Load(id), |draft| {
            draft.bodies[id.0 as usize].load = load;
        })
    }

    /// Lets a static or kinematic body move as prescribed from now on, from where it is: the pose that the motion is
    /// counted from becomes the one that it has to be.
    pub fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError> {
        let body = self.fixture_body(id)?;
        drive
            .check()
            .map_err(|error| refused_drive(id, &body, error))?;
        let time = self.change_time();
        let here = state_of(&body, time).pose;
        self.set_motion(id, drive.start_of(&here, time), Some(drive))
    }

    /// Lets a static or kinematic body stand where it is from now on.
    pub fn stand_still(&mut self, id: BodyId) -> Result<(), EditError> {
        let body = self.fixture_body(id)?;
        self.set_motion(id, state_of(&body, self.change_time()).pose, None)
    }

    /// Lets a static or kinematic body move from now on as if it had been inserted with that pose and that motion
    /// (`None`: it stands). Refused where it is elsewhere now, by more than rounding explains.
    pub fn set_motion(
        &mut self,
        id: BodyId,
        pose: Pose<S>,
        drive: Option<Drive<S>>,
    ) -> Result<(), EditError> {
        let old = self.fixture_body(id)?;
        let body = moving_otherwise(id, &old, pose, drive)?;
        refuse(misfits(id.0 as usize, &body, self.periods()))?;
        let time = self.change_time();
        let (distance, allowed) = jump(&old, &body, time);
        // Within a step that is finished first a motion may begin that was asked for at an instant of it.
        let late = (time - self.time).max(0.0);
        let from = state_of(&body, time);
        let allowed = allowed
            + late * (from.velocity.length() + from.angular_velocity.length() * reach(&body));
        if !(distance <= allowed) {
            return Err(EditError::Jump {
                id,
                name: body.name.into(),
                time,
                distance,
                allowed,
            });
        }
        self.change(Change::Drive(id), |draft| {
            draft.bodies[id.0 as usize] = body;
        })
    }

    /// Where the run is when a change takes effect: at the clock, or at the end of a step of which something has been
    /// told.
    fn at_change(&self) -> &Now<S> {
        match (&self.ahead, &self.between) {
            (Some(_), Some(between)) if self.told == 0 => between,
            (Some(ahead), _) => ahead,
            (None, _) => &self.now,
        }
    }

    /// When a change takes effect, world time, s.
    fn change_time(&self) -> f64 {
        self.at_change().time()
    }

    /// Changes the world, and goes on from there.
    fn change(
        &mut self,
        change: Change,
        revise: impl FnOnce(&mut Draft<S>),
    ) -> Result<(), EditError> {
        let base = self.at_change();
        let mut draft = self.draft(base);
        revise(&mut draft);
        let forces = &self.stage.forces;
        let world = self.redrawn(draft.materials, draft.fields, draft.bodies)?;
        let stage = ForceBodies::without(world, draft.gone, forces).map_err(EditError::Forces)?;
        let mut baggage = base.pack_up(&self.stage);
        if let Change::Position(id) | Change::Inserted(id) = change
            && let Some(images) = baggage.images.get_mut(id.0 as usize)
        {
            // It has not gone round any side there.
            *images = [0; 3];
        }
        let by_crowd = matches!(base, Now::Granular(_));
        let mut now = Now::unpack(&baggage, &stage, by_crowd).map_err(EditError::Forces)?;
        // What the change brings in.
        let (before, after) = (base.holdings(&self.stage), now.holdings(&stage));
        let held = [base.stored(&self.stage), now.stored(&stage)].map(|stored| stored.normal);
        let accounts = &mut self.accounts;
        accounts.energy.add(after.energy.total());
        accounts.energy.add(-before.energy.total());
        accounts.energy.add(held[1] - held[0]);
        accounts.momentum.add(after.momentum - before.momentum);
        (accounts.angular).add(after.angular_momentum - before.angular_momentum);
        let time = now.time();
        accounts.pulled.add(self.stage.pull(time - accounts.since));
        accounts.since = time;
        // What has happened until then and was not told.
        let told = match (&self.ahead, self.told) {
            (Some(_), 0) if self.between.is_some() => 0,
            (Some(_), told) => told,
            (None, _) => usize::MAX,
        };
        let base = self.at_change();
        let untold: Vec<Incident<S>> = base.incidents().iter().skip(told).copied().collect();
        self.pending.extend(untold);
        self.pending.extend(now.take_incidents());
        self.pending
            .push_back(Incident::Edited(Edit { time, change }));
        (self.pending.make_contiguous()).order_by(|one, other| one.time().total_cmp(&other.time()));
        let (what, id) = number_of(change);
        let digest = now.digest_mut();
        digest.word(what << 32 | u64::from(id.0));
        digest.number(time);
        self.stage = stage;
        self.now = now;
        (self.ahead, self.between, self.anchor) = (None, None, None);
        (self.told, self.time) = (0, time);
        // Whatever stopped the run may be gone.
        self.failure = None;
        Ok(())
    }

    fn draft(&self, base: &Now<S>) -> Draft<S> {
        let mut bodies = self.stage.bodies.clone();
        for (slot, grain) in self.stage.grains.iter().enumerate() {
            let body = &mut bodies[grain.id.0 as usize];
            let motion = base.motion(&self.stage, slot);
            body.pose.position = motion.place;
            body.pose.rotation = base.rotation(slot, body.pose.rotation);
            if let Kind::Free(free) = &mut body.kind {
                (free.velocity, free.angular_velocity) = (motion.velocity, motion.angular_velocity);
            }
        }
        Draft {
            bodies,
            gone: self.stage.gone.clone(),
            materials: self.stage.materials.clone(),
            fields: self.stage.fields.clone(),
        }
    }

    fn redrawn(
        &self,
        materials: Materials,
        fields: Fields<S>,
        bodies: Vec<Body<S>>,
    ) -> Result<World<S>, EditError> {
        let mut world = World::new();
        world.materials = materials;
        let periods = (self.periods()).map(|length| (length > 0.0).then_some(length));
        let set = |world: &mut World<S>| {
            world.set_fields(fields)?;
            world.set_integrator(self.stage.integrator)?;
            world.set_periodic(periods)?;
            for body in bodies {
                world.add(body)?;
            }
            Ok(())
        };
        set(&mut world).map_err(|error: WorldError| EditError::Refused(vec![error]))?;
        refuse(world.without_material())?;
        if !self.stage.joints.is_empty() {
            let what = "a force-method run with joints cannot be edited while it runs".to_owned();
            return Err(EditError::Refused(vec![WorldError::Solids { what }]));
        }
        Ok(world)
    }

    /// Which bodies a body would overlap by more than the smaller radius; where rigid bodies turn, by more than a
    /// quarter of the thinner of the two.
    fn too_deep(&self, id: BodyId, body: &Body<S>) -> Vec<WorldError> {
        if self.stage.cast.is_some() || is_turning_solid(body) {
            return self.too_deep_in_rigid(id, body);
        }
        let (stage, base) = (&self.stage, self.at_change());
        let named = |fault: Fault, a: (BodyId, &str), b: (BodyId, &str)| {
            fault.named((a.0.0 as usize, a.1), (b.0.0 as usize, b.1))
        };
        let too_deep = |fault: &Fault, radius: f64| match *fault {
            Fault::Overlap(depth, _) => depth >= radius,
            Fault::Outside(_) => true,
        };
        let mut found = Vec::new();
        let own = (id, &*body.name);
        match (&body.kind, &body.shape) {
            (Kind::Free(_), Shape::Ball(ball)) => {
                let place = home::<S>(body.pose.position, stage.periods);
                for (slot, grain) in stage.grains.iter().enumerate() {
                    if grain.id == id || !grain.groups.collides_with(body.groups) {
                        continue;
                    }
                    let apart = stage.nearest(place - base.motion(stage, slot).place);
                    let (reach, radius) =
                        (ball.radius + grain.radius, ball.radius.min(grain.radius));
                    let fault = Fault::overlap(reach - apart.length(), reach);
                    let fault = fault.filter(|fault| too_deep(fault, radius));
                    found.extend(fault.map(|it| named(it, own, (grain.id, self.name(grain.id)))));
                }
                for fixture in &stage.fixtures {
                    if fixture.id != id && fixture.body.groups.collides_with(body.groups) {
                        let pose = fixture.state_at(base.time()).pose;
                        let fault = Fault::with_fixtures(place, ball.radius, &fixture.body, &pose);
                        let fault = fault.filter(|fault| too_deep(fault, ball.radius));
                        let other = (fixture.id, self.name(fixture.id));
                        found.extend(fault.map(|it| named(it, own, other)));
                    }
                }
            }
            _ if body.sensor => {}
            _ => {
                let images = images_of(id, body, 0.0, (stage.periods, stage.largest));
                for image in images {
                    let pose = image.state_at(base.time()).pose;
                    for (slot, grain) in stage.grains.iter().enumerate() {
                        if grain.groups.collides_with(body.groups) {
                            let place = base.motion(stage, slot).place;
                            let fault = Fault::with_fixtures(place, grain.radius, body, &pose);
                            let fault = fault.filter(|fault| too_deep(fault, grain.radius));
                            let other = (grain.id, self.name(grain.id));
                            found.extend(fault.map(|it| named(it, other, own)));
                        }
                    }
                }
            }
        }
        found
    }

    /// The same where one of the two is rigid.
    fn too_deep_in_rigid(&self, id: BodyId, body: &Body<S>) -> Vec<WorldError> {
        let (stage, base) = (&self.stage, self.at_change());
        let form_of = |body: &Body<S>| match &body.kind {
            Kind::Free(free) => free_form(&body.shape, free.mass).ok(),
            _ => fixed_form(&body.shape),
        };
        let pose_of = |id: BodyId, body: &Body<S>| match stage.slots.get(id.0 as usize) {
            Some(&slot) if slot != NOWHERE => Pose {
                position: base.motion(stage, slot as usize).place,
                rotation: base.rotation(slot as usize, body.pose.rotation),
            },
            _ => state_of(body, base.time()).pose,
        };
        let free = |body: &Body<S>| matches!(body.kind, Kind::Free(_));
        let mut own_pose = state_of(body, base.time()).pose;
        if free(body) {
            own_pose.position = home::<S>(own_pose.position, stage.periods);
        }
        let Some(form) = form_of(body).filter(|_| !body.sensor) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (b, other) in stage.bodies.iter().enumerate() {
            let its = BodyId(b as u32);
            if its == id
                || stage.gone.contains(&its)
                || other.sensor
                || !(free(body) || free(other))
                || !body.groups.collides_with(other.groups)
            {
                continue;
            }
            let Some(its_form) = form_of(other) else {
                continue;
            };
            let allowed = form.depth().min(its_form.depth());
            let there = pose_of(its, other);
            // What is fixed may be larger than a periodic box; the other is in it.
            let (repeated, one) = if free(body) {
                (other, body)
            } else {
                (body, other)
            };
            let images = image_boxes(repeated, stage.periods, one.shape.reach()).into_iter();
            let depth = images.map(|image| {
                let by = shift_of::<S>(image, stage.periods);
                let there = Pose {
                    position: there.position + if free(body) { by } else { S::Vector::ZERO - by },
                    ..there
                };
                match meeting(&form, &own_pose, &its_form, &there, 0.0) {
                    Meeting::Touching(manifold) => manifold.depth,
                    Meeting::Apart { .. } => 0.0,
                }
            });
            let depth = depth.fold(0.0, f64::max);
            if depth > allowed {
                found.push(WorldError::Overlap {
                    a: id.0 as usize,
                    name_a: body.name.to_string(),
                    b,
                    name_b: other.name.to_string(),
                    depth,
                    allowed,
                });
            }
        }
        found
    }

    /// A free ball.
    fn free_ball(&self, id: BodyId, field: &'static str) -> Result<Body<S>, EditError> {
        let body = self.body_generic(id).ok_or(EditError::UnknownBody { id })?;
        match self.stage.slots[id.0 as usize] {
            NOWHERE => Err(EditError::NotFree {
                id,
                name: body.name.into(),
                field,
            }),
            _ => Ok(body),
        }
    }

    /// A static or kinematic body, as it was inserted.
    fn fixture_body(&self, id: BodyId) -> Result<Body<S>, EditError> {
        let body = self.body_generic(id).ok_or(EditError::UnknownBody { id })?;
        match body.kind {
            Kind::Static | Kind::Kinematic(_) => Ok(body),
            Kind::Free(_) => Err(EditError::Free {
                id,
                name: body.name.into(),
                field: "drive",
            }),
        }
    }
}

fn refuse(wrong: Vec<WorldError>) -> Result<(), EditError> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(EditError::Refused(wrong))
    }
}

/// How far from its origin a body reaches; for one without end from the world's, m.
fn reach<S: Shaped>(body: &Body<S>) -> f64 {
    use crate::shape::Obstacle;
    match body.shape.reach() {
        reach if reach.is_finite() => reach,
        _ => body.pose.position.length() + 1.0,
    }
}

/// The number of a kind of change in the digest, and which body it is about.
fn number_of(change: Change) -> (u64, BodyId) {
    let mut bytes = Vec::new();
    change.store(&mut bytes);
    let id = match change {
        Change::Inserted(id)
        | Change::Removed(id)
        | Change::Velocity(id)
        | Change::Position(id)
        | Change::Material(id)
        | Change::CollisionFilter(id)
        | Change::Drive(id)
        | Change::Load(id)
        | Change::Stalled(id) => id,
        Change::Materials | Change::Gravity | Change::Fields | Change::Velocities => BodyId(0),
    };
    (u64::from(bytes.first().copied().unwrap_or(0)) + 1, id)
}
