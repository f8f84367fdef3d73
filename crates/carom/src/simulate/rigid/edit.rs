//! Changes from outside, between two events, at the time that the clock shows.
//!
//! Whoever is concerned is brought to the instant: contacts that last end, steps of islands are cut short, sleepers
//! wake. Then the change is made, what it brings in or takes out is entered as given, and everyone goes on. A body that
//! is moved, or meets others than before, leaves its island and flies: if it still touches somebody slowly, it joins
//! them again at once. What happens to fixtures is planned anew by all.
//!
//! Who is taken out leaves its place empty: numbers of bodies are never given twice.

mod bring;

use super::core::Moving;
use crate::order::InOrder;
use crate::shape::Shaped;

use super::bodies::{
    NO_LOADS, NewPart, Part, Prop, RigidBody, RigidBodyRef, RigidWorld, cast_of, refused_motion,
};
use super::strike::Party;
use super::track::Track;
use super::{Rigid, Told};
use crate::audit::Holdings;
use crate::body::{Body, CollisionFilter, Kind};
use crate::codec::Stored;
use crate::impact::Strikable;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Load, Pose};
use crate::record::{Change, Edit, Separation};
use crate::shape::convex::{Compound, meetings};
use crate::simulate::fixture::state_of;
use crate::simulate::refuse::{EditError, jump, refused_drive};
use crate::space::Linear;
use crate::world::{BodyId, WorldError, check_body, check_material};

/// How deep a body that is put somewhere may overlap others, in sizes and coordinates: what rounding of turned corners
/// explains.
const ROUNDING: f64 = 1e-12;

impl<S: Strikable> Rigid<S> {
    /// Puts a body in. It is refused, with everything that is wrong, where a number is not allowed or where it overlaps
    /// another.
    ///
    /// A prescribed motion is a function of world time: the body's pose is that of time 0.
    pub fn insert(&mut self, body: Body<S>) -> Result<BodyId, EditError> {
        let index = self.stage.bodies.len();
        let id = BodyId(index as u32);
        let mut wrong: Vec<WorldError> = check_body(index, &body).err().into_iter().collect();
        wrong.extend(check_material(index, &body, self.materials()));
        wrong.extend(unfit_motion(id, &body));
        if body.load.is_some() {
            let what = NO_LOADS.to_owned();
            wrong.push(WorldError::Solids { what });
        }
        let cast = if wrong.is_empty() {
            cast_of(&body, id).map_err(|error| EditError::Refused(vec![error]))?
        } else {
            return Err(EditError::Refused(wrong));
        };
        let wrong = match &cast {
            NewPart::Free(inert) => self.overlaps_of(id, &body, &inert.form, true, &body.pose),
            NewPart::Prop(prop) if prop.sensor => Vec::new(),
            NewPart::Prop(prop) => {
                self.overlaps_of(id, &body, &prop.form, false, &prop.pose_at(self.time))
            }
        };
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        self.begin_edit(Change::Inserted(id));
        self.digest.vector::<S>(body.pose.position);
        match cast {
            NewPart::Free(inert) => self.admit(inert, &body),
            NewPart::Prop(prop) => {
                self.stage.props.push(prop);
                self.stage
                    .slots
                    .push(Part::Prop(self.stage.props.len() as u32 - 1));
                self.plans.props += 1;
                self.all_changed();
            }
        }
        self.stage.bodies.push(body);
        self.finish_edit();
        Ok(id)
    }

    fn admit(&mut self, inert: RigidBody<S>, body: &Body<S>) {
        self.weigh();
        let (velocity, angular_velocity) = match &body.kind {
            Kind::Free(free) => (free.velocity, free.angular_velocity),
            _ => (S::Vector::ZERO, S::Angular::ZERO),
        };
        self.digest.vector::<S>(velocity);
        let times = (self.clock, f64::INFINITY);
        let track = Track::flight(
            &inert,
            times,
            body.pose,
            velocity,
            angular_velocity,
            self.stage.gravity,
        );
        let slot = self.stage.inert.len() as u32;
        self.stage.inert.push(inert);
        self.stage.slots.push(Part::Free(slot));
        self.core.moving.push(Moving {
            track,
            counter: 0,
            island: None,
            partners: Vec::new(),
            sticking: None,
        });
        self.core.changed.push(slot);
        self.plans.own.push(None);
        self.plans.cells.admit::<S>(body.pose.position);
        self.fit_cells();
        let has = self.core.holdings_of(&self.stage, slot, self.clock);
        self.core.ledger.give(&Holdings::default(), &has);
    }

    /// Takes a body out, and hands it over as it was; a static or kinematic one as it was inserted.
    pub fn remove(&mut self, id: BodyId) -> Result<Body<S>, EditError> {
        let there = self.body_generic(id).ok_or(EditError::Nobody { id })?;
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Removed(id));
        let body = match self.stage.slots[id.0 as usize] {
            Part::Free(slot) => {
                self.weigh();
                self.bring(&mut party, slot);
                let has = self.core.holdings_of(&self.stage, slot, self.clock);
                self.core.ledger.give(&has, &Holdings::default());
                self.core.detach(&mut party, slot);
                there
            }
            _ => {
                self.let_go(&mut party, id);
                self.all_changed();
                self.stage.bodies[id.0 as usize].clone()
            }
        };
        self.core.overlaps.forget(id);
        self.stage.dismiss(id);
        self.release(party);
        Ok(body)
    }

    /// Gives a free body another velocity (of its centre of mass, m/s) and spin (rad/s).
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Result<(), EditError> {
        let (slot, mut body) = self.free_body(id, "velocity")?;
        if let Kind::Free(free) = &mut body.kind {
            (free.velocity, free.angular_velocity) = (velocity, angular_velocity);
        }
        check_body(id.0 as usize, &body).map_err(|error| EditError::Refused(vec![error]))?;
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Velocity(id));
        self.digest.vector::<S>(velocity);
        self.bring(&mut party, slot);
        let pose = self.core.travels(slot, self.clock).0;
        self.put(slot, pose, velocity, angular_velocity);
        self.release(party);
        Ok(())
    }

    /// Puts a free body elsewhere (its centre of mass, m), turned as it is, if nothing is there.
    pub fn set_position(&mut self, id: BodyId, position: S::Vector) -> Result<(), EditError> {
        let (slot, mut body) = self.free_body(id, "position")?;
        body.pose.position = position;
        self.place(Change::Position(id), slot, &body)
    }

    /// Puts a free body elsewhere and turns it: a pose of its centre of mass, if nothing is there.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose<S>) -> Result<(), EditError> {
        let (slot, mut body) = self.free_body(id, "pose")?;
        body.pose = pose;
        self.place(Change::Position(id), slot, &body)
    }

    fn place(&mut self, change: Change, slot: u32, body: &Body<S>) -> Result<(), EditError> {
        let id = self.stage.inert[slot as usize].id;
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, body).err().into_iter().collect();
        if wrong.is_empty() {
            let form = &self.stage.inert[slot as usize].form;
            wrong = self.overlaps_of(id, body, form, true, &body.pose);
        }
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(change);
        self.digest.vector::<S>(body.pose.position);
        self.bring(&mut party, slot);
        let moves = self.core.travels(slot, self.clock).1;
        self.put(slot, body.pose, moves.velocity, moves.angular_velocity);
        self.core.detach(&mut party, slot);
        self.release(party);
        Ok(())
    }

    /// Makes a body of another material.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), EditError> {
        let mut body = self.body_generic(id).ok_or(EditError::Nobody { id })?;
        body.material = material;
        if let Some(error) = check_material(id.0 as usize, &body, self.materials()) {
            return Err(EditError::Refused(vec![error]));
        }
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Material(id));
        self.digest.word(material.index() as u64);
        self.bring_all_touching(&mut party, id);
        self.stage.bodies[id.0 as usize].material = material;
        self.release(party);
        Ok(())
    }

    /// Lets a body meet others than before. Refused where it overlaps one that it has not met so far.
    pub fn set_groups(&mut self, id: BodyId, groups: CollisionFilter) -> Result<(), EditError> {
        let mut body = self.body_generic(id).ok_or(EditError::Nobody { id })?;
        let before = body.groups;
        body.groups = groups;
        let newly = |error: &WorldError| {
            let WorldError::Overlap { b, .. } = *error else {
                return true;
            };
            !self.stage.bodies[b].groups.collides_with(before)
        };
        let wrong = match self.stage.slots[id.0 as usize] {
            Part::Free(slot) => {
                let form = &self.stage.inert[slot as usize].form;
                self.overlaps_of(id, &body, form, true, &body.pose)
            }
            Part::Prop(index) if !self.stage.props[index as usize].sensor => {
                let prop = &self.stage.props[index as usize];
                self.overlaps_of(id, &body, &prop.form, false, &prop.pose_at(self.time))
            }
            _ => Vec::new(),
        };
        let wrong: Vec<WorldError> = wrong.into_iter().filter(newly).collect();
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::CollisionFilter(id));
        self.digest
            .word(u64::from(groups.memberships) << 32 | u64::from(groups.mask));
        self.core.overlaps.forget(id);
        match self.stage.slots[id.0 as usize] {
            Part::Free(slot) => {
                self.bring(&mut party, slot);
                self.core.detach(&mut party, slot);
            }
            _ => {
                self.let_go(&mut party, id);
                self.all_changed();
            }
        }
        self.stage.bodies[id.0 as usize].groups = groups;
        self.release(party);
        Ok(())
    }

    /// Changes the table of materials: adds some, gives others new numbers, lays down what holds between two. Hands
    /// back what `change` returns.
    pub fn change_materials<R>(&mut self, change: impl FnOnce(&mut Materials) -> R) -> R {
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Materials);
        self.bring_everyone(&mut party);
        let result = change(&mut self.stage.materials);
        let materials = &self.stage.materials;
        for (a, b) in materials
            .ids()
            .flat_map(|a| materials.ids().map(move |b| (a, b)))
        {
            let surface = materials.surface(a, b);
            for number in [
                surface.restitution,
                surface.static_friction,
                surface.kinetic_friction,
                surface.rolling_resistance,
                surface.spinning_resistance,
                surface.contact_duration,
            ] {
                self.digest.number(number);
            }
            self.digest.word(surface.law as u64);
        }
        self.fit_cells();
        self.release(party);
        result
    }

    /// Sets the uniform gravity, m/s². Everyone wakes, and all flights begin anew.
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), EditError> {
        if !gravity.is_finite() {
            let value = format!("{gravity:?}");
            return Err(EditError::Refused(vec![WorldError::Gravity { value }]));
        }
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Gravity);
        self.digest.vector::<S>(gravity);
        self.weigh();
        self.bring_everyone(&mut party);
        let before = self.core.holdings(&self.stage, self.clock);
        self.stage.set_gravity(gravity);
        let after = self.core.holdings(&self.stage, self.clock);
        self.core.ledger.give(&before, &after);
        self.release(party);
        Ok(())
    }

    /// Sets what acts on bodies besides contacts: uniform gravity, and nothing else. Others are refused.
    pub fn set_fields(&mut self, fields: Fields<S>) -> Result<(), EditError> {
        if !fields.is_uniform() {
            let what = "fields other than uniform gravity do not act on rigid bodies";
            let what = what.to_owned();
            return Err(EditError::Refused(vec![WorldError::Solids { what }]));
        }
        self.set_gravity(fields.gravity)
    }

    /// External forces do not act here yet; there is none to take away.
    pub fn set_load(&mut self, id: BodyId, load: Option<Load<S>>) -> Result<(), EditError> {
        self.body_generic(id).ok_or(EditError::Nobody { id })?;
        match load {
            None => Ok(()),
            Some(_) => {
                let what = NO_LOADS.to_owned();
                Err(EditError::Refused(vec![WorldError::Solids { what }]))
            }
        }
    }

    /// Lets a static or kinematic body move as prescribed, from where it is: at a constant velocity or turning
    /// steadily.
    pub fn set_drive(&mut self, id: BodyId, drive: Drive<S>) -> Result<(), EditError> {
        let body = self.fixture_body(id)?;
        drive
            .check()
            .map_err(|error| refused_drive(id, &body, error))?;
        let here = state_of(&body, self.time).pose;
        self.set_motion(id, drive.start_of(&here, self.time), Some(drive))
    }

    /// Lets a static or kinematic body stand where it is from now on.
    pub fn stand_still(&mut self, id: BodyId) -> Result<(), EditError> {
        let body = self.fixture_body(id)?;
        self.set_motion(id, state_of(&body, self.time).pose, None)
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
        let mut body = old.clone();
        body.pose = pose;
        body.kind = drive.map_or(Kind::Static, Kind::Kinematic);
        let mut wrong: Vec<WorldError> =
            check_body(id.0 as usize, &body).err().into_iter().collect();
        wrong.extend(unfit_motion(id, &body));
        if !wrong.is_empty() {
            return Err(EditError::Refused(wrong));
        }
        let (distance, allowed) = jump(&old, &body, self.time);
        if !(distance <= allowed) {
            return Err(EditError::Jump {
                id,
                name: body.name.into(),
                time: self.time,
                distance,
                allowed,
            });
        }
        let cast = cast_of(&body, id).map_err(|error| EditError::Refused(vec![error]))?;
        let mut party = Party::new(Separation::Edited);
        self.begin_edit(Change::Drive(id));
        let mut bytes = Vec::new();
        body.pose.store(&mut bytes);
        body.kind.store(&mut bytes);
        for eight in bytes.chunks(8) {
            let word = eight.iter().rev();
            self.digest
                .word(word.fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
        self.bring_all_touching(&mut party, id);
        if let (Part::Prop(index), NewPart::Prop(prop)) = (self.stage.slots[id.0 as usize], cast) {
            self.stage.props[index as usize] = prop;
        }
        self.stage.bodies[id.0 as usize] = body;
        self.all_changed();
        self.release(party);
        Ok(())
    }

    fn free_body(&self, id: BodyId, field: &'static str) -> Result<(u32, Body<S>), EditError> {
        let body = self.body_generic(id).ok_or(EditError::Nobody { id })?;
        match self.stage.slot_of(id) {
            Some(slot) => Ok((slot, body)),
            None => Err(EditError::NotFree {
                id,
                name: body.name.into(),
                field,
            }),
        }
    }

    /// A static or kinematic body, as it was inserted.
    fn fixture_body(&self, id: BodyId) -> Result<Body<S>, EditError> {
        let body = self.body_generic(id).ok_or(EditError::Nobody { id })?;
        match body.kind {
            Kind::Free(_) => Err(EditError::Free {
                id,
                name: body.name.into(),
                field: "drive",
            }),
            _ => Ok(self.stage.bodies[id.0 as usize].clone()),
        }
    }

    /// Everyone whom a body would overlap with a pose, now.
    fn overlaps_of(
        &self,
        id: BodyId,
        body: &Body<S>,
        form: &Compound<S>,
        free: bool,
        pose: &Pose<S>,
    ) -> Vec<WorldError> {
        let core = self.seen();
        let mut found = Vec::new();
        let mut look = |other: BodyId, its: &Compound<S>, its_pose: &Pose<S>| {
            let it = &self.stage.bodies[other.0 as usize];
            if other == id || !it.groups.collides_with(body.groups) {
                return;
            }
            let apart = (pose.position - its_pose.position).length();
            if apart > form.reach() + its.reach() {
                return;
            }
            let finite = |reach: f64| if reach.is_finite() { reach } else { 0.0 };
            let size = pose.position.length().max(its_pose.position.length())
                + finite(form.reach())
                + finite(its.reach());
            let met = meetings(form, pose, its, its_pose, 0.0);
            let depth = met.iter().map(|(_, _, m)| m.depth).fold(0.0, f64::max);
            let allowed = ROUNDING * size;
            if depth > allowed {
                found.push(WorldError::Overlap {
                    a: id.0 as usize,
                    name_a: body.name.to_string(),
                    b: other.0 as usize,
                    name_b: it.name.to_string(),
                    depth,
                    allowed,
                });
            }
        };
        for (slot, inert) in (0..).zip(&self.stage.inert) {
            if !inert.gone {
                let pose = core.pose_of(&self.stage, RigidBodyRef::Body(slot), self.time);
                look(inert.id, &inert.form, &pose);
            }
        }
        let meets = |prop: &&Prop<S>| free && !prop.gone && !prop.sensor;
        for prop in self.stage.props.iter().filter(meets) {
            look(prop.id, &prop.form, &prop.pose_at(self.time));
        }
        found.order_by_key(|error| match error {
            WorldError::Overlap { b, .. } => *b,
            _ => 0,
        });
        found
    }

    /// Enters what gravity has given to the mass that there has been so far.
    fn weigh(&mut self) {
        let there = self.stage.inert.iter().filter(|inert| !inert.gone);
        let mass: f64 = there.map(|inert| inert.mass).sum();
        let given = self.stage.gravity * (mass * (self.clock - self.weighed));
        self.core.ledger.momentum_from_gravity.add(given);
        self.weighed = self.clock;
    }

    fn begin_edit(&mut self, change: Change) {
        self.look_anew();
        self.clock = self.clock.max(self.time);
        // Whatever stopped the run may be gone.
        self.failure = None;
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
        };
        self.digest.word(what << 32 | u64::from(id.0));
        self.digest.number(self.time);
        let time = self.time;
        self.untold.push_back(Told::Edited(Edit { time, change }));
    }

    fn finish_edit(&mut self) {
        self.tell_released();
        self.plan_changed();
        self.look_anew();
    }
}

/// A motion that is not for worlds with rigid bodies.
fn unfit_motion<S: Shaped>(id: BodyId, body: &Body<S>) -> Option<WorldError> {
    let what = refused_motion(body)?;
    Some(WorldError::Solids {
        what: format!("body {} ({}): {what}", id.0, body.name),
    })
}

impl<S: Shaped> RigidWorld<S> {
    fn set_gravity(&mut self, gravity: S::Vector) {
        self.gravity = gravity;
        self.slow = gravity.length() * self.settling.time;
        self.still = 1e-3 * self.slow;
    }
}
