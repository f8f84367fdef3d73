//! All bodies of a run, and what happens when two of them touch.

use super::balls::Balls;
use super::fixture::{Fixture, images_of};
use super::inertials::Inertial;
use super::jointed::Jointed;
use super::members::NewBall;
use super::rigid::MARGIN;
use crate::body::{Body, Kind};
use crate::contact::{Contact, Side};
use crate::impact::Strikable;
use crate::material::{MaterialId, Materials, Surface};
use crate::motion::{BallFields, Fields, Integrator, Load};
use crate::shape::{Ball, Obstacle, Shaped};
use crate::world::{BodyId, World, has_rigid_bodies};
use std::collections::BTreeMap;

/// The bodies as they are, each ball at its own time.
#[derive(Clone, Debug)]
pub(super) struct Bodies<S: Shaped> {
    pub balls: Balls<S>,
    pub fixtures: Vec<Fixture<S>>,
    /// World time at which the run's clock reads zero, s.
    pub epoch: f64,
    /// The slot of each body, by id; `NOWHERE` for fixture.
    pub slots: Vec<u32>,
    pub surfaces: Surfaces,
    /// What acts on balls in flight.
    pub fields: Fields<S>,
    /// What acts on single balls.
    pub loads: BTreeMap<BodyId, Box<Load<S>>>,
    pub integrator: Integrator,
    /// Balls that joints hold.
    pub jointed: Option<Box<Jointed<S>>>,
    /// The largest radius of a ball that the images of fixtures are made for, m.
    pub largest: f64,
}

/// In place of the slot of a body that is no free ball.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The other body of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyRef {
    /// By slot.
    Ball(u32),
    /// By place in the list of fixture.
    Fixture(u32),
}

impl BodyRef {
    /// The slot of a ball.
    pub fn slot(self) -> Option<u32> {
        match self {
            BodyRef::Ball(slot) => Some(slot),
            BodyRef::Fixture(_) => None,
        }
    }
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// A ball (by slot) begins to touch another body.
    Contact { ball: u32, other: BodyRef },
    /// A search that had been cut off was taken up again, and found nothing before its new end.
    LookedAgain { ball: u32, other: BodyRef },
    /// A ball leaves the periodic box along an axis, at its upper end or the lower one.
    Wrap { ball: u32, axis: usize, up: bool },
    /// A ball comes to the end of its trajectory segment.
    SegmentEnds { ball: u32 },
    /// Balls have passed so many cells, this one the last; there is nothing to do but to see that the run gets on.
    Crossed { ball: u32, cells: u64 },
}

/// What acts on single bodies, by number.
fn loads_of<S: Shaped>(bodies: &[Body<S>]) -> BTreeMap<BodyId, Box<Load<S>>> {
    let numbered = (0..).map(BodyId).zip(bodies);
    numbered
        .filter_map(|(id, body)| Some((id, body.load.clone()?)))
        .collect()
}

impl<S: Strikable> Bodies<S> {
    pub fn new(world: &World<S>) -> Self {
        let balls = Balls::new(world);
        let largest = balls.hot.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let largest = if has_rigid_bodies(world) {
            MARGIN * largest
        } else {
            largest
        };
        let mut stage = Bodies {
            balls,
            fixtures: Vec::new(),
            epoch: 0.0,
            slots: vec![NOWHERE; world.bodies().len()],
            surfaces: Surfaces::new(&world.materials),
            fields: world.fields().clone(),
            loads: loads_of(world.bodies()),
            integrator: world.integrator(),
            jointed: None,
            largest,
        };
        stage.number_slots();
        for (id, body) in (0..).map(BodyId).zip(world.bodies()) {
            if !matches!(body.kind, Kind::Free(_)) {
                stage.admit_fixture(id, body, 0.0);
            }
        }
        stage
    }

    /// What acts on a ball alone.
    #[inline]
    pub fn load(&self, slot: usize) -> Option<&Load<S>> {
        if self.loads.is_empty() {
            None
        } else {
            self.loads.get(&self.balls.ids[slot]).map(|load| &**load)
        }
    }

    /// Whether no more than uniform gravity acts on a ball.
    pub fn only_falls(&self, slot: usize) -> bool {
        self.fields.is_uniform() && self.load(slot).is_none() && !self.is_jointed(slot)
    }

    /// Whether what acts on a ball is the same everywhere and always, and does not turn it.
    pub fn is_pulled_steadily(&self, slot: usize) -> bool {
        let steady = |load: &Load<S>| load.is_constant() && load.is_without_torque();
        self.fields.is_uniform() && self.load(slot).is_none_or(steady)
    }

    /// What acts on a ball: the fields, and what acts on it alone.
    pub fn rates_of(&self, slot: usize) -> BallFields<'_, S> {
        let inertial = self.balls.inertials.of(slot);
        let radius = self.balls.hot[slot].radius;
        let fields = (self.fields).for_ball(inertial.mass, radius, inertial.inertia);
        fields.with_load(self.load(slot))
    }

    /// Adds a static or kinematic body with its images, to be met from a time by the run's clock on. Its id must be
    /// above those of the others.
    pub fn admit_fixture(&mut self, id: BodyId, body: &Body<S>, time: f64) {
        let images = images_of(id, body, time, (self.balls.period, self.largest));
        self.fixtures.extend(images);
    }

    /// Moves all times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        self.epoch += shift;
        self.balls.rebase(shift);
        let epoch = self.epoch;
        if let Some(rigids) = self.balls.rigids_mut() {
            rigids.world.epoch = epoch;
        }
        let balls = &self.balls.hot;
        let began = |id: BodyId| balls[self.slots[id.0 as usize] as usize].since;
        self.balls.overlaps.rebase(shift, began);
        for fixture in &mut self.fixtures {
            fixture.since -= shift;
        }
        for group in self.jointed.iter_mut().flat_map(|it| &mut it.groups) {
            group.since -= shift;
        }
        self.renew_props();
    }

    /// Carries a ball from one side of the box to the other.
    pub fn wrap(&mut self, slot: usize, time: f64, axis: usize, up: bool) {
        self.balls.wrap(slot, time, axis, up);
        self.wrap_partner(slot, axis, up);
        self.wrap_overlaps(slot, axis, up);
    }

    /// What a body is inside of goes round the periodic box with it.
    pub(super) fn wrap_overlaps(&mut self, slot: usize, axis: usize, up: bool) {
        if !self.balls.overlaps.is_empty() {
            let id = self.balls.ids[slot];
            let fixture = &self.fixtures;
            self.balls.overlaps.wrap(id, axis, up, |sensor, image| {
                let mut all = fixture.iter();
                all.any(|fixture| fixture.id == sensor && fixture.image == image)
            });
        }
    }

    /// Takes a static or kinematic body out.
    pub fn dismiss_fixture(&mut self, id: BodyId) {
        self.fixtures.retain(|fixture| fixture.id != id);
    }

    /// Puts a ball into a slot at a time by the run's clock. `fixtures` is asked for all static and kinematic bodies
    /// where larger balls need more images of them.
    pub fn admit<'a>(
        &mut self,
        new: &NewBall<S>,
        time: f64,
        fixture: impl Iterator<Item = (BodyId, &'a Body<S>)>,
    ) -> usize {
        let slot = self.balls.admit(new, time);
        self.slots[new.id.0 as usize] = slot as u32;
        if new.radius > self.largest {
            self.largest = new.radius;
            if self.balls.is_periodic() {
                self.fixtures.clear();
                for (id, body) in fixture {
                    self.admit_fixture(id, body, time);
                }
            }
        }
        slot
    }

    /// Takes a ball out of its slot.
    pub fn dismiss(&mut self, slot: usize) {
        self.slots[self.balls.ids[slot].0 as usize] = NOWHERE;
        self.balls.dismiss(slot);
    }

    /// Closes up the vacant slots.
    pub fn close_up(&mut self) {
        self.balls.close_up();
        self.number_slots();
    }

    /// Puts the balls in another order: `order[new slot]` is the old slot.
    pub fn reorder(&mut self, order: &[u32]) {
        self.balls.reorder(order);
        self.number_slots();
    }

    pub fn number_slots(&mut self) {
        for (slot, id) in (0..).zip(&self.balls.ids) {
            self.slots[id.0 as usize] = slot;
        }
    }

    /// Whether a body touches one of the balls that collide with each other or with a fixture, or nearly so, and is
    /// none of them. What a ball keeps touching does not count.
    pub fn crowds(
        &self,
        (slot, other): (u32, BodyRef),
        (slots, fixture): (&[u32], Option<u32>),
        now: f64,
    ) -> bool {
        let (balls, own) = (&self.balls, slot as usize);
        match other {
            BodyRef::Ball(other) => {
                !slots.contains(&other)
                    && balls.island(other as usize).is_none()
                    && balls.touch(own, other as usize, now)
            }
            BodyRef::Fixture(index) => {
                Some(index) != fixture
                    && !balls.is_on(own, index)
                    && self.fixtures[index as usize].touches(balls, own, self.epoch, now)
            }
        }
    }

    /// Whether a body only notices what passes.
    #[inline]
    pub fn is_sensor(&self, other: BodyRef) -> bool {
        match other {
            BodyRef::Ball(_) => false,
            BodyRef::Fixture(index) => self.fixtures[index as usize].body.sensor,
        }
    }

    /// Whether a contact is a matter of rigid bodies: of one of them, of a ball among them, or of a fixture that is
    /// made of parts.
    #[inline]
    pub fn concerns_rigids(&self, slot: usize, other: BodyRef) -> bool {
        let Some(rigids) = self.balls.rigids() else {
            return false;
        };
        let member = |slot: usize| rigids.member(self.balls.ids[slot]).is_some();
        member(slot)
            || match other {
                BodyRef::Ball(other) => member(other as usize),
                BodyRef::Fixture(index) => rigids.is_compound(index),
            }
    }

    /// Whether a ball and another body collide as balls do when they meet: by their groups, and where the other is no
    /// sensor, nor rigid.
    pub fn collide(&self, slot: usize, other: BodyRef) -> bool {
        if self.concerns_rigids(slot, other) {
            return false;
        }
        match other {
            BodyRef::Ball(other) => self.balls.meets(slot, self.balls.groups_of(other as usize)),
            BodyRef::Fixture(index) => {
                let body = &self.fixtures[index as usize].body;
                !body.sensor && self.balls.meets(slot, body.groups)
            }
        }
    }

    /// The body that a contact is with.
    pub fn id_of(&self, other: BodyRef) -> BodyId {
        match other {
            BodyRef::Ball(slot) => self.balls.ids[slot as usize],
            BodyRef::Fixture(index) => self.fixtures[index as usize].id,
        }
    }

    /// What is between a ball and another body.
    #[inline(always)]
    pub fn surface(&self, slot: usize, other: BodyRef) -> Surface {
        let other = match other {
            BodyRef::Ball(other) => self.balls.inertials.of(other as usize).material,
            BodyRef::Fixture(index) => self.fixtures[index as usize].body.material,
        };
        self.surfaces
            .between(self.balls.inertials.of(slot).material, other)
    }

    /// What is between a ball and another body that approach at a speed, m/s.
    #[inline]
    pub fn surface_at(&self, slot: usize, other: BodyRef, approach: f64) -> Surface {
        let mut surface = self.surface(slot, other);
        if surface.varies() {
            let other = match other {
                BodyRef::Ball(other) => self.balls.inertials.of(other as usize).material,
                BodyRef::Fixture(index) => self.fixtures[index as usize].body.material,
            };
            let own = self.balls.inertials.of(slot).material;
            surface.restitution = self.surfaces.materials.restitution_at(own, other, approach);
        }
        surface
    }

    /// What is between a ball and another body that touch at a time, as fast as they approach then.
    #[inline]
    pub fn surface_now(&self, slot: usize, other: BodyRef, time: f64) -> Surface {
        let surface = self.surface(slot, other);
        if !surface.varies() {
            return surface;
        }
        let (contact, _) = self.contact(slot, other, time);
        self.surface_at(slot, other, -contact.normal_velocity())
    }

    /// The contact of a ball with another body at a time, and the distance of their surfaces.
    pub fn contact(&self, slot: usize, other: BodyRef, time: f64) -> (Contact<S>, f64) {
        match other {
            BodyRef::Ball(other) => self.ball_contact(slot, other as usize, time),
            BodyRef::Fixture(index) => self.fixtures[index as usize].contact(
                |arm| self.side(slot, time, arm),
                self.balls.position_at(slot, time),
                self.balls.hot[slot].radius,
                self.epoch + time,
            ),
        }
    }

    fn ball_contact(&self, a: usize, b: usize, time: f64) -> (Contact<S>, f64) {
        let balls = &self.balls;
        let (radius_a, radius_b) = (balls.hot[a].radius, balls.hot[b].radius);
        let place = balls.position_at(a, time);
        let apart = place - balls.position_at(b, time);
        let seen = balls.seen(apart, time);
        let apart = apart + seen.shift;
        let closest = Obstacle::<S>::closest(&Ball { radius: radius_b }, apart);
        let normal = closest.normal;
        let arm_b = normal * radius_b;
        let contact = Contact {
            point: (place - apart) + arm_b,
            normal,
            a: self.side(a, time, -normal * radius_a),
            b: Side {
                velocity: balls.velocity_at(b, time) - seen.velocity,
                ..self.side(b, time, arm_b)
            },
        };
        (contact, closest.distance - radius_a)
    }

    fn side(&self, slot: usize, time: f64, arm: S::Vector) -> Side<S> {
        let &Inertial {
            inverse_mass,
            inverse_inertia,
            ..
        } = self.balls.inertials.of(slot);
        Side {
            inverse_mass,
            inverse_inertia: S::isotropic_inertia(inverse_inertia),
            velocity: self.balls.velocity_at(slot, time),
            angular_velocity: self.balls.angular_velocity_at(slot, time),
            arm,
        }
    }
}

/// What every two materials are to each other, worked out once where they are not too many.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    number: usize,
    table: Vec<Surface>,
    /// Whether any restitution depends on the approach speed.
    pub vary: bool,
    pub materials: Materials,
}

impl Surfaces {
    /// A table of 128 × 128 is a megabyte.
    const MOST: usize = 128;

    pub fn new(materials: &Materials) -> Self {
        let ids: Vec<MaterialId> = materials.ids().take(Self::MOST).collect();
        Surfaces {
            number: ids.len(),
            table: ids
                .iter()
                .flat_map(|&a| ids.iter().map(move |&b| (a, b)))
                .map(|(a, b)| materials.surface(a, b))
                .collect(),
            vary: materials.any_restitution_curve(),
            materials: materials.clone(),
        }
    }

    #[inline(always)]
    fn between(&self, a: MaterialId, b: MaterialId) -> Surface {
        if a.index().max(b.index()) < self.number {
            self.table[a.index() * self.number + b.index()]
        } else {
            self.materials.surface(a, b)
        }
    }
}
