//! All bodies of a run, and what happens when two of them touch.

use super::balls::Balls;
use super::inertials::Inertial;
use super::scenery::{Scenery, all_scenery};
use crate::contact::{Contact, Side};
use crate::material::{MaterialId, Materials, Surface};
use crate::shape::{Ball, Obstacle};
use crate::space::Space;
use crate::world::{BodyId, World};

/// The bodies as they are, each ball at its own time.
#[derive(Clone, Debug)]
pub(super) struct Stage<S: Space> {
    pub balls: Balls<S>,
    pub scenery: Vec<Scenery<S>>,
    /// World time at which the run's clock reads zero, s.
    pub epoch: f64,
    /// The slot of each body, by id; `NOWHERE` for scenery.
    pub slots: Vec<u32>,
    pub surfaces: Surfaces,
}

/// In place of the slot of a body that is no free ball.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The other body of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// By slot.
    Ball(u32),
    /// By place in the list of scenery.
    Scenery(u32),
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// A ball (by slot) begins to touch another body.
    Contact { ball: u32, other: Other },
    /// A search that had been cut off was taken up again, and found nothing before its new end.
    LookedAgain { ball: u32, other: Other },
    /// A ball leaves the periodic box along an axis, at its upper end or the lower one.
    Wrap { ball: u32, axis: usize, up: bool },
}

impl<S: Space> Stage<S> {
    pub fn new(world: &World<S>) -> Self {
        let mut stage = Stage {
            balls: Balls::new(world),
            scenery: all_scenery(world),
            epoch: 0.0,
            slots: vec![NOWHERE; world.bodies().len()],
            surfaces: Surfaces::new(&world.materials),
        };
        stage.number_slots();
        stage
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

    /// The body that a contact is with.
    pub fn id_of(&self, other: Other) -> BodyId {
        match other {
            Other::Ball(slot) => self.balls.ids[slot as usize],
            Other::Scenery(index) => self.scenery[index as usize].id,
        }
    }

    /// What is between a ball and another body.
    #[inline(always)]
    pub fn surface(&self, slot: usize, other: Other) -> Surface {
        let other = match other {
            Other::Ball(other) => self.balls.inertials.of(other as usize).material,
            Other::Scenery(index) => self.scenery[index as usize].body.material,
        };
        self.surfaces
            .between(self.balls.inertials.of(slot).material, other)
    }

    /// The contact of a ball with another body at a time, and the distance of their surfaces.
    pub fn contact(&self, slot: usize, other: Other, time: f64) -> (Contact<S>, f64) {
        match other {
            Other::Ball(other) => self.ball_contact(slot, other as usize, time),
            Other::Scenery(index) => self.scenery[index as usize].contact(
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
        let apart = apart + balls.nearest_shift(apart);
        let closest = Obstacle::<S>::closest(&Ball { radius: radius_b }, apart);
        let normal = closest.normal;
        let arm_b = normal * radius_b;
        let contact = Contact {
            point: (place - apart) + arm_b,
            normal,
            a: self.side(a, time, -normal * radius_a),
            b: self.side(b, time, arm_b),
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
            spin: self.balls.spin(slot),
            arm,
        }
    }
}

/// What every two materials are to each other, worked out once where they are not too many.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    number: usize,
    table: Vec<Surface>,
    pub materials: Materials,
}

impl Surfaces {
    /// A table of 128 × 128 is half a megabyte.
    const MOST: usize = 128;

    fn new(materials: &Materials) -> Self {
        let ids: Vec<MaterialId> = materials.ids().take(Self::MOST).collect();
        Surfaces {
            number: ids.len(),
            table: ids
                .iter()
                .flat_map(|&a| ids.iter().map(move |&b| (a, b)))
                .map(|(a, b)| materials.surface(a, b))
                .collect(),
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
